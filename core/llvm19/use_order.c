/* use_order.c - the order in which a function's values list their uses, made the one that a reader of its text gets.
 *
 * LLVM's text does not say that order, and some passes of code generation look at uses in it: loop strength reduction
 * emits its increments so. Where `reproduce` gives llc a module that smd has printed, the module that is compiled here
 * therefore gets the order that llc's parser makes: what comes last in the text is first in the list; but uses that
 * come before their value's definition, as those of phis, are gathered under a placeholder, and come to stand after
 * those, in the order of the text.
 *
 * Where the module that is compiled is opt's own, its order stays, and the text that is printed says it (LangRef,
 * "Use-list Order Directives"): of arguments, blocks and instructions.
 *
 * LLVM's #215260 is that code depends on the order (#215261 would repair loop strength reduction), #147038 that a text
 * is read with another one than bitcode. tests/process/llvm19/use_order.ll and use_order_of_readers.ll fail when a text
 * says the order, or a reader makes another one.
 */
#include "ir.h"
#include "llvm19.h"

struct place {
    LLVMValueRef value;
    size_t at; /* how many instructions come before it */
};

static int by_address_use(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return ((uintptr_t)x->value > (uintptr_t)y->value) - ((uintptr_t)x->value < (uintptr_t)y->value);
}

/* *New*: the function's instructions in the order of the text. */
static LLVMValueRef *list_instructions(LLVMValueRef f, size_t *count) {
    size_t n = 0;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        n++;
    LLVMValueRef *list = xmalloc((n + 1) * sizeof(LLVMValueRef));
    *count = n;
    n = 0;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        list[n++] = i;
    return list;
}

/* 1 if OPERAND is an instruction at position AT of the text or after it. */
static int is_ahead(const struct place *sorted, size_t count, LLVMValueRef operand, size_t at) {
    if (!LLVMIsAInstruction(operand))
        return 0;
    const struct place *p = bsearch(&(struct place){.value = operand}, sorted, count, sizeof *sorted, by_address_use);
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
void uses_as_read(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t count;
        LLVMValueRef *list = list_instructions(f, &count);
        struct place *sorted = xcalloc(count + 1, sizeof *sorted);
        for (size_t n = 0; n < count; n++)
            sorted[n] = (struct place){list[n], n};
        qsort(sorted, count, sizeof *sorted, by_address_use);
        order_uses(list, sorted, count);
        free(sorted);
        free(list);
    }
}

/* ---- The order as text ---------------------------------------------------------------------------------------- */

/* One use: operand I of the instruction at position N. */
struct use {
    LLVMUseRef use;
    size_t n, i;
    size_t number; /* of its value's uses, in the order in which that lists them */
    int ahead;     /* boolean: it comes before the definition of its value */
};

/* The uses that a function's instructions make, sorted by address. */
struct uses {
    struct use *use; /* owned */
    size_t count;
};

static int by_use(const void *a, const void *b) {
    const struct use *x = a, *y = b;
    return ((uintptr_t)x->use > (uintptr_t)y->use) - ((uintptr_t)x->use < (uintptr_t)y->use);
}

/* Lists the uses that these instructions make. */
static void list_uses(struct uses *u, LLVMValueRef *list, size_t count) {
    size_t n = 0;
    for (size_t k = 0; k < count; k++)
        n += (size_t)LLVMGetNumOperands(list[k]);
    u->use = xcalloc(n + 1, sizeof *u->use);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < (size_t)LLVMGetNumOperands(list[k]); i++)
            u->use[u->count++] = (struct use){.use = LLVMGetOperandUse(list[k], (unsigned)i), .n = k, .i = i};
    qsort(u->use, u->count, sizeof *u->use, by_use);
}

/* In the order in which a parser lists the uses of one value. */
static int by_reading(const void *a, const void *b) {
    const struct use *x = a, *y = b;
    if (x->ahead != y->ahead)
        return x->ahead - y->ahead;
    int later = x->n != y->n ? x->n > y->n : x->i > y->i;
    return later == x->ahead ? 1 : -1;
}

/* The uses of V in the order in which a parser lists them, *new*, *COUNT of them; V is at position AT, SIZE_MAX if
 * uses cannot come before it. *COUNT is 0 if there is nothing to order. */
