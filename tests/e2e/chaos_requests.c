/* chaos_requests.c - see chaos_requests.h. */
#include "chaos_requests.h"

#include "artifact.h"
#include "exchange.h"
#include "http.h"
#include "modules.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

struct tally tally;

#define LONG    "deadline_ms=600000"
#define JSON    "application/json"
#define PROBLEM "application/problem+json"

/* ---- What is asked ---------------------------------------------------------------------------------------------- */

static const char typed[] = "define i8* @f(i8* %x) {\n  ret i8* %x\n}\n";
static const char unknown_key[] = "00000000000000000000000000000000000000000000000000000000000000aa";

/* A request of one of these is answered with HTTP and TYPE or CODE, or with a problem that says to come again. */
struct kind {
    const char *line, *headers, *text;
    int http;
    const char *expected; /* the media type of the answer; the code of the problem where HTTP is an error's */
    struct bytes body;    /* what is sent: TEXT, or what requests_prepare makes */
    uint64_t digest;      /* of what was answered first; 0: it may differ */
};

enum {
    LIST,
    ARM,
    TEXTS,
    TYPED,
    LARGE,
    PARTS,
    EXPLAINED,
    FORM,
    STACKMAP,
    GOOD, /* those before it are compiled */
    CRASHING = GOOD + 9,
};

static struct kind kinds[] = {
    [LIST] = {"POST /v1/compile?opt=2&" LONG, NULL, module_list, 200, JSON},
    [ARM] = {"POST /v1/compile?opt=0&target=aarch64-linux-gnu&explain=1&" LONG,
             "Accept: application/octet-stream\r\n", module_list, 200, "application/octet-stream"},
    [TEXTS] = {"POST /v1/compile?opt=2&emit=obj,ir,asm,disasm,remarks,stages&" LONG, NULL, module_list, 200, JSON},
    [TYPED] = {"POST /v1/compile?opt=1&" LONG, NULL, typed, 200, JSON},
    [LARGE] = {"POST /v1/compile?opt=1&safepoints=none&" LONG, "Accept: application/vnd.smd.artifact\r\n", NULL, 200,
               "application/vnd.smd.artifact"},
    [PARTS] = {"POST /v1/compile?opt=0&safepoints=none&split=functions&" LONG, "Accept: multipart/mixed\r\n", NULL,
               200, "multipart/mixed"},
    [EXPLAINED] = {"POST /v1/compile?opt=3&" LONG, "Accept: text/plain\r\nContent-Encoding: gzip\r\n", NULL, 200,
                   "text/plain"},
    [FORM] = {"POST /v1/compile", "Content-Type: application/json\r\n",
              "{\"ir\":\"define i32 @g() {\\n  ret i32 7\\n}\\n\",\"options\":{\"opt\":1,\"deadline_ms\":600000}}",
              200, JSON},
    [STACKMAP] = {"POST /v1/stackmap", "Content-Type: application/octet-stream\r\n", NULL, 200, JSON},

    [GOOD] = {"POST /v1/compile?opt=2", NULL, "nonsense", 422, "parse_error"},
    {"POST /v1/compile?opt=2&dialect=typed", NULL, "nonsense", 422, "parse_error"},
    {"POST /v1/compile?oppt=2", NULL, module_list, 400, "unknown_option"},
    {"POST /v1/compile", "Content-Type: application/json\r\n", "{\"ir\":", 400, "invalid_json"},
    {"POST /v1/batch", "Content-Type: application/json\r\n", "{}", 400, "invalid_json"},
    {"POST /v1/compile", "Content-Encoding: gzip\r\n", "nonsense", 400, "invalid_encoding"},
    {"POST /v1/compile", "Content-Type: image/png\r\n", "nonsense", 415, "unsupported_media_type"},
    {"POST /v1/stackmap", "Content-Type: application/octet-stream\r\n", "nonsense", 422, "invalid_object"},
    {"POST /v1/compile?opt=1&deadline_ms=200", NULL, module_endless, 504, "compile_timeout"},
    [CRASHING] = {"POST /v1/compile?opt=1&" LONG, NULL, module_crashing, 500, "compiler_crashed"},
    {"POST /v1/compile?cache=only&name=never", NULL, module_list, 404, "artifact_not_found"},
    {"GET /v1/jobs/00000000000000000000000000000000", NULL, NULL, 404, "job_not_found"},
    {"DELETE /v1/jobs/00000000000000000000000000000000", NULL, NULL, 404, "job_not_found"},
    {"GET /nowhere", NULL, NULL, 404, "not_found"},
    {"DELETE /v1/compile", NULL, NULL, 405, "method_not_allowed"},
    {"GET /livez", "Host: localhost\r\n", NULL, 400, "bad_request"},
    {"GET  /livez", NULL, NULL, 400, "bad_request"},
    {"GET /livez", "Transfer-Encoding: gzip\r\n", NULL, 400, "bad_request"},

