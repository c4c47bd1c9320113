/* Calls that cannot collect are no safepoints. Each compiles a module for both targets and says what has to be in the
 * answer. */
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAVES                                                                                                       \
    "@x = external global i64\ndeclare void @g()\ndeclare i64 @pure(i64) memory(none)\ndeclare i64 @reads(i64) "     \
    "memory(read)\n"                                                                                                 \
    "declare void @die() cold noreturn nounwind\ndeclare void @loop() noreturn nounwind\n"                           \
    "declare void @raise() cold noreturn\n"

/* How many statepoints @f has, which calls @t(i64) and makes no other call. */
static void statepoints(const char *functions, const char *options, size_t n) {
    char ir[8192];
    snprintf(ir, sizeof ir,
             LEAVES "%s\ndefine ptr addrspace(1) @f(ptr addrspace(1) %%p, i64 %%n) \"smd-safepoints\"=\"none\" " GC
                    "{\n  %%v = call i64 @t(i64 %%n)\n  store i64 %%v, ptr addrspace(1) %%p\n"
                    "  ret ptr addrspace(1) %%p\n}\n",
             functions);
    char all[300];
    for (int opt = 0; opt <= 3; opt++) {
        snprintf(all, sizeof all, "opt=%d poll=call:stop %s", opt, options);
        has(ir, all, SM_PART_STACKMAP, "\"callee\":\"t\"", n);
    }
}

#define RET          "  %x = load atomic i64, ptr @x monotonic, align 8\n  ret i64 %x\n"
#define T(how, body) "define " how "{\n" body "}\n"
#define INNER        "internal i64 @t(i64 %n) noinline "
#define QUIET        "\"smd-safepoints\"=\"none\" " GC

/* ---- Calls that cannot collect ---- */
Test(leaves, what_cannot_collect_needs_no_statepoint) {
    statepoints(T(INNER, RET), "", 0);
    statepoints(T(INNER, RET), "elide=none", 1);
    statepoints(T(INNER, RET), "elide=readnone,noreturn", 1);
    statepoints(T(INNER QUIET, "  %c = icmp slt i64 %n, 1\n  br i1 %c, label %a, label %b\na:\n  ret i64 7\nb:\n"
                               "  %m = lshr i64 %n, 1\n  %r = call i64 @t(i64 %m)\n  %s = mul i64 %r, %n\n"
                               "  ret i64 %s\n"),
                "", 0);
    statepoints(T(INNER, "  %v = call i64 @pure(i64 %n)\n  ret i64 %v\n"), "", 0);
    statepoints(T(INNER, "  %v = call i64 @pure(i64 %n)\n  ret i64 %v\n"), "elide=leaf", 1);
    statepoints(T(INNER, "  %c = icmp slt i64 %n, 1\n  br i1 %c, label %a, label %b\na:\n  call void @die()\n"
                         "  unreachable\nb:\n" RET),
                "", 0);
    statepoints(T(INNER, "  call void asm sideeffect \"\", \"~{memory}\"()\n" RET), "", 0);
    statepoints("declare i64 @t(i64) memory(none)\n", "", 0);
    statepoints("declare i64 @t(i64)\n", "leaf=other,t", 0);
    statepoints("declare i64 @t(i64)\n", "leaf=t elide=none", 0);
}

