/* deoptstate_test.c - frames in deoptimisation state: what is read of it, and that nothing else is. */
#include "deoptstate.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { VARIABLE = 99 }; /* a value that is no constant */

static int constant(const void *from, uint32_t i, uint64_t *value) {
    *value = ((const uint64_t *)from)[i];
    return *value != VARIABLE;
}

static sm_status read_all(const uint64_t *values, uint32_t n, uint32_t *frames) {
    sm_status status;
    *frames = sm_state_count(&(sm_state){values, constant, n}, &status);
    return status;
}

#define good(count, ...)                                                                                             \
    do {                                                                                                             \
        static const uint64_t values[] = {__VA_ARGS__};                                                              \
        uint32_t frames;                                                                                             \
        cr_expect_eq(read_all(values, sizeof values / sizeof *values, &frames), SM_OK);                              \
        cr_expect_eq(frames, count);                                                                                 \
    } while (0)
#define bad(...)                                                                                                     \
    do {                                                                                                             \
        static const uint64_t values[] = {__VA_ARGS__};                                                              \
        uint32_t frames;                                                                                             \
        cr_expect_eq(read_all(values, sizeof values / sizeof *values, &frames), SM_INVALID_STACKMAP);                \
    } while (0)

#define FRAME(n)  (SM_MARK_FRAME + (n))
#define OBJECT(n) (SM_MARK_OBJECT + (n))
#define SAME(n)   (SM_MARK_SAME + (n))

Test(deoptstate, frames) {
    good(1, FRAME(0), 1, 2);
    good(1, FRAME(2), 1, 2, VARIABLE, 4);
    good(3, FRAME(1), 1, 2, 3, FRAME(0), 4, 5, FRAME(2), 6, 7, VARIABLE, VARIABLE);
    bad(FRAME(0));
    bad(FRAME(0), 1);
    bad(FRAME(1), 1, 2);
    bad(FRAME(0), 1, 2, 3);
    bad(FRAME(0), VARIABLE, 2);
    bad(FRAME(0), 1, VARIABLE);
    bad(FRAME(3), 1, 2, FRAME(0), 3, 4);
    bad(FRAME(0xffff), 1, 2, 3);
}

Test(deoptstate, objects) {
    good(1, FRAME(2), 1, 2, OBJECT(0), 70);
    good(1, FRAME(7), 1, 2, OBJECT(2), 70, OBJECT(1), 71, 5, 6, SAME(2));
    good(2, FRAME(2), 1, 2, OBJECT(0), 70, FRAME(1), 3, 4, SAME(1));
    bad(FRAME(1), 1, 2, OBJECT(0));
    bad(FRAME(2), 1, 2, OBJECT(1), 70);
    bad(FRAME(2), 1, 2, OBJECT(1), 70, FRAME(0), 3, 4);
    bad(FRAME(2), 1, 2, OBJECT(0), VARIABLE);
    bad(FRAME(1), 1, 2, SAME(1));
    bad(FRAME(3), 1, 2, OBJECT(0), 70, SAME(0));
    bad(FRAME(3), 1, 2, OBJECT(0), 70, SAME(2));
}

Test(deoptstate, objects_have_numbers_that_inlining_does_not_change) {
    static const uint64_t values[] = {FRAME(4), 1, 2, OBJECT(0), 70, OBJECT(0), 71,
                                      FRAME(3), 3, 4, OBJECT(0), 72, SAME(1)};
    sm_state s = {values, constant, sizeof values / sizeof *values};
    sm_state_cursor c = {0};
    sm_state_item item;
    uint32_t last = 0;
    while (sm_state_next(&s, &c, &item) == SM_OK && item.kind)
        last = item.kind == SM_STATE_SAME ? item.object : last;
    cr_expect_eq(last, 2);
}

Test(deoptstate, nested) {
    uint64_t values[3 + 2 * (SM_STATE_NESTED_MAX + 1)];
    uint32_t frames;
    for (uint32_t depth = 1; depth <= SM_STATE_NESTED_MAX + 1; depth++) {
        values[0] = FRAME(2 * depth);
        values[1] = values[2] = 0;
        for (uint32_t i = 0; i < depth; i++) {
            values[3 + 2 * i] = OBJECT(i + 1 < depth);
            values[4 + 2 * i] = 70;
        }
        cr_expect_eq(read_all(values, 3 + 2 * depth, &frames),
                     depth <= SM_STATE_NESTED_MAX ? SM_OK : SM_INVALID_STACKMAP);
    }
}

/* Of any values each is read once, in bounds, in a number of steps that their number bounds. */
Test(deoptstate, anything) {
    static const uint64_t some[] = {FRAME(0),  FRAME(1), FRAME(3), OBJECT(0), OBJECT(1),
                                    OBJECT(2), SAME(1),  7,        VARIABLE};
    unsigned seed = 1;
    uint32_t good_ones = 0;
    for (int round = 0; round < 200000; round++) {
        uint32_t n = (uint32_t)rand_r(&seed) % 12, steps = 0;
        uint64_t *values = malloc(n * sizeof *values + 1); /* a sanitizer sees what is read behind it */
        cr_assert_not_null(values);
        for (uint32_t i = 0; i < n; i++)
            values[i] = some[(unsigned)rand_r(&seed) % (sizeof some / sizeof *some)];
        sm_state s = {values, constant, n};
        sm_state_cursor c = {0};
        sm_state_item item;
        sm_status status;
        while ((status = sm_state_next(&s, &c, &item)) == SM_OK && item.kind)
            cr_assert_leq(++steps, n);
        good_ones += status == SM_OK && n > 6;
        free(values);
    }
    cr_expect_gt(good_ones, 20);
}
