/* failures.c - see failures.h. */
#include "failures.h"

#include <string.h>

void failures_add(struct failures *f, const struct sm_key *key, struct result *r, uint64_t until_ns) {
    size_t i = f->next++ % FAILURES_MAX;
    result_drop(f->entry[i].result);
    f->entry[i].key = *key;
    f->entry[i].until_ns = until_ns;
    f->entry[i].result = result_keep(r);
}

struct result *failures_find(struct failures *f, const struct sm_key *key, uint64_t now_ns) {
    for (size_t i = 0; i < FAILURES_MAX; i++)
        if (f->entry[i].result && f->entry[i].until_ns > now_ns && sm_key_equal(&f->entry[i].key, key))
            return f->entry[i].result;
    return NULL;
}

void failures_clear(struct failures *f) {
    for (size_t i = 0; i < FAILURES_MAX; i++)
        result_drop(f->entry[i].result);
    memset(f, 0, sizeof *f);
}
