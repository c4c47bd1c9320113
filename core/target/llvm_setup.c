/* llvm_setup.c - LLVM in a process: set up once in a process, warm before the first job, and its end. */
#include "base.h"
#include "fatal_errors.h"
#include "machine.h"
#include "memory.h"
#include "target.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <unistd.h>

static int leaving = -1; /* with which status the process is about to end; -1: it is not */

/* Says that the process is about to end with STATUS: a fatal error after that does not change it. */
void compiler_leave(int status) {
    leaving = status;
}

/* Ends the process if it was about to end: LLVM's stream reports the full log once more when it is destroyed. */
void compiler_may_leave(void) {
    if (leaving >= 0)
        _exit(leaving);
}

/* Sets up LLVM's targets, the error handler and the log. Once in a process. */
void compiler_init(void) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeAArch64Disassembler();
    json_set_alloc_funcs(xmalloc, free);
    capture_init();
    fatal_init();
}
