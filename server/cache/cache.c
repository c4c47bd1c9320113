/* cache.c - see cache.h. */
#include "cache.h"

#include "container.h"
#include "inputs.h"
#include "lru.h"
#include "misses.h"
#include "vouch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an entry beside its artifact, and of a shared answer beside its text: with its headers and malloc's own. */
#define OVERHEAD     (sizeof(struct result) + sizeof(struct held) + 128)
#define SHARED_BYTES 2048

/* An entry in memory. */
struct held {
    struct lru_node node;
    struct result *result;               /* kept: what is in memory is bounded here */
    struct shared *shared[SHARED_KINDS]; /* owned references, or NULL */
};

struct cache {
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    struct disk *disk;   /* NULL: there is none */
    struct tier *shared; /* likewise */
    struct store *store; /* likewise */
    struct misses misses;
    struct sm_key context;
    pthread_mutex_t lock; /* of memory */
    struct lru memory;
    struct inputs inputs; /* count in the same bound */
    size_t max_bytes;
    pthread_mutex_t listing; /* taken before the other: listings come one after the other */
    uint32_t listings;       /* counted */
};

struct cache *cache_new(const struct settings *s, struct metrics *m, struct budget *b) {
    struct cache *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->settings = s;
    c->metrics = m;
    c->budget = b;
    c->max_bytes = (size_t)s->cache_memory_mib << 20;
    if (!inputs_init(&c->inputs)) {
        free(c);
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    pthread_mutex_init(&c->listing, NULL);
    misses_init(&c->misses);
    return c;
}

sm_status cache_open(struct cache *c, const char *key_context, disk_form *form, struct error *err) {
    sm_key_read(key_context, strlen(key_context), &c->context);
    if (c->settings->cache_dir[0])
        c->disk = disk_start(c->settings, c->metrics, c->budget, form, err);
    if (c->settings->cache_dir[0] && !c->disk)
        return SM_IO;
    if (c->settings->shared[0] && !(c->shared = tier_start(c->settings, c->metrics, c->budget, err)))
        return SM_IO;
    if (c->settings->store[0] && !(c->store = store_start(c->settings, c->metrics, c->budget, err)))
        return SM_IO;
    return SM_OK;
}

int cache_close(struct cache *c) {
    int has_ended = disk_stop(c->disk, DISK_PATIENCE_S);
    has_ended &= tier_stop(c->shared);
    store_stop(c->store);
    return has_ended;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* Bytes of all results and inputs in memory. */
static size_t bytes_in_memory(const struct cache *c) {
    return c->memory.bytes + inputs_bytes(&c->inputs);
}

/* Publishes the memory's bytes and entries as metrics. Under the lock. */
static void note_sizes(struct cache *c) {
    metric_set(c->metrics, METRIC_CACHE_MEMORY_BYTES, (long long)bytes_in_memory(c));
    metric_set(c->metrics, METRIC_CACHE_MEMORY_ENTRIES, (long long)c->memory.count);
}

static struct held *held_of(struct lru_node *n) {
    return container_of(n, struct held, node);
}

/* Removes an entry from memory and frees it. Under the lock. */
static void drop_held(struct cache *c, struct held *h) {
    lru_remove(&c->memory, &h->node);
    for (int i = 0; i < SHARED_KINDS; i++)
        shared_unref(h->shared[i]);
    result_drop(h->result);
    free(h);
}

/* 1 if an input is the next to be evicted, and not a result. Inputs save a hash, results a compile: inputs get at
 * most half of the memory, and of two last used in the same second the input goes. */
static int is_input_next(const struct cache *c) {
    const struct lru_node *input = c->inputs.modules.oldest, *result = c->memory.oldest;
    return input && (!result || input->used_s <= result->used_s || inputs_bytes(&c->inputs) > c->max_bytes / 2);
}

/* Evicts the oldest inputs and results until BYTES more fit. Under the lock. */
static void evict_from_memory(struct cache *c, size_t bytes) {
    while (bytes_in_memory(c) + bytes > c->max_bytes) {
        struct lru_node *result = c->memory.oldest;
        if (is_input_next(c)) {
            inputs_drop_oldest(&c->inputs);
        } else if (result) {
            drop_held(c, held_of(result));
            metric_add(c->metrics, METRIC_CACHE_MEMORY_EVICTED, 1);
        } else {
            return;
        }
    }
}

/* Adds a result under KEY, in place of one that is there; not if it is larger than a quarter of the memory. */
static void add_to_memory(struct cache *c, const struct sm_key *key, struct result *result) {
    size_t bytes = result_with_parts(result).len + OVERHEAD;
    struct held *h = bytes <= c->max_bytes / 4 ? calloc(1, sizeof *h) : NULL;
    if (!h)
        return;
    h->node.key = *key;
    h->node.bytes = bytes;
    pthread_mutex_lock(&c->lock);
    struct lru_node *there = lru_find(&c->memory, key);
    if (there)
        drop_held(c, held_of(there));
    evict_from_memory(c, bytes);
    if (lru_add(&c->memory, &h->node))
        h->result = result_keep(result);
    else
        free(h);
    note_sizes(c);
    pthread_mutex_unlock(&c->lock);
}

/* The entry of a key, which becomes the newest; NULL if there is none. Under the lock. */
static struct held *find_held(struct cache *c, const struct sm_key *key) {
    struct lru_node *n = lru_find(&c->memory, key);
    if (n)
        lru_use(&c->memory, n);
    return n ? held_of(n) : NULL;
}

int cache_find(struct cache *c, const struct sm_key *key, int kind, uint64_t client, struct found *found) {
    *found = (struct found){NULL, NULL, SM_OK};
    assert(kind < SHARED_KINDS);
    pthread_mutex_lock(&c->lock);
    struct held *h = find_held(c, key);
    if (h && kind >= 0 && h->shared[kind] && h->shared[kind]->signed_by == vouch_generation())
        found->shared = shared_ref(h->shared[kind]);
    else if (h)
        found->result = result_keep(h->result);
    pthread_mutex_unlock(&c->lock);
    if (found->result)
        found->refused = result_hold(found->result, c->budget, client);
    if (found->refused != SM_OK)
        found->result = NULL;
    if (h)
        metric_add(c->metrics, METRIC_FROM_MEMORY, 1);
    return h != NULL;
}

struct result *cache_find_aside(struct cache *c, const struct sm_key *key) {
    pthread_mutex_lock(&c->lock);
    struct held *h = find_held(c, key);
    struct result *result = h ? result_keep(h->result) : NULL;
    pthread_mutex_unlock(&c->lock);
    return result;
}

int cache_has(struct cache *c, const struct sm_key *key) {
    pthread_mutex_lock(&c->lock);
    int has = find_held(c, key) != NULL;
    pthread_mutex_unlock(&c->lock);
    return has || cache_may_read_form(c, key);
}

void cache_charge(struct cache *c, const struct sm_key *key, size_t bytes, unsigned kind, struct shared *s,
                  size_t own) {
    assert(kind < SHARED_KINDS);
    pthread_mutex_lock(&c->lock);
    struct held *h = find_held(c, key);
    if (h && s && h->shared[kind] && h->shared[kind]->signed_by != vouch_generation()) {
        shared_unref(h->shared[kind]); /* of another key; what it is charged with goes with the result */
        h->shared[kind] = NULL;
    }
    if (h && s && !h->shared[kind]) {
        h->shared[kind] = shared_ref(s);
        bytes += own + SHARED_BYTES;
    }
    if (h && bytes) { /* it may be the one that goes */
        h->node.bytes += bytes;
        c->memory.bytes += bytes;
        evict_from_memory(c, 0);
        note_sizes(c);
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- Keys --------------------------------------------------------------------------------------------------- */

/* 1 if the job's input was sent before: the job gets its digest and, if these options were sent with it, the key
 * (*HAS_KEY). */
static int recall(struct cache *c, struct job *job, const char *context, int *has_key) {
    pthread_mutex_lock(&c->lock);
    struct input *in = inputs_find(&c->inputs, &job->hash, job->input_len);
    int has = in && input_key(in, job, context, &job->name);
    pthread_mutex_unlock(&c->lock);
    int is_same = in && input_is(in, job->input);
    if (is_same)
        memcpy(job->digest, input_digest(in), sizeof job->digest);
    input_unref(in);
    *has_key = is_same && has;
    return is_same;
}

void cache_remember(struct cache *c, const struct job *job) {
    struct input *in = job->is_new_input ? input_new(&job->hash, job) : NULL;
    if (!in)
        return;
    pthread_mutex_lock(&c->lock);
    inputs_add(&c->inputs, in, job, job->context);
    evict_from_memory(c, 0);
    note_sizes(c);
    pthread_mutex_unlock(&c->lock);
}

/* Makes the hash of the job's input that of its part of the cache: how fast a module is found to have been sent before
 * tells nobody of another's. */
static void keep_apart(struct job *job) {
    for (size_t i = 0; i < sizeof job->hash.byte; i++)
        job->hash.byte[i] ^= job->space.byte[i];
}

sm_status cache_key(struct cache *c, struct job *job, const char *key_context) {
    int has_key = 0, may_keep = job->input_len <= c->max_bytes / 8, has_digest = 0;
    const char *context = job_context(job, key_context);
    if (!context)
        return SM_NOMEM;
    if (may_keep) {
        inputs_hash(&c->inputs, job->input, job->input_len, &job->hash);
        keep_apart(job);
        has_digest = recall(c, job, context, &has_key);
    }
    if (has_key)
        return job_place(&job->space, &job->name, &job->key);
    sm_status s = has_digest ? SM_OK : job_digest(job);
    if (s == SM_OK)
        s = job_key(job, context);
    job->is_new_input = s == SM_OK && may_keep;
    return s;
}

/* ---- Disk, shared tier, store -------------------------------------------------------------------------------- */

int cache_may_read_form(struct cache *c, const struct sm_key *key) {
    return c->disk && disk_may_have(c->disk, key);
}

int cache_may_read(struct cache *c, const struct sm_key *key) {
    return cache_may_read_form(c, key) || tier_is_up(c->shared) || store_is_up(c->store);
}

/* Adds what was read to memory, and calls the reader's done(). */
static void end_read(struct cache_read *read, struct result *result, enum from from, enum metric counter) {
    read->from = from;
    read->is_late = !result && read->disk.is_late;
    if (result && !read->disk.wants_form && !read->aside) {
        metric_add(read->cache->metrics, counter, 1);
        add_to_memory(read->cache, &read->key, result);
    }
    read->done(read, result);
}

/* The callback of the store's threads: what it has the shared tier gets, which ends the claim there. */
static void on_store_read(struct store_read *store, struct result *result) {
    struct cache_read *read = container_of(store, struct cache_read, store);
    read->refused = store->refused;
    if (result && read->cache->shared)
        tier_write(read->cache->shared, &read->key, result);
    end_read(read, result, FROM_STORE, METRIC_FROM_STORE);
}

static void read_store(struct cache_read *read) {
    read->store = (struct store_read){.done = on_store_read, .key = read->key, .client = read->client};
    store_begin_read(read->cache->store, &read->store);
}

/* The callback of the shared tier's threads: what is not there may be in the store, and what is there the store may lack. */
static void on_shared_read(struct tier_read *shared, struct result *result) {
    struct cache_read *read = container_of(shared, struct cache_read, shared);
    read->refused = shared->refused;
    if (result && read->cache->store)
        store_offer(read->cache->store, &read->key, result);
    if (!result && shared->refused == SM_OK && store_is_up(read->cache->store))
        read_store(read);
    else
        end_read(read, result, FROM_SHARED, METRIC_FROM_SHARED);
}

static void read_shared(struct cache_read *read) {
    read->shared =
        (struct tier_read){.done = on_shared_read, .key = read->key, .client = read->client, .claims = read->claims};
    tier_begin_read(read->cache->shared, &read->shared);
}

/* Goes on with what is not on disk. */
static void read_further(struct cache_read *read) {
    if (read->cache->shared)
        read_shared(read);
    else if (read->cache->store)
        read_store(read);
    else
        end_read(read, NULL, FROM_DISK, METRIC_FROM_DISK);
}

/* The disk thread's callback: what is not there may be further away. */
static void on_disk_read(struct disk_read *disk, struct result *result) {
    struct cache_read *read = container_of(disk, struct cache_read, disk);
    read->refused = disk->refused;
    if (!result && disk->refused == SM_OK && !disk->wants_form)
        read_further(read);
    else
        end_read(read, result, FROM_DISK, METRIC_FROM_DISK);
}

/* Begins to read an entry from disk; WANTS_FORM: the request that made it. */
static void read_disk(struct cache *c, struct cache_read *read, int wants_form) {
    read->cache = c;
    read->disk =
        (struct disk_read){.done = on_disk_read, .key = read->key, .client = read->client, .wants_form = wants_form};
    disk_begin_read(c->disk, &read->disk);
}

void cache_read(struct cache *c, struct cache_read *read) {
    read->cache = c;
    read->refused = SM_OK;
    read->disk = (struct disk_read){0};
    if (cache_may_read_form(c, &read->key))
        read_disk(c, read, 0);
    else
        read_further(read);
}

void cache_read_form(struct cache *c, struct cache_read *read) {
    read->refused = SM_OK;
    read_disk(c, read, 1);
}

/* Fills in the next piece of the tier in memory. */
static int list_memory(struct cache *c, struct listing *x) {
    pthread_mutex_lock(&c->lock);
    int has_more = lru_list(&c->memory, x);
    pthread_mutex_unlock(&c->lock);
    return has_more;
}

/* Likewise of the tier on disk, without what this listing has of memory. */
static int list_disk(struct cache *c, struct listing *x) {
    int has_more = disk_list(c->disk, x);
    size_t left = 0;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < x->count; i++) {
        const struct lru_node *n = lru_find(&c->memory, &x->key[i]);
        if (!n || n->listed != x->number)
            x->key[left++] = x->key[i];
    }
    pthread_mutex_unlock(&c->lock);
    x->count = left;
    return has_more;
}

/* Appends the keys of a tier, with commas between, until *COUNT is MAX. */
static void list_tier(struct cache *c, uint32_t since_s, int of_disk, sm_buf *out, size_t *count, size_t max) {
    char text[SM_KEY_TEXT];
    struct listing x = {.number = c->listings, .since_s = since_s};
    for (int has_more = 1; has_more && *count < max;) {
        has_more = of_disk ? list_disk(c, &x) : list_memory(c, &x);
        for (size_t i = 0; i < x.count && *count < max; i++) {
            sm_key_text(&x.key[i], text);
            sm_buf_printf(out, "%s\"%s\"", *count ? "," : "", text);
            ++*count;
        }
    }
}

void cache_list(struct cache *c, uint32_t since_s, sm_buf *out, size_t max) {
    size_t count = 0;
    sm_buf_puts(out, "[");
    pthread_mutex_lock(&c->listing);
    c->listings = c->listings == UINT32_MAX ? 1 : c->listings + 1;
    list_tier(c, since_s, 0, out, &count, max);
    if (c->disk)
        list_tier(c, since_s, 1, out, &count, max);
    pthread_mutex_unlock(&c->listing);
    sm_buf_puts(out, "]");
}

/* ---- Jobs --------------------------------------------------------------------------------------------------- */

/* Fills in what the job's key is made of, for its entry and for explanations. */
static void origin_of(const struct cache *c, const struct job *job, struct origin *o) {
    sm_buf text;
    sm_buf_init(&text, ENTRY_TEXT_MAX);
    if (job->kind == SM_JOB_COMPILE)
        sm_options_text(&job->options, 1, &text);
    if (job->kind == SM_JOB_COMPILE && job->profile)
        sm_buf_puts(&text, job->profile);
    o->key = job->key;
    memcpy(o->input, job->digest, sizeof o->input);
    memcpy(o->context, c->context.byte, sizeof o->context);
    snprintf(o->options, sizeof o->options, "%.*s", (int)text.len, text.data ? (const char *)text.data : "");
    sm_buf_free(&text);
}

/* Keeps the result on disk, if there is a folder, and notes what its key is made of. */
static void keep_on_disk(struct cache *c, const struct job *job, struct result *result) {
    struct origin o;
    origin_of(c, job, &o);
    if (job->kind == SM_JOB_COMPILE)
        misses_note(&c->misses, &o);
    if (c->disk)
        disk_write(c->disk, &o, result,
                   c->settings->cache_modules && job->kind == SM_JOB_COMPILE ? job->source : NULL);
}

void cache_keep(struct cache *c, const struct job *job, struct result *result) {
    if (!job->keep || result->status != SM_OK) {
        cache_release(c, &job->key);
        return;
    }
    add_to_memory(c, &job->key, result);
    keep_on_disk(c, job, result);
    if (c->shared)
        tier_write(c->shared, &job->key, result);
    if (c->store)
        store_write(c->store, &job->key, result);
}

void cache_keep_shared(struct cache *c, const struct job *job, struct result *result) {
    if (job->keep)
        keep_on_disk(c, job, result);
}

void cache_release(struct cache *c, const struct sm_key *key) {
    if (c->shared)
        tier_release(c->shared, key);
}

void cache_explain_miss(struct cache *c, const struct job *job, char *text, size_t size) {
    struct origin o;
    origin_of(c, job, &o);
    misses_explain(&c->misses, &o, text, size);
}

void cache_free(struct cache *c) {
    if (!c)
        return;
    while (c->memory.oldest)
        drop_held(c, held_of(c->memory.oldest)); /* calls the disk for results that it has read */
    disk_free(c->disk);
    tier_free(c->shared);
    store_free(c->store);
    lru_free(&c->memory);
    inputs_free(&c->inputs);
    misses_free(&c->misses);
    pthread_mutex_destroy(&c->listing);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
