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

/* 1 if A is B, or stands before it in the same block. */
static int is_before(LLVMValueRef a, LLVMValueRef b) {
    if (LLVMGetInstructionParent(a) != LLVMGetInstructionParent(b))
        return 0;
    while (a && a != b)
        a = LLVMGetNextInstruction(a);
    return a == b;
}

/* What I writes to memory, by a store, an exchange or another atomic operation; NULL if it writes nothing so. */
static LLVMValueRef written_by(LLVMValueRef i) {
    return is_call(i) ? NULL : flow_access(i).value;
}

/* Where I writes it. */
static LLVMValueRef place_written(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

/* 1 if I reads what is in memory: a load, or an atomic operation, which gives what was there before. */
static int reads_memory(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* 1 if the place is one whose references the collector keeps current: in an object, or in a slot or global of a type
 * that has some. A slot that no safepoint reports is refused elsewhere. */
static int is_kept_current(const struct compile *c, LLVMValueRef pointer) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    LLVMValueRef origin = stepped_from(pointer, FLOW_STEP | FLOW_CAST);
    return is_reference(pointer) || (LLVMIsAAllocaInst(origin) && holds_root(data, LLVMGetAllocatedType(origin))) ||
           (LLVMIsAGlobalVariable(origin) && holds_root(data, LLVMGlobalGetValueType(origin)));
}

/* 1 if LOAD, or an atomic operation, reads as something else than a reference a place where a reference was stored. Of
 * places that aliases_visit knows, only those are looked at that have one: a global may have as many uses as there are
 * loads. What an exchange gives of a place that is kept current is a reference that frontends cast back at once. */
static int is_read_anew(const struct compile *c, LLVMValueRef load) {
    LLVMValueRef place = LLVMGetOperand(load, 0);
    if (c->optimize.stores_known_of && c->optimize.stores_known_of == function_of(load) &&
        !set_has(&c->optimize.stored_to, place))
        return 0;
    if (!LLVMIsALoadInst(load) && is_kept_current(c, place))
        return 0;
    for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef store = LLVMGetUser(use);
        if (written_by(store) && place_written(store) == place && is_reference(written_by(store)) &&
            (LLVMIsAAllocaInst(place) || is_before(store, load)))
            return 1;
    }
    return 0;
}

/* 1 if the stack slot is reported to the collector, with the mask of its tags. */
static int is_tagged_slot(const struct compile *c, LLVMValueRef slot) {
    const struct region *r = LLVMIsAAllocaInst(slot) ? region_find(c, slot) : NULL;
    return r && r->bits & SM_FACT_MASK;
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
    if (reads_memory(v))
        return !holds_reference(LLVMTypeOf(v)) && !is_raw_pointer(c, v) &&
               !set_has(&c->casts, LLVMGetOperand(v, 0)) && is_read_anew(c, v);
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

/* Sets a->status, with a diagnostic: USER uses what was computed from a cast reference (FROM) across SAFEPOINT, or is
 * that safepoint and lists it. */
static void refuse_alias(struct aliases *a, const struct alias *from, LLVMValueRef user, LLVMValueRef safepoint) {
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

/* USER is wrong: it uses the alias FROM, and SAFEPOINT lies between. Repairs it, or ends the walk. */
static void note_wrong(struct aliases *a, const struct alias *from, LLVMValueRef user, LLVMValueRef safepoint) {
    a->wrong = *from;
    a->user = user;
    if (a->repair && a->repair(a))
        return;
    a->status = SM_SAFEPOINT_VIOLATION;
    if (!a->quiet)
        refuse_alias(a, from, user, safepoint);
}

enum { AS_NUMBER = 1, LATE = 2 }; /* as what a value is followed */

/* 1 if V is followed as what is at least as bad (after a safepoint, still an address) as STATE. */
static int is_followed_as(const struct aliases *a, LLVMValueRef v, unsigned state) {
    static const unsigned char as_bad[] = {1 << 0 | 1 << LATE, 0xf, 1 << LATE, 1 << LATE | 1 << (LATE | AS_NUMBER)};
    size_t i = set_number(&a->values, v);
    return i < a->values.count && a->followed[i].states & as_bad[state];
}

/* Appends an alias to be followed, unless one of the same value is there that is at least as bad. */
static void add_alias(struct aliases *a, struct alias new) {
    unsigned state = (new.number ? AS_NUMBER : 0) | (new.safepoint ? LATE : 0);
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

/* 1 if the block of I can be reached from itself. */
static int is_alias_in_loop(struct aliases *a, LLVMValueRef i) {
    struct loops loops = {0};
    loops_of(&loops, a->function);
    int result = loops_contain(&loops, LLVMGetInstructionParent(i));
    loops_free(&loops);
    return result;
}

/* 1 if READ reads from POINTER what the alias that STORE wrote there has become. Of a place that the collector keeps
 * current it reads a reference, or its bits of now. */
static int may_read_alias(struct aliases *a, LLVMValueRef read, LLVMValueRef pointer, LLVMValueRef store) {
    if (flow_access(read).from != pointer || function_of(read) != a->function || is_memory_copy(read))
        return 0;
    if (is_kept_current(a->c, pointer))
        return LLVMIsALoadInst(read) && !is_reference(read);
    return read != store || is_alias_in_loop(a, read); /* an exchange reads what was there before it */
}

/* The alias FROM is written by STORE: adds READS, which read it, as aliases. */
static void add_reads(struct aliases *a, struct alias from, LLVMValueRef store, const struct set *reads) {
    struct crossing known = {.value = store};
    for (size_t i = 0; reads->count > 1 && i < reads->count; i++)
        set_add(&known.users, reads->item[i]);
    for (size_t i = 0; i < reads->count; i++)
        if (!is_followed_as(a, reads->item[i], LATE | (from.number ? AS_NUMBER : 0)))
            add_alias(
                a, (struct alias){reads->item[i], from.source, from.value,
                                  from.safepoint ? from.safepoint : crosses_next(a->c, store, reads->item[i], &known),
                                  from.number});
    crossing_free(&known);
}

/* The alias FROM is stored by STORE: adds everything that reads from POINTER, the same address, as an
 * alias. */
static void follow_place(struct aliases *a, struct alias from, LLVMValueRef store, LLVMValueRef pointer) {
    struct set reads = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); a->status == SM_OK && use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)) && may_read_alias(a, LLVMGetUser(use), pointer, store))
            set_add(&reads, LLVMGetUser(use));
    add_reads(a, from, store, &reads);
    set_free(&reads);
}

