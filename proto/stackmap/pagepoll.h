/* pagepoll.h - page polls: a load from a page that the runtime takes away when it wants the threads to stop.
 *
 * Where such a poll is, LLVM emits a statepoint with room to patch: nops before the return address of its record, at
 * which every live pointer is where the record says. A load that follows a call could not have that: nothing keeps what
 * LLVM schedules between the two apart. Once the object is there, the load is written over the nops, with relocations
 * against the page's symbol: through the global offset table where code is position-independent, or large.
 */
#ifndef SM_PAGEPOLL_H
#define SM_PAGEPOLL_H

#include "elffile.h"
#include "options.h"

/* The bytes that such a poll takes, and how many before the record's return address its load faults. */
typedef struct sm_page_shape {
    unsigned bytes, fault;
} sm_page_shape;
sm_page_shape sm_page_shape_of(uint16_t machine, const sm_options *o);

/* Where a poll's nops end. */
typedef struct sm_page_place {
    size_t section;
    uint64_t end; /* in the section's bytes */
} sm_page_place;

/* Writes the loads into a relocatable object of LLVM's: gives new bytes, *new* (free). O says how code reaches data.
 * SM_NOMEM; SM_INVALID_OBJECT if a place is none of the object's. */
sm_status sm_page_write(const sm_elf *e, const sm_options *o, const char *symbol, const sm_page_place *place,
                        size_t places, unsigned char **bytes, size_t *len);

#endif
