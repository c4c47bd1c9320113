/* compile.h - POST /v1/compile and POST /v1/stackmap: from a body and its options to a job, and back to an answer. */
#ifndef SMD_COMPILE_H
#define SMD_COMPILE_H

#include "request.h"
#include "tasks.h"
#include "tiers.h"

/* What a request keeps beside its job, in r->state. */
struct compile {
    struct task task;
    struct request *request;
    int json;       /* boolean: the body is the JSON form */
    int is_miss;    /* boolean: the cache does not have the key in memory: dispatch_miss, not dispatch_submit */
    int answer;     /* its kind */
    unsigned later; /* bits: the levels that follow the first one, of the option `tiers` */
    char tiers[TIERS_TEXT];        /* where they will be; "" for none */
    char startup[SM_STARTUP_TEXT]; /* as which it is recorded once it is answered; "" for none */
    struct tiers rest;             /* those of them that wait for the first level's answer; owned */
    struct result *result;         /* owned reference, once the job is done */
    /* Hands the finished job (input, options, key) on, while the connection is suspended: to dispatch for the request
     * itself, or into the table of jobs (jobs.c). The reply is filled unless SM_OK. */
    sm_status (*submit)(struct request *r);
};

sm_status compile_begin(struct request *r);
int compile_finish(struct request *r);
sm_status stackmap_begin(struct request *r);
int stackmap_finish(struct request *r);
void compile_answer(struct request *r);
void compile_drop(struct request *r);

/* Starts the wait: the body becomes a job, which submit() then takes. For finish() of a route whose begin() was
 * compile_begin(). */
int compile_submit(struct request *r, sm_status (*submit)(struct request *r));

/* Gives a job that has its input its key, in the part of the cache of who asks. The error says why the server does not
 * take such an input (the setting input). */
sm_status compile_key(const struct request *r, struct job *job, struct error *err);

/* The header with the signature of RESULT (may be NULL), if this server signs and the reply is a success. */
void compile_vouch(struct request *r, struct result *result);

/* Headers with the request's key and where its result came from. */
void compile_headers(struct request *r, struct result *result);

#endif
