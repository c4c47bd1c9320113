/* unsupported.c - refuses, by name, what LLVM compiles without an error but does not support together with
 * statepoints: a reference would be lost, or the code would be wrong.
 *
 *   - va_arg of references: no map has those that are still in the register save area, and LLVM's rewrite crashes.
 *   - Coroutines: what is alive across a suspension is moved to a frame that no map describes.
 *   - Naked functions: they have no frame for what has to survive a call.
 *   - Calls that return twice (setjmp): what was alive at the first return is not in the maps of the calls until the second.
 *   - Patchpoints: calls of any function, which the rewrite takes for none.
 *   - Operand bundles that the rewrite forgets.
 *   - What code generation takes from a call's attributes and arguments, and not from a statepoint's: LLVM 19 makes a call of
 *     its own there, of which it knows no more than convention, arguments and their attributes.
 *   - Stack slots that other functions find by llvm.localrecover.
 */
#include "analysis.h"
#include "ir.h"
#include "roots.h"
#include "steps.h"

#include <elf.h>

/* ---- Before the optimiser, which takes coroutines apart ------------------------------------------------------ */

static int begins_coroutine(LLVMValueRef call) {
    return is_intrinsic(call, "llvm.coro.begin");
}

/* Refuses llvm.ssa.copy, and coroutines with references in functions with statepoints. Before the optimiser, which
 * takes coroutines apart. */
sm_status unsupported_check_input(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_intrinsic(call, "llvm.ssa.copy."))
            fail(c, SM_CODEGEN_FAILED, function_of(call), "llvm.ssa.copy is for LLVM's own passes: use its operand");
    if (c->errors)
        return SM_CODEGEN_FAILED;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (function_has_statepoints(f) &&
            (any_call(f, begins_coroutine) || function_attribute(f, "presplitcoroutine")) && has_references(f))
            return fail(c, SM_CANNOT_REWRITE, f,
                        "A coroutine's references are moved into its frame, where no collector finds them: keep them "
                        "in objects of the heap");
    }
    return SM_OK;
}

/* ---- Calls --------------------------------------------------------------------------------------------------- */

/* Refuses each operand bundle of the call that its statepoint would not have. */
static void check_bundles(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(call, i);
        size_t len;
        const char *tag = LLVMGetOperandBundleTag(bundle, &len);
        if (!list_has("deopt,gc-transition,gc-live", tag, len))
            fail(c, SM_CANNOT_REWRITE, f,
                 "The call of %.200s has \"%.*s\" operands, which a statepoint cannot have: they would be lost",
                 safepoint_name(call), (int)(len < 100 ? len : 100), tag);
        LLVMDisposeOperandBundle(bundle);
    }
}

/* ---- What a statepoint's call does not have ---------------------------------------------------------------------- */

/* A call as it was written, or as a statepoint of the module's own says. */
struct wrapped {
    LLVMValueRef call, callee;
    LLVMTypeRef type;
    unsigned first, count; /* of its arguments, among those of the instruction */
};

/* The call that is created: CALL itself, or what it wraps if it is a statepoint of the module's own. */
static struct wrapped wrapped_by(LLVMValueRef call) {
    enum { HEAD = 5, CALLEE = 2, COUNT = 3 };
    struct wrapped w = {call, LLVMGetCalledValue(call), LLVMGetCalledFunctionType(call), 0,
                        LLVMGetNumArgOperands(call)};
    LLVMTypeRef type = is_statepoint(call) ? statepoint_callee_type(call) : NULL;
    if (type) {
        w.type = type;
        w.callee = LLVMGetOperand(call, CALLEE);
        w.first = HEAD;
        w.count = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, COUNT));
    }
    return w;
}

/* 1 if an argument of the call has this attribute, at the call or at the callee's parameter. */
static int has_argument(const struct wrapped *w, const char *attribute) {
    unsigned kind = attribute_kind(attribute);
    for (unsigned i = 0; i < w->count; i++)
        if (LLVMGetCallSiteEnumAttribute(w->call, w->first + i + 1, kind) ||
            (LLVMIsAFunction(w->callee) && LLVMGetEnumAttributeAtIndex(w->callee, i + 1, kind)))
            return 1;
    return 0;
}

/* 1 if the call or its callee has this string attribute. CALL may be NULL. */
static int has_text(LLVMValueRef call, LLVMValueRef callee, const char *name) {
    return (call && call_attribute(call, name)) || (LLVMIsAFunction(callee) && text_attribute(callee, name));
}

/* 1 if x86-64 passes an argument of this type in a vector register. */
static int is_in_vector_register(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind && kind != LLVMX86_FP80TypeKind;
}

/* 1 if a variadic argument is in a vector register: on x86-64 the callee reads their number from al, which a
 * statepoint does not set. */
