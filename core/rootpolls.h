/* rootpolls.h - polls in functions with llvm.gcroot: of shadow-stack, erlang, ocaml and of libraries. */
#ifndef CORE_ROOTPOLLS_H
#define CORE_ROOTPOLLS_H

#include "core.h"

/* The kinds that such a function gets, bits SM_SP_…; 0 for any other. After stage_strategy. */
int function_root_polls(const struct compile *c, LLVMValueRef function);

#endif
