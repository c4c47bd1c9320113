/* compile.h - POST /v1/compile and POST /v1/stackmap: from a body and its options to a job, and back to an answer. */
#ifndef SMD_COMPILE_H
#define SMD_COMPILE_H

#include "http.h"

sm_status compile_begin(struct request *r);
int compile_finish(struct request *r);
sm_status stackmap_begin(struct request *r);
int stackmap_finish(struct request *r);
void compile_answer(struct request *r);
void compile_drop(struct request *r);

#endif
