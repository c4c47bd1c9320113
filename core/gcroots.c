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
        s = settle(c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), call);
    }
    set_free(&marks);
    return s;
}
