/* Roots and barriers that a module lowers itself: no intrinsic is left, and a program that counts references by them
 * frees everything, and nothing too early. */
#include "folder.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 4 };

/* Links the example for a target at a level, and runs it: its exit status says whether its counts are right. */
static void runs(const char *target, const char *level, const char *compiler, const char *emulator) {
    char command[1024], options[64];
    int status;
    struct bytes text = read_file(SOURCE_DIR "/docs/examples/counting.ll");
    snprintf(options, sizeof options, "opt=%s", level);
    struct compiled c = compile((const char *)text.data, options, target);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    folder_make();
    snprintf(command, sizeof command, "%s/counting.o", folder);
    write_file(command, object.data, object.len);
    snprintf(command, sizeof command, "%s %s/counting.o -o %s/program 2>&1 && %s %s/program 2>&1", compiler, folder,
             folder, emulator, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect_eq(status, 0, "%s %s: %s", target, options, (const char *)out.data);
    bytes_free(out);
    bytes_free(text);
    folder_remove();
    drop(&c);
}

Test(counting, frees_everything_and_nothing_too_early, .timeout = 600) {
    static const char *const levels[] = {"0", "1", "2", "3", "s", "z"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        runs(targets[0], levels[i], "gcc -no-pie", "");
        runs(targets[1], levels[i], "aarch64-linux-gnu-gcc -static", QEMU);
    }
}

static void has_at_all_levels(const char *ir, const char *more, const char *what, size_t times) {
    for (int level = 0; level < LEVELS; level++) {
        char options[200];
        snprintf(options, sizeof options, "opt=%d emit=obj,ir %s", level, more);
        has(ir, options, SM_PART_IR, what, times);
    }
}

#define ROOT "declare void @llvm.gcroot(ptr, ptr)\ndeclare void @use(ptr)\n"
#define HOOKS                                                                                                        \
    "declare void @enter(ptr, ptr)\ndeclare void @leave(ptr, ptr)\n"                                                 \
    "define internal void @gc.root_enter(ptr %s, ptr %m) {\n  call void @enter(ptr %s, ptr %m)\n  ret void\n}\n"     \
    "define internal void @gc.root_leave(ptr %s, ptr %m) {\n  call void @leave(ptr %s, ptr %m)\n  ret void\n}\n"
#define TWO(gc)                                                                                                      \
    "@kind = external global i8\ndefine i32 @f(ptr %p, i1 %c) gc \"" gc "\" personality ptr @handle {\nentry:\n"     \
    "  %a = alloca ptr\n  %b = alloca ptr\n  call void @llvm.gcroot(ptr %a, ptr null)\n"                             \
    "  call void @llvm.gcroot(ptr %b, ptr @kind)\n  store ptr %p, ptr %a\n  store ptr %p, ptr %b\n"                  \
    "  br i1 %c, label %one, label %two\none:\n  call void @use(ptr %p)\n  ret i32 1\ntwo:\n"                        \
    "  invoke void @use(ptr null) to label %fine unwind label %bad\nfine:\n  ret i32 2\nbad:\n"                      \
    "  %x = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %x\n}\ndeclare i32 @handle(...)\n"

/* In all strategies: a call for each slot where the function begins, and on each way out of it. */
Test(counting, roots_become_calls) {
    static const char *const modules[] = {ROOT HOOKS TWO("ocaml"), ROOT HOOKS TWO("erlang"),
                                          ROOT HOOKS TWO("shadow-stack")};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        has_at_all_levels(modules[i], "", "llvm.gcroot", 0);
        has(modules[i], "opt=0 emit=obj,ir", SM_PART_IR, "call void @enter(ptr %", 3); /* one in the hook */
        has(modules[i], "opt=0 emit=obj,ir", SM_PART_IR, "call void @leave(ptr %", 7);
        has(modules[i], "opt=2", SM_PART_STACKMAP, "\"kind\":\"indirect\"", 0);
        has(modules[i], "opt=2", SM_PART_META, "custom-roots", 1);
    }
}

/* The last slot first; and metadata goes with its slot. */
Test(counting, the_order_is_turned_round) {
    struct compiled c = compile(ROOT HOOKS TWO("ocaml"), "opt=0 emit=obj,ir", targets[0]);
    static const char *const parts[] = {"@enter(ptr %a, ptr null)", "@enter(ptr %b, ptr @kind)",
                                        "@leave(ptr %b, ptr @kind)", "@leave(ptr %a, ptr null)", "ret i32 1"};
    const char *at = strstr(c.text[SM_PART_IR], "define i32 @f(");
    for (size_t i = 0; at && i < sizeof parts / sizeof *parts; i++)
        cr_assert_not_null(at = strstr(at, parts[i]), "%s in %s", parts[i], c.text[SM_PART_IR]);
    cr_assert_not_null(at);
    drop(&c);
}

