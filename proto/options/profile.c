/* profile.c - see profile.h. */
#include "profile.h"

#include "jsontext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sm_profile_member members[] = {
    {"safepoints", "safepoints"},
    {"poll", "poll"},
    {"poll_interval", "poll_interval"},
    {"counted_loop_bits", "counted_loop_bits"},
    {"counted_loop_turns", "counted_loop_turns"},
    {"all_backedges", "all_backedges"},
    {"split_backedges", "split_backedges"},
    {"barrier", "barrier"},
    {"barriers", "barriers"},
    {"allocate", "allocate"},
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

/* 1 if the line at *AT begins with WORD and "=": copies its value and moves *AT to the next line. */
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

/* 1 if another profile begins at AT. */
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

int sm_profile_take_own(const char **text, size_t *len) {
    size_t n = sizeof SM_PROFILE_OWN - 1;
    if (*len < n || memcmp(*text, SM_PROFILE_OWN, n) != 0)
        return 0;
    *text += n;
    *len -= n;
    return 1;
}

/* ---- As JSON -------------------------------------------------------------------------------------------------- */

/* Writes "SPACE:32:SHIFT:BASE,...", or a tag mask, as entries of the JSON list "spaces". */
static void put_spaces(sm_buf *out, const char *option, const char *value, size_t len) {
    if (strcmp(option, "tag_mask") == 0) {
        char text[32];
        snprintf(text, sizeof text, "%.*s", (int)len, value);
        sm_buf_printf(out, "{\"tag_mask\":%lld}", (long long)strtoull(text, NULL, 0));
        return;
    }
    for (const char *at = value, *end = value + len; at < end; at++) {
        const char *stop = memchr(at, ',', (size_t)(end - at));
        char text[160], base[128] = "";
        unsigned space = 0, width = 0, shift = 0;
        stop = stop ? stop : end;
        snprintf(text, sizeof text, "%.*s", (int)(stop - at), at);
        sscanf(text, "%u:%u:%u:%127s", &space, &width, &shift, base);
        sm_buf_printf(out, "%s{\"space\":%u,\"width\":%u,\"shift\":%u", at == value ? "" : ",", space, width, shift);
        if (base[0])
            sm_buf_printf(out, ",\"base\":\"%s\"", base);
        sm_buf_puts(out, "}");
        at = stop;
    }
}

/* The member that stands for an option in JSON; NULL if it has none of its own. */
static const struct sm_profile_member *member_of(const char *option) {
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (strcmp(members[i].option, option) == 0)
            return &members[i];
    return NULL;
}

/* 1 if an option's value is written without quotes: a number or truth value. */
static int is_plain(const char *option, const char *value) {
    const sm_option_row *row = sm_option_find(option);
    return row && ((row->type == SM_OPTION_INT && *value >= '0' && *value <= '9') || row->type == SM_OPTION_BOOL);
}

sm_status sm_profile_json(const sm_profile *p, sm_buf *out) {
    const char *at = NULL, *value, *spaces = ",\"spaces\":[";
    char option[64];
    size_t len;
    sm_buf_printf(out, "{\"name\":\"%s\",\"base\":\"%s\"", p->name, p->base);
    while (sm_profile_option(p, &at, option, &value, &len)) {
        const struct sm_profile_member *m = member_of(option);
        if (!m) {
            sm_buf_puts(out, spaces);
            put_spaces(out, option, value, len);
            spaces = ",";
            continue;
        }
        sm_buf_printf(out, ",\"%s\":", m->member);
        if (is_plain(option, value))
            sm_buf_put(out, value, len);
        else
            sm_json_text(out, value, len);
    }
    sm_buf_puts(out, spaces[1] ? "}" : "]}");
    return out->status;
}

/* ---- Places in JSON ------------------------------------------------------------------------------------------- */

/* The quote that ends the string that begins at AT; the text's end if none does. */
static const char *end_of_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return at;
}

/* By how much a character of JSON changes the depth of nesting. */
static int step_of(char c) {
    return (c == '{' || c == '[') - (c == '}' || c == ']');
}

/* Where the member of the outermost object begins; NULL if it is not there. */
static const char *find_member(const char *json, const char *member, size_t len) {
    int depth = 0;
    for (const char *at = json; *at; at++) {
        depth += step_of(*at);
        if (*at != '"')
            continue;
        const char *begin = at;
        at = end_of_string(at);
        if (!*at)
            return NULL;
        const char *next = at + 1 + strspn(at + 1, " \t\r\n");
        if (depth == 1 && *next == ':' && (size_t)(at - begin) == len + 1 && memcmp(begin + 1, member, len) == 0)
            return begin;
    }
    return NULL;
}

/* The N-th entry of the first list after AT; AT itself if there are fewer. */
static const char *find_entry(const char *at, int n) {
    const char *member = at;
    int depth = 0;
    at += strcspn(at, "[");
    for (at += *at != 0; *at && n && depth >= 0; at++) {
        depth += step_of(*at);
        n -= *at == ',' && depth == 0;
        if (*at == '"')
            at = end_of_string(at);
        if (!*at)
            return member;
    }
    at += strspn(at, " \t\r\n");
    return n || depth < 0 || !*at ? member : at;
}

int sm_profile_line(const char *json, const char *member) {
    size_t len = strcspn(member, "[");
    const char *found = json ? find_member(json, member, len) : NULL;
    int line = 1;
    if (found && member[len])
        found = find_entry(found, atoi(member + len + 1));
    for (const char *at = json; found && at < found; at++)
        line += *at == '\n';
    return found ? line : 0;
}
