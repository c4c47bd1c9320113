/* gate.h - what a client sends passes here before libmicrohttpd reads it.
 *
 * libmicrohttpd (0.9.75) takes for a request what others do not (a bare LF, two lengths, ...), and answers in HTML or not at
 * all what it does not take. So nothing but whole and plain requests reach it (framing.c). It reads with recv(2), for
 * which gate.c has a definition that stands before the C library's for the whole program.
 */
#ifndef SMD_GATE_H
#define SMD_GATE_H

#include "status.h"

#include <stdint.h>

struct gate;

/* From now on what is read from the socket passes the gate; *new*. NULL when out of memory. */
struct gate *gate_open(int socket);

/* Before the socket is closed; NULL is fine. */
void gate_close(struct gate *g);

/* Why the SERIALth request, counted from 1, is not what its client has sent but an answer's occasion; SM_OK if it is. From
 * the thread that reads the socket. */
sm_status gate_refusal(const struct gate *g, unsigned long serial, const char **detail);

/* When the last bytes came. CLOCK_MONOTONIC. Any thread may ask. */
uint64_t gate_moved_ns(const struct gate *g);

/* 1 if a request has begun to come whose header is not there yet. Any thread may ask. */
int gate_has_begun(const struct gate *g);

#endif
