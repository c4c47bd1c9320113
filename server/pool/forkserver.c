/* forkserver.c - see forkserver.h. */
#include "forkserver.h"

#include "artifact.h"
#include "clock.h"
#include "frame.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKSERVER_FD    3
#define START_TIMEOUT_MS 30000
#define HELLO_MAX        ((size_t)1 << 20)
#define EVENT_MAX        16u /* SPAWNED, EXITED */
#define ENVIRONMENT_MAX  8

void forkserver_init(struct forkserver *n) {
    memset(n, 0, sizeof *n);
    n->socket = -1;
    sm_buf_init(&n->in, HELLO_MAX);
}

/* Opens /dev/null as standard input and output: workers do not get smd's, which is the log. */
static void leave_input_and_output(void) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
        _exit(127);
}

/* Chooses from smd's environment, which may hold secrets, only what the worker program's libraries need. */
static void choose_environment(char *chosen[ENVIRONMENT_MAX + 1]) {
    static const char path[] = "LD_LIBRARY_PATH=", sanitizers[] = "SAN_OPTIONS=";
    int n = 0;
    for (char **e = environ; *e && n < ENVIRONMENT_MAX; e++) {
        size_t name = strcspn(*e, "=") + 1;
        int is_path = strncmp(*e, path, sizeof path - 1) == 0;
        if (is_path || (name >= sizeof sanitizers &&
                        strncmp(*e + name - (sizeof sanitizers - 1), sanitizers, sizeof sanitizers - 1) == 0))
            chosen[n++] = *e;
    }
    chosen[n] = NULL;
}

/* The child's side of the fork: executes the worker program. Only async-signal-safe calls, as smd may have threads.
 * */
static void become_forkserver(int socket, char *const argv[], char *const environment[]) {
    sigset_t none;
    leave_input_and_output();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (socket == FORKSERVER_FD)
        fcntl(socket, F_SETFD, 0);
    else if (dup2(socket, FORKSERVER_FD) < 0)
        _exit(127);
    close_range(FORKSERVER_FD + 1, ~0u, 0);
    execve(argv[0], argv, environment);
    _exit(127);
}

sm_status forkserver_start(struct forkserver *n, const struct settings *s, struct error *err) {
    char memory[48], cpu[48], sandbox[24], threads[24], plugins[PATH_MAX + 16];
    snprintf(memory, sizeof memory, "--memory-mib=%d", s->worker_memory_mib);
    snprintf(cpu, sizeof cpu, "--cpu-seconds=%d", s->worker_cpu_s);
    snprintf(sandbox, sizeof sandbox, "--sandbox=%s", s->sandbox ? "on" : "off");
    snprintf(threads, sizeof threads, "--threads=%d", s->workers);
    char *environment[ENVIRONMENT_MAX + 1];
    snprintf(plugins, sizeof plugins, "--gc-plugins=%s", s->gc_plugins);
    char *const argv[] = {
        (char *)s->worker, "--fork-server", memory, cpu, threads, sandbox, s->gc_plugins[0] ? plugins : NULL, NULL};
    int pair[2];
    if (access(s->worker, X_OK) != 0)
        return error_set(err, SM_IO, "the worker program %s: %s", s->worker, strerror(errno));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return error_set(err, SM_IO, "socketpair: %s", strerror(errno));
    choose_environment(environment);
    n->generation++;
    n->pid = fork();
    if (n->pid == 0)
        become_forkserver(pair[1], argv, environment);
    close(pair[1]);
    n->socket = pair[0];
    if (n->pid < 0) {
        n->pid = 0;
        error_set(err, SM_IO, "fork: %s", strerror(errno));
        forkserver_stop(n);
        return SM_IO;
    }
    return SM_OK;
}

sm_status forkserver_spawn(struct forkserver *n) {
    return n->socket < 0 ? SM_CLOSED : sm_frame_write(n->socket, SM_FRAME_SPAWN, NULL, 0, NULL, 0);
}

/* Closes descriptors that were received and belong to nothing yet. */
static void close_received(struct forkserver *n) {
    for (size_t i = 0; i < n->fd_count; i++)
        close(n->fds[i]);
    n->fd_count = 0;
}

/* Keeps up to three descriptors of a message; any more are closed. */
static void keep_fds(struct forkserver *n, struct msghdr *msg) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (n->fd_count < 3)
                n->fds[n->fd_count++] = fd;
            else
                close(fd);
        }
    }
}

/* Receives what has come; at most one message, so that its descriptors are those of one event. SM_CLOSED at the end.
 * */
