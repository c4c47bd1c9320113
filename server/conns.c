/* conns.c - see conns.h. */
#include "conns.h"

#include "clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>

struct conn {
    struct conn *prev, *next;
    int socket;
    struct peer peer;
    atomic_int phase; /* enum conn_phase; set by the connection's thread alone, like since_ns */
    atomic_ullong since_ns;
    void (*gone)(void *arg); /* NULL: nobody wants to know */
    void *arg;
    uint64_t left_ns; /* when its client was first seen to have closed, in the middle of a body; 0: never */
};

void conns_init(struct conns *l) {
    pthread_mutex_init(&l->lock, NULL);
    l->first = NULL;
}

struct conn *conns_add(struct conns *l, int socket, const struct peer *peer) {
    struct conn *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->socket = socket;
    c->peer = *peer;
    atomic_init(&c->since_ns, clock_ns());
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

void conns_phase(struct conn *c, enum conn_phase phase) {
    if (!c)
        return;
    atomic_store_explicit(&c->since_ns, clock_coarse_ns(), memory_order_relaxed);
    atomic_store_explicit(&c->phase, phase, memory_order_release);
}

const struct peer *conns_peer(const struct conn *c) {
    static const struct peer nobody;
    return c ? &c->peer : &nobody;
}

void conns_watch(struct conns *l, struct conn *c, void (*gone)(void *arg), void *arg) {
    if (!c)
        return;
    pthread_mutex_lock(&l->lock);
    c->gone = gone;
    c->arg = arg;
    pthread_mutex_unlock(&l->lock);
}

void conns_unwatch(struct conns *l, struct conn *c) {
    conns_watch(l, c, NULL, NULL);
}

static int has_closed(const struct conn *c) {
    char byte;
    return recv(c->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* The client has closed and all it sent has been read, but its body was not whole: for longer than it takes to look at
 * the last bytes. libmicrohttpd (0.9.75) does not see an end that came together with data. */
static int has_left(struct conn *c, uint64_t now) {
    enum { NANOSECONDS = 100000000 };
    if (atomic_load(&c->phase) != CONN_BODY || !has_closed(c)) {
        c->left_ns = 0;
        return 0;
    }
    if (!c->left_ns)
        c->left_ns = now;
    return now > c->left_ns + NANOSECONDS;
}

static int is_late(struct conn *c, const struct settings *s, uint64_t now) {
    int phase = atomic_load(&c->phase);
    uint64_t limit_s = (uint64_t)(phase == CONN_IDLE ? s->idle_timeout_s : s->request_timeout_s);
    return phase != CONN_ANSWER && now > atomic_load(&c->since_ns) + limit_s * 1000000000u;
}

void conns_tick(struct conns *l, const struct settings *s) {
    uint64_t now = clock_ns();
    pthread_mutex_lock(&l->lock);
    for (struct conn *c = l->first; c; c = c->next) {
        if (c->gone && has_closed(c))
            c->gone(c->arg);
        if (is_late(c, s, now) || has_left(c, now))
            shutdown(c->socket, SHUT_RDWR);
    }
    pthread_mutex_unlock(&l->lock);
}

void conns_end(struct conns *l) {
    pthread_mutex_destroy(&l->lock);
}
