/* unwinder.h - objects' .eh_frame sections, registered with the C runtime's unwinder (libgcc).
 *
 * libgcc before 13 keeps its registrations in a list, and looks only into the one that begins next below an address. So
 * the objects of a region are registered in parts, each of many neighbours; a part that changes is registered anew
 * before what it replaces goes, so that exceptions on other threads find their frames all the time. The number of parts
 * and their lengths both grow with the square root of the number of functions. From 13 on libgcc has a tree, whose
 * ranges must not overlap for a moment: there each object is a part, for good.
 *
 * Everything in here is called with the loader's lock held.
 */
#ifndef UNWINDER_H
#define UNWINDER_H

#include <stddef.h>
#include <stdint.h>

/* An object's sections. What they describe lies between `start` and the next object's. */
struct unwind {
    uintptr_t start;
    size_t fdes;
    size_t count;
    void *section[]; /* that libgcc can believe */
};

struct part;

/* The parts of a region; begins as zeros. */
struct unwinder {
    struct part **part; /* by ascending address */
    size_t parts, cap, fdes;
};

/* Registers sections, borrowed until they are removed. 0 if out of memory. */
int unwinder_add(struct unwinder *u, const struct unwind *sections);
void unwinder_remove(struct unwinder *u, const struct unwind *sections);

/* Requires that everything has been removed. */
void unwinder_free(struct unwinder *u);

#endif