/* 1 if both are getelementptrs that step alike, by constants. */
static int steps_alike(LLVMValueRef a, LLVMValueRef b) {
    int n = LLVMGetNumOperands(a);
    if (!LLVMIsAGetElementPtrInst(b) || LLVMGetNumOperands(b) != n ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
        return 0;
    for (int i = 0; i < n; i++)
        if (LLVMGetOperand(a, (unsigned)i) != LLVMGetOperand(b, (unsigned)i) ||
            (i && !LLVMIsAConstant(LLVMGetOperand(a, (unsigned)i))))
            return 0;
    return 1;
}

/* 1 if READ reads with a plain address from one of the places of MEMORY: follow_place looks at it. */
static int is_followed_exactly(LLVMValueRef read, const struct set *memory) {
    struct set own = {0};
    int match = 0;
    flow_memory(&own, flow_access(read).from);
    for (size_t i = 0; i < own.count; i++)
        match |= set_has(memory, own.item[i]);
    set_free(&own);
    return match && reads_memory(read);
}

/* The alias FROM is written to memory by STORE: adds what reads it by an intrinsic, or from where it was copied. */
static void follow_others(struct aliases *a, struct alias from, LLVMValueRef store) {
    struct set memory = {0}, reads = {0}, others = {0};
    int is_exact = !is_vector(LLVMTypeOf(flow_access(store).to));
    flow_memory(&memory, flow_access(store).to);
    for (size_t i = 0; i < memory.count; i++)
        if (!is_tagged_slot(a->c, memory.item[i]) && !set_has(&a->c->casts, memory.item[i]) &&
            !is_kept_current(a->c, memory.item[i]))
            flow_reads(memory.item[i], a->function, &reads);
    for (size_t i = 0; i < reads.count; i++)
        if (!(is_exact && is_followed_exactly(reads.item[i], &memory)))
            set_add(&others, reads.item[i]);
    add_reads(a, from, store, &others);
    set_free(&memory);
    set_free(&reads);
    set_free(&others);
}

/* The alias FROM is written to memory by STORE: adds everything that reads the same address as an alias. Slots that
 * the collector keeps current are left out. */
static void follow_memory(struct aliases *a, struct alias from, LLVMValueRef store) {
    LLVMValueRef pointer = flow_access(store).to;
    follow_others(a, from, store);
    if (is_tagged_slot(a->c, pointer) || set_has(&a->c->casts, pointer))
        return; /* the collector keeps what is in it; what becomes a reference is one from there on */
    follow_place(a, from, store, pointer);
    if (!LLVMIsAGetElementPtrInst(pointer))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(pointer, 0)); use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != pointer && steps_alike(pointer, LLVMGetUser(use)))
            follow_place(a, from, store, LLVMGetUser(use));
}

