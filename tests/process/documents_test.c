/* The examples of LLVM's documents, as they stand there: each compiles to what its document says, or is refused for the
 * reason that stands beside it. They are of 2017 (0xx), 2015 (1xx), 2024 (2xx), of LLVM 4's GarbageCollection document
 * (3xx) and of the proposal for scoped roots (4xx). */
#include "worker.h"

#include "status.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE "safepoints=none "

static const struct example {
    const char *name, *options;
    sm_status status;
    int safepoints, roots, regions; /* in the map */
    const char *hint;               /* in the diagnostics of what is refused */
} examples[] = {
    {"001-call", NONE, SM_OK, 1, 1, 0, NULL},
    {"002-relocation", NONE, SM_OK, 1, 1, 0, NULL},
    {"006-derived-pointer", NONE, SM_SAFEPOINT_VIOLATION, 0, 0, 0, "without having been relocated"}, /* a misprint */
    {"006-derived-pointer-mended", NONE "opt=0", SM_OK, 1, 2, 0, NULL},
    {"007-transition", NONE, SM_UNSUPPORTED_GC, 0, 0, 0, "hypothetical-gc"},
    {"010-statepoint-signature", NONE, SM_OK, 0, 0, 0, NULL},
    {"013-rewrite-before", NONE, SM_OK, 1, 1, 0, NULL},
    {"014-rewrite-after", NONE, SM_OK, 1, 1, 0, NULL},
    {"015-place-before", "", SM_OK, 2, 0, 0, NULL},
    {"016-place-after", NONE, SM_OK, 2, 0, 0, NULL},
    {"101-call", NONE, SM_OK, 1, 1, 0, NULL},
    {"102-relocation", NONE, SM_OK, 1, 1, 0, NULL},
    {"107-transition", NONE, SM_UNSUPPORTED_GC, 0, 0, 0, "hypothetical-gc"},
    {"110-statepoint-signature", NONE, SM_OK, 0, 0, 0, NULL},
    {"113-rewrite-before", NONE, SM_OK, 1, 1, 0, NULL},
    {"114-rewrite-after", NONE, SM_INVALID_MODULE, 0, 0, 0, "indexes are not those of gc arguments"}, /* a misprint */
    {"114-rewrite-after-mended", NONE, SM_OK, 1, 1, 0, NULL},
    {"115-place-before", "", SM_OK, 2, 0, 0, NULL},
    {"116-place-after", NONE, SM_OK, 2, 0, 0, NULL},
    {"201-call", NONE, SM_OK, 1, 1, 0, NULL},
    {"202-relocation", NONE, SM_OK, 1, 1, 0, NULL},
    {"206-non-relocating", NONE, SM_OK, 1, 0, 2, NULL},
    {"206-non-relocating", NONE "opt=0", SM_OK, 1, 0, 2, NULL},
    {"207-transition", NONE, SM_UNSUPPORTED_GC, 0, 0, 0, "hypothetical-gc"},
    {"213-rewrite-before", NONE, SM_OK, 1, 1, 0, NULL},
    {"214-rewrite-after", NONE, SM_OK, 1, 1, 0, NULL},
    {"215-place-before", "", SM_OK, 2, 0, 0, NULL},
    {"216-place-after", NONE, SM_OK, 2, 0, 0, NULL},
    {"217-copy-with-safepoint", NONE, SM_OK, 1, 2, 0, NULL},
    {"301-set-gc", NONE, SM_OK, 0, 0, 0, NULL},
    {"302-gc-attribute", NONE, SM_OK, 0, 0, 0, NULL},
    {"303-gcroot-signature", NONE, SM_OK, 0, 0, 0, NULL},
    {"305-gcroot", NONE, SM_OK, 0, 0, 0, NULL},
    {"306-barrier-pointers", NONE, SM_OK, 0, 0, 0, NULL},
    {"307-gcwrite-signature", NONE, SM_OK, 0, 0, 0, NULL},
    {"308-gcread-signature", NONE, SM_OK, 0, 0, 0, NULL},
    {"309-set-gc-builtin", NONE, SM_OK, 2, 0, 0, NULL},
    {"313-custom-strategy", NONE, SM_UNSUPPORTED_GC, 0, 0, 0, "mygc"},
    {"323-intermediate-value", NONE, SM_OK, 0, 0, 0, NULL},
    {"401-intrinsics", NONE, SM_OK, 0, 0, 0, NULL},
    {"402-conditional-root", NONE, SM_INVALID_GCROOT, 0, 0, 0, "reached from"},
    {"402-conditional-root", NONE "scoped_roots=null_init", SM_OK, 0, 0, 0, NULL},
    {"403-root-declared-before", NONE, SM_OK, 0, 0, 0, NULL},
    {"404-shared-slot", NONE, SM_OK, 0, 0, 0, NULL},
    {"405-value-of-any-type", NONE, SM_OK, 0, 0, 0, NULL},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void compile_example(const struct example *e) {
    char path[512];
    snprintf(path, sizeof path, SOURCE_DIR "/docs/examples/documents/%s.ll", e->name);
    struct bytes ir = read_file(path);
    if (e->status != SM_OK) {
        refuses((char *)ir.data, e->options, e->status, e->hint);
    } else {
        has((char *)ir.data, e->options, SM_PART_STACKMAP, "\"kind\":\"statepoint\"", (size_t)e->safepoints);
        has((char *)ir.data, e->options, SM_PART_STACKMAP, "\"base\":", (size_t)e->roots);
        has((char *)ir.data, e->options, SM_PART_STACKMAP, "\"kind\":\"direct\"", (size_t)e->regions);
    }
    bytes_free(ir);
}

Test(documents, give_what_they_say, .timeout = 600) {
    for (int i = 0; i < EXAMPLES; i++)
        compile_example(&examples[i]);
}

Test(documents, none_is_left_out) {
    glob_t files;
    char names[EXAMPLES * 40] = "";
    cr_assert_eq(glob(SOURCE_DIR "/docs/examples/documents/*.ll", 0, NULL, &files), 0);
    for (int i = 0; i < EXAMPLES; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "/%s.ll\n", examples[i].name);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char line[300];
        snprintf(line, sizeof line, "%s\n", strrchr(files.gl_pathv[i], '/'));
        cr_expect(count(names, line) > 0, "%s", files.gl_pathv[i]);
    }
    globfree(&files);
}
