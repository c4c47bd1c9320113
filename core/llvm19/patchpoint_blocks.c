/* patchpoint_blocks.c - the block of a patchpoint ends right behind it, where what follows may crash LLVM.
 *
 * The record of a patchpoint lists the registers that are alive behind it. LLVM 19 takes each instruction that follows
 * in the same block into account, and has no number for some of the registers: the shadow stack's pointer, which each
 * call on x86-64 reads (LLVM's #53828), and the mode of rounding, which floating-point arithmetic on AArch64 reads
 * (#85828). It crashes over these (StackMaps.cpp, parseRegisterLiveOutMask). No block begins with such a register
 * alive.
 *
 * A branch alone would not do, as code generation joins blocks. It keeps the targets of an asm goto, though: an empty
 * one, which costs no instruction, ends the block of the patchpoint. tests/process/llvm19/patchpoint_blocks.ll and
 * patchpoint_blocks_of_aarch64.ll fail when LLVM has repaired it.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

/* 1 if T is held in one register that is none of floating point. */
static int is_word(LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64);
}

/* 1 if code generation needs no call to have V, an operand: it is no address of a thread's variable. */
static int is_plain_operand(LLVMValueRef v) {
    return !LLVMIsAConstant(v) || LLVMIsAConstantInt(v) || LLVMIsAConstantPointerNull(v) || LLVMIsAFunction(v) ||
           (LLVMIsAGlobalVariable(v) && !LLVMIsThreadLocal(v));
}

/* 1 if I becomes instructions on words alone, for certain: no call, no arithmetic of floating point. */
static int is_plain(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    int is_known = (op >= LLVMAdd && op <= LLVMXor) || op == LLVMICmp || op == LLVMSelect || op == LLVMTrunc ||
                   op == LLVMZExt || op == LLVMSExt || op == LLVMPtrToInt || op == LLVMIntToPtr ||
                   op == LLVMGetElementPtr || op == LLVMLoad || op == LLVMStore || op == LLVMPHI;
    for (int k = 0; is_known && k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        is_known = is_word(LLVMTypeOf(operand)) && is_plain_operand(operand);
    }
    return is_known && (op == LLVMStore || is_word(LLVMTypeOf(i)));
}

/* What comes next, in the block or in the one that it alone leads to, with which code generation may join it; NULL if
 * there is none. */
static LLVMValueRef next_in_block(LLVMValueRef i) {
    if (!LLVMIsATerminatorInst(i))
        return LLVMGetNextInstruction(i);
    int is_jump = LLVMGetInstructionOpcode(i) == LLVMBr && !LLVMIsConditional(i);
    return is_jump ? LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0)) : NULL;
}

/* 1 if something may follow CALL in its block that reads a register without a number. */
static int is_followed(LLVMValueRef call) {
    enum { STEPS_MAX = 1000 };
    LLVMValueRef i = next_in_block(call);
    for (int steps = 0; i; i = next_in_block(i), steps++)
        if (steps == STEPS_MAX || (LLVMIsATerminatorInst(i) ? LLVMIsAInvokeInst(i) != NULL : !is_plain(i)))
            return 1;
    return 0;
}

/* Ends CALL's block behind it, by an empty asm goto whose only target is what follows. */
static void end_block_after(struct compile *c, LLVMValueRef call) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    block_split(c, LLVMGetBasicBlockParent(block), LLVMGetNextInstruction(call));
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef rest = LLVMGetSuccessor(branch, 0);
    LLVMInstructionEraseFromParent(branch);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), NULL, 0, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "!i", 2, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMBuilderRef b = builder_at_end(block);
    LLVMBuildCallBr(b, type, nothing, rest, &rest, 1, NULL, 0, NULL, 0, "");
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_ENDS_BLOCKS);
}

/* Ends the blocks of patchpoints behind them, where that is needed. Requires the rewritten module. */
sm_status patchpoints_end_blocks(struct compile *c) {
    struct set calls = {0};
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (record_kind(call) == SM_RECORD_PATCHPOINT && !LLVMIsATerminatorInst(call) && is_followed(call))
            set_add(&calls, call);
    for (size_t i = 0; i < calls.count; i++)
        end_block_after(c, calls.item[i]);
    set_free(&calls);
    return SM_OK;
}
