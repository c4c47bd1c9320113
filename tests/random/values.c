/* values.c - see gen.h. */
#include "gen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define POINTER "ptr addrspace(1)"

static const char *const types[KINDS] = {
    [WORD] = "i64",
    [HALF] = "i32",
    [BIT] = "i1",
    [REAL] = "double",
    [REF] = POINTER,
    [INTERIOR] = POINTER,
    [FIELD] = POINTER,
    [PAIR] = "<2 x " POINTER ">",
    [INTERIORS] = "<2 x " POINTER ">",
    [STRUCT] = "{ " POINTER ", i64 }",
    [ARRAY] = "[2 x " POINTER "]",
    [LANES] = "<4 x i32>",
    [TAGGED] = "i64",
    [SMALL] = "ptr addrspace(3)",
    [SMALL_PAIR] = "<2 x ptr addrspace(3)>",
    [SMALL_STRUCT] = "{ ptr addrspace(3), i64 }",
    [CLOSURE] = "{ " POINTER ", ptr }",
    [CELL] = "ptr",
    [BOX] = "ptr",
};

const char *type_of(enum kind kind) {
    return types[kind];
}

/* ---- Chance ---- */

/* splitmix64 */
uint64_t any(struct gen *g, uint64_t n) {
    uint64_t z = g->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % n;
}

int chance(struct gen *g, int percent) {
    return any(g, 100) < (uint64_t)percent;
}

int has(const struct gen *g, uint64_t feature) {
    return (g->features & feature) == feature;
}

const char *one_of(struct gen *g, const char *list) {
    static _Thread_local char word[4][96];
    static _Thread_local unsigned turn;
    uint64_t words = 1;
    for (const char *c = list; *c; c++)
        words += *c == '|';
    for (uint64_t n = any(g, words); n; n--)
        list = strchr(list, '|') + 1;
    char *to = word[turn++ % 4];
    snprintf(to, sizeof word[0], "%.*s", (int)strcspn(list, "|"), list);
    return to;
}

/* ---- Text ---- */

void line(struct gen *g, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sm_buf_printf(g->out, "  %s\n", text);
}

void label_new(struct gen *g, char label[16]) {
    snprintf(label, 16, "b%d", g->names++);
}

void block_start(struct gen *g, const char *label) {
    sm_buf_printf(g->out, "%s:\n", label);
    snprintf(g->block, sizeof g->block, "%s", label);
}

/* ---- Scope ---- */

struct value value_new(struct gen *g, enum kind kind) {
    struct value v = {.kind = kind};
    snprintf(v.text, sizeof v.text, "%%v%d", g->names++);
    return v;
}

void value_add(struct gen *g, struct value v) {
    if (g->values < SCOPE)
        g->value[g->values++] = v;
}

struct value constant(struct gen *g) {
    static const int64_t odd_ones[] = {0, 1, -1, 85, 0x5555, 0x55555555, INT64_MAX, 41, 0x53, 4096};
    struct value v = {.kind = WORD};
    int64_t n = chance(g, 40) ? odd_ones[any(g, sizeof odd_ones / sizeof *odd_ones)] : (int64_t)any(g, 1000);
    snprintf(v.text, sizeof v.text, "%lld", (long long)n);
    return v;
}

/* A value in scope that fits; 0 if there is none. Old ones are as likely as new ones, so that they live long. */
static int find(struct gen *g, enum kind kind, int nonnull, int before, int after, struct value *out) {
    size_t n = g->values, start = n ? (size_t)any(g, n) : 0;
    for (size_t i = 0; i < n; i++) {
        const struct value *v = &g->value[(start + i) % n];
        if (v->kind == kind && v->nonnull >= nonnull && v->before >= before && v->after >= after) {
            *out = *v;
            return 1;
        }
    }
    return 0;
}

struct value pick_object(struct gen *g) {
    struct value v;
    find(g, REF, 1, 0, 0, &v); /* every function has one */
    return v;
}

/* Pointers to word 0 of objects have all the others behind them. */
struct value pick_interior(struct gen *g, int before, int after) {
    struct value v;
    char index[24];
    if (find(g, INTERIOR, 0, before, after, &v))
        return v;
    snprintf(index, sizeof index, "%d", before);
    v = word_at(g, pick_object(g), index);
    v.before = before;
    v.after = WORLD_NODE_WORDS - 1 - before;
    value_add(g, v);
    return v;
}

