/* strategy.c - which function has which GC strategy and which polls; what does not go together is refused before LLVM
 * sees it. */
#include "strategy.h"
#include "deviations.h"
#include "encoded.h"
#include "interval.h"
#include "ir.h"
#include "profile.h"
#include "profiles.h"
#include "safepoints.h"

/* Writes to TEXT the names of all strategies with one of the FEATURES, as people list them; gives TEXT. */
static const char *strategies_of(int features, char *text, size_t size) {
    size_t left = 0, n = 0;
    text[0] = 0;
    for (const char *const *name = known_strategies(); *name; name++)
        left += gc_features(*name) & features ? 1 : 0;
    for (const char *const *name = known_strategies(); *name && n < size; name++) {
        if (!(gc_features(*name) & features))
            continue;
        left--;
        n += (size_t)snprintf(text + n, size - n, "%s%s", *name, left > 1 ? ", " : left == 1 ? " and " : "");
    }
    return text;
}

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

/* Writes into TEXT how a profile makes a strategy of this name; "" if it cannot have one. Gives TEXT. */
static const char *how_to_make(const char *gc, char *text, size_t size) {
    text[0] = 0;
    if (sm_profile_name_valid(gc, strlen(gc)))
        snprintf(text, size,
                 ". A profile adds one: smc compile --profile '{\"name\":\"%s\",\"base\":\"statepoint-example\"}', "
                 "or the member \"profile\" of the JSON form with the same object",
                 gc);
    return text;
}

/* Fails the compile with "there is no GC strategy" GC, the nearest name, those that there are, and how one is made.
 * With F NULL the option gc names it. */
static sm_status unknown(struct compile *c, LLVMValueRef f, const char *gc) {
    const char *nearest = sm_nearest(gc, known_strategies());
    char names[512], known[NAMES_MAX], how[400];
    return fail_option(c, SM_UNSUPPORTED_GC, f ? NULL : "gc", f,
                       "There is no GC strategy '%s'%s%s%s There are %s%s%s", gc, nearest ? "; did you mean '" : ".",
                       nearest ? nearest : "", nearest ? "'?" : "",
                       strategies_of(GC_STATEPOINTS | GC_ROOTS, known, sizeof known),
                       profile_names(c, names, sizeof names), how_to_make(gc, how, sizeof how));
}

