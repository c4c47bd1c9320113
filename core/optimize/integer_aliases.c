/* integer_aliases.c - references that live on as integers, or as pointers of other address spaces, across a
 * safepoint.
 *
 * The collector moves what a reference points to, and sees references alone. Of a reference that was cast to an
 * integer or to another address space it sees nothing, and after the next safepoint the copy is a stale address. So
 * what is computed from such a cast is followed, after the rewrite, where every safepoint can be seen:
 *
 *   - as an address: through additions, subtractions, masks, getelementptr, casts, phi, select, vectors. Behind a
 *     safepoint it must not be used: loaded from, stored to, stored itself, given to a call, returned, cast back.
 *   - as a number: what shifts, multiplications and truncations make of it. It must not become a pointer again behind
 *     a safepoint, nor be alive across one as such, unless it is an immediate number (int_to_ref.c).
 *   - as nothing: comparisons and differences of two addresses that are both from before a safepoint or both from after
 *     it, the lowest and the highest bits (tags).
 *
 * A reference that was cast back from an address, tagged for example, is a base of its own to LLVM's rewrite: no
 * safepoint may have it in its list.
 */
#include "aliases.h"
#include "analysis.h"
#include "cfg.h"
#include "ir.h"
#include "marks.h"
#include "optimize.h"
#include "reference_layout.h"
#include "scopes.h"

/* 1 if an argument of CALL is a reference. */
static int takes_reference(LLVMValueRef call) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (is_reference(LLVMGetOperand(call, i)))
            return 1;
    return 0;
}

/* 1 if V is inline assembly with an input tied to an output. */
static int is_tied_assembly(LLVMValueRef v) {
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    size_t len = 0;
    const char *constraints =
        callee && LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmConstraintString(callee, &len) : NULL;
    for (size_t i = 0; i < len; i++)
        if (constraints[i] >= '0' && constraints[i] <= '9' && (i == 0 || constraints[i - 1] == ','))
            return 1;
    return 0;
}

/* 1 if V is inline assembly that takes a reference and gives an integer or other pointer, with an input tied to an
 * output: it may give the reference's address. */
static int is_cast_by_assembly(LLVMValueRef v) {
    return is_tied_assembly(v) && !holds_reference(LLVMTypeOf(v)) && is_address_wide(LLVMTypeOf(v)) &&
           takes_reference(v);
}

/* 1 if the load reads the raw pointer of a pin from its slot: the object does not move. */
static int is_raw_pointer(const struct compile *c, LLVMValueRef load) {
    LLVMValueRef slot = LLVMGetOperand(load, 0);
    if (!LLVMIsALoadInst(load) || !LLVMGetVolatile(load)) /* pins.c */
        return 0;
    const struct region *r = LLVMIsAAllocaInst(slot) ? region_find(c, slot) : NULL;
    return (r && r->bits & SM_FACT_PINNED) || (LLVMIsAAllocaInst(slot) && scope_has_mark(slot, SCOPE_PIN));
}

/* 1 if V makes of a reference something that is not reported to the collector: a cast to an integer or another
 * address space, a load of its bits, or inline assembly. What constants are does not move. */
static int is_alias_source(const struct compile *c, LLVMValueRef v) {
    if (flow_at(v, 0) & (FLOW_BITS | FLOW_SPACE))
        return is_reference(LLVMGetOperand(v, 0)) && !is_reference(v) && !LLVMIsAConstant(LLVMGetOperand(v, 0));
    if (alias_reads_memory(v))
        return !holds_reference(LLVMTypeOf(v)) && !is_raw_pointer(c, v) &&
               !set_has(&c->casts, LLVMGetOperand(v, 0)) && set_has(&c->optimize.facts->read_anew, v);
    return is_cast_by_assembly(v);
}

/* ---- What a user makes of an alias -------------------------------------------------------------------------- */

enum outcome {
    NOTHING,
    ADDRESS,   /* the user's value is one still */
    PERHAPS,   /* it may be one, or nothing */
    NUMBER,    /* it is computed from one */
    USED,      /* as an address */
    USED_LATE, /* as an address, after the safepoint that the user is */
};

