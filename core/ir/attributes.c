/* attributes.c - attributes that are text, of functions and of calls; and what a call has of its callee's. */
#include "ir.h"

#include <string.h>

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
