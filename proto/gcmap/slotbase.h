/* slotbase.h - which register the offsets of a gcroot table count from.
 *
 * The tables of the erlang and ocaml strategies give a root's offset and not its base. LLVM takes the base from the
 * frame's own reference to the slot (GCRootLowering.cpp, FindStackOffsets): the frame pointer for a slot below it, the
 * stack pointer in general, and in two cases something else. A frame that is both realigned and of variable size has a
 * base pointer; and on AArch64 a slot may fill the gap that an odd number of saved registers leaves above the frame
 * pointer. The function's prologue tells these apart from the rest.
 */
#ifndef SM_SLOTBASE_H
#define SM_SLOTBASE_H

#include "artifact.h" /* sm_slice */

/* What a function's code says of its frame. */
typedef struct sm_frame_shape {
    int known;         /* there was code to look at */
    int base_pointer;  /* it may have one */
    int frame_pointer; /* likewise */
    uint32_t above; /* AArch64: bytes from the frame pointer to the frame's upper end; 0 if it has no frame pointer */
} sm_frame_shape;

sm_frame_shape sm_frame_shape_of(uint16_t machine, sm_slice code);

/* 1 if offsets of SCALE bytes in a frame of FRAME_SIZE bytes (UINT64_MAX: dynamic) are unsigned. */
static inline int sm_slot_is_unsigned(uint64_t frame_size, int32_t scale) {
    return frame_size != UINT64_MAX && frame_size > (uint64_t)INT16_MAX * (uint64_t)scale;
}

/* The DWARF register that OFFSET, of so many bytes a unit, counts from in the frame, or SM_REGISTER_UNKNOWN where table
 * and code do not say. */
uint16_t sm_slot_base(uint16_t machine, const sm_frame_shape *shape, uint64_t frame_size, int32_t offset,
                      int32_t scale);

#endif
