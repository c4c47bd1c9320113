/* jobqueue.c - see jobqueue.h. */
#include "jobqueue.h"

#include "clock.h"
#include "container.h"
#include "jobwire.h"
#include "log.h"
#include "redislink.h"
#include "seal.h"
#include "thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#define MS_NS UINT64_C(1000000)
#define S_NS  UINT64_C(1000000000)

/* In milliseconds: between two looks for jobs while there are none; between two looks at how many there are; for what
 * is to be written when smd stops. How many times a job is renewed in its lease. */
enum { TAKE_MS = 200, COUNT_MS = 5000, FLUSH_MS = 1000, RENEWALS = 3 };
/* Asks under way; bytes of this server's name in Redis. */
enum { ASKS_MOST = 4096, CONSUMER = 17 };

enum what { DO_ASK, DO_TAKE, DO_RENEW, DO_END, DO_COUNT, DO_MEMORY, DO_PERSISTENCE };

/* A command whose reply has not come. */
struct command {
    struct link_ask ask;
    enum what what;
    struct jobqueue_ask *of;    /* of DO_ASK */
    struct jobqueue_work *work; /* of DO_END */
};

TAILQ_HEAD(asks, jobqueue_ask);
TAILQ_HEAD(works, jobqueue_work);
STAILQ_HEAD(endings, jobqueue_work);

struct jobqueue {
    const struct settings *settings;
    struct metrics *metrics;
    struct jobqueue_owner owner;
    int wake;
    pthread_t thread;
    atomic_int is_up;
    pthread_mutex_t lock; /* of what others hand to the thread: */
    struct asks new_asks;
    struct endings new_endings;
    size_t asks; /* in all */
    int closing, stopping;
    /* The thread's own. */
    struct link link;
    char consumer[CONSUMER];
    struct asks waiting; /* until they are due */
    struct endings endings;
    struct works works; /* in hand */
    int in_hand, is_taking, is_closed, is_safe[2];
    uint64_t take_ns, renew_ns, count_ns, stop_ns, write_error_ns;
};

/* ---- Commands ----------------------------------------------------------------------------------------------- */

/* Sends a command; 0 if out of memory. */
static int send_command(struct jobqueue *q, const struct jobwords *w, struct command command) {
    struct command *c = malloc(sizeof *c);
    if (c)
        *c = command;
    if (c && link_send(&q->link, &c->ask, w->count, (const char **)w->word, w->len))
        return 1;
    free(c);
    return 0;
}

/* ---- What is asked ------------------------------------------------------------------------------------------ */

/* The ask is answered. */
static void answer(struct jobqueue *q, struct jobqueue_ask *ask, enum jobqueue_answer answer) {
    pthread_mutex_lock(&q->lock);
    q->asks--;
    pthread_mutex_unlock(&q->lock);
    if (ask->what == JOBQUEUE_ADD) {
        free(ask->bytes);
        ask->bytes = NULL;
    }
    ask->done(ask, answer);
}

static void send_ask(struct jobqueue *q, struct jobqueue_ask *ask) {
    struct jobwords w;
    jobwire_ask(&w, q->settings, ask);
    if (!send_command(q, &w, (struct command){.what = DO_ASK, .of = ask}))
        answer(q, ask, JOBQUEUE_DOWN);
}

/* Ends the asks of a list with JOBQUEUE_DOWN. */
static void end_asks(struct jobqueue *q, struct asks *list) {
    for (struct jobqueue_ask *a; (a = TAILQ_FIRST(list)) != NULL;) {
        TAILQ_REMOVE(list, a, next);
        answer(q, a, JOBQUEUE_DOWN);
    }
}

/* Asks what is due, or all if they are hurried. */
static void send_asks(struct jobqueue *q) {
    uint64_t now = sm_clock_ns();
    struct jobqueue_ask *next;
    if (!atomic_load(&q->is_up) || q->stop_ns) {
        end_asks(q, &q->waiting);
        return;
    }
    for (struct jobqueue_ask *a = TAILQ_FIRST(&q->waiting); a; a = next) {
        next = TAILQ_NEXT(a, next);
        if (a->due_ns > now && !q->is_closed)
            continue;
        TAILQ_REMOVE(&q->waiting, a, next);
        send_ask(q, a);
    }
}

