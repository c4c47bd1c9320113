/* placing.h - what place.c asks of other files. */
#ifndef CORE_PLACING_H
#define CORE_PLACING_H

#include "state.h"

/* ---- frame_state.c ---- */

LLVMValueRef entry_state(LLVMValueRef function); /* the mark that the entry's poll can have; NULL if there is none */
void frame_states_attach(struct compile *c);     /* polls have the states of marks, which are gone */

/* leaf_calls.c: marks calls that cannot collect, so that they become no statepoints. Before polls are placed */
sm_status leaf_calls_mark(struct compile *c);

int poll_is_plain(const struct compile *c); /* a call of it lies in a loop if and only if its place does */
void deopt_repair(struct compile *c);       /* after polls were placed: what they have torn apart is complete again */

#endif
