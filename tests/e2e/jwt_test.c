/* Tokens of an identity provider, as bearer tokens: who gets in, who does not and why; their tenants, limits and scopes;
 * and what a client that means harm may try. */
#include "authority.h"
#include "daemon.h"
#include "http.h"
#include "issuer.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/smd-jwt-XXXXXX";
static char keys[64], tokens[64];
static struct daemon d;
static struct issuer *ours, *other;

TestSuite(jwt_bearer, .timeout = 600);

static const char module[] = "define i32 @f() { ret i32 1 }\n";
#define HEADER "{\"alg\":\"EdDSA\",\"typ\":\"JWT\"}"

__attribute__((format(printf, 2, 3))) static void write_text(const char *path, const char *fmt, ...) {
    char text[8192];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    cr_assert(n > 0 && n < (int)sizeof text);
    write_file(path, text, (size_t)n);
}

static void write_pem(const struct issuer *i) {
    char *pem = issuer_pem(i);
    write_text(keys, "%s", pem);
    free(pem);
}

/* Starts a daemon that believes `ours`, with these flags, too. */
static void start(const char *const *more) {
    const char *flags[24] = {"--jwt-keys", keys, "--jwt-issuer", "https://idp.example", "--jwt-audience", "smd"};
    for (int i = 6; more && *more; i++)
        flags[i] = *more++;
    d = daemon_start(flags);
}

static void begin(void) {
    cr_assert(mkdtemp(folder));
    snprintf(keys, sizeof keys, "%s/keys", folder);
    snprintf(tokens, sizeof tokens, "%s/tokens", folder);
    ours = issuer_new("EdDSA");
    other = issuer_new("EdDSA");
    write_pem(ours);
}

static void end(void) {
    daemon_stop(&d);
    issuer_free(ours);
    issuer_free(other);
    shell_in("/", "rm -rf %s", folder);
}

/* The claims of a token for a tenant, valid from now on for so many seconds, with MORE members. *new* */
static char *claims_of(const char *tenant, long seconds, const char *scope, const char *more) {
    char *text;
    cr_assert(
        asprintf(&text,
                 "{\"iss\":\"https://idp.example\",\"aud\":\"smd\",\"sub\":\"%s\",\"exp\":%ld,\"scope\":\"%s\"%s}",
                 tenant, (long)time(NULL) + seconds, scope, more) > 0);
    return text;
}

/* A token of ours for a tenant. *new* */
static char *token_of(const char *tenant, const char *scope) {
    char *claims = claims_of(tenant, 3600, scope, ""), *token = issuer_token(ours, HEADER, claims);
    free(claims);
    return token;
}

/* Asks again where too many tokens were wrong in the same second. */
static struct answer ask_as(const char *token, const char *path, const char *body) {
    char header[20000] = "X-Nothing: 1";
    if (token)
        snprintf(header, sizeof header, "Authorization: Bearer %s", token);
    for (;;) {
        struct answer a = ask(&d, (struct ask){.path = path,
                                               .body = body,
                                               .len = body ? strlen(body) : 0,
                                               .headers = {header, "Content-Type: text/plain"}});
        if (a.http != 429)
            return a;
        answer_free(a);
        usleep(50000);
    }
}

/* The token, which is freed, is answered with HTTP, and WORDS in WWW-Authenticate; NULL: no such header. */
static void expect(char *token, const char *path, int http, const char *words) {
    struct answer a = ask_as(token, path, strcmp(path, "/v1/compile") == 0 ? module : NULL);
    char *challenge = answer_header(&a, "WWW-Authenticate");
    cr_expect(a.http == http && (words ? challenge && strstr(challenge, words) : !challenge),
              "%s: %d %s instead of %s", token, a.http, challenge ? challenge : "-", words ? words : "-");
    if (http >= 400)
        cr_expect_str_eq(a.type, "application/problem+json");
    free(challenge);
    answer_free(a);
    free(token);
}

/* A token of these claims, by KEY. */
static char *signed_by(const struct issuer *key, const char *header, char *claims) {
    char *token = issuer_token(key, header, claims);
    free(claims);
    return token;
}

#define INVALID(reason) "error=\"invalid_token\", error_description=\"" reason "\""

/* Each reason why a token does not count is named, to those who have a token that was ours, and nothing of its claims to
 * others. */
