/* Faults: the compiler dies, hangs, is killed or stopped; clients vanish; the daemon drains. Everyone else never
 * notices. */
#include "http.h"
#include "modules.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char fine[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

TestSuite(faults, .timeout = 900);

static void serves(const struct daemon *d) {
    struct answer a = post(d, "/v1/compile", fine);
    cr_assert_eq(a.http, 200, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    answer_free(a);
}

Test(faults, a_crash_costs_one_request) {
    struct daemon d = daemon_start(NULL);
    struct answer a = post(&d, "/v1/compile", module_crashing);
    assert_problem(&a, 500, "compiler_crashed");
    cr_assert(strstr(member(&a, "detail"), "in the stage 'emit'"), "%s", member(&a, "detail"));
    answer_free(a);
    serves(&d);
    a = post(&d, "/v1/compile", module_crashing);
    assert_problem(&a, 500, "compiler_crashed");
    answer_free(a);
    cr_assert_eq(metric(&d, "smd_crash_memory_hits_total"), 1, "the second one is answered from memory");
    cr_assert_eq(metric(&d, "smd_worker_exits_total{cause=\"crashed\"}"), 1);
    daemon_stop(&d);
}

/* LLVM ends the process over a module that it cannot compile as well. It is the module's fault, and no crash. */
Test(faults, a_module_that_llvm_cannot_compile) {
    static const char module[] =
        "declare <2 x ptr> @llvm.vp.select.v2p0(<2 x i1>, <2 x ptr>, <2 x ptr>, i32)\n"
        "define <2 x ptr> @f(<2 x ptr> %a, <2 x ptr> %b, <2 x i1> %m, i32 %n) {\n"
        "  %v = call <2 x ptr> @llvm.vp.select.v2p0(<2 x i1> %m, <2 x ptr> %a, <2 x ptr> %b, i32 %n)\n"
        "  ret <2 x ptr> %v\n}\n";
    struct daemon d = daemon_start(NULL);
    for (int i = 0; i < 2; i++) {
        struct answer a = post(&d, "/v1/compile", module);
        assert_problem(&a, 422, "codegen_failed");
        cr_assert(strstr(member(&a, "detail"), "LLVM ERROR: Do not know how to"), "%s", member(&a, "detail"));
        answer_free(a);
    }
    cr_assert_eq(metric(&d, "smd_worker_exits_total{cause=\"crashed\"}"), 0);
    serves(&d);
    daemon_stop(&d);
}

Test(faults, crashes_are_kept_where_the_operator_says) {
    char folder[] = "/tmp/smd-crashes-XXXXXX", command[128];
    int status;
    cr_assert(mkdtemp(folder));
    const char *flags[] = {"--crash-dir", folder, "--crash-files", "2", NULL};
    struct daemon d = daemon_start(flags);
    for (int i = 0; i < 4; i++) {
        char path[80];
        snprintf(path, sizeof path, "/v1/compile?name=%d", i);
        struct answer a = post(&d, path, module_crashing);
        assert_problem(&a, 500, "compiler_crashed");
        answer_free(a);
    }
    daemon_stop(&d);
    snprintf(command, sizeof command, "ls %s | wc -l; rm -rf %s", folder, folder);
    struct bytes out = run_command(command, "", 0, &status);
    cr_assert_str_eq((char *)out.data, "6\n", "two crashes of three files");
    bytes_free(out);
}

static int has_workers(void *arg) {
    pid_t pid;
    return daemon_workers(arg, &pid, 1);
}

/* All as if at once: they are stopped first, so that none takes over from the first that dies, and dies with its
 * job. */
static void kill_all_workers(struct daemon *d, int sig) {
    pid_t pid[64];
    await(has_workers, d, 60, "workers");
    int n = daemon_workers(d, pid, 64);
    for (int i = 0; i < n; i++)
        kill(pid[i], SIGSTOP);
    for (int i = 0; i < n; i++)
        kill(pid[i], sig);
}

Test(faults, idle_workers_killed_or_stopped) {
    struct daemon d = daemon_start(NULL);
    serves(&d);
    kill_all_workers(&d, SIGKILL);
    serves(&d);
    kill_all_workers(&d, SIGSTOP);
    serves(&d);
    daemon_stop(&d);
}

struct successor {
    const struct daemon *d;
    pid_t before;
};

static int has_come(void *arg) {
    struct successor *s = arg;
    pid_t forkserver = daemon_forkserver(s->d);
    return forkserver && forkserver != s->before;
}

static void lose_forkserver(int signal) {
    struct daemon d = daemon_start(NULL);
    for (int i = 0; i < 3; i++) {
        serves(&d);
        pid_t forkserver = daemon_forkserver(&d);
        cr_assert_gt(forkserver, 0);
        kill(forkserver, signal);
        serves(&d);
        await(has_come, &(struct successor){&d, forkserver}, 20, "the next fork server");
        kill_all_workers(&d, SIGKILL);
        serves(&d);
    }
    cr_assert_geq(metric(&d, "smd_nursery_starts_total"), 2);
    daemon_stop(&d);
}

Test(faults, the_forkserver_killed) {
    lose_forkserver(SIGKILL);
}

/* Another one takes its place before a worker is asked of it. */
Test(faults, the_forkserver_stopped) {
    lose_forkserver(SIGSTOP);
}

struct call {
    const struct daemon *d;
    const char *path;
    struct bytes body;
    long timeout_ms;
    struct answer answer;
    pthread_t thread;
};

static void *run_call(void *arg) {
    struct call *c = arg;
    c->answer = ask(
        c->d, (struct ask){.path = c->path, .body = c->body.data, .len = c->body.len, .timeout_ms = c->timeout_ms});
    return NULL;
}

static int is_busy(void *arg) {
    return metric(arg, "smd_workers{state=\"busy\"}") > 0;
}

static int is_idle(void *arg) {
    return metric(arg, "smd_workers{state=\"busy\"}") == 0;
}

Test(faults, a_busy_worker_killed_from_outside_is_not_noticed) {
    struct daemon d = daemon_start(NULL);
    struct call c = {
        .d = &d, .path = "/v1/compile?deadline_ms=600000", .body = {(unsigned char *)fine, sizeof fine - 1}};
    struct held workers = daemon_hold_workers(&d, 3);
    pthread_create(&c.thread, NULL, run_call, &c);
    await(is_busy, &d, 20, "the compile to begin");
    for (int i = 0; i < workers.count; i++)
        kill(workers.pid[i], SIGKILL);
    daemon_release(&workers);
    pthread_join(c.thread, NULL);
    cr_assert_eq(c.answer.http, 200, "%d", c.answer.http);
    cr_assert_eq(metric(&d, "smd_jobs_retried_total"), 1);
    answer_free(c.answer);
    daemon_stop(&d);
}

struct working {
    const struct daemon *d;
    pid_t pid; /* of the last one that was found */
};

/* Another worker has computed for a while: the one that has the job now. */
static int is_working(void *arg) {
    struct working *w = arg;
    pid_t pid[64];
    int n = daemon_workers(w->d, pid, 64);
    for (int i = 0; i < n; i++) {
        char path[64];
        unsigned long ticks = 0;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid[i]);
        FILE *f = fopen(path, "re");
        int read = f ? fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) : 0;
        if (f)
            fclose(f);
        if (read == 1 && ticks > 10 && pid[i] != w->pid) {
            w->pid = pid[i];
            return 1;
        }
    }
    return 0;
}

