/* phis.c - phis of values that are kept in slots across safepoints, and whose values come from behind an invoke.
 *
 * Such a value is loaded from its slot where it is used (values.c), and a phi uses it at the end of the block that it comes from. If
 * that is an invoke, the value would be loaded before it and be old on its edge. A phi of one edge is its value; any other gets a
 * slot of its own, which is stored to before the invokes, read behind them, and a root between.
 */
#include "core.h"
#include "leaves.h"
#include "scopes.h"

static int comes_from_invoke(LLVMValueRef phi, unsigned i) {
    return !LLVMIsAConstant(LLVMGetIncomingValue(phi, i)) &&
           LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
}

int phi_crosses_invoke(LLVMValueRef v) {
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++)
        if (comes_from_invoke(v, i))
            return 1;
    return 0;
}

static LLVMValueRef behind_allocas(LLVMValueRef f) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static int is_stored_before(LLVMValueRef phi, unsigned k) {
    for (unsigned i = 0; i < k; i++)
        if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, k))
            return 1;
    return 0;
}

sm_status phi_settle(struct compile *c, LLVMValueRef f, LLVMValueRef phi, enum scope_mark mark, LLVMValueRef *made) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    *made = LLVMGetIncomingValue(phi, 0);
    if (LLVMCountIncoming(phi) == 1) {
        LLVMReplaceAllUsesWith(phi, *made);
        LLVMInstructionEraseFromParent(phi);
        return SM_OK;
    }
    int plain = kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        plain &= LLVMGetIncomingValue(phi, i) != LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));
    if (!plain) {
        char *text = LLVMPrintValueToString(phi);
        fail(c, SM_CANNOT_REWRITE, f,
             "'%.200s' joins values with compressed or tagged references behind invokes: join the references one by "
             "one, in blocks "
             "of their own",
             text);
        LLVMDisposeMessage(text);
        return SM_CANNOT_REWRITE;
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "smd.value");
    scope_mark(c, behind_allocas(f), mark, slot, LLVMConstPointerNull(LLVMPointerTypeInContext(c->context, 0)));
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (is_stored_before(phi, i))
            continue;
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        LLVMBuildStore(b, LLVMGetIncomingValue(phi, i), slot);
    }
    LLVMPositionBuilderBefore(b, place_behind(f, phi));
    *made = LLVMBuildLoad2(b, type, slot, "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(phi, *made);
    LLVMInstructionEraseFromParent(phi);
    return SM_OK;
}
