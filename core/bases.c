/* bases.c - GC pointers whose base LLVM's rewrite does not find, alive across a safepoint.
 *
 * LLVM says of both in an assertion that it cannot (RewriteStatepointsForGC.cpp, findBaseDefiningValue). Without
 * assertions it takes a derived pointer that one of the module's own statepoints has relocated for a base, and dies of
 * a stack slot's address that was cast into a GC pointer. So these are looked for before the rewrite, and refused by
 * name.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* What gc.relocate gives (Statepoints.rst): operands 1 and 2 say which of the live pointers is base and derived. */
static int is_derived_relocate(LLVMValueRef v) {
    const char *name = LLVMIsACallInst(v) ? intrinsic_name(v) : NULL;
    return name && strncmp(name, "llvm.experimental.gc.relocate", 29) == 0 &&
           LLVMGetOperand(v, 1) != LLVMGetOperand(v, 2);
}

static int is_slot(LLVMValueRef v) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be its own operand */
    LLVMTypeRef type = LLVMTypeOf(v);
    if (!LLVMIsAAddrSpaceCastInst(v) || LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(type) != 1)
        return 0;
    for (int i = 0;
         i < STEPS && (LLVMIsAAddrSpaceCastInst(v) || LLVMIsABitCastInst(v) || LLVMIsAGetElementPtrInst(v)); i++)
        v = LLVMGetOperand(v, 0);
    return LLVMIsAAllocaInst(v) != NULL;
}

/* Its base is found by way of its operands'. */
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

/* A pointer and what is derived from it. */
struct family {
    LLVMValueRef *member; /* owned */
    size_t count, room;
};

static int add(struct family *all, LLVMValueRef v) {
    for (size_t i = 0; i < all->count; i++)
        if (all->member[i] == v)
            return 1;
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 16;
        LLVMValueRef *more = realloc((void *)all->member, room * sizeof(LLVMValueRef));
        if (!more)
            return 0;
        all->member = more;
        all->room = room;
    }
    all->member[all->count++] = v;
    return 1;
}

static int add_derived(struct family *all, LLVMValueRef v) {
    int ok = 1;
    for (LLVMUseRef use = LLVMGetFirstUse(v); ok && use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)) && is_derivation(LLVMGetUser(use)))
            ok = add(all, LLVMGetUser(use));
    return ok;
}

/* PROBLEM: what is wrong with it, to stand behind its name. */
static sm_status check_pointer(struct compile *c, LLVMValueRef f, LLVMValueRef v, const char *problem) {
    struct family all = {0};
    LLVMValueRef call = NULL;
    size_t len;
    sm_status s = SM_OK;
    int room = add(&all, v);
    for (size_t i = 0; room && s == SM_OK && !call && i < all.count; i++) {
        s = live_across(c, f, all.member[i], &call);
        room = add_derived(&all, all.member[i]);
    }
    free((void *)all.member);
    if (!room)
        return fail(c, SM_NOMEM, f, "Memory ran out");
    if (s != SM_OK || !call)
        return s;
    const char *name = LLVMGetValueName2(v, &len);
    return fail(c, SM_CANNOT_REWRITE, f,
                "%s%s %s, and stays alive across the call of %.200s: its base cannot be found",
                name[0] ? "%" : "A pointer", name, problem, callee_name(call));
}

sm_status bases_check(struct compile *c) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); s == SM_OK && i; i = LLVMGetNextInstruction(i))
                if (is_derived_relocate(i))
                    s = check_pointer(c, f, i, "is a derived pointer, relocated by a statepoint of the module's own");
                else if (is_slot(i))
                    s = check_pointer(c, f, i, "is the address of a stack slot, cast into a GC pointer");
    }
    return s;
}
