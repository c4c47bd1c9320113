/* root_facts.c - see root_facts.h.
 *
 * Two analyses over the function's blocks, with a bit for each value and each fact: a value is alive where it is used
 * later (backwards, joined by "or"); a fact holds where it does on all paths (forwards, joined by "and"). Pointers
 * have no types: what is no address of a stack slot, and no constant, may be that of an object. */
#include "root_facts.h"
#include "cfg.h"
#include "ir.h"

#define WORDS(bits) (((bits) + 63) / 64)
#define BYTES_MAX   ((size_t)256 << 20) /* of each analysis */

static void set_bit(uint64_t *words, size_t i) {
    words[i / 64] |= (uint64_t)1 << i % 64;
}

static void clear_bit(uint64_t *words, size_t i) {
    words[i / 64] &= ~((uint64_t)1 << i % 64);
}

static int has_bit(const uint64_t *words, size_t i) {
    return (int)(words[i / 64] >> i % 64 & 1);
}

/* ---- Values --------------------------------------------------------------------------------------------------- */

/* The pointer that V is derived from by one getelementptr or cast of the same type; NULL if V is no such
 * instruction. */
static LLVMValueRef source_of(LLVMValueRef v) {
    int steps = (flow_at(v, 0) & FLOW_STEPS) != 0;
    int is_one = steps && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
                 LLVMTypeOf(LLVMGetOperand(v, 0)) == LLVMTypeOf(v);
    return is_one ? LLVMGetOperand(v, 0) : NULL;
}

/* The pointer that V is derived from, through all steps that source_of knows; V itself if there are none. Bounded,
 * as in unreachable blocks a value may be its own operand. */
static LLVMValueRef root_fact_base_of(LLVMValueRef v) {
    enum { STEPS = 1000 };
    LLVMValueRef from;
    for (int i = 0; i < STEPS && (from = source_of(v)) != NULL; i++)
        v = from;
    return v;
}

/* 1 if V is certainly no object's address: a stack slot, a constant, an exception, or what an intrinsic gives of
 * the stack or thread. */
static int is_of_the_frame(LLVMValueRef v) {
    static const char names[] = "llvm.stacksave,llvm.frameaddress,llvm.returnaddress,llvm.addressofreturnaddress,"
                                "llvm.threadlocal.addr,llvm.sponentry";
    if (LLVMIsAExtractValueInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAAllocaInst(v) || LLVMIsALandingPadInst(v) || LLVMIsAConstant(v) ||
           list_begins(names, called_function(v));
}

/* 1 if V may hold an object's address, as a pointer or cast to an integer: all that is not derived from a stack
 * slot or constant. */
static int rootfacts_may_be_object(LLVMValueRef v) {
    int is_number = LLVMIsAPtrToIntInst(v) != NULL;
    if (is_number)
        v = LLVMGetOperand(v, 0);
    return (is_number || holds_pointer(LLVMTypeOf(v))) && !is_of_the_frame(root_fact_base_of(v));
}

/* The index of V among the values; R->values if it is none of them. Requires all values added. */
static size_t number_of(const struct rootfacts *r, LLVMValueRef v) {
    return set_number(&r->numbers, v);
}

/* 1 if V can be kept in a stack slot from its definition on: it is a pointer, and no terminator's result, which is
 * there only on an edge. */
static int demotes(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && !LLVMIsATerminatorInst(v);
}

/* Appends V to the values if it may be an object's address. Requires room. */
static void add_value(struct rootfacts *r, LLVMValueRef v) {
    if (!rootfacts_may_be_object(v))
        return;
    r->value[r->values++] = (struct root_value){.value = v, .demotes = demotes(v)};
    set_add(&r->numbers, v);
}

/* Lists the parameters and instructions of F that may be objects' addresses, each with its base; makes
 * room for as many facts. */
static void find_values(struct rootfacts *r, LLVMValueRef f) {
    size_t count = LLVMCountParams(f);
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        count++;
    r->value = xcalloc(count + 1, sizeof *r->value);
    r->fact = xcalloc(count + 1, sizeof *r->fact);
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        add_value(r, LLVMGetParam(f, i));
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        add_value(r, i);
    for (size_t i = 0; i < r->values; i++) {
        size_t base = number_of(r, root_fact_base_of(r->value[i].value));
        r->value[i].base = base < r->values ? base : i;
    }
}

/* ---- Facts ---------------------------------------------------------------------------------------------------- */

/* 1 if USER is the llvm.gcroot that makes SLOT a root. */
static int is_root_fact_mark(LLVMValueRef user, LLVMValueRef slot) {
    return is_gcroot(user) && LLVMGetOperand(user, 0) == slot && LLVMGetOperand(user, 1) != slot;
}

/* 1 if USER loads from SLOT or stores to it, and does not store the slot's own address. */
static int is_root_fact_access(LLVMValueRef user, LLVMValueRef slot) {
    if (LLVMIsAStoreInst(user))
        return LLVMGetOperand(user, 1) == slot && LLVMGetOperand(user, 0) != slot;
    return LLVMIsALoadInst(user) != NULL;
}

/* 1 if SLOT is a root of one pointer whose address has not escaped: only loads, stores and llvm.gcroot use it. */
static int is_closed_root(LLVMValueRef slot) {
    int marked = 0;
    if (!LLVMIsAAllocaInst(slot) || LLVMGetTypeKind(LLVMGetAllocatedType(slot)) != LLVMPointerTypeKind)
        return 0;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        int mark = is_root_fact_mark(user, slot);
        marked |= mark;
        if (!mark && !is_root_fact_access(user, slot) && !is_lifetime_mark(user))
            return 0;
    }
    return marked;
}

