/* linked.c - a map that a linker has made of those of many objects: read where it stands.
 *
 * To open it costs a look at the head of each blob. Functions are described by .eh_frame_hdr, which the linker has
 * sorted.
 */
#include "error.h"
#include "faultmap.h"
#include "map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { UNREAD, READ };

struct linked_code {
    sm_code code;
    _Atomic(int) state; /* UNREAD until CODE can be read */
};

struct linked {
    struct linked_code *function; /* by its number in the whole table */
    size_t functions;
    uintptr_t start; /* of what is mapped, for .eh_frame_hdr */
    size_t bytes;
    const unsigned char *index; /* .eh_frame_hdr; NULL if there is none that is known */
    struct indexed *own;        /* instead: gcc -static leaves it out */
    size_t entries;
};

/* A function's entry of .eh_frame. */
struct indexed {
    uintptr_t code;
    const unsigned char *entry;
};

/* ---- Unwind entries ------------------------------------------------------------------------------------------- */

/* The table is of pairs of distances from the header: of a function, and of its entry. */
enum { INDEX_HEAD = 12, INDEX_PAIR = 8 };

static uint32_t u32_of(const unsigned char *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* An address that entry I of the index has: FIELD 0 the function's, 4 that of its .eh_frame entry. */
static uintptr_t index_at(const struct linked *l, size_t i, size_t field) {
    if (l->own)
        return field ? (uintptr_t)l->own[i].entry : l->own[i].code;
    return (uintptr_t)l->index + (uintptr_t)(intptr_t)(int32_t)u32_of(l->index + INDEX_HEAD + i * INDEX_PAIR + field);
}

/* Uses .eh_frame_hdr as the index if it has the format that every linker writes and its entries fit in it. */
static void find_index(struct linked *l, const unsigned char *header, size_t bytes) {
    static const unsigned char known[4] = {1, 0x1b, 0x03, 0x3b}; /* as every linker writes it */
    if (bytes < INDEX_HEAD || memcmp(header, known, sizeof known) != 0 ||
        u32_of(header + 8) > (bytes - INDEX_HEAD) / INDEX_PAIR)
        return;
    l->index = header;
    l->entries = u32_of(header + 8);
}

/* Makes an index from .eh_frame, where there is no .eh_frame_hdr. 0 if out of memory. */
static int make_index(struct linked *l, sm_slice section) {
    struct frames f = {0};
    frames_read(&f, section.data, section.len);
    frames_sort(&f);
    l->own = f.fdes ? malloc(f.fdes * sizeof *l->own) : NULL;
    for (size_t i = 0; l->own && i < f.fdes; i++)
        l->own[l->entries++] = (struct indexed){f.fde[i].start, f.fde[i].entry};
    int ok = !f.no_memory && (l->own || !f.fdes);
    frames_free(&f);
    return ok;
}

const unsigned char *linked_entry(const struct map *m, uintptr_t address) {
    const struct linked *l = m->linked;
    size_t low = 0, high = l->entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index_at(l, middle, 0) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    uintptr_t entry = low ? index_at(l, low - 1, 4) : 0;
    return entry - l->start < l->bytes ? (const unsigned char *)entry : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

/* ---- Functions ------------------------------------------------------------------------------------------------ */

/* Function I of the part, read at its first use. Threads that read it at once write the same values. NULL if there
 * is no such number. */
const sm_code *linked_code(const struct map *m, const struct part *p, const sm_compact *c, uint32_t i) {
    struct linked_code *f = p->first + i < m->linked->functions ? &m->linked->function[p->first + i] : NULL;
    if (!f || atomic_load_explicit(&f->state, memory_order_acquire) == READ)
        return f ? &f->code : NULL;
    uintptr_t address = sm_compact_function(c, i);
    const unsigned char *entry = linked_entry(m, address);
    struct cie cie;
    struct fde fde = {0};
    if (entry)
        frames_entry(entry, &cie, &fde);
    sm_compact_walk w = sm_compact_begin(c, i);
    size_t frame = w.at.frame_size > SIZE_MAX ? SIZE_MAX : (size_t)w.at.frame_size;
    __atomic_store_n(&f->code.address, address, __ATOMIC_RELAXED);
    __atomic_store_n(&f->code.bytes, fde.start == address ? fde.end - fde.start : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&f->code.frame_size, frame, __ATOMIC_RELAXED);
    __atomic_store_n(&f->code.object, m->object, __ATOMIC_RELAXED);
    atomic_store_explicit(&f->state, READ, memory_order_release);
    return &f->code;
}

/* The function that an address lies in. What its unwind entry does not cover is not its: code of other compilers
 * may stand in between. NULL if there is none. */
const sm_code *linked_find_code(const struct map *m, uintptr_t address) {
    const struct part *p = map_part(m, address);
    sm_compact c;
    uint32_t before = p && map_open_part(m, p, &c) ? sm_compact_functions_before(&c, address) : 0;
    const sm_code *code = before ? linked_code(m, p, &c, before - 1) : NULL;
    return code && address - code->address < code->bytes ? code : NULL;
}

void linked_free(struct map *m) {
    struct linked *l = m->linked;
    if (l->function)
        munmap(l->function, (l->functions + 1) * sizeof *l->function);
    free(m->part);
    free(m->fault);
    free(l->own);
    free(l);
}

/* ---- Opening -------------------------------------------------------------------------------------------------- */

/* Opens every blob of the table and lists them by address. Fails if one is damaged. */
static sm_result read_parts(struct map *m, sm_slice table, sm_error *err) {
    const unsigned char *start = table.data, *at = start, *end = start + table.len;
    sm_buf parts;
    sm_buf_init(&parts, SIZE_MAX / 2);
    while (at < end && parts.status == SM_OK) {
        sm_compact c;
        if (*at == 0) { /* between two, or after the last */
            at++;
            continue;
        }
        if (sm_compact_open(&c, at, (size_t)(end - at)) != SM_OK || c.machine != HOST_MACHINE) {
            sm_buf_free(&parts);
            return fail(err, SM_ERR_INVALID_STACKMAP, "The stackmap is damaged at byte %zu: no table of version 1",
                        (size_t)(at - start));
        }
        struct part p = {.blob = at, .first = m->linked->functions};
        if (c.functions) {
            p.start = sm_compact_function(&c, 0);
            sm_buf_put(&parts, &p, sizeof p);
        }
        m->linked->functions += c.functions;
        at += c.size;
    }
    if (parts.status != SM_OK) {
        sm_buf_free(&parts);
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    }
    m->parts = parts.len / sizeof *m->part;
    m->part = parts.len ? (struct part *)sm_buf_take(&parts, &(size_t){0}) : NULL;
    m->end = end;
    part_sort(m->part, m->parts);
    return SM_SUCCESS;
}

/* Reads the null checks now, as a fault comes at any time. The linker has put the functions' addresses in. */
static sm_result read_faults(struct map *m, const struct linked_tables *t, sm_error *err) {
    sm_stackmap read = {.machine = HOST_MACHINE};
    sm_stackmap_error why = {.message = "Out of memory"};
    sm_buf faults;
    sm_buf_init(&faults, SIZE_MAX / 2);
    sm_status s = sm_faultmap_decode(&read, t->faults.data, t->faults.len, &why);
    for (uint32_t i = 0; s == SM_OK && i < read.functions; i++) {
        if (!map_put_faults(&faults, &read, &read.function[i], t->code, t->code_bytes)) {
            s = SM_INVALID_STACKMAP;
            snprintf(why.message, sizeof why.message, "Function %u lies outside the code", i);
        }
        s = s == SM_OK ? faults.status : s;
    }
    sm_stackmap_free(&read);
    if (s == SM_OK) {
        map_sort_faults(&faults);
        m->faults = faults.len / sizeof *m->fault;
        m->fault = faults.len ? (struct fault *)sm_buf_take(&faults, &(size_t){0}) : NULL;
    }
    sm_buf_free(&faults);
    return s == SM_OK      ? SM_SUCCESS
           : s == SM_NOMEM ? fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for null checks")
                           : fail(err, SM_ERR_INVALID_STACKMAP, SM_FAULTMAP_SECTION ": %s", why.message);
}

/* Opens the tables where they stand. The array of functions is mapped zeros until they are asked for: only those
 * cost memory. */
sm_result linked_open(struct map *m, const struct linked_tables *t, sm_error *err) {
    struct linked *l = calloc(1, sizeof *l);
    if (!l)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    m->linked = l;
    l->start = t->start;
    l->bytes = t->bytes;
    if (t->index.data)
        find_index(l, t->index.data, t->index.len);
    if (!l->index && t->frames.data && !make_index(l, t->frames))
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for unwind tables");
    m->type = (const struct type_symbol *)(const void *)t->types.data;
    m->types = t->types.len / sizeof *m->type;
    sm_result r = read_parts(m, t->map, err);
    if (r == SM_SUCCESS)
        r = read_faults(m, t, err);
    if (r != SM_SUCCESS)
        return r;
    l->function = mmap(NULL, (l->functions + 1) * sizeof *l->function, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (l->function != MAP_FAILED)
        return SM_SUCCESS;
    l->function = NULL;
    return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map's functions");
}
