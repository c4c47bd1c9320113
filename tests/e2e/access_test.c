/* Who may ask for what: tokens, certificates and users of unix sockets, their scopes, limits and ends; and tenants, of
 * whom none learns what another has compiled. */
#include "authority.h"
#include "daemon.h"
#include "http.h"
#include "modules.h"
#include "smclient.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/smd-access-XXXXXX";
static char file[64], token[100], other[100];
static struct daemon d;

TestSuite(access, .timeout = 600);

/* What smc token prints, without its line's end; *new*. The test fails unless it ends with 0. */
__attribute__((format(printf, 1, 2))) static char *smc_token(const char *fmt, ...) {
    char arguments[300], command[600];
    int status;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(arguments, sizeof arguments, fmt, ap);
    va_end(ap);
    snprintf(command, sizeof command, "%s/smc token -f %s %s 2>&1", BIN_DIR, file, arguments);
    struct bytes said = run_command(command, "", 0, &status);
    cr_assert_eq(status, 0, "%s: %s", command, (char *)said.data);
    if (said.len)
        said.data[said.len - 1] = 0;
    return (char *)said.data;
}

/* Makes a token and copies it to TO. */
static void make_token(char to[100], const char *arguments) {
    char *text = smc_token("new %s", arguments);
    snprintf(to, 100, "%s", text);
    free(text);
}

static void begin(void) {
    cr_assert(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/tokens", folder);
}

static void end(void) {
    daemon_stop(&d);
    shell_in("/", "rm -rf %s", folder);
}

/* A request that shows SHOWN as its token (NULL: nothing). */
static struct answer ask_as(const char *shown, const char *method, const char *path, const char *body) {
    char header[160] = "X-Nothing: 1";
    if (shown)
        snprintf(header, sizeof header, "Authorization: Bearer %s", shown);
    return ask(&d, (struct ask){.method = method,
                                .path = path,
                                .body = body,
                                .len = body ? strlen(body) : 0,
                                .headers = {header, "Content-Type: text/plain"}});
}

static void expect(const char *shown, const char *path, const char *body, int http, const char *code) {
    struct answer a = ask_as(shown, body ? "POST" : "GET", path, body);
    cr_expect(a.http == http && (!code || strcmp(member(&a, "code"), code) == 0), "%s: %d %s", path, a.http,
              (char *)a.body.data);
    answer_free(a);
}

static const char module[] = "define i32 @f() { ret i32 1 }\n";
#define KEY "0000000000000000000000000000000000000000000000000000000000000000"

/* Every route by every scope. */
Test(access, scopes) {
    static const struct {
        const char *path, *body, *scopes; /* of which one lets pass; "": nobody is asked */
    } rows[] = {
        {"/livez", NULL, ""},
        {"/readyz", NULL, ""},
        {"/openapi.yaml", NULL, ""},
        {"/v1/compile", module, "compile"},
        {"/v1/batch", "[]", "compile"},
        {"/v1/jobs", module, "compile"},
        {"/v1/stackmap", "x", "compile"},
        {"/v1/capabilities", NULL, "compile read"},
        {"/v1/artifacts/" KEY, NULL, "compile read"},
        {"/v1/jobs/1", NULL, "compile read"},
        {"/v1/artifacts/find-missing", "{}", "compile read"},
        {"/metrics", NULL, "metrics"},
        {"/dashboard", NULL, "metrics"},
        {"/v1/slowest", NULL, "metrics"},
        {"/v1/history", NULL, "metrics"},
        {"/v1/manifest", NULL, "admin"},
        {"/v1/modules/" KEY, NULL, "admin"},
        {"/v1/dead-jobs", NULL, "admin"},
        {"/v1/dead-jobs/1", "", "admin"},
    };
    static const char *const scopes[] = {"compile", "read", "metrics", "admin"};
    char tokens[4][100];
    begin();
    for (int i = 0; i < 4; i++) {
        char arguments[60];
        snprintf(arguments, sizeof arguments, "of-%s --scopes %s", scopes[i], scopes[i]);
        make_token(tokens[i], arguments);
    }
    d = daemon_start((const char *const[]){"--tokens", file, NULL});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct answer a = ask_as(NULL, rows[i].body ? "POST" : "GET", rows[i].path, rows[i].body);
        char *challenge = answer_header(&a, "WWW-Authenticate");
        cr_expect((a.http == 401) == (rows[i].scopes[0] != 0), "%s without a token: %d", rows[i].path, a.http);
        cr_expect(a.http != 401 || (challenge && strcmp(challenge, "Bearer realm=\"smd\"") == 0 &&
                                    strcmp(a.type, "application/problem+json") == 0));
        free(challenge);
        answer_free(a);
        for (int k = 0; k < 4; k++) {
            a = ask_as(tokens[k], rows[i].body ? "POST" : "GET", rows[i].path, rows[i].body);
            int may = !rows[i].scopes[0] || strstr(rows[i].scopes, scopes[k]);
            challenge = answer_header(&a, "WWW-Authenticate");
            cr_expect(a.http != 401 && (a.http == 403) == !may, "%s with %s: %d", rows[i].path, scopes[k], a.http);
            cr_expect(may || (challenge && strstr(challenge, "insufficient_scope")));
            free(challenge);
            answer_free(a);
        }
    }
    end();
}

