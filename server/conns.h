/* conns.h - the clock of each connection, that no slow client can reset.
 *
 * libmicrohttpd's own time limit begins anew with every byte; who sends a byte now and then would never meet it. Here
 * a phase has a limit from its first moment to its last. Nor does it always see that a client has gone.
 */
#ifndef SMD_CONNS_H
#define SMD_CONNS_H

#include "settings.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>

enum conn_phase {
    CONN_IDLE,  /* between requests, or in the middle of a request's header: idle_timeout_s */
    CONN_BODY,  /* a request's body is on its way: request_timeout_s */
    CONN_ANSWER /* it is answered, or waits for its job: libmicrohttpd's limit, and the job's deadline */
};

/* Who is at the other end. */
struct peer {
    uint64_t number; /* made of the address */
    char name[INET6_ADDRSTRLEN];
};

struct conn;

struct conns {
    pthread_mutex_t lock;
    struct conn *first;
};

void conns_init(struct conns *l);
struct conn *conns_add(struct conns *l, int socket, const struct peer *peer); /* NULL when memory is out. *new* */
void conns_remove(struct conns *l, struct conn *c);                           /* frees it; NULL is fine */
void conns_phase(struct conn *c, enum conn_phase phase); /* begins a phase; NULL is fine; no lock */
const struct peer *conns_peer(const struct conn *c);     /* borrowed; of nobody if C is NULL */

/* From now on GONE(ARG) is called, from conns_tick, for as long as the client is seen to have gone; until conns_unwatch
 * returns. C may be NULL. */
void conns_watch(struct conns *l, struct conn *c, void (*gone)(void *arg), void *arg);
void conns_unwatch(struct conns *l, struct conn *c);

/* Shuts down the sockets whose phase has taken too long, or whose client has gone; they are closed by whoever owns
 * them. */
void conns_tick(struct conns *l, const struct settings *s);

/* When the last one has been removed. */
void conns_end(struct conns *l);

#endif
