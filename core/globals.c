/* globals.c - the module's globals that hold references: roots that no stack has. See the answer's "global_roots".
 *
 * Those whose type has pointers of address space 1; and those that @smd.globals names, an array of addresses, whatever
 * their pointers are. As runs: at OFFSET, COUNT of them, STRIDE bytes apart. Where compressed ones become integers that is asked before. */
#include "core.h"

#include <llvm-c/Target.h>
#include <string.h>

#define NAMED "smd.globals"

enum { RUNS_MAX = 10000, DEPTH_MAX = 100, COMPRESSED = 4 };

struct runs {
    struct compile *c;
    LLVMTargetDataRef layout;
    json_t *array;
    int any_space; /* boolean */
    int failed;    /* boolean: too many, or too deep */
};

static void add_run(struct runs *r, unsigned long long offset, LLVMTypeRef type, unsigned long long count,
                    unsigned long long stride) {
    if (json_array_size(r->array) == RUNS_MAX) {
        r->failed = 1;
        return;
    }
    json_t *run = json_object();
    json_object_set_new(run, "offset", json_integer((json_int_t)offset));
    json_object_set_new(run, "space", json_integer((json_int_t)LLVMGetPointerAddressSpace(type)));
    if (holds_compressed(r->layout, type))
        json_object_set_new(run, "size", json_integer(COMPRESSED));
    if (count > 1) {
        json_object_set_new(run, "count", json_integer((json_int_t)count));
        json_object_set_new(run, "stride", json_integer((json_int_t)stride));
    }
    json_array_append_new(r->array, run);
}

static int is_wanted(const struct runs *r, LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && (r->any_space || holds_root(r->layout, type));
}

static void find_runs(struct runs *r, LLVMTypeRef type, unsigned long long offset, int depth) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (depth > DEPTH_MAX)
        r->failed = 1;
    if (r->failed || (!r->any_space && !holds_root(r->layout, type)))
        return;
    if (is_wanted(r, type))
        add_run(r, offset, type, 1, 0);
    if (kind == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            find_runs(r, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(r->layout, type, i),
                      depth + 1);
    if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
        return;
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned long long n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type),
                       size = LLVMABISizeOfType(r->layout, element);
    if (n && is_wanted(r, element))
        add_run(r, offset, element, n, size);
    else if (LLVMGetTypeKind(element) == LLVMStructTypeKind || LLVMGetTypeKind(element) == LLVMArrayTypeKind ||
             LLVMGetTypeKind(element) == LLVMVectorTypeKind)
        for (unsigned long long i = 0; i < n && !r->failed && i <= RUNS_MAX; i++) {
            size_t before = json_array_size(r->array);
            find_runs(r, element, offset + i * size, depth + 1);
            if (json_array_size(r->array) == before)
                break; /* nothing is in its elements */
        }
}

static sm_status list(struct compile *c, LLVMTargetDataRef layout, LLVMValueRef g, int any_space, json_t *out) {
    struct runs r = {c, layout, json_array(), any_space, 0};
    size_t len;
    const char *name = LLVMGetValueName2(g, &len);
    find_runs(&r, LLVMGlobalGetValueType(g), 0, 0);
    if (r.failed) {
        json_decref(r.array);
        return fail(c, SM_OUTPUT_TOO_LARGE, NULL, "The global '%.200s' holds references at too many places", name);
    }
    if (!json_array_size(r.array)) {
        json_decref(r.array);
        return SM_OK;
    }
    json_t *o = json_object();
    json_object_set_new(o, "name", json_utf8(name, len));
    if (LLVMIsThreadLocal(g))
        json_object_set_new(o, "thread_local", json_true());
    json_object_set_new(o, "roots", r.array);
    json_array_append_new(out, o);
    return SM_OK;
}

static int is_named(LLVMValueRef names, LLVMValueRef g) {
    for (int i = 0; names && i < LLVMGetNumOperands(names); i++)
        if (LLVMGetOperand(names, (unsigned)i) == g)
            return 1;
    return 0;
}

/* Its initializer, an array of globals' addresses; NULL if there is none. */
static sm_status read_names(struct compile *c, LLVMValueRef *names) {
    LLVMValueRef g = LLVMGetNamedGlobal(c->module, NAMED);
    *names = g ? LLVMGetInitializer(g) : NULL;
    int good = !g || (*names && LLVMGetTypeKind(LLVMTypeOf(*names)) == LLVMArrayTypeKind &&
                      !LLVMIsAConstantDataArray(*names));
    for (int i = 0; good && *names && i < LLVMGetNumOperands(*names); i++)
        good = LLVMIsAGlobalVariable(LLVMGetOperand(*names, (unsigned)i)) != NULL;
    return good ? SM_OK : fail(c, SM_INVALID_MODULE, NULL, "@" NAMED " is not an array of variables' addresses");
}

/* Of the module as it was emitted: what the optimiser has dropped is none. */
sm_status globals_put(struct compile *c, sm_buf *out) {
    if (has_deviated(c, DEVIATION_NARROWS))
        return sm_buf_put(out, c->global_roots.data, c->global_roots.len);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
    LLVMValueRef names;
    json_t *roots = json_array();
    sm_status s = read_names(c, &names);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && s == SM_OK; g = LLVMGetNextGlobal(g))
        if (is_named(names, g) || (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g)))
            s = list(c, layout, g, is_named(names, g), roots);
    if (s == SM_OK && json_array_size(roots)) {
        sm_buf_puts(out, ",\"global_roots\":");
        s = json_append(roots, out);
    }
    json_decref(roots);
    return s;
}
