/* hex.c - see hex.h. */
#include "hex.h"

static const char digits[] = "0123456789abcdef";

char *sm_hex_put(char *to, const unsigned char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    return to;
}

static int lower_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int sm_hex_digit(char c) {
    return lower_digit(c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c);
}

const char *sm_hex_get(const char *text, unsigned char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++, text += 2) {
        int high = lower_digit(text[0]), low = high < 0 ? -1 : lower_digit(text[1]);
        if (low < 0)
            return NULL;
        bytes[i] = (unsigned char)(high << 4 | low);
    }
    return text;
}