static struct use *use_uses_of(const struct uses *u, LLVMValueRef v, size_t at, size_t *count) {
    size_t n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        n++;
    struct use *result = xcalloc(n + 1, sizeof *result);
    *count = 0;
    n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use), n++) {
        const struct use *known = bsearch(&(struct use){.use = use}, u->use, u->count, sizeof *u->use, by_use);
        if (!known) /* a constant's, as of a block's address */
            return result;
        result[n] = *known;
        result[n].number = n;
        result[n].ahead = at != SIZE_MAX && known->n <= at;
    }
    qsort(result, n, sizeof *result, by_reading);
    *count = n;
    return result;
}

/* Writes the value's name as LLVM does; SLOT is its number if it has none. */
static void put_name_use(LLVMValueRef v, size_t slot, sm_buf *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-$._";
    size_t len;
    const char *name = LLVMGetValueName2(v, &len);
    if (!len) {
        sm_buf_printf(out, "%%%zu", slot);
        return;
    }
    sm_buf_puts(out, "%\"");
    for (size_t i = 0; i < len; i++)
        if (memchr(plain, name[i], sizeof plain - 1))
            sm_buf_put(out, &name[i], 1);
        else
            sm_buf_printf(out, "\\%02X", (unsigned char)name[i]);
    sm_buf_puts(out, "\"");
}

/* Writes the directive for V, unless it lists its uses as a parser would. */
static void put_directive(const struct uses *u, LLVMValueRef v, size_t at, size_t slot, sm_buf *out) {
    size_t count, same = 0;
    LLVMUseRef first = LLVMGetFirstUse(v);
    if (!first || !LLVMGetNextUse(first))
        return;
    struct use *use = use_uses_of(u, v, at, &count);
    while (same < count && use[same].number == same)
        same++;
    if (same < count) {
        char *type = LLVMPrintTypeToString(LLVMTypeOf(v)), *body = strstr(type, " = type ");
        sm_buf_printf(out, "  uselistorder %.*s ", body ? (int)(body - type) : (int)strlen(type), type);
        LLVMDisposeMessage(type);
        put_name_use(v, slot, out);
        for (size_t i = 0; i < count; i++)
            sm_buf_printf(out, "%s%zu", i ? ", " : ", { ", use[i].number);
        sm_buf_puts(out, " }\n");
    }
    free(use);
}

/* 1 if LLVM numbers the value where its text has no name for it. */
static int is_numbered(LLVMValueRef v) {
    size_t len;
    LLVMGetValueName2(v, &len);
    return !len && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind;
}

/* Writes the directives for the values of F. */
static void put_directives(LLVMValueRef f, const struct uses *u, sm_buf *out) {
    size_t at = 0, slot = 0;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMValueRef v = LLVMGetParam(f, i);
        put_directive(u, v, SIZE_MAX, slot, out);
        slot += (size_t)is_numbered(v);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef block = LLVMBasicBlockAsValue(b);
        put_directive(u, block, SIZE_MAX, slot, out);
        slot += (size_t)is_numbered(block);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i), at++) {
            put_directive(u, i, at, slot, out);
            slot += (size_t)is_numbered(i);
        }
    }
}

/* Writes, after a line that says what they are, the directives for the values of F if there are any. */
static void put_order(LLVMValueRef f, sm_buf *out) {
    struct uses u = {0};
    sm_buf directives;
    size_t count;
    LLVMValueRef *list = list_instructions(f, &count);
    sm_buf_init(&directives, SIZE_MAX / 4);
    list_uses(&u, list, count);
    put_directives(f, &u, &directives);
    xstatus(directives.status);
    if (directives.len) {
        sm_buf_puts(out, "\n  ; uselistorder directives\n");
        sm_buf_put(out, directives.data, directives.len);
    }
    sm_buf_free(&directives);
    free(u.use);
    free(list);
}

void uses_write(LLVMModuleRef module, const char *text, sm_buf *out) {
    static const char end[] = "\n}\n"; /* no line within a function begins with a brace */
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        const char *brace = strstr(text, end);
        assert(brace);
        sm_buf_put(out, text, (size_t)(brace + 1 - text));
        put_order(f, out);
        text = brace + 1;
    }
    sm_buf_puts(out, text);
}
