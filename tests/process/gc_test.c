/* LLVM's GC support, row by row: each compiles a module for both targets and says what has to be in the answer. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLL   "declare void @stop()\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n}\n"
#define GC     " gc \"statepoint-example\" "
#define CALLEE "declare void @g()\ndeclare ptr addrspace(1) @h(ptr addrspace(1))\n"
#define LOOP                                                                                                         \
    "define void @f(ptr %p)" GC                                                                                      \
    "{\nentry:\n  br label %loop\nloop:\n  %v = load volatile i8, ptr %p\n  %c = icmp eq i8 %v, 0\n"                 \
    "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n"
#define TWO_CALLS                                                                                                    \
    "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC                                                             \
    "{\n  call void @g()\n  call void @g()\n  ret ptr addrspace(1) %p\n}\n"

Test(placement, each_kind_of_poll_has_its_reason) {
    has(POLL LOOP, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"entry-poll\",\"callee\":\"stop\"", 1);
    has(POLL LOOP, "safepoints=entry", SM_PART_STACKMAP, "\"reason\"", 1);
    has(POLL LOOP, "safepoints=backedge", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
    has(POLL LOOP, "safepoints=entry,backedge", SM_PART_STACKMAP, "\"reason\"", 2);
    has(POLL LOOP, "safepoints=return", SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
    has(POLL CALLEE TWO_CALLS, "safepoints=precall", SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 2);
    has(POLL CALLEE TWO_CALLS, "safepoints=precall", SM_PART_STACKMAP, "\"reason\":\"call\",\"callee\":\"g\"", 2);
    has(POLL LOOP, "safepoints=none", SM_PART_STACKMAP, "\"reason\"", 0);
}

Test(placement, a_function_may_say_for_itself) {
    static const char ir[] =
        POLL "define void @plain() gc \"statepoint-example\" {\n  ret void\n}\n"
             "define void @none() \"smd-safepoints\"=\"none\" gc \"statepoint-example\" {\n  ret void\n}\n"
             "define void @return() \"smd-safepoints\"=\"return\" gc \"statepoint-example\" {\n  ret void\n}\n";
    has(ir, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"entry-poll\"", 1);
    has(ir, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
    refuses(POLL "define void @f() \"smd-safepoints\"=\"sometimes\" gc \"statepoint-example\" {\n  ret void\n}\n", "",
            SM_INVALID_OPTION, "sometimes");
}

/* Behind calls that come back, invokes as well; neither behind polls nor where nothing follows. */
Test(placement, polls_behind_calls) {
    static const char ir[] = POLL CALLEE
        "declare void @end() noreturn\ndeclare i32 @handler(...)\n"
        "define void @i(i1 %c)" GC "personality ptr @handler {\n  invoke void @g() to label %on unwind label %pad\n"
        "on:\n  br i1 %c, label %fine, label %bad\nfine:\n  ret void\nbad:\n  call void @end()\n  unreachable\n"
        "pad:\n  %p = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %p\n}\n";
    for (int opt = 0; opt <= 3; opt++) {
        char options[100];
        snprintf(options, sizeof options, "safepoints=postcall opt=%d", opt);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\"", 2);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
        has(ir, options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\"", 1);
        snprintf(options, sizeof options, "safepoints=precall,postcall,loop,return opt=%d", opt);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 2);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"postcall-poll\"", 2);
        has(POLL CALLEE TWO_CALLS, options, SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
    }
    has(POLL CALLEE TWO_CALLS, "safepoints=postcall stackmap_format=compact", SM_PART_STACKMAP,
        "\"reason\":\"postcall-poll\"", 2);
    has(POLL CALLEE TWO_CALLS, "stackmap_format=compact", SM_PART_STACKMAP, "\"format\":\"compact\"", 1);
}

