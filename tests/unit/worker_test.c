/* What smd believes of a worker: frames that are due and short, and the statuses of a compile. */
#include "problem.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The other end of a worker that is no more than a process: the test speaks for it. */
struct ends {
    struct worker *w;
    pid_t pid;
    int peer;
};

static struct ends start_with(size_t max_output) {
    int pair[2];
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    struct worker *w =
        worker_new(pid, 1, pair[0], (int)syscall(SYS_pidfd_open, pid, 0), dup(STDERR_FILENO), max_output, NULL);
    cr_assert(w);
    return (struct ends){w, pid, pair[1]};
}

static struct ends start(void) {
    return start_with((size_t)1 << 20);
}

static void stop(struct ends e) {
    kill(e.pid, SIGKILL);
    waitpid(e.pid, NULL, 0);
    close(e.peer);
    worker_free(e.w);
}

static enum worker_progress say(struct ends e, uint16_t type, const void *payload, size_t len) {
    cr_assert_eq(sm_frame_write(e.peer, type, payload, len, NULL, 0), SM_OK);
    return worker_receive(e.w);
}

/* Only a header comes, which promises LEN bytes. */
static enum worker_progress promise(struct ends e, uint16_t type, uint64_t len) {
    unsigned char header[SM_FRAME_HEADER];
    sm_frame_encode(header, type, len);
    cr_assert_eq(write(e.peer, header, sizeof header), (ssize_t)sizeof header);
    return worker_receive(e.w);
}

static void greet(struct ends e) {
    static const unsigned char hello[12] = {SM_PROTOCOL_VERSION, 0, 0, 0, 1};
    cr_assert_eq(say(e, SM_FRAME_HELLO, hello, sizeof hello), WORKER_SAYS_HELLO);
    e.w->state = WORKER_IDLE;
}

static struct job *give(struct ends e) {
    struct job *job = job_new(SM_JOB_COMPILE);
    greet(e);
    cr_assert_eq(worker_begin(e.w, job, 1, 1), SM_OK);
    cr_assert(worker_send(e.w));
    return job;
}

