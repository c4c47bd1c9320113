/* lazy.h - calls of functions by name that are bound when they are first made, and can be bound anew.
 *
 * Each name has one stub, which jumps to where its slot says: to the function, or, as long as that is not known, to
 * lazy_enter (lazy_x86_64.S, lazy_aarch64.S), which keeps the call's arguments, has the name looked for, and goes on
 * there. Stubs are made by the page, and are never changed; slots are. They live as long as the loader.
 */
#ifndef LAZY_H
#define LAZY_H

#include "object.h"

/* The stub of a name, made if there is none; 0 when out of memory. Requires the lock. */
uintptr_t lazy_stub(sm_loader *l, const char *name);

/* Stubs that go to an object's functions ask again. Requires the lock. */
void lazy_forget(sm_object *o);

void lazy_free(sm_loader *l);

/* Finds out what vector state there is to save, for lazy_enter and for tls_descriptor. */
void lazy_find_state(void);

#endif
