/* passes.c - runs LLVM's passes, by LLVM's names for them. */
#include "base.h"
#include "ir.h"
#include "state.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* Runs passes over the module, by LLVM's names for them. SM_INTERNAL if LLVM refuses, SM_CODEGEN_FAILED if there
 * are errors. */
sm_status run_passes(struct compile *c, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(c->module, passes, c->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!e)
        return c->errors ? SM_CODEGEN_FAILED : SM_OK;
    char *message = LLVMGetErrorMessage(e);
    sm_status s = fail(c, SM_INTERNAL, NULL, "%s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return s;
}
