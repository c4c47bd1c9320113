/* reasons.c - why a call is a safepoint, as an attribute of the call: it survives inlining and the rewrite. */
#include "ir.h"
#include "marks.h"
#include "state.h"

#include <string.h>

/* The kind of record that a call leaves; its id is operand 0 (Statepoints.rst, StackMaps.rst). */
uint8_t record_kind(LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    if (!name || strncmp(name, "llvm.experimental.", 18) != 0)
        return SM_RECORD_UNKNOWN;
    name += 18;
    if (strncmp(name, "gc.statepoint", 13) == 0)
        return SM_RECORD_STATEPOINT;
    if (strncmp(name, "patchpoint", 10) == 0)
        return SM_RECORD_PATCHPOINT;
    return strncmp(name, "stackmap", 8) == 0 ? SM_RECORD_STACKMAP : SM_RECORD_UNKNOWN;
}

int call_has_reason(LLVMValueRef call, const char *reason) {
    unsigned len = 0;
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
        return 0;
    LLVMAttributeRef a = call_attribute(call, REASON_ATTRIBUTE);
    const char *value = a ? LLVMGetStringAttributeValue(a, &len) : "";
    return a && len == strlen(reason) && memcmp(value, reason, len) == 0;
}

const char *site_reason(LLVMValueRef call) {
    static const char *const reasons[] = {"entry-poll",   "backedge-poll", "return-poll",
                                          "precall-poll", "postcall-poll", "explicit"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (call_has_reason(call, reasons[i]))
            return reasons[i];
    return NULL;
}

/* Removes from CALL the attributes that only this compiler understands. */
void site_unmark(LLVMValueRef call) {
    static const char *const marks[] = {REASON_ATTRIBUTE, TRANSITION_ATTRIBUTE, WORDS_ATTRIBUTE};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (call_attribute(call, marks[i]))
            LLVMRemoveCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, marks[i], (unsigned)strlen(marks[i]));
}

/* Visitor of calls: see site_unmark. */
static void unmark_reason(void *arg, LLVMValueRef function, LLVMValueRef call) {
    (void)arg;
    (void)function;
    site_unmark(call);
}

/* Removes from all calls the attributes that only this compiler understands. */
void sites_unmark(LLVMModuleRef module) {
    visit_module_calls(module, unmark_reason, NULL);
}
