/* barriers.c - llvm.gcread and llvm.gcwrite become the barriers that the module or the option barrier says, and a load
 * and a store where neither says any.
 *
 * They stay calls that nothing looks into until the optimiser is done and polls are placed. A store and its card would
 * otherwise go separate ways: out of a loop, for one, whose poll is placed between the two afterwards.
 */
#include "barriers.h"
#include "barrier.h"
#include "barrier_parts.h"
#include "deviations.h"
#include "effects.h"
#include "ir.h"
#include "late_inline.h"
#include "marks.h"
#include "optimize.h"
#include "safepoints.h"

#include <llvm-c/DebugInfo.h>

/* ---- Before the optimiser ------------------------------------------------------------------------------------- */

/* 1 if T is a pointer of any address space. */
static int is_barrier_pointer_type(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind;
}

enum { PARAMS_MAX = 4 }; /* of a barrier: value, object, slot, and what the slot has */

/* 1 if TYPE takes COUNT pointers (at most PARAMS_MAX) and gives a pointer (GIVES) or void. */
static int has_shape(LLVMTypeRef type, unsigned count, int gives) {
    LLVMTypeRef given = LLVMGetReturnType(type), params[PARAMS_MAX];
    if (LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(type) != count)
        return 0;
    LLVMGetParamTypes(type, params);
    for (unsigned i = 0; i < count; i++)
        if (!is_barrier_pointer_type(params[i]))
            return 0;
    return gives ? is_barrier_pointer_type(given) : LLVMGetTypeKind(given) == LLVMVoidTypeKind;
}

/* Checks the module's own barrier NAME: it is a function of COUNT pointers that gives one (GIVES) or void, and the
 * option barrier does not ask for another (ASKED). */
static sm_status check_hook_barrier(struct compile *c, const char *name, unsigned count, int gives,
                                    const char *asked) {
    LLVMValueRef f = hook_of(c, name);
    const char *what =
        gives ? "a function ptr(ptr object, ptr slot)"
              : "a function void(ptr value, ptr object, ptr slot), nor one with a fourth parameter, ptr old";
    LLVMTypeRef type = f ? LLVMGlobalGetValueType(f) : NULL;
    if (LLVMGetNamedGlobal(c->module, name) || is_other_name(c->module, name) ||
        (f && !has_shape(type, count, gives) && (gives || !has_shape(type, count + 1, gives))))
        return fail(c, SM_BARRIER_CONFLICT, NULL, "'%s' is in the module, but is not %s", name, what);
    if (f && asked)
        return fail(c, SM_BARRIER_CONFLICT, f, "The module has a %s of its own, and barrier=%s asks for another",
                    name, c->options->barrier);
    return f ? effects_check(c, f, WRITES_ANYTHING, SM_BARRIER_CONFLICT) : SM_OK;
}

/* The same for the module's own barriers NAME of compressed references. */
static sm_status check_hooks_of_spaces(struct compile *c, const char *name, unsigned count, int gives,
                                       const char *asked) {
    char own[SPACE_NAME_ROOM];
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && i < c->spaces; i++) {
        space_name(own, name, c->space[i].number);
        s = check_hook_barrier(c, own, count, gives, asked);
    }
    return s;
}

/* Checks what the module says of NAME, a function that a built-in barrier calls; NULL is fine. */
static sm_status check_slow_path(struct compile *c, const char *name) {
    LLVMValueRef f = name ? LLVMGetNamedFunction(c->module, name) : NULL;
    return f ? effects_check(c, f, WRITES_ANYTHING, SM_BARRIER_CONFLICT) : SM_OK;
}

/* 1 if the first COUNT parameters and the result of TYPE are pointers of address space 0 only: for these LLVM itself
 * knows llvm.gcread and llvm.gcwrite. */