struct value pick_box(struct gen *g, enum kind kind, int *found) {
    struct value v = {0};
    *found = find(g, kind, 0, 0, 0, &v);
    return v;
}

static struct value null_or_object(struct gen *g) {
    struct value null = {.kind = REF, .text = "null"};
    return chance(g, 30) ? null : pick_object(g);
}

static struct value make_half(struct gen *g) {
    struct value v = value_new(g, HALF), from = pick(g, WORD);
    line(g, "%s = trunc i64 %s to i32", v.text, from.text);
    return v;
}

static struct value make_bit(struct gen *g) {
    struct value v = value_new(g, BIT), a = pick(g, WORD), b = pick(g, WORD);
    line(g, "%s = icmp %s i64 %s, %s", v.text, one_of(g, "eq|ne|slt|ugt|sge|ult"), a.text, b.text);
    return v;
}

static struct value make_real(struct gen *g) {
    struct value v = value_new(g, REAL), from = pick(g, HALF);
    line(g, "%s = sitofp i32 %s to double", v.text, from.text);
    return v;
}

static struct value make_field(struct gen *g) {
    struct value v = value_new(g, FIELD), object = pick_object(g);
    line(g, "%s = getelementptr i8, " POINTER " %s, i64 %d", v.text, object.text,
         8 * (1 + (int)any(g, WORLD_NODE_POINTERS - 1)));
    return v;
}

/* Two of KIND as the elements of a vector or an array. */
static struct value make_two(struct gen *g, enum kind kind, enum kind element, const char *insert,
                             const char *index) {
    struct value a = element == REF ? pick(g, REF) : pick_object(g);
    struct value b = element == REF ? pick(g, REF) : pick_object(g);
    struct value first = value_new(g, kind), v = value_new(g, kind);
    line(g, "%s = %s %s %s, " POINTER " %s, %s0", first.text, insert, types[kind],
         one_of(g, "zeroinitializer|poison"), a.text, index);
    line(g, "%s = %s %s %s, " POINTER " %s, %s1", v.text, insert, types[kind], first.text, b.text, index);
    v.nonnull = a.nonnull && b.nonnull;
    return v;
}

/* Each pointer of the vector has the object's words 0 and 1. */
static struct value make_interiors(struct gen *g) {
    struct value v = value_new(g, INTERIORS);
    struct value pair = make_two(g, PAIR, INTERIOR, "insertelement", "i32 ");
    line(g, "%s = getelementptr i8, %s %s, <2 x i64> <i64 %d, i64 %d>", v.text, types[PAIR], pair.text,
         8 * (WORLD_NODE_POINTERS + (int)any(g, WORLD_NODE_WORDS - 1)),
         8 * (WORLD_NODE_POINTERS + (int)any(g, WORLD_NODE_WORDS - 1)));
    v.after = 1;
    return v;
}

static struct value make_struct(struct gen *g) {
    struct value first = value_new(g, STRUCT), v = value_new(g, STRUCT), a = pick(g, REF), b = pick(g, WORD);
    line(g, "%s = insertvalue %s %s, " POINTER " %s, 0", first.text, types[STRUCT],
         one_of(g, "zeroinitializer|poison"), a.text);
    line(g, "%s = insertvalue %s %s, i64 %s, 1", v.text, types[STRUCT], first.text, b.text);
    v.nonnull = a.nonnull;
    return v;
}

static struct value make_lanes(struct gen *g) {
    struct value first = value_new(g, LANES), v = value_new(g, LANES), a = pick(g, HALF);
    line(g, "%s = insertelement <4 x i32> zeroinitializer, i32 %s, i32 %d", first.text, a.text, (int)any(g, 4));
    line(g, "%s = add <4 x i32> %s, <i32 1, i32 2, i32 3, i32 %d>", v.text, first.text, (int)any(g, 100));
    return v;
}

