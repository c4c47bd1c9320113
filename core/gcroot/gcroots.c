/* gcroots.c - slots that llvm.gcroot marks, put right after the optimiser.
 *
 * A function that was inlined has its slots in the caller's first block, and its marks where its body is: they go
 * after the slots. A root is one throughout its function; code generation makes it null at first. The inliner's marks
 * of a slot's life, and a frontend's, are taken away: LLVM's tables have no life of a root, and its slot would be
 * shared with something else, or the shadow stack's entire frame be taken for dead.
 *
 * The shadow stack's lowering makes the slot a field of the frame's entry, which is as aligned as a pointer is,
 * whatever the alloca declared. So what reads and writes the slot relies on no more.
 *
 * A loop that was unrolled has several marks of one inlined slot, and arrays of two inlined functions may share one:
 * a slot is one root, so marks that say the same become one.
 *
 * Where a root holds more than one pointer, code generation would store one null pointer, and die of it: this slot
 * is cleared.
 *
 * gcroots_gather requires the module as it comes, gcroots_repair the optimised one.
 */
#include "gcroots.h"
#include "deviations.h"
#include "ir.h"

enum { POINTER_ALIGNMENT = 8, CASTS = FLOW_CAST | FLOW_SPACE };

/* The first instruction from I on that is no store of zeros. */
static LLVMValueRef past_clears(LLVMValueRef i) {
    while (LLVMIsAStoreInst(i) && LLVMIsNull(LLVMGetOperand(i, 0)))
        i = LLVMGetNextInstruction(i);
    return i;
}

void root_clear(struct compile *c, LLVMValueRef slot, LLVMValueRef before) {
    enum { STORED = 64 }; /* bytes */
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    if (alloca_count(slot) != 1)
        type = LLVMArrayType2(type, alloca_count(slot));
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), type);
    LLVMValueRef zero = LLVMConstInt(LLVMInt8TypeInContext(c->context), 0, 0);
    LLVMBuilderRef b = builder_at(before);
    if (bytes <= STORED) {
        LLVMBuildStore(b, LLVMConstNull(type), slot);
    } else if (bytes) {
        /* The store is what code generation goes by, which then puts none of its own there. It looks for stores up to
         * the first call, which the memset is. */
        LLVMBuildStore(b, zero, slot);
        LLVMPositionBuilderBefore(b, past_clears(before));
        LLVMBuildMemSet(b, slot, zero, LLVMConstInt(LLVMInt64TypeInContext(c->context), bytes, 0),
                        LLVMGetAlignment(slot));
    }
    LLVMDisposeBuilder(b);
}

/* Adds to USERS the instructions that use SLOT, or an address within it, otherwise than to derive another address. */
static void find_users(LLVMValueRef slot, struct set *users) {
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
    set_free(&addresses);
}

/* Lowers the alignment that I relies on, or an alloca has, to that of a pointer. */
static void limit_alignment(struct compile *c, LLVMValueRef i) {
    if (LLVMGetAlignment(i) <= POINTER_ALIGNMENT)
        return;
    LLVMSetAlignment(i, POINTER_ALIGNMENT);
    deviate(c, DEVIATION_SETTLES_ROOTS);
}