/* Either may be missing; without both a root is LLVM's. Polls are placed where marked slots hold what is alive. */
Test(counting, one_hook_will_do) {
    static const char leaves[] = ROOT "declare void @gc.root_leave(ptr, ptr)\n" TWO("ocaml");
    has_at_all_levels(leaves, "", "llvm.gcroot", 0);
    has(leaves, "opt=0 emit=obj,ir", SM_PART_IR, "call void @gc.root_leave(ptr %", 6);
    has(ROOT TWO("ocaml"), "opt=0 emit=obj,ir", SM_PART_IR, "call void @llvm.gcroot(", 2);
    has(leaves, "opt=2 emit=obj,ir poll=call:stop safepoints=entry", SM_PART_IR, "call void @stop()", 1);
}

/* A call that has to be right before the return comes behind the roots' end. */
Test(counting, musttail_calls_come_last) {
    static const char ir[] = ROOT HOOKS "declare void @g(ptr)\ndefine void @f(ptr %p) gc \"ocaml\" {\n"
                                        "  %a = alloca ptr\n  call void @llvm.gcroot(ptr %a, ptr null)\n"
                                        "  store ptr %p, ptr %a\n  musttail call void @g(ptr %p)\n  ret void\n}\n";
    for (int level = 0; level < LEVELS; level++) {
        char options[64];
        snprintf(options, sizeof options, "opt=%d emit=obj,ir", level);
        struct compiled c = compile(ir, options, targets[1]);
        const char *leave = c.text[SM_PART_IR] ? strstr(c.text[SM_PART_IR], "call void @leave(ptr nonnull %a") : NULL;
        leave = leave ? leave : strstr(c.text[SM_PART_IR], "call void @leave(ptr %a");
        cr_assert(leave && strstr(leave, "musttail call void @g("), "%s", c.text[SM_PART_IR]);
        drop(&c);
    }
}

#define ONE(slot)                                                                                                    \
    "declare void @g(ptr)\ndefine void @f(ptr %p) gc \"ocaml\" {\n  %a = alloca " slot "\n"                          \
    "  call void @llvm.gcroot(ptr %a, ptr @kind)\n  call void @g(ptr %a)\n  ret void\n}\n@kind = external global "   \
    "i8\n"

/* All pointers of a root are null before it is entered. */
Test(counting, roots_of_several_pointers_are_cleared) {
    for (int level = 0; level < LEVELS; level++) {
        char options[64];
        snprintf(options, sizeof options, "opt=%d emit=obj,ir", level);
        has(ROOT HOOKS ONE("ptr, i32 4"), options, SM_PART_IR, "i8 0, i64 32, i1 false)", 1);
        has(ROOT HOOKS ONE("[40 x ptr]"), options, SM_PART_IR, "i8 0, i64 320, i1 false)", 1);
        has(ROOT HOOKS ONE("{i64, ptr, ptr}"), options, SM_PART_IR, level ? "i64 24, i1 false)" : "zeroinitializer",
            1);
    }
    refuses("declare void @g(ptr)\n" ROOT HOOKS "define void @f(i32 %n) gc \"ocaml\" {\n  %a = alloca ptr, i32 %n\n"
            "  call void @llvm.gcroot(ptr %a, ptr null)\n  call void @g(ptr %a)\n  ret void\n}\n",
            "", SM_INVALID_GCROOT, "fixed size");
}

/* Roots would be entered, and never left, or the other way round. */
Test(counting, hooks_that_the_optimiser_would_drop_are_refused) {
    static const char *const hooks[] = {"gc.root_enter", "gc.root_leave"},
                             *const attributes[] = {"memory(none)", "memory(read) nounwind willreturn",
                                                    "memory(argmem: readwrite)", "speculatable", "noreturn"},
                             *const slots[] = {"nocapture", "readonly", "readnone", "writeonly"};
    char ir[2048], options[64], hint[64];
    for (size_t h = 0; h < 2; h++)
        for (int level = 0; level < LEVELS; level++) {
            snprintf(options, sizeof options, "opt=%d", level);
            for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
                snprintf(ir, sizeof ir, ROOT "declare void @%s(ptr, ptr) %s\n%s", hooks[h], attributes[i],
                         ONE("ptr"));
                snprintf(hint, sizeof hint, "%s is declared", hooks[h]);
                refuses(ir, options, SM_INVALID_GCROOT, hint);
            }
            for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
                snprintf(ir, sizeof ir, ROOT "declare void @%s(ptr %s, ptr)\n%s", hooks[h], slots[i], ONE("ptr"));
                snprintf(hint, sizeof hint, "is declared %s", slots[i]);
                refuses(ir, options, SM_INVALID_GCROOT, hint);
            }
        }
    for (int level = 0; level < LEVELS; level++) { /* a body says what it does, whatever stands above it */
        snprintf(options, sizeof options, "opt=%d emit=obj,ir", level);
        has(ROOT "@last = global ptr null\ndefine internal void @gc.root_enter(ptr nocapture readnone %s, ptr %m) "
                 "memory(none) nounwind willreturn {\n  store volatile ptr %s, ptr @last\n  ret void\n}\n" ONE("ptr"),
            options, SM_PART_IR, "%a, ptr @last", 1);
    }
}

