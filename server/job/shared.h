/* shared.h - what a result has been made into for an answer, shared by all who ask for the same; counted references. */
#ifndef SMD_SHARED_H
#define SMD_SHARED_H

#include "budget.h"

#include <stdatomic.h>

enum { SHARED_KINDS = 15 }; /* media types, each as it is or compressed in one of two ways */

struct shared {
    atomic_int refs;
    size_t bytes;       /* that are sent each time */
    unsigned signed_by; /* the generation of the key that has signed it (vouch.h) */
    void *response;
    void (*free)(void *response);
    struct lent lent;
};

struct shared *shared_ref(struct shared *s); /* gives S */
void shared_unref(struct shared *s);         /* NULL is fine */

#endif