/* Lowers the alignment that the load, store or atomic I relies on; of a call it takes the attributes "align" off. */
static void lower_alignment_gcroot(struct compile *c, LLVMValueRef i) {
    unsigned kind = attribute_kind("align");
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
static sm_status resolve(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef slot = slot_of_mark(call);
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
    find_users(slot, &users);
    int lowered = strcmp(LLVMGetGC(f), "shadow-stack") == 0 || is_the_function_s_own(&users);
    for (size_t i = 0; i < users.count; i++) {
        if (is_intrinsic(users.item[i], "llvm.lifetime.")) {
            LLVMInstructionEraseFromParent(users.item[i]);
            deviate(c, DEVIATION_SETTLES_ROOTS);
        } else if (lowered) {
            lower_alignment_gcroot(c, users.item[i]);
        }
    }
    if (lowered && LLVMGetTypeKind(LLVMGetAllocatedType(slot)) == LLVMPointerTypeKind)
        limit_alignment(c, slot);
    set_free(&users);
    return s;
}

/* One alloca in the place of SLOT where F begins, of a type that holds all of it. */
static LLVMValueRef replace_by_one(LLVMValueRef f, LLVMValueRef slot) {
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    if (alloca_count(slot) != 1)
        type = LLVMArrayType2(type, alloca_count(slot));
    LLVMBuilderRef b = builder_at(first_instruction(f));
    LLVMValueRef created = LLVMBuildAlloca(b, type, "");
    char *name = xstrdup(value_name(slot));
    LLVMSetAlignment(created, LLVMGetAlignment(slot));
    replace_value(slot, created);
    LLVMSetValueName2(created, name, strlen(name));
    free(name);
    LLVMDisposeBuilder(b);
    return created;
}

/* A root of F that is no single pointer is cleared where F begins, and becomes one alloca: the shadow stack's lowering
 * takes an alloca of several for one, and code generation a struct for a pointer. Elsewhere an alloca of several
 * pointers stays: LLVM asks for metadata of a root that is no pointer by its type. */
static void make_array(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef slot = slot_of_mark(call);
    if (!LLVMIsAAllocaInst(slot) || !alloca_count(slot) ||
        LLVMGetInstructionParent(slot) != LLVMGetEntryBasicBlock(f))
        return;
    int is_pointer = LLVMGetTypeKind(LLVMGetAllocatedType(slot)) == LLVMPointerTypeKind;
    if (is_pointer && alloca_count(slot) == 1)
        return;
    if (!is_pointer || strcmp(LLVMGetGC(f), "shadow-stack") == 0)
        slot = replace_by_one(f, slot);
    root_clear(c, slot, past_allocas(f));
    deviate(c, DEVIATION_SETTLES_ROOTS);
}

/* 1 if V is the address of an object, as far as can be seen: what a call gave, an argument, or what a root held. */
static int is_object(LLVMValueRef v) {
    if (LLVMIsAArgument(v) || (is_call(v) && !intrinsic_name(v)))
        return 1;
    LLVMValueRef from = LLVMIsALoadInst(v) ? stepped_from(LLVMGetOperand(v, 0), CASTS) : NULL;
    return from && LLVMIsAAllocaInst(from) && any_user(from, is_gcroot);
}

/* One of the values that V is chosen from, or V itself, if that is an address within an object; NULL if there is none. */
static LLVMValueRef inner_address(LLVMValueRef v) {
    struct set all = {0};
    LLVMValueRef result = NULL;
    set_add(&all, stepped_from(v, CASTS));
    for (size_t i = 0; i < all.count && !result; i++) {
        LLVMValueRef at = all.item[i];
        if (LLVMIsAGetElementPtrInst(at) && leads_elsewhere(at) && is_object(stepped_from(at, FLOW_STEPS)))
            result = at;
        flow_sources(&all, at, FLOW_SAME | FLOW_CHOICE | FLOW_CAST | FLOW_SPACE);
    }
    set_free(&all);
    return result;
}

/* Refuses a store into the root SLOT of an address within an object: the collector would take it for an object. */
static sm_status check_stored_gcroot(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef store = LLVMGetUser(use), v = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;
        v = v && LLVMGetOperand(store, 1) == slot ? inner_address(v) : NULL;
        if (v)
            return fail(
                c, SM_INVALID_GCROOT, f,
                "%%%.200s, which is stored in the root %%%.200s, is an address within an object: a collector "
                "takes what a root holds for an object. Keep the object in the root, and derive the address "
                "again; if it is an object all the same, as after a header, compute it by ptrtoint and inttoptr",
                value_name(v)[0] ? value_name(v) : "?", value_name(slot));
    }
    return SM_OK;
}

/* Adds to MARKS the calls of llvm.gcroot in functions with a strategy. */
static void collect_gcroots(LLVMModuleRef module, struct set *marks) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetGC(f))
            collect_calls(f, is_gcroot, marks);
}

