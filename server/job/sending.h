/* sending.h - the bytes of answers that are on their way, which slow readers hold: they have a bound.
 *
 * What an answer was rendered into is its own. What many answers share (a result, a response that the cache gives again)
 * counts once, for as long as anybody reads it: the cache may have dropped it long ago. Any thread may call this.
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

/* An answer begins that has OWN bytes and reads SHARED bytes of LENT's, which may be NULL. 0, and nothing is counted, if that
 * would be more than MOST together; a single answer always may. */
int sending_begin(struct metrics *m, size_t most, size_t own, struct lent *lent, size_t shared);

/* It has been sent, or given up. */
void sending_end(struct metrics *m, size_t own, struct lent *lent);

#endif
