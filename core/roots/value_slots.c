/* value_slots.c - llvm.gc.value(T value, ptr metadata): a value of any type is a root for as long as it is used.
 *
 * It lives in a slot: stored where it is defined, loaded before each use, so that what a collector does to the slot
 * is what is used. In functions with statepoints that is one slot, a region at the safepoints that the value is used
 * after. In those with llvm.gcroot, where what a map says of a slot is one word, each pointer inside it has a slot of
 * its own, which is a root; so have compressed references that no gc.value names.
 */
#include "aggregate_parts.h"
#include "analysis.h"
#include "gctypes.h"
#include "ir.h"
#include "marks.h"
#include "scopes.h"

struct value {
    struct compile *c;
    LLVMValueRef function, v;
    struct leaves of;
    enum scope_mark mark;
    int compressed; /* boolean: of the pointers in it only references are roots */
};

/* 1 if CALL is llvm.gc.value, or the mark that stands for it. */
static int is_gc_value(LLVMValueRef call) {
    return is_value_mark(call) || is_overload(called_function(call), GC_VALUE);
}

/* ---- Slots --------------------------------------------------------------------------------------------------- */

/* Builds an alloca of TYPE at the function's begin. */
static LLVMValueRef new_slot(struct value *w, LLVMTypeRef type) {
    LLVMBuilderRef b = builder_at(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "smd.value");
    LLVMDisposeBuilder(b);
    return slot;
}

/* Makes one slot, for all of the value. */
static void make_whole(struct value *w, LLVMTypeRef type) {
    w->of = (struct leaves){.count = 1};
    w->of.leaf[0] = (struct leaf){.type = type, .slot = new_slot(w, type), .is_pointer = 1};
}

/* Makes one slot for all of the value with statepoints, or if it is 64 bits; else one for each part. Refuses values
 * without pointers, and derived pointers. */
static sm_status make_slots(struct value *w) {
    LLVMTypeRef type = LLVMTypeOf(w->v), ptr = LLVMPointerTypeInContext(w->c->context, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    int fits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) == 64 : kind == LLVMDoubleTypeKind;
    int statepoints = is_statepoint_gc(LLVMGetGC(w->function)), result = leaves_find(&w->of, type, 1);
    if ((result && !w->of.pointers && statepoints) || fits) { /* the collector knows what it is */
        make_whole(w, statepoints ? type : ptr);
        return SM_OK;
    }
    for (unsigned i = 0; w->compressed && i < w->of.count; i++)
        w->of.leaf[i].is_pointer &= holds_root(LLVMGetModuleDataLayout(w->c->module), w->of.leaf[i].type);
    if (!result || !w->of.pointers) {
        char *text = LLVMPrintTypeToString(type);
        sm_status s = fail(w->c, SM_INVALID_GCROOT, w->function,
                           "%s, %%%.200s of type %.200s: a root is a pointer or 64 bits, and there are %s in it",
                           w->compressed ? "A value with compressed references, alive across a safepoint"
                                         : "The value of a call of llvm.gc.value",
                           value_name(w->v), text, w->compressed || w->of.pointers ? "too many parts" : "none");
        LLVMDisposeMessage(text);
        return s;
    }
    for (unsigned i = 0; i < w->of.count; i++) {
        LLVMValueRef seen = part_of(w->v, w->of.leaf[i].path, w->of.leaf[i].depth);
        if (statepoints && w->of.leaf[i].is_pointer && seen && is_derived(seen))
            return fail(
                w->c, SM_INVALID_GCROOT, w->function,
                "%%%.200s is derived from another pointer, and to be a root: only the address of an object is one; "
                "give the object, and derive from it where it is used",
                value_name(w->v));
        if (!statepoints || w->compressed)
            w->of.leaf[i].slot = new_slot(w, w->of.leaf[i].type);
    }
    if (statepoints && !w->compressed)
        make_whole(w, type);
    return SM_OK;
}

/* ---- Where it is defined, and where it is used --------------------------------------------------------------- */

/* Builds before PLACE the value from its slots. */
static LLVMValueRef load_before(struct value *w, LLVMValueRef place) {
    LLVMBuilderRef b = builder_at(place);
    LLVMValueRef created = LLVMGetPoison(LLVMTypeOf(w->v));
    for (unsigned i = 0; i < w->of.count; i++)
        created =
            leaf_insert(b, &w->of.leaf[i], created, LLVMBuildLoad2(b, w->of.leaf[i].type, w->of.leaf[i].slot, ""));
    LLVMDisposeBuilder(b);
    return created;
}

