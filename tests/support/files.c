/* files.c - see files.h. */
#include "files.h"

#include "check.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct bytes read_stream(FILE *f) {
    struct bytes b = {malloc(65536), 0};
    size_t cap = 65536, n;
    while ((n = fread(b.data + b.len, 1, cap - b.len - 1, f)) > 0) {
        b.len += n;
        if (cap - b.len < 4096)
            b.data = realloc(b.data, cap *= 2);
    }
    b.data[b.len] = 0;
    return b;
}

struct bytes read_file(const char *path) {
    FILE *f = fopen(path, "re");
    check(f, "%s cannot be opened", path);
    struct bytes b = read_stream(f);
    fclose(f);
    return b;
}

void write_file(const char *path, const void *data, size_t len) {
    FILE *f = fopen(path, "we");
    check(f && fwrite(data, 1, len, f) == len, "%s cannot be written", path);
    fclose(f);
}

struct bytes repeat(const char *text, size_t times) {
    size_t n = strlen(text);
    struct bytes b = {malloc(n * times + 1), n * times};
    for (size_t i = 0; i < times; i++)
        memcpy(b.data + i * n, text, n);
    b.data[b.len] = 0;
    return b;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where) {
    (void)st, (void)type, (void)where;
    return remove(path);
}

void remove_tree(const char *path) {
    enum { OPEN_AT_ONCE = 16 };
    check(nftw(path, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS) == 0, "%s cannot be removed", path);
}

void bytes_free(struct bytes b) {
    free(b.data);
}

struct bytes run_command(const char *command, const void *input, size_t len, int *status) {
    char path[] = "/tmp/smd-test-XXXXXX", line[8192];
    int fd = mkstemp(path);
    check(fd >= 0 && write(fd, input, len) == (ssize_t)len, "a temporary file cannot be written");
    close(fd);
    check(snprintf(line, sizeof line, "{ %s ; } < %s", command, path) < (int)sizeof line, "the command is too long");
    FILE *f = popen(line, "r");
    check(f, "no shell can be started");
    struct bytes out = read_stream(f);
    int s = pclose(f);
    unlink(path);
    *status = WIFEXITED(s) ? WEXITSTATUS(s) : 128 + WTERMSIG(s);
    return out;
}
