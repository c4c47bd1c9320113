/* signature.c - see signature.h. */
#include "signature.h"

#include "digest.h"
#include "hex.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE = 64, PUBLIC = 32, ID = 8, MESSAGE = 8 + 3 * 32 };

struct sm_signing_key {
    EVP_PKEY *pkey; /* owned */
    unsigned char id[ID];
};

/* libcrypto's callback for a password: there is nobody to ask. */
static int no_password(char *buf, int size, int writing, void *arg) {
    (void)buf, (void)size, (void)writing, (void)arg;
    return 0;
}

sm_signing_key *sm_signing_key_read(const char *path, int is_private) {
    unsigned char raw[PUBLIC], digest[SM_DIGEST_BYTES];
    size_t len = sizeof raw;
    FILE *f = fopen(path, "re");
    sm_signing_key *k = f ? calloc(1, sizeof *k) : NULL;
    int refused = k ? 0 : errno;
    if (k)
        k->pkey = is_private ? PEM_read_PrivateKey(f, NULL, no_password, NULL)
                             : PEM_read_PUBKEY(f, NULL, no_password, NULL);
    if (f)
        fclose(f);
    if (k && k->pkey && EVP_PKEY_get_id(k->pkey) == EVP_PKEY_ED25519 &&
        EVP_PKEY_get_raw_public_key(k->pkey, raw, &len) == 1 && sm_digest(raw, len, digest) == SM_OK) {
        memcpy(k->id, digest, sizeof k->id);
        return k;
    }
    sm_signing_key_free(k);
    errno = refused;
    return NULL;
}

void sm_signing_key_free(sm_signing_key *k) {
    if (k)
        EVP_PKEY_free(k->pkey);
    free(k);
}

/* What is signed. */
static void put_message(unsigned char to[MESSAGE], const unsigned char *key, const unsigned char *artifact,
                        const unsigned char *object) {
    memcpy(to, "SMDSIGN1", 8);
    memcpy(to + 8, key, 32);
    memcpy(to + 40, artifact, 32);
    memcpy(to + 72, object, 32);
}

/* Appends bytes in hexadecimal, and AFTER; gives where it ends. */
static char *put_hex(char *to, const unsigned char *bytes, size_t len, char after) {
    to = sm_hex_put(to, bytes, len);
    *to = after;
    return to + 1;
}

sm_status sm_signature_make(const sm_signing_key *k, const unsigned char key[32], const unsigned char artifact[32],
                            const unsigned char object[32], char text[SM_SIGNATURE_TEXT]) {
    unsigned char message[MESSAGE], signature[SIGNATURE];
    size_t len = sizeof signature;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    put_message(message, key, artifact, object);
    int ok = c && EVP_DigestSignInit(c, NULL, NULL, NULL, k->pkey) == 1 &&
             EVP_DigestSign(c, signature, &len, message, sizeof message) == 1 && len == sizeof signature;
    EVP_MD_CTX_free(c);
    if (!ok)
        return SM_NOMEM;
    char *at = text + sprintf(text, "ed25519 ");
    at = put_hex(at, k->id, ID, ' ');
    at = put_hex(at, artifact, 32, ' ');
    put_hex(at, signature, sizeof signature, 0);
    return SM_OK;
}

/* Reads LEN bytes in hexadecimal and AFTER behind them; gives what follows, NULL if they are not there. */
static const char *get_hex(const char *at, unsigned char *to, size_t len, char after) {
    at = at ? sm_hex_get(at, to, len) : NULL;
    return at && *at == after ? at + 1 : NULL;
}

/* 1 if the key has signed the message. */
static int verify(const sm_signing_key *k, const unsigned char *signature, const unsigned char message[MESSAGE]) {
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    int ok = c && EVP_DigestVerifyInit(c, NULL, NULL, NULL, k->pkey) == 1 &&
             EVP_DigestVerify(c, signature, SIGNATURE, message, MESSAGE) == 1;
    EVP_MD_CTX_free(c);
    return ok;
}

int sm_signature_check(sm_signing_key *const *keys, size_t count, const char *text, const unsigned char key[32],
                       const unsigned char *artifact, const unsigned char object[32]) {
    unsigned char id[ID], stated[32], signature[SIGNATURE], message[MESSAGE];
    if (strncmp(text, "ed25519 ", 8) != 0)
        return 0;
    const char *at = get_hex(text + 8, id, sizeof id, ' ');
    at = get_hex(at, stated, sizeof stated, ' ');
    if (!get_hex(at, signature, sizeof signature, 0) || (artifact && memcmp(stated, artifact, sizeof stated) != 0))
        return 0;
    put_message(message, key, stated, object);
    for (size_t i = 0; i < count; i++)
        if (memcmp(keys[i]->id, id, sizeof id) == 0 && verify(keys[i], signature, message))
            return 1;
    return 0;
}
