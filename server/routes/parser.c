/* parser.c - see parser.h. */
#include "parser.h"

#include <pthread.h>
#include <stdlib.h>

struct parser {
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    struct parser_task *first, **last;
    int stopping;
};

static void *run_parser(void *arg) {
    struct parser *p = arg;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->first && !p->stopping)
            pthread_cond_wait(&p->more, &p->lock);
        struct parser_task *t = p->first;
        if (!t)
            break;
        p->first = t->next;
        if (!p->first)
            p->last = &p->first;
        pthread_mutex_unlock(&p->lock);
        t->run(t);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct parser *parser_start(void) {
    struct parser *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->more, NULL);
    p->last = &p->first;
    if (pthread_create(&p->thread, NULL, run_parser, p) == 0)
        return p;
    free(p);
    return NULL;
}

void parser_add(struct parser *p, struct parser_task *t) {
    t->next = NULL;
    pthread_mutex_lock(&p->lock);
    int stopping = p->stopping;
    if (!stopping) {
        *p->last = t;
        p->last = &t->next;
        pthread_cond_signal(&p->more);
    }
    pthread_mutex_unlock(&p->lock);
    if (stopping) /* nobody else will */
        t->run(t);
}

void parser_stop(struct parser *p) {
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopping = 1;
    pthread_cond_signal(&p->more);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
}

void parser_free(struct parser *p) {
    if (!p)
        return;
    pthread_cond_destroy(&p->more);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
