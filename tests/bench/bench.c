/* bench.c - smd-bench: a compile through the service, against the bare LLVM C API in one warm process, and against
 * opt-19 | llc-19.
 *
 * The three take turns, round by round, so that all see the same machine; the figures are medians of the rounds and
 * of the rounds' ratios. Each request is a module of its own (a comment tells them apart), so that nothing is
 * answered from memory. The client keeps its connection and asks for the object alone.
 */
#include "bench.h"
#include "alive.h"
#include "cached.h"
#include "capacity.h"
#include "client.h"
#include "cpu.h"
#include "frames.h"
#include "growth.h"
#include "load.h"
#include "lookup.h"
#include "matrix.h"
#include "pool.h"
#include "record.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 400 };

static size_t run_tools(const char *triple, struct bytes module) {
    char command[512];
    int status;
    snprintf(command, sizeof command,
             "opt-19 -mtriple=%s -passes='default<O2>,function(place-safepoints),rewrite-statepoints-for-gc,verify,"
             "function(verify<safepoint-ir>)' | llc-19 -O2 -relocation-model=pic -filetype=obj",
             triple);
    struct bytes out = run_command(command, module.data, module.len, &status);
    size_t size = out.len;
    bytes_free(out);
    return status == 0 ? size : 0;
}

static void measure(struct client *c, const struct daemon *d, const char *name, const char *triple, size_t size,
                    double seconds) {
    static double service[ROUNDS_MAX], bare[ROUNDS_MAX], to_bare[ROUNDS_MAX], tools[ROUNDS_MAX],
        to_service[ROUNDS_MAX], cpu[ROUNDS_MAX], bare_cpu[ROUNDS_MAX], cpu_ratio[ROUNDS_MAX];
    char url[256];
    struct bytes module = make_module(size);
    int n = 0, tool_rounds = 0;
    snprintf(url, sizeof url, "%s/v1/compile?target=%s&unwind=module", d->url, triple);
    for (int i = -5; i < ROUNDS_MAX && (i < 5 || now_ms() < seconds * 1e3); i++) { /* five rounds to warm up */
        struct bytes mine = with_comment(module, i + 5);
        struct cpu before = cpu_of(d);
        double t0 = now_ms();
        size_t a = client_compile(c, url, mine);
        double t1 = now_ms();
        struct cpu after = cpu_of(d);
        double own = own_cpu_ms(), t2 = now_ms();
        size_t b = bare_compile(triple, 2, mine);
        double t3 = now_ms();
        if (a != b) {
            fprintf(stderr, "the objects have %zu and %zu bytes\n", a, b);
            exit(1);
        }
        if (i >= 0) {
            service[n] = t1 - t0;
            bare[n] = t3 - t2;
            to_bare[n] = service[n] / bare[n];
            cpu[n] = cpu_between(&before, &after);
            bare_cpu[n] = own_cpu_ms() - own;
            cpu_ratio[n] = cpu[n] / bare_cpu[n];
            n++;
        }
        if (i >= 0 && i % 8 == 0) {
            double t4 = now_ms();
            if (run_tools(triple, mine) != a)
                exit(1);
            tools[tool_rounds] = now_ms() - t4;
            to_service[tool_rounds] = tools[tool_rounds] / service[n - 1];
            tool_rounds++;
        }
        bytes_free(mine);
    }
    printf("%-6s %-8s %7zu %6d %9.2f %9.2f %9.2f   %5.2f (%.2f to %.2f) %8.1f     %9.2f %7.2f %7.2f\n", name,
           strncmp(triple, "x86", 3) == 0 ? "x86-64" : "AArch64", module.len, n, quantile(service, n, 0.5),
           quantile(bare, n, 0.5), quantile(tools, tool_rounds, 0.5), quantile(to_bare, n, 0.5),
           quantile(to_bare, n, 0.1), quantile(to_bare, n, 0.9), quantile(to_service, tool_rounds, 0.5),
           quantile(cpu, n, 0.5), quantile(bare_cpu, n, 0.5), quantile(cpu_ratio, n, 0.5));
    fflush(stdout);
    bytes_free(module);
}

