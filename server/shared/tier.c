/* tier.c - see tier.h. */
#include "tier.h"

#include "claims.h"
#include "clock.h"
#include "container.h"
#include "log.h"
#include "redislink.h"
#include "sealer.h"
#include "tasks.h"
#include "thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MS_NS UINT64_C(1000000)
#define S_NS  UINT64_C(1000000000)

/* In milliseconds: between two looks at what another server compiles, at first and at most; for what is to be written
 * when smd stops. */
enum { LOOK_LEAST_MS = 5, LOOK_MOST_MS = 100, FLUSH_MS = 1000 };

/* Lookups under way; in a row that are late before the tier is down; bytes that wait to be sealed, and sealed. How many
 * times shared_wait_ms a reply may take that has begun. */
enum { READS_MOST = 4096, LATE_MOST = 3, WRITES_BYTES = 64 << 20, SEND_BYTES = 1 << 20, TIMES_WHOLE = 20 };
enum { KEY_TEXT = SM_KEY_TEXT + 8 };

enum what { ASK_GET, ASK_CLAIM, ASK_SET, ASK_UNCLAIM, ASK_INFO };

/* A command whose reply has not come. */
struct command {
    struct link_ask ask;
    enum what what;
    struct tier_read *read; /* NULL: nobody waits for the reply */
    struct sm_key key;
};

/* What is to be written under a key, or, without bytes, a claim that ends. */
struct sealed {
    STAILQ_ENTRY(sealed) next;
    struct sm_key key;
    unsigned char *bytes; /* owned */
    size_t len;
};

TAILQ_HEAD(reads, tier_read);
STAILQ_HEAD(seals, sealed);

struct tier {
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    struct sealer sealer;
    int wake;
    uint64_t wait_ns, claim_ns;
    pthread_t thread;
    atomic_int is_up;
    pthread_mutex_t lock; /* of what others hand to the thread: */
    struct reads new_reads;
    struct seals new_writes;
    size_t reads, write_bytes; /* in all */
    int stopping;
    /* The thread's own. */
    struct link link;
    int late; /* lookups in a row that were not answered in time */
    uint64_t stop_ns;
    struct reads pending;
    struct seals writes;
    struct claims claims;
};

/* ---- Lookups end -------------------------------------------------------------------------------------------- */

/* Takes the lookup off, if the thread has it. */
static void detach(struct tier *t, struct tier_read *read) {
    if (read->asked)
        read->asked->read = NULL;
    read->asked = NULL;
    TAILQ_REMOVE(&t->pending, read, next);
    pthread_mutex_lock(&t->lock);
    t->reads--;
    pthread_mutex_unlock(&t->lock);
}

/* There is no such entry, as far as can be told in time. */
static void end_read(struct tier *t, struct tier_read *read) {
    detach(t, read);
    read->done(read, NULL);
}

/* An entry that has come was opened. */
static void on_opened(void *arg, struct result *result, sm_status refused) {
    struct tier_read *read = arg;
    read->refused = refused;
    read->done(read, result);
}

/* The lookup is answered by the reply, which is *taken*. */
static void begin_opening(struct tier *t, struct tier_read *read, struct redis_reply *reply) {
    struct charge charge = {0};
    read->refused = budget_take(t->budget, &charge, HELD_FILE, read->client, reply->len);
    detach(t, read);
    if (read->refused == SM_OK &&
        sealer_open(&t->sealer, read, &read->key, read->client, reply->bytes, reply->len, &charge)) {
        reply->bytes = NULL;
    } else {
        budget_give(&charge, 0);
        read->done(read, NULL);
    }
    redis_reply_free(reply);
}

/* ---- Commands ----------------------------------------------------------------------------------------------- */

