/* target.c - the target machine: triple, CPU, features, and the function attributes through which LLVM's tools pass
 * them on. */
#include "core.h"

#include <llvm-c/Target.h>
#include <string.h>

static const struct arch {
    const char *prefix; /* of a normalised triple */
    const char *name;
    uint16_t elf_machine;
} arches[] = {
    {"x86_64-", "x86_64", EM_X86_64}, {"aarch64-", "aarch64", EM_AARCH64}, {"arm64-", "aarch64", EM_AARCH64}};

#define TRIPLES                                                                                                      \
    "x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu (x86_64-linux-gnu and aarch64-linux-gnu for short, -musl "  \
    "and -elf as well)"

/* ELF systems: what smd decodes and its client loads. */
static int is_elf_system(const char *triple) {
    static const char *const others[] = {"darwin", "macos",  "ios",  "windows", "win32", "apple",
                                         "uefi",   "cygwin", "tvos", "watchos", "macho", "coff"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(triple, others[i]))
            return 0;
    return 1;
}

static const struct arch *arch_of(const char *triple) {
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++)
        if (strncmp(triple, arches[i].prefix, strlen(arches[i].prefix)) == 0 && is_elf_system(triple))
            return &arches[i];
    return NULL;
}

static sm_status choose_triple(struct compile *c) {
    const char *wanted = c->options->target[0] ? c->options->target
                         : c->triple[0]        ? c->triple
                                               : "x86_64-unknown-linux-gnu";
    char *normal = LLVMNormalizeTargetTriple(wanted);
    const struct arch *arch = arch_of(normal);
    sm_status s = SM_OK;
    if (!arch)
        s = fail(c, SM_UNKNOWN_TARGET, NULL, "'%s' is not supported; these are: %s", wanted, TRIPLES);
    else
        c->elf_machine = arch->elf_machine;
    if (arch)
        snprintf(c->triple, sizeof c->triple, "%s", normal);
    LLVMDisposeMessage(normal);
    return s;
}

static LLVMCodeGenOptLevel level_of(int opt) {
    return opt == SM_OPT_0   ? LLVMCodeGenLevelNone
           : opt == SM_OPT_1 ? LLVMCodeGenLevelLess
           : opt == SM_OPT_3 ? LLVMCodeGenLevelAggressive
                             : LLVMCodeGenLevelDefault;
}

static LLVMCodeModel code_model_of(int model) {
    static const LLVMCodeModel models[] = {
        [SM_CM_DEFAULT] = LLVMCodeModelDefault, [SM_CM_TINY] = LLVMCodeModelTiny,
        [SM_CM_SMALL] = LLVMCodeModelSmall,     [SM_CM_KERNEL] = LLVMCodeModelKernel,
        [SM_CM_MEDIUM] = LLVMCodeModelMedium,   [SM_CM_LARGE] = LLVMCodeModelLarge};
    return models[model];
}

/* Pairs that LLVM ends the process over. */
static sm_status check_code_model(struct compile *c) {
    int model = c->options->code_model, arm = c->elf_machine == EM_AARCH64;
    if (arm && (model == SM_CM_MEDIUM || model == SM_CM_KERNEL))
        return fail(c, SM_INVALID_OPTION, NULL, "code_model: aarch64 has default, tiny, small and large");
    if (!arm && model == SM_CM_TINY)
        return fail(c, SM_INVALID_OPTION, NULL, "code_model: x86_64 has default, small, kernel, medium and large");
    return SM_OK;
}

/* LLVM says on stderr, and only there, that it does not know a CPU or a feature. */
static sm_status check_words(struct compile *c) {
    char text[4096];
    if (capture_text(text, sizeof text) == 0)
        return SM_OK;
    const char *end = strstr(text, " is not a recognized ");
    if (!end)
        return SM_OK;
    int is_cpu = strncmp(end, " is not a recognized processor", 30) == 0;
    const char *start = text;
    for (const char *p = text; p < end; p++)
        if (*p == '\n')
            start = p + 1;
    return fail(c, SM_INVALID_OPTION, NULL, "%s: %.*s is not known for %s", is_cpu ? "cpu" : "features",
                (int)(end - start), start, c->triple);
}

/* Requires the module's own triple in c->triple, or "". Gives triple and machine. */
sm_status stage_target(struct compile *c) {
    const sm_options *o = c->options;
    LLVMTargetRef target;
    char *message = NULL;
    sm_status s = choose_triple(c);
    if (s == SM_OK)
        s = check_code_model(c);
    if (s != SM_OK)
        return s;
    if (LLVMGetTargetFromTriple(c->triple, &target, &message)) {
        s = fail(c, SM_UNKNOWN_TARGET, NULL, "%s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    capture_reset();
    c->machine = LLVMCreateTargetMachine(target, c->triple, o->cpu, o->features, level_of(o->opt),
                                         o->reloc == SM_RELOC_PIC ? LLVMRelocPIC : LLVMRelocStatic,
                                         code_model_of(o->code_model));
    if (!c->machine)
        return fail(c, SM_UNKNOWN_TARGET, NULL, "There is no code generator for '%s'", c->triple);
    return check_words(c);
}

static void set_default(LLVMContextRef context, LLVMValueRef f, const char *name, const char *value) {
    if (!LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name)))
        LLVMAddAttributeAtIndex(
            f, LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

/* Features are joined to those that the function names itself, as opt and llc do. */
static void join_features(LLVMContextRef context, LLVMValueRef f, const char *features) {
    static const char name[] = "target-features";
    LLVMAttributeRef old = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, sizeof name - 1);
    unsigned len = 0;
    const char *before = old ? LLVMGetStringAttributeValue(old, &len) : "";
    sm_buf both;
    sm_buf_init(&both, 1 << 20);
    sm_buf_printf(&both, "%.*s%s%s", (int)len, before, len ? "," : "", features);
    if (both.status == SM_OK)
        LLVMAddAttributeAtIndex(
            f, LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(context, name, sizeof name - 1, (const char *)both.data, (unsigned)both.len));
    sm_buf_free(&both);
}

/* What -mcpu, -mattr and --frame-pointer do in opt and llc: functions that do not say for themselves are told. */
void target_attributes(struct compile *c) {
    static const char *const frame_pointers[] = {
        [SM_FP_NONE] = "none", [SM_FP_NON_LEAF] = "non-leaf", [SM_FP_ALL] = "all"};
    const sm_options *o = c->options;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (o->cpu[0])
            set_default(c->context, f, "target-cpu", o->cpu);
        if (o->features[0])
            join_features(c->context, f, o->features);
        if (o->frame_pointer != SM_FP_MODULE)
            set_default(c->context, f, "frame-pointer", frame_pointers[o->frame_pointer]);
    }
}
