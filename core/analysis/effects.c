/* effects.c - functions that must not be called less often, or elsewhere, than smd has them called: polls, barriers,
 * transitions and what roots become.
 *
 * What they are for the optimiser does not see. It goes by attributes: calls of what writes nothing are dropped where
 * nobody needs the result, merged and moved, and where something was no root would be left. So such a function is
 * refused by name. One with a body is inlined, and its attributes with it gone; there it is what the body calls that
 * has to stay.
 *
 * And in functions with llvm.gcroot a collector writes to slots of its caller, in calls of allocators that say to write
 * only memory that nobody sees. */
#include "effects.h"
#include "ir.h"

enum { WRITES = 2, ARGUMENTS = 0, INACCESSIBLE = 2, OTHER = 4 }; /* of the attribute "memory": two bits for each */

/* The bits of "memory" of which at least one has to be there. */
static unsigned long long bits_of(enum writes needed) {
    unsigned long long bits = WRITES << OTHER;
    if (needed != WRITES_ALL_MEMORY)
        bits |= WRITES << INACCESSIBLE;
    return needed == WRITES_ANYTHING ? bits | WRITES << ARGUMENTS : bits;
}

/* The attribute, as text, for which the optimiser may do without a call of these EFFECTS; NULL. */
static const char *lost_by_memory(unsigned long long effects, enum writes needed) {
    static const unsigned long long all = WRITES << ARGUMENTS | WRITES << INACCESSIBLE | WRITES << OTHER;
    if (effects & bits_of(needed))
        return NULL;
    return effects & all ? "memory(…) with writes to arguments or inaccessible memory alone"
                         : (effects ? "memory(read)" : "memory(none)");
}

/* 1 if F has the enum attribute NAME at INDEX. */
static int has_at(LLVMValueRef f, unsigned index, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, index, attribute_kind(name)) != NULL;
}

struct check {
    struct compile *c;
    LLVMValueRef hook;
    enum writes needed;
    sm_status failure, status;
};

/* Fails: calls of NAME may be lost by the ATTRIBUTE. */
static void refuse_effect(struct check *k, const char *name, const char *attribute) {
    k->status =
        fail(k->c, k->failure, k->hook,
             "%s is declared %s: the optimiser may drop, merge or move its calls, and a collector would go by "
             "what was not done; leave the attribute out",
             name, attribute);
}

/* Checks a call in a hook: one that gives nothing is there for what it does. */
static void check_call_effect(struct check *k, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (intrinsic_name(call) || LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        return;
    const char *lost = lost_by_memory(effects_of_call(call), k->needed);
    if (!lost && LLVMIsAFunction(callee) && has_at(callee, LLVMAttributeFunctionIndex, "speculatable"))
        lost = "speculatable";
    if (lost)
        refuse_effect(k, callee_name(call), lost);
}

sm_status effects_check(struct compile *c, LLVMValueRef f, enum writes needed, sm_status failure) {
    struct check k = {c, f, needed, failure, SM_OK};
    static const char *const alone[] = {"speculatable", "noreturn"};
    if (!LLVMIsDeclaration(f)) {
        for (LLVMValueRef call = first_call(f); call && k.status == SM_OK; call = next_call(call))
            check_call_effect(&k, call);
        return k.status;
    }
    const char *lost = lost_by_memory(effects_of_function(f), needed);
    for (size_t i = 0; !lost && i < sizeof alone / sizeof *alone; i++)
        if (has_at(f, LLVMAttributeFunctionIndex, alone[i]))
            lost = alone[i];
    if (lost)
        refuse_effect(&k, value_name(f), lost);
    return k.status;
}
