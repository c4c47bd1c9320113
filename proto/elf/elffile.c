/* elffile.c - see elffile.h. */
#include "elffile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes why a file is refused; always SM_INVALID_OBJECT. */
__attribute__((format(printf, 3, 4))) static sm_status refuse(char *why, size_t size, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    if (why)
        vsnprintf(why, size, fmt, ap);
    va_end(ap);
    return SM_INVALID_OBJECT;
}

/* LEN bytes at OFFSET of the file; NULL if they do not lie in it. */
static const unsigned char *bytes_at(const sm_elf *e, uint64_t offset, uint64_t len) {
    return offset <= e->file.len && len <= e->file.len - offset ? e->file.data + offset : NULL;
}

/* A string of a string table; NULL unless it lies in the table. A table ends with a terminator (gABI, "String
 * Table"), so that what begins in it also ends in it. */
static const char *string_at(sm_slice table, uint64_t offset) {
    if (!table.data || offset >= table.len || table.data[table.len - 1] != 0)
        return NULL;
    return (const char *)table.data + offset;
}

/* Refuses files that are not 64-bit little-endian ELF of a kind and machine that is read. */
static sm_status check_header(const Elf64_Ehdr *h, char *why, size_t size) {
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return refuse(why, size, "This is no ELF file");
    if (h->e_ident[EI_CLASS] != ELFCLASS64)
        return refuse(why, size, "This is a 32-bit ELF file; 64-bit ones are read");
    if (h->e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(why, size, "This is a big-endian ELF file; little-endian ones are read");
    if (h->e_machine != EM_X86_64 && h->e_machine != EM_AARCH64)
        return refuse(why, size, "This ELF file is for machine %u; x86-64 (62) and AArch64 (183) are read",
                      h->e_machine);
    if (h->e_type != ET_REL && h->e_type != ET_EXEC && h->e_type != ET_DYN)
        return refuse(why, size, "This ELF file is of type %u, which has no code", h->e_type);
    if (h->e_shoff && h->e_shentsize != sizeof(Elf64_Shdr))
        return refuse(why, size, "The section headers are %u bytes each; they have to be %zu", h->e_shentsize,
                      sizeof(Elf64_Shdr));
    return SM_OK;
}

/* Section header I of a table; zeros if it lies outside the file. */
static Elf64_Shdr header_at(const sm_elf *e, uint64_t table, uint64_t i) {
    Elf64_Shdr h = {0};
    const unsigned char *p = bytes_at(e, table + i * sizeof h, sizeof h);
    if (p)
        memcpy(&h, p, sizeof h);
    return h;
}

/* Reads the section headers. With more than 0xff00 sections their number, and the index of their names, stand in
 * the null section (gABI, "ELF Header"). */
static sm_status read_sections(sm_elf *e, const Elf64_Ehdr *h, char *why, size_t size) {
    Elf64_Shdr null = header_at(e, h->e_shoff, 0);
    uint64_t count = h->e_shnum ? h->e_shnum : null.sh_size,
             names = h->e_shstrndx == SHN_XINDEX ? null.sh_link : h->e_shstrndx;
    if (!h->e_shoff)
        return SM_OK;
    if (count == 0 || count > e->file.len / sizeof(Elf64_Shdr) ||
        !bytes_at(e, h->e_shoff, count * sizeof(Elf64_Shdr)))
        return refuse(why, size, "The section headers lie outside the file");
    e->section = calloc(count, sizeof *e->section);
    if (!e->section)
        return SM_NOMEM;
    e->sections = (size_t)count;
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        Elf64_Shdr s = header_at(e, h->e_shoff, i);
        sm_elf_section *to = &e->section[i];
        *to = (sm_elf_section){.name = "",
                               .type = s.sh_type,
                               .flags = s.sh_flags,
                               .address = s.sh_addr,
                               .size = s.sh_size,
                               .align = s.sh_addralign,
                               .entsize = s.sh_entsize,
                               .link = s.sh_link,
                               .info = s.sh_info};
        if (i == 0 || s.sh_type == SHT_NOBITS || s.sh_type == SHT_NULL)
            continue;
        const unsigned char *p = bytes_at(e, s.sh_offset, s.sh_size);
        if (!p)
            return refuse(why, size, "Section %zu lies outside the file", i);
        to->bytes = (sm_slice){p, (size_t)s.sh_size};
        all += s.sh_size;
        if (all > e->file.len) /* gABI, "Sections": no byte resides in more than one */
            return refuse(why, size, "The sections overlap");
    }
    for (size_t i = 1; i < count; i++) {
        const char *name =
            names < count ? string_at(e->section[names].bytes, header_at(e, h->e_shoff, i).sh_name) : NULL;
        if (!name)
            return refuse(why, size, "The name of section %zu lies outside its table", i);
        e->section[i].name = name;
    }
    return SM_OK;
}

