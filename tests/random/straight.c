/* straight.c - statements that stay in their block. See gen.h. */
#include "gen.h"

#include <stdio.h>

#define POINTER "ptr addrspace(1)"

static void text_of_int(char text[24], uint64_t n) {
    snprintf(text, 24, "%d", (int)n);
}

/* ---- Numbers ---- */

void s_arithmetic(struct gen *g) {
    struct value a = pick(g, WORD), b = pick(g, WORD), v = value_new(g, WORD), low;
    if (chance(g, 70)) {
        line(g, "%s = %s i64 %s, %s", v.text, one_of(g, "add|sub|mul|xor|or|and"), a.text, b.text);
    } else {
        low = value_new(g, WORD);
        line(g, "%s = and i64 %s, 15", low.text, b.text);
        line(g, "%s = %s i64 %s, %s", v.text, one_of(g, "shl|lshr|ashr"), a.text, low.text);
    }
    value_add(g, v);
}

void s_compare(struct gen *g) {
    struct value a = pick(g, WORD), b = pick(g, WORD), bit = value_new(g, BIT), v = value_new(g, WORD);
    line(g, "%s = icmp %s i64 %s, %s", bit.text, one_of(g, "eq|slt|ugt|sge|ne"), a.text, b.text);
    line(g, "%s = select i1 %s, i64 %s, i64 %s", v.text, bit.text, a.text, b.text);
    value_add(g, bit);
    value_add(g, v);
}

void s_half(struct gen *g) {
    struct value a = pick(g, HALF), b = pick(g, HALF), v = value_new(g, HALF), wide = value_new(g, WORD);
    line(g, "%s = %s i32 %s, %s", v.text, one_of(g, "add|sub|mul|xor"), a.text, b.text);
    line(g, "%s = %s i32 %s to i64", wide.text, one_of(g, "sext|zext"), v.text);
    value_add(g, v);
    value_add(g, wide);
}

void s_real(struct gen *g) {
    struct value a = pick(g, REAL), b = pick(g, REAL), v = value_new(g, REAL);
    if (chance(g, 60))
        line(g, "%s = %s double %s, %s", v.text, one_of(g, "fadd|fsub"), a.text, b.text);
    else
        line(g, "%s = call double @llvm.%s.f64(double %s)", v.text, one_of(g, "floor|fabs|trunc"), a.text);
    value_add(g, v);
}

void s_lanes(struct gen *g) {
    struct value a = pick(g, LANES), b = pick(g, LANES), v = value_new(g, LANES);
    if (chance(g, 60))
        line(g, "%s = %s <4 x i32> %s, %s", v.text, one_of(g, "add|sub|xor|mul"), a.text, b.text);
    else
        line(g, "%s = shufflevector <4 x i32> %s, <4 x i32> %s, <4 x i32> <i32 %d, i32 5, i32 2, i32 %d>", v.text,
             a.text, b.text, (int)any(g, 8), (int)any(g, 8));
    value_add(g, v);
}

void s_lanes_memory(struct gen *g) {
    struct value at = pick_interior(g, 0, 1), v = value_new(g, LANES);
    if (chance(g, 50)) {
        v = pick(g, LANES);
        line(g, "store <4 x i32> %s, " POINTER " %s, align 8", v.text, at.text);
    } else {
        line(g, "%s = load <4 x i32>, " POINTER " %s, align 8", v.text, at.text);
        value_add(g, v);
    }
}

/* ---- Objects ---- */

void s_load(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), v = value_new(g, WORD), at;
    char index[24];
    text_of_int(index, any(g, WORLD_NODE_WORDS));
    at = word_at(g, object, index);
    line(g, "%s = load i64, " POINTER " %s%s", v.text, at.text, has(g, FEATURE(ATTRIBUTES)) ? ", !tbaa !4" : "");
    value_add(g, v);
}

void s_store(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), v = pick(g, WORD), at;
    char index[24];
    text_of_int(index, any(g, WORLD_NODE_WORDS));
    at = word_at(g, object, index);
    line(g, "store i64 %s, " POINTER " %s%s", v.text, at.text, has(g, FEATURE(ATTRIBUTES)) ? ", !tbaa !4" : "");
}

