/* effects.c - functions that must not be called less often, or elsewhere, than smd has them called: polls, barriers,
 * transitions and what roots become.
 *
 * What they are for the optimiser does not see. It goes by attributes: calls of what writes nothing are dropped where
 * nobody needs the result, merged and moved, and where something was no root would be left. So such a function is
 * refused by name. One with a body is inlined, and its attributes with it gone; there it is what the body calls that
 * has to stay.
 *
 * And in functions with llvm.gcroot a collector writes to slots of its caller, in calls of allocators that say to write
 * only memory that nobody sees. */
#include "effects.h"
#include "base.h"
#include "deviations.h"
#include "ir.h"
#include "state.h"

#include <string.h>

enum { WRITES = 2, ARGUMENTS = 0, INACCESSIBLE = 2, OTHER = 4 }; /* of the attribute "memory": two bits for each */

/* The bits of "memory" of which at least one has to be there. */
static unsigned long long bits_of(enum writes needed) {
    unsigned long long bits = WRITES << OTHER;
    if (needed != WRITES_ALL_MEMORY)
        bits |= WRITES << INACCESSIBLE;
    return needed == WRITES_ANYTHING ? bits | WRITES << ARGUMENTS : bits;
}

/* The attribute, as text, for which the optimiser may do without a call of these EFFECTS; NULL. */
static const char *lost_by_memory(unsigned long long effects, enum writes needed) {
    static const unsigned long long all = WRITES << ARGUMENTS | WRITES << INACCESSIBLE | WRITES << OTHER;
    if (effects & bits_of(needed))
        return NULL;
    return effects & all ? "memory(…) with writes to arguments or inaccessible memory alone"
                         : (effects ? "memory(read)" : "memory(none)");
}

/* 1 if F has the enum attribute NAME at INDEX. */
static int has_at(LLVMValueRef f, unsigned index, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, index, attribute_kind(name)) != NULL;
}

struct check {
    struct compile *c;
    LLVMValueRef hook;
    enum writes needed;
    sm_status failure, status;
};

/* Fails: calls of NAME may be lost by the ATTRIBUTE. */
static void refuse_effect(struct check *k, const char *name, const char *attribute) {
    k->status =
        fail(k->c, k->failure, k->hook,
             "%s is declared %s: the optimiser may drop, merge or move its calls, and a collector would go by "
             "what was not done; leave the attribute out",
             name, attribute);
}

/* Visitor of the calls in a hook: one that gives nothing is there for what it does. */
static void visit_call_effect(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct check *k = arg;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    (void)f;
    if (k->status != SM_OK || intrinsic_name(call) || LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        return;
    const char *lost = lost_by_memory(effects_of_call(call), k->needed);
    if (!lost && LLVMIsAFunction(callee) && has_at(callee, LLVMAttributeFunctionIndex, "speculatable"))
        lost = "speculatable";
    if (lost)
        refuse_effect(k, callee_name(call), lost);
}

sm_status effects_check(struct compile *c, LLVMValueRef f, enum writes needed, sm_status failure) {
    struct check k = {c, f, needed, failure, SM_OK};
    static const char *const alone[] = {"speculatable", "noreturn"};
    if (!LLVMIsDeclaration(f)) {
        visit_calls(f, visit_call_effect, &k);
        return k.status;
    }
    const char *lost = lost_by_memory(effects_of_function(f), needed);
    for (size_t i = 0; !lost && i < sizeof alone / sizeof *alone; i++)
        if (has_at(f, LLVMAttributeFunctionIndex, alone[i]))
            lost = alone[i];
    if (lost)
        refuse_effect(&k, value_name(f), lost);
    return k.status;
}

/* What a slot may be declared that keeps others from writing to it. */
static const char *const private[] = {"nocapture", "readnone", "readonly", "writeonly", "byval"};
enum { PRIVATE = sizeof private / sizeof *private };

sm_status effects_check_slot(struct compile *c, LLVMValueRef f, sm_status failure) {
    for (size_t i = 0; i < PRIVATE; i++)
        if (LLVMIsDeclaration(f) && has_at(f, 1, private[i]))
            return fail(c, failure, f,
                        "The slot that %s is given is declared %s: the optimiser would know better than a collector "
                        "what is in it; leave the attribute out",
                        value_name(f), private[i]);
    return SM_OK;
}

/* Takes the attribute NAME off F. */
static void strip(LLVMValueRef f, unsigned index, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(f, index, attribute_kind(name));
}

void effects_by_body(LLVMValueRef f) {
    strip(f, LLVMAttributeFunctionIndex, "memory");
    strip(f, LLVMAttributeFunctionIndex, "speculatable");
    for (size_t i = 0; i < PRIVATE - 1; i++)
        strip(f, 1, private[i]);
}

/* ---- Calls that may collect ------------------------------------------------------------------------------------ */

/* 1 if something of these EFFECTS may collect, and the optimiser would take it to leave the caller's slots alone: an
 * allocator that says to write only memory that nobody sees. */
static int is_hidden_writer(unsigned long long effects) {
    return effects & WRITES << INACCESSIBLE && !(effects & WRITES << OTHER);
}

/* Visitor of calls: takes "memory" off a call that says so. */
static void report_call(void *arg, LLVMValueRef f, LLVMValueRef call) {
    unsigned kind = attribute_kind("memory");
    LLVMAttributeRef memory = LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
    (void)f;
    if (!memory || !is_hidden_writer(LLVMGetEnumAttributeValue(memory)) || intrinsic_name(call) || is_leaf_call(call))
        return;
    LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
    deviate(arg, DEVIATION_KEEPS_SLOTS);
}

/* C's and C++'s allocators, of which LLVM infers the same by their names alone. */
static int is_named_like_allocator(LLVMValueRef f) {
    static const char *const names[] = {
        "malloc",  "calloc", "realloc", "reallocf", "reallocarray", "valloc",   "aligned_alloc", "memalign",
        "pvalloc", "strdup", "strndup", "free",     "vec_malloc",   "vec_free", "vec_calloc",    "vec_realloc"};
    static const char *const operators[] = {"_Zn", "_Zd", "??2@", "??_U@", "??3@", "??_V@", "__kmpc_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value_name(f), names[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (starts_with(value_name(f), operators[i]))
            return 1;
    return 0;
}

/* Keeps LLVM from inferring attributes of F by its name. */
static void keep_from_inference(struct compile *c, LLVMValueRef f) {
    if (!LLVMIsDeclaration(f) || !is_named_like_allocator(f) || is_leaf_function(f))
        return;
    set_text_attribute(c->context, f, "no-builtins", "");
    unsigned kind = attribute_kind("nobuiltin");
    LLVMAddAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(c->context, kind, 0));
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) /* a call may say otherwise */
        if (LLVMIsACallInst(LLVMGetUser(u)) || LLVMIsAInvokeInst(LLVMGetUser(u)))
            LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u), LLVMAttributeFunctionIndex, attribute_kind("builtin"));
}

void effects_reach_slots(struct compile *c) {
    LLVMValueRef mark = LLVMGetNamedFunction(c->module, "llvm.gcroot");
    if (!mark || !LLVMGetFirstUse(mark))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        keep_from_inference(c, f);
        if (!is_hidden_writer(effects_of_function(f)) || starts_with(value_name(f), "llvm.") || is_leaf_function(f))
            continue;
        strip(f, LLVMAttributeFunctionIndex, "memory");
        deviate(c, DEVIATION_KEEPS_SLOTS);
    }
    visit_module_calls(c->module, report_call, c);
}
