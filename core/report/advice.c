/* advice.c - warnings where the module and its options together say something that was perhaps not meant.
 *
 * Nothing here changes a compile or makes it fail. An option is only mentioned if its value is not the default: a
 * request that leaves it out and one that gives the default have the same key, and share one answer.
 */
#include "input.h"
#include "ir.h"
#include "marks.h"
#include "profile.h"
#include "profiles.h"
#include "report.h"
#include "roots.h"
#include "safepoints.h"
#include "scopes.h"
#include "target.h"

struct facts {
    size_t defined;              /* functions, variables, aliases */
    size_t functions;            /* defined ones, without gc.safepoint_poll */
    size_t statepoints, gcroots; /* of them, those with a strategy of either kind */
    size_t forgotten;            /* those with references and calls, but no strategy */
    const char *first_forgotten; /* borrowed */
    int polls;                   /* bits SM_SP_…: what any function wants */
    int statepoint_polls;        /* likewise, of functions with statepoints */
    int compressed;              /* boolean: there are compressed references */
    int has_poll;                /* boolean: gc.safepoint_poll is defined */
    int result, result_plain;    /* booleans: a reference in a function with, without a strategy */
    int julias;                  /* boolean: in one without, a pointer of an address space of Julia's references */
    int shadows, scopes;         /* booleans: there is a function with shadow-stack, a scoped root */
    int accesses, transitions;   /* booleans: llvm.gcread or llvm.gcwrite, a bundle "gc-transition" */
    int null_checks;             /* boolean: a branch with !make.implicit */
    int tags, stages;            /* booleans: references that are integers for a while; emit names stages */
};

/* ---- What there is ------------------------------------------------------------------------------------------- */

/* 1 if the type is a pointer of one of the address spaces that Julia's code generator has for references. */
static int is_julias(LLVMTypeRef type, const void *arg) {
    enum { TRACKED = 10, LOADED = 13 };
    (void)arg;
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) >= TRACKED &&
           LLVMGetPointerAddressSpace(type) <= LOADED;
}

/* 1 if F has a parameter or an instruction with a pointer of those. */
static int has_julias(LLVMValueRef f) {
    LLVMValueRef v = first_value(f);
    while (v && !type_holds(LLVMTypeOf(v), is_julias, NULL))
        v = next_value(v);
    return v != NULL;
}

/* Notes in K a function without a strategy that has references, and, if it also has calls and is no leaf, as
 * forgotten: no collector finds them there. */
static void visit_plain(struct facts *k, LLVMValueRef f) {
    k->julias = k->julias || has_julias(f);
    if (!has_references(f))
        return;
    k->result_plain = 1;
    if (!any_call(f, calls_safepoint) || is_leaf_function(f))
        return;
    if (!k->forgotten++)
        k->first_forgotten = value_name(f);
}

/* Notes barrier accesses and transitions. */
static void visit_call_advice(struct facts *k, LLVMValueRef call) {
    k->accesses |= list_begins(GC_READ "," GC_WRITE "," OWN_READ "," OWN_WRITE, callee_name(call));
    k->transitions |= call_has_bundle(call, "gc-transition");
}

/* Notes in K if F has a branch with !make.implicit. */
static void visit_branches(const struct compile *c, struct facts *k, LLVMValueRef f) {
    unsigned kind = LLVMGetMDKindIDInContext(c->context, "make.implicit", 13);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        k->null_checks |= end && LLVMHasMetadata(end) && LLVMGetMetadata(end, kind) != NULL;
    }
}

/* 1 if F has a compressed reference: as a parameter, in an alloca's type, as a result or as an operand. */
static int function_holds_compressed(LLVMValueRef f) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    for (LLVMValueRef i = first_value(f); i; i = next_value(i)) {
        LLVMTypeRef of = LLVMIsAAllocaInst(i) ? LLVMGetAllocatedType(i) : LLVMTypeOf(i);
        if (holds_compressed(data, of))
            return 1;
        for (int n = 0; LLVMIsAInstruction(i) && n < LLVMGetNumOperands(i); n++)
            if (holds_compressed(data, LLVMTypeOf(LLVMGetOperand(i, (unsigned)n))))
                return 1;
    }
    return 0;
}

