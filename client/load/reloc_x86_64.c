/* reloc_x86_64.c - x86-64: System V ABI, AMD64 supplement, chapters 4.4 and (large models) 3.5. */
#include "reloc.h"

#include <elf.h>
#include <string.h>

/* Newer than some C libraries' elf.h. */
#ifndef R_X86_64_GOTPCRELX
#define R_X86_64_GOTPCRELX     41
#define R_X86_64_REX_GOTPCRELX 42
#endif

#define ROW(name, formula, bytes, range)                                                                             \
    {R_X86_64_##name, "R_X86_64_" #name, formula, FIELD_DATA, bytes, range, 8 * bytes, 0, 0}
#define THREAD(name, formula, entry, bytes)                                                                          \
    {R_X86_64_##name, "R_X86_64_" #name, formula, FIELD_DATA, bytes, RANGE_SIGNED, 8 * bytes, 0, entry}
#define REFUSED(name) {R_X86_64_##name, "R_X86_64_" #name, RELOC_REFUSED, FIELD_DATA, 0, RANGE_ANY, 0, 0, 0}

static const struct reloc rows[] = {
    ROW(NONE, RELOC_NONE, 0, RANGE_ANY),
    ROW(64, RELOC_S_A, 8, RANGE_ANY),
    ROW(PC32, RELOC_S_A_P, 4, RANGE_SIGNED),
    ROW(GOT32, RELOC_G_A_GOT, 4, RANGE_SIGNED),
    ROW(PLT32, RELOC_L_A_P, 4, RANGE_SIGNED),
    ROW(GOTPCREL, RELOC_G_A_P, 4, RANGE_SIGNED),
    ROW(32, RELOC_S_A, 4, RANGE_UNSIGNED),
    ROW(32S, RELOC_S_A, 4, RANGE_SIGNED),
    ROW(16, RELOC_S_A, 2, RANGE_EITHER),
    ROW(PC16, RELOC_S_A_P, 2, RANGE_SIGNED),
    ROW(8, RELOC_S_A, 1, RANGE_EITHER),
    ROW(PC8, RELOC_S_A_P, 1, RANGE_SIGNED),
    ROW(PC64, RELOC_S_A_P, 8, RANGE_ANY),
    ROW(GOTOFF64, RELOC_S_A_GOT, 8, RANGE_ANY),
    ROW(GOTPC32, RELOC_GOT_A_P, 4, RANGE_SIGNED),
    ROW(GOT64, RELOC_G_A_GOT, 8, RANGE_ANY),
    ROW(GOTPCREL64, RELOC_G_A_P, 8, RANGE_ANY),
    ROW(GOTPC64, RELOC_GOT_A_P, 8, RANGE_ANY),
    ROW(GOTPLT64, RELOC_G_A_GOT, 8, RANGE_ANY),
    ROW(PLTOFF64, RELOC_L_A_GOT, 8, RANGE_ANY),
    ROW(SIZE32, RELOC_Z_A, 4, RANGE_UNSIGNED),
    ROW(SIZE64, RELOC_Z_A, 8, RANGE_ANY),
    ROW(GOTPCRELX, RELOC_G_A_P, 4, RANGE_SIGNED),
    ROW(REX_GOTPCRELX, RELOC_G_A_P, 4, RANGE_SIGNED),
    THREAD(TLSGD, RELOC_G_A_P, ENTRY_PAIR, 4),
    THREAD(TLSLD, RELOC_G_A_P, ENTRY_MODULE, 4),
    THREAD(GOTTPOFF, RELOC_G_A_P, ENTRY_OFFSET, 4),
    THREAD(GOTPC32_TLSDESC, RELOC_G_A_P, ENTRY_DESCRIPTOR, 4),
    THREAD(TPOFF32, RELOC_T_A, ENTRY_ADDRESS, 4),
    THREAD(TPOFF64, RELOC_T_A, ENTRY_ADDRESS, 8),
    THREAD(DTPOFF32, RELOC_D_A, ENTRY_ADDRESS, 4),
    THREAD(DTPOFF64, RELOC_D_A, ENTRY_ADDRESS, 8),
    ROW(TLSDESC_CALL, RELOC_NONE, 0, RANGE_ANY),
    REFUSED(DTPMOD64),
    REFUSED(TLSDESC),
    REFUSED(COPY),
    REFUSED(GLOB_DAT),
    REFUSED(JUMP_SLOT),
    REFUSED(RELATIVE),
    REFUSED(IRELATIVE),
};

/* Writes the low bytes of a value, as many as the relocation has; always 1. */
static int write_value(unsigned char *at, const struct reloc *r, int64_t value) {
    memcpy(at, &value, r->bytes);
    return 1;
}

/* Writes a stub that jumps where the GOT entry says: jmpq *entry(%rip) */
static void write_stub(unsigned char *at, uintptr_t address, uintptr_t entry) {
    static const unsigned char code[8] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
    int32_t distance = (int32_t)(entry - (address + 6));
    memcpy(at, code, sizeof code);
    memcpy(at + 2, &distance, sizeof distance);
}

/* 1 if an R_X86_64_PC32 is a call's or jump's, by the opcode before it: assemblers once wrote calls so. */
static int is_branch(const struct reloc *r, const unsigned char *section, uint64_t offset) {
    enum { CALL = 0xe8, JMP = 0xe9 };
    return r->type == R_X86_64_PC32 && offset > 0 && (section[offset - 1] == CALL || section[offset - 1] == JMP);
}

const struct machine machine_x86_64 = {.row = rows,
                                       .rows = sizeof rows / sizeof *rows,
                                       .stub_bytes = 8,
                                       .branch_reach = INT32_MAX,
                                       .write = write_value,
                                       .stub = write_stub,
                                       .is_branch = is_branch};
