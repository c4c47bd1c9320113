/* job.c - see job.h. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

struct job *job_new(enum sm_job_kind kind) {
    struct job *j = calloc(1, sizeof *j);
    if (j) {
        j->kind = kind;
        sm_options_init(&j->options);
    }
    return j;
}

void job_free(struct job *j) {
    if (j)
        free(j->input);
    free(j);
}

sm_status job_key(struct job *j, const unsigned char digest[32], const char *context) {
    memcpy(j->digest, digest, sizeof j->digest);
    return sm_key(context, j->kind, &j->options, digest, j->key);
}
