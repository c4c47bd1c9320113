/* disk.c - see disk.h. */
#include "disk.h"

#include "clock.h"
#include "digest.h"
#include "folder.h"
#include "log.h"
#include "lru.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { WRITES_MAX_BYTES = 64 << 20, BLOCK = 4096 };

struct writing {
    STAILQ_ENTRY(writing) next;
    struct origin origin;
    struct result *result; /* owned reference */
    unsigned char *module; /* owned */
    size_t module_len;
};

struct disk {
    struct metrics *metrics;
    disk_form *form;
    struct folder folder; /* the thread's own */
    uint64_t max_bytes;
    size_t max_entries, largest, largest_module;
    pthread_t thread;
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t more;
    struct lru index;
    STAILQ_HEAD(, disk_read) reads;
    STAILQ_HEAD(, writing) writes;
    size_t write_bytes;
    int is_scanned, stopping;
    uint64_t stop_ns;
};

/* ---- The index ---------------------------------------------------------------------------------------------- */

/* Publishes the index's bytes and entries as metrics. */
static void note_sizes(struct disk *d) {
    metric_set(d->metrics, METRIC_CACHE_DISK_BYTES, (long long)d->index.bytes);
    metric_set(d->metrics, METRIC_CACHE_DISK_ENTRIES, (long long)d->index.count);
}

/* BYTES rounded up to the blocks of a file system. */
static size_t round_to_blocks(uint64_t bytes) {
    return (size_t)((bytes + BLOCK - 1) / BLOCK * BLOCK);
}

/* Removes an entry from the index and frees it. Under the lock. */
static void drop_entry(struct disk *d, struct lru_node *n) {
    lru_remove(&d->index, n);
    free(n);
    note_sizes(d);
}

/* Adds an entry to the index or renews it, as used now; with OLDEST_S, adds it as the oldest, last used then, unless
 * it is there. Under the lock. */
static void add_entry(struct disk *d, const struct sm_key *key, uint64_t bytes, uint32_t oldest_s) {
    struct lru_node *there = lru_find(&d->index, key);
    if (there && oldest_s)
        return;
    if (there)
        drop_entry(d, there);
    struct lru_node *n = calloc(1, sizeof *n);
    if (!n)
        return;
    n->key = *key;
    n->bytes = round_to_blocks(bytes);
    if (!(oldest_s ? lru_add_oldest : lru_add)(&d->index, n))
        free(n);
    else if (oldest_s)
        n->used_s = oldest_s;
    note_sizes(d);
}

/* Removes the key's entry, if any, from the index. */
static void forget_entry(struct disk *d, const struct sm_key *key) {
    pthread_mutex_lock(&d->lock);
    struct lru_node *n = lru_find(&d->index, key);
    if (n)
        drop_entry(d, n);
    pthread_mutex_unlock(&d->lock);
}

/* Makes the key's entry, if any, the newest. */
static void touch_entry(struct disk *d, const struct sm_key *key) {
    pthread_mutex_lock(&d->lock);
    struct lru_node *n = lru_find(&d->index, key);
    if (n)
        lru_use(&d->index, n);
    pthread_mutex_unlock(&d->lock);
}

/* 1 if BYTES and an entry more would be beyond the bounds, and there is an entry to evict. */
static int is_over(const struct disk *d, size_t bytes, uint64_t max_bytes, size_t max_entries) {
    return d->index.count > 0 && (d->index.bytes + bytes > max_bytes || d->index.count >= max_entries);
}

/* Removes the oldest entries if BYTES more would exceed a bound, down to fifteen sixteenths of it, so that this is
 * not done for each entry. */
static void evict_from_disk(struct disk *d, size_t bytes) {
    pthread_mutex_lock(&d->lock);
    int over = is_over(d, bytes, d->max_bytes, d->max_entries);
    while (over && is_over(d, bytes, d->max_bytes - d->max_bytes / 16, d->max_entries - d->max_entries / 16)) {
        struct sm_key key = d->index.oldest->key;
        drop_entry(d, d->index.oldest);
        pthread_mutex_unlock(&d->lock);
        folder_remove(&d->folder, &key);
        metric_add(d->metrics, METRIC_CACHE_DISK_EVICTED, 1);
        pthread_mutex_lock(&d->lock);
    }
    pthread_mutex_unlock(&d->lock);
}

/* Logs a warning about the key's entry. */
static void log_about(const struct sm_key *key, const char *event, const char *error) {
    char text[SM_KEY_TEXT];
    sm_key_text(key, text);
    log_event(LOG_LEVEL_WARNING, event, "{s:s,s:s}", "key", text, "error", error);
}

