/* runner.c - runs compiled programs, one after the other, in a still world and in a moving one (world.h).
 *
 *     random-runner SECONDS [LEAVE-OUT]
 *
 * A program may take so many seconds of the CPU. From each walk that root is left out. On stdin, for each program:
 * the length of its object (u32, little endian), then the object. On stdout, for each: a line "still DIGEST", then
 * "moving DIGEST COLLECTIONS FRAMES ROOTS MOVED SIGNALS DEOPTS"; or "failed: …", and the runner ends. It may end
 * without a word, too. */
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { OBJECT_MAX = 64 << 20 };

/* A program that does not end is killed; the time counts from here. */
static void limit_time(rlim_t seconds) {
    struct rusage used;
    struct rlimit limit;
    getrusage(RUSAGE_SELF, &used);
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + seconds;
    setrlimit(RLIMIT_CPU, &limit);
}

static int failed(const char *what, const char *why) {
    printf("failed: %s: %s\n", what, why);
    fflush(stdout);
    return 1;
}

static int run(sm_loader *loader, const unsigned char *bytes, size_t len, rlim_t seconds) {
    struct world_figures f;
    sm_object *object;
    sm_error err;
    limit_time(seconds);
    if (sm_load(loader, bytes, len, "program.ll", &object, &err) != SM_SUCCESS)
        return failed("the object cannot be loaded", err.message);
    printf("still %" PRIu64 "\n", world_run(loader, object, WORLD_STILL, &f));
    fflush(stdout);
    printf("moving %" PRIu64, world_run(loader, object, WORLD_MOVING, &f));
    printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", f.collections, f.frames,
           f.roots, f.moved, f.signals, f.deopts);
    fflush(stdout);
    sm_unload(object);
    return 0;
}

int main(int argc, char **argv) {
    sm_error err;
    sm_loader_options options = {.size = sizeof options, .resolve = world_symbol, .near = (const void *)world_symbol};
    sm_loader *loader = sm_loader_new(&options, &err);
    unsigned char head[4], *bytes = NULL;
    int status = 0;
    if (argc < 2)
        return failed("how many seconds?", "");
    if (argc > 2)
        world_leave_out(atol(argv[2]));
    if (!loader)
        return failed("there is no loader", err.message);
    world_init();
    while (status == 0 && fread(head, 1, sizeof head, stdin) == sizeof head) {
        size_t len = (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
        free(bytes);
        bytes = len <= OBJECT_MAX ? malloc(len) : NULL;
        if (!bytes || fread(bytes, 1, len, stdin) != len)
            status = failed("the object is not there", "");
        else
            status = run(loader, bytes, len, (rlim_t)atol(argv[1]));
    }
    free(bytes);
    sm_loader_free(loader);
    return status;
}
