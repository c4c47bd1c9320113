/* greeter.h - where a connection by TLS is until its handshake is done: a thread for a listener.
 *
 * A handshake costs much more than a request, and whoever begins one has shown nothing yet. So it never takes an HTTP
 * thread's time, and it has a time limit of its own. A client that speaks HTTP here gets an answer that says what is
 * wrong.
 */
#ifndef SMD_GREETER_H
#define SMD_GREETER_H

#include "session.h"

#include <sys/socket.h>

struct greeter;

/* What becomes of a connection. */
struct greeter_ends {
    /* It stands. The socket and the session are *taken*. */
    void (*give)(void *arg, int fd, const struct sockaddr *address, socklen_t len, struct session *s);
    /* It does not. The socket is closed already. */
    void (*lose)(void *arg, const struct sockaddr *address, socklen_t len);
    void *arg;
};

/* NULL if out of memory, descriptors or threads. *new* */
struct greeter *greeter_start(struct certificates *c, const struct settings *s, struct greeter_ends ends);

/* Takes a socket that has been accepted. Any thread. */
void greeter_add(struct greeter *g, int fd, const struct sockaddr *address, socklen_t len);

/* How many connections are in the middle of their handshake. Any thread. */
int greeter_busy(const struct greeter *g);

/* Loses all that it still has. NULL is fine. */
void greeter_stop(struct greeter *g);

#endif
