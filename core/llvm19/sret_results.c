/* sret_results.c - results that are too large for registers.
 *
 * Code generation returns such a value through memory: the caller passes the address of a slot, as a first argument of
 * which the IR says nothing, and the function stores there when it returns. For a statepoint LLVM 19 forgets that
 * argument: it dies, or the callee stores to wherever some register points. So after the rewrite these calls are given
 * a slot of their frame as an argument that the IR does name, sret, which goes where the hidden one goes; the result
 * is loaded from there at once. A function stores its result on its way out, after all its safepoints: no collector
 * misses the slot.
 *
 * What goes through memory is the target's to say, by convention and processor, and LLVM's C API does not say it. So
 * it is tried on a module of one function: a call whose result is not used is the same code as a call without one, or
 * as one with a slot.
 *
 * Requires statepoints; before the verifier.
 *
 * LLVM's #74612; #157251 would repair it. tests/process/llvm19/sret_results.ll fails when it does.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "lowering.h"

#include <elf.h>

enum { HEAD = 5, CALLEE = 2, COUNT = 3 }; /* of gc.statepoint's arguments */

enum way { NOT_KNOWN, IN_REGISTERS, BY_SLOT };

/* ---- What every convention of both targets returns in registers ------------------------------------------------ */

/* What is in a result, by the registers that it goes to. */
struct parts {
    unsigned integers, floats, x87;
};

/* 1 if it is sure that every convention returns a value of this type in registers; counts what is in it in *P. 0
 * if it may be otherwise. */
static int is_small(LLVMTypeRef type, struct parts *p) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return 1;
    case LLVMPointerTypeKind:
        p->integers++;
        break;
    case LLVMIntegerTypeKind:
        p->integers += (LLVMGetIntTypeWidth(type) + 63) / 64;
        break;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        p->floats++;
        break;
    case LLVMX86_FP80TypeKind:
        p->x87++;
        break;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!is_small(LLVMStructGetTypeAtIndex(type, i), p))
                return 0;
        break;
    default:
        return 0;
    }
    return p->integers <= 2 && p->floats <= 1 && p->x87 <= 2;
}

/* ---- The trial ------------------------------------------------------------------------------------------------- */

static LLVMTypeRef type_in(LLVMContextRef to, LLVMTypeRef type);

/* The same struct type in context TO; NULL if it has an element that type_in does not know. */
static LLVMTypeRef struct_in(LLVMContextRef to, LLVMTypeRef type) {
    unsigned n = LLVMCountStructElementTypes(type);
    LLVMTypeRef *of = xcalloc(n + 1, sizeof *of), created = NULL;
    unsigned i = 0;
    while (i < n && (of[i] = type_in(to, LLVMStructGetTypeAtIndex(type, i))) != NULL)
        i++;
    if (i == n)
        created = LLVMStructTypeInContext(to, of, n, LLVMIsPackedStruct(type));
    free(of);
    return created;
}

/* The same type in context TO; NULL if it is of a kind that this does not know. */
static LLVMTypeRef type_in(LLVMContextRef to, LLVMTypeRef type) {
    LLVMTypeRef of;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return LLVMVoidTypeInContext(to);
    case LLVMIntegerTypeKind:
        return LLVMIntTypeInContext(to, LLVMGetIntTypeWidth(type));
    case LLVMHalfTypeKind:
        return LLVMHalfTypeInContext(to);
    case LLVMBFloatTypeKind:
        return LLVMBFloatTypeInContext(to);
    case LLVMFloatTypeKind:
        return LLVMFloatTypeInContext(to);
    case LLVMDoubleTypeKind:
        return LLVMDoubleTypeInContext(to);
    case LLVMX86_FP80TypeKind:
        return LLVMX86FP80TypeInContext(to);
    case LLVMFP128TypeKind:
        return LLVMFP128TypeInContext(to);
    case LLVMPointerTypeKind:
        return LLVMPointerTypeInContext(to, LLVMGetPointerAddressSpace(type));
    case LLVMStructTypeKind:
        return struct_in(to, type);
    case LLVMArrayTypeKind:
        of = type_in(to, LLVMGetElementType(type));
        return of ? LLVMArrayType2(of, LLVMGetArrayLength2(type)) : NULL;
    case LLVMVectorTypeKind:
        of = type_in(to, LLVMGetElementType(type));
        return of ? LLVMVectorType(of, LLVMGetVectorSize(type)) : NULL;
    case LLVMScalableVectorTypeKind:
        of = type_in(to, LLVMGetElementType(type));
        return of ? LLVMScalableVectorType(of, LLVMGetVectorSize(type)) : NULL;
    default:
        return NULL;
    }
}

/* The attribute sret(TYPE). */
static LLVMAttributeRef sret(LLVMContextRef context, LLVMTypeRef type) {
    return LLVMCreateTypeAttribute(context, attribute_kind("sret"), type);
}