/* Warns of attributes of F that only functions with statepoints heed, if F has none. */
static void warn_of_attributes(struct compile *c, LLVMValueRef f) {
    static const char *const names[] = {INTERVAL_ATTRIBUTE, BARRIERS_ATTRIBUTE};
    const char *gc = LLVMGetGC(f);
    char text[300];
    if (is_statepoint_gc(gc))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!text_attribute(f, names[i]))
            continue;
        snprintf(text, sizeof text,
                 "The attribute \"%s\" has no effect: the function has %s%.64s%s, and no statepoints", names[i],
                 gc ? "GC \"" : "no GC strategy", gc ? gc : "", gc ? "\"" : "");
        diag_add(c, "warning", value_name(f), text);
    }
}

/* Collects in K the facts about one defined function, and warns of its attributes. */
static void visit_function_advice(struct compile *c, struct facts *k, LLVMValueRef f) {
    const char *gc = LLVMGetGC(f);
    k->functions++;
    k->polls |= function_polls(c, f) | function_root_polls(c, f);
    k->statepoint_polls |= function_polls(c, f);
    k->compressed = k->compressed || (c->options->spaces[0] && function_holds_compressed(f));
    warn_of_attributes(c, f);
    k->scopes |= scopes_in(f);
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        visit_call_advice(k, call);
    visit_branches(c, k, f);
    if (!gc) {
        visit_plain(k, f);
    } else if (is_statepoint_gc(gc)) {
        k->statepoints++;
        k->result = k->result || has_references(f);
    } else {
        k->gcroots++;
        k->shadows |= strcmp(gc, "shadow-stack") == 0;
        k->result |= any_call(f, is_gcroot) || scopes_in(f);
    }
}

/* Collects in K whether the global is defined, and whether it holds compressed references. */
static void visit_global(const struct compile *c, struct facts *k, LLVMValueRef g) {
    k->defined += (size_t)!LLVMIsDeclaration(g);
    if (c->options->spaces[0] && !k->compressed)
        k->compressed = holds_compressed(LLVMGetModuleDataLayout(c->module), LLVMGlobalGetValueType(g));
}

/* Collects all facts about the module that advice depends on. */
static struct facts visit_module(struct compile *c) {
    struct facts k = {.tags = c->tags, .stages = (c->options->emit & SM_EMIT_STAGES) != 0};
    size_t len;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        k.defined++;
        if (strcmp(LLVMGetValueName2(f, &len), "gc.safepoint_poll") == 0)
            k.has_poll = 1;
        else if (!is_hook(f))
            visit_function_advice(c, &k, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g))
        visit_global(c, &k, g);
    LLVMGetModuleInlineAsm(c->module, &len);
    k.defined += (size_t)(len != 0 || LLVMGetFirstGlobalAlias(c->module) || LLVMGetFirstGlobalIFunc(c->module));
    return k;
}

/* ---- What is reported of the module ------------------------------------------------------------------------------ */

/* Warns that the module defines nothing. */
static void advise_empty(struct compile *c) {
    advise(
        c, "The module defines nothing, so the object holds nothing%s",
        is_one_line(c->input, c->input_len)
            ? ": its text is one line, perhaps a comment; curl's -d takes line breaks out of a file, --data-binary "
              "keeps them"
        : ends_in_comment(c->input, c->input_len) ? ": its text ends inside a comment, and may have been cut short"
                                                  : "");
}

/* Warns of references that no collector will find: no strategy at all, functions without one, or strategies without
 * any reference. */
static void advise_strategy(struct compile *c, const struct facts *k) {
    if (!k->statepoints && !k->gcroots) {
        if (k->result_plain || k->has_poll)
            advise(
                c,
                "There %s, but no function has a GC strategy: there are no safepoints. The option gc=NAME sets one "
                "(gc=statepoint-example), as does gc \"NAME\" after a function's parameters",
                k->result_plain ? "are pointers of address space 1" : "is a gc.safepoint_poll");
        if (k->julias)
            advise(c, "There are pointers of address spaces 10 to 13, which Julia has for references, and no "
                      "function has a GC strategy: Julia's own passes make roots of them, and here no collector "
                      "finds them. To smd references are pointers of address space 1, in functions with a strategy");
        return;
    }
    if (k->forgotten)
        advise(c,
               "%zu function%s references and calls but no GC strategy, '%s' %s: no collector finds what is alive "
               "there. The option gc=NAME sets a strategy where there is none",
               k->forgotten, k->forgotten == 1 ? " has" : "s have", k->first_forgotten,
               k->forgotten == 1 ? "it is" : "the first of them");
    if (!k->result)
        advise(c, "No function with a GC strategy has a reference%s: the stackmap names no pointer",
               k->statepoints ? ", which is a pointer of address space 1 (ptr addrspace(1))"
                              : ", which is a stack slot marked with llvm.gcroot");
}

