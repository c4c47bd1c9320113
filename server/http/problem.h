/* problem.h - errors as application/problem+json (RFC 9457). request.h puts them into replies. */
#ifndef SMD_PROBLEM_H
#define SMD_PROBLEM_H

#include "result.h"

/* Appends the problem as a JSON object, without a line's end. DETAIL is one sentence, DIAGNOSTICS a JSON array as
 * text or empty, OPTION the name of an option that was wrong or NULL. KEY may be empty. */
void problem_json(sm_buf *out, sm_status status, const char *detail, sm_slice diagnostics, const char *option,
                  const char *key);

/* Appends what a job's failure is. */
void problem_json_of_result(sm_buf *out, const struct result *result, const char *key);

enum { PROBLEM_DETAIL = 1024 };

/* The sentence for the failure that a job ended in. */
void problem_detail(const struct result *result, char *out, size_t size);

/* The option that a job failed over, in OUT; NULL if it is none. */
const char *problem_option(const struct result *result, char out[SM_OPTION_NAME_MAX + 1]);

#endif
