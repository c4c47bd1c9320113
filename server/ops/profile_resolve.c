/* profile_resolve.c - one profile: JSON that a person wrote -> the text that proto/options/profile.h has. See
 * profiles.h. */
#include "profiles.h"

#include "barrier.h"
#include "optionvalue.h"
#include "profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *source; /* the JSON text; NULL */
    const char *member; /* the one that is read; "spaces[1]" is an entry of a list */
    struct error *err;
};

/* Sets the error, with the line of the member that is read. Gives 0. */
__attribute__((format(printf, 2, 3))) static int wrong(struct reading *r, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->err->text, sizeof r->err->text, fmt, ap);
    va_end(ap);
    r->err->line = r->member ? sm_profile_line(r->source, r->member) : 0;
    return 0;
}

/* Prefixes the error with the member that it is about. Gives 0. */
static int wrong_member(struct reading *r) {
    char *rest = strdup(r->err->text);
    if (rest)
        snprintf(r->err->text, sizeof r->err->text, "'%s': %s", r->member, rest);
    free(rest);
    return 0;
}

/* 1 if a string in the list has a comma, which would make two words of it. */
static int has_comma(const json_t *list) {
    size_t i;
    json_t *word;
    json_array_foreach(list, i, word) if (json_is_string(word) && strchr(json_string_value(word), ',')) return 1;
    return 0;
}

/* The kinds that the values of some options have, and how many fields follow each; otherwise only the compiler reads
 * them. */
static const struct {
    const char *option, *kind;
    int fields;
} kinds[] = {
    {"poll", "module", 0}, {"poll", "call", 1}, {"poll", "flag", 2}, {"poll", "page", 1}, {"poll", "tls", 2}};

/* 1 if the text is KIND:FIELD:... with a kind of the option's and as many fields as that has, none empty. */
static int fits_kind(const char *option, const char *text, size_t len) {
    size_t kind = 0;
    int fields = 0;
    while (kind < len && text[kind] != ':')
        kind++;
    for (size_t i = kind; i < len; i++) {
        fields += text[i] == ':';
        if (text[i] == ':' && (i + 1 == len || text[i + 1] == ':'))
            return 0;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].option, option) == 0 && strlen(kinds[i].kind) == kind &&
            memcmp(kinds[i].kind, text, kind) == 0)
            return kinds[i].fields == fields;
    return 0;
}

/* 1 if the text is a value that the option can have; of options that only the compiler reads, always. */
static int has_kind(const char *option, const char *text) {
    struct sm_barriers barriers;
    if (strcmp(option, "barrier") == 0)
        return sm_barriers_read(&barriers, text);
    return strcmp(option, "poll") != 0 || fits_kind(option, text, strlen(text));
}

/* 1 if the value has the type that profile.schema.json gives the option. For an option that is a list, both a list
 * and its words with commas will do. */
static int has_type(const sm_option_row *row, const json_t *value) {
    int is_list = row->type == SM_OPTION_SET || strcmp(row->name, "barrier") == 0 || strcmp(row->name, "leaf") == 0;
    if (row->type == SM_OPTION_INT)
        return json_is_integer(value) || (row->words && json_is_string(value));
    if (row->type == SM_OPTION_BOOL)
        return json_is_boolean(value);
    return json_is_string(value) || (is_list && json_is_array(value));
}

/* What an option's values are, for errors, where its row does not say it; NULL otherwise. */
static const char *kinds_of(const char *option) {
    static const struct {
        const char *option, *kinds;
    } known[] = {
        {"poll", "module, call:SYMBOL, flag:SYMBOL:SLOW, page:SYMBOL and tls:SYMBOL:OFFSET"},
        {"barrier", "module, or card:BASE:SHIFT (SHIFT up to 63), satb:SYMBOL:FLAG and load:SLOW:MASK, each once"},
        {"leaf", "names of functions, without commas"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].option, option) == 0)
            return known[i].kinds;
    return NULL;
}

