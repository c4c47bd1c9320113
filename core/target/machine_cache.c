/* machine_cache.c - target machines that are kept for the next compile with the same target, CPU, features and level: to
 * make one, with its tables of what the processor can do, is a sixth of a small compile.
 *
 * A compile has its machine to itself: it takes it out of the table, and gives it back when it is done. So a second
 * compile at the same time gets a new one, and the machine of a compile that fails does not come back. LLVM keeps a
 * subtarget in the machine for every set of attributes that a function ever had; so that a worker's memory is
 * bounded, a machine goes after some compiles, and at once when a module's functions were not all for the same
 * processor. It goes as well behind a module with llvm.used: LLVM 19 notes the addresses of what is in that list in the
 * machine, for ever, and would give a later module's variable at such an address a section that linkers retain
 * (TargetLoweringObjectFileELF::getModuleMetadata).
 */
#include "ir.h"
#include "machine.h"
#include "target.h"

enum { MACHINES = 6, COMPILES_MAX = 64, DESCRIPTION_MAX = 1 << 16, PROCESSOR_ATTRIBUTES = 10 };

static struct machine {
    LLVMTargetMachineRef machine;
    char *description;
    size_t len;
    unsigned compiles; /* how many have used it */
} kept[MACHINES];      /* the last used first; empty places last */

/* Disposes of the machine, if there is one, and empties its place in the table. */
static void forget_machine(struct machine *m) {
    if (m->machine)
        LLVMDisposeTargetMachine(m->machine);
    free(m->description);
    *m = (struct machine){0};
}

/* Writes all that a target machine depends on, as the key to find it by. */
static void describe_machine(const struct compile *c, sm_buf *out) {
    const sm_options *o = c->options;
    sm_buf_init(out, DESCRIPTION_MAX);
    sm_buf_put_u32(out, (uint32_t)o->opt);
    sm_buf_put_u32(out, (uint32_t)o->reloc);
    sm_buf_put_u32(out, (uint32_t)o->code_model);
    sm_buf_put_str(out, c->triple, strlen(c->triple));
    sm_buf_put_str(out, o->cpu, strlen(o->cpu));
    sm_buf_put_str(out, o->features, strlen(o->features));
    xstatus(out->status);
}

/* 1 if the compile's machine may be used again: not for assembly, which shows the numbers that machines give to
 * sections. */
static int may_be_kept(const struct compile *c) {
    return !(c->options->emit & SM_EMIT_ASM);
}

/* Takes out of the table a machine for the same target, CPU, features and level; NULL if there is none. The caller
 * owns it. */
LLVMTargetMachineRef machines_take(struct compile *c) {
    LLVMTargetMachineRef result = NULL;
    sm_buf description;
    if (!may_be_kept(c))
        return NULL;
    describe_machine(c, &description);
    for (size_t i = 0; !result && i < MACHINES && kept[i].machine; i++) {
        struct machine *m = &kept[i];
        if (description.status != SM_OK || m->len != description.len ||
            memcmp(m->description, description.data, m->len) != 0)
            continue;
        result = m->machine;
        c->target.compiles = m->compiles;
        m->machine = NULL;
        forget_machine(m);
        memmove(m, m + 1, (MACHINES - 1 - i) * sizeof *m);
        kept[MACHINES - 1] = (struct machine){0};
    }
    sm_buf_free(&description);
    return result;
}

/* Attribute number I of F among those by which LLVM chooses a subtarget; NULL if F does not have it. */
static LLVMAttributeRef processor_attribute(LLVMValueRef f, size_t i) {
    static const char *const names[] = {"target-cpu",
                                        "tune-cpu",
                                        "target-features",
                                        "prefer-vector-width",
                                        "min-legal-vector-width",
                                        "use-soft-float",
                                        "aarch64_pstate_sm_enabled",
                                        "aarch64_pstate_sm_compatible",
                                        "aarch64_pstate_sm_body"};
    _Static_assert(sizeof names / sizeof *names == PROCESSOR_ATTRIBUTES - 1, "and vscale_range");
    if (i == PROCESSOR_ATTRIBUTES - 1)
        return function_attribute(f, "vscale_range");
    return text_attribute(f, names[i]);
}

/* 1 if all functions with a body have the same processor attributes: attributes that are equal are the same, in
 * one context. */
static int is_for_one_processor(const struct compile *c) {
    LLVMAttributeRef first[PROCESSOR_ATTRIBUTES];
    int any = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; !LLVMIsDeclaration(f) && i < PROCESSOR_ATTRIBUTES; i++) {
            LLVMAttributeRef a = processor_attribute(f, i);
            if (any && a != first[i])
                return 0;
            first[i] = a;
        }
        any |= !LLVMIsDeclaration(f);
    }
    return 1;
}

/* 1 if code generation has left nothing in the machine that a later module would be compiled otherwise for. */
static int is_clean(const struct compile *c) {
    return !c->errors && c->module && !LLVMGetNamedGlobal(c->module, "llvm.used") && is_for_one_processor(c);
}

/* Puts the compile's machine into the table for later compiles, first, dropping the one used longest ago; disposes
 * of it instead if it may not be kept. */
void machines_give_back(struct compile *c) {
    sm_buf description;
    LLVMTargetMachineRef machine = c->machine;
    c->machine = NULL;
    if (!machine)
        return;
    describe_machine(c, &description);
    if (!may_be_kept(c) || !is_clean(c) || c->target.compiles + 1 >= COMPILES_MAX || description.status != SM_OK) {
        LLVMDisposeTargetMachine(machine);
        sm_buf_free(&description);
        return;
    }
    forget_machine(&kept[MACHINES - 1]);
    memmove(&kept[1], &kept[0], (MACHINES - 1) * sizeof kept[0]);
    kept[0] = (struct machine){.machine = machine, .compiles = c->target.compiles + 1};
    kept[0].description = (char *)sm_buf_take(&description, &kept[0].len);
}
