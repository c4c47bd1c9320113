/* base64.h - RFC 4648: objects and modules inside JSON. */
#ifndef SM_BASE64_H
#define SM_BASE64_H

#include "buf.h"

/* Appends BYTES in base64, padded, in one line. */
sm_status sm_base64_put(sm_buf *out, const void *bytes, size_t len);

/* The bytes of TEXT, *new*; both alphabets are read, line breaks are passed over, padding may be left out. NULL if it is
 * no base64, or out of memory. */
unsigned char *sm_base64_get(const char *text, size_t len, size_t *out_len);

#endif