/* Writes into TEXT what the option's value has to be, with all that it can be. Gives TEXT. */
static const char *type_name(const sm_option_row *row, char *text, size_t size) {
    int is_list = row->type == SM_OPTION_SET || strcmp(row->name, "barrier") == 0 || strcmp(row->name, "leaf") == 0;
    const char *of = row->words ? row->words : kinds_of(row->name);
    if (row->type == SM_OPTION_INT)
        snprintf(text, size, "an integer from %d to %d%s%s", row->min, row->max, of ? ", or " : "", of ? of : "");
    else if (row->type == SM_OPTION_BOOL)
        snprintf(text, size, "true or false");
    else
        snprintf(text, size, "%s%s%s", is_list ? "a string or a list of strings" : "a string", of ? ": " : "",
                 of ? of : "");
    return text;
}

/* Appends "OPTION=VALUE", checked and in the spelling of options. 0 if it is wrong. */
static int put_profile_option(struct reading *r, const struct sm_profile_member *m, const json_t *value,
                              sm_buf *out) {
    const sm_option_row *row = sm_option_find(m->option);
    char type[256];
    sm_option_error err;
    sm_options o;
    sm_buf text;
    if (!row)
        return wrong(r, "'%s' is not there in this version", m->member);
    sm_buf_init(&text, 4 * SM_OPT_TEXT_MAX);
    sm_options_init(&o);
    int ok = has_type(row, value) && !has_comma(value) && option_value_spell(value, &text);
    if (ok && text.len == 0 && row->type == SM_OPTION_SET)
        ok = sm_buf_puts(&text, "none") == SM_OK;
    if (!ok) {
        wrong(r, "The value of '%s' has to be %s", m->member, type_name(row, type, sizeof type));
    } else if (sm_options_set(&o, m->option, sm_buf_cstr(&text), text.len, &err) != SM_OK) {
        ok = wrong(r, "%s%s%s%s", strcmp(m->member, m->option) ? "'" : "",
                   strcmp(m->member, m->option) ? m->member : "", strcmp(m->member, m->option) ? "': " : "",
                   err.message);
    } else if (!has_kind(m->option, sm_buf_cstr(&text))) {
        ok = wrong(r, "'%.60s' is not a value of '%s'; it takes %s", sm_buf_cstr(&text), m->member,
                   kinds_of(m->option));
    } else {
        sm_buf_printf(out, "%s=", m->option);
        sm_option_value(&o, row, out);
        sm_buf_puts(out, "\n");
    }
    sm_buf_free(&text);
    return ok;
}

/* ---- Spaces ----------------------------------------------------------------------------------------------------- */

enum { SPACES_MAX = 4, SPACE_LAST = 254, SHIFT_MAX = 8, SYMBOL_MAX = 63 };

/* The integer NAME of a space: OTHERWISE if it is not there, -1 if it is no integer. */
static json_int_t number_of(const json_t *space, const char *name, json_int_t otherwise) {
    const json_t *value = json_object_get(space, name);
    return json_is_integer(value) ? json_integer_value(value) : value ? -1 : otherwise;
}

/* 1 if the text can be a variable's name. */
static int is_symbol(const char *text) {
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");
    return n && n <= SYMBOL_MAX && !text[n] && !(text[0] >= '0' && text[0] <= '9');
}

/* Appends tag_mask of address space 1, whose references are as wide as the target's pointers. 0 if a member is wrong.
 * */
static int put_whole(struct reading *r, const json_t *space, sm_buf *out) {
    json_int_t mask = number_of(space, "tag_mask", 0);
    if (number_of(space, "width", 64) != 64 || number_of(space, "base", 0) != 0 || number_of(space, "shift", 0) != 0)
        return wrong(r, "Address space 1 has width 64, base 0 and shift 0: compressed references are of another one");
    if (json_object_get(space, "tag_mask") && !json_is_integer(json_object_get(space, "tag_mask")))
        return wrong(r, "'tag_mask' has to be an integer");
    if (mask)
        sm_buf_printf(out, "tag_mask=0x%llx\n", (unsigned long long)mask);
    return 1;
}

