/* GC transitions: what stands around calls of native code, for both targets. That it is right is shown by
 * client/examples/programs/native.ll, which runs under a collector that moves everything. */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GC     " gc \"statepoint-example\" "
#define NONE   "safepoints=none "
#define REF    "ptr addrspace(1)"
#define TOKEN  "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)\n"
#define BUNDLE " [ \"gc-transition\"(ptr %t, i32 3) ]"
#define STORES                                                                                                       \
    "define internal void @gc.transition_enter(ptr %t, i32 %n) {\n  store i32 %n, ptr %t\n  ret void\n}\n"           \
    "define internal void @gc.transition_leave(ptr %t, i32 %n) {\n  store i32 0, ptr %t\n  ret void\n}\n"
#define CALLS                                                                                                        \
    "declare void @enter(ptr)\ndeclare void @leave(ptr)\n"                                                           \
    "define linkonce_odr void @gc.transition_enter(ptr %t, i32 %n) noinline {\n  call void @enter(ptr %t)\n  ret "   \
    "void\n}\n"                                                                                                      \
    "define internal void @gc.transition_leave(ptr %t, i32 %n) {\n  call void @leave(ptr %t)\n  ret void\n}\n"
#define DIRECT                                                                                                       \
    "declare i64 @native(i64)\ndefine " REF " @f(" REF " %o, ptr %t)" GC "{\n"                                       \
    "  %r = call i64 @native(i64 7)" BUNDLE "\n  store i64 %r, " REF " %o\n  ret " REF " %o\n}\n"

/* PARTS follow one another in a part of the answer, at all levels, for both targets. */
static void in_order(const char *ir, const char *options, enum sm_part part, const char *const *parts) {
    for (int level = 0; level < 4; level++)
        for (int t = 0; t < 2; t++) {
            char all[200];
            snprintf(all, sizeof all, NONE "opt=%d emit=obj,ir,disasm %s", level, options);
            struct compiled c = compile(ir, all, targets[t]);
            cr_assert_eq(c.artifact.status, SM_OK, "%s: %s", all, c.text[SM_PART_DIAGNOSTICS]);
            const char *at = c.text[part];
            for (int i = 0; at && parts[i]; i++) {
                const char *found = strstr(at, parts[i]);
                cr_assert(found, "%s %s: '%s' is not behind the others in\n%s", targets[t], all, parts[i],
                          c.text[part]);
                at = found + strlen(parts[i]);
            }
            drop(&c);
        }
}

/* The example of LLVM's document: a thread-local is 1 while native code runs. */
#define DOCUMENT                                                                                                     \
    "@flag = thread_local global i32 0, align 4\ndeclare void @foo()\n" TOKEN "declare " REF                         \
    " @llvm.experimental.gc.relocate.p1(token, i32, i32)\ndefine " REF " @test1(" REF " %obj)" GC                    \
    "{\n  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, "         \
    "ptr elementtype(void ()) @foo, i32 0, i32 1, i32 0, i32 0) [ \"gc-transition\"(ptr @flag), \"gc-live\"(" REF    \
    " %obj) ]\n  %r = call coldcc " REF " @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)\n  ret " REF     \
    " %r\n}\n"

Test(transitions, the_document_s_example) {
    static const char *const ir[] = {"store i32 1, ptr @flag", "@foo", "store i32 0, ptr @flag", NULL};
    in_order(DOCUMENT, "transition=flag", SM_PART_IR, ir);
    in_order(DOCUMENT, "transition=flag reloc=static", SM_PART_IR, ir);
    has(DOCUMENT, NONE "transition=flag", SM_PART_STACKMAP, "\"callee\":\"foo\"", 1);
    has(DOCUMENT, NONE "transition=flag", SM_PART_STACKMAP, "\"gc_transition\":true", 1);
    has(DOCUMENT, NONE "transition=flag", SM_PART_STACKMAP, "\"base\":", 1);
    struct compiled c = compile(DOCUMENT, NONE "transition=flag reloc=static emit=obj,disasm", targets[0]);
    const char *set = strstr(c.text[SM_PART_DISASM], "movl $0x1, %fs:"),
               *call = set ? strstr(set, "callq foo") : NULL;
    cr_assert(call && strstr(call, "movl $0x0, %fs:"), "%s", c.text[SM_PART_DISASM]);
    drop(&c);
}

Test(transitions, stores_stand_around_the_call) {
    static const char *const parts[] = {"store i32 3, ptr %t", "@native, i32 1, i32 0, i64 7", "store i32 0, ptr %t",
                                        "store i64 %", NULL};
    in_order(STORES DIRECT, "", SM_PART_IR, parts);
    has(STORES DIRECT, NONE, SM_PART_STACKMAP, "\"gc_transition\":true", 1);
    has(STORES DIRECT, NONE, SM_PART_STACKMAP, "\"safepoints\":", 1); /* no function but f */
}

