/* fetch_faults_test.c - libsmclient and servers that are down, slow, overloaded, strange or lying. */
#include "artifact.h"
#include "http.h"
#include "key.h"
#include "scripted.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char add[] = "define i64 @add(i64 %a, i64 %b) {\n  %c = add i64 %a, %b\n  ret i64 %c\n}\n";
static sm_error err;

TestSuite(fetch_faults, .timeout = 120);

static sm_client *client_of(const char *const *servers, sm_client_options o) {
    o.size = sizeof o;
    o.servers = servers;
    o.backoff_ms = o.backoff_ms ? o.backoff_ms : 10;
    sm_client *c = sm_client_new(&o, &err);
    cr_assert_not_null(c, "%s", err.message);
    return c;
}

static sm_result compile(sm_client *c, sm_policy policy, uint32_t deadline_ms) {
    sm_answer *a;
    sm_request r = {.size = sizeof r, .module = add, .module_len = strlen(add)};
    r.policy = policy;
    r.deadline_ms = deadline_ms;
    sm_result result = sm_compile(c, &r, &a, &err);
    sm_answer_free(a);
    return result;
}

static sm_counters counters(sm_client *c) {
    sm_counters n;
    sm_client_counters(c, &n, sizeof n);
    return n;
}

static const char *url_of(int port) {
    static char text[8][64];
    static int next;
    char *t = text[next++ % 8];
    snprintf(t, sizeof text[0], "http://127.0.0.1:%d", port);
    return t;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- Artifacts, whole and not ------------------------------------------------------------------------------- */

#define ARTIFACT "Content-Type: application/vnd.smd.artifact\r\n"
#define PROBLEM  "Content-Type: application/problem+json\r\n"

static sm_buf artifact(void) {
    sm_buf b;
    sm_artifact a = {.status = SM_OK};
    a.part[SM_PART_META] = (sm_slice){(const unsigned char *)"{}", 2};
    a.part[SM_PART_DIAGNOSTICS] = (sm_slice){(const unsigned char *)"[]", 2};
    a.part[SM_PART_OBJECT] = (sm_slice){(const unsigned char *)"not an object", 13};
    sm_buf_init(&b, 1 << 16);
    cr_assert_eq(sm_artifact_write(&b, &a), SM_OK);
    return b;
}

/* What the scripted server does; `times` counts down to its good behaviour. */
enum behaviour {
    GOOD,
    GARBAGE,
    NO_HTTP,
    NOTHING,
    NEVER,
    HALF,
    BIT_FLIPPED,
    CUT,
    OTHER_VERSION,
    WEB_PAGE,
    WEB_PAGE_404,
    REFUSED,
    OVERLOADED,
    BROKEN,
    BROKEN_JSON,
    LONG,
    SILENT_HEAD,
    ODD_PROBLEM
};

struct script {
    enum behaviour behaviour;
    atomic_int times; /* so often, then GOOD; INT_MAX: always */
};

static struct reply changed(size_t at, unsigned char by) {
    sm_buf b = artifact();
    b.data[at] ^= by;
    struct reply r = reply("200 OK", ARTIFACT, b.data, b.len);
    sm_buf_free(&b);
    return r;
}

static struct reply shortened(size_t by) {
    sm_buf b = artifact();
    struct reply r = reply("200 OK", ARTIFACT, b.data, b.len - by);
    sm_buf_free(&b);
    return r;
}

static struct reply text(const char *status, const char *headers, const char *body) {
    return reply(status, headers, body, strlen(body));
}

static struct reply raw(const char *bytes) {
    return (struct reply){strdup(bytes), strlen(bytes), 0};
}

static struct reply by(enum behaviour b) {
    struct reply r = {NULL, 0, 0};
    switch (b) {
    case GOOD:
        return changed(0, 0);
    case GARBAGE:
        return text("200 OK", ARTIFACT, "rubbish");
    case NO_HTTP:
        return raw("SSH-2.0-OpenSSH_9.2\r\n");
    case NOTHING:
        return r;
    case NEVER:
        r.hangs = 1;
        return r;
    case HALF:
        r = changed(0, 0);
        r.len -= 20;
        return r;
    case BIT_FLIPPED:
        return changed(90, 4);
    case CUT:
        return shortened(8);
    case OTHER_VERSION:
        return changed(8, 2);
    case WEB_PAGE:
        return text("200 OK", "Content-Type: text/html\r\n", "<html>It works!</html>");
    case WEB_PAGE_404:
        return text("404 Not Found", "Content-Type: text/html\r\n", "<html>no</html>");
    case REFUSED:
        return text("401 Unauthorized", PROBLEM, "{\"code\":\"unauthorised\",\"detail\":\"No token\"}");
    case OVERLOADED:
        return text("503 Service Unavailable", PROBLEM "Retry-After: 1\r\n", "{\"code\":\"overloaded\"}");
    case BROKEN:
        return text("500 Internal Server Error", "Content-Type: text/plain\r\n", "oops");
    case BROKEN_JSON:
        return text("500 Internal Server Error", PROBLEM, "{\"code\":");
    case LONG:
        r = raw("HTTP/1.1 200 OK\r\n" ARTIFACT "Content-Length: 99999999\r\n\r\n");
        r.data = realloc(r.data, r.len + 16384);
        memset(r.data + r.len, 'x', 16384);
        r.len += 16384;
        return r;
    case SILENT_HEAD:
        r = raw("HTTP/1.1 200 OK\r\nContent-Type: ");
        r.hangs = 1;
        return r;
    case ODD_PROBLEM:
        return text(
            "422 Unprocessable Content", PROBLEM,
            "{\"code\":[],\"detail\":7,\"diagnostics\":[{\"line\":-4,\"column\":\"x\",\"message\":5},8,null]}");
    }
    return r;
}

static struct reply act(void *user, const char *head) {
    struct script *s = user;
    (void)head;
    return by(atomic_fetch_sub(&s->times, 1) > 0 ? s->behaviour : GOOD);
}

/* ---- One server, one fault ---------------------------------------------------------------------------------- */

static void gives(enum behaviour b, sm_result expected, const char *word) {
    struct script script = {b, 1000};
    struct scripted *s = scripted_start(act, &script);
    const char *url = url_of(scripted_port(s)), *const servers[] = {url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.answer_max = 8192});
    sm_result r = compile(c, SM_PREFER_REMOTE, b == NEVER || b == SILENT_HEAD ? 300 : 10000);
    cr_expect_eq(r, expected, "behaviour %d: %s %s", b, sm_result_name(r), err.message);
    cr_expect(strstr(err.message, word), "behaviour %d: %s", b, err.message);
    cr_expect_str_eq(err.server, url);
    cr_expect_eq(scripted_requests(s), 1, "behaviour %d: asked %d times", b, scripted_requests(s));
    cr_expect_eq(counters(c).result[r], 1);
    sm_client_free(c);
    scripted_stop(s);
}

