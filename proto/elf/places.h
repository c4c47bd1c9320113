/* places.h - what an object's symbols and relocations say of places: which function or datum is where, and where an
 * address field points.
 *
 * In a relocatable object a place is a section and an offset in it, and an address field is what its relocation says.
 * In a linked file the offset is the virtual address, and the field itself or a dynamic relocation holds it.
 */
#ifndef SM_PLACES_H
#define SM_PLACES_H

#include "elffile.h"

typedef struct sm_place {
    uint32_t section;
    uint64_t offset, size;
    const char *name; /* borrowed from the object */
    int rank;         /* of two names of one place the higher ranked is taken, then the larger, then the first */
} sm_place;

/* The symbols of some types, sorted by section and offset. */
typedef struct sm_places {
    sm_place *place; /* owned */
    size_t places;
} sm_places;

#define SM_CODE_SYMBOLS     (1u << STT_FUNC | 1u << STT_GNU_IFUNC | 1u << STT_NOTYPE)
#define SM_FUNCTION_SYMBOLS (1u << STT_FUNC | 1u << STT_GNU_IFUNC)
#define SM_DATA_SYMBOLS     (1u << STT_FUNC | 1u << STT_OBJECT)

/* TYPES is a set of bits 1 << STT_…. SM_INVALID_OBJECT if a symbol is damaged, SM_NOMEM. */
sm_status sm_places_of(sm_places *p, const sm_elf *e, unsigned types);
void sm_places_free(sm_places *p);

/* The symbol of exactly this place; NULL if there is none. */
const sm_place *sm_place_at(const sm_places *p, uint32_t section, uint64_t offset);

/* The symbol that the byte at this place belongs to; NULL if there is none. */
const sm_place *sm_place_around(const sm_places *p, uint32_t section, uint64_t offset);

/* Where an address field points. */
typedef struct sm_target {
    uint32_t section;   /* index; 0 if it is in no section of this file */
    uint64_t offset;    /* in the section, or virtual address */
    const char *symbol; /* of the relocation, borrowed; a section's name for a section symbol; NULL if it has none */
    uint8_t type;       /* of that symbol, STT_… */
    uint64_t size;      /* of that symbol, bytes */
    int64_t addend;     /* of the relocation */
} sm_target;

/* The relocated fields of one section. */
typedef struct sm_fields {
    const sm_elf *e; /* borrowed */
    struct sm_field *field;
    size_t fields;
    struct sm_range *range; /* of a linked file: its sections by address */
    size_t ranges;
} sm_fields;

/* SM_INVALID_OBJECT if relocations or their symbols are damaged, SM_NOMEM. */
sm_status sm_fields_of(sm_fields *f, const sm_elf *e, size_t section);
void sm_fields_free(sm_fields *f);

/* Where the field AT bytes from the section's start points, which has STORED in it. 1 if something says so: a
 * relocation, or STORED itself in a linked file. */
int sm_field_target(const sm_fields *f, uint64_t at, uint64_t stored, sm_target *out);

/* The section of a linked file that has this address; 0 if none has. */
uint32_t sm_section_around(const sm_fields *f, uint64_t address);

#endif
