/* utf8.c - see utf8.h. */
#include "utf8.h"

size_t sm_utf8_length(const void *bytes, size_t left) {
    static const struct {
        unsigned char low, high;   /* of the first byte */
        unsigned char low2, high2; /* of the second: no overlong forms, no surrogates, nothing past U+10FFFF */
        unsigned char len;
    } forms[] = {{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
                 {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
                 {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *p = bytes;
    if (left == 0)
        return 0;
    if (p[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (p[0] < forms[i].low || p[0] > forms[i].high)
            continue;
        if (left < forms[i].len || p[1] < forms[i].low2 || p[1] > forms[i].high2)
            return 0;
        for (size_t j = 2; j < forms[i].len; j++)
            if ((p[j] & 0xc0) != 0x80)
                return 0;
        return forms[i].len;
    }
    return 0;
}
