/* acceptor.h - accepts connections: a thread for a listening socket.
 *
 * libmicrohttpd could listen itself. But when it stops (0.9.75), one of its threads may remove the socket from an
 * epoll set that it is no longer in, and libmicrohttpd ends the process over that. So it never sees the listening
 * socket: it is given accepted connections, and there is one place that knows when no more come.
 */
#ifndef SMD_ACCEPTOR_H
#define SMD_ACCEPTOR_H

#include <sys/socket.h>

struct acceptor;

/* Takes a connection over; one that it cannot use, it closes. */
typedef void acceptor_give(void *arg, int fd, const struct sockaddr *address, socklen_t len);

/* From acceptor_start on, gives the connections that come at FD (non-blocking, borrowed) to GIVE(ARG). At most MOST
 * are open at a time, the others wait in the kernel's queue. NULL if out of memory or descriptors. *new* */
struct acceptor *acceptor_new(int fd, unsigned most, acceptor_give *give, void *arg);
int acceptor_start(struct acceptor *a); /* 0 if no thread can be started */

/* One connection that was given has ended. Any thread, also in GIVE. */
void acceptor_ended(struct acceptor *a);

/* Stops accepting. If ALL, connections that wait in the kernel's queue are still given before this returns. Once, after
 * acceptor_start. */
void acceptor_stop(struct acceptor *a, int all);
void acceptor_free(
    struct acceptor *a); /* after acceptor_stop, if it was started, when no connection is left; NULL is fine */

#endif
