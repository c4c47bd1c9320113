/* read.c - text or bitcode as LLVM 19 reads it -> a module.
 *
 * LLVM verifies debug information while it reads, and strips what it finds wrong. Over a location that is inlined at
 * itself it never ends. So it reads without that (llvm_flags.c), such locations are refused here, and the module is
 * verified. If there is something to strip, LLVM reads once more in its own way.
 */
#include "ir.h"
#include "llvm19.h"
#include "reading.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>

/* ---- Locations that are inlined at themselves ------------------------------------------------------------------- */

struct chains {
    struct set ends; /* locations whose chain of inlinedAt ends */
    LLVMValueRef at; /* a function with one that does not; NULL */
};

/* 1 if the chain of inlinedAt from the location AT ends; notes all in it. */
static int chain_ends(struct chains *chains, LLVMMetadataRef at) {
    struct set way = {0};
    int ends = 1;
    while (at && LLVMGetMetadataKind(at) == LLVMDILocationMetadataKind && !set_has(&chains->ends, at)) {
        if (set_has(&way, at)) {
            ends = 0;
            break;
        }
        set_add(&way, at);
        at = LLVMDILocationGetInlinedAt(at);
    }
    for (size_t i = 0; i < way.count && ends; i++)
        set_add(&chains->ends, way.item[i]);
    set_free(&way);
    return ends;
}

/* Follows the locations among the operands of a loop's metadata. 0 if one does not end. */
static int loop_chains_end(struct chains *chains, LLVMValueRef loop) {
    unsigned n = LLVMGetMDNodeNumOperands(loop);
    LLVMValueRef *operand = xcalloc(n + 1, sizeof *operand);
    int end = 1;
    LLVMGetMDNodeOperands(loop, operand);
    for (unsigned i = 0; i < n && end; i++)
        if (operand[i] && LLVMIsAMDNode(operand[i]))
            end = chain_ends(chains, LLVMValueAsMetadata(operand[i]));
    free(operand);
    return end;
}

/* Notes F if a location of its instructions, or of their loops, is inlined at itself. */
static void follow_function(struct chains *chains, LLVMValueRef f) {
    unsigned kind = LLVMGetMDKindID("llvm.loop", sizeof "llvm.loop" - 1);
    for (LLVMValueRef i = first_instruction(f); i && !chains->at; i = instruction_after(i)) {
        LLVMValueRef loop = LLVMIsATerminatorInst(i) ? LLVMGetMetadata(i, kind) : NULL;
        if (!chain_ends(chains, LLVMInstructionGetDebugLoc(i)) || (loop && !loop_chains_end(chains, loop)))
            chains->at = f;
    }
}

/* Refuses locations that are inlined at themselves. */
static sm_status check_chains(struct compile *c) {
    struct chains chains = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && !chains.at; f = LLVMGetNextFunction(f))
        follow_function(&chains, f);
    set_free(&chains.ends);
    return chains.at
               ? fail(c, SM_INVALID_MODULE, chains.at,
                      "A !DILocation in @%.200s is inlined at itself, by way of inlinedAt", value_name(chains.at))
               : SM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

/* 1 if LLVM would strip debug information of the module, or end the process over it. */
static int is_for_upgrade(struct compile *c) {
    if (LLVMGetModuleDebugMetadataVersion(c->module) != LLVMDebugMetadataVersion())
        return LLVMStripModuleDebugInfo(c->module);
    pads_find(c);
    pads_hide(c, 1);
    int broken = LLVMVerifyModule(c->module, LLVMReturnStatusAction, NULL);
    pads_hide(c, 0);
    return broken;
}

/* Has LLVM read the text or bitcode of BUFFER, which stays the caller's, into C->module. */
static sm_status read_once(struct compile *c, LLVMMemoryBufferRef buffer, char **message) {
    LLVMMemoryBufferRef part = LLVMCreateMemoryBufferWithMemoryRange(LLVMGetBufferStart(buffer),
                                                                     LLVMGetBufferSize(buffer), c->options->name, 1);
    assert(!c->module);
    if (!LLVMParseIRInContext(c->context, part, &c->module, message))
        return SM_OK;
    c->module = NULL;
    return SM_PARSE_ERROR;
}

/* Sets whether LLVM verifies debug information of what it reads, and strips it if it is wrong. */
static void debug_upgrade_set(int on) {
    static int now = 1; /* the flag is the process's */
    const char *argv[] = {"smd-worker",
                          on ? "-disable-auto-upgrade-debug-info=false" : "-disable-auto-upgrade-debug-info=true"};
    if (on == now)
        return;
    now = on;
    LLVMParseCommandLineOptions(2, argv, NULL);
}

sm_status module_read(struct compile *c, LLVMMemoryBufferRef buffer, char **message) {
    *message = NULL;
    debug_upgrade_set(0);
    sm_status s = read_once(c, buffer, message);
    if (s == SM_OK && LLVMGetModuleDebugMetadataVersion(c->module) == LLVMDebugMetadataVersion())
        s = check_chains(c);
    if (s == SM_OK && is_for_upgrade(c)) {
        LLVMDisposeModule(c->module);
        c->module = NULL;
        debug_upgrade_set(1);
        s = read_once(c, buffer, message);
    }
    LLVMDisposeMemoryBuffer(buffer);
    return s;
}
