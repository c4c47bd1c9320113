/* jwtkeys.c - see jwtkeys.h. */
#include "jwtkeys.h"

#include "base64.h"
#include "ownfile.h"

#include <ctype.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct jwtkey {
    enum jwt_alg alg;
    char kid[JWT_KID]; /* "": it has no name */
    gnutls_pubkey_t key;
};

struct jwtkeys {
    atomic_int refs;
    int count;
    struct jwtkey key[JWTKEYS_MAX];
};

struct reader {
    const char *path;
    struct jwtkeys *keys;
    struct error *err;
};

struct jwtkeys *jwtkeys_ref(struct jwtkeys *k) {
    atomic_fetch_add(&k->refs, 1);
    return k;
}

void jwtkeys_unref(struct jwtkeys *k) {
    if (!k || atomic_fetch_sub(&k->refs, 1) != 1)
        return;
    for (int i = 0; i < k->count; i++)
        gnutls_pubkey_deinit(k->key[i].key);
    free(k);
}

/* ---- Keys ----------------------------------------------------------------------------------------------------- */

/* What the key is for; JWT_ALGS, and *WHY, if it is for nothing here. */
static enum jwt_alg alg_of_key(gnutls_pubkey_t key, const char **why) {
    unsigned bits = 0;
    gnutls_ecc_curve_t curve;
    switch (gnutls_pubkey_get_pk_algorithm(key, &bits)) {
    case GNUTLS_PK_RSA:
        if (bits >= JWTKEYS_RSA_BITS_MIN && bits <= JWTKEYS_RSA_BITS_MAX)
            return JWT_RS256;
        *why = "a key of RSA has to have 2048 to 8192 bits";
        return JWT_ALGS;
    case GNUTLS_PK_ECDSA:
        if (gnutls_pubkey_export_ecc_raw(key, &curve, NULL, NULL) == 0 && curve == GNUTLS_ECC_CURVE_SECP256R1)
            return JWT_ES256;
        *why = "a key of ECDSA has to be on the curve P-256";
        return JWT_ALGS;
    case GNUTLS_PK_EDDSA_ED25519:
        return JWT_EDDSA;
    default:
        *why = "a key has to be of RSA, Ed25519, or ECDSA on P-256";
        return JWT_ALGS;
    }
}

/* 1 if there is a key of this name. */
static int has_kid(const struct jwtkeys *k, const char *kid) {
    for (int i = 0; i < k->count; i++)
        if (strcmp(k->key[i].kid, kid) == 0)
            return 1;
    return 0;
}

/* How many keys are for the algorithm, of those without a name alone if NAMELESS. */
static int count_keys(const struct jwtkeys *k, enum jwt_alg alg, int nameless) {
    int n = 0;
    for (int i = 0; i < k->count; i++)
        n += k->key[i].alg == alg && !(nameless && k->key[i].kid[0]);
    return n;
}

/* Adds the key, *taken*. Gives what is wrong; NULL for nothing. */
static const char *add_key(struct jwtkeys *k, gnutls_pubkey_t key, const char *kid) {
    const char *why = NULL;
    enum jwt_alg alg = alg_of_key(key, &why);
    if (!why && k->count == JWTKEYS_MAX)
        why = "there are more than 16 keys";
    if (!why && kid[0] && has_kid(k, kid))
        why = "there are two keys of this kid";
    if (!why && !kid[0] && count_keys(k, alg, 1) == JWTKEYS_TRIED)
        why = "there are two keys of this algorithm already that have no kid";
    if (why) {
        gnutls_pubkey_deinit(key);
        return why;
    }
    struct jwtkey *to = &k->key[k->count++];
    to->alg = alg;
    to->key = key;
    strcpy(to->kid, kid);
    return NULL;
}

/* ---- PEM ------------------------------------------------------------------------------------------------------ */

/* The line, from 1 on, that AT is in. */
static int line_of(sm_slice text, const char *at) {
    int line = 1;
    for (const char *c = (const char *)text.data; c < at; c++)
        line += *c == '\n';
    return line;
}

/* Reads the block of LEN bytes. Gives what is wrong; NULL for nothing. */
static const char *read_block(struct jwtkeys *k, const char *block, size_t len) {
    const gnutls_datum_t pem = {(unsigned char *)block, (unsigned)len};
    gnutls_pubkey_t key;
    static const char begin[] = "-----BEGIN PUBLIC KEY-----";
    if (len < sizeof begin || memcmp(block, begin, sizeof begin - 1) != 0)
        return "this is no 'PUBLIC KEY'";
    if (gnutls_pubkey_init(&key) < 0)
        return "out of memory";
    int code = gnutls_pubkey_import(key, &pem, GNUTLS_X509_FMT_PEM);
    if (code == 0)
        return add_key(k, key, "");
    gnutls_pubkey_deinit(key);
    return gnutls_strerror(code);
}

