/* upgrade_server.c - the fork server's side of smd-upgrade (core/upgrade): starts it when a worker first asks it, and hands
 * it that worker's socket. Servers whose clients write no typed pointers never start it. The worker's side is
 * input/upgrader.c. */
#include "frame.h"
#include "input.h"
#include "process.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONTROL   3 /* where smd-upgrade finds its control socket */
#define PROGRAM   "smd-upgrade"
#define QUIET_MAX 1024 /* workers that have not asked it yet */

/* The process's own. */
static struct {
    int control; /* the socket to smd-upgrade; -1: it does not run */
    pid_t pid;
    int quiet[QUIET_MAX]; /* smd-upgrade's ends of the sockets of workers that have not asked yet */
    size_t quiets;
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

/* Starts smd-upgrade, if it is there. */
static void start_upgrader(const struct limits *limits) {
    char path[PATH_MAX];
    int pair[2];
    if (!find_program(path, sizeof path) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
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

/* The workers that it served leave their jobs to others. */
int upgrader_reap(pid_t pid, int status) {
    if (pid != upgrader.pid)
        return 0;
    if (WIFSTOPPED(status)) {
        kill(pid, SIGKILL);
        return 1;
    }
    close(upgrader.control);
    upgrader.control = -1;
    upgrader.pid = 0;
    return 1;
}

int upgrader_exists(void) {
    char path[PATH_MAX];
    return find_program(path, sizeof path);
}

/* Hands smd-upgrade, which runs from now on, its end of a worker's socket. If it cannot be started or has just died, the
 * socket is one that nobody answers: the worker leaves jobs that need it to others. */
static void attach_worker(int fd, const struct limits *limits) {
    if (upgrader.control < 0)
        start_upgrader(limits);
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
    if (upgrader.control >= 0)
        sendmsg(upgrader.control, &msg, MSG_NOSIGNAL | MSG_DONTWAIT); /* who does not take it closes it as it ends */
    close(fd);
}

int upgrader_socket(const struct limits *now) {
    int pair[2];
    if (!upgrader_exists())
        return UPGRADER_NONE;
    if (upgrader.quiets == QUIET_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return UPGRADER_LOST;
    if (now)
        attach_worker(pair[1], now);
    else
        upgrader.quiet[upgrader.quiets++] = pair[1];
    return pair[0];
}

int upgrader_poll(struct pollfd wait[2], const struct limits *limits) {
    static struct pollfd all[2 + QUIET_MAX];
    size_t left = 0;
    memcpy(all, wait, 2 * sizeof *wait);
    for (size_t i = 0; i < upgrader.quiets; i++)
        all[2 + i] = (struct pollfd){.fd = upgrader.quiet[i], .events = POLLIN};
    int n = poll(all, 2 + upgrader.quiets, -1);
    if (n < 0)
        return n;
    for (size_t i = 0; i < upgrader.quiets; i++) {
        int fd = upgrader.quiet[i], events = all[2 + i].revents;
        if (!events)
            upgrader.quiet[left++] = fd;
        else if (events & POLLIN)
            attach_worker(fd, limits);
        else
            close(fd); /* its worker has ended */
    }
    upgrader.quiets = left;
    memcpy(wait, all, 2 * sizeof *wait);
    return n;
}
