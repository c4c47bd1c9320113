/* region_facts.c - what a record says of the stack slots in its list: proto/stackmap/facts.h, as deoptimisation values of the
 * statepoint.
 *
 * Constants there cost no code, LLVM records them in the order in which they stand, whatever it does with the call,
 * and a module that is printed has them. Slots are recorded in the order in which they stand in the list.
 */
#include "deviations.h"
#include "ir.h"
#include "reference_layout.h"

/* What is noted of the stack slot, added if it is not there; *borrowed* until the next one is added. */
struct region *region_note(struct compile *c, LLVMValueRef slot) {
    struct region *there = region_find(c, slot);
    if (there)
        return there;
    c->slots.region = xgrow(c->slots.region, c->slots.regions, &c->slots.room, sizeof *c->slots.region);
    set_add_again(&c->slots.known, slot);
    c->slots.region[c->slots.regions] = (struct region){.slot = slot};
    return &c->slots.region[c->slots.regions++];
}

/* Forgets all that is noted of stack slots and types. */
void regions_forget(struct compile *c) {
    for (size_t i = 0; i < c->slots.regions; i++)
        layout_free(&c->slots.region[i].layout);
    set_free(&c->slots.known);
    set_free(&c->typed_slots);
    set_free(&c->casts);
    c->slots.known = c->typed_slots = c->casts = (struct set){0};
    free(c->slots.type);
    c->slots.type = NULL;
    c->slots.types = 0;
    free(c->slots.region);
    c->slots.region = NULL;
    c->slots.regions = c->slots.room = 0;
}

/* The size of a stack slot of a constant count of elements. */
static uint64_t bytes_of(const struct compile *c, LLVMValueRef slot) {
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), LLVMGetAllocatedType(slot)) *
           LLVMConstIntGetZExtValue(LLVMGetOperand(slot, 0));
}

/* Notes where the references are in the stack slot, by its type; of a ROOT, all pointers, and how large it is if it is
 * more than one. A slot without any has unknown contents. Refuses one with more than a record can say. */
sm_status region_note_layout(struct compile *c, LLVMValueRef f, LLVMValueRef slot, int root) {
    if (region_find(c, slot))
        return SM_OK;
    struct region *r = region_note(c, slot);
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    uint64_t n = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : UINT64_MAX;
    r->layout.any_space = root;
    if (n <= INT32_MAX)
        layout_add_type(c, &r->layout, LLVMArrayType2(LLVMGetAllocatedType(slot), n), 0);
    else
        r->layout.too_complex = 1;
    int known = r->layout.runs > 0,
        whole = LLVMGetTypeKind(LLVMGetAllocatedType(slot)) != LLVMPointerTypeKind || n > 1;
    if (!r->layout.too_complex && (!known || (root && whole))) {
        r->bits |= known ? SM_FACT_BYTES : SM_FACT_UNKNOWN;
        r->bytes = bytes_of(c, slot);
    }
    return r->layout.too_complex ? fail(c, SM_CANNOT_REWRITE, f,
                                        "There are more references in the stack slot %%%.200s than a record can tell "
                                        "of, or they are so in disorder: keep them in an object",
                                        value_name(slot))
                                 : SM_OK;
}

/* ---- Words --------------------------------------------------------------------------------------------------- */

struct words {
    struct compile *c;
    LLVMValueRef *word; /* owned */
    size_t words, room;
};

/* Appends a word. */
static void put(struct words *w, uint64_t v) {
    w->word = xgrow(w->word, w->words, &w->room, sizeof *w->word);
    w->word[w->words++] = LLVMConstInt(LLVMInt64TypeInContext(w->c->context), v, 0);
}

/* 1 if all runs are of adjacent uncompressed references of address space 1, so that a record need not give stride,
 * space and width. */
static int is_short(const struct layout *l) {
    for (size_t i = 0; i < l->runs; i++)
        if (l->run[i].space != 1 || l->run[i].width != 8 || (l->run[i].count > 1 && l->run[i].stride != 8))
            return 0;
    return 1;
}

/* 1 if the region is one uncompressed reference at its begin, which a record need not describe. */
static int is_fact_plain(const struct region *r) {
    const struct layout *l = &r->layout;
    return l->runs == 1 && is_short(l) && l->run[0].count == 1 && l->run[0].offset == 0;
}

/* Appends the words that describe the region. */
static void put_region(struct words *w, const struct region *r) {
    const struct layout *l = &r->layout;
    unsigned bits = r->bits;
    uint64_t runs = bits & SM_FACT_UNKNOWN || is_fact_plain(r) ? 0 : l->runs;
    if (runs && !is_short(l))
        bits |= SM_FACT_LONG;
    put(w, bits | (bits & SM_FACT_UNKNOWN ? r->bytes : runs) << SM_FACT_FIELDS_SHIFT);
    if (bits & SM_FACT_TYPE)
        put(w, r->type);
    if (bits & SM_FACT_MASK)
        put(w, r->tag_mask);
    if (bits & SM_FACT_BYTES)
        put(w, r->bytes);
    for (size_t i = 0; i < runs; i++) {
        const sm_reference_run *run = &l->run[i];
        put(w, run->offset | (uint64_t)run->count << 32);
        if (bits & SM_FACT_LONG)
            put(w, run->stride | (uint64_t)run->space << SM_FIELD_SPACE_SHIFT |
                       (uint64_t)run->width << SM_FIELD_WIDTH_SHIFT);
    }
}

/* Of slots of which nothing is noted, in a list with others; and where others have words that a module was posted
 * with, which say nothing of one that is one reference. */
