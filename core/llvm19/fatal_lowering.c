/* fatal_lowering.c - what LLVM 19's code generation ends the process over, or cuts off, refused by name before it.
 *
 * Requires the module as it will be emitted.
 *
 * LLVM's #85828 is the arithmetic behind a patchpoint, #61264 the GC transitions of AArch64, #87198 the landing pads
 * of other types; no issues of the others were found. tests/process/llvm19/fatal_lowering.ll and landing_pad_types.ll
 * fail when LLVM has repaired the first and the last.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "lowering.h"

#include <elf.h>
#include <llvm-c/Comdat.h>

/* Refuses landing pads and resumes of F whose type code generation cannot lower. */
static sm_status check_pads(struct compile *c, LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i)) {
        if (LLVMIsALandingPadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMTokenTypeKind &&
            !pad_can_be_lowered(LLVMTypeOf(i)))
            return fail(c, SM_CODEGEN_FAILED, f,
                        "A landing pad that gives neither two addresses or numbers, as { ptr, i32 }, nor a token "
                        "cannot be turned into machine code");
        if (LLVMGetInstructionOpcode(i) == LLVMResume && !pad_can_be_lowered(LLVMTypeOf(LLVMGetOperand(i, 0))))
            return fail(c, SM_CODEGEN_FAILED, f,
                        "A resume of a value that is not two addresses or numbers, as { ptr, i32 }, cannot be "
                        "turned into machine code");
    }
    return SM_OK;
}

enum { GHC = 10, HIPE = 11, ANYREG = 13, CFGUARD_CHECK = 19 }; /* llvm/IR/CallingConv.h */

/* 1 if LLVM 19 has rules for arguments in this calling convention on AArch64 (llvm/IR/CallingConv.h). */
static int aarch64_has(unsigned convention) {
    static const unsigned char has[] = {0, 8, 10, 14, 15, 16, 17, 18, 20, 21, 79, 97, 98, 107};
    for (size_t i = 0; i < sizeof has; i++)
        if (has[i] == convention)
            return 1;
    return 0;
}

/* 1 if LLVM has rules for arguments in this calling convention on the compile's target. "anyregcc" has them for
 * patchpoints alone: on x86-64 others pass arguments and results in no place. */
int convention_has_rules(const struct compile *c, unsigned convention) {
    return c->elf_machine == EM_AARCH64 ? aarch64_has(convention) : convention != ANYREG;
}

/* 1 if a function of this type has parameters or a result. */
static int carries_values(LLVMTypeRef type) {
    return LLVMCountParamTypes(type) || LLVMIsFunctionVarArg(type) ||
           LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind;
}

/* Refuses a convention without rules on this target, if TYPE has arguments or a result. WHAT is the function's
 * name for the message. */
static sm_status check_convention(struct compile *c, LLVMValueRef f, unsigned convention, LLVMTypeRef type,
                                  const char *what) {
    if (convention_has_rules(c, convention) || !carries_values(type))
        return SM_OK;
    return fail(c, SM_CODEGEN_FAILED, f,
                "Calling convention %u of %.200s has no rules for arguments and results on this target (LLVM 19)",
                convention, what);
}

/* Makes a number that an inttoptr turns into the patchpoint's callee a constant: at level 0 LLVM writes bytes into the
 * code that nobody has set. Refuses callees for which it does so at each level. */
static sm_status check_patched_callee(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { CALLEE = 2 };
    LLVMValueRef callee = LLVMGetOperand(call, CALLEE);
    int is_number = LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMIntToPtr &&
                    LLVMIsAConstantInt(LLVMGetOperand(callee, 0));
    if (LLVMIsAIntToPtrInst(callee) && LLVMIsAConstantInt(LLVMGetOperand(callee, 0))) {
        LLVMSetOperand(call, CALLEE, LLVMConstIntToPtr(LLVMGetOperand(callee, 0), LLVMTypeOf(callee)));
        deviate(c, DEVIATION_PATCHES);
        return SM_OK;
    }
    if (is_number || LLVMIsAConstantPointerNull(callee) ||
        (c->elf_machine == EM_X86_64 && LLVMIsAGlobalValue(callee)))
        return SM_OK;
    return fail(c, SM_CODEGEN_FAILED, f,
                "The target of a patchpoint is %s: on %s LLVM 19 writes its address only if that is null or a number "
                "(inttoptr of "
                "a constant)%s. Give null and write the call where the record is, or call it by a statepoint",
                LLVMIsAGlobalValue(callee) ? value_name(callee) : "no constant address",
                c->elf_machine == EM_X86_64 ? "x86-64" : "AArch64",
                c->elf_machine == EM_X86_64 ? ", or a function's" : "");
}

