/* transitions.c - calls from managed code into native code: what a "gc-transition" bundle says is done around them.
 *
 * The module has gc.transition_enter and gc.transition_leave, which take the bundle's operands, or the option
 * transition says what they are. LLVM leaves this open: its own marks select no instructions
 * (StatepointLowering.cpp), and on AArch64 not even those. So the bundle goes, the record's flag is written when the
 * object is there (record_ids.c), and
 *
 *   - code without calls and branches stands around the call, where the call is;
 *   - all other code is in a frame of its own, between the managed function and the native one: a function that enters,
 *     calls, and leaves, also when an exception passes. There every root of the managed function is in its place in memory
 *     before the first instruction of gc.transition_enter, and none is read before the last of gc.transition_leave. In the
 *     managed function the roots would be stored after the one, and read before the other, while another thread already
 *     collects, or still does. What enter and leave call are safepoints of that frame, so a walk can begin there.
 */
#include "barrier_parts.h"
#include "barriers.h"
#include "deviations.h"
#include "effects.h"
#include "ir.h"
#include "late_inline.h"
#include "marks.h"
#include "transition_roots.h"

#include <elf.h>

#define TAG "gc-transition"

enum { CALLEE = 2, COUNT, FLAGS, ARGUMENTS }; /* a statepoint's operands */

struct transition {
    struct compile *c;
    LLVMValueRef function, call;
    int is_statepoint; /* boolean */
    LLVMValueRef callee;
    LLVMTypeRef type;            /* of the callee */
    unsigned first, count;       /* its arguments, among the call's operands */
    LLVMOperandBundleRef bundle; /* owned; NULL: a statepoint that has only the flag */
    unsigned operands;
    LLVMValueRef enter, leave; /* NULL where there is none */
    int unwinds;               /* boolean: it is left when an exception passes, too */
    struct set *loads;         /* of references among the operands, in frames (transition_roots.h) */
};

/* Of calls: that were invokes. The optimiser makes calls of those whose pads only go on unwinding, which managed code
 * then would do as a thread in native code. */

/* ---- What the module and the option say ----------------------------------------------------------------------- */

/* Refuses NAME in the module if it is no void function, or if transition=flag asks for another. */
static sm_status check_hook_transition(struct compile *c, const char *name) {
    LLVMValueRef f = hook_of(c, name);
    LLVMTypeRef type = f ? LLVMGlobalGetValueType(f) : NULL;
    if (LLVMGetNamedGlobal(c->module, name) || is_other_name(c->module, name) ||
        (f && (LLVMIsFunctionVarArg(type) || LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind)))
        return fail(c, SM_TRANSITION_CONFLICT, NULL,
                    "'%s' is in the module, but is not a function void(…) of the bundle's operands", name);
    if (f && c->options->transition != SM_TRANSITION_MODULE)
        return fail(c, SM_TRANSITION_CONFLICT, f,
                    "The module has a %s of its own, and transition=flag asks for another", name);
    return f ? effects_check(c, f, WRITES_ANYTHING, SM_TRANSITION_CONFLICT) : SM_OK;
}

/* Checks the module's hooks, and marks invokes that are transitions. Before the optimiser. */
sm_status transitions_check(struct compile *c) {
    sm_status s = check_hook_transition(c, ENTER);
    if (s == SM_OK)
        s = check_hook_transition(c, LEAVE);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (LLVMIsAInvokeInst(call) && call_has_bundle(call, TAG)) /* the optimiser may make it a call */
            set_call_attribute(c->context, call, UNWINDS_ATTRIBUTE, "");
    return s;
}

/* The transition's operand I, of its bundle. */
static LLVMValueRef operand(const struct transition *t, unsigned i) {
    return LLVMGetOperandBundleArgAtIndex(t->bundle, i);
}

/* The function NAME that stores VALUE to the i32 at the first operand's address, for transition=flag; created if it is
 * not there yet. */
