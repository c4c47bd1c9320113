/* Binary trees: many are made, counted and dropped, while one stays.
 * sizes: 15 10 8 */
#include "managed.h"

struct node {
    uint64_t header;
    struct node REF *left, *right;
};

static NOINLINE struct node REF *make(int64_t depth) {
    struct node REF *left = 0, *right = 0;
    if (depth > 0) {
        left = make(depth - 1);
        right = make(depth - 1);
    }
    struct node REF *n = NEW(node, 2);
    n->left = left;
    n->right = right;
    return n;
}

static NOINLINE int64_t count(struct node REF *n) {
    if (!n->left)
        return 1;
    int64_t left = count(n->left);
    return 1 + left + count(n->right);
}

int64_t run(int64_t n) {
    struct node REF *stays = make(n);
    int64_t sum = 0;
    for (int64_t depth = 4; depth < n; depth += 2) {
        int64_t times = (int64_t)1 << (n - depth);
        for (int64_t i = 0; i < times; i++) {
            struct node REF *t = make(depth);
            sum += count(t);
        }
    }
    return sum * 1000 + count(stays);
}
