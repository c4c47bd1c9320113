/* durable.c - see durable.h. */
#include "durable.h"

#include "answer.h"
#include "cache.h"
#include "clock.h"
#include "container.h"
#include "context.h"
#include "durable_run.h"
#include "jobqueue.h"
#include "seal.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS UINT64_C(1000000)

enum { SEALING_MOST = 64 << 20 };                /* bytes of what waits to be sealed */
enum { LOOK_LEAST_MS = 20, LOOK_MOST_MS = 500 }; /* between two looks for a result */

/* Who asks, by a number that all servers of the queue have for the same client, and nobody else can find. 0 if libcrypto
 * fails. */
static uint64_t number_client(const struct durable *d, const struct request *r) {
    enum { HOST = 8 }; /* bytes: a host may have a whole /64 */
    const struct sm_key none = {.byte = {0}};
    const char *kind = r->holder ? "tenant" : "address";
    const char *name = r->holder ? holder_row(r->holder)->tenant : r->client_name;
    unsigned char mac[SEAL_MAC] = {0};
    struct in6_addr v6;
    sm_slice pieces[] = {{(const unsigned char *)kind, strlen(kind)}, {(const unsigned char *)name, strlen(name)}};
    if (!r->holder && inet_pton(AF_INET6, name, &v6) == 1)
        pieces[1] = (sm_slice){v6.s6_addr, HOST};
    seal_file(&d->secret, &none, pieces, 2, mac);
    return sm_load_le(mac, sizeof(uint64_t));
}

/* ---- Asks of requests --------------------------------------------------------------------------------------- */

/* Why the queue did not do what a request asked for. */
static void reply_refusal(struct request *r, enum jobqueue_answer why) {
    switch (why) {
    case JOBQUEUE_FULL:
        problem_reply(r, SM_OVERLOADED, "The queue holds as many jobs as it may", (sm_slice){0}, NULL);
        return;
    case JOBQUEUE_MANY:
        problem_reply(r, SM_TOO_MANY_REQUESTS, "This client has as many jobs waiting as it may", (sm_slice){0}, NULL);
        return;
    case JOBQUEUE_UNKNOWN:
        problem_reply(r, SM_JOB_NOT_FOUND, "There is no job of this id, or it has been forgotten", (sm_slice){0},
                      NULL);
        return;
    case JOBQUEUE_DEAD:
        problem_reply(r, SM_JOB_DEAD, "It is kept until an operator has it run again", (sm_slice){0}, NULL);
        return;
    case JOBQUEUE_REFUSED:
        problem_reply(r, SM_QUEUE_UNAVAILABLE, "It writes nothing: it is full", (sm_slice){0}, NULL);
        return;
    default:
        problem_reply(r, SM_QUEUE_UNAVAILABLE, NULL, (sm_slice){0}, NULL);
    }
}

/* What a request asks of the queue. */
struct asking {
    struct jobqueue_ask ask;
    struct request *request;
};

/* Begins to ask for the suspended request. */
static void begin_ask(struct request *r, enum jobqueue_what what, const char *id,
                      void (*done)(struct jobqueue_ask *ask, enum jobqueue_answer answer)) {
    struct asking *a = calloc(1, sizeof *a);
    if (!a) {
        problem_reply(r, SM_NOMEM, NULL, (sm_slice){0}, NULL);
        request_ready(r);
        return;
    }
    a->request = r;
    a->ask = (struct jobqueue_ask){.what = what, .done = done};
    snprintf(a->ask.id, sizeof a->ask.id, "%s", id);
    jobqueue_begin(r->smd->durable->queue, &a->ask);
}

static void reply_state(struct request *r, int http, const char *id, const char *state) {
    sm_buf_printf(&r->reply.text, "{\"id\":\"%s\",\"state\":\"%s\"}\n", id, state);
    r->reply.http = http;
    reply_text(&r->reply, "application/json");
}