/* The value of V if it is a constant of at most 64 bits, else OTHERWISE. */
static unsigned long long constant_of(LLVMValueRef v, unsigned long long otherwise) {
    return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetZExtValue(v)
                                                                             : otherwise;
}

/* What an operation on two addresses gives, APART if both are of one source. Where several sources are followed at once,
 * the other may be of another one: then it is an address, PERHAPS. */
static enum outcome of_two_addresses(struct aliases *a, enum outcome apart) {
    a->is_unclear |= a->jointly;
    return a->jointly ? PERHAPS : apart;
}

/* What the integer operation USER makes of the alias V: another address, a number, or (a tag, the distance of two
 * addresses) nothing that a collection could make wrong. */
static enum outcome of_arithmetic(struct aliases *a, LLVMValueRef user, LLVMValueRef v) {
    enum { LOW_BITS = 0xffff, TAG_SHIFT = 48 };
    LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == v ? 1 : 0);
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMAdd:
    case LLVMOr:
        return ADDRESS;
    case LLVMXor:
        return set_has(&a->all, other) ? of_two_addresses(a, NUMBER) : ADDRESS;
    case LLVMSub:
        if (is_alias_source(a->c, other))
            return NOTHING;
        return set_has(&a->all, other) ? of_two_addresses(a, NOTHING) : ADDRESS;
    case LLVMAnd:
        return constant_of(other, ~0ull) <= LOW_BITS ? NOTHING : ADDRESS;
    case LLVMLShr:
    case LLVMAShr:
        return constant_of(other, 0) >= TAG_SHIFT ? NOTHING : NUMBER;
    case LLVMURem:
        return constant_of(other, ~0ull) <= LOW_BITS ? NOTHING : NUMBER;
    default:
        return NUMBER;
    }
}

/* 1 if CALL is an intrinsic for debuggers, assumptions or lifetimes, which does not use the address. */
static int is_marker(LLVMValueRef call) {
    return is_intrinsic(call, "llvm.dbg.") || is_intrinsic(call, "llvm.assume") ||
           is_intrinsic(call, "llvm.lifetime.");
}

/* What CALL does with the alias V: a safepoint that lists it uses it after the call (USED_LATE), other calls use it
 * as an address; of an intrinsic's result, whether it is still one. */
static enum outcome of_call(struct aliases *a, LLVMValueRef call, LLVMValueRef v) {
    const char *name = intrinsic_name(call);
    if (is_safepoint(a->c, call))
        return call_bundle_has(call, "deopt", v) || (is_reference(v) && call_bundle_has(call, "gc-live", v))
                   ? USED_LATE
                   : USED;
    if (is_marker(call))
        return NOTHING;
    if (name && starts_with(name, "llvm.experimental.gc."))
        return NOTHING; /* what becomes of its statepoint's list */
    if (name && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        return is_pointer(call) ? ADDRESS : NUMBER;
    return USED;
}

/* 1 if CALL, which uses the alias V, may give it back as well. */
static int gives_back(LLVMValueRef call, LLVMValueRef v) {
    return is_call(call) && (flow_of(call, v) & FLOW_BACK || is_tied_assembly(call) || body_gives_back(call, v));
}

/* 1 if V is computed from a reference by casts and getelementptr only: then LLVM's rewrite finds its base. */
static int is_straight_way(LLVMValueRef v) {
    enum { STEPS = 100 };
    for (int i = 0; i < STEPS && v; i++) {
        if (is_reference(v) && i)
            return 1;
        if (!(flow_at(v, 0) & FLOW_STEPS))
            return 0;
        v = LLVMGetOperand(v, 0);
    }
    return 0;
}

/* What USER makes of the alias V, by its opcode. */
static enum outcome outcome_of(struct aliases *a, LLVMValueRef user, LLVMValueRef v) {
    if (flow_of(user, v) & (FLOW_SAME | FLOW_CAST | FLOW_CHOICE | FLOW_EXTREME | FLOW_MASK | FLOW_BITS | FLOW_WIDER |
                            FLOW_VECTOR | FLOW_STRUCT))
        return ADDRESS;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMICmp:
        return NOTHING;
    case LLVMAddrSpaceCast:
        return is_reference(user) && is_straight_way(user) ? USED : ADDRESS;
    case LLVMGetElementPtr:
        return LLVMGetOperand(user, 0) == v || LLVMIsAConstant(LLVMGetOperand(user, 0)) ? ADDRESS : NOTHING;
    case LLVMInsertElement: /* the number of a lane */
    case LLVMExtractElement:
        return ADDRESS;
    case LLVMTrunc:
        return LLVMGetIntTypeWidth(element_type(LLVMTypeOf(user))) <= 16 ? NOTHING : NUMBER;
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMRet:
    case LLVMIndirectBr:
    case LLVMVAArg:
        return USED;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return of_call(a, user, v);
    case LLVMSelect: /* its condition */
    case LLVMBr:
    case LLVMSwitch:
        return NOTHING;
    default:
        return LLVMIsABinaryOperator(user) ? of_arithmetic(a, user, v) : NUMBER;
    }
}

