/* dialect.c - which LLVM's IR the input is, and IR of LLVM 3.7 to 14 made into text of today.
 *
 * Text is old if it has a pointer type with a star and no `ptr`: LLVM 19 would read the stars, but guess what they
 * say of callees. Bitcode is old if it has statepoints whose callee's type nobody has written down. The way of both:
 * LLVM
 * 14 reads them (smd-upgrade), LLVM 19 reads its bitcode, old_statepoints.c brings statepoints into today's form, and the
 * module is printed. From there on it is what a frontend of today would have posted: parse.c reads that text.
 */
#include "deviations.h"
#include "diag_place.h"
#include "input.h"
#include "ir.h"
#include "reading.h"

/* The place after the string, comment, name or word that begins at P; else after one character. */
static const char *skip_token(const char *p, const char *end) {
    char c = *p;
    if (c == '"' || c == ';') {
        const char *stop = memchr(p + 1, c == '"' ? '"' : '\n', (size_t)(end - p - 1));
        return stop ? stop + 1 : end;
    }
    p++;
    if (text_is_word(c) || c == '%' || c == '@' || c == '!' || c == '#')
        while (p < end && text_is_word(*p))
            p++;
    return p;
}

/* 1 if the text has a star outside of strings and comments, and no type ptr: IR of LLVM 14 or older. */
static int text_is_old(const char *text, size_t len) {
    const char *end = text + len;
    int stars = 0;
    for (const char *p = text, *next; p < end; p = next) {
        next = skip_token(p, end);
        stars |= *p == '*';
        if (next - p == 3 && memcmp(p, "ptr", 3) == 0 && (next == end || *next != ':'))
            return 0;
    }
    return stars;
}

/* 1 if the input may need an upgrade: by the option, or for dialect=auto, if it is bitcode or old text. */
int dialect_may_be_old(const sm_options *options, const char *input, size_t len) {
    return options->dialect == SM_DIALECT_TYPED ||
           (options->dialect == SM_DIALECT_AUTO && (is_bitcode(input, len) || text_is_old(input, len)));
}

/* 1 if the compile's input may need an upgrade, as dialect_may_be_old says. */
int dialect_is_old_text(const struct compile *c) {
    return !c->final && dialect_may_be_old(c->options, c->input, c->input_len);
}

/* 1 if the module that was read needs an upgrade: by the option, or as a statepoint lacks its callee's type. */
int dialect_is_old_module(const struct compile *c) {
    int old = c->options->dialect == SM_DIALECT_TYPED;
    if (c->options->dialect == SM_DIALECT_AUTO)
        for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
            old |= statepoint_lacks_type(call);
    return old;
}

/* Prints the module to c->modern, and parses that in a new context: what comes after cannot tell it from modern
 * input. */
static sm_status reread(struct compile *c) {
    char *text = LLVMPrintModuleToString(c->module), *message = NULL;
    sm_buf_puts(&c->modern, text);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(c->module);
    c->module = NULL;
    LLVMContextDispose(c->context);
    c->context = LLVMContextCreate();
    diag_install(c);
    if (xstatus(c->modern.status) != SM_OK)
        return fail(c, SM_OUTPUT_TOO_LARGE, NULL, "The upgraded module is larger than the limit");
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)c->modern.data, c->modern.len, c->options->name);
    sm_status s = module_read(c, buffer, &message);
    if (s == SM_PARSE_ERROR)
        s = fail(c, s, NULL, "LLVM 19 does not read the module that it has written: %s", message);
    LLVMDisposeMessage(message);
    return s;
}

/* Replaces the module by that of the old IR: LLVM 14 reads it in another process, statepoints get their modern form,
 * and the text of the result is read anew. */
sm_status dialect_upgrade(struct compile *c, const char *ir, size_t len) {
    LLVMMemoryBufferRef bitcode = NULL;
    char *message = NULL;
    sm_status s = upgrader_run(c, ir, len, &bitcode);
    if (s != SM_OK)
        return s;
    deviate(c, DEVIATION_UPGRADES);
    if (c->module)
        LLVMDisposeModule(c->module);
    c->module = NULL;
    s = module_read(c, bitcode, &message);
    if (s == SM_PARSE_ERROR)
        s = fail(c, s, NULL, "LLVM 19 does not read what LLVM 14 made of the module: %s", message ? message : "");
    LLVMDisposeMessage(message);
    if (s == SM_OK)
        s = statepoints_modernize(c);
    return s == SM_OK ? reread(c) : s;
}
