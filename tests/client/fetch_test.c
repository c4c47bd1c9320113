/* fetch_test.c - libsmclient's calls to a live smd: what comes back, blocking and not, over TCP and a unix socket. */
#include "http.h"
#include "modules.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char add[] = "define i64 @add(i64 %a, i64 %b) {\n  %c = add i64 %a, %b\n  ret i64 %c\n}\n";
static const char wrong[] = "define i64 @f() {\n  ret i64 %x\n}\n";
static struct daemon d;
static sm_client *client;
static sm_error err;

static sm_client *client_of(const char *url, sm_client_options o) {
    const char *const servers[] = {url, NULL};
    o.size = sizeof o;
    o.servers = servers;
    o.connect_ms = o.connect_ms ? o.connect_ms : 100000; /* the machine may be busy */
    o.deadline_ms = o.deadline_ms ? o.deadline_ms : 600000;
    sm_client *c = sm_client_new(&o, &err);
    cr_assert_not_null(c, "%s", err.message);
    return c;
}

static void start(void) {
    d = daemon_start(NULL);
    client = client_of(d.url, (sm_client_options){.size = 0});
}

static void stop(void) {
    sm_client_free(client);
    daemon_stop(&d);
}

TestSuite(fetch, .init = start, .fini = stop, .timeout = 600);

static sm_request request(const char *module, const char *const *options) {
    return (sm_request){
        .size = sizeof(sm_request), .module = module, .module_len = strlen(module), .options = options};
}

static sm_counters counters(sm_client *c) {
    sm_counters n;
    sm_client_counters(c, &n, sizeof n);
    return n;
}

Test(fetch, code_that_runs) {
    sm_answer *a;
    sm_object *o;
    sm_request r = request(add, (const char *const[]){"opt=2", NULL});
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_SUCCESS, "%s", err.message);
    sm_loader *l = sm_loader_new(NULL, &err);
    cr_assert_eq(sm_load_answer(l, a, "add.ll", &o, &err), SM_SUCCESS, "%s", err.message);
    long (*f)(long, long) = (long (*)(long, long))sm_object_symbol(o, "add");
    cr_assert_eq(f(40, 2), 42);
    sm_answer_free(a);
    sm_loader_free(l);
}

/* The parts of the answer are what curl gets of the same request. */
Test(fetch, the_answer_is_the_servers) {
    static const char *const options[] = {"opt=1", "emit=obj,asm,ir", "name=a b&c.ll", NULL};
    sm_answer *a;
    size_t len;
    sm_request r = request(add, options);
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_SUCCESS, "%s", err.message);
    char path[256];
    snprintf(path, sizeof path, "/v1/compile?opt=1&emit=obj,asm,ir&name=a%%20b%%26c.ll&target=%s",
             sm_target_host()->triple);
    struct answer whole = post(&d, path, add);
    cr_assert_eq(whole.http, 200);
    cr_assert_str_eq(sm_answer_text(a, "asm", &len), member(&whole, "asm"));
    cr_assert_eq(len, strlen(member(&whole, "asm")));
    cr_assert_str_eq(sm_answer_text(a, "ir", NULL), member(&whole, "ir"));
    cr_assert(strstr(sm_answer_text(a, "ir", NULL), "a b&c.ll"));
    cr_assert_str_eq(sm_answer_key(a), member(&whole, "key"));
    cr_assert_null(sm_answer_text(a, "disasm", &len));
    cr_assert_eq(len, 0);
    cr_assert_null(sm_answer_text(a, "nothing", NULL));
    cr_assert_eq(sm_answer_cache(a)[0] != 0, 1);
    json_t *meta = json_loads(sm_answer_meta(a, NULL), 0, NULL);
    cr_assert(json_equal(json_object_get(meta, "target"), json_object_get(whole.json, "target")));
    json_decref(meta);
    json_t *map = json_loads(sm_answer_stackmap(a, &len), 0, NULL);
    cr_assert(json_equal(map, json_object_get(whole.json, "stackmap")));
    json_decref(map);
    struct answer object = ask(
        &d,
        (struct ask){.path = path, .body = add, .len = strlen(add), .headers = {"Accept: application/octet-stream"}});
    const void *mine = sm_answer_object(a, &len);
    cr_assert_eq(len, object.body.len);
    cr_assert_eq(memcmp(mine, object.body.data, len), 0);
    answer_free(object);
    answer_free(whole);
    sm_answer_free(a);
}