/* Follows a reference. The first one of an object is never null. */
void s_chase(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), v = value_new(g, REF), at = value_new(g, FIELD);
    v.nonnull = chance(g, 60);
    if (v.nonnull) {
        line(g, "%s = load " POINTER ", " POINTER " %s%s", v.text, object.text,
             has(g, FEATURE(ATTRIBUTES)) ? one_of(g, "|, !nonnull !0|, !tbaa !3|, !dereferenceable !1") : "");
    } else {
        line(g, "%s = getelementptr %%node, " POINTER " %s, i64 0, i32 0, i64 %d", at.text, object.text,
             1 + (int)any(g, WORLD_NODE_POINTERS - 1));
        line(g, "%s = load " POINTER ", " POINTER " %s", v.text, at.text);
    }
    value_add(g, v);
}

void s_link(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), at = value_new(g, FIELD), v;
    if (chance(g, 40)) {
        v = pick_object(g);
        line(g, "store " POINTER " %s, " POINTER " %s", v.text, object.text);
        return;
    }
    v = pick(g, REF);
    line(g, "%s = getelementptr %%node, " POINTER " %s, i64 0, i32 0, i64 %d", at.text, object.text,
         1 + (int)any(g, WORLD_NODE_POINTERS - 1));
    line(g, "store " POINTER " %s, " POINTER " %s", v.text, at.text);
}

void s_identity(struct gen *g) {
    struct value a = pick(g, REF), b = pick(g, REF), v = value_new(g, BIT);
    line(g, "%s = icmp %s " POINTER " %s, %s", v.text, one_of(g, "eq|ne"), a.text, b.text);
    value_add(g, v);
}

/* ---- Derived pointers ---- */

/* To a word of an object; its number is known, or computed. */
void s_derive(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), v, low, index;
    char text[24];
    int first = (int)any(g, WORLD_NODE_WORDS);
    if (chance(g, 50)) {
        text_of_int(text, (uint64_t)first);
        v = word_at(g, object, text);
        v.before = first;
        v.after = WORLD_NODE_WORDS - 1 - first;
    } else {
        struct value word = pick(g, WORD);
        first = (int)any(g, WORLD_NODE_WORDS - 3);
        low = value_new(g, WORD);
        index = value_new(g, WORD);
        line(g, "%s = and i64 %s, 3", low.text, word.text);
        line(g, "%s = add i64 %s, %d", index.text, low.text, first);
        v = word_at(g, object, index.text);
        v.before = first;
        v.after = WORLD_NODE_WORDS - 4 - first;
    }
    value_add(g, v);
}

/* From one word to another one of the same object. */
void s_advance(struct gen *g) {
    struct value from = pick_interior(g, 0, 0), v = value_new(g, INTERIOR), low, word;
    v.before = from.before;
    v.after = from.after;
    if (from.after > 0 && chance(g, 50)) {
        int mask = from.after >= 3 ? 3 : 1;
        word = pick(g, WORD);
        low = value_new(g, WORD);
        line(g, "%s = and i64 %s, %d", low.text, word.text, mask);
        line(g, "%s = getelementptr i64, " POINTER " %s, i64 %s", v.text, from.text, low.text);
        v.after -= mask;
    } else {
        int distance = (int)any(g, (uint64_t)(from.before + from.after + 1)) - from.before;
        line(g, "%s = getelementptr i8, " POINTER " %s, i64 %d", v.text, from.text, 8 * distance);
        v.before += distance;
        v.after -= distance;
    }
    value_add(g, v);
}

void s_through(struct gen *g) {
    struct value at = pick_interior(g, 0, 0), v = pick(g, WORD);
    if (chance(g, 50)) {
        line(g, "store i64 %s, " POINTER " %s", v.text, at.text);
        return;
    }
    v = value_new(g, WORD);
    line(g, "%s = load i64, " POINTER " %s", v.text, at.text);
    value_add(g, v);
}

