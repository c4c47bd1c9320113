/* key.h - the key of a compile: the same for the same work, on client and server. docs/api.md says how in words.
 *
 * A client computes it to ask for an artifact before it sends the module. What a server adds of its own (compiler,
 * artifact version, salt) is its key context, one digest that /v1/capabilities names.
 */
#ifndef SM_KEY_H
#define SM_KEY_H

#include "frame.h"
#include "options.h"

#include <string.h>

/* A key as it is compared and stored: a SHA-256. As text, at the edges, it is lower-case hexadecimal. */
enum { SM_KEY_BYTES = 32, SM_KEY_TEXT = 2 * SM_KEY_BYTES + 1 }; /* the text's with its terminator */
struct sm_key {
    unsigned char byte[SM_KEY_BYTES];
};

void sm_key_text(const struct sm_key *key, char text[SM_KEY_TEXT]);

/* Reads a key from text; 0 if it is not spelled as one: 64 digits, lower case. */
int sm_key_read(const char *text, size_t len, struct sm_key *key);
int sm_key_valid(const char *text, size_t len); /* the same without reading it */

static inline int sm_key_equal(const struct sm_key *a, const struct sm_key *b) {
    return memcmp(a->byte, b->byte, SM_KEY_BYTES) == 0;
}

/* A hash of the key, which is a digest: any of its bytes are as good. */
static inline uint64_t sm_key_hash(const struct sm_key *key) {
    uint64_t hash;
    memcpy(&hash, key->byte + 8, sizeof hash);
    return hash;
}

/* The key context of a server. A client that has it can compute keys, and learns nothing of the salt. */
sm_status sm_key_context(const char *compiler_build, const char *salt, char context[SM_KEY_TEXT]);

/* The key of a job, from the context (text), the options (only those that are keyed; not read for other kinds than a
 * compile) and the SHA-256 of the input's bytes. */
sm_status sm_key_make(const char *context, enum sm_job_kind kind, const sm_options *options,
                      const unsigned char input_digest[32], struct sm_key *key);
/* The same as text. */
sm_status sm_key(const char *context, enum sm_job_kind kind, const sm_options *options,
                 const unsigned char input_digest[32], char key[SM_KEY_TEXT]);

#endif
