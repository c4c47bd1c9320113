/* statepoint.c - a statepoint record split into its parts.
 *
 * Source: LLVM 19, docs/Statepoints.rst ("Stack Map Format"): three constants (calling convention, flags, number of
 * deopt values), the deopt values, then pairs of base and derived pointers; allocas of the gc-live list follow as
 * single direct locations.
 */
#include "stackmap.h"

#include <stdlib.h>
#include <string.h>

#define POINTER   8u         /* bytes, on both targets */
#define ROOTS_MAX (1u << 20) /* of a record: 8 MiB of a frame */

/* 1 for a constant from LOW to HIGH. */
static int is_constant(const sm_location *l, int64_t low, int64_t high) {
    return l->kind == SM_LOCATION_CONSTANT && l->constant >= low && l->constant <= high;
}

/* How many pointers a location holds, as a spilled vector does. One that would end past the largest offset is
 * damaged, and counts as one. */
static uint32_t width(const sm_location *l) {
    int wide = l->kind == SM_LOCATION_INDIRECT && l->size > POINTER && l->size % POINTER == 0;
    return wide && l->offset <= INT32_MAX - l->size ? l->size / POINTER : 1;
}

/* Pointer I of a location that may hold several. */
static sm_location element(const sm_location *l, uint32_t i) {
    sm_location one = *l;
    if (width(l) > 1) {
        one.size = POINTER;
        one.offset += (int32_t)(i * POINTER);
    }
    return one;
}

/* How many of N locations are pairs: the regions after them are direct, every one, and a pair has at least one
 * member that is not, since a direct location is an alloca's own address. */
static uint32_t count_paired(const sm_location *l, uint32_t n) {
    while (n && l[n - 1].kind == SM_LOCATION_DIRECT)
        n--;
    return n + (n & 1);
}

/* How many pointers PAIRED locations hold, in pairs or, if SINGLE, each its own base. */
uint32_t sm_roots_count(const sm_location *l, uint32_t paired, int single) {
    uint32_t step = single ? 1 : 2, total = 0;
    for (uint32_t i = 0; i < paired; i += step)
        total += width(&l[i + step - 1]);
    return total;
}

/* Pointer E of a pair whose locations may hold several, as those of vectors do. */
sm_root sm_roots_element(const sm_location *base, const sm_location *derived, uint32_t e) {
    return (sm_root){element(base, e < width(base) ? e : 0), element(derived, e)};
}

/* How many pointers a pair holds, by its derived location. */
uint32_t sm_roots_width(const sm_location *derived) {
    return width(derived);
}

/* Fills in the roots: of locations in pairs, or, if SINGLE, each its own base; vectors element by element. */
static sm_status add_roots(sm_statepoint *s, const sm_location *l, uint32_t paired, int single) {
    uint32_t step = single ? 1 : 2, total = sm_roots_count(l, paired, single);
    s->root = total ? malloc(total * sizeof *s->root) : NULL;
    if (total && !s->root)
        return SM_NOMEM;
    for (uint32_t i = 0; i < paired; i += step) {
        const sm_location *base = &l[i], *derived = &l[i + step - 1];
        for (uint32_t e = 0; e < width(derived); e++)
            s->root[s->roots++] = sm_roots_element(base, derived, e);
    }
    return SM_OK;
}

/* Word I of a record of facts, which lies in constant locations (sm_facts). */
static uint64_t fact_word(const void *from, uint32_t i) {
    return (uint64_t)((const sm_location *)from)[i].constant;
}

/* Of N deoptimisation values, how many at their end describe the regions, with the mark; 0 if none does. */
static uint32_t count_facts(const sm_location *l, uint32_t n, uint32_t regions) {
    uint64_t mark = n && l[n - 1].kind == SM_LOCATION_CONSTANT ? (uint64_t)l[n - 1].constant : 0;
    uint32_t words = mark & SM_FACTS_COUNT_MASK;
    if ((mark & ~(uint64_t)SM_FACTS_COUNT_MASK) != SM_FACTS_MARK || words > n - 1)
        return 0;
    sm_facts f = {&l[n - 1 - words], fact_word, words};
    for (uint32_t i = n - 1 - words; i < n - 1; i++)
        if (l[i].kind != SM_LOCATION_CONSTANT)
            return 0;
    return sm_facts_check(&f, regions) == SM_OK ? words + 1 : 0;
}

