/* root_polls.c - see root_polls.h. Before the optimiser, which then keeps what is in roots where the polls are.
 *
 * A frontend of these strategies has every object in a root at its own calls; of a poll it knows nothing. So a poll
 * stands only where each pointer that is alive across it is what some root holds (root_facts.c), and is read from
 * there again after it, as a collector may have moved the object; what was derived from it is derived again. Where
 * there is no such place none is put, with a warning: an object that no collector knows of would be lost. */
#include "cfg.h"
#include "deviations.h"
#include "gcroots.h"
#include "ir.h"
#include "marks.h"
#include "root_facts.h"
#include "safepoints.h"

#include <llvm-c/DebugInfo.h>

#define POLL "gc.safepoint_poll"

struct placing {
    struct compile *c;
    LLVMValueRef f;
    LLVMBuilderRef b;
    struct rootfacts facts;
    struct set places;    /* of polls: before these instructions */
    struct set reasons;   /* of each of them: static texts */
    const char *reason;   /* of what is being placed */
    LLVMValueRef unknown; /* what was alive at the last place that was tried, and in no root */
    size_t placed[8];     /* of each kind */
};

/* ---- Places --------------------------------------------------------------------------------------------------- */

/* 1 if I is a call that may collect: no intrinsic, no inline assembly, and no leaf. */
static int is_real_call(LLVMValueRef i) {
    return is_call(i) && !intrinsic_name(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && !is_leaf_call(i) &&
           !(LLVMIsAFunction(LLVMGetCalledValue(i)) && is_leaf_function(LLVMGetCalledValue(i)));
}

/* 1 if a poll may be put before I: not between phis, pads or allocas, nor before a return that has to follow its
 * call at once. */
static int may_stand_before(LLVMValueRef i) {
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    int follows_at_once = before && LLVMIsACallInst(before) && (is_musttail(before) || is_deoptimize(before));
    int is_pad =
        LLVMIsALandingPadInst(i) || LLVMIsACatchSwitchInst(i) || LLVMIsACatchPadInst(i) || LLVMIsACleanupPadInst(i);
    return !LLVMIsAPHINode(i) && !is_pad && !LLVMIsAAllocaInst(i) && !follows_at_once;
}

/* 1 if a poll may stand before this instruction and all that is alive there can be read from roots again;
 * otherwise P->unknown is a value that cannot (NULL if the place itself is wrong). */
static int is_good(struct placing *p, LLVMValueRef before) {
    struct rootfacts *r = &p->facts;
    p->unknown = NULL;
    if (!may_stand_before(before))
        return 0;
    rootfacts_at(r, before);
    for (size_t i = 0; i < r->values && !p->unknown; i++) {
        const struct root_value *v = &r->value[i], *base = &r->value[v->base];
        if (rootfacts_is_live(r, i) && !(v->demotes && base->demotes && rootfacts_slot(r, v->base)))
            p->unknown = v->value;
    }
    return !p->unknown;
}

/* Warns that there is no poll of this kind at WHERE, as P->unknown is alive there and no root holds it. */
static void warn(struct placing *p, const char *kind, const char *where) {
    char text[512];
    const char *name = p->unknown ? value_name(p->unknown) : "";
    snprintf(
        text, sizeof text,
        "No %s poll %.200s: %s%.100s is alive there and may be an object's address, and no root holds it; store it "
        "into one first",
        kind, where,
        *name        ? "%"
        : p->unknown ? "a value without a name"
                     : "what a landing pad gives",
        name);
    diag_add(p->c, "warning", value_name(p->f), text);
}

/* Notes FIRST as the place of a poll, or the nearest place from there in the direction of STEP (previous or next
 * instruction), not past a call. 0 if none will do; P->unknown says why FIRST did not. */
static int take_root_poll(struct placing *p, LLVMValueRef first, LLVMValueRef step(LLVMValueRef)) {
    LLVMValueRef at = first;
    while (at && !is_good(p, at)) {
        LLVMValueRef crossed = step == LLVMGetNextInstruction ? at : LLVMGetPreviousInstruction(at);
        at = !crossed || is_real_call(crossed) ? NULL : step(at);
    }
    if (!at) {
        is_good(p, first);
        return 0;
    }
    size_t before = p->places.count;
    set_add(&p->places, at);
    if (p->places.count > before) /* no other poll is there */
        set_add_again(&p->reasons, (void *)p->reason);
    return 1;
}

/* Chooses the place of the entry poll: before the function's first call, where roots are marked and stored to, or
 * above it. Warns if there is none. */
static void place_entry(struct placing *p) {
    LLVMValueRef i = first_instruction(p->f);
    p->reason = "entry-poll";
    while (!is_real_call(i) && !LLVMIsATerminatorInst(i))
        i = LLVMGetNextInstruction(i);
    if (take_root_poll(p, i, LLVMGetPreviousInstruction))
        p->placed[0]++;
    else
        warn(p, "entry", "at the function's begin");
}

/* Chooses the place of a poll before END, if it is a return or a resume. Warns if there is none. */
static void place_return(struct placing *p, LLVMValueRef end) {
    LLVMValueRef before = LLVMGetPreviousInstruction(end);
    p->reason = "return-poll";
    if (!leaves_function(end))
        return;
    if (LLVMIsAReturnInst(end) && before && LLVMIsACallInst(before) && (is_musttail(before) || is_deoptimize(before)))
        remark(p->c, "root-polls", p->f, "no poll before a return that follows a musttail call or a deoptimization");
    else if (take_root_poll(p, end, LLVMGetPreviousInstruction))
        p->placed[2]++;
    else
        warn(p, "return", LLVMIsAReturnInst(end) ? "before a return" : "before a resume");
}

/* Chooses the places of the polls before and after CALL, as BITS ask. Warns of those that have none. */
static void place_around(struct placing *p, LLVMValueRef call, int bits) {
    char where[300];
    snprintf(where, sizeof where, "at the call of %.200s", callee_name(call));
    p->reason = "precall-poll";
    if (bits & SM_SP_PRECALL) {
        if (take_root_poll(p, call, LLVMGetPreviousInstruction))
            p->placed[3]++;
        else
            warn(p, "precall", where);
    }
    if (!(bits & SM_SP_POSTCALL) || is_musttail(call) || LLVMIsACallBrInst(call))
        return;
    LLVMValueRef next = LLVMIsAInvokeInst(call) ? past_pads(LLVMGetNormalDest(call)) : LLVMGetNextInstruction(call);
    if (LLVMIsAUnreachableInst(next))
        return;
    p->reason = "postcall-poll";
    if (take_root_poll(p, next, LLVMGetNextInstruction))
        p->placed[4]++;
    else
        warn(p, "postcall", where);
}

/* Chooses the place of a poll before END, which branches back to its loop's begin. Warns if there is none. */
static void place_backedge(struct placing *p, LLVMValueRef end) {
    p->reason = "backedge-poll";
    if (take_root_poll(p, end, LLVMGetPreviousInstruction))
        p->placed[1]++;
    else
        warn(p, "backedge", "at the end of a loop's turn");
}

/* Chooses the places of polls at all backedges. */
static void place_backedges(struct placing *p) {
    const struct graph *g = &p->facts.graph;
    char *marks = xcalloc(g->blocks + 1, 3), *latch = marks + g->blocks, *header = latch + g->blocks;
    graph_backedges(g, 0, marks, latch, header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->f); b; b = LLVMGetNextBasicBlock(b))
        if (latch[graph_number(g, b)])
            place_backedge(p, LLVMGetBasicBlockTerminator(b));
    free(marks);
}

