/* http.h - requests and replies, free of libmicrohttpd, and the server that carries them.
 *
 * http.c makes a struct request of each HTTP request, gives it to its route's begin() when the headers are there and to
 * finish() when the whole body is; finish() either fills the reply or arranges that request_ready() is called later, from
 * any thread. While it waits the connection is suspended and costs no thread. Nobody but http.c, identify.c and respond.c
 * uses libmicrohttpd.
 */
#ifndef SMD_HTTP_H
#define SMD_HTTP_H

#include "body.h"
#include "job.h"
#include "smd.h"

#define REPLY_PARTS   12
#define REPLY_HEADERS 16

/* An answer. Its body is a list of parts that are sent without being copied together. */
struct reply {
    int http;                 /* status */
    sm_status status;         /* for metrics and log */
    const char *content_type; /* static storage, or owned by text */
    int headers;
    sm_slice part[REPLY_PARTS]; /* borrowed from text or result */
    int parts;
    sm_buf text;           /* owned: what was rendered for this answer */
    struct result *result; /* owned reference: keeps the parts alive; may be NULL */
    struct shared *shared; /* owned reference: the answer as it was sent before; then nothing else of this is read */
    const char *cache;     /* where it was found, as X-Smd-Cache says; NULL if it is nothing that is kept */
    int is_shareable;      /* boolean: it is the same for everybody, and the cache shares it as KIND of the key */
    unsigned kind;
    struct {
        const char *name; /* static storage */
        char value[256];
    } header[REPLY_HEADERS]; /* last: nobody zeroes it */
};

struct http;

struct request {
    struct smd *smd;
    struct http *http;
    const struct route *route; /* NULL while the path is none of ours */
    int is_operators;          /* boolean: it came where operators' routes are */
    const char *method, *path; /* borrowed from the connection */
    void *connection;          /* libmicrohttpd's; for http.c and request_header */
    int socket;
    uint64_t client;           /* who sent it, for fair shares */
    const char *client_name;   /* its address, for the log; borrowed from the connection */
    unsigned long long number; /* of this process's requests */
    char id[64];               /* identify_request's; "" until somebody asks */
    char trace[33];            /* trace-id of traceparent, when it is logged; "" for none */
    uint64_t began_ns;
    struct body body;
    sm_status error;      /* known before the body was read: finish() is not called */
    struct waiter waiter; /* for routes that wait for one job */
    struct job *job;      /* owned until it is submitted */
    char key[JOB_KEY_TEXT];
    void *state; /* the route's own; freed by its drop() */
    atomic_int suspended;
    size_t size;    /* of the answer, in bytes */
    int is_counted; /* boolean: sending_begin has counted the answer, as these two */
    size_t own;
    struct lent *lent;
    unsigned long serial; /* on its connection, from 1 on */
    int is_last;          /* boolean: the connection closes after it */
    int hung_up;          /* boolean */
    int is_watched;       /* boolean: by request_watch */
    struct reply reply;
};

struct route {
    const char *method, *path; /* a path that ends in "/" matches everything below it */
    int has_body;              /* boolean */
    int is_operators;          /* boolean: it tells of more than its client's own doings */
    /* The headers are there. A status other than SM_OK is the answer, with what begin() has put into the reply. May
     * be NULL. */
    sm_status (*begin)(struct request *r);
    /* The whole body is there. 1: the reply is filled. 0: request_ready() will be called. */
    int (*finish)(struct request *r);
    /* The request ends, answered or not. May be NULL. */
    void (*drop)(struct request *r);
    /* Renders the reply of a request that has waited. */
    void (*answer)(struct request *r);
};

/* The reply is due: wakes the suspended connection. From any thread, once. */
void request_ready(struct request *r);

/* While the request waits, GONE(ARG) is called once a second for as long as its client is seen to have closed; no more
 * once the reply is due. From finish() alone, before request_wait. */
void request_watch(struct request *r, void (*gone)(void *arg), void *arg);

/* Suspends the connection: what comes after may call request_ready(). From finish() alone. */
void request_wait(struct request *r);

/* A header's value, borrowed for the request's life; NULL if it is not there. Names ignore case. */
const char *request_header(struct request *r, const char *name);

/* Calls EACH for every query parameter until it gives nonzero; gives that. VALUE may be NULL ("?x"), and is EACH's only while
 * it runs. A query that does not decode is refused: the reply is filled. */
int request_query(struct request *r, int (*each)(void *arg, const char *name, const char *value, size_t value_len),
                  void *arg);

void reply_header(struct reply *reply, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void reply_part(struct reply *reply, const void *data, size_t len);

/* The reply is TEXT (borrowed, static or as long-lived as the daemon). */
void reply_static(struct reply *reply, const char *content_type, const char *text, size_t len);

/* The reply is what stands in reply->text. */
void reply_text(struct reply *reply, const char *content_type);

/* Listens and serves. NULL and WHY (one line) on failure. *new* */
struct http *http_start(struct smd *smd, char *why, size_t why_size);
int http_port(const struct http *h);       /* 0 for a unix socket */
int http_admin_port(const struct http *h); /* likewise of operators' listener; 0 if there is none */

/* No new connections but to operators' listener; waits at most TIMEOUT_S for the requests in progress; 0 when all were
 * answered. */
int http_drain(struct http *h, int timeout_s);

/* Nobody is waited for any more: requests that have not come whole are given up at once, answers that are due now a
 * moment later. */
void http_cut(struct http *h);
void http_stop(struct http *h);

/* Closes connections whose clients have taken too long; main calls it about once a second. */
void http_tick(struct http *h);

#endif
