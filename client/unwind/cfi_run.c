/* cfi_run.c - call frame instructions, executed: which rule is in force where (DWARF 5, section 6.4.2). */
#include "buf.h"
#include "frames.h"

#include <string.h>

enum {
    CFA_advance_loc = 0x40,
    CFA_offset = 0x80,
    CFA_restore = 0xc0,
    CFA_nop = 0,
    CFA_set_loc,
    CFA_advance_loc1,
    CFA_advance_loc2,
    CFA_advance_loc4,
    CFA_offset_extended,
    CFA_restore_extended,
    CFA_undefined,
    CFA_same_value,
    CFA_register,
    CFA_remember_state,
    CFA_restore_state,
    CFA_def_cfa,
    CFA_def_cfa_register,
    CFA_def_cfa_offset,
    CFA_def_cfa_expression,
    CFA_expression,
    CFA_offset_extended_sf,
    CFA_def_cfa_sf,
    CFA_def_cfa_offset_sf,
    CFA_val_offset,
    CFA_val_offset_sf,
    CFA_val_expression,
    CFA_AARCH64_negate_ra_state = 0x2d,
    CFA_GNU_args_size = 0x2e,
};

static uint64_t uleb(struct run *r) {
    uint64_t v = 0;
    unsigned shift = 0, byte = 0x80;
    while (byte & 0x80 && r->at < r->end) {
        byte = *r->at++;
        if (shift < 64)
            v |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    return v;
}

static int64_t sleb(struct run *r) {
    const unsigned char *start = r->at;
    uint64_t v = uleb(r);
    size_t bits = 7 * (size_t)(r->at - start);
    if (bits && bits < 64 && r->at[-1] & 0x40)
        v |= ~(uint64_t)0 << bits;
    return (int64_t)v;
}

/* Reads a number of so many bytes; 0, at the end, if there are fewer. */
static uint64_t fixed(struct run *r, size_t bytes) {
    uint64_t v = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->at = r->end;
        return 0;
    }
    memcpy(&v, r->at, bytes);
    r->at += bytes;
    return v;
}

static const struct cie *cie_of(const struct run *r) {
    return &r->frames->cie[r->fde->cie];
}

static void put_saved(struct run *r, uint64_t reg, int16_t words) {
    uint32_t bit = (uint32_t)1 << reg;
    r->row.saved[reg] = words;
    r->row.saves = words ? r->row.saves | bit : r->row.saves & ~bit;
}

/* Records that a register is saved at OFFSET from the CFA. Registers beyond the general ones do not matter. */
static void set_saved(struct run *r, uint64_t reg, int64_t offset) {
    if (reg >= SAVED_REGISTERS)
        return;
    if (offset % 8 != 0 || offset / 8 < INT16_MIN || offset / 8 > INT16_MAX)
        r->row.known = 0;
    put_saved(r, reg, (int16_t)(offset / 8));
}

/* Gives a register back the rule that the CIE has for it. */
static void restore(struct run *r, uint64_t reg) {
    if (reg < SAVED_REGISTERS)
        put_saved(r, reg, r->initial.saved[reg]);
}

/* Sets the register that the CFA is computed from. */
static void set_cfa_register(struct run *r, uint64_t reg) {
    r->row.cfa_register = (uint8_t)reg;
    r->row.expression = NULL;
    if (reg >= REG_MAX)
        r->row.known = 0;
}

/* Sets the CFA's distance from its register. */
static void set_cfa_offset(struct run *r, int64_t offset) {
    r->row.cfa_offset = (int32_t)offset;
    if (offset != (int32_t)offset)
        r->row.known = 0;
}

/* Pushes the current rules (DW_CFA_remember_state); they are unknown from now on if there are too many. */
static void remember(struct run *r) {
    if (r->depth == REMEMBERED)
        r->row.known = 0;
    else
        r->remembered[r->depth++] = r->row;
}

/* Pops the rules that were pushed last (DW_CFA_restore_state). */
static void recall(struct run *r) {
    if (r->depth == 0)
        r->row.known = 0;
    else
        r->row = r->remembered[--r->depth];
}

/* Passes an expression; gives where it is, and in *LEN its bytes. */
static const unsigned char *pass_expression(struct run *r, uint64_t *len) {
    *len = uleb(r);
    const unsigned char *expression = r->at;
    if (*len > (uint64_t)(r->end - r->at)) {
        *len = 0;
        r->row.known = 0;
    }
    r->at = *len ? r->at + *len : r->end;
    return expression;
}

