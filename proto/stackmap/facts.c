/* facts.c - see facts.h. */
#include "facts.h"

/* The number that stands for a type's symbol: its hash (FNV-1a). */
uint64_t sm_type_key(const char *symbol) {
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *symbol; symbol++)
        h = (h ^ (unsigned char)*symbol) * UINT64_C(0x100000001b3);
    return h;
}

/* Word I of a record of facts. */
static uint64_t word(const sm_facts *f, uint32_t i) {
    return f->at(f->from, i);
}

/* How many words describe each run of references in a region. */
static uint32_t words_of_run(const sm_region_facts *r) {
    return r->bits & SM_FACT_LONG ? 2 : 1;
}

sm_status sm_facts_next(const sm_facts *f, uint32_t *at, sm_region_facts *out) {
    *out = (sm_region_facts){.first = f->n, .tag_mask = 0};
    if (*at >= f->n) {
        out->runs = 1;
        return SM_OK;
    }
    uint64_t head = word(f, (*at)++), runs = head >> SM_FACT_FIELDS_SHIFT;
    out->bits = head & 0xff;
    if (out->bits & SM_FACT_UNKNOWN) {
        out->bytes = runs;
        runs = 0;
    }
    if (out->bits & ~SM_FACT_BITS || runs > SM_FACTS_FIELDS_MAX)
        return SM_INVALID_STACKMAP;
    uint32_t more = !!(out->bits & SM_FACT_TYPE) + !!(out->bits & SM_FACT_MASK) + !!(out->bits & SM_FACT_BYTES);
    if (more > f->n - *at)
        return SM_INVALID_STACKMAP;
    if (out->bits & SM_FACT_TYPE)
        out->type = word(f, (*at)++);
    if (out->bits & SM_FACT_MASK)
        out->tag_mask = word(f, (*at)++);
    if (out->bits & SM_FACT_BYTES)
        out->bytes = word(f, (*at)++);
    out->first = *at;
    out->runs = (uint32_t)runs;
    if (runs * words_of_run(out) > f->n - *at)
        return SM_INVALID_STACKMAP;
    *at += out->runs * words_of_run(out);
    if (runs == 0 && !(out->bits & SM_FACT_UNKNOWN)) {
        out->runs = 1;
        out->first = f->n;
    }
    return SM_OK;
}

sm_status sm_facts_run(const sm_facts *f, const sm_region_facts *r, uint32_t i, sm_reference_run *out) {
    *out = (sm_reference_run){.count = 1, .stride = 8, .space = 1, .width = 8};
    if (r->first >= f->n)
        return SM_OK;
    uint64_t where = word(f, r->first + i * words_of_run(r));
    out->offset = (uint32_t)where;
    out->count = (uint32_t)(where >> 32);
    if (r->bits & SM_FACT_LONG) {
        uint64_t how = word(f, r->first + i * 2 + 1);
        out->stride = (uint32_t)how;
        out->space = how >> SM_FIELD_SPACE_SHIFT & 0xffffff;
        out->width = (uint8_t)(how >> SM_FIELD_WIDTH_SHIFT);
    }
    uint64_t last = out->count ? (uint64_t)out->stride * (out->count - 1) + out->offset : UINT64_MAX;
    int fits = out->count && last <= INT32_MAX && out->stride >= out->width;
    return fits && (out->width == 8 || out->width == 4) ? SM_OK : SM_INVALID_STACKMAP;
}

sm_status sm_facts_check(const sm_facts *f, uint32_t regions) {
    uint32_t at = 0;
    sm_status s = SM_OK;
    while (s == SM_OK && at < f->n) {
        sm_region_facts r;
        sm_reference_run run;
        s = regions-- ? sm_facts_next(f, &at, &r) : SM_INVALID_STACKMAP;
        for (uint32_t i = 0; s == SM_OK && i < r.runs; i++)
            s = sm_facts_run(f, &r, i, &run);
    }
    return s;
}
