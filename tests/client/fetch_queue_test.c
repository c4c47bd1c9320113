/* fetch_queue_test.c - calls that wait: for a connection, by their priorities, in a process that forks or has no
 * descriptors. */
#include "faults.h"
#include "http.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(fetch_queue, .timeout = 600);

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
    cr_assert_eq(poll(&ready, 1, 100000), 1);
    cr_assert_eq(sm_client_next(c, &done), 1);
    sm_answer_free(done.answer);
    *result = done.result;
    return done.user;
}

/* One has the only connection, and no answer; the others end in the order of their deadlines, not of their coming. 0 if
 * the first deadline came before this machine had submitted the last. */
static int end_in_order(uint32_t first_ms) {
    struct script script = {NEVER, 1000};
    struct scripted *s = scripted_start(act, &script);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 1, .breaker_failures = 1000});
    static struct waiter first, waiter[MANY];
    sm_result result;
    double past = 0, begun = seconds();
    submit(c, &first, 600000);
    for (unsigned i = 0; i < MANY; i++)
        submit(c, &waiter[i], first_ms + i * 7919 % MANY * 3);
    sm_call_cancel(waiter[7].call);
    sm_call_cancel(waiter[7].call);
    struct waiter *cancelled = next_of(c, &result);
    int is_in_time = seconds() - begun < 0.9 * first_ms / 1000.0;
    cr_expect(!is_in_time || (cancelled == &waiter[7] && result == SM_ERR_CANCELLED));
    for (unsigned i = 1; is_in_time && i < MANY; i++) {
        struct waiter *w = next_of(c, &result);
        cr_assert_eq(result, SM_ERR_TIMEOUT, "%s", sm_result_name(result));
        cr_expect(past < w->to + 0.002, "%f after %f", w->to, past);
        past = w->from > past ? w->from : past;
    }
    cr_expect_eq(counters(c).requests, 1, "one connection, one request");
    sm_call_cancel(first.call);
    cr_expect(!is_in_time || (next_of(c, &result) == &first && result == SM_ERR_CANCELLED));
    sm_call_free(first.call);
    for (unsigned i = 0; i < MANY; i++)
        sm_call_free(waiter[i].call);
    sm_client_free(c);
    scripted_stop(s);
    return is_in_time;
}

Test(fetch_queue, who_waits_for_a_connection_ends_in_time) {
    uint32_t first_ms = 1000;
    while (!end_in_order(first_ms))
        first_ms *= 2;
}

/* Also while that server's breaker is closed: each server has its share of the time. */
Test(fetch_queue, who_waits_for_a_connection_goes_elsewhere) {
    struct script bad = {NEVER, 1000}, good = {GOOD, 0};
    struct scripted *first = scripted_start(act, &bad), *second = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(first)), url_of(scripted_port(second)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 1, .breaker_failures = 1000});
    static struct waiter waiter[20];
    sm_result result;
    for (int i = 0; i < 20; i++)
        submit(c, &waiter[i], 10000);
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
Test(fetch_queue, who_waits_for_a_connection_gets_it) {
    struct script good = {GOOD, 0};
    struct scripted *s = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.connections = 2});
    static struct waiter waiter[MANY];
    sm_result result;
    for (int i = 0; i < MANY; i++)
        submit(c, &waiter[i], 600000);
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
    return behave(GOOD);
}

Test(fetch_queue, the_highest_priority_goes_first) {
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

Test(fetch_queue, all_are_submitted_or_none) {
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

Test(fetch_queue, a_forked_child_fails_at_once) {
    struct script good = {GOOD, 0};
    struct scripted *s = scripted_start(act, &good);
    const char *const servers[] = {url_of(scripted_port(s)), NULL};
    sm_client *c = client_of(servers, (sm_client_options){.deadline_ms = 600000});
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
Test(fetch_queue, who_has_no_descriptors_blames_nobody) {
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
