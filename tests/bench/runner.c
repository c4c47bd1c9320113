/* runner.c - runs the variants of one program for `./deploy/bench code`.
 *
 *     code-runner check N OBJECT...          each once, with a collector that moves everything again and again
 *     code-runner time N TURNS OBJECT...     each once a turn, without a collection
 *
 * Prints a line for each object: its result, collections, bytes allocated, the least processor time of a turn in
 * microseconds, and where its code begins and how many bytes it has. */
#include "semispace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VARIANTS = 64 };

struct variant {
    const char *path;
    sm_loader *loader;
    int64_t (*run)(int64_t n);
    void **chain;
    const void *code;
    size_t bytes;
    int64_t result;
    double us;
};

static void die(const char *what, const char *why) {
    fprintf(stderr, "code-runner: %s: %s\n", what, why);
    exit(3);
}

/* A file's bytes; *new*. */
static void *read_all(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        die(path, "cannot be read");
    *len = (size_t)ftell(f);
    void *bytes = malloc(*len + 1);
    if (!bytes || fseek(f, 0, SEEK_SET) != 0 || fread(bytes, 1, *len, f) != *len)
        die(path, "cannot be read");
    fclose(f);
    return bytes;
}

/* Each variant has a loader of its own, so that all lie alike in their pages. */
static struct variant load(const char *path) {
    enum { RESERVE = 1 << 20 };
    size_t len;
    sm_error err;
    sm_object *o;
    sm_loader_options options = {.size = sizeof options, .resolve = semispace_symbol, .reserve = RESERVE};
    struct variant v = {.path = path, .loader = sm_loader_new(&options, &err), .us = 1e12};
    void *bytes = read_all(path, &len);
    if (!v.loader || sm_load(v.loader, bytes, len, path, &o, &err) != SM_SUCCESS)
        die(path, err.message);
    free(bytes);
    v.run = (int64_t (*)(int64_t))(uintptr_t)sm_object_symbol(o, "run");
    v.chain = sm_object_symbol(o, "llvm_gc_root_chain");
    v.bytes = sm_object_code(o, &v.code);
    if (!v.run)
        die(path, "has no function `run`");
    return v;
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Runs the variant once; its result has to be the first one's. */
static void run(struct variant *v, const struct variant *first, int64_t n, int stress) {
    semispace_begin(v->loader, v->chain, stress);
    double began = now_us();
    v->result = v->run(n);
    double us = now_us() - began;
    v->us = us < v->us ? us : v->us;
    if (v->result != first->result)
        die(v->path, "gives another result than the first");
}

static void print(const struct variant *v) {
    printf("%" PRId64 " %lu %zu %.1f %" PRIxPTR " %zu\n", v->result, semispace_collections(), semispace_allocated(),
           v->us, (uintptr_t)v->code, v->bytes);
}

int main(int argc, char **argv) {
    static struct variant v[VARIANTS];
    int stress = argc > 3 && strcmp(argv[1], "check") == 0, from = stress ? 3 : 4, n = argc - from;
    if (n < 1 || n > VARIANTS || (!stress && strcmp(argv[1], "time") != 0))
        die("usage", "code-runner check N OBJECT... | time N TURNS OBJECT...");
    int64_t size = strtoll(argv[2], NULL, 10);
    long turns = stress ? 1 : strtol(argv[3], NULL, 10);
    semispace_init();
    for (int i = 0; i < n; i++)
        v[i] = load(argv[from + i]);
    for (long t = 0; t < turns; t++)
        for (int i = 0; i < n; i++) {
            run(&v[i], &v[0], size, stress && i > 0); /* the first has no map to collect by */
            if (t == turns - 1)
                print(&v[i]);
        }
    return 0;
}