static int answers_with(void *http) {
    struct answer a = ask_as(token, "GET", "/v1/capabilities", NULL);
    int is = a.http == *(int *)http;
    answer_free(a);
    return is;
}

/* Wrong, altered, revoked and expired tokens are none; a changed file counts without a signal, a wrong one does not. */
Test(access, tokens_come_and_go) {
    int yes = 200, no = 401;
    char wrong[110];
    begin();
    make_token(token, "ci --scopes read");
    make_token(other, "late --scopes read --expires 2020-01-01");
    d = daemon_start((const char *const[]){"--tokens", file, NULL});
    expect(token, "/v1/capabilities", NULL, 200, NULL);
    expect(other, "/v1/capabilities", NULL, 401, "unauthorised");
    expect("", "/v1/capabilities", NULL, 401, "unauthorised");
    snprintf(wrong, sizeof wrong, "%sx", token);
    expect(wrong, "/v1/capabilities", NULL, 401, "unauthorised");
    snprintf(wrong, sizeof wrong, "%.60s", token);
    expect(wrong, "/v1/capabilities", NULL, 401, "unauthorised");
    struct answer a = ask(&d, (struct ask){.path = "/v1/capabilities", .headers = {"Authorization: Basic YTpi"}});
    cr_expect_eq(a.http, 401);
    answer_free(a);
    char first[130];
    snprintf(first, sizeof first, "Authorization: Bearer %s", token);
    a = ask(&d, (struct ask){.path = "/v1/capabilities", .headers = {first, "authorization: Bearer other"}});
    assert_problem(&a, 400, "bad_request");
    answer_free(a);
    struct bytes text = read_file(file);
    cr_expect(!strstr((char *)text.data, token), "the file has the token in it");
    bytes_free(text);
    struct stat st;
    cr_expect(stat(file, &st) == 0 && (st.st_mode & 0777) == 0600);
    free(smc_token("revoke ci"));
    await(answers_with, &no, 60, "the token to be revoked");
    make_token(token, "second --scopes read");
    await(answers_with, &yes, 60, "the second token");
    shell_in(folder,
             "cp tokens right; echo '{' >tokens; kill -HUP %d; until grep -q tokens_refused %s/log; do sleep "
             "0.01; done",
             (int)d.pid, d.folder);
    expect(token, "/v1/capabilities", NULL, 200, NULL);
    shell_in(folder, "cp right tokens");
    make_token(token, "third --scopes read");
    await(answers_with, &yes, 60, "the new token");
    char *nothing = smc_token(
        "new all --jwt 'system:serviceaccount:*' --tenant builds --jobs 2 --mib-per-day 5 --cpu-s-per-day 9");
    cr_expect_str_eq(nothing, "", "a row for JWTs has no token");
    free(nothing);
    make_token(token, "stranger --untrusted --input-text --jobs 1");
    char *list = smc_token("list");
    cr_expect(strstr(list, "stranger\tstranger\ttoken\tcompile\tnever\tjobs=1,untrusted,input_text") &&
                  strstr(list, "third\tthird\ttoken\tread\tnever\t-\n") &&
                  strstr(list, "late\tlate\ttoken\tread\t2020-01-01\t-\n") &&
                  strstr(list, "all\tbuilds\tjwt\tcompile\tnever\tjobs=2,mib_per_day=5,cpu_s_per_day=9") &&
                  !strstr(list, "ci\t"),
              "%s", list);
    free(list);
    end();
}

