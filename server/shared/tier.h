/* tier.h - the cache's tier that many servers share: Redis or Valkey, behind one thread.
 *
 *     smd:1:KEY    what was compiled, sealed (seal.h), for shared_ttl_s
 *     smd:c:KEY    a claim: a server compiles this now; for CLAIM_S at most
 *
 * Nothing waits for it long. A lookup that is not answered in shared_wait_ms is a miss; after three such in a row, and
 * after any fault of the connection, the tier is down, and nobody asks it, until a server answers again (the addresses
 * are tried in turn, after 0.1 to 10 s). While it is down everything works as without it.
 *
 * So that one server of many compiles a module, a miss claims the key. Who finds it claimed looks again and again, for
 * shared_claim_ms at most, and compiles then: a server that ends while it holds a claim costs others no more than that.
 * Two may compile the same; both make the same bytes.
 *
 * Whoever can write to Redis can neither make nor exchange an entry: it would not be sealed for its key. What is larger
 * than shared_entry_mib is not kept. Any thread may call this.
 */
#ifndef SMD_TIER_H
#define SMD_TIER_H

#include "error.h"
#include "metrics.h"
#include "result.h"
#include "settings.h"

#include <sys/queue.h>

struct tier;
struct command;

/* A lookup; it lies in the struct of the caller that waits for it. */
struct tier_read {
    /* On one of the tier's threads, once; from tier_begin_read itself if the tier is down. RESULT is *borrowed*; NULL:
     * there is none that is whole. */
    void (*done)(struct tier_read *read, struct result *result);
    struct sm_key key;
    uint64_t client;   /* for whom it is counted */
    int claims;        /* boolean: if there is none, the caller compiles it */
    sm_status refused; /* not SM_OK: there is one, and no room for it in memory */
    /* The tier's own. */
    TAILQ_ENTRY(tier_read) next;
    struct command *asked; /* the command that is not answered; NULL while it waits for the next */
    uint64_t begun_ns, due_ns;
};

/* The tier at the addresses that the settings name, with their mac_key. It need not be up: that is logged, and tried
 * again and again. NULL if a setting is wrong, or out of memory. *new* */
struct tier *tier_start(const struct settings *s, struct metrics *m, struct budget *b, struct error *err);

/* What tier_start would refuse, without a connection. */
sm_status tier_check(const struct settings *s, struct error *err);

/* 1 if a read may find something: the tier is up. NULL is fine: 0. */
int tier_is_up(const struct tier *t);

/* Begins a read; done() will be called. */
void tier_begin_read(struct tier *t, struct tier_read *read);

/* Keeps a result under KEY, if the tier is up and there is room in what waits for it. RESULT, which the caller holds, is
 * shared until then. A claim of this server's ends with it. */
void tier_write(struct tier *t, const struct sm_key *key, struct result *result);

/* Ends a claim of this server's, if there is one: nothing will be kept. */
void tier_release(struct tier *t, const struct sm_key *key);

/* Ends the reads, and writes what waits, for a second at most. A read that is begun later finds nothing. 0: a
 * server's name is looked up, which does not end, by a thread that uses all that it was given: only the process's end
 * helps. NULL is fine. */
int tier_stop(struct tier *t);

/* After tier_stop has given 1, when nobody calls any more. NULL is fine. */
void tier_free(struct tier *t);

#endif
