/* document_test.c - the small JIT that docs/client.md builds: taken out of it, compiled as others would, and run. */
#include "daemon.h"
#include "files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct daemon d;

static void start(void) {
    d = daemon_start(NULL);
}

static void stop(void) {
    daemon_stop(&d);
}

TestSuite(document, .init = start, .fini = stop, .timeout = 600);

/* All blocks of a language behind a heading, one behind the other. *new* (free). */
static char *blocks(const char *text, const char *heading, const char *fence) {
    const char *at = strstr(text, heading), *end;
    cr_assert_not_null(at, "there is no '%s'", heading);
    char *out = calloc(1, strlen(text) + 1);
    while ((at = strstr(at, fence)) != NULL) {
        at += strlen(fence);
        end = strstr(at, "\n```\n");
        cr_assert_not_null(end);
        strncat(out, at, (size_t)(end + 1 - at));
        at = end + 4;
    }
    return out;
}

static struct bytes run(const char *command) {
    int status;
    struct bytes out = run_command(command, NULL, 0, &status);
    cr_assert_eq(status, 0, "%s: exit %d: %s", command, status, (char *)out.data);
    return out;
}

Test(document, its_program_does_what_it_says) {
    char path[128], command[1024];
    struct bytes document = read_file(SOURCE_DIR "/docs/client.md");
    char *program = blocks((const char *)document.data, "## A small JIT", "```c\n");
    char *expected = blocks((const char *)document.data, "## A small JIT", "```text\n");
    snprintf(path, sizeof path, "%s/jit.c", d.folder);
    write_file(path, program, strlen(program));
    snprintf(command, sizeof command,
             "cc -O1 -Wall -Wextra -Werror %s -I%s/client/include %s -o %s/jit -L%s -lsmclient -Wl,-rpath,%s 2>&1",
             SANITIZER, SOURCE_DIR, path, d.folder, LIBRARY_DIR, LIBRARY_DIR);
    bytes_free(run(command));
    snprintf(command, sizeof command, "SMD_SERVER=%s %s/jit 2>&1", d.url, d.folder);
    struct bytes out = run(command);
    cr_expect_str_eq((char *)out.data, expected);
    bytes_free(out);
    bytes_free(document);
    free(program);
    free(expected);
}
