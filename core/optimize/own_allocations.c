/* own_allocations.c - allocations that the module makes itself, by moving a pointer that stands in the runtime's
 * memory.
 *
 *     %top = load ptr addrspace(1), ptr %place      %next = getelementptr i8, ptr addrspace(1) %top, i64 32
 *     store ptr addrspace(1) %next, ptr %place
 *
 * To LLVM %next is derived from the object at %top: if it is what the next allocation reads, or if objects are taken
 * from the end, the rewrite would take one object for the base of another. A collector that moves the first would
 * update the second to an address that is none. So what is stored back where it was read becomes the result of a call
 * that nothing looks through, which is a base of its own; the call stays where it is, and is gone after the rewrite.
 * The stack is not the runtime's: what a slot of the function holds is derived, as arithmetic says.
 *
 * Before the optimiser, which forwards what was stored to the next load.
 */
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "optimize.h"
#include "optimizing.h"

/* 1 if both are the same value, or are computed or loaded in the same way from the same. */
static int is_same_place(LLVMValueRef a, LLVMValueRef b, int depth) {
    enum { DEPTH = 8 };
    if (a == b)
        return 1;
    int gep = LLVMIsAGetElementPtrInst(a) && LLVMIsAGetElementPtrInst(b) &&
              LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
    if (depth == DEPTH || (!gep && !(LLVMIsALoadInst(a) && LLVMIsALoadInst(b))) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return 0;
    for (int i = 0; i < LLVMGetNumOperands(a); i++)
        if (!is_same_place(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), depth + 1))
            return 0;
    return 1;
}

/* The next place for an object, which the store I puts where it was read; NULL if I is no such store. */
static LLVMValueRef next_place(LLVMValueRef i) {
    if (!LLVMIsAStoreInst(i))
        return NULL;
    LLVMValueRef v = LLVMGetOperand(i, 0), place = LLVMGetOperand(i, 1);
    LLVMValueRef top = stepped_from(v, FLOW_STEP | FLOW_CAST);
    if (!is_reference(v) || !LLVMIsAGetElementPtrInst(v) || is_reference(place) || !LLVMIsALoadInst(top) ||
        LLVMIsAAllocaInst(stepped_from(place, FLOW_STEPS)))
        return NULL;
    return is_same_place(LLVMGetOperand(top, 0), place, 0) ? v : NULL;
}

/* The marker function, ptr addrspace(1)(ptr addrspace(1)), declared if it is not there: no safepoint, and for LLVM to
 * change memory that nobody sees, so that calls of it stay where they are. */
static LLVMValueRef next_marker(struct compile *c) {
    LLVMTypeRef reference = LLVMPointerTypeInContext(c->context, 1);
    LLVMValueRef f = declared_function(c->module, NEXT_OBJECT, LLVMFunctionType(reference, &reference, 1, 0));
    set_mark_attributes(f, "nounwind,willreturn");
    return f;
}

/* Puts a call of the marker behind V, for all uses of V. */
static void mark_next(struct compile *c, LLVMValueRef v) {
    LLVMValueRef call = call_before(LLVMGetNextInstruction(v), next_marker(c), &v, 1);
    LLVMReplaceAllUsesWith(v, call);
    LLVMSetOperand(call, 0, v);
    deviate(c, DEVIATION_BUMPS);
}

/* Marks what allocations of the module's own store back. */
sm_status bumps_mark(struct compile *c) {
    struct set result = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            if (next_place(i))
                set_add(&result, next_place(i));
    for (size_t i = 0; i < result.count; i++)
        mark_next(c, result.item[i]);
    set_free(&result);
    return SM_OK;
}

/* Puts what the markers were given in their place. Requires the rewritten module. */
sm_status bumps_unmark(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    LLVMValueRef f = LLVMGetNamedFunction(c->module, NEXT_OBJECT);
    if (!f || !has_deviated(c, DEVIATION_BUMPS))
        return SM_OK;
    for (LLVMUseRef use; (use = LLVMGetFirstUse(f)) != NULL;) {
        LLVMValueRef call = LLVMGetUser(use);
        replace_value(call, LLVMGetOperand(call, 0));
    }
    LLVMDeleteFunction(f);
    return SM_OK;
}
