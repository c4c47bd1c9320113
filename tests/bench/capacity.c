/* capacity.c - see capacity.h.
 *
 * Compile times are measured with modules of many sizes. Then each worker compiles a tiny module, and waits for a multiple
 * of one of those times (waiting_worker.c): the workers of three servers fit on two processors, and their queues are those
 * of servers with processors of their own. How long each worker had a job, and what a request takes outside of queue and
 * worker in the mean, is measured in the same run (Server-Timing); how long requests wait is predicted. The simulation
 * gets the requests that the servers get, each at its time.
 */
#include "capacity.h"

#include "bench.h"
#include "client.h"
#include "fleetsim.h"
#include "http.h"
#include "queueing.h"
#include "record.h"
#include "redisserver.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODES = 3, WORKERS = 2, POINTS = 160, TIMES = 60, CLIENTS = 64, ALONE = 60, REQUESTS = 5000, WINDOW = 200 };

/* The mean of what a worker waits, in milliseconds: far more than the compile before it takes. */
static const double wait_mean = 40, hit = 0.6, stray = 0.1;

static double service_ms[TIMES]; /* what workers wait */

/* ---- Compile times ------------------------------------------------------------------------------------------- */

/* Of modules of 200 bytes to 5 KB, by the logarithm of their size; the least of three each, as the machine may be busy. */
static void measure_times(void) {
    struct daemon d = daemon_start(NULL);
    struct client c = client_open();
    char url[128];
    double sum = 0;
    snprintf(url, sizeof url, "%s/v1/compile?opt=2", d.url);
    for (int i = -5; i < TIMES; i++) {
        struct bytes module = make_module(i < 0 ? 0 : (size_t)(200 * pow(25, (double)i / TIMES)));
        double least = INFINITY;
        for (int turn = 0; turn < 3; turn++) {
            struct bytes mine = with_comment(module, 10 * i + turn + 50);
            double begun = now_ms();
            client_compile(&c, url, mine);
            least = fmin(least, now_ms() - begun);
            bytes_free(mine);
        }
        if (i >= 0)
            sum += service_ms[i] = least;
        bytes_free(module);
    }
    for (int i = 0; i < TIMES; i++)
        service_ms[i] *= wait_mean * TIMES / sum;
    client_close(&c);
    daemon_stop(&d);
    printf("A compile at O2, of modules of 200 bytes to 5 KB, took %.2f ms in the mean, here %.0f ms\n", sum / TIMES,
           wait_mean);
}

/* ---- The real fleet ------------------------------------------------------------------------------------------ */

static struct {
    struct daemon node[NODES];
    char url[NODES][160];
    int nodes;
    struct fleet_request *request;
    int requests;
    double begun;
    double around_ms; /* sum over compiles of what they took outside of queue and worker */
    pthread_mutex_t lock;
    atomic_int next;
} real = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void start_nodes(int nodes) {
    static const char worker[] = BIN_DIR "/waiting-worker";
    const char *const flags[] = {"--worker",
                                 worker,
                                 "--cache-memory-mib",
                                 "64",
                                 "--shared",
                                 redis_address,
                                 "--mac-key",
                                 redis_key_file,
                                 "--shared-wait-ms",
                                 "1000",
                                 "--shared-claim-ms",
                                 "60000",
                                 "--jobs-per-worker",
                                 "1000000",
                                 NULL};
    redis_start("--maxmemory-policy", "allkeys-lru");
    real.nodes = nodes;
    for (int i = 0; i < nodes; i++) {
        real.node[i] = daemon_start(flags);
        await_count(&real.node[i], "smd_shared_up", 1);
        snprintf(real.url[i], sizeof real.url[i], "%s/v1/compile?opt=0&safepoints=none", real.node[i].url);
    }
}

static void stop_nodes(void) {
    for (int i = 0; i < real.nodes; i++)
        daemon_stop(&real.node[i]);
    redis_kill();
}

