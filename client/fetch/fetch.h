/* fetch.h - the map of fetching: how a call becomes HTTP requests, and their answers become its result.
 *
 *   client.c     the client: its thread, its calls, what completed
 *   blocking.c   the calls that wait: a submit and its end
 *   settings.c   a client's options, with their defaults
 *   request.c    a request -> path and options
 *   call.c       one call's course: which server, key first or not, again or not
 *   tiers.c      a call of several levels
 *   times.c      when something is to be done for which call
 *   heap.c       what comes first
 *   server.c     what is known of a server: its key context, its circuit breaker
 *   transfer.c   one HTTP request and its answer, by libcurl, which nothing else uses
 *   bundle.c     artifacts that it has before they are asked for
 *   outcome.c    an HTTP answer -> sm_result and sm_error
 *   answer.c     an artifact -> sm_answer
 *
 * The client's thread owns servers, transfers and the courses of calls. Other threads reach it through the client's
 * lock: they leave calls in its inbox, and take completions.
 */
#ifndef FETCH_H
#define FETCH_H

#include "clock.h"
#include "server.h"
#include "signature.h"
#include "transfer.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TRUSTED_MAX = 16 };

#define COMPILE_PATH "/v1/compile"

/* The call that a heap's node is in. */
#define CALL_OF(node, field) ((sm_call *)((char *)(node) - offsetof(sm_call, field)))

/* ---- outcome.c ---------------------------------------------------------------------------------------------- */

/* Reads JSON, *new*; a zero byte in a text is part of it. NULL if it is none, or there is no memory (*NO_MEMORY is 1 then). */
json_t *json_of(const void *data, size_t len, int *no_memory);

/* What a transfer means. ANSWER (may be NULL) is filled with a *new* one if there is something to hold. */
sm_result outcome_of(struct transfer *x, const char *server, sm_answer **answer, sm_error *err);

/* ---- answer.c ----------------------------------------------------------------------------------------------- */

/* BODY is *taken*. Checks version and digest: SM_ERR_DAMAGED, SM_ERR_INCOMPATIBLE, SM_ERR_NO_MEMORY. An artifact of a
 * failed compile gives SM_SUCCESS, and its status in *STATUS. */
sm_result answer_of_artifact(unsigned char *body, size_t len, const struct transfer *x, sm_answer **answer,
                             sm_status *status, sm_error *err);

/* 1 if one of the keys has signed the answer, under KEY (text). */
int answer_is_signed(const sm_answer *a, sm_signing_key *const *keys, size_t count, const char *key);

/* Another answer of the same call follows. */
void answer_set_more(sm_answer *a);

/* An answer that holds the diagnostics of a problem (borrowed; may be NULL); NULL if it has none, or no memory. */
sm_answer *answer_of_problem(json_t *problem, const char *key);

/* ---- request.c ---------------------------------------------------------------------------------------------- */

/* Copies what the caller filled; SM_ERR_INVALID_ARGUMENT if that cannot be a request. */
sm_result request_check(const sm_request *given, sm_request *r, sm_error *err);

/* *PATH is a *new* text; *KEYED *new* too, or NULL if the request has options that this library does not know, and
 * so no key that it could compute. *TIERS: bits of the levels that were asked for, which the path does not name. */
sm_result request_read(const sm_request *r, char **path, sm_options **keyed, unsigned *tiers, sm_error *err);

/* ---- call.c ------------------------------------------------------------------------------------------------- */

enum step { STEP_CONTEXT, STEP_LOOKUP, STEP_COMPILE, STEP_JOB, STEP_GET };

struct sm_call {
    sm_client *client;
    atomic_int references; /* the user's and the client's */
    atomic_int cancelled;  /* boolean */
    sm_done *done;         /* NULL: the completion is for sm_client_next */
    void *user;
    int has_ended;  /* boolean; under the client's lock */
    int is_running; /* boolean; the client's thread's own */
    /* What is asked; fixed. */
    const void *module; /* NULL: STEP_GET */
    void *owned;        /* the module, if the call has its own copy */
    size_t module_len;
    int is_post;         /* boolean: STEP_GET sends an empty body */
    int is_form;         /* boolean: it is a form of JSON, with the module in it */
    char *path;          /* of STEP_COMPILE with the query, or of STEP_GET */
    char *traceparent;   /* NULL: none */
    char *base;          /* of a call of several levels: its path without them; NULL */
    sm_options *options; /* NULL: they cannot be looked up by key */
    sm_policy policy;
    atomic_int priority; /* may rise */
    uint64_t begun_us, deadline_us;
    /* Its course; the client's thread's own. */
    enum step step;
    size_t server; /* that it is at */
    unsigned pauses;
    uint64_t wake_us;       /* when a pause ends; 0 if there is none */
    int has_digest, missed; /* booleans; missed: no server has the key */
    int is_renewed;         /* boolean: the server's key context was asked for again */
    unsigned char digest[32];
    char key[SM_KEY_TEXT];
    unsigned tiers;   /* bits: levels that are still to come, the one that is asked for among them; 0: one level */
    char places[160]; /* where they will be, as the server wrote it */
    char job[64];     /* of STEP_JOB: its path; "" if the level has none */
    void *packed;     /* the module, compressed; owned */
    size_t packed_len;
    struct transfer *transfer; /* that is under way; NULL if none is */
    sm_error error;            /* of the last failure */
    sm_completion completion;  /* once it has ended */
    char *text;                /* of STEP_GET; owned */
    size_t text_len;
    sm_call *prev, *next;
    struct heap_node wait; /* among those that wait for a connection */
    struct heap_node time; /* times.c: when to look at it */
    sm_call *noted_next;
    int is_noted; /* boolean; under the client's lock */
};

