/* identify.h - who asks: client, request id, trace. */
#ifndef SMD_IDENTIFY_H
#define SMD_IDENTIFY_H

#include "http.h"

/* For fair shares and the log: by token, else by address. */
void identify_client(struct request *r);

/* Its id: the client's, or one made of this process and the request's number. Borrowed from the request. */
const char *identify_request(struct request *r);

/* The trace that the request is part of. */
void identify_trace(struct request *r);

#endif
