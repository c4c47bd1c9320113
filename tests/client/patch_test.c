/* Room for code: where it is, and code in it. */
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char module[] = "declare void @helper()\n"
                             "define i64 @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"
                             "  call void @helper() \"statepoint-num-patch-bytes\"=\"20\"\n"
                             "  %v = load i64, ptr addrspace(1) %p\n  ret i64 %v\n}\n";

/* A number behind NAME in a text. */
static long number(const char *text, const char *name) {
    const char *at = strstr(text, name);
    cr_assert(at, "no %s in %s", name, text);
    return strtol(at + strlen(name), NULL, 10);
}

static void write_it(int t, const char *program) {
    char command[512];
    int status;
    struct compiled c = compile(module, "safepoints=none stackmap_format=compact", targets[t]);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    const char *map = c.text[SM_PART_STACKMAP];
    cr_expect_eq(number(map, "\"patch\":{\"offset\":"), number(map, "{\"id\":2882400000,\"offset\":") - 20);
    cr_expect_eq(number(strstr(map, "\"patch\""), "\"bytes\":"), 20);
    folder_make();
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(command, sizeof command, "%s/patch.o", folder);
    write_file(command, object.data, object.len);
    snprintf(command, sizeof command, "%s %s/patch.o 2>&1", program, folder);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect_eq(status, 0, "%s: %d, %s", targets[t], status, (const char *)out.data);
    bytes_free(out);
    folder_remove();
    drop(&c);
}

Test(patch, a_call_is_written) {
    write_it(0, BIN_DIR "/patch_check");
    write_it(1, QEMU " " BIN_DIR "/patch_check-aarch64");
}

/* A patchpoint's room begins at its offset; a page poll's is the compiler's own. */
Test(patch, whose_room_it_is) {
    has("declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)\n"
        "define void @f(i64 %x) {\n"
        "  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 3, i32 16, ptr null, i32 0, "
        "i64 %x)\n"
        "  ret void\n}\n",
        "opt=0", SM_PART_STACKMAP, "\"bytes\":16}", 1);
    has("@page = external global i8\n"
        "define void @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n  store i8 1, ptr addrspace(1) %p\n  ret "
        "void\n}\n",
        "poll=page:page", SM_PART_STACKMAP, "\"patch\"", 0);
}
