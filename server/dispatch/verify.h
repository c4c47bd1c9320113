/* verify.h - shadow verification: a share of the cache's hits is compiled again in idle time, and compared.
 *
 * A difference is a metric and a line in the log: the compiler is not deterministic, or an entry is wrong in a way that
 * its digest cannot show. Any thread may call verify_hit.
 */
#ifndef SMD_VERIFY_H
#define SMD_VERIFY_H

#include "job.h"
#include "metrics.h"
#include "pool.h"
#include "settings.h"

/* JOB was answered with RESULT (borrowed). 1: the job is *taken*, to be compiled and compared. 0: this hit is not one
 * of the sample, or the pool has other work. */
int verify_hit(const struct settings *s, struct metrics *m, struct pool *pool, struct job *job,
               struct result *result);

#endif
