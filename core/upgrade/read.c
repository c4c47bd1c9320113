/* read.c - LLVM 14 reads; see upgrade.h. Nothing is verified here: old statepoints are none of LLVM 14's own, and LLVM
 * 19's verifier sees what they became. */
#include "upgrade.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATEPOINT "llvm.experimental.gc.statepoint"

/* The index of the callee among a statepoint's arguments: after id and patch bytes, or first, as in 2015. */
static unsigned callee_position(LLVMValueRef call) {
    return LLVMGetNumArgOperands(call) > 2 &&
                   LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMIntegerTypeKind
               ? 2
               : 0;
}

/* Gives the statepoint's callee argument the attribute elementtype, which LLVM 19 wants, as its type is known only
 * before pointers become opaque. */
static void note_callee_type(LLVMContextRef context, LLVMValueRef call) {
    if (LLVMGetNumArgOperands(call) == 0)
        return;
    unsigned position = callee_position(call);
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(call, position));
    if (LLVMGetTypeKind(pointer) != LLVMPointerTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(pointer)) != LLVMFunctionTypeKind)
        return;
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAddCallSiteAttribute(call, position + 1, LLVMCreateTypeAttribute(context, kind, LLVMGetElementType(pointer)));
}

/* Gives all calls of statepoint intrinsics their callee's type as an attribute. */
static void note_callee_types(LLVMContextRef context, LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t len;
        const char *name = LLVMGetValueName2(f, &len);
        if (strncmp(name, STATEPOINT, sizeof STATEPOINT - 1) != 0)
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetCalledValue(user) == f)
                note_callee_type(context, user);
        }
    }
}

/* Puts LLVM's complaint "NAME:LINE:COLUMN: error: MESSAGE" (llvm::SMDiagnostic::print) into *OUT, the column
 * corrected for what OLD (or NULL) has put in. */
static void take_error(const char *name, const char *text, const struct oldtext *old, struct upgraded *out) {
    size_t n = strlen(name);
    int used = 0;
    out->status = SM_PARSE_ERROR;
    out->line = out->column = 0;
    if (strncmp(text, name, n) == 0 && sscanf(text + n, ":%d:%d: error: %n", &out->line, &out->column, &used) >= 2 &&
        used)
        text += n + (size_t)used;
    snprintf(out->message, sizeof out->message, "%.*s", (int)strcspn(text, "\n"), text);
    if (out->line && old)
        out->column = oldtext_column(old, out->line, out->column);
}

/* 1 if all operands of the named metadata's nodes are strings. */
static int are_strings(LLVMModuleRef module, const char *name) {
    unsigned n = LLVMGetNamedMetadataNumOperands(module, name), len;
    LLVMValueRef *node = n ? calloc(n, sizeof *node) : NULL;
    int all = !n || node;
    if (node)
        LLVMGetNamedMetadataOperands(module, name, node);
    for (unsigned i = 0; i < n && all; i++) {
        unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node[i]);
        LLVMValueRef *operand = calloc(count + 1, sizeof *operand);
        all = operand && count;
        if (all)
            LLVMGetMDNodeOperands(node[i], operand);
        for (unsigned k = 0; k < count && all; k++)
            all = operand[k] && LLVMIsAMDString(operand[k]) && LLVMGetMDString(operand[k], &len);
        free(operand);
    }
    free(node);
    return all;
}

/* The named metadata that the writer of bitcode crashes over; NULL if there is none. */
static const char *crashing_metadata(LLVMModuleRef module) {
    static const char *const names[] = {"llvm.linker.options", "llvm.dependent-libraries"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!are_strings(module, names[i]))
            return names[i];
    return NULL;
}

/* Has LLVM 14 read the IR and write bitcode, or its error, into *OUT. OLD, or NULL, is the rewriting that the text
 * is from. */
static sm_status read_once(const char *name, const char *ir, size_t len, const struct oldtext *old,
                           struct upgraded *out) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    char *message = NULL;
    const char *wrong;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir, len, name);
    sm_status s = SM_OK;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        take_error(name, message ? message : "this is no module", old, out);
        LLVMDisposeMessage(message);
    } else if ((wrong = crashing_metadata(module)) != NULL) {
        out->status = SM_PARSE_ERROR;
        snprintf(out->message, sizeof out->message, "!%s has a node that is not what LLVM reads there", wrong);
        LLVMDisposeModule(module);
    } else {
        note_callee_types(context, module);
        LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
        out->status = SM_OK;
        s = sm_buf_put(&out->bitcode, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode));
        LLVMDisposeMemoryBuffer(bitcode);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return s;
}

/* Rewrites the text and has LLVM 14 read it into *OUT. *HAS_CALLEES: types of callees were rewritten. */
static sm_status read_text(const char *name, const char *ir, size_t len, int callees, struct upgraded *out,
                           int *has_callees) {
    struct oldtext old;
    sm_status s = oldtext_rewrite(ir, len, callees, &old);
    *has_callees = old.callees;
    if (s == SM_OK)
        s = read_once(name, (const char *)old.text.data, old.text.len, &old, out);
    oldtext_free(&old);
    return s;
}

/* 1 if the bytes begin as LLVM bitcode does, with or without a wrapper. */
static int is_bitcode(const char *p, size_t len) {
    return len >= 4 && (memcmp(p, "BC\xc0\xde", 4) == 0 || memcmp(p, "\xde\xc0\x17\x0b", 4) == 0);
}

/* Reads old IR into *OUT as bitcode, or its error. A star after a callee's parameters may belong to its result
 * type: both readings are tried, and LLVM's type check rejects the wrong one. */
sm_status upgrade_read(const char *name, const char *ir, size_t len, struct upgraded *out) {
    int has_callees;
    memset(out, 0, sizeof *out);
    sm_buf_init(&out->bitcode, (size_t)1 << 31);
    if (is_bitcode(ir, len))
        return read_once(name, ir, len, NULL, out);
    sm_status s = read_text(name, ir, len, 1, out, &has_callees);
    if (s != SM_OK || out->status == SM_OK || !has_callees)
        return s;
    struct upgraded plain = {0};
    sm_buf_init(&plain.bitcode, (size_t)1 << 31);
    s = read_text(name, ir, len, 0, &plain, &has_callees);
    if (s == SM_OK && plain.status == SM_OK) {
        upgraded_free(out);
        *out = plain;
    } else {
        upgraded_free(&plain);
    }
    return s;
}

void upgraded_free(struct upgraded *u) {
    sm_buf_free(&u->bitcode);
}
