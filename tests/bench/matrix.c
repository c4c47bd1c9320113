/* matrix.c - see matrix.h. The two take turns on the same module, so that both see the same machine. */
#include "matrix.h"

#include "cpu.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_triples[] = {"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"};
static const char *const targets[] = {"x86-64", "AArch64"};

void take_turns(struct client *c, const struct daemon *d, const char *triple, int level, struct bytes module,
                double budget_ms, int rounds, int warm, int same, struct turns *t) {
    static int number;
    char url[256];
    double until = now_ms() + budget_ms;
    snprintf(url, sizeof url, "%s/v1/compile?target=%s&opt=%d&unwind=module&deadline_ms=600000", d->url, triple,
             level);
    t->n = 0;
    for (int i = -warm; i < TURNS_MAX && (i < rounds || now_ms() < until); i++) {
        struct bytes mine = with_comment(module, number++);
        struct cpu before = cpu_of(d);
        double t0 = now_ms();
        size_t a = client_compile(c, url, mine);
        double t1 = now_ms();
        struct cpu after = cpu_of(d);
        double own = own_cpu_ms(), t2 = now_ms();
        size_t b = bare_compile(triple, level, mine);
        double t3 = now_ms();
        bytes_free(mine);
        if (same && a != b) {
            fprintf(stderr, "the objects have %zu and %zu bytes\n", a, b);
            exit(1);
        }
        if (i < 0)
            continue;
        int n = t->n++;
        t->service[n] = t1 - t0;
        t->bare[n] = t3 - t2;
        t->ratio[n] = t->service[n] / t->bare[n];
        t->cpu[n] = cpu_between(&before, &after);
        t->cpu_ratio[n] = t->cpu[n] / (own_cpu_ms() - own);
    }
}

void record_turns(struct turns *t) {
    record_samples("service ms", t->service, t->n, 2);
    record_samples("bare ms", t->bare, t->n, 2);
    record_samples("service/bare", t->ratio, t->n, 2);
    record_samples("CPU ms", t->cpu, t->n, 2);
    record_samples("CPU/bare's", t->cpu_ratio, t->n, 2);
    record_row();
}

static void record_memory(const struct daemon *d) {
    pid_t workers[CPU_PROCESSES];
    char command[200];
    int status, n = daemon_workers(d, workers, CPU_PROCESSES);
    record_table("memory", "Resident memory after these compiles, MiB: VmRSS, and what of it is the process's own");
    for (int i = -1; i < n; i++) {
        snprintf(command, sizeof command,
                 "awk '/^VmRSS/ {r = $2} /^RssAnon/ {a = $2} END {print r / 1024, a / 1024}' /proc/%d/status",
                 (int)(i < 0 ? d->pid : workers[i]));
        struct bytes out = run_command(command, "", 0, &status);
        char *rest;
        record_text("process", i < 0 ? "smd" : "worker");
        record_number("resident", strtod((char *)out.data, &rest), 0);
        record_number("own", strtod(rest, NULL), 0);
        record_row();
        bytes_free(out);
    }
}

void bench_matrix(void) {
    static const size_t sizes[] = {0, 800, 10000, 60000, 300000, 5000000};
    static const char *const flags[] = {"--worker-memory-mib", "8192", NULL};
    static struct turns t;
    struct daemon d = daemon_start(flags);
    struct client c = client_open();
    char level_name[8];
    bare_init();
    record_table("compiles", "A compile through the service and by the bare C API, in turns: median (least-most)");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int target = 0; target < 2; target++)
            for (int level = 0; level < 4; level++) {
                int is_huge = sizes[s] > 1000000, is_large = sizes[s] > 100000;
                if (is_huge && (target || level != 2)) /* a minute each */
                    continue;
                struct bytes module = make_module(sizes[s]);
                take_turns(&c, &d, bench_triples[target], level, module, 2000,
                           is_huge    ? 1
                           : is_large ? 2
                                      : 5,
                           is_large ? 0 : 2, 1, &t);
                snprintf(level_name, sizeof level_name, "O%d", level);
                record_number("bytes", (double)module.len, 0);
                record_text("target", targets[target]);
                record_text("level", level_name);
                record_turns(&t);
                bytes_free(module);
            }
    record_memory(&d);
    client_close(&c);
    daemon_stop(&d);
}
