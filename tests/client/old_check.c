/* old_check.c - code whose stackmap is as the LLVMs of 2015 to 2017 wrote it, under a collector that moves everything.
 *
 *     old_check OBJECT     (objects/old.ll)
 *
 * Exits 0 if both collections saw the object and the pointer into it. */
#include "check.h"
#include "smclient.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4, OBJECTS = 8 };

static sm_loader *loader;
static sm_error err;
static int64_t object[OBJECTS][WORDS];
static int objects, roots;

static int move(void *user, void **base) {
    (void)user;
    check(*base == object[objects - 1], "a root is no live object");
    memcpy(object[objects], *base, sizeof object[0]);
    memset(*base, 0xee, sizeof object[0]);
    *base = object[objects++];
    roots++;
    return 0;
}

int64_t enter_now(sm_registers *at, int64_t n);
int64_t enter(int64_t n);
SM_RUNTIME_ENTRY(enter, enter_now)

int64_t enter_now(sm_registers *at, int64_t n) {
    sm_visitor v = {.size = sizeof v, .root = move};
    check(sm_visit(loader, at, &v, &err) == SM_SUCCESS, "%s", err.message);
    return n * 10;
}

static void *resolve(void *user, const char *name) {
    (void)user;
    return strcmp(name, "enter") == 0 ? (void *)enter : NULL;
}

int main(int argc, char **argv) {
    static const int64_t words[WORDS] = {1, 2, 3, 4};
    static unsigned char bytes[1 << 16];
    sm_loader_options options = {.size = sizeof options, .resolve = resolve};
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    check(file, "old_check OBJECT");
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    loader = sm_loader_new(&options, &err);
    check(loader, "%s", err.message);
    sm_object *code = NULL;
    check(sm_load(loader, bytes, len, argv[1], &code, &err) == SM_SUCCESS, "%s", err.message);
    int64_t (*sum)(int64_t *, int64_t) = (int64_t (*)(int64_t *, int64_t))sm_object_symbol(code, "sum");
    memcpy(object[objects++], words, sizeof words);
    int64_t got = sum(object[0], 2);
    check(got == 10 + 3 + 20 + 3 + 1, "the sum is %ld", (long)got);
    check(roots == 2, "%d roots", roots);
    sm_loader_free(loader);
    return 0;
}
