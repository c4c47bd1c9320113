/* calls.c - calls, what stands behind them, and what ends a block. See gen.h. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

#define POINTER "ptr addrspace(1)"

enum { DEOPT_MARK = 20773, DEOPT_VALUES = 5 }; /* as in world.c */

static void put_all(sm_buf *to, sm_buf *from) {
    sm_buf_put(to, from->data, from->len);
    sm_buf_free(from);
}

/* ---- Fuel ---- */

void fuel_take(struct gen *g, char spent[24]) {
    struct value old = value_new(g, WORD), less = value_new(g, WORD), bit = value_new(g, BIT);
    line(g, "%s = load i64, ptr @fuel", old.text);
    line(g, "%s = sub i64 %s, 1", less.text, old.text);
    line(g, "store i64 %s, ptr @fuel", less.text);
    line(g, "%s = icmp slt i64 %s, 1", bit.text, old.text);
    snprintf(spent, 24, "%s", bit.text);
}

/* ---- Deoptimisation values ---- */

static const struct {
    enum kind kind;
    uint64_t feature;
    const char *type;
} deopt_kinds[] = {{WORD, 0, "i64"},
                   {HALF, FEATURE(NUMBERS), "i32"},
                   {REF, 0, POINTER},
                   {INTERIOR, FEATURE(DERIVED), POINTER}}; /* their order is the number that the runtime knows */

/* What the runtime will see in V (observed() in world.c). */
static void observe_value(struct gen *g, struct value v, char text[24]) {
    struct value r = value_new(g, WORD), is_null, other, object, loaded, at;
    snprintf(text, 24, "%s", v.text);
    if (v.kind == WORD)
        return;
    snprintf(text, 24, "%s", r.text);
    if (v.kind == HALF) {
        line(g, "%s = zext i32 %s to i64", r.text, v.text);
    } else if (v.kind == INTERIOR) {
        line(g, "%s = load i64, " POINTER " %s", r.text, v.text);
    } else {
        is_null = value_new(g, BIT), object = value_new(g, REF), loaded = value_new(g, WORD);
        other = pick_object(g);
        line(g, "%s = icmp eq " POINTER " %s, null", is_null.text, v.text);
        line(g, "%s = select i1 %s, " POINTER " %s, " POINTER " %s", object.text, is_null.text, other.text, v.text);
        at = word_at(g, object, "0");
        line(g, "%s = load i64, " POINTER " %s", loaded.text, at.text);
        line(g, "%s = select i1 %s, i64 1, i64 %s", r.text, is_null.text, loaded.text);
    }
}

/* Appends a bundle. EXPECTED (may be NULL) is then what the runtime makes of it. */
static void deopt_bundle(struct gen *g, sm_buf *out, char expected[24]) {
    int count = 1 + (int)any(g, DEOPT_VALUES);
    uint64_t kinds = 0;
    sm_buf values;
    char sum[24] = "0", seen[24];
    sm_buf_init(&values, ROOM);
    for (int i = 0; i < count; i++) {
        uint64_t k = any(g, sizeof deopt_kinds / sizeof *deopt_kinds);
        k = has(g, deopt_kinds[k].feature) ? k : 2;
        struct value v = pick(g, deopt_kinds[k].kind), times, added;
        kinds |= k << (2 * i);
        sm_buf_printf(&values, ", %s %s", deopt_kinds[k].type, v.text);
        if (!expected)
            continue;
        observe_value(g, v, seen);
        times = value_new(g, WORD), added = value_new(g, WORD);
        line(g, "%s = mul i64 %s, 31", times.text, sum);
        line(g, "%s = add i64 %s, %s", added.text, times.text, seen);
        snprintf(sum, sizeof sum, "%s", added.text);
    }
    sm_buf_printf(out, " [ \"deopt\"(i32 %d, i32 %llu", DEOPT_MARK,
                  (unsigned long long)(kinds << 8 | (unsigned)count));
    put_all(out, &values);
    sm_buf_puts(out, ") ]");
    if (expected)
        snprintf(expected, 24, "%s", sum);
}

void deopt_text(struct gen *g, sm_buf *out) {
    if (has(g, FEATURE(DEOPT)) && chance(g, 60))
        deopt_bundle(g, out, NULL);
}

/* ---- The runtime ---- */

/* A line that begins with "[RESULT =] call …" and ends with what a bundle is. */
static void call_line(struct gen *g, const char *text) {
    sm_buf bundle;
    sm_buf_init(&bundle, ROOM);
    deopt_text(g, &bundle);
    line(g, "%s%s", text, sm_buf_cstr(&bundle));
    sm_buf_free(&bundle);
}

void s_new(struct gen *g) {
    struct value v = value_new(g, REF);
    char text[200];
    snprintf(text, sizeof text, "%s = %scall " POINTER " @allocate(i64 %d, i64 %d)", v.text,
             has(g, FEATURE(ATTRIBUTES)) ? one_of(g, "|tail ") : "",
             8 * (WORLD_NODE_POINTERS + WORLD_NODE_WORDS + (int)any(g, 3)), WORLD_NODE_POINTERS);
    call_line(g, text);
    value_add(g, init_object(g, v));
}

