/* transition_roots.c - see transition_roots.h.
 *
 * From gc.transition_enter until gc.transition_leave another thread may collect at any instruction, and not only at
 * those that have a record. So a reference must be in no register meanwhile, and in no slot of the frame that LLVM
 * fills and reads as it likes. It is in a slot of the managed function, which is a region of that function's record
 * (slot_regions.c); the frame gets the slot's address, and what enter and leave do with the operand reads the slot
 * right where it is done: what waits for a collection's end and then uses the operand has the object where it is
 * then. Of a pointer into an object it is the object's address, with the distance after it.
 */
#include "transition_roots.h"
#include "analysis.h"
#include "ir.h"

#include <llvm-c/Target.h>

/* Builds at B's place a mark of the slot's life. */
static void mark_life(struct compile *c, LLVMBuilderRef b, const char *name, LLVMValueRef slot) {
    LLVMTypeRef pointer = LLVMTypeOf(slot), type = LLVMGetAllocatedType(slot);
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), type);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(c->module, LLVMLookupIntrinsicID(name, strlen(name)), &pointer, 1);
    LLVMValueRef args[] = {LLVMConstInt(LLVMInt64TypeInContext(c->context), bytes, 0), slot};
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

/* Builds a call of the intrinsic NAME, overloaded by TYPES, of the pointer V. */
static LLVMValueRef ask(struct compile *c, LLVMBuilderRef b, const char *name, LLVMTypeRef *types, size_t count,
                        LLVMValueRef v) {
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(c->module, LLVMLookupIntrinsicID(name, strlen(name)), types, count);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &v, 1, "");
}

/* The type of a slot for VALUE: its own; for a pointer into an object, that and a distance. */
static LLVMTypeRef slot_type(struct compile *c, LLVMValueRef value) {
    LLVMTypeRef parts[] = {LLVMTypeOf(value), LLVMInt64TypeInContext(c->context)};
    int has_distance = LLVMGetTypeKind(parts[0]) == LLVMPointerTypeKind && is_derived(value);
    return has_distance ? LLVMStructTypeInContext(c->context, parts, 2, 0) : parts[0];
}

LLVMValueRef handover_slot(struct compile *c, LLVMValueRef caller, LLVMValueRef value, LLVMValueRef before) {
    LLVMBuilderRef b = builder_at(first_instruction(caller));
    LLVMTypeRef type = slot_type(c, value), types[] = {LLVMTypeOf(value), LLVMTypeOf(value)};
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "transition");
    LLVMPositionBuilderBefore(b, before);
    mark_life(c, b, "llvm.lifetime.start", slot);
    if (type != types[0]) {
        LLVMValueRef distance = ask(c, b, "llvm.experimental.gc.get.pointer.offset", types, 1, value);
        LLVMBuildStore(b, distance, LLVMBuildStructGEP2(b, type, slot, 1, ""));
        value = ask(c, b, "llvm.experimental.gc.get.pointer.base", types, 2, value);
    }
    LLVMBuildStore(b, value, slot);
    LLVMDisposeBuilder(b);
    return slot;
}

void handover_end(struct compile *c, LLVMValueRef slot, LLVMValueRef call) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    int is_invoke = LLVMIsAInvokeInst(call) != NULL;
    LLVMPositionBuilderBefore(b, is_invoke ? past_pads(LLVMGetNormalDest(call)) : LLVMGetNextInstruction(call));
    mark_life(c, b, "llvm.lifetime.end", slot);
    if (is_invoke) {
        LLVMPositionBuilderBefore(b, past_pads(LLVMGetUnwindDest(call)));
        mark_life(c, b, "llvm.lifetime.end", slot);
    }
    LLVMDisposeBuilder(b);
}

LLVMValueRef handover_load(struct compile *c, LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef slot,
                           struct set *loads) {
    LLVMTypeRef type = slot_type(c, value), i64 = LLVMInt64TypeInContext(c->context);
    LLVMValueRef load = LLVMBuildLoad2(b, LLVMTypeOf(value), slot, "");
    LLVMSetVolatile(load, 1); /* nobody moves it */
    set_add(loads, load);
    if (type == LLVMTypeOf(value))
        return load;
    LLVMValueRef distance = LLVMBuildLoad2(b, i64, LLVMBuildStructGEP2(b, type, slot, 1, ""), "");
    return LLVMBuildGEP2(b, LLVMInt8TypeInContext(c->context), load, &distance, 1, "");
}

/* 1 if I only makes another address or a part of what it is given: it goes where that is used. */
static int is_handed_step(LLVMValueRef i) {
    return LLVMIsAGetElementPtrInst(i) || LLVMIsABitCastInst(i) || LLVMIsAExtractValueInst(i) ||
           LLVMIsAExtractElementInst(i) || LLVMIsAPtrToIntInst(i) || LLVMIsAAddrSpaceCastInst(i) ||
           LLVMIsASelectInst(i) || LLVMIsAFreezeInst(i);
}

/* Has the use of V by USER, its operand I, use a copy of V that is created right before. 0 if there is no such place:
 * the value comes into a phi from a call that may be a safepoint. */
static int copy_to_use(struct compile *c, LLVMValueRef v, LLVMValueRef user, unsigned i) {
    LLVMValueRef before = user;
    if (LLVMIsAPHINode(user))
        before = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i));
    if (before != user && (LLVMIsAInvokeInst(before) || LLVMIsACallBrInst(before)))
        return 0;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef copy = LLVMInstructionClone(v);
    LLVMPositionBuilderBefore(b, before);
    LLVMInsertIntoBuilder(b, copy);
    LLVMDisposeBuilder(b);
    for (unsigned k = i; LLVMIsAPHINode(user) && k < LLVMCountIncoming(user); k++) /* one value for one block */
        if (LLVMGetIncomingBlock(user, k) == LLVMGetIncomingBlock(user, i) && LLVMGetOperand(user, k) == v)
            LLVMSetOperand(user, k, copy);
    LLVMSetOperand(user, i, copy);
    return 1;
}

/* Makes V again before each of its uses, after what only steps on from it, and erases it. 0 if that cannot be. */
static int sink(struct compile *c, LLVMValueRef v) {
    struct set steps = {0};
    int sunk = 1;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (is_handed_step(LLVMGetUser(u)))
            set_add(&steps, LLVMGetUser(u));
    for (size_t k = 0; sunk && k < steps.count; k++)
        sunk = sink(c, steps.item[k]);
    set_free(&steps);
    for (LLVMUseRef u; sunk && (u = LLVMGetFirstUse(v)) != NULL;) {
        LLVMValueRef user = LLVMGetUser(u);
        unsigned i = 0;
        while (LLVMGetOperand(user, i) != v)
            i++;
        sunk = copy_to_use(c, v, user, i);
    }
    if (sunk)
        LLVMInstructionEraseFromParent(v);
    return sunk;
}

sm_status handover_sink(struct compile *c, struct set *loads) {
    for (size_t i = 0; i < loads->count; i++) {
        LLVMValueRef f = function_of(loads->item[i]);
        if (!sink(c, loads->item[i]))
            return fail(
                c, SM_TRANSITION_CONFLICT, f,
                "A reference among the \"gc-transition\" operands is used where paths meet after an invoke: use "
                "it before, or give the address of a handle");
    }
    return SM_OK;
}
