/* deoptstate.h - deoptimisation state that says which frames it is of: code that was inlined, one frame within another.
 *
 * Inlining puts the state of the inlined call behind that of the call that it replaces, and nothing in LLVM's record says
 * where one ends. So a frontend begins the state of each frame with three constants: a mark that has the number of the
 * values behind these three, the method, and the bytecode. Values may be objects that are nowhere in memory: a mark, the
 * type, and the fields. Nothing in a state counts from its beginning, so that states can be put one behind another.
 * docs/stackmap.md specifies it. */
#ifndef SM_DEOPTSTATE_H
#define SM_DEOPTSTATE_H

#include "status.h"

#include <stdint.h>

/* Each with a number in its low 16 bits. */
#define SM_MARK_FRAME  UINT64_C(0x534d444600020000) /* so many values of the frame follow method and bytecode */
#define SM_MARK_OBJECT UINT64_C(0x534d444600030000) /* the type follows, then so many fields */
#define SM_MARK_SAME   UINT64_C(0x534d444600040000) /* the object that began so many objects before: 1 is the last */
#define SM_MARK_NUMBER UINT64_C(0xffff)

enum { SM_STATE_NESTED_MAX = 64 }; /* objects in one another */

/* The values, wherever they are kept. CONSTANT gives 1 if value I of N is a constant, with *VALUE. */
typedef struct sm_state {
    const void *from;
    int (*constant)(const void *from, uint32_t i, uint64_t *value);
    uint32_t n;
} sm_state;

enum sm_state_kind {
    SM_STATE_FRAME = 1,
    SM_STATE_VALUE,
    SM_STATE_OBJECT, /* its fields are the next items */
    SM_STATE_SAME,
};

/* What stands at a place of the state. */
typedef struct sm_state_item {
    uint8_t kind;
    uint32_t at;               /* of its first value */
    uint32_t count;            /* a frame's values, with marks; an object's fields */
    uint32_t object;           /* an object's number in the state, or that of the one which is meant */
    uint64_t method, bytecode; /* of a frame */
    uint64_t type;             /* of an object */
} sm_state_item;

/* Where reading stands. Begins as zeros. */
typedef struct sm_state_cursor {
    uint32_t at, end; /* END: of the frame's values */
    uint32_t objects; /* that have begun */
    uint32_t nested;
    uint32_t open[SM_STATE_NESTED_MAX]; /* fields that are still to come, of objects in one another */
} sm_state_cursor;

/* 1 if the state says that it is of frames: it begins with a frame's mark. */
int sm_state_has_frames(const sm_state *s);

/* Reads the next item; *ITEM's kind is 0 at the end. SM_INVALID_STACKMAP if the state is not of this form. */
sm_status sm_state_next(const sm_state *s, sm_state_cursor *c, sm_state_item *item);

/* How many frames the state has; *STATUS is that of reading all of it. */
uint32_t sm_state_count(const sm_state *s, sm_status *status);

#endif
