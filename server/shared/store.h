/* store.h - the cache's last tier: an object store (objects.h), for what the others no longer have, behind one thread.
 *
 * Nothing waits for it long. A lookup that is not answered in store_wait_ms is a miss. After three in a row that were late
 * or failed the store is down, and nobody asks it, until it answers again (after 0.1 to 10 s). While it is down everything
 * works as without it.
 *
 * Entries are those of the shared tier (seal.h): whoever can write to the store can neither make nor exchange one. What is
 * larger than store_entry_mib is not kept. Any thread may call this.
 */
#ifndef SMD_STORE_H
#define SMD_STORE_H

#include "error.h"
#include "metrics.h"
#include "result.h"
#include "settings.h"

#include <sys/queue.h>

struct store;
struct get;

/* A lookup; it lies in the struct of the caller that waits for it. */
struct store_read {
    /* On one of the store's threads, once; from store_begin_read itself if the store is down. RESULT is *borrowed*; NULL:
     * there is none that is whole. */
    void (*done)(struct store_read *read, struct result *result);
    struct sm_key key;
    uint64_t client;   /* for whom it is counted */
    sm_status refused; /* not SM_OK: there is one, and no room for it in memory */
    /* The store's own. */
    TAILQ_ENTRY(store_read) next;
    struct get *get; /* the request; NULL while it waits for others to end */
    uint64_t begun_ns;
};

/* The store that the settings name, with their mac_key. It need not be up: that is logged, and tried again and again. NULL
 * if a setting is wrong, or out of memory. *new* */
struct store *store_start(const struct settings *s, struct metrics *m, struct budget *b, struct error *err);

/* What store_start would refuse, without a connection. */
sm_status store_check(const struct settings *s, struct error *err);

/* 1 if a read may find something: the store is up. NULL is fine: 0. */
int store_is_up(const struct store *t);

/* Begins a read; done() will be called. */
void store_begin_read(struct store *t, struct store_read *read);

/* Keeps a result under KEY, if the store is up and there is room in what waits for it. RESULT, which the caller holds, is
 * shared until then. */
void store_write(struct store *t, const struct sm_key *key, struct result *result);

/* Keeps a result that was found elsewhere: it is written as by store_write, unless the store says that it has it. */
void store_offer(struct store *t, const struct sm_key *key, struct result *result);

/* Ends the reads, and writes what waits, for a second at most. A read that is begun later finds nothing. NULL is fine. */
void store_stop(struct store *t);

void store_free(struct store *t); /* after store_stop, when nobody calls any more. NULL is fine */

#endif