/* ---- Work on files ------------------------------------------------------------------------------------------ */

/* Reads an entry's head into E; SM_DAMAGED if it is another key's. */
static sm_status check_head(const struct sm_key *key, const unsigned char *bytes, size_t len, struct entry *e) {
    sm_status s = entry_read(bytes, len, len, e);
    return s == SM_OK && !sm_key_equal(&e->origin.key, key) ? SM_DAMAGED : s;
}

/* *New*: the result of a file's bytes, which are *taken*; NULL and *STATUS if anything of it is wrong. */
static struct result *artifact_of(const struct sm_key *key, unsigned char *bytes, size_t len, sm_status *status) {
    struct entry e;
    *status = check_head(key, bytes, len, &e);
    if (*status != SM_OK) {
        free(bytes);
        return NULL;
    }
    unsigned char *without = realloc(bytes, e.module); /* the module would only lie in memory with it */
    return result_of_artifact(without ? without : bytes, e.module, e.artifact, status);
}

/* *New*: the entry's module, decompressed and checked by its digest; NULL and *STATUS otherwise. */
static unsigned char *unpack(const struct disk *d, const struct entry *e, const unsigned char *bytes, size_t *len,
                             sm_status *status) {
    unsigned char digest[SM_DIGEST_BYTES];
    unsigned long long size = ZSTD_getFrameContentSize(bytes + e->module, e->module_len);
    *status = SM_DAMAGED;
    if (size == 0 || size > d->largest_module) /* the codes for errors are larger than any size */
        return NULL;
    unsigned char *module = malloc((size_t)size);
    *len = (size_t)size;
    if (!module) {
        *status = SM_NOMEM;
        return NULL;
    }
    if (ZSTD_decompress(module, *len, bytes + e->module, e->module_len) == *len) {
        if (sm_digest(module, *len, digest) == SM_OK && memcmp(digest, e->origin.input, sizeof digest) == 0)
            return module;
    }
    free(module);
    return NULL;
}

/* *New*: the form of the entry's module and options (d->form), of a file's bytes, which are *taken*. NULL and
 * *STATUS: SM_ARTIFACT_NOT_FOUND if the module was not kept. */
static struct result *form_of(struct disk *d, const struct sm_key *key, unsigned char *bytes, size_t len,
                              sm_status *status) {
    struct entry e;
    sm_buf form;
    size_t module_len = 0;
    unsigned char *module = NULL;
    struct result *r = NULL;
    sm_buf_init(&form, 2 * d->largest_module);
    *status = check_head(key, bytes, len, &e);
    if (*status == SM_OK && !e.module_len)
        *status = SM_ARTIFACT_NOT_FOUND;
    if (*status == SM_OK)
        module = unpack(d, &e, bytes, &module_len, status);
    if (module)
        *status = d->form(&form, (sm_slice){module, module_len}, e.origin.options);
    if (module && *status == SM_OK)
        r = result_failure(SM_OK, "");
    if (r) {
        r->memory = sm_buf_take(&form, &r->bytes.len);
        r->bytes.data = r->memory;
    }
    sm_buf_free(&form);
    free(module);
    free(bytes);
    return r;
}

/* *New*: the key's artifact or form from its file; NULL if there is none. A damaged file is set aside. */
static struct result *read_entry(struct disk *d, const struct sm_key *key, int wants_form) {
    size_t len;
    sm_status s = SM_OK;
    unsigned char *bytes = folder_read(&d->folder, key, d->largest, &len);
    struct result *r = NULL;
    if (bytes)
        r = wants_form ? form_of(d, key, bytes, len, &s) : artifact_of(key, bytes, len, &s);
    if (r) {
        touch_entry(d, key);
        return r;
    }
    if (s == SM_ARTIFACT_NOT_FOUND)
        return NULL;
    forget_entry(d, key);
    if (!bytes && errno == ENOENT) {
        return NULL;
    } else if (!bytes) {
        metric_add(d->metrics, METRIC_CACHE_READ_ERRORS, 1);
        log_about(key, "cache_read", strerror(errno));
    } else if (s == SM_NOMEM) {
        metric_add(d->metrics, METRIC_CACHE_READ_ERRORS, 1);
    } else {
        metric_add(d->metrics, METRIC_CACHE_DAMAGED, 1);
        log_about(key, "cache_damaged", sm_status_text(s));
        folder_quarantine(&d->folder, key);
    }
    return NULL;
}

