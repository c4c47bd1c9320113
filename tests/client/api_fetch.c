/* api_fetch.c - rounds of api_check.c: calls to servers. */
#include "api.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DEADLINE_MS = 60000, CALLS = 3 };

static const char module[] = "define i32 @f() {\n  ret i32 41\n}\n";
static const char *const plain[] = {"opt=1", NULL};

static sm_client *client_of(const char *const *servers, sm_client_options o) {
    sm_client *c;
    o.size = sizeof o;
    o.servers = servers;
    o.deadline_ms = DEADLINE_MS;
    o.connect_ms = DEADLINE_MS;
    COMES(c, sm_client_new(&o, &err));
    return c;
}

static sm_request request_of(const char *const *options) {
    return (sm_request){
        .size = sizeof(sm_request), .module = module, .module_len = sizeof module - 1, .options = options};
}

/* Everything that an answer says. */
static void read_answer(const sm_answer *a) {
    size_t len;
    sm_diagnostic d;
    check(a && sm_answer_object(a, &len) && len > 0, "no object");
    check(sm_answer_stackmap(a, &len) && sm_answer_meta(a, &len), "no texts");
    sm_answer_text(a, "asm", &len);
    check(strlen(sm_answer_key(a)) == 64 && sm_answer_signature(a)[0] && sm_answer_cache(a)[0], "where it is from");
    sm_answer_more(a);
    for (size_t i = 0; i < sm_answer_diagnostics(a); i++)
        sm_answer_diagnostic(a, i, &d);
}

/* What sm_compile gives where EXPECTED is its result, *new*; if something was made to fail, at the second time. */
static sm_answer *answer_of(sm_client *c, const sm_request *r, sm_result expected) {
    sm_answer *a = NULL;
    sm_result result = sm_compile(c, r, &a, &err);
    if (result != expected) {
        excuse(result, &err, "sm_compile", __LINE__);
        sm_answer_free(a);
        result = sm_compile(c, r, &a, &err);
    }
    check(result == expected, "%s, not %s: %s", sm_result_name(result), sm_result_name(expected), err.message);
    return a;
}

/* An answer, read and freed. */
static void take(sm_client *c, const sm_request *r) {
    sm_answer *a = answer_of(c, r, SM_SUCCESS);
    read_answer(a);
    sm_answer_free(a);
}

void call_once(void) {
    sm_answer *a = NULL;
    sm_result r = sm_compile_once(url, module, sizeof module - 1, &a, &err);
    if (r != SM_SUCCESS) {
        excuse(r, &err, "sm_compile_once", __LINE__);
        sm_answer_free(a);
        WORKS(sm_compile_once(url, module, sizeof module - 1, &a, &err));
    }
    read_answer(a);
    sm_answer_free(a);
}

/* By key and by upload, compressed, with a trace, in JSON, and signed. */
void call_with_all_options(void) {
    const char *const servers[] = {url, NULL}, *const keys[] = {in_folder("sign.pem"), NULL};
    static const char *const bypass[] = {"opt=1", "emit=obj,asm", NULL};
    static const char trace[] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    sm_client *c = client_of(
        servers, (sm_client_options){.lookup_from = 1, .compress_from = 1, .token = "none", .trusted_keys = keys});
    sm_request r = request_of(plain);
    r.traceparent = trace;
    take(c, &r);
    r.policy = SM_CACHE_ONLY;
    take(c, &r);
    r = request_of(bypass);
    r.target = sm_target_host()->triple;
    take(c, &r);
    sm_client_free(c);
    c = client_of(servers, (sm_client_options){.lookup_from = SIZE_MAX});
    r = request_of(plain);
    r.profile = "{\"name\":\"mine\",\"base\":\"statepoint-example\"}";
    take(c, &r);
    sm_client_free(c);
}

/* A call that fails as it should, or because something was made to fail. */
static void fails(sm_client *c, const sm_request *r, sm_result expected) {
    sm_answer *a = answer_of(c, r, expected);
    sm_diagnostic d;
    if (strcmp(err.code, "parse_error") == 0 && !failing_has())
        check(sm_answer_diagnostics(a) >= 1 && sm_answer_diagnostic(a, 0, &d) && d.message, "no diagnostic");
    sm_answer_free(a);
}

void call_for_nothing(void) {
    const char *const servers[] = {url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    sm_request r = request_of(plain);
    r.module = "not there";
    r.module_len = 9;
    r.policy = SM_CACHE_ONLY;
    fails(c, &r, SM_ERR_NOT_CACHED);
    r.policy = SM_PREFER_REMOTE;
    fails(c, &r, SM_ERR_INVALID_INPUT);
    static const char *const unknown[] = {"no_such_option=1", NULL};
    r.options = unknown;
    fails(c, &r, SM_ERR_INVALID_INPUT);
    sm_client_free(c);
}

/* ---- Calls that go on by themselves ------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

struct ending {
    int answers, is_over;
    sm_result result; /* of the last; of one that failed before */
    sm_error error;
};

static void on_done(void *user, sm_result result, sm_answer *answer, const sm_error *e) {
    struct ending *x = user;
    int more = answer && sm_answer_more(answer);
    sm_answer_free(answer);
    pthread_mutex_lock(&lock);
    x->answers++;
    x->result = result;
    if (result != SM_SUCCESS)
        x->error = *e;
    x->is_over = !more;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
}

static void wait_for(struct ending *x) {
    pthread_mutex_lock(&lock);
    while (!x->is_over)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}

