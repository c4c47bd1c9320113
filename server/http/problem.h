/* problem.h - errors as application/problem+json (RFC 9457). */
#ifndef SMD_PROBLEM_H
#define SMD_PROBLEM_H

#include "request.h"

/* The reply is a problem of this status. DETAIL is one sentence, DIAGNOSTICS a JSON array as text or empty, OPTION
 * the name of an option that was wrong or NULL. Status, Retry-After and the like are set too. */
void problem_reply(struct request *r, sm_status status, const char *detail, sm_slice diagnostics, const char *option);

/* Appends the problem as a JSON object, without a line's end. KEY may be empty. */
void problem_json(sm_buf *out, sm_status status, const char *detail, sm_slice diagnostics, const char *option,
                  const char *key);

/* Appends what a job's failure is. */
void problem_json_of_result(sm_buf *out, const struct result *result, const char *key);

/* The same for the failure that a job ended in. */
void problem_of_result(struct request *r, const struct result *result);

#endif