/* Compiles the function of a key that waits so long, at a node. */
static enum fleet_from compile_at(struct client *c, int node, const char *name, int key, double ms) {
    static const char *const from[FLEET_FROM] = {"memory", "flight", "shared", "compiled"};
    char text[128], word[32];
    int len = snprintf(text, sizeof text, "define i32 @%s%d() {\n  ret i32 %d\n}\n", name, key, (int)(ms * 1e3) + 1);
    client_compile(c, real.url[node], (struct bytes){(unsigned char *)text, (size_t)len});
    client_header(c, "X-Smd-Cache", word, sizeof word);
    for (int i = 0; i < FLEET_FROM; i++)
        if (strcmp(word, from[i]) == 0)
            return (enum fleet_from)i;
    fprintf(stderr, "an answer from %s\n", word);
    exit(1);
}

/* How long the last answer's job was in the queue or with a worker. */
static double timing(const struct client *c, const char *what) {
    char text[512];
    client_header(c, "Server-Timing", text, sizeof text);
    const char *at = strstr(text, what);
    return at ? strtod(at + strlen(what), NULL) : 0;
}

/* Sends each request at its time, or as soon afterwards as a client is free: late is late for the request, too. */
static void *send_requests(void *arg) {
    struct client c = client_open();
    for (int i; (i = atomic_fetch_add(&real.next, 1)) < real.requests;) {
        struct fleet_request *q = &real.request[i];
        double early = q->at_ms - (now_ms() - real.begun);
        if (early > 0)
            nanosleep(&(struct timespec){(time_t)(early / 1e3), (long)(fmod(early, 1e3) * 1e6)}, NULL);
        double begun = now_ms();
        q->from = compile_at(&c, q->node, "f", q->key, q->service_ms);
        double ended = now_ms();
        q->took_ms = ended - real.begun - q->at_ms;
        if (q->from != FROM_COMPILE)
            continue;
        q->service_ms = timing(&c, "compile;dur=");
        pthread_mutex_lock(&real.lock);
        real.around_ms += ended - begun - timing(&c, "queue;dur=") - q->service_ms;
        pthread_mutex_unlock(&real.lock);
    }
    client_close(&c);
    return arg;
}

/* Bytes that Redis got and sent. */
struct traffic {
    double in, out;
};

static struct traffic redis_says(void) {
    char command[256];
    int status;
    struct traffic t = {0, 0};
    snprintf(command, sizeof command, "redis-cli -s %s/redis info stats", redis_folder);
    struct bytes b = run_command(command, "", 0, &status);
    const char *in = strstr((const char *)b.data, "total_net_input_bytes:"),
               *out = strstr((const char *)b.data, "total_net_output_bytes:");
    if (in && out)
        t = (struct traffic){strtod(strchr(in, ':') + 1, NULL), strtod(strchr(out, ':') + 1, NULL)};
    bytes_free(b);
    return t;
}

/* Since the last call, without the calls themselves: two of them are alike. */
static struct traffic redis_traffic(void) {
    static struct traffic last;
    struct traffic first = redis_says(), second = redis_says(),
                   t = {first.in - last.in - (second.in - first.in), first.out - last.out - (second.out - first.out)};
    last = second;
    return t;
}

/* What one request at a time takes: a compile outside of its worker, a hit; and what Redis gets and sends for a compile, and
 * for an answer from it. */
struct alone {
    double around_ms, hit_ms;
    struct traffic compile, shared;
};

static struct traffic per_request(struct traffic t) {
    return (struct traffic){t.in / ALONE, t.out / ALONE};
}

static struct alone measure_alone(void) {
    struct alone a = {0};
    struct client c = client_open();
    double hits[ALONE];
    start_nodes(2);
    compile_at(&c, 0, "warm", 0, 1);
    compile_at(&c, 1, "warm", 1, 1);
    redis_traffic();
    for (int i = 0; i < ALONE; i++) {
        double begun = now_ms();
        compile_at(&c, 0, "alone", i, service_ms[i]);
        a.around_ms += (now_ms() - begun - timing(&c, "compile;dur=")) / ALONE;
        begun = now_ms();
        compile_at(&c, 0, "alone", i, service_ms[i]);
        hits[i] = now_ms() - begun;
    }
    await_count(&real.node[0], "smd_shared_written_total", ALONE);
    a.compile = per_request(redis_traffic());
    for (int i = 0; i < ALONE; i++)
        compile_at(&c, 1, "alone", i, service_ms[i]);
    a.shared = per_request(redis_traffic());
    a.hit_ms = quantile(hits, ALONE, 0.5);
    client_close(&c);
    stop_nodes();
    return a;
}

