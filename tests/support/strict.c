/* strict.c - a library to be preloaded: what a program asks of LLVM's C API is checked before LLVM does it.
 *
 * Release builds of LLVM believe their callers. The callee of a phi or an operand beyond the last is read from whatever
 * lies there, and mostly nobody notices. With this library each function of the API that casts, counts or erases ends
 * the process with its name instead. It is not linked with LLVM: it serves smd-worker and smd-upgrade, whose LLVMs
 * differ.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Ends the process with the function's NAME, the value or type, and where the call came from. */
static void refuse_call(const char *name, const char *what) {
    void *frames[30];
    dprintf(STDERR_FILENO, "strict: %s of %.300s\n", name, what ? what : "nothing");
    backtrace_symbols_fd(frames, backtrace(frames, 30), STDERR_FILENO);
    abort();
}

/* ---- What a value or a type is --------------------------------------------------------------------------------- */

typedef LLVMValueRef val;
typedef LLVMTypeRef type;

static int is_call(val v) {
    return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsACallBrInst(v);
}

static int has_arguments(val v) {
    return is_call(v) || LLVMIsAFuncletPadInst(v);
}

static int is_instruction(val v) {
    return LLVMIsAInstruction(v) != NULL;
}

static int has_operands(val v) {
    return LLVMIsAUser(v) || LLVMIsAMDNode(v);
}

static int is_volatile_access(val v) {
    return LLVMIsALoadInst(v) || LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v);
}

static int has_ordering(val v) {
    return LLVMIsALoadInst(v) || LLVMIsAStoreInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAFenceInst(v);
}

static int has_alignment(val v) {
    return LLVMIsAGlobalObject(v) || LLVMIsAAllocaInst(v) || is_volatile_access(v);
}

static int has_indices(val v) {
    return LLVMIsAExtractValueInst(v) || LLVMIsAInsertValueInst(v);
}

static int is_gep(val v) {
    return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static int has_a_count_of_indices(val v) {
    return has_indices(v) || LLVMIsAGetElementPtrInst(v);
}

static int has_unwind_destination(val v) {
    return LLVMIsAInvokeInst(v) || LLVMIsACleanupReturnInst(v) || LLVMIsACatchSwitchInst(v);
}

static int is_mask(val v) {
    return LLVMIsAShuffleVectorInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMShuffleVector);
}

static int has_body(val v) {
    return LLVMIsAFunction(v) && !LLVMIsDeclaration(v);
}

static int is_unused(val v) {
    return !LLVMGetFirstUse(v);
}

static int is_unused_instruction(val v) {
    return is_instruction(v) && is_unused(v);
}

static int of_kind(type t, LLVMTypeKind kind) {
    return LLVMGetTypeKind(t) == kind;
}

static int is_function_type(type t) {
    return of_kind(t, LLVMFunctionTypeKind);
}

static int is_struct(type t) {
    return of_kind(t, LLVMStructTypeKind);
}

static int is_vector(type t) {
    return of_kind(t, LLVMVectorTypeKind) || of_kind(t, LLVMScalableVectorTypeKind);
}

static int is_pointer(type t) {
    return of_kind(t, LLVMPointerTypeKind);
}

