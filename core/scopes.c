/* scopes.c - scoped roots, as LLVM's proposal of 2011 has them:
 *
 *     llvm.gc.declare(ptr alloca, ptr metadata)    from here on the slot is a root
 *     llvm.gc.undeclare(ptr alloca)                and no longer
 *     llvm.gc.value(T value, ptr metadata)         a value is one for as long as it is used    (values.c)
 *
 * Before the optimiser: each scope is checked (a block is not reached both inside and outside of it), and becomes calls of
 * two markers. A function with statepoints is kept from the optimiser, which might tear scopes apart; behind polls, before
 * the rewrite, each safepoint inside a scope gets the slot in its live list, and the markers are gone. In the tables of
 * shadow-stack, erlang and ocaml a root is one throughout: there the slot becomes an llvm.gcroot that is null outside.
 */
#include "core.h"
#include "graph.h"
#include "layouts.h"
#include "set.h"

#include <assert.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN "smd.scope.begin"
#define VALUE "smd.scope.value" /* begins the scope of a value's slot */
#define PIN   "smd.scope.pin"   /* begins that of a pin's */
#define TAG   "smd.scope.tag"   /* that of a tagged value's slot */
#define END   "smd.scope.end"

enum { OUTSIDE = 1, INSIDE = 2 };

static const char *name_of_callee(LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    size_t len;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
}

/* The name, with any suffix for its overload. */
static int is_named(LLVMValueRef call, const char *name) {
    const char *have = name_of_callee(call);
    size_t n = strlen(name);
    return strncmp(have, name, n) == 0 && (have[n] == 0 || have[n] == '.');
}

static int is_scoped_root(LLVMValueRef call) {
    return is_named(call, "llvm.gc.declare") || is_named(call, "llvm.gc.undeclare") ||
           is_named(call, "llvm.gc.value");
}

static int begins(LLVMValueRef i) {
    const char *name = name_of_callee(i);
    return strcmp(name, BEGIN) == 0 || strcmp(name, VALUE) == 0 || strcmp(name, PIN) == 0 || strcmp(name, TAG) == 0;
}

static int ends(LLVMValueRef i) {
    return strcmp(name_of_callee(i), END) == 0;
}

static void find_any(void *arg, LLVMValueRef f, LLVMValueRef call) {
    (void)f;
    *(int *)arg |= is_scoped_root(call) || begins(call);
}

int scopes_in(LLVMValueRef f) {
    int any = values_are_late(f);
    visit_calls(f, find_any, &any);
    return any;
}

/* ---- Markers ------------------------------------------------------------------------------------------------- */

static LLVMValueRef marker(struct compile *c, const char *name) {
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0), params[2] = {ptr, ptr};
    LLVMValueRef f = LLVMGetNamedFunction(c->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(c->module, name, LLVMFunctionType(LLVMVoidTypeInContext(c->context), params, 2, 0));
    unsigned nocapture = LLVMGetEnumAttributeKindForName("nocapture", 9);
    LLVMAddAttributeAtIndex(f, 1, LLVMCreateEnumAttribute(c->context, nocapture, 0));
    return f;
}

void scope_mark(struct compile *c, LLVMValueRef before, enum scope_mark mark, LLVMValueRef slot,
                LLVMValueRef metadata) {
    static const char *const names[] = {
        [SCOPE_END] = END, [SCOPE_BEGIN] = BEGIN, [SCOPE_VALUE] = VALUE, [SCOPE_PIN] = PIN, [SCOPE_TAG] = TAG};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMValueRef f = marker(c, names[mark]), args[2] = {slot, metadata};
    LLVMPositionBuilderBefore(b, before);
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
    set_call_attribute(c->context, call, LEAF_ATTRIBUTE, "");
    LLVMDisposeBuilder(b);
}

/* The slot was made for a value: stored where that is defined, on whatever path, so that it is no fault if only some of the
 * paths have declared it. */
static int is_values(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (strcmp(name_of_callee(LLVMGetUser(u)), VALUE) == 0 || strcmp(name_of_callee(LLVMGetUser(u)), TAG) == 0)
            return 1;
    return 0;
}

int scope_is_pin(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (strcmp(name_of_callee(LLVMGetUser(u)), PIN) == 0)
            return 1;
    return 0;
}

/* ---- The rule: no block is reached both inside and outside ---------------------------------------------------- */

