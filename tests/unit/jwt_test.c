/* JSON Web Tokens: what is read of one, what is refused, and by which key one counts. */
#include "base64.h"
#include "issued.h"
#include "issuer.h"
#include "jwtkeys.h"
#include "scope.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOW = 1800000000 };

static const struct jwt_rules rules = {
    .issuer = "https://idp.example", .audience = "smd", .subject = "sub", .leeway_s = 30};

#define ISS     "\"iss\":\"https://idp.example\""
#define AUD     "\"aud\":\"smd\""
#define SUB     "\"sub\":\"acme\""
#define EXP     "\"exp\":1800000600"
#define GOOD    ISS "," AUD "," SUB "," EXP
#define CLAIMS  "{" GOOD ",\"scope\":\"compile read\"}"
#define ED25519 "{\"alg\":\"EdDSA\",\"typ\":\"JWT\"}"

TestSuite(jwt, .timeout = 300);

/* ---- The form ------------------------------------------------------------------------------------------------- */

static enum jwt_fault read_token(const char *text) {
    static struct jwt t;
    return jwt_read(text, &t);
}

/* Reads a token of this header, with a signature that nobody has checked. */
static enum jwt_fault read_header(const char *header) {
    char *token = issuer_token_of(header, CLAIMS, "signature", 9);
    enum jwt_fault f = read_token(token);
    free(token);
    return f;
}

