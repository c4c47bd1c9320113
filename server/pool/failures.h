/* failures.h - the memory of failures: a module that crashed the compiler a moment ago, or that has errors, is answered
 * without running it again.
 *
 * Bounded: the newest FAILURES_MAX keys, each for a limited time. Not thread-safe: the job table's lock covers it.
 */
#ifndef SMD_FAILURES_H
#define SMD_FAILURES_H

#include "job.h"

#define FAILURES_MAX   256
#define FAILURES_BYTES 65536 /* of a result that is remembered */

struct failures {
    struct {
        struct sm_key key;
        uint64_t until_ns;
        struct result *result; /* kept: FAILURES_BYTES bound it */
    } entry[FAILURES_MAX];
    size_t next;
};

void failures_add(struct failures *f, const struct sm_key *key, struct result *r, uint64_t until_ns);

/* The result of a failure that is still remembered, *borrowed*; NULL otherwise. */
struct result *failures_find(struct failures *f, const struct sm_key *key, uint64_t now_ns);

void failures_clear(struct failures *f);

#endif
