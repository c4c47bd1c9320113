/* hash.c - see hash.h. Hashes that callers have may be small numbers: they are spread over the chains (Fibonacci
 * hashing).
 *
 * A table that has as many nodes as chains gets twice as many chains. Its nodes move there a few at a time, with each that
 * is added: a million at once took 0.3 s, under a lock that HTTP threads take. Nodes of one hash are always together, in
 * the old chains or in the new ones.
 */
#include "hash.h"

#include "slices.h"

#include <stdlib.h>

/* The number of the chain for a hash, which is spread as it may be a small number. */
static size_t number_of(uint64_t hash, size_t chains) {
    return (size_t)((hash * 0x9e3779b97f4a7c15u) >> 32) & (chains - 1);
}

static void link_node(struct hash *h, struct hash_node *n) {
    struct hash_node **chain = &h->chain[number_of(n->hash, h->chains)];
    n->next = *chain;
    *chain = n;
}

/* Moves the nodes of an old chain. */
static void move_chain(struct hash *h, size_t number) {
    struct hash_node *n = h->old[number], *next;
    for (h->old[number] = NULL; n; n = next) {
        next = n->next;
        link_node(h, n);
    }
}

/* Moves so many old chains. After the last the old ones are freed. */
static void move_on(struct hash *h, size_t chains) {
    for (; h->moved < h->old_chains && chains; chains--)
        move_chain(h, h->moved++);
    if (h->moved < h->old_chains)
        return;
    slices_free(h->old);
    h->old = NULL;
    h->old_chains = h->moved = 0;
}

/* Doubles the number of chains when there are as many nodes. 0 if out of memory and there are no chains at all. */
static int grow(struct hash *h) {
    enum { FIRST = 256 };
    size_t chains = h->chains ? 2 * h->chains : FIRST;
    if (h->old || h->count < h->chains)
        return 1;
    struct hash_node **chain = calloc(chains, sizeof(struct hash_node *));
    if (!chain)
        return h->chains > 0;
    h->old = h->chain;
    h->old_chains = h->chains;
    h->chain = chain;
    h->chains = chains;
    return 1;
}

int hash_add(struct hash *h, struct hash_node *n, uint64_t hash) {
    enum { AT_ONCE = 4 }; /* so the old chains are gone long before the next ones are due */
    if (!grow(h))
        return 0;
    if (h->old) {
        move_chain(h, number_of(hash, h->old_chains));
        move_on(h, AT_ONCE);
    }
    n->hash = hash;
    link_node(h, n);
    h->count++;
    return 1;
}

/* Takes N out of the chain; 0 if it is not in it. */
static int unlink_node(struct hash_node **at, struct hash_node *n) {
    while (*at && *at != n)
        at = &(*at)->next;
    if (!*at)
        return 0;
    *at = n->next;
    n->next = NULL;
    return 1;
}

void hash_remove(struct hash *h, struct hash_node *n) {
    if (h->chains && unlink_node(&h->chain[number_of(n->hash, h->chains)], n))
        h->count--;
    else if (h->old && unlink_node(&h->old[number_of(n->hash, h->old_chains)], n))
        h->count--;
}

struct hash_node *hash_find_next(const struct hash_node *n) {
    struct hash_node *next = n->next;
    while (next && next->hash != n->hash)
        next = next->next;
    return next;
}

/* The first node of the hash in one of so many chains. */
static struct hash_node *find_in(struct hash_node **chain, size_t chains, uint64_t hash) {
    struct hash_node *n = chains ? chain[number_of(hash, chains)] : NULL;
    return n && n->hash != hash ? hash_find_next(&(struct hash_node){n->next, hash}) : n;
}

struct hash_node *hash_find(const struct hash *h, uint64_t hash) {
    struct hash_node *n = find_in(h->chain, h->chains, hash);
    return n ? n : find_in(h->old, h->old_chains, hash);
}

/* The first node of CHAIN or a later chain; NULL if there is none. */
static struct hash_node *first_from(const struct hash *h, size_t chain) {
    while (chain < h->chains && !h->chain[chain])
        chain++;
    return chain < h->chains ? h->chain[chain] : NULL;
}

struct hash_node *hash_first(struct hash *h) {
    move_on(h, SIZE_MAX);
    return first_from(h, 0);
}

struct hash_node *hash_next(const struct hash *h, const struct hash_node *n) {
    return n->next ? n->next : first_from(h, number_of(n->hash, h->chains) + 1);
}

void hash_free(struct hash *h) {
    slices_free(h->chain);
    slices_free(h->old);
    *h = (struct hash){0};
}
