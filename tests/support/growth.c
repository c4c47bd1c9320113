/* growth.c - see growth.h. */
#include "growth.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

#define REF    "ptr addrspace(1)"
#define NUMBER "declare void @number(i64) \"gc-leaf-function\"\n" /* takes one, and is no safepoint */
#define STRUCT "{ " REF ", i64 }"
#define TEN(a, b)                                                                                                    \
    a "0" b ", " a "1" b ", " a "2" b ", " a "3" b ", " a "4" b ", " a "5" b ", " a "6" b ", " a "7" b ", " a "8" b  \
      ", " a "9" b
#define USE  "  call void @use(" REF " %p$i)\n"
#define SLOT "  %s$i = alloca " REF "\n  store " REF " %p$i, ptr %s$i\n"

/* In the texts $i is an arm's number, or a value's, and $h one less; $k and $j are numbers of values that are alive. */
const struct growth_shape growth_shapes[] = {
    {.what = "interpreter",
     .live = 40,
     .entry = SLOT,
     .arm = "  %a$i = call " REF " @run(" REF " %p$k)\n  store " REF " %a$i, ptr %s$k\n  call void @out(ptr %s$j)\n",
     .end = USE},
    {.what = "states of references",
     .arm = "  call void @g() [ \"deopt\"(i32 $i, " TEN(REF " %p", "") ") ]\n",
     .end = USE},
    {.what = "states of derived pointers",
     .entry = "  %d$i = getelementptr i8, " REF " %p$i, i64 8\n",
     .arm = "  call void @g() [ \"deopt\"(i32 $i, " TEN(REF " %d", "") ") ]\n",
     .end = USE},
    {.what = "structs in slots",
     .entry = "  %s$i = alloca { i64, " REF " }\n  store { i64, " REF " } zeroinitializer, ptr %s$i\n",
     .arm = "  %q$i = getelementptr { i64, " REF " }, ptr %s$k, i64 0, i32 1\n  store " REF " %p$k, ptr %q$i\n"
            "  call void @out(ptr %s$j)\n",
     .end = USE},
    {.what = "lifetimes",
     .declared = "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @llvm.lifetime.end.p0(i64, ptr)\n",
     .entry = "  %s$i = alloca " REF "\n",
     .arm = "  call void @llvm.lifetime.start.p0(i64 8, ptr %s$k)\n  store " REF
            " %p$k, ptr %s$k\n  call void @out(ptr %s$k)\n"
            "  call void @llvm.lifetime.end.p0(i64 8, ptr %s$k)\n",
     .end = USE},
    {.what = "structs",
     .smd_only = 1,
     .declared = "declare " STRUCT " @make()\n",
     .arm = "  %a$i = call " STRUCT " @make()\n  call void @g()\n  %w$i = extractvalue " STRUCT " %a$i, 0\n"
            "  call void @use(" REF " %w$i)\n",
     .end = USE},
    {.what = "vectors",
     .declared = "declare void @lanes(<2 x " REF ">) \"gc-leaf-function\"\n",
     .entry = "  %v$i = insertelement <2 x " REF "> zeroinitializer, " REF " %p$i, i32 0\n",
     .arm = "  call void @g()\n  %w$i = insertelement <2 x " REF "> %v$k, " REF " %p$j, i32 1\n"
            "  call void @lanes(<2 x " REF "> %w$i)\n",
     .end = USE},
    {.what = "derived pointers",
     .arm = "  %d$i = getelementptr i8, " REF " %p$k, i64 %n\n  call void @g()\n  %a$i = load " REF ", " REF
            " %d$i\n  call void @use(" REF " %a$i)\n",
     .end = USE},
    {.what = "casts",
     .arm = "  %q$i = ptrtoint " REF " %p$k to i64\n  %z$i = add i64 %q$i, 8\n  %y$i = inttoptr i64 %z$i to " REF
            "\n  %a$i = load " REF ", " REF " %y$i\n  call void @g()\n  call void @use(" REF " %a$i)\n",
     .end = USE},
    {.what = "barriers",
     .options = "barriers=auto\n",
     .arm = "  %a$i = call " REF " @run(" REF " %p$k)\n  store " REF " %a$i, " REF " %p$j\n  store " REF " %p$k, " REF
            " %a$i\n",
     .end = USE},
    {.what = "declared roots",
     .smd_only = 1,
     .declared = "declare void @llvm.gc.declare(ptr, ptr)\ndeclare void @llvm.gc.undeclare(ptr)\n",
     .entry = "  %s$i = alloca " REF "\n",
     .arm = "  call void @llvm.gc.declare(ptr %s$k, ptr null)\n  store " REF
            " %p$k, ptr %s$k\n  call void @out(ptr %s$k)\n"
            "  call void @llvm.gc.undeclare(ptr %s$k)\n",
     .end = USE},
    {.what = "values that are roots",
     .smd_only = 1,
     .declared = "declare void @llvm.gc.value(" REF ", ptr)\n",
     .arm = "  %a$i = call " REF " @run(" REF " %p$k)\n  call void @llvm.gc.value(" REF
            " %a$i, ptr null)\n  call void @g()\n  call void @use(" REF " %a$i)\n",
     .end = USE},
    {.what = "pins",
     .declared = "declare ptr @smd.gc.pin(" REF ")\ndeclare void @smd.gc.unpin(ptr)\n",
     .arm = "  %r$i = call ptr @smd.gc.pin(" REF " %p$k)\n  call void @out(ptr %r$i)\n"
            "  call void @smd.gc.unpin(ptr %r$i)\n",
     .end = USE},
    {.what = "pins over all arms",
     .declared = "declare ptr @smd.gc.pin(" REF ")\ndeclare void @smd.gc.unpin(ptr)\n",
     .entry = "  %r$i = call ptr @smd.gc.pin(" REF " %p$i)\n",
     .arm = "  call void @out(ptr %r$k)\n",
     .end = "  call void @smd.gc.unpin(ptr %r$i)\n"},
    {.what = "slots in the module's lists",
     .smd_only = 1,
     .entry = SLOT,
     .arm = "  call void @out(ptr %s$k) [ \"gc-live\"(ptr %s$k) ]\n",
     .end = USE},
    {.what = "slots of bytes with a declared type",
     .declared = "declare void @fill(ptr sret(" STRUCT "))\n",
     .entry = "  %s$i = alloca [16 x i8], align 8\n",
     .arm = "  call void @fill(ptr sret(" STRUCT ") %s$k)\n  call void @g()\n  %a$i = load " REF
            ", ptr %s$k\n  call void @use(" REF " %a$i)\n",
     .end = USE},
    {.what = "tagged references",
     .declared =
         "declare i64 @smd.gc.to_int(" REF ")\ndeclare " REF " @smd.gc.from_int(i64)\ndeclare i64 @tag(i64)\n",
     .entry = "  %v$i = call i64 @smd.gc.to_int(" REF " %p$i)\n",
     .arm = "  %a$i = call i64 @tag(i64 %v$k)\n  %o$i = or i64 %a$i, 1\n  call void @g()\n"
            "  %b$i = call " REF " @smd.gc.from_int(i64 %o$i)\n  call void @use(" REF " %b$i)\n",
     .end = USE},
    {.what = "tagged references in one block",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared =
         "declare i64 @smd.gc.to_int(" REF ")\ndeclare " REF " @smd.gc.from_int(i64)\ndeclare i64 @tag(i64)\n",
     .entry = "  %v$h = call i64 @smd.gc.to_int(" REF " %p$i)\n",
     .arm = "  %v$i = call i64 @tag(i64 %v$h)\n  call void @g()\n"
            "  %b$i = call " REF " @smd.gc.from_int(i64 %v$i)\n  call void @use(" REF " %b$i)\n"},
    {.what = "types of roots", .arm = "  call void @g() [ \"gc-type\"(" REF " %p$k, i64 7) ]\n", .end = USE},
    {.what = "types of one root", .arm = "  call void @g() [ \"gc-type\"(" REF " %p0, i64 7) ]\n", .end = USE},
    {.what = "invokes",
     .smd_only = 1,
     .attributes = "personality ptr @personality",
     .declared = "declare i32 @personality(...)\n",
     .arm = "  %a$i = invoke " REF " @run(" REF " %p$k) to label %good$i unwind label %bad$i\nbad$i:\n"
            "  %e$i = landingpad { ptr, i32 } cleanup\n  call void @use(" REF
            " %p$j)\n  resume { ptr, i32 } %e$i\ngood$i:\n  call void @use(" REF " %a$i)\n",
     .end = USE},
    {.what = "calls in a row",
     .form = GROWTH_ROW,
     .live = 8,
     .arm = "  %a$i = call " REF " @run(" REF " %p$k)\n",
     .end = USE},
    {.what = "references without calls", .form = GROWTH_QUIET, .end = USE},
    {.what = "structs without calls",
     .smd_only = 1,
     .form = GROWTH_QUIET,
     .type = STRUCT,
     .declared = "declare void @both(" STRUCT ") \"gc-leaf-function\"\n",
     .end = "  call void @both(" STRUCT " %p$i)\n"},
    {.what = "slots without calls", .form = GROWTH_QUIET, .entry = SLOT, .end = "  call void @out(ptr %s$i)\n"},
    {.what = "integers without calls",
     .form = GROWTH_QUIET,
     .declared = NUMBER,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n",
     .end = "  call void @number(i64 %s$i)\n"},
    {.what = "references from integers",
     .form = GROWTH_BLOCK,
     .live = 1,
     .entry = "  %x$h = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %x$i = add i64 %x$h, 8\n  %r$i = inttoptr i64 %x$i to " REF "\n  call void @use(" REF " %r$i)\n"},
    {.what = "references from integers, optimised",
     .form = GROWTH_BLOCK,
     .live = 1,
     .options = "opt=2\n",
     .entry = "  %x$h = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %x$i = add i64 %x$h, 8\n  %r$i = inttoptr i64 %x$i to " REF "\n  call void @use(" REF " %r$i)\n"},
    {.what = "uses of an address",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = NUMBER,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %x$i = add i64 %s$k, $i\n  call void @number(i64 %x$i)\n"},
    {.what = "phis of an integer",
     .form = GROWTH_ROW,
     .live = 1,
     .declared = NUMBER,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %d$i = icmp ugt i64 %n, $i\n  br i1 %d$i, label %then$i, label %join$i\nthen$i:\n  br label %join$i\n"
            "join$i:\n  %y$i = phi i64 [ %s$k, %arm$i ], [ $i, %then$i ]\n  call void @number(i64 %y$i)\n"},
    {.what = "compared addresses",
     .form = GROWTH_BLOCK,
     .live = 2,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %c$i = icmp ult i64 %s0, %s1\n  %z$i = zext i1 %c$i to i64\n  store i64 %z$i, ptr %code\n"},
    {.what = "casts that the optimiser makes one",
     .form = GROWTH_ROW,
     .live = 1,
     .options = "opt=2\n",
     .declared = NUMBER,
     .arm = "  %q$i = ptrtoint " REF " %p$k to i64\n  %z$i = add i64 %q$i, $i\n  call void @number(i64 %z$i)\n"
            "  call void @g()\n",
     .end = USE},
    {.what = "copies between slots",
     .form = GROWTH_BLOCK,
     .live = 2,
     .declared = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n",
     .entry = "  %s$i = alloca { " REF ", i64 }\n  store " REF " %p$i, ptr %s$i\n",
     .arm =
         "  call void @llvm.memcpy.p0.p0.i64(ptr %s$k, ptr %s$j, i64 16, i1 false)\n  call void @use(" REF " %p0)\n"},
    {.what = "copies from slot to slot",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n",
     .entry = "  %s$h = alloca { " REF ", i64 }\n  store " REF " %p$i, ptr %s$h\n",
     .arm = "  %s$i = alloca { " REF ", i64 }\n"
            "  call void @llvm.memcpy.p0.p0.i64(ptr %s$i, ptr %s$h, i64 16, i1 false)\n  %v$i = load " REF
            ", ptr %s$i\n  call void @use(" REF " %v$i)\n"},
    {.what = "numbers from slot to slot",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n",
     .entry = "  %s$h = alloca [2 x i64]\n  %q = ptrtoint " REF " %p$i to i64\n  store i64 %q, ptr %s$h\n",
     .arm = "  %s$i = alloca [2 x i64]\n"
            "  call void @llvm.memcpy.p0.p0.i64(ptr %s$i, ptr %s$h, i64 16, i1 false)\n"},
    {.what = "steps",
     .form = GROWTH_BLOCK,
     .live = 1,
     .entry = "  %d$h = getelementptr i8, " REF " %p$i, i64 8\n",
     .arm = "  %d$i = getelementptr i8, " REF " %d$h, i64 %n\n  %v$i = load " REF ", " REF
            " %d$i\n  call void @use(" REF " %v$i)\n"},
    {.what = "steps from an integer",
     .form = GROWTH_BLOCK,
     .live = 1,
     .entry = "  %w$i = load i64, ptr %code\n  %d$h = inttoptr i64 %w$i to " REF "\n",
     .arm = "  %d$i = getelementptr i8, " REF " %d$h, i64 %n\n  call void @use(" REF " %d$i)\n"},
    {.what = "a state of derived pointers",
     .form = GROWTH_STATE,
     .live = 1,
     .arm = "  %v$i = getelementptr i8, " REF " %p0, i64 $i\n"},
    {.what = "a state of references",
     .form = GROWTH_STATE,
     .live = 1,
     .arm = "  %d$i = getelementptr i8, " REF " %p0, i64 $i\n  %v$i = load " REF ", " REF " %d$i\n"},
    {.what = "choices in states",
     .form = GROWTH_BLOCK,
     .live = 1,
     .entry = "  %v$h = freeze " REF " %p$i\n",
     .arm = "  %c$i = icmp eq i64 %n, $i\n  %v$i = select i1 %c$i, " REF " %v$h, " REF
            " %p0\n  call void @g() [ \"deopt\"(i32 $i, " REF " %v$i) ]\n"},
    {.what = "chosen relocations",
     .smd_only = 1,
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
                 "declare " REF " @llvm.experimental.gc.relocate.p1(token, i32, i32)\n",
     .entry = "  %v$h = freeze " REF " %p$i\n",
     .arm =
         "  %c$i = icmp eq i64 %n, $i\n  %w$i = freeze " REF " %v$h\n  %x$i = select i1 %c$i, " REF " %v$h, " REF
         " %w$i\n"
         "  %t$i = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "
         "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ \"gc-live\"(" REF " %x$i) ]\n"
         "  %v$i = call " REF " @llvm.experimental.gc.relocate.p1(token %t$i, i32 0, i32 0)\n"},
    {.what = "roots of a shadow stack",
     .smd_only = 1,
     .form = GROWTH_BLOCK,
     .live = 1,
     .gc = "shadow-stack",
     .declared = "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @make()\n",
     .arm = "  %s$i = alloca ptr\n  call void @llvm.gcroot(ptr %s$i, ptr null)\n  %a$i = call ptr @make()\n"
            "  store ptr %a$i, ptr %s$i\n"},
    {.what = "uses of roots",
     .smd_only = 1,
     .form = GROWTH_ROW,
     .gc = "ocaml",
     .declared = "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @make()\n",
     .entry = "  %s$i = alloca ptr\n  call void @llvm.gcroot(ptr %s$i, ptr null)\n",
     .arm = "  %a$i = call ptr @make()\n  store ptr %a$i, ptr %s$k\n"},
    {.what = "chosen integers",
     .form = GROWTH_BLOCK,
     .live = 1,
     .entry = "  %x$h = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %q$i = ptrtoint " REF " %p0 to i64\n  %c$i = icmp eq i64 %n, $i\n"
            "  %x$i = select i1 %c$i, i64 %x$h, i64 %q$i\n  %r$i = inttoptr i64 %x$i to " REF
            "\n  call void @use(" REF " %r$i)\n"},
    {.what = "an address in one place",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = NUMBER,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n",
     .arm = "  store i64 %s$k, ptr %code\n",
     .again = "  %r$i = load i64, ptr %code\n  call void @number(i64 %r$i)\n"},
    {.what = "addresses in one place",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = NUMBER,
     .arm = "  %s$i = ptrtoint " REF " %p$k to i64\n  store i64 %s$i, ptr %code\n",
     .again = "  %r$i = load i64, ptr %code\n  call void @number(i64 %r$i)\n"},
    {.what = "addresses in fields of one place",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = NUMBER,
     .arm = "  %s$i = ptrtoint " REF " %p$k to i64\n  %q$i = getelementptr i64, ptr %code, i64 $i\n"
            "  store i64 %s$i, ptr %q$i\n  %w$i = getelementptr i64, ptr %code, i64 $i\n  %r$i = load i64, ptr "
            "%w$i\n  call void @number(i64 %r$i)\n"},
    {.what = "an address in one variable",
     .form = GROWTH_ROW,
     .live = 1,
     .declared = NUMBER,
     .entry = "  %m$i = alloca i64\n  %s$i = ptrtoint " REF " %p$i to i64\n",
     .arm = "  store i64 %s$k, ptr %m0\n  %r$i = load i64, ptr %m0\n  call void @number(i64 %r$i)\n"},
    {.what = "references read as numbers",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = NUMBER,
     .arm = "  store " REF " %p$k, ptr %code\n  %r$i = load i64, ptr %code\n  call void @number(i64 %r$i)\n"},
    {.what = "phis in one block",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = NUMBER,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n  %c = icmp eq i64 %n, 7\n  br i1 %c, label %a, label %b\n"
              "a:\n  br label %join\nb:\n  br label %join\njoin:\n",
     .arm = "  %y$i = phi i64 [ %s0, %a ], [ $i, %b ]\n",
     .again = "  call void @number(i64 %y$i)\n"},
    {.what = "phis in one block, optimised",
     .form = GROWTH_BLOCK,
     .live = 1,
     .options = "opt=2\n",
     .declared = NUMBER,
     .entry = "  %s$i = ptrtoint " REF " %p$i to i64\n  %c = icmp eq i64 %n, 7\n  br i1 %c, label %a, label %b\n"
              "a:\n  br label %join\nb:\n  br label %join\njoin:\n",
     .arm = "  %y$i = phi i64 [ %s0, %a ], [ $i, %b ]\n",
     .again = "  call void @number(i64 %y$i)\n"},
    {.what = "slots of one block",
     .form = GROWTH_BLOCK,
     .live = 1,
     .declared = "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @llvm.lifetime.end.p0(i64, ptr)\n",
     .arm = "  %s$i = alloca " REF "\n  call void @llvm.lifetime.start.p0(i64 8, ptr %s$i)\n  store " REF
            " %p$k, ptr %s$i\n  call void @out(ptr %s$i)\n"
            "  call void @llvm.lifetime.end.p0(i64 8, ptr %s$i)\n"},
    {.what = "calls of itself",
     .form = GROWTH_ROW,
     .live = 1,
     .entry = SLOT,
     .arm = "  call void @f(i64 %n, ptr %s0, " REF " %p0)\n",
     .end = USE},
    {.what = "distances",
     .form = GROWTH_BLOCK,
     .live = 1,
     .entry = "  %x$h = ptrtoint " REF " %p$i to i64\n",
     .arm = "  %q$i = ptrtoint " REF " %p0 to i64\n  %y$i = sub i64 %q$i, %x$h\n  %x$i = add i64 %x$h, %y$i\n"},
};
const int growth_shape_count = sizeof growth_shapes / sizeof *growth_shapes;

static int live_count(const struct growth_shape *s) {
    return s->live ? s->live : 20;
}

/* Writes the TEXT, if there is one, for number I of a shape with so many values that are alive. */
static void put_numbered(FILE *f, const char *text, int i, int live) {
    for (; text && *text; text++)
        if (*text != '$') {
            putc(*text, f);
        } else {
            text++;
            fprintf(f, "%d", *text == 'i' ? i : *text == 'h' ? i - 1 : *text == 'k' ? i % live : (i * 7 + 3) % live);
        }
}

/* A loop over a switch, with so many ARMS. */
static void put_loop(FILE *f, const struct growth_shape *s, int arms) {
    fputs("  br label %loop\nloop:\n  %pc = phi i64 [ 0, %entry ], [ %next, %latch ]\n"
          "  %at = getelementptr i32, ptr %code, i64 %pc\n  %op = load i32, ptr %at\n  switch i32 %op, label %end [",
          f);
    for (int i = 0; i < arms; i++)
        fprintf(f, " i32 %d, label %%op%d", i, i);
    fputs(" ]\n", f);
    for (int i = 0; i < arms; i++) {
        fprintf(f, "op%d:\n", i);
        put_numbered(f, s->arm, i, live_count(s));
        fputs("  br label %latch\n", f);
    }
    fputs("latch:\n  %next = add i64 %pc, 1\n  br label %loop\nend:\n", f);
}

/* So many ARMS in a row, each with a branch around it. */
static void put_row(FILE *f, const struct growth_shape *s, int arms) {
    static const char quiet[] = "  %x$i = mul i64 %n, $i\n  store volatile i64 %x$i, ptr null\n";
    fputs("  br label %op0\n", f);
    for (int i = 0; i < arms; i++) {
        fprintf(f, "op%d:\n  %%c%d = icmp eq i64 %%n, %d\n  br i1 %%c%d, label %%arm%d, label %%op%d\narm%d:\n", i, i,
                i, i, i, i + 1, i);
        put_numbered(f, s->form == GROWTH_QUIET ? quiet : s->arm, i, live_count(s));
        fprintf(f, "  br label %%op%d\n", i + 1);
    }
    fprintf(f, "op%d:\n", arms);
}

/* So many ARMS without a branch. */
static void put_straight(FILE *f, const struct growth_shape *s, int arms) {
    for (int i = 0; i < arms; i++)
        put_numbered(f, s->arm, i, live_count(s));
    for (int i = 0; i < arms; i++)
        put_numbered(f, s->again, i, live_count(s));
    for (int calls = 0; s->form == GROWTH_STATE && calls < 2; calls++) {
        fputs("  call void @g() [ \"deopt\"(i32 0", f);
        for (int i = 0; i < arms; i++)
            fprintf(f, ", " REF " %%v%d", i);
        fputs(") ]\n", f);
    }
}

struct bytes growth_module(const struct growth_shape *s, int arms) {
    struct bytes b;
    FILE *f = open_memstream((char **)&b.data, &b.len);
    fprintf(f,
            "declare void @collect()\ndefine void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
            "declare void @g()\ndeclare " REF " @run(" REF ")\ndeclare void @out(ptr)\n"
            "declare void @use(" REF ") \"gc-leaf-function\"\n%sdefine void @f(i64 %%n, ptr %%code",
            s->declared ? s->declared : "");
    for (int k = 0; k < live_count(s); k++)
        fprintf(f, ", %s %%p%d", s->type ? s->type : REF, k);
    fprintf(f, ") gc \"%s\" %s {\nentry:\n", s->gc ? s->gc : "statepoint-example",
            s->attributes ? s->attributes : "");
    for (int k = 0; k < live_count(s); k++)
        put_numbered(f, s->entry, k, live_count(s));
    (s->form == GROWTH_LOOP ? put_loop : s->form >= GROWTH_BLOCK ? put_straight : put_row)(f, s, arms);
    for (int k = 0; k < live_count(s); k++)
        put_numbered(f, s->end, k, live_count(s));
    fputs("  call void @g()\n  ret void\n}\n", f);
    fclose(f);
    return b;
}

const struct growth_shape *growth_shape_named(const char *what) {
    int i = 0;
    while (i < growth_shape_count && strcmp(growth_shapes[i].what, what) != 0)
        i++;
    check(i < growth_shape_count, "there is no shape '%s'", what);
    return &growth_shapes[i];
}
