/* result.h - what a job gave: immutable once made, shared by counted references.
 *
 * There are two kinds of references. Who holds a result (result_ref: requests, stored jobs, what waits for the disk)
 * is counted in the budget, once for all of them. Who keeps it (result_keep) has a bound of its own, as the cache, or
 * sends it, which budget_send counts.
 */
#ifndef SMD_RESULT_H
#define SMD_RESULT_H

#include "artifact.h"
#include "budget.h"
#include "frame.h"
#include "hash.h"
#include "key.h"
#include "signature.h"

#include <stdatomic.h>

/* The JSON answer that was made of a result. */
struct rendered {
    size_t len;
    size_t members; /* of those bytes, before the object file's */
    unsigned char data[];
};

struct result {
    atomic_int refs;  /* of both kinds */
    struct lent held; /* to those that hold it */
    sm_status status;
    char detail[1024];     /* a sentence for failures that are not the worker's own words; "" otherwise */
    unsigned char *memory; /* owned; what holds the artifact; NULL if no worker gave one */
    sm_slice bytes;        /* the artifact in it */
    sm_slice
        kept; /* after that: parts for a later compile (proto/wire/kept.h), whole; for no client. {NULL, 0}: none */
    sm_artifact artifact; /* its parts, in it too */
    sm_timings timings;
    int lacked_parts; /* boolean: parts of an earlier artifact were asked for, and there are none */
    uint32_t run_us;  /* from the job's way to a worker to its result */
    /* The JSON answer of a result that the cache gives again and again; NULL before the first time. Whoever makes it
     * sets it, once; it lives as long as the result. */
    _Atomic(struct rendered *) json;
    unsigned signed_by; /* vouch.c's own, as the next; 0: not yet signed */
    char signature[SM_SIGNATURE_TEXT];
    struct lent lent; /* to answers that are on their way */
    /* Called when the last reference has gone, before the result is freed; may be NULL. */
    void (*gone)(void *arg, struct result *r);
    void *gone_arg;
    struct hash_node node; /* for who sets gone() */
    struct sm_key key;     /* likewise */
};

/* A failure without an artifact. *new*, one reference; NULL when out of memory. DETAIL is shortened if need be. */
struct result *result_failure(sm_status status, const char *detail);

/* A result of the artifact that is in MEMORY from OFFSET on, alone or with kept parts after it, held by the caller;
 * MEMORY and CHARGE (may be NULL), which counts it, are *taken* (freed also on failure). NULL, and why in *STATUS, if
 * those bytes are not that. */
struct result *result_of_artifact(unsigned char *memory, size_t len, size_t offset, struct charge *charge,
                                  sm_status *status);

/* RESULT, which has no bytes yet, gets MEMORY with LEN bytes from OFFSET on, and CHARGE (may be NULL); both are
 * *taken*. */
void result_give_bytes(struct result *r, unsigned char *memory, size_t offset, size_t len, struct charge *charge);

/* The artifact and its kept parts, as they lie in memory. */
sm_slice result_with_parts(const struct result *r);

struct result *result_ref(struct result *r); /* of one that the caller holds; gives R */
void result_unref(struct result *r);         /* NULL is fine */

struct result *result_keep(struct result *r); /* gives R */
void result_drop(struct result *r);           /* NULL is fine */

/* The caller, who keeps R, holds it now, for a client; R is dropped otherwise: there is no room for it. */
sm_status result_hold(struct result *r, struct budget *b, uint64_t client);

/* One more keeps R, unless the last reference is just going: 0. */
int result_revive(struct result *r);

/* Room for a JSON answer of LEN bytes beside the result, which the caller holds. */
sm_status result_take_room(struct result *r, size_t len);

/* The bytes that R takes: artifact, parts and JSON. */
size_t result_bytes(const struct result *r);

#endif
