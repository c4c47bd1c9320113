/* module.c - functions, and the module around them. See gen.h. */
#include "gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER "ptr addrspace(1)"

static const struct {
    const char *name, *what;
} features[] = {
#define X(name, word, what) {word, what},
    FEATURE_MAP(X)
#undef X
};

const char *feature_name(int number) {
    return features[number].name;
}

uint64_t features_parse(const char *list) {
    int without = list[0] == '-';
    uint64_t bits = 0;
    for (list += without; *list; list += strcspn(list, ","), list += *list == ',') {
        size_t len = strcspn(list, ",");
        uint64_t bit = 0;
        for (int i = 0; i < FEATURES; i++)
            if (strlen(features[i].name) == len && memcmp(features[i].name, list, len) == 0)
                bit = UINT64_C(1) << i;
        if (!bit)
            return 0;
        bits |= bit;
    }
    return without ? FEATURES_ALL & ~bits : bits;
}

/* ---- Functions ---- */

/* "statepoint-example" or "coreclr": the same for all, as functions of two strategies are not inlined. */
static const char *strategy(struct gen *g, uint64_t seed) {
    (void)g;
    return seed % 4 == 3 ? "coreclr" : "statepoint-example";
}

static void add_parameter(struct function *f, enum kind kind, int nonnull) {
    struct value *p = &f->parameter[f->parameters];
    *p = (struct value){.kind = kind, .nonnull = nonnull};
    snprintf(p->text, sizeof p->text, "%%p%d", f->parameters++);
}

static int is_passed(enum kind kind) {
    return kind != INTERIOR && kind != INTERIORS && kind != FIELD &&
           kind != TAGGED; /* a callee takes its arguments for objects */
}

static enum kind passed_kind(struct gen *g) {
    for (;;) {
        enum kind kind = any_kind(g);
        if (is_passed(kind))
            return kind;
    }
}

static void declare(struct gen *g, int id, int alike) {
    struct function *f = &g->function[id];
    int throws = has(g, FEATURE(INVOKES)) && chance(g, 60);
    *f = (struct function){.id = id, .convention = "", .throws = throws, .result = WORD};
    f->deoptimizes = throws && has(g, FEATURE(DEOPT)) && chance(g, 40);
    snprintf(f->name, sizeof f->name, alike == 2 ? "reentered" : alike ? "listed" : "f%d", id);
    add_parameter(f, REF, 1);
    if (alike) {
        add_parameter(f, WORD, 0);
        return;
    }
    for (int n = (int)any(g, chance(g, 20) ? PARAMETERS : 5); n > 0; n--)
        add_parameter(f, passed_kind(g), 0);
    if (!f->deoptimizes) {
        f->result = chance(g, 40) ? WORD : passed_kind(g);
        f->convention = has(g, FEATURE(ATTRIBUTES)) && chance(g, 50) ? "fastcc " : "";
    }
}

/* Pads that give an exception are handlers where they catch; where they clean up, they resume. */
static const char *personality(const struct gen *g) {
    if (!has(g, FEATURE(INVOKES)))
        return "";
    return has(g, FEATURE(PADS)) ? " personality ptr @handle_catches" : " personality ptr @handle_all";
}

static void attributes(struct gen *g, const struct function *f) {
    if (f->deoptimizes)
        sm_buf_puts(g->out, " noinline");
    if (!has(g, FEATURE(ATTRIBUTES))) {
        if (!f->throws && chance(g, 30))
            sm_buf_puts(g->out, " nounwind");
        return;
    }
    if (!f->throws)
        sm_buf_puts(g->out, one_of(g, "| nounwind| nounwind uwtable| nounwind"));
    sm_buf_puts(g->out, one_of(g, f->deoptimizes ? "|" : "|| noinline| noinline optnone"));
    sm_buf_puts(g->out, one_of(g, "|| \"frame-pointer\"=\"all\"| \"frame-pointer\"=\"non-leaf\"| noredzone"));
    sm_buf_puts(g->out, one_of(g, "||| cold| \"smd-safepoints\"=\"none\"| "
                                  "\"smd-safepoints\"=\"entry,return,precall\"| \"smd-safepoints\"=\"backedge\""));
}

/* Values of all kinds that are in scope at the end count. */
static void use_some(struct gen *g) {
    for (int i = 0; i < 3 && g->values; i++)
        use_up(g, g->value[any(g, g->values)]);
}

