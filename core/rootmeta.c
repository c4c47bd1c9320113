/* rootmeta.c - the second argument of llvm.gcroot, for the records of erlang and ocaml, whose tables have no place
 * for it.
 *
 * LLVM numbers a function's roots as it selects the calls that mark them: in their order, and from opt=1 on it selects
 * forwards. Its selector of opt=0, which functions with optnone have as well, goes backwards for as long as it can,
 * so that there only metadata that all roots share is known to be each one's. */
#include "core.h"
#include "set.h"
#include "stackmap_build.h"

#include <llvm-c/Target.h>
#include <string.h>

/* Appends the metadata operand of CALL to the set in ARG if it is an llvm.gcroot. */
static void note_mark(void *arg, LLVMValueRef f, LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    (void)f;
    if (name && strcmp(name, "llvm.gcroot") == 0)
        set_add_again(arg, LLVMGetOperand(call, 1));
}

/* Adds the distance in bytes that a getelementptr of constant indexes goes to *BYTES. 0 if an index is no
 * constant. */
static int add_steps(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *bytes) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (!LLVMIsAConstantInt(index))
            return 0;
        int64_t n = LLVMConstIntGetSExtValue(index);
        if (i == 1) {
            *bytes += n * (int64_t)LLVMABISizeOfType(layout, type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *bytes += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
        } else {
            type = LLVMGetElementType(type);
            *bytes += n * (int64_t)LLVMABISizeOfType(layout, type);
        }
    }
    return 1;
}

/* Reads V as a symbol plus a number of bytes, or as a number only, into *OUT. 0 if it is anything else. */
static int read_constant(LLVMTargetDataRef layout, LLVMValueRef v, sm_metadatum *out) {
    size_t len;
    *out = (sm_metadatum){NULL, 0};
    while (LLVMIsAConstantExpr(v)) {
        LLVMOpcode opcode = LLVMGetConstOpcode(v);
        int is_step = opcode == LLVMGetElementPtr;
        if (is_step ? !add_steps(layout, v, &out->addend)
                    : opcode != LLVMIntToPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast)
            return 0;
        v = LLVMGetOperand(v, 0);
    }
    if (LLVMIsAConstantInt(v))
        out->addend += LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetSExtValue(v) : 0;
    else if (LLVMIsAGlobalValue(v))
        out->symbol = LLVMGetValueName2(v, &len);
    return LLVMIsAConstantInt(v) || LLVMIsAGlobalValue(v) || LLVMIsNull(v);
}

/* 1 if it is known which root each metadata is of: all are the same, or F is not compiled as at opt=0, where the
 * order is not that of the calls. */
static int order_is_known(const struct compile *c, LLVMValueRef f, const struct set *marks) {
    int differs = 0;
    for (size_t i = 1; i < marks->count; i++)
        differs |= marks->item[i] != marks->item[0];
    return !differs || (c->options->opt != SM_OPT_0 &&
                        !LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                                     LLVMGetEnumAttributeKindForName("optnone", 7)));
}

/* Adds the metadata of F's roots to OF in the map, if as many as its records have roots and all readable;
 * otherwise adds none. SM_NOMEM, or SM_OK. */
static sm_status give(struct compile *c, LLVMValueRef f, sm_function *of) {
    sm_stackmap *m = &c->object.map;
    struct set marks = {0};
    visit_calls(f, note_mark, &marks);
    uint32_t roots = m->record[of->record].locations, n = (uint32_t)marks.count;
    sm_status s = marks.failed ? SM_NOMEM : SM_OK;
    if (s == SM_OK && n && n == roots && order_is_known(c, f, &marks)) {
        s = sm_stackmap_more_metadata(m, n);
        of->root_metadatum = m->metadata;
        for (uint32_t i = 0; s == SM_OK && i < n; i++)
            if (!read_constant(LLVMGetModuleDataLayout(c->module), marks.item[i], &m->metadatum[m->metadata + i]))
                n = 0;
        of->root_metadata = s == SM_OK ? n : 0;
        m->metadata += of->root_metadata;
    }
    set_free(&marks);
    return s;
}

/* Adds to the map the metadata that llvm.gcroot gives for each function's roots. Requires the map of the
 * object. */
sm_status root_metadata(struct compile *c) {
    sm_stackmap *m = &c->object.map;
    sm_status s = SM_OK;
    for (uint32_t i = 0; i < m->functions && s == SM_OK; i++) {
        sm_function *of = &m->function[i];
        LLVMValueRef f = of->name ? LLVMGetNamedFunction(c->module, of->name) : NULL;
        if (f && !LLVMIsDeclaration(f) && of->records && m->record[of->record].kind == SM_RECORD_GCROOT)
            s = give(c, f, of);
    }
    return s == SM_OK ? s : fail(c, s, NULL, "The metadata of roots cannot be told: %s", sm_status_text(s));
}