/* Warns that F, of a gcroot strategy, gets no polls with page polls: such a poll's record is a statepoint's. */
static void warn_of_pages(struct compile *c, LLVMValueRef f) {
    char text[300];
    if (gc_features(LLVMGetGC(f)) != GC_ROOTS || !polls_fault(c))
        return;
    snprintf(
        text, sizeof text,
        "No polls: page polls are for functions with statepoints, and this one has GC \"%s\"; poll=call:SYMBOL or "
        "poll=flag:SYMBOL:SLOW work in both",
        LLVMGetGC(f));
    diag_add(c, "warning", value_name(f), text);
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
static void check_list_strategy(struct check *k, LLVMValueRef f, LLVMValueRef call) {
    char names[NAMES_MAX];
    if (k->features != GC_STATEPOINTS && !intrinsic_name(call) && call_bundle_size(call, "gc-live"))
        k->status =
            fail(k->c, SM_GC_MISMATCH, f,
                 "The call of %.200s has \"gc-live\" operands, which belong to %s; this function has %s%s%s",
                 safepoint_name(call), strategies_of(GC_STATEPOINTS, names, sizeof names),
                 k->features ? "GC \"" : "no GC strategy", k->features ? LLVMGetGC(f) : "", k->features ? "\"" : "");
}

/* Refuses gcroot and statepoint intrinsics in functions whose strategy does not have them. */
static void check_strategy_call(struct check *k, LLVMValueRef f, LLVMValueRef call) {
    char names[NAMES_MAX];
    const char *name = intrinsic_name(call);
    if (k->status == SM_OK)
        check_list_strategy(k, f, call);
    if (!name || k->status != SM_OK)
        return;
    if (is_gcroot(call))
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
static sm_status check_function_strategy(struct compile *c, LLVMValueRef f) {
    const char *gc = LLVMGetGC(f);
    unsigned bits;
    if (is_plugin_gc(gc))
        deviate(c, DEVIATION_PLUGINS);
    if (gc && !gc_features(gc))
        return unknown(c, f, gc);
    struct check k = {.c = c, .features = gc_features(gc)};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        check_strategy_call(&k, f, call);
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

/* ---- Registers -------------------------------------------------------------------------------------------------
 *
 * Whether references may stay in registers across statepoints. LLVM's flags for it are the process's, so the answer is
 * for a module, not for a function. */

/* What keeps a module's references out of registers. */
struct obstacle {
    const char *why;
    LLVMValueRef function; /* that has it; NULL: the module as a whole */
};

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

/* The first function with GC transitions that get code: a frame may then stand between the managed and the native
 * function (transitions.c), whose registers are unknown while native code runs. NULL if there is none. */
static LLVMValueRef transition_of(const struct compile *c) {
    if (!LLVMGetNamedFunction(c->module, ENTER) && !LLVMGetNamedFunction(c->module, LEAVE) &&
        c->options->transition == SM_TRANSITION_MODULE)
        return NULL;
    LLVMValueRef call = first_module_call(c->module);
    while (call && !call_has_bundle(call, "gc-transition"))
        call = next_module_call(call);
    return call ? function_of(call) : NULL;
}

/* The first function that has no unwind table; NULL if there is none. */
static LLVMValueRef without_table(const struct compile *c) {
    LLVMValueRef f = c->options->unwind == SM_UNWIND_ALWAYS ? NULL : LLVMGetFirstFunction(c->module);
    while (f && (LLVMIsDeclaration(f) || function_attribute(f, "uwtable")))
        f = LLVMGetNextFunction(f);
    return f;
}

/* Finds what LLVM or a walk could not do with references in registers, whoever asks for them. */
static struct obstacle find_obstacle(const struct compile *c) {
    LLVMValueRef transition = transition_of(c), call = first_module_call(c->module);
    while (call &&
           ((intrinsic_name(call) && !is_statepoint(call)) || keeps_registers_of_c(LLVMGetInstructionCallConv(call))))
        call = next_module_call(call);
    if (transition)
        return (struct obstacle){
            "the module has GC transitions, and a reference in a register could not be found while native code runs",
            transition};
    if (call)
        return (struct obstacle){
            "by the calling convention of a call the callee keeps more registers than C's do, and a "
            "walk of the stack may not know them",
            function_of(call)};
    if (c->options->opt == SM_OPT_0)
        return (struct obstacle){"LLVM's register allocator of opt=0 loses references in registers", NULL};
    return (struct obstacle){NULL, NULL};
}

/* The same where smd chooses: what the options ask for must be able to tell of registers. */
static struct obstacle find_doubt(const struct compile *c) {
    LLVMValueRef f = without_table(c);
    struct obstacle o = find_obstacle(c);
    if (o.why)
        return o;
    if (f)
        return (struct obstacle){"the function has no unwind table (unwind=module), which would say where it saves "
                                 "registers",
                                 f};
    if (c->options->stackmap_format == SM_STACKMAP_GCMAP)
        return (struct obstacle){"the tables of stackmap_format=gcmap have no place for registers", NULL};
    return o;
}

/* The first function that may have statepoints; NULL if there is none. */
static LLVMValueRef first_candidate(const struct compile *c) {
    LLVMValueRef f = LLVMGetFirstFunction(c->module);
    while (f && (LLVMIsDeclaration(f) || !(is_statepoint_gc(LLVMGetGC(f)) || c->options->gc[0])))
        f = LLVMGetNextFunction(f);
    return f;
}

/* Warns of the obstacle where the option has asked for registers, else remarks it. */
static void report(struct compile *c, struct obstacle o) {
    char text[512];
    LLVMValueRef f = o.function ? o.function : first_candidate(c);
    if (c->options->gc_registers == SM_REGISTERS_AUTO && f)
        remark(c, "gc-registers", f, "gc_registers is 0: %s", o.why);
    if (c->options->gc_registers <= 0)
        return;
    snprintf(text, sizeof text, "gc_registers is taken as 0: %s", o.why);
    diag_add(c, "warning", o.function ? value_name(o.function) : NULL, text);
}

/* Sets C->no_registers, and reports why if the option gc_registers cannot be heeded. Requires a module that was read. */
static void choose_registers(struct compile *c) {
    int is_auto = c->options->gc_registers == SM_REGISTERS_AUTO;
    assert(c->form == FORM_READ && !c->final); /* a final module says it itself */
    struct obstacle o = is_auto ? find_doubt(c) : find_obstacle(c);
    c->no_registers = o.why != NULL;
    if (o.why)
        report(c, o);
}

/* Resolves profiles, reads the compile's address spaces, gives each function without a strategy that of the option gc, and checks all.
 * Requires a module that was read. */
sm_status stage_strategy(struct compile *c) {
    assert(c->form == FORM_READ);
    sm_status s = profiles_apply(c);
    const char *gc = c->options->gc;
    if (s == SM_OK)
        s = spaces_read(c);
    if (s == SM_OK)
        s = poll_check(c);
    if (s == SM_OK && !c->final) /* stage_final knows */
        choose_registers(c);
    if (s == SM_OK && gc[0] && !gc_features(gc))
        return unknown(c, NULL, gc);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && s == SM_OK; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (gc[0] && !LLVMGetGC(f) && !is_hook(f))
            set_gc(c, f, gc);
        s = check_function_strategy(c, f);
    }
    return s == SM_OK ? spaces_move(c) : s;
}
