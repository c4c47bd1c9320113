/* features.c - what a module has, found in one walk, so that stages and steps that concern nothing of it do not run. */
#include "ir.h"
#include "marks.h"

/* What calls of the functions whose names begin so are. */
static const struct {
    const char *prefix;
    unsigned has;
} names[] = {
    {"llvm.experimental.gc.statepoint", HAS_STATEPOINTS},
    {"llvm.experimental.deoptimize", HAS_DEOPTIMIZE},
    {"llvm.experimental.patchpoint", HAS_PATCHPOINTS},
    {"llvm.gc.", HAS_SCOPES},
    {"smd.gc.", HAS_SCOPES},
    {SCOPE, HAS_SCOPES},
    {LATE_VALUE, HAS_SCOPES},
    {LAST_USE, HAS_SCOPES},
};

static unsigned features_of_name(const char *name) {
    unsigned has = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        has |= starts_with(name, names[i].prefix) ? names[i].has : 0;
    return has;
}

static unsigned features_of_type(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMScalableVectorTypeKind
               ? HAS_AGGREGATES
               : 0;
}

static unsigned features_of_instruction(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
        return HAS_SLOTS;
    case LLVMIntToPtr:
        return HAS_INT_TO_PTR;
    case LLVMExtractValue:
        return HAS_AGGREGATES | features_of_type(LLVMTypeOf(i));
    case LLVMLandingPad:
        return HAS_PADS | features_of_type(LLVMTypeOf(i));
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return (LLVMGetNumOperandBundles(i) ? HAS_BUNDLES : 0) | features_of_type(LLVMTypeOf(i));
    default:
        return features_of_type(LLVMTypeOf(i));
    }
}

/* A parameter that the caller leaves on the stack is a slot (slots/slot_address.c). */
static unsigned features_of_parameters(LLVMValueRef f) {
    unsigned has = 0;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        has |= features_of_type(LLVMTypeOf(LLVMGetParam(f, i)));
        if (LLVMGetAttributeCountAtIndex(f, i + 1) && listed_attribute_at(f, i + 1, "byval,inalloca,preallocated"))
            has |= HAS_SLOTS;
    }
    return has;
}

void features_find(struct compile *c) {
    unsigned has = c->tags || c->spaces ? ~0u : 0; /* what they become is of every kind */
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && ~has; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) {
            has |= features_of_name(value_name(f));
            continue;
        }
        has |= features_of_parameters(f);
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            has |= features_of_instruction(i);
    }
    c->has = has;
}
