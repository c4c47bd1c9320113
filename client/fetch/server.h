/* server.h - what a client knows of its servers: where they are, and whether to go there now. */
#ifndef SERVER_H
#define SERVER_H

#include "heap.h"
#include "key.h"
#include "smclient.h"

struct server {
    char *name;                /* as the user wrote it */
    char *url;                 /* "http://host:port", without a slash at its end */
    char *socket;              /* path of a unix socket, or NULL */
    int is_near;               /* boolean: this machine; compressing for it does not pay */
    char context[SM_KEY_TEXT]; /* its key context; "" if it is not known */
    /* The breaker: after several failures in a row no call goes there for a while; then one call tries. */
    unsigned failures;
    uint64_t shut_until_us; /* 0 if it is closed */
    int is_tried;           /* boolean: one is there now to see */
    /* Requests under way are as many as there are connections: libcurl looks at each of its own again and again. */
    uint32_t active;
    struct heap_node *waiting; /* calls, the highest priority first, then the first that came */
    uint64_t turns;
};

/* *new* array (servers_free) of the URLs; NULL, with ERR filled, if one is none. */
struct server *servers_new(const char *const *urls, size_t *count, sm_error *err);
void servers_free(struct server *s, size_t count);

/* 1 if a call may go there now, 0 if the breaker is open. */
int breaker_admits(struct server *s, uint64_t now);
void breaker_success(struct server *s);
/* Leaves the server alone if it has failed often enough; 1 if this opened its breaker. */
int breaker_failure(struct server *s, const sm_client_options *o, uint64_t now);
/* An overloaded server is left alone for as long as it asked. */
void breaker_keep_open(struct server *s, uint64_t until_us);
/* The call that was there has gone without an answer. */
void breaker_release(struct server *s);

/* A call waits for a connection; or no longer, if it does. Of equal priorities the first that came is the first to
 * go. */
void server_enqueue(struct server *s, struct heap_node *call, int32_t priority);
void server_dequeue(struct server *s, struct heap_node *call);
int server_has_waiting(const struct server *s, const struct heap_node *call);
void server_reorder(struct server *s, struct heap_node *call, int32_t priority);

#endif
