/* compact.h - stackmaps at a few bytes a safepoint: the section .smd_maps, written and read.
 *
 * The format is docs/compact.md's, byte by byte. In short: a section holds blobs, one for each section of code of each
 * object, one after another as a linker leaves them. A blob has a table of its functions' addresses, relative to the
 * table itself and ascending; after it, for each function, its frame and its safepoints by the distance from one to the
 * next; and what safepoints have in common, their shapes, each of them once.
 *
 * Two ways to read: sm_compact_decode fills the structs of stackmap.h, as for LLVM's own table; sm_compact_find looks a
 * return address up in the bytes as they stand in memory, without a pass over them and without memory of its own.
 */
#ifndef SM_COMPACT_H
#define SM_COMPACT_H

#include "stackmap.h"

#define SM_COMPACT_SECTION ".smd_maps"
#define SM_COMPACT_ALIGN   4 /* of the section; every blob's size is a multiple of it */

/* A field of four bytes, AT bytes from the section's start, that is to hold the address of a function of the map less
 * the field's own: R_X86_64_PC32 or R_AARCH64_PREL32. */
typedef struct sm_compact_field {
    uint32_t at;
    uint32_t function; /* index into sm_stackmap.function */
} sm_compact_field;

/* Appends M's table to OUT, its fields zero. *FIELDS is *new*, one for each function. What other tables than LLVM's say
 * (frame_map), and names and callees are left out. SM_TOO_LARGE for more than 4 GiB,
 * SM_INVALID_STACKMAP if a record lies before its function's first byte or between two instructions, SM_NOMEM. */
sm_status sm_compact_encode(const sm_stackmap *m, sm_buf *out, sm_compact_field **fields);

/* Adds the functions and records of a section's LEN bytes to M: sm_function.at is where its field stands, its offset
 * what the field holds. SM_INVALID_STACKMAP with a sentence in ERR (which may be NULL), SM_NOMEM. */
sm_status sm_compact_decode(sm_stackmap *m, const void *bytes, size_t len, sm_stackmap_error *err);

/* Appends to OUT the relocatable object E with .smd_maps in the place of its .llvm_stackmaps, which M was read from
 * (with kinds and reasons as they are to be reported). Relocations of LLVM's table have the symbols of the new one's;
 * the section is kept by linkers that collect garbage. SM_INVALID_OBJECT for an object without exactly one such
 * table, or one whose headers are of the extended kind; and as sm_compact_encode. */
sm_status sm_compact_object(const sm_elf *e, const sm_stackmap *m, sm_buf *out);

/* One blob, in place. */
typedef struct sm_compact {
    const unsigned char *blob; /* borrowed */
    uintptr_t base; /* where its first byte stands, which functions are counted from: where it is read, unless it
                                  is a copy */
    uint32_t size, functions, shapes, shapes_at;
    uint8_t scale; /* a record's distance is in units of 1 << scale bytes */
    uint8_t has_ids;
    uint16_t machine;
    uint64_t first_id;
} sm_compact;

/* Reads the header of the blob at BYTES. SM_INVALID_STACKMAP if it is none, or does not fit in LEN bytes. */
sm_status sm_compact_open(sm_compact *c, const void *bytes, size_t len);

uintptr_t sm_compact_function(const sm_compact *c, uint32_t i);          /* where function I begins */
uint32_t sm_compact_functions_before(const sm_compact *c, uintptr_t pc); /* how many begin at or before PC */

/* Where a record is. */
typedef struct sm_compact_hit {
    uint32_t function, shape;
    uint32_t offset; /* of the return address from the function's address, bytes */
    uint64_t id, frame_size;
} sm_compact_hit;

/* A function's records, one after the other. */
typedef struct sm_compact_walk {
    sm_cursor in; /* has failed if the bytes are damaged */
    sm_compact_hit at;
} sm_compact_walk;

sm_compact_walk sm_compact_begin(const sm_compact *c, uint32_t function); /* fills at.frame_size */
int sm_compact_next(sm_compact_walk *w, const sm_compact *c);             /* 0 if there is no other one */

/* The next return address: of several records at one a statepoint's. 0 if there is no other one. */
int sm_compact_next_address(sm_compact_walk *w, const sm_compact *c, sm_compact_hit *hit);

/* The record of a function with this return address; of several a statepoint. 1 if there is one, 0 otherwise, -1 if the
 * bytes are damaged. */
int sm_compact_seek(const sm_compact *c, uint32_t function, uint64_t offset, sm_compact_hit *hit);

/* The same by the return address. */
int sm_compact_search(const sm_compact *c, uintptr_t pc, sm_compact_hit *hit);

/* The most locations and live-outs that a shape can have, by its length; 0 of both if there is no such shape. */
void sm_compact_room(const sm_compact *c, uint32_t shape, uint32_t *locations, uint32_t *liveouts);

/* Appends a record to M's arrays, which are grown only if they have less room than the shape needs. Damage:
 * SM_INVALID_STACKMAP; SM_NOMEM. */
sm_status sm_compact_read(const sm_compact *c, const sm_compact_hit *hit, sm_stackmap *m);

/* The record whose return address is PC: decoded into M, which is freed or empty before, as its only record, of its
 * only function; no record at all if there is none. SM_INVALID_STACKMAP, SM_NOMEM. Thread-safe. */
sm_status sm_compact_find(const sm_compact *c, uintptr_t pc, sm_stackmap *m);

#endif
