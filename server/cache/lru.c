/* lru.c - see lru.h. */
#include "lru.h"

#include "container.h"

#include <time.h>

struct lru_node *lru_find(const struct lru *l, const struct sm_key *key) {
    struct hash_node *h = hash_find(&l->by_key, sm_key_hash(key));
    while (h && !sm_key_equal(&container_of(h, struct lru_node, in_table)->key, key))
        h = hash_find_next(h);
    return h ? container_of(h, struct lru_node, in_table) : NULL;
}

/* Adds the node to the table and the counts; 0 if out of memory. */
static int add_to_table(struct lru *l, struct lru_node *n) {
    if (!hash_add(&l->by_key, &n->in_table, sm_key_hash(&n->key)))
        return 0;
    l->count++;
    l->bytes += n->bytes;
    return 1;
}

/* Makes N, which is in no list, the newest node. */
static void link_newest(struct lru *l, struct lru_node *n) {
    n->newer = NULL;
    n->older = l->newest;
    *(l->newest ? &l->newest->newer : &l->oldest) = n;
    l->newest = n;
}

/* Takes N out of the list; it stays in the table. */
static void unlink_node(struct lru *l, struct lru_node *n) {
    if (l->next_listed == n)
        l->next_listed = n->older;
    *(n->newer ? &n->newer->older : &l->newest) = n->older;
    *(n->older ? &n->older->newer : &l->oldest) = n->newer;
}

static uint32_t now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME_COARSE, &t);
    return (uint32_t)t.tv_sec;
}

int lru_add(struct lru *l, struct lru_node *n) {
    if (!add_to_table(l, n))
        return 0;
    n->used_s = now_s();
    link_newest(l, n);
    return 1;
}

int lru_add_oldest(struct lru *l, struct lru_node *n) {
    if (!add_to_table(l, n))
        return 0;
    n->older = NULL;
    n->newer = l->oldest;
    *(l->oldest ? &l->oldest->older : &l->newest) = n;
    l->oldest = n;
    return 1;
}

void lru_use(struct lru *l, struct lru_node *n) {
    unlink_node(l, n);
    link_newest(l, n);
    n->used_s = now_s();
}

void lru_remove(struct lru *l, struct lru_node *n) {
    hash_remove(&l->by_key, &n->in_table);
    unlink_node(l, n);
    l->count--;
    l->bytes -= n->bytes;
}

/* Stages of a listing: it has not begun; all nodes; those that were used since it began. */
enum { LISTING_NEW, LISTING_ALL, LISTING_USED };

/* Adds the node to the listing, unless it is there or too old. */
static void list_node(struct listing *x, struct lru_node *n) {
    if (n->listed == x->number || n->used_s < x->since_s)
        return;
    n->listed = x->number;
    x->key[x->count++] = n->key;
}

int lru_list(struct lru *l, struct listing *x) {
    x->count = 0;
    if (x->stage == LISTING_NEW) {
        x->stage = LISTING_ALL;
        x->begun_s = now_s();
        l->next_listed = l->newest;
    }
    if (x->stage == LISTING_USED) { /* few, all at once: none is moved away meanwhile */
        for (struct lru_node *n = l->newest; n && n->used_s >= x->begun_s && x->count < LISTING_PIECE; n = n->older)
            list_node(x, n);
        return x->count == LISTING_PIECE;
    }
    for (int i = 0; i < LISTING_PIECE && l->next_listed; i++) {
        struct lru_node *n = l->next_listed;
        l->next_listed = n->older;
        list_node(x, n);
    }
    if (!l->next_listed)
        x->stage = LISTING_USED;
    return 1;
}

void lru_free(struct lru *l) {
    hash_free(&l->by_key);
    *l = (struct lru){0};
}