Test(fetch_faults, each_has_its_result) {
    gives(GARBAGE, SM_ERR_DAMAGED, "artifact is damaged");
    gives(NO_HTTP, SM_ERR_UNREACHABLE, "");
    gives(NEVER, SM_ERR_TIMEOUT, "");
    gives(SILENT_HEAD, SM_ERR_TIMEOUT, "");
    gives(HALF, SM_ERR_UNREACHABLE, "");
    gives(BIT_FLIPPED, SM_ERR_DAMAGED, "artifact is damaged");
    gives(CUT, SM_ERR_DAMAGED, "artifact is damaged");
    gives(OTHER_VERSION, SM_ERR_INCOMPATIBLE, "another version");
    gives(WEB_PAGE, SM_ERR_INCOMPATIBLE, "text/html");
    gives(WEB_PAGE_404, SM_ERR_INCOMPATIBLE, "404");
    gives(REFUSED, SM_ERR_UNAUTHORISED, "No token");
    gives(OVERLOADED, SM_ERR_OVERLOADED, "");
    cr_expect_eq(err.retry_after_ms, 1000);
    cr_expect_str_eq(err.code, "overloaded");
    gives(BROKEN, SM_ERR_SERVER, "500");
    gives(BROKEN_JSON, SM_ERR_SERVER, "500");
    gives(LONG, SM_ERR_DAMAGED, "answer_max");
    gives(ODD_PROBLEM, SM_ERR_INVALID_INPUT, "422");
    cr_expect_eq(err.line, 0);
}

