/* reference_layout.c - where references are in a type, by the data layout: few runs, however long its arrays are. */
#include "reference_layout.h"
#include "ir.h"

#include <llvm-c/Target.h>

enum { REFERENCE = 8, COMPRESSED = 4, RUNS_MAX = 4096 };

/* Appends RUN. Sets TOO_COMPLEX at more than RUNS_MAX runs. */
void layout_add(struct layout *l, sm_reference_run run) {
    if (l->runs == RUNS_MAX) {
        l->too_complex = 1;
        return;
    }
    l->run = xgrow(l->run, l->runs, &l->room, sizeof *l->run);
    l->run[l->runs++] = run;
}

/* Frees the runs; the layout is then empty. */
void layout_free(struct layout *l) {
    free(l->run);
    *l = (struct layout){0};
}

/* Adds the run R, of one array element, for N elements of BYTES each: as one run where they join, else as the
 * fewest that say the same. Sets TOO_COMPLEX if offsets do not fit. */
static void repeat_run(struct layout *l, sm_reference_run r, uint64_t bytes, uint64_t n) {
    if (bytes > INT32_MAX || n > INT32_MAX || bytes * n > INT32_MAX) {
        l->too_complex = 1;
    } else if (r.count == 1) {
        r.stride = n > 1 ? (uint32_t)bytes : r.stride;
        r.count = (uint32_t)n;
        layout_add(l, r);
    } else if ((uint64_t)r.stride * r.count == bytes) {
        r.count *= (uint32_t)n;
        layout_add(l, r);
    } else if (n <= r.count) {
        for (uint64_t i = 0; i < n && !l->too_complex; i++, r.offset += (uint32_t)bytes)
            layout_add(l, r);
    } else {
        sm_reference_run across = r;
        across.stride = (uint32_t)bytes;
        across.count = (uint32_t)n;
        for (uint32_t i = 0; i < r.count && !l->too_complex; i++, across.offset += r.stride)
            layout_add(l, across);
    }
}

/* Adds the references of an array (or vector) of N elements at OFFSET: finds those of one element, and repeats
 * them. */
static void add_array(const struct compile *c, struct layout *l, LLVMTypeRef element, uint64_t n, uint64_t offset) {
    struct layout one = {.any_space = l->any_space};
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(c->module), element);
    if (n)
        layout_add_type(c, &one, element, 0);
    for (size_t i = 0; i < one.runs && !l->too_complex; i++) {
        sm_reference_run r = one.run[i];
        r.offset += (uint32_t)offset;
        repeat_run(l, r, bytes, n);
    }
    l->too_complex |= one.too_complex;
    layout_free(&one);
}

/* Adds the runs of all references in a value of this type at OFFSET; with ANY_SPACE, of all pointers. Sets TOO_COMPLEX
 * for scalable vectors, and where offsets do not fit. */
void layout_add_type(const struct compile *c, struct layout *l, LLVMTypeRef type, uint64_t offset) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(c->module);
    uint8_t width;
    if (l->too_complex || !(l->any_space ? holds_pointer(type) : holds_root(data, type)))
        return;
    if (offset > INT32_MAX) {
        l->too_complex = 1;
        return;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        width = holds_compressed(data, type) ? COMPRESSED : REFERENCE;
        layout_add(l, (sm_reference_run){(uint32_t)offset, 1, width, LLVMGetPointerAddressSpace(type), width});
        break;
    case LLVMVectorTypeKind:
        add_array(c, l, LLVMGetElementType(type), LLVMGetVectorSize(type), offset);
        break;
    case LLVMArrayTypeKind:
        add_array(c, l, LLVMGetElementType(type), LLVMGetArrayLength2(type), offset);
        break;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            layout_add_type(c, l, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(data, type, i));
        break;
    default:
        l->too_complex = 1; /* a scalable vector */
    }
}
