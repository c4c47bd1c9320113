/* builtins.c - calls of C's mathematical functions that code generation turns into instructions.
 *
 * llc tells LLVM's code generation which functions the C library has; LLVM's C API has no way to, so that a call of
 * sqrt stays a call. What code generation would ask of such a call (SelectionDAGBuilder, visitCall) is asked here, and
 * the call becomes the intrinsic that is lowered in the same way.
 *
 * LLVM's #171114 began to remove the lookup from code generation. tests/process/llvm19/builtins.ll fails when llc no
 * longer makes instructions of such calls: then this goes.
 */
#include "ir.h"
#include "llvm19.h"
#include "marks.h"

enum { TYPES_MAX = 2 };

/* Each has forms for float and long double, with "f" and "l" after the name. */
static const struct builtin {
    const char *name, *intrinsic;
    unsigned params;
    int exponent; /* boolean: the last parameter is an int, and the intrinsic is overloaded on it */
} builtins[] = {
    {"copysign", "llvm.copysign", 2, 0}, {"fabs", "llvm.fabs", 1, 0},   {"fmin", "llvm.minnum", 2, 0},
    {"fmax", "llvm.maxnum", 2, 0},       {"sin", "llvm.sin", 1, 0},     {"cos", "llvm.cos", 1, 0},
    {"tan", "llvm.tan", 1, 0},           {"sqrt", "llvm.sqrt", 1, 0},   {"floor", "llvm.floor", 1, 0},
    {"ceil", "llvm.ceil", 1, 0},         {"trunc", "llvm.trunc", 1, 0}, {"rint", "llvm.rint", 1, 0},
    {"round", "llvm.round", 1, 0},       {"log2", "llvm.log2", 1, 0},   {"nearbyint", "llvm.nearbyint", 1, 0},
    {"exp2", "llvm.exp2", 1, 0},         {"ldexp", "llvm.ldexp", 2, 1},
};

/* The row of the C function NAME, with or without "f" or "l" at its end; NULL if there is none. */
static const struct builtin *find_builtin(const char *name) {
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        size_t n = strlen(builtins[i].name);
        if (strncmp(name, builtins[i].name, n) == 0 &&
            (!name[n] || ((name[n] == 'f' || name[n] == 'l') && !name[n + 1])))
            return &builtins[i];
    }
    return NULL;
}

static int is_builtin_floating(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
        return 1;
    default:
        return 0;
    }
}

/* 1 if TYPE is a prototype of the builtin as LLVM asks for it: parameters and result of one floating type, and an int
 * exponent. */
static int fits_builtin(const struct builtin *b, LLVMTypeRef type) {
    LLVMTypeRef result = LLVMGetReturnType(type), param[TYPES_MAX];
    if (LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(type) != b->params || !is_builtin_floating(result))
        return 0;
    LLVMGetParamTypes(type, param);
    if (b->exponent)
        return param[0] == result && LLVMGetTypeKind(param[1]) == LLVMIntegerTypeKind &&
               LLVMGetIntTypeWidth(param[1]) == 32;
    return param[0] == result && (b->params == 1 || param[1] == result);
}

/* 1 if neither the attribute "memory" of the call nor that of the callee excludes writes. */
static int may_write(LLVMValueRef call) {
    enum { WRITES = 0x2aaaaaaa };
    return (effects_of_call(call) & WRITES) != 0;
}

/* 1 if the function's attributes forbid the builtin NAME (-fno-builtin, -fno-builtin-NAME). */
static int is_forbidden(LLVMValueRef function, const char *name) {
    char one[64];
    snprintf(one, sizeof one, "no-builtin-%s", name);
    return text_attribute(function, "no-builtins") || text_attribute(function, one);
}

/* The builtin that code generation may make of CALL, by name, type and attributes; NULL if it may not. */
static const struct builtin *builtin_of(LLVMValueRef function, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsACallInst(call) || !LLVMIsAFunction(callee) || is_musttail(call) || LLVMGetNumOperandBundles(call) ||
        LLVMGlobalGetValueType(callee) != LLVMGetCalledFunctionType(call))
        return NULL;
    LLVMLinkage linkage = LLVMGetLinkage(callee);
    const char *name = value_name(callee);
    const struct builtin *b = find_builtin(name);
    int taken = b && fits_builtin(b, LLVMGetCalledFunctionType(call)) && linkage != LLVMInternalLinkage &&
                linkage != LLVMPrivateLinkage && !may_write(call) && !either_attribute(call, "strictfp") &&
                (!either_attribute(call, "nobuiltin") || either_attribute(call, "builtin")) &&
                !is_forbidden(function, name);
    return taken ? b : NULL;
}

/* Passes before instruction selection may move an intrinsic that they would not move as a call: so it is declared as
 * one that cannot be, under a name of its own. LLVM goes by the name's beginning. */
