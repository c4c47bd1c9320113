/* record_ids.c - which call a stackmap record came from.
 *
 * A record holds nothing of its call but the id. So before emission the id becomes a number, an index into the
 * compile's sites, and after it the ids in the object's bytes become the module's own again: code does not contain
 * the id, so the object is the one that the module's ids give. One exception: LLVM merges equal ends of blocks, and
 * calls of different numbers are not equal. Calls that are alike but for their reason ("alike") get numbers of their
 * own first; where that may have mattered (merges.c), the module is emitted once more with one number for
 * all that are alike (sites_join).
 */
#include "analysis.h"
#include "emitting.h"
#include "ir.h"
#include "marks.h"
#include "pagepoll.h"
#include "rewrite.h"
#include "set.h"

/* What a statepoint or patchpoint calls, operand 2 of both; NULL of a stackmap. */
static LLVMValueRef target_of(LLVMValueRef call, uint8_t kind) {
    return kind == SM_RECORD_STACKMAP ? NULL : LLVMGetOperand(call, 2);
}

/* What a poll's slow path calls for it (POLL_SLOW): the target of its only statepoint. */
static LLVMValueRef called_by(LLVMValueRef slow) {
    LLVMValueRef i = first_instruction(slow);
    while (i && !is_statepoint(i))
        i = LLVMGetNextInstruction(i);
    return i ? target_of(i, SM_RECORD_STATEPOINT) : slow;
}

/* *New*: the name of the global that is called, "indirect" of any other value; NULL of NULL. */
static char *name_of(LLVMValueRef target) {
    if (!target)
        return NULL;
    if (LLVMIsAFunction(target) && !LLVMIsDeclaration(target) && strcmp(value_name(target), POLL_SLOW) == 0)
        target = called_by(target);
    if (LLVMIsAFunction(target) || LLVMIsAGlobalVariable(target) || LLVMIsAGlobalAlias(target) ||
        LLVMIsAGlobalIFunc(target))
        return xstrdup(value_name(target));
    return xstrdup("indirect");
}

/* Why CALL is a record's call: by its mark; "call" for other statepoints, NULL for other records. */
static const char *record_reason_of(LLVMValueRef call, uint8_t kind) {
    const char *reason = site_reason(call);
    return reason ? reason : kind == SM_RECORD_STATEPOINT ? "call" : NULL;
}

/* *New*: the name of the native function that a GC transition calls, even if the call goes to a frame first
 * (transitions.c); NULL if CALL is no transition. */
static char *native_of(LLVMValueRef call) {
    unsigned len;
    LLVMAttributeRef a = call_attribute(call, TRANSITION_ATTRIBUTE);
    const char *name = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
    return name ? xstrndup(name, len) : NULL;
}

struct numbering {
    struct compile *c;
    LLVMValueRef function;
    size_t first;             /* site of the function that is being numbered */
    struct derivations known; /* owned */
    struct set keys;          /* owned: of the sites, and, with the same numbers, the first site with each */
    size_t *site;             /* owned */
    size_t room;
};

/* Adds a site to the compile's list and gives it. */
static struct site *new_site(struct compile *c) {
    c->site = xgrow(c->site, c->sites, &c->site_capacity, sizeof *c->site);
    return &c->site[c->sites++];
}

/* 1 if references stand at the same places in both states (deopt_state_text). */
static int is_same_state(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A number that equal sites of the function share, and hardly others: an item of a set. */
static void *site_key(const struct numbering *n, const struct site *s) {
    enum { FACTOR = 1000003 };
    uintptr_t key = (uintptr_t)n->function;
    key = key * FACTOR + (uintptr_t)s->target;
    key = key * FACTOR + (uintptr_t)s->id;
    key = key * FACTOR + s->patch_bytes;
    for (const char *at = s->state ? s->state : ""; *at; at++)
        key = key * FACTOR + (unsigned char)*at;
    return (void *)key; /* NOLINT(performance-no-int-to-ptr) */
}

/* The index of a site equal to S in the same function, or of a new one, which takes S->state. Sites that differ only in
 * their reason are linked by "alike", or are one if the compile is joined. */
static size_t find_or_add(struct numbering *n, const struct site *s, LLVMValueRef call) {
    struct compile *c = n->c;
    void *key = site_key(n, s);
    size_t alike = SIZE_MAX, last = SIZE_MAX, number = set_number(&n->keys, key);
    for (size_t i = number < n->keys.count ? n->site[number] : SIZE_MAX; i != SIZE_MAX; i = c->site[i].next) {
        struct site *t = &c->site[i];
        last = i;
        if (i < n->first || t->id != s->id || t->kind != s->kind || t->target != s->target ||
            t->is_transition != s->is_transition || t->patch_bytes != s->patch_bytes ||
            !is_same_state(t->state, s->state))
            continue;
        if (t->reason == s->reason || c->joined) {
            if (t->reason != s->reason)
                t->reason = NULL; /* one number for several reasons */
            return i;
        }
        if (alike == SIZE_MAX)
            alike = i;
    }
    struct site *added = new_site(c);
    size_t index = (size_t)(added - c->site);
    *added = *s;
    added->callee = s->is_transition ? native_of(call) : name_of(s->target);
    added->alike = alike == SIZE_MAX ? index : alike;
    added->next = SIZE_MAX;
    if (last != SIZE_MAX) {
        c->site[last].next = index;
        return index;
    }
    n->site = xgrow(n->site, number, &n->room, sizeof *n->site);
    n->site[number] = index;
    set_add_again(&n->keys, key);
    return index;
}

/* Makes ID the id of the record that CALL leaves. */
static void set_id(LLVMValueRef call, uint64_t id) {
    LLVMSetOperand(call, 0, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(call, 0)), id, 0));
}

