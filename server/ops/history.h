/* history.h - what /metrics has said in the last hour. */
#ifndef SMD_HISTORY_H
#define SMD_HISTORY_H

#include "buf.h"

#include <pthread.h>

#define HISTORY_READINGS 120 /* an hour of them */

/* Zeroed is empty. */
struct history {
    pthread_mutex_t lock;
    struct history_reading {
        long long at; /* seconds since 1970 */
        void *packed; /* by zstd; NULL for none */
        size_t len;
    } reading[HISTORY_READINGS];
    int next;        /* the oldest reading's place, which the next one takes */
    uint64_t due_ns; /* sm_clock_ns of the next one */
};

/* 1 if it is time for a reading, which is then no longer due. For one thread. */
int history_is_due(struct history *h);

/* Keeps the rows of TEXT, which is what /metrics says now. The oldest reading makes room. */
void history_note(struct history *h, const sm_buf *text);

/* Appends all readings, the oldest first: "# at SECONDS", and the rows that are not as they were in the reading
 * before. */
void history_text(struct history *h, sm_buf *out);
void history_clear(struct history *h);

#endif
