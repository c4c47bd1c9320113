/* landing_pads.c - relocations on landing pads that give { ptr, i32 }, which is what frontends write.
 *
 * A landing pad of type token gives its handler neither exception nor selector. LLVM's rewrite makes gc.relocates on
 * any pad, and its code generation finds the statepoint by way of the pad's block, whatever the pad's type is. Only
 * the signature of gc.relocate asks for a token: the calls that the rewrite has created on other pads are no valid IR,
 * and cannot be written down and read again. So they get a declaration that fits: the same intrinsic (LLVM goes by the
 * name's beginning) under a name and with a type of its own. LLVM's verifier knows one signature for each intrinsic;
 * while it looks, the declaration has a name that is none, so that it sees calls like others.
 *
 * Code generation gives a pad two values, the exception and the number of its handler. A pad of one value ("i64"), or
 * of two in a struct of another shape, it dies of; and the inliner joins what the pads of two functions give without
 * asking for their types. So where a module's pads are not all of one type that can be lowered, they become { ptr, i64
 * }, which holds both in full, and what they gave is computed from that.
 *
 * No issue of the signature was found; #87198 would have its verifier look at pads' types.
 * tests/process/llvm19/landing_pads.ll and landing_pad_types.ll fail when LLVM has repaired it.
 */
#include "aggregate_parts.h"
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "lowering.h"
#include "marks.h"

#define RELOCATE "llvm.experimental.gc.relocate"

enum { NAME_MAX_LEN = 200 }; /* of an overloaded intrinsic on a pointer or a vector of them */

/* 1 if the call is a relocation whose operand is no token, but a landing pad with another type. */
static int is_untyped(LLVMValueRef call) {
    return is_relocate(call) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) != LLVMTokenTypeKind;
}

/* Removes "immarg" from a relocation intrinsic, which LLVM's verifier accepts only with its own signature. */
static void drop_immarg(LLVMValueRef f) {
    LLVMRemoveEnumAttributeAtIndex(f, 2, attribute_kind("immarg"));
    LLVMRemoveEnumAttributeAtIndex(f, 3, attribute_kind("immarg"));
}

/* Declares a relocation intrinsic of this name and type. */
static LLVMValueRef declare_helper(struct compile *c, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(c->module, name, type);
    drop_immarg(f);
    return f;
}

/* The relocation intrinsic with CALL's result type that takes a pad of the type of CALL's operand; declared if it
 * is not there yet. */
static LLVMValueRef relocate_on_pad(struct compile *c, LLVMValueRef call) {
    LLVMTypeRef index = LLVMInt32TypeInContext(c->context);
    LLVMTypeRef params[] = {LLVMTypeOf(LLVMGetOperand(call, 0)), index, index};
    LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), params, 3, 0);
    char name[NAME_MAX_LEN + 32];
    LLVMValueRef f = NULL;
    for (unsigned n = 0; !f || LLVMGlobalGetValueType(f) != type; n++) {
        snprintf(name, sizeof name, "%.*s.pad%u", NAME_MAX_LEN, intrinsic_name(call), n);
        f = LLVMGetNamedFunction(c->module, name);
        if (!f)
            f = declare_helper(c, name, type);
    }
    return f;
}

/* 1 if the relocation's intrinsic takes a pad of this type. */
static int has_pad_type(LLVMValueRef call) {
    LLVMTypeRef params[3], type = LLVMGetCalledFunctionType(call);
    if (LLVMCountParamTypes(type) != 3)
        return 0;
    LLVMGetParamTypes(type, params);
    return params[0] == LLVMTypeOf(LLVMGetOperand(call, 0));
}

/* Replaces a relocation on a pad that is no token by a typed one, nomerge: relocations on two pads must stay two
 * calls, as one of a phi of both would be of neither; AArch64's code generation would make it. To the intrinsic of one
 * that the module came with, LLVM's rewrite has given the attributes of its own again. */
