/* peek.c - what has to be known of the input before LLVM reads it.
 *
 * Intrinsics of any type whose type is a token are refused: LLVM's readers have no name for those, and crash. In text
 * that is what stands before and after an intrinsic's name. Bitcode is read without bodies, in a context of its own,
 * from a copy in which intrinsics have names that are none. And LLVM's C API cuts off the upper bits of a function's
 * largest alignment, 2^32, which a text shows.
 */
#include "base.h"
#include "ir.h"
#include "memory.h"
#include "reading.h"

#include <ctype.h>
#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "llvm."
enum {
    PREFIX_LEN = sizeof PREFIX - 1,
    PARAMETERS = 4096, /* so many characters of an intrinsic's parameters are looked at */
};

/* Which types of the intrinsic NAME, LEN bytes, are the module's to choose, and may be a token by mistake. */
struct choices {
    int result, parameters; /* booleans */
};

/* 1 if NAME, LEN bytes, begins with PREFIX. */
static int has_prefix(const char *name, size_t len, const char *prefix) {
    return len >= strlen(prefix) && memcmp(name, prefix, strlen(prefix)) == 0;
}

static struct choices choices_of(const char *name, size_t len) {
    unsigned id = LLVMLookupIntrinsicID(name, len);
    int any = id && LLVMIntrinsicIsOverloaded(id);
    return (struct choices){.result = any && !has_prefix(name, len, "llvm.experimental.gc.statepoint"),
                            .parameters = any && !has_prefix(name, len, "llvm.experimental.gc.result") &&
                                          !has_prefix(name, len, "llvm.experimental.gc.relocate")};
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static int is_part_of_name(char ch) {
    return isalnum((unsigned char)ch) || ch == '_' || ch == '.' || ch == '$' || ch == '-';
}

/* The end of the brackets that begin at AT, or of what is looked at. */
static const char *end_of_brackets(const char *at, const char *end) {
    int depth = 0;
    end = end - at > PARAMETERS ? at + PARAMETERS : end;
    for (; at < end; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (!depth)
            return at;
    }
    return end;
}

/* The first place in [AT, END) of the word "token"; NULL if there is none. */
static const char *find_token(const char *at, const char *end) {
    static const char word[] = "token";
    enum { LEN = sizeof word - 1 };
    for (; at < end && (at = memmem(at, (size_t)(end - at), word, LEN)); at += LEN)
        if (!is_part_of_name(at[-1]) && !strchr("%@\"", at[-1]) && (at + LEN == end || !is_part_of_name(at[LEN])))
            return at;
    return NULL;
}

/* Where the type begins that ends before AT, and after BEGIN: after it there may be the types of a vararg function's
 * parameters, of which only so many are passed over. */
static const char *before_type(const char *begin, const char *at) {
    int depth = 0;
    begin = at - begin > PARAMETERS ? at - PARAMETERS : begin;
    while (at > begin && isspace((unsigned char)at[-1]))
        at--;
    if (at > begin && at[-1] == ')')
        do {
            at--;
            depth += *at == ')';
            depth -= *at == '(';
        } while (depth && at > begin);
    while (at > begin && isspace((unsigned char)at[-1]))
        at--;
    while (at > begin && is_part_of_name(at[-1]))
        at--;
    return at;
}

/* Refuses such intrinsics in the text. */
static sm_status check_text_tokens(struct compile *c) {
    const char *begin = c->input, *end = begin + c->input_len;
    if (!find_token(begin + (c->input_len > 0), end))
        return SM_OK;
    for (const char *p = begin; (p = memmem(p, (size_t)(end - p), "@" PREFIX, PREFIX_LEN + 1)); p++) {
        const char *name = p + 1, *after = name, *type = before_type(begin, p), *token;
        while (after < end && is_part_of_name(*after))
            after++;
        struct choices can = choices_of(name, (size_t)(after - name));
        token =
            can.result && end - type > 6 && memcmp(type, "token", 5) == 0 && !is_part_of_name(type[5]) ? type : NULL;
        if (!token && can.parameters && after < end && *after == '(')
            token = find_token(after + 1, end_of_brackets(after, end));
        if (token)
            return text_error(c, token, "This intrinsic neither gives nor takes a token");
    }
    return SM_OK;
}

/* ---- Bitcode ----------------------------------------------------------------------------------------------------- */

/* Refuses F, of a module whose intrinsics' names begin with "llvmX". */
static sm_status check_head(struct compile *c, LLVMValueRef f) {
    size_t len;
    const char *renamed = LLVMGetValueName2(f, &len);
    if (!starts_with(renamed, "llvmX"))
        return SM_OK;
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    char *name = xstrndup(renamed, len);
    name[PREFIX_LEN - 1] = '.';
    struct choices can = choices_of(name, len);
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *parameter = xcalloc(n + 1, sizeof(LLVMTypeRef));
    LLVMGetParamTypes(type, parameter);
    int wrong = can.result && LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMTokenTypeKind;
    for (unsigned i = 0; i < n; i++)
        wrong |= can.parameters && LLVMGetTypeKind(parameter[i]) == LLVMTokenTypeKind;
    sm_status s =
        wrong ? fail(c, SM_PARSE_ERROR, NULL, "The intrinsic %.200s neither gives nor takes a token", name) : SM_OK;
    free(parameter);
    free(name);
    return s;
}

/* The context's handler of errors: they are reported when the module is read. Without one LLVM ends the process. */
static void ignore_error(LLVMDiagnosticInfoRef error, void *arg) {
    (void)error;
    (void)arg;
}

/* Reads bitcode without bodies. *New* module, in *CONTEXT, *new*; NULL if it cannot be read. */
static LLVMModuleRef read_heads(const char *bytes, size_t len, LLVMContextRef *context) {
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(bytes, len, "", 1);
    *context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(*context, ignore_error, NULL);
    if (!LLVMGetBitcodeModuleInContext2(*context, buffer, &module))
        return module;
    LLVMDisposeMemoryBuffer(buffer);
    return NULL;
}

/* Notes whether one of the functions declared in HEADS may have the largest alignment. */
static int shows_largest(LLVMModuleRef heads) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(heads); g; g = LLVMGetNextGlobal(g))
        LLVMSetInitializer(g, NULL); /* which may be large */
    char *text = LLVMPrintModuleToString(heads);
    int result = strstr(text, LARGEST_ALIGNMENT) != NULL;
    LLVMDisposeMessage(text);
    return result;
}