/* ---- Three columns ------------------------------------------------------------------------------------------- */

struct figures {
    double mean, p99, compiles, shared, in, out; /* times: of requests that were compiled */
};

static struct figures figures_of(const struct fleet_result *r) {
    struct figures f = {0};
    double *ms = calloc((size_t)r->requests, sizeof *ms);
    int n = 0;
    for (int i = 0; i < r->requests; i++) {
        f.shared += r->request[i].from == FROM_SHARED;
        if (r->request[i].from == FROM_COMPILE)
            f.mean += ms[n++] = r->request[i].took_ms;
    }
    f.compiles = n;
    f.mean /= n;
    f.p99 = quantile(ms, n, 0.99);
    free(ms);
    return f;
}

static void add_traffic(struct figures *f, const struct alone *a) {
    f->in = f->compiles * a->compile.in + f->shared * a->shared.in;
    f->out = f->compiles * a->compile.out + f->shared * a->shared.out;
}

/* What formulas say of so many compiles in so long a time, with these shares of the nodes. A stray request for a key that
 * its node does not have is answered from the shared tier: of N nodes, all but one. */
static struct figures theory(const struct fleet *f, const struct demand *d, const double *share, double rate,
                             const struct service *s) {
    struct figures t = {0};
    struct node_model *n = calloc((size_t)f->nodes, sizeof *n);
    for (int i = 0; i < f->nodes; i++) {
        double mine = (1 - d->stray) * share[i] + d->stray / f->nodes;
        n[i] = (struct node_model){f->workers, rate * mine, mine};
    }
    t.mean = f->around_ms + fleet_mean(n, f->nodes, s);
    t.p99 = f->around_ms + fleet_quantile(n, f->nodes, s, 0.99);
    t.compiles = d->requests * (1 - d->hit);
    free(n);
    return t;
}

static void put_row(int nodes, double load, const char *what, double formula, double simulated, double measured,
                    int digits) {
    record_number("servers", nodes, 0);
    record_number("load", load, 2);
    record_text("figure", what);
    record_number("formula", formula, digits);
    record_number("simulation", simulated, digits);
    record_number("measured", measured, digits);
    record_number("formula/measured", formula / measured, 2);
    record_number("simulation/measured", simulated / measured, 2);
    record_row();
}

/* What each key's compile took, for all requests; *turns gets those of the compiles, sorted, *new*. */
static struct service measured_service(struct fleet_result *r, double **turns) {
    double *of_key = calloc((size_t)r->requests, sizeof *of_key);
    int n = 0;
    *turns = calloc((size_t)r->requests, sizeof **turns);
    for (int i = 0; i < r->requests; i++)
        if (r->request[i].from == FROM_COMPILE)
            (*turns)[n++] = of_key[r->request[i].key] = r->request[i].service_ms;
    for (int i = 0; i < r->requests; i++)
        r->request[i].service_ms = of_key[r->request[i].key];
    free(of_key);
    return service_of(*turns, n);
}

/* Sends the plan's requests to real servers, and notes what became of them. */
static struct figures run_real(struct fleet_result *plan, int nodes) {
    pthread_t thread[CLIENTS];
    start_nodes(nodes);
    redis_traffic();
    real.request = plan->request;
    real.requests = plan->requests;
    real.around_ms = 0;
    atomic_store(&real.next, 0);
    real.begun = now_ms();
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&thread[i], NULL, send_requests, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(thread[i], NULL);
    struct traffic t = redis_traffic();
    struct figures f = figures_of(plan);
    stop_nodes();
    f.in = t.in;
    f.out = t.out;
    return f;
}