static void retype(struct compile *c, LLVMValueRef call) {
    if (has_pad_type(call)) {
        drop_immarg(LLVMGetCalledValue(call));
        deviate(c, DEVIATION_TYPED_PADS);
        return;
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = relocate_on_pad(c, call);
    LLVMValueRef args[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2)};
    LLVMPositionBuilderBefore(b, call);
    LLVMValueRef typed = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 3, "");
    LLVMSetInstructionCallConv(typed, LLVMGetInstructionCallConv(call));
    set_call_enum_attribute(typed, "nomerge");
    call_replace(call, typed);
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_TYPED_PADS);
}

/* Gives all relocations on landing pads without a token intrinsics with a signature that fits. */
void pads_retype(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module), next; call; call = next) {
        next = next_module_call(call);
        if (is_untyped(call))
            retype(c, call);
    }
}

/* Finds typed relocations that the module came with, as smd writes them. */
void pads_find(struct compile *c) {
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_untyped(call) && LLVMIsALandingPadInst(LLVMGetOperand(call, 0))) {
            drop_immarg(LLVMGetCalledValue(call));
            deviate(c, DEVIATION_TYPED_PADS);
        }
}

/* Renames the typed relocation intrinsics: those whose name begins with FROM now begin with TO. */
static void rename_all(struct compile *c, const char *from, const char *to) {
    char name[NAME_MAX_LEN + 64];
    size_t len, skip = strlen(from);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        const char *old = LLVMGetValueName2(f, &len);
        if (len < skip || memcmp(old, from, skip) != 0 || LLVMCountParams(f) != 3 ||
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f, 0))) == LLVMTokenTypeKind)
            continue;
        int n = snprintf(name, sizeof name, "%s%s", to, old + skip);
        LLVMSetValueName2(f, name, (size_t)n);
    }
}

void pads_hide(struct compile *c, int are_hidden) {
    if (has_deviated(c, DEVIATION_TYPED_PADS))
        rename_all(c, are_hidden ? RELOCATE : HIDDEN_RELOCATE, are_hidden ? HIDDEN_RELOCATE : RELOCATE);
}

/* ---- Pads of other types ------------------------------------------------------------------------------------------ */

int pad_can_be_lowered(LLVMTypeRef type) {
    struct leaves of;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if ((kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) || !leaves_find(&of, type, 0) || of.count != 2 ||
        of.leaf[0].depth != 1 || of.leaf[0].path[0] != 0)
        return 0;
    for (unsigned i = 0; i < 2; i++)
        if (!of.leaf[i].is_pointer && LLVMGetTypeKind(of.leaf[i].type) != LLVMIntegerTypeKind)
            return 0;
    return 1;
}

/* 1 if a value of this type can be computed from an exception and a handler's number: of two addresses or numbers of
 * up to 64 bits, or fewer. */
static int can_be_computed(LLVMTypeRef type) {
    struct leaves of;
    if (!leaves_find(&of, type, 0) || of.count > 2)
        return 0;
    for (unsigned i = 0; i < of.count; i++)
        if (of.leaf[i].is_pointer ? LLVMGetPointerAddressSpace(of.leaf[i].type) != 0
                                  : LLVMGetTypeKind(of.leaf[i].type) != LLVMIntegerTypeKind ||
                                        LLVMGetIntTypeWidth(of.leaf[i].type) > 64)
            return 0;
    return 1;
}

/* The type that the landing pad or resume I gives or takes; NULL if I is neither, or a pad that is a token. */
static LLVMTypeRef exception_type(LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) == LLVMResume)
        return LLVMTypeOf(LLVMGetOperand(i, 0));
    return LLVMIsALandingPadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMTokenTypeKind ? LLVMTypeOf(i) : NULL;
}

/* Builds V, an address or a number of up to 64 bits, as one of TYPE. */
static LLVMValueRef as_word_pad(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef type) {
    LLVMTypeRef from = LLVMTypeOf(v);
    int was_pointer = LLVMGetTypeKind(from) == LLVMPointerTypeKind,
        is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    if (from == type)
        return v;
    if (was_pointer)
        return LLVMBuildPtrToInt(b, v, type, "");
    if (is_pointer)
        return LLVMBuildIntToPtr(b, v, type, "");
    return LLVMGetIntTypeWidth(from) < LLVMGetIntTypeWidth(type) ? LLVMBuildZExt(b, v, type, "")
                                                                 : LLVMBuildTrunc(b, v, type, "");
}

