/* lru.h - things by their keys, the least recently used last: the index of each tier of the cache.
 *
 * A node lies in what it is the node of; the list owns only its table. Not thread-safe.
 */
#ifndef SMD_LRU_H
#define SMD_LRU_H

#include "hash.h"
#include "key.h"

struct lru_node {
    struct lru_node *newer, *older;
    struct hash_node in_table;
    struct sm_key key;
    size_t bytes;    /* what it counts for */
    uint32_t used_s; /* when it was used last, seconds since 1970; lru_add and lru_use set it */
    uint32_t listed; /* the number of the last listing that has it */
};

struct lru {
    struct lru_node *newest, *oldest;
    struct lru_node *next_listed; /* where a listing goes on: no node that is removed or moved meanwhile */
    struct hash by_key;
    size_t count, bytes;
};

struct lru_node *lru_find(const struct lru *l, const struct sm_key *key); /* NULL if it is not there */

/* Adds a node whose key is not there yet, as the newest or the oldest. 0 if out of memory for the table. */
int lru_add(struct lru *l, struct lru_node *n);
int lru_add_oldest(struct lru *l, struct lru_node *n);
void lru_use(struct lru *l, struct lru_node *n); /* it is the newest now */
void lru_remove(struct lru *l, struct lru_node *n);

/* A listing of keys, which is made in pieces: the list may change between them. One at a time of a list. */
enum { LISTING_PIECE = 128 };

struct listing {
    uint32_t number;  /* not 0, and no earlier listing's */
    uint32_t since_s; /* keys used since then */
    int stage;        /* the listing's own; 0 at first */
    uint32_t begun_s; /* likewise */
    size_t count;     /* of KEY */
    struct sm_key key[LISTING_PIECE];
};

/* Fills in the next piece: looks at LISTING_PIECE nodes, the last used first. Nodes that are used meanwhile come at the
 * end, each once. 0 when the list has no more. */
int lru_list(struct lru *l, struct listing *x);

void lru_free(struct lru *l); /* the table alone */

#endif
