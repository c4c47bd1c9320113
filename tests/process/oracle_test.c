/* The oracle: what smd-worker gives is what opt-19 and llc-19 give, byte for byte, and its map is what
 * llvm-readobj-19 reads.
 *
 * Every .ll file of docs/examples, tests/corpus and, where present, the corpus folder, for both targets and several
 * options. Where LLVM's tools refuse an input or die of it, the worker must give a typed failure or die as well,
 * never a success.
 */
#include "files.h"
#include "readobj.h"
#include "stackmap_object.h"

#include "artifact.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <glob.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Some inputs make LLVM take memory without end: KiB of address space. Or time: seconds of the processor's, which do
 * not pass while others have it. */
#define BOUNDED          "ulimit -v 8388608; "
#define SECONDS(seconds) "ulimit -S -t " seconds "; "

static struct {
    int files, equal, refused_by_both, died, hung, unstable, no_reproduction;
} count;

enum { EXIT_TIMEOUT = 128 + SIGXCPU };

static void compare_map(const char *what, sm_slice object) {
    sm_elf elf;
    sm_stackmap m;
    sm_stackmap_error err;
    char why[200];
    cr_assert_eq(sm_elf_open(&elf, object.data, object.len, why, sizeof why), SM_OK, "%s: %s", what, why);
    cr_assert_eq(sm_stackmap_of_object(&m, &elf, &err), SM_OK, "%s: %s", what, err.message);
    compare_with_readobj(what, &m, object.data, object.len);
    sm_stackmap_free(&m);
    sm_elf_close(&elf);
}

/* LLVM's own tools on the same input. */
static struct bytes run_llvm(const char *line, struct bytes input, int *status) {
    char command[8192];
    snprintf(command, sizeof command,
             BOUNDED SECONDS("20") "bash -o pipefail -c \"$(cat <<'END_OF_LINE'\n%s\nEND_OF_LINE\n)\" 2>/dev/null",
             line);
    return run_command(command, input.data, input.len, status);
}

/* LLVM leaves uninitialised bytes in some objects: then its own two runs differ. */
static int llvm_is_unstable(const char *line, struct bytes input, struct bytes first) {
    int status, unstable = 0;
    for (int i = 0; i < 3 && !unstable; i++) {
        struct bytes again = run_llvm(line, input, &status);
        unstable = again.len != first.len || memcmp(again.data, first.data, first.len) != 0;
        bytes_free(again);
    }
    return unstable;
}

static void compare_success(const char *what, const sm_artifact *a, struct bytes input) {
    json_t *meta = json_loadb((const char *)a->part[SM_PART_META].data, a->part[SM_PART_META].len, 0, NULL);
    const char *line = json_string_value(json_object_get(meta, "reproduce"));
    sm_slice object = a->part[SM_PART_OBJECT];
    int status;
    compare_map(what, object);
    if (!line || strncmp(line, "smc ", 4) == 0) { /* such lines need a daemon: tests/e2e/reproduce_test.c */
        cr_assert(json_is_string(json_object_get(meta, "reproduce_note")), "%s: neither a line nor a reason", what);
        count.no_reproduction++;
        json_decref(meta);
        return;
    }
    struct bytes theirs = run_llvm(line, input, &status);
    cr_assert_eq(status, 0, "%s: the worker compiled what LLVM's tools do not (%d): %s", what, status, line);
    if (theirs.len == object.len && memcmp(theirs.data, object.data, object.len) == 0)
        count.equal++;
    else if (llvm_is_unstable(line, input, theirs))
        count.unstable++;
    else
        cr_assert_fail("%s: the object is not the one of: %s", what, line);
    bytes_free(theirs);
    json_decref(meta);
}

/* A set of options, and what it is to LLVM's tools: the worker's own "reproduce" line is not asked where it has
 * failed. */
