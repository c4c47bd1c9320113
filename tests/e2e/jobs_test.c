/* Compiles without waiting: made, polled, long-polled, deleted, forgotten. */
#include "http.h"
#include "modules.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct daemon d;
static const char fine[] = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

static void start(void) {
    d = daemon_start((const char *const[]){"--job-ttl-s", "3600", NULL});
}

static void stop(void) {
    daemon_stop(&d);
}

TestSuite(jobs, .init = start, .fini = stop, .timeout = 600);

#define ENDLESS "?opt=3&deadline_ms=600000"

/* Makes a job; gives its path, *new*. */
static char *make(const char *query, const void *body, size_t len) {
    char path[256];
    snprintf(path, sizeof path, "/v1/jobs%s", query);
    struct answer a = ask(&d, (struct ask){.path = path, .body = body, .len = len});
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *location = answer_header(&a, "Location");
    cr_assert(location && strncmp(location, "/v1/jobs/", 9) == 0);
    cr_assert_str_eq(location + 9, member(&a, "id"));
    answer_free(a);
    return location;
}

static struct answer poll_for(const char *location, int seconds, const char *accept) {
    char path[256];
    snprintf(path, sizeof path, "%s?wait=%d", location, seconds);
    return ask(&d, (struct ask){.path = path, .headers = {accept}});
}

struct watch {
    char path[100];
    const char *stage; /* NULL: until the compile is there no longer */
};

static int has_come_to(void *arg) {
    const struct watch *w = arg;
    struct answer a = get(&d, w->path);
    const char *stage = json_string_value(json_object_get(a.json, "stage"));
    int there = w->stage ? stage && strcmp(stage, w->stage) == 0 : a.http == 404;
    if (a.http == 404)
        assert_problem(&a, 404, "job_not_found");
    else if (stage) /* one that runs may be at no stage yet */
        cr_expect_str_eq(member(&a, "state"), "running");
    answer_free(a);
    return there;
}

/* Who has a compile's key learns how far it is, as long as somebody waits for it. */
Test(jobs, progress) {
    struct answer a =
        ask(&d, (struct ask){.path = "/v1/jobs" ENDLESS, .body = module_endless, .len = strlen(module_endless)});
    char *location = answer_header(&a, "Location"), *key = answer_header(&a, "X-Smd-Key");
    struct watch w = {.stage = "optimize"};
    snprintf(w.path, sizeof w.path, "/v1/progress/%s", key);
    await(has_come_to, &w, 20, "the stage");
    answer_free(a);
    answer_free(ask(&d, (struct ask){.method = "DELETE", .path = location}));
    w.stage = NULL;
    await(has_come_to, &w, 20, "the end");
    a = get(&d, "/v1/progress/0123");
    assert_problem(&a, 404, "job_not_found");
    answer_free(a);
    free(location);
    free(key);
}

/* Asks until the job has ended. */
static struct answer result_of(const char *location, const char *accept) {
    for (;;) {
        struct answer a = poll_for(location, 60, accept);
        if (a.http != 202)
            return a;
        answer_free(a);
    }
}

Test(jobs, the_answer_is_the_one_of_compile) {
    char *job = make("?opt=1", fine, sizeof fine - 1);
    struct answer a = result_of(job, "Accept: */*"), direct = post(&d, "/v1/compile?opt=1", fine);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_assert_str_eq((char *)a.body.data, (char *)direct.body.data);
    struct answer object = poll_for(job, 0, "Accept: application/octet-stream");
    cr_assert_eq(object.http, 200);
    cr_assert_eq(memcmp(object.body.data, "\177ELF", 4), 0);
    answer_free(a);
    answer_free(direct);
    answer_free(object);
    free(job);
}

Test(jobs, failures_are_problems) {
    char *job = make("", "nonsense", 8);
    struct answer a = result_of(job, "Accept: */*");
    assert_problem(&a, 422, "parse_error");
    answer_free(a);
    free(job);
    a = post(&d, "/v1/jobs?oppt=1", fine);
    assert_problem(&a, 400, "unknown_option");
    answer_free(a);
    a = post(&d, "/v1/jobs", "");
    assert_problem(&a, 400, "empty_body");
    answer_free(a);
}