/* However it brings that about: a job whose workers are killed, and nobody else's, is what kills them. */
Test(faults, a_job_that_ends_worker_after_worker_is_a_crash) {
    struct daemon d = daemon_start((const char *const[]){"--crash-ttl-s", "3600", NULL});
    struct call c = {.d = &d, .path = "/v1/compile?opt=2&deadline_ms=600000", .body = module_endless_large()};
    pthread_create(&c.thread, NULL, run_call, &c);
    struct working w = {.d = &d};
    for (int i = 0; i < 4; i++) {
        await(is_working, &w, 60, "the compile to begin");
        cr_assert_eq(kill(w.pid, SIGKILL), 0);
    }
    pthread_join(c.thread, NULL);
    assert_problem(&c.answer, 500, "compiler_crashed");
    answer_free(c.answer);
    run_call(&c);
    assert_problem(&c.answer, 500, "compiler_crashed");
    answer_free(c.answer);
    cr_assert_eq(metric(&d, "smd_crash_memory_hits_total"), 1, "the second one is answered from memory");
    serves(&d);
    bytes_free(c.body);
    daemon_stop(&d);
}

/* A process's CPU time has an end that it cannot move; before it comes there, another takes its place. */
Test(faults, a_worker_is_replaced_before_its_time_is_up) {
    struct daemon d =
        daemon_start((const char *const[]){"--worker-cpu-s", "1", "--jobs-per-worker", "1000000", NULL});
    while (metric(&d, "smd_worker_exits_total{cause=\"retired\"}") == 0) {
        struct answer a = post(&d, "/v1/compile?opt=3&cache=refresh", module_list);
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        answer_free(a);
    }
    daemon_stop(&d);
}

