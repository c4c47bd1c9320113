/* parse.c - text or bitcode into a module, and LLVM's complaint about it taken apart. */
#include "input.h"
#include "ir.h"
#include "llvm19.h"
#include "reading.h"
#include "target.h"

#include <llvm-c/Analysis.h>

/* The opening quote of the value of "target datalayout" or "target triple", WHAT, at a line's start; NULL if there
 * is none. One found in a string constant does no harm, as the module then parses as it is. */
static const char *find_target_line(const char *text, size_t len, const char *what) {
    size_t n = strlen(what);
    for (const char *p = text, *end = text + len; p && p < end;
         p = memchr(p, '\n', (size_t)(end - p)), p = p ? p + 1 : NULL) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if ((size_t)(end - p) > n && memcmp(p, what, n) == 0)
            return memchr(p, '"', (size_t)(end - p));
    }
    return NULL;
}

/* Adds LLVM's complaint "NAME:LINE:COLUMN: error: MESSAGE" (llvm::SMDiagnostic::print) as a diagnostic with its
 * place. SM_PARSE_ERROR. */
static sm_status parse_error(struct compile *c, const char *text) {
    size_t name = strlen(c->options->name);
    int line = 0, column = 0, used = 0;
    const char *message = text;
    if (strncmp(text, c->options->name, name) == 0 &&
        sscanf(text + name, ":%d:%d: error: %n", &line, &column, &used) >= 2 && used)
        message = text + name + used;
    char *copy = xstrdup(message);
    copy[strcspn(copy, "\n")] = 0;
    sm_status s = parse_error_at(c, copy, line, column);
    free(copy);
    return s;
}

/* The module's text with the target's data layout before it, on the same line, if it has none: the parser needs a
 * layout for accesses without alignment. */
static LLVMMemoryBufferRef text_buffer(struct compile *c) {
    char *layout = NULL;
    sm_buf text;
    sm_buf_init(&text, c->input_len + 4096);
    if (!c->module_layout) {
        LLVMTargetDataRef data = LLVMCreateTargetDataLayout(c->machine);
        layout = LLVMCopyStringRepOfTargetData(data);
        sm_buf_printf(&text, "target datalayout = \"%s\" ", layout);
        LLVMDisposeMessage(layout);
        LLVMDisposeTargetData(data);
    }
    c->reading.header = text.len;
    sm_buf_put(&text, c->input, c->input_len);
    xstatus(text.status);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)text.data, text.len, c->options->name);
    sm_buf_free(&text);
    return buffer;
}

/* Reads from a text module, before it is parsed, its triple, into C->triple, and whether it has a data layout. */
static void peek_text(struct compile *c) {
    const char *layout = find_target_line(c->input, c->input_len, "target datalayout");
    const char *triple = find_target_line(c->input, c->input_len, "target triple");
    c->module_layout = layout != NULL;
    if (!triple)
        return;
    const char *end = memchr(triple + 1, '"', c->input_len - (size_t)(triple + 1 - c->input));
    if (end && (size_t)(end - triple) < sizeof c->triple)
        memcpy(c->triple, triple + 1, (size_t)(end - triple) - 1);
}

/* Reads BUFFER, which it frees, into C->module. LLVM's complaint becomes a diagnostic: OTHERWISE if it says nothing. */
static sm_status read_module(struct compile *c, LLVMMemoryBufferRef buffer, const char *otherwise) {
    char *message = NULL;
    sm_status s = module_read(c, buffer, &message);
    if (s == SM_PARSE_ERROR)
        s = parse_error(c, message ? message : otherwise);
    LLVMDisposeMessage(message);
    return s;
}

