/* scopes.c - scoped roots, as LLVM's proposal of 2011 has them:
 *
 *     llvm.gc.declare(ptr alloca, ptr metadata)    from here on the slot is a root
 *     llvm.gc.undeclare(ptr alloca)                and no longer
 *     llvm.gc.value(T value, ptr metadata)         a value is one for as long as it is used    (value_slots.c)
 *
 * Before the optimiser: each scope is checked (a block is not reached both inside and outside of it), and becomes
 * calls of two marks (scope_marks.c). A function with statepoints is kept from the optimiser, which might tear scopes
 * apart, unless its roots are references that need no slot; after polls, before the rewrite, each safepoint inside a scope gets the slot in its live list, and the
 * markers are gone. In the tables of shadow-stack, erlang and ocaml a root is one throughout: there the slot becomes
 * an llvm.gcroot that is null outside.
 */
#include "scopes.h"
#include "analysis.h"
#include "deviations.h"
#include "gctypes.h"
#include "ir.h"
#include "marks.h"
#include "reference_layout.h"
#include "roots.h"

#include <llvm-c/Target.h>

/* 1 if CALL calls NAME, or NAME with the suffix of an overload. */
static int is_scope_named(LLVMValueRef call, const char *name) {
    return is_overload(called_function(call), name);
}

/* 1 if CALL is one of the intrinsics of scoped roots. */
static int is_scoped_root(LLVMValueRef call) {
    return is_scope_named(call, DECLARE) || is_scope_named(call, UNDECLARE) || is_scope_named(call, GC_VALUE);
}

/* 1 if F has scoped roots, or their marks. */
int scopes_in(LLVMValueRef f) {
    return values_are_late(f) || any_call(f, is_scoped_root) || any_call(f, scope_begins);
}

static LLVMValueRef without_casts_scope(LLVMValueRef v) {
    return stepped_from(v, FLOW_CAST);
}

/* Refuses a declaration whose slot is no alloca of fixed size in the function's first block. */
static sm_status check_slot_scope(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef slot = without_casts_scope(LLVMGetOperand(call, 0));
    if (!LLVMIsAAllocaInst(slot) || LLVMGetInstructionParent(slot) != LLVMGetEntryBasicBlock(f) ||
        !LLVMIsAConstantInt(LLVMGetOperand(slot, 0)))
        return fail(c, SM_INVALID_GCROOT, f,
                    "%s%.200s: the call of %s has to be given an alloca of fixed size in the function's first block",
                    LLVMIsAGlobalValue(slot) ? "@" : "%", value_name(slot), called_function(call));
    return SM_OK;
}

/* Refuses stores of derived pointers into the slot: as a root, such a pointer would be reported as its own base. CHECKED:
 * slots without them. */
static sm_status check_stored_scope(struct compile *c, LLVMValueRef f, LLVMValueRef slot, struct set *checked) {
    if (set_has(checked, slot))
        return SM_OK;
    set_add_again(checked, slot);
    for (LLVMUseRef use = LLVMGetFirstUse(slot); is_statepoint_gc(LLVMGetGC(f)) && use; use = LLVMGetNextUse(use)) {
        LLVMValueRef store = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 1) != slot ||
            !holds_reference(LLVMTypeOf(LLVMGetOperand(store, 0))) || !is_derived(LLVMGetOperand(store, 0)))
            continue;
        return fail(c, SM_INVALID_GCROOT, f,
                    "'%.200s' is derived from another pointer, and stored into a root: only the address of an object "
                    "is one; store the object, and derive from it where it is used",
                    value_text(LLVMGetOperand(store, 0)));
    }
    return SM_OK;
}

/* Refuses metadata that is no constant pointer: the collector reads its address from the map, which is created at
 * compile time. */
static sm_status check_metadata(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef metadata = LLVMGetOperand(call, 1);
    if (LLVMIsConstant(metadata) && LLVMGetTypeKind(LLVMTypeOf(metadata)) == LLVMPointerTypeKind &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(metadata)) == 0)
        return SM_OK;
    return fail(c, SM_INVALID_GCROOT, f, "The metadata of the call of %s has to be a constant pointer",
                called_function(call));
}