/* *New*: the module, compressed fast; length 0 if there is none, or out of memory. */
static sm_slice pack(const struct writing *w) {
    enum { FAST = 1 };
    size_t room = ZSTD_compressBound(w->module_len);
    unsigned char *packed = w->module_len ? malloc(room) : NULL;
    size_t len = packed ? ZSTD_compress(packed, room, w->module, w->module_len, FAST) : 0;
    return (sm_slice){packed, ZSTD_isError(len) ? 0 : len};
}

/* Writes an entry's file, after making room for it, and adds it to the index. */
static void write_entry(struct disk *d, const struct writing *w) {
    sm_buf head;
    sm_slice module = pack(w);
    sm_buf_init(&head, ENTRY_FIXED + ENTRY_TEXT_MAX);
    sm_slice artifact = result_with_parts(w->result);
    size_t total = ENTRY_FIXED + strlen(w->origin.options) + artifact.len + module.len;
    evict_from_disk(d, round_to_blocks(total));
    if (entry_write(&head, &w->origin, artifact.len, module.len) != SM_OK) {
        metric_add(d->metrics, METRIC_CACHE_WRITE_ERRORS, 1);
    } else if (folder_write(&d->folder, &w->origin.key,
                            (const sm_slice[]){{head.data, head.len}, artifact, module})) {
        pthread_mutex_lock(&d->lock);
        add_entry(d, &w->origin.key, total, 0);
        pthread_mutex_unlock(&d->lock);
    } else {
        metric_add(d->metrics, METRIC_CACHE_WRITE_ERRORS, 1);
        if (folder_may_complain(&d->folder))
            log_about(&w->origin.key, "cache_write", strerror(errno));
    }
    free((void *)module.data);
    sm_buf_free(&head);
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

/* Does all reads that wait, and calls their done(). */
static void do_reads(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    for (struct disk_read *r; (r = STAILQ_FIRST(&d->reads)) != NULL;) {
        STAILQ_REMOVE_HEAD(&d->reads, next);
        pthread_mutex_unlock(&d->lock);
        struct result *result = read_entry(d, &r->key, r->wants_form);
        r->done(r, result); /* R may be gone after this */
        result_unref(result);
        pthread_mutex_lock(&d->lock);
    }
    pthread_mutex_unlock(&d->lock);
}

static void free_writing(struct writing *w) {
    result_unref(w->result);
    free(w->module);
    free(w);
}

/* Takes the first write that waits off the list; NULL if there is none. */
static struct writing *next_write(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    struct writing *w = STAILQ_FIRST(&d->writes);
    if (w) {
        STAILQ_REMOVE_HEAD(&d->writes, next);
        d->write_bytes -= result_with_parts(w->result).len + w->module_len;
    }
    pthread_mutex_unlock(&d->lock);
    return w;
}

/* Waits for a read or a write. 0 when smd stops and there is nothing left to do, or no time for writes. */
static int await_work(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    while (STAILQ_EMPTY(&d->reads) && STAILQ_EMPTY(&d->writes) && !d->stopping)
        pthread_cond_wait(&d->more, &d->lock);
    int more =
        !STAILQ_EMPTY(&d->reads) || (!STAILQ_EMPTY(&d->writes) && !(d->stopping && sm_clock_ns() > d->stop_ns));
    pthread_mutex_unlock(&d->lock);
    return more;
}

static int is_stopping(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    int stopping = d->stopping;
    pthread_mutex_unlock(&d->lock);
    return stopping;
}

/* Reads the folder's index, one subfolder at a time with reads in between; what is found counts as older than what
 * came meanwhile. */
static void scan_folder(struct disk *d) {
    struct folder_list found = {0};
    uint64_t began = sm_clock_ns();
    for (unsigned i = 0; i < 256 && !is_stopping(d); i++) {
        folder_scan(&d->folder, i, &found);
        do_reads(d);
    }
    folder_sort(&found); /* newest first */
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < found.count; i++)
        add_entry(d, &found.item[i].key, found.item[i].bytes,
                  (uint32_t)(found.item[i].modified_ns / 1000000000u) | 1);
    d->is_scanned = 1;
    pthread_mutex_unlock(&d->lock);
    evict_from_disk(d, 0);
    log_event(LOG_LEVEL_INFO, "cache_read_in", "{s:I,s:I,s:I}", "entries", (json_int_t)d->index.count, "bytes",
              (json_int_t)d->index.bytes, "ms", (json_int_t)((sm_clock_ns() - began) / 1000000));
    free(found.item);
}

