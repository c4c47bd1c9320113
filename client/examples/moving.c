/* moving.c - runs a compiled program under a collector that moves every object at every safepoint.
 *
 *     moving [--threads N] [--heap KIND] [--base 0] [--leave-out N] [--expect N] [--record FILE] OBJECT-FILE [ARGUMENT]
 *
 * With --base 0 compressed references are addresses. FILE gets a record of the run (record.h). KIND is moving, generational, marking or tagged: see heap.h.
 * Loads the object and calls its `program(i64) -> i64`. Prints the result; exits 1 if it is not the expected one. */
#include "heap.h"
#include "record.h"
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    size_t cap = 1 << 16, n;
    char *data = malloc(cap);
    *len = 0;
    if (!f || !data) {
        perror(path);
        exit(2);
    }
    while ((n = fread(data + *len, 1, cap - *len, f)) != 0) {
        *len += n;
        char *larger = *len == cap ? realloc(data, cap *= 2) : data;
        if (!larger)
            exit(2);
        data = larger;
    }
    fclose(f);
    return data;
}

static int usage(void) {
    fprintf(stderr,
            "usage: moving [--threads N] [--heap KIND] [--base 0] [--leave-out N] [--expect N] [--record FILE] "
            "OBJECT-FILE [ARGUMENT]\n");
    return 2;
}

/* Loads the object, calls its `program` and prints the result; gives the exit status. */
static int run_program(const char *path, int64_t argument, int threads, const char *expected) {
    sm_error err;
    sm_loader_options options = {.size = sizeof options, .resolve = runtime_symbol};
    sm_loader *loader = sm_loader_new(&options, &err);
    size_t len;
    void *file = read_file(path, &len);
    sm_object *object;
    if (!loader || sm_load(loader, file, len, path, &object, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s: %s\n", path, err.message);
        return 2;
    }
    free(file);
    int64_t (*program)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(object, "program");
    if (!program) {
        fprintf(stderr, "%s: there is no function 'program' in it\n", path);
        return 2;
    }
    int64_t result = runtime_run(loader, program, argument, threads);
    record_end(result);
    struct runtime_figures f = runtime_figures();
    printf("%" PRId64 " (%" PRIu64 " collections, %" PRIu64 " frames, %" PRIu64 " roots, %" PRIu64
           " objects moved)\n",
           result, f.collections, f.frames, f.roots, heap_moved());
    sm_loader_free(loader);
    return expected && strtoll(expected, NULL, 10) != result;
}

/* Chooses the kind of heap by its name; ends the program if there is none such. */
static void choose_heap(const char *name) {
    static const char *const names[] = {"moving", "generational", "marking", "tagged"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            heap_choose((enum heap_kind)i);
            return;
        }
    exit(usage());
}

int main(int argc, char **argv) {
    int threads = 1, i = 1;
    const char *expected = NULL;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--leave-out") == 0)
            runtime_leave_out(atol(argv[i + 1]));
        else if (strcmp(argv[i], "--heap") == 0)
            choose_heap(argv[i + 1]);
        else if (strcmp(argv[i], "--base") == 0)
            heap_begin_at_0();
        else if (strcmp(argv[i], "--record") == 0)
            record_to(argv[i + 1]);
        else if (strcmp(argv[i], "--expect") == 0)
            expected = argv[i + 1];
        else
            return usage();
    }
    if (i >= argc || threads < 1)
        return usage();
    return run_program(argv[i], i + 1 < argc ? strtoll(argv[i + 1], NULL, 10) : 100, threads, expected);
}