Test(fetch, once) {
    sm_answer *a;
    cr_assert_eq(sm_compile_once(d.url, add, strlen(add), &a, &err), SM_SUCCESS, "%s", err.message);
    cr_assert_not_null(sm_answer_object(a, NULL));
    sm_answer_free(a);
}

Test(fetch, the_environment_names_servers) {
    char list[128];
    sm_answer *a;
    snprintf(list, sizeof list, "http://127.0.0.1:1, %s/", d.url); /* nobody listens on the first */
    setenv("SMD_SERVER", list, 1);
    cr_assert_eq(sm_compile_once(NULL, add, strlen(add), &a, &err), SM_SUCCESS, "%s", err.message);
    sm_answer_free(a);
    setenv("SMD_SERVER", "ftp://x", 1);
    cr_assert_eq(sm_compile_once(NULL, add, strlen(add), &a, &err), SM_ERR_INVALID_ARGUMENT);
    unsetenv("SMD_SERVER");
}

Test(fetch, over_a_unix_socket) {
    char path[128], url[160];
    sm_answer *a;
    snprintf(path, sizeof path, "/tmp/smd-fetch-%d", (int)getpid());
    snprintf(url, sizeof url, "unix:%s", path);
    struct daemon u = daemon_start((const char *const[]){"--listen", url, NULL});
    cr_assert_eq(sm_compile_once(url, add, strlen(add), &a, &err), SM_SUCCESS, "%s", err.message);
    sm_answer_free(a);
    daemon_stop(&u);
}

Test(fetch, what_is_wrong_with_a_module) {
    sm_answer *a;
    sm_diagnostic first;
    sm_request r = request(wrong, NULL);
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_INVALID_INPUT);
    cr_assert_eq(err.http, 422);
    cr_assert_str_eq(err.code, "parse_error");
    cr_assert_str_eq(err.server, d.url);
    cr_assert_eq(err.line, 2);
    cr_assert(strstr(err.message, "undefined value"), "%s", err.message);
    cr_assert_eq(sm_answer_diagnostics(a), 1);
    cr_assert_eq(sm_answer_diagnostic(a, 0, &first), 1);
    cr_assert_eq(first.line, 2);
    cr_assert_eq(first.column, 11);
    cr_assert_str_eq(first.severity, "error");
    cr_assert(strstr(first.source, "ret i64 %x"), "%s", first.source);
    cr_assert_eq(sm_answer_diagnostic(a, 1, &first), 0);
    cr_assert_null(sm_answer_object(a, NULL));
    sm_answer_free(a);
}

/* A name with a zero byte in it, which JSON can say. */
Test(fetch, a_zero_byte_in_a_module) {
    static const char odd[] = "define void @f() gc \"s\\00x\" {\n  ret void\n}\n";
    sm_answer *a;
    sm_diagnostic first;
    sm_request r = request(odd, NULL);
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_INVALID_INPUT);
    cr_assert_str_eq(err.code, "unsupported_gc_strategy", "%s", err.message);
    cr_assert(sm_answer_diagnostic(a, 0, &first) && first.message, "no diagnostic");
    sm_answer_free(a);
}

static void option_fails(const char *option, sm_result result, const char *code, const char *word,
                         uint64_t requests) {
    sm_answer *a;
    uint64_t before = counters(client).requests;
    sm_request r = request(add, (const char *const[]){option, NULL});
    cr_assert_eq(sm_compile(client, &r, &a, &err), result, "%s: %s", option, err.message);
    sm_answer_free(a);
    cr_assert_str_eq(err.code, code);
    cr_assert(strstr(err.message, word), "%s", err.message);
    cr_assert_eq(counters(client).requests - before, requests);
}

