/* intake.c - see intake.h. */
#include "intake.h"

#include <pthread.h>
#include <stdlib.h>

struct intake {
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    struct intake_task *first, **last;
    int stopping;
};

static void *run(void *arg) {
    struct intake *in = arg;
    pthread_mutex_lock(&in->lock);
    for (;;) {
        while (!in->first && !in->stopping)
            pthread_cond_wait(&in->more, &in->lock);
        struct intake_task *t = in->first;
        if (!t)
            break;
        in->first = t->next;
        if (!in->first)
            in->last = &in->first;
        pthread_mutex_unlock(&in->lock);
        t->run(t);
        pthread_mutex_lock(&in->lock);
    }
    pthread_mutex_unlock(&in->lock);
    return NULL;
}

struct intake *intake_start(void) {
    struct intake *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    pthread_mutex_init(&in->lock, NULL);
    pthread_cond_init(&in->more, NULL);
    in->last = &in->first;
    if (pthread_create(&in->thread, NULL, run, in) == 0)
        return in;
    free(in);
    return NULL;
}

void intake_add(struct intake *in, struct intake_task *t) {
    t->next = NULL;
    pthread_mutex_lock(&in->lock);
    int stopping = in->stopping;
    if (!stopping) {
        *in->last = t;
        in->last = &t->next;
        pthread_cond_signal(&in->more);
    }
    pthread_mutex_unlock(&in->lock);
    if (stopping) /* nobody else will */
        t->run(t);
}

void intake_stop(struct intake *in) {
    if (!in)
        return;
    pthread_mutex_lock(&in->lock);
    in->stopping = 1;
    pthread_cond_signal(&in->more);
    pthread_mutex_unlock(&in->lock);
    pthread_join(in->thread, NULL);
}

void intake_free(struct intake *in) {
    if (!in)
        return;
    pthread_cond_destroy(&in->more);
    pthread_mutex_destroy(&in->lock);
    free(in);
}
