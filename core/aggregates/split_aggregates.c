/* split_aggregates.c - structs and arrays with references that stay alive across a safepoint are split into their parts.
 *
 * LLVM's rewrite relocates pointers and vectors of them, and nothing inside an aggregate. So such a value is taken
 * apart where it is defined, and put together again before each use; a phi, a select or a freeze of them becomes one
 * for each part. What is alive across a safepoint then is the parts. Functions without such a value stay as they are.
 *
 * Requires polls placed, nothing rewritten.
 */
#include "aggregate_parts.h"
#include "aggregates.h"
#include "analysis.h"
#include "deviations.h"
#include "ir.h"

typedef int holding(LLVMTypeRef type); /* there is something in it for which it is to be split */

/* 1 if V is a struct or array in which HOLDS finds something. */
static int is_aggregate(LLVMValueRef v, holding *holds) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && holds(LLVMTypeOf(v));
}

/* 1 if TYPE is or contains 64 bits (integer or double), which may be a tagged reference. */
static int holds_word(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind)
        return holds_word(LLVMGetElementType(type));
    for (unsigned i = 0; kind == LLVMStructTypeKind && i < LLVMCountStructElementTypes(type); i++)
        if (holds_word(LLVMStructGetTypeAtIndex(type, i)))
            return 1;
    return kind == LLVMDoubleTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
}

struct splitting {
    struct compile *c;
    LLVMValueRef function;
    LLVMBuilderRef b; /* owned */
    struct leaves of; /* of the value at hand */
    LLVMValueRef part[LEAVES_MAX];
};

/* Builds before PLACE the aggregate of TYPE from the parts in s->part. */
static LLVMValueRef join_aggregate(struct splitting *s, LLVMTypeRef type, LLVMValueRef place) {
    LLVMValueRef created =
        LLVMConstNull(type); /* of poison and parts of one value LLVM would make that value again */
    LLVMPositionBuilderBefore(s->b, place);
    for (unsigned i = 0; i < s->of.count; i++)
        created = leaf_insert(s->b, &s->of.leaf[i], created, s->part[i]);
    return created;
}

/* ---- Phi, select, freeze: one for each part ------------------------------------------------------------------------ */

/* Builds at the end of the phi's block K the part L of the value that comes from there. */
static LLVMValueRef part_of_incoming(struct splitting *s, LLVMValueRef phi, unsigned k, const struct leaf *l) {
    LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
    return leaf_extract(s->b, l, LLVMGetIncomingValue(phi, k));
}

/* The number of the phi's first edge from the block of edge K: for all edges from one block a phi has to have the
 * same value. */
static unsigned first_edge(LLVMValueRef phi, unsigned k) {
    for (unsigned i = 0; i < k; i++)
        if (LLVMGetIncomingBlock(phi, i) == LLVMGetIncomingBlock(phi, k))
            return i;
    return k;
}

/* Builds a phi for each part into s->part. */
static void split_phi(struct splitting *s, LLVMValueRef phi) {
    unsigned n = LLVMCountIncoming(phi);
    LLVMValueRef *value = xcalloc(n + 1, sizeof *value);
    for (unsigned i = 0; i < s->of.count; i++) {
        LLVMPositionBuilderBefore(s->b, phi);
        s->part[i] = LLVMBuildPhi(s->b, s->of.leaf[i].type, "");
        for (unsigned k = 0; k < n; k++) {
            unsigned first = first_edge(phi, k);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            value[k] = first < k ? value[first] : part_of_incoming(s, phi, k, &s->of.leaf[i]);
            LLVMAddIncoming(s->part[i], &value[k], &from, 1);
        }
    }
    free(value);
}

/* Builds a select for each part into s->part. */
static void split_select(struct splitting *s, LLVMValueRef select) {
    LLVMPositionBuilderBefore(s->b, select);
    for (unsigned i = 0; i < s->of.count; i++) {
        LLVMValueRef yes = leaf_extract(s->b, &s->of.leaf[i], LLVMGetOperand(select, 1)),
                     no = leaf_extract(s->b, &s->of.leaf[i], LLVMGetOperand(select, 2));
        s->part[i] = LLVMBuildSelect(s->b, LLVMGetOperand(select, 0), yes, no, "");
    }
}