/* Replaces llvm.gc.declare and llvm.gc.undeclare by scope marks, after checking their operands. CHECKED: slots that need
 * no other check. */
static void mark_declaration(struct compile *c, LLVMValueRef f, LLVMValueRef call, struct set *checked) {
    int declares = is_scope_named(call, DECLARE), undeclares = is_scope_named(call, UNDECLARE);
    if ((!declares && !undeclares) || c->errors)
        return;
    if (LLVMGetNumArgOperands(call) != (declares ? 2 : 1))
        fail(c, SM_INVALID_GCROOT, f, "The call of %s has %u operands, and takes %d", called_function(call),
             LLVMGetNumArgOperands(call), declares ? 2 : 1);
    else if (check_slot_scope(c, f, call) == SM_OK && (!declares || check_metadata(c, f, call) == SM_OK)) {
        LLVMValueRef none = LLVMConstPointerNull(LLVMPointerTypeInContext(c->context, 0)),
                     slot = without_casts_scope(LLVMGetOperand(call, 0));
        if (declares && check_stored_scope(c, f, slot, checked) != SM_OK)
            return;
        scope_mark(c, call, declares ? SCOPE_BEGIN : SCOPE_END, slot, declares ? LLVMGetOperand(call, 1) : none);
        LLVMInstructionEraseFromParent(call);
    }
}

static void store_null(LLVMValueRef slot, LLVMValueRef before) {
    LLVMBuilderRef b = builder_at(before);
    LLVMBuildStore(b, LLVMConstPointerNull(LLVMGetAllocatedType(slot)), slot);
    LLVMDisposeBuilder(b);
}

/* Erases all marks of s->slot; with CLEARS, stores null at the ends of scopes after which the slot is not read. Gives the
 * first metadata that is not null, else null. */
static LLVMValueRef take_marks(struct scope *s, int clears) {
    LLVMValueRef metadata = LLVMConstNull(LLVMPointerTypeInContext(s->c->context, 0));
    if (clears)
        scope_look_ahead(s);
    for (size_t k = 0; k < s->uses; k++) {
        LLVMValueRef i = s->use[k].instruction;
        int begins = scope_begins(i), ends = scope_ends(i);
        size_t block = s->use[k].block;
        if (!begins && !ends)
            continue;
        if (begins && LLVMIsNull(metadata))
            metadata = LLVMGetOperand(i, 1);
        if (ends && clears && !(scope_ahead(s, block, s->use[k].at + 1) & AHEAD_READS))
            store_null(s->slot, i);
    }
    for (size_t k = 0; k < s->uses; k++)
        if (scope_begins(s->use[k].instruction) || scope_ends(s->use[k].instruction))
            LLVMInstructionEraseFromParent(s->use[k].instruction);
    return metadata;
}

/* Replaces the slot's scope by an llvm.gcroot that is null outside of it, for strategies whose tables have one-word
 * roots for the entire function. Refuses slots of other than pointer type. */
static sm_status declare_gcroot(struct compile *c, LLVMValueRef f, LLVMValueRef slot, struct scope *s) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(slot));
    if (kind != LLVMPointerTypeKind || alloca_count(slot) != 1)
        return fail(c, SM_INVALID_GCROOT, f,
                    "llvm.gc.declare of %%%.200s: a root of strategy \"%s\" is an alloca of pointer type",
                    value_name(slot), LLVMGetGC(f));
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0), params[2] = {ptr, ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), params, 2, 0);
    LLVMValueRef gcroot = declared_function(c->module, "llvm.gcroot", type),
                 args[2] = {slot, take_marks(s, !s->is_value)};
    call_before(LLVMGetNextInstruction(slot), gcroot, args, 2);
    store_null(slot, LLVMGetNextInstruction(slot));
    return SM_OK;
}

