/* jsontext.c - see jsontext.h. */
#include "jsontext.h"

#include "utf8.h"

#include <string.h>

/* Those that stand for themselves in JSON. */
static const unsigned char is_plain[256] = {[' ' ... '!'] = 1, ['#' ... '['] = 1, [']' ... 0x7f] = 1};

/* 1 if each of the eight bytes at P stands for itself. A byte less what it must not be, or not be below, has its
 * highest bit set if it is; the lowest such byte is seen whatever is borrowed above it. */
static int are_plain(const unsigned char *p) {
    const uint64_t each = 0x0101010101010101, highest = each << 7;
    uint64_t w;
    memcpy(&w, p, sizeof w);
    uint64_t control = w - each * ' ', quote = (w ^ each * '"') - each, backslash = (w ^ each * '\\') - each;
    return ((w | control | quote | backslash) & highest) == 0;
}

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

/* The bytes that put_escaped writes. */
static size_t escaped_length(const unsigned char *p, size_t n) {
    return n == 0 ? strlen("\\ufffd") : n > 1 ? n : *p == '\n' || *p == '"' || *p == '\\' ? 2 : strlen("\\u0000");
}

size_t sm_json_text_length(const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)text, *end = p + len;
    size_t length = strlen("\"\"");
    while (p < end) {
        const unsigned char *plain = p;
        while (end - p >= 8 && are_plain(p))
            p += 8;
        while (p < end && is_plain[*p])
            p++;
        length += (size_t)(p - plain);
        if (p == end)
            break;
        size_t n = sm_utf8_length(p, (size_t)(end - p));
        length += escaped_length(p, n);
        p += n ? n : 1;
    }
    return length;
}

sm_status sm_json_text(sm_buf *out, const char *text, size_t len) {
    const unsigned char *p = (const unsigned char *)text, *end = p + len;
    sm_buf_put(out, "\"", 1);
    while (p < end) {
        const unsigned char *plain = p;
        while (end - p >= 8 && are_plain(p))
            p += 8;
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
