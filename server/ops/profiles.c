/* profiles.c - see profiles.h. */
#include "profiles.h"

#include "barrier.h"
#include "digest.h"
#include "optionvalue.h"
#include "profile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- One profile ---------------------------------------------------------------------------------------------- */

struct reading {
    const char *source; /* the JSON text; NULL */
    const char *member; /* the one that is read */
    int *line;
    char *why;
    size_t why_size;
};

/* The line on which a member of the outermost object begins; 0 if that cannot be found. */
static int line_of(const char *source, const char *member) {
    int line = 1, depth = 0;
    size_t n = strlen(member);
    for (const char *at = source ? source : ""; *at; at++) {
        line += *at == '\n';
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (*at != '"')
            continue;
        const char *begin = at + 1;
        for (at++; *at && *at != '"'; at++)
            at += *at == '\\' && at[1];
        if (!*at)
            return 0;
        const char *next = at + 1 + strspn(at + 1, " \t\r\n");
        if (depth == 1 && *next == ':' && (size_t)(at - begin) == n && memcmp(begin, member, n) == 0)
            return line;
    }
    return 0;
}

__attribute__((format(printf, 2, 3))) static int wrong(struct reading *r, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->why, r->why_size, fmt, ap);
    va_end(ap);
    *r->line = r->member ? line_of(r->source, r->member) : 0;
    return 0;
}

/* A comma inside a word would make two of it. */
static int has_comma(const json_t *list) {
    size_t i;
    json_t *word;
    json_array_foreach(list, i, word) if (json_is_string(word) && strchr(json_string_value(word), ',')) return 1;
    return 0;
}

static const sm_option_row *row_of(const char *option) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    for (size_t i = 0; i < rows; i++)
        if (strcmp(table[i].name, option) == 0)
            return &table[i];
    return NULL;
}

/* The kinds that the values of some options have, and how many fields follow each; otherwise only the compiler reads them. */
static const struct {
    const char *option, *kind;
    int fields;
} kinds[] = {{"poll", "module", 0}, {"poll", "call", 1}, {"poll", "flag", 2}, {"poll", "page", 1}};

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

/* 1 if the option has no kinds, or the text is of one. */
static int has_kind(const char *option, const char *text) {
    struct sm_barriers barriers;
    if (strcmp(option, "barrier") == 0)
        return sm_barriers_read(&barriers, text);
    return strcmp(option, "poll") != 0 || fits_kind(option, text, strlen(text));
}

/* The types that profile.schema.json has: what is a list in an option may be one here, or its words with commas. */
static int has_type(const sm_option_row *row, const json_t *value) {
    int is_list = row->type == SM_OPTION_SET || strcmp(row->name, "barrier") == 0 || strcmp(row->name, "leaf") == 0;
    if (row->type == SM_OPTION_INT)
        return json_is_integer(value);
    if (row->type == SM_OPTION_BOOL)
        return json_is_boolean(value);
    return json_is_string(value) || (is_list && json_is_array(value));
}

static const char *type_name(const sm_option_row *row) {
    int is_list = row->type == SM_OPTION_SET || strcmp(row->name, "barrier") == 0 || strcmp(row->name, "leaf") == 0;
    return row->type == SM_OPTION_INT    ? "an integer"
           : row->type == SM_OPTION_BOOL ? "true or false"
           : is_list                     ? "a string or a list of strings"
                                         : "a string";
}

