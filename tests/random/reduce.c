/* reduce.c - see reduce.h. */
#include "reduce.h"

#include "files.h"

#include <stdio.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_script(const char *path, const char *fault) {
    char text[2048];
    int len = snprintf(text, sizeof text, "#!/bin/sh\nexec " BIN_DIR "/random-programs --check '%s' \"$1\"\n", fault);
    write_file(path, text, (size_t)len);
    chmod(path, 0755);
}

/* The first lines of the fault's file say what it is; llvm-reduce leaves no comments. */
static void copy_head(const char *from, const char *to) {
    struct bytes whole = read_file(from), small = read_file(to);
    size_t head = 0;
    while (head < whole.len && whole.data[head] == ';')
        head += strcspn((char *)whole.data + head, "\n") + 1;
    char *text = malloc(head + small.len);
    if (text) {
        memcpy(text, whole.data, head);
        memcpy(text + head, small.data, small.len);
        write_file(to, text, head + small.len);
    }
    free(text);
    bytes_free(whole);
    bytes_free(small);
}

int reduce(const char *path, char *reduced, size_t size) {
    char script[540], command[2048], *whole = realpath(path, NULL);
    int status;
    if (!whole)
        return 0;
    snprintf(script, sizeof script, "%s.sh", whole);
    snprintf(reduced, size, "%.*s.reduced.ll", (int)(strlen(path) - 3), path);
    write_script(script, whole);
    snprintf(command, sizeof command,
             "llvm-reduce-19 --skip-delta-passes=arguments,operands-to-args,operands-skip --test='%s' -o '%s' '%s' "
             ">'%s.log' 2>&1",
             script, reduced, whole, whole);
    bytes_free(run_command(command, NULL, 0, &status));
    unlink(script);
    free(whole);
    if (status != 0)
        return 0;
    copy_head(path, reduced);
    return 1;
}
