/* copies.c - eight bytes that are copied within the heap stay bytes, or four where references are compressed.
 *
 * LLVM's optimiser turns such a copy into a load and a store of an integer, and may move them apart, so that the integer
 * lives across a safepoint: where the call is known to change no other memory, or where nothing else has the object's address
 * yet. If those bytes are a reference, no map has it. A volatile copy stays where it is, so the copies are made volatile.
 *
 * Requires the verified module, before it is optimised.
 */
#include "core.h"

#include <assert.h>
#include <string.h>

static int is_copy(LLVMValueRef call) {
    return is_intrinsic(call, "llvm.memcpy.p1.p1.") || is_intrinsic(call, "llvm.memmove.p1.p1.") ||
           is_intrinsic(call, "llvm.memcpy.inline.p1.p1.");
}

/* A length that varies may turn out to be eight. */
static void keep_copy(void *arg, LLVMValueRef f, LLVMValueRef call) {
    enum { LENGTH = 2, IS_VOLATILE = 3, REFERENCE = 8, COMPRESSED = 4 };
    struct compile *c = arg;
    (void)f;
    if (!is_copy(call) || !LLVMIsNull(LLVMGetOperand(call, IS_VOLATILE)))
        return;
    LLVMValueRef length = LLVMGetOperand(call, LENGTH);
    uint64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : REFERENCE;
    if (bytes != REFERENCE && !(c->spaces && bytes == COMPRESSED))
        return;
    LLVMSetOperand(call, IS_VOLATILE, LLVMConstInt(LLVMInt1TypeInContext(c->context), 1, 0));
    deviate(c, DEVIATION_KEEPS_COPIES);
}

void copies_keep(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    if (c->options->opt != SM_OPT_0 && has_statepoints(c))
        visit_module_calls(c->module, keep_copy, c);
}
