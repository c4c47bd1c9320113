/* pins.c - raw pointers into objects, beside references:
 *
 *     ptr smd.gc.pin(ptr addrspace(1) OBJECT)    from here on the object must not move, and the result leads to it
 *     void smd.gc.unpin(ptr RAW)                 and no longer: RAW is what pin gave
 *
 * The reference is kept in a slot, which is a scoped root (scopes.c) from the pin to the unpin, or to the function's
 * end, that records and collectors know as pinned. The raw pointer, and what is derived from it, must not be used
 * outside: it is looked for through arithmetic, casts, phis and selects, once stack slots are values.
 *
 * Requires the verified module, before scopes are checked.
 */
#include "analysis.h"
#include "body.h"
#include "cfg.h"
#include "ir.h"
#include "marks.h"
#include "scopes.h"
#include "slots.h"

static int is_pin(LLVMValueRef call) {
    return strcmp(called_function(call), PIN) == 0;
}

static int is_unpin(LLVMValueRef call) {
    return strcmp(called_function(call), UNPIN) == 0;
}

struct result {
    struct set pins, unpins;
};

/* Fails with status S and a message: the text of I, and WHAT is wrong with it. */
static sm_status refuse_pin(struct compile *c, sm_status s, LLVMValueRef f, LLVMValueRef i, const char *what) {
    return fail(c, s, f, "'%.200s': %s", value_text(i), what);
}

/* Checks that F may have pins, that they pin objects and not derived pointers, and that each unpin takes what a
 * pin of F gave. */
static sm_status check_pin_types(struct compile *c, LLVMValueRef f, const struct result *result) {
    LLVMTypeRef raw = LLVMPointerTypeInContext(c->context, 0), reference = LLVMPointerTypeInContext(c->context, 1);
    sm_status s = SM_OK;
    if (!is_statepoint_gc(LLVMGetGC(f)))
        return fail(c, SM_GC_MISMATCH, f,
                    "smd.gc.pin and smd.gc.unpin need a function whose strategy has statepoints");
    for (size_t i = 0; s == SM_OK && i < result->pins.count; i++) {
        LLVMValueRef call = result->pins.item[i];
        if (!LLVMIsACallInst(call) || LLVMTypeOf(call) != raw || LLVMGetNumArgOperands(call) != 1 ||
            LLVMTypeOf(LLVMGetOperand(call, 0)) != reference)
            s = refuse_pin(c, SM_INVALID_GCROOT, f, call, "smd.gc.pin is a call of ptr (ptr addrspace(1))");
        else if (is_derived(LLVMGetOperand(call, 0)))
            s = refuse_pin(
                c, SM_INVALID_GCROOT, f, call,
                "what is pinned is an object, and this pointer is derived from one: pin the object, and derive the "
                "raw pointer from what that gives");
    }
    for (size_t i = 0; s == SM_OK && i < result->unpins.count; i++) {
        LLVMValueRef call = result->unpins.item[i];
        if (!LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 1 || !LLVMIsACallInst(LLVMGetOperand(call, 0)) ||
            !is_pin(LLVMGetOperand(call, 0)))
            s = refuse_pin(c, SM_INVALID_GCROOT, f, call,
                           "smd.gc.unpin takes what a call of smd.gc.pin in this function gave");
    }
    return s;
}

/* ---- Raw pointers -------------------------------------------------------------------------------------------- */

/* How what may be computed from a raw pointer leads into the object as well; and how it becomes a number which may be a
 * pointer again. */
enum {
    RAW = FLOW_ADDRESS | FLOW_MASK | FLOW_BACK | FLOW_INDEX | FLOW_BITS | FLOW_ARITHMETIC | FLOW_STRUCT |
          FLOW_VECTOR | FLOW_EXTREME,
    NUMBER = RAW | FLOW_NUMBER
};

/* Where the object is pinned. A use is looked for backwards, up to the pin: few blocks, unless the pin holds in all. */
struct pinned {
    struct body body;         /* owned: the function, whose instructions are numbered */
    unsigned char *reachable; /* owned: of its blocks, from the entry */
    size_t *held; /* owned: the last pin that holds on all paths to the block, of those that were asked for */
    size_t *work; /* owned: room for all blocks */
    /* of one pin at a time: */
    LLVMValueRef pin;
    size_t pin_at;        /* its number in the function, from 1 on */
    size_t *change;       /* owned: the numbers of the pin and its unpins, in their order */
    size_t changes, room; /* how many there are, and how many there is room for */
    unsigned char *after; /* owned: the block is reached from the pin's end; NULL until that is asked for */
    struct set raw;       /* what leads into the object */
    struct set number;    /* what has its bits, perhaps in other places */
};

enum pin_state { UNCHANGED, LOOSE, HELD };

