/* upgrader.c - a worker's and its fork server's side of smd-upgrade (core/upgrade): start it, give each worker a socket
 * to it, ask it.
 *
 * Where there is no smd-upgrade beside smd-worker there is no socket, and typed input is SM_NO_UPGRADE.
 */
#include "base.h"
#include "input.h"
#include "memory.h"
#include "reading.h"
#include "sandbox.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONTROL     3 /* where smd-upgrade finds its control socket */
#define BITCODE_MAX ((size_t)1 << 31)
#define PROGRAM     "smd-upgrade"

/* The process's own: a fork server has one upgrade server, a worker one socket to it. */
static struct {
    int control; /* the fork server's socket to smd-upgrade; -1 for none */
    pid_t pid;
    int is_there; /* boolean: there is such a program */
    int socket;   /* the worker's; -1 for none */
    int lost;     /* boolean: smd-upgrade does not answer any more */
} upgrader = {.control = -1, .socket = -1};

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
_Noreturn static void become_server(const char *path, int socket, const struct limits *limits) {
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

/* *New*: a socket to smd-upgrade for one worker; -1 if there is no such program. If smd-upgrade has just died, the
 * socket is one that nobody answers: the worker leaves jobs that need it to others. */
int upgrader_socket(const struct limits *limits) {
    int pair[2];
    if (upgrader.control < 0)
        upgrader_start(limits);
    if (!upgrader.is_there || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    if (upgrader.control >= 0)
        attach_upgrader(pair[1]);
    close(pair[1]);
    return pair[0];
}

void upgrader_use(int socket) {
    upgrader.socket = socket;
}

int upgrader_is_lost(void) {
    return upgrader.lost;
}

/* Reads the head of smd-upgrade's answer; what is left in ANSWER is the bitcode. On failure adds its diagnostic;
 * SM_MALFORMED of no answer. */
static sm_status read_answer(struct compile *c, sm_cursor *answer) {
    size_t len;
    uint32_t status = sm_get_u32(answer);
    int line = (int)sm_get_u32(answer), column = (int)sm_get_u32(answer);
    const char *message = sm_get_str(answer, &len);
    if (answer->status != SM_OK || !sm_status_known(status))
        return SM_MALFORMED;
    if (status == SM_OK)
        return SM_OK;
    char text[2048];
    snprintf(text, sizeof text, "%.*s", (int)len, message);
    if (status == SM_PARSE_ERROR)
        parse_error_at(c, text, line, column);
    else
        diag_add(c, "error", NULL, text);
    return (sm_status)status;
}

/* Sends the module to smd-upgrade and receives its ANSWER. */
static sm_status ask_upgrader(struct compile *c, const char *ir, size_t len, sm_buf *answer) {
    sm_buf request;
    uint16_t type = 0;
    sm_buf_init(&request, 4096);
    sm_buf_put_str(&request, c->options->name, strlen(c->options->name));
    xstatus(request.status);
    sm_status s = sm_frame_write(upgrader.socket, SM_FRAME_UPGRADE, request.data, request.len, ir, len);
    if (s == SM_OK)
        s = xstatus(sm_frame_read(upgrader.socket, &type, answer));
    if (s == SM_OK && type != SM_FRAME_UPGRADED)
        s = SM_MALFORMED;
    sm_buf_free(&request);
    return s;
}

/* Makes *BITCODE of text with typed pointers, by smd-upgrade. */
sm_status upgrader_run(struct compile *c, const char *ir, size_t len, LLVMMemoryBufferRef *bitcode) {
    sm_buf answer;
    if (!upgrader.is_there)
        return fail(c, SM_NO_UPGRADE, NULL,
                    "The module has typed pointers (i8*), as LLVM wrote them before release 15. This server was "
                    "built without "
                    "smd-upgrade, which reads them: install the package smd-upgrade, or build with -DSMD_UPGRADE=ON "
                    "(LLVM 14), or write ptr instead");
    sm_buf_init(&answer, BITCODE_MAX);
    sm_status s = ask_upgrader(c, ir, len, &answer);
    if (s == SM_OK) {
        sm_cursor cursor = sm_cursor_of(answer.data, answer.len);
        s = read_answer(c, &cursor);
        if (s == SM_OK) {
            size_t left = sm_cursor_left(&cursor);
            *bitcode = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)sm_get_bytes(&cursor, left), left,
                                                                 c->options->name);
        }
        if (s != SM_MALFORMED) {
            sm_buf_free(&answer);
            return s;
        }
    }
    sm_buf_free(&answer);
    upgrader.lost = 1;
    return fail(c, SM_COMPILER_CRASHED, NULL, "smd-upgrade, which reads typed pointers, does not answer");
}
