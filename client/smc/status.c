/* status.c - smc status: what each of some servers does, what is wrong with it, and what to do. */
#include "smc.h"

#include <string.h>
#include <time.h>

/* A counter that stays 0 where all is well, and what to do if it has not. */
static const struct trouble {
    const char *sample, *what, *advice;
} troubles[] = {
    {"smd_cache_verified_total{result=\"different\"}", "cached answers were not what the compiler gives",
     "keep the log and the keys, and empty the cache"},
    {"smd_admissions_total{result=\"different\"}", "two workers made different things of a request",
     "keep the log: a module may have taken a worker over"},
    {"smd_cache_errors_total{kind=\"damaged\"}", "files of the cache were damaged", "look at the disk of cache_dir"},
    {"smd_cache_errors_total{kind=\"read\"}", "files of the cache could not be read",
     "look at the disk of cache_dir"},
    {"smd_cache_errors_total{kind=\"write\"}", "files of the cache could not be written",
     "look at the space and the permissions of cache_dir"},
    {"smd_shared_errors_total{kind=\"damaged\"}", "entries of the shared tier were not sealed with this mac_key",
     "see that all servers have the same, and who else writes there"},
    {"smd_shared_errors_total{kind=\"late\"}", "lookups in the shared tier took longer than shared_wait_ms",
     "look at Redis and the way to it"},
    {"smd_shared_errors_total{kind=\"write\"}", "entries were refused by the shared tier",
     "give Redis more memory, or maxmemory-policy allkeys-lru"},
    {"smd_store_errors_total{kind=\"damaged\"}", "entries of the object store were not sealed with this mac_key",
     "see that all servers have the same, and who else writes there"},
    {"smd_store_errors_total{kind=\"late\"}", "lookups in the object store took longer than store_wait_ms",
     "look at the store and the way to it, or raise store_wait_ms"},
    {"smd_store_errors_total{kind=\"write\"}", "entries were refused by the object store",
     "see store_write in the log"},
    {"smd_job_queue_errors_total{kind=\"damaged\"}", "jobs or results were not sealed with this mac_key",
     "see that all servers have the same, and who else writes to job_queue"},
    {"smd_job_queue_errors_total{kind=\"write\"}", "writes were refused by job_queue", "give its Redis more memory"},
    {"smd_job_queue_jobs{state=\"dead\"}", "jobs were lost with their servers, and given up",
     "look at them with smc jobs, and at the logs of the servers"},
    {"smd_worker_exits_total{cause=\"crashed\"}", "compiles crashed LLVM",
     "set crash_dir, and send us what is kept there"},
    {"smd_worker_exits_total{cause=\"killed\"}", "workers were killed from outside",
     "often by the kernel for want of memory: fewer workers, or a smaller worker_memory_mib"},
    {"smd_worker_exits_total{cause=\"memory\"}", "compiles needed more memory than they may have",
     "raise worker_memory_mib if these modules are wanted"},
    {"smd_worker_exits_total{cause=\"cpu\"}", "compiles took more CPU time than they may have",
     "raise worker_cpu_s if these modules are wanted"},
    {"smd_answers_total{code=\"overloaded\"}", "requests were refused since all that may be held was held",
     "more servers, more workers, or a larger queue_jobs and queue_mib"},
    {"smd_answers_total{code=\"too_many_requests\"}", "requests of one client were refused",
     "see which client in the log; client_jobs bounds it"},
};

static double from(const struct server *s, const char *tier) {
    char name[64];
    snprintf(name, sizeof name, "smd_artifacts_total{from=\"%s\"}", tier);
    return metrics_value(s->metrics, name);
}

/* Writes how long the server has run: "3 h 20 min". */
static void write_age(const struct server *s, char *out, size_t size) {
    double began = metrics_value(s->metrics, "process_start_time_seconds");
    long minutes = began > 0 ? (long)(difftime(time(NULL), (time_t)began) / 60) : 0;
    if (minutes >= 48 * 60)
        snprintf(out, size, "%ld days", minutes / (24 * 60));
    else if (minutes >= 60)
        snprintf(out, size, "%ld h %ld min", minutes / 60, minutes % 60);
    else
        snprintf(out, size, "%ld min", minutes);
}

