/* The hash table of nodes that lie in what they are the nodes of. */
#include "hash.h"

#include "container.h"

#include <criterion/criterion.h>

enum { THINGS = 5000 };

static struct thing {
    struct hash_node node;
    int number, seen;
} thing[THINGS];

static struct hash table;

/* Few hashes for many things: those of one hash are told apart by their numbers. */
static uint64_t hash_of(int number) {
    return (uint64_t)number % 1000 << 20;
}

static struct thing *find(int number) {
    struct hash_node *n = hash_find(&table, hash_of(number));
    while (n && container_of(n, struct thing, node)->number != number)
        n = hash_find_next(n);
    return n ? container_of(n, struct thing, node) : NULL;
}

static void fill(void) {
    for (int i = 0; i < THINGS; i++) {
        thing[i] = (struct thing){.number = i};
        cr_assert(hash_add(&table, &thing[i].node, hash_of(i)));
    }
}

static void empty(void) {
    hash_free(&table);
    cr_assert_eq(table.count, 0);
    cr_assert_null(hash_first(&table));
    cr_assert_null(hash_find(&table, 0));
}

TestSuite(hash, .fini = empty);

Test(hash, nothing_is_in_an_empty_one) {
    static struct thing none;
    cr_assert_null(hash_find(&table, 5));
    cr_assert_null(hash_first(&table));
    hash_remove(&table, &none.node);
}

Test(hash, each_is_found_as_it_grows) {
    fill();
    cr_assert_eq(table.count, THINGS);
    cr_assert_geq(2 * table.chains, THINGS);
    for (int i = 0; i < THINGS; i++)
        cr_assert_eq(find(i), &thing[i]);
    cr_assert_null(find(THINGS));
}

/* A table that grows moves no more than a few nodes with each that is added, and knows all of them meanwhile. */
Test(hash, grows_a_little_at_a_time) {
    enum { FULL = 4096, MOST = 256 };
    size_t steps = 0;
    for (int i = 0; i < FULL; i++) {
        thing[i] = (struct thing){.number = i};
        cr_assert(hash_add(&table, &thing[i].node, (uint64_t)i));
    }
    cr_assert_eq(table.chains, FULL);
    for (int i = FULL; i < THINGS; i++, steps += table.old != NULL) {
        size_t before = table.moved;
        thing[i] = (struct thing){.number = i};
        cr_assert(hash_add(&table, &thing[i].node, (uint64_t)i));
        cr_assert(!table.old || table.moved - before < MOST);
        for (int k = 0; k < i; k += i % 7 + 1)
            cr_assert_eq(hash_find(&table, (uint64_t)k), &thing[k].node, "%d of %d", k, i);
        cr_assert_null(hash_find(&table, THINGS));
    }
    cr_assert_gt(steps, FULL / MOST);
    cr_assert_eq(table.chains, 2 * FULL);
}

Test(hash, what_is_removed_is_gone_and_the_rest_is_there) {
    fill();
    for (int i = 0; i < THINGS; i += 3) {
        hash_remove(&table, &thing[i].node);
        hash_remove(&table, &thing[i].node); /* again: nothing happens */
    }
    for (int i = 0; i < THINGS; i++)
        cr_assert_eq(find(i), i % 3 ? &thing[i] : NULL, "%d", i);
    cr_assert_eq(table.count, THINGS - (THINGS + 2) / 3);
}

Test(hash, a_walk_meets_each_once_and_may_remove_it) {
    size_t met = 0;
    fill();
    for (struct hash_node *n = hash_first(&table), *next; n; n = next, met++) {
        struct thing *t = container_of(n, struct thing, node);
        next = hash_next(&table, n);
        cr_assert_eq(t->seen++, 0);
        if (t->number % 2)
            hash_remove(&table, n);
    }
    cr_assert_eq(met, THINGS);
    cr_assert_eq(table.count, THINGS / 2);
}