/* The root that I loads from or stores to; NULL if it is none, or one whose address has escaped. SLOTS has those that
 * were looked at, and CLOSED, of these, the roots. */
static LLVMValueRef root_fact_slot_of(LLVMValueRef i, struct set *slots, struct set *closed) {
    LLVMValueRef slot = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
    if (!slot || !LLVMIsAAllocaInst(slot))
        return NULL;
    if (!set_has(slots, slot) && is_closed_root(slot))
        set_add(closed, slot);
    set_add(slots, slot);
    return set_has(closed, slot) ? slot : NULL;
}

/* Lists the facts "after this load or store the root holds that value". A store of a constant is
 * one too, since it ends the other facts of its root. */
static void find_facts(struct rootfacts *r, LLVMValueRef f) {
    struct set slots = {0}, closed = {0};
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i)) {
        LLVMValueRef slot = root_fact_slot_of(i, &slots, &closed);
        if (!slot)
            continue;
        r->fact[r->facts++] =
            (struct root_fact){i, slot, number_of(r, LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0)), 0};
        set_add(&r->places, i);
    }
    set_free(&slots);
    set_free(&closed);
}

/* Links all facts of each root in a ring by NEXT, as a store ends all others of its root. */
static void make_rings(struct rootfacts *r) {
    struct set slots = {0};
    size_t *last = xcalloc(r->facts + 1, sizeof *last); /* of each slot, its last fact so far */
    for (size_t k = 0; k < r->facts; k++) {
        size_t n = set_number(&slots, r->fact[k].slot), before = n < slots.count ? last[n] : k;
        set_add(&slots, r->fact[k].slot);
        r->fact[k].next = before != k ? r->fact[before].next : k;
        r->fact[before].next = k;
        last[n] = k;
    }
    set_free(&slots);
    free(last);
}

/* Changes KNOWN, the facts that hold before I, to those that hold after it. */
static void pass_forwards(const struct rootfacts *r, LLVMValueRef i, uint64_t *known) {
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return;
    size_t n = set_number(&r->places, i);
    if (n == r->facts)
        return;
    for (size_t k = r->fact[n].next; LLVMIsAStoreInst(i) && k != n; k = r->fact[k].next)
        clear_bit(known, k);
    set_bit(known, n);
}

/* Puts into R->known the facts that hold at the block's begin: those that hold at the end of all its predecessors;
 * none at the entry. */
static void meet_root_fact(struct rootfacts *r, size_t block) {
    const struct graph *g = &r->graph;
    size_t n = WORDS(r->facts);
    memset(r->known, block == g->entry ? 0 : 0xff, n * 8);
    for (size_t k = g->first_before[block]; k < g->first_before[block + 1]; k++) {
        uint64_t *from = r->known_in + g->before[k] * n;
        memcpy(r->uses, from, n * 8);
        for (LLVMValueRef i = LLVMGetFirstInstruction(g->block[g->before[k]]); i; i = LLVMGetNextInstruction(i))
            pass_forwards(r, i, r->uses);
        for (size_t w = 0; w < n; w++)
            r->known[w] &= r->uses[w];
    }
}

/* Finds the facts that hold at each block's begin, repeating until nothing changes. */
static void solve_facts(struct rootfacts *r) {
    size_t n = WORDS(r->facts);
    memset(r->known_in, 0xff, r->graph.blocks * n * 8);
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t b = 0; b < r->graph.blocks; b++) {
            meet_root_fact(r, b);
            changed |= memcmp(r->known, r->known_in + b * n, n * 8) != 0;
            memcpy(r->known_in + b * n, r->known, n * 8);
        }
    }
}

