/* barrier_kinds.c - the barriers that smd writes itself, by the option barrier. See barriers.h.
 *
 *     card:BASE:SHIFT   after a store: the byte at BASE + (object >> SHIFT) becomes 1. BASE is a variable of type ptr, or
 *                       a number. Nothing is called.
 *     satb:SYMBOL:FLAG  before a store: where the byte FLAG is not 0, what the store overwrites is given to SYMBOL, unless
 *                       it is null. A leaf: if it could stop for a collection, a snapshot might be taken between it and
 *                       the store, and would then lack the value.
 *     load:SLOW:MASK    after a load: where the value has a bit of MASK, SLOW(value, slot) gives the one to go on with.
 *                       MASK is a variable of type i64, or a number. SLOW may stop for a collection, as any call may.
 *
 * For compressed references, SYMBOL and SLOW are SYMBOL.pSPACE and SLOW.pSPACE, if the module has those.
 */
#include "barrier.h"
#include "barrier_parts.h"
#include "ir.h"
#include "late_inline.h"
#include "marks.h"

/* Reads the option barrier into K; fails if it is not valid. */
sm_status barriers_read(struct compile *c, struct sm_barriers *k) {
    if (sm_barriers_read(k, c->options->barrier))
        return SM_OK;
    return fail_option(c, SM_INVALID_OPTION, "barrier", NULL,
                       "'%s' is not a value of 'barrier'; it takes module, or card:BASE:SHIFT, satb:SYMBOL:FLAG and "
                       "load:SLOW:MASK, separated by commas, each once",
                       c->options->barrier);
}

/* ---- What they need of the module ----------------------------------------------------------------------------- */

/* Sets *FAILURE, with a diagnostic, if it is SM_OK: the module has SYMBOL, which is not WHAT the barrier needs. */
static void conflict_builtin(struct compile *c, const char *symbol, const char *what, sm_status *failure) {
    if (*failure == SM_OK)
        *failure = fail(c, SM_BARRIER_CONFLICT, NULL, "barrier: '%s' is in the module, but is not %s", symbol, what);
}

/* The global variable NAME of TYPE, or with IS_FUNCTION the function, declared if the name is free; NULL, with *FAILURE set,
 * if the name is another thing's. */
static LLVMValueRef symbol_of_type(struct compile *c, const char *name, LLVMTypeRef type, int is_function,
                                   const char *what, sm_status *failure) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name), g = LLVMGetNamedGlobal(c->module, name),
                 there = is_function ? f : g;
    if (!f && !g && !is_other_name(c->module, name))
        return is_function ? LLVMAddFunction(c->module, name, type) : LLVMAddGlobal(c->module, type, name);
    if (there && LLVMGlobalGetValueType(there) == type)
        return there;
    conflict_builtin(c, name, what, failure);
    return NULL;
}

/* The function SYMBOL of ALL, or that for compressed references, of TYPE, if the module has one. As symbol_of_type. */
static LLVMValueRef function_of_kind(struct compile *c, const char *symbol, LLVMTypeRef type, LLVMTypeRef all,
                                     const char *what, sm_status *failure) {
    char own[SPACE_NAME_ROOM];
    space_name(own, symbol, LLVMGetPointerAddressSpace(type));
    return symbol_of_type(c, LLVMGetNamedFunction(c->module, own) ? own : symbol, all, 1, what, failure);
}

/* The bits of the reference VALUE, as a word. Those of a compressed one a function gives that is lowered with its
 * casts. */
static LLVMValueRef reference_bits(struct compile *c, LLVMBuilderRef b, LLVMValueRef value) {
    LLVMTypeRef word = LLVMInt64TypeInContext(c->context), from = LLVMTypeOf(value),
                type = LLVMFunctionType(word, &from, 1, 0);
    char name[64];
    if (!holds_compressed(LLVMGetModuleDataLayout(c->module), from))
        return LLVMBuildPtrToInt(b, value, word, "");
    snprintf(name, sizeof name, BITS_OF "%u", LLVMGetPointerAddressSpace(from));
    LLVMValueRef f = declared_function(c->module, name, type);
    set_function_attributes(f, "memory,nounwind");
    set_text_attribute(c->context, f, LEAF_ATTRIBUTE, "");
    return LLVMBuildCall2(b, type, f, &value, 1, "");
}

