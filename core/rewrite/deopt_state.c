/* deopt_state.c - references among deoptimisation values are where the collector updates them.
 *
 * LLVM's rewrite takes the pointers in a "deopt" bundle for the addresses of objects (findBasePointers): of one that
 * is derived it would say to the collector, at every safepoint, that it is its own base. So a derived one is hidden
 * from it: for the time of the rewrite the bundle has an integer in its place, what a call of a marker before the
 * safepoint gives, and the call's "gc-live" lists it, so that it is relocated with its base (gc_live_bundles.c). It is a
 * freeze of the pointer: a getelementptr the code generator would not record, but compute again after the call.
 *
 * Code generation spills one value into one place, so that the state and the collector's pair name the same one. A
 * pointer of a state that nothing relocates any more (relocations.c) it makes its own base, likewise. So the record
 * is what counts: each reference of a state is looked for among its pairs, a derived one with another base, and a tagged
 * one among its regions.
 */
#include "analysis.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"
#include "rewrite.h"
#include "steps.h"

#define DEOPT "deopt"

/* ---- Before the rewrite -------------------------------------------------------------------------------------- */

/* The function whose calls stand for derived pointers. */
static LLVMValueRef marker_state(struct compile *c) {
    LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(c->context), NULL, 0, 1);
    return declared_function(c->module, DEOPT_VALUE, type);
}

/* 1 if V is a reference, or a vector of them, that may be derived from another one. */
static int is_derived_reference(struct derivations *known, LLVMValueRef v) {
    return holds_reference(LLVMTypeOf(v)) && is_derived_among(known, v);
}

/* Builds before CALL what stands for V in its state. */
static LLVMValueRef state_stand_in(struct compile *c, LLVMValueRef call, LLVMValueRef v) {
    LLVMBuilderRef b = builder_at(call);
    LLVMValueRef frozen = LLVMBuildFreeze(b, v, "");
    LLVMDisposeBuilder(b);
    return leaf_call_before(call, marker_state(c), &frozen, 1);
}

/* Hides the derived pointers of CALL's state, if it will be a statepoint, and adds it to CALLS if it has some. */
static void hide(struct compile *c, struct derivations *known, LLVMValueRef call, struct set *calls) {
    struct set hidden = {0}, stand_ins = {0};
    if (!is_statepoint_gc(LLVMGetGC(function_of(call))) || is_statepoint(call) || !is_safepoint(c, call))
        return;
    struct operands state = call_operands(call, DEOPT);
    for (unsigned i = state.first; i < state.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (!is_derived_reference(known, v))
            continue;
        if (!set_has(&hidden, v)) {
            set_add(&hidden, v);
            set_add(&stand_ins, state_stand_in(c, call, v));
        }
        LLVMSetOperand(call, i, stand_ins.item[set_number(&hidden, v)]);
    }
    if (hidden.count)
        set_add(calls, call);
    set_free(&hidden);
    set_free(&stand_ins);
}

/* Has CALL, whose state has stand-ins, list what they stand for, to be relocated. */
static void list_hidden(struct compile *c, LLVMValueRef call) {
    LLVMValueRef f = marker_state(c);
    struct set listed = {0};
    struct operands state = call_operands(call, DEOPT);
    for (unsigned i = state.first; i < state.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (is_call(v) && LLVMGetCalledValue(v) == f)
            set_add(&listed, LLVMGetOperand(v, 0));
    }
    call_extend(c, call, "gc-live", (LLVMValueRef *)listed.item, (unsigned)listed.count);
    set_free(&listed);
    deviate(c, DEVIATION_DERIVED_STATE);
}

/* Hides the derived pointers of all states from LLVM's rewrite. Requires polls placed. What is known of values holds as
 * long as no call is replaced. */
sm_status deopt_state_hide(struct compile *c) {
    assert(c->form == FORM_POLLED);
    struct derivations known = {0};
    struct set calls = {0};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        hide(c, &known, call, &calls);
    derivations_free(&known);
    for (size_t i = 0; i < calls.count; i++)
        list_hidden(c, calls.item[i]);
    set_free(&calls);
    return SM_OK;
}

/* ---- After it ------------------------------------------------------------------------------------------------ */

/* Puts the pointer that the marker CREATED stands for in its place, in all states, and removes the marker. */
static void show_state(LLVMValueRef created) {
    LLVMValueRef v = LLVMGetOperand(created, 0);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(created)) != NULL;)
        LLVMSetOperand(LLVMGetUser(use), use_operand(use), v);
    LLVMInstructionEraseFromParent(created);
}

struct showing {
    struct compile *c;
    struct derivations known;
    struct set done; /* functions whose relocations are kept */
};

