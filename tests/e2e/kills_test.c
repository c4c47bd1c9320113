/* Fork server and workers killed together, again and again, while requests come: none is lost, and nothing is left
 * behind.
 *
 * TEST_KILL_SECONDS says how long each storm lasts (3). A daemon with a sanitizer ends at its first finding, which
 * fails the test. */
#include "http.h"
#include "modules.h"
#include "processes.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(kills, .timeout = 600);

enum { CLIENTS = 6, MOST_WORKERS = 32, PATIENCE_S = 200, LEAST_ROUNDS = 6 };

static const char fine[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

struct load {
    const struct daemon *d;
    atomic_int stop, asked, answered, failed;
    char why[300]; /* of the first that failed */
    pthread_t thread[CLIENTS];
};

/* Every request is another module, and waits for its own compile. */
static void *client(void *arg) {
    struct load *l = arg;
    while (!atomic_load(&l->stop)) {
        char path[80];
        snprintf(path, sizeof path, "/v1/compile?deadline_ms=600000&name=%d", atomic_fetch_add(&l->asked, 1));
        struct answer a = ask(
            l->d, (struct ask){.path = path, .body = fine, .len = sizeof fine - 1, .timeout_ms = PATIENCE_S * 1000});
        if (a.http != 200 && atomic_fetch_add(&l->failed, 1) == 0)
            snprintf(l->why, sizeof l->why, "%d %.200s", a.http, a.body.data ? (char *)a.body.data : "");
        answer_free(a);
        atomic_fetch_add(&l->answered, 1);
    }
    return NULL;
}

/* Clients that hang up in the middle, so that sockets are watched and let go of all the time. */
static void *impatient_client(void *arg) {
    struct load *l = arg;
    for (long i = 0; !atomic_load(&l->stop); i++) {
        char path[80];
        snprintf(path, sizeof path, "/v1/compile?name=impatient%ld", i);
        answer_free(
            ask(l->d, (struct ask){.path = path, .body = fine, .len = sizeof fine - 1, .timeout_ms = 1 + i % 7}));
    }
    return NULL;
}

static void start_load(struct load *l) {
    for (int i = 0; i < CLIENTS; i++)
        cr_assert_eq(pthread_create(&l->thread[i], NULL, i ? client : impatient_client, l), 0);
}

static void stop_load(struct load *l) {
    atomic_store(&l->stop, 1);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(l->thread[i], NULL);
}

static int count_descriptors(const struct daemon *d) {
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)d->pid);
    DIR *fds = opendir(path);
    for (struct dirent *e; fds && (e = readdir(fds));)
        n += e->d_name[0] != '.';
    closedir(fds);
    return n;
}

static pid_t upgrade_below(pid_t forkserver) {
    pid_t found = 0;
    return forkserver && processes_below(forkserver, "smd-upgrade", &found, 1) ? found : 0;
}

/* The dead children of smd, of its fork server and of smd-upgrade that nobody has asked after, by proc(5). */
static int count_zombies(const struct daemon *d) {
    pid_t forkserver = daemon_forkserver(d), upgrade = upgrade_below(forkserver);
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; (e = readdir(proc));) {
        char path[300], state = 0;
        int parent = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *f = atoi(e->d_name) ? fopen(path, "re") : NULL;
        if (f && fscanf(f, "%*d (%*[^)]) %c %d", &state, &parent) == 2)
            n += state == 'Z' &&
                 (parent == d->pid || (forkserver && parent == forkserver) || (upgrade && parent == upgrade));
        if (f)
            fclose(f);
    }
    closedir(proc);
    return n;
}

struct calm {
    const struct daemon *d;
    long idle;
    int descriptors;
};

/* The connections of clients that are gone are closed within a moment. */
static int is_calm(void *arg) {
    const struct calm *c = arg;
    return metric(c->d, "smd_workers{state=\"idle\"}") == c->idle &&
           metric(c->d, "smd_workers{state=\"busy\"}") == 0 && metric(c->d, "smd_workers{state=\"starting\"}") == 0 &&
           count_zombies(c->d) == 0 && count_descriptors(c->d) <= c->descriptors;
}