Test(fetch_faults, nobody_listens) {
    const char *const servers[] = {"http://127.0.0.1:1", NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE);
    cr_assert_eq(err.http, 0);
    const char *const names[] = {"http://nowhere.invalid", NULL};
    sm_client *n = client_of(names, (sm_client_options){.size = 0});
    cr_assert_eq(compile(n, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE);
    const char *const socket[] = {"unix:/nowhere/at/all", NULL};
    sm_client *u = client_of(socket, (sm_client_options){.size = 0});
    cr_assert_eq(compile(u, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE);
    sm_client_free(u);
    sm_client_free(n);
    sm_client_free(c);
}

/* ---- Again, and elsewhere ----------------------------------------------------------------------------------- */

static void comes_through(enum behaviour b, int times) {
    struct script script = {b, times};
    struct scripted *s = scripted_start(act, &script);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    sm_result r = compile(c, SM_REQUIRE_REMOTE, 10000);
    cr_expect_eq(r, SM_SUCCESS, "behaviour %d: %s", b, err.message);
    cr_expect_eq(scripted_requests(s), times + 1);
    cr_expect_eq(counters(c).retries, (uint64_t)times);
    sm_client_free(c);
    scripted_stop(s);
}

Test(fetch_faults, who_requires_an_answer_asks_again) {
    comes_through(NOTHING, 2);
    comes_through(HALF, 2);
    comes_through(BIT_FLIPPED, 1);
    comes_through(BROKEN, 3);
    double before = seconds();
    comes_through(OVERLOADED, 1);
    cr_expect_geq(seconds() - before, 0.9, "it came back sooner than it was asked to");
}

Test(fetch_faults, what_will_not_change_is_not_asked_again) {
    static const enum behaviour final[] = {REFUSED, WEB_PAGE, OTHER_VERSION, ODD_PROBLEM};
    for (size_t i = 0; i < sizeof final / sizeof *final; i++) {
        struct script script = {final[i], 1000};
        struct scripted *s = scripted_start(act, &script);
        const char *const servers[] = {url_of(scripted_port(s)), NULL};
        sm_client *c = client_of(servers, (sm_client_options){.size = 0});
        cr_expect_neq(compile(c, SM_REQUIRE_REMOTE, 5000), SM_SUCCESS);
        cr_expect_eq(scripted_requests(s), 1, "behaviour %d", final[i]);
        sm_client_free(c);
        scripted_stop(s);
    }
}

Test(fetch_faults, another_server_does_it) {
    static const enum behaviour bad[] = {NOTHING, NEVER,   GARBAGE,  OVERLOADED,
                                         BROKEN,  REFUSED, WEB_PAGE, OTHER_VERSION};
    struct script good = {GOOD, 0};
    struct scripted *second = scripted_start(act, &good);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct script script = {bad[i], 1000};
        struct scripted *first = scripted_start(act, &script);
        const char *const servers[] = {url_of(scripted_port(first)), url_of(scripted_port(second)), NULL};
        sm_client *c = client_of(servers, (sm_client_options){.size = 0});
        cr_expect_eq(compile(c, SM_PREFER_REMOTE, 2000), SM_SUCCESS, "behaviour %d: %s", bad[i], err.message);
        cr_expect_eq(counters(c).failovers, 1);
        sm_client_free(c);
        scripted_stop(first);
    }
    scripted_stop(second);
}

Test(fetch_faults, a_breaker_leaves_a_dead_server_alone) {
    struct script script = {NOTHING, 3};
    struct scripted *s = scripted_start(act, &script);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.breaker_failures = 3, .breaker_ms = 400});
    for (int i = 0; i < 3; i++)
        cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE);
    cr_assert_eq(counters(c).breaker_opened, 1);
    uint64_t asked = counters(c).requests;
    for (int i = 0; i < 50; i++) {
        cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE);
        cr_assert(err.retry_after_ms <= 400 && strstr(err.message, "left alone"), "%s", err.message);
    }
    cr_assert_eq(counters(c).requests, asked, "nobody was asked");
    cr_assert_eq(compile(c, SM_REQUIRE_REMOTE, 5000), SM_SUCCESS, "it waits until one may see: %s", err.message);
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS, "and it is closed again");
    sm_client_free(c);
    scripted_stop(s);
}

/* ---- More calls than connections ---------------------------------------------------------------------------- */

enum { MANY = 300 };

/* When a call's deadline is, between two times; as a runtime can know it. */
struct waiter {
    sm_call *call;
    double from, to;
};

