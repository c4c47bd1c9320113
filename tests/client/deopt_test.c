/* deopt_test.c - deopt_check.c with its code compiled in many ways, for two architectures. */
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(deopt, .init = folder_make, .fini = folder_remove, .timeout = 600);

/* TEXT with each HOW replaced; *new* (free). */
static char *with(const char *text, const char *how) {
    size_t places = count(text, "HOW");
    char *out = calloc(1, strlen(text) + places * strlen(how) + 1), *to = out;
    for (const char *at; (at = strstr(text, "HOW")) != NULL; text = at + strlen("HOW"))
        to += sprintf(to, "%.*s%s", (int)(at - text), text, how);
    strcat(to, text);
    return out;
}

/* Runs it with the methods inlined, and not. */
static void runs(int t, const char *options) {
    static const char *const programs[] = {BIN_DIR "/deopt_check", QEMU " " BIN_DIR "/deopt_check-aarch64"};
    struct bytes text = read_file(SOURCE_DIR "/tests/client/objects/deopt.ll");
    char path[256], command[1024];
    snprintf(path, sizeof path, "%s/deopt.o", folder);
    for (int is_inlined = 0; is_inlined < 2; is_inlined++) {
        char *ir = with((char *)text.data, is_inlined ? "alwaysinline" : "noinline");
        struct compiled c = compile(ir, options, targets[t]);
        cr_assert_eq(c.artifact.status, SM_OK, "%s: %s", options, c.text[SM_PART_DIAGNOSTICS]);
        write_file(path, c.artifact.part[SM_PART_OBJECT].data, c.artifact.part[SM_PART_OBJECT].len);
        snprintf(command, sizeof command, "%s %s %d 2>&1", programs[t], path, is_inlined ? 8 : 1);
        succeeds(command);
        drop(&c);
        free(ir);
    }
    bytes_free(text);
}

static const char *const sets[] = {
    "safepoints=none opt=0", "safepoints=none opt=1 gc_registers=4", "safepoints=none opt=2 frame_pointer=all",
    "safepoints=none opt=2 gc_registers=8 stackmap_format=compact", "safepoints=none opt=3 frame_pointer=none"};

Test(deopt, x86_64) {
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        runs(0, sets[i]);
}

Test(deopt, aarch64) {
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        runs(1, sets[i]);
}
