/* stackmap_names.c - see stackmap_names.h. */
#include "stackmap_names.h"

#include "places.h"

#include <stdio.h>

/* A relocation may name the function itself, which tells it from another at the same place; or the section that it
 * lies in. */
static int names_function(const sm_target *t) {
    return t->symbol && t->type != STT_SECTION && t->addend == 0;
}

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
