/* leaf_calls.c - calls that cannot collect need no statepoint: which those are, over the module's call graph.
 *
 * A function collects if its body may reach a safepoint, or anything that is not known. All others are leaves: the
 * greatest set of which no function has a reason to collect, nor calls one that has, so recursion by itself is no
 * reason. Before polls are placed, as a loop that makes only leaf calls needs one of its own; so a function that is
 * to get polls collects. When they are placed everything is looked at again, and a mark that is not right any more is
 * taken away.
 *
 * Calls of leaves get "gc-leaf-function", by which LLVM's passes know them. Nothing is taken from calls that ask for a
 * record: operand bundles, an id, room to patch. */
#include "cfg.h"
#include "deviations.h"
#include "interval.h"
#include "ir.h"
#include "marks.h"
#include "placing.h"
#include "safepoints.h"

struct node {
    LLVMValueRef function;
    int collects;         /* boolean */
    LLVMValueRef because; /* a call in it that collects; NULL: something else does */
    size_t callers, last; /* of EDGE, the first of its callers and the end; after edges_sort */
};

struct edge {
    size_t callee, caller;
    LLVMValueRef call;
};

struct calls {
    struct compile *c;
    struct node *node; /* owned: of each defined function, in the module's order */
    size_t nodes;
    struct set functions; /* owned: the nodes' functions, to find the number of one */
    struct edge *edge;    /* owned; sorted by callee */
    size_t edges, room;
    size_t *stack; /* owned: as many as nodes */
    int placed;    /* boolean: polls are in the bodies, not still to come */
};

/* ---- What is known of a function or a call by itself ---------------------------------------------------------- */

/* 1 if the call or its callee is memory(none): it can run no collector, which would write to memory that the
 * caller sees. */
static int is_readnone(LLVMValueRef call) {
    LLVMAttributeRef a = either_attribute(call, "memory");
    return a && LLVMGetEnumAttributeValue(a) == 0;
}

/* 1 if the call neither returns nor unwinds, so that nothing of this stack is used again, and is cold: without
 * that it might be the main loop, in which frames are walked. */
static int is_the_end(LLVMValueRef call) {
    return either_attribute(call, "noreturn") && either_attribute(call, "nounwind") && either_attribute(call, "cold");
}

/* 1 if F's name is that of a function of C's library that never calls back. LLVM's rewrite takes all of C's
 * library for leaves, and some of it does call back. */
static int is_of_c(LLVMValueRef f) {
    const char *name = value_name(f);
    return list_has("abort,memcmp,memcpy,memmove,memset,strlen", name, strlen(name));
}

/* Of C's variadic functions those that only format or read text: they call nothing back, and wait for nobody's
 * input. */
static const char formatting[] =
    "printf,fprintf,dprintf,sprintf,snprintf,asprintf,wprintf,fwprintf,swprintf,sscanf,swscanf,syslog,warn,warnx,"
    "iprintf,fiprintf,siprintf,sniprintf,small_printf,small_fprintf,small_sprintf,__printf_chk,__fprintf_chk,__"
    "dprintf_chk,__sprintf_chk,__snprintf_chk,__asprintf_chk,__syslog_chk,__wprintf_chk,__fwprintf_chk,__swprintf_"
    "chk,__isoc99_sscanf,__isoc23_sscanf,__isoc99_swscanf,__isoc23_swscanf";

/* 1 if F is declared, variadic, and named like one of these. */
static int is_formatting(LLVMValueRef f) {
    const char *name = value_name(f);
    return LLVMIsDeclaration(f) && LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) && !LLVMGetGC(f) &&
           list_has(formatting, name, strlen(name));
}

/* 1 if the module declares one of these. */
static int declares_formatting(const struct compile *c) {
    LLVMValueRef f = LLVMGetFirstFunction(c->module);
    while (f && !is_formatting(f))
        f = LLVMGetNextFunction(f);
    return f != NULL;
}

