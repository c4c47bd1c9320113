/* Barriers: what llvm.gcread and llvm.gcwrite become, for both targets. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GC    " gc \"statepoint-example\" "
#define NONE  "safepoints=none "
#define REF   "ptr addrspace(1)"
#define WRITE "declare void @llvm.gcwrite(" REF ", " REF ", " REF ")\n"
#define READ  "declare " REF " @llvm.gcread(" REF ", " REF ")\n"
#define SLOT  "  %s = getelementptr i8, " REF " %o, i64 8\n"
#define SET(gc)                                                                                                      \
    "define void @set(" REF " %v, " REF " %o)" gc "{\n" SLOT "  call void @llvm.gcwrite(" REF " %v, " REF            \
    " %o, " REF " %s)\n  ret void\n}\n"
#define GET(gc)                                                                                                      \
    "define " REF " @get(" REF " %o)" gc "{\n" SLOT "  %v = call " REF " @llvm.gcread(" REF " %o, " REF              \
    " %s)\n  ret " REF " %v\n}\n"
#define BARRIER                                                                                                      \
    "define internal void @gc.write_barrier(" REF " %v, " REF " %o, " REF " %s) {\n  store " REF " %v, " REF " %s\n" \
    "  store volatile i8 7, " REF " %o\n  ret void\n}\n"

static const char *const levels[] = {"opt=0 emit=obj,ir " NONE, "opt=1 emit=obj,ir " NONE, "opt=2 emit=obj,ir " NONE,
                                     "opt=3 emit=obj,ir " NONE};
enum { LEVELS = sizeof levels / sizeof *levels };

static void has_at_all_levels(const char *ir, const char *more, const char *what, size_t times) {
    for (int i = 0; i < LEVELS; i++) {
        char options[256];
        snprintf(options, sizeof options, "%s%s", levels[i], more);
        has(ir, options, SM_PART_IR, what, times);
    }
}

/* The document's two intrinsics, without a barrier: a store and a load. */
Test(barriers, none_is_a_load_and_a_store) {
    has_at_all_levels(WRITE SET(GC), "", "store " REF " %v, " REF " %s", 1);
    has_at_all_levels(READ GET(GC), "", "load " REF ", " REF " %s", 1);
    has_at_all_levels(WRITE READ SET(GC) GET(GC), "", "llvm.gc", 0);
    refuses(WRITE SET(""), NONE, SM_INVALID_MODULE, "needs a function with a GC strategy");
}

Test(barriers, the_module_s_own_is_inlined) {
    has_at_all_levels(BARRIER WRITE SET(GC), "", "store volatile i8 7, " REF " %o", 1);
    has_at_all_levels(BARRIER WRITE SET(GC), "", "@gc.write_barrier", 0);
    has_at_all_levels("define linkonce_odr " REF " @gc.read_barrier(" REF " %o, " REF " %s) noinline {\n"
                      "  %v = load volatile " REF ", " REF " %s\n  ret " REF " %v\n}\n" READ GET(GC),
                      "", "load volatile " REF ", " REF " %s", 1);
}

#define EACH(gc)                                                                                                     \
    "declare void @llvm.gcwrite(ptr, ptr, ptr)\ndeclare ptr @llvm.gcread(ptr, ptr)\n"                                \
    "define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {\n  store ptr %v, ptr %s\n"                              \
    "  store volatile i8 7, ptr %o\n  ret void\n}\n"                                                                 \
    "define ptr @gc.read_barrier(ptr %o, ptr %s) {\n  %v = load volatile ptr, ptr %s\n  ret ptr %v\n}\n"             \
    "define void @f(ptr %v, ptr %o)" gc "{\n  %s = getelementptr i8, ptr %o, i64 8\n"                                \
    "  %r = call ptr @llvm.gcread(ptr %o, ptr %s)\n  call void @llvm.gcwrite(ptr %r, ptr %o, ptr %s)\n"              \
    "  call void @llvm.gcwrite(ptr %v, ptr %o, ptr %s)\n  ret void\n}\n"

