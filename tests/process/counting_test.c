/* Roots and barriers that a module lowers itself: a program that counts references by them frees everything, and
 * nothing too early. */
#include "folder.h"
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Links the example for a target at a level, and runs it: its exit status says whether its counts are right. */
static void runs(const char *target, const char *level, const char *compiler, const char *emulator) {
    char command[1024], options[64];
    int status;
    struct bytes text = read_file(SOURCE_DIR "/docs/examples/counting.ll");
    snprintf(options, sizeof options, "opt=%s", level);
    struct compiled c = compile((const char *)text.data, options, target);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    folder_make();
    snprintf(command, sizeof command, "%s/counting.o", folder);
    write_file(command, object.data, object.len);
    snprintf(command, sizeof command, "%s %s/counting.o -o %s/program 2>&1 && %s %s/program 2>&1", compiler, folder,
             folder, emulator, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect_eq(status, 0, "%s %s: %s", target, options, (const char *)out.data);
    bytes_free(out);
    bytes_free(text);
    folder_remove();
    drop(&c);
}

Test(counting, frees_everything_and_nothing_too_early, .timeout = 600) {
    static const char *const levels[] = {"0", "1", "2", "3", "s", "z"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        runs(targets[0], levels[i], "gcc -no-pie", "");
        runs(targets[1], levels[i], "aarch64-linux-gnu-gcc -static", QEMU);
    }
}