/* Appends "SPACE:32:SHIFT:BASE" of compressed references. 0 if a member is wrong. */
static int put_compressed(struct reading *r, const json_t *space, sm_buf *out) {
    json_int_t number = number_of(space, "space", 1), shift = number_of(space, "shift", 0);
    const json_t *base = json_object_get(space, "base");
    if (number < 2 || number > SPACE_LAST)
        return wrong(r, "'space' has to be 1, or from 2 to %d for compressed references", SPACE_LAST);
    if (number_of(space, "width", 64) != 32)
        return wrong(r, "'width' has to be 32 in the address space %d, as only address space 1 has whole references",
                     (int)number);
    if (shift < 0 || shift > SHIFT_MAX)
        return wrong(r, "'shift' has to be from 0 to %d", SHIFT_MAX);
    if (number_of(space, "tag_mask", 0) != 0)
        return wrong(r, "'tag_mask' can only be 0 of compressed references");
    if (base && !(json_is_integer(base) && json_integer_value(base) == 0) &&
        !(json_is_string(base) && is_symbol(json_string_value(base))))
        return wrong(r, "'base' has to be 0, or the name of a variable that holds the address");
    sm_buf_printf(out, "%s%d:32", out->len ? "," : "", (int)number);
    if (shift || json_is_string(base))
        sm_buf_printf(out, ":%d", (int)shift);
    if (json_is_string(base))
        sm_buf_printf(out, ":%s", json_string_value(base));
    return 1;
}

/* 1, with an error, if the space has a member that spaces do not have. */
static int has_other_member(struct reading *r, const json_t *space) {
    static const char *const known[] = {"space", "width", "base", "shift", "tag_mask"};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)space, name, value) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(known[i], name) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            return !wrong(r, "'spaces' has no member '%.60s'; there are space, width, base, shift and tag_mask",
                          name);
    }
    return 0;
}

/* Appends the lines of `tag_mask` and `spaces`, which say what pointers are references. 0 if one is wrong. */
static int put_spaces(struct reading *r, const json_t *list, sm_buf *out) {
    const json_t *space;
    size_t i, k;
    char entry[32];
    sm_buf compressed;
    sm_buf_init(&compressed, SM_OPT_TEXT_MAX);
    int ok = json_is_array(list) && json_array_size(list) && json_array_size(list) <= SPACES_MAX;
    if (!ok)
        wrong(r, "'spaces' has to be a list of 1 to %d objects", SPACES_MAX);
    json_array_foreach(list, i, space) {
        if (!ok)
            break;
        snprintf(entry, sizeof entry, "spaces[%zu]", i);
        r->member = entry;
        if (!json_is_object(space)) {
            ok = wrong(r, "'spaces' has to be a list of objects");
            break;
        }
        json_int_t number = number_of(space, "space", 1);
        for (k = 0; ok && k < i; k++)
            if (number_of(json_array_get(list, k), "space", 1) == number)
                ok = wrong(r, "The address space %d is there twice", (int)number);
        ok = ok && !has_other_member(r, space) &&
             (number == 1 ? put_whole(r, space, out) : put_compressed(r, space, &compressed));
        ok = ok || wrong_member(r);
    }
    r->member = "spaces";
    if (ok && compressed.len)
        sm_buf_printf(out, "spaces=%s\n", sm_buf_cstr(&compressed));
    sm_buf_free(&compressed);
    return ok;
}

/* 1 if profiles have a member NAME. */
static int is_member(const char *name) {
    size_t count;
    const struct sm_profile_member *m = sm_profile_members(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(m[i].member, name) == 0)
            return 1;
    return strcmp(name, "name") == 0 || strcmp(name, "base") == 0 || strcmp(name, "spaces") == 0 ||
           strcmp(name, "comment") == 0;
}

/* Writes the names into TEXT, separated by commas. Gives TEXT. */
static const char *list_of(const char *const *names, char *text, size_t size) {
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 0; names[i] && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", names[i]);
    return text;
}

/* Refuses members that profiles do not have. 0 if there is one. */
static int check_members(struct reading *r, const json_t *profile) {
    const char *names[64] = {"name", "base", "spaces", "comment"}, *name;
    char all[512];
    json_t *value;
    size_t count;
    const struct sm_profile_member *m = sm_profile_members(&count);
    for (size_t i = 0; i < count && i < 59; i++)
        names[i + 4] = m[i].member;
    json_object_foreach((json_t *)profile, name, value) {
        r->member = name;
        if (is_member(name))
            continue;
        const char *nearest = sm_nearest(name, names);
        if (nearest)
            return wrong(r, "There is no member '%.60s'; did you mean '%s'?", name, nearest);
        return wrong(r, "There is no member '%.60s'; there are %s", name, list_of(names, all, sizeof all));
    }
    return 1;
}

