/* zeal_test.c - a collector under zeal: deleted roots are noticed on both architectures (zeal_check.c), options
 * choose what they say, coverage knows what was met, and closed memory is closed. */
#include "folder.h"
#include "smclient.h"
#include "worker.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TestSuite(zeal, .init = folder_make, .fini = folder_remove, .timeout = 900);

/* Compiles one of client/examples/programs into the folder. */
static void make(const char *name, const char *options, int t) {
    char path[512];
    snprintf(path, sizeof path, PROGRAMS_DIR "/%s.ll", name);
    struct bytes ir = read_file(path);
    struct compiled c = compile((char *)ir.data, options, targets[t]);
    cr_assert_eq(c.artifact.status, SM_OK, "%s: %s", name, c.text[SM_PART_DIAGNOSTICS]);
    sm_slice object = c.artifact.part[SM_PART_OBJECT];
    snprintf(path, sizeof path, "%s/%s.o", folder, name);
    write_file(path, object.data, object.len);
    drop(&c);
    bytes_free(ir);
}

/* ---- Roots are deleted -------------------------------------------------------------------------------------------- */

/* What a program of the test says before a word; fails if it does not say it. */
static long said(const char *text, const char *word) {
    const char *end = strstr(text, word);
    cr_assert(end && end > text, "no '%s' in: %s", word, text);
    while (end > text && (end[-1] == ' ' || (end[-1] >= '0' && end[-1] <= '9')))
        end--;
    return strtol(end, NULL, 10);
}

/* Deletes all roots of some programs in turn. REPORTED: so many are read, and end in a fault. */
static void finds_deleted_roots(int t, const char *options, long reported) {
    static const char *const programs[] = {BIN_DIR "/zeal_check", QEMU " " BIN_DIR "/zeal_check-aarch64"};
    static const char *const names[] = {"aggregates", "array",  "copies",    "deep",      "deopt", "leaves",
                                        "list",       "mutate", "preserved", "registers", "tree"};
    char command[2048];
    int status, n = snprintf(command, sizeof command, "cd %s && %s 6", folder, programs[t]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        make(names[i], options, t);
        n += snprintf(command + n, sizeof command - (size_t)n, " %s.o", names[i]);
    }
    snprintf(command + n, sizeof command - (size_t)n, " 2>&1");
    struct bytes out = run_command(command, NULL, 0, &status);
    const char *text = (const char *)out.data;
    cr_assert_eq(status, 0, "%s: %s", options, text);
    cr_expect_geq(said(text, " reported"), reported, "%s: %s", options, text);
    cr_expect_geq(said(text, " named first"), said(text, " reported") * 3 / 4, "%s: %s", options, text);
    cr_expect_leq(said(text, " by the scan alone"), said(text, " reported") / 10, "%s: %s", options, text);
    bytes_free(out);
}

Test(zeal, deleted_roots_are_found_unoptimised) {
    finds_deleted_roots(0, "opt=0", 100);
}
Test(zeal, deleted_roots_are_found_optimised) {
    finds_deleted_roots(0, "opt=2", 100);
}
Test(zeal, deleted_roots_are_found_in_registers) {
    finds_deleted_roots(0, "opt=3 gc_registers=8 frame_pointer=none", 100);
}
Test(zeal, deleted_roots_are_found_on_aarch64) {
    finds_deleted_roots(1, "opt=0 frame_pointer=all", 100);
    finds_deleted_roots(1, "opt=2", 100);
}
Test(zeal, deleted_roots_are_found_in_registers_on_aarch64) {
    finds_deleted_roots(1, "opt=3 gc_registers=8 frame_pointer=none", 100);
}

/* ---- Options and coverage ----------------------------------------------------------------------------------------- */

/* Runs the example with these arguments; gives its coverage. */
static json_t *coverage(const char *arguments, const char *program, const char *expected) {
    char command[1024], path[256];
    json_error_t error;
    snprintf(path, sizeof path, "%s/coverage.json", folder);
    snprintf(command, sizeof command, BIN_DIR "/zeal %s --json %s --text %s/coverage.txt --expect %s %s/%s 2>&1",
             arguments, path, folder, expected, folder, program);
    succeeds(command);
    json_t *json = json_load_file(path, 0, &error);
    cr_assert_not_null(json, "%s", error.text);
    return json;
}

static long number(const json_t *json, const char *name) {
    const json_t *value = json_object_get(json, name);
    cr_assert(json_is_integer(value), "no %s", name);
    return (long)json_integer_value(value);
}

