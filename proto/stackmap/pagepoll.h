/* pagepoll.h - page polls: a load from a page that the runtime takes away when it wants the threads to stop.
 *
 * Where such a poll is, LLVM emits a statepoint with room to patch: nops before the return address of its record, at
 * which every live pointer is where the record says. A load that follows a call could not have that: nothing keeps what
 * LLVM schedules between the two apart. The page's address is the statepoint's argument, in a register of its own:
 * what `nest` says on x86-64 (r10), `swiftself` on AArch64 (x20). So code generation puts it there, once for a loop.
 * When the object is there, the load is written over the nops.
 */
#ifndef SM_PAGEPOLL_H
#define SM_PAGEPOLL_H

#include "elffile.h"

enum {
    SM_PAGE_POLL_CONVENTION =
        15, /* preserve_allcc: whoever handles the fault changes no register but by its record */
};

/* How many bytes the load has, all of them before the record's return address; it faults at the first. */
unsigned sm_page_poll_bytes(uint16_t machine);

/* The attribute of the argument that has the page's address. Static storage. */
const char *sm_page_poll_attribute(uint16_t machine);

/* Where a poll's nops end. */
typedef struct sm_page_place {
    size_t section;
    uint64_t end; /* in the section's bytes */
} sm_page_place;

/* Writes the loads over a relocatable object of LLVM's: gives new bytes, *new* (free), as many as before.
 * SM_NOMEM; SM_INVALID_OBJECT if a place is none of the object's. */
sm_status sm_page_write(const sm_elf *e, const sm_page_place *place, size_t places, unsigned char **bytes);

#endif
