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
    int has_file;    /* boolean: it may have one */
    uint64_t failed; /* when it could last not be written, by `now`; 0: never */
    struct startup *next_gone;
};

struct startups {
    pthread_mutex_t lock; /* of what follows */
    struct startup *startup[STARTUPS_MOST];
    size_t count;
    /* Without keys: their files are to be removed, and are not read. Only names that are forgotten while the folder is
     * read can be more than GONE_MOST: the others of these come back. */
    struct startup *gone;
    size_t gone_count;
    uint64_t now;
    int is_writing; /* boolean: the task waits or runs */
    int is_reading; /* boolean: the first task has not read the folder yet */
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

/* Has the writer remove the file of a startup, which is *taken*. 0: there is no room to remember that. */
static int bury(struct startups *all, struct startup *s) {
    if (all->gone_count == GONE_MOST) {
        free_startup(s);
        return 0;
    }
    free(s->keys);
    free(s->slots);
    s->keys = NULL;
    s->slots = NULL;
    s->next_gone = all->gone;
    all->gone = s;
    all->gone_count++;
    return 1;
}

/* 1 if the file of this startup is to be removed. */
static int is_gone(const struct startups *all, const struct startup *startup) {
    const struct startup *s = all->gone;
    while (s && !(sm_key_equal(&s->space, &startup->space) && strcmp(s->name, startup->name) == 0))
        s = s->next_gone;
    return s != NULL;
}

/* Forgets a startup. */
static void drop(struct startups *all, size_t i) {
    struct startup *s = all->startup[i];
    all->startup[i] = all->startup[--all->count];
    if (s->has_file || all->is_reading)
        bury(all, s);
    else
        free_startup(s);
}

static size_t names_of(const struct startups *all, const struct sm_key *space) {
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        n += (size_t)sm_key_equal(&all->startup[i]->space, space);
    return n;
}

/* The most names that a tenant has. */
static size_t most_names(const struct startups *all) {
    size_t most = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t n = names_of(all, &all->startup[i]->space);
        most = n > most ? n : most;
    }
    return most;
}

