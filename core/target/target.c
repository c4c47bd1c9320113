/* target.c - the target machine: triple, CPU, features, and the function attributes through which LLVM's tools pass
 * them on. */
#include "target.h"
#include "ir.h"
#include "machine.h"

#include <llvm-c/Target.h>

/* What a normalised triple, ARCH-VENDOR-SYSTEM-ENVIRONMENT, may have for the last two: systems of 64-bit ELF, which
 * smd decodes and its client loads. A list of those that are none would never be complete: LLVM has more of them with
 * each version, objects of 32 bits for 64-bit processors (x32, ILP32), and formats that end the process. */
static const char *const systems[] = {"linux",   "unknown",   "none",    "elf",   "freebsd", "netbsd",
                                      "openbsd", "dragonfly", "fuchsia", "haiku", "hurd"};
static const char *const environments[] = {"unknown", "gnu", "musl", "android", "elf"};

static const struct arch {
    const char *name; /* the triple's first part */
    uint16_t elf_machine;
} arches[] = {{"x86_64", EM_X86_64}, {"aarch64", EM_AARCH64}, {"arm64", EM_AARCH64}};

/* What other tools call these processors. */
static const char *const other_names[][2] = {{"amd64", "x86_64"}, {"x86-64", "x86_64"}, {"x64", "x86_64"}};

#define TRIPLES                                                                                                      \
    "x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu (x86_64-linux-gnu and aarch64-linux-gnu for short, -musl "  \
    "and -elf as well)"

/* 1 if PART, of LEN bytes, is one of the N names, perhaps followed by a version ("android34", "freebsd14.1"). */
static int is_among(const char *part, size_t len, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t own = strlen(names[i]);
        if (own <= len && memcmp(part, names[i], own) == 0 && own + strspn(part + own, "0123456789.") == len)
            return 1;
    }
    return 0;
}

/* The supported architecture of a normalised triple; NULL if its processor, system or environment is not supported.
 * */
static const struct arch *arch_of(const char *triple) {
    enum { ARCH, VENDOR, SYSTEM, ENVIRONMENT, PARTS };
    const char *part[PARTS] = {"", "", "", ""};
    size_t len[PARTS] = {0}, parts = 0;
    for (const char *p = triple; p; p = strchr(p, '-') ? strchr(p, '-') + 1 : NULL) {
        if (parts == PARTS)
            return NULL;
        part[parts] = p;
        len[parts++] = strcspn(p, "-");
    }
    if (parts <= SYSTEM || !is_among(part[SYSTEM], len[SYSTEM], systems, sizeof systems / sizeof *systems) ||
        (len[ENVIRONMENT] &&
         !is_among(part[ENVIRONMENT], len[ENVIRONMENT], environments, sizeof environments / sizeof *environments)))
        return NULL;
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++)
        if (len[ARCH] == strlen(arches[i].name) && memcmp(part[ARCH], arches[i].name, len[ARCH]) == 0)
            return &arches[i];
    return NULL;
}

/* The supported triple that is nearest to this one: of its processor; NULL if that is another one. */
static const char *triple_near(const char *triple) {
    size_t len = strcspn(triple, "-");
    if (strncmp(triple, "x86-64", 6) == 0)
        len = 6;
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (len == strlen(other_names[i][0]) && memcmp(triple, other_names[i][0], len) == 0)
            return "x86_64-unknown-linux-gnu";
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++)
        if (len == strlen(arches[i].name) && memcmp(triple, arches[i].name, len) == 0)
            return arches[i].elf_machine == EM_X86_64 ? "x86_64-unknown-linux-gnu" : "aarch64-unknown-linux-gnu";
    return NULL;
}

/* Refuses the triple NEEDED, and says what to say instead: another option, or an option at all, since what the module
 * says counts where the option is empty. */
