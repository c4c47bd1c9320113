/* buf.c - see buf.h. */
#include "buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sm_buf_init(sm_buf *b, size_t max) {
    *b = (sm_buf){.max = max};
}

void sm_buf_free(sm_buf *b) {
    free(b->data);
    sm_buf_init(b, b->max);
}

void sm_buf_clear(sm_buf *b) {
    b->len = 0;
    b->status = SM_OK;
}

unsigned char *sm_buf_take(sm_buf *b, size_t *len) {
    unsigned char *data = b->data;
    *len = b->len;
    sm_buf_init(b, b->max);
    return data;
}

char *sm_buf_take_text(sm_buf *b) {
    size_t len;
    if (sm_buf_put_u8(b, 0) == SM_OK)
        return (char *)sm_buf_take(b, &len);
    sm_buf_free(b);
    return NULL;
}

/* Makes room for N more bytes and a terminator, doubling up to the maximum. */
sm_status sm_buf_reserve(sm_buf *b, size_t n) {
    enum { SMALLEST = 256 };
    if (b->status != SM_OK)
        return b->status;
    if (n > b->max - b->len)
        return b->status = SM_TOO_LARGE;
    size_t need = b->len + n + 1;
    if (need <= b->cap)
        return SM_OK;
    size_t cap = b->cap > b->max / 2 ? b->max : b->cap * 2;
    if (cap < SMALLEST)
        cap = SMALLEST;
    if (cap > b->max)
        cap = b->max + 1; /* never more: sm_buf_put relies on it */
    if (cap < need)
        cap = need;
    unsigned char *data = realloc(b->data, cap);
    if (!data)
        return b->status = SM_NOMEM;
    b->data = data;
    b->cap = cap;
    return SM_OK;
}

unsigned char *sm_buf_extend(sm_buf *b, size_t n) {
    if (sm_buf_reserve(b, n) != SM_OK)
        return NULL;
    unsigned char *at = b->data + b->len;
    b->len += n;
    return at;
}

/* Most of what is put are short pieces for which there is room. */
sm_status sm_buf_put(sm_buf *b, const void *bytes, size_t n) {
    int fits = b->status == SM_OK && n < b->cap - b->len;
    if (!fits && sm_buf_reserve(b, n) != SM_OK)
        return b->status;
    if (n)
        memcpy(b->data + b->len, bytes, n);
    b->len += n;
    return SM_OK;
}

sm_status sm_buf_puts(sm_buf *b, const char *s) {
    return sm_buf_put(b, s, strlen(s));
}

sm_status sm_buf_put_decimal(sm_buf *b, unsigned long long v) {
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + v % 10);
    while (v /= 10);
    sm_buf_add(b, digits + at, sizeof digits - at);
    return b->status;
}

sm_status sm_buf_put_signed(sm_buf *b, long long v) {
    if (v >= 0)
        return sm_buf_put_decimal(b, (unsigned long long)v);
    sm_buf_add(b, "-", 1);
    return sm_buf_put_decimal(b, 0 - (unsigned long long)v);
}

/* The next argument that a directive takes, of the length in its middle: none, "l", "ll" or "z". */
enum length { LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE };

/* Passes over the length of a directive, and gives it. */
static enum length take_length(const char **at) {
    if (**at == 'z') {
        ++*at;
        return LENGTH_SIZE;
    }
    int n = 0;
    for (; **at == 'l' && n < 2; ++*at)
        n++;
    return n == 0 ? LENGTH_INT : n == 1 ? LENGTH_LONG : LENGTH_LONG_LONG;
}

/* Appends the unsigned (SIGN 0) or signed number that is the next argument. */
static void put_number(sm_buf *b, enum length length, int sign, va_list *ap) {
    unsigned long long v;
    if (length == LENGTH_INT)
        v = sign ? (unsigned long long)va_arg(*ap, int) : va_arg(*ap, unsigned);
    else if (length == LENGTH_LONG)
        v = sign ? (unsigned long long)va_arg(*ap, long) : va_arg(*ap, unsigned long);
    else if (length == LENGTH_LONG_LONG)
        v = va_arg(*ap, unsigned long long);
    else
        v = va_arg(*ap, size_t);
    if (sign)
        sm_buf_put_signed(b, (long long)v);
    else
        sm_buf_put_decimal(b, v);
}

/* Appends as printf does, if the format has directives %s, %d and %u alone, of any length and without flags and
 * widths; all that is written in great numbers has no others. 0, with nothing appended, if it has others. */
