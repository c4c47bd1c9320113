/* slots.c - references in stack slots, which no map tells of.
 *
 * A collector is told of references that are values. One that was stored into an alloca and is read back after a
 * safepoint is the old one. So slots are promoted to values (LLVM's sroa) before the rewrite, at every level, where
 * there are such slots; and behind the rewrite, what still holds a reference from before a safepoint until it is read
 * is refused by name. A slot that the safepoint lists in its "gc-live" bundle is told to the collector, and fine.
 *
 * What is followed of a slot: its address through getelementptr, casts, phi, select and freeze; loads, stores and
 * copies; calls that are given the address. A byval, inalloca or preallocated parameter is such a slot too, filled by the
 * caller. By other ways (inside structs, as an integer, through memory, assembly, or a callee that gives it back) it is followed
 * as far as to know that there are references in the slot, and that others know it.
 */
#include "slots.h"
#include "core.h"

#include <assert.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

enum { WRITES = SLOT_WRITES, READS = SLOT_READS, FILLS = SLOT_FILLS, ESCAPES = SLOT_ESCAPES, DIES = SLOT_DIES };
/* What is true of a slot at a place. */
enum { WRITTEN = 1, CROSSED = 2, ESCAPED = 4 };

static int is_reference_space(LLVMValueRef pointer) {
    return LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 1;
}

static int passes_address_on(LLVMValueRef user, LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMFreeze:
        return 1;
    case LLVMSelect:
        return LLVMGetOperand(user, 0) != v;
    default:
        return 0;
    }
}

static int starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static int argument_is(LLVMValueRef call, unsigned index, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, index + 1, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, index + 1, kind));
}

static void find_addresses(struct slot *s) {
    set_add(&s->address, s->origin);
    for (size_t i = 0; i < s->address.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(s->address.item[i]); use; use = LLVMGetNextUse(use))
            if (LLVMIsAInstruction(LLVMGetUser(use)) && passes_address_on(LLVMGetUser(use), s->address.item[i]))
                set_add(&s->address, LLVMGetUser(use));
}

static int is_copy(const char *intrinsic) {
    return starts_with(intrinsic, "llvm.memcpy.") || starts_with(intrinsic, "llvm.memmove.");
}

/* ---- Other ways ----------------------------------------------------------------------------------------------- */

static int is_call(LLVMValueRef v) {
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsACallBrInst(v);
}

/* Where a pointer to memory comes from, if nothing but distances is between. */
static LLVMValueRef origin_of(LLVMValueRef v) {
    return stepped_from(v, BY_GEP | BY_BITCAST);
}

/* What is given back by a function of the module, or says so. */
static int gives_back(LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned n = LLVMGetNumArgOperands(call);
    int given = 0;
    for (unsigned i = 0; i < n; i++) {
        if (LLVMGetOperand(call, i) != v)
            continue;
        given |= argument_is(call, i, "returned") || LLVMIsAInlineAsm(callee);
        for (LLVMBasicBlockRef b = LLVMIsAFunction(callee) ? LLVMGetFirstBasicBlock(callee) : NULL; b;
             b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            given |= LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) && i < LLVMCountParams(callee) &&
                     origin_of(LLVMGetOperand(end, 0)) == LLVMGetParam(callee, i);
        }
    }
    return given;
}

static void add_loads(struct slot *s, LLVMValueRef memory) {
    struct set at = {0};
    set_add(&at, memory);
    for (size_t i = 0; i < at.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(at.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsALoadInst(user))
                set_add(&s->beyond, user);
            else if (LLVMIsAInstruction(user) && passes_address_on(user, at.item[i]))
                set_add(&at, user);
        }
    s->beyond.failed |= at.failed;
    set_free(&at);
}

static void add_beyond(struct slot *s, LLVMValueRef user, LLVMValueRef v, int exact) {
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMInsertValue:
    case LLVMExtractValue:
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
        set_add(&s->beyond, user);
        break;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == v && LLVMIsAAllocaInst(origin_of(LLVMGetOperand(user, 1))))
            add_loads(s, origin_of(LLVMGetOperand(user, 1)));
        break;
    default:
        if ((!exact && passes_address_on(user, v)) || (is_call(user) && !intrinsic_name(user) && gives_back(user, v)))
            set_add(&s->beyond, user);
    }
}

