/* pool.c - see pool.h. */
#include "pool.h"

#include "bench.h"
#include "client.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 600, SMALL_ROUNDS = 1500, STREAMS = 4 };

static void compare_processes(void) {
    static const char *const one[] = {"--jobs-per-worker", "1", NULL};
    static double persistent[ROUNDS], fresh[ROUNDS], ratio[ROUNDS];
    struct daemon a = daemon_start(NULL), b = daemon_start(one);
    struct client ca = client_open(), cb = client_open();
    struct bytes module = make_module(0);
    char url_a[128], url_b[128];
    snprintf(url_a, sizeof url_a, "%s/v1/compile", a.url);
    snprintf(url_b, sizeof url_b, "%s/v1/compile", b.url);
    for (int i = -20; i < ROUNDS; i++) {
        struct bytes mine = with_comment(module, i + 20);
        double t0 = now_ms();
        client_compile(&ca, url_a, mine);
        double t1 = now_ms();
        client_compile(&cb, url_b, mine);
        double t2 = now_ms();
        bytes_free(mine);
        if (i < 0)
            continue;
        persistent[i] = t1 - t0;
        fresh[i] = t2 - t1;
        ratio[i] = fresh[i] / persistent[i];
    }
    printf("A tiny module, milliseconds            p50     p99\n  persistent workers                %7.2f %7.2f\n"
           "  a process for every job           %7.2f %7.2f\n  ratio, round by round             %7.2f\n\n",
           quantile(persistent, ROUNDS, 0.5), quantile(persistent, ROUNDS, 0.99), quantile(fresh, ROUNDS, 0.5),
           quantile(fresh, ROUNDS, 0.99), quantile(ratio, ROUNDS, 0.5));
    bytes_free(module);
    client_close(&ca);
    client_close(&cb);
    daemon_stop(&a);
    daemon_stop(&b);
}

enum { MODULES = 100, ASKS = 5000, PAUSE_US = 1000 };

/* A daemon that is asked for the same modules again and again. */
struct asked {
    struct daemon d;
    struct client client;
    char url[128];
    double compiled[ASKS], hit[ASKS];
    int compiles, hits;
};

static void begin_asking(struct asked *a, const char *admission) {
    a->d = daemon_start((const char *const[]){"--cache-memory-mib", "64", "--admission", admission, NULL});
    a->client = client_open();
    snprintf(a->url, sizeof a->url, "%s/v1/compile", a->d.url);
}

static void ask_for(struct asked *a, struct bytes module) {
    char from[32];
    double t = now_ms();
    client_compile(&a->client, a->url, module);
    t = now_ms() - t;
    client_header(&a->client, "X-Smd-Cache", from, sizeof from);
    if (strcmp(from, "memory") == 0)
        a->hit[a->hits++] = t;
    else
        a->compiled[a->compiles++] = t;
}

/* A client that asks for modules that it has mostly asked for before, and has idle time between. */
static void compare_admission(void) {
    static struct asked one, two;
    struct bytes module = make_module(0);
    unsigned number = 1;
    begin_asking(&one, "one");
    begin_asking(&two, "two");
    for (int i = 0; i < ASKS; i++) {
        number = number * 1103515245u + 12345u;
        struct bytes mine = with_comment(module, (int)(number >> 16) % MODULES);
        ask_for(&one, mine);
        usleep(PAUSE_US);
        ask_for(&two, mine);
        usleep(PAUSE_US);
        bytes_free(mine);
    }
    printf("%d requests for %d tiny modules, ms  compile     hit   compiles   all, by the medians\n", ASKS, MODULES);
    double all[2];
    for (int i = 0; i < 2; i++) {
        struct asked *a = i ? &two : &one;
        double compile = quantile(a->compiled, a->compiles, 0.5), hit = quantile(a->hit, a->hits, 0.5);
        all[i] = a->compiles * compile + a->hits * hit;
        printf("  admission=%s                     %7.2f %7.3f    %7d   %7.0f\n", i ? "two" : "one", compile, hit,
               a->compiles, all[i]);
        client_close(&a->client);
        daemon_stop(&a->d);
    }
    printf("  ratio                                                            %7.2f\n\n", all[1] / all[0]);
    bytes_free(module);
}

static atomic_int stop;
static char url[128];

static void *stream_large(void *arg) {
    struct client c = client_open();
    struct bytes module = make_module(60000);
    for (int i = 0; !atomic_load(&stop); i++) {
        struct bytes mine = with_comment(module, (int)(size_t)arg * 100000 + i);
        client_compile(&c, url, mine);
        bytes_free(mine);
    }
    bytes_free(module);
    client_close(&c);
    return NULL;
}

static void measure_small(double *v, int first) {
    struct client c = client_open();
    struct bytes module = make_module(0);
    for (int i = 0; i < SMALL_ROUNDS; i++) {
        struct bytes mine = with_comment(module, first + i);
        double t = now_ms();
        client_compile(&c, url, mine);
        v[i] = now_ms() - t;
        bytes_free(mine);
    }
    bytes_free(module);
    client_close(&c);
}

static void compare_load(void) {
    static double alone[SMALL_ROUNDS], loaded[SMALL_ROUNDS];
    struct daemon d = daemon_start(NULL);
    pthread_t thread[STREAMS];
    snprintf(url, sizeof url, "%s/v1/compile", d.url);
    measure_small(alone, 0);
    for (size_t i = 0; i < STREAMS; i++)
        pthread_create(&thread[i], NULL, stream_large, (void *)(i + 1));
    measure_small(loaded, SMALL_ROUNDS);
    atomic_store(&stop, 1);
    for (size_t i = 0; i < STREAMS; i++)
        pthread_join(thread[i], NULL);
    double p50[2] = {quantile(alone, SMALL_ROUNDS, 0.5), quantile(loaded, SMALL_ROUNDS, 0.5)};
    double p99[2] = {quantile(alone, SMALL_ROUNDS, 0.99), quantile(loaded, SMALL_ROUNDS, 0.99)};
    printf("A tiny module, two workers, ms         p50     p99\n  alone                             %7.2f %7.2f\n"
           "  under %d streams of 60 KB modules  %7.2f %7.2f\n  ratio                             %7.2f %7.2f\n",
           p50[0], p99[0], STREAMS, p50[1], p99[1], p50[1] / p50[0], p99[1] / p99[0]);
    daemon_stop(&d);
}

void bench_pool(void) {
    compare_processes();
    compare_admission();
    compare_load();
}
