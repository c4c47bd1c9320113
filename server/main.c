/* main.c - smd's start, its signals and its end. */
#include "access.h"
#include "capabilities.h"
#include "check.h"
#include "confinement.h"
#include "context.h"
#include "durable.h"
#include "http.h"
#include "jsonform.h"
#include "log.h"
#include "notify.h"
#include "probe.h"
#include "process.h"
#include "profiles.h"
#include "routes.h"
#include "stored.h"
#include "traces.h"
#include "vouch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Bytes. A block of this size goes back to the system when it is freed, always: the C library would raise the bound
 * to that of the largest that was freed, and keep what one large body took. */
#define MAPPED_FROM (256 << 10)

/* Bytes that each of the C library's heaps keeps at its end. By default it is so little that the memory of every body
 * went back to the system, and came again page by page. */
#define KEPT_FREE (4 << 20)

/* Writes the port to another file and renames it to PATH, so that a program that waits for the file reads it whole. 0
 * on failure. */
static int write_port_file(const char *path, int port) {
    char beside[PATH_MAX + 8];
    snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    int fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0)
        return 0;
    int ok = fchmod(fd, 0644) == 0 && dprintf(fd, "%d\n", port) > 0;
    ok &= close(fd) == 0;
    ok = ok && rename(beside, path) == 0;
    if (!ok)
        unlink(beside);
    return ok;
}

/* The signals that main waits for. */
static sigset_t handled_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    return set;
}

/* SIGHUP, and any change of the file: who may ask is what it says now; if it is wrong, what it said before. */
static void reload_access(struct access *a, enum access_file file) {
    struct error err = {0};
    if (access_reload(a, file, &err) == SM_OK)
        log_event(LOG_LEVEL_INFO, file == ACCESS_TOKENS ? "tokens_read" : "jwt_keys_read", NULL);
    else
        log_event(LOG_LEVEL_ERROR, file == ACCESS_TOKENS ? "tokens_refused" : "jwt_keys_refused", "{s:s}", "detail",
                  err.text);
}

/* SIGHUP: new connections get the certificates as they are now; on failure, those that were read before. */
static void reload_certificates(struct http *http) {
    struct error err = {0};
    if (http_reload(http, &err) == SM_OK)
        log_event(LOG_LEVEL_INFO, "certificates_read", NULL);
    else
        log_event(LOG_LEVEL_ERROR, "certificates_refused", "{s:s}", "detail", err.text);
}

/* SIGHUP: answers are signed with the key as it is now; on failure, with the one that was read before. */
static void reload_sign_key(const struct settings *s) {
    struct error err = {0};
    if (vouch_read(s, &err) == SM_OK)
        log_event(LOG_LEVEL_INFO, "sign_key_read", NULL);
    else
        log_event(LOG_LEVEL_ERROR, "sign_key_refused", "{s:s}", "detail", err.text);
}

/* SIGHUP: takes over the settings and profiles that can change while smd runs, and logs those that need a restart. */
static void reload(struct smd *smd, struct http *http) {
    struct error err = {0};
    json_t *changed, *fixed;
    notify_reloading();
    if (settings_reload(&smd->settings, smd->argc, smd->argv, &changed, &fixed, &err) == SM_OK)
        log_event(LOG_LEVEL_INFO, "reloaded", "{s:O,s:O}", "changed", changed, "needs_restart", fixed);
    else
        log_event(LOG_LEVEL_ERROR, "reload_refused", "{s:s}", "detail", err.text);
    json_decref(changed);
    json_decref(fixed);
    if (capabilities_reload(smd, &err) == SM_OK)
        log_event(LOG_LEVEL_INFO, "profiles_read", "{s:s}", "folder", smd->settings.profiles);
    else
        log_event(LOG_LEVEL_ERROR, "profiles_refused", "{s:s}", "detail", err.text);
    if (http_has_tls(http))
        reload_certificates(http);
    for (int file = 0; smd->access && file < ACCESS_FILES; file++)
        if (access_has(smd->access, file))
            reload_access(smd->access, file);
    if (smd->settings.sign_key[0])
        reload_sign_key(&smd->settings);
    notify("READY=1");
}

