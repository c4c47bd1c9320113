/* root_memory.c - of a function with llvm.gcroot: what may keep an object's address where root_facts.c does not look,
 * in a stack slot that is no root or in an integer. A frontend knows its own calls, and keeps nothing there across
 * one; of a poll it knows nothing. So a function with such a thing has none. Without regard to when it is alive: what
 * is stored once may be read anywhere. */
#include "ir.h"
#include "root_facts.h"
#include "set.h"

#include <string.h>

/* The pointer that V is derived from by steps and casts. */
static LLVMValueRef root_memory_origin_of(LLVMValueRef v) {
    return stepped_from(v, BY_GEP | BY_BITCAST | BY_SPACE_CAST);
}

/* 1 if an llvm.gcroot makes the slot a root. */
static int is_marked(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (is_intrinsic(LLVMGetUser(u), "llvm.gcroot") && LLVMGetOperand(LLVMGetUser(u), 0) == slot)
            return 1;
    return 0;
}

/* 1 if USER neither lets the slot's address escape nor writes to the slot except by a store, which is looked at by
 * itself. */
static int is_harmless(LLVMValueRef user, LLVMValueRef address) {
    static const char *const marks[] = {"llvm.lifetime.", "llvm.dbg.", "llvm.gcroot", "llvm.memset.",
                                        "llvm.invariant."};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (is_intrinsic(user, marks[i]))
            return 1;
    return LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) ||
           (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address);
}

/* 1 if the slot's address has escaped to where something else may write through it. */
static int is_known_elsewhere(LLVMValueRef slot) {
    struct set addresses = {0};
    int known = 0;
    set_add(&addresses, slot);
    for (size_t i = 0; i < addresses.count && !known; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(addresses.item[i]); u && !known; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user))
                set_add(&addresses, user);
            else
                known = !is_harmless(user, addresses.item[i]);
        }
    set_free(&addresses);
    return known;
}

/* 1 if the number is used for more than being compared. */
static int is_counted_with(LLVMValueRef number) {
    for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAICmpInst(LLVMGetUser(u)))
            return 1;
    return 0;
}

/* 1 if I may keep an object's address where root_facts.c does not look: in a slot that is no root, if it is stored
 * there or the slot's address has escaped; in an integer; by reading a root as no pointer. */
static int hides(LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i))
        return !is_marked(i) && is_known_elsewhere(i);
    if (LLVMIsAPtrToIntInst(i))
        return rootfacts_may_be_object(LLVMGetOperand(i, 0)) && is_counted_with(i);
    if (LLVMIsAStoreInst(i)) {
        LLVMValueRef slot = root_memory_origin_of(LLVMGetOperand(i, 1));
        int is_root = LLVMIsAAllocaInst(slot) && slot == LLVMGetOperand(i, 1) && is_marked(slot);
        return LLVMIsAAllocaInst(slot) && !is_root && rootfacts_may_be_object(LLVMGetOperand(i, 0));
    }
    if (LLVMIsALoadInst(i)) {
        LLVMValueRef slot = root_memory_origin_of(LLVMGetOperand(i, 0));
        return LLVMIsAAllocaInst(slot) && is_marked(slot) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind;
    }
    return 0;
}

/* The first slot or value of F that may keep an object's address in memory that is no root, or as a number; NULL
 * if there is none. */
LLVMValueRef rootmemory_hidden(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (hides(i))
                return LLVMIsAStoreInst(i) ? root_memory_origin_of(LLVMGetOperand(i, 1)) : i;
    return NULL;
}