Test(worker, a_frame_is_judged_by_its_header) {
    const struct {
        uint16_t type;
        uint64_t length;
        enum worker_progress progress;
    } rows[] = {{SM_FRAME_HELLO, 64, WORKER_WAITS},
                {SM_FRAME_HELLO, 65, WORKER_BROKE},
                {SM_FRAME_HELLO, (uint64_t)1 << 20, WORKER_BROKE},
                {SM_FRAME_RESULT, 12, WORKER_BROKE},
                {SM_FRAME_SPAWNED, 4, WORKER_BROKE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ends e = start();
        cr_assert_eq(promise(e, rows[i].type, rows[i].length), rows[i].progress, "row %zu", i);
        cr_assert_eq(e.w->killed, rows[i].progress == WORKER_BROKE ? KILL_PROTOCOL : KILL_NONE, "row %zu", i);
        stop(e);
    }
}

Test(worker, nothing_is_due_of_one_that_idles) {
    struct ends e = start();
    greet(e);
    cr_assert_eq(promise(e, SM_FRAME_RESULT, 100), WORKER_BROKE);
    stop(e);
}

Test(worker, a_result_has_its_bound) {
    struct ends e = start();
    struct job *job = give(e);
    cr_assert_eq(promise(e, SM_FRAME_RESULT, ((uint64_t)1 << 20) + 1), WORKER_BROKE);
    cr_assert_eq(e.w->killed, KILL_OUTPUT);
    stop(e);
    job_free(job);
}

/* Whether a result of this status is taken. */
static int is_taken(sm_status status) {
    struct ends e = start();
    struct job *job = give(e);
    sm_buf frame;
    sm_artifact artifact = {.status = status};
    sm_timings timings = {0};
    sm_buf_init(&frame, 4096);
    sm_put_timings(&frame, &timings);
    cr_assert_eq(sm_artifact_write(&frame, &artifact), SM_OK);
    cr_assert_eq(say(e, SM_FRAME_RESULT, frame.data, frame.len), WORKER_HAS_RESULT);
    sm_status why;
    struct result *r = worker_result(e.w, &why);
    cr_assert_eq(why, r ? SM_OK : SM_MALFORMED);
    int taken = r != NULL;
    result_unref(r);
    sm_buf_free(&frame);
    stop(e);
    job_free(job);
    return taken;
}

/* A worker that was taken over cannot say that the server drains, or that a request is the client's fault. */
Test(worker, only_a_compiles_statuses_are_taken) {
#define X(code, name, wire, http, text)                                                                              \
    {SM_##name, (code) == 0 || (code) == 103 || (code) == 104 || (code) == 117 || ((code) >= 200 && (code) < 300) || \
                    (code) == 300 || (code) == 303 || ((code) >= 500 && (code) <= 504)},
    static const struct {
        sm_status status;
        int taken;
    } rows[] = {SM_STATUS_MAP(X)};
#undef X
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_eq(is_taken(rows[i].status), rows[i].taken, "%s", sm_status_name(rows[i].status));
}

/* ---- JSON that would be much more, were it parsed --------------------------------------------------------------- */

enum { MAX_MIB = 256, MORE_MIB = 64 }; /* parsed, a MiB of such JSON is some eighty */

static long peak_mib(void) {
    char line[200];
    long kib = 0;
    FILE *f = fopen("/proc/self/status", "re");
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %ld kB", &kib) == 1)
            break;
    fclose(f);
    return kib >> 10;
}

struct speech {
    int fd;
    sm_buf frame;
};

static void *speak(void *arg) {
    struct speech *s = arg;
    sm_frame_write(s->fd, SM_FRAME_RESULT, s->frame.data, s->frame.len, NULL, 0);
    return NULL;
}

/* What is made of a result that has so many bytes of diagnostics; *TEXT, *new*, are these. */
static struct result *result_with(size_t len, sm_slice *text, sm_status *why) {
    static const char piece[] = "[[],{},";
    struct ends e = start_with((size_t)MAX_MIB << 20);
    struct job *job = give(e);
    struct speech s = {.fd = e.peer};
    sm_timings timings = {0};
    pthread_t thread;
    unsigned char *bytes = malloc(len);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (unsigned char)piece[i % (sizeof piece - 1)];
    *text = (sm_slice){bytes, len};
    sm_artifact a = {.status = SM_PARSE_ERROR, .part[SM_PART_DIAGNOSTICS] = *text};
    sm_buf_init(&s.frame, (size_t)MAX_MIB << 20);
    sm_put_timings(&s.frame, &timings);
    cr_assert_eq(sm_artifact_write(&s.frame, &a), SM_OK);
    pthread_create(&thread, NULL, speak, &s);
    enum worker_progress p;
    while ((p = worker_receive(e.w)) == WORKER_WAITS)
        poll(&(struct pollfd){.fd = e.w->socket, .events = POLLIN}, 1, -1);
    pthread_join(thread, NULL);
    cr_assert_eq(p, WORKER_HAS_RESULT);
    struct result *r = worker_result(e.w, why);
    sm_buf_free(&s.frame);
    stop(e);
    job_free(job);
    return r;
}

Test(worker, many_diagnostics_are_refused) {
    enum { MIB = 40 };
    sm_slice text;
    sm_status why;
    long before = peak_mib();
    struct result *r = result_with((size_t)MIB << 20, &text, &why);
    cr_assert_null(r);
    cr_assert_eq(why, SM_MALFORMED);
    cr_assert_leq(peak_mib(), before + 16 * MIB + MORE_MIB); /* with what is freed and not given back */
    free((void *)text.data);
}

/* As many as there may be are given to the client as they came. */
Test(worker, diagnostics_are_not_parsed) {
    enum { MIB = 4 };
    sm_slice text;
    sm_status why;
    sm_buf out;
    long before = peak_mib();
    struct result *r = result_with(SM_DIAGNOSTICS_MAX, &text, &why);
    cr_assert(r);
    sm_buf_init(&out, (size_t)MAX_MIB << 20);
    problem_json_of_result(&out, r, "");
    cr_assert(memmem(out.data, out.len, text.data, text.len));
    cr_assert_leq(peak_mib(), before + 8 * MIB + MORE_MIB);
    sm_buf_free(&out);
    result_unref(r);
    free((void *)text.data);
}