struct scope {
    struct compile *c;
    LLVMValueRef function, slot;
    struct graph graph;
    unsigned char *in; /* owned: states at each block's begin; 0 where it is never reached */
    size_t *from[2];   /* owned: a block that brought OUTSIDE, INSIDE */
    size_t *work;      /* owned: blocks to be looked at */
    size_t works;
    int is_value; /* boolean: the slot is a value's, and the rule does not hold for it */
    char *wrong;  /* owned: what breaks the rule; NULL if nothing does */
    int conflict; /* boolean: that is a block with two states, which says more than what follows from it */
};

static const char *slot_name(LLVMValueRef v) {
    size_t len;
    return LLVMGetValueName2(v, &len);
}

static void put_block(sm_buf *out, LLVMValueRef f, LLVMBasicBlockRef b) {
    const char *name = LLVMGetBasicBlockName(b);
    int number = 0;
    if (name[0]) {
        sm_buf_printf(out, "%%%.200s", name);
        return;
    }
    for (LLVMBasicBlockRef i = LLVMGetFirstBasicBlock(f); i && i != b; i = LLVMGetNextBasicBlock(i))
        number++;
    sm_buf_printf(out, "block %d", number + 1);
}

static void set_wrong(struct scope *s, sm_buf *text) {
    if (!s->wrong)
        s->wrong = strdup(sm_buf_cstr(text));
    sm_buf_free(text);
}

/* What a block makes of the state at its begin; the first thing that is wrong on the way is noted. */
static unsigned char through(struct scope *s, size_t block, unsigned char state) {
    LLVMBasicBlockRef b = s->graph.block[block];
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        int begin = begins(i), end = ends(i);
        if ((!begin && !end) || LLVMGetOperand(i, 0) != s->slot)
            continue;
        if (!s->is_value && ((begin && state & INSIDE) || (end && state & OUTSIDE))) {
            sm_buf text;
            sm_buf_init(&text, 4096);
            sm_buf_printf(&text, "%%%.200s is %s in ", slot_name(s->slot), begin ? "declared a root" : "undeclared");
            put_block(&text, s->function, b);
            sm_buf_puts(&text, begin ? ", where it is one already" : ", where it is none");
            set_wrong(s, &text);
        }
        state = begin ? INSIDE : OUTSIDE;
    }
    return state;
}

static void note_conflict(struct scope *s, size_t block) {
    sm_buf text;
    sm_buf_init(&text, 4096);
    put_block(&text, s->function, s->graph.block[block]);
    sm_buf_printf(&text, " is reached from ");
    put_block(&text, s->function, s->graph.block[s->from[1][block]]);
    sm_buf_printf(&text, " with %%%.200s declared a root, and from ", slot_name(s->slot));
    put_block(&text, s->function, s->graph.block[s->from[0][block]]);
    sm_buf_puts(&text, " without");
    if (!s->conflict) {
        free(s->wrong);
        s->wrong = NULL;
    }
    s->conflict = 1;
    set_wrong(s, &text);
}

static void reach(struct scope *s, size_t block, unsigned char state, size_t from) {
    for (int k = 0; k < 2; k++)
        if (state & (1 << k) && !(s->in[block] & (1 << k)))
            s->from[k][block] = from;
    if ((s->in[block] | state) == s->in[block])
        return;
    s->in[block] |= state;
    if (!s->is_value && s->in[block] == (OUTSIDE | INSIDE))
        note_conflict(s, block);
    s->work[s->works++] = block; /* at most twice each */
}

static int scope_make(struct scope *s, struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    *s = (struct scope){.c = c, .function = f, .slot = slot, .is_value = is_values(slot)};
    int ok = graph_make(&s->graph, f);
    size_t n = s->graph.blocks + 1;
    s->in = calloc(n, 1);
    s->from[0] = calloc(n, sizeof(size_t));
    s->from[1] = calloc(n, sizeof(size_t));
    s->work = calloc(2 * n, sizeof(size_t));
    return ok && s->in && s->from[0] && s->from[1] && s->work;
}

static void scope_free(struct scope *s) {
    graph_free(&s->graph);
    free(s->in);
    free(s->from[0]);
    free(s->from[1]);
    free(s->work);
    free(s->wrong);
}

