/* closures.c - closures `{ environment, code }`, and unions whose tag tells what they hold. See gen.h.
 *
 * Code pointers come out of @code, which others may write: the optimiser cannot know the callee. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

#define POINTER      "ptr addrspace(1)"
#define CLOSURE_TYPE "{ " POINTER ", ptr }"

enum { UNIONS = 4 }; /* as in world.c */

/* ---- Module ---- */

void closures_declare(struct gen *g) {
    if (has(g, FEATURE(UNIONS)))
        sm_buf_printf(g->out, "@united = external global [%d x { i64, i64 }]\n", UNIONS);
    if (!has(g, FEATURE(INDIRECT)))
        return;
    sm_buf_printf(g->out, "@code = global [%d x ptr] [", g->functions);
    for (int i = 0; i < g->functions; i++)
        sm_buf_printf(g->out, "%sptr @%s", i ? ", " : "", g->function[i].name);
    sm_buf_puts(g->out, "], align 16\n");
}

/* A closure that a call gives back, behind a safepoint. */
void closures_define(struct gen *g, const char *gc) {
    if (has(g, FEATURE(INDIRECT)))
        sm_buf_printf(g->out,
                      "\ndefine internal " CLOSURE_TYPE " @closure(" POINTER
                      " %%env, ptr %%code) noinline gc \"%s\" {\n"
                      "  %%a = insertvalue " CLOSURE_TYPE " poison, " POINTER " %%env, 0\n"
                      "  %%b = insertvalue " CLOSURE_TYPE " %%a, ptr %%code, 1\n  call void @collect()\n"
                      "  ret " CLOSURE_TYPE " %%b\n}\n",
                      gc);
}

void closures_begin(struct gen *g) {
    if (!has(g, FEATURE(INDIRECT)))
        return;
    line(g, "%%closure = alloca " CLOSURE_TYPE);
    line(g, "store " CLOSURE_TYPE " zeroinitializer, ptr %%closure");
}

/* ---- Closures ---- */

/* The code of function ID, as a load, an element of a vector or an array, or a select. */
static struct value code_of(struct gen *g, int id) {
    struct value at = value_new(g, KINDS), all = value_new(g, KINDS), v = value_new(g, KINDS), bit;
    int low = id < g->functions - 1 ? id : id - 1; /* the first of two */
    line(g, "%s = getelementptr [%d x ptr], ptr @code, i64 0, i64 %d", at.text, g->functions, low);
    switch (any(g, 4)) {
    case 0:
        line(g, "%s = load <2 x ptr>, ptr %s, align 8", all.text, at.text);
        line(g, "%s = extractelement <2 x ptr> %s, i32 %d", v.text, all.text, id - low);
        break;
    case 1:
        line(g, "%s = load [2 x ptr], ptr %s", all.text, at.text);
        line(g, "%s = extractvalue [2 x ptr] %s, %d", v.text, all.text, id - low);
        break;
    case 2:
        bit = pick(g, BIT);
        line(g, "%s = getelementptr ptr, ptr %s, i64 %d", all.text, at.text, id - low);
        at = value_new(g, KINDS);
        line(g, "%s = load ptr, ptr %s", at.text, all.text);
        line(g, "%s = select i1 %s, ptr %s, ptr @%s", v.text, bit.text, at.text, g->function[id].name);
        break;
    default:
        line(g, "%s = getelementptr ptr, ptr %s, i64 %d", all.text, at.text, id - low);
        line(g, "%s = load ptr, ptr %s", v.text, all.text);
    }
    return v;
}

static struct value closure_with(struct gen *g, struct value environment, struct value code) {
    struct value first = value_new(g, CLOSURE), v = value_new(g, CLOSURE);
    v.nonnull = 1;
    if (chance(g, 30)) {
        line(g, "%s = call " CLOSURE_TYPE " @closure(" POINTER " %s, ptr %s)", v.text, environment.text, code.text);
        return v;
    }
    line(g, "%s = insertvalue " CLOSURE_TYPE " %s, " POINTER " %s, 0", first.text,
         one_of(g, "zeroinitializer|poison"), environment.text);
    line(g, "%s = insertvalue " CLOSURE_TYPE " %s, ptr %s, 1", v.text, first.text, code.text);
    return v;
}

/* Of one of the last two functions, which are alike. */
struct value make_closure(struct gen *g) {
    struct value environment = pick_object(g);
    return closure_with(g, environment, code_of(g, g->functions - 1 - (int)any(g, 2)));
}

/* The code of F, which has been in a closure. */
void hide_callee(struct gen *g, const struct function *f, char text[24]) {
    struct value environment = pick_object(g), code = code_of(g, f->id), closure, v = code;
    if (chance(g, 50)) {
        closure = closure_with(g, environment, code);
        v = value_new(g, KINDS);
        line(g, "%s = extractvalue " CLOSURE_TYPE " %s, 1", v.text, closure.text);
    }
    snprintf(text, 24, "%s", v.text);
}

/* By way of a stack slot. */
void s_closure_slot(struct gen *g) {
    struct value v = pick(g, CLOSURE), to = value_new(g, CLOSURE);
    line(g, "store " CLOSURE_TYPE " %s, ptr %%closure", v.text);
    pass_time(g);
    line(g, "%s = load " CLOSURE_TYPE ", ptr %%closure", to.text);
    to.nonnull = 1;
    value_add(g, to);
}