/* Has the derived pointers of a statepoint's state recorded, if it relocates them. */
static void record_listed(struct showing *s, LLVMValueRef call) {
    struct operands state = call_operands(call, DEOPT), list = call_operands(call, "gc-live");
    struct set listed = {0};
    for (unsigned i = state.first < state.end ? list.first : list.end; i < list.end; i++)
        set_add(&listed, LLVMGetOperand(call, i));
    for (unsigned i = state.first; i < state.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (!is_derived_reference(&s->known, v) || !set_has(&listed, v))
            continue;
        if (LLVMIsAGetElementPtrInst(v)) {
            value_freeze(v);
            deviate(s->c, DEVIATION_DERIVED_STATE);
        }
        relocations_keep(s->c, call, &s->done);
    }
    set_free(&listed);
}

/* Puts the derived pointers back into the states, and has those recorded that the module's own statepoints relocate.
 * Requires the rewritten module. */
sm_status deopt_state_show(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    LLVMValueRef f = LLVMGetNamedFunction(c->module, DEOPT_VALUE);
    if (f && has_deviated(c, DEVIATION_DERIVED_STATE)) {
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f)) != NULL;)
            show_state(LLVMGetUser(use));
        LLVMDeleteFunction(f);
    }
    struct showing s = {.c = c};
    for (LLVMValueRef call = first_module_call(c->module), next; call; call = next) {
        next = next_module_call(call);
        if (is_statepoint(call))
            record_listed(&s, call);
    }
    derivations_free(&s.known);
    set_free(&s.done);
    return SM_OK;
}

/* ---- What was recorded --------------------------------------------------------------------------------------- */

/* What a statepoint relocates, and the bases that the relocations say, with the same numbers. */
struct relocated {
    struct set values, bases; /* owned */
};

/* Adds what TOKEN's relocations say, of a statepoint that lists LIST: of one value, the first. */
static void add_relocated(struct relocated *r, LLVMValueRef token, LLVMValueRef statepoint, struct operands list) {
    enum { BASE = 1, DERIVED = 2 };
    for (LLVMUseRef use = LLVMGetFirstUse(token); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef relocate = LLVMGetUser(use);
        if (!is_relocate(relocate))
            continue;
        unsigned base = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(relocate, BASE));
        unsigned derived = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(relocate, DERIVED));
        LLVMValueRef v = LLVMGetOperand(statepoint, list.first + derived);
        if (set_has(&r->values, v))
            continue;
        set_add_again(&r->values, v);
        set_add_again(&r->bases, LLVMGetOperand(statepoint, list.first + base));
    }
}

/* Finds what the statepoint relocates. */
static void find_relocated(struct relocated *r, LLVMValueRef statepoint) {
    struct operands list = call_operands(statepoint, "gc-live");
    LLVMValueRef pad = LLVMIsAInvokeInst(statepoint) ? past_phis(LLVMGetUnwindDest(statepoint)) : NULL;
    if (list.end)
        add_relocated(r, statepoint, statepoint, list);
    if (list.end && pad)
        add_relocated(r, pad, statepoint, list);
}

/* What V, of a state whose statepoint relocates R, is: 'd' for a derived reference, 'r' for another one, '-' for what is
 * none, or never becomes old. It is derived if it has another base than itself: as the relocations say, and as may be: a
 * freeze of an object's address has not. */
static char state_kind_of(struct compile *c, struct derivations *known, const struct relocated *r, LLVMValueRef v) {
    if (LLVMIsConstant(v) || !holds_reference(LLVMTypeOf(v)))
        return '-';
    size_t i = set_number(&r->values, v);
    int is_base = i < r->values.count && r->bases.item[i] == v;
    return !is_base && c->options->bases != SM_BASES_NONE && is_derived_among(known, v) ? 'd' : 'r';
}

/* Of the statepoint's state: a character for each value up to the last reference in it (state_kind_of), 'w' for a
 * tagged one, whose slot stands there (value_slots.c). *New*; NULL if there are no references. */
char *deopt_state_text(struct compile *c, struct derivations *known, LLVMValueRef statepoint) {
    struct operands state = call_operands(statepoint, DEOPT);
    unsigned n = state.end - state.first, words = 0;
    LLVMAttributeRef a = n ? call_attribute(statepoint, WORDS_ATTRIBUTE) : NULL;
    const char *word = a ? LLVMGetStringAttributeValue(a, &words) : "";
    char *text = xmalloc(n + 1);
    struct relocated relocated = {{0}, {0}};
    size_t needed = 0;
    if (n)
        find_relocated(&relocated, statepoint);
    for (unsigned i = 0; i < n; i++) {
        text[i] = i < words && word[i] == 'w'
                      ? 'w'
                      : state_kind_of(c, known, &relocated, LLVMGetOperand(statepoint, state.first + i));
        needed = text[i] != '-' ? i + 1 : needed;
    }
    text[needed] = 0;
    set_free(&relocated.values);
    set_free(&relocated.bases);
    if (!needed) {
        free(text);
        return NULL;
    }
    return text;
}

/* 1 if both are the same register or place in the frame, B OFFSET bytes further on. */
static int is_place(const sm_location *a, const sm_location *b, int32_t offset) {
    return a->kind == b->kind && a->dwarf == b->dwarf &&
           (a->kind != SM_LOCATION_INDIRECT || a->offset == b->offset + offset);
}

