/* barrier_auto.c - barriers=auto: stores of references into objects get the write barrier, loads the read barrier,
 * without the frontend's help. A reference is a pointer of address space 1, an object is what one leads to.
 *
 * Inserted when the optimiser is done and polls are placed: what is stored then is stored, and nothing comes between.
 * The optimiser may have created copies of stores, so it is kept from that; copies that the frontend makes stay
 * copies.
 */
#include "aggregate_parts.h"
#include "analysis.h"
#include "barrier.h"
#include "barrier_facts.h"
#include "barrier_parts.h"
#include "barrier_rules.h"
#include "deviations.h"
#include "ir.h"
#include "late_inline.h"
#include "llvm19.h"
#include "marks.h"

#include <llvm-c/DebugInfo.h>

struct place {
    LLVMValueRef instruction;
    struct access access;
    int before, behind, own, read; /* booleans: snapshot before, card after, the module's own, read barrier */
};

struct insertion {
    struct compile *c;
    const struct sm_barriers *k;
    struct barrier_rules rules;
    LLVMValueRef function;
    LLVMBuilderRef builder;
    struct place *place; /* owned */
    size_t places, room, writes, reads;
    sm_status status;
};

/* ---- Which functions ------------------------------------------------------------------------------------------ */

/* 1 if F gets barriers: a function with statepoints that is no hook, by its attribute "smd-barriers", else by the
 * option. */
static int is_auto_barrier_needed(const struct compile *c, LLVMValueRef f) {
    unsigned len = 0;
    LLVMAttributeRef a = text_attribute(f, BARRIERS_ATTRIBUTE);
    const char *declared = a ? LLVMGetStringAttributeValue(a, &len) : "";
    if (LLVMIsDeclaration(f) || is_hook(f) || !is_statepoint_gc(LLVMGetGC(f)))
        return 0;
    return a ? len == 4 && memcmp(declared, "auto", 4) == 0 : c->options->barriers;
}

/* 1 if any function of the module gets barriers. */
static int any_needed(const struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (is_auto_barrier_needed(c, f))
            return 1;
    return 0;
}

/* ---- Before the optimiser ------------------------------------------------------------------------------------- */

/* Before the optimiser, if any function gets barriers: memory copies into or out of the heap become volatile, so that
 * it does not split them into loads and stores or form others, and it makes no copies of loops. */
void barriers_prepare(struct compile *c) {
    enum { IS_VOLATILE = 3 };
    if (!any_needed(c))
        return;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_block_copy(call) && touches_heap(call) && LLVMIsAConstantInt(LLVMGetOperand(call, IS_VOLATILE)))
            LLVMSetOperand(call, IS_VOLATILE, LLVMConstInt(LLVMInt1TypeInContext(c->context), 1, 0));
    builtins_forbid(c, 1);
}

/* ---- What is needed where ------------------------------------------------------------------------------------- */

/* Remarks, if remarks are asked for, that the access I gets no barrier WHICH, and WHY. */
static void say_auto_barrier(struct insertion *n, LLVMValueRef i, const char *which, const char *why) {
    if (n->c->options->emit & SM_EMIT_REMARKS)
        remark(n->c, "barriers", n->function, "no %s at '%.300s': %s", which, value_text(i), why);
}

/* Sets the status, with a diagnostic: the access I needs a barrier that cannot be created, for the reason WHY. The
 * first such error stays. */
static void refuse_auto_barrier(struct insertion *n, LLVMValueRef i, const char *why) {
    if (n->status == SM_OK)
        n->status = fail(n->c, SM_BARRIER_CONFLICT, n->function, "barriers=auto cannot give '%.300s' its barrier: %s",
                         value_text(i), why);
}

#define NO_SLOTS                                                                                                     \
    "it may overwrite references, and the barrier needs each slot; store them one by one, or say with "              \
    "the call's attribute \"smd-no-references\" that there are none"

/* The reason why this part of the write barrier may be left out at A, NULL if it may not; the last four say which
 * reasons count: a harmless value, a fresh object, a marked object, a slot that has had its barrier. */
static const char *why_not_auto_barrier(const struct insertion *n, const struct facts *s, const struct access *a,
                                        int harmless_may, int fresh_may, int marked_may, int kept_may) {
    LLVMValueRef object = object_of(a->pointer);
    (void)n;
    if (harmless_may && (a->kind == CLEARS || (a->value && is_harmless_value(a->value))))
        return a->value && !LLVMIsNull(a->value) ? "it stores a constant" : "it stores null";
    if (fresh_may && facts_hold(s, FRESH, object))
        return "the object is fresh, there is no safepoint since it was allocated";
    if (marked_may && facts_hold(s, MARKED, object))
        return "the object has had its barrier, and there is no safepoint since";
    if (kept_may && facts_hold(s, KEPT, a->pointer))
        return "the slot has had its barrier, and there is no safepoint since";
    return NULL;
}