static void submit(sm_client *c, struct waiter *w, uint32_t deadline_ms) {
    sm_request r = {.size = sizeof r, .module = add, .module_len = strlen(add), .deadline_ms = deadline_ms};
    w->from = seconds() + deadline_ms / 1000.0;
    cr_assert_eq(sm_submit(c, &r, NULL, w, &w->call, &err), SM_SUCCESS, "%s", err.message);
    w->to = seconds() + deadline_ms / 1000.0;
}

static struct waiter *next_of(sm_client *c, sm_result *result) {
    sm_completion done;
    struct pollfd ready = {.fd = sm_client_fd(c), .events = POLLIN};
    cr_assert_eq(poll(&ready, 1, 60000), 1);
    cr_assert_eq(sm_client_next(c, &done), 1);
    sm_answer_free(done.answer);
    *result = done.result;
    return done.user;
}

/* One has the only connection, and no answer; the others end in the order of their deadlines, not of their coming. */
Test(fetch_faults, who_waits_for_a_connection_ends_in_time) {
    struct script script = {NEVER, 1000};
    struct scripted *s = scripted_start(act, &script);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 1, .breaker_failures = 1000});
    static struct waiter first, waiter[MANY];
    sm_result result;
    double past = 0;
    submit(c, &first, 50000);
    for (unsigned i = 0; i < MANY; i++)
        submit(c, &waiter[i], 1000 + i * 7919 % MANY * 3);
    sm_call_cancel(waiter[7].call);
    sm_call_cancel(waiter[7].call);
    cr_expect_eq(next_of(c, &result), &waiter[7]);
    cr_expect_eq(result, SM_ERR_CANCELLED);
    for (unsigned i = 1; i < MANY; i++) {
        struct waiter *w = next_of(c, &result);
        cr_assert_eq(result, SM_ERR_TIMEOUT, "%s", sm_result_name(result));
        cr_expect(past < w->to + 0.002, "%f after %f", w->to, past);
        past = w->from > past ? w->from : past;
    }
    cr_expect_eq(counters(c).requests, 1, "one connection, one request");
    sm_call_cancel(first.call);
    cr_expect_eq(next_of(c, &result), &first);
    cr_expect_eq(result, SM_ERR_CANCELLED);
    sm_call_free(first.call);
    for (unsigned i = 0; i < MANY; i++)
        sm_call_free(waiter[i].call);
    sm_client_free(c);
    scripted_stop(s);
}

/* Also while that server's breaker is closed: each server has its share of the time. */
Test(fetch_faults, who_waits_for_a_connection_goes_elsewhere) {
    struct script bad = {NEVER, 1000}, good = {GOOD, 0};
    struct scripted *first = scripted_start(act, &bad), *second = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(first)), url_of(scripted_port(second)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 1, .breaker_failures = 1000});
    static struct waiter waiter[20];
    sm_result result;
    for (int i = 0; i < 20; i++)
        submit(c, &waiter[i], 4000);
    for (int i = 0; i < 20; i++) {
        struct waiter *w = next_of(c, &result);
        cr_expect_eq(result, SM_SUCCESS, "%s", sm_result_name(result));
        sm_call_free(w->call);
    }
    sm_client_free(c);
    scripted_stop(first);
    scripted_stop(second);
}

/* Each connection that becomes free is the next one's. */
Test(fetch_faults, who_waits_for_a_connection_gets_it) {
    struct script good = {GOOD, 0};
    struct scripted *s = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 2});
    static struct waiter waiter[MANY];
    sm_result result;
    for (int i = 0; i < MANY; i++)
        submit(c, &waiter[i], 60000);
    for (int i = 0; i < MANY; i++) {
        sm_call_free(next_of(c, &result)->call);
        cr_expect_eq(result, SM_SUCCESS, "%s", sm_result_name(result));
    }
    cr_expect_eq(counters(c).requests, MANY);
    sm_client_free(c);
    scripted_stop(s);
}

/* ---- Priorities --------------------------------------------------------------------------------------------- */

/* Answers nobody until it is opened. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int is_open; /* boolean */
    int arrived;
};

static struct reply behind_gate(void *user, const char *head) {
    struct gate *g = user;
    (void)head;
    pthread_mutex_lock(&g->lock);
    g->arrived++;
    pthread_cond_broadcast(&g->changed);
    while (!g->is_open)
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return by(GOOD);
}

