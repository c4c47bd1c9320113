/* globals.c - the module's globals that hold references: roots that no stack has. See the answer's "global_roots".
 *
 * Those whose type has pointers of address space 1; and those that @smd.globals names, an array of addresses, whatever
 * their pointers are. As runs: at OFFSET, COUNT of them, STRIDE bytes apart, so that a table of structs has as many
 * as the struct has fields. Where compressed ones become integers that is asked before. */
#include "core.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define NAMED "smd.globals"

enum { RUNS_MAX = 16384, VISITS_MAX = 1000000, DEPTH_MAX = 100, COMPRESSED = 4 };

struct run {
    unsigned long long offset, count, stride;
    unsigned space;
    int compressed; /* boolean */
};

struct runs {
    LLVMTargetDataRef layout;
    struct run *run; /* owned */
    size_t count, room, visits;
    int any_space; /* boolean */
    int failed;    /* boolean: too many, or too deep */
};

/* 1 if NEXT is the next element of the run LAST, which is then extended by it. */
static int continues(struct run *last, const struct run *next) {
    if (next->count != 1 || next->space != last->space || next->compressed != last->compressed ||
        next->offset <= last->offset)
        return 0;
    if (last->count == 1)
        last->stride = next->offset - last->offset;
    if (next->offset - last->offset != last->count * last->stride)
        return 0;
    last->count++;
    return 1;
}

/* Appends a run; sets r->failed beyond RUNS_MAX, or if out of memory. */
static void add_run(struct runs *r, struct run next) {
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 16;
        struct run *more = r->room < RUNS_MAX ? realloc(r->run, room * sizeof *more) : NULL;
        if (!more) {
            r->failed = 1;
            return;
        }
        r->run = more;
        r->room = room;
    }
    r->run[r->count++] = next;
}

/* Adds one reference: to the last run if it continues that and the run is at FROM or later, else as a new one. */
static void add_field(struct runs *r, size_t from, struct run next) {
    if (r->count == from || !continues(&r->run[r->count - 1], &next))
        add_run(r, next);
}

/* Makes of the runs from FROM on, which describe an array's first element, those of all N elements, SIZE bytes
 * apart. */
static void repeat(struct runs *r, size_t from, unsigned long long n, unsigned long long size) {
    size_t end = r->count;
    for (size_t i = from; i < end && !r->failed; i++) {
        struct run of = r->run[i];
        int is_one = of.count == 1, is_whole = of.count * of.stride == size, by_field = of.count <= n;
        unsigned long long more = is_one || is_whole ? 1 : by_field ? of.count : n;
        struct run each = {of.offset, of.count, of.stride, of.space, of.compressed};
        if (is_one || (!is_whole && by_field)) {
            each.count = n;
            each.stride = size;
        } else if (is_whole) {
            each.count = of.count * n;
        }
        r->run[i] = each;
        for (unsigned long long k = 1; k < more && !r->failed; k++) {
            each.offset = of.offset + k * (by_field ? of.stride : size);
            add_run(r, each);
        }
    }
}

/* 1 if TYPE is a pointer that is reported: a reference, or with any_space any pointer. */
static int is_wanted(const struct runs *r, LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && (r->any_space || holds_root(r->layout, type));
}

/* Adds the references of a value of TYPE at OFFSET; only runs from FROM on may be extended. Sets r->failed at types
 * that are too deep or too large. */
static void find_runs(struct runs *r, LLVMTypeRef type, unsigned long long offset, size_t from, int depth) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    r->failed |= depth > DEPTH_MAX || r->visits++ > VISITS_MAX;
    if (r->failed || (!r->any_space && !holds_root(r->layout, type)))
        return;
    if (is_wanted(r, type))
        add_field(r, from,
                  (struct run){offset, 1, 0, LLVMGetPointerAddressSpace(type), holds_compressed(r->layout, type)});
    if (kind == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !r->failed; i++)
            find_runs(r, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(r->layout, type, i), from,
                      depth + 1);
    if (kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind)
        return;
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned long long n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
    size_t first = r->count;
    if (n)
        find_runs(r, element, offset, first, depth + 1);
    if (n > 1)
        repeat(r, first, n, LLVMABISizeOfType(r->layout, element));
}

static int by_offset(const void *a, const void *b) {
    const struct run *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* The runs as a JSON array, sorted by offset; new reference. */
static json_t *runs_json(const struct runs *r) {
    json_t *all = json_array();
    if (r->count)
        qsort(r->run, r->count, sizeof *r->run, by_offset);
    for (size_t i = 0; i < r->count; i++) {
        const struct run *of = &r->run[i];
        json_t *run = json_object();
        json_object_set_new(run, "offset", json_integer((json_int_t)of->offset));
        json_object_set_new(run, "space", json_integer((json_int_t)of->space));
        if (of->compressed)
            json_object_set_new(run, "size", json_integer(COMPRESSED));
        if (of->count > 1) {
            json_object_set_new(run, "count", json_integer((json_int_t)of->count));
            json_object_set_new(run, "stride", json_integer((json_int_t)of->stride));
        }
        json_array_append_new(all, run);
    }
    return all;
}

/* Appends the global G, with the runs of its references, to OUT if it has any; fails if they are too many. */
static sm_status list(struct compile *c, LLVMTargetDataRef layout, LLVMValueRef g, int any_space, json_t *out) {
    struct runs r = {.layout = layout, .any_space = any_space};
    sm_status s = SM_OK;
    size_t len;
    const char *name = LLVMGetValueName2(g, &len);
    find_runs(&r, LLVMGlobalGetValueType(g), 0, 0, 0);
    if (r.failed) {
        s = fail(c, SM_OUTPUT_TOO_LARGE, NULL,
                 "The global '%.200s' holds references at too many places: %d runs of one stride each can be told",
                 name, RUNS_MAX);
    } else if (r.count) {
        json_t *o = json_object();
        json_object_set_new(o, "name", json_utf8(name, len));
        if (LLVMIsThreadLocal(g))
            json_object_set_new(o, "thread_local", json_true());
        json_object_set_new(o, "roots", runs_json(&r));
        json_array_append_new(out, o);
    }
    free(r.run);
    return s;
}

/* 1 if the array NAMES (NULL: none) has the address of G. */
static int is_named(LLVMValueRef names, LLVMValueRef g) {
    for (int i = 0; names && i < LLVMGetNumOperands(names); i++)
        if (LLVMGetOperand(names, (unsigned)i) == g)
            return 1;
    return 0;
}

/* Gives in *NAMES the initializer of @smd.globals, NULL if the module has none; fails if it is not an array of
 * variables' addresses. */
static sm_status read_names(struct compile *c, LLVMValueRef *names) {
    LLVMValueRef g = LLVMGetNamedGlobal(c->module, NAMED);
    *names = g ? LLVMGetInitializer(g) : NULL;
    int good = !g || (*names && LLVMGetTypeKind(LLVMTypeOf(*names)) == LLVMArrayTypeKind &&
                      !LLVMIsAConstantDataArray(*names));
    for (int i = 0; good && *names && i < LLVMGetNumOperands(*names); i++)
        good = LLVMIsAGlobalVariable(LLVMGetOperand(*names, (unsigned)i)) != NULL;
    return good ? SM_OK : fail(c, SM_INVALID_MODULE, NULL, "@" NAMED " is not an array of variables' addresses");
}

/* Appends the member "global_roots" to the JSON in OUT, if the emitted module has globals with references; what the
 * optimiser dropped is not listed. */
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
