/* stackmap_build.h - making a stackmap; for its readers (stackmap_llvm.c, compact_read.c, gcmap.c). */
#ifndef SM_STACKMAP_BUILD_H
#define SM_STACKMAP_BUILD_H

#include "stackmap.h"

/* An empty one, for more: of tables as LLVM writes them unless the reader says otherwise. */
void sm_stackmap_begin(sm_stackmap *m, uint16_t machine);

/* Makes room for N more elements of the named kind and keeps M's counts; SM_TOO_LARGE, SM_NOMEM. The caller has
 * checked N against the bytes that are left. */
sm_status sm_stackmap_more_functions(sm_stackmap *m, uint32_t n);
sm_status sm_stackmap_more_records(sm_stackmap *m, uint32_t n);
sm_status sm_stackmap_more_locations(sm_stackmap *m, uint32_t n);
sm_status sm_stackmap_more_liveouts(sm_stackmap *m, uint32_t n);
sm_status sm_stackmap_more_faults(sm_stackmap *m, uint32_t n);
sm_status sm_stackmap_more_metadata(sm_stackmap *m, uint32_t n);

/* Says what is wrong at OFFSET of the table, and gives SM_INVALID_STACKMAP. ERR may be NULL. */
sm_status sm_stackmap_refuse(sm_stackmap_error *err, uint64_t offset, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* old_records.c: the statepoints among M's records from FIRST on, which a table of this version has (1 or 2), become such
 * as version 3 has them. SM_INVALID_STACKMAP where that is not certain; SM_NOMEM, SM_TOO_LARGE. */
sm_status sm_stackmap_old_records(sm_stackmap *m, uint32_t first, uint8_t version, sm_stackmap_error *err);

/* stackmap_llvm.c: appends what a section has. What M is when it fails is for sm_stackmap_free. */
sm_status sm_stackmap_read_llvm(sm_stackmap *m, const void *bytes, size_t len, sm_stackmap_error *err);

#endif
