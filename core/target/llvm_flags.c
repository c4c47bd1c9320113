/* llvm_flags.c - LLVM's process-wide flags. Some of what a job asks for can be given to LLVM in no other way.
 *
 * Nothing may leak from one job into the next: every flag of the table is set each time, to the job's value, which is
 * LLVM's own default where the job does not ask. The last value wins (LLVM 19, llvm/lib/Support/CommandLine.cpp).
 */
#include "ir.h"
#include "marks.h"
#include "target.h"

#include <elf.h>
#include <llvm-c/Support.h>

#define FLAGS 16

struct flag {
    const char *name;
    int value, dflt;
    int in_opt, in_llc; /* which tool has it */
    int boolean;
};

/* A loop whose trip count fits in so many bits has no polls. LLVM counts how often it leads back. */
static int counted_bits(const struct compile *c) {
    int bits = 0, turns = counted_turns(c);
    while (turns && (turns - 1) >> bits)
        bits++;
    return turns ? bits : c->options->counted_loop_bits;
}

/* 1 if AArch64's last copy propagation has to be off: it would drop a copy that the handler of an implicit null check
 * reads. */
static int drops_copies_of_handlers(const struct compile *c) {
    return c->options->null_checks == SM_NULL_IMPLICIT && c->elf_machine == EM_AARCH64;
}

/* Fills F with all flags and their values for the job, with or without polls at entries and backedges. */
static void fill_flags(struct flag f[FLAGS], const struct compile *c, int entry, int backedge) {
    const sm_options *o = c->options;
    int registers = gc_registers_of(c);
    const struct flag all[FLAGS] = {
        {"spp-no-entry", !entry, 0, 1, 0, 1},
        {"spp-no-backedge", !backedge, 0, 1, 0, 1},
        {"spp-no-call", 0, 0, 1, 0, 1},
        {"spp-all-backedges", o->all_backedges, 0, 1, 0, 1},
        {"spp-split-backedge", o->split_backedges, 0, 1, 0, 1},
        {"spp-counted-loop-trip-width", counted_bits(c), 32, 1, 0, 0},
        {"spp-rematerialization-threshold", o->remat ? 6 : 0, 6, 1, 0, 0},
        {"rs4gc-clobber-non-live", 0, 0, 1, 0, 1},
        {"max-registers-for-gc-values", registers, 0, 0, 1, 0},
        {"fixup-allow-gcptr-in-csr", registers > 0, 0, 0, 1, 1},
        {"use-registers-for-gc-values-in-landing-pad", registers > 0, 0, 0, 1, 1},
        {"safepoint-ir-verifier-print-only", 1, 1, 0, 0, 1},
        {"enable-implicit-null-checks", o->null_checks == SM_NULL_IMPLICIT, 0, 0, 1, 1},
        {"aarch64-enable-copy-propagation", !drops_copies_of_handlers(c), 1, 0, 1, 1},
        {"no-x86-call-frame-opt", c->target.keeps_frame, 0, 0, 1, 1},
        {"force-loop-cold-block", c->target.polls_slowly, 0, 0, 1, 1},
    };
    memcpy(f, all, sizeof all);
}

/* Writes the flag as a command line has it. */
static void spell(const struct flag *f, char *text, size_t size) {
    if (f->boolean)
        snprintf(text, size, "-%s=%s", f->name, f->value ? "true" : "false");
    else
        snprintf(text, size, "-%s=%d", f->name, f->value);
}

/* Sets LLVM's flags for the job; only those that differ from what they were set to last. */
void flags_set(const struct compile *c, int entry, int backedge) {
    static int now[FLAGS], known; /* the flags are the process's, so is the knowledge of them */
    struct flag f[FLAGS];
    char text[FLAGS][80];
    const char *argv[FLAGS + 1] = {"smd-worker"};
    int argc = 1;
    fill_flags(f, c, entry, backedge);
    for (int i = 0; i < FLAGS; i++) {
        if (known && now[i] == f[i].value)
            continue;
        spell(&f[i], text[i], sizeof text[i]);
        argv[argc++] = text[i];
        now[i] = f[i].value;
    }
    known = 1;
    if (argc > 1)
        LLVMParseCommandLineOptions(argc, argv, NULL);
}

