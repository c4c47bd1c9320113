/* forkserver.c - forks workers out of a warm, single-threaded process, hands their descriptors to smd and reports how
 * they ended.
 *
 * It ends when smd closes the control socket, and with smd; its workers and smd-upgrade end with it, even while they are
 * stopped. So nothing outlives smd, however that ends. The jobs of workers that end so run again on others.
 */
#include "base.h"
#include "input.h"
#include "memory.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONTROL 3
#define UPGRADE 4 /* in a worker */

enum { SOCKET, PIDFD, LOG, DESCRIPTORS };

/* Closes those of N descriptors that are open. */
static void close_all(const int *fds, int n) {
    for (int i = 0; i < n; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* A file for a worker's stderr, bounded by a seal, which smd can read after the worker's death; -1 if it cannot be
 * made. */
static int make_log(void) {
    int fd = memfd_create("smd-worker-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && ftruncate(fd, SM_LOG_SIZE) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Makes this child a worker: with its socket at CONTROL, its log as stderr, UPGRADE, the socket to smd-upgrade (or
 * -1), and no other descriptors. Serves jobs, and exits. */
static _Noreturn void become_worker(int socket, int log, int upgrade, const struct limits *limits) {
    sigset_t none;
    sigemptyset(&none);
    prctl(PR_SET_NAME, "smd-worker");
    dup2(log, STDERR_FILENO);
    if (upgrade >= 0)
        upgrade = fcntl(upgrade, F_DUPFD, UPGRADE + 1); /* out of the way of the next line */
    dup2(socket, CONTROL);
    if (upgrade >= 0)
        dup2(upgrade, UPGRADE);
    upgrader_use(upgrade >= 0 ? UPGRADE : upgrade);
    close_range(upgrade >= 0 ? UPGRADE + 1 : CONTROL + 1, ~0u, 0);
    sigprocmask(SIG_SETMASK, &none, NULL);
    _exit(serve(CONTROL, limits));
}

/* Sends SPAWNED and the descriptors in one message, so that they come together. SM_CLOSED if smd does not take
 * it. */
static sm_status send_spawned(pid_t pid, const int fds[DESCRIPTORS]) {
    sm_buf frame;
    union {
        char space[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    sm_buf_init(&frame, 64);
    sm_buf_extend(&frame, SM_FRAME_HEADER);
    sm_buf_put_u32(&frame, (uint32_t)pid);
    xstatus(frame.status);
    sm_frame_encode(frame.data, SM_FRAME_SPAWNED, frame.len - SM_FRAME_HEADER);
    struct iovec iov = {frame.data, frame.len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(DESCRIPTORS * sizeof(int));
    memcpy(CMSG_DATA(c), fds, DESCRIPTORS * sizeof(int));
    ssize_t n;
    do
        n = sendmsg(CONTROL, &msg, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    sm_status s = n == (ssize_t)frame.len ? SM_OK : SM_CLOSED;
    sm_buf_free(&frame);
    return s;
}

/* Forks a worker and sends smd its socket, pidfd and log. */
static sm_status spawn(const struct limits *limits) {
    int pair[2], fds[DESCRIPTORS] = {-1, -1, make_log()};
    if (fds[LOG] < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        close_all(fds, DESCRIPTORS);
        return SM_IO;
    }
    int upgrade = upgrader_socket(NULL);
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        sandbox_end_with(self);
        close(pair[0]);
        become_worker(pair[1], fds[LOG], upgrade, limits);
    }
    close_all(&upgrade, 1);
    close(pair[1]);
    fds[SOCKET] = pair[0];
    fds[PIDFD] = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    sm_status s = fds[PIDFD] >= 0 ? send_spawned(pid, fds) : SM_IO;
    close_all(fds, DESCRIPTORS);
    return s;
}

/* What a process has taken of CPUs, with all its threads. */
static uint64_t cpu_ns(const struct rusage *u) {
    return (uint64_t)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000000u +
           (uint64_t)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000u;
}

/* Reports the workers that have ended or been stopped to smd, which has no use for a stopped one. */
static sm_status reap(void) {
    int status;
    pid_t pid;
    struct rusage usage;
    while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0) {
        unsigned char payload[16];
        if (upgrader_reap(pid, status))
            continue;
        sm_store_le(payload, (uint32_t)pid, 4);
        sm_store_le(payload + 4, (uint32_t)status, 4);
        sm_store_le(payload + 8, WIFSTOPPED(status) ? 0 : cpu_ns(&usage), 8);
        sm_status s = sm_frame_write(CONTROL, SM_FRAME_EXITED, payload, sizeof payload, NULL, 0);
        if (s != SM_OK)
            return s;
    }
    return SM_OK;
}

/* Sends HELLO: the versions of protocol and artifact, and what this compiler is. */
static sm_status say_hello_forkserver(void) {
    sm_buf payload, text;
    json_t *what = about();
    sm_buf_init(&payload, (size_t)1 << 19);
    sm_buf_init(&text, (size_t)1 << 19);
    json_append(what, &text);
    json_decref(what);
    sm_buf_put_u32(&payload, SM_PROTOCOL_VERSION);
    sm_buf_put_u32(&payload, SM_ARTIFACT_VERSION);
    sm_buf_put_str(&payload, (const char *)text.data, text.len);
    sm_status s = payload.status == SM_OK
                      ? sm_frame_write(CONTROL, SM_FRAME_HELLO, payload.data, payload.len, NULL, 0)
                      : payload.status;
    sm_buf_free(&payload);
    sm_buf_free(&text);
    return s;
}

/* Reads a command from smd and carries it out. SM_MALFORMED if it is no SPAWN. */
static sm_status handle_command(const struct limits *limits, sm_buf *payload) {
    uint16_t type;
    sm_status s = sm_frame_read(CONTROL, &type, payload);
    if (s != SM_OK)
        return s;
    return type == SM_FRAME_SPAWN ? spawn(limits) : SM_MALFORMED;
}

/* Serves smd until it closes the control socket: forks workers, and reports their ends. The exit status. */
int forkserver_run(const struct limits *limits) {
    sigset_t set;
    sm_buf payload;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGXFSZ, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);      /* even while it is stopped; what was before, CONTROL's end tells */
    prctl(PR_SET_NAME, "smd-fork-server"); /* so that ps tells it from its workers */
    int children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    struct pollfd wait[2] = {{.fd = CONTROL, .events = POLLIN}, {.fd = children, .events = POLLIN}};
    sm_buf_init(&payload, 64);
    sm_status s = children < 0 ? SM_IO : say_hello_forkserver();
    while (s == SM_OK) {
        struct signalfd_siginfo info;
        if (upgrader_poll(wait, limits) < 0) {
            if (errno != EINTR)
                s = SM_IO;
            continue;
        }
        if (wait[1].revents) {
            while (read(children, &info, sizeof info) > 0)
                ;
            s = reap();
        }
        if (s == SM_OK && wait[0].revents)
            s = handle_command(limits, &payload);
    }
    sm_buf_free(&payload);
    return s == SM_CLOSED ? 0 : 1;
}
