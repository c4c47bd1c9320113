/* host.c - this machine in LLVM's names: by cpuid on x86-64, by the auxiliary vector on AArch64. */
#include "smclient.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static sm_host host;
static char features[1024];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Appends "+NAME" to the list of features. */
static void add_feature(const char *name) {
    size_t n = strlen(features);
    snprintf(features + n, sizeof features - n, "%s+%s", n ? "," : "", name);
}

#if defined(__aarch64__)

#include <sys/auxv.h>

/* Bits of AT_HWCAP and AT_HWCAP2 (Linux, arch/arm64/include/uapi/asm/hwcap.h) and what LLVM calls them. */
static const struct {
    int word, bit;
    const char *name;
} caps[] = {{0, 3, "aes"},    {0, 5, "sha2"},     {0, 7, "crc"},        {0, 8, "lse"},      {0, 10, "fullfp16"},
            {0, 12, "rdm"},   {0, 13, "jsconv"},  {0, 14, "complxnum"}, {0, 15, "rcpc"},    {0, 17, "sha3"},
            {0, 18, "sm4"},   {0, 20, "dotprod"}, {0, 22, "sve"},       {0, 23, "fp16fml"}, {0, 27, "flagm"},
            {0, 30, "pauth"}, {1, 0, "ccdp"},     {1, 1, "sve2"},       {1, 13, "i8mm"},    {1, 14, "bf16"},
            {1, 16, "rand"},  {1, 17, "bti"},     {1, 18, "mte"}};

/* Fills the host from the auxiliary vector's bits. */
static void detect(void) {
    unsigned long word[2] = {getauxval(AT_HWCAP), getauxval(26 /* AT_HWCAP2 */)};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
        if (word[caps[i].word] >> caps[i].bit & 1)
            add_feature(caps[i].name);
    host = (sm_host){"aarch64-unknown-linux-gnu", "generic", features};
}

#else

#include <cpuid.h>

enum { EAX, EBX, ECX, EDX };

/* What the operating system has to save at a switch of threads before code may use it (XCR0). */
enum { NEEDS_NOTHING, NEEDS_AVX, NEEDS_AVX512 };

/* Bits of cpuid; LEVEL is the psABI's level that a feature belongs to, 0 if it is of none. */
static const struct {
    uint32_t leaf, subleaf;
    int reg, bit, level, needs;
    const char *name;
} bits[] = {{1, 0, ECX, 0, 2, 0, "sse3"},
            {1, 0, ECX, 9, 2, 0, "ssse3"},
            {1, 0, ECX, 13, 2, 0, "cx16"},
            {1, 0, ECX, 19, 2, 0, "sse4.1"},
            {1, 0, ECX, 20, 2, 0, "sse4.2"},
            {1, 0, ECX, 23, 2, 0, "popcnt"},
            {0x80000001, 0, ECX, 0, 2, 0, "sahf"},
            {1, 0, ECX, 12, 3, NEEDS_AVX, "fma"},
            {1, 0, ECX, 22, 3, 0, "movbe"},
            {1, 0, ECX, 28, 3, NEEDS_AVX, "avx"},
            {1, 0, ECX, 29, 3, NEEDS_AVX, "f16c"},
            {7, 0, EBX, 3, 3, 0, "bmi"},
            {7, 0, EBX, 5, 3, NEEDS_AVX, "avx2"},
            {7, 0, EBX, 8, 3, 0, "bmi2"},
            {0x80000001, 0, ECX, 5, 3, 0, "lzcnt"},
            {7, 0, EBX, 16, 4, NEEDS_AVX512, "avx512f"},
            {7, 0, EBX, 17, 4, NEEDS_AVX512, "avx512dq"},
            {7, 0, EBX, 28, 4, NEEDS_AVX512, "avx512cd"},
            {7, 0, EBX, 30, 4, NEEDS_AVX512, "avx512bw"},
            {7, 0, EBX, 31, 4, NEEDS_AVX512, "avx512vl"},
            {1, 0, ECX, 1, 0, 0, "pclmul"},
            {1, 0, ECX, 25, 0, 0, "aes"},
            {1, 0, ECX, 30, 0, 0, "rdrnd"},
            {7, 0, EBX, 18, 0, 0, "rdseed"},
            {7, 0, EBX, 19, 0, 0, "adx"},
            {7, 0, EBX, 29, 0, 0, "sha"},
            {7, 0, EBX, 21, 0, NEEDS_AVX512, "avx512ifma"},
            {7, 0, ECX, 1, 0, NEEDS_AVX512, "avx512vbmi"},
            {7, 0, ECX, 6, 0, NEEDS_AVX512, "avx512vbmi2"},
            {7, 0, ECX, 8, 0, 0, "gfni"},
            {7, 0, ECX, 9, 0, NEEDS_AVX, "vaes"},
            {7, 0, ECX, 10, 0, NEEDS_AVX, "vpclmulqdq"},
            {7, 0, ECX, 11, 0, NEEDS_AVX512, "avx512vnni"},
            {7, 0, ECX, 12, 0, NEEDS_AVX512, "avx512bitalg"},
            {7, 0, ECX, 14, 0, NEEDS_AVX512, "avx512vpopcntdq"},
            {0x80000001, 0, ECX, 6, 0, 0, "sse4a"}};

#define COUNT (sizeof bits / sizeof *bits)

/* The register state that the system saves at a switch of threads (XCR0); 0 if that cannot be asked. */
static uint64_t enabled_state(void) {
    uint32_t a, b, c, d;
    enum { OSXSAVE = 27 };
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> OSXSAVE & 1))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    return (uint64_t)d << 32 | a;
}

/* 1 if cpuid reports feature number I, and the system has enabled the registers that it needs (STATE: xgetbv). */
static int has_feature(size_t i, uint64_t state) {
    static const uint64_t needed[] = {[NEEDS_NOTHING] = 0, [NEEDS_AVX] = 6, [NEEDS_AVX512] = 0xe6};
    uint32_t r[4] = {0};
    if (!__get_cpuid_count(bits[i].leaf, bits[i].subleaf, &r[EAX], &r[EBX], &r[ECX], &r[EDX]))
        return 0;
    uint64_t need = needed[bits[i].needs];
    return r[bits[i].reg] >> bits[i].bit & 1 && (state & need) == need;
}

/* Fills the host: the highest psABI level of which all features are there, and the features beyond it. */
static void detect(void) {
    static const char *const names[] = {"x86-64", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    uint64_t state = enabled_state();
    int level = 4, there[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        there[i] = has_feature(i, state);
        if (!there[i] && bits[i].level && bits[i].level <= level)
            level = bits[i].level - 1;
    }
    for (size_t i = 0; i < COUNT; i++)
        if (there[i] && (bits[i].level == 0 || bits[i].level > level))
            add_feature(bits[i].name);
    host = (sm_host){"x86_64-unknown-linux-gnu", names[level], features};
}

#endif

/* This machine's triple, CPU and features in LLVM's names; found out once. */
const sm_host *sm_target_host(void) {
    pthread_once(&once, detect);
    return &host;
}