/* A function that enters, calls and leaves, so that the caller's roots are in their places meanwhile. */
Test(transitions, calls_have_a_frame_of_their_own) {
    static const char *const parts[] = {("define " REF " @f("), "@f.transition,", "ret ",          "@f.transition(",
                                        "@enter, i32 1",        "@native, i32 1", "@leave, i32 1", NULL};
    in_order(CALLS DIRECT, "", SM_PART_IR, parts);
    has(CALLS DIRECT, NONE, SM_PART_STACKMAP, "\"name\":\"f.transition\"", 1);
    has(CALLS DIRECT, NONE, SM_PART_STACKMAP, "\"callee\":\"enter\"", 1);
    has(CALLS DIRECT, NONE, SM_PART_STACKMAP, "\"callee\":\"leave\"", 1);
    has(CALLS DIRECT, NONE, SM_PART_STACKMAP, "\"callee\":\"native\"", 2); /* of f, and of the frame */
    has(CALLS DIRECT, NONE, SM_PART_STACKMAP, "\"gc_transition\":true", 2);
    has(CALLS DIRECT, NONE, SM_PART_STACKMAP, "\"base\":", 1);
}

#define INVOKE                                                                                                       \
    "declare i64 @native(i64)\ndeclare i32 @handle(...)\ndefine i64 @f(" REF " %o, ptr %t, ptr %code)" GC            \
    "personality ptr @handle {\n  %r = invoke i64 %code(i64 7)" BUNDLE "\n    to label %ok unwind label %bad\nok:\n" \
    "  %v = load i64, " REF " %o\n  %s = add i64 %v, %r\n  ret i64 %s\nbad:\n"                                       \
    "  %p = landingpad { ptr, i32 } cleanup\n  %w = load i64, " REF " %o\n  ret i64 %w\n}\n"

Test(transitions, invokes_leave_on_both_edges) {
    static const char *const parts[] = {"@f.transition(", "@leave", "landingpad", "@leave", "resume", NULL};
    in_order(CALLS INVOKE, "", SM_PART_IR, parts);
    has(CALLS INVOKE, NONE, SM_PART_STACKMAP, "\"callee\":\"indirect\"", 2);
    has(CALLS INVOKE, NONE, SM_PART_STACKMAP, "\"callee\":\"leave\"", 2);
    static const char *const stored[] = {
        "@f.transition(", "store i32 %2, ptr %1", "store i32 0", "landingpad", "store i32 0", "resume", NULL};
    in_order(STORES INVOKE, "", SM_PART_IR, stored);
}

#define RESUMES                                                                                                      \
    "declare i64 @native(i64)\ndeclare i32 @handle(...)\ndefine i64 @f(" REF " %o, ptr %t)" GC                       \
    "personality ptr @handle {\n  %r = invoke i64 @native(i64 7)" BUNDLE                                             \
    "\n    to label %ok unwind label %bad\nok:\n"                                                                    \
    "  ret i64 %r\nbad:\n  %p = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %p\n}\n"

/* The optimiser makes calls of such invokes. */
Test(transitions, invokes_that_only_resume_leave_as_well) {
    static const char *const parts[] = {"@f.transition(", "@leave", "landingpad", "@leave", "resume", NULL};
    in_order(CALLS RESUMES, "", SM_PART_IR, parts);
    has(CALLS RESUMES, NONE "opt=2", SM_PART_IR, "smd-unwinds", 0);
}

Test(transitions, what_the_arguments_need_goes_with_them) {
    static const char ir[] =
        CALLS "%s = type { i64, i64, i64 }\ndeclare void @native(ptr byval(%s), i8 signext, ...)\n"
              "define void @f(ptr %t, ptr %p)" GC "{\n  call void (ptr, i8, ...) @native("
              "ptr byval(%s) %p, i8 signext 3, i64 9)" BUNDLE "\n  ret void\n}\n";
    static const char *const parts[] = {"@f.transition(ptr byval(%s) %0, i8 signext %1, i64 %2, ptr %3", NULL};
    in_order(ir, "", SM_PART_IR, parts);
}