int sm_statepoint_facts(const sm_stackmap *m, const sm_statepoint *s, sm_facts *facts) {
    *facts = (sm_facts){s->facts ? &m->location[s->fact] : NULL, fact_word, s->facts};
    return s->deopts_all > s->deopts;
}

static int state_constant(const void *from, uint32_t i, uint64_t *value) {
    const sm_location *l = (const sm_location *)from + i;
    *value = (uint64_t)l->constant;
    return l->kind == SM_LOCATION_CONSTANT;
}

sm_state sm_statepoint_state(const sm_stackmap *m, const sm_statepoint *s) {
    return (sm_state){s->deopts ? &m->location[s->deopt] : NULL, state_constant, s->deopts};
}

sm_status sm_statepoint_parts(const sm_location *l, uint32_t n, sm_statepoint *out, uint32_t *paired) {
    memset(out, 0, sizeof *out);
    if (n < 3 || !is_constant(&l[0], 0, 1023) || !is_constant(&l[1], 0, 3) || !is_constant(&l[2], 0, n - 3))
        return SM_INVALID_STACKMAP;
    out->calling_convention = (uint32_t)l[0].constant;
    out->flags = (uint32_t)l[1].constant;
    out->deopt = 3;
    out->deopts = (uint32_t)l[2].constant;
    uint32_t rest = 3 + out->deopts;
    *paired = count_paired(&l[rest], n - rest);
    if (*paired > n - rest)
        return SM_INVALID_STACKMAP;
    out->region = rest + *paired;
    out->regions = n - rest - *paired;
    out->deopts_all = out->deopts;
    uint32_t facts = count_facts(&l[3], out->deopts, out->regions);
    out->deopts -= facts;
    out->fact = out->deopt + out->deopts;
    out->facts = facts ? facts - 1 : 0;
    return SM_OK;
}

/* Reads the parts of a statepoint's record but for its roots; *PAIRED is how many of the locations after the deopt
 * values are pairs. A few bytes say how wide a location is: what would have more roots than a frame has room for is
 * damaged. */
static sm_status read_shape(const sm_stackmap *m, const sm_record *r, sm_statepoint *out, uint32_t *paired) {
    const sm_location *l = r->locations ? &m->location[r->location] : NULL;
    sm_status s = sm_statepoint_parts(l, r->locations, out, paired);
    if (s == SM_OK && sm_roots_count(l + out->deopt + out->deopts_all, *paired, 0) > ROOTS_MAX)
        s = SM_INVALID_STACKMAP;
    out->deopt += r->location;
    out->region += r->location;
    out->fact += r->location;
    return s;
}

sm_status sm_statepoint_split(const sm_stackmap *m, const sm_record *r, sm_statepoint *out) {
    uint32_t paired;
    memset(out, 0, sizeof *out);
    if (r->kind == SM_RECORD_GCROOT)
        return r->locations ? add_roots(out, &m->location[r->location], r->locations, 1) : SM_OK;
    sm_status s = read_shape(m, r, out, &paired);
    return s == SM_OK ? add_roots(out, &m->location[out->deopt] + out->deopts_all, paired, 0) : s;
}

void sm_statepoint_free(sm_statepoint *s) {
    free(s->root);
    memset(s, 0, sizeof *s);
}

void sm_stackmap_guess_kinds(sm_stackmap *m) {
    for (uint32_t i = 0; i < m->records; i++) {
        sm_record *r = &m->record[i];
        sm_statepoint s;
        uint32_t paired;
        if (r->kind != SM_RECORD_UNKNOWN)
            continue;
        int fits = r->liveouts == 0 && read_shape(m, r, &s, &paired) == SM_OK;
        r->kind = fits ? SM_RECORD_STATEPOINT : SM_RECORD_STACKMAP;
    }
}