/* The first section of a type; 0 if there is none. */
static size_t find_type(const sm_elf *e, uint32_t type) {
    for (size_t i = 1; i < e->sections; i++)
        if (e->section[i].type == type)
            return i;
    return 0;
}

sm_status sm_elf_open(sm_elf *e, const void *bytes, size_t len, char *why, size_t why_size) {
    Elf64_Ehdr h;
    memset(e, 0, sizeof *e);
    e->file = (sm_slice){bytes, len};
    if (len < sizeof h)
        return refuse(why, why_size, "%zu bytes are too few for an ELF file", len);
    memcpy(&h, bytes, sizeof h);
    sm_status s = check_header(&h, why, why_size);
    e->machine = h.e_machine;
    e->type = h.e_type;
    if (s == SM_OK)
        s = read_sections(e, &h, why, why_size);
    if (s != SM_OK) {
        sm_elf_close(e);
        return s;
    }
    e->symtab = find_type(e, SHT_SYMTAB);
    if (!e->symtab)
        e->symtab = find_type(e, SHT_DYNSYM);
    e->symbols = e->symtab ? e->section[e->symtab].bytes.len / sizeof(Elf64_Sym) : 0;
    e->extended = find_type(e, SHT_SYMTAB_SHNDX);
    return SM_OK;
}

void sm_elf_close(sm_elf *e) {
    free(e->section);
    e->section = NULL;
    e->sections = e->symbols = 0;
}

size_t sm_elf_find(const sm_elf *e, const char *name, size_t after) {
    for (size_t i = after + 1; i < e->sections; i++)
        if (strcmp(e->section[i].name, name) == 0)
            return i;
    return 0;
}

/* The section index of a symbol that has SHN_XINDEX: in the table beside the symbols (gABI, SHT_SYMTAB_SHNDX). */
static uint32_t extended_index(const sm_elf *e, size_t symbol) {
    uint32_t index = SHN_UNDEF;
    if (e->extended && symbol < e->section[e->extended].bytes.len / sizeof index)
        memcpy(&index, e->section[e->extended].bytes.data + symbol * sizeof index, sizeof index);
    return index;
}

sm_status sm_elf_symbol_in(const sm_elf *e, size_t symtab, size_t i, sm_elf_symbol *out) {
    Elf64_Sym s;
    const sm_elf_section *table = symtab < e->sections ? &e->section[symtab] : NULL;
    if (!table || (table->type != SHT_SYMTAB && table->type != SHT_DYNSYM) || i >= table->bytes.len / sizeof s)
        return SM_INVALID_OBJECT;
    memcpy(&s, table->bytes.data + i * sizeof s, sizeof s);
    const char *name = table->link < e->sections ? string_at(e->section[table->link].bytes, s.st_name) : NULL;
    uint32_t section = s.st_shndx == SHN_XINDEX ? extended_index(e, i) : s.st_shndx;
    int special = s.st_shndx >= SHN_LORESERVE && s.st_shndx != SHN_XINDEX;
    if (!name || (!special && section != SHN_UNDEF && section >= e->sections))
        return SM_INVALID_OBJECT;
    *out = (sm_elf_symbol){.name = name,
                           .bind = ELF64_ST_BIND(s.st_info),
                           .type = ELF64_ST_TYPE(s.st_info),
                           .visibility = ELF64_ST_VISIBILITY(s.st_other),
                           .in_section = !special && section != SHN_UNDEF,
                           .section = section,
                           .value = s.st_value,
                           .size = s.st_size};
    if (out->type == STT_SECTION && out->in_section)
        out->name = e->section[section].name;
    return SM_OK;
}

sm_status sm_elf_symbol_at(const sm_elf *e, size_t i, sm_elf_symbol *out) {
    return sm_elf_symbol_in(e, e->symtab, i, out);
}

size_t sm_elf_relocs_of(const sm_elf *e, size_t target, size_t after) {
    for (size_t i = after + 1; i < e->sections; i++)
        if (e->section[i].type == SHT_RELA && e->section[i].info == target)
            return i;
    return 0;
}

size_t sm_elf_reloc_count(const sm_elf *e, size_t section) {
    return e->section[section].bytes.len / sizeof(Elf64_Rela);
}

/* Reads relocation I of a section; SM_INVALID_OBJECT if there is none. */
sm_status sm_elf_reloc_at(const sm_elf *e, size_t section, size_t i, sm_elf_reloc *out) {
    Elf64_Rela r;
    if (i >= sm_elf_reloc_count(e, section))
        return SM_INVALID_OBJECT;
    memcpy(&r, e->section[section].bytes.data + i * sizeof r, sizeof r);
    *out = (sm_elf_reloc){
        .offset = r.r_offset, .type = ELF64_R_TYPE(r.r_info), .symbol = ELF64_R_SYM(r.r_info), .addend = r.r_addend};
    return SM_OK;
}
