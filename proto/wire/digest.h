/* digest.h - SHA-256 of keys, modules and artifacts (FIPS 180-4), by libcrypto.
 *
 * libcrypto looks an algorithm up by its name at every use unless the caller keeps it, and for short inputs this takes
 * longer than the digest.
 */
#ifndef SM_DIGEST_H
#define SM_DIGEST_H

#include "status.h"

#include <stddef.h>

#define SM_DIGEST_BYTES 32

/* Thread-safe. SM_NOMEM if libcrypto fails. */
sm_status sm_digest(const void *bytes, size_t len, unsigned char out[SM_DIGEST_BYTES]);

/* A digest of bytes that come in pieces. */
typedef struct sm_digester sm_digester;
sm_digester *sm_digester_new(void); /* *new*, by sm_digester_free; NULL if libcrypto fails */
void sm_digester_add(sm_digester *d, const void *bytes, size_t len);
sm_status sm_digester_end(sm_digester *d, unsigned char out[SM_DIGEST_BYTES]);
void sm_digester_free(sm_digester *d); /* NULL is fine */

#endif
