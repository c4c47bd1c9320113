/* statepoint.c - a statepoint record split into its parts, and the names of conventions and registers.
 *
 * Source: LLVM 19, docs/Statepoints.rst ("Stack Map Format"): three constants (calling convention, flags, number of
 * deopt values), the deopt values, then pairs of base and derived pointers; allocas of the gc-live list follow as
 * single direct locations.
 */
#include "stackmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER 8u /* bytes, on both targets */

static int is_constant(const sm_location *l, int64_t low, int64_t high) {
    return l->kind == SM_LOCATION_CONSTANT && l->constant >= low && l->constant <= high;
}

/* How many pointers a location holds. */
static uint32_t width(const sm_location *l) {
    return l->kind == SM_LOCATION_INDIRECT && l->size > POINTER && l->size % POINTER == 0 ? l->size / POINTER : 1;
}

static sm_location element(const sm_location *l, uint32_t i) {
    sm_location one = *l;
    if (width(l) > 1) {
        one.size = POINTER;
        one.offset += (int32_t)(i * POINTER);
    }
    return one;
}

/* How many of N locations are pairs: the regions behind them are direct, every one, and a pair has at least one
 * member that is not, since a direct location is an alloca's own address. */
static uint32_t count_paired(const sm_location *l, uint32_t n) {
    while (n && l[n - 1].kind == SM_LOCATION_DIRECT)
        n--;
    return n + (n & 1);
}

static sm_status add_roots(sm_statepoint *s, const sm_location *l, uint32_t paired, int single) {
    uint32_t step = single ? 1 : 2, total = 0;
    for (uint32_t i = 0; i < paired; i += step)
        total += width(&l[i + step - 1]);
    s->root = total ? malloc(total * sizeof *s->root) : NULL;
    if (total && !s->root)
        return SM_NOMEM;
    for (uint32_t i = 0; i < paired; i += step) {
        const sm_location *base = &l[i], *derived = &l[i + step - 1];
        for (uint32_t e = 0; e < width(derived); e++)
            s->root[s->roots++] = (sm_root){element(base, e < width(base) ? e : 0), element(derived, e)};
    }
    return SM_OK;
}

sm_status sm_statepoint_split(const sm_stackmap *m, const sm_record *r, sm_statepoint *out) {
    const sm_location *l = &m->location[r->location];
    uint32_t n = r->locations;
    memset(out, 0, sizeof *out);
    if (r->kind == SM_RECORD_GCROOT)
        return add_roots(out, l, n, 1);
    if (n < 3 || !is_constant(&l[0], 0, 1023) || !is_constant(&l[1], 0, 3) || !is_constant(&l[2], 0, n - 3))
        return SM_INVALID_STACKMAP;
    out->calling_convention = (uint32_t)l[0].constant;
    out->flags = (uint32_t)l[1].constant;
    out->deopt = r->location + 3;
    out->deopts = (uint32_t)l[2].constant;
    uint32_t rest = 3 + out->deopts, paired = count_paired(&l[rest], n - rest);
    if (paired > n - rest)
        return SM_INVALID_STACKMAP;
    out->region = r->location + rest + paired;
    out->regions = n - rest - paired;
    return add_roots(out, &l[rest], paired, 0);
}

void sm_statepoint_free(sm_statepoint *s) {
    free(s->root);
    memset(s, 0, sizeof *s);
}

void sm_stackmap_guess_kinds(sm_stackmap *m) {
    for (uint32_t i = 0; i < m->records; i++) {
        sm_record *r = &m->record[i];
        sm_statepoint s;
        if (r->kind != SM_RECORD_UNKNOWN)
            continue;
        sm_status status = sm_statepoint_split(m, r, &s);
        r->kind = status == SM_OK && r->liveouts == 0 ? SM_RECORD_STATEPOINT : SM_RECORD_STACKMAP;
        if (status == SM_OK)
            sm_statepoint_free(&s);
    }
}

/* llvm/include/llvm/IR/CallingConv.h and the names of llvm/lib/IR/AsmWriter.cpp. */
const char *sm_calling_convention_name(uint32_t cc, char *buf, size_t size) {
    static const struct {
        uint32_t cc;
        const char *name;
    } names[] = {{0, "ccc"},
                 {8, "fastcc"},
                 {9, "coldcc"},
                 {10, "ghccc"},
                 {13, "anyregcc"},
                 {14, "preserve_mostcc"},
                 {15, "preserve_allcc"},
                 {16, "swiftcc"},
                 {17, "cxx_fast_tlscc"},
                 {18, "tailcc"},
                 {19, "cfguard_checkcc"},
                 {20, "swifttailcc"},
                 {21, "preserve_nonecc"},
                 {78, "x86_64_sysvcc"},
                 {79, "win64cc"},
                 {80, "x86_vectorcallcc"},
                 {83, "x86_intrcc"},
                 {92, "x86_regcallcc"},
                 {97, "aarch64_vector_pcs"},
                 {98, "aarch64_sve_vector_pcs"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].cc == cc)
            return names[i].name;
    snprintf(buf, size, "cc %u", cc);
    return buf;
}

/* System V psABI for x86-64, figure 3.36; DWARF for the Arm 64-bit Architecture, section 4.1. */
const char *sm_register_name(uint16_t machine, uint16_t dwarf) {
    static const char *const x86[] = {"rax",   "rdx",   "rcx",   "rbx",   "rsi",   "rdi",  "rbp",  "rsp",  "r8",
                                      "r9",    "r10",   "r11",   "r12",   "r13",   "r14",  "r15",  "rip",  "xmm0",
                                      "xmm1",  "xmm2",  "xmm3",  "xmm4",  "xmm5",  "xmm6", "xmm7", "xmm8", "xmm9",
                                      "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"};
    static const char *const arm[] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
                                      "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
                                      "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp"};
    static const char *const vector[] = {"v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",  "v8",  "v9",  "v10",
                                         "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
                                         "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"};
    if (machine == EM_X86_64)
        return dwarf < sizeof x86 / sizeof *x86 ? x86[dwarf] : NULL;
    if (dwarf >= 64 && dwarf < 96)
        return vector[dwarf - 64];
    return machine == EM_AARCH64 && dwarf < 32 ? arm[dwarf] : NULL;
}
