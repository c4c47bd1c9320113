/* slot_address.c - one stack slot: its address, what an instruction does to it, and by which ways others get to know it.
 *
 * What is followed of a slot: its address through getelementptr, casts, phi, select and freeze; loads, stores and
 * copies; calls that are given the address. By other ways (inside structs, as an integer, through memory, assembly,
 * or a callee that gives it back) it is followed as far as to know that there are references in the slot, and that
 * its address has escaped.
 */
#include "slot_address.h"
#include "ir.h"
#include "marks.h"
#include "slots.h"

int slot_masked(const struct slot *s, LLVMValueRef v, uint64_t *mask) {
    LLVMValueRef by = flow_at(v, 0) & FLOW_MASK ? LLVMGetOperand(v, 1) : NULL;
    unsigned align = LLVMIsAAllocaInst(s->origin) ? LLVMGetAlignment(s->origin) : 1;
    if (!by || !LLVMIsAConstantInt(by))
        return 0;
    *mask = LLVMConstIntGetZExtValue(by);
    return *mask && !(~*mask & (~*mask + 1)) && ~*mask < align;
}

/* Collects in s->address the slot and all addresses derived from it. */
static void find_addresses(struct slot *s) {
    uint64_t mask;
    set_add(&s->address, s->origin);
    for (size_t i = 0; i < s->address.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(s->address.item[i]); use; use = LLVMGetNextUse(use))
            if (flow_at(LLVMGetUser(use), use_operand(use)) & FLOW_ADDRESS || slot_masked(s, LLVMGetUser(use), &mask))
                set_add(&s->address, LLVMGetUser(use));
}

/* ---- Other ways ----------------------------------------------------------------------------------------------- */

/* Adds to s->beyond what is read from where PLACE leads, a stack slot or a global variable. */
static void add_loads(struct slot *s, LLVMValueRef place) {
    LLVMValueRef f = LLVMIsAArgument(s->origin) ? LLVMGetParamParent(s->origin) : function_of(s->origin);
    flow_reads(place, f, &s->beyond);
}

/* Adds to s->beyond what its user makes of V if V's address is not followed through it exactly: integers, aggregates,
 * loads of where it was stored, results of callees. EXACT: V is one of s->address. */
static void add_beyond(struct slot *s, LLVMUseRef use, LLVMValueRef v, int exact) {
    enum { OTHERS = FLOW_NUMBER | FLOW_STRUCT | FLOW_VECTOR | FLOW_MASK | FLOW_BACK };
    LLVMValueRef user = LLVMGetUser(use);
    struct memory_access access = flow_access(user);
    if (access.value == v)
        add_loads(s, access.to);
    if (flow_at(user, use_operand(use)) & (OTHERS | (exact ? 0 : FLOW_ADDRESS)) ||
        (is_call(user) && body_gives_back(user, v)))
        set_add(&s->beyond, user);
}

/* Collects in s->beyond all values that may carry the slot's address otherwise than s->address does. */
static void find_beyond(struct slot *s) {
    for (size_t i = 0; i < s->address.count + s->beyond.count; i++) {
        int exact = i < s->address.count;
        LLVMValueRef v = exact ? s->address.item[i] : s->beyond.item[i - s->address.count];
        for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
            if (LLVMIsAInstruction(LLVMGetUser(use)) && !set_has(&s->address, LLVMGetUser(use)))
                add_beyond(s, use, v, exact);
    }
}

/* ---- Events -------------------------------------------------------------------------------------------------- */

/* An operand of an instruction that is an address of the slot, and what it is: of a call's bundles, of its "gc-live". */
enum { OPERAND = 1, IN_BUNDLE = 2, LISTED_OPERAND = 4 };

struct slot_use {
    size_t at;   /* the instruction's number */
    unsigned as; /* bits; 0: it is the slot itself */
};

static unsigned used_as(struct body *body, LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_call(user) || !operands_have(body_bundles(body, user)->all, use_operand(use)))
        return OPERAND;
    return IN_BUNDLE | (body_lists(body, use) ? LISTED_OPERAND : 0);
}

