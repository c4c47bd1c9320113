/* budget_test.c - the memory that clients hold: each byte is counted once, bounded for all and for one, and given back.
 */
#include "budget.h"

#include "result.h"
#include "source.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>

enum { MIB = 1 << 20, MIB_IN_ALL = 16 };

static struct settings settings;
static struct metrics m;
static struct budget *b;

static void setup(void) {
    settings.queue_mib = settings.answers_mib = MIB_IN_ALL;
    b = budget_new(&settings, &m);
    cr_assert(b);
}

/* Asserts, where assertions are on, that nothing is held. */
static void teardown(void) {
    for (int i = METRIC_HELD_BODY; i < METRIC_HELD_BODY + HELD_KINDS; i++)
        cr_expect_eq(metric_get(&m, (enum metric)i), 0, "%d: %lld", i, metric_get(&m, (enum metric)i));
    cr_expect_eq(metric_get(&m, METRIC_BODY_BYTES), 0);
    cr_expect_eq(metric_get(&m, METRIC_ANSWER_BYTES), 0);
    budget_free(b);
}

TestSuite(budget, .init = setup, .fini = teardown);

static void counts(enum metric which, long long bytes) {
    cr_assert_eq(metric_get(&m, which), bytes, "%lld", metric_get(&m, which));
}

/* ---- Shares --------------------------------------------------------------------------------------------------- */

Test(budget, one_client_leaves_some_for_others) {
    struct charge mine = {0}, yours = {0};
    size_t most = budget_most(b, HELD_BODY);
    cr_assert_gt(most, 14 * MIB);
    cr_assert_eq(budget_take(b, &mine, HELD_BODY, 1, most), SM_OK);
    cr_assert_eq(budget_take(b, &mine, HELD_BODY, 1, MIB / 4), SM_OVERLOADED, "nobody else is here");
    cr_assert_eq(budget_take(b, &yours, HELD_BODY, 2, MIB / 2), SM_OK);
    cr_assert_eq(budget_take(b, &mine, HELD_BODY, 1, 1), SM_TOO_MANY_REQUESTS);
    counts(METRIC_HELD_BODY, (long long)most + MIB / 2);
    budget_give(&mine, 5);
    counts(METRIC_HELD_BODY, 5 + MIB / 2);
    budget_give(&mine, 0);
    budget_give(&yours, 0);
}

/* Each takes what it can get, and gives nothing back. */
Test(budget, fifty_clients_leave_some_for_the_next) {
    struct charge held[50] = {{0}}, next = {0};
    for (uint64_t i = 0; i < 50; i++)
        while (budget_take(b, &held[i], i % 2 ? HELD_INPUT : HELD_JSON, i, 1024) == SM_OK)
            ;
    cr_assert_eq(budget_take(b, &next, HELD_BODY, 99, 2048), SM_OK);
    cr_assert_leq(metric_get(&m, METRIC_BODY_BYTES), MIB_IN_ALL * MIB);
    cr_assert_gt(metric_get(&m, METRIC_BODY_BYTES), (MIB_IN_ALL - 1) * MIB);
    budget_give(&next, 0);
    for (int i = 0; i < 50; i++)
        budget_give(&held[i], 0);
}

Test(budget, what_never_fits_is_too_large) {
    struct charge c = {0}, other = {0};
    cr_assert_eq(budget_take(b, &c, HELD_BODY, 1, budget_most(b, HELD_BODY) + 1), SM_TOO_LARGE);
    cr_assert_eq(budget_take(b, &c, HELD_RESULT, 1, 18 * MIB), SM_OK, "a single result always may");
    cr_assert_eq(budget_take(b, &other, HELD_RESULT, 1, 18 * MIB), SM_OVERLOADED);
    budget_give(&c, 0);
}

static int asked;
static struct charge stored;

static int give_stored(void *arg, uint64_t client, int is_share) {
    asked += *(int *)arg;
    cr_assert(client == 1 && !is_share);
    int has = stored.bytes > 0;
    budget_give(&stored, 0);
    return has;
}

Test(budget, who_is_asked_makes_room) {
    struct charge c = {0};
    int once = 1;
    budget_on_refusal(b, give_stored, &once);
    cr_assert_eq(budget_take(b, &stored, HELD_RESULT, 1, 10 * MIB), SM_OK);
    cr_assert_eq(budget_take(b, &c, HELD_BODY, 1, 10 * MIB), SM_OK);
    cr_assert_eq(asked, 1);
    cr_assert_eq(budget_take(b, &c, HELD_BODY, 1, 10 * MIB), SM_OVERLOADED, "there is no more to give");
    cr_assert_eq(asked, 2);
    budget_give(&c, 0);
}

/* ---- What is handed on ---------------------------------------------------------------------------------------- */

Test(budget, an_input_is_counted_until_its_last_use) {
    struct charge body = {0};
    cr_assert_eq(budget_take(b, &body, HELD_BODY, 1, 100), SM_OK);
    struct source *s = source_new(calloc(1, 100), 100, &body), *again = source_ref(s);
    cr_assert(s);
    counts(METRIC_HELD_BODY, 0);
    counts(METRIC_HELD_INPUT, 100);
    source_unref(s);
    counts(METRIC_HELD_INPUT, 100);
    source_unref(again);
    counts(METRIC_HELD_INPUT, 0);
}

