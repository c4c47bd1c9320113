/* worker.c - see worker.h. */
#include "worker.h"

#include "process.h"
#include "profile.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define READ_STEP ((size_t)64 << 10)
#define HELLO_MAX 64u

struct worker *worker_new(pid_t pid, unsigned forkserver, int socket, int pidfd, int log, size_t max_output,
                          struct budget *budget) {
    struct worker *w = calloc(1, sizeof *w);
    if (!w) {
        close(socket);
        close(pidfd);
        close(log);
        return NULL;
    }
    w->pid = pid;
    w->forkserver = forkserver;
    w->socket = socket;
    w->pidfd = pidfd;
    w->log = log;
    w->budget = budget;
    sm_buf_init(&w->head, 16384);
    sm_buf_init(&w->payload, max_output);
    return w;
}

void worker_free(struct worker *w) {
    if (w->socket >= 0)
        close(w->socket);
    close(w->pidfd);
    close(w->log);
    sm_buf_free(&w->head);
    sm_buf_free(&w->payload);
    budget_give(&w->charge, 0);
    free(w);
}

/* Appends the profiles' text with its length, and a mark before it if a profile of the request's own comes first. */
static void put_profiles(sm_buf *head, const struct profiles *p) {
    size_t own = p && p->has_own ? sizeof SM_PROFILE_OWN - 1 : 0;
    sm_buf_put_u32(head, (uint32_t)(own + (p ? p->len : 0)));
    sm_buf_put(head, SM_PROFILE_OWN, own);
    sm_buf_put(head, p ? p->text : "", p ? p->len : 0);
}

/* The earlier artifact's parts that the worker may take over; empty if there are none. */
static sm_slice kept_of(const struct job *job) {
    return job->earlier ? job->earlier->kept : (sm_slice){NULL, 0};
}

/* The length of the whole job frame. */
static size_t length_of(const struct worker *w, const struct job *job) {
    return w->head.len + job->input_len + kept_of(job).len;
}

/* What is left of LEN bytes when SENT are out. */
static struct iovec rest_of(const void *bytes, size_t len, size_t sent) {
    size_t out = sent < len ? sent : len;
    return (struct iovec){len ? (unsigned char *)bytes + out : NULL, len - out};
}

sm_status worker_begin(struct worker *w, struct job *job, int threads, uint64_t now_ns) {
    sm_buf options;
    sm_buf_init(&options, 8192);
    sm_options_text(&job->options, 0, &options);
    sm_buf_clear(&w->head);
    unsigned char *header = sm_buf_extend(&w->head, SM_FRAME_HEADER);
    sm_buf_put_u32(&w->head, (uint32_t)job->kind);
    sm_buf_put_u32(&w->head, (uint32_t)threads);
    sm_buf_put_str(&w->head, (const char *)options.data, options.len);
    put_profiles(&w->head, job->profiles);
    sm_buf_put_str(&w->head, job->context, strlen(job->context));
    sm_buf_put_u64(&w->head, kept_of(job).len);
    sm_buf_put_u64(&w->head, job->keep ? w->payload.max - SM_TIMINGS_SIZE : 0);
    sm_buf_put_u64(&w->head, job->input_len);
    sm_status s = options.status != SM_OK ? options.status : w->head.status;
    sm_buf_free(&options);
    if (s != SM_OK || !header)
        return s;
    sm_frame_encode(w->head.data, SM_FRAME_JOB, length_of(w, job) - SM_FRAME_HEADER);
    w->job = job;
    w->sent = 0;
    w->jobs++;
    w->state = WORKER_BUSY;
    w->since_ns = now_ns;
    return SM_OK;
}

