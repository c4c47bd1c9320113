/* control.c - branches, loops, exceptions, and regions of statements. See gen.h. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

#define POINTER "ptr addrspace(1)"

enum { JOINS = 3, SIDES = 4 };

/* ---- Joins ---- */

/* What a phi joins: values of so many kinds from so many blocks. */
struct join {
    int kinds, sides;
    enum kind kind[JOINS];
    struct side {
        char block[16];
        struct value value[JOINS];
    } side[SIDES];
};

static struct join join_new(struct gen *g) {
    struct join j = {.kinds = has(g, FEATURE(PHIS)) ? 1 + (int)any(g, JOINS) : (int)any(g, 2)};
    for (int i = 0; i < j.kinds; i++)
        j.kind[i] = any_kind(g);
    return j;
}

/* The block that is filled will end with a branch to the join. */
static void join_from_here(struct gen *g, struct join *j) {
    struct side *s = &j->side[j->sides++];
    for (int i = 0; i < j->kinds; i++)
        s->value[i] = pick(g, j->kind[i]);
    memcpy(s->block, g->block, sizeof s->block);
}

/* The phis, at the begin of the block that is filled. */
static void join_here(struct gen *g, const struct join *j) {
    for (int i = 0; i < j->kinds; i++) {
        struct value v = value_new(g, j->kind[i]);
        v.nonnull = 1;
        v.before = v.after = WORLD_NODE_WORDS;
        sm_buf_printf(g->out, "  %s = phi %s ", v.text, type_of(v.kind));
        for (int k = 0; k < j->sides; k++) {
            const struct value *from = &j->side[k].value[i];
            sm_buf_printf(g->out, "%s[ %s, %%%s ]", k ? ", " : "", from->text, j->side[k].block);
            v.nonnull &= from->nonnull;
            v.before = from->before < v.before ? from->before : v.before;
            v.after = from->after < v.after ? from->after : v.after;
        }
        sm_buf_puts(g->out, "\n");
        value_add(g, v);
    }
}

/* ---- Regions ---- */

