/* The simulation of a fleet, against closed forms and laws that hold for any queue. */
#include "fleetsim.h"
#include "queueing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { SERVICES = 4096, REQUESTS = 200000 };

static double exponential[SERVICES], mixed[SERVICES];

/* Quantiles of an exponential distribution with the mean 10; and one in ten that takes 19 times as long as the others. */
static void init(void) {
    for (int i = 0; i < SERVICES; i++) {
        exponential[i] = -10 * log(1 - (i + 0.5) / SERVICES);
        mixed[i] = i % 10 ? 3.5714 : 67.857;
    }
}

TestSuite(fleetsim, .init = init);

static void is_near(double a, double b, double part, const char *what) {
    cr_assert(fabs(a - b) <= part * fabs(b), "%s: %g and %g", what, a, b);
}

/* A fleet whose workers are busy by this part, with nothing asked for twice. */
static struct demand fresh(const struct fleet *f, double load, const double *service) {
    return (struct demand){.seed = 7,
                           .requests = REQUESTS,
                           .rate = load * f->nodes * f->workers / 10,
                           .window = 1,
                           .service_ms = service,
                           .services = SERVICES};
}

static struct fleet_result simulate(const struct fleet *f, const struct demand *d) {
    struct fleet_result r = fleet_plan(f, d);
    fleet_run(f, &r);
    return r;
}

Test(fleetsim, erlang_formula_c) {
    is_near(erlang_c(1, 0.5), 0.5, 1e-9, "one worker");
    is_near(erlang_c(2, 1), 1.0 / 3, 1e-9, "two workers");
    is_near(erlang_c(10, 8), 0.40918, 1e-4, "ten workers");
    cr_assert_eq(erlang_c(2, 3), 1);
}

Test(fleetsim, waits_are_those_of_mmk) {
    for (int workers = 1; workers <= 8; workers *= 2)
        for (int tenths = 3; tenths <= 7; tenths += 2) {
            struct fleet f = {.nodes = 1, .workers = workers, .points = 1};
            struct demand d = fresh(&f, tenths / 10.0, exponential);
            struct fleet_result r = simulate(&f, &d);
            double load = tenths / 10.0 * workers, wait = erlang_c(workers, load) * 10 / (workers - load);
            double share = r.wait_ms / (double)r.compiles;
            cr_assert(fabs(share - wait) < 0.06 * wait + 0.01, "%d workers, %d tenths: %g, not %g", workers, tenths,
                      share, wait);
            fleet_free(&r);
        }
}

/* The formula of Pollaczek and Khinchin is exact for one worker. */
Test(fleetsim, waits_are_those_of_mg1) {
    struct fleet f = {.nodes = 1, .workers = 1, .points = 1};
    struct demand d = fresh(&f, 0.5, mixed);
    struct fleet_result r = simulate(&f, &d);
    struct service s = service_of(mixed, SERVICES);
    struct node_model n = {1, d.rate, 1};
    is_near(s.mean, 10, 0.01, "mean");
    is_near(r.wait_ms / (double)r.compiles, node_wait(&n, &s), 0.08, "wait");
    fleet_free(&r);
}

