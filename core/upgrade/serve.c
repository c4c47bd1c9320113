/* serve.c - smd-upgrade as a fork server: workers' sockets come over the control socket; a request on one of them is
 * answered by a child of its own, in the worker's sandbox. A child that dies costs only its request.
 *
 * It ends with the fork server.
 */
#include "upgrade.h"

#include "frame.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLIENTS_MAX 1024
#define INPUT_MAX   ((size_t)1 << 31)
#define LOG_SIZE    65536

enum { EXIT_ANSWERED = 0, EXIT_UNANSWERED = 1, EXIT_NO_SANDBOX = 71 };

/* A worker, and the child that answers it. */
struct client {
    int socket;
    pid_t child; /* 0: none runs */
    int log;     /* of the child: its stderr; -1 for none */
};

struct server {
    const struct limits *limits;
    int control; /* -1 once it has closed */
    int children;
    struct client client[CLIENTS_MAX];
    size_t clients;
};

/* ---- The child ---------------------------------------------------------------------------------------------- */

/* Answers a request, whose payload is a name and then the IR, with bitcode or an error. */
static sm_status answer(int socket, sm_buf *request) {
    struct upgraded u;
    sm_buf head;
    size_t name_len;
    sm_cursor c = sm_cursor_of(request->data, request->len);
    const char *given = sm_get_str(&c, &name_len);
    size_t len = sm_cursor_left(&c);
    const char *ir = (const char *)sm_get_bytes(&c, len);
    if (c.status != SM_OK)
        return c.status;
    char *name = strndup(given, name_len);
    if (!name)
        return SM_NOMEM;
    sm_buf_init(&head, 4096);
    sm_status s = upgrade_read(name, ir, len, &u);
    sm_buf_put_u32(&head, (uint32_t)u.status);
    sm_buf_put_u32(&head, (uint32_t)u.line);
    sm_buf_put_u32(&head, (uint32_t)u.column);
    sm_buf_put_str(&head, u.message, strlen(u.message));
    if (s == SM_OK)
        s = head.status;
    if (s == SM_OK)
        s = sm_frame_write(socket, SM_FRAME_UPGRADED, head.data, head.len, u.bitcode.data, u.bitcode.len);
    upgraded_free(&u);
    sm_buf_free(&head);
    free(name);
    return s;
}

/* Makes this child answer one request: in the sandbox, with the worker's socket as stdin and the log as stderr.
 * Exits with whether it answered. */
static _Noreturn void become_child(pid_t server, int socket, int log, const struct limits *limits) {
    sm_buf request;
    uint16_t type;
    sigset_t none;
    sigemptyset(&none);
    sandbox_end_with(server);
    if (log >= 0)
        dup2(log, STDERR_FILENO);
    dup2(socket, STDIN_FILENO);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (limits->sandbox && sandbox_enter(limits, NULL, 0) != SM_OK)
        _exit(EXIT_NO_SANDBOX);
    sandbox_begin_job(limits);
    sm_buf_init(&request, INPUT_MAX);
    sm_status s = sm_frame_read(STDIN_FILENO, &type, &request);
    if (s == SM_OK && type == SM_FRAME_UPGRADE)
        s = answer(STDIN_FILENO, &request);
    _exit(s == SM_OK ? EXIT_ANSWERED : EXIT_UNANSWERED);
}

/* ---- The server --------------------------------------------------------------------------------------------- */

/* Forgets worker I: kills its child and closes its descriptors. The last client takes its place in the list. */
static void drop_client(struct server *s, size_t i) {
    struct client *c = &s->client[i];
    if (c->child)
        kill(c->child, SIGKILL);
    close(c->socket);
    if (c->log >= 0)
        close(c->log);
    *c = s->client[--s->clients];
}

/* Writes into OUT why a child gave no answer: how it ended, and its own last words if there are any. */
static void explain(const struct client *c, int wait_status, char *out, size_t size) {
    char log[1024] = "";
    ssize_t n = c->log >= 0 ? pread(c->log, log, sizeof log - 1, 0) : 0;
    log[n > 0 ? n : 0] = 0;
    const char *words = strstr(log, "LLVM ERROR:");
    words = words ? words : log;
    int sig = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    const char *name = sig ? sigabbrev_np(sig) : NULL;
    if (sig)
        snprintf(out, size, "The process that reads old IR ended by SIG%s", name ? name : "?");
    else
        snprintf(out, size, "The process that reads old IR ended with status %d", WEXITSTATUS(wait_status));
    if (*words)
        snprintf(out + strlen(out), size - strlen(out), ": %.*s", (int)strcspn(words, "\n"), words);
}

/* The status for a child that gave no answer. LLVM aborts with words where an input is wrong in a way that its
 * readers do not report, such as a data layout: that is a parse error. */