/* ---- Arguments that are pushed ------------------------------------------------------------------------------------
 *
 * On x86-64 code generation may push a call's stack arguments. While they are pushed in a realigned frame, LLVM 19
 * records a wrong offset of each parameter that the statepoint lists in its own place on the caller's frame: it adds
 * the pushed bytes, though the place is given from the frame pointer. The parameter may be there as a stack slot whose
 * copy was elided, as a byval parameter, or as a deoptimisation value. */

enum {
    IN_REGISTERS = 6,
    HEAD = 5,
    COUNT = 3
}; /* of gc.statepoint's arguments: before the call's own; their number */

/* 1 if the calling convention passes the first IN_REGISTERS words in registers, as C's does. */
static int passes_like_c(unsigned convention) {
    enum { C = 0, FAST = 8, COLD = 9, PRESERVE_MOST = 14, PRESERVE_ALL = 15, SWIFT = 16, TAIL = 18 };
    return convention == C || convention == FAST || convention == COLD || convention == PRESERVE_MOST ||
           convention == PRESERVE_ALL || convention == SWIFT || convention == TAIL;
}

/* How many words of 8 bytes a value of the type has. */
static uint64_t words_of(struct compile *c, LLVMTypeRef type) {
    return LLVMTypeIsSized(type) ? (LLVMStoreSizeOfType(LLVMGetModuleDataLayout(c->module), type) + 7) / 8 : 0;
}

/* 1 if a parameter of F may be passed on the stack. */
static int has_stack_parameter(struct compile *c, LLVMValueRef f) {
    unsigned byval = attribute_kind("byval");
    uint64_t words = 0;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        if (LLVMGetEnumAttributeAtIndex(f, i + 1, byval))
            return 1;
        words += words_of(c, LLVMTypeOf(LLVMGetParam(f, i)));
    }
    return words > IN_REGISTERS || !passes_like_c(LLVMGetFunctionCallConv(f));
}

/* 1 if the statepoint may pass arguments on the stack. */
static int has_stack_argument(struct compile *c, LLVMValueRef statepoint) {
    uint64_t words = 0;
    unsigned n = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(statepoint, COUNT));
    for (unsigned i = 0; i < n; i++)
        words += words_of(c, LLVMTypeOf(LLVMGetOperand(statepoint, HEAD + i)));
    return words > IN_REGISTERS || !passes_like_c(LLVMGetInstructionCallConv(statepoint));
}

/* 1 if the statepoint lists a stack slot, or has deoptimisation values: the place of a parameter may be among them. */
static int may_list_parameter(LLVMValueRef statepoint) {
    struct operands live = call_operands(statepoint, "gc-live");
    int result = call_bundle_size(statepoint, "deopt") > 0;
    for (unsigned i = live.first; i < live.end; i++)
        result |= LLVMIsAAllocaInst(LLVMGetOperand(statepoint, i)) != NULL;
    return result;
}

/* 1 if arguments that are pushed could make a record of the module wrong. */
static int has_wrong_places(struct compile *c) {
    LLVMValueRef call = c->elf_machine == EM_X86_64 ? first_module_call(c->module) : NULL;
    while (call && !(is_statepoint(call) && has_stack_argument(c, call) && may_list_parameter(call) &&
                     has_stack_parameter(c, function_of(call))))
        call = next_module_call(call);
    return call != NULL;
}

/* Sets the flags that depend on the rewritten module: no arguments are pushed where a record could be wrong; the slow
 * paths of polls stand outside their loops, where LLVM would leave them in a function without counts of a profile. */
void flags_set_for_module(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    if (c->options->opt == SM_OPT_0)
        return;
    c->target.keeps_frame = has_wrong_places(c);
    c->target.polls_slowly = LLVMGetNamedFunction(c->module, POLL_SLOW) != NULL;
    flags_set(c, 1, 1);
}

/* Appends to OUT the flags that differ from LLVM's defaults, as opt's or llc's command line has them. */
void flags_text(const struct compile *c, int for_llc, sm_buf *out) {
    const sm_options *o = c->options;
    struct flag f[FLAGS];
    char text[80];
    fill_flags(f, c, (o->safepoints & SM_SP_ENTRY) != 0, (o->safepoints & SM_SP_BACKEDGE) != 0);
    for (int i = 0; i < FLAGS; i++) {
        if (f[i].value == f[i].dflt || !(for_llc ? f[i].in_llc : f[i].in_opt))
            continue;
        spell(&f[i], text, sizeof text);
        sm_buf_printf(out, " %s", text);
    }
}
