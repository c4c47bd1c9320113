/* strategy_names.c - the GC strategies that there are, and what kind each is. */
#include "base.h"

#include <string.h>

enum { BUILTIN = 5 };
static struct {
    char name[64];
    int features;
    int has_spaces; /* boolean */
    unsigned char spaces[(SPACE_MAX + 1) / 8];
} strategies[BUILTIN + PLUGINS_MAX] = {{.name = "statepoint-example", .features = GC_STATEPOINTS},
                                       {.name = "coreclr", .features = GC_STATEPOINTS},
                                       {.name = "shadow-stack", .features = GC_ROOTS},
                                       {.name = "erlang", .features = GC_ROOTS},
                                       {.name = "ocaml", .features = GC_ROOTS}};
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

/* Adds the strategy of a plugin, or changes what is known of one; nothing if there are too many. SPACES: as gc_spaces
 * gives them; copied. */
void gcs_add(const char *name, int features, const unsigned char *spaces) {
    size_t i = find_strategy(name);
    if (i == BUILTIN + PLUGINS_MAX)
        return;
    snprintf(strategies[i].name, sizeof strategies[i].name, "%s", name);
    strategies[i].features = features;
    strategies[i].has_spaces = spaces != NULL;
    if (spaces)
        memcpy(strategies[i].spaces, spaces, sizeof strategies[i].spaces);
    count += i == count;
}

/* What kind the strategy is (GC_...); 0 if it is not known, or GC is NULL. */
int gc_features(const char *gc) {
    size_t i = gc ? find_strategy(gc) : count;
    return i < count ? strategies[i].features : 0;
}

const unsigned char *gc_spaces(const char *gc) {
    size_t i = gc ? find_strategy(gc) : count;
    return i < count && strategies[i].has_spaces ? strategies[i].spaces : NULL;
}

/* 1 if the strategy is that of a plugin; 0 for NULL. */
int is_plugin_gc(const char *gc) {
    size_t i = gc ? find_strategy(gc) : 0;
    return i >= BUILTIN && i < count;
}