/* Follows the slot's scopes and refuses them if they are inconsistent (or makes the slot a root throughout, with
 * scoped_roots=null_init). Without statepoints the slot becomes an llvm.gcroot. */
static sm_status resolve_slot(struct scope *s, LLVMValueRef slot) {
    struct compile *c = s->c;
    LLVMValueRef f = s->body.function;
    scope_of(s, slot);
    if (s->wrong && c->options->scoped_roots == SM_SCOPED_STRICT)
        return fail(c, SM_INVALID_GCROOT, f, "%s; scoped_roots=null_init makes it a root throughout", s->wrong);
    if (!is_statepoint_gc(LLVMGetGC(f)))
        return declare_gcroot(c, f, slot, s);
    if (s->wrong) {
        LLVMValueRef metadata = take_marks(s, 0);
        scope_mark(c, LLVMGetNextInstruction(slot), SCOPE_BEGIN, slot, metadata);
    }
    return SM_OK;
}

/* ---- Roots that need no slot ----------------------------------------------------------------------------------
 *
 * The optimiser may have a function whose scoped roots are references alone. Those without metadata are reported as
 * values, as all others are. One with metadata has a slot with a type (typed_roots.c), which is a region where it is
 * alive. What is in a slot at its scope's end is used there, by a mark that stays until the rewrite has seen it. */

/* 1 if the optimiser may have V, of llvm.gc.value: an object's reference. */
static int is_plain_root(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && is_reference(v) && !is_derived(v);
}

/* 1 if USER, of the slot, is all of one plain load or store, or a mark. */
static int is_plain_use(LLVMValueRef user, LLVMValueRef slot) {
    int is_load = LLVMIsALoadInst(user) != NULL;
    if (is_load || LLVMIsAStoreInst(user))
        return !LLVMGetVolatile(user) && LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic &&
               LLVMGetOperand(user, is_load ? 0 : 1) == slot &&
               LLVMTypeOf(is_load ? user : LLVMGetOperand(user, 0)) == LLVMGetAllocatedType(slot);
    return is_intrinsic(user, "llvm.lifetime.") || scope_ends(user) || scope_begins(user);
}

/* 1 if two marks of the slot have metadata, and not the same. */
static int has_two_types(LLVMValueRef slot) {
    LLVMValueRef type = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef metadata = scope_begins(LLVMGetUser(u)) ? LLVMGetOperand(LLVMGetUser(u), 1) : NULL;
        if (!metadata || LLVMIsNull(metadata))
            continue;
        if (type && type != metadata)
            return 1;
        type = metadata;
    }
    return 0;
}

/* 1 if the optimiser may have the slot: it has one reference, and only the function itself uses it. */
static int is_plain_slot(struct compile *c, LLVMValueRef slot) {
    LLVMTypeRef type = LLVMGetAllocatedType(slot);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(type) != 1 ||
        alloca_count(slot) != 1 || type_in_metadata(c, slot) || is_value_slot(slot) ||
        scope_has_mark(slot, SCOPE_PIN) || has_two_types(slot))
        return 0;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (!is_plain_use(LLVMGetUser(u), slot))
            return 0;
    return 1;
}

struct plain {
    struct compile *c;
    struct set values; /* the marks of llvm.gc.value */
    struct set slots;  /* owned: those with marks, each of which is asked about once */
    int result;        /* boolean */
};

/* Clears RESULT if CALL keeps the function from the optimiser, or LLVM's rewrite from values that are
 * alive across it. */
static void find_hindrance(struct plain *p, LLVMValueRef call) {
    if (is_value_mark(call)) {
        p->result &= LLVMIsConstant(LLVMGetOperand(call, 0)) || is_plain_root(LLVMGetOperand(call, 0));
        set_add(&p->values, call);
        return;
    }
    if ((scope_begins(call) || scope_ends(call)) && !set_has(&p->slots, LLVMGetOperand(call, 0))) {
        set_add_again(&p->slots, LLVMGetOperand(call, 0));
        p->result &= is_plain_slot(p->c, LLVMGetOperand(call, 0));
    }
    p->result &= !is_statepoint(call) && !is_deoptimize(call) && !LLVMIsACallBrInst(call) &&
                 !is_intrinsic(call, "llvm.experimental.patchpoint.") && !is_intrinsic(call, "llvm.eh.sjlj.") &&
                 !is_intrinsic(call, "llvm.coro.") && !call_bundle_size(call, "gc-live") &&
                 !either_attribute(call, "returns_twice");
}

