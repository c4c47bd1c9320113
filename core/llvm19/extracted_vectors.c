/* extracted_vectors.c - vectors of references that are taken out of a struct.
 *
 * LLVM 19's rewrite dies when it looks for the bases of such a vector: it knows those that were loaded, passed or
 * given by a call, and no extractvalue. So the struct goes through a slot of the frame at once, and the vector is
 * loaded from there. The lanes are objects' addresses as far as the struct's parts are: that of a call, a parameter or
 * memory. What was put together in the function is seen through before (see_through.c); where it was not, it is
 * refused.
 *
 * Requires structs split, nothing rewritten.
 *
 * No issue of vectors was found; #87625 is the same search that ends at another instruction.
 * tests/process/llvm19/extracted_vectors.ll fails when LLVM has repaired it.
 */
#include "analysis.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

/* 1 if V is an extractvalue that gives a vector of references. */
static int is_taken_out(LLVMValueRef v) {
    return LLVMIsAExtractValueInst(v) && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind &&
           holds_reference(LLVMTypeOf(v));
}

/* 1 if it is one of a struct that is the result of a call, an argument or loaded, so that its lanes are addresses of
 * objects. */
static int is_taken_from_elsewhere(LLVMValueRef v) {
    if (!is_taken_out(v))
        return 0;
    while (LLVMIsAExtractValueInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsAArgument(v) || LLVMIsALoadInst(v);
}

/* Replaces the extractvalue V: stores the entire struct in a new stack slot of F, and loads the vector from its
 * place there. Leaves V as it is if it has more than 16 indexes. */
static void reload(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    enum { DEPTH_MAX = 16 };
    LLVMValueRef complete = LLVMGetOperand(v, 0), index[DEPTH_MAX + 1];
    unsigned n = LLVMGetNumIndices(v);
    const unsigned *at = LLVMGetIndices(v);
    if (n > DEPTH_MAX)
        return;
    LLVMBuilderRef b = builder_at(first_instruction(f));
    LLVMValueRef slot = LLVMBuildAlloca(b, LLVMTypeOf(complete), "");
    c->has |= HAS_SLOTS;
    LLVMPositionBuilderBefore(b, v);
    LLVMBuildStore(b, complete, slot);
    index[0] = LLVMConstNull(LLVMInt32TypeInContext(c->context));
    for (unsigned i = 0; i < n; i++)
        index[i + 1] = LLVMConstInt(LLVMInt32TypeInContext(c->context), at[i], 0);
    LLVMValueRef place = LLVMBuildGEP2(b, LLVMTypeOf(complete), slot, index, n + 1, "");
    LLVMValueRef created = LLVMBuildLoad2(b, LLVMTypeOf(v), place, "");
    LLVMDisposeBuilder(b);
    call_replace(v, created);
    deviate(c, DEVIATION_RELOADS);
}

/* Fails with SM_CANNOT_REWRITE if V is an extracted vector of references that is alive across a safepoint of F. */
static sm_status check_left(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef call = is_taken_out(v) ? live_across(c, v) : NULL;
    if (!call)
        return SM_OK;
    char *text = LLVMPrintValueToString(v);
    sm_status s = fail(
        c, SM_CANNOT_REWRITE, f,
        "A vector of references is taken out of a struct and stays alive across the call of %.200s, and its bases "
        "cannot be found: '%.200s'; take it before it is put into the struct",
        safepoint_name(call), text);
    LLVMDisposeMessage(text);
    return s;
}

/* Reloads, through stack slots, all extracted vectors of F whose struct was not put together in F. */
static void vector_reload_in(struct compile *c, LLVMValueRef f) {
    struct set result = {0};
    collect_instructions(f, is_taken_from_elsewhere, &result);
    for (size_t i = 0; i < result.count; i++)
        reload(c, f, result.item[i]);
    set_free(&result);
}

/* Reloads extracted vectors of references in all functions with statepoints, and refuses those that are left and
 * alive across a safepoint. Requires polls placed. */
sm_status lanes_reload(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        vector_reload_in(c, f);
    return check_values(c, check_left);
}
