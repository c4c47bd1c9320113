/* compact_object.c - see compact.h: an object is laid out anew, with the compact table where LLVM's was. Everything else
 * is as before: sections keep their numbers, bytes and alignment. */
#include "compact.h"

#include <stdlib.h>
#include <string.h>

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1u << 21)
#endif

#define LLVM_SYMBOL    "__LLVM_StackMaps" /* what LLVM calls its table's first byte */
#define COMPACT_SYMBOL "__smd_maps"

/* What a section is to have instead of its bytes. */
struct change {
    size_t section; /* 0: none */
    sm_buf bytes;
};

enum { TABLE, RELOCATIONS, NAMES, STRINGS, SYMBOLS, CHANGES };

struct layout {
    const sm_elf *e;
    const sm_stackmap *m;
    sm_buf *out;
    Elf64_Shdr *shdr; /* owned: the new section headers */
    struct change change[CHANGES];
    size_t *symbol_of; /* owned: by section, its own symbol; 0 for none */
};

static sm_status begin(struct layout *l) {
    const sm_elf *e = l->e;
    const Elf64_Ehdr *h = (const void *)e->file.data;
    size_t table = sm_elf_find(e, SM_STACKMAP_SECTION, 0), relocations = sm_elf_relocs_of(e, table, 0);
    if (e->type != ET_REL || !table || sm_elf_find(e, SM_STACKMAP_SECTION, table) || !relocations ||
        sm_elf_relocs_of(e, table, relocations) || !e->symtab || h->e_shnum != e->sections)
        return SM_INVALID_OBJECT;
    l->shdr = malloc(e->sections * sizeof *l->shdr);
    l->symbol_of = calloc(e->sections, sizeof *l->symbol_of);
    if (!l->shdr || !l->symbol_of)
        return SM_NOMEM;
    memcpy(l->shdr, (const unsigned char *)e->file.data + h->e_shoff, e->sections * sizeof *l->shdr);
    const size_t section[CHANGES] = {[TABLE] = table,
                                     [RELOCATIONS] = relocations,
                                     [NAMES] = h->e_shstrndx,
                                     [STRINGS] = e->section[e->symtab].link,
                                     [SYMBOLS] = e->symtab};
    for (int i = 0; i < CHANGES; i++) {
        sm_slice old = e->section[section[i]].bytes;
        l->change[i].section = section[i];
        if (i >= NAMES && sm_buf_put(&l->change[i].bytes, old.data, old.len) != SM_OK)
            return SM_NOMEM;
    }
    return SM_OK;
}

/* One list of strings may serve sections and symbols. */
static sm_buf *strings_of(struct layout *l, int which) {
    int same = l->change[NAMES].section == l->change[STRINGS].section;
    return &l->change[same ? NAMES : which].bytes;
}

static uint32_t add_string(struct layout *l, int which, const char *text) {
    sm_buf *b = strings_of(l, which);
    uint32_t at = (uint32_t)b->len;
    sm_buf_put(b, text, strlen(text) + 1);
    return at;
}

/* The relocation of LLVM's table AT bytes from its start. */
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

/* Notes each section's own symbol. */
static void find_section_symbols(struct layout *l) {
    for (size_t i = 1; i < l->e->symbols; i++) {
        sm_elf_symbol s;
        if (sm_elf_symbol_at(l->e, i, &s) == SM_OK && s.type == STT_SECTION && s.in_section &&
            s.section < l->e->sections)
            l->symbol_of[s.section] = i;
    }
}

/* What the field is relocated against: the section where it can be, as in .eh_frame, since a shared library's symbols may
 * be others' when it runs. Of a group's section the linker may drop all but one, which the symbol then finds. */
static Elf64_Rela relocation_for(struct layout *l, const sm_compact_field *field, const sm_elf_reloc *old) {
    const sm_function *f = &l->m->function[field->function];
    uint64_t type = l->e->machine == EM_X86_64 ? R_X86_64_PC32 : R_AARCH64_PREL32;
    int in_group = f->section_index < l->e->sections && l->e->section[f->section_index].flags & SHF_GROUP;
    size_t own = f->section_index < l->e->sections && !in_group ? l->symbol_of[f->section_index] : 0;
    if (own)
        return (Elf64_Rela){field->at, ELF64_R_INFO((uint64_t)own, type), (int64_t)f->offset};
    return (Elf64_Rela){field->at, ELF64_R_INFO((uint64_t)old->symbol, type), old->addend};
}

