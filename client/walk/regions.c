/* regions.c - the references in regions: where they are by the record (proto/stackmap/facts.h), and what a visitor is
 * given of them. */
#include "error.h"
#include "facts.h"
#include "walk.h"

#include <string.h>

/* Word I of a record of facts (sm_facts), which lies in deoptimisation slots. */
static uint64_t word_at(const void *from, uint32_t i) {
    return (uint64_t)((const sm_slot *)from)[i].value;
}

/* Sets *F to the record about the site's regions; 0 if the site has none. */
static int facts_of(const sm_site *site, sm_facts *f) {
    uint32_t values = site_facts(site); /* the last of them is the mark */
    *f = (sm_facts){site->deopt ? site->deopt + site->n_deopt : NULL, word_at, values ? values - 1 : 0};
    return values != 0;
}

/* The symbol of a type's key in the object's table; NULL if it is not there. */
static const void *symbol_of(const struct map *m, uint64_t key) {
    for (size_t i = 0; i < m->types; i++)
        if (m->type[i].key == key)
            return m->type[i].symbol;
    return NULL;
}

/* A region's facts as the interface gives them. */
static sm_region region_of(const struct map *m, const sm_region_facts *r) {
    sm_region out = {.is_known = !(r->bits & SM_FACT_UNKNOWN),
                     .is_pinned = !!(r->bits & SM_FACT_PINNED),
                     .has_type = !!(r->bits & SM_FACT_TYPE),
                     .bytes = r->bytes,
                     .type = r->type,
                     .tag_mask = r->tag_mask,
                     .n_fields = r->runs};
    if (r->bits & SM_FACT_SYMBOL) {
        out.type = 0;
        out.type_symbol = symbol_of(m, r->type);
    }
    return out;
}

/* Run I of a region's references as the interface gives it. */
static sm_field field_of(const sm_facts *f, const sm_region_facts *r, uint32_t i) {
    sm_reference_run run = {0};
    sm_facts_run(f, r, i, &run);
    return (sm_field){run.offset, run.count, run.stride, run.width, run.space};
}

/* Reads the facts of region INDEX. 0 if there is no such region, or nothing is recorded of it. */
static int seek(const sm_site *site, uint32_t index, sm_facts *f, sm_region_facts *r) {
    uint32_t at = 0;
    if (index >= site->n_regions || !facts_of(site, f))
        return 0;
    for (uint32_t i = 0; i <= index; i++)
        if (sm_facts_next(f, &at, r) != SM_OK)
            return 0;
    return 1;
}

int sm_site_region(const sm_site *site, uint32_t index, sm_region *out) {
    sm_facts f;
    sm_region_facts r;
    *out = (sm_region){0};
    if (!site || index >= site->n_regions)
        return 0;
    if (seek(site, index, &f, &r))
        *out = region_of(site->code->object->map, &r);
    return 1;
}

int sm_site_field(const sm_site *site, uint32_t index, uint32_t field, sm_field *out) {
    sm_facts f;
    sm_region_facts r;
    *out = (sm_field){0};
    if (!site || !seek(site, index, &f, &r) || field >= r.runs)
        return 0;
    *out = field_of(&f, &r, field);
    return 1;
}

/* ---- Visiting ------------------------------------------------------------------------------------------------ */

/* Shows the visitor one reference, without its tags, which are put back afterwards. Gives the visitor's result: not
 * 0 to stop. */
static int visit_one(const struct visit *v, sm_reference *r) {
    const sm_visitor *visitor = v->visitor;
    uintptr_t *slot = r->address;
    if (r->bytes == sizeof *slot) {
        r->tags = *slot & r->tag_mask;
        *slot &= ~(uintptr_t)r->tag_mask;
        r->base = (void **)slot;
    }
    int stop =
        visitor->reference ? visitor->reference(visitor->user, v->frame, r) : visitor->root(visitor->user, r->base);
    if (r->bytes == sizeof *slot)
        *slot |= r->tags;
    return stop;
}