/* The function that a closure is of, as one that takes the environment. 0 if it may not be called here. */
static int closure_callee(struct gen *g, int may_throw, struct function *f) {
    const struct function *last = &g->function[g->functions - 1], *other = last - 1;
    struct value closure, environment = value_new(g, REF), code = value_new(g, KINDS);
    if (!may_call(g, last, may_throw) || !may_call(g, other, may_throw))
        return 0;
    closure = pick(g, CLOSURE);
    line(g, "%s = extractvalue " CLOSURE_TYPE " %s, 0", environment.text, closure.text);
    line(g, "%s = extractvalue " CLOSURE_TYPE " %s, 1", code.text, closure.text);
    *f = *last;
    f->throws = last->throws || other->throws;
    f->is_native = is_transition(g);
    snprintf(f->name, sizeof f->name, "%.15s", code.text);
    snprintf(f->environment, sizeof f->environment, "%s", environment.text);
    return 1;
}

void s_closure_call(struct gen *g) {
    struct function f;
    if (closure_callee(g, g->self->throws, &f))
        call_plain(g, &f);
}

void s_closure_invoke(struct gen *g) {
    struct function f;
    if (closure_callee(g, 1, &f))
        call_any(g, &f);
}

int end_musttail(struct gen *g) {
    struct function f;
    struct value v, word = pick(g, WORD);
    if (!has(g, FEATURE(INDIRECT)) || g->self->id < g->functions - 2 || !closure_callee(g, g->self->throws, &f))
        return 0; /* a musttail call is no transition */
    v = value_new(g, WORD);
    line(g, "%s = musttail call i64 %s(" POINTER " %s, i64 %s)", v.text, f.name, f.environment, word.text);
    line(g, "ret i64 %s", v.text);
    return 1;
}

/* ---- Unions ---- */

/* A word that is a reference where the word before it is 1, and a number elsewhere. */
static struct value union_at(struct gen *g, struct value index, int field) {
    struct value at = value_new(g, KINDS);
    line(g, "%s = getelementptr [%d x { i64, i64 }], ptr @united, i64 0, i64 %s, i32 %d", at.text, UNIONS, index.text,
         field);
    return at;
}

static struct value index_of_union(struct gen *g) {
    struct value v = value_new(g, WORD), word = pick(g, WORD);
    line(g, "%s = and i64 %s, %d", v.text, word.text, UNIONS - 1);
    return v;
}

void s_union_set(struct gen *g) {
    struct value index = index_of_union(g), v = chance(g, 50) ? pick_object(g) : pick(g, WORD);
    struct value word = union_at(g, index, 1), tag = union_at(g, index, 0);
    line(g, "store %s %s, ptr %s", type_of(v.kind), v.text, word.text);
    line(g, "store i64 %d, ptr %s", v.kind == REF, tag.text);
}

/* What it leads to, or is, behind safepoints; in a loop of a few turns, where the load may be hoisted. */
void s_union_get(struct gen *g) {
    struct value index = index_of_union(g), tag = union_at(g, index, 0), word = union_at(g, index, 1);
    struct value t = value_new(g, WORD), is = value_new(g, BIT), r = value_new(g, REF), n = value_new(g, WORD),
                 i = value_new(g, WORD), next = value_new(g, WORD), over = value_new(g, BIT),
                 sum = value_new(g, WORD), old = value_new(g, WORD), loaded = value_new(g, WORD),
                 at = value_new(g, INTERIOR);
    char before[16], head[16], reference[16], number[16], latch[16], exit[16];
    memcpy(before, g->block, sizeof before);
    label_new(g, head), label_new(g, reference), label_new(g, number), label_new(g, latch), label_new(g, exit);
    line(g, "br label %%%s", head);
    block_start(g, head);
    line(g, "%s = phi i64 [ 0, %%%s ], [ %s, %%%s ]", i.text, before, next.text, latch);
    line(g, "%s = phi i64 [ 0, %%%s ], [ %s, %%%s ]", old.text, before, sum.text, latch);
    line(g, "%s = load i64, ptr %s", t.text, tag.text);
    line(g, "%s = icmp eq i64 %s, 1", is.text, t.text);
    line(g, "br i1 %s, label %%%s, label %%%s", is.text, reference, number);
    block_start(g, reference);
    line(g, "%s = load " POINTER ", ptr %s", r.text, word.text);
    if (chance(g, 50))
        line(g, "call void @collect()");
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 %d", at.text, r.text, 8 * WORLD_NODE_POINTERS);
    line(g, "%s = load i64, " POINTER " %s", loaded.text, at.text);
    line(g, "br label %%%s", latch);
    block_start(g, number);
    line(g, "%s = load i64, ptr %s", n.text, word.text);
    line(g, "br label %%%s", latch);
    block_start(g, latch);
    struct value one = value_new(g, WORD);
    line(g, "%s = phi i64 [ %s, %%%s ], [ %s, %%%s ]", one.text, loaded.text, reference, n.text, number);
    line(g, "%s = add i64 %s, %s", sum.text, old.text, one.text);
    line(g, "%s = add i64 %s, 1", next.text, i.text);
    line(g, "%s = icmp uge i64 %s, %d", over.text, next.text, 1 + (int)any(g, 4));
    line(g, "br i1 %s, label %%%s, label %%%s", over.text, exit, head);
    block_start(g, exit);
    value_add(g, sum);
}
