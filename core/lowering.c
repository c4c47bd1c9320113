/* lowering.c - what LLVM 19's code generation ends the process over, refused by name before it.
 *
 * Requires the module as it will be emitted.
 */
#include "core.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

/* It gives a landing pad two values at most, an address and a number, and a resume takes those. */
static int is_exception(LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != 2)
        return 0;
    LLVMTypeRef first = LLVMStructGetTypeAtIndex(type, 0), second = LLVMStructGetTypeAtIndex(type, 1);
    LLVMTypeKind kind = LLVMGetTypeKind(first);
    return (kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind) &&
           LLVMGetTypeKind(second) == LLVMIntegerTypeKind;
}

static sm_status check_pads(struct compile *c, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALandingPadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMTokenTypeKind &&
                !is_exception(LLVMTypeOf(i)))
                return fail(c, SM_CODEGEN_FAILED, f,
                            "A landing pad that gives neither { ptr, i32 } nor a token cannot be turned into machine "
                            "code");
            if (LLVMGetInstructionOpcode(i) == LLVMResume && !is_exception(LLVMTypeOf(LLVMGetOperand(i, 0))))
                return fail(c, SM_CODEGEN_FAILED, f,
                            "A resume of a value that is no { ptr, i32 } cannot be turned into machine code");
        }
    return SM_OK;
}

/* The calling conventions of LLVM 19 that have rules for arguments on AArch64 (llvm/IR/CallingConv.h). */
static int aarch64_has(unsigned convention) {
    static const unsigned char has[] = {0, 8, 10, 14, 15, 16, 17, 18, 20, 21, 79, 97, 98, 107};
    for (size_t i = 0; i < sizeof has; i++)
        if (has[i] == convention)
            return 1;
    return 0;
}

static int carries_values(LLVMTypeRef type) {
    return LLVMCountParamTypes(type) || LLVMIsFunctionVarArg(type) ||
           LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind;
}

static sm_status check_convention(struct compile *c, LLVMValueRef f, unsigned convention, LLVMTypeRef type,
                                  const char *what) {
    if (c->elf_machine != EM_AARCH64 || aarch64_has(convention) || !carries_values(type))
        return SM_OK;
    return fail(c, SM_CODEGEN_FAILED, f,
                "Calling convention %u of %.200s has no rules for arguments and results on this target (LLVM 19)",
                convention, what);
}

/* The convention of a patchpoint is that of the call that it stands for, whose arguments follow the four of its own. That of
 * "anyregcc" needs no rules. */
static sm_status check_patchpoint(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { ANYREG = 13, OWN = 4 };
    unsigned convention = LLVMGetInstructionCallConv(call);
    LLVMValueRef count = LLVMGetOperand(call, OWN - 1);
    int carries = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind || !LLVMIsAConstantInt(count) ||
                  LLVMConstIntGetZExtValue(count);
    if (c->elf_machine != EM_AARCH64 || convention == ANYREG || aarch64_has(convention) || !carries)
        return SM_OK;
    return fail(
        c, SM_CODEGEN_FAILED, f,
        "Calling convention %u of a patchpoint has no rules for arguments and results on this target (LLVM 19)",
        convention);
}

struct search {
    struct compile *c;
    sm_status status;
};

static void check_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct search *s = arg;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    const char *intrinsic = intrinsic_name(call);
    if (s->status == SM_OK && intrinsic && strncmp(intrinsic, "llvm.experimental.patchpoint", 28) == 0)
        s->status = check_patchpoint(s->c, f, call);
    if (intrinsic) {
        unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
        LLVMAttributeRef callee = is_safepoint(s->c, call) ? LLVMGetCallSiteEnumAttribute(call, 3, kind) : NULL;
        if (!callee)
            return;
        type = LLVMGetTypeAttributeValue(callee);
    }
    if (s->status == SM_OK)
        s->status = check_convention(s->c, f, LLVMGetInstructionCallConv(call), type, safepoint_name(call));
}

sm_status lowering_check(struct compile *c) {
    struct search s = {c, SM_OK};
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s.status == SM_OK; f = LLVMGetNextFunction(f)) {
        size_t len;
        if (LLVMIsDeclaration(f))
            continue;
        s.status = check_pads(c, f);
        if (s.status == SM_OK)
            s.status = check_convention(c, f, LLVMGetFunctionCallConv(f), LLVMGlobalGetValueType(f),
                                        LLVMGetValueName2(f, &len));
        if (s.status == SM_OK)
            visit_calls(f, check_call, &s);
    }
    return s.status;
}