static int is_llvms(LLVMTypeRef type, unsigned count) {
    LLVMTypeRef params[3], given = LLVMGetReturnType(type);
    LLVMGetParamTypes(type, params);
    for (unsigned i = 0; i < count; i++)
        if (LLVMGetPointerAddressSpace(params[i]))
            return 0;
    return !is_barrier_pointer_type(given) || !LLVMGetPointerAddressSpace(given);
}

/* Declares a leaf function of TYPE, of which the optimiser knows nothing else, to stand for a barrier until polls are
 * placed. */
static LLVMValueRef barrier_stand_in(struct compile *c, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(c->module, name, type); /* LLVM appends a number to a name that is taken */
    set_text_attribute(c->context, f, LEAF_ATTRIBUTE, "");
    return f;
}

/* Makes every call of F one of the stand-in WITH, and deletes F if nothing uses it any more. Other uses are left for
 * the verifier; a call in a function without a strategy is an error. */
static sm_status replace_calls(struct compile *c, LLVMValueRef f, LLVMValueRef with) {
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f)
            continue;
        LLVMValueRef caller = function_of(call);
        if (!LLVMGetGC(caller) && !is_hook(caller))
            return fail(c, SM_INVALID_MODULE, caller, "%s needs a function with a GC strategy", callee_name(call));
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, with);
    }
    if (!LLVMGetFirstUse(f))
        LLVMDeleteFunction(f);
    return SM_OK;
}

/* Replaces the calls of F, which is named as INTRINSIC or an overload of it, by those of a stand-in OURS; where F is
 * the intrinsic as LLVM knows it, nothing changes. Fails if its type is not that of a barrier. */
static sm_status take_barrier(struct compile *c, LLVMValueRef f, const char *intrinsic, unsigned count, int gives,
                              const char *ours) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    const char *name = value_name(f);
    int exact = strcmp(name, intrinsic) == 0;
    if (!LLVMIsDeclaration(f))
        return SM_OK; /* the verifier's */
    if (!has_shape(type, count, gives))
        return exact ? SM_OK
                     : fail(c, SM_INVALID_MODULE, f, "%s takes %s", name,
                            gives ? "(ptr object, ptr slot) and gives a ptr" : "(ptr value, ptr object, ptr slot)");
    return exact && is_llvms(type, count) ? SM_OK : replace_calls(c, f, barrier_stand_in(c, ours, type));
}

/* Replaces all calls of llvm.gcread and llvm.gcwrite on references by calls of stand-ins. */
static sm_status take_intrinsics(struct compile *c) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module), next; f && s == SM_OK; f = next) {
        const char *name = value_name(f);
        next = LLVMGetNextFunction(f);
        if (is_overload(name, GC_READ))
            s = take_barrier(c, f, GC_READ, 2, 1, OWN_READ);
        else if (is_overload(name, GC_WRITE))
            s = take_barrier(c, f, GC_WRITE, 3, 0, OWN_WRITE);
    }
    return s;
}

/* Checks the functions for compressed references that a ready-made barrier has beside SYMBOL (NULL: none), and adds them
 * to the set. */
static sm_status keep_of_spaces(struct compile *c, const char *symbol, struct set *symbols) {
    char name[SPACE_NAME_ROOM];
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && symbol && i < c->spaces; i++) {
        space_name(name, symbol, c->space[i].number);
        s = check_slow_path(c, name);
        symbol_add(c->module, name, symbols);
    }
    return s;
}

/* Keeps what options and attributes name through the optimiser: what smd then refers to is what the module declares. */
static sm_status keep_named(struct compile *c, const struct sm_barriers *k) {
    const char *const barrier[] = {k->card, k->satb, k->flag, k->load, k->mask};
    struct set symbols = {0};
    sm_status s;
    for (size_t i = 0; i < sizeof barrier / sizeof *barrier; i++)
        symbol_add(c->module, barrier[i], &symbols);
    for (size_t i = 0; i < c->spaces; i++)
        symbol_add(c->module, c->space[i].base, &symbols);
    symbol_add(c->module, SHADOW_CHAIN, &symbols);
    poll_symbols(c, &symbols);
    deopt_symbols(c, &symbols);
    s = keep_of_spaces(c, k->satb, &symbols);
    if (s == SM_OK)
        s = keep_of_spaces(c, k->load, &symbols);
    if (s == SM_OK)
        s = hooks_keep(c, &symbols);
    set_free(&symbols);
    return s;
}

