/* load.c - see load.h. Who measures against bare LLVM has as many bare processes as there are workers. */
#include "load.h"

#include "bench.h"
#include "client.h"
#include "cpu.h"
#include "http.h"
#include "record.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, TURNS = 3, CLIENTS_MAX = 16, TURN_MS = 1200 };

static const char triple[] = "x86_64-unknown-linux-gnu";

/* ---- Clients ------------------------------------------------------------------------------------------------- */

struct stream {
    pthread_t thread;
    const char *url;
    struct bytes module;
    int first;
    double until;
    int done;
};

static void *send_modules(void *arg) {
    struct stream *s = arg;
    struct client c = client_open();
    while (now_ms() < s->until) {
        struct bytes mine = with_comment(s->module, s->first + s->done++);
        client_compile(&c, s->url, mine);
        bytes_free(mine);
    }
    client_close(&c);
    return NULL;
}

/* Compiles a second of so many clients. */
static double rate_of_service(const char *url, struct bytes module, int clients) {
    static struct stream s[CLIENTS_MAX];
    static int turn;
    double begun = now_ms(), sum = 0;
    turn++;
    for (int i = 0; i < clients; i++) {
        s[i] = (struct stream){
            .url = url, .module = module, .first = (turn * CLIENTS_MAX + i) * 100000, .until = begun + TURN_MS};
        pthread_create(&s[i].thread, NULL, send_modules, &s[i]);
    }
    for (int i = 0; i < clients; i++) {
        pthread_join(s[i].thread, NULL);
        sum += s[i].done;
    }
    return sum * 1e3 / (now_ms() - begun);
}

/* The same of as many bare processes as the service has workers. */
static double rate_of_bare(struct bytes module) {
    int tell[2], done;
    double sum = 0;
    fflush(stdout);
    if (pipe(tell) != 0)
        exit(1);
    for (int i = 0; i < WORKERS; i++)
        if (fork() == 0) {
            double until;
            bare_compile(triple, 2, module);
            done = 0;
            for (until = now_ms() + TURN_MS; now_ms() < until; done++)
                bare_compile(triple, 2, module);
            _exit(write(tell[1], &done, sizeof done) != sizeof done);
        }
    for (int i = 0; i < WORKERS; i++)
        if (read(tell[0], &done, sizeof done) == sizeof done)
            sum += done;
    while (wait(NULL) > 0)
        ;
    close(tell[0]);
    close(tell[1]);
    return sum * 1e3 / TURN_MS;
}

static void measure_clients(void) {
    static const int clients[] = {1, 2, 4, 16};
    static const size_t sizes[] = {0, 10000};
    static const char *const flags[] = {"--log-hits", "on", NULL};
    bare_init();
    record_table("clients", "Compiles a second at O2 by two workers, against two bare processes at once, in turns");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t k = 0; k < sizeof clients / sizeof *clients; k++) {
            double service[TURNS], bare[TURNS], ratio[TURNS];
            struct bytes module = make_module(sizes[s]);
            for (int i = 0; i < TURNS; i++) {
                bare[i] = rate_of_bare(module); /* it forks: no daemon and no threads meanwhile */
                struct daemon d = daemon_start(flags);
                char url[128];
                snprintf(url, sizeof url, "%s/v1/compile?unwind=module", d.url);
                rate_of_service(url, module, 1);
                service[i] = rate_of_service(url, module, clients[k]);
                ratio[i] = service[i] / bare[i];
                daemon_stop(&d);
            }
            record_number("bytes", (double)module.len, 0);
            record_number("clients", clients[k], 0);
            record_samples("service/s", service, TURNS, 0);
            record_samples("bare/s", bare, TURNS, 0);
            record_samples("service/bare", ratio, TURNS, 2);
            record_row();
            bytes_free(module);
        }
}

/* ---- Tiers --------------------------------------------------------------------------------------------------- */

/* Waits for the second level of the client's last answer, if there is one. */
static void await_second(struct client *c, const struct daemon *d) {
    char places[160], url[256];
    client_header(c, "X-Smd-Tiers", places, sizeof places);
    if (!places[0])
        return;
    snprintf(url, sizeof url, "%s%s?wait=30", d->url, strchr(places, '/'));
    client_await(c, url);
}

