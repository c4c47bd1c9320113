/* trial.h - one program, compiled with one set of options and run: what has come of it. */
#ifndef RANDOM_TRIAL_H
#define RANDOM_TRIAL_H

#include "buf.h"
#include "smclient.h"
#include "variant.h"
#include "world.h"

#include <stdio.h>
#include <sys/types.h>

/* X(NAME, "name"): what has come of it. All but the first two are faults. */
#define ENDING_MAP(X)                                                                                                \
    X(RIGHT, "right")         /* both worlds gave the same */                                                        \
    X(REFUSED, "refused")     /* in order: cannot_rewrite or safepoint_violation */                                  \
    X(COMPILE, "compile")     /* not compiled, for another reason */                                                 \
    X(LOAD, "load")           /* the object could not be loaded, or ended before it was done in the still world */   \
    X(MOVING, "moving")       /* a map is wrong: the collector or the program ended in the moving world */           \
    X(DIFFERENT, "different") /* a map is wrong: the moving world gave something else */                             \
    X(UNSTEADY, "unsteady")   /* the still world gave something else than with the program's other options */        \
    X(UNEQUAL, "unequal")     /* it ran, but its final IR, posted again, gives another object, or none; or it
                                 is another one as the later level of one upload */

enum ending {
#define X(name, word) ENDING_##name,
    ENDING_MAP(X) ENDINGS
#undef X
};
const char *ending_name(enum ending e);
int ending_from(const char *name); /* -1 if there is none of this name */

struct outcome {
    enum ending ending;
    char text[400];  /* why */
    uint64_t digest; /* of the still world */
    struct world_figures figures;
};

/* The processes that programs run in, one for each target; started when they are needed. One thread's. */
struct runners {
    struct runner {
        pid_t pid;
        FILE *to, *from;
    } runner[2];
    const char *leave_out; /* NULL, or the number of a root that each walk leaves out */
    int impatient;         /* boolean: programs may be ones that do not end */
};
void runners_stop(struct runners *r);

/* Has MODULE compiled, and runs it. */
void trial(sm_client *client, struct runners *r, const char *module, size_t len, const struct variant *v,
           struct outcome *out);

/* ---- disguise.c ---- */
/* Makes MODULE, which has room, what V->as says; options that a profile has instead go from OPTIONS into *PROFILE, a JSON
 * object (*new*, or NULL). */
void disguise(const struct variant *v, sm_buf *module, const char **options, char **profile);

/* ---- twice.c ---- */
int is_compiled_twice(const struct variant *v);     /* boolean */
int is_compiled_at_levels(const struct variant *v); /* boolean */
/* Has the final IR of ANSWER compiled as FIRST was; OUT becomes UNEQUAL unless that gives the same object. */
void round_trip(sm_client *client, const sm_request *first, const sm_answer *answer, struct outcome *out);
/* Has FIRST compiled at the level below it and at its own, with one upload; OUT becomes UNEQUAL unless the later answer is
 * ANSWER. */
void at_levels(sm_client *client, const sm_request *first, const sm_answer *answer, struct outcome *out);

/* A poll of its own, for options that want one. */
void append_poll(sm_buf *module, const struct variant *v);

#endif