Test(zeal, every_nth_safepoint) {
    make("tree", "opt=2", 0);
    json_t *all = coverage("", "tree.o 60", "101071"), *some = coverage("--every 7", "tree.o 60", "101071");
    cr_expect_eq(number(all, "collections"), number(all, "safepoints"));
    cr_expect_eq(number(some, "safepoints"), number(all, "safepoints"));
    cr_expect_eq(number(some, "collections"), number(some, "safepoints") / 7);
    json_decref(all);
    json_decref(some);
}

Test(zeal, a_seed_repeats) {
    make("tree", "opt=2", 0);
    json_t *once = coverage("--every 5 --seed 11", "tree.o 60", "101071");
    json_t *again = coverage("--every 5 --seed 11", "tree.o 60", "101071");
    json_t *other = coverage("--every 5 --seed 12", "tree.o 60", "101071");
    cr_expect(json_equal(once, again));
    cr_expect(!json_equal(once, other));
    long due = number(once, "due"), all = number(once, "safepoints");
    cr_expect(due > all / 10 && due < all / 3, "%ld of %ld", due, all);
    json_decref(once);
    json_decref(again);
    json_decref(other);
}

Test(zeal, one_function) {
    make("list", "opt=0", 0);
    json_t *json = coverage("--function reverse", "list.o 50", "22100");
    size_t i;
    json_t *each;
    long hits = 0;
    json_array_foreach(json_object_get(json, "each"), i, each) {
        int is_it = strcmp(json_string_value(json_object_get(each, "function")), "reverse") == 0;
        hits += is_it ? number(each, "hits") : 0;
        cr_expect(is_it || strcmp(json_string_value(json_object_get(each, "function")), "program") == 0 ||
                      number(each, "visits") == 0,
                  "collected elsewhere");
    }
    cr_expect_eq(number(json, "due"), hits);
    cr_expect_gt(hits, 40);
    json_decref(json);
}

/* Inlined functions are still there, and never called: their records are listed as never visited. */
Test(zeal, what_was_never_reached) {
    char path[256];
    make("list", "opt=2", 0);
    json_t *json = coverage("", "list.o 50", "22100");
    cr_expect_eq(number(json, "records"), (long)json_array_size(json_object_get(json, "each")));
    cr_expect_lt(number(json, "records_visited"), number(json, "records"));
    cr_expect_eq(number(json, "places_moved"), number(json, "places_seen"));
    cr_expect_lt(number(json, "places_moved"), number(json, "places"));
    size_t i;
    json_t *each;
    long unmoved = 0, roots = 0;
    json_array_foreach(json_object_get(json, "each"), i, each) {
        roots += number(each, "roots");
        unmoved += (long)json_array_size(json_object_get(each, "unmoved"));
        cr_expect_eq(number(each, "roots"),
                     number(each, "moved") + (long)json_array_size(json_object_get(each, "unmoved")));
    }
    cr_expect_eq(roots, number(json, "places"));
    cr_expect_eq(unmoved, number(json, "places") - number(json, "places_moved"));
    snprintf(path, sizeof path, "%s/coverage.txt", folder);
    struct bytes text = read_file(path);
    cr_expect(strstr((char *)text.data, "never visited:\n  build+0x"), "%s", (char *)text.data);
    bytes_free(text);
    json_decref(json);
}

/* ---- Closed memory ------------------------------------------------------------------------------------------------ */

static sigjmp_buf out;
static sm_zeal_report last;

static void leave(void *user, const sm_zeal_report *report) {
    cr_assert_eq(user, &out);
    cr_assert_eq(strncmp(report->text, "zeal: 0x", 8), 0);
    last = *report;
    siglongjmp(out, 1);
}

static void leave_handler(int number) {
    (void)number;
    siglongjmp(out, 2);
}

/* 0 if a byte can be written and read, else how its fault ended: 1 with a report, 2 in the handler that was there
 * before. */
static int use(volatile char *at) {
    int how = sigsetjmp(out, 1);
    if (how == 0) {
        *at = 1;
        cr_assert_eq(*at, 1);
    }
    return how;
}

static sm_loader *loader;
static sm_error err;

static sm_zeal *make_zeal(unsigned flags) {
    sm_zeal_options options = {.size = sizeof options, .report = leave, .user = &out, .flags = flags};
    signal(SIGSEGV, leave_handler);
    loader = sm_loader_new(NULL, &err);
    sm_zeal *zeal = sm_zeal_new(loader, &options, &err);
    cr_assert_not_null(zeal, "%s", err.message);
    return zeal;
}

static char *map(size_t bytes) {
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(p, MAP_FAILED);
    return p;
}

