/* disguise.c - the same program as another kind of frontend would have it: of a strategy in a library, whose references
 * are of address space 200, or of a profile that the request brings, with options as its members. See trial.h. */
#include "trial.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY_SPACE "200"
#define PROFILE       "drawn"

/* The module with TO in the place of each FROM. Takes the module. */
static void replace(sm_buf *module, const char *from, const char *to) {
    sm_buf out;
    size_t n = strlen(from);
    const char *at = sm_buf_cstr(module), *next;
    sm_buf_init(&out, (size_t)1 << 28);
    for (; (next = strstr(at, from)) != NULL; at = next + n) {
        sm_buf_put(&out, at, (size_t)(next - at));
        sm_buf_puts(&out, to);
    }
    sm_buf_puts(&out, at);
    sm_buf_free(module);
    *module = out;
}

/* The member of a profile that takes the place of the option; NULL if there is none. */
static const char *member_of(const char *option, size_t len) {
    static const char *const members[][2] = {{"poll", "poll"},
                                             {"safepoints", "safepoints"},
                                             {"gc_registers", "registers"},
                                             {"frame_pointer", "frame_pointer"},
                                             {"remat", "remat"},
                                             {"all_backedges", "all_backedges"},
                                             {"split_backedges", "split_backedges"},
                                             {"counted_loop_bits", "counted_loop_bits"},
                                             {"counted_loop_turns", "counted_loop_turns"},
                                             {"stackmap_format", "table"},
                                             {"poll_interval", "poll_interval"},
                                             {"elide", "elide"}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strlen(members[i][0]) == len && strncmp(members[i][0], option, len) == 0)
            return members[i][1];
    return NULL;
}

/* The value as JSON: a number, a truth value or a text. */
static json_t *value_of(const char *text) {
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return json_boolean(*text == 't');
    return strspn(text, "0123456789") == strlen(text) ? json_integer(atoll(text)) : json_string(text);
}

/* Moves the options that a profile can have from OPTIONS into one; *new* text. */
static char *make_profile(const char *base, const char **options) {
    json_t *profile = json_pack("{ss,ss}", "name", PROFILE, "base", base);
    size_t kept = 0;
    for (size_t i = 0; options[i]; i++) {
        size_t len = strcspn(options[i], "=");
        const char *member = member_of(options[i], len);
        if (member)
            json_object_set_new(profile, member, value_of(options[i] + len + 1));
        else
            options[kept++] = options[i];
    }
    options[kept] = NULL;
    char *text = json_dumps(profile, JSON_COMPACT);
    json_decref(profile);
    return text;
}

void disguise(const struct variant *v, sm_buf *module, const char **options, char **profile) {
    static const char *const builtin[] = {"coreclr", "statepoint-example"};
    char from[64];
    const char *name = strcmp(v->as, "library") == 0 ? "mystatepoints" : PROFILE,
               *base = strstr(sm_buf_cstr(module), "gc \"coreclr\"") ? builtin[0] : builtin[1];
    *profile = NULL;
    if (!v->as[0])
        return;
    if (strcmp(v->as, "library") == 0) {
        replace(module, "addrspace(1)", "addrspace(" LIBRARY_SPACE ")");
    } else {
        *profile = make_profile(base, options);
    }
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++) {
        char to[64];
        snprintf(from, sizeof from, "gc \"%s\"", builtin[i]);
        snprintf(to, sizeof to, "gc \"%s\"", name);
        replace(module, from, to);
    }
}