/* Sends a command of COUNT words. Out of memory, the lookup ends, and a write is not done. */
static void ask(struct tier *t, enum what what, const struct sm_key *key, struct tier_read *read, int count,
                const char **words, const size_t *lengths) {
    struct command *c = malloc(sizeof *c);
    if (c)
        *c = (struct command){.what = what, .read = read, .key = *key};
    if (!c || !link_send(&t->link, &c->ask, count, words, lengths)) {
        free(c);
        if (read)
            end_read(t, read);
        return;
    }
    if (read)
        read->asked = c;
}

/* Writes PREFIX and the key. */
static void name_key(const char *prefix, const struct sm_key *key, char out[KEY_TEXT]) {
    char text[SM_KEY_TEXT];
    sm_key_text(key, text);
    snprintf(out, KEY_TEXT, "%s%s", prefix, text);
}

static void ask_entry(struct tier *t, struct tier_read *read) {
    char name[KEY_TEXT];
    name_key("smd:1:", &read->key, name);
    ask(t, ASK_GET, &read->key, read, 2, (const char *[]){"GET", name}, (const size_t[]){3, strlen(name)});
}

static void ask_claim(struct tier *t, struct tier_read *read) {
    char name[KEY_TEXT], seconds[12];
    name_key("smd:c:", &read->key, name);
    snprintf(seconds, sizeof seconds, "%d", CLAIM_S);
    ask(t, ASK_CLAIM, &read->key, read, 6, (const char *[]){"SET", name, "1", "NX", "EX", seconds},
        (const size_t[]){3, strlen(name), 1, 2, 2, strlen(seconds)});
}

/* Ends this server's claim, if it has one. */
static void ask_unclaim(struct tier *t, const struct sm_key *key) {
    char name[KEY_TEXT];
    if (!claims_end(&t->claims, key))
        return;
    name_key("smd:c:", key, name);
    ask(t, ASK_UNCLAIM, key, NULL, 2, (const char *[]){"DEL", name}, (const size_t[]){3, strlen(name)});
}

static void ask_set(struct tier *t, const struct sealed *w) {
    char name[KEY_TEXT], seconds[12];
    name_key("smd:1:", &w->key, name);
    snprintf(seconds, sizeof seconds, "%d", t->settings->shared_ttl_s);
    ask(t, ASK_SET, &w->key, NULL, 5, (const char *[]){"SET", name, (const char *)w->bytes, "EX", seconds},
        (const size_t[]){3, strlen(name), w->len, 2, strlen(seconds)});
}

/* ---- The connection ----------------------------------------------------------------------------------------- */

static void free_sealed(struct sealed *w) {
    free(w->bytes);
    free(w);
}

/* Forgets all that was to be written, and counts it. */
static void drop_writes(struct tier *t) {
    for (struct sealed *w; (w = STAILQ_FIRST(&t->writes)) != NULL;) {
        STAILQ_REMOVE_HEAD(&t->writes, next);
        pthread_mutex_lock(&t->lock);
        t->write_bytes -= w->len;
        pthread_mutex_unlock(&t->lock);
        if (w->len)
            metric_add(t->metrics, METRIC_SHARED_NOT_KEPT, 1);
        free_sealed(w);
    }
}

/* Takes over what others have handed in. */
static void take_new(struct tier *t, struct reads *reads) {
    TAILQ_INIT(reads);
    pthread_mutex_lock(&t->lock);
    TAILQ_CONCAT(reads, &t->new_reads, next);
    STAILQ_CONCAT(&t->writes, &t->new_writes);
    if (t->stopping && !t->stop_ns)
        t->stop_ns = sm_clock_ns() + FLUSH_MS * MS_NS;
    pthread_mutex_unlock(&t->lock);
}

/* Ends all lookups. */
static void end_reads(struct tier *t) {
    struct reads new;
    take_new(t, &new);
    TAILQ_CONCAT(&t->pending, &new, next);
    for (struct tier_read *read; (read = TAILQ_FIRST(&t->pending)) != NULL;)
        end_read(t, read);
}

static void set_up(struct tier *t, int is_up) {
    atomic_store(&t->is_up, is_up);
    metric_set(t->metrics, METRIC_SHARED_UP, is_up);
}

