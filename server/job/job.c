/* job.c - see job.h. */
#include "job.h"

#include "clock.h"
#include "digest.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *from_word(enum from from) {
    static const char *const words[] = {"compiled", "flight", "memory", "disk"};
    return words[from];
}

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
    profiles_unref(j->profiles);
    free(j->profile);
    free(j->input);
    free(j);
}

uint64_t job_deadline_ns(const struct job *j) {
    return sm_clock_ns() + (uint64_t)j->options.deadline_ms * 1000000u;
}

int job_takes_kept(const struct job *j) {
    return j->options.cache == SM_CACHING_USE || j->options.cache == SM_CACHING_ONLY;
}

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
    return j->profiles ? j->profiles->key_context : context;
}

sm_status job_digest(struct job *j) {
    return sm_digest(j->input, j->input_len, j->digest);
}

sm_status job_key(struct job *j, const char *context) {
    return sm_key_make(context, j->kind, &j->options, j->digest, &j->key);
}
