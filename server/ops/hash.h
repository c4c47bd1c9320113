/* hash.h - a hash table of nodes that lie in what they are the nodes of (container.h).
 *
 * The table owns its chains alone, which grow with it: a look-up takes constant time, and so does to add a node, but
 * for the memory that doubles. It begins as {0}. Not thread-safe.
 */
#ifndef SMD_HASH_H
#define SMD_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_node {
    struct hash_node *next; /* in its chain */
    uint64_t hash;
};

struct hash {
    struct hash_node **chain; /* owned; a power of two of them, NULL while there is none */
    size_t chains, count;
    struct hash_node **old;   /* owned: the chains before them, half as many, until they are empty; NULL then */
    size_t old_chains, moved; /* so many of them are */
};

/* 0 if out of memory for the first chains; later ones only grow longer then. */
int hash_add(struct hash *h, struct hash_node *n, uint64_t hash);
void hash_remove(struct hash *h, struct hash_node *n); /* nothing happens if it is not there */

/* The first node of this hash, and the next one of the same; NULL if there is none. The caller compares the keys. */
struct hash_node *hash_find(const struct hash *h, uint64_t hash);
struct hash_node *hash_find_next(const struct hash_node *n);

/* All nodes, in no order: all that are still to be moved move first. The next one may be asked for before N is removed; nothing may be added meanwhile. */
struct hash_node *hash_first(struct hash *h);
struct hash_node *hash_next(const struct hash *h, const struct hash_node *n);

void hash_free(struct hash *h); /* the nodes are the caller's */

#endif