static void find_beyond(struct slot *s) {
    for (size_t i = 0; i < s->address.count + s->beyond.count; i++) {
        int exact = i < s->address.count;
        LLVMValueRef v = exact ? s->address.item[i] : s->beyond.item[i - s->address.count];
        for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
            if (LLVMIsAInstruction(LLVMGetUser(use)) && !set_has(&s->address, LLVMGetUser(use)))
                add_beyond(s, LLVMGetUser(use), v, exact);
    }
}

/* ---- Effects -------------------------------------------------------------------------------------------------- */

/* A callee that is a safepoint may write and read the slot while the collector does not know of it. */
static int argument_effects(const struct slot *s, LLVMValueRef call, int at_safepoint) {
    unsigned n = LLVMGetNumArgOperands(call);
    int effects = 0;
    if (strcmp(callee_name(call), CLEARING_FUNCTION) == 0)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (!set_has(&s->address, LLVMGetOperand(call, i)))
            continue;
        effects |= READS;
        if (argument_is(call, i, "byval"))
            continue;
        effects |= WRITES | (at_safepoint || !argument_is(call, i, "nocapture") ? ESCAPES : 0);
    }
    return effects;
}

int slot_bundle_effects(const struct slot *s, LLVMValueRef call, int *listed) {
    int effects = 0;
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        size_t len;
        const char *tag = LLVMGetOperandBundleTag(bundle, &len);
        int is_live = len == 7 && memcmp(tag, "gc-live", 7) == 0;
        for (unsigned k = 0; k < LLVMGetNumOperandBundleArgs(bundle); k++) {
            if (!set_has(&s->address, LLVMGetOperandBundleArgAtIndex(bundle, k)))
                continue;
            *listed |= is_live;
            effects |= READS;
        }
        LLVMDisposeOperandBundle(bundle);
    }
    return effects;
}

static int intrinsic_effects(const struct slot *s, LLVMValueRef call, const char *name) {
    if (starts_with(name, "llvm.lifetime."))
        return set_has(&s->address, LLVMGetOperand(call, 1)) ? DIES : 0;
    if (starts_with(name, "llvm.dbg.") || starts_with(name, "llvm.assume") || starts_with(name, "llvm.invariant.") ||
        starts_with(name, "llvm.stack") || starts_with(name, "llvm.memset."))
        return 0;
    if (is_copy(name))
        return (set_has(&s->address, LLVMGetOperand(call, 0)) ? WRITES : 0) |
               (set_has(&s->address, LLVMGetOperand(call, 1)) ? READS : 0);
    return argument_effects(s, call, 0);
}

static int fills(const struct slot *s, LLVMValueRef store) {
    return LLVMGetOperand(store, 1) == s->origin && LLVMTypeOf(LLVMGetOperand(store, 0)) == s->type;
}

static int operand_effects(const struct slot *s, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (set_has(&s->address, LLVMGetOperand(i, (unsigned)k)))
            return ESCAPES;
    return 0;
}

/* Null never becomes old. */
static int is_null(LLVMValueRef v) {
    return LLVMIsConstant(v) && LLVMIsNull(v);
}

int slot_effects(const struct compile *c, const struct slot *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return set_has(&s->address, LLVMGetOperand(i, 0)) ? READS : 0;
    case LLVMStore:
        return (set_has(&s->address, LLVMGetOperand(i, 0)) ? ESCAPES : 0) |
               (set_has(&s->address, LLVMGetOperand(i, 1))
                    ? (is_null(LLVMGetOperand(i, 0)) ? 0 : WRITES) | (fills(s, i) ? FILLS : 0)
                    : 0);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return set_has(&s->address, LLVMGetOperand(i, 0)) ? READS | WRITES : 0;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return intrinsic_name(i) && !is_safepoint(c, i) ? intrinsic_effects(s, i, intrinsic_name(i))
                                                        : argument_effects(s, i, is_safepoint(c, i));
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMFreeze:
    case LLVMSelect:
    case LLVMICmp:
    case LLVMRet:
        return 0;
    default:
        return operand_effects(s, i);
    }
}

/* ---- Which slots hold references ---------------------------------------------------------------------------- */

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
        const char *name = LLVMIsACallInst(i) ? intrinsic_name(i) : NULL;
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
            const char *name = LLVMIsACallInst(user) ? intrinsic_name(user) : NULL;
            if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAPHINode(user) ||
                LLVMIsASelectInst(user))
                set_add(&addresses, user);
            else if (name && is_copy(name) && LLVMGetOperand(user, out) == addresses.item[i])
                found = is_copied_with(LLVMGetOperand(user, !out), out, depth - 1);
        }
    found |= addresses.failed;
    set_free(&addresses);
    return found;
}

