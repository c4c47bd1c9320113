/* scope_share.c - roots whose lifetimes do not overlap have one slot: a lifetime is where the scope is open, and where
 * what the slot holds may still be read. And the scopes of a function that is to be inlined end where it is left. */
#include "ir.h"
#include "reference_layout.h"
#include "scopes.h"

/* 1 if CALL has V for an argument that it does not keep, and for nothing else. */
static int is_lent(LLVMValueRef call, LLVMValueRef v) {
    int lent = 0, used = 0;
    if (!is_call(call))
        return 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        lent += LLVMGetOperand(call, i) == v && argument_has(call, i, "nocapture");
    for (int i = 0; i < LLVMGetNumOperands(call); i++)
        used += LLVMGetOperand(call, (unsigned)i) == v;
    return lent == used;
}

/* 1 if V, the slot or an address derived from it, is used only by loads, stores into it, calls that do not keep it, marks
 * and getelementptr: its address has not escaped. */
static int is_used_plainly(LLVMValueRef v, LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int plain = LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == v) || scope_begins(i) ||
                    scope_ends(i) || (LLVMIsAGetElementPtrInst(i) && is_used_plainly(i, slot)) || is_lent(i, v);
        if (!plain || LLVMIsAConstant(i))
            return 0;
    }
    return 1;
}

/* 1 if an address is derived from the slot: what it is used for is no use of the slot. */
static int has_steps(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (LLVMIsAGetElementPtrInst(LLVMGetUser(u)))
            return 1;
    return 0;
}

/* The metadata of the slot's first begin mark; NULL if there is none. */
static LLVMValueRef first_metadata(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (scope_begins(LLVMGetUser(u)))
            return LLVMGetOperand(LLVMGetUser(u), 1);
    return NULL;
}

/* Instructions, from one number up to another. */
struct range {
    size_t from, to;
};

/* A slot that may become one with others. */
struct candidate {
    int may_share;         /* boolean: its address has not escaped, and it is used in its ranges alone */
    LLVMValueRef metadata; /* of its scope */
    int tagged;            /* boolean */
    struct range *range;   /* owned: where its scope is open, or it holds what may be read */
    size_t ranges, room;
};

static void add_range(struct candidate *a, size_t from, size_t to) {
    if (from == to)
        return;
    if (a->ranges && a->range[a->ranges - 1].to == from) {
        a->range[a->ranges - 1].to = to;
        return;
    }
    a->range = xgrow(a->range, a->ranges, &a->room, sizeof *a->range);
    a->range[a->ranges++] = (struct range){from, to};
}

/* Lists where the scope of s->slot is open: a mark that begins it belongs to it, one that ends it does not. */
static void find_ranges(const struct scope *s, struct candidate *a) {
    for (size_t n = 0; n < s->body.graph.blocks; n++) {
        int inside = s->in[n] & SCOPE_INSIDE;
        size_t from = s->body.first[n];
        if (!inside && !s->used[n])
            continue;
        for (size_t k = s->used[n] ? scope_use_from(s, from) : s->uses;
             k < s->uses && s->use[k].at < s->body.first[n + 1]; k++) {
            LLVMValueRef i = s->use[k].instruction;
            if (!scope_begins(i) && !scope_ends(i))
                continue;
            if (inside)
                add_range(a, from, s->use[k].at);
            inside = scope_begins(i);
            from = s->use[k].at;
        }
        if (inside)
            add_range(a, from, s->body.first[n + 1]);
    }
}

/* 1 if one of the ranges, which are in their order, has the number. */
static int has_number(const struct candidate *a, size_t number) {
    size_t low = 0, high = a->ranges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->range[middle].to <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->ranges && a->range[low].from <= number;
}

/* 1 if V, the slot or an address derived from it, is used only where the slot's scope is open. */
static int is_used_within(const struct scope *s, const struct candidate *a, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int is_step = LLVMIsAGetElementPtrInst(i) != NULL;
        if (is_step ? !is_used_within(s, a, i)
                    : !scope_begins(i) && !scope_ends(i) && !has_number(a, body_number(&s->body, i)))
            return 0;
    }
    return 1;
}

/* ---- Where a slot holds what may be read, in its scope and outside ---------------------------------------------- */