/* 1 if F's scoped roots are references alone that need no slots; MARKS gets those of llvm.gc.value. */
static int has_plain_roots(struct compile *c, LLVMValueRef f, struct set *marks) {
    struct plain p = {.c = c, .values = *marks, .result = 1};
    if (c->options->opt == SM_OPT_0 || function_attribute(f, "optnone"))
        return 0;
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        find_hindrance(&p, call);
    set_free(&p.slots);
    *marks = p.values;
    return p.result;
}

/* The function that marks of last uses call, declared if it is not there yet. It writes no memory that anybody reads. */
static LLVMValueRef last_use_function(struct compile *c) {
    LLVMTypeRef reference = LLVMPointerTypeInContext(c->context, 1);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), &reference, 1, 0);
    LLVMValueRef f = declared_function(c->module, LAST_USE, type);
    set_mark_attributes(f, "nounwind,nosync,nofree,nocallback");
    set_attribute_at(f, 1, "nocapture", 0);
    set_attribute_at(f, 1, "readnone", 0);
    return f;
}

/* 1 if a safepoint may stand before END, after the slot was last used: a call, or an access to an object, which may
 * get a barrier. */
static int may_collect_before(LLVMValueRef end, LLVMValueRef slot) {
    for (LLVMValueRef i = LLVMGetPreviousInstruction(end); i; i = LLVMGetPreviousInstruction(i)) {
        int is_load = LLVMIsALoadInst(i) != NULL, is_store = LLVMIsAStoreInst(i) != NULL;
        LLVMValueRef address = is_load || is_store ? LLVMGetOperand(i, is_load ? 0 : 1) : NULL;
        if (address == slot)
            return 0;
        if ((address && is_reference(address)) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
            (is_call(i) && !is_intrinsic(i, "llvm.lifetime.") && !scope_ends(i) && !scope_begins(i)))
            return 1;
    }
    return 1;
}

/* Uses what is in the slot before END. */
static void use_last(struct compile *c, LLVMValueRef slot, LLVMValueRef end) {
    LLVMValueRef f = last_use_function(c);
    LLVMBuilderRef b = builder_at(end);
    LLVMValueRef v = LLVMBuildLoad2(b, LLVMGetAllocatedType(slot), slot, "");
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, &v, 1, "");
    LLVMDisposeBuilder(b);
}

/* Gives the slot the type METADATA, if that is not null. */
static void set_type(struct compile *c, LLVMValueRef slot, LLVMValueRef metadata) {
    unsigned kind = LLVMGetMDKindIDInContext(c->context, TYPE_METADATA, sizeof TYPE_METADATA - 1);
    LLVMMetadataRef type = LLVMValueAsMetadata(metadata);
    if (!LLVMIsNull(metadata))
        LLVMSetMetadata(slot, kind, LLVMMetadataAsValue(c->context, LLVMMDNodeInContext2(c->context, &type, 1)));
}

/* Uses what is in the slot where its scopes end, and takes its marks off. */
static void slot_to_value(struct scope *s, LLVMValueRef slot) {
    scope_of(s, slot);
    for (size_t k = 0; k < s->uses; k++)
        if (scope_ends(s->use[k].instruction) && may_collect_before(s->use[k].instruction, slot))
            use_last(s->c, slot, s->use[k].instruction);
    set_type(s->c, slot, take_marks(s, !s->is_value));
    store_null(slot, LLVMGetNextInstruction(slot));
}

