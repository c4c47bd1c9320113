/* watermark_test.c - watermark_check.c with code for two architectures. */
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(watermark, .init = folder_make, .fini = folder_remove, .timeout = 600);

static void runs(int t, const char *options, long collections, unsigned seed) {
    static const char *const programs[] = {BIN_DIR "/watermark_check", QEMU " " BIN_DIR "/watermark_check-aarch64"};
    struct bytes ir = read_file(SOURCE_DIR "/tests/client/objects/watermark.ll");
    char command[1024], path[512];
    struct compiled c = compile((char *)ir.data, options, targets[t]);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(path, sizeof path, "%s/watermark.o", folder);
    write_file(path, object.data, object.len);
    drop(&c);
    bytes_free(ir);
    snprintf(command, sizeof command, "%s %s %ld %u 2>&1", programs[t], path, collections, seed);
    succeeds(command);
}

Test(watermark, x86_64) {
    runs(0, "safepoints=none opt=0", 2000, 1);
    runs(0, "safepoints=none opt=2", 2000, 2);
    runs(0, "safepoints=none opt=3 frame_pointer=all", 2000, 3);
    runs(0, "safepoints=none opt=2 gc_registers=4", 2000, 4);
}

Test(watermark, aarch64) {
    runs(1, "safepoints=none opt=0", 300, 1);
    runs(1, "safepoints=none opt=2", 300, 2);
    runs(1, "safepoints=none opt=3 frame_pointer=all gc_registers=4", 300, 3);
}