struct value pick(struct gen *g, enum kind kind) {
    struct value v;
    if (kind == INTERIOR)
        return pick_interior(g, 0, 0);
    if (!chance(g, 10) && find(g, kind, 0, 0, 0, &v))
        return v;
    switch (kind) {
    case WORD:
        return constant(g);
    case REF:
        return null_or_object(g);
    case HALF:
        v = make_half(g);
        break;
    case BIT:
        v = make_bit(g);
        break;
    case REAL:
        v = make_real(g);
        break;
    case FIELD:
        v = make_field(g);
        break;
    case PAIR:
        v = make_two(g, PAIR, REF, "insertelement", "i32 ");
        break;
    case ARRAY:
        v = make_two(g, ARRAY, REF, "insertvalue", "");
        break;
    case INTERIORS:
        v = make_interiors(g);
        break;
    case STRUCT:
        v = make_struct(g);
        break;
    case TAGGED:
        v = make_tagged(g);
        break;
    case SMALL:
        v = make_small(g);
        break;
    case SMALL_PAIR:
        v = make_small_pair(g);
        break;
    case SMALL_STRUCT:
        v = make_small_struct(g);
        break;
    case CLOSURE:
        v = make_closure(g);
        break;
    default:
        v = make_lanes(g);
    }
    value_add(g, v);
    return v;
}

enum kind any_kind(struct gen *g) {
    static const struct {
        enum kind kind;
        uint64_t feature;
    } all[] = {{REF, 0},
               {REF, 0},
               {REF, 0},
               {WORD, 0},
               {INTERIOR, FEATURE(DERIVED)},
               {INTERIOR, FEATURE(DERIVED)},
               {FIELD, FEATURE(DERIVED)},
               {PAIR, FEATURE(VECTORS)},
               {INTERIORS, FEATURE(VECTORS) | FEATURE(DERIVED)},
               {STRUCT, FEATURE(AGGREGATES)},
               {ARRAY, FEATURE(AGGREGATES)},
               {CLOSURE, FEATURE(INDIRECT)},
               {REAL, FEATURE(NUMBERS)},
               {LANES, FEATURE(NUMBERS)},
               {HALF, FEATURE(NUMBERS)},
               {TAGGED, FEATURE(TAGS)},
               {SMALL, FEATURE(COMPRESSED)},
               {SMALL, FEATURE(COMPRESSED)},
               {SMALL_PAIR, FEATURE(COMPRESSED) | FEATURE(VECTORS)},
               {SMALL_STRUCT, FEATURE(COMPRESSED) | FEATURE(AGGREGATES)}};
    for (;;) {
        uint64_t i = any(g, sizeof all / sizeof *all);
        if (has(g, all[i].feature))
            return all[i].kind;
    }
}

/* ---- Objects ---- */

struct value word_at(struct gen *g, struct value object, const char *index) {
    struct value v = value_new(g, INTERIOR);
    const char *inbounds = has(g, FEATURE(ATTRIBUTES)) ? one_of(g, "|inbounds ") : "";
    if (chance(g, 50) || index[0] == '%')
        line(g, "%s = getelementptr %s%%node, " POINTER " %s, i64 0, i32 1, i64 %s", v.text, inbounds, object.text,
             index);
    else
        line(g, "%s = getelementptr %si8, " POINTER " %s, i64 %d", v.text, inbounds, object.text,
             8 * (WORLD_NODE_POINTERS + index[0] - '0'));
    return v;
}

/* Its first field may not be null. */
struct value init_object(struct gen *g, struct value object) {
    struct value to = chance(g, 50) ? object : pick_object(g), word = pick(g, WORD), at = word_at(g, object, "0");
    line(g, "store " POINTER " %s, " POINTER " %s", to.text, object.text);
    line(g, "store i64 %s, " POINTER " %s", word.text, at.text);
    object.nonnull = 1;
    return object;
}

struct value not_null(struct gen *g, struct value r) {
    if (r.nonnull)
        return r;
    struct value is_null = value_new(g, BIT), v = value_new(g, REF), other = pick_object(g);
    line(g, "%s = icmp eq " POINTER " %s, null", is_null.text, r.text);
    line(g, "%s = select i1 %s, " POINTER " %s, " POINTER " %s", v.text, is_null.text, other.text, r.text);
    v.nonnull = 1;
    value_add(g, v);
    return v;
}

