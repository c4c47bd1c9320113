/* issuer.c - see issuer.h. */
#include "issuer.h"

#include "base64.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct issuer {
    char alg[16];
    EVP_PKEY *key;
};

/* Ends the process unless OK. */
static void need(int ok) {
    if (ok)
        return;
    fprintf(stderr, "issuer: libcrypto fails\n");
    abort();
}

struct issuer *issuer_new(const char *alg) {
    struct issuer *i = calloc(1, sizeof *i);
    need(i != NULL);
    snprintf(i->alg, sizeof i->alg, "%s", alg);
    i->key = strcmp(alg, "RS256") == 0     ? EVP_RSA_gen(2048)
             : strcmp(alg, "RSA1024") == 0 ? EVP_RSA_gen(1024)
             : strcmp(alg, "ES256") == 0   ? EVP_EC_gen("P-256")
             : strcmp(alg, "P-384") == 0   ? EVP_EC_gen(alg)
                                           : EVP_PKEY_Q_keygen(NULL, NULL, strcmp(alg, "EdDSA") ? alg : "ED25519");
    need(i->key != NULL);
    return i;
}

void issuer_free(struct issuer *i) {
    EVP_PKEY_free(i->key);
    free(i);
}

/* The text in the memory of B, which is freed. */
static char *take_text(BIO *b) {
    char *data;
    long len = BIO_get_mem_data(b, &data);
    char *text = strndup(data, (size_t)len);
    BIO_free(b);
    need(text != NULL);
    return text;
}

char *issuer_pem(const struct issuer *i) {
    BIO *b = BIO_new(BIO_s_mem());
    need(b && PEM_write_bio_PUBKEY(b, i->key));
    return take_text(b);
}

char *issuer_secret(const struct issuer *i) {
    BIO *b = BIO_new(BIO_s_mem());
    need(b && PEM_write_bio_PrivateKey(b, i->key, NULL, NULL, 0, NULL, NULL));
    return take_text(b);
}

char *issuer_base64(const void *bytes, size_t len) {
    sm_buf text;
    sm_buf_init(&text, SIZE_MAX / 2);
    sm_base64_put(&text, bytes, len);
    for (size_t k = 0; k < text.len; k++)
        text.data[k] = text.data[k] == '+' ? '-' : text.data[k] == '/' ? '_' : text.data[k];
    while (text.len && text.data[text.len - 1] == '=')
        text.len--;
    char *copy = strndup(text.len ? (char *)text.data : "", text.len);
    sm_buf_free(&text);
    need(copy != NULL);
    return copy;
}

/* A number of the key, in base64url. */
static char *number_of(const struct issuer *i, const char *name) {
    BIGNUM *n = NULL;
    unsigned char bytes[1024];
    need(EVP_PKEY_get_bn_param(i->key, name, &n));
    int len = strcmp(i->alg, "ES256") == 0 ? BN_bn2binpad(n, bytes, 32) : BN_bn2bin(n, bytes);
    BN_free(n);
    return issuer_base64(bytes, (size_t)len);
}

char *issuer_jwk(const struct issuer *i, const char *kid) {
    char *jwk, *first, *second = NULL, name[200] = "";
    unsigned char bytes[64];
    size_t len = sizeof bytes;
    int n;
    if (kid[0])
        snprintf(name, sizeof name, ",\"kid\":\"%s\"", kid);
    if (strcmp(i->alg, "RS256") == 0) {
        first = number_of(i, OSSL_PKEY_PARAM_RSA_N);
        second = number_of(i, OSSL_PKEY_PARAM_RSA_E);
        n = asprintf(&jwk, "{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"%s}", first, second, name);
    } else if (strcmp(i->alg, "ES256") == 0) {
        first = number_of(i, OSSL_PKEY_PARAM_EC_PUB_X);
        second = number_of(i, OSSL_PKEY_PARAM_EC_PUB_Y);
        n = asprintf(&jwk, "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"%s}", first, second, name);
    } else {
        need(EVP_PKEY_get_raw_public_key(i->key, bytes, &len));
        first = issuer_base64(bytes, len);
        n = asprintf(&jwk, "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"%s}", first, name);
    }
    need(n > 0);
    free(first);
    free(second);
    return jwk;
}

/* What is signed. */
static char *begin_token(const char *header, const char *claims) {
    char *first = issuer_base64(header, strlen(header)), *second = issuer_base64(claims, strlen(claims)), *text;
    need(asprintf(&text, "%s.%s", first, second) > 0);
    free(first);
    free(second);
    return text;
}

char *issuer_token_of(const char *header, const char *claims, const void *signature, size_t len) {
    char *begin = begin_token(header, claims), *last = issuer_base64(signature, len), *token;
    need(asprintf(&token, "%s.%s", begin, last) > 0);
    free(begin);
    free(last);
    return token;
}

/* The two numbers of a signature of ECDSA, side by side. */
static size_t join_numbers(unsigned char *signature, size_t len) {
    const unsigned char *at = signature;
    ECDSA_SIG *both = d2i_ECDSA_SIG(NULL, &at, (long)len);
    need(both != NULL);
    BN_bn2binpad(ECDSA_SIG_get0_r(both), signature, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(both), signature + 32, 32);
    ECDSA_SIG_free(both);
    return 64;
}

char *issuer_token(const struct issuer *i, const char *header, const char *claims) {
    char *begin = begin_token(header, claims);
    unsigned char signature[2048];
    size_t len = sizeof signature;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    const char *digest = strncmp(i->alg, "Ed", 2) == 0 ? NULL : "SHA256";
    need(c && EVP_DigestSignInit_ex(c, NULL, digest, NULL, NULL, i->key, NULL) == 1 &&
         EVP_DigestSign(c, signature, &len, (unsigned char *)begin, strlen(begin)) == 1);
    EVP_MD_CTX_free(c);
    free(begin);
    return issuer_token_of(header, claims, signature,
                           strcmp(i->alg, "ES256") == 0 ? join_numbers(signature, len) : len);
}

char *issuer_token_by_secret(const char *header, const char *claims, const void *secret, size_t len) {
    char *begin = begin_token(header, claims);
    unsigned char mac[32];
    need(HMAC(EVP_sha256(), secret, (int)len, (unsigned char *)begin, strlen(begin), mac, NULL) != NULL);
    free(begin);
    return issuer_token_of(header, claims, mac, sizeof mac);
}
