/* The queue of jobs that servers share: a job that was accepted comes to its end, whatever happens to servers and
 * Redis, and any server answers for it. */
#include "http.h"
#include "modules.h"
#include "redisserver.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(durable, .init = redis_prepare, .fini = redis_clean, .timeout = 600);

static void redis_start_safe(void) {
    redis_start("--appendonly", "yes");
}

static int is_up(void *arg) {
    return metric(arg, "smd_job_queue_up") == 1;
}

static int is_down(void *arg) {
    return metric(arg, "smd_job_queue_up") == 0;
}

/* A server of the queue, with two more settings (the names may be NULL). */
static struct daemon start_with(const char *name, const char *value, const char *other, const char *other_value) {
    struct daemon d = daemon_start((const char *const[]){
        "--job-queue", redis_address, "--mac-key", redis_key_file, "--job-ttl-s", "3600", "--cache-memory-mib", "64",
        name ? name : "--job-lease-s", name ? value : "3600", other, other_value, NULL});
    return d;
}

static struct daemon start(const char *name, const char *value) {
    struct daemon d = start_with(name, value, NULL, NULL);
    await(is_up, &d, 60, "the queue");
    return d;
}

static const char *numbered(int i) {
    static _Thread_local char module[96];
    snprintf(module, sizeof module, "define i32 @f() {\n  ret i32 %d\n}\n", i);
    return module;
}

#define QUERY "?opt=1&emit=obj,asm&name=numbered"