/* Builds before PLACE stores of the value's parts into its slots. */
static void store_before_value(struct value *w, LLVMValueRef place) {
    LLVMBuilderRef b = builder_at(place);
    for (unsigned i = 0; i < w->of.count; i++)
        LLVMBuildStore(b, leaf_extract(b, &w->of.leaf[i], w->v), w->of.leaf[i].slot);
    LLVMDisposeBuilder(b);
}

/* Puts the value's slot in its place in the state of USER, if that is a safepoint, and says so in an attribute: what is
 * in the slot is up to date when the state is read, and the value was loaded before. */
static void put_into_state(struct value *w, LLVMValueRef user) {
    struct operands state = is_call(user) ? call_operands(user, "deopt") : (struct operands){0, 0};
    unsigned n = state.end - state.first, len = 0;
    LLVMAttributeRef a = n ? call_attribute(user, WORDS_ATTRIBUTE) : NULL;
    const char *before = a ? LLVMGetStringAttributeValue(a, &len) : "";
    if (!n || !is_safepoint(w->c, user) || !call_bundle_has(user, "deopt", w->v))
        return;
    char *words = xmalloc(n + 1);
    for (unsigned i = 0; i < n; i++) {
        int is_this = LLVMGetOperand(user, state.first + i) == w->v;
        words[i] = is_this ? 'w' : i < len ? before[i] : '-';
        if (is_this)
            LLVMSetOperand(user, state.first + i, w->of.leaf[0].slot);
    }
    words[n] = 0;
    set_call_attribute(w->c->context, user, WORDS_ATTRIBUTE, words);
    free(words);
}

/* Makes USER use what is loaded from the slots right before it, or at the end of the incoming block if it is a phi.
 * */
static void value_reload_in(struct value *w, LLVMValueRef user) {
    if (!LLVMIsAPHINode(user)) {
        LLVMValueRef created = NULL;
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == w->v)
                LLVMSetOperand(user, (unsigned)i, created = created ? created : load_before(w, user));
        return;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, i);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from), created = NULL;
        if (LLVMGetIncomingValue(user, i) != w->v ||
            end == w->v) /* an invoke's result is not there before its edge */
            continue;
        created = load_before(w, end);
        for (unsigned k = i; k < LLVMCountIncoming(user);
             k++) /* a block may come in more than once, with one value */
            if (LLVMGetIncomingBlock(user, k) == from)
                LLVMSetOperand(user, k, created);
    }
}

/* Marks the begin of the scopes of the value's slots before PLACE, its definition: a reference is one before its
 * gc.value as well. */
static void mark_scopes(struct value *w, LLVMValueRef place, LLVMValueRef metadata) {
    for (unsigned i = 0; i < w->of.count; i++)
        if (w->of.leaf[i].is_pointer)
            scope_mark(w->c, place, w->mark, w->of.leaf[i].slot, metadata);
}

/* Erases those of USERS that are llvm.gc.value. */
static void erase_calls(const struct set *users) {
    for (size_t k = 0; k < users->count; k++)
        if (is_gc_value(users->item[k]))
            LLVMInstructionEraseFromParent(users->item[k]);
}

/* Makes *TYPE (may be NULL) the type that was given elsewhere or by all gc.values with metadata; null if none was. 0
 * if two differ, or one is no constant. */
static int one_type(struct compile *c, const struct set *users, LLVMValueRef *type) {
    *type = *type ? *type : LLVMConstPointerNull(LLVMPointerTypeInContext(c->context, 0));
    for (size_t k = 0; k < users->count; k++) {
        LLVMValueRef declared = is_gc_value(users->item[k]) ? LLVMGetOperand(users->item[k], 1) : *type;
        if (!LLVMIsConstant(declared) || (!LLVMIsNull(declared) && !LLVMIsNull(*type) && declared != *type))
            return 0;
        if (LLVMIsNull(*type))
            *type = declared;
    }
    return 1;
}

/* 1 if USER is a phi that takes V over the edge of an invoke that may move it: V would be loaded before the invoke,
 * and only references of address space 1 are relocated after it. */
static int is_old_on_edge(LLVMValueRef user, LLVMValueRef v) {
    for (unsigned i = 0; LLVMIsAPHINode(user) && !holds_reference(LLVMTypeOf(v)) && i < LLVMCountIncoming(user);
         i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i));
        if (LLVMGetIncomingValue(user, i) == v && end != v && LLVMIsAInvokeInst(end))
            return 1;
    }
    return 0;
}

