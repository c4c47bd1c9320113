/* tasks.h - a thread and the tasks that wait for it: of each client in the order in which they come, of several in fair
 * shares of the thread's time (queue.h); bounded in bytes. */
#ifndef SMD_TASKS_H
#define SMD_TASKS_H

#include "queue.h"

/* It lies in what it is the task of. */
struct task {
    void (*run)(struct task *t); /* called once, on the thread; may free what holds the task */
    size_t bytes;                /* what it holds until it has run */
    uint64_t client;             /* whose time it takes */
    size_t work;                 /* about how many bytes it goes through */
    struct queue_item item;      /* tasks.c's own */
};

struct tasks;

/* The tasks together hold at most MAX_BYTES; a single one may hold more. NULL if out of memory or threads. *new* */
struct tasks *tasks_start(size_t max_bytes);

/* 1: the task will be run; if the tasks' thread has ended, or there is no memory for it to wait, the caller's has already
 * run it. 0: there is no room, which a task of no bytes never meets. */
int tasks_add(struct tasks *q, struct task *t);

void tasks_stop(struct tasks *q); /* runs what was added, then ends the thread. NULL is fine */
/* Likewise, for tasks that a disk may keep; 0: one of them still runs, and the process's end alone helps. */
int tasks_stop_within(struct tasks *q, int seconds);

void tasks_free(struct tasks *q); /* after tasks_stop, when nobody adds any more; NULL is fine */

#endif
