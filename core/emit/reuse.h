/* reuse.h - what a compile takes over of an earlier one, and leaves for a later one (reuse.c). */
#ifndef CORE_REUSE_H
#define CORE_REUSE_H

#include "kept.h"
#include "state.h"

#include <llvm-c/Core.h>

/* Of one job, whose module may be compiled twice (compile.c). */
struct reuse {
    sm_slice context;       /* borrowed: text that only compilers share whose code is the same */
    sm_kept earlier;        /* borrowed: an earlier compile's parts */
    struct reused *created; /* owned: this one's */
    size_t parts, room;     /* of them */
    int incomplete;         /* boolean: memory was out for one */
};

/* EARLIER (may be empty) is borrowed; what is damaged is none. All of *R is written. */
void reuse_begin(struct reuse *r, sm_slice context, sm_slice earlier);

/* The object that was computed from what has this key; {NULL, 0} if there is none. On any thread, while nobody adds.
 * *EARLIER: 1 if it is an earlier compile's. */
sm_slice reuse_find(const struct reuse *r, const unsigned char key[SM_KEPT_KEY], int *earlier);

/* OBJECT was computed from what has this key. BUFFER, which holds it, is *taken*; NULL if it is an earlier compile's. */
void reuse_add(struct reuse *r, const unsigned char key[SM_KEPT_KEY], sm_slice object, LLVMMemoryBufferRef buffer);

/* Appends this compile's parts (kept.h) to OUT, if there are any and they are MAX bytes at most. */
sm_status reuse_write(struct reuse *r, size_t max, sm_buf *out);

void reuse_end(struct reuse *r);

#endif
