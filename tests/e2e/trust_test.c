/* Workers that nobody trusts: what one made is kept only when a second has made the same (admission=two), also where one
 * lies; and jobs of clients that nobody trusts, each in a process of its own (untrusted). */
#include "http.h"
#include "modules.h"
#include "processes.h"
#include "redisserver.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(trust, .timeout = 600);

#define SAME      "smd_admissions_total{result=\"same\"}"
#define DIFFERENT "smd_admissions_total{result=\"different\"}"
#define DROPPED   "smd_admissions_total{result=\"dropped\"}"
#define RETIRED   "smd_worker_exits_total{cause=\"retired\"}"

static struct daemon d;

/* A function that returns 1000 + N. */
static struct answer compile(int n, const char *from) {
    char module[80];
    int len = snprintf(module, sizeof module, "define i32 @f() { ret i32 %d }\n", 1000 + n);
    struct answer a =
        ask(&d, (struct ask){.path = "/v1/compile",
                             .body = module,
                             .len = (size_t)len,
                             .from = from,
                             .headers = {"Content-Type: text/plain", "Accept: application/octet-stream"}});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    return a;
}

/* 1 if the object returns 1000 + N. */
static int is_right(const struct answer *a, int n) {
    const unsigned char code[] = {0xb8, (unsigned char)(1000 + n), (unsigned char)((1000 + n) >> 8), 0, 0};
    return memmem(a->body.data, a->body.len, code, sizeof code) != NULL;
}

static int came_from(const struct answer *a, const char *from) {
    char *cache = answer_header(a, "X-Smd-Cache");
    int is = cache && strcmp(cache, from) == 0;
    free(cache);
    return is;
}

static void comes_from(int n, const char *from) {
    struct answer a = compile(n, NULL);
    cr_assert(came_from(&a, from) && is_right(&a, n), "%d does not come from %s, or is wrong", n, from);
    answer_free(a);
}

static int is_settled(void *arg) {
    (void)arg;
    return metric(&d, "smd_admission_jobs") == 0;
}

static int is_one_busy(void *arg) {
    (void)arg;
    return metric(&d, "smd_workers{state=\"busy\"}") == 1;
}

/* Nothing is in the cache until the second worker has answered, which it does not while a job would have its place. */
Test(trust, nothing_is_kept_before_it_is_confirmed) {
    d = daemon_start((const char *const[]){"--workers", "1", "--admission", "two", "--cache-memory-mib", "64",
                                           "--drain-timeout-s", "1", NULL});
    struct answer a = post(&d, "/v1/jobs?opt=3&deadline_ms=600000", module_endless);
    char *job = answer_header(&a, "Location");
    cr_assert(a.http == 202 && job);
    answer_free(a);
    await(is_one_busy, NULL, 60, "the job that does not end");
    for (int i = 0; i < 3; i++) {
        a = compile(7, "127.0.0.2"); /* on the extra worker */
        cr_expect(came_from(&a, "compiled") && is_right(&a, 7));
        answer_free(a);
    }
    cr_expect_eq(metric(&d, "smd_admission_jobs"), 1);
    cr_expect_eq(metric(&d, SAME), 0);
    answer_free(ask(&d, (struct ask){.method = "DELETE", .path = job}));
    free(job);
    await_count(&d, SAME, 1);
    comes_from(7, "memory");
    cr_expect_eq(metric(&d, "smd_admission_jobs"), 0);
    cr_expect_eq(metric(&d, DIFFERENT) + metric(&d, DROPPED), 0);
    daemon_stop(&d);
}

static int is_busy_or_settled(void *arg) {
    return is_one_busy(arg) || is_settled(arg);
}

/* A confirmation that runs gives way to a job that comes, and is made up for. */
Test(trust, who_waits_goes_first) {
    static const char slow[] = "smd_worker_exits_total{cause=\"slow\"}";
    d = daemon_start((const char *const[]){"--workers", "1", "--admission", "two", "--cache-memory-mib", "64", NULL});
    int n = 0;
    for (int steps = 500; metric(&d, slow) == 0; steps *= 2, n++) { /* until it takes long enough to be met */
        struct bytes large = module_of_steps(steps);
        struct ask a = {.path = "/v1/compile?opt=0&deadline_ms=600000", .body = large.data, .len = large.len};
        struct answer first = ask(&d, a);
        cr_assert_eq(first.http, 200);
        await(is_busy_or_settled, NULL, 60, "the confirmation");
        answer_free(compile(n, NULL));
        await(is_settled, NULL, 60, "all confirmations");
        struct answer again = ask(&d, a);
        cr_expect(came_from(&again, "memory"));
        answer_free(first);
        answer_free(again);
        bytes_free(large);
    }
    cr_expect_eq(metric(&d, SAME), 2 * n);
    cr_expect_eq(metric(&d, DIFFERENT) + metric(&d, DROPPED), 0);
    daemon_stop(&d);
}

