/* peek.c - what has to be known of the input before LLVM reads it.
 *
 * Intrinsics of any type whose type is a token or a label are refused: LLVM's readers have no name for those, and
 * crash. In text that is what stands before and after an intrinsic's name. Bitcode is read without bodies, in a
 * context of its own, from a copy in which intrinsics have names that are none (old_names.c). And LLVM's C API cuts
 * off the upper bits of a function's largest alignment, 2^32, which a text shows.
 */
#include "diag_place.h"
#include "ir.h"
#include "reading.h"

#include <ctype.h>
#include <llvm-c/BitReader.h>

#define PREFIX "llvm."
enum { PREFIX_LEN = sizeof PREFIX - 1 };

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

#define REFUSED "This intrinsic neither gives nor takes a token"
enum { NAME_MAX_LEN = 200 }; /* of an intrinsic's name, what stands before its types is shorter */

/* A walk over the text, one item after the other. */
struct walk {
    const char *at, *end;
    int depth;         /* of brackets */
    int inside;        /* the depth at which an intrinsic's parameters began that may be no tokens; 0: none */
    const char *type;  /* the item just passed, or the function type of which it is the result; NULL: no token */
    const char *outer; /* TYPE before the brackets at OUTER_DEPTH */
    int outer_depth, pending; /* PENDING: the item just passed names such an intrinsic */
};

/* LLVM passes over a zero byte as well. */
static int is_blank(char ch) {
    return isspace((unsigned char)ch) || !ch;
}

/* The end of the word, or string, at AT. */
static const char *end_of_item(const char *at, const char *end) {
    if (at < end && *at == '"') {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        return quote ? quote + 1 : end;
    }
    while (at < end && text_is_word(*at))
        at++;
    return at;
}

static int digit_of(char ch) {
    return isdigit((unsigned char)ch) ? ch - '0' : tolower((unsigned char)ch) - 'a' + 10;
}

/* Copies the name that stands at AT, LEN bytes, without quotes and escapes, as far as OUT has room. Its length. */
static size_t read_name(const char *at, size_t len, char out[NAME_MAX_LEN]) {
    size_t n = 0, quoted = len && *at == '"';
    for (size_t i = quoted; i + quoted < len && n < NAME_MAX_LEN; i++) {
        int escaped = at[i] == '\\' && i + 2 < len && isxdigit((unsigned char)at[i + 1]) &&
                      isxdigit((unsigned char)at[i + 2]) && quoted;
        out[n++] = escaped ? (char)(16 * digit_of(at[i + 1]) + digit_of(at[i + 2])) : at[i];
        i += escaped ? 2 : 0;
    }
    return n;
}

/* Passes a global's name, at its "@". What may be a token by mistake; NULL if nothing is. */
static const char *pass_global(struct walk *w) {
    char name[NAME_MAX_LEN];
    const char *begin = w->at + 1, *token = w->type;
    w->at = end_of_item(begin, w->end);
    w->type = NULL;
    w->pending = 0;
    size_t len = read_name(begin, (size_t)(w->at - begin), name);
    if (!has_prefix(name, len, PREFIX))
        return NULL;
    struct choices can = choices_of(name, len);
    w->pending = can.parameters;
    return can.result ? token : NULL;
}

/* Passes a word, which may be a type. As pass_global. */
static const char *pass_word(struct walk *w) {
    const char *begin = w->at;
    w->at = end_of_item(begin, w->end);
    size_t len = (size_t)(w->at - begin);
    int is_token = len == 5 && memcmp(begin, "token", len) == 0 && !(w->at < w->end && *w->at == ':');
    int is_label = len == 5 && memcmp(begin, "label", len) == 0;
    w->pending = 0;
    w->type = is_token ? begin : NULL;
    return w->inside && (is_token || is_label) ? begin : NULL;
}

/* Passes a bracket, or what is of no interest. */
static void pass_other(struct walk *w) {
    char ch = *w->at++;
    const char *type = w->type;
    w->type = NULL;
    if (ch == '(') {
        w->depth++;
        if (w->pending && !w->inside)
            w->inside = w->depth;
        if (type) {
            w->outer = type;
            w->outer_depth = w->depth;
        }
    } else if (ch == ')') {
        if (w->outer && w->outer_depth == w->depth) {
            w->type = w->outer;
            w->outer = NULL;
        }
        if (w->inside == w->depth)
            w->inside = 0;
        w->depth--;
    }
    w->pending = 0;
}

/* Passes one item. As pass_global. */
static const char *pass_item(struct walk *w) {
    char ch = *w->at;
    if (is_blank(ch)) {
        w->at++;
        return NULL;
    }
    if (ch == ';') {
        const char *line = memchr(w->at, '\n', (size_t)(w->end - w->at));
        w->at = line ? line : w->end;
        return NULL;
    }
    if (ch == '@')
        return pass_global(w);
    if (text_is_word(ch))
        return pass_word(w);
    pass_other(w);
    if (ch == '"' || strchr("%$!#", ch))
        w->at = end_of_item(ch == '"' ? w->at - 1 : w->at, w->end);
    return NULL;
}

/* 1 if the word, of five letters, is in the text, and may be the type of a parameter or a result there. A label that
 * follows a comma or a word is the target of a branch: no intrinsic takes another parameter of any type behind one. */
static int has_type(const char *begin, const char *end, const char *word) {
    enum { LEN = 5 };
    for (const char *at = begin; at < end && (at = memmem(at, (size_t)(end - at), word, LEN)); at += LEN) {
        const char *p = at;
        while (p > begin && is_blank(p[-1]) && p[-1] != '\n')
            p--;
        if (word[0] == 't' || (p > begin && (p[-1] == '(' || p[-1] == '\n')))
            return 1;
    }
    return 0;
}

/* Refuses such intrinsics in the text. */
static sm_status check_text_tokens(struct compile *c) {
    struct walk w = {.at = c->input, .end = c->input + c->input_len};
    const char *found = NULL;
    if (!has_type(w.at, w.end, "token") && !has_type(w.at, w.end, "label"))
        return SM_OK;
    while (!found && w.at < w.end)
        found = pass_item(&w);
    return found ? text_error(c, found, *found == 'l' ? "This intrinsic takes no label" : REFUSED) : SM_OK;
}

/* ---- Bitcode ----------------------------------------------------------------------------------------------------- */

/* 1 if LLVM has no name for the type as that of an intrinsic. */
static int is_nameless(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMTokenTypeKind || LLVMGetTypeKind(type) == LLVMLabelTypeKind;
}

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
    int wrong = can.result && is_nameless(LLVMGetReturnType(type));
    for (unsigned i = 0; i < n; i++)
        wrong |= can.parameters && is_nameless(parameter[i]);
    sm_status s =
        wrong ? fail(c, SM_PARSE_ERROR, NULL, "The intrinsic %.200s neither gives nor takes a token or label", name)
              : SM_OK;
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
    old_names_hide(copy, c->input_len);
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