/* Requests a second, compiles at once, and the largest deadline are the token's. */
Test(access, limits) {
    enum { ENOUGH = 6 };
    int refused = 0;
    begin();
    make_token(token, "slow --scopes read --requests-per-s 2");
    make_token(other, "one --scopes compile --jobs 1 --max-deadline 300000");
    d = daemon_start((const char *const[]){"--tokens", file, NULL});
    while (refused < ENOUGH) { /* however long this machine takes for a few at once */
        struct answer a = ask_as(token, "GET", "/v1/capabilities", NULL);
        refused += a.http == 429;
        char *after = answer_header(&a, "Retry-After");
        cr_expect(a.http == 200 || (a.http == 429 && after));
        free(after);
        answer_free(a);
    }
    expect(other, "/v1/compile?deadline_ms=300001", module, 400, "invalid_option");
    pid_t pids[8];
    while (daemon_workers(&d, pids, 8) < 3)
        usleep(1000);
    for (int i = 0; i < 3; i++)
        process_hold(pids[i]);
    shell_in(
        folder,
        "{ curl -s -H 'Authorization: Bearer %s' --data-binary 'define void @g() { ret void }' "
        "%s/v1/compile?deadline_ms=300000 >first & } >/dev/null 2>&1; for i in $(seq 5000); do test \"$(curl -s -o "
        "/dev/null -w '%%{http_code}' -H 'Authorization: Bearer %s' --data-binary x '%s/v1/compile?opt=9')\" = 429 "
        "&& exit 0; sleep 0.01; done; exit 1",
        other, d.url, other, d.url);
    for (int i = 0; i < 3; i++)
        process_release(pids[i]);
    end();
}

/* Waits until no day, of UTC's, is about to end: what was used of it would be forgotten meanwhile. */
static void avoid_midnight(void) {
    while (time(NULL) % 86400 >= 86400 - 240)
        usleep(100000);
}

/* 1 if the answer is 429 until midnight, UTC, for the limit WHAT. */
static int is_over_day(const struct answer *a, const char *what) {
    char *after = answer_header(a, "Retry-After");
    long left = 86400 - time(NULL) % 86400, seconds = after ? strtol(after, NULL, 10) : 0;
    int is = a->http == 429 && labs(seconds - left) < 240 && strstr(member(a, "detail"), what);
    free(after);
    return is;
}

static int are_idle(void *nothing) {
    (void)nothing;
    struct answer a = ask_as(token, "GET", "/metrics", NULL);
    int are = strstr((char *)a.body.data, "smd_workers{state=\"idle\"} 3\n") != NULL;
    answer_free(a);
    return are;
}

static int is_known(void *shown) {
    struct answer a = ask_as(shown, "GET", "/v1/capabilities", NULL);
    int is = a.http == 200;
    answer_free(a);
    return is;
}

static int has_used_its_day(void *nothing) {
    (void)nothing;
    struct answer a = ask_as(other, "POST", "/v1/compile", module);
    int has = is_over_day(&a, "1 CPU seconds");
    answer_free(a);
    return has;
}

/* The seconds of workers that the tenant "slow" has used. */
static double seconds_used(void) {
    struct answer a = ask_as(token, "GET", "/metrics", NULL);
    const char *spent = strstr((char *)a.body.data, "smd_tenant_cpu_seconds_total{tenant=\"slow\"} ");
    double s = spent ? strtod(strchr(spent, ' '), NULL) : 0;
    answer_free(a);
    return s;
}

