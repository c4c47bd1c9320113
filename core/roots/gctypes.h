/* gctypes.h - types of roots that are not scoped (typed_roots.c). */
#ifndef CORE_GCTYPES_H
#define CORE_GCTYPES_H

#include "state.h"

/* Types of slots and values; around the optimiser, and when the slots that are regions are known */
void gctypes_keep(struct compile *c);
LLVMValueRef gctype_of(LLVMValueRef v); /* the first that a "gc-type" bundle says; NULL if none does */
int gctypes_differ(LLVMValueRef v);     /* boolean: two of them say something else */

#endif