struct trial {
    const struct compile *c;
    LLVMTargetMachineRef machine; /* owned; NULL until it is needed */
    LLVMValueRef caller;
    LLVMTypeRef type;
    unsigned convention;
};

/* On x86-64 what comes in x87's registers is taken off its stack, used or not; and behind a call that gives something
 * in a wide vector register, used or not, the upper halves of these registers are cleared (vzeroupper). */
enum form { WITH_RESULT, WITHOUT, WITH_SLOT, WITH_ONE_X87, WITH_TWO_X87, WITH_WIDE, FORMS };

static const enum way meaning[FORMS] = {[WITHOUT] = IN_REGISTERS,
                                        [WITH_SLOT] = BY_SLOT,
                                        [WITH_ONE_X87] = IN_REGISTERS,
                                        [WITH_TWO_X87] = IN_REGISTERS,
                                        [WITH_WIDE] = IN_REGISTERS};

/* The type of the trial's callee in this form: with the result, without one, with a slot's address as its
 * argument, with one or two x87 results, or with a vector of 256 bits, which every convention returns in registers. */
static LLVMTypeRef called_as(LLVMContextRef context, enum form form, LLVMTypeRef result) {
    enum { WIDE_FLOATS = 8 };
    LLVMTypeRef nothing = LLVMVoidTypeInContext(context), pointer = LLVMPointerTypeInContext(context, 0),
                x87[] = {LLVMX86FP80TypeInContext(context), LLVMX86FP80TypeInContext(context)};
    switch (form) {
    case WITH_RESULT:
        return LLVMFunctionType(result, NULL, 0, 0);
    case WITH_SLOT:
        return LLVMFunctionType(nothing, &pointer, 1, 0);
    case WITH_ONE_X87:
        return LLVMFunctionType(x87[0], NULL, 0, 0);
    case WITH_TWO_X87:
        return LLVMFunctionType(LLVMStructTypeInContext(context, x87, 2, 0), NULL, 0, 0);
    case WITH_WIDE:
        return LLVMFunctionType(LLVMVectorType(LLVMFloatTypeInContext(context), WIDE_FLOATS), NULL, 0, 0);
    default:
        return LLVMFunctionType(nothing, NULL, 0, 0);
    }
}

/* Compiles a function that makes a call in this form, for the trial's processor and convention, and gives the
 * object; NULL if that fails. *New*. */
static LLVMMemoryBufferRef try(const struct trial *t, enum form form) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("trial", context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMTypeRef type = type_in(context, t->type), called = called_as(context, form, type),
                plain = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
    LLVMValueRef callee = LLVMAddFunction(module, "callee", called), f = LLVMAddFunction(module, "f", plain), slot;
    LLVMMemoryBufferRef out = NULL;
    char *message = NULL;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(t->machine);
    LLVMSetModuleDataLayout(module, layout); /* for the slot's alignment */
    LLVMDisposeTargetData(layout);
    LLVMSetTarget(module, t->c->triple);
    copy_processor(t->caller, f, context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, f, ""));
    slot = form == WITH_SLOT ? LLVMBuildAlloca(b, type, "") : NULL;
    LLVMValueRef call = LLVMBuildCall2(b, called, callee, &slot, form == WITH_SLOT, "");
    LLVMSetInstructionCallConv(call, t->convention);
    LLVMSetFunctionCallConv(callee, t->convention);
    if (form == WITH_SLOT)
        LLVMAddCallSiteAttribute(call, 1, sret(context, type));
    LLVMBuildRetVoid(b);
    if (LLVMTargetMachineEmitToMemoryBuffer(t->machine, module, LLVMObjectFile, &message, &out)) {
        LLVMDisposeMessage(message);
        out = NULL;
    }
    LLVMDisposeBuilder(b);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return out;
}

/* 1 if both objects are there and have the same bytes. */
static int is_same(LLVMMemoryBufferRef a, LLVMMemoryBufferRef b) {
    return a && b && LLVMGetBufferSize(a) == LLVMGetBufferSize(b) &&
           memcmp(LLVMGetBufferStart(a), LLVMGetBufferStart(b), LLVMGetBufferSize(a)) == 0;
}

/* A target machine for trials only, *new*: objects that the compile's own machine emits would be numbered on from
 * these. NULL if there is none. */
static LLVMTargetMachineRef machine_for_trials(const struct compile *c) {
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(c->triple, &target, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, c->triple, c->options->cpu, c->options->features, LLVMCodeGenLevelDefault,
                                   LLVMRelocPIC, LLVMCodeModelDefault);
}

/* Whether the result comes in registers or through a slot: compiles the call as it is and in the other forms, and
 * sees which gives the same object. NOT_KNOWN if none does. */
