/* barrier_facts.c - see barrier_facts.h.
 *
 * A forward data-flow: what holds at a block's begin is what holds at the ends of all that lead there. Every
 * safepoint, and every barrier that may be one, ends all of it. Sets only shrink, so that it ends, and what is left
 * at the end holds. A function with very many blocks or objects is looked at block by block.
 */
#include "barrier_facts.h"
#include "barrier_rules.h"
#include "cfg.h"
#include "ir.h"
#include "marks.h"

enum { FACTS_MAX = 1024, SETS_MAX = 1 << 20 /* bytes */ };

struct fact_key {
    enum fact kind;
    LLVMValueRef of;
};

struct facts {
    struct compile *c;
    const struct barrier_rules *rules;
    struct graph graph;
    struct fact_key *key; /* owned */
    size_t keys, room;
    size_t bytes;       /* of a set */
    unsigned char *out; /* owned: a set for each block's end; NULL: nothing is known of other blocks */
    unsigned char *now; /* owned: the set at the walk's place */
    int failed;         /* boolean: no memory */
};

/* ---- What instructions do to the heap ------------------------------------------------------------------------- */

/* The pointer that P is derived from by getelementptr, casts and the like, a bounded number of times; where no phi or
 * select comes between, that is the object. */
LLVMValueRef object_of(LLVMValueRef p) {
    for (int i = 0; i < 1000; i++) {
        const char *name = intrinsic_name(p);
        if (flow_at(p, 0) & (FLOW_STEPS | FLOW_SAME) ||
            (name && (starts_with(name, "llvm.ptrmask.") || strstr(name, ".invariant.group"))))
            p = LLVMGetOperand(p, 0);
        else
            break;
        if (LLVMGetTypeKind(LLVMTypeOf(p)) != LLVMPointerTypeKind)
            break;
    }
    return p;
}

/* 1 if the pointer is a scalar reference. */
static int is_heap(LLVMValueRef pointer) {
    LLVMTypeRef t = LLVMTypeOf(pointer);
    return LLVMGetTypeKind(t) == LLVMPointerTypeKind && holds_reference(t);
}

/* 1 if the pointer leads into an object: it is a reference, or cast from one, and not a global's address, nor that of
 * an object on the stack. */
static int is_in_heap(LLVMValueRef pointer) {
    LLVMValueRef object = object_of(pointer);
    return (is_heap(pointer) || is_heap(object)) && !LLVMIsAGlobalVariable(object) && !LLVMIsAAllocaInst(object);
}

/* 1 if V is a constant that no collector moves: null, undefined, a number, a global's address, or an aggregate of
 * such. */
int is_harmless_value(LLVMValueRef v) {
    if (!LLVMIsAConstant(v))
        return 0;
    if (LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v) || LLVMIsAGlobalValue(v))
        return 1;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (LLVMIsAConstantExpr(v)) {
        LLVMOpcode op = LLVMGetConstOpcode(v);
        return (op == LLVMAddrSpaceCast || op == LLVMGetElementPtr || op == LLVMBitCast) &&
               is_harmless_value(LLVMGetOperand(v, 0));
    }
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
        return kind != LLVMPointerTypeKind; /* a number */
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (!is_harmless_value(LLVMGetOperand(v, (unsigned)i)))
            return 0;
    return 1;
}

/* 1 if a value of TYPE is or holds a reference, whole or compressed. */
static int is_of_references(const struct compile *c, LLVMTypeRef type) {
    return holds_root(LLVMGetModuleDataLayout(c->module), type);
}

/* The access of a masked or predicated vector load or store, whose operand POINTER is the address (0 for loads):
 * SCATTERS or GATHERS if references are concerned. */
static struct access access_of_lanes(const struct compile *c, LLVMValueRef call, unsigned pointer) {
    struct access a = {NO_ACCESS, NULL, LLVMGetOperand(call, pointer), NULL};
    a.type = LLVMTypeOf(pointer ? LLVMGetOperand(call, 0) : call);
    if (is_of_references(c, a.type) && holds_reference(LLVMTypeOf(a.pointer)))
        a.kind = pointer ? SCATTERS : GATHERS;
    return a;
}