Test(barriers, in_all_strategies) {
    static const char *const modules[] = {EACH(" gc \"statepoint-example\""), EACH(" gc \"coreclr\""),
                                          EACH(" gc \"shadow-stack\""), EACH(" gc \"erlang\""),
                                          EACH(" gc \"ocaml\"")};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        has_at_all_levels(modules[i], "", "store volatile i8 7", 3); /* two, and that in the barrier itself */
        has_at_all_levels(modules[i], "", "load volatile ptr", 2);
        has_at_all_levels(modules[i], "", "llvm.gc", 0);
    }
}

/* What a barrier calls is a safepoint like any call, unless it says that it is none. */
#define SLOW(attribute)                                                                                              \
    "declare void @remember(" REF ")" attribute "\ndefine void @gc.write_barrier(" REF " %v, " REF " %o, " REF       \
    " %s) {\n  store " REF " %v, " REF " %s\n  call void @remember(" REF " %o)\n  ret void\n}\n" WRITE "define " REF \
    " @f(" REF " %v, " REF " %o)" GC "{\n" SLOT "  call void @llvm.gcwrite(" REF " %v, " REF " %o, " REF             \
    " %s)\n  ret " REF " %v\n}\n"

Test(barriers, a_slow_path_is_a_safepoint) {
    has(SLOW(""), NONE, SM_PART_STACKMAP, "\"callee\":\"remember\"", 1);
    has(SLOW(""), NONE, SM_PART_STACKMAP, "\"roots\":[{\"base\":", 1);
    has(SLOW(" \"gc-leaf-function\""), NONE, SM_PART_STACKMAP, "\"callee\":\"remember\"", 0);
}

/* No poll comes between a store and its barrier, nor into the barrier. */
Test(barriers, polls_keep_out) {
    static const char ir[] =
        "declare void @stop()\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n}\n"
        "define void @gc.write_barrier(" REF " %v, " REF " %o, " REF " %s)" GC "{\n"
        "  store " REF " %v, " REF " %s\n  store i8 7, " REF " %o\n  ret void\n}\n" WRITE "define void @f(" REF
        " %v, " REF " %o, ptr %p)" GC "{\nentry:\n" SLOT "  br label %loop\nloop:\n"
        "  call void @llvm.gcwrite(" REF " %v, " REF " %o, " REF " %s)\n  %x = load volatile i8, ptr %p\n"
        "  %c = icmp eq i8 %x, 0\n  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    static const char *const polls[] = {"safepoints=entry,backedge", "safepoints=entry", "safepoints=backedge",
                                        "safepoints=entry,backedge,return,precall"};
    static const size_t times[] = {2, 1, 1, 3};
    for (int i = 0; i < 4; i++)
        for (int level = 0; level < 4; level++) {
            char options[128];
            snprintf(options, sizeof options, "opt=%d %s", level, polls[i]);
            has(ir, options, SM_PART_STACKMAP, "\"callee\":\"stop\"", times[i]);
        }
}

