/* late_inline.c - see late_inline.h.
 *
 * They are inlined when the optimiser is done and polls are placed: nothing may come between the parts of a barrier,
 * and the optimiser knows nothing of that. Until then they are kept alive, by a linkage that is not theirs.
 */
#include "late_inline.h"
#include "ir.h"
#include "marks.h"

#include <llvm-c/DebugInfo.h>

static const char *const names[] = {READ_BARRIER, WRITE_BARRIER, ENTER, LEAVE};
enum { NAMES = sizeof names / sizeof *names };

/* How many names there are of hooks: NAMES, and a read and a write barrier for each space of compressed references. */
static size_t count_names(const struct compile *c) {
    return NAMES + 2 * c->spaces;
}

/* The module's hook of name number I; NULL if it has none. */
static LLVMValueRef hook_number(const struct compile *c, size_t i) {
    size_t space = (i - NAMES) / 2;
    if (i < NAMES)
        return hook_of(c, names[i]);
    return hook_of_space(c, (i - NAMES) % 2 ? WRITE_BARRIER : READ_BARRIER, c->space[space].number);
}

/* Keeps declared hooks and OTHERS alive through the optimiser, which does not see their later uses: a global table
 * refers to them. */
static void keep_symbols(struct compile *c, const struct set *others) {
    LLVMValueRef *kept = xcalloc(others->count + count_names(c), sizeof *kept);
    unsigned n = 0;
    for (size_t i = 0; i < others->count; i++)
        kept[n++] = others->item[i];
    for (size_t i = 0; i < count_names(c); i++) /* those that are defined are kept by their linkage */
        if (hook_number(c, i) && LLVMIsDeclaration(hook_number(c, i)))
            kept[n++] = hook_number(c, i);
    if (n) { /* a struct, as they may be of several address spaces */
        LLVMValueRef table = LLVMConstStructInContext(c->context, kept, n, 0);
        c->barriers.kept = LLVMAddGlobal(c->module, LLVMTypeOf(table), KEPT_SYMBOLS);
        LLVMSetInitializer(c->barriers.kept, table);
    }
    free(kept);
}

/* The function's attribute NAME becomes what IS_THERE says. */
static void set_plain_attribute(LLVMValueRef f, const char *name, int is_there) {
    remove_function_attribute(f, name);
    if (is_there)
        set_function_attribute(f, name);
}

/* Allocators ("smd-allocate", and the one that the option allocate names) stay calls until polls are placed, and have no polls: so no poll stands between the load
 * and the store of what says where memory is free, and what one allocation has stored is not what the next one loads,
 * with a poll between them that moves it. Fails if the attribute is on another thing than a function that gives
 * references. */
static sm_status keep_allocators(struct compile *c) {
    LLVMValueRef named = c->options->allocate[0] ? LLVMGetNamedFunction(c->module, c->options->allocate) : NULL;
    if (named && !LLVMIsDeclaration(named))
        set_text_attribute(c->context, named, ALLOCATE_ATTRIBUTE, "");
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        LLVMTypeRef type = LLVMGlobalGetValueType(f);
        if (!text_attribute(f, ALLOCATE_ATTRIBUTE))
            continue;
        if (LLVMIsDeclaration(f) || LLVMIsFunctionVarArg(type) || !holds_reference(LLVMGetReturnType(type)))
            return fail(c, SM_INVALID_MODULE, f,
                        "\"" ALLOCATE_ATTRIBUTE
                        "\" is for functions with a body that can be inlined, and that give a "
                        "reference; so is the option allocate");
        set_plain_attribute(f, "alwaysinline", 0);
        set_plain_attribute(f, "noinline", 1);
        set_text_attribute(c->context, f, POLLS_ATTRIBUTE, "none");
    }
    return SM_OK;
}

/* Keeps hooks and OTHERS alive until hooks_release: by a table, and defined hooks by external linkage, their own
 * being noted in an attribute. Keeps allocators from being inlined. */
