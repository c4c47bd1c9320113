/* What one has used: requests a second, compiles at once, and of a day, which is UTC's. */
#include "usage.h"

#include <criterion/criterion.h>

enum { DAY = 86400, NOON = 20000 * DAY + DAY / 2 };

static struct usage *u;

static void setup(void) {
    u = usage_new();
    cr_assert(u);
}

static void teardown(void) {
    usage_unref(u);
}

TestSuite(usage, .init = setup, .fini = teardown);

/* A day's count is another's no longer, from the first second on; what is counted by one is not by another. */
Test(usage, days) {
    usage_add(u, DAILY_BYTES, 100, NOON);
    usage_add(u, DAILY_BYTES, 11, NOON + DAY / 2 - 1);
    usage_add(u, DAILY_CPU_NS, 5, NOON);
    cr_expect_eq(usage_of_day(u, DAILY_BYTES, NOON + DAY / 2 - 1), 111);
    cr_expect_eq(usage_of_day(u, DAILY_CPU_NS, NOON), 5);
    cr_expect_eq(usage_of_day(u, DAILY_BYTES, NOON + DAY / 2), 0);
    cr_expect_eq(usage_of_day(u, DAILY_CPU_NS, NOON + DAY / 2), 0);
    usage_add(u, DAILY_BYTES, 7, NOON + DAY / 2);
    cr_expect_eq(usage_of_day(u, DAILY_BYTES, NOON + DAY / 2 + 1), 7);
}

/* A clock that is set back gives no day twice; nothing overflows. */
Test(usage, clocks_and_bounds) {
    usage_add(u, DAILY_BYTES, 100, NOON);
    cr_expect_eq(usage_of_day(u, DAILY_BYTES, NOON - DAY), 100);
    usage_add(u, DAILY_BYTES, 1, NOON - 9 * DAY);
    cr_expect_eq(usage_of_day(u, DAILY_BYTES, NOON), 101);
    usage_add(u, DAILY_BYTES, UINT64_MAX, NOON);
    cr_expect_eq(usage_of_day(u, DAILY_BYTES, NOON), UINT64_MAX);
}

Test(usage, the_day_ends) {
    cr_expect_eq(usage_day_left(NOON), DAY / 2);
    cr_expect_eq(usage_day_left(NOON + DAY / 2 - 1), 1);
    cr_expect_eq(usage_day_left(NOON + DAY / 2), DAY);
}

Test(usage, requests_a_second) {
    uint64_t now = 5000000000, second = 1000000000;
    for (int i = 0; i < 3; i++)
        cr_expect(usage_admit(u, 3, now));
    cr_expect_not(usage_admit(u, 3, now));
    cr_expect_not(usage_admit(u, 3, now + second / 4));
    cr_expect(usage_admit(u, 3, now + second / 2));
    for (int i = 0; i < 3; i++)
        cr_expect(usage_admit(u, 3, now + 100 * second));
    cr_expect_not(usage_admit(u, 3, now + 100 * second), "what was not asked for is not saved up");
}

Test(usage, compiles_at_once) {
    cr_expect(usage_begin(u, 2));
    cr_expect(usage_begin(u, 2));
    cr_expect_not(usage_begin(u, 2));
    cr_expect(usage_begin(u, 0), "as many as come");
    usage_end(u);
    usage_end(u);
    cr_expect(usage_begin(u, 2));
    usage_end(u);
    usage_end(u);
}