Test(faults, a_timeout_names_deadline_remedy_and_stage) {
    struct daemon d = daemon_start((const char *const[]){"--max-deadline-ms", "300000", NULL});
    struct bytes endless = module_endless_large();
    int was_running = 0;
    for (int ms = 50; !was_running; ms *= 2) { /* the first ones may pass in the queue of a busy machine */
        char path[80], deadline[40];
        snprintf(path, sizeof path, "/v1/compile?opt=3&deadline_ms=%d", ms);
        snprintf(deadline, sizeof deadline, "deadline of %d ms", ms);
        struct answer a = ask(&d, (struct ask){.path = path, .body = endless.data, .len = endless.len});
        assert_problem(&a, 504, "compile_timeout");
        const char *detail = member(&a, "detail");
        cr_assert(strstr(detail, deadline) && strstr(detail, "option deadline_ms raises it, to at most 300000"), "%s",
                  detail);
        was_running = strstr(detail, "took longer") && strstr(detail, "it was in the stage '");
        answer_free(a);
    }
    bytes_free(endless);
    daemon_stop(&d);
}

static int are_two_busy(void *arg) {
    return metric(arg, "smd_workers{state=\"busy\"}") == 2;
}

static void release(const struct daemon *d, char *job) {
    answer_free(ask(d, (struct ask){.method = "DELETE", .path = job}));
    free(job);
}

/* Has a small job begun that LLVM never ends, as the client at the address; gives its path, *new*, and that of
 * its progress. */
static char *begin_endless(const struct daemon *d, const char *from, int number, char progress[100]) {
    char module[2000];
    int len = snprintf(module, sizeof module, "%s; %d\n", module_endless, number);
    struct answer a = ask(
        d,
        (struct ask){.path = "/v1/jobs?opt=3&deadline_ms=600000", .body = module, .len = (size_t)len, .from = from});
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *job = answer_header(&a, "Location"), *key = answer_header(&a, "X-Smd-Key");
    snprintf(progress, 100, "/v1/progress/%s", key);
    free(key);
    answer_free(a);
    return job;
}

/* A client has filled the workers and the queue with small modules that LLVM never ends: others are served. */
Test(faults, slow_small_jobs_do_not_hold_others_up) {
    enum { SLOW = 6 };
    char progress[100];
    struct daemon d = daemon_start((const char *const[]){"--workers", "2", "--drain-timeout-s", "1", NULL});
    for (int i = 0; i < SLOW; i++) {
        free(begin_endless(&d, "127.0.0.2", i, progress));
        if (i == 1)
            await(are_two_busy, &d, 60, "both workers to be busy");
    }
    for (int i = 0; i < 3; i++) {
        char module[sizeof fine + 40];
        snprintf(module, sizeof module, "%s; %d\n", fine, i);
        struct answer a = post(&d, "/v1/compile", module);
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        answer_free(a);
    }
    await(are_two_busy, &d, 60, "the slow ones alone, which run still");
    daemon_stop(&d);
}

