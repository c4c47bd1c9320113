/* aggregate_parts.h - the parts of a value that is a struct or an array, at any depth, and the value computed from
 * them again. */
#ifndef CORE_LEAVES_H
#define CORE_LEAVES_H

#include "ir.h"

enum { LEAVES_MAX = 64, LEAF_DEPTH_MAX = 8 };

/* A part that has none, or the value itself: a path of indexes. SLOT is the user's own. */
struct leaf {
    unsigned path[LEAF_DEPTH_MAX], depth;
    int is_pointer; /* boolean */
    LLVMTypeRef type;
    LLVMValueRef slot;
};

struct leaves {
    struct leaf leaf[LEAVES_MAX];
    unsigned count, pointers;
};

/* Those of a type; a vector of pointers is one, or with EACH_LANE as many as it has lanes. 0 if they are too many or
 * too deep. */
int leaves_find(struct leaves *l, LLVMTypeRef type, int each_lane);

/* What was put into V at the end of GIVEN, where that can be seen; NULL otherwise. Looks through insertvalue,
 * extractvalue and constants. */
LLVMValueRef part_of(LLVMValueRef v, const unsigned *given, unsigned depth);

/* The part of V, and V with another. */
LLVMValueRef leaf_extract(LLVMBuilderRef b, const struct leaf *l, LLVMValueRef v);
LLVMValueRef leaf_insert(LLVMBuilderRef b, const struct leaf *l, LLVMValueRef v, LLVMValueRef part);

/* The instruction before which what is computed from V can stand; NULL if others lead there as well. */
LLVMValueRef place_after(LLVMValueRef function, LLVMValueRef v);

#endif
