/* inputs.c - see inputs.h. */
#include "inputs.h"
#include "check.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 10000 };

static const char separator[] = "\n;--- ";

static char *files[FILES_MAX]; /* owned */
static size_t file_count;

static int add_file(const char *path, const struct stat *info, int type, struct FTW *place) {
    size_t len = strlen(path);
    (void)info, (void)place;
    if (type == FTW_F && len > 3 && strcmp(path + len - 3, ".ll") == 0) {
        check(file_count < FILES_MAX, "too many files");
        files[file_count++] = strdup(path);
    }
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int inputs_add(const char *folder) {
    return nftw(folder, add_file, 16, FTW_PHYS) == 0;
}

void inputs_add_own(void) {
    static const char *const own[] = {"/docs/examples", "/tests/compiler", "/tests/corpus"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s%s", SOURCE_DIR, own[i]);
        check(inputs_add(path), "%s cannot be read", path);
    }
}

char *const *inputs(size_t *count) {
    qsort(files, file_count, sizeof *files, by_name);
    *count = file_count;
    return files;
}

const char *input_name(const char *path) {
    size_t root = strlen(SOURCE_DIR) + 1;
    return strncmp(path, SOURCE_DIR "/", root) == 0 ? path + root : path;
}

int input_is_several(const char *text, size_t len) {
    return memmem(text, len, separator, sizeof separator - 1) != NULL;
}

void input_each(const char *text, size_t len, input_visitor *visit, void *arg) {
    const char *end = text + len, *first = memmem(text, len, separator, sizeof separator - 1);
    int number = 0;
    if (!first) {
        visit(arg, text, len, number);
        return;
    }
    size_t head = (size_t)(first + 1 - text);
    for (const char *at = first + 1, *next; at; at = next) {
        next = memmem(at, (size_t)(end - at), separator, sizeof separator - 1);
        next = next ? next + 1 : NULL;
        size_t own = (size_t)((next ? next : end) - at);
        char *module = malloc(head + own + 1);
        check(module != NULL, "no memory");
        memcpy(module, text, head);
        memcpy(module + head, at, own);
        module[head + own] = 0;
        visit(arg, module, head + own, ++number);
        free(module);
    }
}
