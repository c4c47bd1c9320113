/* gcmap_object.h - an object with __gcmap_<function> tables, the layout of the printer that LLVM's GarbageCollection
 * document builds (docs/compact.md), where LLVM's table was. */
#ifndef SM_GCMAP_OBJECT_H
#define SM_GCMAP_OBJECT_H

#include "stackmap.h"

#define SM_GCMAP_SECTION "smd_gcmaps" /* a name that linkers make __start_ and __stop_ symbols of */

/* Appends to OUT the relocatable object E with a table for each function of M, which was read from it; ARITY is how
 * many parameters each has. The layout knows slots relative to the stack pointer alone, and no derived pointers:
 * SM_INVALID_STACKMAP, with a sentence in WHY, for a safepoint that has others. SM_INVALID_OBJECT as
 * sm_compact_object. */
sm_status sm_gcmap_object(const sm_elf *e, const sm_stackmap *m, const uint32_t *arity, sm_buf *out, char *why,
                          size_t why_size);

#endif
