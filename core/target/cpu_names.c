/* cpu_names.c - the CPUs that LLVM 19 knows, to find which one a misspelt name means. LLVM's C API does not list them,
 * and its own list (llc-19 -mcpu=help) is printed once in a process. Which name is right only LLVM decides. */
#include "machine.h"
#include "options.h"

/* clang-format off */
static const char *const x86_64[] = {
    "alderlake", "amdfam10", "arrowlake", "arrowlake-s", "arrowlake_s", "athlon", "athlon-4", "athlon-fx",
    "athlon-mp", "athlon-tbird", "athlon-xp", "athlon64", "athlon64-sse3", "atom", "atom_sse4_2",
    "atom_sse4_2_movbe", "barcelona", "bdver1", "bdver2", "bdver3", "bdver4", "bonnell", "broadwell",
    "btver1", "btver2", "c3", "c3-2", "cannonlake", "cascadelake", "clearwaterforest", "cooperlake",
    "core-avx-i", "core-avx2", "core2", "core_2_duo_sse4_1", "core_2_duo_ssse3", "core_2nd_gen_avx",
    "core_3rd_gen_avx", "core_4th_gen_avx", "core_4th_gen_avx_tsx", "core_5th_gen_avx",
    "core_5th_gen_avx_tsx", "core_aes_pclmulqdq", "core_i7_sse4_2", "corei7", "corei7-avx", "emeraldrapids",
    "generic", "geode", "goldmont", "goldmont-plus", "goldmont_plus", "gracemont", "grandridge",
    "graniterapids", "graniterapids-d", "graniterapids_d", "haswell", "i386", "i486", "i586", "i686",
    "icelake-client", "icelake-server", "icelake_client", "icelake_server", "ivybridge", "k6", "k6-2",
    "k6-3", "k8", "k8-sse3", "knl", "knm", "lakemont", "lunarlake", "meteorlake", "mic_avx512", "nehalem",
    "nocona", "opteron", "opteron-sse3", "pantherlake", "penryn", "pentium", "pentium-m", "pentium-mmx",
    "pentium2", "pentium3", "pentium3m", "pentium4", "pentium4m", "pentium_4", "pentium_4_sse3",
    "pentium_ii", "pentium_iii", "pentium_iii_no_xmm_regs", "pentium_m", "pentium_mmx", "pentium_pro",
    "pentiumpro", "prescott", "raptorlake", "rocketlake", "sandybridge", "sapphirerapids", "sierraforest",
    "silvermont", "skx", "skylake", "skylake-avx512", "skylake_avx512", "slm", "tigerlake", "tremont",
    "westmere", "winchip-c6", "winchip2", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "yonah",
    "znver1", "znver2", "znver3", "znver4", "znver5", NULL};

static const char *const aarch64[] = {
    "a64fx", "ampere1", "ampere1a", "ampere1b", "apple-a10", "apple-a11", "apple-a12", "apple-a13",
    "apple-a14", "apple-a15", "apple-a16", "apple-a17", "apple-a7", "apple-m4", "carmel", "cortex-a34",
    "cortex-a35", "cortex-a510", "cortex-a520", "cortex-a520ae", "cortex-a53", "cortex-a55", "cortex-a57",
    "cortex-a65", "cortex-a65ae", "cortex-a710", "cortex-a715", "cortex-a72", "cortex-a720",
    "cortex-a720ae", "cortex-a725", "cortex-a73", "cortex-a75", "cortex-a76", "cortex-a76ae", "cortex-a77",
    "cortex-a78", "cortex-a78ae", "cortex-a78c", "cortex-r82", "cortex-r82ae", "cortex-x1", "cortex-x1c",
    "cortex-x2", "cortex-x3", "cortex-x4", "cortex-x925", "exynos-m3", "exynos-m4", "exynos-m5", "falkor",
    "generic", "kryo", "neoverse-512tvb", "neoverse-e1", "neoverse-n1", "neoverse-n2", "neoverse-n3",
    "neoverse-v1", "neoverse-v2", "neoverse-v3", "neoverse-v3ae", "oryon-1", "saphira", "thunderx",
    "thunderx2t99", "thunderx3t110", "thunderxt81", "thunderxt83", "thunderxt88", "tsv110", NULL};
/* clang-format on */

const char *cpu_near(const char *name, uint16_t elf_machine) {
    return sm_nearest(name, elf_machine == EM_AARCH64 ? aarch64 : x86_64);
}