/* An object by way of a managed function that initialises it. */
void s_make(struct gen *g) {
    struct value v = value_new(g, REF), word = pick(g, WORD), r = pick(g, REF);
    char text[200];
    snprintf(text, sizeof text, "%s = call " POINTER " @make(i64 %s, " POINTER " %s)", v.text, word.text, r.text);
    call_line(g, text);
    v.nonnull = 1;
    value_add(g, v);
}

void s_collect(struct gen *g) {
    call_line(g, "call void @collect()");
}

void s_note(struct gen *g) {
    line(g, "call void @note(i64 %s)", pick(g, WORD).text);
}

void s_keep(struct gen *g) {
    line(g, "call void @keep(i64 %d, " POINTER " %s)", (int)any(g, 4), pick(g, REF).text);
}

void s_kept(struct gen *g) {
    struct value v = value_new(g, REF);
    line(g, "%s = call " POINTER " @kept(i64 %d)", v.text, (int)any(g, 4));
    value_add(g, v);
}

void s_observe(struct gen *g) {
    struct value v = value_new(g, WORD);
    sm_buf bundle;
    char expected[24];
    sm_buf_init(&bundle, ROOM);
    deopt_bundle(g, &bundle, expected);
    line(g, "%s = call i64 @observe(i64 %s)%s", v.text, expected, sm_buf_cstr(&bundle));
    sm_buf_free(&bundle);
    value_add(g, v);
}

/* ---- Functions of the program ---- */

int may_call(const struct gen *g, const struct function *f, int may_throw) {
    return (may_throw || !f->throws) && (has(g, FEATURE(RECURSION)) || f->id > g->self->id);
}

const struct function *any_function(struct gen *g, int may_throw) {
    for (int i = 0; i < 6; i++) {
        const struct function *f = &g->function[any(g, (uint64_t)g->functions)];
        if (may_call(g, f, may_throw))
            return f;
    }
    return NULL;
}

static struct value environment(const struct function *f) {
    struct value v = {.kind = REF, .nonnull = 1};
    snprintf(v.text, sizeof v.text, "%s", f->environment);
    return v;
}

/* The arguments of a call of F; what they are is picked. */
static void arguments_text(struct gen *g, const struct function *f, sm_buf *out) {
    for (int i = 0; i < f->parameters; i++) {
        struct value v = i == 0 && f->environment[0] ? environment(f)
                         : f->parameter[i].nonnull   ? pick_object(g)
                                                     : pick(g, f->parameter[i].kind);
        sm_buf_printf(out, "%s%s %s", i ? ", " : "", type_of(f->parameter[i].kind), v.text);
    }
}

void call_text(struct gen *g, const struct function *f, sm_buf *out) {
    sm_buf arguments;
    char callee[24];
    sm_buf_init(&arguments, ROOM);
    arguments_text(g, f, &arguments);
    if (f->environment[0])
        snprintf(callee, sizeof callee, "%s", f->name);
    else if (has(g, FEATURE(INDIRECT)) && chance(g, 30))
        hide_callee(g, f, callee);
    else
        snprintf(callee, sizeof callee, "@%s", f->name);
    sm_buf_printf(out, "%s%s %s(", f->convention, type_of(f->result), callee);
    put_all(out, &arguments);
    sm_buf_puts(out, ")");
    if (f->is_native)
        transition_text(g, out);
    else
        deopt_text(g, out);
}

void call_plain(struct gen *g, const struct function *f) {
    sm_buf text;
    sm_buf_init(&text, ROOM);
    call_text(g, f, &text);
    struct value v = value_new(g, f->result);
    line(g, "%s = %scall %s", v.text, has(g, FEATURE(ATTRIBUTES)) ? one_of(g, "||tail |notail ") : "",
         sm_buf_cstr(&text));
    sm_buf_free(&text);
    value_add(g, v);
}

/* A statepoint of the program's own that calls F, and its result, whatever that is. */
void call_statepoint(struct gen *g, const struct function *f) {
    struct value token = value_new(g, WORD), v = value_new(g, f->result);
    sm_buf arguments, types, bundle;
    sm_buf_init(&arguments, ROOM);
    sm_buf_init(&types, ROOM);
    sm_buf_init(&bundle, ROOM);
    arguments_text(g, f, &arguments);
    for (int i = 0; i < f->parameters; i++)
        sm_buf_printf(&types, "%s%s", i ? ", " : "", type_of(f->parameter[i].kind));
    deopt_text(g, &bundle);
    line(g,
         "%s = call %stoken (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 9, i32 0, ptr "
         "elementtype(%s (%s)) @%s, i32 %d, i32 0%s%s, i32 0, i32 0)%s",
         token.text, f->convention, type_of(f->result), sm_buf_cstr(&types), f->name, f->parameters,
         f->parameters ? ", " : "", sm_buf_cstr(&arguments), sm_buf_cstr(&bundle));
    line(g, "%s = call %s @" RESULT_NAME "%d(token %s)", v.text, type_of(f->result), (int)f->result, token.text);
    sm_buf_free(&arguments);
    sm_buf_free(&types);
    sm_buf_free(&bundle);
    value_add(g, v);
}