/* Decides which parts of the write barrier the access P needs, by what holds there (S): the module's own, snapshot
 * before, card after. What is left out is remarked. */
static void decide_write(struct insertion *n, const struct facts *s, struct place *p) {
    const struct barrier_rules *r = &n->rules;
    const struct access *a = &p->access;
    const char *why;
    if (r->own && !(why = why_not_auto_barrier(n, s, a, r->null, r->fresh, r->run, 0)))
        p->own = 1;
    else if (r->own)
        say_auto_barrier(n, p->instruction, "write barrier", why);
    if (r->before && !(why = why_not_auto_barrier(n, s, a, 0, 1, 0, a->kind == STORES)))
        p->before = 1;
    else if (r->before)
        say_auto_barrier(n, p->instruction, "snapshot barrier", why);
    if (r->behind && a->kind != CLEARS && !(why = why_not_auto_barrier(n, s, a, 1, 1, 1, 0)))
        p->behind = 1;
    else if (r->behind)
        say_auto_barrier(n, p->instruction, "card", a->kind == CLEARS ? "it stores no reference" : why);
}

/* Decides whether the load P needs its read barrier; built-in ones are left out on fresh objects. */
static void decide_read(struct insertion *n, const struct facts *s, struct place *p) {
    if (!n->rules.reads)
        return;
    if (!n->rules.own_read && facts_hold(s, FRESH, object_of(p->access.pointer)))
        say_auto_barrier(n, p->instruction, "read barrier",
                         "the object is fresh, there is no safepoint since it was allocated");
    else
        p->read = 1;
}

/* Appends P to the places that get barriers. */
static void add_place_auto_barrier(struct insertion *n, const struct place *p) {
    n->place = xgrow(n->place, n->places, &n->room, sizeof *n->place);
    n->place[n->places++] = *p;
}

/* Notes the instruction I as a place if it accesses references in the heap and needs any barrier there. */
static void decide(struct insertion *n, const struct facts *s, LLVMValueRef i) {
    struct place p = {.instruction = i, .access = access_of(n->c, i)};
    if (p.access.kind == LOADS || p.access.kind == GATHERS)
        decide_read(n, s, &p);
    else if (p.access.kind != NO_ACCESS)
        decide_write(n, s, &p);
    if (p.before || p.behind || p.own || p.read)
        add_place_auto_barrier(n, &p);
}

/* ---- How it is created ------------------------------------------------------------------------------------------- */

/* The address of the object that POINTER leads into, for the barrier: where it is derived by way of phis and selects,
 * a call of gc.get.pointer.base, which LLVM's rewrite resolves. */
static LLVMValueRef auto_barrier_address_of(struct insertion *n, LLVMValueRef pointer) {
    static const char name[] = "llvm.experimental.gc.get.pointer.base";
    LLVMValueRef object = object_of(pointer);
    if (!holds_reference(LLVMTypeOf(object)) || !is_derived(object))
        return object;
    LLVMTypeRef types[] = {LLVMTypeOf(object), LLVMTypeOf(object)};
    LLVMValueRef base =
        LLVMGetIntrinsicDeclaration(n->c->module, LLVMLookupIntrinsicID(name, sizeof name - 1), types, 2);
    return LLVMBuildCall2(n->builder, LLVMGlobalGetValueType(base), base, &object, 1, "");
}

/* Builds the address of the leaf L within a value of TYPE at POINTER. */
static LLVMValueRef auto_barrier_slot_of(struct insertion *n, LLVMTypeRef type, LLVMValueRef pointer,
                                         const struct leaf *l) {
    LLVMTypeRef number = LLVMInt32TypeInContext(n->c->context);
    LLVMValueRef index[LEAF_DEPTH_MAX + 1];
    if (!l->depth)
        return pointer;
    index[0] = LLVMConstInt(number, 0, 0);
    for (unsigned i = 0; i < l->depth; i++)
        index[i + 1] = LLVMConstInt(number, l->path[i], 0);
    return LLVMBuildGEP2(n->builder, type, pointer, index, l->depth + 1, "");
}

/* Lists in L the scalar parts of the type that P accesses; refuses, and gives 0, if there are too many or the type is
 * a scalable vector. */
static int find_leaves_auto_barrier(struct insertion *n, const struct place *p, struct leaves *l) {
    int result = LLVMGetTypeKind(p->access.type) != LLVMScalableVectorTypeKind && leaves_find(l, p->access.type, 1);
    if (!result)
        refuse_auto_barrier(n, p->instruction, "it has too many parts");
    return result;
}

