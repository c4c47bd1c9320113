/* region.h - address space for loaded objects.
 *
 * A region is one reserved range, small enough that everything in it reaches everything else with 32 bits. It has
 * three areas: code, constants and data. Objects get whole pages of each; since the pages of one kind stand together,
 * neighbours with equal protection are one mapping to the kernel, however many objects there are.
 *
 * The code area comes first, and has a word for each 4 KiB that says whose safepoints are there: what sm_find reads
 * without a lock. Everything else in here is called with the loader's lock held.
 */
#ifndef REGION_H
#define REGION_H

#include "smclient.h"
#include "unwinder.h"

#include <stdatomic.h>

enum area { AREA_CODE, AREA_CONST, AREA_DATA, AREAS };

#define PAGE_SHIFT 12 /* of the words, whatever the system's pages are */

/* Pages of one area. */
struct span {
    uintptr_t start;
    size_t bytes; /* whole pages of the system; 0 if there is none */
};

struct hole;
struct table;

struct region {
    struct region *next; /* fixed once the region is published */
    uintptr_t start;
    size_t bytes, code_bytes;
    _Atomic(const struct table *) *page; /* of the code area */
    struct unwinder unwinder;            /* of what is in it */
    struct {
        struct hole *hole; /* sorted, never adjacent */
        size_t holes, cap;
    } area[AREAS];
};

/* What a region has to fulfil for an object. */
struct demand {
    size_t bytes[AREAS];
    uintptr_t below;  /* the region has to end below this address; 0: anywhere */
    const void *near; /* and should be within 2 GiB of it; NULL: anywhere */
};

size_t page_round(size_t bytes);

/* A new region that can hold at least the demand; *new* (region_free). */
struct region *region_new(const struct demand *d, size_t wanted, sm_error *err);
void region_free(struct region *r);

int region_fits(const struct region *r, const struct demand *d);

/* Takes pages in every area asked for, readable and writable and zero. 0 if there is no room, or no memory for it. */
int region_take(struct region *r, const struct demand *d, struct span span[AREAS]);

/* Gives pages back: nothing can be read there any more. */
void region_give(struct region *r, const struct span span[AREAS]);

/* Sets the words of a code span. */
void region_publish(struct region *r, struct span code, const struct table *t);

static inline const struct table *region_lookup(const struct region *r, uintptr_t address) {
    return atomic_load_explicit(&r->page[(address - r->start) >> PAGE_SHIFT], memory_order_acquire);
}

#endif