void s_field(struct gen *g) {
    struct value at = pick(g, FIELD), v = pick(g, REF);
    if (chance(g, 50)) {
        line(g, "store " POINTER " %s, " POINTER " %s", v.text, at.text);
        return;
    }
    v = value_new(g, REF);
    line(g, "%s = load " POINTER ", " POINTER " %s", v.text, at.text);
    value_add(g, v);
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

void s_select(struct gen *g) {
    enum kind kind = any_kind(g);
    struct value bit = pick(g, BIT), a = pick(g, kind), b = pick(g, kind), v = value_new(g, kind);
    line(g, "%s = select i1 %s, %s %s, %s %s", v.text, bit.text, type_of(kind), a.text, type_of(kind), b.text);
    v.nonnull = a.nonnull && b.nonnull;
    v.before = smaller(a.before, b.before);
    v.after = smaller(a.after, b.after);
    value_add(g, v);
}

void s_freeze(struct gen *g) {
    enum kind kind = any_kind(g);
    struct value from = pick(g, kind), v = from;
    snprintf(v.text, sizeof v.text, "%s", value_new(g, kind).text);
    line(g, "%s = freeze %s %s", v.text, type_of(kind), from.text);
    value_add(g, v);
}

void s_use(struct gen *g) {
    use_up(g, g->values ? g->value[any(g, g->values)] : constant(g));
}

/* ---- Vectors ---- */

void s_pair(struct gen *g) {
    struct value from = pick(g, PAIR), v = value_new(g, PAIR), r = pick(g, REF);
    if (chance(g, 50)) {
        v = value_new(g, REF);
        v.nonnull = from.nonnull;
        line(g, "%s = extractelement %s %s, i32 %d", v.text, type_of(PAIR), from.text, (int)any(g, 2));
    } else {
        v.nonnull = from.nonnull && r.nonnull;
        line(g, "%s = insertelement %s %s, " POINTER " %s, i32 %d", v.text, type_of(PAIR), from.text, r.text,
             (int)any(g, 2));
    }
    value_add(g, v);
}

/* The second and third fields of an object. */
void s_pair_memory(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), at = value_new(g, FIELD), v = value_new(g, PAIR);
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 8", at.text, object.text);
    if (chance(g, 50)) {
        v = pick(g, PAIR);
        line(g, "store %s %s, " POINTER " %s, align 8", type_of(PAIR), v.text, at.text);
    } else {
        line(g, "%s = load %s, " POINTER " %s, align 8", v.text, type_of(PAIR), at.text);
        value_add(g, v);
    }
}

void s_shuffle(struct gen *g) {
    struct value a = pick(g, PAIR), b = pick(g, PAIR), v = value_new(g, PAIR), bits = value_new(g, BIT);
    v.nonnull = a.nonnull && b.nonnull;
    if (chance(g, 60)) {
        line(g, "%s = shufflevector %s %s, %s %s, <2 x i32> <i32 %d, i32 %d>", v.text, type_of(PAIR), a.text,
             type_of(PAIR), b.text, (int)any(g, 4), (int)any(g, 4));
    } else {
        line(g, "%s = icmp eq %s %s, %s", bits.text, type_of(PAIR), a.text, b.text);
        line(g, "%s = select <2 x i1> %s, %s %s, %s %s", v.text, bits.text, type_of(PAIR), b.text, type_of(PAIR),
             a.text);
    }
    value_add(g, v);
}

/* One base and two distances, or an element of such a vector. */
void s_interiors(struct gen *g) {
    struct value from, v;
    if (chance(g, 50)) {
        from = pick(g, INTERIORS);
        v = value_new(g, INTERIOR);
        line(g, "%s = extractelement %s %s, i32 %d", v.text, type_of(INTERIORS), from.text, (int)any(g, 2));
        v.after = from.after;
    } else {
        from = pick_object(g);
        v = value_new(g, INTERIORS);
        line(g, "%s = getelementptr i8, " POINTER " %s, <2 x i64> <i64 %d, i64 %d>", v.text, from.text,
             8 * (WORLD_NODE_POINTERS + (int)any(g, WORLD_NODE_WORDS)),
             8 * (WORLD_NODE_POINTERS + (int)any(g, WORLD_NODE_WORDS)));
    }
    value_add(g, v);
}

void s_gather(struct gen *g) {
    struct value from = pick(g, INTERIORS), both = value_new(g, WORD), v = value_new(g, WORD);
    line(g,
         "%s = call <2 x i64> @llvm.masked.gather.v2i64.v2p1(%s %s, i32 8, <2 x i1> <i1 true, i1 true>, <2 x i64> "
         "zeroinitializer)",
         both.text, type_of(INTERIORS), from.text);
    line(g, "%s = extractelement <2 x i64> %s, i32 %d", v.text, both.text, (int)any(g, 2));
    value_add(g, v);
}