/* 1 if the option "leaf" names F. */
static int is_leaf_listed(const struct compile *c, LLVMValueRef f) {
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    return len && list_has(c->options->leaf, name, len);
}

/* 1 if a call of the intrinsic NAME may run code of the program, and so collect. Those that run none have
 * "nocallback", or are listed here. */
static int intrinsic_collects(LLVMValueRef call, const char *name) {
    if (list_begins("llvm.trap,llvm.ubsantrap,llvm.memcpy.inline.,llvm.experimental.noalias", name))
        return 0;
    return starts_with(name, "llvm.coro.") || strstr(name, ".element.unordered.atomic") ||
           !function_attribute(LLVMGetCalledValue(call), "nocallback");
}

/* 1 if the call asks for a record by operand bundles, an id, patch bytes, a reason or a transition: a runtime may
 * look the record up, or patch the call. */
static int wants_record(LLVMValueRef call) {
    return LLVMGetNumOperandBundles(call) || call_attribute(call, "statepoint-id") ||
           call_attribute(call, "statepoint-num-patch-bytes") || call_attribute(call, REASON_ATTRIBUTE) ||
           call_attribute(call, TRANSITION_ATTRIBUTE);
}

enum verdict { LEAF, COLLECTS, AS_CALLEE };

/* Why a call is a leaf whatever function it calls; NULL if nothing says so. */
static const char *leaf_reason_of(const struct compile *c, LLVMValueRef call, LLVMValueRef callee) {
    unsigned elide = c->options->elide;
    if (callee && is_leaf_listed(c, callee))
        return "leaf lists it";
    if (callee && is_formatting(callee))
        return "it is C's, and only formats text";
    if (callee && LLVMIsDeclaration(callee) && !LLVMGetGC(callee) && elide & SM_ELIDE_READNONE && is_readnone(call))
        return "it touches no memory";
    if (elide & SM_ELIDE_NORETURN && is_the_end(call))
        return "it is cold, and neither returns nor unwinds";
    return NULL;
}

/* Whether the call is a leaf, may collect, or does what its callee does (AS_CALLEE), which only the call graph
 * says. */
static enum verdict verdict_of(const struct compile *c, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *intrinsic = intrinsic_name(call);
    size_t len;
    if (is_leaf_call(call) && !call_attribute(call, INFERRED_ATTRIBUTE))
        return LEAF;
    if (LLVMIsACallBrInst(call))
        return COLLECTS;
    if (LLVMIsAInlineAsm(callee)) {
        LLVMGetInlineAsmAsmString(callee, &len);
        return len ? COLLECTS : LEAF;
    }
    if (intrinsic)
        return intrinsic_collects(call, intrinsic) ? COLLECTS : LEAF;
    if (wants_record(call) || !LLVMIsAFunction(callee))
        return COLLECTS;
    if (is_leaf_function(callee) || leaf_reason_of(c, call, callee))
        return LEAF;
    if (LLVMIsDeclaration(callee))
        return is_of_c(callee) ? LEAF : COLLECTS;
    return c->options->elide & SM_ELIDE_LEAF && is_exact(c, callee) ? AS_CALLEE : COLLECTS;
}

/* 1 if I is a volatile load or store, which may be a poll of the program's own. */
static int is_volatile_access(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return (op == LLVMLoad || op == LLVMStore) && LLVMGetVolatile(i);
}

/* ---- The graph ------------------------------------------------------------------------------------------------ */