/* The other end of a copy, seen from the slot. */
static void note_copy(struct slot *s, LLVMValueRef call) {
    const char *name = LLVMIsACallInst(call) ? intrinsic_name(call) : NULL;
    if (!name || !is_copy(name))
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

/* A function of the module stores or loads references by way of this parameter, or one that it gives it to. */
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
    set_free(&at);
    return moves;
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

/* By its type, by what is stored or loaded, or because bytes of the heap go through it. */
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

/* The type of what a parameter has the caller leave on the stack for this function; NULL if it is none such. */
static LLVMTypeRef type_on_stack(LLVMValueRef f, unsigned i) {
    static const char *const names[] = {"byval", "inalloca", "preallocated"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i + 1, kind);
        if (a)
            return LLVMGetTypeAttributeValue(a);
    }
    return NULL;
}

/* Bytes whose address is handed on as that of a type with references, and of that size, are one of these. */
static void take_type_said(struct slot *s) {
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

/* 1 if V is a slot; the caller then frees it. */
int slot_of(struct slot *s, LLVMValueRef f, LLVMValueRef v) {
    memset(s, 0, sizeof *s);
    s->origin = v;
    s->data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    if (LLVMIsAAllocaInst(v)) {
        s->type = LLVMGetAllocatedType(v);
    } else if (LLVMIsAArgument(v)) {
        for (unsigned i = 0; i < LLVMCountParams(f); i++) {
            if (LLVMGetParam(f, i) == v)
                s->type = type_on_stack(f, i);
        }
    }
    if (s->type) {
        find_addresses(s);
        find_beyond(s);
        s->address.failed |= s->beyond.failed;
    }
    if (s->type && LLVMIsAAllocaInst(v))
        take_type_said(s);
    return s->type != NULL;
}

void slot_free(struct slot *s) {
    set_free(&s->address);
    set_free(&s->beyond);
}

/* ---- Flow --------------------------------------------------------------------------------------------------- */

struct state {
    unsigned is;            /* WRITTEN, CROSSED, ESCAPED */
    LLVMValueRef safepoint; /* that was crossed */
};

struct flow {
    const struct compile *c;
    struct slot *slot;
    LLVMBasicBlockRef *block; /* owned; sorted */
    struct state *in;         /* owned: what is true at each block's begin */
    unsigned blocks;
    LLVMValueRef safepoint, read; /* the first finding; the same if others know the slot at the safepoint */
};

static int by_address(const void *a, const void *b) {
    LLVMBasicBlockRef x = *(LLVMBasicBlockRef const *)a, y = *(LLVMBasicBlockRef const *)b;
    return (x > y) - (x < y);
}

static void found(struct flow *w, LLVMValueRef safepoint, LLVMValueRef read) {
    if (w->read)
        return;
    w->read = read;
    w->safepoint = safepoint;
}

/* What is in the slot, and not told to the collector, is old from here on. */
static void cross(struct flow *w, LLVMValueRef call, struct state *s) {
    if (s->is & ESCAPED)
        found(w, call, call);
    if (s->is & WRITTEN)
        *s = (struct state){s->is | CROSSED, call};
}

static void step(struct flow *w, LLVMValueRef i, struct state *s) {
    int effects = slot_effects(w->c, w->slot, i), is_call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i), listed = 0;
    if (is_call)
        effects |= slot_bundle_effects(w->slot, i, &listed);
    if (effects & READS && s->is & CROSSED && !listed)
        found(w, s->safepoint, i);
    if (effects & FILLS)
        s->is &= ~(unsigned)(CROSSED | WRITTEN);
    if (effects & DIES)
        s->is = 0;
    s->is |= effects & WRITES ? WRITTEN : 0;
    s->is |= effects & ESCAPES ? ESCAPED | WRITTEN : 0;
    if (is_call && !listed && is_safepoint(w->c, i))
        cross(w, i, s);
}

static int flow_into(struct flow *w, LLVMBasicBlockRef to, struct state s) {
    LLVMBasicBlockRef *at = bsearch(&to, w->block, w->blocks, sizeof *w->block, by_address);
    struct state *in = &w->in[at - w->block];
    unsigned before = in->is;
    if (!(in->is & CROSSED))
        in->safepoint = s.safepoint;
    in->is |= s.is;
    return in->is != before;
}

static int flow_block(struct flow *w, unsigned n) {
    struct state s = w->in[n];
    int changed = 0;
    LLVMBasicBlockRef b = w->block[n];
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        step(w, i, &s);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++)
        changed |= flow_into(w, LLVMGetSuccessor(end, k), s);
    return changed;
}

