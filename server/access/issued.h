/* issued.h - tokens that an identity provider issues (jwt.h): whose they are, by the keys in force. One that was checked
 * is remembered, so that it costs no signature again, until it expires or the keys are read again. Thread-safe.
 */
#ifndef SMD_ISSUED_H
#define SMD_ISSUED_H

#include "digest.h"
#include "error.h"
#include "jwt.h"
#include "settings.h"

#include <stdint.h>

struct issued;

/* Reads the keys of the setting jwt_keys. NULL with an error. The settings are borrowed. *new* */
struct issued *issued_new(const struct settings *s, struct error *err);
void issued_free(struct issued *i); /* NULL is fine */

/* Reads them again; on failure those that were read before stay. */
sm_status issued_reload(struct issued *i, struct error *err);
int issued_has_changed(const struct issued *i); /* boolean: the file, since it was read */

/* Reads the token whose text has this digest, at NOW, for a client of this number. JWT_TOO_MANY if it has made smd
 * check so many signatures in vain in this second that smd looks at no more tokens but those that it remembers. */
enum jwt_fault issued_check(struct issued *i, const char *token, const unsigned char digest[SM_DIGEST_BYTES],
                            uint64_t client, time_t now, struct jwt_claims *c);

#endif