/* Compiles the module and gives the milliseconds until its answer; those of all levels in *ALL. */
static double compile_for(struct client *c, const struct daemon *d, const char *query, struct bytes module,
                          double *all) {
    char url[256];
    snprintf(url, sizeof url, "%s/v1/compile?%s&unwind=module", d->url, query);
    double begun = now_ms();
    client_compile(c, url, module);
    double first = now_ms() - begun;
    await_second(c, d);
    *all = now_ms() - begun;
    return first;
}

static void measure_tiers(void) {
    enum { ROUNDS = 100 };
    static const struct {
        size_t size;
        int rounds;
    } modules[] = {{0, ROUNDS}, {800, ROUNDS}, {60000, 15}};
    double first[ROUNDS], only[ROUNDS], ratio[ROUNDS], both[ROUNDS], all;
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    record_table("tiers", "The first answer of tiers=0,2, and both, against the answer at O2, in turns");
    for (size_t s = 0; s < sizeof modules / sizeof *modules; s++) {
        struct bytes module = make_module(modules[s].size);
        int rounds = modules[s].rounds;
        for (int i = -2; i < rounds; i++) {
            struct bytes a = with_comment(module, 2 * i + 10), b = with_comment(module, 2 * i + 11);
            double t = compile_for(&c, &d, "tiers=0,2", a, &all), alone, o2 = compile_for(&c, &d, "opt=2", b, &alone);
            if (i >= 0) {
                first[i] = t;
                only[i] = o2;
                ratio[i] = t / o2;
                both[i] = all / o2;
            }
            bytes_free(a);
            bytes_free(b);
        }
        record_number("bytes", (double)module.len, 0);
        record_samples("first ms", first, rounds, 2);
        record_samples("O2 ms", only, rounds, 2);
        record_samples("first/O2", ratio, rounds, 2);
        record_samples("both/O2", both, rounds, 2);
        record_row();
        bytes_free(module);
    }
    client_close(&c);
    daemon_stop(&d);
}

/* ---- A trace ------------------------------------------------------------------------------------------------- */

enum { MODULES = 300, REQUESTS = 3000, TRACE_CLIENTS = 4 };

static struct {
    struct bytes module[MODULES];
    unsigned short asked[REQUESTS]; /* module by request */
    double ms[REQUESTS];
    unsigned char is_first[REQUESTS]; /* booleans */
    atomic_int next;
    char url[128];
} trace;

/* Zipf's law with exponent 1: the n-th module is asked for 1/n as often as the first. The same each time. */
static void make_trace(void) {
    static const size_t sizes[] = {0, 0, 800, 800, 800, 2000, 2000, 5000, 10000, 60000};
    double weight[MODULES], sum = 0;
    static char seen[MODULES];
    memset(seen, 0, sizeof seen);
    srandom(1);
    for (int i = 0; i < MODULES; i++) {
        struct bytes plain = make_module(sizes[random() % 10]);
        trace.module[i] = with_comment(plain, i);
        bytes_free(plain);
        weight[i] = sum += 1.0 / (i + 1);
    }
    for (int i = 0; i < REQUESTS; i++) {
        double at = (double)random() / RAND_MAX * sum;
        int k = 0;
        while (k < MODULES - 1 && weight[k] < at)
            k++;
        trace.asked[i] = (unsigned short)k;
        trace.is_first[i] = !seen[k];
        seen[k] = 1;
    }
    atomic_store(&trace.next, 0);
}

static void *replay(void *arg) {
    struct client c = client_open();
    for (int i; (i = atomic_fetch_add(&trace.next, 1)) < REQUESTS;) {
        double t = now_ms();
        client_compile(&c, trace.url, trace.module[trace.asked[i]]);
        trace.ms[i] = now_ms() - t;
    }
    client_close(&c);
    return arg;
}

/* Milliseconds that a bare process takes for all requests: each module is compiled once, and counts as often as it is
 * asked for. */
