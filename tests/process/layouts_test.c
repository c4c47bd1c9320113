/* Equal requests get equal answers, wherever the compiler's memory lies: modules are compiled by processes of other
 * layouts (addresses that are not random, a large environment, a heap whose order was disturbed before), and the
 * artifacts are compared byte for byte: objects, maps, IR, remarks and messages. */
#include "files.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

/* What stands before the compiler on the command line. */
static const char *const layouts[] = {
    "setarch -R env",
    "env A=$(head -c 60000 /dev/zero | tr '\\0' x) LD_PRELOAD=" DISTURB_LIBRARY " DISTURB=1",
    "env LD_PRELOAD=" DISTURB_LIBRARY " DISTURB=2",
};

enum { OTHERS = sizeof layouts / sizeof *layouts - 1 };

/* Files take turns with them. */
static const char *const options[] = {
    "opt=2 safepoints=entry,backedge,return poll=call:layouts_poll emit=obj,ir,stages,remarks,disasm",
    "opt=0 safepoints=entry,backedge,precall poll=flag:layouts_flag:layouts_slow emit=obj,ir,remarks,links",
};

static struct bytes compile_in(const char *layout, const char *file, const char *words) {
    char command[1024];
    int status;
    snprintf(command, sizeof command, "%s " BIN_DIR "/smd-worker --compile %s --cold %s 2>&1", layout, file, words);
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_assert_lt(status, 2, "%s: %.300s", command, (const char *)out.data);
    return out;
}

/* In OTHERS layouts beside the first, from that of number FROM on. */
static void compare(const char *file, const char *words, size_t from, size_t others) {
    struct bytes first = compile_in(layouts[0], file, words);
    for (size_t n = 0; n < others; n++) {
        size_t i = 1 + (from + n) % OTHERS;
        struct bytes other = compile_in(layouts[i], file, words);
        cr_expect(other.len == first.len && memcmp(other.data, first.data, first.len) == 0,
                  "%s: %s: another answer than with %s", file, layouts[i], layouts[0]);
        bytes_free(other);
    }
    bytes_free(first);
}

/* 1 if the file is one module, not several with titles (tests/compiler/README.md). */
static int is_one_module(const char *path) {
    struct bytes text = read_file(path);
    int is_one = !memmem(text.data, text.len, "\n;--- ", 6);
    bytes_free(text);
    return is_one;
}

static void compare_all(const char *pattern, size_t others) {
    glob_t files;
    size_t n = 0, turns = sizeof options / sizeof *options;
    cr_assert_eq(glob(pattern, 0, NULL, &files), 0, "%s", pattern);
    for (size_t i = 0; i < files.gl_pathc; i++)
        if (is_one_module(files.gl_pathv[i])) {
            compare(files.gl_pathv[i], options[n % turns], n / turns, others);
            n++;
        }
    cr_assert_gt(n, 0, "%s", pattern);
    globfree(&files);
}

Test(layouts, examples, .timeout = 900) {
    compare_all(SOURCE_DIR "/docs/examples/*.ll", OTHERS);
}

Test(layouts, corpus, .timeout = 900) {
    compare_all(SOURCE_DIR "/tests/corpus/*.ll", OTHERS);
}

/* They are many: each has one other layout, in turns. */
Test(layouts, tests_of_the_compiler, .timeout = 900) {
    compare_all(SOURCE_DIR "/tests/compiler/*/*.ll", 1);
}
