/* diag.c - diagnostics: what is wrong, where, and in whose words. */
#include "base.h"
#include "diag_place.h"
#include "memory.h"
#include "state.h"
#include "utf8.h"

#include <stdarg.h>
#include <string.h>

#define DIAGNOSTICS_MAX 100 /* a module of hostile make must not grow the answer without end */

/* TEXT as a JSON string, in which bytes that are not UTF-8 become U+FFFD; new reference. */
json_t *json_utf8(const char *text, size_t len) {
    json_t *plain = json_stringn(text, len);
    if (plain)
        return plain;
    sm_buf clean;
    sm_buf_init(&clean, 4 * len + 16);
    for (size_t i = 0; i < len;) {
        size_t n = sm_utf8_length(text + i, len - i);
        if (n)
            sm_buf_put(&clean, text + i, n);
        else
            sm_buf_puts(&clean, "\xef\xbf\xbd");
        i += n ? n : 1;
    }
    xstatus(clean.status);
    json_t *value = json_stringn((const char *)clean.data, clean.len);
    sm_buf_free(&clean);
    return value;
}

/* Callback of jansson: appends to the sm_buf at ARG; -1 if that fails. */
static int append_to_buf(const char *bytes, size_t len, void *arg) {
    return sm_buf_put(arg, bytes, len) == SM_OK ? 0 : -1;
}

/* Writes VALUE to OUT as compact JSON. */
sm_status json_append(const json_t *value, sm_buf *out) {
    json_dump_callback(value, append_to_buf, out, JSON_COMPACT | JSON_ENCODE_ANY);
    return xstatus(out->status);
}

/* A diagnostic of a severity and a message; new reference. */
static json_t *new_diagnostic(const char *severity, const char *message) {
    json_t *d = json_object();
    json_object_set_new(d, "severity", json_string(severity));
    json_object_set_new(d, "message", json_utf8(message, strlen(message)));
    return d;
}

/* Appends D, whose reference it takes; drops it beyond DIAGNOSTICS_MAX, but counts errors always. */
static void add_diagnostic(struct compile *c, const char *severity, json_t *d) {
    c->errors += strcmp(severity, "error") == 0;
    if (json_array_size(c->diagnostics) < DIAGNOSTICS_MAX)
        json_array_append_new(c->diagnostics, d);
    else
        json_decref(d);
}

/* Adds to D the line, column and source of what MESSAGE is about, if it is found in the input's text. */
static void add_place_diagnostic(const struct compile *c, json_t *d, const char *function, const char *message) {
    struct text_place place;
    if (!where_find(c, function, message, &place))
        return;
    json_object_set_new(d, "line", json_integer(place.line));
    json_object_set_new(d, "column", json_integer(place.column));
    json_object_set_new(d, "source", json_utf8(place.source, place.len));
}

/* Adds a diagnostic; FUNCTION may be NULL. Errors, and what is about a function, get their place in the text; a
 * warning on no function is about the module and its options. */
void diag_add(struct compile *c, const char *severity, const char *function, const char *message) {
    json_t *d = new_diagnostic(severity, message);
    if (function)
        json_object_set_new(d, "function", json_utf8(function, strlen(function)));
    if (function || strcmp(severity, "error") == 0)
        add_place_diagnostic(c, d, function, message);
    add_diagnostic(c, severity, d);
}

/* Adds an error with a place that is known: LINE 0 or SOURCE NULL if it is not. */
void diag_add_place(struct compile *c, const char *message, int line, int column, const char *source) {
    json_t *d = new_diagnostic("error", message);
    if (line > 0) {
        json_object_set_new(d, "line", json_integer(line));
        json_object_set_new(d, "column", json_integer(column));
    }
    if (source)
        json_object_set_new(d, "source", json_utf8(source, strlen(source)));
    add_diagnostic(c, "error", d);
}

/* The name under which the function was posted: of a frame that smd created (NAME is room for it), the function that
 * it was created for. */
static const char *posted_name(LLVMValueRef function, char *name, size_t size) {
    LLVMAttributeRef of = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, FRAME_ATTRIBUTE,
                                                        sizeof FRAME_ATTRIBUTE - 1);
    size_t len;
    unsigned n;
    const char *text = of ? LLVMGetStringAttributeValue(of, &n) : LLVMGetValueName2(function, &len);
    if (!of)
        return text;
    snprintf(name, size, "%.*s", (int)n, text);
    return name;
}

/* Adds an error on FUNCTION (NULL: none). */
static void add_error(struct compile *c, LLVMValueRef function, const char *fmt, va_list ap) {
    char message[2048], name[300];
    vsnprintf(message, sizeof message, fmt, ap);
    diag_add(c, "error", function ? posted_name(function, name, sizeof name) : NULL, message);
}

/* Adds an error diagnostic on FUNCTION (NULL: none), and gives S. */
sm_status fail(struct compile *c, sm_status s, LLVMValueRef function, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    add_error(c, function, fmt, ap);
    va_end(ap);
    return s;
}

sm_status fail_option(struct compile *c, sm_status s, const char *option, LLVMValueRef function, const char *fmt,
                      ...) {
    va_list ap;
    c->wrong_option = option;
    va_start(ap, fmt);
    add_error(c, function, fmt, ap);
    va_end(ap);
    return s;
}

/* Adds a remark on FUNCTION, if remarks are asked for. */
void remark(struct compile *c, const char *pass, LLVMValueRef function, const char *fmt, ...) {
    if (!(c->options->emit & SM_EMIT_REMARKS))
        return;
    char message[1024];
    size_t len;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    const char *name = LLVMGetValueName2(function, &len);
    json_t *r = json_object();
    json_object_set_new(r, "pass", json_string(pass));
    json_object_set_new(r, "function", json_utf8(name, len));
    json_object_set_new(r, "message", json_utf8(message, strlen(message)));
    json_array_append_new(c->remarks, r);
}

/* 1 if LLVM's message is about a file that assembly includes: workers cannot open any. */
static int is_about_a_file(const char *text) {
    return strstr(text, "Could not find incbin file") || strstr(text, "Could not find include file");
}

/* LLVM's handler of diagnostics: adds all but remarks to the compile at ARG. */
static void on_llvm_diagnostic(LLVMDiagnosticInfoRef info, void *arg) {
    static const char *const names[] = {
        [LLVMDSError] = "error", [LLVMDSWarning] = "warning", [LLVMDSRemark] = "remark", [LLVMDSNote] = "note"};
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    if (severity == LLVMDSRemark)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    diag_add(arg, names[severity], NULL, text);
    if (severity == LLVMDSError && is_about_a_file(text))
        diag_add(arg, "note", NULL, "Assembly cannot read files here: there is neither .incbin nor .include");
    LLVMDisposeMessage(text);
}

/* Makes LLVM's diagnostics in the compile's context those of the compile. */
void diag_install(struct compile *c) {
    LLVMContextSetDiagnosticHandler(c->context, on_llvm_diagnostic, c);
}

void advise(struct compile *c, const char *fmt, ...) {
    enum { ADVICE_MAX = 100 };
    char message[1024];
    va_list ap;
    if (json_array_size(c->advice) >= ADVICE_MAX)
        return;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    json_t *d = json_object();
    json_object_set_new(d, "severity", json_string("warning"));
    json_object_set_new(d, "message", json_utf8(message, strlen(message)));
    json_array_append_new(c->advice, d);
}
