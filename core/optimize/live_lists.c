/* live_lists.c - live lists of the module's own statepoints stay complete: stack slots, and references that nothing
 * relocates, which is how collectors that do not move find them (Statepoints.rst).
 *
 * LLVM drops such entries twice. Its optimiser takes from a "gc-live" bundle what no gc.relocate names: so a function
 * with such a statepoint is kept from the optimiser, and everything after it sees the function as it came. And code
 * generation records slots and what has a gc.relocate: so in the end each reference without one gets a relocation
 * that nobody uses, which costs no instruction.
 *
 * What LLVM's safepoint verifier asks, that nobody uses a pointer that was not relocated, is no rule for statepoints
 * that relocate nothing. There it is: who uses a reference after a statepoint finds it, or what it is derived from,
 * in the statepoint's list. One not reported to the collector may be gone.
 */
#include "analysis.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"
#include "optimize.h"
#include "optimizing.h"
#include "scopes.h"

#define RELOCATE "llvm.experimental.gc.relocate"

/* The pointer that V is derived from by arithmetic and casts only; V itself if there is none. */
static LLVMValueRef origin(LLVMValueRef v) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be its own operand */
    for (int i = 0; i < STEPS && (LLVMIsAGetElementPtrInst(v) || LLVMIsABitCastInst(v) ||
                                  LLVMIsAAddrSpaceCastInst(v) || LLVMIsAFreezeInst(v));
         i++)
        v = LLVMGetOperand(v, 0);
    return v;
}

/* ---- Entries ------------------------------------------------------------------------------------------------- */

/* The list "gc-live" of a call. */
struct list {
    LLVMOperandBundleRef entries; /* owned; NULL: it has none */
    unsigned count;
    unsigned char *relocated; /* owned: booleans, one for each entry of a statepoint; NULL of other calls */
};

/* The first instruction of an invoked statepoint's unwind destination after phis, its landing pad; NULL for a
 * call. */
static LLVMValueRef pad_of(LLVMValueRef statepoint) {
    return LLVMIsAInvokeInst(statepoint) ? past_phis(LLVMGetUnwindDest(statepoint)) : NULL;
}

/* Marks the entry that operand I of RELOCATE names. */
static void mark_operand(struct list *l, LLVMValueRef relocate, unsigned i) {
    unsigned long long at = LLVMConstIntGetZExtValue(LLVMGetOperand(relocate, i));
    if (at < l->count)
        l->relocated[at] = 1;
}

/* Marks the entries that a relocation which uses TOKEN names, as base or as derived pointer. */
static void mark_relocated(struct list *l, LLVMValueRef token) {
    for (LLVMUseRef use = LLVMGetFirstUse(token); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_relocate(user))
            continue;
        mark_operand(l, user, 1);
        mark_operand(l, user, 2);
    }
}

/* Reads CALL's list, and which entries are relocated, on the normal path or the unwind path. The caller frees it by
 * list_free. */
static struct list read_list(LLVMValueRef call) {
    struct list l = {.entries = call_bundle(call, "gc-live")};
    if (!l.entries)
        return l;
    l.count = LLVMGetNumOperandBundleArgs(l.entries);
    if (!is_statepoint(call) || !l.count)
        return l;
    l.relocated = xcalloc(l.count, 1);
    LLVMValueRef pad = pad_of(call);
    mark_relocated(&l, call);
    if (pad)
        mark_relocated(&l, pad);
    return l;
}

static void list_free(struct list *l) {
    if (l->entries)
        LLVMDisposeOperandBundle(l->entries);
    free(l->relocated);
}

/* 1 if V is a reference or a vector of references, and no constant. */
static int is_root(LLVMValueRef v) {
    return is_reference(v) && !LLVMIsConstant(v);
}

enum { SLOTS = 1, ALONE = 2 };

/* Adds to *ARG what the call's "gc-live" list has that LLVM would drop: SLOTS for stack slots, ALONE for
 * references of a statepoint that nothing relocates. */
static int list_kinds(LLVMValueRef call) {
    int result = 0;
    struct list l = read_list(call);
    for (unsigned i = 0; i < l.count; i++) {
        LLVMValueRef v = LLVMGetOperandBundleArgAtIndex(l.entries, i);
        if (LLVMIsAAllocaInst(origin(v)))
            result |= SLOTS;
        else if (l.relocated && !l.relocated[i] && is_root(v))
            result |= ALONE;
    }
    list_free(&l);
    return result;
}

