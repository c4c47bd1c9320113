/* tagged_slots.c - stack slots that hold tagged references (tags.c), wherever the optimiser left some.
 *
 * No record lists such a slot, unless it is declared and one word, whose region has the mask. So no safepoint may
 * come between what writes a tagged reference to a slot and what reads it. Which slots hold some is found from what
 * is stored, from what smd.gc.from_int is computed from, and through copies of memory; an address may be any of the
 * slots that it is chosen from, also where it waits in a slot itself.
 *
 * Requires tagged references found, before they are kept.
 */
#include "tagged_slots.h"
#include "analysis.h"
#include "ir.h"
#include "scopes.h"
#include "tag_values.h"

struct tagged_slots {
    struct compile *c;
    LLVMValueRef function;
    struct set holders; /* values that are tagged references, or contain some */
    struct set stored;  /* slots that these are stored to */
    struct set reads;   /* loads, and copies, of what is or becomes a tagged reference */
    struct set read;    /* the slots of those */
    struct set copies;  /* calls of memcpy and memmove */
    sm_status status;
};

/* ---- Addresses ------------------------------------------------------------------------------------------------- */

/* Adds the values of pointer type that are stored to the slot itself: an address that is loaded from it is one. */
static void add_stored_pointers(struct set *all, LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot &&
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, 0))) == LLVMPointerTypeKind)
            set_add(all, LLVMGetOperand(user, 0));
    }
}

/* Adds to *SLOTS all stack slots that ADDRESS may lead into. */
static void add_slots(struct set *slots, LLVMValueRef address) {
    struct set all = {0};
    set_add(&all, address);
    for (size_t i = 0; i < all.count; i++) {
        LLVMValueRef v = all.item[i];
        if (LLVMIsAAllocaInst(v))
            set_add(slots, v);
        else if (LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)))
            add_stored_pointers(&all, LLVMGetOperand(v, 0));
        flow_sources(&all, v, FLOW_ADDRESS);
    }
    set_free(&all);
}

/* 1 if ADDRESS may lead into one of SLOTS. */
static int leads_into(LLVMValueRef address, const struct set *slots) {
    struct set own = {0};
    int result = 0;
    add_slots(&own, address);
    for (size_t i = 0; i < own.count; i++)
        result |= set_has(slots, own.item[i]);
    set_free(&own);
    return result;
}

/* Adds the users of V that are addresses computed from it, as loads of a slot where one waits; *LOST becomes what
 * hands one to others, as a number or in memory. */
static void add_addresses(struct set *all, LLVMValueRef v, LLVMValueRef *lost) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        unsigned flow = flow_of(user, v);
        if (flow & FLOW_ADDRESS)
            set_add(all, user);
        if (flow & (FLOW_BITS | FLOW_INTO_STRUCT | FLOW_INTO_VECTOR))
            *lost = user;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != v)
            continue;
        LLVMValueRef to = LLVMGetOperand(user, 1);
        if (!LLVMIsAAllocaInst(to))
            *lost = user;
        for (LLVMUseRef k = LLVMGetFirstUse(to); LLVMIsAAllocaInst(to) && k; k = LLVMGetNextUse(k))
            if (LLVMIsALoadInst(LLVMGetUser(k)))
                set_add(all, LLVMGetUser(k));
    }
}

/* ---- Which slots ----------------------------------------------------------------------------------------------- */

/* The address that I stores V to; NULL if it stores it nowhere. */
static LLVMValueRef stores_to(LLVMValueRef i, LLVMValueRef v) {
    int is_store = !is_call(i) || is_intrinsic(i, "llvm.masked.store.");
    return is_store && flow_access(i).value == v ? flow_access(i).to : NULL;
}

/* Follows V, which is a tagged reference or contains one, to what holds it as well and to slots. */
static void follow_holder(struct tagged_slots *t, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), to = stores_to(user, v);
        if (to)
            add_slots(&t->stored, to);
        if (flow_of(user, v) & (FLOW_SAME | FLOW_CAST | FLOW_CHOICE | FLOW_INTO_STRUCT | FLOW_INTO_VECTOR))
            set_add(&t->holders, user);
    }
}

/* 1 if SLOT is one word or double, in which nothing but a tagged reference has room beside it. */
static int is_tagged_slot_word(LLVMValueRef slot) {
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    int fits = LLVMGetTypeKind(type) == LLVMDoubleTypeKind ||
               (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
    return fits && alloca_count(slot) == 1;
}

/* What is loaded from a word that tagged references are stored to is one. */
static void follow_slot_tagged_slot(struct tagged_slots *t, LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); is_tagged_slot_word(slot) && u; u = LLVMGetNextUse(u))
        if (LLVMIsALoadInst(LLVMGetUser(u)))
            set_add(&t->holders, LLVMGetUser(u));
}

