/* traces.h - what is told of requests to a collector of OpenTelemetry's, by a thread of its own. Nobody waits for it:
 * what the collector does not take in time is lost, and counted. Thread-safe. */
#ifndef SMD_TRACES_H
#define SMD_TRACES_H

#include "error.h"
#include "metrics.h"
#include "settings.h"
#include "trace.h"

struct traces;

/* An error if the setting's value is no URL of a collector; "" is none at all. */
sm_status traces_check(const char *otlp, struct error *err);

/* The port of a collector; 0 if the value is no URL. */
int traces_port(const char *otlp);

/* Starts the thread if the setting otlp names a collector; *T is NULL if it does not. INSTANCE: a name that no other
 * server has. *new* */
sm_status traces_start(const struct settings *s, struct metrics *m, const char *instance, struct traces **t,
                       struct error *err);

/* Finds the place of a request in a trace, by its header traceparent (NULL: there is none). 1 if it will be told. T
 * may be NULL: then nothing is, and the place is what the header says. */
int traces_place(struct traces *t, const char *header, struct trace_place *place);

/* Tells of a request, or of a part of one. It is copied. */
void traces_add(struct traces *t, const struct traced *request);

/* Gives the collector a moment to take what waits, and ends the thread. NULL is fine. */
void traces_stop(struct traces *t);

#endif
