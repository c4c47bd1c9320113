/* body.h - a request's body: bounded, and inflated while it arrives.
 *
 * Nothing is sized by what the peer announces. All bodies of the daemon together are bounded too: what they hold is
 * counted in METRIC_BODY_BYTES. A body that has failed goes on swallowing bytes, so that the answer can be given on
 * the same connection.
 */
#ifndef SMD_BODY_H
#define SMD_BODY_H

#include "buf.h"
#include "metrics.h"
#include "settings.h"

struct inflater;

struct body {
    sm_buf bytes;              /* as inflated */
    uint64_t received;         /* bytes on the wire */
    struct inflater *inflater; /* NULL for identity */
    sm_status status;          /* the first failure */
    char detail[256];
    const struct settings *settings;
    struct metrics *metrics;
    size_t counted; /* bytes of it in the metric */
};

/* ENCODING is the Content-Encoding header, NULL for none. SM_UNSUPPORTED_ENCODING if it is not identity, gzip,
 * deflate or zstd. */
sm_status body_begin(struct body *b, const char *encoding, const struct settings *s, struct metrics *m);

/* More bytes of the wire; failures stick in b->status. */
void body_add(struct body *b, const void *bytes, size_t len);

/* No more come: a compressed body must be whole. Gives b->status. */
sm_status body_end(struct body *b);

/* The bytes, *taken*; they stay counted until body_free. */
unsigned char *body_take(struct body *b, size_t *len);

/* Counts BYTES more in METRIC_BODY_BYTES; who frees them subtracts them again. 0, and none are counted, if that is
 * more than all bodies together may hold. */
int body_charge(struct body *b, size_t bytes);

/* Bytes that could be charged if no other body were there. */
size_t body_most(const struct body *b);

void body_free(struct body *b);

#endif
