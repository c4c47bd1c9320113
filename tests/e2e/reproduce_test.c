/* What "reproduce" says where LLVM's own opt cannot make the module: a line that asks smd for it, and gives it to
 * llc-19. It is run, and gives the same object. */
#include "compiler.h"
#include "daemon.h"
#include "files.h"

#include "artifact.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *const variants[] = {
    "target=x86_64-linux-gnu gc=statepoint-example poll=call:arrive",
    "target=aarch64-linux-gnu gc=coreclr poll=call:arrive opt=0 frame_pointer=all",
    "target=aarch64-linux-gnu poll=flag:wanted:arrive safepoints=entry,return reloc=static",
    "target=x86_64-linux-gnu poll=flag:wanted:arrive safepoints=precall,backedge opt=1 gc_registers=4",
    "target=x86_64-linux-gnu poll=page:the_page safepoints=entry,backedge,return",
    "target=aarch64-linux-gnu poll=page:the_page opt=0 reloc=static gc=statepoint-example",
    "target=x86_64-linux-gnu poll=page:the_page code_model=large opt=3 gc_registers=4",
    "target=x86_64-linux-gnu poll=call:arrive stackmap_format=compact",
    "target=aarch64-linux-gnu poll=page:the_page stackmap_format=compact opt=1 gc=statepoint-example",
};

static int lines, pages, tables;

/* The line, its module on stdin, gives OBJECT. */
static void reproduces(const struct daemon *d, const char *what, const char *line, struct bytes input,
                       sm_slice object) {
    char command[8192];
    int status;
    snprintf(command, sizeof command, "export SMD_SERVER=%s PATH=" BIN_DIR ":$PATH; set -o pipefail; %s", d->url,
             line);
    char script[9000];
    snprintf(script, sizeof script, "bash -c \"$(cat <<'END_OF_LINE'\n%s\nEND_OF_LINE\n)\"", command);
    struct bytes again = run_command(script, input.data, input.len, &status);
    cr_assert_eq(status, 0, "%s: %d of %s", what, status, line);
    cr_assert(again.len == object.len && memcmp(again.data, object.data, object.len) == 0,
              "%s: the object is not the one of: %s", what, line);
    bytes_free(again);
    lines++;
    pages += strstr(line, "smc page-polls ") != NULL;
    tables += strstr(line, "smc compact ") != NULL;
}

static void compare(const struct daemon *d, const char *file, const char *options) {
    char what[1024];
    sm_artifact a;
    struct bytes input = read_file(file);
    snprintf(what, sizeof what, "%s %s", file, options);
    struct bytes out = compiler_run(options, input.data, input.len);
    cr_assert_eq(sm_artifact_read(out.data, out.len, &a), SM_OK, "%s", what);
    if (a.status == SM_OK) {
        json_t *meta = json_loadb((const char *)a.part[SM_PART_META].data, a.part[SM_PART_META].len, 0, NULL);
        const char *line = json_string_value(json_object_get(meta, "reproduce"));
        cr_assert(line, "%s: there is no line", what);
        if (strstr(line, "smc compile "))
            reproduces(d, what, line, input, a.part[SM_PART_OBJECT]);
        json_decref(meta);
    }
    bytes_free(out);
    bytes_free(input);
}

Test(reproduce, lines_that_ask_smd_for_the_module, .timeout = 600) {
    struct daemon d = daemon_start(NULL);
    glob_t g = {0};
    glob(SOURCE_DIR "/docs/examples/*.ll", 0, NULL, &g);
    glob(SOURCE_DIR "/tests/corpus/*.ll", GLOB_APPEND, NULL, &g);
    for (size_t i = 0; i < g.gl_pathc; i++)
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
            compare(&d, g.gl_pathv[i], variants[v]);
    globfree(&g);
    daemon_stop(&d);
    printf("[figures] reproduce: %d lines that ask smd for the module give the same object\n", lines);
    cr_assert_gt(lines, 10);
    cr_assert_gt(pages, 10);
    cr_assert_gt(tables, 10);
}