/* What the last pin or unpin of the block before number END makes of the object. */
static enum pin_state pin_state_before(const struct pinned *p, size_t block, size_t end) {
    size_t low = 0, high = p->changes;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->change[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || p->change[low - 1] < p->body.first[block])
        return UNCHANGED;
    return p->change[low - 1] + 1 == p->pin_at ? HELD : LOOSE;
}

static enum pin_state state_behind(const struct pinned *p, size_t block) {
    return pin_state_before(p, block, p->body.first[block + 1]);
}

/* 1 if the object is pinned at the block's begin on all paths from the entry. (Once it is not, the compile fails.) */
static int is_held_into(struct pinned *p, size_t block) {
    const struct graph *g = &p->body.graph;
    size_t works = 0;
    if (!p->reachable[block] || p->held[block] == p->pin_at)
        return 1;
    p->held[block] = p->pin_at;
    p->work[works++] = block;
    while (works) {
        size_t n = p->work[--works];
        if (n == g->entry)
            return 0;
        for (size_t k = g->first_before[n]; k < g->first_before[n + 1]; k++) {
            size_t before = g->before[k];
            enum pin_state state = p->reachable[before] ? state_behind(p, before) : HELD;
            if (state == LOOSE)
                return 0;
            if (state == HELD || p->held[before] == p->pin_at)
                continue;
            p->held[before] = p->pin_at;
            p->work[works++] = before;
        }
    }
    return 1;
}

/* 1 if the object is pinned at the use: a phi uses a value at the end of the block that it comes from. */
static int is_held_for(struct pinned *p, LLVMUseRef use) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMBasicBlockRef in =
        LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, use_operand(use)) : LLVMGetInstructionParent(user);
    size_t block = graph_number(&p->body.graph, in);
    enum pin_state state =
        LLVMIsAPHINode(user) ? state_behind(p, block) : pin_state_before(p, block, body_number(&p->body, user));
    return state == UNCHANGED ? is_held_into(p, block) : state == HELD;
}

/* 1 if a path leads from the pin to I. */
static int comes_after(struct pinned *p, LLVMValueRef i) {
    const struct graph *g = &p->body.graph;
    size_t block = graph_number(g, LLVMGetInstructionParent(i)),
           from = graph_number(g, LLVMGetInstructionParent(p->pin));
    if (block == from && body_number(&p->body, i) >= p->pin_at)
        return 1;
    if (!p->after) {
        p->after = xcalloc(g->blocks + 1, 1);
        graph_follow(g, from, p->after, p->work);
    }
    return p->after[block];
}

/* Adds to ALL what is read after the pin from where PLACE leads, as a raw pointer was stored there. References are none.
 * */
static void follow_written(struct pinned *p, LLVMValueRef place, struct set *all) {
    LLVMValueRef f = function_of(p->pin);
    struct set reads = {0};
    flow_reads(place, f, &reads);
    for (size_t i = 0; i < reads.count; i++)
        if (comes_after(p, reads.item[i]) && !holds_reference(LLVMTypeOf(reads.item[i])))
            set_add(all, reads.item[i]);
    set_free(&reads);
}

/* Follows V, a raw pointer or (IS_NUMBER) a number that has its bits, into USER. */
static void follow_raw(struct pinned *p, LLVMValueRef user, LLVMValueRef v, int is_number) {
    unsigned flow = flow_of(user, v);
    int gives_back = is_call(user) && body_gives_back(user, v), leads = !is_number && (flow & RAW || gives_back);
    if (leads || ((flow & NUMBER || gives_back) && is_pointer(user)))
        set_add(&p->raw, user);
    else if (flow & NUMBER || gives_back)
        set_add(&p->number, user);
    if (flow_access(user).value == v)
        follow_written(p, flow_access(user).to, is_number ? &p->number : &p->raw);
}

static const char loose[] =
    "a raw pointer into an object is used where that is not pinned any more, and may have moved: "
    "unpin it after the last use";

/* Refuses uses of V, a raw pointer, where the object is not pinned on all paths; with IS_NUMBER, V has only the bits of
 * one, and its uses as a pointer are refused. */
static sm_status check_raw(struct compile *c, LLVMValueRef f, struct pinned *p, LLVMValueRef v, int is_number) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) ||
            (is_number ? set_has(&p->raw, user) : is_unpin(user) || LLVMIsAICmpInst(user)))
            continue;
        int is_pointed = !is_number || (flow_of(user, v) & FLOW_BITS && is_pointer(user));
        if ((LLVMIsAReturnInst(user) && !is_number) || (is_pointed && !is_held_for(p, u)))
            return refuse_pin(c, SM_SAFEPOINT_VIOLATION, f, user, loose);
        follow_raw(p, user, v, is_number);
    }
    return SM_OK;
}

/* Refuses uses of raw pointers into the object, followed through arithmetic, casts and memory, where it is not
 * pinned on all paths. */
