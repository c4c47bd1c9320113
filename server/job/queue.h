/* queue.h - jobs that wait for a worker, in the order in which they get one: fair shares of the workers' time.
 *
 * Each client has a clock, which moves on by the time that its jobs take on workers: by an estimate when one begins, and
 * by what it really takes while it runs. Of all clients with waiting jobs that one comes next for which
 *
 *     max(its clock, when its first job came) + that job's estimate
 *
 * is least; its first job is the one with the least time of coming plus estimate. So
 *   - a client that floods, or whose jobs take long, moves its own clock ahead, and others pass;
 *   - a short job passes a long one that came a little earlier (estimates grow with the input's size);
 *   - nobody waits for ever, as what comes later only ranks later, and no clock is more than QUEUE_DEBT_NS ahead;
 *   - what a client used is forgotten as time catches up with its clock;
 *   - a batch job is an interactive one with a fixed handicap.
 * Times are the queue's own. While N clients wait, its time is N times slower than the system's clock: it moves on as the
 * clients' clocks do, of which each gets a part of the workers. So a client that comes when many have long waited is not
 * behind all that they have sent, but behind what they have used.
 * Not thread-safe: the pool's lock covers it.
 */
#ifndef SMD_QUEUE_H
#define SMD_QUEUE_H

#include "hash.h"
#include "heap.h"

struct queue_item {
    struct heap_node node;
    uint64_t client;     /* the number of the client that sent it; any number */
    size_t size;         /* of its input, bytes */
    int batch;           /* boolean */
    int is_slow;         /* boolean: it has outlived a turn on the extra worker */
    uint64_t arrived_ns; /* queue.c's own, as what follows */
    uint64_t charged_ns; /* by how much it has moved its client's clock */
};

/* Which items a worker may take: small ones of clients of which no job runs, small ones, all. One that has been slow is
 * not small, whatever its size. */
enum queue_class { QUEUE_NEWCOMERS, QUEUE_SMALL, QUEUE_ALL };

struct queue {
    struct heap newcomers, small, large; /* of clients with such items */
    struct hash clients;                 /* owned: struct queue_client of queue.c */
    size_t length;
    size_t forget_at; /* so many clients: those that are idle are forgotten */
    uint64_t time_ns; /* the queue's own time, */
    uint64_t told_ns; /* as it was at this one of the system's clock */
};

/* Inputs from this size on are large: they take most of a turn (pool.c) or longer. Bytes. */
#define QUEUE_LARGE ((size_t)128 << 10)

#define QUEUE_DEBT_NS UINT64_C(10000000000)

/* How many of MOST places there are for a client of which WAITING items wait: one in 16 is kept for clients of which none
 * does. So those who come first do not keep out who comes later. */
size_t queue_places(size_t most, size_t waiting);

int queue_push(struct queue *q, struct queue_item *item, uint64_t now_ns); /* 0 when out of memory */

/* A running item goes back to where it was taken from: ahead of all, at no cost to its client. 0 when out of memory; it
 * has ended then. */
int queue_push_first(struct queue *q, struct queue_item *item);

/* A running item was slow and goes back to where its rank is. Its client has used what it was charged with. 0 when out of
 * memory; it has ended then. */
int queue_push_slow(struct queue *q, struct queue_item *item, uint64_t now_ns);

int queue_has(const struct queue *q, enum queue_class class); /* 1 if queue_pop would take one */

/* Takes the first item of the class off: it runs. NULL if there is none. */
struct queue_item *queue_pop(struct queue *q, enum queue_class class);

/* A running item has taken USED_NS of a worker's time so far. */
void queue_charge(struct queue *q, struct queue_item *item, uint64_t used_ns, uint64_t now_ns);

/* It runs no longer, and took so much in all. */
void queue_end(struct queue *q, struct queue_item *item, uint64_t used_ns, uint64_t now_ns);

void queue_remove(struct queue *q, struct queue_item *item); /* a waiting one; others stay */
size_t queue_length(const struct queue *q);
size_t queue_waiting(const struct queue *q, uint64_t client); /* items of one client */
void queue_free(struct queue *q);                             /* the items are the caller's */

#endif
