/* key.h - the key of a compile: the same for the same work, whoever computes it. docs/api.md says how in words.
 *
 * A client computes it to ask for an artifact before it sends the module. What a server adds of its own (compiler,
 * artifact version, salt) is its key context, one digest that /v1/capabilities tells.
 */
#ifndef SM_KEY_H
#define SM_KEY_H

#include "frame.h"
#include "options.h"

#define SM_KEY_TEXT 65 /* SHA-256 as lower-case hexadecimal text, with its terminator */

/* The context of a server: whoever has it can compute keys, without learning the salt. */
sm_status sm_key_context(const char *compiler_build, const char *salt, char context[SM_KEY_TEXT]);

/* The key of a job, from the context (text), the options (only those that are keyed; not read for other kinds than a
 * compile) and the SHA-256 of the input's bytes. */
sm_status sm_key(const char *context, enum sm_job_kind kind, const sm_options *options,
                 const unsigned char input_digest[32], char key[SM_KEY_TEXT]);

/* 1 if TEXT is spelled as a key: 64 digits, lower case. */
int sm_key_valid(const char *text, size_t len);

#endif
