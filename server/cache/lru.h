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
};

struct lru {
    struct lru_node *newest, *oldest;
    struct hash by_key;
    size_t count, bytes;
};

struct lru_node *lru_find(const struct lru *l, const struct sm_key *key); /* NULL if it is not there */

/* Adds a node whose key is not there yet, as the newest or the oldest. 0 if out of memory for the table. */
int lru_add(struct lru *l, struct lru_node *n);
int lru_add_oldest(struct lru *l, struct lru_node *n);
void lru_use(struct lru *l, struct lru_node *n); /* it is the newest now */
void lru_remove(struct lru *l, struct lru_node *n);

/* Appends the keys of nodes used since SINCE_S as JSON strings with commas between, the last used first, until there
 * are MAX.
 * *COUNT is how many there are already, and grows. Keys for which SKIP (may be NULL) gives nonzero are left out. */
void lru_list(const struct lru *l, uint32_t since_s, sm_buf *out, size_t *count, size_t max,
              int (*skip)(void *arg, const struct sm_key *key), void *arg);
void lru_free(struct lru *l); /* the table alone */

#endif