/* Builds the value of TYPE that has the parts of V in its first parts; others are undefined. */
static LLVMValueRef as_exception(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef type) {
    struct leaves from, to;
    LLVMValueRef created = LLVMGetUndef(type);
    int result = leaves_find(&from, LLVMTypeOf(v), 0) && leaves_find(&to, type, 0);
    assert(result);
    (void)result;
    for (unsigned i = 0; i < to.count && i < from.count; i++)
        created =
            leaf_insert(b, &to.leaf[i], created, as_word_pad(b, leaf_extract(b, &from.leaf[i], v), to.leaf[i].type));
    return created;
}

/* Replaces the landing pad OLD by one of TYPE, and the value that it gave by one that is computed from that. */
static void replace_pad(LLVMBuilderRef b, LLVMValueRef old, LLVMTypeRef type) {
    LLVMPositionBuilderBefore(b, old);
    LLVMValueRef pad = LLVMBuildLandingPad(b, type, NULL, LLVMGetNumClauses(old), "");
    for (unsigned i = 0; i < LLVMGetNumClauses(old); i++)
        LLVMAddClause(pad, LLVMGetClause(old, i));
    LLVMSetCleanup(pad, LLVMIsCleanup(old));
    if (LLVMGetFirstUse(old))
        LLVMReplaceAllUsesWith(old, as_exception(b, pad, LLVMTypeOf(old)));
    call_replace(old, pad);
}

/* Makes the landing pad or resume I one of TYPE. */
static void change_type(LLVMBuilderRef b, LLVMValueRef i, LLVMTypeRef type) {
    if (LLVMIsALandingPadInst(i)) {
        replace_pad(b, i, type);
        return;
    }
    LLVMPositionBuilderBefore(b, i);
    LLVMSetOperand(i, 0, as_exception(b, LLVMGetOperand(i, 0), type));
}

typedef void pad_visitor(void *arg, LLVMValueRef i, LLVMTypeRef type);

/* Calls VISIT for all landing pads that are no tokens, and resumes, of the module. It may replace them. */
static void visit_pads(struct compile *c, pad_visitor *visit, void *arg) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !LLVMHasPersonalityFn(f))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                LLVMTypeRef type = exception_type(i);
                next = LLVMGetNextInstruction(i);
                if (type)
                    visit(arg, i, type);
            }
    }
}

struct pad_types {
    LLVMTypeRef first; /* of all that were seen; NULL before */
    int differ;        /* boolean: another one was seen, or one that code generation cannot lower */
    struct compile *c;
};

/* 1 if a resume can take the first part of a value of this type for the exception's address. */
static int begins_with_address_pad(LLVMTypeRef type) {
    struct leaves of;
    return leaves_find(&of, type, 0) && of.count && of.leaf[0].is_pointer &&
           LLVMGetPointerAddressSpace(of.leaf[0].type) == 0;
}

/* Notes the type. */
static void note_type(void *arg, LLVMValueRef i, LLVMTypeRef type) {
    struct pad_types *t = arg;
    t->differ |= (t->first && t->first != type) || !pad_can_be_lowered(type) ||
                 (!LLVMIsALandingPadInst(i) && !begins_with_address_pad(type));
    t->first = type;
}

/* Changes the type of the pad or resume to { ptr, i64 }. */
static void join_type(void *arg, LLVMValueRef i, LLVMTypeRef type) {
    struct pad_types *t = arg;
    LLVMTypeRef parts[] = {LLVMPointerTypeInContext(t->c->context, 0), LLVMInt64TypeInContext(t->c->context)};
    LLVMTypeRef common = LLVMStructTypeInContext(t->c->context, parts, 2, 0);
    if (type == common || !can_be_computed(type))
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(t->c->context);
    change_type(b, i, common);
    LLVMDisposeBuilder(b);
    deviate(t->c, DEVIATION_PAD_TYPES);
}

/* Makes all landing pads of one type that code generation can lower, unless they are. Before the optimiser. */
void pads_join_types(struct compile *c) {
    struct pad_types t = {.c = c};
    assert(c->form == FORM_VERIFIED);
    visit_pads(c, note_type, &t);
    if (t.differ)
        visit_pads(c, join_type, &t);
}