Test(jwt, parts) {
    static const char *const wrong[] = {"",
                                        ".",
                                        "..",
                                        "...",
                                        "a",
                                        "a.b",
                                        "eyJhbGciOiJFZERTQSJ9.e30",
                                        "eyJhbGciOiJFZERTQSJ9.e30.",
                                        "eyJhbGciOiJFZERTQSJ9..c2ln",
                                        ".e30.c2ln",
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2ln.",
                                        ".eyJhbGciOiJFZERTQSJ9.e30.c2ln",
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2ln.c2ln.c2ln", /* as encrypted ones have */
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2lnbg==",       /* padding */
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2lnbh", /* not the only form of its bytes */
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2lnb",  /* no such length */
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2l+",
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2l/",
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2l ",
                                        " eyJhbGciOiJFZERTQSJ9.e30.c2ln",
                                        "eyJhbGciOiJFZERTQSJ9.e3\n0.c2ln",
                                        "eyJhbGciOiJFZERTQSJ9.e30.c2ln\xc3\xa9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(read_token(wrong[i]), JWT_NO_TOKEN, "%s", wrong[i]);
    cr_expect_eq(read_token("eyJhbGciOiJFZERTQSJ9.e30.c2ln"), JWT_FINE);
    char *dots = malloc(JWT_MAX + 2), *token = malloc(JWT_MAX + 2);
    memset(dots, '.', JWT_MAX);
    dots[JWT_MAX] = 0;
    cr_expect_eq(read_token(dots), JWT_NO_TOKEN);
    memset(token, 'A', JWT_MAX + 1);
    token[JWT_MAX + 1] = 0;
    memcpy(token, "eyJhbGciOiJFZERTQSJ9.e30.", 25);
    cr_expect_eq(read_token(token), JWT_TOO_LONG);
    token[JWT_MAX] = 0;
    cr_expect_eq(read_token(token), JWT_FINE);
    free(dots);
    free(token);
}

Test(jwt, base64url) {
    unsigned char out[16];
    static const struct {
        const char *text;
        long len;
    } rows[] = {{"", 0},     {"AA", 1},    {"AB", -1},   {"A", -1},     {"AAA", 2},    {"AAB", -1}, {"AAAA", 3},
                {"-_-_", 3}, {"+/+/", -1}, {"AA==", -1}, {"AAAAA", -1}, {"AAA\n", -1}, {"////", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(sm_base64url_read(rows[i].text, strlen(rows[i].text), out), rows[i].len, "%s", rows[i].text);
    cr_assert_eq(sm_base64url_read("-_-_", 4, out), 3);
    cr_expect_arr_eq(out, "\xfb\xff\xbf", 3);
}

Test(jwt, headers) {
    static const struct {
        const char *header;
        enum jwt_fault f;
    } rows[] = {
        {ED25519, JWT_FINE},
        {"{\"alg\":\"RS256\",\"kid\":\"../../etc/passwd\"}", JWT_FINE}, /* a name, which no file has */
        {"{\"alg\":\"ES256\",\"typ\":\"at+jwt\"}", JWT_FINE},
        {"{\"alg\":\"EdDSA\",\"typ\":\"application/AT+JWT\"}", JWT_FINE},
        {"{\"alg\":\"EdDSA\",\"jku\":\"http://127.0.0.1/\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AA\"},\"x5u\":\"file:///"
         "\"}",
         JWT_FINE}, /* not looked at */
        {"{\"alg\":\"none\"}", JWT_WRONG_ALG},
        {"{\"alg\":\"None\"}", JWT_WRONG_ALG},
        {"{\"alg\":\"\"}", JWT_WRONG_ALG},
        {"{\"alg\":\"HS256\"}", JWT_WRONG_ALG},
        {"{\"alg\":\"RS512\"}", JWT_WRONG_ALG},
        {"{\"alg\":\"rs256\"}", JWT_WRONG_ALG},
        {"{\"alg\":\"RS256 \"}", JWT_WRONG_ALG},
        {"{}", JWT_NO_TOKEN},
        {"{\"alg\":null}", JWT_NO_TOKEN},
        {"{\"alg\":[\"EdDSA\"]}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\",\"alg\":\"EdDSA\"}", JWT_NO_TOKEN},
        {"{\"alg\":\"none\",\"\\u0061lg\":\"EdDSA\"}", JWT_NO_TOKEN}, /* the same name twice, too */
        {"{\"alg\":\"EdDSA\\u0000\"}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\",\"crit\":[\"b64\"],\"b64\":false}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\",\"kid\":1}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\",\"kid\":\"\"}", JWT_UNKNOWN_KEY},
        {"{\"alg\":\"EdDSA\",\"typ\":\"logout+jwt\"}", JWT_WRONG_TYPE},
        {"{\"alg\":\"EdDSA\",\"typ\":7}", JWT_WRONG_TYPE},
        {"[\"alg\",\"EdDSA\"]", JWT_NO_TOKEN},
        {"\"EdDSA\"", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\"", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\"}}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\"} {}", JWT_NO_TOKEN},
        {"{\"alg\":\"Ed\xff\"}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\",\"a\":[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}", JWT_FINE},
        {"{\"alg\":\"EdDSA\",\"a\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}", JWT_NO_TOKEN},
        {"{\"alg\":\"EdDSA\",\"a\":\"[[[[[[[[[[[[[[[[[[[[\\\"[[[[[[[[[[[[[[[[[[[[[\"}", JWT_FINE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(read_header(rows[i].header), rows[i].f, "%s: %d", rows[i].header, read_header(rows[i].header));
    char header[2 * JWT_HEADER_MAX];
    for (int size = 100; size < 200; size++) {
        snprintf(header, sizeof header, "{\"alg\":\"EdDSA\",\"kid\":\"%0*d\"}", size, 1);
        cr_expect_eq(read_header(header), size < JWT_KID ? JWT_FINE : JWT_UNKNOWN_KEY);
    }
    snprintf(header, sizeof header, "{\"alg\":\"EdDSA\",\"x\":\"%01024d\"}", 1);
    cr_expect_eq(read_header(header), JWT_TOO_LONG);
}

/* ---- Claims --------------------------------------------------------------------------------------------------- */

static struct jwt_claims claims;

static enum jwt_fault read_claims(const char *text) {
    memset(&claims, 0, sizeof claims);
    return jwt_read_claims((sm_slice){(const unsigned char *)text, strlen(text)}, &rules, NOW, &claims);
}

Test(jwt, times) {
    static const struct {
        const char *members;
        enum jwt_fault f;
    } rows[] = {
        {"\"exp\":1800000001", JWT_FINE},
        {"\"exp\":1799999971", JWT_FINE}, /* within what clocks may differ by */
        {"\"exp\":1799999970", JWT_EXPIRED},
        {"\"exp\":0", JWT_WRONG_CLAIMS},
        {"\"exp\":1", JWT_EXPIRED},
        {"\"exp\":1800000600.5", JWT_FINE},
        {"\"exp\":1.8000006e9", JWT_FINE},
        {"\"exp\":253402300799", JWT_FINE},
        {"\"exp\":253402300800", JWT_WRONG_CLAIMS},
        {"\"exp\":9223372036854775807", JWT_WRONG_CLAIMS},
        {"\"exp\":9223372036854775808", JWT_WRONG_CLAIMS},
        {"\"exp\":18446744073709551617", JWT_WRONG_CLAIMS},
        {"\"exp\":1e308", JWT_WRONG_CLAIMS},
        {"\"exp\":1e999", JWT_WRONG_CLAIMS},
        {"\"exp\":-1", JWT_WRONG_CLAIMS},
        {"\"exp\":-9223372036854775808", JWT_WRONG_CLAIMS},
        {"\"exp\":\"1800000600\"", JWT_WRONG_CLAIMS},
        {"\"exp\":true", JWT_WRONG_CLAIMS},
        {"\"exp\":null", JWT_WRONG_CLAIMS},
        {"\"exp\":[1800000600]", JWT_WRONG_CLAIMS},
        {"\"exp\":NaN", JWT_WRONG_CLAIMS},
        {"\"exp\":1800000600,\"exp\":1900000000", JWT_WRONG_CLAIMS},
        {"\"x\":1", JWT_WRONG_CLAIMS},
        {EXP ",\"nbf\":1800000030", JWT_FINE},
        {EXP ",\"nbf\":1800000031", JWT_TOO_EARLY},
        {EXP ",\"nbf\":1800000600", JWT_WRONG_CLAIMS},
        {EXP ",\"nbf\":\"1\"", JWT_WRONG_CLAIMS},
        {EXP ",\"iat\":1800000030", JWT_FINE},
        {EXP ",\"iat\":1800000031", JWT_TOO_EARLY},
        {EXP ",\"iat\":1800000601", JWT_WRONG_CLAIMS},
        {EXP ",\"iat\":{}", JWT_WRONG_CLAIMS},
        {EXP ",\"iat\":1700000000.123", JWT_FINE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text, "{" ISS "," AUD "," SUB ",%s}", rows[i].members);
        cr_expect_eq(read_claims(text), rows[i].f, "%s: %d", text, read_claims(text));
    }
}

Test(jwt, who_and_for_whom) {
    static const struct {
        const char *text;
        enum jwt_fault f;
    } rows[] = {
        {"{" GOOD "}", JWT_FINE},
        {"{" AUD "," SUB "," EXP "}", JWT_WRONG_ISSUER},
        {"{\"iss\":\"https://idp.example/\"," AUD "," SUB "," EXP "}", JWT_WRONG_ISSUER},
        {"{\"iss\":[\"https://idp.example\"]," AUD "," SUB "," EXP "}", JWT_WRONG_ISSUER},
        {"{\"iss\":\"https://idp.exampl\xc3\xa9\"," AUD "," SUB "," EXP "}", JWT_WRONG_ISSUER},
        {"{" ISS "," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS ",\"aud\":\"SMD\"," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS ",\"aud\":\"smd smd\"," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS ",\"aud\":[]," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS ",\"aud\":[\"other\",\"smd\"]," SUB "," EXP "}", JWT_FINE},
        {"{" ISS ",\"aud\":[\"smd\",1]," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS ",\"aud\":[[\"smd\"]]," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS ",\"aud\":{\"smd\":1}," SUB "," EXP "}", JWT_WRONG_AUDIENCE},
        {"{" ISS "," AUD "," EXP "}", JWT_WRONG_SUBJECT},
        {"{" ISS "," AUD ",\"sub\":\"\"," EXP "}", JWT_WRONG_SUBJECT},
        {"{" ISS "," AUD ",\"sub\":1," EXP "}", JWT_WRONG_SUBJECT},
        {"{" ISS "," AUD ",\"sub\":\"acme\\u0000x\"," EXP "}", JWT_WRONG_CLAIMS},
        {"{" GOOD ",\"sub\":\"other\"}", JWT_WRONG_CLAIMS},
        {"{" GOOD ",\"a\":{\"b\":1,\"b\":2}}", JWT_WRONG_CLAIMS},
        {"[{" GOOD "}]", JWT_WRONG_CLAIMS},
        {"", JWT_WRONG_CLAIMS},
        {"{" GOOD "}\n{}", JWT_WRONG_CLAIMS},
        {"{" GOOD ",\"x\":\"\xff\"}", JWT_WRONG_CLAIMS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(read_claims(rows[i].text), rows[i].f, "%s: %d", rows[i].text, read_claims(rows[i].text));
    char text[600];
    for (int size = 250; size < 260; size++) {
        snprintf(text, sizeof text, "{" ISS "," AUD "," EXP ",\"sub\":\"%0*d\"}", size, 7);
        cr_expect_eq(read_claims(text), size < JWT_SUBJECT ? JWT_FINE : JWT_WRONG_SUBJECT, "%d", size);
    }
    cr_expect_eq(jwt_read_claims((sm_slice){(const unsigned char *)"{" GOOD "}\0", sizeof "{" GOOD "}\0" - 1}, &rules,
                                 NOW, &claims),
                 JWT_WRONG_CLAIMS, "a NUL after it");
    char *deep = malloc(20000);
    memset(deep, '[', 20000);
    cr_expect_eq(jwt_read_claims((sm_slice){(unsigned char *)deep, 20000}, &rules, NOW, &claims), JWT_WRONG_CLAIMS);
    free(deep);
}

Test(jwt, scopes) {
    static const struct {
        const char *scope;
        unsigned scopes;
    } rows[] = {
        {"\"compile\"", SM_SCOPE_COMPILE},
        {"\"openid compile profile read\"", SM_SCOPE_COMPILE | SM_SCOPE_READ},
        {"\"metrics admin\"", SM_SCOPE_METRICS | SM_SCOPE_ADMIN},
        {"\"  read  \"", SM_SCOPE_READ},
        {"\"\"", 0},
        {"\"ADMIN Compile compile2 admi n\"", 0},
        {"\"admin,compile\"", 0},
        {"\"admin\\tcompile\\nread\"", 0},
        {"\"admin\\u00a0\"", 0}, /* no-break space */
        {"\"\xd0\xb0"
         "dmin\"",
         0},                                    /* Cyrillic a */
        {"\"\xef\xbd\x81\xef\xbd\x84min\"", 0}, /* full width */
        {"\"admin\\u200b\"", 0},                /* zero width space */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text, "{" GOOD ",\"scope\":%s}", rows[i].scope);
        cr_expect_eq(read_claims(text), JWT_FINE, "%s", text);
        cr_expect_eq(claims.scopes, rows[i].scopes, "%s: %u", text, claims.scopes);
    }
    cr_expect_eq(read_claims("{" GOOD "}"), JWT_FINE);
    cr_expect_eq(claims.scopes, 0);
    cr_expect_eq(read_claims("{" GOOD ",\"scope\":[\"admin\"]}"), JWT_WRONG_CLAIMS);
    cr_expect_eq(read_claims("{" GOOD ",\"scope\":15}"), JWT_WRONG_CLAIMS);
    cr_expect_eq(read_claims("{" GOOD ",\"scope\":\"admin\\u0000\"}"), JWT_WRONG_CLAIMS);
}

/* ---- Keys ----------------------------------------------------------------------------------------------------- */

static struct jwtkeys *parse(const char *text, struct error *err) {
    return jwtkeys_parse("FILE", (sm_slice){(const unsigned char *)text, strlen(text)}, err);
}

/* Whether the token is one of the keys'. */
static enum jwt_fault verify(const struct jwtkeys *k, const char *token) {
    static struct jwt t;
    enum jwt_fault f = jwt_read(token, &t);
    return f == JWT_FINE ? jwtkeys_verify(k, token, &t) : f;
}

/* The same for a token that is freed. */
static void expect_verified(const struct jwtkeys *k, char *token, enum jwt_fault f) {
    cr_expect_eq(verify(k, token), f, "%s: %d", token, verify(k, token));
    free(token);
}

static const char *const algs[] = {"RS256", "ES256", "EdDSA"};

/* A header with the algorithm and the key's name; "": none. */
static const char *header_of(const char *alg, const char *kid) {
    static char text[300];
    snprintf(text, sizeof text, kid[0] ? "{\"alg\":\"%s\",\"kid\":\"%s\"}" : "{\"alg\":\"%s\"}", alg, kid);
    return text;
}

/* Each algorithm, by PEM and by a set: what its key has signed counts, and nothing else does. */
Test(jwt, signatures) {
    for (int i = 0; i < 3; i++) {
        struct issuer *ours = issuer_new(algs[i]), *other = issuer_new(algs[i]);
        char *pem = issuer_pem(ours), *jwk = issuer_jwk(ours, "one"), *set;
        cr_assert(asprintf(&set, "{\"keys\":[%s]}", jwk) > 0);
        for (int by_set = 0; by_set < 2; by_set++) {
            struct error err = {0};
            struct jwtkeys *k = parse(by_set ? set : pem, &err);
            cr_assert(k, "%s", err.text);
            expect_verified(k, issuer_token(ours, header_of(algs[i], ""), CLAIMS), JWT_FINE);
            expect_verified(k, issuer_token(ours, header_of(algs[i], "one"), CLAIMS), JWT_FINE);
            expect_verified(k, issuer_token(ours, header_of(algs[i], "two"), CLAIMS),
                            by_set ? JWT_UNKNOWN_KEY : JWT_FINE);
            expect_verified(k, issuer_token(other, header_of(algs[i], "one"), CLAIMS), JWT_WRONG_SIGNATURE);
            for (int other_alg = 0; other_alg < 3; other_alg++)
                if (other_alg != i)
                    expect_verified(k, issuer_token(ours, header_of(algs[other_alg], ""), CLAIMS), JWT_WRONG_ALG);
            expect_verified(k, issuer_token_by_secret(header_of("HS256", ""), CLAIMS, pem, strlen(pem)),
                            JWT_WRONG_ALG);
            expect_verified(k, issuer_token_by_secret(header_of(algs[i], ""), CLAIMS, pem, strlen(pem)),
                            JWT_WRONG_SIGNATURE);
            expect_verified(k, issuer_token_of(header_of("none", ""), CLAIMS, "", 0), JWT_WRONG_ALG);
            expect_verified(k, issuer_token_of(header_of(algs[i], ""), CLAIMS, "", 0), JWT_NO_TOKEN);
            char zeros[512] = {0};
            for (size_t len = 1; len < sizeof zeros; len += len < 70 ? 1 : 61)
                expect_verified(k, issuer_token_of(header_of(algs[i], ""), CLAIMS, zeros, len), JWT_WRONG_SIGNATURE);
            jwtkeys_unref(k);
        }
        free(pem);
        free(jwk);
        free(set);
        issuer_free(ours);
        issuer_free(other);
    }
}

/* No byte of a token can be another. */
Test(jwt, every_byte_is_signed) {
    struct issuer *ours = issuer_new("EdDSA");
    char *pem = issuer_pem(ours), *token = issuer_token(ours, ED25519, CLAIMS);
    struct error err = {0};
    struct jwtkeys *k = parse(pem, &err);
    cr_assert(k);
    for (size_t i = 0; token[i]; i++) {
        char before = token[i];
        for (const char *c = "AQgw-_.=9z"; *c; c++) {
            token[i] = *c;
            cr_expect(*c == before || verify(k, token) != JWT_FINE, "byte %zu as %c", i, *c);
        }
        token[i] = before;
    }
    cr_expect_eq(verify(k, token), JWT_FINE);
    jwtkeys_unref(k);
    free(pem);
    free(token);
    issuer_free(ours);
}

/* Of several keys, the name chooses; a key without one is for all tokens whose name nobody has. */
Test(jwt, names_choose_keys) {
    struct issuer *one = issuer_new("EdDSA"), *two = issuer_new("EdDSA"), *plain = issuer_new("ES256");
    struct issuer *three = issuer_new("EdDSA");
    char *first = issuer_jwk(one, "one"), *second = issuer_jwk(two, "two"), *third = issuer_jwk(plain, ""), *set;
    struct error err = {0};
    cr_assert(asprintf(&set,
                       "\n {\"keys\":[%s,%s,%s,{\"kty\":\"RSA\",\"use\":\"enc\",\"n\":\"AQ\",\"e\":\"AQ\"},"
                       "{\"kty\":\"RSA\",\"alg\":\"PS256\"},{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AA\"},"
                       "{\"kty\":\"EC\",\"crv\":\"P-521\"},{\"kty\":\"new\"}]}",
                       first, second, third) > 0);
    struct jwtkeys *k = parse(set, &err);
    cr_assert(k, "%s", err.text);
    expect_verified(k, issuer_token(one, header_of("EdDSA", "one"), CLAIMS), JWT_FINE);
    expect_verified(k, issuer_token(two, header_of("EdDSA", "two"), CLAIMS), JWT_FINE);
    expect_verified(k, issuer_token(two, header_of("EdDSA", "one"), CLAIMS), JWT_WRONG_SIGNATURE);
    expect_verified(k, issuer_token(two, header_of("EdDSA", ""), CLAIMS), JWT_FINE);
    expect_verified(k, issuer_token(plain, header_of("ES256", "three"), CLAIMS), JWT_FINE);
    expect_verified(k, issuer_token(plain, header_of("ES256", "one"), CLAIMS), JWT_WRONG_ALG);
    expect_verified(k, issuer_token(one, header_of("EdDSA", "three"), CLAIMS), JWT_WRONG_ALG);
    jwtkeys_unref(k);
    free(third);
    free(set);
    third = issuer_jwk(three, "three");
    cr_assert(asprintf(&set, "{\"keys\":[%s,%s,%s]}", first, second, third) > 0);
    k = parse(set, &err);
    cr_assert(k, "%s", err.text);
    expect_verified(k, issuer_token(three, header_of("EdDSA", "three"), CLAIMS), JWT_FINE);
    expect_verified(k, issuer_token(three, header_of("EdDSA", ""), CLAIMS),
                    JWT_UNKNOWN_KEY); /* of three, none is tried */
    jwtkeys_unref(k);
    free(first);
    free(second);
    free(third);
    free(set);
    issuer_free(three);
    issuer_free(one);
    issuer_free(two);
    issuer_free(plain);
}

/* The text is refused, and why is said. */
static void expect_refused(const char *text, const char *words) {
    struct error err = {0};
    struct jwtkeys *k = parse(text, &err);
    cr_expect(!k && strstr(err.text, words), "%.200s: %s instead of %s", text, err.text, words);
    jwtkeys_unref(k);
}

Test(jwt, wrong_keys) {
    struct issuer *ours = issuer_new("EdDSA");
    char *pem = issuer_pem(ours), *secret = issuer_secret(ours), *jwk = issuer_jwk(ours, "one"), *text, *end;
    expect_refused("", "FILE:1: it has no public key");
    expect_refused("hello", "FILE:1: it has no public key");
    cr_assert(asprintf(&text, "# ours\n%s\n%s", pem, secret) > 0);
    expect_refused(text, "FILE:6: this is no 'PUBLIC KEY'");
    free(text);
    text = strdup(pem);
    end = strstr(text, "-----END");
    *end = 0;
    expect_refused(text, "FILE:1: the key has no end");
    free(text);
    text = strdup(pem);
    memset(strchr(text, '\n') + 1, '!', 8);
    expect_refused(text, "FILE:1: ");
    free(text);
    static const struct {
        const char *kind, *words;
    } weak[] = {{"RSA1024", "2048 to 8192 bits"}, {"P-384", "P-256"}, {"Ed448", "a key has to be"}};
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        struct issuer *other = issuer_new(weak[i].kind);
        text = issuer_pem(other);
        expect_refused(text, weak[i].words);
        free(text);
        issuer_free(other);
    }
    expect_refused("{", "FILE:1:1: ");
    expect_refused("{\"keys\":[],\"keys\":[]}", "duplicate");
    expect_refused("{\"keys\":{}}", "{\"keys\": [...]}");
    expect_refused("{\"keys\":[]}", "it has no public key");
    expect_refused("{\"keys\":[{\"kty\":\"new\"}]}", "it has no public key");
    expect_refused("{\"keys\":[1]}", "keys[0]: it has no kty");
    expect_refused("{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}", "keys[0]: it is a secret");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\",\"d\":\"AA\"}]}", "keys[0]: it is a secret");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\",\"kid\":1}]}", "keys[0]: its kid");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"\"}]}", "keys[0]: its kid");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\"}]}", "keys[0]: n and e");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQ==\",\"e\":\"AQAB\"}]}", "keys[0]: n and e");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}", "keys[0]: a key of RSA");
    expect_refused("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQABAQABAQAB\"}]}", "keys[0]: n and e");
    expect_refused("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}]}", "keys[0]: x and y");
    expect_refused("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}]}", "keys[0]: x has");
    cr_assert(asprintf(&text, "{\"keys\":[%s,%s]}", jwk, jwk) > 0);
    expect_refused(text, "keys[1]: there are two keys of this kid");
    free(text);
    text = calloc(3, strlen(pem) + 1);
    for (int i = 0; i < 3; i++)
        strcat(text, pem);
    expect_refused(text, "FILE:7: there are two keys of this algorithm already");
    free(text);
    sm_buf many;
    sm_buf_init(&many, 1 << 20);
    for (int i = 0; i < 17; i++) {
        char kid[8];
        snprintf(kid, sizeof kid, "%d", i);
        char *one = issuer_jwk(ours, kid);
        sm_buf_printf(&many, "%s%s", i ? "," : "{\"keys\":[", one);
        free(one);
    }
    sm_buf_puts(&many, "]}");
    expect_refused(sm_buf_cstr(&many), "keys[16]: there are more than 16 keys");
    sm_buf_free(&many);
    free(pem);
    free(secret);
    free(jwk);
    issuer_free(ours);
}

