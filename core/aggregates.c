/* aggregates.c - GC pointers inside structs and arrays that stay alive across a safepoint.
 *
 * LLVM's rewrite relocates pointers and vectors of them. Of an aggregate it says in an assertion that it cannot
 * (llvm/lib/Transforms/Scalar/RewriteStatepointsForGC.cpp, isUnhandledGCPointerType); without assertions the pointer
 * silently keeps its old value. So these are looked for before the rewrite, and refused by name.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static int holds_gc_pointer(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMPointerTypeKind:
        return LLVMGetPointerAddressSpace(t) == 1;
    case LLVMVectorTypeKind:
    case LLVMScalableVectorTypeKind:
    case LLVMArrayTypeKind:
        return holds_gc_pointer(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_gc_pointer(LLVMStructGetTypeAtIndex(t, i)))
                return 1;
        return 0;
    default:
        return 0;
    }
}

static int is_unhandled(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && holds_gc_pointer(LLVMTypeOf(v));
}

/* Where a value is live: looked for backwards, from a use to the definition. */
struct search {
    LLVMValueRef value;
    LLVMBasicBlockRef *seen; /* owned: blocks that it is live into */
    size_t count, room;
    LLVMValueRef found; /* the safepoint that it is live across */
    int failed;         /* boolean: memory ran out */
};

static int mark(struct search *s, LLVMBasicBlockRef b) {
    for (size_t i = 0; i < s->count; i++)
        if (s->seen[i] == b)
            return 0;
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        LLVMBasicBlockRef *more = realloc((void *)s->seen, room * sizeof(LLVMBasicBlockRef));
        if (!more) {
            s->failed = 1;
            return 0;
        }
        s->seen = more;
        s->room = room;
    }
    s->seen[s->count++] = b;
    return 1;
}

/* Goes up from before I (NULL: the block's end). 1 if the block's begin was reached without the definition. */
static int scan(struct search *s, LLVMBasicBlockRef b, LLVMValueRef i) {
    for (i = i ? LLVMGetPreviousInstruction(i) : LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i)) {
        if (i == s->value)
            return 0;
        if (calls_safepoint(i))
            s->found = i;
    }
    return 1;
}

static int leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            return 1;
    return 0;
}

/* What the value is live into it is live out of where that came from. */
static void look_before(struct search *s, LLVMValueRef f, size_t from) {
    for (size_t i = from; i < s->count && !s->found; i++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && !s->found; b = LLVMGetNextBasicBlock(b))
            if (leads_to(b, s->seen[i]) && scan(s, b, NULL))
                mark(s, b);
}

/* A phi uses a value at the end of the block that it comes from. */
static void look_from_use(struct search *s, LLVMValueRef f, LLVMValueRef user) {
    size_t from = s->count;
    if (!LLVMIsAPHINode(user)) {
        if (scan(s, LLVMGetInstructionParent(user), user))
            mark(s, LLVMGetInstructionParent(user));
    } else {
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
            if (LLVMGetIncomingValue(user, i) == s->value && scan(s, LLVMGetIncomingBlock(user, i), NULL))
                mark(s, LLVMGetIncomingBlock(user, i));
    }
    look_before(s, f, from);
}

static sm_status check_value(struct compile *c, LLVMValueRef f, LLVMValueRef v) {
    struct search s = {.value = v};
    size_t len;
    for (LLVMUseRef use = LLVMGetFirstUse(v); use && !s.found; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            look_from_use(&s, f, LLVMGetUser(use));
    free((void *)s.seen);
    if (s.failed)
        return fail(c, SM_NOMEM, f, "Memory ran out");
    if (!s.found)
        return SM_OK;
    char *type = LLVMPrintTypeToString(LLVMTypeOf(v));
    LLVMValueRef callee = LLVMGetCalledValue(s.found);
    const char *name = LLVMGetValueName2(v, &len),
               *called = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "an indirect callee";
    sm_status status =
        fail(c, SM_CANNOT_REWRITE, f,
             "%s%s of type %.200s holds GC pointers and stays alive across the call of %.200s: pointers "
             "inside an aggregate cannot be relocated; take it apart before the call",
             name[0] ? "%" : "A value", name, type, called);
    LLVMDisposeMessage(type);
    return status;
}

sm_status aggregates_check(struct compile *c) {
    sm_status s = SM_OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); s == SM_OK && f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_statepoint_gc(LLVMGetGC(f)))
            continue;
        for (unsigned i = 0; s == SM_OK && i < LLVMCountParams(f); i++)
            if (is_unhandled(LLVMGetParam(f, i)))
                s = check_value(c, f, LLVMGetParam(f, i));
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); s == SM_OK && i; i = LLVMGetNextInstruction(i))
                if (is_unhandled(i))
                    s = check_value(c, f, i);
    }
    return s;
}
