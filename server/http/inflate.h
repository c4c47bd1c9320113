/* inflate.h - gzip, deflate and zstd bodies, inflated piece by piece. */
#ifndef SMD_INFLATE_H
#define SMD_INFLATE_H

#include "budget.h"
#include "buf.h"

struct inflater;

/* An inflater for a Content-Encoding of CLIENT's, whose bytes are MOST in the end; all memory that it ever takes, its
 * window too, is taken from the budget (may be NULL) before. *new*. NULL and SM_UNSUPPORTED_ENCODING for another
 * encoding, or SM_NOMEM, or what the budget says. */
struct inflater *inflater_new(const char *encoding, size_t most, struct budget *budget, uint64_t client,
                              sm_status *status);

/* SINK gets at most so many bytes at once. */
#define INFLATER_RUN ((size_t)32 << 10)

/* Inflates a piece until SINK has got MOST bytes, one run more at most: *LEN becomes how many of the piece's bytes were
 * taken. Gives SINK each run of bytes; a status other than SM_OK from it stops. SM_INVALID_ENCODING for damaged bytes;
 * what the budget says, if it refuses the window. */
sm_status inflater_add(struct inflater *i, const void *bytes, size_t *len, size_t most,
                       sm_status (*sink)(void *arg, const void *bytes, size_t len), void *arg);

/* 1 if the compressed stream has come to its end. */
int inflater_done(const struct inflater *i);
void inflater_free(struct inflater *i);

#endif