/* ---- Jobs in hand ------------------------------------------------------------------------------------------- */

/* This server is done with the job. */
static void forget_work(struct jobqueue *q, struct jobqueue_work *work) {
    TAILQ_REMOVE(&q->works, work, next);
    q->in_hand--;
    q->take_ns = 0;
    q->owner.over(q->owner.arg, work);
    free(work->bytes);
    free(work->result);
    free(work);
}

static struct jobqueue_work *find_work(struct jobqueue *q, const char *entry, size_t len) {
    struct jobqueue_work *work;
    TAILQ_FOREACH(work, &q->works, next)
    if (strlen(work->entry) == len && memcmp(work->entry, entry, len) == 0)
        return work;
    return NULL;
}

/* The entries that the text names, each with a space after it, are another's now. */
static void lose_works(struct jobqueue *q, const char *entries) {
    for (const char *at = entries; *at;) {
        size_t len = strcspn(at, " ");
        struct jobqueue_work *work = find_work(q, at, len);
        if (work && !work->is_lost) {
            work->is_lost = 1;
            metric_add(q->metrics, METRIC_JOBS_LOST, 1);
            if (!work->is_ending)
                q->owner.lost(q->owner.arg, work);
        }
        at += len + (at[len] != 0);
    }
}

static void send_renewal(struct jobqueue *q) {
    struct jobwords w;
    const struct jobqueue_work *work;
    jobwire_renew(&w, q->consumer);
    TAILQ_FOREACH(work, &q->works, next)
    if (!work->is_lost)
        jobwire_renew_also(&w, work);
    q->renew_ns = sm_clock_ns() + (uint64_t)q->settings->job_lease_s * S_NS / RENEWALS;
    send_command(q, &w, (struct command){.what = DO_RENEW});
}

/* Sends what has ended or is given back. */
static void send_endings(struct jobqueue *q) {
    for (struct jobqueue_work *work; atomic_load(&q->is_up) && (work = STAILQ_FIRST(&q->endings)) != NULL;) {
        struct jobwords w;
        STAILQ_REMOVE_HEAD(&q->endings, next_ending);
        work->is_ending = 1;
        jobwire_end(&w, q->settings, q->consumer, work);
        if (!send_command(q, &w, (struct command){.what = DO_END, .work = work}))
            forget_work(q, work); /* its lease will end */
    }
}

/* Counts what Redis did not write, and logs it, a minute after the last at the earliest. */
static void note_write_error(struct jobqueue *q, const struct redis_reply *reply) {
    uint64_t now = sm_clock_ns();
    metric_add(q->metrics, METRIC_JOB_QUEUE_WRITE_ERRORS, 1);
    if (q->write_error_ns && now - q->write_error_ns < 60 * S_NS)
        return;
    q->write_error_ns = now;
    log_event(LOG_LEVEL_WARNING, "job_queue_write", "{s:s}", "detail", (const char *)reply->bytes);
}

/* A job that has ended is in Redis, or not: then its lease will end, and it runs again. */
static int on_end_reply(struct jobqueue *q, struct jobqueue_work *work, const struct redis_reply *reply) {
    int ok = reply->type == REDIS_IS_BYTES;
    if (jobwire_says(reply, "ended"))
        metric_add(q->metrics, METRIC_JOBS_ENDED, 1);
    else if (jobwire_says(reply, "back"))
        metric_add(q->metrics, METRIC_JOBS_GIVEN_BACK, 1);
    if (reply->type == REDIS_IS_ERROR) {
        note_write_error(q, reply);
        ok = jobwire_is_full(reply);
    }
    forget_work(q, work);
    return ok;
}

