/* jsontext.c - see jsontext.h. */
#include "jsontext.h"

#include "utf8.h"

/* Those that stand for themselves in JSON. */
static const unsigned char is_plain[256] = {[' ' ... '!'] = 1, ['#' ... '['] = 1, [']' ... 0x7f] = 1};

/* Writes a character that cannot stand for itself in JSON, or N bytes of UTF-8; N = 0 is a byte that is no UTF-8. */
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

sm_status sm_json_text(sm_buf *out, const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)text, *end = p + len;
    sm_buf_put(out, "\"", 1);
    while (p < end) {
        const unsigned char *plain = p;
        while (p < end && is_plain[*p])
            p++;
        sm_buf_put(out, plain, (size_t)(p - plain));
        if (p == end)
            break;
        size_t n = sm_utf8_length(p, (size_t)(end - p));
        put_escaped(out, p, n);
        p += n ? n : 1;
    }
    return sm_buf_put(out, "\"", 1);
}
