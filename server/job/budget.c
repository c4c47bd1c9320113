/* budget.c - see budget.h. One lock covers the sums, the clients, and all charges. */
#include "budget.h"

#include "container.h"
#include "hash.h"
#include "log.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum pool_of { POOL_QUEUE, POOL_ANSWERS, POOL_CONNECTIONS, POOLS };

static const struct {
    enum pool_of pool;
    enum metric metric;
} rows[HELD_KINDS] = {
#define X(name, pool) {POOL_##pool, METRIC_HELD_##name},
    HELD_MAP(X)
#undef X
};

/* What a client holds. */
struct account {
    struct hash_node node; /* the hash is the client's number */
    size_t held[POOLS];
};

struct budget {
    const struct settings *settings;
    struct metrics *metrics;
    budget_reclaim *reclaim;
    void *arg;
    pthread_mutex_t lock; /* of everything below */
    struct hash clients;
    size_t held[POOLS], kind[HELD_KINDS];
};

struct budget *budget_new(const struct settings *s, struct metrics *m) {
    struct budget *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->settings = s;
    b->metrics = m;
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

void budget_free(struct budget *b) {
    if (!b)
        return;
    for (int i = 0; i < HELD_KINDS; i++) {
        if (b->kind[i])
            log_event(LOG_LEVEL_ERROR, "bytes_not_given_back", "{s:i,s:I}", "what", i, "bytes",
                      (json_int_t)b->kind[i]);
        assert(b->kind[i] == 0);
    }
    assert(b->clients.count == 0);
    hash_free(&b->clients);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

void budget_on_refusal(struct budget *b, budget_reclaim *reclaim, void *arg) {
    b->reclaim = reclaim;
    b->arg = arg;
}

/* The bound of all clients together. Bytes. */
static size_t bound_of(const struct budget *b, enum pool_of pool) {
    return (size_t)(pool == POOL_QUEUE ? b->settings->queue_mib : b->settings->answers_mib) << 20;
}

/* What is left of the bound without the reserve. Bytes. */
static size_t without_reserve(size_t bound) {
    return bound - bound / BUDGET_SHARE;
}

size_t budget_most(const struct budget *b, enum held_kind what) {
    return without_reserve(bound_of(b, rows[what].pool)) / (BUDGET_SHARE + 1) * BUDGET_SHARE;
}

const char *budget_refusal(sm_status s) {
    return s == SM_TOO_MANY_REQUESTS ? "This client holds as much of the server's memory as it may"
           : s == SM_OVERLOADED      ? "The server holds as many bytes of requests and results as it may"
           : s == SM_NOMEM           ? "Out of memory"
                                     : "It is larger than what this server holds for one client";
}

/* The client's account, made if there is none; NULL if out of memory. Under the lock. */
static struct account *find_or_add(struct budget *b, uint64_t client) {
    struct hash_node *n = hash_find(&b->clients, client);
    if (n)
        return container_of(n, struct account, node);
    struct account *a = calloc(1, sizeof *a);
    if (a && hash_add(&b->clients, &a->node, client))
        return a;
    free(a);
    return NULL;
}

/* Forgets the client if it holds nothing. Under the lock. */
static void forget_idle(struct budget *b, struct account *a) {
    for (int i = 0; i < POOLS; i++)
        if (a->held[i])
            return;
    hash_remove(&b->clients, &a->node);
    free(a);
}

/* Adds BYTES, which may be negative, to all sums. Under the lock. */
static void add(struct budget *b, struct account *a, enum held_kind what, long long bytes) {
    enum pool_of pool = rows[what].pool;
    a->held[pool] += (size_t)bytes;
    b->held[pool] += (size_t)bytes;
    b->kind[what] += (size_t)bytes;
    metric_add(b->metrics, rows[what].metric, bytes);
    if (what != HELD_RESULT && what != HELD_CONNECTION)
        metric_add(b->metrics, pool == POOL_QUEUE ? METRIC_BODY_BYTES : METRIC_ANSWER_BYTES, bytes);
}

/* 1 if the bytes are more than would ever fit, and may be held all the same: nothing like them is. */
static int is_only_one(const struct budget *b, enum held_kind what, size_t bytes) {
    if (what != HELD_RESULT && what != HELD_ANSWER)
        return 0;
    return bytes > budget_most(b, what) && b->kind[what] == 0;
}

/* 1 if the client's part is small enough beside what would be left: of all but the reserve for who holds much, of all
 * for who holds little. Under the lock. */
static int is_in_share(const struct budget *b, const struct account *a, enum pool_of pool, size_t bytes) {
    size_t bound = bound_of(b, pool), after = b->held[pool] + bytes, mine = a->held[pool] + bytes;
    size_t main = without_reserve(bound), left = after < bound ? bound - after : 0;
    return (after < main && mine <= (main - after) * BUDGET_SHARE) || mine <= left / BUDGET_SHARE;
}

/* What is to be said to BYTES more of the client's. Under the lock. */
static sm_status judge(const struct budget *b, const struct account *a, enum held_kind what, size_t bytes) {
    enum pool_of pool = rows[what].pool;
    size_t bound = bound_of(b, pool), held = b->held[pool];
    if (bytes == 0 || pool == POOL_CONNECTIONS || is_only_one(b, what, bytes))
        return SM_OK;
    if (bytes > budget_most(b, what))
        return what == HELD_RESULT || what == HELD_ANSWER ? SM_OVERLOADED : SM_TOO_LARGE;
    if (held + bytes > bound || !is_in_share(b, a, pool, bytes))
        return held + bytes > bound || a->held[pool] == held ? SM_OVERLOADED : SM_TOO_MANY_REQUESTS;
    return SM_OK;
}

/* The charge has BYTES more. Its budget is read without the lock, so it is written once. Under the lock. */
static void grow(struct charge *c, struct budget *b, enum held_kind what, uint64_t client, size_t bytes) {
    if (!c->bytes && c->budget != b)
        c->budget = b;
    if (!c->bytes) {
        c->client = client;
        c->what = what;
    }
    c->bytes += bytes;
}

/* Takes BYTES for the charge. Under the lock. */
static sm_status take_locked(struct budget *b, struct charge *c, enum held_kind what, uint64_t client, size_t bytes) {
    assert(c->bytes == 0 || (c->what == what && c->client == client));
    struct account *a = find_or_add(b, client);
    sm_status s = a ? judge(b, a, what, bytes) : SM_NOMEM;
    if (s == SM_OK) {
        grow(c, b, what, client, bytes);
        add(b, a, what, (long long)bytes);
    }
    if (a)
        forget_idle(b, a);
    return s;
}

/* Gives back all but LEFT bytes. Under the lock. */
static void give_locked(struct charge *c, size_t left) {
    struct budget *b = c->budget;
    assert(left <= c->bytes);
    if (left == c->bytes)
        return;
    struct hash_node *n = hash_find(&b->clients, c->client);
    assert(n);
    struct account *a = container_of(n, struct account, node);
    add(b, a, c->what, -(long long)(c->bytes - left));
    c->bytes = left;
    forget_idle(b, a);
}

/* 1 if room was made after a take was refused with S, so that it is worth another try. */
static int reclaimed(struct budget *b, enum held_kind what, uint64_t client, sm_status s) {
    return b->reclaim && rows[what].pool == POOL_QUEUE && (s == SM_OVERLOADED || s == SM_TOO_MANY_REQUESTS) &&
           b->reclaim(b->arg, client, s == SM_TOO_MANY_REQUESTS);
}

sm_status budget_take(struct budget *b, struct charge *c, enum held_kind what, uint64_t client, size_t bytes) {
    sm_status s;
    if (!b || !bytes)
        return SM_OK;
    do {
        pthread_mutex_lock(&b->lock);
        s = take_locked(b, c, what, client, bytes);
        pthread_mutex_unlock(&b->lock);
    } while (s != SM_OK && reclaimed(b, what, client, s));
    return s;
}

void budget_give(struct charge *c, size_t left) {
    if (!c->budget || c->bytes == left)
        return;
    struct budget *b = c->budget;
    pthread_mutex_lock(&b->lock);
    give_locked(c, left);
    pthread_mutex_unlock(&b->lock);
}

void budget_move(struct charge *to, struct charge *from, enum held_kind what) {
    struct budget *b = from->budget;
    assert(to->bytes == 0 && rows[what].pool == rows[from->what].pool);
    *to = *from;
    to->what = what;
    from->bytes = 0;
    if (!b || to->bytes == 0)
        return;
    pthread_mutex_lock(&b->lock);
    struct hash_node *n = hash_find(&b->clients, to->client);
    assert(n);
    struct account *a = container_of(n, struct account, node);
    add(b, a, from->what, -(long long)to->bytes);
    add(b, a, what, (long long)to->bytes);
    pthread_mutex_unlock(&b->lock);
}

/* Counts what the lent bytes have grown by. Under the lock. */
static sm_status grow_locked(struct budget *b, struct lent *lent, enum held_kind what, uint64_t client,
                             size_t bytes) {
    if (bytes <= lent->charge.bytes)
        return SM_OK;
    return take_locked(b, &lent->charge, what, lent->charge.bytes ? lent->charge.client : client,
                       bytes - lent->charge.bytes);
}

sm_status budget_lend(struct budget *b, struct lent *lent, enum held_kind what, uint64_t client, size_t bytes) {
    sm_status s;
    if (!b)
        return SM_OK;
    do {
        pthread_mutex_lock(&b->lock);
        s = grow_locked(b, lent, what, client, bytes);
        lent->readers += s == SM_OK;
        pthread_mutex_unlock(&b->lock);
    } while (s != SM_OK && reclaimed(b, what, client, s));
    return s;
}

sm_status budget_lend_more(struct budget *b, struct lent *lent, size_t bytes) {
    sm_status s;
    if (!b)
        return SM_OK;
    pthread_mutex_lock(&b->lock);
    assert(lent->readers > 0 && lent->charge.bytes > 0);
    s = grow_locked(b, lent, lent->charge.what, lent->charge.client, bytes);
    pthread_mutex_unlock(&b->lock);
    return s;
}

void budget_lend_again(struct lent *lent) {
    struct budget *b = lent->charge.budget;
    if (!b)
        return;
    pthread_mutex_lock(&b->lock);
    assert(lent->readers > 0);
    lent->readers++;
    pthread_mutex_unlock(&b->lock);
}

void budget_return(struct lent *lent) {
    struct budget *b = lent->charge.budget;
    if (!b)
        return;
    pthread_mutex_lock(&b->lock);
    assert(lent->readers > 0);
    if (--lent->readers == 0)
        give_locked(&lent->charge, 0);
    pthread_mutex_unlock(&b->lock);
}

sm_status budget_send(struct budget *b, uint64_t client, struct charge *own, size_t own_bytes, struct lent *lent,
                      size_t shared) {
    sm_status s = SM_OK;
    pthread_mutex_lock(&b->lock);
    size_t counted = lent ? lent->charge.bytes : 0, grown = shared > counted ? shared - counted : 0;
    struct account *a = find_or_add(b, client);
    s = a ? judge(b, a, HELD_ANSWER, own_bytes + grown) : SM_NOMEM;
    if (s == SM_OK && own_bytes) {
        grow(own, b, HELD_ANSWER, client, own_bytes);
        add(b, a, HELD_ANSWER, (long long)own_bytes);
    }
    if (s == SM_OK && lent) {
        struct charge *c = &lent->charge;
        struct account *whose = c->bytes ? find_or_add(b, c->client) : a; /* it is there, as it holds something */
        grow(c, b, HELD_ANSWER, client, grown);
        add(b, whose, HELD_ANSWER, (long long)grown);
        lent->readers++;
    }
    if (a)
        forget_idle(b, a);
    pthread_mutex_unlock(&b->lock);
    return s;
}
