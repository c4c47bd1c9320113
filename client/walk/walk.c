/* walk.c - see walk.h.
 *
 * A frame's registers are kept where its callees left them: in the sm_registers at first, then wherever a frame on the
 * way saved them. The walk carries addresses, not values, so that a visitor's changes reach the code. */
#include "walk.h"

#include "error.h"

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

/* Makes the frame at SITE, with stack pointer SP, the current one. */
static void enter_frame(struct walk *w, const sm_site *site, uintptr_t sp) {
    w->frame.site = site;
    w->frame.sp = sp;
    w->row = row_of(site);
}

/* The caller's stack pointer; 0 if it cannot be known. */
static uintptr_t cfa_of(const struct walk *w) {
    const struct row *row = w->row;
    if (!row->known)
        return 0;
    if (row->cfa_register == REG_SP)
        return w->frame.sp + (uintptr_t)(intptr_t)row->cfa_offset;
    const uintptr_t *reg = w->frame.reg[row->cfa_register];
    return reg ? *reg + (uintptr_t)(intptr_t)row->cfa_offset : 0;
}

/* Begins at the managed frame that made an entry into the runtime: its registers are those that the entry saved.
 * Fails, without a message, if its pc is no safepoint. */
static sm_result begin_stretch(struct walk *w, sm_registers *at) {
    w->registers = at;
    w->pc = strip_address(at->pc);
    const sm_site *site = sm_find(w->loader, w->pc);
    if (!site)
        return SM_ERR_NO_SAFEPOINT;
    memset(w->frame.reg, 0, sizeof w->frame.reg);
    for (int i = 0; i < SM_REGISTERS; i++)
        if (at->valid >> i & 1)
            w->frame.reg[i] = &at->reg[i];
    enter_frame(w, site, at->sp);
    w->frame.cfa = cfa_of(w);
    return SM_SUCCESS;
}

/* Fails: the current pc is the return address of no safepoint. */
static sm_result no_safepoint(const struct walk *w, sm_error *err) {
    const sm_code *c = sm_find_code(w->loader, w->pc - 1);
    return fail(err, SM_ERR_NO_SAFEPOINT, "0x%llx%s%s is the return address of no safepoint",
                (unsigned long long)w->pc, c ? ", in " : "", c && c->name ? c->name : "");
}

/* The innermost of these entries that managed code has made; C code can make one, too, and has no roots that are
 * known here. NULL if there is none. */
static sm_registers *made_by_managed_code(const sm_loader *l, sm_registers *at) {
    while (at && !sm_find_code(l, strip_address(at->pc) - 1) && !sm_find(l, strip_address(at->pc)))
        at = at->previous;
    return at;
}

sm_result walk_begin(struct walk *w, const sm_loader *l, sm_registers *at, sm_error *err) {
    sm_registers *first = made_by_managed_code(l, at);
    *w = (struct walk){.loader = l};
    return begin_stretch(w, first ? first : at) == SM_SUCCESS ? SM_SUCCESS : no_safepoint(w, err);
}

/* 1 if calls of the convention, by LLVM's number, preserve more registers than C's do: coldcc, anyregcc,
 * preserve_mostcc, preserve_allcc, cxx_fast_tlscc. */
static int preserves_more(unsigned convention) {
    return convention == 9 || (convention >= 13 && convention <= 15) || convention == 17;
}

/* Sets where the registers of the caller, which waits at SITE, are kept: what this frame saved is where it saved
 * it; what the call may have changed is no longer known. */
static void leave_frame(struct walk *w, uintptr_t cfa, const sm_site *site) {
    int more = site && preserves_more(site->calling_convention);
    for (unsigned r = 0; r < SAVED_REGISTERS; r++)
        if (w->row->saved[r])
            w->frame.reg[r] = (uintptr_t *)cfa + w->row->saved[r];
        else if (!more && !is_preserved(r))
            w->frame.reg[r] = NULL;
}

/* Where the frame keeps its return address; NULL if that is not known. */
static const uintptr_t *return_address(const struct walk *w, uintptr_t cfa) {
#if defined(__aarch64__)
    int16_t words = w->row->saved[REG_LINK];
    return words ? (const uintptr_t *)cfa + words : NULL;
#else
    (void)w;
    return (const uintptr_t *)cfa - 1;
#endif
}

sm_result walk_next(struct walk *w, int *more, sm_error *err) {
    uintptr_t cfa = w->frame.cfa;
    const uintptr_t *link = cfa > w->frame.sp ? return_address(w, cfa) : NULL;
    const char *name = w->frame.site->code->name;
    *more = 0;
    if (!link)
        return fail(err, SM_ERR_NO_UNWIND,
                    "The frame of '%s' at 0x%llx cannot be unwound: its object's .eh_frame has no rule for it",
                    name ? name : "?", (unsigned long long)w->pc);
    w->pc = strip_address(*link);
    const sm_site *site = sm_find(w->loader, w->pc);
    leave_frame(w, cfa, site);
    w->frame.depth++;
    if (site) {
        enter_frame(w, site, cfa);
        w->frame.cfa = cfa_of(w);
    } else if (sm_find_code(w->loader, w->pc - 1)) {
        return no_safepoint(w, err); /* its frame has roots, perhaps, and nothing says where */
    } else {
        sm_registers *previous = made_by_managed_code(w->loader, w->registers->previous);
        if (!previous)
            return SM_SUCCESS;
        if (begin_stretch(w, previous) != SM_SUCCESS)
            return no_safepoint(w, err);
    }
    *more = 1;
    return SM_SUCCESS;
}
