/* jsonform.h - the JSON form of a compile request: {"ir" or "bitcode", "options"}. */
#ifndef SMD_JSONFORM_H
#define SMD_JSONFORM_H

#include "artifact.h"
#include "error.h"
#include "job.h"

#include <jansson.h>

/* The parsed JSON of a body, *new*; NULL and where it went wrong. */
json_t *jsonform_parse(const void *bytes, size_t len, struct error *err);

/* Reads one form into the job: its input, which is taken from the budget (may be NULL) for CLIENT, and its options.
 * SM_OK, or a status that fits the error. */
sm_status jsonform_read_value(const json_t *root, struct job *job, struct budget *b, uint64_t client,
                              struct error *err);

/* Appends the form that asks for a module with these options, which are canonical text; the module's bytes go as
 * "bitcode", whatever they are. */
sm_status jsonform_write(sm_buf *out, sm_slice module, const char *options);

#endif
