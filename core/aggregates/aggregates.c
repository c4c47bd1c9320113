/* aggregates.c - GC pointers inside structs and arrays that stay alive across a safepoint.
 *
 * LLVM's rewrite relocates pointers and vectors of them. Of an aggregate it says in an assertion that it cannot
 * (llvm/lib/Transforms/Scalar/RewriteStatepointsForGC.cpp, isUnhandledGCPointerType); without assertions the pointer
 * silently keeps its old value. So these are looked for before the rewrite, and refused by name.
 */
#include "aggregates.h"
#include "analysis.h"
#include "ir.h"

/* 1 if V is a struct, array or scalable vector with references, which LLVM's rewrite cannot relocate. */
static int is_unhandled(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMScalableVectorTypeKind) &&
           holds_reference(LLVMTypeOf(v));
}

/* Refuses V if it is such a value and alive across a safepoint. */
static sm_status check_aggregate(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef call = is_unhandled(v) ? live_across(c, v) : NULL;
    if (!call)
        return SM_OK;
    char *type = LLVMPrintTypeToString(LLVMTypeOf(v));
    const char *name = value_name(v);
    sm_status status =
        fail(c, SM_CANNOT_REWRITE, f,
             "%s%s of type %.200s holds GC pointers and stays alive across the call of %.200s: pointers "
             "inside %s cannot be relocated; take it apart before the call",
             name[0] ? "%" : "A value", name, type, safepoint_name(call),
             LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMScalableVectorTypeKind ? "a scalable vector" : "an aggregate");
    LLVMDisposeMessage(type);
    return status;
}

/* Refuses aggregates with references that are alive across a safepoint. Requires a module that is not rewritten. */
sm_status aggregates_check(struct compile *c) {
    return check_values(c, check_aggregate);
}
