/* custom_roots.c - roots that the module lowers itself: with gc.root_enter or gc.root_leave no llvm.gcroot is left.
 *
 * The document on garbage collection calls that custom roots: what keeps a list of slots of its own, or counts
 * references, wants no table. Each slot that llvm.gcroot marks is null at first, and given to gc.root_enter with its
 * metadata; in front of each return and each resume it is given to gc.root_leave, the last one first. The marks go,
 * so that LLVM's table of the function is empty.
 *
 * Requires polls of these strategies placed, as they are where marked slots hold what is alive, and a module that is
 * not optimised.
 */
#include "deviations.h"
#include "effects.h"
#include "gcroot.h"
#include "gcroots.h"
#include "ir.h"
#include "late_inline.h"

/* What a slot may be declared that keeps others from writing to it. */
static const char *const private[] = {"nocapture", "readnone", "readonly", "writeonly", "byval"};
enum { PRIVATE = sizeof private / sizeof *private };

/* Fails with FAILURE where F's first parameter is a slot that others will look into, and says otherwise. */
static sm_status check_slot_parameter(struct compile *c, LLVMValueRef f, sm_status failure) {
    for (size_t i = 0; i < PRIVATE; i++)
        if (LLVMIsDeclaration(f) && LLVMGetEnumAttributeAtIndex(f, 1, attribute_kind(private[i])))
            return fail(c, failure, f,
                        "The slot that %s is given is declared %s: the optimiser would know better than a collector "
                        "what is in it; leave the attribute out",
                        value_name(f), private[i]);
    return SM_OK;
}

/* Takes the attribute NAME off F. */
static void strip_attribute(LLVMValueRef f, unsigned index, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(f, index, attribute_kind(name));
}

/* What F's attributes say of its effects and its first parameter goes: its body says it. */
static void forget_effects(LLVMValueRef f) {
    strip_attribute(f, LLVMAttributeFunctionIndex, "memory");
    strip_attribute(f, LLVMAttributeFunctionIndex, "speculatable");
    for (size_t i = 0; i < PRIVATE - 1; i++)
        strip_attribute(f, 1, private[i]);
}

struct lowering {
    struct compile *c;
    LLVMValueRef enter, leave; /* NULL: none */
    struct set marks;          /* of the function that is lowered */
};

/* Finds the module's function NAME in *HOOK; SM_INVALID_GCROOT if the name is that of something else. */
static sm_status find_hook(struct compile *c, const char *name, LLVMValueRef *hook) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c->context, 0), both[] = {pointer, pointer};
    LLVMTypeRef needed = LLVMFunctionType(LLVMVoidTypeInContext(c->context), both, 2, 0);
    *hook = LLVMGetNamedFunction(c->module, name);
    if (LLVMGetNamedGlobal(c->module, name) || is_other_name(c->module, name) ||
        (*hook && LLVMGlobalGetValueType(*hook) != needed))
        return fail(c, SM_INVALID_GCROOT, *hook,
                    "'%s' is in the module, but is not a function void(ptr slot, ptr metadata)", name);
    if (*hook && !LLVMIsDeclaration(*hook))
        forget_effects(*hook);
    sm_status s = *hook ? effects_check(c, *hook, WRITES_BEYOND_ARGUMENTS, SM_INVALID_GCROOT) : SM_OK;
    return s == SM_OK && *hook ? check_slot_parameter(c, *hook, SM_INVALID_GCROOT) : s;
}

/* Builds a call of HOOK (NULL: none) before BEFORE, about the slot that MARK marks. */
static void report_custom(struct lowering *l, LLVMValueRef hook, LLVMValueRef mark, LLVMValueRef before) {
    LLVMValueRef args[] = {LLVMGetOperand(mark, 0), LLVMGetOperand(mark, 1)};
    LLVMBuilderRef b = builder_at(before);
    if (hook) {
        args[0] = slot_of_mark(mark);
        if (LLVMIsPoison(args[1])) /* gcroots.c: there is none */
            args[1] = LLVMConstNull(LLVMTypeOf(args[1]));
        hook_call(l->c, b, hook, args, 2, mark);
    }
    LLVMDisposeBuilder(b);
}

