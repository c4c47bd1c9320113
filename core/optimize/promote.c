/* promote.c - references in stack slots, which no map lists.
 *
 * References that are values are reported to the collector. One that was stored into an alloca and is read back after a
 * safepoint is the old one. So slots are promoted to values (LLVM's sroa) before the rewrite, at every level, where
 * there are such slots; and after the rewrite, what still holds a reference from before a safepoint until it is read
 * is refused by name. A slot that the safepoint lists in its "gc-live" bundle is reported to the collector, and fine.
 * A byval, inalloca or preallocated parameter is such a slot too, filled by the caller.
 */
#include "aliases.h"
#include "body.h"
#include "ir.h"
#include "optimize.h"
#include "optimizing.h"
#include "slots.h"

/* Fails the compile with the slot's finding: it holds a reference over a safepoint that does not report it. */
static sm_status refuse_promoted(struct compile *c, LLVMValueRef f, const struct slot *unreported,
                                 const struct slot_finding *w) {
    const char *shown = value_text(unreported->origin);
    if (w->read == w->safepoint)
        return fail(
            c, SM_CANNOT_REWRITE, f,
            "The stack slot '%.200s' holds references, and its address is known to others at the call of %.200s, "
            "where the collector does not find it: keep references in values, or list the slot in the call's "
            "\"gc-live\" bundle",
            shown, safepoint_name(w->safepoint));
    return fail(c, SM_CANNOT_REWRITE, f,
                "The stack slot '%.200s' holds a reference across the call of %.200s, where the collector does not "
                "find it, and is then read by '%.200s': the slot cannot be promoted to a value; keep references in "
                "values, or list the slot in the call's \"gc-live\" bundle",
                shown, safepoint_name(w->safepoint), value_text(w->read));
}

/* What is known of one function, for all its slots. */
struct known {
    struct body body;
    struct copies copies;
};

/* Refuses V if it is a slot that holds references across a safepoint without being reported. BLIND: only slots whose
 * contents are no references by type, and are copied both from and to the heap. */
static sm_status check_slot_promoted(struct compile *c, struct known *known, LLVMValueRef f, LLVMValueRef v,
                                     int blind) {
    struct slot slot;
    if (!slot_of(&slot, f, v))
        return SM_OK;
    struct slot_finding w = {0};
    sm_status s = SM_OK;
    if (slot_holds_references(&slot, &known->copies) &&
        (!blind || (slot.copied_in && slot.copied_out && !holds_root(slot.data, slot.type))))
        w = slot_follow(c, f, &known->body, &slot);
    if (w.read)
        s = refuse_promoted(c, f, &slot, &w);
    slot_free(&slot);
    return s;
}

/* Checks the slots of F. */
static sm_status check_slots_of(struct compile *c, LLVMValueRef f, int blind) {
    struct known known = {0};
    sm_status s = SM_OK;
    for (LLVMValueRef v = first_value(f); s == SM_OK && v; v = next_value(v))
        if (LLVMIsAArgument(v) || LLVMIsAAllocaInst(v))
            s = check_slot_promoted(c, &known, f, v, blind);
    body_free(&known.body);
    copies_free(&known.copies);
    return s;
}

/* Refuses slots that hold references across safepoints without being reported; before the optimiser those through which
 * bytes of the heap are copied across one: promoted, they may become one integer, which hides the reference. */
sm_status slots_check(struct compile *c) {
    sm_status s = SM_OK;
    int blind = c->form < FORM_POLLED;
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        s = check_slots_of(c, f, blind);
    return s;
}

/* 1 if a slot of F holds references. */
static int has_slots_of_references(LLVMValueRef f) {
    struct copies known = {0};
    int result = 0;
    for (LLVMValueRef i = first_instruction(f); i && !result; i = instruction_after(i)) {
        struct slot slot;
        if (!LLVMIsAAllocaInst(i) || !slot_of(&slot, f, i))
            continue;
        result = slot_holds_references(&slot, &known);
        slot_free(&slot);
    }
    copies_free(&known);
    return result;
}

/* 1 if slots hold references, or may hold what those were cast to. */
static int needs_promotion(struct compile *c) {
    LLVMValueRef f = c->tags ? NULL : first_with_statepoints(c->module);
    while (f && !has_slots_of_references(f))
        f = next_with_statepoints(f);
    return c->tags || f || aliases_any(c);
}

/* Promotes stack slots to values with sroa if any slot holds references, or may hold tagged ones, which are integers.
 * Requires the optimised module; leaves references in slots only where that cannot be avoided. */
sm_status slots_promote(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    if (!needs_promotion(c))
        return SM_OK;
    return run_folding_everywhere(c, "function(sroa)");
}
