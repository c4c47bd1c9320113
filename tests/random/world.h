/* world.h - what a generated program runs in: a heap, a collector, and the functions that it calls.
 *
 * The world is one of two kinds. In a still one nothing is ever collected and no map is looked at: what the program
 * computes there does not depend on the compiler's maps. In a moving one every safepoint moves every object, and what
 * was there before can no longer be read. The result has to be the same. */
#ifndef RANDOM_WORLD_H
#define RANDOM_WORLD_H

#include "smclient.h"

#define WORLD_NODE_POINTERS 3 /* of every object: so many pointers, the first of them never null, */
#define WORLD_NODE_WORDS    8 /* then so many words */

enum world_kind { WORLD_STILL, WORLD_MOVING };

struct world_figures {
    uint64_t collections, frames, roots, moved, signals, deopts;
};

void world_init(void);

/* What programs refer to, by name: for sm_loader_new. */
void *world_symbol(void *user, const char *name);

/* From each walk, root number N (from 0) is left out; -1: none. For the proof that the tests bite. */
void world_leave_out(long n);

/* Runs the object's `program` in an empty world; gives what it has computed: a digest of all that it noted, of its
 * result and of the objects that it kept. Ends the process with a line on stdout, "failed: …", where the collector
 * finds that a map is wrong. */
uint64_t world_run(sm_loader *loader, const sm_object *object, enum world_kind kind, struct world_figures *figures);

#endif