static enum way way_by_trial(struct trial *t) {
    LLVMContextRef context = LLVMContextCreate();
    int is_known = type_in(context, t->type) != NULL;
    LLVMContextDispose(context);
    if (!t->machine)
        t->machine = machine_for_trials(t->c);
    if (!t->machine || !is_known)
        return NOT_KNOWN;
    LLVMMemoryBufferRef real = try(t, WITH_RESULT);
    enum way way = NOT_KNOWN;
    int forms = t->c->elf_machine == EM_X86_64 ? FORMS : WITH_ONE_X87;
    for (int i = WITHOUT; way == NOT_KNOWN && i < forms; i++) {
        LLVMMemoryBufferRef other = try(t, (enum form)i);
        way = is_same(real, other) ? meaning[i] : NOT_KNOWN;
        if (other)
            LLVMDisposeMemoryBuffer(other);
    }
    if (real)
        LLVMDisposeMemoryBuffer(real);
    return way;
}

/* ---- What is known already ------------------------------------------------------------------------------------- */

/* A call of F, what its result is, and how it comes. */
struct known {
    LLVMTypeRef type;
    unsigned convention;
    LLVMAttributeRef of[CODE_ATTRIBUTES];
    enum way way;
};

enum { KNOWN_MAX = 16 }; /* others are tried again */

struct work {
    struct compile *c;
    struct trial trial;
    struct known known[KNOWN_MAX];
    unsigned count;
    struct set calls, slots; /* statepoints with large results; the slots of the function at hand */
    LLVMValueRef function;   /* that one */
};

/* How a call in F of this convention gives a result of this type; from the table of what is known, or by a trial
 * whose answer goes into the table. */
static enum way way_of(struct work *w, LLVMValueRef f, LLVMTypeRef type, unsigned convention) {
    struct known k = {.type = type, .convention = convention};
    for (size_t i = 0; i < CODE_ATTRIBUTES; i++)
        k.of[i] = text_attribute(f, code_attributes[i]);
    for (unsigned i = 0; i < w->count; i++)
        if (w->known[i].type == type && w->known[i].convention == convention &&
            memcmp(w->known[i].of, k.of, sizeof k.of) == 0)
            return w->known[i].way;
    w->trial.c = w->c;
    w->trial.caller = f;
    w->trial.type = type;
    w->trial.convention = convention;
    k.way = way_by_trial(&w->trial);
    w->known[w->count < KNOWN_MAX ? w->count++ : KNOWN_MAX - 1] = k;
    return k.way;
}

/* ---- The call --------------------------------------------------------------------------------------------------- */

/* The stack slot of F for results of this type, created if it is not there yet. One for all such calls, as each
 * result is loaded right after its call. */
static LLVMValueRef slot_for(struct work *w, LLVMValueRef f, LLVMTypeRef type) {
    if (w->function != f) {
        set_free(&w->slots);
        w->slots = (struct set){0};
        w->function = f;
    }
    for (size_t i = 0; i < w->slots.count; i++)
        if (LLVMGetAllocatedType(w->slots.item[i]) == type)
            return w->slots.item[i];
    LLVMBuilderRef b = builder_at(first_instruction(f));
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "result");
    LLVMDisposeBuilder(b);
    set_add(&w->slots, slot);
    return slot;
}

/* The callee's type with a slot's address as first parameter, and no result. */
static LLVMTypeRef type_with_slot(struct compile *c, LLVMTypeRef type) {
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *of = xcalloc(n + 1, sizeof *of);
    of[0] = LLVMPointerTypeInContext(c->context, 0);
    LLVMGetParamTypes(type, of + 1);
    LLVMTypeRef created = LLVMFunctionType(LLVMVoidTypeInContext(c->context), of, n + 1, LLVMIsFunctionVarArg(type));
    free(of);
    return created;
}

/* Builds the statepoint OLD again with SLOT as the callee's first argument, sret, keeping bundles and attributes.
 * OLD stays. */
