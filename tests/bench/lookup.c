/* lookup.c - see lookup.h.
 *
 * Four ways to a record from a return address, with the same addresses in the same random order, in turns:
 *
 *     smclient   sm_find, over all loaded objects
 *     chained    one hash table, entries in chains: what a runtime writes at first
 *     buckets    as llvm-statepoint-utils does it: twice as many buckets as records, each with its records copied behind
 *                one another, looked through in a row
 *     sorted     one sorted array, binary search
 *
 * None of the three can be added to while others look something up. */
#include "lookup.h"

#include "artifact.h"
#include "bench.h"
#include "client.h"
#include "smclient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RECORDS = 100000, ROUNDS = 15, LOADS = 400, WAYS = 4 };

static sm_loader *loader;
static uintptr_t *address; /* of all records, in the order of loading */
static size_t records, limit = RECORDS;
static uintptr_t *order; /* of the lookups */

static void *resolve(void *user, const char *name) {
    (void)name;
    return user;
}

static struct bytes compile(size_t size) {
    int status;
    struct bytes module = make_module(size);
    write_file("/tmp/smd-bench-lookup.ll", module.data, module.len);
    struct bytes out = run_command(BIN_DIR "/smd-worker --compile /tmp/smd-bench-lookup.ll opt=2", NULL, 0, &status);
    sm_artifact a;
    if (status != 0 || sm_artifact_read(out.data, out.len, &a) != SM_OK) {
        fprintf(stderr, "the module does not compile\n");
        exit(1);
    }
    sm_slice o = a.part[SM_PART_OBJECT];
    struct bytes object = {malloc(o.len + 1), o.len};
    memcpy(object.data, o.data, o.len);
    bytes_free(out);
    bytes_free(module);
    return object;
}

static int remember(void *user, const sm_site *site) {
    (void)user;
    if (records < limit)
        address[records++] = site->address;
    return 0;
}

static sm_object *load(struct bytes object) {
    sm_object *o;
    sm_error err;
    if (sm_load(loader, object.data, object.len, "bench", &o, &err) != SM_SUCCESS) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return o;
}

/* ---- The other ways ----------------------------------------------------------------------------------------- */

struct entry {
    struct entry *next;
    uintptr_t address;
    const uintptr_t *record;
};

static struct entry **chain, *entries;
static struct bucket {
    uint32_t count;
    struct entry *entry;
} *bucket;
static size_t chains, buckets;

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    return x ^ x >> 33;
}

static void build_others(void) {
    for (chains = 1; chains < records; chains *= 2)
        ;
    buckets = 2 * records;
    chain = calloc(chains, sizeof *chain);
    entries = calloc(records, sizeof *entries);
    bucket = calloc(buckets, sizeof *bucket);
    for (size_t i = 0; i < records; i++) {
        struct entry **at = &chain[mix(address[i]) & (chains - 1)];
        entries[i] = (struct entry){*at, address[i], &address[i]};
        *at = &entries[i];
        struct bucket *b = &bucket[mix(address[i]) % buckets];
        b->entry = realloc(b->entry, (b->count + 1) * sizeof *b->entry);
        b->entry[b->count++] = (struct entry){NULL, address[i], &address[i]};
    }
}

static const void *find_chained(uintptr_t a) {
    const struct entry *e = chain[mix(a) & (chains - 1)];
    while (e && e->address != a)
        e = e->next;
    return e ? e->record : NULL;
}

static const void *find_bucket(uintptr_t a) {
    const struct bucket *b = &bucket[mix(a) % buckets];
    for (uint32_t i = 0; i < b->count; i++)
        if (b->entry[i].address == a)
            return b->entry[i].record;
    return NULL;
}

static const void *find_sorted(uintptr_t a) {
    size_t low = 0, high = records;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (address[middle] < a)
            low = middle + 1;
        else
            high = middle;
    }
    return low < records && address[low] == a ? &address[low] : NULL;
}

static const void *find_ours(uintptr_t a) {
    return sm_find(loader, a);
}