/* A module's errors, and what the compiler cannot do, are remembered when two workers have said so. */
Test(trust, failures_are_confirmed) {
    d = daemon_start(
        (const char *const[]){"--admission", "two", "--diagnostic-ttl-s", "600", "--crash-ttl-s", "600", NULL});
    const char *const bodies[] = {"define void @f() { ret i32 1 }\n", module_crashing};
    for (int i = 0; i < 2; i++) {
        struct answer first = post(&d, "/v1/compile?opt=0", bodies[i]);
        await_count(&d, SAME, i + 1);
        struct answer second = post(&d, "/v1/compile?opt=0", bodies[i]);
        cr_expect(first.http >= 400 && first.http == second.http &&
                  strcmp(member(&first, "code"), member(&second, "code")) == 0);
        answer_free(first);
        answer_free(second);
        cr_expect_eq(metric(&d, "smd_crash_memory_hits_total"), i + 1);
    }
    cr_expect_eq(metric(&d, DIFFERENT), 0);
    daemon_stop(&d);
}

/* Parts for later compiles are kept, too, and a result that was made with them is confirmed with them. */
Test(trust, parts_are_confirmed) {
    d = daemon_start((const char *const[]){"--admission", "two", "--cache-memory-mib", "64", NULL});
    static char text[40000], path[200];
    char *key = NULL;
    for (int edit = 0; edit < 2; edit++) {
        size_t n = 0;
        for (int i = 0; i < 200; i++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "define i32 @f%d(i32 %%x) {\n  %%y = mul i32 %%x, %d\n  ret i32 %%y\n}\n", i,
                                  edit && i == 7 ? 99 : i + 2);
        snprintf(path, sizeof path, "/v1/compile?split=functions%s%s", key ? "&incremental=" : "", key ? key : "");
        struct answer a = post(&d, path, text);
        char *parts = answer_header(&a, "X-Smd-Parts");
        cr_assert(a.http == 200 && parts, "%d %s", a.http, (char *)a.body.data);
        cr_expect(!edit || atoi(strchr(parts, '=') ? strchr(parts, '=') + 1 : parts) > 0, "%s", parts);
        free(parts);
        free(key);
        key = answer_header(&a, "X-Smd-Key");
        answer_free(a);
        await_count(&d, SAME, edit + 1);
        a = post(&d, path, text);
        cr_expect(came_from(&a, "memory"));
        answer_free(a);
    }
    free(key);
    cr_expect_eq(metric(&d, DIFFERENT) + metric(&d, DROPPED), 0);
    daemon_stop(&d);
}

/* A worker that lies each second time. With admission=two it does so once, and no wrong answer is kept; otherwise one is. */
Test(trust, a_worker_that_lies) {
    enum { MODULES = 40, ROUNDS = 8 }; /* half of those that are not kept are in each round */
    int lies = 0, kept_lies = 0;
    for (int two = 0; two < 2; two++) {
        char folder[] = "/tmp/smd-trust-XXXXXX", command[80], program[256];
        int status;
        cr_assert(mkdtemp(folder));
        snprintf(program, sizeof program, "%s/lying-worker", BIN_DIR);
        const char *const flags[] = {"--worker", program,       "--workers", "1",           "--cache-memory-mib",
                                     "64",       "--cache-dir", folder,      "--admission", two ? "two" : "one",
                                     NULL};
        d = daemon_start(flags);
        for (int round = 0; round < ROUNDS; round++)
            for (int n = 0; n < MODULES; n++) {
                struct answer a = compile(n, NULL);
                int is_lie = !is_right(&a, n), is_kept = !came_from(&a, "compiled");
                lies += two && is_lie;
                kept_lies += !two && is_lie && is_kept;
                cr_expect(!(two && is_lie && is_kept), "a wrong answer of %d was kept", n);
                answer_free(a);
                if (two)
                    await(is_settled, NULL, 60, "the confirmation");
            }
        if (two) {
            daemon_await_log(&d, "artifact differs between workers");
            cr_expect_eq(metric(&d, DIFFERENT), lies, "each worker that lied did so once");
            cr_expect_eq(metric(&d, SAME), MODULES);
            await_count(&d, "smd_cache_entries{tier=\"disk\"}", MODULES);
        }
        daemon_stop(&d);
        d = daemon_start(flags);
        for (int n = 0; n < MODULES && two; n++)
            comes_from(n, "disk");
        daemon_stop(&d);
        snprintf(command, sizeof command, "rm -r %s", folder);
        bytes_free(run_command(command, "", 0, &status));
    }
    cr_expect_geq(kept_lies, 1, "the worker does lie, and smd cannot see it");
    cr_expect_geq(lies, 1);
}

