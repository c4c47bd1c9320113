/* keep_copies.c - eight bytes that are copied within, out of or into the heap stay bytes, or four where references are
 * compressed.
 *
 * LLVM's optimiser turns such a copy into a load and a store of an integer, and may move them apart, so that the
 * integer lives across a safepoint: where the call is known to change no other memory, where nothing else has the
 * object's address yet, or where a stack slot that is filled at once becomes several values. If those bytes are a
 * reference, no map has it. A volatile copy stays where it is, so the copies become volatile.
 *
 * Element by element, a copy may collect only if both ends are in the heap.
 *
 * Requires the verified module, before it is optimised.
 */
#include "aggregate_parts.h"
#include "deviations.h"
#include "ir.h"
#include "optimizing.h"

/* 1 if CALL is a memcpy or memmove with an end in the heap. */
static int is_copy(LLVMValueRef call) {
    return (is_intrinsic(call, "llvm.memcpy.p") || is_intrinsic(call, "llvm.memmove.p") ||
            is_intrinsic(call, "llvm.memcpy.inline.p")) &&
           (holds_reference(LLVMTypeOf(LLVMGetOperand(call, 0))) ||
            holds_reference(LLVMTypeOf(LLVMGetOperand(call, 1))));
}

/* 1 if END is a stack slot of exactly one reference: the optimiser makes a reference of it, not an integer. */
static int is_one_reference(struct compile *c, LLVMValueRef end) {
    struct leaves parts;
    return LLVMIsAAllocaInst(end) && holds_root(LLVMGetModuleDataLayout(c->module), LLVMGetAllocatedType(end)) &&
           LLVMIsAConstantInt(LLVMGetOperand(end, 0)) && LLVMConstIntGetZExtValue(LLVMGetOperand(end, 0)) == 1 &&
           leaves_find(&parts, LLVMGetAllocatedType(end), 1) && parts.count == 1;
}

/* Makes a copy of the size of a reference, or of unknown length, volatile, so that the optimiser makes no
 * integer of it. */
static void keep_copy_native(struct compile *c, LLVMValueRef call) {
    enum { LENGTH = 2, IS_VOLATILE = 3, REFERENCE = 8, COMPRESSED = 4 };
    if (!is_copy(call) || !LLVMIsNull(LLVMGetOperand(call, IS_VOLATILE)) ||
        is_one_reference(c, LLVMGetOperand(call, 0)) || is_one_reference(c, LLVMGetOperand(call, 1)))
        return;
    LLVMValueRef length = LLVMGetOperand(call, LENGTH);
    uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : REFERENCE;
    if (bytes != REFERENCE && !(c->spaces && bytes == COMPRESSED))
        return;
    LLVMSetOperand(call, IS_VOLATILE, LLVMConstInt(LLVMInt1TypeInContext(c->context), 1, 0));
    deviate(c, DEVIATION_KEEPS_COPIES);
}

/* An element-wise copy with an end outside the heap is a leaf. Its other form may collect between elements,
 * and takes both ends as objects and offsets. */
static void mark_native(struct compile *c, LLVMValueRef call) {
    if ((is_intrinsic(call, "llvm.memcpy.element.unordered.atomic.") ||
         is_intrinsic(call, "llvm.memmove.element.unordered.atomic.")) &&
        !(holds_reference(LLVMTypeOf(LLVMGetOperand(call, 0))) &&
          holds_reference(LLVMTypeOf(LLVMGetOperand(call, 1)))))
        set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
}

/* Makes those copies volatile which might become integers alive across safepoints. Requires the verified module,
 * before the optimiser. Element-wise copies out of or into other memory than the heap become leaves. */
void copies_keep(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    if (!has_statepoints(c))
        return;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        mark_native(c, call);
        if (c->options->opt != SM_OPT_0)
            keep_copy_native(c, call);
    }
}