static LLVMValueRef flag_function(struct transition *t, const char *name, unsigned value, sm_status *failure) {
    struct compile *c = t->c;
    LLVMValueRef f = hook_named(c, name, failure);
    LLVMTypeRef number = LLVMInt32TypeInContext(c->context), pointer = LLVMTypeOf(operand(t, 0));
    if (f)
        return f;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    f = hook_begin(c, b, name, LLVMFunctionType(LLVMVoidTypeInContext(c->context), &pointer, 1, 0));
    LLVMBuildStore(b, LLVMConstInt(number, value, 0), LLVMGetParam(f, 0));
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* 1 if the first operand of the transition is a pointer that is no reference. */
static int begins_with_address_transition(const struct transition *t) {
    return t->operands && LLVMGetTypeKind(LLVMTypeOf(operand(t, 0))) == LLVMPointerTypeKind &&
           !holds_reference(LLVMTypeOf(operand(t, 0)));
}

/* Finds what is called to enter and to leave; with transition=flag, checks the first operand and makes them of it. */
static sm_status find_hooks(struct transition *t) {
    t->enter = hook_of(t->c, ENTER);
    t->leave = hook_of(t->c, LEAVE);
    if (t->c->options->transition == SM_TRANSITION_MODULE)
        return SM_OK;
    if (!begins_with_address_transition(t))
        return fail(t->c, SM_TRANSITION_CONFLICT, t->function,
                    "transition=flag: the first \"" TAG "\" operand of the call of %.200s is not the flag's address",
                    safepoint_name(t->call));
    if (LLVMIsNull(operand(t, 0)) ||
        LLVMIsUndef(operand(t, 0))) /* LLVM takes what follows a store to it for never reached */
        return fail(t->c, SM_TRANSITION_CONFLICT, t->function,
                    "transition=flag: the first \"" TAG
                    "\" operand of the call of %.200s is %s, where no flag can be",
                    safepoint_name(t->call), LLVMIsNull(operand(t, 0)) ? "null" : "undefined");
    sm_status s = SM_OK;
    t->operands = 1;
    t->enter = flag_function(t, TRANSITION_ENTER, 1, &s);
    t->leave = flag_function(t, TRANSITION_LEAVE, 0, &s);
    return s;
}

/* Refuses the transition if HOOK's parameters are not of the types of its operands. */
static sm_status check_operands(struct transition *t, LLVMValueRef hook) {
    LLVMTypeRef type = hook ? LLVMGlobalGetValueType(hook) : NULL;
    unsigned n = type ? LLVMCountParamTypes(type) : 0;
    LLVMTypeRef *params = xcalloc(n + t->operands + 1, sizeof *params), *given = params + n;
    char needed[256], got[256];
    if (hook)
        LLVMGetParamTypes(type, params);
    for (unsigned i = 0; i < t->operands; i++)
        given[i] = LLVMTypeOf(operand(t, i));
    types_text(params, n, needed, sizeof needed);
    types_text(given, t->operands, got, sizeof got);
    int fits = !hook || (n == t->operands && memcmp((void *)params, (void *)given, n * sizeof *params) == 0);
    free((void *)params);
    return fits ? SM_OK
                : fail(t->c, SM_TRANSITION_CONFLICT, t->function,
                       "%s takes (%s), and the call of %.200s has the \"" TAG "\" operands (%s)", value_name(hook),
                       needed, safepoint_name(t->call), got);
}

/* ---- Which calls ---------------------------------------------------------------------------------------------- */

/* 1 if CALL is a statepoint with the GC transition flag. */
static int is_flagged(LLVMValueRef call) {
    return is_statepoint(call) && LLVMConstIntGetZExtValue(LLVMGetOperand(call, FLAGS)) & 1;
}

/* Reads what the transition CALL calls, its arguments, and its operands. */
static struct transition read_transition(struct compile *c, LLVMValueRef call) {
    struct transition t = {.c = c, .call = call, .bundle = call_bundle(call, TAG)};
    t.function = function_of(call);
    t.unwinds =
        LLVMIsAInvokeInst(call) || (call_attribute(call, UNWINDS_ATTRIBUTE) && LLVMHasPersonalityFn(t.function));
    remove_call_attribute(call, UNWINDS_ATTRIBUTE);
    t.operands = t.bundle ? LLVMGetNumOperandBundleArgs(t.bundle) : 0;
    t.is_statepoint = is_statepoint(call);
    if (t.is_statepoint) {
        t.callee = LLVMGetOperand(call, CALLEE);
        t.type = statepoint_callee_type(call);
        t.first = ARGUMENTS;
        t.count = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, COUNT));
    } else {
        t.callee = LLVMGetCalledValue(call);
        t.type = LLVMGetCalledFunctionType(call);
        t.count = LLVMGetNumArgOperands(call);
    }
    return t;
}