/* Parses bitcode into C->module and makes the target machine; bitcode of an old dialect is upgraded. */
static sm_status parse_bitcode(struct compile *c) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(c->input, c->input_len, c->options->name);
    sm_status s = read_module(c, buffer, "the bitcode is damaged");
    if (s != SM_OK)
        return s;
    snprintf(c->triple, sizeof c->triple, "%s", LLVMGetTarget(c->module));
    c->module_layout = LLVMGetDataLayoutStr(c->module)[0] != 0;
    s = stage_target(c);
    return s == SM_OK && dialect_is_old_module(c) ? dialect_upgrade(c, c->input, c->input_len) : s;
}

/* Makes the target machine for the text's triple, and parses the text into C->module; a text of an old dialect is
 * upgraded. */
static sm_status parse_text(struct compile *c) {
    peek_text(c);
    sm_status s = stage_target(c);
    if (s == SM_OK)
        s = nesting_check_text(c);
    if (s != SM_OK)
        return s;
    LLVMMemoryBufferRef buffer = text_buffer(c);
    if (dialect_is_old_text(c)) {
        s = dialect_upgrade(c, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
        LLVMDisposeMemoryBuffer(buffer);
        return s;
    }
    s = read_module(c, buffer, "the text is no module");
    return s == SM_OK ? typed_calls_check(c) : s;
}

/* Passes over U+FEFF before the text, which editors on Windows write and LLVM does not know. */
static void skip_mark(struct compile *c) {
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    if (c->input_len < sizeof mark || memcmp(c->input, mark, sizeof mark) != 0)
        return;
    c->mark_len = sizeof mark;
    c->input += sizeof mark;
    c->input_len -= sizeof mark;
}

/* Parses the input, text or bitcode. Requires nothing; gives module and machine, the module's triple set to the
 * machine's, and a data layout. */
sm_status stage_parse(struct compile *c) {
    const char *other = foreign_format(c->input, c->input_len);
    if (other)
        return fail(c, SM_PARSE_ERROR, NULL, "%s", other);
    skip_mark(c);
    sm_status s = final_find(c);
    if (s != SM_OK)
        return s;
    s = peek(c);
    if (s == SM_OK)
        s = is_bitcode(c->input, c->input_len) ? parse_bitcode(c) : parse_text(c);
    if (s == SM_OK)
        s = lost_lines_check(c);
    if (s == SM_OK)
        s = nesting_check(c);
    if (s != SM_OK)
        return s;
    LLVMSetTarget(c->module, c->triple);
    if (!c->module_layout) {
        LLVMTargetDataRef data = LLVMCreateTargetDataLayout(c->machine);
        LLVMSetModuleDataLayout(c->module, data);
        LLVMDisposeTargetData(data);
    }
    if (c->options->emit & SM_EMIT_MODERN && c->modern.len == 0) {
        char *text = LLVMPrintModuleToString(c->module);
        sm_buf_puts(&c->modern, text);
        LLVMDisposeMessage(text);
    }
    return c->errors ? SM_PARSE_ERROR : SM_OK;
}

/* Adds the verifier's messages in TEXT, each with the value that the next line shows, as errors in this function
 * (NULL: in the module). Changes TEXT. */
static void add_findings(struct compile *c, const char *function, char *text) {
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *next = save && *save == ' ' ? strtok_r(NULL, "\n", &save) : NULL; /* the offending value, indented */
        char message[2048];
        snprintf(message, sizeof message, "%s%s%s", line, next ? ": " : "", next ? next + strspn(next, " ") : "");
        diag_add(c, "error", function, message);
    }
}

/* The text of V, for a message, in TEXT, of SIZE bytes: its name, or what kind of value it is. */
static const char *shown(LLVMValueRef v, char *text, size_t size) {
    const char *name = value_name(v);
    if (name[0])
        snprintf(text, size, "%%%.200s", name);
    else
        snprintf(text, size, "A gc.relocate");
    return text;
}

