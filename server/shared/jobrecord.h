/* jobrecord.h - a job and its result as bytes, for the queue that servers share (jobqueue.h). They are sealed there: what is
 * read here was written by a server of the same operator, perhaps of another version.
 *
 *     'J' version   32 bytes part of the cache   u64 client   u32 length, who pays   u32 length, the options' text
 *     u32 length, the profile's   the module   'U' instead of 'J': it runs in a process of its own
 *     'R' version   32 bytes name   u32 status   u32 microseconds   u32 length, the detail   the artifact, if there is one
 */
#ifndef SMD_JOBRECORD_H
#define SMD_JOBRECORD_H

#include "job.h"

enum { JOB_ID_TEXT = 33, JOBRECORD_LEAST = 42 };

/* Makes an id of 128 random bits. 0 on failure. */
int job_id_new(char id[JOB_ID_TEXT]);

/* 1 if the text may be one. */
int job_id_is(const char *text);

/* What the record of the job of this id is sealed for. */
struct sm_key job_id_key(const char *id);

/* Appends a job of CLIENT's, which has its input. */
sm_status jobrecord_put_job(sm_buf *out, const struct job *job, uint64_t client);

/* *New*: the job; its input is in RECORD, which is *taken*, as CHARGE, which has counted it; also on failure. NULL,
 * and why in *STATUS: SM_INCOMPATIBLE if another version wrote it. */
struct job *jobrecord_read_job(unsigned char *record, size_t len, struct charge *charge, uint64_t *client,
                               sm_status *status);

/* Appends what a job of this name gave. */
sm_status jobrecord_put_result(sm_buf *out, const struct sm_key *name, const struct result *result);

/* *New*: the result, in RECORD of LEN bytes; it and CHARGE are *taken*, also on failure. NULL, and why in *STATUS. */
struct result *jobrecord_read_result(unsigned char *record, size_t len, struct charge *charge, struct sm_key *name,
                                     sm_status *status);

#endif
