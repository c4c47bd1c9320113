/* lowering.h - what code generation can lower. */
#ifndef CORE_LOWERING_H
#define CORE_LOWERING_H

#include "state.h"

int pad_can_be_lowered(LLVMTypeRef type); /* boolean: code generation can give a pad this type; no token */
int convention_has_rules(const struct compile *c, unsigned convention); /* for arguments and results, on the target */

#endif
