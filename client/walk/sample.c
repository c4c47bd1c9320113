/* sample.c - frames that wait anywhere, for samplers: by the entry of .eh_frame, read where it stands. */
#include "walk.h"

#include "find.h"

/* Where a register's value is kept, the stack pointer's included. */
static uintptr_t *reg_of(sm_registers *r, unsigned reg) {
    return reg == REG_SP ? &r->sp : &r->reg[reg];
}

/* 1 if the register's value is known in this frame. */
static int is_known(const sm_registers *r, unsigned reg) {
    return reg == REG_SP || r->valid >> reg & 1;
}

/* The caller's stack pointer; 0 if it cannot be known. */
static uintptr_t cfa_by(const struct row *row, sm_registers *at) {
    const uintptr_t *reg[SM_REGISTERS] = {NULL};
    uintptr_t cfa;
    if (!row->expression)
        return is_known(at, row->cfa_register) ? *reg_of(at, row->cfa_register) + (uintptr_t)(intptr_t)row->cfa_offset
                                               : 0;
    for (unsigned i = 0; i < SAVED_REGISTERS; i++)
        if (is_known(at, i))
            reg[i] = &at->reg[i];
    return expression_value(row->expression, row->expression_len, reg, at->sp, &cfa) ? cfa : 0;
}

/* Computes the caller's registers by a row of .eh_frame; 0 if they cannot be known. */
static int unwind(const struct row *row, const sm_registers *at, sm_registers *caller) {
    sm_registers r = *at;
    uintptr_t cfa = row->known ? cfa_by(row, &r) : 0;
    if (!cfa || cfa < at->sp)
        return 0;
    for (unsigned i = 0; i < SAVED_REGISTERS; i++)
        if (row->saved[i]) {
            r.reg[i] = ((const uintptr_t *)cfa)[row->saved[i]];
            r.valid |= (uint64_t)1 << i;
        } else if (!is_preserved(i)) {
            r.valid &= ~((uint64_t)1 << i);
        }
#if defined(__aarch64__)
    if (!row->saved[REG_LINK] && !is_known(at, REG_LINK))
        return 0;
    r.pc = strip_address(r.reg[REG_LINK]);
#else
    r.pc = ((const uintptr_t *)cfa)[-1];
#endif
    if (barrier_is(r.pc))
        barrier_replaced(&r.pc, cfa);
    r.sp = cfa;
    *caller = r;
    return 1;
}

sm_result sm_frame_at(const sm_loader *l, uintptr_t pc, const sm_registers *at, const sm_code **code,
                      sm_registers *caller) {
    const sm_object *o = loader_object_at(l, pc);
    if (code)
        *code = o ? sm_find_code(l, pc) : NULL;
    if (!o)
        return SM_ERR_NO_SAFEPOINT;
    struct row row = object_row(o, pc);
    return unwind(&row, at, caller) ? SM_SUCCESS : SM_ERR_NO_UNWIND;
}
