/* signature.h - an artifact is vouched for: a server's Ed25519 signature (RFC 8032), by libcrypto, over
 *
 *     "SMDSIGN1"   32 bytes key   32 bytes SHA-256 of the artifact   32 bytes SHA-256 of its object file
 *
 * As text it is "ed25519 ID ARTIFACT SIGNATURE": the first 8 bytes of the public key's SHA-256, the artifact's SHA-256, and
 * 64 bytes, each in hexadecimal. So who has the object alone can check it as well.
 */
#ifndef SM_SIGNATURE_H
#define SM_SIGNATURE_H

#include "artifact.h"
#include "status.h"

enum { SM_SIGNATURE_TEXT = 8 + 17 + 65 + 129 }; /* with its terminator */

typedef struct sm_signing_key sm_signing_key;

/* Reads a file (PEM): a private key, or a public one. NULL if it is not there, or is none of Ed25519. *new* */
sm_signing_key *sm_signing_key_read(const char *path, int is_private);
void sm_signing_key_free(sm_signing_key *k); /* NULL is fine */

/* Signs, as text; thread-safe. SM_NOMEM if libcrypto fails. */
sm_status sm_signature_make(const sm_signing_key *k, const unsigned char key[32], const unsigned char artifact[32],
                            const unsigned char object[32], char text[SM_SIGNATURE_TEXT]);

/* 1 if one of the COUNT keys has signed this. ARTIFACT may be NULL: whatever it is. */
int sm_signature_check(sm_signing_key *const *keys, size_t count, const char *text, const unsigned char key[32],
                       const unsigned char *artifact, const unsigned char object[32]);

#endif
