/* global_roots.c - the module's globals that hold references: roots that no stack has. See the answer's "global_roots".
 *
 * Those whose type has pointers of address space 1; and those that @smd.globals names, an array of addresses, whatever
 * their pointers are. As runs: at OFFSET, COUNT of them, STRIDE bytes apart, so that a table of structs has as many
 * as the struct has fields. Where compressed ones become integers that is asked before. */
#include "deviations.h"
#include "ir.h"
#include "jsontext.h"
#include "marks.h"
#include "roots.h"

#include <llvm-c/Target.h>

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
    int any_space;   /* boolean */
    unsigned home;   /* the number that the space of references has in the module as it came */
    int too_complex; /* boolean: too many, or too deep */
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

/* Appends a run; sets r->too_complex beyond RUNS_MAX. */
static void add_run(struct runs *r, struct run next) {
    if (r->count == RUNS_MAX) {
        r->too_complex = 1;
        return;
    }
    r->run = xgrow(r->run, r->count, &r->room, sizeof *r->run);
    r->run[r->count++] = next;
}

/* Adds one reference: to the last run if it continues that and the run is at FROM or later, else as a new one. */
static void add_field_global(struct runs *r, size_t from, struct run next) {
    if (r->count == from || !continues(&r->run[r->count - 1], &next))
        add_run(r, next);
}

/* Makes of the runs from FROM on, which describe an array's first element, those of all N elements, SIZE bytes
 * apart. */
static void repeat_global(struct runs *r, size_t from, unsigned long long n, unsigned long long size) {
    size_t end = r->count;
    for (size_t i = from; i < end && !r->too_complex; i++) {
        struct run of = r->run[i];
        int is_one = of.count == 1, is_complete = of.count * of.stride == size, by_field = of.count <= n;
        unsigned long long more = is_one || is_complete ? 1 : by_field ? of.count : n;
        struct run each = {of.offset, of.count, of.stride, of.space, of.compressed};
        if (is_one || (!is_complete && by_field)) {
            each.count = n;
            each.stride = size;
        } else if (is_complete) {
            each.count = of.count * n;
        }
        r->run[i] = each;
        for (unsigned long long k = 1; k < more && !r->too_complex; k++) {
            each.offset = of.offset + k * (by_field ? of.stride : size);
            add_run(r, each);
        }
    }
}

/* 1 if TYPE is a pointer that is reported: a reference, or with any_space any pointer. */
static int is_global_needed(const struct runs *r, LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && (r->any_space || holds_root(r->layout, type));
}

/* Adds the references of a value of TYPE at OFFSET; only runs from FROM on may be extended. Sets r->too_complex at types
 * that are too deep or too large. */
static void find_runs(struct runs *r, LLVMTypeRef type, unsigned long long offset, size_t from, int depth) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    r->too_complex |= depth > DEPTH_MAX || r->visits++ > VISITS_MAX;
    if (r->too_complex || (!r->any_space && !holds_root(r->layout, type)))
        return;
    if (is_global_needed(r, type))
        add_field_global(
            r, from, (struct run){offset, 1, 0, LLVMGetPointerAddressSpace(type), holds_compressed(r->layout, type)});
    if (kind == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && !r->too_complex; i++)
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
        repeat_global(r, first, n, LLVMABISizeOfType(r->layout, element));
}

static int by_offset(const void *a, const void *b) {
    const struct run *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Appends a member with a number. */
static void put_number(sm_buf *out, const char *member, unsigned long long n) {
    sm_buf_puts(out, member);
    sm_buf_put_decimal(out, n);
}

/* Appends the runs as a JSON array, sorted by offset. */
static void put_runs(struct runs *r, sm_buf *out) {
    qsort(r->run, r->count, sizeof *r->run, by_offset);
    for (size_t i = 0; i < r->count; i++) {
        const struct run *of = &r->run[i];
        put_number(out, i ? ",{\"offset\":" : "[{\"offset\":", of->offset);
        put_number(out, ",\"space\":", of->space == reference_space ? r->home : of->space);
        if (of->compressed)
            put_number(out, ",\"size\":", COMPRESSED);
        if (of->count > 1) {
            put_number(out, ",\"count\":", of->count);
            put_number(out, ",\"stride\":", of->stride);
        }
        sm_buf_puts(out, "}");
    }
    sm_buf_puts(out, "]");
}

/* Appends the global G, with the runs of its references, to OUT if it has any, after what stands there since FROM;
 * fails if they are too many. */
static sm_status list(struct compile *c, LLVMTargetDataRef layout, LLVMValueRef g, int any_space, size_t from,
                      sm_buf *out) {
    struct runs r = {.layout = layout, .any_space = any_space, .home = c->moved.spaces ? c->moved.home : 1};
    sm_status s = SM_OK;
    size_t len;
    const char *name = LLVMGetValueName2(g, &len);
    find_runs(&r, LLVMGlobalGetValueType(g), 0, 0, 0);
    if (r.too_complex) {
        s = fail(c, SM_OUTPUT_TOO_LARGE, NULL,
                 "The global '%.200s' holds references at too many places: %d runs of one stride each can be told",
                 name, RUNS_MAX);
    } else if (r.count) {
        sm_buf_puts(out, out->len == from ? ",\"global_roots\":[{\"name\":" : ",{\"name\":");
        sm_json_text(out, name, len);
        sm_buf_puts(out, LLVMIsThreadLocal(g) ? ",\"thread_local\":true,\"roots\":" : ",\"roots\":");
        put_runs(&r, out);
        sm_buf_puts(out, "}");
    }
    free(r.run);
    return s;
}

/* Gives in NAMES the variables that @smd.globals names, if the module has it; fails if it is not an array of
 * variables' addresses. */
static sm_status read_names(struct compile *c, struct set *names) {
    LLVMValueRef g = LLVMGetNamedGlobal(c->module, GLOBALS_LIST), list = g ? LLVMGetInitializer(g) : NULL;
    int good =
        !g || (list && LLVMGetTypeKind(LLVMTypeOf(list)) == LLVMArrayTypeKind && !LLVMIsAConstantDataArray(list));
    for (int i = 0; good && list && i < LLVMGetNumOperands(list); i++) {
        set_add(names, LLVMGetOperand(list, (unsigned)i));
        good = LLVMIsAGlobalVariable(LLVMGetOperand(list, (unsigned)i)) != NULL;
    }
    if (!good)
        return fail(c, SM_INVALID_MODULE, NULL, "@" GLOBALS_LIST " is not an array of variables' addresses");
    return SM_OK;
}

/* Appends the member "global_roots" to the JSON in OUT, if the emitted module has globals with references; what the
 * optimiser dropped is not listed. */
sm_status globals_put(struct compile *c, sm_buf *out) {
    if (has_deviated(c, DEVIATION_NARROWS))
        return xstatus(sm_buf_put(out, c->global_roots.data, c->global_roots.len));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->module);
    struct set names = {0};
    size_t from = out->len;
    sm_status s = read_names(c, &names);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g && s == SM_OK; g = LLVMGetNextGlobal(g)) {
        int is_named = set_has(&names, g);
        if (is_named || (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g)))
            s = list(c, layout, g, is_named, from, out);
    }
    if (out->len > from)
        sm_buf_puts(out, "]");
    set_free(&names);
    return s == SM_OK ? xstatus(out->status) : s;
}
