/* Implicit null checks: told in the stackmap, and a fault at every one goes on at its handler. */
#include "folder.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 40 };

/* The work behind a check: it gives %v. */
static const char *const work[] = {
    "  %v = load i64, ptr addrspace(1) %f\n",
    "  %w = load i32, ptr addrspace(1) %f\n  %v = zext i32 %w to i64\n",
    "  store i64 5, ptr addrspace(1) %f\n  %v = add i64 0, 7\n",
    ("  %o = load i64, ptr addrspace(1) %f\n  %n = add i64 %o, 1\n"
     "  store i64 %n, ptr addrspace(1) %f\n  %v = add i64 0, 7\n"),
    "  %d = load double, ptr addrspace(1) %f\n  %v = bitcast double %d to i64\n",
};

static char *module(void) {
    char *text = malloc(1000 * FUNCTIONS), *at = text;
    at += sprintf(at, "declare void @was_null()\ndeclare i64 @passes(ptr addrspace(1))\n");
    for (int i = 0; i < FUNCTIONS; i++)
        at += sprintf(at,
                      "define i64 @f%d(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n"
                      "  %%c = icmp eq ptr addrspace(1) %%p, null\n"
                      "  br i1 %%c, label %%null, label %%there, !make.implicit !0\n"
                      "there:\n  %%f = getelementptr i64, ptr addrspace(1) %%p, i64 %d\n%s  ret i64 %%v\n"
                      "null:\n  call void @was_null()\n  ret i64 -1\n}\n",
                      i, i, work[i % (int)(sizeof work / sizeof *work)]);
    sprintf(at, "!0 = !{}\n");
    return text;
}

/* What only the handler reads is in a register that the load behind the check gets: calls around keep both in one
 * that they leave alone. */
static char *module_of_kept_values(void) {
    char *text = malloc(1000 * FUNCTIONS), *at = text;
    at += sprintf(at, "declare void @was_null()\ndeclare i64 @minus_one()\n");
    for (int i = 0; i < FUNCTIONS; i++)
        at += sprintf(at,
                      "define i64 @f%d(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n"
                      "  %%kept = call i64 @minus_one()\n  %%x = call i64 @minus_one()\n"
                      "  %%c = icmp eq ptr addrspace(1) %%p, null\n"
                      "  br i1 %%c, label %%null, label %%there, !make.implicit !0\n"
                      "there:\n  %%f = getelementptr i64, ptr addrspace(1) %%p, i64 %d\n%s"
                      "  %%y = call i64 @minus_one()\n  ret i64 %%v\n"
                      "null:\n  call void @was_null()\n  ret i64 %%kept\n}\n",
                      i, i, work[i % 2]);
    sprintf(at, "!0 = !{}\n");
    return text;
}

static void at_every_site(int t, char *ir, const char *options, const char *program) {
    char command[1024];
    int status;
    struct compiled c = compile(ir, options, targets[t]);
    cr_assert_eq(c.artifact.status, SM_OK, "%s", c.text[SM_PART_DIAGNOSTICS]);
    size_t checks = count(c.text[SM_PART_STACKMAP], "\"handler\":");
    cr_assert_geq(checks, FUNCTIONS * 3 / 5, "%s has %zu", targets[t], checks);
    folder_make();
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(command, sizeof command, "%s/null.o", folder);
    write_file(command, object.data, object.len);
    snprintf(command, sizeof command, "%s %s/null.o %d %zu 2>&1", program, folder, FUNCTIONS, checks);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_expect_eq(status, 0, "%s %s: %d, %s", targets[t], options, status, (const char *)out.data);
    bytes_free(out);
    folder_remove();
    drop(&c);
    free(ir);
}

Test(null_checks, fault_at_every_site) {
    static const char *const options[] = {"null_checks=implicit safepoints=none opt=2",
                                          "null_checks=implicit opt=1 stackmap_format=compact safepoints=none",
                                          "null_checks=implicit opt=3 gc_registers=4 safepoints=none"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        at_every_site(0, module(), options[i], BIN_DIR "/null_check");
        at_every_site(1, module(), options[i], QEMU " " BIN_DIR "/null_check-aarch64");
    }
}

Test(null_checks, handlers_find_what_the_load_would_have_overwritten) {
    static const char *const options[] = {"null_checks=implicit safepoints=none opt=3",
                                          "null_checks=implicit safepoints=none opt=2 gc_registers=8",
                                          "null_checks=implicit safepoints=none opt=1"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        at_every_site(0, module_of_kept_values(), options[i], BIN_DIR "/null_check");
        at_every_site(1, module_of_kept_values(), options[i], QEMU " " BIN_DIR "/null_check-aarch64");
    }
}

/* A flag of LLVM's whole process: what asks for nothing gets nothing, before and after one that does. */
Test(null_checks, only_where_they_are_asked_for) {
    char *ir = module();
    for (int t = 0; t < 2; t++) {
        struct compiled c = compile(ir, "opt=2 safepoints=none", targets[t]);
        cr_assert_eq(c.artifact.status, SM_OK);
        cr_expect_eq(count(c.text[SM_PART_STACKMAP], "null_checks"), 0);
        drop(&c);
        c = compile(ir, "opt=0 safepoints=none null_checks=implicit", targets[t]);
        cr_assert_eq(c.artifact.status, SM_OK);
        drop(&c);
    }
    free(ir);
}
