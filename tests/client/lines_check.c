/* lines_check.c - the lines of an object as libsmclient has them:
 *
 *     lines_check OBJECT safepoints|all [FUNCTION ARGUMENT]
 *
 * Prints the frames of each safepoint, "site FUNCTION OFFSET", and a line for each frame; then, if a function is named,
 * runs it, and prints the frames of each call of sink, "trace". In a handler of a signal they are the same. At the end,
 * "bytes STREAMS ALL SITES" of the table. */
#include "linetable.h"
#include "loader.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 };

static sm_loader *loader;
static sm_registers *stopped;
static sm_source_frame in_handler[ROOM];
static size_t frames_in_handler, sites;
static volatile int slow;

static void fail_with(const char *what) {
    fprintf(stderr, "lines_check: %s\n", what);
    exit(1);
}

static void print_frames(const sm_source_frame *frame, size_t n) {
    for (size_t i = 0; i < n; i++)
        printf("  %s %s %u %d\n", frame[i].function ? frame[i].function : "-", frame[i].file ? frame[i].file : "-",
               frame[i].line, frame[i].is_inlined);
}

static int print_site(void *user, const sm_site *site) {
    sm_source_frame frame[ROOM], one;
    size_t n = sm_source_at(loader, site->address - 1, frame, ROOM);
    (void)user;
    if (n && (sm_source_at(loader, site->address - 1, &one, 1) != 1 || one.line != frame[0].line))
        fail_with("less room gives other frames");
    printf("site %s %lu\n", site->code->name, (unsigned long)(site->address - site->code->address));
    print_frames(frame, n);
    sites++;
    return 0;
}

static void on_signal(int number) {
    (void)number;
    if (sm_backtrace(loader, stopped, in_handler, ROOM, &frames_in_handler, NULL) != SM_SUCCESS)
        fail_with("a handler cannot walk");
}

SM_RUNTIME_ENTRY(sink, called_by_code)
int called_by_code(sm_registers *at, int value);
int called_by_code(sm_registers *at, int value) {
    sm_source_frame frame[ROOM];
    size_t n;
    sm_error err;
    if (sm_backtrace(loader, at, frame, ROOM, &n, &err) != SM_SUCCESS)
        fail_with(err.message);
    stopped = at;
    raise(SIGUSR1);
    if (n != frames_in_handler || memcmp(frame, in_handler, n * sizeof *frame) != 0)
        fail_with("a handler sees other frames");
    puts("trace");
    print_frames(frame, n);
    size_t few;
    if (sm_backtrace(loader, at, frame, 1, &few, NULL) != SM_SUCCESS || few != 1 ||
        frame[0].line != in_handler[0].line)
        fail_with("less room gives other frames");
    return value & 7;
}

static void *symbol(void *user, const char *name) {
    (void)user;
    extern char sink[];
    return strcmp(name, "sink") == 0 ? (void *)sink : strcmp(name, "f") == 0 ? (void *)&slow : NULL;
}

static void *lazily(void *user, const char *name) {
    (void)user, (void)name;
    return NULL;
}

int main(int argc, char **argv) {
    sm_buf file;
    sm_error err = {0};
    sm_object *object = NULL;
    if (argc != 3 && argc != 5)
        fail_with("usage: lines_check OBJECT safepoints|all [FUNCTION ARGUMENT]");
    sm_buf_init(&file, (size_t)1 << 30);
    if (sm_buf_read_file(&file, argv[1]) != SM_OK)
        fail_with("the file cannot be read");
    int all = strcmp(argv[2], "all") == 0;
    loader = sm_loader_new(&(sm_loader_options){.size = sizeof(sm_loader_options),
                                                .resolve = symbol,
                                                .resolve_call = lazily,
                                                .flags = SM_LOAD_GDB | (all ? SM_LOAD_ALL_LINES : SM_LOAD_LINES)},
                           &err);
    if (!loader || sm_load(loader, file.data, file.len, argv[1], &object, &err) != SM_SUCCESS)
        fail_with(err.message);
    signal(SIGUSR1, on_signal);
    sm_object_sites(object, print_site, NULL);
    if (argc == 5) {
        int (*function)(int) = (int (*)(int))sm_object_symbol(object, argv[3]);
        function(atoi(argv[4]));
    }
    size_t streams, bytes;
    lines_bytes(object->lines, &streams, &bytes);
    printf("bytes %zu %zu %zu\n", streams, bytes, sites);
    sm_loader_free(loader);
    sm_buf_free(&file);
    return 0;
}
