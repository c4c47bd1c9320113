/* chaos_test.c - clients of all routes, while processes of the daemon's tree are killed, stopped, and stopped and
 * continued, as a seed has it: each request has exactly one answer, no module is blamed for what others did, and
 * nothing is left over.
 *
 *     TEST_CHAOS_SECONDS=N     how long (30)
 *     TEST_CHAOS_SEED=N        which processes, requests and moments (1); how they meet is up to the machine
 */
#include "chaos_requests.h"
#include "http.h"
#include "processes.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS = 8, WORKERS = 3, MOST = 64, ENOUGH = 100 };

static struct daemon d;
static atomic_int is_over;

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- Who kills -------------------------------------------------------------------------------------------------- */

enum what { WORKER, SOME_WORKERS, FORKSERVER, UPGRADE, EVERYTHING, DAEMON, WHATS };
static const char *const what_names[] = {
    "a worker", "some workers", "the fork server", "smd-upgrade or a child of it", "everything below smd", "smd"};
enum how { KILLED, STOPPED, CONTINUED, HOWS };
static const char *const how_names[] = {"killed", "stopped", "stopped and continued"};

static int done[WHATS][HOWS];

/* A job that was run four times, and whose workers were killed each time while no other process was, is said to be the
 * cause. Nobody can tell that from chance, so chance must not bring it about: from one loss of the fork server, which
 * counts for all jobs of that time, to the next one no more than HARMLESS workers are struck. */
enum { HARMLESS = 3 };

struct toll {
    int struck; /* workers, since the last loss of the fork server that is known to be counted */
    int since;  /* of these, since the fork server was struck */
    long lost;  /* 0, or: it was struck, and the loss has been counted when so many more than these were started */
};

static long started(void) {
    long n = metric(&d, "smd_nursery_starts_total");
    cr_assert_gt(n, 0);
    return n;
}

/* How many workers may be struck now. */
static int harmless(struct toll *t) {
    if (t->lost && started() > t->lost)
        *t = (struct toll){.struck = t->since};
    return HARMLESS - t->struck;
}

static enum what choose(unsigned *seed, struct toll *t) {
    static const enum what by_weight[] = {WORKER,     WORKER,  WORKER,  WORKER,  WORKER,     WORKER, SOME_WORKERS,
                                          FORKSERVER, UPGRADE, UPGRADE, UPGRADE, EVERYTHING, DAEMON};
    enum { WEIGHTS = sizeof by_weight / sizeof *by_weight };
    enum what w = by_weight[(unsigned)rand_r(seed) % WEIGHTS];
    if ((w == WORKER || w == SOME_WORKERS) && harmless(t) == 0)
        w = t->lost ? UPGRADE : FORKSERVER;
    return w;
}

/* Stops, or kills, the fork server, and waits until it does nothing more: from then on it reports no end of a worker.
 * How many processes have its name: a worker that it has just forked has, too. */
static int halt_forkserver(int sig, pid_t *pid) {
    int n = processes_below(d.pid, "smd-fork-server", pid, MOST);
    for (int i = 0; i < n; i++)
        kill(pid[i], sig);
    for (int i = 0; i < n; i++)
        for (char c; (c = process_state(pid[i])) && !strchr("TtZX", c);)
            usleep(200);
    return n;
}

/* Those that are struck beside the fork server. */
static int victims(enum what w, unsigned *seed, struct toll *t, pid_t *pid) {
    int n = 0, left = harmless(t);
    if (w == DAEMON)
        pid[n++] = d.pid;
    if (w == WORKER || w == SOME_WORKERS || w == EVERYTHING)
        n += processes_below(d.pid, "smd-worker", pid, MOST);
    if (w == UPGRADE || w == EVERYTHING)
        n += processes_below(d.pid, "smd-upgrade", pid + n, MOST - n);
    if (n && (w == WORKER || w == UPGRADE)) {
        pid[0] = pid[(unsigned)rand_r(seed) % (unsigned)n];
        return 1;
    }
    return w == SOME_WORKERS && n > left ? left : n;
}