/* ---- Processes that are killed, and entries that somebody has altered ---- */

enum { CONFIRMED = 6, PENDING = 8 };

/* A daemon with both tiers, whose workers lie if it says so. */
static void start_keeping(const char *cache, int is_lying) {
    char program[256];
    snprintf(program, sizeof program, "%s/%s", BIN_DIR, is_lying ? "lying-worker" : "smd-worker");
    d = daemon_start((const char *const[]){"--worker", program, "--workers", "1", "--admission", "two", "--cache-dir",
                                           cache, "--mac-key", redis_key_file, "--shared", redis_address,
                                           "--shared-wait-ms", "60000", "--drain-timeout-s", "1", NULL});
    await_count(&d, "smd_shared_up", 1);
}

/* Compiles modules until each has been confirmed, and is in both tiers. */
static void confirm_some(int from) {
    for (int n = 0; n < CONFIRMED; n++)
        for (int rounds = 0, is_kept = 0; !is_kept; rounds++) {
            struct answer a = compile(from + n, NULL);
            is_kept = !came_from(&a, "compiled");
            cr_assert(!is_kept || is_right(&a, from + n));
            answer_free(a);
            await(is_settled, NULL, 60, "the confirmation");
            cr_assert_lt(rounds, 100, "%d is never kept", n);
        }
    await_count(&d, "smd_cache_entries{tier=\"disk\"}", CONFIRMED);
    await_count(&d, "smd_shared_written_total", CONFIRMED);
}

/* A job that does not end has the only worker: what comes then is compiled on the extra one, and waits for its
 * confirmation. */
static void leave_some_pending(int from) {
    struct answer a = post(&d, "/v1/jobs?opt=3&deadline_ms=600000", module_endless);
    cr_assert_eq(a.http, 202);
    answer_free(a);
    await(is_one_busy, NULL, 60, "the job that does not end");
    for (int n = 0; n < PENDING; n++) {
        a = compile(from + n, "127.0.0.2");
        cr_assert(came_from(&a, "compiled"));
        answer_free(a);
    }
    cr_assert_eq(metric(&d, "smd_admission_jobs"), PENDING);
}

/* smd dies while results wait for their second worker. What was confirmed is there afterwards, in the folder or in Redis;
 * of the rest nothing is. */
Test(trust, killed_while_confirmations_wait, .init = redis_prepare, .fini = redis_clean) {
    redis_start(NULL, NULL);
    for (int round = 0; round < 4; round++) {
        int is_lying = round % 2, without_folder = round / 2, first = 20 * round;
        char cache[160];
        snprintf(cache, sizeof cache, "%s/cache%d", redis_folder, round);
        start_keeping(cache, is_lying);
        confirm_some(first);
        leave_some_pending(first + CONFIRMED);
        kill(d.pid, SIGKILL);
        daemon_wait(&d);
        if (without_folder)
            cr_assert_eq(shell("rm -r %s", cache), 0);
        start_keeping(cache, is_lying); /* keys are of this worker program */
        for (int n = 0; n < CONFIRMED; n++)
            comes_from(first + n, without_folder ? "shared" : "disk");
        for (int n = CONFIRMED; n < CONFIRMED + PENDING; n++) {
            struct answer a = compile(first + n, NULL);
            cr_expect(came_from(&a, "compiled"), "%d was kept without a second worker", first + n);
            answer_free(a);
        }
        daemon_stop(&d);
    }
}