/* Refuses a patchpoint whose room is smaller than the call that LLVM 19 writes there: it would fill the rest, a negative
 * number of bytes, until memory is out. */
static sm_status check_patched_room(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { ROOM = 1, CALLEE = 2, X86_CALL = 13, AARCH64_CALL = 16 };
    unsigned long long room = LLVMConstIntGetZExtValue(LLVMGetOperand(call, ROOM)),
                       needed = c->elf_machine == EM_X86_64 ? X86_CALL : AARCH64_CALL;
    if (LLVMIsNull(LLVMGetOperand(call, CALLEE)) || room >= needed)
        return SM_OK;
    return fail(c, SM_CODEGEN_FAILED, f,
                "A patchpoint leaves room for %llu bytes, and the call that is written there has %llu", room, needed);
}

/* Refuses a patchpoint that says that the call it stands for has more arguments than follow its own four, or whose
 * convention has no rules for them or its result. "anyregcc" needs none. */
static sm_status check_patchpoint(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { OWN = 4 };
    unsigned convention = LLVMGetInstructionCallConv(call), given = LLVMGetNumArgOperands(call) - OWN;
    LLVMValueRef count = LLVMGetOperand(call, OWN - 1);
    if (LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) > given)
        return fail(c, SM_INVALID_MODULE, f,
                    "A patchpoint says that %llu arguments of its call follow, and has %u more operands",
                    LLVMConstIntGetZExtValue(count), given);
    sm_status s = check_patched_callee(c, f, call);
    if (s == SM_OK)
        s = check_patched_room(c, f, call);
    if (s != SM_OK)
        return s;
    int carries = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind || !LLVMIsAConstantInt(count) ||
                  LLVMConstIntGetZExtValue(count);
    if (c->elf_machine != EM_AARCH64 || convention == ANYREG || aarch64_has(convention) || !carries)
        return SM_OK;
    return fail(
        c, SM_CODEGEN_FAILED, f,
        "Calling convention %u of a patchpoint has no rules for arguments and results on this target (LLVM 19)",
        convention);
}

/* Refuses functions of two conventions that x86-64 code generation crashes over (X86TargetLowering,
 * X86FrameLowering). */
static sm_status check_x86_definition(struct compile *c, LLVMValueRef f) {
    unsigned convention = LLVMGetFunctionCallConv(f);
    int hipe = LLVMGetNamedMetadata(c->module, "hipe.literals", 13) != NULL;
    if (c->elf_machine != EM_X86_64 || !(convention == CFGUARD_CHECK || (convention == HIPE && !hipe)))
        return SM_OK;
    return fail(c, SM_CODEGEN_FAILED, f, "Calling convention %u of the function cannot be compiled on this target%s",
                convention, convention == HIPE ? " without the metadata hipe.literals" : "");
}

/* Refuses a statepoint in a function of "ghccc" on AArch64: these have no frame (AArch64FrameLowering), so that a callee
 * writes over what is kept across the call, and nothing unwinds them. */
static sm_status check_ghc_frame(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    if (c->elf_machine != EM_AARCH64 || LLVMGetFunctionCallConv(f) != GHC || !is_statepoint(call))
        return SM_OK;
    return fail(
        c, SM_CODEGEN_FAILED, f,
        "A function of calling convention %d has no frame on this target (LLVM 19), and the call of %.200s is a "
        "safepoint in it: give the function another convention",
        GHC, safepoint_name(call));
}

/* Refuses a patchpoint or stackmap whose number, or room, is computed: LLVM 19's verifier lets it pass, and what comes
 * after takes it for a constant (LLVM's #115733). Refuses more room than any patch needs. */
static sm_status check_record_operands(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { ID, ROOM, ROOM_MAX = 1 << 20 };
    for (unsigned i = ID; i <= ROOM; i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(call, i)))
            return fail(c, SM_INVALID_MODULE, f, "The %s of a call of %.200s is no constant",
                        i == ID ? "number" : "count of bytes", intrinsic_name(call));
    unsigned long long bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, ROOM));
    if (bytes > ROOM_MAX)
        return fail(c, SM_CODEGEN_FAILED, f, "The room of a call of %.200s has %llu bytes: it has at most %d",
                    intrinsic_name(call), bytes, ROOM_MAX);
    return SM_OK;
}

