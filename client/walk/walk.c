/* walk.c - see walk.h.
 *
 * A frame's registers are kept where its callees left them: in the sm_registers at first, then wherever a frame on the
 * way saved them. The walk carries addresses, not values, so that a visitor's changes reach the code.
 *
 * C code between managed frames is unwound like these. Where that cannot be done the chain of entries says where to go
 * on: each entry has the stack pointer of who made it, so entries whose frames have been passed already are known. */
#include "walk.h"

#include "cframes.h"
#include "error.h"
#include "find.h"

#include <string.h>

/* Removes the pointer-authentication code from a return address (AArch64: xpaclri). */
uintptr_t strip_address(uintptr_t address) {
#if defined(__aarch64__)
    register uintptr_t link __asm__("x30") = address;
    __asm__("hint #7" : "+r"(link));
    return link;
#else
    return address;
#endif
}

/* The caller's stack pointer by ROW; 0 if it cannot be known. */
static uintptr_t cfa_by(const struct walk *w, const struct row *row) {
    if (!row->known)
        return 0;
    uintptr_t cfa;
    if (row->expression)
        return expression_value(row->expression, row->expression_len, (const uintptr_t *const *)w->frame.reg,
                                w->frame.sp, &cfa)
                   ? cfa
                   : 0;
    if (row->cfa_register == REG_SP)
        return w->frame.sp + (uintptr_t)(intptr_t)row->cfa_offset;
    const uintptr_t *reg = w->frame.reg[row->cfa_register];
    return reg ? *reg + (uintptr_t)(intptr_t)row->cfa_offset : 0;
}

/* 1 if the current pc is in the loader's code, with the frame set; 0 if it is in C code. */
static int enter_frame(struct walk *w) {
    const sm_site *site = w->site;
    const sm_object *o = site ? site->code->object : loader_object_at(w->loader, w->pc - 1);
    if (!o || (!site && o->map->linked && !linked_find_code(o->map, w->pc - 1)))
        return 0;
    if (!site)
        w->plain = object_row(o, w->pc - 1);
    w->row = site ? row_of(site) : &w->plain;
    w->object = o;
    w->frame.site = site;
    w->frame.cfa = cfa_by(w, w->row);
    return 1;
}

/* Sets the address where the frame goes on whose stack pointer is SP, from that which is kept for its return. */
static void set_pc(struct walk *w, uintptr_t kept, uintptr_t sp) {
    w->pc = strip_address(kept);
    w->barrier = barrier_is(w->pc) ? barrier_replaced(&w->pc, sp) : NULL;
}

/* Goes on from the registers that an entry saved: those of who made it. */
static void take_entry(struct walk *w, sm_registers *at) {
    w->registers = at;
    w->link = NULL;
    set_pc(w, at->pc, at->sp);
    w->site = sm_find(w->loader, w->pc);
    memset(w->frame.reg, 0, sizeof w->frame.reg);
    for (int i = 0; i < SM_REGISTERS; i++)
        if (at->valid >> i & 1)
            w->frame.reg[i] = &at->reg[i];
    w->knows_others = 1;
    w->frame.sp = w->low = at->sp;
    w->crossed = 0;
}

/* Goes on from the next entry whose frames have not been walked. 0 if there is none. */
static int take_previous(struct walk *w) {
    sm_registers *at = w->registers->previous;
    while (at && at->sp >= w->low && at->sp < w->frame.sp)
        at = at->previous;
    if (at)
        take_entry(w, at);
    return at != NULL;
}

/* 1 if the next entry was made from this frame, or from C code that was crossed on the way to it: that entry knows the
 * frame's safepoint, which the unwinding need not have met. */
static int is_in_chain(const struct walk *w) {
    const sm_registers *at = w->registers->previous;
    return w->crossed && at && at->sp >= w->crossed && at->sp < w->frame.cfa;
}

/* Fails: the current pc is the return address of no safepoint, or of one for which there was no memory. */
static sm_result no_safepoint(const struct walk *w, sm_error *err) {
    const sm_code *c = sm_find_code(w->loader, w->pc - 1);
    if (loader_has_site(w->loader, w->pc))
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the safepoint at 0x%llx",
                    (unsigned long long)w->pc);
    return fail(err, SM_ERR_NO_SAFEPOINT, "0x%llx%s%s is the return address of no safepoint",
                (unsigned long long)w->pc, c ? ", in " : "", c && c->name ? c->name : "");
}