/* Reads all blocks, with whatever stands between them. 0 on failure. */
static int read_pem(const struct reader *r, sm_slice text) {
    static const char begin[] = "-----BEGIN ", end[] = "-----END ";
    const char *at = (const char *)text.data, *last = at + text.len;
    while ((at = memmem(at, (size_t)(last - at), begin, sizeof begin - 1))) {
        const char *stop = memmem(at, (size_t)(last - at), end, sizeof end - 1);
        const char *line_end = stop ? memchr(stop, '\n', (size_t)(last - stop)) : NULL;
        stop = stop && !line_end ? last : line_end;
        const char *why = stop ? read_block(r->keys, at, (size_t)(stop - at)) : "the key has no end";
        if (why) {
            error_set(r->err, SM_INVALID_OPTION, "jwt_keys: %s:%d: %s", r->path, line_of(text, at), why);
            return 0;
        }
        at = stop;
    }
    return 1;
}

/* ---- JSON Web Keys -------------------------------------------------------------------------------------------- */

/* Decodes the member NAME of a key into OUT, at most MOST bytes, zeros at the beginning left out. 0 if it is none. */
static int read_bytes(const json_t *jwk, const char *name, unsigned char *out, size_t most, gnutls_datum_t *to) {
    const char *text = json_string_value(json_object_get(jwk, name));
    size_t len = text ? strlen(text) : 0;
    long n = text && len <= most / 3 * 4 + 4 ? sm_base64url_read(text, len, out) : -1;
    *to = (gnutls_datum_t){out, n > 0 ? (unsigned)n : 0};
    return n > 0 && (size_t)n <= most;
}

/* Makes the key that JWK describes. Gives what is wrong; NULL for nothing. */
static const char *import_jwk(gnutls_pubkey_t key, const json_t *jwk, const char *kty) {
    enum { NUMBER = JWTKEYS_RSA_BITS_MAX / 8 + 1, POINT = 32, ROOM = 8 };
    unsigned char a[NUMBER + ROOM], b[POINT + ROOM];
    gnutls_datum_t first, second;
    int code;
    if (strcmp(kty, "RSA") == 0) {
        enum { EXPONENT = 8 };
        if (!read_bytes(jwk, "n", a, NUMBER, &first) || !read_bytes(jwk, "e", b, EXPONENT, &second))
            return "n and e have to be base64url, of at most 8192 and 64 bits";
        code = gnutls_pubkey_import_rsa_raw(key, &first, &second);
    } else if (strcmp(kty, "EC") == 0) {
        if (!read_bytes(jwk, "x", a, POINT, &first) || !read_bytes(jwk, "y", b, POINT, &second) ||
            first.size != POINT || second.size != POINT)
            return "x and y have to be base64url, of 32 bytes each";
        code = gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_SECP256R1, &first, &second);
    } else {
        if (!read_bytes(jwk, "x", a, POINT, &first) || first.size != POINT)
            return "x has to be base64url, of 32 bytes";
        code = gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, &first, NULL);
    }
    return code == 0 ? NULL : gnutls_strerror(code);
}

/* 1 if the member is not there, or the text. */
static int may_be(const json_t *jwk, const char *name, const char *text) {
    const json_t *value = json_object_get(jwk, name);
    return !value || (json_is_string(value) && strcmp(json_string_value(value), text) == 0);
}

/* 1 if a set may have the key for others (RFC 7517, 5): of another kind, or for something else. */
static int is_for_others(const json_t *jwk, const char *kty) {
    return !((strcmp(kty, "RSA") == 0 && may_be(jwk, "alg", "RS256")) ||
             (strcmp(kty, "EC") == 0 && may_be(jwk, "alg", "ES256") && may_be(jwk, "crv", "P-256")) ||
             (strcmp(kty, "OKP") == 0 && may_be(jwk, "alg", "EdDSA") && may_be(jwk, "crv", "Ed25519"))) ||
           !may_be(jwk, "use", "sig");
}

/* Reads one key of a set. Gives what is wrong; NULL for nothing. */
static const char *read_jwk(struct jwtkeys *k, const json_t *jwk) {
    const char *kty = json_string_value(json_object_get(jwk, "kty"));
    const json_t *name = json_object_get(jwk, "kid");
    const char *kid = name ? json_string_value(name) : "";
    gnutls_pubkey_t key;
    if (!kty)
        return "it has no kty";
    if (strcmp(kty, "oct") == 0 || json_object_get(jwk, "d"))
        return "it is a secret, and no public key";
    if (!kid || strlen(kid) >= JWT_KID || (name && !kid[0]))
        return "its kid is no text of 1 to 127 bytes";
    if (is_for_others(jwk, kty))
        return NULL;
    if (gnutls_pubkey_init(&key) < 0)
        return "out of memory";
    const char *why = import_jwk(key, jwk, kty);
    if (!why)
        return add_key(k, key, kid);
    gnutls_pubkey_deinit(key);
    return why;
}

