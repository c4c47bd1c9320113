/* strategy.c - which function has which GC strategy and which polls; what does not go together is refused before LLVM
 * sees it. */
#include "interval.h"
#include "profile.h"
#include "rootpolls.h"

#include <assert.h>
#include <string.h>

#define POLLS_ATTRIBUTE "smd-safepoints"

/* Writes ", and the profiles A, B" into TEXT, of the server's profiles; "" if there are none. Gives TEXT. */
static const char *profile_names(const struct compile *c, char *text, size_t size) {
    const char *at = NULL;
    sm_profile p;
    size_t n = 0;
    text[0] = 0;
    while (n < size && sm_profile_next((const char *)c->profiles.data, c->profiles.len, &at, &p))
        n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : ", and the profiles ", p.name);
    return text;
}

/* Fails the compile with "there is no GC strategy" GC, the nearest name, and those that there are. */
static sm_status unknown(struct compile *c, LLVMValueRef f, const char *gc) {
    const char *nearest = sm_nearest(gc, known_strategies());
    char names[512], known[NAMES_MAX];
    return fail(c, SM_UNSUPPORTED_GC, f, "There is no GC strategy '%s'; %s%s%sthere are %s%s", gc,
                nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "",
                strategies_of(GC_STATEPOINTS | GC_ROOTS, known, sizeof known), profile_names(c, names, sizeof names));
}

/* 1 if F itself says where it is polled. */
static int has_polls_attribute(LLVMValueRef f) {
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, POLLS_ATTRIBUTE,
                                         sizeof POLLS_ATTRIBUTE - 1) != NULL;
}

/* Gives in *BITS where F is polled: by its attribute, or by the option; nowhere in leaf functions. Fails if the
 * attribute has words that the option has not. */
static sm_status polls_of(struct compile *c, LLVMValueRef f, unsigned *bits) {
    LLVMAttributeRef a = text_attribute(f, POLLS_ATTRIBUTE);
    *bits = c->options->safepoints;
    if (is_leaf_function(f)) { /* what calls it has no record for the walk */
        if (*bits != 0)
            deviate(c, DEVIATION_OWN_POLLS);
        *bits = 0;
        return SM_OK;
    }
    if (!a && *bits == (SM_SP_ENTRY | SM_SP_BACKEDGE) && LLVMGetGC(f) && strcmp(LLVMGetGC(f), "coreclr") == 0) {
        *bits = SM_SP_BACKEDGE | SP_TAIL; /* by LLVM's document; its pass polls entries, and no tail calls */
        deviate(c, DEVIATION_OWN_POLLS);
    }
    if (!a)
        return SM_OK;
    unsigned len;
    const char *value = LLVMGetStringAttributeValue(a, &len);
    sm_options words;
    sm_option_error err;
    sm_options_init(&words);
    sm_status s = sm_options_set(&words, "safepoints", value, len, &err);
    if (s != SM_OK)
        return fail(c, s, f, "The attribute \"" POLLS_ATTRIBUTE "\": %s", err.message);
    *bits = words.safepoints;
    if (words.safepoints != c->options->safepoints)
        deviate(c, DEVIATION_OWN_POLLS);
    return SM_OK;
}

int function_polls(const struct compile *c, LLVMValueRef f) {
    unsigned bits = 0;
    if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)) || is_hook(f))
        return 0;
    polls_of((struct compile *)c, f, &bits); /* was in order when the stage looked */
    return (int)bits;
}

/* The places (SM_SP_*) where F, of a gcroot strategy, is polled; 0 otherwise. Without the attribute it is polled only
 * if the module or the option poll says what a poll is. */