/* Builds a freeze for each part into s->part. */
static void split_freeze(struct splitting *s, LLVMValueRef freeze) {
    LLVMPositionBuilderBefore(s->b, freeze);
    for (unsigned i = 0; i < s->of.count; i++)
        s->part[i] = LLVMBuildFreeze(s->b, leaf_extract(s->b, &s->of.leaf[i], LLVMGetOperand(freeze, 0)), "");
}

/* 1 if the phi takes an invoke's result directly from the invoke's edge: it does not exist before that edge, so no
 * part can be extracted there. */
static int comes_from_invoke_aggregate(LLVMValueRef phi) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) == LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)))
            return 1;
    return 0;
}

/* Replaces V, a phi, select or freeze of an aggregate, by one for each part. One that cannot be split stays, and is
 * refused later if it crosses a safepoint. */
static void split_choice(struct splitting *s, LLVMValueRef v) {
    if (LLVMIsAPHINode(v) && comes_from_invoke_aggregate(v) && LLVMCountIncoming(v) == 1) {
        replace_value(v, LLVMGetIncomingValue(v, 0));
        return;
    }
    if (!leaves_find(&s->of, LLVMTypeOf(v), 0) || (LLVMIsAPHINode(v) && comes_from_invoke_aggregate(v)))
        return; /* it is refused by name, if it matters */
    LLVMValueRef place = place_after(s->function, v);
    if (LLVMIsASelectInst(v))
        split_select(s, v);
    else if (LLVMIsAFreezeInst(v))
        split_freeze(s, v);
    else
        split_phi(s, v);
    replace_value(v, join_aggregate(s, LLVMTypeOf(v), place));
}

/* ---- Other values: parts after the definition, the aggregate before each use -------------------------------------- */

/* Extracts the parts of V right after its definition, and joins them again before each use, so that only parts are
 * alive in between. */
static void split_value(struct splitting *s, LLVMValueRef v) {
    struct set users = {0};
    LLVMValueRef place = place_after(s->function, v);
    if (!place || !leaves_find(&s->of, LLVMTypeOf(v), 0))
        return;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && !LLVMIsAPHINode(LLVMGetUser(u)) && !set_has(&users, LLVMGetUser(u)))
            set_add(&users, LLVMGetUser(u));
    LLVMPositionBuilderBefore(s->b, place);
    for (unsigned i = 0; i < s->of.count; i++)
        s->part[i] = leaf_extract(s->b, &s->of.leaf[i], v);
    for (size_t k = 0; k < users.count; k++) {
        LLVMValueRef user = users.item[k];
        replace_operand(user, v, join_aggregate(s, LLVMTypeOf(v), user));
    }
    set_free(&users);
}

/* ---- A function ---------------------------------------------------------------------------------------------- */

/* 1 if V is the result of a musttail call: it is returned at once, and nothing may stand between. */
static int is_handed_back(LLVMValueRef v) {
    return LLVMIsACallInst(v) && is_musttail(v);
}

/* Collects F's aggregates in which HOLDS finds something: phis, selects and freezes in CHOICES, parameters and other
 * instructions in OTHERS. */
static void collect_aggregate(LLVMValueRef f, holding *holds, struct set *choices, struct set *others) {
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (is_aggregate(LLVMGetParam(f, i), holds))
            set_add(others, LLVMGetParam(f, i));
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (is_aggregate(i, holds) && !is_handed_back(i))
            set_add(LLVMIsAPHINode(i) || LLVMIsASelectInst(i) || LLVMIsAFreezeInst(i) ? choices : others, i);
}

/* Replaces each extractvalue of an aggregate that was just joined by the part that was put in. */
static void fold(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef seen = LLVMIsAExtractValueInst(i)
                                    ? part_of(LLVMGetOperand(i, 0), LLVMGetIndices(i), LLVMGetNumIndices(i))
                                    : NULL;
            if (!seen || seen == i)
                continue;
            replace_value(i, seen);
        }
}