static LLVMValueRef build_call_with_slot(struct compile *c, LLVMValueRef old, LLVMValueRef slot) {
    static const char *const tags[] = {"deopt", "gc-transition", "gc-live"};
    enum { TAGS = sizeof tags / sizeof *tags };
    unsigned n = LLVMGetNumArgOperands(old);
    LLVMTypeRef type = type_with_slot(c, statepoint_callee_type(old));
    LLVMValueRef *args = xcalloc(n + 1, sizeof *args);
    LLVMOperandBundleRef bundles[TAGS];
    struct call_parts p = {LLVMGetCalledFunctionType(old), LLVMGetCalledValue(old), args, n + 1, bundles, 0, 0};
    for (int i = 0; i < TAGS; i++)
        if ((bundles[p.bundle_count] = call_bundle(old, tags[i])) != NULL)
            p.bundle_count++;
    for (unsigned i = 0; i < n; i++)
        args[i + (i >= HEAD)] = LLVMGetOperand(old, i);
    args[HEAD] = slot;
    args[COUNT] = LLVMConstInt(LLVMTypeOf(args[COUNT]), LLVMConstIntGetZExtValue(args[COUNT]) + 1, 0);
    LLVMValueRef created = call_build(old, &p);
    for (unsigned i = 0; i < n; i++)
        call_copy_attributes(old, i + 1, created, i + 1 + (i >= HEAD));
    for (unsigned i = HEAD + 1; i <= n; i++) /* nothing is */
        LLVMRemoveCallSiteEnumAttribute(created, i + 1, attribute_kind("returned"));
    LLVMAddCallSiteAttribute(created, CALLEE + 1,
                             LLVMCreateTypeAttribute(c->context, attribute_kind("elementtype"), type));
    LLVMAddCallSiteAttribute(created, HEAD + 1, sret(c->context, LLVMGetAllocatedType(slot)));
    for (unsigned i = 0; i < p.bundle_count; i++)
        LLVMDisposeOperandBundle(bundles[i]);
    free(args);
    return created;
}

/* Loads the result from SLOT right after the statepoint, and replaces the statepoint's gc.results by that.
 * SM_INTERNAL if there is no place for the load. */
static sm_status load_result(struct compile *c, LLVMValueRef f, LLVMValueRef statepoint, LLVMValueRef slot) {
    LLVMValueRef loaded = NULL, place = after_call(statepoint);
    struct set results = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(statepoint); u; u = LLVMGetNextUse(u))
        if (is_result(LLVMGetUser(u)))
            set_add(&results, LLVMGetUser(u));
    if (results.count && !place) {
        set_free(&results);
        return fail(c, SM_INTERNAL, f, "The result of the call of %.200s has no place", safepoint_name(statepoint));
    }
    if (results.count) {
        LLVMBuilderRef b = builder_at(place);
        loaded = LLVMBuildLoad2(b, LLVMGetAllocatedType(slot), slot, "");
        LLVMDisposeBuilder(b);
    }
    for (size_t i = 0; i < results.count; i++)
        call_replace(results.item[i], loaded);
    set_free(&results);
    return SM_OK;
}

/* Replaces the statepoint CALL by one that returns its result through a stack slot. SM_OK, or why it failed. */
static sm_status give_slot(struct work *w, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = w->c;
    LLVMTypeRef type = LLVMGetReturnType(statepoint_callee_type(call));
    LLVMValueRef slot = slot_for(w, f, type), created = build_call_with_slot(c, call, slot);
    deviate(c, DEVIATION_RESULT_SLOTS);
    call_replace(call, created);
    return load_result(c, f, created, slot);
}

/* Fails with SM_CANNOT_REWRITE: nothing is known of how the result of CALL is returned. */
static sm_status refuse_result(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    char *type = LLVMPrintTypeToString(LLVMGetReturnType(statepoint_callee_type(call)));
    sm_status s = fail(c, SM_CANNOT_REWRITE, f,
                       "The call of %.200s gives a result of type %.200s, and it is not known whether registers or "
                       "memory hold it: let the function store it through a pointer with the attribute sret",
                       safepoint_name(call), type);
    LLVMDisposeMessage(type);
    return s;
}

/* Adds CALL to the work list if it is a statepoint whose result may be too large for registers. */
static void find_large_result(struct work *w, LLVMValueRef call) {
    struct parts parts = {0};
    if (intrinsic_name(call) && is_safepoint(w->c, call) &&
        !is_small(LLVMGetReturnType(statepoint_callee_type(call)), &parts) &&
        convention_has_rules(w->c, LLVMGetInstructionCallConv(call)))
        set_add(&w->calls, call);
}

/* Gives statepoints whose results come through memory a named slot for them, and refuses those of which that is
 * not known. Requires statepoints, before the verifier. */
sm_status results_to_slots(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    struct work *w = xcalloc(1, sizeof *w);
    sm_status s = SM_OK;
    w->c = c;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        find_large_result(w, call);
    for (size_t i = 0; s == SM_OK && i < w->calls.count; i++) {
        LLVMValueRef call = w->calls.item[i], f = function_of(call);
        enum way way =
            way_of(w, f, LLVMGetReturnType(statepoint_callee_type(call)), LLVMGetInstructionCallConv(call));
        if (way == BY_SLOT)
            s = give_slot(w, f, call);
        else if (way == NOT_KNOWN)
            s = refuse_result(c, f, call);
    }
    if (w->trial.machine)
        LLVMDisposeTargetMachine(w->trial.machine);
    set_free(&w->calls);
    set_free(&w->slots);
    free(w);
    return s;
}