/* ---- Options that have no effect ----------------------------------------------------------------------------- */

#define NO_STATEPOINTS                                                                                               \
    "no function has a strategy with statepoints (gc=statepoint-example or gc=coreclr sets one where there is none)"

/* Why an option for functions with statepoints has no effect; NULL if it has one. All functions needs_... give that
 * for their options. */
static const char *needs_statepoints(const struct compile *c, const struct facts *k) {
    (void)c;
    return k->statepoints ? NULL : NO_STATEPOINTS;
}

/* Why an option for functions with any GC strategy has no effect; NULL if it has one. */
static const char *needs_strategies(const struct compile *c, const struct facts *k) {
    (void)c;
    return k->statepoints || k->gcroots ? NULL
                                        : "no function has a GC strategy (gc=NAME sets one where there is none)";
}

/* Why an option about polls has no effect; NULL if it has one. */
static const char *needs_polls(const struct compile *c, const struct facts *k) {
    const char *why = needs_strategies(c, k);
    return why ? why : k->polls ? NULL : "no function wants polls (safepoints=none)";
}

/* Why the option barrier has no effect: nothing in the module gets a barrier; NULL if it has one. */
static const char *needs_accesses(const struct compile *c, const struct facts *k) {
    const char *why = needs_strategies(c, k);
    return why                                                       ? why
           : k->accesses || (c->options->barriers && k->statepoints) ? NULL
           : c->options->barriers
               ? "the module calls neither llvm.gcread nor llvm.gcwrite, and barriers=auto inserts "
                 "them in functions with statepoints alone"
               : "the module calls neither llvm.gcread nor llvm.gcwrite (barriers=auto inserts them)";
}

/* Why an option about polls at backedges has no effect; NULL if it has one. */
static const char *needs_backedges(const struct compile *c, const struct facts *k) {
    const char *why = needs_polls(c, k);
    return why                                    ? why
           : k->statepoint_polls & SM_SP_BACKEDGE ? NULL
           : k->polls & SM_SP_BACKEDGE            ? "functions with llvm.gcroot are polled at every backedge"
                                                  : "no function wants polls at backedges (safepoints=backedge)";
}

/* Why the option allocate has no effect; NULL if it has one. */
static const char *needs_allocator(const struct compile *c, const struct facts *k) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, c->given->allocate);
    return f && !LLVMIsDeclaration(f) ? needs_strategies(c, k) : "the module defines no function of that name";
}

/* Why the option gc has no effect: it has set no function's strategy; NULL if it has one. */
static const char *needs_plain_functions(const struct compile *c, const struct facts *k) {
    return c->gc_was_set ? NULL : !k->functions ? "there is no function" : "every function has a strategy of its own";
}

/* Why the option leaf has no effect: the module uses none of the functions that it lists. One is enough, as a
 * frontend may give all its modules one list. */
static const char *needs_leaves(const struct compile *c, const struct facts *k) {
    char names[sizeof c->given->leaf], *save = NULL;
    snprintf(names, sizeof names, "%s", c->given->leaf);
    for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
        if (f && LLVMGetFirstUse(f))
            return needs_statepoints(c, k);
    }
    return "the module calls no function that it lists";
}

/* Why the option safepoints has no effect; functions with llvm.gcroot are polled only if something says what a poll
 * is. */
static const char *needs_known_polls(const struct compile *c, const struct facts *k) {
    const char *why = needs_strategies(c, k);
    return why                                                     ? why
           : k->polls || k->statepoints || !c->options->safepoints ? NULL
                                                                   : "poll=, or gc.safepoint_poll in the module, "
                                                                     "has to say what a poll is";
}

/* Why the option counted_loop_turns has no effect; NULL if it has one. */
static const char *needs_turns(const struct compile *c, const struct facts *k) {
    return c->options->all_backedges ? "all_backedges polls each"
           : !counted_turns(c)       ? "counted_loop_bits polls loops of fewer turns"
                                     : needs_backedges(c, k);
}

#define HAS(fact) NULL, offsetof(struct facts, fact)

