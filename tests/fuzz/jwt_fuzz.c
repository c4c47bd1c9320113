/* Tokens of an identity provider, their claims and its keys. The first byte says as what the rest is read. Nothing but
 * the one token that the key has signed counts. */
#include "fuzz.h"

#include "jwtkeys.h"
#include "scope.h"

#include <string.h>

enum { NOW = 1800000000 };

static const char key[] = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"one\",\"x\":"
                          "\"RYgtca188bFSjNZLDhJk5HRUxMksUlDm-xVv6CSGqUw\"}]}";
static const char right[] =
    "eyJhbGciOiJFZERTQSIsImtpZCI6Im9uZSIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlIiwiYXV"
    "kIjpbInNtZCIsIngiXSwic3ViIjoiYWNtZSIsImV4cCI6MTgwMDAwMDYwMCwibmJmIjoxNzAwMDAwMDAwLCJpYXQiOjE3MDAwMDA"
    "wMDAuNSwic2NvcGUiOiJjb21waWxlIHJlYWQgbWV0cmljcyBhZG1pbiJ9.M2uCYU4tonz0KasWLIUeTfKOyL-3aK0X20FqyuyQHC"
    "ntGkz15i1vTf2yh6FI_hgPDUC3qXggU5AlRixprp0EBg";

static void read_token(const uint8_t *data, size_t size) {
    static struct jwtkeys *keys;
    static struct jwt t;
    char *text = malloc(size + 1);
    if (!keys)
        keys = jwtkeys_parse("", (sm_slice){(const unsigned char *)key, sizeof key - 1}, NULL);
    must(text && keys);
    memcpy(text, data, size);
    text[size] = 0;
    if (jwt_read(text, &t) == JWT_FINE) {
        size_t len = strlen(text);
        must(t.alg < JWT_ALGS && len <= JWT_MAX && t.signed_len < len && text[t.signed_len] == '.');
        must(t.claims.len && t.signature.len && memchr(t.kid, 0, sizeof t.kid));
        must(t.signature.data + t.signature.len <= t.bytes + len / 4 * 3);
        must(jwtkeys_verify(keys, text, &t) != JWT_FINE || strcmp(text, right) == 0);
    }
    free(text);
}

static void read_claims(const uint8_t *data, size_t size) {
    static const struct jwt_rules rules = {"https://idp.example", "smd", "sub", 30};
    struct jwt_claims c = {0};
    if (jwt_read_claims((sm_slice){data, size}, &rules, NOW, &c) != JWT_FINE)
        return;
    must(c.expires > NOW - 30 && c.expires < 253402300800);
    must(c.scopes < 1u << SM_SCOPES && c.subject[0] && memchr(c.subject, 0, sizeof c.subject));
    must(memmem(data, size, "exp", 3) && memmem(data, size, "smd", 3));
}

static void read_keys(const uint8_t *data, size_t size) {
    static struct jwt t;
    struct error err = {0};
    struct jwtkeys *k = jwtkeys_parse("FILE", (sm_slice){data, size}, &err);
    must(k ? !err.text[0] : strstr(err.text, "FILE") != NULL);
    if (k && jwt_read(right, &t) == JWT_FINE)
        jwtkeys_verify(k, right, &t);
    jwtkeys_unref(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    if (data[0] % 3 == 0)
        read_token(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        read_claims(data + 1, size - 1);
    else
        read_keys(data + 1, size - 1);
    return 0;
}