/* 1 if CALL is a memcpy or memmove that is not elementwise atomic. */
int is_block_copy(LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    return name && !strstr(name, ".element.") && is_memory_copy(call);
}

/* 1 if the destination or the source of the block copy is in the heap. */
int touches_heap(LLVMValueRef call) {
    return is_in_heap(LLVMGetOperand(call, 0)) || is_in_heap(LLVMGetOperand(call, 1));
}

/* 1 if the copy or memset writes no reference: it is shorter than one, marked "smd-no-references", or copies a
 * constant without any. */
static int moves_no_references(const struct compile *c, LLVMValueRef call) {
    enum { FROM = 1, LENGTH = 2, COMPRESSED = 4, WHOLE = 8 };
    static const char declared[] = NO_REFERENCES_ATTRIBUTE;
    LLVMValueRef length = LLVMGetOperand(call, LENGTH), from = object_of(LLVMGetOperand(call, FROM));
    if (LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) < (c->spaces ? COMPRESSED : WHOLE))
        return 1;
    if (call_attribute(call, declared))
        return 1;
    return is_block_copy(call) && LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from) &&
           !is_of_references(c, LLVMGlobalGetValueType(from));
}

/* 1 if the call copies from the heap into a stack slot, from which references would be read without a barrier. */
static int copies_out(const struct compile *c, LLVMValueRef call) {
    return is_block_copy(call) && is_in_heap(LLVMGetOperand(call, 1)) &&
           LLVMIsAAllocaInst(object_of(LLVMGetOperand(call, 0))) && !moves_no_references(c, call);
}

/* The access of an intrinsic to references in the heap: vector accesses, memory copies and memset; NO_ACCESS for
 * other calls. */
static struct access access_of_call(const struct compile *c, LLVMValueRef call) {
    const char *name = intrinsic_name(call);
    struct access a = {NO_ACCESS, NULL, NULL, NULL};
    if (!name)
        return a;
    struct memory_access lanes = flow_access(call);
    if (!lanes.from != !lanes.to) /* with a mask; a copy has both */
        return access_of_lanes(c, call, lanes.to != NULL);
    if (copies_out(c, call)) {
        a.kind = GATHERS;
        a.pointer = LLVMGetOperand(call, 1);
        return a;
    }
    int copies = is_block_copy(call), clears = starts_with(name, "llvm.memset.");
    if ((!copies && !clears) || !is_in_heap(LLVMGetOperand(call, 0)) || moves_no_references(c, call))
        return a;
    a.kind = copies ? COPIES : CLEARS;
    a.pointer = LLVMGetOperand(call, 0);
    return a;
}

/* What the instruction does to references in the heap, and where; kind NO_ACCESS if nothing. */
struct access access_of(const struct compile *c, LLVMValueRef i) {
    struct access a = {NO_ACCESS, NULL, NULL, NULL};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        a.value = LLVMGetOperand(i, 0);
        a.pointer = LLVMGetOperand(i, 1);
        a.type = LLVMTypeOf(a.value);
        a.kind = is_in_heap(a.pointer) && is_of_references(c, a.type) ? STORES : NO_ACCESS;
        return a;
    case LLVMLoad:
        a.pointer = LLVMGetOperand(i, 0);
        a.type = LLVMTypeOf(i);
        a.kind = is_in_heap(a.pointer) && is_of_references(c, a.type) ? LOADS : NO_ACCESS;
        return a;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        a.pointer = LLVMGetOperand(i, 0);
        a.value = LLVMGetOperand(i, LLVMIsAAtomicRMWInst(i) ? 1 : 2);
        a.type = LLVMTypeOf(a.value);
        a.kind = is_in_heap(a.pointer) && is_of_references(c, a.type) ? EXCHANGES : NO_ACCESS;
        return a;
    case LLVMCall:
        return access_of_call(c, i);
    default:
        return a;
    }
}

