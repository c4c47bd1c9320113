/* ir.c - what LLVM's C API has no function for, of one value or type. */
#include "ir.h"

#include <llvm-c/Target.h>

/* 1 if a part of T satisfies IS_NEEDED. SEEN has the structs that were looked at, as one may occur very often. */
static int find_in_type(LLVMTypeRef t, type_test *is_needed, const void *arg, struct set *seen) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(t) && find_in_type(LLVMGetElementType(t), is_needed, arg, seen);
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
        return find_in_type(LLVMGetElementType(t), is_needed, arg, seen);
    case LLVMStructTypeKind:
        if (set_has(seen, t))
            return 0;
        set_add(seen, t);
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (find_in_type(LLVMStructGetTypeAtIndex(t, i), is_needed, arg, seen))
                return 1;
        return 0;
    default:
        return is_needed(t, arg);
    }
}

/* 1 if T, or a part of it in structs, arrays and vectors, satisfies IS_NEEDED. */
int type_holds(LLVMTypeRef t, type_test *is_needed, const void *arg) {
    struct set seen = {0};
    int result = find_in_type(t, is_needed, arg, &seen);
    set_free(&seen);
    return result;
}

unsigned reference_space = 1;

/* 1 if T is a reference. */
static int is_reference_type(LLVMTypeRef t, const void *arg) {
    (void)arg;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(t) == reference_space;
}

/* 1 if T is a reference, or has one in it. */
int holds_reference(LLVMTypeRef t) {
    return type_holds(t, is_reference_type, NULL);
}

static int is_value_pointer_type(LLVMTypeRef t, const void *arg) {
    (void)arg;
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind;
}

/* 1 if T is a pointer of any address space, or has one in it. */
int holds_pointer(LLVMTypeRef t) {
    return type_holds(t, is_value_pointer_type, NULL);
}

enum { WIDTH = 32, SPACE_FIRST = 2 };

/* 1 if T is a compressed reference: a pointer of 32 bits in one of the spaces that the option allows. Asks only the
 * data layout, so that callers need no struct compile. */
static int is_compressed_type(LLVMTypeRef t, const void *data) {
    if (LLVMGetTypeKind(t) != LLVMPointerTypeKind)
        return 0;
    unsigned number = LLVMGetPointerAddressSpace(t);
    return number >= SPACE_FIRST && !is_targets_space(number) &&
           LLVMPointerSizeForAS((LLVMTargetDataRef)data, number) == WIDTH / 8;
}

int holds_compressed(LLVMTargetDataRef data, LLVMTypeRef t) {
    return type_holds(t, is_compressed_type, data);
}

LLVMValueRef stepped_from(LLVMValueRef v, unsigned ways) {
    enum { STEPS = 1000 };
    for (int i = 0; i < STEPS && flow_at(v, 0) & ways; i++)
        v = LLVMGetOperand(v, 0);
    return v;
}

const char *value_text(LLVMValueRef v) {
    static _Thread_local char text[2][301];
    static _Thread_local unsigned calls;
    char *all = LLVMPrintValueToString(v), *kept = text[calls++ % 2];
    snprintf(kept, sizeof text[0], "%s", all + strspn(all, " "));
    LLVMDisposeMessage(all);
    return kept;
}

/* Weighs a conditional branch so that block placement takes its first successor for one taken once in a million
 * times: a poll's slow path. */
void branch_is_cold(struct compile *c, LLVMValueRef branch) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c->context);
    LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(c->context, "branch_weights", 14),
                                  LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0)),
                                  LLVMValueAsMetadata(LLVMConstInt(i32, 1000000, 0))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(c->context, weights, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c->context, "prof", 4), LLVMMetadataAsValue(c->context, node));
}

static const char *const hook_names[] = {READ_BARRIER, WRITE_BARRIER, ENTER, LEAVE};
enum { HOOK_NAMES = sizeof hook_names / sizeof *hook_names };

/* 1 if NAME is that of a barrier for compressed references: BARRIER, ".p" and the number of their space. */
static int is_of_space(const char *name, const char *barrier) {
    const char *number = starts_with(name, barrier) ? name + strlen(barrier) : "";
    return starts_with(number, ".p") && number[2] && strspn(number + 2, "0123456789") == strlen(number + 2);
}

/* 1 if F has the name of a barrier, a transition, what roots become, or gc.safepoint_poll, whose bodies are inlined. */
int is_hook(LLVMValueRef f) {
    const char *name = value_name(f);
    for (size_t i = 0; i < HOOK_NAMES; i++)
        if (strcmp(hook_names[i], name) == 0)
            return 1;
    return is_of_space(name, READ_BARRIER) || is_of_space(name, WRITE_BARRIER) ||
           strcmp(name, "gc.safepoint_poll") == 0 || strcmp(name, ROOT_ENTER) == 0 || strcmp(name, ROOT_LEAVE) == 0;
}
