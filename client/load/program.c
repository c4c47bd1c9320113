/* program.c - sm_map_open: the compact table that a linker has put into this program, or into one of its shared
 * libraries.
 *
 * The file is asked where the table is, since nothing in memory says so; all else is read in memory, where it stands.
 */
#include "error.h"
#include "facts.h"
#include "faultmap.h"
#include "loader.h"
#include "map.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Reads a module's program headers: where it lies in memory, its code, and its .eh_frame_hdr. */
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

/* dl_iterate_phdr's callback: measures a module; 1, which ends the search, if it is the wanted one. */
static int look_at_module(struct dl_phdr_info *info, size_t size, void *arg) {
    struct module *m = arg;
    (void)size;
    measure(m, info);
    m->found = !m->wanted || (m->wanted >= m->start && m->wanted < m->end);
    return m->found;
}

/* 1 if the file has the program headers of the module in memory: another file may have come into its place. */
static int is_same(const struct module *m, const sm_elf *e) {
    Elf64_Ehdr h;
    size_t bytes = m->headers * sizeof *m->header;
    memcpy(&h, e->file.data, sizeof h);
    return h.e_phnum == m->headers && h.e_phoff <= e->file.len && bytes <= e->file.len - h.e_phoff &&
           memcmp((const char *)e->file.data + h.e_phoff, m->header, bytes) == 0;
}

/* 1 if these bytes lie in a readable segment of the module, so that they can be read as long as it is there. */
static int is_mapped(const struct module *m, uintptr_t start, size_t bytes) {
    for (size_t i = 0; i < m->headers; i++) {
        const ElfW(Phdr) *h = &m->header[i];
        uintptr_t at = start - (m->bias + h->p_vaddr);
        if (h->p_type == PT_LOAD && h->p_flags & PF_R && at <= h->p_memsz && bytes <= h->p_memsz - at)
            return 1;
    }
    return 0;
}

/* Where a section of the file is in memory; {NULL, 0} if it is not there. */
static sm_slice in_memory(const struct module *m, const sm_elf *e, size_t section) {
    uintptr_t start = m->bias + e->section[section].address;
    if (!section || !(e->section[section].flags & SHF_ALLOC) || !is_mapped(m, start, e->section[section].size))
        return (sm_slice){NULL, 0};
    return (sm_slice){(const void *)start, e->section[section].size}; /* NOLINT(performance-no-int-to-ptr) */
}

/* 1 if the file also has functions in LLVM's stackmap: a walk would end at their frames as at C code's, and miss
 * the roots beyond. */
static int has_other_safepoints(const sm_elf *e) {
    size_t i = sm_elf_find(e, SM_STACKMAP_SECTION, 0);
    while (i && !(e->section[i].flags & SHF_ALLOC && e->section[i].size))
        i = sm_elf_find(e, SM_STACKMAP_SECTION, i);
    return i != 0;
}

/* Finds the sections that are read, in memory. Fails if there are two of a name: linkers make one of all. */
static sm_result find_sections(const struct module *m, const sm_elf *e, struct linked_tables *t, sm_error *err) {
    const struct {
        const char *name;
        sm_slice *at;
    } wanted[] = {{SM_COMPACT_SECTION, &t->map},
                  {SM_FAULTMAP_SECTION, &t->faults},
                  {SM_TYPES_SECTION, &t->types},
                  {".eh_frame", &t->frames}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        size_t i = sm_elf_find(e, wanted[k].name, 0);
        if (i && sm_elf_find(e, wanted[k].name, i))
            return fail(err, SM_ERR_UNSUPPORTED, "%s has several sections %s", m->name, wanted[k].name);
        *wanted[k].at = in_memory(m, e, i);
    }
    return SM_SUCCESS;
}

/* Checks that the file is the module's and all its safepoints are in the compact table, and finds its tables. */
static sm_result find_section(const struct module *m, const sm_elf *e, struct linked_tables *t, sm_error *err) {
    size_t i = sm_elf_find(e, SM_COMPACT_SECTION, 0);
    if (!is_same(m, e))
        return fail(err, SM_ERR_INVALID_OBJECT, "%s is not the file that was loaded", m->name);
    if (!i || !(e->section[i].flags & SHF_ALLOC))
        return fail(err, SM_ERR_INVALID_STACKMAP, "%s has no section " SM_COMPACT_SECTION, m->name);
    if (has_other_safepoints(e))
        return fail(err, SM_ERR_UNSUPPORTED,
                    "%s has functions in " SM_STACKMAP_SECTION ", too, whose frames would be missed: smc compact for "
                    "their objects, too",
                    m->name);
    sm_result r = find_sections(m, e, t, err);
    if (r == SM_SUCCESS && !t->map.data)
        return fail(err, SM_ERR_INVALID_OBJECT, "The section " SM_COMPACT_SECTION " of %s is not in memory", m->name);
    return r;
}

/* Opens the module's file and finds its tables in memory. */
static sm_result find_tables(const struct module *m, struct linked_tables *t, sm_error *err) {
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

/* Opens the tables as the object's map. */
static sm_result make_map(sm_object *o, const struct module *from, struct linked_tables *tables, sm_error *err) {
    o->map = calloc(1, sizeof *o->map);
    if (!o->map)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the map");
    o->map->object = o;
    tables->start = from->start;
    tables->bytes = from->end - from->start;
    tables->code = from->code;
    tables->code_bytes = from->code_end - from->code;
    if (from->index && is_mapped(from, (uintptr_t)from->index, from->index_bytes))
        tables->index = (sm_slice){from->index, from->index_bytes};
    return linked_open(o->map, tables, err);
}

/* Finds the region of this code, from an earlier time if it is free now, or makes one. Fails if the module's map is
 * open already. */
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
    struct linked_tables tables = {0};
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
        object_link(o, &l->objects);
        if (out)
            *out = o;
        o = NULL;
    }
    loader_destroy(o);
    pthread_mutex_unlock(&l->lock);
    return r;
}
