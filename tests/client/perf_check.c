/* perf_check.c - what perf has to name: functions that are loaded, unloaded, and loaded again where others were.
 *
 *     JITDUMPDIR=FOLDER perf_check OBJECT...
 *
 * Loads and unloads each, and says for each function "TIME ADDRESS BYTES NAME", the time one at which it was there, in
 * nanoseconds of CLOCK_MONOTONIC. */
#include "smclient.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int tell(void *user, const sm_symbol *symbol) {
    struct timespec now;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%lld %llu %zu %s\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec,
           (unsigned long long)(uintptr_t)symbol->address, symbol->bytes, symbol->name);
    return 0;
}

int main(int argc, char **argv) {
    static unsigned char bytes[1 << 20];
    sm_loader_options options = {.size = sizeof options, .flags = SM_LOAD_JITDUMP | SM_LOAD_ALL_LINES};
    sm_error err = {.message = "?"};
    sm_loader *loader = sm_loader_new(&options, &err);
    for (int i = 1; loader && i < argc; i++) {
        sm_object *object;
        FILE *f = fopen(argv[i], "rb");
        size_t len = f ? fread(bytes, 1, sizeof bytes, f) : 0;
        if (f)
            fclose(f);
        if (sm_load(loader, bytes, len, argv[i], &object, &err) != SM_SUCCESS)
            break;
        sm_object_symbols(object, tell, NULL);
        sm_unload(object);
        err.message[0] = 0;
    }
    sm_loader_free(loader);
    if (err.message[0])
        fprintf(stderr, "%s\n", err.message);
    return err.message[0] != 0;
}