Test(fleetsim, laws) {
    struct fleet f = {
        .nodes = 20, .workers = 2, .points = 160, .hit_ms = 0.1, .around_ms = 1, .write_ms = 2, .claim_ms = 1000};
    struct demand d = fresh(&f, 0.6, mixed);
    d.rate *= 4;
    d.hit = 0.75;
    d.window = 500;
    d.stray = 0.1;
    struct fleet_result r = simulate(&f, &d);
    double keys = 0, sum = 0;
    for (int i = 0; i < r.requests; i++) {
        const struct fleet_request *q = &r.request[i];
        keys = fmax(keys, q->key + 1);
        cr_assert(q->took_ms >= (q->from == FROM_COMPILE ? f.around_ms + q->service_ms : 0) - 1e-6);
        cr_assert(q->from != FROM_SHARED || q->took_ms >= f.around_ms - 1e-6);
        sum += q->from == FROM_COMPILE ? q->service_ms : 0;
    }
    is_near(r.present_ms, r.sojourn_ms, 1e-6, "Little's law");
    is_near(r.sojourn_ms, r.wait_ms + r.busy_ms, 1e-6, "waits and work");
    is_near(r.busy_ms, sum, 1e-6, "work");
    is_near(r.busy_ms / (r.end_ms * f.nodes * f.workers), 0.6, 0.05, "utilisation");
    is_near(keys, r.requests * 0.25, 0.02, "hit rate");
    cr_assert_eq(r.count[FROM_COMPILE], r.compiles);
    cr_assert_eq(r.compiles - r.twice, (long)keys,
                 "each key is compiled, and none twice but beyond the wait for its claim");
    cr_assert_lt(r.twice, r.compiles / 100);
    cr_assert_gt(r.waited, 0);
    cr_assert_gt(r.count[FROM_SHARED], 0);
    cr_assert_gt(r.count[FROM_FLIGHT], 0);
    cr_assert_eq(r.count[FROM_MEMORY] + r.count[FROM_FLIGHT] + r.count[FROM_SHARED] + r.count[FROM_COMPILE],
                 r.requests);
    fleet_free(&r);
}

Test(fleetsim, without_waiting_for_claims_keys_are_compiled_twice) {
    struct fleet f = {.nodes = 20, .workers = 2, .points = 160, .claim_ms = 0};
    struct demand d = fresh(&f, 0.5, mixed);
    d.hit = 0.5;
    d.window = 20;
    d.stray = 1;
    struct fleet_result r = simulate(&f, &d);
    cr_assert_gt(r.twice, r.compiles / 100);
    cr_assert_eq(r.waited, 0);
    fleet_free(&r);
}

Test(fleetsim, a_seed_gives_the_same) {
    struct fleet f = {.nodes = 1000, .workers = 4, .points = 160, .around_ms = 1, .claim_ms = 1000};
    struct demand d = fresh(&f, 0.7, mixed);
    d.stray = 0.05;
    struct fleet_result a = simulate(&f, &d), b = simulate(&f, &d);
    d.seed++;
    struct fleet_result c = simulate(&f, &d);
    double shares = 0;
    for (int i = 0; i < REQUESTS; i++) {
        const struct fleet_request *p = &a.request[i], *q = &b.request[i];
        cr_assert(p->at_ms == q->at_ms && p->took_ms == q->took_ms && p->key == q->key && p->node == q->node &&
                      p->from == q->from,
                  "request %d", i);
    }
    cr_assert_eq(a.end_ms, b.end_ms);
    cr_assert_neq(a.request[0].at_ms, c.request[0].at_ms);
    for (int i = 0; i < f.nodes; i++) {
        shares += a.share[i];
        cr_assert(a.share[i] > 0.5 / f.nodes && a.share[i] < 1.6 / f.nodes, "node %d: %g", i, a.share[i]);
    }
    is_near(shares, 1, 1e-9, "shares");
    fleet_free(&a);
    fleet_free(&b);
    fleet_free(&c);
}

/* The formula for a fleet, against the fleet. */
Test(fleetsim, the_formula_is_near) {
    struct fleet f = {.nodes = 50, .workers = 4, .points = 160};
    struct demand d = fresh(&f, 0.6, mixed);
    struct fleet_result r = simulate(&f, &d);
    struct service s = service_of(mixed, SERVICES);
    struct node_model n[50];
    double sum = 0, p99 = 0;
    int over = 0;
    for (int i = 0; i < f.nodes; i++)
        n[i] = (struct node_model){f.workers, d.rate * r.share[i], r.share[i]};
    p99 = fleet_quantile(n, f.nodes, &s, 0.99);
    for (int i = 0; i < r.requests; i++) {
        sum += r.request[i].took_ms;
        over += r.request[i].took_ms > p99;
    }
    is_near(sum / r.requests, fleet_mean(n, f.nodes, &s), 0.1, "mean");
    cr_assert(over > REQUESTS / 500 && over < REQUESTS / 50, "%d of %d take longer than the p99", over, REQUESTS);
    fleet_free(&r);
}