/* 1 if the part is a reference, whole or compressed. */
static int is_root_part(const struct insertion *n, const struct leaf *l) {
    return holds_root(LLVMGetModuleDataLayout(n->c->module), l->type);
}

/* Puts the builder before I, with I's debug location. */
static void auto_barrier_place_at(struct insertion *n, LLVMValueRef i) {
    LLVMPositionBuilderBefore(n->builder, i);
    LLVMSetCurrentDebugLocation2(n->builder, LLVMInstructionGetDebugLoc(i));
}

/* Builds the snapshot barrier of P before its store, one for each reference that is overwritten; for an exchange,
 * after it, on the old value. Refuses accesses whose slots are not known one by one. */
static void make_before(struct insertion *n, const struct place *p) {
    LLVMValueRef i = p->instruction;
    struct leaves l;
    if (p->access.kind == COPIES || p->access.kind == CLEARS || p->access.kind == SCATTERS) {
        refuse_auto_barrier(n, i, NO_SLOTS);
        return;
    }
    if (p->access.kind == EXCHANGES) { /* what was overwritten is what it has found, whoever else writes */
        auto_barrier_place_at(n, LLVMGetNextInstruction(i));
        LLVMValueRef old = LLVMIsAAtomicRMWInst(i) ? i : LLVMBuildExtractValue(n->builder, i, 0, "");
        satb_build(n->c, n->k, n->builder, old, LLVMTypeOf(old), 1, i, &n->status);
        return;
    }
    if (!find_leaves_auto_barrier(n, p, &l))
        return;
    auto_barrier_place_at(n, i);
    for (unsigned k = 0; k < l.count; k++)
        if (is_root_part(n, &l.leaf[k]))
            satb_build(n->c, n->k, n->builder, auto_barrier_slot_of(n, p->access.type, p->access.pointer, &l.leaf[k]),
                       l.leaf[k].type, 0, i, &n->status);
}

/* Builds the card mark of P right after the store; refuses a store through a vector of pointers. */
static void make_after(struct insertion *n, const struct place *p) {
    if (LLVMGetTypeKind(LLVMTypeOf(p->access.pointer)) != LLVMPointerTypeKind) {
        refuse_auto_barrier(n, p->instruction, "it writes into many objects");
        return;
    }
    auto_barrier_place_at(n, LLVMGetNextInstruction(p->instruction));
    card_build(n->c, n->k, n->builder, auto_barrier_address_of(n, p->access.pointer), p->instruction, &n->status);
}

/* Replaces the store P by calls of the module's own write barrier, one for each reference in it, and plain stores of
 * its other parts. Refuses what is not a plain store. */
static void make_own(struct insertion *n, const struct place *p) {
    LLVMValueRef i = p->instruction;
    struct leaves l;
    if (p->access.kind != STORES) {
        refuse_auto_barrier(
            n, i,
            p->access.kind == EXCHANGES
                ? "gc.write_barrier makes a plain store, and no exchange; leave it to a leaf function of the runtime"
                : NO_SLOTS);
        return;
    }
    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) {
        refuse_auto_barrier(n, i, "gc.write_barrier makes a plain store, and this one is volatile or atomic");
        return;
    }
    if (!find_leaves_auto_barrier(n, p, &l))
        return;
    auto_barrier_place_at(n, i);
    LLVMValueRef object = auto_barrier_address_of(n, p->access.pointer);
    for (unsigned k = 0; k < l.count; k++) {
        LLVMValueRef slot = auto_barrier_slot_of(n, p->access.type, p->access.pointer, &l.leaf[k]);
        LLVMValueRef part = leaf_extract(n->builder, &l.leaf[k], p->access.value);
        if (is_root_part(n, &l.leaf[k]))
            write_hook_build(n->c, n->builder, part, object, slot, i, &n->status);
        else
            LLVMSetAlignment(LLVMBuildStore(n->builder, part, slot), 1);
    }
    LLVMInstructionEraseFromParent(i);
}

/* Replaces the load P by one whose every reference has gone through the read barrier. Refuses vector gathers, and
 * volatile or atomic loads where the barrier is the module's own. */
