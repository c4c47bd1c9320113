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

static void compare(const char *file, const char *words) {
    struct bytes first = compile_in(layouts[0], file, words);
    for (size_t i = 1; i < sizeof layouts / sizeof *layouts; i++) {
        struct bytes other = compile_in(layouts[i], file, words);
        cr_expect(other.len == first.len && memcmp(other.data, first.data, first.len) == 0,
                  "%s: %s: another answer than with %s", file, layouts[i], layouts[0]);
        bytes_free(other);
    }
    bytes_free(first);
}

static void compare_all(const char *pattern) {
    glob_t files;
    cr_assert_eq(glob(pattern, 0, NULL, &files), 0, "%s", pattern);
    for (size_t i = 0; i < files.gl_pathc; i++)
        compare(files.gl_pathv[i], options[i % (sizeof options / sizeof *options)]);
    globfree(&files);
}

Test(layouts, examples, .timeout = 900) {
    compare_all(SOURCE_DIR "/docs/examples/*.ll");
}

Test(layouts, corpus, .timeout = 900) {
    compare_all(SOURCE_DIR "/tests/corpus/*.ll");
}

Test(layouts, tests_of_the_compiler, .timeout = 900) {
    compare_all(SOURCE_DIR "/tests/compiler/*/*.ll");
}