/* Makes the next request, or begins a pause, or ends the call. */
void call_go(sm_call *c);

static inline int32_t call_priority(const sm_call *c) {
    return atomic_load_explicit(&c->priority, memory_order_relaxed);
}

/* The request is answered. */
void call_answered(sm_call *c, struct transfer *x);

/* The call's pause has ended, its deadline has passed, or it was cancelled: finds out which, and acts. */
void call_tick(sm_call *c, uint64_t now);

/* ---- tiers.c ------------------------------------------------------------------------------------------------ */

/* The call is for the first of its levels; nothing for a call of one. SM_ERR_NO_MEMORY. */
sm_result tiers_begin(sm_call *c, sm_error *err);

/* Keeps what an answer says of the levels to come. */
void tiers_note(sm_call *c, const struct transfer *x);

/* The call is for its next level; 0 if this was the last. */
int tiers_next(sm_call *c);

/* ---- times.c ------------------------------------------------------------------------------------------------ */

/* Puts the call at the time of its pause or its deadline, whichever comes first; also if it is there already. */
void times_put(sm_client *c, sm_call *call);
void times_remove(sm_client *c, sm_call *call);

/* One whose time has come; NULL if there is none. */
sm_call *times_due(const sm_client *c, uint64_t now);

/* ---- client.c ----------------------------------------------------------------------------------------------- */

struct sm_client {
    sm_client_options options;            /* its own copy; `servers` is NULL */
    sm_signing_key *trusted[TRUSTED_MAX]; /* owned */
    size_t trusted_count;
    struct server *server;
    size_t servers;
    struct transport *transport;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    sm_call *inbox, **inbox_end;
    sm_call *noted;                      /* that were cancelled or raised; each with a reference */
    sm_call *completed, **completed_end; /* for sm_client_next */
    pid_t process;                       /* that made it */
    int event;                           /* eventfd: readable while there is one */
    int stopping;                        /* boolean */
    sm_counters counters;
    struct bundle *bundles; /* owned: the last that came first */
    size_t bundle_bytes;
    sm_call *running;        /* the thread's own: doubly linked */
    struct heap_node *times; /* likewise: of times.c */
    uint64_t jitter_state;   /* likewise: state of the jitter's generator */
};

/* A *new* call (sm_call_free) that borrows the request's module; with REQUEST NULL it gets PATH. NULL, with ERR
 * filled, if it fails. */
sm_call *call_new(sm_client *c, const sm_request *request, const char *path, sm_error *err);

/* Hands it to the client's thread, which has its own reference. */
void client_begin(sm_call *call);

/* SM_ERR_INVALID_ARGUMENT in a forked child, which does not have the client's thread. */
sm_result client_check_process(const sm_client *c, sm_error *err);

/* 1 on the client's own thread, in a callback. */
int client_is_thread(const sm_client *c);

/* Ends a call: its completion is called or queued. The client's thread only. The call may be gone afterwards. */
void client_ended(sm_call *c, sm_result result, sm_answer *answer);

/* Hands over the answer of a call that goes on. */
void client_handed(sm_call *c, sm_answer *answer);

/* Adds to a counter, under the lock. */
void client_count(sm_client *c, uint64_t *counter, uint64_t n);

/* ---- bundle.c ----------------------------------------------------------------------------------------------- */

/* The call's answer, *new*, if a bundle has it. The client's thread only. */
sm_answer *bundles_find(sm_call *c);
void bundles_free(struct bundle *b); /* NULL is fine */

/* ---- blocking.c --------------------------------------------------------------------------------------------- */

/* As sm_get, of a text that may have any bytes in it. */
sm_result blocking_get(sm_client *c, const char *path, char **text, size_t *len, sm_error *err);

/* ---- settings.c --------------------------------------------------------------------------------------------- */

/* Fills options and servers of a client that is all zeros. To be freed by settings_free, after a failure too. */
sm_result settings_take(sm_client *c, const sm_client_options *given, sm_error *err);
void settings_free(sm_client *c);

#endif
