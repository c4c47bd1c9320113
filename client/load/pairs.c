/* pairs.c - which slots of a site's pairs the visitor handles.
 *
 * A base stands in many pairs, and a slot can be base and derived at once; yet each place must be handled once: a
 * visitor that moves objects would move one twice. What is a base anywhere is visited as one. Other slots follow
 * their base.
 */
#include "map.h"

enum { ROLE_BASE, ROLE_DERIVED };

/* A number that stands for the slot's register or stack place; 0 for what cannot be visited: constants, addresses
 * of allocas, and what has not a pointer's width. */
static uint64_t place_of(const sm_slot *s) {
    if (s->bytes != 8 || (s->kind != SM_SLOT_REGISTER && s->kind != SM_SLOT_INDIRECT))
        return 0;
    return (uint64_t)s->kind << 56 | (uint64_t)s->reg << 32 | (uint32_t)s->value;
}

/* Orders keys by place, then by order. */
static int by_place(const struct pair_key *x, const struct pair_key *y) {
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void swap(struct pair_key *a, struct pair_key *b) {
    struct pair_key t = *a;
    *a = *b;
    *b = t;
}

/* Restores the heap below element I (heap sort). */
static void sink(struct pair_key *key, size_t i, size_t n) {
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && by_place(&key[child], &key[child + 1]) < 0)
            child++;
        if (by_place(&key[i], &key[child]) >= 0)
            return;
        swap(&key[i], &key[child]);
    }
}

/* Sorts keys without asking for memory, as C's qsort may: by insertion if they are few, else by a heap. */
static void sort(struct pair_key *key, size_t n) {
    enum { FEW = 24 };
    if (n <= FEW) {
        for (size_t i = 1; i < n; i++)
            for (size_t j = i; j > 0 && by_place(&key[j - 1], &key[j]) > 0; j--)
                swap(&key[j - 1], &key[j]);
        return;
    }
    for (size_t i = n / 2; i-- > 0;)
        sink(key, i, n);
    for (size_t end = n; end-- > 1;) {
        swap(&key[0], &key[end]);
        sink(key, 0, end);
    }
}

/* Marks in N pairs the slots that the visitor has to handle, each place once. KEY is scratch for 2 * N keys. */
void mark_pairs(sm_pair *pair, uint32_t n, struct pair_key *key) {
    for (uint32_t i = 0; i < n; i++) {
        key[i] = (struct pair_key){place_of(&pair[i].base), (uint32_t)ROLE_BASE << 31 | i};
        key[n + i] = (struct pair_key){place_of(&pair[i].derived), (uint32_t)ROLE_DERIVED << 31 | i};
    }
    sort(key, 2 * (size_t)n);
    for (size_t i = 0; i < 2 * (size_t)n; i++) {
        if (!key[i].place || (i && key[i].place == key[i - 1].place))
            continue;
        sm_pair *p = &pair[key[i].order & ~((uint32_t)1 << 31)];
        if (key[i].order >> 31 == ROLE_BASE)
            p->base.reserved = SLOT_VISIT;
        else if (place_of(&p->base))
            p->derived.reserved = SLOT_VISIT;
    }
}

/* The register by which a slot is found, as a bit. */
static uint64_t register_of(const sm_slot *s) {
    if (s->kind == SM_SLOT_INDIRECT && s->reg == REG_SP)
        return 0;
    return s->kind == SM_SLOT_CONSTANT || s->reg >= REG_MAX ? SLOTS_UNKNOWN : (uint64_t)1 << s->reg;
}

struct slots sum_pairs(const sm_pair *pair, uint32_t n) {
    struct slots sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (pair[i].base.reserved == SLOT_VISIT || pair[i].derived.reserved == SLOT_VISIT)
            sum.registers |= register_of(&pair[i].base);
        if (pair[i].derived.reserved == SLOT_VISIT)
            sum.registers |= register_of(&pair[i].derived);
        sum.have_derived |= pair[i].derived.reserved == SLOT_VISIT;
    }
    return sum;
}
