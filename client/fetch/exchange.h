/* exchange.h - one HTTP request and its answer. exchange.c is the only user of libcurl. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "buf.h"
#include "smclient.h"

struct wire; /* the connections of one client */
struct server;

enum ending { ENDED_ANSWERED, ENDED_UNREACHABLE, ENDED_LATE, ENDED_INSECURE, ENDED_TOO_LARGE, ENDED_NO_MEMORY };

struct exchange {
    void *owner;
    /* The answer, once it has ended. */
    enum ending ending;
    int http;
    sm_buf body;
    char type[64]; /* media type, without parameters */
    char key[80], cache[16];
    uint32_t retry_after_ms;
    uint64_t sent, received; /* bytes of bodies */
    char message[256];       /* why there is no answer */
    /* exchange.c's own. */
    void *easy;
    void *headers;
};

/* What is asked; borrowed until the exchange has ended. */
struct question {
    const struct server *server;
    const char *path;
    const char *accept;
    const void *body; /* NULL: GET */
    size_t body_len;
    const char *encoding; /* of the body; NULL: none */
    uint64_t timeout_ms;
};

/* *new* (wire_free); OPTIONS are borrowed for its life. */
struct wire *wire_new(const sm_client_options *options, sm_error *err);
void wire_free(struct wire *w);

/* Begins. *new* (exchange_free); NULL if there is no memory. */
struct exchange *wire_ask(struct wire *w, const struct question *q, void *owner);

/* Waits until an exchange has ended, wire_wake was called, or the time is over. */
void wire_wait(struct wire *w, uint64_t timeout_ms);

/* The next exchange that has ended; NULL if there is none. */
struct exchange *wire_ended(struct wire *w);

/* From any thread: ends wire_wait. */
void wire_wake(struct wire *w);

/* Ends it, too, if it is under way. */
void exchange_free(struct wire *w, struct exchange *x);

#endif