static int are_three_busy(void *arg) {
    return metric(arg, "smd_workers{state=\"busy\"}") == 3;
}

struct watched_job {
    const struct daemon *d;
    char path[100];
};

static int runs(void *arg) {
    const struct watched_job *j = arg;
    struct answer a = get(j->d, j->path);
    int is_running = strcmp(member(&a, "state"), "running") == 0;
    cr_assert(is_running || strcmp(member(&a, "state"), "waiting") == 0, "%d", a.http);
    answer_free(a);
    return is_running;
}

/* A job that LLVM never ends has the extra worker. It loses it to the first that waits, and does not get it again: it
 * runs when one of the workers is free. */
Test(faults, a_slow_job_is_put_back) {
    static const char put_back[] = "smd_worker_exits_total{cause=\"slow\"}";
    struct daemon d = daemon_start((const char *const[]){"--workers", "2", "--drain-timeout-s", "1", NULL});
    struct watched_job job = {.d = &d};
    char *first = begin_endless(&d, "127.0.0.2", 0, job.path);
    char *second = begin_endless(&d, "127.0.0.2", 1, job.path);
    await(are_two_busy, &d, 60, "both workers to be busy");
    char *slow = begin_endless(&d, "127.0.0.3", 2, job.path);
    await(are_three_busy, &d, 60, "the extra one to be busy");
    cr_assert_eq(metric(&d, put_back), 0, "nobody waited");
    for (int i = 0; i < 2; i++) {
        char module[sizeof fine + 40];
        snprintf(module, sizeof module, "%s; %d\n", fine, i);
        struct answer a = post(&d, "/v1/compile", module);
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        answer_free(a);
        cr_assert_eq(metric(&d, put_back), 1, "%d", i);
    }
    cr_assert_not(runs(&job));
    release(&d, first);
    await(runs, &job, 60, "the slow one to run again");
    cr_assert_eq(metric(&d, put_back), 1);
    cr_assert_eq(metric(&d, "smd_jobs_retried_total"), 0);
    release(&d, slow);
    release(&d, second);
    daemon_stop(&d);
}

Test(faults, a_deadline_ends_the_compile) {
    struct daemon d = daemon_start(NULL);
    struct bytes endless = module_endless_large();
    struct answer a =
        ask(&d, (struct ask){.path = "/v1/compile?opt=3&deadline_ms=50", .body = endless.data, .len = endless.len});
    assert_problem(&a, 504, "compile_timeout");
    answer_free(a);
    await(is_idle, &d, 20, "the worker to be reclaimed");
    serves(&d);
    bytes_free(endless);
    daemon_stop(&d);
}

Test(faults, a_client_that_hangs_up_frees_its_worker) {
    struct daemon d = daemon_start(NULL);
    struct call c = {.d = &d, .path = "/v1/compile?opt=3", .body = module_endless_large(), .timeout_ms = 300};
    while (metric(&d, "smd_jobs_cancelled_total") == 0) { /* it may leave before its module has been read */
        run_call(&c);
        cr_assert_eq(c.answer.http, 0, "the client gave up");
        await(is_idle, &d, 20, "the worker to be reclaimed");
        c.timeout_ms *= 2;
        cr_assert_lt(c.timeout_ms, 60000);
    }
    cr_assert_eq(metric(&d, "smd_jobs_cancelled_total"), 1);
    serves(&d);
    bytes_free(c.body);
    daemon_stop(&d);
}

/* Has a job made that keeps a worker busy until it is removed; gives its path, *new*. */
static char *occupy(const struct daemon *d) {
    struct bytes endless = module_endless_large();
    struct answer a =
        ask(d, (struct ask){.path = "/v1/jobs?opt=3&deadline_ms=600000", .body = endless.data, .len = endless.len});
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *job = answer_header(&a, "Location");
    answer_free(a);
    bytes_free(endless);
    return job;
}

