/* cached.c - see cached.h. The load is wrk's: one thread, 16 connections that are kept.
 *
 * Who answers has one thread as well: with more threads than cores it would be chance, which of them gets how many
 * connections, and that makes a third of the result. */
#include "cached.h"

#include "bench.h"
#include "client.h"
#include "http.h"
#include "record.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS_MAX = 7, ENTRIES = 100000 };

static int rounds = ROUNDS_MAX;

/* ---- libmicrohttpd alone ------------------------------------------------------------------------------------- */

struct bare {
    pid_t pid;
    int port;
};

static enum MHD_Result answer(void *response, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **context) {
    static int begun;
    (void)url, (void)method, (void)version, (void)data;
    if (!*context) {
        *context = &begun;
        return MHD_YES;
    }
    if (*size) {
        *size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(c, 200, response);
}

/* The headers of an answer of smd's, but for those that libmicrohttpd makes itself. */
static void add_headers(struct MHD_Response *r, const struct answer *a) {
    static const char *const names[] = {"Content-Type", "Cache-Control", "X-Smd-Key",          "X-Smd-Cache",
                                        "ETag",         "X-Request-Id",  "X-Smd-Workers-Busy", "X-Smd-Queue"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *value = answer_header(a, names[i]);
        if (value)
            MHD_add_response_header(r, names[i], value);
        free(value);
    }
}

/* A process of its own, with one thread and as much memory for a connection as smd, that answers everything with an
 * answer of the size and the headers of this one. */
static struct bare bare_start(const struct answer *like) {
    size_t size = like->body.len;
    int tell[2];
    struct bare b = {0};
    if (pipe(tell) != 0)
        exit(1);
    b.pid = fork();
    if (b.pid == 0) {
        struct MHD_Response *r = MHD_create_response_from_buffer(size, calloc(1, size + 1), MHD_RESPMEM_MUST_FREE);
        add_headers(r, like);
        struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, r,
                                                MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768, MHD_OPTION_END);
        const union MHD_DaemonInfo *info = d ? MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT) : NULL;
        int port = info ? info->port : 0;
        if (write(tell[1], &port, sizeof port) != sizeof port)
            _exit(1);
        pause();
        _exit(0);
    }
    if (read(tell[0], &b.port, sizeof b.port) != sizeof b.port || b.port == 0) {
        fprintf(stderr, "libmicrohttpd does not start\n");
        exit(1);
    }
    close(tell[0]);
    close(tell[1]);
    return b;
}

static void bare_stop(struct bare *b) {
    kill(b->pid, SIGTERM);
    waitpid(b->pid, NULL, 0);
}

/* ---- Load ---------------------------------------------------------------------------------------------------- */

struct figures {
    double rate, p50_us, p99_us, cpu_us; /* requests a second; latency; CPU time of the server for a request */
};

static double cpu_seconds(pid_t pid) {
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    int n = f ? fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) : 0;
    if (f)
        fclose(f);
    return n == 2 ? (double)(user + system) / (double)sysconf(_SC_CLK_TCK) : 0;
}

/* "12.3ms" and the like, as wrk prints times. */
static double microseconds(const char *text) {
    char *unit;
    double v = strtod(text, &unit);
    return strncmp(unit, "us", 2) == 0 ? v : strncmp(unit, "ms", 2) == 0 ? v * 1e3 : v * 1e6;
}

static double after(const char *text, const char *label, int is_time) {
    const char *at = strstr(text, label);
    at = at ? at + strlen(label) : "0";
    at += strspn(at, " ");
    return is_time ? microseconds(at) : strtod(at, NULL);
}

