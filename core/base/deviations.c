/* deviations.c - what deviations.h names is noted, and reported. */
#include "deviations.h"
#include "state.h"

static const char *const texts[] = {
#define TEXT(name, text) [DEVIATION_##name] = text,
    DEVIATIONS(TEXT)
#undef TEXT
};

enum { COUNT = sizeof texts / sizeof *texts };

_Static_assert(COUNT <= 64, "deviations are bits of c->deviations");

/* 1 if the deviation, which is no change of the module, follows from the compile's options and results. */
static int is_so(const struct compile *c, enum deviation d) {
    switch (d) {
    case DEVIATION_PARTS:
        return c->parts > 1;
    case DEVIATION_PAGE:
        return c->page != NULL;
    case DEVIATION_GCMAP:
        return c->object.source && c->options->stackmap_format == SM_STACKMAP_GCMAP;
    case DEVIATION_COMPACT:
        return c->object.source != NULL;
    case DEVIATION_DEOPTIMIZES:
        return c->deoptimizes && c->options->opt != SM_OPT_0;
    case DEVIATION_GC_OPTION:
        return c->options->gc[0] != 0;
    case DEVIATION_KEEPS_LISTS:
        return c->keeps_lists && c->options->opt != SM_OPT_0;
    default:
        return 0;
    }
}

/* 1 if the deviation was noted, or follows from the rest of the compile. */
int has_deviated(const struct compile *c, enum deviation d) {
    return (c->deviations >> d & 1) != 0 || is_so(c, d);
}

/* The text of the first deviation, the reason why opt and llc would not give the same; NULL if there is none. */
const char *beyond_opt(const struct compile *c) {
    for (int d = 0; d < COUNT; d++)
        if (has_deviated(c, (enum deviation)d))
            return texts[d];
    return NULL;
}