/* Marks of a cast to a reference, which the optimiser keeps: it was computed from an immediate number; of an address.
 * From ((x >> 1) + 1) << 1 | 1 it makes a sum of an address and a number. */
static const char *const marks[] = {IMMEDIATE_METADATA, ADDRESS_METADATA};

enum { IMMEDIATE, OF_ADDRESS, MARKS };

static unsigned mark_kind(const struct compile *c, int mark) {
    return LLVMGetMDKindIDInContext(c->context, marks[mark], (unsigned)strlen(marks[mark]));
}

/* Marks the cast I; NULL takes the mark away. */
static void set_mark(const struct compile *c, LLVMValueRef i, int mark, LLVMMetadataRef node) {
    LLVMSetMetadata(i, mark_kind(c, mark), node ? LLVMMetadataAsValue(c->context, node) : NULL);
}

/* ---- The walk ----------------------------------------------------------------------------------------------- */

/* Sets a->status, with a diagnostic: USER uses what was computed from a cast reference (FROM) across the safepoint of
 * LATE, or is that safepoint and lists it. */
static void refuse_alias(struct aliases *a, const struct alias *from, LLVMValueRef user, struct late late) {
    LLVMValueRef safepoint = late.value ? crosses(a->c, late.value, late.use) : late.use;
    for (int mark = 0; LLVMIsAIntToPtrInst(user) && mark < MARKS; mark++)
        set_mark(a->c, user, mark, NULL); /* not in the message */
    if (is_safepoint(a->c, user) && user == safepoint)
        a->status =
            fail(a->c, SM_SAFEPOINT_VIOLATION, a->function,
                 "A reference is cast by '%.300s', and what was computed from it is alive across the call of %.200s: "
                 "the map would have no base for it, or a wrong one",
                 value_text(from->source), safepoint_name(safepoint));
    else
        a->status =
            fail(a->c, SM_SAFEPOINT_VIOLATION, a->function,
                 "A reference is cast by '%.300s', and what was computed from it is used by '%.300s' after the call "
                 "of %.200s, which may have moved it: cast again after the call",
                 value_text(from->source), value_text(user), safepoint_name(safepoint));
}

/* USER is wrong: it uses the alias FROM, and is LATE. Repairs it, or ends the walk. */
static void note_wrong(struct aliases *a, const struct alias *from, LLVMValueRef user, struct late late) {
    a->wrong = *from;
    a->user = user;
    if (a->repair && a->repair(a))
        return;
    a->status = SM_SAFEPOINT_VIOLATION;
    if (!a->quiet)
        refuse_alias(a, from, user, late);
}

enum { AS_NUMBER = 1, LATE = 2 }; /* as what a value is followed */

/* 1 if V is followed as what is at least as bad (after a safepoint, still an address) as STATE. */
static int is_followed_as(const struct aliases *a, LLVMValueRef v, unsigned state) {
    static const unsigned char as_bad[] = {1 << 0 | 1 << LATE, 0xf, 1 << LATE, 1 << LATE | 1 << (LATE | AS_NUMBER)};
    size_t i = set_number(&a->values, v);
    return i < a->values.count && a->followed[i].states & as_bad[state];
}

