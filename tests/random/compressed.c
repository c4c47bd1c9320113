/* compressed.c - references of 32 bits: alone, in vectors and structs, exchanged in slots, and as addresses. See
 * gen.h. */
#include "gen.h"

#define POINTER "ptr addrspace(1)"
#define SMALLER "ptr addrspace(3)"

struct value make_small(struct gen *g) {
    struct value v = value_new(g, SMALL), from = pick(g, REF);
    line(g, "%s = addrspacecast " POINTER " %s to " SMALLER, v.text, from.text);
    v.nonnull = from.nonnull;
    return v;
}

struct value whole(struct gen *g, struct value small) {
    struct value v = value_new(g, REF);
    line(g, "%s = addrspacecast " SMALLER " %s to " POINTER, v.text, small.text);
    v.nonnull = small.nonnull;
    return v;
}

void s_compress(struct gen *g) {
    struct value v = make_small(g);
    pass_time(g);
    value_add(g, v);
}

void s_decompress(struct gen *g) {
    value_add(g, whole(g, pick(g, SMALL)));
}

/* By way of the compressed reference itself. */
void s_small_load(struct gen *g) {
    struct value small = value_new(g, SMALL), object = pick_object(g), at = value_new(g, KINDS),
                 v = value_new(g, WORD);
    line(g, "%s = addrspacecast " POINTER " %s to " SMALLER, small.text, object.text);
    if (chance(g, 50))
        pass_time(g);
    line(g, "%s = getelementptr i8, " SMALLER " %s, i64 %d", at.text, small.text,
         8 * (WORLD_NODE_POINTERS + (int)any(g, WORLD_NODE_WORDS)));
    if (chance(g, 40))
        line(g, "store i64 %s, " SMALLER " %s", pick(g, WORD).text, at.text);
    line(g, "%s = load i64, " SMALLER " %s", v.text, at.text);
    small.nonnull = 1;
    value_add(g, v);
    value_add(g, small);
}

void s_small_same(struct gen *g) {
    struct value a = pick(g, SMALL), b = pick(g, SMALL), v = value_new(g, BIT);
    line(g, "%s = icmp %s " SMALLER " %s, %s", v.text, one_of(g, "eq|ne"), a.text, chance(g, 30) ? "null" : b.text);
    value_add(g, v);
}

/* ---- In vectors and structs ---- */

struct value make_small_pair(struct gen *g) {
    struct value first = pick(g, SMALL), second = pick(g, SMALL), half = value_new(g, SMALL_PAIR), v;
    line(g, "%s = insertelement %s %s, " SMALLER " %s, i32 0", half.text, type_of(SMALL_PAIR),
         one_of(g, "zeroinitializer|poison"), first.text);
    v = value_new(g, SMALL_PAIR);
    line(g, "%s = insertelement %s %s, " SMALLER " %s, i32 1", v.text, type_of(SMALL_PAIR), half.text, second.text);
    v.nonnull = first.nonnull && second.nonnull;
    return v;
}

struct value make_small_struct(struct gen *g) {
    struct value from = pick(g, SMALL), word = pick(g, WORD), half = value_new(g, SMALL_STRUCT), v;
    line(g, "%s = insertvalue %s %s, " SMALLER " %s, 0", half.text, type_of(SMALL_STRUCT),
         one_of(g, "zeroinitializer|poison"), from.text);
    v = value_new(g, SMALL_STRUCT);
    line(g, "%s = insertvalue %s %s, i64 %s, 1", v.text, type_of(SMALL_STRUCT), half.text, word.text);
    v.nonnull = from.nonnull;
    return v;
}

/* The compressed reference in a vector or struct. */
struct value small_in(struct gen *g, struct value of, int index) {
    struct value v = value_new(g, SMALL);
    if (of.kind == SMALL_PAIR)
        line(g, "%s = extractelement %s %s, i32 %d", v.text, type_of(SMALL_PAIR), of.text, index);
    else
        line(g, "%s = extractvalue %s %s, 0", v.text, type_of(SMALL_STRUCT), of.text);
    v.nonnull = of.nonnull;
    return v;
}

