/* models_test.c - objects of two compilers for two architectures, in the code models that there are, loaded and run. */
#include "files.h"
#include "folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define X86_GCC       "gcc"
#define X86_CLANG     "clang-19 --target=x86_64-linux-gnu"
#define AARCH64_GCC   "aarch64-linux-gnu-gcc"
#define AARCH64_CLANG "clang-19 --target=aarch64-linux-gnu"

TestSuite(models, .init = folder_make, .fini = folder_remove, .timeout = 600);

static void compile(const char *compiler, const char *flags, const char *name) {
    char command[1024];
    int status;
    snprintf(command, sizeof command, "%s %s -fno-stack-protector -c -o %s/%s.o %s/tests/client/objects/%s.c 2>&1",
             compiler, flags, folder, name, SOURCE_DIR, name);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_assert_eq(status, 0, "%s: %s", command, (char *)out.data);
    bytes_free(out);
}

static void runs(const char *compiler, const char *flags) {
    char command[512];
    int status, native = !strstr(compiler, "aarch64");
    compile(compiler, flags, "other");
    compile(compiler, flags, "code");
    snprintf(command, sizeof command, "%s %s/load_check%s %s/other.o %s/code.o 2>&1", native ? "" : QEMU, BIN_DIR,
             native ? "" : "-aarch64", folder, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect_eq(status, 0, "%s %s: exit %d: %s", compiler, flags, status, (char *)out.data);
    bytes_free(out);
}

static const char *const common[] = {
    "-O0",
    "-O2 -fno-pic",
    "-O2 -fPIE",
    "-O2 -fPIC -fcommon",
    "-O2 -mcmodel=large -fno-pic",
    "-Os -ffunction-sections -fdata-sections -fPIC -g -fno-asynchronous-unwind-tables"};

static void all_run(const char *compiler, const char *const *further) {
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        runs(compiler, common[i]);
    for (; *further; further++)
        runs(compiler, *further);
}

static const char *const x86_models[] = {"-O2 -mcmodel=large -fPIC",
                                         "-O2 -mcmodel=medium -mlarge-data-threshold=16 -fno-pic",
                                         "-O2 -mcmodel=medium -mlarge-data-threshold=16 -fPIC", NULL};
static const char *const aarch64_models[] = {"-O0 -mcmodel=tiny -fPIC", "-O2 -mcmodel=tiny -fPIE", NULL};

Test(models, gcc) {
    all_run(X86_GCC, x86_models);
}
Test(models, clang) {
    all_run(X86_CLANG, x86_models);
}
Test(models, gcc_for_aarch64) {
    all_run(AARCH64_GCC, aarch64_models);
}
Test(models, clang_for_aarch64) {
    all_run(AARCH64_CLANG, aarch64_models);
}
