/* slot_clear.c - null in all references of a stack slot, where it would be reported before it is written.
 *
 * Few are stored one by one. A slot with many is cleared by a function of smd's own in the module, as not every
 * runtime has memset.
 */
#include "ir.h"
#include "marks.h"
#include "reference_layout.h"
#include "slots.h"

#include <llvm-c/Target.h>

enum { STORES_MAX = 64, WORD = 8 };

/* The module's function smd.clear(ptr, i64 words), which stores zeros as memset would; created if it is not there yet,
 * since not every runtime has memset. */
static LLVMValueRef clearing_function(struct compile *c) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context), ptr = LLVMPointerTypeInContext(c->context, 0);
    LLVMTypeRef params[] = {ptr, i64};
    LLVMValueRef f = LLVMGetNamedFunction(c->module, CLEARING_FUNCTION), one = LLVMConstInt(i64, 1, 0);
    if (f)
        return f;
    f = LLVMAddFunction(c->module, CLEARING_FUNCTION,
                        LLVMFunctionType(LLVMVoidTypeInContext(c->context), params, 2, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    set_attribute_at(f, 1, "nocapture", 0);
    set_function_attribute(f, "nounwind");
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c->context, f, ""),
                      loop = LLVMAppendBasicBlockInContext(c->context, f, ""),
                      end = LLVMAppendBasicBlockInContext(c->context, f, "");
    LLVMBuilderRef b = builder_at_end(entry);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef left = LLVMBuildPhi(b, i64, ""), less = LLVMBuildSub(b, left, one, "");
    LLVMValueRef at = LLVMBuildGEP2(b, i64, LLVMGetParam(f, 0), &less, 1, "");
    LLVMSetAlignment(LLVMBuildStore(b, LLVMConstInt(i64, 0, 0), at), 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, less, LLVMConstInt(i64, 0, 0), ""), end, loop);
    LLVMValueRef values[] = {LLVMGetParam(f, 1), less};
    LLVMBasicBlockRef blocks[] = {entry, loop};
    LLVMAddIncoming(left, values, blocks, 2);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* Builds before BEFORE null stores into all references of the slot's layout; of more than STORES_MAX, a call that
 * clears the entire slot. */
void layout_clear(struct compile *c, LLVMValueRef slot, const struct layout *layout, LLVMValueRef before) {
    LLVMBuilderRef b = builder_at(before);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(c->context), i64 = LLVMInt64TypeInContext(c->context);
    uint64_t fields = 0;
    for (size_t i = 0; i < layout->runs; i++)
        fields += layout->run[i].count;
    if (fields > STORES_MAX) {
        uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), LLVMGetAllocatedType(slot)) *
                         LLVMConstIntGetZExtValue(LLVMGetOperand(slot, 0));
        LLVMValueRef f = clearing_function(c), args[] = {slot, LLVMConstInt(i64, bytes / WORD, 0)},
                     last = LLVMConstInt(i64, bytes - WORD, 0);
        LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
        set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
        if (bytes % WORD) /* of a packed type */
            LLVMSetAlignment(LLVMBuildStore(b, LLVMConstInt(i64, 0, 0), LLVMBuildGEP2(b, i8, slot, &last, 1, "")), 1);
        LLVMDisposeBuilder(b);
        return;
    }
    for (size_t i = 0; i < layout->runs; i++)
        for (uint32_t e = 0; e < layout->run[i].count; e++) {
            const sm_reference_run *run = &layout->run[i];
            uint64_t at = run->offset + (uint64_t)e * run->stride;
            LLVMValueRef index = LLVMConstInt(i64, at, 0), to = at ? LLVMBuildGEP2(b, i8, slot, &index, 1, "") : slot;
            LLVMTypeRef type = run->width == WORD ? LLVMPointerTypeInContext(c->context, run->space)
                                                  : LLVMInt32TypeInContext(c->context);
            LLVMValueRef store = LLVMBuildStore(b, LLVMConstNull(type), to);
            LLVMSetAlignment(store, LLVMGetAlignment(slot) >= WORD && at % WORD == 0 ? WORD : 1);
        }
    LLVMDisposeBuilder(b);
}