/* Without functions of the module's a transition is a flag, on AArch64 as well. */
Test(transitions, a_flag_alone) {
    static const char ir[] = "declare void @g()\ndefine void @f()" GC "{\n  call void @g() [ \"gc-transition\"() ]\n"
                             "  invoke void @g() [ \"gc-transition\"(i64 9) ] to label %ok unwind label %bad\nok:\n"
                             "  ret void\nbad:\n  %p = landingpad { ptr, i32 } cleanup\n  ret void\n}\n";
    char text[1024];
    snprintf(text, sizeof text, "declare i32 @handle(...)\n%s", ir);
    char *at = strstr(text, GC "{");
    cr_assert_not_null(at);
    char rest[1024];
    snprintf(rest, sizeof rest, "%s", at + strlen(GC));
    snprintf(at, sizeof text - (size_t)(at - text), GC "personality ptr @handle %s", rest);
    for (int level = 0; level < 4; level++) {
        char options[64];
        snprintf(options, sizeof options, NONE "opt=%d", level);
        has(text, options, SM_PART_STACKMAP, "\"gc_transition\":true", 2);
    }
}

/* The object's bytes have the flag, too. */
Test(transitions, the_object_has_the_flag) {
    for (int t = 0; t < 2; t++) {
        struct compiled c = compile(STORES DIRECT, NONE, targets[t]);
        int status;
        sm_slice object = c.artifact.part[SM_PART_OBJECT];
        struct bytes out = run_command(BIN_DIR "/smd-worker --stackmap -", object.data, object.len, &status);
        sm_artifact a;
        cr_assert_eq(sm_artifact_read(out.data, out.len, &a), SM_OK);
        char *text = strndup((const char *)a.part[SM_PART_STACKMAP].data, a.part[SM_PART_STACKMAP].len);
        cr_expect_eq(count(text, "\"gc_transition\":true"), 1, "%s", text);
        free(text);
        bytes_free(out);
        drop(&c);
    }
}

#define HOOKS                                                                                                        \
    "declare void @enter(" REF ")\ndeclare void @leave()\ndefine void @gc.transition_enter(" REF                     \
    " %o) {\n  call void @enter(" REF " %o)\n  ret void\n}\n"
#define LEAVES                                                                                                       \
    "define void @gc.transition_leave(" REF " %o) {\n  %f = getelementptr i8, " REF                                  \
    " %o, i64 24\n  call void @leave()\n  store i8 1, " REF " %f\n  ret void\n}\n"
#define GIVES(WHAT)                                                                                                  \
    "declare void @g()\ndefine void @f(" REF " %o)" GC "{\n  %i = getelementptr i8, " REF                            \
    " %o, i64 8\n  call void @g() [ \"gc-transition\"(" REF " " WHAT ") ]\n  ret void\n}\n"

/* A reference among the operands is in a slot of the managed function, which its record lists, and is read where it is
 * used: what leave does behind its own call it does to the object where it is then. */
Test(transitions, references_are_handed_over_in_a_slot) {
    static const char *const parts[] = {"define void @f(",
                                        "store " REF " %o, ptr %transition",
                                        "@f.transition, i32 1, i32 0, ptr %transition",
                                        "\"gc-live\"(ptr %transition)",
                                        "define internal void @f.transition(ptr %0)",
                                        "load volatile " REF,
                                        "@enter,",
                                        "@g,",
                                        "@leave,",
                                        "load volatile " REF,
                                        ", i64 24",
                                        "store i8 1",
                                        NULL};
    in_order(HOOKS LEAVES GIVES("%o"), "", SM_PART_IR, parts);
    has(HOOKS LEAVES GIVES("%o"), NONE, SM_PART_STACKMAP, "\"fields\":[{\"offset\":0,\"size\":8,\"space\":1}]", 1);
    static const char *const inner[] = {"define void @f(",
                                        "alloca { " REF ", i64 }",
                                        "store " REF " %o, ptr %transition",
                                        "@f.transition(",
                                        "@leave,",
                                        "load volatile " REF,
                                        NULL};
    in_order(HOOKS LEAVES GIVES("%i"), "", SM_PART_IR, inner);
    has(HOOKS LEAVES GIVES("%i"), NONE, SM_PART_STACKMAP, "\"fields\":[{\"offset\":0,\"size\":8,\"space\":1}]", 1);
}

