/* parts.h - code generation in parts: parts.c, with partition.c, part.c and unsplittable.c. */
#ifndef CORE_PARTS_H
#define CORE_PARTS_H

#include "elfjoin.h"
#include "kept.h"
#include "state.h"

/* What nameless globals are called in the parts; a module that has such names is compiled unsplit. */

/* One part, on its way from bitcode to object. It shares nothing with the others but what it reads. */
struct part {
    const struct compile *c;     /* only what a compile's thread leaves as it is meanwhile */
    LLVMMemoryBufferRef bitcode; /* borrowed: the module, or of it what the part is in */
    const uint16_t *owner; /* borrowed: of each function with a body in there, in order, the part that it is of */
    unsigned first, last;  /* which parts are read: one but for a chunk */
    sm_slice settings;     /* borrowed: of a unit, all that its code depends on but its own bitcode */
    LLVMMemoryBufferRef object; /* owned: what is created, NULL if there is none: an object, or a chunk's bitcode */
    int declared;               /* boolean: LLVM had something to say of it */
    /* Of units: see part.c. */
    unsigned char key[SM_KEPT_KEY];
    sm_slice created;          /* the object, in `object` or in what was found */
    int is_result, is_earlier; /* booleans: it was created before, by an earlier compile */
    unsigned char *numbered;   /* owned: the same with the module's numbers of statepoints */
};

/* What is divided: functions with a body, in the module's order. */
struct functions {
    size_t with_body;
    LLVMValueRef *function;
    uint32_t *weight;
    uint64_t sum;
    uint16_t *owner; /* of each, the part that it is of */
};

/* partition.c: gives each function its owner; how many parts there are. Part 0 has the variables and
 * the first function. By weight: so many parts of about one weight. By name: about so many, whose bounds only names
 * decide. */
void groups_by_weight(const struct compile *c, struct functions *f, unsigned parts);
unsigned groups_by_name(const struct compile *c, struct functions *f, unsigned parts);

/* Generates the part's code: gives `object`, or none. Part 0 has the variables. */
void part_compile(struct part *p);

/* Likewise of a unit, of bitcode of its own; gives `numbered` or none, and `created`. */
void unit_compile(struct part *p);
void unit_read_chunk(struct part *p); /* gives the bitcode of several units that stand together */

/* The name, *new*, that a global of the module's own has in all parts: the N-th of the module's functions or
 * variables. */
char *part_name(LLVMValueRef v, int is_function, size_t n);

char *part_symbol(const char *fmt, ...)
    __attribute__((format(printf, 1, 2))); /* *new*: a name, as printf writes it */

#endif
