/* random_test.c - the generator and the driver: what they are for, they do. The programs themselves are run by ctest as
 * `random_programs`. */
#include "files.h"
#include "generate.h"
#include "variant.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sm_buf text_of(uint64_t seed, uint64_t features, struct census *census) {
    sm_buf text;
    sm_buf_init(&text, (size_t)1 << 26);
    generate(seed, features, &text, census);
    cr_assert_eq(text.status, SM_OK);
    return text;
}

Test(generator, a_seed_is_a_program) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        sm_buf a = text_of(seed, FEATURES_ALL, NULL), b = text_of(seed, FEATURES_ALL, NULL);
        sm_buf other = text_of(seed + 1, FEATURES_ALL, NULL);
        cr_expect(a.len == b.len && memcmp(a.data, b.data, a.len) == 0, "seed %d", (int)seed);
        cr_expect(a.len != other.len || memcmp(a.data, other.data, a.len) != 0, "seed %d", (int)seed);
        sm_buf_free(&a);
        sm_buf_free(&b);
        sm_buf_free(&other);
    }
}

Test(generator, every_feature_and_statement_is_used) {
    struct census census = {0};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        sm_buf text = text_of(seed, FEATURES_ALL, &census);
        sm_buf_free(&text);
    }
    cr_expect_eq(census.programs, 300);
    for (int i = 0; i < FEATURES; i++)
        cr_expect(census.of_feature[i] >= 15, "%s: %d times", feature_name(i), (int)census.of_feature[i]);
    for (int i = 0; statement_name(i); i++)
        cr_expect(census.of_statement[i] >= 30, "%s: %d times", statement_name(i), (int)census.of_statement[i]);
    for (int row = 0; row_name(row); row++)
        for (int kind = 0; kind < ROW_KINDS; kind++)
            cr_expect(!row_takes(row, kind) || census.of_row[row][kind] >= 1, "%s of %s: %d times", row_name(row),
                      row_kind_name(kind), (int)census.of_row[row][kind]);
}

Test(generator, features_are_left_out_by_name) {
    struct census census = {0};
    uint64_t features = features_parse("-vectors,pads");
    cr_assert_eq(features, FEATURES_ALL & ~(FEATURE(VECTORS) | FEATURE(PADS)));
    cr_expect_eq(features_parse("loops"), FEATURE(LOOPS));
    cr_expect_eq(features_parse("loops,nothing"), 0);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        sm_buf text = text_of(seed, features, &census);
        cr_expect_null(strstr(sm_buf_cstr(&text), "insertelement <2 x ptr"));
        sm_buf_free(&text);
    }
    cr_expect_eq(census.of_feature[FEATURE_NUMBER_VECTORS], 0);
}

/* Every level for both targets; every poll, and what else there is, soon. */
Test(variants, all_are_drawn) {
    static const char *const wanted[] = {"opt=0",
                                         "opt=1",
                                         "opt=2",
                                         "opt=3",
                                         "opt=s",
                                         "opt=z",
                                         "poll=module",
                                         "poll=call:",
                                         "poll=flag:",
                                         "poll=page:",
                                         "reloc=static",
                                         "code_model=large",
                                         "gc_registers=auto",
                                         "frame_pointer=none",
                                         "frame_pointer=all",
                                         "remat=false"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int seen[2] = {0, 0};
        for (uint64_t seed = 1; seed <= 100; seed++)
            for (int n = 0; n < VARIANTS; n++) {
                struct variant v;
                variant_draw(seed, n, &v);
                seen[v.aarch64] += strstr(v.text, wanted[i]) != NULL;
            }
        cr_expect(seen[0] > 5 && seen[1] > 5, "%s: %d and %d times", wanted[i], seen[0], seen[1]);
    }
}

/* The driver's exit status, and what it prints. */
static int run(const char *arguments, char *out, size_t size) {
    char command[1024];
    int status;
    snprintf(command, sizeof command, BIN_DIR "/random-programs %s 2>&1", arguments);
    struct bytes said = run_command(command, NULL, 0, &status);
    snprintf(out, size, "%s", (char *)said.data);
    bytes_free(said);
    return status;
}

/* The proof that the programs prove something: with one root of each walk left out, hardly any is right. */
Test(driver, a_root_left_out_is_noticed, .timeout = 600) {
    char out[65536], folder[] = "/tmp/smd-random-XXXXXX", arguments[200];
    int programs = 0, compiles = 0, right[2] = {0, 0};
    cr_assert_not_null(mkdtemp(folder));
    snprintf(arguments, sizeof arguments, "--count 4 --leave-out 0 --out %s", folder);
    int status = run(arguments, out, sizeof out);
    const char *figures = strstr(out, "[figures]");
    cr_expect_eq(status, 1, "%s", out);
    cr_assert(figures &&
                  sscanf(figures,
                         "[figures] random programs: %d from seed 1, %d compiles: %d right on x86-64, %d right "
                         "on AArch64",
                         &programs, &compiles, &right[0], &right[1]) == 4,
              "%s", out);
    cr_expect(right[0] + right[1] <= compiles / 8, "%s", figures);
    cr_expect_not_null(strstr(out, "again: deploy/fuzz programs --seed "));
    snprintf(arguments, sizeof arguments, "rm -r %s", folder);
    bytes_free(run_command(arguments, NULL, 0, &status));
}