Test(fetch, wrong_options) {
    option_fails("opt=9", SM_ERR_INVALID_INPUT, "invalid_option", "'9'", 0);  /* known here */
    option_fails("optt=1", SM_ERR_INVALID_INPUT, "unknown_option", "opt", 1); /* the server may know more */
    option_fails("opt", SM_ERR_INVALID_ARGUMENT, "", "name=value", 0);
    option_fails("target=vax", SM_ERR_INVALID_INPUT, "unknown_target", "vax", 1);
}

Test(fetch, a_crash_and_a_limit) {
    sm_answer *a;
    sm_request r = request(module_crashing, NULL);
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_COMPILER_CRASHED);
    cr_assert(strstr(err.message, "SIGSEGV in the stage 'emit'"), "%s", err.message);
    sm_answer_free(a);
    r = request(module_endless, (const char *const[]){"deadline_ms=100", NULL});
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_COMPILE_LIMIT, "%s", err.message);
    cr_assert_str_eq(err.code, "compile_timeout");
    sm_answer_free(a);
    r.options = NULL;
    r.deadline_ms = 100;
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_TIMEOUT, "%s", err.message);
}

Test(fetch, wrong_arguments) {
    sm_answer *a;
    const char *const none[] = {NULL}, *const odd[] = {"tcp://x", NULL};
    cr_assert_null(sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .servers = none}, &err));
    cr_assert_eq(err.result, SM_ERR_INVALID_ARGUMENT);
    cr_assert_null(sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .servers = odd}, &err));
    cr_assert(strstr(err.message, "tcp://x"));
    cr_assert_null(sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .key_file = "k"}, &err));
    cr_assert_eq(err.result, SM_ERR_INVALID_ARGUMENT);
    cr_assert_null(sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .token = "a\nb"}, &err));
    cr_assert_eq(err.result, SM_ERR_INVALID_ARGUMENT);
    cr_assert_eq(sm_compile(client, NULL, &a, &err), SM_ERR_INVALID_ARGUMENT);
    cr_assert_eq(sm_compile(client, &(sm_request){.size = sizeof(sm_request)}, &a, NULL), SM_ERR_INVALID_ARGUMENT);
    sm_request r = request(add, NULL);
    r.policy = (sm_policy)9;
    cr_assert_eq(sm_submit(client, &r, NULL, NULL, NULL, &err), SM_ERR_INVALID_ARGUMENT);
    sm_answer_free(NULL);
    sm_call_free(NULL);
    sm_call_cancel(NULL);
    sm_client_free(NULL);
    cr_assert_eq(sm_answer_diagnostics(NULL), 0);
    cr_assert_str_eq(sm_answer_key(NULL), "");
}

/* A caller built with an older header, whose structs end earlier. */
Test(fetch, shorter_structs) {
    const char *const servers[] = {d.url, NULL};
    sm_answer *a;
    sm_client_options o = {.size = offsetof(sm_client_options, policy), .servers = servers};
    memset((char *)&o + o.size, 0x77, sizeof o - o.size);
    sm_client *c = sm_client_new(&o, &err);
    cr_assert_not_null(c, "%s", err.message);
    sm_request r = {.size = offsetof(sm_request, options), .module = add, .module_len = strlen(add)};
    memset((char *)&r + r.size, 0x77, sizeof r - r.size);
    cr_assert_eq(sm_compile(c, &r, &a, &err), SM_SUCCESS, "%s", err.message);
    sm_answer_free(a);
    sm_client_free(c);
}

/* ---- Without waiting ---------------------------------------------------------------------------------------- */

enum { MANY = 400 };

static atomic_int succeeded, ended;

static void note(void *user, sm_result result, sm_answer *answer, const sm_error *e) {
    (void)user, (void)e;
    atomic_fetch_add(&succeeded, result == SM_SUCCESS && sm_answer_object(answer, NULL) != NULL);
    atomic_fetch_add(&ended, 1);
    sm_answer_free(answer);
}

static int all_ended(void *count) {
    return atomic_load(&ended) == *(int *)count;
}

