/* stackmap_names.h - names, sections and sizes of a decoded stackmap's functions, from the object that it lies in. */
#ifndef SM_STACKMAP_NAMES_H
#define SM_STACKMAP_NAMES_H

#include "stackmap.h"

/* Requires M's functions from FIRST on decoded from section SECTION of E. In a relocatable object a function's
 * address is a relocation on its field; in a linked one the field itself. SM_INVALID_STACKMAP if a function has none,
 * SM_INVALID_OBJECT if relocations or symbols are damaged, SM_NOMEM. */
sm_status sm_stackmap_name_functions(sm_stackmap *m, uint32_t first, const sm_elf *e, size_t section,
                                     sm_stackmap_error *err);

/* Adds the symbols that E has for the types of roots. SM_INVALID_OBJECT, SM_NOMEM. */
sm_status sm_stackmap_name_types(sm_stackmap *m, const sm_elf *e);

#endif
