/* queue.c - see queue.h. */
#include "queue.h"

#include "container.h"

#include <stdlib.h>

/* What a job costs, by what is known before it runs: measured on two cores, IR text at O2 takes about a
 * microsecond a byte beside a constant millisecond (deploy/bench prints the figures). */
#define COST_CONSTANT_NS  1000000u
#define COST_BYTE_NS      1000u
#define BATCH_HANDICAP_NS 5000000000u

struct queue_client {
    struct hash_node node; /* the hash is the client's number */
    uint64_t clock_ns;
    uint64_t last_ns;         /* when its last item came: each comes later than the one before, if by a nanosecond */
    struct heap small, large; /* its waiting items */
    size_t running;
    struct heap_node as_newcomer, as_small, as_large; /* in the queue's heaps */
};

static struct queue_client *find_client(const struct queue *q, uint64_t client) {
    struct hash_node *n = hash_find(&q->clients, client);
    return n ? container_of(n, struct queue_client, node) : NULL;
}

static size_t count_waiting(const struct queue_client *c) {
    return c->small.len + c->large.len;
}

static void free_client(struct queue_client *c) {
    heap_free(&c->small);
    heap_free(&c->large);
    free(c);
}

/* Forgets the clients of which no job waits or runs and whose clock is not ahead of now; does so each time that there
 * are twice as many clients as were left the last time. */
static void forget_idle(struct queue *q, uint64_t now_ns) {
    enum { FEW = 256 };
    if (q->clients.count < q->forget_at)
        return;
    for (struct hash_node *n = hash_first(&q->clients), *next; n; n = next) {
        struct queue_client *c = container_of(n, struct queue_client, node);
        next = hash_next(&q->clients, n);
        if (count_waiting(c) || c->running || c->clock_ns > now_ns)
            continue;
        hash_remove(&q->clients, n);
        free_client(c);
    }
    q->forget_at = 2 * q->clients.count + FEW;
}

/* The client's entry, made if there is none; NULL if out of memory. */
static struct queue_client *find_or_add(struct queue *q, uint64_t client, uint64_t now_ns) {
    struct queue_client *c = find_client(q, client);
    if (c)
        return c;
    forget_idle(q, now_ns);
    c = calloc(1, sizeof *c);
    if (c && hash_add(&q->clients, &c->node, client))
        return c;
    free(c);
    return NULL;
}

/* ---- Order ---------------------------------------------------------------------------------------------------- */

static uint64_t cost_of(const struct queue_item *item) {
    return COST_CONSTANT_NS + item->size * COST_BYTE_NS;
}

/* The rank that the item would have if its client had used nothing. */
static uint64_t rank_of(const struct queue_item *item) {
    return item->arrived_ns + cost_of(item) + (item->batch ? BATCH_HANDICAP_NS : 0);
}

/* Puts a client's NODE where it belongs in HEAP, by the first of its ITEMS; takes it off if there is none. 0 when out
 * of memory. */
static int place_client(const struct queue_client *c, struct heap *heap, struct heap_node *node,
                        const struct heap *items) {
    struct heap_node *first = heap_top(items);
    heap_remove(heap, node);
    if (!first)
        return 1;
    uint64_t arrived = container_of(first, struct queue_item, node)->arrived_ns;
    uint64_t ahead = c->clock_ns > arrived ? c->clock_ns - arrived : 0;
    return heap_push(heap, node, first->key ? first->key + ahead : 0);
}

/* Puts the client where it belongs in all heaps. 0 when out of memory. */
static int place(struct queue *q, struct queue_client *c) {
    static const struct heap none;
    return place_client(c, &q->newcomers, &c->as_newcomer, c->running ? &none : &c->small) &
           place_client(c, &q->small, &c->as_small, &c->small) & place_client(c, &q->large, &c->as_large, &c->large);
}

/* How many clients wait; one at least. Those with small and large items count twice. */
static uint64_t rivals(const struct queue *q) {
    size_t n = q->small.len + q->large.len;
    return n ? n : 1;
}

/* The queue's time now. */
static uint64_t time_of(struct queue *q, uint64_t now_ns) {
    if (!q->told_ns)
        q->time_ns = now_ns;
    else if (now_ns > q->told_ns)
        q->time_ns += (now_ns - q->told_ns) / rivals(q);
    if (now_ns > q->told_ns)
        q->told_ns = now_ns;
    return q->time_ns;
}

/* The client's clock is not further ahead than what takes QUEUE_DEBT_NS of the system's clock to wait for. */
static void bound_debt(const struct queue *q, struct queue_client *c) {
    uint64_t most = q->time_ns + QUEUE_DEBT_NS / rivals(q);
    if (c->clock_ns > most)
        c->clock_ns = most;
}

/* ---- Waiting --------------------------------------------------------------------------------------------------- */

