/* job.c - see job.h. */
#include "job.h"

#include "clock.h"
#include "digest.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *from_word(enum from from) {
    static const char *const words[] = {"compiled", "flight", "memory", "disk", "shared", "store"};
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
    job_drop_payer(j);
    result_drop(j->earlier);
    budget_give(&j->parts, 0);
    profiles_unref(j->profiles);
    free(j->profile);
    source_unref(j->source);
    free(j);
}

void job_drop_payer(struct job *j) {
    if (j->payer.of)
        j->payer.drop(j->payer.of);
    j->payer = (struct payer){0};
}

int job_set_input(struct job *j, struct source *source) {
    if (!source)
        return 0;
    assert(!j->source);
    j->source = source;
    j->input = source->bytes;
    j->input_len = source->len;
    return 1;
}

void job_take_earlier(struct job *j, struct result *result, struct budget *b, uint64_t client) {
    if (!result->kept.data || j->earlier)
        return;
    if (budget_take(b, &j->parts, HELD_PARTS, client, result_with_parts(result).len) == SM_OK)
        j->earlier = result_keep(result);
}

uint64_t job_deadline_ns(const struct job *j) {
    return sm_clock_ns() + (uint64_t)j->options.deadline_ms * 1000000u;
}

int job_takes_kept(const struct job *j) {
    return sm_options_read_cache(&j->options);
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

sm_status job_place(const struct sm_key *space, const struct sm_key *name, struct sm_key *key) {
    static const struct sm_key shared;
    unsigned char both[2 * SM_KEY_BYTES];
    if (sm_key_equal(space, &shared)) {
        *key = *name;
        return SM_OK;
    }
    memcpy(both, space->byte, SM_KEY_BYTES);
    memcpy(both + SM_KEY_BYTES, name->byte, SM_KEY_BYTES);
    return sm_digest(both, sizeof both, key->byte);
}

/* Makes the job's name of CONTEXT, its kind, options and digest, and its key. */
sm_status job_key(struct job *j, const char *context) {
    sm_status s = sm_key_make(context, j->kind, &j->options, j->digest, &j->name);
    return s == SM_OK ? job_place(&j->space, &j->name, &j->key) : s;
}
