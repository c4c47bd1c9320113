/* allocators.c - in modules with llvm.gcroot, calls that may collect may write to the slots that it marks: what an
 * allocator says of its effects, or LLVM infers of its name, is taken off. */
#include "deviations.h"
#include "gcroots.h"
#include "ir.h"

/* The attribute "memory" has two bits for each kind of memory, the higher one for writes. */
enum { WRITES = 2, INACCESSIBLE = 2, OTHER = 4 };

/* 1 if something of these EFFECTS may collect, and the optimiser would take it to leave the caller's slots alone: an
 * allocator that says to write only memory that nobody sees. */
static int is_hidden_writer(unsigned long long effects) {
    return effects & WRITES << INACCESSIBLE && !(effects & WRITES << OTHER);
}

/* C's and C++'s allocators, of which LLVM infers the same by their names alone. */
static int is_named_like_allocator(LLVMValueRef f) {
    static const char names[] = "malloc,calloc,realloc,reallocf,reallocarray,valloc,aligned_alloc,memalign,pvalloc,"
                                "strdup,strndup,free,vec_malloc,vec_free,vec_calloc,vec_realloc";
    const char *name = value_name(f);
    return list_has(names, name, strlen(name)) || list_begins("_Zn,_Zd,??2@,??_U@,??3@,??_V@,__kmpc_", name);
}

/* Keeps LLVM from inferring attributes of F by its name. */
static void keep_from_inference(struct compile *c, LLVMValueRef f) {
    if (!LLVMIsDeclaration(f) || !is_named_like_allocator(f) || is_leaf_function(f))
        return;
    set_text_attribute(c->context, f, "no-builtins", "");
    set_function_attribute(f, "nobuiltin");
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) /* a call may say otherwise */
        if (LLVMIsACallInst(LLVMGetUser(u)) || LLVMIsAInvokeInst(LLVMGetUser(u)))
            remove_call_enum_attribute(LLVMGetUser(u), "builtin");
}

void allocators_reach_slots(struct compile *c) {
    LLVMValueRef mark = LLVMGetNamedFunction(c->module, "llvm.gcroot");
    if (!mark || !LLVMGetFirstUse(mark))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        keep_from_inference(c, f);
        if (!is_hidden_writer(effects_of_function(f)) || starts_with(value_name(f), "llvm.") || is_leaf_function(f))
            continue;
        remove_function_attribute(f, "memory");
        deviate(c, DEVIATION_KEEPS_SLOTS);
    }
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        LLVMAttributeRef memory = call_enum_attribute(call, "memory");
        if (!memory || !is_hidden_writer(LLVMGetEnumAttributeValue(memory)) || intrinsic_name(call) ||
            is_leaf_call(call))
            continue;
        remove_call_enum_attribute(call, "memory");
        deviate(c, DEVIATION_KEEPS_SLOTS);
    }
}