/* Without barriers most of the programs that have some report too little. About half of these have. */
Test(driver, a_barrier_left_out_is_noticed, .timeout = 600) {
    char out[65536], folder[] = "/tmp/smd-random-XXXXXX", arguments[400];
    int programs = 0, compiles = 0, right = 0;
    cr_assert_not_null(mkdtemp(folder));
    snprintf(arguments, sizeof arguments,
             "--count 24 --features barriers,loops,phis,inlined,atomics,derived --out %s "
             "--options 'target=x86_64-linux-gnu opt=2 poll=call:collect barriers=off'",
             folder);
    int status = run(arguments, out, sizeof out);
    const char *figures = strstr(out, "[figures]");
    cr_expect_eq(status, 1, "%s", out);
    cr_assert(figures && sscanf(figures, "[figures] random programs: %d from seed 1, %d compiles: %d right on x86-64",
                                &programs, &compiles, &right) == 3,
              "%s", out);
    cr_expect(right <= 20, "%s", figures);
    cr_expect_not_null(strstr(out, "a reference was overwritten and not reported"));
    snprintf(arguments, sizeof arguments, "rm -r %s", folder);
    bytes_free(run_command(arguments, NULL, 0, &status));
}

/* What the reducer asks: does the smaller file still end so? Words are compared up to a number. */
Test(driver, faults_are_recognised, .timeout = 600) {
    static const char dies[] = "; random: target=x86_64-unknown-linux-gnu opt=2 poll=call:collect\n"
                               "; compile: parse_error: 1\n; seed 1\nthis is no module\n",
                      runs[] = "define i64 @program(i64 %n) gc \"statepoint-example\" {\n  ret i64 %n\n}\n";
    char fault[] = "/tmp/smd-fault-XXXXXX", file[] = "/tmp/smd-fault-XXXXXX", arguments[200], out[4096];
    close(mkstemp(fault));
    close(mkstemp(file));
    write_file(fault, dies, strlen(dies));
    write_file(file, "neither is this\n", 16);
    snprintf(arguments, sizeof arguments, "--check %s %s", fault, file);
    cr_expect_eq(run(arguments, out, sizeof out), 0, "%s", out);
    write_file(file, runs, strlen(runs));
    cr_expect_eq(run(arguments, out, sizeof out), 1, "%s", out);
    unlink(fault);
    unlink(file);
}

/* A program with a poll of its own that AArch64 runs to another end: what does not fit becomes the largest number
 * there. */
Test(driver, unsteady_programs_are_recognised, .timeout = 600) {
    static const char fault[] =
        "; random: target=aarch64-unknown-linux-gnu opt=2 poll=module\n; unsteady: still 1\n; seed 1\n",
                      program[] =
                          "define void @gc.safepoint_poll() {\n  call void @collect()\n  ret void\n}\n"
                          "declare void @collect()\n@big = global double 1.0e300\n"
                          "define i64 @program(i64 %n) gc \"statepoint-example\" {\n"
                          "  %d = load volatile double, ptr @big\n  %i = fptosi double %d to i64\n  ret i64 %i\n}\n";
    char path[2][32] = {"/tmp/smd-fault-XXXXXX", "/tmp/smd-fault-XXXXXX"}, arguments[200], out[4096];
    for (int i = 0; i < 2; i++)
        close(mkstemp(path[i]));
    write_file(path[0], fault, strlen(fault));
    write_file(path[1], program, strlen(program));
    snprintf(arguments, sizeof arguments, "--check %s %s", path[0], path[1]);
    cr_expect_eq(run(arguments, out, sizeof out), 0, "%s", out);
    for (int i = 0; i < 2; i++)
        unlink(path[i]);
}

/* Options that name no target are compiled for both. */
Test(driver, options_are_for_both_targets, .timeout = 600) {
    char out[65536];
    int programs = 0, compiles = 0, right[2] = {0, 0};
    cr_expect_eq(run("--count 1 --features loops --options opt=1\\ poll=call:collect", out, sizeof out), 0, "%s",
                 out);
    const char *figures = strstr(out, "[figures]");
    cr_assert(figures &&
                  sscanf(figures,
                         "[figures] random programs: %d from seed 1, %d compiles: %d right on x86-64, %d right "
                         "on AArch64",
                         &programs, &compiles, &right[0], &right[1]) == 4,
              "%s", out);
    cr_expect(compiles == 2 && right[0] == 1 && right[1] == 1, "%s", figures);
}
