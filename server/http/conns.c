/* conns.c - see conns.h. */
#include "conns.h"

#include "clock.h"
#include "container.h"
#include "gate.h"
#include "refusal.h"
#include "session.h"

#include <assert.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define SECOND 1000000000u

/* How many connections an address has. */
struct address {
    struct hash_node node;
    int connections;
};

struct conn {
    struct conn *prev, *next;
    int socket;
    struct peer peer;
    struct gate *gate; /* owned */
    struct charge charge;
    int is_counted;        /* boolean: with its address's */
    atomic_int is_at_work; /* boolean: another thread has a piece of its body */
    uint64_t work_ns;      /* since when */
    atomic_ulong requests; /* that have begun; counted by the connection's thread */
    atomic_int phase;      /* enum conn_phase; set by the connection's thread, and to CONN_LATE by conns_tick */
    atomic_ullong since_ns, until_ns;
    void (*gone)(void *arg); /* NULL: nobody wants to know */
    void *arg;
    uint64_t left_ns;       /* when its client was first seen to have closed, in the middle of a body; 0: never */
    uint64_t idle_since_ns; /* since when it was found idle the last time; 0: it was not. conns_tick's own */
};

void conns_init(struct conns *l, const struct settings *s, struct budget *b, long room) {
    *l = (struct conns){.settings = s, .budget = b, .room = room};
    pthread_mutex_init(&l->lock, NULL);
}

/* ---- Addresses ---------------------------------------------------------------------------------------------- */

static struct address *find_address(struct conns *l, uint64_t number) {
    struct hash_node *n = hash_find(&l->addresses, number); /* the hash is the number */
    return n ? container_of(n, struct address, node) : NULL;
}

/* Adds an address without connections; NULL if out of memory. Under the lock. */
static struct address *add_address(struct conns *l, uint64_t number) {
    struct address *a = calloc(1, sizeof *a);
    if (a && hash_add(&l->addresses, &a->node, number))
        return a;
    free(a);
    return NULL;
}

/* How many connections an address may have: where descriptors allow fewer than the setting `connections`, its part of
 * them is as large as it would be otherwise. */
static int most_of_address(const struct conns *l) {
    int most = l->settings->client_connections, all = l->settings->connections;
    if (l->room >= all)
        return most;
    long part = most * l->room / all;
    return part > 1 ? (int)part : 1;
}

/* Counts a connection of the address. 0 if the address has as many as it may, or out of memory. Under the lock. */
static int count_in(struct conns *l, uint64_t number) {
    struct address *a = find_address(l, number);
    if (!a)
        a = add_address(l, number);
    if (!a || a->connections >= most_of_address(l))
        return 0;
    a->connections++;
    return 1;
}

/* Counts a connection of the address less, and forgets an address without any. Under the lock. */
static void count_out(struct conns *l, uint64_t number) {
    struct address *a = find_address(l, number);
    assert(a);
    if (--a->connections > 0)
        return;
    hash_remove(&l->addresses, &a->node);
    free(a);
}

/* ---- Connections -------------------------------------------------------------------------------------------- */

/* *New*: a connection with its gate; NULL if out of memory. */
static struct conn *new_conn(struct budget *b, int socket, struct session *session, const struct peer *peer) {
    size_t bytes = CONN_BYTES + (session ? CONN_TLS_BYTES : 0);
    struct conn *c = calloc(1, sizeof *c);
    if (!c) {
        session_close(session);
        return NULL;
    }
    c->socket = socket;
    c->peer = *peer;
    c->gate = gate_open(socket, session);
    atomic_init(&c->since_ns, sm_clock_ns());
    if (c->gate && budget_take(b, &c->charge, HELD_CONNECTION, peer->number, bytes) == SM_OK)
        return c;
    gate_close(c->gate);
    free(c);
    return NULL;
}

static void free_conn(struct conn *c) {
    gate_close(c->gate);
    budget_give(&c->charge, 0);
    free(c);
}

int conns_enter(struct conns *l, const struct peer *peer) {
    pthread_mutex_lock(&l->lock);
    int fits = peer->is_local || count_in(l, peer->number);
    pthread_mutex_unlock(&l->lock);
    return fits;
}

void conns_leave(struct conns *l, const struct peer *peer) {
    pthread_mutex_lock(&l->lock);
    if (!peer->is_local)
        count_out(l, peer->number);
    pthread_mutex_unlock(&l->lock);
}