/* Finds the states at all blocks' begins, and what breaks the rule. */
static void scope_follow(struct scope *s) {
    reach(s, s->graph.entry, OUTSIDE, s->graph.entry);
    while (s->works) {
        size_t block = s->work[--s->works];
        unsigned char state = through(s, block, s->in[block]);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(s->graph.block[block]);
        for (unsigned k = 0; end && k < LLVMGetNumSuccessors(end); k++)
            reach(s, graph_number(&s->graph, LLVMGetSuccessor(end, k)), state, block);
    }
}

/* ---- Before the optimiser ------------------------------------------------------------------------------------ */

static LLVMValueRef origin(LLVMValueRef v) {
    return stepped_from(v, BY_BITCAST);
}

static sm_status check_slot(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef slot = origin(LLVMGetOperand(call, 0));
    if (!LLVMIsAAllocaInst(slot) || LLVMGetInstructionParent(slot) != LLVMGetEntryBasicBlock(f) ||
        !LLVMIsAConstantInt(LLVMGetOperand(slot, 0)))
        return fail(c, SM_INVALID_GCROOT, f,
                    "%s has to be given an alloca of fixed size in the function's first block", name_of_callee(call));
    return SM_OK;
}

/* A derived pointer would be told as its own base. */
static sm_status check_stored(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    for (LLVMUseRef use = LLVMGetFirstUse(slot); is_statepoint_gc(LLVMGetGC(f)) && use; use = LLVMGetNextUse(use)) {
        LLVMValueRef store = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 1) != slot ||
            !holds_reference(LLVMTypeOf(LLVMGetOperand(store, 0))) || !is_derived(c, LLVMGetOperand(store, 0)))
            continue;
        char *text = LLVMPrintValueToString(LLVMGetOperand(store, 0));
        sm_status s = fail(c, SM_INVALID_GCROOT, f,
                           "'%.200s' is derived from another pointer, and stored into a root: only the address of an "
                           "object is one; store the object, and derive from it where it is used",
                           text + strspn(text, " "));
        LLVMDisposeMessage(text);
        return s;
    }
    return SM_OK;
}

/* What no collector could read: the address has to be known when the map is made. */
static sm_status check_metadata(struct compile *c, LLVMValueRef f, LLVMValueRef call) {
    LLVMValueRef metadata = LLVMGetOperand(call, 1);
    if (LLVMIsConstant(metadata) && LLVMGetTypeKind(LLVMTypeOf(metadata)) == LLVMPointerTypeKind &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(metadata)) == 0)
        return SM_OK;
    return fail(c, SM_INVALID_GCROOT, f, "The metadata of %s has to be a constant pointer", name_of_callee(call));
}

static void mark(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct compile *c = arg;
    int declares = is_named(call, "llvm.gc.declare"), undeclares = is_named(call, "llvm.gc.undeclare");
    if ((!declares && !undeclares) || c->errors)
        return;
    if (LLVMGetNumArgOperands(call) != (declares ? 2 : 1))
        fail(c, SM_INVALID_GCROOT, f, "%s has %u operands, and takes %d", name_of_callee(call),
             LLVMGetNumArgOperands(call), declares ? 2 : 1);
    else if (check_slot(c, f, call) == SM_OK &&
             (!declares || (check_metadata(c, f, call) == SM_OK &&
                            check_stored(c, f, origin(LLVMGetOperand(call, 0))) == SM_OK))) {
        LLVMValueRef none = LLVMConstPointerNull(LLVMPointerTypeInContext(c->context, 0));
        scope_mark(c, call, declares ? SCOPE_BEGIN : SCOPE_END, origin(LLVMGetOperand(call, 0)),
                   declares ? LLVMGetOperand(call, 1) : none);
        LLVMInstructionEraseFromParent(call);
    }
}

static void collect_slot(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct set *slots = arg;
    (void)f;
    if (begins(call) || ends(call))
        if (!set_has(slots, LLVMGetOperand(call, 0)))
            set_add(slots, LLVMGetOperand(call, 0));
}

static void set_null(struct compile *c, LLVMValueRef slot, LLVMValueRef before) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, before);
    LLVMBuildStore(b, LLVMConstPointerNull(LLVMGetAllocatedType(slot)), slot);
    LLVMDisposeBuilder(b);
}

/* ---- What is in a slot outside of its scope ------------------------------------------------------------------- */

/* What comes after a place, on all ways, before the slot is written. */
struct ahead {
    int begins, reads; /* booleans: its scope; something that may read it */
};