/* ---- What counts ---- */

void add_up(struct gen *g, const char *word) {
    struct value old = value_new(g, WORD), times = value_new(g, WORD), sum = value_new(g, WORD);
    line(g, "%s = load i64, ptr %%sum", old.text);
    line(g, "%s = mul i64 %s, 31", times.text, old.text);
    line(g, "%s = xor i64 %s, %s", sum.text, times.text, word);
    line(g, "store i64 %s, ptr %%sum", sum.text);
}

static struct value convert(struct gen *g, const char *how, enum kind from, const char *text, enum kind to) {
    struct value v = value_new(g, to);
    line(g, "%s = %s %s %s to %s", v.text, how, types[from], text, types[to]);
    return v;
}

static struct value element(struct gen *g, struct value of, enum kind kind, const char *extract, const char *index) {
    struct value v = value_new(g, kind);
    line(g, "%s = %s %s %s, %s", v.text, extract, types[of.kind], of.text, index);
    v.nonnull = of.nonnull;
    v.after = kind == INTERIOR ? of.after : 0;
    return v;
}

static void use_word_at(struct gen *g, struct value interior) {
    struct value v = value_new(g, WORD);
    line(g, "%s = load i64, " POINTER " %s", v.text, interior.text);
    add_up(g, v.text);
}

static void use_reference(struct gen *g, struct value v) {
    struct value object = not_null(g, v);
    use_word_at(g, word_at(g, object, "0"));
}

/* A bit that not all targets agree on is left out: not a number. */
static void use_real(struct gen *g, struct value v) {
    struct value ordered = value_new(g, BIT), bits = convert(g, "bitcast", REAL, v.text, WORD),
                 r = value_new(g, WORD);
    line(g, "%s = fcmp ord double %s, 0.0", ordered.text, v.text);
    line(g, "%s = select i1 %s, i64 %s, i64 7", r.text, ordered.text, bits.text);
    add_up(g, r.text);
}

void use_up(struct gen *g, struct value v) {
    struct value loaded;
    switch (v.kind) {
    case WORD:
        add_up(g, v.text);
        break;
    case HALF:
    case BIT:
        add_up(g, convert(g, "zext", v.kind, v.text, WORD).text);
        break;
    case REAL:
        use_real(g, v);
        break;
    case REF:
        use_reference(g, v);
        break;
    case INTERIOR:
        use_word_at(g, v);
        break;
    case FIELD:
        loaded = value_new(g, REF);
        line(g, "%s = load " POINTER ", " POINTER " %s", loaded.text, v.text);
        use_reference(g, loaded);
        break;
    case PAIR:
        use_reference(g, element(g, v, REF, "extractelement", "i32 0"));
        use_reference(g, element(g, v, REF, "extractelement", "i32 1"));
        break;
    case INTERIORS:
        use_word_at(g, element(g, v, INTERIOR, "extractelement", "i32 0"));
        use_word_at(g, element(g, v, INTERIOR, "extractelement", "i32 1"));
        break;
    case STRUCT:
        use_reference(g, element(g, v, REF, "extractvalue", "0"));
        add_up(g, element(g, v, WORD, "extractvalue", "1").text);
        break;
    case CLOSURE:
        use_reference(g, element(g, v, REF, "extractvalue", "0"));
        break;
    case ARRAY:
        use_reference(g, element(g, v, REF, "extractvalue", "0"));
        use_reference(g, element(g, v, REF, "extractvalue", "1"));
        break;
    case TAGGED:
        use_reference(g, untagged(g, v));
        break;
    case SMALL:
        use_reference(g, whole(g, v));
        break;
    case SMALL_PAIR:
        use_up(g, small_in(g, v, 0));
        use_up(g, small_in(g, v, 1));
        break;
    case SMALL_STRUCT:
        use_up(g, small_in(g, v, 0));
        add_up(g, element(g, v, WORD, "extractvalue", "1").text);
        break;
    case LANES:
        use_up(g, element(g, v, HALF, "extractelement", "i32 0"));
        use_up(g, element(g, v, HALF, "extractelement", "i32 3"));
        break;
    default:
        break;
    }
}
