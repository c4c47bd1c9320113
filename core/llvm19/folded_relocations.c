/* folded_relocations.c - relocated references beside vectors.
 *
 * LLVM 19 loads what a statepoint has relocated from an address that only plain loads may have. AArch64's instruction
 * selection folds such a load into others where vectors are: one lane of a vector, a scalar repeated in all of them,
 * an element that is picked by a variable index. Its code generation then ends with a division by zero. That of x86-64
 * splits the load of a vector wider than a register, and selects between two such loads by their addresses: then it
 * crashes, or the code computes them in the stack pointer. A freeze after the relocation is no instruction, and keeps
 * the load to itself.
 *
 * Only in functions that have vectors, on x86-64 only of vectors wider than its smallest: nothing else is folded, and
 * LLVM's own tools make the same object.
 *
 * LLVM's #142314, repaired by #153555 after LLVM 19. tests/process/llvm19/folded_relocations.ll and
 * folded_relocations_of_x86.ll fail where it is repaired.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

#include <elf.h>

/* 1 if F has a parameter, a value or an operand of vector type. */
static int has_vectors(LLVMValueRef f) {
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (is_vector(LLVMTypeOf(LLVMGetParam(f, i))))
            return 1;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        for (int k = -1; k < LLVMGetNumOperands(i); k++)
            if (is_vector(LLVMTypeOf(k < 0 ? i : LLVMGetOperand(i, (unsigned)k))))
                return 1;
    return 0;
}

/* 1 if USER folds no load into itself: a later statepoint uses the same slot again, and a phi is a register. */
static int keeps_load(const struct compile *c, LLVMValueRef user) {
    return LLVMIsAPHINode(user) || is_safepoint(c, user);
}

/* 1 if x86-64 may load the vector of references in parts: it is wider than the 128 bits that every CPU has. */
static int is_split(LLVMTypeRef type) {
    return is_vector(type) && LLVMGetVectorSize(type) > 2;
}

/* Builds a freeze after a gc.relocate, for all users that may fold its load. */
static void freeze_folded(struct compile *c, LLVMValueRef call) {
    if (!is_relocate(call) || (c->elf_machine == EM_X86_64 && !is_split(LLVMTypeOf(call))))
        return;
    LLVMBuilderRef b = builder_at(LLVMGetNextInstruction(call));
    LLVMValueRef frozen = LLVMBuildFreeze(b, call, "");
    for (LLVMUseRef use = LLVMGetFirstUse(call), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        while (next && LLVMGetUser(next) == user)
            next = LLVMGetNextUse(next);
        if (user != frozen && !keeps_load(c, user))
            replace_operand(user, call, frozen);
    }
    if (LLVMGetFirstUse(frozen))
        deviate(c, DEVIATION_FREEZES);
    else
        LLVMInstructionEraseFromParent(frozen);
    LLVMDisposeBuilder(b);
}

/* Freezes relocated references in functions with vectors; on x86-64 those that may be loaded in parts. */
void vectors_freeze(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && has_vectors(f))
            for (LLVMValueRef call = first_call(f); call; call = next_call(call))
                freeze_folded(c, call);
}
