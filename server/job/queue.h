/* queue.h - jobs that wait for a worker, in the order in which they get one.
 *
 * Each job gets a rank once, when it comes: rank = max(now, its client's clock) + its cost, and the client's clock
 * moves on by that cost. The lowest rank goes first. So
 *   - a client that floods moves its own clock ahead, and others pass (fair shares by estimated cost);
 *   - a short job passes a long one that came a little earlier (cost grows with the input's size);
 *   - ranks of later jobs only grow, so nobody waits for ever (aging);
 *   - a batch job is an interactive one with a fixed handicap.
 * Not thread-safe: the pool's lock covers it.
 */
#ifndef SMD_QUEUE_H
#define SMD_QUEUE_H

#include "hash.h"
#include "heap.h"

struct queue_item {
    struct heap_node node;
    uint64_t client; /* the number of the client that sent it; any number */
    size_t size;     /* of its input, bytes */
    int batch;       /* boolean */
};

struct queue {
    struct heap small, large;
    struct hash clients; /* owned: struct queue_client of queue.c */
    size_t forget_at;    /* so many clients: those that are idle are forgotten */
};

/* Inputs from this size on are large: see queue_pop. Bytes. */
#define QUEUE_LARGE ((size_t)32 << 10)

int queue_push(struct queue *q, struct queue_item *item, uint64_t now_ns); /* 0 when out of memory */

/* Back to where it was taken from: ahead of all, at no cost to its client. 0 when out of memory. */
int queue_push_first(struct queue *q, struct queue_item *item);

/* Takes the first item off; large ones are passed over unless LARGE_TOO. NULL if there is none. */
struct queue_item *queue_pop(struct queue *q, int large_too);

void queue_remove(struct queue *q, struct queue_item *item);
size_t queue_length(const struct queue *q);
size_t queue_waiting(const struct queue *q, uint64_t client); /* items of one client */
void queue_free(struct queue *q);                             /* the items are the caller's */

#endif
