/* skip_passes.c - passes of code generation that would find nothing are left out.
 *
 * LLVM makes code generation's list of passes anew for each module, and of a small module half of code generation is
 * that. Its C API has no way to keep the list; its flags leave out passes. They change no byte of the object where
 * the pass would have changed nothing, which is decided here on the module that is emitted next. Flags are the
 * process's: what the last module did not need and this one does is put back first, which can be done only to flags
 * that are either on or off: aarch64-enable-global-merge has a third value, which no command line has.
 */
#include "cfg.h"
#include "emitting.h"
#include "ir.h"

#include <elf.h>
#include <llvm-c/Support.h>

/* What a module lacks; what is found in it is taken from these. */
enum {
    NO_TILES = 1,      /* matrices of AMX, which have registers of their own */
    NO_REDUCTIONS = 2, /* calls of llvm.vector.reduce, or what becomes them */
    NO_ROOTS = 4,      /* functions that are called like C's square roots */
    NO_CHAINS = 8,     /* of comparisons that end in a phi */
    NO_CYCLES = 16,    /* in control flow, nor what code generation makes a loop of */
};

static const struct skip {
    const char *flag;
    int usual, skipped;     /* its values */
    unsigned lacks;         /* all of these are lacking where the pass finds nothing */
    unsigned short machine; /* the only one that has the pass; EM_NONE for all */
    int at_0;               /* boolean: code generation at level 0 has the pass too */
} skips[] = {
    {"disable-expand-reductions", 0, 1, NO_REDUCTIONS, EM_NONE, 1},
    {"disable-replace-with-vec-lib", 0, 1, 0, EM_NONE, 0}, /* there is no library of vector functions */
    {"disable-partial-libcall-inlining", 0, 1, NO_ROOTS, EM_NONE, 0},
    {"disable-mergeicmps", 0, 1, NO_CHAINS, EM_NONE, 0},
    {"disable-lsr", 0, 1, NO_CYCLES, EM_NONE, 0},
    {"disable-machine-licm", 0, 1, NO_CYCLES, EM_NONE, 0},
    {"disable-postra-machine-licm", 0, 1, NO_CYCLES, EM_NONE, 0},
    {"x86-tile-ra", 1, 0, NO_TILES, EM_X86_64, 0},
    {"aarch64-enable-loop-data-prefetch", 1, 0, NO_CYCLES, EM_AARCH64, 0},
    {"aarch64-enable-falkor-hwpf-fix", 1, 0, NO_CYCLES, EM_AARCH64, 0},
};
enum { SPARES = sizeof skips / sizeof *skips };

/* What a module has that declares or defines a function of this name. */
static unsigned in_name(const char *name) {
    if (*name == '\1') /* to LLVM's libraries, the same without it */
        name++;
    if (starts_with(name, "llvm.vector.reduce.") || starts_with(name, "llvm.vp."))
        return NO_REDUCTIONS;
    if (starts_with(name, "llvm.x86."))
        return NO_TILES;
    return strcmp(name, "sqrt") == 0 || strcmp(name, "sqrtf") == 0 ? NO_ROOTS : 0;
}

/* 1 if code generation makes no loop of a value of this type, whatever is done with it, as it may of wide integers and
 * of vectors. */
static int is_plain_type(LLVMTypeRef t) {
    enum { WIDTH = 64 };
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(t) <= WIDTH;
    case LLVMVoidTypeKind:
    case LLVMPointerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMTokenTypeKind:
        return 1;
    default:
        return 0;
    }
}

/* 1 if code generation makes no loop of the call: of an ordinary one, or of an intrinsic about safepoints. */
static int is_plain_call(LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    return name ? starts_with(name, "llvm.experimental.gc.") : !LLVMIsAInlineAsm(LLVMGetCalledValue(call));
}

/* 1 if the instruction I is one of those of which code generation makes no loop. */
static int is_pass_plain(LLVMValueRef i, LLVMOpcode op) {
    switch (op) {
    case LLVMRet:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMUnreachable:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMGetElementPtr:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMICmp:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMLoad:
        return is_plain_type(LLVMTypeOf(i));
    case LLVMStore:
        return is_plain_type(LLVMTypeOf(LLVMGetOperand(i, 0)));
    case LLVMCall:
    case LLVMInvoke:
        return is_plain_type(LLVMTypeOf(i)) && is_plain_call(i);
    default:
        return 0;
    }
}

/* 1 if a chain of comparisons may end in I. On AArch64 blocks are merged before such chains are looked for, and phis
 * built of comparisons and switches then. */
static int may_end_chain(const struct compile *c, LLVMValueRef i, LLVMOpcode op) {
    if (c->elf_machine == EM_AARCH64 && (op == LLVMICmp || op == LLVMSwitch))
        return 1;
    return op == LLVMPHI && LLVMTypeOf(i) == LLVMInt1TypeInContext(c->context);
}

/* What an instruction has of these. */
static unsigned in_text(const struct compile *c, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    unsigned result = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMX86_AMXTypeKind ? NO_TILES : 0;
    if (may_end_chain(c, i, op))
        result |= NO_CHAINS;
    return is_pass_plain(i, op) ? result : result | NO_CYCLES;
}

/* What a function's body has of these; cycles are looked for only if LACKS says that there is none so far. */
static unsigned in_body(const struct compile *c, LLVMValueRef f, unsigned lacks) {
    unsigned result = 0;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        result |= in_text(c, i);
    return (lacks & ~result & NO_CYCLES) && loops_in(f) ? result | NO_CYCLES : result;
}

/* What the compile's module lacks; AT_0: only what matters at level 0. */
static unsigned lacks_of(const struct compile *c, int at_0) {
    unsigned lacks = ~0u;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        lacks &= ~in_name(value_name(f));
        if (!at_0)
            lacks &= ~in_body(c, f, lacks);
    }
    return lacks;
}

/* Sets LLVM's flags so that code generation of the compile's module, and of parts of it, has the passes that may find
 * something, and not the others. Only flags of passes that it would have at all are looked at. */
void skip_passes(const struct compile *c) {
    static int now[SPARES], known; /* the flags are the process's, so is the knowledge of them */
    char text[SPARES][80];
    const char *argv[SPARES + 1] = {"smd-worker"};
    int argc = 1, at_0 = c->options->opt == SM_OPT_0;
    unsigned lacks = lacks_of(c, at_0);
    for (int i = 0; i < SPARES; i++) {
        const struct skip *p = &skips[i];
        int value = (p->lacks & ~lacks) ? p->usual : p->skipped;
        if (!known)
            now[i] = p->usual;
        if (now[i] == value || (at_0 && !p->at_0) || (p->machine != EM_NONE && p->machine != c->elf_machine))
            continue;
        snprintf(text[i], sizeof text[i], "-%s=%s", p->flag, value ? "true" : "false");
        argv[argc++] = text[i];
        now[i] = value;
    }
    known = 1;
    if (argc > 1)
        LLVMParseCommandLineOptions(argc, argv, NULL);
}