void s_small_pair(struct gen *g) {
    struct value from = pick(g, SMALL_PAIR), other = pick(g, SMALL_PAIR), v = value_new(g, SMALL_PAIR),
                 small = pick(g, SMALL);
    if (chance(g, 50))
        pass_time(g);
    switch (any(g, 3)) {
    case 0:
        value_add(g, small_in(g, from, (int)any(g, 2)));
        return;
    case 1:
        line(g, "%s = insertelement %s %s, " SMALLER " %s, i32 %d", v.text, type_of(SMALL_PAIR), from.text,
             small.text, (int)any(g, 2));
        v.nonnull = from.nonnull && small.nonnull;
        break;
    default:
        line(g, "%s = shufflevector %s %s, %s %s, <2 x i32> <i32 %d, i32 %d>", v.text, type_of(SMALL_PAIR), from.text,
             type_of(SMALL_PAIR), other.text, (int)any(g, 4), (int)any(g, 4));
        v.nonnull = from.nonnull && other.nonnull;
    }
    value_add(g, v);
}

void s_small_struct(struct gen *g) {
    struct value from = pick(g, SMALL_STRUCT), v = value_new(g, SMALL_STRUCT), small = pick(g, SMALL);
    if (chance(g, 50))
        pass_time(g);
    if (chance(g, 50)) {
        value_add(g, small_in(g, from, 0));
        return;
    }
    line(g, "%s = insertvalue %s %s, " SMALLER " %s, 0", v.text, type_of(SMALL_STRUCT), from.text, small.text);
    v.nonnull = small.nonnull;
    value_add(g, v);
}

/* ---- Atomics ---- */

/* One that others may exchange, in a slot that is known to them. */
static void exchange_in_slot(struct gen *g) {
    struct value at = cell_at(g, SMALL), v = pick(g, SMALL), old = value_new(g, SMALL), both, bit;
    if (chance(g, 50)) {
        line(g, "%s = atomicrmw xchg ptr %s, " SMALLER " %s seq_cst", old.text, at.text, v.text);
    } else if (chance(g, 50)) {
        line(g, "store atomic " SMALLER " %s, ptr %s release, align 4", v.text, at.text);
        line(g, "%s = load atomic " SMALLER ", ptr %s acquire, align 4", old.text, at.text);
    } else {
        both = value_new(g, KINDS), bit = value_new(g, BIT);
        line(g, "%s = cmpxchg ptr %s, " SMALLER " %s, " SMALLER " %s acq_rel monotonic", both.text, at.text,
             pick(g, SMALL).text, v.text);
        line(g, "%s = extractvalue { " SMALLER ", i1 } %s, 0", old.text, both.text);
        line(g, "%s = extractvalue { " SMALLER ", i1 } %s, 1", bit.text, both.text);
        value_add(g, bit);
    }
    value_add(g, old);
}

/* A word or a reference of an object, by way of its compressed address. */
static void exchange_by_way(struct gen *g) {
    struct value small = value_new(g, SMALL), object = pick_object(g), at = value_new(g, KINDS), old;
    int field = chance(g, 50);
    line(g, "%s = addrspacecast " POINTER " %s to " SMALLER, small.text, object.text);
    if (chance(g, 50))
        pass_time(g);
    line(
        g, "%s = getelementptr i8, " SMALLER " %s, i64 %d", at.text, small.text,
        8 * (field ? 1 + (int)any(g, WORLD_NODE_POINTERS - 1) : WORLD_NODE_POINTERS + (int)any(g, WORLD_NODE_WORDS)));
    if (field) {
        struct value v = pick(g, REF);
        old = value_new(g, REF);
        line(g, "%s = atomicrmw xchg " SMALLER " %s, " POINTER " %s seq_cst", old.text, at.text, v.text);
    } else {
        struct value v = pick(g, WORD);
        old = value_new(g, WORD);
        line(g, "%s = atomicrmw %s " SMALLER " %s, i64 %s seq_cst", old.text, one_of(g, "add|xor|xchg|umax"), at.text,
             v.text);
    }
    value_add(g, old);
}

void s_small_exchange(struct gen *g) {
    if (has(g, FEATURE(ESCAPES)) && chance(g, 60))
        exchange_in_slot(g);
    else
        exchange_by_way(g);
}
