/* base64.c - see base64.h. */
#include "base64.h"

#include <stdlib.h>

sm_status sm_base64_put(sm_buf *out, const void *bytes, size_t len) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = bytes;
    unsigned char *to = sm_buf_extend(out, (len + 2) / 3 * 4);
    for (size_t i = 0; to && i < len; i += 3, to += 4) {
        size_t left = len - i;
        unsigned v = (unsigned)data[i] << 16 | (left > 1 ? data[i + 1] : 0u) << 8 | (left > 2 ? data[i + 2] : 0u);
        to[0] = (unsigned char)digits[v >> 18];
        to[1] = (unsigned char)digits[v >> 12 & 63];
        to[2] = left > 1 ? (unsigned char)digits[v >> 6 & 63] : '=';
        to[3] = left > 2 ? (unsigned char)digits[v & 63] : '=';
    }
    return out->status;
}

/* The value of a digit of base64 or base64url; -1 if it is none. */
static int digit(int c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

sm_status sm_base64_get(const char *text, size_t len, unsigned char **bytes, size_t *out_len) {
    unsigned char *out = malloc(len / 4 * 3 + 4);
    unsigned bits = 0, have = 0;
    size_t n = 0, i = 0;
    *bytes = NULL;
    if (!out)
        return SM_NOMEM;
    for (; i < len && text[i] != '='; i++) {
        int d = digit((unsigned char)text[i]);
        if (d < 0 && (text[i] == '\n' || text[i] == '\r'))
            continue;
        if (d < 0)
            break;
        bits = bits << 6 | (unsigned)d;
        have += 6;
        if (have >= 8)
            out[n++] = (unsigned char)(bits >> (have -= 8));
    }
    while (i < len && (text[i] == '=' || text[i] == '\n' || text[i] == '\r'))
        i++;
    if (i == len && have < 6) {
        *bytes = out;
        *out_len = n;
        return SM_OK;
    }
    free(out);
    return SM_INVALID_JSON;
}

long sm_base64url_read(const char *text, size_t len, unsigned char *out) {
    unsigned bits = 0, have = 0;
    long n = 0;
    for (size_t i = 0; i < len; i++) {
        int d = text[i] == '+' || text[i] == '/' ? -1 : digit((unsigned char)text[i]);
        if (d < 0)
            return -1;
        bits = (bits << 6 | (unsigned)d) & 0xfff;
        have += 6;
        if (have >= 8)
            out[n++] = (unsigned char)(bits >> (have -= 8));
    }
    return have < 6 && !(bits & ((1u << have) - 1)) ? n : -1; /* nothing is left but zeros, which stand for nothing */
}
