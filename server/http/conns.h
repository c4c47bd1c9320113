/* conns.h - the clock of each connection, that no slow client can reset.
 *
 * libmicrohttpd's own time limit starts again with every byte, so that a client which sends a byte now and then never
 * reaches it. Here a phase has one limit, from its first moment to its last. libmicrohttpd also fails to see some
 * clients leave; conns_tick sees them.
 */
#ifndef SMD_CONNS_H
#define SMD_CONNS_H

#include "budget.h"
#include "error.h"
#include "hash.h"
#include "settings.h"
#include "status.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>

enum conn_phase {
    CONN_IDLE,   /* between requests, or in the middle of a request's header: idle_timeout_s */
    CONN_BODY,   /* a request's body is on its way: request_timeout_s, and idle_timeout_s without a byte of it */
    CONN_WAIT,   /* it waits for its job: the job's deadline */
    CONN_ANSWER, /* its answer is on its way: idle_timeout_s, and what its size takes at min_answer_kib_s */
    CONN_LATE    /* it has been given up */
};

/* Who is at the other end. */
struct peer {
    uint64_t number; /* made of the address */
    char name[INET6_ADDRSTRLEN];
    int is_local;                  /* boolean: a unix socket's, which has no address */
    int is_proxy;                  /* boolean: a trusted one's (proxies.h) */
    int has_user, has_certificate; /* booleans: of a unix socket, and by TLS */
    uid_t user;
    unsigned char certificate[32]; /* its SHA-256 */
};

struct conn;
struct gate;
struct session;
struct address;

/* What a connection takes at most, beside bodies and answers: libmicrohttpd's memory, all of which the first request
 * touches, and a head that is not whole. By TLS it takes more. Bytes. */
enum { CONN_BYTES = 60 << 10, CONN_TLS_BYTES = 50 << 10 };

struct conns {
    const struct settings *settings;
    struct budget *budget; /* borrowed; NULL: nothing is counted */
    long room;             /* how many descriptors allow */
    pthread_mutex_t lock;
    struct conn *first;
    uint64_t hastened_ns;  /* since when bodies are to come quickly; 0: they have their time */
    struct hash addresses; /* how many connections each has */
};

/* Descriptors allow ROOM connections; if `connections` is more, `client_connections` counts less in proportion. */
void conns_init(struct conns *l, const struct settings *s, struct budget *b, long room);

/* A connection that is not open yet, of an address that is bounded: 0 if the address has too many. */
int conns_enter(struct conns *l, const struct peer *peer);
void conns_leave(struct conns *l, const struct peer *peer);

/* A connection has been opened, in clear or by TLS: SESSION is *taken*. *new*; NULL, and the socket shut down, when
 * out of memory or when IS_BOUNDED and the address has too many, which its client gets as an answer. */
struct conn *conns_add(struct conns *l, int socket, struct session *session, const struct peer *peer, int is_bounded);
void conns_remove(struct conns *l, struct conn *c); /* frees it; NULL is fine */

/* Begins a phase; SIZE is the answer's, in bytes, for CONN_ANSWER. 0 if the connection has been given up. C may be
 * NULL. No lock. */
int conns_phase(const struct conns *l, struct conn *c, enum conn_phase phase, size_t size);

/* The answer that is on its way has so many bytes more. C may be NULL. */
void conns_answer_more(const struct conns *l, struct conn *c, size_t size);

const struct peer *conns_peer(const struct conn *c); /* borrowed; of nobody if C is NULL */

/* 1: the server works on a piece of the body, and it is not the client that is late. 0: no longer. C may be NULL. */
void conns_work(struct conn *c, int is_at_work);

/* Counts one more request of the connection and gives its number. From the connection's thread, as conns_refusal: why
 * the gate refused what the client sent in this request's place (gate.h); SM_OK if it did not. */
unsigned long conns_request(struct conn *c);
sm_status conns_refusal(const struct conn *c, unsigned long request, struct error *err);

/* Once the client has gone, each conns_tick calls GONE(ARG), until conns_unwatch returns. C may be NULL. */
void conns_watch(struct conns *l, struct conn *c, void (*gone)(void *arg), void *arg);
void conns_unwatch(struct conns *l, struct conn *c);

/* 1 if the client has closed its side and all it sent has been read. */
int conn_has_closed(const struct conn *c);

/* Shuts down the sockets whose phase has taken too long, or whose client has gone; their owner closes them. A client
 * that was sending a request gets an error first. */
void conns_tick(struct conns *l);

/* From now on a body that does not go on, or not to its end, is waited for some seconds. Its client gets SM_DRAINING. */
void conns_hasten(struct conns *l);

/* How many connections have sent what may be a request that has not begun: bytes that nobody has read, or a head that
 * has been read to its end. The beginning of a head, once it was read, does not count: its client may never go on. */
int conns_unread(struct conns *l);

/* Shuts down the sockets whose phase is PHASE or an earlier one. */
void conns_shut(struct conns *l, enum conn_phase phase);

/* When the last one has been removed. */
void conns_end(struct conns *l);

#endif
