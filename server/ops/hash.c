/* hash.c - see hash.h. Hashes that callers have may be small numbers: they are spread over the chains (Fibonacci
 * hashing). */
#include "hash.h"

#include <stdlib.h>

/* The number of the chain for a hash, which is spread as it may be a small number. */
static size_t chain_of(const struct hash *h, uint64_t hash) {
    return (size_t)((hash * 0x9e3779b97f4a7c15u) >> 32) & (h->chains - 1);
}

static void link_node(struct hash *h, struct hash_node *n) {
    struct hash_node **chain = &h->chain[chain_of(h, n->hash)];
    n->next = *chain;
    *chain = n;
    h->count++;
}

/* Doubles the number of chains when there are as many nodes. 0 if out of memory and there are no chains at all. */
static int grow(struct hash *h) {
    enum { FIRST = 256 };
    struct hash larger = {.chains = h->chains ? 2 * h->chains : FIRST};
    if (h->count < h->chains)
        return 1;
    larger.chain = calloc(larger.chains, sizeof *larger.chain);
    if (!larger.chain)
        return h->chains > 0;
    for (struct hash_node *n = hash_first(h), *next; n; n = next) {
        next = hash_next(h, n);
        link_node(&larger, n);
    }
    free(h->chain);
    *h = larger;
    return 1;
}

int hash_add(struct hash *h, struct hash_node *n, uint64_t hash) {
    if (!grow(h))
        return 0;
    n->hash = hash;
    link_node(h, n);
    return 1;
}

void hash_remove(struct hash *h, struct hash_node *n) {
    struct hash_node **at = h->chains ? &h->chain[chain_of(h, n->hash)] : NULL;
    while (at && *at && *at != n)
        at = &(*at)->next;
    if (!at || !*at)
        return;
    *at = n->next;
    n->next = NULL;
    h->count--;
}

struct hash_node *hash_find_next(const struct hash_node *n) {
    struct hash_node *next = n->next;
    while (next && next->hash != n->hash)
        next = next->next;
    return next;
}

struct hash_node *hash_find(const struct hash *h, uint64_t hash) {
    struct hash_node *n = h->chains ? h->chain[chain_of(h, hash)] : NULL;
    return n && n->hash != hash ? hash_find_next(&(struct hash_node){n->next, hash}) : n;
}

/* The first node of CHAIN or a later chain; NULL if there is none. */
static struct hash_node *first_from(const struct hash *h, size_t chain) {
    while (chain < h->chains && !h->chain[chain])
        chain++;
    return chain < h->chains ? h->chain[chain] : NULL;
}

struct hash_node *hash_first(const struct hash *h) {
    return first_from(h, 0);
}

struct hash_node *hash_next(const struct hash *h, const struct hash_node *n) {
    return n->next ? n->next : first_from(h, chain_of(h, n->hash) + 1);
}

void hash_free(struct hash *h) {
    free(h->chain);
    *h = (struct hash){0};
}