void alias_add(struct aliases *a, struct alias new) {
    unsigned state = (new.number ? AS_NUMBER : 0) | (new.late.use ? LATE : 0);
    if (is_followed_as(a, new.value, state))
        return;
    size_t i = set_number(&a->values, new.value);
    if (i == a->values.count) {
        a->followed = xgrow(a->followed, i, &a->followed_room, sizeof *a->followed);
        a->followed[i] = (struct followed){.from = new.from};
        set_add_again(&a->values, new.value);
    }
    a->followed[i].states |= (unsigned char)(1 << state);
    a->alias = xgrow(a->alias, a->count, &a->room, sizeof *a->alias);
    a->alias[a->count++] = new;
}

/* 1 if the outcome O of USER is an error when a safepoint lies between: a use as an address, or a cast to a pointer.
 * A number is an error only where it becomes a pointer. */
static int is_wrong(const struct alias *from, LLVMValueRef user, enum outcome o) {
    if (o == USED || o == USED_LATE)
        return !from->number || is_pointer(from->value);
    return o == ADDRESS && is_pointer(user) && flow_of(user, from->value) & FLOW_BITS;
}

/* 1 if the pointer leads into a stack slot of the function, by getelementptr and bitcasts. */
static int is_in_slot(LLVMValueRef pointer) {
    enum { STEPS = 100 }; /* in a block that is never reached a value may be its own operand */
    for (int i = 0; i < STEPS && (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer)); i++)
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) != NULL;
}

/* What makes USER late, if a safepoint lies between V and it. */
static struct late late_between(struct aliases *a, LLVMValueRef v, LLVMValueRef user) {
    return crossings_between(&a->c->optimize.facts->crossings, a->c, v, user) ? (struct late){v, user}
                                                                              : (struct late){0};
}

/* Refuses a comparison or difference USER of two addresses, if a safepoint lies before one only: then one is
 * stale. */
static void compare(struct aliases *a, const struct alias *from, LLVMValueRef user) {
    struct late late = from->late;
    if ((!LLVMIsAICmpInst(user) && LLVMGetInstructionOpcode(user) != LLVMSub) || from->number)
        return;
    LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == from->value ? 1 : 0);
    if (!LLVMIsAInstruction(other) || other == from->value)
        return;
    if (!late.use)
        late = late_between(a, from->value, user);
    if (late.use && !late_between(a, other, user).use)
        note_wrong(a, from, user, late);
}

/* 1 if the integer V is computed from a reference's address, in at most DEPTH operations. */
static int is_alias_of_address(const struct aliases *a, LLVMValueRef v, int depth) {
    if (set_has(&a->all, v) || is_alias_source(a->c, v))
        return 1;
    return depth && LLVMIsABinaryOperator(v) &&
           (is_alias_of_address(a, LLVMGetOperand(v, 0), depth - 1) ||
            is_alias_of_address(a, LLVMGetOperand(v, 1), depth - 1));
}

/* 1 if V is the sum of two addresses, perhaps with tags set or taken off: that is no address. The optimiser makes such
 * sums of numbers that were shifted before they were added, and shifted back. */
static int is_sum_of_two(const struct aliases *a, LLVMValueRef v) {
    enum { STEPS = 4, DEPTH = 3 };
    for (int i = 0; i < STEPS && LLVMIsABinaryOperator(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)); i++)
        v = LLVMGetOperand(v, 0);
    return LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
           is_alias_of_address(a, LLVMGetOperand(v, 0), DEPTH) && is_alias_of_address(a, LLVMGetOperand(v, 1), DEPTH);
}

/* 1 if the cast I was computed from an immediate number alone before the optimiser, in a module that was in order. */
static int was_immediate(const struct compile *c, LLVMValueRef i) {
    return c->form != FORM_VERIFIED && c->optimize.aliases_sound && LLVMGetMetadata(i, mark_kind(c, IMMEDIATE)) &&
           !LLVMGetMetadata(i, mark_kind(c, OF_ADDRESS));
}

/* 1 if USER makes a reference of the alias FROM, and that is a number that the collector tells from an object by its
 * bits. Before the optimiser, notes what it is. */
