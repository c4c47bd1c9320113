/* otlp.h - spans as a collector of OpenTelemetry's takes them: OTLP 1.3 in JSON
 * (https://opentelemetry.io/docs/specs/otlp/), the message ExportTraceServiceRequest. */
#ifndef SMD_OTLP_H
#define SMD_OTLP_H

#include "trace.h"

/* A message that is being written. */
struct otlp {
    sm_buf *out;
    uint64_t clock_ns; /* from CLOCK_MONOTONIC to the time of day */
    size_t spans;
};

/* Begins the message of a server: its version, and a name that no other server has. */
void otlp_begin(struct otlp *o, sm_buf *out, const char *version, const char *instance);

/* Appends the spans of a request: its own, and in it those of what it went through: `receive`, `look up`, `queue`,
 * `compile`, and in that the stages, which are laid one behind the other. */
void otlp_request(struct otlp *o, const struct traced *t);

void otlp_end(struct otlp *o);

#endif