Test(fetch_faults, the_highest_priority_goes_first) {
    enum { CALLS = 6 };
    static const int expected[CALLS + 1] = {0, 5, 2, 3, 4, 1, 6};
    struct gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    struct scripted *s = scripted_start(behind_gate, &gate);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 1});
    sm_request first = {.size = sizeof first, .module = add, .module_len = strlen(add)}, r[CALLS];
    void *user[CALLS];
    sm_call *call[CALLS];
    for (int i = 0; i < CALLS; i++) {
        static const int32_t priority[CALLS] = {-1, 5, 3, 3, -1, -7};
        r[i] = first;
        r[i].priority = priority[i];
        user[i] = (void *)(intptr_t)(i + 1);
    }
    cr_assert_eq(sm_submit(c, &first, NULL, NULL, NULL, &err), SM_SUCCESS);
    pthread_mutex_lock(&gate.lock);
    while (!gate.arrived)
        pthread_cond_wait(&gate.changed, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
    cr_assert_eq(sm_submit_many(c, r, CALLS, NULL, user, call, &err), SM_SUCCESS, "%s", err.message);
    sm_call_raise(call[4], 9);
    sm_call_raise(call[1], 1); /* is higher already */
    pthread_mutex_lock(&gate.lock);
    gate.is_open = 1;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.lock);
    for (int i = 0; i <= CALLS; i++) {
        sm_result result;
        intptr_t number = (intptr_t)next_of(c, &result);
        cr_expect_eq(result, SM_SUCCESS);
        cr_expect_eq(number, expected[i], "place %d: call %ld", i, (long)number);
    }
    for (int i = 0; i < CALLS; i++)
        sm_call_free(call[i]);
    sm_client_free(c);
    scripted_stop(s);
}

Test(fetch_faults, all_are_submitted_or_none) {
    struct script good = {GOOD, 0};
    struct scripted *s = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(s)), NULL}, *const wrong[] = {"nonsense", NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 1});
    sm_request r[3] = {{.size = sizeof *r, .module = add, .module_len = strlen(add)}};
    sm_call *call[3];
    r[1] = r[2] = r[0];
    r[2].options = wrong;
    cr_expect_eq(sm_submit_many(c, r, 3, NULL, NULL, call, &err), SM_ERR_INVALID_ARGUMENT);
    cr_expect(strstr(err.message, "nonsense"), "%s", err.message);
    cr_expect(!call[0] && !call[1] && !call[2]);
    cr_expect_eq(counters(c).calls, 0);
    cr_expect_eq(sm_submit_many(c, r, 0, NULL, NULL, NULL, &err), SM_SUCCESS);
    sm_client_free(c);
    scripted_stop(s);
}

/* ---- This process ------------------------------------------------------------------------------------------- */

Test(fetch_faults, a_forked_child_fails_at_once) {
    struct script good = {GOOD, 0};
    struct scripted *s = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.deadline_ms = 60000});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS, "%s", err.message);
    int status;
    pid_t child = fork();
    if (child == 0) {
        char *text;
        sm_completion done;
        sm_request r = {.size = sizeof r, .module = add, .module_len = strlen(add)};
        int bad = compile(c, SM_REQUIRE_REMOTE, 0) != SM_ERR_INVALID_ARGUMENT || !strstr(err.message, "forked");
        bad |= (sm_submit(c, &r, NULL, NULL, NULL, &err) != SM_ERR_INVALID_ARGUMENT) << 1;
        bad |= (sm_get(c, "/metrics", &text, &err) != SM_ERR_INVALID_ARGUMENT) << 2;
        bad |= sm_client_next(c, &done) << 3;
        sm_client_free(c);
        _exit(bad);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
    cr_expect_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS, "the parent goes on: %s", err.message);
    sm_client_free(c);
    scripted_stop(s);
}