Test(jwt_bearer, who_gets_in) {
    static const char path[] = "/v1/capabilities";
    begin();
    start(NULL);
    expect(NULL, path, 401, "Bearer realm=\"smd\"");
    expect(token_of("acme", "read"), path, 200, NULL);
    expect(token_of("acme", "compile"), "/v1/compile", 200, NULL);
    expect(token_of("acme", "metrics"), "/metrics", 200, NULL);
    expect(token_of("acme", "read"), "/metrics", 403, "error=\"insufficient_scope\"");
    expect(token_of("acme", "openid profile"), path, 403, "error=\"insufficient_scope\"");
    expect(token_of("acme", "ADMIN \xd0\xb0"
                            "dmin"),
           "/v1/manifest", 403, "error=\"insufficient_scope\"");
    expect(signed_by(ours, HEADER, claims_of("acme", -3600, "read", "")), path, 401,
           INVALID("The token has expired"));
    expect(signed_by(ours, HEADER, claims_of("acme", 3600, "read", ",\"nbf\":4102444800")), path, 401,
           INVALID("A claim of the token is missing or malformed"));
    expect(signed_by(ours, HEADER, claims_of("acme", 4000000000, "read", ",\"nbf\":4102444800")), path, 401,
           INVALID("The token is not valid yet"));
    expect(signed_by(ours, HEADER, claims_of("a b", 3600, "read", "")), path, 401,
           INVALID("The claim of the token that names the tenant is missing or no name"));
    expect(signed_by(ours, HEADER, claims_of("acme", 3600, "read", ",\"aud\":\"other\"")), path, 401,
           INVALID("A claim of the token is missing or malformed"));
    static const char *const rows[][2] = {
        {"\"iss\":\"https://idp.example\",\"aud\":\"other\"", INVALID("The token has a wrong audience")},
        {"\"iss\":\"https://idp.example\"", INVALID("The token has a wrong audience")},
        {"\"iss\":\"https://evil.example\",\"aud\":\"smd\"", INVALID("The token has a wrong issuer")}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text, "{%s,\"sub\":\"acme\",\"scope\":\"read\",\"exp\":%ld}", rows[i][0],
                 (long)time(NULL) + 60);
        expect(issuer_token(ours, HEADER, text), path, 401, rows[i][1]);
        expect(issuer_token(other, HEADER, text), path, 401, INVALID("The signature of the token is wrong"));
    }
    expect(strdup("smd_0123"), path, 401, INVALID("The token is not one of this server's"));
    end();
}

/* What a client may try that has no key: each is 401, and the daemon goes on. */
Test(jwt_bearer, forgeries) {
    static const char path[] = "/v1/capabilities";
    begin();
    start(NULL);
    char *pem = issuer_pem(ours), *jwk = issuer_jwk(other, "mine"), *good = claims_of("acme", 3600, "admin", ""),
         *text;
    size_t len = strlen(pem);
    static const char *const algs[] = {"HS256", "hs256", "HS384", "none",  "None",
                                       "nOnE",  "",      "EdDSA", "RS256", "ES256"};
    for (size_t i = 0; i < sizeof algs / sizeof *algs; i++) {
        cr_assert(asprintf(&text, "{\"alg\":\"%s\"}", algs[i]) > 0);
        expect(issuer_token_by_secret(text, good, pem, len), path, 401, "invalid_token");
        expect(issuer_token_by_secret(text, good, pem, len - 1), path, 401,
               "invalid_token"); /* without its newline */
        expect(issuer_token_by_secret(text, good, "", 0), path, 401, "invalid_token");
        expect(issuer_token_of(text, good, "", 0), path, 401, "invalid_token");
        free(text);
    }
    static const char *const names[] = {"../../../../dev/null",
                                        "/dev/zero",
                                        "file:///etc/passwd",
                                        "' OR 1=1 --",
                                        "%s%s%s%n",
                                        "http://127.0.0.1:1/",
                                        "\\u0000",
                                        "\\ud800",
                                        "\\\"",
                                        "mine"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_assert(asprintf(&text, "{\"alg\":\"EdDSA\",\"kid\":\"%s\",\"jwk\":%s,\"jku\":\"http://127.0.0.1:1/\"}",
                           names[i], jwk) > 0);
        expect(issuer_token(other, text, good), path, 401, "invalid_token");
        free(text);
    }
    char *deep = malloc(9001);
    for (size_t n = 8; n <= 9000; n = n * 3 / 2) {
        memset(deep, '[', n);
        deep[n] = 0;
        expect(issuer_token(ours, HEADER, deep), path, 401, "invalid_token");
        if (n > 700)
            continue;
        cr_assert(asprintf(&text, "{\"alg\":\"EdDSA\",\"a\":%s", deep) > 0);
        expect(issuer_token(other, text, good), path, 401, "invalid_token");
        free(text);
    }
    free(deep);
    for (size_t n = 1; n < 12000; n = 2 * n + 1) { /* dots, and As: no part, and too many */
        char *many = malloc(n + 1);
        memset(many, n % 4 == 3 ? '.' : 'A', n);
        many[n] = 0;
        expect(many, path, 401, "invalid_token");
    }
    char *token = token_of("acme", "read");
    for (size_t cut = 0; cut < strlen(token); cut += 7)
        expect(strndup(token, cut), path, 401, "invalid_token");
    expect(token, path, 200, NULL);
    free(pem);
    free(jwk);
    free(good);
    end();
}

