/* claims.h - the keys that this server has claimed in the shared tier, and for how long. Not thread-safe. */
#ifndef SMD_CLAIMS_H
#define SMD_CLAIMS_H

#include "hash.h"
#include "key.h"

#include <sys/queue.h>

enum { CLAIM_S = 30 };

/* Begins as {0}, and claims_init. */
struct claims {
    struct hash by_key;
    TAILQ_HEAD(claim_list, claim) by_age;
};

void claims_init(struct claims *c);
void claims_free(struct claims *c);

/* The key is claimed from now on, for CLAIM_S; out of memory, nobody knows it. */
void claims_add(struct claims *c, const struct sm_key *key, uint64_t now_ns);

int claims_has(struct claims *c, const struct sm_key *key, uint64_t now_ns); /* boolean */
int claims_end(struct claims *c, const struct sm_key *key);                  /* 1 if it was there */

#endif
