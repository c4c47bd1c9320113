/* places.c - see places.h. */
#include "places.h"

#include <stdlib.h>
#include <string.h>

/* Orders symbols by section and offset; of several at one place the most telling comes first. */
static int by_place(const void *a, const void *b) {
    const sm_place *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->rank != y->rank)
        return y->rank - x->rank;
    if (x->size != y->size) /* a function without code has the next one's place */
        return x->size > y->size ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* How telling a symbol is: those that have a type before others, global names before local ones. 0 if it names
 * nothing, as mapping symbols ("$x") do. */
static int rank_of(const sm_elf_symbol *s, unsigned types) {
    if (!(types >> s->type & 1) || !s->in_section || s->section == SHN_UNDEF)
        return 0;
    if (!s->name[0] || s->name[0] == '$')
        return 0;
    return (s->type == STT_NOTYPE ? 1 : 3) + (s->bind != STB_LOCAL);
}

sm_status sm_places_of(sm_places *p, const sm_elf *e, unsigned types) {
    *p = (sm_places){0};
    p->place = malloc((e->symbols ? e->symbols : 1) * sizeof *p->place);
    if (!p->place)
        return SM_NOMEM;
    for (size_t i = 1; i < e->symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(e, i, &s) != SM_OK) {
            sm_places_free(p);
            return SM_INVALID_OBJECT;
        }
        int rank = rank_of(&s, types);
        if (rank)
            p->place[p->places++] = (sm_place){s.section, s.value, s.size, s.name, rank};
    }
    qsort(p->place, p->places, sizeof *p->place, by_place);
    return SM_OK;
}

void sm_places_free(sm_places *p) {
    free(p->place);
    *p = (sm_places){0};
}