/* ---- Liveness ------------------------------------------------------------------------------------------------- */

/* Adds V to LIVE, and its base: what is derived from a value needs that to be derived again. */
static void use(const struct rootfacts *r, LLVMValueRef v, uint64_t *live) {
    size_t n = number_of(r, v);
    if (n == r->values)
        return;
    set_bit(live, n);
    set_bit(live, r->value[n].base);
}

/* Changes LIVE, the values alive after I, to those alive before it. Operands of a phi count at the ends of its
 * predecessors instead. */
static void pass_backwards(const struct rootfacts *r, LLVMValueRef i, uint64_t *live) {
    size_t n = number_of(r, i);
    if (n < r->values)
        clear_bit(live, n);
    for (int k = 0; !LLVMIsAPHINode(i) && k < LLVMGetNumOperands(i); k++)
        use(r, LLVMGetOperand(i, (unsigned)k), live);
}

/* Changes LIVE, the values alive at the block's end, to those alive at its begin. */
static void pass_block_root_fact(const struct rootfacts *r, LLVMBasicBlockRef b, uint64_t *live) {
    for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i))
        pass_backwards(r, i, live);
}

/* Adds to LIVE the values that the phis of TO take from FROM. */
static void use_in_phis(const struct rootfacts *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to, uint64_t *live) {
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
            if (LLVMGetIncomingBlock(phi, k) == from)
                use(r, LLVMGetIncomingValue(phi, k), live);
}

/* Adds R->live, what is alive at the begin of TO, and what its phis take, to what is alive at the end of block
 * number BEFORE. 1 if that is more than was known. */
static int add_live(struct rootfacts *r, size_t before, LLVMBasicBlockRef to) {
    uint64_t *out = r->live_out + before * WORDS(r->values), was = 0, is = 0;
    memcpy(r->uses, r->live, WORDS(r->values) * 8);
    use_in_phis(r, r->graph.block[before], to, r->uses);
    for (size_t w = 0; w < WORDS(r->values); w++) {
        was = out[w];
        out[w] |= r->uses[w];
        is |= out[w] ^ was;
    }
    return is != 0;
}

/* Finds the values alive at each block's end, repeating until nothing changes. */
static void solve_live(struct rootfacts *r) {
    const struct graph *g = &r->graph;
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t b = g->blocks; b-- > 0;) {
            memcpy(r->live, r->live_out + b * WORDS(r->values), WORDS(r->values) * 8);
            pass_block_root_fact(r, g->block[b], r->live);
            for (size_t k = g->first_before[b]; k < g->first_before[b + 1]; k++)
                changed |= add_live(r, g->before[k], g->block[b]);
        }
    }
}

/* ---- The answers ---------------------------------------------------------------------------------------------- */

/* Allocates the bit sets of both analyses. Fails with SM_CANNOT_REWRITE if they would be too large. */
static sm_status make_room_root_fact(struct compile *c, LLVMValueRef f, struct rootfacts *r) {
    size_t live = WORDS(r->values) * 8, known = WORDS(r->facts) * 8, most = live > known ? live : known;
    if (most > BYTES_MAX / (r->graph.blocks + 1))
        return fail(c, SM_CANNOT_REWRITE, f,
                    "The function is too large for polls: %zu blocks, %zu pointers and %zu accesses of roots",
                    r->graph.blocks, r->values, r->facts);
    r->live_out = xcalloc(r->graph.blocks + 1, live + 8);
    r->known_in = xcalloc(r->graph.blocks + 1, known + 8);
    r->live = xcalloc(1, live + 8);
    r->known = xcalloc(1, known + 8);
    r->uses = xcalloc(1, most + 8);
    return SM_OK;
}

/* Analyses F: which values may be objects' addresses, where they are alive, and which roots hold them.
 * rootfacts_free in any case. */
sm_status rootfacts_of(struct compile *c, LLVMValueRef f, struct rootfacts *r) {
    memset(r, 0, sizeof *r);
    graph_make(&r->graph, f);
    find_values(r, f);
    find_facts(r, f);
    make_rings(r);
    sm_status s = make_room_root_fact(c, f, r);
    if (s != SM_OK)
        return s;
    solve_facts(r);
    solve_live(r);
    return SM_OK;
}

void rootfacts_free(struct rootfacts *r) {
    graph_free(&r->graph);
    free(r->value);
    free(r->fact);
    set_free(&r->numbers);
    set_free(&r->places);
    free(r->live_out);
    free(r->known_in);
    free(r->live);
    free(r->known);
    free(r->uses);
}