/* The statements that a program of some features may have, and how often. */
static const struct row {
    statement *run;
    const char *name;
    int weight, nests; /* nests: it contains others */
    uint64_t feature;
} rows[] = {
    {s_arithmetic, "arithmetic", 5, 0, 0},
    {s_compare, "compare", 3, 0, 0},
    {s_load, "load", 6, 0, 0},
    {s_store, "store", 5, 0, 0},
    {s_chase, "chase", 6, 0, 0},
    {s_link, "link", 6, 0, 0},
    {s_identity, "identity", 2, 0, 0},
    {s_use, "use", 12, 0, 0},
    {s_new, "new", 5, 0, 0},
    {s_make, "make", 4, 0, 0},
    {s_collect, "collect", 4, 0, 0},
    {s_note, "note", 2, 0, 0},
    {s_call, "call", 9, 0, 0},
    {s_derive, "derive", 8, 0, FEATURE(DERIVED)},
    {s_advance, "advance", 6, 0, FEATURE(DERIVED)},
    {s_through, "through", 6, 0, FEATURE(DERIVED)},
    {s_field, "field", 4, 0, FEATURE(DERIVED)},
    {s_select, "select", 10, 0, FEATURE(SELECTS)},
    {s_freeze, "freeze", 2, 0, FEATURE(SELECTS)},
    {s_pair, "pair", 5, 0, FEATURE(VECTORS)},
    {s_pair_memory, "pair-memory", 4, 0, FEATURE(VECTORS)},
    {s_shuffle, "shuffle", 4, 0, FEATURE(VECTORS)},
    {s_interiors, "interiors", 4, 0, FEATURE(VECTORS) | FEATURE(DERIVED)},
    {s_gather, "gather", 3, 0, FEATURE(VECTORS) | FEATURE(DERIVED)},
    {s_struct, "struct", 4, 0, FEATURE(AGGREGATES)},
    {s_struct_take, "struct-take", 4, 0, FEATURE(AGGREGATES)},
    {s_array, "array", 4, 0, FEATURE(AGGREGATES)},
    {s_aggregate_memory, "aggregate-memory", 4, 0, FEATURE(AGGREGATES)},
    {s_cell, "cell", 4, 0, FEATURE(ALLOCAS)},
    {s_cell_set, "cell-set", 5, 0, FEATURE(ALLOCAS)},
    {s_cell_get, "cell-get", 7, 0, FEATURE(ALLOCAS)},
    {s_box, "box", 3, 0, FEATURE(FRAMES)},
    {s_box_dynamic, "box-dynamic", 3, 0, FEATURE(FRAMES)},
    {s_touch, "touch", 5, 0, FEATURE(FRAMES)},
    {s_cast, "cast", 5, 0, FEATURE(CASTS)},
    {s_distance, "distance", 5, 0, FEATURE(CASTS)},
    {s_observe, "observe", 6, 0, FEATURE(DEOPT)},
    {s_reenter, "reenter", 5, 0, FEATURE(REENTRY)},
    {s_call_table, "call-table", 5, 0, FEATURE(INDIRECT)},
    {s_half, "half", 3, 0, FEATURE(NUMBERS)},
    {s_real, "real", 4, 0, FEATURE(NUMBERS)},
    {s_lanes, "lanes", 4, 0, FEATURE(NUMBERS)},
    {s_lanes_memory, "lanes-memory", 3, 0, FEATURE(NUMBERS)},
    {s_helper, "helper", 7, 0, FEATURE(HELPERS)},
    {s_copy, "copy", 4, 0, FEATURE(MEMORY)},
    {s_fill, "fill", 2, 0, FEATURE(MEMORY)},
    {s_row, "row", 16, 0, FEATURE(OPAQUE)},
    {s_give_back, "give-back", 4, 0, FEATURE(OPAQUE)},
    {s_mask, "mask", 4, 0, FEATURE(OPAQUE) | FEATURE(DERIVED)},
    {s_repack, "repack", 4, 0, FEATURE(OPAQUE) | FEATURE(DERIVED)},
    {s_lanes_kept, "lanes-kept", 4, 0, FEATURE(OPAQUE) | FEATURE(VECTORS)},
    {s_exchange, "exchange", 5, 0, FEATURE(ATOMICS)},
    {s_statepoint, "statepoint", 4, 0, FEATURE(LISTS)},
    {s_listed, "listed", 5, 0, FEATURE(LISTS)},
    {s_scope, "scope", 5, 0, FEATURE(SCOPES)},
    {s_value, "value", 4, 0, FEATURE(SCOPES)},
    {s_typed, "typed", 4, 0, FEATURE(TYPES)},
    {s_pin, "pin", 5, 0, FEATURE(PINS)},
    {s_tag, "tag", 4, 0, FEATURE(TAGS)},
    {s_untag, "untag", 4, 0, FEATURE(TAGS)},
    {s_tag_slot, "tag_slot", 4, 0, FEATURE(TAGS)},
    {s_compress, "compress", 4, 0, FEATURE(COMPRESSED)},
    {s_decompress, "decompress", 4, 0, FEATURE(COMPRESSED)},
    {s_small_load, "small-load", 4, 0, FEATURE(COMPRESSED)},
    {s_small_same, "small-same", 2, 0, FEATURE(COMPRESSED)},
    {s_small_pair, "small-pair", 6, 0, FEATURE(COMPRESSED) | FEATURE(VECTORS)},
    {s_small_struct, "small-struct", 26, 0, FEATURE(COMPRESSED) | FEATURE(AGGREGATES)},
    {s_small_exchange, "small-exchange", 4, 0, FEATURE(COMPRESSED) | FEATURE(ATOMICS)},
    {s_escape, "escape", 6, 0, FEATURE(ESCAPES)},
    {s_escape_small, "escape-small", 5, 0, FEATURE(ESCAPES) | FEATURE(COMPRESSED)},
    {s_optional, "optional", 4, 0, 0},
    {s_crowded, "crowded", 4, 0, FEATURE(FRAMES)},
    {s_closure_slot, "closure-slot", 3, 0, FEATURE(INDIRECT)},
    {s_closure_call, "closure-call", 6, 0, FEATURE(INDIRECT)},
    {s_closure_invoke, "closure-invoke", 6, 1, FEATURE(INDIRECT) | FEATURE(INVOKES)},
    {s_union_set, "union-set", 6, 0, FEATURE(UNIONS)},
    {s_union_get, "union-get", 8, 0, FEATURE(UNIONS)},
    {s_inlined, "inlined", 7, 0, FEATURE(INLINED)},
    {s_inlined_invoke, "inlined-invoke", 7, 1, FEATURE(INLINED) | FEATURE(INVOKES)},
    {s_rooted, "rooted", 6, 0, FEATURE(SHADOW)},
    {s_native, "native", 6, 0, FEATURE(TRANSITIONS)},
    {s_late, "late", 4, 0, FEATURE(SCOPES)},
    {s_keep, "keep", 3, 0, FEATURE(HANDLES)},
    {s_kept, "kept", 4, 0, FEATURE(HANDLES)},
    {s_branch, "branch", 8, 1, 0},
    {s_switch, "switch", 5, 1, FEATURE(PHIS)},
    {s_loop_fuelled, "loop-fuelled", 6, 1, FEATURE(LOOPS)},
    {s_loop_counted, "loop-counted", 5, 1, FEATURE(LOOPS)},
    {s_loop_walk, "loop-walk", 5, 1, FEATURE(LOOPS)},
    {s_loop_chase, "loop-chase", 5, 1, FEATURE(LOOPS)},
    {s_irreducible, "irreducible", 3, 1, FEATURE(LOOPS)},
    {s_invoke, "invoke", 9, 1, FEATURE(INVOKES)},
    {s_invoke_two, "invoke-two", 5, 1, FEATURE(INVOKES)},
};

