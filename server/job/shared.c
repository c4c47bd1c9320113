/* shared.c - see shared.h. */
#include "shared.h"

#include <stdlib.h>

struct shared *shared_ref(struct shared *s) {
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

void shared_unref(struct shared *s) {
    if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
        return;
    s->free(s->response);
    free(s);
}
