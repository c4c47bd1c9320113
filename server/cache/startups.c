/* startups.c - see startups.h.
 *
 *     "SMDSTRT1"   32 bytes space   68 bytes name   u32 count   the keys   32 bytes SHA-256 of all that
 *
 * A file says no more than which artifacts belong together: who alters one has others sent, of the same tenant's, to who
 * checks what comes.
 */
#include "startups.h"

#include "buf.h"
#include "container.h"
#include "digest.h"
#include "log.h"
#include "makedir.h"
#include "tasks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    GONE_MOST = 256,
    MAGIC = 8,
    HEAD = MAGIC + SM_KEY_BYTES + SM_STARTUP_TEXT + 4,
    SLOTS = 2 * STARTUP_KEYS,
    STOP_S = 3
};
enum { FILE_MOST = HEAD + STARTUP_KEYS * SM_KEY_BYTES + SM_DIGEST_BYTES, PATH_ROOM = PATH_MAX + 96 };
static const char magic[MAGIC + 1] = "SMDSTRT1";

struct startup {
    struct sm_key space;
    char name[SM_STARTUP_TEXT];
    struct sm_key *keys; /* owned */
    uint32_t count, room;
    uint16_t *slots; /* owned: SLOTS numbers of keys, and 1 more; 0: none */
    uint64_t used;   /* when it was, by `now` */
    int has_changed; /* boolean: since it was written */
    struct startup *next_gone;
};

struct startups {
    pthread_mutex_t lock; /* of what follows */
    struct startup *startup[STARTUPS_MOST];
    size_t count;
    struct startup
        *gone; /* without keys: their files are to be removed; GONE_MOST, others come back at the next start */
    size_t gone_count;
    uint64_t now;
    int is_writing; /* boolean: the task waits or runs */
    char folder[PATH_MAX + 16];
    struct tasks *writer; /* NULL: there is no folder */
    struct task task;
};

/* ---- One of them -------------------------------------------------------------------------------------------- */

static void free_startup(struct startup *s) {
    if (!s)
        return;
    free(s->keys);
    free(s->slots);
    free(s);
}

/* *New*; NULL if out of memory. */
static struct startup *new_startup(const struct sm_key *space, const char *name) {
    struct startup *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->space = *space;
    snprintf(s->name, sizeof s->name, "%s", name);
    s->slots = calloc(SLOTS, sizeof *s->slots);
    if (s->slots)
        return s;
    free(s);
    return NULL;
}

/* Adds a key, unless it is there, or there is no room. 1 if it was added. */
static int add_key(struct startup *s, const struct sm_key *key) {
    size_t at = sm_key_hash(key) % SLOTS;
    while (s->slots[at] && !sm_key_equal(&s->keys[s->slots[at] - 1], key))
        at = (at + 1) % SLOTS;
    if (s->slots[at] || s->count == STARTUP_KEYS)
        return 0;
    if (s->count == s->room) {
        uint32_t room = s->room ? 2 * s->room : 64;
        struct sm_key *more = realloc(s->keys, room * sizeof *more);
        if (!more)
            return 0;
        s->keys = more;
        s->room = room;
    }
    s->keys[s->count++] = *key;
    s->slots[at] = (uint16_t)s->count;
    return 1;
}

/* ---- All of them; under the lock ---------------------------------------------------------------------------- */

static size_t find(struct startups *all, const struct sm_key *space, const char *name) {
    size_t i = 0;
    while (i < all->count &&
           !(sm_key_equal(&all->startup[i]->space, space) && strcmp(all->startup[i]->name, name) == 0))
        i++;
    return i;
}

/* Forgets a startup. The writer removes its file. */
static void drop(struct startups *all, size_t i) {
    struct startup *s = all->startup[i];
    all->startup[i] = all->startup[--all->count];
    if (!all->writer || all->gone_count == GONE_MOST) {
        free_startup(s);
        return;
    }
    free(s->keys);
    free(s->slots);
    s->keys = NULL;
    s->slots = NULL;
    s->next_gone = all->gone;
    all->gone = s;
    all->gone_count++;
}

/* Makes room for one more of the space. */
static void make_room(struct startups *all, const struct sm_key *space) {
    size_t own = 0, oldest = SIZE_MAX, oldest_own = SIZE_MAX;
    for (size_t i = 0; i < all->count; i++) {
        int is_own = sm_key_equal(&all->startup[i]->space, space);
        own += (size_t)is_own;
        if (oldest == SIZE_MAX || all->startup[i]->used < all->startup[oldest]->used)
            oldest = i;
        if (is_own && (oldest_own == SIZE_MAX || all->startup[i]->used < all->startup[oldest_own]->used))
            oldest_own = i;
    }
    if (own >= STARTUPS_OF_TENANT || (own && all->count == STARTUPS_MOST))
        drop(all, oldest_own);
    else if (all->count == STARTUPS_MOST)
        drop(all, oldest);
}

