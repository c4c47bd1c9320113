/* compact_object.c - see compact.h: an object gets the compact table where LLVM's was. */
#include "compact.h"
#include "faultmap.h"
#include "layout.h"

#include <stdlib.h>

#define LLVM_SYMBOL    "__LLVM_StackMaps" /* what LLVM calls its table's first byte */
#define COMPACT_SYMBOL "__smd_maps"

/* Finds the relocation of LLVM's table AT bytes from its start; SM_INVALID_OBJECT if there is none. */
static sm_status relocation_of(const struct layout *l, uint64_t at, sm_elf_reloc *found) {
    size_t section = l->change[RELOCATIONS].section, n = sm_elf_reloc_count(l->e, section);
    size_t low = 0, high = n;
    while (low < high) { /* LLVM writes them in this order */
        size_t middle = low + (high - low) / 2;
        if (sm_elf_reloc_at(l->e, section, middle, found) != SM_OK)
            return SM_INVALID_OBJECT;
        if (found->offset < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || sm_elf_reloc_at(l->e, section, low, found) != SM_OK || found->offset != at)
        return SM_INVALID_OBJECT;
    return SM_OK;
}

/* Adds the relocation of a function's field: against its section where that can be, as in .eh_frame, since a shared
 * library's symbols may be others' when it runs. Of a group's section the linker may drop all but one copy, so
 * there the symbol is kept. */
static sm_status relocate(struct layout *l, const sm_function *f, uint32_t at, const sm_elf_reloc *old) {
    uint32_t type = l->e->machine == EM_X86_64 ? R_X86_64_PC32 : R_AARCH64_PREL32;
    int in_group = f->section_index < l->e->sections && l->e->section[f->section_index].flags & SHF_GROUP;
    size_t own = f->section_index < l->e->sections && !in_group ? l->symbol_of[f->section_index] : 0;
    return own ? layout_add_relocation(l, at, type, own, (int64_t)f->offset)
               : layout_add_relocation(l, at, type, old->symbol, old->addend);
}

/* Encodes the compact table and adds a relocation for each function in it. */
static sm_status write_table(struct layout *l, const sm_stackmap *m) {
    sm_compact_field *field = NULL;
    sm_status s = sm_compact_encode(m, &l->change[TABLE].bytes, &field);
    for (uint32_t i = 0; s == SM_OK && i < m->functions; i++) {
        const sm_function *f = &m->function[field[i].function];
        sm_elf_reloc old;
        s = relocation_of(l, f->at, &old);
        if (s == SM_OK)
            s = relocate(l, f, field[i].at, &old);
    }
    free(field);
    return s;
}

sm_status sm_compact_object(const sm_elf *e, const sm_stackmap *m, sm_buf *out) {
    struct layout l;
    size_t table = sm_elf_find(e, SM_STACKMAP_SECTION, 0), relocations = sm_elf_relocs_of(e, table, 0);
    if (!table || sm_elf_find(e, SM_STACKMAP_SECTION, table) || !relocations ||
        sm_elf_relocs_of(e, table, relocations))
        return SM_INVALID_OBJECT;
    sm_status s = layout_begin(&l, e, table, out);
    if (s == SM_OK)
        s = write_table(&l, m);
    if (s == SM_OK) {
        layout_name(&l, SM_COMPACT_SECTION, ".rela" SM_COMPACT_SECTION, SHF_ALLOC | SHF_GNU_RETAIN, SM_COMPACT_ALIGN);
        layout_add_flags(&l, SM_FAULTMAP_SECTION, SHF_WRITE | SHF_GNU_RETAIN); /* it has absolute addresses */
        layout_rename(&l, LLVM_SYMBOL, COMPACT_SYMBOL); /* who looks for LLVM's table finds none */
    }
    return layout_end(&l, s);
}