/* Has module I queued; gives the job's path, *new*. */
static char *add(const struct daemon *d, int i) {
    struct answer a = post(d, "/v1/jobs" QUERY, numbered(i));
    cr_assert_eq(a.http, 202, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    char *location = answer_header(&a, "Location");
    cr_assert(location && strlen(location) == strlen("/v1/jobs/") + 32);
    answer_free(a);
    return location;
}

/* What there is of the job when it has ended. */
static struct answer end_of(const struct daemon *d, const char *job) {
    char path[128];
    snprintf(path, sizeof path, "%s?wait=60", job);
    for (;;) {
        struct answer a = get(d, path);
        if (a.http != 202)
            return a;
        answer_free(a);
    }
}

/* The job ends with the code of module I. */
static void gives(const struct daemon *d, const char *job, int i) {
    struct answer a = end_of(d, job);
    char number[24];
    snprintf(number, sizeof number, "movl\t$%d, %%eax", i);
    cr_assert_eq(a.http, 200, "%d %s", a.http, a.body.data ? (char *)a.body.data : "");
    cr_assert(strstr(member(&a, "asm"), number), "%s in %s", number, member(&a, "asm"));
    answer_free(a);
}

#define EVENT(event) "smd_job_queue_total{event=\"" event "\"}"
#define ERRORS(kind) "smd_job_queue_errors_total{kind=\"" kind "\"}"

static void kill_server(struct daemon *d) {
    kill(d->pid, SIGKILL);
    daemon_wait(d);
    daemon_stop(d);
}

/* smc with this command ends so, and says that. What doctor finds wrong with a busy machine it is asked again. */
static void smc_says(const struct daemon *d, const char *arguments, int expected, const char *text) {
    char command[512];
    int status;
    snprintf(command, sizeof command, BIN_DIR "/smc -s %s %s 2>&1", d->url, arguments);
    struct bytes said = run_command(command, "", 0, &status);
    while (strstr((char *)said.data, "WRONG  it answers in ")) {
        bytes_free(said);
        said = run_command(command, "", 0, &status);
    }
    cr_assert_eq(status, expected, "%s: %d: %s", arguments, status, (char *)said.data);
    cr_assert(strstr((char *)said.data, text), "%s: %s", arguments, (char *)said.data);
    bytes_free(said);
}

Test(durable, any_server_answers_for_any_job) {
    redis_start_safe();
    struct daemon a = start(NULL, NULL), b = start(NULL, NULL);
    char *one = add(&a, 1), *two = add(&a, 2), *wrong = NULL;
    gives(&b, one, 1);
    gives(&b, two, 2);
    gives(&b, one, 1); /* again: it is kept */
    struct answer direct = post(&b, "/v1/compile" QUERY, numbered(1)), queued = end_of(&a, one);
    cr_assert_str_eq((char *)queued.body.data, (char *)direct.body.data);
    char *key = answer_header(&queued, "X-Smd-Key"), *direct_key = answer_header(&direct, "X-Smd-Key");
    cr_assert_str_eq(key, direct_key);
    answer_free(direct);
    answer_free(queued);
    /* A failure is a result, too. */
    struct answer p = post(&a, "/v1/jobs", "define");
    wrong = answer_header(&p, "Location");
    cr_assert_eq(p.http, 202);
    answer_free(p);
    p = end_of(&b, wrong);
    assert_problem(&p, 422, "parse_error");
    answer_free(p);
    /* What one server forgets, all have forgotten. */
    p = ask(&b, (struct ask){.method = "DELETE", .path = one});
    cr_assert_eq(p.http, 200);
    answer_free(p);
    p = get(&a, one);
    assert_problem(&p, 404, "job_not_found");
    answer_free(p);
    daemon_stop(&a);
    gives(&b, two, 2);
    char *keys = redis_cli("xlen smd:jobs"), *clients = redis_cli("exists smd:jobs:clients");
    cr_assert_str_eq(keys, "0");
    cr_assert_str_eq(clients, "0");
    cr_assert(metric(&b, "smd_job_queue_seconds_count") == metric(&b, EVENT("taken")));
    free(keys);
    free(clients);
    free(key);
    free(direct_key);
    free(one);
    free(two);
    free(wrong);
    daemon_stop(&b);
}

Test(durable, a_server_that_dies_with_a_job_costs_its_lease) {
    redis_start_safe();
    struct daemon a = start("--job-lease-s", "1");
    daemon_hold_workers(&a, 2);
    char *job = add(&a, 1);
    await_count(&a, EVENT("taken"), 1);
    kill_server(&a);
    struct daemon b = start("--job-lease-s", "1");
    gives(&b, job, 1);
    cr_assert_eq(metric(&b, EVENT("taken_over")), 1);
    daemon_await_log(&b, "job_taken_over");
    free(job);
    daemon_stop(&b);
}

/* 1 if a job that a server has for three leases, of so many seconds, is taken over by nobody. */
static int stays(int lease_s) {
    char lease[16], path[128];
    snprintf(lease, sizeof lease, "%d", lease_s);
    struct daemon a = start("--job-lease-s", lease), b;
    struct held held = daemon_hold_workers(&a, 2);
    char *job = add(&a, 1);
    await_count(&a, EVENT("taken"), 1);
    b = start("--job-lease-s", lease);
    snprintf(path, sizeof path, "%s?wait=%d", job, 3 * lease_s);
    answer_free(get(&b, path));
    int is_stolen = metric(&b, EVENT("taken")) != 0;
    daemon_release(&held);
    gives(&b, job, 1);
    int is_lost = metric(&a, EVENT("lost")) != 0;
    free(job);
    daemon_stop(&a);
    daemon_stop(&b);
    return !is_stolen && !is_lost;
}

/* A server that is slow, or has long jobs, renews them: nobody takes them over. A machine that holds the server up for a
 * whole lease shows nothing, and has a longer one. */
Test(durable, a_job_that_is_renewed_stays) {
    enum { LONGEST_S = 16 };
    int lease_s = 1;
    redis_start_safe();
    while (!stays(lease_s))
        cr_assert_leq(lease_s *= 2, LONGEST_S, "a job that its server has is another's");
}

/* A drain gives jobs back at once, and such a delivery does not count. */
Test(durable, a_server_that_is_stopped_gives_its_jobs_back) {
    redis_start_safe();
    struct daemon a = start(NULL, NULL);
    daemon_hold_workers(&a, 2);
    char *job = add(&a, 1);
    await_count(&a, EVENT("taken"), 1);
    daemon_stop(&a);
    struct daemon b = start("--job-deliveries", "1");
    gives(&b, job, 1);
    cr_assert_eq(metric(&b, EVENT("taken_over")), 0);
    free(job);
    daemon_stop(&b);
}

Test(durable, jobs_outlive_redis_and_all_servers) {
    redis_start_safe();
    struct daemon a = start(NULL, NULL);
    struct held held = daemon_hold_workers(&a, 2);
    char *one = add(&a, 1);
    await_count(&a, EVENT("taken"), 1);
    redis_kill();
    await(is_down, &a, 60, "the queue to be down");
    struct answer p = post(&a, "/v1/jobs" QUERY, numbered(2));
    assert_problem(&p, 503, "queue_unavailable");
    char *after = answer_header(&p, "Retry-After");
    cr_assert(after && atoi(after) >= 1);
    free(after);
    answer_free(p);
    p = get(&a, one);
    assert_problem(&p, 503, "queue_unavailable");
    answer_free(p);
    daemon_release(&held); /* it ends while there is nobody to tell */
    redis_start_safe();
    await(is_up, &a, 120, "the queue");
    gives(&a, one, 1);
    cr_assert(metric(&a, ERRORS("lost")) >= 1);
    daemon_await_log(&a, "job_queue_lost");
    daemon_await_log(&a, "job_queue_up");
    /* A job that nobody has: all servers end, and Redis, too. */
    held = daemon_hold_workers(&a, 2);
    char *two = add(&a, 2);
    daemon_stop(&a);
    redis_kill();
    redis_start_safe();
    struct daemon b = start(NULL, NULL);
    gives(&b, two, 2);
    gives(&b, one, 1);
    free(one);
    free(two);
    daemon_stop(&b);
}

/* A job that an old version has taken is run by the new one, under the key that it has there. */
Test(durable, jobs_outlive_an_upgrade) {
    redis_start_safe();
    struct daemon old = start("--cache-salt", "old"), new;
    daemon_hold_workers(&old, 2);
    char *job = add(&old, 1);
    await_count(&old, EVENT("taken"), 1);
    new = start("--cache-salt", "new");
    daemon_stop(&old);
    gives(&new, job, 1);
    struct answer direct = post(&new, "/v1/compile" QUERY, numbered(1)), queued = end_of(&new, job);
    char *key = answer_header(&queued, "X-Smd-Key"), *direct_key = answer_header(&direct, "X-Smd-Key");
    cr_assert_str_eq(key, direct_key);
    answer_free(direct);
    answer_free(queued);
    free(key);
    free(direct_key);
    free(job);
    daemon_stop(&new);
}

/* A job that servers die of is set aside, until an operator has it run again. */
Test(durable, a_job_that_was_lost_too_often_is_dead) {
    redis_start_safe();
    struct daemon a = start("--job-lease-s", "1");
    daemon_hold_workers(&a, 2);
    char *job = add(&a, 1), path[128];
    const char *id = job + strlen("/v1/jobs/");
    await_count(&a, EVENT("taken"), 1);
    kill_server(&a);
    struct daemon b = start_with("--job-lease-s", "1", "--job-deliveries", "1");
    await(is_up, &b, 60, "the queue");
    struct answer p = end_of(&b, job);
    assert_problem(&p, 500, "job_dead");
    answer_free(p);
    cr_assert_eq(metric(&b, EVENT("dead")), 1);
    daemon_await_log(&b, "job_dead");
    await_count(&b, "smd_job_queue_jobs{state=\"dead\"}", 1);
    p = get(&b, "/v1/dead-jobs");
    cr_assert_eq(p.http, 200, "%s", (char *)p.body.data);
    const json_t *first = json_array_get(json_object_get(p.json, "jobs"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(first, "id")), id);
    cr_assert_eq(json_integer_value(json_object_get(first, "deliveries")), 1);
    cr_assert_eq(json_integer_value(json_object_get(p.json, "dead")), 1);
    answer_free(p);
    smc_says(&b, "jobs", 0, id);
    smc_says(&b, "jobs --retry 0123", 3, "no job");
    smc_says(&b, "jobs --retry", 2, "either");
    smc_says(&b, "jobs --retry --all", 0, id);
    gives(&b, job, 1);
    smc_says(&b, "jobs", 0, "dead 0");
    snprintf(path, sizeof path, "/v1/dead-jobs/%s", id);
    p = ask(&b, (struct ask){.method = "POST", .path = path});
    assert_problem(&p, 404, "job_not_found");
    answer_free(p);
    char *left = redis_cli("exists smd:dead:%s", id);
    cr_assert_str_eq(left, "0");
    free(left);
    free(job);
    daemon_stop(&b);
}

/* A network that is cut is silent. The job that the server has is another's after a lease, and when it is back its
 * own result comes too late. */
Test(durable, a_server_that_is_cut_off_loses_its_jobs_to_others) {
    struct relay way;
    char where[64];
    redis_start_safe();
    relay_begin(&way);
    snprintf(where, sizeof where, "redis://127.0.0.1:%d", way.port);
    struct daemon a = start_with("--job-lease-s", "1", "--job-queue", where), b;
    await(is_up, &a, 60, "the queue");
    struct held held = daemon_hold_workers(&a, 2);
    char *job = add(&a, 1);
    await_count(&a, EVENT("taken"), 1);
    atomic_store(&way.is_cut, 1);
    b = start("--job-lease-s", "1");
    gives(&b, job, 1);
    cr_assert_eq(metric(&b, EVENT("taken_over")), 1);
    await(is_down, &a, 60, "the queue to be down");
    struct answer p = post(&a, "/v1/jobs" QUERY, numbered(2));
    assert_problem(&p, 503, "queue_unavailable");
    answer_free(p);
    atomic_store(&way.is_cut, 0);
    await(is_up, &a, 120, "the queue");
    await_count(&a, EVENT("lost"), 1);
    daemon_release(&held);
    gives(&a, job, 1);
    cr_assert_eq(metric(&a, EVENT("ended")), 0);
    free(job);
    daemon_stop(&a);
    daemon_stop(&b);
    relay_end(&way);
}

static int is_idle(void *arg) {
    return metric(arg, "smd_workers{state=\"busy\"}") == 0;
}

/* A job that is removed at one server ends at the other that runs it. */
Test(durable, a_job_that_is_removed_ends_where_it_runs) {
    redis_start_safe();
    struct daemon a = start("--job-lease-s", "1"), b;
    struct answer p = post(&a, "/v1/jobs?opt=3&deadline_ms=600000", module_endless);
    char *job = answer_header(&p, "Location");
    cr_assert_eq(p.http, 202);
    answer_free(p);
    await_count(&a, "smd_workers{state=\"busy\"}", 1);
    b = start(NULL, NULL);
    p = ask(&b, (struct ask){.method = "DELETE", .path = job});
    cr_assert_eq(p.http, 200);
    answer_free(p);
    await_count(&a, EVENT("lost"), 1);
    await(is_idle, &a, 60, "the compile to end");
    p = get(&a, job);
    assert_problem(&p, 404, "job_not_found");
    answer_free(p);
    free(job);
    daemon_stop(&a);
    daemon_stop(&b);
}

/* Whatever comes in place of an answer is none: the queue is down, and all else goes on. */
Test(durable, a_redis_that_lies_is_left) {
    static char page[65536];
    memset(page, 'x', sizeof page - 1);
    const struct liar lies[] = {{.reply = "*1000000000\r\n", .repeat = 1},
                                {.reply = "$999999999999999\r\n", .repeat = 1},
                                {.reply = ":5\r\n", .repeat = 1},
                                {.reply = "-ERR no\r\n", .repeat = 1},
                                {.reply = "$1\r\nd\r\n", .repeat = 100000},
                                {.reply = "$5\r\ndead \r\n", .repeat = 100},
                                {.reply = "$12\r\n1-1 1 x 5\nab\r\n", .repeat = 3},
                                {.reply = "", .repeat = 0},
                                {.reply = page, .repeat = 10000}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct liar l = lies[i];
        char where[64];
        liar_begin(&l);
        snprintf(where, sizeof where, "redis://127.0.0.1:%d", l.port);
        struct daemon d = start_with("--job-queue", where, NULL, NULL);
        await_count(&d, ERRORS("lost"), 2);
        struct answer p = post(&d, "/v1/jobs" QUERY, numbered(1));
        assert_problem(&p, 503, "queue_unavailable");
        answer_free(p);
        p = post(&d, "/v1/compile" QUERY, numbered(1));
        cr_assert_eq(p.http, 200, "lie %zu", i);
        answer_free(p);
        daemon_stop(&d);
        liar_end(&l);
    }
}

/* Whoever can write to Redis has no job run, and has no result believed. */
Test(durable, what_is_not_sealed_is_neither_run_nor_answered) {
    redis_start_safe();
    struct daemon stranger = start("--mac-key", redis_other_key_file);
    daemon_hold_workers(&stranger, 2);
    char *job = add(&stranger, 1);
    daemon_stop(&stranger);
    struct daemon a = start("--job-deliveries", "2");
    struct answer p = get(&a, job);
    cr_assert_eq(p.http, 202);
    answer_free(p);
    await_count(&a, ERRORS("damaged"), 1);
    char *one = add(&a, 1), *two = add(&a, 2);
    gives(&a, one, 1);
    gives(&a, two, 2);
    free(redis_cli("copy smd:job:%s smd:job:%s replace", two + strlen("/v1/jobs/"), one + strlen("/v1/jobs/")));
    p = get(&a, one);
    assert_problem(&p, 404, "job_not_found");
    answer_free(p);
    daemon_await_log(&a, "job_queue_damaged");
    free(one);
    free(two);
    free(job);
    daemon_stop(&a);
}

Test(durable, the_queue_is_bounded) {
    redis_start_safe();
    struct daemon a = start("--job-queue-jobs", "1"), b = start("--client-jobs", "2");
    struct held of_a = daemon_hold_workers(&a, 2), of_b = daemon_hold_workers(&b, 2);
    char *one = add(&a, 1);
    struct answer p = post(&a, "/v1/jobs" QUERY, numbered(2));
    assert_problem(&p, 503, "overloaded");
    answer_free(p);
    char *two = add(&b, 2);
    p = post(&b, "/v1/jobs" QUERY, numbered(3));
    assert_problem(&p, 429, "too_many_requests");
    answer_free(p);
    /* It is full, and says so. */
    free(redis_cli("config set maxmemory 1"));
    p = ask(&b, (struct ask){.method = "DELETE", .path = two});
    cr_assert_eq(p.http, 200, "%d", p.http);
    answer_free(p);
    p = post(&b, "/v1/jobs" QUERY, numbered(3));
    assert_problem(&p, 503, "queue_unavailable");
    answer_free(p);
    cr_assert_eq(metric(&b, ERRORS("write")), 1);
    cr_assert_eq(metric(&b, "smd_job_queue_up"), 1);
    free(redis_cli("config set maxmemory 0"));
    char *three = add(&b, 3);
    daemon_release(&of_a);
    daemon_release(&of_b);
    gives(&a, one, 1);
    gives(&b, three, 3);
    p = get(&a, two);
    assert_problem(&p, 404, "job_not_found");
    answer_free(p);
    free(one);
    free(two);
    free(three);
    daemon_stop(&a);
    daemon_stop(&b);
}

Test(durable, a_policy_that_loses_jobs_is_warned_of) {
    redis_start("--maxmemory-policy", "allkeys-lru");
    struct daemon a = start(NULL, NULL);
    daemon_await_log(&a, "maxmemory-policy noeviction");
    daemon_await_log(&a, "appendonly yes");
    cr_assert_eq(metric(&a, "smd_job_queue_safe"), 0);
    smc_says(&a, "doctor", 3, "may lose jobs");
    daemon_stop(&a);
    redis_kill();
    redis_start_safe();
    a = start(NULL, NULL);
    await_count(&a, "smd_job_queue_safe", 1);
    cr_assert_not(daemon_has_logged(&a, "job_queue_policy"));
    int is_bare = getenv("SMD_SANDBOX") != NULL; /* as in builds with sanitizers, which doctor finds wrong */
    smc_says(&a, "doctor", is_bare ? 3 : 0, "keeps what it has");
    daemon_stop(&a);
}

Test(durable, settings_that_are_wrong_are_refused) {
    static const struct {
        const char *flags, *says;
    } wrong[] = {{"--job-queue redis://127.0.0.1", "job_queue: mac_key has to name a file"},
                 {"--job-queue redis://127.0.0.1 --mac-key /nowhere", "cannot read /nowhere"},
                 {"--job-queue 127.0.0.1:6379 --mac-key /dev/null", "job_queue: '127.0.0.1:6379' is not redis://"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        daemon_refuses(wrong[i].flags, wrong[i].says);
}

/* A server's answer to whoever shows the token of the next test. */
static struct answer ask_as_ci(const struct daemon *d, const char *path, const char *body) {
    return ask(d, (struct ask){.path = path,
                               .body = body,
                               .len = body ? strlen(body) : 0,
                               .headers = {"Authorization: Bearer secret", "Content-Type: text/plain"}});
}

static int takes_jobs(void *d) {
    struct answer a = ask_as_ci(d, "/v1/jobs", numbered(1));
    int does = a.http == 202;
    answer_free(a);
    return does;
}

static int has_counted(void *d) {
    struct answer a = ask_as_ci(d, "/metrics", NULL);
    const char *spent = strstr((char *)a.body.data, "smd_tenant_cpu_seconds_total{tenant=\"builds\"} ");
    int has = spent && strtod(strchr(spent, ' '), NULL) > 0;
    answer_free(a);
    return has;
}

/* What a job of the queue takes of workers counts for the token that sent it. */
Test(durable, jobs_count_for_their_token) {
    static const char text[] =
        "{\"tokens\":[{\"name\":\"ci\",\"tenant\":\"builds\",\"scopes\":[\"compile\",\"metrics\"],"
        "\"sha256\":\"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b\"}]}";
    char path[128];
    snprintf(path, sizeof path, "%s/tokens", redis_folder);
    write_file(path, text, strlen(text));
    redis_start_safe();
    struct daemon d = start_with("--tokens", path, NULL, NULL);
    await(takes_jobs, &d, 60, "the queue");
    await(has_counted, &d, 60, "the job to be done");
    daemon_stop(&d);
}

Test(durable, without_a_queue_there_are_no_dead_jobs) {
    struct daemon d = daemon_start(NULL);
    struct answer p = get(&d, "/v1/dead-jobs");
    assert_problem(&p, 404, "not_found");
    answer_free(p);
    daemon_stop(&d);
}
