/* jobs.c - see jobs.h. */
#include "jobs.h"

#include "answer.h"
#include "compile.h"
#include "context.h"
#include "durable.h"
#include "stored.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_MAX_S = 60 };

/* Fills the reply with the job's id and state. */
static void reply_state(struct request *r, int http, const char *id, const char *state) {
    sm_buf_printf(&r->reply.text, "{\"id\":\"%.32s\",\"state\":\"%s\"}\n", id, state);
    r->reply.http = http;
    reply_text(&r->reply, "application/json");
}

/* Fills the reply with a problem: there is no such job. */
static void reply_unknown(struct request *r) {
    problem_reply(r, SM_JOB_NOT_FOUND, "There is no job of this id, or it has been forgotten", (sm_slice){0}, NULL);
}

/* Submits the request's job as a stored one, and answers the request at once. */
static sm_status submit_and_store(struct request *r) {
    sm_status why;
    struct stored *s = jobs_reserve(r->smd->jobs, r->client, r->job, &why);
    if (!s) {
        problem_reply(r, why,
                      why == SM_OVERLOADED          ? "The server keeps as many jobs as it may"
                      : why == SM_TOO_MANY_REQUESTS ? "This client has as many jobs waiting as it may"
                                                    : NULL,
                      (sm_slice){0}, NULL);
        return why;
    }
    reply_state(r, 202, jobs_id(s), "waiting");
    reply_header(&r->reply, "Location", "/v1/jobs/%s", jobs_id(s));
    struct job *job = r->job;
    r->job = NULL; /* taken by dispatch */
    jobs_trace(s, r);
    sm_status status = jobs_start(s, r->client, job);
    if (status == SM_OK) {
        request_ready(r);
        return SM_OK;
    }
    r->reply.headers = 0;
    problem_reply(r, status, NULL, (sm_slice){0}, NULL);
    return status;
}

/* finish() of POST /v1/jobs: submits a stored job. */
int jobs_post(struct request *r) {
    return compile_submit(r, r->smd->durable ? durable_submit : submit_and_store);
}

/* answer() of POST /v1/jobs: adds the key to the reply, which is filled. */
void jobs_post_answer(struct request *r) {
    const struct compile *c = r->state;
    if (r->reply.http == 202)
        startups_note(r->smd->startups, request_space(r), c->startup, r->key_text);
    if (r->key_text[0])
        reply_header(&r->reply, "X-Smd-Key", "%s", r->key_text);
}

/* request_query's callback: reads the option 'wait'; refuses all others. */
static int on_wait(void *arg, const char *name, const char *value, size_t len) {
    struct poll *p = arg;
    char *end;
    long wait = value && len ? strtol(value, &end, 10) : -1;
    if (strcmp(name, "wait") != 0) {
        problem_reply(p->request, SM_UNKNOWN_OPTION, "This route takes the option 'wait' alone", (sm_slice){0}, name);
        return (int)SM_UNKNOWN_OPTION;
    }
    if (wait < 0 || *end || wait > WAIT_MAX_S) {
        problem_reply(p->request, SM_INVALID_OPTION, "'wait' takes seconds, an integer from 0 to 60", (sm_slice){0},
                      "wait");
        return (int)SM_INVALID_OPTION;
    }
    p->wait_s = (int)wait;
    return 0;
}

/* begin() of GET /v1/jobs/ID: reads the option 'wait' and the Accept header. */
sm_status jobs_get_begin(struct request *r) {
    struct poll *p = calloc(1, sizeof *p);
    r->state = p;
    if (!p) {
        problem_reply(r, SM_NOMEM, NULL, (sm_slice){0}, NULL);
        return SM_NOMEM;
    }
    p->request = r;
    snprintf(p->id, sizeof p->id, "%s", r->path + strlen("/v1/jobs/"));
    p->answer = answer_choose(r, answer_types);
    sm_status s = (sm_status)request_query(r, on_wait, p);
    if (s != SM_OK || p->answer >= 0)
        return s;
    problem_reply(r, SM_NOT_ACCEPTABLE, "The answer can be what POST /v1/compile gives", (sm_slice){0}, NULL);
    return SM_NOT_ACCEPTABLE;
}

/* 1 if the job that this server does not have may be in the queue that servers share. */
static int may_be_queued(const struct request *r, const char *id) {
    return r->smd->durable && job_id_is(id);
}

/* finish() of GET /v1/jobs/ID: answers at once, or waits for the job. */
int jobs_get(struct request *r) {
    struct poll *p = r->state;
    enum job_state state = jobs_look(r->smd->jobs, p);
    if (state == JOB_UNKNOWN && may_be_queued(r, p->id)) {
        durable_look(r, p);
        return 0;
    }
    if (state == JOB_UNKNOWN)
        reply_unknown(r);
    if (state == JOB_SEEN)
        jobs_get_answer(r);
    return state == JOB_UNKNOWN || state == JOB_SEEN;
}

/* answer() of GET /v1/jobs/ID: the job's result, or that it still waits. */
void jobs_get_answer(struct request *r) {
    struct poll *p = r->state;
    if (r->reply.parts) /* it was refused, and the reply says why */
        return;
    if (!p->result) {
        reply_state(r, 202, p->id, "waiting");
        return;
    }
    answer_kept(r, p->result, p->answer);
    jobs_charge(r->smd->jobs, p->id);
    reply_header(&r->reply, "X-Smd-Key", "%s", r->key_text);
    compile_vouch(r, p->result);
}

void jobs_get_drop(struct request *r) {
    struct poll *p = r->state;
    if (p)
        result_unref(p->result);
    free(p);
}

int jobs_delete(struct request *r) {
    const char *id = r->path + strlen("/v1/jobs/");
    if (jobs_remove(r->smd->jobs, id)) {
        reply_state(r, 200, id, "deleted");
        return 1;
    }
    if (may_be_queued(r, id)) {
        durable_remove(r, id);
        return 0;
    }
    reply_unknown(r);
    return 1;
}
