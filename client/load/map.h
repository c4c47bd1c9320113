/* map.h - an object's functions and safepoints, as lookup and walker want them.
 *
 * Safepoints stay in a compact table (proto/compact/compact.h): the object's own as it stands in memory, or one that LLVM's
 * table and those of the gcroot strategies have become. A record is read out of it when somebody asks for it.
 */
#ifndef MAP_H
#define MAP_H

#include "compact.h"
#include "image.h"
#include "keep.h"
#include "sites.h"

/* A blob of the table. */
struct part {
    uintptr_t start; /* its first function's address */
    const unsigned char *blob;
    size_t first; /* its first function's number, of a linked program */
};

/* An instruction that may fault, and where it goes on then: distances from where the object's code begins. */
struct fault {
    uint32_t at, handler;
};

struct map {
    const sm_object *object;
    sm_code *code; /* by ascending address */
    size_t codes;
    struct part *part; /* likewise */
    size_t parts;
    const unsigned char *end; /* of the table */
    uintptr_t shift;          /* from where a blob is read to where it stands, as its fields have it */
    char *strings;
    struct linked *linked; /* NULL, or linked.c's: then functions are read as records are */
    struct fault *fault;   /* implicit null checks, by ascending address */
    size_t faults;
    _Atomic(struct kept *) kept;    /* those that were looked up, and stay */
    const struct type_symbol *type; /* in the object's data; borrowed */
    size_t types;
};

/* An entry of SM_TYPES_SECTION, relocated. */
struct type_symbol {
    uint64_t key;
    const void *symbol;
};

/* In a pair's slots, `reserved` says what the visitor does. In the base: visit it, as no pair before has it. In the
 * derived one: move it with its base, as no pair before has it and it is nobody's base. */
enum { SLOT_VISIT = 1 };

/* Reads the functions of an image that is in its place, and looks through its tables. *MAP is *new* (map_free). */
sm_result map_build(struct image *im, const sm_object *object, struct map **map);
void map_free(struct map *m);

/* decode.c: the record with a return address, its row unset; *new* (keep_give). NULL if there is none, it is damaged,
 * or there is no memory, which *NO_MEMORY is set for. For signal handlers, too. */
struct kept *map_read(const struct map *m, struct keep *keep, uintptr_t address, int *no_memory);

/* Calls EACH for every record that there is memory for, by ascending address, until it gives nonzero; gives that. */
int map_each(const struct map *m, struct keep *keep, int (*each)(void *user, const sm_site *site), void *user);

/* pairs.c: marks the pairs of one site. KEY has room for 2 * N keys. */
struct pair_key {
    uint64_t place;
    uint32_t order;
};
void mark_pairs(sm_pair *pair, uint32_t n, struct pair_key *key);

/* Likewise: what is marked in them. */
struct slots sum_pairs(const sm_pair *pair, uint32_t n);

/* The function that an address lies in; NULL if it is in none. */
const sm_code *map_find_code(const struct map *m, uintptr_t address);

/* The blob that an address would be in; NULL if it is before all. */
const struct part *map_part(const struct map *m, uintptr_t address);

/* Opens a blob. 0 if it is damaged. */
int map_open_part(const struct map *m, const struct part *p, sm_compact *c);

/* Adds the faults of function F, which stands where the code of so many bytes does, to OUT. 0 if one lies outside. */
int map_put_faults(sm_buf *out, const sm_stackmap *m, const sm_function *f, uintptr_t code, size_t bytes);

/* By ascending address. */
void map_sort_faults(sm_buf *faults);

void part_sort(struct part *part, size_t parts);

/* linked.c: tables in memory that stay there. */
struct linked_tables {
    uintptr_t start; /* of all that is mapped, for unwind entries */
    size_t bytes;
    uintptr_t code; /* what null checks lie in */
    size_t code_bytes;
    sm_slice map, index, frames; /* .eh_frame_hdr and .eh_frame: none if NULL */
    sm_slice faults, types;      /* none if NULL */
};

/* What it has made of M when it fails is for map_free. */
sm_result linked_open(struct map *m, const struct linked_tables *t, sm_error *err);

/* The unwind entry of the function that an address is in, or before; NULL if there is none. */
const unsigned char *linked_entry(const struct map *m, uintptr_t address);
const sm_code *linked_find_code(const struct map *m, uintptr_t address);
const sm_code *linked_code(const struct map *m, const struct part *p, const sm_compact *c,
                           uint32_t i); /* function I of P */
void linked_free(struct map *m);

#endif
