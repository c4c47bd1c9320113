/* slot_contents.c - does a stack slot hold references? By its type, by what is stored or loaded, because bytes of the
 * heap go through it, or because of what callees do that are given its address. */
#include "analysis.h"
#include "ir.h"
#include "slot_address.h"
#include "slots.h"

/* 1 if POINTER points into address space 1. */
static int is_reference_space(LLVMValueRef pointer) {
    return LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 1;
}

/* 1 if values of TYPE hold references, by the data layout of I's module. */
static int holds(LLVMValueRef i, LLVMTypeRef type) {
    return holds_root(LLVMGetModuleDataLayout(LLVMGetGlobalParent(function_of(i))), type);
}

/* 1 if I loads, stores or exchanges a value with references in it. */
static int moves_reference(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
        return holds(i, LLVMTypeOf(i));
    case LLVMStore:
        return holds(i, LLVMTypeOf(LLVMGetOperand(i, 0)));
    case LLVMAtomicCmpXchg:
        return holds(i, LLVMTypeOf(LLVMGetOperand(i, 2)));
    default: {
        const char *name = intrinsic_name(i);
        if (!name || (!starts_with(name, "llvm.masked.") && !starts_with(name, "llvm.vp.") &&
                      !starts_with(name, "llvm.experimental.vp.")))
            return 0;
        return holds(i, LLVMTypeOf(i)) || holds(i, LLVMTypeOf(LLVMGetOperand(i, 0)));
    }
    }
}

/* Adds the slot that POINTER lies in, which is the other end of a copy, to ENDS. 1 if it is memory of references. */
static int add_end(struct set *ends, LLVMValueRef pointer) {
    LLVMValueRef origin = stepped_from(pointer, FLOW_STEP | FLOW_CAST);
    if (LLVMIsAAllocaInst(origin))
        set_add(ends, origin);
    return is_reference_space(pointer);
}

/* Adds to ENDS the addresses that are derived from AT, a slot's, and the other slots that are copied into it (*OUT: that
 * it is copied into). 1 if it is copied from (to) memory of references. */
static int visit_end(LLVMValueRef at, struct set *ends, void *out) {
    int from = *(const int *)out;
    int result = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(at); !result && use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (flow_of(user, at) & FLOW_ADDRESS)
            set_add(ends, user);
        else if (is_memory_copy(user) && LLVMGetOperand(user, (unsigned)from) == at)
            result = add_end(ends, LLVMGetOperand(user, !from));
    }
    return result;
}

/* 1 if what is copied into the slots of ENDS (OUT: out of them) comes from (goes to) memory of references, also
 * through other slots. */
static int follow_ends(struct reach *known, const struct set *ends, int out) {
    int result = 0;
    for (size_t i = 0; !result && i < ends->count; i++)
        result = reaches(known, ends->item[i], visit_end, &out);
    return result;
}

/* The other ends of a slot's copies. */
struct ends {
    struct set in, out;
};

/* Notes the other end of a memory copy into or out of S, and in S whether it is memory of references. */
static void note_copy(struct slot *s, struct ends *ends, LLVMValueRef call) {
    if (!is_memory_copy(call))
        return;
    if (set_has(&s->address, LLVMGetOperand(call, 0)))
        s->copied_in |= add_end(&ends->in, LLVMGetOperand(call, 1));
    else
        s->copied_out |= add_end(&ends->out, LLVMGetOperand(call, 0));
}

/* The type that a type attribute (sret, byval, ...) of the call's argument or the callee's parameter INDEX names;
 * NULL if there is none. */
static LLVMTypeRef declared_type(LLVMValueRef call, unsigned index) {
    static const char *const names[] = {"sret", "byval", "inalloca", "preallocated", "byref"};
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        unsigned kind = attribute_kind(names[k]);
        LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
        if (!a && LLVMIsAFunction(callee))
            a = LLVMGetEnumAttributeAtIndex(callee, index + 1, kind);
        if (a)
            return LLVMGetTypeAttributeValue(a);
    }
    return NULL;
}

/* 1 if argument I of CALL is AT. */
static int is_given(LLVMValueRef call, unsigned i, LLVMValueRef at) {
    return i < LLVMGetNumArgOperands(call) && LLVMGetOperand(call, i) == at;
}

