/* lists.c - live lists of the module's own statepoints stay whole: stack slots, and references that nothing relocates,
 * which is how collectors that do not move find them (Statepoints.rst).
 *
 * LLVM drops such entries twice. Its optimiser takes from a "gc-live" bundle what no gc.relocate names: so a function with
 * such a statepoint is kept from the optimiser, and everything after it sees the function as it came. And code generation
 * records slots and what has a gc.relocate: so in the end each reference without one gets a relocation that nobody uses,
 * which costs no instruction.
 *
 * What LLVM's safepoint verifier asks, that nobody uses a pointer that was not relocated, is no rule for statepoints that
 * relocate nothing. There it is: who uses a reference behind a statepoint finds it, or what it is derived from, in the
 * statepoint's list. One that the collector is not told of may be gone.
 */
#include "core.h"
#include "scopes.h"

#include <assert.h>
#include <string.h>

#define KEPT     "smd-listed"
#define RELOCATE "llvm.experimental.gc.relocate"

static unsigned attribute(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* What a pointer is derived from by arithmetic alone. */
static LLVMValueRef origin(LLVMValueRef v) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be its own operand */
    for (int i = 0; i < STEPS && (LLVMIsAGetElementPtrInst(v) || LLVMIsABitCastInst(v) ||
                                  LLVMIsAAddrSpaceCastInst(v) || LLVMIsAFreezeInst(v));
         i++)
        v = LLVMGetOperand(v, 0);
    return v;
}

/* ---- Entries ------------------------------------------------------------------------------------------------- */

/* One of the token's or landing pad's relocations is of entry AT, as derived pointer or as base; AT -1: of any. */
static int relocates(LLVMValueRef token, long at) {
    for (LLVMUseRef use = LLVMGetFirstUse(token); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_relocate(user) && (at < 0 || (long)LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) == at ||
                                  (long)LLVMConstIntGetZExtValue(LLVMGetOperand(user, 2)) == at))
            return 1;
    }
    return 0;
}

static LLVMValueRef pad_of(LLVMValueRef statepoint) {
    LLVMValueRef i = LLVMIsAInvokeInst(statepoint) ? LLVMGetFirstInstruction(LLVMGetUnwindDest(statepoint)) : NULL;
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static int is_relocated(LLVMValueRef statepoint, long at) {
    LLVMValueRef pad = pad_of(statepoint);
    return relocates(statepoint, at) || (pad && relocates(pad, at));
}

static int is_reference(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return (kind == LLVMPointerTypeKind || kind == LLVMVectorTypeKind) && holds_reference(LLVMTypeOf(v)) &&
           !LLVMIsConstant(v);
}

enum { SLOTS = 1, ALONE = 2 };

static void look_at_list(void *arg, LLVMValueRef function, LLVMValueRef call) {
    int *found = arg, statepoint = is_statepoint(call);
    LLVMOperandBundleRef list = call_bundle(call, "gc-live");
    (void)function;
    for (unsigned i = 0; list && i < LLVMGetNumOperandBundleArgs(list); i++) {
        LLVMValueRef v = LLVMGetOperandBundleArgAtIndex(list, i);
        if (LLVMIsAAllocaInst(origin(v)))
            *found |= SLOTS;
        else if (statepoint && is_reference(v) && !is_relocated(call, i))
            *found |= ALONE;
    }
    if (list)
        LLVMDisposeOperandBundle(list);
}

/* ---- Around the optimiser ------------------------------------------------------------------------------------ */

static void add_attribute(struct compile *c, LLVMValueRef f, const char *name) {
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(c->context, attribute(name), 0));
}

/* What this file has added, and only that, is taken away again: the mark's value says whether noinline was there. */
static void keep_function(struct compile *c, LLVMValueRef f) {
    int noinline = LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("noinline")) != NULL;
    set_text_attribute(c->context, f, KEPT, noinline ? "n" : "");
    add_attribute(c, f, "noinline");
    add_attribute(c, f, "optnone");
    c->keeps_lists = 1;
}

static int has_attribute(LLVMValueRef f, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(name)) != NULL;
}

static sm_status keep_if_listed(struct compile *c, LLVMValueRef f) {
    /* Code generation turns the slots of such functions into something else. */
    static const char *const moves_slots[] = {"safestack", "sanitize_memtag"};
    int listed = 0;
    visit_calls(f, look_at_list, &listed);
    listed |= scopes_in(f) ? SLOTS : 0;
    if (listed && has_attribute(f, "alwaysinline"))
        return fail(c, SM_CANNOT_REWRITE, f,
                    "The function lists stack slots in \"gc-live\", or references that nothing relocates, and is to "
                    "be inlined always: they would be lost");
    for (size_t i = 0; i < sizeof moves_slots / sizeof *moves_slots; i++)
        if (listed & SLOTS && has_attribute(f, moves_slots[i]))
            return fail(c, SM_CANNOT_REWRITE, f,
                        "The function lists stack slots in \"gc-live\", and its attribute '%s' moves slots elsewhere",
                        moves_slots[i]);
    if (listed && !has_attribute(f, "optnone"))
        keep_function(c, f);
    return SM_OK;
}

sm_status lists_keep(struct compile *c) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            s = keep_if_listed(c, f);
    return s;
}

void lists_release(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        unsigned len;
        LLVMAttributeRef mark = text_attribute(f, KEPT);
        if (!mark)
            continue;
        LLVMGetStringAttributeValue(mark, &len);
        if (len == 0)
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("noinline"));
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("optnone"));
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, KEPT, sizeof KEPT - 1);
    }
}

