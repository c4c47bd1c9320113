/* profiles.c - see profiles.h. */
#include "profiles.h"

#include "digest.h"
#include "profile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A folder ------------------------------------------------------------------------------------------------- */

/* 1 if the entry is named *.json, and not hidden. */
static int is_json(const struct dirent *e) {
    size_t n = strlen(e->d_name);
    return n > 5 && e->d_name[0] != '.' && strcmp(e->d_name + n - 5, ".json") == 0;
}

/* *New*: the file's text, terminated; NULL on failure. */
static char *read_text(const char *path, struct error *err) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    ssize_t n = 0;
    if (fd < 0 || fstat(fd, &st) != 0)
        error_set(err, SM_IO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        error_set(err, SM_IO, "%s: is not a regular file", path);
    else if ((size_t)st.st_size > SM_PROFILE_TEXT)
        error_set(err, SM_IO, "%s: is larger than %zu bytes", path, SM_PROFILE_TEXT);
    else if ((text = malloc((size_t)st.st_size + 1)) == NULL || (n = read(fd, text, (size_t)st.st_size)) < 0)
        error_set(err, SM_IO, "%s: %s", path, strerror(errno));
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

/* Appends the text of the profile in the file PATH to OUT; errors have the path and the line. */
static sm_status read_profile_file(const char *path, sm_buf *out, struct error *err) {
    json_error_t where;
    struct error wrong = {0};
    char *text = read_text(path, err);
    if (!text)
        return SM_IO;
    json_t *profile = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    sm_status s = profile ? profile_resolve(profile, text, out, &wrong) : SM_INVALID_JSON;
    if (!profile)
        error_set(err, s, "%s:%d: %s", path, where.line > 0 ? where.line : 1, where.text);
    else if (s != SM_OK)
        error_set(err, s, "%s:%d: %s", path, wrong.line ? wrong.line : 1, wrong.text);
    json_decref(profile);
    free(text);
    return s;
}

static void free_names(char **names, int count) {
    for (int i = 0; names && i < count; i++)
        free(names[i]);
    free((void *)names);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* *New*: the sorted names of the folder's JSON files, and their *COUNT; NULL if it cannot be read, or has too many.
 * */
static char **list_files(const char *folder, int *count, struct error *err) {
    char **names = calloc(PROFILES_MAX, sizeof *names);
    DIR *dir = names ? opendir(folder) : NULL;
    sm_status s = SM_OK;
    *count = 0;
    if (!dir)
        s = error_set(err, SM_IO, "profiles: %s: %s", folder, strerror(errno));
    for (struct dirent *e; s == SM_OK && (e = readdir(dir)) != NULL;) {
        if (!is_json(e))
            continue;
        if (*count == PROFILES_MAX)
            s = error_set(err, SM_IO, "profiles: %s: has more than %d profiles", folder, PROFILES_MAX);
        else if ((names[*count] = strdup(e->d_name)) == NULL)
            s = error_set(err, SM_NOMEM, "out of memory");
        else
            ++*count;
    }
    if (dir)
        closedir(dir);
    if (s == SM_OK) {
        qsort((void *)names, (size_t)*count, sizeof *names, by_name);
        return names;
    }
    free_names(names, *count);
    return NULL;
}

/* *New*: what capabilities tell of a profile: name, base, digest, and the options that it sets. */
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

/* *New*: the list of what capabilities tell of each profile in the text. */
static json_t *describe_all(const char *text, size_t len) {
    json_t *list = json_array();
    const char *at = NULL;
    sm_profile p;
    for (const char *begin = text; sm_profile_next(text, len, &at, &p); begin = at)
        json_array_append_new(list, describe_profile(&p, begin, (size_t)(at - begin)));
    return list;
}

/* *New*: the set of profiles of this text, which is *taken*; NULL if out of memory. */
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

/* 1 if LIST, "PATH:NAME,PATH:NAME", has the name. */
static int is_plugin(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; *at;) {
        size_t item = strcspn(at, ",");
        if (item > n && at[item - n - 1] == ':' && memcmp(at + item - n, name, n) == 0)
            return 1;
        at += item + (at[item] == ',');
    }
    return 0;
}

/* Refuses the last profile of TEXT, which begins at FROM, if its name is that of a library's strategy or of another
 * profile. FILES are those of the profiles before it, one each. */
static sm_status check_name(const sm_buf *text, size_t from, char *const *files, const char *path,
                            const char *plugins, struct error *err) {
    const char *all = (const char *)text->data, *at = all + from;
    sm_profile p, other;
    if (!sm_profile_next(all, text->len, &at, &p))
        return SM_OK; /* there was no room for it */
    if (is_plugin(plugins, p.name))
        return error_set(err, SM_INVALID_PROFILE, "%s: the strategy '%s' is one of a library's (gc_plugins)", path,
                         p.name);
    at = NULL;
    for (size_t i = 0; sm_profile_next(all, from, &at, &other); i++)
        if (strcmp(other.name, p.name) == 0)
            return error_set(err, SM_INVALID_PROFILE, "%s: a profile '%s' is in %s, too", path, p.name, files[i]);
    return SM_OK;
}

struct profiles *profiles_read(const char *folder, const char *plugins, struct error *err) {
    sm_buf text;
    int count = 0;
    sm_buf_init(&text, SM_PROFILES_TEXT);
    char **names = folder[0] ? list_files(folder, &count, err) : NULL;
    sm_status s = names || !folder[0] ? SM_OK : SM_IO;
    for (int i = 0; s == SM_OK && i < count; i++) {
        char path[8192];
        size_t from = text.len;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        s = read_profile_file(path, &text, err);
        if (s == SM_OK)
            s = check_name(&text, from, names, path, plugins, err);
    }
    free_names(names, count);
    struct profiles *p = s == SM_OK ? new_set(&text) : NULL;
    if (s == SM_OK && !p)
        error_set(err, SM_NOMEM, "profiles: %s: out of memory, or more than %zu bytes of profiles", folder,
                  SM_PROFILES_TEXT);
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
    if (p)
        p->has_own = 1;
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
