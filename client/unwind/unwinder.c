/* unwinder.c - see unwinder.h. */
#include "unwinder.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* libgcc's. A table is an array of sections that ends with NULL; OBJECT is room for six words of its own. Taking away
 * is by the table's address, and is left undone if 32 bits of zeros stand there. */
extern void __register_frame_info_table(void *table, void *object);
extern void __register_frame_info(const void *section, void *object);
extern void *__deregister_frame_info(const void *table);
extern const void *_Unwind_Find_FDE(void *pc, void *bases);

enum { OBJECT_WORDS = 8, BASES_WORDS = 4 };

struct part {
    uintptr_t object[OBJECT_WORDS];
    size_t entries, fdes;
    const struct unwind **entry; /* by ascending address; after the table */
    const void *table[];
};

/* ---- Which libgcc ------------------------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_tree; /* boolean */

/* A CIE without augmentation, and an FDE of it. */
static struct {
    uint32_t cie_bytes, cie_id;
    uint8_t cie[8];
    uint32_t fde_bytes, fde_cie;
    uintptr_t start, bytes;
    uint32_t end;
} sample = {12, 0, {1, 0, 1, 0x78, 16}, 4 + 2 * sizeof(uintptr_t), 20, 0, 8, 0};

/* Finds out whether libgcc keeps objects in a tree or a list, by trying: a list reads a section when it first looks
 * something up, a tree when it is registered. */
static void find_out(void) {
    static char place[64];
    static uintptr_t object[OBJECT_WORDS];
    uintptr_t bases[BASES_WORDS];
    sample.start = (uintptr_t)place;
    __register_frame_info(&sample, object);
    sample.start = (uintptr_t)place + 32;
    __asm__ volatile("" ::: "memory");
    is_tree = _Unwind_Find_FDE(place + 33, bases) == NULL;
    sample.start = (uintptr_t)place;
    __asm__ volatile("" ::: "memory");
    __deregister_frame_info(&sample);
}

/* ---- Parts -------------------------------------------------------------------------------------------------- */

static const uint32_t nothing[4]; /* a section without entries */

/* An empty section whose address has low 32 bits that are not zero: libgcc would not deregister a table that begins
 * with 32 bits of zeros. */
static const void *first_section(void) {
    return (uint32_t)(uintptr_t)nothing ? &nothing[0] : &nothing[2];
}

/* Fills a part's table of sections, for libgcc, from its entries. */
static void fill_table(struct part *p) {
    size_t n = 0;
    p->fdes = 0;
    p->table[n++] = first_section();
    for (size_t i = 0; i < p->entries; i++) {
        p->fdes += p->entry[i]->fdes;
        for (size_t s = 0; s < p->entry[i]->count; s++)
            p->table[n++] = p->entry[i]->section[s];
    }
    p->table[n] = NULL;
}

/* Registers a part's table with libgcc. */
static void register_part(struct part *p) {
    __register_frame_info_table(p->table, p->object);
}

/* Deregisters and frees a part. */
static void deregister_part(struct part *p) {
    __deregister_frame_info(p->table);
    free(p);
}

/* A part of these entries; NULL if out of memory. */
static struct part *part_new(const struct unwind *const *entry, size_t entries) {
    size_t sections = 0;
    for (size_t i = 0; i < entries; i++)
        sections += entry[i]->count;
    struct part *p = calloc(1, sizeof *p + (sections + 2 + entries) * sizeof(void *));
    if (!p)
        return NULL;
    p->entry = (const struct unwind **)(p->table + sections + 2);
    p->entries = entries;
    memcpy(p->entry, entry, entries * sizeof *entry);
    fill_table(p);
    return p;
}

/* How many functions a part may hold: the more there are in all, the more; 0 if libgcc has a tree, which needs no
 * large parts. */
static size_t limit_of(const struct unwinder *u) {
    size_t limit = 256;
    while (limit * limit < 16 * u->fdes)
        limit *= 2;
    return is_tree ? 0 : limit;
}