static sm_status refuse_triple(struct compile *c, const char *needed) {
    const char *near = triple_near(needed);
    if (c->options->target[0])
        return fail_option(c, SM_UNKNOWN_TARGET, "target", NULL, "'%s' is not supported; %s%s%sthese are: %s", needed,
                           near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", TRIPLES);
    return fail(c, SM_UNKNOWN_TARGET, NULL,
                "'%s', the module's triple, is not supported; the option target goes before it: target=%s%s", needed,
                near ? near : "x86_64-unknown-linux-gnu",
                near ? "" : " or target=aarch64-unknown-linux-gnu, for IR that is of no processor");
}

/* Sets c->triple and c->elf_machine by the option target, the module's triple, or the default; SM_UNKNOWN_TARGET. */
static sm_status choose_triple(struct compile *c) {
    const char *needed = c->options->target[0] ? c->options->target
                         : c->triple[0]        ? c->triple
                                               : "x86_64-unknown-linux-gnu";
    char *normal = LLVMNormalizeTargetTriple(needed);
    const struct arch *arch = arch_of(normal);
    sm_status s = SM_OK;
    if (!arch)
        s = refuse_triple(c, needed);
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

/* Refuses code models that the target lacks, over which LLVM would end the process. */
static sm_status check_code_model(struct compile *c) {
    int model = c->options->code_model, arm = c->elf_machine == EM_AARCH64;
    if (arm && (model == SM_CM_MEDIUM || model == SM_CM_KERNEL))
        return fail_option(c, SM_INVALID_OPTION, "code_model", NULL,
                           "code_model: aarch64 has default, tiny, small and large");
    if (!arm && model == SM_CM_TINY)
        return fail_option(c, SM_INVALID_OPTION, "code_model", NULL,
                           "code_model: x86_64 has default, small, kernel, medium and large");
    return SM_OK;
}

/* Refuses a CPU or feature that LLVM does not know. It says so only on stderr, which was captured. */
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
    const char *near = is_cpu ? cpu_near(c->options->cpu, c->elf_machine) : NULL;
    return fail_option(c, SM_INVALID_OPTION, is_cpu ? "cpu" : "features", NULL, "%s: %.*s is not known for %s%s%s%s",
                       is_cpu ? "cpu" : "features", (int)(end - start), start, c->triple,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Refuses a feature without a sign: LLVM's library switches such a feature off without a word, and opt on. */
static sm_status check_signs(struct compile *c) {
    for (const char *at = c->options->features; *at; at += strspn(at, ",")) {
        int n = (int)strcspn(at, ",");
        if (*at == ' ')
            return fail_option(c, SM_INVALID_OPTION, "features", NULL,
                               "features: '%.*s' begins with a blank; in a query a plus is written %%2B (%%2B%.*s)",
                               n, at, n - 1, at + 1);
        if (n && *at != '+' && *at != '-')
            return fail_option(c, SM_INVALID_OPTION, "features", NULL,
                               "features: '%.*s' has no sign; +%.*s switches it on, -%.*s off", n, at, n, at, n, at);
        at += n;
    }
    return SM_OK;
}

/* *New*: the target machine of the compile's options; NULL if LLVM has none. */
LLVMTargetMachineRef machine_new(const struct compile *c) {
    const sm_options *o = c->options;
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(c->triple, &target, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, c->triple, o->cpu, o->features, level_of(o->opt),
                                   o->reloc == SM_RELOC_PIC ? LLVMRelocPIC : LLVMRelocStatic,
                                   code_model_of(o->code_model));
}

/* Requires the module's own triple in c->triple, or "". Gives triple and machine. */
sm_status stage_target(struct compile *c) {
    LLVMTargetRef target;
    char *message = NULL;
    sm_status s = choose_triple(c);
    if (s == SM_OK)
        s = check_code_model(c);
    if (s == SM_OK)
        s = check_signs(c);
    if (s != SM_OK)
        return s;
    if (LLVMGetTargetFromTriple(c->triple, &target, &message)) {
        s = fail(c, SM_UNKNOWN_TARGET, NULL, "%s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    c->machine = machines_take(c);
    if (c->machine)
        return SM_OK;
    capture_reset();
    c->machine = machine_new(c);
    if (!c->machine)
        return fail(c, SM_UNKNOWN_TARGET, NULL, "There is no code generator for '%s'", c->triple);
    return check_words(c);
}

/* Gives F the text attribute NAME with VALUE if it has none. */
static void set_default(LLVMContextRef context, LLVMValueRef f, const char *name, const char *value) {
    if (!text_attribute(f, name))
        set_text_attribute(context, f, name, value);
}

/* Appends FEATURES to those of F's own attribute, as opt and llc do. */
static void join_features(LLVMContextRef context, LLVMValueRef f, const char *features) {
    static const char name[] = "target-features";
    LLVMAttributeRef old = text_attribute(f, name);
    unsigned len = 0;
    const char *before = old ? LLVMGetStringAttributeValue(old, &len) : "";
    sm_buf both;
    sm_buf_init(&both, SIZE_MAX / 4);
    sm_buf_printf(&both, "%.*s%s%s", (int)len, before, len ? "," : "", features);
    sm_buf_put(&both, "", 1);
    xstatus(both.status);
    set_text_attribute(context, f, name, (const char *)both.data);
    sm_buf_free(&both);
}

/* Does what -mcpu, -mattr and --frame-pointer do in opt and llc: functions without such attributes get the options'
 * values. */
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