/* Reads a set of keys. 0 on failure. */
static int read_set(const struct reader *r, sm_slice text) {
    json_error_t e;
    size_t i;
    const json_t *jwk;
    json_t *root = json_loadb((const char *)text.data, text.len, JSON_REJECT_DUPLICATES, &e);
    const json_t *list = json_object_get(root, "keys");
    const char *why = NULL;
    if (!root)
        error_set(r->err, SM_INVALID_OPTION, "jwt_keys: %s:%d:%d: %s", r->path, e.line < 0 ? 0 : e.line,
                  e.column < 0 ? 0 : e.column, e.text);
    else if (!json_is_array(list))
        error_set(r->err, SM_INVALID_OPTION, "jwt_keys: %s:1: it has to be {\"keys\": [...]}", r->path);
    json_array_foreach(list, i, jwk) {
        why = read_jwk(r->keys, jwk);
        if (why) {
            error_set(r->err, SM_INVALID_OPTION, "jwt_keys: %s: keys[%zu]: %s", r->path, i, why);
            break;
        }
    }
    int ok = json_is_array(list) && !why;
    json_decref(root);
    return ok;
}

/* ---- All ------------------------------------------------------------------------------------------------------ */

struct jwtkeys *jwtkeys_parse(const char *path, sm_slice text, struct error *err) {
    struct reader r = {.path = path, .keys = calloc(1, sizeof *r.keys), .err = err};
    size_t begin = 0;
    if (!r.keys) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    atomic_init(&r.keys->refs, 1);
    while (begin < text.len && isspace(text.data[begin]))
        begin++;
    int ok = begin < text.len && text.data[begin] == '{' ? read_set(&r, text) : read_pem(&r, text);
    if (ok && r.keys->count)
        return r.keys;
    if (ok)
        error_set(err, SM_INVALID_OPTION, "jwt_keys: %s:1: it has no public key of RSA, Ed25519, or ECDSA on P-256",
                  path);
    jwtkeys_unref(r.keys);
    return NULL;
}

struct jwtkeys *jwtkeys_read(const char *path, struct error *err) {
    sm_buf text;
    struct jwtkeys *k = NULL;
    if (ownfile_read("jwt_keys", path, &text, err) == SM_OK)
        k = jwtkeys_parse(path, (sm_slice){text.data, text.len}, err);
    sm_buf_free(&text);
    return k;
}

/* ---- Signatures ----------------------------------------------------------------------------------------------- */

/* 1 if the signature of the token's text is the key's. */
static int is_signed_by(const struct jwtkey *key, const char *text, const struct jwt *t) {
    static const gnutls_sign_algorithm_t algorithms[JWT_ALGS] = {GNUTLS_SIGN_RSA_SHA256, GNUTLS_SIGN_ECDSA_SHA256,
                                                                 GNUTLS_SIGN_EDDSA_ED25519};
    enum { HALF = 32 };
    const gnutls_datum_t data = {(unsigned char *)text, (unsigned)t->signed_len};
    gnutls_datum_t signature = {(unsigned char *)t->signature.data, (unsigned)t->signature.len}, both = {0};
    if (key->alg == JWT_ES256) { /* two numbers, side by side (RFC 7518, 3.4) */
        const gnutls_datum_t r = {signature.data, HALF}, s = {signature.data + HALF, HALF};
        if (signature.size != 2 * HALF || gnutls_encode_rs_value(&both, &r, &s) < 0)
            return 0;
        signature = both;
    }
    int code = gnutls_pubkey_verify_data2(key->key, algorithms[key->alg], 0, &data, &signature);
    gnutls_free(both.data);
    return code >= 0;
}

enum jwt_fault jwtkeys_verify(const struct jwtkeys *k, const char *text, const struct jwt *t) {
    enum jwt_fault f = JWT_UNKNOWN_KEY;
    const char *kid = t->kid[0] && has_kid(k, t->kid) ? t->kid : "";
    if (!t->kid[0] && count_keys(k, t->alg, 0) > JWTKEYS_TRIED)
        return JWT_UNKNOWN_KEY;
    for (int i = 0; i < k->count; i++) {
        const struct jwtkey *key = &k->key[i];
        if (t->kid[0] && strcmp(key->kid, kid) != 0)
            continue;
        if (key->alg != t->alg) {
            f = f == JWT_UNKNOWN_KEY ? JWT_WRONG_ALG : f;
            continue;
        }
        if (is_signed_by(key, text, t))
            return JWT_FINE;
        f = JWT_WRONG_SIGNATURE;
    }
    return f;
}
