/* late_inline.h - functions that are inlined late. Those that smd calls of its own accord: the module's
 * gc.read_barrier, gc.write_barrier, gc.transition_enter, gc.transition_leave, gc.root_enter and gc.root_leave, and
 * those that smd writes for options. And the module's allocators ("smd-allocate"). */
#ifndef CORE_HOOKS_H
#define CORE_HOOKS_H

#include "ir.h"

#include <stdio.h>

/* The module's function of one of these names, defined or declared; NULL. */
static inline LLVMValueRef hook_of(const struct compile *c, const char *name) {
    return LLVMGetNamedFunction(c->module, name);
}

/* The barrier of that name for compressed references of the space NUMBER: NAME.pNUMBER; NULL. */
static inline LLVMValueRef hook_of_space(const struct compile *c, const char *name, unsigned number) {
    char own[40];
    snprintf(own, sizeof own, "%s.p%u", name, number);
    return hook_of(c, own);
}

/* The barrier of that name for a reference of TYPE; NULL. */
static inline LLVMValueRef hook_for(const struct compile *c, const char *name, LLVMTypeRef type) {
    return holds_compressed(LLVMGetModuleDataLayout(c->module), type)
               ? hook_of_space(c, name, LLVMGetPointerAddressSpace(type))
               : hook_of(c, name);
}

/* Those of the name, for references of any kind: the next from number *I on, at first 0; NULL after the last one. */
static inline LLVMValueRef hooks_next(const struct compile *c, const char *name, size_t *i) {
    LLVMValueRef f = NULL;
    for (; !f && *i <= c->spaces; ++*i)
        f = *i ? hook_of_space(c, name, c->space[*i - 1].number) : hook_of(c, name);
    return f;
}

static inline int hooks_have(const struct compile *c, const char *name) {
    size_t i = 0;
    return hooks_next(c, name, &i) != NULL;
}

/* Around the optimiser: it drops none of them, nor OTHERS, functions and variables of the module. Allocators are not
 * inlined meanwhile; fails if one cannot be an allocator. */
sm_status hooks_keep(struct compile *c, const struct set *others);
void hooks_release(struct compile *c);

/* A call of HOOK at the builder's place, in F, with the debug location of LIKE. hooks_inline inlines it. */
LLVMValueRef hook_call(struct compile *c, LLVMBuilderRef b, LLVMValueRef hook, LLVMValueRef *args, unsigned count,
                       LLVMValueRef like);

/* All such calls; STATUS is the failure's, if one cannot be. What smd has written for them goes. */
sm_status hooks_inline(struct compile *c, sm_status status);

/* The one that was begun under this name; NULL. *FAILURE, with a diagnostic, if it is the module's. */
LLVMValueRef hook_named(struct compile *c, const char *name, sm_status *failure);

/* A function of smd's own, to be called so: empty, with one block, at whose end the builder stands afterwards. */
LLVMValueRef hook_begin(struct compile *c, LLVMBuilderRef b, const char *name, LLVMTypeRef type);

/* 1 if F may be called although it stops: of calls and functions that are no leaves. */
static inline int hook_stops(const struct compile *c, LLVMValueRef f) {
    return LLVMIsDeclaration(f) ? !is_leaf_function(f) : has_safepoints(c, f);
}

/* "ptr addrspace(1), ptr": for messages. */
void types_text(LLVMTypeRef *types, unsigned count, char *text, size_t size);

#endif
