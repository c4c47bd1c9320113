/* References that a map could lack: in stack slots, in integers, in pointers of other address spaces. Each is a root,
 * or refused with its place. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

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
    /* By way of another one. */
    is_refused("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n" DECLARE "define void @f(" REF " %p, " REF
               " %q)" GC "{\n  %s = alloca [16 x i8]\n  %t = alloca [16 x i8]\n"
               "  call void @llvm.memcpy.p0.p1.i64(ptr %s, " REF " %p, i64 16, i1 1)\n  call void @g()\n"
               "  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 16, i1 1)\n  call void @g()\n"
               "  call void @llvm.memcpy.p1.p0.i64(" REF " %q, ptr %t, i64 16, i1 1)\n  ret void\n}\n",
               SM_CANNOT_REWRITE, "llvm.memcpy.p0.p0");
}

/* What is not read again, is written anew, or is told to the collector. */
Test(slots, that_hold_nothing_old_are_fine) {
    has_root(F("  %s = alloca " REF "\n  call void @peek(ptr %s)\n  %v = load " REF ", ptr %s\n  call void @g()\n"
               "  ret " REF " %v\n"));
    has_root(F("  %s = alloca " REF "\n  store volatile " REF " %p, ptr %s\n  call void @g()\n  store volatile " REF
               " %p, ptr %s\n  %v = load volatile " REF ", ptr %s\n  ret " REF " %v\n"));
    has_root(F("  %s = alloca [8 x i64]\n  call void @out(ptr %s)\n  call void @peek(ptr %s)\n  ret " REF " %p\n"));
}

#define FILL "{ " REF ", i64 }"

/* Bytes are what the callee takes them for. */
Test(slots, of_bytes_have_the_type_that_calls_say) {
    static const char ir[] = DECLARE "declare void @fill(ptr sret(" FILL "))\n"
                                     "define " REF " @f()" GC "{\n  %s = alloca [16 x i8], align 8\n"
                                     "  call void @fill(ptr sret(" FILL ") %s)\n  call void @g()\n"
                                     "  %v = load volatile " REF ", ptr %s\n  ret " REF " %v\n}\n";
    static const char taken[] =
        DECLARE "declare void @fill(ptr sret(" FILL "))\ndeclare void @take(ptr byval(" FILL "))\n"
                "define void @f()" GC "{\n  %s = alloca i128, align 8\n"
                "  call void @fill(ptr sret(" FILL ") %s)\n  call void @g()\n"
                "  call void @take(ptr byval(" FILL ") %s)\n  ret void\n}\n";
    static const char other[] = DECLARE "declare void @fill(ptr sret(" FILL "))\n"
                                        "define void @f()" GC "{\n  %s = alloca [24 x i8], align 8\n"
                                        "  call void @fill(ptr sret(" FILL ") %s)\n  call void @g()\n"
                                        "  call void @out(ptr %s)\n  ret void\n}\n";
    for (int opt = 0; opt < 4; opt += 2) {
        char options[40];
        snprintf(options, sizeof options, NONE "opt=%d", opt);
        has(ir, options, SM_PART_STACKMAP, "\"kind\":\"direct\"", 2);
        has(taken, options, SM_PART_STACKMAP, "\"kind\":\"direct\"", 3);
    }
    is_refused(other, SM_CANNOT_REWRITE, "call void @fill");
}

