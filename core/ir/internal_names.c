/* internal_names.c - functions that stand for something, and of which nothing is left in an object: smd's own ("smd.") and the
 * intrinsics that smd lowers ("llvm.gc.", llvm.gcread, llvm.gcwrite).
 *
 * None of them throws. So an invoke of one is a call and a branch, and while the optimiser runs they are nounwind: the
 * inliner makes invokes of all calls that may throw, where the function that they are in was invoked. All readers of
 * marks can then count on calls.
 */
#include "base.h"
#include "ir.h"
#include "memory.h"
#include "state.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* 1 if NAME is, or begins with, that of a mark. */
static int is_name_of_mark(const char *name) {
    static const char *const prefixes[] = {"smd.", "llvm.gc.", "llvm.gcread", "llvm.gcwrite"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts_with(name, prefixes[i]))
            return 1;
    return 0;
}

/* 1 if F is a mark: it is only declared, and named so. */
static int is_internal(LLVMValueRef f) {
    return LLVMIsDeclaration(f) && is_name_of_mark(value_name(f));
}

/* 1 if a module may use a mark of this NAME. */
static int is_public(const char *name) {
    static const char *const names[] = {"smd.gc.pin",      "smd.gc.unpin",    "smd.gc.to_int",
                                        "smd.gc.from_int", "llvm.gc.declare", "llvm.gc.undeclare"};
    static const char *const overloaded[] = {"llvm.gc.value", "llvm.gcread", "llvm.gcwrite"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof overloaded / sizeof *overloaded; i++) {
        size_t n = strlen(overloaded[i]);
        if (strncmp(name, overloaded[i], n) == 0 && (!name[n] || name[n] == '.'))
            return 1;
    }
    return 0;
}

/* ---- Before the verifier --------------------------------------------------------------------------------------- */

/* Replaces PHI by one without a value for the edge from the block FROM. */
static void drop_incoming(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef from) {
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef created = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (block != from)
            LLVMAddIncoming(created, &value, &block, 1);
    }
    if (LLVMCountIncoming(created)) {
        call_replace(phi, created);
    } else {
        LLVMInstructionEraseFromParent(created);
        LLVMReplaceAllUsesWith(phi, LLVMGetPoison(LLVMTypeOf(phi)));
        LLVMInstructionEraseFromParent(phi);
    }
}

/* Replaces INVOKE by a call and a branch to where it goes on. */
static void make_call(struct compile *c, LLVMValueRef invoke) {
    unsigned n = LLVMGetNumArgOperands(invoke), bundle_count = LLVMGetNumOperandBundles(invoke);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(invoke), normal = LLVMGetNormalDest(invoke);
    LLVMValueRef *args = xcalloc(n + 1, sizeof *args);
    LLVMOperandBundleRef *bundles = xcalloc(bundle_count + 1, sizeof(LLVMOperandBundleRef));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetOperand(invoke, i);
    for (unsigned i = 0; i < bundle_count; i++)
        bundles[i] = LLVMGetOperandBundleAtIndex(invoke, i);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke)), next; i && LLVMIsAPHINode(i);
         i = next) {
        next = LLVMGetNextInstruction(i);
        drop_incoming(b, i, block);
    }
    LLVMPositionBuilderBefore(b, invoke);
    LLVMValueRef call = LLVMBuildCallWithOperandBundles(
        b, LLVMGetCalledFunctionType(invoke), LLVMGetCalledValue(invoke), args, n, bundles, bundle_count, "");
    LLVMSetInstructionCallConv(call, LLVMGetInstructionCallConv(invoke));
    LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(invoke));
    call_copy_attributes(invoke, (unsigned)LLVMAttributeFunctionIndex, call, (unsigned)LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= n; i++) /* 0 is the result's */
        call_copy_attributes(invoke, i, call, i);
    LLVMBuildBr(b, normal);
    call_replace(invoke, call);
    for (unsigned i = 0; i < bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    LLVMDisposeBuilder(b);
    free(bundles);
    free(args);
}

/* Makes calls of all invokes of F. */
static void take_invokes(struct compile *c, LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        while (next && LLVMGetUser(next) == user)
            next = LLVMGetNextUse(next);
        if (LLVMIsAInvokeInst(user) && LLVMGetCalledValue(user) == f)
            make_call(c, user);
    }
}

/* Refuses what uses F, a mark of smd's, and does not call it: nothing would be left to call. */
static sm_status check_users(struct compile *c, LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_call(user) || LLVMGetCalledValue(user) != f || LLVMIsACallBrInst(user))
            return fail(c, SM_INVALID_MODULE, NULL, "%s can only be called, and its address is taken", value_name(f));
    }
    return SM_OK;
}

/* Refuses a function whose name is smd's or an intrinsic's that smd lowers, and that is none of those which a module
 * may call. */
static sm_status check_name(struct compile *c, LLVMValueRef f) {
    if (is_public(value_name(f)) || !LLVMGetFirstUse(f))
        return SM_OK;
    return fail(c, SM_INVALID_MODULE, NULL,
                "There is no function %s: names that begin with \"smd.\" are smd's, those with \"llvm.gc.\" its "
                "intrinsics; it has smd.gc.pin, smd.gc.unpin, smd.gc.to_int, smd.gc.from_int, llvm.gc.declare, "
                "llvm.gc.undeclare and llvm.gc.value",
                value_name(f));
}

/* Makes a call of each invoke of a mark in the module as it was read, and refuses names that only look like marks.
 * Before anything reads them. */
sm_status marks_read(struct compile *c) {
    assert(c->form == FORM_READ);
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (!is_internal(f))
            continue;
        s = check_name(c, f);
        if (s == SM_OK)
            s = check_users(c, f);
        if (s == SM_OK)
            take_invokes(c, f);
    }
    return s;
}

/* ---- Around the optimiser, and at the end ---------------------------------------------------------------------- */

/* Says of all marks that they do not throw. Before the optimiser. */
void marks_keep(struct compile *c) {
    unsigned kind = attribute_kind("nounwind");
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (is_internal(f))
            LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(c->context, kind, 0));
}

/* The function with the first instruction that uses F; NULL if there is none. */
static LLVMValueRef first_user(LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            return LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(use)));
    return NULL;
}

/* Fails if a mark is left, which would be an undefined symbol of the object. LLVM's own llvm.gcread and llvm.gcwrite
 * may be: code generation makes a load or a store of them (barriers.c). Requires the module as it will be emitted. */
sm_status marks_check_left(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = value_name(f);
        if (is_internal(f) && LLVMGetFirstUse(f) && strcmp(name, "llvm.gcread") != 0 &&
            strcmp(name, "llvm.gcwrite") != 0)
            return fail(c, SM_INTERNAL, first_user(f), "A use of %s is left, which was to be lowered", name);
    }
    return SM_OK;
}
