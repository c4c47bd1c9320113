/* framemap.c - see framemap.h.
 *
 * A frame map is u32 roots, u32 metadata (at most as many), and that many pointers. Its symbol is local, an object of
 * just that size, and named after its function; "__gc_f.1" is f's as well if the module had a "__gc_f" of its own.
 */
#include "framemap.h"

#include "places.h"
#include "stackmap_build.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "__gc_"
enum { HEADER = 8, POINTER = 8 };

/* A symbol of the object with what is needed to pair a map with its function. */
struct named {
    const char *name;
    sm_elf_symbol symbol;
    size_t file; /* local symbols come after the STT_FILE of their file */
};

struct reader {
    sm_stackmap *m;
    const sm_elf *e;
    struct named *function, *map; /* functions are sorted by name */
    size_t functions, maps;
    sm_places data;
    sm_fields fields;
    uint32_t section; /* that the fields are of; 0 if none yet */
    size_t left;      /* metadata that can still be, by the file's size */
};

static int by_name(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* 1 if the symbol looks like a frame map's, by its name, kind and size. */
static int is_map(const sm_elf_symbol *s) {
    return s->type == STT_OBJECT && s->bind == STB_LOCAL && s->in_section && s->size >= HEADER &&
           strncmp(s->name, PREFIX, sizeof PREFIX - 1) == 0;
}

/* 1 if the symbol is a function that the object defines. */
static int is_function(const sm_elf_symbol *s) {
    return s->type == STT_FUNC && s->in_section;
}

/* Counts symbols that may be frame maps, and functions. Most objects have no such maps: then nothing more is read. */
static sm_status count_maps(const sm_elf *e, size_t *maps, size_t *functions) {
    *maps = *functions = 0;
    for (size_t i = 1; i < e->symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(e, i, &s) != SM_OK)
            return SM_INVALID_OBJECT;
        *maps += is_map(&s);
        *functions += is_function(&s);
    }
    return SM_OK;
}

/* Lists the frame maps and, sorted by name, the functions. Requires readable symbols, and their counts. */
static sm_status collect_symbols(struct reader *r, size_t maps, size_t functions) {
    size_t file = 0;
    r->map = malloc(maps * sizeof *r->map);
    r->function = malloc((functions + 1) * sizeof *r->function);
    if (!r->map || !r->function)
        return SM_NOMEM;
    for (size_t i = 1; i < r->e->symbols; i++) {
        struct named n = {0};
        sm_elf_symbol_at(r->e, i, &n.symbol);
        n.name = n.symbol.name;
        file = n.symbol.type == STT_FILE ? i : file;
        n.file = n.symbol.bind == STB_LOCAL ? file : 0;
        if (is_map(&n.symbol))
            r->map[r->maps++] = n;
        else if (is_function(&n.symbol))
            r->function[r->functions++] = n;
    }
    qsort(r->function, r->functions, sizeof *r->function, by_name);
    return SM_OK;
}

/* Compares a terminated name with one of LEN bytes, as strcmp would. */
static int compare_name(const char *name, const char *wanted, size_t len) {
    int order = strncmp(name, wanted, len);
    return order ? order : name[len] != 0;
}

/* The function that a frame map in FILE belongs to, by its name of LEN bytes: a local one of that file, or else a
 * global one. NULL if there is none. */
static const sm_elf_symbol *find_function(const struct reader *r, const char *name, size_t len, size_t file) {
    size_t low = 0, high = r->functions;
    const sm_elf_symbol *global = NULL;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_name(r->function[middle].name, name, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < r->functions && compare_name(r->function[low].name, name, len) == 0; low++) {
        const struct named *f = &r->function[low];
        if (f->symbol.bind == STB_LOCAL && f->file == file)
            return &f->symbol;
        if (f->symbol.bind != STB_LOCAL)
            global = &f->symbol;
    }
    return global;
}

/* The function of a frame map's name; if there is none, that of the name without the number that LLVM appends to a
 * name that is taken. */
static const sm_elf_symbol *function_of(const struct reader *r, const struct named *map) {
    const char *name = map->name + sizeof PREFIX - 1, *dot = strrchr(name, '.');
    const sm_elf_symbol *f = find_function(r, name, strlen(name), map->file);
    if (f || !dot || dot == name || dot[1] == 0 || dot[1 + strspn(dot + 1, "0123456789")] != 0)
        return f;
    return find_function(r, name, (size_t)(dot - name), map->file);
}

/* Reads a frame map's counts; POINTERS stands before its pointers, and has no data if the symbol is no frame map.
 * SM_INVALID_OBJECT if the symbol ends outside its section: it might be a map, and a map that is left out loses
 * roots. */