/* Adds a startup, which is *taken*. */
static void add(struct startups *all, struct startup *s) {
    make_room(all, &s->space);
    s->used = ++all->now;
    all->startup[all->count++] = s;
}

/* ---- Files: the writer's thread ----------------------------------------------------------------------------- */

/* The path of a startup's file: a digest of whose it is and its name. 0 on failure. */
static int file_of(const struct startups *all, const struct sm_key *space, const char *name, char path[PATH_ROOM]) {
    unsigned char both[SM_KEY_BYTES + SM_STARTUP_TEXT] = {0};
    struct sm_key digest;
    char text[SM_KEY_TEXT];
    memcpy(both, space->byte, SM_KEY_BYTES);
    memcpy(both + SM_KEY_BYTES, name, strlen(name));
    if (sm_digest(both, sizeof both, digest.byte) != SM_OK)
        return 0;
    sm_key_text(&digest, text);
    snprintf(path, PATH_ROOM, "%s/%s", all->folder, text);
    return 1;
}

/* Appends the file of a startup, without its digest. */
static void write_startup(const struct startup *s, sm_buf *out) {
    unsigned char count[4];
    sm_store_le(count, s->count, sizeof count);
    sm_buf_put(out, magic, MAGIC);
    sm_buf_put(out, s->space.byte, SM_KEY_BYTES);
    sm_buf_put(out, s->name, SM_STARTUP_TEXT);
    sm_buf_put(out, count, sizeof count);
    sm_buf_put(out, s->keys, s->count * sizeof *s->keys);
}

/* *New*: the startup in a file's bytes; NULL if they are not one. */
static struct startup *read_startup(const unsigned char *bytes, size_t len) {
    unsigned char digest[SM_DIGEST_BYTES];
    const char *name = (const char *)bytes + MAGIC + SM_KEY_BYTES;
    struct sm_key key;
    if (len < HEAD + SM_DIGEST_BYTES || memcmp(bytes, magic, MAGIC) != 0 ||
        sm_digest(bytes, len - SM_DIGEST_BYTES, digest) != SM_OK ||
        memcmp(digest, bytes + len - SM_DIGEST_BYTES, SM_DIGEST_BYTES) != 0)
        return NULL;
    uint64_t count = sm_load_le(bytes + HEAD - 4, 4);
    if (count > STARTUP_KEYS || len != HEAD + count * SM_KEY_BYTES + SM_DIGEST_BYTES ||
        !sm_startup_valid(name, strnlen(name, SM_STARTUP_TEXT)))
        return NULL;
    memcpy(key.byte, bytes + MAGIC, SM_KEY_BYTES);
    struct startup *s = new_startup(&key, name);
    for (uint64_t i = 0; s && i < count; i++) {
        memcpy(key.byte, bytes + HEAD + i * SM_KEY_BYTES, SM_KEY_BYTES);
        add_key(s, &key);
    }
    return s;
}

