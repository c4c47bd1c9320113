/* digest.c - see digest.h. */
#include "digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>

static EVP_MD *algorithm; /* set once; NULL if there is none */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* OpenSSL 3.0 does not look whether it could make its own context. */
static void fetch_algorithm(void) {
    algorithm = OSSL_LIB_CTX_get0_global_default() ? EVP_MD_fetch(NULL, "SHA256", NULL) : NULL;
}

/* The algorithm, fetched at the first use; NULL if there is none. */
static const EVP_MD *sha256(void) {
    pthread_once(&once, fetch_algorithm);
    return algorithm;
}

sm_status sm_digest(const void *bytes, size_t len, unsigned char out[SM_DIGEST_BYTES]) {
    return sha256() && EVP_Digest(bytes, len, out, NULL, algorithm, NULL) == 1 ? SM_OK : SM_NOMEM;
}

sm_digester *sm_digester_new(void) {
    EVP_MD_CTX *d = sha256() ? EVP_MD_CTX_new() : NULL;
    if (d && EVP_DigestInit_ex(d, algorithm, NULL) == 1)
        return (sm_digester *)d;
    EVP_MD_CTX_free(d);
    return NULL;
}

void sm_digester_add(sm_digester *d, const void *bytes, size_t len) {
    EVP_DigestUpdate((EVP_MD_CTX *)d, bytes, len);
}

sm_status sm_digester_end(sm_digester *d, unsigned char out[SM_DIGEST_BYTES]) {
    return EVP_DigestFinal_ex((EVP_MD_CTX *)d, out, NULL) == 1 ? SM_OK : SM_NOMEM;
}

void sm_digester_free(sm_digester *d) {
    EVP_MD_CTX_free((EVP_MD_CTX *)d);
}