/* MiB of bodies and CPU seconds of a day are the token's. Other routes go on. */
Test(access, limits_of_a_day) {
    struct bytes half = repeat("; half a MiB of comments ......\n", 16384), large = repeat("; too much\n", 200000);
    avoid_midnight();
    begin();
    make_token(token, "little --scopes compile,metrics --mib-per-day 1");
    make_token(other, "quick --scopes compile --cpu-s-per-day 1 --tenant slow");
    d = daemon_start((const char *const[]){"--tokens", file, NULL});
    struct answer a = ask_as(token, "POST", "/v1/compile", (char *)large.data);
    cr_expect(is_over_day(&a, "1 MiB of bodies"), "%d %s", a.http, (char *)a.body.data);
    answer_free(a);
    for (int i = 0; i < 3; i++) {
        a = ask_as(token, "POST", "/v1/compile", (char *)half.data);
        cr_expect(i < 2 ? a.http == 200 : is_over_day(&a, "1 MiB of bodies"), "%d: %d %s", i, a.http,
                  (char *)a.body.data);
        answer_free(a);
    }
    char header[160], chunked[100];
    snprintf(header, sizeof header, "Authorization: Bearer %s", token);
    a = ask(&d, (struct ask){
                    .path = "/v1/compile", .body = module, .len = strlen(module), .headers = {header}, .chunked = 1});
    cr_expect(is_over_day(&a, "1 MiB of bodies"), "%d %s", a.http, (char *)a.body.data);
    answer_free(a);
    a = ask_as(token, "GET", "/metrics", NULL);
    cr_expect(strstr((char *)a.body.data, "smd_tenant_body_bytes_total{tenant=\"little\"} 1048576\n"), "%s",
              (char *)a.body.data);
    answer_free(a);
    make_token(chunked, "unannounced --scopes compile --mib-per-day 1");
    await(is_known, chunked, 60, "the token to be known");
    snprintf(header, sizeof header, "Authorization: Bearer %s", chunked);
    a = ask(&d, (struct ask){
                    .path = "/v1/compile", .body = large.data, .len = large.len, .headers = {header}, .chunked = 1});
    cr_expect(is_over_day(&a, "1 MiB of bodies"), "%d %s", a.http, (char *)a.body.data);
    answer_free(a);
    await(are_idle, NULL, 60, "the workers to be there");
    pid_t pids[8];
    cr_assert_eq(daemon_workers(&d, pids, 8), 3);
    for (int i = 0; i < 3; i++)
        process_hold(pids[i]);
    expect(other, "/v1/compile?deadline_ms=1100", module, 504, "compile_timeout");
    for (int i = 0; i < 3; i++)
        process_release(pids[i]);
    await(has_used_its_day, NULL, 60, "the second that a worker was held to count");
    expect(other, "/v1/capabilities", NULL, 200, NULL);
    expect(other, "/v1/batch", "[]", 429, "too_many_requests");
    cr_expect_geq(seconds_used(), 1.1);
    end();
    bytes_free(half);
    bytes_free(large);
}

/* 1 if a compile that may have two threads, and needs one, has cost its client less than 1.5 times as long as it took. */
static int is_paid_as_it_took(void *text) {
    double before = seconds_used(), took;
    struct answer a = ask_as(other, "POST", "/v1/compile?opt=1&cache=bypass", text);
    cr_assert_eq(a.http, 200);
    char *timing = answer_header(&a, "Server-Timing");
    cr_assert(timing && strstr(timing, "compile;dur="));
    took = strtod(strstr(timing, "compile;dur=") + strlen("compile;dur="), NULL) / 1000;
    free(timing);
    answer_free(a);
    return seconds_used() - before < 1.5 * took;
}

static int has_used_more(void *before) {
    return seconds_used() > *(double *)before;
}

/* The same of one that is given up after a second. */
static int is_paid_until_its_deadline(void *nothing) {
    (void)nothing;
    double before = seconds_used();
    await(are_idle, NULL, 60, "the workers to be there");
    expect(other, "/v1/compile?deadline_ms=1000", module_endless, 504, "compile_timeout");
    await(has_used_more, &before, 60, "the compile to count");
    return seconds_used() - before < 1.5;
}

/* Threads of a worker that have nothing to do cost nobody anything. */
Test(access, idle_threads_are_not_paid_for) {
    begin();
    make_token(token, "reader --scopes metrics");
    make_token(other, "one --scopes compile --cpu-s-per-day 80000 --tenant slow");
    d = daemon_start((const char *const[]){"--tokens", file, "--workers", "2", NULL});
    struct bytes steps = module_of_steps(2000);
    await(are_idle, NULL, 60, "the workers to be there");
    await(is_paid_as_it_took, steps.data, 300, "a compile that is paid as long as it took");
    await(is_paid_until_its_deadline, NULL, 300, "a compile that is paid until its deadline");
    end();
    bytes_free(steps);
}

