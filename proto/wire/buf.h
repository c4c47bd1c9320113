/* buf.h - bytes: a growing buffer with a hard maximum, and a cursor that reads untrusted bytes.
 *
 * A buffer never grows past the maximum it was made with; a put that would is refused and leaves a sticky
 * status, so that a writer may put many fields and check once. A get past the end does the same in a
 * cursor. All integers are little endian. Neither is thread-safe.
 */
#ifndef SM_BUF_H
#define SM_BUF_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sm_buf {
    unsigned char *data; /* owned */
    size_t len, cap, max;
    sm_status status; /* the first failure: SM_NOMEM or SM_TOO_LARGE; SM_OK until then */
} sm_buf;

/* An empty buffer that may grow to MAX bytes. Allocates nothing. */
void sm_buf_init(sm_buf *b, size_t max);

/* Frees the bytes and leaves an empty buffer with the same maximum. */
void sm_buf_free(sm_buf *b);

/* Forgets the bytes and the failure; keeps the memory. */
void sm_buf_clear(sm_buf *b);

/* The buffer's bytes are *taken* by the caller (free() them), its length in *LEN; the buffer is empty after. */
unsigned char *sm_buf_take(sm_buf *b, size_t *len);
char *sm_buf_take_text(sm_buf *b); /* likewise, terminated; NULL, and the buffer is empty, if it has failed */

/* Makes room for N more bytes and returns where they go; NULL if refused. len grows by N at once. */
unsigned char *sm_buf_extend(sm_buf *b, size_t n);

/* Makes room for N more bytes, without adding any: the puts that follow need not grow the buffer. */
sm_status sm_buf_reserve(sm_buf *b, size_t n);

/* Writes the lowest N bytes of V to AT, the lowest first. */
static inline void sm_store_le(unsigned char *at, uint64_t v, size_t n) {
    for (size_t i = 0; i < n; i++)
        at[i] = (unsigned char)(v >> (8 * i));
}

/* The little-endian number of N bytes at AT, at most 8. */
static inline uint64_t sm_load_le(const unsigned char *at, size_t n) {
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)at[i] << (8 * i);
    return v;
}

sm_status sm_buf_put(sm_buf *b, const void *bytes, size_t n);
sm_status sm_buf_puts(sm_buf *b, const char *s); /* the characters of S, no terminator */

/* The same as sm_buf_put and sm_buf_puts, for many short pieces: while there is room no function is called, and the
 * length of a literal is known when this is compiled. */
static inline void sm_buf_add(sm_buf *b, const void *bytes, size_t n) {
    if (b->status == SM_OK && n < b->cap - b->len) {
        memcpy(b->data + b->len, bytes, n);
        b->len += n;
    } else {
        sm_buf_put(b, bytes, n);
    }
}

static inline void sm_buf_adds(sm_buf *b, const char *s) {
    sm_buf_add(b, s, strlen(s));
}

sm_status sm_buf_printf(sm_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
sm_status sm_buf_put_decimal(sm_buf *b, unsigned long long v);
sm_status sm_buf_put_signed(sm_buf *b, long long v); /* likewise, with a minus sign if it is below zero */
sm_status sm_buf_put_u8(sm_buf *b, uint8_t v);
sm_status sm_buf_put_u16(sm_buf *b, uint16_t v);
sm_status sm_buf_put_u32(sm_buf *b, uint32_t v);
sm_status sm_buf_put_u64(sm_buf *b, uint64_t v);
sm_status sm_buf_put_str(sm_buf *b, const char *s, size_t n); /* u32 length, then the bytes */
sm_status sm_buf_align(sm_buf *b, size_t alignment);          /* zero bytes up to a multiple of a power of two */

/* Makes *B the bytes of a file, 2 GiB at most; "-" is standard input. SM_IO (errno says why) or what a put may give; *B
 * is to be freed either way. */
sm_status sm_buf_read_file(sm_buf *b, const char *path);

/* S as a C string that lives as long as the buffer is unchanged: a terminator is kept after len. "" if it failed. */
const char *sm_buf_cstr(sm_buf *b);

typedef struct sm_cursor {
    const unsigned char *data; /* borrowed */
    size_t len, pos;
    sm_status status; /* SM_TRUNCATED once a get ran past the end */
} sm_cursor;

sm_cursor sm_cursor_of(const void *data, size_t len);
uint8_t sm_get_u8(sm_cursor *c); /* each gives 0 once the cursor has failed */
uint16_t sm_get_u16(sm_cursor *c);
uint32_t sm_get_u32(sm_cursor *c);
uint64_t sm_get_u64(sm_cursor *c);
const unsigned char *sm_get_bytes(sm_cursor *c, size_t n); /* borrowed; NULL once failed */
const char *sm_get_str(sm_cursor *c, size_t *n);           /* u32 length, bytes: borrowed, not terminated */
void sm_get_align(sm_cursor *c, size_t alignment);         /* skips to a multiple of a power of two */
size_t sm_cursor_left(const sm_cursor *c);

#endif
