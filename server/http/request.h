/* request.h - a request, free of libmicrohttpd, the routes that answer it, and what stands behind them.
 *
 * A request is given to its route's begin() when the headers are there and to finish() when the whole body is; finish()
 * either fills the reply or arranges that request_ready() is called later, from any thread. While it waits the
 * connection is suspended and costs no thread.
 */
#ifndef SMD_REQUEST_H
#define SMD_REQUEST_H

#include "access.h"
#include "body.h"
#include "job.h"
#include "origin.h"
#include "reply.h"
#include "settings.h"
#include "tasks.h"
#include "traces.h"

#include <netinet/in.h>
#include <sys/types.h>

struct conn;
struct conns;
struct request;
struct smd; /* what the routes reach; nothing in this room looks into it */

struct route {
    const char *method, *path; /* a path that ends in "/" matches everything below it */
    unsigned scopes;           /* bits: enum sm_scope, of which a holder needs one; 0: nobody is asked who they are */
    int has_body;              /* boolean */
    int is_operators;          /* boolean: it shows more than its client's own doings */
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

/* What main hands in: what the server needs of the rest of the daemon. */
struct service {
    struct smd *smd;
    pid_t pid;
    const struct settings *settings;
    struct access *access; /* who may ask for what; NULL: everybody for everything */
    struct metrics *metrics;
    struct budget *budget;
    struct tasks *parser;  /* inflates bodies that are long */
    struct traces *traces; /* NULL: nobody is told */
    const struct route *routes;
    size_t route_count;
    /* After how many seconds a client that is refused now may try again: for Retry-After. */
    int (*retry_after)(struct smd *smd);
    /* How many workers are busy, and how many jobs wait for one: for headers. */
    void (*load)(struct smd *smd, int *busy, size_t *queued);
    /* The cache's entry of KEY takes BYTES more. S (may be NULL) is an answer that is the same for every client: the
     * cache keeps it too, unless it has one of that kind, and it takes OWN bytes. */
    void (*share)(struct smd *smd, const struct sm_key *key, size_t bytes, unsigned kind, struct shared *s,
                  size_t own);
};

struct request {
    const struct service *service;
    struct smd *smd;           /* the service's */
    const struct route *route; /* NULL while the path is none of ours */
    int is_operators;          /* boolean: it came where operators' routes are */
    const char *method, *path; /* borrowed from the connection */
    void *connection;          /* libmicrohttpd's; for this room alone */
    struct conns *conns;
    struct conn *conn;
    int socket;
    struct holder *holder;   /* owned reference: who sent it, by what they have shown; NULL: nobody was asked */
    int is_job;              /* boolean: it counts as one of the holder's compiles */
    int retry_after_s;       /* if it is refused; 0: the service says it */
    uint64_t client;         /* who sent it, for fair shares */
    const char *client_name; /* its address, for the log; borrowed from the connection, or in the next field */
    char forwarded[INET6_ADDRSTRLEN]; /* as a trusted proxy says it */
    unsigned long long number;        /* of this process's requests */
    char id[64];                      /* identify_request's; "" until somebody asks */
    uint64_t began_ns, received_ns;   /* the headers were there; the body was */
    struct trace_place place;         /* request_place's */
    int is_placed, is_traced;         /* booleans: the place is known; it will be told */
    struct body body;
    sm_status error;            /* known before the body was read: finish() is not called */
    struct waiter waiter;       /* for routes that wait for one job */
    struct job *job;            /* owned until it is submitted */
    struct sm_key key;          /* of what is asked for, once it is known, where it is kept (job.h); */
    char key_text[SM_KEY_TEXT]; /* and as clients know it; "" before */
    void *state;                /* the route's own; freed by its drop() */
    atomic_int suspended;
    struct task task; /* what another thread does for the body, then for the reply, which is the route's own */
    void (*write)(struct request *r); /* the route's own: how the reply is filled, if that takes long */
    size_t size;                      /* of the answer, in bytes */
    int is_counted;                   /* boolean: the answer is counted in the budget, by the two that follow */
    struct charge own;                /* the text that was rendered for this answer alone */
    struct lent *lent;                /* what it sends of others; NULL for nothing */
    struct result *sent;  /* kept (result_keep): what `lent` lies in, unless that is the reply's shared answer */
    unsigned long serial; /* on its connection, from 1 on */
    int is_last;          /* boolean: the connection closes after it */
    int is_watched;       /* boolean: by request_watch */
    struct reply reply;
};

/* The holder's part of the cache, for jobs; zeros for the one that all share. Borrowed. */
const struct sm_key *request_space(const struct request *r);

/* What workers spend on JOB counts for the holder, unless it is NULL. */
void request_pay(struct holder *h, struct job *job);

/* Finds the request's place in a trace, once; for what is told of its parts. From the thread that has the request. */
void request_place(struct request *r);

/* Tells of a job that the request began at BEGAN_NS, as a part of it. W has waited for it; it has ended with RESULT, or, if
 * that is NULL, was cancelled. */
void request_tell_part(struct traces *t, const struct trace_place *of, const char *part, uint64_t began_ns,
                       const struct waiter *w, const struct result *result, const char *key);

/* The reply is due: wakes the suspended connection. From any thread, once. */
void request_ready(struct request *r);

/* While the request waits, GONE(ARG) is called once a second for as long as its client is seen to have closed; no more
 * once the reply is due. From finish() alone, before request_wait. */
void request_watch(struct request *r, void (*gone)(void *arg), void *arg);

/* 1 if the client of a request that waits is seen to have closed. */
int request_is_gone(const struct request *r);

/* Suspends the connection: what comes after may call request_ready(). From finish() alone. */
void request_wait(struct request *r);

/* A header's value, borrowed for the request's life; NULL if it is not there. Names ignore case. */
const char *request_header(struct request *r, const char *name);

/* Calls EACH for every query parameter until it gives nonzero; gives that. VALUE may be NULL ("?x"), and is EACH's
 * only while it runs. A query that does not decode is refused: the reply is filled. */
int request_query(struct request *r, int (*each)(void *arg, const char *name, const char *value, size_t value_len),
                  void *arg);

/* The reply is a problem (problem.h): its status, Retry-After and the like are set, too. */
void problem_reply(struct request *r, sm_status status, const char *detail, sm_slice diagnostics, const char *option);

/* The same for the failure that a job ended in; its diagnostics are sent as they are, and not copied. */
void problem_of_result(struct request *r, const struct result *result);

/* The same for what the budget has refused. Gives S. */
sm_status problem_of_room(struct request *r, sm_status s);

/* Counts the answer before it is made: OWN bytes of text for itself, and SHARED bytes that are sent of RESULT (may be
 * NULL). For texts that may be large; what nobody has counted is counted when it is sent. At most once, but OWN bytes
 * may be added. What the budget says, if it refuses. */
sm_status request_count_answer(struct request *r, size_t own, struct result *result, size_t shared);

/* ---- handle.c: for the server alone
 * ---------------------------------------------------------------------------------------- */

/* Bytes: the headers, and twice the piece in which a body arrives: the largest head that passes the gate and its
 * fields fit, with the answer's. libmicrohttpd clears half as much again for every request. */
#define CONNECTION_MEMORY 32768

/* A request of the connection (libmicrohttpd's) whose headers are there; if something is wrong with it, `error` says
 * what and the reply is filled. NULL if out of memory or the connection has been given up. *new* */
struct request *request_new(const struct service *service, struct conns *conns, struct conn *conn, void *connection,
                            int socket, const char *method, const char *path, int is_operators, enum origin_rule rule,
                            unsigned long long number);
void request_free(struct request *r);

/* A piece of the body. Gives how many of its bytes were taken: none while the connection is suspended, as it is until
 * the parser has inflated the piece before. */
size_t request_add(struct request *r, const void *bytes, size_t len);

/* The body is there, or what was waited for. 1: all is well; 0: the connection is to be closed. */
int request_go_on(struct request *r);
int request_send(struct request *r); /* likewise: the reply goes out as it is */

#endif
