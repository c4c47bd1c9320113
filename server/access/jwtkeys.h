/* jwtkeys.h - the public keys of those who issue tokens (jwt.h), as a file has them: PEM, or a set of JSON Web Keys
 * (RFC 7517). Constant once read, and counted.
 */
#ifndef SMD_JWTKEYS_H
#define SMD_JWTKEYS_H

#include "error.h"
#include "jwt.h"

enum {
    JWTKEYS_MAX = 16,
    JWTKEYS_TRIED = 2, /* for one token: who has no key makes smd check no more signatures */
    JWTKEYS_RSA_BITS_MIN = 2048,
    JWTKEYS_RSA_BITS_MAX = 8192
};

struct jwtkeys;

/* Reads the keys of TEXT, which came from PATH. NULL, with path and place in the error, if one is wrong, or there is
 * none. Of a set, keys for other uses and of other kinds are left out. *new*, one reference */
struct jwtkeys *jwtkeys_parse(const char *path, sm_slice text, struct error *err);
struct jwtkeys *jwtkeys_read(const char *path, struct error *err); /* the same for a file */
struct jwtkeys *jwtkeys_ref(struct jwtkeys *k);
void jwtkeys_unref(struct jwtkeys *k); /* NULL is fine */

/* Checks the signature of the token TEXT, of which T was read: by the key of its name where there is one, else by those
 * that have no name; of a token that names none, by all that are for its algorithm, if they are JWTKEYS_TRIED at most. */
enum jwt_fault jwtkeys_verify(const struct jwtkeys *k, const char *text, const struct jwt *t);

#endif