/* 0 if what follows in the block need not be looked at. */
static int look_at(LLVMValueRef i, LLVMValueRef slot, struct ahead *found) {
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot &&
        LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMGetAllocatedType(slot))
        return 0;
    if (begins(i) && LLVMGetOperand(i, 0) == slot)
        found->begins = 1;
    else if (!ends(i))
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            found->reads |= LLVMGetOperand(i, (unsigned)k) == slot;
    return 1;
}

/* From I on. 0 if memory is out. */
static int look_ahead(const struct graph *g, LLVMValueRef i, LLVMValueRef slot, struct ahead *found) {
    unsigned char *seen = calloc(g->blocks + 1, 1);
    LLVMBasicBlockRef *work = calloc(g->blocks + 1, sizeof(LLVMBasicBlockRef));
    size_t works = 0;
    int ok = seen && work;
    *found = (struct ahead){0};
    while (ok && i) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i));
        for (; i && look_at(i, slot, found); i = LLVMGetNextInstruction(i))
            ;
        for (unsigned k = 0; !i && end && k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            if (!seen[graph_number(g, next)])
                work[works++] = next;
            seen[graph_number(g, next)] = 1;
        }
        i = works ? LLVMGetFirstInstruction(work[--works]) : NULL;
    }
    free(seen);
    free(work);
    return ok;
}

/* All marks of a slot; the metadata of the first that has some. With a graph: null is stored at scopes' ends. */
static LLVMValueRef take_marks(LLVMValueRef f, LLVMValueRef slot, const struct graph *g, struct compile *c) {
    LLVMValueRef metadata = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if ((!begins(i) && !ends(i)) || LLVMGetOperand(i, 0) != slot)
                continue;
            if (begins(i) && (!metadata || LLVMIsNull(metadata)))
                metadata = LLVMGetOperand(i, 1);
            struct ahead ahead;
            if (ends(i) && g && look_ahead(g, LLVMGetNextInstruction(i), slot, &ahead) && !ahead.reads)
                set_null(c, slot, i);
            LLVMInstructionEraseFromParent(i);
        }
    return metadata;
}

/* In their tables a root is one word. */
static sm_status declare_gcroot(struct compile *c, LLVMValueRef f, LLVMValueRef slot, const struct scope *s) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(slot));
    if (kind != LLVMPointerTypeKind)
        return fail(c, SM_INVALID_GCROOT, f,
                    "llvm.gc.declare of %%%.200s: a root of strategy \"%s\" is an alloca of pointer type",
                    slot_name(slot), LLVMGetGC(f));
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0), params[2] = {ptr, ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), params, 2, 0);
    LLVMValueRef gcroot = LLVMGetNamedFunction(c->module, "llvm.gcroot"),
                 metadata = take_marks(f, slot, s->is_value ? NULL : &s->graph, c), args[2] = {slot, metadata};
    if (!gcroot)
        gcroot = LLVMAddFunction(c->module, "llvm.gcroot", type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(slot));
    LLVMBuildCall2(b, type, gcroot, args, 2, "");
    LLVMDisposeBuilder(b);
    set_null(c, slot, LLVMGetNextInstruction(slot));
    return SM_OK;
}

/* A root that is one throughout, and null until something is stored. */
static void declare_throughout(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    LLVMValueRef metadata = take_marks(f, slot, NULL, c), behind = LLVMGetNextInstruction(slot);
    scope_mark(c, behind, SCOPE_BEGIN, slot, metadata);
}

static sm_status settle_slot(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    struct scope s;
    sm_status status = SM_OK;
    if (!scope_make(&s, c, f, slot))
        status = fail(c, SM_NOMEM, f, "Memory ran out");
    else
        scope_follow(&s);
    if (status == SM_OK && s.wrong && c->options->scoped_roots == SM_SCOPED_STRICT)
        status = fail(c, SM_INVALID_GCROOT, f, "%s; scoped_roots=null_init makes it a root throughout", s.wrong);
    int statepoints = is_statepoint_gc(LLVMGetGC(f));
    if (status == SM_OK && !statepoints)
        status = declare_gcroot(c, f, slot, &s);
    else if (status == SM_OK && s.wrong)
        declare_throughout(c, f, slot);
    scope_free(&s);
    return status;
}

