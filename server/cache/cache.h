/* cache.h - what was compiled before, by key: in memory, and on disk if the operator names a folder.
 *
 * What workers make comes in by cache_keep(). Memory is bounded in bytes; results are shared, never copied. Any thread may
 * call everything.
 */
#ifndef SMD_CACHE_H
#define SMD_CACHE_H

#include "disk.h"
#include "job.h"
#include "shared.h"

struct cache;

/* A cache that keeps nothing yet, made before the pool, whose results it keeps; NULL if out of memory. *new* */
struct cache *cache_new(const struct settings *s, struct metrics *m);

/* Opens the disk tier, if one is named; from here on everything else may be called. 0 and WHY if another daemon has the
 * folder. */
int cache_open(struct cache *c, const char *key_context, disk_form *form, char *why, size_t why_size);

/* What is in memory; *new* reference, NULL if it is not there. Counted as a hit. */
struct result *cache_find(struct cache *c, const char *key);

/* What was shared of an entry, *new* reference; NULL if there is none. Counted as a hit. */
struct shared *cache_find_shared(struct cache *c, const char *key, unsigned kind);

/* Gives an entry in memory something to share, of which there is none yet; a reference is taken if that is so, and the
 * entry takes so many bytes more. */
void cache_share(struct cache *c, const char *key, unsigned kind, struct shared *s, size_t bytes);

/* An entry takes so many bytes more than its artifact. */
void cache_charge(struct cache *c, const char *key, size_t bytes);

/* 1 if cache_read would likely find it on disk. Takes no time. */
int cache_may_read(struct cache *c, const char *key);

/* 1 if it is in one of the tiers, as far as they know. */
int cache_has(struct cache *c, const char *key);

/* Reads from disk: done() of READ (with its key) will be called, after the result has come into memory. */
struct cache_read {
    struct disk_read disk; /* first: a read is its disk_read; the cache's own but for the key */
    void (*done)(struct cache_read *read, struct result *result);
    struct cache *cache;
};
void cache_read(struct cache *c, struct cache_read *read);

/* Likewise the JSON form that asks for what has this key; only while cache_may_read. */
void cache_read_form(struct cache *c, struct cache_read *read);

/* Appends the keys that were used since then, as a JSON array, the last used first of each tier; MAX at most. */
void cache_list(struct cache *c, uint32_t since_s, sm_buf *out, size_t max);

/* What a worker made of JOB, if it is worth keeping and the job allows it. */
void cache_keep(struct cache *c, const struct job *job, struct result *result);

/* Why a compile was not here, for a person: what its key differs in from the nearest that was kept lately. */
void cache_explain_miss(struct cache *c, const struct job *job, char *text, size_t size);

/* Ends reads and writes of the disk tier, which then finds nothing; cache_free comes when nobody calls any more. */
void cache_close(struct cache *c);
void cache_free(struct cache *c); /* NULL is fine */

#endif