static double bare_trace(void) {
    double once[MODULES], sum = 0;
    for (int i = 0; i < MODULES; i++) {
        double t = now_ms();
        bare_compile(triple, 2, trace.module[i]);
        once[i] = now_ms() - t;
    }
    for (int i = 0; i < REQUESTS; i++)
        sum += once[trace.asked[i]];
    return sum;
}

static void measure_trace(void) {
    static const char *const flags[] = {"--cache-memory-mib", "64", NULL};
    static double first[REQUESTS], again[REQUESTS];
    int firsts = 0, agains = 0;
    pthread_t thread[TRACE_CLIENTS];
    make_trace();
    bare_init();
    double bare = bare_trace();
    struct daemon d = daemon_start(flags);
    snprintf(trace.url, sizeof trace.url, "%s/v1/compile?unwind=module", d.url);
    struct cpu before = cpu_of(&d);
    double begun = now_ms();
    for (int i = 0; i < TRACE_CLIENTS; i++)
        pthread_create(&thread[i], NULL, replay, NULL);
    for (int i = 0; i < TRACE_CLIENTS; i++)
        pthread_join(thread[i], NULL);
    double took = now_ms() - begun;
    struct cpu after = cpu_of(&d);
    for (int i = 0; i < REQUESTS; i++) {
        if (trace.is_first[i])
            first[firsts++] = trace.ms[i];
        else
            again[agains++] = trace.ms[i];
    }
    record_table("trace", "A trace: 3000 requests by POST of 300 modules (200 bytes to 60 KB) by Zipf's law, four "
                          "clients, two workers, O2; "
                          "bare: all compiled by one process");
    record_number("first asked", firsts, 0);
    record_number("again", agains, 0);
    record_number("seconds", took / 1e3, 2);
    record_number("bare seconds", bare / 1e3, 2);
    record_number("service/bare", took / bare, 3);
    record_number("CPU ms/request", cpu_between(&before, &after) / REQUESTS, 2);
    record_number("first p50 ms", quantile(first, firsts, 0.5), 2);
    record_number("p99", quantile(first, firsts, 0.99), 1);
    record_number("again p50 ms", quantile(again, agains, 0.5), 2);
    record_number("again p99", quantile(again, agains, 0.99), 2);
    record_row();
    daemon_stop(&d);
    for (int i = 0; i < MODULES; i++)
        bytes_free(trace.module[i]);
}

/* ---- Entries ------------------------------------------------------------------------------------------------- */

static void measure_entries(void) {
    static const int counts[] = {10, 100, 1000, 5000};
    enum { SAMPLES = 2000 };
    static const char *const flags[] = {"--cache-memory-mib", "256", "--log-hits", "off", NULL};
    static double ms[SAMPLES];
    struct daemon d = daemon_start(flags);
    struct client c = client_open();
    struct bytes module = make_module(0);
    char url[128];
    int kept = 0;
    snprintf(url, sizeof url, "%s/v1/compile?opt=0", d.url);
    record_table("entries", "A hit by POST of one client, by how many modules are kept, asked for at random");
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (; kept < counts[k]; kept++) {
            struct bytes mine = with_comment(module, kept);
            client_compile(&c, url, mine);
            bytes_free(mine);
        }
        for (int i = 0; i < SAMPLES; i++) {
            struct bytes mine = with_comment(module, (int)(random() % kept));
            double t = now_ms();
            client_compile(&c, url, mine);
            ms[i] = (now_ms() - t) * 1e3;
            bytes_free(mine);
        }
        record_number("entries", kept, 0);
        record_number("p50 us", quantile(ms, SAMPLES, 0.5), 0);
        record_number("p99 us", quantile(ms, SAMPLES, 0.99), 0);
        record_number("memory MiB", (double)metric(&d, "smd_cache_bytes{tier=\"memory\"}") / (1 << 20), 2);
        record_row();
    }
    bytes_free(module);
    client_close(&c);
    daemon_stop(&d);
}

void bench_load(void) {
    measure_tiers();
    measure_clients();
    measure_trace();
    measure_entries();
}
