/* IR of LLVM 3.7 to 14 without smd-upgrade; what becomes of it with smd-upgrade is in tests/compiler/dialect. */
#include "files.h"

#include "artifact.h"
#include "status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compiled {
    struct bytes bytes;
    sm_artifact artifact;
    char *diagnostics; /* owned */
};

static struct compiled compile_by(const char *worker, const void *ir, size_t len, const char *options) {
    char command[1024];
    int status;
    struct compiled c;
    snprintf(command, sizeof command, "%s --compile - --cold %s", worker, options);
    c.bytes = run_command(command, ir, len, &status);
    cr_assert_leq(status, 1, "the compiler died (%d) of: %s", status, options);
    cr_assert_eq(sm_artifact_read(c.bytes.data, c.bytes.len, &c.artifact), SM_OK);
    sm_slice text = c.artifact.part[SM_PART_DIAGNOSTICS];
    c.diagnostics = strndup(text.data ? (const char *)text.data : "", text.len);
    return c;
}

static void drop(struct compiled *c) {
    free(c->diagnostics);
    bytes_free(c->bytes);
}

/* A worker without smd-upgrade beside it says what is missing; modern input it compiles. */
Test(dialect, without_smd_upgrade_typed_input_is_refused, .timeout = 600) {
    char folder[] = "/tmp/smd-test-XXXXXX", worker[64], command[256];
    int status;
    cr_assert(mkdtemp(folder));
    snprintf(worker, sizeof worker, "%s/smd-worker", folder);
    snprintf(command, sizeof command, "cp " BIN_DIR "/smd-worker %s", worker);
    bytes_free(run_command(command, "", 0, &status));
    const char typed[] = "define void @f(i8* %p) {\n  ret void\n}\n", plain[] = "define void @f() {\n  ret void\n}\n";
    struct compiled c = compile_by(worker, typed, sizeof typed - 1, ""),
                    d = compile_by(worker, plain, sizeof plain - 1, "");
    snprintf(command, sizeof command, "rm -r %s", folder);
    bytes_free(run_command(command, "", 0, &status));
    cr_expect_eq(c.artifact.status, SM_NO_UPGRADE);
    cr_expect(strstr(c.diagnostics, "smd-upgrade"), "%s", c.diagnostics);
    cr_expect_eq(d.artifact.status, SM_OK);
    drop(&c);
    drop(&d);
}
