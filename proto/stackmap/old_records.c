/* old_records.c - statepoint records of versions 1 and 2, as those of version 3 are.
 *
 * What the LLVMs before 2017 wrote (StatepointLowering.cpp, test/CodeGen/X86/statepoint-stackmap-format.ll and
 * statepoint-allocas.ll of LLVM 3.6 to 4.0; Statepoints.rst of 2015):
 *
 *   2015, the document    number of deopt values, deopt values, pairs           id 2882400000 in every record
 *   LLVM 3.6              flags + 2 * convention, number, deopt values, pairs   likewise
 *   LLVM 3.7 and later    convention, flags, number, deopt values, pairs, then allocas of the gc arguments
 *
 * All of them call a spilled value "direct": register + offset, which is the slot's address. Version 3 calls it
 * "indirect"; an alloca is direct in all versions. So a pair of direct locations is a pair of slots here.
 *
 * One LLVM wrote all of a table. So the form is the one that all of its statepoint records have. If there are several,
 * and they do not agree on what the records say, the table is refused; so is a pair that may be two allocas.
 */
#include "stackmap_build.h"

#include <stdlib.h>
#include <string.h>

enum form { BY_NUMBER = 1, BY_FLAGS = 2, OF_TODAY = 3 }; /* as many constants as there are at first */

/* What the records of one table are read for. */
struct old {
    sm_stackmap *m;
    sm_stackmap_error *err;
    uint32_t first; /* the table's records are those from here on */
    uint8_t version;
    uint64_t *slot; /* owned; some slots of the record that is read, sorted */
    uint32_t slots;
};

/* 1 if the location is a constant from LOW to HIGH. */
static int is_constant(const sm_location *l, int64_t low, int64_t high) {
    return l->kind == SM_LOCATION_CONSTANT && l->constant >= low && l->constant <= high;
}

/* 1 if A and B can be a base and what is derived from it: both constants, and the same one, or neither. */
static int can_pair(const sm_location *a, const sm_location *b) {
    int constants = (a->kind == SM_LOCATION_CONSTANT) + (b->kind == SM_LOCATION_CONSTANT);
    return constants == 0 || (constants == 2 && a->constant == b->constant);
}

/* How many of the N locations at L, from the first on, are in pairs that are no two allocas for certain. */
static uint32_t count_pairs(const sm_location *l, uint32_t n) {
    uint32_t i = 0;
    while (i + 1 < n && can_pair(&l[i], &l[i + 1]))
        i += 2;
    return i;
}

/* If the record has this form, where its pairs begin; 0 if it has not. */
static uint32_t pairs_begin(const struct old *o, const sm_record *r, enum form form) {
    const sm_location *l = r->locations ? &o->m->location[r->location] : NULL;
    uint32_t n = r->locations, head = form;
    if (n < head || r->liveouts || !is_constant(&l[head - 1], 0, n - head))
        return 0;
    if (form == OF_TODAY ? !is_constant(&l[0], 0, 1023) || !is_constant(&l[1], 0, 3)
                         : o->version != 1 || r->id != SM_DEFAULT_ID)
        return 0;
    if (form == BY_FLAGS && !is_constant(&l[0], 0, 2 * 1023 + 1))
        return 0;
    uint32_t begin = head + (uint32_t)l[head - 1].constant, paired = count_pairs(&l[begin], n - begin);
    for (uint32_t i = begin + paired; i < n; i++)
        if (form != OF_TODAY || l[i].kind != SM_LOCATION_DIRECT)
            return 0;
    return begin;
}

/* 1 if the record is a statepoint of some form. */
static int is_statepoint(const struct old *o, const sm_record *r) {
    return pairs_begin(o, r, OF_TODAY) || pairs_begin(o, r, BY_FLAGS) || pairs_begin(o, r, BY_NUMBER);
}

/* 1 if the N locations at L and the K at M are the same, but for constants. */
static int same_roots(const sm_location *l, uint32_t n, const sm_location *m, uint32_t k) {
    uint32_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < n && l[i].kind == SM_LOCATION_CONSTANT)
            i++;
        while (j < k && m[j].kind == SM_LOCATION_CONSTANT)
            j++;
        if (i == n || j == k)
            return i == n && j == k;
        if (!sm_location_same(&l[i], &m[j]))
            return 0;
    }
}

/* 1 if all statepoints of the table have this form. */
static int all_have(const struct old *o, enum form form) {
    for (uint32_t i = o->first; i < o->m->records; i++)
        if (is_statepoint(o, &o->m->record[i]) && !pairs_begin(o, &o->m->record[i], form))
            return 0;
    return 1;
}

/* A record that says another thing by the form B than by A, which has more constants; NULL if there is none. */
static const sm_record *find_difference(const struct old *o, enum form a, enum form b) {
    for (uint32_t i = o->first; i < o->m->records; i++) {
        const sm_record *r = &o->m->record[i];
        const sm_location *l = r->locations ? &o->m->location[r->location] : NULL;
        uint32_t x = pairs_begin(o, r, a), y = pairs_begin(o, r, b), n = r->locations;
        if (x && y && (x != a || y != b || !same_roots(l + x, n - x, l + y, n - y)))
            return r;
    }
    return NULL;
}