/* Checks the module's own barriers and transitions, replaces barrier intrinsics by stand-ins, and keeps what they and
 * other options will need alive. Before the verifier, which knows these intrinsics as LLVM does, and the optimiser. */
sm_status stage_hooks(struct compile *c) {
    struct sm_barriers k;
    sm_status s;
    if ((s = marks_read(c)) != SM_OK || (s = barriers_read(c, &k)) != SM_OK ||
        (s = check_hook_barrier(c, READ_BARRIER, 2, 1, k.load)) != SM_OK ||
        (s = check_hook_barrier(c, WRITE_BARRIER, 3, 0, k.card ? k.card : k.satb)) != SM_OK ||
        (s = check_hooks_of_spaces(c, READ_BARRIER, 2, 1, k.load)) != SM_OK ||
        (s = check_hooks_of_spaces(c, WRITE_BARRIER, 3, 0, k.card ? k.card : k.satb)) != SM_OK ||
        (s = check_slow_path(c, k.satb)) != SM_OK || (s = check_slow_path(c, k.load)) != SM_OK ||
        (s = take_intrinsics(c)) != SM_OK || (s = transitions_check(c)) != SM_OK)
        return s;
    barriers_prepare(c);
    return keep_named(c, &k);
}

/* ---- Behind the polls ----------------------------------------------------------------------------------------- */

struct lowering {
    struct compile *c;
    const struct sm_barriers *k;
    LLVMBuilderRef builder;
    sm_status status;
};

/* V as it was before it was cast from TYPE to another address space, if it was; else V. */
static LLVMValueRef as_type(LLVMValueRef v, LLVMTypeRef type) {
    if (LLVMTypeOf(v) != type && LLVMIsAAddrSpaceCastInst(v) && LLVMTypeOf(LLVMGetOperand(v, 0)) == type)
        return LLVMGetOperand(v, 0);
    return v;
}

/* Undoes address space casts of ARGS so that they have the types of the hook's parameters; writes their types to
 * TYPES, and gives 1 if all fit. */
static int fit(LLVMValueRef hook, LLVMValueRef *args, unsigned count, LLVMTypeRef *types) {
    LLVMTypeRef params[PARAMS_MAX];
    LLVMGetParamTypes(LLVMGlobalGetValueType(hook), params);
    int fits = 1;
    for (unsigned i = 0; i < count; i++) {
        args[i] = as_type(args[i], params[i]);
        types[i] = LLVMTypeOf(args[i]);
        fits &= types[i] == params[i];
    }
    return fits;
}

/* Fails with SM_BARRIER_CONFLICT in F: says the hook's type, and the one that is needed, of COUNT TYPES and the
 * result GIVEN (NULL: the hook's). */
static sm_status unsupported(struct compile *c, LLVMValueRef f, LLVMValueRef hook, LLVMTypeRef *types, unsigned count,
                             LLVMTypeRef given) {
    char required[128], got[128];
    LLVMTypeRef params[PARAMS_MAX], result = LLVMGetReturnType(LLVMGlobalGetValueType(hook));
    LLVMGetParamTypes(LLVMGlobalGetValueType(hook), params);
    types_text(params, count, required, sizeof required);
    types_text(types, count, got, sizeof got);
    char *gives = LLVMPrintTypeToString(result), *needed = LLVMPrintTypeToString(given ? given : result);
    sm_status s = fail(c, SM_BARRIER_CONFLICT, f, "%s is %s(%s), and here a %s(%s) is needed", value_name(hook),
                       gives, required, needed, got);
    LLVMDisposeMessage(gives);
    LLVMDisposeMessage(needed);
    return s;
}