/* Appends "OPTION=VALUE", checked and in one spelling. */
static int put_profile_option(struct reading *r, const struct sm_profile_member *m, const json_t *value,
                              sm_buf *out) {
    const sm_option_row *row = row_of(m->option);
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
        wrong(r, "The value of '%s' has to be %s", m->member, type_name(row));
    } else if (sm_options_set(&o, m->option, sm_buf_cstr(&text), text.len, &err) != SM_OK) {
        ok = wrong(r, "%s%s%s%s", strcmp(m->member, m->option) ? "'" : "",
                   strcmp(m->member, m->option) ? m->member : "", strcmp(m->member, m->option) ? "': " : "",
                   err.message);
    } else if (!has_kind(m->option, sm_buf_cstr(&text))) {
        ok = wrong(r, "'%.60s' is not a value of '%s'", sm_buf_cstr(&text), m->member);
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

static json_int_t number_of(const json_t *space, const char *name, json_int_t otherwise) {
    const json_t *value = json_object_get(space, name);
    return json_is_integer(value) ? json_integer_value(value) : value ? -1 : otherwise;
}

static int is_symbol(const char *text) {
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");
    return n && n <= SYMBOL_MAX && !text[n] && !(text[0] >= '0' && text[0] <= '9');
}

/* The heap's own references: pointers as wide as the target's, whose tags may be said. */
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

/* Appends "SPACE:32:SHIFT:BASE". */
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

/* Which pointers are references: the lines of `tag_mask` and `spaces`. */
static int put_spaces(struct reading *r, const json_t *list, sm_buf *out) {
    const json_t *space;
    size_t i, k;
    sm_buf compressed;
    sm_buf_init(&compressed, SM_OPT_TEXT_MAX);
    int ok = json_is_array(list) && json_array_size(list) && json_array_size(list) <= SPACES_MAX;
    if (!ok)
        wrong(r, "'spaces' has to be a list of 1 to %d objects", SPACES_MAX);
    json_array_foreach(list, i, space) {
        if (!ok || (ok = json_is_object(space)) == 0) {
            ok = ok || wrong(r, "'spaces' has to be a list of objects");
            break;
        }
        json_int_t number = number_of(space, "space", 1);
        for (k = 0; ok && k < i; k++)
            if (number_of(json_array_get(list, k), "space", 1) == number)
                ok = wrong(r, "The address space %d is there twice", (int)number);
        ok = ok && !has_other_member(r, space) &&
             (number == 1 ? put_whole(r, space, out) : put_compressed(r, space, &compressed));
    }
    if (ok && compressed.len)
        sm_buf_printf(out, "spaces=%s\n", sm_buf_cstr(&compressed));
    sm_buf_free(&compressed);
    return ok;
}

static int is_member(const char *name) {
    size_t count;
    const struct sm_profile_member *m = sm_profile_members(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(m[i].member, name) == 0)
            return 1;
    return strcmp(name, "name") == 0 || strcmp(name, "base") == 0 || strcmp(name, "spaces") == 0 ||
           strcmp(name, "comment") == 0;
}

static int check_members(struct reading *r, const json_t *profile) {
    const char *names[64] = {"name", "base", "spaces", "comment"}, *name;
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
        return wrong(r, "There is no member '%.60s'%s%s%s", name, nearest ? "; did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
    }
    return 1;
}

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

int profile_resolve(const json_t *profile, const char *source, sm_buf *out, int *line, char *why, size_t why_size) {
    struct reading r = {source, NULL, line, why, why_size};
    size_t count;
    const struct sm_profile_member *m = sm_profile_members(&count);
    *line = 0;
    if (!json_is_object(profile))
        return wrong(&r, "A profile has to be an object with 'name', 'base' and options");
    if (!check_members(&r, profile) || !put_head(&r, profile, out))
        return 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(profile, m[i].member);
        r.member = m[i].member;
        if (value && !put_profile_option(&r, &m[i], value, out))
            return 0;
    }
    const json_t *spaces = json_object_get(profile, "spaces");
    r.member = "spaces";
    if (spaces && !put_spaces(&r, spaces, out))
        return 0;
    const json_t *comment = json_object_get(profile, "comment");
    r.member = "comment";
    if (comment && !json_is_string(comment))
        return wrong(&r, "The value of 'comment' has to be a string");
    r.member = NULL;
    return out->status == SM_OK ? 1 : wrong(&r, "The profile is too large");
}