/* The instruction that reads V from memory, directly or as part of what it reads; NULL. */
static LLVMValueRef reader(LLVMValueRef v) {
    while (LLVMIsABitCastInst(v) || LLVMIsAExtractValueInst(v) || LLVMIsAFreezeInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) ? v : NULL;
}

static LLVMValueRef read_address(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsACallInst(i) ? 1 : 0); /* a copy: what it copies from */
}

/* Follows copies once: forwards from slots that are stored to, backwards from those that are read. */
static void follow_copies(struct tagged_slots *t) {
    for (size_t i = 0; i < t->copies.count; i++) {
        LLVMValueRef copy = t->copies.item[i];
        if (leads_into(LLVMGetOperand(copy, 1), &t->stored))
            add_slots(&t->stored, LLVMGetOperand(copy, 0));
        if (leads_into(LLVMGetOperand(copy, 0), &t->read))
            set_add(&t->reads, copy);
    }
}

/* Finds slots and reads, until there are no more. */
static int is_any_copy(LLVMValueRef call) { /* also one that copies element by element */
    return is_intrinsic(call, "llvm.memcpy") || is_intrinsic(call, "llvm.memmove");
}

static void find_slots(struct tagged_slots *t) {
    size_t before, holders = 0, stored = 0, reads = 0;
    collect_calls(t->function, is_any_copy, &t->copies);
    do {
        before = t->holders.count + t->stored.count + t->reads.count;
        for (; holders < t->holders.count; holders++)
            follow_holder(t, t->holders.item[holders]);
        for (; stored < t->stored.count; stored++)
            follow_slot_tagged_slot(t, t->stored.item[stored]);
        for (; reads < t->reads.count; reads++)
            add_slots(&t->read, read_address(t->reads.item[reads]));
        follow_copies(t);
    } while (before != t->holders.count + t->stored.count + t->reads.count);
}

/* ---- What becomes of them --------------------------------------------------------------------------------------- */

static void refuse_tagged_slot(struct tagged_slots *t, LLVMValueRef slot, LLVMValueRef call) {
    t->status = fail(t->c, SM_INVALID_GCROOT, t->function,
                     "'%.200s' holds a tagged reference across '%.200s', stored into a stack slot where no collector "
                     "finds it: store the result of smd.gc.from_int, and the tags, or keep it in a value",
                     value_text(slot), value_text(call));
}

/* 1 if a record says that SLOT has a tagged reference: it is declared as one (tags.c), or a phi's (phi_slots.c). */
static int is_tagged_slot_reported(LLVMValueRef slot) {
    return scope_has_mark(slot, SCOPE_TAG) || any_user(slot, scope_begins_tagged);
}

/* 1 if the result of I is used, or a part of it that is. */
static int has_used_result(LLVMValueRef i) {
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAExtractValueInst(LLVMGetUser(u)) || LLVMGetFirstUse(LLVMGetUser(u)))
            return 1;
    return 0;
}

/* 1 if the slot is only stored to and read, and check_reads looks at each read whose result is used. */
static int has_known_reads(struct tagged_slots *t, LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        struct memory_access a = flow_access(user);
        int is_plain = !is_call(user) && a.value != slot && (a.from == slot || a.to == slot);
        int is_known = is_plain && (!a.from || !has_used_result(user) || set_has(&t->reads, user));
        if (!is_known && !is_intrinsic(user, "llvm.lifetime."))
            return 0;
    }
    return 1;
}

/* Refuses SLOT, which tagged references are stored to, if an address within it is used across a safepoint or known to
 * others. */
static void check_stored_tagged_slot(struct tagged_slots *t, LLVMValueRef slot) {
    struct set addresses = {0};
    LLVMValueRef call = NULL;
    set_add(&addresses, slot);
    for (size_t i = 0; i < addresses.count && t->status == SM_OK && !call; i++) {
        LLVMValueRef address = addresses.item[i];
        add_addresses(&addresses, address, &call);
        if (!call)
            call = live_across(t->c, address);
        for (LLVMUseRef k = LLVMGetFirstUse(address); !call && k; k = LLVMGetNextUse(k))
            if (is_safepoint(t->c, LLVMGetUser(k)))
                call = LLVMGetUser(k);
    }
    set_free(&addresses);
    if (t->status == SM_OK && call)
        refuse_tagged_slot(t, slot, call);
}

/* 1 if the store I or the copy I, to an address within SLOT, writes all of it: as many bytes as it has. */
static int fills_tagged_slot(struct tagged_slots *t, LLVMValueRef i, LLVMValueRef slot) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(t->c->module);
    unsigned long long size = LLVMABISizeOfType(data, LLVMGetAllocatedType(slot));
    if (alloca_count(slot) != 1)
        return 0;
    if (LLVMIsAStoreInst(i))
        return is_tagged_slot_word(slot) && LLVMStoreSizeOfType(data, LLVMTypeOf(LLVMGetOperand(i, 0))) == size;
    LLVMValueRef length = LLVMGetOperand(i, 2);
    return LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) == size;
}

