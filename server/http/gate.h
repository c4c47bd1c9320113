/* gate.h - what a client sends passes here before libmicrohttpd reads it.
 *
 * libmicrohttpd (0.9.75) accepts requests that other programs reject (a bare LF, two lengths, ...), and answers those
 * that it rejects in HTML or not at all. So only whole and plain requests reach it (framing.c). It reads with
 * recv(2), which gate.c defines: in this program that definition takes the place of the C library's. So do those of
 * send(2), sendmsg(2) and shutdown(2), which libmicrohttpd answers with, for connections by TLS: it reads and writes
 * as if they were in clear. Of a large answer they send a piece at a time, as the thread has other connections;
 * for that gate.c defines epoll_ctl(2), too.
 */
#ifndef SMD_GATE_H
#define SMD_GATE_H

#include "error.h"
#include "status.h"

#include <stdint.h>

struct gate;
struct session;

/* From now on what is read from the socket passes the gate; *new*. By TLS if SESSION, which is *taken*, is not NULL:
 * then what is sent on the socket goes by it as well. NULL when out of memory. */
struct gate *gate_open(int socket, struct session *session);

/* Before the socket is closed; NULL is fine. */
void gate_close(struct gate *g);

/* Why the gate refused what the client sent as its request number SERIAL, counted from 1: libmicrohttpd got a
 * stand-in for it, so that the refusal can be answered. SM_OK if it was not refused. From the thread that reads the
 * socket. */
sm_status gate_refusal(const struct gate *g, unsigned long serial, struct error *err);

/* 1 if the client has closed its side and all it sent has been read. */
int gate_has_closed(const struct gate *g);

/* When the last bytes came. CLOCK_MONOTONIC. Any thread may ask. */
uint64_t gate_moved_ns(const struct gate *g);

/* 1 if a request has begun to come whose header is not there yet. Any thread may ask. */
int gate_has_begun(const struct gate *g);

/* How many requests have been let pass, those that were refused included; and whether the socket is being read just
 * now, so that this number may grow. Any thread may ask. */
unsigned long gate_passed(const struct gate *g);
int gate_is_reading(const struct gate *g);

#endif
