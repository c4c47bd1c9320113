/* zeal.c - a small runtime whose collector is under test: zeal (smclient.h) is on in the five lines marked so.
 *
 *     zeal [--every N] [--seed N] [--function NAME] [--json FILE] [--text FILE] [--expect N] OBJECT-FILE [ARGUMENT]
 *
 * Loads the object and calls its `program(i64) -> i64`, which may call allocate(bytes, pointers), collect() and
 * observe(). One thread; each collection copies everything that is alive into memory of its own. Prints the result; exits 1
 * if it is not the expected one. A root that is missed ends the program with a report. */
#include "smclient.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- The heap ----------------------------------------------------------------------------------------------------- */

enum { SPACE = 1 << 20 };

/* Before each object. */
struct header {
    uint64_t bytes, pointers; /* the first words are pointers */
    struct header *moved;     /* where it has been copied to; NULL: it has not */
    uint64_t unused;          /* objects are aligned to 16 */
};

static char *space, *end, *scanned; /* what is filled; up to here; references up to here have been looked at */
static char *left;                  /* what is moved out of */

static void die(const char *what, const char *why) {
    fprintf(stderr, "zeal: %s%s%s\n", what, why[0] ? ": " : "", why);
    exit(4);
}

/* Begins a new space. */
static void begin_space(void) {
    space = mmap(NULL, SPACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
        die("there is no memory", "");
    end = scanned = space;
}

static size_t whole(const struct header *h) {
    return sizeof *h + ((h->bytes + 15) & ~(uint64_t)15);
}

/* A zeroed object. */
static void *take(uint64_t bytes, uint64_t pointers) {
    struct header *h = (struct header *)end;
    *h = (struct header){.bytes = bytes, .pointers = pointers};
    if (bytes > SPACE || whole(h) + sizeof *h > (size_t)(space + SPACE - end))
        die("the heap is full", "");
    end += whole(h);
    return h + 1;
}

/* Copies an object, unless it has been; sets the root to where it is then. What is no object's address anywhere is read
 * all the same: that faults, and is reported. */
static int move(void *user, void **root) {
    (void)user;
    if (!*root)
        return 0;
    struct header *h = (struct header *)*root - 1;
    if ((char *)h >= space && (char *)h < end)
        return 0;
    if (!h->moved) {
        void *to = take(h->bytes, h->pointers);
        memcpy(to, h + 1, h->bytes);
        h->moved = (struct header *)to - 1;
    }
    *root = h->moved + 1;
    return 0;
}

/* Moves what a slot in a frame refers to. */
static int move_reference(void *user, const sm_activation *frame, sm_reference *reference) {
    (void)frame;
    return reference->base ? move(user, reference->base) : 0;
}

/* Moves what moved objects refer to. */
static void move_fields(void) {
    while (scanned < end) {
        struct header *h = (struct header *)scanned;
        for (uint64_t i = 0; i < h->pointers; i++)
            move(NULL, (void **)(h + 1) + i);
        scanned += whole(h);
    }
}

/* ---- Collections -------------------------------------------------------------------------------------------------- */

static sm_loader *loader;
static sm_zeal *zeal;
static sm_zeal_options options = {.size = sizeof options};
static sm_error err;
static int64_t observed;

/* Adds a deoptimisation value of the innermost frame to the sum. */
static int add_deopt(void *user, const sm_activation *frame, uint32_t index, const sm_slot *slot,
                     const void *address) {
    int64_t value = 0;
    (void)user, (void)index;
    if (frame->depth == 0 && slot->kind == SM_SLOT_CONSTANT)
        observed += slot->value;
    else if (frame->depth == 0 && slot->kind != SM_SLOT_DIRECT)
        observed += *(int64_t *)memcpy(&value, address, slot->bytes < 8 ? slot->bytes : 8);
    return 0;
}

static void collect_at(sm_registers *at) {
    sm_visitor visitor = {.size = sizeof visitor, .root = move, .reference = move_reference, .deopt = add_deopt};
    left = space;
    begin_space();
    observed = 0;
    if (sm_zeal_visit(zeal, at, &visitor, &err) != SM_SUCCESS) /* zeal, 3 of 5: was sm_visit */
        die("the stack cannot be walked", err.message);
    move_fields();
    if (sm_zeal_close(zeal, left, SPACE, &at, 1, &err) != SM_SUCCESS) /* zeal, 4 of 5 */
        die("the space cannot be closed", err.message);
}

void collect_now(sm_registers *at);
void *allocate_now(sm_registers *at, uint64_t bytes, uint64_t pointers);
int64_t observe_now(sm_registers *at);
int64_t collect(void), allocate(void), observe(void); /* defined by the next lines */
SM_RUNTIME_ENTRY(collect, collect_now)
SM_RUNTIME_ENTRY(allocate, allocate_now)
SM_RUNTIME_ENTRY(observe, observe_now)

void collect_now(sm_registers *at) {
    if (sm_zeal_due(zeal, at)) /* zeal, 2 of 5 */
        collect_at(at);
}

void *allocate_now(sm_registers *at, uint64_t bytes, uint64_t pointers) {
    collect_now(at);
    return take(bytes, pointers);
}

/* Collects; gives the sum of the deoptimisation values of the call that calls this. */
int64_t observe_now(sm_registers *at) {
    sm_zeal_due(zeal, at);
    collect_at(at);
    return observed;
}

static void *symbol(void *user, const char *name) {
    (void)user;
    return strcmp(name, "collect") == 0    ? (void *)collect
           : strcmp(name, "allocate") == 0 ? (void *)allocate
           : strcmp(name, "observe") == 0  ? (void *)observe
                                           : NULL;
}

/* ---- The program -------------------------------------------------------------------------------------------------- */

static void *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    long bytes = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    void *data = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (!data || fseek(f, 0, SEEK_SET) != 0 || fread(data, 1, (size_t)bytes, f) != (size_t)bytes)
        die("cannot be read", path);
    fclose(f);
    *len = (size_t)bytes;
    return data;
}