static int has_vectors_among_variadic(const struct wrapped *w) {
    if (LLVMIsFunctionVarArg(w->type))
        for (unsigned i = LLVMCountParamTypes(w->type); i < w->count; i++)
            if (is_in_vector_register(LLVMTypeOf(LLVMGetOperand(w->call, w->first + i))))
                return 1;
    return 0;
}

/* 1 if the call is indirect and nocf_check in a module with branch protection: a statepoint of it would be checked
 * all the same. */
static int is_untracked(const struct compile *c, const struct wrapped *w) {
    static const char flag[] = "cf-protection-branch";
    return call_enum_attribute(w->call, "nocf_check") && !LLVMIsAFunction(w->callee) &&
           LLVMGetModuleFlag(c->module, flag, sizeof flag - 1);
}

/* AArch64: the attribute by which the call or its callee uses SME's streaming mode, ZA or ZT0; NULL if there is
 * none. */
static const char *streaming_attribute(LLVMValueRef call, LLVMValueRef callee) {
    static const char *const names[] = {"aarch64_pstate_sm_enabled",
                                        "aarch64_pstate_sm_compatible",
                                        "aarch64_pstate_sm_body",
                                        "aarch64_new_za",
                                        "aarch64_in_za",
                                        "aarch64_out_za",
                                        "aarch64_inout_za",
                                        "aarch64_preserves_za",
                                        "aarch64_new_zt0",
                                        "aarch64_in_zt0",
                                        "aarch64_out_zt0",
                                        "aarch64_inout_zt0",
                                        "aarch64_preserves_zt0",
                                        "aarch64_pstate_za_new",
                                        "aarch64_pstate_za_shared"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_text(call, callee, names[i]))
            return names[i];
    return NULL;
}

/* Refuses on x86-64 what a statepoint would lose: "no_callee_saved_registers", the number of variadic vector
 * arguments, nocf_check. */
static void check_x86(struct compile *c, LLVMValueRef f, const struct wrapped *w) {
    const char *name = safepoint_name(w->call);
    if (has_text(w->call, w->callee, "no_callee_saved_registers"))
        fail(
            c, SM_CANNOT_REWRITE, f,
            "The call of %.200s is \"no_callee_saved_registers\", and a statepoint would have registers live through "
            "it: leave the attribute away, or let the call be no safepoint (\"" LEAF_ATTRIBUTE "\")",
            name);
    if (has_vectors_among_variadic(w))
        fail(c, SM_CANNOT_REWRITE, f,
             "The call of %.200s is variadic and has floating-point or vector arguments, whose number a statepoint "
             "does not tell the callee (LLVM 19): give them as named parameters of a function of yours, or as "
             "integers; or say that nothing is collected in it (leaf=%.100s, or \"" LEAF_ATTRIBUTE "\" at the call)",
             name, LLVMIsAFunction(w->callee) ? name : "NAME");
    if (is_untracked(c, w))
        fail(c, SM_CANNOT_REWRITE, f,
             "The call of %.200s is nocf_check, and a statepoint would be tracked (LLVM 19): leave nocf_check away, "
             "and let what is called begin with endbr64",
             name);
}

/* Refuses calls, on AArch64, for which the processor's streaming or ZA mode would have to be switched: a
 * statepoint does not do that. */
static void check_arm(struct compile *c, LLVMValueRef f, const struct wrapped *w) {
    const char *callees = streaming_attribute(w->call, w->callee), *own = streaming_attribute(NULL, f);
    if (callees || own)
        fail(c, SM_CANNOT_REWRITE, f,
             "%s \"%s\", and a statepoint does not switch the processor's mode at the call of %.200s (LLVM 19): make "
             "the call from a function without a GC strategy",
             callees ? "The callee is" : "The function is", callees ? callees : own, safepoint_name(w->call));
}

/* Refuses what this call has and a statepoint of it would lose: swifterror and inalloca arguments, and what the target
 * adds. */
static void check_wrapped(struct compile *c, LLVMValueRef f, const struct wrapped *w) {
    const char *name = safepoint_name(w->call);
    if (has_argument(w, "swifterror"))
        fail(c, SM_CANNOT_REWRITE, f,
             "The call of %.200s has a swifterror argument, and what the callee writes there would not come back "
             "from a statepoint (LLVM 19): pass the error's address as a plain pointer",
             name);
    if (has_argument(w, "inalloca"))
        fail(c, SM_CANNOT_REWRITE, f,
             "The call of %.200s has an inalloca argument, which a statepoint cannot have: pass it byval", name);
    if (c->elf_machine == EM_X86_64)
        check_x86(c, f, w);
    else
        check_arm(c, f, w);
}

/* 1 if a slot that llvm.localescape lets other functions find has room for a reference. */
static int shares_room(const struct compile *c, LLVMValueRef escape) {
    enum { REFERENCE = 8 };
    for (unsigned i = 0; i < LLVMGetNumArgOperands(escape); i++) {
        LLVMValueRef slot = LLVMGetOperand(escape, i);
        if (!LLVMIsAAllocaInst(slot) || !LLVMIsAConstantInt(LLVMGetOperand(slot, 0)) ||
            LLVMConstIntGetZExtValue(LLVMGetOperand(slot, 0)) != 1 ||
            LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), LLVMGetAllocatedType(slot)) >= REFERENCE)
            return 1;
    }
    return 0;
}

