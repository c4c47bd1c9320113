/* Tickets: what has left is not found, whoever has its slot now. */
#include "slots.h"

#include <criterion/criterion.h>

Test(slots, found_until_it_leaves) {
    struct slots s = {0};
    int a, b, c;
    uint64_t of_a = slots_enter(&s, &a), of_b = slots_enter(&s, &b);
    cr_assert(of_a && of_b && of_a != of_b);
    cr_assert_eq(slots_find(&s, of_a), &a);
    cr_assert_eq(slots_find(&s, of_b), &b);
    slots_leave(&s, of_a);
    cr_assert_null(slots_find(&s, of_a));
    uint64_t of_c = slots_enter(&s, &c);
    cr_assert_neq(of_c, of_a);
    cr_assert_null(slots_find(&s, of_a), "its slot was taken again");
    slots_leave(&s, of_a);
    cr_assert_eq(slots_find(&s, of_c), &c, "who has left cannot make another leave");
    slots_free(&s);
}

Test(slots, numbers_that_nobody_was_given) {
    struct slots s = {0};
    int a;
    cr_assert_null(slots_find(&s, 0));
    uint64_t ticket = slots_enter(&s, &a);
    cr_assert_null(slots_find(&s, 0));
    cr_assert_null(slots_find(&s, UINT64_MAX));
    cr_assert_null(slots_find(&s, ticket + 1));
    slots_leave(&s, ticket + 1);
    cr_assert_eq(slots_find(&s, ticket), &a);
    slots_free(&s);
}

Test(slots, many_come_and_go) {
    enum { MANY = 5000 };
    static uint64_t ticket[MANY], old[MANY];
    static int thing[MANY];
    struct slots s = {0};
    for (int i = 0; i < MANY; i++)
        ticket[i] = slots_enter(&s, &thing[i]);
    for (int round = 0; round < 3; round++) {
        for (int i = round; i < MANY; i += 3) {
            old[i] = ticket[i];
            slots_leave(&s, ticket[i]);
        }
        for (int i = round; i < MANY; i += 3)
            ticket[i] = slots_enter(&s, &thing[i]);
    }
    for (int i = 0; i < MANY; i++) {
        cr_assert_lt(ticket[i], (uint64_t)1 << SLOTS_TICKET_BITS);
        cr_assert_eq(slots_find(&s, ticket[i]), &thing[i]);
        cr_assert_null(slots_find(&s, old[i]));
    }
    cr_assert_eq(s.count, MANY, "slots are used again");
    slots_free(&s);
}
