/* attributes.c - attributes that are text, of functions and of calls; what a call has of its callee's; and why a call is a
 * safepoint: an attribute of the call that survives inlining and the rewrite. */
#include "ir.h"
#include "marks.h"

const char *const code_attributes[CODE_ATTRIBUTES] = {
    "target-cpu",       "tune-cpu",         "target-features",     "frame-pointer",          "use-soft-float",
    "no-trapping-math", "stack-probe-size", "prefer-vector-width", "min-legal-vector-width", "probe-stack"};

/* Gives the argument AT of CALL, of F, those of the parameter's attributes on which it depends where and how it is
 * passed; 1 if it had not all of them. */
static int pass_as_declared(LLVMValueRef call, LLVMValueRef f, unsigned at) {
    static const char *const names[] = {"byval", "inreg",      "nest",      "signext",
                                        "sret",  "swiftasync", "swiftself", "zeroext"};
    int added = 0;
    for (size_t i = 0; LLVMGetAttributeCountAtIndex(f, at) && i < sizeof names / sizeof *names; i++) {
        unsigned kind = attribute_kind(names[i]);
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, at, kind);
        if (!a || LLVMGetCallSiteEnumAttribute(call, at, kind))
            continue;
        LLVMAddCallSiteAttribute(call, at, a);
        added = 1;
    }
    return added;
}

int arguments_as_declared(LLVMValueRef call, LLVMValueRef f) {
    int added = 0;
    for (unsigned at = 1; at <= LLVMCountParams(f) && at <= LLVMGetNumArgOperands(call); at++)
        added |= pass_as_declared(call, f, at);
    return added;
}

/* Copies from one function to another the attributes that say for which processor and how code is generated. */
void copy_processor(LLVMValueRef from, LLVMValueRef to, LLVMContextRef context_of_to) {
    for (size_t i = 0; i < CODE_ATTRIBUTES; i++) {
        LLVMAttributeRef a = text_attribute(from, code_attributes[i]);
        unsigned len = 0;
        const char *value = a ? LLVMGetStringAttributeValue(a, &len) : NULL;
        if (a)
            LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex,
                                    LLVMCreateStringAttribute(context_of_to, code_attributes[i],
                                                              (unsigned)strlen(code_attributes[i]), value, len));
    }
}

/* ---- Safepoints and their reasons ---------------------------------------------------------------------------- */

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

const char *const poll_reasons[POLL_REASONS] = {"entry-poll", "backedge-poll", "return-poll", "precall-poll",
                                                "postcall-poll"};

const char *site_reason(LLVMValueRef call) {
    for (size_t i = 0; i < POLL_REASONS; i++)
        if (call_has_reason(call, poll_reasons[i]))
            return poll_reasons[i];
    return call_has_reason(call, "explicit") ? "explicit" : NULL;
}

/* Removes from CALL the attributes that only this compiler understands. */
void site_unmark(LLVMValueRef call) {
    static const char *const marks[] = {REASON_ATTRIBUTE, TRANSITION_ATTRIBUTE, WORDS_ATTRIBUTE};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (call_attribute(call, marks[i]))
            remove_call_attribute(call, marks[i]);
}
