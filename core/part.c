/* part.c - one part of a module: read from the module's bitcode into a context of its own, and emitted. What it does not own it
 * only declares, and what the module keeps to itself it shows to the other parts, hidden from all else. */
#include "parts.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>

void part_name(int is_function, size_t n, char *name, size_t size) {
    snprintf(name, size, PART_PREFIX "%c%zu", is_function ? 'f' : 'v', n);
}

/* Any word is one too many: the whole is compiled then, which says it in its place. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *arg) {
    struct part *p = arg;
    p->said |= LLVMGetDiagInfoSeverity(info) != LLVMDSRemark;
}

/* What the reader has declared of its own stands behind all others. */
static int is_own(const struct part *p, size_t n) {
    return n < p->functions && p->owner[n] == p->number;
}

static void show(LLVMValueRef v, int is_function, size_t n) {
    char name[40];
    size_t len;
    LLVMLinkage linkage = LLVMGetLinkage(v);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return;
    LLVMGetValueName2(v, &len);
    if (len == 0 || linkage == LLVMPrivateLinkage) {
        part_name(is_function, n, name, sizeof name);
        LLVMSetValueName2(v, name, strlen(name));
    }
    LLVMSetLinkage(v, LLVMExternalLinkage);
    LLVMSetVisibility(v, LLVMHiddenVisibility);
}

/* LLVM's pass for such makes declarations of them. */
static void disown(LLVMValueRef v) {
    LLVMSetComdat(v, NULL);
    LLVMSetLinkage(v, LLVMAvailableExternallyLinkage);
}

/* What is no variable but a list for code generation. */
static int is_list(LLVMValueRef g) {
    return LLVMGetLinkage(g) == LLVMAppendingLinkage;
}

static void take_variables(const struct part *p, LLVMModuleRef m) {
    size_t n = 0, len;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g; g = next, n++) {
        next = LLVMGetNextGlobal(g);
        if (!is_list(g)) {
            show(g, 0, n);
            if (p->number && !LLVMIsDeclaration(g))
                disown(g);
        } else if (p->number && strncmp(LLVMGetValueName2(g, &len), "llvm.global_", 12) == 0) {
            LLVMDeleteGlobal(g); /* constructors are called once */
        }
    }
}

static void take_functions(const struct part *p, LLVMModuleRef m) {
    size_t n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f), n++) {
        show(f, 1, n);
        if (!is_own(p, n) && !LLVMIsDeclaration(f))
            disown(f);
    }
}

/* Reads the bodies that are the part's. LLVM reads one when a function's passes are run, even if there are none. What bodies
 * refer to has to be there when they are read: so before anything is taken away. */
static void read_bodies(const struct part *p, LLVMModuleRef m) {
    size_t n = 0;
    LLVMPassManagerRef none = LLVMCreateFunctionPassManagerForModule(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f), n++)
        if (is_own(p, n))
            LLVMRunFunctionPassManager(none, f);
    LLVMDisposePassManager(none);
}

static int take_part(const struct part *p, LLVMModuleRef m, LLVMTargetMachineRef machine) {
    read_bodies(p, m);
    take_variables(p, m);
    take_functions(p, m);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(m, "elim-avail-extern", machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (e) {
        LLVMConsumeError(e);
        return 0;
    }
    return 1;
}

static void emit(struct part *p, LLVMModuleRef m, LLVMTargetMachineRef machine) {
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMObjectFile, &message, &p->object)) {
        LLVMDisposeMessage(message);
        p->object = NULL;
    }
}

void part_compile(struct part *p) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = NULL;
    LLVMTargetMachineRef machine = NULL;
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, p);
    LLVMMemoryBufferRef in = LLVMCreateMemoryBufferWithMemoryRange(LLVMGetBufferStart(p->bitcode),
                                                                   LLVMGetBufferSize(p->bitcode), "part", 0);
    if (!LLVMGetBitcodeModuleInContext2(context, in, &m)) /* takes the buffer */
        machine = machine_new(p->c);
    if (machine && take_part(p, m, machine))
        emit(p, m, machine);
    if (m)
        LLVMDisposeModule(m);
    if (machine)
        LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(context);
}