/* Appends the lines of name and base. 0 if one is wrong. */
static int put_head(struct reading *r, const json_t *profile, sm_buf *out) {
    const json_t *name = json_object_get(profile, "name"), *base = json_object_get(profile, "base");
    const char *const *known = sm_profile_bases();
    r->member = name ? "name" : NULL;
    if (!json_is_string(name) || !sm_profile_name_valid(json_string_value(name), json_string_length(name)))
        return wrong(
            r,
            "'name' has to be a string of 1 to %d letters, digits, '_', '-' and '.' that begins with a letter or "
            "'_' and is no builtin strategy's",
            SM_PROFILE_NAME - 1);
    r->member = base ? "base" : NULL;
    while (*known && (!json_is_string(base) || strcmp(json_string_value(base), *known) != 0))
        known++;
    if (!*known)
        return wrong(r, "'base' has to be one of statepoint-example, coreclr, shadow-stack, erlang and ocaml");
    sm_buf_printf(out, "profile=%s\nbase=%s\n", json_string_value(name), *known);
    return 1;
}

/* 1 if only functions with statepoints heed the member. */
static int needs_statepoints(const char *member) {
    static const char *const names[] = {"poll_interval",
                                        "all_backedges",
                                        "split_backedges",
                                        "counted_loop_bits",
                                        "counted_loop_turns",
                                        "barriers",
                                        "bases",
                                        "table",
                                        "elide",
                                        "leaf",
                                        "registers",
                                        "remat",
                                        "null_checks",
                                        "spaces"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], member) == 0)
            return 1;
    return 0;
}

/* Refuses a member that has no effect with the base, unless it has its default. OUT ends, from FROM on, with the
 * member's line "OPTION=VALUE". */
static int is_heeded(struct reading *r, const struct sm_profile_member *m, const char *base, const sm_buf *out,
                     size_t from) {
    const sm_option_row *row = sm_option_find(m->option);
    size_t name = strlen(m->option) + 1, usual = strlen(row->dflt);
    int is_usual = out->len - from == name + usual + 1 && memcmp(out->data + from + name, row->dflt, usual) == 0;
    int has_statepoints = strcmp(base, "statepoint-example") == 0 || strcmp(base, "coreclr") == 0;
    if (has_statepoints || is_usual || !needs_statepoints(m->member))
        return 1;
    return wrong(r,
                 "'%s' has no effect with the base '%s', which has no statepoints: leave it away, or rest on "
                 "statepoint-example or coreclr",
                 m->member, base);
}

/* Appends the text of the profile. 0 if it is wrong. */
static int resolve(struct reading *r, const json_t *profile, sm_buf *out) {
    size_t count;
    const struct sm_profile_member *m = sm_profile_members(&count);
    if (!json_is_object(profile))
        return wrong(r, "A profile has to be an object with 'name', 'base' and options");
    if (!check_members(r, profile) || !put_head(r, profile, out))
        return 0;
    const char *base = json_string_value(json_object_get(profile, "base"));
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(profile, m[i].member);
        size_t from = out->len;
        r->member = m[i].member;
        if (value && (!put_profile_option(r, &m[i], value, out) || !is_heeded(r, &m[i], base, out, from)))
            return 0;
    }
    const json_t *spaces = json_object_get(profile, "spaces");
    static const struct sm_profile_member of_spaces = {"spaces", "spaces"};
    size_t before = out->len;
    r->member = "spaces";
    if (spaces && !put_spaces(r, spaces, out))
        return 0;
    if (out->len > before && !is_heeded(r, &of_spaces, base, out, before))
        return 0;
    const json_t *comment = json_object_get(profile, "comment");
    r->member = "comment";
    if (comment && !json_is_string(comment))
        return wrong(r, "The value of 'comment' has to be a string");
    r->member = NULL;
    return out->status == SM_OK ? 1 : wrong(r, "The profile is too large");
}

sm_status profile_resolve(const json_t *profile, const char *source, sm_buf *out, struct error *err) {
    struct reading r = {source, NULL, err};
    return resolve(&r, profile, out) ? SM_OK : SM_INVALID_PROFILE;
}