/* 1 if I writes all of SLOT, or may have: a call that is given it returns what is good then. */
static int writes(struct tagged_slots *t, LLVMValueRef i, LLVMValueRef slot) {
    enum { STEPS = FLOW_STEP | FLOW_CAST | FLOW_SPACE | FLOW_SAME };
    if (LLVMIsAStoreInst(i))
        return stepped_from(LLVMGetOperand(i, 1), STEPS) == slot && fills_tagged_slot(t, i, slot);
    if (LLVMIsAAllocaInst(i))
        return i == slot;
    if ((!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) || scope_begins(i) || scope_ends(i))
        return 0;
    const char *name = intrinsic_name(i);
    if (name && (starts_with(name, "llvm.memcpy") || starts_with(name, "llvm.memmove")))
        return stepped_from(LLVMGetOperand(i, 0), STEPS) == slot && fills_tagged_slot(t, i, slot);
    for (unsigned k = 0; !name && k < LLVMGetNumArgOperands(i); k++)
        if (stepped_from(LLVMGetOperand(i, k), STEPS) == slot)
            return 1;
    return 0;
}

/* Goes up from before I (NULL: the end of B) to what writes SLOT. 1 if B's begin was reached; *CALL becomes a
 * safepoint on the way. */
static int scan_tagged_slot(struct tagged_slots *t, LLVMBasicBlockRef b, LLVMValueRef i, LLVMValueRef slot,
                            LLVMValueRef *call) {
    for (i = i ? LLVMGetPreviousInstruction(i) : LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
        if (writes(t, i, slot))
            return 0;
        if (is_safepoint(t->c, i)) {
            *call = i;
            return 0;
        }
    }
    return 1;
}

/* 1 if something that may be an address is stored to SLOT, directly or by a copy or call; constants and numbers are
 * none. */
static int has_others_than_numbers(struct tagged_slots *t, LLVMValueRef slot) {
    (void)t;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        int is_lifetime = intrinsic_name(user) && starts_with(intrinsic_name(user), "llvm.lifetime");
        if (LLVMIsALoadInst(user) || is_lifetime)
            continue;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == slot || !tag_is_number(LLVMGetOperand(user, 0)))
            return 1;
    }
    return 0;
}

/* 1 if there is an edge from FROM to TO. */
static int tagged_slot_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            return 1;
    return 0;
}

/* Refuses SLOT if a safepoint may come between what writes it and I, which reads a tagged reference from it. */
static void check_read(struct tagged_slots *t, LLVMValueRef slot, LLVMValueRef i) {
    struct set blocks = {0}; /* at whose begins the slot may be old */
    LLVMValueRef call = NULL;
    if (scan_tagged_slot(t, LLVMGetInstructionParent(i), i, slot, &call))
        set_add(&blocks, LLVMGetInstructionParent(i));
    for (size_t k = 0; k < blocks.count && !call; k++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->function); b && !call; b = LLVMGetNextBasicBlock(b))
            if (tagged_slot_leads_to(b, blocks.item[k]) && scan_tagged_slot(t, b, NULL, slot, &call))
                set_add(&blocks, b);
    set_free(&blocks);
    if (call && has_others_than_numbers(t, slot))
        refuse_tagged_slot(t, slot, call);
}

/* Checks all slots that I reads. */
static void check_reads(struct tagged_slots *t, LLVMValueRef i) {
    struct set slots = {0};
    add_slots(&slots, read_address(i));
    for (size_t k = 0; t->status == SM_OK && k < slots.count; k++)
        if (!is_tagged_slot_reported(slots.item[k]))
            check_read(t, slots.item[k], i);
    set_free(&slots);
}

sm_status tag_slots_check(struct compile *c, LLVMValueRef f, const struct set *tagged, const struct set *needed) {
    struct tagged_slots t = {.c = c, .function = f, .status = SM_OK};
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c->context);
    for (size_t i = 0; i < tagged->count; i++)
        if (LLVMTypeOf(tagged->item[i]) == i64 && !tag_is_number(tagged->item[i]))
            set_add(&t.holders, tagged->item[i]);
    for (size_t i = 0; i < needed->count; i++)
        if (reader(needed->item[i]))
            set_add(&t.reads, reader(needed->item[i]));
    find_slots(&t);
    for (size_t i = 0; t.status == SM_OK && i < t.stored.count; i++)
        if (!is_tagged_slot_reported(t.stored.item[i]) && !has_known_reads(&t, t.stored.item[i]))
            check_stored_tagged_slot(&t, t.stored.item[i]);
    for (size_t i = 0; t.status == SM_OK && i < t.reads.count; i++)
        check_reads(&t, t.reads.item[i]);
    set_free(&t.holders);
    set_free(&t.stored);
    set_free(&t.reads);
    set_free(&t.read);
    set_free(&t.copies);
    return t.status;
}
