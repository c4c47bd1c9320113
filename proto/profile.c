/* profile.c - see profile.h. */
#include "profile.h"

#include <stdio.h>
#include <string.h>

static const struct sm_profile_member members[] = {
    {"safepoints", "safepoints"},
    {"poll", "poll"},
    {"poll_interval", "poll_interval"},
    {"counted_loop_bits", "counted_loop_bits"},
    {"all_backedges", "all_backedges"},
    {"split_backedges", "split_backedges"},
    {"barrier", "barrier"},
    {"barriers", "barriers"},
    {"transition", "transition"},
    {"roots", "scoped_roots"},
    {"bases", "bases"},
    {"table", "stackmap_format"},
    {"elide", "elide"},
    {"leaf", "leaf"},
    {"registers", "gc_registers"},
    {"remat", "remat"},
    {"null_checks", "null_checks"},
    {"frame_pointer", "frame_pointer"},
    {"unwind", "unwind"},
};

const struct sm_profile_member *sm_profile_members(size_t *count) {
    *count = sizeof members / sizeof *members;
    return members;
}

const char *const *sm_profile_bases(void) {
    static const char *const bases[] = {"statepoint-example", "coreclr", "shadow-stack", "erlang", "ocaml", NULL};
    return bases;
}

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int sm_profile_name_valid(const char *name, size_t len) {
    if (!len || len >= SM_PROFILE_NAME || !is_letter(*name))
        return 0;
    for (size_t i = 0; i < len; i++)
        if (!is_letter(name[i]) && !(name[i] >= '0' && name[i] <= '9') && name[i] != '-' && name[i] != '.')
            return 0;
    for (const char *const *b = sm_profile_bases(); *b; b++)
        if (strlen(*b) == len && memcmp(*b, name, len) == 0)
            return 0;
    return 1;
}

/* The value of the line at *AT if it begins with WORD and "="; moves *AT behind it. */
static int take_line(const char **at, const char *end, const char *word, char value[SM_PROFILE_NAME]) {
    size_t n = strlen(word);
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    if (!newline || (size_t)(newline - *at) <= n || memcmp(*at, word, n) != 0 || (*at)[n] != '=' ||
        (size_t)(newline - *at) - n - 1 >= SM_PROFILE_NAME)
        return 0;
    snprintf(value, SM_PROFILE_NAME, "%.*s", (int)(newline - *at - (long)n - 1), *at + n + 1);
    *at = newline + 1;
    return 1;
}

static int begins_profile(const char *at, const char *end) {
    static const char word[] = "profile=";
    return (size_t)(end - at) >= sizeof word - 1 && memcmp(at, word, sizeof word - 1) == 0;
}

int sm_profile_next(const char *text, size_t len, const char **at, sm_profile *p) {
    const char *end = text + len;
    if (!len)
        return 0;
    if (!*at)
        *at = text;
    if (!take_line(at, end, "profile", p->name) || !take_line(at, end, "base", p->base))
        return 0;
    p->options = *at;
    while (*at < end && !begins_profile(*at, end)) {
        const char *newline = memchr(*at, '\n', (size_t)(end - *at));
        *at = newline ? newline + 1 : end;
    }
    p->options_len = (size_t)(*at - p->options);
    return 1;
}

int sm_profile_find(const char *text, size_t len, const char *name, sm_profile *p) {
    const char *at = NULL;
    while (sm_profile_next(text, len, &at, p))
        if (strcmp(p->name, name) == 0)
            return 1;
    return 0;
}

int sm_profile_option(const sm_profile *p, const char **at, char name[64], const char **value, size_t *value_len) {
    const char *end = p->options + p->options_len;
    if (!p->options_len)
        return 0;
    if (!*at)
        *at = p->options;
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    const char *equals = newline ? memchr(*at, '=', (size_t)(newline - *at)) : NULL;
    if (!equals || equals - *at >= 64)
        return 0;
    snprintf(name, 64, "%.*s", (int)(equals - *at), *at);
    *value = equals + 1;
    *value_len = (size_t)(newline - equals) - 1;
    *at = newline + 1;
    return 1;
}