/* Refuses such intrinsics in bitcode, and notes whether a function may have the largest alignment. */
static sm_status peek_bitcode(struct compile *c) {
    LLVMContextRef context;
    sm_status s = SM_OK;
    char *copy = xmalloc(c->input_len + 1);
    memcpy(copy, c->input, c->input_len);
    copy[c->input_len] = 0;
    for (char *p = copy; (p = memmem(p, (size_t)(copy + c->input_len - p), PREFIX, PREFIX_LEN)); p += PREFIX_LEN)
        p[PREFIX_LEN - 1] = 'X';
    LLVMModuleRef heads = read_heads(copy, c->input_len, &context);
    for (LLVMValueRef f = heads ? LLVMGetFirstFunction(heads) : NULL; f && s == SM_OK; f = LLVMGetNextFunction(f))
        s = check_head(c, f);
    if (heads) {
        c->reading.largest_alignment = shows_largest(heads);
        LLVMDisposeModule(heads);
    }
    LLVMContextDispose(context);
    free(copy);
    return s;
}

sm_status peek(struct compile *c) {
    if (is_bitcode(c->input, c->input_len))
        return peek_bitcode(c);
    c->reading.largest_alignment =
        memmem(c->input, c->input_len, LARGEST_ALIGNMENT, sizeof LARGEST_ALIGNMENT - 1) != NULL;
    return check_text_tokens(c);
}
