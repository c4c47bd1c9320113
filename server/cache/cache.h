/* cache.h - what was compiled before, by key: in memory, on disk if the operator names a folder, in the tier that
 * servers share (tier.h) if there is one, and in an object store (store.h), likewise.
 *
 * What workers make comes in by cache_keep(). Memory is bounded in bytes; results are shared, never copied. Any
 * thread may call everything.
 */
#ifndef SMD_CACHE_H
#define SMD_CACHE_H

#include "disk.h"
#include "error.h"
#include "job.h"
#include "shared.h"
#include "store.h"
#include "tier.h"

struct cache;

/* A cache that keeps nothing yet. It is made before the pool, which gives it results to keep. NULL if out of memory.
 * *new* */
struct cache *cache_new(const struct settings *s, struct metrics *m, struct budget *b);

/* Opens the disk tier, the shared one and the store, if they are named; from here on everything else may be called. SM_IO if another
 * daemon has the folder. */
sm_status cache_open(struct cache *c, const char *key_context, disk_form *form, struct error *err);

/* Gives a job, which has its input and its options, its digest and its key under the server's key context: by
 * job_key, or by what is known of the same input (inputs.h). */
sm_status cache_key(struct cache *c, struct job *job, const char *key_context);

/* Keeps the input of a job, which was answered from the cache, with its key: it has been asked for twice, and will
 * likely be again. */
void cache_remember(struct cache *c, const struct job *job);

/* What memory has of a key: the shared answer of the KIND asked for if there is one, else the result, held for the
 * client. A *new* reference. */
struct found {
    struct shared *shared;
    struct result *result;
    sm_status refused; /* not SM_OK: there is a result, and no room to hold it; both are NULL then */
};

/* 1 if it is there, which counts as a hit. With CACHE_NO_KIND only the result is given. Takes the lock once. */
enum { CACHE_NO_KIND = -1 };
int cache_find(struct cache *c, const struct sm_key *key, int kind, uint64_t client, struct found *found);

/* The result in memory, *new* and kept (result_keep), where it is no answer and no hit; NULL if there is none. */
struct result *cache_find_aside(struct cache *c, const struct sm_key *key);

/* The entry of KEY takes BYTES more. S (may be NULL) is an answer to share: unless the entry has one of its KIND it
 * is kept, a reference taken, and the entry takes OWN bytes more. */
void cache_charge(struct cache *c, const struct sm_key *key, size_t bytes, unsigned kind, struct shared *s,
                  size_t own);

/* 1 if cache_read might find it: it is likely on disk, or a shared tier or a store is up. Takes no time. */
int cache_may_read(struct cache *c, const struct sm_key *key);

/* 1 if cache_read_form would likely find the module on disk. Takes no time. */
int cache_may_read_form(struct cache *c, const struct sm_key *key);

/* 1 if it is in this server's own tiers, as far as they know. */
int cache_has(struct cache *c, const struct sm_key *key);

/* Reads from disk, then from the shared tier, then from the store, which fills that: done() of READ will be called, after the result has come into memory. */
struct cache_read {
    void (*done)(struct cache_read *read, struct result *result);
    struct sm_key key;
    uint64_t client; /* for whom it is counted */
    int aside;       /* boolean: the result is no answer: it is not counted as a hit, and does not come into memory */
    int claims;      /* boolean: without it the caller compiles: other servers wait for that (tier.h) */
    enum from from;  /* readable in done() */
    sm_status refused;   /* likewise; not SM_OK: it is there, and there is no room for it */
    int is_late;         /* likewise; boolean: the disk did not answer in time, and nobody else has it */
    struct cache *cache; /* the cache's own, as what follows */
    struct disk_read disk;
    struct tier_read shared;
    struct store_read store;
};
void cache_read(struct cache *c, struct cache_read *read);

/* Likewise, but the result is the request that made this entry, in the JSON form of POST /v1/compile, from disk
 * alone. Only while cache_may_read_form. */
void cache_read_form(struct cache *c, struct cache_read *read);

/* Appends the keys that were used since then, as a JSON array, the last used first of each tier; MAX at most. It holds
 * nobody up: it goes through the tiers in pieces. */
void cache_list(struct cache *c, uint32_t since_s, sm_buf *out, size_t max);

/* What a worker made of JOB, if it is worth keeping and the job allows it. Ends the claim of its key. */
void cache_keep(struct cache *c, const struct job *job, struct result *result);

/* What the shared tier or the store had for JOB: the tier on disk keeps it, too. */
void cache_keep_shared(struct cache *c, const struct job *job, struct result *result);

/* Ends the claim of a key that is not compiled after all. */
void cache_release(struct cache *c, const struct sm_key *key);

/* Why a compile was not here, for a person: what its key differs in from the nearest that was kept lately. */
void cache_explain_miss(struct cache *c, const struct job *job, char *text, size_t size);

/* Ends reads and writes of the disk tier, the shared one and the store, which find nothing from then on. cache_free follows when
 * nobody calls any more. 0: the disk does not answer (disk_stop), or a name service (tier_stop). */
int cache_close(struct cache *c);
void cache_free(struct cache *c); /* NULL is fine */

#endif
