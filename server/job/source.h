/* source.h - the input of a job: bytes that all who need them share, and that are counted once. Any thread. */
#ifndef SMD_SOURCE_H
#define SMD_SOURCE_H

#include "budget.h"

#include <stdatomic.h>

/* A module or an object. Jobs of several levels have one, and the crash files and the disk that write it. */
struct source {
    atomic_int refs;
    unsigned char *bytes; /* owned */
    size_t len;
    struct charge charge;
};

/* BYTES and what CHARGE has counted for them (may be NULL) are *taken*, also on failure. NULL if out of memory, or
 * without bytes. *new* */
struct source *source_new(unsigned char *bytes, size_t len, struct charge *charge);

struct source *source_ref(struct source *s); /* gives S; NULL is fine */
void source_unref(struct source *s);         /* NULL is fine */

#endif