Test(fetch, hundreds_in_flight) {
    sm_client *c = client_of(d.url, (sm_client_options){.connections = 8, .connect_ms = 300, .deadline_ms = 600000});
    char module[256];
    int many = MANY;
    for (int i = 0; i < MANY; i++) {
        snprintf(module, sizeof module, "define i64 @f() {\n  ret i64 %d\n}\n", i);
        sm_request r = request(module, NULL);
        r.policy = SM_REQUIRE_REMOTE;
        cr_assert_eq(sm_submit(c, &r, note, NULL, NULL, &err), SM_SUCCESS, "%s", err.message);
    }
    await(all_ended, &many, 100, "the calls");
    cr_assert_eq(atomic_load(&succeeded), MANY);
    sm_counters n = counters(c);
    cr_assert_eq(n.calls, MANY);
    cr_assert_eq(n.in_flight, 0);
    cr_assert_eq(n.result[SM_SUCCESS], MANY);
    cr_assert(n.wait_max_us > 0 && n.wait_us >= n.wait_max_us);
    sm_client_free(c);
}

Test(fetch, completions_by_descriptor) {
    enum { CALLS = 20 };
    int users[CALLS], seen[CALLS] = {0}, count = 0;
    struct pollfd p = {.fd = sm_client_fd(client), .events = POLLIN};
    sm_completion done;
    cr_assert_eq(sm_client_next(client, &done), 0);
    cr_assert_eq(poll(&p, 1, 0), 0, "there is nothing yet");
    for (int i = 0; i < CALLS; i++) {
        sm_request r = request(i % 2 ? wrong : add, NULL);
        cr_assert_eq(sm_submit(client, &r, NULL, &users[i], NULL, &err), SM_SUCCESS);
    }
    while (count < CALLS) {
        cr_assert_eq(poll(&p, 1, 100000), 1);
        for (; sm_client_next(client, &done); count++) {
            int i = (int)((int *)done.user - users);
            seen[i]++;
            cr_assert_eq(done.result, i % 2 ? SM_ERR_INVALID_INPUT : SM_SUCCESS);
            cr_assert_eq(done.error.line, i % 2 ? 2 : 0);
            sm_answer_free(done.answer);
        }
    }
    for (int i = 0; i < CALLS; i++)
        cr_assert_eq(seen[i], 1);
    cr_assert_eq(poll(&p, 1, 0), 0);
}

/* ---- Cancelled ---------------------------------------------------------------------------------------------- */

static int works(void *arg) {
    (void)arg;
    return metric(&d, "smd_workers{state=\"busy\"}") > 0;
}

static int is_idle(void *arg) {
    (void)arg;
    return metric(&d, "smd_workers{state=\"busy\"}") == 0;
}

Test(fetch, a_cancelled_call_frees_the_server) {
    sm_call *call;
    sm_completion done;
    struct pollfd p = {.fd = sm_client_fd(client), .events = POLLIN};
    sm_request r = request(module_endless, NULL);
    cr_assert_eq(sm_submit(client, &r, NULL, NULL, &call, &err), SM_SUCCESS);
    await(works, NULL, 20, "a worker at work");
    sm_call_cancel(call);
    cr_assert_eq(poll(&p, 1, 100000), 1);
    cr_assert_eq(sm_client_next(client, &done), 1);
    cr_assert_eq(done.result, SM_ERR_CANCELLED);
    cr_assert_null(done.answer);
    await(is_idle, NULL, 20, "the worker to be free");
    sm_call_cancel(call); /* it has ended: nothing */
    sm_call_free(call);
}

Test(fetch, a_client_that_is_freed_ends_its_calls) {
    sm_client *c = client_of(d.url, (sm_client_options){.size = 0});
    sm_call *held;
    sm_request r = request(module_endless, NULL);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(sm_submit(c, &r, note, NULL, i ? NULL : &held, &err), SM_SUCCESS);
    cr_assert_eq(sm_submit(c, &r, NULL, NULL, NULL, &err), SM_SUCCESS); /* nobody will take this one */
    sm_client_free(c);
    cr_assert_eq(atomic_load(&ended), 3);
    cr_assert_eq(atomic_load(&succeeded), 0);
    sm_call_free(held);
}

static sm_result inner = SM_SUCCESS;

