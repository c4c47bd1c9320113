/* compressed_punning.c - a compressed reference that is stored in a stack slot and read there as an integer is a cast not reported
 * to the collector.
 *
 * References of address space 1 are followed through memory after the rewrite (integer_aliases.c), where compressed ones are
 * integers throughout. So reading one as something else is refused, as ptrtoint is, before the optimiser. A slot may
 * hold one or the other at different times: what counts is which store the load can see.
 */
#include "compressed_input.h"
#include "ir.h"
#include "set.h"
#include "state.h"

/* The last store to PLACE at or before I in its block; NULL if there is none. */
static LLVMValueRef store_before_pun(LLVMValueRef i, LLVMValueRef place) {
    for (; i; i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == place)
            return i;
    return NULL;
}

/* 1 if a store of a compressed reference to the load's place may be the one that the load reads, searching
 * backwards. BLOCKS gets the ends of the blocks that were searched. */
static int sees_compressed(struct compile *c, LLVMValueRef load, struct set *blocks) {
    LLVMValueRef place = LLVMGetOperand(load, 0), at = load;
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    for (size_t n = 0;; n++) {
        LLVMValueRef store = store_before_pun(at, place);
        if (store && holds_compressed(data, LLVMTypeOf(LLVMGetOperand(store, 0))))
            return 1;
        LLVMValueRef block = LLVMBasicBlockAsValue(LLVMGetInstructionParent(at));
        for (LLVMUseRef u = store ? NULL : LLVMGetFirstUse(block); u; u = LLVMGetNextUse(u))
            if (LLVMIsATerminatorInst(LLVMGetUser(u)) && !set_has(blocks, LLVMGetUser(u)))
                set_add(blocks, LLVMGetUser(u)); /* the end of a block before this one */
        if (n == blocks->count)
            return 0;
        at = blocks->item[n];
    }
}

/* 1 if PLACE is in a stack slot. */
static int is_pun_slot(LLVMValueRef place) {
    return LLVMIsAAllocaInst(stepped_from(place, BY_GEP | BY_BITCAST)) != NULL;
}

/* The first load of F that reads a compressed reference in a stack slot as something else; NULL if there is none. */
LLVMValueRef find_pun(struct compile *c, LLVMValueRef f) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            struct set blocks = {0};
            if (!LLVMIsALoadInst(i) || holds_compressed(data, LLVMTypeOf(i)) || !is_pun_slot(LLVMGetOperand(i, 0)))
                continue;
            int is_one = sees_compressed(c, i, &blocks);
            set_free(&blocks);
            if (is_one)
                return i;
        }
    return NULL;
}