/* The queue's callback: a job was removed, or waits again. */
static void on_changed(struct jobqueue_ask *ask, enum jobqueue_answer answer) {
    struct asking *a = container_of(ask, struct asking, ask);
    if (answer == JOBQUEUE_DONE)
        reply_state(a->request, 200, ask->id, ask->what == JOBQUEUE_RETRY ? "waiting" : "deleted");
    else
        reply_refusal(a->request, answer);
    request_ready(a->request);
    free(a);
}

void durable_remove(struct request *r, const char *id) {
    request_wait(r);
    begin_ask(r, JOBQUEUE_REMOVE, id, on_changed);
}

/* Writes the list, which jobscript_list gives, as JSON. 0 if it is none. */
static int put_list(sm_buf *out, const char *list) {
    long waiting, running, dead, deliveries, bytes;
    long long ms;
    char id[JOB_ID_TEXT];
    const char *comma = "";
    if (sscanf(list, "%ld %ld %ld", &waiting, &running, &dead) != 3)
        return 0;
    sm_buf_printf(out, "{\"waiting\":%ld,\"running\":%ld,\"dead\":%ld,\"jobs\":[", waiting, running, dead);
    for (const char *end = strchr(list, '\n'); end; end = strchr(end + 1, '\n')) {
        if (sscanf(end, "\n%32s %ld %ld %lld", id, &deliveries, &bytes, &ms) != 4)
            break;
        sm_buf_printf(out, "%s{\"id\":\"%s\",\"deliveries\":%ld,\"bytes\":%ld,\"died\":%lld}", comma, id, deliveries,
                      bytes, ms / 1000);
        comma = ",";
    }
    sm_buf_puts(out, "]}\n");
    return 1;
}

/* The queue's callback. */
static void on_list(struct jobqueue_ask *ask, enum jobqueue_answer answer) {
    struct asking *a = container_of(ask, struct asking, ask);
    struct reply *reply = &a->request->reply;
    if (answer == JOBQUEUE_DONE && put_list(&reply->text, (const char *)ask->bytes))
        reply_text(reply, "application/json");
    else
        reply_refusal(a->request, answer == JOBQUEUE_DONE ? JOBQUEUE_DOWN : answer);
    free(ask->bytes);
    request_ready(a->request);
    free(a);
}

/* 0, and the reply is filled, if there is no queue. */
static int has_queue(struct request *r) {
    if (r->smd->durable)
        return 1;
    problem_reply(r, SM_NOT_FOUND, "This server has no job_queue", (sm_slice){0}, NULL);
    return 0;
}

int durable_list(struct request *r) {
    if (!has_queue(r))
        return 1;
    request_wait(r);
    begin_ask(r, JOBQUEUE_LIST, "", on_list);
    return 0;
}

int durable_retry(struct request *r) {
    const char *id = r->path + strlen("/v1/dead-jobs/");
    if (!has_queue(r))
        return 1;
    if (!job_id_is(id)) {
        reply_refusal(r, JOBQUEUE_UNKNOWN);
        return 1;
    }
    request_wait(r);
    begin_ask(r, JOBQUEUE_RETRY, id, on_changed);
    return 0;
}

/* ---- POST /v1/jobs ------------------------------------------------------------------------------------------ */

/* A job on its way into the queue. */
struct adding {
    struct task task;
    struct jobqueue_ask ask;
    struct request *request;
    struct job *job; /* owned */
    struct charge charge;
};

/* The request, whose reply is filled, goes on. */
static void end_adding(struct adding *a) {
    request_ready(a->request);
    budget_give(&a->charge, 0);
    job_free(a->job);
    free(a);
}

/* The queue's callback: Redis has the job, or not. */
static void on_added(struct jobqueue_ask *ask, enum jobqueue_answer answer) {
    struct adding *a = container_of(ask, struct adding, ask);
    if (answer == JOBQUEUE_DONE) {
        reply_state(a->request, 202, ask->id, "waiting");
        reply_header(&a->request->reply, "Location", "/v1/jobs/%s", ask->id);
    } else {
        reply_refusal(a->request, answer);
    }
    end_adding(a);
}