/* Refuses V where a phi among USERS takes it from behind an invoke, where it has no PLACE, or has several types; *TYPE
 * becomes the one that it has. */
static sm_status check_kept(struct compile *c, LLVMValueRef f, LLVMValueRef v, const struct set *users,
                            LLVMValueRef place, LLVMValueRef *type) {
    for (size_t i = 0; i < users->count; i++)
        if (is_old_on_edge(users->item[i], v))
            return fail(
                c, SM_INVALID_GCROOT, f,
                "%%%.200s is kept in a slot, and a phi takes it from an edge of an invoke, where it is stale: join "
                "references",
                value_name(v));
    if (!place)
        return fail(
            c, SM_INVALID_GCROOT, f,
            "llvm.gc.value of %%%.200s, the result of an invoke whose normal edge leads to where others lead as "
            "well: give it a block of its own",
            value_name(v));
    if (!one_type(c, users, type))
        return fail(
            c, SM_INVALID_GCROOT, f,
            "llvm.gc.value of %%%.200s has two types, or one that is no constant: give each a value of its own",
            value_name(v));
    return SM_OK;
}

/* Keeps V in slots, stored at its definition and loaded before each use, and erases its gc.values. COMPRESSED: of its
 * parts only references, compressed ones too, are roots. */
static sm_status to_slots(struct compile *c, LLVMValueRef f, LLVMValueRef v, LLVMValueRef type, enum scope_mark mark,
                          int compressed) {
    struct value *w = xcalloc(1, sizeof *w);
    struct set users = {0};
    LLVMValueRef place = place_after(f, v);
    if (mark == SCOPE_VALUE && LLVMTypeOf(v) == LLVMInt64TypeInContext(c->context) && c->tags &&
        is_statepoint_gc(LLVMGetGC(f)))
        mark = SCOPE_TAG; /* where integers are tagged references, this is one */
    *w = (struct value){.c = c, .function = f, .v = v, .mark = mark, .compressed = compressed};
    add_users(v, NULL, &users);
    sm_status s = check_kept(c, f, v, &users, place, &type);
    if (s != SM_OK || (s = make_slots(w)) != SM_OK)
        goto out;
    /* Before the loads: the first use may stand right after the definition. */
    mark_scopes(w, place, type); /* first: a poll is placed before the first call of a function */
    store_before_value(w, place);
    for (size_t i = 0; i < users.count; i++) {
        if (is_gc_value(users.item[i]))
            continue;
        if (w->mark == SCOPE_TAG)
            put_into_state(w, users.item[i]);
        value_reload_in(w, users.item[i]);
    }
    erase_calls(&users);
out:
    set_free(&users);
    free(w);
    return s;
}

/* As to_slots, with a type that is a constant pointer, or a number that is cast to one here. */
static sm_status to_typed_slots(struct compile *c, LLVMValueRef f, LLVMValueRef v, LLVMValueRef type,
                                enum scope_mark mark) {
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0);
    if (!LLVMIsConstant(type))
        return fail(c, SM_INVALID_GCROOT, f, "The type of a root is a number or the address of a global");
    if (LLVMTypeOf(type) != ptr)
        type = LLVMIsAConstantInt(type) ? LLVMConstIntToPtr(type, ptr) : type;
    return to_slots(c, f, v, type, mark, 0);
}

sm_status value_to_slot(struct compile *c, LLVMValueRef f, LLVMValueRef v, enum slot_value is, LLVMValueRef type) {
    enum scope_mark mark = is == TAGGED_VALUE ? SCOPE_TAG : SCOPE_VALUE;
    if (is == TAGGED_VALUE) {
        type = gctype_of(v);
        if (gctypes_differ(v))
            return fail(c, SM_INVALID_GCROOT, f,
                        "%%%.200s has two types in \"gc-type\" operands: give each a value of its own",
                        value_name(v));
    }
    return type ? to_typed_slots(c, f, v, type, mark) : to_slots(c, f, v, NULL, mark, is == COMPRESSED_VALUE);
}

/* Replaces llvm.gc.value by a mark, which gets its slots when polls have been placed. */
static void put_off(struct compile *c, LLVMValueRef call) {
    if (!is_gc_value(call) || is_value_mark(call) || LLVMGetNumArgOperands(call) != 2)
        return;
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), NULL, 0, 1);
    LLVMValueRef late = declared_function(c->module, LATE_VALUE, type),
                 args[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
    leaf_call_before(call, late, args, 2);
    LLVMInstructionEraseFromParent(call);
}

