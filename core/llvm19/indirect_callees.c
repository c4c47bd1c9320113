/* indirect_callees.c - callees of statepoints that are one of several results, and callees that code generation loads.
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
 * Other calls, of callees that code generation itself puts into memory, get an empty assembly in the place of the
 * freeze: it moves a freeze to the operands, and then there is none between load and call.
 *
 * LLVM's #207508; #205364 would repair it. No issue of callees in memory was found. tests/process/llvm19/indirect_callees.ll,
 * callees_out_of_vectors.ll and callees_out_of_integers.ll fail when LLVM has repaired them.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

#include <elf.h>

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

/* 1 if the node of the callee V may be a load from a slot that code generation makes itself, for an element of a vector
 * by a variable index, or for a part of a wide integer. On x86-64 instruction selection moves the load into the call,
 * below the stores to that slot, and never ends, or crashes. */
static int is_from_slot(const struct compile *c, LLVMValueRef v) {
    while (LLVMIsAFreezeInst(v))
        v = LLVMGetOperand(v, 0);
    return c->elf_machine == EM_X86_64 && !is_first_value(v) &&
           !(LLVMIsAExtractValueInst(v) && LLVMIsALoadInst(LLVMGetOperand(v, 0)));
}

/* The pointer V by way of an empty assembly: nothing moves into its user. */
static LLVMValueRef copy_in_register(LLVMBuilderRef b, LLVMValueRef v) {
    static const char constraints[] = "=r,0";
    LLVMTypeRef pointer = LLVMTypeOf(v), type = LLVMFunctionType(pointer, &pointer, 1, 0);
    LLVMValueRef copy =
        LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, 0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(b, type, copy, &v, 1, "");
}

/* 1 if LLVM's lowering of statepoints lowers CALL, which is no intrinsic: it has deoptimisation values. */
static int has_deopt_values(LLVMValueRef call) {
    return !intrinsic_name(call) && call_has_bundle(call, "deopt");
}

/* Puts a freeze between a callee and its call if code generation would lose the callee, and a copy if it would
 * load it in the call. */
static void freeze_callee(struct compile *c, LLVMValueRef call) {
    int statepoint = is_statepoint(call);
    unsigned at = statepoint ? TARGET : (unsigned)LLVMGetNumOperands(call) - 1;
    LLVMValueRef callee = LLVMGetOperand(call, at);
    int is_lost = !is_first_value(callee) && (statepoint || has_deopt_values(call));
    if (!is_lost && (statepoint || !is_from_slot(c, callee)))
        return;
    LLVMBuilderRef b = builder_at(call);
    LLVMSetOperand(call, at, is_lost ? LLVMBuildFreeze(b, callee, "") : copy_in_register(b, callee));
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_FREEZES_CALLEES);
}

/* Freezes the callees of all statepoints and calls with deoptimisation values whose node may have several values, and
 * copies those of other calls that may be loaded from a slot of code generation.
 * Requires the rewritten module. */
void callees_freeze(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        freeze_callee(c, call);
}
