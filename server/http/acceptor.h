/* acceptor.h - who lets connections in: a thread for a listening socket.
 *
 * libmicrohttpd could listen itself. But when it is told to stop (0.9.75) one of its threads may take the socket out of an
 * epoll set that it has left already, and ends the process over that. So it never gets to see the socket: it is given
 * connections, and there is one place that knows when no more come.
 */
#ifndef SMD_ACCEPTOR_H
#define SMD_ACCEPTOR_H

#include <sys/socket.h>

struct acceptor;

/* Takes a connection over, also if it cannot use it. */
typedef void acceptor_give(void *arg, int fd, const struct sockaddr *address, socklen_t len);

/* Gives what comes at FD (non-blocking, borrowed) to GIVE(ARG), MOST connections at a time: others wait in the kernel's
 * queue; from acceptor_start on. NULL if out of memory or descriptors. *new* */
struct acceptor *acceptor_new(int fd, unsigned most, acceptor_give *give, void *arg);
int acceptor_start(struct acceptor *a); /* 0 if no thread can be started */

/* One connection that was given has ended. Any thread, also in GIVE. */
void acceptor_ended(struct acceptor *a);

/* No more are given; before this returns those that had come already are, if ALL. Once, after acceptor_start. */
void acceptor_stop(struct acceptor *a, int all);
void acceptor_free(
    struct acceptor *a); /* after acceptor_stop, if it was started, when no connection is left; NULL is fine */

#endif
