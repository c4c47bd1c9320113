/* fetch_faults_test.c - libsmclient and servers that are down, slow, overloaded, strange or lying. */
#include "faults.h"
#include "http.h"
#include "key.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(fetch_faults, .timeout = 600);

/* ---- One server, one fault ---------------------------------------------------------------------------------- */

static void gives(enum behaviour b, sm_result expected, const char *word) {
    struct script script = {b, 1000};
    struct scripted *s = scripted_start(act, &script);
    const char *url = url_of(scripted_port(s)), *const servers[] = {url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.answer_max = 8192});
    sm_result r = compile(c, SM_PREFER_REMOTE, b == NEVER || b == SILENT_HEAD ? 2000 : 0);
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
    sm_client *n = client_of(names, (sm_client_options){.connect_ms = 1000}); /* who knows what names are asked of */
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
    sm_result r = compile(c, SM_REQUIRE_REMOTE, 0);
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
        cr_expect_neq(compile(c, SM_REQUIRE_REMOTE, 0), SM_SUCCESS);
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
        cr_expect_eq(compile(c, SM_PREFER_REMOTE, 6000), SM_SUCCESS, "behaviour %d: %s", bad[i], err.message);
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
    sm_client *c = client_of(servers, (sm_client_options){.breaker_failures = 3, .breaker_ms = 2000});
    double opened = 0;
    for (int i = 0; i < 3; i++) {
        opened = seconds(); /* before that, not later */
        cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_ERR_UNREACHABLE);
    }
    cr_assert_eq(counters(c).breaker_opened, 1);
    uint64_t asked = counters(c).requests;
    for (int i = 0; i < 50; i++) {
        sm_result r = compile(c, SM_PREFER_REMOTE, 0);
        if (seconds() > opened + 2)
            break; /* a busy machine */
        cr_assert_eq(r, SM_ERR_UNREACHABLE);
        cr_assert(err.retry_after_ms <= 2000 && strstr(err.message, "left alone"), "%s", err.message);
        cr_assert_eq(counters(c).requests, asked, "nobody was asked");
    }
    cr_assert_eq(compile(c, SM_REQUIRE_REMOTE, 0), SM_SUCCESS, "it waits until one may see: %s", err.message);
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS, "and it is closed again");
    sm_client_free(c);
    scripted_stop(s);
}

/* ---- By key ------------------------------------------------------------------------------------------------- */

/* A server with a cache: what was asked for, in order. */
struct cache {
    pthread_mutex_t lock;
    char context[SM_KEY_TEXT], asked[4096];
    int has;   /* boolean: has the artifact */
    int hangs; /* boolean: its disk does not answer */
    int keyed; /* compiles whose header named the key of the lookup before */
    char looked_up[SM_KEY_TEXT];
};

static struct reply cached(void *user, const char *head) {
    struct cache *s = user;
    char line[256], about[256];
    snprintf(line, sizeof line, "%.*s\n", (int)strcspn(head, "?\r"), head);
    pthread_mutex_lock(&s->lock);
    strncat(s->asked, line, sizeof s->asked - strlen(s->asked) - 1);
    sscanf(line, "GET /v1/artifacts/%64s", s->looked_up);
    snprintf(about, sizeof about, "X-Smd-Key: %s\r\n", s->looked_up);
    s->keyed += strncmp(line, "POST", 4) == 0 && s->looked_up[0] && strstr(head, about);
    pthread_mutex_unlock(&s->lock);
    if (strstr(line, "/v1/capabilities")) {
        snprintf(about, sizeof about, "{\"key_context\":\"%s\"}", s->context);
        return reply_text("200 OK", "Content-Type: application/json\r\n", about);
    }
    if (strstr(line, "/v1/artifacts/") && s->hangs)
        return reply_text("503 Service Unavailable", PROBLEM, "{\"code\":\"cache_unavailable\"}");
    if (strstr(line, "/v1/artifacts/") && !s->has)
        return reply_text("404 Not Found", PROBLEM, "{\"code\":\"artifact_not_found\"}");
    return behave(GOOD);
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
    cr_assert_eq(state.keyed, 2, "a balancer finds the server that was asked for the key");
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_ERR_NOT_CACHED);
    asked(&state, hit); /* and nothing is compiled */
    state.hangs = 1;
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS);
    asked(&state, miss); /* a server whose disk does not answer still compiles */
    state.hangs = 0;
    state.has = 1;
    cr_assert_eq(compile(c, SM_CACHE_ONLY, 0), SM_SUCCESS);
    cr_assert_eq(compile(c, SM_PREFER_REMOTE, 0), SM_SUCCESS);
    sm_counters n = counters(c);
    cr_assert_eq(n.lookups, 6);
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
    return behave(GOOD);
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