/* How many were struck. The fork server stops first and goes on last, so that it sees none of the others stopped. */
static int strike(enum what w, enum how h, unsigned *seed, struct toll *t) {
    pid_t forkserver[MOST], pid[MOST];
    int sig = h == KILLED ? SIGKILL : SIGSTOP, with_forkserver = w == FORKSERVER || w == EVERYTHING;
    long before = started();
    int servers = with_forkserver ? halt_forkserver(sig, forkserver) : 0;
    if (with_forkserver && !servers) /* it starts */
        return 0;
    int n = victims(w, seed, t, pid);
    for (int i = 0; i < n; i++)
        kill(pid[i], sig);
    if (with_forkserver && h != CONTINUED && !t->lost)
        *t = (struct toll){.struck = t->struck, .lost = before};
    if (w == WORKER || w == SOME_WORKERS) {
        t->struck += n;
        t->since += n;
    }
    usleep(h == CONTINUED ? (unsigned)rand_r(seed) % 300000 : 0);
    for (int i = 0; i < n && h == CONTINUED; i++)
        kill(pid[i], SIGCONT);
    for (int i = 0; i < servers && h == CONTINUED; i++)
        kill(forkserver[i], SIGCONT);
    return servers + n;
}

/* No faster than requests are answered: on a busy machine none would come to its end. */
static void *rage(void *arg) {
    enum { ANSWERS = 6 };
    unsigned seed = *(unsigned *)arg;
    struct toll toll = {0};
    for (int from = 0; !atomic_load(&is_over);) {
        enum what w = choose(&seed, &toll);
        unsigned r = (unsigned)rand_r(&seed) % 8;
        enum how h = w == DAEMON || r > 5 ? CONTINUED : r > 3 ? STOPPED : KILLED;
        done[w][h] += strike(w, h, &seed, &toll) > 0;
        usleep((unsigned)rand_r(&seed) % 100000);
        while (!atomic_load(&is_over) && atomic_load(&tally.seen) < from + ANSWERS)
            usleep(2000);
        from = atomic_load(&tally.seen);
    }
    return NULL;
}

/* ---- Who asks --------------------------------------------------------------------------------------------------- */

static void *visit(void *arg) {
    struct client *c = arg;
    while (!atomic_load(&is_over))
        requests_visit(c);
    requests_leave_off(c);
    return NULL;
}

static void storm(unsigned seed, double seconds) {
    pthread_t thread[CLIENTS], killer;
    struct client client[CLIENTS];
    for (unsigned i = 0; i < CLIENTS; i++) {
        client[i] = (struct client){&d, seed * 1000 + i, -1, 0};
        pthread_create(&thread[i], NULL, visit, &client[i]);
    }
    pthread_create(&killer, NULL, rage, &seed);
    double end = seconds_now() + seconds, latest = end + 300;
    while (seconds_now() < end || (atomic_load(&tally.answers[200]) < ENOUGH && seconds_now() < latest))
        usleep(50000); /* a slow machine takes longer */
    atomic_store(&is_over, 1);
    pthread_join(killer, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(thread[i], NULL);
}

static void tell(unsigned seed, double seconds) {
    printf("[figures] chaos: seed %u, %.0f s; %d requests answered, %d left;", seed, seconds, tally.seen, tally.left);
    for (int i = 0; i < 600; i++)
        if (tally.answers[i])
            printf(" %d: %d", i, tally.answers[i]);
    for (int w = 0; w < WHATS; w++)
        for (int h = 0; h < HOWS; h++)
            if (done[w][h])
                printf("; %s %s: %d", what_names[w], how_names[h], done[w][h]);
    printf("; retried: %ld\n", metric(&d, "smd_jobs_retried_total"));
}

/* ---- What is left ----------------------------------------------------------------------------------------------- */

/* The accounts that are not zero, "" if there is none. Connections are open: this one, and those that are kept. */
static const char *accounts(void) {
    static const char *const names[] = {"smd_held_bytes{", "smd_answer_bytes ", "smd_body_bytes ", "smd_queue_jobs "};
    static const char open[] = "smd_held_bytes{what=\"connection\"";
    static char text[300];
    struct answer a = get(&d, "/metrics");
    text[0] = 0;
    for (char *line = (char *)a.body.data; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            char *value = strncmp(line, names[i], strlen(names[i])) ? NULL : line + strcspn(line, " \n");
            if (value && *value == ' ' && atol(value) && strncmp(line, open, strlen(open)) != 0)
                snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        }
    answer_free(a);
    return text;
}

static int count_descriptors(void) {
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)d.pid);
    DIR *fds = opendir(path);
    while (fds && readdir(fds))
        n++;
    closedir(fds);
    return n;
}

