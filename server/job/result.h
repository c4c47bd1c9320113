/* result.h - what a job gave: immutable once made, shared by counted references between pool, cache and answers. */
#ifndef SMD_RESULT_H
#define SMD_RESULT_H

#include "artifact.h"
#include "frame.h"
#include "sending.h"

#include <stdatomic.h>

/* The JSON answer that was made of a result. */
struct rendered {
    size_t len;
    size_t members; /* of those bytes, before the object file's */
    unsigned char data[];
};

struct result {
    atomic_int refs;
    sm_status status;
    char detail[1024];     /* a sentence for failures that are not the worker's own words; "" otherwise */
    unsigned char *memory; /* owned; what holds the artifact; NULL if no worker gave one */
    sm_slice bytes;        /* the artifact in it */
    sm_slice kept; /* after that: parts for a later compile (proto/kept.h), whole; for no client. {NULL, 0}: none */
    sm_artifact artifact; /* its parts, in it too */
    sm_timings timings;
    int lacked_parts; /* boolean: parts of an earlier artifact were asked for, and there are none */
    uint32_t run_us;  /* from the job's way to a worker to its result */
    /* The JSON answer of a result that the cache gives again and again; NULL before the first time. Whoever makes it
     * sets it, once; it lives as long as the result. */
    _Atomic(struct rendered *) json;
    struct lent lent; /* to answers that are on their way */
};

/* A failure without an artifact. *new*, one reference; NULL when out of memory. DETAIL is shortened if need be. */
struct result *result_failure(sm_status status, const char *detail);

/* A result of the artifact that is in MEMORY from OFFSET on, alone or with kept parts after it; MEMORY is *taken*
 * (freed also on failure). NULL, and why in *STATUS, if those bytes are not that. */
struct result *result_of_artifact(unsigned char *memory, size_t len, size_t offset, sm_status *status);

/* The artifact and its kept parts, as they lie in memory. */
sm_slice result_with_parts(const struct result *r);

struct result *result_ref(struct result *r); /* gives R */
void result_unref(struct result *r);         /* NULL is fine */

#endif
