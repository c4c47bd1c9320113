/* http.h - requests of a test to its daemon. */
#ifndef TEST_HTTP_H
#define TEST_HTTP_H

#include "daemon.h"
#include "files.h"

#include <jansson.h>

struct answer {
    int http; /* 0 if there was no answer */
    struct bytes body;
    struct bytes header; /* as text */
    char type[128];      /* media type */
    json_t *json;        /* if the body is JSON; owned */
};

struct ask {
    const char *method; /* NULL: POST if there is a body, GET otherwise */
    const char *path;   /* with the query */
    const void *body;
    size_t len;
    const char *headers[8];
    const char *from; /* the address it comes from, as another client's; NULL: 127.0.0.1 */
    int chunked;      /* boolean */
    int expect;       /* boolean: Expect: 100-continue */
    long timeout_ms;  /* 0: ten minutes, as a machine may be busy */
};

struct answer ask(const struct daemon *d, struct ask a);
struct answer get(const struct daemon *d, const char *path);
struct answer post(const struct daemon *d, const char *path, const char *text); /* TEXT as text/plain */
void answer_free(struct answer a);

/* A header's value, *new*; NULL if it is not there. */
char *answer_header(const struct answer *a, const char *name);

/* A string member of the JSON body ("" if it is not there), and of its first diagnostic. */
const char *member(const struct answer *a, const char *name);
const char *diagnostic(const struct answer *a, const char *name);
int diagnostic_number(const struct answer *a, const char *name);

/* A sample of /metrics by its name and labels; -1 if it is not there. */
long metric(const struct daemon *d, const char *name);

/* Waits until the sample is LEAST or more. */
void await_count(const struct daemon *d, const char *name, long least);

/* Fails the test unless the answer is a problem of this status and code. */
void assert_problem(const struct answer *a, int http, const char *code);

#endif