/* ---- Aggregates ---- */

void s_struct(struct gen *g) {
    struct value from = pick(g, STRUCT), v = value_new(g, STRUCT), r = pick(g, REF), word = pick(g, WORD);
    if (chance(g, 50)) {
        line(g, "%s = insertvalue %s %s, " POINTER " %s, 0", v.text, type_of(STRUCT), from.text, r.text);
        v.nonnull = r.nonnull;
    } else {
        line(g, "%s = insertvalue %s %s, i64 %s, 1", v.text, type_of(STRUCT), from.text, word.text);
        v.nonnull = from.nonnull;
    }
    value_add(g, v);
}

void s_struct_take(struct gen *g) {
    struct value from = pick(g, STRUCT), r = value_new(g, REF), word = value_new(g, WORD);
    line(g, "%s = extractvalue %s %s, 0", r.text, type_of(STRUCT), from.text);
    line(g, "%s = extractvalue %s %s, 1", word.text, type_of(STRUCT), from.text);
    r.nonnull = from.nonnull;
    value_add(g, r);
    value_add(g, word);
}

void s_array(struct gen *g) {
    struct value from = pick(g, ARRAY), v = value_new(g, ARRAY), r = pick(g, REF);
    if (chance(g, 50)) {
        v = value_new(g, REF);
        v.nonnull = from.nonnull;
        line(g, "%s = extractvalue %s %s, %d", v.text, type_of(ARRAY), from.text, (int)any(g, 2));
    } else {
        line(g, "%s = insertvalue %s %s, " POINTER " %s, %d", v.text, type_of(ARRAY), from.text, r.text,
             (int)any(g, 2));
        v.nonnull = from.nonnull && r.nonnull;
    }
    value_add(g, v);
}

/* The last pointer and the first word of an object are such a struct; its second and third pointer such an array. */
void s_aggregate_memory(struct gen *g) {
    enum kind kind = chance(g, 50) ? STRUCT : ARRAY;
    struct value object = not_null(g, pick(g, REF)), at = value_new(g, FIELD), v = value_new(g, kind);
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 %d", at.text, object.text,
         kind == STRUCT ? 8 * (WORLD_NODE_POINTERS - 1) : 8 * (WORLD_NODE_POINTERS - 2));
    if (chance(g, 50)) {
        v = pick(g, kind);
        line(g, "store %s %s, " POINTER " %s", type_of(kind), v.text, at.text);
    } else {
        line(g, "%s = load %s, " POINTER " %s", v.text, type_of(kind), at.text);
        value_add(g, v);
    }
}

/* ---- Stack slots ---- */

/* Of a reference: alone, or in a struct behind a word. */
void s_cell(struct gen *g) {
    struct value v = value_new(g, CELL), whole = value_new(g, CELL), r = pick(g, REF);
    if (chance(g, 70)) {
        line(g, "%s = alloca " POINTER, v.text);
    } else {
        line(g, "%s = alloca { i64, " POINTER " }", whole.text);
        line(g, "%s = getelementptr { i64, " POINTER " }, ptr %s, i64 0, i32 1", v.text, whole.text);
    }
    line(g, "store " POINTER " %s, ptr %s", r.text, v.text);
    value_add(g, v);
}

void s_cell_set(struct gen *g) {
    int found;
    struct value at = pick_box(g, CELL, &found), r;
    if (!found)
        return;
    r = pick(g, REF);
    line(g, "store " POINTER " %s, ptr %s", r.text, at.text);
}

void s_cell_get(struct gen *g) {
    int found;
    struct value at = pick_box(g, CELL, &found), v;
    if (!found)
        return;
    v = value_new(g, REF);
    line(g, "%s = load " POINTER ", ptr %s", v.text, at.text);
    value_add(g, v);
}

/* Some words, aligned more than a frame is. */
void s_box(struct gen *g) {
    struct value v = value_new(g, BOX), word = pick(g, WORD);
    int words = 1 << any(g, 4);
    v.before = 8 << any(g, 5);
    line(g, "%s = alloca [%d x i64], align %d", v.text, words, v.before);
    line(g, "call void @llvm.memset.p0.i64(ptr %s, i8 %d, i64 %d, i1 false)", v.text, (int)any(g, 256), 8 * words);
    line(g, "store i64 %s, ptr %s", word.text, v.text);
    v.after = words - 1;
    value_add(g, v);
}