/* Fails in F: the module has no barrier NAME for references of TYPE, but one for others. */
static sm_status lacks_hook(struct compile *c, LLVMValueRef f, const char *name, LLVMTypeRef type) {
    unsigned space = LLVMGetPointerAddressSpace(type);
    char own[SPACE_NAME_ROOM];
    space_name(own, name, space);
    return fail(c, SM_BARRIER_CONFLICT, f,
                "A reference of address space %u needs a barrier here, and the module has no %s, only a barrier for "
                "references of another width",
                space, holds_compressed(LLVMGetModuleDataLayout(c->module), type) ? own : name);
}

/* Builds a call of the module's own write barrier, with LIKE's debug location; sets *FAILURE if the types do not
 * fit. One with four parameters gets what the slot has, too. */
void write_hook_build(struct compile *c, LLVMBuilderRef b, LLVMValueRef value, LLVMValueRef object, LLVMValueRef slot,
                      LLVMValueRef like, sm_status *failure) {
    LLVMValueRef hook = hook_for(c, WRITE_BARRIER, LLVMTypeOf(value)), args[PARAMS_MAX] = {value, object, slot};
    LLVMTypeRef types[PARAMS_MAX];
    if (!hook) {
        *failure = lacks_hook(c, function_of(like), WRITE_BARRIER, LLVMTypeOf(value));
        return;
    }
    unsigned count = LLVMCountParams(hook);
    if (count == PARAMS_MAX)
        args[PARAMS_MAX - 1] = LLVMBuildLoad2(b, LLVMTypeOf(value), slot, "old");
    if (fit(hook, args, count, types))
        hook_call(c, b, hook, args, count, like);
    else
        *failure = unsupported(c, function_of(like), hook, types, count, NULL);
}

/* Builds a call of the module's own read barrier, and gives the reference of TYPE that it loads; undef, with *FAILURE
 * set, if the types do not fit. */
LLVMValueRef read_hook_build(struct compile *c, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef object,
                             LLVMValueRef slot, LLVMValueRef like, sm_status *failure) {
    LLVMValueRef hook = hook_for(c, READ_BARRIER, type), args[] = {object, slot};
    LLVMTypeRef types[2];
    if (!hook) {
        *failure = lacks_hook(c, function_of(like), READ_BARRIER, type);
        return LLVMGetUndef(type);
    }
    if (fit(hook, args, 2, types) && LLVMGetReturnType(LLVMGlobalGetValueType(hook)) == type)
        return hook_call(c, b, hook, args, 2, like);
    *failure = unsupported(c, function_of(like), hook, types, 2, type);
    return LLVMGetUndef(type);
}

/* Builds before CALL, a gcwrite, the module's own write barrier, or the store with the snapshot and card barriers of
 * the option. PLAIN: a store only. */
static void lower_write(struct lowering *l, LLVMValueRef call, int plain) {
    LLVMValueRef value = LLVMGetOperand(call, 0), object = LLVMGetOperand(call, 1), slot = LLVMGetOperand(call, 2);
    LLVMBuilderRef b = l->builder;
    if (!plain && hooks_have(l->c, WRITE_BARRIER)) {
        write_hook_build(l->c, b, value, object, slot, call, &l->status);
        return;
    }
    if (!plain && l->k->satb)
        satb_build(l->c, l->k, b, slot, LLVMTypeOf(value), 0, call, &l->status);
    LLVMBuildStore(b, value, slot);
    if (!plain && l->k->card)
        card_build(l->c, l->k, b, object, call, &l->status);
}

/* Builds before CALL, a gcread, the module's own read barrier, or the load with the load barrier of the option, and
 * gives the value. PLAIN: a load only. */
static LLVMValueRef lower_read(struct lowering *l, LLVMValueRef call, int plain) {
    LLVMValueRef object = LLVMGetOperand(call, 0), slot = LLVMGetOperand(call, 1);
    LLVMTypeRef type = LLVMTypeOf(call);
    if (!plain && hooks_have(l->c, READ_BARRIER))
        return read_hook_build(l->c, l->builder, type, object, slot, call, &l->status);
    LLVMValueRef value = LLVMBuildLoad2(l->builder, type, slot, "");
    if (!plain && l->k->load)
        return load_build(l->c, l->k, l->builder, value, slot, call, &l->status);
    return value;
}

