/* jobs.h - compiles without waiting: POST /v1/jobs, GET and DELETE /v1/jobs/{id}. */
#ifndef SMD_JOBS_H
#define SMD_JOBS_H

#include "request.h"

int jobs_post(struct request *r);
void jobs_post_answer(struct request *r);
sm_status jobs_get_begin(struct request *r);
int jobs_get(struct request *r);
void jobs_get_answer(struct request *r);
void jobs_get_drop(struct request *r);
int jobs_delete(struct request *r);

#endif
