/* doctor.c - smc doctor: whether servers are set up well, each by itself and together. */
#include "smc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { SLOW_MS = 250, CLOCK_S = 2 };

/* Prints a finding; gives 1 if it is wrong. */
static int __attribute__((format(printf, 2, 3))) find(int is_well, const char *fmt, ...) {
    va_list ap;
    fputs(is_well ? "  ok     " : "  WRONG  ", stdout);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    return !is_well;
}

/* Prints what cannot be known. */
static void skip(const char *what) {
    printf("  -      %s\n", what);
}

static double now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Compares the server's clock with this machine's. Its own time is in whole seconds, and from some moment of the
 * request. */
static int check_clock(const struct server *s) {
    char *text = NULL;
    sm_error err;
    double before = now();
    sm_result result = sm_get(s->client, "/v1/manifest?since=4000000000", &text, &err);
    double after = now();
    json_t *manifest = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    double told = (double)json_integer_value(json_object_get(manifest, "now"));
    sm_text_free(text);
    json_decref(manifest);
    if (result != SM_SUCCESS || told <= 0) {
        skip("its clock: /v1/manifest, which has it, is for operators");
        return 0;
    }
    if (told > after + CLOCK_S)
        return find(0, "its clock is %.0f s ahead of this machine's; tokens and certificates expire by it",
                    told - after);
    if (told + 1 < before - CLOCK_S)
        return find(0, "its clock is %.0f s behind this machine's; tokens and certificates expire by it",
                    before - told);
    return find(1, "its clock is right");
}

/* The layers of the sandbox: all that there are are on. */
static int check_sandbox(const struct server *s) {
    static const char name[] = "\nsmd_sandbox_layer{layer=\"";
    int on = 0, off = 0;
    for (const char *at = s->metrics; (at = strstr(at, name)) != NULL; at += sizeof name - 1) {
        const char *line_end = at + 1 + strcspn(at + 1, "\n");
        on += line_end[-1] == '1';
        off += line_end[-1] == '0';
    }
    if (!on)
        return find(0, "workers have no sandbox: set sandbox to on");
    return find(!off, "%d of %d layers of the workers' sandbox are on", on, on + off);
}

static int check_store(const struct server *s) {
    int is_up = metrics_value(s->metrics, "smd_store_up") > 0;
    if (!server_stores(s))
        return 0;
    return find(is_up, is_up ? "the object store answers"
                             : "the object store is down: see store_lost in its log, its address and credentials");
}

static int check_redis(const struct server *s) {
    int n = 0;
    if (server_shares(s)) {
        int is_up = metrics_value(s->metrics, "smd_shared_up") > 0;
        n += find(is_up, is_up ? "the shared tier answers"
                               : "the shared tier is down: see shared_lost in its log, and Redis");
    }
    if (metrics_value(s->metrics, "smd_shared_up") > 0) {
        int evicts = metrics_value(s->metrics, "smd_shared_evicts") > 0;
        n += find(evicts, evicts ? "the tier's Redis makes room for what is new"
                                 : "the tier's Redis makes no room: set maxmemory, and maxmemory-policy allkeys-lru");
    }
    if (!server_queues(s))
        return n;
    int is_up = metrics_value(s->metrics, "smd_job_queue_up") > 0;
    n += find(is_up, is_up ? "the queue of jobs answers"
                           : "the queue of jobs is down: see job_queue_lost in its log, and Redis");
    if (is_up && metrics_value(s->metrics, "smd_job_queue_safe") > 0)
        n += find(1, "the queue's Redis evicts nothing, and keeps what it has");
    else if (is_up)
        n += find(0,
                  "the queue's Redis may lose jobs: set maxmemory-policy noeviction and appendonly yes, and restart");
    return n;
}

/* What is compared with the first server that gave its figures. */
static int compare(const struct server *s, const struct server *first) {
    int n = 0;
    if (s == first)
        return 0;
    n += find(strcmp(s->version, first->version) == 0, "its version is %s, that of %s is %s", s->version, first->url,
              first->version);
    int is_same = strcmp(s->compiler, first->compiler) == 0;
    n += find(is_same,
              is_same ? "its compiler is that of %s"
                      : "its compiler is not that of %s: keys differ, nothing is shared",
              first->url);
    if (server_shares(s) != server_shares(first))
        n += find(0, "one of it and %s has a shared tier, the other has none", first->url);
    if (server_stores(s) != server_stores(first))
        n += find(0, "one of it and %s has an object store, the other has none", first->url);
    if (server_queues(s) != server_queues(first))
        n += find(0, "one of it and %s has a queue of jobs, the other has none", first->url);
    return n;
}

/* Prints all that is found of a server; gives how much is wrong. FIRST may be NULL. */
static int examine(const struct server *s, const struct server *first) {
    printf("%s\n", s->url);
    if (!s->answers) {
        char why[sizeof s->err.message];
        snprintf(why, sizeof why, "%s", s->err.message);
        clean_text(why);
        return find(0, "%s", why);
    }
    double ms = (double)s->took_us / 1000;
    int n = find(ms < SLOW_MS, "it answers in %.1f ms", ms);
    n += find(s->is_ready, s->is_ready ? "it is ready"
                                       : "it is not ready: it starts, is being stopped, or its workers do not start");
    n += check_clock(s);
    if (!s->has_metrics) {
        skip("all else: operators' routes are not here; ask its admin_listen");
        return n;
    }
    n += check_sandbox(s);
    n += check_redis(s);
    n += check_store(s);
    return n + compare(s, first);
}

/* Examines all; gives the exit status. */
static int examine_all(struct server *servers, int count) {
    const struct server *first = NULL;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        server_ask(&servers[i]);
        if (!first && servers[i].has_metrics)
            first = &servers[i];
    }
    for (int i = 0; i < count; i++)
        wrong += examine(&servers[i], first);
    if (wrong)
        printf("%d wrong.\n", wrong);
    else
        puts("Nothing is wrong.");
    return wrong ? EXIT_SERVER : EXIT_FINE;
}

/* Runs smc doctor; gives the exit status. */
static int run_doctor(int argc, char **argv) {
    struct args args;
    struct server *servers = NULL;
    int status, count = 0;
    if (!args_read(&doctor_command, argc, argv, &args, &status))
        return status;
    status = servers_of(&args, &servers, &count) ? examine_all(servers, count) : EXIT_USAGE;
    servers_free(servers, count);
    args_free(&args);
    return status;
}

const struct command doctor_command = {.name = "doctor",
                                       .operands = "[SERVER ...]",
                                       .help = "check how servers are set up, each by itself and together",
                                       .run = run_doctor,
                                       .flags = (const struct flag[]){{0}},
                                       .is_remote = 1};