/* An HTTP thread gives the kernel no more than so much that a slow client has not taken: megabytes for each of hundreds
 * of connections would keep it from all others. */
static void bound_unsent(int socket) {
    int bytes = 128 << 10;
    setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes); /* a unix socket's buffer is small */
}

struct conn *conns_add(struct conns *l, int socket, struct session *session, const struct peer *peer,
                       int is_bounded) {
    struct conn *c = new_conn(l->budget, socket, session, peer);
    if (!c) {
        shutdown(socket, SHUT_RDWR);
        return NULL;
    }
    bound_unsent(socket);
    c->is_counted = is_bounded && !peer->is_local;
    pthread_mutex_lock(&l->lock);
    int fits = !c->is_counted || count_in(l, peer->number);
    if (fits) {
        c->next = l->first;
        if (c->next)
            c->next->prev = c;
        l->first = c;
    }
    pthread_mutex_unlock(&l->lock);
    if (fits)
        return c;
    refusal_send(socket, SM_TOO_MANY_REQUESTS, "This address has as many connections open as it may");
    shutdown(socket, SHUT_RDWR);
    free_conn(c);
    return NULL;
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
    if (c->is_counted)
        count_out(l, c->peer.number);
    pthread_mutex_unlock(&l->lock);
    free_conn(c);
}

/* What an answer's bytes may take. Nanoseconds. */
static uint64_t time_of(const struct conns *l, size_t size) {
    return (uint64_t)size * SECOND / ((uint64_t)l->settings->min_answer_kib_s << 10);
}

void conns_answer_more(const struct conns *l, struct conn *c, size_t size) {
    if (c)
        atomic_fetch_add_explicit(&c->until_ns, time_of(l, size), memory_order_relaxed);
}

int conns_phase(const struct conns *l, struct conn *c, enum conn_phase phase, size_t size) {
    if (!c)
        return 1;
    uint64_t now = sm_clock_coarse_ns();
    int old = atomic_load_explicit(&c->phase, memory_order_relaxed);
    if (phase == CONN_ANSWER)
        atomic_store_explicit(&c->until_ns, now + (uint64_t)l->settings->idle_timeout_s * SECOND + time_of(l, size),
                              memory_order_relaxed);
    atomic_store_explicit(&c->since_ns, now, memory_order_relaxed);
    while (old != CONN_LATE && !atomic_compare_exchange_weak(&c->phase, &old, phase))
        ;
    return old != CONN_LATE;
}

const struct peer *conns_peer(const struct conn *c) {
    static const struct peer nobody;
    return c ? &c->peer : &nobody;
}

void conns_work(struct conn *c, int is_at_work) {
    if (!c)
        return;
    uint64_t now = sm_clock_ns();
    if (is_at_work)
        c->work_ns = now;
    else
        atomic_fetch_add(&c->since_ns, now - c->work_ns); /* the client's time goes on where it was */
    atomic_store(&c->is_at_work, is_at_work);
}

unsigned long conns_request(struct conn *c) {
    return c ? atomic_fetch_add(&c->requests, 1) + 1 : 0;
}

