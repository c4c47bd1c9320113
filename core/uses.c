/* uses.c - the order in which a function's values list their uses, made the one that a reader of its text gets.
 *
 * LLVM's text does not tell that order, and some passes of code generation look at uses in it: loop strength reduction
 * emits its increments so. Where `reproduce` gives llc a module that smd has printed, the module that is compiled here
 * therefore gets the order that llc's parser makes: what comes last in the text is first in the list; but uses that
 * come before their value's definition, as those of phis, are gathered under a placeholder, and come to stand after
 * those, in the order of the text.
 */
#include "core.h"

#include <stdlib.h>

struct place {
    LLVMValueRef value;
    size_t at; /* how many instructions come before it */
};

static int by_address(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return ((uintptr_t)x->value > (uintptr_t)y->value) - ((uintptr_t)x->value < (uintptr_t)y->value);
}

/* *New*: the function's instructions in the order of the text; NULL if out of memory. */
static LLVMValueRef *list_instructions(LLVMValueRef f, size_t *count) {
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n++;
    LLVMValueRef *list = malloc((n + 1) * sizeof(LLVMValueRef));
    *count = n;
    n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); list && b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            list[n++] = i;
    return list;
}

/* 1 if OPERAND is an instruction at position AT of the text or after it. */
static int is_ahead(const struct place *sorted, size_t count, LLVMValueRef operand, size_t at) {
    if (!LLVMIsAInstruction(operand))
        return 0;
    const struct place *p = bsearch(&(struct place){.value = operand}, sorted, count, sizeof *sorted, by_address);
    return p && p->at >= at;
}

/* Sets the operand to the value that it has: its use goes to the head of that value's list. */
static void touch(LLVMValueRef user, unsigned operand) {
    LLVMSetOperand(user, operand, LLVMGetOperand(user, operand));
}

/* Puts the uses of all values of a function in the order that a parser of its text makes. */
static void order_uses(LLVMValueRef *list, const struct place *sorted, size_t count) {
    for (size_t n = count; n-- > 0;)
        for (unsigned i = (unsigned)LLVMGetNumOperands(list[n]); i-- > 0;)
            if (is_ahead(sorted, count, LLVMGetOperand(list[n], i), n))
                touch(list[n], i);
    for (size_t n = 0; n < count; n++)
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(list[n]); i++) {
            LLVMValueRef operand = LLVMGetOperand(list[n], i);
            if (LLVMIsAArgument(operand) || (LLVMIsAInstruction(operand) && !is_ahead(sorted, count, operand, n)))
                touch(list[n], i);
        }
}

/* Orders the uses of all values as they would be in a module that a parser read from its text. */
sm_status uses_as_read(struct compile *c, LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t count;
        LLVMValueRef *list = list_instructions(f, &count);
        struct place *sorted = calloc(count + 1, sizeof *sorted);
        int ok = list && sorted;
        for (size_t n = 0; ok && n < count; n++)
            sorted[n] = (struct place){list[n], n};
        if (ok) {
            qsort(sorted, count, sizeof *sorted, by_address);
            order_uses(list, sorted, count);
        }
        free(sorted);
        free(list);
        if (!ok)
            return fail(c, SM_NOMEM, NULL, "Out of memory");
    }
    return SM_OK;
}