/* Builds what is done with the slot where the function begins: it is null, and entered. */
static void begin(struct lowering *l, LLVMValueRef mark) {
    LLVMValueRef slot = slot_of_mark(mark), next = LLVMGetNextInstruction(slot);
    root_clear(l->c, slot, next);
    report_custom(l, l->enter, mark, next);
}

/* Where the roots of a function that END ends are left: before it, or before the call that it has to follow at once;
 * NULL if it does not end the function. */
static LLVMValueRef place_of_leaving(LLVMValueRef end) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(end);
    LLVMValueRef before = LLVMGetPreviousInstruction(end);
    if (!leaves_function(end))
        return NULL;
    return opcode == LLVMRet && before && LLVMIsACallInst(before) && (is_musttail(before) || is_deoptimize(before))
               ? before
               : end;
}

/* Refuses a mark of something else than a slot of F's first block, which the hooks can be given. */
static sm_status check_mark(struct lowering *l, LLVMValueRef f, LLVMValueRef mark) {
    LLVMValueRef slot = slot_of_mark(mark);
    return LLVMIsAAllocaInst(slot) && LLVMGetInstructionParent(slot) == LLVMGetEntryBasicBlock(f) &&
                   LLVMGetPointerAddressSpace(LLVMTypeOf(slot)) == 0 && alloca_count(slot)
               ? SM_OK
               : fail(l->c, SM_INVALID_GCROOT, f,
                      "llvm.gcroot has to be given an alloca of fixed size of the function's first block, in address "
                      "space 0");
}

/* Refuses a way out of F at which no root can be left: that of a cleanuppad or catchswitch, whose calls are a
 * funclet's. */
static sm_status check_way_out(struct lowering *l, LLVMValueRef f, LLVMValueRef end) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(end);
    int leaves = (opcode == LLVMCleanupRet && LLVMGetNumSuccessors(end) == 0) ||
                 (opcode == LLVMCatchSwitch && !LLVMGetUnwindDest(end));
    return l->leave && l->marks.count && leaves
               ? fail(l->c, SM_INVALID_GCROOT, f,
                      "An exception leaves the function from a funclet, where gc.root_leave cannot be called: use "
                      "landingpad and resume")
               : SM_OK;
}

/* Lowers all roots of F. */
static sm_status lower_custom(struct lowering *l, LLVMValueRef f) {
    sm_status s = SM_OK;
    set_clear(&l->marks);
    collect_calls(f, is_gcroot, &l->marks);
    for (size_t i = 0; s == SM_OK && i < l->marks.count; i++)
        s = check_mark(l, f, l->marks.item[i]);
    for (size_t i = 0; s == SM_OK && i < l->marks.count; i++)
        begin(l, l->marks.item[i]);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); s == SM_OK && b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b), place = place_of_leaving(end);
        s = check_way_out(l, f, end);
        for (size_t i = l->marks.count; place && i-- > 0;)
            report_custom(l, l->leave, l->marks.item[i], place);
    }
    for (size_t i = 0; s == SM_OK && i < l->marks.count; i++)
        LLVMInstructionEraseFromParent(l->marks.item[i]);
    return s;
}

/* Lowers the roots of all functions, if the module says how. */
static sm_status lower_all(struct compile *c) {
    struct lowering l = {.c = c};
    sm_status s = find_hook(c, ROOT_ENTER, &l.enter);
    if (s == SM_OK)
        s = find_hook(c, ROOT_LEAVE, &l.leave);
    if (s != SM_OK || (!l.enter && !l.leave))
        return s;
    deviate(c, DEVIATION_CUSTOM_ROOTS);
    note_passes(c, "custom-roots");
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetGC(f))
            s = lower_custom(&l, f);
    set_free(&l.marks);
    LLVMValueRef mark = LLVMGetNamedFunction(c->module, "llvm.gcroot");
    if (s == SM_OK && mark && !LLVMGetFirstUse(mark))
        LLVMDeleteFunction(mark);
    return s;
}

/* Places polls in functions with llvm.gcroot, which go by the marks, and lowers the marks if the module says how.
 * Requires strategies, scoped roots turned into llvm.gcroot, and a module that is not optimised. */
sm_status stage_marked_roots(struct compile *c) {
    sm_status s = root_polls_place(c);
    return s == SM_OK ? lower_all(c) : s;
}
