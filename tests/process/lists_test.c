/* Live lists that the module itself writes: what they name is in the map at every level, whether it is relocated or
 * not; where there is none, it is made. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define GC   " gc \"statepoint-example\" "
#define REF  "ptr addrspace(1)"
#define NONE "safepoints=none "
#define DECLARE                                                                                                      \
    "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"                              \
    "declare " REF " @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"                                           \
    "declare i64 @llvm.experimental.gc.result.i64(token)\n"                                                          \
    "declare void @g()\ndeclare i64 @h(i64)\ndeclare " REF " @new(" REF ")\ndeclare i32 @personality(...)\n"
#define F(body)                                                                                                      \
    DECLARE "define " REF " @f(" REF " %p, " REF " %q, i1 %c)" GC "personality ptr @personality {\n" body "}\n"

/* A statepoint that calls g, with what is listed. */
#define STATEPOINT(list)                                                                                             \
    "call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype("   \
    "void ()) @g, i32 0, i32 0, i32 0, i32 0) [ \"gc-live\"(" list ") ]\n"

/* At every level so many roots, of all safepoints together. */
static void has_roots(const char *ir, size_t roots) {
    static const char *const levels[] = {NONE "opt=0", NONE "opt=1", NONE "opt=2", NONE "opt=3", NONE "opt=s"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        has(ir, levels[i], SM_PART_STACKMAP, "\"base\"", roots);
}

static void is_refused(const char *ir, sm_status status, const char *hint) {
    refuses(ir, NONE "opt=0", status, hint);
    refuses(ir, NONE "opt=2", status, hint);
}

Test(unrelocated, is_a_root) {
    has_roots(F("  %t = " STATEPOINT(REF " %p") "  ret " REF " %p\n"), 1);
    has_roots(F("  %t = " STATEPOINT(REF " %p, " REF " %q") "  %u = " STATEPOINT(REF " %p") "  ret " REF " %p\n"), 3);
    /* Not used any more, but listed. */
    has_roots(F("  %t = " STATEPOINT(
                  REF " %p, " REF " %q") "  %r = call " REF
                                         " @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n  ret " REF
                                         " %r\n"),
              2);
    /* The pair of a derived pointer and its base, and the base's own. */
    has(F("  %d = getelementptr i8, " REF " %p, i64 8\n  %t = " STATEPOINT(REF " %p, " REF " %d") "  ret " REF
                                                                                                  " %d\n"),
        NONE, SM_PART_STACKMAP, "\"base\"", 2);
}

Test(unrelocated, where_others_lead_to_the_same_place) {
    has_roots(
        F("  br i1 %c, label %call, label %end\n"
          "call:\n  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, "
          "i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ \"gc-live\"(" REF " %p) ]\n"
          "    to label %end unwind label %pad\n"
          "end:\n  ret " REF " %p\npad:\n  %l = landingpad { ptr, i32 } cleanup\n  ret " REF " %p\n"),
        1);
}

Test(unrelocated, what_is_used_is_listed) {
    is_refused(F("  %t = " STATEPOINT(REF " %p") "  ret " REF " %q\n"), SM_SAFEPOINT_VIOLATION,
               "%q is used after the statepoint that calls g");
    is_refused(F("  %d = getelementptr i8, " REF " %p, i64 8\n  %t = " STATEPOINT(REF " %d") "  ret " REF " %d\n"),
               SM_CANNOT_REWRITE, "derived from a pointer that it does not list");
    /* A relocation that was forgotten. */
    is_refused(F("  %t = " STATEPOINT(
                   REF " %p, " REF " %q") "  %r = call " REF
                                          " @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n  ret " REF
                                          " %q\n"),
               SM_SAFEPOINT_VIOLATION, "without having been relocated");
}

Test(unrelocated, beside_calls_that_relocate) {
    has_roots(
        F("  %t = " STATEPOINT(REF " %p") "  call void @g()\n  %u = " STATEPOINT(REF " %p") "  ret " REF " %p\n"), 3);
}

Test(unrelocated, the_object_is_made_by_llc_of_the_module) {
    has(F("  %t = " STATEPOINT(REF " %p") "  ret " REF " %p\n"), NONE "emit=obj,ir", SM_PART_META,
        "smc compile --quiet --ir=-", 1);
    has(F("  %t = " STATEPOINT(REF " %p") "  ret " REF " %p\n"), NONE "emit=obj,ir", SM_PART_IR,
        "call ptr addrspace(1) @llvm.experimental.gc.relocate", 1);
}

#define UNLISTED(bundles)                                                                                            \
    "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 9, i32 8, ptr "        \
    "elementtype(i64 (i64)) @h, i32 1, i32 0, i64 3, i32 0, i32 0) [ " bundles " ]\n"                                \
    "  %v = call i64 @llvm.experimental.gc.result.i64(token %t)\n  store i64 %v, " REF " %p\n  ret " REF " %q\n"

/* What the optimiser has taken out of a list, because its relocation was not used, makes no such statepoint. */
Test(unlisted, is_what_came_so) {
    is_refused(F("  %t = " STATEPOINT(
                   REF " %p") "  %r = call " REF
                              " @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n  ret " REF " %p\n"),
               SM_SAFEPOINT_VIOLATION, "without having been relocated");
}

Test(unlisted, statepoints_are_completed) {
    has_roots(F(UNLISTED("\"deopt\"(i32 3)")), 2);
    has_roots(F(UNLISTED("\"gc-live\"()")), 2);
    has(F(UNLISTED("\"deopt\"(i32 3)")), NONE, SM_PART_STACKMAP, "\"id\":9,", 1);
    has(F(UNLISTED("\"deopt\"(i32 3)")), NONE, SM_PART_STACKMAP, "\"reason\":\"explicit\",\"callee\":\"h\"", 1);
    has(F(UNLISTED("\"deopt\"(i32 3)")), NONE "emit=obj,ir", SM_PART_IR, "(i64 9, i32 8, ptr elementtype", 1);
    has_roots(
        F("  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 7, i32 0, "
          "ptr elementtype(i64 (i64)) @h, i32 1, i32 0, i64 3, i32 0, i32 0) to label %end unwind label %pad\n"
          "end:\n  %v = call i64 @llvm.experimental.gc.result.i64(token %t)\n  store i64 %v, " REF " %p\n  ret " REF
          " %p\npad:\n  %l = landingpad token cleanup\n  ret " REF " %p\n"),
        1);
}

Test(calls, have_lists_that_are_taken_over) {
    static const char region[] = F("  %s = alloca " REF "\n  store " REF " %p, ptr %s\n"
                                   "  call void @g() [ \"gc-live\"(ptr %s) ]\n"
                                   "  %r = load " REF ", ptr %s\n  ret " REF " %r\n");
    has(region, NONE "opt=0", SM_PART_STACKMAP, "\"kind\":\"direct\"", 1);
    has(region, NONE "opt=2", SM_PART_STACKMAP, "\"kind\":\"direct\"", 1);
    has_roots(F("  %r = call " REF " @new(" REF " null) [ \"gc-live\"(" REF " %p) ]\n  ret " REF " %r\n"), 1);
    has(F("  %s = alloca [2 x " REF "]\n  store " REF " %q, ptr %s\n  br i1 %c, label %call, label %end\n"
          "call:\n  %n = invoke " REF " @new(" REF " %p) [ \"gc-live\"(" REF " %p, ptr %s), \"deopt\"(i32 5) ]\n"
          "    to label %end unwind label %pad\n"
          "end:\n  %r = load " REF ", ptr %s\n  ret " REF " %r\n"
          "pad:\n  %l = landingpad { ptr, i32 } cleanup\n  ret " REF " %q\n"),
        NONE, SM_PART_STACKMAP, "\"kind\":\"direct\"", 1);
}

Test(calls, without_a_strategy_have_no_lists) {
    is_refused("declare void @g()\ndefine void @f(" REF " %p) {\n  call void @g() [ \"gc-live\"(" REF
               " %p) ]\n  ret void\n}\n",
               SM_GC_MISMATCH, "call of g");
}

Test(spaces, others_are_warned_of) {
    static const char space[] = "declare void @g()\ndefine ptr addrspace(2) @f(ptr addrspace(2) %o, " REF " %p)" GC
                                "{\n  call void @g()\n  ret ptr addrspace(2) %o\n}\n";
    has(space, NONE "opt=2", SM_PART_DIAGNOSTICS, "%o, of type ptr addrspace(2), is alive across the call of g", 1);
    has(DECLARE "define ptr @f(ptr %o, " REF " %p)" GC
                "{\n  %t = " STATEPOINT("ptr %o, " REF " %p") "  ret ptr %o\n}\n",
        NONE "opt=2", SM_PART_DIAGNOSTICS, "the call of g lists %o", 1);
}