/* ---- The call without its bundle ------------------------------------------------------------------------------ */

/* *New*: the call again, of CALLEE with these arguments and without the bundle; results, relocations and attributes
 * as before. */
static LLVMValueRef call_again(const struct transition *t, LLVMValueRef callee, LLVMTypeRef type, LLVMValueRef *args,
                               unsigned count) {
    LLVMOperandBundleRef *bundles = xcalloc(LLVMGetNumOperandBundles(t->call) + 1, sizeof(LLVMOperandBundleRef));
    LLVMContextRef context = t->c->context;
    struct call_parts p = {.type = type, .callee = callee, .args = args, .arg_count = count, .bundles = bundles};
    LLVMValueRef *complete = t->is_statepoint ? xcalloc(count + ARGUMENTS + 2, sizeof *complete) : NULL;
    unsigned kept = t->is_statepoint ? ARGUMENTS : 0;
    p.bundle_count = call_other_bundles(t->call, TAG, bundles);
    if (t->is_statepoint) {
        LLVMTypeRef number = LLVMTypeOf(LLVMGetOperand(t->call, FLAGS));
        unsigned long long flags = LLVMConstIntGetZExtValue(LLVMGetOperand(t->call, FLAGS));
        complete[0] = LLVMGetOperand(t->call, 0);
        complete[1] = LLVMGetOperand(t->call, 1);
        complete[CALLEE] = callee;
        complete[COUNT] = LLVMConstInt(number, count, 0);
        complete[FLAGS] = LLVMConstInt(number, flags & ~1ULL, 0);
        memcpy((void *)(complete + ARGUMENTS), (void *)args, count * sizeof *args);
        complete[ARGUMENTS + count] = complete[ARGUMENTS + count + 1] = LLVMConstInt(number, 0, 0);
        p = (struct call_parts){LLVMGetCalledFunctionType(t->call),
                                LLVMGetCalledValue(t->call),
                                complete,
                                count + ARGUMENTS + 2,
                                bundles,
                                p.bundle_count,
                                0};
    }
    LLVMValueRef created = call_build(t->call, &p);
    call_copy_attributes(t->call, LLVMAttributeReturnIndex, created, LLVMAttributeReturnIndex);
    for (unsigned i = 0; i < t->count && i < count; i++)
        call_copy_attributes(t->call, t->first + i + 1, created, kept + i + 1);
    if (t->is_statepoint)
        LLVMAddCallSiteAttribute(created, CALLEE + 1,
                                 LLVMCreateTypeAttribute(context, attribute_kind("elementtype"), type));
    for (unsigned i = 0; i < p.bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    free(bundles);
    free((void *)complete);
    return created;
}

/* *New*: the callee's arguments, with room for MORE. */
static LLVMValueRef *arguments(const struct transition *t, unsigned more) {
    LLVMValueRef *args = xcalloc(t->count + more + 1, sizeof *args);
    for (unsigned i = 0; i < t->count; i++)
        args[i] = LLVMGetOperand(t->call, t->first + i);
    return args;
}

/* Marks CALL as a GC transition of the native function, for record_ids.c. */
static void mark_transition(const struct transition *t, LLVMValueRef call) {
    const char *name = LLVMIsAGlobalValue(t->callee) ? value_name(t->callee) : "indirect";
    set_call_attribute(t->c->context, call, TRANSITION_ATTRIBUTE, name);
    deviate(t->c, DEVIATION_TRANSITIONS);
}

/* ---- Around the call ------------------------------------------------------------------------------------------ */

/* Builds at B's place a call of HOOK (which may be NULL) with the transition's operands. */
static void hook_around(const struct transition *t, LLVMBuilderRef b, LLVMValueRef hook, LLVMValueRef like) {
    LLVMValueRef *args = xcalloc(t->operands + 1, sizeof *args);
    for (unsigned i = 0; i < t->operands; i++)
        args[i] = operand(t, i);
    if (hook)
        hook_call(t->c, b, hook, args, t->operands, like);
    free((void *)args);
}

/* Replaces the transition by the call without its bundle, between calls of its hooks. */
static void put_around(struct transition *t) {
    LLVMValueRef *args = arguments(t, 0);
    LLVMValueRef created = call_again(t, t->callee, t->type, args, t->count);
    free((void *)args);
    if (LLVMIsACallInst(created))
        LLVMSetTailCallKind(created, LLVMTailCallKindNone); /* it is not the last any more */
    LLVMBuilderRef b = builder_at(created);
    hook_around(t, b, t->enter, created);
    if (t->leave) { /* not of invokes */
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(created));
        hook_around(t, b, t->leave, created);
    }
    LLVMDisposeBuilder(b);
    call_replace(t->call, created);
    mark_transition(t, created);
}

