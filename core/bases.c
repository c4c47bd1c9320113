/* bases.c - GC pointers whose base LLVM's rewrite does not find, alive across a safepoint or given to one.
 *
 * LLVM says of them in assertions that it cannot (RewriteStatepointsForGC.cpp, findBaseDefiningValue). Without
 * assertions, a derived pointer that one of the module's own statepoints has relocated becomes a base; a pointer of
 * another address space that was cast to a GC pointer gets a base that is in no list, or, if it is a stack slot's
 * address or the result of an atomicrmw, makes it crash; values that it does not look through become bases too
 * (opaque.c). So these are looked for before the rewrite, and refused by name.
 */
#include "core.h"
#include "set.h"

#include <assert.h>
#include <string.h>

/* 1 if V relocates a derived pointer: the indexes of base and derived value (operands 1 and 2) differ. */
static int is_derived_relocate(LLVMValueRef v) {
    return is_relocate(v) && LLVMGetOperand(v, 1) != LLVMGetOperand(v, 2);
}

/* What the reference V is cast from by addrspacecast, if that is an instruction or parameter and no reference; NULL
 * otherwise. */
static LLVMValueRef cast_from(LLVMValueRef v) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be its own operand */
    if (!LLVMIsAAddrSpaceCastInst(v) || !is_reference(v))
        return NULL;
    for (int i = 0; LLVMIsAAddrSpaceCastInst(v) || LLVMIsABitCastInst(v) || LLVMIsAGetElementPtrInst(v); i++) {
        v = LLVMGetOperand(v, 0);
        if (is_reference(v) || i == STEPS)
            return NULL;
    }
    return LLVMIsAInstruction(v) || LLVMIsAArgument(v) ? v : NULL;
}

/* 1 if LLVM's rewrite finds the base of V from those of its operands. */
static int is_derivation(LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
        return 1;
    default:
        return 0;
    }
}

/* Adds to ALL the instructions that derive a pointer from V. */
static void add_derived(struct set *all, LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)) && is_derivation(LLVMGetUser(use)))
            set_add(all, LLVMGetUser(use));
}

/* The safepoint that V is given to; NULL if there is none. The rewrite looks for the bases of what it is given, too. */
static LLVMValueRef given_to(const struct compile *c, LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (is_call(LLVMGetUser(use)) && is_safepoint(c, LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* Refuses V if it, or what is derived from it, is alive across a safepoint or given to one. PROBLEM says what is wrong
 * with it, and follows its name. */
static sm_status check_pointer(struct compile *c, LLVMValueRef f, LLVMValueRef v, const char *problem) {
    struct set all = {0};
    LLVMValueRef call = NULL, taker = NULL;
    size_t len;
    sm_status s = SM_OK;
    set_add(&all, v);
    for (size_t i = 0; s == SM_OK && !call && i < all.count; i++) {
        s = live_across(c, f, all.item[i], &call);
        if (!taker)
            taker = given_to(c, all.item[i]);
        add_derived(&all, all.item[i]);
    }
    set_free(&all);
    if (all.failed)
        return fail(c, SM_NOMEM, f, "Out of memory");
    if (s != SM_OK || (!call && !taker))
        return s;
    const char *name = LLVMGetValueName2(v, &len);
    return fail(c, SM_CANNOT_REWRITE, f, "%s%s %s, and %s the call of %.200s: its base cannot be found",
                name[0] ? "%" : "A pointer", name, problem, call ? "stays alive across" : "is given to",
                safepoint_name(call ? call : taker));
}

/* Visitor: refuses V, if it is a reference whose base the rewrite does not find, as check_pointer does. */
static sm_status check_base(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    if (is_derived_relocate(v))
        return check_pointer(c, f, v, "is a derived pointer, relocated by a statepoint of the module's own");
    if (is_opaque_derived(c, v))
        return check_pointer(c, f, v,
                             "may be a derived pointer, by way of what LLVM's rewrite does not look through");
    LLVMValueRef from = cast_from(v);
    return from ? check_pointer(c, f, v,
                                LLVMIsAAllocaInst(from)
                                    ? "is the address of a stack slot, cast into a GC pointer"
                                    : "is a pointer of another address space, cast into a GC pointer")
                : SM_OK;
}

/* Refuses references whose base the rewrite does not find. Requires polls placed, before the rewrite. */
sm_status bases_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    return check_values(c, check_base);
}