static LLVMValueRef declare_intrinsic(LLVMModuleRef module, const struct builtin *b, LLVMTypeRef type,
                                      LLVMTypeRef *overloads) {
    static const char *const movable[] = {"speculatable", "willreturn", "nofree", "nosync", "nocallback"};
    enum { NAME_MAX_LEN = 100 };
    char name[NAME_MAX_LEN];
    size_t len;
    unsigned id = LLVMLookupIntrinsicID(b->intrinsic, strlen(b->intrinsic));
    const char *usual = LLVMIntrinsicCopyOverloadedName2(module, id, overloads, b->exponent ? 2 : 1, &len);
    snprintf(name, sizeof name, "%s.call", usual);
    LLVMDisposeMessage((char *)usual);
    LLVMValueRef f = declared_function(module, name, type);
    for (size_t i = 0; i < sizeof movable / sizeof *movable; i++)
        remove_function_attribute(f, movable[i]);
    return f;
}

/* Replaces a call that is a builtin by one of its intrinsic. */
static void replace_builtin(LLVMModuleRef module, LLVMValueRef call) {
    const struct builtin *b = builtin_of(function_of(call), call);
    if (!b)
        return;
    LLVMTypeRef type[TYPES_MAX] = {LLVMTypeOf(call), LLVMTypeOf(LLVMGetOperand(call, b->params - 1))};
    LLVMValueRef operand[TYPES_MAX] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, b->params - 1)};
    LLVMTypeRef prototype = LLVMGetCalledFunctionType(call);
    LLVMValueRef intrinsic = declare_intrinsic(module, b, prototype, type);
    LLVMBuilderRef builder = builder_at(call);
    LLVMValueRef new = LLVMBuildCall2(builder, prototype, intrinsic, operand, b->params, "");
    LLVMSetFastMathFlags(new, LLVMGetFastMathFlags(call));
    LLVMSetTailCallKind(new, LLVMGetTailCallKind(call));
    replace_value(call, new);
    LLVMDisposeBuilder(builder);
}

/* 1 if instruction selection would ask for builtins in FUNCTION: always, except at level 0 of AArch64, whose
 * selection does so only for functions with statepoints. */
static int is_asked(const struct compile *c, LLVMValueRef function) {
    return c->options->opt != SM_OPT_0 || c->elf_machine != EM_AARCH64 || has_safepoints(c, function);
}

/* 1 if MODULE has a function that LLVM takes for a square root of C's. */
static int has_root(LLVMModuleRef module) {
    return LLVMGetNamedFunction(module, "sqrt") || LLVMGetNamedFunction(module, "sqrtf") ||
           LLVMGetNamedFunction(module, "\1sqrt") || LLVMGetNamedFunction(module, "\1sqrtf");
}

/* Makes calls of mathematical functions in MODULE intrinsics, as llc's code generation would; before that, except at
 * level 0, splits roots that may set errno into an instruction and a cold call. */
sm_status builtins_lower(struct compile *c, LLVMModuleRef module) {
    LLVMModuleRef complete = c->module;
    sm_status s = SM_OK;
    c->module = module;
    if (c->options->opt != SM_OPT_0 && has_root(module))
        s = run_passes(c, "function(partially-inline-libcalls)");
    c->module = complete;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_asked(c, f))
            for (LLVMValueRef call = first_call(f), next; call; call = next) {
                next = next_call(call);
                replace_builtin(module, call);
            }
    return s;
}

/* ---- Loops that the optimiser must not make calls of ----------------------------------------------------------- */

static const char *const of_loops[] = {"no-builtin-memcpy", "no-builtin-memmove", "no-builtin-memset"};
enum { OF_LOOPS = sizeof of_loops / sizeof *of_loops };

/* Keeps the optimiser from making memcpy, memmove and memset of loops, by attributes on all functions; remembers
 * which it added. */
static void forbid_builtins(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        char given[OF_LOOPS + 1] = "";
        if (LLVMIsDeclaration(f) || text_attribute(f, NO_BUILTINS_ATTRIBUTE))
            continue;
        for (int i = 0; i < OF_LOOPS; i++)
            if (!text_attribute(f, of_loops[i])) {
                set_text_attribute(c->context, f, of_loops[i], "");
                given[strlen(given)] = (char)('0' + i);
            }
        set_text_attribute(c->context, f, NO_BUILTINS_ATTRIBUTE, given);
    }
}

/* Removes the attributes that forbid_builtins added. */
static void allow_builtins(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef a = text_attribute(f, NO_BUILTINS_ATTRIBUTE);
        unsigned len = 0;
        const char *given = a ? LLVMGetStringAttributeValue(a, &len) : "";
        for (unsigned i = 0; i < len; i++)
            if (given[i] >= '0' && given[i] < '0' + OF_LOOPS)
                remove_text_attribute(f, of_loops[given[i] - '0']);
        if (a)
            remove_text_attribute(f, NO_BUILTINS_ATTRIBUTE);
    }
}

void builtins_forbid(struct compile *c, int are_forbidden) {
    if (are_forbidden)
        forbid_builtins(c);
    else
        allow_builtins(c);
}