/* Makes room for one more of the space. Where all have no more room, it is that of a tenant that has most. */
static void make_room(struct startups *all, const struct sm_key *space) {
    size_t own = names_of(all, space), most = most_names(all), oldest = SIZE_MAX;
    int is_own = own == STARTUPS_OF_TENANT || (own && own == most);
    if (own < STARTUPS_OF_TENANT && all->count < STARTUPS_MOST)
        return;
    for (size_t i = 0; i < all->count; i++) {
        const struct startup *s = all->startup[i];
        int may_go = is_own ? sm_key_equal(&s->space, space) : names_of(all, &s->space) == most;
        if (may_go && (oldest == SIZE_MAX || s->used < all->startup[oldest]->used))
            oldest = i;
    }
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
        s->has_file = 1;
        pthread_mutex_lock(&all->lock);
        size_t i = find(all, &s->space, s->name);
        struct startup *told = i < all->count ? all->startup[i] : NULL;
        if (is_gone(all, s)) { /* and what smd was told is of a later one */
            free_startup(s);
        } else if (told) {
            for (uint32_t k = 0; k < told->count; k++)
                s->has_changed |= add_key(s, &told->keys[k]);
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

/* Writes the bytes to a file beside it, and renames that. 0 on failure. */
static int replace_file(const char *path, const sm_buf *b) {
    static atomic_int is_told;
    char beside[PATH_ROOM + 8];
    snprintf(beside, sizeof beside, "%s.new", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t n = fd >= 0 ? write(fd, b->data, b->len) : -1;
    int is_whole = n == (ssize_t)b->len, e = n < 0 ? errno : ENOSPC;
    if (fd >= 0)
        close(fd);
    if (is_whole && rename(beside, path) == 0)
        return 1;
    if (is_whole)
        e = errno;
    unlink(beside);
    if (!atomic_exchange(&is_told, 1))
        log_event(LOG_LEVEL_WARNING, "startups_not_kept", "{s:s,s:s}", "file", path, "detail", strerror(e));
    return 0;
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
        size_t i = find(all, &gone->space, gone->name);
        int is_back = i < all->count;
        if (is_back)
            all->startup[i]->has_file = 1;
        pthread_mutex_unlock(&all->lock);
        if (!is_back && file_of(all, &gone->space, gone->name, path))
            unlink(path);
        free_startup(gone);
    }
}

/* Of those that have changed, the one whose last failure is longest ago; `count` if there is none. */
static size_t next_changed(const struct startups *all) {
    size_t next = all->count;
    for (size_t i = 0; i < all->count; i++)
        if (all->startup[i]->has_changed &&
            (next == all->count || all->startup[i]->failed < all->startup[next]->failed))
            next = i;
    return next;
}

/* Appends the file of one that has changed, and says whose it is. 0: there is none. */
static int take_changed(struct startups *all, struct sm_key *space, char name[SM_STARTUP_TEXT], sm_buf *out) {
    size_t i = next_changed(all);
    if (i == all->count)
        return 0;
    struct startup *s = all->startup[i];
    s->has_changed = 0;
    s->has_file = 1;
    *space = s->space;
    memcpy(name, s->name, sizeof s->name);
    write_startup(s, out);
    return 1;
}

/* It was not written: it has still changed, and the others come first. */
static void put_back(struct startups *all, const struct sm_key *space, const char *name) {
    size_t i = find(all, space, name);
    if (i == all->count)
        return;
    all->startup[i]->has_changed = 1;
    all->startup[i]->failed = ++all->now;
}

/* Writes one that has changed. 0: there is none, or it failed, and the task ends. */
static int write_next(struct startups *all) {
    char path[PATH_ROOM], name[SM_STARTUP_TEXT];
    unsigned char digest[SM_DIGEST_BYTES];
    struct sm_key space;
    sm_buf b;
    sm_buf_init(&b, FILE_MOST);
    pthread_mutex_lock(&all->lock);
    int is_there = take_changed(all, &space, name, &b), goes_on = is_there || all->gone;
    all->is_writing = goes_on;
    pthread_mutex_unlock(&all->lock);
    if (is_there && b.status == SM_OK && sm_digest(b.data, b.len, digest) == SM_OK)
        sm_buf_put(&b, digest, sizeof digest);
    if (is_there && !(b.status == SM_OK && file_of(all, &space, name, path) && replace_file(path, &b))) {
        pthread_mutex_lock(&all->lock);
        put_back(all, &space, name);
        all->is_writing = goes_on = 0;
        pthread_mutex_unlock(&all->lock);
    }
    sm_buf_free(&b);
    return goes_on;
}

/* The task: writes what has changed. After a failure it ends: the next one goes on. */
static void run_writer(struct task *task) {
    struct startups *all = container_of(task, struct startups, task);
    make_folders(all->folder);
    do
        remove_gone(all);
    while (write_next(all));
}

/* The first task: reads what there is. */
static void run_reader(struct task *task) {
    struct startups *all = container_of(task, struct startups, task);
    read_folder(all);
    pthread_mutex_lock(&all->lock);
    all->is_reading = 0;
    pthread_mutex_unlock(&all->lock);
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
    all->is_writing = all->is_reading = 1;
    all->task = (struct task){.run = run_reader};
    tasks_add(all->writer, &all->task);
    return all;
}

void startups_note(struct startups *all, const struct sm_key *space, const char *name, const char *key_text) {
    struct sm_key key;
    if (!name[0] || !sm_key_read(key_text, strlen(key_text), &key))
        return;
    pthread_mutex_lock(&all->lock);
    size_t i = find(all, space, name);
    struct startup *s = i < all->count ? all->startup[i] : new_startup(space, name);
    if (s && i == all->count)
        add(all, s);
    if (s) {
        s->has_changed |= add_key(s, &key);
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
    struct startup *unread = !is_there && all->is_reading ? new_startup(space, name) : NULL;
    if (unread)
        is_there = bury(all, unread);
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
