/* optnone.c - functions that are not to be optimised, and still need what statepoints need.
 *
 * LLVM leaves functions with the attribute optnone out of nearly every pass: no poll would be placed in them, and no
 * stack slot promoted. So for the time of such a pass they do not have it. Code generation sees it again.
 */
#include "base.h"
#include "deviations.h"
#include "ir.h"
#include "marks.h"
#include "state.h"

/* Takes optnone from functions with statepoints, marking them, so that passes see them. */
void optnone_hide(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)) ||
            !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute_kind("optnone")))
            continue;
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute_kind("optnone"));
        set_text_attribute(c->context, f, OPTNONE_ATTRIBUTE, "");
        deviate(c, DEVIATION_OPTNONE);
    }
}

/* Gives optnone back to the functions that optnone_hide has marked. */
void optnone_show(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (!text_attribute(f, OPTNONE_ATTRIBUTE))
            continue;
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, OPTNONE_ATTRIBUTE,
                                         sizeof OPTNONE_ATTRIBUTE - 1);
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(c->context, attribute_kind("optnone"), 0));
    }
}