static int by_callee(const void *a, const void *b) {
    const struct edge *x = a, *y = b;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

/* The node of the defined function F; NULL if there is none. */
static struct node *node_of(const struct calls *g, LLVMValueRef f) {
    size_t n = set_number(&g->functions, f);
    return n < g->nodes ? &g->node[n] : NULL;
}

/* Records that function number CALLER makes CALL, of a function defined here. */
static void add_edge_leaf(struct calls *g, size_t caller, LLVMValueRef call) {
    g->edge = xgrow(g->edge, g->edges, &g->room, sizeof *g->edge);
    struct node *callee = node_of(g, LLVMGetCalledValue(call));
    g->edge[g->edges++] = (struct edge){(size_t)(callee - g->node), caller, call};
}

/* Notes that the function may collect, and the call in it that is the first known reason (NULL: something else
 * is). */
static void collects(struct node *n, LLVMValueRef because) {
    if (!n->collects)
        n->because = because;
    n->collects = 1;
}

/* Notes what one call in the body of N means for N: it collects, it depends on the callee, or nothing. */
static void visit_call_leaf(struct calls *g, struct node *n, LLVMValueRef call) {
    enum verdict v = verdict_of(g->c, call);
    if (v == COLLECTS)
        collects(n, call);
    else if (v == AS_CALLEE)
        add_edge_leaf(g, (size_t)(n - g->node), call);
}

/* Nonzero if polls are still to be placed in F: at entry or return, or at backedges if F has a loop. */
static int will_poll(struct calls *g, LLVMValueRef f) {
    int bits = g->placed ? 0 : function_polls(g->c, f);
    struct loops loops = {0};
    int polls = bits & (SM_SP_ENTRY | SM_SP_RETURN);
    if (!polls && bits & SM_SP_BACKEDGE) {
        loops_of(&loops, f);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            polls |= loops_contain(&loops, b);
        polls |= interval_counts(f);
        loops_free(&loops);
    }
    return polls;
}

/* Finds out whether N collects for a reason in its own body, and adds the edges for the calls of functions defined
 * here. */
static void visit_body(struct calls *g, struct node *n) {
    LLVMValueRef f = n->function;
    int bits = g->placed ? 0 : function_polls(g->c, f);
    if (function_attribute(f, "naked") || function_attribute(f, "returns_twice") ||
        function_attribute(f, "presplitcoroutine") || will_poll(g, f))
        collects(n, NULL);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && !n->collects; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !n->collects; i = LLVMGetNextInstruction(i)) {
            if (is_call(i))
                visit_call_leaf(g, n, i);
            if (is_volatile_access(i) || (bits && LLVMIsACallInst(i) && is_musttail(i)))
                collects(n, NULL);
        }
}

/* Marks as collecting, transitively, all callers of functions that collect. Sorts the edges by callee. */
static void spread(struct calls *g) {
    size_t depth = 0, e = 0;
    if (g->edges)
        qsort(g->edge, g->edges, sizeof *g->edge, by_callee);
    for (size_t i = 0; i < g->nodes; i++) {
        g->node[i].callers = e;
        while (e < g->edges && g->edge[e].callee == i)
            e++;
        g->node[i].last = e;
        if (g->node[i].collects)
            g->stack[depth++] = i;
    }
    while (depth) {
        const struct node *n = &g->node[g->stack[--depth]];
        for (e = n->callers; e < n->last; e++) {
            struct node *caller = &g->node[g->edge[e].caller];
            if (caller->collects)
                continue;
            collects(caller, g->edge[e].call);
            g->stack[depth++] = g->edge[e].caller;
        }
    }
}

/* Builds the call graph of the module and decides of each defined function whether it collects. */
static void visit_all(struct calls *g) {
    size_t n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(g->c->module); f; f = LLVMGetNextFunction(f))
        n += !LLVMIsDeclaration(f);
    g->node = xcalloc(n + 1, sizeof *g->node);
    g->stack = xcalloc(n + 1, sizeof *g->stack);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->c->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            g->node[g->nodes++].function = f;
            set_add(&g->functions, f);
        }
    for (size_t i = 0; i < g->nodes; i++)
        visit_body(g, &g->node[i]);
    spread(g);
}

static void calls_free(struct calls *g) {
    free(g->node);
    set_free(&g->functions);
    free(g->edge);
    free(g->stack);
}