/* ---- The rule where nothing is relocated --------------------------------------------------------------------- */

/* It lists references, and relocates nothing. */
static int is_non_relocating(LLVMValueRef statepoint) {
    LLVMOperandBundleRef list = call_bundle(statepoint, "gc-live");
    int references = 0;
    for (unsigned i = 0; list && i < LLVMGetNumOperandBundleArgs(list); i++)
        references |= is_reference(LLVMGetOperandBundleArgAtIndex(list, i));
    if (list)
        LLVMDisposeOperandBundle(list);
    return references && !is_relocated(statepoint, -1);
}

static void find_non_relocating(void *arg, LLVMValueRef f, LLVMValueRef call) {
    (void)f;
    if (is_statepoint(call) && is_non_relocating(call))
        *(int *)arg = 1;
}

int lists_alone(LLVMValueRef f) {
    int found = 0;
    visit_calls(f, find_non_relocating, &found);
    return found;
}

static int lists(LLVMValueRef statepoint, LLVMValueRef v) {
    LLVMOperandBundleRef list = call_bundle(statepoint, "gc-live");
    int found = 0;
    for (unsigned i = 0; list && i < LLVMGetNumOperandBundleArgs(list); i++)
        found |= LLVMGetOperandBundleArgAtIndex(list, i) == v;
    if (list)
        LLVMDisposeOperandBundle(list);
    return found;
}

/* V may not be used behind I. */
static int breaks_rule(LLVMValueRef v, LLVMValueRef i) {
    return is_statepoint(i) && (!is_non_relocating(i) || (!lists(i, v) && !lists(i, origin(v))));
}

static sm_status check_listed_value(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef call;
    size_t len;
    if (!is_reference(v) || LLVMIsConstant(origin(v)))
        return SM_OK;
    sm_status s = live_across_such(c, f, v, breaks_rule, &call);
    if (s != SM_OK || !call)
        return s;
    const char *name = LLVMGetValueName2(v, &len);
    return fail(
        c, SM_SAFEPOINT_VIOLATION, f,
        "%s%s is used after the statepoint that calls %.200s, which does not list it, or relocates others but "
        "not it",
        name[0] ? "%" : "A pointer", name, safepoint_name(call));
}

/* Requires the rewritten module. */
sm_status lists_check(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)) && lists_alone(f))
            s = check_function_values(c, f, check_listed_value);
    return s;
}

/* ---- Relocations that nobody uses ---------------------------------------------------------------------------- */

static unsigned index_of(LLVMOperandBundleRef list, LLVMValueRef v, unsigned otherwise) {
    for (unsigned i = 0; i < LLVMGetNumOperandBundleArgs(list); i++)
        if (LLVMGetOperandBundleArgAtIndex(list, i) == v)
            return i;
    return otherwise;
}

static void relocate_unused(struct compile *c, LLVMValueRef statepoint, unsigned base, unsigned derived,
                            LLVMTypeRef type) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(c->module, LLVMLookupIntrinsicID(RELOCATE, sizeof RELOCATE - 1), &type, 1);
    LLVMValueRef args[] = {statepoint, LLVMConstInt(i32, base, 0), LLVMConstInt(i32, derived, 0)};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, behind_call(statepoint));
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 3, "");
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_RECORDS_LISTS);
}

/* Where its base is relocated too, code generation would compute a derived pointer anew instead of recording it. */
static void freeze(struct compile *c, LLVMValueRef v) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(v));
    LLVMValueRef frozen = LLVMBuildFreeze(b, v, "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(v, frozen);
    LLVMSetOperand(frozen, 0, v);
}

/* The base that the record gives is what it is derived from, which has to be in the list as well. */
static void record_entry(struct compile *c, LLVMValueRef f, LLVMValueRef call, LLVMOperandBundleRef list,
                         unsigned i) {
    LLVMValueRef v = LLVMGetOperandBundleArgAtIndex(list, i);
    unsigned base = index_of(list, origin(v), i);
    size_t len;
    if (!is_reference(v) || is_relocated(call, i))
        return;
    if (base == i && is_derived(c, v)) {
        const char *name = LLVMGetValueName2(v, &len);
        fail(c, SM_CANNOT_REWRITE, f,
             "The statepoint that calls %.200s lists %s%s, which is derived from a pointer that it does not list",
             safepoint_name(call), name[0] ? "%" : "a pointer", name);
        return;
    }
    relocate_unused(c, call, base, i, LLVMTypeOf(v));
    if (base != i && !LLVMIsAFreezeInst(v))
        freeze(c, v);
}

static void record(void *arg, LLVMValueRef f, LLVMValueRef call) {
    LLVMOperandBundleRef list = is_statepoint(call) ? call_bundle(call, "gc-live") : NULL;
    for (unsigned i = 0; list && i < LLVMGetNumOperandBundleArgs(list); i++)
        record_entry(arg, f, call, list, i);
    if (list)
        LLVMDisposeOperandBundle(list);
}

static void find_crowded(void *arg, LLVMValueRef f, LLVMValueRef call) {
    int listed = 0;
    look_at_list(&listed, f, call);
    *(int *)arg |= listed & ALONE && is_statepoint(call) && !behind_call(call);
}

/* Requires the verified module, after the rewrite. */
sm_status lists_record(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    int crowded = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            visit_calls(f, find_crowded, &crowded);
    if (crowded && run_passes(c, "function(break-crit-edges)") != SM_OK)
        return SM_CANNOT_REWRITE;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)))
            visit_calls(f, record, c);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