/* ---- What they are -------------------------------------------------------------------------------------------- */

/* Writes the name of the barrier function KIND for two pointer types: smd.KIND.pN.pM, by their address spaces. */
static void name_for(char *name, size_t size, const char *kind, LLVMTypeRef a, LLVMTypeRef b) {
    snprintf(name, size, CARD_FORMAT, kind, LLVMGetPointerAddressSpace(a), LLVMGetPointerAddressSpace(b));
}

/* Writes the function that marks an object's card, for references of type OBJECT; NULL, with *FAILURE set, if the
 * card table's name is taken. */
static LLVMValueRef card_function(struct compile *c, const struct sm_barriers *k, LLVMTypeRef object,
                                  const char *name, sm_status *failure) {
    LLVMTypeRef none = LLVMVoidTypeInContext(c->context), byte = LLVMInt8TypeInContext(c->context),
                word = LLVMInt64TypeInContext(c->context), pointer = LLVMPointerTypeInContext(c->context, 0);
    int fixed = sm_barrier_is_number(k->card);
    LLVMValueRef table = fixed ? NULL : symbol_of_type(c, k->card, pointer, 0, "a variable of type ptr", failure);
    if (!fixed && !table)
        return NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = hook_begin(c, b, name, LLVMFunctionType(none, &object, 1, 0));
    LLVMValueRef base = fixed ? LLVMConstIntToPtr(LLVMConstInt(word, strtoull(k->card, NULL, 0), 0), pointer)
                              : LLVMBuildLoad2(b, pointer, table, "cards");
    LLVMValueRef address = LLVMBuildPtrToInt(b, LLVMGetParam(f, 0), word, "address");
    LLVMValueRef index = LLVMBuildLShr(b, address, LLVMConstInt(word, k->shift, 0), "index");
    LLVMValueRef card = LLVMBuildGEP2(b, byte, base, &index, 1, "card");
    LLVMBuildStore(b, LLVMConstInt(byte, 1, 0), card);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* Builds a call that marks the card of OBJECT; LIKE is the access, for its debug location. Sets *FAILURE if a name is
 * taken. */
void card_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef object,
                LLVMValueRef like, sm_status *failure) {
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(object);
    name_for(name, sizeof name, "card", type, type);
    LLVMValueRef f = hook_named(c, name, failure);
    if (!f)
        f = card_function(c, k, type, name, failure);
    if (f)
        hook_call(c, b, f, &object, 1, like);
}

/* Writes the snapshot barrier's function: where the flag is set it gives the old value, unless null, to the runtime.
 * It takes the slot and loads the value, or, with IS_OLD, takes the value. NULL, with *FAILURE set, if a name is
 * taken. */
static LLVMValueRef satb_function(struct compile *c, const struct sm_barriers *k, LLVMTypeRef slot, LLVMTypeRef type,
                                  int is_old, const char *name, sm_status *failure) {
    LLVMTypeRef none = LLVMVoidTypeInContext(c->context), byte = LLVMInt8TypeInContext(c->context),
                keep_type = LLVMFunctionType(none, &type, 1, 0);
    LLVMValueRef flag = symbol_of_type(c, k->flag, byte, 0, "a variable of type i8", failure);
    LLVMValueRef keep =
        function_of_kind(c, k->satb, type, keep_type, "a function void(ptr), of the references' kind", failure);
    if (!flag || !keep)
        return NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = hook_begin(c, b, name, LLVMFunctionType(none, &slot, 1, 0));
    LLVMBasicBlockRef marking = LLVMAppendBasicBlockInContext(c->context, f, "marking"),
                      kept = LLVMAppendBasicBlockInContext(c->context, f, "keep"),
                      out = LLVMAppendBasicBlockInContext(c->context, f, "out");
    LLVMValueRef on = LLVMBuildLoad2(b, byte, flag, "flag");
    LLVMSetVolatile(on, 1);
    branch_is_cold(c,
                   LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, on, LLVMConstInt(byte, 0, 0), "on"), marking, out));
    LLVMPositionBuilderAtEnd(b, marking);
    LLVMValueRef old = is_old ? LLVMGetParam(f, 0) : LLVMBuildLoad2(b, type, LLVMGetParam(f, 0), "old");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, old, "nothing"), out, kept);
    LLVMPositionBuilderAtEnd(b, kept);
    LLVMValueRef call = LLVMBuildCall2(b, keep_type, keep, &old, 1, "");
    call_as_declared(call, keep);
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    LLVMBuildBr(b, out);
    LLVMPositionBuilderAtEnd(b, out);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* Builds a call that keeps, while marking, the reference of TYPE that a store is about to overwrite at AT, or, with
 * IS_OLD, AT itself, which an exchange has overwritten. Sets *FAILURE if a name is taken. */