/* ---- Facts ---------------------------------------------------------------------------------------------------- */

/* The index of the fact KIND of the value OF; s->keys if it is not tracked. */
static size_t find_key(const struct facts *s, enum fact kind, LLVMValueRef of) {
    size_t i = 0;
    while (i < s->keys && (s->key[i].kind != kind || s->key[i].of != of))
        i++;
    return i;
}

/* Tracks the fact KIND of OF; not beyond FACTS_MAX facts. */
static void add_key(struct facts *s, enum fact kind, LLVMValueRef of) {
    if (s->keys >= FACTS_MAX || find_key(s, kind, of) < s->keys)
        return;
    s->key = xgrow(s->key, s->keys, &s->room, sizeof *s->key);
    s->key[s->keys++] = (struct fact_key){kind, of};
}

/* 1 if the bit I of SET is set. */
static int get(const unsigned char *set, size_t i) {
    return set[i / 8] >> i % 8 & 1;
}

/* 1 if the fact KIND is known of OF at the current place. */
int facts_hold(const struct facts *s, enum fact kind, LLVMValueRef of) {
    size_t i = find_key(s, kind, of);
    return i < s->keys && get(s->now, i);
}

/* Sets whether the fact KIND of OF holds at the current place; nothing if it is not tracked. */
static void say_barrier_fact(struct facts *s, enum fact kind, LLVMValueRef of, int holds) {
    size_t i = find_key(s, kind, of);
    if (i == s->keys)
        return;
    s->now[i / 8] = (unsigned char)((s->now[i / 8] & ~(1u << i % 8)) | (unsigned)holds << i % 8);
}

/* 1 if I is a call whose result is a new object: a reference that is noalias. */
static int allocates(LLVMValueRef i) {
    return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && is_heap(i) && !intrinsic_name(i) &&
           attribute_of_either(i, LLVMAttributeReturnIndex, "noalias");
}

/* 1 if I may be a safepoint, or become one when barriers are in its callee: also a leaf call, and calls of barriers
 * that may stop. */
static int may_stop(const struct facts *s, LLVMValueRef i) {
    if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i) && !LLVMIsACallBrInst(i))
        return 0;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    const char *name = callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
    if (strncmp(name, "smd.gc", 6) == 0 || strcmp(name, GC_READ) == 0 || strcmp(name, GC_WRITE) == 0)
        return s->rules->write_stops || s->rules->read_stops;
    return LLVMIsACallBrInst(i) || is_safepoint(s->c, i) || call_attribute(i, INFERRED_ATTRIBUTE) != NULL;
}

/* Ends all facts at the current place: the collector may have run. */
static void forget_all(struct facts *s) {
    memset(s->now, 0, s->bytes);
}

/* Ends the facts of V where V is computed: in the next turn of a loop it is another object. */
static void forget_value(struct facts *s, LLVMValueRef v) {
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
        return;
    for (int kind = FRESH; kind <= KEPT; kind++)
        say_barrier_fact(s, (enum fact)kind, v, 0);
}

/* Updates the facts for a write A and its barrier: the object has had its barrier (MARKED), the slot has (KEPT); a
 * barrier that may stop ends all. */
static void pass_write(struct facts *s, const struct access *a) {
    LLVMValueRef object = object_of(a->pointer);
    const struct barrier_rules *r = s->rules;
    if (a->kind == CLEARS || (a->value && is_harmless_value(a->value) && !r->before))
        return;
    int was_fresh = facts_hold(s, FRESH, object);
    if (r->own && r->write_stops)
        forget_all(s);
    if (was_fresh)
        return;
    if (r->own ? !r->write_stops && a->kind == STORES : r->behind && !(a->value && is_harmless_value(a->value)))
        say_barrier_fact(s, MARKED, object, 1);
    if (a->kind == STORES && LLVMGetTypeKind(a->type) == LLVMPointerTypeKind)
        say_barrier_fact(s, KEPT, a->pointer, 1);
}

