/* bare.c - the bare LLVM C API with the pipeline of a plain compile: what a service can at best be as fast as. */
#include "bench.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>

void bare_init(void) {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
}

size_t bare_compile(const char *triple, int level, struct bytes text) {
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                                 LLVMCodeGenLevelAggressive};
    char passes[160];
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef in = LLVMCreateMemoryBufferWithMemoryRangeCopy((char *)text.data, text.len, "<stdin>"),
                        object;
    LLVMModuleRef module;
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMParseIRInContext(context, in, &module, &message) || LLVMGetTargetFromTriple(triple, &target, &message))
        abort();
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, triple, "", "", levels[level], LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(module, triple);
    LLVMSetModuleDataLayout(module, layout);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    snprintf(passes, sizeof passes,
             "verify,default<O%d>,function(place-safepoints),rewrite-statepoints-for-gc,verify,function(verify<"
             "safepoint-ir>)",
             level);
    LLVMErrorRef e = LLVMRunPasses(module, passes, machine, options);
    if (e || LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object))
        abort();
    size_t size = LLVMGetBufferSize(object);
    LLVMDisposeMemoryBuffer(object);
    LLVMDisposePassBuilderOptions(options);
    LLVMDisposeTargetData(layout);
    LLVMDisposeModule(module);
    LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(context);
    return size;
}
