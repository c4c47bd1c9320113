/* replay.c - runs a fuzz target without libFuzzer, as an ordinary test:
 *
 *     replay CORPUS MUTATIONS
 *
 * First on every file of the folder as it is and cut at many lengths, then on MUTATIONS damaged copies of them in
 * all. The damage depends on nothing but the files' order by name, so that a failure comes again. Each input is in
 * memory of just its size, for AddressSanitizer to see a byte too many. A failure ends the process by a signal; the
 * input's name and number stand in the last line of stderr.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 1 << 20, CUTS = 64, SECONDS_MOST = 20 };

struct input {
    char *name;
    uint8_t *data;
    size_t len;
};

static uint64_t state;
static struct {
    const char *name;
    long number;
    const uint8_t *data;
    size_t len;
} running;

/* The sanitizers end by SIGABRT as well, so that this is seen. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void) {
    return "abort_on_error=1";
}

const char *__ubsan_default_options(void) {
    return "abort_on_error=1:print_stacktrace=1";
}

static void tell(int signal_number) {
    static const char file[] = "replay-failure";
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ssize_t written = fd < 0 ? -1 : write(fd, running.data, running.len);
    dprintf(STDERR_FILENO, "signal %d at input %ld of %s; its bytes %s in %s\n", signal_number, running.number,
            running.name, written == (ssize_t)running.len ? "are" : "could not be put", file);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void run(const struct input *from, const uint8_t *data, size_t len, long number) {
    uint8_t *copy = malloc(len ? len : 1);
    must(copy);
    memcpy(copy, data, len);
    running.name = from->name;
    running.number = number;
    running.data = copy;
    running.len = len;
    alarm(SECONDS_MOST);
    LLVMFuzzerTestOneInput(len ? copy : NULL, len);
    free(copy);
}

static size_t damage(uint8_t *data, size_t len) {
    static const uint64_t edges[] = {0,      1,      7,          8,          0x7f,      0x80,      0xff,
                                     0x7fff, 0xffff, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX};
    if (len == 0)
        return 0;
    size_t at = next() % len, width = (size_t)1 << next() % 4;
    switch (next() % 6) {
    case 0:
        data[at] ^= (uint8_t)(1u << next() % 8);
        break;
    case 1:
        data[at] = (uint8_t)next();
        break;
    case 2: {
        uint64_t edge = edges[next() % (sizeof edges / sizeof *edges)];
        memcpy(data + at, &edge, width < len - at ? width : len - at);
        break;
    }
    case 3:
        memmove(data + at, data + next() % len / 2, (len - at) / 2);
        break;
    case 4:
        memset(data + at, 0, width < len - at ? width : len - at);
        break;
    default:
        return next() % 4 ? len : at;
    }
    return len;
}

static void mutate(const struct input *in, long mutations) {
    uint8_t *copy = malloc(in->len ? in->len : 1);
    must(copy);
    for (long i = 0; i < mutations; i++) {
        size_t len = in->len;
        memcpy(copy, in->data, len);
        for (uint64_t n = 1 + next() % 4; n; n--)
            len = damage(copy, len);
        run(in, copy, len, i);
    }
    free(copy);
}

static int visible(const struct dirent *d) {
    return d->d_name[0] != '.';
}

static struct input read_input(const char *folder, const char *name) {
    char path[4096];
    struct input in = {.name = strdup(name), .data = malloc(LARGEST)};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    must(f && in.name && in.data);
    in.len = fread(in.data, 1, LARGEST, f);
    fclose(f);
    return in;
}

int main(int argc, char **argv) {
    struct dirent **entry;
    int files = argc == 3 ? scandir(argv[1], &entry, visible, alphasort) : -1;
    if (files <= 0) {
        fprintf(stderr, "usage: replay CORPUS MUTATIONS (CORPUS is a folder with files in it)\n");
        return 2;
    }
    signal(SIGABRT, tell);
    signal(SIGALRM, tell);
    for (int i = 0; i < files; i++) {
        struct input in = read_input(argv[1], entry[i]->d_name);
        state = 88172645463325252u + (unsigned)i;
        for (size_t cut = 0; cut <= CUTS; cut++)
            run(&in, in.data, in.len * cut / CUTS, (long)cut - CUTS);
        mutate(&in, atol(argv[2]) / files);
        free(in.name);
        free(in.data);
        free(entry[i]);
    }
    free(entry);
    printf("[figures] replay: %d files of %s and %s damaged copies\n", files, argv[1], argv[2]);
    return 0;
}
