/* scalable_frames.c - functions with scalable vectors.
 *
 * LLVM 19 leaves the vectors' part out of a slot's distance in a record (AArch64RegisterInfo::eliminateFrameIndex
 * takes the fixed part of it). What lies above the vectors is concerned, as slots among the saved registers, if it is
 * found by the stack pointer or the base pointer; by the frame pointer the distance has no such part. Nobody has
 * reported that. */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

#include <elf.h>

/* 1 if the type is or contains a scalable vector. */
static int is_scalable(LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMArrayTypeKind)
        return is_scalable(LLVMGetElementType(t));
    for (unsigned i = 0; kind == LLVMStructTypeKind && i < LLVMCountStructElementTypes(t); i++)
        if (is_scalable(LLVMStructGetTypeAtIndex(t, i)))
            return 1;
    return kind == LLVMScalableVectorTypeKind;
}

static int has_scalable(LLVMValueRef f) {
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (is_scalable(LLVMTypeOf(LLVMGetParam(f, i))))
            return 1;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i)) {
        if (is_scalable(LLVMTypeOf(i)) || (LLVMIsAAllocaInst(i) && is_scalable(LLVMGetAllocatedType(i))))
            return 1;
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            if (is_scalable(LLVMTypeOf(LLVMGetOperand(i, (unsigned)k))))
                return 1;
    }
    return 0;
}

/* 1 if the frame has a base pointer when it has scalable vectors: its size is not known before it runs. */
static int has_dynamic_alloca(LLVMValueRef f) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && (b != entry || !LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
                return 1;
    return 0;
}

sm_status scalable_check(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && c->elf_machine == EM_X86_64;
         f = LLVMGetNextFunction(f))
        if (has_scalable(f))
            return fail(c, SM_CODEGEN_FAILED, f,
                        "The function has scalable vectors (vscale), which x86-64 does not have");
    return SM_OK;
}

sm_status scalable_frames(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && c->elf_machine == EM_AARCH64;
         f = LLVMGetNextFunction(f)) {
        int records = 0;
        if (LLVMIsDeclaration(f) || !has_scalable(f))
            continue;
        for (LLVMValueRef call = first_call(f); call; call = next_call(call))
            records |= is_statepoint(call) || sites_is_record(call);
        if (!records)
            continue;
        if (has_dynamic_alloca(f))
            return fail(
                c, SM_CODEGEN_FAILED, f,
                "The function has scalable vectors (vscale), an alloca of variable size, and safepoints: LLVM "
                "19 records slots of its frame wrong. Make one of them a function of its own");
        set_text_attribute(c->context, f, "frame-pointer", "all");
        deviate(c, DEVIATION_SCALABLE_FRAMES);
    }
    return SM_OK;
}
