/* lazy_test.c - lazy_check.c with code of two compilers for two architectures, in several models. */
#include "folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(lazy, .init = folder_make, .fini = folder_remove, .timeout = 600);

static void compile(const char *compiler, const char *name, int version) {
    char command[2048];
    snprintf(command, sizeof command, "%s -w -DVERSION=%d -c -o %s/%s%d.o %s/tests/client/objects/%s.c 2>&1",
             compiler, version, folder, name, version, SOURCE_DIR, name);
    succeeds(command);
}

static void runs(const char *compiler, const char *flags, const char *emulator, const char *suffix) {
    char command[1024];
    snprintf(command, sizeof command, "%s %s", compiler, flags);
    compile(command, "early", 1);
    compile(command, "late", 1);
    compile(command, "late", 2);
    snprintf(command, sizeof command, "%s %s/lazy_check%s %s/early1.o %s/late1.o %s/late2.o 2>&1", emulator, BIN_DIR,
             suffix, folder, folder, folder);
    succeeds(command);
}

static void all_run(const char *compiler, const char *emulator, const char *suffix) {
    runs(compiler, "-O0 -fPIC", emulator, suffix);
    runs(compiler, "-O2 -fPIC -fno-plt", emulator, suffix);
    runs(compiler, "-O2 -fno-pic -mcmodel=large", emulator, suffix);
}

Test(lazy, x86_64) {
    all_run("gcc", "", "");
    all_run("clang-19", "", "");
    if (__builtin_cpu_supports("avx"))
        runs("gcc", "-O2 -fPIC -mavx", "", "");
}

Test(lazy, aarch64) {
    all_run("aarch64-linux-gnu-gcc", QEMU, "-aarch64");
    all_run("clang-19 --target=aarch64-linux-gnu", QEMU, "-aarch64");
}