/* The number of places before this one. */
static size_t places_before(const sm_places *p, uint32_t section, uint64_t offset) {
    size_t low = 0, high = p->places;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const sm_place *at = &p->place[middle];
        if (at->section < section || (at->section == section && at->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sm_place *sm_place_at(const sm_places *p, uint32_t section, uint64_t offset) {
    size_t i = places_before(p, section, offset);
    const sm_place *found = i < p->places ? &p->place[i] : NULL;
    return found && found->section == section && found->offset == offset ? found : NULL;
}

const sm_place *sm_place_around(const sm_places *p, uint32_t section, uint64_t offset) {
    const sm_place *exact = sm_place_at(p, section, offset);
    size_t i = places_before(p, section, offset);
    if (exact || i == 0)
        return exact;
    const sm_place *last = sm_place_at(p, section, p->place[i - 1].offset); /* the highest ranked of its names */
    return last && offset - last->offset < last->size ? last : NULL;
}

struct sm_field {
    uint64_t at;
    sm_target target;
};

struct sm_range {
    uint64_t start, size;
    uint32_t section;
};

/* Orders fields by offset. */
static int by_at(const void *a, const void *b) {
    const struct sm_field *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Orders ranges of addresses by their start. */
static int by_start(const void *a, const void *b) {
    const struct sm_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* 1 if a section of relocations may have some of this section's. */
static int applies(const sm_elf *e, size_t relocations, size_t section) {
    const sm_elf_section *r = &e->section[relocations];
    return r->type == SHT_RELA && (e->type != ET_REL || r->info == section);
}

/* Bounds how many relocations a section has. Section headers may claim the same bytes again and again: fails if
 * there are more than fit in the file. */
static sm_status count_relocations(const sm_elf *e, size_t section, size_t *count) {
    *count = 0;
    for (size_t i = 1; i < e->sections; i++) {
        *count += applies(e, i, section) ? sm_elf_reloc_count(e, i) : 0;
        if (*count > e->file.len / sizeof(Elf64_Rela))
            return SM_INVALID_OBJECT;
    }
    return SM_OK;
}

/* What a relocation points to. Fails if its symbol is damaged. */
static sm_status target_of(const sm_elf *e, size_t relocations, const sm_elf_reloc *r, sm_target *out) {
    sm_elf_symbol s = {0};
    if (r->symbol && sm_elf_symbol_in(e, e->section[relocations].link, r->symbol, &s) != SM_OK)
        return SM_INVALID_OBJECT;
    *out = (sm_target){.section = s.in_section ? s.section : 0,
                       .offset = s.value + (uint64_t)r->addend,
                       .symbol = s.name,
                       .type = s.type,
                       .size = s.size,
                       .addend = r->addend};
    return SM_OK;
}

/* Reads the relocations of a section, sorted by place. */
static sm_status read_fields(sm_fields *f, size_t section) {
    const sm_elf *e = f->e;
    int linked = e->type != ET_REL;
    uint64_t start = linked ? e->section[section].address : 0, size = e->section[section].size;
    for (size_t i = 1; i < e->sections; i++)
        for (size_t j = 0; applies(e, i, section) && j < sm_elf_reloc_count(e, i); j++) {
            sm_elf_reloc r;
            sm_target t;
            sm_status s = sm_elf_reloc_at(e, i, j, &r);
            if (s == SM_OK && linked && (r.offset < start || r.offset - start >= size))
                continue;
            if (s == SM_OK)
                s = target_of(e, i, &r, &t);
            if (s != SM_OK)
                return s;
            f->field[f->fields++] = (struct sm_field){r.offset - start, t};
        }
    qsort(f->field, f->fields, sizeof *f->field, by_at);
    return SM_OK;
}

/* Notes the addresses of a linked file's sections, but for thread-local ones: others have those addresses as well. */
static void read_ranges(sm_fields *f) {
    for (size_t i = 1; i < f->e->sections; i++) {
        const sm_elf_section *s = &f->e->section[i];
        if (s->flags & SHF_ALLOC && !(s->flags & SHF_TLS) && s->size)
            f->range[f->ranges++] = (struct sm_range){s->address, s->size, (uint32_t)i};
    }
    qsort(f->range, f->ranges, sizeof *f->range, by_start);
}

sm_status sm_fields_of(sm_fields *f, const sm_elf *e, size_t section) {
    size_t count;
    *f = (sm_fields){.e = e};
    sm_status s = count_relocations(e, section, &count);
    if (s != SM_OK)
        return s;
    f->field = malloc((count ? count : 1) * sizeof *f->field);
    f->range = malloc((e->sections ? e->sections : 1) * sizeof *f->range);
    s = f->field && f->range ? SM_OK : SM_NOMEM;
    /* What the loader does not map has its addresses in it already. */
    if (s == SM_OK && (e->type == ET_REL || e->section[section].flags & SHF_ALLOC))
        s = read_fields(f, section);
    if (s == SM_OK && e->type != ET_REL)
        read_ranges(f);
    if (s != SM_OK)
        sm_fields_free(f);
    return s;
}

void sm_fields_free(sm_fields *f) {
    free(f->field);
    free(f->range);
    *f = (sm_fields){0};
}

uint32_t sm_section_around(const sm_fields *f, uint64_t address) {
    size_t low = 0, high = f->ranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->range[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct sm_range *r = low ? &f->range[low - 1] : NULL;
    return r && address - r->start < r->size ? r->section : 0;
}

int sm_field_target(const sm_fields *f, uint64_t at, uint64_t stored, sm_target *out) {
    struct sm_field key = {.at = at}, *found = bsearch(&key, f->field, f->fields, sizeof key, by_at);
    *out = found ? found->target : (sm_target){.offset = stored};
    if (f->e->type == ET_REL)
        return found != NULL;
    if (out->symbol && !out->section) /* of another file: the loader's to find */
        return 1;
    if (out->offset == 0)
        out->offset = stored;
    out->section = sm_section_around(f, out->offset);
    return out->offset != 0;
}
