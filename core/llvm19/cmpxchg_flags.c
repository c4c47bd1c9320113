/* cmpxchg_flags.c - cmpxchg at level 0 on AArch64.
 *
 * There LLVM 19 makes a pseudo instruction of it, and does not say that this changes the condition flags: a
 * comparison from before is then answered by that of the exchange (AArch64InstrAtomics.td, CMP_SWAP_64). Code
 * generation looks at one block at a time, and keeps no flags from one to another: so each cmpxchg gets a block of its
 * own.
 *
 * Requires the module as it will be emitted.
 *
 * No issue of LLVM's was found. tests/process/llvm19/cmpxchg_flags.ll fails when LLVM has repaired it.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

#include <elf.h>

/* Gives each cmpxchg of F a block of its own. */
static void set_apart_swap(struct compile *c, LLVMValueRef f) {
    struct set result = {0};
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (LLVMIsAAtomicCmpXchgInst(i))
            set_add(&result, i);
    for (size_t i = 0; i < result.count; i++) {
        block_split(c, f, result.item[i]);
        block_split(c, f, LLVMGetNextInstruction(result.item[i]));
        deviate(c, DEVIATION_STANDS_APART);
    }
    set_free(&result);
}

/* Gives each cmpxchg a block of its own, on AArch64 at opt=0 only. */
sm_status swaps_set_apart(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    if (c->elf_machine != EM_AARCH64 || c->options->opt != SM_OPT_0)
        return SM_OK;
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        set_apart_swap(c, f);
    return SM_OK;
}
