/* references.c - which types hold references: plain ones, and compressed ones, which the data layout tells from
 * others. */
#include "ir.h"

#include <llvm-c/Target.h>

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
