/* scope_flow.c - where a slot is a root, and the rule for that: no block is reached both inside and outside of its
 * scope. */
#include "cfg.h"
#include "ir.h"
#include "scopes.h"

/* Writes the block's name to OUT, or its number in F if it has none. */
static void put_block(sm_buf *out, LLVMValueRef f, LLVMBasicBlockRef b) {
    const char *name = LLVMGetBasicBlockName(b);
    int number = 0;
    if (name[0]) {
        sm_buf_printf(out, "%%%.200s", name);
        return;
    }
    for (LLVMBasicBlockRef i = LLVMGetFirstBasicBlock(f); i && i != b; i = LLVMGetNextBasicBlock(i))
        number++;
    sm_buf_printf(out, "block %d", number + 1);
}

/* Keeps TEXT as the scope's error, if it is the first one; frees TEXT. */
static void set_wrong(struct scope *s, sm_buf *text) {
    if (!s->wrong)
        s->wrong = xstrdup(sm_buf_cstr(text));
    xstatus(text->status);
    sm_buf_free(text);
}

/* ---- Where the slot is used ---------------------------------------------------------------------------------- */

/* Lists the slot's uses, and the blocks that have them. */
static void list_slot_uses(struct scope *s) {
    const struct graph *g = &s->body.graph;
    size_t n = 0;
    s->uses = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(s->slot); u; u = LLVMGetNextUse(u)) {
        if (!LLVMIsAInstruction(LLVMGetUser(u)))
            continue;
        s->use = xgrow(s->use, s->uses, &s->room, sizeof *s->use);
        size_t block = graph_number(g, LLVMGetInstructionParent(LLVMGetUser(u)));
        s->use[s->uses++] = (struct scope_use){body_number(&s->body, LLVMGetUser(u)), block, LLVMGetUser(u)};
        s->used[block] = SCOPE_USED;
    }
    s->used[graph_number(g, LLVMGetInstructionParent(s->slot))] = SCOPE_USED;
    if (s->uses)
        qsort(s->use, s->uses, sizeof *s->use, by_number);
    for (size_t i = 0; i < s->uses; i++) /* each once, though it may use the slot twice */
        if (!n || s->use[n - 1].at != s->use[i].at)
            s->use[n++] = s->use[i];
    s->uses = n;
    for (size_t i = 0; i < s->uses; i++)
        if (scope_begins(s->use[i].instruction) || scope_ends(s->use[i].instruction))
            s->used[s->use[i].block] =
                SCOPE_USED | (scope_begins(s->use[i].instruction) ? SCOPE_INSIDE : SCOPE_OUTSIDE);
}

/* ---- Inside or outside --------------------------------------------------------------------------------------- */

/* Gives the state (inside, outside of the scope) right before number STOP, of that at the block's begin. The first mark
 * that does not fit (begin inside, end outside) is noted as the scope's error. */
static unsigned char state_through(struct scope *s, size_t block, unsigned char state, size_t stop) {
    for (size_t k = s->used[block] ? scope_use_from(s, s->body.first[block]) : s->uses;
         k < s->uses && s->use[k].at < stop; k++) {
        int begin = scope_begins(s->use[k].instruction), end = scope_ends(s->use[k].instruction);
        if (!begin && !end)
            continue;
        if (!s->is_value && ((begin && state & SCOPE_INSIDE) || (end && state & SCOPE_OUTSIDE))) {
            sm_buf text;
            sm_buf_init(&text, 4096);
            sm_buf_printf(&text, "%%%.200s is %s in ", value_name(s->slot), begin ? "declared a root" : "undeclared");
            put_block(&text, s->body.function, s->body.graph.block[block]);
            sm_buf_puts(&text, begin ? ", where it is one already" : ", where it is none");
            set_wrong(s, &text);
        }
        state = begin ? SCOPE_INSIDE : SCOPE_OUTSIDE;
    }
    return state;
}

/* Notes as the scope's error that the block is reached both inside and outside of the scope; replaces errors of other
 * kinds. */
