/* nan_boxes.c - doubles that are integers as well, as numbers and references in one box are (boxed NaNs).
 *
 * In a function with tagged references (tags.c) a double that is cast to an integer, or was cast from one, may hold a
 * reference. Where one is alive across a safepoint, or chosen and then cast, all of them become integers where they are defined: a phi, a
 * select, a freeze, a change of sign is one of integers, and what uses a double gets a cast right before it. What is
 * alive then is the integer, which tags.c keeps in a slot.
 *
 * Requires aggregates split (words_split).
 */
#include "aggregate_parts.h"
#include "analysis.h"
#include "ir.h"
#include "tagged_slots.h"

struct boxes {
    struct compile *c;
    LLVMValueRef function;
    LLVMTypeRef f64, i64;
    LLVMBuilderRef b;   /* owned */
    struct set all;     /* the doubles */
    LLVMValueRef *word; /* owned: the integer of each */
};

static int is_double(const struct boxes *x, LLVMValueRef v) {
    return LLVMTypeOf(v) == x->f64;
}

/* 1 if V is a bitcast of a value of type FROM to type TO. */
static int casts(LLVMValueRef v, LLVMTypeRef from, LLVMTypeRef to) {
    return LLVMIsABitCastInst(v) && LLVMTypeOf(v) == to && LLVMTypeOf(LLVMGetOperand(v, 0)) == from;
}

/* 1 if V is a call of llvm.fabs on a double. */
static int is_absolute(LLVMValueRef v) {
    const char *name = intrinsic_name(v);
    return name && strcmp(name, "llvm.fabs.f64") == 0;
}

static int is_negation(LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMFNeg;
}

/* 1 if V gives one of its operands, perhaps with another sign: a phi, select, freeze, negation or absolute value. */
static int is_choice(LLVMValueRef v) {
    return LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v) || is_negation(v) || is_absolute(v);
}

/* ---- Which ---------------------------------------------------------------------------------------------------- */

/* Replaces each cast of a double to an integer and back, or the reverse, by what was cast. */
static void fold_casts(struct boxes *x, LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMValueRef v = LLVMIsABitCastInst(i) ? LLVMGetOperand(i, 0) : NULL;
        if (!v || !LLVMIsABitCastInst(v) || !(casts(v, x->f64, x->i64) || casts(v, x->i64, x->f64)) ||
            LLVMTypeOf(LLVMGetOperand(v, 0)) != LLVMTypeOf(i))
            continue;
        replace_value(i, LLVMGetOperand(v, 0));
    }
}

/* Adds V to the doubles that may hold a reference, if it is a double and no constant. */
static void add_box(struct boxes *x, LLVMValueRef v) {
    if (is_double(x, v) && !LLVMIsAConstant(v))
        set_add(&x->all, v);
}

/* Adds the doubles that V, if it is a choice, takes, and the choices that take V. */
static void add_around(struct boxes *x, LLVMValueRef v) {
    unsigned n = LLVMIsAPHINode(v) ? LLVMCountIncoming(v) : is_choice(v) ? (unsigned)LLVMGetNumOperands(v) : 0;
    for (unsigned i = 0; i < n; i++)
        add_box(x, LLVMIsAPHINode(v) ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i));
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && is_choice(LLVMGetUser(u)))
            add_box(x, LLVMGetUser(u));
}

/* Collects all doubles of the function that are cast to or from an integer, and what is connected with them by
 * choices. */
static void find_all_box(struct boxes *x) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function); b; b = LLVMGetNextBasicBlock(b)) {
        fold_casts(x, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (casts(i, x->f64, x->i64))
                add_box(x, LLVMGetOperand(i, 0));
            if (casts(i, x->i64, x->f64))
                add_box(x, i);
        }
    }
    for (size_t i = 0; i < x->all.count; i++)
        add_around(x, x->all.item[i]);
}

/* 1 if a phi, select or the like of doubles is cast to an integer: what it takes may be a reference, and is followed as
 * one of integers. */
static int is_choice_cast(const struct boxes *x) {
    for (size_t i = 0; i < x->all.count; i++)
        for (LLVMUseRef u = is_choice(x->all.item[i]) ? LLVMGetFirstUse(x->all.item[i]) : NULL; u;
             u = LLVMGetNextUse(u))
            if (casts(LLVMGetUser(u), x->f64, x->i64))
                return 1;
    return 0;
}

/* 1 if one of the doubles is alive across a safepoint. */
static int any_alive_box(struct boxes *x) {
    for (size_t i = 0; i < x->all.count; i++)
        if (live_across(x->c, x->all.item[i]))
            return 1;
    return 0;
}

/* ---- Their integers -------------------------------------------------------------------------------------------- */

/* Builds a cast of the double V to an integer. */
static LLVMValueRef as_word_box(struct boxes *x, LLVMValueRef v) {
    return LLVMBuildBitCast(x->b, v, x->i64, "");
}