/* SCRIPT: a Lua file for wrk, or "". */
static struct figures load(pid_t pid, int port, const char *path, const char *script, const char *accept) {
    char command[600];
    int status;
    snprintf(command, sizeof command, "wrk -t1 -c16 -d1s --latency -H 'Accept: %s' %s%s http://127.0.0.1:%d%s",
             accept, script[0] ? "-s " : "", script, port, path);
    double cpu = cpu_seconds(pid);
    struct bytes out = run_command(command, "", 0, &status);
    cpu = cpu_seconds(pid) - cpu;
    const char *text = (char *)out.data;
    char *requests = strstr(text, " requests in ");
    while (requests && requests > text && requests[-1] >= '0' && requests[-1] <= '9')
        requests--;
    double count = requests ? strtod(requests, NULL) : 0;
    if (status != 0 || count == 0 || strstr(text, "Non-2xx")) {
        fprintf(stderr, "%s\n%s", command, text);
        exit(1);
    }
    struct figures f = {after(text, "Requests/sec:", 0), after(text, "50%", 1), after(text, "99%", 1),
                        cpu * 1e6 / count};
    bytes_free(out);
    return f;
}

static void compare(const struct daemon *d, const char *what, const char *path, const char *script,
                    const char *accept, const struct answer *like) {
    double rate[2][ROUNDS_MAX], cpu[2][ROUNDS_MAX], ratio[ROUNDS_MAX], cpu_ratio[ROUNDS_MAX], p99[2][ROUNDS_MAX];
    struct bare b = bare_start(like);
    for (int i = -1; i < rounds; i++) {
        struct figures f[2] = {load(d->pid, d->port, path, script, accept),
                               load(b.pid, b.port, path, script, accept)};
        for (int k = 0; i >= 0 && k < 2; k++) {
            rate[k][i] = f[k].rate;
            cpu[k][i] = f[k].cpu_us;
            p99[k][i] = f[k].p99_us;
        }
        if (i >= 0) {
            ratio[i] = f[0].rate / f[1].rate;
            cpu_ratio[i] = f[0].cpu_us / f[1].cpu_us;
        }
    }
    record_text("answer", what);
    record_number("bytes", (double)like->body.len, 0);
    record_number("smd/s", quantile(rate[0], rounds, 0.5), 0);
    record_number("bare/s", quantile(rate[1], rounds, 0.5), 0);
    record_samples("smd/bare", ratio, rounds, 2);
    record_number("smd CPU us", quantile(cpu[0], rounds, 0.5), 1);
    record_number("bare's", quantile(cpu[1], rounds, 0.5), 1);
    record_samples("CPU/bare's", cpu_ratio, rounds, 2);
    record_number("p99 us", quantile(p99[0], rounds, 0.5), 0);
    record_number("bare's p99", quantile(p99[1], rounds, 0.5), 0);
    record_row();
    bare_stop(&b);
}

static struct answer answer_of(const struct daemon *d, const char *path, const char *accept, struct bytes module) {
    char header[80];
    snprintf(header, sizeof header, "Accept: %s", accept);
    for (int i = 0;; i++) { /* the second one comes from memory as all others will */
        struct answer a =
            ask(d, (struct ask){.path = path, .body = module.data, .len = module.len, .headers = {header}});
        if (i)
            return a;
        answer_free(a);
    }
}

/* Compiles MODULE once and gives the path of its artifact. */
static char *keep(const struct daemon *d, struct bytes module) {
    char *path;
    struct answer a = ask(d, (struct ask){.path = "/v1/compile", .body = module.data, .len = module.len});
    char *key = answer_header(&a, "X-Smd-Key");
    if (a.http != 200 || !key || asprintf(&path, "/v1/artifacts/%s", key) < 0)
        exit(1);
    free(key);
    answer_free(a);
    return path;
}