/* Refuses a call in a function with statepoints if it cannot become one without loss, or shares stack slots in
 * which references may be stored. */
static void check_unsupported_call(struct compile *c, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    struct wrapped w;
    if (!is_statepoint_gc(LLVMGetGC(f)))
        return;
    if (is_intrinsic(call, "llvm.localescape") && shares_room(c, call))
        fail(c, SM_CANNOT_REWRITE, f,
             "llvm.localescape lets other functions find stack slots, and the collector does not see what they store "
             "there: pass the slots' addresses");
    if (!is_safepoint(c, call) || is_intrinsic(call, "llvm.mem") || is_deoptimize(call))
        return;
    w = wrapped_by(call);
    check_wrapped(c, f, &w);
    if (intrinsic_name(call))
        return;
    check_bundles(c, f, call);
    if (function_attribute(f, "naked"))
        fail(c, SM_CANNOT_REWRITE, f, "A naked function has no frame, and the call of %.200s needs one",
             safepoint_name(call));
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

/* 1 if the call may return twice, as setjmp does. */
static int returns_twice(LLVMValueRef call) {
    return either_attribute(call, "returns_twice") || is_intrinsic(call, "llvm.eh.sjlj.setjmp");
}

/* 1 if the call is a patchpoint that calls a function and is no leaf. */
static int is_patchpoint(LLVMValueRef call) {
    return is_intrinsic(call, "llvm.experimental.patchpoint.") && !LLVMIsNull(LLVMGetOperand(call, 2)) &&
           !is_leaf_call(call);
}

/* 1 if I may be a safepoint that LLVM does not see as one: a patchpoint, or a call that returns twice. */
static int is_unseen(LLVMValueRef v, LLVMValueRef i) {
    (void)v;
    return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && (returns_twice(i) || is_patchpoint(i));
}

/* Refuses a reference that a callbr or va_arg gives. */
static sm_status check_source_unsupported(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    if (!holds_reference(LLVMTypeOf(v)))
        return SM_OK;
    if (LLVMIsACallBrInst(v))
        return fail(c, SM_CANNOT_REWRITE, f, "A callbr gives a reference, whose base LLVM's rewrite cannot find");
    if (LLVMIsAVAArgInst(v))
        return fail(c, SM_CANNOT_REWRITE, f,
                    "va_arg gives a reference, and the collector does not see what other arguments hold: give "
                    "references as arguments of their own");
    return SM_OK;
}

/* Refuses a reference that is alive across a patchpoint or a call that returns twice. */
static sm_status check_across(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    LLVMValueRef call = holds_reference(LLVMTypeOf(v)) ? live_across_such(c, v, is_unseen) : NULL;
    if (!call)
        return SM_OK;
    const char *name = value_name(v);
    if (is_patchpoint(call))
        return fail(
            c, SM_CANNOT_REWRITE, f,
            "%s%s is alive across a patchpoint that calls a function, which is no safepoint to LLVM: make it a "
            "statepoint with patch bytes, or mark the call \"" LEAF_ATTRIBUTE "\"",
            name[0] ? "%" : "A reference", name);
    return fail(
        c, SM_CANNOT_REWRITE, f,
        "%s%s is alive across the call of %.200s, which may return twice: until the second return the collector "
        "does not find it",
        name[0] ? "%" : "A reference", name, callee_name(call));
}

/* Refuses calls and values that LLVM compiles without an error but does not support with statepoints. Requires the
 * optimised module with its polls, before the rewrite. */
sm_status unsupported_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        check_unsupported_call(c, call);
    sm_status s = c->errors ? SM_CANNOT_REWRITE : check_values(c, check_source_unsupported);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef call = function_has_statepoints(f) ? first_call(f) : NULL;
        while (call && !is_unseen(NULL, call))
            call = next_call(call);
        if (call)
            s = check_function_values(c, f, check_across);
    }
    return s;
}

/* ---- Deoptimizations ----------------------------------------------------------------------------------------- */

/* 1 if the block of CALL ends with its return, and nothing else than returns uses it. */
static int is_returned(LLVMValueRef call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAReturnInst(LLVMGetUser(use)))
            return 0;
    return end && LLVMIsAReturnInst(end) && (LLVMGetNumOperands(end) == 0 || LLVMGetOperand(end, 0) == call);
}

/* Refuses deoptimizations that the rewrite cannot handle. Requires polls placed. */
sm_status deopt_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_statepoint_gc(LLVMGetGC(function_of(call))) && is_deoptimize(call) && !is_returned(call))
            fail(c, SM_CANNOT_REWRITE, function_of(call),
                 "What a call of llvm.experimental.deoptimize gives is not what its block returns; try opt=0");
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}
