/* gcs.c - the GC strategies that there are, and what kind each is. */
#include "core.h"

#include <string.h>

static const struct {
    const char *name;
    int features;
} strategies[] = {{"statepoint-example", GC_STATEPOINTS},
                  {"coreclr", GC_STATEPOINTS},
                  {"shadow-stack", GC_ROOTS},
                  {"erlang", GC_ROOTS},
                  {"ocaml", GC_ROOTS}};

#define COUNT (sizeof strategies / sizeof *strategies)

const char *const *known_strategies(void) {
    static const char *names[COUNT + 1];
    for (size_t i = 0; i < COUNT; i++)
        names[i] = strategies[i].name;
    return names;
}

int gc_features(const char *gc) {
    for (size_t i = 0; gc && i < COUNT; i++)
        if (strcmp(strategies[i].name, gc) == 0)
            return strategies[i].features;
    return 0;
}

int is_statepoint_gc(const char *gc) {
    return gc_features(gc) == GC_STATEPOINTS;
}
