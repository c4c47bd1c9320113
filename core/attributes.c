/* attributes.c - attributes that are text, of functions and of calls; and what a call has of its callee's. */
#include "ir.h"

#include <string.h>

const char *const code_attributes[CODE_ATTRIBUTES] = {
    "target-cpu",       "tune-cpu",         "target-features",     "frame-pointer",          "use-soft-float",
    "no-trapping-math", "stack-probe-size", "prefer-vector-width", "min-legal-vector-width", "probe-stack"};

/* The function's attribute NAME that has text; NULL if it has none. */
LLVMAttributeRef text_attribute(LLVMValueRef f, const char *name) {
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

/* The call's attribute NAME that has text; NULL if it has none. */
LLVMAttributeRef call_attribute(LLVMValueRef call, const char *name) {
    return LLVMGetCallSiteStringAttribute(call, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

void set_text_attribute(LLVMContextRef context, LLVMValueRef f, const char *name, const char *value) {
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

void set_call_attribute(LLVMContextRef context, LLVMValueRef call, const char *name, const char *value) {
    LLVMAddCallSiteAttribute(
        call, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

/* Gives CALL, of F, F's convention, and those attributes of its parameters on which it depends where each is passed: code
 * generation looks for them at the callee as well, but a statepoint has only what its call has. */
void call_as_declared(LLVMValueRef call, LLVMValueRef f) {
    static const char *const places[] = {"byval", "inreg", "nest", "sret", "swiftasync", "swiftself"};
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
    for (unsigned i = 1; i <= LLVMCountParams(f); i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(places[k], strlen(places[k]));
            LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i, kind);
            if (a)
                LLVMAddCallSiteAttribute(call, i, a);
        }
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
