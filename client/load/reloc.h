/* reloc.h - the relocations of one machine: a table of rows, and how a value gets into an instruction.
 *
 * Letters as in the ABI documents: S the symbol's address, A the addend, P the place, GOT the table's address, G the
 * address of the symbol's entry in it, L the address of a stub that jumps to the symbol (or S itself if the place
 * reaches it), Z the symbol's size, Page() an address without its low 12 bits. Of a thread-local variable: T its offset from
 * the thread pointer, D its offset among its object's. G may then be another entry of it than its address's (enum entry).
 */
#ifndef RELOC_H
#define RELOC_H

#include <stddef.h>
#include <stdint.h>

enum formula {
    RELOC_REFUSED, /* known by name; the loader does not do it */
    RELOC_NONE,
    RELOC_S_A,
    RELOC_S_A_P,
    RELOC_L_A_P,
    RELOC_G_A, /* the entry's address */
    RELOC_G_A_P,
    RELOC_G_A_GOT,
    RELOC_S_A_GOT,
    RELOC_L_A_GOT,
    RELOC_GOT_A_P,
    RELOC_Z_A,
    RELOC_PAGE_S_A_P,
    RELOC_PAGE_G_A_P,
    RELOC_G_A_PAGE_GOT,
    RELOC_T_A,
    RELOC_D_A,
};

/* What a GOT entry has. */
enum entry {
    ENTRY_ADDRESS,
    ENTRY_OFFSET,     /* T: initial exec */
    ENTRY_PAIR,       /* a struct tls_index: general dynamic */
    ENTRY_DESCRIPTOR, /* a function and its argument, and behind them a struct tls_index: general dynamic */
    ENTRIES,          /* those above are a symbol's */
    ENTRY_MODULE,     /* a struct tls_index of the object's first variable: local dynamic */
};

/* How the value is written: as data of a width, or into fields of an instruction. */
enum field {
    FIELD_DATA,
    FIELD_BRANCH26,
    FIELD_BRANCH19, /* conditional branches and literal loads */
    FIELD_BRANCH14,
    FIELD_ADR,
    FIELD_ADRP,
    FIELD_ADD12,       /* 12 bits from bit `shift` on */
    FIELD_LOAD12,      /* scaled by `shift` */
    FIELD_MOVW,        /* 16 bits from bit `shift` on */
    FIELD_MOVW_SIGNED, /* likewise; MOVZ becomes MOVN for a negative value */
};

enum range { RANGE_ANY, RANGE_SIGNED, RANGE_UNSIGNED, RANGE_EITHER };

struct reloc {
    uint32_t type;
    const char *name;
    enum formula formula;
    enum field field;
    unsigned char bytes; /* written */
    enum range range;
    unsigned char bits; /* that the value must fit in */
    unsigned char shift;
    unsigned char entry; /* enum entry */
};

struct machine {
    const struct reloc *row;
    size_t rows;
    size_t stub_bytes;
    uint64_t branch_reach; /* how far a branch reaches: code up to this size needs no stubs of its own */

    /* Writes a value that is in range. 0 if it does not fit the field: not a multiple of the scale. */
    int (*write)(unsigned char *at, const struct reloc *r, int64_t value);

    /* Writes a stub that jumps to where the GOT entry points. */
    void (*stub)(unsigned char *at, uintptr_t address, uintptr_t entry);

    /* 1 if a relocation, by what stands before its place, is of a call although its type does not say so. */
    int (*is_branch)(const struct reloc *r, const unsigned char *section, uint64_t offset);
};

extern const struct machine machine_x86_64, machine_aarch64;

#endif