/* 1 if an invoke of F gives a struct or array to a block that others lead to as well: there is no place where its
 * parts could be taken out, before the edge is split. */
int gives_aggregate_to_join(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef i = LLVMGetBasicBlockTerminator(b);
        LLVMTypeKind kind = LLVMIsAInvokeInst(i) ? LLVMGetTypeKind(LLVMTypeOf(i)) : LLVMVoidTypeKind;
        if ((kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && !place_after(f, i))
            return 1;
    }
    return 0;
}

/* 1 if one of VALUES is alive across a safepoint. */
static int any_alive_aggregate(struct compile *c, const struct set *values) {
    for (size_t i = 0; i < values->count; i++)
        if (live_across(c, values->item[i]))
            return 1;
    return 0;
}

/* Splits all of F's aggregates in which HOLDS finds something. */
static void split_all(struct compile *c, LLVMValueRef f, holding *holds) {
    struct set choices = {0}, others = {0};
    struct splitting *s = xmalloc(sizeof *s);
    *s = (struct splitting){.c = c, .function = f, .b = LLVMCreateBuilderInContext(c->context)};
    collect_aggregate(f, holds, &choices, &others);
    for (size_t i = 0; i < choices.count; i++)
        split_choice(s, choices.item[i]);
    set_free(&choices);
    set_free(&others);
    choices = others = (struct set){0};
    collect_aggregate(f, holds, &choices, &others); /* those that choices have become, too */
    for (size_t i = 0; i < others.count; i++)
        split_value(s, others.item[i]);
    LLVMDisposeBuilder(s->b);
    free(s);
    fold(f);
    set_free(&choices);
    set_free(&others);
}

/* 1 if an aggregate of F in which HOLDS finds something is alive across a safepoint. */
static int has_alive_aggregate(struct compile *c, LLVMValueRef f, holding *holds) {
    struct set choices = {0}, others = {0};
    collect_aggregate(f, holds, &choices, &others);
    int alive = any_alive_aggregate(c, &choices) || any_alive_aggregate(c, &others);
    set_free(&choices);
    set_free(&others);
    return alive;
}

/* 1 if I puts a part of an aggregate, which is alive across a safepoint, into its place in an undefined one. */
static int is_joined_again(struct compile *c, LLVMValueRef i) {
    LLVMValueRef part = LLVMIsAInsertValueInst(i) && LLVMIsUndef(LLVMGetOperand(i, 0)) ? LLVMGetOperand(i, 1) : NULL;
    if (!part || !LLVMIsAExtractValueInst(part) || !is_aggregate(i, holds_reference) ||
        LLVMTypeOf(LLVMGetOperand(part, 0)) != LLVMTypeOf(i))
        return 0;
    return live_across(c, part) != NULL;
}

/* Aggregates of F that are put together again after a safepoint begin as null. Of undefined ones LLVM's simplifications,
 * in the steps that follow, would make the old aggregate again, which would be alive across the safepoint. */
static void keep_apart(struct compile *c, LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (is_joined_again(c, i)) {
            LLVMSetOperand(i, 0, LLVMConstNull(LLVMTypeOf(i)));
            deviate(c, DEVIATION_SPLITS);
        }
}

/* Splits the aggregates of references in functions where one is alive across a safepoint. */
sm_status aggregates_split(struct compile *c) {
    assert(c->form == FORM_POLLED);
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (!function_has_statepoints(f))
            continue;
        keep_apart(c, f);
        if (!has_alive_aggregate(c, f, holds_reference))
            continue;
        if (gives_aggregate_to_join(f))
            s = run_passes(c, "function(break-crit-edges)");
        if (s != SM_OK)
            break;
        split_all(c, f, holds_reference);
        deviate(c, DEVIATION_SPLITS);
    }
    if (s == SM_OK && has_deviated(c, DEVIATION_SPLITS)) /* what was put together and is taken apart at once */
        s = run_folding_passes(c, "function(instsimplify)");
    return s;
}

/* Splits F's aggregates of 64-bit words, so that a word in one is a value that is followed, wherever it is alive. */
void words_split(struct compile *c, LLVMValueRef f) {
    split_all(c, f, holds_word);
}
