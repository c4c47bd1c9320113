/* calls_check.c - calls of every kind from many threads against a moody server: run with ThreadSanitizer.
 *
 * Exits 0 if every call ended once, with a result that the server can have caused.
 */
#include "check.h"
#include "scripted.h"
#include "smclient.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, CALLS = 40, KINDS = 4 };

static sm_client *client;
static atomic_int called_back, taken;
static atomic_ulong moods;

/* In turns: a diagnostic, no answer, overloaded, damaged. */
static struct reply moody(void *user, const char *head) {
    static const char problem[] = "{\"code\":\"invalid_ir\",\"title\":\"t\",\"status\":422}";
    (void)user;
    (void)head;
    switch (atomic_fetch_add(&moods, 1) % 4) {
    case 0:
        return (struct reply){NULL, 0, 0};
    case 1:
        return reply("503 Service Unavailable", "Retry-After: 0\r\n", "", 0);
    case 2:
        return reply("200 OK", "Content-Type: application/vnd.smd.artifact\r\n", "rubbish", 7);
    default:
        return reply("422 Unprocessable Content", "Content-Type: application/problem+json\r\n", problem,
                     sizeof problem - 1);
    }
}

static void expect(sm_result r) {
    check(r == SM_ERR_INVALID_INPUT || r == SM_ERR_UNREACHABLE || r == SM_ERR_OVERLOADED || r == SM_ERR_DAMAGED ||
              r == SM_ERR_CANCELLED || r == SM_ERR_TIMEOUT,
          "%s", sm_result_name(r));
}

static void note(void *user, sm_result result, sm_answer *answer, const sm_error *err) {
    (void)user;
    check(err->result == result, "%s is told with %s", sm_result_name(result), sm_result_name(err->result));
    expect(result);
    sm_answer_free(answer);
    atomic_fetch_add(&called_back, 1);
}

static void take(void) {
    sm_completion c;
    while (sm_client_next(client, &c)) {
        expect(c.result);
        sm_answer_free(c.answer);
        atomic_fetch_add(&taken, 1);
    }
}

static void *work(void *arg) {
    sm_request r = {.size = sizeof r, .module = "; nothing", .module_len = 9, .policy = SM_REQUIRE_REMOTE};
    (void)arg;
    for (int i = 0; i < CALLS; i++) {
        sm_answer *answer = NULL;
        sm_call *call = NULL;
        sm_counters counters;
        switch (i % KINDS) {
        case 0:
            expect(sm_compile(client, &r, &answer, NULL));
            sm_answer_free(answer);
            break;
        case 1:
            check(sm_submit(client, &r, note, NULL, NULL, NULL) == SM_SUCCESS, "not submitted");
            break;
        case 2:
            check(sm_submit(client, &r, note, NULL, &call, NULL) == SM_SUCCESS, "not submitted");
            sm_call_cancel(call);
            sm_call_free(call);
            break;
        default:
            check(sm_submit_many(client, &r, 1, NULL, NULL, &call, NULL) == SM_SUCCESS, "not submitted");
            sm_call_raise(call, i);
            sm_call_free(call);
            take();
        }
        sm_client_counters(client, &counters, sizeof counters);
    }
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    struct scripted *server = scripted_start(moody, NULL);
    char url[64];
    const char *const servers[] = {url, url, NULL};
    snprintf(url, sizeof url, "http://127.0.0.1:%d", scripted_port(server));
    sm_client_options o = {
        .size = sizeof o, .servers = servers, .backoff_ms = 1, .backoff_max_ms = 4, .breaker_ms = 2};
    client = sm_client_new(&o, NULL);
    check(client, "no client");
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&thread[i], NULL, work, NULL) == 0, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 30000 && atomic_load(&taken) < THREADS * CALLS / KINDS; i++) {
        take();
        usleep(1000);
    }
    check(atomic_load(&taken) == THREADS * CALLS / KINDS, "%d completions", atomic_load(&taken));
    sm_client_free(client);
    check(atomic_load(&called_back) == 2 * THREADS * CALLS / KINDS, "%d callbacks", atomic_load(&called_back));
    scripted_stop(server);
    return 0;
}
