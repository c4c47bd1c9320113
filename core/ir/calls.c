/* calls.c - calls that are built anew, because LLVM's C API changes neither the bundles of a call nor what it calls. */
#include "ir.h"

#include <llvm-c/DebugInfo.h>

/* Copies the attributes of one place (function, result or argument, by index) of a call to a place of another. */
void call_copy_attributes(LLVMValueRef from, unsigned from_index, LLVMValueRef to, unsigned to_index) {
    unsigned n = LLVMGetCallSiteAttributeCount(from, from_index);
    LLVMAttributeRef *all = xcalloc(n, sizeof *all);
    LLVMGetCallSiteAttributes(from, from_index, all);
    for (unsigned i = 0; i < n; i++)
        LLVMAddCallSiteAttribute(to, to_index, all[i]);
    free(all);
}

/* Builds before LIKE a call or invoke of the parts P, with LIKE's convention, tail kind, debug location and function
 * attributes; gives it. LIKE stays. */
LLVMValueRef call_build(LLVMValueRef like, const struct call_parts *p) {
    LLVMBuilderRef b = builder_at(like);
    LLVMValueRef created =
        LLVMIsAInvokeInst(like) && !p->is_call
            ? LLVMBuildInvokeWithOperandBundles(b, p->type, p->callee, p->args, p->arg_count, LLVMGetNormalDest(like),
                                                LLVMGetUnwindDest(like), p->bundles, p->bundle_count, "")
            : LLVMBuildCallWithOperandBundles(b, p->type, p->callee, p->args, p->arg_count, p->bundles,
                                              p->bundle_count, "");
    LLVMDisposeBuilder(b);
    LLVMSetInstructionCallConv(created, LLVMGetInstructionCallConv(like));
    if (LLVMIsACallInst(like))
        LLVMSetTailCallKind(created, LLVMGetTailCallKind(like));
    LLVMInstructionSetDebugLoc(created, LLVMInstructionGetDebugLoc(like));
    call_copy_attributes(like, (unsigned)LLVMAttributeFunctionIndex, created, (unsigned)LLVMAttributeFunctionIndex);
    return created;
}

/* Replaces OLD by CREATED in all its uses, gives it the name and erases OLD. */
void call_replace(LLVMValueRef old, LLVMValueRef created) {
    size_t len;
    const char *name = LLVMGetValueName2(old, &len);
    char *kept = xstrndup(name, len);
    replace_value(old, created);
    if (kept[0])
        LLVMSetValueName2(created, kept, strlen(kept));
    free(kept);
}

/* 1 if the bundle has this tag. */
static int has_tag(LLVMOperandBundleRef bundle, const char *tag) {
    size_t len;
    const char *name = LLVMGetOperandBundleTag(bundle, &len);
    return len == strlen(tag) && memcmp(name, tag, len) == 0;
}

LLVMOperandBundleRef call_bundle(LLVMValueRef call, const char *tag) {
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        if (has_tag(bundle, tag))
            return bundle;
        LLVMDisposeOperandBundle(bundle);
    }
    return NULL;
}

struct operands call_operands(LLVMValueRef call, const char *tag) {
    struct operands o = {LLVMGetNumArgOperands(call), 0};
    unsigned behind = o.first;
    for (unsigned i = 0, n = LLVMGetNumOperandBundles(call); i < n && !(tag && o.end); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        behind += LLVMGetNumOperandBundleArgs(bundle);
        if (!tag || has_tag(bundle, tag))
            o.end = behind;
        else
            o.first = behind;
        LLVMDisposeOperandBundle(bundle);
    }
    return o.end ? o : (struct operands){0, 0};
}

/* Writes all operand bundles of CALL but TAG to BUNDLES, and gives how many; the caller disposes of them. */
unsigned call_other_bundles(LLVMValueRef call, const char *tag, LLVMOperandBundleRef *bundles) {
    unsigned kept = 0;
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        if (has_tag(bundle, tag))
            LLVMDisposeOperandBundle(bundle);
        else
            bundles[kept++] = bundle;
    }
    return kept;
}

/* Builds CALL again as one of a function of TYPE, with MORE (NULL: none) in the place of its bundle TAG, and erases it.
 * IS_CALL: it is no invoke any more. */
static LLVMValueRef rebuild(LLVMValueRef call, LLVMTypeRef type, const char *tag, LLVMOperandBundleRef more,
                            int is_call) {
    unsigned n = LLVMGetNumArgOperands(call), has = LLVMGetNumOperandBundles(call);
    LLVMValueRef *args = xcalloc(n + 1, sizeof *args);
    LLVMOperandBundleRef *bundles = xcalloc(has + 1, sizeof(LLVMOperandBundleRef));
    struct call_parts p = {type, LLVMGetCalledValue(call), args, n, bundles, 0, is_call};
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(call, i);
    p.bundle_count = call_other_bundles(call, tag, bundles);
    if (more)
        bundles[p.bundle_count++] = more;
    LLVMValueRef created = call_build(call, &p);
    for (unsigned i = 0; i <= n; i++) /* 0 is the result's */
        call_copy_attributes(call, i, created, i);
    call_replace(call, created);
    for (unsigned i = 0; i < p.bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    free(bundles);
    free(args);
    return created;
}

LLVMValueRef call_extend(struct compile *c, LLVMValueRef call, const char *tag, LLVMValueRef *more, unsigned count) {
    struct operands old = call_operands(call, tag);
    unsigned listed = old.end - old.first;
    LLVMValueRef *list = xcalloc(listed + count + 1, sizeof *list);
    for (unsigned i = 0; i < listed; i++)
        list[i] = LLVMGetOperand(call, old.first + i);
    for (unsigned i = 0; i < count; i++)
        list[listed + i] = more[i];
    LLVMOperandBundleRef bundle =
        listed + count ? LLVMCreateOperandBundle(tag, strlen(tag), list, listed + count) : NULL;
    c->has |= HAS_BUNDLES;
    LLVMValueRef created = rebuild(call, LLVMGetCalledFunctionType(call), tag, bundle, 0);
    free(list);
    return created;
}

LLVMValueRef call_rebuild(LLVMValueRef call, LLVMTypeRef type, const char *tag) {
    return rebuild(call, type, tag, NULL, 0);
}

LLVMValueRef call_from_invoke(LLVMValueRef invoke) {
    return rebuild(invoke, LLVMGetCalledFunctionType(invoke), "", NULL, 1);
}

/* The instruction after the call, past phis; NULL if the normal destination of an invoke has other
 * predecessors. */
LLVMValueRef after_call(LLVMValueRef call) {
    LLVMValueRef i = LLVMGetNextInstruction(call);
    if (LLVMIsAInvokeInst(call)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(call), to = LLVMGetNormalDest(call);
        for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); use; use = LLVMGetNextUse(use))
            if (!LLVMIsAInstruction(LLVMGetUser(use)) || LLVMGetInstructionParent(LLVMGetUser(use)) != from)
                return NULL;
        i = LLVMGetFirstInstruction(to);
    }
    while (i && LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}