static int five_have_joined(void *d) {
    return metric(d, "smd_artifacts_total{from=\"flight\"}") == 5;
}

Test(faults, identical_requests_are_compiled_once) {
    struct daemon d = daemon_start((const char *const[]){"--workers", "1", NULL});
    struct call c[6];
    struct bytes large = module_of_steps(1000);
    char *job = occupy(&d);
    for (int i = 0; i < 6; i++) {
        c[i] = (struct call){.d = &d, .path = "/v1/compile?opt=0&deadline_ms=600000", .body = large};
        pthread_create(&c[i].thread, NULL, run_call, &c[i]);
    }
    await(five_have_joined, &d, 20, "one compile to be for six");
    release(&d, job);
    for (int i = 0; i < 6; i++) {
        pthread_join(c[i].thread, NULL);
        cr_assert_eq(c[i].answer.http, 200);
        cr_assert_str_eq(member(&c[i].answer, "obj"), member(&c[0].answer, "obj"));
    }
    for (int i = 0; i < 6; i++)
        answer_free(c[i].answer);
    bytes_free(large);
    daemon_stop(&d);
}

static int are_refused(void *d) {
    return metric(d, "smd_answers_total{code=\"overloaded\"}") > 0 ||
           metric(d, "smd_answers_total{code=\"too_many_requests\"}") > 0;
}

/* How many of N large requests at once, each a module of its own, are answered with this status, by a daemon whose
 * worker is busy until one was. */
static int count_answers(struct daemon *d, int http) {
    enum { N = 8 };
    struct call c[N];
    char path[N][64];
    struct bytes large = module_of_steps(1000);
    char *job = occupy(d);
    int counted = 0;
    for (int i = 0; i < N; i++) {
        snprintf(path[i], sizeof path[i], "/v1/compile?opt=0&deadline_ms=600000&name=%d", i);
        c[i] = (struct call){.d = d, .path = path[i], .body = large};
        pthread_create(&c[i].thread, NULL, run_call, &c[i]);
    }
    await(are_refused, d, 20, "one to be too many");
    release(d, job);
    for (int i = 0; i < N; i++) {
        pthread_join(c[i].thread, NULL);
        char *retry = answer_header(&c[i].answer, "Retry-After");
        cr_assert(c[i].answer.http == 200 || (c[i].answer.http == http && retry && atoi(retry) >= 1), "%d",
                  c[i].answer.http);
        counted += c[i].answer.http == http;
        free(retry);
        answer_free(c[i].answer);
    }
    bytes_free(large);
    return counted;
}

static int holds_no_body(void *arg) {
    return metric(arg, "smd_body_bytes") == 0;
}

Test(faults, beyond_capacity_requests_are_refused_in_order) {
    static const char *const queue[] = {"--workers", "1", "--queue-jobs", "2", NULL},
                             *const client[] = {"--workers", "1", "--client-jobs", "2", NULL},
                             *const bodies[] = {"--queue-mib", "2", NULL};
    struct daemon d = daemon_start(queue);
    cr_assert_geq(count_answers(&d, 503), 1);
    serves(&d);
    daemon_stop(&d);
    d = daemon_start(client);
    cr_assert_geq(count_answers(&d, 429), 1);
    serves(&d);
    daemon_stop(&d);
    d = daemon_start(bodies);
    struct bytes large = repeat(";;;;;;;;;;;;;;;\n", 3 << 16);
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile", .body = large.data, .len = large.len});
    assert_problem(&a, 503, "overloaded");
    answer_free(a);
    serves(&d);
    await(holds_no_body, &d, 20, "the bodies to be let go");
    daemon_stop(&d);
    bytes_free(large);
}

