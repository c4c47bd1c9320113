/* faultmap.c - see faultmap.h. */
#include "faultmap.h"

#include "stackmap_build.h"
#include "stackmap_names.h"

#include <stdlib.h>

enum { FAULTMAP_VERSION = 1, FUNCTION = 16, FAULT = 12 };

const char *sm_fault_kind_name(unsigned kind) {
    static const char *const names[] = {NULL, "load", "load_store", "store"};
    return kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* Reads a function and its null checks from a fault map. */
static sm_status read_function(sm_stackmap *m, sm_cursor *c, sm_stackmap_error *err) {
    sm_function *f = &m->function[m->functions];
    *f = (sm_function){.at = c->pos, .frame_size = UINT64_MAX, .record = m->records, .fault = m->faults};
    f->offset = sm_get_u64(c);
    uint32_t n = sm_get_u32(c);
    sm_get_u32(c);
    if (c->status != SM_OK || n > sm_cursor_left(c) / FAULT)
        return sm_stackmap_refuse(err, c->pos, "%u null checks do not fit in the section", n);
    sm_status s = sm_stackmap_more_faults(m, n);
    for (uint32_t i = 0; s == SM_OK && i < n; i++) {
        uint32_t kind = sm_get_u32(c), offset = sm_get_u32(c), handler = sm_get_u32(c);
        if (!sm_fault_kind_name(kind))
            return sm_stackmap_refuse(err, c->pos - FAULT, "%u is no kind of fault", kind);
        m->fault[m->faults++] = (sm_fault){offset, handler, (uint8_t)kind};
    }
    f->faults = s == SM_OK ? n : 0;
    m->functions += s == SM_OK;
    return s;
}

/* Reads one fault map; a section may have several, one for each input of the linker. */
static sm_status read_map(sm_stackmap *m, sm_cursor *c, sm_stackmap_error *err) {
    uint8_t version = sm_get_u8(c);
    sm_get_u8(c);
    sm_get_u16(c);
    uint32_t functions = sm_get_u32(c);
    if (c->status != SM_OK || version != FAULTMAP_VERSION)
        return sm_stackmap_refuse(err, c->pos, "This is no fault map of version 1");
    if (functions > sm_cursor_left(c) / FUNCTION)
        return sm_stackmap_refuse(err, c->pos, "%u functions do not fit in the section", functions);
    sm_status s = sm_stackmap_more_functions(m, functions);
    for (uint32_t i = 0; s == SM_OK && i < functions; i++)
        s = read_function(m, c, err);
    return s;
}

sm_status sm_faultmap_decode(sm_stackmap *m, const void *bytes, size_t len, sm_stackmap_error *err) {
    sm_cursor c = sm_cursor_of(bytes, len);
    sm_status s = SM_OK;
    while (s == SM_OK && sm_cursor_left(&c)) {
        if (c.data[c.pos] == 0) /* between two, where a linker aligns its inputs */
            c.pos++;
        else
            s = read_map(m, &c, err);
    }
    return s;
}

/* ---- The functions that are there already --------------------------------------------------------------------- */

struct known {
    uint64_t offset;
    uint32_t section, function;
};

/* Orders functions by section and offset. */
static int by_place(const void *a, const void *b) {
    const struct known *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

/* The function at the same place; NULL if there is none. */
static const struct known *find_known(const struct known *known, uint32_t n, const sm_function *f) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct known *k = &known[middle];
        if (k->section < f->section_index || (k->section == f->section_index && k->offset < f->offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && known[low].section == f->section_index && known[low].offset == f->offset ? &known[low] : NULL;
}

/* Moves the null checks of functions from FIRST on to earlier entries for the same functions, and drops these
 * copies. */
static sm_status merge(sm_stackmap *m, uint32_t first) {
    uint32_t kept = first;
    struct known *known = malloc((first + 1) * sizeof *known);
    if (!known)
        return SM_NOMEM;
    for (uint32_t i = 0; i < first; i++)
        known[i] = (struct known){m->function[i].offset, m->function[i].section_index, i};
    qsort(known, first, sizeof *known, by_place);
    for (uint32_t i = first; i < m->functions; i++) {
        sm_function *f = &m->function[i];
        const struct known *k = find_known(known, first, f);
        if (k && m->function[k->function].faults == 0) {
            m->function[k->function].fault = f->fault;
            m->function[k->function].faults = f->faults;
        } else {
            m->function[kept++] = *f;
        }
    }
    m->functions = kept;
    free(known);
    return SM_OK;
}

sm_status sm_faultmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err) {
    sm_status s = SM_OK;
    for (size_t i = sm_elf_find(e, SM_FAULTMAP_SECTION, 0); i && s == SM_OK;
         i = sm_elf_find(e, SM_FAULTMAP_SECTION, i)) {
        uint32_t first = m->functions;
        s = sm_faultmap_decode(m, e->section[i].bytes.data, e->section[i].bytes.len, err);
        if (s == SM_OK)
            s = sm_stackmap_name_functions(m, first, e, i, err);
        if (s == SM_OK)
            s = merge(m, first);
    }
    return s;
}
