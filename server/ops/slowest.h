/* slowest.h - the compiles that have taken longest in the last hour: what an operator looks into first. */
#ifndef SMD_SLOWEST_H
#define SMD_SLOWEST_H

#include "buf.h"
#include "frame.h"
#include "key.h"
#include "status.h"

#include <pthread.h>

#define SLOWEST 16

struct slow_compile {
    uint64_t at_ns; /* sm_clock_ns of its end; 0 for none */
    char key[SM_KEY_TEXT];
    sm_status status;
    uint32_t run_us;
    uint64_t input_bytes;
    sm_timings timings;
};

/* Zeroed is empty. */
struct slowest {
    pthread_mutex_t lock;
    struct slow_compile compile[SLOWEST];
};

/* C has ended now: it takes the place of one that is older than an hour, or of the quickest if that was quicker. */
void slowest_note(struct slowest *s, const struct slow_compile *c);

/* Appends them as JSON, the slowest first. */
void slowest_json(struct slowest *s, sm_buf *out);

#endif
