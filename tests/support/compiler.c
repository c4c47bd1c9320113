/* compiler.c - see compiler.h. It speaks to the fork server and its worker as smd does (proto/wire/frame.h). */
#include "compiler.h"

#include "artifact.h"
#include "check.h"
#include "frame.h"
#include "options.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONTROL = 3, ANSWER_MAX = 1 << 30 };

static int worker = -1, said = -1; /* its socket, and what it writes to stderr */
static pid_t worker_pid;

/* The child's side: of this test it has the control socket alone. The sandbox is off, as in a compile by hand. */
static void become_forkserver(int control) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(control, CONTROL);
    fcntl(CONTROL, F_SETFD, 0);
    close_range(CONTROL + 1, ~0u, 0);
    execl(BIN_DIR "/smd-worker", BIN_DIR "/smd-worker", "--fork-server", "--threads=4", "--sandbox=off",
          (char *)NULL);
    _exit(127);
}

static void expect_frame(int socket, uint16_t wanted, sm_buf *payload, const char *words) {
    uint16_t type = 0;
    sm_status s = sm_frame_read(socket, &type, payload);
    char why[2000] = "";
    off_t all = s != SM_OK && said >= 0 ? lseek(said, 0, SEEK_END) : 0, room = sizeof why - 1;
    if (all > 0 && pread(said, why, sizeof why - 1, all > room ? all - room : 0) < 0) /* what it wrote last */
        why[0] = 0;
    check(s == SM_OK, "the compiler died of: %s\n%s", words, why);
    check(type == wanted, "a frame of type %d came for %s", type, words);
}

/* A new worker's pid; its socket, its pidfd and its log. */
static pid_t receive_worker(int control, int fds[3]) {
    unsigned char frame[SM_FRAME_HEADER + 4];
    union {
        char space[CMSG_SPACE(3 * sizeof(int))];
        struct cmsghdr align;
    } room;
    struct iovec iov = {frame, sizeof frame};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
    check(recvmsg(control, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL) == (ssize_t)sizeof frame, "there is no worker");
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    check(c && c->cmsg_len == CMSG_LEN(3 * sizeof(int)), "there is no worker");
    memcpy(fds, CMSG_DATA(c), 3 * sizeof(int));
    return (pid_t)sm_load_le(frame + SM_FRAME_HEADER, 4);
}

/* Both end when this process does, which closes their sockets. */
static void start(void) {
    int pair[2], fds[3];
    sm_buf hello;
    sm_buf_init(&hello, 1 << 20);
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "there is no socket");
    if (fork() == 0)
        become_forkserver(pair[1]);
    close(pair[1]);
    expect_frame(pair[0], SM_FRAME_HELLO, &hello, "its start");
    check(sm_frame_write(pair[0], SM_FRAME_SPAWN, NULL, 0, NULL, 0) == SM_OK, "the fork server is gone");
    worker_pid = receive_worker(pair[0], fds);
    worker = fds[0];
    close(fds[1]);
    said = fds[2];
    expect_frame(worker, SM_FRAME_HELLO, &hello, "its start");
    sm_buf_free(&hello);
}

struct request {
    sm_options options;
    uint32_t threads;
    char kept[300], keep[300]; /* files; "" for none */
};

/* The text behind NAME in a word that begins with it; NULL in others. */
static const char *behind(const char *word, const char *name) {
    return strncmp(word, name, strlen(name)) == 0 ? word + strlen(name) : NULL;
}

static void read_word(struct request *r, const char *word) {
    const char *value, *equals = strchr(word, '=');
    char name[64];
    sm_option_error err;
    if ((value = behind(word, "--threads=")) != NULL) {
        r->threads = (uint32_t)atoi(value);
    } else if ((value = behind(word, "--kept=")) != NULL) {
        snprintf(r->kept, sizeof r->kept, "%s", value);
    } else if ((value = behind(word, "--keep=")) != NULL) {
        snprintf(r->keep, sizeof r->keep, "%s", value);
    } else {
        check(equals && equals - word < (ptrdiff_t)sizeof name, "'%s' is no option", word);
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        sm_status s = sm_options_set(&r->options, name, equals + 1, strlen(equals + 1), &err);
        check(s == SM_OK, "%s", err.message);
    }
}

static void read_words(struct request *r, const char *words) {
    char *copy = strdup(words), *rest = copy;
    sm_options_init(&r->options);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (word[0])
            read_word(r, word);
    free(copy);
}

static void send_job(const struct request *r, const void *ir, size_t len) {
    sm_buf head, options;
    struct bytes kept = {0};
    if (r->kept[0])
        kept = read_file(r->kept);
    sm_buf_init(&head, 1 << 16);
    sm_buf_init(&options, 1 << 14);
    sm_options_text(&r->options, 0, &options);
    sm_buf_put_u32(&head, SM_JOB_COMPILE);
    sm_buf_put_u32(&head, r->threads);
    sm_buf_put_str(&head, (const char *)options.data, options.len);
    sm_buf_put_str(&head, "", 0); /* profiles */
    sm_buf_put_str(&head, "", 0); /* context */
    sm_buf_put_u64(&head, kept.len);
    sm_buf_put_u64(&head, r->keep[0] ? ANSWER_MAX : 0);
    sm_buf_put_u64(&head, len);
    check(head.status == SM_OK && options.status == SM_OK, "the request is too large");
    struct bytes tail = {malloc(len + kept.len + 1), len + kept.len};
    memcpy(tail.data, ir, len);
    if (kept.len)
        memcpy(tail.data + len, kept.data, kept.len);
    check(sm_frame_write(worker, SM_FRAME_JOB, head.data, head.len, tail.data, tail.len) == SM_OK,
          "the worker is gone");
    bytes_free(tail);
    bytes_free(kept);
    sm_buf_free(&options);
    sm_buf_free(&head);
}

/* Lets the worker go if this was its last answer; the next compile starts another one. */
static void take_timings(const sm_buf *answer) {
    sm_cursor c = sm_cursor_of(answer->data, answer->len);
    sm_timings t;
    check(sm_get_timings(&c, &t) == SM_OK, "the answer is not whole");
    if (!t.last)
        return;
    close(worker);
    close(said);
    worker = said = -1;
}

struct bytes compiler_run(const char *words, const void *ir, size_t len) {
    struct request r = {.threads = 0};
    sm_buf answer;
    read_words(&r, words);
    if (worker < 0)
        start();
    sm_buf_init(&answer, ANSWER_MAX);
    send_job(&r, ir, len);
    expect_frame(worker, SM_FRAME_RESULT, &answer, words);
    take_timings(&answer);
    const unsigned char *artifact = answer.data + SM_TIMINGS_SIZE;
    size_t left = answer.len - SM_TIMINGS_SIZE, whole = (size_t)sm_artifact_length(artifact, left);
    check(answer.len > SM_TIMINGS_SIZE && whole && whole <= left, "the answer is not whole");
    if (r.keep[0])
        write_file(r.keep, artifact + whole, left - whole);
    struct bytes b = {malloc(whole + 1), whole};
    memcpy(b.data, artifact, whole);
    b.data[whole] = 0;
    sm_buf_free(&answer);
    return b;
}

double compiler_seconds(void) {
    struct timespec t = {0};
    clockid_t clock;
    if (worker >= 0)
        check(clock_getcpuclockid(worker_pid, &clock) == 0 && clock_gettime(clock, &t) == 0, "the worker is gone");
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