static void compile_within(void *user, sm_result result, sm_answer *answer, const sm_error *e) {
    sm_answer *a;
    char *text;
    sm_request r = request(add, NULL);
    (void)e;
    inner = sm_compile(client, &r, &a, NULL);
    cr_assert_eq(sm_get(client, "/livez", &text, NULL), inner);
    cr_assert_eq(sm_submit(client, &r, note, user, NULL, NULL), SM_SUCCESS, "but this does not wait");
    note(user, result, answer, e);
}

Test(fetch, a_callback_may_not_wait_for_its_client) {
    int two = 2;
    sm_request r = request(add, NULL);
    cr_assert_eq(sm_submit(client, &r, compile_within, NULL, NULL, &err), SM_SUCCESS);
    await(all_ended, &two, 30, "both calls");
    cr_assert_eq(inner, SM_ERR_INVALID_ARGUMENT);
}

/* ---- What else there is ------------------------------------------------------------------------------------- */

Test(fetch, texts) {
    char *text;
    cr_assert_eq(sm_get(client, "/v1/capabilities", &text, &err), SM_SUCCESS, "%s", err.message);
    json_t *about = json_loads(text, 0, NULL);
    cr_assert(json_is_object(json_object_get(about, "llvm")));
    json_decref(about);
    sm_text_free(text);
    cr_assert_eq(sm_get(client, "/nowhere", &text, &err), SM_ERR_INCOMPATIBLE);
    cr_assert_null(text);
    cr_assert_eq(err.http, 404);
    cr_assert_eq(sm_get(client, "livez", &text, &err), SM_ERR_INVALID_ARGUMENT);
}

/* 0.0.0.0 is this machine, but the client does not know that. */
Test(fetch, uploads_are_compressed_where_it_pays) {
    char url[64];
    sm_answer *a;
    struct bytes big = repeat("; nothing\n", 5000);
    char *module = NULL;
    cr_assert(asprintf(&module, "%s%s", (char *)big.data, add) > 0);
    struct daemon far = daemon_start((const char *const[]){"--listen", "0.0.0.0", "--insecure", NULL});
    snprintf(url, sizeof url, "http://0.0.0.0:%d", far.port);
    sm_client *c = client_of(url, (sm_client_options){.size = 0});
    sm_request r = request(module, NULL);
    cr_assert_eq(sm_compile(c, &r, &a, &err), SM_SUCCESS, "%s", err.message);
    sm_answer_free(a);
    sm_counters n = counters(c);
    cr_assert_gt(n.saved_bytes, strlen(module) / 2);
    cr_assert_lt(n.sent_bytes, strlen(module) / 2);
    r = request(add, NULL); /* too small */
    cr_assert_eq(sm_compile(c, &r, &a, &err), SM_SUCCESS);
    sm_answer_free(a);
    cr_assert_eq(counters(c).saved_bytes, n.saved_bytes);
    cr_assert_eq(
        sm_compile(client, &(sm_request){.size = sizeof r, .module = module, .module_len = strlen(module)}, &a, &err),
        SM_SUCCESS);
    sm_answer_free(a);
    cr_assert_eq(counters(client).saved_bytes, 0, "the server is near");
    sm_client_free(c);
    daemon_stop(&far);
    free(module);
    bytes_free(big);
}

/* What the server has compiled comes by its key: for who wants nothing else, and for modules long enough to be asked
 * for before they are sent. */
Test(fetch, what_was_compiled_before) {
    struct daemon caching = daemon_start((const char *const[]){"--cache-memory-mib", "8", NULL});
    sm_client *c = client_of(caching.url, (sm_client_options){.lookup_from = 1});
    sm_request r = request(add, (const char *const[]){"opt=1", NULL});
    sm_answer *a;
    r.policy = SM_CACHE_ONLY;
    cr_assert_eq(sm_compile(c, &r, &a, &err), SM_ERR_NOT_CACHED, "%s", err.message);
    r.policy = SM_POLICY_DEFAULT;
    cr_assert_eq(sm_compile(c, &r, &a, &err), SM_SUCCESS, "%s", err.message);
    cr_assert_str_eq(sm_answer_cache(a), "compiled");
    sm_answer_free(a);
    for (int i = 0; i < 2; i++) {
        r.policy = i ? SM_CACHE_ONLY : SM_POLICY_DEFAULT;
        cr_assert_eq(sm_compile(c, &r, &a, &err), SM_SUCCESS, "%s", err.message);
        cr_assert_str_eq(sm_answer_cache(a), "memory");
        cr_assert_not_null(sm_answer_object(a, NULL));
        sm_answer_free(a);
    }
    cr_assert_eq(counters(c).lookups, 4);
    cr_assert_eq(counters(c).lookup_hits, 2);
    sm_client_free(c);
    daemon_stop(&caching);
}

