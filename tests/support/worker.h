/* worker.h - compiles by the worker alone, and what has to be in their answers. */
#ifndef TEST_WORKER_H
#define TEST_WORKER_H

#include "files.h"

#include "artifact.h"

extern const char *const targets[2];

struct compiled {
    struct bytes bytes;
    sm_artifact artifact;
    char *text[SM_PART_KINDS]; /* of the parts that are text; owned */
};

/* OPTIONS as on the worker's command line. The test fails if the compiler dies. drop ends it. */
struct compiled compile(const char *ir, const char *options, const char *target);
void drop(struct compiled *c);

/* How often WHAT is in TEXT. */
size_t count(const char *text, const char *what);

/* Compiled for both targets, PART holds WHAT so many times. */
void has(const char *ir, const char *options, enum sm_part part, const char *what, size_t times);

/* Refused for both targets, with this status, and HINT among the diagnostics. */
void refuses(const char *ir, const char *options, sm_status status, const char *hint);

#endif