void satb_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef at, LLVMTypeRef type,
                int is_old, LLVMValueRef like, sm_status *failure) {
    char name[64];
    name_for(name, sizeof name, is_old ? "satb.old" : "satb", LLVMTypeOf(at), type);
    LLVMValueRef f = hook_named(c, name, failure);
    if (!f)
        f = satb_function(c, k, LLVMTypeOf(at), type, is_old, name, failure);
    if (f)
        hook_call(c, b, f, &at, 1, like);
}

/* Writes the load barrier's function (value, slot): a value with a bit of the mask is replaced by what the runtime's
 * function gives. NULL, with *FAILURE set, if a name is taken. */
static LLVMValueRef load_function(struct compile *c, const struct sm_barriers *k, LLVMTypeRef type, LLVMTypeRef slot,
                                  const char *name, sm_status *failure) {
    LLVMTypeRef word = LLVMInt64TypeInContext(c->context), params[] = {type, slot},
                all = LLVMFunctionType(type, params, 2, 0);
    int fixed = sm_barrier_is_number(k->mask);
    LLVMValueRef mask = fixed ? NULL : symbol_of_type(c, k->mask, word, 0, "a variable of type i64", failure);
    LLVMValueRef slow = function_of_kind(c, k->load, type, all,
                                         "a function ptr(ptr value, ptr slot), of the references' kind", failure);
    if ((!fixed && !mask) || !slow)
        return NULL;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = hook_begin(c, b, name, all), value = LLVMGetParam(f, 0), args[] = {value, LLVMGetParam(f, 1)};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f), cold = LLVMAppendBasicBlockInContext(c->context, f, "slow"),
                      out = LLVMAppendBasicBlockInContext(c->context, f, "out");
    LLVMValueRef bits =
        fixed ? LLVMConstInt(word, strtoull(k->mask, NULL, 0), 0) : LLVMBuildLoad2(b, word, mask, "mask");
    LLVMValueRef bad = LLVMBuildAnd(b, reference_bits(c, b, value), bits, "bad");
    branch_is_cold(c, LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, bad, LLVMConstInt(word, 0, 0), ""), cold, out));
    LLVMPositionBuilderAtEnd(b, cold);
    LLVMValueRef good = LLVMBuildCall2(b, all, slow, args, 2, "good");
    call_as_declared(good, slow);
    LLVMBuildBr(b, out);
    LLVMPositionBuilderAtEnd(b, out);
    LLVMValueRef phi = LLVMBuildPhi(b, type, "");
    LLVMValueRef incoming[] = {value, good};
    LLVMBasicBlockRef from[] = {entry, cold};
    LLVMAddIncoming(phi, incoming, from, 2);
    LLVMBuildRet(b, phi);
    LLVMDisposeBuilder(b);
    return f;
}

/* Builds a call that passes VALUE, loaded from SLOT, through the load barrier; gives the value to go on with, and
 * VALUE itself, with *FAILURE set, if a name is taken. */
LLVMValueRef load_build(struct compile *c, const struct sm_barriers *k, LLVMBuilderRef b, LLVMValueRef value,
                        LLVMValueRef slot, LLVMValueRef like, sm_status *failure) {
    char name[64];
    LLVMValueRef args[] = {value, slot};
    name_for(name, sizeof name, "load", LLVMTypeOf(slot), LLVMTypeOf(value));
    LLVMValueRef f = hook_named(c, name, failure);
    if (!f)
        f = load_function(c, k, LLVMTypeOf(value), LLVMTypeOf(slot), name, failure);
    return f ? hook_call(c, b, f, args, 2, like) : value;
}