Test(jobs, waiting_is_told_and_deleting_frees_the_worker) {
    char *job = make(ENDLESS, module_endless, strlen(module_endless));
    struct answer a = poll_for(job, 0, "Accept: */*");
    cr_assert_eq(a.http, 202);
    cr_assert_str_eq(member(&a, "state"), "waiting");
    answer_free(a);
    a = ask(&d, (struct ask){.method = "DELETE", .path = job});
    cr_assert_eq(a.http, 200);
    answer_free(a);
    a = ask(&d, (struct ask){.method = "DELETE", .path = job});
    assert_problem(&a, 404, "job_not_found");
    answer_free(a);
    a = poll_for(job, 0, "Accept: */*");
    assert_problem(&a, 404, "job_not_found");
    answer_free(a);
    free(job);
}

Test(jobs, a_long_poll_ends_in_time) {
    char *job = make(ENDLESS, module_endless, strlen(module_endless));
    struct answer a = poll_for(job, 1, "Accept: */*");
    cr_assert_eq(a.http, 202, "%d", a.http);
    answer_free(a);
    answer_free(ask(&d, (struct ask){.method = "DELETE", .path = job}));
    free(job);
}

/* Asked by a request that counts as well; one that was answered just before may be counted still. */
static int is_in_progress(void *unused) {
    (void)unused;
    return metric(&d, "smd_requests_active") >= 2;
}

/* The poll is sent before the daemon is told to stop, and is answered whether or not it was read by then. */
Test(jobs, draining_ends_long_polls) {
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--drain-timeout-s", "1", NULL}); /* for the job, which does not end */
    char *job = make(ENDLESS, module_endless, strlen(module_endless)), status[14] = "", request[300];
    int fd = daemon_connect(&d), http;
    int n = snprintf(request, sizeof request, "GET %s?wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n", job);
    cr_assert_eq(send(fd, request, (size_t)n, MSG_NOSIGNAL), n);
    await(is_in_progress, NULL, 20, "the long poll");
    daemon_stop(&d);
    cr_assert_eq(recv(fd, status, 13, MSG_WAITALL), 13);
    http = atoi(status + 9);
    cr_assert(http == 202 || http == 503, "%d", http);
    close(fd);
    free(job);
    start(); /* for the suite's end */
}

static int is_forgotten(void *arg) {
    struct answer a = poll_for(arg, 0, "Accept: */*");
    int http = a.http;
    answer_free(a);
    return http == 404;
}

Test(jobs, results_are_forgotten) {
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--job-ttl-s", "1", NULL});
    char *job = make("", fine, sizeof fine - 1);
    answer_free(result_of(job, "Accept: */*"));
    await(is_forgotten, job, 20, "the job to be forgotten");
    free(job);
}

static long compiled(void) {
    long n = metric(&d, "smd_compiles_total{code=\"ok\"}");
    return n < 0 ? 0 : n;
}

static int more_are_compiled(void *before) {
    return compiled() > *(long *)before;
}

/* Two clients. */
#define ANN "127.0.0.2"
#define BOB "127.0.0.3"

/* Has a job made by the client at this address, and compiled; nobody has fetched it. Gives its path, *new*. */
static char *make_as(const char *address, const char *ir) {
    long before = compiled();
    struct answer a = ask(&d, (struct ask){.path = "/v1/jobs", .body = ir, .len = strlen(ir), .from = address});
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *location = answer_header(&a, "Location");
    answer_free(a);
    await(more_are_compiled, &before, 20, "the compile");
    return location;
}

/* 200 and 202 count as there; who asks for a result fetches it. */
static int is_there(char *job) {
    return !is_forgotten(job);
}