static void make_read(struct insertion *n, const struct place *p) {
    LLVMValueRef i = p->instruction;
    int hook = n->rules.own_read;
    struct leaves l;
    if (p->access.kind != LOADS) {
        refuse_auto_barrier(n, i, "it reads from many slots");
        return;
    }
    if (hook && (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)) {
        refuse_auto_barrier(n, i, "gc.read_barrier makes a plain load, and this one is volatile or atomic");
        return;
    }
    if (!find_leaves_auto_barrier(n, p, &l))
        return;
    auto_barrier_place_at(n, i);
    LLVMValueRef object = hook ? auto_barrier_address_of(n, p->access.pointer) : NULL,
                 value = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(n->builder, value);
    for (unsigned k = 0; k < l.count; k++) {
        if (!is_root_part(n, &l.leaf[k]))
            continue;
        LLVMValueRef slot = auto_barrier_slot_of(n, p->access.type, p->access.pointer, &l.leaf[k]);
        LLVMValueRef part = hook ? read_hook_build(n->c, n->builder, l.leaf[k].type, object, slot, i, &n->status)
                                 : load_build(n->c, n->k, n->builder, leaf_extract(n->builder, &l.leaf[k], value),
                                              slot, i, &n->status);
        value = leaf_insert(n->builder, &l.leaf[k], value, part);
    }
    replace_value(i, value);
}

/* Refuses an atomic exchange I of references where there are read barriers: it compares with a value that the barrier
 * might have replaced. */
static void check_exchange(struct insertion *n, LLVMValueRef i) {
    if (n->rules.reads && access_of(n->c, i).kind == EXCHANGES)
        refuse_auto_barrier(
            n, i,
            "a read barrier may give another value than the one that is compared; leave it to a leaf function of "
            "the runtime");
}

/* Builds all barriers that were decided on for P. The access is looked at anew, as what it stores may have got a read
 * barrier meanwhile. */
static void make(struct insertion *n, struct place *p) {
    p->access = access_of(n->c, p->instruction);
    if (n->status == SM_OK && p->before)
        make_before(n, p);
    if (n->status == SM_OK && p->behind)
        make_after(n, p);
    if (n->status == SM_OK && p->own)
        make_own(n, p);
    if (n->status == SM_OK && p->read)
        make_read(n, p);
    n->writes += (size_t)(p->before || p->behind || p->own);
    n->reads += (size_t)p->read;
}

/* Decides on all accesses of F, then builds their barriers; remarks how many there are. */
static void insert_in(struct insertion *n, LLVMValueRef f) {
    struct facts *s = facts_find(n->c, &n->rules, f);
    n->function = f;
    n->places = n->writes = n->reads = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        facts_enter(s, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            check_exchange(n, i);
            decide(n, s, i);
            facts_pass(s, i);
        }
    }
    facts_free(s);
    for (size_t i = 0; i < n->places; i++)
        make(n, &n->place[i]);
    remark(n->c, "barriers", f, "%zu write barrier(s), %zu read barrier(s) inserted", n->writes, n->reads);
}

/* Fails if F's attribute "smd-barriers" is neither "auto" nor "off": a misspelt word would leave the function without
 * barriers. */
static sm_status check_attribute(struct compile *c, LLVMValueRef f) {
    unsigned len = 0;
    LLVMAttributeRef a = text_attribute(f, BARRIERS_ATTRIBUTE);
    const char *declared = a ? LLVMGetStringAttributeValue(a, &len) : "auto";
    if (!a || (len == 4 && memcmp(declared, "auto", 4) == 0) || (len == 3 && memcmp(declared, "off", 3) == 0))
        return SM_OK;
    return fail(c, SM_INVALID_OPTION, f,
                "The attribute \"" BARRIERS_ATTRIBUTE "\": '%.*s' is not one of its values, auto and off",
                (int)(len < 60 ? len : 60), declared);
}

/* Inserts barriers in all functions that want them (barriers=auto, or their attribute). Requires polls placed. */
sm_status barriers_insert(struct compile *c, const struct sm_barriers *k) {
    struct insertion n = {.c = c, .k = k};
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && n.status == SM_OK; f = LLVMGetNextFunction(f))
        n.status = check_attribute(c, f);
    if (n.status != SM_OK)
        return n.status;
    builtins_forbid(c, 0);
    if (!any_needed(c))
        return SM_OK;
    n.status = barrier_rules_find(c, k, &n.rules);
    if (n.status == SM_OK && !n.rules.own && !n.rules.before && !n.rules.behind && !n.rules.reads) {
        diag_add(
            c, "warning", NULL,
            "barriers=auto inserts none: the module has neither gc.write_barrier nor gc.read_barrier, and the option "
            "barrier asks for none");
        return SM_OK;
    }
    deviate(c, DEVIATION_BARRIERS);
    n.builder = LLVMCreateBuilderInContext(c->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && n.status == SM_OK; f = LLVMGetNextFunction(f))
        if (is_auto_barrier_needed(c, f))
            insert_in(&n, f);
    LLVMDisposeBuilder(n.builder);
    free(n.place);
    return n.status;
}
