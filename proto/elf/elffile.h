/* elffile.h - a bounds-checked reader of little-endian ELF64 files for x86-64 and AArch64 (System V gABI, chapters 4
 * and 5).
 *
 * Nothing is copied or allocated but the section table: every slice and name points into the file's bytes, which the
 * caller keeps. Relocatable, executable and shared objects are read. Thread-safe on separate sm_elf objects.
 */
#ifndef SM_ELFFILE_H
#define SM_ELFFILE_H

#include "artifact.h" /* sm_slice */
#include "buf.h"

#include <elf.h>

typedef struct sm_elf_section {
    const char *name; /* borrowed from the file, terminated */
    uint32_t type;    /* SHT_… */
    uint64_t flags, address, size, align, entsize;
    uint32_t link, info;
    sm_slice bytes; /* {NULL, 0} for SHT_NOBITS */
} sm_elf_section;

typedef struct sm_elf {
    sm_slice file;
    uint16_t machine;        /* EM_X86_64 or EM_AARCH64 */
    uint16_t type;           /* ET_REL, ET_EXEC or ET_DYN */
    sm_elf_section *section; /* owned; [0] is the null section */
    size_t sections;
    size_t symtab; /* index of .symtab (or .dynsym if there is none); 0 if neither */
    size_t symbols;
    size_t extended; /* index of SHT_SYMTAB_SHNDX; 0 if there is none */
} sm_elf;

typedef struct sm_elf_symbol {
    const char *name; /* borrowed, terminated; a section symbol has its section's name */
    uint8_t bind, type, visibility;
    uint8_t in_section; /* 1 if `section` is the index of one; more than 0xff00 sections reach into SHN_ABS */
    uint32_t section;   /* index, SHN_UNDEF, or SHN_ABS/SHN_COMMON; SHN_XINDEX is resolved */
    uint64_t value, size;
} sm_elf_symbol;

typedef struct sm_elf_reloc {
    uint64_t offset; /* in the section it applies to */
    uint32_t type, symbol;
    int64_t addend;
} sm_elf_reloc;

/* Reads headers. SM_INVALID_OBJECT, with a sentence in WHY (which may be NULL), for anything that is not such a file.
 */
sm_status sm_elf_open(sm_elf *e, const void *bytes, size_t len, char *why, size_t why_size);
void sm_elf_close(sm_elf *e);

/* The index of the first section of this name after AFTER; 0 if there is none. */
size_t sm_elf_find(const sm_elf *e, const char *name, size_t after);

/* Symbol number I of e->symtab. SM_INVALID_OBJECT if it is not there or damaged. */
sm_status sm_elf_symbol_at(const sm_elf *e, size_t i, sm_elf_symbol *out);

/* The same of another symbol table, as relocations of a linked file name theirs (sh_link). */
sm_status sm_elf_symbol_in(const sm_elf *e, size_t symtab, size_t i, sm_elf_symbol *out);

/* The next SHT_RELA section that applies to section TARGET, after AFTER; 0 if none. */
size_t sm_elf_relocs_of(const sm_elf *e, size_t target, size_t after);

/* The number of entries of an SHT_RELA section, and entry I of it. */
size_t sm_elf_reloc_count(const sm_elf *e, size_t section);
sm_status sm_elf_reloc_at(const sm_elf *e, size_t section, size_t i, sm_elf_reloc *out);

#endif
