/* tables.c - see tables.h. */
#include "tables.h"
#include "stackmap_object.h"

#include "artifact.h"
#include "compact.h"
#include "daemon.h"
#include "files.h"
#include "smclient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__aarch64__)
enum { HOST = EM_AARCH64 };
#else
enum { HOST = EM_X86_64 };
#endif
enum { FUNCTIONS = 60, MOST_ALIVE = 8, ROOM = 1 << 20, LOOKUPS = 200000 };

static uint32_t state;

static uint32_t below(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* Functions of 4 to 40 calls, with up to MOST_ALIVE references alive across each. *new* */
static char *many_calls(void) {
    static const uint32_t calls[] = {4, 10, 20, 40};
    char *text = malloc(ROOM), *at = text, alive[MOST_ALIVE + 1][16];
    state = 3;
    at += sprintf(at, "declare ptr addrspace(1) @allocate(i64)\ndeclare void @take(ptr addrspace(1))\n");
    for (int f = 0; f < FUNCTIONS; f++) {
        uint32_t n = calls[below(4)], live = 2;
        strcpy(alive[0], "%a");
        strcpy(alive[1], "%b");
        at += sprintf(at,
                      "define ptr addrspace(1) @f%d(ptr addrspace(1) %%a, ptr addrspace(1) %%b) gc "
                      "\"statepoint-example\" {\n",
                      f);
        for (uint32_t i = 0; i < n; i++) {
            if (below(10) < 4)
                at += sprintf(at, "  %%v%u = call ptr addrspace(1) @allocate(i64 %u)\n", i, 8 + 8 * below(3));
            else
                at += sprintf(at,
                              "  %%v%u = getelementptr i8, ptr addrspace(1) %s, i64 8\n  call void @take(ptr "
                              "addrspace(1) %%v%u)\n",
                              i, alive[below(live)], i);
            snprintf(alive[live++], sizeof alive[0], "%%v%u", i);
            if (live > MOST_ALIVE) {
                uint32_t gone = below(live);
                memmove(alive[gone], alive[--live], sizeof alive[0]);
            }
        }
        at += sprintf(at, "  ret ptr addrspace(1) %s\n}\n", alive[below(live)]);
    }
    return text;
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A table as if it lay beside its code in memory, COPIES times; a lookup in it, in place, in random order. */
static double lookup_ns(const sm_stackmap *m, const sm_buf *table, const sm_compact_field *fields) {
    sm_compact c;
    unsigned char *bytes = malloc(table->len);
    uintptr_t code = (uintptr_t)bytes + (1 << 20);
    memcpy(bytes, table->data, table->len);
    for (uint32_t i = 0; i < m->functions; i++) {
        int32_t distance =
            (int32_t)(code + m->function[fields[i].function].offset - ((uintptr_t)bytes + fields[i].at));
        memcpy(bytes + fields[i].at, &distance, sizeof distance);
    }
    if (sm_compact_open(&c, bytes, table->len) != SM_OK)
        exit(1);
    double start = now_ns();
    for (int i = 0; i < LOOKUPS; i++) {
        const sm_function *f = &m->function[below(m->functions)];
        const sm_record *r = &m->record[f->record + below(f->records)];
        sm_stackmap one;
        if (sm_compact_find(&c, code + f->offset + r->offset, &one) != SM_OK || one.records != 1)
            exit(1);
        sm_stackmap_free(&one);
    }
    double each = (now_ns() - start) / LOOKUPS;
    free(bytes);
    return each;
}

/* ---- The same safepoints in other tables ---------------------------------------------------------------------- */

static int same_roots(const sm_stackmap *m, const sm_record *a, const sm_record *b) {
    const sm_location *x = &m->location[a->location], *y = &m->location[b->location];
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding is zero */
    return a->locations == b->locations && memcmp(x, y, a->locations * sizeof *x) == 0;
}

/* How many slots a safepoint tells of, each once. */
static uint32_t slots_of(const sm_stackmap *m, const sm_record *r) {
    const sm_location *l = &m->location[r->location];
    uint32_t n = 0;
    for (uint32_t i = 3; i < r->locations; i++) {
        uint32_t before = 3;
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding is zero */
        while (before < i && memcmp(&l[before], &l[i], sizeof *l) != 0)
            before++;
        n += before == i && l[i].kind != SM_LOCATION_CONSTANT;
    }
    return n;
}

/* The document's: an address each, and a table for each set of roots of a function. */
static double gcmap_bytes(const sm_stackmap *m) {
    enum { HEAD = 8, TAIL = 12, ADDRESS = 8 };
    double bytes = 0;
    for (uint32_t f = 0; f < m->functions; f++)
        for (uint32_t i = 0; i < m->function[f].records; i++) {
            const sm_record *r = &m->record[m->function[f].record];
            uint32_t before = 0;
            while (before < i && !same_roots(m, &r[before], &r[i]))
                before++;
            bytes += ADDRESS + (before < i ? 0 : HEAD + ((TAIL + 4 * slots_of(m, &r[i]) + 7) & ~7u));
        }
    return bytes;
}

/* OCaml's frametable: return address, frame size, count, slots of 2 bytes, a multiple of 8. */
static double ocaml_bytes(const sm_stackmap *m) {
    double bytes = 0;
    for (uint32_t i = 0; i < m->records; i++)
        bytes += (8 + 2 + 2 + 2 * slots_of(m, &m->record[i]) + 7) & ~7u;
    return bytes;
}

/* ---- In memory ------------------------------------------------------------------------------------------------ */

static void *resolve(void *user, const char *name) {
    (void)name;
    return user;
}

static long resident_bytes(void) {
    long kib = 0;
    char line[128];
    FILE *f = fopen("/proc/self/smaps_rollup", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Rss: %ld", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib * 1024;
}

struct found {
    uintptr_t *address;
    size_t n, most;
};

static int remember(void *user, const sm_site *site) {
    struct found *f = user;
    if (f->n < f->most)
        f->address[f->n++] = site->address;
    return 0;
}

/* Objects until there are so many safepoints. In a process of its own. */
static sm_loader *load_many(sm_slice object, struct found *f, size_t *code, size_t *objects) {
    sm_loader_options options = {.size = sizeof options, .resolve = resolve, .user = &options};
    sm_loader *loader = sm_loader_new(&options, NULL);
    sm_error err = {.message = "?"};
    f->address = malloc(f->most * sizeof *f->address);
    memset(f->address, 1, f->most * sizeof *f->address);
    for (*objects = 0; f->n < f->most; ++*objects) {
        sm_object *o;
        if (sm_load(loader, object.data, object.len, "many", &o, &err) != SM_SUCCESS) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
        *code += (sm_object_code(o, NULL) + 4095) & ~(size_t)4095;
        sm_object_sites(o, remember, f);
    }
    return loader;
}

/* Bytes for each of two million safepoints, beside code: the table and what finds it, and all else of the objects. */
static void print_memory(sm_slice object) {
    enum { MILLIONS = 2000000, LOOKUPS_AT = 100000, ROUNDS = 15 };
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct found f = {.most = MILLIONS};
        size_t code = 0, objects;
        long before = resident_bytes();
        load_many(object, &f, &code, &objects);
        double each =
            ((double)(resident_bytes() - before) - (double)code - (double)(f.n * sizeof *f.address)) / (double)f.n;
        printf(" %9.1f", each);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    child = fork();
    if (child == 0) {
        struct found f = {.most = LOOKUPS_AT};
        size_t code = 0, objects, missed = 0;
        double best = 0;
        sm_loader *loader = load_many(object, &f, &code, &objects);
        for (int round = -1; round < ROUNDS; round++) {
            for (size_t i = f.n; i > 1; i--) {
                uint32_t k = below((uint32_t)i);
                uintptr_t t = f.address[i - 1];
                f.address[i - 1] = f.address[k];
                f.address[k] = t;
            }
            double start = now_ns();
            for (size_t i = 0; i < f.n; i++)
                missed += sm_find(loader, f.address[i]) == NULL;
            double ns = (now_ns() - start) / (double)f.n;
            best = round <= 0 || ns < best ? ns : best;
        }
        printf(" %8.1f%s", best, missed ? " MISSED" : "");
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Nanoseconds to open a table as it stands. */
static double open_ns(const sm_buf *table) {
    enum { TIMES = 100000 };
    sm_compact c;
    uint64_t sum = 0;
    double start = now_ns();
    for (int i = 0; i < TIMES; i++) {
        sm_compact_open(&c, table->data, table->len);
        sum += c.functions;
    }
    return (now_ns() - start) / TIMES + (sum == 0);
}

static void measure(const char *what, const char *options) {
    char command[512];
    int status;
    sm_artifact a;
    sm_elf e;
    sm_stackmap m;
    sm_buf table;
    sm_compact_field *fields;
    char *module = many_calls();
    snprintf(command, sizeof command, BIN_DIR "/smd-worker --compile - %s", options);
    struct bytes out = run_command(command, module, strlen(module), &status);
    sm_buf_init(&table, 1 << 28);
    if (status != 0 || sm_artifact_read(out.data, out.len, &a) != SM_OK ||
        sm_elf_open(&e, a.part[SM_PART_OBJECT].data, a.part[SM_PART_OBJECT].len, NULL, 0) != SM_OK ||
        sm_stackmap_of_object(&m, &e, NULL) != SM_OK)
        exit(1);
    sm_stackmap_guess_kinds(&m);
    if (sm_compact_encode(&m, &table, &fields) != SM_OK)
        exit(1);
    double n = m.records, llvm = (double)e.section[sm_elf_find(&e, SM_STACKMAP_SECTION, 0)].size;
    printf("%-30s %6u %7.1f %7.2f %5.1f %% %7.1f %7.1f %8.0f %5.0f", what, m.records, llvm / n, (double)table.len / n,
           100 * (double)table.len / llvm, gcmap_bytes(&m) / n, ocaml_bytes(&m) / n, lookup_ns(&m, &table, fields),
           open_ns(&table));
    if (e.machine == HOST)
        print_memory(a.part[SM_PART_OBJECT]);
    printf("\n");
    free(fields);
    sm_buf_free(&table);
    sm_stackmap_free(&m);
    sm_elf_close(&e);
    bytes_free(out);
    free(module);
}

void bench_maps(void) {
    printf(
        "Stackmaps of %d functions of 4 to 40 calls, up to %d references alive: bytes a safepoint; nanoseconds to "
        "find\n"
        "and decode one in the compact table as it stands, and to open it; bytes that 2,000,000 of them take in\n"
        "libsmclient beside code, all else of their objects included; nanoseconds for sm_find among 100,000, kept\n\n"
        "%-30s %6s %7s %7s %7s %7s %7s %8s %5s %9s %8s\n",
        FUNCTIONS, MOST_ALIVE, "", "points", "LLVM's", "compact", "", "gcmap", "OCaml's", "find, ns", "open",
        "resident", "sm_find");
    measure("x86-64, opt=2, polls", "target=x86_64-linux-gnu poll=call:arrive");
    measure("AArch64, opt=2, polls", "target=aarch64-linux-gnu poll=call:arrive");
    measure("x86-64, opt=0, polls", "target=x86_64-linux-gnu poll=call:arrive opt=0");
    measure("x86-64, opt=3, gc_registers=4", "target=x86_64-linux-gnu safepoints=none opt=3 gc_registers=4");
}
