/* maps.c - see maps.h. */
#include "maps.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b) {
    const sm_function *x = *(const sm_function *const *)a, *y = *(const sm_function *const *)b;
    if (x->section_index != y->section_index)
        return x->section_index < y->section_index ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x < y ? -1 : x > y;
}

static const sm_function **sorted(const sm_stackmap *m) {
    const sm_function **list = malloc((m->functions + 1) * sizeof *list);
    for (uint32_t i = 0; i < m->functions; i++)
        list[i] = &m->function[i];
    qsort(list, m->functions, sizeof *list, by_place);
    return list;
}

/* What locations of their kind have no use for may differ. */
static int same_location(const sm_location *a, const sm_location *b) {
    int is_constant = a->kind == SM_LOCATION_CONSTANT, is_register = a->kind == SM_LOCATION_REGISTER;
    return a->kind == b->kind && a->size == b->size && (is_constant || a->dwarf == b->dwarf) &&
           (is_constant || is_register || a->offset == b->offset) && (!is_constant || a->constant == b->constant);
}

static const char *records_differ(const sm_stackmap *a, const sm_record *x, const sm_stackmap *b,
                                  const sm_record *y) {
    if (x->id != y->id || x->offset != y->offset || x->kind != y->kind || x->fault_offset != y->fault_offset ||
        x->patch_bytes != y->patch_bytes)
        return "id, offset, kind, fault offset or room of a record";
    if ((x->reason || y->reason) && (!x->reason || !y->reason || strcmp(x->reason, y->reason) != 0))
        return "the reason of a record";
    if (x->locations != y->locations || x->liveouts != y->liveouts)
        return "how many locations or live-outs a record has";
    for (uint32_t i = 0; i < x->locations; i++)
        if (!same_location(&a->location[x->location + i], &b->location[y->location + i]))
            return "a location";
    for (uint32_t i = 0; i < x->liveouts; i++)
        if (a->liveout[x->liveout + i].dwarf != b->liveout[y->liveout + i].dwarf ||
            a->liveout[x->liveout + i].size != b->liveout[y->liveout + i].size)
            return "a live-out";
    return NULL;
}

static const char *functions_differ(const sm_stackmap *a, const sm_function *x, const sm_stackmap *b,
                                    const sm_function *y) {
    const char *found = x->frame_size != y->frame_size ? "a frame's size" : NULL;
    if (x->records != y->records)
        return "how many records a function has";
    for (uint32_t i = 0; !found && i < x->records; i++)
        found = records_differ(a, &a->record[x->record + i], b, &b->record[y->record + i]);
    return found;
}

const char *maps_differ(const sm_stackmap *a, const sm_stackmap *b) {
    if (a->functions != b->functions)
        return "how many functions there are";
    const sm_function **x = sorted(a), **y = sorted(b);
    const char *found = NULL;
    for (uint32_t i = 0; !found && i < a->functions; i++)
        found = functions_differ(a, x[i], b, y[i]);
    free(x);
    free(y);
    return found;
}