/* Replaces F's llvm.gc.value by marks, which get their slots when polls have been placed. */
void values_put_off(struct compile *c, LLVMValueRef f) {
    for (LLVMValueRef call = first_call(f), next; call; call = next) {
        next = next_call(call);
        put_off(c, call);
    }
}

/* Copies the getelementptr STEP right before each of its uses, so that what is alive in between is the pointer that
 * it is derived from. */
static void step_again_value(struct compile *c, LLVMValueRef step) {
    struct set users = {0};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c->context);
    for (LLVMUseRef u = LLVMGetFirstUse(step); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && !is_gc_value(LLVMGetUser(u)))
            set_add(&users, LLVMGetUser(u));
    for (size_t k = 0; k < users.count; k++) {
        LLVMValueRef user = users.item[k];
        int is_phi = LLVMIsAPHINode(user) != NULL;
        for (unsigned i = 0; i < (is_phi ? LLVMCountIncoming(user) : (unsigned)LLVMGetNumOperands(user)); i++) {
            if (LLVMGetOperand(user, i) != step)
                continue;
            LLVMValueRef copy = LLVMInstructionClone(step);
            LLVMPositionBuilderBefore(b, is_phi ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i)) : user);
            LLVMInsertIntoBuilder(b, copy);
            for (unsigned n = i; n < (is_phi ? LLVMCountIncoming(user) : 0);
                 n++) /* one value for all edges from a block */
                if (LLVMGetIncomingBlock(user, n) == LLVMGetIncomingBlock(user, i))
                    LLVMSetOperand(user, n, copy);
            LLVMSetOperand(user, i, copy);
        }
    }
    set_free(&users);
    LLVMDisposeBuilder(b);
}

/* The object that V is derived from by getelementptrs, where F's strategy is one of llvm.gcroot, whose tables have
 * only objects; the getelementptrs are copied to their uses. V itself otherwise. */
static LLVMValueRef value_object_of(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    while (!is_statepoint_gc(LLVMGetGC(f)) && LLVMIsAGetElementPtrInst(v) &&
           LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind) {
        step_again_value(c, v);
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

/* 1 if V chooses (phi, select, freeze) between pointers of which one is derived: where it is used nobody knows from
 * which object. */
static int may_be_stepped(LLVMValueRef v) {
    struct set all = {0};
    int stepped = 0;
    set_add(&all, v);
    for (size_t i = 0; i < all.count && !stepped; i++) {
        LLVMValueRef at = all.item[i];
        stepped = LLVMIsAGetElementPtrInst(at) && LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMPointerTypeKind;
        flow_sources(&all, at, FLOW_SAME | FLOW_CHOICE);
    }
    set_free(&all);
    return stepped;
}

/* Keeps all values of F's llvm.gc.value, or marks of it, in slots. */
sm_status values_to_slots(struct compile *c, LLVMValueRef f) {
    struct set calls = {0}, values = {0};
    sm_status s = SM_OK;
    collect_calls(f, is_gc_value, &calls);
    for (size_t i = 0; s == SM_OK && i < calls.count; i++) {
        LLVMValueRef call = calls.item[i], v = LLVMGetNumArgOperands(call) == 2 ? LLVMGetOperand(call, 0) : NULL;
        if (!v || !LLVMIsConstant(LLVMGetOperand(call, 1)) ||
            LLVMTypeOf(LLVMGetOperand(call, 1)) != LLVMPointerTypeInContext(c->context, 0))
            s = fail(c, SM_INVALID_GCROOT, f, "llvm.gc.value takes a value, and metadata that is a constant pointer");
        else if (v = value_object_of(c, f, v), LLVMIsConstant(v))
            LLVMInstructionEraseFromParent(call); /* nothing that moves */
        else {
            LLVMSetOperand(call, 0, v);
            set_add(&values, v);
        }
    }
    for (size_t i = 0; s == SM_OK && i < values.count; i++)
        if (!is_statepoint_gc(LLVMGetGC(f)) && may_be_stepped(values.item[i]))
            s = fail(c, SM_INVALID_GCROOT, f,
                     "%%%.200s may be derived from another pointer, and is to be a root: choose between objects, and "
                     "step from what was chosen",
                     value_name(values.item[i]));
    for (size_t i = 0; s == SM_OK && i < values.count; i++)
        s = to_slots(c, f, values.item[i], NULL, SCOPE_VALUE, 0);
    set_free(&calls);
    set_free(&values);
    return s;
}
