/* gcroot_frames.c - llvm.gcroots and frames that code generation could not take are refused, or repaired. */
#include "deviations.h"
#include "gcroot.h"
#include "gcroots.h"
#include "ir.h"

struct check {
    struct compile *c;
    sm_status status;
};

/* The number of llvm.gcroot calls that mark the slot. */
static int marks_of(LLVMValueRef slot) {
    int marks = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        marks += is_gcroot(user) && LLVMGetOperand(user, 0) == slot;
    }
    return marks;
}

static int has_shadow_stack(LLVMValueRef f) {
    const char *strategy = LLVMGetGC(f);
    return strategy && strcmp(strategy, "shadow-stack") == 0;
}

static int has_frame_table(LLVMValueRef f) {
    const char *strategy = LLVMIsDeclaration(f) ? NULL : LLVMGetGC(f);
    return strategy && strcmp(strategy, "ocaml") == 0;
}

/* Refuses an llvm.gcroot that code generation could not take: it has to be in the first block, of a
 * static alloca there (GarbageCollection.rst). Asked after the optimiser, which may have moved both. */
static void check_slot_frame(struct check *k, LLVMValueRef f, LLVMValueRef call) {
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(f);
    LLVMValueRef slot = slot_of_mark(call);
    if (!LLVMIsAAllocaInst(slot))
        k->status = fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot has to be given an alloca");
    else if (LLVMGetInstructionParent(call) != first || LLVMGetInstructionParent(slot) != first)
        k->status =
            fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot and its alloca have to be in the function's first block");
    else if (marks_of(slot) > 1) /* equal ones are one by now; of others the slot would be listed twice */
        k->status = fail(k->c, SM_INVALID_GCROOT, f,
                         "llvm.gcroot marks one alloca twice, with different metadata: give each root a slot");
    else if (!alloca_count(slot))
        k->status = fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot has to be given an alloca of fixed size");
    else if (!has_shadow_stack(f) && slot_mover(f))
        k->status = fail(k->c, SM_CODEGEN_FAILED, f,
                         "The function's attribute %s has slots moved elsewhere, and records say where they were: "
                         "leave it out, or use strategy \"shadow-stack\"",
                         slot_mover(f));
}

/* Refuses a call in a naked function of a strategy with llvm.gcroot: the function has no frame
 * for slots and the return address, and a record's return address may be the function's own. */
static void check_naked_frame(struct check *k, LLVMValueRef f, LLVMValueRef call) {
    if (gc_features(LLVMGetGC(f)) == GC_ROOTS && !is_intrinsic(call, "llvm.dbg.") &&
        !LLVMIsAInlineAsm(LLVMGetCalledValue(call)) && function_attribute(f, "naked"))
        k->status = fail(k->c, SM_CODEGEN_FAILED, f,
                         "A naked function has no frame, and the call of %.200s needs one", safepoint_name(call));
}

/* Refuses a function of strategy ocaml whose frame has no fixed size: its frame table needs one, and LLVM ends the
 * process otherwise. */
static sm_status check_frame(struct compile *c, LLVMValueRef f) {
    if (!has_frame_table(f))
        return SM_OK;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (LLVMIsAAllocaInst(i) && !is_in_fixed_frame(i))
            return fail(
                c, SM_CODEGEN_FAILED, f,
                "The frame has no fixed size, as strategy \"ocaml\" needs: an alloca has a size that varies, is "
                "not in the first block, or is aligned to more than 16 bytes");
    return SM_OK;
}

/* With shadow_chain=thread_local, makes llvm_gc_root_chain a thread-local variable if a function has a shadow stack.
 * LLVM's lowering uses it if it is there; otherwise it makes one for the entire process. */
static sm_status make_chain_local(struct compile *c) {
    static const char name[] = SHADOW_CHAIN;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c->context, 0);
    LLVMValueRef f = LLVMGetFirstFunction(c->module), chain = LLVMGetNamedGlobal(c->module, name);
    while (f && (LLVMIsDeclaration(f) || !has_shadow_stack(f)))
        f = LLVMGetNextFunction(f);
    if (!f || c->options->shadow_chain == SM_CHAIN_GLOBAL)
        return SM_OK;
    if (LLVMGetNamedFunction(c->module, name) || is_other_name(c->module, name) ||
        (chain && LLVMGlobalGetValueType(chain) != pointer))
        return fail(c, SM_GC_MISMATCH, NULL, "'%s' is in the module, but is not a variable of type ptr", name);
    if (!chain) {
        chain = LLVMAddGlobal(c->module, pointer, name);
        LLVMSetInitializer(chain, LLVMConstNull(pointer));
        LLVMSetLinkage(chain, LLVMLinkOnceAnyLinkage);
    }
    LLVMSetThreadLocal(chain, 1);
    deviate(c, DEVIATION_CHAIN_LOCAL);
    return SM_OK;
}

/* 1 if the module's data may end within a word. */
static int has_odd_data(const struct compile *c) {
    enum { WORD = 8 };
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    size_t len;
    LLVMGetModuleInlineAsm(c->module, &len);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && !len; g = LLVMGetNextGlobal(g))
        len = !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) && !LLVMIsThreadLocal(g) &&
              LLVMABISizeOfType(data, LLVMGlobalGetValueType(g)) % WORD;
    return len != 0;
}

/* Adds a word behind the module's data if the frame table of strategy ocaml follows them: LLVM 19 puts it there without
 * aligning it, and then aligns what is in it. */
static void align_frame_table(struct compile *c) {
    LLVMTypeRef word = LLVMInt64TypeInContext(c->context);
    LLVMValueRef f = LLVMGetFirstFunction(c->module);
    while (f && !has_frame_table(f))
        f = LLVMGetNextFunction(f);
    if (!f || !has_odd_data(c))
        return;
    LLVMValueRef end = LLVMAddGlobal(c->module, word, "");
    LLVMSetInitializer(end, LLVMConstInt(word, 1, 0)); /* zeros would be elsewhere */
    LLVMSetLinkage(end, LLVMPrivateLinkage);
    LLVMSetAlignment(end, 8);
    deviate(c, DEVIATION_FRAME_TABLE);
}

/* Settles and checks llvm.gcroots and frames of gcroot strategies. Requires the optimised module. */
sm_status stage_gcroots(struct compile *c) {
    assert(c->form == FORM_OPTIMISED);
    struct check k = {.c = c, .status = make_chain_local(c)};
    if (k.status == SM_OK)
        k.status = gcroots_repair(c);
    for (LLVMValueRef call = first_module_call(c->module); call && k.status == SM_OK; call = next_module_call(call))
        if (is_gcroot(call))
            check_slot_frame(&k, function_of(call), call);
    for (LLVMValueRef call = first_module_call(c->module); call && k.status == SM_OK; call = next_module_call(call))
        check_naked_frame(&k, function_of(call), call);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); k.status == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            k.status = check_frame(c, f);
    align_frame_table(c);
    return k.status == SM_OK ? slot_pointers_mark(c) : k.status;
}