/* The index of the part that an address belongs to: the last that does not begin above it, or the first. */
static size_t find_part(const struct unwinder *u, uintptr_t start) {
    size_t low = 0, high = u->parts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (u->part[middle]->entry[0]->start <= start)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

/* Puts COUNT new parts (at most two) in the place of OLD ones from AT on. New ones are registered first, and old
 * ones then deregistered by ascending address: every function can be found at any time. 0 if out of memory. */
static int replace_parts(struct unwinder *u, size_t at, size_t old, struct part *const *new, size_t count) {
    enum { MOST = 2 };
    struct part *gone[MOST];
    assert(old <= MOST && count <= MOST);
    if (u->parts + count > u->cap) {
        size_t cap = 2 * u->cap + MOST;
        struct part **grown = realloc(u->part, cap * sizeof *grown);
        if (!grown)
            return 0;
        u->part = grown;
        u->cap = cap;
    }
    for (size_t i = 0; i < old; i++)
        gone[i] = u->part[at + i];
    memmove(&u->part[at + count], &u->part[at + old], (u->parts - at - old) * sizeof *u->part);
    u->parts += count - old;
    for (size_t i = 0; i < count; i++) {
        u->part[at + i] = new[i];
        register_part(new[i]);
    }
    for (size_t i = 0; i < old; i++)
        deregister_part(gone[i]);
    return 1;
}

/* Puts ENTRIES in the place of OLD parts from AT on: as one part, or as two. 0 if out of memory; then nothing has
 * changed. */
static int rewrite(struct unwinder *u, size_t at, size_t old, const struct unwind *const *entry, size_t entries,
                   int in_two) {
    size_t half = in_two ? entries / 2 : entries;
    struct part *new[2] = {part_new(entry, half), in_two ? part_new(entry + half, entries - half) : NULL};
    size_t count = in_two ? 2 : 1;
    if (new[0] && (!in_two || new[1]) && replace_parts(u, at, old, new, count))
        return 1;
    free(new[0]);
    free(new[1]);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- */

/* Adds a part with S as its only entry, as number AT. 0 if out of memory. */
static int add_alone(struct unwinder *u, size_t at, const struct unwind *s) {
    return rewrite(u, at, 0, &s, 1, 0);
}

/* Adds S to part AT, which is split if it becomes too large. 0 if out of memory. */
static int add_to(struct unwinder *u, size_t at, const struct unwind *s) {
    const struct part *p = u->part[at];
    size_t before = 0;
    const struct unwind **entry = malloc((p->entries + 1) * sizeof *entry);
    if (!entry)
        return 0;
    while (before < p->entries && p->entry[before]->start < s->start)
        before++;
    memcpy(entry, p->entry, before * sizeof *entry);
    entry[before] = s;
    memcpy(entry + before + 1, p->entry + before, (p->entries - before) * sizeof *entry);
    int ok = rewrite(u, at, 1, entry, p->entries + 1, p->fdes + s->fdes > limit_of(u));
    free(entry);
    return ok;
}

int unwinder_add(struct unwinder *u, const struct unwind *s) {
    pthread_once(&once, find_out);
    size_t at = find_part(u, s->start), limit = limit_of(u);
    const struct part *p = at < u->parts ? u->part[at] : NULL;
    int is_behind = p && p->entry[p->entries - 1]->start < s->start;
    int is_before = p && p->entry[0]->start > s->start;
    int is_full = p && p->fdes + s->fdes > limit;
    int ok = !p || (is_full && (is_behind || is_before)) ? add_alone(u, at + is_behind, s) : add_to(u, at, s);
    u->fdes += ok ? s->fdes : 0;
    return ok;
}

/* Removes entry I without asking for memory; for a moment libgcc does not know the part. */
static void remove_in_place(struct part *p, size_t i) {
    __deregister_frame_info(p->table);
    memmove(&p->entry[i], &p->entry[i + 1], (p->entries - i - 1) * sizeof *p->entry);
    p->entries--;
    fill_table(p);
    register_part(p);
}

/* Removes entry I of part AT; a part that becomes small is joined with a neighbour. 0 if out of memory. */
static int remove_from(struct unwinder *u, size_t at, size_t i) {
    size_t first = at, old = 1, n = 0, limit = limit_of(u) / 2;
    const struct part *p = u->part[at];
    if (at > 0 && u->part[at - 1]->fdes + p->fdes <= limit)
        first--, old++;
    else if (at + 1 < u->parts && u->part[at + 1]->fdes + p->fdes <= limit)
        old++;
    for (size_t k = first; k < first + old; k++)
        n += u->part[k]->entries;
    const struct unwind **entry = malloc(n * sizeof *entry);
    if (!entry)
        return 0;
    n = 0;
    for (size_t k = first; k < first + old; k++)
        for (size_t e = 0; e < u->part[k]->entries; e++)
            if (k != at || e != i)
                entry[n++] = u->part[k]->entry[e];
    int ok = rewrite(u, first, old, entry, n, 0);
    free(entry);
    return ok;
}

/* Deregisters an object's frames. Requires that they are registered. */
void unwinder_remove(struct unwinder *u, const struct unwind *s) {
    size_t at = find_part(u, s->start), i = 0;
    struct part *p = u->part[at];
    while (i < p->entries && p->entry[i] != s)
        i++;
    assert(i < p->entries);
    u->fdes -= s->fdes;
    if (p->entries == 1)
        replace_parts(u, at, 1, NULL, 0);
    else if (!remove_from(u, at, i))
        remove_in_place(p, i);
}

void unwinder_free(struct unwinder *u) {
    assert(u->parts == 0);
    free(u->part);
}
