/* internal_names.c - functions that stand for something, and of which nothing is left in an object: smd's own ("smd.") and the
 * intrinsics that smd lowers ("llvm.gc.", llvm.gcread, llvm.gcwrite).
 *
 * None of them throws. So an invoke of one is a call and a branch, and while the optimiser runs they are nounwind: the
 * inliner makes invokes of all calls that may throw, where the function that they are in was invoked. All readers of
 * marks can then count on calls.
 */
#include "ir.h"
#include "marks.h"

#include <llvm-c/DebugInfo.h>

enum mark_of { ATTRIBUTE, METADATA, FUNCTION, OVERLOADED, DEFINITION };
enum mark_whose { INPUT, LOWERED, SMD };

struct mark {
    const char *name;
    enum mark_of of;
    enum mark_whose whose;
    const char *set_by, *removed_by;
};

#define ROW(name, of, whose, set_by, removed_by) {name, of, whose, set_by, removed_by},
static const struct mark marks[] = {MARKS(ROW)};
#undef ROW

enum { COUNT = sizeof marks / sizeof *marks };

/* 1 if the mark, of a function, is the one that is called NAME. */
static int is_named(const struct mark *m, const char *name) {
    if (m->of == OVERLOADED)
        return is_overload(name, m->name);
    return m->of == FUNCTION && strcmp(name, m->name) == 0;
}

/* 1 if a module may use a function of this NAME. */
static int is_public(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (marks[i].whose == LOWERED && is_named(&marks[i], name))
            return 1;
    return 0;
}

/* 1 if F is a mark: it is only declared, and has a name that smd lowers. */
static int is_internal(LLVMValueRef f) {
    return LLVMIsDeclaration(f) && list_begins("smd.,llvm.gc.," GC_READ "," GC_WRITE, value_name(f));
}

/* ---- Marks that are there ------------------------------------------------------------------------------ */

/* The mark that the attribute A is, if it is as private as LEAST; NULL if it is none. */
static const struct mark *marking_attribute(LLVMAttributeRef a, enum mark_whose least) {
    unsigned len;
    const char *name = LLVMIsStringAttribute(a) ? LLVMGetStringAttributeKind(a, &len) : NULL;
    if (!name || len < 4 || memcmp(name, "smd-", 4) != 0)
        return NULL;
    for (size_t i = 0; i < COUNT; i++)
        if (marks[i].of == ATTRIBUTE && marks[i].whose >= least && strlen(marks[i].name) == len &&
            memcmp(marks[i].name, name, len) == 0)
            return &marks[i];
    return NULL;
}

/* The first such attribute of the function or call V; NULL if it has none. */
static const struct mark *attribute_of(LLVMValueRef v, enum mark_whose least) {
    unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    unsigned n = is_call(v) ? LLVMGetCallSiteAttributeCount(v, at) : LLVMGetAttributeCountAtIndex(v, at);
    const struct mark *m = NULL;
    LLVMAttributeRef *all = n ? xcalloc(n, sizeof *all) : NULL;
    if (n && is_call(v))
        LLVMGetCallSiteAttributes(v, at, all);
    else if (n)
        LLVMGetAttributesAtIndex(v, at, all);
    for (unsigned i = 0; i < n && !m; i++)
        m = marking_attribute(all[i], least);
    free(all);
    return m;
}

/* The first such metadata of the instruction I; NULL if it has none. */
static const struct mark *metadata_of(const struct compile *c, LLVMValueRef i, enum mark_whose least) {
    if (!LLVMHasMetadata(i))
        return NULL;
    for (size_t n = 0; n < COUNT; n++)
        if (marks[n].of == METADATA && marks[n].whose >= least &&
            LLVMGetMetadata(i, LLVMGetMDKindIDInContext(c->context, marks[n].name, (unsigned)strlen(marks[n].name))))
            return &marks[n];
    return NULL;
}

/* The first attribute or metadata in F that is as private as LEAST; NULL if there is none. */
static const struct mark *mark_in(const struct compile *c, LLVMValueRef f, enum mark_whose least) {
    const struct mark *m = attribute_of(f, least);
    for (LLVMValueRef i = first_instruction(f); i && !m; i = instruction_after(i)) {
        m = is_call(i) ? attribute_of(i, least) : NULL;
        m = m ? m : metadata_of(c, i, least);
    }
    return m;
}

/* ---- Before the verifier --------------------------------------------------------------------------------------- */

/* Replaces INVOKE by a call and a branch to where it goes on. */
static void make_call(struct compile *c, LLVMValueRef invoke) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(invoke), normal = LLVMGetNormalDest(invoke);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke)), next; i && LLVMIsAPHINode(i);
         i = next) {
        next = LLVMGetNextInstruction(i);
        phi_redirect(b, i, block, NULL);
    }
    LLVMValueRef call = call_from_invoke(invoke);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMInstructionSetDebugLoc(LLVMBuildBr(b, normal), LLVMInstructionGetDebugLoc(call));
    LLVMDisposeBuilder(b);
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
                "intrinsics; it has smd.gc.pin, smd.gc.unpin, smd.gc.to_int, smd.gc.from_int, smd.gc.state, "
                "llvm.gc.declare, llvm.gc.undeclare and llvm.gc.value",
                value_name(f));
}

/* Refuses private marks in F, which came with the module: what reads them would take them for smd's. */
static sm_status check_private(struct compile *c, LLVMValueRef f) {
    const struct mark *m = mark_in(c, f, SMD);
    return m ? fail(c, SM_INVALID_MODULE, f, "\"%s\" is a mark of smd's own, which no module has", m->name) : SM_OK;
}

/* Makes a call of each invoke of a mark in the module as it was read, and refuses names that only look like marks.
 * Before anything reads them. */
sm_status marks_read(struct compile *c) {
    assert(c->form == FORM_READ);
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        s = check_private(c, f);
        if (!is_internal(f))
            continue;
        if (s == SM_OK)
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
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (is_internal(f))
            set_function_attribute(f, "nounwind");
}

/* The function with the first instruction that uses F; NULL if there is none. */
static LLVMValueRef first_user(LLVMValueRef f) {
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            return function_of(LLVMGetUser(use));
    return NULL;
}

/* Fails if a mark is left that smd lowers or has set itself: a function would be an undefined symbol of the object, and
 * an attribute says that what
 * set it has not ended. LLVM's own llvm.gcread and llvm.gcwrite may be: code generation makes a load or a store of them.
 * Requires the module as code is generated of it. */
sm_status marks_check_left(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = value_name(f);
        if (is_internal(f) && LLVMGetFirstUse(f) && strcmp(name, GC_READ) != 0 && strcmp(name, GC_WRITE) != 0)
            return fail(c, SM_INTERNAL, first_user(f), "A use of %s is left, which was to be lowered", name);
        const struct mark *m = mark_in(c, f, LOWERED);
        if (m)
            return fail(c, SM_INTERNAL, f, "The mark \"%s\", set by %s, is left: %s was to remove it", m->name,
                        m->set_by, m->removed_by);
    }
    return SM_OK;
}
