/* stackmap_names.c - see stackmap_names.h. */
#include "stackmap_names.h"

#include "places.h"

#include <stdio.h>
#include <stdlib.h>

/* 1 if a relocation names the function itself, which tells it from another at the same place, and not the section. */
static int names_function(const sm_target *t) {
    return t->symbol && t->type != STT_SECTION && t->addend == 0;
}

/* Sets a function's section, offset, name and size from what its address field points to. */
static void set_place(sm_function *f, const sm_elf *e, const sm_places *places, const sm_target *t) {
    f->section_index = t->section;
    f->section = t->section ? e->section[t->section].name : NULL;
    f->offset = t->offset;
    if (names_function(t)) {
        f->name = t->symbol;
        f->size = t->size;
        return;
    }
    const sm_place *place = t->section ? sm_place_at(places, t->section, t->offset) : NULL;
    f->name = place ? place->name : NULL;
    f->size = place ? place->size : 0;
}

/* Sets the place and name of every function from FIRST on; fails if an object has no relocation for one. */
static sm_status name_all(sm_stackmap *m, uint32_t first, const sm_elf *e, const sm_places *places,
                          const sm_fields *fields, sm_stackmap_error *err) {
    for (uint32_t i = first; i < m->functions; i++) {
        sm_function *f = &m->function[i];
        sm_target t;
        if (sm_field_target(fields, f->at, f->offset, &t)) {
            set_place(f, e, places, &t);
        } else if (e->type == ET_REL) {
            if (err) {
                err->offset = f->at;
                snprintf(err->message, sizeof err->message, "No relocation says where function %u is", i);
            }
            return SM_INVALID_STACKMAP;
        }
    }
    return SM_OK;
}

sm_status sm_stackmap_name_functions(sm_stackmap *m, uint32_t first, const sm_elf *e, size_t section,
                                     sm_stackmap_error *err) {
    sm_places places = {0};
    sm_fields fields = {0};
    if (m->functions == first)
        return SM_OK;
    sm_status s = sm_places_of(&places, e, SM_CODE_SYMBOLS);
    if (s == SM_OK)
        s = sm_fields_of(&fields, e, section);
    if (s == SM_INVALID_OBJECT && err)
        snprintf(err->message, sizeof err->message, "The object's symbols or relocations are damaged");
    if (s == SM_OK)
        s = name_all(m, first, e, &places, &fields, err);
    sm_fields_free(&fields);
    sm_places_free(&places);
    return s;
}

/* ---- Types --------------------------------------------------------------------------------------------------- */

enum { TYPE_ENTRY = 16 }; /* bytes: a key, and an address */

static int by_key(const void *a, const void *b) {
    const sm_type_symbol *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Sets a type's symbol: the relocation's own, or that of the datum that is there. */
static void set_symbol(sm_type_symbol *t, const sm_places *places, const sm_fields *fields, uint64_t at,
                       uint64_t stored) {
    sm_target target;
    if (!sm_field_target(fields, at, stored, &target))
        return;
    t->symbol = target.symbol;
    t->addend = target.addend;
    const sm_place *place = target.section ? sm_place_around(places, target.section, target.offset) : NULL;
    if (place && (!target.symbol || target.type == STT_SECTION)) {
        t->symbol = place->name;
        t->addend = (int64_t)(target.offset - place->offset);
    }
}

/* Adds the types of one section, with their symbols. */
static sm_status read_types(sm_stackmap *m, const sm_elf *e, size_t section, const sm_places *places) {
    const sm_elf_section *in = &e->section[section];
    size_t n = in->bytes.data ? in->bytes.len / TYPE_ENTRY : 0;
    sm_fields fields = {0};
    sm_status s = sm_fields_of(&fields, e, section);
    sm_type_symbol *grown =
        s == SM_OK && n && n <= UINT32_MAX - m->types ? realloc(m->type, (m->types + n) * sizeof *grown) : NULL;
    if (s == SM_OK && n && !grown)
        s = SM_NOMEM;
    if (grown)
        m->type = grown;
    sm_cursor c = sm_cursor_of(in->bytes.data, n * TYPE_ENTRY);
    for (size_t i = 0; s == SM_OK && i < n; i++) {
        uint64_t key = sm_get_u64(&c), stored = sm_get_u64(&c);
        sm_type_symbol t = {.key = key};
        set_symbol(&t, places, &fields, i * TYPE_ENTRY + 8, stored);
        if (key) /* what a linker puts between is zero */
            m->type[m->types++] = t;
    }
    sm_fields_free(&fields);
    return s;
}

sm_status sm_stackmap_name_types(sm_stackmap *m, const sm_elf *e) {
    sm_places places = {0};
    sm_status s = SM_OK;
    size_t section = sm_elf_find(e, SM_TYPES_SECTION, 0);
    if (!section)
        return SM_OK;
    s = sm_places_of(&places, e, SM_DATA_SYMBOLS);
    for (; section && s == SM_OK; section = sm_elf_find(e, SM_TYPES_SECTION, section))
        s = read_types(m, e, section, &places);
    if (m->types)
        qsort(m->type, m->types, sizeof *m->type, by_key);
    sm_places_free(&places);
    return s;
}

const sm_type_symbol *sm_stackmap_type(const sm_stackmap *m, uint64_t key) {
    sm_type_symbol wanted = {.key = key};
    return m->types ? bsearch(&wanted, m->type, m->types, sizeof wanted, by_key) : NULL;
}
