/* walk_test.c - walk_check.c with code of two compilers for two architectures. */
#include "folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(walk, .init = folder_make, .fini = folder_remove, .timeout = 600);

static void runs(const char *arch, const char *compiler, const char *flags, const char *emulator,
                 const char *suffix) {
    char command[1024];
    snprintf(
        command, sizeof command,
        "opt-19 -mtriple=%s-linux-gnu -passes=rewrite-statepoints-for-gc %s/tests/client/objects/frames.ll | llc-19 "
        "-relocation-model=pic %s -filetype=obj -o %s/frames.o 2>&1",
        arch, SOURCE_DIR, flags, folder);
    succeeds(command);
    snprintf(command, sizeof command,
             "%s %s -fPIC -fno-stack-protector -fasynchronous-unwind-tables -c -o %s/leaf.o "
             "%s/tests/client/objects/leaf.c "
             "2>&1",
             compiler, flags, folder, SOURCE_DIR);
    succeeds(command);
    snprintf(command, sizeof command, "%s %s/walk_check%s %s/frames.o %s/leaf.o 2>&1", emulator, BIN_DIR, suffix,
             folder, folder);
    succeeds(command);
}

Test(walk, x86_64) {
    runs("x86_64", "gcc", "-O2", "", "");
    runs("x86_64", "gcc", "-O0", "", "");
    runs("x86_64", "clang-19", "-O2", "", "");
}

Test(walk, aarch64) {
    runs("aarch64", "aarch64-linux-gnu-gcc", "-O2", QEMU, "-aarch64");
    runs("aarch64", "clang-19 --target=aarch64-linux-gnu", "-O1", QEMU, "-aarch64");
}

/* The same code with stackmaps of each form that LLVM had before version 3. */
static void runs_with_old_maps(const char *arch, const char *assembler, const char *emulator, const char *suffix) {
    static const char *const forms[] = {"2015", "3.6", "3.7", "4.0"};
    char command[1024];
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(command, sizeof command,
                 "opt-19 -mtriple=%s-linux-gnu -passes=rewrite-statepoints-for-gc %s/tests/client/objects/old.ll | "
                 "llc-19 -relocation-model=pic | %s/tests/support/old_stackmap.py %s >%s/old.s && %s -c -o %s/old.o "
                 "%s/old.s 2>&1",
                 arch, SOURCE_DIR, SOURCE_DIR, forms[i], folder, assembler, folder, folder);
        succeeds(command);
        snprintf(command, sizeof command, "%s %s/old_check%s %s/old.o 2>&1", emulator, BIN_DIR, suffix, folder);
        succeeds(command);
    }
}

Test(walk, old_maps_x86_64) {
    runs_with_old_maps("x86_64", "gcc", "", "");
}

Test(walk, old_maps_aarch64) {
    runs_with_old_maps("aarch64", "aarch64-linux-gnu-gcc", QEMU, "-aarch64");
}