static int has_workers(void *arg) {
    const struct calm *c = arg;
    return metric(c->d, "smd_workers{state=\"idle\"}") == c->idle;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

enum { FORKSERVER = 1, WORKERS = 2, STOPPED_FIRST = 4, FORKSERVER_LAST = 8 };

static void kill_them(const struct daemon *d, int which) {
    pid_t worker[MOST_WORKERS], forkserver = daemon_forkserver(d);
    int n = which & WORKERS ? daemon_workers(d, worker, MOST_WORKERS) : 0;
    for (int i = 0; i < n && which & STOPPED_FIRST; i++)
        kill(worker[i], SIGSTOP);
    if (forkserver && which & FORKSERVER && !(which & FORKSERVER_LAST))
        kill(forkserver, SIGKILL);
    for (int i = 0; i < n; i++)
        kill(worker[i], SIGKILL);
    if (forkserver && which & FORKSERVER_LAST)
        kill(forkserver, SIGKILL);
}

static int other_forkserver(void *arg) {
    struct calm *c = arg;
    pid_t forkserver = daemon_forkserver(c->d);
    return forkserver && forkserver != (pid_t)c->idle;
}

struct progress {
    struct load *load;
    int from;
};

static int has_answered(void *arg) {
    struct progress *p = arg;
    return atomic_load(&p->load->answered) > p->from;
}

/* Storms of one kind after another, over a daemon that has this many workers when nothing happens. */
static void storm(const char *const *flags, int workers) {
    static const int kinds[] = {FORKSERVER | WORKERS, FORKSERVER | FORKSERVER_LAST | WORKERS,
                                FORKSERVER | WORKERS | STOPPED_FIRST, WORKERS};
    const char *seconds = getenv("TEST_KILL_SECONDS");
    struct daemon d = daemon_start(flags);
    struct calm before = {.d = &d, .idle = workers};
    await(has_workers, &before, 60, "all workers to be there");
    before.descriptors = count_descriptors(&d) + 1; /* a connection on which the next question comes */
    struct load l = {.d = &d};
    start_load(&l);
    double end = now() + (seconds ? atof(seconds) : 3);
    for (int round = 0; round < LEAST_ROUNDS || now() < end; round++) {
        int kind = kinds[(unsigned)round % (sizeof kinds / sizeof *kinds)];
        struct calm was = {&d, daemon_forkserver(&d), 0};
        kill_them(&d, kind);
        if (kind & FORKSERVER && was.idle)
            await(other_forkserver, &was, 100, "the next fork server");
        if (round % 3)
            await(has_answered, &(struct progress){&l, l.answered + round % 3}, PATIENCE_S, "answers");
        usleep((useconds_t)(round % 8) * 2000); /* into its start, its first forks, their first jobs */
    }
    stop_load(&l);
    cr_assert_eq(l.failed, 0, "%d of %d requests, the first: %s", l.failed, l.asked, l.why);
    cr_assert_gt(l.answered, 0);
    await(is_calm, &before, 60, "workers, no zombies, no more descriptors than before");
    daemon_stop(&d);
}

Test(kills, forkserver_and_workers_together) {
    storm((const char *const[]){"--workers", "3", NULL}, 4);
}

Test(kills, with_a_process_for_every_job) {
    storm((const char *const[]){"--workers", "2", "--jobs-per-worker", "1", NULL}, 5);
}

static const char typed[] = "define i8* @f(i8* %x) {\n  ret i8* %x\n}\n";

/* Another module each time. */
static int post_typed(const struct daemon *d) {
    static int asked;
    char path[80];
    snprintf(path, sizeof path, "/v1/compile?deadline_ms=600000&name=typed%d", asked++);
    struct answer a =
        ask(d, (struct ask){.path = path, .body = typed, .len = sizeof typed - 1, .timeout_ms = PATIENCE_S * 1000});
    cr_assert_eq(a.http, 200, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    answer_free(a);
    return a.http;
}

struct wait_for_upgrade {
    const struct daemon *d;
    pid_t not;
};

static int other_upgrade(void *arg) {
    struct wait_for_upgrade *w = arg;
    pid_t forkserver = daemon_forkserver(w->d), pid = upgrade_below(forkserver);
    return pid && pid != w->not;
}

/* smd-upgrade is started when somebody needs it, and again after its end, which nobody notices. */
static void lose_upgrade(int signal) {
    struct daemon d = daemon_start((const char *const[]){"--workers", "2", NULL});
    struct calm before = {.d = &d, .idle = 3};
    if (access(BIN_DIR "/smd-upgrade", X_OK) != 0) { /* a build without it says so to whoever posts typed input */
        daemon_stop(&d);
        return;
    }
    await(has_workers, &before, 60, "all workers to be there");
    before.descriptors = count_descriptors(&d) + 1;
    cr_assert_eq(upgrade_below(daemon_forkserver(&d)), 0);
    for (int round = 0; round < 5; round++) {
        struct wait_for_upgrade w = {&d, 0};
        post_typed(&d);
        w.not = upgrade_below(daemon_forkserver(&d));
        cr_assert_gt(w.not, 0);
        kill(w.not, signal);
        for (int i = 0; i < 4; i++) /* what workers there are have been asked */
            post_typed(&d);
        await(other_upgrade, &w, 60, "the next smd-upgrade");
    }
    await(is_calm, &before, 60, "workers, no zombies, no more descriptors than before");
    cr_assert_eq(metric(&d, "smd_crash_memory_hits_total"), 0);
    daemon_stop(&d);
}

Test(kills, smd_upgrade_killed) {
    lose_upgrade(SIGKILL);
}

Test(kills, smd_upgrade_stopped) {
    lose_upgrade(SIGSTOP);
}

struct gone {
    pid_t pid[MOST_WORKERS + 2];
    int n;
};

/* 1 if none of the processes is there any more; one that nobody has reaped is gone. */
static int are_gone(void *arg) {
    const struct gone *g = arg;
    for (int i = 0; i < g->n; i++) {
        char path[64], state = 'Z';
        snprintf(path, sizeof path, "/proc/%d/stat", (int)g->pid[i]);
        FILE *f = fopen(path, "re");
        if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
            state = 'Z';
        if (f)
            fclose(f);
        if (state != 'Z')
            return 0;
    }
    return 1;
}

static int runs_a_job(void *arg) {
    return metric(arg, "smd_workers{state=\"busy\"}") == 2;
}

/* Kills smd, with its workers in the middle of compiles that never end. */
static void kill_smd(int are_stopped) {
    struct daemon d = daemon_start((const char *const[]){"--workers", "2", NULL});
    for (int i = 0; i < 2; i++) {
        char module[2000];
        int len = snprintf(module, sizeof module, "%s; %d\n", module_endless, i);
        struct answer a = ask(&d, (struct ask){.path = "/v1/jobs?opt=3&deadline_ms=600000",
                                               .body = module,
                                               .len = (size_t)len,
                                               .headers = {"Content-Type: text/plain"}});
        cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
        answer_free(a);
    }
    await(runs_a_job, &d, 60, "both compiles to begin");
    struct gone g = {.n = 0};
    g.n = daemon_workers(&d, g.pid, MOST_WORKERS);
    g.pid[g.n++] = daemon_forkserver(&d);
    pid_t upgrade = upgrade_below(g.pid[g.n - 1]);
    if (upgrade)
        g.pid[g.n++] = upgrade;
    cr_assert_geq(g.n, 3);
    for (int i = -1; i < g.n && are_stopped; i++) /* smd first, which would end those who are stopped */
        kill(i < 0 ? d.pid : g.pid[i], SIGSTOP);
    kill(d.pid, SIGKILL);
    await(are_gone, &g, 60, "all processes to end");
    cr_assert_eq(daemon_wait(&d), 128 + SIGKILL);
    daemon_stop(&d);
}

/* All processes end with it. */
Test(kills, smd_itself) {
    kill_smd(0);
}

Test(kills, smd_itself_while_all_are_stopped) {
    kill_smd(1);
}
