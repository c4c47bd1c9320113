/* aggregates.h - structs and arrays with references: taken apart, or refused.
 *
 *   split_aggregates.c  structs and arrays with references that are alive across a safepoint are split into
 *                       their parts
 *   aggregates.c        refuses aggregates with references that the rewrite would leave unrelocated
 */
#ifndef CORE_AGGREGATES_H
#define CORE_AGGREGATES_H

#include "state.h"

/* ---- split_aggregates.c ---- */

/* Structs and arrays with references that are alive across a safepoint are split into parts */
sm_status aggregates_split(struct compile *c);
int gives_aggregate_to_join(LLVMValueRef f); /* boolean: an invoke gives one to a block that others lead to as well */
void words_split(struct compile *c, LLVMValueRef f); /* those with integers or doubles of 64 bits */

/* ---- aggregates.c ---- */

/* Nothing that the rewrite would leave unrelocated is alive across a safepoint */
sm_status aggregates_check(struct compile *c);

#endif