/* ---- Around the optimiser ------------------------------------------------------------------------------------ */

/* Makes F noinline and optnone while the optimiser runs. The mark says whether noinline was there before, so
 * that lists_release takes away only what is added here. */
static void keep_function(struct compile *c, LLVMValueRef f) {
    set_text_attribute(c->context, f, LISTED_ATTRIBUTE, function_attribute(f, "noinline") ? "n" : "");
    set_function_attribute(f, "noinline");
    set_function_attribute(f, "optnone");
    c->keeps_lists = 1;
}

/* What F lists that LLVM would drop: SLOTS, ALONE. */
static int lists_in(LLVMValueRef f) {
    int listed = 0;
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        listed |= list_kinds(call);
    return listed | (scopes_in(f) ? SLOTS : 0);
}

int lists_slots(LLVMValueRef f) {
    return lists_in(f) != 0;
}

/* Keeps F from the optimiser if its lists have stack slots or references that nothing relocates. Refuses
 * attributes with which such entries would be lost. */
static sm_status keep_if_listed(struct compile *c, LLVMValueRef f) {
    int listed = lists_in(f);
    if (listed & SLOTS && slot_mover(f))
        return fail(c, SM_CANNOT_REWRITE, f,
                    "The function lists stack slots in \"gc-live\", and its attribute '%s' moves slots elsewhere",
                    slot_mover(f));
    if (listed && !function_attribute(f, "optnone"))
        keep_function(c, f);
    return SM_OK;
}

/* Keeps from the optimiser the functions whose live lists it would cut; lists_release is the reverse. */
sm_status lists_keep(struct compile *c) {
    sm_status s = listed_inline(c);
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        s = keep_if_listed(c, f);
    return s;
}

/* Takes away the attributes that lists_keep added. */
void lists_release(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        unsigned len;
        LLVMAttributeRef mark = text_attribute(f, LISTED_ATTRIBUTE);
        if (!mark)
            continue;
        LLVMGetStringAttributeValue(mark, &len);
        if (len == 0)
            remove_function_attribute(f, "noinline");
        remove_function_attribute(f, "optnone");
        remove_text_attribute(f, LISTED_ATTRIBUTE);
    }
}

/* ---- The rule where nothing is relocated --------------------------------------------------------------------- */

/* 1 if the statepoint lists references and relocates none of them. */
static int is_non_relocating(LLVMValueRef statepoint) {
    struct operands list = call_operands(statepoint, "gc-live");
    int references = 0;
    for (unsigned i = list.first; i < list.end; i++)
        references |= is_root(LLVMGetOperand(statepoint, i));
    LLVMValueRef pad = pad_of(statepoint);
    return references && !any_user(statepoint, is_relocate) && !(pad && any_user(pad, is_relocate));
}

/* 1 if F has a statepoint that lists references and relocates none of them. */
int lists_alone(LLVMValueRef f) {
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (is_statepoint(call) && is_non_relocating(call))
            return 1;
    return 0;
}

/* 1 if V may not be used after I: a statepoint that relocates others, or that lists neither V nor what it is
 * derived from. */
static int breaks_rule(LLVMValueRef v, LLVMValueRef i) {
    return is_statepoint(i) && (!is_non_relocating(i) ||
                                (!call_bundle_has(i, "gc-live", v) && !call_bundle_has(i, "gc-live", origin(v))));
}

/* Fails with SM_SAFEPOINT_VIOLATION if the reference V is used after a statepoint of F that neither lists it nor
 * what it is derived from. */
static sm_status check_listed_value(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    if (!is_root(v) || LLVMIsConstant(origin(v)))
        return SM_OK;
    LLVMValueRef call = live_across_such(c, v, breaks_rule);
    if (!call)
        return SM_OK;
    const char *name = value_name(v);
    return fail(
        c, SM_SAFEPOINT_VIOLATION, f,
        "%s%s is used after the statepoint that calls %.200s, which does not list it, or relocates others but not it",
        name[0] ? "%" : "A pointer", name, safepoint_name(call));
}

/* In functions with statepoints that relocate nothing, checks that references used after a statepoint are in its
 * list. Requires the rewritten module. */
sm_status lists_check(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    sm_status s = SM_OK;
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        if (lists_alone(f))
            s = check_function_values(c, f, check_listed_value);
    return s;
}

/* ---- Relocations that nobody uses ---------------------------------------------------------------------------- */