static sm_status meaning(int wait_status, const char *why) {
    int sig = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    if (sig == SIGXCPU)
        return SM_CPU_LIMIT;
    if (strstr(why, "out of memory"))
        return SM_OUT_OF_MEMORY;
    return sig == SIGABRT && strstr(why, "LLVM ERROR:") ? SM_PARSE_ERROR : SM_COMPILER_CRASHED;
}

/* Sends the worker an answer that says why its child gave none. */
static void report_end(const struct client *c, int wait_status) {
    char why[1500];
    sm_buf head;
    sm_buf_init(&head, 4096);
    explain(c, wait_status, why, sizeof why);
    sm_buf_put_u32(&head, (uint32_t)meaning(wait_status, why));
    sm_buf_put_u32(&head, 0);
    sm_buf_put_u32(&head, 0);
    sm_buf_put_str(&head, why, strlen(why));
    sm_frame_write(c->socket, SM_FRAME_UPGRADED, head.data, head.len, NULL, 0);
    sm_buf_free(&head);
}

/* Notes the children that have ended, and answers for those that did not. */
static void reap(struct server *s) {
    struct signalfd_siginfo info;
    int status;
    pid_t pid;
    while (read(s->children, &info, sizeof info) > 0)
        ;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
        if (WIFSTOPPED(status)) { /* it would not answer */
            kill(pid, SIGKILL);
            continue;
        }
        for (size_t i = 0; i < s->clients; i++) {
            struct client *c = &s->client[i];
            if (c->child != pid)
                continue;
            if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
                shutdown(c->socket, SHUT_RDWR); /* by others: the worker leaves its job to another one */
            else if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_ANSWERED)
                report_end(c, status);
            c->child = 0;
            if (c->log >= 0)
                close(c->log);
            c->log = -1;
        }
    }
}

/* Forks a child that answers the worker's request, with a bounded log; drops the worker if it cannot. */
static void start_child(struct server *s, struct client *c) {
    c->log = memfd_create("smd-upgrade-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (c->log >= 0 && (ftruncate(c->log, LOG_SIZE) != 0 ||
                        fcntl(c->log, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)) {
        close(c->log);
        c->log = -1;
    }
    pid_t self = getpid();
    c->child = fork();
    if (c->child == 0)
        become_child(self, c->socket, c->log, s->limits);
    if (c->child < 0) {
        c->child = 0;
        drop_client(s, (size_t)(c - s->client));
    }
}

/* Takes a worker's socket, which an ATTACH message brings; closes the control socket when that has ended. */
static void take_client(struct server *s) {
    unsigned char frame[SM_FRAME_HEADER];
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {frame, sizeof frame};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(s->control, &msg, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR)
        return;
    struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
    if (n <= 0) {
        close(s->control);
        s->control = -1;
    } else if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
        int fd;
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
        if (s->clients < CLIENTS_MAX)
            s->client[s->clients++] = (struct client){.socket = fd, .log = -1};
        else
            close(fd);
    }
}

/* Starts a child for a request on worker I's socket, or drops the worker if it has closed, also while a child
 * runs. */
static void serve_socket(struct server *s, size_t i, short events) {
    if (!events)
        return;
    if (events & (POLLHUP | POLLERR | POLLNVAL))
        drop_client(s, i);
    else if (!s->client[i].child)
        start_child(s, &s->client[i]);
}

/* Waits for workers, children and new workers, and serves what has come. SM_IO if waiting fails. */
static sm_status turn(struct server *s) {
    static struct pollfd wait[CLIENTS_MAX + 2];
    size_t clients = s->clients;
    wait[0] = (struct pollfd){.fd = s->control, .events = POLLIN};
    wait[1] = (struct pollfd){.fd = s->children, .events = POLLIN};
    for (size_t i = 0; i < clients; i++)
        wait[i + 2] = (struct pollfd){.fd = s->client[i].socket, .events = s->client[i].child ? 0 : POLLIN};
    if (poll(wait, clients + 2, -1) < 0)
        return errno == EINTR ? SM_OK : SM_IO;
    for (size_t i = clients; i-- > 0;) /* downwards: a client that goes gives its place to the last */
        serve_socket(s, i, wait[i + 2].revents);
    if (wait[1].revents)
        reap(s);
    if (wait[0].revents)
        take_client(s);
    return SM_OK;
}

/* Serves until the control socket has closed. The exit status. */
int upgrade_serve(int control, const struct limits *limits) {
    static struct server s;
    static const char warm[] = "define i8 addrspace(1)* @f(i8 addrspace(1)* %p) {\n  ret i8 addrspace(1)* %p\n}\n";
    struct upgraded u;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGXFSZ, SIG_IGN);
    s.limits = limits;
    s.control = control;
    s.children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    upgrade_read("warm", warm, sizeof warm - 1, &u); /* what LLVM sets up lazily is there before the first fork */
    upgraded_free(&u);
    sm_status status = s.children < 0 ? SM_IO : SM_OK;
    while (status == SM_OK && s.control >= 0)
        status = turn(&s);
    return status == SM_OK ? 0 : 1;
}