/* No descriptor is left: that says nothing of the server. */
Test(fetch_faults, who_has_no_descriptors_blames_nobody) {
    enum { DESCRIPTORS = 200 };
    int fd[DESCRIPTORS], fds = 0;
    struct rlimit few = {DESCRIPTORS, DESCRIPTORS};
    struct script good = {GOOD, 0};
    struct scripted *s = scripted_start(act, &good);
    char named[64];
    snprintf(named, sizeof named, "http://localhost:%d", scripted_port(s));
    const char *const servers[2][2] = {{url_of(scripted_port(s)), NULL}, {named, NULL}};
    sm_client *c[2];
    for (int i = 0; i < 2; i++)
        c[i] = client_of(servers[i], (sm_client_options){.breaker_failures = 2, .breaker_ms = 60000});
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    while (fds < DESCRIPTORS && (fd[fds] = dup(STDIN_FILENO)) >= 0)
        fds++;
    for (int i = 0; i < 10; i++) {
        sm_result r = compile(c[i % 2], SM_PREFER_REMOTE, 0);
        cr_expect_eq(r, SM_ERR_SYSTEM, "%s: %s", sm_result_name(r), err.message);
        cr_expect(strstr(err.message, "open files"), "%s", err.message);
    }
    while (fds)
        close(fd[--fds]);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(counters(c[i]).breaker_opened, 0);
        cr_expect_eq(compile(c[i], SM_PREFER_REMOTE, 0), SM_SUCCESS, "%s", err.message);
        sm_client_free(c[i]);
    }
    scripted_stop(s);
}

/* ---- By key ------------------------------------------------------------------------------------------------- */

/* A server with a cache: what was asked for, in order. */
struct cache {
    pthread_mutex_t lock;
    char context[SM_KEY_TEXT], asked[4096];
    int has; /* boolean: has the artifact */
};

static struct reply cached(void *user, const char *head) {
    struct cache *s = user;
    char line[256], about[256];
    snprintf(line, sizeof line, "%.*s\n", (int)strcspn(head, "?\r"), head);
    pthread_mutex_lock(&s->lock);
    strncat(s->asked, line, sizeof s->asked - strlen(s->asked) - 1);
    pthread_mutex_unlock(&s->lock);
    if (strstr(line, "/v1/capabilities")) {
        snprintf(about, sizeof about, "{\"key_context\":\"%s\"}", s->context);
        return text("200 OK", "Content-Type: application/json\r\n", about);
    }
    if (strstr(line, "/v1/artifacts/") && !s->has)
        return text("404 Not Found", PROBLEM, "{\"code\":\"artifact_not_found\"}");
    return by(GOOD);
}

static void asked(struct cache *s, const char *expected) {
    cr_expect_str_eq(s->asked, expected);
    s->asked[0] = 0;
}

Test(fetch_faults, the_key_is_asked_first) {
    struct cache state = {.lock = PTHREAD_MUTEX_INITIALIZER};
    char key[SM_KEY_TEXT], miss[256], hit[256];
    unsigned char digest[32];
    sm_options options;
    memset(state.context, '5', SM_KEY_TEXT - 1);
    struct scripted *s = scripted_start(cached, &state);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.lookup_from = 1});

    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS, "%s", err.message);
    int status;
    struct bytes sum = run_command("sha256sum", add, strlen(add), &status);
    for (size_t i = 0; i < sizeof digest; i++)
        cr_assert_eq(sscanf((char *)sum.data + 2 * i, "%2hhx", &digest[i]), 1);
    bytes_free(sum);
    sm_options_init(&options);
    snprintf(options.target, sizeof options.target, "%s", sm_target_host()->triple);
    cr_assert_eq(sm_key(state.context, SM_JOB_COMPILE, &options, digest, key), SM_OK);
    snprintf(miss, sizeof miss, "GET /v1/artifacts/%s HTTP/1.1\nPOST /v1/compile\n", key);
    snprintf(hit, sizeof hit, "GET /v1/artifacts/%s HTTP/1.1\n", key);
    char first[512] = "GET /v1/capabilities HTTP/1.1\n";
    asked(&state, strcat(first, miss));

    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS);
    asked(&state, miss); /* the context is known by now */
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_ERR_NOT_CACHED);
    asked(&state, hit); /* and nothing is compiled */
    state.has = 1;
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_SUCCESS);
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS);
    sm_counters n = counters(c);
    cr_assert_eq(n.lookups, 5);
    cr_assert_eq(n.lookup_hits, 2);
    sm_client_free(c);
    scripted_stop(s);
}

