/* pads.c - relocations on landing pads that give { ptr, i32 }, which is what frontends write.
 *
 * A landing pad of type token gives its handler neither exception nor selector. LLVM's rewrite makes gc.relocates on
 * any pad, and its code generation finds the statepoint by way of the pad's block, whatever the pad's type is. Only
 * the signature of gc.relocate asks for a token: the calls that the rewrite has made on other pads are no valid IR,
 * and cannot be written down and read again. So they get a declaration that fits: the same intrinsic (LLVM goes by
 * the name's beginning) under a name and with a type of its own. LLVM's verifier knows one signature for each
 * intrinsic; while it looks, the declaration has a name that is none, so that it sees calls like others.
 */
#include "core.h"

#include <string.h>

#define RELOCATE "llvm.experimental.gc.relocate"
#define HIDDEN   "smd."

enum { NAME_MAX_LEN = 200 }; /* of an overloaded intrinsic on a pointer or a vector of them */

/* 1 if the call is a relocation whose operand is no token, but a landing pad with another type. */
static int is_untyped(LLVMValueRef call) {
    return is_relocate(call) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) != LLVMTokenTypeKind;
}

/* LLVM's number of an enum attribute, by its name. */
static unsigned kind_of(const char *attribute) {
    return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
}

/* Declares a relocation intrinsic of this name and type, without "immarg", which LLVM's verifier accepts only with
 * its own signature. */
static LLVMValueRef declare_helper(struct compile *c, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(c->module, name, type);
    LLVMRemoveEnumAttributeAtIndex(f, 2, kind_of("immarg"));
    LLVMRemoveEnumAttributeAtIndex(f, 3, kind_of("immarg"));
    return f;
}

/* The relocation intrinsic with CALL's result type that takes a pad of the type of CALL's operand; declared if it
 * is not there yet. */
static LLVMValueRef relocate_on_pad(struct compile *c, LLVMValueRef call) {
    LLVMTypeRef index = LLVMInt32TypeInContext(c->context);
    LLVMTypeRef params[] = {LLVMTypeOf(LLVMGetOperand(call, 0)), index, index};
    LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), params, 3, 0);
    char name[NAME_MAX_LEN + 32];
    LLVMValueRef f = NULL;
    for (unsigned n = 0; !f || LLVMGlobalGetValueType(f) != type; n++) {
        snprintf(name, sizeof name, "%.*s.pad%u", NAME_MAX_LEN, intrinsic_name(call), n);
        f = LLVMGetNamedFunction(c->module, name);
        if (!f)
            f = declare_helper(c, name, type);
    }
    return f;
}

/* Puts W in the place of V, deletes V and gives W its name. */
static void replace_renamed(LLVMValueRef v, LLVMValueRef w) {
    size_t len;
    const char *old = LLVMGetValueName2(v, &len);
    char name[NAME_MAX_LEN];
    int n = snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), old);
    LLVMReplaceAllUsesWith(v, w);
    LLVMInstructionEraseFromParent(v);
    LLVMSetValueName2(w, name, (size_t)n);
}

/* Replaces a relocation on a pad that is no token by a typed one, nomerge: relocations on two pads must stay two
 * calls, as one of a phi of both would be of neither; AArch64's code generation would make it. */
static void retype(void *arg, LLVMValueRef function, LLVMValueRef call) {
    struct compile *c = arg;
    (void)function;
    if (!is_untyped(call))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = relocate_on_pad(c, call);
    LLVMValueRef args[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2)};
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef typed = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 3, "");
    LLVMSetInstructionCallConv(typed, LLVMGetInstructionCallConv(call));
    LLVMAddCallSiteAttribute(typed, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(c->context, kind_of("nomerge"), 0));
    replace_renamed(call, typed);
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_TYPED_PADS);
}

/* Gives all relocations on landing pads without a token intrinsics with a signature that fits. */
void pads_retype(struct compile *c) {
    visit_module_calls(c->module, retype, c);
}

/* Renames the typed relocation intrinsics: those whose name begins with FROM now begin with TO. */
static void rename_all(struct compile *c, const char *from, const char *to) {
    char name[NAME_MAX_LEN + 64];
    size_t len, skip = strlen(from);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *old = LLVMGetValueName2(f, &len);
        if (len < skip || memcmp(old, from, skip) != 0 || LLVMCountParams(f) != 3 ||
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, 0))) == LLVMTokenTypeKind)
            continue;
        int n = snprintf(name, sizeof name, "%s%s", to, old + skip);
        LLVMSetValueName2(f, name, (size_t)n);
    }
}

/* Gives typed relocations a name that is no intrinsic's, so that LLVM's verifier takes them for other calls. */
void pads_hide(struct compile *c) {
    if (has_deviated(c, DEVIATION_TYPED_PADS))
        rename_all(c, RELOCATE, HIDDEN RELOCATE);
}

/* Gives typed relocations their intrinsic's name back. */
void pads_show(struct compile *c) {
    if (has_deviated(c, DEVIATION_TYPED_PADS))
        rename_all(c, HIDDEN RELOCATE, RELOCATE);
}
