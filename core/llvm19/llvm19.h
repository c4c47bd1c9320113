/* llvm19.h - what LLVM 19 gets wrong, a file each.
 *
 *   unwind_constants.c    references on unwind edges that turn out to be constants
 *   cmpxchg_flags.c       AArch64, opt=0: a comparison must not stand across a cmpxchg
 *   shuffle_bases.c       shuffles of reference vectors whose bases the rewrite gets wrong
 *   extracted_vectors.c   vectors of references that are taken out of a struct
 *   folded_relocations.c  relocations beside vectors, which instruction selection would fold into other loads
 *   float_addresses.c     x86-64, opt=0: addresses that come out of a double
 *   landing_pads.c        relocations on landing pads that are no tokens
 *   sret_results.c        statepoints whose result is too large for registers get a slot for it
 *   relocations.c         relocations that nobody uses are recorded all the same
 *   libcall_names.c       functions with names of the C library that are not the C library's
 *   fatal_lowering.c      what code generation would end the process over is refused by name
 *   scalable_frames.c     slots of frames that have scalable vectors
 *   lowering.h            what code generation can lower, for the two files that ask
 *   null_checks.c         implicit tests for null before accesses whose pointers are lost
 *   pointer_masks.c       masked pointers, which alias analysis takes for what they were before
 *   patchpoint_blocks.c   registers without a number that are alive behind a patchpoint
 *   builtins.c            calls of C's mathematical functions that llc turns into instructions
 *   use_order.c           values list their uses in the order that a reader of the module's text sees
 *   indirect_callees.c    callees that are one of several results, or that code generation puts into memory
 *
 * The files name LLVM's issues. tests/process/llvm19 has modules at which LLVM's own tools show the faults: where LLVM
 * has repaired one, the test llvm19_faults fails, and says so.
 */
#ifndef CORE_LLVM19_H
#define CORE_LLVM19_H

#include "state.h"

/* ---- unwind_constants.c ---- */

/* No landing pad uses what only the way after the call defines */
void edges_set_apart(struct compile *c);

/* ---- cmpxchg_flags.c ---- */

/* At level 0 on AArch64 nothing is compared across a cmpxchg */
sm_status swaps_set_apart(struct compile *c);

/* ---- shuffle_bases.c ---- */

/* Shuffles whose bases the rewrite gets wrong become ones for which it is right */
void splats_swap(struct compile *c);

/* ---- extracted_vectors.c ---- */

/* Vectors of references that are taken out of structs go through slots; what cannot is refused */
sm_status lanes_reload(struct compile *c);

/* ---- folded_relocations.c ---- */

/* After the rewrite, relocations are kept apart from what vectors fold. Requires statepoints */
void vectors_freeze(struct compile *c);

/* ---- float_addresses.c ---- */

/* After the rewrite, on x86-64: no address is looked for behind the cast of a double */
void float_addresses_freeze(struct compile *c);

/* ---- landing_pads.c ---- */

/* After the rewrite, the relocations on landing pads that are no tokens become calls that can be written and
 * read; LLVM's verifier takes them as long as they are hidden. */
void pads_join_types(struct compile *c); /* before the optimiser, all get one type that can be lowered */
void pads_retype(struct compile *c);
void pads_find(struct compile *c); /* the module came with such calls */
void pads_hide(struct compile *c, int are_hidden);

/* ---- sret_results.c ---- */

/* After the rewrite, calls whose results are too large for registers get a slot for them. Requires
 * statepoints */
sm_status results_to_slots(struct compile *c);

/* ---- relocations.c ---- */

/* Those of the statepoint's function that nobody uses are recorded, once for each function: DONE has those where they
 * are. After the rewrite */
void relocations_keep(struct compile *c, LLVMValueRef statepoint, struct set *done);
sm_status constants_stay(struct compile *c); /* what joins constants alone is used as it was; after the rewrite */

/* ---- libcall_names.c ---- */

/* Before the rewrite, which takes calls of C's names for leaves */
void library_keep(struct compile *c);

/* ---- fatal_lowering.c ---- */

/* Nothing is left that code generation ends the process over */
sm_status lowering_check(struct compile *c);

/* ---- scalable_frames.c ---- */

/* Before the rewrite, which looks at how results are lowered: there are no scalable vectors where the target has none */
sm_status scalable_check(struct compile *c);

/* As the module is emitted: frames with scalable vectors and records have frame pointers */
sm_status scalable_frames(struct compile *c);

/* ---- null_checks.c ---- */

/* After the rewrite, tests for null that LLVM would crash over stay explicit */
void null_checks_unmark(struct compile *c);

/* ---- pointer_masks.c ---- */

/* Around the optimiser: it does not see what a mask does */
void masks_hide(struct compile *c, int are_hidden);

/* llvm.ptrmask becomes arithmetic on the pointer: before the rewrite that of references, after it any */
void masks_lower(struct compile *c);

/* ---- patchpoint_blocks.c ---- */

/* After the rewrite, a patchpoint's block ends behind it where its record would list a register without a number */
sm_status patchpoints_end_blocks(struct compile *c);

/* ---- builtins.c ---- */

/* The optimiser makes no memset, memcpy or memmove of loops; from there to stage_barriers */
void builtins_forbid(struct compile *c, int are_forbidden);

/* Calls that llc would lower inline become intrinsics. Of a module that is emitted next */
sm_status builtins_lower(struct compile *c, LLVMModuleRef module);

/* ---- use_order.c ---- */

/* Values list their uses as in a module that was read from the text of this one */
void uses_as_read(LLVMModuleRef module);

/* Appends TEXT, that of a module like this one, with the order of uses that this one has */
void uses_write(LLVMModuleRef module, const char *text, sm_buf *out);

/* ---- indirect_callees.c ---- */

/* After the rewrite, a callee that is one of several values of a node goes through a freeze. Requires
 * statepoints */
void callees_freeze(struct compile *c);

#endif