/* 1 if a pair has its derived pointer at L, OFFSET bytes on; with DERIVED, and its base elsewhere. */
static int is_updated(const sm_statepoint *s, const sm_location *l, int32_t offset, int derived) {
    for (uint32_t i = 0; i < s->roots; i++)
        if (is_place(&s->root[i].derived, l, offset) && (!derived || !is_place(&s->root[i].base, l, offset)))
            return 1;
    return 0;
}

/* 1 if the collector updates all pointers of 8 bytes at L, or L is a constant. */
static int all_updated(const sm_statepoint *s, const sm_location *l, int derived) {
    if (l->kind == SM_LOCATION_CONSTANT)
        return 1;
    if (l->kind != SM_LOCATION_INDIRECT)
        return l->kind == SM_LOCATION_REGISTER && is_updated(s, l, 0, derived);
    int32_t offset = 0;
    while (offset < l->size && is_updated(s, l, offset, derived))
        offset += 8;
    return offset >= l->size && l->size;
}

/* 1 if L is a word that is a region of the safepoint, which the collector updates. */
static int is_region_word(const sm_stackmap *m, const sm_statepoint *s, const sm_location *l) {
    for (uint32_t i = 0; l->kind == SM_LOCATION_INDIRECT && i < s->regions; i++) {
        const sm_location *r = &m->location[s->region + i];
        if (r->dwarf == l->dwarf && r->offset == l->offset)
            return 1;
    }
    return 0;
}

/* 1 if the collector updates the value at L, of a KIND that is a reference. */
static int is_up_to_date(const sm_stackmap *m, const sm_statepoint *s, const sm_location *l, char kind) {
    return kind == 'w' ? is_region_word(m, s, l) : all_updated(s, l, kind == 'd');
}

/* Refuses a state that begins with the mark of a frame (deoptstate.h), and is not of the form that follows from that. */
static sm_status check_frames(struct compile *c, const char *name, const sm_statepoint *s, const struct site *site) {
    sm_state state = sm_statepoint_state(&c->object.map, s);
    sm_state_cursor cursor = {0};
    sm_state_item item = {0};
    char message[600];
    if (!sm_state_has_frames(&state))
        return SM_OK;
    sm_status status;
    do
        status = sm_state_next(&state, &cursor, &item);
    while (status == SM_OK && item.kind);
    if (status == SM_OK)
        return SM_OK;
    snprintf(
        message, sizeof message,
        "The deoptimisation state of the call of %.200s has %u values, and is not what its frames say from value "
        "%u on (the first is 0): a frame has another number of values, an object not all its fields, or more than "
        "64 around it, a method, bytecode or type is no constant, or an object is named that has not begun",
        site->callee ? site->callee : "a function", s->deopts, item.at);
    diag_add(c, "error", name, message);
    return SM_INVALID_MODULE;
}

/* Refuses the record if a reference in its state is where no pair of it is. NAME: its function's, or NULL. */
static sm_status check_record(struct compile *c, const char *name, const sm_record *r) {
    const struct site *site = &c->site[r->site];
    const sm_stackmap *m = &c->object.map;
    sm_statepoint s;
    char message[600];
    if (r->kind != SM_RECORD_STATEPOINT || r->site >= c->sites)
        return SM_OK;
    sm_status status = xstatus(sm_statepoint_split(m, r, &s));
    if (status != SM_OK)
        return fail(c, SM_INTERNAL, NULL, "A statepoint's record cannot be read");
    status = check_frames(c, name, &s, site);
    for (uint32_t i = 0; status == SM_OK && site->state && site->state[i]; i++) {
        if (site->state[i] == '-' ||
            (i < s.deopts && is_up_to_date(m, &s, &m->location[s.deopt + i], site->state[i])))
            continue;
        snprintf(message, sizeof message,
                 "Deoptimisation value %u of the call of %.200s is a %s, and was not recorded as one that the "
                 "collector updates: give the object and the distance, or list both in the statepoint's \"gc-live\" "
                 "and relocate them",
                 i + 1, site->callee ? site->callee : "a function",
                 site->state[i] == 'd' ? "pointer derived from another one" : "reference");
        diag_add(c, "error", name, message);
        status = SM_CANNOT_REWRITE;
    }
    sm_statepoint_free(&s);
    return status;
}

/* Checks that each reference among the deoptimisation values of the object's records is where the collector updates
 * one. Requires the object's map, with the sites of its records. */
sm_status deopt_state_check(struct compile *c) {
    const sm_stackmap *m = &c->object.map;
    for (uint32_t f = 0; f < m->functions; f++)
        for (uint32_t i = m->function[f].record; i < m->function[f].record + m->function[f].records; i++) {
            sm_status s = check_record(c, m->function[f].name, &m->record[i]);
            if (s != SM_OK)
                return s;
        }
    return SM_OK;
}