static void note_conflict(struct scope *s, size_t block) {
    sm_buf text;
    sm_buf_init(&text, 4096);
    put_block(&text, s->body.function, s->body.graph.block[block]);
    sm_buf_printf(&text, " is reached from ");
    put_block(&text, s->body.function, s->body.graph.block[s->from[1][block]]);
    sm_buf_printf(&text, " with %%%.200s declared a root, and from ", value_name(s->slot));
    put_block(&text, s->body.function, s->body.graph.block[s->from[0][block]]);
    sm_buf_puts(&text, " without");
    if (!s->conflict) {
        free(s->wrong);
        s->wrong = NULL;
    }
    s->conflict = 1;
    set_wrong(s, &text);
}

/* Adds STATE, which the block FROM ends with, to those that BLOCK begins with; puts BLOCK on the work list if it is
 * new there. */
static void spread_state(struct scope *s, size_t block, unsigned char state, size_t from) {
    for (int k = 0; k < 2; k++)
        if (state & (1 << k) && !(s->in[block] & (1 << k)))
            s->from[k][block] = from;
    if ((s->in[block] | state) == s->in[block])
        return;
    s->in[block] |= state;
    if (!s->is_value && s->in[block] == (SCOPE_OUTSIDE | SCOPE_INSIDE))
        note_conflict(s, block);
    s->work[s->works++] = block; /* at most twice each */
}

unsigned char scope_state_at(struct scope *s, size_t block, size_t at) {
    return s->in[block] ? state_through(s, block, s->in[block], at) : 0;
}

void scope_make(struct scope *s, struct compile *c, LLVMValueRef f) {
    *s = (struct scope){.c = c};
    body_of(&s->body, c, f);
    size_t n = s->body.graph.blocks + 1;
    body_number_all(&s->body);
    s->used = xcalloc(n, 1);
    s->in = xcalloc(n, 1);
    s->outside = xcalloc(n, 1);
    s->ahead = xcalloc(n, 1);
    s->from[0] = xcalloc(n, sizeof(size_t));
    s->from[1] = xcalloc(n, sizeof(size_t));
    s->work = xcalloc(2 * n, sizeof(size_t));
    s->outside[s->body.graph.entry] = SCOPE_OUTSIDE;
    graph_follow(&s->body.graph, s->body.graph.entry, s->outside, s->work);
}

void scope_free(struct scope *s) {
    body_free(&s->body);
    free(s->use);
    free(s->used);
    free(s->in);
    free(s->outside);
    free(s->ahead);
    free(s->from[0]);
    free(s->from[1]);
    free(s->work);
    free(s->wrong);
}

/* The state that the block's last mark leaves; 0 if it has none. */
static unsigned state_of_marks(const struct scope *s, size_t block) {
    return s->used[block] & (SCOPE_OUTSIDE | SCOPE_INSIDE);
}

/* Moves the successors of the block, whose end is inside, from outside to inside. */
static void enter_successors(struct scope *s, size_t block) {
    const struct graph *g = &s->body.graph;
    for (size_t k = g->first_after[block]; k < g->first_after[block + 1]; k++)
        if (s->in[g->after[k]] == SCOPE_OUTSIDE) {
            s->in[g->after[k]] = SCOPE_INSIDE;
            s->work[s->works++] = g->after[k];
        }
}

/* 1 if the end of a predecessor of the block, whose begin is inside, is outside. */
static int is_entered_outside(const struct scope *s, size_t block) {
    const struct graph *g = &s->body.graph;
    for (size_t k = g->first_before[block]; k < g->first_before[block + 1]; k++) {
        unsigned marks = state_of_marks(s, g->before[k]);
        if (s->in[g->before[k]] && (marks ? marks : s->in[g->before[k]]) & SCOPE_OUTSIDE)
            return 1;
    }
    return 0;
}

/* Finds the slot's states where the rule holds: only blocks that are inside are visited, and the marks. 0 if something
 * breaks it. */
