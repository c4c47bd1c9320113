/* sending.h - bounds the bytes of answers that are on their way, since slow readers hold them in memory.
 *
 * The text that was rendered for one answer counts for that answer. Bytes that many answers share (a result, a
 * response that the cache gives again) count once, until the last client has read them: the cache may have dropped
 * them by then. Any thread may call this.
 */
#ifndef SMD_SENDING_H
#define SMD_SENDING_H

#include "metrics.h"

#include <stddef.h>

/* What many may read at once lies in this; all zero at first. */
struct lent {
    int readers;
    size_t bytes; /* counted for all of them */
};

/* Counts an answer that is to be sent, of OWN bytes of its own and SHARED bytes of LENT (may be NULL). 0, and nothing
 * is counted, if all answers together would be more than MOST; a single answer always may be. */
int sending_begin(struct metrics *m, size_t most, size_t own, struct lent *lent, size_t shared);

/* It has been sent, or given up. */
void sending_end(struct metrics *m, size_t own, struct lent *lent);

#endif
