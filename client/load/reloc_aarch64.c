/* reloc_aarch64.c - AArch64: ELF for the Arm 64-bit Architecture, chapter 5.7. */
#include "reloc.h"

#include <elf.h>
#include <string.h>

/* Newer than some C libraries' elf.h. */
#ifndef R_AARCH64_PLT32
#define R_AARCH64_PLT32 314
#endif
#ifndef R_AARCH64_GOTPCREL32
#define R_AARCH64_GOTPCREL32 315
#endif

#define DATA(name, formula, bytes, range)                                                                            \
    {R_AARCH64_##name, "R_AARCH64_" #name, formula, FIELD_DATA, bytes, range, 8 * (bytes), 0, 0}
#define CODE(name, formula, field, range, bits, shift)                                                               \
    {R_AARCH64_##name, "R_AARCH64_" #name, formula, field, 4, range, bits, shift, 0}
#define THREAD(name, formula, entry, field, range, bits, shift)                                                      \
    {R_AARCH64_##name, "R_AARCH64_" #name, formula, field, 4, range, bits, shift, entry}
#define REFUSED(name) {R_AARCH64_##name, "R_AARCH64_" #name, RELOC_REFUSED, FIELD_DATA, 0, RANGE_ANY, 0, 0, 0}

static const struct reloc rows[] = {
    DATA(NONE, RELOC_NONE, 0, RANGE_ANY),
    DATA(ABS64, RELOC_S_A, 8, RANGE_ANY),
    DATA(ABS32, RELOC_S_A, 4, RANGE_EITHER),
    DATA(ABS16, RELOC_S_A, 2, RANGE_EITHER),
    DATA(PREL64, RELOC_S_A_P, 8, RANGE_ANY),
    DATA(PREL32, RELOC_S_A_P, 4, RANGE_EITHER),
    DATA(PREL16, RELOC_S_A_P, 2, RANGE_EITHER),
    DATA(PLT32, RELOC_L_A_P, 4, RANGE_SIGNED),
    DATA(GOTPCREL32, RELOC_G_A_P, 4, RANGE_SIGNED),
    DATA(GOTREL64, RELOC_S_A_GOT, 8, RANGE_ANY),
    DATA(GOTREL32, RELOC_S_A_GOT, 4, RANGE_SIGNED),
    CODE(CALL26, RELOC_L_A_P, FIELD_BRANCH26, RANGE_SIGNED, 28, 0),
    CODE(JUMP26, RELOC_L_A_P, FIELD_BRANCH26, RANGE_SIGNED, 28, 0),
    CODE(CONDBR19, RELOC_S_A_P, FIELD_BRANCH19, RANGE_SIGNED, 21, 0),
    CODE(TSTBR14, RELOC_S_A_P, FIELD_BRANCH14, RANGE_SIGNED, 16, 0),
    CODE(LD_PREL_LO19, RELOC_S_A_P, FIELD_BRANCH19, RANGE_SIGNED, 21, 0),
    CODE(ADR_PREL_LO21, RELOC_S_A_P, FIELD_ADR, RANGE_SIGNED, 21, 0),
    CODE(ADR_PREL_PG_HI21, RELOC_PAGE_S_A_P, FIELD_ADRP, RANGE_SIGNED, 33, 0),
    CODE(ADR_PREL_PG_HI21_NC, RELOC_PAGE_S_A_P, FIELD_ADRP, RANGE_ANY, 33, 0),
    CODE(ADD_ABS_LO12_NC, RELOC_S_A, FIELD_ADD12, RANGE_ANY, 0, 0),
    CODE(LDST8_ABS_LO12_NC, RELOC_S_A, FIELD_LOAD12, RANGE_ANY, 0, 0),
    CODE(LDST16_ABS_LO12_NC, RELOC_S_A, FIELD_LOAD12, RANGE_ANY, 0, 1),
    CODE(LDST32_ABS_LO12_NC, RELOC_S_A, FIELD_LOAD12, RANGE_ANY, 0, 2),
    CODE(LDST64_ABS_LO12_NC, RELOC_S_A, FIELD_LOAD12, RANGE_ANY, 0, 3),
    CODE(LDST128_ABS_LO12_NC, RELOC_S_A, FIELD_LOAD12, RANGE_ANY, 0, 4),
    CODE(ADR_GOT_PAGE, RELOC_PAGE_G_A_P, FIELD_ADRP, RANGE_SIGNED, 33, 0),
    CODE(LD64_GOT_LO12_NC, RELOC_G_A, FIELD_LOAD12, RANGE_ANY, 0, 3),
    CODE(LD64_GOTPAGE_LO15, RELOC_G_A_PAGE_GOT, FIELD_LOAD12, RANGE_UNSIGNED, 15, 3),
    CODE(LD64_GOTOFF_LO15, RELOC_G_A_GOT, FIELD_LOAD12, RANGE_UNSIGNED, 15, 3),
    CODE(GOT_LD_PREL19, RELOC_G_A_P, FIELD_BRANCH19, RANGE_SIGNED, 21, 0),
    CODE(MOVW_UABS_G0, RELOC_S_A, FIELD_MOVW, RANGE_UNSIGNED, 16, 0),
    CODE(MOVW_UABS_G0_NC, RELOC_S_A, FIELD_MOVW, RANGE_ANY, 0, 0),
    CODE(MOVW_UABS_G1, RELOC_S_A, FIELD_MOVW, RANGE_UNSIGNED, 32, 16),
    CODE(MOVW_UABS_G1_NC, RELOC_S_A, FIELD_MOVW, RANGE_ANY, 0, 16),
    CODE(MOVW_UABS_G2, RELOC_S_A, FIELD_MOVW, RANGE_UNSIGNED, 48, 32),
    CODE(MOVW_UABS_G2_NC, RELOC_S_A, FIELD_MOVW, RANGE_ANY, 0, 32),
    CODE(MOVW_UABS_G3, RELOC_S_A, FIELD_MOVW, RANGE_ANY, 0, 48),
    CODE(MOVW_SABS_G0, RELOC_S_A, FIELD_MOVW_SIGNED, RANGE_SIGNED, 17, 0),
    CODE(MOVW_SABS_G1, RELOC_S_A, FIELD_MOVW_SIGNED, RANGE_SIGNED, 33, 16),
    CODE(MOVW_SABS_G2, RELOC_S_A, FIELD_MOVW_SIGNED, RANGE_SIGNED, 49, 32),
    CODE(MOVW_PREL_G0, RELOC_S_A_P, FIELD_MOVW_SIGNED, RANGE_SIGNED, 17, 0),
    CODE(MOVW_PREL_G0_NC, RELOC_S_A_P, FIELD_MOVW, RANGE_ANY, 0, 0),
    CODE(MOVW_PREL_G1, RELOC_S_A_P, FIELD_MOVW_SIGNED, RANGE_SIGNED, 33, 16),
    CODE(MOVW_PREL_G1_NC, RELOC_S_A_P, FIELD_MOVW, RANGE_ANY, 0, 16),
    CODE(MOVW_PREL_G2, RELOC_S_A_P, FIELD_MOVW_SIGNED, RANGE_SIGNED, 49, 32),
    CODE(MOVW_PREL_G2_NC, RELOC_S_A_P, FIELD_MOVW, RANGE_ANY, 0, 32),
    CODE(MOVW_PREL_G3, RELOC_S_A_P, FIELD_MOVW, RANGE_ANY, 0, 48),
    THREAD(TLSGD_ADR_PREL21, RELOC_G_A_P, ENTRY_PAIR, FIELD_ADR, RANGE_SIGNED, 21, 0),
    THREAD(TLSGD_ADR_PAGE21, RELOC_PAGE_G_A_P, ENTRY_PAIR, FIELD_ADRP, RANGE_SIGNED, 33, 0),
    THREAD(TLSGD_ADD_LO12_NC, RELOC_G_A, ENTRY_PAIR, FIELD_ADD12, RANGE_ANY, 0, 0),
    THREAD(TLSLD_ADR_PREL21, RELOC_G_A_P, ENTRY_MODULE, FIELD_ADR, RANGE_SIGNED, 21, 0),
    THREAD(TLSLD_ADR_PAGE21, RELOC_PAGE_G_A_P, ENTRY_MODULE, FIELD_ADRP, RANGE_SIGNED, 33, 0),
    THREAD(TLSLD_ADD_LO12_NC, RELOC_G_A, ENTRY_MODULE, FIELD_ADD12, RANGE_ANY, 0, 0),
    THREAD(TLSIE_ADR_GOTTPREL_PAGE21, RELOC_PAGE_G_A_P, ENTRY_OFFSET, FIELD_ADRP, RANGE_SIGNED, 33, 0),
    THREAD(TLSIE_LD64_GOTTPREL_LO12_NC, RELOC_G_A, ENTRY_OFFSET, FIELD_LOAD12, RANGE_ANY, 0, 3),
    THREAD(TLSIE_LD_GOTTPREL_PREL19, RELOC_G_A_P, ENTRY_OFFSET, FIELD_BRANCH19, RANGE_SIGNED, 21, 0),
    THREAD(TLSDESC_LD_PREL19, RELOC_G_A_P, ENTRY_DESCRIPTOR, FIELD_BRANCH19, RANGE_SIGNED, 21, 0),
    THREAD(TLSDESC_ADR_PREL21, RELOC_G_A_P, ENTRY_DESCRIPTOR, FIELD_ADR, RANGE_SIGNED, 21, 0),
    THREAD(TLSDESC_ADR_PAGE21, RELOC_PAGE_G_A_P, ENTRY_DESCRIPTOR, FIELD_ADRP, RANGE_SIGNED, 33, 0),
    THREAD(TLSDESC_LD64_LO12, RELOC_G_A, ENTRY_DESCRIPTOR, FIELD_LOAD12, RANGE_ANY, 0, 3),
    THREAD(TLSDESC_ADD_LO12, RELOC_G_A, ENTRY_DESCRIPTOR, FIELD_ADD12, RANGE_ANY, 0, 0),
    CODE(TLSDESC_CALL, RELOC_NONE, FIELD_DATA, RANGE_ANY, 0, 0),
    THREAD(TLSLE_MOVW_TPREL_G2, RELOC_T_A, ENTRY_ADDRESS, FIELD_MOVW_SIGNED, RANGE_SIGNED, 49, 32),
    THREAD(TLSLE_MOVW_TPREL_G1, RELOC_T_A, ENTRY_ADDRESS, FIELD_MOVW_SIGNED, RANGE_SIGNED, 33, 16),
    THREAD(TLSLE_MOVW_TPREL_G1_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_MOVW, RANGE_ANY, 0, 16),
    THREAD(TLSLE_MOVW_TPREL_G0, RELOC_T_A, ENTRY_ADDRESS, FIELD_MOVW_SIGNED, RANGE_SIGNED, 17, 0),
    THREAD(TLSLE_MOVW_TPREL_G0_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_MOVW, RANGE_ANY, 0, 0),
    THREAD(TLSLE_ADD_TPREL_HI12, RELOC_T_A, ENTRY_ADDRESS, FIELD_ADD12, RANGE_UNSIGNED, 24, 12),
    THREAD(TLSLE_ADD_TPREL_LO12, RELOC_T_A, ENTRY_ADDRESS, FIELD_ADD12, RANGE_UNSIGNED, 12, 0),
    THREAD(TLSLE_ADD_TPREL_LO12_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_ADD12, RANGE_ANY, 0, 0),
    THREAD(TLSLE_LDST8_TPREL_LO12, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 0),
    THREAD(TLSLE_LDST8_TPREL_LO12_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 0),
    THREAD(TLSLE_LDST16_TPREL_LO12, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 1),
    THREAD(TLSLE_LDST16_TPREL_LO12_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 1),
    THREAD(TLSLE_LDST32_TPREL_LO12, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 2),
    THREAD(TLSLE_LDST32_TPREL_LO12_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 2),
    THREAD(TLSLE_LDST64_TPREL_LO12, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 3),
    THREAD(TLSLE_LDST64_TPREL_LO12_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 3),
    THREAD(TLSLE_LDST128_TPREL_LO12, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 4),
    THREAD(TLSLE_LDST128_TPREL_LO12_NC, RELOC_T_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 4),
    THREAD(TLSLD_MOVW_DTPREL_G2, RELOC_D_A, ENTRY_ADDRESS, FIELD_MOVW_SIGNED, RANGE_SIGNED, 49, 32),
    THREAD(TLSLD_MOVW_DTPREL_G1, RELOC_D_A, ENTRY_ADDRESS, FIELD_MOVW_SIGNED, RANGE_SIGNED, 33, 16),
    THREAD(TLSLD_MOVW_DTPREL_G1_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_MOVW, RANGE_ANY, 0, 16),
    THREAD(TLSLD_MOVW_DTPREL_G0, RELOC_D_A, ENTRY_ADDRESS, FIELD_MOVW_SIGNED, RANGE_SIGNED, 17, 0),
    THREAD(TLSLD_MOVW_DTPREL_G0_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_MOVW, RANGE_ANY, 0, 0),
    THREAD(TLSLD_ADD_DTPREL_HI12, RELOC_D_A, ENTRY_ADDRESS, FIELD_ADD12, RANGE_UNSIGNED, 24, 12),
    THREAD(TLSLD_ADD_DTPREL_LO12, RELOC_D_A, ENTRY_ADDRESS, FIELD_ADD12, RANGE_UNSIGNED, 12, 0),
    THREAD(TLSLD_ADD_DTPREL_LO12_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_ADD12, RANGE_ANY, 0, 0),
    THREAD(TLSLD_LDST8_DTPREL_LO12, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 0),
    THREAD(TLSLD_LDST8_DTPREL_LO12_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 0),
    THREAD(TLSLD_LDST16_DTPREL_LO12, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 1),
    THREAD(TLSLD_LDST16_DTPREL_LO12_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 1),
    THREAD(TLSLD_LDST32_DTPREL_LO12, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 2),
    THREAD(TLSLD_LDST32_DTPREL_LO12_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 2),
    THREAD(TLSLD_LDST64_DTPREL_LO12, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 3),
    THREAD(TLSLD_LDST64_DTPREL_LO12_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 3),
    THREAD(TLSLD_LDST128_DTPREL_LO12, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_UNSIGNED, 12, 4),
    THREAD(TLSLD_LDST128_DTPREL_LO12_NC, RELOC_D_A, ENTRY_ADDRESS, FIELD_LOAD12, RANGE_ANY, 0, 4),
    REFUSED(COPY),
    REFUSED(GLOB_DAT),
    REFUSED(JUMP_SLOT),
    REFUSED(RELATIVE),
    REFUSED(IRELATIVE),
};

/* Replaces COUNT bits of an instruction, from bit LOW on; gives the result. */
static uint32_t insert(uint32_t instruction, unsigned low, unsigned count, uint64_t bits) {
    uint32_t mask = ((1u << count) - 1) << low;
    return (instruction & ~mask) | ((uint32_t)(bits << low) & mask);
}

/* Puts a 21-bit value into the split immediate of ADR or ADRP. */
static uint32_t insert_adr(uint32_t instruction, uint64_t value) {
    return insert(insert(instruction, 29, 2, value), 5, 19, value >> 2);
}

/* Makes the instruction MOVZ with the value, or MOVN with a negative one's complement: bit 30 tells them apart. */
static uint32_t insert_signed_move(uint32_t instruction, int64_t value, unsigned shift) {
    uint64_t bits = (uint64_t)(value < 0 ? ~value : value) >> shift;
    return insert(insert(instruction, 30, 1, value >= 0), 5, 16, bits);
}

/* Writes a value into the field of the instruction at AT. 0 if it is not a multiple of the field's scale. */
static int write_instruction(unsigned char *at, const struct reloc *r, int64_t value) {
    uint64_t v = (uint64_t)value, low = v & 0xfff;
    uint32_t i;
    int fits = 1;
    memcpy(&i, at, sizeof i);
    switch (r->field) {
    case FIELD_BRANCH26:
        fits = v % 4 == 0;
        i = insert(i, 0, 26, v >> 2);
        break;
    case FIELD_BRANCH19:
        fits = v % 4 == 0;
        i = insert(i, 5, 19, v >> 2);
        break;
    case FIELD_BRANCH14:
        fits = v % 4 == 0;
        i = insert(i, 5, 14, v >> 2);
        break;
    case FIELD_ADR:
        i = insert_adr(i, v);
        break;
    case FIELD_ADRP:
        i = insert_adr(i, v >> 12);
        break;
    case FIELD_ADD12:
        i = insert(i, 10, 12, v >> r->shift);
        break;
    case FIELD_LOAD12:
        low = r->bits ? v : low;
        fits = (low & ((1u << r->shift) - 1)) == 0;
        i = insert(i, 10, 12, low >> r->shift);
        break;
    case FIELD_MOVW:
        i = insert(i, 5, 16, v >> r->shift);
        break;
    case FIELD_MOVW_SIGNED:
        i = insert_signed_move(i, value, r->shift);
        break;
    case FIELD_DATA:
        break;
    }
    memcpy(at, &i, sizeof i);
    return fits;
}

/* Writes a value in range, as data or into an instruction's field. 0 if it does not fit the field. */
static int write_value(unsigned char *at, const struct reloc *r, int64_t value) {
    if (r->field != FIELD_DATA)
        return write_instruction(at, r, value);
    memcpy(at, &value, r->bytes);
    return 1;
}

/* Writes a stub that jumps where the GOT entry says: adrp x16, entry; ldr x16, [x16, lo12(entry)]; br x16. x16 is
 * what linkers' veneers may change. */
static void write_stub(unsigned char *at, uintptr_t address, uintptr_t entry) {
    int64_t pages = (int64_t)((entry & ~(uintptr_t)0xfff) - (address & ~(uintptr_t)0xfff));
    uint32_t code[4] = {insert_adr(0x90000010, (uint64_t)pages >> 12),
                        insert(0xf9400210, 10, 12, (entry & 0xfff) >> 3), 0xd61f0200, 0xd4200000};
    memcpy(at, code, sizeof code);
}

/* 0: on AArch64 a relocation's type alone says whether it is a branch's. */
static int is_branch(const struct reloc *r, const unsigned char *section, uint64_t offset) {
    (void)r, (void)section, (void)offset;
    return 0;
}

const struct machine machine_aarch64 = {.row = rows,
                                        .rows = sizeof rows / sizeof *rows,
                                        .stub_bytes = 16,
                                        .branch_reach = (uint64_t)1 << 26, /* stubs and code together */
                                        .write = write_value,
                                        .stub = write_stub,
                                        .is_branch = is_branch};
