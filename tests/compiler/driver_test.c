/* driver_test.c - the driver itself: what it takes for a fault of the compiler, and what for one of the test. */
#include "files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MODULE                                                                                                       \
    "declare void @g()\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p) gc \"statepoint-example\" {\n"               \
    "  call void @g()\n  ret ptr addrspace(1) %p\n}\n"
#define RUN "; RUN: safepoints=none opt=0 target=x86_64-linux-gnu\n"

/* The driver's exit status for a file of this text; what it says is in SAID. */
static int drive(const char *text, char *said, size_t room) {
    char path[] = "/tmp/smd-driver-XXXXXX.ll", command[300];
    int status, fd = mkstemps(path, 3);
    cr_assert(fd >= 0);
    close(fd);
    write_file(path, text, strlen(text));
    snprintf(command, sizeof command, BIN_DIR "/compiler_test %s 2>&1", path);
    struct bytes out = run_command(command, NULL, 0, &status);
    snprintf(said, room, "%s", (char *)out.data);
    bytes_free(out);
    unlink(path);
    return status;
}

static void fails(const char *text, const char *why) {
    char said[8192];
    int status = drive(text, said, sizeof said);
    cr_expect(status == 1 && strstr(said, why), "%d: '%s' is not in %s", status, why, said);
}

static void passes(const char *text) {
    char said[8192];
    cr_expect_eq(drive(text, said, sizeof said), 0, "%s", said);
}

Test(driver, what_is_as_expected_passes) {
    passes(RUN "; SAFEPOINTS: 1\n; ROOTS @f #0: 1\n; STATUS: ok\n; DISASM=1: callq g\n" MODULE);
    passes(RUN "; ASM @f: pushq\n; THEN: callq g\n; THEN: retq\n" MODULE);
    passes(RUN "; SAFEPOINT=2: /\"register\":\"r[bs]p\"/\n; ERROR-NOT:\n; SYMBOL-NOT: h\n" MODULE);
}

Test(driver, what_is_not_as_expected_fails) {
    static const char *const wrong[][2] = {{"; SAFEPOINTS: 2\n", ":2: SAFEPOINTS: 2\n  with safepoints=none"},
                                           {"; SAFEPOINTS @h: 1\n", "there are 0"},
                                           {"; ROOTS: 0\n", "number 0 of them has 1"},
                                           {"; ROOTS: 1 1\n", "no more than 1"},
                                           {"; ROOTS @h: 1\n", "no such safepoint"},
                                           {"; STATUS: parse_error\n", "it is ok"},
                                           {"; STATUS: nothing\n", "no such status"},
                                           {"; WARNING: anything\n", "there are 0 such"},
                                           {"; IR-NOT: gc.statepoint\n", "it is there"},
                                           {"; ASM=2: callq g\n", "there 1 times"},
                                           {"; ASM @h: callq g\n", "there is no function h"},
                                           {"; ASM: callq g\n; THEN: pushq\n", "'pushq' is not behind"},
                                           {"; ASM: /(/\n", "no regular expression"},
                                           {"; SYMBOL: h\n", "there are 0"},
                                           {"; SYMBOL-NOT: g\n", "there are 1"},
                                           {"; SAME-AS-NOT: fresh\n", "are the same"},
                                           {"; SAME-AS: leaf=f\n", "invalid_option"},
                                           {"; DECODED: nothing\n", "it is there 0 times"},
                                           {"; READOBJ: differs\n", "it says: agrees"},
                                           {"; RESULT: 1 = 1\n", "'g' is not defined"}};
    char text[2048];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "%s%s%s", RUN, wrong[i][0], MODULE);
        fails(text, wrong[i][1]);
    }
}

/* A test that proves nothing is a fault. */
Test(driver, tests_with_faults_fail) {
    fails(MODULE, "there is no RUN");
    fails(RUN MODULE, "nothing is expected of this RUN");
    fails(RUN "; SAFEPOINTS: 1\n" RUN MODULE, ":3: nothing is expected");
    fails("; SAFEPOINTS: 1\n" RUN "; SAFEPOINTS: 1\n" MODULE, "stands before the first RUN");
    fails(RUN "; SAVEPOINTS: 1\n" MODULE, ":2: there is no directive SAVEPOINTS");
    fails(RUN "; Safepoints: 1\n" MODULE, "written in capitals");
    fails(RUN "; SAFEPOINTS f: 1\n" MODULE, "neither how often nor where");
    fails(RUN "; IR #0: x\n" MODULE, "IR takes no safepoints");
    fails(RUN "; STATUS @f: ok\n" MODULE, "STATUS takes no function");
    fails(RUN "; ASM:\n" MODULE, "needs a text");
    fails(RUN "; ASM: x\n; AT: y\n" MODULE, "AT stands behind");
    fails(RUN "; SAFEPOINTS: 1\n; THEN: y\n" MODULE, "THEN stands behind");
    fails(RUN "; IR=1: x\n; THEN: y\n" MODULE, "THEN stands behind");
    fails(RUN "; IR: x\n; THEN:\n" MODULE, "THEN needs a text");
    fails("; RUN: opt={0,1\n; SAFEPOINTS: 1\n" MODULE, "a brace is not closed");
    fails("; RUN: nothing=1\n; SAFEPOINTS: 1\n" MODULE, "has ended by signal");
    fails(RUN "; STATUS: parse_error\n; SAFEPOINTS: 1\nnonsense\n", "there is no object");
}

#define TWO(a, b) RUN MODULE ";--- a\n" a ";--- b\n" b

Test(driver, a_file_has_several_modules) {
    passes(TWO("; SAFEPOINTS: 1\n", "; SAFEPOINTS: 1\n"));
    passes(TWO("; SAFEPOINTS: 1\n", "; RUN: leaf=f\n; STATUS: invalid_option\n"));
    fails(TWO("; SAFEPOINTS: 1\n", "; SAFEPOINTS: 2\n"), ":10: SAFEPOINTS: 2");
    fails(TWO("; SAFEPOINTS: 1\n", "; nothing\n"), "nothing is expected");
    passes(TWO("; SAME-AS: module=b\n", "; SAFEPOINTS: 1\n"));
    fails(TWO("; SAME-AS: module=b\n", "; SAFEPOINTS: 1\ndefine void @h() {\n  ret void\n}\n"), "the objects differ");
    fails(TWO("; SAME-AS: module=c\n", "; SAFEPOINTS: 1\n"), "there is no module 'c'");
}
