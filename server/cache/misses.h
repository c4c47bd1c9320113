/* misses.h - why a compile was not in the cache: what its key differs in from the nearest that was kept lately.
 *
 * Remembers what the last MISSES_KEPT keys were made of. Any thread may call everything.
 */
#ifndef SMD_MISSES_H
#define SMD_MISSES_H

#include "entry.h"

#include <pthread.h>

#define MISSES_KEPT 256

struct misses {
    pthread_mutex_t lock;
    struct origin *kept[MISSES_KEPT]; /* owned */
    size_t next;
};

void misses_init(struct misses *m);
void misses_free(struct misses *m);
void misses_note(struct misses *m, const struct origin *o);

/* Writes, for a person: "input", "option opt: not 2", "compiler" …, separated by "; ". */
void misses_explain(struct misses *m, const struct origin *o, char *text, size_t size);

#endif
