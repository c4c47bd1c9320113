/* part.c - one part of a module: read from the module's bitcode into a context of its own, and emitted. What it does
 * not own it only declares, and what the module keeps to itself it shows to the other parts, hidden from all else. */
#include "digest.h"
#include "emitting.h"
#include "marks.h"
#include "memory.h"
#include "parts.h"
#include "reuse.h"
#include "stackmap.h"
#include "target.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *part_symbol(const char *fmt, ...) {
    char *text;
    va_list ap;
    va_start(ap, fmt);
    int len = vasprintf(&text, fmt, ap);
    va_end(ap);
    return xchecked(len < 0 ? NULL : text);
}

/* A symbol name, *new*, by which other parts find V, number N among variables or functions: from its own name if
 * it has one, as numbers change with the globals before it. */
char *part_name(LLVMValueRef v, int is_function, size_t n) {
    size_t len;
    const char *own = LLVMGetValueName2(v, &len);
    return len ? part_symbol(PART_PREFIX "%c.%s", is_function ? 'f' : 'v', own)
               : part_symbol(PART_PREFIX "%c%zu", is_function ? 'f' : 'v', n);
}

/* Notes in the part that LLVM has reported anything above a remark: the module is then compiled unsplit, which
 * reports it in its place. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *arg) {
    struct part *p = arg;
    p->declared |= LLVMGetDiagInfoSeverity(info) != LLVMDSRemark;
}

/* 1 if the part owns function number OF, as counted among those with a body. */
static int is_own(const struct part *p, size_t of) {
    return p->owner[of] >= p->first && p->owner[of] <= p->last;
}

/* Gives V, number N, an external hidden symbol if it is internal or private, so that the module's other parts can
 * refer to it. */
static void show_part(LLVMValueRef v, int is_function, size_t n) {
    size_t len;
    LLVMLinkage linkage = LLVMGetLinkage(v);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return;
    LLVMGetValueName2(v, &len);
    if (len == 0 || linkage == LLVMPrivateLinkage) {
        char *name = part_name(v, is_function, n);
        LLVMSetValueName2(v, name, strlen(name));
        free(name);
    }
    LLVMSetLinkage(v, LLVMExternalLinkage);
    LLVMSetVisibility(v, LLVMHiddenVisibility);
}

/* Makes V available_externally, without comdat: the pass elim-avail-extern then leaves only its declaration. */
static void disown(LLVMValueRef v) {
    LLVMSetComdat(v, NULL);
    LLVMSetLinkage(v, LLVMAvailableExternallyLinkage);
}

/* Leaves the definitions of variables to the first part and declares them in others. Constructor lists stay in the
 * first part only, so that constructors are called once. */
static void take_variables(struct part *p, LLVMModuleRef m) {
    size_t n = 0, len;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m), next; g; g = next, n++) {
        next = LLVMGetNextGlobal(g);
        if (LLVMGetLinkage(g) != LLVMAppendingLinkage) { /* no list for code generation, such as llvm.used */
            show_part(g, 0, n);
            if (p->first && !LLVMIsDeclaration(g))
                disown(g);
        } else if (p->first && strncmp(LLVMGetValueName2(g, &len), "llvm.global_", 12) == 0) {
            LLVMDeleteGlobal(g); /* constructors are called once */
        }
    }
}

/* Leaves the part the bodies that it owns, and makes declarations of other functions. */
static void take_functions(struct part *p, LLVMModuleRef m) {
    size_t n = 0, with_body = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f), n++) {
        show_part(f, 1, n);
        if (!LLVMIsDeclaration(f) && !is_own(p, with_body++))
            disown(f);
    }
}

/* Reads the bodies that the part owns from the bitcode, by running no passes over them. Before anything is taken
 * away: what bodies refer to has to be there when they are read. */
static void read_bodies(const struct part *p, LLVMModuleRef m) {
    size_t with_body = 0;
    LLVMPassManagerRef none = LLVMCreateFunctionPassManagerForModule(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && is_own(p, with_body++))
            LLVMRunFunctionPassManager(none, f);
    LLVMDisposePassManager(none);
}

/* Reduces the module M to the part: its bodies, and declarations of all else (for a unit, only of what it refers
 * to). 0 if LLVM's passes fail. */
static int take_part(struct part *p, LLVMModuleRef m, LLVMTargetMachineRef machine) {
    read_bodies(p, m);
    take_variables(p, m);
    take_functions(p, m);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(
        m, p->settings.data ? "elim-avail-extern,strip-dead-prototypes" : "elim-avail-extern", machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (e) {
        LLVMConsumeError(e);
        return 0;
    }
    return 1;
}

/* A context, *new*, whose diagnostics are noted in the part. */
static LLVMContextRef part_context(struct part *p) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, p);
    return context;
}

/* Reads the part from the module's bitcode into CONTEXT, *new*; NULL if it cannot be read. MACHINE may be NULL. */
static LLVMModuleRef part_read(struct part *p, LLVMContextRef context, LLVMTargetMachineRef machine) {
    LLVMModuleRef m = NULL;
    LLVMMemoryBufferRef in = LLVMCreateMemoryBufferWithMemoryRange(LLVMGetBufferStart(p->bitcode),
                                                                   LLVMGetBufferSize(p->bitcode), "part", 0);
    if (LLVMGetBitcodeModuleInContext2(context, in, &m)) /* takes the buffer */
        return NULL;
    if (take_part(p, m, machine))
        return m;
    LLVMDisposeModule(m);
    return NULL;
}

