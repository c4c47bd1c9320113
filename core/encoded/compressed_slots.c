/* compressed_slots.c - compressed references across safepoints, and what casts of them become. See compressed_input.c.
 *
 * LLVM's rewrite knows references of address space 1 alone. So a compressed one that is alive across a safepoint is
 * kept in a slot, as the value of llvm.gc.value is (value_slots.c), and the record has that slot as a region of four
 * bytes, with its address space.
 *
 *     decompress    null, or the base and the pointer shifted left; by way of memory, as what inttoptr gives has no base
 *     compress      the same backwards; of an object's own address
 *
 * Requires polls placed, before scopes are attached.
 */
#include "analysis.h"
#include "compressed_input.h"
#include "deviations.h"
#include "encoded.h"
#include "ir.h"
#include "marks.h"
#include "scopes.h"

/* ---- Across safepoints ---------------------------------------------------------------------------------------- */

struct result {
    struct compile *c;
    struct set values;
    int from_invoke; /* boolean: one of them is the result of an invoke */
};

/* Notes V as one to be kept in a slot if it is a compressed reference that is alive across a safepoint; notes whether
 * an invoke's result is concerned. */
static void visit_place_compressed(struct result *result, LLVMValueRef v) {
    if (!holds_compressed(LLVMGetModuleDataLayout(result->c->module), LLVMTypeOf(v)) || any_user(v, is_value_mark))
        return;
    LLVMValueRef call = live_across(result->c, v);
    if (call)
        set_add(&result->values, v);
    result->from_invoke |= (call && LLVMIsAInvokeInst(v)) || phi_crosses_invoke(v);
}

/* Looks at all parameters and instructions of F. */
static void find_compressed(struct result *result, LLVMValueRef f) {
    for (LLVMValueRef v = first_value(f); v; v = next_value(v))
        visit_place_compressed(result, v);
}

/* Replaces F's phis of compressed references whose values come by an invoke's edge with slots. */
static sm_status resolve_phis_compressed(struct compile *c, LLVMValueRef f) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    sm_status s = SM_OK;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); s == SM_OK && b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next, created; s == SM_OK && i && LLVMIsAPHINode(i);
             i = next) {
            next = LLVMGetNextInstruction(i);
            if (!holds_compressed(data, LLVMTypeOf(i)) || !phi_crosses_invoke(i))
                continue;
            s = phi_resolve(c, f, i, SCOPE_VALUE, &created);
            deviate(c, DEVIATION_SCOPES);
        }
    return s;
}

/* Keeps in slots all compressed references of F that are alive across a safepoint. */
static sm_status keep_in(struct compile *c, LLVMValueRef f) {
    struct result result = {.c = c};
    sm_status s = resolve_phis_compressed(c, f);
    if (s == SM_OK)
        find_compressed(&result, f);
    for (size_t i = 0; s == SM_OK && i < result.values.count; i++) {
        s = value_to_slot(c, f, result.values.item[i], COMPRESSED_VALUE, NULL);
        deviate(c, DEVIATION_SCOPES);
    }
    set_free(&result.values);
    return s;
}

/* Splits critical edges if the result of an invoke has to be stored to a slot: it needs a block of its own. */
static sm_status make_room_compressed(struct compile *c) {
    struct result result = {.c = c};
    for (LLVMValueRef f = first_with_statepoints(c->module); f; f = next_with_statepoints(f))
        find_compressed(&result, f);
    set_free(&result.values);
    return result.from_invoke ? run_passes(c, "function(break-crit-edges)") : SM_OK;
}

/* ---- Casts ---------------------------------------------------------------------------------------------------- */

struct casting {
    struct compile *c;
    LLVMValueRef function;
    LLVMBuilderRef b; /* owned */
    LLVMTypeRef i32, i64, reference;
    LLVMValueRef address, object; /* slots; NULL until they are needed */
    struct set compress, decompress, bits;
};

/* 1 if CALL calls a function whose name begins with PREFIX. */
static int is_cast(LLVMValueRef call, const char *prefix) {
    return LLVMIsACallInst(call) && strncmp(callee_name(call), prefix, strlen(prefix)) == 0;
}

/* The slot *KEPT through which casts of the function go; allocated in its entry block at the first use. */
static LLVMValueRef slot(struct casting *k, LLVMValueRef *kept, LLVMTypeRef type) {
    if (!*kept) {
        LLVMPositionBuilderBefore(k->b, first_instruction(k->function));
        *kept = LLVMBuildAlloca(k->b, type, "smd.cast");
        set_add(&k->c->casts, *kept);
    }
    return *kept;
}

/* Builds a load of the base of the space S from the global variable that has it, which is declared if it is not
 * there. */
static LLVMValueRef compressed_base_of(struct casting *k, const struct space *s) {
    LLVMValueRef g = LLVMGetNamedGlobal(k->c->module, s->base);
    if (!g)
        g = LLVMAddGlobal(k->c->module, k->i64, s->base);
    return LLVMBuildLoad2(k->b, k->i64, g, "");
}

/* Builds the bits of V, a compressed reference, as a word. */
static LLVMValueRef widen(struct casting *k, LLVMValueRef v) {
    return LLVMBuildZExt(k->b, LLVMBuildPtrToInt(k->b, v, k->i32, ""), k->i64, "");
}