/* The link's callback. */
static void on_drop(struct link *l, struct link_ask *ask) {
    struct command *c = container_of(ask, struct command, ask);
    (void)l;
    if (c->read)
        c->read->asked = NULL;
    free(c);
}

/* The link's callback: the tier is down. */
static void on_lost(struct link *l, const char *address, const char *why, int is_first) {
    struct tier *t = container_of(l, struct tier, link);
    set_up(t, 0);
    t->late = 0;
    end_reads(t);
    drop_writes(t);
    metric_add(t->metrics, METRIC_SHARED_LOST, 1);
    if (is_first)
        log_event(LOG_LEVEL_WARNING, "shared_lost", "{s:s,s:s}", "address", address, "detail", why);
}

/* Whether Redis makes room by itself when it is full: it has a bound, and may evict. A service that tells nobody is
 * thought to. */
static void note_policy(struct tier *t, const struct redis_reply *info) {
    char policy[64] = "", bound[32] = "";
    if (info->type == REDIS_IS_BYTES) {
        redis_info_read(info, "maxmemory_policy:", policy, sizeof policy);
        redis_info_read(info, "maxmemory:", bound, sizeof bound);
    }
    int evicts = info->type != REDIS_IS_BYTES || (strcmp(policy, "noeviction") != 0 && strcmp(bound, "0") != 0);
    metric_set(t->metrics, METRIC_SHARED_EVICTS, evicts);
    if (!evicts)
        log_event(
            LOG_LEVEL_WARNING, "shared_policy", "{s:s,s:s,s:s}", "maxmemory", bound, "policy", policy, "detail",
            "The shared tier's Redis makes no room for what is new: set maxmemory, and maxmemory-policy allkeys-lru");
}

/* The link's callback. */
static void on_up(struct link *l) {
    struct tier *t = container_of(l, struct tier, link);
    char address[300];
    link_address(l, address, sizeof address);
    set_up(t, 1);
    log_event(LOG_LEVEL_INFO, "shared_up", "{s:s}", "address", address);
    ask(t, ASK_INFO, &(const struct sm_key){.byte = {0}}, NULL, 2, (const char *[]){"INFO", "memory"},
        (const size_t[]){4, 6});
}

/* ---- Replies ------------------------------------------------------------------------------------------------ */

/* Another server compiles this: looks again a little later, and a little later each time. */
static void look_later(struct tier *t, struct tier_read *read) {
    uint64_t now = sm_clock_ns(), step = (now - read->begun_ns) / 2;
    if (step < LOOK_LEAST_MS * MS_NS)
        step = LOOK_LEAST_MS * MS_NS;
    if (step > LOOK_MOST_MS * MS_NS)
        step = LOOK_MOST_MS * MS_NS;
    if (!read->due_ns)
        metric_add(t->metrics, METRIC_SHARED_WAITED, 1);
    read->due_ns = now + step;
}

/* There is no entry: the caller compiles it, unless another server does that now. */
static void on_missing(struct tier *t, struct tier_read *read) {
    uint64_t now = sm_clock_ns();
    if (!read->claims || claims_has(&t->claims, &read->key, now) || now - read->begun_ns >= t->claim_ns)
        end_read(t, read);
    else
        ask_claim(t, read);
}

/* The reply, *taken*, to a lookup that still waits for it. 0: the connection is no good. */
static int on_read_reply(struct tier *t, enum what what, struct tier_read *read, struct redis_reply *reply) {
    enum redis_type type = reply->type;
    t->late = 0;
    link_praise(&t->link);
    if (what == ASK_GET && type == REDIS_IS_BYTES) {
        ask_unclaim(t, &read->key);
        begin_opening(t, read, reply);
        return 1;
    }
    redis_reply_free(reply);
    if (what == ASK_GET && type == REDIS_IS_NIL) {
        on_missing(t, read);
    } else if (what == ASK_CLAIM && type == REDIS_IS_NIL) {
        look_later(t, read);
    } else if (what == ASK_CLAIM && type == REDIS_IS_WORD) {
        claims_add(&t->claims, &read->key, sm_clock_ns());
        if (read->due_ns) /* who had the claim may have written the entry since it was looked for */
            ask_entry(t, read);
        else
            end_read(t, read);
    } else if (what == ASK_CLAIM) { /* it cannot be made, as where memory is full: the caller compiles all the same */
        end_read(t, read);
    } else {
        end_read(t, read);
        return 0;
    }
    return 1;
}

