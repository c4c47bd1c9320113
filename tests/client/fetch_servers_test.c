/* fetch_servers_test.c - libsmclient and real servers that are paused, killed, replaced, or speak TLS. */
#include "faults.h"
#include "http.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(fetch_servers, .timeout = 600);

/* ---- A real server, paused, killed, replaced ---------------------------------------------------------------- */

static struct daemon again(const struct daemon *old) {
    char port[16];
    snprintf(port, sizeof port, "%d", old->port);
    return daemon_start((const char *const[]){"--port", port, NULL});
}

Test(fetch_servers, a_paused_server) {
    struct daemon d = daemon_start(NULL);
    const char *const servers[] = {d.url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS);
    kill(d.pid, SIGSTOP);
    cr_assert_eq(waitpid(d.pid, NULL, WUNTRACED), d.pid); /* all of its threads have stopped */
    double before = seconds();
    cr_assert_eq(compile(c, SM_REQUIRE_REMOTE, 400), SM_ERR_TIMEOUT, "%s", err.message);
    cr_assert_lt(seconds() - before, 100, "its own deadline, not the client's");
    kill(d.pid, SIGCONT);
    cr_assert_eq(compile(c, SM_REQUIRE_REMOTE, 0), SM_SUCCESS, "%s", err.message);
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
Test(fetch_servers, a_server_that_is_killed_and_comes_back) {
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
Test(fetch_servers, a_server_that_drains) {
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

Test(fetch_servers, tls, .init = tls_start, .fini = tls_stop) {
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
    c = client_of(servers, (sm_client_options){.connect_ms = 1000}); /* it waits for more of what it does not know */
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE, "it does not speak TLS: %s", err.message);
    sm_client_free(c);
    scripted_stop(plain);
}