/* Chooses the places of all kinds of polls that BITS ask for. */
static void find_places_root_poll(struct placing *p, int bits) {
    if (bits & SM_SP_ENTRY)
        place_entry(p);
    if (bits & SM_SP_BACKEDGE)
        place_backedges(p);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (bits & (SM_SP_PRECALL | SM_SP_POSTCALL) && is_real_call(i))
                place_around(p, i, bits);
        if (bits & SM_SP_RETURN)
            place_return(p, LLVMGetBasicBlockTerminator(b));
    }
}

/* ---- Polls ---------------------------------------------------------------------------------------------------- */

/* Makes the stack slot in which the value is kept, if it has none yet. */
static void give_memory(struct placing *p, struct root_value *v) {
    if (v->memory)
        return;
    LLVMPositionBuilderBefore(p->b, first_instruction(p->f));
    v->memory = LLVMBuildAlloca(p->b, LLVMTypeOf(v->value), "");
}

/* Builds a load of the value from its slot. */
static LLVMValueRef load_memory(struct placing *p, struct root_value *v) {
    return LLVMBuildLoad2(p->b, LLVMTypeOf(v->value), v->memory, "");
}

/* Builds how many bytes the value is from its base; before the poll, in which the base may move. */
static LLVMValueRef distance(struct placing *p, struct root_value *v) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(p->c->context);
    LLVMValueRef from = load_memory(p, &p->facts.value[v->base]);
    return LLVMBuildSub(p->b, LLVMBuildPtrToInt(p->b, load_memory(p, v), i64, ""),
                        LLVMBuildPtrToInt(p->b, from, i64, ""), "");
}