/* ---- Marks ---------------------------------------------------------------------------------------------------- */

/* 1 if the call needs no statepoint although LLVM would make one of it; *WHY then says why, for the remark. */
static int collects_nothing(struct calls *g, LLVMValueRef call, const char **why) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    enum verdict v = verdict_of(g->c, call);
    *why = leaf_reason_of(g->c, call, LLVMIsAFunction(callee) ? callee : NULL);
    if (v == LEAF)
        return *why != NULL; /* others LLVM knows itself */
    *why = "nothing that it does can collect";
    return v == AS_CALLEE && !node_of(g, callee)->collects;
}

/* Marks the call as a leaf, and the mark as inferred, if it would become a statepoint and collects nothing. */
static void mark_leaf_call(struct calls *g, LLVMValueRef f, LLVMValueRef call) {
    const char *why;
    if (!calls_safepoint(call) || wants_record(call) || !collects_nothing(g, call, &why))
        return;
    set_call_attribute(g->c->context, call, LEAF_ATTRIBUTE, "");
    set_call_attribute(g->c->context, call, INFERRED_ATTRIBUTE, "");
    deviate(g->c, DEVIATION_LEAF_CALLS);
    remark(g->c, "leaf-calls", f, "no statepoint at the call of %.200s: %s", callee_name(call), why);
}

/* Takes the inferred mark from the call; if the callee collects now that polls are placed, the call is no leaf any
 * more either. */
static void unmark_leaf(struct calls *g, LLVMValueRef f, LLVMValueRef call) {
    const char *why;
    if (!call_attribute(call, INFERRED_ATTRIBUTE))
        return;
    int right = collects_nothing(g, call, &why);
    remove_call_attribute(call, INFERRED_ATTRIBUTE);
    if (right)
        return;
    remove_call_attribute(call, LEAF_ATTRIBUTE);
    remark(g->c, "leaf-calls", f, "a statepoint at the call of %.200s after all: polls were placed in it",
           callee_name(call));
}

/* Calls VISIT, with G, for each call in the functions that have a statepoint strategy, but for
 * gc.safepoint_poll. */
static void visit_managed(struct calls *g, void (*visit)(struct calls *g, LLVMValueRef f, LLVMValueRef call)) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->c->module); f; f = LLVMGetNextFunction(f))
        if (function_has_statepoints(f) && strcmp(value_name(f), "gc.safepoint_poll") != 0)
            for (LLVMValueRef call = first_call(f); call; call = next_call(call))
                visit(g, f, call);
}

/* Fails if the option "leaf" lists a function that is defined here and that can be seen to collect. */
static sm_status check_list_leaf(struct calls *g) {
    for (size_t i = 0; i < g->nodes; i++) {
        const struct node *n = &g->node[i];
        if (n->collects && is_leaf_listed(g->c, n->function))
            return fail_option(
                g->c, SM_INVALID_OPTION, "leaf", n->function, "leaf lists this function, which %s%.200s%s",
                n->because ? "calls " : "has safepoints of its own, or does what cannot be seen through",
                n->because ? callee_name(n->because) : "", n->because ? ", and may collect there" : "");
    }
    return SM_OK;
}

/* Remarks each name in the option "leaf" that nothing in the module calls. No warning, as a frontend may have one
 * list for all its modules. */
static void remark_unused(struct compile *c) {
    char names[sizeof c->options->leaf], *save = NULL;
    LLVMValueRef any = LLVMGetFirstFunction(c->module);
    snprintf(names, sizeof names, "%s", c->options->leaf);
    for (char *name = strtok_r(names, ",", &save); name && any; name = strtok_r(NULL, ",", &save)) {
        LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
        if (!f || !LLVMGetFirstUse(f))
            remark(c, "leaf-calls", f ? f : any, "leaf lists %.200s, which nothing calls", name);
    }
}

