/* The order of waiting jobs: short before long, fair between clients, nobody for ever. */
#include "queue.h"

#include <criterion/criterion.h>

#define MS UINT64_C(1000000)

static struct queue q;
static struct queue_item item[100];

static void push(int i, uint64_t client, size_t size, int batch, uint64_t now) {
    item[i] = (struct queue_item){.client = client, .size = size, .batch = batch};
    cr_assert(queue_push(&q, &item[i], now));
}

static void expect(int i) {
    struct queue_item *got = queue_pop(&q, QUEUE_ALL);
    cr_assert(got == &item[i], "expected %d, got %ld", i, got ? (long)(got - item) : -1L);
}

static void done(void) {
    cr_assert_null(queue_pop(&q, QUEUE_ALL));
    queue_free(&q);
}

TestSuite(queue, .fini = done);

Test(queue, first_come_first_served_among_equals) {
    for (int i = 0; i < 5; i++)
        push(i, 1, 100, 0, 1000 + (uint64_t)i);
    for (int i = 0; i < 5; i++)
        expect(i);
}

Test(queue, a_short_job_passes_a_long_one) {
    push(0, 1, 20 << 20, 0, 1000);
    push(1, 2, 1000, 0, 2000);
    expect(1);
    expect(0);
}

Test(queue, a_flood_does_not_hold_others_up) {
    for (int i = 0; i < 50; i++)
        push(i, 1, 1000, 0, 1000);
    push(50, 2, 1000, 0, 2000);
    expect(0); /* as early as the other, and of equal cost */
    expect(50);
    for (int i = 1; i < 50; i++)
        expect(i);
}

/* Nobody gets through all that many others have sent before: who comes last has its turn with the others' next. */
Test(queue, a_flood_of_many_does_not_hold_others_up) {
    enum { MANY = 11, EACH = 9 };
    for (int i = 0; i < MANY * EACH; i++)
        push(i, (uint64_t)i % MANY + 1, 1000, 0, 1000 * MS + (uint64_t)i);
    uint64_t now = 1000 * MS;
    int before = 0;
    for (; before < 2 * MANY; before++) { /* two of each have run, on one worker */
        struct queue_item *ran = queue_pop(&q, QUEUE_ALL);
        now += 1000 * MS;
        queue_end(&q, ran, 1000 * MS, now);
    }
    push(99, 100, 1000, 0, now);
    int turns = 1;
    while (queue_pop(&q, QUEUE_ALL) != &item[99])
        turns++;
    cr_assert_leq(turns, MANY + 1, "%d", turns);
    while (queue_pop(&q, QUEUE_ALL))
        ;
}

Test(queue, interactive_before_batch) {
    push(0, 1, 1000, 1, 1000);
    push(1, 2, 1000, 0, 1000 * MS);
    expect(1);
    expect(0);
}

Test(queue, nobody_waits_for_ever) {
    push(0, 1, 1 << 20, 0, 0);      /* costs about a second */
    push(1, 2, 1000, 0, 5000 * MS); /* comes five seconds later */
    expect(0);
    expect(1);
}

Test(queue, large_ones_can_be_passed_over) {
    push(0, 1, QUEUE_LARGE, 0, 0);
    push(1, 1, QUEUE_LARGE - 1, 0, 0);
    cr_assert(queue_pop(&q, QUEUE_SMALL) == &item[1]);
    cr_assert_null(queue_pop(&q, QUEUE_SMALL));
    expect(0);
}

Test(queue, removal_and_counts) {
    for (int i = 0; i < 10; i++)
        push(i, (uint64_t)(i % 2), 100, 0, (uint64_t)i);
    cr_assert_eq(queue_length(&q), 10);
    cr_assert_eq(queue_waiting(&q, 0), 5);
    queue_remove(&q, &item[4]);
    queue_remove(&q, &item[4]);
    cr_assert_eq(queue_waiting(&q, 0), 4);
    cr_assert_eq(queue_length(&q), 9);
    while (queue_length(&q))
        cr_assert(queue_pop(&q, QUEUE_ALL) != &item[4]);
}

/* Whoever has come and gone is forgotten: what is kept does not grow with the number of clients that there ever
 * were. */
Test(queue, idle_clients_are_forgotten) {
    for (uint64_t client = 1; client <= 100000; client++) {
        uint64_t now = client * 100 * MS;
        push(0, client, 100, 0, now);
        expect(0);
        queue_end(&q, &item[0], 0, now);
    }
    cr_assert_leq(q.clients.count, 1000);
    push(1, 7, 100, 0, 100000 * 100 * MS);
    cr_assert_eq(queue_waiting(&q, 7), 1);
    expect(1);
}

