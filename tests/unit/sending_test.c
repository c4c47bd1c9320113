/* The bytes of answers that are on their way: counted once, bounded, and none left in the end. */
#include "sending.h"

#include <criterion/criterion.h>
#include <pthread.h>

static struct metrics m;

static void counts(long long bytes) {
    cr_assert_eq(metric_get(&m, METRIC_ANSWER_BYTES), bytes, "%lld", metric_get(&m, METRIC_ANSWER_BYTES));
}

Test(sending, what_many_read_counts_once) {
    struct lent lent = {0};
    cr_assert(sending_begin(&m, 1000, 10, &lent, 100));
    cr_assert(sending_begin(&m, 1000, 10, &lent, 100));
    counts(120);
    sending_end(&m, 10, &lent);
    counts(110);
    sending_end(&m, 10, &lent);
    counts(0);
}

Test(sending, a_single_one_always_may) {
    struct lent large = {0}, other = {0};
    cr_assert(sending_begin(&m, 1000, 0, &large, 5000));
    cr_assert(sending_begin(&m, 1000, 0, &large, 5000), "it takes nothing more");
    cr_assert_not(sending_begin(&m, 1000, 0, &other, 1));
    cr_assert_not(sending_begin(&m, 1000, 1, &large, 5000));
    sending_end(&m, 0, &large);
    sending_end(&m, 0, &large);
    counts(0);
    cr_assert(sending_begin(&m, 1000, 0, &other, 1));
    sending_end(&m, 0, &other);
    counts(0);
}

/* The JSON of a result is made when the first asks for it, while others may read its object. */
Test(sending, what_was_made_later_counts_too) {
    struct lent lent = {0};
    cr_assert(sending_begin(&m, 1000, 0, &lent, 100));
    cr_assert(sending_begin(&m, 1000, 0, &lent, 700));
    counts(700);
    cr_assert_not(sending_begin(&m, 1000, 0, &lent, 1700));
    counts(700);
    cr_assert(sending_begin(&m, 1000, 0, &lent, 100), "who came before it was made");
    counts(700);
    for (int i = 0; i < 3; i++)
        sending_end(&m, 0, &lent);
    counts(0);
}

enum { THREADS = 4, TURNS = 20000, MOST = 3000 };

static struct lent shared[3];

static void *take_turns(void *number) {
    unsigned random = *(unsigned *)number;
    for (int i = 0; i < TURNS; i++) {
        random = random * 1103515245 + 12345;
        struct lent *lent = random >> 28 & 3 ? &shared[(random >> 24) % 3] : NULL;
        size_t own = random >> 16 & 511;
        if (!sending_begin(&m, MOST, own, lent, 100 + (random >> 20 & 1023)))
            continue;
        long long now = metric_get(&m, METRIC_ANSWER_BYTES);
        if (now < 0 || now > MOST)
            return number;
        sending_end(&m, own, lent);
    }
    return NULL;
}

Test(sending, threads_leave_nothing_behind) {
    pthread_t thread[THREADS];
    unsigned number[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        number[i] = i * 7919;
        cr_assert_eq(pthread_create(&thread[i], NULL, take_turns, &number[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        cr_assert_null(wrong, "out of bounds");
    }
    counts(0);
}