static int find_inside(struct scope *s) {
    size_t next = 0;
    memcpy(s->in, s->outside, s->body.graph.blocks);
    s->works = 0;
    for (size_t k = 0; k < s->uses; k++)
        if (s->in[s->use[k].block] && state_of_marks(s, s->use[k].block) == SCOPE_INSIDE &&
            (!k || s->use[k - 1].block != s->use[k].block))
            enter_successors(s, s->use[k].block);
    for (; next < s->works; next++) /* all that is inside stays in the list */
        if (!state_of_marks(s, s->work[next]))
            enter_successors(s, s->work[next]);
    int holds = 1;
    while (s->works)
        holds &= !is_entered_outside(s, s->work[--s->works]);
    unsigned char state = 0;
    for (size_t k = 0; k < s->uses && holds; k++) {
        int begin = scope_begins(s->use[k].instruction), end = scope_ends(s->use[k].instruction);
        if (!k || s->use[k - 1].block != s->use[k].block)
            state = s->in[s->use[k].block];
        holds = !(begin && state & SCOPE_INSIDE) && !(end && state & SCOPE_OUTSIDE);
        state = begin ? SCOPE_INSIDE : end ? SCOPE_OUTSIDE : state;
    }
    return holds;
}

/* Finds the slot's states, whatever they are, and what breaks the rule. */
static void find_states(struct scope *s) {
    const struct graph *g = &s->body.graph;
    memset(s->in, 0, g->blocks);
    spread_state(s, g->entry, SCOPE_OUTSIDE, g->entry);
    while (s->works) {
        size_t block = s->work[--s->works];
        unsigned char state = state_through(s, block, s->in[block], s->body.first[block + 1]);
        for (size_t k = g->first_after[block]; k < g->first_after[block + 1]; k++)
            spread_state(s, g->after[k], state, block);
    }
}

void scope_of(struct scope *s, LLVMValueRef slot) {
    const struct graph *g = &s->body.graph;
    s->slot = slot;
    s->slot_at = body_number(&s->body, slot);
    s->is_value = is_value_slot(slot);
    s->conflict = 0;
    free(s->wrong);
    s->wrong = NULL;
    memset(s->used, 0, g->blocks);
    list_slot_uses(s);
    if (s->is_value) /* it is written before it is read, in its scope */
        for (size_t n = 0; n < g->blocks; n++)
            s->in[n] = s->outside[n] ? SCOPE_OUTSIDE | SCOPE_INSIDE : 0;
    else if (!find_inside(s))
        find_states(s);
}

/* ---- What is in a slot outside of its scope ------------------------------------------------------------------- */

/* Besides AHEAD_…, of a block: something in it overwrites all of the slot. */
enum { FILLED = 4 };

/* What number AT of the block, and what is behind it there, does up to where all of the slot is overwritten. */
static unsigned ahead_in_block(const struct scope *s, size_t block, size_t at) {
    unsigned ahead = 0;
    for (size_t k = s->used[block] ? scope_use_from(s, at) : s->uses;
         k < s->uses && s->use[k].at < s->body.first[block + 1]; k++) {
        LLVMValueRef i = s->use[k].instruction;
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == s->slot &&
            LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMGetAllocatedType(s->slot))
            return ahead | FILLED;
        if (scope_begins(i))
            ahead |= AHEAD_BEGINS;
        else if (!scope_ends(i))
            ahead |= AHEAD_READS;
    }
    return ahead;
}

unsigned scope_ahead(const struct scope *s, size_t block, size_t at) {
    const struct graph *g = &s->body.graph;
    unsigned ahead = ahead_in_block(s, block, at);
    for (size_t k = g->first_after[block]; !(ahead & FILLED) && k < g->first_after[block + 1]; k++)
        ahead |= scope_begin_ahead(s, g->after[k]);
    return ahead & (AHEAD_BEGINS | AHEAD_READS);
}

void scope_look_ahead(struct scope *s) {
    const struct graph *g = &s->body.graph;
    memset(s->ahead, 0, g->blocks);
    for (size_t k = 0; k < s->uses; k++) {
        size_t n = s->use[k].block;
        if (k && s->use[k - 1].block == n)
            continue;
        s->ahead[n] = (unsigned char)ahead_in_block(s, n, s->body.first[n]);
        if (s->ahead[n] & (AHEAD_BEGINS | AHEAD_READS))
            s->work[s->works++] = n;
    }
    while (s->works) { /* a block is there once, and again with one bit more */
        size_t n = s->work[--s->works];
        for (size_t k = g->first_before[n]; k < g->first_before[n + 1]; k++) {
            unsigned char *before = &s->ahead[g->before[k]], was = *before;
            if (!(was & FILLED))
                *before |= s->ahead[n] & (AHEAD_BEGINS | AHEAD_READS);
            if (*before != was)
                s->work[s->works++] = g->before[k];
        }
    }
}