/* As many words as a number says, and one. */
void s_box_dynamic(struct gen *g) {
    struct value v = value_new(g, BOX), word = pick(g, WORD), low = value_new(g, WORD), count = value_new(g, WORD);
    line(g, "%s = and i64 %s, 7", low.text, word.text);
    line(g, "%s = add i64 %s, 1", count.text, low.text);
    v.before = 8 << any(g, 4);
    line(g, "%s = alloca i64, i64 %s, align %d", v.text, count.text, v.before);
    line(g, "store i64 %s, ptr %s", word.text, v.text);
    value_add(g, v);
}

/* Its address leaves the function for a while, and is looked at: is it aligned? */
void s_touch(struct gen *g) {
    int found;
    struct value at = pick_box(g, BOX, &found), v;
    if (!found)
        return;
    v = value_new(g, WORD);
    line(g, "%s = call i64 @touch(ptr %s, i64 %d, i64 %d)", v.text, at.text, at.after + 1, at.before);
    value_add(g, v);
}

/* ---- Casts ---- */

/* A load by way of the address space that is nobody's heap; done before the next safepoint. */
void s_cast(struct gen *g) {
    struct value object = pick_object(g), raw = value_new(g, KINDS), v = value_new(g, WORD), at;
    at = word_at(g, object, "2");
    line(g, "%s = addrspacecast " POINTER " %s to ptr", raw.text, at.text);
    line(g, "%s = load i64, ptr %s", v.text, raw.text);
    value_add(g, v);
}

/* How far a pointer is from its object. */
void s_distance(struct gen *g) {
    struct value object = pick_object(g), at = word_at(g, object, "3");
    struct value a = value_new(g, WORD), b = value_new(g, WORD), v = value_new(g, WORD);
    line(g, "%s = ptrtoint " POINTER " %s to i64", a.text, object.text);
    line(g, "%s = ptrtoint " POINTER " %s to i64", b.text, at.text);
    line(g, "%s = sub i64 %s, %s", v.text, b.text, a.text);
    value_add(g, v);
}

/* ---- What gives back a pointer ---- */

/* The address is the same; of an object's own address, inline assembly may be what gives it. */
void s_give_back(struct gen *g) {
    enum kind kind = has(g, FEATURE(DERIVED)) && chance(g, 60) ? INTERIOR : REF;
    struct value from = kind == REF ? pick(g, REF) : pick_interior(g, 0, 0), v = from;
    snprintf(v.text, sizeof v.text, "%s", value_new(g, kind).text);
    if (kind == REF && chance(g, 40))
        line(g, "%s = call " POINTER " asm %s\"\", \"=r,0\"(" POINTER " %s)", v.text, one_of(g, "|sideeffect "),
             from.text);
    else
        line(g, "%s = call " POINTER " @llvm.%s.invariant.group.p1(" POINTER " %s)", v.text,
             one_of(g, "launder|strip"), from.text);
    value_add(g, v);
}

/* Some bytes further, and back to the word's begin. */
void s_mask(struct gen *g) {
    struct value from = pick_interior(g, 0, 0), v = from;
    char tagged[24];
    snprintf(tagged, sizeof tagged, "%s", value_new(g, INTERIOR).text);
    snprintf(v.text, sizeof v.text, "%s", value_new(g, INTERIOR).text);
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 %d", tagged, from.text, (int)any(g, 8));
    line(g, "%s = call " POINTER " @llvm.ptrmask.p1.i64(" POINTER " %s, i64 -8)", v.text, tagged);
    value_add(g, v);
}

/* Into a struct and out of it. */
void s_repack(struct gen *g) {
    struct value from = pick_interior(g, 0, 0), v = from, word = pick(g, WORD);
    char first[24], second[24];
    snprintf(first, sizeof first, "%s", value_new(g, STRUCT).text);
    snprintf(second, sizeof second, "%s", value_new(g, STRUCT).text);
    snprintf(v.text, sizeof v.text, "%s", value_new(g, INTERIOR).text);
    line(g, "%s = insertvalue %s { " POINTER " null, i64 0 }, " POINTER " %s, 0", first, type_of(STRUCT), from.text);
    line(g, "%s = insertvalue %s %s, i64 %s, 1", second, type_of(STRUCT), first, word.text);
    line(g, "%s = extractvalue %s %s, 0", v.text, type_of(STRUCT), second);
    value_add(g, v);
}