/* ---- A frame of its own --------------------------------------------------------------------------------------- */

/* Copies the call's attributes FROM_INDEX to TO_INDEX of the function TO. */
static void copy_to_params(const struct transition *t, LLVMValueRef to, unsigned from_index, unsigned to_index) {
    unsigned n = LLVMGetCallSiteAttributeCount(t->call, from_index);
    LLVMAttributeRef *all = xcalloc(n, sizeof *all);
    LLVMGetCallSiteAttributes(t->call, from_index, all);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(to, to_index, all[i]);
    free((void *)all);
}

/* The personality of a frame that an exception only passes: libgcc's for C, as LLVM's shadow stack has it. To a
 * language's own any pad may be a handler, and who resumes from one would not be expected. */
static LLVMValueRef cleanup_personality(const struct compile *c) {
    return declared_function(c->module, "__gcc_personality_v0",
                             LLVMFunctionType(LLVMInt32TypeInContext(c->context), NULL, 0, 1));
}

/* Makes the function NAME.transition(arguments, operands, callee), internal and without polls, with the properties
 * that the native call has. */
static LLVMValueRef begin_frame(const struct transition *t, LLVMTypeRef *types, unsigned n) {
    struct compile *c = t->c;
    char name[300];
    snprintf(name, sizeof name, "%.250s.transition", value_name(t->function));
    LLVMValueRef f = LLVMAddFunction(c->module, name, LLVMFunctionType(LLVMGetReturnType(t->type), types, n, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(f, LLVMGetInstructionCallConv(t->call));
    LLVMSetGC(f, LLVMGetGC(t->function));
    set_text_attribute(c->context, f, POLLS_ATTRIBUTE, "none");
    set_text_attribute(c->context, f, FRAME_ATTRIBUTE, value_name(t->function));
    set_function_attribute(f, "noinline");
    copy_processor(t->function, f, c->context);
    for (unsigned i = 0; i < t->count; i++)
        copy_to_params(t, f, t->first + i + 1, i + 1);
    if (!t->is_statepoint)
        copy_to_params(t, f, LLVMAttributeReturnIndex, LLVMAttributeReturnIndex);
    if (t->unwinds)
        LLVMSetPersonalityFn(f, cleanup_personality(c));
    return f;
}

/* 1 if the frame gets the operand I by the address of a slot that holds it. */
static int is_handed_over(const struct transition *t, unsigned i) {
    return holds_reference(LLVMTypeOf(operand(t, i))) && is_statepoint_gc(LLVMGetGC(t->function));
}

/* Builds at the end of B's block a call of HOOK, which may be NULL, with the operands that the frame was GIVEN. */
static void call_hook_in(const struct transition *t, LLVMBuilderRef b, LLVMValueRef hook, LLVMValueRef *given) {
    if (!hook)
        return;
    LLVMValueRef *args = xcalloc(t->operands + 1, sizeof *args);
    LLVMValueRef end = LLVMBuildUnreachable(b); /* something that has the place */
    LLVMPositionBuilderBefore(b, end);
    for (unsigned i = 0; i < t->operands; i++)
        args[i] = is_handed_over(t, i) ? handover_load(t->c, b, operand(t, i), given[i], t->loads) : given[i];
    hook_call(t->c, b, hook, args, t->operands, end);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
    LLVMInstructionEraseFromParent(end);
    LLVMPositionBuilderAtEnd(b, block);
    free((void *)args);
}

/* Gives the call of the native function in the frame the attributes and the convention of the original call. */
static void copy_call_attributes(const struct transition *t, LLVMValueRef native) {
    for (unsigned i = 0; i < t->count; i++)
        call_copy_attributes(t->call, t->first + i + 1, native, i + 1);
    if (!t->is_statepoint)
        call_copy_attributes(t->call, LLVMAttributeReturnIndex, native, LLVMAttributeReturnIndex);
    LLVMSetInstructionCallConv(native, LLVMGetInstructionCallConv(t->call));
    mark_transition(t, native);
}

/* Builds a return of VALUE, or of nothing if TYPE is void. */
static void build_return(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef value) {
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, value);
}

/* Builds the frame's body: it enters, calls CALLEE with ARGS, and leaves on all paths out, by an exception as well.
 * */
static void fill_frame(const struct transition *t, LLVMValueRef frame, LLVMValueRef callee, LLVMValueRef *args,
                       LLVMValueRef *operands) {
    LLVMContextRef context = t->c->context;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMValueRef native;
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, frame, "entry"));
    call_hook_in(t, b, t->enter, operands);
    if (t->unwinds) {
        LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(context, frame, "done"),
                          unwound = LLVMAppendBasicBlockInContext(context, frame, "unwound");
        LLVMTypeRef parts[] = {LLVMPointerTypeInContext(context, 0), LLVMInt32TypeInContext(context)};
        native = LLVMBuildInvoke2(b, t->type, callee, args, t->count, done, unwound, "");
        LLVMPositionBuilderAtEnd(b, unwound);
        LLVMValueRef pad = LLVMBuildLandingPad(b, LLVMStructTypeInContext(context, parts, 2, 0), NULL, 0, "");
        LLVMSetCleanup(pad, 1);
        call_hook_in(t, b, t->leave, operands);
        LLVMBuildResume(b, pad);
        LLVMPositionBuilderAtEnd(b, done);
    } else {
        native = LLVMBuildCall2(b, t->type, callee, args, t->count, "");
    }
    copy_call_attributes(t, native);
    call_hook_in(t, b, t->leave, operands);
    build_return(b, LLVMGetReturnType(t->type), native);
    LLVMDisposeBuilder(b);
}

