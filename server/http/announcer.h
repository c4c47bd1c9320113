/* announcer.h - connections of trusted proxies, until they have said by the PROXY protocol whom they speak for.
 *
 * A thread of its own waits for that, so that a proxy that says nothing holds up nobody. Without such proxies there is
 * no announcer.
 */
#ifndef SMD_ANNOUNCER_H
#define SMD_ANNOUNCER_H

#include "acceptor.h"

struct announcer;

/* GIVE(ARG) takes over the connections that have said it, with the client's address; ENDED(ARG) is called for each that
 * was closed instead: what it began with is not of the protocol, or was not there after TIMEOUT_MS. At most MOST wait
 * at a time. NULL if out of memory or descriptors, or no thread can be started. *new* */
struct announcer *announcer_new(unsigned most, int timeout_ms, acceptor_give *give, void (*ended)(void *arg),
                                void *arg);

/* Takes a connection over. */
void announcer_add(struct announcer *g, int fd, const struct sockaddr *address, socklen_t len);

/* Closes those that wait. NULL is fine. */
void announcer_free(struct announcer *g);

#endif
