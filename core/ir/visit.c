/* visit.c - walks over the calls and the values of a module. */
#include "ir.h"

/* Calls CHECK for each parameter and instruction of F until it fails. */
sm_status check_function_values(struct compile *c, LLVMValueRef f, value_check *check) {
    sm_status s = SM_OK;
    for (LLVMValueRef v = first_value(f); s == SM_OK && v; v = next_value(v))
        s = check(c, f, v);
    return s;
}

int calls_safepoint(LLVMValueRef call) {
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
        return 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (intrinsic_name(call) || LLVMIsAInlineAsm(callee) || is_leaf_call(call) || is_musttail(call))
        return 0;
    return !LLVMIsAFunction(callee) || !is_leaf_function(callee);
}

/* 1 if CALL is one of the intrinsics that become calls of the runtime, and so safepoints unless they say that they
 * are leaves: those that copy elements, and deoptimizations in functions with statepoints. */
static int is_runtime_call(LLVMValueRef call) {
    if (is_deoptimize(call))
        return is_statepoint_gc(LLVMGetGC(function_of(call)));
    return is_intrinsic(call, "llvm.memcpy.element.") || is_intrinsic(call, "llvm.memmove.element.");
}

int is_safepoint(const struct compile *c, LLVMValueRef call) {
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
        return 0;
    if (is_statepoint(call))
        return 1;
    return c->form < FORM_REWRITTEN &&
           (intrinsic_name(call) ? is_runtime_call(call) && !is_leaf_call(call) : calls_safepoint(call));
}
