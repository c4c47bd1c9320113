/* attributes.c - attributes that are text, of functions and of calls. */
#include "core.h"

#include <string.h>

LLVMAttributeRef text_attribute(LLVMValueRef f, const char *name) {
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}

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
