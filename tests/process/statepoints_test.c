/* What a statepoint keeps of its call, and what its record says. Each compiles a module for both targets and says
 * what has to be in the answer. */
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Two pads with the same relocations, which AArch64's code generation would like to make one; a handler of two calls,
 * whose pads are joined; a resume. */
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