    {"GET /livez", NULL, NULL, 200, JSON},
    {"GET /readyz", NULL, NULL, 200, JSON},
    {"HEAD /livez", NULL, NULL, 200, JSON},
    {"GET /metrics", NULL, NULL, 200, "text/plain"},
    {"GET /v1/capabilities", NULL, NULL, 200, JSON},
    {"GET /v1/slowest", NULL, NULL, 200, JSON},
    {"GET /v1/manifest", NULL, NULL, 200, JSON},
    {"GET /openapi.yaml", NULL, NULL, 200, "application/yaml"},
    {"GET /dashboard", NULL, NULL, 200, "text/html"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static char key[65]; /* of LIST */
static char parts_key[65];

static struct bytes copy_of(const char *text) {
    return repeat(text, 1);
}

static struct bytes compressed(const char *text) {
    struct bytes out = {malloc(4096), 4096};
    z_stream z = {0};
    deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *)text;
    z.avail_in = (uInt)strlen(text);
    z.next_out = out.data;
    z.avail_out = (uInt)out.len;
    deflate(&z, Z_FINISH);
    out.len -= z.avail_out;
    deflateEnd(&z);
    return out;
}

static struct bytes many_functions(int n) {
    struct bytes b = {malloc((size_t)n * 300 + 100), 0};
    b.len += (size_t)sprintf((char *)b.data, "declare void @g(ptr addrspace(1))\n");
    for (int i = 0; i < n; i++)
        b.len += (size_t)sprintf((char *)b.data + b.len,
                                 "define ptr addrspace(1) @f%d(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n  "
                                 "call void @g(ptr addrspace(1) %%p)\n"
                                 "  ret ptr addrspace(1) %%p\n}\n",
                                 i);
    return b;
}

/* ---- What is answered ------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void fault(const char *line, const char *fmt, ...) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    va_list ap;
    if (atomic_fetch_add(&tally.faults, 1))
        return;
    pthread_mutex_lock(&lock);
    int n = snprintf(tally.first_fault, sizeof tally.first_fault, "%s: ", line);
    va_start(ap, fmt);
    vsnprintf(tally.first_fault + n, sizeof tally.first_fault - (size_t)n, fmt, ap);
    va_end(ap);
    pthread_mutex_unlock(&lock);
}

/* FNV-1a; never 0. */
static uint64_t digest_of(const void *bytes, size_t len) {
    const unsigned char *at = bytes;
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ at[i]) * 1099511628211u;
    return h ? h : 1;
}

static int says_to_come_again(const char *code) {
    static const char *const codes[] = {"overloaded", "too_many_requests", "no_worker"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(code, codes[i]) == 0)
            return 1;
    return 0;
}

static const char *text_of(const json_t *object, const char *name) {
    const char *s = json_string_value(json_object_get(object, name));
    return s ? s : "";
}

/* The code of a problem; NULL, and a fault, if it is none as it has to be. */
static const char *code_of(const char *line, const struct exchanged *r, const json_t *json) {
    char *retry = exchanged_header(r, "Retry-After");
    int has_retry = retry && atoi(retry) > 0;
    free(retry);
    if (strcmp(r->type, PROBLEM) == 0 && json_integer_value(json_object_get(json, "status")) == r->http &&
        json_is_array(json_object_get(json, "diagnostics")) && *text_of(json, "code") &&
        has_retry == (r->http == 503 || r->http == 429))
        return text_of(json, "code");
    fault(line, "%d is no problem in order: %s %.300s", r->http, r->head.data,
          r->body.data ? (char *)r->body.data : "");
    return NULL;
}

/* What is in an answer of 200. */
static int is_sound(const struct exchanged *r, const json_t *json) {
    sm_artifact a;
    if (!r->body.data) /* of a HEAD */
        return 1;
    if (strcmp(r->type, JSON) == 0)
        return json != NULL;
    if (strcmp(r->type, "application/vnd.smd.artifact") == 0)
        return sm_artifact_read(r->body.data, r->body.len, &a) == SM_OK && a.status == SM_OK;
    if (strcmp(r->type, "application/octet-stream") == 0)
        return r->body.len > 4 && memcmp(r->body.data, "\177ELF", 4) == 0;
    return r->body.len > 0;
}