/* ---- A folder ------------------------------------------------------------------------------------------------- */

static int is_json(const struct dirent *e) {
    size_t n = strlen(e->d_name);
    return n > 5 && e->d_name[0] != '.' && strcmp(e->d_name + n - 5, ".json") == 0;
}

/* *new*, terminated; NULL, and WHY. */
static char *read_text(const char *path, char *why, size_t why_size) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    ssize_t n = 0;
    if (fd < 0 || fstat(fd, &st) != 0)
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        snprintf(why, why_size, "%s: is not a regular file", path);
    else if ((size_t)st.st_size > SM_PROFILE_TEXT)
        snprintf(why, why_size, "%s: is larger than %zu bytes", path, SM_PROFILE_TEXT);
    else if ((text = malloc((size_t)st.st_size + 1)) == NULL || (n = read(fd, text, (size_t)st.st_size)) < 0)
        snprintf(why, why_size, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (n < 0) {
        free(text);
        return NULL;
    }
    if (text)
        text[n] = 0;
    return text;
}

static int read_profile_file(const char *path, sm_buf *out, char *why, size_t why_size) {
    json_error_t err;
    char *text = read_text(path, why, why_size), detail[512];
    int line = 0, ok = 0;
    if (!text)
        return 0;
    json_t *profile = json_loads(text, JSON_REJECT_DUPLICATES, &err);
    if (!profile)
        snprintf(why, why_size, "%s:%d: %s", path, err.line > 0 ? err.line : 1, err.text);
    else if (profile_resolve(profile, text, out, &line, detail, sizeof detail))
        ok = 1;
    else
        snprintf(why, why_size, "%s:%d: %s", path, line ? line : 1, detail);
    json_decref(profile);
    free(text);
    return ok;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of its files in their order; *COUNT is -1, and WHY, if that is wrong. Owned */
static char **list_files(const char *folder, int *count, char *why, size_t why_size) {
    char **names = calloc(PROFILES_MAX, sizeof *names);
    DIR *dir = names ? opendir(folder) : NULL;
    *count = 0;
    if (!dir) {
        snprintf(why, why_size, "%s: %s", folder, strerror(errno));
        *count = -1;
        return names;
    }
    for (struct dirent *e; *count >= 0 && (e = readdir(dir)) != NULL;) {
        if (!is_json(e))
            continue;
        if (*count == PROFILES_MAX || (names[*count] = strdup(e->d_name)) == NULL) {
            if (*count == PROFILES_MAX)
                snprintf(why, why_size, "%s: has more than %d profiles", folder, PROFILES_MAX);
            else
                snprintf(why, why_size, "out of memory");
            for (int i = 0; i < *count; i++)
                free(names[i]);
            *count = -1;
        } else {
            ++*count;
        }
    }
    closedir(dir);
    if (*count > 0)
        qsort(names, (size_t)*count, sizeof *names, by_name);
    return names;
}

/* For capabilities: name, base, digest, and each option that it sets. */
static json_t *describe_profile(const sm_profile *p, const char *begin, size_t len) {
    json_t *options = json_object();
    struct sm_key digest = {0};
    char name[64], text[SM_KEY_TEXT];
    const char *at = NULL, *value;
    size_t value_len;
    while (sm_profile_option(p, &at, name, &value, &value_len))
        json_object_set_new(options, name, json_stringn(value, value_len));
    sm_digest(begin, len, digest.byte);
    sm_key_text(&digest, text);
    return json_pack("{s:s,s:s,s:s,s:o}", "name", p->name, "base", p->base, "digest", text, "options", options);
}

static json_t *describe_all(const char *text, size_t len) {
    json_t *list = json_array();
    const char *at = NULL;
    sm_profile p;
    for (const char *begin = text; sm_profile_next(text, len, &at, &p); begin = at)
        json_array_append_new(list, describe_profile(&p, begin, (size_t)(at - begin)));
    return list;
}

/* *new*, of its text, which is taken. */
static struct profiles *new_set(sm_buf *text) {
    struct profiles *p = text->status == SM_OK ? calloc(1, sizeof *p) : NULL;
    if (!p || sm_buf_put_u8(text, 0) != SM_OK) {
        free(p);
        return NULL;
    }
    p->references = 1;
    p->text = (char *)sm_buf_take(text, &p->len);
    p->len--;
    p->about = describe_all(p->text, p->len);
    return p;
}

/* 0, and WHY, if two files name the same. */
static int names_differ(const char *folder, const char *text, size_t len, char *why, size_t why_size) {
    const char *at = NULL;
    sm_profile p, first;
    while (sm_profile_next(text, len, &at, &p)) {
        sm_profile_find(text, len, p.name, &first);
        if (first.options != p.options) {
            snprintf(why, why_size, "%s: two files describe a profile '%s'", folder, p.name);
            return 0;
        }
    }
    return 1;
}

struct profiles *profiles_read(const char *folder, char *why, size_t why_size) {
    sm_buf text;
    int count = 0, ok = 1;
    sm_buf_init(&text, SM_PROFILES_TEXT);
    char **names = folder[0] ? list_files(folder, &count, why, why_size) : NULL;
    ok = count >= 0;
    for (int i = 0; i < count; i++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        ok = ok && read_profile_file(path, &text, why, why_size);
        free(names[i]);
    }
    free((void *)names);
    if (ok)
        ok = names_differ(folder, text.data ? (char *)text.data : "", text.len, why, why_size);
    struct profiles *p = ok ? new_set(&text) : NULL;
    if (ok && !p)
        snprintf(why, why_size, "%s: out of memory, or more than %zu bytes of profiles", folder, SM_PROFILES_TEXT);
    sm_buf_free(&text);
    return p;
}

/* ---- Sets ----------------------------------------------------------------------------------------------------- */

sm_status profiles_set_context(struct profiles *p, const char *server_context) {
    struct sm_key key;
    sm_buf text;
    snprintf(p->key_context, sizeof p->key_context, "%s", server_context);
    if (p->len == 0)
        return SM_OK;
    sm_buf_init(&text, 2 * SM_PROFILES_TEXT);
    sm_buf_printf(&text, "smd-profiles-1\ncontext=%s\n", server_context);
    sm_buf_put(&text, p->text, p->len);
    sm_status s = text.status == SM_OK ? sm_digest(text.data, text.len, key.byte) : text.status;
    sm_buf_free(&text);
    if (s == SM_OK)
        sm_key_text(&key, p->key_context);
    return s;
}

struct profiles *profiles_with(const struct profiles *set, const char *text, size_t len, const char *server_context) {
    sm_buf all;
    sm_buf_init(&all, SM_PROFILES_TEXT + SM_PROFILE_TEXT);
    sm_buf_put(&all, text, len);
    if (set)
        sm_buf_put(&all, set->text, set->len);
    struct profiles *p = new_set(&all);
    sm_buf_free(&all);
    if (p && profiles_set_context(p, server_context) != SM_OK) {
        profiles_unref(p);
        return NULL;
    }
    return p;
}

struct profiles *profiles_ref(struct profiles *p) {
    if (p)
        p->references++;
    return p;
}

void profiles_unref(struct profiles *p) {
    if (!p || --p->references)
        return;
    json_decref(p->about);
    free(p->text);
    free(p);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct profiles *in_force;

struct profiles *profiles_now(void) {
    pthread_mutex_lock(&lock);
    struct profiles *p = profiles_ref(in_force);
    pthread_mutex_unlock(&lock);
    return p;
}

void profiles_replace(struct profiles *p) {
    pthread_mutex_lock(&lock);
    struct profiles *old = in_force;
    in_force = p;
    pthread_mutex_unlock(&lock);
    profiles_unref(old);
}
