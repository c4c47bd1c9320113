/* verify.c - LLVM's verifiers after the rewrite, as far as the option "verify" asks for them. */
#include "analysis.h"
#include "base.h"
#include "ir.h"
#include "llvm19.h"
#include "memory.h"
#include "optimize.h"
#include "rewrite.h"
#include "state.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <stdlib.h>
#include <string.h>

/* The text after PREFIX on the line at *AT, ended there; moves *AT to the next line. NULL, with *AT unmoved, if
 * the line does not begin so. */
static const char *take_line(char **at, const char *prefix) {
    size_t n = strlen(prefix);
    char *line = *at, *end = strchr(line, '\n');
    if (strncmp(line, prefix, n) != 0)
        return NULL;
    if (end)
        *end = 0;
    *at = end ? end + 1 : line + strlen(line);
    return line + n;
}

/* Moves *AT to the next line, or to the text's end. */
static void skip_line(char **at) {
    char *end = strchr(*at, '\n');
    *at = end ? end + 1 : *at + strlen(*at);
}

/* The text after the spaces that it begins with. */
static const char *without_spaces(const char *s) {
    return s + strspn(s, " ");
}

/* Turns what LLVM's safepoint verifier printed (SafepointIRVerifier.cpp: "Illegal use of unrelocated value
 * found!", "Def: ", "Use: ", after each function's name) into error diagnostics. Changes TEXT. */
static void read_findings(struct compile *c, char *text) {
    char function[512] = "", message[4096];
    LLVMValueRef f = NULL;
    for (char *at = text; *at;) {
        const char *name = take_line(&at, "Verifying gc pointers in function: ");
        if (name) {
            snprintf(function, sizeof function, "%s", name);
            f = LLVMGetNamedFunction(c->module, function);
        } else if (take_line(&at, "Illegal use of unrelocated value found!")) {
            const char *def = take_line(&at, "Def: "), *use = def ? take_line(&at, "Use: ") : NULL;
            if (f && lists_alone(f))
                continue; /* lists_check has looked */
            snprintf(message, sizeof message,
                     "A pointer is used after a safepoint without having been relocated: %s (defined by: %s)",
                     use ? without_spaces(use) : "?", def ? without_spaces(def) : "?");
            diag_add(c, "error", function[0] ? function : NULL, message);
        } else {
            skip_line(&at);
        }
    }
}

/* Reports the safepoint verifier's findings, which it has written to stderr. SM_SAFEPOINT_VIOLATION if there are
 * errors. */
static sm_status check_findings(struct compile *c) {
    enum { SIZE = 65536 };
    char *text = xmalloc(SIZE);
    if (capture_text(text, SIZE))
        read_findings(c, text);
    capture_reset(); /* the verifier names every function; a crash later on has other last words */
    free(text);
    return c->errors ? SM_SAFEPOINT_VIOLATION : SM_OK;
}

/* Fails with SM_CANNOT_REWRITE if LLVM's verifier finds the rewritten module broken. */
static sm_status verify(struct compile *c) {
    char *message = NULL;
    sm_status s = SM_OK;
    if (LLVMVerifyModule(c->module, LLVMReturnStatusAction, &message))
        s = fail(c, SM_CANNOT_REWRITE, NULL,
                 "The module does not verify after its calls were rewritten into statepoints: %s", message);
    LLVMDisposeMessage(message);
    return s;
}

/* 1 if LLVM's safepoint verifier may find something: a reference is alive across a statepoint. */
static int is_unrelocated(const struct compile *c) {
    int crosses = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && !crosses; f = LLVMGetNextFunction(f))
        crosses = !LLVMIsDeclaration(f) && is_statepoint_gc(LLVMGetGC(f)) && reference_crosses_statepoint(c, f);
    return crosses;
}

/* Fails with SM_SAFEPOINT_VIOLATION where a pointer is used behind a statepoint that has not relocated it. */
static sm_status verify_safepoints(struct compile *c) {
#ifdef NDEBUG
    if (!is_unrelocated(c))
        return SM_OK;
#endif
    capture_reset();
    sm_status s = run_passes(c, "function(verify<safepoint-ir>)");
    if (s == SM_OK)
        s = check_findings(c);
    assert(s != SM_SAFEPOINT_VIOLATION || is_unrelocated(c));
    return s;
}

/* Verifies the rewritten module as far as the option "verify" says; meanwhile, typed relocations on landing pads
 * are hidden from LLVM's verifier. */
sm_status rewrite_verify(struct compile *c) {
    sm_status s = SM_OK;
    pads_hide(c);
    if (c->options->verify != SM_VERIFY_OFF)
        s = verify(c);
    if (s == SM_OK && c->options->verify == SM_VERIFY_SAFEPOINTS)
        s = verify_safepoints(c);
    pads_show(c);
    return s;
}