/* Builds a phi of integers beside PHI; each incoming double is cast at the end of its block. */
static LLVMValueRef word_of_phi(struct boxes *x, LLVMValueRef phi) {
    LLVMPositionBuilderBefore(x->b, phi);
    LLVMValueRef word = LLVMBuildPhi(x->b, x->i64, "");
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMValueRef value = NULL;
        for (unsigned i = 0; i < k && !value; i++) /* one value for all edges from a block */
            if (LLVMGetIncomingBlock(phi, i) == from)
                value = LLVMGetIncomingValue(word, i);
        LLVMPositionBuilderBefore(x->b, LLVMGetBasicBlockTerminator(from));
        value = value ? value : as_word_box(x, LLVMGetIncomingValue(phi, k));
        LLVMAddIncoming(word, &value, &from, 1);
    }
    return word;
}

/* Builds the integer of the double V, of the operands of a choice or as a cast right after V; NULL if no instruction
 * can stand there. */
static LLVMValueRef word_of(struct boxes *x, LLVMValueRef v) {
    const uint64_t sign = UINT64_C(1) << 63;
    LLVMValueRef place = is_choice(v) ? v : place_after(x->function, v);
    if (casts(v, x->i64, x->f64))
        return LLVMGetOperand(v, 0);
    if (LLVMIsAPHINode(v))
        return word_of_phi(x, v);
    if (!place)
        return NULL;
    LLVMPositionBuilderBefore(x->b, place);
    if (LLVMIsASelectInst(v))
        return LLVMBuildSelect(x->b, LLVMGetOperand(v, 0), as_word_box(x, LLVMGetOperand(v, 1)),
                               as_word_box(x, LLVMGetOperand(v, 2)), "");
    if (LLVMIsAFreezeInst(v))
        return LLVMBuildFreeze(x->b, as_word_box(x, LLVMGetOperand(v, 0)), "");
    if (is_negation(v))
        return LLVMBuildXor(x->b, as_word_box(x, LLVMGetOperand(v, 0)), LLVMConstInt(x->i64, sign, 0), "");
    if (is_absolute(v))
        return LLVMBuildAnd(x->b, as_word_box(x, LLVMGetOperand(v, 0)), LLVMConstInt(x->i64, ~sign, 0), "");
    return as_word_box(x, v);
}

/* Builds the integer of each double in x->word; fails where an invoke's result has no block in which a cast could
 * stand. */
static sm_status make_words(struct boxes *x) {
    for (size_t i = 0; i < x->all.count; i++) {
        LLVMValueRef v = x->all.item[i];
        int invoked = 0;
        for (unsigned k = 0; LLVMIsAPHINode(v) && k < LLVMCountIncoming(v); k++)
            invoked |= LLVMGetIncomingValue(v, k) == LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v, k));
        x->word[i] = invoked ? NULL : word_of(x, v);
        if (!x->word[i])
            return fail(x->c, SM_INVALID_GCROOT, x->function,
                        "%%%.200s may hold a tagged reference, and comes from an invoke whose normal edge leads to "
                        "where others lead as well: give it a block of its own",
                        value_name(v));
    }
    return SM_OK;
}

/* ---- What uses them -------------------------------------------------------------------------------------------- */

/* Replaces V in all its users by WORD: casts to integers become WORD itself, other users get a cast back right before
 * them; choices are left, as they go away. */
static void replace_in(struct boxes *x, LLVMValueRef v, LLVMValueRef word) {
    struct set users = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && LLVMGetUser(u) != word)
            set_add(&users, LLVMGetUser(u));
    for (size_t k = 0; k < users.count; k++) {
        LLVMValueRef user = users.item[k];
        if (is_double(x, user) && is_choice(user))
            continue; /* it is one of integers now */
        if (casts(user, x->f64, x->i64)) {
            replace_value(user, word);
            continue;
        }
        LLVMPositionBuilderBefore(x->b, user);
        replace_operand(user, v, LLVMBuildBitCast(x->b, word, x->f64, ""));
    }
    set_free(&users);
}

/* Erases the phis, selects and the like of doubles, whose users all take integers now. */
static void erase_choices(struct boxes *x) {
    for (size_t i = 0; i < x->all.count; i++)
        if (is_choice(x->all.item[i]))
            LLVMReplaceAllUsesWith(x->all.item[i], LLVMGetPoison(x->f64));
    for (size_t i = 0; i < x->all.count; i++)
        if (is_choice(x->all.item[i]))
            LLVMInstructionEraseFromParent(x->all.item[i]);
}

/* Makes the doubles of F that may hold a reference integers, if any of them is alive across a safepoint, or one that is
 * chosen is cast. Requires
 * aggregates split. */
sm_status boxed_to_words(struct compile *c, LLVMValueRef f) {
    struct boxes x = {
        .c = c, .function = f, .f64 = LLVMDoubleTypeInContext(c->context), .i64 = LLVMInt64TypeInContext(c->context)};
    sm_status s = SM_OK;
    x.b = LLVMCreateBuilderInContext(c->context);
    find_all_box(&x);
    if (!any_alive_box(&x) && !is_choice_cast(&x))
        goto out;
    x.word = xcalloc(x.all.count + 1, sizeof *x.word);
    if ((s = make_words(&x)) != SM_OK)
        goto out;
    for (size_t i = 0; i < x.all.count; i++)
        replace_in(&x, x.all.item[i], x.word[i]);
    erase_choices(&x);
out:
    LLVMDisposeBuilder(x.b);
    set_free(&x.all);
    free(x.word);
    return s;
}
