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
    size_t waiting;
};

static struct queue_client *find_client(const struct queue *q, uint64_t client) {
    struct hash_node *n = hash_find(&q->clients, client);
    return n ? container_of(n, struct queue_client, node) : NULL;
}

/* Forgets the clients that wait for nothing and whose clock is not ahead of now; does so each time that there are
 * twice as many clients as were left the last time. */
static void forget_idle(struct queue *q, uint64_t now_ns) {
    enum { FEW = 256 };
    if (q->clients.count < q->forget_at)
        return;
    for (struct hash_node *n = hash_first(&q->clients), *next; n; n = next) {
        struct queue_client *c = container_of(n, struct queue_client, node);
        next = hash_next(&q->clients, n);
        if (c->waiting || c->clock_ns > now_ns)
            continue;
        hash_remove(&q->clients, n);
        free(c);
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

/* The heap that the item belongs to by its size. */
static struct heap *heap_of(struct queue *q, const struct queue_item *item) {
    return item->size >= QUEUE_LARGE ? &q->large : &q->small;
}

int queue_push(struct queue *q, struct queue_item *item, uint64_t now_ns) {
    struct queue_client *c = find_or_add(q, item->client, now_ns);
    if (!c)
        return 0;
    uint64_t cost = COST_CONSTANT_NS + item->size * COST_BYTE_NS;
    uint64_t rank = (c->clock_ns > now_ns ? c->clock_ns : now_ns) + cost;
    if (!heap_push(heap_of(q, item), &item->node, rank + (item->batch ? BATCH_HANDICAP_NS : 0)))
        return 0;
    c->clock_ns = rank;
    c->waiting++;
    return 1;
}

int queue_push_first(struct queue *q, struct queue_item *item) {
    struct queue_client *c = find_or_add(q, item->client, 0);
    if (!c || !heap_push(heap_of(q, item), &item->node, 0))
        return 0;
    c->waiting++;
    return 1;
}

void queue_remove(struct queue *q, struct queue_item *item) {
    if (item->node.index == 0)
        return;
    heap_remove(heap_of(q, item), &item->node);
    struct queue_client *c = find_client(q, item->client);
    if (c)
        c->waiting--;
}

struct queue_item *queue_pop(struct queue *q, int large_too) {
    struct heap_node *first = heap_top(&q->small), *large = large_too ? heap_top(&q->large) : NULL;
    if (!first || (large && large->key < first->key))
        first = large;
    if (!first)
        return NULL;
    struct queue_item *item = container_of(first, struct queue_item, node);
    queue_remove(q, item);
    return item;
}

size_t queue_length(const struct queue *q) {
    return q->small.len + q->large.len;
}

size_t queue_waiting(const struct queue *q, uint64_t client) {
    struct queue_client *c = find_client(q, client);
    return c ? c->waiting : 0;
}

void queue_free(struct queue *q) {
    heap_free(&q->small);
    heap_free(&q->large);
    for (struct hash_node *n = hash_first(&q->clients), *next; n; n = next) {
        next = hash_next(&q->clients, n);
        free(container_of(n, struct queue_client, node));
    }
    hash_free(&q->clients);
}