static sm_status read_map(const struct reader *r, const sm_elf_symbol *s, sm_frame_map *out, sm_cursor *pointers) {
    const sm_elf_section *in = &r->e->section[s->section];
    uint64_t at = r->e->type == ET_REL ? s->value : s->value - in->address;
    memset(pointers, 0, sizeof *pointers);
    if (at > in->size || s->size > in->size - at)
        return SM_INVALID_OBJECT;
    if (!in->bytes.data)
        return SM_OK;
    sm_cursor c = sm_cursor_of(in->bytes.data, (size_t)(at + s->size));
    c.pos = (size_t)at;
    uint32_t roots = sm_get_u32(&c), metadata = sm_get_u32(&c);
    if (roots == 0 || metadata > roots || s->size != HEADER + (uint64_t)metadata * POINTER || metadata > r->left)
        return SM_OK;
    *out = (sm_frame_map){.section = in->name, .offset = s->value, .roots = roots, .metadata = metadata};
    *pointers = c;
    return SM_OK;
}

/* A pointer as a symbol and a distance from it: the relocation's own symbol, or that of the datum that is there. */
static sm_metadatum metadatum_of(const struct reader *r, uint64_t at, uint64_t stored) {
    sm_target t;
    if (!sm_field_target(&r->fields, at, stored, &t))
        return (sm_metadatum){.addend = (int64_t)stored};
    if (r->e->type != ET_REL && t.symbol && !t.section)
        return (sm_metadatum){t.symbol, t.addend};
    const sm_place *place = t.section ? sm_place_around(&r->data, t.section, t.offset) : NULL;
    if (place)
        return (sm_metadatum){place->name, (int64_t)(t.offset - place->offset)};
    if (r->e->type == ET_REL)
        return (sm_metadatum){t.symbol, t.addend};
    const sm_elf_section *in = t.section ? &r->e->section[t.section] : NULL;
    return in ? (sm_metadatum){in->name, (int64_t)(t.offset - in->address)} : (sm_metadatum){NULL, (int64_t)t.offset};
}

/* Reads the relocations of a section, unless that is done already. */
static sm_status enter_section(struct reader *r, uint32_t section) {
    if (r->section == section)
        return SM_OK;
    sm_fields_free(&r->fields);
    sm_status s = sm_fields_of(&r->fields, r->e, section);
    r->section = s == SM_OK ? section : 0;
    return s;
}

/* Adds the function of a frame map, with its roots' metadata; nothing if the symbol turns out to be no frame map. */
static sm_status add_map(struct reader *r, const struct named *map) {
    sm_cursor c;
    sm_frame_map fm;
    sm_stackmap *m = r->m;
    sm_status s = read_map(r, &map->symbol, &fm, &c);
    const sm_elf_symbol *f = c.data ? function_of(r, map) : NULL;
    if (s != SM_OK || !f)
        return s;
    s = enter_section(r, map->symbol.section);
    if (s == SM_OK)
        s = sm_stackmap_more_functions(m, 1);
    if (s == SM_OK)
        s = sm_stackmap_more_metadata(m, fm.metadata);
    if (s != SM_OK)
        return s;
    fm.metadatum = m->metadata;
    for (uint32_t i = 0; i < fm.metadata; i++) {
        size_t at = c.pos;
        m->metadatum[m->metadata++] = metadatum_of(r, at, sm_get_u64(&c));
    }
    r->left -= fm.metadata;
    m->function[m->functions++] = (sm_function){.name = f->name,
                                                .section = r->e->section[f->section].name,
                                                .offset = f->value,
                                                .size = f->size,
                                                .frame_size = UINT64_MAX,
                                                .record = m->records,
                                                .format = "shadow-stack",
                                                .has_frame_map = 1,
                                                .frame_map = fm};
    return SM_OK;
}

sm_status sm_framemaps_of_object(sm_stackmap *m, const sm_elf *e) {
    struct reader r = {.m = m, .e = e, .left = e->file.len / POINTER};
    size_t maps, functions;
    sm_status s = count_maps(e, &maps, &functions);
    if (s != SM_OK || maps == 0)
        return s;
    s = collect_symbols(&r, maps, functions);
    if (s == SM_OK)
        s = sm_places_of(&r.data, e, SM_DATA_SYMBOLS);
    for (size_t i = 0; s == SM_OK && i < r.maps; i++)
        s = add_map(&r, &r.map[i]);
    sm_fields_free(&r.fields);
    sm_places_free(&r.data);
    free(r.function);
    free(r.map);
    return s;
}
