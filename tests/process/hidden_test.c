/* References that a map could lack: in stack slots, in integers, in pointers of other address spaces. Each is a root,
 * or refused with its place. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define GC   " gc \"statepoint-example\" "
#define REF  "ptr addrspace(1)"
#define NONE "safepoints=none "
#define ROOT "\"base\""
#define DECLARE                                                                                                      \
    "declare void @g()\ndeclare void @out(ptr)\ndeclare void @peek(ptr nocapture) \"gc-leaf-function\"\n"            \
    "declare void @llvm.memcpy.p0.p1.i64(ptr, " REF ", i64, i1)\n"                                                   \
    "declare void @llvm.memcpy.p1.p0.i64(" REF ", ptr, i64, i1)\n"
/* A function of a reference, an index and a condition. */
#define F(body)                 DECLARE "define " REF " @f(" REF " %p, i64 %i, i1 %c)" GC "{\n" body "}\n"
#define F_WITH(attribute, body) DECLARE "define " REF " @f(" REF " %p, i64 %i, i1 %c) " attribute GC "{\n" body "}\n"

#define SLOT                                                                                                         \
    "  %s = alloca " REF "\n  store " REF " %p, ptr %s\n  call void @g()\n  %v = load " REF ", ptr %s\n  ret " REF   \
    " %v\n"

