/* What LLVM dies of in code generation, and what it would take for a library call. Each compiles a module for both
 * targets and says what has to be in the answer. */
#include "gc_inputs.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    refuses(PAD("{ ptr, float }"), NONE "opt=0", SM_CODEGEN_FAILED, "landing pad");
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