/* Submits a call and waits for its last answer. */
static int submit_one(sm_client *c, const sm_request *r) {
    struct ending x = {.answers = 0};
    sm_call *call = NULL;
    WORKS(sm_submit(c, r, on_done, &x, &call, &err));
    sm_call_raise(call, 3);
    wait_for(&x);
    sm_call_free(call);
    if (x.result != SM_SUCCESS) {
        excuse(x.result, &x.error, "a submitted call", __LINE__);
        x = (struct ending){.answers = 0};
        WORKS(sm_submit(c, r, on_done, &x, NULL, &err));
        wait_for(&x);
        check(x.result == SM_SUCCESS, "submitted again: %s %s", sm_result_name(x.result), x.error.message);
    }
    return x.answers;
}

/* Takes COUNT completions, of which one may have failed. */
static void take_all(sm_client *c, int count) {
    sm_completion done;
    for (int taken = 0; taken < count;) {
        struct pollfd p = {.fd = sm_client_fd(c), .events = POLLIN};
        failing_pause(1);
        check(poll(&p, 1, DEADLINE_MS) == 1, "no completion comes");
        failing_pause(0);
        while (sm_client_next(c, &done)) {
            if (done.result != SM_SUCCESS && done.result != SM_ERR_CANCELLED)
                excuse(done.result, &done.error, "a completion", __LINE__);
            sm_answer_free(done.answer);
            taken++;
        }
    }
}

void submit(void) {
    const char *const servers[] = {url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    sm_request r = request_of(plain), many[CALLS] = {r, r, r};
    sm_call *call[CALLS];
    sm_counters counters;
    check(submit_one(c, &r) == 1, "answers");
    WORKS(sm_submit_many(c, many, CALLS, NULL, NULL, call, &err));
    sm_call_cancel(call[2]);
    for (int i = 0; i < CALLS; i++)
        sm_call_free(call[i]);
    take_all(c, CALLS);
    sm_client_counters(c, &counters, sizeof counters);
    check(counters.in_flight == 0 && counters.calls >= CALLS + 1, "%d calls", (int)counters.calls);
    check(submit_one(c, &r) == 1, "answers");
    WORKS(sm_submit(c, &r, NULL, NULL, NULL, &err)); /* is under way when the client goes */
    sm_client_free(c);
}

void submit_tiers(void) {
    const char *const servers[] = {url, NULL};
    static const char *const tiers[] = {"tiers=0,2", NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    sm_request r = request_of(tiers);
    int answers = submit_one(c, &r);
    check(answers == 2 || failing_has(), "%d answers", answers);
    sm_client_free(c);
}

void use_bundles(void) {
    const char *const servers[] = {url, NULL}, *const keys[] = {in_folder("sign.pem"), NULL};
    static const char *const recorded[] = {"opt=1", "startup=api", NULL};
    sm_bundle_info info;
    sm_client *c = client_of(servers, (sm_client_options){.trusted_keys = keys});
    sm_request r = request_of(recorded);
    take(c, &r);
    WORKS(sm_prefetch(c, "api", &info, &err));
    check(info.artifacts >= 1, "nothing was recorded");
    take(c, &r);
    WORKS(sm_bundle_save(c, "api", in_folder("bundle"), &info, &err));
    sm_client_free(c);
    c = client_of(servers, (sm_client_options){.trusted_keys = keys});
    WORKS(sm_bundle_open(c, in_folder("bundle"), &info, &err));
    check(info.artifacts >= 1, "the file is empty");
    take(c, &r);
    sm_client_free(c);
}

void get_texts(void) {
    const char *const servers[] = {url, NULL};
    char *text = NULL;
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    WORKS(sm_get(c, "/v1/capabilities", &text, &err));
    check(strchr(text, '{'), "no text");
    sm_text_free(text);
    sm_result r = sm_post(c, "/v1/dead-jobs/none", &text, &err); /* there is no queue of jobs */
    check(r != SM_SUCCESS && err.message[0], "a dead job is there");
    sm_client_free(c);
}

void call_several_servers(void) {
    const char *const servers[] = {"unix:/nowhere/at/all", url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.policy = SM_REQUIRE_REMOTE, .backoff_ms = 1});
    sm_request r = request_of(plain);
    take(c, &r);
    take(c, &r);
    sm_client_free(c);
}

void call_by_tls(void) {
    char address[128];
    size_t len;
    const char *text = file_of("tls-url", &len);
    snprintf(address, sizeof address, "%.*s", (int)strcspn(text, "\n"), text);
    const char *const servers[] = {address, NULL};
    sm_client_options o = {.ca_file = in_folder("ca.pem"),
                           .cert_file = in_folder("client.pem"),
                           .key_file = in_folder("client.key"),
                           .policy = SM_PREFER_REMOTE};
    sm_client *c = client_of(servers, o);
    sm_request r = request_of(plain);
    take(c, &r);
    sm_client_free(c);
}

void load_an_answer(void) {
    const char *const servers[] = {url, NULL};
    sm_client *c = client_of(servers, (sm_client_options){.size = 0});
    sm_request r = request_of(plain);
    sm_answer *a = NULL;
    sm_loader *l;
    sm_object *o;
    WORKS(sm_compile(c, &r, &a, &err));
    COMES(l, sm_loader_new(NULL, &err));
    WORKS(sm_load_answer(l, a, "answer", &o, &err));
    check(((int (*)(void))sm_object_symbol(o, "f"))() == 41, "what was loaded");
    sm_answer_free(a);
    sm_loader_free(l);
    sm_client_free(c);
}
