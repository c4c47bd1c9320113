/* roots.h - roots that a frontend declares: slots, values, pins and their types.
 *
 *   scopes.c         scoped roots of LLVM's proposal of 2011: llvm.gc.declare, llvm.gc.undeclare,
 *                    llvm.gc.value
 *   scope_marks.c    the marks at which scopes begin and end, from the input to the rewrite
 *   scope_flow.c     where a slot is a root: no block may be reached both inside and outside of its scope
 *   scope_attach.c   after polls, the lists of safepoints get the slots that are in scope
 *   scope_share.c    roots whose lifetimes do not overlap share one slot; scopes end where a function is left
 *   value_slots.c    llvm.gc.value: a value of any type is a root; it is kept in a slot
 *   phi_slots.c      phis of values that are kept in slots and come from behind an invoke
 *   pins.c           smd.gc.pin: raw pointers into objects that must not move meanwhile
 *   typed_roots.c    types of roots that are not scoped: !smd.type on allocas, "gc-type" bundles
 *   gctypes.h        the same, for the files that ask for the type of one
 *   undef_to_null.c  undefined parts of references become null where a slot may get them
 *   global_roots.c   the module's global variables that hold references
 */
#ifndef CORE_ROOTS_H
#define CORE_ROOTS_H

#include "state.h"

/* ---- scopes.c ---- */

sm_status stage_scopes(struct compile *c);
int has_references(LLVMValueRef function); /* 1 if a parameter or an instruction holds one; advice.c */

/* ---- typed_roots.c ---- */

sm_status gctypes_take(struct compile *c);
sm_status gctypes_apply(struct compile *c);

/* ---- undef_to_null.c ---- */

/* Before anything is kept in slots, what is undefined in references is null */
sm_status undefined_to_null(struct compile *c);

/* ---- global_roots.c ---- */

/* Appends the member global_roots, if there are any */
sm_status globals_put(struct compile *c, sm_buf *out);

#endif