/* Fails: the frame has what a visitor without `reference` cannot handle. */
static sm_result too_plain(const struct visit *v, const char *what) {
    const char *name = v->frame->site->code->name;
    return fail(v->err, SM_ERR_INVALID_ARGUMENT, "'%s' has %s, and the visitor has no `reference`", name ? name : "?",
                what);
}

/* 1 if the visitor is shown the region as a whole, as it was declared. */
static int is_whole(const struct visit *v, const sm_region_facts *facts) {
    return v->visitor->whole && (facts->bits & SM_FACT_BYTES || (facts->bits & SM_FACT_UNKNOWN && facts->bytes));
}

/* Shows it that. *FIELDS: whether the references in it are still to be visited. */
static sm_result visit_whole(const struct visit *v, const sm_region_facts *facts, void *address, int *fields) {
    sm_region region = region_of(v->frame->site->code->object->map, facts);
    if (v->visitor->whole(v->visitor->user, v->frame, &region, address))
        return visit_stopped(v);
    *fields = region.n_fields != 0;
    return SM_SUCCESS;
}

/* Visits all references in one region whose layout is known. Fails if the visitor stops, or cannot handle them. */
static sm_result visit_fields(const struct visit *v, const sm_facts *f, const sm_region_facts *facts, char *address) {
    sm_region region = region_of(v->frame->site->code->object->map, facts);
    if (!v->visitor->reference && !v->visitor->root)
        return SM_SUCCESS;
    if (!v->visitor->reference && region.is_pinned)
        return too_plain(v, "pinned references, whose objects must not move");
    for (uint32_t i = 0; i < facts->runs; i++) {
        sm_field field = field_of(f, facts, i);
        if (!v->visitor->reference && field.bytes != sizeof(uintptr_t))
            return too_plain(v, "compressed references");
        for (uint32_t e = 0; e < field.count; e++) {
            sm_reference r = {.address = address + field.offset + (size_t)e * field.stride,
                              .bytes = field.bytes,
                              .space = field.space,
                              .is_pinned = region.is_pinned,
                              .has_type = region.has_type,
                              .type = region.type,
                              .type_symbol = region.type_symbol,
                              .tag_mask = region.tag_mask};
            if (visit_one(v, &r))
                return visit_stopped(v);
        }
    }
    return SM_SUCCESS;
}

/* Visits one region: as a whole, reference by reference where the record says where they are, else by the visitor's
 * `region`. */
static sm_result visit_region(const struct visit *v, const sm_facts *f, const sm_region_facts *facts,
                              const sm_slot *slot, void *address) {
    int fields = !(facts->bits & SM_FACT_UNKNOWN);
    sm_result r = SM_SUCCESS;
    if (is_whole(v, facts))
        r = visit_whole(v, facts, address, &fields);
    else if (!fields && v->visitor->region && v->visitor->region(v->visitor->user, v->frame, slot, address))
        r = visit_stopped(v);
    return r == SM_SUCCESS && fields ? visit_fields(v, f, facts, address) : r;
}

sm_result visit_regions(const struct visit *v) {
    const sm_site *site = v->frame->site;
    sm_facts f;
    uint32_t at = 0;
    int has_facts = site->n_regions && facts_of(site, &f);
    for (uint32_t i = 0; i < site->n_regions; i++) {
        const sm_slot *s = &site->regions[i];
        sm_region_facts facts = {.bits = SM_FACT_UNKNOWN};
        void *address = sm_slot_address(v->frame, s);
        if (has_facts && sm_facts_next(&f, &at, &facts) != SM_OK)
            return fail(v->err, SM_ERR_INVALID_STACKMAP, "The record of a safepoint is damaged");
        if (!address)
            return visit_unknown_register(v, s);
        sm_result r = visit_region(v, &f, &facts, s, address);
        if (r != SM_SUCCESS)
            return r;
    }
    return SM_SUCCESS;
}