/* Moves the current place past I, barriers included: updates what holds. */
void facts_pass(struct facts *s, LLVMValueRef i) {
    struct access a = access_of(s->c, i);
    forget_value(s, i);
    if (may_stop(s, i))
        forget_all(s);
    if (allocates(i))
        say_barrier_fact(s, FRESH, i, 1);
    if (a.kind == LOADS && s->rules->reads && s->rules->read_stops)
        forget_all(s);
    else if (a.kind != NO_ACCESS && a.kind != LOADS && a.kind != GATHERS)
        pass_write(s, &a);
}

/* ---- The flow ------------------------------------------------------------------------------------------------- */

/* Tracks the facts that could save the access I a barrier. */
static void add_keys(struct facts *s, LLVMValueRef i) {
    struct access a = access_of(s->c, i);
    if (a.kind == NO_ACCESS)
        return;
    add_key(s, FRESH, object_of(a.pointer));
    if (a.kind != LOADS && a.kind != GATHERS)
        add_key(s, MARKED, object_of(a.pointer));
    if (a.kind == STORES)
        add_key(s, KEPT, a.pointer);
}

/* Sets the current facts to those that hold at the ends of all predecessors of the block; none at the function's
 * entry. */
static void meet_barrier_fact(struct facts *s, size_t block) {
    const struct graph *g = &s->graph;
    forget_all(s);
    if (!s->out || block == g->entry || g->first_before[block] == g->first_before[block + 1])
        return;
    memset(s->now, 0xff, s->bytes);
    for (size_t e = g->first_before[block]; e < g->first_before[block + 1]; e++)
        for (size_t i = 0; i < s->bytes; i++)
            s->now[i] &= s->out[g->before[e] * s->bytes + i];
}

/* Updates the current facts for each instruction of B. */
static void pass_block_barrier_fact(struct facts *s, LLVMBasicBlockRef b) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        facts_pass(s, i);
}

/* Iterates over F's blocks until the facts at their ends change no more; sets start full and only shrink. */
static void flow(struct facts *s, LLVMValueRef f) {
    int changed = 1;
    memset(s->out, 0xff, s->graph.blocks * s->bytes);
    while (changed) {
        changed = 0;
        /* In the function's order, not in that of addresses: what is left may depend on it. */
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
            size_t b = graph_number(&s->graph, block);
            meet_barrier_fact(s, b);
            pass_block_barrier_fact(s, block);
            for (size_t i = 0; i < s->bytes; i++) {
                unsigned char *out = &s->out[b * s->bytes + i], less = *out & s->now[i];
                changed |= less != *out;
                *out = less;
            }
        }
    }
}

/* Moves the current place to the begin of BLOCK. */
void facts_enter(struct facts *s, LLVMBasicBlockRef block) {
    meet_barrier_fact(s, graph_number(&s->graph, block));
}

/* Computes which facts hold where in F, under the barriers of R; *new*. */
struct facts *facts_find(struct compile *c, const struct barrier_rules *r, LLVMValueRef f) {
    struct facts *s = xcalloc(1, sizeof *s);
    s->c = c;
    s->rules = r;
    graph_make(&s->graph, f);
    for (LLVMValueRef i = first_instruction(f); i; i = instruction_after(i))
        add_keys(s, i);
    s->bytes = s->keys / 8 + 1;
    s->now = xcalloc(1, s->bytes);
    if (s->graph.blocks * s->bytes <= SETS_MAX) {
        s->out = xmalloc(s->graph.blocks * s->bytes);
        flow(s, f);
    }
    return s;
}

void facts_free(struct facts *s) {
    if (!s)
        return;
    graph_free(&s->graph);
    free(s->key);
    free(s->out);
    free(s->now);
    free(s);
}