/* Says of an answer to K, by LINE, whether it is one that may be given. 1 if it is what K is for. */
static int judge(const struct kind *k, const char *line, const struct exchanged *r) {
    int is_it = 0;
    atomic_fetch_add(&tally.seen, 1);
    atomic_fetch_add(&tally.answers[r->http], 1);
    if (r->fault) {
        fault(line, "%s: %.200s", r->fault, r->head.data ? (char *)r->head.data : "");
        return 0;
    }
    json_t *json = strstr(r->type, "json") && r->body.data
                       ? json_loadb((char *)r->body.data, r->body.len, JSON_REJECT_DUPLICATES, NULL)
                       : NULL;
    if (r->http < 400) {
        is_it = r->http == k->http && strcmp(r->type, k->expected) == 0 && is_sound(r, json);
        if (!is_it)
            fault(line, "%d %s %.300s", r->http, r->type, r->body.data ? (char *)r->body.data : "");
        else if (k->digest && k->digest != digest_of(r->body.data, r->body.len))
            fault(line, "another answer than before: %.300s", (char *)r->body.data);
    } else if (strncmp(line, "HEAD ", 5) != 0 && strcmp(line, "GET /readyz") != 0) { /* they are no problems */
        const char *code = code_of(line, r, json);
        is_it = code && r->http == k->http && strcmp(code, k->expected) == 0;
        if (code && !is_it && !says_to_come_again(code))
            fault(line, "%d %.500s", r->http, (char *)r->body.data);
    }
    json_decref(json);
    return is_it;
}

/* ---- Who asks --------------------------------------------------------------------------------------------------- */

void requests_leave_off(struct client *c) {
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    c->uses = 0;
}

static unsigned draw(struct client *c, unsigned n) {
    return (unsigned)rand_r(&c->seed) % n;
}

/* One exchange on the client's connection, which serves for some and is left then. *New*. */
static struct exchanged say(struct client *c, const char *line, const char *headers, struct bytes body) {
    enum { USES = 10 };
    if (c->fd < 0)
        c->fd = daemon_connect(c->d);
    struct bytes request = exchange_request(line, headers, body);
    struct exchanged r = exchange(c->fd, request, strncmp(line, "HEAD ", 5) == 0);
    bytes_free(request);
    if (r.is_last || r.fault || ++c->uses == USES)
        requests_leave_off(c);
    return r;
}

/* The request line of K with another parameter of its query, if it has one; PARAMETER may be NULL. */
static const char *line_with(const struct kind *k, const char *parameter, char *out, size_t size) {
    int has_query = strchr(k->line, '?') && !strstr(k->line, "cache=");
    snprintf(out, size, "%s%s%s", k->line, parameter && has_query ? "&" : "",
             parameter && has_query ? parameter : "");
    return out;
}

/* Asks for K, with a parameter that changes nothing in the answer, or NULL. 1 if it was what K is for. */
static int ask_for(struct client *c, struct kind *k, const char *parameter) {
    char line[300];
    struct exchanged r = say(c, line_with(k, parameter, line, sizeof line), k->headers, k->body);
    int is_it = judge(k, line, &r);
    exchanged_free(r);
    return is_it;
}

/* The Accept of K, which an artifact or a job can be asked for with, or NULL. */
static const char *accept_of(const struct kind *k, char *out, size_t size) {
    snprintf(out, size, "Accept: %s\r\n", k->expected);
    return out;
}

/* Waits for the job at PATH, of a good module K, which is judged; or gives it up. */
static void follow(struct client *c, const struct kind *k, const char *path) {
    char line[200], accept[80];
    int polls = draw(c, 4) ? 1 << 20 : (int)draw(c, 2);
    for (; polls; polls--) {
        snprintf(line, sizeof line, "GET %s?wait=%u", path, draw(c, 3));
        struct exchanged r = say(c, line, accept_of(k, accept, sizeof accept), (struct bytes){0});
        int waits = r.http == 202 && !r.fault;
        if (waits)
            atomic_fetch_add(&tally.answers[202], 1);
        else
            judge(k, line, &r);
        exchanged_free(r);
        if (!waits)
            break;
    }
    struct kind deleted = {.http = 200, .expected = JSON};
    snprintf(line, sizeof line, "DELETE %s", path);
    struct exchanged r = say(c, line, NULL, (struct bytes){0});
    judge(&deleted, line, &r);
    exchanged_free(r);
}

