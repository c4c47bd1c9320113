/* claims.c - see claims.h. */
#include "claims.h"

#include "container.h"

#include <stdlib.h>

struct claim {
    struct hash_node node;
    TAILQ_ENTRY(claim) next;
    struct sm_key key;
    uint64_t until_ns;
};

void claims_init(struct claims *c) {
    TAILQ_INIT(&c->by_age);
}

static struct claim *find_claim(struct claims *c, const struct sm_key *key) {
    for (struct hash_node *n = hash_find(&c->by_key, sm_key_hash(key)); n; n = hash_find_next(n))
        if (sm_key_equal(&container_of(n, struct claim, node)->key, key))
            return container_of(n, struct claim, node);
    return NULL;
}

static void drop_claim(struct claims *c, struct claim *old) {
    hash_remove(&c->by_key, &old->node);
    TAILQ_REMOVE(&c->by_age, old, next);
    free(old);
}

/* Drops the claims that are over. All last as long, so that the oldest ends first. */
static void drop_ended(struct claims *c, uint64_t now_ns) {
    for (struct claim *oldest; (oldest = TAILQ_FIRST(&c->by_age)) && oldest->until_ns <= now_ns;)
        drop_claim(c, oldest);
}

void claims_free(struct claims *c) {
    drop_ended(c, UINT64_MAX);
    hash_free(&c->by_key);
}

void claims_add(struct claims *c, const struct sm_key *key, uint64_t now_ns) {
    claims_end(c, key);
    struct claim *new = calloc(1, sizeof *new);
    if (!new)
        return;
    new->key = *key;
    new->until_ns = now_ns + CLAIM_S *UINT64_C(1000000000);
    if (hash_add(&c->by_key, &new->node, sm_key_hash(key)))
        TAILQ_INSERT_TAIL(&c->by_age, new, next);
    else
        free(new);
}

int claims_has(struct claims *c, const struct sm_key *key, uint64_t now_ns) {
    drop_ended(c, now_ns);
    return find_claim(c, key) != NULL;
}

int claims_end(struct claims *c, const struct sm_key *key) {
    struct claim *there = find_claim(c, key);
    if (there)
        drop_claim(c, there);
    return there != NULL;
}