/* Where references go in and out of bytes by ways that are not followed to the place. */
Test(slots, whose_references_come_by_other_ways_are_refused) {
#define BYTES "  %s = alloca i64\n"
#define STALE "  call void @g()\n  %v = load " REF ", ptr %a\n  ret " REF " %v\n"
    static const char fills[] = "define void @fill(ptr nocapture %s, " REF " %o) noinline \"gc-leaf-function\" {\n"
                                "  %t = getelementptr i8, ptr %s, i64 0\n  store " REF " %o, ptr %t\n  ret void\n}\n";
    static const char passes[] = "define void @pass(ptr nocapture %s, " REF " %o) noinline \"gc-leaf-function\" {\n"
                                 "  call void @fill(ptr %s, " REF " %o)\n  ret void\n}\n";
    char ir[4096];
    snprintf(ir, sizeof ir, "%s%s",
             F(BYTES "  call void @fill(ptr %s, " REF " %p)\n  call void @g()\n  call void @peek(ptr %s)\n  ret " REF
                     " null\n"),
             fills);
    is_refused(ir, SM_CANNOT_REWRITE, "@fill(");
    snprintf(ir, sizeof ir, "%s%s%s",
             F(BYTES "  call void @pass(ptr %s, " REF " %p)\n  call void @g()\n  call void @peek(ptr %s)\n  ret " REF
                     " null\n"),
             fills, passes);
    is_refused(ir, SM_CANNOT_REWRITE, "@pass(");
    is_refused(F(BYTES "  %a = call ptr asm sideeffect \"\", \"=r,0\"(ptr %s)\n  store " REF " %p, ptr %a\n" STALE),
               SM_CANNOT_REWRITE, "by way of its address");
    is_refused("declare ptr @same(ptr returned) \"gc-leaf-function\"\n" F(
                   BYTES "  %a = call ptr @same(ptr %s)\n  store volatile " REF " %p, ptr %a\n" STALE),
               SM_CANNOT_REWRITE, "holds references");
    is_refused(F(BYTES "  %t = alloca ptr\n  store volatile ptr %s, ptr %t\n  %b = load volatile ptr, ptr %t\n"
                       "  store " REF " %p, ptr %b\n  %a = load volatile ptr, ptr %t\n" STALE),
               SM_CANNOT_REWRITE, "by way of its address");
    refuses(F(BYTES "  %n = ptrtoint ptr %s to i64\n  %m = add i64 %n, %i\n  %k = sub i64 %m, %i\n"
                    "  %a = inttoptr i64 %k to ptr\n  store " REF " %p, ptr %a\n" STALE),
            NONE "opt=0", SM_CANNOT_REWRITE, "by way of its address");
    refuses(F(BYTES "  %t = insertvalue { ptr, i64 } poison, ptr %s, 0\n  %u = freeze { ptr, i64 } %t\n"
                    "  %a = extractvalue { ptr, i64 } %u, 0\n  store " REF " %p, ptr %a\n" STALE),
            NONE "opt=0", SM_CANNOT_REWRITE, "by way of its address");
    is_refused("declare void @llvm.masked.scatter.v2p1.v2p0(<2 x " REF ">, <2 x ptr>, i32, <2 x i1>)\n" F(
                   "  %s = alloca [2 x i64]\n  %w = insertelement <2 x " REF "> zeroinitializer, " REF " %p, i32 0\n"
                   "  %at = getelementptr i64, ptr %s, <2 x i64> <i64 0, i64 1>\n"
                   "  call void @llvm.masked.scatter.v2p1.v2p0(<2 x " REF "> %w, <2 x ptr> %at, i32 8, "
                   "<2 x i1> <i1 1, i1 1>)\n  call void @g()\n  %v = load volatile " REF ", ptr %s\n  ret " REF
                   " %v\n"),
               SM_CANNOT_REWRITE, "not followed");
    is_refused("declare void @llvm.localescape(...)\n" F(
                   BYTES "  call void (...) @llvm.localescape(ptr %s)\n  call void @g()\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "llvm.localescape");
}

/* What the module lists itself is as large as its type. */
Test(slots, that_are_listed_are_told_of_by_their_type) {
    static const char ir[] =
        F("  %s = alloca [4 x " REF "]\n  store [4 x " REF "] zeroinitializer, ptr %s\n"
          "  %a = getelementptr " REF ", ptr %s, i64 %i\n  store volatile " REF " %p, ptr %a\n"
          "  call void @g() [ \"gc-live\"(ptr %s) ]\n  %v = load volatile " REF ", ptr %a\n  ret " REF " %v\n");
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"count\":4", 1);
    has(ir, NONE "opt=2", SM_PART_STACKMAP, "\"count\":4", 1);
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

/* Two casts that the optimiser makes one of, and one that it takes out of a loop. */
Test(aliases, what_the_optimiser_puts_together) {
    has_root("declare void @leaf(ptr) \"gc-leaf-function\"\n" F(
        RAW "  call void @leaf(ptr %r)\n  call void @g()\n  %s = addrspacecast " REF " %p to ptr\n"
            "  call void @leaf(ptr %s)\n  ret " REF " null\n"));
    has("declare void @leaf(ptr) \"gc-leaf-function\"\n" F(
            "  br label %loop\nloop:\n" RAW "  %d = getelementptr i8, ptr %r, i64 8\n  call void @leaf(ptr %d)\n"
            "  call void @g()\n  br i1 %c, label %loop, label %end\nend:\n  ret " REF " null\n"),
        NONE "opt=2", SM_PART_STACKMAP, ROOT, 1);
}

/* An integer of eight bytes would be forwarded across a call that changes no such memory. */
Test(aliases, copies_within_the_heap) {
    static const char ir[] =
        "declare void @llvm.memcpy.p1.p1.i64(" REF ", " REF ", i64, i1)\n"
        "declare " REF " @new() memory(inaccessiblemem: readwrite) nounwind\n"
        "define " REF " @f(" REF " noalias %a, " REF " noalias %b, " REF " noalias %c)" GC
        "{\n  call void @llvm.memcpy.p1.p1.i64(" REF " align 8 %b, " REF " align 8 %a, i64 8, i1 false)\n"
        "  %n = call " REF " @new()\n"
        "  call void @llvm.memcpy.p1.p1.i64(" REF " align 8 %c, " REF " align 8 %a, i64 8, i1 false)\n  ret " REF
        " %n\n}\n";
    has(ir, NONE "opt=0", SM_PART_STACKMAP, ROOT, 2); /* of %a and of %c */
    has(ir, NONE "opt=2", SM_PART_STACKMAP, ROOT, 2);
}

/* A slot that is filled as a whole becomes values, and eight bytes of it would be an integer. */
Test(aliases, copies_out_of_slots) {
    static const char ir[] =
        "declare void @g()\ndeclare void @llvm.memcpy.p0.p1.i64(ptr, " REF ", i64, i1)\n"
        "declare void @llvm.memcpy.p1.p0.i64(" REF ", ptr, i64, i1)\n"
        "define void @f(" REF " %o)" GC "{\n  %s = alloca { i64, " REF ", " REF " }\n"
        "  call void @llvm.memcpy.p0.p1.i64(ptr %s, " REF " %o, i64 24, i1 false)\n  call void @g()\n"
        "  %part = getelementptr i8, ptr %s, i64 8\n"
        "  call void @llvm.memcpy.p1.p0.i64(" REF " %o, ptr %part, i64 8, i1 false)\n  ret void\n}\n";
    for (int opt = 0; opt < 4; opt++) {
        char options[40];
        snprintf(options, sizeof options, NONE "opt=%d", opt);
        has(ir, options, SM_PART_STACKMAP, "\"fields\":[{\"offset\":8,\"size\":8,\"space\":1},{\"offset\":16,", 1);
    }
}

/* What another register of the same value gives. */
Test(aliases, inline_assembly_may_be_a_cast) {
    is_refused(F("  %n = call i64 asm \"\", \"=r,0\"(" REF " %p)\n  call void @g()\n  %q = inttoptr i64 %n to ptr\n"
                 "  store i64 0, ptr %q\n  ret " REF " null\n"),
               SM_SAFEPOINT_VIOLATION, "asm");
}

Test(aliases, by_way_of_memory) {
    static const char integer[] = "@here = global i64 0\n" F(
        "  %n = ptrtoint " REF " %p to i64\n  store i64 %n, ptr @here\n  call void @g()\n"
        "  %m = load i64, ptr @here\n  %q = inttoptr i64 %m to ptr\n  store i64 0, ptr %q\n  ret " REF " null\n");
    static const char reference[] =
        "@here = global i64 0\n" F("  store " REF " %p, ptr @here\n  %m = load i64, ptr @here\n  call void @g()\n"
                                   "  %q = inttoptr i64 %m to ptr\n  store i64 0, ptr %q\n  ret " REF " null\n");
    is_refused(integer, SM_SAFEPOINT_VIOLATION, "ptrtoint");
    is_refused(reference, SM_SAFEPOINT_VIOLATION, "load i64");
}

Test(aliases, integers_that_become_references) {
    is_refused(
        F("  %n = load i64, " REF " %p\n  call void @g()\n  %q = inttoptr i64 %n to " REF "\n  ret " REF " %q\n"),
        SM_SAFEPOINT_VIOLATION, "is kept across the call of g");
    is_refused(F("  %n = load i64, " REF
                 " %p\n  %m = and i64 %n, -8\n  call void @g()\n  %q = inttoptr i64 %m to " REF "\n  ret " REF
                 " %q\n"),
               SM_SAFEPOINT_VIOLATION, "is kept across the call of g");
    /* A small number in a reference, and one that is made before. */
    has_root(F("  %n = shl i64 %i, 1\n  %m = or i64 %n, 1\n  call void @g()\n  %q = inttoptr i64 %m to " REF
               "\n  %r = select i1 %c, " REF " %p, " REF " %q\n  ret " REF " %r\n"));
    has_root(
        F("  %n = load i64, " REF " %p\n  %q = inttoptr i64 %n to " REF "\n  call void @g()\n  ret " REF " %q\n"));
}

/* ---- What LLVM's rewrite does not look through ---- */

#define DERIVED "  %d = getelementptr i8, " REF " %p, i64 %i\n"
#define BEHIND  "  call void @g()\n  ret " REF " %e\n"
#define PAIR    "<2 x " REF ">"

/* At every level the base is the object: LLVM names base and derived pointer behind each relocation, those of the base
 * included. */
static void has_base(const char *ir, size_t pairs) {
    static const char *const levels[] = {NONE "opt=0 remat=false emit=obj,ir", NONE "opt=2 remat=false emit=obj,ir"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        has(ir, levels[i], SM_PART_IR, "; (%p", pairs);
}

Test(opaque, what_gives_its_operand_back) {
    has_base("declare " REF " @llvm.launder.invariant.group.p1(" REF
             ")\n" F(DERIVED "  %e = call " REF " @llvm.launder.invariant.group.p1(" REF " %d)\n" BEHIND),
             2);
    has_base("declare " REF " @llvm.strip.invariant.group.p1(" REF
             ")\n" F(DERIVED "  %e = call " REF " @llvm.strip.invariant.group.p1(" REF " %d)\n" BEHIND),
             2);
    has_base("declare " REF " @same(" REF " returned)\n" F(DERIVED "  %e = call " REF " @same(" REF " %d)\n" BEHIND),
             4);
    has_base("declare " REF " @llvm.ptrmask.p1.i64(" REF
             ", i64)\n" F("  %e = call " REF " @llvm.ptrmask.p1.i64(" REF " %p, i64 -16)\n" BEHIND),
             2);
}

/* Of atomicrmw LLVM says that its base is that of the place. */
Test(opaque, what_was_in_memory) {
    static const char rmw[] =
        F("  %e = atomicrmw xchg " REF " %p, " REF " null seq_cst\n  call void @g()\n  ret " REF " %e\n");
    has(rmw, NONE "opt=0", SM_PART_STACKMAP, ROOT, 1);
    has(rmw, NONE "opt=2 emit=obj,ir", SM_PART_IR, "; (%e, %e)", 0);
    has(rmw, NONE "opt=2", SM_PART_STACKMAP, ROOT, 1);
    has(F("  %s = cmpxchg " REF " %p, " REF " null, " REF " %p seq_cst seq_cst\n  call void @g()\n"
          "  %e = extractvalue { " REF ", i1 } %s, 0\n  ret " REF " %e\n"),
        NONE "opt=2", SM_PART_STACKMAP, ROOT, 1);
}

Test(opaque, what_is_taken_out_of_a_struct) {
    has_base(F(DERIVED "  %s = insertvalue { i64, " REF " } undef, " REF " %d, 1\n"
                       "  %e = extractvalue { i64, " REF " } %s, 1\n" BEHIND),
             2);
    refuses(F(DERIVED "  %s = insertvalue { i64, " REF " } undef, " REF " %d, 1\n  br i1 %c, label %a, label %b\na:\n"
                      "  br label %b\nb:\n  %t = phi { i64, " REF " } [ %s, %0 ], [ { i64 1, " REF " null }, %a ]\n"
                      "  %e = extractvalue { i64, " REF " } %t, 1\n" BEHIND),
            NONE "opt=0", SM_CANNOT_REWRITE, "may be a derived pointer");
}

Test(opaque, lanes_that_are_not_loaded) {
    static const char ir[] =
        "declare void @g()\ndeclare " PAIR " @llvm.masked.load.v2p1.p0(ptr, i32, <2 x i1>, " PAIR ")\n"
        "define " PAIR " @f(ptr %a, <2 x i1> %m, " PAIR " %p, i64 %i)" GC "{\n  %d = getelementptr i8, " PAIR
        " %p, i64 %i\n"
        "  %e = call " PAIR " @llvm.masked.load.v2p1.p0(ptr %a, i32 8, <2 x i1> %m, " PAIR " %d)\n"
        "  call void @g()\n  ret " PAIR " %e\n}\n";
    has(ir, NONE "opt=0", SM_PART_STACKMAP, ROOT, 4); /* two of bases, two of lanes */
    has(ir, NONE "opt=2", SM_PART_STACKMAP, ROOT, 4);
}

Test(opaque, the_rest_is_refused) {
    is_refused(
        "declare " PAIR " @llvm.vector.reverse.v2p1(" PAIR ")\ndeclare void @g()\n"
        "define " PAIR " @f(" PAIR " %p, <2 x i64> %i)" GC "{\n  %d = getelementptr i8, " PAIR " %p, <2 x i64> %i\n"
        "  %e = call " PAIR " @llvm.vector.reverse.v2p1(" PAIR " %d)\n  call void @g()\n  ret " PAIR " %e\n}\n",
        SM_CANNOT_REWRITE, "%e may be a derived pointer");
    is_refused(F(DERIVED "  %e = call " REF " asm \"\", \"=r,0\"(" REF " %d)\n" BEHIND), SM_CANNOT_REWRITE,
               "%e may be a derived pointer");
    is_refused("declare void @take(" REF ")\n" F(DERIVED "  %e = call " REF " asm \"\", \"=r,0\"(" REF
                                                         " %d)\n  call void @take(" REF " %e)\n  ret " REF " null\n"),
               SM_CANNOT_REWRITE, "is given to the call of take");
    has_root(F("  %e = call " REF " asm \"\", \"=r,0\"(" REF " %p)\n" BEHIND));
}

/* ---- What does not go together with statepoints ---- */

Test(misfits, are_refused_by_name) {
    is_refused("declare void @g()\ndeclare void @llvm.va_start.p0(ptr)\ndefine " REF " @f(i32 %n, ...)" GC
               "{\n  %l = alloca [4 x i64]\n  call void @llvm.va_start.p0(ptr %l)\n  call void @g()\n"
               "  %v = va_arg ptr %l, " REF "\n  ret " REF " %v\n}\n",
               SM_CANNOT_REWRITE, "va_arg");
    is_refused("declare i32 @setjmp(ptr) returns_twice\n@jump = global [64 x i64] zeroinitializer\n" F(
                   "  %r = call i32 @setjmp(ptr @jump)\n  %z = icmp eq i32 %r, 0\n  br i1 %z, label %a, label %b\n"
                   "a:\n  call void @g()\n  ret " REF " null\nb:\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "return twice");
    is_refused(
        "declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)\n" F(
            "  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 16, ptr @g, i32 "
            "0)\n  ret " REF " %p\n"),
        SM_CANNOT_REWRITE, "patchpoint");
    is_refused(F_WITH("naked", "  call void @g()\n  ret " REF " %p\n"), SM_CANNOT_REWRITE, "naked");
    is_refused(F("  %t = inttoptr i64 %i to ptr\n  call void %t() [ \"kcfi\"(i32 5) ]\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "\\\"kcfi\\\" operands");
    is_refused(F("  %r = callbr " REF " asm \"\", \"=r,0,!i\"(" REF
                 " %p) to label %a [label %b]\na:\n  call void @g()\n"
                 "  ret " REF " %r\nb:\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "callbr");
    is_refused("declare token @llvm.coro.id(i32, ptr, ptr, ptr)\ndeclare ptr @llvm.coro.begin(token, ptr)\n" F_WITH(
                   "presplitcoroutine", "  call void @g()\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "coroutine");
    for (int i = 0; i < 2; i++) {
        static const sm_status of_target[] = {SM_CODEGEN_FAILED, SM_CANNOT_REWRITE};
        struct compiled c = compile("declare void @g()\ndefine <vscale x 2 x " REF "> @f(<vscale x 2 x " REF
                                    "> %p)" GC "{\n  call void @g()\n  ret <vscale x 2 x " REF "> %p\n}\n",
                                    NONE, targets[i]);
        cr_assert_eq(c.artifact.status, of_target[i], "%s", c.text[SM_PART_DIAGNOSTICS]);
        cr_assert(strstr(c.text[SM_PART_DIAGNOSTICS], "scalable vector"), "%s", c.text[SM_PART_DIAGNOSTICS]);
        drop(&c);
    }
    is_refused("declare void @g()\ndefine " REF " @f(ptr inalloca({ " REF " }) %s)" GC
               "{\n  call void @g()\n  %v = load " REF ", ptr %s\n  ret " REF " %v\n}\n",
               SM_CANNOT_REWRITE, "pass it byval");
}

Test(layout, has_the_targets_pointers) {
    is_refused("target datalayout = \"e-p1:32:32-i64:64\"\n" F("  call void @g()\n  ret " REF " %p\n"),
               SM_INVALID_MODULE, "address space 1 have 4 bytes");
    is_refused("target datalayout = \"E-i64:64\"\n" F("  call void @g()\n  ret " REF " %p\n"), SM_INVALID_MODULE,
               "order of bytes");
}

/* ---- What code generation would die of ---- */

Test(deaths, are_diagnostics) {
    static const char guard[] =
        "declare void @llvm.experimental.guard(i1, ...)\ndefine void @f(i1 %c) {\n"
        "  call void (i1, ...) @llvm.experimental.guard(i1 %c) [ \"deopt\"() ]\n  ret void\n}\n";
    refuses(guard, "opt=0", SM_CODEGEN_FAILED, "llvm.experimental.guard");
    refuses("$f = comdat largest\ndefine void @f() comdat {\n  ret void\n}\n", "", SM_CODEGEN_FAILED, "comdat");
    refuses("define cc 11 i64 @f(i64 %x) {\n  ret i64 %x\n}\n", "", SM_CODEGEN_FAILED, "alling convention 11");
    refuses("declare i64 @llvm.ssa.copy.i64(i64)\ndefine i64 @f(i64 %x) {\n"
            "  %y = call i64 @llvm.ssa.copy.i64(i64 %x)\n  ret i64 %y\n}\n",
            "", SM_CODEGEN_FAILED, "llvm.ssa.copy");
    static const char x86[] =
        "declare void @llvm.x86.sse2.pause()\ndefine void @f() {\n  call void @llvm.x86.sse2.pause()\n"
        "  ret void\n}\n";
    refuses(x86, "target=aarch64-linux-gnu", SM_CODEGEN_FAILED,
            "llvm.x86.sse2.pause is an intrinsic of another processor");
    struct compiled own = compile(x86, "", "x86_64-linux-gnu");
    cr_assert_eq(own.artifact.status, SM_OK);
    drop(&own);
    refuses("declare void @llvm.aarch64.dmb(i32)\ndefine void @f() {\n  call void @llvm.aarch64.dmb(i32 11)\n  ret "
            "void\n}\n",
            "target=x86_64-linux-gnu", SM_CODEGEN_FAILED, "llvm.aarch64.dmb is an intrinsic of another processor");
    static const char thunks[] = "define void @f(ptr %h)" GC "{\n  call void %h()\n  ret void\n}\n";
    refuses(thunks, NONE "target=x86_64-linux-gnu features=+retpoline-indirect-calls", SM_CODEGEN_FAILED,
            "'retpoline-indirect-calls' wants a thunk");
    refuses(thunks, NONE "target=x86_64-linux-gnu features=+lvi-cfi opt=0", SM_CODEGEN_FAILED, "wants a thunk");
    refuses("define void @f() \"probe-stack\"=\"other\" {\n  ret void\n}\n", "target=aarch64-linux-gnu",
            SM_CODEGEN_FAILED, "probe-stack");
}

/* A callee that keeps more registers than C's do would leave references in some that no walk knows. */
Test(registers, are_not_used_where_callees_keep_other_ones) {
    static const char ir[] =
        "declare preserve_mostcc void @h()\n" F("  call preserve_mostcc void @h()\n  ret " REF " %p\n");
    has(ir, NONE "opt=1 gc_registers=4", SM_PART_STACKMAP, "\"kind\":\"register\"", 0);
    has(ir, NONE "opt=1 gc_registers=4", SM_PART_DIAGNOSTICS, "taken as 0", 1);
    has(F("  call fastcc void @g()\n  ret " REF " %p\n"), NONE "opt=1 gc_registers=4", SM_PART_DIAGNOSTICS,
        "taken as 0", 0);
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

/* Nor as something else than an integer: numbers with a point, vectors and structs have room for an address as well. */
Test(hidden, references_from_elsewhere_in_other_types) {
    static const struct {
        const char *type, *made;
    } cases[] = {{"double", "  %i = bitcast double %v to i64\n"},
                 {"<2 x i64>", "  %i = extractelement <2 x i64> %v, i32 1\n"},
                 {"{ i64, i64 }", "  %i = extractvalue { i64, i64 } %v, 1\n"},
                 {"i128", "  %s = lshr i128 %v, 64\n  %i = trunc i128 %s to i64\n"}};
    static const char *const levels[] = {"opt=0 safepoints=none", "opt=2 safepoints=none"};
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        char ir[1024];
        snprintf(ir, sizeof ir,
                 "declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %%o) gc \"statepoint-example\" {\n"
                 "  %%v = load %s, ptr addrspace(1) %%o\n  call void @g()\n%s"
                 "  %%q = inttoptr i64 %%i to ptr addrspace(1)\n  ret ptr addrspace(1) %%q\n}\n",
                 cases[k / 2].type, cases[k / 2].made);
        refuses(ir, levels[k % 2], SM_SAFEPOINT_VIOLATION, "is kept across the call of g");
        snprintf(ir, sizeof ir,
                 "declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %%o) gc \"statepoint-example\" {\n"
                 "  %%v = load %s, ptr addrspace(1) %%o\n%s  %%q = inttoptr i64 %%i to ptr addrspace(1)\n"
                 "  call void @g()\n  ret ptr addrspace(1) %%q\n}\n",
                 cases[k / 2].type, cases[k / 2].made);
        has(ir, levels[k % 2], SM_PART_STACKMAP, "\"base\"", 1);
    }
}

static void refused_on(const char *target, const char *ir, const char *hint) {
    static const char *const levels[] = {NONE "opt=0", NONE "opt=2"};
    for (size_t i = 0; i < 2; i++) {
        struct compiled c = compile(ir, levels[i], target);
        cr_expect_eq(c.artifact.status, SM_CANNOT_REWRITE, "%s", hint);
        cr_expect(strstr(c.text[SM_PART_DIAGNOSTICS], hint), "%s: %s", hint, c.text[SM_PART_DIAGNOSTICS]);
        drop(&c);
    }
}

/* A statepoint has convention, arguments and their attributes; whatever else a call says it forgets. */
Test(misfits, what_a_statepoint_forgets_of_a_call) {
    static const char *const x86 = "x86_64-unknown-linux-gnu", *const arm = "aarch64-unknown-linux-gnu";
    static const char variadic[] = "declare void @v(i64, ...)\ndeclare i64 @w(i64, ...)\n";
    char ir[4096];
    is_refused("declare swiftcc void @s(ptr swifterror)\n" F(
                   "  %e = alloca swifterror ptr\n  store ptr null, ptr %e\n"
                   "  call swiftcc void @s(ptr swifterror %e)\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "call of s has a swifterror argument");
    is_refused("declare void @s(ptr inalloca(i64))\n" F(
                   "  %e = alloca inalloca i64\n  call void @s(ptr inalloca(i64) %e)\n  ret " REF " %p\n"),
               SM_CANNOT_REWRITE, "call of s has an inalloca argument");
    snprintf(ir, sizeof ir, "%s%s", variadic, F("  call i64 (i64, ...) @w(i64 1, i64 2)\n  ret " REF " %p\n"));
    has_root(ir);
    snprintf(ir, sizeof ir, "%s%s", variadic, F("  call void (i64, ...) @v(i64 1, double 2.0)\n  ret " REF " %p\n"));
    refused_on(x86, ir, "call of v is variadic and has floating-point");
    snprintf(ir, sizeof ir, "%s%s", variadic, F("  call void (i64, ...) @v(i64 1, i64 2)\n  ret " REF " %p\n"));
    has_root(ir);
    refused_on(x86, F("  call void @g() \"no_callee_saved_registers\"\n  ret " REF " %p\n"),
               "call of g is \\\"no_callee_saved_registers\\\"");
    refused_on(x86,
               "!llvm.module.flags = !{!0}\n!0 = !{i32 8, !\"cf-protection-branch\", i32 1}\n" F(
                   "  %h = inttoptr i64 %i to ptr\n  call void %h() nocf_check\n  ret " REF " %p\n"),
               "is nocf_check");
    refused_on(arm, F("  call void @g() \"aarch64_pstate_sm_enabled\"\n  ret " REF " %p\n"),
               "The callee is \\\"aarch64_pstate_sm_enabled\\\"");
    refused_on(
        arm,
        F_WITH("\"aarch64_pstate_sm_enabled\" \"target-features\"=\"+sme\"", "  call void @g()\n  ret " REF " %p\n"),
        "The function is \\\"aarch64_pstate_sm_enabled\\\"");
}
