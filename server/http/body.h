/* body.h - a request's body: bounded, and inflated while it arrives.
 *
 * No memory is sized by what the peer announces. What is held of it is taken from the budget (budget.h), from the first
 * byte on. A body that has failed holds nothing; it goes on swallowing bytes, so that the answer can be given on the
 * same connection.
 */
#ifndef SMD_BODY_H
#define SMD_BODY_H

#include "budget.h"
#include "buf.h"

struct inflater;

struct body {
    sm_buf bytes;              /* as inflated */
    uint64_t received;         /* bytes on the wire */
    size_t announced;          /* how many of them there will be, if none is compressed; 0: unknown */
    struct inflater *inflater; /* NULL for identity, and when nothing is left to be inflated */
    sm_status status;          /* the first failure */
    char detail[256];
    const struct settings *settings;
    struct metrics *metrics;
    struct budget *budget;
    uint64_t client;
    unsigned char *rest; /* owned: of a compressed piece, what is still to be inflated; NULL for nothing */
    size_t rest_len;
    struct charge charge; /* what the bytes and the rest take */
};

/* A body of CLIENT's. ENCODING is the Content-Encoding header and LENGTH the Content-Length, NULL for none.
 * SM_UNSUPPORTED_ENCODING if it is not identity, gzip, deflate or zstd. Settings, metrics and budget are borrowed. */
sm_status body_begin(struct body *b, const char *encoding, const char *length, const struct settings *s,
                     struct metrics *m, struct budget *budget, uint64_t client);

/* More bytes of the wire; failures stick in b->status. 0: the bytes take long to inflate, and are kept. Then another
 * thread is to call body_go_on, before anything else is done with the body. */
int body_add(struct body *b, const void *bytes, size_t len);
void body_go_on(struct body *b);

/* No more come: a compressed body must be whole. Gives b->status. */
sm_status body_end(struct body *b);

/* The bytes, *taken*, and *CHARGE with them. */
unsigned char *body_take(struct body *b, size_t *len, struct charge *charge);

/* Frees what the body holds; only the number of its bytes is left. It may be called again. */
void body_free(struct body *b);

#endif
