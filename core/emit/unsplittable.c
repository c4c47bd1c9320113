/* unsplittable.c - modules that cannot be compiled in parts, because code generation asks of one part what only the
 * whole has. See parts.c; requires the module as it will be emitted. */
#include "deviations.h"
#include "emit.h"
#include "ir.h"
#include "marks.h"

#include <llvm-c/Comdat.h>

static int is_local(LLVMValueRef v) {
    LLVMLinkage linkage = LLVMGetLinkage(v);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* Why a module with the global V cannot be divided, because of V's name; NULL if it can. */
static const char *refuse_name(LLVMValueRef v) {
    size_t len;
    const char *name = LLVMGetValueName2(v, &len);
    if (len == 0)
        return is_local(v) ? NULL : "a global of other modules' has no name";
    if (strlen(name) != len || name[0] == 1)
        return "a global's name is not what its symbol is called";
    return strncmp(name, PART_PREFIX, sizeof PART_PREFIX - 1) == 0 ? "a global's name begins with " PART_PREFIX
                                                                   : NULL;
}

/* ---- What the module has ---------------------------------------------------------------------------------------- */

/* 1 if named metadata NAME means the same in a part as in the unsplit module. */
static int is_known_metadata(const char *name, size_t len) {
    return list_has("llvm.module.flags,llvm.ident,llvm.dbg.cu", name, len) || len < 5 ||
           memcmp(name, "llvm.", 5) != 0;
}

/* Why the module cannot be divided, because of what it has beside globals; NULL if it can. */
static const char *refuse_module(struct compile *c) {
    size_t len = 0;
    LLVMGetModuleInlineAsm(c->module, &len);
    if (len)
        return "it has assembly of its own";
    if (LLVMGetFirstGlobalAlias(c->module))
        return "it has aliases";
    if (LLVMGetFirstGlobalIFunc(c->module))
        return "it has ifuncs";
    for (LLVMNamedMDNodeRef n = LLVMGetFirstNamedMetadata(c->module); n; n = LLVMGetNextNamedMetadata(n)) {
        const char *name = LLVMGetNamedMetadataName(n, &len);
        if (!is_known_metadata(name, len))
            return "it has metadata that makes sections";
    }
    return NULL;
}

/* 1 if a constructor in the list belongs to a group (COMDAT): it is dropped with it. */
static int has_keys(LLVMValueRef list) {
    LLVMValueRef all = LLVMGetInitializer(list);
    unsigned n = all ? (unsigned)LLVMGetArrayLength2(LLVMTypeOf(all)) : 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef key = LLVMGetAggregateElement(LLVMGetAggregateElement(all, i), 2);
        if (key && !LLVMIsNull(key))
            return 1;
    }
    return 0;
}

/* 1 if the target emulates thread-local variables: by calls, and variables that code generation makes. */
static int emulates_tls(const struct compile *c) {
    return strstr(c->triple, "android") || strstr(c->triple, "openbsd");
}

/* Why a module with the variable G cannot be divided; NULL if it can. */
static const char *refuse_variable(const struct compile *c, LLVMValueRef g) {
    const char *name = value_name(g);
    if ((strcmp(name, "llvm.global_ctors") == 0 || strcmp(name, "llvm.global_dtors") == 0) && has_keys(g))
        return "constructors belong to groups";
    if (LLVMIsThreadLocal(g) && emulates_tls(c))
        return "its thread-local variables are emulated";
    return refuse_name(g);
}

/* ---- What functions have ---------------------------------------------------------------------------------------- */

/* 1 if the address of a block of F is taken. */
static int has_block_addresses(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u))
            if (LLVMIsABlockAddress(LLVMGetUser(u)))
                return 1;
    return 0;
}

/* 1 if the inline assembly may have directives, labels or assignments. */
static int may_define(LLVMValueRef assembly) {
    size_t len;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &len);
    for (size_t i = 0; i < len; i++)
        if (strchr(".:=\"", text[i]))
            return 1;
    return 0;
}

/* Why a module with the function F cannot be divided; NULL if it can. */
static const char *refuse_function(LLVMValueRef f) {
    int defines = 0;
    if (LLVMIsDeclaration(f))
        return refuse_name(f);
    if (LLVMGetGC(f) && !is_statepoint_gc(LLVMGetGC(f)))
        return "a strategy of its functions has a table of the module";
    if (has_block_addresses(f))
        return "addresses of blocks are taken";
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        defines |= LLVMIsAInlineAsm(LLVMGetCalledValue(call)) && may_define(LLVMGetCalledValue(call));
    return defines ? "inline assembly has directives or labels" : refuse_name(f);
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

/* Why the module cannot be divided with these options and deviations; NULL if it can. */
static const char *refuse_options(const struct compile *c) {
    if (c->options->opt == SM_OPT_0 && c->options->split == SM_SPLIT_AUTO)
        return "no pass has looked at more than one function";
    if (c->options->emit & SM_EMIT_ASM)
        return "the assembly is of one piece";
    if (c->options->emit & SM_EMIT_LINKS)
        return "links are of the calls of one module";
    if (has_deviated(c, DEVIATION_PLUGINS))
        return "a strategy is a library's";
    return has_deviated(c, DEVIATION_TYPED_PADS) ? "landing pads that are no tokens have relocations" : NULL;
}

/* Why the module has to be compiled unsplit; NULL if it can be divided into parts. */
const char *unsplittable_because(struct compile *c) {
    const char *why = refuse_options(c);
    if (!why)
        why = refuse_module(c);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && !why; g = LLVMGetNextGlobal(g))
        why = refuse_variable(c, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f && !why; f = LLVMGetNextFunction(f))
        why = refuse_function(f);
    return why;
}
