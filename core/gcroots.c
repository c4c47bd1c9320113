/* gcroots.c - slots that llvm.gcroot marks, put right after the optimiser.
 *
 * A function that was inlined has its slots in the caller's first block, and its marks where its body is: they go
 * after the slots. A root is one throughout its function; code generation makes it null at first. The inliner's marks
 * of a slot's life, and a frontend's, are taken away: LLVM's tables have no life of a root, and its slot would be
 * shared with something else, or the shadow stack's whole frame be taken for dead.
 *
 * The shadow stack's lowering makes the slot a field of the frame's entry, which is as aligned as a pointer is,
 * whatever the alloca said. So what reads and writes the slot relies on no more.
 *
 * Where a root holds more than one pointer, code generation would store one null pointer, and die of it: the shadow
 * stack gets such a slot cleared.
 *
 * Requires the optimised module.
 */
#include "core.h"
#include "set.h"

#include <stdlib.h>
#include <string.h>

enum { POINTER_ALIGNMENT = 8 };

/* V before it was cast by bitcasts and between address spaces. */
static LLVMValueRef without_casts(LLVMValueRef v) {
    return stepped_from(v, BY_BITCAST | BY_SPACE_CAST);
}

/* Adds to USERS the instructions that use SLOT, or an address within it, otherwise than to derive another address; 0
 * if out of memory. */
static int find_users(LLVMValueRef slot, struct set *users) {
    struct set addresses = {0};
    set_add(&addresses, slot);
    for (size_t i = 0; i < addresses.count; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(addresses.item[i]); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (!LLVMIsAInstruction(user))
                continue;
            if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user) ||
                LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
                set_add(&addresses, user);
            else
                set_add(users, user);
        }
    int failed = addresses.failed || users->failed;
    set_free(&addresses);
    return !failed;
}

/* Lowers the alignment that I relies on, or an alloca has, to that of a pointer. */
static void limit_alignment(struct compile *c, LLVMValueRef i) {
    if (LLVMGetAlignment(i) <= POINTER_ALIGNMENT)
        return;
    LLVMSetAlignment(i, POINTER_ALIGNMENT);
    deviate(c, DEVIATION_SETTLES_ROOTS);
}

/* Lowers the alignment that the load, store or atomic I relies on; of a call it takes the attributes "align" off. */
static void lower_alignment(struct compile *c, LLVMValueRef i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) {
        limit_alignment(c, i);
        return;
    }
    for (unsigned k = 0; LLVMIsACallInst(i) && k < LLVMGetNumArgOperands(i); k++)
        if (LLVMGetCallSiteEnumAttribute(i, k + 1, kind)) {
            LLVMRemoveCallSiteEnumAttribute(i, k + 1, kind);
            deviate(c, DEVIATION_SETTLES_ROOTS);
        }
}

/* 1 if all users are loads, stores and intrinsics: nothing else relies on the slot's alignment, so it may be lowered;
 * an over-aligned frame would have no size that ocaml's table can state. */
static int is_the_function_s_own(const struct set *users) {
    for (size_t i = 0; i < users->count; i++)
        if (!LLVMIsALoadInst(users->item[i]) && !LLVMIsAStoreInst(users->item[i]) && !intrinsic_name(users->item[i]))
            return 0;
    return 1;
}

/* Moves the llvm.gcroot CALL right after its slot in the entry block, erases the slot's lifetime marks, and lowers
 * alignments that the shadow stack cannot keep. A slot that is no alloca of the entry is left, and refused later. */