/* What comes from I on, a use of the slot after which AHEAD comes. */
static unsigned ahead_of_use(const struct scope *s, LLVMValueRef i, unsigned ahead) {
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == s->slot &&
        LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMGetAllocatedType(s->slot))
        return 0;
    return scope_ends(i) ? ahead : ahead | (scope_begins(i) ? AHEAD_BEGINS : AHEAD_READS);
}

/* Gives for each of s->slot's uses what comes after it (AHEAD_…), up to where all of the slot is written. *New*.
 * Requires scope_look_ahead. */
static unsigned char *look_behind_uses(const struct scope *s) {
    const struct graph *g = &s->body.graph;
    unsigned char *after = xcalloc(s->uses + 1, 1);
    for (size_t first = 0, end; first < s->uses; first = end) { /* of one block */
        size_t n = s->use[first].block;
        unsigned ahead = 0;
        for (size_t k = g->first_after[n]; k < g->first_after[n + 1]; k++)
            ahead |= scope_begin_ahead(s, g->after[k]);
        for (end = first; end < s->uses && s->use[end].block == n;)
            end++;
        for (size_t k = end; k-- > first;) {
            after[k] = (unsigned char)ahead;
            ahead = ahead_of_use(s, s->use[k].instruction, ahead);
        }
    }
    return after;
}

/* Sets the bytes of the blocks at whose begin something may be in the slot, as its scope, or a store, came before: of
 * those from where on that may be read, or its scope begins. *New*. Requires scope_look_ahead. */
static unsigned char *find_written(struct scope *s) {
    const struct graph *g = &s->body.graph;
    unsigned char *written = xcalloc(g->blocks + 1, 1);
    s->works = 0;
    for (size_t k = 0; k < s->uses; k++)
        if (!k || s->use[k - 1].block != s->use[k].block)
            s->work[s->works++] = s->use[k].block;
    while (s->works) { /* a block is there once for its uses, and once for those before it */
        size_t n = s->work[--s->works];
        for (size_t k = g->first_after[n]; k < g->first_after[n + 1]; k++)
            if (!written[g->after[k]] && scope_begin_ahead(s, g->after[k])) {
                written[g->after[k]] = 1;
                s->work[s->works++] = g->after[k];
            }
    }
    return written;
}

/* Lists where s->slot's scope is open, and where it holds what may be read. 0 if it may be read before anything is
 * written: then its scope has to say where it is used. */
static int find_lives(struct scope *s, struct candidate *a) {
    scope_look_ahead(s);
    if (scope_ahead(s, s->body.graph.entry, s->slot_at + 1) & AHEAD_READS)
        return 0;
    unsigned char *after = look_behind_uses(s), *written = find_written(s);
    for (size_t n = 0; n < s->body.graph.blocks; n++) {
        int inside = s->in[n] & SCOPE_INSIDE, holds = written[n] && scope_begin_ahead(s, n);
        size_t from = s->body.first[n];
        if (!inside && !holds && !s->used[n])
            continue;
        for (size_t k = s->used[n] ? scope_use_from(s, from) : s->uses;
             k < s->uses && s->use[k].at < s->body.first[n + 1]; k++) {
            LLVMValueRef i = s->use[k].instruction;
            size_t at = s->use[k].at;
            add_range(a, from, inside || holds ? at : from);
            inside = (inside || scope_begins(i)) && !scope_ends(i);
            holds = after[k] != 0;
            from = at + (size_t)(scope_ends(i) && !holds);
            if (!inside && !holds && !scope_ends(i)) {
                add_range(a, at, at + 1);
                from = at + 1;
            }
        }
        add_range(a, from, inside || holds ? s->body.first[n + 1] : from);
    }
    free(after);
    free(written);
    return 1;
}

/* What of the slot decides whether it may become one with others. */
static struct candidate candidate_of(struct scope *s, LLVMValueRef slot) {
    struct candidate a = {.metadata = first_metadata(slot), .tagged = any_user(slot, scope_begins_tagged)};
    if (is_value_slot(slot) || type_in_metadata(s->c, slot) || !is_used_plainly(slot, slot))
        return a;
    scope_of(s, slot);
    if (!has_steps(slot) && find_lives(s, &a)) {
        a.may_share = 1;
        return a;
    }
    find_ranges(s, &a);
    a.may_share = is_used_within(s, &a, slot);
    return a;
}

