/* utf8.h - which bytes are UTF-8 (RFC 3629). */
#ifndef SM_UTF8_H
#define SM_UTF8_H

#include <stddef.h>

/* The length of the sequence at BYTES, of which LEFT bytes may be read; 0 if there is none. */
size_t sm_utf8_length(const void *bytes, size_t left);

#endif
