/* ir.c - what LLVM's C API has no function for, of one value or type. */
#include "ir.h"
#include "set.h"

#include <string.h>

int starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

int is_call(LLVMValueRef v) {
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsACallBrInst(v);
}

const char *value_name(LLVMValueRef v) {
    size_t len;
    return LLVMGetValueName2(v, &len);
}

const char *called_function(LLVMValueRef v) {
    LLVMValueRef callee = is_call(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
}

const char *intrinsic_name(LLVMValueRef v) {
    const char *name = called_function(v);
    return starts_with(name, "llvm.") && name[5] ? name : NULL;
}

int is_intrinsic(LLVMValueRef v, const char *prefix) {
    return starts_with(called_function(v), prefix);
}

int is_statepoint(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.statepoint");
}

int is_relocate(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.relocate");
}

int is_result(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.experimental.gc.result");
}

int is_memory_copy(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.memcpy.") || is_intrinsic(v, "llvm.memmove.");
}

int argument_has(LLVMValueRef call, unsigned index, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, index + 1, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, index + 1, kind));
}

int is_null(LLVMValueRef v) {
    return LLVMIsConstant(v) && LLVMIsNull(v);
}

const char *target_name(LLVMValueRef target) {
    return LLVMIsAGlobalValue(target) ? value_name(target)
           : LLVMIsAInlineAsm(target) ? "inline assembly"
                                      : "an indirect callee";
}

const char *callee_name(LLVMValueRef call) {
    return target_name(LLVMGetCalledValue(call));
}

int is_leaf_call(LLVMValueRef call) {
    return call_attribute(call, LEAF_ATTRIBUTE) != NULL;
}

int is_leaf_function(LLVMValueRef f) {
    return text_attribute(f, LEAF_ATTRIBUTE) != NULL;
}

int is_musttail(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* Types are shared, and may contain the same one very often: each struct is looked at once. */
static int find_in_type(LLVMTypeRef t, type_test *is_wanted, const void *arg, struct set *seen) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(t) && find_in_type(LLVMGetElementType(t), is_wanted, arg, seen);
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        return find_in_type(LLVMGetElementType(t), is_wanted, arg, seen);
    case LLVMStructTypeKind:
        if (set_has(seen, t))
            return 0;
        set_add(seen, t);
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (find_in_type(LLVMStructGetTypeAtIndex(t, i), is_wanted, arg, seen))
                return 1;
        return 0;
    default:
        return is_wanted(t, arg);
    }
}

int type_holds(LLVMTypeRef t, type_test *is_wanted, const void *arg) {
    struct set seen = {0};
    int found = find_in_type(t, is_wanted, arg, &seen);
    set_free(&seen);
    return found;
}

/* Address space 1 is that of statepoint-example and coreclr. */
static int is_reference_type(LLVMTypeRef t, const void *arg) {
    (void)arg;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == 1;
}

int holds_reference(LLVMTypeRef t) {
    return type_holds(t, is_reference_type, NULL);
}

static int is_pointer_type(LLVMTypeRef t, const void *arg) {
    (void)arg;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind;
}

int holds_pointer(LLVMTypeRef t) {
    return type_holds(t, is_pointer_type, NULL);
}

LLVMValueRef stepped_from(LLVMValueRef v, unsigned kinds) {
    enum { STEPS = 1000 };
    for (int i = 0; i < STEPS; i++) {
        unsigned kind = LLVMIsAGetElementPtrInst(v)   ? BY_GEP
                        : LLVMIsABitCastInst(v)       ? BY_BITCAST
                        : LLVMIsAAddrSpaceCastInst(v) ? BY_SPACE_CAST
                        : LLVMIsAFreezeInst(v)        ? BY_FREEZE
                                                      : 0;
        if (!(kind & kinds))
            break;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}