/* Replaces the transition by a call of a new function that enters, calls, and leaves. */
static void put_between(struct transition *t) {
    int is_indirect = !LLVMIsAConstant(t->callee) && !LLVMIsAInlineAsm(t->callee);
    unsigned n = t->count + t->operands + (unsigned)is_indirect;
    LLVMValueRef *args = arguments(t, t->operands + 1), *params = xcalloc(n + 1, sizeof *params);
    LLVMTypeRef *types = xcalloc(n + 1, sizeof *types);
    for (unsigned i = 0; i < t->operands; i++)
        args[t->count + i] =
            is_handed_over(t, i) ? handover_slot(t->c, t->function, operand(t, i), t->call) : operand(t, i);
    if (is_indirect)
        args[n - 1] = t->callee;
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMValueRef frame = begin_frame(t, types, n);
    for (unsigned i = 0; i < n; i++)
        params[i] = LLVMGetParam(frame, i);
    fill_frame(t, frame, is_indirect ? params[n - 1] : t->callee, params, params + t->count);
    LLVMValueRef created = call_again(t, frame, LLVMGlobalGetValueType(frame), args, n);
    remove_call_attribute(created, LEAF_ATTRIBUTE);
    mark_transition(t, created);
    for (unsigned i = 0; i < t->operands; i++)
        if (is_handed_over(t, i))
            handover_end(t->c, args[t->count + i], created);
    call_replace(t->call, created);
    free((void *)args);
    free((void *)params);
    free((void *)types);
}

/* ---- Each call ------------------------------------------------------------------------------------------------ */

/* 1 if HOOK is one block without calls and allocas, or NULL: it can be inlined beside the call without a difference
 * that another thread could see. */
static int is_straight(LLVMValueRef hook) {
    if (!hook)
        return 1;
    if (LLVMIsDeclaration(hook) || LLVMCountBasicBlocks(hook) != 1)
        return 0;
    for (LLVMValueRef i = first_instruction(hook); i; i = LLVMGetNextInstruction(i)) {
        const char *name = intrinsic_name(i);
        if (LLVMIsAAllocaInst(i) || (LLVMIsACallInst(i) && (!name || is_statepoint(i))))
            return 0;
    }
    return LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(hook))) != NULL;
}