/* What the compile of MODULE was answered from. */
static void expect_from(const char *shown, const char *path, const char *from) {
    struct answer a = ask_as(shown, "POST", path, module);
    char *cache = answer_header(&a, "X-Smd-Cache");
    cr_expect(a.http == 200 && cache && strcmp(cache, from) == 0, "%d, %s instead of %s", a.http, cache ? cache : "-",
              from);
    free(cache);
    answer_free(a);
}

/* Tenants share no entries unless their rows say so: not by compiling, not by a key. */
Test(access, tenants_share_nothing) {
    char third[100], path[100], body[120], cache_dir[80];
    begin();
    make_token(token, "a");
    make_token(other, "b");
    make_token(third, "c --tenant b");
    snprintf(cache_dir, sizeof cache_dir, "%s/cache", folder);
    d = daemon_start(
        (const char *const[]){"--tokens", file, "--cache-memory-mib", "64", "--cache-dir", cache_dir, NULL});
    expect_from(token, "/v1/compile", "compiled");
    expect_from(token, "/v1/compile", "memory");
    struct answer a = ask_as(token, "POST", "/v1/compile", module);
    char *key = answer_header(&a, "X-Smd-Key");
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    snprintf(body, sizeof body, "{\"keys\":[\"%s\"]}", key);
    answer_free(a);
    expect(token, path, NULL, 200, NULL);
    expect(other, path, NULL, 404, "artifact_not_found");
    a = ask_as(other, "POST", "/v1/artifacts/find-missing", body);
    cr_expect(strstr((char *)a.body.data, key), "%s", (char *)a.body.data);
    answer_free(a);
    a = ask_as(token, "POST", "/v1/artifacts/find-missing", body);
    cr_expect(!strstr((char *)a.body.data, key), "%s", (char *)a.body.data);
    answer_free(a);
    expect_from(other, "/v1/compile?explain=true", "compiled");
    expect_from(third, "/v1/compile?explain=true", "memory");
    a = ask_as(other, "POST", "/v1/compile", module);
    char *others = answer_header(&a, "X-Smd-Key");
    cr_expect_str_eq(others, key, "keys are what clients compute, whoever they are");
    free(others);
    free(key);
    answer_free(a);
    end();
}

/* libsmclient finds what its own tenant has by the key that it computes. */
Test(access, libsmclient) {
    char path[80];
    begin();
    make_token(token, "a");
    d = daemon_start((const char *const[]){"--tokens", file, "--cache-memory-mib", "64", NULL});
    const char *const servers[] = {d.url, NULL};
    snprintf(path, sizeof path, "%.60s", token);
    for (int right = 0; right < 2; right++) {
        const sm_client_options options = {.size = sizeof options, .servers = servers, .token = right ? token : path};
        const sm_request request = {.size = sizeof request, .module = module, .module_len = strlen(module)};
        for (int again = 0; again <= right; again++) {
            sm_error err;
            sm_answer *answer = NULL;
            sm_client *c = sm_client_new(&options, &err);
            sm_result result = sm_compile(c, &request, &answer, &err);
            cr_expect_eq(result, right ? SM_SUCCESS : SM_ERR_UNAUTHORISED, "%s", err.message);
            sm_answer_free(answer);
            sm_client_free(c);
        }
    }
    end();
}

