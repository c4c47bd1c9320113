/* layout.c - see layout.h. */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

/* Sets the number of each section that changes, and copies the strings and symbols, which only grow. TABLE is
 * replaced; 0: a new one is added. SM_INVALID_OBJECT if one is missing. */
static sm_status find_sections(struct layout *l, size_t table) {
    const sm_elf *e = l->e;
    const Elf64_Ehdr *h = (const void *)e->file.data;
    const size_t section[CHANGES] = {[TABLE] = table ? table : e->sections,
                                     [RELOCATIONS] = table ? sm_elf_relocs_of(e, table, 0) : e->sections + 1,
                                     [NAMES] = h->e_shstrndx,
                                     [STRINGS] = e->symtab ? e->section[e->symtab].link : 0,
                                     [SYMBOLS] = e->symtab};
    for (int i = 0; i < CHANGES; i++) {
        l->change[i].section = section[i];
        if (!section[i])
            return SM_INVALID_OBJECT;
        sm_slice old = i >= NAMES ? e->section[section[i]].bytes : (sm_slice){NULL, 0};
        if (i >= NAMES && sm_buf_put(&l->change[i].bytes, old.data, old.len) != SM_OK)
            return SM_NOMEM;
    }
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

sm_status layout_begin(struct layout *l, const sm_elf *e, size_t table, sm_buf *out) {
    Elf64_Ehdr h;
    *l = (struct layout){.e = e, .out = out, .sections = e->sections + (table ? 0 : 2)};
    for (int i = 0; i < CHANGES; i++)
        sm_buf_init(&l->change[i].bytes, UINT32_MAX);
    memcpy(&h, e->file.data, sizeof h);
    if (e->type != ET_REL || h.e_shnum != e->sections || l->sections >= SHN_LORESERVE)
        return SM_INVALID_OBJECT;
    l->shdr = calloc(l->sections, sizeof *l->shdr);
    l->symbol_of = calloc(l->sections, sizeof *l->symbol_of);
    if (!l->shdr || !l->symbol_of)
        return SM_NOMEM;
    memcpy(l->shdr, (const unsigned char *)e->file.data + h.e_shoff, e->sections * sizeof *l->shdr);
    sm_status s = find_sections(l, table);
    if (s != SM_OK)
        return s;
    if (!table) {
        l->shdr[e->sections].sh_type = SHT_PROGBITS;
        l->shdr[e->sections + 1] = (Elf64_Shdr){.sh_type = SHT_RELA,
                                                .sh_flags = SHF_INFO_LINK,
                                                .sh_link = (uint32_t)e->symtab,
                                                .sh_info = (uint32_t)e->sections,
                                                .sh_entsize = sizeof(Elf64_Rela),
                                                .sh_addralign = 8};
    }
    find_section_symbols(l);
    return SM_OK;
}

/* The strings for names of sections or symbols: one table may serve both. */
static sm_buf *strings_of(struct layout *l, int which) {
    int same = l->change[NAMES].section == l->change[STRINGS].section;
    return &l->change[same ? NAMES : which].bytes;
}

/* Adds a string to the names of sections or symbols (WHICH); gives its offset. */
static uint32_t add_string(struct layout *l, int which, const char *text) {
    sm_buf *b = strings_of(l, which);
    uint32_t at = (uint32_t)b->len;
    sm_buf_put(b, text, strlen(text) + 1);
    return at;
}

void layout_name(struct layout *l, const char *table, const char *relocations, uint64_t flags, uint64_t align) {
    Elf64_Shdr *header = &l->shdr[l->change[TABLE].section];
    header->sh_name = add_string(l, NAMES, table);
    header->sh_flags = flags;
    header->sh_addralign = align;
    l->shdr[l->change[RELOCATIONS].section].sh_name = add_string(l, NAMES, relocations);
}

void layout_add_flags(struct layout *l, const char *section, uint64_t flags) {
    for (size_t i = sm_elf_find(l->e, section, 0); i; i = sm_elf_find(l->e, section, i))
        l->shdr[i].sh_flags |= flags;
}

void layout_rename(struct layout *l, const char *from, const char *to) {
    for (size_t i = 1; i < l->e->symbols; i++) {
        sm_elf_symbol s;
        Elf64_Sym sym;
        if (sm_elf_symbol_at(l->e, i, &s) != SM_OK || strcmp(s.name, from) != 0)
            continue;
        unsigned char *at = l->change[SYMBOLS].bytes.data + i * sizeof sym;
        memcpy(&sym, at, sizeof sym);
        sym.st_name = add_string(l, STRINGS, to);
        memcpy(at, &sym, sizeof sym);
    }
}

void layout_add_symbol(struct layout *l, const char *name, unsigned bind, unsigned visibility, uint64_t at,
                       uint64_t size) {
    Elf64_Sym sym = {.st_name = add_string(l, STRINGS, name),
                     .st_info = (unsigned char)ELF64_ST_INFO(bind, STT_OBJECT),
                     .st_other = (unsigned char)visibility,
                     .st_shndx = (uint16_t)l->change[TABLE].section,
                     .st_value = at,
                     .st_size = size};
    sm_buf_put(&l->change[SYMBOLS].bytes, &sym, sizeof sym);
}

sm_status layout_add_relocation(struct layout *l, uint64_t at, uint32_t type, size_t symbol, int64_t addend) {
    Elf64_Rela r = {at, ELF64_R_INFO((uint64_t)symbol, (uint64_t)type), addend};
    return sm_buf_put(&l->change[RELOCATIONS].bytes, &r, sizeof r);
}

/* A section's bytes as the new file has them. */
static sm_slice section_bytes(const struct layout *l, size_t section) {
    for (int i = 0; i < CHANGES; i++)
        if (l->change[i].section == section && (l->change[i].bytes.len || i < NAMES))
            return (sm_slice){l->change[i].bytes.data, l->change[i].bytes.len};
    return l->e->section[section].bytes;
}

/* Writes the object with its changed sections. Fails only when out of memory or room. */
static sm_status write_file(struct layout *l) {
    Elf64_Ehdr h;
    memcpy(&h, l->e->file.data, sizeof h);
    h.e_ident[EI_OSABI] = ELFOSABI_GNU; /* whose SHF_GNU_RETAIN it is */
    h.e_shnum = (uint16_t)l->sections;
    sm_buf_put(l->out, &h, sizeof h);
    for (size_t i = 1; i < l->sections; i++) {
        sm_slice bytes = section_bytes(l, i);
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
    sm_buf_put(l->out, l->shdr, l->sections * sizeof *l->shdr);
    if (l->out->status == SM_OK)
        memcpy(l->out->data, &h, sizeof h);
    return l->out->status;
}

sm_status layout_end(struct layout *l, sm_status s) {
    for (int i = 0; i < CHANGES; i++)
        s = s == SM_OK ? l->change[i].bytes.status : s;
    if (s == SM_OK)
        s = write_file(l);
    for (int i = 0; i < CHANGES; i++)
        sm_buf_free(&l->change[i].bytes);
    free(l->symbol_of);
    free(l->shdr);
    return s;
}