/* 1 if an argument of the transition has ATTRIBUTE. */
static int has_parameter(const struct transition *t, const char *attribute) {
    unsigned kind = attribute_kind(attribute);
    for (unsigned i = 0; i < t->count; i++)
        if (LLVMGetCallSiteEnumAttribute(t->call, t->first + i + 1, kind))
            return 1;
    return 0;
}

/* The number of patch bytes that the call asks for. */
static unsigned long long patch_bytes(const struct transition *t) {
    static const char name[] = "statepoint-num-patch-bytes";
    unsigned len;
    if (t->is_statepoint)
        return LLVMConstIntGetZExtValue(LLVMGetOperand(t->call, 1));
    LLVMAttributeRef a = call_attribute(t->call, name);
    return a ? strtoull(LLVMGetStringAttributeValue(a, &len), NULL, 10) : 0;
}

/* Why no frame can be put between this call and what it calls; NULL if one can. */
static const char *no_frame(const struct transition *t) {
    static const char *const attributes[] = {"inalloca", "preallocated", "swifterror", "swiftasync"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (has_parameter(t, attributes[i]))
            return "an argument belongs to the caller's frame";
    if (patch_bytes(t))
        return "the call is room to patch";
    if (LLVMIsAInlineAsm(t->callee))
        return "it is inline assembly";
    return NULL;
}

/* Fails the compile: the transition needs a frame, and cannot have one for the reason WHY. */
static sm_status refuse_transition(const struct transition *t, const char *why) {
    return fail(t->c, SM_TRANSITION_CONFLICT, t->function,
                "The call of %.200s is a GC transition that needs a frame of its own, and cannot have one: %s",
                safepoint_name(t->call), why);
}

/* Replaces the transition by code around the call, or by a frame of its own. */
static sm_status lower_transition(struct transition *t) {
    sm_status s = find_hooks(t);
    if (s == SM_OK)
        s = check_operands(t, t->enter);
    if (s == SM_OK)
        s = check_operands(t, t->leave);
    if (s != SM_OK)
        return s;
    int none = !t->enter && !t->leave;
    if (none && t->c->elf_machine == EM_X86_64 && is_statepoint_gc(LLVMGetGC(t->function)))
        return SM_OK; /* LLVM's own flag */
    if (none || (!t->unwinds && is_straight(t->enter) && is_straight(t->leave))) {
        put_around(t);
        return SM_OK;
    }
    const char *why = no_frame(t);
    if (why)
        return refuse_transition(t, why);
    put_between(t);
    return SM_OK;
}

/* Lowers the transition CALL, or refuses it if it can be none. */
static sm_status lower_call(struct compile *c, LLVMValueRef call, struct set *loads) {
    struct transition t = read_transition(c, call);
    t.loads = loads;
    sm_status s = SM_OK;
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
        s = fail(c, SM_TRANSITION_CONFLICT, t.function, "A callbr can be no GC transition");
    else if (!t.is_statepoint && intrinsic_name(call))
        s = fail(c, SM_TRANSITION_CONFLICT, t.function, "%s can be no GC transition", intrinsic_name(call));
    else if (is_musttail(call))
        s = fail(c, SM_CANNOT_REWRITE, t.function,
                 "The musttail call of %.200s has \"" TAG "\" operands, but its frame is gone when the callee runs",
                 callee_name(call));
    else if (t.type)
        s = lower_transition(&t);
    if (t.bundle)
        LLVMDisposeOperandBundle(t.bundle);
    return s;
}

/* Lowers all GC transitions. Requires polls placed, and a module that is not rewritten. */
sm_status stage_transitions(struct compile *c) {
    assert(c->form == FORM_POLLED);
    struct set result = {0}, loads = {0};
    sm_status s = SM_OK;
    LLVMValueRef first = c->has & (HAS_STATEPOINTS | HAS_BUNDLES) ? first_module_call(c->module) : NULL;
    for (LLVMValueRef call = first; call; call = next_module_call(call))
        if (call_has_bundle(call, TAG) || is_flagged(call))
            set_add(&result, call);
    for (size_t i = 0; i < result.count && s == SM_OK; i++)
        s = lower_call(c, result.item[i], &loads);
    set_free(&result);
    if (s == SM_OK)
        s = hooks_inline(c, SM_TRANSITION_CONFLICT);
    if (s == SM_OK)
        s = handover_sink(c, &loads);
    set_free(&loads);
    hooks_release(c);
    return s;
}