static int ready_workers(void) {
    const char *each = getenv("SMD_JOBS_PER_WORKER");
    return WORKERS + 1 + (each && strcmp(each, "1") == 0 ? WORKERS : 0);
}

/* All processes are there that there are when nothing happens, and nothing is held. */
static int is_quiet(void *arg) {
    (void)arg;
    return metric(&d, "smd_workers{state=\"busy\"}") == 0 && metric(&d, "smd_workers{state=\"starting\"}") == 0 &&
           metric(&d, "smd_workers{state=\"idle\"}") == ready_workers() && metric(&d, "smd_connections") <= 1 &&
           !*accounts();
}

/* Of whoever is left this process is the parent, as its subreaper. */
static int are_gone(void *arg) {
    (void)arg;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    pid_t pid[MOST];
    return processes_below(getpid(), "smd", pid, MOST) == 0;
}

static void *visit_until_drained(void *arg) {
    struct client *c = arg;
    char path[80];
    snprintf(path, sizeof path, "/v1/compile?name=drain%u&deadline_ms=600000", c->seed);
    struct answer a = post(&d, path, "define i32 @f() {\n  ret i32 1\n}\n");
    atomic_fetch_add(&tally.answers[a.http], 1);
    answer_free(a);
    return NULL;
}

static int are_in_flight(void *arg) {
    (void)arg;
    return metric(&d, "smd_requests_active") > CLIENTS;
}

/* It is told to end with requests in flight, each of which is answered. */
static void drain(void) {
    pthread_t thread[CLIENTS];
    struct client client[CLIENTS];
    memset(tally.answers, 0, sizeof tally.answers);
    struct held workers = daemon_hold_workers(&d, WORKERS + 1);
    for (unsigned i = 0; i < CLIENTS; i++) {
        client[i] = (struct client){&d, i, -1, 0};
        pthread_create(&thread[i], NULL, visit_until_drained, &client[i]);
    }
    await(are_in_flight, NULL, 60, "the last requests");
    kill(d.pid, SIGTERM);
    daemon_release(&workers);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(thread[i], NULL);
    cr_assert_eq(tally.answers[200], CLIENTS, "%d of %d requests in flight were compiled", tally.answers[200],
                 CLIENTS);
    cr_assert_eq(daemon_wait(&d), 0);
    struct bytes log = daemon_log(&d);
    char *bad = strstr((char *)log.data, "bytes_not_given_back");
    cr_assert_null(bad, "%.300s", bad);
    bytes_free(log);
    await(are_gone, NULL, 60, "all processes to end");
}

static double setting(const char *name, double otherwise) {
    const char *value = getenv(name);
    return value ? atof(value) : otherwise;
}

Test(chaos, each_request_has_one_answer_and_nothing_is_left, .timeout = 36000) {
    char folder[] = "/tmp/smd-chaos-XXXXXX", command[160];
    double seconds = setting("TEST_CHAOS_SECONDS", 30);
    unsigned seed = (unsigned)setting("TEST_CHAOS_SEED", 1);
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    d = daemon_start((const char *const[]){"--workers", "3", "--cache-memory-mib", "1", "--cache-dir", folder,
                                           "--job-ttl-s", "120", "--crash-ttl-s", "1", NULL});
    requests_prepare(&d);
    cr_assert_eq(tally.faults, 0, "before anything: %s", tally.first_fault);
    await(is_quiet, NULL, 60, "the daemon to be quiet");
    int descriptors = count_descriptors();
    storm(seed, seconds);
    tell(seed, seconds);
    cr_expect_eq(tally.faults, 0, "%d faults, the first: %s", tally.faults, tally.first_fault);
    cr_assert_gt(tally.answers[200], ENOUGH);
    await(is_quiet, NULL, 600,
          "the daemon to become quiet"); /* it keeps a job that could not be deleted for its time */
    cr_expect_leq(count_descriptors(), descriptors + 1, "%d of %d", count_descriptors(), descriptors);
    tally.faults = 0;
    requests_check(&d);
    cr_assert_eq(tally.faults, 0, "afterwards: %s", tally.first_fault);
    await(is_quiet, NULL, 60, "all to be given back");
    drain();
    requests_free();
    snprintf(command, sizeof command, "rm -rf %s %s", folder, d.folder);
    cr_assert_eq(system(command), 0);
}
