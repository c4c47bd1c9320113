/* variants.h - the ways in which `bench code` compiles one program. */
#ifndef BENCH_VARIANTS_H
#define BENCH_VARIANTS_H

#include "files.h"

enum form {
    FORM_PLAIN,
    FORM_ROOTS,      /* each local reference is marked by llvm.gcroot */
    FORM_SCOPED,     /* each local reference is declared by llvm.gc.declare */
    FORM_TYPED,      /* the same, with metadata */
    FORM_SLOTS,      /* each local reference stays a stack slot: it has a type (!smd.type) */
    FORM_BARRIER,    /* the module has a write barrier of its own, which marks cards */
    FORM_DEOPT,      /* each call has the function's local variables as deoptimisation values */
    FORM_ALLOCATE,   /* the allocator is inlined late ("smd-allocate"), and accesses nothing as volatile */
    FORM_COMPRESSED, /* references in objects have 32 bits */
};

struct variant {
    const char *name, *options; /* the options of the compile */
    enum form form;
};

/* The first is the one without a collector. */
enum { VARIANTS = 34 };
extern const struct variant variants[VARIANTS];

/* The number of the variant of this name. */
int variant_number(const char *name);

/* The module as clang wrote it, without its optimiser, in another form. *new* */
struct bytes module_in_form(struct bytes ir, enum form form);

#endif