static sm_status settle(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef slot = without_casts(LLVMGetOperand(call, 0));
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(f);
    struct set users = {0};
    sm_status s = SM_OK;
    if (!LLVMIsAAllocaInst(slot) || LLVMGetInstructionParent(slot) != first)
        return SM_OK; /* it is refused */
    if (LLVMGetInstructionParent(call) != first) {
        LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
        LLVMSetOperand(call, 0, slot);
        LLVMInstructionRemoveFromParent(call);
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(slot));
        LLVMInsertIntoBuilder(b, call);
        LLVMDisposeBuilder(b);
        deviate(c, DEVIATION_SETTLES_ROOTS);
    }
    if (!find_users(slot, &users))
        s = fail(c, SM_NOMEM, f, "Out of memory");
    int lowered = strcmp(LLVMGetGC(f), "shadow-stack") == 0 || is_the_function_s_own(&users);
    for (size_t i = 0; s == SM_OK && i < users.count; i++) {
        if (is_intrinsic(users.item[i], "llvm.lifetime.")) {
            LLVMInstructionEraseFromParent(users.item[i]);
            deviate(c, DEVIATION_SETTLES_ROOTS);
        } else if (lowered) {
            lower_alignment(c, users.item[i]);
        }
    }
    if (s == SM_OK && lowered && LLVMGetTypeKind(LLVMGetAllocatedType(slot)) == LLVMPointerTypeKind)
        limit_alignment(c, slot);
    set_free(&users);
    return s;
}

uint64_t alloca_count(LLVMValueRef slot) {
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    return LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
}

void root_clear(struct compile *c, LLVMValueRef slot, LLVMValueRef before) {
    enum { STORED = 64 }; /* bytes */
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), type) * alloca_count(slot);
    LLVMValueRef zero = LLVMConstInt(LLVMInt8TypeInContext(c->context), 0, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, before);
    if (bytes <= STORED && alloca_count(slot) == 1) {
        LLVMBuildStore(b, LLVMConstNull(type), slot);
    } else if (bytes) { /* the store is what code generation goes by, which then puts none of its own there */
        LLVMBuildStore(b, zero, slot);
        LLVMBuildMemSet(b, slot, zero, LLVMConstInt(LLVMInt64TypeInContext(c->context), bytes, 0),
                        LLVMGetAlignment(slot));
    }
    LLVMDisposeBuilder(b);
}

/* The first instruction of F's first block behind the allocas that it begins with. */
static LLVMValueRef past_allocas(LLVMValueRef f) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* A root of F's shadow stack that is no single pointer becomes one alloca, of an array, where F begins, and is
 * cleared there: the lowering takes an alloca of several for one, and code generation a struct for a pointer. */
static void make_whole(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef slot = without_casts(LLVMGetOperand(call, 0)), made;
    size_t len;
    if (strcmp(LLVMGetGC(f), "shadow-stack") != 0 || !LLVMIsAAllocaInst(slot) || !alloca_count(slot) ||
        LLVMGetInstructionParent(slot) != LLVMGetEntryBasicBlock(f) ||
        (alloca_count(slot) == 1 && LLVMGetTypeKind(LLVMGetAllocatedType(slot)) == LLVMPointerTypeKind))
        return;
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    if (alloca_count(slot) != 1)
        type = LLVMArrayType2(type, alloca_count(slot));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    const char *name = LLVMGetValueName2(slot, &len);
    made = LLVMBuildAlloca(b, type, name);
    LLVMSetAlignment(made, LLVMGetAlignment(slot));
    LLVMReplaceAllUsesWith(slot, made);
    LLVMInstructionEraseFromParent(slot);
    LLVMDisposeBuilder(b);
    root_clear(c, made, past_allocas(f));
    deviate(c, DEVIATION_SETTLES_ROOTS);
}

/* Visitor: adds to the set at ARG a call of llvm.gcroot in a function with a strategy. */
static void find(void *arg, LLVMValueRef f, LLVMValueRef call) {
    if (LLVMGetGC(f) && strcmp(called_function(call), "llvm.gcroot") == 0)
        set_add(arg, call);
}

/* Settles all slots that llvm.gcroot marks. Requires the optimised module. */
sm_status gcroots_settle(struct compile *c) {
    struct set marks = {0};
    sm_status s = SM_OK;
    visit_module_calls(c->module, find, &marks);
    if (marks.failed)
        s = fail(c, SM_NOMEM, NULL, "Out of memory");
    for (size_t i = 0; s == SM_OK && i < marks.count; i++) {
        LLVMValueRef call = marks.item[i];
        make_whole(c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), call);
        s = settle(c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), call);
    }
    set_free(&marks);
    return s;
}
