/* twice.c - the same object twice: compiled again from its own final IR, or as the later level of one upload. See
 * trial.h. */
#include "trial.h"

#include <pthread.h>
#include <string.h>

/* One compile in EVERY, by its options, so that it is the same one when the seed is run again. SHIFT chooses others. */
static int is_drawn(const struct variant *v, int shift) {
    enum { EVERY = 8 };
    uint32_t hash = 2166136261u;
    for (const char *c = v->text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return (hash >> shift) % EVERY == 0;
}

int is_compiled_twice(const struct variant *v) {
    return is_drawn(v, 8);
}

/* Levels s and z have none below them, and references stay in registers from level 1 on. */
int is_compiled_at_levels(const struct variant *v) {
    char level = variant_value(v, "opt")[0];
    int lowest = variant_value(v, "gc_registers")[0] ? '2' : '1';
    return is_drawn(v, 16) && level >= lowest && level <= '3';
}

static void unequal(struct outcome *out, const char *what, const char *why) {
    out->ending = ENDING_UNEQUAL;
    snprintf(out->text, sizeof out->text, "%s%s%.300s", what, why[0] ? ": " : "", why);
}

void round_trip(sm_client *client, const sm_request *first, const sm_answer *answer, struct outcome *out) {
    sm_request request = *first;
    sm_answer *again = NULL;
    sm_error err;
    size_t len, len_again;
    const void *object = sm_answer_object(answer, &len), *object_again;
    request.module = sm_answer_text(answer, "ir", &request.module_len);
    if (!request.module) {
        unequal(out, "the answer has no IR", "");
        return;
    }
    if (sm_compile(client, &request, &again, &err) != SM_SUCCESS) {
        unequal(out, "its final IR is not compiled", err.message);
        goto out;
    }
    object_again = sm_answer_object(again, &len_again);
    if (len != len_again || memcmp(object, object_again, len) != 0)
        unequal(out, "its final IR gives another object", "");
out:
    sm_answer_free(again);
}

/* ---- Levels ---- */

/* What has come of one upload so far. */
struct levels {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int answers, ended; /* ended: boolean */
    sm_answer *last;    /* *owned* */
    char why[200];
};

/* The client's thread has an answer, or why there is none. */
static void level_done(void *user, sm_result result, sm_answer *answer, const sm_error *err) {
    struct levels *l = user;
    pthread_mutex_lock(&l->lock);
    sm_answer_free(l->last);
    l->last = answer;
    l->answers++;
    l->ended = result != SM_SUCCESS || !sm_answer_more(answer);
    if (result != SM_SUCCESS)
        snprintf(l->why, sizeof l->why, "%.199s", err->message);
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* OUT becomes UNEQUAL unless the last of two levels is ANSWER. Nothing is known if the first has no answer. */
static void compare_levels(const struct levels *l, const sm_answer *answer, struct outcome *out) {
    size_t len, len_last = 0;
    const void *object = sm_answer_object(answer, &len),
               *last = l->last ? sm_answer_object(l->last, &len_last) : NULL;
    if (l->answers < 2)
        return;
    if (l->why[0])
        unequal(out, "it is not compiled as the later level", l->why);
    else if (len != len_last || memcmp(object, last, len) != 0)
        unequal(out, "as the later level it is another object", "");
}

void at_levels(sm_client *client, const sm_request *first, const sm_answer *answer, struct outcome *out) {
    struct levels l = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    const char *options[VARIANT_OPTIONS + 8];
    char tiers[16];
    sm_request request = *first;
    sm_error err;
    size_t n = 0;
    for (const char *const *o = first->options; *o; o++) {
        options[n] = *o;
        if (strncmp(*o, "opt=", 4) == 0) {
            snprintf(tiers, sizeof tiers, "tiers=%c,%c", (*o)[4] - 1, (*o)[4]);
            options[n] = tiers;
        }
        n++;
    }
    options[n++] = "cache=refresh"; /* the level's answer is kept by its own request */
    options[n] = NULL;
    request.options = options;
    if (sm_submit(client, &request, level_done, &l, NULL, &err) != SM_SUCCESS) {
        unequal(out, "two levels are not taken", err.message);
        return;
    }
    pthread_mutex_lock(&l.lock);
    while (!l.ended)
        pthread_cond_wait(&l.changed, &l.lock);
    pthread_mutex_unlock(&l.lock);
    compare_levels(&l, answer, out);
    sm_answer_free(l.last);
}
