/* values.c - llvm.gc.value(T value, ptr metadata): a value of any type is a root for as long as it is used.
 *
 * It lives in a slot: stored where it is defined, loaded before each use, so that what a collector does to the slot is what
 * is used. Each pointer inside it has a slot of its own, as what a map tells of a slot is one word. In functions with
 * statepoints that is a region at the safepoints that the value is used after; in those with llvm.gcroot, a root.
 */
#include "core.h"
#include "set.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES_MAX = 64 };

/* A part of the value, or the value itself: a path of indexes, and its slot. */
struct leaf {
    unsigned path[8], depth;
    int is_root; /* boolean: a pointer; what is none is kept beside it, so that the whole can be made again */
    LLVMTypeRef type;
    LLVMValueRef slot;
};

struct value {
    struct compile *c;
    LLVMValueRef function, v;
    struct leaf leaf[LEAVES_MAX];
    unsigned leaves, roots;
};

static int is_gc_value(LLVMValueRef call) {
    const char *name = LLVMIsACallInst(call) ? intrinsic_name(call) : NULL;
    return name && strncmp(name, "llvm.gc.value", 13) == 0 && (name[13] == 0 || name[13] == '.');
}

/* All parts of a type that have none; 0 if they are too many or too deep. */
static int find_leaves(struct value *w, LLVMTypeRef type, struct leaf at) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned n = kind == LLVMStructTypeKind   ? LLVMCountStructElementTypes(type)
                 : kind == LLVMArrayTypeKind  ? (unsigned)LLVMGetArrayLength2(type)
                 : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                              : 0;
    if (kind == LLVMVectorTypeKind && LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMPointerTypeKind)
        n = 0;
    if (!n && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) {
        at.type = type;
        at.is_root = kind == LLVMPointerTypeKind;
        if (w->leaves == LEAVES_MAX)
            return 0;
        w->roots += at.is_root;
        w->leaf[w->leaves++] = at;
    }
    if (n && at.depth == sizeof at.path / sizeof *at.path)
        return 0;
    for (unsigned i = 0; i < n && i <= LEAVES_MAX; i++) {
        struct leaf inner = at;
        inner.path[inner.depth++] = i;
        LLVMTypeRef t = kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
        if (!find_leaves(w, t, inner))
            return 0;
    }
    return 1;
}

/* The part of V that a leaf is. */
static LLVMValueRef extract(LLVMBuilderRef b, const struct leaf *l, LLVMValueRef v) {
    for (unsigned i = 0; i < l->depth; i++) {
        LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))), l->path[i], 0);
        v = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind ? LLVMBuildExtractElement(b, v, index, "")
                                                                 : LLVMBuildExtractValue(b, v, l->path[i], "");
    }
    return v;
}

/* V with PART in the place of the leaf, from DEPTH on. */
static LLVMValueRef insert(LLVMBuilderRef b, const struct leaf *l, unsigned depth, LLVMValueRef v,
                           LLVMValueRef part) {
    if (depth == l->depth)
        return part;
    unsigned at = l->path[depth];
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) {
        LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))), at, 0);
        return LLVMBuildInsertElement(b, v, part, index, "");
    }
    LLVMValueRef inner = depth + 1 == l->depth ? part : LLVMBuildExtractValue(b, v, at, "");
    return LLVMBuildInsertValue(b, v, insert(b, l, depth + 1, inner, part), at, "");
}

/* ---- Slots --------------------------------------------------------------------------------------------------- */

static LLVMValueRef new_slot(struct value *w, LLVMTypeRef type) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->c->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "smd.value");
    LLVMDisposeBuilder(b);
    return slot;
}

static sm_status make_slots(struct value *w) {
    LLVMTypeRef type = LLVMTypeOf(w->v), ptr = LLVMPointerTypeInContext(w->c->context, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    int fits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) == 64 : kind == LLVMDoubleTypeKind;
    if (fits) { /* what is tagged, or a pointer in disguise: the collector knows */
        w->leaves = 1;
        w->leaf[0] = (struct leaf){.type = type, .slot = new_slot(w, ptr), .is_root = 1};
        return SM_OK;
    }
    if (!find_leaves(w, type, (struct leaf){0}) || !w->roots) {
        char *text = LLVMPrintTypeToString(type);
        sm_status s = fail(w->c, SM_INVALID_GCROOT, w->function,
                           "llvm.gc.value of type %.200s: a root is a pointer or 64 bits, and there are %s in it",
                           text, w->roots ? "too many parts" : "none");
        LLVMDisposeMessage(text);
        return s;
    }
    for (unsigned i = 0; i < w->leaves; i++)
        w->leaf[i].slot = new_slot(w, w->leaf[i].type);
    return SM_OK;
}

/* ---- Where it is defined, and where it is used --------------------------------------------------------------- */

static LLVMValueRef first_place(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i) || LLVMIsAAllocaInst(i)))
        i = LLVMGetNextInstruction(i);
    return i;
}

static int has_one_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return u && !LLVMGetNextUse(u);
}

/* What comes right behind the definition; NULL if others lead there as well. */
static LLVMValueRef behind(LLVMValueRef function, LLVMValueRef v) {
    if (LLVMIsAArgument(v))
        return first_place(LLVMGetEntryBasicBlock(function));
    if (LLVMIsAPHINode(v) || LLVMIsALandingPadInst(v))
        return first_place(LLVMGetInstructionParent(v));
    if (LLVMIsAInvokeInst(v))
        return has_one_predecessor(LLVMGetNormalDest(v)) ? first_place(LLVMGetNormalDest(v)) : NULL;
    return LLVMIsATerminatorInst(v) ? NULL : LLVMGetNextInstruction(v);
}