/* Nobody is refused for what is done: it makes room, what was fetched first, then the oldest of whoever has most. */
Test(jobs, finished_ones_make_room) {
    enum { ROOM = 4 };
    char *ann[ROOM], *bob[3];
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--queue-jobs", "4", "--job-ttl-s", "3600", NULL});
    for (int i = 0; i < ROOM; i++)
        ann[i] = make_as(ANN, fine);
    bob[0] = make_as(BOB, fine);
    await(is_forgotten, ann[0], 20, "the oldest of who has most to go");
    cr_assert(is_there(bob[0]));
    cr_assert(is_there(ann[1]));
    bob[1] = make_as(BOB, fine);
    await(is_forgotten, ann[1], 20, "one that was fetched to go");
    cr_assert(is_there(bob[0]), "it was fetched before, but came later");
    bob[2] = make_as(BOB, fine);
    await(is_forgotten, bob[0], 20, "one that was fetched to go, whoever has most");
    for (int i = 0; i < 3 * ROOM; i++)
        free(make_as(ANN, fine));
    cr_assert(is_there(bob[1]), "one client's flood takes nothing from another");
    cr_assert(is_there(bob[2]));
    for (int i = 0; i < ROOM; i++)
        free(ann[i]);
    for (int i = 0; i < 3; i++)
        free(bob[i]);
}

Test(jobs, finished_ones_are_bounded_in_bytes) {
    static const char large[] =
        "define void @f() {\n  call void asm sideeffect \".zero 400000\", \"\"()\n  ret void\n}\n";
    char *job[3];
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--queue-mib", "1", "--job-ttl-s", "3600", NULL});
    for (int i = 0; i < 3; i++)
        job[i] = make_as(ANN, large);
    await(is_forgotten, job[0], 20, "the oldest to go");
    cr_assert(is_there(job[1]));
    cr_assert(is_there(job[2]));
    for (int i = 0; i < 3; i++)
        free(job[i]);
}

Test(jobs, wrong_questions) {
    struct answer a = get(&d, "/v1/jobs/none?wait=x");
    assert_problem(&a, 400, "invalid_option");
    answer_free(a);
    a = get(&d, "/v1/jobs/none?wait=61");
    assert_problem(&a, 400, "invalid_option");
    answer_free(a);
    a = get(&d, "/v1/jobs/none?weight=1");
    assert_problem(&a, 400, "unknown_option");
    answer_free(a);
    a = get(&d, "/v1/jobs/none");
    assert_problem(&a, 404, "job_not_found");
    answer_free(a);
    a = ask(&d, (struct ask){.method = "PUT", .path = "/v1/jobs/none"});
    assert_problem(&a, 405, "method_not_allowed");
    answer_free(a);
}

static struct answer batch(const char *body) {
    return ask(&d, (struct ask){.path = "/v1/batch",
                                .body = body,
                                .len = strlen(body),
                                .headers = {"Content-Type: application/json"}});
}

Test(jobs, a_batch_is_answered_in_order_and_one_fails_alone) {
    struct answer a = batch(
        "[{\"ir\":\"define void @one() { ret void }\"},{\"ir\":\"nonsense\"},{\"ir\":\"x\",\"options\":{\"oppt\":1}},"
        "{\"ir\":\"define void @four() { ret void "
        "}\",\"options\":{\"target\":\"aarch64-linux-gnu\",\"emit\":[\"ir\",\"obj\"]}}]");
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    json_t *results = json_object_get(a.json, "results");
    cr_assert_eq(json_array_size(results), 4);
    cr_assert(json_string_length(json_object_get(json_array_get(results, 0), "obj")) > 100);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(results, 1), "code")), "parse_error");
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(results, 2), "code")), "unknown_option");
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(results, 2), "option")), "oppt");
    cr_assert(strstr(json_string_value(json_object_get(json_array_get(results, 3), "ir")), "@four"));
    answer_free(a);
}

Test(jobs, batches_that_are_none) {
    static const char *const wrong[] = {"[]", "{}", "[", "1"};
    for (int i = 0; i < 4; i++) {
        struct answer a = batch(wrong[i]);
        assert_problem(&a, 400, "invalid_json");
        answer_free(a);
    }
    struct answer a = post(&d, "/v1/batch", "text");
    assert_problem(&a, 415, "unsupported_media_type");
    answer_free(a);
}

