/* scope_marks.c - the marks at which scopes begin and end. */
#include "ir.h"
#include "marks.h"
#include "scopes.h"

static const char *const names[] = {[SCOPE_END] = SCOPE "end",
                                    [SCOPE_BEGIN] = SCOPE "begin",
                                    [SCOPE_VALUE] = SCOPE "value",
                                    [SCOPE_PIN] = SCOPE "pin",
                                    [SCOPE_TAG] = SCOPE "tag"};

/* The function NAME that marks call, declared if it is not there yet. */
static LLVMValueRef marker_scope(struct compile *c, const char *name) {
    LLVMTypeRef ptr = LLVMPointerTypeInContext(c->context, 0), params[2] = {ptr, ptr};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c->context), params, 2, 0);
    LLVMValueRef f = declared_function(c->module, name, type);
    set_attribute_at(f, 1, "nocapture", 0);
    return f;
}

/* Builds before BEFORE the mark of SLOT with METADATA, a call that is no safepoint. */
void scope_mark(struct compile *c, LLVMValueRef before, enum scope_mark mark, LLVMValueRef slot,
                LLVMValueRef metadata) {
    LLVMValueRef args[2] = {slot, metadata};
    c->has |= HAS_SCOPES | HAS_SLOTS;
    leaf_call_before(before, marker_scope(c, names[mark]), args, 2);
}

int scope_has_mark(LLVMValueRef slot, enum scope_mark mark) {
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u))
        if (strcmp(called_function(LLVMGetUser(u)), names[mark]) == 0)
            return 1;
    return 0;
}

void collect_marked(LLVMValueRef f, struct set *slots) {
    for (LLVMValueRef call = first_call(f); call; call = next_call(call))
        if (scope_begins(call) || scope_ends(call))
            set_add(slots, LLVMGetOperand(call, 0));
}