Test(placement, iterations_are_counted) {
    static const char
        counted[] = POLL "define void @f(ptr %p)" GC
                         "{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %n, %loop ]\n"
                         "  store volatile i32 %i, ptr %p\n  %n = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %n, 8\n"
                         "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n",
        filling[] = /* the optimiser would make a memset of it */
        POLL "define void @f(ptr %p, i64 %m)" GC
             "{\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %n, %loop ]\n"
             "  %q = getelementptr i64, ptr %p, i64 %i\n  store i64 0, ptr %q\n  %n = add nuw nsw i64 %i, 1\n"
             "  %c = icmp ult i64 %n, %m\n  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    for (int opt = 0; opt <= 3; opt++) {
        char options[100];
        snprintf(options, sizeof options, "poll_interval=5 emit=obj,remarks opt=%d", opt);
        has(counted, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
        has(counted, options, SM_PART_STACKMAP, "\"reason\":\"return-poll\"", 1);
        has(counted, options, SM_PART_REMARKS, "1 loop(s) count their iterations: a poll after 5", 1);
        has(counted, options, SM_PART_REMARKS, "no backedge poll", 0);
        snprintf(options, sizeof options, "poll_interval=5 safepoints=return opt=%d", opt);
        has(counted, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 0);
        snprintf(options, sizeof options, "poll_interval=5 emit=obj,ir opt=%d", opt);
        has(filling, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
        has(filling, options, SM_PART_IR, "no-builtin", 0);
    }
    has(POLL "define void @f(ptr %p) \"smd-poll-interval\"=\"0\" " GC "{\n  ret void\n}\n", "poll_interval=4",
        SM_PART_STACKMAP, "\"reason\"", 1);
    refuses(POLL "define void @f() \"smd-poll-interval\"=\"-1\" " GC "{\n  ret void\n}\n", "", SM_INVALID_OPTION,
            "smd-poll-interval");
}

Test(placement, no_poll_between_a_musttail_call_and_its_return) {
    has(POLL "declare void @g()\ndefine void @f()" GC "{\n  musttail call void @g()\n  ret void\n}\n",
        "safepoints=return emit=obj,remarks opt=0", SM_PART_REMARKS, "musttail", 1);
}

Test(placement, elisions_are_tunable) {
    static const char counted[] =
        POLL "define void @f(ptr %p)" GC
             "{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %n, %loop ]\n"
             "  store volatile i32 %i, ptr %p\n  %n = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %n, 5000\n"
             "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    has(counted, "safepoints=backedge opt=1", SM_PART_STACKMAP, "\"reason\"", 0);
    has(counted, "safepoints=backedge opt=1 counted_loop_bits=8", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"",
        1);
    has(counted, "safepoints=backedge opt=1 all_backedges=true", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
    has(POLL LOOP, "safepoints=backedge split_backedges=true", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
}

Test(placement, polls_that_smd_writes) {
    has(LOOP, "poll=call:arrive", SM_PART_STACKMAP, "\"callee\":\"arrive\"", 2);
    has(LOOP, "poll=flag:wanted:arrive", SM_PART_STACKMAP, "\"callee\":\"arrive\"", 2);
    has(LOOP, "poll=flag:wanted:arrive emit=obj,ir", SM_PART_IR, "load volatile i8, ptr @wanted", 2);
    has(LOOP, "poll=call:arrive", SM_PART_META, "\"reproduce\":\"smc compile --quiet --ir=- --target=", 1);
    refuses(LOOP, "", SM_MISSING_POLL, "gc.safepoint_poll");
    refuses(LOOP, "poll=call", SM_INVALID_OPTION, "call:SYMBOL");
    refuses(LOOP, "poll=flag:only", SM_INVALID_OPTION, "flag:SYMBOL:SLOW");
    refuses(POLL LOOP, "poll=call:arrive", SM_POLL_CONFLICT, "of its own");
    refuses("@arrive = global i8 0\n" LOOP, "poll=call:arrive", SM_POLL_CONFLICT, "void()");
    refuses("declare void @wanted()\n" LOOP, "poll=flag:wanted:arrive", SM_POLL_CONFLICT, "i8");
    refuses(LOOP, "poll=page", SM_INVALID_OPTION, "page:SYMBOL");
    refuses(LOOP, "poll=page:a:b", SM_INVALID_OPTION, "page:SYMBOL");
    refuses("declare void @a_page()\n" LOOP, "poll=page:a_page", SM_POLL_CONFLICT, "a variable");
    refuses(POLL LOOP, "poll=page:a_page", SM_POLL_CONFLICT, "of its own");
    refuses(LOOP, "poll=call:llvm.donothing", SM_POLL_CONFLICT, "LLVM's own");
    refuses(LOOP, "poll=flag:wanted:llvm.trap", SM_POLL_CONFLICT, "LLVM's own");
    refuses(LOOP, "poll=page:llvm.used", SM_POLL_CONFLICT, "LLVM's own");
}

/* Where LLVM has left a backedge without a poll, the remarks say why. */
Test(placement, polls_that_were_left_out) {
    static const char ir[] = POLL CALLEE
        "define void @f(ptr %p)" GC "{\nentry:\n  br label %counted\ncounted:\n"
        "  %i = phi i32 [ 0, %entry ], [ %j, %counted ]\n  store volatile i32 %i, ptr %p\n"
        "  %j = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %j, 100\n  br i1 %c, label %counted, label %calls\n"
        "calls:\n  call void @g()\n  %v = load volatile i8, ptr %p\n  %d = icmp eq i8 %v, 0\n"
        "  br i1 %d, label %calls, label %spin\nspin:\n  %w = load volatile i8, ptr %p\n"
        "  %e = icmp eq i8 %w, 0\n  br i1 %e, label %spin, label %done\ndone:\n  ret void\n}\n";
    static const char counted[] = "no backedge poll in loop 'counted': its turns can be counted in 32 bits",
                      calls[] = "no backedge poll in loop 'calls': every turn makes a call";
    has(ir, "opt=1 emit=obj,remarks", SM_PART_REMARKS, counted, 1);
    has(ir, "opt=1 emit=obj,remarks", SM_PART_REMARKS, calls, 1);
    has(ir, "opt=1 emit=obj,remarks", SM_PART_REMARKS, "no backedge poll", 2);
    has(ir, "opt=1 emit=obj,remarks split_backedges=true", SM_PART_REMARKS, "no backedge poll", 2);
    has(ir, "opt=1 emit=obj,remarks counted_loop_bits=4", SM_PART_REMARKS, "no backedge poll", 1);
    has(ir, "opt=1 emit=obj,remarks all_backedges=true", SM_PART_REMARKS, "no backedge poll", 0);
    has(ir, "opt=1 emit=obj,remarks safepoints=backedge,return", SM_PART_REMARKS, "no backedge poll", 2);
}

/* ---- Calls that cannot collect ---- */

#define RET "  %x = load atomic i64, ptr @x monotonic, align 8\n  ret i64 %x\n"
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

#define T(how, body) "define " how "{\n" body "}\n"
#define INNER        "internal i64 @t(i64 %n) noinline "
#define QUIET        "\"smd-safepoints\"=\"none\" " GC

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

/* Whoever calls a leaf has no record, and no walk would come past the leaf's frame. */
Test(leaves, have_neither_polls_nor_statepoints) {
    static const char ir[] = LEAVES "define i64 @t(i64 %n) noinline \"gc-leaf-function\" " GC
                                    "{\nentry:\n  br label %l\nl:\n  %k = phi i64 [ 0, %entry ], [ %m, %l ]\n"
                                    "  %a = call i64 @reads(i64 %k)\n  store volatile i64 %a, ptr @x\n"
                                    "  %m = add i64 %k, 1\n  %c = icmp slt i64 %m, %n\n"
                                    "  br i1 %c, label %l, label %d\nd:\n  ret i64 %k\n}\n";
    for (int opt = 0; opt <= 3; opt++) {
        char options[120];
        snprintf(options, sizeof options, "opt=%d poll=call:stop safepoints=entry,backedge,return emit=obj,remarks",
                 opt);
        has(ir, options, SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 0);
        has(ir, options, SM_PART_REMARKS, "neither polls nor statepoints: the function is a leaf", 1);
        has(ir, options, SM_PART_REMARKS, "no statepoint at the call of reads: the function that makes it is a leaf",
            1);
    }
}

#define LEAF_CALLS(call) "define void @t(ptr addrspace(1) %p) \"gc-leaf-function\" " GC "{\n" call "  ret void\n}\n"

Test(leaves, that_have_safepoints_are_refused) {
    refuses(LEAVES LEAF_CALLS("  call void @g() [ \"deopt\"(i32 1) ]\n"), "safepoints=none", SM_CANNOT_REWRITE,
            "the call of g in it asks for a record");
    refuses(LEAVES
            "declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 "
            "immarg, ...)\n" LEAF_CALLS(
                "  %s = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, "
                "ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)\n"),
            "safepoints=none", SM_CANNOT_REWRITE, "the call of g in it asks for a record");
    refuses(LEAVES "define void @u() noinline " GC
                   "{\n  call void @g()\n  ret void\n}\n" LEAF_CALLS("  call void @u()\n"),
            "safepoints=none", SM_CANNOT_REWRITE, "calls u, which has safepoints");
}

/* A loop that makes leaf calls alone is polled, as LLVM takes only safepoints for a reason to leave that out. */
Test(leaves, a_loop_of_leaf_calls_is_polled) {
    static const char ir[] =
        LEAVES "define void @f(ptr %p)" GC "{\n  br label %l\nl:\n  %v = load volatile i64, ptr %p\n"
               "  %w = call i64 @pure(i64 %v)\n  store volatile i64 %w, ptr %p\n  %c = icmp slt i64 %w, 9\n"
               "  br i1 %c, label %l, label %d\nd:\n  ret void\n}\n";
    for (int opt = 0; opt <= 3; opt++) {
        char options[100];
        snprintf(options, sizeof options, "opt=%d poll=call:stop safepoints=backedge", opt);
        has(ir, options, SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
        has(ir, options, SM_PART_STACKMAP, "\"reason\":\"call\"", 0);
        snprintf(options, sizeof options, "opt=%d poll=call:stop safepoints=backedge elide=none", opt);
        has(ir, options, SM_PART_STACKMAP, "\"reason\":\"call\"", 1);
    }
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

Test(leaves, each_one_is_said) {
    static const char ir[] =
        LEAVES "define internal i64 @t(i64 %n) noinline {\n  ret i64 %n\n}\n"
               "define void @f(i64 %n) \"smd-safepoints\"=\"none\" " GC
               "{\n  %a = call i64 @t(i64 %n)\n  %b = call i64 @pure(i64 %a)\n  %c = call i64 @reads(i64 %b)\n"
               "  call void @die()\n  unreachable\n}\n";
    has(ir, "opt=0 emit=obj,remarks", SM_PART_REMARKS,
        "no statepoint at the call of t: nothing that it does can collect", 1);
    has(ir, "opt=0 emit=obj,remarks", SM_PART_REMARKS, "no statepoint at the call of pure: it touches no memory", 1);
    has(ir, "opt=0 emit=obj,remarks", SM_PART_REMARKS, "no statepoint at the call of die: it is cold", 1);
    has(ir, "opt=0 emit=obj,remarks leaf=reads", SM_PART_REMARKS, "no statepoint at the call of reads: leaf lists it",
        1);
    has(ir, "opt=0 emit=obj,remarks elide=none", SM_PART_REMARKS, "no statepoint", 0);
    has(LEAVES "define i64 @f(i64 %n)" GC "{\n  %a = call i64 @pure(i64 %n)\n  ret i64 %a\n}\n",
        "opt=0 safepoints=none", SM_PART_META, "were found to collect nothing", 1);
    refuses(LEAVES "define void @t() noinline {\n  call void @g()\n  ret void\n}\n"
                   "define void @f() gc \"statepoint-example\" {\n  call void @t()\n  ret void\n}\n",
            "safepoints=none leaf=t opt=0", SM_INVALID_OPTION, "leaf lists this function, which calls g");
}

/* The object's code, disassembled with its relocations by llvm-objdump-19, holds WHAT so many times. */
static void disassembles(const char *ir, const char *options, const char *target, const char *what, size_t times) {
    struct compiled c = compile(ir, options, target);
    int status;
    cr_assert_eq(c.artifact.status, SM_OK, "%s %s: %s", target, options, c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    struct bytes text =
        run_command("cat >/tmp/gc-$$.o && llvm-objdump-19 -dr --no-show-raw-insn /tmp/gc-$$.o; rm /tmp/gc-$$.o",
                    object.data, object.len, &status);
    cr_assert_eq(count((char *)text.data, what), times, "%s %s: %s in\n%s", target, options, what, (char *)text.data);
    bytes_free(text);
    drop(&c);
}

/* A load where the poll is, of the page that the symbol names; the record says where it faults. */
Test(placement, a_page_that_is_taken_away) {
    has(LOOP, "poll=page:a_page", SM_PART_STACKMAP, "\"callee\":\"a_page\",\"fault_offset\":", 2);
    has(LOOP, "poll=page:a_page reloc=static opt=0", SM_PART_STACKMAP, "\"fault_offset\":", 2);
    has(LOOP, "poll=page:a_page", SM_PART_META, "smc page-polls --map=", 1);
    has("@a_page = global [4096 x i8] zeroinitializer\n" LOOP, "poll=page:a_page", SM_PART_STACKMAP,
        "\"fault_offset\":", 2);
    disassembles(LOOP, "poll=page:a_page", targets[0], "testl\t%eax, (%r11)", 2);
    disassembles(LOOP, "poll=page:a_page", targets[0], "R_X86_64_REX_GOTPCRELX\ta_page-0x4", 2);
    disassembles(LOOP, "poll=page:a_page reloc=static", targets[0], "R_X86_64_PC32\ta_page-0x4", 2);
    disassembles(LOOP, "poll=page:a_page code_model=large", targets[0], "R_X86_64_64\ta_page", 2);
    disassembles(LOOP, "poll=page:a_page", targets[1], "R_AARCH64_LD64_GOT_LO12_NC\ta_page", 2);
    disassembles(LOOP, "poll=page:a_page reloc=static", targets[1], "R_AARCH64_LDST32_ABS_LO12_NC\ta_page", 2);
    disassembles(LOOP, "poll=page:a_page reloc=static", targets[1], "ldr\twzr, [x16]", 2);
}

/* Functions in sections of their own, of which some have no relocations otherwise. */
Test(placement, a_page_polled_from_many_sections) {
    static const char ir[] =
        "$k = comdat any\n"
        "define void @f(ptr %p) section \"one\" gc \"statepoint-example\" {\n  ret void\n}\n"
        "define void @g(ptr %p) section \"two\" gc \"statepoint-example\" {\n  ret void\n}\n"
        "define linkonce_odr void @k(ptr %p) comdat gc \"statepoint-example\" {\n  ret void\n}\n"
        "define void @h(ptr %p) gc \"statepoint-example\" {\n  call void @k(ptr %p)\n  ret void\n}\n";
    for (int i = 0; i < 2; i++) {
        disassembles(ir, "poll=page:a_page reloc=static opt=0 safepoints=entry", targets[i],
                     i ? "R_AARCH64_ADR_PREL_PG_HI21\ta_page" : "R_X86_64_PC32\ta_page-0x4", 4);
        has(ir, "poll=page:a_page opt=0 safepoints=entry", SM_PART_STACKMAP, "\"fault_offset\":", 4);
    }
}

#define NONE   "safepoints=none "
#define POLLED "safepoints=entry,precall poll=call:stop "

Test(statepoints, explicit_abstract_and_none_in_one_module) {
    static const char ir[] = CALLEE TWO_CALLS
        "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
        "define void @explicit()" GC
        "{\n  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 77, i32 0, ptr "
        "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)\n  ret void\n}\n"
        "define void @plain() {\n  call void @g()\n  ret void\n}\n";
    has(ir, NONE, SM_PART_STACKMAP, "\"reason\":\"explicit\",\"callee\":\"g\"", 1);
    has(ir, NONE, SM_PART_STACKMAP, "\"id\":77", 1);
    has(ir, NONE, SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
    has(ir, NONE, SM_PART_STACKMAP, "\"name\":\"plain\"", 0);
}

Test(statepoints, indirect_callees) {
    has("define ptr addrspace(1) @f(ptr addrspace(1) %p, ptr %callee)" GC
        "{\n  call void %callee()\n  ret ptr addrspace(1) %p\n}\n",
        NONE, SM_PART_STACKMAP, "\"callee\":\"indirect\"", 1);
}

#define INVOKE(pad)                                                                                                  \
    "declare void @g()\ndeclare i32 @personality(...)\n"                                                             \
    "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" personality ptr @personality {\n"     \
    "  invoke void @g() to label %ok unwind label %bad\nok:\n  ret ptr addrspace(1) %p\nbad:\n  %l = "               \
    "landingpad " pad " cleanup\n  ret ptr addrspace(1) %p\n}\n"

Test(statepoints, invokes_relocate_on_both_edges) {
    has(INVOKE("token"), NONE "emit=obj,ir", SM_PART_IR,
        "call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token", 2);
    has(INVOKE("{ ptr, i32 }"), NONE "emit=obj,ir", SM_PART_IR,
        "call coldcc ptr addrspace(1) @llvm.experimental.gc.relocate.p1.pad0({ ptr, i32 }", 1);
    has(INVOKE("{ ptr, i64 }"), NONE "opt=0", SM_PART_STACKMAP, "\"base\"", 1);
}

/* Two pads with the same relocations, which AArch64's code generation would like to make one; a handler of two calls,
 * whose pads are joined; a resume. */
#define PADS                                                                                                         \
    CALLEE "declare i32 @personality(...)\n"                                                                         \
           "define ptr addrspace(1) @f(ptr addrspace(1) %p, i1 %c)" GC "personality ptr @personality {\n"            \
           "entry:\n  br i1 %c, label %a, label %b\na:\n  invoke void @g() to label %x unwind label %pa\n"           \
           "b:\n  invoke void @g() to label %y unwind label %pb\nx:\n"                                               \
           "  invoke void @g() to label %y unwind label %shared\ny:\n"                                               \
           "  invoke void @g() to label %z unwind label %shared\nz:\n  ret ptr addrspace(1) %p\n"                    \
           "pa:\n  %l = landingpad { ptr, i32 } cleanup\n  br label %out\n"                                          \
           "pb:\n  %m = landingpad { ptr, i32 } cleanup\n  br label %out\nout:\n"                                    \
           "  %r = call ptr addrspace(1) @h(ptr addrspace(1) %p)\n  ret ptr addrspace(1) %p\n"                       \
           "shared:\n  %s = landingpad { ptr, i32 } cleanup\n"                                                       \
           "  %t = call ptr addrspace(1) @h(ptr addrspace(1) %p)\n  store i64 1, ptr addrspace(1) %p\n"              \
           "  resume { ptr, i32 } %s\n}\n"

/* What llc-19 makes of the answer's IR is the answer's object. */
static void is_what_llc_makes(const char *ir, const char *options, const char *target, const char *llc) {
    char all[512], line[1024];
    int status;
    snprintf(all, sizeof all, "%s emit=obj,ir", options);
    struct compiled c = compile(ir, all, target);
    cr_assert_eq(c.artifact.status, SM_OK, "%s %s: %s", target, options, c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(line, sizeof line, "llc-19 -disable-verify -relocation-model=pic -filetype=obj %s", llc);
    struct bytes made = run_command(line, c.text[SM_PART_IR], strlen(c.text[SM_PART_IR]), &status);
    cr_assert_eq(status, 0, "%s", line);
    cr_expect(made.len == object.len && memcmp(made.data, object.data, made.len) == 0, "%s %s: %s", target, options,
              line);
    bytes_free(made);
    drop(&c);
}

Test(statepoints, landing_pads_that_give_the_exception) {
    static const char *const options[] = {NONE "opt=0",
                                          NONE "opt=1",
                                          NONE "opt=2",
                                          NONE "opt=3",
                                          NONE "opt=2 verify=ir",
                                          NONE "opt=2 verify=off",
                                          NONE "opt=1 gc_registers=4"};
    static const char *const llc[] = {
        "-O0",
        "-O1",
        "-O2",
        "-O3",
        "-O2",
        "-O2",
        "-O1 -max-registers-for-gc-values=4 -fixup-allow-gcptr-in-csr -use-registers-for-gc-values-in-landing-pad"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int t = 0; t < 2; t++)
            is_what_llc_makes(PADS, options[i], targets[t], llc[i]);
    has(PADS, NONE "opt=0", SM_PART_STACKMAP, "\"callee\":\"h\"", 2);
    has(PADS, NONE "opt=0", SM_PART_STACKMAP, "\"derived\":{", 6);
}

Test(statepoints, a_musttail_call_has_no_frame) {
    static const char ir[] = CALLEE "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC "{\n  call void @g()\n"
                                    "  %r = musttail call ptr addrspace(1) @h(ptr addrspace(1) %p)\n"
                                    "  ret ptr addrspace(1) %r\n}\n";
    static const char *const levels[] = {NONE "opt=0", NONE "opt=2", POLLED "opt=1"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        disassembles(ir, levels[i], targets[0], "jmp", 1);
        disassembles(ir, levels[i], targets[1], "\tb\t", 1);
        has(ir, levels[i], SM_PART_STACKMAP, "\"callee\":\"h\"", 0);
        has(ir, levels[i], SM_PART_STACKMAP, "\"callee\":\"g\"", 1);
    }
    has(ir, POLLED "opt=1", SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 2);
    refuses(CALLEE "define void @f(i32 %n)" GC
                   "{\n  musttail call void @k(i32 %n) [ \"deopt\"(i32 %n) ]\n  ret void\n}\n"
                   "declare void @k(i32)\n",
            NONE "opt=0", SM_CANNOT_REWRITE, "\\\"deopt\\\" operands");
}

Test(statepoints, derived_pointers_keep_their_base) {
    static const char ir[] =
        "declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %c, i64 %i)" GC
        "{\n"
        "  %s = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b\n  %d = getelementptr i8, ptr addrspace(1) "
        "%s, i64 %i\n"
        "  call void @g()\n  ret ptr addrspace(1) %d\n}\n";
    for (int i = 0; i < 2; i++) {
        struct compiled c = compile(ir, NONE "opt=0 remat=false", targets[i]);
        cr_assert_eq(c.artifact.status, SM_OK);
        cr_assert(strstr(c.text[SM_PART_EXPLAIN], "derived from"), "%s", c.text[SM_PART_EXPLAIN]);
        drop(&c);
    }
}

Test(statepoints, rematerialisation_can_be_switched_off) {
    static const char ir[] = "declare void @g()\ndefine i64 @f(ptr addrspace(1) %a)" GC
                             "{\n  %d = getelementptr i8, ptr addrspace(1) %a, i64 8\n  call void @g()\n"
                             "  %x = load i64, ptr addrspace(1) %a\n  %y = load i64, ptr addrspace(1) %d\n  %z = add "
                             "i64 %x, %y\n  ret i64 %z\n}\n";
    has(ir, NONE "opt=0 remat=true", SM_PART_STACKMAP, "\"base\"", 1);
    has(ir, NONE "opt=0 remat=false", SM_PART_STACKMAP, "\"base\"", 2);
}

Test(statepoints, directives_and_leaves) {
    static const char ir[] =
        CALLEE "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC
               "{\n  call void @g() \"statepoint-id\"=\"1234\" \"statepoint-num-patch-bytes\"=\"8\"\n"
               "  call void @g() \"gc-leaf-function\"\n  ret ptr addrspace(1) %p\n}\n";
    has(ir, NONE, SM_PART_STACKMAP, "\"id\":1234", 1);
    has(ir, NONE, SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
}

Test(statepoints, deopt_values_of_all_kinds) {
    static const char ir[] = "declare void @g()\ndefine void @f(i64 %x, double %y)" GC "{\n"
                             "  call void @g() [ \"deopt\"(i32 -1, i64 1234567890123456789, i8 7, i64 %x, ptr null, "
                             "double %y, float 1.0) ]\n  ret void\n}\n";
    has(ir, NONE, SM_PART_STACKMAP, "{\"kind\":\"constant\",\"value\":1234567890123456789,\"size\":8}", 1);
    has(ir, NONE, SM_PART_STACKMAP, "\"value\":-1", 1);
    has(ir, NONE, SM_PART_STACKMAP, "\"value\":7", 1);
}

Test(statepoints, transitions_and_conventions) {
    has("declare void @g()\ndefine void @f()" GC "{\n  call void @g() [ \"gc-transition\"() ]\n  ret void\n}\n", NONE,
        SM_PART_STACKMAP, "\"gc_transition\":true", 1);
    has("declare fastcc void @g()\ndefine void @f()" GC "{\n  call fastcc void @g()\n  ret void\n}\n", NONE,
        SM_PART_STACKMAP, "\"calling_convention\":{\"id\":8,\"name\":\"fastcc\"}", 1);
}

Test(statepoints, base_and_offset_intrinsics) {
    has("declare void @g()\ndeclare ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1))\n"
        "declare i64 @llvm.experimental.gc.get.pointer.offset.p1(ptr addrspace(1))\n"
        "define i64 @f(ptr addrspace(1) %a, i64 %i)" GC "{\n  %d = getelementptr i8, ptr addrspace(1) %a, i64 %i\n"
        "  %b = call ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1) %d)\n"
        "  %o = call i64 @llvm.experimental.gc.get.pointer.offset.p1(ptr addrspace(1) %d)\n  call void @g()\n"
        "  %v = load i64, ptr addrspace(1) %b\n  %s = add i64 %v, %o\n  ret i64 %s\n}\n",
        NONE "emit=obj,ir", SM_PART_IR, "call i64 @llvm.experimental.gc.get.pointer", 0);
}

Test(statepoints, atomic_memcpy_leaf_and_parseable) {
    static const char ir[] =
        "declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i32)\n"
        "define void @f(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n)" GC "{\n"
        "  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i32(ptr addrspace(1) align 4 %a, ptr addrspace(1) "
        "align 4 %b, i32 %n, "
        "i32 4)%s\n  ret void\n}\n";
    char parseable[2048], leaf[2048];
    const char *at = strstr(ir, "%s");
    snprintf(parseable, sizeof parseable, "%.*s%s", (int)(at - ir), ir, at + 2);
    snprintf(leaf, sizeof leaf, "%.*s \"gc-leaf-function\"%s", (int)(at - ir), ir, at + 2);
    has(parseable, NONE, SM_PART_STACKMAP, "\"callee\":\"__llvm_memcpy_element_unordered_atomic_safepoint_4\"", 1);
    has(leaf, NONE, SM_PART_STACKMAP, "\"callee\"", 0);
}

Test(statepoints, allocas_are_regions) {
    has("declare void @g(ptr)\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
        "define void @f()" GC "{\n  %a = alloca ptr addrspace(1)\n  store ptr addrspace(1) null, ptr %a\n"
        "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "
        "elementtype(void (ptr)) @g, i32 1, i32 0, ptr "
        "%a, i32 0, i32 0) [ \"gc-live\"(ptr %a) ]\n  ret void\n}\n",
        NONE "opt=0", SM_PART_STACKMAP, "\"regions\":[{\"kind\":\"direct\"", 1);
}

Test(statepoints, pointers_may_stay_in_registers) {
    static const char ir[] = CALLEE TWO_CALLS;
    has(ir, NONE "gc_registers=0", SM_PART_STACKMAP, "\"kind\":\"register\"", 0);
    for (int i = 0; i < 2; i++) {
        struct compiled c = compile(ir, NONE "gc_registers=4", targets[i]);
        cr_assert(count(c.text[SM_PART_STACKMAP], "\"kind\":\"register\"") >= 2, "%s", c.text[SM_PART_STACKMAP]);
        drop(&c);
    }
}

Test(statepoints, frame_pointers) {
    for (int i = 0; i < 2; i++) {
        struct compiled none = compile(CALLEE TWO_CALLS, NONE "emit=asm,obj frame_pointer=none", targets[i]),
                        all = compile(CALLEE TWO_CALLS, NONE "emit=asm,obj frame_pointer=all", targets[i]);
        const char *set_up = i ? "x29, sp, #" : "movq\t%rsp, %rbp";
        cr_assert_eq(count(none.text[SM_PART_ASM], set_up), 0, "%s", none.text[SM_PART_ASM]);
        cr_assert_eq(count(all.text[SM_PART_ASM], set_up), 1, "%s", all.text[SM_PART_ASM]);
        drop(&none);
        drop(&all);
    }
}

/* LLVM's rewrite would wrap it in a statepoint that does not verify, or die of it. */
Test(statepoints, inline_assembly_is_no_safepoint) {
#define ASSEMBLY(call)                                                                                               \
    CALLEE "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC "{\n  " call                                         \
           "\n  call void @g()\n  ret ptr addrspace(1) %p\n}\n"
    static const char *const modules[] = {
        ASSEMBLY("call void asm sideeffect \"nop\", \"\"()"),
        ASSEMBLY("callbr void asm sideeffect \"nop\", \"!i\"() to label %a [label %a]\na:"),
    };
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        has(modules[i], NONE, SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
        has(modules[i], NONE "verify=off", SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
        has(modules[i], NONE "emit=obj,asm", SM_PART_ASM, "\tnop\n", 1);
        has(modules[i], NONE, SM_PART_META, "\"reproduce\":\"smc compile ", 1);
    }
    has(ASSEMBLY("call void asm sideeffect \"nop\", \"\"() \"gc-leaf-function\""), NONE, SM_PART_META,
        "\"reproduce\":\"opt-19", 1);
}

/* It never returns: no poll comes behind it, of whatever kind. */
Test(statepoints, deoptimization_ends_a_function) {
    static const char ir[] = "declare i32 @llvm.experimental.deoptimize.i32(...)\n"
                             "define i32 @f(ptr addrspace(1) %p)" GC
                             "{\n  %v = call i32 (...) @llvm.experimental.deoptimize.i32() [\"deopt\"(i32 0, ptr "
                             "addrspace(1) %p)]\n  ret i32 %v\n}\n";
    static const char *const polls[] = {"poll=call:p", "poll=flag:a:b", "poll=page:a"};
    for (int i = 0; i < 3; i++) {
        has(ir, polls[i], SM_PART_STACKMAP, "\"callee\":\"__llvm_deoptimize\"", 1);
        char with_returns[80];
        snprintf(with_returns, sizeof with_returns, "%s safepoints=return", polls[i]);
        has(ir, with_returns, SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
    }
    has(ir, "poll=flag:a:b", SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
}

Test(statepoints, vectors_of_pointers) {
    has("declare void @g()\ndefine <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %v)" GC
        "{\n  call void @g()\n  ret <2 x ptr addrspace(1)> %v\n}\n",
        NONE, SM_PART_STACKMAP, "\"base\"", 2);
}

#define VECTOR "<2 x ptr addrspace(1)>"
#define BESIDE(parameters, result, body)                                                                             \
    CALLEE "define " result " @f(" parameters ")" GC "{\n  call void @g()\n" body "}\n"

/* What AArch64 would fold relocations into: an element by its index, a lane, all lanes, a lane of integers. */
Test(statepoints, vectors_beside_relocations) {
    static const char *const modules[] = {
        BESIDE(VECTOR " %v, i64 %i", "ptr addrspace(1)",
               "  %j = and i64 %i, 1\n  %x = extractelement " VECTOR " %v, i64 %j\n  ret ptr addrspace(1) %x\n"),
        BESIDE("ptr addrspace(1) %p, " VECTOR " %v", VECTOR,
               "  %y = insertelement " VECTOR " %v, ptr addrspace(1) %p, i32 1\n  ret " VECTOR " %y\n"),
        BESIDE("ptr addrspace(1) %p, ptr addrspace(1) %q", VECTOR,
               "  %a = insertelement " VECTOR " poison, ptr addrspace(1) %p, i32 0\n"
               "  %b = shufflevector " VECTOR " %a, " VECTOR " poison, <2 x i32> zeroinitializer\n  ret " VECTOR
               " %b\n"),
        BESIDE("ptr addrspace(1) %p, <2 x i64> %v", "<2 x i64>",
               "  %n = ptrtoint ptr addrspace(1) %p to i64\n  %y = insertelement <2 x i64> %v, i64 %n, i32 1\n"
               "  ret <2 x i64> %y\n"),
    };
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        for (int level = 0; level < 4; level++) {
            char options[64];
            snprintf(options, sizeof options, NONE "opt=%d", level);
            has(modules[i], options, SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
        }
    for (int i = 0; i < 2; i++) { /* on AArch64 alone, and it is said */
        struct compiled c = compile(modules[1], NONE "emit=ir,obj", targets[i]);
        cr_assert_eq(count(c.text[SM_PART_IR], "freeze"), i ? 2 : 0, "%s", c.text[SM_PART_IR]);
        cr_assert_eq(count(c.text[SM_PART_META], "reproduce_note"), i ? 1 : 0, "%s", c.text[SM_PART_META]);
        drop(&c);
    }
}

#define UNSAFE                                                                                                       \
    "declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"           \
    "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"                                  \
    "define ptr addrspace(1) @f(ptr addrspace(1) %p)" GC                                                             \
    "{\n  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "     \
    "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ \"gc-live\"(ptr addrspace(1) %p) ]\n"                    \
    "  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n"                       \
    "  ret ptr addrspace(1) %p\n}\n"

Test(statepoints, the_safepoint_verifier_is_an_option) {
    refuses(UNSAFE, NONE "opt=0", SM_SAFEPOINT_VIOLATION, "\"function\":\"f\"");
    has(UNSAFE, NONE "opt=0 verify=ir", SM_PART_STACKMAP, "\"reason\":\"explicit\"", 1);
    has(UNSAFE, NONE "opt=0 verify=off", SM_PART_STACKMAP, "\"reason\":\"explicit\"", 1);
}

#define LISTLESS(flags)                                                                                              \
    "declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"           \
    "define i64 @f(ptr addrspace(1) %p)" GC "{\n  %t = call token (i64, i32, ptr, i32, i32, ...) "                   \
    "@llvm.experimental.gc.statepoint.p0(i64 7, i32 0, ptr elementtype(void ()) @g, i32 0, i32 " flags               \
    ", i32 0, i32 0)\n  %v = load i64, ptr addrspace(1) %p\n  ret i64 %v\n}\n"

/* A transition without operands is a flag of the statepoint alone. */
Test(statepoints, those_without_lists_keep_their_flags) {
    static const char *const transition[] = {"\"gc_transition\":false", "\"gc_transition\":true"};
    for (int i = 0; i < 2; i++) {
        struct compiled c = compile(i ? LISTLESS("1") : LISTLESS("0"), NONE, "x86_64-linux-gnu");
        cr_expect_eq(count(c.text[SM_PART_STACKMAP], transition[i]), 1, "%s", c.text[SM_PART_STACKMAP]);
        cr_expect_eq(count(c.text[SM_PART_STACKMAP], "\"base\":"), 1);
        drop(&c);
    }
}

#define ROOTED(name, gc)                                                                                             \
    "define void @" name "() gc \"" gc                                                                               \
    "\" {\n  %a = alloca ptr\n  %b = alloca ptr\n  call void @llvm.gcroot(ptr %a, ptr null)\n"                       \
    "  call void @llvm.gcroot(ptr %b, ptr @meta)\n  store ptr null, ptr %a\n  store ptr null, ptr %b\n  call void "  \
    "@g()\n  call void @g()\n  ret void\n}\n"
#define ROOTS "declare void @llvm.gcroot(ptr, ptr)\ndeclare void @g()\n@meta = constant i32 5\n"

#define AGGREGATE(body)                                                                                              \
    CALLEE "declare { ptr addrspace(1), i64 } @two()\ndeclare void @take({ ptr addrspace(1), i64 })\n"               \
           "declare i32 @personality(...)\n" body

static void splits(const char *ir, size_t roots) {
    has(ir, NONE "opt=0", SM_PART_STACKMAP, "\"base\":", roots);
    has(ir, NONE "opt=2", SM_PART_STACKMAP, "\"base\":", roots);
}

/* A pointer inside an aggregate that is alive across a safepoint would keep its old value, as LLVM has it. So the aggregate
 * is split into parts: what is alive then is the pointer. */
Test(aggregates, are_split_where_they_cross_safepoints, .timeout = 120) {
    splits(AGGREGATE("define ptr addrspace(1) @f({ ptr addrspace(1), i64 } %a)" GC
                     "{\n  call void @g()\n  %p = extractvalue { ptr addrspace(1), i64 } %a, 0\n"
                     "  ret ptr addrspace(1) %p\n}\n"),
           1);
    splits(AGGREGATE("define { ptr addrspace(1), i64 } @f(i1 %c, { ptr addrspace(1), i64 } %b)" GC
                     "{\n  %a = call { ptr addrspace(1), i64 } @two()\n"
                     "  %s = select i1 %c, { ptr addrspace(1), i64 } %a, { ptr addrspace(1), i64 } %b\n"
                     "  call void @g()\n  ret { ptr addrspace(1), i64 } %s\n}\n"),
           2); /* of b across two, and of s across g */
    splits(AGGREGATE("define { ptr addrspace(1), i64 } @f()" GC "personality ptr @personality {\n"
                     "  %a = invoke { ptr addrspace(1), i64 } @two() to label %on unwind label %off\non:\n"
                     "  invoke void @g() to label %out unwind label %off\nout:\n"
                     "  ret { ptr addrspace(1), i64 } %a\noff:\n  %l = landingpad { ptr, i32 } cleanup\n"
                     "  resume { ptr, i32 } %l\n}\n"),
           1);
    splits(AGGREGATE("define [2 x { i8, ptr addrspace(1) }] @f([2 x { i8, ptr addrspace(1) }] %a)" GC
                     "{\n  call void @g()\n  ret [2 x { i8, ptr addrspace(1) }] %a\n}\n"),
           2);
    /* A derived pointer that was put in has its base. */
    has(AGGREGATE("define { ptr addrspace(1), i64 } @f(ptr addrspace(1) %p, i1 %c)" GC "{\nentry:\n"
                  "  %d = getelementptr i8, ptr addrspace(1) %p, i64 8\n"
                  "  %a = insertvalue { ptr addrspace(1), i64 } undef, ptr addrspace(1) %d, 0\n"
                  "  br i1 %c, label %x, label %y\nx:\n  br label %y\ny:\n"
                  "  %b = phi { ptr addrspace(1), i64 } [ %a, %entry ], [ zeroinitializer, %x ]\n"
                  "  call void @g()\n  ret { ptr addrspace(1), i64 } %b\n}\n"),
        NONE "opt=0 emit=ir,obj", SM_PART_IR, "%p", 3);
    has(AGGREGATE("define void @f()" GC "{\n  %a = call { ptr addrspace(1), i64 } @two()\n"
                  "  call void @take({ ptr addrspace(1), i64 } %a)\n  ret void\n}\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
}

/* What has too many parts is refused by name; one that is taken apart before, or put together after, is as it was. */
Test(misuse, aggregates_across_safepoints) {
    refuses(AGGREGATE("define [65 x ptr addrspace(1)] @f([65 x ptr addrspace(1)] %a)" GC
                      "{\n  call void @g()\n  ret [65 x ptr addrspace(1)] %a\n}\n"),
            NONE "opt=0", SM_CANNOT_REWRITE, "%a of type [65 x ptr addrspace(1)]");
    has(AGGREGATE("define ptr addrspace(1) @f()" GC "{\n  %a = call { ptr addrspace(1), i64 } @two()\n"
                  "  %p = extractvalue { ptr addrspace(1), i64 } %a, 0\n  call void @g()\n"
                  "  ret ptr addrspace(1) %p\n}\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 2);
    has(AGGREGATE("define { ptr addrspace(1), i64 } @f(ptr addrspace(1) %p)" GC
                  "{\n  call void @g()\n  %a = insertvalue { ptr addrspace(1), i64 } undef, ptr addrspace(1) %p, 0\n"
                  "  ret { ptr addrspace(1), i64 } %a\n}\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"reason\":\"call\"", 1);
}

#define OWN_STATEPOINT(base, derived, after)                                                                         \
    "declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"           \
    "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"                                  \
    "define ptr addrspace(1) @f(ptr addrspace(1) %p, i1 %c)" GC                                                      \
    "{\n  %d = getelementptr i8, ptr addrspace(1) %p, i64 8\n"                                                       \
    "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "        \
    "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) "                                                          \
    "[\"gc-live\"(ptr addrspace(1) %p, ptr addrspace(1) %d)]\n"                                                      \
    "  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 " base ", i32 " derived            \
    ")\n" after "}\n"

/* Further safepoints where the module has statepoints of its own: LLVM takes what these relocated for a base. */
Test(misuse, derived_pointers_relocated_before) {
    refuses(OWN_STATEPOINT("0", "1", "  call void @g()\n  ret ptr addrspace(1) %r\n"), NONE "opt=0",
            SM_CANNOT_REWRITE, "%r is a derived pointer");
    refuses(
        OWN_STATEPOINT("0", "1", "  call void @g() [\"deopt\"(ptr addrspace(1) %r)]\n  ret ptr addrspace(1) null\n"),
        NONE "opt=0", SM_CANNOT_REWRITE, "across the call of g");
    refuses(OWN_STATEPOINT("0", "1",
                           "  %q = select i1 %c, ptr addrspace(1) %r, ptr addrspace(1) null\n  call void @g()\n"
                           "  ret ptr addrspace(1) %q\n"),
            NONE "opt=0", SM_CANNOT_REWRITE, "%r is a derived pointer");
    has(OWN_STATEPOINT("0", "0", "  call void @g()\n  ret ptr addrspace(1) %r\n"), NONE "opt=0", SM_PART_STACKMAP,
        "\"kind\":\"statepoint\"", 2);
    has(OWN_STATEPOINT("0", "1", "  ret ptr addrspace(1) %r\n"), NONE "opt=0", SM_PART_STACKMAP,
        "\"kind\":\"statepoint\"", 1);
}

/* LLVM takes the pointers among deoptimisation values for objects' addresses, at every safepoint of the function. */
Test(misuse, derived_pointers_as_deoptimisation_values) {
#define STATE(before, v, more)                                                                                       \
    CALLEE "declare i64 @llvm.experimental.deoptimize.i64(...)\n"                                                    \
           "define i64 @f(ptr addrspace(1) %o, ptr addrspace(1) %r, i1 %c)" GC "{\nentry:\n" before                  \
           "  call void @g() [ \"deopt\"(i32 1, " v ") ]\n" more "  ret i64 0\n}\n"
#define FIELD "  %d = getelementptr i8, ptr addrspace(1) %o, i64 8\n"
    refuses(STATE(FIELD, "ptr addrspace(1) %d", ""), NONE "opt=0", SM_CANNOT_REWRITE,
            "%d is derived from another pointer");
    refuses(STATE(FIELD "  %s = select i1 %c, ptr addrspace(1) %d, ptr addrspace(1) %r\n", "ptr addrspace(1) %s", ""),
            NONE "opt=0", SM_CANNOT_REWRITE, "%s is derived from another pointer");
    refuses(STATE("  %v = getelementptr i8, ptr addrspace(1) %o, <2 x i64> <i64 0, i64 8>\n",
                  "<2 x ptr addrspace(1)> %v", ""),
            NONE "opt=0", SM_CANNOT_REWRITE, "%v is derived from another pointer");
    refuses(STATE("  br label %loop\nloop:\n  %d = phi ptr addrspace(1) [ %o, %entry ], [ %n, %loop ]\n"
                  "  %n = getelementptr i8, ptr addrspace(1) %d, i64 8\n",
                  "ptr addrspace(1) %d", "  br i1 %c, label %loop, label %out\nout:\n"),
            NONE "opt=0", SM_CANNOT_REWRITE, "%d is derived from another pointer");
    refuses(CALLEE "declare i64 @llvm.experimental.deoptimize.i64(...)\ndefine i64 @f(ptr addrspace(1) %o)" GC
                   "{\n" FIELD
                   "  %r = call i64 (...) @llvm.experimental.deoptimize.i64() [ \"deopt\"(ptr addrspace(1) "
                   "%d) ]\n  ret i64 %r\n}\n",
            NONE "opt=0", SM_CANNOT_REWRITE, "call of llvm.experimental.deoptimize.i64");
    has(STATE("  %s = select i1 %c, ptr addrspace(1) %o, ptr addrspace(1) %r\n"
              "  %z = getelementptr i8, ptr addrspace(1) %s, i64 0\n",
              "ptr addrspace(1) %z, ptr addrspace(1) null", ""),
        NONE "opt=0", SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
}

/* Of a vector that repeats an element of a shuffle's second operand LLVM's rewrite takes poison for the bases. */
Test(rewrite, splats_have_bases) {
#define SPLAT(mask)                                                                                                  \
    CALLEE "define <2 x ptr addrspace(1)> @f(<2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b)" GC               \
           "{\n  %s = shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> " mask           \
           "\n  call void @g()\n  ret <2 x ptr addrspace(1)> %s\n}\n"
    has(SPLAT("<i32 2, i32 2>"), NONE "opt=0 emit=obj,ir", SM_PART_IR,
        "shufflevector <2 x ptr addrspace(1)> %b, <2 x ptr addrspace(1)> poison, <2 x i32> zeroinitializer", 1);
    has(SPLAT("<i32 2, i32 2>"), NONE "opt=0", SM_PART_META, "the bases of vectors that repeat an element", 1);
    has(SPLAT("<i32 0, i32 0>"), NONE "opt=0 emit=obj,ir", SM_PART_IR,
        "shufflevector <2 x ptr addrspace(1)> %a, <2 x ptr addrspace(1)> %b, <2 x i32> zeroinitializer", 1);
    has(SPLAT("<i32 2, i32 3>"), NONE "opt=0", SM_PART_META, "repeat an element", 0);
}

/* A reference that code generation finds to be a constant is not defined on an unwind edge, unless another block has it. */
Test(rewrite, invokes_stand_apart_from_constants) {
#define EDGE(value, attribute)                                                                                       \
    "declare void @g()\ndeclare i32 @p(...)\ndefine ptr addrspace(1) @f(ptr addrspace(1) %o, ptr addrspace(1) %r)"   \
    " " attribute                                                                                                    \
    " gc \"statepoint-example\" personality ptr @p {\n  %same = icmp eq ptr addrspace(1) %o, %o\n  %v = " value      \
    "\n  invoke void @g() to label %on unwind label %pad\npad:\n  %l = landingpad token cleanup\n"                   \
    "  call void @g()\n  br label %on\non:\n  ret ptr addrspace(1) %v\n}\n"
#define KNOWN "select i1 %same, ptr addrspace(1) %o, ptr addrspace(1) null"
    has(EDGE(KNOWN, ""), NONE "opt=0", SM_PART_META, "no blocks of their own", 1);
    has(EDGE(KNOWN, "noinline optnone"), NONE "opt=2", SM_PART_META, "no blocks of their own", 1);
    has(EDGE(KNOWN, ""), NONE "opt=2", SM_PART_META, "no blocks of their own", 0);
    has(EDGE("getelementptr i8, ptr addrspace(1) %o, i64 8", ""), NONE "opt=0", SM_PART_META,
        "no blocks of their own", 0);
}

Test(misuse, stack_slots_as_gc_pointers) {
#define SLOT(after)                                                                                                  \
    CALLEE "define ptr addrspace(1) @f()" GC                                                                         \
           "{\n  %a = alloca i64\n  %s = addrspacecast ptr %a to ptr addrspace(1)\n" after "}\n"
    refuses(SLOT("  call void @g()\n  ret ptr addrspace(1) %s\n"), NONE "opt=0", SM_CANNOT_REWRITE,
            "%s is the address of a stack slot");
    refuses(
        SLOT("  %q = getelementptr i8, ptr addrspace(1) %s, i64 4\n  call void @g()\n  ret ptr addrspace(1) %q\n"),
        NONE "opt=0", SM_CANNOT_REWRITE, "%s is the address of a stack slot");
    has(SLOT("  ret ptr addrspace(1) %s\nnever:\n  %x = getelementptr i8, ptr %x, i64 1\n"
             "  %y = addrspacecast ptr %x to ptr addrspace(1)\n  call void @g()\n  ret ptr addrspace(1) %y\n"),
        NONE "opt=0", SM_PART_STACKMAP, "\"functions\"", 1);
    has(SLOT("  store i64 1, ptr addrspace(1) %s\n  call void @g()\n  ret ptr addrspace(1) null\n"), NONE "opt=0",
        SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
}

/* What ends LLVM's own tools is named before it can. */
Test(misuse, what_llvm_dies_of) {
    refuses(
        "declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
        "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)\n"
        "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
        "  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr @g, "
        "i32 0, i32 0, i32 0, i32 0) [\"gc-live\"(ptr addrspace(1) %p)]\n"
        "  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n"
        "  ret ptr addrspace(1) %r\n}\n",
        NONE, SM_INVALID_MODULE, "elementtype");
    refuses("declare void @g()\ndefine void @f() personality ptr @g {\n  invoke void @g() to label %on unwind label "
            "%off\n"
            "on:\n  ret void\noff:\n  %l = landingpad token cleanup\n  resume token undef\n}\n",
            NONE "emit=obj,asm", SM_CODEGEN_FAILED, "resume");
}

#define PAD(type)                                                                                                    \
    "declare void @g()\ndefine i32 @f() personality ptr @g {\n  invoke void @g() to label %on unwind label %off\n"   \
    "on:\n  ret i32 0\noff:\n  %l = landingpad " type " cleanup\n  %v = freeze " type " %l\n  ret i32 1\n}\n"
#define CONVENTION(cc, result, args)                                                                                 \
    "declare " cc " " result " @g(" args ")\ndefine " result " @f(" args " %a)" GC "{\n  %r = call " cc " " result   \
    " @g(" args " %a)\n  ret " result " %r\n}\n"

#define PATCHPOINT(cc, args)                                                                                         \
    "declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)\ndefine void @f(i64 %a) {\n"           \
    "  call " cc " void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 5, i32 16, ptr null, " args \
    ")\n  ret void\n}\n"

static void ends(const char *ir, const char *target, sm_status status, const char *hint) {
    struct compiled c = compile(ir, NONE "opt=0", target);
    cr_expect_eq(c.artifact.status, status, "%s: %s\n%s", target, c.text[SM_PART_DIAGNOSTICS], ir);
    cr_expect(strstr(c.text[SM_PART_DIAGNOSTICS], hint), "%s", c.text[SM_PART_DIAGNOSTICS]);
    drop(&c);
}

/* What LLVM 19 dies of in code generation has a name of ours. */
Test(codegen, what_llvm_dies_of_is_refused) {
    refuses(PAD("i32"), NONE "opt=0", SM_CODEGEN_FAILED, "landing pad");
    refuses(PAD("{ ptr, i32, i32 }"), NONE "opt=0", SM_CODEGEN_FAILED, "landing pad");
    ends(PAD("{ ptr, i32 }"), targets[0], SM_OK, "");
    ends(CONVENTION("coldcc", "i32", "i32"), "aarch64-linux-gnu", SM_CODEGEN_FAILED, "convention 9");
    ends(CONVENTION("coldcc", "i32", "i32"), "x86_64-linux-gnu", SM_OK, "");
    ends(CONVENTION("swiftcc", "i32", "i32"), "aarch64-linux-gnu", SM_OK, "");
    ends("declare coldcc void @g()\ndefine void @f()" GC "{\n  call coldcc void @g()\n  ret void\n}\n",
         "aarch64-linux-gnu", SM_OK, "");
    ends(PATCHPOINT("cc 12", "i32 1, i64 %a"), "aarch64-linux-gnu", SM_CODEGEN_FAILED,
         "convention 12 of a patchpoint");
    ends(PATCHPOINT("cc 12", "i32 0"), "aarch64-linux-gnu", SM_OK, "");
    ends(PATCHPOINT("anyregcc", "i32 1, i64 %a"), "aarch64-linux-gnu", SM_OK, "");
    ends(PATCHPOINT("cc 12", "i32 1, i64 %a"), "x86_64-linux-gnu", SM_OK, "");
}

/* Of references none is alive across a safepoint; x86-64 has none at all. */
Test(codegen, scalable_vectors) {
#define SCALABLE(type, gc)                                                                                           \
    "declare <vscale x 2 x " type "> @g()\ndefine void @f(ptr %p)" gc "{\n  %r = call <vscale x 2 x " type           \
    "> @g()\n"                                                                                                       \
    "  store <vscale x 2 x " type "> %r, ptr %p\n  ret void\n}\n"
    ends(SCALABLE("i64", ""), "x86_64-linux-gnu", SM_CODEGEN_FAILED, "scalable vectors");
    ends(SCALABLE("ptr addrspace(1)", GC), "x86_64-linux-gnu", SM_CODEGEN_FAILED, "scalable vectors");
    ends("declare void @g()\ndefine void @f(ptr %p)" GC "{\n  %v = load <vscale x 2 x ptr addrspace(1)>, ptr %p\n"
         "  call void @g()\n  store <vscale x 2 x ptr addrspace(1)> %v, ptr %p\n  ret void\n}\n",
         "aarch64-linux-gnu", SM_CANNOT_REWRITE, "take it apart before the call");
}

/* A chain of calls as deep as this is compiled: nothing goes down it by recursion without an end. */
Test(codegen, deep_chains_of_calls) {
    enum { DEPTH = 3000 };
    sm_buf ir;
    sm_buf_init(&ir, 1 << 20);
    sm_buf_puts(&ir, "declare void @f3000()\n");
    for (int i = 0; i < DEPTH; i++)
        sm_buf_printf(&ir, "define void @f%d()" GC "{\n  call void @f%d()\n  ret void\n}\n", i, i + 1);
    ends(sm_buf_cstr(&ir), "x86_64-linux-gnu", SM_OK, "");
    sm_buf_free(&ir);
}

Test(strategies, erlang_and_ocaml_tables) {
    has(ROOTS ROOTED("one", "erlang") ROOTED("two", "erlang"), "", SM_PART_STACKMAP, "\"format\":\"erlang\"", 1);
    has(ROOTS ROOTED("one", "erlang") ROOTED("two", "erlang"), "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOTS ROOTED("one", "ocaml") ROOTED("two", "ocaml"), "", SM_PART_STACKMAP, "\"format\":\"ocaml\"", 1);
    has(ROOTS ROOTED("one", "ocaml") ROOTED("two", "ocaml"), "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOTS ROOTED("one", "ocaml"), "", SM_PART_STACKMAP, "\"base\"", 4);
}

/* Where LLVM tells which root is whose: always where all have the same, and from opt=1 on. */
Test(strategies, metadata_of_roots) {
    static const char
        *const gcs[] = {ROOTS ROOTED("f", "erlang"), ROOTS ROOTED("f", "ocaml")},
               same[] = ROOTS
               "define void @f() gc \"erlang\" {\n  %a = alloca ptr\n  %b = alloca ptr\n"
               "  call void @llvm.gcroot(ptr %a, ptr getelementptr (i8, ptr @meta, i64 2))\n"
               "  call void @llvm.gcroot(ptr %b, ptr getelementptr (i8, ptr @meta, i64 2))\n  call void @g()\n"
               "  ret void\n}\n",
               number[] = ROOTS
               "define void @f() gc \"erlang\" {\n  %a = alloca ptr\n"
               "  call void @llvm.gcroot(ptr %a, ptr inttoptr (i64 77 to ptr))\n  call void @g()\n  ret void\n}\n";
    for (size_t i = 0; i < 2; i++) {
        has(gcs[i], "", SM_PART_STACKMAP, "}},{\"base\"", 2); /* the first of the two roots has none */
        has(gcs[i], "", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":\"meta\",\"addend\":0}}]", 2);
        has(gcs[i], "opt=0", SM_PART_STACKMAP, "metadata", 0);
    }
    has(same, "opt=0", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":\"meta\",\"addend\":2}", 2);
    has(number, "opt=0", SM_PART_STACKMAP, "\"metadata\":{\"symbol\":null,\"addend\":77}", 1);
}

Test(strategies, shadow_stack_frame_maps) {
    has(ROOTS ROOTED("one", "shadow-stack"), "", SM_PART_STACKMAP, "\"format\":\"shadow-stack\"", 1);
    has(ROOTS ROOTED("one", "shadow-stack"), "", SM_PART_STACKMAP, "\"symbol\":\"meta\"", 1);
}

Test(strategies, functions_may_differ_and_an_option_fills_in) {
    has(CALLEE TWO_CALLS
        "declare void @llvm.gcroot(ptr, ptr)\n@meta = constant i32 5\n" ROOTED("two", "shadow-stack"),
        NONE, SM_PART_STACKMAP, "\"name\":\"f\"", 1);
    has("declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p) {\n  call void @g()\n  ret ptr "
        "addrspace(1) %p\n}\n",
        NONE "gc=coreclr", SM_PART_STACKMAP, "\"kind\":\"statepoint\"", 1);
    has("declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p) {\n  call void @g()\n  ret ptr "
        "addrspace(1) %p\n}\n",
        NONE, SM_PART_STACKMAP, "\"kind\"", 0);
}

/* Two roots of one function that became part of another, one life behind the other: two slots, throughout. */
Test(strategies, roots_of_what_was_inlined) {
    static const char ir[] =
        "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @make()\ndeclare void @use(ptr)\n"
        "define internal void @inner() gc \"%s\" {\n  %%s = alloca ptr, align 32\n  call void @llvm.gcroot(ptr %%s, "
        "ptr null)\n  %%p = call ptr @make()\n  store ptr %%p, ptr %%s, align 32\n  call void @use(ptr null)\n"
        "  %%q = load ptr, ptr %%s, align 32\n  call void @use(ptr %%q)\n  ret void\n}\n"
        "define void @f(i1 %%c) gc \"%s\" {\n  br i1 %%c, label %%a, label %%b\na:\n  call void @inner()\n"
        "  call void @inner()\n  br label %%b\nb:\n  ret void\n}\n";
    static const char *const strategies[] = {"shadow-stack", "erlang", "ocaml"};
    for (int i = 0; i < 3; i++) {
        char text[1200];
        snprintf(text, sizeof text, ir, strategies[i], strategies[i]);
        has(text, "opt=2 emit=ir", SM_PART_IR, "call void @llvm.gcroot(ptr nonnull %s", 2);
        has(text, "opt=2 emit=ir", SM_PART_IR, "call void @llvm.lifetime.", 0);
        has(text, "opt=2 emit=ir", SM_PART_IR, ", align 32", 0);
    }
}

Test(strategies, what_does_not_go_together) {
    refuses(ROOTS ROOTED("f", "coreclr"), NONE, SM_GC_MISMATCH, "llvm.gcroot");
    refuses("declare void @g()\ndeclare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
            "define void @f() gc \"erlang\" {\n  %t = call token (i64, i32, ptr, i32, i32, ...) "
            "@llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr "
            "elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)\n  ret void\n}\n",
            NONE, SM_GC_MISMATCH, "gc.statepoint");
    refuses("declare void @llvm.gcroot(ptr, ptr)\ndefine void @f(ptr %p) gc \"shadow-stack\" {\n  call void "
            "@llvm.gcroot(ptr %p, ptr null)\n  ret void\n}\n",
            "opt=0", SM_INVALID_MODULE, "gcroot");
}

/* As llc has it; all the functions, and what may not be inlined, are in tests/corpus/library-calls.ll. */
Test(codegen, library_calls_become_instructions) {
    static const char ir[] = "declare double @sqrt(double)\ndefine double @f(double %x) {\n"
                             "  %y = call double @sqrt(double %x) memory(none)\n  ret double %y\n}\n";
    static const char *const instructions[] = {"\tsqrtsd\t", "\tfsqrt\t"};
    for (int i = 0; i < 2; i++) {
        struct compiled c = compile(ir, "opt=2 emit=obj,asm,ir", targets[i]);
        cr_assert_eq(count(c.text[SM_PART_ASM], instructions[i]), 1, "%s", c.text[SM_PART_ASM]);
        cr_assert_eq(count(c.text[SM_PART_IR], "llvm.sqrt"), 0, "%s", c.text[SM_PART_IR]); /* it is opt's */
        drop(&c);
    }
}

/* LLVM 19 ends the process over these. */
Test(gcroot, what_llvm_would_die_of_is_refused) {
    refuses("declare void @foo()\ndeclare void @llvm.gcroot(ptr, ptr)\n@meta = constant i32 1\n"
            "define void @t() gc \"ocaml\" {\n  %a = alloca { ptr, i32, ptr }\n"
            "  call void @llvm.gcroot(ptr %a, ptr @meta)\n  call void @foo()\n  ret void\n}\n",
            "", SM_INVALID_GCROOT, "does not hold one pointer");
    refuses("declare void @foo(ptr)\ndefine void @t(i64 %n) gc \"ocaml\" {\n  %a = alloca i8, i64 %n\n"
            "  call void @foo(ptr %a)\n  ret void\n}\n",
            "", SM_CODEGEN_FAILED, "no fixed size");
    refuses("declare void @foo(ptr addrspace(1))\n"
            "declare ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1))\n"
            "define void @t(ptr addrspace(1) %p) {\n"
            "  %b = call ptr addrspace(1) @llvm.experimental.gc.get.pointer.base.p1.p1(ptr addrspace(1) %p)\n"
            "  call void @foo(ptr addrspace(1) %b)\n  ret void\n}\n",
            "", SM_GC_MISMATCH, "no GC strategy");
}

/* LLVM makes loops of recursion, and would choose between what rounds return behind a deoptimization. */
Test(deopt, recursion_keeps_its_returns) {
    static const char recursion[] =
        "declare i64 @llvm.experimental.deoptimize.i64(...)\n"
        "declare i64 @other(i64)\n"
        "define i64 @f(i64 %n) gc \"statepoint-example\" {\n"
        "  %end = icmp eq i64 %n, 0\n  br i1 %end, label %stop, label %on\n"
        "on:\n  %m = sub i64 %n, 1\n  %r = call i64 @f(i64 %m)\n  ret i64 0\n"
        "stop:\n  %v = call i64 (...) @llvm.experimental.deoptimize.i64(i64 1) [ \"deopt\"(i64 %n) ]\n"
        "  ret i64 %v\n}\n";
    for (const char *const *o = (const char *const[]){"opt=1", "opt=2", "opt=3", "opt=s", NULL}; *o; o++) {
        char options[64];
        snprintf(options, sizeof options, "%s safepoints=none emit=obj,ir", *o);
        has(recursion, options, SM_PART_IR, "elementtype(void (i64)) @__llvm_deoptimize", 1);
        has(recursion, options, SM_PART_IR, "disable-tail-calls", 0);
    }
}

/* ---- What the documents say of the builtin strategies --------------------------------------------------------- */

Test(strategies, coreclr_polls_backedges) {
    static const char ir[] = POLL "define void @f(ptr %p) gc \"coreclr\" {\nentry:\n  br label %loop\nloop:\n"
                                  "  %v = load volatile i8, ptr %p\n  %c = icmp eq i8 %v, 0\n"
                                  "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n";
    has(ir, "", SM_PART_STACKMAP, "\"reason\":\"backedge-poll\"", 1);
    has(ir, "", SM_PART_STACKMAP, "\"reason\"", 1);
    has(ir, "safepoints=entry", SM_PART_STACKMAP, "\"reason\":\"entry-poll\"", 1);
}

/* Before tail calls as well, where they are sure to be made as such. */
Test(strategies, coreclr_polls_tail_calls) {
    static const char ir[] = POLL "declare void @g()\ndefine void @f() gc \"coreclr\" {\n  call void @g()\n"
                                  "  musttail call void @g()\n  ret void\n}\n";
    has(ir, "", SM_PART_STACKMAP, "\"reason\":\"precall-poll\"", 1);
    has(ir, "", SM_PART_STACKMAP, "\"reason\"", 2);
    has(ir, "safepoints=backedge emit=ir", SM_PART_IR, "@stop()", 2); /* the declaration, and gc.safepoint_poll */
}

/* One spill slot, in which the derived pointer is, instead of two; the object's own is there where it is used again. */
Test(strategies, bases_may_be_left_out) {
#define DERIVED_LOOP(gc, use)                                                                                        \
    CALLEE "define i64 @f(ptr addrspace(1) %p, i64 %i) gc \"" gc "\" {\n"                                            \
           "  %d = getelementptr i64, ptr addrspace(1) %p, i64 %i\n  call void @g()\n"                               \
           "  %v = load i64, ptr addrspace(1) %d\n" use "  ret i64 %v\n}\n"
#define AGAIN "  call ptr addrspace(1) @h(ptr addrspace(1) %p)\n"
    static const char *const gcs[] = {DERIVED_LOOP("coreclr", ""), DERIVED_LOOP("statepoint-example", "")};
    for (size_t i = 0; i < 2; i++) {
        has(gcs[i], NONE "remat=false opt=0", SM_PART_STACKMAP, "\"base\"", 2);
        has(gcs[i], NONE "remat=false opt=0 bases=none", SM_PART_STACKMAP, "\"base\"", 1);
        has(gcs[i], NONE "remat=false bases=none emit=ir", SM_PART_IR, "; (%d, %d)", 1);
        has(gcs[i], NONE "remat=false bases=none", SM_PART_META, "smc compile --quiet --ir=- ", 1);
    }
    has(DERIVED_LOOP("coreclr", AGAIN), NONE "remat=false bases=none opt=0", SM_PART_STACKMAP, "\"base\"", 3);
    has(CALLEE "define void @f(ptr addrspace(1) %p)" GC "{\n  call void @g() [\"gc-live\"(ptr addrspace(1) %p)]\n"
               "  ret void\n}\n",
        NONE "bases=none", SM_PART_STACKMAP, "\"base\"", 1);
}

#define CHAINED                                                                                                      \
    "declare void @g()\ndefine void @f() gc \"shadow-stack\" {\n  %a = alloca ptr\n"                                 \
    "  call void @llvm.gcroot(ptr %a, ptr null)\n  store ptr null, ptr %a\n  call void @g()\n  ret void\n}\n"        \
    "declare void @llvm.gcroot(ptr, ptr)\n"

Test(strategies, the_shadow_chain_may_be_of_a_thread) {
    has(CHAINED, "shadow_chain=thread_local emit=obj,ir", SM_PART_IR,
        "@llvm_gc_root_chain = linkonce thread_local global ptr null", 1);
    has("@llvm_gc_root_chain = external global ptr\n" CHAINED, "shadow_chain=thread_local emit=obj,ir opt=0",
        SM_PART_IR, "@llvm_gc_root_chain = external thread_local global ptr", 1);
    has(CHAINED, "emit=obj,ir", SM_PART_IR, "thread_local", 0);
    refuses("@llvm_gc_root_chain = global i8 0\n" CHAINED, "shadow_chain=thread_local", SM_GC_MISMATCH,
            "llvm_gc_root_chain");
}

Test(strategies, erlang_says_its_arity) {
    has(ROOTS ROOTED("f", "erlang"), "", SM_PART_STACKMAP, "\"stack_arity\":0", 1);
    has(ROOTS ROOTED("f", "ocaml"), "", SM_PART_STACKMAP, "\"stack_arity\"", 0);
}

/* ---- Polls in functions with llvm.gcroot ---- */

#define ROOT_HEAD "declare void @llvm.gcroot(ptr, ptr)\ndeclare ptr @alloc()\ndeclare void @use(ptr)\n"
/* The object and a pointer into it are alive through the loop. */
#define ROOT_LOOP(gc) ROOT_LOOP_OF(gc, "")
#define ROOT_LOOP_OF(gc, attributes)                                                                                 \
    ROOT_HEAD "define ptr @f(ptr %arg, i32 %n) " attributes "gc \"" gc "\" {\nentry:\n  %root = alloca ptr\n"        \
              "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %arg, ptr %root\n"                         \
              "  %x = load ptr, ptr %root\n  %d = getelementptr i8, ptr %x, i64 8\n  br label %loop\nloop:\n"        \
              "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  store volatile i32 %i, ptr %d\n"                       \
              "  %j = add i32 %i, 1\n  %c = icmp slt i32 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n"        \
              "  %o = call ptr @alloc()\n  store ptr %o, ptr %root\n  call void @use(ptr %o)\n"                      \
              "  %r = load ptr, ptr %root\n  ret ptr %r\n}\n"

Test(strategies, polls_where_roots_are) {
    static const char *const gcs[] = {ROOT_LOOP("erlang"), ROOT_LOOP("ocaml"), ROOT_LOOP("shadow-stack")};
    static const struct {
        const char *kinds;
        int polls;
    } rows[] = {{"none", 0},   {"entry", 1},   {"backedge", 1}, {"entry,backedge", 2},
                {"return", 1}, {"precall", 2}, {"postcall", 2}, {"entry,loop,return,precall,postcall", 6}};
    for (size_t g = 0; g < 3; g++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            for (int opt = 0; opt <= 2; opt += 2) {
                char options[200];
                snprintf(options, sizeof options, "poll=call:stop opt=%d emit=obj,ir safepoints=%s", opt,
                         rows[i].kinds);
                has(gcs[g], options, SM_PART_IR, "call void @stop()", rows[i].polls);
                has(gcs[g], options, SM_PART_DIAGNOSTICS, "alive there", 0);
            }
    /* each is a record, with the root; and behind it the root is read again, the pointer derived again */
    has(ROOT_LOOP("erlang"), "poll=call:stop", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOT_LOOP("erlang"), "poll=call:stop safepoints=none", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 2);
    has(ROOT_LOOP("erlang"), "poll=call:stop safepoints=backedge emit=ir opt=0", SM_PART_IR,
        "load ptr, ptr %root, align 8\n  store ptr", 2);
    has(ROOT_LOOP("erlang"), "poll=flag:wanted:stop emit=ir", SM_PART_IR, "load volatile i8, ptr @wanted", 2);
}

/* The module, the option and the attribute say what a poll is, and which there are; by default nobody has to. */
Test(strategies, who_asks_for_polls_where_roots_are) {
    static const char own[] = POLL ROOT_LOOP("ocaml");
    has(own, "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 4);
    has(ROOT_LOOP("ocaml"), "", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 2);
    has(ROOT_LOOP("ocaml"), "safepoints=entry", SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 2);
    has(ROOT_LOOP("ocaml"), "safepoints=entry", SM_PART_DIAGNOSTICS, "has to say what a poll is", 1);
    refuses(ROOT_LOOP_OF("ocaml", "\"smd-safepoints\"=\"entry\" "), "", SM_MISSING_POLL, "gc.safepoint_poll");
    has(ROOT_LOOP_OF("ocaml", "\"smd-safepoints\"=\"none\" "), "poll=call:stop", SM_PART_STACKMAP, "gcroot", 2);
    has(ROOT_LOOP("ocaml"), "poll=page:page safepoints=entry", SM_PART_DIAGNOSTICS, "No polls: page polls", 1);
    has(ROOT_LOOP("ocaml"), "poll=call:stop emit=obj,remarks", SM_PART_REMARKS, "1 backedge-poll(s) placed", 1);
}

/* What is alive and in no root would be lost: there is no poll, and a warning. */
Test(strategies, no_polls_where_objects_would_be_lost) {
    static const char
        argument[] = "define ptr @f(ptr %a) gc \"erlang\" {\n  ret ptr %a\n}\n",
        chased[] = ROOT_HEAD
        "define void @f(ptr %a) gc \"erlang\" {\nentry:\n  %root = alloca ptr\n"
        "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  br label %loop\nloop:\n"
        "  %p = phi ptr [ %a, %entry ], [ %next, %loop ]\n  %next = load ptr, ptr %p\n"
        "  %c = icmp eq ptr %next, null\n  br i1 %c, label %out, label %loop\nout:\n  ret void\n}\n",
        overwritten[] = ROOT_HEAD
        "define void @f(ptr %a) gc \"erlang\" {\n  %root = alloca ptr\n"
        "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  %o = call ptr @alloc()\n"
        "  store ptr %o, ptr %root\n  store i64 1, ptr %a\n  ret void\n}\n",
        result[] = ROOT_HEAD "define ptr @f() gc \"erlang\" {\n  %o = call ptr @alloc()\n  ret ptr %o\n}\n";
    /* in memory that is no root, or as a number */
#define HIDDEN(BODY)                                                                                                 \
    ROOT_HEAD "declare void @out(ptr)\ndefine i64 @f(ptr %a) gc \"erlang\" {\n  %root = alloca ptr\n  %slot = "      \
              "alloca ptr\n"                                                                                         \
              "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n" BODY "}\n"
    static const char *const hidden[] = {
        HIDDEN("  store ptr %a, ptr %slot\n  %b = load ptr, ptr %slot\n  %v = load i64, ptr %b\n  ret i64 %v\n"),
        HIDDEN("  store volatile ptr %a, ptr %slot\n  ret i64 0\n"),
        HIDDEN("  call void @out(ptr %slot)\n  ret i64 0\n"),
        HIDDEN("  call void @llvm.memcpy.p0.p0.i64(ptr %slot, ptr %root, i64 8, i1 false)\n  ret i64 0\n"),
        HIDDEN("  %n = ptrtoint ptr %a to i64\n  %m = add i64 %n, 8\n  ret i64 %m\n"),
        HIDDEN("  %n = load i64, ptr %root\n  ret i64 %n\n"),
    };
    static const char open_to_all[] = HIDDEN("  store ptr null, ptr %slot\n  %b = load ptr, ptr %slot\n"
                                             "  %v = ptrtoint ptr %b to i64\n  ret i64 0\n");
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        for (int opt = 0; opt <= 2; opt += 2) {
            char options[80];
            snprintf(options, sizeof options, "poll=call:stop emit=obj,ir opt=%d", opt);
            has(hidden[i], options, SM_PART_DIAGNOSTICS, "may keep an object's address, and is no root", 1);
            has(hidden[i], options, SM_PART_IR, "call void @stop()", 0);
        }
    has(open_to_all, "poll=call:stop emit=obj,ir opt=0", SM_PART_IR, "call void @stop()", 1);
    has(argument, "poll=call:stop", SM_PART_DIAGNOSTICS, "No entry poll at the function's begin: %a is alive", 1);
    has(argument, "poll=call:stop emit=ir", SM_PART_IR, "@stop", 0);
    has(chased, "poll=call:stop emit=obj,ir opt=0", SM_PART_IR, "call void @stop()", 1);
    has(chased, "poll=call:stop", SM_PART_DIAGNOSTICS, "No backedge poll at the end of a loop's turn: %next", 1);
    has(overwritten, "poll=call:stop safepoints=postcall", SM_PART_DIAGNOSTICS,
        "No postcall poll at the call of alloc: %o", 0);
    has(overwritten, "poll=call:stop safepoints=postcall emit=ir opt=0", SM_PART_IR,
        "store i64 1, ptr %a, align 8\n  call void @stop()", 1); /* as %a was in the root no more */
    has(result, "poll=call:stop safepoints=return", SM_PART_DIAGNOSTICS, "No return poll before a return: %o", 1);
}

/* In a block that is never reached a value may be made of itself. */
Test(strategies, values_that_are_made_of_themselves) {
    for (int opt = 0; opt <= 2; opt += 2) {
        char options[80];
        snprintf(options, sizeof options, "poll=call:stop opt=%d", opt);
        has(ROOT_HEAD "define void @f(ptr %a) gc \"erlang\" {\n  %root = alloca ptr\n"
                      "  call void @llvm.gcroot(ptr %root, ptr null)\n  store ptr %a, ptr %root\n  ret void\nnever:\n"
                      "  %q = getelementptr i8, ptr %q, i64 8\n  %b = bitcast ptr %b to ptr\n  store ptr %a, ptr %q\n"
                      "  store ptr %b, ptr %q\n  br label %never\n}\n",
            options, SM_PART_STACKMAP, "\"kind\":\"gcroot\"", 1);
        snprintf(options, sizeof options, "safepoints=none opt=%d", opt);
        has("declare void @g()\ndefine void @f(ptr addrspace(1) %a)" GC "{\n  call void @g()\n  ret void\nnever:\n"
            "  %q = getelementptr i8, ptr addrspace(1) %q, i64 8\n  call void @g()\n  store i8 1, ptr addrspace(1) "
            "%q\n"
            "  br label %never\n}\n",
            options, SM_PART_STACKMAP, "\"name\":\"f\"", 1);
    }
}

/* Globals whose types have references, and those that @smd.globals names. */
Test(strategies, global_roots) {
    static const char ir[] =
        "@one = global ptr addrspace(1) null\n@none = global i64 7\n"
        "@many = thread_local global { i64, [4 x ptr addrspace(1)], { i8, ptr addrspace(1) } } zeroinitializer\n"
        "@table = internal global [3 x { i64, ptr addrspace(1) }] zeroinitializer\n@plain = global [2 x ptr] "
        "zeroinitializer\n"
        "@elsewhere = external global ptr addrspace(1)\n@smd.globals = global [1 x ptr] [ptr @plain]\n"
        "define ptr addrspace(1) @f(i64 %i)" GC
        "{\n  %p = getelementptr [3 x { i64, ptr addrspace(1) }], ptr @table, i64 0, "
        "i64 %i, i32 1\n  %v = load ptr addrspace(1), ptr %p\n  store ptr addrspace(1) null, ptr %p\n"
        "  ret ptr addrspace(1) %v\n}\n";
    has(ir, NONE "opt=0", SM_PART_META, "{\"name\":\"one\",\"roots\":[{\"offset\":0,\"space\":1}]}", 1);
    has(ir, NONE "opt=0", SM_PART_META,
        "{\"name\":\"many\",\"thread_local\":true,\"roots\":[{\"offset\":8,\"space\":1,\"count\":4,\"stride\":8},"
        "{\"offset\":48,\"space\":1}]}",
        1);
    has(ir, NONE "opt=0", SM_PART_META,
        "{\"name\":\"table\",\"roots\":[{\"offset\":8,\"space\":1},{\"offset\":24,\"space\":1},{\"offset\":40,"
        "\"space\":1}]}",
        1);
    has(ir, NONE "opt=0", SM_PART_META,
        "{\"name\":\"plain\",\"roots\":[{\"offset\":0,\"space\":0,\"count\":2,\"stride\":8}]}", 1);
    has(ir, NONE, SM_PART_META, "\"name\":\"none\"", 0);
    has(ir, NONE, SM_PART_META, "\"name\":\"elsewhere\"", 0);
    has(CALLEE TWO_CALLS, NONE, SM_PART_META, "global_roots", 0);
    refuses("@smd.globals = global [2 x i64] [i64 1, i64 2]\ndefine void @f()" GC "{\n  ret void\n}\n", NONE,
            SM_INVALID_MODULE, "smd.globals");
}