enum { ROWS = sizeof rows / sizeof *rows };

const char *statement_name(int number) {
    return number < ROWS ? rows[number].name : NULL;
}

static int may_have(const struct gen *g, const struct row *row) {
    return has(g, row->feature) && (!row->nests || (g->nesting < 3 && g->budget > 0));
}

static void any_statement(struct gen *g) {
    int weight = 0;
    for (int i = 0; i < ROWS; i++)
        weight += may_have(g, &rows[i]) ? rows[i].weight : 0;
    int at = (int)any(g, (uint64_t)weight);
    for (int i = 0; i < ROWS; i++) {
        if (!may_have(g, &rows[i]))
            continue;
        at -= rows[i].weight;
        if (at >= 0)
            continue;
        if (g->census)
            g->census->of_statement[i]++;
        g->budget -= rows[i].nests;
        g->nesting += rows[i].nests;
        rows[i].run(g);
        g->nesting -= rows[i].nests;
        return;
    }
}

int region(struct gen *g, int count, int may_end) {
    for (int i = 0; i < count; i++)
        any_statement(g);
    if (!may_end || !chance(g, 20))
        return 1;
    block_end(g);
    return 0;
}

static int some(struct gen *g) {
    return 1 + (int)any(g, g->nesting > 1 ? 3 : 6);
}

/* ---- Branches ---- */

/* A region in a block of its own that goes on at the join, or ends. */
static void side(struct gen *g, const char *label, struct join *j, const char *join_label, int may_end) {
    size_t scope = g->values;
    block_start(g, label);
    if (region(g, some(g), may_end)) {
        join_from_here(g, j);
        line(g, "br label %%%s", join_label);
    }
    g->values = scope;
}