/* The sealer's task. */
static void run_adding(struct task *task) {
    struct adding *a = container_of(task, struct adding, task);
    struct durable *d = a->request->smd->durable;
    const struct sm_key key = job_id_key(a->ask.id);
    sm_buf record;
    sm_buf_init(&record, SIZE_MAX / 2);
    if (jobrecord_put_job(&record, a->job, a->ask.client) == SM_OK)
        a->ask.bytes = seal_close(&d->secret, &key, (sm_slice){record.data, record.len}, &a->ask.len);
    sm_buf_free(&record);
    if (a->ask.bytes && a->ask.len <= jobqueue_largest(&d->smd->settings)) {
        jobqueue_begin(d->queue, &a->ask);
        return;
    }
    problem_reply(a->request, a->ask.bytes ? SM_BODY_TOO_LARGE : SM_NOMEM,
                  a->ask.bytes ? "The job is larger than the queue takes (job_queue_entry_mib)" : NULL, (sm_slice){0},
                  NULL);
    free(a->ask.bytes);
    end_adding(a);
}

sm_status durable_submit(struct request *r) {
    struct durable *d = r->smd->durable;
    struct adding *a = calloc(1, sizeof *a);
    sm_status s = a && job_id_new(a->ask.id) ? SM_OK : SM_NOMEM;
    size_t len = r->job->input_len + DURABLE_AROUND;
    if (s == SM_OK && atomic_load(&d->closing))
        s = SM_DRAINING;
    if (s == SM_OK && !jobqueue_is_up(d->queue))
        s = SM_QUEUE_UNAVAILABLE;
    if (s == SM_OK)
        s = budget_take(d->smd->budget, &a->charge, HELD_INPUT, r->client, len);
    if (s != SM_OK) {
        problem_reply(r, s, NULL, (sm_slice){0}, NULL);
        free(a);
        return s;
    }
    a->task = (struct task){.run = run_adding, .client = r->client, .bytes = len, .work = len};
    a->ask.what = JOBQUEUE_ADD;
    a->ask.done = on_added;
    a->ask.client = number_client(d, r);
    a->request = r;
    a->job = r->job;
    r->job = NULL;
    if (tasks_add(d->sealer, &a->task))
        return SM_OK;
    problem_reply(r, SM_OVERLOADED, NULL, (sm_slice){0}, NULL);
    budget_give(&a->charge, 0);
    job_free(a->job);
    free(a);
    return SM_OVERLOADED;
}

/* ---- GET /v1/jobs/ID ---------------------------------------------------------------------------------------- */

/* A request that looks for a result. */
struct looking {
    struct task task;
    struct jobqueue_ask ask;
    struct poll *poll;
    uint64_t began_ns;
    struct charge charge; /* of the sealed result */
};

/* The opener's task: the result is there. */
static void run_looking(struct task *task) {
    struct looking *l = container_of(task, struct looking, task);
    struct poll *p = l->poll;
    struct request *r = p->request;
    struct durable *d = r->smd->durable;
    struct charge charge = {0};
    struct sm_key name;
    size_t len;
    sm_status s;
    unsigned char *content =
        durable_open(d, p->id, (sm_slice){l->ask.bytes, l->ask.len}, (size_t)d->smd->settings.max_output_mib << 20,
                     r->client, HELD_RESULT, &charge, &len, &s);
    if (content)
        p->result = jobrecord_read_result(content, len, &charge, &name, &s);
    free(l->ask.bytes);
    budget_give(&l->charge, 0);
    free(l);
    if (p->result) {
        sm_key_text(&name, r->key_text);
        answer_when_ready(r, p->result, p->answer);
        return;
    }
    if (s != SM_OVERLOADED && s != SM_TOO_MANY_REQUESTS && s != SM_NOMEM) {
        durable_note_damaged(d, p->id, "A result is not what a server with this mac_key wrote");
        problem_reply(r, SM_JOB_NOT_FOUND, "Its result is damaged", (sm_slice){0}, NULL);
    } else {
        problem_of_room(r, s);
    }
    request_ready(r);
}