static void visit_job(struct client *c) {
    const struct kind *k = &kinds[draw(c, 2) ? LIST : LARGE];
    struct kind accepted = {.http = 202, .expected = JSON};
    char line[200];
    snprintf(line, sizeof line, "POST /v1/jobs%s", strchr(k->line, '?'));
    struct exchanged r = say(c, line, NULL, k->body);
    char *path = judge(&accepted, line, &r) ? exchanged_header(&r, "Location") : NULL;
    exchanged_free(r);
    if (path)
        follow(c, k, path);
    free(path);
}

static void visit_tiers(struct client *c) {
    static const char line[] = "POST /v1/compile?tiers=0,2&cache=refresh&" LONG;
    struct kind first = {.http = 200, .expected = JSON};
    struct exchanged r = say(c, line, NULL, kinds[LIST].body);
    char *tiers = judge(&first, line, &r) ? exchanged_header(&r, "X-Smd-Tiers") : NULL;
    exchanged_free(r);
    if (tiers && strncmp(tiers, "2=/v1/jobs/", 11) == 0)
        follow(c, &kinds[LIST], tiers + 2);
    else if (tiers && *tiers)
        fault(line, "X-Smd-Tiers: %s", tiers);
    free(tiers);
}

/* An item of a batch: the result, or the problem, that the request would have been answered with. */
static void judge_item(const json_t *item, const char *code) {
    const char *is = text_of(item, "code");
    int is_it = code ? strcmp(is, code) == 0 : *text_of(item, "obj") != 0;
    if (!is_it && !says_to_come_again(is)) {
        char *text = json_dumps(item, JSON_ENCODE_ANY | JSON_COMPACT);
        fault("an item of POST /v1/batch", "%.500s", text ? text : "none");
        free(text);
    }
}

static void visit_batch(struct client *c) {
    static const char line[] = "POST /v1/batch";
    struct kind k = {.http = 200, .expected = JSON};
    json_t *items = json_pack("[{ss s{si}} {ss} {ss s{ss si}} {ss}]", "ir", module_list, "options", "deadline_ms",
                              600000, "ir", "nonsense", "ir", typed, "options", "cache", "bypass", "deadline_ms",
                              600000, "ir", module_crashing);
    char *text = json_dumps(items, JSON_COMPACT);
    json_decref(items);
    struct exchanged r =
        say(c, line, "Content-Type: application/json\r\n", (struct bytes){(unsigned char *)text, strlen(text)});
    free(text);
    if (judge(&k, line, &r)) {
        json_t *json = json_loadb((char *)r.body.data, r.body.len, 0, NULL),
               *results = json_object_get(json, "results");
        const char *typed_code = kinds[TYPED].http == 422 ? kinds[TYPED].expected : NULL;
        const char *codes[] = {NULL, "parse_error", typed_code, "compiler_crashed"};
        if (json_array_size(results) != 4)
            fault(line, "%zu results", json_array_size(results));
        for (size_t i = 0; i < json_array_size(results) && i < 4; i++)
            judge_item(json_array_get(results, i), codes[i]);
        json_decref(json);
    }
    exchanged_free(r);
}

/* What has a key may be gone. */
static void visit_key(struct client *c) {
    static const char *const paths[] = {"GET /v1/artifacts", "HEAD /v1/artifacts", "GET /v1/modules"};
    char line[200], accept[80];
    const char *path = paths[draw(c, 3)], *which = draw(c, 8) ? key : unknown_key;
    const struct kind *k = &kinds[draw(c, 2) ? LIST : LARGE];
    struct kind found = {.http = 200, .expected = JSON}, gone = {.http = 404, .expected = "artifact_not_found"};
    if (!strstr(path, "modules")) {
        found.expected = k->expected;
        accept_of(k, accept, sizeof accept);
    } else {
        accept[0] = 0;
    }
    snprintf(line, sizeof line, "%s/%s", path, which);
    struct exchanged r = say(c, line, accept, (struct bytes){0});
    judge(r.http == 404 ? &gone : &found, line, &r);
    exchanged_free(r);
}

static void visit_missing(struct client *c) {
    char text[300];
    struct kind k = {.http = 200, .expected = JSON};
    snprintf(text, sizeof text, "{\"keys\":[\"%s\",\"%s\"]}", key, unknown_key);
    struct exchanged r = say(c, "POST /v1/artifacts/find-missing", "Content-Type: application/json\r\n",
                             (struct bytes){(unsigned char *)text, strlen(text)});
    judge(&k, "POST /v1/artifacts/find-missing", &r);
    exchanged_free(r);
}

