/* stackmap_object.h - the stackmap of an object or a program, whichever tables it has. */
#ifndef SM_STACKMAP_OBJECT_H
#define SM_STACKMAP_OBJECT_H

#include "stackmap.h"

/* Decodes every table of an object: .llvm_stackmaps and .smd_maps (functions named through relocations and symbols, or by
 * address when linked). The object's bytes must outlive M. An object without a table gives an empty map of format
 * "none". SM_INVALID_OBJECT if its symbols or relocations are damaged. */
sm_status sm_stackmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err);

#endif