/* Workers and the fork server die, again and again, while others confirm: each module is kept in the end, and none of the
 * lies. */
Test(trust, workers_killed_while_they_confirm, .init = redis_prepare, .fini = redis_clean) {
    enum { MODULES = 30 };
    char cache[160];
    redis_start(NULL, NULL);
    snprintf(cache, sizeof cache, "%s/cache", redis_folder);
    start_keeping(cache, 1);
    for (int n = 0; n < MODULES; n++) {
        pid_t pids[16];
        answer_free(compile(n, NULL));
        int workers = daemon_workers(&d, pids, 16);
        for (int i = 0; i < workers; i++)
            kill(pids[i], SIGKILL);
        if (n % 8 == 7)
            kill(daemon_forkserver(&d), SIGKILL);
    }
    await(is_settled, NULL, 60, "all confirmations");
    for (int n = 0, kept = 0, rounds = 0; n < MODULES; n += kept, rounds++) {
        struct answer a = compile(n, NULL);
        kept = !came_from(&a, "compiled");
        cr_assert(!kept || is_right(&a, n), "a wrong answer of %d was kept", n);
        answer_free(a);
        await(is_settled, NULL, 60, "the confirmation");
        cr_assert_lt(rounds, 1000, "%d is never kept", n);
    }
    daemon_stop(&d);
}

/* Alters the entries of these keys in both tiers, each at another place: cut there, another's as a whole or from there on, or
 * with another bit. Of the last three, those on disk; the three before stay. */
static const char alter[] = "import subprocess, sys\n"
                            "folder, redis, keys = sys.argv[1], sys.argv[2], sys.stdin.read().split()\n"
                            "def cli(*words, **more):\n"
                            "    return subprocess.run(['redis-cli', '-s', redis, *words], check=True, "
                            "stdout=subprocess.PIPE, **more).stdout\n"
                            "def altered(data, other, i):\n"
                            "    at = len(data) * i // len(keys)\n"
                            "    if i % 4 == 0: return data[:at]\n"
                            "    if i % 4 == 1: return other if i % 8 == 1 else data[:at] + other[at:] + b'x'\n"
                            "    return data[:at] + bytes([data[at] ^ 1 << i % 8]) + data[at + 1:]\n"
                            "paths = [f'{folder}/cache/{k[:2]}/{k}' for k in keys]\n"
                            "files = [open(p, 'rb').read() for p in paths]\n"
                            "values = [cli('--raw', 'get', 'smd:1:' + k)[:-1] for k in keys]\n"
                            "for i, k in enumerate(keys):\n"
                            "    if not len(keys) - 6 <= i < len(keys) - 3:\n"
                            "        open(paths[i], 'wb').write(altered(files[i], files[i - 1], i))\n"
                            "    if i < len(keys) - 6:\n"
                            "        cli('-x', 'set', 'smd:1:' + k, input=altered(values[i], values[i - 1], i))\n";

/* An entry that was altered is never an answer, wherever it is: not from the folder, nor from Redis. */
Test(trust, altered_entries_are_never_served, .init = redis_prepare, .fini = redis_clean) {
    enum { MODULES = 150, LEFT = 3 };
    char cache[160], path[160], command[512], *keys = NULL;
    size_t len;
    FILE *f = open_memstream(&keys, &len);
    redis_start(NULL, NULL);
    snprintf(cache, sizeof cache, "%s/cache", redis_folder);
    snprintf(path, sizeof path, "%s/alter.py", redis_folder);
    write_file(path, alter, sizeof alter - 1);
    snprintf(command, sizeof command, "python3 %s %s %s", path, redis_folder, redis_address + strlen("unix:"));
    start_keeping(cache, 0);
    for (int n = 0; n < MODULES; n++) {
        struct answer a = compile(n, NULL);
        char *key = answer_header(&a, "X-Smd-Key");
        fprintf(f, "%s\n", key);
        free(key);
        answer_free(a);
    }
    fclose(f);
    await_count(&d, SAME, MODULES);
    await_count(&d, "smd_cache_entries{tier=\"disk\"}", MODULES);
    await_count(&d, "smd_shared_written_total", MODULES);
    daemon_stop(&d);
    int status;
    bytes_free(run_command(command, keys, len, &status));
    cr_assert_eq(status, 0);
    free(keys);
    start_keeping(cache, 0);
    for (int n = 0; n < MODULES; n++)
        comes_from(n, n < MODULES - 2 * LEFT ? "compiled" : n < MODULES - LEFT ? "disk" : "shared");
    daemon_stop(&d);
}