static int put_simple(sm_buf *b, const char *fmt, va_list *ap) {
    size_t start = b->len;
    for (;;) {
        size_t n = strcspn(fmt, "%");
        sm_buf_put(b, fmt, n);
        fmt += n;
        if (!*fmt)
            break;
        fmt++;
        if (*fmt == 's') {
            const char *text = va_arg(*ap, const char *);
            sm_buf_puts(b, text ? text : "(null)");
            fmt++;
            continue;
        }
        enum length length = take_length(&fmt);
        if (*fmt != 'd' && *fmt != 'u') {
            b->len = start;
            return 0;
        }
        put_number(b, length, *fmt++ == 'd', ap);
    }
    if (b->status != SM_OK)
        b->len = start;
    return 1;
}

/* Appends by the C library's printf. */
static void put_any(sm_buf *b, const char *fmt, va_list ap) {
    va_list again;
    size_t room = b->status == SM_OK ? b->cap - b->len : 0;
    va_copy(again, ap);
    int n = vsnprintf(room ? (char *)b->data + b->len : NULL, room, fmt, ap);
    if (n > 0 && sm_buf_reserve(b, (size_t)n) == SM_OK) {
        if ((size_t)n >= room)
            vsnprintf((char *)b->data + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

sm_status sm_buf_printf(sm_buf *b, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    if (!put_simple(b, fmt, &ap))
        put_any(b, fmt, again);
    va_end(again);
    va_end(ap);
    return b->status;
}

static sm_status put_le(sm_buf *b, uint64_t v, size_t n) {
    unsigned char *at = sm_buf_extend(b, n);
    if (at)
        sm_store_le(at, v, n);
    return b->status;
}

sm_status sm_buf_put_u8(sm_buf *b, uint8_t v) {
    return put_le(b, v, 1);
}

sm_status sm_buf_put_u16(sm_buf *b, uint16_t v) {
    return put_le(b, v, 2);
}

sm_status sm_buf_put_u32(sm_buf *b, uint32_t v) {
    return put_le(b, v, 4);
}

sm_status sm_buf_put_u64(sm_buf *b, uint64_t v) {
    return put_le(b, v, 8);
}

sm_status sm_buf_put_str(sm_buf *b, const char *s, size_t n) {
    if (n > UINT32_MAX)
        return b->status = b->status ? b->status : SM_TOO_LARGE;
    sm_buf_put_u32(b, (uint32_t)n);
    return sm_buf_put(b, s, n);
}

sm_status sm_buf_align(sm_buf *b, size_t alignment) {
    size_t n = -b->len & (alignment - 1);
    unsigned char *at = sm_buf_extend(b, n);
    if (at)
        memset(at, 0, n);
    return b->status;
}

sm_status sm_buf_read_file(sm_buf *b, const char *path) {
    enum { PIECE = 65536 };
    int is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "re");
    sm_buf_init(b, (size_t)1 << 31);
    while (f && !feof(f) && !ferror(f)) {
        unsigned char *to = sm_buf_extend(b, PIECE);
        if (!to)
            break;
        b->len -= PIECE - fread(to, 1, PIECE, f);
    }
    int ok = f && !ferror(f);
    if (f && !is_stdin)
        fclose(f);
    return ok ? b->status : SM_IO;
}

const char *sm_buf_cstr(sm_buf *b) {
    if (sm_buf_reserve(b, 0) != SM_OK)
        return "";
    b->data[b->len] = 0;
    return (const char *)b->data;
}

sm_cursor sm_cursor_of(const void *data, size_t len) {
    return (sm_cursor){.data = data, .len = len};
}

size_t sm_cursor_left(const sm_cursor *c) {
    return c->len - c->pos;
}

const unsigned char *sm_get_bytes(sm_cursor *c, size_t n) {
    if (c->status != SM_OK || n > sm_cursor_left(c)) {
        c->status = SM_TRUNCATED;
        return NULL;
    }
    const unsigned char *at = c->data + c->pos;
    c->pos += n;
    return at;
}

static uint64_t get_le(sm_cursor *c, size_t n) {
    const unsigned char *at = sm_get_bytes(c, n);
    return at ? sm_load_le(at, n) : 0;
}

uint8_t sm_get_u8(sm_cursor *c) {
    return (uint8_t)get_le(c, 1);
}

uint16_t sm_get_u16(sm_cursor *c) {
    return (uint16_t)get_le(c, 2);
}

uint32_t sm_get_u32(sm_cursor *c) {
    return (uint32_t)get_le(c, 4);
}

uint64_t sm_get_u64(sm_cursor *c) {
    return get_le(c, 8);
}

const char *sm_get_str(sm_cursor *c, size_t *n) {
    *n = sm_get_u32(c);
    const char *s = (const char *)sm_get_bytes(c, *n);
    if (!s)
        *n = 0;
    return s;
}

void sm_get_align(sm_cursor *c, size_t alignment) {
    sm_get_bytes(c, -c->pos & (alignment - 1));
}