static const struct region unknown = {.bits = SM_FACT_UNKNOWN}, plain = {0};

/* ---- Words that a statepoint of the input has ------------------------------------------------------------------- */

/* What smd has written into a module of its own that is posted again, changed. */
struct given {
    uint64_t *word; /* owned; NULL: there are none */
    unsigned words;
};

static uint64_t given_word(const void *from, uint32_t i) {
    return ((const uint64_t *)from)[i];
}

/* The words at the end of the state of CALL, which has SLOTS in its list. */
static struct given words_given(LLVMValueRef call, unsigned slots) {
    struct given g = {0};
    struct operands state = call_operands(call, "deopt");
    unsigned n = state.end - state.first, first = state.first;
    LLVMValueRef mark = n ? LLVMGetOperand(call, first + n - 1) : NULL;
    uint64_t value = mark && LLVMIsAConstantInt(mark) ? LLVMConstIntGetZExtValue(mark) : 0;
    if ((value & ~(uint64_t)SM_FACTS_COUNT_MASK) != SM_FACTS_MARK || (value & SM_FACTS_COUNT_MASK) >= n)
        return g;
    g.words = (unsigned)(value & SM_FACTS_COUNT_MASK);
    g.word = xcalloc(g.words + 1, sizeof *g.word);
    int are_words = 1;
    for (unsigned i = 0; i < g.words && are_words; i++) {
        LLVMValueRef v = LLVMGetOperand(call, first + n - 1 - g.words + i);
        are_words = LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
        g.word[i] = are_words ? LLVMConstIntGetZExtValue(v) : 0;
    }
    sm_facts facts = {g.word, given_word, g.words};
    if (!are_words || sm_facts_check(&facts, slots) != SM_OK) {
        free(g.word);
        g = (struct given){0};
    }
    return g;
}

/* Takes the words from the end of CALL's state; gives the call that takes its place. */
static LLVMValueRef without_words(struct compile *c, LLVMValueRef call, const struct given *g) {
    struct operands all = call_operands(call, "deopt");
    unsigned kept = all.end - all.first - g->words - 1;
    LLVMValueRef *state = xcalloc(kept + 1, sizeof *state);
    for (unsigned i = 0; i < kept; i++)
        state[i] = LLVMGetOperand(call, all.first + i);
    call = call_rebuild(call, LLVMGetCalledFunctionType(call), "deopt");
    if (kept)
        call = call_extend(c, call, "deopt", state, kept);
    free(state);
    return call;
}

/* Appends those of them that describe the next slot, whose first is number *AT. 0 if it has none: it is one reference,
 * or not in the list that they were made for. */
static int put_given(struct words *w, const struct given *g, uint32_t *at) {
    sm_facts facts = {g->word, given_word, g->words};
    sm_region_facts region;
    uint32_t from = *at;
    if (from >= g->words || sm_facts_next(&facts, at, &region) != SM_OK)
        return 0;
    for (; from < *at; from++)
        put(w, g->word[from]);
    return 1;
}

/* ---- A list ------------------------------------------------------------------------------------------------------ */

/* Appends the words for each slot in the list, those GIVEN first, but for plain ones at the end, which are the
 * default. *ANY: whether anything is noted of one of them. */
static void put_list(struct words *w, LLVMValueRef call, const struct given *g, int *any) {
    struct operands list = call_operands(call, "gc-live");
    const struct region *otherwise = g->word ? &plain : &unknown;
    size_t needed = 0;
    uint32_t at = 0;
    for (unsigned i = list.first; i < list.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        const struct region *r = LLVMIsAAllocaInst(v) ? region_find(w->c, v) : NULL;
        if (!LLVMIsAAllocaInst(v))
            continue;
        *any |= r != NULL;
        int given = put_given(w, g, &at);
        r = r ? r : otherwise;
        if (!given)
            put_region(w, r);
        if (given || r->bits || (r != &plain && !is_fact_plain(r)))
            needed = w->words;
    }
    w->words = needed;
}

static unsigned count_slots(LLVMValueRef call) {
    struct operands list = call_operands(call, "gc-live");
    unsigned slots = 0;
    for (unsigned i = list.first; i < list.end; i++)
        slots += LLVMIsAAllocaInst(LLVMGetOperand(call, i)) != NULL;
    return slots;
}

/* Adds to a safepoint's deopt values the facts about the slots in its list, if any are noted. Adds an error if
 * they are too many. */
static void report_fact(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    struct words w = {.c = c};
    struct given given = {0};
    int any = 0;
    if (!is_safepoint(c, call))
        return;
    given = words_given(call, count_slots(call));
    put_list(&w, call, &given, &any);
    if (any && w.words > SM_FACTS_COUNT_MASK)
        fail(c, SM_CANNOT_REWRITE, f,
             "The stack slots that are alive at the call of %.200s have more references than a record can tell of",
             safepoint_name(call));
    else if (any) {
        deviate(c, DEVIATION_RECORDS_FACTS);
        put(&w, SM_FACTS_MARK | w.words);
        if (given.word)
            call = without_words(c, call, &given);
        call_extend(c, call, "deopt", w.word, (unsigned)w.words);
    }
    free(given.word);
    free(w.word);
}

/* Adds to all safepoints what is noted of their stack slots. SM_CANNOT_REWRITE if there are errors. */
sm_status regions_report(struct compile *c) {
    for (LLVMValueRef call = c->slots.regions ? first_module_call(c->module) : NULL, next; call; call = next) {
        next = next_module_call(call);
        report_fact(c, function_of(call), call);
    }
    if (c->errors)
        return SM_CANNOT_REWRITE;
    types_emit(c);
    return SM_OK;
}
