/* target.h - LLVM as a process has it: set up once, its flags, target machines that are kept.
 *
 *   target.c         the target machine: triple, CPU, features, and function attributes that shape the code
 *   machine.h        what the files of this room give one another
 *   cpu_names.c      which CPU a misspelt name means
 *   machine_cache.c  target machines that are kept for the next compile of the same target, CPU and level
 *   llvm_flags.c     LLVM's process-wide flags; all of them are set for every job
 *   llvm_setup.c     LLVM in a process: initialised once; what happens at its fatal errors
 *   fatal_errors.c   LLVM's fatal errors become errors of the compile
 */
#ifndef CORE_TARGET_H
#define CORE_TARGET_H

#include "state.h"

/* ---- target.c ---- */

sm_status stage_target(struct compile *c);
LLVMTargetMachineRef machine_new(const struct compile *c); /* *new*; NULL if there is none. On any thread */
void target_attributes(struct compile *c);

/* ---- machine_cache.c ---- */

void machines_give_back(struct compile *c); /* before the module goes */

/* ---- llvm_flags.c ---- */

/* How many references a statepoint may keep in registers; none where they would be lost, whatever the option says. */
static inline int gc_registers_of(const struct compile *c) {
    enum { BEST = 32 }; /* of gc_registers=auto, at all levels and for both targets: docs/performance.md */
    int asked = c->options->gc_registers;
    return c->no_registers ? 0 : asked == SM_REGISTERS_AUTO ? BEST : asked;
}

/* After how many turns counted loops poll; 0: others say so. Not if LLVM would poll loops of so many turns itself. */
static inline int counted_turns(const struct compile *c) {
    const sm_options *o = c->options;
    int turns = o->counted_loop_turns, bits = o->counted_loop_bits;
    int is_polled = o->all_backedges || (turns > 0 && bits < 31 && (turns - 1) >> bits);
    return is_polled ? 0 : turns;
}

void flags_set(const struct compile *c, int entry, int backedge);
void flags_set_for_module(struct compile *c); /* before code generation */
void flags_text(const struct compile *c, int for_llc,
                sm_buf *out); /* as command line flags, only those that are not LLVM's defaults */

/* ---- llvm_setup.c ---- */

/* Once for each process, before the first compile */
void compiler_init(void);
void compiler_leave(int status); /* the process ends with it, whatever LLVM finds wrong from here on */

#endif
