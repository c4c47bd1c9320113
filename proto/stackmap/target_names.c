/* target_names.c - the names of calling conventions, of DWARF registers and of kinds of records. */
#include "stackmap.h"

#include <stdio.h>

/* As LLVM 19 writes them (lib/IR/AsmWriter.cpp); of all targets, since a module may name any. */
static const struct {
    uint32_t cc;
    const char *name;
} conventions[] = {{0, "ccc"},
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
                   {64, "x86_stdcallcc"},
                   {65, "x86_fastcallcc"},
                   {66, "arm_apcscc"},
                   {67, "arm_aapcscc"},
                   {68, "arm_aapcs_vfpcc"},
                   {69, "msp430_intrcc"},
                   {70, "x86_thiscallcc"},
                   {71, "ptx_kernel"},
                   {72, "ptx_device"},
                   {75, "spir_func"},
                   {76, "spir_kernel"},
                   {77, "intel_ocl_bicc"},
                   {78, "x86_64_sysvcc"},
                   {79, "win64cc"},
                   {80, "x86_vectorcallcc"},
                   {81, "hhvmcc"},
                   {82, "hhvm_ccc"},
                   {83, "x86_intrcc"},
                   {84, "avr_intrcc"},
                   {85, "avr_signalcc"},
                   {87, "amdgpu_vs"},
                   {88, "amdgpu_gs"},
                   {89, "amdgpu_ps"},
                   {90, "amdgpu_cs"},
                   {91, "amdgpu_kernel"},
                   {92, "x86_regcallcc"},
                   {93, "amdgpu_hs"},
                   {95, "amdgpu_ls"},
                   {96, "amdgpu_es"},
                   {97, "aarch64_vector_pcs"},
                   {98, "aarch64_sve_vector_pcs"},
                   {100, "amdgpu_gfx"},
                   {102, "aarch64_sme_preservemost_from_x0"},
                   {103, "aarch64_sme_preservemost_from_x2"},
                   {104, "amdgpu_cs_chain"},
                   {105, "amdgpu_cs_chain_preserve"},
                   {106, "m68k_rtdcc"},
                   {107, "graalcc"},
                   {110, "riscv_vector_cc"},
                   {111, "aarch64_sme_preservemost_from_x1"}};

const char *sm_calling_convention_name(uint32_t cc, char *buf, size_t size) {
    for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++)
        if (conventions[i].cc == cc)
            return conventions[i].name;
    snprintf(buf, size, "cc%u", cc);
    return buf;
}

/* A run of registers with consecutive numbers. */
struct run {
    uint16_t first, count;
    const char *const *name;
};

#define RUN(first, names) {first, sizeof(names) / sizeof *(names), names}

/* System V ABI, AMD64 supplement, table "DWARF Register Number Mapping". */
static const char *const x86_general[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
                                          "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};
static const char *const x86_xmm[] = {"xmm0", "xmm1", "xmm2",  "xmm3",  "xmm4",  "xmm5",  "xmm6",  "xmm7",
                                      "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"};
static const char *const x86_x87[] = {"st0", "st1", "st2", "st3", "st4", "st5", "st6", "st7",   "mm0",
                                      "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", "rflags"};
static const char *const x86_xmm_high[] = {"xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                                           "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"};
static const char *const x86_mask[] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"};
static const struct run x86_runs[] = {RUN(0, x86_general), RUN(17, x86_xmm), RUN(33, x86_x87), RUN(67, x86_xmm_high),
                                      RUN(118, x86_mask)};

/* DWARF for the Arm 64-bit Architecture, section "DWARF register names". */
static const char *const arm_general[] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
                                          "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
                                          "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp"};
static const char *const arm_predicate[] = {"p0", "p1", "p2",  "p3",  "p4",  "p5",  "p6",  "p7",
                                            "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"};
static const char *const arm_vector[] = {"v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",  "v8",  "v9",  "v10",
                                         "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21",
                                         "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"};
static const char *const arm_scalable[] = {
    "z0",  "z1",  "z2",  "z3",  "z4",  "z5",  "z6",  "z7",  "z8",  "z9",  "z10", "z11", "z12", "z13", "z14", "z15",
    "z16", "z17", "z18", "z19", "z20", "z21", "z22", "z23", "z24", "z25", "z26", "z27", "z28", "z29", "z30", "z31"};
static const struct run arm_runs[] = {RUN(0, arm_general), RUN(48, arm_predicate), RUN(64, arm_vector),
                                      RUN(96, arm_scalable)};

/* A register's name, by its DWARF number; NULL if it is in no run. */
static const char *name_in(const struct run *run, size_t runs, uint16_t dwarf) {
    for (size_t i = 0; i < runs; i++)
        if (dwarf >= run[i].first && dwarf - run[i].first < run[i].count)
            return run[i].name[dwarf - run[i].first];
    return NULL;
}

const char *sm_register_name(uint16_t machine, uint16_t dwarf) {
    return machine == EM_X86_64 ? name_in(x86_runs, sizeof x86_runs / sizeof *x86_runs, dwarf)
                                : name_in(arm_runs, sizeof arm_runs / sizeof *arm_runs, dwarf);
}

const char *sm_record_kind_name(unsigned kind) {
    static const char *const kinds[] = {[SM_RECORD_UNKNOWN] = "unknown",
                                        [SM_RECORD_STATEPOINT] = "statepoint",
                                        [SM_RECORD_STACKMAP] = "stackmap",
                                        [SM_RECORD_PATCHPOINT] = "patchpoint",
                                        [SM_RECORD_GCROOT] = "gcroot"};
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
}
