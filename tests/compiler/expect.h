/* expect.h - the expectations that a test may state, one function each, and what they look at. */
#ifndef COMPILER_EXPECT_H
#define COMPILER_EXPECT_H

#include "script.h"

#include "artifact.h"
#include "files.h"

#include <jansson.h>

/* What an expectation may be written with, bits. */
enum {
    TAKES_TIMES = 1,
    TAKES_FUNCTION = 2,
    TAKES_SAFEPOINTS = 4,
    TAKES_PLACE = 8,
    MAY_BE_EMPTY = 16,
    TAKES_THEN = 32
};

/* What one run gave. */
struct outcome {
    const struct script *script;
    const char *words;  /* of the compile */
    const char *folder; /* for files */
    sm_buf *report;     /* what was not as expected */
    struct bytes bytes;
    sm_artifact artifact;
    char *text[SM_PART_KINDS]; /* owned; "" if there is no such part */
    char *objdump;             /* owned; NULL until it is wanted */
    json_t *map, *diagnostics; /* owned; NULL if there is none */
};

struct keyword {
    const char *name;
    void (*expect)(struct outcome *o, const struct directive *d);
    unsigned uses;
    enum sm_part part; /* that it looks at, where it looks at a text */
    const char *emit;  /* what has to be emitted for it; "" if nothing has to be */
};

/* NULL if there is none. */
const struct keyword *keyword_find(const char *name, size_t len);

/* Compiles as a run of a group says, and looks whether everything is as expected. What is not is appended to REPORT. */
void expect_run(const struct script *s, const struct group *g, const char *words, const char *folder, sm_buf *report);

#endif
