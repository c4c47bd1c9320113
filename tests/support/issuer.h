/* issuer.h - an identity provider of a test's own: keys, and JSON Web Tokens that they sign. By libcrypto, as smd itself
 * checks them by another library. All that is given is *new* (free); a failure ends the test's process. */
#ifndef TEST_ISSUER_H
#define TEST_ISSUER_H

#include <stddef.h>

struct issuer;

/* ALG is "RS256", "ES256" or "EdDSA"; or another of libcrypto's kinds: "RSA1024", "P-384", "Ed448", "X25519". */
struct issuer *issuer_new(const char *alg);
void issuer_free(struct issuer *i);

/* The public key, as PEM, and as a JSON Web Key of this name ("": none); the private one as PEM. */
char *issuer_pem(const struct issuer *i);
char *issuer_jwk(const struct issuer *i, const char *kid);
char *issuer_secret(const struct issuer *i);

/* A token of the header and claims, which are JSON, or ought to be; the key's own algorithm signs it. */
char *issuer_token(const struct issuer *i, const char *header, const char *claims);

/* Base64url without padding. */
char *issuer_base64(const void *bytes, size_t len);

/* A token with this signature; with HMAC-SHA-256 under a secret. */
char *issuer_token_of(const char *header, const char *claims, const void *signature, size_t len);
char *issuer_token_by_secret(const char *header, const char *claims, const void *secret, size_t len);

#endif
