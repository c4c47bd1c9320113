/* registers.c - the registers of an interrupted thread: from a signal's context, and back. */
#include "smclient.h"

#include <string.h>
#include <ucontext.h>

#if defined(__aarch64__)

void sm_registers_load(sm_registers *r, const void *ucontext) {
    const ucontext_t *u = ucontext;
    memset(r, 0, sizeof *r);
    r->pc = u->uc_mcontext.pc;
    r->sp = u->uc_mcontext.sp;
    for (int i = 0; i < 31; i++)
        r->reg[i] = u->uc_mcontext.regs[i];
    r->valid = ((uint64_t)1 << 31) - 1;
}

void sm_registers_store(const sm_registers *r, void *ucontext) {
    ucontext_t *u = ucontext;
    u->uc_mcontext.pc = r->pc;
    u->uc_mcontext.sp = r->sp;
    for (int i = 0; i < 31; i++)
        if (r->valid >> i & 1)
            u->uc_mcontext.regs[i] = r->reg[i];
}

#else

/* By DWARF number; the stack pointer, 7, has a field of its own. */
static const int number[SM_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, -1,
                                         REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

void sm_registers_load(sm_registers *r, const void *ucontext) {
    const ucontext_t *u = ucontext;
    memset(r, 0, sizeof *r);
    r->pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
    r->sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
    for (int i = 0; i < SM_REGISTERS; i++)
        if (number[i] >= 0) {
            r->reg[i] = (uintptr_t)u->uc_mcontext.gregs[number[i]];
            r->valid |= (uint64_t)1 << i;
        }
}

void sm_registers_store(const sm_registers *r, void *ucontext) {
    ucontext_t *u = ucontext;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)r->pc;
    u->uc_mcontext.gregs[REG_RSP] = (greg_t)r->sp;
    for (int i = 0; i < SM_REGISTERS; i++)
        if (number[i] >= 0 && r->valid >> i & 1)
            u->uc_mcontext.gregs[number[i]] = (greg_t)r->reg[i];
}

#endif