void s_call(struct gen *g) {
    const struct function *f = any_function(g, g->self->throws);
    if (f)
        call_plain(g, f);
}

/* The last two functions are alike: one is called back by the runtime, both are in a table. */
void s_reenter(struct gen *g) {
    struct value v = value_new(g, WORD), object = pick_object(g), word = pick(g, WORD);
    char text[200];
    if (!may_call(g, &g->function[g->functions - 1], g->self->throws))
        return;
    snprintf(text, sizeof text, "%s = call i64 @reenter(" POINTER " %s, i64 %s)", v.text, object.text, word.text);
    call_line(g, text);
    value_add(g, v);
}

void s_call_table(struct gen *g) {
    struct value v = value_new(g, WORD), object = pick_object(g), word = pick(g, WORD), low = value_new(g, WORD);
    struct value at = value_new(g, BOX), f = value_new(g, BOX);
    char text[200];
    if (!may_call(g, &g->function[g->functions - 1], g->self->throws) ||
        !may_call(g, &g->function[g->functions - 2], g->self->throws))
        return;
    line(g, "%s = and i64 %s, 1", low.text, word.text);
    line(g, "%s = getelementptr [2 x ptr], ptr @table, i64 0, i64 %s", at.text, low.text);
    line(g, "%s = load ptr, ptr %s", f.text, at.text);
    snprintf(text, sizeof text, "%s = call i64 %s(" POINTER " %s, i64 %s)", v.text, f.text, object.text, word.text);
    call_line(g, text);
    value_add(g, v);
}

/* Which of them collect is for the compiler to find out. */
void s_helper(struct gen *g) {
    struct value v = value_new(g, WORD), object = pick_object(g), word = pick(g, WORD), low = value_new(g, WORD);
    char text[200];
    line(g, "%s = and i64 %s, 7", low.text, word.text);
    snprintf(text, sizeof text, "%s = call i64 @%s(" POINTER " %s, i64 %s)", v.text,
             one_of(g, "peek|peek|poke|climb|climb|stir|sift|shake|hashed|over"), object.text, low.text);
    call_line(g, text);
    value_add(g, v);
}

/* ---- Ends ---- */

static void note_sum(struct gen *g) {
    struct value v = value_new(g, WORD);
    line(g, "%s = load i64, ptr %%sum", v.text);
    line(g, "call void @note(i64 %s)", v.text);
}

void return_default(struct gen *g) {
    static const char *const zero[KINDS] = {[WORD] = "41", [HALF] = "43", [REAL] = "4.5", [REF] = "null"};
    const char *text = zero[g->self->result];
    if (g->self->result == CLOSURE) { /* one whose code is null would be called */
        size_t scope = g->values;     /* what it is made of is in this block alone */
        line(g, "ret %s %s", type_of(CLOSURE), make_closure(g).text);
        g->values = scope;
        return;
    }
    line(g, "ret %s %s", type_of(g->self->result), text ? text : "zeroinitializer");
}

static void end_return(struct gen *g) {
    struct value sum, v;
    if (g->self->result == WORD) {
        if (chance(g, 50) && end_musttail(g))
            return;
        sum = value_new(g, WORD);
        line(g, "%s = load i64, ptr %%sum", sum.text);
        line(g, "ret i64 %s", sum.text);
        return;
    }
    note_sum(g);
    v = pick(g, g->self->result);
    line(g, "ret %s %s", type_of(g->self->result), v.text);
}

static void end_throw(struct gen *g) {
    struct value v = pick_object(g);
    note_sum(g);
    line(g, "call void @throw_value(" POINTER " %s)%s", v.text, g->self->id % 2 ? " noreturn" : "");
    line(g, "unreachable");
}

static void end_deoptimize(struct gen *g) {
    struct value v = value_new(g, WORD), object = pick_object(g);
    sm_buf bundle;
    char expected[24];
    sm_buf_init(&bundle, ROOM);
    note_sum(g);
    deopt_bundle(g, &bundle, expected);
    line(g, "%s = call i64 (...) @llvm.experimental.deoptimize.i64(i64 %s, " POINTER " %s)%s", v.text, expected,
         object.text, sm_buf_cstr(&bundle));
    line(g, "ret i64 %s", v.text);
    sm_buf_free(&bundle);
}

void block_end(struct gen *g) {
    if (g->self->deoptimizes && chance(g, 40))
        end_deoptimize(g);
    else if (g->self->throws && chance(g, 50))
        end_throw(g);
    else
        end_return(g);
}