/* Sets the expression that gives the CFA. */
static void set_cfa_expression(struct run *r) {
    uint64_t len;
    r->row.expression = pass_expression(r, &len);
    r->row.expression_len = (uint16_t)len;
    if (len == 0 || len > UINT16_MAX)
        r->row.known = 0;
}

/* Executes an instruction whose operands follow it. What is not known makes the rules unknown. */
static void execute_long(struct run *r, unsigned op) {
    const struct cie *cie = cie_of(r);
    uint64_t reg, len;
    switch (op) {
    case CFA_offset_extended:
        reg = uleb(r);
        set_saved(r, reg, (int64_t)uleb(r) * cie->data_align);
        break;
    case CFA_offset_extended_sf:
        reg = uleb(r);
        set_saved(r, reg, sleb(r) * cie->data_align);
        break;
    case CFA_restore_extended:
        restore(r, uleb(r));
        break;
    case CFA_same_value:
        reg = uleb(r);
        set_saved(r, reg, 0);
        break;
    case CFA_remember_state:
        remember(r);
        break;
    case CFA_restore_state:
        recall(r);
        break;
    case CFA_def_cfa:
        set_cfa_register(r, uleb(r));
        set_cfa_offset(r, (int64_t)uleb(r));
        break;
    case CFA_def_cfa_sf:
        set_cfa_register(r, uleb(r));
        set_cfa_offset(r, sleb(r) * cie->data_align);
        break;
    case CFA_def_cfa_register:
        set_cfa_register(r, uleb(r));
        break;
    case CFA_def_cfa_offset:
        set_cfa_offset(r, (int64_t)uleb(r));
        break;
    case CFA_def_cfa_offset_sf:
        set_cfa_offset(r, sleb(r) * cie->data_align);
        break;
    case CFA_def_cfa_expression:
        set_cfa_expression(r);
        break;
    case CFA_expression:
    case CFA_val_expression:
        reg = uleb(r);
        pass_expression(r, &len);
        r->row.known &= reg >= SAVED_REGISTERS;
        break;
    case CFA_GNU_args_size:
        uleb(r);
        break;
    case CFA_AARCH64_negate_ra_state: /* the number of another instruction on other machines, which means nothing here */
        r->row.is_signed ^= 1;
        break;
    case CFA_nop:
        break;
    default: /* what LLVM does not write for a function that has frames like ours */
        r->row.known = 0;
        r->at = r->end;
    }
}

/* If the next instruction advances the location, consumes it and gives by how much; -1 otherwise. */
static int64_t next_advance(struct run *r) {
    unsigned op = *r->at;
    size_t bytes = op == CFA_advance_loc1 ? 1 : op == CFA_advance_loc2 ? 2 : op == CFA_advance_loc4 ? 4 : 0;
    if (bytes || (op & 0xc0) == CFA_advance_loc) {
        r->at++;
        return (int64_t)((bytes ? fixed(r, bytes) : op & 0x3f) * cie_of(r)->code_align);
    }
    return -1;
}

/* Executes the next instruction, which is none that advances the location. */
static void execute(struct run *r) {
    unsigned op = *r->at++;
    if ((op & 0xc0) == CFA_offset)
        set_saved(r, op & 0x3f, (int64_t)uleb(r) * cie_of(r)->data_align);
    else if ((op & 0xc0) == CFA_restore)
        restore(r, op & 0x3f);
    else
        execute_long(r, op);
}

/* Executes the CIE's instructions, so that run_to can go on with the function's. */
void run_begin(struct run *r, const struct frames *f, const struct fde *fde) {
    const struct cie *cie = &f->cie[fde->cie];
    *r = (struct run){.frames = f, .fde = fde, .at = cie->code, .end = cie->code + cie->len, .row = {.known = 1}};
    while (r->at < r->end)
        execute(r);
    r->initial = r->row;
    r->at = fde->code;
    r->end = fde->code + fde->len;
    r->location = fde->start;
}

struct row run_to(struct run *r, uintptr_t address) {
    while (r->at < r->end) {
        const unsigned char *before = r->at;
        int64_t advance = next_advance(r);
        if (advance < 0) {
            execute(r);
        } else if (r->location + (uint64_t)advance > address) {
            r->at = before;
            break;
        } else {
            r->location += (uint64_t)advance;
        }
    }
    return r->row;
}

struct row entry_row(const unsigned char *entry, uintptr_t address) {
    struct cie cie;
    struct fde fde;
    struct frames frames = {.cie = &cie, .cies = 1};
    struct run run;
    frames_entry(entry, &cie, &fde);
    if (address < fde.start || address >= fde.end)
        return (struct row){0};
    run_begin(&run, &frames, &fde);
    return run_to(&run, address);
}
