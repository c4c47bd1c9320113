/* growth.h - functions of any size, for tests and benchmarks of what a compile costs by a function's size. */
#ifndef TEST_GROWTH_H
#define TEST_GROWTH_H

#include "files.h"

enum growth_form {
    GROWTH_LOOP,  /* an interpreter: a loop over a switch, whose arms use what is alive over all of it in one way */
    GROWTH_ROW,   /* one arm after another, each with a branch around it */
    GROWTH_QUIET, /* such a row without a safepoint */
    GROWTH_BLOCK, /* all arms in one block */
    GROWTH_STATE, /* likewise, and two calls whose states have the values %v0, %v1, ... of all arms */
};

struct growth_shape {
    const char *what;
    enum growth_form form;
    int live;                      /* how many values are alive over all of the function */
    int smd_only;                  /* boolean: the bare LLVM C API fails over it */
    const char *options;           /* one a line, as OPTION=VALUE */
    const char *gc;                /* its strategy; NULL: statepoint-example */
    const char *attributes;        /* of the function */
    const char *type;              /* of the parameters that are alive */
    const char *declared;          /* what the texts below need beside the common functions */
    const char *entry, *arm, *end; /* ENTRY, END: once for each value that is alive */
    const char *again;             /* of a block: once more for each arm, behind all of them; NULL */
};

extern const struct growth_shape growth_shapes[];
extern const int growth_shape_count;

/* The shape with so many ARMS: a module with polls. *new* */
struct bytes growth_module(const struct growth_shape *shape, int arms);

/* By its name; fails the program if there is none. */
const struct growth_shape *growth_shape_named(const char *what);

#endif