/* Takes off the marks of F, if its scoped roots need none, so that it can be optimised. */
static sm_status roots_to_values(struct compile *c, LLVMValueRef f) {
    struct set marks = {0}, slots = {0};
    struct scope scope;
    sm_status s = SM_OK;
    if (!has_plain_roots(c, f, &marks))
        goto out;
    for (size_t i = 0; i < marks.count; i++)
        if (LLVMIsNull(LLVMGetOperand(marks.item[i], 1)))
            LLVMInstructionEraseFromParent(marks.item[i]);
    scopes_close(c, f);
    s = values_to_slots(c, f);
    collect_marked(f, &slots);
    scope_make(&scope, c, f);
    for (size_t i = 0; s == SM_OK && i < slots.count; i++)
        slot_to_value(&scope, slots.item[i]);
    scope_free(&scope);
out:
    set_free(&marks);
    set_free(&slots);
    return s;
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

/* Makes one slot of those that are not needed at one time, unless the rule is broken for one. */
static void share_slots(struct scope *s, struct set *slots) {
    int wrong = s->c->options->scoped_roots != SM_SCOPED_STRICT;
    for (size_t i = 0; i < slots->count && !wrong; i++) {
        scope_of(s, slots->item[i]);
        wrong = s->wrong != NULL;
    }
    if (!wrong)
        scopes_share_slots(s, slots);
}

/* Checks the scoped roots of F and replaces them by marks or llvm.gcroots. */
static sm_status check_function_scope(struct compile *c, LLVMValueRef f) {
    struct set slots = {0}, checked = {0};
    struct scope scope;
    sm_status s = SM_OK;
    if (!LLVMGetGC(f))
        return fail(c, SM_INVALID_GCROOT, f,
                    "Scoped roots (llvm.gc.declare, llvm.gc.value) need a function with a GC strategy");
    for (LLVMValueRef call = first_call(f), next; call; call = next) {
        next = next_call(call);
        mark_declaration(c, f, call, &checked);
    }
    set_free(&checked);
    if (is_statepoint_gc(LLVMGetGC(f)))
        values_put_off(c, f);
    s = c->errors ? SM_INVALID_GCROOT : is_statepoint_gc(LLVMGetGC(f)) ? SM_OK : values_to_slots(c, f);
    if (s == SM_OK)
        collect_marked(f, &slots);
    scope_make(&scope, c, f);
    if (s == SM_OK && !is_statepoint_gc(LLVMGetGC(f)))
        share_slots(&scope, &slots);
    for (size_t i = 0; s == SM_OK && i < slots.count; i++)
        s = resolve_slot(&scope, slots.item[i]);
    scope_free(&scope);
    set_free(&slots);
    deviate(c, DEVIATION_SCOPES);
    if (s == SM_OK && is_statepoint_gc(LLVMGetGC(f)))
        s = roots_to_values(c, f);
    return s;
}

/* Checks all scoped roots and pins of the module. */
static sm_status check_scopes(struct compile *c) {
    sm_status s = pins_to_slots(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && scopes_in(f))
            s = check_function_scope(c, f);
    if (has_deviated(c, DEVIATION_SCOPES))
        functions_delete_unused(c->module, "llvm.gc.,smd.gc.");
    return s;
}

/* Checks all scoped roots, pins and tags of the module and replaces them by marks, or by slots with types, which are
 * marked then. Requires the verified module, before it is optimised. */
sm_status stage_scopes(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    sm_status s = c->has & HAS_SCOPES ? check_scopes(c) : SM_OK;
    if (s == SM_OK && c->has & (HAS_SLOTS | HAS_BUNDLES))
        gctypes_keep(c);
    return s == SM_OK && c->errors ? SM_INVALID_GCROOT : s;
}

/* 1 if the function has a reference as parameter or as the result of an instruction. */
int has_references(LLVMValueRef f) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    if (scopes_in(f))
        return 1;
    LLVMValueRef v = first_value(f);
    while (v && !holds_root(data, LLVMTypeOf(v)))
        v = next_value(v);
    return v != NULL;
}
