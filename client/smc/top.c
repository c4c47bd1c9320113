/* top.c - smc top: the server's state, again and again, from its /metrics. */
#include "clock.h"
#include "smc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int every_s = 1, samples, once;

static const struct flag flags[] = {
    {"every", 'd', FLAG_NUMBER, &every_s, "SECONDS", "between two samples (default 1)"},
    {"samples", 'n', FLAG_NUMBER, &samples, "N", "how many; then it ends (default: until it is interrupted)"},
    {"once", 0, FLAG_SWITCH, &once, NULL, "one sample, as --samples 1"},
    {0}};

/* The bound, in ms, of the histogram's bucket that a SHARE of what was added between two samples reaches. */
static double quantile(const char *now, const char *before, const char *name, double share) {
    char row[128];
    snprintf(row, sizeof row, "%s_count", name);
    double all = metrics_value(now, row) - (before ? metrics_value(before, row) : 0);
    const char *at = now;
    int n = snprintf(row, sizeof row, "\n%s_bucket{le=\"", name);
    enum { BUCKETS = 100 };
    for (int i = 0; i < BUCKETS && all > 0 && (at = strstr(at, row)) != NULL; i++, at++) {
        char label[128];
        const char *line = at + 1, *space = line + strcspn(line, " \n");
        snprintf(label, sizeof label, "%.*s", (int)(space - line), line);
        double here = strtod(space, NULL) - (before ? metrics_value(before, label) : 0);
        if (here >= share * all)
            return strtod(at + n, NULL) * 1000;
    }
    return 0;
}

/* How much a figure has grown per second between two samples; OF reads it. 0 at the first sample. */
static double rate(const char *now, const char *before, double seconds, double (*of)(const char *, const char *),
                   const char *name) {
    return before && seconds > 0 ? (of(now, name) - of(before, name)) / seconds : 0;
}

/* Prints an upper bound in milliseconds; infinity is above all buckets. */
static void put_ms(const char *title, double ms) {
    if (isinf(ms))
        printf("  %s > all bounds", title);
    else
        printf("  %s < %g ms", title, ms);
}

/* Prints one sample, with rates since the one before. */
static void show_figures(const char *now, const char *before, double seconds, const char *where) {
    static const char *const states[] = {"idle", "busy", "starting"};
    static const char *const tiers[] = {"memory", "disk", "shared", "store", "flight", "compiled"};
    char name[80], clock[16];
    time_t t = time(NULL);
    strftime(clock, sizeof clock, "%H:%M:%S", localtime(&t));
    printf("smd at %s  %s\n\n%-11s", where, clock, "workers");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        snprintf(name, sizeof name, "smd_workers{state=\"%s\"}", states[i]);
        printf("  %s %.0f", states[i], metrics_value(now, name));
    }
    printf("\n%-11s  jobs %.0f, bodies %.1f MiB\n", "queue", metrics_value(now, "smd_queue_jobs"),
           metrics_value(now, "smd_body_bytes") / (1 << 20));
    printf("%-11s  %.1f/s, in %.2f MiB/s, out %.2f MiB/s, active %.0f, connections %.0f\n", "answers",
           rate(now, before, seconds, metrics_sum, "smd_answers_total"),
           rate(now, before, seconds, metrics_value, "smd_received_bytes_total") / (1 << 20),
           rate(now, before, seconds, metrics_value, "smd_sent_bytes_total") / (1 << 20),
           metrics_value(now, "smd_requests_active"), metrics_value(now, "smd_connections"));
    printf("%-11s", "latency");
    put_ms("p50", quantile(now, before, "smd_request_seconds", 0.5));
    put_ms("p99", quantile(now, before, "smd_request_seconds", 0.99));
    printf("\n%-11s", "came from");
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        snprintf(name, sizeof name, "smd_artifacts_total{from=\"%s\"}", tiers[i]);
        printf("  %s %.1f/s", tiers[i], rate(now, before, seconds, metrics_value, name));
    }
    printf("\n%-11s  crashed %.0f, killed %.0f, CPU limit %.0f, out of memory %.0f\n", "workers lost",
           metrics_value(now, "smd_worker_exits_total{cause=\"crashed\"}"),
           metrics_value(now, "smd_worker_exits_total{cause=\"killed\"}"),
           metrics_value(now, "smd_worker_exits_total{cause=\"cpu\"}"),
           metrics_value(now, "smd_worker_exits_total{cause=\"memory\"}"));
    fflush(stdout);
}

/* Samples the server until it fails or the samples are done; gives the exit status. */
static int watch_server(sm_client *client) {
    const char *where = common.server ? common.server : getenv("SMD_SERVER");
    char *now, *before = NULL;
    double at, last = 0;
    sm_error err;
    for (int i = 0; !samples || i < samples; i++) {
        if (i)
            sleep((unsigned)every_s);
        sm_result r = sm_get(client, "/metrics", &now, &err);
        at = (double)sm_clock_us() / 1e6;
        if (r != SM_SUCCESS) {
            sm_text_free(before);
            if (err.http == 404)
                complain("operators' routes are not here: ask the server's admin_listen");
            else
                report("smc", r, NULL, &err);
            return server_status(r);
        }
        if (isatty(STDOUT_FILENO))
            fputs("\033[H\033[2J", stdout);
        else if (i)
            putchar('\n');
        show_figures(now, before, at - last, where && *where ? where : "http://127.0.0.1:8199");
        sm_text_free(before);
        before = now;
        last = at;
    }
    sm_text_free(before);
    return EXIT_FINE;
}

/* Runs smc top; gives the exit status. */
static int run_top(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&top_command, argc, argv, &args, &status))
        return status;
    samples = once ? 1 : samples;
    sm_client *client = server_client(&status);
    if (client)
        status = watch_server(client);
    sm_client_free(client);
    args_free(&args);
    return status;
}

const struct command top_command = {.name = "top",
                                    .operands = "",
                                    .help = "show the server's state, again and again",
                                    .run = run_top,
                                    .flags = flags,
                                    .is_remote = 1};
