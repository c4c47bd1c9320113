/* jwt.h - JSON Web Tokens as they come (RFC 7515, 7519), read strictly (RFC 8725).
 *
 * A token is three parts of base64url. Of one that nobody has vouched for, only the first part is read, to choose the
 * key; the claims are read once the signature was found right (jwtkeys.h). Nothing that a token names is fetched or
 * opened. No function allocates more than what the token's size bounds.
 */
#ifndef SMD_JWT_H
#define SMD_JWT_H

#include "artifact.h" /* sm_slice */

#include <jansson.h>
#include <time.h>

enum {
    JWT_MAX = 8192,        /* bytes of a token */
    JWT_HEADER_MAX = 1024, /* of its header, decoded */
    JWT_DEPTH = 16,        /* of objects and lists in one another */
    JWT_KID = 128,         /* of a key's name, with the end */
    JWT_SUBJECT = 256,     /* of the claim that names the tenant, with the end */
};

/* How a token is signed; nothing else is known, neither "none" nor secrets that two share. */
enum jwt_alg { JWT_RS256, JWT_ES256, JWT_EDDSA, JWT_ALGS };

/* The algorithm of a name; JWT_ALGS if there is none. */
enum jwt_alg jwt_alg_of(const char *name);

/* Why a token is refused. */
enum jwt_fault {
    JWT_FINE,
    JWT_NO_TOKEN,    /* it is not of the form */
    JWT_TOO_LONG,    /* a bound is reached */
    JWT_WRONG_ALG,   /* it is not signed in a way that is known, or that its key is for */
    JWT_WRONG_TYPE,  /* it is a token for something else */
    JWT_UNKNOWN_KEY, /* nobody is known who has signed it */
    JWT_WRONG_SIGNATURE,
    JWT_WRONG_CLAIMS, /* a claim is missing, of the wrong type, or contradicts another */
    JWT_EXPIRED,
    JWT_TOO_EARLY,
    JWT_WRONG_ISSUER,
    JWT_WRONG_AUDIENCE,
    JWT_WRONG_SUBJECT, /* the claim that names the tenant */
    JWT_TOO_MANY,      /* it was not looked at: its client has shown too many that do not count */
    JWT_FAULTS
};

/* A sentence for a person, without quotes and backslashes. Static storage. */
const char *jwt_fault_text(enum jwt_fault f);

/* A token's parts, as decoded. */
struct jwt {
    enum jwt_alg alg;
    char kid[JWT_KID];          /* "" if it names no key */
    size_t signed_len;          /* bytes of the text that the signature is for */
    sm_slice claims, signature; /* in BYTES */
    unsigned char bytes[JWT_MAX];
};

/* Reads the text as far as it can be read before the signature is checked. */
enum jwt_fault jwt_read(const char *text, struct jwt *t);

/* What a token has to say. All are borrowed. */
struct jwt_rules {
    const char *issuer, *audience;
    const char *subject; /* the name of the claim that names the tenant */
    int leeway_s;        /* by which clocks may differ */
};

/* What a token says. */
struct jwt_claims {
    time_t expires;
    unsigned scopes; /* bits: enum sm_scope */
    char subject[JWT_SUBJECT];
};

/* Reads the claims of a token whose signature was checked, and checks them at NOW (seconds since 1970). */
enum jwt_fault jwt_read_claims(sm_slice claims, const struct jwt_rules *rules, time_t now, struct jwt_claims *c);

/* The object that the bytes are, with no member twice, and nested at most JWT_DEPTH deep. NULL if they are none. *new* */
json_t *jwt_object(sm_slice bytes);

#endif