/* ---- Those that were checked before ---------------------------------------------------------------------------- */

static char path[] = "/tmp/smd-jwt-XXXXXX";

static void write_keys(const struct issuer *i) {
    char *pem = issuer_pem(i);
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(pem, f) >= 0 && fclose(f) == 0);
    free(pem);
}

static enum jwt_fault check(struct issued *i, const char *token, time_t now) {
    unsigned char digest[SM_DIGEST_BYTES];
    cr_assert_eq(sm_digest(token, strlen(token), digest), SM_OK);
    return issued_check(i, token, digest, 7, now, &claims);
}

/* A token that was checked is remembered until it expires or the keys are read again. That it is remembered is seen by
 * another text under the same digest, which no client can have. */
Test(jwt, checked_before) {
    static struct settings s;
    struct error err = {0};
    struct issuer *ours = issuer_new("EdDSA"), *other = issuer_new("EdDSA");
    char *token = issuer_token(ours, ED25519, CLAIMS);
    unsigned char digest[SM_DIGEST_BYTES];
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    write_keys(ours);
    snprintf(s.jwt_keys, sizeof s.jwt_keys, "%s", path);
    snprintf(s.jwt_audience, sizeof s.jwt_audience, "smd");
    snprintf(s.jwt_tenant_claim, sizeof s.jwt_tenant_claim, "sub");
    cr_assert_null(issued_new(&s, &err));
    cr_expect(strstr(err.text, "jwt_issuer"), "%s", err.text);
    snprintf(s.jwt_issuer, sizeof s.jwt_issuer, "%s", rules.issuer);
    struct issued *i = issued_new(&s, &err);
    cr_assert(i, "%s", err.text);
    cr_assert_eq(sm_digest(token, strlen(token), digest), SM_OK);
    cr_expect_eq(issued_check(i, "x", digest, 7, NOW, &claims), JWT_NO_TOKEN);
    cr_expect_eq(check(i, token, NOW), JWT_FINE);
    cr_expect_eq(issued_check(i, "x", digest, 7, NOW, &claims), JWT_FINE, "it is remembered");
    cr_expect_str_eq(claims.subject, "acme");
    cr_expect_eq(claims.scopes, SM_SCOPE_COMPILE | SM_SCOPE_READ);
    digest[31] ^= 1;
    cr_expect_eq(issued_check(i, "x", digest, 7, NOW, &claims), JWT_NO_TOKEN);
    digest[31] ^= 1;
    cr_expect_eq(check(i, token, NOW + 599), JWT_FINE);
    cr_expect_eq(check(i, token, NOW + 600), JWT_EXPIRED);
    cr_expect_eq(issued_check(i, "x", digest, 7, NOW + 600, &claims), JWT_NO_TOKEN, "not beyond its end");
    cr_expect_not(issued_has_changed(i));
    cr_assert(truncate(path, 0) == 0);
    cr_expect(issued_has_changed(i));
    cr_expect_neq(issued_reload(i, &err), SM_OK, "an empty file");
    cr_expect_not(issued_has_changed(i), "it is not read again and again");
    cr_expect_eq(issued_check(i, "x", digest, 7, NOW, &claims), JWT_FINE, "the keys before stay");
    write_keys(other);
    cr_assert(chmod(path, 0666) == 0);
    cr_expect_neq(issued_reload(i, &err), SM_OK);
    cr_expect(strstr(err.text, "everybody may write it"), "%s", err.text);
    cr_assert(chmod(path, 0600) == 0);
    cr_expect_eq(issued_reload(i, &err), SM_OK);
    cr_expect_eq(issued_check(i, "x", digest, 7, NOW, &claims), JWT_NO_TOKEN, "nothing is remembered of other keys");
    cr_expect_eq(check(i, token, NOW), JWT_WRONG_SIGNATURE);
    issued_free(i);
    free(token);
    issuer_free(ours);
    issuer_free(other);
    unlink(path);
}

