/* store.c - see store.h. */
#include "store.h"

#include "clock.h"
#include "container.h"
#include "digest.h"
#include "log.h"
#include "objects.h"
#include "sealer.h"
#include "tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS UINT64_C(1000000)
#define S_NS  UINT64_C(1000000000)

/* In milliseconds: for a request that asks whether the store is up; between two of them, at first and at most; for what is
 * to be written when smd stops; between two looks around. */
enum { PROBE_MS = 5000, RETRY_LEAST_MS = 100, RETRY_MOST_MS = 10000, FLUSH_MS = 1000, IDLE_MS = 1000 };

/* Lookups under way, of which so many are asked for at once; entries written at once; lookups in a row that fail before the
 * store is down; bytes that wait to be sealed, and sealed. How many times store_wait_ms an answer may take that has begun. */
enum { READS_MOST = 4096, GETS_MOST = 64, PUTS_MOST = 4, FAULTS_MOST = 3, WRITES_BYTES = 64 << 20, TIMES_WHOLE = 20 };
enum { NOBODY = 0 };

/* A GET, for a lookup. */
struct get {
    struct object_ask ask;
    struct store *store;
    struct store_read *read;
    struct charge charge; /* of what has come */
};

/* An entry that is written, or waits for that. */
struct put {
    STAILQ_ENTRY(put) next;
    struct object_ask ask;
    struct store *store;
    unsigned char *bytes; /* owned */
    struct result
        *offered; /* owned reference; NULL, or the store is asked whether it has it, before there are bytes */
    size_t len;
    struct charge charge; /* of the bytes */
};

TAILQ_HEAD(store_reads, store_read);
STAILQ_HEAD(puts, put);

struct store {
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    struct sealer sealer;
    struct objects *objects;
    uint64_t wait_ns;
    pthread_t thread;
    atomic_int is_up;
    pthread_mutex_t lock; /* of what others hand to the thread: */
    struct store_reads new_reads;
    struct puts new_puts;
    size_t reads, write_bytes; /* in all */
    int stopping;
    /* The thread's own. */
    struct store_reads waiting, asked; /* lookups without and with a request */
    struct puts waiting_puts, asked_puts;
    int gets, puts, faults; /* faults: lookups in a row that failed */
    struct object_ask probe;
    int is_probing, is_told; /* is_told: the log has it that the store is down */
    unsigned retry_ms;
    uint64_t retry_ns, probe_due_ns, stop_ns, write_error_ns;
};

/* ---- Lookups end -------------------------------------------------------------------------------------------- */

/* Counts a lookup that is no longer the thread's. */
static void count_out(struct store *t) {
    pthread_mutex_lock(&t->lock);
    t->reads--;
    pthread_mutex_unlock(&t->lock);
}

/* Ends a lookup that has no request: there is no such entry, as far as can be told in time. */
static void end_waiting(struct store *t, struct store_read *read) {
    TAILQ_REMOVE(&t->waiting, read, next);
    count_out(t);
    read->done(read, NULL);
}

/* Takes the lookup off its request, which is freed with all but the bytes. */
static struct store_read *detach(struct store *t, struct get *get) {
    struct store_read *read = get->read;
    read->get = NULL;
    TAILQ_REMOVE(&t->asked, read, next);
    t->gets--;
    count_out(t);
    budget_give(&get->charge, 0);
    free(get);
    return read;
}

/* Gives a request up: its lookup finds nothing. */
static void give_up(struct store *t, struct get *get) {
    objects_cancel(t->objects, &get->ask);
    struct store_read *read = detach(t, get);
    read->done(read, NULL);
}

/* An entry that has come was opened. */
static void on_opened(void *arg, struct result *result, sm_status refused) {
    struct store_read *read = arg;
    read->refused = refused;
    read->done(read, result);
}

/* The lookup has its bytes. */
static void begin_opening(struct store *t, struct get *get) {
    unsigned char *bytes = get->ask.bytes;
    size_t len = get->ask.len;
    struct charge charge = {0};
    budget_move(&charge, &get->charge, HELD_FILE);
    struct store_read *read = detach(t, get);
    if (sealer_open(&t->sealer, read, &read->key, read->client, bytes, len, &charge))
        return;
    budget_give(&charge, 0);
    free(bytes);
    read->done(read, NULL);
}

/* ---- Up and down -------------------------------------------------------------------------------------------- */

