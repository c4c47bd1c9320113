/* context.h - what every route can reach. Made by main; constant while the daemon serves, but for counters,
 * `draining`, and what SIGHUP replaces (`capabilities`, settings that are atomic).
 */
#ifndef SMD_CONTEXT_H
#define SMD_CONTEXT_H

#include "access.h"
#include "cache.h"
#include "dispatch.h"
#include "history.h"
#include "metrics.h"
#include "pool.h"
#include "settings.h"
#include "startups.h"
#include "tasks.h"

#include <pthread.h>

struct durable;
struct jobs;

struct smd {
    int argc;
    char **argv; /* settings_reload reads them again */
    struct settings settings;
    struct metrics metrics;
    struct history history; /* of the metrics */
    struct access *access;  /* who may ask for what; NULL: everybody for everything */
    struct budget *budget;  /* what clients hold of the daemon's memory */
    struct cache *cache;
    struct pool *pool;
    struct dispatch *dispatch;
    struct tasks
        *parser; /* the thread for what would hold an HTTP thread up: parsing or hashing a body that is not tiny */
    struct tasks *renderer;    /* likewise for the JSON of large results */
    struct startups *startups; /* what is asked for under names */
    struct jobs *jobs;
    struct durable *durable; /* the queue of jobs that servers share; NULL: there is none */
    json_t *about;           /* capabilities without profiles; only to be read */
    pthread_mutex_t capabilities_lock;
    char *capabilities;            /* JSON text; SIGHUP replaces it */
    char *compiler;                /* the compiler's build */
    json_t *layers;                /* of the workers' sandbox: names */
    unsigned confined;             /* smd's own, as bits: 1 << enum confine_layer */
    char *info;                    /* the part of /metrics that never changes */
    char key_context[SM_KEY_TEXT]; /* what every key begins with */
    atomic_int draining;           /* boolean: SIGTERM has come */
    atomic_int is_over;            /* boolean: the time for requests in progress is over */
};

#endif
