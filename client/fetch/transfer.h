/* transfer.h - one HTTP request and its answer. transfer.c is the only user of libcurl. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "buf.h"
#include "smclient.h"

struct transport; /* the connections of one client */
struct server;

enum ending {
    ENDED_ANSWERED,
    ENDED_UNREACHABLE,
    ENDED_LATE,
    ENDED_INSECURE,
    ENDED_TOO_LARGE,
    ENDED_NO_MEMORY,
    ENDED_SELF
};

struct transfer {
    void *owner;
    /* The answer, once it has ended. */
    enum ending ending;
    int http;
    sm_buf body;
    char type[64]; /* media type, without parameters */
    char key[80], cache[16], tiers[160], signature[256];
    uint32_t retry_after_ms;
    uint64_t sent, received; /* bytes of bodies */
    char message[256];       /* why there is no answer */
    /* transfer.c's own. */
    void *easy;
    void *headers;
    int refused; /* errno, if this machine had no socket for it */
};

/* What is asked; borrowed until the transfer has ended. */
struct http_request {
    const struct server *server;
    const char *path;
    const char *accept;
    const void *body; /* NULL: GET */
    size_t body_len;
    const char *type;        /* of the body; NULL: bytes */
    const char *encoding;    /* of the body; NULL: none */
    const char *key;         /* of the artifact, for load balancers; NULL: it is not known */
    const char *traceparent; /* NULL: none */
    uint64_t timeout_ms;
};

/* *new* (transport_free); OPTIONS are borrowed for its life. */
struct transport *transport_new(const sm_client_options *options, sm_error *err);
void transport_free(struct transport *w);

/* Begins. *new* (transfer_free); NULL if out of memory. */
struct transfer *transport_begin(struct transport *w, const struct http_request *q, void *owner);

/* Waits until a transfer has ended, transport_wake was called, or the time is over. */
void transport_wait(struct transport *w, uint64_t timeout_ms);

/* The next transfer that has ended; NULL if there is none. */
struct transfer *transport_next_ended(struct transport *w);

/* From any thread: ends transport_wait. */
void transport_wake(struct transport *w);

/* Ends it, too, if it is under way. */
void transfer_free(struct transport *w, struct transfer *x);

#endif