/* The disk's thread: reads the index, then does reads and writes until smd stops. */
static void *run_disk(void *arg) {
    struct disk *d = arg;
    scan_folder(d);
    while (await_work(d)) {
        do_reads(d);
        struct writing *w = next_write(d);
        if (w) {
            write_entry(d, w);
            free_writing(w);
        }
    }
    return NULL;
}

/* ---- What others call --------------------------------------------------------------------------------------- */

struct disk *disk_start(const struct settings *s, struct metrics *m, disk_form *form, struct error *err) {
    struct disk *d = calloc(1, sizeof *d);
    if (!d) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    d->metrics = m;
    d->form = form;
    d->max_bytes = (uint64_t)s->cache_disk_mib << 20;
    d->max_entries = (size_t)s->cache_disk_entries;
    d->largest = ENTRY_FIXED + ENTRY_TEXT_MAX + ((size_t)s->max_output_mib << 20);
    d->largest_module = (size_t)s->max_body_mib << 20;
    if (d->largest > d->max_bytes / 2)
        d->largest = (size_t)(d->max_bytes / 2);
    STAILQ_INIT(&d->reads);
    STAILQ_INIT(&d->writes);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->more, NULL);
    sm_status opened = folder_open(&d->folder, s->cache_dir, err);
    if (opened == SM_OK && pthread_create(&d->thread, NULL, run_disk, d) != 0)
        opened = error_set(err, SM_NOMEM, "no thread could be started");
    if (opened != SM_OK) {
        folder_close(&d->folder);
        free(d);
        return NULL;
    }
    return d;
}

int disk_may_have(struct disk *d, const struct sm_key *key) {
    pthread_mutex_lock(&d->lock);
    int may = !d->is_scanned || lru_find(&d->index, key) != NULL;
    pthread_mutex_unlock(&d->lock);
    return may;
}

void disk_begin_read(struct disk *d, struct disk_read *read) {
    pthread_mutex_lock(&d->lock);
    int stopping = d->stopping;
    if (!stopping) {
        STAILQ_INSERT_TAIL(&d->reads, read, next);
        pthread_cond_signal(&d->more);
    }
    pthread_mutex_unlock(&d->lock);
    if (stopping)
        read->done(read, NULL);
}

void disk_write(struct disk *d, const struct origin *o, struct result *result, sm_slice module) {
    size_t artifact = result_with_parts(result).len, len = artifact + module.len;
    struct writing *w = len < d->largest / 2 ? malloc(sizeof *w) : NULL;
    unsigned char *copy = w && module.len ? malloc(module.len) : NULL;
    if (copy)
        memcpy(copy, module.data, module.len);
    pthread_mutex_lock(&d->lock);
    int queued = w && !d->stopping && d->write_bytes + len <= WRITES_MAX_BYTES;
    if (queued) {
        *w = (struct writing){
            .origin = *o, .result = result_ref(result), .module = copy, .module_len = copy ? module.len : 0};
        STAILQ_INSERT_TAIL(&d->writes, w, next);
        d->write_bytes += artifact + w->module_len;
        pthread_cond_signal(&d->more);
    }
    pthread_mutex_unlock(&d->lock);
    if (queued)
        return;
    free(copy);
    free(w);
    metric_add(d->metrics, METRIC_CACHE_NOT_KEPT, 1);
}

void disk_list(struct disk *d, uint32_t since_s, sm_buf *out, size_t *count, size_t max,
               int (*skip)(void *arg, const struct sm_key *key), void *arg) {
    pthread_mutex_lock(&d->lock);
    lru_list(&d->index, since_s, out, count, max, skip, arg);
    pthread_mutex_unlock(&d->lock);
}

void disk_stop(struct disk *d) {
    enum { NANOSECONDS = 1000000000 };
    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    d->stopping = 1;
    d->stop_ns = sm_clock_ns() + NANOSECONDS;
    pthread_cond_signal(&d->more);
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    do_reads(d);
}

void disk_free(struct disk *d) {
    if (!d)
        return;
    for (struct writing *w; (w = next_write(d)) != NULL;)
        free_writing(w);
    while (d->index.oldest)
        drop_entry(d, d->index.oldest);
    lru_free(&d->index);
    folder_close(&d->folder);
    pthread_cond_destroy(&d->more);
    pthread_mutex_destroy(&d->lock);
    free(d);
}
