/* Quicksort of an array of references, by a comparison that is passed.
 * sizes: 20000 500 200 */
#include "managed.h"

struct record {
    uint64_t header;
    struct text REF *name;
    uint64_t key;
};

typedef int64_t compare(object a, object b);

static NOINLINE int64_t by_key(object a, object b) {
    uint64_t x = ((struct record REF *)a)->key, y = ((struct record REF *)b)->key;
    return x < y ? -1 : x > y;
}

static NOINLINE int64_t by_name(object a, object b) {
    struct text REF *x = ((struct record REF *)a)->name;
    struct text REF *y = ((struct record REF *)b)->name;
    for (uint64_t i = 0; i < x->length && i < y->length; i++)
        if (x->byte[i] != y->byte[i])
            return x->byte[i] < y->byte[i] ? -1 : 1;
    return 0;
}

static NOINLINE void sort(struct array REF *a, int64_t first, int64_t last, compare *is_less) {
    while (first < last) {
        object pivot = a->item[first + (last - first) / 2];
        int64_t i = first - 1, j = last + 1;
        for (;;) {
            do
                i++;
            while (is_less(a->item[i], pivot) < 0);
            do
                j--;
            while (is_less(a->item[j], pivot) > 0);
            if (i >= j)
                break;
            object other = a->item[i];
            a->item[i] = a->item[j];
            a->item[j] = other;
        }
        sort(a, first, j, is_less);
        first = j + 1;
    }
}

static NOINLINE struct array REF *make(int64_t n) {
    struct array REF *a = new_array((uint64_t)n);
    uint64_t x = 3;
    for (int64_t i = 0; i < n; i++) {
        x = next_random(x);
        struct text REF *name = new_text(8);
        for (uint64_t k = 0; k < 8; k++)
            name->byte[k] = (uint8_t)('a' + (x >> (5 * k + 20)) % 4);
        struct record REF *r = NEW(record, 1);
        r->name = name;
        r->key = x >> 30;
        a->item[i] = r;
    }
    return a;
}

static NOINLINE uint64_t sum_of(struct array REF *a, int64_t n) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum = sum * 31 + ((struct record REF *)a->item[i])->key;
    return sum;
}

int64_t run(int64_t n) {
    struct array REF *a = make(n);
    sort(a, 0, n - 1, by_key);
    uint64_t sum = sum_of(a, n);
    sort(a, 0, n - 1, by_name);
    for (int64_t i = 0; i < n; i++)
        sum += (uint64_t)i * ((struct record REF *)a->item[i])->name->byte[7];
    return (int64_t)sum;
}