/* How many locations of a record a value of the type needs; 2 stands for more, too. */
static unsigned locations_of(LLVMTypeRef type) {
    enum { LOCATION_BITS = 64 };
    unsigned n = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) > LOCATION_BITS ? 2 : 1;
    case LLVMX86_FP80TypeKind:
    case LLVMPPC_FP128TypeKind:
        return 2;
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(type) == 1 ? locations_of(LLVMGetElementType(type)) : 2;
    case LLVMStructTypeKind:
        for (unsigned i = 0, all = LLVMCountStructElementTypes(type); i < all && n < 2; i++)
            n += locations_of(LLVMStructGetTypeAtIndex(type, i));
        return n;
    default:
        return 1;
    }
}

/* Refuses a patchpoint or stackmap that is to record a value of which LLVM 19 records a part or nothing: it drops the
 * upper bits of constants of more than 64 bits (LLVM's #55609), takes the first value of a struct for all of it
 * (#55649), and skips x86_fp80 (#55586). */
static sm_status check_recorded_values(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { STACKMAP_OWN = 2, COUNT = 3, PATCHPOINT_OWN = 4 };
    const char *intrinsic = intrinsic_name(call);
    unsigned n = LLVMGetNumArgOperands(call), first = STACKMAP_OWN;
    if (strcmp(intrinsic, "llvm.experimental.stackmap") != 0) {
        LLVMValueRef count = LLVMGetOperand(call, COUNT);
        unsigned long long passed = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : n;
        first = passed < n ? PATCHPOINT_OWN + (unsigned)passed : n;
    }
    for (unsigned i = first; i < n; i++)
        if (locations_of(LLVMTypeOf(LLVMGetOperand(call, i))) != 1)
            return fail(c, SM_CODEGEN_FAILED, f,
                        "Value %u of a call of %.200s cannot be recorded: LLVM 19 records numbers of up to 64 bits, "
                        "addresses, vectors and floating-point numbers, and neither x86_fp80, nor structs and arrays "
                        "but of one of these. Give its parts",
                        i - first, intrinsic);
    return SM_OK;
}

/* Refuses "probe-stack" of any value but "inline-asm" on AArch64, which has no other stack probes. */
static sm_status check_probe_lowering(struct compile *c, LLVMValueRef f) {
    LLVMAttributeRef a = text_attribute(f, "probe-stack");
    unsigned len = 0;
    const char *value = a ? LLVMGetStringAttributeValue(a, &len) : "";
    if (c->elf_machine == EM_AARCH64 && a && (len != 10 || memcmp(value, "inline-asm", 10) != 0))
        return fail(c, SM_CODEGEN_FAILED, f,
                    "\"probe-stack\"=\"%.*s\": AArch64 has no other stack probes than \"inline-asm\"",
                    (int)(len < 100 ? len : 100), value);
    return SM_OK;
}

/* 1 if NAME is an intrinsic that the optimiser's pipelines leave and code generation does not know, or not at
 * level 0. */
static int is_unknown(const struct compile *c, const char *name) {
    return name && (strcmp(name, "llvm.experimental.guard") == 0 ||
                    (strcmp(name, "llvm.experimental.widenable.condition") == 0 && c->options->opt == SM_OPT_0));
}

/* Refuses a comdat of a kind that ELF does not have. */
static sm_status check_comdat(struct compile *c, LLVMValueRef v) {
    LLVMComdatRef comdat = LLVMGetComdat(v);
    if (!comdat)
        return SM_OK;
    LLVMComdatSelectionKind kind = LLVMGetComdatSelectionKind(comdat);
    if (kind != LLVMAnyComdatSelectionKind && kind != LLVMNoDeduplicateComdatSelectionKind)
        return fail(c, SM_CODEGEN_FAILED, LLVMIsAFunction(v) ? v : NULL,
                    "The comdat of '%.200s' is of a kind that ELF does not have: any and nodeduplicate are",
                    value_name(v));
    return SM_OK;
}

struct search {
    struct compile *c;
    sm_status status;
};

/* 1 if the feature NAME is on for F, by its attribute or else by the options. The last mention of it counts. */
static int has_feature(const struct compile *c, LLVMValueRef f, const char *name) {
    LLVMAttributeRef a = text_attribute(f, "target-features");
    unsigned len = (unsigned)strlen(c->options->features);
    const char *at = a ? LLVMGetStringAttributeValue(a, &len) : c->options->features, *end = at + len;
    size_t n = strlen(name);
    int on = 0;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *next = comma ? comma : end;
        if ((size_t)(next - at) == n + 1 && memcmp(at + 1, name, n) == 0)
            on = *at == '+';
        at = next + 1;
    }
    return on;
}