static void has_root(const char *ir) {
    static const char *const levels[] = {NONE "opt=0", NONE "opt=1", NONE "opt=2", NONE "opt=3", NONE "opt=s"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        has(ir, levels[i], SM_PART_STACKMAP, ROOT, 1);
}

static void is_refused(const char *ir, sm_status status, const char *hint) {
    refuses(ir, NONE "opt=0", status, hint);
    refuses(ir, NONE "opt=2", status, hint);
}

Test(slots, are_promoted_at_every_level) {
    has_root(F(SLOT));
    has_root(F("  %s = alloca { i64, [2 x " REF "] }\n"
               "  %a = getelementptr { i64, [2 x " REF "] }, ptr %s, i64 0, i32 1, i64 1\n  store " REF
               " %p, ptr %a\n  call void @g()\n  %v = load " REF ", ptr %a\n  ret " REF " %v\n"));
    has(F(SLOT), NONE "opt=0", SM_PART_META, "default<O0>,function(sroa),rewrite", 2); /* pipeline and reproduce */
    has(F(SLOT), NONE "opt=2", SM_PART_META, "sroa", 0);
}

Test(slots, are_promoted_in_functions_that_are_not_to_be_optimised) {
    has_root(F_WITH("noinline optnone", SLOT));
    has(F_WITH("noinline optnone", SLOT), NONE "opt=2 emit=obj,ir", SM_PART_IR, "noinline optnone",
        2); /* the group and its comment */
}

/* LLVM's place-safepoints leaves such functions out. */
Test(slots, polls_are_placed_in_functions_that_are_not_to_be_optimised) {
    static const char ir[] = "define void @f() noinline optnone" GC "{\n  ret void\n}\n";
    has(ir, "poll=call:stop opt=0", SM_PART_STACKMAP, "entry-poll", 1);
    has(ir, "poll=call:stop opt=2", SM_PART_STACKMAP, "entry-poll", 1);
}

Test(slots, that_cannot_be_promoted_are_refused) {
    refuses(F("  %s = alloca [4 x " REF "]\n  %a = getelementptr " REF ", ptr %s, i64 %i\n  store " REF
              " %p, ptr %a\n  call void @g()\n  %v = load " REF ", ptr %a\n  ret " REF " %v\n"),
            NONE "opt=0", SM_CANNOT_REWRITE, "%v = load");
    is_refused(F("  %s = alloca " REF "\n  store volatile " REF " %p, ptr %s\n  call void @g()\n"
                 "  %v = load volatile " REF ", ptr %s\n  ret " REF " %v\n"),
               SM_CANNOT_REWRITE, "across the call of g");
    /* Others may read or write it. */
    is_refused(F("  %s = alloca " REF "\n  call void @out(ptr %s)\n  %v = load " REF ", ptr %s\n  ret " REF " %v\n"),
               SM_CANNOT_REWRITE, "call of out");
    is_refused(F("  %s = alloca { i64, " REF " }\n  call void @out(ptr %s)\n  ret " REF " %p\n"), SM_CANNOT_REWRITE,
               "call of out");
    is_refused("@where = global ptr null\n" F("  %s = alloca " REF "\n  store ptr %s, ptr @where\n  store " REF
                                              " %p, ptr %s\n  call void @g()\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "call of g");
    /* By way of a choice, and around a loop. */
    is_refused(F("  %s = alloca " REF "\n  %t = alloca " REF "\n  %u = select i1 %c, ptr %s, ptr %t\n"
                 "  store volatile " REF " %p, ptr %u\n  call void @g()\n  %v = load volatile " REF
                 ", ptr %u\n  ret " REF " %v\n"),
               SM_CANNOT_REWRITE, "across the call of g");
    is_refused(F("  %s = alloca " REF "\n  store volatile " REF " %p, ptr %s\n  br label %loop\nloop:\n"
                 "  %v = load volatile " REF ", ptr %s\n  call void @g()\n  br i1 %c, label %loop, label %end\nend:\n"
                 "  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "= load volatile");
}

Test(slots, bytes_of_the_heap_that_go_through_one) {
    static const char typed[] = F("  %s = alloca " REF "\n"
                                  "  call void @llvm.memcpy.p0.p1.i64(ptr %s, " REF " %p, i64 8, i1 0)\n"
                                  "  call void @g()\n  %v = load " REF ", ptr %s\n  ret " REF " %v\n");
    static const char blind[] =
        DECLARE "define void @f(" REF " %p, " REF " %q)" GC "{\n  %s = alloca [8 x i8]\n"
                "  call void @llvm.memcpy.p0.p1.i64(ptr %s, " REF " %p, i64 8, i1 0)\n  call void @g()\n"
                "  call void @llvm.memcpy.p1.p0.i64(" REF " %q, ptr %s, i64 8, i1 0)\n  ret void\n}\n";
    has_root(typed);
    is_refused(blind, SM_CANNOT_REWRITE, "llvm.memcpy.p1.p0");
}

Test(slots, arguments_by_value) {
    static const char ir[] = DECLARE "define " REF " @f(ptr byval({ " REF " }) %s)" GC
                                     "{\n  call void @g()\n  %v = load " REF ", ptr %s\n  ret " REF " %v\n}\n";
    is_refused(ir, SM_CANNOT_REWRITE, "%v = load");
}

/* What is not read again, is written anew, or is told to the collector. */
Test(slots, that_hold_nothing_old_are_fine) {
    has_root(F("  %s = alloca " REF "\n  call void @peek(ptr %s)\n  %v = load " REF ", ptr %s\n  call void @g()\n"
               "  ret " REF " %v\n"));
    has_root(F("  %s = alloca " REF "\n  store volatile " REF " %p, ptr %s\n  call void @g()\n  store volatile " REF
               " %p, ptr %s\n  %v = load volatile " REF ", ptr %s\n  ret " REF " %v\n"));
    has_root(F("  %s = alloca [8 x i64]\n  call void @out(ptr %s)\n  call void @peek(ptr %s)\n  ret " REF " %p\n"));
}

#define LAYOUT(spaces) "target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128" spaces "\"\n"

Test(layout, references_are_no_integers_to_the_optimiser) {
    static const char ir[] = "declare void @g()\ndeclare void @use(" REF ")\n"
                             "define i64 @f(" REF " %o, i1 %c)" GC "{\n  %v = load i64, " REF " %o\n"
                             "  %q = load " REF ", " REF " %o\n  call void @g()\n  br i1 %c, label %a, label %b\na:\n"
                             "  call void @use(" REF " %q)\n  ret i64 0\nb:\n  ret i64 %v\n}\n";
    has(ir, NONE "opt=0", SM_PART_STACKMAP, ROOT, 2); /* at both calls */
    has(ir, NONE, SM_PART_STACKMAP, ROOT, 2);
    has(ir, NONE, SM_PART_META, "--data-layout=", 1);
}

Test(layout, keeps_what_the_module_says) {
    static const char ir[] = "define void @f(" REF " %p)" GC "{\n  ret void\n}\n";
    char text[512];
    snprintf(text, sizeof text, "%s%s", LAYOUT("-ni:4:7"), ir);
    has(text, NONE, SM_PART_META, "-S128-ni:4:7-ni:1 ", 1);
    snprintf(text, sizeof text, "%s%s", LAYOUT("-ni:4:1"), ir);
    has(text, NONE, SM_PART_META, "--data-layout", 0);
    has("define void @f() {\n  ret void\n}\n", NONE, SM_PART_META, "--data-layout", 0);
}

#define LATE(use) F("  %n = ptrtoint " REF " %p to i64\n  call void @g()\n" use "  ret " REF " null\n")

/* The optimiser sees through the plain ones, and makes references of them again. */
Test(aliases, integers_that_are_used_as_addresses_behind_a_safepoint) {
    refuses(LATE("  %q = inttoptr i64 %n to " REF "\n  store i64 0, " REF " %q\n"), NONE "opt=0",
            SM_SAFEPOINT_VIOLATION, "ptrtoint");
    refuses(LATE("  %m = or i64 %n, 1\n  %q = inttoptr i64 %m to ptr\n  store i64 0, ptr %q\n"), NONE "opt=0",
            SM_SAFEPOINT_VIOLATION, "call of g");
    refuses(LATE("  store i64 %n, " REF " null\n"), NONE "opt=0", SM_SAFEPOINT_VIOLATION, "store i64");
    refuses(F("  %n = ptrtoint " REF " %p to i64\n  call void @g()\n  %h = lshr i64 %n, 3\n"
              "  %m = shl i64 %h, 3\n  %q = inttoptr i64 %m to " REF "\n  ret " REF " %q\n"),
            NONE "opt=0", SM_SAFEPOINT_VIOLATION, "inttoptr");
}

#define RAW "  %r = addrspacecast " REF " %p to ptr\n"

Test(aliases, pointers_of_other_address_spaces) {
    is_refused(F(RAW "  call void @g()\n  store i64 0, ptr %r\n  ret " REF " null\n"), SM_SAFEPOINT_VIOLATION,
               "addrspacecast");
    is_refused(F(RAW "  call void @g()\n  call void @out(ptr %r)\n  ret " REF " null\n"), SM_SAFEPOINT_VIOLATION,
               "addrspacecast");
    /* Through a slot, as what is not optimised has it. */
    is_refused(F(RAW "  %s = alloca ptr\n  store ptr %r, ptr %s\n  call void @g()\n  %t = load ptr, ptr %s\n"
                     "  store i64 0, ptr %t\n  ret " REF " null\n"),
               SM_SAFEPOINT_VIOLATION, "addrspacecast");
}

/* To LLVM's rewrite it is a base of its own. */
Test(aliases, tagged_references) {
    is_refused(F("  %n = ptrtoint " REF " %p to i64\n  %m = or i64 %n, 1\n  %q = inttoptr i64 %m to " REF
                 "\n  call void @g()\n  ret " REF " %q\n"),
               SM_SAFEPOINT_VIOLATION, "call of g");
}

Test(aliases, what_is_no_address_any_more_is_fine) {
    has_root(F("  %n = ptrtoint " REF " %p to i64\n  %t = and i64 %n, 7\n  call void @g()\n"
               "  %z = icmp eq i64 %t, 0\n  %q = select i1 %z, " REF " %p, " REF " null\n  ret " REF " %q\n"));
    has_root(F(RAW "  call void @out(ptr %r)\n  ret " REF " %p\n"));
    has_root(F("  %n = ptrtoint " REF " %p to i64\n  %h = mul i64 %n, 11400714819323198485\n  call void @g()\n"
               "  store i64 %h, " REF " %p\n  ret " REF " %p\n"));
}

/* LLVM's register allocator of level 0 loses them. */
Test(registers, are_not_used_without_an_optimiser) {
    static const char ir[] = F("  call void @g()\n  ret " REF " %p\n");
    has(ir, NONE "opt=0 gc_registers=4", SM_PART_STACKMAP, "\"kind\":\"register\"", 0);
    has(ir, NONE "opt=0 gc_registers=4", SM_PART_DIAGNOSTICS, "taken as 0", 1);
    has(ir, NONE "opt=0 gc_registers=4", SM_PART_META, "max-registers", 0);
    has(ir, NONE "opt=1 gc_registers=4", SM_PART_DIAGNOSTICS, "taken as 0", 0);
}

Test(text, calls_in_the_notation_of_typed_pointers) {
    static const char plain[] = "declare i32 @printf(ptr, ...)\ndeclare ptr @take(ptr)\n";
    char ir[1024];
    snprintf(ir, sizeof ir,
             "%sdefine i32 @t(ptr %%o) {\n  %%r = call i32 (i8*, ...)* @printf(ptr %%o)\n  ret i32 0\n}\n", plain);
    refuses(ir, NONE, SM_PARSE_ERROR, "\"line\":4,\"column\":8");
    snprintf(ir, sizeof ir, "%sdefine void @t(ptr %%o) {\n  call fastcc void (i32) * %%o(i32 1)\n  ret void\n}\n",
             plain);
    refuses(ir, NONE, SM_PARSE_ERROR, "\"line\":4,\"column\":3");
    snprintf(ir, sizeof ir,
             "%sdefine void @t(ptr %%o) {\n  ; call void ()* @x()\n  %%r = call i32 (ptr, ...) @printf(ptr %%o)\n"
             "  %%s = call ptr @take(i32 (i32)* %%o)\n  ret void\n}\n",
             plain);
    has(ir, NONE, SM_PART_META, "\"pipeline\"", 1);
}

Test(text, scoped_roots_are_refused) {
    refuses("declare void @llvm.gc.declare(ptr, ptr)\ndefine void @f(ptr %p) gc \"shadow-stack\" {\n"
            "  call void @llvm.gc.declare(ptr %p, ptr null)\n  ret void\n}\n",
            NONE, SM_UNSUPPORTED_GC, "llvm.gc.declare");
}