static void set_up(struct store *t, int is_up) {
    atomic_store(&t->is_up, is_up);
    metric_set(t->metrics, METRIC_STORE_UP, is_up);
}

static void free_put(struct store *t, struct put *p) {
    pthread_mutex_lock(&t->lock);
    t->write_bytes -= p->len;
    pthread_mutex_unlock(&t->lock);
    budget_give(&p->charge, 0);
    free(p->bytes);
    result_unref(p->offered);
    free(p);
}

/* Forgets all that was to be written, and counts it. */
static void drop_writes(struct store *t) {
    for (struct put *p; (p = STAILQ_FIRST(&t->asked_puts)) != NULL; t->puts--) {
        STAILQ_REMOVE_HEAD(&t->asked_puts, next);
        objects_cancel(t->objects, &p->ask);
        metric_add(t->metrics, METRIC_STORE_NOT_KEPT, 1);
        free_put(t, p);
    }
    for (struct put *p; (p = STAILQ_FIRST(&t->waiting_puts)) != NULL;) {
        STAILQ_REMOVE_HEAD(&t->waiting_puts, next);
        metric_add(t->metrics, METRIC_STORE_NOT_KEPT, 1);
        free_put(t, p);
    }
}

/* Takes over what others have handed in. */
static void take_new(struct store *t) {
    pthread_mutex_lock(&t->lock);
    TAILQ_CONCAT(&t->waiting, &t->new_reads, next);
    STAILQ_CONCAT(&t->waiting_puts, &t->new_puts);
    if (t->stopping && !t->stop_ns)
        t->stop_ns = sm_clock_ns() + FLUSH_MS * MS_NS;
    pthread_mutex_unlock(&t->lock);
}

/* Ends all lookups. */
static void end_reads(struct store *t) {
    take_new(t);
    for (struct store_read *read; (read = TAILQ_FIRST(&t->asked)) != NULL;)
        give_up(t, read->get);
    for (struct store_read *read; (read = TAILQ_FIRST(&t->waiting)) != NULL;)
        end_waiting(t, read);
}

/* The time before the next look whether it is up: twice that before the last, and up to a quarter more, so that servers of
 * one store do not come back at once. */
static void plan_retry(struct store *t) {
    unsigned next = t->retry_ms ? 2 * t->retry_ms : RETRY_LEAST_MS;
    uint64_t now = sm_clock_ns();
    t->retry_ms = next < RETRY_MOST_MS ? next : RETRY_MOST_MS;
    t->retry_ns = now + t->retry_ms * MS_NS + now % (t->retry_ms / 4 + 1) * MS_NS;
}

/* The store is down, or still is. */
static void lose(struct store *t, const char *why) {
    set_up(t, 0);
    t->faults = 0;
    end_reads(t);
    drop_writes(t);
    plan_retry(t);
    metric_add(t->metrics, METRIC_STORE_LOST, 1);
    if (!t->is_told)
        log_event(LOG_LEVEL_WARNING, "store_lost", "{s:s,s:s}", "store", objects_base(t->objects), "detail", why);
    t->is_told = 1;
}

/* One more lookup in a row has failed. */
static void note_fault(struct store *t, enum metric counter, const char *why) {
    metric_add(t->metrics, counter, 1);
    if (++t->faults >= FAULTS_MOST)
        lose(t, why);
}

/* The callback of a request that asks whether the store is up: for an entry that nobody has. */
static void on_probed(struct object_ask *ask) {
    struct store *t = container_of(ask, struct store, probe);
    t->is_probing = 0;
    free(ask->bytes);
    if (ask->http != 200 && ask->http != 404) {
        lose(t, ask->why);
        return;
    }
    t->retry_ms = 0;
    t->is_told = 0;
    set_up(t, 1);
    log_event(LOG_LEVEL_INFO, "store_up", "{s:s}", "store", objects_base(t->objects));
}

static int grow_probe(struct object_ask *ask, size_t bytes) {
    (void)ask;
    return bytes <= 64 << 10;
}

/* Asks whether the store is up when it is time, and gives that up when it takes too long. */
static void tick_probe(struct store *t) {
    uint64_t now = sm_clock_ns();
    if (t->is_probing && now >= t->probe_due_ns) {
        objects_cancel(t->objects, &t->probe);
        t->is_probing = 0;
        lose(t, "it has not answered within five seconds");
    } else if (!t->is_probing && !atomic_load(&t->is_up) && !t->stop_ns && now >= t->retry_ns) {
        t->probe = (struct object_ask){.done = on_probed, .grow = grow_probe};
        t->probe_due_ns = now + PROBE_MS * MS_NS;
        t->is_probing = objects_begin(t->objects, &t->probe);
        if (!t->is_probing)
            lose(t, t->probe.why);
    }
}