/* 1 if CALL calls the intrinsic, or a stand-in whose name begins with OURS. */
static int is_barrier_called(LLVMValueRef call, const char *intrinsic, const char *ours) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsACallInst(call) && callee && LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) &&
           (strcmp(value_name(callee), intrinsic) == 0 || strncmp(value_name(callee), ours, strlen(ours)) == 0);
}

/* 1 if CALL may stay as it is: an intrinsic of LLVM's own, in a function with a strategy, for which neither the
 * module nor the option has a barrier. Code generation makes a plain load or store of it. */
static int is_left_to_llvm(const struct lowering *l, LLVMValueRef f, LLVMValueRef call, int is_write) {
    int any = is_write ? l->k->card || l->k->satb || hooks_have(l->c, WRITE_BARRIER)
                       : l->k->load || hooks_have(l->c, READ_BARRIER);
    return intrinsic_name(call) && LLVMGetGC(f) && !any;
}

/* Replaces CALL, if it is a gcread or a gcwrite, by its barrier. In barriers themselves by a plain load or store. */
static void lower_barrier(struct lowering *l, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    int is_write = is_barrier_called(call, GC_WRITE, OWN_WRITE), is_read = is_barrier_called(call, GC_READ, OWN_READ);
    if ((!is_write && !is_read) || is_left_to_llvm(l, f, call, is_write))
        return;
    int plain = is_hook(f); /* a barrier has no barriers */
    LLVMPositionBuilderBefore(l->builder, call);
    LLVMSetCurrentDebugLocation2(l->builder, LLVMInstructionGetDebugLoc(call));
    deviate(l->c, DEVIATION_BARRIERS);
    if (is_write) {
        lower_write(l, call, plain);
        LLVMInstructionEraseFromParent(call);
    } else {
        call_replace(call, lower_read(l, call, plain));
    }
}

/* Fails if CALL is of an intrinsic that the module or an option lowers: none may be left. */
static void refuse_left(struct lowering *l, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    int is_write = is_barrier_called(call, GC_WRITE, OWN_WRITE), is_read = is_barrier_called(call, GC_READ, OWN_READ);
    int is_root = is_gcroot(call) && has_deviated(l->c, DEVIATION_CUSTOM_ROOTS);
    if (is_root || ((is_write || is_read) && !is_left_to_llvm(l, f, call, is_write)))
        l->status = fail(l->c, SM_INTERNAL, f, "A call of %s is left, which was to be lowered", callee_name(call));
}

/* Replaces gcread and gcwrite by barriers, inserts those of barriers=auto, and inlines them. Requires polls placed,
 * and a module that is not rewritten. */
sm_status stage_barriers(struct compile *c) {
    assert(c->form == FORM_POLLED);
    struct sm_barriers k;
    struct lowering l = {c, &k, LLVMCreateBuilderInContext(c->context), barriers_read(c, &k)};
    if (l.status == SM_OK)
        l.status = barriers_insert(c, &k);
    for (LLVMValueRef call = first_module_call(c->module), next; call && l.status == SM_OK; call = next) {
        next = next_module_call(call);
        lower_barrier(&l, call);
    }
    LLVMDisposeBuilder(l.builder);
    if (has_deviated(c, DEVIATION_BARRIERS))
        functions_delete_unused(c->module, GC_READ "," GC_WRITE "," OWN_READ "," OWN_WRITE);
    if (l.status == SM_OK)
        l.status = hooks_inline(c, SM_BARRIER_CONFLICT);
    for (LLVMValueRef call = first_module_call(c->module); call && l.status == SM_OK; call = next_module_call(call))
        refuse_left(&l, call);
    return l.status;
}
