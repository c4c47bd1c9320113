/* ending.h - how a worker ended in the middle of a job, and what that means for the job. */
#ifndef SMD_ENDING_H
#define SMD_ENDING_H

#include "metrics.h"
#include "settings.h"
#include "worker.h"

struct ending {
    sm_status status;     /* of the job */
    int killed_by_others; /* boolean: somebody killed the worker, or smd-upgrade, without which it left its job; the job
                             may run again, and is not to blame if it may not */
    int unasked;          /* boolean: it died of a signal that neither smd nor the worker had sent */
    enum metric cause;    /* the counter that it raises */
    char detail[1024];
};

/* Classifies a worker whose end is known (ended, wait_status). LOG is the tail of its stderr; LIMITS are what it was
 * started with. */
struct ending classify_ending(const struct worker *w, const char *log, const struct settings *limits);

#endif
