/* bench.c - smd-bench: a compile through the service, against the bare LLVM C API in one warm process, and against
 * opt-19 | llc-19.
 *
 * The three take turns, round by round, so that all see the same machine; the figures are medians of the rounds and
 * of the rounds' ratios. Each request is a module of its own (a comment tells them apart), so that nothing is
 * answered from memory. The client keeps its connection and asks for the object alone.
 */
#include "bench.h"
#include "cached.h"
#include "client.h"
#include "lookup.h"
#include "pool.h"

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
        to_service[ROUNDS_MAX];
    char url[256];
    struct bytes module = make_module(size);
    int n = 0, tool_rounds = 0;
    snprintf(url, sizeof url, "%s/v1/compile?target=%s&unwind=module", d->url, triple);
    for (int i = -5; i < ROUNDS_MAX && (i < 5 || now_ms() < seconds * 1e3); i++) { /* five rounds to warm up */
        struct bytes mine = with_comment(module, i + 5);
        double t0 = now_ms();
        size_t a = client_compile(c, url, mine);
        double t1 = now_ms();
        size_t b = bare_compile(triple, mine);
        double t2 = now_ms();
        if (a != b) {
            fprintf(stderr, "the objects have %zu and %zu bytes\n", a, b);
            exit(1);
        }
        if (i >= 0) {
            service[n] = t1 - t0;
            bare[n] = t2 - t1;
            to_bare[n] = service[n] / bare[n];
            n++;
        }
        if (i >= 0 && i % 8 == 0) {
            double t3 = now_ms();
            if (run_tools(triple, mine) != a)
                exit(1);
            tools[tool_rounds] = now_ms() - t3;
            to_service[tool_rounds] = tools[tool_rounds] / service[n - 1];
            tool_rounds++;
        }
        bytes_free(mine);
    }
    printf("%-6s %-8s %7zu %6d %9.2f %9.2f %9.2f   %5.2f (%.2f to %.2f) %8.1f\n", name,
           strncmp(triple, "x86", 3) == 0 ? "x86-64" : "AArch64", module.len, n, quantile(service, n, 0.5),
           quantile(bare, n, 0.5), quantile(tools, tool_rounds, 0.5), quantile(to_bare, n, 0.5),
           quantile(to_bare, n, 0.1), quantile(to_bare, n, 0.9), quantile(to_service, tool_rounds, 0.5));
    fflush(stdout);
    bytes_free(module);
}

static void quick(void) {
    static const char *const triples[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    bare_init();
    printf("A compile at O2, milliseconds (medians), and ratios taken round by round (median, 10th to 90th "
           "percentile)\n\n"
           "module target     bytes rounds   service      bare  opt|llc   service/bare           opt|llc/service\n");
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

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "pool") == 0)
        bench_pool();
    else if (argc > 1 && strcmp(argv[1], "lookup") == 0)
        bench_lookup();
    else if (argc > 1 && strcmp(argv[1], "cache") == 0)
        bench_cached();
    else
        quick();
    return 0;
}
