/* upgrade_server.c - the fork server's side of smd-upgrade (core/upgrade): starts it, and gives each worker a socket to it.
 * The worker's side is input/upgrader.c. */
#include "frame.h"
#include "input.h"
#include "process.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONTROL 3 /* where smd-upgrade finds its control socket */
#define PROGRAM "smd-upgrade"

/* The process's own. */
static struct {
    int control; /* the socket to smd-upgrade; -1 for none */
    pid_t pid;
    int is_there; /* boolean: there is such a program */
} upgrader = {.control = -1};

/* Writes the path of smd-upgrade, beside this program, to PATH. 0 if it is not there. */
static int find_program(char *path, size_t size) {
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
    if (!slash || (size_t)(slash + 1 - path) + sizeof PROGRAM > size)
        return 0;
    memcpy(slash + 1, PROGRAM, sizeof PROGRAM);
    return access(path, X_OK) == 0;
}

/* The child's side of the fork: executes smd-upgrade as a server on SOCKET, with these limits. */
static _Noreturn void become_server(const char *path, int socket, const struct limits *limits) {
    char memory[48], cpu[48], sandbox[24];
    snprintf(memory, sizeof memory, "--memory-mib=%d", limits->memory_mib);
    snprintf(cpu, sizeof cpu, "--cpu-seconds=%d", limits->cpu_seconds);
    snprintf(sandbox, sizeof sandbox, "--sandbox=%s", limits->sandbox ? "on" : "off");
    char *const argv[] = {PROGRAM, "--serve", memory, cpu, sandbox, NULL};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(socket, CONTROL) < 0)
        _exit(127);
    close_range(CONTROL + 1, ~0u, 0);
    execv(path, argv);
    _exit(127);
}

/* Starts smd-upgrade, if it is there, for the fork server. */
void upgrader_start(const struct limits *limits) {
    char path[PATH_MAX];
    int pair[2];
    if (upgrader.control >= 0)
        close(upgrader.control);
    upgrader.control = -1;
    upgrader.pid = 0;
    upgrader.is_there = find_program(path, sizeof path);
    if (!upgrader.is_there || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return;
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        sandbox_end_with(self);
        become_server(path, pair[1], limits);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return;
    }
    upgrader.control = pair[0];
    upgrader.pid = pid;
}

int upgrader_is(pid_t pid) {
    return pid == upgrader.pid;
}

int upgrader_exists(void) {
    char path[PATH_MAX];
    return find_program(path, sizeof path);
}

/* Hands the socket FD over to smd-upgrade, for one worker. */
static void attach_upgrader(int fd) {
    unsigned char frame[SM_FRAME_HEADER];
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {frame, sizeof frame};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    sm_frame_encode(frame, SM_FRAME_ATTACH, 0);
    sendmsg(upgrader.control, &msg, MSG_NOSIGNAL | MSG_DONTWAIT); /* who does not take it closes it as it ends */
}

/* If smd-upgrade has just died, the socket is one that nobody answers: the worker leaves jobs that need it to others. */
int upgrader_socket(const struct limits *limits) {
    int pair[2];
    if (upgrader.control < 0)
        upgrader_start(limits);
    if (!upgrader.is_there)
        return UPGRADER_NONE;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return UPGRADER_LOST;
    if (upgrader.control >= 0)
        attach_upgrader(pair[1]);
    close(pair[1]);
    return pair[0];
}
