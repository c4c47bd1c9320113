/* inline_listed.c - functions that are to be inlined always, and that list stack slots: those of scoped roots and pins,
 * or of lists of their own.
 *
 * A function with such lists is kept from the optimiser (live_lists.c), which inlines nothing of it. So it is inlined
 * here before. Its scopes end where it returns: what was open there is closed. The inliner says as well where the
 * slots live, which a list may not be without: that is taken away again, as a slot is cleared where its scope has ended.
 *
 * Requires scopes as marks. What cannot be inlined stays a call.
 */
#include "ir.h"
#include "optimizing.h"
#include "scopes.h"

/* Adds the allocas of all functions to the set. */
static void collect_slots(LLVMModuleRef module, struct set *slots) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            if (LLVMIsAAllocaInst(i))
                set_add(slots, i);
}

/* Erases what says where the slot lives. */
static void live_throughout(LLVMValueRef slot) {
    struct set calls = {0};
    add_users(slot, is_lifetime_mark, &calls);
    for (size_t i = 0; i < calls.count; i++)
        LLVMInstructionEraseFromParent(calls.item[i]);
    set_free(&calls);
}

/* Inlines the functions, whose scopes are closed, and forgets the lives of the slots that come with them. */
static sm_status inline_all(struct compile *c, const struct set *functions) {
    struct set before = {0}, after = {0};
    collect_slots(c->module, &before);
    marks_keep(c); /* at an invoke, no mark becomes one */
    sm_status s = inline_marked(c, functions);
    collect_slots(c->module, &after);
    for (size_t i = 0; i < after.count; i++)
        if (!set_has(&before, after.item[i]))
            live_throughout(after.item[i]);
    set_free(&before);
    set_free(&after);
    return s;
}

/* Adds functions that are to be inlined always, have lists, and are not among those that were. */
static void collect_listed(struct compile *c, const struct set *done, struct set *functions) {
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        if (!set_has(done, f) && function_attribute(f, "alwaysinline") && lists_slots(f))
            set_add(functions, f);
}

/* What is left of F, which was inlined, is kept from the optimiser; nothing is if nobody else can call it. */
static void leave_rest(LLVMValueRef f) {
    LLVMLinkage linkage = LLVMGetLinkage(f);
    remove_function_attribute(f, "alwaysinline");
    if (!LLVMGetFirstUse(f) && (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage))
        LLVMDeleteFunction(f);
}

sm_status listed_inline(struct compile *c) {
    struct set done = {0}, functions = {0};
    sm_status s = SM_OK;
    for (;;) {
        set_clear(&functions);
        collect_listed(c, &done, &functions);
        if (s != SM_OK || !functions.count)
            break;
        for (size_t i = 0; i < functions.count; i++) {
            set_add(&done, functions.item[i]);
            scopes_close(c, functions.item[i]);
        }
        s = inline_all(c, &functions);
    }
    for (size_t i = 0; i < done.count; i++)
        leave_rest(done.item[i]);
    set_free(&done);
    set_free(&functions);
    return s;
}