/* The client's heap that the item belongs to. */
static struct heap *heap_of(struct queue_client *c, const struct queue_item *item) {
    return item->size >= QUEUE_LARGE || item->is_slow ? &c->large : &c->small;
}

/* Adds the item to its client's with this rank. 0 when out of memory. */
static int add_item(struct queue *q, struct queue_client *c, struct queue_item *item, uint64_t rank) {
    if (!heap_push(heap_of(c, item), &item->node, rank))
        return 0;
    if (place(q, c)) {
        q->length++;
        return 1;
    }
    heap_remove(heap_of(c, item), &item->node);
    place(q, c);
    return 0;
}

size_t queue_places(size_t most, size_t waiting) {
    enum { RESERVE = 16 };
    return waiting ? most - most / RESERVE : most;
}

int queue_push(struct queue *q, struct queue_item *item, uint64_t now_ns) {
    uint64_t time = time_of(q, now_ns);
    struct queue_client *c = find_or_add(q, item->client, time);
    if (!c)
        return 0;
    bound_debt(q, c);
    c->last_ns = time > c->last_ns ? time : c->last_ns + 1;
    item->arrived_ns = c->last_ns;
    item->charged_ns = 0;
    return add_item(q, c, item, rank_of(item));
}

int queue_push_first(struct queue *q, struct queue_item *item) {
    queue_end(q, item, 0, q->told_ns);
    struct queue_client *c = find_client(q, item->client);
    return c && add_item(q, c, item, 0);
}

int queue_push_slow(struct queue *q, struct queue_item *item, uint64_t now_ns) {
    queue_end(q, item, item->charged_ns, now_ns);
    item->is_slow = 1;
    struct queue_client *c = find_client(q, item->client);
    return c && add_item(q, c, item, rank_of(item));
}

void queue_remove(struct queue *q, struct queue_item *item) {
    struct queue_client *c = find_client(q, item->client);
    if (!c || item->node.index == 0)
        return;
    heap_remove(heap_of(c, item), &item->node);
    place(q, c);
    q->length--;
}

/* ---- Running --------------------------------------------------------------------------------------------------- */

int queue_has(const struct queue *q, enum queue_class class) {
    return heap_top(class == QUEUE_NEWCOMERS ? &q->newcomers : &q->small) ||
           (class == QUEUE_ALL && heap_top(&q->large));
}

struct queue_item *queue_pop(struct queue *q, enum queue_class class) {
    struct heap_node *small = heap_top(class == QUEUE_NEWCOMERS ? &q->newcomers : &q->small),
                     *large = class == QUEUE_ALL ? heap_top(&q->large) : NULL;
    if (!small && !large)
        return NULL;
    int is_large = !small || (large && large->key < small->key);
    struct queue_client *c = is_large                   ? container_of(large, struct queue_client, as_large)
                             : class == QUEUE_NEWCOMERS ? container_of(small, struct queue_client, as_newcomer)
                                                        : container_of(small, struct queue_client, as_small);
    struct heap *items = is_large ? &c->large : &c->small;
    struct queue_item *item = container_of(heap_top(items), struct queue_item, node);
    heap_remove(items, &item->node);
    q->length--;
    c->running++;
    item->charged_ns = cost_of(item);
    c->clock_ns = (c->clock_ns > item->arrived_ns ? c->clock_ns : item->arrived_ns) + item->charged_ns;
    place(q, c);
    return item;
}

void queue_charge(struct queue *q, struct queue_item *item, uint64_t used_ns, uint64_t now_ns) {
    struct queue_client *c = find_client(q, item->client);
    time_of(q, now_ns);
    if (!c || used_ns <= item->charged_ns)
        return;
    c->clock_ns += used_ns - item->charged_ns;
    item->charged_ns = used_ns;
    bound_debt(q, c);
    place(q, c);
}

void queue_end(struct queue *q, struct queue_item *item, uint64_t used_ns, uint64_t now_ns) {
    struct queue_client *c = find_client(q, item->client);
    if (!c)
        return;
    queue_charge(q, item, used_ns, now_ns);
    c->clock_ns -= item->charged_ns - used_ns < c->clock_ns ? item->charged_ns - used_ns : c->clock_ns;
    item->charged_ns = 0;
    c->running--;
    place(q, c);
}

size_t queue_length(const struct queue *q) {
    return q->length;
}

size_t queue_waiting(const struct queue *q, uint64_t client) {
    struct queue_client *c = find_client(q, client);
    return c ? count_waiting(c) : 0;
}

void queue_free(struct queue *q) {
    heap_free(&q->newcomers);
    heap_free(&q->small);
    heap_free(&q->large);
    for (struct hash_node *n = hash_first(&q->clients), *next; n; n = next) {
        next = hash_next(&q->clients, n);
        free_client(container_of(n, struct queue_client, node));
    }
    hash_free(&q->clients);
}