/* Prints the server's line. */
static void show(const struct server *s, int width) {
    char age[32];
    printf("%-*s  ", width, s->url);
    if (!s->answers || !s->has_metrics) {
        puts(s->answers ? s->is_ready ? "ready" : "not ready" : "no answer");
        return;
    }
    const char *m = s->metrics;
    double busy = metrics_value(m, "smd_workers{state=\"busy\"}"),
           idle = metrics_value(m, "smd_workers{state=\"idle\"}");
    double hits = from(s, "memory") + from(s, "disk") + from(s, "shared") + from(s, "store") + from(s, "flight");
    double all = hits + from(s, "compiled");
    write_age(s, age, sizeof age);
    printf("%-9s  %-8s  %2.0f of %-2.0f  %6.0f  %10.0f  ", s->is_ready ? "ready" : "not ready", s->version, busy,
           busy + idle + metrics_value(m, "smd_workers{state=\"starting\"}"), metrics_value(m, "smd_queue_jobs"),
           metrics_sum(m, "smd_answers_total"));
    if (all > 0)
        printf("%5.1f %%", 100 * hits / all);
    else
        printf("%7s", "-");
    printf("  %-6s  %s\n", !server_shares(s) ? "-" : metrics_value(m, "smd_shared_up") > 0 ? "up" : "down", age);
}

/* Prints something that is wrong with a server. Gives 1. */
static int __attribute__((format(printf, 2, 3))) tell(const struct server *s, const char *fmt, ...) {
    va_list ap;
    printf("\n%s: ", s->url);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    return 1;
}

/* Prints all that is wrong with a server; gives how much that is. */
static int show_troubles(const struct server *s) {
    int n = 0;
    if (!s->answers) {
        char why[sizeof s->err.message];
        snprintf(why, sizeof why, "%s", s->err.message);
        clean_text(why);
        return tell(s, "%s", why);
    }
    if (!s->is_ready)
        n += tell(
            s, "it answers, and is not ready: it starts, is being stopped, or its workers do not start; see its log");
    if (!s->has_metrics)
        return n + tell(s, "operators' routes are not here: ask its admin_listen");
    if (server_shares(s) && metrics_value(s->metrics, "smd_shared_up") == 0)
        n += tell(s, "the shared tier is down; its log has shared_lost and why");
    if (server_stores(s) && metrics_value(s->metrics, "smd_store_up") == 0)
        n += tell(s, "the object store is down; its log has store_lost and why");
    if (server_queues(s) && metrics_value(s->metrics, "smd_job_queue_up") == 0)
        n += tell(s, "the queue of jobs is down; its log has job_queue_lost and why");
    if (metrics_value(s->metrics, "smd_nursery_starts_total") > 1)
        n += tell(s, "the fork server has died and was replaced; see its log");
    if (metrics_value(s->metrics, "process_open_fds") > 0.9 * metrics_value(s->metrics, "process_max_fds"))
        n += tell(s, "nearly all descriptors are open; raise the limit of open files");
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++) {
        double count = metrics_value(s->metrics, troubles[i].sample);
        if (count > 0)
            n += tell(s, "%.0f %s; %s", count, troubles[i].what, troubles[i].advice);
    }
    return n;
}

/* Says if servers have different compilers: they share nothing, and a load balancer's clients meet one or the other. */
static int compare(const struct server *s, int count) {
    for (int i = 1; i < count; i++)
        if (s[i].compiler[0] && s[0].compiler[0] && strcmp(s[i].compiler, s[0].compiler) != 0)
            return tell(&s[i], "its compiler is %s, and that of %s is %s: keys differ, nothing is shared",
                        s[i].compiler, s[0].url, s[0].compiler);
    return 0;
}

/* Asks all servers, and shows what they say; gives the exit status. */
static int show_all(struct server *servers, int count) {
    int width = (int)strlen("server"), wrong = 0, status = EXIT_FINE;
    for (int i = 0; i < count; i++) {
        server_ask(&servers[i]);
        width = (int)strlen(servers[i].url) > width ? (int)strlen(servers[i].url) : width;
        if (!servers[i].is_ready)
            status = EXIT_SERVER;
    }
    printf("%-*s  %-9s  %-8s  %-8s  %6s  %10s  %7s  %-6s  %s\n", width, "server", "state", "version", "busy", "queue",
           "answers", "hits", "shared", "up for");
    for (int i = 0; i < count; i++)
        show(&servers[i], width);
    for (int i = 0; i < count; i++)
        wrong += show_troubles(&servers[i]);
    wrong += compare(servers, count);
    puts(wrong ? "" : "\nNothing is wrong, as far as their figures show.");
    return status;
}

/* Runs smc status; gives the exit status. */
static int run_status(int argc, char **argv) {
    struct args args;
    struct server *servers = NULL;
    int status, count = 0;
    if (!args_read(&status_command, argc, argv, &args, &status))
        return status;
    status = servers_of(&args, &servers, &count) ? show_all(servers, count) : EXIT_USAGE;
    servers_free(servers, count);
    args_free(&args);
    return status;
}

const struct command status_command = {.name = "status",
                                       .operands = "[SERVER ...]",
                                       .help = "show what servers do, what is wrong with them, and what to do",
                                       .run = run_status,
                                       .flags = (const struct flag[]){{0}},
                                       .is_remote = 1};
