/* relocations.c - relocations that nobody uses are recorded, wherever they stand; constants are not relocated.
 *
 * The first say what a statepoint's record has to report. Before an unreachable, as after a call that throws or
 * deoptimizes, AArch64's code generation takes away what has no effect (it simplifies control flow, SimplifyCFG.cpp),
 * and the references were in no record. A trap, which does not come back, keeps what stands before it. What comes after a
 * statepoint with noreturn it takes away as well, so these lose the attribute.
 *
 * Constants (null, an immediate number as a reference) never move. Of a phi or select of constants alone LLVM's
 * rewrite makes a root at some statepoints, and none at others: what joins it with more constants has a constant for
 * its base. Then that would be computed from a relocated value, and not be relocated itself. So such a value is used
 * as it was.
 *
 * No issue of LLVM's was found. tests/process/llvm19/relocations.ll fails when it records the first.
 */
#include "deviations.h"
#include "ir.h"
#include "llvm19.h"

#define TRAP "llvm.trap"

/* Puts a trap at the end of the block if that is unreachable and has none. */
static void end_in_trap(struct compile *c, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), before = end ? LLVMGetPreviousInstruction(end) : NULL;
    if (!end || !LLVMIsAUnreachableInst(end) || (before && is_intrinsic(before, TRAP)))
        return;
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(c->module, LLVMLookupIntrinsicID(TRAP, strlen(TRAP)), NULL, 0);
    LLVMBuilderRef b = builder_at(end);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
    LLVMDisposeBuilder(b);
    deviate(c, DEVIATION_KEEPS_RELOCATIONS);
}

/* Has code generation record the relocations of the statepoint's function that nobody uses, unless that is among DONE.
 * After the rewrite. */
void relocations_keep(struct compile *c, LLVMValueRef statepoint, struct set *done) {
    LLVMValueRef f = function_of(statepoint);
    if (c->elf_machine != EM_AARCH64 || c->options->opt == SM_OPT_0 || set_has(done, f))
        return;
    set_add(done, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        end_in_trap(c, b);
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (is_statepoint(call) && call_enum_attribute(call, "noreturn")) {
            remove_call_enum_attribute(call, "noreturn");
            deviate(c, DEVIATION_KEEPS_RELOCATIONS);
        }
}

/* ---- Constants -------------------------------------------------------------------------------------------------- */

/* Leads from one phi, select or relocation to another one. */
struct edge {
    uint32_t to, next; /* numbers of a value, and of the next edge from the same one; the latter from 1 on */
};

/* A function's phis, selects and relocations, and what reaches them. */
struct joins {
    LLVMValueRef function; /* NULL before the first one */
    struct set values;     /* those phis, selects and relocations */
    struct set varying;    /* those that more than constants reach */
    struct edge *edge;
    size_t edge_count, edge_room;
    uint32_t *first; /* of each value, the number of its first edge; 0 without one */
    LLVMValueRef statepoint;
    LLVMOperandBundleRef live; /* of that statepoint, which is the last one; NULL without a list */
};

static void forget_live(struct joins *j) {
    if (j->live)
        LLVMDisposeOperandBundle(j->live);
    j->live = NULL;
    j->statepoint = NULL;
}

static void joins_free(struct joins *j) {
    forget_live(j);
    set_free(&j->values);
    set_free(&j->varying);
    free(j->edge);
    free(j->first);
    *j = (struct joins){0};
}

/* What the relocation is of; NULL if that is not clear. */
static LLVMValueRef relocated_value(struct joins *j, LLVMValueRef relocation) {
    enum { DERIVED = 2 };
    LLVMValueRef statepoint = statepoint_of_token(LLVMGetOperand(relocation, 0));
    if (statepoint != j->statepoint) {
        forget_live(j);
        j->live = statepoint ? call_bundle(statepoint, "gc-live") : NULL;
        j->statepoint = statepoint;
    }
    unsigned long long at = LLVMConstIntGetZExtValue(LLVMGetOperand(relocation, DERIVED));
    return j->live && at < LLVMGetNumOperandBundleArgs(j->live)
               ? LLVMGetOperandBundleArgAtIndex(j->live, (unsigned)at)
               : NULL;
}

static int joins_values(LLVMValueRef v) {
    return LLVMIsAPHINode(v) || LLVMIsASelectInst(v);
}

/* Notes that FROM, which may be NULL, reaches the value of number TO. */
static void reached_from(struct joins *j, LLVMValueRef from, size_t to) {
    size_t n = from ? set_number(&j->values, from) : j->values.count;
    if (from && LLVMIsAConstant(from))
        return;
    if (n == j->values.count) {
        set_add(&j->varying, j->values.item[to]);
        return;
    }
    if (j->edge_count == j->edge_room)
        j->edge = xgrow(j->edge, j->edge_count, &j->edge_room, sizeof *j->edge);
    j->edge[j->edge_count++] = (struct edge){(uint32_t)to, j->first[n]};
    j->first[n] = (uint32_t)j->edge_count;
}

static void reached_from_operands(struct joins *j, size_t to) {
    LLVMValueRef v = j->values.item[to];
    if (is_relocate(v)) {
        reached_from(j, relocated_value(j, v), to);
        return;
    }
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        if (flow_at(v, (unsigned)k) & FLOW_CHOICE)
            reached_from(j, LLVMGetOperand(v, (unsigned)k), to);
}

/* Finds what more than constants reach in F, in time that is linear in its values and their operands. */
static void find_varying(struct joins *j, LLVMValueRef f) {
    joins_free(j);
    j->function = f;
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (joins_values(i) || is_relocate(i))
            set_add_again(&j->values, i);
    j->first = xcalloc(j->values.count + 1, sizeof *j->first);
    for (size_t i = 0; i < j->values.count; i++)
        reached_from_operands(j, i);
    for (size_t i = 0; i < j->varying.count; i++)
        for (uint32_t e = j->first[set_number(&j->values, j->varying.item[i])]; e; e = j->edge[e - 1].next)
            set_add(&j->varying, j->values.item[j->edge[e - 1].to]);
}

/* 1 if V of F is a phi or a select of constants alone, seen through phis, selects and relocations. */
static int joins_constants(struct joins *j, LLVMValueRef f, LLVMValueRef v) {
    if (!joins_values(v))
        return 0;
    if (j->function != f)
        find_varying(j, f);
    return !set_has(&j->varying, v);
}

struct constants {
    struct compile *c;
    struct joins joins;
};

/* What uses the relocation of constants that are joined with others uses them as they were. A value that is
 * computed from more than constants is not concerned. */
static void use_as_it_was(struct constants *s, LLVMValueRef call) {
    LLVMValueRef f = function_of(call);
    LLVMValueRef v = is_relocate(call) && is_statepoint_gc(LLVMGetGC(f)) && any_user(call, joins_values)
                         ? relocated_value(&s->joins, call)
                         : NULL;
    if (!v || !joins_constants(&s->joins, f, v))
        return;
    LLVMReplaceAllUsesWith(call, v);
    forget_live(&s->joins); /* CALL may have been in it */
    deviate(s->c, DEVIATION_CONSTANTS);
}

/* Has phis and selects of constants alone used as they are, where others join them. Requires the rewritten module. */
sm_status constants_stay(struct compile *c) {
    struct constants s = {.c = c};
    assert(c->form == FORM_REWRITTEN);
    for (LLVMValueRef call = first_module_call(c->module); call; call = next_module_call(call))
        use_as_it_was(&s, call);
    joins_free(&s.joins);
    return SM_OK;
}