/* What is recorded of a module's lists. */
struct recording {
    struct compile *c;
    struct set values;    /* entries of the list at hand, with the same numbers */
    struct set relocated; /* those that have a relocation: code generation records a value once */
    struct set done;      /* functions whose relocations are kept */
};

/* The index of V in the list; OTHERWISE if it is not there. */
static unsigned list_index_of(const struct recording *r, LLVMValueRef v, unsigned otherwise) {
    size_t i = set_number(&r->values, v);
    return i < r->values.count ? (unsigned)i : otherwise;
}

/* Builds, after the statepoint, a relocation of entry DERIVED with base BASE that nothing uses: it makes code
 * generation record the entry and costs no instruction. */
static void relocate_unused(struct recording *r, LLVMValueRef statepoint, unsigned base, unsigned derived,
                            LLVMTypeRef type) {
    struct compile *c = r->c;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(c->module, LLVMLookupIntrinsicID(RELOCATE, sizeof RELOCATE - 1), &type, 1);
    LLVMValueRef args[] = {statepoint, LLVMConstInt(i32, base, 0), LLVMConstInt(i32, derived, 0)};
    LLVMBuilderRef b = builder_at(after_call(statepoint));
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 3, "");
    LLVMDisposeBuilder(b);
    relocations_keep(c, statepoint, &r->done);
    deviate(c, DEVIATION_RECORDS_LISTS);
}

/* Makes code generation record entry I of the statepoint's list, a reference that nothing relocates. Fails if its base
 * is not in the list, since the record gives base and derived pointer. */
static void record_entry(struct recording *r, LLVMValueRef f, LLVMValueRef call, unsigned i) {
    LLVMValueRef v = r->values.item[i];
    unsigned base = list_index_of(r, origin(v), i);
    if (base == i && is_derived(v)) {
        const char *name = value_name(v);
        fail(r->c, SM_CANNOT_REWRITE, f,
             "The statepoint that calls %.200s lists %s%s, which is derived from a pointer that it does not list",
             safepoint_name(call), name[0] ? "%" : "a pointer", name);
        return;
    }
    relocate_unused(r, call, base, i, LLVMTypeOf(v));
    set_add(&r->relocated, r->values.item[base]);
    set_add(&r->relocated, v);
    if (base != i && !LLVMIsAFreezeInst(v))
        value_freeze(v);
}

/* Makes code generation record all references in the statepoint's list. */
static void record(struct recording *r, LLVMValueRef f, LLVMValueRef call) {
    set_clear(&r->values);
    set_clear(&r->relocated);
    struct list l = read_list(call);
    for (unsigned i = 0; l.relocated && i < l.count; i++) {
        set_add_again(&r->values, LLVMGetOperandBundleArgAtIndex(l.entries, i));
        if (l.relocated[i])
            set_add(&r->relocated, r->values.item[i]);
    }
    for (size_t i = 0; i < r->values.count; i++)
        if (is_root(r->values.item[i]) && !set_has(&r->relocated, r->values.item[i]))
            record_entry(r, f, call, (unsigned)i);
    list_free(&l);
}

/* What a module's statepoints list that LLVM would drop. */
struct dropped {
    int alone; /* boolean: references that nothing relocates */
    int crowded; /* boolean: behind one of these statepoints there is no place for an unused relocation: it is an invoke,
                  * and its normal destination has other predecessors */
};

/* Adds what CALL's list has to ARG. */
static void find_dropped(struct dropped *d, LLVMValueRef call) {
    int result = is_statepoint(call) ? list_kinds(call) : 0;
    d->alone |= (result & ALONE) != 0;
    d->crowded |= result & ALONE && !after_call(call);
}

/* Gives each listed reference without a relocation one that nothing uses, so that code generation records it.
 * Requires the verified module, after the rewrite. */
sm_status lists_record(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    struct dropped d = {0};
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        for (LLVMValueRef call = first_call(f); call; call = next_call(call))
            find_dropped(&d, call);
    if (d.crowded && run_passes(c, "function(break-crit-edges)") != SM_OK)
        return SM_CANNOT_REWRITE;
    struct recording r = {.c = c};
    for (LLVMValueRef f = first_with_statepoints(c->module); d.alone && f; f = next_with_statepoints(f))
        for (LLVMValueRef call = first_call(f); call; call = next_call(call))
            record(&r, f, call);
    set_free(&r.values);
    set_free(&r.relocated);
    set_free(&r.done);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