/* Refuses a comparison or difference USER of two addresses, if a safepoint lies before one only: then one is
 * stale. */
static void compare(struct aliases *a, const struct alias *from, LLVMValueRef user) {
    LLVMValueRef safepoint = from->safepoint;
    if ((!LLVMIsAICmpInst(user) && LLVMGetInstructionOpcode(user) != LLVMSub) || from->number)
        return;
    LLVMValueRef other = LLVMGetOperand(user, LLVMGetOperand(user, 0) == from->value ? 1 : 0);
    if (!LLVMIsAInstruction(other) || other == from->value)
        return;
    if (!safepoint)
        safepoint = crosses_next(a->c, from->value, user, &a->crossing);
    if (safepoint && !crosses_next(a->c, other, user, &a->other))
        note_wrong(a, from, user, safepoint);
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
static int makes_immediate(struct aliases *a, const struct alias *from, LLVMValueRef user, LLVMValueRef safepoint) {
    if (!LLVMIsAIntToPtrInst(user) || !is_reference(user))
        return 0;
    int is_number = from->number || is_sum_of_two(a, from->value);
    int immediate = !safepoint && is_number && is_immediate(from->value);
    a->is_unclear |= a->jointly && immediate && !from->number; /* perhaps a sum of addresses of several sources */
    if (a->is_unclear) {
        a->status = SM_SAFEPOINT_VIOLATION;
        return 1;
    }
    if (a->c->form == FORM_VERIFIED)
        set_mark(a->c, user, immediate ? IMMEDIATE : OF_ADDRESS, LLVMMDNodeInContext2(a->c->context, NULL, 0));
    return immediate || (!safepoint && was_immediate(a->c, user));
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
    LLVMValueRef safepoint = from.safepoint;
    if (o == NOTHING || o == PERHAPS)
        compare(a, &from, user);
    if (o == NOTHING || a->status != SM_OK)
        return;
    o = o == PERHAPS ? ADDRESS : o;
    if (!safepoint)
        safepoint = crosses_next(a->c, from.value, user, &a->crossing);
    if (flow_access(user).value == from.value) {
        struct alias stored = from;
        stored.safepoint = safepoint;
        follow_memory(a, stored, user);
        if (is_in_slot(flow_access(user).to))
            return;
    }
    if (o == USED_LATE && !safepoint)
        safepoint = user;
    if (makes_immediate(a, &from, user, safepoint))
        return;
    if (a->status == SM_OK && safepoint && is_wrong(&from, user, o))
        note_wrong(a, &from, user, safepoint);
    else if (a->status == SM_OK && ((o != USED && o != USED_LATE) || gives_back(user, from.value)))
        add_alias(a, (struct alias){user, from.source, from.value, safepoint,
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
    add_alias(a, (struct alias){.value = source, .source = source});
    walk(a);
}

void aliases_free(struct aliases *a) {
    set_free(&a->all);
    set_free(&a->values);
    crossing_free(&a->crossing);
    crossing_free(&a->other);
    free(a->followed);
    free(a->alias);
}

/* ---- All casts of a function ------------------------------------------------------------------------------------ */

/* Notes in c->optimize.stored_to where the stores of F put references. */
static void find_stores(struct compile *c, LLVMValueRef f) {
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        if (written_by(i) && is_reference(written_by(i)))
            set_add(&c->optimize.stored_to, place_written(i));
    c->optimize.stores_known_of = f;
}

static void forget_stores(struct compile *c) {
    c->optimize.stores_known_of = NULL;
    set_free(&c->optimize.stored_to);
    c->optimize.stored_to = (struct set){0};
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
        add_alias(&a, (struct alias){.value = sources->item[i], .source = sources->item[i]});
    walk(&a);
    aliases_free(&a);
    return a.status == SM_OK;
}

sm_status aliases_visit_function(struct compile *c, LLVMValueRef f, value_check *check) {
    struct set sources = {0};
    sm_status s = SM_OK;
    find_stores(c, f);
    find_alias_sources(c, f, &sources);
    if (sources.count == 1 || !all_clear(c, f, &sources))
        for (LLVMValueRef i = first_instruction(f); s == SM_OK && i; i = instruction_after(i))
            if (is_alias_source(c, i))
                s = check(c, f, i);
    forget_stores(c);
    set_free(&sources);
    return s;
}

int aliases_any(struct compile *c) {
    struct set sources = {0};
    for (LLVMValueRef f = first_with_statepoints(c->module); f && !sources.count; f = next_with_statepoints(f)) {
        find_stores(c, f);
        find_alias_sources(c, f, &sources);
        forget_stores(c);
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