Test(transitions, what_does_not_fit_is_refused) {
    refuses("define i64 @gc.transition_enter() {\n  ret i64 0\n}\n", NONE, SM_TRANSITION_CONFLICT, "void(");
    refuses("@gc.transition_leave = global i8 0\n", NONE, SM_TRANSITION_CONFLICT, "gc.transition_leave");
    refuses("define internal ptr @pick() {\n  ret ptr null\n}\n@gc.transition_enter = ifunc void (), ptr @pick\n",
            NONE, SM_TRANSITION_CONFLICT, "gc.transition_enter");
    refuses("\n\ndefine i64 @gc.transition_enter() {\n  ret i64 0\n}\n", NONE, SM_TRANSITION_CONFLICT, "\"line\":3");
    refuses(STORES DIRECT, NONE "transition=flag", SM_TRANSITION_CONFLICT, "of its own");
    refuses("declare void @g()\ndefine void @f()" GC
            "{\n  call void @g() [ \"gc-transition\"(i64 1) ]\n  ret void\n}\n",
            NONE "transition=flag", SM_TRANSITION_CONFLICT, "flag's address");
    refuses(STORES "declare void @g()\ndefine void @f()" GC
                   "{\n  call void @g() [ \"gc-transition\"(i64 1) ]\n  ret void\n}\n",
            NONE, SM_TRANSITION_CONFLICT, "(i64)");
    refuses("declare i32 @handle(...)\ndeclare void @leave()\ndefine void @gc.transition_leave(" REF
            " %o, i1 %c) personality ptr @handle {\n  br i1 %c, label %go, label %ok\ngo:\n"
            "  invoke void @leave() to label %ok unwind label %bad\nok:\n"
            "  %p = phi " REF " [ null, %0 ], [ %o, %go ]\n  call void @leave()\n  store i8 1, " REF
            " %p\n  ret void\nbad:\n  %x = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %x\n}\n"
            "declare void @g()\ndefine void @f(" REF " %o, i1 %c)" GC "personality ptr @handle {\n"
            "  call void @g() [ \"gc-transition\"(" REF " %o, i1 %c) ]\n  ret void\n}\n",
            NONE "opt=0", SM_TRANSITION_CONFLICT, "behind an invoke");
    refuses(CALLS "declare void @g()\ndefine void @f(ptr %t)" GC "{\n"
                  "  call void @g() \"statepoint-num-patch-bytes\"=\"8\"" BUNDLE "\n  ret void\n}\n",
            NONE, SM_TRANSITION_CONFLICT, "room to patch");
    refuses(STORES "declare void @g(ptr)\ndefine void @f(ptr %t)" GC "{\n  musttail call void @g(ptr %t)" BUNDLE
                   "\n  ret void\n}\n",
            NONE "opt=0", SM_CANNOT_REWRITE, "musttail");
}

Test(transitions, registers_are_not_trusted) {
    has(CALLS DIRECT, NONE "gc_registers=8", SM_PART_DIAGNOSTICS, "gc_registers is taken as 0", 1);
}

/* LLVM takes what is behind a store to null for never reached: the call would be gone, and its safepoint. */
Test(transitions, a_flag_has_an_address) {
    static const char *const nowhere[] = {"null", "undef", "poison", "inttoptr (i64 0 to ptr)"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        for (int level = 0; level < 4; level++) {
            char ir[400], options[64];
            snprintf(ir, sizeof ir,
                     "declare void @g()\ndefine void @f()" GC
                     "{\n  call void @g() [ \"gc-transition\"(ptr %s) ]\n  ret void\n}\n",
                     nowhere[i]);
            snprintf(options, sizeof options, NONE "transition=flag opt=%d", level);
            refuses(ir, options, SM_TRANSITION_CONFLICT, "where no flag can be");
            refuses(ir, options, SM_TRANSITION_CONFLICT, "\"line\":3");
        }
}

/* What is refused of a frame that smd made is said of the function that it is for, and where. */
Test(transitions, errors_name_what_was_posted) {
    static const char error[] = CALLS "declare swiftcc void @s(ptr swifterror)\ndefine void @f(ptr %t)" GC
                                      "{\n  %e = alloca swifterror ptr\n  store ptr null, ptr %e\n"
                                      "  call swiftcc void @s(ptr swifterror %e)" BUNDLE "\n  ret void\n}\n",
                      assembly[] = CALLS "define void @f(ptr %t)" GC
                                         "{\n  call void asm sideeffect \"nop\", \"\"()" BUNDLE "\n  ret void\n}\n";
    refuses(error, NONE, SM_TRANSITION_CONFLICT, "\"function\":\"f\",\"line\":15,\"column\":3");
    refuses(assembly, NONE, SM_TRANSITION_CONFLICT, "The call of inline assembly is a GC transition");
}

/* Calls of what is declared to do nothing would go. */
Test(transitions, hooks_that_the_optimiser_would_drop_are_refused) {
    static const char *const hooks[] = {"gc.transition_enter", "gc.transition_leave"},
                             *const attributes[] = {"memory(none)", "memory(read) nounwind willreturn",
                                                    "speculatable", "noreturn"};
    for (size_t h = 0; h < 2; h++)
        for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
            for (int level = 0; level < 4; level++) {
                char ir[2048], options[64], hint[64];
                snprintf(ir, sizeof ir, "declare void @%s(ptr, i32) %s\n%s", hooks[h], attributes[i], DIRECT);
                snprintf(options, sizeof options, NONE "opt=%d", level);
                snprintf(hint, sizeof hint, "%s is declared", hooks[h]);
                refuses(ir, options, SM_TRANSITION_CONFLICT, hint);
            }
}