static void branches(struct gen *g, int sides, int switched) {
    struct join j = join_new(g);
    char label[SIDES][16], join[16];
    struct value what = pick(g, switched ? WORD : BIT), low = value_new(g, WORD);
    int direct = chance(g, 30); /* the last side has no block */
    for (int i = 0; i < sides; i++)
        label_new(g, label[i]);
    label_new(g, join);
    if (direct) {
        memcpy(label[sides - 1], join, sizeof join);
        join_from_here(g, &j);
    }
    if (switched) {
        line(g, "%s = and i64 %s, 3", low.text, what.text);
        sm_buf_printf(g->out, "  switch i64 %s, label %%%s [", low.text, label[0]);
        for (int i = 1; i < sides; i++)
            sm_buf_printf(g->out, " i64 %d, label %%%s", i, label[i]);
        sm_buf_puts(g->out, " ]\n");
    } else {
        line(g, "br i1 %s, label %%%s, label %%%s%s", what.text, label[0], label[1], one_of(g, "||, !prof !2"));
    }
    for (int i = 0; i < sides - direct; i++)
        side(g, label[i], &j, join, i > 0);
    block_start(g, join);
    join_here(g, &j);
}

void s_branch(struct gen *g) {
    branches(g, 2, 0);
}

void s_switch(struct gen *g) {
    branches(g, 3 + (int)any(g, SIDES - 2), 1);
}

/* ---- Loops ---- */

/* A loop's text is made in two parts, as its phis name what comes later. */
struct loop {
    char head[16], exit[16];
    struct join carried; /* side 0: before; side 1: the end of the body */
    struct value phi[JOINS];
    sm_buf *out, rest;
    size_t scope;
};

static void loop_begin(struct gen *g, struct loop *l) {
    memset(l, 0, sizeof *l);
    label_new(g, l->head);
    label_new(g, l->exit);
    l->carried = join_new(g);
    join_from_here(g, &l->carried);
    line(g, "br label %%%s", l->head);
    for (int i = 0; i < l->carried.kinds; i++) {
        const struct value *from = &l->carried.side[0].value[i];
        l->phi[i] = value_new(g, from->kind);
        l->phi[i].nonnull = from->nonnull && (from->kind != REF || chance(g, 50));
        if (from->kind == INTERIOR && chance(g, 50)) {
            l->phi[i].before = from->before;
            l->phi[i].after = from->after;
        }
        if (from->kind == INTERIORS)
            l->phi[i].after = 0;
    }
    sm_buf_init(&l->rest, ROOM);
    l->out = g->out;
    g->out = &l->rest;
    memcpy(g->block, l->head, sizeof l->head);
    g->loops++;
    l->scope = g->values; /* what the head has is in scope behind the loop as well */
    for (int i = 0; i < l->carried.kinds; i++)
        value_add(g, l->phi[i]);
}

/* The values that the body's end hands to the next round. */
static void loop_carry(struct gen *g, struct loop *l) {
    struct side *s = &l->carried.side[l->carried.sides++];
    for (int i = 0; i < l->carried.kinds; i++) {
        const struct value *phi = &l->phi[i];
        if (phi->kind == REF && phi->nonnull)
            s->value[i] = pick_object(g);
        else if (phi->kind == INTERIOR)
            s->value[i] = pick_interior(g, phi->before, phi->after);
        else if (phi->nonnull)
            s->value[i] = *phi; /* others that are not null are not looked for */
        else
            s->value[i] = pick(g, phi->kind);
    }
    memcpy(s->block, g->block, sizeof s->block);
}

/* EXTRA: text of further phis, of the loop's own; %1$s is the block before, %2$s the body's last. */
static void loop_end(struct gen *g, struct loop *l, const char *extra) {
    const struct side *before = &l->carried.side[0], *last = &l->carried.side[1];
    g->out = l->out;
    sm_buf_printf(g->out, "%s:\n", l->head);
    for (int i = 0; i < l->carried.kinds; i++)
        sm_buf_printf(g->out, "  %s = phi %s [ %s, %%%s ], [ %s, %%%s ]\n", l->phi[i].text, type_of(l->phi[i].kind),
                      before->value[i].text, before->block, last->value[i].text, last->block);
    sm_buf_puts(g->out, extra);
    sm_buf_put(g->out, l->rest.data, l->rest.len);
    sm_buf_free(&l->rest);
    g->loops--;
}

/* The rest of a loop whose head ends with "br i1 OVER, label %exit, label %body": the body, which may break, and the
 * exit. */
