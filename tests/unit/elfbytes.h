/* elfbytes.h - small ELF64 files, built section by section, symbol by symbol, for tests of their readers. */
#ifndef TEST_ELFBYTES_H
#define TEST_ELFBYTES_H

#include "buf.h"

#include <elf.h>

enum { ELFBYTES_MOST = 24 };

struct elfbytes {
    uint16_t machine, type;
    struct {
        const char *name;
        Elf64_Shdr header;
        sm_buf bytes;
    } section[ELFBYTES_MOST]; /* [0] is the null section */
    unsigned sections;
    sm_buf symbols, names; /* of .symtab and .strtab */
};

/* TYPE is ET_REL, ET_EXEC or ET_DYN. */
void elf_start(struct elfbytes *e, uint16_t machine, uint16_t type);

/* Adds a section of LEN bytes at an address; gives its index. */
unsigned elf_section(struct elfbytes *e, const char *name, uint32_t type, uint64_t flags, uint64_t address,
                     const void *bytes, size_t len);

/* The bytes of a section, to append to. */
sm_buf *elf_bytes_of(struct elfbytes *e, unsigned section);

/* Adds a symbol; gives its index. INFO is ELF64_ST_INFO(bind, type). */
uint32_t elf_symbol(struct elfbytes *e, const char *name, unsigned info, uint16_t section, uint64_t value,
                    uint64_t size);

/* Adds a relocation to the relocation section of TARGET, which is made when there is none. */
void elf_relocate(struct elfbytes *e, unsigned target, uint64_t offset, uint32_t type, uint32_t symbol,
                  int64_t addend);

/* The whole file, in a new buffer; the builder is used up. */
void elf_finish(struct elfbytes *e, sm_buf *out);

#endif
