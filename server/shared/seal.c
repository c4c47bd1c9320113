/* seal.c - see seal.h. */
#include "seal.h"

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MAGIC = 8, MAC = SEAL_MAC, FAST = 1 };
static const char magic[MAGIC + 1] = "SMDSEAL1", file_magic[MAGIC + 1] = "SMDFILE1";

static EVP_MAC *algorithm; /* set once; NULL if there is none */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fetch_algorithm(void) {
    algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
}

/* The HMAC of what it is for (WHAT), the key and the pieces. 0 if libcrypto fails. */
static int compute_mac(const struct seal_secret *secret, const char what[MAGIC], const struct sm_key *key,
                       const sm_slice *piece, size_t count, unsigned char mac[MAC]) {
    char sha256[] = "SHA256";
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, sha256, 0),
                                 OSSL_PARAM_construct_end()};
    size_t len = 0;
    pthread_once(&once, fetch_algorithm);
    EVP_MAC_CTX *c = algorithm ? EVP_MAC_CTX_new(algorithm) : NULL;
    int ok = c && EVP_MAC_init(c, secret->bytes, secret->len, params) &&
             EVP_MAC_update(c, (const unsigned char *)what, MAGIC) && EVP_MAC_update(c, key->byte, sizeof key->byte);
    for (size_t i = 0; ok && i < count; i++)
        ok = !piece[i].len || EVP_MAC_update(c, piece[i].data, piece[i].len);
    ok = ok && EVP_MAC_final(c, mac, &len, MAC) && len == MAC;
    EVP_MAC_CTX_free(c);
    return ok;
}

/* The HMAC of what a seal covers. 0 if libcrypto fails. */
static int compute(const struct seal_secret *secret, const struct sm_key *key, sm_slice packed,
                   unsigned char mac[MAC]) {
    return compute_mac(secret, magic, key, &packed, 1, mac);
}

int seal_file(const struct seal_secret *secret, const struct sm_key *key, const sm_slice *piece, size_t count,
              unsigned char mac[SEAL_MAC]) {
    return compute_mac(secret, file_magic, key, piece, count, mac);
}

int seal_file_check(const struct seal_secret *secret, const struct sm_key *key, sm_slice file) {
    unsigned char mac[MAC];
    if (file.len < MAC)
        return 0;
    const sm_slice before = {file.data, file.len - MAC};
    return seal_file(secret, key, &before, 1, mac) && CRYPTO_memcmp(mac, file.data + before.len, MAC) == 0;
}

sm_status seal_secret_read(const char *path, struct seal_secret *secret, struct error *err) {
    unsigned char bytes[SEAL_SECRET_MOST + 2];
    FILE *f = fopen(path, "re");
    if (!f)
        return error_set(err, SM_IO, "mac_key: cannot read %s: %s", path, strerror(errno));
    size_t len = fread(bytes, 1, sizeof bytes, f);
    int failed = ferror(f);
    fclose(f);
    if (failed)
        return error_set(err, SM_IO, "mac_key: cannot read %s", path);
    if (len && bytes[len - 1] == '\n')
        len--;
    if (len < SEAL_SECRET_LEAST || len > SEAL_SECRET_MOST)
        return error_set(err, SM_INVALID_OPTION,
                         "mac_key: %s has to hold %d to %d bytes, as 'openssl rand -hex 32' prints", path,
                         SEAL_SECRET_LEAST, SEAL_SECRET_MOST);
    memcpy(secret->bytes, bytes, len);
    secret->len = len;
    return SM_OK;
}

sm_status seal_secret_for(const char *name, const char *what, const char *path, struct seal_secret *secret,
                          struct error *err) {
    if (path[0])
        return seal_secret_read(path, secret, err);
    return error_set(err, SM_INVALID_OPTION,
                     "%s: mac_key has to name a file with the key that %s are sealed with, the same for all servers: "
                     "openssl rand -hex 32 > FILE",
                     name, what);
}

unsigned char *seal_close(const struct seal_secret *secret, const struct sm_key *key, sm_slice content, size_t *len) {
    size_t room = ZSTD_compressBound(content.len);
    unsigned char *sealed = malloc(SEAL_HEAD + room);
    if (!sealed)
        return NULL;
    size_t packed = ZSTD_compress(sealed + SEAL_HEAD, room, content.data, content.len, FAST);
    memcpy(sealed, magic, MAGIC);
    if (ZSTD_isError(packed) || !compute(secret, key, (sm_slice){sealed + SEAL_HEAD, packed}, sealed + MAGIC)) {
        free(sealed);
        return NULL;
    }
    *len = SEAL_HEAD + packed;
    unsigned char *shorter = realloc(sealed, *len);
    return shorter ? shorter : sealed;
}

static sm_slice packed_of(sm_slice sealed) {
    return (sm_slice){sealed.data + SEAL_HEAD, sealed.len - SEAL_HEAD};
}

size_t seal_check(const struct seal_secret *secret, const struct sm_key *key, sm_slice sealed) {
    unsigned char mac[MAC];
    if (sealed.len <= SEAL_HEAD || memcmp(sealed.data, magic, MAGIC) != 0 ||
        !compute(secret, key, packed_of(sealed), mac) || CRYPTO_memcmp(mac, sealed.data + MAGIC, MAC) != 0)
        return 0;
    unsigned long long size = ZSTD_getFrameContentSize(sealed.data + SEAL_HEAD, sealed.len - SEAL_HEAD);
    return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : (size_t)size;
}

int seal_open(sm_slice sealed, unsigned char *content, size_t len) {
    return ZSTD_decompress(content, len, packed_of(sealed).data, packed_of(sealed).len) == len;
}

struct result *seal_open_result(const struct seal_secret *secret, const struct sm_key *key, sm_slice sealed,
                                size_t most, struct budget *b, uint64_t client, sm_status *refused) {
    struct charge charge = {0};
    struct result *r = NULL;
    size_t len = seal_check(secret, key, sealed);
    *refused = SM_OK;
    if (!len || len > most || (*refused = budget_take(b, &charge, HELD_RESULT, client, len)) != SM_OK)
        return NULL;
    unsigned char *content = malloc(len);
    if (content && seal_open(sealed, content, len)) {
        sm_status s;
        r = result_of_artifact(content, len, 0, &charge, &s);
        content = NULL;
    }
    free(content);
    budget_give(&charge, 0);
    return r;
}