/* Makes CALL a site if it leaves a record, puts the site's index in place of its id, and removes
 * our attributes. */
static void number_call(struct numbering *n, LLVMValueRef call) {
    LLVMValueRef function = function_of(call);
    uint8_t kind = record_kind(call);
    if (kind == SM_RECORD_UNKNOWN) {
        site_unmark(call);
        return;
    }
    if (function != n->function) {
        n->function = function;
        n->first = n->c->sites;
    }
    struct site s = {.id = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)),
                     .kind = kind,
                     .reason = record_reason_of(call, kind),
                     .target = target_of(call, kind)};
    s.is_transition = call_attribute(call, TRANSITION_ATTRIBUTE) != NULL;
    s.is_page = n->c->page && s.target == n->c->page;
    if (!s.is_page)
        s.patch_bytes = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
    if (kind == SM_RECORD_STATEPOINT)
        s.state = deopt_state_text(n->c, &n->known, call);
    size_t index = find_or_add(n, &s, call);
    if (n->c->site[index].state != s.state)
        free(s.state); /* there was one like it */
    set_id(call, index);
    site_unmark(call);
}

/* Makes a site of each call that leaves a record, and puts its index in place of the record's id. */
void sites_number(struct compile *c) {
    struct numbering n = {.c = c};
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        number_call(&n, call);
    derivations_free(&n.known);
    set_free(&n.keys);
    free(n.site);
}

/* Subtracts the least record id from all; gives it, 0 if there are no records. */
uint64_t sites_number_from_0(LLVMModuleRef module) {
    uint64_t least = UINT64_MAX;
    for (LLVMValueRef call = first_module_call(module); call; call = next_module_call(call))
        if (sites_is_record(call) && LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) < least)
            least = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
    for (LLVMValueRef call = first_module_call(module); call; call = next_module_call(call))
        if (sites_is_record(call))
            set_id(call, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)) - least);
    return least == UINT64_MAX ? 0 : least;
}

/* Sets the GC transition flag of a statepoint's record, in the section's bytes and in M: bit 0 of its second
 * location, a constant. */
static void set_transition(unsigned char *section, sm_stackmap *m, const sm_record *r) {
    enum { HEADER = 16, LOCATION = 12, CONSTANT = 8 };
    if (r->kind != SM_RECORD_STATEPOINT || r->locations < 2)
        return;
    section[r->at + HEADER + LOCATION + CONSTANT] |= 1;
    m->location[r->location + 1].constant |= 1;
}

/* Makes the tagged values of a statepoint's state, which are their slots' addresses, what is in the slots: in the
 * section's bytes and in M. LLVM's code generation knows no value that lies in a slot of the function's. */
static void set_words(unsigned char *section, sm_stackmap *m, const sm_record *r, const char *state) {
    enum { HEADER = 16, LOCATION = 12, CONSTANTS = 3 };
    for (uint32_t i = 0; r->kind == SM_RECORD_STATEPOINT && state && state[i] && CONSTANTS + i < r->locations; i++) {
        sm_location *l = &m->location[r->location + CONSTANTS + i];
        if (state[i] != 'w' || l->kind != SM_LOCATION_DIRECT)
            continue;
        l->kind = SM_LOCATION_INDIRECT;
        section[r->at + HEADER + (CONSTANTS + i) * LOCATION] = SM_LOCATION_INDIRECT;
    }
}

/* Puts the module's own ids into the stackmap's bytes and into M, with what is known of each record's call. */
void sites_restore(struct compile *c, unsigned char *section, sm_stackmap *m) {
    for (uint32_t i = 0; i < m->records; i++) {
        sm_record *r = &m->record[i];
        if (r->id >= c->sites)
            continue; /* not from a call of the module */
        const struct site *s = &c->site[r->id];
        r->site = (uint32_t)r->id;
        r->id = s->id;
        r->kind = s->kind;
        r->callee = s->callee;
        r->reason = s->reason;
        r->patch_bytes = s->patch_bytes;
        if (s->is_transition)
            set_transition(section, m, r);
        set_words(section, m, r, s->state);
        if (s->is_page)
            r->fault_offset = r->offset - sm_page_poll_bytes((uint16_t)c->elf_machine);
        sm_store_le(section + r->at, s->id, 8);
    }
}

void sites_free(struct compile *c) {
    for (size_t i = 0; i < c->sites; i++) {
        free(c->site[i].callee);
        free(c->site[i].state);
    }
    free(c->site);
}
