/* rows.c - a value goes through one row of the compiler's table of what an instruction passes on (core/ir/flow.c), and is
 * the same behind it. See gen.h. */
#include "gen.h"

#include <stdio.h>
#include <string.h>

#define POINTER "ptr addrspace(1)"

enum {
    OBJECT = 1 << 0,
    DERIVED = 1 << 1,
    SLOT = 1 << 2,
    TAG = 1 << 3,
    INTEGER = 1 << 4,
    POINTERS = OBJECT | DERIVED
};
#define ANY      (POINTERS | SLOT | TAG | INTEGER)
#define INTEGERS (TAG | INTEGER)

static const char *const kinds[ROW_KINDS] = {"reference", "derived", "slot", "tagged", "integer"};

/* In the text, $ is the value, # the result, & the type, ~ a name's end that is this statement's alone, @@ the address
 * space. */
static const struct through {
    const char *name;
    unsigned kinds;
    const char *text;
} rows[] = {
    {"freeze", ANY, "# = freeze & $"},
    {"select", ANY, "# = select i1 true, & $, & $"},
    {"gep", POINTERS | SLOT, "# = getelementptr i8, & $, i64 0"},
    {"launder", POINTERS | SLOT, "# = call & @llvm.launder.invariant.group.p@@(& $)"},
    {"strip", POINTERS | SLOT, "# = call & @llvm.strip.invariant.group.p@@(& $)"},
    {"ptrmask", POINTERS | SLOT, "# = call & @llvm.ptrmask.p@@.i64(& $, i64 -8)"},
    {"annotation", POINTERS | SLOT,
     "# = call & @llvm.ptr.annotation.p@@.p0(& $, ptr null, ptr null, i32 0, ptr null)"},
    {"expect", INTEGER, "# = call i64 @llvm.expect.i64(i64 $, i64 5)"},
    {"returned", ANY, "# = call & @same.&(& $)"},
    {"assembly", OBJECT | INTEGER, "# = call & asm \"\", \"=r,0\"(& $)"},
    {"vector", POINTERS, "%a~ = insertelement <2 x &> poison, & $, i32 1\n  # = extractelement <2 x &> %a~, i32 1"},
    {"shuffle", POINTERS,
     "%a~ = insertelement <2 x &> poison, & $, i32 1\n"
     "  %b~ = shufflevector <2 x &> %a~, <2 x &> poison, <2 x i32> <i32 1, i32 1>\n"
     "  # = extractelement <2 x &> %b~, i32 0"},
    {"struct", POINTERS | INTEGERS,
     "%a~ = insertvalue { i32, & } poison, & $, 1\n  # = extractvalue { i32, & } %a~, 1"},
    {"memory", OBJECT | INTEGER, "%a~ = alloca &\n  store volatile & $, ptr %a~\n  # = load volatile &, ptr %a~"},
    {"exchange", OBJECT | INTEGER, "%a~ = alloca &\n  store & $, ptr %a~\n  # = atomicrmw xchg ptr %a~, & $ seq_cst"},
    {"compare", OBJECT | INTEGER,
     "%a~ = alloca &\n  store & $, ptr %a~\n"
     "  %b~ = cmpxchg ptr %a~, & $, & $ seq_cst seq_cst\n  # = extractvalue { &, i1 } %b~, 0"},
    {"copy", INTEGER,
     "%a~ = alloca i64\n  %b~ = alloca i64\n  store i64 $, ptr %a~\n"
     "  call void @llvm.memmove.p0.p0.i64(ptr %b~, ptr %a~, i64 8, i1 true)\n  # = load i64, ptr %b~"},
    {"xor", INTEGERS, "%a~ = xor i64 $, 5\n  # = xor i64 %a~, 5"},
    {"add", INTEGER, "%a~ = add i64 $, 41\n  # = sub i64 %a~, 41"},
    {"mul", INTEGER, "# = mul i64 $, 1"},
    {"shift", INTEGER, "%a~ = shl i64 $, 8\n  # = lshr i64 %a~, 8"},
    {"rotate", INTEGER,
     "%a~ = call i64 @llvm.fshl.i64(i64 $, i64 $, i64 24)\n  # = call i64 @llvm.fshr.i64(i64 %a~, i64 %a~, i64 24)"},
    {"extreme", INTEGER,
     "%a~ = call i64 @llvm.umax.i64(i64 $, i64 0)\n  %b~ = call i64 @llvm.umin.i64(i64 %a~, i64 -1)\n"
     "  # = call i64 @llvm.smax.i64(i64 %b~, i64 7)"},
    {"wider", INTEGER, "%a~ = zext i64 $ to i128\n  # = trunc i128 %a~ to i64"},
    {"real", INTEGER, "%a~ = bitcast i64 $ to double\n  %b~ = bitcast double %a~ to i64\n  # = xor i64 %b~, 0"},
    {"swap", INTEGER, "%a~ = call i64 @llvm.bswap.i64(i64 $)\n  # = call i64 @llvm.bswap.i64(i64 %a~)"},
    {"reverse", INTEGER, "%a~ = call i64 @llvm.bitreverse.i64(i64 $)\n  # = call i64 @llvm.bitreverse.i64(i64 %a~)"},
    {"saturating", INTEGER, "# = call i64 @llvm.uadd.sat.i64(i64 $, i64 0)"},
    {"overflow", INTEGER,
     "%a~ = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 $, i64 0)\n  # = extractvalue { i64, i1 } %a~, 0"},
    {"reduce", INTEGER,
     "%a~ = insertelement <2 x i64> zeroinitializer, i64 $, i32 1\n"
     "  # = call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %a~)"},
};

enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert((int)ROWS <= (int)ROWS_MAX, "the census has room for all rows");

const char *row_name(int row) {
    return row < ROWS ? rows[row].name : NULL;
}

const char *row_kind_name(int kind) {
    return kinds[kind];
}

int row_takes(int row, int kind) {
    return rows[row].kinds >> kind & 1;
}

void rows_define(struct gen *g) {
    static const char text[] =
        "declare ptr @llvm.launder.invariant.group.p0(ptr)\ndeclare ptr @llvm.strip.invariant.group.p0(ptr)\n"
        "declare ptr @llvm.ptrmask.p0.i64(ptr, i64)\n"
        "declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)\n"
        "declare " POINTER " @llvm.ptr.annotation.p1.p0(" POINTER ", ptr, ptr, i32, ptr)\n"
        "declare i64 @llvm.expect.i64(i64, i64)\ndeclare i64 @llvm.fshl.i64(i64, i64, i64)\n"
        "declare i64 @llvm.fshr.i64(i64, i64, i64)\ndeclare i64 @llvm.umax.i64(i64, i64)\n"
        "declare i64 @llvm.umin.i64(i64, i64)\ndeclare i64 @llvm.smax.i64(i64, i64)\n"
        "declare i64 @llvm.bswap.i64(i64)\ndeclare i64 @llvm.bitreverse.i64(i64)\n"
        "declare i64 @llvm.uadd.sat.i64(i64, i64)\n"
        "declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)\n"
        "declare i64 @llvm.vector.reduce.or.v2i64(<2 x i64>)\n"
        "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n";
    static const char *const types[] = {POINTER, "ptr", "i64"};
    sm_buf_puts(g->out, text);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        sm_buf_printf(g->out,
                      "define internal %s @\"same.%s\"(%s returned %%v) noinline nounwind \"gc-leaf-function\" {\n"
                      "  ret %s %%v\n}\n",
                      types[i], types[i], types[i], types[i]);
}

/* The row's text, of FROM to TO. */
static void write_row(struct gen *g, const struct through *row, const char *type, const char *from, const char *to) {
    int n = g->names++;
    sm_buf_puts(g->out, "  ");
    for (const char *c = row->text; *c; c++)
        if (strncmp(c, "same.&", 6) == 0)
            sm_buf_printf(g->out, "\"same.%s\"", type), c += 5;
        else if (strncmp(c, "@@", 2) == 0)
            sm_buf_puts(g->out, strchr(type, '1') ? "1" : "0"), c++;
        else if (*c == '$' || *c == '#' || *c == '&')
            sm_buf_puts(g->out, *c == '$' ? from : *c == '#' ? to : type);
        else if (*c == '~')
            sm_buf_printf(g->out, "%d", n);
        else
            sm_buf_printf(g->out, "%c", *c);
    sm_buf_puts(g->out, "\n");
}

/* An integer of a reference goes through the row, and is a reference again before anything collects. */
static void through_integer(struct gen *g, const struct through *row) {
    struct value object = pick_object(g), bits = value_new(g, KINDS), other = value_new(g, KINDS),
                 raw = value_new(g, KINDS), v = value_new(g, WORD), at = word_at(g, object, "2");
    line(g, "%s = ptrtoint " POINTER " %s to i64", bits.text, at.text);
    write_row(g, row, "i64", bits.text, other.text);
    line(g, "%s = inttoptr i64 %s to ptr", raw.text, other.text);
    line(g, "%s = load i64, ptr %s", v.text, raw.text);
    value_add(g, v);
}

/* A slot with a reference, of this row alone if there is none. */
static struct value pick_slot(struct gen *g) {
    int found;
    struct value v = pick_box(g, CELL, &found), content;
    if (found)
        return v;
    content = pick(g, REF);
    v = value_new(g, CELL);
    line(g, "%s = alloca " POINTER, v.text);
    line(g, "store " POINTER " %s, ptr %s", content.text, v.text);
    value_add(g, v);
    return v;
}

/* One value through one row. */
static void one_row(struct gen *g) {
    static const enum kind of[ROW_KINDS] = {REF, INTERIOR, CELL, TAGGED, KINDS};
    static const uint64_t needs[ROW_KINDS] = {0, FEATURE(DERIVED), FEATURE(ALLOCAS), FEATURE(TAGS), FEATURE(CASTS)};
    int row, kind;
    do { /* a freeze of a reference may always be */
        row = (int)any(g, ROWS);
        kind = (int)any(g, ROW_KINDS);
    } while (!row_takes(row, kind) || !has(g, needs[kind]) ||
             (strstr(rows[row].text, "<2 x") && !has(g, FEATURE(VECTORS))));
    if (of[kind] == KINDS) {
        through_integer(g, &rows[row]);
    } else {
        struct value from = of[kind] == INTERIOR ? pick_interior(g, 0, 0)
                            : of[kind] == CELL   ? pick_slot(g)
                                                 : pick(g, of[kind]),
                     to = from;
        snprintf(to.text, sizeof to.text, "%s", value_new(g, of[kind]).text);
        write_row(g, &rows[row], type_of(of[kind]), from.text, to.text);
        value_add(g, to);
    }
    if (g->census)
        g->census->of_row[row][kind]++;
}

void s_row(struct gen *g) {
    for (int i = 0; i < 4; i++)
        one_row(g);
}
