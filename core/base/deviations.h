/* deviations.h - where a compile leaves the way of LLVM's own tools.
 *
 * Each is a reason why no opt of LLVM's makes the module that goes to code generation; the answer's "reproduce_note"
 * says the first that there is, in this order.
 */
#ifndef CORE_DEVIATIONS_H
#define CORE_DEVIATIONS_H

#include "state.h"

/* clang-format off */
#define DEVIATIONS(ROW) \
    ROW(PARTS, "the code was generated in parts, which were joined: llc would write it as one") \
    ROW(PAGE, "LLVM leaves room for page polls, and their loads are written over it afterwards") \
    ROW(FINAL, "the module is IR that smd has emitted, and only code is generated; opt would go on with it") \
    ROW(SPLITS, "opt would leave pointers inside structs and arrays unrelocated") \
    ROW(TRANSITIONS, "llc emits nothing around GC transitions, and their flags are written afterwards") \
    ROW(CHAIN_LOCAL, "opt makes no chain of shadow-stack frames thread-local") \
    ROW(ARGUMENTS, "opt would have a call record its arguments that only the callee uses") \
    ROW(NO_BASES, "opt gives each derived pointer its base") \
    ROW(BARRIERS, "opt knows no barriers") \
    ROW(CUSTOM_ROOTS, "opt does not lower roots as the module says") \
    ROW(SCOPES, "opt knows no scoped roots") \
    ROW(STACK_ROOTS, "opt would tell no collector of the references that are in stack slots") \
    ROW(RECORDS_FACTS, "opt would not say in records where references lie in stack slots") \
    ROW(GCMAP, "llc writes LLVM's own table, and __gcmap_ tables are made of it") \
    ROW(COMPACT, "llc writes LLVM's own table, and smc compact makes the other of it") \
    ROW(PLUGINS, "opt does not look for strategies in libraries") \
    ROW(PROFILES, "opt knows no strategies but LLVM's own") \
    ROW(DEOPTIMIZES, "opt would take the returns away from deoptimizations in recursive functions") \
    ROW(OWN_POLLS, "the polls are of kinds that LLVM's own passes do not place") \
    ROW(GC_OPTION, "opt has no option that gives functions a GC strategy") \
    ROW(OPTNONE, "functions with the attribute optnone were given polls, had stack slots promoted, or are optimised all the same") \
    ROW(FRAME_TABLE, "llc would not align the frame table of strategy ocaml") \
    ROW(LEAF_CALLS, "opt would make statepoints of calls that were found to collect nothing") \
    ROW(LIBRARY_CALLS, "opt takes calls of functions that are named like C's for leaves") \
    ROW(LEAF_ASSEMBLY, "opt would make statepoints of inline assembly, which is no valid IR") \
    ROW(LEAF_TAIL, "opt would make statepoints of musttail calls, which is no valid IR") \
    ROW(KEEPS_LISTS, "opt would drop stack slots, and what nothing relocates, from the statepoints that list them") \
    ROW(RECORDS_LISTS, "llc would not record what statepoints list and nothing relocates") \
    ROW(KEEPS_RELOCATIONS, "llc would drop relocations that stand before an unreachable") \
    ROW(PAD_TYPES, "llc would die of landing pads that do not give two values, or opt join those of different types") \
    ROW(CONSTANTS, "opt relocates what joins constants at some statepoints, and not at others") \
    ROW(CASTS_AGAIN, "opt may keep what a reference was cast to across a safepoint") \
    ROW(ADDRESSES, "opt relocates addresses in objects, which smd computes again where they are used") \
    ROW(KEEPS_ADDRESSES, "opt may ask for a reference's address somewhere else than the module does, across a safepoint") \
    ROW(KEEPS_COPIES, "opt may keep eight bytes of the heap as an integer, where they are a reference") \
    ROW(GUARDS, "opt may load a reference before the test that says whether it is one") \
    ROW(SETTLES_ROOTS, "opt leaves the marks of roots, and of their slots' lives, where they were inlined") \
    ROW(KEEPS_SLOTS, "opt takes calls of allocators for such that leave the slots of roots alone") \
    ROW(LOOKS_THROUGH, "opt takes what some calls give back for an object's address, though it is derived from one") \
    ROW(DERIVED_STATE, "opt takes derived pointers among deoptimisation values for objects' addresses") \
    ROW(COMPLETES, "opt completes no statepoints that list nothing") \
    ROW(TAKES_REGIONS, "opt would forget what ordinary calls list in \"gc-live\"") \
    ROW(NARROWS, "opt knows no references of 32 bits") \
    ROW(MOVES_SPACES, "opt asks the strategy which pointers are references, and smd has these in address space 1 meanwhile") \
    ROW(UPGRADES, "opt does not read what LLVM wrote before release 15") \
    ROW(STANDS_APART, "opt gives invokes, and on AArch64 cmpxchg, no blocks of their own, without which llc loses constants on unwind edges, and flags") \
    ROW(RELOADS, "opt would die of vectors of references that are taken out of structs") \
    ROW(RESULT_SLOTS, "llc would forget where results go that are too large for registers") \
    ROW(DEFINES, "opt leaves references undefined that a collector may see") \
    ROW(SPLATS, "opt would give poison for the bases of vectors that repeat an element") \
    ROW(FREEZES, "opt puts no freeze after relocations; without it AArch64's code generation crashes over vectors") \
    ROW(RETURNS, "opt would drop what the runtime gives back for a frame that was deoptimised") \
    ROW(PATCHES, "llc would get patch areas wrong: their size on AArch64, and at level 0 what a patchpoint calls") \
    ROW(BUMPS, "opt would take an object that the module allocates itself for a part of the one before it") \
    ROW(MASKS, "opt takes a masked pointer for one to the place where the pointer was before") \
    ROW(FREEZES_CALLEES, "opt puts nothing before callees out of structs and vectors, without which llc calls another value of them, or dies") \
    ROW(FREEZES_ADDRESSES, "opt puts no freeze after casts of doubles; without it llc takes vector registers for addresses at level 0") \
    ROW(NULL_CHECKS, "opt leaves tests for null marked as implicit over which llc dies") \
    ROW(ENDS_BLOCKS, "opt ends no blocks after patchpoints; without that llc crashes over registers that have no number") \
    ROW(PASSES, "opt would pass arguments as only the call says, and not as what is called takes them") \
    ROW(SCALABLE_FRAMES, "llc would leave the part of scalable vectors out of slots' distances where there is no frame pointer") \
    ROW(TYPED_PADS, "opt cannot write down relocations on landing pads that are no tokens")
/* clang-format on */

enum deviation {
#define NAME(name, text) DEVIATION_##name,
    DEVIATIONS(NAME)
#undef NAME
};

/* Notes that the compile does what LLVM's own tools do not. */
static inline void deviate(struct compile *c, enum deviation d) {
    c->deviations |= UINT64_C(1) << d;
}

int has_deviated(const struct compile *c, enum deviation d);
const char *beyond_opt(const struct compile *c); /* a sentence, static; NULL if opt makes the same module */

#endif