/* LOGGED: every hit has its line in the log, as it is unless switched off; then of the small module alone. */
static void hits(int logged) {
    const char *const flags[] = {"--cache-memory-mib",  "64", "--http-threads", "1", "--log-hits",
                                 logged ? "on" : "off", NULL};
    static const char *const types[] = {"application/octet-stream", "application/vnd.smd.artifact",
                                        "application/json"};
    static const char *const names[] = {"object", "artifact", "JSON"};
    struct daemon d = daemon_start(flags);
    char what[64], script[] = "/tmp/smd-bench-XXXXXX.lua", module_file[] = "/tmp/smd-bench-XXXXXX";
    record_table(
        logged ? "hits_logged" : "hits",
        logged ? "Hits in memory with a line in the log for each, against libmicrohttpd alone, which logs nothing"
               : "Hits in memory, against libmicrohttpd alone with a constant answer of the same size and headers; "
                 "wrk, 16 "
                 "connections, one thread on either side");
    for (int large = 0; large < (logged ? 1 : 2); large++) {
        struct bytes module = make_module(large ? 20000 : 0);
        char *path = keep(&d, module);
        for (int i = 0; i < 3; i++) {
            snprintf(what, sizeof what, "by key, %s", names[i]);
            struct answer like = answer_of(&d, path, types[i], (struct bytes){NULL, 0});
            compare(&d, what, path, "", types[i], &like);
            answer_free(like);
        }
        close(mkstemp(module_file));
        close(mkstemps(script, 4));
        write_file(module_file, module.data, module.len);
        char lua[300];
        snprintf(lua, sizeof lua,
                 "wrk.method = 'POST'\nlocal f = io.open('%s', 'rb')\nwrk.body = f:read('*a')\nf:close()\n",
                 module_file);
        write_file(script, lua, strlen(lua));
        snprintf(what, sizeof what, "POST of %zu bytes, object", module.len);
        struct answer like = answer_of(&d, "/v1/compile", types[0], module);
        compare(&d, what, "/v1/compile", script, types[0], &like);
        answer_free(like);
        unlink(script);
        unlink(module_file);
        strcpy(script, "/tmp/smd-bench-XXXXXX.lua");
        strcpy(module_file, "/tmp/smd-bench-XXXXXX");
        free(path);
        bytes_free(module);
    }
    daemon_stop(&d);
}

/* ---- A start with many entries ------------------------------------------------------------------------------- */

int cached_is_read_in(const struct daemon *d, int entries) {
    return metric(d, "smd_cache_entries{tier=\"disk\"}") >= entries;
}

static int is_read_in(void *d) {
    return cached_is_read_in(d, ENTRIES);
}

void cached_folder_make(char *folder, int entries) {
    char command[600];
    int status;
    if (!mkdtemp(folder))
        exit(1);
    snprintf(command, sizeof command,
             "cd %s && perl -e 'mkdir sprintf(\"%%02x\", $_) for 0..255; "
             "for (1..%d) { $k = join(\"\", map { sprintf(\"%%02x\", rand(256)) } 1..32); "
             "open(F, \">\", substr($k, 0, 2) . \"/$k\") or die; print F \"x\" x 3000; close F }'",
             folder, entries);
    bytes_free(run_command(command, "", 0, &status));
    if (status != 0)
        exit(1);
}

void cached_folder_remove(const char *folder) {
    char command[600];
    int status;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    bytes_free(run_command(command, "", 0, &status));
}

static void start_with_entries(void) {
    char folder[] = "/tmp/smd-bench-cache-XXXXXX";
    cached_folder_make(folder, ENTRIES);
    const char *const flags[] = {"--cache-dir", folder, NULL};
    double began = now_ms();
    struct daemon d = daemon_start(flags);
    double ready = now_ms();
    await(is_read_in, &d, 60, "the folder to be read in");
    record_table("start", "A start with entries on disk");
    record_number("entries", ENTRIES, 0);
    record_number("serving ms", ready - began, 0);
    record_number("all known ms", now_ms() - began, 0);
    record_row();
    daemon_stop(&d);
    cached_folder_remove(folder);
}

void bench_cached(int turns) {
    rounds = turns;
    hits(0);
    hits(1);
    start_with_entries();
}
