/* barrier_rules.c - see barrier_rules.h.
 *
 * Built-in barriers are known. The module's own says by an attribute, "smd-elide", what it permits, or is looked
 * at: one that calls nothing and reads nothing of the slot before it stores does not care for what is overwritten, so
 * a null need not be passed to it; one that uses object, value and slot for nothing but the store and the object's
 * mark need not be passed twice.
 */
#include "barrier_rules.h"
#include "barrier.h"
#include "barrier_parts.h"
#include "ir.h"
#include "late_inline.h"
#include "marks.h"

struct body {
    LLVMValueRef value, object, slot, store;
};

/* The first store of the value to the slot in the barrier's entry block; NULL if there is none there. */
static LLVMValueRef find_store(const struct body *b, LLVMValueRef hook) {
    for (LLVMValueRef i = first_instruction(hook); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) == b->value && LLVMGetOperand(i, 1) == b->slot)
            return i;
    return NULL;
}

/* 1 if V has a user other than STORE. */
static int has_other_uses(LLVMValueRef v, LLVMValueRef store) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != store)
            return 1;
    return 0;
}

/* 1 if a load from POINTER cannot read the slot: it is at a constant distance in the object, such as its header, or
 * from a global or a loaded pointer. */
static int reads_elsewhere(const struct body *b, LLVMValueRef pointer) {
    int is_constant = 1;
    for (int i = 0; i < 100 && (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer)); i++) {
        for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
            is_constant &= LLVMIsAConstant(LLVMGetOperand(pointer, (unsigned)k)) != NULL;
        pointer = LLVMGetOperand(pointer, 0);
    }
    if (pointer == b->object)
        return is_constant;
    return LLVMIsAGlobalVariable(pointer) || LLVMIsALoadInst(pointer) || LLVMIsAConstantExpr(pointer);
}

/* 1 if the barrier may look at what its store overwrites: it is given that, or has no such store, or before it calls
 * something, has an atomic, or loads from where the slot may be. */
static int looks_at_old(const struct body *b, LLVMValueRef hook) {
    enum { OLD = 3 };
    if (!b->store || (LLVMCountParams(hook) > OLD && LLVMGetFirstUse(LLVMGetParam(hook, OLD))))
        return 1;
    for (LLVMValueRef i = first_instruction(hook); i && i != b->store; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
            return 1;
        if (LLVMIsALoadInst(i) && !reads_elsewhere(b, LLVMGetOperand(i, 0)))
            return 1;
    }
    return 0;
}

/* Sets in R what the words of the hook's attribute "smd-elide" permit; fails at a word that is none of them. */
static sm_status read_words(struct compile *c, LLVMValueRef hook, const char *text, unsigned len,
                            struct barrier_rules *r) {
    const char *end = text + len;
    while (text < end) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t n = (size_t)((comma ? comma : end) - text);
        if (n == 5 && memcmp(text, "fresh", n) == 0)
            r->fresh = 1;
        else if (n == 4 && memcmp(text, "null", n) == 0)
            r->null = 1;
        else if (n == 3 && memcmp(text, "run", n) == 0)
            r->run = 1;
        else if (n != 4 || memcmp(text, "none", n) != 0)
            return fail(c, SM_INVALID_OPTION, hook,
                        "The attribute \"" ELIDE_ATTRIBUTE "\": '%.*s' is none of fresh, null, run, none",
                        (int)(n < 60 ? n : 60), text);
        text += n + 1;
    }
    return SM_OK;
}

/* Sets in R what the module's own write barrier permits to leave out: by its attribute, else by its body. A
 * declaration without the attribute permits nothing. */
static sm_status find_own(struct compile *c, LLVMValueRef hook, struct barrier_rules *r) {
    LLVMAttributeRef declared = text_attribute(hook, ELIDE_ATTRIBUTE);
    unsigned len;
    *r = (struct barrier_rules){.write_stops = hook_stops(c, hook)};
    if (declared) {
        const char *text = LLVMGetStringAttributeValue(declared, &len);
        return read_words(c, hook, text, len, r);
    }
    if (LLVMIsDeclaration(hook))
        return SM_OK;
    struct body b = {LLVMGetParam(hook, 0), LLVMGetParam(hook, 1), LLVMGetParam(hook, 2), NULL};
    b.store = find_store(&b, hook);
    r->fresh = r->null = !looks_at_old(&b, hook);
    r->run = r->null && !has_other_uses(b.value, b.store) && !has_other_uses(b.slot, b.store);
    return SM_OK;
}

/* Finds it for all write barriers of the module's own: left out may be what each of them permits. */
static sm_status find_all_own(struct compile *c, struct barrier_rules *r) {
    size_t i = 0;
    for (LLVMValueRef hook; (hook = hooks_next(c, WRITE_BARRIER, &i)) != NULL;) {
        struct barrier_rules one;
        sm_status s = find_own(c, hook, &one);
        if (s != SM_OK)
            return s;
        r->fresh = one.fresh && (r->fresh || !r->own);
        r->null = one.null && (r->null || !r->own);
        r->run = one.run && !r->own; /* two need not do the same to the object */
        r->write_stops |= one.write_stops;
        r->own = 1;
    }
    return SM_OK;
}

/* 1 if what the ready-made load barrier calls under that NAME may be a safepoint. */
static int slow_path_stops(const struct compile *c, const char *name) {
    LLVMValueRef slow = LLVMGetNamedFunction(c->module, name);
    return !slow || hook_stops(c, slow) || !LLVMIsDeclaration(slow);
}

/* Gives in *R which barriers there are, which may stop for a collection, and which may be left out where; fails if an
 * attribute is not valid. */
sm_status barrier_rules_find(struct compile *c, const struct sm_barriers *k, struct barrier_rules *r) {
    size_t i = 0;
    char name[SPACE_NAME_ROOM];
    *r = (struct barrier_rules){.before = k->satb != NULL, .behind = k->card != NULL};
    for (LLVMValueRef read; (read = hooks_next(c, READ_BARRIER, &i)) != NULL; r->own_read = 1)
        r->read_stops |= hook_stops(c, read);
    if (k->load)
        r->read_stops |= slow_path_stops(c, k->load);
    for (size_t n = 0; k->load && n < c->spaces; n++) {
        space_name(name, k->load, c->space[n].number);
        r->read_stops |= slow_path_stops(c, name);
    }
    r->reads = k->load || r->own_read;
    return find_all_own(c, r);
}
