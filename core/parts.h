/* parts.h - code generation in parts: parts.c, with part.c and whole.c. */
#ifndef CORE_PARTS_H
#define CORE_PARTS_H

#include "core.h"
#include "elfjoin.h"

/* What nameless globals are called in the parts; a module that has such names is compiled whole. */
#define PART_PREFIX "smd.part."

/* One part, on its way from bitcode to object. It shares nothing with the others but what it reads. */
struct part {
    const struct compile *c;     /* only what a compile's thread leaves as it is meanwhile */
    LLVMMemoryBufferRef bitcode; /* borrowed: the module */
    const uint16_t *owner;       /* borrowed: of each function, in the module's order, the part that defines it */
    size_t functions;            /* how many these are */
    unsigned number;
    LLVMMemoryBufferRef object; /* owned: NULL if there is none */
    int said;                   /* boolean: LLVM had something to say of it */
};

/* Part 0 has the variables. */
void part_compile(struct part *p);

/* The name that a nameless global has in all parts: the N-th of the module's functions or variables. */
void part_name(int is_function, size_t n, char *name, size_t size);

/* Why the module's code is not generated in parts: what "it" has. Static; NULL if it can be. */
const char *whole_because(struct compile *c);

#endif
