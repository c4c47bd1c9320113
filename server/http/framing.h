/* framing.h - where a request begins and ends among a connection's bytes, strictly by RFC 9112.
 *
 * A server that reads the same bytes differently from the load balancer in front of it can be given requests that
 * nobody has checked. So nothing is guessed here. A head with a bare LF or CR, a space before a colon, a folded line,
 * two lengths, no Host or two of them, a chunk that does not end where its size says: from there on the connection's
 * bytes are refused. What comes out is in plain form: whole heads without spaces after values, bodies, chunks without
 * extensions, no trailers. In the place of what was refused the reader gets an end that it can understand: a request
 * of the method "-", or the end of the chunked body.
 */
#ifndef SMD_FRAMING_H
#define SMD_FRAMING_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

#define FRAMING_HEAD_MAX    16384 /* bytes of a request's line and header, and of its trailer */
#define FRAMING_FIELDS_MAX  128   /* header fields and query parameters of a request together */
#define FRAMING_EMPTY_LINES 8     /* before a request */
#define FRAMING_CHUNK_LINE  1024  /* bytes of a chunk's size and extensions */
#define FRAMING_EXTENSIONS  16384 /* bytes of all extensions of a body, beyond as many as its data has */

enum framing_state {
    FRAMING_HEAD,     /* a head is being waited for */
    FRAMING_HEAD_OUT, /* LEFT bytes of a head go out */
    FRAMING_BODY,     /* LEFT bytes of a body do */
    FRAMING_CHUNK,    /* a chunk's line is being waited for */
    FRAMING_DATA,     /* LEFT bytes of a chunk go out */
    FRAMING_DATA_END, /* the line's end after them is being waited for */
    FRAMING_TRAILER,  /* the lines after the last chunk */
    FRAMING_REFUSED   /* nothing goes out any more */
};

struct framing {
    enum framing_state state, body; /* body: the state after FRAMING_HEAD_OUT */
    uint64_t left, length;
    unsigned empty_lines; /* before the request that is awaited */
    size_t scanned;       /* bytes of the head in which its end was not found */
    size_t trailer;       /* bytes of the trailer so far */
    uint64_t extensions;  /* bytes of the body's extensions so far */
    uint64_t chunked;     /* bytes of the body's chunks so far */
    char extra[64];       /* what goes out before anything else */
    size_t extra_len, extra_at;
    unsigned long requests; /* that have gone out, the one in place of a refused one included */
    sm_status status;       /* why the last of them is refused; SM_OK if it is not */
    const char *detail;     /* a sentence; static storage */
};

/* Moves bytes from IN to OUT, which do not overlap. Gives how many bytes are in OUT; *USED is how many of IN are not
 * needed any more. The caller passes the rest of IN (FRAMING_HEAD_MAX bytes at most) again in the next call, with
 * more bytes after it unless OUT was full. IN is changed: heads are put into plain form there. An F of zeros awaits a
 * request. */
size_t framing_move(struct framing *f, unsigned char *in, size_t in_len, size_t *used, unsigned char *out,
                    size_t out_len);

/* How many of the next bytes are a body's: they may go out without framing_move, which framing_passed is told. */
size_t framing_straight(const struct framing *f);
void framing_passed(struct framing *f, size_t n);

/* No more bytes come, and IN_LEN of them were not needed yet: what was begun is refused. */
void framing_end(struct framing *f, size_t in_len);

#endif
