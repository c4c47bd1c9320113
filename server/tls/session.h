/* session.h - TLS on one socket: 1.2 or 1.3, for HTTP/1.1, with forward secrecy and authenticated ciphers alone.
 *
 * The socket does not block, and neither do these functions. One thread uses a session at a time, but for
 * session_send, which any may call.
 */
#ifndef SMD_SESSION_H
#define SMD_SESSION_H

#include "certificates.h"

#include <sys/types.h>

struct session;

enum session_step {
    SESSION_STANDS,      /* the handshake is done: the client has shown what it has to */
    SESSION_WANTS_READ,  /* the handshake goes on when bytes come, */
    SESSION_WANTS_WRITE, /* or can be sent */
    SESSION_FAILED       /* the client was told why */
};

/* A session for a client that has connected to SOCKET, which is borrowed. NULL if out of memory. *new* */
struct session *session_open(struct certificates *c, int socket);
void session_close(struct session *s); /* NULL is fine; sends nothing */

/* Goes on with the handshake. The error says why it failed. */
enum session_step session_shake(struct session *s, struct error *err);

/* The SHA-256 of the certificate that the client has shown; NULL if it was asked for none. Borrowed. */
const unsigned char *session_certificate(const struct session *s);

/* As recv(2) and send(2) on a socket that does not block. After a send that gave EAGAIN, the next one has to begin with
 * the same bytes. */
ssize_t session_receive(struct session *s, void *to, size_t size);
ssize_t session_send(struct session *s, const void *from, size_t len);

/* Tells the client that nothing more comes. */
void session_end(struct session *s);

/* 1 if the client has closed its side and all but its goodbye has been received. */
int session_has_closed(const struct session *s);

#endif
