/* tasks_test.c - tasks run in their order, those of several clients in turns, hold no more than they may, and none is
 * lost at the end. */
#include "tasks.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* whoever runs a task passes it */
static int order[16], ran;
static pthread_t runner[16];

struct item {
    int number;
    unsigned takes_us;
    struct task task;
};

static void run_item(struct task *t) {
    const struct item *i = (const struct item *)((const char *)t - offsetof(struct item, task));
    pthread_mutex_lock(&gate);
    usleep(i->takes_us);
    runner[ran] = pthread_self();
    order[ran++] = i->number;
    pthread_mutex_unlock(&gate);
}

static struct item item[16];

static int add_for(struct tasks *q, int number, uint64_t client, unsigned takes_us) {
    item[number] = (struct item){.number = number, .takes_us = takes_us, .task = {.run = run_item, .client = client}};
    return tasks_add(q, &item[number].task);
}

static int add(struct tasks *q, int number, size_t bytes) {
    item[number] = (struct item){.number = number, .task = {.run = run_item, .bytes = bytes}};
    return tasks_add(q, &item[number].task);
}

TestSuite(tasks, .timeout = 600);

Test(tasks, run_in_their_order_by_the_thread) {
    struct tasks *q = tasks_start(SIZE_MAX);
    for (int i = 0; i < 10; i++)
        cr_assert(add(q, i, 1));
    tasks_stop(q);
    cr_assert_eq(ran, 10);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(order[i], i);
        cr_assert_not(pthread_equal(runner[i], pthread_self()));
    }
    tasks_free(q);
}

/* 1 if a client whose tasks take no time is among the first, before one whose tasks take so long and who came before. */
static int is_among_the_first(unsigned takes_us) {
    enum { MANY = 12 };
    struct tasks *q = tasks_start(SIZE_MAX);
    int is = 0;
    ran = 0;
    pthread_mutex_lock(&gate);
    for (int i = 0; i < MANY; i++)
        cr_assert(add_for(q, i, 1, takes_us));
    for (int i = 0; i < 2; i++)
        cr_assert(add_for(q, MANY + i, 2, 0));
    pthread_mutex_unlock(&gate);
    tasks_stop(q);
    cr_assert_eq(ran, MANY + 2);
    for (int i = 0; i < 4; i++)
        is |= order[i] == MANY + 1;
    tasks_free(q);
    return is;
}

/* Who has taken much of the thread's time waits for who has not. Where another process held the thread up in a task that
 * takes no time, those of the others have to take longer. */
Test(tasks, clients_have_fair_shares) {
    enum { LONGEST_US = 1000000 };
    unsigned takes_us = 20000;
    while (!is_among_the_first(takes_us))
        cr_assert_leq(takes_us *= 2, LONGEST_US, "the other client's are not among the first");
}

Test(tasks, what_they_hold_is_bounded) {
    struct tasks *q = tasks_start(100);
    pthread_mutex_lock(&gate);
    cr_assert(add(q, 0, 90));
    cr_assert_not(add(q, 1, 11));
    cr_assert(add(q, 2, 10));
    cr_assert_not(add(q, 3, 1));
    pthread_mutex_unlock(&gate);
    tasks_stop(q);
    cr_assert_eq(ran, 2);
    tasks_free(q);
}

Test(tasks, a_single_one_may_be_larger) {
    struct tasks *q = tasks_start(100);
    pthread_mutex_lock(&gate);
    cr_assert(add(q, 0, SIZE_MAX));
    cr_assert_not(add(q, 1, 0));
    pthread_mutex_unlock(&gate);
    tasks_stop(q);
    cr_assert_eq(ran, 1);
    tasks_free(q);
}

Test(tasks, who_comes_after_the_end_runs_it) {
    struct tasks *q = tasks_start(100);
    tasks_stop(q);
    cr_assert(add(q, 0, 1000));
    cr_assert_eq(ran, 1);
    cr_assert(pthread_equal(runner[0], pthread_self()));
    tasks_free(q);
}