int worker_send(struct worker *w) {
    const struct job *job = w->job;
    sm_slice kept = kept_of(job);
    size_t total = length_of(w, job);
    while (w->sent < total) {
        size_t in_input = w->sent > w->head.len ? w->sent - w->head.len : 0;
        size_t in_kept = in_input > job->input_len ? in_input - job->input_len : 0;
        struct iovec parts[3] = {rest_of(w->head.data, w->head.len, w->sent),
                                 rest_of(job->input, job->input_len, in_input),
                                 rest_of(kept.data, kept.len, in_kept)};
        struct msghdr msg = {.msg_iov = parts, .msg_iovlen = 3};
        ssize_t n = sendmsg(w->socket, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno != EAGAIN && errno != ENOMEM && errno != ENOBUFS;
        w->sent += (size_t)n;
    }
    return 1;
}

/* Reads at most SIZE bytes; -1 if there are none now, 0 at the end or after an error. */
static ssize_t read_some(struct worker *w, void *to, size_t size) {
    ssize_t n;
    do
        n = recv(w->socket, to, size, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return errno == EAGAIN ? -1 : 0;
    return n;
}

/* 1 if the worker may send such a frame now. Asked of the header, so that nothing else is ever received. */
static int is_due(const struct worker *w, uint16_t type, uint64_t length) {
    if (w->state == WORKER_STARTING)
        return type == SM_FRAME_HELLO && length <= HELLO_MAX;
    return w->state == WORKER_BUSY && type == SM_FRAME_RESULT && w->sent == length_of(w, w->job);
}

/* What a whole frame that was due means: a result, or a HELLO, whose version is checked. */
static enum worker_progress progress_of_frame(struct worker *w) {
    if (w->state == WORKER_BUSY)
        return WORKER_HAS_RESULT;
    sm_cursor c = sm_cursor_of(w->payload.data, w->payload.len);
    if (sm_get_u32(&c) == SM_PROTOCOL_VERSION && c.status == SM_OK)
        return WORKER_SAYS_HELLO;
    worker_kill(w, KILL_PROTOCOL);
    return WORKER_BROKE;
}

/* Takes the result that is announced from the budget, for the client that sent the job. */
static sm_status take_room(struct worker *w) {
    if (w->state != WORKER_BUSY || !w->budget)
        return SM_OK;
    w->refused = budget_take(w->budget, &w->charge, HELD_RESULT, w->job->item.client, (size_t)w->frame.length);
    return w->refused;
}

/* Receives a frame's header and checks that it is due, not too large, and has room; otherwise the worker is killed. */
static enum worker_progress receive_header(struct worker *w) {
    ssize_t n = read_some(w, w->header + w->got, sizeof w->header - w->got);
    if (n <= 0)
        return n < 0 ? WORKER_WAITS : WORKER_BROKE;
    w->got += (size_t)n;
    if (w->got < sizeof w->header)
        return WORKER_WAITS;
    sm_buf_clear(&w->payload);
    int due = sm_frame_decode(w->header, UINT64_MAX, &w->frame) == SM_OK && is_due(w, w->frame.type, w->frame.length);
    int fits = due && w->frame.length <= w->payload.max;
    if (fits && take_room(w) == SM_OK)
        return WORKER_WAITS;
    worker_kill(w, fits ? KILL_NO_ROOM : due ? KILL_OUTPUT : KILL_PROTOCOL);
    return WORKER_BROKE;
}

enum worker_progress worker_receive(struct worker *w) {
    for (;;) {
        if (w->got < sizeof w->header) {
            size_t before = w->got;
            enum worker_progress p = receive_header(w);
            if (p != WORKER_WAITS || w->got == before)
                return p;
            if (w->got < sizeof w->header)
                continue;
        }
        /* The payload's memory grows with what truly comes, not with what the header promised. */
        size_t left = (size_t)w->frame.length - w->payload.len, step = left < READ_STEP ? left : READ_STEP;
        if (left == 0) {
            w->got = 0;
            return progress_of_frame(w);
        }
        unsigned char *to = sm_buf_extend(&w->payload, step);
        if (!to)
            return WORKER_BROKE;
        ssize_t n = read_some(w, to, step);
        w->payload.len -= step - (n > 0 ? (size_t)n : 0);
        if (n <= 0)
            return n < 0 ? WORKER_WAITS : WORKER_BROKE;
    }
}

/* 1 if a worker may give this status; all others are of requests, the queue, or the daemon's state. */
static int is_of_a_compile(sm_status s) {
    static const sm_status may_be[] = {
        SM_OK,
        SM_INVALID_OPTION,
        SM_INVALID_PROFILE,
        SM_UNKNOWN_TARGET,
        SM_PARSE_ERROR,
        SM_INVALID_MODULE,
        SM_UNSUPPORTED_GC,
        SM_MISSING_POLL,
        SM_POLL_CONFLICT,
        SM_BARRIER_CONFLICT,
        SM_TRANSITION_CONFLICT,
        SM_SAFEPOINT_VIOLATION,
        SM_CANNOT_REWRITE,
        SM_CODEGEN_FAILED,
        SM_INVALID_GCROOT,
        SM_GC_MISMATCH,
        SM_INVALID_OBJECT,
        SM_INVALID_STACKMAP,
        SM_OUTPUT_TOO_LARGE,
        SM_NO_UPGRADE,
        SM_COMPILER_CRASHED, /* of smd-upgrade's process, as is the next */
        SM_CPU_LIMIT,
        SM_INTERNAL,
        SM_NOMEM,
        SM_TRUNCATED,
        SM_MALFORMED,
        SM_TOO_LARGE,
    };
    for (size_t i = 0; i < sizeof may_be / sizeof *may_be; i++)
        if (s == may_be[i])
            return 1;
    return 0;
}

/* 1 if the parts that go into answers as they are have the size that a compiler gives them. The object and the texts
 * are bounded by the frame alone. */
static int is_of_due_size(const sm_artifact *a) {
    return a->part[SM_PART_META].len <= SM_META_MAX && a->part[SM_PART_DIAGNOSTICS].len <= SM_DIAGNOSTICS_MAX &&
           a->part[SM_PART_DETAIL].len <= SM_DETAIL_MAX && a->part[SM_PART_OPTION].len <= SM_OPTION_NAME_MAX;
}

struct result *worker_result(struct worker *w, sm_status *status) {
    sm_cursor c = sm_cursor_of(w->payload.data, w->payload.len);
    sm_timings timings;
    struct result *r = NULL;
    *status = sm_get_timings(&c, &timings);
    if (*status == SM_OK) {
        size_t len, offset = c.pos;
        unsigned char *memory = sm_buf_take(&w->payload, &len), *fitting = realloc(memory, len ? len : 1);
        r = result_of_artifact(fitting ? fitting : memory, len, offset, &w->charge, status);
    }
    if (r && (!is_of_a_compile(r->status) || !is_of_due_size(&r->artifact))) {
        result_unref(r);
        r = NULL;
        *status = SM_MALFORMED;
    }
    if (r)
        r->timings = timings;
    sm_buf_free(&w->payload);
    budget_give(&w->charge, 0);
    w->job = NULL;
    w->state = WORKER_IDLE;
    return r;
}

int worker_alive(const struct worker *w) {
    struct pollfd p = {.fd = w->pidfd, .events = POLLIN};
    return poll(&p, 1, 0) == 0;
}

void worker_kill(struct worker *w, enum worker_kill why) {
    if (w->killed == KILL_NONE)
        w->killed = why;
    if (!w->shot && w->job && w->job->threads > 1)
        w->job->cpu_ended_ns = process_cpu_ns(w->pid);
    w->shot = 1;
    syscall(SYS_pidfd_send_signal, w->pidfd, SIGKILL, NULL, 0);
}

int worker_stage(int log) {
    unsigned char stage = 0;
    if (pread(log, &stage, 1, SM_LOG_SIZE - 1) != 1 || stage > SM_STAGES)
        return -1;
    return stage - 1;
}

void worker_log_tail(const struct worker *w, char *text, size_t size) {
    off_t end =
        lseek(w->log, 0, SEEK_CUR); /* the position is shared with the worker, which writes from 0 for each job */
    off_t from = end > (off_t)size - 1 ? end - ((off_t)size - 1) : 0;
    ssize_t n = end > 0 ? pread(w->log, text, size - 1, from) : 0;
    size_t len = n > 0 ? (size_t)n : 0;
    if ((off_t)len > end - from)
        len = end > from ? (size_t)(end - from) : 0;
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\n' && text[i] != '\t') || (unsigned char)text[i] >= 0x7f)
            text[i] = '?';
    text[len] = 0;
}
