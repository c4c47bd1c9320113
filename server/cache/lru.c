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

void lru_list(const struct lru *l, uint32_t since_s, sm_buf *out, size_t *count, size_t max,
              int (*skip)(void *arg, const struct sm_key *key), void *arg) {
    char text[SM_KEY_TEXT];
    for (const struct lru_node *n = l->newest; n && *count < max; n = n->older) {
        if (n->used_s < since_s || (skip && skip(arg, &n->key)))
            continue;
        sm_key_text(&n->key, text);
        sm_buf_printf(out, "%s\"%s\"", *count ? "," : "", text);
        ++*count;
    }
}

void lru_free(struct lru *l) {
    hash_free(&l->by_key);
    *l = (struct lru){0};
}