/* Builds, after the poll, what stores the base pointers alive there from their roots into their slots, and then
 * what is derived from them, by DISTANCES. */
static void read_again_root_poll(struct placing *p, LLVMValueRef *distances) {
    struct rootfacts *r = &p->facts;
    LLVMTypeRef byte = LLVMInt8TypeInContext(p->c->context);
    for (size_t i = 0; i < r->values; i++)
        if (rootfacts_is_live(r, i) && r->value[i].base == i)
            LLVMBuildStore(p->b, LLVMBuildLoad2(p->b, LLVMTypeOf(r->value[i].value), rootfacts_slot(r, i), ""),
                           r->value[i].memory);
    for (size_t i = 0; i < r->values; i++) {
        if (!rootfacts_is_live(r, i) || r->value[i].base == i)
            continue;
        LLVMValueRef base = load_memory(p, &r->value[r->value[i].base]);
        LLVMBuildStore(p->b, LLVMBuildGEP2(p->b, byte, base, &distances[i], 1, ""), r->value[i].memory);
    }
}

/* Builds a poll before this instruction: a call that will be inlined, and around it what reads all values alive
 * there from their roots again. */
static void insert_poll_root_poll(struct placing *p, LLVMValueRef before, const char *reason) {
    struct rootfacts *r = &p->facts;
    LLVMValueRef poll = LLVMGetNamedFunction(p->c->module, POLL);
    LLVMValueRef *distances = xcalloc(r->values + 1, sizeof(LLVMValueRef));
    rootfacts_at(r, before);
    for (size_t i = 0; i < r->values; i++)
        if (rootfacts_is_live(r, i))
            give_memory(p, &r->value[i]);
    LLVMPositionBuilderBefore(p->b, before);
    LLVMSetCurrentDebugLocation2(p->b, LLVMInstructionGetDebugLoc(before));
    for (size_t i = 0; i < r->values; i++)
        if (rootfacts_is_live(r, i) && r->value[i].base != i)
            distances[i] = distance(p, &r->value[i]);
    LLVMValueRef call = LLVMBuildCall2(p->b, LLVMGlobalGetValueType(poll), poll, NULL, 0, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(poll));
    set_call_attribute(p->c->context, call, REASON_ATTRIBUTE, reason);
    read_again_root_poll(p, distances);
    free(distances);
}

/* ---- Values that a poll may change ---------------------------------------------------------------------------- */

struct uses {
    LLVMValueRef *user; /* owned */
    size_t count;
};

/* Lists the users of V, each as often as it uses V, since uses change under way. U->user is *new*. */
static void root_poll_uses_of(LLVMValueRef v, struct uses *u) {
    u->count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        u->count++;
    u->user = xcalloc(u->count + 1, sizeof *u->user);
    size_t i = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        u->user[i++] = LLVMGetUser(use);
}

/* Replaces the value in the phi by loads from its slot, at the ends of the blocks it comes from. A block that
 * comes in several times gets one load, as a phi must have one value for it. */
static void read_in_phi(struct placing *p, struct root_value *v, LLVMValueRef phi) {
    unsigned n = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < n; i++) {
        if (LLVMGetOperand(phi, i) != v->value)
            continue;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMPositionBuilderBefore(p->b, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef read = load_memory(p, v);
        for (unsigned k = i; k < n; k++)
            if (LLVMGetIncomingBlock(phi, k) == from && LLVMGetOperand(phi, k) == v->value)
                LLVMSetOperand(phi, k, read);
    }
}

/* Replaces the value among the user's operands by a load from its slot right before the user. */
static void read_before(struct placing *p, struct root_value *v, LLVMValueRef user) {
    LLVMPositionBuilderBefore(p->b, user);
    LLVMValueRef read = NULL;
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == v->value) {
            read = read ? read : load_memory(p, v);
            LLVMSetOperand(user, (unsigned)i, read);
        }
}