/* Serves until SIGTERM or SIGINT. */
static void serve(struct smd *smd, struct http *http) {
    sigset_t set = handled_signals();
    for (;;) {
        int sig = sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = 1});
        if (sig == SIGTERM || sig == SIGINT)
            return;
        if (sig == SIGHUP)
            reload(smd, http);
        for (int file = 0; smd->access && file < ACCESS_FILES; file++)
            if (access_has_changed(smd->access, file))
                reload_access(smd->access, file);
        http_tick(http);
        jobs_tick(smd->jobs);
        routes_tick(smd);
        if (pool_moves(smd->pool))
            notify("WATCHDOG=1");
    }
}

/* Stops serving: first /readyz says so, for load balancers; then no connections are accepted; then requests in
 * progress end. A second signal ends the first step. */
static void drain(struct smd *smd, struct http *http) {
    sigset_t set = handled_signals();
    atomic_store(&smd->draining, 1);
    jobs_close(smd->jobs);
    durable_close(smd->durable);
    notify("STOPPING=1");
    log_event(LOG_LEVEL_INFO, "draining", "{s:i}", "grace_s", smd->settings.drain_grace_s);
    if (smd->settings.drain_grace_s)
        sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = smd->settings.drain_grace_s});
    int left = http_drain(http, smd->settings.drain_timeout_s);
    if (left)
        log_event(LOG_LEVEL_WARNING, "requests_given_up", "{s:i}", "count", left);
}

/* Waits up to 5 s for the first worker, so that who learns the port finds a daemon that can compile. If none comes,
 * /readyz says so, and the log says why. */
static void await_worker(struct pool *pool) {
    enum { MILLISECONDS = 5000 };
    for (int i = 0; i < MILLISECONDS && !pool_state(pool).ready; i++)
        usleep(1000);
}

