/* conns.c - see conns.h. */
#include "conns.h"

#include "pool.h"

#include <stdlib.h>
#include <sys/socket.h>

struct conn {
    struct conn *prev, *next;
    int socket;
    enum conn_phase phase;
    uint64_t since_ns;
};

void conns_init(struct conns *l) {
    pthread_mutex_init(&l->lock, NULL);
    l->first = NULL;
}

struct conn *conns_add(struct conns *l, int socket) {
    struct conn *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->socket = socket;
    c->since_ns = pool_clock_ns();
    pthread_mutex_lock(&l->lock);
    c->next = l->first;
    if (c->next)
        c->next->prev = c;
    l->first = c;
    pthread_mutex_unlock(&l->lock);
    return c;
}

void conns_remove(struct conns *l, struct conn *c) {
    if (!c)
        return;
    pthread_mutex_lock(&l->lock);
    if (c->prev)
        c->prev->next = c->next;
    else
        l->first = c->next;
    if (c->next)
        c->next->prev = c->prev;
    pthread_mutex_unlock(&l->lock);
    free(c);
}

void conns_phase(struct conns *l, struct conn *c, enum conn_phase phase) {
    if (!c)
        return;
    pthread_mutex_lock(&l->lock);
    c->phase = phase;
    c->since_ns = pool_clock_ns();
    pthread_mutex_unlock(&l->lock);
}

void conns_tick(struct conns *l, const struct settings *s) {
    uint64_t now = pool_clock_ns();
    pthread_mutex_lock(&l->lock);
    for (struct conn *c = l->first; c; c = c->next) {
        uint64_t limit_s = (uint64_t)(c->phase == CONN_IDLE ? s->idle_timeout_s : s->request_timeout_s);
        if (c->phase != CONN_ANSWER && now > c->since_ns + limit_s * 1000000000u)
            shutdown(c->socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&l->lock);
}

void conns_end(struct conns *l) {
    pthread_mutex_destroy(&l->lock);
}