Test(barriers, ready_made_card) {
    static const char *const parts[] = {"store " REF " %v, " REF " %s", "load ptr, ptr @cards",
                                        "ptrtoint " REF " %o to i64", "lshr i64 %address.i, 9",
                                        "store i8 1, ptr %card.i"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        has_at_all_levels(WRITE SET(GC), "barrier=card:cards:9", parts[i], 1);
    has_at_all_levels(WRITE SET(GC), "barrier=card:0x100000:9", "inttoptr (i64 1048576 to ptr)", 1);
    has(WRITE SET(GC), "barrier=card:cards:9 " NONE, SM_PART_STACKMAP, "\"callee\"", 0);
    has(WRITE SET(GC), "barrier=card:cards:9 " NONE, SM_PART_META, "opt knows no barriers", 1);
}

Test(barriers, ready_made_snapshot) {
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking", "load volatile i8, ptr @marking", 1);
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking", "call void @keep(" REF " %old.i)", 1);
    /* A snapshot between what it keeps and the store would lack it: no safepoint. */
    has(WRITE SET(GC), "barrier=satb:keep:marking " NONE, SM_PART_STACKMAP, "\"callee\":\"keep\"", 0);
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking,card:cards:9", "store i8 1", 1);
    has_at_all_levels(WRITE SET(GC), "barrier=satb:keep:marking,card:cards:9", "call void @keep", 1);
}

Test(barriers, ready_made_load) {
    has_at_all_levels(READ GET(GC), "barrier=load:heal:bad_bits", "load i64, ptr @bad_bits", 1);
    has_at_all_levels(READ GET(GC), "barrier=load:heal:0x3000000000000000", "3458764513820540928", 1);
    has(READ GET(GC), "barrier=load:heal:bad_bits " NONE, SM_PART_STACKMAP, "\"callee\":\"heal\"", 1);
    has("declare " REF " @heal(" REF ", " REF ") \"gc-leaf-function\"\n" READ GET(GC),
        "barrier=load:heal:bad_bits " NONE, SM_PART_STACKMAP, "\"callee\":\"heal\"", 0);
}

Test(barriers, what_does_not_fit_is_refused) {
    static const char *const wrong[] = {"card",       "card:a",           "card:a:b",         "card:a:64",
                                        "card:a:9:1", "satb:a",           "satb:1:b",         "load:a",
                                        "load:a:b:c", "cards:a:9",        "card:a:9,",        "card:a:9,satb",
                                        "card::9",    "load:llvm.trap:a", "card:a:9,card:b:9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char option[64];
        snprintf(option, sizeof option, "barrier=%s " NONE, wrong[i]);
        if (strcmp(wrong[i], "card:a:9,") != 0)
            refuses(WRITE SET(GC), option, SM_INVALID_OPTION, "card:BASE:SHIFT");
    }
    refuses("define void @gc.write_barrier(" REF " %v) {\n  ret void\n}\n", NONE, SM_BARRIER_CONFLICT, "ptr slot");
    refuses("define i64 @gc.read_barrier(ptr %o, ptr %s) {\n  ret i64 0\n}\n", NONE, SM_BARRIER_CONFLICT, "ptr slot");
    refuses("@gc.write_barrier = global i8 0\n", NONE, SM_BARRIER_CONFLICT, "gc.write_barrier");
    refuses(BARRIER WRITE SET(GC), NONE "barrier=card:cards:9", SM_BARRIER_CONFLICT, "of its own");
    refuses("define void @gc.write_barrier(ptr %v, ptr %o, ptr %s) {\n  ret void\n}\n" WRITE SET(GC), NONE,
            SM_BARRIER_CONFLICT, "void(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1)) is needed");
    refuses("@cards = global i64 0\n" WRITE SET(GC), NONE "barrier=card:cards:9", SM_BARRIER_CONFLICT, "of type ptr");
    refuses("declare void @keep(ptr)\n" WRITE SET(GC), NONE "barrier=satb:keep:marking", SM_BARRIER_CONFLICT,
            "void(ptr)");
    refuses("@bad_bits = global i8 0\n" READ GET(GC), NONE "barrier=load:heal:bad_bits", SM_BARRIER_CONFLICT, "i64");
    refuses("define void @gc.write_barrier(" REF " %v, " REF " %o, " REF " %s) {\n  call void @gc.write_barrier(" REF
            " %v, " REF " %o, " REF " %s)\n  ret void\n}\n" WRITE SET(GC),
            NONE "opt=0", SM_BARRIER_CONFLICT, "calls itself");
    refuses("declare void @llvm.gcwrite.p1(i64)\ndefine void @f()" GC "{\n  call void @llvm.gcwrite.p1(i64 0)\n"
            "  ret void\n}\n",
            NONE, SM_INVALID_MODULE, "ptr slot");
}