/* 1 if other machines may reach the address. */
static int is_open(const char *address) {
    struct in_addr v4;
    struct in6_addr v6;
    if (strncmp(address, "unix:", 5) == 0 || strcmp(address, "localhost") == 0)
        return 0;
    if (inet_pton(AF_INET, address, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 != 127;
    return inet_pton(AF_INET6, address, &v6) != 1 || !IN6_IS_ADDR_LOOPBACK(&v6);
}

/* The pool's callback: caches a result, if it gives one. */
static void keep_result(void *cache, const struct job *job, struct result *result) {
    if (result)
        cache_keep(cache, job, result);
    else
        cache_release(cache, &job->key);
}

/* The service's callback: seconds for Retry-After. */
static int retry_after(struct smd *smd) {
    return pool_retry_after(smd->pool);
}

/* The service's callback: busy workers and queued jobs. */
static void load_of(struct smd *smd, int *busy, size_t *queued) {
    struct pool_state state = pool_state(smd->pool);
    *busy = state.busy;
    *queued = state.queued;
}

static void share_answer(struct smd *smd, const struct sm_key *key, size_t bytes, unsigned kind, struct shared *s,
                         size_t own) {
    cache_charge(smd->cache, key, bytes, kind, s, own);
}

/* Starts all that needs the pool: capabilities, cache, dispatch, jobs, HTTP. On failure, stop_rooms ends what was
 * started. */
static sm_status start_rooms(struct smd *smd, struct service *service, struct http **http, struct error *err) {
    const struct settings *s = &smd->settings;
    sm_status status;
    pthread_mutex_init(&smd->capabilities_lock, NULL);
    pthread_mutex_init(&smd->history.lock, NULL);
    if (!capabilities_build(smd))
        return error_set(err, SM_INCOMPATIBLE, "the worker program did not say what it is");
    if ((status = capabilities_reload(smd, err)) != SM_OK)
        return status;
    if ((status = cache_open(smd->cache, smd->key_context, jsonform_write, err)) != SM_OK)
        return status;
    if (!(smd->startups = startups_new(s)))
        return error_set(err, SM_NOMEM, "no thread could be started");
    smd->dispatch = dispatch_new(s, &smd->metrics, smd->budget, smd->cache, smd->pool);
    smd->jobs = smd->dispatch ? jobs_new(smd) : NULL;
    if (!smd->jobs)
        return error_set(err, SM_NOMEM, "out of memory");
    smd->parser = tasks_start(SIZE_MAX); /* bodies are bounded where they come, results too */
    smd->renderer = smd->parser ? tasks_start(SIZE_MAX) : NULL;
    if (!smd->renderer)
        return error_set(err, SM_NOMEM, "no thread could be started");
    if (s->job_queue[0] && !(smd->durable = durable_start(smd, err)))
        return SM_IO;
    service->parser = smd->parser;
    *http = http_start(service, err);
    if (!*http)
        return SM_IO;
    if (s->port_file[0] && !write_port_file(s->port_file, http_port(*http)))
        return error_set(err, SM_IO, "cannot write %s: %s", s->port_file, strerror(errno));
    return SM_OK;
}

/* The names of smd's own layers. *new* */
static json_t *list_confinement(unsigned layers) {
    json_t *list = json_array();
    for (int l = 0; l < CONFINE_LAYERS; l++)
        if (layers >> l & 1)
            json_array_append_new(list, json_string(confine_names[l]));
    return list;
}

/* Logs that smd listens, warns of an open address, and tells the service manager. */
static void announce(const struct smd *smd, const struct http *http) {
    const struct settings *s = &smd->settings;
    log_event(LOG_LEVEL_INFO, "listening", "{s:s,s:i,s:b,s:s,s:i,s:i,s:s,s:s,s:O,s:o}", "address", s->listen, "port",
              http_port(http), "tls", http_has_tls(http), "admin_listen", s->admin_listen, "admin_port",
              http_admin_port(http), "workers", s->workers, "version", SMD_VERSION, "compiler", smd->compiler,
              "sandbox", smd->layers, "confinement", list_confinement(smd->confined));
    if (s->insecure && is_open(s->listen))
        log_event(LOG_LEVEL_WARNING, "open_address", "{s:s,s:s}", "address", s->listen, "detail",
                  "Others than this machine may reach this address, and the setting insecure lets them: see "
                  "docs/security.md");
    notify("READY=1");
}

/* Ends the process as it is, as a thread waits for a disk that does not answer, and uses all that would be freed. */
static _Noreturn void leave(void) {
    log_event(LOG_LEVEL_WARNING, "stopped", "{s:s}", "reason", "a disk does not answer; what it was to get is lost");
    log_stop();
    _exit(0);
}

/* Stops and frees all that start_rooms has started, and the pool, in an order in which no thread reaches what is
 * freed. */
static void stop_rooms(struct smd *smd, struct http *http) {
    if (smd->settings.port_file[0] && http)
        unlink(smd->settings.port_file);
    atomic_store(&smd->is_over, 1);
    pool_end_waits(smd->pool);
    tasks_stop(smd->parser);
    int has_ended = cache_close(smd->cache);
    has_ended &= durable_stop(smd->durable);
    has_ended &= startups_stop(smd->startups);
    tasks_stop(smd->renderer);
    if (http)
        http_cut(http);
    if (http)
        http_stop(http);
    has_ended &= pool_stop(smd->pool);
    if (!has_ended)
        leave();
    durable_free(smd->durable);
    jobs_free(smd->jobs);
    dispatch_free(smd->dispatch);
    cache_free(smd->cache);
    startups_free(smd->startups);
    tasks_free(smd->parser);
    tasks_free(smd->renderer);
    budget_free(smd->budget);
    access_free(smd->access);
    vouch_end();
    profiles_replace(NULL);
    history_clear(&smd->history);
    pthread_mutex_destroy(&smd->history.lock);
    pthread_mutex_destroy(&smd->capabilities_lock);
    free(smd->capabilities);
    json_decref(smd->about);
    free(smd->info);
    json_decref(smd->layers);
    free(smd->compiler);
}

/* Checks that there are descriptors enough for the workers, and says so if they bound the connections. */
static sm_status check_descriptors(const struct settings *s, struct error *err) {
    enum { FEWEST = 8 };
    long room = process_room(s->workers);
    if (room < FEWEST)
        return error_set(err, SM_IO,
                         "the limit of open files (ulimit -n) is too low: %d workers need it to be at least %ld",
                         s->workers, sysconf(_SC_OPEN_MAX) + FEWEST - room);
    if (room < s->connections)
        log_event(LOG_LEVEL_WARNING, "connections_bounded", "{s:i,s:i,s:s}", "connections", (int)room, "setting",
                  s->connections, "reason", "the limit of open files (ulimit -n)");
    return SM_OK;
}

/* Starts the thread that tells a collector of requests, if one is set. */
static sm_status start_traces(const struct settings *s, struct metrics *m, struct traces **traces,
                              struct error *err) {
    char host[HOST_NAME_MAX + 1] = "", instance[HOST_NAME_MAX + 32];
    gethostname(host, sizeof host - 1);
    snprintf(instance, sizeof instance, "%s:%d", host, (int)getpid());
    return traces_start(s, m, instance, traces, err);
}

/* Runs the daemon from its start to its end. Gives the process's exit status. */
static int run_daemon(struct smd *smd) {
    const struct settings *s = &smd->settings;
    struct error err = {0};
    if (vouch_read(s, &err) != SM_OK)
        return error_report(err.text);
    if (access_is_wanted(s) && !(smd->access = access_new(s, &err)))
        return error_report(err.text);
    smd->budget = budget_new(s, &smd->metrics);
    struct service service = {.smd = smd,
                              .pid = getpid(),
                              .settings = s,
                              .access = smd->access,
                              .metrics = &smd->metrics,
                              .budget = smd->budget,
                              .routes = routes,
                              .route_count = route_count,
                              .retry_after = retry_after,
                              .load = load_of,
                              .share = share_answer};
    struct http *http = NULL;
    smd->cache = smd->budget ? cache_new(s, &smd->metrics, smd->budget) : NULL;
    smd->pool = smd->cache ? pool_start(s, &smd->metrics, smd->budget, keep_result, smd->cache, &err) : NULL;
    if (!smd->pool) {
        cache_free(smd->cache);
        budget_free(smd->budget);
        access_free(smd->access);
        error_report(err.text[0] ? err.text : "out of memory");
        return !process_is_stopping();
    }
    log_start();
    await_worker(smd->pool);
    sm_status status = start_traces(s, &smd->metrics, &service.traces, &err);
    if (status == SM_OK)
        status = start_rooms(smd, &service, &http, &err);
    if (status == SM_OK) {
        announce(smd, http);
        serve(smd, http);
        drain(smd, http);
    } else {
        error_report(err.text);
    }
    stop_rooms(smd, http);
    traces_stop(service.traces);
    if (status == SM_OK)
        log_event(LOG_LEVEL_INFO, "stopped", NULL);
    return status != SM_OK;
}

int main(int argc, char **argv) {
    static struct smd smd;
    struct error err = {0};
    enum settings_action action;
    sigset_t set = handled_signals();
    sm_status status = settings_read(&smd.settings, argc, argv, &action, &err);
    if (status != SM_OK)
        error_report(err.text);
    if (status != SM_OK && action != SETTINGS_CHECK)
        return 1;
    switch (action) {
    case SETTINGS_HELP:
        settings_help(stdout);
        return 0;
    case SETTINGS_VERSION:
        puts("smd " SMD_VERSION);
        return 0;
    case SETTINGS_CHECK:
        if (!check_start(&smd.settings) || status != SM_OK)
            return 1;
        puts("The settings are in order.");
        return 0;
    case SETTINGS_PRINT:
        settings_print(&smd.settings, stdout);
        return 0;
    case SETTINGS_PROBE:
        return probe(&smd.settings);
    case SETTINGS_RUN:
        break;
    }
    smd.argc = argc;
    smd.argv = argv;
    signal(SIGPIPE, SIG_IGN);
    mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
    sigprocmask(SIG_BLOCK, &set, NULL); /* before any thread: all inherit it, and main alone waits for them */
    process_raise_descriptors();
    if (check_descriptors(&smd.settings, &err) != SM_OK ||
        confinement_enter(&smd.settings, &smd.confined, &err) != SM_OK)
        return error_report(err.text);
    int failed = run_daemon(&smd);
    log_stop();
    return failed;
}
