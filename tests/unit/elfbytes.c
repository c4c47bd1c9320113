/* elfbytes.c - see elfbytes.h. */
#include "elfbytes.h"

#include <criterion/criterion.h>
#include <string.h>

enum { LIMIT = 1 << 20 };

void elf_start(struct elfbytes *e, uint16_t machine, uint16_t type) {
    memset(e, 0, sizeof *e);
    e->machine = machine;
    e->type = type;
    sm_buf_init(&e->symbols, LIMIT);
    sm_buf_init(&e->names, LIMIT);
    sm_buf_init(&e->section[0].bytes, 0);
    e->section[0].name = "";
    e->sections = 1;
    sm_buf_put_u8(&e->names, 0);
    memset(sm_buf_extend(&e->symbols, sizeof(Elf64_Sym)), 0, sizeof(Elf64_Sym));
}

unsigned elf_section(struct elfbytes *e, const char *name, uint32_t type, uint64_t flags, uint64_t address,
                     const void *bytes, size_t len) {
    cr_assert_lt(e->sections, ELFBYTES_MOST);
    unsigned i = e->sections++;
    e->section[i].name = name;
    e->section[i].header =
        (Elf64_Shdr){.sh_type = type, .sh_flags = flags, .sh_addr = address, .sh_size = len, .sh_addralign = 8};
    sm_buf_init(&e->section[i].bytes, LIMIT);
    if (bytes)
        sm_buf_put(&e->section[i].bytes, bytes, len);
    return i;
}

sm_buf *elf_bytes_of(struct elfbytes *e, unsigned section) {
    return &e->section[section].bytes;
}

uint32_t elf_symbol(struct elfbytes *e, const char *name, unsigned info, uint16_t section, uint64_t value,
                    uint64_t size) {
    Elf64_Sym s = {.st_name = (uint32_t)e->names.len,
                   .st_info = (unsigned char)info,
                   .st_shndx = section,
                   .st_value = value,
                   .st_size = size};
    sm_buf_put(&e->names, name, strlen(name) + 1);
    sm_buf_put(&e->symbols, &s, sizeof s);
    return (uint32_t)(e->symbols.len / sizeof s - 1);
}

static unsigned relocations_of(struct elfbytes *e, unsigned target) {
    for (unsigned i = 1; i < e->sections; i++)
        if (e->section[i].header.sh_type == SHT_RELA && e->section[i].header.sh_info == target)
            return i;
    unsigned i = elf_section(e, ".rela", SHT_RELA, 0, 0, NULL, 0);
    e->section[i].header.sh_info = target;
    return i;
}

void elf_relocate(struct elfbytes *e, unsigned target, uint64_t offset, uint32_t type, uint32_t symbol,
                  int64_t addend) {
    Elf64_Rela r = {.r_offset = offset, .r_info = ELF64_R_INFO((uint64_t)symbol, type), .r_addend = addend};
    sm_buf_put(&e->section[relocations_of(e, target)].bytes, &r, sizeof r);
}

static void link_tables(struct elfbytes *e) {
    unsigned strings = elf_section(e, ".strtab", SHT_STRTAB, 0, 0, e->names.data, e->names.len);
    unsigned symbols = elf_section(e, ".symtab", SHT_SYMTAB, 0, 0, e->symbols.data, e->symbols.len);
    e->section[symbols].header.sh_link = strings;
    for (unsigned i = 1; i < e->sections; i++)
        if (e->section[i].header.sh_type == SHT_RELA)
            e->section[i].header.sh_link = symbols;
}

static unsigned name_sections(struct elfbytes *e) {
    unsigned table = elf_section(e, ".shstrtab", SHT_STRTAB, 0, 0, NULL, 0);
    for (unsigned i = 0; i < e->sections; i++) {
        e->section[i].header.sh_name = (uint32_t)e->section[table].bytes.len;
        sm_buf_put(&e->section[table].bytes, e->section[i].name, strlen(e->section[i].name) + 1);
    }
    return table;
}

void elf_finish(struct elfbytes *e, sm_buf *out) {
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = e->type,
                    .e_machine = e->machine,
                    .e_version = EV_CURRENT,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr)};
    link_tables(e);
    h.e_shstrndx = (uint16_t)name_sections(e);
    h.e_shnum = (uint16_t)e->sections;
    sm_buf_init(out, LIMIT);
    sm_buf_put(out, &h, sizeof h);
    for (unsigned i = 1; i < e->sections; i++) {
        sm_buf_align(out, 8);
        e->section[i].header.sh_offset = out->len;
        if (e->section[i].header.sh_type != SHT_NOBITS)
            e->section[i].header.sh_size = e->section[i].bytes.len;
        sm_buf_put(out, e->section[i].bytes.data, e->section[i].bytes.len);
    }
    sm_buf_align(out, 8);
    h.e_shoff = out->len;
    for (unsigned i = 0; i < e->sections; i++) {
        sm_buf_put(out, &e->section[i].header, sizeof e->section[i].header);
        sm_buf_free(&e->section[i].bytes);
    }
    memcpy(out->data, &h, sizeof h);
    sm_buf_free(&e->symbols);
    sm_buf_free(&e->names);
    cr_assert_eq(out->status, SM_OK);
}