static int makes_immediate(struct aliases *a, const struct alias *from, LLVMValueRef user, int is_late) {
    if (!LLVMIsAIntToPtrInst(user) || !is_reference(user))
        return 0;
    int is_number = from->number || is_sum_of_two(a, from->value);
    int immediate = !is_late && is_number && is_immediate(from->value);
    a->is_unclear |= a->jointly && immediate && !from->number; /* perhaps a sum of addresses of several sources */
    if (a->is_unclear) {
        a->status = SM_SAFEPOINT_VIOLATION;
        return 1;
    }
    if (a->c->form == FORM_VERIFIED)
        set_mark(a->c, user, immediate ? IMMEDIATE : OF_ADDRESS, LLVMMDNodeInContext2(a->c->context, NULL, 0));
    return immediate || (!is_late && was_immediate(a->c, user));
}

/* Takes all marks away. */
static void remove_marks(struct compile *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
            for (int m = 0; LLVMIsAIntToPtrInst(i) && m < MARKS; m++)
                set_mark(c, i, m, NULL);
}

/* Looks at one use of the alias FROM: refuses it if it is an error after a safepoint; else, if USER makes another
 * address or number of it, adds that as an alias. */
static void follow_alias(struct aliases *a, struct alias from, LLVMValueRef user) {
    enum outcome o = outcome_of(a, user, from.value);
    struct late late = from.late;
    if (o == NOTHING || o == PERHAPS)
        compare(a, &from, user);
    if (o == NOTHING || a->status != SM_OK)
        return;
    o = o == PERHAPS ? ADDRESS : o;
    if (!late.use)
        late = late_between(a, from.value, user);
    if (flow_access(user).value == from.value) {
        struct alias stored = from;
        stored.late = late;
        alias_follow_memory(a, stored, user);
        if (is_in_slot(flow_access(user).to) && !alias_is_reference_slot(flow_access(user).to))
            return;
    }
    if (o == USED_LATE && !late.use)
        late = (struct late){NULL, user};
    if (makes_immediate(a, &from, user, late.use != NULL))
        return;
    if (a->status == SM_OK && late.use && is_wrong(&from, user, o))
        note_wrong(a, &from, user, late);
    else if (a->status == SM_OK && ((o != USED && o != USED_LATE) || gives_back(user, from.value)))
        alias_add(a, (struct alias){user, from.source, from.value, late,
                                    !is_pointer(user) && (from.number || o == NUMBER)});
}

/* Collects in a->all every value that is still an address, whether safepoints lie between or not. */
static void find_all_alias(struct aliases *a) {
    for (size_t i = 0; i < a->all.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(a->all.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            enum outcome o = LLVMIsAInstruction(user) ? outcome_of(a, user, a->all.item[i]) : NOTHING;
            if (o == ADDRESS || o == PERHAPS)
                set_add(&a->all, user);
        }
}

/* Follows every use of every alias until there are no new ones, or one is an error: of several sources the newest first, to
 * find an error soon. */
static void walk(struct aliases *a) {
    struct set users = {0};
    for (size_t i = 0; a->status == SM_OK && i < a->count;) {
        struct alias from = a->jointly ? a->alias[--a->count] : a->alias[i++];
        set_clear(&users);
        for (LLVMUseRef use = LLVMGetFirstUse(from.value); use; use = LLVMGetNextUse(use))
            if (LLVMIsAInstruction(LLVMGetUser(use)))
                set_add(&users, LLVMGetUser(use));
        for (size_t k = 0; a->status == SM_OK && k < users.count; k++) /* a repair takes uses away */
            follow_alias(a, from, users.item[k]);
    }
    set_free(&users);
}

void aliases_follow(struct aliases *a, LLVMValueRef source) {
    set_add(&a->all, source);
    find_all_alias(a);
    alias_add(a, (struct alias){.value = source, .source = source});
    walk(a);
}

/* ---- All casts of a function ------------------------------------------------------------------------------------ */

/* What I writes to memory, by a store, an exchange or another atomic operation; NULL if it writes nothing so. */
static LLVMValueRef written_by(LLVMValueRef i) {
    return is_call(i) ? NULL : flow_access(i).value;
}

/* 1 if I reads as something else than a reference. What an exchange gives of a place that is kept current is a reference
 * that frontends cast back at once. */
static int may_read_anew(const struct compile *c, LLVMValueRef i) {
    return alias_reads_memory(i) && !holds_reference(LLVMTypeOf(i)) &&
           (LLVMIsALoadInst(i) || !alias_is_kept_current(c, LLVMGetOperand(i, 0)));
}

/* Notes what reads a place where a reference was stored: of a stack slot anywhere, of others before, in the block. */
static void find_reads_anew(struct compile *c, LLVMValueRef f, struct set *anew) {
    struct set slots = {0}, here = {0}, reads = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        set_clear(&here);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef written = written_by(i), to = written ? flow_access(i).to : NULL;
            if (written && is_reference(written))
                set_add(LLVMIsAAllocaInst(to) ? &slots : &here, to);
            if (!may_read_anew(c, i))
                continue;
            if (LLVMIsAAllocaInst(LLVMGetOperand(i, 0)))
                set_add(&reads, i);
            else if (set_has(&here, LLVMGetOperand(i, 0)))
                set_add(anew, i);
        }
    }
    for (size_t k = 0; k < reads.count; k++)
        if (set_has(&slots, LLVMGetOperand(reads.item[k], 0)))
            set_add(anew, reads.item[k]);
    set_free(&slots);
    set_free(&here);
    set_free(&reads);
}

