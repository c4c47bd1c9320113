/* serve.c - a worker: enters its sandbox, says HELLO, then turns each JOB into a RESULT until its socket closes. */
#include "base.h"
#include "core.h"
#include "fatal_errors.h"
#include "helpers.h"
#include "input.h"
#include "memory.h"
#include "optimize.h"
#include "process.h"
#include "reuse.h"

#include <unistd.h>

#define INPUT_MAX       ((size_t)1 << 31)
#define EXIT_NO_SANDBOX 71

/* Sends HELLO with the versions of protocol and artifact. */
static sm_status say_hello_worker(int socket) {
    static const unsigned char payload[12] = {SM_PROTOCOL_VERSION, 0, 0, 0, SM_ARTIFACT_VERSION};
    return sm_frame_write(socket, SM_FRAME_HELLO, payload, sizeof payload, NULL, 0);
}

struct job {
    uint32_t kind, threads;
    sm_options options;
    sm_slice profiles, context, kept;
    uint64_t kept_max; /* bytes of kept parts that may go with the artifact, which is counted in */
    const char *input;
    size_t len;
};

/* Reads a JOB frame's payload into *JOB, which points into it. SM_MALFORMED, or an error in the options. */
static sm_status read_job(const sm_buf *payload, struct job *job) {
    sm_cursor c = sm_cursor_of(payload->data, payload->len);
    size_t text_len;
    job->kind = sm_get_u32(&c);
    job->threads = sm_get_u32(&c);
    const char *text = sm_get_str(&c, &text_len);
    job->profiles.data = (const unsigned char *)sm_get_str(&c, &job->profiles.len);
    job->context.data = (const unsigned char *)sm_get_str(&c, &job->context.len);
    uint64_t kept = sm_get_u64(&c);
    job->kept_max = sm_get_u64(&c);
    uint64_t len = sm_get_u64(&c), left = sm_cursor_left(&c);
    if (c.status != SM_OK || len > left || kept != left - len ||
        (job->kind != SM_JOB_COMPILE && job->kind != SM_JOB_STACKMAP))
        return SM_MALFORMED;
    job->input = (const char *)sm_get_bytes(&c, (size_t)len);
    job->len = (size_t)len;
    job->kept = (sm_slice){sm_get_bytes(&c, (size_t)kept), (size_t)kept};
    return sm_options_parse(&job->options, text, text_len, NULL);
}

/* Appends the kept parts after the artifact, if there is room: they are for the next compile, and may be
 * absent. */
static sm_status put_kept(const struct job *job, struct reuse *reuse, sm_buf *artifact) {
    return artifact->len < job->kept_max ? reuse_write(reuse, (size_t)(job->kept_max - artifact->len), artifact)
                                         : SM_OK;
}

/* Does the job and sends the RESULT; frees the compile after that, as the answer is on its way. */
static sm_status do_job(int socket, const struct job *job) {
    sm_buf artifact, timings_bytes;
    sm_timings timings = {0};
    struct compile *rest = NULL;
    struct reuse reuse;
    reuse_begin(&reuse, job->context, job->kept);
    helpers_allow(job->threads < HELPERS_MAX ? (int)job->threads : HELPERS_MAX);
    sm_buf_init(&artifact, INPUT_MAX);
    sm_buf_init(&timings_bytes, SM_TIMINGS_SIZE);
    sm_status s = job->kind == SM_JOB_COMPILE ? compile_run(&job->options, job->profiles, job->input, job->len,
                                                            &reuse, &artifact, &timings, &rest)
                                              : stackmap_run(job->input, job->len, &artifact, &timings);
    if (s == SM_OK && timings.parts > 1)
        s = put_kept(job, &reuse, &artifact);
    if (upgrader_is_lost())
        _exit(SM_EXIT_LOST); /* another worker does the job */
    timings.last = fatal_happened() || passes_were_shown();
    if (s == SM_OK)
        s = xstatus(sm_put_timings(&timings_bytes, &timings));
    if (s == SM_OK)
        s = sm_frame_write(socket, SM_FRAME_RESULT, timings_bytes.data, timings_bytes.len, artifact.data,
                           artifact.len);
    compile_free(rest); /* the answer is on its way */
    reuse_end(&reuse);
    sm_buf_free(&artifact);
    sm_buf_free(&timings_bytes);
    return s;
}

/* A worker's life: enters the sandbox, says HELLO, and does jobs until the socket closes, smd-upgrade is lost
 * (SM_EXIT_LOST) or LLVM gave up. The exit status. */
int serve(int socket, const struct limits *limits) {
    sm_buf payload;
    uint16_t type;
    sm_buf_init(&payload, INPUT_MAX);
    capture_share();
    int helpers = (limits->threads < HELPERS_MAX ? limits->threads : HELPERS_MAX) - 1;
    size_t stacks = helpers > 0 ? (size_t)helpers * (HELPER_STACK + HELPER_ROOM) : 0;
    if (limits->sandbox && sandbox_enter(limits, helpers_start, stacks) != SM_OK)
        return EXIT_NO_SANDBOX;
    if (!limits->sandbox) {
        helpers_start(limits->threads);
        sandbox_open_files(0);
    }
    sm_status s = say_hello_worker(socket);
    while (s == SM_OK && !fatal_happened() && !passes_were_shown()) {
        struct job job;
        capture_stage(-1);
        s = xstatus(sm_frame_read(socket, &type, &payload));
        if (s == SM_OK && type != SM_FRAME_JOB)
            s = SM_MALFORMED;
        if (s != SM_OK)
            break;
        capture_reset();
        sandbox_begin_job(limits);
        s = read_job(&payload, &job);
        if (s == SM_OK)
            s = do_job(socket, &job);
        sm_buf_free(&payload);
    }
    sm_buf_free(&payload);
    return s == SM_CLOSED ? 0 : 1;
}
