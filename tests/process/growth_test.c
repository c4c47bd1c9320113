/* A compile's own work grows with the module, and not with its square. What is counted are calls of LLVM's and looks into
 * sets, in core alone: the linker puts the functions below in their place. So no machine's speed matters.
 *
 * Each module is an interpreter: a loop over a switch, whose arms use what is alive over all of it in one way. */
#include "artifact.h"
#include "core.h"
#include "files.h"
#include "set.h"
#include "target.h"

#include <criterion/criterion.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long counted;

#define COUNTED(type, name, parameters, arguments)                                                                   \
    type __real_##name parameters;                                                                                   \
    type __wrap_##name parameters;                                                                                   \
    type __wrap_##name parameters {                                                                                  \
        counted++;                                                                                                   \
        return __real_##name arguments;                                                                              \
    }
COUNTED(LLVMValueRef, LLVMGetNextInstruction, (LLVMValueRef i), (i))
COUNTED(LLVMValueRef, LLVMGetPreviousInstruction, (LLVMValueRef i), (i))
COUNTED(LLVMBasicBlockRef, LLVMGetNextBasicBlock, (LLVMBasicBlockRef b), (b))
COUNTED(LLVMBasicBlockRef, LLVMGetSuccessor, (LLVMValueRef i, unsigned n), (i, n))
COUNTED(LLVMValueRef, LLVMGetOperand, (LLVMValueRef v, unsigned n), (v, n))
COUNTED(LLVMValueRef, LLVMGetIncomingValue, (LLVMValueRef v, unsigned n), (v, n))
COUNTED(LLVMBasicBlockRef, LLVMGetIncomingBlock, (LLVMValueRef v, unsigned n), (v, n))
COUNTED(LLVMValueRef, LLVMGetOperandBundleArgAtIndex, (LLVMOperandBundleRef b, unsigned n), (b, n))
COUNTED(LLVMUseRef, LLVMGetNextUse, (LLVMUseRef u), (u))
COUNTED(LLVMValueRef, LLVMGetUser, (LLVMUseRef u), (u))
COUNTED(LLVMTypeRef, LLVMTypeOf, (LLVMValueRef v), (v))
COUNTED(const char *, LLVMGetValueName2, (LLVMValueRef v, size_t *len), (v, len))
COUNTED(size_t, set_number, (const struct set *s, const void *item), (s, item))

/* ---- Modules ------------------------------------------------------------------------------------------------- */

enum { LIVE = 20 };
#define REF "ptr addrspace(1)"
#define TEN(a, b)                                                                                                    \
    a "0" b ", " a "1" b ", " a "2" b ", " a "3" b ", " a "4" b ", " a "5" b ", " a "6" b ", " a "7" b ", " a "8" b  \
      ", " a "9" b

