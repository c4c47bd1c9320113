/* elfjoin.h - relocatable objects that are the parts of one module, joined to the one that they stand for.
 *
 * As a linker's -r, and more: sections of one name, type and flags become one, in the order of the parts; what has the
 * module's internal linkage, which the parts had to see of each other, is local again; LLVM's tables become one table
 * with one header (elfjoin_maps.c). What it does not know it does not join.
 */
#ifndef SM_ELFJOIN_H
#define SM_ELFJOIN_H

#include "elffile.h"

/* A global symbol of the parts that is local to the joined object. */
typedef struct sm_join_local {
    const char *symbol; /* borrowed: in the parts */
    const char *name;   /* borrowed: in the joined object; NULL: none, what refers to it refers to its place */
} sm_join_local;

/* Appends to OUT the object that PARTS objects are parts of. LOCAL, sorted by symbol with strcmp, are LOCALS symbols.
 * Same parts, same bytes. SM_INVALID_OBJECT, with a sentence in WHY, if the parts are not such, or have what is not
 * known here; SM_NOMEM. */
sm_status sm_elf_join(const sm_elf *part, size_t parts, const sm_join_local *local, size_t locals, sm_buf *out,
                      char *why, size_t why_size);

#endif
