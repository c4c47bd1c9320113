/* disk.c - see disk.h. */
#include "disk.h"

#include "seal.h"

#include "clock.h"
#include "container.h"
#include "digest.h"
#include "folder.h"
#include "log.h"
#include "lru.h"
#include "reads.h"
#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

enum { WRITES_MAX_BYTES = 64 << 20, BLOCK = 4096 };

struct writing {
    STAILQ_ENTRY(writing) next;
    struct origin origin;
    struct result *result; /* owned reference */
    struct source *module; /* owned reference; NULL for none */
};

struct disk {
    struct metrics *metrics;
    struct budget *budget;
    disk_form *form;
    struct folder folder;      /* the thread's own */
    struct seal_secret secret; /* its length is 0: files have no MAC */
    uint64_t max_bytes;
    size_t max_entries, largest, largest_module;
    pthread_t thread;
    struct reads reads;   /* has a lock of its own, which is taken last */
    pthread_mutex_t lock; /* of everything below */
    pthread_cond_t more;
    struct lru index;
    struct hash held[2]; /* by key: results that were read and still are somebody's; artifacts, and forms */
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

/* *New*: the result of a file's bytes, which are *taken* with their charge; NULL and *STATUS if anything of it is wrong.
 */
static struct result *artifact_of(const struct sm_key *key, unsigned char *bytes, size_t len, struct charge *charge,
                                  sm_status *status) {
    struct entry e;
    *status = check_head(key, bytes, len, &e);
    if (*status != SM_OK) {
        free(bytes);
        return NULL;
    }
    unsigned char *without = realloc(bytes, e.module); /* the module would only lie in memory with it */
    budget_give(charge, e.module < charge->bytes ? e.module : charge->bytes);
    return result_of_artifact(without ? without : bytes, e.module, e.artifact, charge, status);
}

/* *New*: the entry's module, decompressed and checked by its digest; NULL and *STATUS otherwise. CHARGE grows by it. */
static unsigned char *unpack(const struct disk *d, const struct entry *e, const unsigned char *bytes, size_t *len,
                             struct charge *charge, sm_status *status) {
    unsigned char digest[SM_DIGEST_BYTES];
    unsigned long long size = ZSTD_getFrameContentSize(bytes + e->module, e->module_len);
    *status = SM_DAMAGED;
    if (size == 0 || size > d->largest_module) /* the codes for errors are larger than any size */
        return NULL;
    sm_status room = budget_take(d->budget, charge, HELD_FILE, charge->client, (size_t)size);
    if (room != SM_OK) {
        *status = room;
        return NULL;
    }
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

/* *New*: the form of a module and options (d->form); NULL and *STATUS otherwise. */
static struct result *write_form(struct disk *d, const struct entry *e, sm_slice module, uint64_t client,
                                 sm_status *status) {
    enum { AROUND = 4096 };
    size_t most = module.len / 3 * 4 + 6 * sizeof e->origin.options + AROUND, len;
    struct charge charge = {0};
    struct result *r = NULL;
    sm_buf form;
    sm_buf_init(&form, most);
    *status = budget_take(d->budget, &charge, HELD_RESULT, client, most);
    if (*status == SM_OK)
        *status = d->form(&form, module, e->origin.options);
    if (*status == SM_OK)
        r = result_failure(SM_OK, "");
    if (r) {
        unsigned char *memory = sm_buf_take(&form, &len);
        budget_give(&charge, charge.bytes < len ? charge.bytes : len);
        result_give_bytes(r, memory, 0, len, &charge);
    }
    budget_give(&charge, 0);
    sm_buf_free(&form);
    return r;
}

/* *New*: the form of a file's bytes, which are *taken*. NULL and *STATUS: SM_ARTIFACT_NOT_FOUND if the module was not
 * kept. CHARGE grows by what is held meanwhile. */
static struct result *form_of(struct disk *d, const struct sm_key *key, unsigned char *bytes, size_t len,
                              struct charge *charge, sm_status *status) {
    struct entry e;
    size_t module_len = 0;
    unsigned char *module = NULL;
    struct result *r = NULL;
    *status = check_head(key, bytes, len, &e);
    if (*status == SM_OK && !e.module_len)
        *status = SM_ARTIFACT_NOT_FOUND;
    if (*status == SM_OK)
        module = unpack(d, &e, bytes, &module_len, charge, status);
    free(bytes);
    if (module)
        r = write_form(d, &e, (sm_slice){module, module_len}, charge->client, status);
    free(module);
    return r;
}

/* The result's callback: nobody has it any more. */
static void on_gone(void *arg, struct result *r) {
    struct disk *d = arg;
    pthread_mutex_lock(&d->lock);
    for (int i = 0; i < 2; i++)
        hash_remove(&d->held[i], &r->node);
    pthread_mutex_unlock(&d->lock);
}

/* Notes a result that was read, so that others find it while somebody has it. */
static void note_held(struct disk *d, const struct sm_key *key, int wants_form, struct result *r) {
    r->key = *key;
    r->gone = on_gone;
    r->gone_arg = d;
    pthread_mutex_lock(&d->lock);
    hash_add(&d->held[wants_form], &r->node, sm_key_hash(key)); /* without it, it is read again */
    pthread_mutex_unlock(&d->lock);
}

/* What was read for another and is still somebody's, held for this one; NULL if there is none, or if READ is refused. */
static struct result *find_held(struct disk *d, struct disk_read *read) {
    struct result *r = NULL;
    pthread_mutex_lock(&d->lock);
    for (struct hash_node *n = hash_find(&d->held[read->wants_form], sm_key_hash(&read->key)); n && !r;
         n = hash_find_next(n)) {
        struct result *there = container_of(n, struct result, node);
        if (sm_key_equal(&there->key, &read->key) && result_revive(there))
            r = there;
    }
    pthread_mutex_unlock(&d->lock);
    if (r)
        read->refused = result_hold(r, d->budget, read->client);
    return read->refused == SM_OK ? r : NULL;
}

/* 1 if the status says that there was no room, which is no fault of the file. */
static int is_for_room(sm_status s) {
    return s == SM_OVERLOADED || s == SM_TOO_MANY_REQUESTS || s == SM_TOO_LARGE;
}

/* 1 if the file was written by who has the operators' key, if there is one; *LEN is then without its MAC. */
static int is_ours(const struct disk *d, const struct sm_key *key, const unsigned char *bytes, size_t *len) {
    if (!d->secret.len)
        return 1;
    if (!seal_file_check(&d->secret, key, (sm_slice){bytes, *len}))
        return 0;
    *len -= SEAL_MAC;
    return 1;
}

/* *New*: the artifact or form that READ asks for, of the bytes of its file, which are *taken*; NULL and *STATUS if
 * anything is wrong with them. */
static struct result *result_of_file(struct disk *d, struct disk_read *read, unsigned char *bytes, size_t len,
                                     struct charge *charge, sm_status *status) {
    if (!is_ours(d, &read->key, bytes, &len)) {
        free(bytes);
        *status = SM_DAMAGED;
        return NULL;
    }
    struct result *r = read->wants_form ? form_of(d, &read->key, bytes, len, charge, status)
                                        : artifact_of(&read->key, bytes, len, charge, status);
    budget_give(charge, 0);
    if (r) {
        note_held(d, &read->key, read->wants_form, r);
        touch_entry(d, &read->key);
    }
    return r;
}

/* *New*: the file's bytes, taken from the budget before; NULL and errno, or READ is refused. */
static unsigned char *read_file(struct disk *d, struct disk_read *read, struct charge *charge, size_t *len) {
    size_t size;
    if (!folder_size(&d->folder, &read->key, &size))
        return NULL;
    if (size <= d->largest)
        read->refused =
            budget_take(d->budget, charge, read->wants_form ? HELD_FILE : HELD_RESULT, read->client, size);
    if (read->refused != SM_OK)
        return NULL;
    return folder_read(&d->folder, &read->key, size <= d->largest ? size : d->largest, len);
}

/* *New*: the key's artifact or form from its file; NULL if there is none, or no room. A damaged file is set aside. */
static struct result *read_entry(struct disk *d, struct disk_read *read) {
    const struct sm_key *key = &read->key;
    struct charge charge = {.client = read->client};
    size_t len;
    sm_status s = SM_OK;
    struct result *r = find_held(d, read);
    if (r || read->refused != SM_OK)
        return r;
    unsigned char *bytes = read_file(d, read, &charge, &len);
    int why = errno;
    r = bytes ? result_of_file(d, read, bytes, len, &charge, &s) : NULL;
    budget_give(&charge, 0);
    if (is_for_room(s))
        read->refused = s;
    if (r || s == SM_ARTIFACT_NOT_FOUND || read->refused != SM_OK)
        return r;
    forget_entry(d, key);
    if (!bytes && why == ENOENT) {
        return NULL;
    } else if (!bytes) {
        metric_add(d->metrics, METRIC_CACHE_READ_ERRORS, 1);
        log_about(key, "cache_read", strerror(why));
    } else if (s == SM_NOMEM) {
        metric_add(d->metrics, METRIC_CACHE_READ_ERRORS, 1);
    } else {
        metric_add(d->metrics, METRIC_CACHE_DAMAGED, 1);
        log_about(key, "cache_damaged", sm_status_text(s));
        folder_quarantine(&d->folder, key);
    }
    return NULL;
}

/* *New*: the module, compressed fast; length 0 if there is none, or no room. */
static sm_slice pack(const struct disk *d, const struct writing *w, struct charge *charge) {
    enum { FAST = 1, NOBODY = 0 };
    size_t room = w->module ? ZSTD_compressBound(w->module->len) : 0;
    int fits = room && budget_take(d->budget, charge, HELD_FILE, NOBODY, room) == SM_OK;
    unsigned char *packed = fits ? malloc(room) : NULL;
    size_t len = packed ? ZSTD_compress(packed, room, w->module->bytes, w->module->len, FAST) : 0;
    return (sm_slice){packed, ZSTD_isError(len) ? 0 : len};
}

/* Writes an entry's file, after making room for it, and adds it to the index. */
static void write_entry(struct disk *d, const struct writing *w) {
    sm_buf head;
    struct charge charge = {0};
    sm_slice module = pack(d, w, &charge);
    sm_buf_init(&head, ENTRY_FIXED + ENTRY_TEXT_MAX);
    sm_slice artifact = result_with_parts(w->result);
    unsigned char mac[SEAL_MAC];
    size_t mac_len = d->secret.len ? sizeof mac : 0;
    size_t total = ENTRY_FIXED + strlen(w->origin.options) + artifact.len + module.len + mac_len;
    evict_from_disk(d, round_to_blocks(total));
    int ok = entry_write(&head, &w->origin, artifact.len, module.len) == SM_OK;
    const sm_slice piece[FOLDER_PIECES] = {{head.data, head.len}, artifact, module, {mac, mac_len}};
    if (!ok || (mac_len && !seal_file(&d->secret, &w->origin.key, piece, FOLDER_PIECES - 1, mac))) {
        metric_add(d->metrics, METRIC_CACHE_WRITE_ERRORS, 1);
    } else if (folder_write(&d->folder, &w->origin.key, piece)) {
        pthread_mutex_lock(&d->lock);
        add_entry(d, &w->origin.key, total, 0);
        pthread_mutex_unlock(&d->lock);
    } else {
        metric_add(d->metrics, METRIC_CACHE_WRITE_ERRORS, 1);
        if (folder_may_complain(&d->folder))
            log_about(&w->origin.key, "cache_write", strerror(errno));
    }
    free((void *)module.data);
    budget_give(&charge, 0);
    sm_buf_free(&head);
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

/* Does all reads that wait, and calls their done(). */
static void do_reads(struct disk *d) {
    struct disk_read copy;
    for (struct disk_read *r; (r = reads_take(&d->reads, &copy)) != NULL;) {
        struct result *result = read_entry(d, &copy);
        reads_finish(&d->reads, r, &copy, result);
        result_unref(result);
    }
}

static void free_writing(struct writing *w) {
    result_unref(w->result);
    source_unref(w->module);
    free(w);
}

static size_t bytes_of(const struct writing *w) {
    return result_with_parts(w->result).len + (w->module ? w->module->len : 0);
}

/* Takes the first write that waits off the list; NULL if there is none. */
static struct writing *next_write(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    struct writing *w = STAILQ_FIRST(&d->writes);
    if (w) {
        STAILQ_REMOVE_HEAD(&d->writes, next);
        d->write_bytes -= bytes_of(w);
    }
    pthread_mutex_unlock(&d->lock);
    return w;
}

/* Waits for a read or a write. 0 when smd stops and there is nothing left to do, or no time for writes. */
static int await_work(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    while (!reads_wait(&d->reads) && STAILQ_EMPTY(&d->writes) && !d->stopping)
        pthread_cond_wait(&d->more, &d->lock);
    int more = reads_wait(&d->reads) || (!STAILQ_EMPTY(&d->writes) && !(d->stopping && sm_clock_ns() > d->stop_ns));
    pthread_mutex_unlock(&d->lock);
    return more;
}

static int is_stopping(struct disk *d) {
    pthread_mutex_lock(&d->lock);
    int stopping = d->stopping;
    pthread_mutex_unlock(&d->lock);
    return stopping;
}

/* Adds some of what was found to the index, from the one with this number on, under the lock, for which requests wait
 * meanwhile. With the last ones the scan is over: whoever sees them in the metrics is not told any more that every key may
 * be there. Gives the number of the next one. */
static size_t add_found(struct disk *d, const struct folder_list *found, size_t first) {
    enum { PIECE = 1024 };
    size_t end = found->count - first > PIECE ? first + PIECE : found->count;
    pthread_mutex_lock(&d->lock);
    for (size_t i = first; i < end; i++)
        add_entry(d, &found->item[i].key, found->item[i].bytes,
                  (uint32_t)(found->item[i].modified_ns / 1000000000u) | 1);
    d->is_scanned = end == found->count;
    pthread_mutex_unlock(&d->lock);
    return end;
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
    size_t added = 0;
    do
        added = add_found(d, &found, added);
    while (added < found.count);
    evict_from_disk(d, 0);
    log_event(LOG_LEVEL_INFO, "cache_read_in", "{s:I,s:I,s:I}", "entries", (json_int_t)d->index.count, "bytes",
              (json_int_t)d->index.bytes, "ms", (json_int_t)((sm_clock_ns() - began) / 1000000));
    free(found.item);
}

/* The disk's thread: reads the index, then does reads and writes until smd stops. */
static void *run_disk(void *arg) {
    struct disk *d = arg;
    pthread_setname_np(pthread_self(), "smd-disk");
    thread_yields();
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

struct disk *disk_start(const struct settings *s, struct metrics *m, struct budget *b, disk_form *form,
                        struct error *err) {
    struct disk *d = calloc(1, sizeof *d);
    if (!d) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    d->metrics = m;
    d->budget = b;
    d->form = form;
    d->max_bytes = (uint64_t)s->cache_disk_mib << 20;
    d->max_entries = (size_t)s->cache_disk_entries;
    d->largest = SEAL_MAC + ENTRY_FIXED + ENTRY_TEXT_MAX + ((size_t)s->max_output_mib << 20);
    d->largest_module = (size_t)s->max_body_mib << 20;
    if (d->largest > d->max_bytes / 2)
        d->largest = (size_t)(d->max_bytes / 2);
    STAILQ_INIT(&d->writes);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->more, NULL);
    sm_status opened = s->mac_key[0] ? seal_secret_read(s->mac_key, &d->secret, err) : SM_OK;
    if (opened == SM_OK)
        opened = folder_open(&d->folder, s->cache_dir, err);
    int is_watched = opened == SM_OK && reads_start(&d->reads, m);
    if (opened == SM_OK && (!is_watched || pthread_create(&d->thread, NULL, run_disk, d) != 0))
        opened = error_set(err, SM_NOMEM, "no thread could be started");
    if (opened != SM_OK) {
        if (is_watched) {
            reads_stop(&d->reads);
            reads_free(&d->reads);
        }
        folder_close(&d->folder);
        explicit_bzero(&d->secret, sizeof d->secret);
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
    if (!reads_add(&d->reads, read)) {
        read->is_late = 1;
        read->done(read, NULL);
        return;
    }
    pthread_mutex_lock(&d->lock);
    pthread_cond_signal(&d->more);
    pthread_mutex_unlock(&d->lock);
}

void disk_write(struct disk *d, const struct origin *o, struct result *result, struct source *module) {
    size_t len = result_with_parts(result).len + (module ? module->len : 0);
    struct writing *w = len < d->largest / 2 ? malloc(sizeof *w) : NULL;
    pthread_mutex_lock(&d->lock);
    int queued = w && !d->stopping && d->write_bytes + len <= WRITES_MAX_BYTES;
    if (queued) {
        *w = (struct writing){.origin = *o, .result = result_ref(result), .module = source_ref(module)};
        STAILQ_INSERT_TAIL(&d->writes, w, next);
        d->write_bytes += len;
        pthread_cond_signal(&d->more);
    }
    pthread_mutex_unlock(&d->lock);
    if (queued)
        return;
    free(w);
    metric_add(d->metrics, METRIC_CACHE_NOT_KEPT, 1);
}

int disk_list(struct disk *d, struct listing *x) {
    pthread_mutex_lock(&d->lock);
    int has_more = lru_list(&d->index, x);
    pthread_mutex_unlock(&d->lock);
    return has_more;
}

int disk_stop(struct disk *d, int patience_s) {
    enum { NANOSECONDS = 1000000000 };
    if (!d)
        return 1;
    pthread_mutex_lock(&d->lock);
    d->stopping = 1;
    d->stop_ns = sm_clock_ns() + NANOSECONDS;
    pthread_cond_signal(&d->more);
    pthread_mutex_unlock(&d->lock);
    int has_ended = thread_join_within(d->thread, patience_s);
    reads_stop(&d->reads);
    return has_ended;
}

void disk_free(struct disk *d) {
    if (!d)
        return;
    for (struct writing *w; (w = next_write(d)) != NULL;)
        free_writing(w);
    while (d->index.oldest)
        drop_entry(d, d->index.oldest);
    lru_free(&d->index);
    hash_free(&d->held[0]);
    hash_free(&d->held[1]);
    reads_free(&d->reads);
    folder_close(&d->folder);
    pthread_cond_destroy(&d->more);
    pthread_mutex_destroy(&d->lock);
    explicit_bzero(&d->secret, sizeof d->secret);
    free(d);
}
