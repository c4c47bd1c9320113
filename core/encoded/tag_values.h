/* tag_values.h - questions to one integer among tagged references (tag_values.c). */
#ifndef CORE_TAG_VALUES_H
#define CORE_TAG_VALUES_H

#include "state.h"

#include <llvm-c/Types.h>
#include <stdint.h>

/* tags.c: checks to_int, from_int, number and the tag mask, and marks the functions as no safepoints. Before the
 * optimiser. */
sm_status tags_declare(struct compile *c);

/* The operand of V that has the address, if V is arithmetic that changes only tags, the bits of MASK; NULL otherwise. */
LLVMValueRef tag_operand(uint64_t mask, LLVMValueRef v);

int tag_is_integer(LLVMValueRef v); /* 1 if V was certainly never an address */
int tag_is_number(LLVMValueRef v);  /* or is a double that was computed */
int tag_is_source(LLVMValueRef v);  /* 1 if V comes from where it was kept, and may be a tagged reference */
int tag_is_box(LLVMValueRef v);     /* 1 if V is the bits of a double from there */

#endif