/* 1 if calls of the convention, by LLVM's number, preserve more registers than C's do: coldcc, anyregcc,
 * preserve_mostcc, preserve_allcc, cxx_fast_tlscc. */
static int preserves_more(unsigned convention) {
    return convention == 9 || (convention >= 13 && convention <= 15) || convention == 17;
}

/* Where a frame keeps its return address; NULL if that is not known. */
static uintptr_t *return_address(const struct row *row, uintptr_t cfa) {
#if defined(__aarch64__)
    int16_t words = row->saved[REG_LINK];
    return words ? (uintptr_t *)cfa + words : NULL;
#else
    (void)row;
    return (uintptr_t *)cfa - 1;
#endif
}

/* Forgets where the registers are that calls do not preserve. */
static void forget_others(struct walk *w) {
    for (uint32_t left = ~PRESERVED_REGISTERS & (((uint64_t)1 << SAVED_REGISTERS) - 1); left; left &= left - 1)
        w->frame.reg[__builtin_ctz(left)] = NULL;
    w->knows_others = 0;
}

/* Goes from a frame to its caller by ROW: sets pc, stack pointer, and where the caller's registers are kept. What the
 * frame saved is where it saved it; what the call may have changed is no longer known. 0 if the frame cannot be
 * unwound; then nothing has changed. */
static int unwind(struct walk *w, const struct row *row, uintptr_t cfa) {
    uintptr_t *link = cfa > w->frame.sp ? return_address(row, cfa) : NULL;
    if (!link)
        return 0;
    set_pc(w, *link, cfa);
    w->link = link;
    w->is_plain_link = 0;
    w->site = sm_find(w->loader, w->pc);
    if (w->knows_others && !(w->site && preserves_more(w->site->calling_convention)))
        forget_others(w);
    for (uint32_t left = row->saves; left; left &= left - 1) {
        unsigned r = (unsigned)__builtin_ctz(left);
        w->frame.reg[r] = (uintptr_t *)cfa + row->saved[r];
    }
    w->knows_others |= (row->saves & ~PRESERVED_REGISTERS) != 0;
    w->frame.sp = cfa;
    return 1;
}

/* Goes from a frame of C code to its caller. 0 if that cannot be done, or the next entry was made there. */
static int leave_c_frame(struct walk *w) {
    const sm_registers *next = w->registers->previous;
    struct row row = cframe_row(w->pc - 1);
    uintptr_t sp = w->frame.sp, cfa = sp ? cfa_by(w, &row) : 0;
    if (next && next->sp >= sp && next->sp <= cfa)
        return 0;
    if (!unwind(w, &row, cfa))
        return 0;
    w->crossed = w->crossed ? w->crossed : sp;
    return 1;
}

/* Goes outwards through C code until it stands at a frame of the loader's code. Requires that *MORE is 0. */
static sm_result settle(struct walk *w, int *more, sm_error *err) {
    int is_ours;
    while (!(is_ours = enter_frame(w)) || is_in_chain(w)) {
        if (is_ours)
            take_entry(w, w->registers->previous);
        else if (!leave_c_frame(w) && !take_previous(w))
            return SM_SUCCESS;
    }
    *more = 1;
    if (!w->frame.site && object_has_sites(w->object, w->pc - 1))
        return no_safepoint(w, err); /* its frame has roots, perhaps, and nothing says where */
    return SM_SUCCESS;
}

sm_result walk_begin(struct walk *w, const sm_loader *l, sm_registers *at, int *more, sm_error *err) {
    *w = (struct walk){.loader = l};
    *more = 0;
    take_entry(w, at);
    if (!enter_frame(w) && !at->previous && (!at->sp || !cframe_is_code(w->pc - 1)))
        return no_safepoint(w, err);
    return settle(w, more, err);
}

sm_result walk_next(struct walk *w, int *more, sm_error *err) {
    const sm_code *code = w->frame.site ? w->frame.site->code : sm_find_code(w->loader, w->pc - 1);
    *more = 0;
    w->crossed = 0;
    if (!unwind(w, w->row, w->frame.cfa))
        return fail(err, SM_ERR_NO_UNWIND,
                    "The frame of '%s' at 0x%llx cannot be unwound: its object's .eh_frame has no rule for it",
                    code && code->name ? code->name : "?", (unsigned long long)w->pc);
    w->is_plain_link = !w->row->is_signed;
    w->frame.depth += w->frame.site != NULL;
    return settle(w, more, err);
}