static LLVMValueRef load_before(struct value *w, LLVMValueRef place) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->c->context);
    LLVMPositionBuilderBefore(b, place);
    LLVMValueRef made = LLVMGetPoison(LLVMTypeOf(w->v));
    for (unsigned i = 0; i < w->leaves; i++)
        made = insert(b, &w->leaf[i], 0, made, LLVMBuildLoad2(b, w->leaf[i].type, w->leaf[i].slot, ""));
    LLVMDisposeBuilder(b);
    return made;
}

static void store_before(struct value *w, LLVMValueRef place) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->c->context);
    LLVMPositionBuilderBefore(b, place);
    for (unsigned i = 0; i < w->leaves; i++)
        LLVMBuildStore(b, extract(b, &w->leaf[i], w->v), w->leaf[i].slot);
    LLVMDisposeBuilder(b);
}

static void reload_in(struct value *w, LLVMValueRef user) {
    if (!LLVMIsAPHINode(user)) {
        LLVMValueRef made = load_before(w, user);
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == w->v)
                LLVMSetOperand(user, (unsigned)i, made);
        return;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, i);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from), made = NULL;
        if (LLVMGetIncomingValue(user, i) != w->v ||
            end == w->v) /* an invoke's result is not there before its edge */
            continue;
        made = load_before(w, end);
        for (unsigned k = i; k < LLVMCountIncoming(user);
             k++) /* a block may come in more than once, with one value */
            if (LLVMGetIncomingBlock(user, k) == from)
                LLVMSetOperand(user, k, made);
    }
}

/* From the definition on: a reference is one before its gc.value as well. */
static void mark_scopes(struct value *w, LLVMValueRef place, LLVMValueRef metadata) {
    for (unsigned i = 0; i < w->leaves; i++)
        if (w->leaf[i].is_root)
            scope_mark(w->c, place, SCOPE_VALUE, w->leaf[i].slot, metadata);
}

static void erase_calls(const struct set *users) {
    for (size_t k = 0; k < users->count; k++)
        if (is_gc_value(users->item[k]))
            LLVMInstructionEraseFromParent(users->item[k]);
}

/* The metadata of the first gc.value that has some. */
static LLVMValueRef metadata_of(const struct set *users) {
    LLVMValueRef found = NULL;
    for (size_t k = 0; k < users->count; k++)
        if (is_gc_value(users->item[k]) && (!found || LLVMIsNull(found)))
            found = LLVMGetOperand(users->item[k], 1);
    return found;
}

static sm_status to_slots(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    struct value *w = calloc(1, sizeof *w);
    struct set users = {0};
    LLVMValueRef place = behind(f, v);
    sm_status s = SM_OK;
    size_t len;
    if (w)
        *w = (struct value){.c = c, .function = f, .v = v};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && !set_has(&users, LLVMGetUser(u)))
            set_add(&users, LLVMGetUser(u));
    if (!w || users.failed)
        s = fail(c, SM_NOMEM, f, "Memory ran out");
    else if (!place)
        s = fail(c, SM_INVALID_GCROOT, f,
                 "llvm.gc.value of %%%.200s, the result of an invoke whose normal edge leads to where others lead as "
                 "well: give it a block of its own",
                 LLVMGetValueName2(v, &len));
    else
        s = make_slots(w);
    for (size_t i = 0; s == SM_OK && i < users.count; i++)
        if (!is_gc_value(users.item[i]))
            reload_in(w, users.item[i]);
    if (s == SM_OK) {
        mark_scopes(w, place, metadata_of(&users)); /* first: a poll is placed before the first call of a function */
        store_before(w, place);
        erase_calls(&users);
    }
    set_free(&users);
    free(w);
    return s;
}

static void find(void *arg, LLVMValueRef f, LLVMValueRef call) {
    (void)f;
    if (is_gc_value(call))
        set_add(arg, call);
}

sm_status values_to_slots(struct compile *c, LLVMValueRef f) {
    struct set calls = {0}, values = {0};
    sm_status s = SM_OK;
    visit_calls(f, find, &calls);
    for (size_t i = 0; s == SM_OK && i < calls.count; i++) {
        LLVMValueRef call = calls.item[i], v = LLVMGetNumArgOperands(call) == 2 ? LLVMGetOperand(call, 0) : NULL;
        if (!v || !LLVMIsConstant(LLVMGetOperand(call, 1)) ||
            LLVMTypeOf(LLVMGetOperand(call, 1)) != LLVMPointerTypeInContext(c->context, 0))
            s = fail(c, SM_INVALID_GCROOT, f, "llvm.gc.value takes a value, and metadata that is a constant pointer");
        else if (LLVMIsConstant(v))
            LLVMInstructionEraseFromParent(call); /* nothing that moves */
        else if (!set_has(&values, v))
            set_add(&values, v);
    }
    for (size_t i = 0; s == SM_OK && i < values.count; i++)
        s = to_slots(c, f, values.item[i]);
    if (s == SM_OK && (calls.failed || values.failed))
        s = fail(c, SM_NOMEM, f, "Memory ran out");
    set_free(&calls);
    set_free(&values);
    return s;
}