/* The result has come: it is opened on a thread of its own. */
static void begin_opening(struct looking *l) {
    struct request *r = l->poll->request;
    struct durable *d = r->smd->durable;
    sm_status s = budget_take(d->smd->budget, &l->charge, HELD_FILE, r->client, l->ask.len);
    if (s == SM_OK) {
        l->task = (struct task){.run = run_looking, .client = r->client, .work = l->ask.len};
        tasks_add(d->opener, &l->task);
        return;
    }
    problem_of_room(r, s);
    free(l->ask.bytes);
    free(l);
    request_ready(r);
}

/* When the request looks again; 0 if it does not. */
static uint64_t next_look(const struct looking *l) {
    uint64_t now = sm_clock_ns(), until = l->began_ns + (uint64_t)l->poll->wait_s * 1000 * MS_NS;
    uint64_t step = (now - l->began_ns) / 4;
    if (now >= until || atomic_load(&l->poll->request->smd->durable->closing))
        return 0;
    step = step < LOOK_LEAST_MS * MS_NS ? LOOK_LEAST_MS * MS_NS : step;
    step = step > LOOK_MOST_MS * MS_NS ? LOOK_MOST_MS * MS_NS : step;
    return now + step < until ? now + step : until;
}

/* The queue's callback: what there is of the job. */
static void on_looked(struct jobqueue_ask *ask, enum jobqueue_answer answer) {
    struct looking *l = container_of(ask, struct looking, ask);
    struct request *r = l->poll->request;
    if (answer == JOBQUEUE_ENDED) {
        begin_opening(l);
        return;
    }
    if (answer == JOBQUEUE_WAITS && (ask->due_ns = next_look(l)) != 0) {
        jobqueue_begin(r->smd->durable->queue, ask);
        return;
    }
    if (answer != JOBQUEUE_WAITS)
        reply_refusal(r, answer);
    free(l);
    request_ready(r);
}

void durable_look(struct request *r, struct poll *p) {
    struct looking *l = calloc(1, sizeof *l);
    request_wait(r);
    if (!l) {
        problem_reply(r, SM_NOMEM, NULL, (sm_slice){0}, NULL);
        request_ready(r);
        return;
    }
    l->poll = p;
    l->began_ns = sm_clock_ns();
    l->ask = (struct jobqueue_ask){.what = JOBQUEUE_LOOK, .done = on_looked};
    memcpy(l->ask.id, p->id, sizeof l->ask.id);
    jobqueue_begin(r->smd->durable->queue, &l->ask);
}

/* ---- Start and end ------------------------------------------------------------------------------------------ */

struct durable *durable_start(struct smd *smd, struct error *err) {
    struct durable *d = calloc(1, sizeof *d);
    if (!d) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    d->smd = smd;
    pthread_mutex_init(&d->lock, NULL);
    const struct jobqueue_owner owner = durable_owner(d);
    d->sealer = tasks_start(SEALING_MOST);
    d->opener = d->sealer ? tasks_start(SIZE_MAX) : NULL;
    if (!d->opener)
        error_set(err, SM_NOMEM, "no thread could be started");
    else if (jobqueue_check(&smd->settings, err) == SM_OK &&
             seal_secret_read(smd->settings.mac_key, &d->secret, err) == SM_OK)
        jobqueue_start(&smd->settings, &smd->metrics, &owner, &d->queue, err);
    if (d->queue)
        return d;
    tasks_stop(d->sealer);
    tasks_stop(d->opener);
    durable_free(d);
    return NULL;
}

void durable_close(struct durable *d) {
    if (!d)
        return;
    atomic_store(&d->closing, 1);
    jobqueue_close(d->queue);
}

int durable_stop(struct durable *d) {
    if (!d)
        return 1;
    durable_close(d);
    tasks_stop(d->opener);
    tasks_stop(d->sealer);
    return jobqueue_stop(d->queue);
}

void durable_free(struct durable *d) {
    if (!d)
        return;
    jobqueue_free(d->queue);
    tasks_free(d->sealer);
    tasks_free(d->opener);
    pthread_mutex_destroy(&d->lock);
    explicit_bzero(&d->secret, sizeof d->secret);
    free(d);
}