static void loop_body(struct gen *g, struct loop *l, const char *over, const char *finish) {
    struct join out = join_new(g);
    char body[16], latch[16];
    label_new(g, body);
    join_from_here(g, &out);
    line(g, "br i1 %s, label %%%s, label %%%s", over, l->exit, body);
    size_t scope = g->values;
    block_start(g, body);
    region(g, some(g), 0);
    if (chance(g, 40)) {
        struct value stop = pick(g, BIT);
        label_new(g, latch);
        join_from_here(g, &out);
        line(g, "br i1 %s, label %%%s, label %%%s", stop.text, l->exit, latch);
        block_start(g, latch);
    }
    sm_buf_puts(g->out, finish);
    loop_carry(g, l);
    line(g, "br label %%%s", l->head);
    g->values = scope;
    block_start(g, l->exit);
    join_here(g, &out);
}

/* While there is fuel. */
void s_loop_fuelled(struct gen *g) {
    struct loop l;
    char spent[24];
    loop_begin(g, &l);
    fuel_take(g, spent);
    loop_body(g, &l, spent, "");
    loop_end(g, &l, "");
}

/* A few rounds; a loop in a loop draws on the fuel. */
void s_loop_counted(struct gen *g) {
    struct loop l;
    char extra[200], finish[100];
    if (g->loops) {
        s_loop_fuelled(g);
        return;
    }
    struct value count = constant(g), word = pick(g, WORD);
    snprintf(count.text, sizeof count.text, "%d", 1 + (int)any(g, 4));
    if (chance(g, 50)) {
        count = value_new(g, WORD);
        line(g, "%s = and i64 %s, 3", count.text, word.text);
    }
    char before[16];
    memcpy(before, g->block, sizeof before);
    loop_begin(g, &l);
    struct value i = value_new(g, WORD), next = value_new(g, WORD), over = value_new(g, BIT);
    value_add(g, i);
    line(g, "%s = icmp sge i64 %s, %s", over.text, i.text, count.text);
    snprintf(finish, sizeof finish, "  %s = add nsw i64 %s, 1\n", next.text, i.text);
    loop_body(g, &l, over.text, finish);
    snprintf(extra, sizeof extra, "  %s = phi i64 [ 0, %%%s ], [ %s, %%%s ]\n", i.text, before, next.text,
             l.carried.side[1].block);
    loop_end(g, &l, extra);
}

/* A pointer walks over an object's words, up to a pointer behind them. */
void s_loop_walk(struct gen *g) {
    struct loop l;
    char extra[200], finish[100], before[16];
    if (g->loops) {
        s_loop_fuelled(g);
        return;
    }
    struct value object = not_null(g, pick(g, REF)), start = word_at(g, object, "0"), end = value_new(g, INTERIOR);
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 %d", end.text, object.text,
         8 * (WORLD_NODE_POINTERS + WORLD_NODE_WORDS));
    memcpy(before, g->block, sizeof before);
    loop_begin(g, &l);
    struct value at = value_new(g, INTERIOR), next = value_new(g, INTERIOR), over = value_new(g, BIT);
    line(g, "%s = icmp eq " POINTER " %s, %s", over.text, at.text, end.text);
    size_t scope = g->values;
    value_add(g, at); /* behind the loop it may lead nowhere */
    struct join out = join_new(g);
    char body[16];
    g->values = scope;
    label_new(g, body);
    join_from_here(g, &out);
    line(g, "br i1 %s, label %%%s, label %%%s", over.text, l.exit, body);
    block_start(g, body);
    value_add(g, at);
    use_up(g, at);
    region(g, some(g), 0);
    snprintf(finish, sizeof finish, "  %s = getelementptr i8, " POINTER " %s, i64 8\n", next.text, at.text);
    sm_buf_puts(g->out, finish);
    loop_carry(g, &l);
    line(g, "br label %%%s", l.head);
    g->values = scope;
    block_start(g, l.exit);
    join_here(g, &out);
    snprintf(extra, sizeof extra, "  %s = phi " POINTER " [ %s, %%%s ], [ %s, %%%s ]\n", at.text, start.text, before,
             next.text, l.carried.side[1].block);
    loop_end(g, &l, extra);
}

