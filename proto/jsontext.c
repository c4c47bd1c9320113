/* jsontext.c - see jsontext.h. */
#include "jsontext.h"

/* Those that stand for themselves in JSON. */
static const unsigned char is_plain[256] = {[' ' ... '!'] = 1, ['#' ... '['] = 1, [']' ... 0x7f] = 1};

/* The length of the UTF-8 sequence at P (RFC 3629), 0 if there is none. */
static size_t utf8_length(const unsigned char *p, size_t left) {
    size_t n = p[0] < 0x80                   ? 1
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
               : (p[0] & 0xf0) == 0xe0       ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    int surrogate = p[0] == 0xed && p[1] >= 0xa0,
        overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    int too_high = p[0] == 0xf4 && p[1] >= 0x90;
    return n > 2 && (surrogate || overlong || too_high) ? 0 : n;
}

static void put_escaped(sm_buf *out, const unsigned char *p, size_t n) {
    if (n == 0)
        sm_buf_puts(out, "\\ufffd");
    else if (n > 1)
        sm_buf_put(out, p, n);
    else if (*p == '\n')
        sm_buf_puts(out, "\\n");
    else if (*p == '"' || *p == '\\')
        sm_buf_printf(out, "\\%c", *p);
    else
        sm_buf_printf(out, "\\u%04x", *p);
}

sm_status json_text(sm_buf *out, const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)text, *end = p + len;
    sm_buf_put(out, "\"", 1);
    while (p < end) {
        const unsigned char *plain = p;
        while (p < end && is_plain[*p])
            p++;
        sm_buf_put(out, plain, (size_t)(p - plain));
        if (p == end)
            break;
        size_t n = utf8_length(p, (size_t)(end - p));
        put_escaped(out, p, n);
        p += n ? n : 1;
    }
    return sm_buf_put(out, "\"", 1);
}
