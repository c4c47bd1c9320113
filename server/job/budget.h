/* budget.h - the one account of the memory that clients take: who holds how many bytes of what.
 *
 * Every buffer that a client's bytes or their consequences live in is taken here before it is filled, and given back
 * when it is freed. What it is (enum held_kind) decides by which setting it is bounded; docs/security.md has the table.
 * All clients together have the bounds of the settings. Of these one part in BUDGET_SHARE is a reserve. A client may
 * hold at most BUDGET_SHARE times as much as is left beside the reserve; or, from the reserve too, one part in
 * BUDGET_SHARE of all that is left. So one client can take nearly all, and there is always some left for clients that
 * come later and want little. Connections are always taken: their number has its bound. Any thread may call this; a
 * call takes one lock for a few instructions.
 */
#ifndef SMD_BUDGET_H
#define SMD_BUDGET_H

#include "metrics.h"
#include "settings.h"

#include <stddef.h>

struct budget;

/* What is held: a row is X(NAME, POOL), and METRIC_HELD_NAME is its metric. */
#define HELD_MAP(X)                                                                                                  \
    X(BODY, QUEUE)             /* a request's body, until it is a job's input */                                     \
    X(INFLATER, QUEUE)         /* what inflates it, with its window */                                               \
    X(JSON, QUEUE)             /* the tree that was parsed of it, and what a batch has beside it */                  \
    X(INPUT, QUEUE)            /* a job's input, while a job, a crash file or the disk needs it */                   \
    X(PARTS, QUEUE)            /* of an earlier artifact, for a job that may take them over */                       \
    X(FILE, QUEUE)             /* of the cache on disk, beside the result: while it is read or packed */             \
    X(RESULT, QUEUE)           /* of a job, while somebody but the cache needs it */                                 \
    X(ANSWER, ANSWERS)         /* on its way: the text made for it, and the result that it sends */                  \
    X(CONNECTION, CONNECTIONS) /* what one takes at most beside all this, from its first moment to its last */

enum held_kind {
#define X(name, pool) HELD_##name,
    HELD_MAP(X)
#undef X
        HELD_KINDS
};

enum { BUDGET_SHARE = 16 };

/* Bytes of one kind that are held for a client. All zero: none. It lies in what holds them. */
struct charge {
    struct budget *budget; /* borrowed; NULL: nothing is counted, as in tests of what holds them */
    uint64_t client;
    enum held_kind what;
    size_t bytes;
};

/* The settings' bounds, which METRICS show; both are borrowed. NULL if out of memory. *new* */
struct budget *budget_new(const struct settings *s, struct metrics *m);

/* When everything has been given back, which is asserted and, in a release, logged. NULL is fine. */
void budget_free(struct budget *b);

/* Who makes room: called without a lock when a take of CLIENT's was refused; IS_SHARE: for its own share. 1 if it has
 * given something back, so that the take is tried again. */
typedef int budget_reclaim(void *arg, uint64_t client, int is_share);
void budget_on_refusal(struct budget *b, budget_reclaim *reclaim, void *arg);

/* Takes BYTES for C, which is empty or of the same client and kind. SM_OVERLOADED: all together hold as much as they
 * may; SM_TOO_MANY_REQUESTS: the client does; SM_TOO_LARGE: more than there ever is for one client. A result or an
 * answer that is larger than the bound may be taken if it is the only one. */
sm_status budget_take(struct budget *b, struct charge *c, enum held_kind what, uint64_t client, size_t bytes);

/* Gives back all but LEFT of the charge's bytes. */
void budget_give(struct charge *c, size_t left);

/* TO, which is empty, takes over what FROM holds, now as WHAT of the same setting. */
void budget_move(struct charge *to, struct charge *from, enum held_kind what);

/* The most that one client can ever hold of what is bounded with WHAT. Bytes. */
size_t budget_most(const struct budget *b, enum held_kind what);

/* Why a take was refused, for a person. Static storage. */
const char *budget_refusal(sm_status s);

/* What many hold at once is counted once, until the last gives it back. All zero at first. */
struct lent {
    int readers;
    struct charge charge;
};

/* One more reader of LENT, whose BYTES are counted unless they are already. */
sm_status budget_lend(struct budget *b, struct lent *lent, enum held_kind what, uint64_t client, size_t bytes);

/* What is lent, and has readers, grows to BYTES, if there is room; none is made for it. */
sm_status budget_lend_more(struct budget *b, struct lent *lent, size_t bytes);

void budget_lend_again(struct lent *lent); /* one more reader of what has some */
void budget_return(struct lent *lent);     /* one less */

/* An answer that is to be sent, of OWN_BYTES for itself and of SHARED bytes of LENT (may be NULL): both, or none. */
sm_status budget_send(struct budget *b, uint64_t client, struct charge *own, size_t own_bytes, struct lent *lent,
                      size_t shared);

#endif