/* A server that tells no key context, and one that has nothing. */
Test(fetch_faults, cached_only_and_no_cache) {
    struct cache empty = {.lock = PTHREAD_MUTEX_INITIALIZER};
    memset(empty.context, '5', SM_KEY_TEXT - 1);
    struct cache strange = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct scripted *s = scripted_start(cached, &strange), *e = scripted_start(cached, &empty);
    const char *const one[] = {url_of(scripted_port(s)), NULL};
    const char *const two[] = {one[0], url_of(scripted_port(e)), NULL};
    sm_client *c = client_of(one, (sm_client_options){.lookup_from = 1});
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_ERR_INCOMPATIBLE, "%s", err.message);
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS, "it may still compile: %s", err.message);
    sm_client_free(c);
    c = client_of(two, (sm_client_options){.size = 0});
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_ERR_NOT_CACHED, "%s", err.message);
    empty.has = 1;
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_SUCCESS, "the second has it: %s", err.message);
    sm_request r = {.size = sizeof r, .module = add, .module_len = strlen(add), .policy = SM_CACHE_ONLY};
    r.options = (const char *const[]){"from_the_future=1", NULL};
    cr_assert_eq(sm_compile(c, &r, NULL, &err), SM_ERR_INVALID_INPUT);
    sm_client_free(c);
    scripted_stop(e);
    scripted_stop(s);
}

/* ---- Headers ------------------------------------------------------------------------------------------------ */

static char last_head[16384];

static struct reply keep_head(void *user, const char *head) {
    (void)user;
    snprintf(last_head, sizeof last_head, "%s", head);
    return by(GOOD);
}

Test(fetch_faults, what_a_request_says) {
    struct scripted *s = scripted_start(keep_head, NULL);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.token = "secret"});
    sm_request r = {.size = sizeof r, .module = add, .module_len = strlen(add)};
    r.options = (const char *const[]){"features=+avx2,-bmi", "target=aarch64-linux-gnu", "name=a /&=%", NULL};
    cr_assert_eq(sm_compile(c, &r, NULL, &err), SM_SUCCESS, "%s", err.message);
    cr_assert(strstr(last_head, "POST /v1/compile?features=%2Bavx2,-bmi&target=aarch64-linux-gnu&"
                                "name=a%20%2F%26%3D%25 HTTP/1.1\r\n"),
              "%s", last_head);
    cr_assert(strstr(last_head, "\r\nAuthorization: Bearer secret\r\n"));
    cr_assert(strstr(last_head, "\r\nAccept: application/vnd.smd.artifact\r\n"));
    cr_assert(strstr(last_head, "\r\nUser-Agent: libsmclient/"));
    cr_assert_null(strcasestr(last_head, "\r\nExpect:"));
    sm_client_free(c);
    scripted_stop(s);
}

/* ---- A real server, paused, killed, replaced ---------------------------------------------------------------- */

static struct daemon again(const struct daemon *old) {
    char port[16];
    snprintf(port, sizeof port, "%d", old->port);
    return daemon_start((const char *const[]){"--port", port, NULL});
}

Test(fetch_faults, a_paused_server) {
    struct daemon d = daemon_start(NULL);
    const char *const servers[] = {d.url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS);
    kill(d.pid, SIGSTOP);
    double before = seconds();
    cr_assert_eq(compile(c, SM_REQUIRE_REMOTE, 400), SM_ERR_TIMEOUT, "%s", err.message);
    cr_assert_lt(seconds() - before, 10);
    kill(d.pid, SIGCONT);
    cr_assert_eq(compile(c, SM_REQUIRE_REMOTE, 20000), SM_SUCCESS, "%s", err.message);
    sm_client_free(c);
    daemon_stop(&d);
}

struct caller {
    sm_client *client;
    sm_result result;
    sm_error error;
};

static void *call(void *arg) {
    struct caller *c = arg;
    sm_answer *a;
    char module[256];
    snprintf(module, sizeof module, "define ptr @f() {\n  ret ptr inttoptr (i64 %ld to ptr)\n}\n", (long)random());
    sm_request r = {.size = sizeof r, .module = module, .module_len = strlen(module), .policy = SM_REQUIRE_REMOTE};
    c->result = sm_compile(c->client, &r, &a, &c->error);
    sm_answer_free(a);
    return NULL;
}