Test(counting, what_does_not_fit_is_refused) {
    refuses("define i32 @gc.root_enter(ptr %s, ptr %m) {\n  ret i32 0\n}\n", "", SM_INVALID_GCROOT,
            "void(ptr slot, ptr metadata)");
    refuses("@gc.root_leave = global i8 0\n", "", SM_INVALID_GCROOT, "gc.root_leave");
    refuses(
        "define internal ptr @pick() {\n  ret ptr null\n}\n@gc.root_enter = ifunc void (ptr, ptr), ptr @pick\n" ROOT
            TWO("ocaml"),
        "", SM_INVALID_GCROOT, "gc.root_enter");
    refuses(ROOT HOOKS "define void @f() gc \"ocaml\" {\n  br label %on\non:\n  %s = alloca ptr\n"
                       "  call void @llvm.gcroot(ptr %s, ptr null)\n  ret void\n}\n",
            "", SM_INVALID_GCROOT, "first block");
    refuses(ROOT HOOKS "define void @f() gc \"ocaml\" {\n  %s = alloca ptr, addrspace(5)\n"
                       "  %c = addrspacecast ptr addrspace(5) %s to ptr\n"
                       "  call void @llvm.gcroot(ptr %c, ptr @kind)\n  ret void\n}\n@kind = external global i8\n",
            "", SM_CODEGEN_FAILED, "address space 0");
    static const char *const ends[] = {"%x = cleanuppad within none []\n  cleanupret from %x unwind to caller\n",
                                       "%s = catchswitch within none [label %h] unwind to caller\nh:\n"
                                       "  %x = catchpad within %s [ptr null, i32 64, ptr null]\n"
                                       "  catchret from %x to label %a\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char ir[4096];
        snprintf(ir, sizeof ir,
                 "%sdeclare i32 @__CxxFrameHandler3(...)\ndefine void @f() gc \"ocaml\" personality ptr "
                 "@__CxxFrameHandler3 {\n  %%r = alloca ptr\n  call void @llvm.gcroot(ptr %%r, ptr null)\n"
                 "  invoke void @use(ptr null) to label %%a unwind label %%b\na:\n  ret void\nb:\n  %s}\n",
                 ROOT HOOKS, ends[i]);
        refuses(ir, "", SM_CODEGEN_FAILED, "exceptions of Windows");
    }
}

#define OLD                                                                                                          \
    "declare void @count(ptr addrspace(1), ptr addrspace(1)) \"gc-leaf-function\"\n"                                 \
    "define internal void @gc.write_barrier(ptr addrspace(1) %v, ptr addrspace(1) %o, ptr addrspace(1) %s, "         \
    "ptr addrspace(1) %was) {\n  store ptr addrspace(1) %v, ptr addrspace(1) %s\n"                                   \
    "  call void @count(ptr addrspace(1) %v, ptr addrspace(1) %was)\n  ret void\n}\n"
#define STORES                                                                                                       \
    "declare void @stop()\ndeclare noalias ptr addrspace(1) @make()\ndefine ptr addrspace(1) @f(ptr addrspace(1) "   \
    "%v, ptr "                                                                                                       \
    "addrspace(1) %o) "                                                                                              \
    "gc \"statepoint-example\" {\n  store ptr addrspace(1) %v, ptr addrspace(1) %o\n"                                \
    "  call void @stop()\n"                                                                                          \
    "  store ptr addrspace(1) null, ptr addrspace(1) %o\n  %n = call ptr addrspace(1) @make()\n"                     \
    "  store ptr addrspace(1) null, ptr addrspace(1) %n\n  ret ptr addrspace(1) %n\n}\n"

/* A write barrier with a fourth parameter is told what the slot has before the store; then none is left out: not of
 * nulls, and not in fresh objects. */
Test(counting, barriers_get_what_was_there) {
    has_at_all_levels(OLD STORES, "safepoints=none barriers=auto", "call void @count(", 3);
    has_at_all_levels(OLD STORES, "safepoints=none barriers=auto", "load ptr addrspace(1), ptr addrspace(1) %", 3);
    has_at_all_levels(OLD STORES, "safepoints=none", "call void @count(", 0);
    refuses("define void @gc.write_barrier(ptr %v, ptr %o, ptr %s, i64 %was) {\n  ret void\n}\n", "",
            SM_BARRIER_CONFLICT, "a ptr old behind them");
}