/* Generates the part's object, P->object; NULL if that fails. */
static void part_emit(struct part *p, LLVMModuleRef m, LLVMTargetMachineRef machine) {
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMObjectFile, &message, &p->object)) {
        LLVMDisposeMessage(message);
        p->object = NULL;
    }
}

/* Reads the part in a context of its own and generates its object, P->object; NULL if that fails. On any
 * thread. */
void part_compile(struct part *p) {
    LLVMContextRef context = part_context(p);
    LLVMTargetMachineRef machine = machine_new(p->c);
    LLVMModuleRef m = machine ? part_read(p, context, machine) : NULL;
    if (m) {
        part_emit(p, m, machine);
        LLVMDisposeModule(m);
    }
    if (machine)
        LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(context);
}

/* ---- Units ----------------------------------------------------------------------------------------------------- */

/* A part whose object can be taken over by a later compile.
 *
 * It is written as a module of its own: its functions, and declarations of what they refer to, without names of
 * values, and with statepoints numbered from 0. That bitcode and the settings, nothing else, are what code is
 * generated of: it is read into a context of its own, for a machine of its own. Where both are the same as of an
 * object that is kept, by their digest, so is the object, and it is taken instead. (To read a unit is to read the
 * tables of all that the bitcode has. So it is read from a chunk, of some units, which was read from the module.) At
 * the end statepoints get the module's numbers again.
 */

/* *New*: the part read as a module of its own, as bitcode; NULL on failure. With FIRST, its statepoints are numbered
 * from 0, and *FIRST is to be added to get the module's numbers. */
static LLVMMemoryBufferRef write_unit(struct part *p, uint64_t *first) {
    LLVMContextRef context = part_context(p);
    LLVMMemoryBufferRef bitcode = NULL;
    LLVMContextSetDiscardValueNames(context, 1);
    LLVMModuleRef m = part_read(p, context, NULL);
    if (m) {
        if (first)
            *first = sites_number_from_0(m);
        bitcode = LLVMWriteBitcodeToMemoryBuffer(m);
        LLVMDisposeModule(m);
    }
    LLVMContextDispose(context);
    return bitcode;
}

void unit_read_chunk(struct part *p) {
    p->object = write_unit(p, NULL);
}

/* Sets p->key, the digest of settings and bitcode. */
static void identify(struct part *p, LLVMMemoryBufferRef bitcode) {
    sm_digester *d = xchecked(sm_digester_new());
    sm_digester_add(d, p->settings.data, p->settings.len);
    sm_digester_add(d, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
    xstatus(sm_digester_end(d, p->key));
    sm_digester_free(d);
}

/* Generates p->object of the bitcode, in a context and for a machine of its own; p->created is its bytes. */
static void generate(struct part *p, LLVMMemoryBufferRef bitcode) {
    LLVMContextRef context = part_context(p);
    LLVMModuleRef m = NULL;
    LLVMTargetMachineRef machine = NULL;
    LLVMContextSetDiscardValueNames(context, 1);
    if (!LLVMParseBitcodeInContext2(context, bitcode, &m))
        machine = machine_new(p->c);
    if (machine)
        part_emit(p, m, machine);
    if (m)
        LLVMDisposeModule(m);
    if (machine)
        LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(context);
    if (p->object)
        p->created = (sm_slice){(const unsigned char *)LLVMGetBufferStart(p->object), LLVMGetBufferSize(p->object)};
}

/* Copies the object, which may come from another worker, and adds FIRST to the ids in its stackmap. 0 and no copy if
 * the object is malformed. */
static int number_records(struct part *p, uint64_t first) {
    sm_elf elf;
    sm_stackmap map;
    sm_stackmap_error wrong;
    unsigned char *bytes = xmalloc(p->created.len + 1);
    memcpy(bytes, p->created.data, p->created.len);
    if (xstatus(sm_elf_open(&elf, bytes, p->created.len, NULL, 0)) != SM_OK) {
        free(bytes);
        return 0;
    }
    size_t section = sm_elf_find(&elf, SM_STACKMAP_SECTION, 0);
    sm_slice table = section ? elf.section[section].bytes : (sm_slice){NULL, 0};
    int ok = !section || !sm_elf_find(&elf, SM_STACKMAP_SECTION, section);
    ok =
        ok && (!table.data || xstatus(sm_stackmap_decode(&map, elf.machine, table.data, table.len, &wrong)) == SM_OK);
    if (ok && table.data) {
        for (uint32_t i = 0; i < map.records; i++)
            sm_store_le(bytes + (table.data - bytes) + map.record[i].at, map.record[i].id + first, 8);
        sm_stackmap_free(&map);
    }
    sm_elf_close(&elf);
    if (ok)
        p->numbered = bytes;
    else
        free(bytes);
    return ok;
}

/* Compiles the unit P, or takes an object of equal digest that is kept, and numbers its records. */
void unit_compile(struct part *p) {
    uint64_t first = 0;
    LLVMMemoryBufferRef bitcode = write_unit(p, &first);
    if (bitcode) {
        identify(p, bitcode);
        p->created = reuse_find(p->c->reuse, p->key, &p->is_earlier);
        p->is_result = p->created.data != NULL;
        if (!p->is_result)
            generate(p, bitcode);
        if (p->created.data)
            number_records(p, first);
    }
    if (bitcode)
        LLVMDisposeMemoryBuffer(bitcode);
}