/* Logs an error of a write, a minute after the last at the earliest. */
static void note_write_error(struct tier *t, const char *why) {
    static atomic_ullong last_ns;
    uint64_t now = sm_clock_ns(), last = atomic_load(&last_ns);
    metric_add(t->metrics, METRIC_SHARED_WRITE_ERRORS, 1);
    if (last && now - last < 60 * S_NS)
        return;
    atomic_store(&last_ns, now);
    log_event(LOG_LEVEL_WARNING, "shared_write", "{s:s}", "detail", why);
}

/* The link's callback. */
static int on_reply(struct link *l, struct link_ask *ask, struct redis_reply *reply) {
    struct tier *t = container_of(l, struct tier, link);
    struct command *c = container_of(ask, struct command, ask);
    enum what what = c->what;
    struct tier_read *read = c->read;
    free(c);
    if (read) {
        read->asked = NULL;
        return on_read_reply(t, what, read, reply);
    }
    if (what == ASK_SET && reply->type == REDIS_IS_WORD)
        metric_add(t->metrics, METRIC_SHARED_WRITTEN, 1);
    else if (what == ASK_SET)
        note_write_error(t, reply->type == REDIS_IS_ERROR ? (const char *)reply->bytes : "an unexpected reply");
    if (what == ASK_INFO)
        note_policy(t, reply);
    redis_reply_free(reply);
    return 1;
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

/* When the lookup has waited too long for a reply: since it was asked for, or since a part of what is to come came
 * last. */
static uint64_t reply_due(const struct tier *t, const struct tier_read *read) {
    uint64_t sent = read->asked->ask.sent_ns, whole = sent + TIMES_WHOLE * t->wait_ns, due = sent + t->wait_ns;
    if (t->link.moved_ns + t->wait_ns > due)
        due = t->link.moved_ns + t->wait_ns;
    return due < whole ? due : whole;
}

/* Ends the lookups that have waited too long, and repeats those whose time has come. */
static void tick_reads(struct tier *t) {
    uint64_t now = sm_clock_ns();
    struct tier_read *next;
    for (struct tier_read *read = TAILQ_FIRST(&t->pending); read; read = next) {
        next = TAILQ_NEXT(read, next);
        if (read->asked && now > reply_due(t, read)) {
            metric_add(t->metrics, METRIC_SHARED_LATE, 1);
            t->late++;
            end_read(t, read);
        } else if (!read->asked && now >= read->due_ns) {
            ask_entry(t, read);
        }
    }
}

/* Gives the connection up if it is late or silent, and begins a new one when it is time. */
static void tick_connection(struct tier *t) {
    char why[100];
    t->link.is_closing = t->stop_ns != 0;
    if (t->link.redis && t->late >= LATE_MOST) {
        snprintf(why, sizeof why, "%d lookups in a row were not answered within shared_wait_ms", LATE_MOST);
        link_lose(&t->link, why);
    } else {
        link_tick(&t->link);
    }
}

/* When something has to be done, at most in a second. */
static uint64_t next_due(const struct tier *t) {
    uint64_t now = sm_clock_ns(), first = link_due(&t->link, now);
    const struct tier_read *read;
    TAILQ_FOREACH(read, &t->pending, next) {
        uint64_t due = read->asked ? reply_due(t, read) : read->due_ns;
        first = due < first ? due : first;
    }
    return first;
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

/* Asks for what new lookups want. */
static void begin_reads(struct tier *t) {
    struct reads new;
    take_new(t, &new);
    for (struct tier_read *read; (read = TAILQ_FIRST(&new)) != NULL;) {
        TAILQ_REMOVE(&new, read, next);
        TAILQ_INSERT_TAIL(&t->pending, read, next);
        if (atomic_load(&t->is_up) && !t->stop_ns)
            ask_entry(t, read);
        else
            end_read(t, read);
    }
}

/* Sends what is to be written, as long as not much waits to be sent. */
static void send_writes(struct tier *t) {
    if (!atomic_load(&t->is_up)) {
        drop_writes(t);
        return;
    }
    for (struct sealed *w; redis_unsent(t->link.redis) < SEND_BYTES && (w = STAILQ_FIRST(&t->writes)) != NULL;) {
        STAILQ_REMOVE_HEAD(&t->writes, next);
        if (w->len)
            ask_set(t, w);
        ask_unclaim(t, &w->key);
        pthread_mutex_lock(&t->lock);
        t->write_bytes -= w->len;
        pthread_mutex_unlock(&t->lock);
        free_sealed(w);
    }
}

/* 1 while there is something to do: smd runs, or has just stopped, and not all is written. */
static int goes_on(const struct tier *t) {
    int is_flushed = !atomic_load(&t->is_up) || (STAILQ_EMPTY(&t->writes) && STAILQ_EMPTY(&t->link.sent));
    return !t->stop_ns || (!is_flushed && sm_clock_ns() < t->stop_ns);
}

static void *run_tier(void *arg) {
    struct tier *t = arg;
    while (goes_on(t)) {
        tick_connection(t);
        link_await(&t->link, t->wake, next_due(t));
        link_work(&t->link);
        begin_reads(t);
        tick_reads(t);
        send_writes(t);
        if (t->stop_ns)
            end_reads(t);
    }
    set_up(t, 0);
    end_reads(t);
    return NULL;
}

/* ---- What others call --------------------------------------------------------------------------------------- */

/* Reads what the settings name. */
static sm_status read_settings(struct tier *t, const struct settings *s, struct error *err) {
    t->link.addresses = redis_addresses_read("shared", s->shared, t->link.address, err);
    if (!t->link.addresses)
        return SM_INVALID_OPTION;
    return seal_secret_for("shared", "entries", s->mac_key, &t->sealer.secret, err);
}

sm_status tier_check(const struct settings *s, struct error *err) {
    struct tier *t = calloc(1, sizeof *t);
    sm_status status = t ? read_settings(t, s, err) : error_set(err, SM_NOMEM, "out of memory");
    free(t);
    return status;
}

/* Starts the three threads. 0 if one cannot be started. */
static int start_threads(struct tier *t) {
    t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return t->wake >= 0 && sealer_start(&t->sealer, WRITES_BYTES) &&
           pthread_create(&t->thread, NULL, run_tier, t) == 0;
}

/* Frees all but what threads use. */
static void free_all(struct tier *t) {
    sealer_free(&t->sealer);
    if (t->wake >= 0)
        close(t->wake);
    link_close(&t->link);
    claims_free(&t->claims);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

static void wake(struct tier *t) {
    const uint64_t one = 1;
    while (write(t->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

/* Hands over what is to be written, BYTES *taken*; without any, only a claim ends. */
static void hand_over(struct tier *t, const struct sm_key *key, unsigned char *bytes, size_t len) {
    struct sealed *w = malloc(sizeof *w);
    pthread_mutex_lock(&t->lock);
    int fits = w && !t->stop_ns && t->write_bytes + len <= WRITES_BYTES;
    if (fits) {
        *w = (struct sealed){.key = *key, .bytes = bytes, .len = len};
        STAILQ_INSERT_TAIL(&t->new_writes, w, next);
        t->write_bytes += len;
    }
    pthread_mutex_unlock(&t->lock);
    if (fits) {
        wake(t);
        return;
    }
    free(w);
    free(bytes);
    if (len)
        metric_add(t->metrics, METRIC_SHARED_NOT_KEPT, 1);
}

/* What is to be kept was sealed. */
static void on_sealed(void *owner, const struct sm_key *key, unsigned char *bytes, size_t len) {
    struct tier *t = owner;
    if (!bytes)
        metric_add(t->metrics, METRIC_SHARED_NOT_KEPT, 1);
    hand_over(t, key, bytes, len);
}

struct tier *tier_start(const struct settings *s, struct metrics *m, struct budget *b, struct error *err) {
    struct tier *t = calloc(1, sizeof *t);
    if (!t) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    *t = (struct tier){.settings = s, .metrics = m, .budget = b, .wake = -1};
    t->sealer = (struct sealer){.owner = t,
                                .largest = ((size_t)s->shared_entry_mib << 20) + SEAL_HEAD,
                                .result_most = (size_t)s->max_output_mib << 20,
                                .budget = b,
                                .metrics = m,
                                .damaged = METRIC_SHARED_DAMAGED,
                                .event = "shared_damaged",
                                .sealed = on_sealed,
                                .opened = on_opened};
    t->link = (struct link){.password_file = s->shared_password_file,
                            .password_setting = "shared_password_file",
                            .largest = t->sealer.largest,
                            .bound = "shared_entry_mib",
                            .up = on_up,
                            .reply = on_reply,
                            .drop = on_drop,
                            .lost = on_lost};
    t->wait_ns = (uint64_t)s->shared_wait_ms * MS_NS;
    t->claim_ns = (uint64_t)s->shared_claim_ms * MS_NS;
    pthread_mutex_init(&t->lock, NULL);
    TAILQ_INIT(&t->new_reads);
    TAILQ_INIT(&t->pending);
    STAILQ_INIT(&t->new_writes);
    STAILQ_INIT(&t->writes);
    link_init(&t->link);
    claims_init(&t->claims);
    if (read_settings(t, s, err) == SM_OK) {
        if (start_threads(t))
            return t;
        error_set(err, SM_NOMEM, "no thread could be started");
    }
    sealer_stop_sealing(&t->sealer);
    sealer_stop_opening(&t->sealer);
    free_all(t);
    return NULL;
}

int tier_is_up(const struct tier *t) {
    return t && atomic_load(&t->is_up);
}

void tier_begin_read(struct tier *t, struct tier_read *read) {
    read->refused = SM_OK;
    read->asked = NULL;
    read->due_ns = 0;
    read->begun_ns = sm_clock_ns();
    pthread_mutex_lock(&t->lock);
    int fits = tier_is_up(t) && !t->stopping && t->reads < READS_MOST;
    if (fits) {
        TAILQ_INSERT_TAIL(&t->new_reads, read, next);
        t->reads++;
    }
    pthread_mutex_unlock(&t->lock);
    if (fits)
        wake(t);
    else
        read->done(read, NULL);
}

void tier_write(struct tier *t, const struct sm_key *key, struct result *result) {
    if (!tier_is_up(t) || sealer_seal(&t->sealer, key, result))
        return;
    metric_add(t->metrics, METRIC_SHARED_NOT_KEPT, 1);
    tier_release(t, key);
}

void tier_release(struct tier *t, const struct sm_key *key) {
    if (tier_is_up(t))
        hand_over(t, key, NULL, 0);
}

int tier_stop(struct tier *t) {
    enum { PATIENCE_S = 3 };
    if (!t)
        return 1;
    sealer_stop_sealing(&t->sealer);
    pthread_mutex_lock(&t->lock);
    t->stopping = 1;
    pthread_mutex_unlock(&t->lock);
    wake(t);
    int has_ended = thread_join_within(t->thread, PATIENCE_S);
    sealer_stop_opening(&t->sealer);
    return has_ended;
}

void tier_free(struct tier *t) {
    struct reads none;
    if (!t)
        return;
    take_new(t, &none);
    drop_writes(t);
    free_all(t);
}
