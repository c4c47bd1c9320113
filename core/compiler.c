/* compiler.c - the compiler as a whole: set up once in a process, warm before the first job, and what a fatal error of
 * LLVM ends. */
#include "core.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int leaving = -1; /* with which status the process is about to end; -1: it is not */

/* Says that the process is about to end with STATUS: a fatal error after that does not change it. */
void compiler_leave(int status) {
    leaving = status;
}

/* LLVM's handler of fatal errors: ends the process with the error's status, or with that of compiler_leave, as LLVM's
 * stream reports the full log once more when it is destroyed. */
static void on_fatal_error(const char *reason) {
    if (leaving >= 0)
        _exit(leaving);
    fprintf(stderr, "LLVM ERROR: %s\n", reason);
    _exit(EXIT_LLVM_ERROR);
}

/* Compiles a small module with a poll and a call for TARGET at the level OPT; what it leaves is inherited by workers. */
static void warm_up(const char *target, const char *opt) {
    static const char module[] = "declare void @smd_poll()\n"
                                 "define void @gc.safepoint_poll() {\n  call void @smd_poll()\n  ret void\n}\n"
                                 "define ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
                                 "  call void @smd_poll()\n  ret ptr addrspace(1) %p\n}\n";
    sm_options o;
    sm_timings timings;
    sm_buf out;
    sm_options_init(&o);
    sm_options_set(&o, "target", target, strlen(target), NULL);
    sm_options_set(&o, "opt", opt, strlen(opt), NULL);
    sm_buf_init(&out, (size_t)1 << 20);
    struct compile *rest;
    compile_run(&o, (sm_slice){NULL, 0}, module, sizeof module - 1, NULL, &out, &timings, &rest);
    compile_free(rest);
    sm_buf_free(&out);
}

/* Compiles for each target at two levels, as a worker of the daemon has before its first job. */
void compiler_warm_up(void) {
    static const char *const targets[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
    static const char *const levels[] = {"0", "2"};
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
            warm_up(targets[t], levels[l]);
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
    LLVMInstallFatalErrorHandler(on_fatal_error);
    capture_init();
}