static sm_status check_function(struct compile *c, LLVMValueRef f) {
    struct set slots = {0};
    sm_status s = SM_OK;
    if (!LLVMGetGC(f))
        return fail(c, SM_INVALID_GCROOT, f,
                    "Scoped roots (llvm.gc.declare, llvm.gc.value) need a function with a GC "
                    "strategy");
    visit_calls(f, mark, c);
    if (is_statepoint_gc(LLVMGetGC(f)))
        values_put_off(c, f);
    s = c->errors ? SM_INVALID_GCROOT : is_statepoint_gc(LLVMGetGC(f)) ? SM_OK : values_to_slots(c, f);
    if (s == SM_OK)
        visit_calls(f, collect_slot, &slots);
    for (size_t i = 0; s == SM_OK && i < slots.count; i++)
        s = settle_slot(c, f, slots.item[i]);
    if (s == SM_OK && slots.failed)
        s = fail(c, SM_NOMEM, f, "Memory ran out");
    set_free(&slots);
    c->scoped = 1;
    return s;
}

static void remove_declarations(LLVMModuleRef module, const char *prefix) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (strncmp(slot_name(f), prefix, strlen(prefix)) == 0 && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}

/* Requires the verified module, before it is optimised. */
sm_status stage_scopes(struct compile *c) {
    assert(c->form == FORM_VERIFIED);
    gctypes_keep(c);
    sm_status s = c->errors ? SM_INVALID_GCROOT : tags_declare(c);
    if (s == SM_OK)
        s = pins_to_slots(c);
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && scopes_in(f))
            s = check_function(c, f);
    if (c->scoped)
        remove_declarations(c->module, "llvm.gc.");
    if (c->scoped)
        remove_declarations(c->module, "smd.gc.");
    return s;
}

/* ---- Before the rewrite -------------------------------------------------------------------------------------- */

static int with_slots(struct compile *c, LLVMValueRef call, const struct set *slots) {
    for (size_t i = 0; i < slots->count; i++)
        if (!region_find(c, slots->item[i]))
            return 0;
    return call_extend(c, call, "gc-live", (LLVMValueRef *)slots->item, (unsigned)slots->count) != NULL;
}

/* Safepoints, and for each the slots that are roots there. */
struct attachment {
    struct set calls;
    struct set *slots; /* owned: as many as calls */
};

static void attach(struct attachment *a, LLVMValueRef call, LLVMValueRef slot) {
    for (size_t i = 0; i < a->calls.count; i++)
        if (a->calls.item[i] == call)
            set_add(&a->slots[i], slot);
}

/* The slot of a value is a root only where the value is used again; it is read by loads, and written where it is
 * defined. 1 if it is read before it is written, from I on or from the block's begin. */
static int read_first(LLVMValueRef i, LLVMValueRef slot, int *written) {
    *written = 0;
    for (; i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == slot)
            return 1;
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot) {
            *written = 1;
            return 0;
        }
    }
    return 0;
}

/* Blocks at whose end the slot is going to be read. LIVE has one byte for each. */
static void find_live(struct scope *s, unsigned char *live) {
    const struct graph *g = &s->graph;
    s->works = 0;
    for (size_t i = 0; i < g->blocks; i++) {
        int written;
        if (read_first(LLVMGetFirstInstruction(g->block[i]), s->slot, &written))
            s->work[s->works++] = i;
    }
    while (s->works) {
        size_t block = s->work[--s->works];
        for (size_t k = g->first_before[block]; k < g->first_before[block + 1]; k++) {
            size_t before = g->before[k];
            int written;
            if (live[before])
                continue;
            live[before] = 1;
            if (!read_first(LLVMGetFirstInstruction(g->block[before]), s->slot, &written) && !written)
                s->work[s->works++] = before;
        }
    }
}

static int is_root_at(struct scope *s, const unsigned char *live, size_t block, LLVMValueRef i) {
    int written;
    if (!s->is_value)
        return 1;
    if (LLVMIsATerminatorInst(i))
        return live[block];
    return read_first(LLVMGetNextInstruction(i), s->slot, &written) || (!written && live[block]);
}

static void region_set_mask(struct compile *c, LLVMValueRef slot) {
    struct region *r = region_find(c, slot);
    if (r->bits & SM_FACT_UNKNOWN)
        layout_add(&r->layout, (sm_reference_run){.count = 1, .stride = 8, .space = 1, .width = 8});
    r->bits = (r->bits & ~(unsigned)SM_FACT_UNKNOWN) | SM_FACT_MASK;
    r->tag_mask = c->tag_mask;
}