static sm_status check_uses(struct compile *c, LLVMValueRef f, struct pinned *p) {
    sm_status s = SM_OK;
    size_t raws = 0, numbers = 0;
    set_add(&p->raw, p->pin);
    while (s == SM_OK && (raws < p->raw.count || numbers < p->number.count))
        s = raws < p->raw.count ? check_raw(c, f, p, p->raw.item[raws++], 0)
                                : check_raw(c, f, p, p->number.item[numbers++], 1);
    return s;
}

static void add_change(struct pinned *p, LLVMValueRef i) {
    p->change = xgrow(p->change, p->changes, &p->room, sizeof *p->change);
    p->change[p->changes++] = body_number(&p->body, i);
}

/* Checks that what PIN gives is used only where the object is pinned. */
static sm_status check_pin(struct compile *c, struct pinned *p, LLVMValueRef pin) {
    p->pin = pin;
    p->pin_at = body_number(&p->body, pin) + 1;
    p->changes = 0;
    add_change(p, pin);
    for (LLVMUseRef u = LLVMGetFirstUse(pin); u; u = LLVMGetNextUse(u))
        if (is_unpin(LLVMGetUser(u)))
            add_change(p, LLVMGetUser(u));
    qsort(p->change, p->changes, sizeof *p->change, by_number);
    sm_status s = check_uses(c, p->body.function, p);
    free(p->after);
    set_free(&p->raw);
    set_free(&p->number);
    p->after = NULL;
    p->raw = p->number = (struct set){0};
    return s;
}

/* Checks what all of F's PINS give. */
static sm_status check_pins(struct compile *c, LLVMValueRef f, const struct set *pins) {
    struct pinned p = {0};
    sm_status s = SM_OK;
    if (!pins->count)
        return s;
    body_of(&p.body, c, f);
    body_number_all(&p.body);
    size_t n = p.body.graph.blocks + 1;
    p.reachable = xcalloc(n, 1);
    p.held = xcalloc(n, sizeof *p.held);
    p.work = xcalloc(n, sizeof *p.work);
    p.reachable[p.body.graph.entry] = 1;
    graph_follow(&p.body.graph, p.body.graph.entry, p.reachable, p.work);
    for (size_t i = 0; s == SM_OK && i < pins->count; i++)
        s = check_pin(c, &p, pins->item[i]);
    body_free(&p.body);
    free(p.reachable);
    free(p.held);
    free(p.work);
    free(p.change);
    return s;
}

/* ---- Slots --------------------------------------------------------------------------------------------------- */

/* Replaces a pin by a slot with the reference, a scoped root until the unpin, and a volatile load of it as a raw
 * pointer: a cast would tell the optimiser how they are related. */
static void to_slot(struct compile *c, LLVMValueRef f, LLVMValueRef pin) {
    LLVMTypeRef raw = LLVMPointerTypeInContext(c->context, 0), reference = LLVMPointerTypeInContext(c->context, 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    struct set unpins = {0};
    const char *name = value_name(pin);
    LLVMPositionBuilderBefore(b, first_instruction(f));
    LLVMValueRef slot = LLVMBuildAlloca(b, reference, name);
    LLVMPositionBuilderBefore(b, pin);
    LLVMBuildStore(b, LLVMGetOperand(pin, 0), slot);
    scope_mark(c, pin, SCOPE_PIN, slot, LLVMConstPointerNull(raw));
    LLVMValueRef created = LLVMBuildLoad2(b, raw, slot, ""); /* no cast: the optimiser knows nothing of it */
    LLVMSetVolatile(created, 1);
    LLVMDisposeBuilder(b);
    add_users(pin, is_unpin, &unpins);
    for (size_t i = 0; i < unpins.count; i++) {
        scope_mark(c, unpins.item[i], SCOPE_END, slot, LLVMConstPointerNull(raw));
        LLVMInstructionEraseFromParent(unpins.item[i]);
    }
    set_free(&unpins);
    replace_value(pin, created);
}

/* Checks the pins and unpins of F, and replaces them by scoped roots. */
static sm_status pin_in(struct compile *c, LLVMValueRef f) {
    struct result result = {0};
    collect_calls(f, is_pin, &result.pins);
    collect_calls(f, is_unpin, &result.unpins);
    sm_status s = result.pins.count + result.unpins.count ? check_pin_types(c, f, &result) : SM_OK;
    if (s == SM_OK)
        s = check_pins(c, f, &result.pins);
    for (size_t i = 0; s == SM_OK && i < result.pins.count; i++)
        to_slot(c, f, result.pins.item[i]);
    set_free(&result.pins);
    set_free(&result.unpins);
    return s;
}

/* Replaces all smd.gc.pin and smd.gc.unpin by scoped roots known as pinned, and refuses wrong uses. Requires the
 * verified module, before scopes are checked. */
sm_status pins_to_slots(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    sm_status s = SM_OK;
    if (!is_function_used(c->module, PIN) && !is_function_used(c->module, UNPIN))
        return SM_OK;
    s = run_passes(c, "function(sroa)"); /* a raw pointer that waits in a slot is seen as well */
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            s = pin_in(c, f);
    return s;
}