/* A lane that is loaded, and one that is what it was; the second and third fields of an object. */
void s_lanes_kept(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), at = value_new(g, FIELD), v = value_new(g, PAIR),
                 from = pick(g, PAIR);
    struct value bit = pick(g, BIT), mask = value_new(g, LANES);
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 8", at.text, object.text);
    line(g, "%s = insertelement <2 x i1> <i1 %s, i1 %s>, i1 %s, i32 %d", mask.text, one_of(g, "true|false"),
         one_of(g, "true|false"), bit.text, (int)any(g, 2));
    line(g, "%s = call %s @llvm.masked.load.v2p1.p1(" POINTER " %s, i32 8, <2 x i1> %s, %s %s)", v.text,
         type_of(PAIR), at.text, mask.text, type_of(PAIR), from.text);
    value_add(g, v);
}

/* In the second or third field of an object, so that others see it at once. */
void s_exchange(struct gen *g) {
    struct value object = not_null(g, pick(g, REF)), at = value_new(g, FIELD), v = value_new(g, REF),
                 r = pick(g, REF);
    struct value both = value_new(g, STRUCT), bit = value_new(g, BIT), expected = pick(g, REF);
    line(g, "%s = getelementptr %%node, " POINTER " %s, i64 0, i32 0, i64 %d", at.text, object.text,
         1 + (int)any(g, WORLD_NODE_POINTERS - 1));
    if (chance(g, 50)) {
        line(g, "%s = atomicrmw xchg " POINTER " %s, " POINTER " %s seq_cst", v.text, at.text, r.text);
    } else {
        line(g, "%s = cmpxchg " POINTER " %s, " POINTER " %s, " POINTER " %s acq_rel monotonic", both.text, at.text,
             expected.text, r.text);
        line(g, "%s = extractvalue { " POINTER ", i1 } %s, 0", v.text, both.text);
        line(g, "%s = extractvalue { " POINTER ", i1 } %s, 1", bit.text, both.text);
        value_add(g, bit);
    }
    value_add(g, v);
}

/* ---- Lists ---- */

/* A statepoint that lists nothing: the compiler completes it. */
void s_statepoint(struct gen *g) {
    const struct function *f = chance(g, 50) ? any_function(g, g->self->throws) : NULL;
    if (f && !f->environment[0] && !f->is_native) {
        call_statepoint(g, f);
        return;
    }
    struct value token = value_new(g, WORD), v = value_new(g, REF);
    if (chance(g, 50)) {
        line(g,
             "call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 %d, i32 0, ptr "
             "elementtype(void ()) @collect, i32 0, i32 0, i32 0, i32 0)",
             (int)any(g, 1000));
        return;
    }
    line(g,
         "%s = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr "
         "elementtype(" POINTER " (i64, i64)) @allocate, i32 2, i32 0, i64 %d, i64 %d, i32 0, i32 0)",
         token.text, 8 * (WORLD_NODE_POINTERS + WORLD_NODE_WORDS), WORLD_NODE_POINTERS);
    line(g, "%s = call " POINTER " @llvm.experimental.gc.result.p1(token %s)", v.text, token.text);
    value_add(g, init_object(g, v));
}

/* What is listed is alive, whether it is used any more or not. */
void s_listed(struct gen *g) {
    struct value a = pick(g, REF), b = pick(g, REF);
    line(g, "call void @collect() [ \"gc-live\"(" POINTER " %s, " POINTER " %s) ]", a.text, b.text);
}

/* ---- Memory ---- */

void s_copy(struct gen *g) {
    struct value from = pick_interior(g, 0, 2), to = pick_interior(g, 0, 2);
    line(g, "call void @llvm.memmove.p1.p1.i64(" POINTER " align 8 %s, " POINTER " align 8 %s, i64 %d, i1 false)%s",
         to.text, from.text, 8 * (1 + (int)any(g, 3)), no_references(g));
}

void s_fill(struct gen *g) {
    struct value to = pick_interior(g, 0, 3);
    line(g, "call void @llvm.memset.p1.i64(" POINTER " align 8 %s, i8 %d, i64 %d, i1 false)%s", to.text,
         (int)any(g, 256), 8 * (1 + (int)any(g, 4)), no_references(g));
}