/* The options that have no effect on some modules: WHY_IDLE says so, or the fact is none of the module, and WHY that. */
static const struct {
    const char *option;
    const char *(*why_idle)(const struct compile *c, const struct facts *k);
    size_t fact;
    const char *why;
} rows[] = {
    {"safepoints", needs_known_polls, 0, NULL},
    {"poll", needs_polls, 0, NULL},
    {"barrier", needs_accesses, 0, NULL},
    {"barriers", needs_statepoints, 0, NULL},
    {"spaces", HAS(compressed), "nothing in the module is a pointer of such an address space"},
    {"allocate", needs_allocator, 0, NULL},
    {"transition", HAS(transitions), "no call has a \"gc-transition\" bundle"},
    {"bases", needs_statepoints, 0, NULL},
    {"shadow_chain", HAS(shadows), "no function has the strategy shadow-stack"},
    {"scoped_roots", HAS(scopes), "there are no scoped roots (llvm.gc.declare)"},
    {"tag_mask", HAS(tags), "nothing makes integers of references (smd.gc.to_int, smd.gc.from_int)"},
    {"null_checks", HAS(null_checks), "no branch has the metadata !make.implicit"},
    {"stackmap_format", needs_statepoints, 0, NULL},
    {"gc", needs_plain_functions, 0, NULL},
    {"gc_registers", needs_statepoints, 0, NULL},
    {"elide", needs_statepoints, 0, NULL},
    {"leaf", needs_leaves, 0, NULL},
    {"remat", needs_statepoints, 0, NULL},
    {"all_backedges", needs_backedges, 0, NULL},
    {"counted_loop_bits", needs_backedges, 0, NULL},
    {"counted_loop_turns", needs_turns, 0, NULL},
    {"poll_interval", needs_backedges, 0, NULL},
    {"split_backedges", needs_backedges, 0, NULL},
    {"after", HAS(stages), "emit does not name stages"},
};

/* Warns of each option that is not at its default and has no effect on this module. */
static void advise_options(struct compile *c, const struct facts *k) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int *fact = (const int *)(const void *)((const char *)k + rows[i].fact);
        const char *why = rows[i].why_idle ? rows[i].why_idle(c, k) : *fact ? NULL : rows[i].why;
        if (why && !option_is_default(c->given, rows[i].option))
            advise(c, "The option '%s' has no effect: %s", rows[i].option, why);
    }
}

/* Warns if the request brings a profile of its own whose strategy no function has. */
static void advise_profile(struct compile *c) {
    const char *at = NULL;
    sm_profile p;
    if (c->own_profile && !c->own_used && sm_profile_next((const char *)c->profiles.data, c->profiles.len, &at, &p))
        advise(c, "The profile '%s' has no effect: no function has GC \"%s\" (gc=%s sets it where there is none)",
               p.name, p.name, p.name);
}

/* ---- Live lists ----------------------------------------------------------------------------------------------- */

/* 1 if V is an address within a stack slot. */
static int is_advice_slot(LLVMValueRef v) {
    v = stepped_from(v, FLOW_STEPS);
    return LLVMIsAAllocaInst(v) != NULL;
}

/* Warns of values in CALL's "gc-live" operands that are neither references nor slots, and so not
 * recorded. */
static void visit_list_advice(struct compile *c, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    struct operands list = call_operands(call, "gc-live");
    for (unsigned i = list.first; is_statepoint_gc(LLVMGetGC(f)) && i < list.end; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (holds_reference(LLVMTypeOf(v)) || LLVMIsConstant(v) || is_advice_slot(v))
            continue;
        const char *name = value_name(v);
        advise(
            c,
            "Function '%s': the call of %s lists %s%s in \"gc-live\", which is neither a pointer of address space 1 "
            "nor a stack slot: it is not recorded",
            value_name(f), safepoint_name(call), name[0] ? "%" : "a value", name);
    }
}

/* ---- The stage ------------------------------------------------------------------------------------------------ */

/* Warns where module and options together were perhaps not meant. Requires a verified module with its strategies, not
 * optimised yet; never fails. */
sm_status stage_advice(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    struct facts k = visit_module(c);
    if (!k.defined) {
        advise_empty(c);
        return SM_OK;
    }
    advise_strategy(c, &k);
    advise_profile(c);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        visit_list_advice(c, call);
    advise_options(c, &k);
    return SM_OK;
}
