/* moving_server.c - client/examples/moving again and again in one process: the emulator translates it once.
 *
 * On stdin, for each run, a line: the arguments of moving. On stdout what moving prints, then a line "ended STATUS". A
 * run that ends the program ends this one. The linker puts the functions below in the place of moving's own. */
#include "heap.h"
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int __real_main(int argc, char **argv);
int __wrap_main(void);
uint64_t __real_heap_moved(void);
uint64_t __wrap_heap_moved(void);
struct runtime_figures __real_runtime_figures(void);
struct runtime_figures __wrap_runtime_figures(void);

static uint64_t moved_before;
static struct runtime_figures before; /* of the runs before this one */

uint64_t __wrap_heap_moved(void) {
    return __real_heap_moved() - moved_before;
}

struct runtime_figures __wrap_runtime_figures(void) {
    struct runtime_figures f = __real_runtime_figures();
    f.collections -= before.collections;
    f.roots -= before.roots;
    f.frames -= before.frames;
    return f;
}

static int run(char *line) {
    enum { ARGUMENTS = 32 };
    char *argv[ARGUMENTS] = {"moving"}, *rest = line;
    int argc = 1;
    for (char *word; (word = strsep(&rest, " \n")) != NULL && argc < ARGUMENTS - 1;)
        if (word[0])
            argv[argc++] = word;
    argv[argc] = NULL;
    moved_before = __real_heap_moved();
    before = __real_runtime_figures();
    heap_choose(HEAP_MOVING); /* unless the arguments say otherwise */
    return __real_main(argc, argv);
}

int __wrap_main(void) {
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        int status = run(line);
        printf("ended %d\n", status);
        fflush(stdout);
    }
    return 0;
}
