/* linked.c - the compact table that a linker has put into this program, or into one of its shared libraries.
 *
 * The file is asked where the table is, since nothing in memory tells; all else is read in memory, where it stands. To
 * open it costs a look at the head of each blob. Functions are told of by .eh_frame_hdr, which the linker has sorted.
 */
#include "error.h"
#include "loader.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNREAD, READ };

struct linked_code {
    sm_code code;
    _Atomic(int) state; /* UNREAD until CODE can be read */
};

struct linked {
    struct linked_code *function; /* by number */
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

static uintptr_t index_at(const struct linked *l, size_t i, size_t field) {
    if (l->own)
        return field ? (uintptr_t)l->own[i].entry : l->own[i].code;
    return (uintptr_t)l->index + (uintptr_t)(intptr_t)(int32_t)u32_of(l->index + INDEX_HEAD + i * INDEX_PAIR + field);
}

static void find_index(struct linked *l, const unsigned char *header, size_t bytes) {
    static const unsigned char known[4] = {1, 0x1b, 0x03, 0x3b}; /* as every linker writes it */
    if (bytes < INDEX_HEAD || memcmp(header, known, sizeof known) != 0 ||
        u32_of(header + 8) > (bytes - INDEX_HEAD) / INDEX_PAIR)
        return;
    l->index = header;
    l->entries = u32_of(header + 8);
}

/* One of our own, in order. 0 if out of memory. */
static int make_index(struct linked *l, sm_slice section) {
    struct frames f = {0};
    frames_read(&f, section.data, section.len);
    frames_sort(&f);
    l->own = f.fdes ? malloc(f.fdes * sizeof *l->own) : NULL;
    for (size_t i = 0; l->own && i < f.fdes; i++)
        l->own[l->entries++] = (struct indexed){f.fde[i].start, f.fde[i].entry};
    int ok = l->own || !f.fdes;
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

/* Two that read it at once write the same. */
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

/* Code of other compilers stands between: what a function's unwind entry does not cover is not its. */
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
    free(l->own);
    free(l);
}

/* ---- Where it is ---------------------------------------------------------------------------------------------- */

/* A program or shared library in memory. */
struct module {
    uintptr_t wanted; /* an address in it; 0: the program, which comes first */
    int found;
    char name[4096];
    uintptr_t bias, start, end; /* start, end: of all that is mapped */
    uintptr_t code, code_end;
    const unsigned char *index;
    size_t index_bytes;
    const ElfW(Phdr) * header; /* borrowed */
    size_t headers;
};

static void measure(struct module *m, const struct dl_phdr_info *info) {
    m->start = m->code = UINTPTR_MAX;
    m->end = m->code_end = 0;
    m->index = NULL;
    m->bias = info->dlpi_addr;
    m->header = info->dlpi_phdr;
    m->headers = info->dlpi_phnum;
    snprintf(m->name, sizeof m->name, "%s", info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
    for (size_t i = 0; i < m->headers; i++) {
        const ElfW(Phdr) *h = &m->header[i];
        uintptr_t start = m->bias + h->p_vaddr, end = start + h->p_memsz;
        if (h->p_type == PT_GNU_EH_FRAME) {
            m->index = (const unsigned char *)start; /* NOLINT(performance-no-int-to-ptr) */
            m->index_bytes = h->p_memsz;
        }
        if (h->p_type != PT_LOAD)
            continue;
        m->start = start < m->start ? start : m->start;
        m->end = end > m->end ? end : m->end;
        if (h->p_flags & PF_X) {
            m->code = start < m->code ? start : m->code;
            m->code_end = end > m->code_end ? end : m->code_end;
        }
    }
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *arg) {
    struct module *m = arg;
    (void)size;
    measure(m, info);
    m->found = !m->wanted || (m->wanted >= m->start && m->wanted < m->end);
    return m->found;
}

/* The file is the one that was mapped, by its program headers; another may have come into its place. */
static int is_same(const struct module *m, const sm_elf *e) {
    Elf64_Ehdr h;
    size_t bytes = m->headers * sizeof *m->header;
    memcpy(&h, e->file.data, sizeof h);
    return h.e_phnum == m->headers && h.e_phoff <= e->file.len && bytes <= e->file.len - h.e_phoff &&
           memcmp((const char *)e->file.data + h.e_phoff, m->header, bytes) == 0;
}

/* A part of memory that can be read as long as the module is there. */
static int is_mapped(const struct module *m, uintptr_t start, size_t bytes) {
    for (size_t i = 0; i < m->headers; i++) {
        const ElfW(Phdr) *h = &m->header[i];
        uintptr_t at = start - (m->bias + h->p_vaddr);
        if (h->p_type == PT_LOAD && h->p_flags & PF_R && at <= h->p_memsz && bytes <= h->p_memsz - at)
            return 1;
    }
    return 0;
}

/* What the file says of itself, where it is in memory. */
struct tables {
    sm_slice map, frames; /* frames: none if it is not there */
};

static sm_slice in_memory(const struct module *m, const sm_elf *e, size_t section) {
    uintptr_t start = m->bias + e->section[section].address;
    if (!section || !(e->section[section].flags & SHF_ALLOC) || !is_mapped(m, start, e->section[section].size))
        return (sm_slice){NULL, 0};
    return (sm_slice){(const void *)start, e->section[section].size}; /* NOLINT(performance-no-int-to-ptr) */
}

static sm_result find_section(const struct module *m, const sm_elf *e, struct tables *t, sm_error *err) {
    size_t i = sm_elf_find(e, SM_COMPACT_SECTION, 0);
    if (!is_same(m, e))
        return fail(err, SM_ERR_INVALID_OBJECT, "%s is not the file that was loaded", m->name);
    if (!i || !(e->section[i].flags & SHF_ALLOC))
        return fail(err, SM_ERR_INVALID_STACKMAP, "%s has no section " SM_COMPACT_SECTION, m->name);
    if (sm_elf_find(e, SM_COMPACT_SECTION, i))
        return fail(err, SM_ERR_UNSUPPORTED, "%s has several sections " SM_COMPACT_SECTION, m->name);
    *t = (struct tables){in_memory(m, e, i), in_memory(m, e, sm_elf_find(e, ".eh_frame", 0))};
    if (!t->map.data)
        return fail(err, SM_ERR_INVALID_OBJECT, "The section " SM_COMPACT_SECTION " of %s is not in memory", m->name);
    return SM_SUCCESS;
}

static sm_result find_tables(const struct module *m, struct tables *t, sm_error *err) {
    char why[256] = "its headers cannot be read";
    struct stat st;
    sm_elf e = {0};
    int fd = open(m->name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0) {
        if (fd >= 0)
            close(fd);
        return fail(err, SM_ERR_SYSTEM, "%s cannot be read", m->name);
    }
    size_t len = (size_t)st.st_size;
    void *file = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return fail(err, SM_ERR_SYSTEM, "%s cannot be read", m->name);
    sm_status s = sm_elf_open(&e, file, len, why, sizeof why);
    sm_result r = s == SM_OK
                      ? find_section(m, &e, t, err)
                      : fail(err, s == SM_NOMEM ? SM_ERR_NO_MEMORY : SM_ERR_INVALID_OBJECT, "%s: %s", m->name, why);
    if (s == SM_OK)
        sm_elf_close(&e);
    munmap(file, len);
    return r;
}

/* ---- Opening -------------------------------------------------------------------------------------------------- */

static sm_result read_parts(struct map *m, sm_slice table, sm_error *err) {
    const unsigned char *start = table.data, *at = start, *end = start + table.len;
    sm_buf parts;
    sm_buf_init(&parts, SIZE_MAX / 2);
    while (at < end && parts.status == SM_OK) {
        sm_compact c;
        if (*at == 0) { /* between two, or behind the last */
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
    m->parts = parts.len / sizeof *m->part;
    m->part = parts.len ? (struct part *)sm_buf_take(&parts, &(size_t){0}) : NULL;
    m->end = end;
    if (parts.status != SM_OK)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    part_sort(m->part, m->parts);
    return SM_SUCCESS;
}

/* Functions are zeros until they are asked for: only those cost memory. */
static sm_result make_map(sm_object *o, const struct module *from, const struct tables *tables, sm_error *err) {
    o->map = calloc(1, sizeof *o->map);
    struct linked *l = o->map ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    o->map->object = o;
    o->map->linked = l;
    l->start = from->start;
    l->bytes = from->end - from->start;
    if (from->index && is_mapped(from, (uintptr_t)from->index, from->index_bytes))
        find_index(l, from->index, from->index_bytes);
    if (!l->index && tables->frames.data && !make_index(l, tables->frames))
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for unwind tables");
    sm_result r = read_parts(o->map, tables->map, err);
    if (r != SM_SUCCESS)
        return r;
    l->function = mmap(NULL, (l->functions + 1) * sizeof *l->function, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (l->function != MAP_FAILED)
        return SM_SUCCESS;
    l->function = NULL;
    return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map's functions");
}

/* The region of this code: one that is there from an earlier time, if it is free. */
static sm_result find_region(sm_loader *l, sm_object *o, const struct module *m, sm_error *err) {
    struct region *r = atomic_load_explicit(&l->regions, memory_order_relaxed);
    while (r && (r->page || r->start != m->code))
        r = r->next;
    if (r && atomic_load_explicit(&r->linked, memory_order_relaxed))
        return fail(err, SM_ERR_INVALID_ARGUMENT, "The map of %s is open already", m->name);
    if (r)
        r->code_bytes = m->code_end - m->code;
    else if (!(r = region_of_linked(m->code, m->code_end - m->code)))
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    else {
        r->next = atomic_load_explicit(&l->regions, memory_order_relaxed);
        atomic_store_explicit(&l->regions, r, memory_order_release);
    }
    o->region = r;
    o->span[AREA_CODE] = (struct span){.start = m->code}; /* of no bytes, which are not the region's to give back */
    o->code_bytes = m->code_end - m->code;
    return SM_SUCCESS;
}

sm_result sm_map_open(sm_loader *l, const void *address, sm_object **out, sm_error *err) {
    struct module m = {.wanted = (uintptr_t)address};
    struct tables tables = {{NULL, 0}, {NULL, 0}};
    if (out)
        *out = NULL;
    if (!l)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no loader");
    dl_iterate_phdr(look_at_module, &m);
    if (!m.found || m.code >= m.code_end)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "No program or shared library has this address");
    sm_result r = find_tables(&m, &tables, err);
    if (r != SM_SUCCESS)
        return r;
    sm_object *o = calloc(1, sizeof *o);
    if (o)
        o->name = strdup(m.name);
    if (!o || !o->name) {
        free(o);
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    }
    o->loader = l;
    pthread_mutex_lock(&l->lock);
    r = make_map(o, &m, &tables, err);
    if (r == SM_SUCCESS)
        r = find_region(l, o, &m, err);
    if (r == SM_SUCCESS) {
        region_publish(o->region, o->span[AREA_CODE], o);
        o->is_published = 1;
        link_object(o, &l->objects);
        if (out)
            *out = o;
        o = NULL;
    }
    loader_destroy(o);
    pthread_mutex_unlock(&l->lock);
    return r;
}