Test(faults, stored_jobs_leave_a_place_for_who_comes_later) {
    struct daemon d = daemon_start((const char *const[]){"--workers", "1", "--queue-jobs", "16", NULL});
    struct held workers = daemon_hold_workers(&d, 2);
    struct ask job = {.path = "/v1/jobs", .len = 0, .from = "127.0.1.1"};
    int accepted = 0, http = 202;
    for (int i = 0; http == 202 && i < 20; i++) {
        char text[40];
        job.len = (size_t)snprintf(text, sizeof text, "@x = global i32 %d\n", i);
        job.body = text;
        struct answer a = ask(&d, job);
        http = a.http;
        accepted += http == 202;
        answer_free(a);
    }
    cr_expect_eq(http, 503);
    cr_expect_eq(accepted, 15);
    job = (struct ask){.path = "/v1/jobs", .body = fine, .len = sizeof fine - 1, .from = "127.0.1.2"};
    struct answer a = ask(&d, job);
    cr_expect_eq(a.http, 202, "%d", a.http);
    answer_free(a);
    daemon_release(&workers);
    daemon_stop(&d);
}

static int is_draining(void *arg) {
    struct bytes log = daemon_log(arg);
    int there = strstr((char *)log.data, "\"event\":\"draining\"") != NULL;
    bytes_free(log);
    return there;
}

Test(faults, sigterm_delivers_what_is_in_flight) {
    struct daemon d = daemon_start((const char *const[]){"--drain-timeout-s", "3600", NULL});
    struct call c = {
        .d = &d, .path = "/v1/compile?deadline_ms=600000", .body = {(unsigned char *)fine, sizeof fine - 1}};
    struct held workers = daemon_hold_workers(&d, 3);
    pthread_create(&c.thread, NULL, run_call, &c);
    await(is_busy, &d, 20, "the compile to begin");
    kill(d.pid, SIGTERM);
    await(is_draining, &d, 20, "the drain");
    daemon_release(&workers);
    daemon_stop(&d);
    pthread_join(c.thread, NULL);
    cr_assert_eq(c.answer.http, 200, "%d", c.answer.http);
    answer_free(c.answer);
}

Test(faults, an_occupied_port_is_a_clear_error) {
    struct daemon d = daemon_start(NULL);
    char command[256];
    int status;
    snprintf(command, sizeof command, BIN_DIR "/smd --port %d 2>&1 >/dev/null", d.port);
    struct bytes out = run_command(command, "", 0, &status);
    cr_assert_eq(status, 1);
    cr_assert(strstr((char *)out.data, "Address already in use"), "%s", (char *)out.data);
    bytes_free(out);
    daemon_stop(&d);
}