static void send_take(struct jobqueue *q) {
    struct jobwords w;
    jobwire_take(&w, q->settings, q->consumer);
    q->is_taking = send_command(q, &w, (struct command){.what = DO_TAKE});
    q->take_ns = sm_clock_ns() + TAKE_MS * MS_NS;
}

/* "dead ID DELIVERIES" */
static int note_dead(struct jobqueue *q, const char *text) {
    char id[JOB_ID_TEXT];
    int deliveries;
    if (sscanf(text, "dead %32s %d", id, &deliveries) != 2)
        return 0;
    metric_add(q->metrics, METRIC_JOBS_DEAD, 1);
    log_event(LOG_LEVEL_ERROR, "job_dead", "{s:s,s:i,s:s}", "id", id, "deliveries", deliveries, "detail",
              "The servers that had it are gone; smc jobs lists it, and sends it again");
    q->take_ns = 0;
    return 1;
}

static int on_take_reply(struct jobqueue *q, struct redis_reply *reply) {
    q->is_taking = 0;
    if (reply->type == REDIS_IS_NIL)
        return 1;
    if (jobwire_is_full(reply)) {
        note_write_error(q, reply);
        return 1;
    }
    if (reply->type != REDIS_IS_BYTES)
        return 0;
    if (strncmp((const char *)reply->bytes, "dead ", 5) == 0)
        return note_dead(q, (const char *)reply->bytes);
    long long waited_ms = 0;
    struct jobqueue_work *work = jobwire_work(reply, &waited_ms);
    if (!work)
        return 0;
    TAILQ_INSERT_TAIL(&q->works, work, next);
    q->in_hand++;
    q->take_ns = 0;
    metric_add(q->metrics, METRIC_JOBS_TAKEN, 1);
    if (work->deliveries == 1 && waited_ms >= 0)
        metric_observe(q->metrics, HISTOGRAM_JOB_WAIT, (uint64_t)waited_ms * 1000);
    if (work->deliveries > 1) {
        metric_add(q->metrics, METRIC_JOBS_TAKEN_OVER, 1);
        log_event(LOG_LEVEL_WARNING, "job_taken_over", "{s:s,s:i}", "id", work->id, "deliveries", work->deliveries);
    }
    q->owner.run(q->owner.arg, work);
    return 1;
}

/* ---- The server's state ------------------------------------------------------------------------------------- */

static void send_count(struct jobqueue *q) {
    struct jobwords w;
    jobwire_count(&w);
    q->count_ns = sm_clock_ns() + COUNT_MS * MS_NS;
    send_command(q, &w, (struct command){.what = DO_COUNT});
}

static int on_count(struct jobqueue *q, const struct redis_reply *reply) {
    long waiting, running, dead;
    if (reply->type != REDIS_IS_BYTES ||
        sscanf((const char *)reply->bytes, "%ld %ld %ld\n", &waiting, &running, &dead) != 3)
        return jobwire_is_full(reply);
    metric_set(q->metrics, METRIC_JOB_QUEUE_WAITING, waiting);
    metric_set(q->metrics, METRIC_JOB_QUEUE_RUNNING, running);
    metric_set(q->metrics, METRIC_JOB_QUEUE_DEAD, dead);
    return 1;
}

/* Warns if what is in Redis may be gone: evicted, or with the process. WHICH: 0, memory; 1, persistence. */
static int on_info(struct jobqueue *q, int which, const struct redis_reply *reply) {
    static const struct {
        const char *line, *good, *advice;
    } policies[] = {
        {"maxmemory_policy:", "noeviction", "job_queue's Redis may evict jobs: set maxmemory-policy noeviction"},
        {"aof_enabled:", "1", "job_queue's Redis forgets jobs when it ends: set appendonly yes"}};
    char value[64];
    if (reply->type != REDIS_IS_BYTES)
        return reply->type == REDIS_IS_ERROR; /* a service may not let anybody see it */
    redis_info_read(reply, policies[which].line, value, sizeof value);
    q->is_safe[which] = strcmp(value, policies[which].good) == 0;
    if (!q->is_safe[which])
        log_event(LOG_LEVEL_WARNING, "job_queue_policy", "{s:s,s:s}", "is", value, "detail", policies[which].advice);
    metric_set(q->metrics, METRIC_JOB_QUEUE_SAFE, q->is_safe[0] && q->is_safe[1]);
    return 1;
}