/* Who shows wrong signatures makes smd compute only so often in a second: then not even a right one is looked at that is
 * not remembered, of this client; others go on. */
Test(jwt, wrong_signatures_are_bounded) {
    enum { MOST = 10 };
    static struct settings s;
    struct error err = {0};
    struct issuer *ours = issuer_new("EdDSA"), *other = issuer_new("EdDSA");
    char *token = issuer_token(ours, ED25519, CLAIMS), *second = issuer_token(ours, "{\"alg\":\"EdDSA\"}", CLAIMS);
    char *wrong = issuer_token(other, ED25519, CLAIMS);
    char *late = issuer_token(ours, ED25519, "{\"exp\":1700000000}");
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    write_keys(ours);
    snprintf(s.jwt_keys, sizeof s.jwt_keys, "%s", path);
    snprintf(s.jwt_issuer, sizeof s.jwt_issuer, "%s", rules.issuer);
    snprintf(s.jwt_audience, sizeof s.jwt_audience, "smd");
    snprintf(s.jwt_tenant_claim, sizeof s.jwt_tenant_claim, "sub");
    struct issued *i = issued_new(&s, &err);
    cr_assert(i, "%s", err.text);
    cr_expect_eq(check(i, token, NOW), JWT_FINE);
    for (int n = 0; n < 2 * MOST; n++)
        cr_expect_eq(check(i, "a.b.c", NOW), JWT_NO_TOKEN, "it costs no signature");
    for (int n = 0; n < MOST; n++)
        cr_expect_eq(check(i, n % 2 ? wrong : late, NOW), n % 2 ? JWT_WRONG_SIGNATURE : JWT_EXPIRED);
    cr_expect_eq(check(i, wrong, NOW), JWT_TOO_MANY);
    cr_expect_eq(check(i, second, NOW), JWT_TOO_MANY);
    cr_expect_eq(check(i, token, NOW), JWT_FINE, "it is remembered");
    unsigned char digest[SM_DIGEST_BYTES] = {1};
    cr_expect_eq(issued_check(i, wrong, digest, 8, NOW, &claims), JWT_WRONG_SIGNATURE, "another client");
    cr_expect_eq(check(i, second, NOW + 1), JWT_FINE);
    issued_free(i);
    free(token);
    free(second);
    free(wrong);
    free(late);
    issuer_free(ours);
    issuer_free(other);
    unlink(path);
}
