/* faults.h - a client, and servers that are down, slow, overloaded, strange or lying. */
#ifndef FAULTS_H
#define FAULTS_H

#include "buf.h"
#include "scripted.h"
#include "smclient.h"

#include <stdatomic.h>

#define ARTIFACT "Content-Type: application/vnd.smd.artifact\r\n"
#define PROBLEM  "Content-Type: application/problem+json\r\n"

/* What the scripted server does; `times` counts down to its good behaviour. */
enum behaviour {
    GOOD,
    GARBAGE,
    NO_HTTP,
    NOTHING,
    NEVER,
    HALF,
    BIT_FLIPPED,
    CUT,
    OTHER_VERSION,
    WEB_PAGE,
    WEB_PAGE_404,
    REFUSED,
    OVERLOADED,
    BROKEN,
    BROKEN_JSON,
    LONG,
    SILENT_HEAD,
    ODD_PROBLEM
};

struct script {
    enum behaviour behaviour;
    atomic_int times; /* so often, then GOOD; INT_MAX: always */
};

struct reply behave(enum behaviour b);
struct reply reply_text(const char *status, const char *headers, const char *body);

/* Behaves as its script (USER) says. */
struct reply act(void *user, const char *head);

sm_buf artifact(void);

extern const char add[]; /* a module */
extern sm_error err;     /* of the last call */

/* Of these servers, in a few milliseconds again and with time for a busy machine where nothing else is said. */
sm_client *client_of(const char *const *servers, sm_client_options o);
sm_result compile(sm_client *c, sm_policy policy, uint32_t deadline_ms);
sm_counters counters(sm_client *c);
const char *url_of(int port); /* one of the last eight */
double seconds(void);

#endif
