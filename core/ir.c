/* ir.c - what LLVM's C API has no function for, of one value or type. */
#include "ir.h"
#include "set.h"

#include <string.h>

int starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* 1 if V is a call, an invoke or a callbr. */
int is_call(LLVMValueRef v) {
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsACallBrInst(v);
}

/* The name of V, "" if it has none; valid as long as V has it. */
const char *value_name(LLVMValueRef v) {
    size_t len;
    return LLVMGetValueName2(v, &len);
}

/* The name of the function that V calls; "" if V is no call, or an indirect one. */
const char *called_function(LLVMValueRef v) {
    LLVMValueRef callee = is_call(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
}

/* The name of the intrinsic that V calls; NULL if it calls none. */
const char *intrinsic_name(LLVMValueRef v) {
    const char *name = called_function(v);
    return starts_with(name, "llvm.") && name[5] ? name : NULL;
}

/* 1 if V calls a function whose name begins with PREFIX. */
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

LLVMValueRef past_phis(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

LLVMValueRef past_pads(LLVMBasicBlockRef block) {
    LLVMValueRef i = past_phis(block);
    while (i && LLVMIsALandingPadInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* 1 if V is a call of an llvm.memcpy or llvm.memmove. */
int is_memory_copy(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.memcpy.") || is_intrinsic(v, "llvm.memmove.");
}

/* 1 if the argument INDEX of the call has LLVM's ATTRIBUTE, at the call or at its callee. */
int argument_has(LLVMValueRef call, unsigned index, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, index + 1, kind) ||
           (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, index + 1, kind));
}

/* 1 if V is a constant null or zero. */
int is_null(LLVMValueRef v) {
    return LLVMIsConstant(v) && LLVMIsNull(v);
}

/* The name of a callee for people: a global's, or what else it is. */
const char *target_name(LLVMValueRef target) {
    return LLVMIsAGlobalValue(target) ? value_name(target)
           : LLVMIsAInlineAsm(target) ? "inline assembly"
                                      : "an indirect callee";
}

/* 1 if NAME is an alias or an ifunc, which a look for a function or a variable does not find. */
int is_other_name(LLVMModuleRef m, const char *name) {
    size_t len = strlen(name);
    return LLVMGetNamedGlobalAlias(m, name, len) || LLVMGetNamedGlobalIFunc(m, name, len);
}

/* The name of what CALL calls, for people. */
const char *callee_name(LLVMValueRef call) {
    return target_name(LLVMGetCalledValue(call));
}

/* 1 if the call itself is marked as one of a leaf, which is no safepoint. */
int is_leaf_call(LLVMValueRef call) {
    return call_attribute(call, LEAF_ATTRIBUTE) != NULL;
}

/* 1 if F is marked as a leaf, whose calls are no safepoints. */
int is_leaf_function(LLVMValueRef f) {
    return text_attribute(f, LEAF_ATTRIBUTE) != NULL;
}

int is_musttail(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* 1 if a part of T satisfies IS_WANTED. SEEN has the structs that were looked at, as one may occur very often. */
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

/* 1 if T, or a part of it in structs, arrays and vectors, satisfies IS_WANTED. */
int type_holds(LLVMTypeRef t, type_test *is_wanted, const void *arg) {
    struct set seen = {0};
    int found = find_in_type(t, is_wanted, arg, &seen);
    set_free(&seen);
    return found;
}

/* 1 if T is a pointer of address space 1, that of statepoint-example and coreclr. */
static int is_reference_type(LLVMTypeRef t, const void *arg) {
    (void)arg;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == 1;
}

/* 1 if T is a reference, or has one in it. */
int holds_reference(LLVMTypeRef t) {
    return type_holds(t, is_reference_type, NULL);
}

static int is_pointer_type(LLVMTypeRef t, const void *arg) {
    (void)arg;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind;
}

/* 1 if T is a pointer of any address space, or has one in it. */
int holds_pointer(LLVMTypeRef t) {
    return type_holds(t, is_pointer_type, NULL);
}

/* V before steps of the KINDS (BY_...): the first operand is followed through getelementptr, casts or freeze, a
 * bounded number of times. */
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

LLVMTypeRef element_type(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind ? LLVMGetElementType(type) : type;
}

int is_address_wide(LLVMTypeRef type) {
    LLVMTypeRef t = element_type(type);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) >= 64);
}

int is_pointer(LLVMValueRef v) {
    return LLVMGetTypeKind(element_type(LLVMTypeOf(v))) == LLVMPointerTypeKind;
}

int is_reference(LLVMValueRef v) {
    return is_pointer(v) && holds_reference(LLVMTypeOf(v));
}