/* 1 if a function of the module loads or stores references through PARAMETER, itself or by a callee that it passes it
 * to; also if that cannot be decided. */
static int parameter_moves_references(LLVMValueRef parameter) {
    enum { MAX = 1000 };
    struct set at = {0};
    int moves = 0;
    set_add(&at, parameter);
    for (size_t i = 0; i < at.count && i < MAX && !moves; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(at.item[i]); use && !moves; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user))
                continue;
            moves = moves_reference(user) && !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == at.item[i]);
            if (flow_of(user, at.item[i]) & FLOW_ADDRESS)
                set_add(&at, user);
            for (unsigned k = 0; is_call(user) && k < LLVMGetNumArgOperands(user); k++) {
                LLVMValueRef callee = LLVMGetCalledValue(user);
                if (is_given(user, k, at.item[i]) && LLVMIsAFunction(callee) && k < LLVMCountParams(callee))
                    set_add(&at, LLVMGetParam(callee, k));
            }
        }
    int unknown = at.count > MAX;
    set_free(&at);
    return moves || unknown;
}

/* 1 if the callee moves references through the address AT that it is given, by the argument's type attribute or its
 * body. */
static int callee_moves_references(LLVMValueRef call, LLVMValueRef at) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef declared = is_given(call, i, at) ? declared_type(call, i) : NULL;
        if (declared && holds(call, declared))
            return 1;
        if (is_given(call, i, at) && LLVMIsAFunction(callee) && i < LLVMCountParams(callee) &&
            parameter_moves_references(LLVMGetParam(callee, i)))
            return 1;
    }
    return 0;
}

/* Sets s->handed_on to an instruction that moves references by an address of the slot that is not followed exactly:
 * one of s->beyond, or one given to a callee. */
static void find_untracked_move(struct slot *s) {
    for (size_t i = 0; i < s->address.count + s->beyond.count && !s->handed_on; i++) {
        int exact = i < s->address.count;
        LLVMValueRef v = exact ? s->address.item[i] : s->beyond.item[i - s->address.count];
        for (LLVMUseRef use = LLVMGetFirstUse(v); use && !s->handed_on; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v))
                continue;
            if ((!exact && !LLVMIsAStoreInst(v) && moves_reference(user) && !set_has(&s->beyond, user)) ||
                (is_call(user) && !intrinsic_name(user) && callee_moves_references(user, v)))
                s->handed_on = user;
        }
    }
}

/* 1 if the slot holds references: by its type, or by what is stored, loaded, copied, or done by callees. */
int slot_holds_references(struct slot *s, struct copies *known) {
    struct ends ends = {0};
    int result = holds_root(s->data, s->type);
    for (size_t i = 0; i < s->address.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(s->address.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user) ||
                (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == s->address.item[i]))
                continue;
            result |= moves_reference(user);
            note_copy(s, &ends, user);
        }
    s->copied_in = s->copied_in || follow_ends(&known->in, &ends.in, 0);
    s->copied_out = s->copied_out || follow_ends(&known->out, &ends.out, 1);
    set_free(&ends.in);
    set_free(&ends.out);
    if (!holds_root(s->data, s->type))
        find_untracked_move(s);
    return result || s->handed_on || (s->copied_in && s->copied_out);
}

/* Makes s->type the type that a call's type attribute gives the slot, if that has references and the alloca's type of
 * the same size has none. */
void slot_take_declared_type(struct slot *s) {
    LLVMTypeRef declared = NULL;
    LLVMTargetDataRef data = s->data;
    if (holds_root(data, s->type) || !LLVMIsAConstantInt(LLVMGetOperand(s->origin, 0)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(s->origin, 0)) != 1)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(s->origin); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        for (unsigned i = 0; is_call(call) && i < LLVMGetNumArgOperands(call); i++) {
            LLVMTypeRef type = is_given(call, i, s->origin) ? declared_type(call, i) : NULL;
            if (!type || !LLVMTypeIsSized(type) || !holds_root(data, type) || (declared && declared != type) ||
                LLVMABISizeOfType(data, type) != LLVMABISizeOfType(data, s->type)) {
                if (type && holds_root(data, type))
                    return;
                continue;
            }
            declared = type;
        }
    }
    if (declared)
        s->type = declared;
}