/* From object to object, until a field is null or the fuel is spent. */
void s_loop_chase(struct gen *g) {
    struct loop l;
    char extra[200], finish[400], before[16], spent[24];
    struct value start = pick(g, REF);
    memcpy(before, g->block, sizeof before);
    loop_begin(g, &l);
    struct value at = value_new(g, REF), next = value_new(g, REF), field = value_new(g, FIELD),
                 is_null = value_new(g, BIT), over = value_new(g, BIT), sure = value_new(g, REF),
                 other = pick_object(g);
    value_add(g, at);
    fuel_take(g, spent);
    line(g, "%s = icmp eq " POINTER " %s, null", is_null.text, at.text);
    line(g, "%s = or i1 %s, %s", over.text, spent, is_null.text);
    snprintf(finish, sizeof finish,
             "  %s = select i1 %s, " POINTER " %s, " POINTER " %s\n  %s = getelementptr i8, " POINTER
             " %s, i64 8\n  %s = load " POINTER ", " POINTER " %s\n",
             sure.text, is_null.text, other.text, at.text, field.text, sure.text, next.text, field.text);
    loop_body(g, &l, over.text, finish);
    snprintf(extra, sizeof extra, "  %s = phi " POINTER " [ %s, %%%s ], [ %s, %%%s ]\n", at.text, start.text, before,
             next.text, l.carried.side[1].block);
    loop_end(g, &l, extra);
}

/* Two blocks that lead to each other, both entered from before: a loop without a head. */
void s_irreducible(struct gen *g) {
    struct value bit = pick(g, BIT), a0 = pick(g, REF), b0 = pick(g, REF);
    struct value a = value_new(g, REF), b = value_new(g, REF), v = value_new(g, REF);
    char before[16], first[16], second[16], exit[16], first_end[16], second_end[16], spent[24], spent_too[24];
    struct value a1, b1;
    sm_buf *out = g->out, one, two;
    size_t scope = g->values;
    label_new(g, first), label_new(g, second), label_new(g, exit);
    memcpy(before, g->block, sizeof before);
    line(g, "br i1 %s, label %%%s, label %%%s", bit.text, first, second);
    sm_buf_init(&one, ROOM);
    sm_buf_init(&two, ROOM);
    g->loops++;

    g->out = &one;
    memcpy(g->block, first, sizeof first);
    value_add(g, a);
    region(g, some(g), 0);
    a1 = pick(g, REF);
    fuel_take(g, spent);
    memcpy(first_end, g->block, sizeof first_end);
    line(g, "br i1 %s, label %%%s, label %%%s", spent, exit, second);
    g->values = scope;

    g->out = &two;
    memcpy(g->block, second, sizeof second);
    value_add(g, b);
    region(g, some(g), 0);
    b1 = pick(g, REF);
    fuel_take(g, spent_too);
    memcpy(second_end, g->block, sizeof second_end);
    line(g, "br i1 %s, label %%%s, label %%%s", spent_too, exit, first);
    g->values = scope;

    g->out = out;
    g->loops--;
    sm_buf_printf(out, "%s:\n  %s = phi " POINTER " [ %s, %%%s ], [ %s, %%%s ]\n", first, a.text, a0.text, before,
                  b1.text, second_end);
    sm_buf_put(out, one.data, one.len);
    sm_buf_printf(out, "%s:\n  %s = phi " POINTER " [ %s, %%%s ], [ %s, %%%s ]\n", second, b.text, b0.text, before,
                  a1.text, first_end);
    sm_buf_put(out, two.data, two.len);
    sm_buf_free(&one);
    sm_buf_free(&two);
    block_start(g, exit);
    line(g, "%s = phi " POINTER " [ %s, %%%s ], [ %s, %%%s ]", v.text, a1.text, first_end, b1.text, second_end);
    value_add(g, v);
}