/* A result that is kept in a cache costs the budget nothing, until somebody holds it. */
Test(budget, a_result_is_counted_while_it_is_held) {
    struct charge frame = {0};
    cr_assert_eq(budget_take(b, &frame, HELD_RESULT, 1, 100), SM_OK);
    struct result *r = result_failure(SM_OK, "");
    result_give_bytes(r, calloc(1, 100), 0, 100, &frame);
    result_keep(r);
    result_unref(result_ref(r));
    counts(METRIC_HELD_RESULT, 100);
    result_unref(r);
    counts(METRIC_HELD_RESULT, 0);
    cr_assert_eq(result_hold(result_keep(r), b, 2), SM_OK);
    counts(METRIC_HELD_RESULT, 100);
    cr_assert_eq(result_take_room(r, 50), SM_OK);
    counts(METRIC_HELD_RESULT, 150 + (long long)sizeof(struct rendered));
    result_unref(r);
    counts(METRIC_HELD_RESULT, 0);
    struct charge others = {0};
    cr_assert_eq(budget_take(b, &others, HELD_BODY, 3, budget_most(b, HELD_BODY)), SM_OK);
    struct result *large = result_failure(SM_OK, "");
    result_give_bytes(large, calloc(1, MIB), 0, MIB, NULL);
    large->held.readers = 0;
    cr_assert_neq(result_hold(result_keep(large), b, 2), SM_OK, "there is no room");
    result_drop(large);
    budget_give(&others, 0);
    result_drop(r);
}

/* ---- Answers on their way -------------------------------------------------------------------------------------- */

static sm_status begin(struct charge *own, size_t own_bytes, struct lent *lent, size_t shared) {
    return budget_send(b, 1, own, own_bytes, lent, shared);
}

static void end(struct charge *own, struct lent *lent) {
    if (lent)
        budget_return(lent);
    budget_give(own, 0);
}

Test(budget, what_many_read_counts_once) {
    struct lent lent = {0};
    struct charge own[2] = {{0}};
    cr_assert_eq(begin(&own[0], 10, &lent, 100), SM_OK);
    cr_assert_eq(begin(&own[1], 10, &lent, 100), SM_OK);
    counts(METRIC_ANSWER_BYTES, 120);
    end(&own[0], &lent);
    counts(METRIC_ANSWER_BYTES, 110);
    end(&own[1], &lent);
}

Test(budget, a_single_answer_always_may) {
    struct lent large = {0}, other = {0};
    struct charge own[3] = {{0}};
    cr_assert_eq(begin(&own[0], 0, &large, 50 * MIB), SM_OK);
    cr_assert_eq(begin(&own[1], 0, &large, 50 * MIB), SM_OK, "it takes nothing more");
    cr_assert_eq(begin(&own[2], 0, &other, 1), SM_OVERLOADED);
    cr_assert_eq(begin(&own[2], 1, &large, 50 * MIB), SM_OVERLOADED);
    end(&own[0], &large);
    end(&own[1], &large);
    counts(METRIC_ANSWER_BYTES, 0);
    cr_assert_eq(begin(&own[2], 0, &other, 1), SM_OK);
    end(&own[2], &other);
}

/* The JSON of a result is made when the first asks for it, while others may read its object. */
Test(budget, what_was_made_later_counts_too) {
    struct lent lent = {0};
    struct charge own = {0};
    cr_assert_eq(begin(&own, 0, &lent, 100), SM_OK);
    cr_assert_eq(begin(&own, 0, &lent, 700), SM_OK);
    counts(METRIC_ANSWER_BYTES, 700);
    cr_assert_neq(begin(&own, 0, &lent, 16 * MIB), SM_OK);
    counts(METRIC_ANSWER_BYTES, 700);
    cr_assert_eq(begin(&own, 0, &lent, 100), SM_OK, "who came before it was made");
    counts(METRIC_ANSWER_BYTES, 700);
    for (int i = 0; i < 3; i++)
        end(&own, &lent);
}

/* ---- Threads --------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, TURNS = 20000 };

static struct lent shared[3];

static void *take_turns(void *number) {
    unsigned random = *(unsigned *)number;
    for (int i = 0; i < TURNS; i++) {
        random = random * 1103515245 + 12345;
        struct lent *lent = random >> 28 & 3 ? &shared[(random >> 24) % 3] : NULL;
        struct charge own = {0}, body = {0};
        if (begin(&own, (random >> 16 & 511) << 13, lent, 100 + ((random >> 20 & 1023) << 10)) != SM_OK)
            continue;
        if (budget_take(b, &body, HELD_BODY, random >> 30, random >> 12) == SM_OK)
            budget_give(&body, 0);
        long long now = metric_get(&m, METRIC_ANSWER_BYTES);
        if (now < 0 || now > MIB_IN_ALL * MIB)
            return number;
        end(&own, lent);
    }
    return NULL;
}

Test(budget, threads_leave_nothing_behind) {
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
}
