/* chaos_requests.h - what the clients of the chaos test ask, by every route, and what may be answered.
 *
 * A good module is compiled, always to the same bytes, or the client is told to come again (503, 429). It is never
 * said to crash the compiler. A bad one gets its error, or the client is told to come again. Each answer is one answer,
 * byte by byte; a connection is closed without one only where the client has left.
 */
#ifndef TEST_CHAOS_REQUESTS_H
#define TEST_CHAOS_REQUESTS_H

#include "daemon.h"

#include <stdatomic.h>

/* What all clients have seen together. */
struct tally {
    atomic_int answers[600]; /* by HTTP status */
    atomic_int seen;         /* all of them */
    atomic_int left;         /* requests whose client went away */
    atomic_int faults;
    char first_fault[800];
};

extern struct tally tally;

struct client {
    const struct daemon *d;
    unsigned seed; /* of rand_r */
    int fd, uses;  /* its connection, -1 for none; the answers that came by it */
};

/* Asks for each thing once while nothing is disturbed, and keeps what was answered. Faults are in the tally. */
void requests_prepare(const struct daemon *d);

/* One visit of a client, which its seed chooses. */
void requests_visit(struct client *c);
void requests_leave_off(struct client *c); /* closes its connection */

/* Asks for each thing again, past the cache: each is answered as at the beginning. */
void requests_check(const struct daemon *d);
void requests_free(void);

#endif
