/* hex.h - bytes as hexadecimal digits. Thread-safe. */
#ifndef SM_HEX_H
#define SM_HEX_H

#include <stddef.h>

/* Writes LEN bytes as twice as many digits, in lower case, and no terminator. Gives where they end. */
char *sm_hex_put(char *to, const unsigned char *bytes, size_t len);

/* Reads LEN bytes from twice as many digits in lower case. Gives where they end; NULL if they are not there. */
const char *sm_hex_get(const char *text, unsigned char *bytes, size_t len);

/* The value of a digit in lower or upper case; -1 if it is none. */
int sm_hex_digit(char c);

#endif
