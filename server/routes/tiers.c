/* tiers.c - see tiers.h. */
#include "tiers.h"

#include "context.h"
#include "stored.h"

#include <stdlib.h>
#include <string.h>

int tiers_take(sm_options *options, unsigned *later) {
    unsigned levels = options->tiers;
    *later = 0;
    if (!levels)
        return 1;
    sm_options defaults;
    sm_options_init(&defaults);
    if (options->opt != defaults.opt)
        return 0;
    options->opt = __builtin_ctz(levels);
    options->tiers = 0;
    *later = levels & (levels - 1);
    return 1;
}

/* *New*: the request's job at another level, of the same input, in the batch class; NULL if out of memory. */
static struct job *copy_at(const struct request *r, int level) {
    struct job *job = job_new(r->job->kind);
    if (!job)
        return NULL;
    job->options = r->job->options;
    job->space = r->job->space;
    request_pay(r->holder, job);
    job->is_alone = r->job->is_alone;
    job->profiles = profiles_ref(r->job->profiles);
    job->options.opt = level;
    job->options.priority = SM_PRIORITY_BATCH; /* nobody waits for it as for a first level */
    job_set_input(job, source_ref(r->job->source));
    memcpy(job->digest, r->job->digest, sizeof job->digest);
    const char *context = job_context(job, r->smd->key_context);
    if (context && job_key(job, context) == SM_OK)
        return job;
    job_free(job);
    return NULL;
}

void tiers_reserve(struct tiers *t, const struct request *r, unsigned later, char text[TIERS_TEXT]) {
    size_t len = 0;
    sm_status why;
    *t = (struct tiers){.client = r->client};
    text[0] = 0;
    for (int level = 0; later >> level; level++) {
        struct job *job = later >> level & 1 ? copy_at(r, level) : NULL;
        struct stored *place = job ? jobs_reserve(r->smd->jobs, r->client, job, &why) : NULL;
        if (!place) {
            job_free(job);
            continue;
        }
        len += (size_t)snprintf(text + len, TIERS_TEXT - len, "%s%d=/v1/jobs/%s", len ? ", " : "", level,
                                jobs_id(place));
        t->later[t->count].place = place;
        t->later[t->count++].job = job;
    }
}

void tiers_start(struct tiers *t) {
    for (size_t i = 0; i < t->count; i++)
        jobs_start(t->later[i].place, t->client, t->later[i].job);
    t->count = 0;
}

void tiers_abandon(struct tiers *t) {
    for (size_t i = 0; i < t->count; i++) {
        jobs_abandon(t->later[i].place);
        job_free(t->later[i].job);
    }
    t->count = 0;
}
