/* A hash table with chains, which grows: words are counted in it.
 * sizes: 300000 5000 600 */
#include "managed.h"

struct entry {
    uint64_t header;
    struct entry REF *next;
    uint64_t key, count;
};

struct table {
    uint64_t header;
    struct array REF *buckets;
    uint64_t size, used;
};

static uint64_t hash(uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

static NOINLINE struct entry REF *find(struct table REF *t, uint64_t key) {
    struct entry REF *e = t->buckets->item[hash(key) & (t->size - 1)];
    while (e && e->key != key)
        e = e->next;
    return e;
}

static NOINLINE void grow(struct table REF *t) {
    uint64_t size = t->size;
    struct array REF *larger = new_array(2 * size);
    struct array REF *old = t->buckets;
    for (uint64_t i = 0; i < size; i++) {
        struct entry REF *e = old->item[i];
        while (e) {
            struct entry REF *next = e->next;
            uint64_t at = hash(e->key) & (2 * size - 1);
            e->next = larger->item[at];
            larger->item[at] = e;
            e = next;
        }
    }
    t->buckets = larger;
    t->size = 2 * size;
}

static NOINLINE void insert(struct table REF *t, uint64_t key) {
    if (t->used == t->size)
        grow(t);
    struct entry REF *e = NEW(entry, 1);
    uint64_t at = hash(key) & (t->size - 1);
    e->key = key;
    e->count = 1;
    e->next = t->buckets->item[at];
    t->buckets->item[at] = e;
    t->used++;
}

int64_t run(int64_t n) {
    struct table REF *t = NEW(table, 1);
    t->buckets = new_array(16);
    t->size = 16;
    uint64_t x = 7;
    for (int64_t i = 0; i < n; i++) {
        x = next_random(x);
        uint64_t key = (x >> 33) % ((uint64_t)n / 4 + 1);
        struct entry REF *e = find(t, key);
        if (e)
            e->count++;
        else
            insert(t, key);
    }
    uint64_t sum = 0;
    for (uint64_t i = 0; i < t->size; i++)
        for (struct entry REF *e = t->buckets->item[i]; e; e = e->next)
            sum += e->key * e->count * e->count;
    return (int64_t)sum;
}