/* One upload, several levels: each is what a request for that level alone is answered. */
Test(jobs, tiers_follow_the_first_answer) {
    struct answer a = post(&d, "/v1/compile?tiers=1,0,3", fine), direct = post(&d, "/v1/compile?opt=0", fine);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    cr_assert_str_eq((char *)a.body.data, (char *)direct.body.data);
    char *tiers = answer_header(&a, "X-Smd-Tiers");
    char place[2][64];
    cr_assert_eq(sscanf(tiers, "1=%41[^,], 3=%41s", place[0], place[1]), 2, "%s", tiers);
    answer_free(a);
    answer_free(direct);
    for (int i = 0; i < 2; i++) {
        a = result_of(place[i], "Accept: */*");
        direct = post(&d, i ? "/v1/compile?opt=3" : "/v1/compile?opt=1", fine);
        cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
        cr_assert_str_eq((char *)a.body.data, (char *)direct.body.data);
        answer_free(a);
        answer_free(direct);
    }
    free(tiers);
}

/* In the JSON form too, and where the parser is another thread; a level alone is the option opt. */
Test(jobs, tiers_of_the_json_form) {
    struct bytes text = {malloc(200000), 0};
    text.len = (size_t)sprintf((char *)text.data, "{\"options\":{\"tiers\":\"0,2\"},\"ir\":\"%*s", 150000, "");
    text.len += (size_t)sprintf((char *)text.data + text.len, "define void @f() {\\n  ret void\\n}\\n\"}");
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile",
                                           .body = text.data,
                                           .len = text.len,
                                           .headers = {"Content-Type: application/json"}});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    char *tiers = answer_header(&a, "X-Smd-Tiers");
    cr_assert(tiers && strncmp(tiers, "2=/v1/jobs/", 11) == 0);
    answer_free(a);
    a = result_of(tiers + 2, "Accept: */*");
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    a = post(&d, "/v1/compile?tiers=3", fine);
    cr_assert_null(answer_header(&a, "X-Smd-Tiers"));
    cr_assert_str_eq(json_string_value(json_object_get(json_object_get(a.json, "options"), "opt")), "3");
    answer_free(a);
    free(tiers);
    bytes_free(text);
}

Test(jobs, tiers_that_are_none) {
    static const char *const paths[] = {"/v1/compile?tiers=0,2&opt=3", "/v1/jobs?tiers=0,2", "/v1/compile?tiers=4"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct answer a = post(&d, paths[i], fine);
        assert_problem(&a, 400, "invalid_option");
        cr_assert_str_eq(member(&a, "option"), "tiers");
        answer_free(a);
    }
    struct answer a = post(&d, "/v1/compile?tiers=0,2", "nonsense");
    assert_problem(&a, 422, "parse_error");
    answer_free(a);
}

/* No room for more jobs: the first level is answered all the same, and what follows is not promised. */
Test(jobs, tiers_without_room) {
    struct daemon small =
        daemon_start((const char *const[]){"--queue-jobs", "1", "--workers", "1", "--cache-memory-mib", "8", NULL});
    struct answer a =
        ask(&small, (struct ask){.path = "/v1/jobs" ENDLESS, .body = module_endless, .len = strlen(module_endless)});
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *job = answer_header(&a, "Location");
    answer_free(a);
    a = post(&small, "/v1/compile?tiers=0,2&deadline_ms=1000", fine);
    cr_assert_null(answer_header(&a, "X-Smd-Tiers"), "%d", a.http);
    answer_free(a);
    answer_free(ask(&small, (struct ask){.path = job, .method = "DELETE"}));
    a = post(&small, "/v1/compile?tiers=0,2", fine);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    char *tiers = answer_header(&a, "X-Smd-Tiers");
    cr_assert_not_null(tiers);
    answer_free(a);
    free(tiers);
    free(job);
    daemon_stop(&small);
}
