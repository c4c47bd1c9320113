/* The compiler's sets, against a plain list. */
#include "set.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 400, STEPS = 20000 };

static char value[VALUES * 16]; /* as far from each other as LLVM's values are */

static void *value_of(unsigned n) {
    return &value[16 * (n % VALUES)];
}

static int has(void *const *list, size_t n, const void *item) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == item)
            return 1;
    return 0;
}

static void same(const struct set *s, void *const *list, size_t n) {
    cr_assert_eq(s->count, n);
    cr_assert_eq(memcmp(s->item, list, n * sizeof *list), 0, "another order");
    for (unsigned v = 0; v < VALUES; v++)
        cr_assert_eq(set_has(s, value_of(v)), has(list, n, value_of(v)), "value %u of %zu", v, n);
    for (size_t i = 0; i < n; i++)
        cr_assert_eq(s->item[set_number(s, list[i])], list[i]);
}

Test(set, each_once_in_order) {
    struct set s = {0};
    void *list[VALUES];
    size_t n = 0;
    cr_assert_not(set_has(&s, value_of(0)));
    for (unsigned i = 0; i < 3 * VALUES; i++) {
        void *item = value_of(i * 7 % VALUES);
        set_add(&s, item);
        if (!has(list, n, item))
            list[n++] = item;
        if (i % 16 == 0)
            same(&s, list, n);
    }
    cr_assert_eq(n, VALUES);
    set_free(&s);
}

Test(set, equal_items_in_order) {
    struct set s = {0};
    void *list[3 * VALUES];
    for (unsigned i = 0; i < 3 * VALUES; i++) {
        set_add_again(&s, list[i] = value_of(i * 7 % VALUES));
        if (i % 16 == 0)
            same(&s, list, i + 1);
    }
    cr_assert_eq(set_number(&s, list[VALUES]), 0, "the first of equal ones");
    set_free(&s);
}

Test(set, as_a_list_that_changes) {
    struct set s = {0};
    void *list[VALUES];
    size_t n = 0;
    srand(7);
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned what = (unsigned)rand() % 16, at = n ? (unsigned)rand() % (unsigned)n : 0;
        void *item = value_of((unsigned)rand());
        int is_new = !has(list, n, item);
        if (what < 12) {
            set_add(&s, item);
            if (is_new)
                list[n++] = item;
        } else if (what < 14 && n) {
            set_remove(&s, at);
            list[at] = list[--n];
        } else if (what == 14 && n && is_new) {
            set_replace(&s, at, item);
            list[at] = item;
        } else if (i % 2000 < 8) {
            set_clear(&s);
            n = 0;
        }
        if (i % 64 == 0)
            same(&s, list, n);
    }
    same(&s, list, n);
    set_free(&s);
}