/* ---- Exceptions ---- */

/* The pad, in the block that is filled. All of a program are of one type, as they meet in functions that are inlined.
 * Gives 0 if the exception goes on. */
static int land(struct gen *g, int may_end) {
    struct value pad = value_new(g, KINDS), v = value_new(g, REF);
    int on = may_end && has(g, FEATURE(PADS)) && g->self->throws && chance(g, 30);
    line(g, "%s = landingpad %s", pad.text,
         on                      ? "{ ptr, i32 } cleanup"
         : has(g, FEATURE(PADS)) ? "{ ptr, i32 } catch ptr null"
                                 : "token cleanup");
    if (on) {
        s_new(g); /* nothing that throws: the runtime has one exception at a time */
        s_collect(g);
        s_use(g);
        line(g, "resume { ptr, i32 } %s", pad.text);
        return 0;
    }
    line(g, "%s = call " POINTER " @caught()", v.text);
    v.nonnull = 1; /* what is thrown is */
    value_add(g, v);
    return 1;
}

static void handler(struct gen *g, const char *label, const struct join *into, struct join *j, const char *join,
                    int may_end) {
    size_t scope = g->values;
    block_start(g, label);
    if (into)
        join_here(g, into);
    if (land(g, may_end) && region(g, some(g), may_end)) {
        join_from_here(g, j);
        line(g, "br label %%%s", join);
    }
    g->values = scope;
}

/* The text of an invoke up to "invoke", and its result into the scope of its normal side. */
static struct value invoke(struct gen *g, const struct function *f, const char *normal, const char *pad,
                           struct join *into) {
    sm_buf text;
    struct value v = value_new(g, f->result);
    sm_buf_init(&text, ROOM);
    call_text(g, f, &text);
    if (into)
        join_from_here(g, into);
    line(g, "%s = invoke %s to label %%%s unwind label %%%s", v.text, sm_buf_cstr(&text), normal, pad);
    sm_buf_free(&text);
    return v;
}

static void invoke_function(struct gen *g, const struct function *f) {
    struct join j = join_new(g);
    char normal[16], pad[16], join[16];
    label_new(g, normal), label_new(g, pad), label_new(g, join);
    struct value v = invoke(g, f, normal, pad, NULL);
    size_t scope = g->values;
    block_start(g, normal);
    value_add(g, v);
    region(g, some(g), 0);
    join_from_here(g, &j);
    line(g, "br label %%%s", join);
    g->values = scope;
    handler(g, pad, NULL, &j, join, 1);
    block_start(g, join);
    join_here(g, &j);
}

void s_invoke(struct gen *g) {
    const struct function *f = any_function(g, 1);
    if (f)
        invoke_function(g, f);
}

void call_any(struct gen *g, const struct function *f) {
    sm_buf text;
    if (f->throws) {
        invoke_function(g, f);
        return;
    }
    sm_buf_init(&text, ROOM);
    call_text(g, f, &text);
    struct value v = value_new(g, f->result);
    line(g, "%s = call %s", v.text, sm_buf_cstr(&text));
    sm_buf_free(&text);
    value_add(g, v);
    use_up(g, v);
}

/* Two invokes with one pad, which joins values from both. */
void s_invoke_two(struct gen *g) {
    const struct function *f = any_function(g, 1), *h = any_function(g, 1);
    struct join j = join_new(g), into = join_new(g);
    char between[16], normal[16], pad[16], join[16];
    if (!f || !h)
        return;
    label_new(g, between), label_new(g, normal), label_new(g, pad), label_new(g, join);
    size_t scope = g->values;
    struct value v = invoke(g, f, between, pad, &into);
    block_start(g, between);
    value_add(g, v);
    region(g, 1 + (int)any(g, 2), 0);
    v = invoke(g, h, normal, pad, &into);
    block_start(g, normal);
    value_add(g, v);
    join_from_here(g, &j);
    line(g, "br label %%%s", join);
    g->values = scope;
    handler(g, pad, &into, &j, join, 1);
    block_start(g, join);
    join_here(g, &j);
}
