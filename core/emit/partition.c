/* partition.c - which functions are in which part of a module (parts.h): ranges in the module's order, so that the
 * joined code stands as in the unsplit object. What shares a group of sections is part 0's, as variables are. */
#include "memory.h"
#include "parts.h"
#include "state.h"

#include <llvm-c/Comdat.h>
#include <stdlib.h>

static int by_address_part(const void *a, const void *b) {
    const LLVMComdatRef *x = a, *y = b;
    return ((uintptr_t)*x > (uintptr_t)*y) - ((uintptr_t)*x < (uintptr_t)*y);
}

/* The comdat groups that several functions or variables share, sorted, *COUNT of them (repeated if more than two
 * share one); the caller frees them. */
static LLVMComdatRef *find_shared(const struct compile *c, size_t *count) {
    size_t n = 0, shared = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        n += LLVMGetComdat(f) != NULL;
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g))
        n += LLVMGetComdat(g) != NULL;
    LLVMComdatRef *list = xcalloc(n + 1, sizeof(LLVMComdatRef));
    n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetComdat(f))
            list[n++] = LLVMGetComdat(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetComdat(g))
            list[n++] = LLVMGetComdat(g);
    qsort(list, n, sizeof(LLVMComdatRef), by_address_part);
    for (size_t i = 1; i < n; i++)
        if (list[i] == list[i - 1])
            list[shared++] = list[i];
    *count = shared;
    return list;
}

/* Gives functions of shared comdat groups to part 0, where variables are. */
static void take_shared(const struct compile *c, struct functions *f) {
    size_t shared;
    LLVMComdatRef *groups = find_shared(c, &shared);
    for (size_t n = 0; n < f->with_body; n++) {
        LLVMComdatRef group = LLVMGetComdat(f->function[n]);
        if (group && bsearch(&group, groups, shared, sizeof(LLVMComdatRef), by_address_part))
            f->owner[n] = 0;
    }
    free(groups);
}

/* Divides the functions, in their order, into PARTS of about the same weight. */
void groups_by_weight(const struct compile *c, struct functions *f, unsigned parts) {
    uint64_t before = 0;
    for (size_t n = 0; n < f->with_body; n++) {
        f->owner[n] = (uint16_t)(before * parts / (f->sum + 1));
        before += f->weight[n];
    }
    take_shared(c, f);
}

/* A hash of the name: FNV-1a, with its low bits mixed well. */
static uint32_t hash_name(LLVMValueRef v) {
    size_t len;
    const char *name = LLVMGetValueName2(v, &len);
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ h >> 13;
}

/* Divides the functions into parts that begin where a name's hash ends in zeros, or at a full part, so that an edit
 * changes only parts near it. The number of zeros depends on the module's size. Gives how many parts. */
unsigned groups_by_name(const struct compile *c, struct functions *f, unsigned parts) {
    enum { FULL = 4 }; /* times the usual number of functions */
    size_t usual = 1, in_part = 0;
    unsigned part = 0;
    while (usual * parts < f->with_body)
        usual *= 2;
    for (size_t n = 0; n < f->with_body; n++, in_part++) {
        int begins = in_part && ((hash_name(f->function[n]) & (usual - 1)) == 0 || in_part >= FULL * usual);
        if (begins && part + 1 < UINT16_MAX) {
            part++;
            in_part = 0;
        }
        f->owner[n] = (uint16_t)part;
    }
    take_shared(c, f);
    return part + 1;
}
