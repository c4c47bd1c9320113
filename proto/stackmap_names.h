/* stackmap_names.h - names, sections and sizes of a decoded stackmap's functions, from the object that it lies in. */
#ifndef SM_STACKMAP_NAMES_H
#define SM_STACKMAP_NAMES_H

#include "stackmap.h"

/* Requires M decoded from section SECTION of E. In a relocatable object a function's address is a relocation on its
 * field; in a linked one the field itself. SM_INVALID_STACKMAP if relocations or symbols are damaged, SM_NOMEM. */
sm_status sm_stackmap_name_functions(sm_stackmap *m, const sm_elf *e, size_t section);

/* The function symbols of an object by place, for looking up. */
typedef struct sm_places {
    struct sm_place {
        uint32_t section;
        uint64_t offset, size;
        const char *name; /* borrowed from the object */
        int rank;         /* of two names of one place the higher ranked is taken */
    } *place;             /* owned; sorted by section and offset */
    size_t places;
} sm_places;

sm_status sm_places_of(sm_places *p, const sm_elf *e);
const struct sm_place *sm_place_at(const sm_places *p, uint32_t section, uint64_t offset);
void sm_places_free(sm_places *p);

#endif