int function_root_polls(const struct compile *c, LLVMValueRef f) {
    unsigned bits = 0;
    int is_said = LLVMGetNamedFunction(c->module, "gc.safepoint_poll") || strcmp(c->options->poll, "module") != 0;
    if (LLVMIsDeclaration(f) || gc_features(LLVMGetGC(f)) != GC_ROOTS || is_hook(f) ||
        strncmp(c->options->poll, "page:", 5) == 0)
        return 0;
    polls_of((struct compile *)c, f, &bits); /* was in order when the stage looked */
    return has_polls_attribute(f) || is_said ? (int)bits : 0;
}

/* Warns that F, of a gcroot strategy, gets no polls with poll=page: such a poll's record is a statepoint's. */
static void warn_of_pages(struct compile *c, LLVMValueRef f) {
    char text[300];
    size_t len;
    if (gc_features(LLVMGetGC(f)) != GC_ROOTS || strncmp(c->options->poll, "page:", 5) != 0)
        return;
    snprintf(
        text, sizeof text,
        "No polls: page polls are for functions with statepoints, and this one has GC \"%s\"; poll=call:SYMBOL or "
        "poll=flag:SYMBOL:SLOW work in both",
        LLVMGetGC(f));
    diag_add(c, "warning", LLVMGetValueName2(f, &len), text);
}

struct check {
    struct compile *c;
    sm_status status;
    int features;
};

/* Refuses an llvm.gcroot in F if F's strategy has statepoints, or F has none. */
static sm_status check_gcroot(struct check *k, LLVMValueRef f) {
    char names[NAMES_MAX];
    if (k->features == GC_STATEPOINTS)
        return fail(k->c, SM_GC_MISMATCH, f, "llvm.gcroot belongs to %s; this function has GC \"%s\"",
                    strategies_of(GC_ROOTS, names, sizeof names), LLVMGetGC(f));
    return k->features ? SM_OK : fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot needs a function with a GC strategy");
}

/* Refuses a call with a "gc-live" bundle in a function without statepoints: nothing would report what it lists. */
static void check_list(struct check *k, LLVMValueRef f, LLVMValueRef call) {
    char names[NAMES_MAX];
    if (k->features != GC_STATEPOINTS && !intrinsic_name(call) && call_bundle_size(call, "gc-live"))
        k->status =
            fail(k->c, SM_GC_MISMATCH, f,
                 "The call of %.200s has \"gc-live\" operands, which belong to %s; this function has %s%s%s",
                 safepoint_name(call), strategies_of(GC_STATEPOINTS, names, sizeof names),
                 k->features ? "GC \"" : "no GC strategy", k->features ? LLVMGetGC(f) : "", k->features ? "\"" : "");
}

/* Visitor of calls: refuses gcroot and statepoint intrinsics in functions whose strategy does not have them. */
static void check_strategy_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct check *k = arg;
    char names[NAMES_MAX];
    const char *name = intrinsic_name(call);
    if (k->status == SM_OK)
        check_list(k, f, call);
    if (!name || k->status != SM_OK)
        return;
    if (strcmp(name, "llvm.gcroot") == 0)
        k->status = check_gcroot(k, f);
    else if (starts_with(name, "llvm.experimental.gc.get.pointer.") && !k->features)
        k->status =
            fail(k->c, SM_GC_MISMATCH, f,
                 "%s is replaced by the rewrite of functions with statepoints; this one has no GC strategy", name);
    else if (starts_with(name, "llvm.experimental.gc.") && k->features == GC_ROOTS)
        k->status = fail(k->c, SM_GC_MISMATCH, f, "%s belongs to %s; this function has GC \"%s\"", name,
                         strategies_of(GC_STATEPOINTS, names, sizeof names), LLVMGetGC(f));
}

/* Refuses F if its strategy is unknown, its calls do not fit it, or its poll attributes are wrong. */
static sm_status check_function(struct compile *c, LLVMValueRef f) {
    const char *gc = LLVMGetGC(f);
    unsigned bits;
    if (is_plugin_gc(gc))
        deviate(c, DEVIATION_PLUGINS);
    if (gc && !gc_features(gc))
        return unknown(c, f, gc);
    struct check k = {.c = c, .features = gc_features(gc)};
    visit_calls(f, check_strategy_call, &k);
    if (k.status == SM_OK)
        k.status = polls_of(c, f, &bits);
    if (k.status == SM_OK && bits && !is_hook(f))
        warn_of_pages(c, f);
    return k.status == SM_OK ? interval_check(c, f) : k.status;
}

