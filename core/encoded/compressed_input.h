/* compressed_input.h - compressed references: pointers of address spaces that are 32 bits wide. See
 * compressed_input.c. */
#ifndef CORE_SPACES_H
#define CORE_SPACES_H

#include "ir.h"

/* What a cast between such a space and address space 1 is while the optimiser runs: a call of a function of this
 * name, and the space's number after it. */

/* Which of the module's spaces T is a pointer of; NULL if it is none, or holds more than one pointer. */
const struct space *space_of(const struct compile *c, LLVMTypeRef t);

/* 1 if T is or contains a compressed reference, by the module's data layout. */
static inline int spaces_hold(const struct compile *c, LLVMTypeRef t) {
    return holds_compressed(LLVMGetModuleDataLayout(c->module), t);
}

/* compressed_check.c: SM_OK if nothing is done to compressed references that could not be right. FUNCTIONs only, or
 * all of the module if NULL. */
sm_status spaces_check(struct compile *c);

/* Fails the compile at the instruction I of F, whose text WHAT continues: "'I' WHAT". */
static inline sm_status spaces_refuse(struct compile *c, LLVMValueRef f, LLVMValueRef i, const char *what) {
    return fail(c, SM_CANNOT_REWRITE, f, "'%.200s' %s", value_text(i), what);
}

/* What LLVM says of pointers alone is taken from compressed references: attributes, and metadata of loads. */
void spaces_strip(struct compile *c);

#endif