Test(faults, many_requests_at_once) {
    struct daemon d = daemon_start(NULL);
    enum { N = 200 };
    static struct call c[N];
    static char path[N][64];
    for (int i = 0; i < N; i++) {
        snprintf(path[i], sizeof path[i], "/v1/compile?name=%d&opt=%d", i, i % 3);
        c[i] = (struct call){.d = &d, .path = path[i], .body = {(unsigned char *)fine, sizeof fine - 1}};
        cr_assert_eq(pthread_create(&c[i].thread, NULL, run_call, &c[i]), 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(c[i].thread, NULL);
        cr_assert_eq(c[i].answer.http, 200, "request %d: %d", i, c[i].answer.http);
        answer_free(c[i].answer);
    }
    daemon_stop(&d);
}

static int has_no_requests(void *arg) {
    return metric(arg, "smd_requests_active") <= 1; /* this one */
}

static void send_all(int fd, const void *bytes, size_t len) {
    for (const char *at = bytes; len;) {
        ssize_t n = write(fd, at, len);
        cr_assert_gt(n, 0);
        at += n;
        len -= (size_t)n;
    }
}

Test(faults, a_request_that_does_not_arrive_is_given_up) {
    static const char *const flags[] = {"--request-timeout-s", "1", NULL};
    struct daemon d = daemon_start(flags);
    int fd = daemon_connect(&d);
    char head[] = "POST /v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n", byte;
    cr_assert_gt(write(fd, head, sizeof head - 1), 0);
    for (int i = 0; i < 20 && send(fd, ";", 1, MSG_NOSIGNAL) == 1;
         i++) /* a byte now and then does not keep it open */
        usleep(200000);
    while (recv(fd, &byte, 1, 0) == 1) /* 408, if the client still listened; then the end */
        ;
    close(fd);
    serves(&d);
    daemon_stop(&d);
}

static int has_cancelled(void *arg) {
    return metric(arg, "smd_jobs_cancelled_total") > 0;
}

/* A batch is for one client: what it has not come to is not compiled when that has gone. */
Test(faults, a_client_that_leaves_its_batch) {
    struct daemon d = daemon_start((const char *const[]){"--workers", "1", NULL});
    json_t *list = json_array();
    for (int i = 0; i < 24; i++)
        json_array_append_new(
            list, json_pack("{s:s,s:{s:i,s:i}}", "ir", module_endless, "options", "opt", 1, "counted_loop_bits", i));
    char *body = json_dumps(list, JSON_COMPACT);
    char head[200];
    int fd = daemon_connect(&d);
    snprintf(
        head, sizeof head,
        "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
        strlen(body));
    send_all(fd, head, strlen(head));
    send_all(fd, body, strlen(body));
    await(is_busy, &d, 60, "the first of them to be compiled");
    close(fd);
    await(has_cancelled, &d, 20, "the rest of the batch to be given up");
    await(is_idle, &d, 20, "the workers to be free again");
    cr_assert_eq(metric(&d, "smd_queue_jobs"), 0);
    serves(&d);
    daemon_stop(&d);
    json_decref(list);
    free(body);
}

static int is_compiled(void *d) {
    return metric(d, "smd_compiles_total{code=\"ok\"}") > 0;
}

/* An answer that nobody reads is given up after the idle limit; it costs nobody else anything. */
Test(faults, a_client_that_never_reads) {
    struct daemon d = daemon_start((const char *const[]){"--idle-timeout-s", "3", NULL});
    struct bytes large = module_of_steps(20000); /* more than the socket's room */
    char head[200], byte[4096];
    int fd = daemon_connect(&d),
        n = sprintf(head,
                    "POST /v1/compile?opt=0&emit=obj,ir,asm,disasm HTTP/1.1\r\nHost: localhost\r\n"
                    "Content-Length: %zu\r\n\r\n",
                    large.len);
    send_all(fd, head, (size_t)n);
    send_all(fd, large.data, large.len);
    await(is_compiled, &d, 60, "the compile");
    serves(&d);
    await(has_no_requests, &d, 20, "the answer to be given up");
    while (recv(fd, byte, sizeof byte, 0) > 0) /* what was on its way; then the end, or a reset */
        ;
    close(fd);
    bytes_free(large);
    daemon_stop(&d);
}

/* What has come of a body is let go of within seconds, though no limit of time is near; a drain does not wait for
 * it. */
Test(faults, clients_that_leave_in_the_middle_of_a_body) {
    enum { CLIENTS = 40, HALF = 40000 };
    struct daemon d = daemon_start(NULL);
    char *half = calloc(1, HALF);
    memset(half, ';', HALF);
    int n = sprintf(half, "POST /v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", 2 * HALF);
    half[n] = ';';
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < CLIENTS; i++) {
            int fd = daemon_connect(&d);
            cr_assert_gt(write(fd, half, HALF), 0);
            close(fd); /* the end comes together with data */
        }
        if (round == 0)
            await(holds_no_body, &d, 20, "the bodies to be let go");
    }
    serves(&d);
    daemon_stop(&d);
    free(half);
}

static int fifteen_have_retired(void *d) {
    return metric(d, "smd_worker_exits_total{cause=\"retired\"}") >= 15;
}

Test(faults, every_job_in_a_process_of_its_own) {
    static const char *const flags[] = {"--jobs-per-worker", "1", NULL};
    struct daemon d = daemon_start(flags);
    for (int i = 0; i < 20; i++) {
        char path[64];
        snprintf(path, sizeof path, "/v1/compile?name=%d", i);
        struct answer a = post(&d, path, fine);
        cr_assert_eq(a.http, 200);
        answer_free(a);
    }
    await(fifteen_have_retired, &d, 20, "a process for each job to end");
    daemon_stop(&d);
}