static int log_has(void *words) {
    return daemon_has_logged(&d, words);
}

static int is_refused(void *token) {
    struct answer a = ask_as(token, "/v1/capabilities", NULL);
    int is = a.http == 401;
    answer_free(a);
    return is;
}

/* A key that is taken out of the file signs nothing any more, not even what was checked before; a broken file changes
 * nothing, and a changed one needs no signal. */
Test(jwt_bearer, keys_are_replaced) {
    begin();
    char *first = issuer_jwk(ours, "one"), *second = issuer_jwk(other, "two");
    write_text(keys, "{\"keys\":[%s,%s]}", first, second);
    start(NULL);
    char *claims = claims_of("acme", 3600, "read", "");
    char *old = issuer_token(ours, "{\"alg\":\"EdDSA\",\"kid\":\"one\"}", claims);
    char *new = issuer_token(other, "{\"alg\":\"EdDSA\",\"kid\":\"two\"}", claims);
    expect(strdup(old), "/v1/capabilities", 200, NULL);
    expect(strdup(old), "/v1/capabilities", 200, NULL);
    expect(strdup(new), "/v1/capabilities", 200, NULL);
    write_text(keys, "{\"keys\":[%s", second);
    cr_assert_eq(kill(d.pid, SIGHUP), 0);
    await(log_has, "jwt_keys_refused", 60, "the broken file to be refused");
    expect(strdup(old), "/v1/capabilities", 200, NULL);
    write_text(keys, "{\"keys\":[%s]}", second);
    cr_assert_eq(kill(d.pid, SIGHUP), 0);
    await(is_refused, old, 60, "the old key to be forgotten");
    expect(strdup(old), "/v1/capabilities", 401, INVALID("The token is signed by an unknown key"));
    expect(strdup(new), "/v1/capabilities", 200, NULL);
    write_pem(ours);
    await(is_refused, new, 60, "the changed file to be seen");
    expect(old, "/v1/capabilities", 200, NULL);
    free(new);
    free(claims);
    free(first);
    free(second);
    end();
}

/* Rows of the token file say what JWTs may: one for a tenant, one for all others. Tokens of the file go on beside. */
Test(jwt_bearer, rows_for_tenants) {
    begin();
    write_text(tokens, "{\"tokens\":[{\"name\":\"builder\",\"jwt\":\"system:serviceaccount:ci:builder\",\"tenant\":"
                       "\"builds\",\"scopes\":[\"compile\",\"metrics\"],\"deadline_ms\":5000},{\"name\":\"gone\","
                       "\"jwt\":\"gone\",\"scopes\":[\"read\"],\"expires\":\"2020-01-01\"},{\"name\":\"others\","
                       "\"jwt\":\"*\",\"scopes\":[\"compile\"],\"deadline_ms\":4000}]}");
    char *plain;
    int status;
    char command[200];
    snprintf(command, sizeof command, "%s/smc token -f %s new plain --scopes read", BIN_DIR, tokens);
    struct bytes said = run_command(command, "", 0, &status);
    cr_assert_eq(status, 0);
    plain = strndup((char *)said.data, said.len - 1);
    bytes_free(said);
    start((const char *const[]){"--tokens", tokens, "--cache-memory-mib", "64", NULL});
    expect(plain, "/v1/capabilities", 200, NULL);
    expect(token_of("system:serviceaccount:ci:builder", "compile admin metrics"), "/v1/compile", 200, NULL);
    expect(token_of("system:serviceaccount:ci:builder", "compile admin metrics"), "/v1/manifest", 403, "scope");
    expect(token_of("system:serviceaccount:ci:other", "compile"), "/v1/compile", 401, "tenant");
    expect(token_of("gone", "read"), "/v1/capabilities", 401, "expired");
    expect(token_of("acme", "compile metrics"), "/v1/compile", 200, NULL);
    expect(token_of("acme", "compile metrics"), "/metrics", 403, "scope");
    expect(token_of("*", "compile"), "/v1/compile", 401, "tenant");
    static const char *const from[][3] = {{"system:serviceaccount:ci:builder", "memory", "5001"},
                                          {"acme", "memory", "4001"},
                                          {"zeta", "compiled", "4001"}};
    for (int i = 0; i < 3; i++) {
        char *token = token_of(from[i][0], "compile"), path[60];
        struct answer a = ask_as(token, "/v1/compile", module);
        char *cache = answer_header(&a, "X-Smd-Cache");
        cr_expect(a.http == 200 && cache && strcmp(cache, from[i][1]) == 0, "%s: %d %s", from[i][0], a.http,
                  cache ? cache : "-");
        free(cache);
        answer_free(a);
        snprintf(path, sizeof path, "/v1/compile?deadline_ms=%s", from[i][2]);
        a = ask_as(token, path, module);
        assert_problem(&a, 400, "invalid_option");
        answer_free(a);
        free(token);
    }
    char *token = token_of("system:serviceaccount:ci:builder", "metrics");
    struct answer a = ask_as(token, "/metrics", NULL);
    cr_expect(strstr((char *)a.body.data, "smd_tenant_requests_total{tenant=\"builds\"} ") &&
                  strstr((char *)a.body.data, "smd_tenant_requests_total{tenant=\"acme\"} ") &&
                  strstr((char *)a.body.data, "smd_tenant_body_bytes_total{tenant=\"acme\"} "),
              "%s", (char *)a.body.data);
    answer_free(a);
    free(token);
    end();
}

