/* Large modules in parts (split=auto) when a worker is killed while its helpers compile. */
#include "http.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(parts, .timeout = 600);

static const char path[] = "/v1/compile?split=auto&deadline_ms=600000";
static struct daemon d;

static struct bytes large_module(void) {
    enum { FUNCTIONS = 400, STEPS = 20 };
    static const char step[] = "  %%a%1$d = load volatile i64, ptr %%p\n  %%b%1$d = mul i64 %%a%1$d, %1$d\n"
                               "  store volatile i64 %%b%1$d, ptr %%p\n";
    struct bytes b = {malloc((size_t)FUNCTIONS * (STEPS * (sizeof step + 40) + 100) + 1), 0};
    cr_assert_not_null(b.data);
    for (int f = 0; f < FUNCTIONS; f++) {
        b.len += (size_t)sprintf((char *)b.data + b.len, "define void @f%d(ptr %%p) {\n", f);
        for (int s = 0; s < STEPS; s++)
            b.len += (size_t)sprintf((char *)b.data + b.len, step, f * 1000 + s);
        b.len += (size_t)sprintf((char *)b.data + b.len, "  ret void\n}\n");
    }
    return b;
}

static struct answer send(struct bytes module) {
    return ask(&d, (struct ask){.path = path,
                                .body = module.data,
                                .len = module.len,
                                .headers = {"Accept: application/octet-stream"}});
}

struct call {
    struct bytes module;
    struct answer answer;
};

static void *call(void *arg) {
    struct call *c = arg;
    c->answer = send(c->module);
    return NULL;
}

/* Nanoseconds that a process's threads have run, all but the first. */
static unsigned long long helped_ns(pid_t pid) {
    char name[300];
    unsigned long long sum = 0;
    snprintf(name, sizeof name, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(name);
    for (struct dirent *e; tasks && (e = readdir(tasks));) {
        unsigned long long ns = 0;
        int task = atoi(e->d_name);
        snprintf(name, sizeof name, "/proc/%d/task/%d/schedstat", (int)pid, task);
        FILE *f = task && task != pid ? fopen(name, "re") : NULL;
        if (f && fscanf(f, "%llu", &ns) == 1)
            sum += ns;
        if (f)
            fclose(f);
    }
    if (tasks)
        closedir(tasks);
    return sum;
}

/* The worker whose helpers are at work; 0 while there is none. */
static pid_t helped_worker(void) {
    enum { AT_WORK_NS = 3000000 }; /* more than they need to begin */
    pid_t workers[16];
    int n = daemon_workers(&d, workers, 16);
    for (int i = 0; i < n; i++)
        if (helped_ns(workers[i]) > AT_WORK_NS)
            return workers[i];
    return 0;
}

static int is_being_helped(void *arg) {
    return (*(pid_t *)arg = helped_worker()) != 0;
}

/* The job runs again, and its object is what it is without that. */
Test(parts, a_worker_that_is_killed_while_others_help_it_costs_nothing) {
    static const char *const flags[] = {"--workers", "2", NULL};
    struct call c = {.module = large_module()};
    pthread_t thread;
    pid_t worker;
    d = daemon_start(flags);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(pthread_create(&thread, NULL, call, &c), 0);
        await(is_being_helped, &worker, 60, "parts to be compiled");
        cr_assert_eq(kill(worker, SIGKILL), 0);
        pthread_join(thread, NULL);
        cr_assert_eq(c.answer.http, 200, "%d %.200s", c.answer.http, (char *)c.answer.body.data);
        struct answer again = send(c.module);
        cr_assert_eq(again.http, 200);
        cr_assert(again.body.len == c.answer.body.len &&
                  memcmp(again.body.data, c.answer.body.data, again.body.len) == 0);
        answer_free(again);
        answer_free(c.answer);
        daemon_stop(&d); /* its workers have helpers that have run */
        d = daemon_start(flags);
    }
    daemon_stop(&d);
    bytes_free(c.module);
}