/* Killed under load, gone for a while, started again on its port: who requires an answer gets it. */
Test(fetch_faults, a_server_that_is_killed_and_comes_back) {
    enum { CALLERS = 24 };
    pthread_t thread[CALLERS];
    struct caller caller[CALLERS];
    struct daemon d = daemon_start(NULL);
    const char *const servers[] = {d.url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.breaker_ms = 200, .retries = 100});
    for (int i = 0; i < CALLERS; i++) {
        caller[i] = (struct caller){.client = c};
        pthread_create(&thread[i], NULL, call, &caller[i]);
        if (i == CALLERS / 2)
            kill(d.pid, SIGKILL);
    }
    cr_assert_eq(daemon_wait(&d), 128 + SIGKILL);
    struct daemon next = again(&d);
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(thread[i], NULL);
        cr_assert_eq(caller[i].result, SM_SUCCESS, "caller %d: %s", i, caller[i].error.message);
    }
    cr_assert_gt(counters(c).retries, 0);
    sm_client_free(c);
    daemon_stop(&next);
}

/* It drains: what it has begun it finishes, and the rest goes to the other one. */
Test(fetch_faults, a_server_that_drains) {
    enum { CALLERS = 24 };
    pthread_t thread[CALLERS];
    struct caller caller[CALLERS];
    struct daemon first = daemon_start(NULL), second = daemon_start(NULL);
    const char *const servers[] = {first.url, second.url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    for (int i = 0; i < CALLERS; i++) {
        caller[i] = (struct caller){.client = c};
        pthread_create(&thread[i], NULL, call, &caller[i]);
        if (i == CALLERS / 2)
            kill(first.pid, SIGTERM);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(thread[i], NULL);
        cr_assert_eq(caller[i].result, SM_SUCCESS, "caller %d: %s", i, caller[i].error.message);
    }
    cr_assert_eq(daemon_wait(&first), 0);
    sm_client_free(c);
    daemon_stop(&second);
}

/* ---- TLS ---------------------------------------------------------------------------------------------------- */

static int tls_port, tls_pid;
static char tls_folder[] = "/tmp/smd-tls-XXXXXX";

static int tls_answers(void *arg) {
    char command[128];
    int status;
    (void)arg;
    snprintf(command, sizeof command, "curl -sk https://127.0.0.1:%d/ >/dev/null", tls_port);
    bytes_free(run_command(command, NULL, 0, &status));
    return status == 0;
}

/* A server of another kind behind a certificate that nobody has signed but itself. */
static void tls_start(void) {
    char command[768];
    int status;
    cr_assert_not_null(mkdtemp(tls_folder));
    struct scripted *free_port = scripted_start(act, NULL);
    tls_port = scripted_port(free_port);
    scripted_stop(free_port);
    snprintf(
        command, sizeof command,
        "cd %s && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout key.pem "
        "-out cert.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null && "
        "{ openssl s_server -accept 127.0.0.1:%d -cert cert.pem -key key.pem -www -quiet >/dev/null 2>&1 & echo $!; "
        "}",
        tls_folder, tls_port);
    struct bytes pid = run_command(command, NULL, 0, &status);
    cr_assert_eq(status, 0);
    tls_pid = atoi((char *)pid.data);
    bytes_free(pid);
    await(tls_answers, NULL, 20, "the TLS server");
}

static void tls_stop(void) {
    char command[64];
    int status;
    kill(tls_pid, SIGTERM);
    snprintf(command, sizeof command, "rm -rf %s", tls_folder);
    bytes_free(run_command(command, NULL, 0, &status));
}

Test(fetch_faults, tls, .init = tls_start, .fini = tls_stop) {
    char url[64], ca[128], *page;
    const char *const servers[] = {url, NULL};
    snprintf(url, sizeof url, "https://127.0.0.1:%d", tls_port);
    snprintf(ca, sizeof ca, "%s/cert.pem", tls_folder);
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_TLS, "nobody knows it: %s", err.message);
    sm_client_free(c);
    c = client_of(servers, (sm_client_options){.ca_file = ca});
    cr_assert_eq(sm_get(c, "/", &page, &err), SM_SUCCESS, "%s", err.message);
    sm_text_free(page);
    sm_client_free(c);
    c = client_of(servers, (sm_client_options){.ca_file = "/nowhere"});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_TLS, "%s", err.message);
    sm_client_free(c);
    struct script script = {GOOD, 0};
    struct scripted *plain = scripted_start(act, &script);
    snprintf(url, sizeof url, "https://127.0.0.1:%d", scripted_port(plain));
    c = client_of(servers, (sm_client_options){.size = 0});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 5000), SM_ERR_UNREACHABLE, "it does not speak TLS: %s", err.message);
    sm_client_free(c);
    scripted_stop(plain);
}