/* ---- Lookups ------------------------------------------------------------------------------------------------ */

/* The callback of a lookup's request. */
static void on_got(struct object_ask *ask) {
    struct get *get = container_of(ask, struct get, ask);
    struct store *t = get->store;
    char why[sizeof ask->why];
    memcpy(why, ask->why, sizeof why);
    int is_there = ask->http == 200, is_fault = !is_there && ask->http != 404 && get->read->refused == SM_OK;
    if (is_there) {
        t->faults = 0;
        begin_opening(t, get);
        return;
    }
    struct store_read *read = detach(t, get);
    read->done(read, NULL);
    if (is_fault)
        note_fault(t, METRIC_STORE_FAULTS, why);
    else
        t->faults = 0;
}

/* Charges the lookup's client with what comes. */
static int grow_get(struct object_ask *ask, size_t bytes) {
    struct get *get = container_of(ask, struct get, ask);
    get->read->refused = budget_take(get->store->budget, &get->charge, HELD_FILE, get->read->client, bytes);
    return get->read->refused == SM_OK;
}

/* Asks for the entries of lookups that wait, as many as may be asked for at once. */
static void begin_gets(struct store *t) {
    for (struct store_read *read; t->gets < GETS_MOST && (read = TAILQ_FIRST(&t->waiting)) != NULL;) {
        struct get *get = malloc(sizeof *get);
        if (get)
            *get =
                (struct get){.store = t, .read = read, .ask = {.key = read->key, .done = on_got, .grow = grow_get}};
        if (!get || !objects_begin(t->objects, &get->ask)) {
            end_waiting(t, read);
            note_fault(t, METRIC_STORE_FAULTS, get ? get->ask.why : "out of memory");
            free(get);
            continue;
        }
        TAILQ_REMOVE(&t->waiting, read, next);
        TAILQ_INSERT_TAIL(&t->asked, read, next);
        read->get = get;
        read->begun_ns = sm_clock_ns();
        t->gets++;
    }
}

/* When the lookup has waited too long: since it was asked for, or since a part of what is to come came last. */
static uint64_t read_due(const struct store *t, const struct store_read *read) {
    uint64_t whole = read->begun_ns + TIMES_WHOLE * t->wait_ns, due = read->begun_ns + t->wait_ns;
    if (read->get && read->get->ask.moved_ns + t->wait_ns > due)
        due = read->get->ask.moved_ns + t->wait_ns;
    return due < whole ? due : whole;
}

/* Ends the lookups that have waited too long. What has waited for others is no fault of the store's. */
static void tick_reads(struct store *t) {
    uint64_t now = sm_clock_ns();
    struct store_read *read, *next;
    for (read = TAILQ_FIRST(&t->waiting); read; read = next) {
        next = TAILQ_NEXT(read, next);
        if (now <= read_due(t, read))
            continue;
        metric_add(t->metrics, METRIC_STORE_BUSY, 1);
        end_waiting(t, read);
    }
    for (read = TAILQ_FIRST(&t->asked); read; read = next) {
        next = TAILQ_NEXT(read, next);
        if (now <= read_due(t, read))
            continue;
        give_up(t, read->get);
        note_fault(t, METRIC_STORE_LATE, "three lookups in a row were not answered within store_wait_ms");
        if (!atomic_load(&t->is_up)) /* none is left */
            return;
    }
}

/* ---- Writes ------------------------------------------------------------------------------------------------- */

/* Logs an error of a write, a minute after the last at the earliest. */
static void note_write_error(struct store *t, const char *why) {
    uint64_t now = sm_clock_ns();
    metric_add(t->metrics, METRIC_STORE_WRITE_ERRORS, 1);
    if (t->write_error_ns && now - t->write_error_ns < 60 * S_NS)
        return;
    t->write_error_ns = now;
    log_event(LOG_LEVEL_WARNING, "store_write", "{s:s,s:s}", "store", objects_base(t->objects), "detail", why);
}

