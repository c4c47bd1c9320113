/* A tree of expressions that is walked by virtual calls: evaluated, and simplified into a new tree.
 * sizes: 600 6 1 */
#include "managed.h"

struct node;
typedef struct node REF *node;

struct kind {
    int64_t (*evaluate)(node n, int64_t x);
    node (*simplify)(node n);
};

struct node {
    uint64_t header;
    node left, right;
    const struct kind *kind;
    int64_t value;
};

static int64_t evaluate_number(node n, int64_t x);
static int64_t evaluate_variable(node n, int64_t x);
static int64_t evaluate_add(node n, int64_t x);
static int64_t evaluate_multiply(node n, int64_t x);
static node simplify_leaf(node n);
static node simplify_both(node n);

static const struct kind number = {evaluate_number, simplify_leaf}, variable = {evaluate_variable, simplify_leaf},
                         add = {evaluate_add, simplify_both}, multiply = {evaluate_multiply, simplify_both};
static const struct kind *const kinds[] = {&number, &variable, &add, &multiply};

static node make(const struct kind *kind, node left, node right, int64_t value) {
    node n = NEW(node, 2);
    n->kind = kind;
    n->left = left;
    n->right = right;
    n->value = value;
    return n;
}

static int64_t evaluate_number(node n, int64_t x) {
    (void)x;
    return n->value;
}

static int64_t evaluate_variable(node n, int64_t x) {
    return x + n->value;
}

static int64_t evaluate_add(node n, int64_t x) {
    int64_t left = n->left->kind->evaluate(n->left, x);
    return left + n->right->kind->evaluate(n->right, x);
}

static int64_t evaluate_multiply(node n, int64_t x) {
    int64_t left = n->left->kind->evaluate(n->left, x);
    return left * n->right->kind->evaluate(n->right, x);
}

static node simplify_leaf(node n) {
    return n;
}

static node simplify_both(node n) {
    node left = n->left->kind->simplify(n->left);
    node right = n->right->kind->simplify(n->right);
    if (left->kind == &number && right->kind == &number) {
        int64_t value = n->kind == &add ? left->value + right->value : left->value * right->value;
        return make(&number, 0, 0, value);
    }
    if (left == n->left && right == n->right)
        return n;
    return make(n->kind, left, right, 0);
}

static NOINLINE node build(int64_t depth, uint64_t x) {
    x = next_random(x);
    if (depth == 0)
        return make(kinds[(x >> 40) % 2], 0, 0, (int64_t)(x >> 60));
    node left = build(depth - 1, x);
    node right = build(depth - 1, x + 1);
    return make(kinds[2 + (x >> 40) % 2], left, right, 0);
}

int64_t run(int64_t n) {
    node tree = build(n < 6 ? 7 : 10, 5);
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum = sum * 7 + tree->kind->evaluate(tree, i);
        if (i % 4 == 0) {
            node simple = tree->kind->simplify(tree);
            sum += simple->kind->evaluate(simple, i);
        }
    }
    return sum;
}