static sm_status write_table(struct layout *l) {
    sm_compact_field *field = NULL;
    find_section_symbols(l);
    sm_status s = sm_compact_encode(l->m, &l->change[TABLE].bytes, &field);
    for (uint32_t i = 0; s == SM_OK && i < l->m->functions; i++) {
        sm_elf_reloc old;
        s = relocation_of(l, l->m->function[field[i].function].at, &old);
        Elf64_Rela r = s == SM_OK ? relocation_for(l, &field[i], &old) : (Elf64_Rela){0};
        if (s == SM_OK)
            s = sm_buf_put(&l->change[RELOCATIONS].bytes, &r, sizeof r);
    }
    free(field);
    return s;
}

static void rename_sections(struct layout *l) {
    Elf64_Shdr *table = &l->shdr[l->change[TABLE].section];
    table->sh_name = add_string(l, NAMES, SM_COMPACT_SECTION);
    table->sh_flags = SHF_ALLOC | SHF_GNU_RETAIN;
    table->sh_addralign = SM_COMPACT_ALIGN;
    l->shdr[l->change[RELOCATIONS].section].sh_name = add_string(l, NAMES, ".rela" SM_COMPACT_SECTION);
}

/* Who looks for LLVM's table finds none. */
static void rename_symbol(struct layout *l) {
    for (size_t i = 1; i < l->e->symbols; i++) {
        sm_elf_symbol s;
        Elf64_Sym sym;
        if (sm_elf_symbol_at(l->e, i, &s) != SM_OK || strcmp(s.name, LLVM_SYMBOL) != 0)
            continue;
        unsigned char *at = l->change[SYMBOLS].bytes.data + i * sizeof sym;
        memcpy(&sym, at, sizeof sym);
        sym.st_name = add_string(l, STRINGS, COMPACT_SYMBOL);
        memcpy(at, &sym, sizeof sym);
    }
}

static sm_slice bytes_of(const struct layout *l, size_t section) {
    for (int i = 0; i < CHANGES; i++)
        if (l->change[i].section == section && (l->change[i].bytes.len || i < NAMES))
            return (sm_slice){l->change[i].bytes.data, l->change[i].bytes.len};
    return l->e->section[section].bytes;
}

static sm_status write_file(struct layout *l) {
    Elf64_Ehdr h;
    memcpy(&h, l->e->file.data, sizeof h);
    h.e_ident[EI_OSABI] = ELFOSABI_GNU; /* whose SHF_GNU_RETAIN it is */
    sm_buf_put(l->out, &h, sizeof h);
    for (size_t i = 1; i < l->e->sections; i++) {
        sm_slice bytes = bytes_of(l, i);
        Elf64_Shdr *section = &l->shdr[i];
        sm_buf_align(l->out, section->sh_addralign && section->sh_addralign <= 4096 ? section->sh_addralign : 1);
        section->sh_offset = l->out->len;
        if (section->sh_type == SHT_NOBITS)
            continue;
        section->sh_size = bytes.len;
        sm_buf_put(l->out, bytes.data, bytes.len);
    }
    sm_buf_align(l->out, 8);
    h.e_shoff = l->out->len;
    sm_buf_put(l->out, l->shdr, l->e->sections * sizeof *l->shdr);
    if (l->out->status == SM_OK)
        memcpy(l->out->data, &h, sizeof h);
    return l->out->status;
}

sm_status sm_compact_object(const sm_elf *e, const sm_stackmap *m, sm_buf *out) {
    struct layout l = {.e = e, .m = m, .out = out};
    for (int i = 0; i < CHANGES; i++)
        sm_buf_init(&l.change[i].bytes, UINT32_MAX);
    sm_status s = begin(&l);
    if (s == SM_OK)
        s = write_table(&l);
    if (s == SM_OK) {
        rename_sections(&l);
        rename_symbol(&l);
    }
    for (int i = 0; i < CHANGES; i++)
        s = s == SM_OK ? l.change[i].bytes.status : s;
    if (s == SM_OK)
        s = write_file(&l);
    for (int i = 0; i < CHANGES; i++)
        sm_buf_free(&l.change[i].bytes);
    free(l.symbol_of);
    free(l.shdr);
    return s;
}