sm_status hooks_keep(struct compile *c, const struct set *others) {
    keep_symbols(c, others);
    for (size_t i = 0; i < count_names(c); i++) {
        LLVMValueRef f = hook_number(c, i);
        char number[16];
        if (!f || LLVMIsDeclaration(f) || LLVMGetLinkage(f) == LLVMExternalLinkage)
            continue;
        snprintf(number, sizeof number, "%d", (int)LLVMGetLinkage(f));
        set_text_attribute(c->context, f, LINKAGE_ATTRIBUTE, number);
        LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    return keep_allocators(c);
}

/* 1 if a function of this linkage may be deleted when nothing uses it. */
static int may_be_dropped(LLVMLinkage l) {
    return l == LLVMInternalLinkage || l == LLVMPrivateLinkage || l == LLVMLinkOnceAnyLinkage ||
           l == LLVMLinkOnceODRLinkage || l == LLVMAvailableExternallyLinkage;
}

/* Undoes hooks_keep: removes the table, gives hooks their own linkage back, and deletes those that are no longer
 * used. */
void hooks_release(struct compile *c) {
    if (c->barriers.kept)
        LLVMDeleteGlobal(c->barriers.kept);
    c->barriers.kept = NULL;
    for (size_t i = 0; i < count_names(c); i++) {
        LLVMValueRef f = hook_number(c, i);
        LLVMAttributeRef kept = f ? text_attribute(f, LINKAGE_ATTRIBUTE) : NULL;
        unsigned len;
        if (!kept)
            continue;
        LLVMLinkage linkage = (LLVMLinkage)strtol(LLVMGetStringAttributeValue(kept, &len), NULL, 10);
        remove_text_attribute(f, LINKAGE_ATTRIBUTE);
        LLVMSetLinkage(f, linkage);
        if (may_be_dropped(linkage) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

/* Gives CALL the debug location of LIKE, or line 0 of its function: an inlinable call needs one where both functions
 * have debug information. */
static void locate(struct compile *c, LLVMValueRef call, LLVMValueRef like) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(like);
    LLVMMetadataRef scope = LLVMGetSubprogram(function_of(like));
    if (!at && scope)
        at = LLVMDIBuilderCreateDebugLocation(c->context, 0, 0, scope, NULL);
    if (at)
        LLVMInstructionSetDebugLoc(call, at);
}

/* Builds a call of the hook, marked as smd's and, if it is defined, to be inlined always. LIKE gives the debug
 * location. */
LLVMValueRef hook_call(struct compile *c, LLVMBuilderRef b, LLVMValueRef hook, LLVMValueRef *args, unsigned count,
                       LLVMValueRef like) {
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(hook), hook, args, count, "");
    call_as_declared(call, hook);
    set_call_attribute(c->context, call, HOOK_ATTRIBUTE, "");
    locate(c, call, like);
    if (!LLVMIsDeclaration(hook)) {
        set_call_enum_attribute(call, "alwaysinline");
    }
    c->barriers.hooked = 1;
    return call;
}

/* The function NAME that smd wrote before; NULL if there is none. Sets *FAILURE, if it is SM_OK, where the module has
 * another function of that name. */
LLVMValueRef hook_named(struct compile *c, const char *name, sm_status *failure) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    if (f && !text_attribute(f, HOOK_ATTRIBUTE) && *failure == SM_OK)
        *failure = fail(c, SM_BARRIER_CONFLICT, NULL, "'%s' is in the module, and smd needs the name", name);
    return f;
}

/* Adds an internal function NAME, marked as smd's; the builder is left in its empty entry block. */
LLVMValueRef hook_begin(struct compile *c, LLVMBuilderRef b, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(c->module, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    set_text_attribute(c->context, f, HOOK_ATTRIBUTE, "");
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c->context, f, "entry"));
    return f;
}

/* Removes noinline and optnone from defined hooks. */
static void allow_inlining(struct compile *c) {
    for (size_t i = 0; i < count_names(c); i++) {
        LLVMValueRef f = hook_number(c, i);
        if (!f || LLVMIsDeclaration(f))
            continue;
        remove_function_attribute(f, "noinline");
        remove_function_attribute(f, "optnone");
    }
}

/* Has the call inlined if it is one of an allocator, in a function with a strategy, and nothing is bundled with it that
 * LLVM would lose. */
static void mark_allocation(struct compile *c, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call), f = function_of(call);
    if (!LLVMIsAFunction(callee) || callee == f || !LLVMGetGC(f) || !text_attribute(callee, ALLOCATE_ATTRIBUTE) ||
        LLVMGetNumOperandBundles(call))
        return;
    set_call_enum_attribute(call, "alwaysinline");
    locate(c, call, call);
    c->barriers.hooked = 1;
}

/* Deletes the functions that smd added to the module (attribute OURS), once they are inlined everywhere. */
static void delete_ours(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (text_attribute(f, HOOK_ATTRIBUTE) && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

/* Inlines all calls of hooks that smd created, and of allocators, and deletes the functions it wrote; fails with STATUS
 * if one of a hook cannot be inlined. */
sm_status hooks_inline(struct compile *c, sm_status status) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        mark_allocation(c, call);
    if (!c->barriers.hooked)
        return SM_OK;
    c->barriers.hooked = 0;
    allow_inlining(c);
    sm_status s = inline_marked(c, NULL);
    if (s != SM_OK)
        return s;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call)) {
        LLVMValueRef callee = LLVMGetCalledValue(call);
        if (LLVMIsAFunction(callee) && text_attribute(callee, ALLOCATE_ATTRIBUTE))
            remove_call_enum_attribute(call, "alwaysinline");
        if (!call_attribute(call, HOOK_ATTRIBUTE))
            continue;
        remove_call_attribute(call, HOOK_ATTRIBUTE);
        if (s == SM_OK && !LLVMIsDeclaration(callee))
            s = fail(c, status, function_of(call),
                     "%s cannot be inlined here: it calls itself, has another strategy or personality, or holds what "
                     "LLVM does not inline",
                     callee_name(call));
    }
    delete_ours(c);
    return s;
}

/* Writes the types to TEXT, separated by commas; cut off at SIZE. */
void types_text(LLVMTypeRef *types, unsigned count, char *text, size_t size) {
    size_t at = 0;
    text[0] = 0;
    for (unsigned i = 0; i < count && at < size; i++) {
        char *one = LLVMPrintTypeToString(types[i]);
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "", one);
        LLVMDisposeMessage(one);
    }
}