/* Sets *FORM to the one that the table's statepoints have, 0 if there is none. Refuses several that differ. */
static sm_status find_form(const struct old *o, enum form *form) {
    int exist = 0;
    *form = 0;
    for (uint32_t i = o->first; i < o->m->records; i++)
        exist |= is_statepoint(o, &o->m->record[i]);
    for (int f = OF_TODAY; f >= BY_NUMBER; f--) {
        if (!all_have(o, (enum form)f))
            continue;
        const sm_record *r = *form ? find_difference(o, *form, (enum form)f) : NULL;
        if (r)
            return sm_stackmap_refuse(
                o->err, r->at,
                "Version 1 does not say whether a statepoint begins with %d constants or with %d, "
                "and its roots or deopt values differ by that",
                (int)*form, f);
        *form = *form ? *form : (enum form)f;
    }
    if (exist && !*form)
        return sm_stackmap_refuse(o->err, o->m->record[o->first].at,
                                  "The table's statepoints begin with different numbers of constants");
    if (!exist)
        *form = 0;
    return SM_OK;
}

/* 1 if a value of one of the table's statepoints is spilled as in version 3. */
static int has_indirect(const struct old *o, enum form form) {
    for (uint32_t i = o->first; i < o->m->records; i++) {
        const sm_record *r = &o->m->record[i];
        for (uint32_t k = 0; pairs_begin(o, r, form) && k < r->locations; k++)
            if (o->m->location[r->location + k].kind == SM_LOCATION_INDIRECT)
                return 1;
    }
    return 0;
}

/* The register and offset of a location. */
static uint64_t slot_of(const sm_location *l) {
    return (uint64_t)l->dwarf << 32 | (uint32_t)l->offset;
}

static int by_slot(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Lists the slots of the PAIRED locations at L; if OWN, only those of pairs whose base and derived pointer are one. */
static sm_status list_slots(struct old *o, const sm_location *l, uint32_t paired, int own) {
    uint64_t *slot = realloc(o->slot, (paired + 1) * sizeof *slot);
    if (!slot)
        return SM_NOMEM;
    o->slot = slot;
    o->slots = 0;
    for (uint32_t i = 0; i < paired; i++)
        if (l[i].kind == SM_LOCATION_DIRECT && (!own || sm_location_same(&l[i], &l[i ^ 1])))
            slot[o->slots++] = slot_of(&l[i]);
    qsort(slot, o->slots, sizeof *slot, by_slot);
    return SM_OK;
}

/* 1 if the location is one of the listed slots. */
static int is_listed(const struct old *o, const sm_location *l) {
    uint64_t slot = slot_of(l);
    return l->kind == SM_LOCATION_DIRECT && o->slots &&
           bsearch(&slot, o->slot, o->slots, sizeof slot, by_slot) != NULL;
}

/* Fails, with the record's place, if two of the PAIRED locations at L may be allocas as well. A base that is in a pair
 * of its own is a slot. */
static sm_status check_pairs(struct old *o, const sm_record *r, const sm_location *l, uint32_t paired) {
    sm_status s = list_slots(o, l, paired, 1);
    for (uint32_t i = 0; s == SM_OK && i < paired; i += 2)
        if (!sm_location_same(&l[i], &l[i + 1]) && !is_listed(o, &l[i]))
            s = sm_stackmap_refuse(o->err, r->at,
                                   "Version %u does not say whether two slots of a statepoint are a base and what is "
                                   "derived from it, or two allocas",
                                   o->version);
    return s;
}

/* The record's slots become indirect: of its pairs, and of deopt values that are in the same slot as one of them. */
static sm_status make_indirect(struct old *o, sm_record *r, enum form form) {
    uint32_t begin = pairs_begin(o, r, form);
    sm_location *l = &o->m->location[r->location];
    uint32_t paired = count_pairs(l + begin, r->locations - begin);
    sm_status s = form == OF_TODAY ? check_pairs(o, r, l + begin, paired) : SM_OK;
    if (s == SM_OK)
        s = list_slots(o, l + begin, paired, 0);
    for (uint32_t i = form; s == SM_OK && i < begin + paired; i++)
        if (is_listed(o, &l[i]))
            l[i].kind = SM_LOCATION_INDIRECT;
    return s;
}

/* Gives the record the three constants of today; a convention that it does not tell is C's. */
static sm_status add_constants(struct old *o, sm_record *r, enum form form) {
    sm_stackmap *m = o->m;
    uint32_t missing = OF_TODAY - form, n = r->locations + missing;
    sm_status s = sm_stackmap_more_locations(m, n);
    if (s != SM_OK)
        return s;
    const sm_location *from = &m->location[r->location];
    sm_location *to = &m->location[m->locations];
    memcpy(to + missing, from, r->locations * sizeof *to);
    int64_t both = form == BY_FLAGS ? from->constant : 0;
    for (uint32_t i = 0; i < OF_TODAY - 1; i++)
        to[i] = (sm_location){.kind = SM_LOCATION_CONSTANT, .size = 8, .constant = i ? both & 1 : both >> 1};
    r->location = m->locations;
    r->locations = n;
    m->locations += n;
    return SM_OK;
}

sm_status sm_stackmap_old_records(sm_stackmap *m, uint32_t first, uint8_t version, sm_stackmap_error *err) {
    struct old o = {.m = m, .err = err, .first = first, .version = version};
    enum form form;
    sm_status s = find_form(&o, &form);
    if (s != SM_OK || !form)
        return s;
    int is_direct = !has_indirect(&o, form);
    for (uint32_t i = first; s == SM_OK && i < m->records; i++) {
        sm_record *r = &m->record[i];
        if (!pairs_begin(&o, r, form))
            continue;
        if (is_direct)
            s = make_indirect(&o, r, form);
        if (s == SM_OK && form != OF_TODAY)
            s = add_constants(&o, r, form);
    }
    free(o.slot);
    return s;
}
