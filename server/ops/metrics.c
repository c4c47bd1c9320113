/* metrics.c - see metrics.h. */
#include "metrics.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *labels, *type, *help;
} metric_rows[] = {
#define X(id, name, labels, type, help) {name, labels, type, help},
    METRIC_MAP(X)
#undef X
};

static const struct {
    const char *name, *labels, *help;
} histogram_rows[] = {
#define X(id, name, labels, help) {name, labels, help},
    HISTOGRAM_MAP(X)
#undef X
};

/* Upper bounds in microseconds, up to the longest deadline that there is; the last bucket has none. */
static const uint64_t bounds_us[HISTOGRAM_BUCKETS] = {
    100,    250,     500,     1000,    2500,     5000,     10000,    25000,     50000,     100000,   250000,
    500000, 1000000, 2500000, 5000000, 10000000, 25000000, 50000000, 100000000, 250000000, 600000000};

void metric_add(struct metrics *m, enum metric which, long long n) {
    atomic_fetch_add_explicit(&m->value[which], n, memory_order_relaxed);
}

void metric_set(struct metrics *m, enum metric which, long long n) {
    atomic_store_explicit(&m->value[which], n, memory_order_relaxed);
}

long long metric_get(const struct metrics *m, enum metric which) {
    return atomic_load_explicit(&m->value[which], memory_order_relaxed);
}

/* Counts an answer of status S. */
void metric_answer(struct metrics *m, sm_status s) {
    if ((unsigned)s < METRIC_CODES)
        atomic_fetch_add_explicit(&m->answers[s], 1, memory_order_relaxed);
}

/* Counts a compile that ended with status S. */
void metric_compile(struct metrics *m, sm_status s) {
    if ((unsigned)s < METRIC_CODES)
        atomic_fetch_add_explicit(&m->compiles[s], 1, memory_order_relaxed);
}

/* Counts one observation in the histogram. */
static void observe(struct histogram_counts *h, uint64_t microseconds) {
    unsigned i = 0;
    while (i < HISTOGRAM_BUCKETS && microseconds > bounds_us[i])
        i++;
    atomic_fetch_add_explicit(&h->bucket[i], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&h->sum_us, (long long)microseconds, memory_order_relaxed);
}

void metric_observe(struct metrics *m, enum histogram which, uint64_t microseconds) {
    observe(&m->histogram[which], microseconds);
}

void metric_observe_route(struct metrics *m, size_t route, int from, uint64_t microseconds) {
    size_t row = route < METRIC_ROUTES ? route : METRIC_ROUTES - 1;
    size_t column = from >= 0 && from < METRIC_FROMS ? (size_t)from : METRIC_FROMS - 1;
    observe(&m->route[row][column], microseconds);
}

void metric_stages(struct metrics *m, const sm_timings *t) {
    for (unsigned i = 0; i < SM_STAGES; i++)
        metric_observe(m, (enum histogram)(HISTOGRAM_PARSE + i), t->stage_us[i]);
}

/* Writes a metric's HELP and TYPE lines, unless the previous row was of the same metric. */
static void put_head(sm_buf *out, const char *name, const char *previous, const char *type, const char *help) {
    if (!previous || strcmp(name, previous) != 0)
        sm_buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Writes a histogram's buckets, sum and count. */
static void put_histogram(const struct histogram_counts *h, const char *name, const char *labels, sm_buf *out) {
    const char *comma = labels[0] ? "," : "";
    long long total = 0;
    for (unsigned i = 0; i <= HISTOGRAM_BUCKETS; i++) {
        total += atomic_load_explicit(&h->bucket[i], memory_order_relaxed);
        if (i < HISTOGRAM_BUCKETS)
            sm_buf_printf(out, "%s_bucket{%s%sle=\"%g\"} %lld\n", name, labels, comma, (double)bounds_us[i] / 1e6,
                          total);
        else
            sm_buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %lld\n", name, labels, comma, total);
    }
    double sum = (double)atomic_load_explicit(&h->sum_us, memory_order_relaxed) / 1e6;
    const char *open = labels[0] ? "{" : "", *close = labels[0] ? "}" : "";
    sm_buf_printf(out, "%s_sum%s%s%s %.6f\n%s_count%s%s%s %lld\n", name, open, labels, close, sum, name, open, labels,
                  close, total);
}

/* 1 if the histogram has no observations. */
static int is_empty(const struct histogram_counts *h) {
    for (unsigned i = 0; i <= HISTOGRAM_BUCKETS; i++)
        if (atomic_load_explicit(&h->bucket[i], memory_order_relaxed))
            return 0;
    return 1;
}

/* Writes the histograms of routes, those that have observations. */
static void put_routes(const struct metrics *m, const struct metric_names *names, sm_buf *out) {
    char labels[160];
    put_head(out, "smd_route_seconds", NULL, "histogram",
             "From a request's header to its answer, by route and by where the answer came from");
    for (size_t row = 0; names->routes[row] && row < METRIC_ROUTES; row++)
        for (size_t column = 0; names->froms[column] && column < METRIC_FROMS; column++) {
            if (is_empty(&m->route[row][column]))
                continue;
            snprintf(labels, sizeof labels, "route=\"%s\",from=\"%s\"", names->routes[row], names->froms[column]);
            put_histogram(&m->route[row][column], "smd_route_seconds", labels, out);
        }
}

/* Writes a counter for each status that has been counted. */
static void put_codes(const atomic_llong *counts, const char *name, const char *help, sm_buf *out) {
    put_head(out, name, NULL, "counter", help);
    for (unsigned code = 0; code < METRIC_CODES; code++) {
        long long n = atomic_load_explicit(&counts[code], memory_order_relaxed);
        if (sm_status_known(code) && (n || code == SM_OK))
            sm_buf_printf(out, "%s{code=\"%s\"} %lld\n", name, sm_status_name((sm_status)code), n);
    }
}

sm_status metrics_text(const struct metrics *m, const struct metric_names *names, sm_buf *out) {
    for (unsigned i = 0; i < METRICS; i++) {
        const char *labels = metric_rows[i].labels;
        put_head(out, metric_rows[i].name, i ? metric_rows[i - 1].name : NULL, metric_rows[i].type,
                 metric_rows[i].help);
        sm_buf_printf(out, labels[0] ? "%s{%s} %lld\n" : "%s%s %lld\n", metric_rows[i].name, labels,
                      metric_get(m, (enum metric)i));
    }
    put_codes(m->answers, "smd_answers_total", "Answers by code", out);
    put_codes(m->compiles, "smd_compiles_total", "Compiles that a worker began, by the code of their end", out);
    for (unsigned i = 0; i < HISTOGRAMS; i++) {
        put_head(out, histogram_rows[i].name, i ? histogram_rows[i - 1].name : NULL, "histogram",
                 histogram_rows[i].help);
        put_histogram(&m->histogram[i], histogram_rows[i].name, histogram_rows[i].labels, out);
    }
    put_routes(m, names, out);
    return out->status;
}
