/* barrier.h - return barriers: return addresses that a watermark has replaced (watermark.c).
 *
 * A frame that has not run since it was visited is known by the return address that leads to it: this is replaced by
 * that of a stub, which goes on where the frame would have. As long as a walk meets the stub, nobody has returned
 * there. Each watermark has one stub, and finds the address that it replaced by the stack pointer after the return;
 * so do unwinders, by the stubs' .eh_frame. Nothing has to be undone when frames are left by other ways, as
 * exceptions and longjmp.
 *
 * This header is for C and assembly. */
#ifndef BARRIER_H
#define BARRIER_H

/* Stubs are in groups of 256 bytes, by which .eh_frame finds the watermarks: the first place of a group has no stub,
 * but the distance from each stub to its watermark's pointer, which are equally far apart. */
#define BARRIER_GROUPS     64
#define BARRIER_GROUP      32 /* places */
#define BARRIER_STUB_SHIFT 3  /* of a place's bytes */
#define BARRIER_BYTES      16 /* a struct barrier; it begins with the stack pointer */
#define BARRIER_PC         8  /* in it */

#ifndef __ASSEMBLER__
#include "smclient.h"

enum {
    BARRIERS = 64,
    BARRIER_PLACES = BARRIER_GROUPS * BARRIER_GROUP,
    BARRIER_STUBS = BARRIER_PLACES - BARRIER_GROUPS, /* watermarks at one time */
};

/* A return address that was replaced. barrier_*.S and its .eh_frame read it. */
struct barrier {
    uintptr_t sp; /* after the return; 0 ends the array */
    uintptr_t pc; /* where the frame goes on */
};

/* The barriers of one stack, the innermost first. */
struct sm_watermark {
    struct barrier barrier[BARRIERS + 1]; /* the first member */
    uint64_t frames[BARRIERS]; /* of each barrier: how many frames of managed code are from there outwards */
    uint32_t barriers;
    uint32_t number; /* the stub's place */
    int is_reset;    /* boolean: the next visit visits all frames */
    size_t skipped;  /* frames that the last visit did not visit */
};

/* Gives the watermark a stub; 0 if all are taken. */
int barrier_take(struct sm_watermark *m);
void barrier_give(const struct sm_watermark *m);

/* The address that stands for the return addresses that M replaces. */
uintptr_t barrier_address(const struct sm_watermark *m);

/* barrier_*.S: the stubs, and which watermark each is of. */
extern const char barrier_stub[BARRIER_PLACES][1 << BARRIER_STUB_SHIFT] __attribute__((visibility("hidden")));

static inline int barrier_is(uintptr_t pc) {
    return pc - (uintptr_t)barrier_stub < sizeof barrier_stub;
}

/* The watermark whose stub PC is, and in *PC the address that was replaced where the stack pointer is SP after the
 * return. Requires barrier_is. NULL, and 0, if nothing was: then the stack is damaged. */
const struct sm_watermark *barrier_replaced(uintptr_t *pc, uintptr_t sp);

/* 1 if threads of this process have shadow stacks, which keep return addresses from being replaced. */
int barrier_is_forbidden(void);

#endif
#endif