/* ---- Clients that nobody trusts ---- */

static struct answer compile_as(const char *token, int n, const char *query) {
    char module[80], path[80], header[160];
    int len = snprintf(module, sizeof module, "define i32 @f() { ret i32 %d }\n", 1000 + n);
    snprintf(path, sizeof path, "/v1/compile%s", query);
    snprintf(header, sizeof header, "Authorization: Bearer %s", token);
    return ask(
        &d, (struct ask){
                .path = path, .body = module, .len = (size_t)len, .headers = {header, "Content-Type: text/plain"}});
}

/* 1 if the process is one of the workers. */
static int is_worker(pid_t pid) {
    pid_t pids[16];
    int n = daemon_workers(&d, pids, 16);
    for (int i = 0; i < n; i++)
        if (pids[i] == pid)
            return 1;
    return 0;
}

/* The only worker of all that is not retired after each of its jobs. */
static pid_t warm_worker(void) {
    pid_t pids[16], warm = 0;
    long most = 0;
    int n = daemon_workers(&d, pids, 16);
    for (int i = 0; i < n; i++) {
        long kib = process_kib(pids[i], "VmRSS");
        if (kib > most) {
            most = kib;
            warm = pids[i];
        }
    }
    return warm;
}

static const char *friend_token;

/* 1 if so many workers were retired; the test fails if more were. */
static int are_all_retired(void *jobs) {
    char header[160];
    snprintf(header, sizeof header, "Authorization: Bearer %s", friend_token);
    struct answer a = ask(&d, (struct ask){.path = "/metrics", .headers = {header}});
    const char *line = strstr((char *)a.body.data, RETIRED " ");
    cr_assert(a.http == 200 && line);
    long n = atol(line + strlen(RETIRED));
    cr_assert_leq(n, *(int *)jobs);
    answer_free(a);
    return n == *(int *)jobs;
}

/* Each job of an untrusted client has a process that ends after it; a trusted client's worker goes on, and serves none of
 * the others. */
Test(trust, untrusted_clients_get_processes_of_their_own) {
    enum { JOBS = 12 };
    char folder[] = "/tmp/smd-trust-XXXXXX", file[80], command[400], tokens[2][100];
    int status;
    cr_assert(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/tokens", folder);
    for (int i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "%s/smc token -f %s new %s", BIN_DIR, file,
                 i ? "stranger --untrusted --input-text" : "friend --scopes compile,metrics");
        struct bytes said = run_command(command, "", 0, &status);
        cr_assert_eq(status, 0);
        snprintf(tokens[i], sizeof tokens[i], "%.*s", (int)strcspn((char *)said.data, "\n"), (char *)said.data);
        bytes_free(said);
    }
    d = daemon_start((const char *const[]){"--tokens", file, NULL});
    for (int n = 0; n < 20; n++)
        answer_free(compile_as(tokens[0], n, "?opt=2"));
    pid_t warm = warm_worker();
    for (int n = 0; n < JOBS; n++) {
        struct answer a = compile_as(tokens[1], n, "");
        cr_expect(a.http == 200 && came_from(&a, "compiled"), "%d", a.http);
        answer_free(a);
        cr_expect(is_worker(warm), "the warm worker served an untrusted job, after which it ended");
        a = compile_as(tokens[0], 100 + n, "");
        cr_expect_eq(a.http, 200);
        answer_free(a);
    }
    friend_token = tokens[0];
    await(are_all_retired, &(int){JOBS}, 60, "the last untrusted worker's end");
    struct answer a;
    char header[160];
    static const char bitcode[] = "BC\xc0\xde";
    snprintf(header, sizeof header, "Authorization: Bearer %s", tokens[1]);
    a = ask(&d, (struct ask){.path = "/v1/compile",
                             .body = bitcode,
                             .len = 4,
                             .headers = {header, "Content-Type: application/octet-stream"}});
    assert_problem(&a, 415, "unsupported_media_type");
    answer_free(a);
    daemon_stop(&d);
    snprintf(command, sizeof command, "rm -r %s", folder);
    bytes_free(run_command(command, "", 0, &status));
}