/* Replaces CALL by the reference that its compressed operand stands for: null, or base + (bits shifted left). */
static void decompress(struct casting *k, LLVMValueRef call) {
    LLVMValueRef v = LLVMGetOperand(call, 0), kept = slot(k, &k->address, k->i64);
    const struct space *s = space_of(k->c, LLVMTypeOf(v));
    LLVMPositionBuilderBefore(k->b, call);
    LLVMValueRef bits = widen(k, v);
    LLVMValueRef at = s->shift ? LLVMBuildShl(k->b, bits, LLVMConstInt(k->i64, s->shift, 0), "") : bits;
    if (s->base[0]) {
        LLVMValueRef zero = LLVMConstInt(k->i64, 0, 0);
        at = LLVMBuildSelect(k->b, LLVMBuildICmp(k->b, LLVMIntEQ, bits, zero, ""), zero,
                             LLVMBuildAdd(k->b, at, compressed_base_of(k, s), ""), "");
    }
    LLVMBuildStore(k->b, at, kept);
    call_replace(call, LLVMBuildLoad2(k->b, k->reference, kept, ""));
}

/* Replaces CALL by the compressed form of its reference operand: null, or (address - base) shifted right. */
static void compress(struct casting *k, LLVMValueRef call) {
    LLVMValueRef v = LLVMGetOperand(call, 0), kept = slot(k, &k->object, k->reference);
    const struct space *s = space_of(k->c, LLVMTypeOf(call));
    LLVMPositionBuilderBefore(k->b, call);
    LLVMBuildStore(k->b, v, kept);
    LLVMValueRef at = LLVMBuildLoad2(k->b, k->i64, kept, "");
    if (s->base[0]) {
        LLVMValueRef zero = LLVMConstInt(k->i64, 0, 0);
        at = LLVMBuildSelect(k->b, LLVMBuildICmp(k->b, LLVMIntEQ, at, zero, ""), zero,
                             LLVMBuildSub(k->b, at, compressed_base_of(k, s), ""), "");
    }
    if (s->shift)
        at = LLVMBuildLShr(k->b, at, LLVMConstInt(k->i64, s->shift, 0), "");
    call_replace(call, LLVMBuildIntToPtr(k->b, LLVMBuildTrunc(k->b, at, k->i32, ""), LLVMTypeOf(call), ""));
}

/* Refuses compressions of derived pointers, in a function with statepoints: only an object's own address can be
 * compressed. */
static sm_status check_derived_compressed(struct casting *k) {
    struct derivations known = {0};
    sm_status s = SM_OK;
    for (size_t i = 0; s == SM_OK && is_statepoint_gc(LLVMGetGC(k->function)) && i < k->compress.count; i++) {
        LLVMValueRef v = LLVMGetOperand(k->compress.item[i], 0);
        if (!is_derived_among(&known, v))
            continue;
        s = fail(k->c, SM_CANNOT_REWRITE, k->function,
                 "'%.200s' is derived from another pointer, and cast to a compressed reference: only the address of "
                 "an object is one; cast the object's, and derive from it where it is used",
                 value_text(v));
    }
    derivations_free(&known);
    return s;
}

/* Replaces all calls in F that compress or decompress references, or give their bits, by arithmetic. */
static sm_status lower_in(struct compile *c, LLVMValueRef f) {
    struct casting k = {.c = c,
                        .function = f,
                        .i32 = LLVMInt32TypeInContext(c->context),
                        .i64 = LLVMInt64TypeInContext(c->context),
                        .reference = LLVMPointerTypeInContext(c->context, 1)};
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (is_cast(call, DECOMPRESS))
            set_add(&k.decompress, call);
        else if (is_cast(call, COMPRESS))
            set_add(&k.compress, call);
        else if (is_cast(call, BITS_OF))
            set_add(&k.bits, call);
    sm_status s = check_derived_compressed(&k);
    k.b = LLVMCreateBuilderInContext(c->context);
    for (size_t i = 0; s == SM_OK && i < k.decompress.count; i++)
        decompress(&k, k.decompress.item[i]);
    for (size_t i = 0; s == SM_OK && i < k.compress.count; i++)
        compress(&k, k.compress.item[i]);
    for (size_t i = 0; s == SM_OK && i < k.bits.count; i++) {
        LLVMPositionBuilderBefore(k.b, k.bits.item[i]);
        call_replace(k.bits.item[i], widen(&k, LLVMGetOperand(k.bits.item[i], 0)));
    }
    LLVMDisposeBuilder(k.b);
    set_free(&k.compress);
    set_free(&k.decompress);
    set_free(&k.bits);
    return s;
}

/* Keeps compressed references that are alive across safepoints in slots, and replaces casts by arithmetic. Requires
 * polls placed. */
sm_status spaces_to_slots(struct compile *c) {
    assert(c->form == FORM_POLLED);
    if (!c->spaces)
        return SM_OK;
    spaces_strip(c);
    sm_status s = spaces_check(c);
    if (s == SM_OK)
        s = make_room_compressed(c);
    for (LLVMValueRef f = first_with_statepoints(c->module); s == SM_OK && f; f = next_with_statepoints(f))
        s = keep_in(c, f);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            s = lower_in(c, f);
    functions_delete_unused(c->module, DECOMPRESS "," COMPRESS "," BITS_OF);
    c->casts_lowered = 1;
    return s;
}
