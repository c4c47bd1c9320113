/* loader.h - the map of the loader.
 *
 * load/
 *   region.c      address space: pages for objects, and whose safepoints are where
 *   image.c       an object file's stages on its way into memory
 *   symbols.c     which address a name has
 *   relocate.c    relocations, by the tables (reloc.h) in reloc_x86_64.c and reloc_aarch64.c
 *   lazy.c        functions that calls are bound to when they are first made, and anew (lazy_x86_64.S, lazy_aarch64.S)
 *   tls.c         thread-local variables (tls_x86_64.S, tls_aarch64.S: descriptors; registers.h: what these and lazy_*.S keep)
 *   object.c      what a loader and a loaded object are
 *   names.c       symbols of all objects, by name
 *   loader.c      sm_load and its like; the lock
 *   hooks.c       initialisers and finalisers
 *   map.c         an object's functions and its compact stackmap (decode.c: records of it; pairs.c: which slots are visited)
 *   sites.c       return address -> safepoint, of those that were looked up before
 *   keep.c        memory for these
 *   linked.c      a map that a linker has made of many
 *   program.c     finding that in this program: sm_map_open
 *   find.c        what is known of an address: safepoints, how a frame is unwound
 *   memory.c      writing where code runs
 *   patch.c       code over code
 *   linetable.c   lines of the source, by the object's DWARF (linewrite.c makes their table, lineformat.h is its layout)
 *   ehframe.c     .eh_frame: registered for exceptions (unwind/unwinder.c), and read (unwind/cfi.c) for the walker
 *   debug.c       gdb and perf
 *   jitdump.c     perf again, with all that it can use
 * unwind/
 *   frames.h      how frames are unwound: cfi.c reads .eh_frame, cfi_run.c runs its instructions,
 *                 expression.c evaluates its expressions
 *   cframes.c     the rules of C code: of the program and its libraries
 *   unwinder.c    the exceptions' unwinder: objects registered with it
 * walk/
 *   walk.c        frames, from the innermost outwards
 *   visit.c       what is live in them    (regions.c: in stack slots)
 *   watermark.c   which frames have not run since they were visited
 *   barrier.c     the return addresses that these are known by    (barrier_x86_64.S, barrier_aarch64.S: stubs for them)
 *   backtrace.c   frames of the source
 *   deopt.c       the frames that deoptimisation state is of
 *   chain.c       the entries of a thread (chain.h) that have not returned
 *   reclaim.c     what is retired, and on no stack
 *   sample.c      frames that wait anywhere
 *   registers.c   the registers of an interrupted thread
 *   entry_x86_64.S, entry_aarch64.S   from managed code into the runtime, registers saved
 * beside them
 *   error.c       filling the caller's sm_error
 *   host.c        this machine in LLVM's names
 */
#ifndef LOADER_H
#define LOADER_H

#include "object.h"

void loader_destroy(sm_object *o); /* from any state of its making; NULL is fine */

/* Frees those retired objects that are not used; gives their number. Requires the lock. */
size_t loader_free_unused(sm_loader *l);

#endif