/* 1 if F is defined here, has a statepoint strategy and is marked as a leaf. */
static int is_managed_leaf(LLVMValueRef f) {
    return function_has_statepoints(f) && is_leaf_function(f);
}

/* 1 if the options ask for leaf calls to be inferred, or list leaves, or some are known by name. */
static int is_leaf_asked_for(const struct compile *c) {
    return c->options->elide || c->options->leaf[0] || declares_formatting(c);
}

/* Requires the optimised module without polls; stage_leaf_check looks at the marks again. */
sm_status leaf_calls_mark(struct compile *c) {
    assert(c->form == FORM_OPTIMISED);
    struct calls g = {.c = c};
    if (!is_leaf_asked_for(c))
        return SM_OK;
    visit_all(&g);
    sm_status s = check_list_leaf(&g);
    if (s == SM_OK) {
        visit_managed(&g, mark_leaf_call);
        remark_unused(c);
    }
    calls_free(&g);
    return s;
}

/* ---- Leaves that have a strategy ------------------------------------------------------------------------------ */

/* Makes a leaf of a call in a function that is itself a leaf: no walk of the stack could pass that function's
 * frame, so it may have no safepoints. Refuses calls that ask for a record, or that are seen to collect. */
static void mark_in_leaf(struct calls *g, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const struct node *n = LLVMIsAFunction(callee) ? node_of(g, callee) : NULL;
    if (!is_safepoint(g->c, call))
        return;
    if (is_statepoint(call) || wants_record(call))
        fail(g->c, SM_CANNOT_REWRITE, f,
             "The function is marked \"" LEAF_ATTRIBUTE
             "\", and the call of %.200s in it asks for a record: those that "
             "call the function have none, and no walk of the stack would come past it; take one of the two away",
             safepoint_name(call));
    else if (n && n->collects && is_statepoint_gc(LLVMGetGC(callee)))
        fail(g->c, SM_CANNOT_REWRITE, f,
             "The function is marked \"" LEAF_ATTRIBUTE
             "\", and calls %.200s, which has safepoints: mark that as well, or neither",
             callee_name(call));
    set_call_attribute(g->c->context, call, LEAF_ATTRIBUTE, "");
    deviate(g->c, DEVIATION_LEAF_CALLS);
    remark(g->c, "leaf-calls", f, "no statepoint at the call of %.200s: the function that makes it is a leaf",
           safepoint_name(call));
}

/* Makes leaves of all calls in functions with a strategy that are marked as leaves. Fails if one of them cannot
 * be. */
static sm_status mark_in_leaves(struct compile *c) {
    struct calls g = {.c = c, .placed = 1};
    visit_all(&g);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (is_managed_leaf(f))
            for (LLVMValueRef call = first_call(f); call; call = next_call(call))
                mark_in_leaf(&g, f, call);
    calls_free(&g);
    return c->errors ? SM_CANNOT_REWRITE : SM_OK;
}

/* 1 if a function with a strategy is marked as a leaf; remarks on each of them. */
static int any_managed_leaf(struct compile *c) {
    int any = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (is_managed_leaf(f)) {
            any = 1;
            remark(c, "leaf-calls", f, "neither polls nor statepoints: the function is a leaf");
        }
    return any;
}

/* Takes away inferred marks that are wrong now that polls are in the bodies, and marks all calls in leaves with a
 * strategy. Requires polls placed. */
sm_status stage_leaf_check(struct compile *c) {
    assert(c->form == FORM_POLLED);
    struct calls g = {.c = c, .placed = 1};
    sm_status s = any_managed_leaf(c) ? mark_in_leaves(c) : SM_OK;
    if (!has_deviated(c, DEVIATION_LEAF_CALLS) || s != SM_OK)
        return s;
    visit_all(&g);
    visit_managed(&g, unmark_leaf);
    calls_free(&g);
    return SM_OK;
}
