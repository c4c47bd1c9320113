/* refusal.h - an error for a client whose connection has no request yet that libmicrohttpd could answer. */
#ifndef SMD_REFUSAL_H
#define SMD_REFUSAL_H

#include "status.h"

/* Sends a problem of this status, as far as the socket takes it at once. Nothing else must be sent after it. */
void refusal_send(int socket, sm_status s, const char *detail);

#endif