/* Sets R->live and R->known to what is alive and what holds right before the instruction BEFORE. */
void rootfacts_at(struct rootfacts *r, LLVMValueRef before) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(before);
    size_t n = graph_number(&r->graph, b);
    memcpy(r->live, r->live_out + n * WORDS(r->values), WORDS(r->values) * 8);
    memcpy(r->known, r->known_in + n * WORDS(r->facts), WORDS(r->facts) * 8);
    for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
        pass_backwards(r, i, r->live);
        if (i == before)
            break;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != before; i = LLVMGetNextInstruction(i))
        pass_forwards(r, i, r->known);
}

/* 1 if the value is alive at the place of the last rootfacts_at. */
int rootfacts_is_live(const struct rootfacts *r, size_t value) {
    return has_bit(r->live, value);
}

/* A root that holds the value at the place of the last rootfacts_at; NULL if none does. */
LLVMValueRef rootfacts_slot(const struct rootfacts *r, size_t value) {
    for (size_t k = 0; k < r->facts; k++)
        if (r->fact[k].value == value && has_bit(r->known, k))
            return r->fact[k].slot;
    return NULL;
}

/* ---- Memory and integers that no root reports ------------------------------------------------------------------ */

/* Of a function with llvm.gcroot: what may keep an object's address where root_facts.c does not look,
 * in a stack slot that is no root or in an integer. A frontend knows its own calls, and keeps nothing there across
 * one; of a poll it knows nothing. So a function with such a thing has none. Without regard to when it is alive: what
 * is stored once may be read anywhere. */

/* The pointer that V is derived from by steps and casts. */
static LLVMValueRef root_memory_origin_of(LLVMValueRef v) {
    return stepped_from(v, FLOW_STEPS);
}

/* 1 if USER neither lets the slot's address escape nor writes to the slot except by a store, which is looked at by
 * itself. */
static int is_harmless(LLVMValueRef user, LLVMValueRef address) {
    return list_begins("llvm.lifetime.,llvm.dbg.,llvm.gcroot,llvm.memset.,llvm.invariant.", called_function(user)) ||
           LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) ||
           (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address);
}

/* 1 if the slot's address has escaped to where something else may write through it. */
static int is_known_elsewhere(LLVMValueRef slot) {
    struct set addresses = {0};
    int known = 0;
    set_add(&addresses, slot);
    for (size_t i = 0; i < addresses.count && !known; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(addresses.item[i]); u && !known; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (flow_of(user, addresses.item[i]) & FLOW_STEPS)
                set_add(&addresses, user);
            else
                known = !is_harmless(user, addresses.item[i]);
        }
    set_free(&addresses);
    return known;
}

/* 1 if the number is used for more than being compared. */
static int is_counted_with(LLVMValueRef number) {
    for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAICmpInst(LLVMGetUser(u)))
            return 1;
    return 0;
}

/* 1 if I may keep an object's address where root_facts.c does not look: in a slot that is none of ROOTS, if it is stored
 * there or the slot's address has escaped; in an integer; by reading a root as no pointer. */
static int hides(LLVMValueRef i, const struct set *roots) {
    if (LLVMIsAAllocaInst(i))
        return !set_has(roots, i) && is_known_elsewhere(i);
    if (LLVMIsAPtrToIntInst(i))
        return rootfacts_may_be_object(LLVMGetOperand(i, 0)) && is_counted_with(i);
    if (LLVMIsAStoreInst(i)) {
        LLVMValueRef slot = root_memory_origin_of(LLVMGetOperand(i, 1));
        int is_root = LLVMIsAAllocaInst(slot) && slot == LLVMGetOperand(i, 1) && set_has(roots, slot);
        return LLVMIsAAllocaInst(slot) && !is_root && rootfacts_may_be_object(LLVMGetOperand(i, 0));
    }
    if (LLVMIsALoadInst(i)) {
        LLVMValueRef slot = root_memory_origin_of(LLVMGetOperand(i, 0));
        return LLVMIsAAllocaInst(slot) && set_has(roots, slot) &&
               LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind;
    }
    return 0;
}

LLVMValueRef rootmemory_hidden(LLVMValueRef f) {
    struct set roots = {0};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (is_gcroot(call))
            set_add(&roots, LLVMGetOperand(call, 0));
    LLVMValueRef i = first_instruction(f);
    while (i && !hides(i, &roots))
        i = instruction_after(i);
    set_free(&roots);
    return i && LLVMIsAStoreInst(i) ? root_memory_origin_of(LLVMGetOperand(i, 1)) : i;
}