/* Erases CALL if a mark in FIRST, in which there is one of each slot in SLOTS, says the same of its slot. 1 if it
 * did. */
static int join_marks(struct compile *c, LLVMValueRef call, const struct set *slots, const struct set *first) {
    size_t n = set_number(slots, slot_of_mark(call));
    if (n == slots->count || LLVMGetOperand(first->item[n], 1) != LLVMGetOperand(call, 1))
        return 0;
    LLVMInstructionEraseFromParent(call);
    deviate(c, DEVIATION_SETTLES_ROOTS);
    return 1;
}

/* The allocas that a function begins with. */
struct begin {
    LLVMValueRef function; /* NULL before the first one */
    struct set allocas;    /* owned */
    LLVMValueRef place;    /* what comes behind them */
};

/* Finds those of F, unless they are known. */
static void find_begin(struct begin *begin, LLVMValueRef f) {
    if (begin->function == f)
        return;
    begin->function = f;
    begin->place = past_allocas(f);
    set_clear(&begin->allocas);
    for (LLVMValueRef i = first_instruction(f); i != begin->place; i = LLVMGetNextInstruction(i))
        set_add(&begin->allocas, i);
}

/* Moves the slot that CALL marks to the allocas that its function begins with, if it stands behind something else in
 * the first block: a poll there, or what is inlined there, may split the block, and it would be in the first no
 * more. */
static void gather(struct compile *c, LLVMValueRef f, LLVMValueRef call, struct begin *begin) {
    LLVMValueRef slot = slot_of_mark(call);
    if (!LLVMIsAAllocaInst(slot) || !alloca_count(slot) ||
        LLVMGetInstructionParent(slot) != LLVMGetEntryBasicBlock(f))
        return;
    find_begin(begin, f);
    if (set_has(&begin->allocas, slot))
        return;
    set_add(&begin->allocas, slot);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMInstructionRemoveFromParent(slot);
    LLVMPositionBuilderBefore(b, begin->place);
    LLVMInsertIntoBuilder(b, slot);
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_SETTLES_ROOTS);
}

/* Where CALL marks an alloca of several pointers, and has no metadata: gives it poison, which tables have as null. The
 * optimiser makes the alloca one of an array, and LLVM's verifier asks for metadata of that. */
static void give_metadata(struct compile *c, LLVMValueRef call) {
    LLVMValueRef slot = slot_of_mark(call), metadata = LLVMGetOperand(call, 1);
    if (!LLVMIsAAllocaInst(slot) || alloca_count(slot) == 1 || !LLVMIsNull(metadata))
        return;
    LLVMSetOperand(call, 1, LLVMGetPoison(LLVMTypeOf(metadata)));
    deviate(c, DEVIATION_SETTLES_ROOTS);
}

/* Gathers all slots that llvm.gcroot marks where their functions begin. Before polls are placed, and the optimiser. */
void gcroots_gather(struct compile *c) {
    struct begin begin = {0};
    struct set marks = {0};
    collect_gcroots(c->module, &marks);
    for (size_t i = 0; i < marks.count; i++) {
        gather(c, function_of(marks.item[i]), marks.item[i], &begin);
        give_metadata(c, marks.item[i]);
    }
    set_free(&begin.allocas);
    set_free(&marks);
}

/* Settles all slots that llvm.gcroot marks. Requires the optimised module. */
sm_status gcroots_repair(struct compile *c) {
    struct set marks = {0}, slots = {0}, first = {0};
    sm_status s = SM_OK;
    collect_gcroots(c->module, &marks);
    for (size_t i = 0; s == SM_OK && i < marks.count; i++) {
        LLVMValueRef call = marks.item[i];
        if (join_marks(c, call, &slots, &first))
            continue;
        make_array(c, function_of(call), call);
        s = resolve(c, function_of(call), call);
        if (s == SM_OK)
            s = check_stored_gcroot(c, function_of(call), slot_of_mark(call));
        set_add_again(&slots, slot_of_mark(call));
        set_add_again(&first, call);
    }
    set_free(&slots);
    set_free(&first);
    set_free(&marks);
    return s;
}