static void send_info(struct jobqueue *q, const char *section, enum what what) {
    struct jobwords w;
    jobwire_info(&w, section);
    send_command(q, &w, (struct command){.what = what});
}

/* ---- The link's callbacks ----------------------------------------------------------------------------------- */

static int on_reply(struct link *l, struct link_ask *ask, struct redis_reply *reply) {
    struct jobqueue *q = container_of(l, struct jobqueue, link);
    struct command c = *container_of(ask, struct command, ask);
    int ok = 1;
    free(container_of(ask, struct command, ask));
    link_praise(l);
    switch (c.what) {
    case DO_ASK: {
        enum jobqueue_answer said = jobwire_answer(c.of, reply);
        if (said == JOBQUEUE_REFUSED)
            note_write_error(q, reply);
        ok = said != JOBQUEUE_DOWN;
        if (c.of->what == JOBQUEUE_ADD && said == JOBQUEUE_DONE) {
            metric_add(q->metrics, METRIC_JOBS_ADDED, 1);
            q->take_ns = 0;
        }
        answer(q, c.of, said);
        break;
    }
    case DO_TAKE:
        ok = on_take_reply(q, reply);
        break;
    case DO_RENEW:
        ok = reply->type == REDIS_IS_BYTES || jobwire_is_full(reply);
        if (reply->type == REDIS_IS_BYTES)
            lose_works(q, (const char *)reply->bytes);
        break;
    case DO_END:
        ok = on_end_reply(q, c.work, reply);
        break;
    case DO_COUNT:
        ok = on_count(q, reply);
        break;
    case DO_MEMORY:
    case DO_PERSISTENCE:
        ok = on_info(q, c.what == DO_PERSISTENCE, reply);
        break;
    }
    redis_reply_free(reply);
    return ok;
}

static void on_drop(struct link *l, struct link_ask *ask) {
    struct jobqueue *q = container_of(l, struct jobqueue, link);
    struct command *c = container_of(ask, struct command, ask);
    if (c->what == DO_ASK)
        answer(q, c->of, JOBQUEUE_DOWN);
    if (c->what == DO_END) /* whether it was written is not known; twice is as well */
        STAILQ_INSERT_TAIL(&q->endings, c->work, next_ending);
    if (c->what == DO_TAKE)
        q->is_taking = 0;
    free(c);
}

static void set_up(struct jobqueue *q, int is_up) {
    atomic_store(&q->is_up, is_up);
    metric_set(q->metrics, METRIC_JOB_QUEUE_UP, is_up);
}

static void on_lost(struct link *l, const char *address, const char *why, int is_first) {
    struct jobqueue *q = container_of(l, struct jobqueue, link);
    set_up(q, 0);
    if (q->stop_ns) /* smd closes it itself, with nothing left to do */
        return;
    metric_add(q->metrics, METRIC_JOB_QUEUE_LOST, 1);
    if (is_first)
        log_event(LOG_LEVEL_WARNING, "job_queue_lost", "{s:s,s:s}", "address", address, "detail", why);
}

