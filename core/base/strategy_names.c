/* strategy_names.c - the GC strategies that there are, and what kind each is. */
#include "base.h"

#include <string.h>

enum { BUILTIN = 5 };
static struct {
    char name[64];
    int features;
} strategies[BUILTIN + PLUGINS_MAX] = {{"statepoint-example", GC_STATEPOINTS},
                                       {"coreclr", GC_STATEPOINTS},
                                       {"shadow-stack", GC_ROOTS},
                                       {"erlang", GC_ROOTS},
                                       {"ocaml", GC_ROOTS}};
static size_t count = BUILTIN;

/* The names of all strategies, ended by NULL; valid until the next call. */
const char *const *known_strategies(void) {
    static const char *names[BUILTIN + PLUGINS_MAX + 1];
    for (size_t i = 0; i < count; i++)
        names[i] = strategies[i].name;
    return names;
}

/* The index of the strategy GC; count if it is not known. */
static size_t find_strategy(const char *gc) {
    size_t i = 0;
    while (i < count && strcmp(strategies[i].name, gc) != 0)
        i++;
    return i;
}

/* Adds the strategy of a plugin, or changes the features of one that is known; nothing if there are too many. */
void gcs_add(const char *name, int features) {
    size_t i = find_strategy(name);
    if (i == BUILTIN + PLUGINS_MAX)
        return;
    snprintf(strategies[i].name, sizeof strategies[i].name, "%s", name);
    strategies[i].features = features;
    count += i == count;
}

/* What kind the strategy is (GC_...); 0 if it is not known, or GC is NULL. */
int gc_features(const char *gc) {
    size_t i = gc ? find_strategy(gc) : count;
    return i < count ? strategies[i].features : 0;
}

/* 1 if the strategy is that of a plugin; 0 for NULL. */
int is_plugin_gc(const char *gc) {
    size_t i = gc ? find_strategy(gc) : 0;
    return i >= BUILTIN && i < count;
}
