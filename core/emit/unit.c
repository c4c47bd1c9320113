/* unit.c - a part whose object can be taken over by a later compile.
 *
 * It is written as a module of its own: its functions, and declarations of what they refer to, without names of
 * values, and with statepoints numbered from 0. That bitcode and the settings, nothing else, are what code is
 * generated of: it is read into a context of its own, for a machine of its own. Where both are the same as of an
 * object that is kept, by their digest, so is the object, and it is taken instead. (To read a unit is to read the
 * tables of all that the bitcode has. So it is read from a chunk, of some units, which was read from the module.) At
 * the end statepoints get the module's numbers again.
 */
#include "digest.h"
#include "emit.h"
#include "memory.h"
#include "parts.h"
#include "reuse.h"
#include "stackmap.h"
#include "state.h"
#include "target.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>

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
    sm_digester *d = sm_digester_new();
    if (!d)
        memory_exhausted();
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
