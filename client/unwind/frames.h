/* frames.h - how frames are unwound: where a caller's registers are, once a call is under way.
 *
 * The rule for a place in code comes from .eh_frame (cfi.c). A function that has no entry there has no rule: what its
 * instructions look like proves nothing, as constants in them look like others and LLVM moves prologues about.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* DWARF numbers. */
#if defined(__aarch64__)
#define SAVED_REGISTERS 31
enum { REG_FP = 29, REG_LINK = 30, REG_SP = 31, REG_MAX = 32 };
#else
#define SAVED_REGISTERS 16
enum { REG_FP = 6, REG_SP = 7, REG_LINK = 16, REG_MAX = 16 };
#endif

/* 1 if every call of C's convention preserves the register (the link register, too, is kept by who calls). */
int is_preserved(unsigned dwarf);

/* Bit N: is_preserved(N). */
#if defined(__aarch64__)
#define PRESERVED_REGISTERS 0x7ff80000u
#else
#define PRESERVED_REGISTERS 0xf048u
#endif

/* The rule at one place. CFA is the caller's stack pointer after the return. */
struct row {
    int32_t cfa_offset;
    uint32_t saves;       /* bit N: saved[N] is not 0 */
    uint8_t cfa_register; /* DWARF number */
    uint8_t known;        /* boolean; 0: this frame cannot be unwound */
    uint16_t expression_len;
    const unsigned char *expression; /* in .eh_frame: gives the CFA; NULL: the register does */
    uint8_t is_signed;               /* boolean: the return address is (AArch64, pointer authentication) */
    int16_t
        saved[SAVED_REGISTERS]; /* by DWARF number: words from the CFA where the caller's value is kept; 0: still in
                                       the register, if the call preserves it */
};

/* The value of the row's expression in a frame whose stack pointer is SP, and whose registers are kept at REG (by DWARF
 * number; NULL: not known). 0 if it has none. */
int expression_value(const unsigned char *expression, size_t len, const uintptr_t *const *reg, uintptr_t sp,
                     uintptr_t *value);

/* The functions that a section .eh_frame describes, sorted. */
struct fde {
    uintptr_t start, end;
    const unsigned char *entry; /* in the section */
    const unsigned char *code;  /* instructions; likewise */
    size_t len;
    uint32_t cie; /* index */
};

struct cie {
    uint64_t at; /* in its section */
    const unsigned char *code;
    size_t len;
    uint64_t code_align;
    int64_t data_align;
    uint8_t encoding;  /* DW_EH_PE_… of addresses */
    uint8_t augmented; /* boolean: an FDE has augmentation data */
};

struct frames {
    struct fde *fde; /* owned, like cie */
    size_t fdes, fde_cap;
    struct cie *cie;
    size_t cies, cie_cap;
    int no_memory; /* boolean: there was none for all of them */
};

/* Reads one section, which stands relocated at its address. 0 if it is damaged, or there is no memory (F says that). */
int frames_read(struct frames *f, const unsigned char *section, size_t len);
void frames_sort(struct frames *f);
void frames_free(struct frames *f);

/* Reads one entry that frames_read has found good before, and its CIE. */
void frames_entry(const unsigned char *entry, struct cie *cie, struct fde *fde);

enum { REMEMBERED = 8 };

/* A run through a function's instructions, for ascending addresses. */
struct run {
    const struct frames *frames;
    const struct fde *fde;
    const unsigned char *at, *end;
    uintptr_t location;
    struct row row, initial, remembered[REMEMBERED];
    int depth;
};

void run_begin(struct run *r, const struct frames *f, const struct fde *fde);

/* The rule in force for the instruction at ADDRESS, which is not below that of the last call. */
struct row run_to(struct run *r, uintptr_t address);

/* The rule that one entry has for the instruction at ADDRESS; unknown if it is another function's. */
struct row entry_row(const unsigned char *entry, uintptr_t address);

#endif
