/* entry.h - what stands before an artifact in a file of the cache: whose it is, and what it was made of.
 *
 *     "SMDENTR1"   u32 version   u32 length of the options' text   u64 length of the artifact   u64 length of the module
 *     32 bytes key   32 bytes SHA-256 of the input   32 bytes key context
 *     the options' text (canonical), and that of the request's own profile (proto/options/profile.h), if it has one
 *     32 bytes SHA-256 of everything so far
 * then the artifact, which has its own digest, with what is kept of its parts, which has one too (proto/wire/kept.h), and
 * the module, compressed with zstd, if it is kept. Numbers are little-endian. With the setting mac_key the file ends with 32
 * bytes HMAC (server/shared/seal.h) of the key and everything before, which is checked before anything is read.
 */
#ifndef SMD_ENTRY_H
#define SMD_ENTRY_H

#include "artifact.h"
#include "key.h"
#include "profile.h"

#define ENTRY_VERSION  1u
#define ENTRY_FIXED    160u                      /* bytes before the artifact, without the options' text */
#define ENTRY_TEXT_MAX (8192u + SM_PROFILE_TEXT) /* bytes of that text */

/* What a key is made of. */
struct origin {
    struct sm_key key;
    unsigned char input[32], context[32];
    char options
        [ENTRY_TEXT_MAX]; /* terminated: those of the request, and then its own profile's text, if it has one */
};

struct entry {
    struct origin origin;
    size_t artifact, artifact_len; /* where it is in the file */
    size_t module, module_len;     /* likewise; its length is 0 if it is not kept */
};

/* Appends everything that stands before the artifact. */
sm_status entry_write(sm_buf *out, const struct origin *o, size_t artifact_len, size_t module_len);

/* Reads it from a file's bytes, or from a part that holds at least the head. FILE_LEN is the whole file's length.
 * SM_TRUNCATED, SM_MALFORMED, SM_INCOMPATIBLE (another version), SM_DAMAGED (digest). */
sm_status entry_read(const void *bytes, size_t len, size_t file_len, struct entry *e);

#endif
