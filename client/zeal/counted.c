/* counted.c - sm_visit, counted: the visitor is called by way of one that sees what it changes. */
#include "error.h"
#include "zeal.h"

/* A walk under way. */
struct counting {
    sm_zeal *zeal;
    sm_visitor visitor; /* the caller's */
    const sm_activation *frame;
    struct record *record; /* of the frame's safepoint; NULL when out of memory */
    uint32_t next;         /* pair that is visited next, unless the caller asks for no roots */
};

static int count_frame(void *user, const sm_activation *frame) {
    struct counting *c = user;
    c->frame = frame;
    c->record = record_of(c->zeal, frame->site);
    c->next = 0;
    atomic_fetch_add(&c->zeal->frames, 1);
    if (c->record)
        atomic_fetch_add(&c->record->visits, 1);
    return c->visitor.frame ? c->visitor.frame(c->visitor.user, frame) : 0;
}

/* Notes that place P of the record was not null, and whether it was changed. */
static void note_place(struct counting *c, uint32_t p, int is_moved) {
    atomic_fetch_or(&c->record->place[p], (uint8_t)(PLACE_SEEN | (is_moved ? PLACE_MOVED : 0)));
    atomic_fetch_add(&c->record->seen, 1);
    atomic_fetch_add(&c->record->moved, (uint64_t)is_moved);
}

/* Notes a root of the frame's pairs, and what is derived from it, which follows it. 0 if it is none of theirs. */
static int note_pairs(struct counting *c, const void *base, int is_null, int is_moved) {
    const sm_site *site = c->frame->site;
    uint32_t i = c->next;
    while (i < site->n_pairs &&
           (!is_place(&site->pairs[i].base) || sm_slot_address(c->frame, &site->pairs[i].base) != base))
        i++;
    if (i == site->n_pairs)
        return 0;
    c->next = i + 1;
    if (is_null)
        return 1;
    note_place(c, 2 * i, is_moved);
    for (uint32_t d = 0; d < site->n_pairs; d++)
        if (is_place(&site->pairs[d].derived) && sm_slot_address(c->frame, &site->pairs[d].base) == base)
            note_place(c, 2 * d + 1, is_moved);
    return 1;
}

/* Notes a root that was visited. */
static void note_root(struct counting *c, const void *place, int is_null, int is_moved, int is_of_frame) {
    if (is_of_frame && c->record && !note_pairs(c, place, is_null, is_moved) && !is_null) {
        atomic_fetch_add(&c->record->references, 1);
        atomic_fetch_add(&c->record->references_moved, (uint64_t)is_moved);
    }
    atomic_fetch_add(&c->zeal->roots, (uint64_t)!is_null);
    atomic_fetch_add(&c->zeal->moved, (uint64_t)is_moved);
}

static int count_root(void *user, void **base) {
    struct counting *c = user;
    const void *before = *base;
    int stop = c->visitor.root(c->visitor.user, base);
    note_root(c, base, before == NULL, before != *base, 1);
    return stop;
}

static int count_shadow_root(void *user, void **root, const void *metadata) {
    struct counting *c = user;
    const sm_visitor *v = &c->visitor;
    const void *before = *root;
    int stop = v->shadow_root ? v->shadow_root(v->user, root, metadata) : v->root ? v->root(v->user, root) : 0;
    note_root(c, root, before == NULL, before != *root, 0);
    return stop;
}

/* The reference's value, also of a compressed one. */
static uintptr_t reference_value(const sm_reference *r) {
    return r->bytes == sizeof(uintptr_t) ? *(uintptr_t *)r->address : *(uint32_t *)r->address;
}

static int count_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    struct counting *c = user;
    uintptr_t before = reference_value(reference);
    int stop = c->visitor.reference(c->visitor.user, frame, reference);
    note_root(c, reference->address, before == 0, before != reference_value(reference), 1);
    return stop;
}

static int pass_region(void *user, const sm_activation *frame, const sm_slot *slot, void *address) {
    struct counting *c = user;
    return c->visitor.region(c->visitor.user, frame, slot, address);
}

static int pass_whole(void *user, const sm_activation *frame, sm_region *region, void *address) {
    struct counting *c = user;
    return c->visitor.whole(c->visitor.user, frame, region, address);
}

static int pass_deopt(void *user, const sm_activation *frame, uint32_t index, const sm_slot *slot,
                      const void *address) {
    struct counting *c = user;
    return c->visitor.deopt(c->visitor.user, frame, index, slot, address);
}

sm_result sm_zeal_visit(sm_zeal *z, sm_registers *at, const sm_visitor *visitor, sm_error *err) {
    struct counting c = {.zeal = z};
    if (!z || !visitor)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no zeal, or no visitor");
    sm_result r = take_struct(&c.visitor, sizeof c.visitor, visitor, "sm_visitor", err);
    if (r != SM_SUCCESS)
        return r;
    sm_visitor counted = {.size = sizeof counted,
                          .user = &c,
                          .frame = count_frame,
                          .root = c.visitor.root ? count_root : NULL,
                          .region = c.visitor.region ? pass_region : NULL,
                          .deopt = c.visitor.deopt ? pass_deopt : NULL,
                          .shadow_root = c.visitor.root || c.visitor.shadow_root ? count_shadow_root : NULL,
                          .shadow_chain = c.visitor.shadow_chain,
                          .reference = c.visitor.reference ? count_reference : NULL,
                          .watermark = c.visitor.watermark,
                          .whole = c.visitor.whole ? pass_whole : NULL};
    atomic_store(&z->is_visiting, 1);
    atomic_fetch_add(&z->visits, 1);
    return sm_visit(z->loader, at, &counted, err);
}