/* A suspect entry can be replaced: what is kept is no answer to bypass and refresh, however long the module is. */
Test(fetch, an_entry_is_compiled_anew_on_demand) {
    struct daemon caching = daemon_start((const char *const[]){"--cache-memory-mib", "8", NULL});
    sm_client *c = client_of(caching.url, (sm_client_options){.lookup_from = 1});
    static const char *const modes[] = {"cache=use", "cache=bypass", "cache=refresh", "cache=use"};
    for (int i = 0; i < 4; i++) {
        sm_request r = request(add, (const char *const[]){modes[i], NULL});
        sm_answer *a;
        cr_assert_eq(sm_compile(c, &r, &a, &err), SM_SUCCESS, "%s", err.message);
        cr_assert_str_eq(sm_answer_cache(a), i < 3 ? "compiled" : "memory", "%s", modes[i]);
        sm_answer_free(a);
    }
    cr_assert_eq(counters(c).lookups, 2, "of cache=use alone");
    sm_request r = request(add, (const char *const[]){"cache=refresh", NULL});
    sm_answer *a;
    r.policy = SM_CACHE_ONLY;
    cr_assert_eq(sm_compile(c, &r, &a, &err), SM_ERR_INVALID_INPUT);
    cr_assert(strstr(err.message, "SM_CACHE_ONLY"), "%s", err.message);
    sm_client_free(c);
    daemon_stop(&caching);
}

/* ---- Several levels of one module ---------------------------------------------------------------------------- */

struct handed {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count, is_last;
    sm_result result[4];
    char opt[4][4];
};

static void note_handed(struct handed *h, sm_result result, sm_answer *answer) {
    json_t *meta = answer ? json_loads(sm_answer_meta(answer, NULL), 0, NULL) : NULL;
    const char *opt = json_string_value(json_object_get(json_object_get(meta, "options"), "opt"));
    pthread_mutex_lock(&h->lock);
    snprintf(h->opt[h->count], sizeof h->opt[0], "%s", opt ? opt : "");
    h->result[h->count++] = result;
    h->is_last = !sm_answer_more(answer);
    pthread_cond_signal(&h->changed);
    pthread_mutex_unlock(&h->lock);
    json_decref(meta);
    sm_answer_free(answer);
}

static void on_handed(void *user, sm_result result, sm_answer *answer, const sm_error *e) {
    (void)e;
    note_handed(user, result, answer);
}

static struct handed submit_tiers(sm_client *c, const char *module, const char *const *options) {
    struct handed h = {.count = 0};
    sm_request r = request(module, options);
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.changed, NULL);
    cr_assert_eq(sm_submit(c, &r, on_handed, &h, NULL, &err), SM_SUCCESS, "%s", err.message);
    pthread_mutex_lock(&h.lock);
    while (!h.is_last)
        pthread_cond_wait(&h.changed, &h.lock);
    pthread_mutex_unlock(&h.lock);
    return h;
}

Test(fetch, tiers_come_one_after_the_other) {
    struct handed h = submit_tiers(client, add, (const char *const[]){"tiers=0,1,3", NULL});
    cr_assert_eq(h.count, 3);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(h.result[i], SM_SUCCESS);
        cr_assert_str_eq(h.opt[i], ((const char *const[]){"0", "1", "3"})[i]);
    }
    cr_assert_eq(counters(client).calls, 1);
    cr_assert_eq(counters(client).requests, 3, "one upload, and one request for each level that follows");
    cr_assert_lt(counters(client).sent_bytes, 2 * strlen(add));
    h = submit_tiers(client, wrong, (const char *const[]){"tiers=0,2", NULL});
    cr_assert_eq(h.count, 1);
    cr_assert_eq(h.result[0], SM_ERR_INVALID_INPUT);
    h = submit_tiers(client, add, (const char *const[]){"tiers=3", NULL});
    cr_assert_eq(h.count, 1);
    cr_assert_str_eq(h.opt[0], "3");
}