/* Gives F the strategy GC, and notes that the option did so. */
static void set_gc(struct compile *c, LLVMValueRef f, const char *gc) {
    LLVMSetGC(f, gc);
    c->gc_was_set = 1;
}

/* 1 if callees of this calling convention preserve no registers but those that C's callees preserve. With others,
 * such as preserve_mostcc, a reference may stay in a register that a stack walk by C's rules does not restore. */
static int keeps_registers_of_c(unsigned convention) {
    enum { C = 0, FAST = 8, GHC = 10, SWIFT = 16, TAIL = 18, SWIFT_TAIL = 20, PRESERVE_NONE = 21, SYSV = 78 };
    static const unsigned like_c[] = {C, FAST, GHC, SWIFT, TAIL, SWIFT_TAIL, PRESERVE_NONE, SYSV};
    for (size_t i = 0; i < sizeof like_c / sizeof *like_c; i++)
        if (like_c[i] == convention)
            return 1;
    return 0;
}

/* Visitor of calls: sets *ARG to a call of a convention that preserves more registers than C's. */
static void look_for_registers(void *arg, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef *found = arg;
    (void)f;
    if ((!intrinsic_name(call) || is_statepoint(call)) && !keeps_registers_of_c(LLVMGetInstructionCallConv(call)))
        *found = call;
}

/* Visitor of calls: sets *ARG to 1 if the call has a "gc-transition" bundle. */
static void look_for_transition(void *arg, LLVMValueRef f, LLVMValueRef call) {
    LLVMOperandBundleRef bundle = call_bundle(call, "gc-transition");
    (void)f;
    *(int *)arg |= bundle != NULL;
    if (bundle)
        LLVMDisposeOperandBundle(bundle);
}

/* 1 if the module has GC transitions that get code: a frame may then stand between the managed and the native
 * function (transitions.c), whose registers are unknown while native code runs. */
static int has_transitions(const struct compile *c) {
    int found = 0;
    if (LLVMGetNamedFunction(c->module, "gc.transition_enter") ||
        LLVMGetNamedFunction(c->module, "gc.transition_leave") || c->options->transition != SM_TRANSITION_MODULE)
        visit_module_calls(c->module, look_for_transition, &found);
    return found;
}

/* Sets c->keeps_registers, and warns if the option gc_registers cannot be heeded, and why. */
static void warn_of_registers(struct compile *c) {
    LLVMValueRef call = NULL;
    visit_module_calls(c->module, look_for_registers, &call);
    int transitions = has_transitions(c);
    c->keeps_registers = call != NULL || transitions;
    if (gc_registers_of(c) == c->options->gc_registers)
        return;
    if (transitions)
        diag_add(
            c, "warning", NULL,
            "gc_registers is taken as 0: the module has GC transitions, and a reference in a register could not be "
            "found while native code runs");
    else if (call)
        diag_add(
            c, "warning", NULL,
            "gc_registers is taken as 0: by the calling convention of a call the callee keeps more registers than "
            "C's do, and a walk of the stack may not know them");
    else
        diag_add(c, "warning", NULL,
                 "gc_registers is taken as 0 at opt=0: LLVM's register allocator of that level loses references in "
                 "registers");
}

/* Gives each function without a strategy that of the option gc, and checks all. Requires a module that was read. */
sm_status stage_strategy(struct compile *c) {
    assert(c->form == FORM_READ);
    const char *gc = c->options->gc;
    sm_status s = poll_check(c);
    warn_of_registers(c);
    if (gc[0] && !gc_features(gc))
        return unknown(c, NULL, gc);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s == SM_OK; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (gc[0] && !LLVMGetGC(f) && !is_hook(f))
            set_gc(c, f, gc);
        s = check_function(c, f);
    }
    return s;
}

