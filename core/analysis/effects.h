/* effects.h - may the optimiser do without a call, by what the module says of the callee? */
#ifndef CORE_EFFECTS_H
#define CORE_EFFECTS_H

#include "state.h"

/* What a function has to be able to write, at least. */
enum writes {
    WRITES_ANYTHING,         /* a barrier: that may be its argument */
    WRITES_BEYOND_ARGUMENTS, /* what has none, or only gets their addresses */
    WRITES_ALL_MEMORY,       /* what runs a collector that writes to slots of the caller */
};

/* F (declared), or a function for whose effect it is called by F (defined), says nothing by which its calls may be
 * dropped, merged or moved; else FAILURE, with a diagnostic that names both. */
sm_status effects_check(struct compile *c, LLVMValueRef f, enum writes needed, sm_status failure);

#endif