static const struct variant {
    const char *options, *passes, *opt, *llc;
} variants[] = {
    {"target=x86_64-linux-gnu opt=2", "default<O2>,function(place-safepoints)", "-mtriple=x86_64-linux-gnu",
     "-O2 -relocation-model=pic"},
    {"target=aarch64-linux-gnu opt=2", "default<O2>,function(place-safepoints)", "-mtriple=aarch64-linux-gnu",
     "-O2 -relocation-model=pic"},
    {"target=x86_64-linux-gnu opt=0 safepoints=none", "default<O0>", "-mtriple=x86_64-linux-gnu",
     "-O0 -relocation-model=pic"},
    {"target=aarch64-linux-gnu opt=0 safepoints=none", "default<O0>", "-mtriple=aarch64-linux-gnu",
     "-O0 -relocation-model=pic"},
    {"target=x86_64-linux-gnu opt=s reloc=static gc_registers=4 safepoints=entry",
     "default<Os>,function(place-safepoints)", "-mtriple=x86_64-linux-gnu -spp-no-backedge",
     "-O2 -relocation-model=static -max-registers-for-gc-values=4 -fixup-allow-gcptr-in-csr "
     "-use-registers-for-gc-values-in-landing-pad"},
    {"target=aarch64-linux-gnu opt=3 frame_pointer=all safepoints=none unwind=module", "default<O3>",
     "-mtriple=aarch64-linux-gnu --frame-pointer=all", "-O3 --frame-pointer=all -relocation-model=pic"},
};

/* What the worker refuses, LLVM's tools have to refuse, or die of, or not end, or give another object at each run. */
static void compare_failure(const char *what, const struct variant *v, struct bytes input) {
    char line[2048];
    int status;
    snprintf(line, sizeof line,
             "opt-19 %s -passes='%s,rewrite-statepoints-for-gc,verify,function(verify<safepoint-ir>)' | llc-19 %s "
             "-filetype=obj",
             v->opt, v->passes, v->llc);
    struct bytes out = run_llvm(line, input, &status);
    if (status == 0)
        cr_assert(llvm_is_unstable(line, input, out), "%s: the worker refused what LLVM's tools compile: %s", what,
                  line);
    bytes_free(out);
}

static void compare(const char *file, const struct variant *v) {
    char command[1024], what[1024];
    int status;
    sm_artifact a;
    struct bytes input = read_file(file);
    snprintf(what, sizeof what, "%s %s", file, v->options);
    snprintf(command, sizeof command, BOUNDED SECONDS("10") BIN_DIR "/smd-worker --compile - --cold %s 2>/dev/null",
             v->options);
    struct bytes out = run_command(command, input.data, input.len, &status);
    if (status > 1) {
        compare_failure(what, v, input);
        count.hung += status == EXIT_TIMEOUT; /* LLVM's own endless loops; smd has deadlines for them */
        count.died += status != EXIT_TIMEOUT;
    } else {
        cr_assert_eq(sm_artifact_read(out.data, out.len, &a), SM_OK, "%s", what);
        cr_assert_eq(a.status == SM_OK, status == 0, "%s", what);
        if (a.status == SM_OK)
            compare_success(what, &a, input);
        else
            compare_failure(what, v, input);
        count.refused_by_both += a.status != SM_OK;
    }
    bytes_free(out);
    bytes_free(input);
}

static void compare_folder(const char *pattern, const struct variant *v) {
    glob_t g = {0};
    glob(pattern, 0, NULL, &g);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        count.files++;
        compare(g.gl_pathv[i], v);
    }
    globfree(&g);
}

enum { VARIANTS = sizeof variants / sizeof *variants };

ParameterizedTestParameters(oracle, objects_and_maps_are_llvms) {
    static int number[VARIANTS];
    for (int i = 0; i < VARIANTS; i++)
        number[i] = i;
    return cr_make_param_array(int, number, VARIANTS);
}

/* A test for each variant: they run at once. */
ParameterizedTest(int *number, oracle, objects_and_maps_are_llvms, .timeout = 900) {
    const struct variant *v = &variants[*number];
    compare_folder(SOURCE_DIR "/docs/examples/*.ll", v);
    cr_assert(count.files > 0, "there are no examples");
    compare_folder(SOURCE_DIR "/tests/corpus/*.ll", v);
    compare_folder(CORPUS_DIR "/modern/*.ll", v);
    printf(
        "[figures] oracle, %s: %d files, %d objects equal byte for byte, %d refused with a typed error, %d compiler "
        "deaths, %d beyond ten seconds, %d where LLVM's own runs differ, %d without an LLVM equivalent\n",
        v->options, count.files, count.equal, count.refused_by_both, count.died, count.hung, count.unstable,
        count.no_reproduction);
}
