/* root_meta.c - the second argument of llvm.gcroot, for the records of erlang and ocaml, whose tables have no place
 * for it.
 *
 * LLVM numbers a function's roots as it selects the calls that mark them: in their order, and from opt=1 on it selects
 * forwards. Its selector of opt=0, which functions with optnone have as well, goes backwards for as long as it can.
 * There a root is known by its place: at opt=0 the frame has a function's allocas in their order, the first one
 * highest. Stack protectors order them otherwise, and so does an optimised module for functions with optnone; of
 * these only metadata that all roots share is known to be each one's. */
#include "gcroots.h"
#include "ir.h"
#include "stackmap_build.h"

#include <llvm-c/Target.h>

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
        out->symbol = value_name(v);
    return LLVMIsAConstantInt(v) || LLVMIsAGlobalValue(v) || LLVMIsNull(v) || LLVMIsPoison(v); /* poison: gcroots.c */
}

/* 1 if F has one of these attributes. */
static int has_any(LLVMValueRef f, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (function_attribute(f, names[i]))
            return 1;
    return 0;
}

/* An entry of a record, by its place in the frame. */
struct placed {
    int32_t offset;
    size_t number;
};

static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return x->offset < y->offset ? 1 : x->offset > y->offset ? -1 : (x->number > y->number) - (x->number < y->number);
}

/* Adds MARKS to ORDERED in the order of the allocas of F that they mark. 0 if the marks of one do not agree on the
 * metadata, or what is marked is none. */
static int order_by_alloca(LLVMValueRef f, const struct set *marks, struct set *ordered) {
    struct set allocas = {0};
    struct placed *entry = xcalloc(marks->count + 1, sizeof *entry);
    int agree = 1;
    for (LLVMValueRef i = first_instruction(f); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && alloca_count(i))
            set_add_again(&allocas, i);
    for (size_t i = 0; agree && i < marks->count; i++) {
        LLVMValueRef slot = slot_of_mark(marks->item[i]);
        agree = set_has(&allocas, slot);
        if (agree)
            entry[i] = (struct placed){-(int32_t)set_number(&allocas, slot), i};
    }
    if (agree)
        qsort(entry, marks->count, sizeof *entry, by_place);
    for (size_t i = 0; agree && i < marks->count; i++) {
        LLVMValueRef mark = marks->item[entry[i].number];
        agree = i == 0 || entry[i].offset != entry[i - 1].offset ||
                LLVMGetOperand(mark, 1) == LLVMGetOperand(ordered->item[i - 1], 1);
        set_add_again(ordered, mark);
    }
    set_free(&allocas);
    free(entry);
    return agree;
}

/* 1 if two of the N entries that are next to one another in ENTRY, but of different slots, have the same place: MARK has
 * the mark of each. */
static int overlap(const struct placed *entry, const struct set *mark, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (LLVMGetOperand(mark->item[i], 0) != LLVMGetOperand(mark->item[i - 1], 0) &&
            entry[i].offset == entry[i - 1].offset)
            return 1;
    return 0;
}

/* Puts F's MARKS in the order of the locations ROOT, by the places of their slots in the frame. A slot's entries are
 * next to one another, as many as it has marks. 0 if these do not tell. */
static int order_by_place(LLVMValueRef f, const sm_location *root, struct set *marks) {
    size_t n = marks->count;
    struct set highest_first = {0};
    struct placed *entry = xcalloc(n + 1, sizeof *entry);
    int is_known = order_by_alloca(f, marks, &highest_first);
    for (size_t i = 0; i < n; i++)
        entry[i] = (struct placed){root[i].offset, i};
    qsort(entry, n, sizeof *entry, by_place);
    is_known = is_known && highest_first.count == n && !overlap(entry, &highest_first, n);
    for (size_t i = 0; is_known && i < n; i++)
        marks->item[entry[i].number] = highest_first.item[i];
    set_free(&highest_first);
    free(entry);
    return is_known;
}

int roots_in_order(const struct compile *c, LLVMValueRef f, const sm_location *root, struct set *marks) {
    static const char *const optnone[] = {"optnone"}, *const protects[] = {"ssp", "sspstrong", "sspreq", "safestack"};
    if (c->options->opt != SM_OPT_0)
        return !has_any(f, optnone, 1);
    return !has_any(f, protects, sizeof protects / sizeof *protects) && order_by_place(f, root, marks);
}

/* The same; the order does not matter where all marks say the same. */
static int order_marks(const struct compile *c, LLVMValueRef f, const sm_location *root, struct set *marks) {
    int differs = 0;
    for (size_t i = 1; i < marks->count; i++)
        differs |= LLVMGetOperand(marks->item[i], 1) != LLVMGetOperand(marks->item[0], 1);
    return !differs || roots_in_order(c, f, root, marks);
}

/* Adds the metadata of F's roots to OF in the map, if as many as its records have roots and all readable;
 * otherwise adds none. */
static void give(struct compile *c, LLVMValueRef f, sm_function *of) {
    sm_stackmap *m = &c->object.map;
    struct set marks = {0};
    collect_calls(f, is_gcroot, &marks);
    const sm_record *record = &m->record[of->record];
    uint32_t n = (uint32_t)marks.count;
    if (n && n == record->locations && order_marks(c, f, m->location + record->location, &marks)) {
        xstatus(sm_stackmap_more_metadata(m, n));
        of->root_metadatum = m->metadata;
        for (uint32_t i = 0; i < n; i++)
            if (!read_constant(LLVMGetModuleDataLayout(c->module), LLVMGetOperand(marks.item[i], 1),
                               &m->metadatum[m->metadata + i]))
                n = 0;
        of->root_metadata = n;
        m->metadata += of->root_metadata;
    }
    set_free(&marks);
}

/* Adds to the map the metadata that llvm.gcroot gives for each function's roots. Requires the map of the
 * object. */
void root_metadata(struct compile *c) {
    sm_stackmap *m = &c->object.map;
    for (uint32_t i = 0; i < m->functions; i++) {
        sm_function *of = &m->function[i];
        LLVMValueRef f = of->name ? LLVMGetNamedFunction(c->module, of->name) : NULL;
        if (f && !LLVMIsDeclaration(f) && of->records && m->record[of->record].kind == SM_RECORD_GCROOT)
            give(c, f, of);
    }
}
