/* The index of a cache's tier, against a plain list. */
#include "lru.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 3000, STEPS = 60000 };

static struct lru l;
static struct lru_node node[KEYS];

static void name(struct lru_node *n, unsigned i) {
    memset(n, 0, sizeof *n);
    memcpy(n->key.byte, &i, sizeof i);
    n->key.byte[8] = (unsigned char)(i % 7); /* chains are long: keys share what is taken as hash */
    n->bytes = i + 1;
}

static void order_is(const unsigned *expected, size_t n) {
    struct lru_node *at = l.newest;
    for (size_t i = 0; i < n; i++, at = at->older)
        cr_assert_eq(at, &node[expected[i]], "place %zu", i);
    cr_assert_null(at);
    cr_assert_eq(l.oldest, n ? &node[expected[n - 1]] : NULL);
}

Test(lru, order) {
    for (unsigned i = 0; i < 4; i++)
        name(&node[i], i);
    order_is(NULL, 0);
    lru_add(&l, &node[0]);
    lru_add(&l, &node[1]);
    lru_add_oldest(&l, &node[2]);
    order_is((const unsigned[]){1, 0, 2}, 3);
    lru_use(&l, &node[2]);
    lru_use(&l, &node[2]);
    order_is((const unsigned[]){2, 1, 0}, 3);
    lru_remove(&l, &node[1]);
    order_is((const unsigned[]){2, 0}, 2);
    lru_add_oldest(&l, &node[3]);
    lru_remove(&l, &node[2]);
    order_is((const unsigned[]){0, 3}, 2);
    cr_assert_eq(l.bytes, 5);
    lru_remove(&l, &node[3]);
    lru_remove(&l, &node[0]);
    order_is(NULL, 0);
    lru_free(&l);
}

Test(lru, finds_what_is_there_and_nothing_else) {
    static char is_there[KEYS];
    size_t count = 0, bytes = 0;
    for (unsigned i = 0; i < KEYS; i++)
        name(&node[i], i);
    for (int step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)random() % KEYS;
        cr_assert_eq(lru_find(&l, &node[i].key), is_there[i] ? &node[i] : NULL);
        if (is_there[i] && random() % 3 == 0) {
            lru_use(&l, &node[i]);
        } else if (is_there[i]) {
            lru_remove(&l, &node[i]);
            is_there[i] = 0;
            count--;
            bytes -= node[i].bytes;
        } else {
            cr_assert(lru_add(&l, &node[i]));
            is_there[i] = 1;
            count++;
            bytes += node[i].bytes;
        }
        cr_assert_eq(l.count, count);
        cr_assert_eq(l.bytes, bytes);
    }
    lru_free(&l);
}

/* Lists the nodes in pieces, between which CHANGE is called; gives how many keys there were, each of which is counted in
 * TIMES. */
static size_t list_with(void (*change)(int piece), unsigned *times) {
    static uint32_t number;
    struct listing x = {.number = ++number};
    size_t count = 0;
    int has_more = 1;
    memset(times, 0, KEYS * sizeof *times);
    for (int piece = 0; has_more; piece++) {
        has_more = lru_list(&l, &x);
        cr_assert_leq(x.count, (size_t)LISTING_PIECE);
        for (size_t i = 0; i < x.count; i++) {
            unsigned which;
            memcpy(&which, x.key[i].byte, sizeof which);
            times[which]++;
        }
        count += x.count;
        if (change)
            change(piece);
    }
    return count;
}

static void use_some(int piece) {
    (void)piece;
    for (int i = 0; i < 50; i++)
        lru_use(&l, &node[(unsigned)random() % KEYS]);
}

/* What is used just where the listing goes on, and what is removed there. */
static void take_the_next(int piece) {
    if (l.next_listed && piece % 2)
        lru_use(&l, l.next_listed);
    else if (l.next_listed)
        lru_remove(&l, l.next_listed);
}

Test(lru, lists_each_key_once_while_keys_are_used) {
    static unsigned times[KEYS];
    for (unsigned i = 0; i < KEYS; i++) {
        name(&node[i], i);
        lru_add(&l, &node[i]);
    }
    cr_expect_eq(list_with(NULL, times), (size_t)KEYS);
    cr_expect_eq(list_with(use_some, times), (size_t)KEYS);
    for (unsigned i = 0; i < KEYS; i++)
        cr_expect_eq(times[i], 1u, "%u: %u times", i, times[i]);
    list_with(take_the_next, times);
    for (unsigned i = 0; i < KEYS; i++)
        cr_expect(times[i] == 1 || (times[i] == 0 && lru_find(&l, &node[i].key) == NULL), "%u: %u times", i,
                  times[i]);
    lru_free(&l);
}