/* What the map says of it: where references are in it, and what its declarations say of its type. */
static sm_status note_slot(struct compile *c, LLVMValueRef f, LLVMValueRef slot) {
    sm_status s = region_note_root(c, f, slot);
    for (LLVMUseRef u = LLVMGetFirstUse(slot); s == SM_OK && u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!begins(i))
            continue;
        if (strcmp(name_of_callee(i), PIN) == 0)
            region_find(c, slot)->bits |= SM_FACT_PINNED;
        if (strcmp(name_of_callee(i), TAG) == 0)
            region_set_mask(c, slot);
        s = region_set_type(c, f, slot, LLVMGetOperand(i, 1));
    }
    return s == SM_OK ? region_set_type(c, f, slot, type_in_metadata(c, slot)) : s;
}

/* What is in the slot at this place will be old, or is nothing yet, when its next scope begins: then it is null. Where it is
 * read before that it is kept, and stacks.c tells of it here as well. */
static sm_status clear_slot(const struct scope *s, LLVMValueRef before) {
    struct ahead ahead;
    int at_first = LLVMGetPreviousInstruction(before) == s->slot;
    if (s->is_value)
        return SM_OK;
    if (!look_ahead(&s->graph,
                    at_first                         ? before
                    : LLVMGetNextInstruction(before) ? LLVMGetNextInstruction(before)
                                                     : before,
                    s->slot, &ahead))
        return fail(s->c, SM_NOMEM, s->function, "Memory ran out");
    const struct region *r = region_find(s->c, s->slot);
    if (ahead.begins && (at_first || !ahead.reads) && r->layout.runs)
        layout_clear(s->c, s->slot, &r->layout, before);
    return SM_OK;
}

static sm_status attach_slot(struct compile *c, LLVMValueRef f, LLVMValueRef slot, struct attachment *a) {
    struct scope s;
    int made = scope_make(&s, c, f, slot);
    unsigned char *live = made ? calloc(s.graph.blocks + 1, 1) : NULL;
    if (!live) {
        scope_free(&s);
        return fail(c, SM_NOMEM, f, "Memory ran out");
    }
    scope_follow(&s);
    if (s.is_value)
        find_live(&s, live);
    sm_status status = note_slot(c, f, slot);
    if (status == SM_OK)
        status = clear_slot(&s, LLVMGetNextInstruction(slot));
    for (size_t k = 0; k < s.graph.blocks; k++) {
        int inside = s.is_value ? s.in[k] & INSIDE : s.in[k] == INSIDE;
        for (LLVMValueRef i = s.in[k] ? LLVMGetFirstInstruction(s.graph.block[k]) : NULL; i;
             i = LLVMGetNextInstruction(i)) {
            if ((begins(i) || ends(i)) && LLVMGetOperand(i, 0) == slot)
                inside = begins(i);
            else if (inside && is_safepoint(c, i) && is_root_at(&s, live, k, i))
                attach(a, i, slot);
            else if (status == SM_OK && is_safepoint(c, i) && !s.is_value)
                status = clear_slot(&s, i);
        }
    }
    free(live);
    scope_free(&s);
    return status;
}

/* ---- Slots of roots that do not overlap -------------------------------------------------------------------------- */

/* Loads, stores, calls and marks use the slot, or what is derived from it: nobody else has its address. */
static int is_used_plainly(LLVMValueRef v, LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        int plain = LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == v) || begins(i) ||
                    ends(i) || (LLVMIsAGetElementPtrInst(i) && is_used_plainly(i, slot));
        if (!plain || LLVMIsAConstant(i))
            return 0;
    }
    return 1;
}

static int uses(LLVMValueRef i, LLVMValueRef slot) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        if (stepped_from(v, BY_GEP) == slot)
            return 1;
    }
    return 0;
}

static LLVMValueRef first_metadata(LLVMValueRef slot) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (begins(LLVMGetUser(u)))
            return LLVMGetOperand(LLVMGetUser(u), 1);
    return NULL;
}