static sm_status flow_run(struct compile *c, struct flow *w, LLVMValueRef f) {
    w->c = c;
    w->blocks = LLVMCountBasicBlocks(f);
    w->block = calloc(w->blocks, sizeof(LLVMBasicBlockRef));
    w->in = calloc(w->blocks, sizeof *w->in);
    if (!w->block || !w->in)
        return fail(c, SM_NOMEM, f, "Out of memory");
    LLVMGetBasicBlocks(f, w->block);
    qsort(w->block, w->blocks, sizeof(LLVMBasicBlockRef), by_address);
    if (LLVMIsAArgument(w->slot->origin))
        flow_into(w, LLVMGetEntryBasicBlock(f), (struct state){WRITTEN, NULL});
    for (int changed = 1; changed && !w->read;) {
        changed = 0;
        for (unsigned n = 0; n < w->blocks && !w->read; n++)
            changed |= flow_block(w, n);
    }
    return SM_OK;
}

static void flow_free(struct flow *w) {
    free(w->block);
    free(w->in);
}

/* ---- What is done with it ----------------------------------------------------------------------------------- */

static sm_status refuse(struct compile *c, LLVMValueRef f, const struct flow *w) {
    char *slot = LLVMPrintValueToString(w->slot->origin), *read = LLVMPrintValueToString(w->read);
    const char *shown = slot + strspn(slot, " ");
    sm_status s;
    if (w->read == w->safepoint)
        s = fail(
            c, SM_CANNOT_REWRITE, f,
            "The stack slot '%.200s' holds references, and its address is known to others at the call of %.200s, "
            "where the collector is not told of it: keep references in values, or list the slot in the call's "
            "\"gc-live\" bundle",
            shown, safepoint_name(w->safepoint));
    else
        s = fail(
            c, SM_CANNOT_REWRITE, f,
            "The stack slot '%.200s' holds a reference across the call of %.200s, where the collector is not told "
            "of it, and is then read by '%.200s': the slot cannot be promoted to a value; keep references in "
            "values, or list the slot in the call's \"gc-live\" bundle",
            shown, safepoint_name(w->safepoint), read + strspn(read, " "));
    LLVMDisposeMessage(slot);
    LLVMDisposeMessage(read);
    return s;
}

sm_status slot_is_told(struct compile *c, LLVMValueRef f, struct slot *slot, int *told) {
    struct flow w = {.slot = slot};
    sm_status s = flow_run(c, &w, f);
    *told = !w.read;
    flow_free(&w);
    return s;
}

static sm_status check_slot(struct compile *c, LLVMValueRef f, LLVMValueRef v, int blind) {
    struct slot slot;
    if (!slot_of(&slot, f, v))
        return SM_OK;
    struct flow w = {.slot = &slot};
    sm_status s = SM_OK;
    if (slot_holds_references(&slot) &&
        (!blind || (slot.copied_in && slot.copied_out && !holds_root(slot.data, slot.type))))
        s = flow_run(c, &w, f);
    if (s == SM_OK && slot.address.failed)
        s = fail(c, SM_NOMEM, f, "Out of memory");
    if (s == SM_OK && w.read)
        s = refuse(c, f, &w);
    flow_free(&w);
    slot_free(&slot);
    return s;
}

static sm_status check_any(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    return check_slot(c, f, v, 0);
}

sm_status slots_check(struct compile *c) {
    return check_values(c, check_any);
}

/* Bytes that go from the heap through a slot and back may become one integer when the slot is promoted. */
static sm_status check_blind(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    return check_slot(c, f, v, 1);
}

sm_status slots_check_copies(struct compile *c) {
    return check_values(c, check_blind);
}

/* Gives something else than SM_OK if V is a slot that holds references, or could hold what is cast out of one. */
static sm_status is_slot(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    struct slot slot;
    if (is_alias_source(c, v))
        return SM_CANNOT_REWRITE;
    if (!LLVMIsAAllocaInst(v) || !slot_of(&slot, f, v))
        return SM_OK;
    int found = slot_holds_references(&slot);
    slot_free(&slot);
    return found ? SM_CANNOT_REWRITE : SM_OK;
}

/* Requires the optimised module; gives one whose references are in slots only where that is unavoidable. */
sm_status stage_promote(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    if (check_values(c, is_slot) == SM_OK)
        return SM_OK;
    optnone_hide(c);
    note_passes(c, "function(sroa)");
    sm_status s = run_folding_passes(c, "function(sroa)");
    optnone_show(c);
    return s;
}