static void begin_body(struct gen *g, const struct function *f) {
    g->self = f;
    g->values = 0;
    g->names = 0;
    g->nesting = g->loops = 0;
    g->budget = 6;
    for (int i = 0; i < f->parameters; i++)
        value_add(g, f->parameter[i]);
    block_start(g, "entry");
    line(g, "%%sum = alloca i64");
    roots_begin(g);
    closures_begin(g);
    line(g, "store i64 %d, ptr %%sum", f->id);
}

static void define(struct gen *g, const struct function *f, const char *gc) {
    const char *linkage = f->parameter[1].kind == WORD && f->parameters == 2 ? "" : "internal ";
    char spent[24];
    sm_buf_printf(g->out, "\ndefine %s%s%s @%s(", f->deoptimizes ? "" : linkage, f->convention, type_of(f->result),
                  f->name);
    for (int i = 0; i < f->parameters; i++)
        sm_buf_printf(g->out, "%s%s%s %s", i ? ", " : "", type_of(f->parameter[i].kind),
                      f->parameter[i].nonnull && has(g, FEATURE(ATTRIBUTES))
                          ? one_of(g, "| nonnull| dereferenceable(88)| noundef nonnull align 8")
                          : "",
                      f->parameter[i].text);
    sm_buf_puts(g->out, ")");
    attributes(g, f);
    sm_buf_printf(g->out, " gc \"%s\"%s {\n", gc, personality(g));
    begin_body(g, f);
    fuel_take(g, spent);
    line(g, "br i1 %s, label %%dry, label %%run", spent);
    block_start(g, "dry");
    return_default(g);
    block_start(g, "run");
    region(g, 4 + (int)any(g, 10), 0);
    use_some(g);
    block_end(g);
    sm_buf_puts(g->out, "}\n");
}

/* The program calls each function, with fuel of its own. */
static void define_program(struct gen *g, const char *gc) {
    static const struct function program = {.name = "program", .id = -1, .result = WORD};
    struct value first;
    sm_buf_printf(g->out, "\ndefine i64 @program(i64 %%n) gc \"%s\"%s {\n", gc, personality(g));
    begin_body(g, &program);
    first = (struct value){.kind = REF, .text = "%first"};
    line(g, "%%first = call " POINTER " @allocate(i64 88, i64 %d)", WORLD_NODE_POINTERS);
    line(g, "store " POINTER " %%first, " POINTER " %%first");
    first.nonnull = 1;
    value_add(g, first);
    value_add(g, (struct value){.kind = WORD, .text = "%n"});
    s_new(g);
    for (int i = 0; i < g->functions; i++) {
        line(g, "store i64 %d, ptr @fuel", 4 + (int)any(g, 24));
        call_any(g, &g->function[i]);
        if (chance(g, 50))
            region(g, 2, 0);
        use_some(g);
    }
    line(g, "call void @keep(i64 0, " POINTER " %s)", pick_object(g).text);
    line(g, "call void @keep(i64 1, " POINTER " %s)", pick(g, REF).text);
    struct value sum = value_new(g, WORD);
    line(g, "%s = load i64, ptr %%sum", sum.text);
    line(g, "ret i64 %s", sum.text);
    sm_buf_puts(g->out, "}\n");
}

/* ---- The module ---- */

static const char head[] =
    "%%node = type { [%d x " POINTER "], [%d x i64] }\n\n"
    "@fuel = internal global i64 0\n\n"
    "declare " POINTER " @allocate(i64, i64)\n"
    "declare void @collect()\n"
    "declare void @throw_value(" POINTER ")\n"
    "declare i64 @observe(i64)\n"
    "declare i64 @reenter(" POINTER ", i64)\n"
    "declare " POINTER " @caught() \"gc-leaf-function\"\n"
    "declare void @note(i64) nounwind \"gc-leaf-function\"\n"
    "declare void @keep(i64, " POINTER ") nounwind \"gc-leaf-function\"\n"
    "declare " POINTER " @kept(i64) nounwind \"gc-leaf-function\"\n"
    "declare i64 @touch(ptr, i64, i64) nounwind \"gc-leaf-function\"\n"
    "declare i32 @handle_all(...)\n"
    "declare i32 @handle_catches(...)\n"
    "declare i64 @llvm.experimental.deoptimize.i64(...)\n"
    "declare double @llvm.floor.f64(double)\n"
    "declare double @llvm.fabs.f64(double)\n"
    "declare double @llvm.trunc.f64(double)\n"
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
    "declare void @llvm.memset.p1.i64(" POINTER ", i8, i64, i1)\n"
    "declare void @llvm.memmove.p1.p1.i64(" POINTER ", " POINTER ", i64, i1)\n"
    "declare " POINTER " @llvm.launder.invariant.group.p1(" POINTER ")\n"
    "declare " POINTER " @llvm.strip.invariant.group.p1(" POINTER ")\n"
    "declare " POINTER " @llvm.ptrmask.p1.i64(" POINTER ", i64)\n"
    "declare <2 x " POINTER "> @llvm.masked.load.v2p1.p1(" POINTER ", i32, <2 x i1>, <2 x " POINTER ">)\n"
    "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
    "declare " POINTER " @llvm.experimental.gc.result.p1(token)\n"
    "declare <2 x i64> @llvm.masked.gather.v2i64.v2p1(<2 x " POINTER ">, i32, <2 x i1>, <2 x i64>)\n";