/* The callback of a write. */
static void on_put(struct object_ask *ask) {
    struct put *p = container_of(ask, struct put, ask);
    struct store *t = p->store;
    STAILQ_REMOVE(&t->asked_puts, p, put, next);
    t->puts--;
    if (p->offered && ask->http == 404 && !t->stop_ns)
        store_write(t, &ask->key, p->offered);
    else if (ask->http / 100 == 2)
        metric_add(t->metrics, METRIC_STORE_WRITTEN, !p->offered);
    else
        note_write_error(t, ask->http == 404 ? "it has answered with status 404" : ask->why);
    free_put(t, p);
}

/* Begins to write what waits, a few at once. */
static void begin_puts(struct store *t) {
    if (!atomic_load(&t->is_up)) {
        drop_writes(t);
        return;
    }
    for (struct put *p; t->puts < PUTS_MOST && (p = STAILQ_FIRST(&t->waiting_puts)) != NULL;) {
        STAILQ_REMOVE_HEAD(&t->waiting_puts, next);
        p->ask.done = on_put;
        p->ask.is_head = p->offered != NULL;
        if (p->bytes)
            p->ask.content = (sm_slice){p->bytes, p->len};
        if (objects_begin(t->objects, &p->ask)) {
            STAILQ_INSERT_TAIL(&t->asked_puts, p, next);
            t->puts++;
        } else {
            note_write_error(t, p->ask.why);
            free_put(t, p);
        }
    }
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

/* When something has to be done. */
static uint64_t next_due(const struct store *t) {
    uint64_t first = sm_clock_ns() + IDLE_MS * MS_NS;
    const struct store_read *read;
    const struct store_reads *const lists[] = {&t->waiting, &t->asked};
    for (int i = 0; i < 2; i++)
        TAILQ_FOREACH(read, lists[i], next) {
            uint64_t due = read_due(t, read);
            first = due < first ? due : first;
        }
    if (t->is_probing && t->probe_due_ns < first)
        first = t->probe_due_ns;
    if (!t->is_probing && !atomic_load(&t->is_up) && t->retry_ns < first)
        first = t->retry_ns;
    return first;
}

/* 1 while there is something to do: smd runs, or has just stopped, and not all is written. */
static int goes_on(struct store *t) {
    take_new(t);
    int is_flushed = !atomic_load(&t->is_up) || (STAILQ_EMPTY(&t->waiting_puts) && STAILQ_EMPTY(&t->asked_puts));
    return !t->stop_ns || (!is_flushed && sm_clock_ns() < t->stop_ns);
}

static void *run_store(void *arg) {
    struct store *t = arg;
    while (goes_on(t)) {
        if (!atomic_load(&t->is_up) || t->stop_ns)
            end_reads(t);
        tick_probe(t);
        begin_gets(t);
        begin_puts(t);
        objects_work(t->objects);
        tick_reads(t);
        objects_wait(t->objects, next_due(t));
    }
    set_up(t, 0);
    end_reads(t);
    drop_writes(t);
    if (t->is_probing)
        objects_cancel(t->objects, &t->probe);
    return NULL;
}

/* ---- What others call --------------------------------------------------------------------------------------- */

/* Reads what the settings name. */
static sm_status read_settings(struct store *t, const struct settings *s, struct error *err) {
    t->sealer.largest = ((size_t)s->store_entry_mib << 20) + SEAL_HEAD;
    t->objects = objects_new(s, t->sealer.largest, err);
    if (!t->objects)
        return SM_INVALID_OPTION;
    return seal_secret_for("store", "entries", s->mac_key, &t->sealer.secret, err);
}

sm_status store_check(const struct settings *s, struct error *err) {
    struct store *t = calloc(1, sizeof *t);
    sm_status status = t ? read_settings(t, s, err) : error_set(err, SM_NOMEM, "out of memory");
    if (t)
        objects_free(t->objects);
    free(t);
    return status;
}

/* Frees all but what threads use. */
static void free_all(struct store *t) {
    sealer_free(&t->sealer);
    objects_free(t->objects);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* Hands over what is to be written; 0: there is no room. */
static int hand_over(struct store *t, struct put *p) {
    if (budget_take(t->budget, &p->charge, HELD_FILE, NOBODY, p->len) != SM_OK)
        return 0;
    pthread_mutex_lock(&t->lock);
    int fits = !t->stop_ns && store_is_up(t) && t->write_bytes + p->len <= WRITES_BYTES;
    if (fits) {
        STAILQ_INSERT_TAIL(&t->new_puts, p, next);
        t->write_bytes += p->len;
    }
    pthread_mutex_unlock(&t->lock);
    if (fits)
        objects_wake(t->objects);
    else
        budget_give(&p->charge, 0);
    return fits;
}

/* Writes the bytes' SHA-256, which S3's signature has. 0 if that fails. */
static int digest_text(const unsigned char *bytes, size_t len, char out[OBJECT_SHA256_TEXT]) {
    struct sm_key digest;
    _Static_assert((int)OBJECT_SHA256_TEXT == (int)SM_KEY_TEXT, "both are SHA-256");
    if (sm_digest(bytes, len, digest.byte) != SM_OK)
        return 0;
    sm_key_text(&digest, out);
    return 1;
}

/* What is to be kept was sealed. */
static void on_sealed(void *owner, const struct sm_key *key, unsigned char *bytes, size_t len) {
    struct store *t = owner;
    struct put *p = bytes ? calloc(1, sizeof *p) : NULL;
    if (p) {
        *p = (struct put){.store = t, .ask.key = *key, .bytes = bytes, .len = len};
        if (digest_text(bytes, len, p->ask.sha256) && hand_over(t, p))
            return;
    }
    metric_add(t->metrics, METRIC_STORE_NOT_KEPT, 1);
    free(bytes);
    free(p);
}

struct store *store_start(const struct settings *s, struct metrics *m, struct budget *b, struct error *err) {
    struct store *t = calloc(1, sizeof *t);
    if (!t) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    *t = (struct store){.settings = s, .metrics = m, .budget = b, .wait_ns = (uint64_t)s->store_wait_ms * MS_NS};
    t->sealer = (struct sealer){.owner = t,
                                .result_most = (size_t)s->max_output_mib << 20,
                                .budget = b,
                                .metrics = m,
                                .damaged = METRIC_STORE_DAMAGED,
                                .event = "store_damaged",
                                .sealed = on_sealed,
                                .opened = on_opened};
    pthread_mutex_init(&t->lock, NULL);
    TAILQ_INIT(&t->new_reads);
    TAILQ_INIT(&t->waiting);
    TAILQ_INIT(&t->asked);
    STAILQ_INIT(&t->new_puts);
    STAILQ_INIT(&t->waiting_puts);
    STAILQ_INIT(&t->asked_puts);
    if (read_settings(t, s, err) == SM_OK) {
        if (sealer_start(&t->sealer, WRITES_BYTES) && pthread_create(&t->thread, NULL, run_store, t) == 0)
            return t;
        error_set(err, SM_NOMEM, "no thread could be started");
    }
    sealer_stop_sealing(&t->sealer);
    sealer_stop_opening(&t->sealer);
    free_all(t);
    return NULL;
}

int store_is_up(const struct store *t) {
    return t && atomic_load(&t->is_up);
}

void store_begin_read(struct store *t, struct store_read *read) {
    read->refused = SM_OK;
    read->get = NULL;
    read->begun_ns = sm_clock_ns();
    pthread_mutex_lock(&t->lock);
    int fits = store_is_up(t) && !t->stopping && t->reads < READS_MOST;
    if (fits) {
        TAILQ_INSERT_TAIL(&t->new_reads, read, next);
        t->reads++;
    }
    pthread_mutex_unlock(&t->lock);
    if (fits)
        objects_wake(t->objects);
    else
        read->done(read, NULL);
}

void store_write(struct store *t, const struct sm_key *key, struct result *result) {
    if (store_is_up(t) && !sealer_seal(&t->sealer, key, result))
        metric_add(t->metrics, METRIC_STORE_NOT_KEPT, 1);
}

void store_offer(struct store *t, const struct sm_key *key, struct result *result) {
    struct put *p = store_is_up(t) ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return;
    *p = (struct put){
        .store = t, .ask.key = *key, .offered = result_ref(result), .len = result_with_parts(result).len};
    if (hand_over(t, p))
        return;
    metric_add(t->metrics, METRIC_STORE_NOT_KEPT, 1);
    result_unref(p->offered);
    free(p);
}

void store_stop(struct store *t) {
    if (!t)
        return;
    sealer_stop_sealing(&t->sealer);
    pthread_mutex_lock(&t->lock);
    t->stopping = 1;
    pthread_mutex_unlock(&t->lock);
    objects_wake(t->objects);
    pthread_join(t->thread, NULL);
    sealer_stop_opening(&t->sealer);
}

void store_free(struct store *t) {
    if (!t)
        return;
    take_new(t);
    drop_writes(t);
    free_all(t);
}
