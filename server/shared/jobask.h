/* jobask.h - what is asked of the queue of jobs, how it answers, and a job in hand. See jobqueue.h. */
#ifndef SMD_JOBASK_H
#define SMD_JOBASK_H

#include "jobrecord.h"

#include <sys/queue.h>

enum jobqueue_what { JOBQUEUE_ADD, JOBQUEUE_LOOK, JOBQUEUE_REMOVE, JOBQUEUE_RETRY, JOBQUEUE_LIST };

enum jobqueue_answer {
    JOBQUEUE_DOWN,    /* Redis is away */
    JOBQUEUE_REFUSED, /* Redis does not write it: it is full, or its disk is */
    JOBQUEUE_DONE,    /* it was added, removed, will run again; or the list is there */
    JOBQUEUE_FULL,    /* it was not added: there are job_queue_jobs, */
    JOBQUEUE_MANY,    /* or the client has client_jobs */
    JOBQUEUE_UNKNOWN, /* there is no such job */
    JOBQUEUE_WAITS,   /* or it waits or runs, */
    JOBQUEUE_DEAD,    /* or was delivered too often, */
    JOBQUEUE_ENDED    /* or its result is there */
};

/* Something that is asked of the queue; it lies in the struct of the caller that waits for it. */
struct jobqueue_ask {
    enum jobqueue_what what;
    /* On the queue's thread, once; from jobqueue_begin itself if the queue is down. */
    void (*done)(struct jobqueue_ask *ask, enum jobqueue_answer answer);
    char id[JOB_ID_TEXT];
    uint64_t client; /* of ADD: the same for all servers */
    uint64_t due_ns; /* 0, or it is asked for then, or when smd stops */
    /* ADD: the sealed job. LIST: what the script gives, terminated; LOOK: the sealed result of a job that has ended;
     * both *owned* by the caller from done() on. */
    unsigned char *bytes;
    size_t len;
    TAILQ_ENTRY(jobqueue_ask) next; /* the queue's own */
};

/* A job in the hand of this server. */
struct jobqueue_work {
    char id[JOB_ID_TEXT], entry[48], client[24];
    int deliveries;
    unsigned char *bytes; /* the sealed job; *owned*; the owner may take it */
    size_t len;
    void *owner; /* run() sets it */
    /* The queue's own. */
    int is_lost, is_ending;
    unsigned char *result; /* owned: sealed; NULL if the job is given back */
    size_t result_len;
    int delay_ms, counts;
    TAILQ_ENTRY(jobqueue_work) next;
    STAILQ_ENTRY(jobqueue_work) next_ending;
};

#endif