static void measure_fleet(int nodes, double load, const struct alone *a) {
    struct fleet f = {
        .nodes = nodes, .workers = WORKERS, .points = POINTS, .hit_ms = a->hit_ms, .write_ms = 2, .claim_ms = 60000};
    struct demand d = {.seed = (uint64_t)nodes,
                       .requests = REQUESTS,
                       .rate = load * nodes * WORKERS / wait_mean / (1 - hit),
                       .hit = hit,
                       .window = WINDOW,
                       .stray = stray,
                       .service_ms = service_ms,
                       .services = TIMES};
    struct fleet_result plan = fleet_plan(&f, &d);
    double last = plan.request[REQUESTS - 1].at_ms, *turns;
    struct figures measured = run_real(&plan, nodes);
    struct service s = measured_service(&plan, &turns);
    f.around_ms = real.around_ms / measured.compiles;
    fleet_run(&f, &plan);
    struct figures simulated = figures_of(&plan), formula = theory(&f, &d, plan.share, measured.compiles / last, &s);
    formula.shared = measured.shared; /* which follows from what the load balancer does */
    add_traffic(&formula, a);
    add_traffic(&simulated, a);
    load = measured.compiles * s.mean / last / nodes / WORKERS;
    put_row(nodes, load, "mean ms", formula.mean, simulated.mean, measured.mean, 1);
    put_row(nodes, load, "p99 ms", formula.p99, simulated.p99, measured.p99, 1);
    put_row(nodes, load, "compiles", formula.compiles, simulated.compiles, measured.compiles, 0);
    put_row(nodes, load, "Redis gets KB", formula.in / 1e3, simulated.in / 1e3, measured.in / 1e3, 0);
    put_row(nodes, load, "Redis sends KB", formula.out / 1e3, simulated.out / 1e3, measured.out / 1e3, 0);
    fleet_free(&plan);
    free(turns);
}

/* ---- Up to 1,000 servers ------------------------------------------------------------------------------------- */

static void simulate_fleet(int nodes, int workers, double load, const struct alone *a) {
    struct fleet f = {.nodes = nodes,
                      .workers = workers,
                      .points = POINTS,
                      .hit_ms = a->hit_ms,
                      .around_ms = a->around_ms,
                      .write_ms = 2,
                      .claim_ms = 1000};
    struct demand d = {.seed = 1,
                       .requests = 2000 * nodes > 200000 ? 2000 * nodes : 200000,
                       .hit = 0.9,
                       .window = 100 * nodes,
                       .stray = stray,
                       .service_ms = service_ms,
                       .services = TIMES,
                       .rate = load * nodes * workers / wait_mean / 0.1};
    struct fleet_result r = fleet_plan(&f, &d);
    double times[TIMES];
    memcpy(times, service_ms, sizeof times);
    fleet_run(&f, &r);
    struct service s = service_of(times, TIMES);
    struct figures simulated = figures_of(&r), formula = theory(&f, &d, r.share, d.rate * 0.1, &s);
    record_number("servers", nodes, 0);
    record_number("workers", workers, 0);
    record_number("load", load, 2);
    record_number("requests/s", d.rate * 1e3, 0);
    record_number("mean/compile", simulated.mean / s.mean, 2);
    record_number("p99/compile", simulated.p99 / s.mean, 2);
    record_number("formula/simulation, mean", formula.mean / simulated.mean, 2);
    record_number("p99", formula.p99 / simulated.p99, 2);
    record_number("twice", (double)r.twice / (double)r.compiles, 4);
    record_row();
    fleet_free(&r);
}

void bench_capacity(void) {
    static const double loads[] = {0.5, 0.7};
    static const int fleets[] = {3, 10, 100, 1000};
    setlinebuf(stdout);
    redis_prepare();
    measure_times();
    struct alone a = measure_alone();
    printf("A compile takes %.2f ms outside of its worker, a hit %.2f ms; Redis gets %.0f bytes and sends %.0f for a "
           "compile, %.0f and %.0f for an answer\n",
           a.around_ms, a.hit_ms, a.compile.in, a.compile.out, a.shared.in, a.shared.out);
    record_table("capacity",
                 "Servers with two workers each, 60 % hits, one request in ten astray: requests that were "
                 "compiled, and Redis");
    for (int nodes = 1; nodes <= NODES; nodes++)
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
            measure_fleet(nodes, loads[i], &a);
    redis_clean();
    record_table("fleets", "Simulated fleets, 90 % hits, one request in ten astray: requests that were compiled");
    for (size_t i = 0; i < sizeof fleets / sizeof *fleets; i++)
        for (int workers = 2; workers <= 8; workers *= 4)
            for (int tenths = 5; tenths <= 8; tenths += 3)
                simulate_fleet(fleets[i], workers, tenths / 10.0, &a);
}
