/* gcroot.h - functions whose roots llvm.gcroot marks: shadow-stack, erlang, ocaml, and plugins.
 *
 *   gcroots.c        slots that llvm.gcroot marks, repaired after the optimiser
 *   allocators.c     calls that may collect may write to marked slots, whatever the allocator says
 *   gcroot_frames.c  refuses gcroots and frames that code generation could not take
 *   custom_roots.c   llvm.gcroot -> the module's gc.root_enter and gc.root_leave
 *   slot_pointers.c  slots of several pointers in the tables of erlang and ocaml
 *   root_polls.c     polls in functions with llvm.gcroot: references are loaded again from their roots
 *                    behind them
 *   root_facts.c     two data-flows: which values equal which roots, and which are alive; what in memory and
 *                    integers no root reports
 *   root_sites.c     why each record of erlang and ocaml exists, and what it calls
 *   root_meta.c      the metadata of llvm.gcroot, for the records of erlang and ocaml
 */
#ifndef CORE_GCROOT_H
#define CORE_GCROOT_H

#include "state.h"

/* ---- gcroot_frames.c ---- */

sm_status stage_gcroots(struct compile *c);

/* ---- slot_pointers.c ---- */

/* The tables of erlang and ocaml list each pointer of a slot, not the slot as often. Requires the emitted object, and
 * no table read of it yet. */
sm_status slot_pointers_write(struct compile *c);

/* ---- custom_roots.c ---- */

sm_status stage_marked_roots(struct compile *c); /* polls, then custom roots */

/* ---- root_sites.c ---- */

/* What is called at records of erlang and ocaml, and why. Before the calls are numbered, and with the
 * map */
void root_sites_prepare(struct compile *c);
void root_sites_read(struct compile *c); /* with the metadata of their roots (root_meta.c) */
void root_sites_free(struct compile *c);

#endif
