/* job.c - see job.h. */
#include "job.h"

#include "clock.h"
#include "digest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *from_word(enum from from) {
    static const char *const words[] = {"compiled", "flight", "memory", "disk"};
    return words[from];
}

_Static_assert(offsetof(struct job, key) == offsetof(struct job, options) + sizeof(sm_options),
               "job_new clears what is around the options");

struct job *job_new(enum sm_job_kind kind) {
    struct job *j = malloc(sizeof *j);
    if (!j)
        return NULL;
    memset(j, 0, offsetof(struct job, options)); /* all but the options, which are most of it */
    memset(&j->key, 0, sizeof *j - offsetof(struct job, key));
    j->kind = kind;
    sm_options_init(&j->options);
    return j;
}

void job_free(struct job *j) {
    if (!j)
        return;
    if (j->earlier)
        metric_add(j->metrics, METRIC_BODY_BYTES, -(long long)result_with_parts(j->earlier).len);
    result_unref(j->earlier);
    profiles_unref(j->profiles);
    free(j->profile);
    free(j->input);
    free(j);
}

void job_take_earlier(struct job *j, struct result *result, struct metrics *m, long long most) {
    long long bytes = (long long)result_with_parts(result).len;
    if (!result->kept.data || j->earlier)
        return;
    metric_add(m, METRIC_BODY_BYTES, bytes);
    if (metric_get(m, METRIC_BODY_BYTES) > most) {
        metric_add(m, METRIC_BODY_BYTES, -bytes);
        return;
    }
    j->metrics = m;
    j->earlier = result_ref(result);
}

uint64_t job_deadline_ns(const struct job *j) {
    return sm_clock_ns() + (uint64_t)j->options.deadline_ms * 1000000u;
}

int job_takes_kept(const struct job *j) {
    return j->options.cache == SM_CACHING_USE || j->options.cache == SM_CACHING_ONLY;
}

/* *New* reference: the profiles in force, with the job's own if it has one; NULL if there are none, or out of memory.
 * */
static struct profiles *profiles_of(const struct job *j, const char *context) {
    struct profiles *set = profiles_now();
    if (!j->profile)
        return set;
    struct profiles *own = profiles_with(set, j->profile, strlen(j->profile), context);
    profiles_unref(set);
    return own;
}

const char *job_context(struct job *j, const char *context) {
    if (!j->profiles)
        j->profiles = profiles_of(j, context);
    if (!j->profiles && j->profile)
        return NULL;
    snprintf(j->context, sizeof j->context, "%s", j->profiles ? j->profiles->key_context : context);
    return j->context;
}

sm_status job_digest(struct job *j) {
    return sm_digest(j->input, j->input_len, j->digest);
}

/* Makes the job's key of CONTEXT, its kind, options and digest. */
sm_status job_key(struct job *j, const char *context) {
    return sm_key_make(context, j->kind, &j->options, j->digest, &j->key);
}
