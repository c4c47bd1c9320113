/* stackmap_names.c - see stackmap_names.h. */
#include "stackmap_names.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b) {
    const struct sm_place *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return y->rank - x->rank;
}

/* Functions before other symbols, global names before local ones; mapping symbols ("$x") name nothing. */
static int rank_of(const sm_elf_symbol *s) {
    if (s->type != STT_FUNC && s->type != STT_NOTYPE && s->type != STT_GNU_IFUNC)
        return 0;
    if (!s->name[0] || s->name[0] == '$')
        return 0;
    return (s->type == STT_NOTYPE ? 1 : 3) + (s->bind != STB_LOCAL);
}

sm_status sm_places_of(sm_places *p, const sm_elf *e) {
    *p = (sm_places){0};
    p->place = malloc((e->symbols ? e->symbols : 1) * sizeof *p->place);
    if (!p->place)
        return SM_NOMEM;
    for (size_t i = 1; i < e->symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(e, i, &s) != SM_OK) {
            sm_places_free(p);
            return SM_INVALID_STACKMAP;
        }
        int rank = rank_of(&s);
        if (!rank || s.section == SHN_UNDEF || s.section >= e->sections)
            continue;
        p->place[p->places++] = (struct sm_place){s.section, s.value, s.size, s.name, rank};
    }
    qsort(p->place, p->places, sizeof *p->place, by_place);
    return SM_OK;
}

void sm_places_free(sm_places *p) {
    free(p->place);
    *p = (sm_places){0};
}

const struct sm_place *sm_place_at(const sm_places *p, uint32_t section, uint64_t offset) {
    size_t low = 0, high = p->places;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sm_place *at = &p->place[middle];
        if (at->section < section || (at->section == section && at->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    const struct sm_place *found = low < p->places ? &p->place[low] : NULL;
    return found && found->section == section && found->offset == offset ? found : NULL;
}

static void set_place(sm_function *f, const sm_elf *e, const sm_places *places, uint32_t section, uint64_t offset,
                      uint64_t symbol_offset) {
    const struct sm_place *place = sm_place_at(places, section, symbol_offset);
    f->section = e->section[section].name;
    f->offset = offset;
    if (place) {
        f->name = place->name;
        f->size = place->size;
    }
}

struct field {
    uint64_t offset; /* of the relocated field in the section */
    uint32_t section;
    uint64_t value;
    const char *name; /* of the symbol itself, for one that is not defined here */
};

static int by_offset(const void *a, const void *b) {
    const struct field *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* All relocations of the section, sorted; *new* */
static sm_status read_fields(const sm_elf *e, size_t section, struct field **out, size_t *count) {
    size_t n = 0;
    *out = NULL;
    for (size_t r = sm_elf_relocs_of(e, section, 0); r; r = sm_elf_relocs_of(e, section, r))
        n += sm_elf_reloc_count(e, r);
    struct field *field = malloc((n ? n : 1) * sizeof *field);
    if (!field)
        return SM_NOMEM;
    n = 0;
    for (size_t r = sm_elf_relocs_of(e, section, 0); r; r = sm_elf_relocs_of(e, section, r))
        for (size_t i = 0; i < sm_elf_reloc_count(e, r); i++) {
            sm_elf_reloc reloc;
            sm_elf_symbol symbol;
            if (sm_elf_reloc_at(e, r, i, &reloc) != SM_OK || sm_elf_symbol_at(e, reloc.symbol, &symbol) != SM_OK) {
                free(field);
                return SM_INVALID_STACKMAP;
            }
            field[n++] =
                (struct field){reloc.offset, symbol.section, symbol.value + (uint64_t)reloc.addend, symbol.name};
        }
    qsort(field, n, sizeof *field, by_offset);
    *out = field;
    *count = n;
    return SM_OK;
}

static sm_status name_relocatable(sm_stackmap *m, const sm_elf *e, size_t section, const sm_places *places) {
    struct field *field;
    size_t fields;
    sm_status s = read_fields(e, section, &field, &fields);
    for (uint32_t i = 0; s == SM_OK && i < m->functions; i++) {
        sm_function *f = &m->function[i];
        struct field key = {.offset = f->at}, *found = bsearch(&key, field, fields, sizeof *field, by_offset);
        if (!found)
            s = SM_INVALID_STACKMAP; /* without a relocation nothing says where the function is */
        else if (found->section != SHN_UNDEF && found->section < e->sections)
            set_place(f, e, places, found->section, found->value, found->value);
        else
            f->name = found->name;
    }
    free(field);
    return s;
}

static uint32_t section_holding(const sm_elf *e, uint64_t address) {
    for (size_t i = 1; i < e->sections; i++)
        if (e->section[i].flags & SHF_ALLOC && address >= e->section[i].address &&
            address - e->section[i].address < e->section[i].size)
            return (uint32_t)i;
    return 0;
}

/* The value that a dynamic relocation gives its field: its addend, and its symbol's value if it names one. */
static uint64_t relocated_value(const sm_elf *e, size_t section, const sm_elf_reloc *r) {
    sm_elf_symbol symbol = {0};
    if (r->symbol && sm_elf_symbol_in(e, e->section[section].link, r->symbol, &symbol) != SM_OK)
        return 0;
    return symbol.value + (uint64_t)r->addend;
}

/* The dynamic relocations that fill the section's fields: in a position-independent file the fields themselves may be
 * zero. Sorted; *new* */
static sm_status read_dynamic_fields(const sm_elf *e, size_t section, struct field **out, size_t *count) {
    uint64_t start = e->section[section].address, end = start + e->section[section].size;
    size_t most = 0, n = 0;
    for (size_t i = 1; i < e->sections; i++)
        most += e->section[i].type == SHT_RELA ? sm_elf_reloc_count(e, i) : 0;
    struct field *field = malloc((most ? most : 1) * sizeof *field);
    if (!field)
        return SM_NOMEM;
    for (size_t i = 1; i < e->sections; i++)
        for (size_t j = 0; e->section[i].type == SHT_RELA && j < sm_elf_reloc_count(e, i); j++) {
            sm_elf_reloc r;
            if (sm_elf_reloc_at(e, i, j, &r) == SM_OK && r.offset >= start && r.offset < end)
                field[n++] = (struct field){.offset = r.offset - start, .value = relocated_value(e, i, &r)};
        }
    qsort(field, n, sizeof *field, by_offset);
    *out = field;
    *count = n;
    return SM_OK;
}

static sm_status name_linked(sm_stackmap *m, const sm_elf *e, size_t section, const sm_places *places) {
    struct field *field;
    size_t fields;
    sm_status s = read_dynamic_fields(e, section, &field, &fields);
    for (uint32_t i = 0; s == SM_OK && i < m->functions; i++) {
        sm_function *f = &m->function[i];
        struct field key = {.offset = f->at}, *found = bsearch(&key, field, fields, sizeof *field, by_offset);
        if (found && found->value)
            f->offset = found->value;
        uint32_t holder = section_holding(e, f->offset);
        if (holder)
            set_place(f, e, places, holder, f->offset, f->offset);
    }
    if (s == SM_OK)
        free(field);
    return s;
}

sm_status sm_stackmap_name_functions(sm_stackmap *m, const sm_elf *e, size_t section) {
    sm_places places;
    if (m->functions == 0)
        return SM_OK;
    sm_status s = sm_places_of(&places, e);
    if (s != SM_OK)
        return s;
    if (e->type == ET_REL)
        s = name_relocatable(m, e, section, &places);
    else
        s = name_linked(m, e, section, &places);
    sm_places_free(&places);
    return s;
}
