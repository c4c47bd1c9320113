/* A mixed load for a bounded time, while workers and the fork server are killed and stopped and clients vanish: every
 * request gets one well-formed answer, and afterwards nothing is left over. TEST_SOAK_SECONDS makes it longer. */
#include "http.h"
#include "modules.h"

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

enum { CLIENTS = 8, ENOUGH = 20 };

static struct daemon d;
static atomic_int stop, judged, answers[600], vanished, lost, malformed, killed, unexpected;
static char first_problem[600];

static struct bytes large;

static double seconds_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static struct bytes many_functions(int n) {
    struct bytes b = {malloc((size_t)n * 300 + 100), 0};
    b.len += (size_t)sprintf((char *)b.data, "declare void @g(ptr addrspace(1))\n");
    for (int i = 0; i < n; i++)
        b.len += (size_t)sprintf((char *)b.data + b.len,
                                 "define ptr addrspace(1) @f%d(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n  "
                                 "call void @g(ptr addrspace(1) %%p)\n"
                                 "  ret ptr addrspace(1) %%p\n}\n",
                                 i);
    return b;
}

/* A module and what may be answered to it, as HTTP statuses; beside these a client may always be told that there is
 * no capacity. */
struct kind {
    const char *query;
    struct bytes body;
    int expected;
};

static void judge(const struct kind *k, const struct answer *a, int vanishes) {
    atomic_fetch_add(&judged, 1);
    int may = a->http == k->expected || a->http == 503 || a->http == 429;
    if (a->http == 0)
        atomic_fetch_add(vanishes ? &vanished : &lost, 1);
    else
        atomic_fetch_add(&answers[a->http % 600], 1);
    if (a->http && !a->json)
        atomic_fetch_add(&malformed, 1);
    if (!may && a->http == 500 && a->body.data && strstr((char *)a->body.data, "process was killed, 4 times"))
        atomic_fetch_add(&killed, 1); /* what takes long enough is hit so often */
    else if (a->http && !may && atomic_fetch_add(&unexpected, 1) == 0)
        snprintf(first_problem, sizeof first_problem, "%s: %d %.500s", k->query, a->http,
                 a->body.data ? (char *)a->body.data : "");
}

static void *client(void *arg) {
    unsigned seed = (unsigned)(size_t)arg, round = 0;
    const struct kind kinds[] = {
        {"opt=2", {(unsigned char *)module_list, strlen(module_list)}, 200},
        {"opt=0&target=aarch64-linux-gnu", {(unsigned char *)module_list, strlen(module_list)}, 200},
        {"safepoints=none&opt=1", large, 200},
        {"opt=2", {(unsigned char *)"nonsense", 8}, 422},
        {"opt=1", {(unsigned char *)module_crashing, strlen(module_crashing)}, 500},
        {"opt=2&emit=obj,ir,asm,disasm,remarks", {(unsigned char *)module_list, strlen(module_list)}, 200}};
    while (!atomic_load(&stop)) {
        unsigned r = (unsigned)rand_r(&seed);
        const struct kind *k = &kinds[r % (sizeof kinds / sizeof *kinds)];
        char path[256];
        int vanishes = r / 64 % 16 == 0;
        snprintf(path, sizeof path, "/v1/compile?%s&name=%u-%u", k->query, (unsigned)(size_t)arg, round++ % 50);
        struct answer a =
            ask(&d, (struct ask){
                        .path = path, .body = k->body.data, .len = k->body.len, .timeout_ms = vanishes ? 3 : 600000});
        judge(k, &a, vanishes);
        answer_free(a);
    }
    return NULL;
}

/* No faster than requests are answered: on a busy machine none would come to its end. */
static void *chaos(void *arg) {
    enum { ANSWERS = 4 };
    unsigned seed = 1;
    int from = 0;
    (void)arg;
    while (!atomic_load(&stop)) {
        pid_t pid[64], forkserver = daemon_forkserver(&d);
        int n = daemon_workers(&d, pid, 64);
        unsigned r = (unsigned)rand_r(&seed);
        if (r % 16 == 0 && forkserver)
            kill(forkserver, SIGKILL);
        else if (n)
            kill(pid[r / 16 % (unsigned)n], r % 4 == 1 ? SIGSTOP : SIGKILL);
        do
            usleep(100000);
        while (!atomic_load(&stop) && atomic_load(&judged) < from + ANSWERS);
        from = atomic_load(&judged);
    }
    return NULL;
}

static int open_files(void) {
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)d.pid);
    DIR *dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

static long resident_kib(void) {
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)d.pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld kB", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib;
}

static int zombies(void) {
    char command[128];
    int status;
    snprintf(command, sizeof command, "ps -o stat= --ppid %d | grep -c Z", (int)d.pid);
    struct bytes out = run_command(command, "", 0, &status);
    int n = atoi((char *)out.data);
    bytes_free(out);
    return n;
}

/* Who has ended is asked after within a moment. */
static int is_quiet(void *arg) {
    (void)arg;
    return zombies() == 0 && metric(&d, "smd_workers{state=\"busy\"}") == 0 &&
           metric(&d, "smd_workers{state=\"idle\"}") >= 3 && metric(&d, "smd_connections") <= 1 &&
           metric(&d, "smd_body_bytes") == 0;
}

static void load_for(double seconds, int with_chaos) {
    pthread_t thread[CLIENTS], killer;
    atomic_store(&stop, 0);
    for (size_t i = 0; i < CLIENTS; i++)
        pthread_create(&thread[i], NULL, client, (void *)(i + 1));
    if (with_chaos)
        pthread_create(&killer, NULL, chaos, NULL);
    double end = seconds_now() + seconds, latest = end + 300;
    while (seconds_now() < end ||
           (answers[200] <= ENOUGH && seconds_now() < latest)) /* a slow machine takes longer */
        usleep(50000);
    atomic_store(&stop, 1);
    for (size_t i = 0; i < CLIENTS; i++)
        pthread_join(thread[i], NULL);
    if (with_chaos)
        pthread_join(killer, NULL);
    await(is_quiet, NULL, 30, "the daemon to become quiet");
}

Test(soak, nothing_is_lost_and_nothing_is_left, .timeout = 3600) {
    const char *longer = getenv("TEST_SOAK_SECONDS");
    double seconds = longer ? atof(longer) : 6;
    large = many_functions(300);
    d = daemon_start(NULL);
    load_for(seconds / 3, 0);
    int files = open_files();
    long rss = resident_kib();
    load_for(seconds * 2 / 3, 1);
    int total = 0;
    for (int i = 0; i < 600; i++)
        total += answers[i];
    printf("[figures] soak: %d answers (%d of 200, %d of 422, %d of 500, %d of 503), %d clients vanished, RSS %ld to "
           "%ld KiB, %d to %d open files\n",
           total, answers[200], answers[422], answers[500], answers[503], vanished, rss, resident_kib(), files,
           open_files());
    cr_assert_eq(lost, 0, "%d requests got no answer", lost);
    cr_assert_eq(malformed, 0);
    cr_assert_eq(unexpected, 0, "%d answers were not to be expected, the first: %s", unexpected, first_problem);
    cr_assert_leq(killed, total / 20, "%d of %d lost worker after worker", killed, total);
    cr_assert_gt(answers[200], ENOUGH);
    cr_assert_eq(metric(&d, "smd_queue_jobs"), 0);
    cr_assert_leq(open_files(), files + 12, "descriptors leak");
    cr_assert_leq(resident_kib(), rss * 2 + 20000, "memory leaks");
    daemon_stop(&d);
    bytes_free(large);
}
