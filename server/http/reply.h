/* reply.h - an answer that is being filled: a status, headers, and a body of parts that are sent without being copied
 * together.
 */
#ifndef SMD_REPLY_H
#define SMD_REPLY_H

#include "result.h"
#include "shared.h"

#define REPLY_PARTS   12
#define REPLY_HEADERS 16

struct request;

/* A body that is made while it is sent, of a length that nobody knows before. It lies in what the route has of it. */
struct reply_stream {
    /* On the connection's thread: writes at most MAX bytes and gives their number; STREAM_END; or STREAM_WAITS after
     * request_wait, and goes on after request_ready. */
    long (*read)(struct reply_stream *s, struct request *r, unsigned char *out, size_t max);
    void (*free)(struct reply_stream *s); /* in the end, when the request may be gone */
};
enum { STREAM_WAITS = 0, STREAM_END = -1 };

struct reply {
    int http;                 /* status */
    sm_status status;         /* for metrics and log */
    const char *content_type; /* static storage, or owned by text */
    const char *coding;       /* how the body is compressed, as Content-Encoding has it; NULL if it is not */
    int headers;
    sm_slice part[REPLY_PARTS]; /* borrowed from text or result */
    int parts;
    sm_buf text;           /* owned: what was rendered for this answer */
    struct result *result; /* owned reference: keeps the parts alive; may be NULL */
    unsigned signed_by;    /* the generation of the key that has signed this; 0: none */
    struct shared *shared; /* owned reference: the answer as it was sent before; then nothing else of this is read */
    struct reply_stream *stream; /* owned: the body in the place of parts; NULL */
    const char *cache;           /* where it was found, as X-Smd-Cache says; NULL if it is nothing that is kept */
    int is_shareable; /* boolean: it is the same for everybody, and the cache shares it as KIND of the key */
    unsigned kind;
    size_t rendered; /* bytes that the cache does not know of yet */
    struct {
        const char *name; /* static storage */
        char value[256];
    } header[REPLY_HEADERS]; /* last: nobody zeroes it */
};

void reply_header(struct reply *reply, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void reply_part(struct reply *reply, const void *data, size_t len);

/* The reply is TEXT (borrowed, static or as long-lived as the daemon). */
void reply_static(struct reply *reply, const char *content_type, const char *text, size_t len);

/* The reply is what stands in reply->text; 500 if memory ran out before that was whole. */
void reply_text(struct reply *reply, const char *content_type);

#endif