/* Without callback: completions of one call, in order. */
Test(fetch, tiers_as_completions) {
    sm_request r = request(add, (const char *const[]){"tiers=0,2", NULL});
    struct handed h = {.count = 0};
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.changed, NULL);
    cr_assert_eq(sm_submit(client, &r, NULL, &h, NULL, &err), SM_SUCCESS, "%s", err.message);
    while (!h.is_last) {
        sm_completion c;
        struct pollfd p = {.fd = sm_client_fd(client), .events = POLLIN};
        cr_assert_eq(poll(&p, 1, 100000), 1);
        while (sm_client_next(client, &c)) {
            cr_assert_eq(c.user, &h);
            note_handed(&h, c.result, c.answer);
        }
    }
    cr_assert_eq(h.count, 2);
    cr_assert_str_eq(h.opt[0], "0");
    cr_assert_str_eq(h.opt[1], "2");
}

/* A server that keeps no jobs gets the module again; by key, nothing is uploaded at all. */
Test(fetch, tiers_of_a_server_that_promises_nothing) {
    struct daemon forgetful = daemon_start((const char *const[]){"--cache-memory-mib", "8", "--workers", "1", NULL});
    sm_client *c = client_of(forgetful.url, (sm_client_options){.lookup_from = 1});
    for (int i = 0; i < 2; i++) {
        struct handed h = submit_tiers(c, add, (const char *const[]){"tiers=0,2", NULL});
        cr_assert_eq(h.count, 2);
        cr_assert_str_eq(h.opt[0], "0");
        cr_assert_str_eq(h.opt[1], "2");
    }
    cr_assert_eq(counters(c).lookup_hits, 2, "the second time both are there by key");
    sm_client_free(c);
    daemon_stop(&forgetful);
}

Test(fetch, tiers_that_are_none) {
    static const char *const both[] = {"opt=2", "tiers=0,2", NULL}, *const none[] = {"tiers=0,9", NULL},
                             *const two[] = {"tiers=0,2", NULL};
    sm_request r = request(add, both);
    sm_answer *a;
    cr_assert_eq(sm_submit(client, &r, on_handed, NULL, NULL, &err), SM_ERR_INVALID_INPUT);
    r.options = none;
    cr_assert_eq(sm_submit(client, &r, on_handed, NULL, NULL, &err), SM_ERR_INVALID_INPUT);
    r.options = two;
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_INVALID_ARGUMENT);
    cr_assert(strstr(err.message, "sm_submit"));
}

#define TRACE "0af7651916cd43dd8448eb211c80319c"

static int log_has_trace(void *arg) {
    struct bytes log = daemon_log(arg);
    int has = strstr((char *)log.data, "\"trace\":\"" TRACE "\"") != NULL;
    bytes_free(log);
    return has;
}

/* The server is told which trace a request is part of; what is no traceparent is refused before anything is sent. */
Test(fetch, a_trace_is_passed_on) {
    static const char *const none[] = {"00-" TRACE "-B7AD6B7169203331-01", "00-" TRACE "\r\nX-Smd: 1", NULL};
    sm_answer *a;
    sm_request r = request(add, NULL);
    r.traceparent = "00-" TRACE "-b7ad6b7169203331-01";
    cr_assert_eq(sm_compile(client, &r, &a, &err), SM_SUCCESS, "%s", err.message);
    sm_answer_free(a);
    await(log_has_trace, &d, 60, "the trace in the log");
    for (int i = 0; none[i]; i++) {
        r.traceparent = none[i];
        cr_assert_eq(sm_compile(client, &r, &a, &err), SM_ERR_INVALID_ARGUMENT, "%s", err.message);
        cr_assert(strstr(err.message, "traceparent"), "%s", err.message);
    }
}
