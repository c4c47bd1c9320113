/* pointer_masks.c - the result of llvm.ptrmask is another address than its operand.
 *
 * LLVM 19's alias analysis takes the operand's address for the result's (BasicAliasAnalysis.cpp,
 * DecomposeGEPExpression). Of a pointer with a tag, the masked one then seems to lie beside fields that are accessed by
 * the tagged one: the optimiser and AArch64's code generation drop loads and stores, and change their order. LLVM's
 * #197082 repairs it.
 *
 * So during the optimiser a mask is a call of a function that is only declared. For code generation it is arithmetic
 * on the pointer. Both see nothing of the address then. At level 0 nobody asks.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"
#include "marks.h"

#define INTRINSIC "llvm.ptrmask."

/* Has all calls of F call TO, of the same type, and deletes F. */
static void call_instead(LLVMValueRef f, LLVMValueRef to) {
    LLVMReplaceAllUsesWith(f, to);
    LLVMDeleteFunction(f);
}

/* Makes calls of F, an llvm.ptrmask, such of which nothing is known. */
static void mask_hide(struct compile *c, LLVMValueRef f) {
    char name[64];
    snprintf(name, sizeof name, OPAQUE_MASK "%s", value_name(f) + strlen(INTRINSIC));
    LLVMValueRef opaque = LLVMAddFunction(c->module, name, LLVMGlobalGetValueType(f));
    set_text_attribute(c->context, opaque, LEAF_ATTRIBUTE, "");
    set_function_attributes(opaque, "memory,nounwind,willreturn,speculatable,nosync,nofree");
    call_instead(f, opaque);
    deviate(c, DEVIATION_MASKS);
}

/* Calls WHAT for each function whose name begins with PREFIX. */
static void for_each_named(struct compile *c, const char *prefix, void (*what)(struct compile *c, LLVMValueRef f)) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (starts_with(value_name(f), prefix))
            what(c, f);
    }
}

/* Makes calls of F calls of llvm.ptrmask again. */
static void mask_show(struct compile *c, LLVMValueRef f) {
    LLVMTypeRef types[2];
    LLVMGetParamTypes(LLVMGlobalGetValueType(f), types);
    unsigned id = LLVMLookupIntrinsicID("llvm.ptrmask", strlen("llvm.ptrmask"));
    call_instead(f, LLVMGetIntrinsicDeclaration(c->module, id, types, 2));
}

void masks_hide(struct compile *c, int are_hidden) {
    if (!are_hidden)
        for_each_named(c, OPAQUE_MASK, mask_show);
    else if (c->options->opt != SM_OPT_0)
        for_each_named(c, INTRINSIC, mask_hide);
}

/* Replaces the call of llvm.ptrmask by a getelementptr on the same pointer, over the distance that the mask changes it
 * by. */
static void lower(struct compile *c, LLVMValueRef call) {
    LLVMValueRef pointer = LLVMGetOperand(call, 0), mask = LLVMGetOperand(call, 1);
    LLVMBuilderRef b = builder_at(call);
    LLVMValueRef address = LLVMBuildPtrToInt(b, pointer, LLVMTypeOf(mask), "");
    LLVMValueRef masked = LLVMBuildAnd(b, address, mask, ""), distance = LLVMBuildSub(b, masked, address, "");
    LLVMValueRef created = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c->context), pointer, &distance, 1, "");
    LLVMDisposeBuilder(b);
    replace_value(call, created);
}

void masks_lower(struct compile *c) {
    struct set calls = {0};
    int is_early = c->form == FORM_POLLED;
    assert(is_early || c->form == FORM_REWRITTEN);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        if (is_intrinsic(call, INTRINSIC) &&
            (is_early ? is_reference(call) && function_has_statepoints(function_of(call))
                      : c->options->opt != SM_OPT_0))
            set_add(&calls, call);
    for (size_t i = 0; i < calls.count; i++)
        lower(c, calls.item[i]);
    if (calls.count)
        deviate(c, is_early ? DEVIATION_LOOKS_THROUGH : DEVIATION_MASKS);
    set_free(&calls);
}
