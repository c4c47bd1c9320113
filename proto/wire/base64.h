/* base64.h - RFC 4648: objects and modules inside JSON. */
#ifndef SM_BASE64_H
#define SM_BASE64_H

#include "buf.h"

/* Appends BYTES in base64, padded, in one line. */
sm_status sm_base64_put(sm_buf *out, const void *bytes, size_t len);

/* The bytes of TEXT, *new*; both alphabets are read, line breaks are passed over, padding may be left out.
 * SM_INVALID_JSON, and no bytes, if it is no base64. */
sm_status sm_base64_get(const char *text, size_t len, unsigned char **bytes, size_t *out_len);

/* Decodes base64url (RFC 4648, 5), without padding and in its only form, into OUT, which has room for LEN bytes. Gives
 * how many; -1 if it is none. */
long sm_base64url_read(const char *text, size_t len, unsigned char *out);

#endif