/* Nowhere are both inside, and neither is used where it is not. */
static int are_apart(const struct scope *a, const struct scope *b) {
    for (size_t k = 0; k < a->graph.blocks; k++) {
        int in_a = a->in[k] & INSIDE, in_b = b->in[k] & INSIDE;
        for (LLVMValueRef i = LLVMGetFirstInstruction(a->graph.block[k]); i; i = LLVMGetNextInstruction(i)) {
            int marks = begins(i) || ends(i);
            if (marks && LLVMGetOperand(i, 0) == a->slot)
                in_a = begins(i);
            else if (marks && LLVMGetOperand(i, 0) == b->slot)
                in_b = begins(i);
            else if (!LLVMIsAGetElementPtrInst(i) && ((!in_a && uses(i, a->slot)) || (!in_b && uses(i, b->slot))))
                return 0;
            if (in_a && in_b)
                return 0;
        }
    }
    return 1;
}

static int may_share(struct compile *c, LLVMValueRef f, LLVMValueRef a, LLVMValueRef b) {
    struct scope x, y;
    if (is_values(a) || is_values(b) || LLVMGetAllocatedType(a) != LLVMGetAllocatedType(b) ||
        LLVMGetOperand(a, 0) != LLVMGetOperand(b, 0) || first_metadata(a) != first_metadata(b) ||
        type_in_metadata(c, a) || type_in_metadata(c, b) || !is_used_plainly(a, a) || !is_used_plainly(b, b))
        return 0;
    int apart = scope_make(&x, c, f, a) & scope_make(&y, c, f, b);
    if (apart) {
        scope_follow(&x);
        scope_follow(&y);
        apart = are_apart(&x, &y);
    }
    scope_free(&x);
    scope_free(&y);
    return apart;
}

/* Slots whose scopes are apart, and that are used within them alone, become one. */
static void share_slots(struct compile *c, LLVMValueRef f, struct set *slots) {
    for (size_t i = 0; i < slots->count; i++)
        for (size_t k = i + 1; k < slots->count;) {
            LLVMValueRef kept = slots->item[i], gone = slots->item[k];
            if (!may_share(c, f, kept, gone)) {
                k++;
                continue;
            }
            if (LLVMGetAlignment(gone) > LLVMGetAlignment(kept))
                LLVMSetAlignment(kept, LLVMGetAlignment(gone));
            LLVMReplaceAllUsesWith(gone, kept);
            LLVMInstructionEraseFromParent(gone);
            slots->item[k] = slots->item[--slots->count];
        }
}

static void collect_safepoint(void *arg, LLVMValueRef f, LLVMValueRef call) {
    struct attachment *a = arg;
    (void)f;
    set_add(&a->calls, call);
}

static sm_status attach_all(struct compile *c, LLVMValueRef f) {
    struct set slots = {0};
    struct attachment a = {0};
    sm_status s = SM_OK;
    visit_calls(f, collect_slot, &slots);
    visit_calls(f, collect_safepoint, &a);
    a.slots = calloc(a.calls.count + 1, sizeof *a.slots);
    if (c->options->scoped_roots == SM_SCOPED_STRICT)
        share_slots(c, f, &slots);
    if (slots.failed || a.calls.failed || !a.slots)
        s = fail(c, SM_NOMEM, f, "Memory ran out");
    for (size_t i = 0; s == SM_OK && i < slots.count; i++)
        s = attach_slot(c, f, slots.item[i], &a);
    for (size_t i = 0; s == SM_OK && i < a.calls.count; i++)
        if (a.slots[i].failed || (a.slots[i].count && !with_slots(c, a.calls.item[i], &a.slots[i])))
            s = fail(c, SM_NOMEM, f, "Memory ran out");
    for (size_t i = 0; i < slots.count; i++)
        take_marks(f, slots.item[i], NULL, c);
    for (size_t i = 0; a.slots && i < a.calls.count; i++)
        set_free(&a.slots[i]);
    free(a.slots);
    set_free(&a.calls);
    set_free(&slots);
    return s;
}

/* Requires polls placed; gives live lists with the slots of all scopes. */
sm_status scopes_attach(struct compile *c) {
    assert(c->form == FORM_POLLED);
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && values_are_late(f))
            s = values_to_slots(c, f);
        if (s == SM_OK && !LLVMIsDeclaration(f) && scopes_in(f))
            s = attach_all(c, f);
    }
    if (c->scoped)
        remove_declarations(c->module, "smd.scope.");
    if (c->scoped)
        remove_declarations(c->module, "smd.late");
    return s;
}
