/* indirect_callees.c - callees of statepoints that are one of several results.
 *
 * Code generation makes one node of what gives several values: a call that returns a struct, a struct that is an
 * argument, a select of two structs. A value of the node has a number. Where LLVM makes a statepoint of a call it
 * drops the number of the callee (StatepointLowering.cpp: `SDValue(CallNode->getOperand(1).getNode(), 0)`), and so the
 * code calls the first value of the node. A closure { env, code } calls its environment.
 *
 * A freeze is a node with one value. So each callee that may be one of several goes through a freeze right before its
 * call. This costs no instruction. Calls with deoptimisation values are lowered in the same way, with and without a
 * strategy.
 *
 * LLVM's #207508; #205364 would repair it. tests/process/llvm19/indirect_callees.ll fails when it does.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "state.h"

#include <assert.h>
#include <string.h>

enum { TARGET = 2 }; /* operand of a statepoint */

/* 1 if code generation may give the result of CALL the node of one of its arguments: those of some intrinsics, and
 * arguments that are "returned". */
static int may_be_argument(LLVMValueRef call) {
    LLVMValueRef created = is_result(call) ? LLVMGetOperand(call, 0) : call;
    if (intrinsic_name(created) && !is_statepoint(created))
        return 1;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(created); i++)
        if (argument_has(created, i, "returned"))
            return 1;
    return 0;
}

/* 1 if the node of V has one value, or V is its first one. What steps, casts or chooses may be folded to its operand,
 * so that its node is that of another value. */
static int is_first_value(LLVMValueRef v) {
    if (!LLVMIsAInstruction(v))
        return 1;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
    case LLVMPHI:
    case LLVMAlloca:
    case LLVMFreeze:
        return 1;
    case LLVMCall:
    case LLVMInvoke:
        return !may_be_argument(v);
    default:
        return 0;
    }
}

/* 1 if LLVM's lowering of statepoints lowers CALL, which is no intrinsic: it has deoptimisation values. */
static int has_deopt_values(LLVMValueRef call) {
    LLVMOperandBundleRef deopt = intrinsic_name(call) ? NULL : call_bundle(call, "deopt");
    if (deopt)
        LLVMDisposeOperandBundle(deopt);
    return deopt != NULL;
}

/* Visitor: puts a freeze between a callee that may be one of several values and its call. */
static void freeze_callee(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    (void)f;
    int statepoint = is_statepoint(call);
    unsigned at = statepoint ? TARGET : (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef callee = LLVMGetOperand(call, at);
    if (is_first_value(callee) || !(statepoint || has_deopt_values(call)))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetOperand(call, at, LLVMBuildFreeze(b, callee, ""));
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_FREEZES_CALLEES);
}

/* Freezes the callees of all statepoints and calls with deoptimisation values whose node may have several values.
 * Requires the rewritten module. */
void callees_freeze(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    visit_module_calls(c->module, freeze_callee, c);
}
