/* roots.c - roots of every kind: scoped, typed, pinned and tagged ones, and slots that others know. See gen.h.
 *
 * Slots stand in each function's first block: in loops an alloca would be another one in each round. Statements leave
 * them as they found them: no scope and no pin is open behind one. */
#include "gen.h"

#include <stdio.h>

#define POINTER "ptr addrspace(1)"
#define SMALLER "ptr addrspace(3)"

enum { SCOPED = 2, CELLS = 4 }; /* slots with a scope; of each table */

void roots_declare(struct gen *g) {
    if (has(g, FEATURE(INLINED)) || has(g, FEATURE(SHADOW)))
        sm_buf_puts(g->out, "declare void @llvm.gcwrite(" POINTER ", " POINTER ", " POINTER ")\n"
                            "declare " POINTER " @llvm.gcread(" POINTER ", " POINTER ")\n");
    if (has(g, FEATURE(SCOPES)))
        sm_buf_puts(g->out, "declare void @llvm.gc.declare(ptr, ptr)\ndeclare void @llvm.gc.undeclare(ptr)\n"
                            "declare void @llvm.gc.value.p1(" POINTER ", ptr)\n");
    if (has(g, FEATURE(TAGS)))
        sm_buf_puts(g->out, "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
    if (has(g, FEATURE(PINS)))
        sm_buf_puts(g->out, "declare ptr @smd.gc.pin(" POINTER ")\ndeclare void @smd.gc.unpin(ptr)\n");
    if (has(g, FEATURE(TAGS)))
        sm_buf_puts(g->out, "declare i64 @smd.gc.to_int(" POINTER ")\ndeclare " POINTER " @smd.gc.from_int(i64)\n");
}

static void define_swap(struct gen *g, const char *name, const char *type, const char *gc) {
    sm_buf_printf(
        g->out,
        "\ndefine internal %s @%s(ptr %%slot, %s %%v) noinline gc \"%s\" {\n  call void @collect()\n"
        "  %%old = load %s, ptr %%slot\n  call void @collect()\n  store %s %%v, ptr %%slot\n  ret %s %%old\n}\n",
        type, name, type, gc, type, type, type);
}

/* A result whose reference is set only where its flag is, filled field by field. */
static const char optional[] =
    "\ndefine internal { i1, " POINTER " } @optional(" POINTER " %%object, i64 %%n) noinline gc \"%s\" {\n"
    "  %%r = alloca { i1, " POINTER " }\n  %%odd = trunc i64 %%n to i1\n"
    "  br i1 %%odd, label %%some, label %%none\nsome:\n"
    "  %%next = load " POINTER ", " POINTER " %%object\n  store i1 true, ptr %%r\n"
    "  %%at = getelementptr { i1, " POINTER " }, ptr %%r, i64 0, i32 1\n  store " POINTER " %%next, ptr %%at\n"
    "  br label %%end\nnone:\n  store i1 false, ptr %%r\n  br label %%end\nend:\n"
    "  %%v = load { i1, " POINTER " }, ptr %%r\n  ret { i1, " POINTER " } %%v\n}\n";

/* A ninth parameter that is kept in a slot behind a call, in a realigned frame, while arguments are pushed. */
static const char crowded[] =
    "\ndefine internal void @pushed(i64 %%a, i64 %%b, i64 %%c, i64 %%d, i64 %%e, i64 %%f, i64 %%g, i64 %%h) "
    "noinline gc \"%s\" {\n  call void @collect()\n  ret void\n}\n"
    "\ndefine internal " POINTER
    " @crowded(i64 %%a, i64 %%b, i64 %%c, i64 %%d, i64 %%e, i64 %%f, i64 %%g, i64 %%h, " POINTER
    " %%object) gc \"%s\" {\n  call void @note(i64 %%a)\n"
    "  %%wide = alloca [64 x i8], align 64\n  %%slot = alloca " POINTER "\n"
    "  store " POINTER " %%object, ptr %%slot\n"
    "  call void asm sideeffect \"\", \"r,r,~{memory}\"(ptr %%slot, ptr %%wide)\n"
    "  call void @pushed(i64 %%b, i64 %%c, i64 %%d, i64 %%e, i64 %%f, i64 %%g, i64 %%h, i64 %%a)\n"
    "  %%v = load " POINTER ", ptr %%slot\n  ret " POINTER " %%v\n}\n";

/* A function of an object that writes and reads by barriers, with a slot in a scope and types where the program has
 * them; and a loop of a few turns of it. */
static void define_inlined(struct gen *g, const char *gc) {
    const char *how = one_of(g, "|alwaysinline |inlinehint ");
    int scoped = has(g, FEATURE(SCOPES));
    sm_buf_printf(g->out, "\ndefine internal " POINTER " @inlined(" POINTER " %%o, i64 %%n) %sgc \"%s\" {\n", how,
                  gc);
    if (scoped)
        sm_buf_printf(g->out,
                      "  %%scoped = alloca " POINTER "\n  call void @llvm.gc.declare(ptr %%scoped, ptr %s)\n"
                      "  store " POINTER " %%o, ptr %%scoped\n",
                      one_of(g, "null|inttoptr (i64 7 to ptr)"));
    line(g, "%%slot = getelementptr i8, " POINTER " %%o, i64 16");
    line(g, "call void @llvm.gcwrite(" POINTER " %%o, " POINTER " %%o, " POINTER " %%slot)");
    line(g, "call void @collect()%s", has(g, FEATURE(TYPES)) ? " [ \"gc-type\"(" POINTER " %o, i64 3) ]" : "");
    line(g, "%%r = call " POINTER " @llvm.gcread(" POINTER " %%o, " POINTER " %%slot)");
    line(g, "%%next = call " POINTER " @make(i64 %%n, " POINTER " %%r)");
    if (scoped) {
        line(g, "%%kept = load " POINTER ", ptr %%scoped");
        line(g, "call void @llvm.gc.undeclare(ptr %%scoped)");
    }
    line(g, "%%first = getelementptr i8, " POINTER " %%next, i64 8");
    line(g, "call void @llvm.gcwrite(" POINTER " %s, " POINTER " %%next, " POINTER " %%first)",
         scoped ? "%kept" : "%o");
    sm_buf_printf(g->out,
                  "  ret " POINTER " %%next\n}\n\ndefine internal " POINTER " @turns(" POINTER
                  " %%o, i64 %%n) %sgc \"%s\" {\n"
                  "entry:\n  br label %%turn\nturn:\n  %%i = phi i64 [ 0, %%entry ], [ %%j, %%turn ]\n"
                  "  %%at = phi " POINTER " [ %%o, %%entry ], [ %%to, %%turn ]\n"
                  "  %%to = call " POINTER " @inlined(" POINTER " %%at, i64 %%i)\n  %%j = add i64 %%i, 1\n"
                  "  %%over = icmp eq i64 %%j, %d\n  br i1 %%over, label %%end, label %%turn\nend:\n"
                  "  ret " POINTER " %%to\n}\n",
                  how, gc, 2 + (int)any(g, 4));
}

/* Chooses one of the two; the environment of a closure stands for their object. */
static struct function inlined_function(struct gen *g, int invoked) {
    struct function f = {.convention = "", .parameters = 2, .result = REF, .throws = invoked};
    f.parameter[0] = (struct value){.kind = REF, .nonnull = 1};
    f.parameter[1] = (struct value){.kind = WORD};
    snprintf(f.name, sizeof f.name, "%s", one_of(g, "@inlined|@turns"));
    snprintf(f.environment, sizeof f.environment, "%s", pick_object(g).text);
    return f;
}

void s_inlined(struct gen *g) {
    struct function f = inlined_function(g, 0);
    call_plain(g, &f);
}

void s_inlined_invoke(struct gen *g) {
    struct function f = inlined_function(g, 1);
    call_any(g, &f);
}

/* What others do to a slot whose address they are given. */
void roots_define(struct gen *g, const char *gc) {
    sm_buf_printf(g->out, optional, gc);
    if (has(g, FEATURE(INLINED)))
        define_inlined(g, gc);
    if (has(g, FEATURE(FRAMES)))
        sm_buf_printf(g->out, crowded, gc, gc);
    if (has(g, FEATURE(ESCAPES)))
        define_swap(g, "swap", POINTER, gc);
    if (has(g, FEATURE(ESCAPES) | FEATURE(COMPRESSED)))
        define_swap(g, "swap.small", SMALLER, gc);
}

/* At the begin of a function's first block. */
void roots_begin(struct gen *g) {
    for (int i = 0; i < SCOPED && has(g, FEATURE(SCOPES)); i++)
        line(g, "%%scoped%d = alloca %s", i, i ? "{ i64, " POINTER " }" : POINTER);
    if (has(g, FEATURE(TAGS))) {
        line(g, "%%tagged.local = alloca i64");
        line(g, "%%tagged.frame = alloca { i64, [2 x double], ptr }");
        line(g, "%%tagged.copy = alloca { i64, [2 x double], ptr }");
    }
    if (has(g, FEATURE(TAGS)) && has(g, FEATURE(SCOPES)))
        line(g, "%%tagged.scoped = alloca i64");
    if (has(g, FEATURE(ESCAPES))) {
        line(g, "%%cells = alloca { i64, [%d x " POINTER "] }", CELLS);
        line(g, "store { i64, [%d x " POINTER "] } zeroinitializer, ptr %%cells", CELLS);
    }
    if (has(g, FEATURE(ESCAPES) | FEATURE(COMPRESSED))) {
        line(g, "%%cells.small = alloca [%d x { " SMALLER ", i32 }]", CELLS);
        line(g, "store [%d x { " SMALLER ", i32 }] zeroinitializer, ptr %%cells.small", CELLS);
    }
}

/* A safepoint, or two. */
void pass_time(struct gen *g) {
    for (int n = 1 + (int)any(g, 2); n > 0; n--)
        if (chance(g, 60))
            line(g, "call void @collect()");
        else
            s_make(g);
}

/* A reference that nothing else in the function is made of. */
static struct value fresh(struct gen *g) {
    struct value v = value_new(g, REF), from = pick_object(g);
    line(g, "%s = load " POINTER ", " POINTER " %s", v.text, from.text);
    v.nonnull = 1; /* an object's first field is */
    return v;
}

/* ---- Scopes and types ---- */

void s_scope(struct gen *g) {
    struct value v = pick(g, REF), old = value_new(g, REF), at = value_new(g, KINDS);
    int n = (int)any(g, SCOPED);
    line(g, "call void @llvm.gc.declare(ptr %%scoped%d, ptr %s)", n, one_of(g, "null|inttoptr (i64 7 to ptr)"));
    line(g, "%s = getelementptr i8, ptr %%scoped%d, i64 %d", at.text, n, n ? 8 : 0);
    line(g, "store " POINTER " %s, ptr %s", v.text, at.text);
    pass_time(g);
    line(g, "%s = load " POINTER ", ptr %s", old.text, at.text);
    line(g, "call void @llvm.gc.undeclare(ptr %%scoped%d)", n);
    old.nonnull = v.nonnull;
    value_add(g, old);
}

void s_value(struct gen *g) {
    struct value v = fresh(g);
    line(g, "call void @llvm.gc.value.p1(" POINTER " %s, ptr null)", v.text);
    pass_time(g);
    value_add(g, v);
}

void s_typed(struct gen *g) {
    struct value v = fresh(g);
    line(g, "call void @collect() [ \"gc-type\"(" POINTER " %s, i64 %d) ]", v.text, (int)any(g, 9));
    value_add(g, v);
}

/* ---- Pins ---- */

/* What is read by way of the raw pointer, and behind it by way of the reference, is the same. */
void s_pin(struct gen *g) {
    struct value v = chance(g, 50) ? fresh(g) : pick_object(g), raw = value_new(g, KINDS), at = value_new(g, KINDS),
                 word = value_new(g, WORD);
    line(g, "%s = call ptr @smd.gc.pin(" POINTER " %s)", raw.text, v.text);
    pass_time(g);
    line(g, "%s = getelementptr i8, ptr %s, i64 %d", at.text, raw.text, 8 * WORLD_NODE_POINTERS);
    line(g, "%s = load i64, ptr %s", word.text, at.text);
    if (chance(g, 50))
        pass_time(g);
    line(g, "store i64 %s, ptr %s", pick(g, WORD).text, at.text);
    line(g, "call void @smd.gc.unpin(ptr %s)", raw.text);
    value_add(g, word);
    value_add(g, v);
}

/* ---- Tags ---- */

struct value make_tagged(struct gen *g) {
    struct value bits = value_new(g, KINDS), v = value_new(g, TAGGED), object = pick_object(g);
    line(g, "%s = call i64 @smd.gc.to_int(" POINTER " %s)", bits.text, object.text);
    line(g, "%s = or i64 %s, %d", v.text, bits.text, (int)any(g, 8));
    return v;
}

void s_tag(struct gen *g) {
    struct value v = value_new(g, TAGGED), old = pick(g, TAGGED);
    line(g, "%s = xor i64 %s, %d", v.text, old.text, (int)any(g, 8));
    pass_time(g);
    value_add(g, v);
}

struct value untagged(struct gen *g, struct value tagged) {
    struct value v = value_new(g, REF);
    line(g, "%s = call " POINTER " @smd.gc.from_int(i64 %s)", v.text, tagged.text);
    v.nonnull = 1;
    return v;
}

/* Stores V at ADDRESS, as an integer or as the double of its bits. */
static void store_tagged(struct gen *g, struct value v, const char *address) {
    struct value real = value_new(g, KINDS);
    if (chance(g, 50)) {
        line(g, "store i64 %s, ptr %s", v.text, address);
        return;
    }
    line(g, "%s = bitcast i64 %s to double", real.text, v.text);
    line(g, "store double %s, ptr %s", real.text, address);
}

/* What is at ADDRESS, read as an integer or as a double. */
static struct value load_tagged(struct gen *g, const char *address) {
    struct value v = value_new(g, TAGGED), real = value_new(g, KINDS);
    if (chance(g, 50)) {
        line(g, "%s = load i64, ptr %s", v.text, address);
        return v;
    }
    line(g, "%s = load double, ptr %s", real.text, address);
    line(g, "%s = bitcast double %s to i64", v.text, real.text);
    return v;
}

static struct value field_of_frame(struct gen *g, const char *frame, int index) {
    struct value at = value_new(g, KINDS);
    line(g, "%s = getelementptr { i64, [2 x double], ptr }, ptr %s, i64 0, i32 1, i64 %d", at.text, frame, index);
    return at;
}

/* As frontends do that keep everything in memory: a local, a field of a frame, of its copy, a declared slot. */
void s_tag_slot(struct gen *g) {
    struct value v = pick(g, TAGGED), at, to, kept;
    int index = (int)any(g, 2);
    switch (any(g, has(g, FEATURE(SCOPES)) ? 4 : 3)) {
    case 0:
        store_tagged(g, v, "%tagged.local");
        pass_time(g);
        kept = load_tagged(g, "%tagged.local");
        break;
    case 1:
        at = field_of_frame(g, "%tagged.frame", index);
        store_tagged(g, v, at.text);
        pass_time(g);
        kept = load_tagged(g, at.text);
        break;
    case 2:
        at = field_of_frame(g, "%tagged.frame", index);
        to = field_of_frame(g, "%tagged.copy", index);
        store_tagged(g, v, at.text);
        pass_time(g);
        line(g, "call void @llvm.memcpy.p0.p0.i64(ptr %%tagged.copy, ptr %%tagged.frame, i64 32, i1 false)");
        pass_time(g);
        kept = load_tagged(g, to.text);
        break;
    default:
        line(g, "call void @llvm.gc.declare(ptr %%tagged.scoped, ptr null)");
        store_tagged(g, v, "%tagged.scoped");
        pass_time(g);
        kept = load_tagged(g, "%tagged.scoped");
        line(g, "call void @llvm.gc.undeclare(ptr %%tagged.scoped)");
    }
    value_add(g, kept);
}

void s_untag(struct gen *g) {
    value_add(g, untagged(g, pick(g, TAGGED)));
}

/* ---- Slots that others know ---- */

static struct value index_of_cell(struct gen *g) {
    struct value v = value_new(g, WORD), from = pick(g, WORD);
    line(g, "%s = and i64 %s, %d", v.text, from.text, CELLS - 1);
    return v;
}

struct value cell_at(struct gen *g, enum kind kind) {
    struct value at = value_new(g, KINDS), index = index_of_cell(g);
    if (kind == SMALL)
        line(g, "%s = getelementptr [%d x { " SMALLER ", i32 }], ptr %%cells.small, i64 0, i64 %s, i32 0", at.text,
             CELLS, index.text);
    else
        line(g, "%s = getelementptr { i64, [%d x " POINTER "] }, ptr %%cells, i64 0, i32 1, i64 %s", at.text, CELLS,
             index.text);
    return at;
}

static void escape(struct gen *g, enum kind kind) {
    struct value at = cell_at(g, kind), old = value_new(g, kind), v = pick(g, kind);
    const char *type = type_of(kind), *swap = kind == SMALL ? "swap.small" : "swap";
    switch (any(g, 3)) {
    case 0:
        line(g, "%s = call %s @%s(ptr %s, %s %s)", old.text, type, swap, at.text, type, v.text);
        break;
    case 1:
        line(g, "store %s %s, ptr %s", type, v.text, at.text);
        pass_time(g);
        line(g, "%s = load %s, ptr %s", old.text, type, at.text);
        break;
    default:
        line(g, "%s = load %s, ptr %s", old.text, type, at.text);
        line(g, "store %s %s, ptr %s", type, v.text, at.text);
    }
    value_add(g, old);
}

/* The reference is used where the flag is set; the caller lists it in any case. */
void s_optional(struct gen *g) {
    struct value from = pick_object(g), n = pick(g, WORD), all = value_new(g, KINDS), is = value_new(g, BIT),
                 found = value_new(g, KINDS), v = value_new(g, REF);
    line(g, "%s = call { i1, " POINTER " } @optional(" POINTER " %s, i64 %s)", all.text, from.text, n.text);
    line(g, "%s = extractvalue { i1, " POINTER " } %s, 0", is.text, all.text);
    line(g, "%s = extractvalue { i1, " POINTER " } %s, 1", found.text, all.text);
    pass_time(g);
    line(g, "%s = select i1 %s, " POINTER " %s, " POINTER " %s", v.text, is.text, found.text, from.text);
    v.nonnull = 1; /* an object's first field is */
    value_add(g, is);
    value_add(g, v);
}

void s_crowded(struct gen *g) {
    struct value v = value_new(g, REF), from = pick_object(g), w = pick(g, WORD), x = pick(g, WORD);
    line(g,
         "%s = call " POINTER " @crowded(i64 %s, i64 1, i64 %s, i64 3, i64 4, i64 5, i64 6, i64 7, " POINTER " %s)",
         v.text, w.text, x.text, from.text);
    v.nonnull = 1;
    value_add(g, v);
}

void s_escape(struct gen *g) {
    escape(g, REF);
}

void s_escape_small(struct gen *g) {
    escape(g, SMALL);
}