Test(zeal, closed_and_opened) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    sm_zeal *zeal = make_zeal(0);
    char *p = map(8 * page);
    memset(p, 7, 8 * page);
    cr_assert_eq(sm_zeal_close(zeal, p + 16, 6 * page, NULL, 0, &err), SM_SUCCESS, "%s", err.message);
    cr_expect(p[15] == 7 && (unsigned char)p[16] == 0xdb && p[6 * page + 16] == 7, "the space's edges");
    cr_expect((unsigned char)p[6 * page + 15] == 0xdb);
    cr_expect_eq(use(p + page), 1);
    cr_expect_eq(last.address, (uintptr_t)p + page);
    cr_expect_eq(last.words, 0);
    cr_expect_eq(use(p + 6 * page - 1), 1);
    cr_expect_eq(use(p + 6 * page), 0);
    cr_expect_eq(sm_zeal_open(zeal, p + 2 * page, 2 * page, &err), SM_SUCCESS);
    cr_expect_eq(use(p + 2 * page - 1), 1);
    cr_expect_eq(p[2 * page + 5], 0, "what was closed reads as zeros");
    cr_expect_eq(use(p + 4 * page - 1), 0);
    cr_expect_eq(use(p + 4 * page), 1);
    cr_expect_eq(sm_zeal_close(zeal, p, 8 * page, NULL, 0, &err), SM_SUCCESS);
    cr_expect_eq(use(p + 3 * page), 1);
    cr_expect_eq(sm_zeal_open(zeal, p, 8 * page, &err), SM_SUCCESS);
    for (size_t i = 0; i < 8; i++)
        cr_expect_eq(use(p + i * page), 0);
    sm_zeal_free(zeal);
    sm_loader_free(loader);
}

Test(zeal, many_spaces) {
    enum { SPACES = 2000 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    sm_zeal *zeal = make_zeal(0);
    char *p = map(SPACES * page);
    for (size_t i = 0; i < SPACES; i++)
        cr_assert_eq(sm_zeal_close(zeal, p + (i * 7 % SPACES) * page, page, NULL, 0, &err), SM_SUCCESS, "%s",
                     err.message);
    for (size_t i = 0; i < SPACES; i += 2)
        cr_assert_eq(sm_zeal_open(zeal, p + i * page, page, &err), SM_SUCCESS, "%s", err.message);
    for (size_t i = 0; i < SPACES; i += 37)
        cr_expect_eq(use(p + i * page), (int)(i % 2));
    sm_zeal_free(zeal);
    sm_loader_free(loader);
}

Test(zeal, other_faults_are_handed_on) {
    sm_zeal *zeal = make_zeal(0);
    char *p = map(1 << 16);
    mprotect(p, 1 << 16, PROT_NONE);
    cr_expect_eq(use(p), 2);
    sm_zeal_free(zeal);
    cr_expect_eq(use(p), 2, "the handler is the one that was there before");
    sm_loader_free(loader);
}

Test(zeal, the_runtimes_own_handler) {
    sm_zeal *zeal = make_zeal(SM_ZEAL_NO_HANDLER);
    char *p = map(1 << 16);
    sm_zeal_close(zeal, p, 1 << 16, NULL, 0, &err);
    cr_expect_eq(use(p), 2);
    cr_expect_eq(sm_zeal_fault(zeal, &out, NULL), 0);
    int how = sigsetjmp(out, 1);
    if (how == 0)
        sm_zeal_fault(zeal, p + 8, NULL);
    cr_expect_eq(how, 1);
    cr_expect_eq(last.address, (uintptr_t)p + 8);
    sm_zeal_free(zeal);
    sm_loader_free(loader);
}

Test(zeal, nothing_to_do) {
    cr_expect_eq(sm_zeal_due(NULL, NULL), 0);
    cr_expect_eq(sm_zeal_close(NULL, NULL, 0, NULL, 0, NULL), SM_SUCCESS);
    cr_expect_eq(sm_zeal_open(NULL, NULL, 0, NULL), SM_SUCCESS);
    cr_expect_eq(sm_zeal_fault(NULL, NULL, NULL), 0);
    sm_zeal_free(NULL);
    cr_expect_null(sm_zeal_new(NULL, NULL, &err));
    cr_expect_eq(err.result, SM_ERR_INVALID_ARGUMENT);
    sm_zeal *zeal = make_zeal(0);
    sm_registers nowhere = {.pc = 4};
    cr_expect_eq(sm_zeal_due(zeal, &nowhere), 0);
    cr_expect_eq(sm_zeal_close(zeal, NULL, 0, NULL, 1, &err), SM_ERR_INVALID_ARGUMENT);
    cr_expect_eq(sm_zeal_close(zeal, &err, SIZE_MAX, NULL, 0, &err), SM_ERR_INVALID_ARGUMENT);
    cr_expect_eq(sm_zeal_coverage(zeal, SM_ZEAL_JSON, "/nowhere/at/all", &err), SM_ERR_SYSTEM);
    sm_zeal_free(zeal);
    sm_loader_free(loader);
}