/* *New*: the slot's uses by instructions, and itself as one, in the function's order; *COUNT is how many there are. */
static struct slot_use *list_addresses_used(const struct slot *s, struct body *body, size_t *count) {
    struct slot_use *list = NULL;
    size_t n = 0, room = 0;
    if (LLVMIsAInstruction(s->origin)) {
        list = xgrow(list, n, &room, sizeof *list);
        list[n++] = (struct slot_use){body_number(body, s->origin), 0};
    }
    for (size_t i = 0; i < s->address.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(s->address.item[i]); use; use = LLVMGetNextUse(use)) {
            if (!LLVMIsAInstruction(LLVMGetUser(use)))
                continue;
            list = xgrow(list, n, &room, sizeof *list);
            list[n++] = (struct slot_use){body_number(body, LLVMGetUser(use)), used_as(body, use)};
        }
    if (n)
        qsort(list, n, sizeof *list, by_number);
    *count = n;
    return list;
}

static struct slot_event *add_event(struct slot_events *e, LLVMValueRef i, size_t first, size_t end) {
    e->event = xgrow(e->event, e->count, &e->room, sizeof *e->event);
    e->event[e->count] = (struct slot_event){.instruction = i, .first = first, .end = end};
    return &e->event[e->count++];
}

/* Adds the safepoints from number *FIRST up to the instruction with number AT, if there are some; *FIRST is then the number
 * after them. */
static void add_strangers(struct slot_events *e, const struct body *body, size_t *first, size_t end, size_t at) {
    size_t last = body_safepoint_from(body, *first, end, at);
    if (*first < last)
        add_event(e, NULL, *first, last);
    *first = last;
}

/* Adds the event of the uses from number *NEXT on that are of one instruction, which is number FIRST of the safepoints, or
 * none if END is FIRST; *NEXT is then the number after them. */
static void add_user(const struct compile *c, const struct slot *s, const struct body *body, struct slot_events *e,
                     size_t first, size_t end, const struct slot_use *use, size_t uses, size_t *next) {
    LLVMValueRef i = body->instruction.item[use[*next].at];
    struct slot_event *event = add_event(e, i, first, end);
    unsigned as = 0;
    for (size_t at = use[*next].at; *next < uses && use[*next].at == at; ++*next)
        as |= use[*next].as;
    event->listed = (as & LISTED_OPERAND) != 0;
    event->effects = (as & IN_BUNDLE ? SLOT_READS : 0) | (as & OPERAND ? (unsigned)slot_effects(c, s, i) : 0);
}

/* Adds the events of block number N, whose first use is number *NEXT. */
static void add_block(const struct compile *c, const struct slot *s, struct body *body, struct slot_events *e,
                      size_t n, const struct slot_use *use, size_t uses, size_t *next) {
    size_t safepoint = body->first_safepoint[n], end = body->first_safepoint[n + 1];
    e->block = xgrow(e->block, e->blocks, &e->room_for_blocks, sizeof *e->block);
    e->block[e->blocks++] = n;
    while (*next < uses && use[*next].at < body->first[n + 1]) {
        add_strangers(e, body, &safepoint, end, use[*next].at);
        size_t self = safepoint;
        safepoint += self < end && body->safepoint.item[self] == body->instruction.item[use[*next].at];
        add_user(c, s, body, e, self, safepoint, use, uses, next);
    }
    add_strangers(e, body, &safepoint, end, body->first[n + 1]);
}

void slot_list_events(const struct compile *c, const struct slot *s, struct body *body, struct slot_events *e) {
    size_t uses, next = 0, n = 0;
    body_number_all(body);
    struct slot_use *use = list_addresses_used(s, body, &uses);
    *e = (struct slot_events){.first = xcalloc(body->graph.blocks + 1, sizeof *e->first)};
    while (next < uses) {
        LLVMValueRef i = body->instruction.item[use[next].at];
        for (size_t block = graph_number(&body->graph, LLVMGetInstructionParent(i)); n < block;)
            e->first[++n] = e->count;
        add_block(c, s, body, e, n, use, uses, &next);
        e->first[++n] = e->count;
    }
    while (n < body->graph.blocks)
        e->first[++n] = e->count;
    free(use);
}

/* ---- Effects -------------------------------------------------------------------------------------------------- */

/* What CALL does to the slot by its arguments: reads and writes it; AT_SAFEPOINT or without nocapture, its address
 * escapes as well. */