/* A job whose worker died through no fault of its own has waited already. */
Test(queue, what_comes_back_goes_first) {
    for (int i = 0; i < 10; i++)
        push(i, 1, 1000000, 1, 1000);
    push(10, 2, 100, 0, 1000);
    expect(10);
    cr_assert(queue_push_first(&q, &item[10]));
    expect(10);
    struct queue_item *first = queue_pop(&q, QUEUE_ALL);
    cr_assert(queue_push_first(&q, first));
    cr_assert_eq(queue_waiting(&q, 1), 10);
    expect((int)(first - item));
    for (int i = 0; i < 9; i++)
        cr_assert_not_null(queue_pop(&q, QUEUE_ALL));
}

/* What a client's jobs take is more than their sizes tell: others pass while they run, not only once they have ended. */
Test(queue, slow_jobs_let_others_pass) {
    for (int i = 0; i < 30; i++)
        push(i, 1, 80, 0, 0);
    expect(0);
    expect(1);
    queue_charge(&q, &item[0], 1000 * MS, 1000 * MS);
    queue_charge(&q, &item[1], 1000 * MS, 1000 * MS);
    push(40, 2, 80, 0, 1000 * MS);
    push(41, 2, 80, 0, 1000 * MS);
    expect(40);
    expect(41);
    expect(2);
}

/* A job that takes less than was thought gives the rest back. */
Test(queue, estimates_are_settled) {
    push(0, 1, 20 << 20, 0, 0); /* some 20 seconds, it seems */
    expect(0);
    queue_end(&q, &item[0], 5 * MS, 5 * MS);
    push(1, 1, 100, 0, 1000 * MS);
    push(2, 2, 100, 0, 1001 * MS);
    expect(1);
    expect(2);
}

/* What was used before is forgotten, and no debt keeps a client out for long. */
Test(queue, debts_are_bounded) {
    push(0, 1, 80, 0, 0);
    expect(0);
    queue_charge(&q, &item[0], 1000000 * MS, 1000 * MS);
    push(1, 1, 80, 0, 1000 * MS);
    push(2, 2, 80, 0, 12000 * MS); /* behind the bound */
    expect(1);
    expect(2);
}

Test(queue, newcomers_are_clients_of_which_nothing_runs) {
    push(0, 1, 80, 0, 0);
    push(1, 1, 80, 0, 1);
    push(2, 2, QUEUE_LARGE, 0, 2);
    expect(0);
    cr_assert_null(queue_pop(&q, QUEUE_NEWCOMERS));
    push(3, 3, 80, 0, 1000 * MS);
    cr_assert(queue_pop(&q, QUEUE_NEWCOMERS) == &item[3]);
    queue_end(&q, &item[0], 1 * MS, 2000 * MS);
    cr_assert(queue_pop(&q, QUEUE_NEWCOMERS) == &item[1]);
    expect(2);
}

/* What outlived its turn runs again behind what others sent, and never where small ones go. Its client pays. */
Test(queue, a_slow_job_is_small_no_more) {
    push(0, 1, 80, 0, 0);
    cr_assert(queue_has(&q, QUEUE_NEWCOMERS));
    cr_assert(queue_pop(&q, QUEUE_SMALL) == &item[0]);
    cr_assert_not(queue_has(&q, QUEUE_ALL));
    queue_charge(&q, &item[0], 200 * MS, 200 * MS);
    cr_assert(queue_push_slow(&q, &item[0], 200 * MS));
    cr_assert_not(queue_has(&q, QUEUE_SMALL));
    cr_assert_not(queue_has(&q, QUEUE_NEWCOMERS));
    cr_assert_null(queue_pop(&q, QUEUE_SMALL));
    push(1, 2, 80, 0, 100 * MS);
    expect(1);
    expect(0);
}

/* Fifty clients with a slow job each, who came first, have had their turns when each was tried once. */
Test(queue, slow_jobs_of_many_clients_leave_the_extra_worker) {
    for (int i = 0; i < 50; i++)
        push(i, (uint64_t)i + 1, 80, 0, 0);
    push(99, 99, 80, 0, 1 * MS);
    int turns = 0;
    for (uint64_t now = 200 * MS;; now += 200 * MS, turns++) {
        struct queue_item *got = queue_pop(&q, QUEUE_NEWCOMERS);
        cr_assert_not_null(got);
        if (got == &item[99])
            break;
        queue_charge(&q, got, 200 * MS, now);
        cr_assert(queue_push_slow(&q, got, now));
    }
    cr_assert_leq(turns, 50);
    while (queue_length(&q))
        cr_assert_not_null(queue_pop(&q, QUEUE_ALL));
}

Test(queue, places_are_left_for_who_comes_later) {
    cr_expect_eq(queue_places(1024, 0), 1024u);
    cr_expect_eq(queue_places(1024, 1), 960u);
    cr_expect_eq(queue_places(16, 15), 15u);
    cr_expect_eq(queue_places(4, 3), 4u, "few places have no reserve");
}
