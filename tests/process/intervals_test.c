/* poll_interval: which iterations are counted, and what stays of that in the module. That the bound holds is measured
 * by client/examples/programs/interval.ll. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define GC   " gc \"statepoint-example\" "
#define POLL "declare void @stop()\ndefine void @gc.safepoint_poll() {\n  call void @stop()\n  ret void\n}\n"
#define TURNS(name, linkage, attributes, turns)                                                                      \
    "define " linkage " void @" name "(ptr %p) " attributes GC                                                       \
    "{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %n, %loop ]\n"                              \
    "  store volatile i32 %i, ptr %p\n  %n = add nuw nsw i32 %i, 1\n  %c = icmp ult i32 %n, " turns "\n"             \
    "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n}\n"

/* A loop that runs once or twice is dissolved from opt=1 on, and its iterations count. */
Test(intervals, loops_that_are_dissolved) {
    static const char *const turns[] = {POLL TURNS("f", "", "", "1"), POLL TURNS("f", "", "", "2"),
                                        POLL TURNS("f", "", "", "3")};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        for (int opt = 0; opt <= 3; opt++) {
            char options[100];
            snprintf(options, sizeof options, "poll_interval=1 safepoints=backedge emit=obj,ir opt=%d", opt);
            struct compiled c = compile(turns[i], options, targets[opt & 1]);
            cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
            cr_expect(strstr(c.text[SM_PART_STACKMAP], "\"backedge-poll\""), "%zu turns, %s", i + 1, options);
            cr_expect(!strstr(c.text[SM_PART_IR], "@smd.poll"), "%s", c.text[SM_PART_IR]);
            drop(&c);
        }
}

/* Of functions without an interval that are inlined as well; where none has one, nothing is counted, and nothing
 * left. */
Test(intervals, loops_that_are_inlined) {
    static const char called[] = "define void @g(ptr %p)" GC "{\n  call void @f(ptr %p)\n  ret void\n}\n";
    char ir[2000];
    snprintf(ir, sizeof ir, "%s%s", POLL TURNS("f", "internal", "", "2"), called);
    has(ir, "poll_interval=4 safepoints=backedge emit=obj,ir", SM_PART_IR, "@smd.poll", 0);
    has(ir, "poll_interval=4 safepoints=backedge emit=obj,ir", SM_PART_STACKMAP, "\"backedge-poll\"", 2);
    snprintf(ir, sizeof ir,
             "%sdefine internal void @h(ptr %%p) \"smd-poll-interval\"=\"5\"" GC "{\n  ret void\n}\n%s",
             POLL TURNS("f", "", "", "2"), "define void @k(ptr %p)" GC "{\n  call void @h(ptr %p)\n  ret void\n}\n");
    has(ir, "safepoints=backedge emit=obj,ir", SM_PART_IR, "@smd.poll", 0);
    has(ir, "safepoints=backedge emit=obj,ir", SM_PART_STACKMAP, "\"backedge-poll\"", 0);
}

/* A caller of one whose loop is no loop any more has a record of the call: it polls there. */
Test(intervals, who_counts_is_no_leaf) {
    has(POLL TURNS("f", "", "noinline", "2") "define ptr addrspace(1) @g(ptr %p, ptr addrspace(1) %o)" GC
                                             "{\n  call void @f(ptr %p)\n  ret ptr addrspace(1) %o\n}\n",
        "poll_interval=1 safepoints=backedge emit=obj", SM_PART_STACKMAP, "\"callee\":\"f\"", 1);
}

Test(intervals, the_mark_s_name) {
    refuses("@smd.poll.mark = global i8 0\n" POLL TURNS("f", "", "", "9"), "poll_interval=3", SM_POLL_CONFLICT,
            "smd.poll.mark");
}
