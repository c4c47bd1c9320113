/* Lists: one is made, reversed, filtered, and added up again and again, by loops over references.
 * sizes: 5000 30 30 */
#include "managed.h"

struct cell {
    uint64_t header;
    struct cell REF *next;
    int64_t value;
};

typedef struct cell REF *list;

static NOINLINE list range(int64_t n) {
    list l = 0;
    for (int64_t i = 0; i < n; i++) {
        list cell = NEW(cell, 1);
        cell->value = i;
        cell->next = l;
        l = cell;
    }
    return l;
}

static NOINLINE list reverse(list l) {
    list done = 0;
    while (l) {
        list next = l->next;
        l->next = done;
        done = l;
        l = next;
    }
    return done;
}

static NOINLINE list odd(list l) {
    list result = 0;
    for (; l; l = l->next)
        if (l->value & 1) {
            list cell = NEW(cell, 1);
            cell->value = l->value;
            cell->next = result;
            result = cell;
        }
    return result;
}

static NOINLINE int64_t sum_of(list l) {
    int64_t sum = 0;
    for (; l; l = l->next)
        sum += l->value;
    return sum;
}

static NOINLINE int64_t has(list l, int64_t value) {
    while (l && l->value != value)
        l = l->next;
    return l != 0;
}

int64_t run(int64_t n) {
    list l = range(n);
    int64_t sum = 0;
    for (int64_t i = 0; i < 200; i++) {
        l = reverse(l);
        list some = odd(l);
        sum += sum_of(l) + sum_of(some) * 3;
        sum += has(some, i * n / 100);
    }
    return sum;
}