/* Takes an option and its value; 0 if there is no such option. */
static int take_option(const char *name, const char *value, const char *path[2], const char **expected) {
    if (strcmp(name, "--every") == 0)
        options.every = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(name, "--seed") == 0)
        options.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--function") == 0)
        options.function = value;
    else if (strcmp(name, "--text") == 0)
        path[SM_ZEAL_TEXT] = value;
    else if (strcmp(name, "--json") == 0)
        path[SM_ZEAL_JSON] = value;
    else if (strcmp(name, "--expect") == 0)
        *expected = value;
    else
        return 0;
    return 1;
}

int main(int argc, char **argv) {
    const char *path[2] = {NULL, NULL}, *expected = NULL;
    sm_loader_options loading = {.size = sizeof loading, .resolve = symbol, .flags = SM_LOAD_GDB | SM_LOAD_ALL_LINES};
    sm_object *object;
    size_t len;
    int i = 1;
    while (i + 1 < argc && take_option(argv[i], argv[i + 1], path, &expected))
        i += 2;
    if (i >= argc || argv[i][0] == '-') {
        fputs("usage: zeal [--every N] [--seed N] [--function NAME] [--json FILE] [--text FILE] [--expect N] "
              "OBJECT-FILE [ARGUMENT]\n",
              stderr);
        return 2;
    }
    void *file = read_file(argv[i], &len);
    loader = sm_loader_new(&loading, &err);
    if (!loader || sm_load(loader, file, len, argv[i], &object, &err) != SM_SUCCESS)
        die("cannot be loaded", err.message);
    zeal = sm_zeal_new(loader, &options, &err); /* zeal, 1 of 5 */
    int64_t (*program)(int64_t) = (int64_t (*)(int64_t))sm_object_symbol(object, "program");
    if (!zeal || !program)
        die("cannot be run", zeal ? "it has no function 'program'" : err.message);
    begin_space();
    int64_t result = program(i + 1 < argc ? strtoll(argv[i + 1], NULL, 10) : 100);
    for (int format = 0; format < 2; format++)
        if (path[format] && sm_zeal_coverage(zeal, (sm_zeal_format)format, path[format], &err)) /* zeal, 5 of 5 */
            die("coverage", err.message);
    sm_zeal_counters c;
    sm_zeal_counters_get(zeal, &c, sizeof c);
    printf("%" PRId64 " (%" PRIu64 " collections, %" PRIu64 " frames, %" PRIu64 " roots, %" PRIu64 " moved; %" PRIu64
           " of %" PRIu64 " records)\n",
           result, c.collections, c.frames, c.roots, c.moved, c.records_visited, c.records);
    sm_zeal_free(zeal);
    sm_loader_free(loader);
    free(file);
    return expected && strtoll(expected, NULL, 10) != result;
}
