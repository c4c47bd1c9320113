/* region.h - address space for loaded objects.
 *
 * A region is one reserved range, small enough that everything in it reaches everything else with 32 bits. It has
 * three areas: code, constants and data. Objects get whole pages of each; since the pages of one kind stand together,
 * neighbours with equal protection are one mapping to the kernel, however many objects there are.
 *
 * The code area comes first, and has a word for each 4 KiB that says which object is there, or that several are: then
 * there is one for each 64 bytes. They are read without a lock. Everything else in here is called with the loader's
 * lock held.
 */
#ifndef REGION_H
#define REGION_H

#include "smclient.h"
#include "unwinder.h"

#include <stdatomic.h>

enum area { AREA_CODE, AREA_CONST, AREA_DATA, AREAS };

#define PAGE_SHIFT 12 /* of the words, whatever the system's pages are */

/* A part of one area. */
struct span {
    uintptr_t start;
    size_t bytes;  /* 0 if there is none */
    int is_shared; /* boolean: others are in its pages, which have their protection already; else they are whole pages,
                      and writable */
};

/* Code begins at multiples of this, so that each such piece is of one object. */
#define PIECE_SHIFT 6

struct hole;

struct region {
    struct region *next; /* fixed once the region is published */
    uintptr_t start;
    size_t bytes, code_bytes;
    _Atomic(const sm_object *) *page;  /* of the code area; SEVERAL: look at the piece */
    _Atomic(const sm_object *) *piece; /* likewise */
    _Atomic(const sm_object *) linked; /* of a region without pages of its own: the object that it is */
    struct unwinder unwinder;          /* of what is in it */
    struct {
        struct hole *hole; /* sorted, never adjacent */
        size_t holes, cap;
        uintptr_t start;
        size_t bytes;
        uint16_t *users; /* of each page of the system: how many spans are in it */
    } area[AREAS];
};

/* What a region has to fulfil for an object. */
struct demand {
    size_t bytes[AREAS];
    size_t align[AREAS]; /* powers of two, or 0 */
    int may_share;       /* boolean */
    size_t within;       /* bytes that the region may have at most; 0: any number */
    uintptr_t below;     /* the region has to end below this address; 0: anywhere */
    const void *near;    /* and should be within 2 GiB of it; NULL: anywhere */
};

size_t page_round(size_t bytes);

/* A new region that can hold at least the demand; *new* (region_free). */
struct region *region_new(const struct demand *d, size_t wanted, sm_error *err);
void region_free(struct region *r);

/* A *new* region (region_free) that stands for code which is in memory already; nothing can be taken from it. NULL if
 * out of memory. */
struct region *region_of_linked(uintptr_t start, size_t bytes);

int region_fits(const struct region *r, const struct demand *d);

/* Takes a span in every area asked for. 0 if there is no room, or no memory for it. */
int region_take(struct region *r, const struct demand *d, struct span span[AREAS]);

/* Gives them back. From pages that nobody else is in nothing can be read any more. */
void region_give(struct region *r, const struct span span[AREAS]);

/* Sets the words of a code span; NULL: nobody is there. */
void region_publish(struct region *r, struct span code, const sm_object *o);

#define SEVERAL ((const sm_object *)1)

static inline const sm_object *region_lookup(const struct region *r, uintptr_t address) {
    uintptr_t at = address - r->start;
    if (!r->page)
        return atomic_load_explicit(&((struct region *)r)->linked, memory_order_acquire);
    const sm_object *o = atomic_load_explicit(&r->page[at >> PAGE_SHIFT], memory_order_acquire);
    return o == SEVERAL ? atomic_load_explicit(&r->piece[at >> PIECE_SHIFT], memory_order_acquire) : o;
}

#endif