Test(leaves, whatever_may_collect_keeps_its_statepoint) {
    statepoints("declare i64 @t(i64)\n", "", 1);
    statepoints("declare i64 @t(i64) nounwind memory(read)\n", "leaf=ta,at", 1);
    statepoints("declare i64 @t(i64) memory(none) " GC "\n", "",
                1); /* managed code of another module may be polled */
    statepoints(T(INNER, "  %v = call i64 @reads(i64 %n)\n  ret i64 %v\n"), "", 1);
    statepoints(T(INNER, "  call void @g()\n" RET), "", 1);
    statepoints("declare i64 @m(i64)\n" T(INNER QUIET, "  %v = musttail call i64 @m(i64 %n)\n  ret i64 %v\n"), "", 1);
    statepoints("@table = external global ptr\n" T(INNER, "  %f = load ptr, ptr @table\n  call void %f()\n" RET), "",
                1);
    statepoints(T("weak i64 @t(i64 %n) noinline ", RET), "", 1);
    statepoints(T("linkonce_odr i64 @t(i64 %n) noinline ", RET), "", 1);
    statepoints(T("available_externally i64 @t(i64 %n) noinline ", RET), "", 1);
    statepoints("@t = weak alias i64 (i64), ptr @u\n" T("i64 @u(i64 %n) noinline ", RET), "", 1);
    statepoints(T("i64 @t(i64 %n) noinline ", RET) "!llvm.module.flags = !{!0}\n"
                                                   "!0 = !{i32 1, !\"SemanticInterposition\", i32 1}\n",
                "", 1);
    statepoints(T(INNER, "  call void asm sideeffect \"nop\", \"\"()\n" RET), "", 1);
    statepoints(
        T("internal i64 @t(i64 %n) naked noinline ", "  call void asm sideeffect \"\", \"\"()\n  unreachable\n"), "",
        1);
    statepoints("@page = external global i8\n" T(INNER, "  %v = load volatile i8, ptr @page\n" RET), "", 1);
    statepoints(T(INNER, "  %c = icmp slt i64 %n, 1\n  br i1 %c, label %a, label %b\na:\n  call void @raise()\n"
                         "  unreachable\nb:\n" RET),
                "", 1);
    statepoints(T(INNER, "  %c = icmp slt i64 %n, 1\n  br i1 %c, label %a, label %b\na:\n  call void @loop()\n"
                         "  unreachable\nb:\n" RET),
                "", 1);
    statepoints(
        T(INNER, "  call void @pure.void() [ \"deopt\"(i32 1) ]\n" RET) "declare void @pure.void() memory(none)\n",
        "opt=0", 1);
    statepoints(T(INNER QUIET, "  call void @h2() \"statepoint-num-patch-bytes\"=\"8\"\n" RET)
                    T("internal void @h2() noinline ", "  ret void\n"),
                "opt=0", 1);
    statepoints(
        T(INNER QUIET, "  %k = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0("
                       "i64 1, i32 0, ptr elementtype(void ()) @h2, i32 0, i32 0, i32 0, i32 0)\n" RET)
            T("internal void @h2() noinline ",
              "  ret void\n") "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n",
        "", 1);
    statepoints(T(INNER "\"smd-safepoints\"=\"entry\" " GC, RET), "", 1);
    statepoints(T(INNER "\"smd-safepoints\"=\"return\" " GC, RET), "", 1);
    statepoints(T(INNER "\"smd-safepoints\"=\"backedge\" " GC,
                  "  br label %l\nl:\n  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n  %j = add i64 %i, 1\n"
                  "  %v = load atomic i64, ptr @x monotonic, align 8\n"
                  "  %c = icmp slt i64 %v, %n\n  br i1 %c, label %l, label %d\nd:\n  ret i64 %j\n"),
                "", 1);
    statepoints(T(INNER QUIET,
                  "  %c = icmp slt i64 %n, 1\n  br i1 %c, label %a, label %b\na:\n" RET "b:\n"
                  "  %m = lshr i64 %n, 1\n  %r = call i64 @u(i64 %m)\n  %s = mul i64 %r, %n\n  ret i64 %s\n")
                    T("internal i64 @u(i64 %n) noinline " QUIET,
                      "  %r = call i64 @t(i64 %n)\n  call void @g()\n  ret i64 %r\n"),
                "", 2);
}

Test(leaves, records_that_are_asked_for_stay) {
    static const char ir[] =
        LEAVES "define ptr addrspace(1) @f(ptr addrspace(1) %p) \"smd-safepoints\"=\"none\" " GC
               "{\n  %a = call i64 @pure(i64 1) [ \"deopt\"(i32 1) ]\n  %b = call i64 @pure(i64 %a) "
               "\"statepoint-id\"=\"7\"\n"
               "  %c = call i64 @pure(i64 %b) \"statepoint-num-patch-bytes\"=\"5\"\n"
               "  %d = call i64 @pure(i64 %c) [ \"gc-live\"(ptr addrspace(1) %p) ]\n  %e = call i64 @pure(i64 %d)\n"
               "  store i64 %e, ptr addrspace(1) %p\n  ret ptr addrspace(1) %p\n}\n";
    has(ir, "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 4);
    has(ir, "opt=2", SM_PART_STACKMAP, "\"reason\":\"call\"", 4);
}

Test(leaves, are_counted) {
    has(LEAVES "define i64 @f(i64 %n)" GC "{\n  %a = call i64 @pure(i64 %n)\n  ret i64 %a\n}\n",
        "opt=0 safepoints=none", SM_PART_META, "were found to collect nothing", 1);
}