/* With parts of an earlier artifact or without: the same object. */
static void visit_incremental(struct client *c) {
    static char line[300];
    struct kind k = kinds[PARTS];
    k.digest = 0;
    snprintf(line, sizeof line, "%s&cache=bypass&incremental=%s", kinds[PARTS].line, parts_key);
    struct exchanged r = say(c, line, k.headers, k.body);
    judge(&k, line, &r);
    exchanged_free(r);
}

/* Sends a request, all of it or a part, and leaves. */
static void visit_and_leave(struct client *c) {
    struct kind *k = &kinds[draw(c, KINDS)];
    char line[300];
    struct linger at_once = {1, 0};
    struct bytes request =
        exchange_request(line_with(k, draw(c, 2) ? "cache=bypass" : NULL, line, sizeof line), k->headers, k->body);
    size_t len = draw(c, 2) ? request.len : draw(c, (unsigned)request.len);
    int fd = daemon_connect(c->d);
    send(fd, request.data, len, MSG_NOSIGNAL);
    usleep(draw(c, 20000));
    if (draw(c, 2))
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
    bytes_free(request);
    atomic_fetch_add(&tally.left, 1);
}

void requests_visit(struct client *c) {
    static const char *const uses[] = {NULL, "cache=bypass", "cache=bypass", "cache=refresh"};
    unsigned r = draw(c, 100);
    if (r < 45)
        ask_for(c, &kinds[draw(c, GOOD)], uses[draw(c, 4)]);
    else if (r < 65)
        ask_for(c, &kinds[GOOD + draw(c, KINDS - GOOD)], NULL);
    else if (r < 70)
        visit_batch(c);
    else if (r < 78)
        visit_job(c);
    else if (r < 82)
        visit_tiers(c);
    else if (r < 86)
        visit_key(c);
    else if (r < 88)
        visit_missing(c);
    else if (r < 92)
        visit_incremental(c);
    else
        visit_and_leave(c);
}

/* ---- Before and after ------------------------------------------------------------------------------------------- */

/* Keeps what K is answered with while nothing is disturbed, and its key. */
static void keep_answer(struct client *c, struct kind *k, char *key_of_it) {
    struct exchanged r = say(c, k->line, k->headers, k->body);
    if (judge(k, k->line, &r))
        k->digest = digest_of(r.body.data, r.body.len);
    else
        fault(k->line, "%d %.300s", r.http, r.body.data ? (char *)r.body.data : "");
    char *name = key_of_it ? exchanged_header(&r, "X-Smd-Key") : NULL;
    snprintf(key_of_it ? key_of_it : (char[1]){0}, key_of_it ? 65 : 1, "%s", name ? name : "");
    free(name);
    if (k == &kinds[ARM])
        kinds[STACKMAP].body = (struct bytes){memcpy(malloc(r.body.len + 1), r.body.data, r.body.len), r.body.len};
    exchanged_free(r);
}

/* A build without smd-upgrade says so to whoever posts typed pointers. */
static void prepare_typed(struct client *c) {
    struct exchanged r = say(c, kinds[TYPED].line, NULL, kinds[TYPED].body);
    if (r.http == 422 && strstr((char *)r.body.data, "\"no_upgrade\"")) {
        kinds[TYPED].http = 422;
        kinds[TYPED].expected = "no_upgrade";
    }
    exchanged_free(r);
}

void requests_prepare(const struct daemon *d) {
    struct client c = {d, 1, -1, 0};
    for (struct kind *k = kinds; k < kinds + KINDS; k++)
        if (k->text)
            k->body = copy_of(k->text);
    kinds[LARGE].body = many_functions(200);
    kinds[PARTS].body = many_functions(60);
    kinds[EXPLAINED].body = compressed(module_list);
    prepare_typed(&c);
    for (int i = 0; i < GOOD; i++)
        keep_answer(&c, &kinds[i], i == LIST ? key : i == PARTS ? parts_key : NULL);
    requests_leave_off(&c);
}

void requests_check(const struct daemon *d) {
    struct client c = {d, 1, -1, 0};
    for (int i = 0; i < KINDS; i++)
        if (!ask_for(&c, &kinds[i], i < GOOD ? "cache=bypass" : NULL))
            fault(kinds[i].line, "not answered although nothing is disturbed any more");
    visit_batch(&c);
    visit_missing(&c);
    visit_incremental(&c);
    for (int i = 0; i < 8; i++) {
        visit_job(&c);
        visit_tiers(&c);
        visit_key(&c);
    }
    requests_leave_off(&c);
}

void requests_free(void) {
    for (int i = 0; i < KINDS; i++)
        bytes_free(kinds[i].body);
}