/* The pointer that V is cast from. */
static LLVMValueRef strip_casts(LLVMValueRef v) {
    return stepped_from(v, BY_BITCAST | BY_SPACE_CAST);
}

/* The number of llvm.gcroot calls that mark the slot. */
static int marks_of(LLVMValueRef slot) {
    int marks = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const char *name = intrinsic_name(user);
        marks += name && strcmp(name, "llvm.gcroot") == 0 && LLVMGetOperand(user, 0) == slot;
    }
    return marks;
}

static int has_shadow_stack(LLVMValueRef f) {
    const char *strategy = LLVMGetGC(f);
    return strategy && strcmp(strategy, "shadow-stack") == 0;
}

/* Visitor of calls: refuses an llvm.gcroot that code generation could not take: it has to be in the first block, of a
 * static alloca there (GarbageCollection.rst). Asked after the optimiser, which may have moved both. */
static void check_slot(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct check *k = arg;
    const char *name = intrinsic_name(call);
    if (k->status != SM_OK || !name || strcmp(name, "llvm.gcroot") != 0)
        return;
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(f);
    LLVMValueRef slot = strip_casts(LLVMGetOperand(call, 0));
    if (!LLVMIsAAllocaInst(slot))
        k->status = fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot has to be given an alloca");
    else if (LLVMGetInstructionParent(call) != first || LLVMGetInstructionParent(slot) != first)
        k->status =
            fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot and its alloca have to be in the function's first block");
    else if (has_shadow_stack(f) && marks_of(slot) > 1) /* its lowering erases the slot once for each */
        k->status = fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot marks one alloca twice");
    else if (!alloca_count(slot))
        k->status = fail(k->c, SM_INVALID_GCROOT, f, "llvm.gcroot has to be given an alloca of fixed size");
    else if (!has_shadow_stack(f) &&
             (LLVMGetTypeKind(LLVMGetAllocatedType(slot)) != LLVMPointerTypeKind || alloca_count(slot) != 1))
        k->status = fail(k->c, SM_INVALID_GCROOT, f, /* code generation stores a null pointer into it, or dies */
                         "llvm.gcroot's alloca does not hold one pointer, as strategy \"%s\" asks for", LLVMGetGC(f));
}

/* Refuses a function of strategy ocaml whose frame has no fixed size: its frame table needs one, and LLVM ends the
 * process otherwise. */
static sm_status check_frame(struct compile *c, LLVMValueRef f) {
    if (!LLVMGetGC(f) || strcmp(LLVMGetGC(f), "ocaml") != 0)
        return SM_OK;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && (b != LLVMGetEntryBasicBlock(f) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0))))
                return fail(
                    c, SM_CODEGEN_FAILED, f,
                    "The frame has no fixed size, as strategy \"ocaml\" needs: an alloca has a size that varies, or "
                    "is not in the first block");
    return SM_OK;
}

/* With shadow_chain=thread_local, makes llvm_gc_root_chain a thread-local variable if a function has a shadow stack.
 * LLVM's lowering uses it if it is there; otherwise it makes one for the whole process. */
static sm_status make_chain_local(struct compile *c) {
    static const char name[] = "llvm_gc_root_chain";
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

/* Settles and checks llvm.gcroots and frames of gcroot strategies. Requires the optimised module. */
sm_status stage_gcroots(struct compile *c) {
    assert(c->form == FORM_OPTIMISED);
    struct check k = {.c = c, .status = make_chain_local(c)};
    if (k.status == SM_OK)
        k.status = gcroots_settle(c);
    visit_module_calls(c->module, check_slot, &k);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); k.status == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            k.status = check_frame(c, f);
    return k.status;
}
