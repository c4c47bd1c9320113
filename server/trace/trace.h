/* trace.h - which trace a request is part of (W3C Trace Context, level 1), and what is told of it. */
#ifndef SMD_TRACE_H
#define SMD_TRACE_H

#include "frame.h"
#include "key.h"

#include <netinet/in.h>
#include <stdint.h>

/* Where a span stands in a trace. */
struct trace_place {
    unsigned char trace[16], parent[8]; /* zeros: of no trace; the first span of it */
    unsigned char span[8];              /* its own id; zeros: it is not told */
    int is_sampled;                     /* boolean: whoever began the trace wants it to be kept */
};

enum { TRACE_TEXT = 2 * 16 + 1 }; /* bytes of a trace's id in hexadecimal, with its end */

/* Gives the place an id of its own. 0 if there are no random numbers. */
int trace_begin_span(struct trace_place *place);

/* Reads a header traceparent (NULL: there is none). 0, and the place is zeros, if it is not valid. */
int trace_read(const char *header, struct trace_place *place);

/* A new trace, of which nothing is known yet. 0 if there are no random numbers. */
int trace_new(struct trace_place *place);

void trace_text(const struct trace_place *place, char text[TRACE_TEXT]);

/* A request that was answered, or a part of one (`part` is its name). Times are of CLOCK_MONOTONIC, in nanoseconds; 0: it
 * did not come to that. */
struct traced {
    struct trace_place place;
    uint64_t began, received; /* its headers were there; its body was */
    uint64_t arrived, ran;    /* its job came to the queue; went to a worker: perhaps for another who asked before */
    uint64_t ended;           /* the answer was ready */
    uint32_t run_us;          /* of the worker */
    sm_timings timings;
    int http;
    size_t received_bytes, sent_bytes;
    char id[64], method[8], client[INET6_ADDRSTRLEN], tenant[64];
    char key[SM_KEY_TEXT];            /* "" if nothing was asked for by key */
    const char *part;                 /* static; NULL: a request */
    const char *route, *code, *cache; /* static: "/v1/compile", "ok", "disk"; route and cache may be NULL */
};

#endif