static const char make[] = "\ndefine internal " POINTER " @make(i64 %%word, " POINTER " %%next)%s gc \"%s\" {\n"
                           "  %%object = call " POINTER " @allocate(i64 88, i64 3)\n"
                           "  store " POINTER " %%object, " POINTER " %%object\n"
                           "  %%field = getelementptr i8, " POINTER " %%object, i64 8\n"
                           "  store " POINTER " %%next, " POINTER " %%field\n"
                           "  %%at = getelementptr i8, " POINTER " %%object, i64 24\n"
                           "  store i64 %%word, " POINTER " %%at\n"
                           "  ret " POINTER " %%object\n}\n";

/* Of an object and 0 to 7. LEAF: without a strategy, or without polls, and nothing in them collects: peek, poke, climb
 * (recursive), hashed. The others look the same, and collect: stir by itself, sift and shake (recursive) by a call,
 * over at its entry. */
static const struct {
    const char *name, *attributes; /* $: the strategy */
    const char *body;
} helpers[] = {
    {"peek", "",
     "  %w = add i64 %n, 3\n  %at = getelementptr i64, " POINTER " %o, i64 %w\n"
     "  %v = load i64, " POINTER " %at\n  ret i64 %v\n"},
    {"poke", "nounwind ",
     "  %v = call i64 @peek(" POINTER " %o, i64 %n)\n  %w = add i64 %n, 3\n"
     "  %at = getelementptr i64, " POINTER " %o, i64 %w\n  %x = add i64 %v, 77\n"
     "  store i64 %x, " POINTER " %at\n  ret i64 %v\n"},
    {"climb", "\"smd-safepoints\"=\"none\" gc \"$\" ",
     "  %v = call i64 @peek(" POINTER
     " %o, i64 %n)\n  %end = icmp eq i64 %n, 0\n  br i1 %end, label %last, label %on\n"
     "last:\n  ret i64 %v\non:\n  %m = sub i64 %n, 1\n  %r = call i64 @climb(" POINTER " %o, i64 %m)\n"
     "  %x = call i64 @poke(" POINTER " %o, i64 %m)\n  %y = xor i64 %r, %x\n  %z = add i64 %y, %v\n  ret i64 %z\n"},
    {"stir", "\"smd-safepoints\"=\"none\" gc \"$\" ",
     "  call void @collect()\n  %v = call i64 @peek(" POINTER " %o, i64 %n)\n  ret i64 %v\n"},
    {"sift", "\"smd-safepoints\"=\"none\" gc \"$\" ",
     "  %v = call i64 @poke(" POINTER " %o, i64 %n)\n  %odd = and i64 %v, 1\n  %is = icmp eq i64 %odd, 0\n"
     "  br i1 %is, label %even, label %last\neven:\n  %w = call i64 @stir(" POINTER " %o, i64 %n)\n  br label %last\n"
     "last:\n  %x = call i64 @peek(" POINTER " %o, i64 %n)\n  %y = add i64 %x, %v\n  ret i64 %y\n"},
    {"shake", "\"smd-safepoints\"=\"none\" gc \"$\" ",
     "  %end = icmp eq i64 %n, 0\n  br i1 %end, label %last, label %on\nlast:\n"
     "  %v = call i64 @stir(" POINTER " %o, i64 %n)\n  ret i64 %v\non:\n  %m = sub i64 %n, 1\n"
     "  %r = call i64 @shake(" POINTER " %o, i64 %m)\n  %x = call i64 @peek(" POINTER " %o, i64 %m)\n"
     "  %z = add i64 %r, %x\n  ret i64 %z\n"},
    {"hashed", "", "  %v = call i64 @peek(" POINTER " %o, i64 %n)\n  %h = call i64 @scatter(i64 %v)\n  ret i64 %h\n"},
    {"over", "\"smd-safepoints\"=\"entry\" gc \"$\" ",
     "  %v = call i64 @peek(" POINTER " %o, i64 %n)\n  ret i64 %v\n"},
};

