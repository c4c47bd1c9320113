/* slot_contents.c - does a stack slot hold references? By its type, by what is stored or loaded, because bytes of the heap go
 * through it, or because of what callees do that are given its address. */
#include "slots.h"

#include <string.h>

static int is_reference_space(LLVMValueRef pointer) {
    return LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 1;
}

/* As the layout of I's module has it. */
static int holds(LLVMValueRef i, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    return holds_root(LLVMGetModuleDataLayout(LLVMGetGlobalParent(f)), type);
}

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

enum { COPIES_MAX = 6 }; /* from slot to slot */

/* What is copied into or out of the slot that POINTER is in comes from, or goes to, memory of references, by way of other
 * slots too. */
static int is_copied_with(LLVMValueRef pointer, int out, int depth) {
    struct set addresses = {0};
    int found = is_reference_space(pointer);
    pointer = stepped_from(pointer, BY_GEP | BY_BITCAST);
    if (!found && depth && LLVMIsAAllocaInst(pointer))
        set_add(&addresses, pointer);
    for (size_t i = 0; !found && i < addresses.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(addresses.item[i]); !found && use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAPHINode(user) ||
                LLVMIsASelectInst(user))
                set_add(&addresses, user);
            else if (is_memory_copy(user) && LLVMGetOperand(user, out) == addresses.item[i])
                found = is_copied_with(LLVMGetOperand(user, !out), out, depth - 1);
        }
    found |= addresses.failed;
    set_free(&addresses);
    return found;
}

/* The other end of a copy, seen from the slot. */
static void note_copy(struct slot *s, LLVMValueRef call) {
    if (!is_memory_copy(call))
        return;
    if (set_has(&s->address, LLVMGetOperand(call, 0)))
        s->copied_in |= is_copied_with(LLVMGetOperand(call, 1), 0, COPIES_MAX);
    else
        s->copied_out |= is_copied_with(LLVMGetOperand(call, 0), 1, COPIES_MAX);
}

/* An attribute with the type of what the pointer leads to. */
static LLVMTypeRef type_said(LLVMValueRef call, unsigned index) {
    static const char *const names[] = {"sret", "byval", "inalloca", "preallocated", "byref"};
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
        LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, index + 1, kind);
        if (!a && LLVMIsAFunction(callee))
            a = LLVMGetEnumAttributeAtIndex(callee, index + 1, kind);
        if (a)
            return LLVMGetTypeAttributeValue(a);
    }
    return NULL;
}

/* The arguments that a call is given of what is in AT. */
static int is_given(LLVMValueRef call, unsigned i, LLVMValueRef at) {
    return i < LLVMGetNumArgOperands(call) && LLVMGetOperand(call, i) == at;
}

/* A function of the module stores or loads references by way of this parameter, or one that it gives it to. 1 as well if that
 * cannot be known. */
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
            if (passes_address_on(user, at.item[i]))
                set_add(&at, user);
            for (unsigned k = 0; is_call(user) && k < LLVMGetNumArgOperands(user); k++) {
                LLVMValueRef callee = LLVMGetCalledValue(user);
                if (is_given(user, k, at.item[i]) && LLVMIsAFunction(callee) && k < LLVMCountParams(callee))
                    set_add(&at, LLVMGetParam(callee, k));
            }
        }
    int unknown = at.failed || at.count > MAX;
    set_free(&at);
    return moves || unknown;
}

/* What is known of a callee that is given the address. */
static int callee_moves_references(LLVMValueRef call, LLVMValueRef at) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef said = is_given(call, i, at) ? type_said(call, i) : NULL;
        if (said && holds(call, said))
            return 1;
        if (is_given(call, i, at) && LLVMIsAFunction(callee) && i < LLVMCountParams(callee) &&
            parameter_moves_references(LLVMGetParam(callee, i)))
            return 1;
    }
    return 0;
}

/* By ways that are not followed to the place. */
static void look_beyond(struct slot *s) {
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

int slot_holds_references(struct slot *s) {
    int found = holds_root(s->data, s->type);
    for (size_t i = 0; i < s->address.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(s->address.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!LLVMIsAInstruction(user) ||
                (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == s->address.item[i]))
                continue;
            found |= moves_reference(user);
            note_copy(s, user);
        }
    if (!holds_root(s->data, s->type))
        look_beyond(s);
    return found || s->handed_on || (s->copied_in && s->copied_out);
}

void slot_take_type_said(struct slot *s) {
    LLVMTypeRef said = NULL;
    LLVMTargetDataRef data = s->data;
    if (holds_root(data, s->type) || !LLVMIsAConstantInt(LLVMGetOperand(s->origin, 0)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(s->origin, 0)) != 1)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(s->origin); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        for (unsigned i = 0; is_call(call) && i < LLVMGetNumArgOperands(call); i++) {
            LLVMTypeRef type = is_given(call, i, s->origin) ? type_said(call, i) : NULL;
            if (!type || !LLVMTypeIsSized(type) || !holds_root(data, type) || (said && said != type) ||
                LLVMABISizeOfType(data, type) != LLVMABISizeOfType(data, s->type)) {
                if (type && holds_root(data, type))
                    return;
                continue;
            }
            said = type;
        }
    }
    if (said)
        s->type = said;
}
