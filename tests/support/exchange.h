/* exchange.h - requests on a connection of one's own, byte by byte: what comes back is exactly one answer, or the
 * exchange says what is wrong with it. No assertion fails here: who asks may run in a thread. */
#ifndef TEST_EXCHANGE_H
#define TEST_EXCHANGE_H

#include "daemon.h"
#include "files.h"

struct exchanged {
    int http;    /* 0 if there was no answer */
    int is_last; /* boolean: the connection is closed behind it */
    struct bytes head, body;
    char type[64];     /* media type, without parameters */
    const char *fault; /* what breaks RFC 9112; NULL if nothing does. Static storage */
};

/* A request's bytes: line, Host, HEADERS ("Name: value\r\n" each; may be NULL), Content-Length where there is a body
 * (BODY.data is not NULL), and the body. *New*. */
struct bytes exchange_request(const char *line, const char *headers, struct bytes body);

/* Sends REQUEST on FD and reads one answer, which has no body if IS_HEAD. No byte may follow it. */
struct exchanged exchange(int fd, struct bytes request, int is_head);
void exchanged_free(struct exchanged r);

/* A header's value, *new*; NULL if it is not there. */
char *exchanged_header(const struct exchanged *r, const char *name);

#endif
