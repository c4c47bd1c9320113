/* The examples of docs/, posted by the very commands that stand in them; each gives what the next line says. */
#include "http.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char place[] = "http://127.0.0.1:8199";

/* The command with the daemon's own address in it. */
static void run_example(const struct daemon *d, const char *file, const char *command, int len, const char *gives,
                        int gives_len) {
    char line[1024], here[1200], expected[200];
    int status;
    snprintf(line, sizeof line, "%.*s", len, command);
    char *at = strstr(line, place);
    cr_assert(at, "%s: %s", file, line);
    snprintf(here, sizeof here, "cd %s && curl -sS --fail-with-body %.*s%s%s", SOURCE_DIR,
             (int)(at - line - (long)strlen("curl ")), line + strlen("curl "), d->url, at + strlen(place));
    struct bytes out = run_command(here, "", 0, &status);
    snprintf(expected, sizeof expected, "%.*s", gives_len, gives);
    cr_expect_eq(status, 0, "%s: %s: %s", file, line, (char *)out.data);
    cr_expect(!strstr((char *)out.data, "warning"), "%s: %s: an example is compiled without a warning: %s", file,
              line, (char *)out.data);
    cr_expect(strstr((char *)out.data, expected), "%s: %s\ndoes not give '%s' but\n%s", file, line, expected,
              (char *)out.data);
    bytes_free(out);
}

Test(examples, give_what_they_say, .timeout = 600) {
    static const char command[] = "\n;   curl ", gives[] = "; gives: ";
    struct daemon d = daemon_start(NULL);
    glob_t files;
    int count = 0;
    cr_assert_eq(glob(SOURCE_DIR "/docs/examples/*.ll", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct bytes text = read_file(files.gl_pathv[i]);
        for (const char *at = (char *)text.data; (at = strstr(at, command)) != NULL;) {
            const char *line = at + strlen("\n;   ");
            int len = (int)strcspn(line, "\n");
            const char *next = line + len + 1;
            cr_assert_eq(strncmp(next, gives, strlen(gives)), 0, "%s: what does %.*s give?", files.gl_pathv[i], len,
                         line);
            run_example(&d, files.gl_pathv[i], line, len, next + strlen(gives),
                        (int)strcspn(next + strlen(gives), "\n"));
            at = next;
            count++;
        }
        bytes_free(text);
    }
    cr_assert_geq(count, 14);
    globfree(&files);
    daemon_stop(&d);
}