static void on_up(struct link *l) {
    struct jobqueue *q = container_of(l, struct jobqueue, link);
    char address[300];
    link_address(l, address, sizeof address);
    set_up(q, 1);
    log_event(LOG_LEVEL_INFO, "job_queue_up", "{s:s}", "address", address);
    q->take_ns = q->renew_ns = q->count_ns = 0;
    send_info(q, "memory", DO_MEMORY);
    send_info(q, "persistence", DO_PERSISTENCE);
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

/* Takes over what others have handed in. */
static void take_new(struct jobqueue *q) {
    pthread_mutex_lock(&q->lock);
    TAILQ_CONCAT(&q->waiting, &q->new_asks, next);
    STAILQ_CONCAT(&q->endings, &q->new_endings);
    q->is_closed = q->closing;
    if (q->stopping && !q->stop_ns)
        q->stop_ns = sm_clock_ns() + FLUSH_MS * MS_NS;
    pthread_mutex_unlock(&q->lock);
    q->link.is_closing = q->stop_ns != 0;
}

static int may_take(const struct jobqueue *q) {
    return atomic_load(&q->is_up) && !q->is_taking && !q->is_closed && !q->stop_ns && q->in_hand < RENEWED_MOST;
}

/* Sends what is due of the thread's own. */
static void tick_work(struct jobqueue *q) {
    uint64_t now = sm_clock_ns();
    if (may_take(q) && now >= q->take_ns) {
        if (q->owner.has_room(q->owner.arg, q->in_hand))
            send_take(q);
        else
            q->take_ns = now + TAKE_MS * MS_NS;
    }
    if (atomic_load(&q->is_up) && q->in_hand && now >= q->renew_ns)
        send_renewal(q);
    if (atomic_load(&q->is_up) && now >= q->count_ns && !q->stop_ns)
        send_count(q);
}

/* When something has to be done, at most in a second. */
static uint64_t next_due(const struct jobqueue *q) {
    uint64_t now = sm_clock_ns(), first = link_due(&q->link, now);
    const struct jobqueue_ask *a;
    TAILQ_FOREACH(a, &q->waiting, next)
    if (a->due_ns < first)
        first = a->due_ns;
    if (may_take(q) && q->take_ns < first)
        first = q->take_ns;
    if (q->in_hand && atomic_load(&q->is_up) && q->renew_ns < first)
        first = q->renew_ns;
    return first;
}

/* 1 while there is something to do: smd runs, or has just stopped, and not all is written. */
static int goes_on(const struct jobqueue *q) {
    int is_flushed = !atomic_load(&q->is_up) || (STAILQ_EMPTY(&q->endings) && STAILQ_EMPTY(&q->link.sent));
    return !q->stop_ns || (!is_flushed && sm_clock_ns() < q->stop_ns);
}

/* Lets go of all that is left. */
static void end_all(struct jobqueue *q) {
    if (q->link.redis)
        link_lose(&q->link, "smd stops");
    take_new(q);
    end_asks(q, &q->waiting);
    for (struct jobqueue_work *work; (work = STAILQ_FIRST(&q->endings)) != NULL;) {
        STAILQ_REMOVE_HEAD(&q->endings, next_ending);
        forget_work(q, work);
    }
}

static void *run_queue(void *arg) {
    struct jobqueue *q = arg;
    while (goes_on(q)) {
        link_tick(&q->link);
        link_await(&q->link, q->wake, next_due(q));
        link_work(&q->link);
        take_new(q);
        send_asks(q);
        send_endings(q);
        tick_work(q);
    }
    set_up(q, 0);
    end_all(q);
    return NULL;
}

/* ---- What others call --------------------------------------------------------------------------------------- */

size_t jobqueue_largest(const struct settings *s) {
    return (size_t)s->job_queue_entry_mib << 20;
}

sm_status jobqueue_check(const struct settings *s, struct error *err) {
    struct redis_address address[REDIS_ADDRESSES];
    if (!redis_addresses_read("job_queue", s->job_queue, address, err))
        return SM_INVALID_OPTION;
    struct seal_secret secret;
    sm_status status = seal_secret_for("job_queue", "jobs", s->mac_key, &secret, err);
    explicit_bzero(&secret, sizeof secret);
    return status;
}

/* The name that Redis knows this process by, another for each. 0 on failure. */
static int make_consumer(char out[CONSUMER]) {
    uint64_t number;
    int ok = getrandom(&number, sizeof number, 0) == (ssize_t)sizeof number;
    snprintf(out, CONSUMER, "%016llx", ok ? (unsigned long long)number : 0);
    return ok;
}

sm_status jobqueue_start(const struct settings *s, struct metrics *m, const struct jobqueue_owner *owner,
                         struct jobqueue **queue, struct error *err) {
    enum { STATE_AND_HEAD = 256 };
    sm_status status = jobqueue_check(s, err);
    struct jobqueue *q = status == SM_OK ? calloc(1, sizeof *q) : NULL;
    *queue = q;
    if (!q)
        return status != SM_OK ? status : error_set(err, SM_NOMEM, "out of memory");
    *q = (struct jobqueue){.settings = s, .metrics = m, .owner = *owner};
    q->link = (struct link){.password_file = s->job_queue_password_file,
                            .password_setting = "job_queue_password_file",
                            .largest = jobqueue_largest(s) + STATE_AND_HEAD,
                            .bound = "job_queue_entry_mib",
                            .up = on_up,
                            .reply = on_reply,
                            .drop = on_drop,
                            .lost = on_lost};
    q->link.addresses = redis_addresses_read("job_queue", s->job_queue, q->link.address, err);
    link_init(&q->link);
    pthread_mutex_init(&q->lock, NULL);
    TAILQ_INIT(&q->new_asks);
    TAILQ_INIT(&q->waiting);
    TAILQ_INIT(&q->works);
    STAILQ_INIT(&q->new_endings);
    STAILQ_INIT(&q->endings);
    q->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (q->wake >= 0 && make_consumer(q->consumer) && pthread_create(&q->thread, NULL, run_queue, q) == 0)
        return SM_OK;
    jobqueue_free(q);
    *queue = NULL;
    return error_set(err, SM_NOMEM, "no thread could be started");
}

int jobqueue_is_up(const struct jobqueue *q) {
    return atomic_load(&q->is_up);
}

/* Wakes the thread after what was handed in. */
static void wake(struct jobqueue *q) {
    const uint64_t one = 1;
    while (write(q->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

void jobqueue_begin(struct jobqueue *q, struct jobqueue_ask *ask) {
    pthread_mutex_lock(&q->lock);
    int fits = jobqueue_is_up(q) && !q->stopping && q->asks < ASKS_MOST;
    if (fits) {
        TAILQ_INSERT_TAIL(&q->new_asks, ask, next);
        q->asks++;
    }
    pthread_mutex_unlock(&q->lock);
    if (fits) {
        wake(q);
        return;
    }
    if (ask->what == JOBQUEUE_ADD) {
        free(ask->bytes);
        ask->bytes = NULL;
    }
    ask->done(ask, JOBQUEUE_DOWN);
}

/* Hands over what becomes of the job. */
static void hand_over(struct jobqueue *q, struct jobqueue_work *work) {
    pthread_mutex_lock(&q->lock);
    STAILQ_INSERT_TAIL(&q->new_endings, work, next_ending);
    pthread_mutex_unlock(&q->lock);
    wake(q);
}

void jobqueue_end(struct jobqueue *q, struct jobqueue_work *work, unsigned char *bytes, size_t len) {
    work->result = bytes;
    work->result_len = len;
    hand_over(q, work);
}

void jobqueue_give_back(struct jobqueue *q, struct jobqueue_work *work, int delay_ms, int counts) {
    work->delay_ms = delay_ms;
    work->counts = counts;
    hand_over(q, work);
}

void jobqueue_close(struct jobqueue *q) {
    pthread_mutex_lock(&q->lock);
    q->closing = 1;
    pthread_mutex_unlock(&q->lock);
    wake(q);
}

int jobqueue_stop(struct jobqueue *q) {
    enum { PATIENCE_S = 3 };
    if (!q)
        return 1;
    pthread_mutex_lock(&q->lock);
    q->closing = q->stopping = 1;
    pthread_mutex_unlock(&q->lock);
    wake(q);
    return thread_join_within(q->thread, PATIENCE_S);
}

void jobqueue_free(struct jobqueue *q) {
    if (!q)
        return;
    if (q->wake >= 0)
        close(q->wake);
    link_close(&q->link);
    for (struct jobqueue_work *work; (work = TAILQ_FIRST(&q->works)) != NULL;)
        forget_work(q, work);
    pthread_mutex_destroy(&q->lock);
    free(q);
}
