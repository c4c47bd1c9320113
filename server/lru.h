/* lru.h - things by their keys, the least recently used last: the index of each tier of the cache.
 *
 * A node lies in what it is the node of; the list owns only its table. Not thread-safe.
 */
#ifndef SMD_LRU_H
#define SMD_LRU_H

#include "key.h"

#define LRU_KEY 32 /* bytes: a key as it is, not as text */

struct lru_node {
    struct lru_node *newer, *older, *chain;
    unsigned char key[LRU_KEY];
    size_t bytes; /* what it counts for */
};

struct lru {
    struct lru_node *newest, *oldest;
    struct lru_node **bucket; /* owned; a power of two of them, NULL while there is none */
    size_t buckets, count, bytes;
};

/* From a valid key's text. */
void lru_key(const char *text, unsigned char key[LRU_KEY]);
void lru_key_text(const unsigned char key[LRU_KEY], char text[SM_KEY_TEXT]);

struct lru_node *lru_find(const struct lru *l, const unsigned char key[LRU_KEY]); /* NULL if it is not there */

/* Adds a node whose key is not there yet, as the newest or the oldest. 0 if there is no memory for the table. */
int lru_add(struct lru *l, struct lru_node *n);
int lru_add_oldest(struct lru *l, struct lru_node *n);
void lru_use(struct lru *l, struct lru_node *n); /* it is the newest now */
void lru_remove(struct lru *l, struct lru_node *n);
void lru_free(struct lru *l); /* the table alone */

#endif