/* Functions of an object and 0 to 7. In peek, poke, climb and hashed nothing collects; the others look alike, and
 * collect: stir itself, sift and shake in a call, over where it is polled. */
static void define_helpers(struct gen *g, const char *gc) {
    sm_buf_puts(g->out, "\ndeclare i64 @scatter(i64) memory(none)\n");
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
        const char *strategy = strchr(helpers[i].attributes, '$');
        sm_buf_printf(g->out, "\ndefine internal i64 @%s(" POINTER " %%o, i64 %%n) noinline ", helpers[i].name);
        if (strategy)
            sm_buf_printf(g->out, "%.*s%s%s", (int)(strategy - helpers[i].attributes), helpers[i].attributes, gc,
                          strategy + 1);
        else
            sm_buf_puts(g->out, helpers[i].attributes);
        sm_buf_printf(g->out, "{\n%s}\n", helpers[i].body);
    }
}

static const char metadata[] = "\n!0 = !{}\n!1 = !{i64 88}\n!2 = !{!\"branch_weights\", i32 1, i32 2000}\n"
                               "!3 = !{!5, !5, i64 0}\n!4 = !{!6, !6, i64 0}\n!5 = !{!\"reference\", !7, i64 0}\n"
                               "!6 = !{!\"word\", !7, i64 0}\n!7 = !{!\"heap\"}\n";

/* About half of them, and few of those for which many programs are refused; landing pads need invokes. Where there are
 * barriers, references are not compressed. */
static uint64_t choose_features(struct gen *g, uint64_t from) {
    const uint64_t rare = FEATURE(AGGREGATES) | FEATURE(CASTS),
                   seldom = FEATURE(SCOPES); /* such functions are not optimised */
    uint64_t chosen = 0;
    for (int i = 0; i < FEATURES; i++)
        if (from >> i & 1 && chance(g, rare >> i & 1 ? 12 : seldom >> i & 1 ? 25 : 50))
            chosen |= UINT64_C(1) << i;
    if (chosen & FEATURE(BARRIERS))
        chosen &= ~FEATURE(COMPRESSED);
    return chosen & FEATURE(INVOKES) ? chosen : chosen & ~FEATURE(PADS);
}

uint64_t generate(uint64_t seed, uint64_t from, sm_buf *out, struct census *census) {
    struct gen *g = calloc(1, sizeof *g);
    if (!g) {
        out->status = SM_NOMEM;
        return 0;
    }
    const char *gc = strategy(g, seed);
    g->random = seed * 0x2545f4914f6cdd1du;
    g->features = choose_features(g, from);
    g->census = census;
    g->out = out;
    g->functions = 3 + (int)any(g, 3);
    for (int i = 0; i < g->functions; i++)
        declare(g, i, i < g->functions - 2 ? 0 : i - g->functions + 3);
    sm_buf_printf(out, head, WORLD_NODE_POINTERS, WORLD_NODE_WORDS);
    roots_declare(g);
    closures_declare(g);
    kinds_declare(g);
    sm_buf_puts(out, "@table = internal constant [2 x ptr] [ptr @reentered, ptr @listed]\n");
    sm_buf_printf(out, make, has(g, FEATURE(ATTRIBUTES)) ? one_of(g, "| noinline| alwaysinline") : "", gc);
    if (has(g, FEATURE(HELPERS)))
        define_helpers(g, gc);
    roots_define(g, gc);
    closures_define(g, gc);
    kinds_define(g, gc);
    if (has(g, FEATURE(OPAQUE)))
        rows_define(g);
    for (int i = 0; i < g->functions; i++)
        define(g, &g->function[i], gc);
    define_program(g, gc);
    for (enum kind k = 0; k < KINDS; k++) {
        char name[64];
        snprintf(name, sizeof name, "@" RESULT_NAME "%d(", (int)k);
        if (strstr(sm_buf_cstr(out), name))
            sm_buf_printf(out, "\ndeclare %s %stoken)\n", type_of(k), name);
    }
    sm_buf_puts(out, metadata);
    uint64_t chosen = g->features;
    if (census) {
        census->programs++;
        for (int i = 0; i < FEATURES; i++)
            census->of_feature[i] += chosen >> i & 1;
    }
    free(g);
    return chosen;
}