/* Reads all files of the folder; what smd was told meanwhile comes after what they have. */
static void read_folder(struct startups *all) {
    unsigned char *bytes = malloc(FILE_MOST + 1);
    DIR *d = bytes ? opendir(all->folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        int fd = e->d_name[0] != '.' ? openat(dirfd(d), e->d_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
        ssize_t n = fd >= 0 ? read(fd, bytes, FILE_MOST + 1) : -1;
        if (fd >= 0)
            close(fd);
        struct startup *s = n > 0 ? read_startup(bytes, (size_t)n) : NULL;
        if (!s) {
            if (e->d_name[0] != '.')
                unlinkat(dirfd(d), e->d_name, 0);
            continue;
        }
        pthread_mutex_lock(&all->lock);
        size_t i = find(all, &s->space, s->name);
        struct startup *told = i < all->count ? all->startup[i] : NULL;
        for (uint32_t k = 0; told && k < told->count; k++)
            s->has_changed |= add_key(s, &told->keys[k]);
        if (told) {
            s->used = told->used;
            free_startup(told);
            all->startup[i] = s;
        } else {
            add(all, s);
        }
        pthread_mutex_unlock(&all->lock);
    }
    if (d)
        closedir(d);
    free(bytes);
}

/* Writes the bytes to a file beside it, and renames that. */
static void replace_file(const char *path, const sm_buf *b) {
    static atomic_int is_told;
    char beside[PATH_ROOM + 8];
    snprintf(beside, sizeof beside, "%s.new", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int ok = fd >= 0 && write(fd, b->data, b->len) == (ssize_t)b->len;
    int e = errno;
    if (fd >= 0)
        close(fd);
    if (ok && rename(beside, path) == 0)
        return;
    unlink(beside);
    if (!atomic_exchange(&is_told, 1))
        log_event(LOG_LEVEL_WARNING, "startups_not_kept", "{s:s,s:s}", "file", path, "detail", strerror(e));
}

/* Removes the files of those that are gone. */
static void remove_gone(struct startups *all) {
    char path[PATH_ROOM];
    pthread_mutex_lock(&all->lock);
    struct startup *gone = all->gone;
    all->gone = NULL;
    all->gone_count = 0;
    pthread_mutex_unlock(&all->lock);
    for (struct startup *next; gone; gone = next) {
        next = gone->next_gone;
        pthread_mutex_lock(&all->lock);
        int is_back = find(all, &gone->space, gone->name) < all->count;
        pthread_mutex_unlock(&all->lock);
        if (!is_back && file_of(all, &gone->space, gone->name, path))
            unlink(path);
        free_startup(gone);
    }
}

/* Writes one that has changed. 0: there is none. */
static int write_next(struct startups *all) {
    char path[PATH_ROOM], name[SM_STARTUP_TEXT];
    unsigned char digest[SM_DIGEST_BYTES];
    struct sm_key space;
    sm_buf b;
    sm_buf_init(&b, FILE_MOST);
    pthread_mutex_lock(&all->lock);
    size_t i = 0;
    while (i < all->count && !all->startup[i]->has_changed)
        i++;
    int is_there = i < all->count;
    if (is_there) {
        all->startup[i]->has_changed = 0;
        space = all->startup[i]->space;
        memcpy(name, all->startup[i]->name, sizeof name);
        write_startup(all->startup[i], &b);
    }
    pthread_mutex_unlock(&all->lock);
    if (is_there && b.status == SM_OK && sm_digest(b.data, b.len, digest) == SM_OK)
        sm_buf_put(&b, digest, sizeof digest);
    if (is_there && b.status == SM_OK && file_of(all, &space, name, path))
        replace_file(path, &b);
    sm_buf_free(&b);
    return is_there;
}

/* The task: writes what has changed. */
static void run_writer(struct task *task) {
    struct startups *all = container_of(task, struct startups, task);
    make_folders(all->folder);
    remove_gone(all);
    while (write_next(all))
        ;
    pthread_mutex_lock(&all->lock);
    all->is_writing = 0;
    pthread_mutex_unlock(&all->lock);
}

/* The first task: reads what there is. */
static void run_reader(struct task *task) {
    struct startups *all = container_of(task, struct startups, task);
    read_folder(all);
    run_writer(task);
}

/* ---- What others call --------------------------------------------------------------------------------------- */

struct startups *startups_new(const struct settings *s) {
    struct startups *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    pthread_mutex_init(&all->lock, NULL);
    if (!s->cache_dir[0])
        return all;
    snprintf(all->folder, sizeof all->folder, "%s/startup", s->cache_dir);
    all->writer = tasks_start(SIZE_MAX);
    if (!all->writer) {
        startups_free(all);
        return NULL;
    }
    all->is_writing = 1;
    all->task = (struct task){.run = run_reader};
    tasks_add(all->writer, &all->task);
    return all;
}

void startups_note(struct startups *all, const struct sm_key *space, const char *name, const struct sm_key *key) {
    pthread_mutex_lock(&all->lock);
    size_t i = find(all, space, name);
    struct startup *s = i < all->count ? all->startup[i] : new_startup(space, name);
    if (s && i == all->count)
        add(all, s);
    if (s) {
        s->has_changed |= add_key(s, key);
        s->used = ++all->now;
    }
    pthread_mutex_unlock(&all->lock);
}

struct sm_key *startups_list(struct startups *all, const struct sm_key *space, const char *name, size_t *count) {
    struct sm_key *keys = NULL;
    pthread_mutex_lock(&all->lock);
    size_t i = find(all, space, name);
    *count = i < all->count ? all->startup[i]->count : 0;
    if (*count && (keys = malloc(*count * sizeof *keys)) != NULL) {
        memcpy(keys, all->startup[i]->keys, *count * sizeof *keys);
        all->startup[i]->used = ++all->now;
    }
    pthread_mutex_unlock(&all->lock);
    return keys;
}

int startups_forget(struct startups *all, const struct sm_key *space, const char *name) {
    pthread_mutex_lock(&all->lock);
    size_t i = find(all, space, name);
    int is_there = i < all->count;
    if (is_there)
        drop(all, i);
    pthread_mutex_unlock(&all->lock);
    return is_there;
}

void startups_tick(struct startups *all) {
    pthread_mutex_lock(&all->lock);
    int has_changed = all->writer && !all->is_writing && all->gone;
    for (size_t i = 0; all->writer && !all->is_writing && i < all->count; i++)
        has_changed |= all->startup[i]->has_changed;
    all->is_writing |= has_changed;
    pthread_mutex_unlock(&all->lock);
    if (!has_changed)
        return;
    all->task = (struct task){.run = run_writer};
    tasks_add(all->writer, &all->task);
}

int startups_stop(struct startups *all) {
    if (!all || !all->writer)
        return 1;
    startups_tick(all);
    return tasks_stop_within(all->writer, STOP_S);
}

void startups_free(struct startups *all) {
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        free_startup(all->startup[i]);
    for (struct startup *next; all->gone; all->gone = next) {
        next = all->gone->next_gone;
        free_startup(all->gone);
    }
    tasks_free(all->writer);
    pthread_mutex_destroy(&all->lock);
    free(all);
}
