/* jsonform.h - the JSON form of a compile request: {"ir" or "bitcode", "options"}. */
#ifndef SMD_JSONFORM_H
#define SMD_JSONFORM_H

#include "job.h"

/* Where and why a JSON form was refused. */
struct jsonform_error {
    char detail[600];
    char option[64];  /* "" if it is not an option that is wrong */
    int line, column; /* 0 if it is not a place that is wrong */
};

/* Reads BYTES into the job: its input and its options. SM_OK, or a status that fits the error. */
sm_status jsonform_read(const void *bytes, size_t len, struct job *job, struct jsonform_error *err);

#endif