static int argument_effects(const struct slot *s, LLVMValueRef call, int at_safepoint) {
    unsigned n = LLVMGetNumArgOperands(call);
    int effects = 0;
    if (strcmp(callee_name(call), CLEARING_FUNCTION) == 0)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (!set_has(&s->address, LLVMGetOperand(call, i)))
            continue;
        effects |= SLOT_READS;
        if (argument_has(call, i, "byval"))
            continue;
        effects |= SLOT_WRITES | (at_safepoint || !argument_has(call, i, "nocapture") ? SLOT_ESCAPES : 0);
    }
    return effects;
}

/* What the intrinsic NAME does to the slot: ends its life, copies into or out of it, nothing, or what any callee may
 * do. */
static int intrinsic_effects(const struct slot *s, LLVMValueRef call, const char *name) {
    if (set_has(&s->address, call))
        return 0; /* what becomes of its result */
    if (starts_with(name, "llvm.lifetime."))
        return set_has(&s->address, LLVMGetOperand(call, 1)) ? SLOT_DIES : 0;
    if (starts_with(name, "llvm.dbg.") || starts_with(name, "llvm.assume") || starts_with(name, "llvm.invariant.") ||
        starts_with(name, "llvm.stack") || starts_with(name, "llvm.memset."))
        return 0;
    if (is_memory_copy(call))
        return (set_has(&s->address, LLVMGetOperand(call, 0)) ? SLOT_WRITES : 0) |
               (set_has(&s->address, LLVMGetOperand(call, 1)) ? SLOT_READS : 0);
    return argument_effects(s, call, 0);
}

/* 1 if STORE overwrites all of the slot. */
static int fills_slot(const struct slot *s, LLVMValueRef store) {
    return LLVMGetOperand(store, 1) == s->origin && LLVMTypeOf(LLVMGetOperand(store, 0)) == s->type;
}

/* SLOT_ESCAPES if an operand of I is an address of the slot, and I gives no other one. */
static int operand_effects(const struct slot *s, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (set_has(&s->address, LLVMGetOperand(i, (unsigned)k)) && !(flow_at(i, (unsigned)k) & FLOW_ADDRESS))
            return SLOT_ESCAPES;
    return 0;
}

int slot_effects(const struct compile *c, const struct slot *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return set_has(&s->address, LLVMGetOperand(i, 0)) ? SLOT_READS : 0;
    case LLVMStore:
        return (set_has(&s->address, LLVMGetOperand(i, 0)) ? SLOT_ESCAPES : 0) |
               (set_has(&s->address, LLVMGetOperand(i, 1))
                    ? (is_null(LLVMGetOperand(i, 0)) ? 0 : SLOT_WRITES) | (fills_slot(s, i) ? SLOT_FILLS : 0)
                    : 0);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return (set_has(&s->address, LLVMGetOperand(i, 0)) ? SLOT_READS | SLOT_WRITES : 0) |
               (set_has(&s->address, flow_access(i).value) ? SLOT_ESCAPES : 0);
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return intrinsic_name(i) && !is_safepoint(c, i) ? intrinsic_effects(s, i, intrinsic_name(i))
                                                        : argument_effects(s, i, is_safepoint(c, i));
    case LLVMICmp:
    case LLVMRet:
        return 0;
    default:
        return operand_effects(s, i);
    }
}

/* ---- The slot ------------------------------------------------------------------------------------------------- */

/* The type of parameter I of F if the caller leaves it on the stack (byval, inalloca, preallocated); NULL otherwise.
 * */
static LLVMTypeRef type_on_stack(LLVMValueRef f, unsigned i) {
    LLVMAttributeRef a = listed_attribute_at(f, i + 1, "byval,inalloca,preallocated");
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* Makes S of V if V is an alloca or a parameter on the stack; 0 if it is neither. */
int slot_of(struct slot *s, LLVMValueRef f, LLVMValueRef v) {
    memset(s, 0, sizeof *s);
    s->origin = v;
    s->data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    if (LLVMIsAAllocaInst(v)) {
        s->type = LLVMGetAllocatedType(v);
    } else if (LLVMIsAArgument(v)) {
        for (unsigned i = 0; i < LLVMCountParams(f); i++) {
            if (LLVMGetParam(f, i) == v)
                s->type = type_on_stack(f, i);
        }
    }
    if (s->type) {
        find_addresses(s);
        find_beyond(s);
    }
    if (s->type && LLVMIsAAllocaInst(v))
        slot_take_declared_type(s);
    return s->type != NULL;
}
