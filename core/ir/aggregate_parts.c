/* aggregate_parts.c - see aggregate_parts.h. */
#include "aggregate_parts.h"
#include "ir.h"

/* Appends the leaves of TYPE, which is at AT, to W: all that is no struct, array or (with EACH_LANE) vector of
 * pointers. 0 if they are too many or too deep. */
static int find_leaves_parts(struct leaves *w, LLVMTypeRef type, int each_lane, struct leaf at) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned n = kind == LLVMStructTypeKind   ? LLVMCountStructElementTypes(type)
                 : kind == LLVMArrayTypeKind  ? (unsigned)LLVMGetArrayLength2(type)
                 : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                              : 0;
    if (kind == LLVMVectorTypeKind &&
        (!each_lane || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMPointerTypeKind))
        n = 0;
    if (!n && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) {
        at.type = type;
        at.is_pointer = kind == LLVMPointerTypeKind;
        if (w->count == LEAVES_MAX)
            return 0;
        w->pointers += at.is_pointer;
        w->leaf[w->count++] = at;
    }
    if (n && at.depth == sizeof at.path / sizeof *at.path)
        return 0;
    for (unsigned i = 0; i < n && i <= LEAVES_MAX; i++) {
        struct leaf inner = at;
        inner.path[inner.depth++] = i;
        LLVMTypeRef t = kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
        if (!find_leaves_parts(w, t, each_lane, inner))
            return 0;
    }
    return 1;
}

int leaves_find(struct leaves *l, LLVMTypeRef type, int each_lane) {
    *l = (struct leaves){0};
    return find_leaves_parts(l, type, each_lane, (struct leaf){0});
}

enum { STEPS = 1000, PATH_MAX_LEN = 64 };

/* One step from *V towards the value at the path's end: to what an insertvalue put in, past it, or to what *V was
 * extracted from. Adjusts PATH and DEPTH; 0 if there is no such step. */
static int step_through(LLVMValueRef *v, unsigned *path, unsigned *depth) {
    unsigned n = LLVMGetNumIndices(*v), same = 0;
    const unsigned *at = LLVMGetIndices(*v);
    if (LLVMIsAExtractValueInst(*v)) {
        if (n + *depth > PATH_MAX_LEN)
            return 0;
        memmove(path + n, path, *depth * sizeof *path);
        memcpy(path, at, n * sizeof *path);
        *depth += n;
        *v = LLVMGetOperand(*v, 0);
        return 1;
    }
    while (same < n && same < *depth && at[same] == path[same])
        same++;
    if (same == n) { /* it was put in here, or what holds it was */
        *depth -= n;
        memmove(path, path + n, *depth * sizeof *path);
        *v = LLVMGetOperand(*v, 1);
        return 1;
    }
    if (same == *depth)
        return 0; /* a part of it was */
    *v = LLVMGetOperand(*v, 0);
    return 1;
}

LLVMValueRef part_of(LLVMValueRef v, const unsigned *given, unsigned depth) {
    unsigned path[PATH_MAX_LEN];
    if (depth > PATH_MAX_LEN)
        return NULL;
    memcpy(path, given, depth * sizeof *path);
    for (int i = 0; i < STEPS && depth; i++) {
        if (LLVMIsAInsertValueInst(v) || LLVMIsAExtractValueInst(v)) {
            if (!step_through(&v, path, &depth))
                return NULL;
        } else if (LLVMIsAConstant(v)) {
            v = LLVMGetAggregateElement(v, path[0]);
            if (!v)
                return NULL;
            memmove(path, path + 1, --depth * sizeof *path);
        } else {
            return NULL;
        }
    }
    return depth ? NULL : v;
}

/* Builds the extraction of leaf L from V, or gives the value that was put in there, where that can be seen. */
LLVMValueRef leaf_extract(LLVMBuilderRef b, const struct leaf *l, LLVMValueRef v) {
    LLVMValueRef seen = part_of(v, l->path, l->depth);
    if (seen && LLVMTypeOf(seen) == l->type)
        return seen;
    for (unsigned i = 0; i < l->depth; i++) {
        LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))), l->path[i], 0);
        v = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind ? LLVMBuildExtractElement(b, v, index, "")
                                                                 : LLVMBuildExtractValue(b, v, l->path[i], "");
    }
    return v;
}

/* Builds V with PART in the place of leaf L, of whose path DEPTH indexes have been followed to V. */
static LLVMValueRef insert_leaf(LLVMBuilderRef b, const struct leaf *l, unsigned depth, LLVMValueRef v,
                                LLVMValueRef part) {
    if (depth == l->depth)
        return part;
    unsigned at = l->path[depth];
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) {
        LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))), at, 0);
        return LLVMBuildInsertElement(b, v, part, index, "");
    }
    LLVMValueRef inner = depth + 1 == l->depth ? part : LLVMBuildExtractValue(b, v, at, "");
    return LLVMBuildInsertValue(b, v, insert_leaf(b, l, depth + 1, inner, part), at, "");
}

/* Builds V with PART in the place of leaf L. */
LLVMValueRef leaf_insert(LLVMBuilderRef b, const struct leaf *l, LLVMValueRef v, LLVMValueRef part) {
    return insert_leaf(b, l, 0, v, part);
}

/* The first instruction of the block that is no phi, landing pad or alloca. */
static LLVMValueRef first_place(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i) || LLVMIsAAllocaInst(i)))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* The instruction before which what is computed from V can be put; NULL if V is an invoke whose normal destination
 * has other predecessors, or another terminator. */
LLVMValueRef place_after(LLVMValueRef function, LLVMValueRef v) {
    if (LLVMIsAArgument(v))
        return first_place(LLVMGetEntryBasicBlock(function));
    if (LLVMIsAPHINode(v) || LLVMIsALandingPadInst(v))
        return first_place(LLVMGetInstructionParent(v));
    if (LLVMIsAInvokeInst(v))
        return only_edge_to(LLVMGetNormalDest(v)) ? first_place(LLVMGetNormalDest(v)) : NULL;
    return LLVMIsATerminatorInst(v) ? NULL : LLVMGetNextInstruction(v);
}