/* The feature for which the statepoint's call would need a thunk, which X86MCInstLower.cpp's LowerSTATEPOINT does
 * not make for a callee in a register; NULL if there is none. */
static const char *thunks_of(const struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    static const char *const names[] = {"retpoline", "retpoline-indirect-calls", "lvi-cfi"};
    enum { TARGET = 2 };
    if (LLVMIsAFunction(LLVMGetOperand(call, TARGET)) && c->options->code_model != SM_CM_LARGE)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_feature(c, f, names[i]))
            return names[i];
    return NULL;
}

/* 1 if the intrinsic NAME, which may be NULL, is one of another processor than the compile's. */
static int is_lowering_foreign(const struct compile *c, const char *name) {
    static const char processors[] =
        "aarch64.,amdgcn.,arm.,bpf.,hexagon.,loongarch.,mips.,nvvm.,ppc.,r600.,riscv.,s390.,wasm.,x86.,xcore.";
    const char *its = name ? name + strlen("llvm.") : "";
    return list_begins(processors, its) && !starts_with(its, c->elf_machine == EM_AARCH64 ? "aarch64." : "x86.");
}

/* Refuses calls that code generation does not know or crashes over: some intrinsics, GC transitions on AArch64,
 * statepoints through thunks, calls of interrupt handlers. */
static sm_status check_kind(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { X86_INTERRUPT = 83, FLAGS = 4 };
    const char *name = intrinsic_name(call);
    int statepoint = is_statepoint(call);
    if (is_unknown(c, name))
        return fail(c, SM_CODEGEN_FAILED, f, "%s has to be lowered by the frontend's own passes", name);
    if (is_lowering_foreign(c, name))
        return fail(c, SM_CODEGEN_FAILED, f, "%.200s is an intrinsic of another processor than %s", name,
                    c->elf_machine == EM_AARCH64 ? "AArch64" : "x86-64");
    if (statepoint && c->elf_machine == EM_AARCH64 && LLVMConstIntGetZExtValue(LLVMGetOperand(call, FLAGS)) & 1)
        return fail(c, SM_CODEGEN_FAILED, f, "The call of %.200s is a GC transition, which AArch64 does not have",
                    safepoint_name(call));
    const char *thunks = statepoint && c->elf_machine == EM_X86_64 ? thunks_of(c, f, call) : NULL;
    if (thunks)
        return fail(
            c, SM_CODEGEN_FAILED, f,
            "The call of %.200s is through a register, and the feature '%s' wants a thunk for it, which LLVM 19 "
            "has not for statepoints: call a function of the module, which makes the call, or leave the feature out",
            safepoint_name(call), thunks);
    if (c->elf_machine == EM_X86_64 && LLVMGetInstructionCallConv(call) == X86_INTERRUPT)
        return fail(c, SM_CODEGEN_FAILED, f, "An interrupt handler, %.200s, may not be called", safepoint_name(call));
    return SM_OK;
}

/* On AArch64 makes the room that a record's call leaves an integral number of instructions: LLVM would place the
 * record within one. */
static void round_room(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { ROOM = 1, INSTRUCTION = 4 };
    LLVMValueRef room = c->elf_machine == EM_AARCH64 && sites_is_record(call) ? LLVMGetOperand(call, ROOM) : NULL;
    if (!room || !LLVMIsAConstantInt(room))
        return;
    unsigned long long bytes = LLVMConstIntGetZExtValue(room), over = bytes % INSTRUCTION;
    if (!over)
        return;
    LLVMSetOperand(call, ROOM, LLVMConstInt(LLVMTypeOf(room), bytes - over + INSTRUCTION, 0));
    deviate(c, DEVIATION_PATCHES);
    advise(
        c,
        "In function '%.200s' a call of %s leaves room for %llu bytes: on AArch64 it is %llu, as instructions have 4",
        value_name(f), is_statepoint(call) ? safepoint_name(call) : intrinsic_name(call), bytes,
        bytes - over + INSTRUCTION);
}

/* Takes optnone from F, if CALL has deoptimisation values and is no statepoint: LLVM 19 dies of such calls in functions
 * that it generates code for as at level 0, beside others. */
static void drop_optnone(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    if (is_statepoint(call) || !call_has_bundle(call, "deopt") || !function_attribute(f, "optnone"))
        return;
    remove_function_attribute(f, "optnone");
    deviate(c, DEVIATION_OPTNONE);
}

