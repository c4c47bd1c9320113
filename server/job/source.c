/* source.c - see source.h. */
#include "source.h"

#include "slices.h"

#include <stdlib.h>

struct source *source_new(unsigned char *bytes, size_t len, struct charge *charge) {
    struct source *s = bytes ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        free(bytes);
        if (charge)
            budget_give(charge, 0);
        return NULL;
    }
    atomic_init(&s->refs, 1);
    s->bytes = bytes;
    s->len = len;
    if (charge)
        budget_move(&s->charge, charge, HELD_INPUT);
    return s;
}

struct source *source_ref(struct source *s) {
    if (s)
        atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

void source_unref(struct source *s) {
    if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
        return;
    slices_free(s->bytes);
    budget_give(&s->charge, 0);
    free(s);
}