static sm_status receive(struct forkserver *n) {
    unsigned char bytes[256];
    union {
        char space[CMSG_SPACE(8 * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {bytes, sizeof bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(n->socket, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? SM_OK : SM_IO;
    if (got == 0)
        return SM_CLOSED;
    keep_fds(n, &msg);
    return sm_buf_put(&n->in, bytes, (size_t)got);
}

/* Reads HELLO: versions and the text about the compiler. 0 if they do not fit smd's. */
static int read_hello(struct forkserver *n, sm_cursor *c) {
    uint32_t protocol = sm_get_u32(c), artifact = sm_get_u32(c);
    size_t len;
    const char *about = sm_get_str(c, &len);
    if (c->status != SM_OK || protocol != SM_PROTOCOL_VERSION || artifact != SM_ARTIFACT_VERSION)
        return 0;
    if (!n->about) /* a later fork server is of the same program; readers hold the first one's text */
        n->about = strndup(about, len);
    n->ready = n->about != NULL;
    return n->ready;
}

/* Reads SPAWNED, with the three descriptors that were received. 0 if it is malformed. */
static int read_spawned(struct forkserver *n, sm_cursor *c, struct forkserver_event *e) {
    e->pid = (pid_t)sm_get_u32(c);
    if (c->status != SM_OK || n->fd_count != 3)
        return 0;
    e->socket = n->fds[0];
    e->pidfd = n->fds[1];
    e->log = n->fds[2];
    n->fd_count = 0;
    return 1;
}

/* Reads EXITED. 0 if it is malformed. */
static int read_exited(sm_cursor *c, struct forkserver_event *e) {
    e->pid = (pid_t)sm_get_u32(c);
    e->wait_status = (int)sm_get_u32(c);
    e->cpu_ns = sm_get_u64(c);
    return c->status == SM_OK;
}

/* Takes one whole frame off what was received; FORKSERVER_NOTHING if there is none yet, FORKSERVER_GONE if it is
 * malformed. */
static struct forkserver_event next_event(struct forkserver *n) {
    struct forkserver_event e = {.kind = FORKSERVER_NOTHING};
    sm_frame frame;
    if (n->in.len < SM_FRAME_HEADER)
        return e;
    if (sm_frame_decode(n->in.data, n->ready ? EVENT_MAX : HELLO_MAX - SM_FRAME_HEADER, &frame) != SM_OK)
        return (struct forkserver_event){.kind = FORKSERVER_GONE};
    size_t whole = SM_FRAME_HEADER + (size_t)frame.length;
    if (n->in.len < whole)
        return e;
    sm_cursor c = sm_cursor_of(n->in.data + SM_FRAME_HEADER, (size_t)frame.length);
    if (!n->ready && frame.type == SM_FRAME_HELLO && read_hello(n, &c))
        e.kind = FORKSERVER_READY;
    else if (n->ready && frame.type == SM_FRAME_SPAWNED && read_spawned(n, &c, &e))
        e.kind = FORKSERVER_SPAWNED;
    else if (n->ready && frame.type == SM_FRAME_EXITED && read_exited(&c, &e))
        e.kind = FORKSERVER_EXITED;
    else
        e.kind = FORKSERVER_GONE;
    memmove(n->in.data, n->in.data + whole, n->in.len - whole);
    n->in.len -= whole;
    return e;
}

struct forkserver_event forkserver_next(struct forkserver *n) {
    struct forkserver_event e = next_event(n);
    if (e.kind != FORKSERVER_NOTHING)
        return e;
    size_t before = n->in.len;
    if (n->socket < 0 || receive(n) != SM_OK)
        return (struct forkserver_event){.kind = FORKSERVER_GONE};
    return n->in.len > before ? next_event(n) : e;
}

sm_status forkserver_await(struct forkserver *n, struct error *err) {
    enum { LOOK_MS = 100 };
    struct pollfd p = {.fd = n->socket, .events = POLLIN};
    struct forkserver_event e = {.kind = FORKSERVER_NOTHING};
    uint64_t until = sm_clock_ns() + (uint64_t)START_TIMEOUT_MS * 1000000;
    while (e.kind == FORKSERVER_NOTHING && sm_clock_ns() < until && !process_is_stopping()) {
        int ready = poll(&p, 1, LOOK_MS);
        if (ready < 0 && errno != EINTR)
            break;
        if (ready > 0)
            e = forkserver_next(n);
    }
    if (e.kind == FORKSERVER_READY)
        return SM_OK;
    if (process_is_stopping())
        return error_set(err, SM_CANCELLED, "it was stopped before its workers were ready");
    return error_set(err, SM_INCOMPATIBLE, "the worker program did not start, or is of another version than smd");
}

void forkserver_stop(struct forkserver *n) {
    if (n->socket >= 0)
        close(n->socket);
    n->socket = -1;
    n->ready = 0;
    if (n->pid > 0) {
        kill(n->pid, SIGKILL);
        while (waitpid(n->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    n->pid = 0;
    n->generation++; /* nobody is of this one any more */
    close_received(n);
    sm_buf_free(&n->in);
}