static void quick(void) {
    static const char *const triples[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    bare_init();
    printf("A compile at O2, milliseconds (medians), and ratios taken round by round (median, 10th to 90th "
           "percentile); then processor time\n\n"
           "module target     bytes rounds   service      bare  opt|llc   service/bare           opt|llc/service   "
           "service    bare   ratio\n");
    double start = now_ms() / 1e3;
    for (int i = 0; i < 2; i++)
        measure(&c, &d, "tiny", triples[i], 0, start + 8 * (i + 1));
    for (int i = 0; i < 2; i++)
        measure(&c, &d, "small", triples[i], 800, start + 16 + 9 * (i + 1));
    for (int i = 0; i < 2; i++)
        measure(&c, &d, "large", triples[i], 60000, start + 34 + 11 * (i + 1));
    client_close(&c);
    daemon_stop(&d);
}

/* A large module whole, in parts, and by the bare C API, in turns; the ratios are of one round each. */
static void measure_parts(struct client *c, const struct daemon *d, const char *triple, size_t size, int rounds) {
    static double whole[ROUNDS_MAX], parts[ROUNDS_MAX], bare[ROUNDS_MAX], to_whole[ROUNDS_MAX], to_bare[ROUNDS_MAX],
        cpu_ratio[ROUNDS_MAX];
    char never[256], automatic[sizeof never + 16];
    struct bytes module = make_module(size);
    snprintf(never, sizeof never, "%s/v1/compile?target=%s&unwind=module&deadline_ms=600000&split=never", d->url,
             triple);
    snprintf(automatic, sizeof automatic, "%s/v1/compile?target=%s&unwind=module&deadline_ms=600000&split=auto",
             d->url, triple);
    for (int i = 0; i < rounds; i++) {
        struct bytes mine = with_comment(module, i);
        struct cpu cpu0 = cpu_of(d);
        double t0 = now_ms();
        client_compile(c, never, mine);
        double t1 = now_ms();
        struct cpu cpu1 = cpu_of(d);
        client_compile(c, automatic, mine);
        double t2 = now_ms();
        struct cpu cpu2 = cpu_of(d);
        bare_compile(triple, 2, mine);
        double t3 = now_ms();
        whole[i] = t1 - t0;
        parts[i] = t2 - t1;
        bare[i] = t3 - t2;
        to_whole[i] = parts[i] / whole[i];
        to_bare[i] = parts[i] / bare[i];
        cpu_ratio[i] = cpu_between(&cpu1, &cpu2) / cpu_between(&cpu0, &cpu1);
        bytes_free(mine);
    }
    record_number("bytes", (double)module.len, 0);
    record_text("target", strncmp(triple, "x86", 3) == 0 ? "x86-64" : "AArch64");
    record_samples("whole ms", whole, rounds, 0);
    record_samples("parts ms", parts, rounds, 0);
    record_samples("bare ms", bare, rounds, 0);
    record_samples("parts/whole", to_whole, rounds, 2);
    record_samples("parts/bare", to_bare, rounds, 2);
    record_samples("CPU parts/whole", cpu_ratio, rounds, 2);
    record_row();
    bytes_free(module);
}

static void parts(int rounds, int huge_rounds) {
    static const char *const triples[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
    static const char *const flags[] = {"--worker-memory-mib", "8192", NULL};
    struct daemon d = daemon_start(flags);
    struct client c = client_open();
    bare_init();
    record_table("parts", "A large module at O2 whole, in parts by two threads, and by the bare C API, in turns");
    for (int i = 0; i < 2; i++) {
        measure_parts(&c, &d, triples[i], 60000, rounds);
        measure_parts(&c, &d, triples[i], 300000, rounds);
        if (i == 0 || huge_rounds > 1) /* a minute each */
            measure_parts(&c, &d, triples[i], 5000000, huge_rounds);
    }
    client_close(&c);
    daemon_stop(&d);
}

/* The same module in the text of LLVM 14 and of today, in turns. */
static void typed_text(void) {
    static double modern[ROUNDS_MAX], typed[ROUNDS_MAX], ratio[ROUNDS_MAX];
    static const size_t functions[] = {1, 10, 80};
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    char url[256];
    snprintf(url, sizeof url, "%s/v1/compile", d.url);
    printf("A compile at O2 of text of today and of the same module with typed pointers, milliseconds (medians), and "
           "the "
           "ratio\n(median, 10th to 90th percentile)\n\n  bytes  typed rounds   today   typed   typed/today\n");
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        struct bytes old, now = make_typed_pair(functions[k], &old);
        double until = now_ms() + 10e3;
        int n = 0;
        for (int i = -5; i < ROUNDS_MAX && (i < 5 || now_ms() < until); i++) {
            struct bytes a = with_comment(now, i + 5), b = with_comment(old, i + 5);
            double t0 = now_ms();
            size_t x = client_compile(&c, url, a);
            double t1 = now_ms();
            size_t y = client_compile(&c, url, b);
            double t2 = now_ms();
            if (x != y) {
                fprintf(stderr, "the objects have %zu and %zu bytes\n", x, y);
                exit(1);
            }
            if (i >= 0) {
                modern[n] = t1 - t0;
                typed[n] = t2 - t1;
                ratio[n] = typed[n] / modern[n];
                n++;
            }
            bytes_free(a);
            bytes_free(b);
        }
        printf("%7zu %6zu %6d %7.2f %7.2f   %5.2f (%.2f to %.2f)\n", now.len, old.len, n, quantile(modern, n, 0.5),
               quantile(typed, n, 0.5), quantile(ratio, n, 0.5), quantile(ratio, n, 0.1), quantile(ratio, n, 0.9));
        fflush(stdout);
        bytes_free(now);
        bytes_free(old);
    }
    client_close(&c);
    daemon_stop(&d);
}

/* What ./deploy/bench measures with, and the bare compile alone, for a profiler to look at. */
static void print_module(struct bytes module) {
    fwrite(module.data, 1, module.len, stdout);
    bytes_free(module);
}

static void compile_barely(const char *file, int level) {
    struct bytes module = read_file(file);
    bare_init();
    for (int i = 0; i < 3; i++) /* the last one is warm */
        bare_compile("x86_64-unknown-linux-gnu", level, module);
    bytes_free(module);
}

/* Everything that docs/performance.md has, as tables and as JSON. */
static void all(const char *json) {
    bench_matrix();
    bench_growth();
    bench_load();
    bench_cached(3);
    parts(2, 1);
    record_save(json);
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "all") == 0)
        all(argv[2]);
    else if (argc > 1 && strcmp(argv[1], "pool") == 0)
        bench_pool();
    else if (argc > 1 && strcmp(argv[1], "capacity") == 0)
        bench_capacity();
    else if (argc > 1 && strcmp(argv[1], "alive") == 0)
        bench_alive(argc > 3 ? argv[3] : NULL);
    else if (argc > 1 && strcmp(argv[1], "lookup") == 0)
        bench_lookup();
    else if (argc > 1 && strcmp(argv[1], "frames") == 0)
        bench_frames();
    else if (argc > 2 && strcmp(argv[1], "module") == 0)
        print_module(make_module((size_t)strtoul(argv[2], NULL, 10)));
    else if (argc > 3 && strcmp(argv[1], "shape") == 0)
        print_module(growth_module(growth_shape_named(argv[2]), atoi(argv[3])));
    else if (argc > 2 && strcmp(argv[1], "bare") == 0)
        compile_barely(argv[2], argc > 3 ? argv[3][0] - '0' : 2);
    else if (argc > 1 && strcmp(argv[1], "load") == 0)
        bench_load();
    else if (argc > 1 && strcmp(argv[1], "growth") == 0)
        bench_growth();
    else if (argc > 1 && strcmp(argv[1], "parts") == 0)
        parts(15, 2);
    else if (argc > 2 && strcmp(argv[1], "code") == 0) {
        bench_code(argc > 3 ? argv[3] : NULL);
        record_save(argv[2]);
    } else if (argc > 1 && strcmp(argv[1], "edits") == 0)
        bench_edits();
    else if (argc > 1 && strcmp(argv[1], "startup") == 0)
        bench_startup();
    else if (argc > 1 && strcmp(argv[1], "maps") == 0)
        bench_maps();
    else if (argc > 1 && strcmp(argv[1], "cache") == 0)
        bench_cached(7);
    else if (argc > 1 && strcmp(argv[1], "typed") == 0)
        typed_text();
    else
        quick();
    return 0;
}