/* 1 if CALL relocates, or is the result of, no statepoint: its token is undefined or none, as where nothing comes. */
static int is_of_nothing(LLVMValueRef call) {
    return LLVMIsConstant(LLVMGetOperand(call, 0)) && (is_relocate(call) || is_result(call));
}

/* Checks one call, and for a statepoint its callee's convention, until the first failure, which is in the search's
 * status. */
static void check_lowered_call(struct search *s, LLVMValueRef f, LLVMValueRef call) {
    if (is_of_nothing(call)) {
        replace_value(call, LLVMConstNull(LLVMTypeOf(call)));
        deviate(s->c, DEVIATION_DEFINES);
        return;
    }
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    const char *intrinsic = intrinsic_name(call);
    drop_optnone(s->c, f, call);
    if (s->status == SM_OK)
        s->status = check_kind(s->c, f, call);
    if (s->status == SM_OK)
        s->status = check_ghc_frame(s->c, f, call);
    if (s->status == SM_OK && sites_is_record(call))
        s->status = check_record_operands(s->c, f, call);
    if (s->status == SM_OK)
        round_room(s->c, f, call);
    if (s->status == SM_OK && sites_is_record(call) && !is_statepoint(call))
        s->status = check_recorded_values(s->c, f, call);
    if (s->status == SM_OK && intrinsic && strncmp(intrinsic, "llvm.experimental.patchpoint", 28) == 0)
        s->status = check_patchpoint(s->c, f, call);
    if (intrinsic) {
        type = is_safepoint(s->c, call) ? statepoint_callee_type(call) : NULL;
        if (!type)
            return;
    }
    if (s->status == SM_OK)
        s->status = check_convention(s->c, f, LLVMGetInstructionCallConv(call), type, safepoint_name(call));
}

/* Refuses by name what LLVM 19's code generation would end the process over. Requires the module as it will be
 * emitted. */
/* Refuses a function that strategy erlang's table has no room for: all its fields have 16 bits, and LLVM cuts off what is
 * more (ErlangGCPrinter.cpp). A frame of no fixed size has offsets of both signs. What code generation adds to the stack
 * slots has at most OWN words. */
static sm_status check_erlang_table(struct compile *c, LLVMValueRef f) {
    enum { WORD = 8, OWN = 4096 };
    uint64_t bytes = 0, calls = 0, most = UINT16_MAX;
    if (!LLVMGetGC(f) || strcmp(LLVMGetGC(f), "erlang") != 0)
        return SM_OK;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i)) {
        calls += is_call(i) != 0;
        if (!LLVMIsAAllocaInst(i))
            continue;
        uint64_t each = LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), LLVMGetAllocatedType(i)),
                 count = alloca_count(i);
        if (!is_in_fixed_frame(i))
            most = INT16_MAX;
        bytes = each && count > UINT32_MAX / each ? UINT32_MAX : bytes + each * count;
    }
    if (calls > UINT16_MAX)
        return fail(c, SM_CODEGEN_FAILED, f,
                    "The function has %llu calls, and a table of strategy \"erlang\" has room for %d",
                    (unsigned long long)calls, UINT16_MAX);
    if (bytes > (most - OWN) * WORD)
        return fail(
            c, SM_CODEGEN_FAILED, f,
            "The function's stack slots have %llu bytes, and a table of strategy \"erlang\" has room for %llu",
            (unsigned long long)bytes, (unsigned long long)(most - OWN) * WORD);
    return SM_OK;
}

sm_status lowering_check(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    struct search s = {c, SM_OK};
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && s.status == SM_OK; g = LLVMGetNextGlobal(g))
        s.status = check_comdat(c, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s.status == SM_OK; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        s.status = check_pads(c, f);
        if (s.status == SM_OK)
            s.status = check_comdat(c, f);
        if (s.status == SM_OK)
            s.status = check_probe_lowering(c, f);
        if (s.status == SM_OK)
            s.status = check_x86_definition(c, f);
        if (s.status == SM_OK)
            s.status = check_erlang_table(c, f);
        if (s.status == SM_OK)
            s.status = check_convention(c, f, LLVMGetFunctionCallConv(f), LLVMGlobalGetValueType(f), value_name(f));
        for (LLVMValueRef call = s.status == SM_OK ? first_call(f) : NULL, next; call; call = next) {
            next = next_call(call);
            check_lowered_call(&s, f, call);
        }
    }
    return s.status;
}