static int by_address(const void *a, const void *b) {
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

/* Nanoseconds for each lookup. */
static double run(const void *(*find)(uintptr_t)) {
    size_t missed = 0;
    double start = now_ms();
    for (size_t i = 0; i < records; i++)
        missed += find(order[i]) == NULL;
    double ns = (now_ms() - start) * 1e6 / (double)records;
    if (missed) {
        fprintf(stderr, "%zu of %zu records were not found\n", missed, records);
        exit(1);
    }
    return ns;
}

static void compare_lookups(size_t objects) {
    static const struct {
        const char *name;
        const void *(*find)(uintptr_t);
    } way[WAYS] = {
        {"smclient", find_ours}, {"chained", find_chained}, {"buckets", find_bucket}, {"sorted", find_sorted}};
    static double ns[WAYS][ROUNDS], ratio[WAYS][ROUNDS];
    for (int round = -1; round < ROUNDS; round++)
        for (int w = 0; w < WAYS; w++) {
            double t = run(way[w].find);
            if (round >= 0) {
                ns[w][round] = t;
                ratio[w][round] = t / ns[0][round];
            }
        }
    printf("%zu safepoints in %zu objects, every one looked up in random order\n\n", records, objects);
    printf("way         ns a lookup   of smclient's\n");
    for (int w = 0; w < WAYS; w++)
        printf("%-10s %12.1f %15.2f\n", way[w].name, quantile(ns[w], ROUNDS, 0.5), quantile(ratio[w], ROUNDS, 0.5));
}

static void measure_loads(void) {
    static double us[LOADS];
    static const size_t sizes[] = {0, 800, 60000};
    printf("\nobject bytes   safepoints   load, microseconds (median, 90th percentile)\n");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct bytes object = compile(sizes[s]);
        for (int i = 0; i < LOADS; i++) {
            double start = now_ms();
            sm_object *o = load(object);
            us[i] = (now_ms() - start) * 1e3;
            if (i + 1 < LOADS)
                sm_unload(o);
            else {
                records = 0;
                sm_object_sites(o, remember, NULL);
            }
        }
        printf("%12zu %12zu %10.1f %8.1f\n", object.len, records, quantile(us, LOADS, 0.5), quantile(us, LOADS, 0.9));
        bytes_free(object);
    }
}

static void shuffle(void);

static long resident(void) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * 4096;
}

/* Objects until there are WANTED safepoints, in a loader of their own: memory, and the best of the rounds. */
static void measure_many(struct bytes object, size_t wanted) {
    sm_loader_options options = {.size = sizeof options, .resolve = resolve, .user = &loader};
    sm_loader *before_loader = loader;
    size_t objects = 0, code = 0;
    double best = 0;
    loader = sm_loader_new(&options, NULL);
    free(address);
    free(order);
    limit = wanted;
    records = 0;
    address = calloc(wanted, sizeof *address);
    order = calloc(wanted, sizeof *order);
    for (size_t i = 0; i < wanted; i++)
        address[i] = order[i] = 1; /* resident before */
    long before = resident();
    double start = now_ms();
    for (; records < wanted; objects++) {
        sm_object *o = load(object);
        code += sm_object_code(o, NULL);
        sm_object_sites(o, remember, NULL);
    }
    double us = (now_ms() - start) * 1e3 / (double)objects;
    long bytes = resident() - before;
    shuffle();
    start = now_ms();
    for (size_t i = 0; i < records; i++)
        sm_find(loader, order[i]);
    double first = (now_ms() - start) * 1e6 / (double)records;
    for (int i = 0; i < ROUNDS; i++) {
        double ns = run(find_ours);
        best = i == 0 || ns < best ? ns : best;
    }
    double each = (double)objects, points = (double)records, other = (double)bytes - (double)code;
    printf("%10zu %9zu %9.1f %8.0f %8.1f %8.0f %8.0f %10.1f\n", records, objects, us, first, best,
           (double)code / each, other / each, other / points);
    sm_loader_free(loader);
    loader = before_loader;
}

static void measure_sizes(void) {
    static const struct {
        size_t module, safepoints;
    } row[] = {{0, 100000}, {60000, 1000000}};
    printf("\n                      us a    ns a lookup:      bytes an object:    other bytes,\n"
           "safepoints   objects   load    first    later     code    other    a safepoint\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bytes object = compile(row[i].module);
        fflush(stdout);
        pid_t child = fork(); /* with memory of its own, in which nothing was before */
        if (child == 0) {
            measure_many(object, row[i].safepoints);
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, NULL, 0);
        bytes_free(object);
    }
}

static void shuffle(void) {
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < records; i++)
        order[i] = address[i];
    for (size_t i = records; i > 1; i--) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uintptr_t *a = &order[i - 1], *b = &order[state % i], t = *a;
        *a = *b;
        *b = t;
    }
}

void bench_lookup(void) {
    sm_loader_options options = {.size = sizeof options, .resolve = resolve, .user = &loader};
    size_t objects = 0;
    loader = sm_loader_new(&options, NULL);
    address = calloc(RECORDS, sizeof *address);
    order = calloc(RECORDS, sizeof *order);
    struct bytes object = compile(60000);
    for (; records < RECORDS; objects++)
        sm_object_sites(load(object), remember, NULL);
    bytes_free(object);
    qsort(address, records, sizeof *address, by_address);
    shuffle();
    build_others();
    compare_lookups(objects);
    measure_loads();
    measure_sizes();
    sm_loader_free(loader);
}