/* In the texts $i is an arm's number, or a value's; $k and $j are numbers of values that are alive. */
static const struct shape {
    const char *what, *options, *function; /* what follows the parameters */
    const char *declared, *entry, *arm;    /* ENTRY: for each value that is alive */
    int slots; /* boolean: each arm has a slot of its own, and each is followed past the others' allocas */
} shapes[] = {
    {"states of references", "", "", "", "", "  call void @g() [ \"deopt\"(i32 $i, " TEN(REF " %p", "") ") ]\n", 0},
    {"states of derived pointers", "", "", "", "  %d$i = getelementptr i8, " REF " %p$i, i64 8\n",
     "  call void @g() [ \"deopt\"(i32 $i, " TEN(REF " %d", "") ") ]\n", 0},
    {"slots", "", "", "", "  %s$i = alloca " REF "\n  store " REF " %p$i, ptr %s$i\n",
     "  %a$i = call " REF " @run(" REF " %p$k)\n  store " REF " %a$i, ptr %s$k\n  call void @out(ptr %s$j)\n", 0},
    {"structs in slots", "", "", "",
     "  %s$i = alloca { i64, " REF " }\n  store { i64, " REF " } zeroinitializer, ptr %s$i\n",
     "  %q$i = getelementptr { i64, " REF " }, ptr %s$k, i64 0, i32 1\n  store " REF " %p$k, ptr %q$i\n"
     "  call void @out(ptr %s$j)\n",
     0},
    {"lifetimes", "", "",
     "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @llvm.lifetime.end.p0(i64, ptr)\n",
     "  %s$i = alloca " REF "\n",
     "  call void @llvm.lifetime.start.p0(i64 8, ptr %s$k)\n  store " REF
     " %p$k, ptr %s$k\n  call void @out(ptr %s$k)\n"
     "  call void @llvm.lifetime.end.p0(i64 8, ptr %s$k)\n",
     0},
    {"structs", "", "", "declare { " REF ", i64 } @make()\n", "",
     "  %a$i = call { " REF ", i64 } @make()\n  call void @g()\n  %w$i = extractvalue { " REF ", i64 } %a$i, 0\n"
     "  call void @use(" REF " %w$i)\n",
     0},
    {"vectors", "", "", "declare void @lanes(<2 x " REF ">) \"gc-leaf-function\"\n",
     "  %v$i = insertelement <2 x " REF "> zeroinitializer, " REF " %p$i, i32 0\n",
     "  call void @g()\n  %w$i = insertelement <2 x " REF "> %v$k, " REF " %p$j, i32 1\n"
     "  call void @lanes(<2 x " REF "> %w$i)\n",
     0},
    {"derived pointers", "", "", "", "",
     "  %d$i = getelementptr i8, " REF " %p$k, i64 %pc\n  call void @g()\n  %a$i = load " REF ", " REF " %d$i\n"
     "  call void @use(" REF " %a$i)\n",
     0},
    {"casts", "", "", "", "",
     "  %q$i = ptrtoint " REF " %p$k to i64\n  %z$i = add i64 %q$i, 8\n  %y$i = inttoptr i64 %z$i to " REF "\n"
     "  %a$i = load " REF ", " REF " %y$i\n  call void @g()\n  call void @use(" REF " %a$i)\n",
     0},
    {"barriers", "barriers=auto\n", "", "", "",
     "  %a$i = call " REF " @run(" REF " %p$k)\n  store " REF " %a$i, " REF " %p$j\n  store " REF " %p$k, " REF
     " %a$i\n",
     0},
    {"declared roots", "", "", "declare void @llvm.gc.declare(ptr, ptr)\ndeclare void @llvm.gc.undeclare(ptr)\n",
     "  %s$i = alloca " REF "\n",
     "  call void @llvm.gc.declare(ptr %s$k, ptr null)\n  store " REF " %p$k, ptr %s$k\n  call void @out(ptr %s$k)\n"
     "  call void @llvm.gc.undeclare(ptr %s$k)\n",
     0},
    {"values that are roots", "", "", "declare void @llvm.gc.value(" REF ", ptr)\n", "",
     "  %a$i = call " REF " @run(" REF " %p$k)\n  call void @llvm.gc.value(" REF
     " %a$i, ptr null)\n  call void @g()\n"
     "  call void @use(" REF " %a$i)\n",
     1},
    {"pins", "", "", "declare ptr @smd.gc.pin(" REF ")\ndeclare void @smd.gc.unpin(ptr)\n", "",
     "  %r$i = call ptr @smd.gc.pin(" REF " %p$k)\n  call void @out(ptr %r$i)\n  call void @smd.gc.unpin(ptr %r$i)\n",
     1},
    {"tagged references", "", "",
     "declare i64 @smd.gc.to_int(" REF ")\ndeclare " REF " @smd.gc.from_int(i64)\ndeclare i64 @tag(i64)\n",
     "  %v$i = call i64 @smd.gc.to_int(" REF " %p$i)\n",
     "  %a$i = call i64 @tag(i64 %v$k)\n  %o$i = or i64 %a$i, 1\n  call void @g()\n"
     "  %b$i = call " REF " @smd.gc.from_int(i64 %o$i)\n  call void @use(" REF " %b$i)\n",
     0},
    {"types of roots", "", "", "", "", "  call void @g() [ \"gc-type\"(" REF " %p$k, i64 7) ]\n", 0},
    {"invokes", "", "personality ptr @personality", "declare i32 @personality(...)\n", "",
     "  %a$i = invoke " REF " @run(" REF " %p$k) to label %good$i unwind label %bad$i\nbad$i:\n"
     "  %e$i = landingpad { ptr, i32 } cleanup\n  call void @use(" REF " %p$j)\n  resume { ptr, i32 } %e$i\ngood$i:\n"
     "  call void @use(" REF " %a$i)\n",
     0},
};

