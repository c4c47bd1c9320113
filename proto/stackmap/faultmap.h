/* faultmap.h - implicit null checks: LLVM's .llvm_faultmaps, read into a stackmap's structs (LLVM 19,
 * docs/FaultMaps.rst). */
#ifndef SM_FAULTMAP_H
#define SM_FAULTMAP_H

#include "stackmap.h"

#define SM_FAULTMAP_SECTION ".llvm_faultmaps"

/* Appends a section's functions to M, with their faults: sm_function.at is where the address field stands, the offset
 * what it holds. M's counts are those of the whole; nothing is looked up. SM_INVALID_STACKMAP with a sentence in ERR
 * (may be NULL), SM_NOMEM. */
sm_status sm_faultmap_decode(sm_stackmap *m, const void *bytes, size_t len, sm_stackmap_error *err);

/* Adds what the object holds of them to M, to the functions that are there or after them. As sm_gcmap_of_object. */
sm_status sm_faultmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err);

/* "load", "store", "load_store"; NULL for a number that is none. Static. */
const char *sm_fault_kind_name(unsigned kind);

#endif
