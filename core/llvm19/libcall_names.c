/* libcall_names.c - functions that are called like C's are not taken for C's.
 *
 * LLVM's rewrite makes no statepoint of a call whose callee has a name and a type of C's library
 * (callsGCLeafFunction), whoever defines it: a runtime's own read or remove may collect, qsort calls back, and while
 * read waits another thread may collect. Roots would be lost without a word. So such calls are marked as of no
 * builtin before the rewrite, but for those that only compute: with floating-point parameters, on memory and strings.
 *
 * Requires the module before the rewrite.
 *
 * LLVM means it so. tests/process/llvm19/libcall_names.ll fails when it no longer does so.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

/* LLVM's own list, which the preprocessor can read: names only. */
static const char *const names[] = {
#define TLI_DEFINE_STRING
#include <llvm/Analysis/TargetLibraryInfo.def>
};

enum { NAMES = sizeof names / sizeof *names };

static int by_name_libcall(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* 1 if LLVM lists NAME as a function of C's library. */
static int is_of_library(const char *name) {
    static const char *sorted[NAMES]; /* LLVM's order is another one; made at the first use */
    if (!sorted[0]) {
        memcpy(sorted, names, sizeof sorted);
        qsort(sorted, NAMES, sizeof *sorted, by_name_libcall);
    }
    return bsearch(&name, sorted, NAMES, sizeof *sorted, by_name_libcall) != NULL;
}

/* 1 if the type is a scalar floating-point type of C: float, double, long double. */
static int is_libcall_floating(LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind ||
           kind == LLVMFP128TypeKind;
}

/* 1 if the library function F can call nothing back and never waits: it is for memory or strings, has a
 * floating-point parameter, or is one of the few listed. */
static int only_computes(LLVMValueRef f, const char *name) {
    if (list_begins("mem,str,stp,bcmp,bcopy,bzero,__mem,__str,__stp", name) ||
        list_has("abort,abs,ffs,ffsl,ffsll,isascii,isdigit,labs,llabs,toascii", name, strlen(name)))
        return 1;
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (is_libcall_floating(LLVMTypeOf(LLVMGetParam(f, i))))
            return 1;
    return 0;
}

/* Makes the call "nobuiltin", so that LLVM's rewrite makes a statepoint of it, if its callee is named like a
 * function of C's library and does more than compute. */
static void keep_library_call(struct compile *c, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || !is_statepoint_gc(LLVMGetGC(function_of(call))) || !calls_safepoint(call))
        return;
    const char *name = value_name(callee);
    if (!is_of_library(name))
        return;
    if (LLVMIsDeclaration(callee) && !LLVMGetNumOperandBundles(call) && only_computes(callee, name))
        return;
    set_call_enum_attribute(call, "nobuiltin");
    deviate(c, DEVIATION_LIBRARY_CALLS);
}

/* Makes "nobuiltin" of all calls that LLVM's rewrite would take for leaves only because of their callee's name. */
void library_keep(struct compile *c) {
    assert(c->form == FORM_POLLED);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        keep_library_call(c, call);
}