/* Writes the text for number I. */
static void put_numbered(FILE *f, const char *text, int i) {
    for (; *text; text++)
        if (*text != '$') {
            putc(*text, f);
        } else {
            text++;
            fprintf(f, "%d", *text == 'i' ? i : *text == 'k' ? i % LIVE : (i * 7 + 3) % LIVE);
        }
}

/* The interpreter of so many ARMS. *new* */
static struct bytes make_arms(const struct shape *s, int arms) {
    struct bytes b;
    FILE *f = open_memstream((char **)&b.data, &b.len);
    fprintf(f,
            "declare void @g()\ndeclare " REF " @run(" REF ")\ndeclare void @out(ptr)\n"
            "declare void @use(" REF ") \"gc-leaf-function\"\n%sdefine void @f(ptr %%code",
            s->declared);
    for (int k = 0; k < LIVE; k++)
        fprintf(f, ", " REF " %%p%d", k);
    fprintf(f, ") gc \"statepoint-example\" %s {\nentry:\n", s->function);
    for (int k = 0; k < LIVE; k++)
        put_numbered(f, s->entry, k);
    fputs("  br label %loop\nloop:\n  %pc = phi i64 [ 0, %entry ], [ %next, %latch ]\n"
          "  %at = getelementptr i32, ptr %code, i64 %pc\n  %op = load i32, ptr %at\n  switch i32 %op, label %end [",
          f);
    for (int i = 0; i < arms; i++)
        fprintf(f, " i32 %d, label %%op%d", i, i);
    fputs(" ]\n", f);
    for (int i = 0; i < arms; i++) {
        fprintf(f, "op%d:\n", i);
        put_numbered(f, s->arm, i);
        fputs("  br label %latch\n", f);
    }
    fputs("latch:\n  %next = add i64 %pc, 1\n  br label %loop\nend:\n", f);
    for (int k = 0; k < LIVE; k++)
        fprintf(f, "  call void @use(" REF " %%p%d)\n", k);
    fputs("  ret void\n}\n", f);
    fclose(f);
    return b;
}

/* How much is counted of a compile of so many ARMS. */
static unsigned long long count_for(const struct shape *s, int arms) {
    static const sm_slice none = {(const unsigned char *)"", 0};
    char settings[200];
    sm_options options;
    sm_buf out;
    sm_timings timings;
    struct compile *rest;
    struct reuse reuse;
    sm_artifact a;
    struct bytes module = make_arms(s, arms);
    snprintf(settings, sizeof settings, "opt=0\npoll=call:collect\n%s", s->options);
    cr_assert_eq(sm_options_parse(&options, settings, strlen(settings), NULL), SM_OK);
    sm_buf_init(&out, (size_t)1 << 28);
    reuse_begin(&reuse, none, none);
    counted = 0;
    sm_status status =
        compile_run(&options, none, (const char *)module.data, module.len, &reuse, &out, &timings, &rest);
    unsigned long long count = counted;
    cr_assert_eq(status, SM_OK);
    cr_assert_eq(sm_artifact_read(out.data, out.len, &a), SM_OK);
    cr_assert_eq(a.status, SM_OK, "%s: %.*s", s->what, (int)a.part[SM_PART_DIAGNOSTICS].len,
                 (const char *)a.part[SM_PART_DIAGNOSTICS].data);
    compile_free(rest);
    sm_buf_free(&out);
    bytes_free(module);
    return count;
}

Test(growth, twice_the_function_is_twice_the_work, .timeout = 600) {
    enum { ARMS = 200 };
    compiler_init();
    compiler_warm_up();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        unsigned long long one = count_for(&shapes[i], ARMS), two = count_for(&shapes[i], 2 * ARMS);
        cr_expect(two * 10 <= one * (shapes[i].slots ? 25 : 22), "%s: %llu of %d arms, %llu of twice as many",
                  shapes[i].what, one, ARMS, two);
    }
}