/* smc shows one that is as long as smd reads. */
Test(jwt_bearer, smc_shows_a_long_one) {
    char more[5800], path[80];
    begin();
    start(NULL);
    snprintf(more, sizeof more, ",\"more\":\"%05700d\"", 1);
    char *token = signed_by(ours, HEADER, claims_of("acme", 3600, "read", more));
    cr_assert_gt(strlen(token), 7800);
    snprintf(path, sizeof path, "%s/token", folder);
    write_text(path, "%s\n", token);
    shell_in(folder, "%s/smc capabilities --server %s --token-file token | grep -q x86_64", BIN_DIR, d.url);
    expect(token, "/v1/capabilities", 200, NULL);
    end();
}

/* The claim that names the tenant can be another. */
Test(jwt_bearer, the_tenants_claim) {
    begin();
    start((const char *const[]){"--jwt-tenant-claim", "tenant", NULL});
    expect(token_of("acme", "read"), "/v1/capabilities", 401, "names the tenant");
    expect(signed_by(ours, HEADER, claims_of("auth0|1", 3600, "read", ",\"tenant\":\"acme\"")), "/v1/capabilities",
           200, NULL);
    end();
}

/* What is wrong with the settings or the keys is said at the start, with its place. */
Test(jwt_bearer, wrong_settings) {
    begin();
    char command[400];
    static const struct {
        const char *flags, *words;
    } rows[] = {
        {"--jwt-keys keys", "it needs jwt_issuer, jwt_audience"},
        {"--jwt-keys keys --jwt-issuer i", "it needs jwt_issuer, jwt_audience"},
        {"--jwt-keys keys --jwt-issuer i --jwt-audience a --jwt-tenant-claim ''", "jwt_tenant_claim"},
        {"--jwt-keys nothing --jwt-issuer i --jwt-audience a", "nothing: No such file"},
        {"--jwt-keys bad --jwt-issuer i --jwt-audience a", "bad:2: this is no 'PUBLIC KEY'"},
        {"--jwt-keys /dev/zero --jwt-issuer i --jwt-audience a", "no regular file"},
        {"--jwt-leeway-s 301", "is not an integer from 0 to 300"},
    };
    char *pem = issuer_pem(ours), *secret = issuer_secret(ours);
    write_text(keys, "%s", pem);
    shell_in(folder, "printf '# a secret\\n%s' >bad", secret);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int checks = 0; checks < 2; checks++) {
            int status;
            snprintf(command, sizeof command, "cd %s && %s/smd --port 0 %s %s 2>&1", folder, BIN_DIR,
                     checks ? "--check-config" : "", rows[i].flags);
            struct bytes said = run_command(command, "", 0, &status);
            cr_expect(status == 1 && strstr((char *)said.data, rows[i].words), "%s: %d %s", command, status,
                      (char *)said.data);
            bytes_free(said);
        }
    }
    free(pem);
    free(secret);
    start(NULL);
    end();
}
