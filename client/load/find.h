/* find.h - what is known of an address in an object. */
#ifndef FIND_H
#define FIND_H

#include "object.h"

/* An object's entry of .eh_frame for the function that an address is in, or before; NULL if there is none. */
const unsigned char *object_entry(const sm_object *o, uintptr_t address);

/* The rule for unwinding a frame that waits at an instruction of the object. */
struct row object_row(const sm_object *o, uintptr_t pc);

/* 1 if the function that PC is in has safepoints: then a frame of it that waits elsewhere cannot be understood. */
int object_has_sites(const sm_object *o, uintptr_t pc);

/* 1 if the function that PC is in refers to llvm_gc_root_chain, as those of the shadow stack do that have roots. */
int object_uses_chain(const sm_object *o, uintptr_t pc);

/* 1 if a return address is of a safepoint, even if sm_find has no memory for it. */
int loader_has_site(const sm_loader *l, uintptr_t return_address);

/* Forgets the sites of an object that were looked up. Requires the lock, and that nobody uses them. */
size_t object_forget_sites(sm_object *o);

#endif