sm_status conns_refusal(const struct conn *c, unsigned long request, struct error *err) {
    return c ? gate_refusal(c->gate, request, err) : SM_OK;
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

int conn_has_closed(const struct conn *c) {
    return gate_has_closed(c->gate);
}

/* 1 if the client closed in the middle of a body, and longer ago than it takes to look at the last bytes:
 * libmicrohttpd (0.9.75) does not notice an end that came together with data. */
static int has_left(struct conn *c, uint64_t now) {
    enum { NANOSECONDS = 100000000 };
    if (atomic_load(&c->phase) != CONN_BODY || !conn_has_closed(c)) {
        c->left_ns = 0;
        return 0;
    }
    if (!c->left_ns)
        c->left_ns = now;
    return now > c->left_ns + NANOSECONDS;
}

/* 1 if the client has sent what may be a request and has not begun yet. A request's bytes are in the socket first, then
 * in the hands of the thread that reads it, then they have passed the gate, then the request begins: it is looked for
 * in this order, so that it cannot slip by. */
static int is_unread(const struct conn *c) {
    int unread = 0;
    if (atomic_load(&c->phase) == CONN_LATE)
        return 0;
    return (ioctl(c->socket, FIONREAD, &unread) == 0 && unread > 0) || gate_is_reading(c->gate) ||
           atomic_load(&c->is_at_work) || gate_passed(c->gate) > atomic_load(&c->requests);
}

/* 1 if nothing has come since SINCE and nothing waits for a slow thread. It has to be so at two ticks in a row, as the
 * thread may just have read. */
static int is_idle(struct conn *c, uint64_t since) {
    int again = c->idle_since_ns == since;
    c->idle_since_ns = is_unread(c) ? 0 : since;
    return again && c->idle_since_ns;
}

/* The client has not taken all that was sent to it. */
static int has_unread(const struct conn *c) {
    int unread = 0;
    return ioctl(c->socket, SIOCOUTQ, &unread) == 0 && unread > 0;
}

/* 1 if the body has taken longer than a drain waits for one: since then no byte has come for a second, or it is not
 * there after five. What waits to be read is. */
static int holds_drain_up(const struct conns *l, struct conn *c, uint64_t last, uint64_t now) {
    enum { SILENT_S = 1, WHOLE_S = 5 };
    uint64_t begun = l->hastened_ns, silent_since = last > begun ? last : begun;
    if (!begun)
        return 0;
    return (now > silent_since + (uint64_t)SILENT_S * SECOND && is_idle(c, silent_since)) ||
           (now > begun + (uint64_t)WHOLE_S * SECOND && !is_unread(c));
}

/* 1 if the client, not the server, has taken longer than the phase may take. */
static int is_late(const struct conns *l, struct conn *c, int phase, uint64_t now) {
    const struct settings *s = l->settings;
    uint64_t since = atomic_load(&c->since_ns), moved = gate_moved_ns(c->gate);
    uint64_t idle = (uint64_t)s->idle_timeout_s * SECOND;
    uint64_t last = phase == CONN_BODY && moved > since ? moved : since;
    switch (phase) {
    case CONN_IDLE:
        return now > last + idle && is_idle(c, last);
    case CONN_BODY:
        if (atomic_load(&c->is_at_work))
            return 0;
        if (holds_drain_up(l, c, last, now))
            return 1;
        return now > since + (uint64_t)s->request_timeout_s * SECOND || (now > last + idle && is_idle(c, last));
    case CONN_ANSWER:
        return now > atomic_load(&c->until_ns) && has_unread(c);
    default:
        return 0;
    }
}

/* Makes the connection late, so that its thread sends nothing more, tells the client why if it was sending a request,
 * and shuts the socket. */
static void give_up_conn(const struct conns *l, struct conn *c, int phase) {
    int has_begun = phase == CONN_BODY || (phase == CONN_IDLE && gate_has_begun(c->gate));
    if (!atomic_compare_exchange_strong(&c->phase, &phase, CONN_LATE))
        return; /* it has gone on */
    if (has_begun && l->hastened_ns)
        refusal_send(c->socket, SM_DRAINING, "The server stops, and the request has not come whole");
    else if (has_begun)
        refusal_send(c->socket, SM_REQUEST_TIMEOUT, "The request has not come in the time that this server gives it");
    shutdown(c->socket, SHUT_RDWR);
}

void conns_tick(struct conns *l) {
    uint64_t now = sm_clock_ns();
    pthread_mutex_lock(&l->lock);
    for (struct conn *c = l->first; c; c = c->next) {
        int phase = atomic_load(&c->phase);
        if (c->gone && conn_has_closed(c))
            c->gone(c->arg);
        if (is_late(l, c, phase, now) || has_left(c, now))
            give_up_conn(l, c, phase);
    }
    pthread_mutex_unlock(&l->lock);
}

void conns_hasten(struct conns *l) {
    pthread_mutex_lock(&l->lock);
    l->hastened_ns = sm_clock_ns();
    pthread_mutex_unlock(&l->lock);
}

int conns_unread(struct conns *l) {
    int n = 0;
    pthread_mutex_lock(&l->lock);
    for (const struct conn *c = l->first; c; c = c->next)
        n += is_unread(c);
    pthread_mutex_unlock(&l->lock);
    return n;
}

void conns_shut(struct conns *l, enum conn_phase phase) {
    pthread_mutex_lock(&l->lock);
    for (struct conn *c = l->first; c; c = c->next)
        if (atomic_load(&c->phase) <= (int)phase)
            shutdown(c->socket, SHUT_RDWR);
    pthread_mutex_unlock(&l->lock);
}

void conns_end(struct conns *l) {
    for (struct hash_node *n = hash_first(&l->addresses), *next; n; n = next) {
        next = hash_next(&l->addresses, n);
        free(container_of(n, struct address, node));
    }
    hash_free(&l->addresses);
    pthread_mutex_destroy(&l->lock);
}