/* A unix socket's user, and a certificate, are who they are in the same table. */
Test(access, users_and_certificates) {
    char flag[100];
    begin();
    shell_in(folder, "printf '{\"tokens\":[{\"name\":\"me\",\"user\":%d,\"scopes\":[\"read\"]}]}' >tokens",
             (int)getuid());
    snprintf(flag, sizeof flag, "unix:%s/socket", folder);
    d = daemon_start((const char *const[]){"--tokens", file, "--listen", flag, NULL});
    shell_in(folder,
             "ask() { curl -s -o /dev/null -w '%%{http_code}' --unix-socket socket http://smd$1; } && test $(ask "
             "/v1/capabilities) = 200 && test $(ask /metrics) = 403 && sed 's/%d/%d/' tokens >changed && mv changed "
             "tokens && until test $(ask /v1/capabilities) = 401; do sleep 0.05; done",
             (int)getuid(), (int)getuid() + 1);
    daemon_stop(&d);
    authority_new(folder, "ours");
    authority_sign(folder, "ours", "server", "server", 9);
    authority_sign(folder, "ours", "known", "client", 9);
    authority_sign(folder, "ours", "unknown", "client", 9);
    shell_in(
        folder,
        "printf '{\"tokens\":[{\"name\":\"it\",\"certificate\":\"%%s\",\"scopes\":[\"read\"]}]}' $(openssl x509 -in "
        "known.pem -noout -fingerprint -sha256 | sed 's/.*=//') >tokens");
    char paths[3][80];
    static const char *const names[] = {"server.pem", "server.key", "ours.pem"};
    for (int i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
    d = daemon_start((const char *const[]){"--tokens", file, "--tls-certificate", paths[0], "--tls-key", paths[1],
                                           "--tls-client-ca", paths[2], NULL});
    shell_in(
        folder,
        "ask() { curl -s -o /dev/null -w '%%{http_code}' --cacert ours.pem --cert $1.pem --key $1.key "
        "https://localhost:%d$2; } && test $(ask known /v1/capabilities) = 200 && test $(ask known /metrics) = 403 "
        "&& test $(ask unknown /v1/capabilities) = 401 && test $(ask unknown /readyz) = 200",
        d.port);
    end();
}

static int log_has(void *words) {
    return daemon_has_logged(&d, words);
}

/* The log and the metrics say whose a request was. */
Test(access, tenants_are_told_apart) {
    begin();
    make_token(token, "ci --tenant builds --scopes compile,metrics");
    d = daemon_start((const char *const[]){"--tokens", file, NULL});
    expect(token, "/v1/capabilities", NULL, 200, NULL);
    struct answer a = ask_as(token, "GET", "/metrics", NULL);
    cr_expect(strstr((char *)a.body.data, "smd_tenant_requests_total{tenant=\"builds\"} 2\n"), "%s",
              (char *)a.body.data);
    answer_free(a);
    await(log_has, "\"tenant\":\"builds\",\"token\":\"ci\"", 60, "the log's line");
    cr_expect_not(log_has(token));
    end();
}

/* With input_text, bitcode is refused wherever a module may stand. */
Test(access, bitcode_is_refused) {
    static const char plain[] = "BC\xc0\xde....", wrapped[] = "\xde\xc0\x17\x0b....";
    begin();
    d = daemon_start((const char *const[]){"--input-text", NULL});
    expect(NULL, "/v1/compile", module, 200, NULL);
    expect(NULL, "/v1/compile", plain, 415, "unsupported_media_type");
    expect(NULL, "/v1/compile", wrapped, 415, "unsupported_media_type");
    expect(NULL, "/v1/jobs", plain, 415, "unsupported_media_type");
    static const char *const paths[] = {"/v1/compile", "/v1/batch"};
    for (int i = 0; i < 2; i++) {
        const char *body = i ? "[{\"bitcode\":\"QkPA3i4uLi4=\"}]" : "{\"bitcode\":\"QkPA3i4uLi4=\"}";
        struct answer a = ask(&d, (struct ask){.path = paths[i],
                                               .body = body,
                                               .len = strlen(body),
                                               .headers = {"Content-Type: application/json"}});
        cr_expect(strstr((char *)a.body.data, "unsupported_media_type"), "%s", (char *)a.body.data);
        answer_free(a);
    }
    daemon_stop(&d);
    d = daemon_start(NULL);
    expect(NULL, "/v1/compile", plain, 422, NULL); /* LLVM reads it, and finds that it is none */
    end();
}

/* Everything that is wrong with a file is named, with its place. */
Test(access, wrong_files) {
#define GOOD "\"sha256\":\"" KEY "\",\"scopes\":[\"read\"]"
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"{", ":1:1:"},
        {"[]", "it has to be {\"tokens\": [...]}"},
        {"{\"tokens\":[1]}", "tokens[0].name: the row is no object"},
        {"{\"tokens\":[{" GOOD "}]}", "tokens[0].name: it is missing"},
        {"{\"tokens\":[{\"name\":\"a b\"," GOOD "}]}", "tokens[0].name: it has to be 1 to 63"},
        {"{\"tokens\":[{\"name\":\"a\",\"scopes\":[\"read\"]}]}", "tokens[0].sha256: a row has one of"},
        {"{\"tokens\":[{\"name\":\"a\",\"user\":0," GOOD "}]}", "tokens[0].sha256: a row has one of"},
        {"{\"tokens\":[{\"name\":\"a\",\"sha256\":\"" KEY "\"}]}", "tokens[0].scopes: it is missing"},
        {"{\"tokens\":[{\"name\":\"a\",\"sha256\":\"" KEY "0\",\"scopes\":[\"read\"]}]}",
         "tokens[0].sha256: it has to"},
        {"{\"tokens\":[{\"name\":\"a\",\"sha256\":\"" KEY "\",\"scopes\":[\"reed\"]}]}", "tokens[0].scopes: a word"},
        {"{\"tokens\":[{\"name\":\"a\"," GOOD "},{\"name\":\"a\"," GOOD "}]}", "tokens[1].name: there are two"},
        {"{\"tokens\":[{\"name\":\"a\"," GOOD "},{\"name\":\"b\"," GOOD "}]}", "tokens[1].sha256: another row"},
        {"{\"tokens\":[{\"name\":\"a\",\"jobs\":0," GOOD "}]}", "tokens[0].jobs: it has to be an integer"},
        {"{\"tokens\":[{\"name\":\"a\",\"expires\":\"soon\"," GOOD "}]}", "tokens[0].expires: it has to be a date"},
        {"{\"tokens\":[{\"name\":\"a\",\"mib_per_day\":0," GOOD "}]}", "tokens[0].mib_per_day: it has to be"},
        {"{\"tokens\":[{\"name\":\"a\",\"cpu_s_per_day\":1.5," GOOD "}]}", "tokens[0].cpu_s_per_day: it has to"},
        {"{\"tokens\":[{\"name\":\"a\",\"jwt\":\"\",\"scopes\":[\"read\"]}]}", "tokens[0].jwt: it has to be a text"},
        {"{\"tokens\":[{\"name\":\"a\",\"jwt\":\"x\"," GOOD "}]}", "tokens[0].sha256: a row has one of"},
        {"{\"tokens\":[{\"name\":\"a\",\"jwt\":\"x\",\"scopes\":[\"read\"]},{\"name\":\"b\",\"jwt\":\"x\","
         "\"scopes\":[\"read\"]}]}",
         "tokens[1].sha256: another row"},
        {"{\"tokens\":[{\"name\":\"a\",\"jwt\":\"*\",\"tenant\":\"t\",\"scopes\":[\"read\"]}]}",
         "tokens[0].tenant: of others"},
        {"{\"tokens\":[{\"name\":\"a\",\"color\":1," GOOD "}]}", "tokens[0].color: there is no such member"},
        {"{\"tokens\":[{\"name\":\"a\",\"user\":\"no one at all\",\"scopes\":[\"read\"]}]}",
         "tokens[0].user: it has"},
        {"{\"tokens\":[{\"name\":\"a\",\"color\":1,\"jobs\":0," GOOD "},{\"name\":\"b\"," GOOD "},{\"name\":\"c\"}]}",
         "tokens[0].jobs: it has to be an integer from 1 to 1000000\n"},
        {"{\"tokens\":[{\"name\":\"a\",\"color\":1,\"jobs\":0," GOOD "},{\"name\":\"b\"," GOOD "},{\"name\":\"c\"}]}",
         "tokens[2].sha256: a row has one of"},
    };
    char command[400];
    int status;
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file(file, rows[i].text, strlen(rows[i].text));
        snprintf(command, sizeof command, "%s/smd --check-config --tokens %s 2>&1", BIN_DIR, file);
        struct bytes said = run_command(command, "", 0, &status);
        cr_expect(status == 1 && strstr((char *)said.data, rows[i].words), "%s: %d, %s", rows[i].text, status,
                  (char *)said.data);
        bytes_free(said);
    }
    shell_in("/", "rm -rf %s", folder);
}
