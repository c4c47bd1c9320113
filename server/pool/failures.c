/* failures.c - see failures.h. */
#include "failures.h"

#include <string.h>

void failures_add(struct failures *c, const struct sm_key *key, struct result *r, uint64_t until_ns) {
    size_t i = c->next++ % FAILURES_MAX;
    result_unref(c->entry[i].result);
    c->entry[i].key = *key;
    c->entry[i].until_ns = until_ns;
    c->entry[i].result = result_ref(r);
}

struct result *failures_find(struct failures *c, const struct sm_key *key, uint64_t now_ns) {
    for (size_t i = 0; i < FAILURES_MAX; i++)
        if (c->entry[i].result && c->entry[i].until_ns > now_ns && sm_key_equal(&c->entry[i].key, key))
            return c->entry[i].result;
    return NULL;
}

void failures_clear(struct failures *c) {
    for (size_t i = 0; i < FAILURES_MAX; i++)
        result_unref(c->entry[i].result);
    memset(c, 0, sizeof *c);
}
