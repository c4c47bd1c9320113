/* liveness.c - whether a value is alive across a safepoint: looked for backwards, from its uses to its definition. */
#include "analysis.h"
#include "ir.h"

typedef int condition(LLVMValueRef v, LLVMValueRef i);

struct search {
    struct compile *c;
    condition *is_needed; /* NULL: a safepoint is */
    LLVMValueRef value;
    /* so that each instruction between users is looked at once: */
    struct set users;    /* its users, if there are many; for a phi the blocks that it takes the value from */
    struct set clear;    /* those of them between which and the value there is nothing needed */
    struct set passed;   /* users that this search began from or passed */
    struct set seen;     /* blocks that it is live into */
    struct set ends;     /* blocks that it is live out of: each is looked through once */
    LLVMValueRef result; /* the safepoint that it is live across */
};

/* The place that a use is at: its user; of a phi's, the end of the block that it comes from. */
static void *use_place(LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    return LLVMIsAPHINode(user) ? (void *)LLVMGetIncomingBlock(user, use_operand(use)) : user;
}

/* Keeps the users of S->value, if there are many. */
static void keep_users(struct search *s) {
    enum { MANY = 8 };
    int n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(s->value); u && n < MANY; u = LLVMGetNextUse(u))
        n++;
    for (LLVMUseRef u = n < MANY ? NULL : LLVMGetFirstUse(s->value); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)))
            set_add(&s->users, use_place(u));
}

/* 1 if what is before PLACE need not be looked at: it is a user's, and nothing needed lies before it. Notes that it was
 * passed. */
static int is_clear_before(struct search *s, void *place) {
    if (!s->users.count || !set_has(&s->users, place))
        return 0;
    if (set_has(&s->clear, place))
        return 1;
    set_add(&s->passed, place);
    return 0;
}

/* Nothing needed was found, and nothing is left to look at: notes that of the users that were passed. */
static void note_clear(struct search *s) {
    for (size_t i = 0; i < s->passed.count; i++)
        set_add(&s->clear, s->passed.item[i]);
    set_clear(&s->passed);
}

static LLVMValueRef end_search(struct search *s) {
    set_free(&s->users);
    set_free(&s->clear);
    set_free(&s->passed);
    set_free(&s->seen);
    set_free(&s->ends);
    return s->result;
}

/* Goes up from before I (NULL: the block's end), and notes needed instructions that it meets in S->found. 1 if the
 * block's begin was reached without the value's definition, and that is not known to be clear. */
static int scan_live(struct search *s, LLVMBasicBlockRef b, LLVMValueRef i) {
    if (is_clear_before(s, i ? (void *)i : b))
        return 0;
    for (i = i ? LLVMGetPreviousInstruction(i) : LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
        if (i == s->value)
            return 0;
        if (s->is_needed ? s->is_needed(s->value, i) : is_safepoint(s->c, i))
            s->result = i;
        if (is_clear_before(s, i))
            return 0;
    }
    return 1;
}

/* Adds to BEFORE the predecessors of BLOCK. */
static void add_predecessors(LLVMBasicBlockRef block, struct set *before) {
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u))) /* a blockaddress uses it, too */
            set_add(before, LLVMGetInstructionParent(LLVMGetUser(u)));
}

/* Follows the value up into the predecessors of the blocks it is live into, from number FROM of S->seen on, until
 * a needed instruction is found or none are left. */
static void look_before(struct search *s, size_t from) {
    for (size_t i = from; i < s->seen.count && !s->result; i++) {
        size_t first = s->ends.count;
        add_predecessors(s->seen.item[i], &s->ends);
        for (size_t k = s->ends.count; k-- > first && !s->result;) /* uses come last first */
            if (scan_live(s, s->ends.item[k], NULL))
                set_add(&s->seen, s->ends.item[k]);
    }
}

/* Searches backwards from before I (NULL: the block's end) for a needed instruction. */
static void look_from(struct search *s, LLVMBasicBlockRef block, LLVMValueRef i) {
    size_t from = s->seen.count;
    if (scan_live(s, block, i))
        set_add(&s->seen, block);
    look_before(s, from);
    if (!s->result)
        note_clear(s);
}

/* Searches from one use of the value. A phi uses a value at the end of the block that it comes from. */
static void look_from_use(struct search *s, LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user))
        look_from(s, LLVMGetIncomingBlock(user, use_operand(use)), NULL);
    else
        look_from(s, LLVMGetInstructionParent(user), user);
}

/* Searches from all uses of the value, with those in deopt states if a safepoint is needed. */
static LLVMValueRef look_from_uses(struct search *s) {
    keep_users(s);
    for (LLVMUseRef use = LLVMGetFirstUse(s->value); use && !s->result; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue;
        if (!s->is_needed && is_safepoint(s->c, user) && call_bundle_has(user, "deopt", s->value))
            s->result = user;
        else
            look_from_use(s, use);
    }
    return end_search(s);
}

LLVMValueRef live_across_such(struct compile *c, LLVMValueRef v, condition *is_needed) {
    struct search s = {.c = c, .is_needed = is_needed, .value = v};
    return look_from_uses(&s);
}

/* Searches from where PHI takes the value: by way of the value's uses or the phi's blocks, whichever are fewer. */
static void look_from_phi(struct search *s, LLVMValueRef phi) {
    unsigned taken = LLVMCountIncoming(phi), uses = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(s->value); use && uses <= taken; use = LLVMGetNextUse(use))
        uses++;
    for (LLVMUseRef use = uses <= taken ? LLVMGetFirstUse(s->value) : NULL; use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) == phi)
            look_from_use(s, use);
    for (unsigned i = uses <= taken ? 0 : taken; i-- > 0;)
        if (LLVMGetIncomingValue(phi, i) == s->value)
            look_from(s, LLVMGetIncomingBlock(phi, i), NULL);
}

LLVMValueRef crosses(struct compile *c, LLVMValueRef v, LLVMValueRef user) {
    struct search s = {.c = c, .value = v};
    if (LLVMIsAPHINode(user))
        look_from_phi(&s, user);
    else
        look_from(&s, LLVMGetInstructionParent(user), user);
    return end_search(&s);
}
