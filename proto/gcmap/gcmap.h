/* gcmap.h - the tables that LLVM's gcroot strategies leave in an object, read into a stackmap's structs.
 *
 *   erlang        section .note.gc
 *   ocaml         caml<Module>__frametable in .data
 *   shadow-stack  __gc_<function> frame maps (framemap.h): roots and their metadata, no safepoints
 *
 * Layouts: LLVM 19, lib/CodeGen/AsmPrinter/{ErlangGCPrinter,OcamlGCPrinter}.cpp and
 * lib/CodeGen/ShadowStackGCLowering.cpp.
 */
#ifndef SM_GCMAP_H
#define SM_GCMAP_H

#include "stackmap.h"

/* Adds what the object holds of these tables to M, which sm_stackmap_of_object has filled, and sets M's format.
 * SM_INVALID_STACKMAP, SM_INVALID_OBJECT (symbols or relocations are damaged), SM_NOMEM: M then has a part of them and
 * is to be freed. */
sm_status sm_gcmap_of_object(sm_stackmap *m, const sm_elf *e, sm_stackmap_error *err);

#endif