static void find_alias_facts(struct alias_facts *facts, struct compile *c, LLVMValueRef f) {
    find_reads_anew(c, f, &facts->read_anew);
    c->optimize.facts = facts;
}

/* Adds to SOURCES the casts out of the references in F. */
static void find_alias_sources(const struct compile *c, LLVMValueRef f, struct set *sources) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (is_alias_source(c, i))
            set_add(sources, i);
}

/* 1 if nothing that is computed from one of SOURCES can be wrong. All are followed at once, so that what is computed from
 * many of them is looked at once: what is wrong of one is then found, but not of which one. */
static int all_clear(struct compile *c, LLVMValueRef f, const struct set *sources) {
    struct aliases a = {.c = c, .function = f, .quiet = 1, .jointly = 1};
    for (size_t i = 0; i < sources->count; i++)
        set_add(&a.all, sources->item[i]);
    find_all_alias(&a);
    a.is_unclear = 0;
    for (size_t i = 0; i < sources->count; i++)
        alias_add(&a, (struct alias){.value = sources->item[i], .source = sources->item[i]});
    walk(&a);
    aliases_free(&a);
    return a.status == SM_OK;
}

sm_status aliases_visit_function(struct compile *c, LLVMValueRef f, value_check *check) {
    struct alias_facts facts = {0};
    struct set sources = {0};
    sm_status s = SM_OK;
    find_alias_facts(&facts, c, f);
    find_alias_sources(c, f, &sources);
    if (sources.count == 1 || !all_clear(c, f, &sources))
        for (LLVMValueRef i = first_instruction(f); s == SM_OK && i; i = instruction_after(i))
            if (is_alias_source(c, i))
                s = check(c, f, i);
    alias_facts_free(&facts, c);
    set_free(&sources);
    return s;
}

int aliases_any(struct compile *c) {
    struct set sources = {0};
    for (LLVMValueRef f = first_with_statepoints(c->module); f && !sources.count; f = next_with_statepoints(f)) {
        struct alias_facts facts = {0};
        find_alias_facts(&facts, c, f);
        find_alias_sources(c, f, &sources);
        alias_facts_free(&facts, c);
    }
    int result = sources.count != 0;
    set_free(&sources);
    return result;
}

/* Refuses uses across safepoints of what is computed from V, a cast out of the references. */
static sm_status check_source_alias(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    struct aliases a = {.c = c, .function = f};
    aliases_follow(&a, v);
    aliases_free(&a);
    return a.status;
}

/* Refuses casts of references whose results are used across a safepoint. Requires the rewritten module. */
sm_status aliases_check(struct compile *c) {
    assert(c->form == FORM_REWRITTEN);
    sm_status s = aliases_visit(c, check_source_alias);
    remove_marks(c);
    return s;
}