/* Sets the byte of each of the scope's instructions. */
static void set_bytes(const struct candidate *a, unsigned char *bytes, int value) {
    for (size_t i = 0; i < a->ranges; i++)
        memset(bytes + a->range[i].from, value, a->range[i].to - a->range[i].from);
}

/* 1 if the byte of one of the scope's instructions is set. */
static int is_any_set(const struct candidate *a, const unsigned char *bytes) {
    for (size_t i = 0; i < a->ranges; i++)
        if (memchr(bytes + a->range[i].from, 1, a->range[i].to - a->range[i].from))
            return 1;
    return 0;
}

/* 1 if slots X and Y can become one as far as their types, sizes and metadata say. */
static int are_alike(LLVMValueRef x, const struct candidate *a, LLVMValueRef y, const struct candidate *b) {
    return a->may_share && b->may_share && a->tagged == b->tagged && a->metadata == b->metadata &&
           LLVMGetAllocatedType(x) == LLVMGetAllocatedType(y) && LLVMGetOperand(x, 0) == LLVMGetOperand(y, 0);
}

/* Makes KEPT of GONE, too. */
static void join_slots(LLVMValueRef kept, LLVMValueRef gone) {
    if (LLVMGetAlignment(gone) > LLVMGetAlignment(kept))
        LLVMSetAlignment(kept, LLVMGetAlignment(gone));
    replace_value(gone, kept);
}

/* Joins to slot number I all later ones that can become one with it. OPEN has a byte, 0, for each instruction. */
static void join_to(struct set *slots, struct candidate *all, size_t i, unsigned char *open) {
    set_bytes(&all[i], open, 1);
    for (size_t k = i + 1; k < slots->count;) {
        if (!are_alike(slots->item[i], &all[i], slots->item[k], &all[k]) || is_any_set(&all[k], open)) {
            k++;
            continue;
        }
        set_bytes(&all[k], open, 1);
        for (size_t n = 0; n < all[k].ranges; n++)
            add_range(&all[i], all[k].range[n].from, all[k].range[n].to);
        join_slots(slots->item[i], slots->item[k]);
        free(all[k].range);
        set_remove(slots, k);
        all[k] = all[slots->count];
    }
    set_bytes(&all[i], open, 0);
}

/* Makes one slot of those that are not needed at one time; SLOTS loses the others. */
void scopes_share_slots(struct scope *s, struct set *slots) {
    struct candidate *all = xcalloc(slots->count + 1, sizeof *all);
    unsigned char *open = xcalloc(s->body.instruction.count + 1, 1);
    for (size_t i = 0; i < slots->count; i++)
        all[i] = candidate_of(s, slots->item[i]);
    for (size_t i = 0; i < slots->count; i++)
        if (all[i].may_share)
            join_to(slots, all, i, open);
    for (size_t i = 0; i < slots->count; i++)
        free(all[i].range);
    free(all);
    free(open);
}

/* ---- Where a function is left -------------------------------------------------------------------------------- */

/* What the function is left with at the end of B: a return, the musttail call that it returns, or an exception. NULL if
 * the function goes on. */
static LLVMValueRef leaving(LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    LLVMValueRef before = end && LLVMIsAReturnInst(end) ? LLVMGetPreviousInstruction(end) : NULL;
    if (!end || !leaves_function(end))
        return NULL;
    return before && is_musttail(before) ? before : end;
}

/* Ends the scope of SLOT where the function is left within it: at one of ENDS. */
static void close_scope(struct scope *s, LLVMValueRef slot, const struct set *ends) {
    scope_of(s, slot);
    for (size_t i = 0; !s->is_value && i < ends->count; i++) {
        LLVMValueRef end = ends->item[i];
        size_t block = graph_number(&s->body.graph, LLVMGetInstructionParent(end));
        if (scope_state_at(s, block, body_number(&s->body, end)) & SCOPE_INSIDE)
            scope_mark(s->c, end, SCOPE_END, slot, LLVMConstNull(LLVMTypeOf(slot)));
    }
}

void scopes_close(struct compile *c, LLVMValueRef f) {
    struct set slots = {0}, ends = {0};
    struct scope s;
    collect_marked(f, &slots);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        if (leaving(b))
            set_add(&ends, leaving(b));
    scope_make(&s, c, f);
    for (size_t i = 0; i < slots.count; i++)
        close_scope(&s, slots.item[i], &ends);
    scope_free(&s);
    set_free(&ends);
    set_free(&slots);
}
