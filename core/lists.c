/* lists.c - stack slots that the module's own statepoints list stay listed.
 *
 * LLVM's optimiser drops from a "gc-live" bundle what no gc.relocate names, and with it the slots that a collector was to
 * be told of: nothing else uses them. So a function with such a statepoint is kept from the optimiser. Everything after it
 * sees the function as it came.
 *
 * Requires the verified module, before it is optimised.
 */
#include "core.h"

#include <string.h>

#define KEPT "smd-listed"

static unsigned attribute(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static LLVMValueRef origin(LLVMValueRef v) {
    while (LLVMIsAGetElementPtrInst(v) || LLVMIsABitCastInst(v) || LLVMIsAAddrSpaceCastInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static int lists_slot(LLVMOperandBundleRef bundle) {
    size_t len;
    const char *tag = LLVMGetOperandBundleTag(bundle, &len);
    if (len != 7 || memcmp(tag, "gc-live", 7) != 0)
        return 0;
    for (unsigned i = 0; i < LLVMGetNumOperandBundleArgs(bundle); i++)
        if (LLVMIsAAllocaInst(origin(LLVMGetOperandBundleArgAtIndex(bundle, i))))
            return 1;
    return 0;
}

static void look(void *arg, LLVMValueRef function, LLVMValueRef call) {
    int *listed = arg;
    (void)function;
    for (unsigned i = 0; !*listed && i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        *listed = lists_slot(bundle);
        LLVMDisposeOperandBundle(bundle);
    }
}

static void add(struct compile *c, LLVMValueRef f, const char *name) {
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(c->context, attribute(name), 0));
}

/* What this file has added, and only that, is taken away again: the mark's value says whether noinline was there. */
static void keep(struct compile *c, LLVMValueRef f) {
    int noinline = LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("noinline")) != NULL;
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(c->context, KEPT, sizeof KEPT - 1, noinline ? "n" : "", noinline ? 1 : 0));
    add(c, f, "noinline");
    add(c, f, "optnone");
    c->lists_slots = 1;
}

sm_status lists_keep(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        int listed = 0;
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)) ||
            LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("optnone")))
            continue;
        visit_calls(f, look, &listed);
        if (listed && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("alwaysinline")))
            return fail(
                c, SM_CANNOT_REWRITE, f,
                "The function lists stack slots in \"gc-live\" and is to be inlined always: the slots would be lost");
        if (listed)
            keep(c, f);
    }
    return SM_OK;
}

void lists_release(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        unsigned len;
        LLVMAttributeRef mark = LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, KEPT, sizeof KEPT - 1);
        if (!mark)
            continue;
        LLVMGetStringAttributeValue(mark, &len);
        if (len == 0)
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("noinline"));
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute("optnone"));
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, KEPT, sizeof KEPT - 1);
    }
}