/* Pointers have an element in smd-upgrade's LLVM, which has no LLVMGetVersion. */
static int has_elements(type t) {
    return of_kind(t, LLVMArrayTypeKind) || is_vector(t) || (is_pointer(t) && !dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
}

static int is_integer(type t) {
    return of_kind(t, LLVMIntegerTypeKind);
}

static int is_array(type t) {
    return of_kind(t, LLVMArrayTypeKind);
}

static int is_sized(type t) {
    return LLVMTypeIsSized(t);
}

/* An integer of which the API can give all bits. */
static int fits_a_number(val v) {
    return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* ---- The functions -------------------------------------------------------------------------------------------- */

/* LLVM's function of that name. */
#define REAL(name)                                                                                                   \
    static __typeof__(name) *real;                                                                                   \
    if (!real)                                                                                                       \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

#define SHOWN(v)      ((v) ? LLVMPrintValueToString(v) : NULL)
#define TYPE_SHOWN(t) ((t) ? LLVMPrintTypeToString(t) : NULL)

/* Only what is wrong is printed: that takes longer than all else. */
#define CHECK(ok, name, shown)                                                                                       \
    do {                                                                                                             \
        if (!(ok))                                                                                                   \
            refuse_call(name, shown);                                                                                \
    } while (0)

#define OF_VALUE(result, name, is)                                                                                   \
    result name(val v) {                                                                                             \
        REAL(name);                                                                                                  \
        CHECK(v &&is(v), #name, SHOWN(v));                                                                           \
        return real(v);                                                                                              \
    }

#define OF_VALUE_AND(result, name, is, second)                                                                       \
    result name(val v, second x) {                                                                                   \
        REAL(name);                                                                                                  \
        CHECK(v &&is(v), #name, SHOWN(v));                                                                           \
        return real(v, x);                                                                                           \
    }

#define OF_VALUE_AND_TWO(result, name, is, second, third)                                                            \
    result name(val v, second x, third y) {                                                                          \
        REAL(name);                                                                                                  \
        CHECK(v &&is(v), #name, SHOWN(v));                                                                           \
        return real(v, x, y);                                                                                        \
    }

#define OF_VALUE_AND_THREE(result, name, is, second, third, fourth)                                                  \
    result name(val v, second x, third y, fourth z) {                                                                \
        REAL(name);                                                                                                  \
        CHECK(v &&is(v), #name, SHOWN(v));                                                                           \
        return real(v, x, y, z);                                                                                     \
    }

/* Of the value's parts, the one with this index. */
#define OF_INDEX(result, name, is, count)                                                                            \
    result name(val v, unsigned i) {                                                                                 \
        REAL(name);                                                                                                  \
        CHECK(v &&is(v) && i < (unsigned)count(v), #name, SHOWN(v));                                                 \
        return real(v, i);                                                                                           \
    }

#define OF_TYPE(result, name, is)                                                                                    \
    result name(type t) {                                                                                            \
        REAL(name);                                                                                                  \
        CHECK(t &&is(t), #name, TYPE_SHOWN(t));                                                                      \
        return real(t);                                                                                              \
    }

#define OF_TYPE_AND(result, name, is, second)                                                                        \
    result name(type t, second x) {                                                                                  \
        REAL(name);                                                                                                  \
        CHECK(t &&is(t), #name, TYPE_SHOWN(t));                                                                      \
        return real(t, x);                                                                                           \
    }

#define OF_LAYOUT(result, name)                                                                                      \
    result name(LLVMTargetDataRef layout, type t) {                                                                  \
        REAL(name);                                                                                                  \
        CHECK(t &&is_sized(t), #name, TYPE_SHOWN(t));                                                                \
        return real(layout, t);                                                                                      \
    }

/* Calls. */
OF_VALUE(val, LLVMGetCalledValue, is_call)
OF_VALUE(type, LLVMGetCalledFunctionType, is_call)
OF_VALUE(unsigned, LLVMGetNumArgOperands, has_arguments)
OF_VALUE(unsigned, LLVMGetInstructionCallConv, is_call)
OF_VALUE_AND(void, LLVMSetInstructionCallConv, is_call, unsigned)
OF_VALUE(LLVMTailCallKind, LLVMGetTailCallKind, LLVMIsACallInst)
OF_VALUE_AND(void, LLVMSetTailCallKind, LLVMIsACallInst, LLVMTailCallKind)
OF_VALUE(unsigned, LLVMGetNumOperandBundles, is_call)
OF_INDEX(LLVMOperandBundleRef, LLVMGetOperandBundleAtIndex, is_call, LLVMGetNumOperandBundles)
OF_VALUE_AND_TWO(void, LLVMAddCallSiteAttribute, is_call, LLVMAttributeIndex, LLVMAttributeRef)
OF_VALUE_AND(unsigned, LLVMGetCallSiteAttributeCount, is_call, LLVMAttributeIndex)
OF_VALUE_AND_TWO(void, LLVMGetCallSiteAttributes, is_call, LLVMAttributeIndex, LLVMAttributeRef *)
OF_VALUE_AND_TWO(LLVMAttributeRef, LLVMGetCallSiteEnumAttribute, is_call, LLVMAttributeIndex, unsigned)
OF_VALUE_AND_THREE(LLVMAttributeRef, LLVMGetCallSiteStringAttribute, is_call, LLVMAttributeIndex, const char *,
                   unsigned)
OF_VALUE_AND_TWO(void, LLVMRemoveCallSiteEnumAttribute, is_call, LLVMAttributeIndex, unsigned)
OF_VALUE_AND_THREE(void, LLVMRemoveCallSiteStringAttribute, is_call, LLVMAttributeIndex, const char *, unsigned)
OF_VALUE(LLVMBasicBlockRef, LLVMGetNormalDest, LLVMIsAInvokeInst)
OF_VALUE(LLVMBasicBlockRef, LLVMGetUnwindDest, has_unwind_destination)

/* Operands, blocks and instructions. */
OF_VALUE(int, LLVMGetNumOperands, has_operands)
OF_INDEX(val, LLVMGetOperand, has_operands, LLVMGetNumOperands)
OF_INDEX(LLVMUseRef, LLVMGetOperandUse, LLVMIsAUser, LLVMGetNumOperands)
OF_VALUE(unsigned, LLVMGetNumSuccessors, LLVMIsATerminatorInst)
OF_INDEX(LLVMBasicBlockRef, LLVMGetSuccessor, LLVMIsATerminatorInst, LLVMGetNumSuccessors)
OF_VALUE(LLVMBool, LLVMIsConditional, LLVMIsABranchInst)
OF_VALUE(unsigned, LLVMCountIncoming, LLVMIsAPHINode)
OF_INDEX(val, LLVMGetIncomingValue, LLVMIsAPHINode, LLVMCountIncoming)
OF_INDEX(LLVMBasicBlockRef, LLVMGetIncomingBlock, LLVMIsAPHINode, LLVMCountIncoming)
OF_VALUE_AND_THREE(void, LLVMAddIncoming, LLVMIsAPHINode, val *, LLVMBasicBlockRef *, unsigned)
OF_VALUE(LLVMBasicBlockRef, LLVMGetInstructionParent, is_instruction)
OF_VALUE(val, LLVMGetNextInstruction, is_instruction)
OF_VALUE(val, LLVMGetPreviousInstruction, is_instruction)
OF_VALUE(void, LLVMInstructionEraseFromParent, is_unused_instruction)
OF_VALUE(void, LLVMInstructionRemoveFromParent, is_instruction)
OF_VALUE(int, LLVMHasMetadata, is_instruction)
OF_VALUE_AND(val, LLVMGetMetadata, is_instruction, unsigned)
OF_VALUE_AND_TWO(void, LLVMSetMetadata, is_instruction, unsigned, val)
OF_VALUE(LLVMMetadataRef, LLVMInstructionGetDebugLoc, is_instruction)
OF_VALUE_AND(void, LLVMInstructionSetDebugLoc, is_instruction, LLVMMetadataRef)
OF_VALUE(type, LLVMGetAllocatedType, LLVMIsAAllocaInst)
OF_VALUE(unsigned, LLVMGetAlignment, has_alignment)
OF_VALUE_AND(void, LLVMSetAlignment, has_alignment, unsigned)
OF_VALUE(LLVMBool, LLVMGetVolatile, is_volatile_access)
OF_VALUE_AND(void, LLVMSetVolatile, is_volatile_access, LLVMBool)
OF_VALUE(LLVMAtomicOrdering, LLVMGetOrdering, has_ordering)
OF_VALUE(unsigned, LLVMGetNumIndices, has_a_count_of_indices)
OF_VALUE(const unsigned *, LLVMGetIndices, has_indices)
OF_VALUE(unsigned, LLVMGetNumMaskElements, is_mask)
OF_INDEX(int, LLVMGetMaskValue, is_mask, LLVMGetNumMaskElements)
OF_VALUE(LLVMBool, LLVMIsInBounds, is_gep)
OF_VALUE_AND(void, LLVMSetIsInBounds, is_gep, LLVMBool)
OF_VALUE(type, LLVMGetGEPSourceElementType, is_gep)
OF_VALUE(LLVMFastMathFlags, LLVMGetFastMathFlags, LLVMCanValueUseFastMathFlags)
OF_VALUE_AND(void, LLVMSetFastMathFlags, LLVMCanValueUseFastMathFlags, LLVMFastMathFlags)
OF_VALUE(unsigned, LLVMGetNumClauses, LLVMIsALandingPadInst)
OF_INDEX(val, LLVMGetClause, LLVMIsALandingPadInst, LLVMGetNumClauses)
OF_VALUE_AND(void, LLVMAddClause, LLVMIsALandingPadInst, val)
OF_VALUE(LLVMBool, LLVMIsCleanup, LLVMIsALandingPadInst)
OF_VALUE_AND(void, LLVMSetCleanup, LLVMIsALandingPadInst, LLVMBool)

void LLVMSetOperand(val v, unsigned i, val to) {
    REAL(LLVMSetOperand);
    CHECK(v && LLVMIsAUser(v) && i < (unsigned)LLVMGetNumOperands(v) && to, "LLVMSetOperand", SHOWN(v));
    real(v, i, to);
}

void LLVMReplaceAllUsesWith(val v, val by) {
    REAL(LLVMReplaceAllUsesWith);
    CHECK(v && by && v != by, "LLVMReplaceAllUsesWith", SHOWN(v));
    real(v, by);
}

void LLVMPositionBuilderBefore(LLVMBuilderRef b, val v) {
    REAL(LLVMPositionBuilderBefore);
    CHECK(v && is_instruction(v), "LLVMPositionBuilderBefore", SHOWN(v));
    real(b, v);
}

/* The arguments are of the types that the function's type names. */
static int are_arguments(type of, val *args, unsigned n) {
    unsigned count = LLVMCountParamTypes(of);
    type *types = calloc(count + 1, sizeof *types);
    LLVMGetParamTypes(of, types);
    int ok = n == count || (n > count && LLVMIsFunctionVarArg(of));
    for (unsigned i = 0; ok && i < count; i++)
        ok = args[i] && LLVMTypeOf(args[i]) == types[i];
    free(types);
    return ok;
}

val LLVMBuildCall2(LLVMBuilderRef b, type t, val f, val *args, unsigned n, const char *name) {
    REAL(LLVMBuildCall2);
    CHECK(t && is_function_type(t) && f && are_arguments(t, args, n), "LLVMBuildCall2", SHOWN(f));
    return real(b, t, f, args, n, name);
}

val LLVMBuildCallWithOperandBundles(LLVMBuilderRef b, type t, val f, val *args, unsigned n,
                                    LLVMOperandBundleRef *bundles, unsigned count, const char *name) {
    REAL(LLVMBuildCallWithOperandBundles);
    CHECK(t && is_function_type(t) && f && are_arguments(t, args, n), "LLVMBuildCallWithOperandBundles", SHOWN(f));
    return real(b, t, f, args, n, bundles, count, name);
}

val LLVMBuildInvokeWithOperandBundles(LLVMBuilderRef b, type t, val f, val *args, unsigned n, LLVMBasicBlockRef then,
                                      LLVMBasicBlockRef pad, LLVMOperandBundleRef *bundles, unsigned count,
                                      const char *name) {
    REAL(LLVMBuildInvokeWithOperandBundles);
    CHECK(t && is_function_type(t) && f && are_arguments(t, args, n), "LLVMBuildInvokeWithOperandBundles", SHOWN(f));
    return real(b, t, f, args, n, then, pad, bundles, count, name);
}

val LLVMBuildICmp(LLVMBuilderRef b, LLVMIntPredicate p, val l, val r, const char *name) {
    REAL(LLVMBuildICmp);
    CHECK(l && r && LLVMTypeOf(l) == LLVMTypeOf(r), "LLVMBuildICmp", SHOWN(l));
    return real(b, p, l, r, name);
}

val LLVMBuildStore(LLVMBuilderRef b, val v, val to) {
    REAL(LLVMBuildStore);
    CHECK(v && to && is_pointer(LLVMTypeOf(to)), "LLVMBuildStore", SHOWN(to));
    return real(b, v, to);
}

val LLVMBuildLoad2(LLVMBuilderRef b, type t, val from, const char *name) {
    REAL(LLVMBuildLoad2);
    CHECK(t && from && is_pointer(LLVMTypeOf(from)), "LLVMBuildLoad2", SHOWN(from));
    return real(b, t, from, name);
}

/* The type of the part INDEX of an aggregate; NULL if there is none. */
static type part(type aggregate, unsigned index) {
    if (is_struct(aggregate))
        return index < LLVMCountStructElementTypes(aggregate) ? LLVMStructGetTypeAtIndex(aggregate, index) : NULL;
    return is_array(aggregate) && index < LLVMGetArrayLength2(aggregate) ? LLVMGetElementType(aggregate) : NULL;
}

val LLVMBuildExtractValue(LLVMBuilderRef b, val v, unsigned i, const char *name) {
    REAL(LLVMBuildExtractValue);
    CHECK(v && part(LLVMTypeOf(v), i), "LLVMBuildExtractValue", SHOWN(v));
    return real(b, v, i, name);
}

val LLVMBuildInsertValue(LLVMBuilderRef b, val v, val x, unsigned i, const char *name) {
    REAL(LLVMBuildInsertValue);
    CHECK(v && x && part(LLVMTypeOf(v), i) == LLVMTypeOf(x), "LLVMBuildInsertValue", SHOWN(v));
    return real(b, v, x, i, name);
}

/* Globals and functions. */
OF_VALUE(val, LLVMGetInitializer, LLVMIsAGlobalVariable)
OF_VALUE(LLVMBool, LLVMIsThreadLocal, LLVMIsAGlobalVariable)
OF_VALUE_AND(void, LLVMSetThreadLocal, LLVMIsAGlobalVariable, LLVMBool)
OF_VALUE(LLVMBool, LLVMIsGlobalConstant, LLVMIsAGlobalVariable)
OF_VALUE(val, LLVMGetNextGlobal, LLVMIsAGlobalVariable)
OF_VALUE(LLVMLinkage, LLVMGetLinkage, LLVMIsAGlobalValue)
OF_VALUE_AND(void, LLVMSetLinkage, LLVMIsAGlobalValue, LLVMLinkage)
OF_VALUE(const char *, LLVMGetSection, LLVMIsAGlobalValue)
OF_VALUE_AND(void, LLVMSetSection, LLVMIsAGlobalObject, const char *)
OF_VALUE(LLVMComdatRef, LLVMGetComdat, LLVMIsAGlobalObject)
OF_VALUE(LLVMBool, LLVMIsDeclaration, LLVMIsAGlobalValue)
OF_VALUE(type, LLVMGlobalGetValueType, LLVMIsAGlobalValue)
OF_VALUE(LLVMModuleRef, LLVMGetGlobalParent, LLVMIsAGlobalValue)
OF_VALUE(const char *, LLVMGetGC, LLVMIsAFunction)
OF_VALUE_AND(void, LLVMSetGC, LLVMIsAFunction, const char *)
OF_VALUE(unsigned, LLVMCountParams, LLVMIsAFunction)
OF_INDEX(val, LLVMGetParam, LLVMIsAFunction, LLVMCountParams)
OF_VALUE(val, LLVMGetParamParent, LLVMIsAArgument)
OF_VALUE(unsigned, LLVMGetFunctionCallConv, LLVMIsAFunction)
OF_VALUE(LLVMBasicBlockRef, LLVMGetEntryBasicBlock, has_body)
OF_VALUE(LLVMBasicBlockRef, LLVMGetFirstBasicBlock, LLVMIsAFunction)
OF_VALUE(unsigned, LLVMCountBasicBlocks, LLVMIsAFunction)
OF_VALUE(LLVMBool, LLVMHasPersonalityFn, LLVMIsAFunction)
OF_VALUE(val, LLVMGetNextFunction, LLVMIsAFunction)
OF_VALUE(LLVMMetadataRef, LLVMGetSubprogram, LLVMIsAFunction)
OF_VALUE_AND(unsigned, LLVMGetAttributeCountAtIndex, LLVMIsAFunction, LLVMAttributeIndex)
OF_VALUE_AND_TWO(void, LLVMGetAttributesAtIndex, LLVMIsAFunction, LLVMAttributeIndex, LLVMAttributeRef *)
OF_VALUE_AND_TWO(LLVMAttributeRef, LLVMGetEnumAttributeAtIndex, LLVMIsAFunction, LLVMAttributeIndex, unsigned)
OF_VALUE(void, LLVMDeleteFunction, is_unused)
OF_VALUE(void, LLVMDeleteGlobal, is_unused)

void LLVMSetInitializer(val v, val to) {
    REAL(LLVMSetInitializer);
    CHECK(v && LLVMIsAGlobalVariable(v) && (!to || LLVMTypeOf(to) == LLVMGlobalGetValueType(v)), "LLVMSetInitializer",
          SHOWN(v));
    real(v, to);
}

/* Constants. */
OF_VALUE(LLVMOpcode, LLVMGetConstOpcode, LLVMIsAConstantExpr)
OF_VALUE(unsigned long long, LLVMConstIntGetZExtValue, fits_a_number)
OF_VALUE(long long, LLVMConstIntGetSExtValue, fits_a_number)
OF_VALUE_AND(val, LLVMGetAggregateElement, LLVMIsAConstant, unsigned)

/* Types. */
OF_TYPE(unsigned, LLVMGetIntTypeWidth, is_integer)
OF_TYPE(unsigned, LLVMCountParamTypes, is_function_type)
OF_TYPE(type, LLVMGetReturnType, is_function_type)
OF_TYPE_AND(void, LLVMGetParamTypes, is_function_type, type *)
OF_TYPE(LLVMBool, LLVMIsFunctionVarArg, is_function_type)
OF_TYPE(type, LLVMGetElementType, has_elements)
OF_TYPE(uint64_t, LLVMGetArrayLength2, is_array)
OF_TYPE(unsigned, LLVMGetVectorSize, is_vector)
OF_TYPE(unsigned, LLVMGetPointerAddressSpace, is_pointer)
OF_TYPE(unsigned, LLVMCountStructElementTypes, is_struct)
OF_TYPE(LLVMBool, LLVMIsPackedStruct, is_struct)
OF_TYPE(LLVMBool, LLVMIsOpaqueStruct, is_struct)
OF_TYPE(const char *, LLVMGetStructName, is_struct)
OF_LAYOUT(unsigned long long, LLVMABISizeOfType)
OF_LAYOUT(unsigned long long, LLVMStoreSizeOfType)
OF_LAYOUT(unsigned, LLVMABIAlignmentOfType)

type LLVMStructGetTypeAtIndex(type t, unsigned i) {
    REAL(LLVMStructGetTypeAtIndex);
    CHECK(t && is_struct(t) && i < LLVMCountStructElementTypes(t), "LLVMStructGetTypeAtIndex", TYPE_SHOWN(t));
    return real(t, i);
}

unsigned long long LLVMOffsetOfElement(LLVMTargetDataRef layout, type t, unsigned i) {
    REAL(LLVMOffsetOfElement);
    CHECK(t && is_struct(t) && i < LLVMCountStructElementTypes(t), "LLVMOffsetOfElement", TYPE_SHOWN(t));
    return real(layout, t, i);
}