/* Refuses the relocation if its statepoint lists nothing at the number that its operand I says. */
static void check_index(struct compile *c, LLVMValueRef f, LLVMValueRef relocate, unsigned i, unsigned listed) {
    LLVMValueRef index = LLVMGetOperand(relocate, i);
    char name[256];
    if (!LLVMIsAConstantInt(index))
        fail(c, SM_INVALID_MODULE, f, "%s: the index of its %s is no constant", shown(relocate, name, sizeof name),
             i == 1 ? "base" : "derived pointer");
    else if (LLVMConstIntGetZExtValue(index) >= listed)
        fail(c, SM_INVALID_MODULE, f,
             "%s relocates number %llu of the statepoint's \"gc-live\" operands as its %s, and there are %u, which "
             "are counted from 0",
             shown(relocate, name, sizeof name), LLVMConstIntGetZExtValue(index), i == 1 ? "base" : "derived pointer",
             listed);
}

/* Refuses a relocation, or a result, of what is no statepoint, and indexes beyond its list: LLVM's verifier finds some
 * of it, and crashes when it prints what it has found. */
static void check_relocation(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    enum { TOKEN, BASE, DERIVED, COUNT };
    char name[256];
    if (!LLVMGetNumArgOperands(call))
        return; /* the verifier says so */
    LLVMValueRef token = LLVMGetOperand(call, TOKEN), statepoint = statepoint_of_token(token);
    if (LLVMIsUndef(token) || LLVMIsPoison(token) || LLVMIsNull(token))
        return; /* as the optimiser leaves where nothing comes */
    if (!statepoint) {
        fail(c, SM_INVALID_MODULE, f,
             "%s: its token is not of a call of llvm.experimental.gc.statepoint, or of a landing pad that one invoke "
             "of it alone unwinds to",
             shown(call, name, sizeof name));
        return;
    }
    if (is_result(call) || LLVMGetNumArgOperands(call) != COUNT)
        return;
    if (!LLVMGetGC(f)) { /* the verifier ends the process over it */
        fail(c, SM_INVALID_MODULE, f, "%s is in a function without a GC strategy (gc \"NAME\", or the option gc)",
             shown(call, name, sizeof name));
        return;
    }
    unsigned listed = call_bundle_size(statepoint, "gc-live");
    check_index(c, f, call, BASE, listed);
    check_index(c, f, call, DERIVED, listed);
}

/* Refuses a statepoint whose callee has no elementtype: LLVM 19's verifier finds this, and then crashes over its
 * gc.relocate; and what is wrong with those. */
static void check_statepoint(struct compile *c, LLVMValueRef call) {
    LLVMValueRef function = function_of(call);
    if (is_statepoint(call) && !statepoint_callee_type(call))
        fail(c, SM_INVALID_MODULE, function, "gc.statepoint callee argument must have elementtype attribute");
    if (is_relocate(call) || is_result(call))
        check_relocation(c, function, call);
    else if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMTokenTypeKind && intrinsic_name(call) &&
             !LLVMGetIntrinsicID(LLVMGetCalledValue(call)))
        fail(c, SM_INVALID_MODULE, function, "%.200s gives a token, and is no intrinsic that LLVM 19 knows",
             intrinsic_name(call));
}

/* Verifies the module as it came, and adds the verifier's findings as errors, by function. SM_INVALID_MODULE if
 * there are any. */
sm_status stage_verify_input(struct compile *c) {
    char text[16384], *message = NULL;
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        check_statepoint(c, call);
    if (c->errors)
        return SM_INVALID_MODULE;
    pads_find(c);
    pads_hide(c, 1);
    if (!LLVMVerifyModule(c->module, LLVMReturnStatusAction, &message)) {
        LLVMDisposeMessage(message);
        pads_hide(c, 0);
        return admission_check(c);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        capture_reset();
        if (LLVMIsDeclaration(f) || !LLVMVerifyFunction(f, LLVMPrintMessageAction))
            continue;
        capture_text(text, sizeof text);
        add_findings(c, value_name(f), text);
    }
    if (!c->errors)
        add_findings(c, NULL, message);
    if (!c->errors)
        diag_add(c, "error", NULL, "The module is broken");
    LLVMDisposeMessage(message);
    return SM_INVALID_MODULE;
}