/* The instruction before which V can be stored: the first after its definition that is no phi, landing pad or
 * alloca; for a parameter, in the entry block. */
static LLVMValueRef after_definition(struct placing *p, LLVMValueRef v) {
    LLVMValueRef i = LLVMIsAInstruction(v) ? LLVMGetNextInstruction(v) : first_instruction(p->f);
    while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i) || LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* Keeps the value in its slot from its definition on: stores it there, and makes all uses load it. LLVM's
 * optimiser makes values of that again. */
static void demote(struct placing *p, struct root_value *v) {
    struct uses u;
    LLVMSetCurrentDebugLocation2(p->b, NULL);
    root_poll_uses_of(v->value, &u);
    for (size_t i = 0; i < u.count; i++) {
        if (LLVMIsAPHINode(u.user[i]))
            read_in_phi(p, v, u.user[i]);
        else
            read_before(p, v, u.user[i]);
    }
    free(u.user);
    LLVMPositionBuilderBefore(p->b, after_definition(p, v->value));
    LLVMBuildStore(p->b, v->value, v->memory);
}

/* ---- The stage ------------------------------------------------------------------------------------------------ */

/* Remarks how many polls of each kind were placed. */
static void report_root_poll(const struct placing *p) {
    static const char *const kinds[] = {"entry", "backedge", "return", "precall", "postcall"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (p->placed[i])
            remark(p->c, "root-polls", p->f, "%zu %s-poll(s) placed", p->placed[i], kinds[i]);
}

/* Warns that F gets no polls, as HIDDEN may keep an object's address and is no root. */
static void warn_of_hidden(struct compile *c, LLVMValueRef f, LLVMValueRef hidden) {
    char text[512];
    const char *name = value_name(hidden);
    snprintf(text, sizeof text,
             "No polls: %s%.100s may keep an object's address, and is no root: mark the slot with llvm.gcroot, or "
             "keep the address in one that is marked",
             *name ? "%" : "a value without a name", name);
    diag_add(c, "warning", value_name(f), text);
}

/* Places the polls that BITS ask for in F, unless an object's address may be hidden in it. Warns of each that
 * cannot be placed. */
static sm_status place(struct compile *c, LLVMValueRef f, int bits) {
    LLVMValueRef hidden = rootmemory_hidden(f);
    if (hidden) {
        warn_of_hidden(c, f, hidden);
        return SM_OK;
    }
    struct placing p = {.c = c, .f = f, .b = LLVMCreateBuilderInContext(c->context)};
    sm_status s = rootfacts_of(c, f, &p.facts);
    if (s == SM_OK)
        find_places_root_poll(&p, bits);
    for (size_t i = 0; i < p.places.count; i++)
        insert_poll_root_poll(&p, p.places.item[i], p.reasons.item[i]);
    for (size_t i = 0; i < p.facts.values; i++)
        if (p.facts.value[i].memory)
            demote(&p, &p.facts.value[i]);
    report_root_poll(&p);
    set_free(&p.places);
    set_free(&p.reasons);
    rootfacts_free(&p.facts);
    LLVMDisposeBuilder(p.b);
    return s;
}

/* Inlines all polls, one kind after the other: the calls in each have its reason. */
static sm_status inline_polls(struct compile *c) {
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i < POLL_REASONS; i++) {
        int any = 0;
        for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
            if (strcmp(called_function(call), POLL) == 0 && call_has_reason(call, poll_reasons[i])) {
                set_call_enum_attribute(call, "alwaysinline");
                any = 1;
            }
        poll_mark(c, poll_reasons[i]);
        s = any ? inline_marked(c, NULL) : SM_OK;
    }
    return s;
}

/* Gathers the marked slots, and places polls in functions whose strategies have llvm.gcroot. */
sm_status root_polls_place(struct compile *c) {
    sm_status s = SM_OK;
    int any = 0;
    gcroots_gather(c);
    allocators_reach_slots(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s == SM_OK; f = LLVMGetNextFunction(f)) {
        int bits = function_root_polls(c, f);
        if (!bits)
            continue;
        if (!any++) {
            note_passes(c, "root-polls");
            s = poll_prepare(c, 1);
        }
        if (s == SM_OK)
            s = place(c, f, bits);
    }
    if (!any)
        return SM_OK;
    deviate(c, DEVIATION_OWN_POLLS);
    if (s == SM_OK)
        s = inline_polls(c);
    return s == SM_OK ? poll_finish(c) : s;
}
