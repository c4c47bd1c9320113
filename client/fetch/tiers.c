/* tiers.c - a call of several levels: each but the last is handed over when it is there, and the call goes on.
 *
 * The first request names all levels, and its answer says where the others will be (docs/api.md, X-Smd-Tiers). A server
 * that does not say so, or has forgotten, is asked to compile at that level: nothing depends on its memory. */
#include "error.h"
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lowest level of a set that is not empty. */
static int lowest(unsigned levels) {
    return __builtin_ctz(levels);
}

/* Sets the path for the call's current level; with WITH_OTHERS, for all levels from it on ("tiers="). 0 if out of
 * memory. */
static int set_path(sm_call *c, int with_others) {
    char *path, words[16];
    size_t len = 0;
    for (int level = lowest(c->tiers); c->tiers >> level; level++)
        if (c->tiers >> level & 1)
            len += (size_t)snprintf(words + len, sizeof words - len, "%s%d", len ? "," : "", level);
    int n = with_others ? asprintf(&path, "%s&tiers=%s", c->base, words)
                        : asprintf(&path, "%s&opt=%d", c->base, lowest(c->tiers));
    if (n < 0)
        return 0;
    free(c->path);
    c->path = path;
    if (c->options)
        c->options->opt = lowest(c->tiers);
    return 1;
}

sm_result tiers_begin(sm_call *c, sm_error *err) {
    if (!c->tiers)
        return SM_SUCCESS;
    c->base = c->path;
    c->path = NULL;
    return set_path(c, 1) ? SM_SUCCESS : fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
}

void tiers_note(sm_call *c, const struct transfer *x) {
    if (x->tiers[0])
        memcpy(c->places, x->tiers, sizeof c->places);
}

/* Finds where the server said that this level's job will be. Only a path of its jobs is taken as one; otherwise the
 * call has no job. */
static void find_job(sm_call *c) {
    static const char jobs[] = "/v1/jobs/";
    char name[4];
    size_t n = (size_t)snprintf(name, sizeof name, "%d=", lowest(c->tiers));
    const char *at = strstr(c->places, name);
    c->job[0] = 0;
    if (!at || strncmp(at + n, jobs, strlen(jobs)) != 0)
        return;
    size_t len = strlen(jobs) + strspn(at + n + strlen(jobs), "0123456789abcdef");
    snprintf(c->job, sizeof c->job, "%.*s", (int)len, at + n);
}

int tiers_next(sm_call *c) {
    c->tiers &= c->tiers - 1;
    if (!c->tiers || !set_path(c, 0))
        return 0;
    c->missed = 0;
    c->key[0] = 0;
    find_job(c);
    return 1;
}
