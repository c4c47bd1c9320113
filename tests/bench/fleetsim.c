/* fleetsim.c - see fleetsim.h. */
#include "fleetsim.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* As smd's: between two looks at what another node compiles. */
static const double look_least_ms = 5, look_most_ms = 100;

static void *allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p)
        abort();
    return p;
}

/* ---- Chance ------------------------------------------------------------------------------------------------- */

/* splitmix64 */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t next(uint64_t *state) {
    return mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* 0 to 1, without 1 */
static double chance(uint64_t *state) {
    return (double)(next(state) >> 11) / 9007199254740992.0;
}

static int one_of(uint64_t *state, int count) {
    return (int)(chance(state) * count);
}

/* ---- The ring ----------------------------------------------------------------------------------------------- */

struct point {
    uint64_t at;
    int node;
};

struct ring {
    struct point *point; /* sorted; owned */
    int count;
};

static int by_place(const void *a, const void *b) {
    const struct point *p = a, *q = b;
    return (p->at > q->at) - (p->at < q->at);
}

static struct ring ring_new(const struct fleet *f) {
    struct ring r = {.count = f->nodes * f->points};
    r.point = allocate((size_t)r.count, sizeof *r.point);
    for (int i = 0; i < r.count; i++)
        r.point[i] = (struct point){mix((uint64_t)i + UINT64_C(0x9e3779b97f4a7c15)), i / f->points};
    qsort(r.point, (size_t)r.count, sizeof *r.point, by_place);
    return r;
}

/* The first point behind a key's place. */
static int ring_node(const struct ring *r, int key) {
    uint64_t at = mix(~(uint64_t)key);
    int low = 0, high = r->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (r->point[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return r->point[low % r->count].node;
}

/* What part of all keys each node has. */
static void ring_shares(const struct ring *r, double *share) {
    for (int i = 0; i < r->count; i++) {
        uint64_t before = r->point[(i + r->count - 1) % r->count].at; /* arithmetic modulo the ring's length */
        share[r->point[i].node] += (double)(r->point[i].at - before) / 18446744073709551616.0;
    }
}

/* ---- Demand ------------------------------------------------------------------------------------------------- */

struct fleet_result fleet_plan(const struct fleet *f, const struct demand *d) {
    struct fleet_result r = {.requests = d->requests, .nodes = f->nodes};
    struct ring ring = ring_new(f);
    uint64_t arrivals = mix(d->seed + 1), keys = mix(d->seed + 2), nodes = mix(d->seed + 3);
    double at = 0;
    int known = 0;
    r.request = allocate((size_t)d->requests, sizeof *r.request);
    r.share = allocate((size_t)f->nodes, sizeof *r.share);
    ring_shares(&ring, r.share);
    for (int i = 0; i < d->requests; i++) {
        struct fleet_request *q = &r.request[i];
        int again = known && chance(&keys) < d->hit;
        at -= log(1 - chance(&arrivals)) / d->rate;
        q->at_ms = at;
        q->key = again ? known - 1 - one_of(&keys, known < d->window ? known : d->window) : known++;
        q->node = chance(&nodes) < d->stray ? one_of(&nodes, f->nodes) : ring_node(&ring, q->key);
        q->service_ms = d->service_ms[mix(d->seed ^ mix((uint64_t)q->key)) % (uint64_t)d->services];
    }
    free(ring.point);
    return r;
}

void fleet_free(struct fleet_result *r) {
    free(r->request);
    free(r->share);
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

enum what { ARRIVES, LOOKS, COMPILED, WRITTEN };

struct event {
    double at;
    long number; /* those of one moment come in the order in which they were planned */
    enum what what;
    int flight; /* of ARRIVES: the request; of WRITTEN: the key */
};

/* A binary heap: the next event is the first. */
struct agenda {
    struct event *event;
    int count, room;
    long planned;
};

static int is_before(const struct event *a, const struct event *b) {
    return a->at < b->at || (a->at == b->at && a->number < b->number);
}

static void plan(struct agenda *a, double at, enum what what, int flight) {
    struct event e = {at, a->planned++, what, flight};
    int i = a->count++;
    if (a->count > a->room) {
        a->room = 2 * a->count + 64;
        a->event = realloc(a->event, (size_t)a->room * sizeof *a->event);
        if (!a->event)
            abort();
    }
    for (; i > 0 && is_before(&e, &a->event[(i - 1) / 2]); i = (i - 1) / 2)
        a->event[i] = a->event[(i - 1) / 2];
    a->event[i] = e;
}

static struct event take(struct agenda *a) {
    struct event first = a->event[0], last = a->event[--a->count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < a->count; i = child) {
        child += child + 1 < a->count && is_before(&a->event[child + 1], &a->event[child]);
        if (!is_before(&a->event[child], &last))
            break;
        a->event[i] = a->event[child];
    }
    a->event[i] = last;
    return first;
}

/* ---- The fleet ---------------------------------------------------------------------------------------------- */

enum { NONE = -1 };

/* What a node knows of a key. It is named by the request that was the first. */
struct flight {
    int request, last;    /* those that wait: a list by `follower` */
    int next;             /* flight of the same key at another node */
    int behind;           /* flight behind it in the node's queue */
    double begun, queued; /* when it first asked the shared tier; when it came into the queue */
    int is_over, waited;  /* booleans */
};

struct node {
    int busy, first, last; /* of the queue */
};

struct key {
    int flights;                             /* the first of a list */
    int is_shared, is_claimed, was_compiled; /* booleans */
};

struct world {
    const struct fleet *fleet;
    struct fleet_result *result;
    struct agenda agenda;
    struct node *node;
    struct key *key;
    struct flight *flight;
    int *follower; /* by request: the next that waits for the same flight */
    int flights;
    long present; /* compiles that wait or run */
    double now;
};

static void answer(struct world *w, int request, enum fleet_from from, double at) {
    struct fleet_request *q = &w->result->request[request];
    q->took_ms = at - q->at_ms;
    q->from = from;
    w->result->count[from]++;
    if (at > w->result->end_ms)
        w->result->end_ms = at;
}

/* The flight is over: the first request has its answer from FROM, those who joined it as one flight. */
static void land(struct world *w, struct flight *f, enum fleet_from from) {
    for (int i = f->request, first = 1; i != NONE; i = w->follower[i], first = 0)
        answer(w, i, first ? from : FROM_FLIGHT, w->now);
    f->is_over = 1;
}

static void begin_compile(struct world *w, int number) {
    const struct flight *f = &w->flight[number];
    const struct fleet_request *q = &w->result->request[f->request];
    w->node[q->node].busy++;
    w->result->wait_ms += w->now - f->queued;
    w->result->busy_ms += q->service_ms;
    plan(&w->agenda, w->now + q->service_ms, COMPILED, number);
}

static void enqueue(struct world *w, int number) {
    struct flight *f = &w->flight[number];
    struct node *n = &w->node[w->result->request[f->request].node];
    struct key *k = &w->key[w->result->request[f->request].key];
    w->result->twice += k->was_compiled;
    k->was_compiled = 1;
    f->queued = w->now;
    w->present++;
    if (n->busy < w->fleet->workers) {
        begin_compile(w, number);
        return;
    }
    if (n->first == NONE)
        n->first = number;
    else
        w->flight[n->last].behind = number;
    n->last = number;
}

/* The shared tier answers: it has the entry, or the flight gets the claim, or it looks again later. */
static void look(struct world *w, int number) {
    struct flight *f = &w->flight[number];
    struct key *k = &w->key[w->result->request[f->request].key];
    double elapsed = w->now - f->begun;
    if (k->is_shared) {
        land(w, f, FROM_SHARED);
    } else if (!k->is_claimed || elapsed >= w->fleet->claim_ms) {
        k->is_claimed = 1;
        enqueue(w, number);
    } else {
        w->result->waited += !f->waited;
        f->waited = 1;
        plan(&w->agenda, w->now + fmin(fmax(elapsed / 2, look_least_ms), look_most_ms), LOOKS, number);
    }
}

static void arrive(struct world *w, int request) {
    const struct fleet_request *q = &w->result->request[request];
    struct key *k = &w->key[q->key];
    int number = k->flights;
    w->follower[request] = NONE;
    while (number != NONE && w->result->request[w->flight[number].request].node != q->node)
        number = w->flight[number].next;
    if (number == NONE) {
        number = w->flights++;
        w->flight[number] =
            (struct flight){.request = request, .last = request, .next = k->flights, .behind = NONE, .begun = w->now};
        k->flights = number;
        plan(&w->agenda, w->now + w->fleet->around_ms, LOOKS, number);
    } else if (w->flight[number].is_over) {
        answer(w, request, FROM_MEMORY, w->now + w->fleet->hit_ms);
    } else {
        w->follower[w->flight[number].last] = request;
        w->flight[number].last = request;
    }
}

static void end_compile(struct world *w, int number) {
    struct flight *f = &w->flight[number];
    const struct fleet_request *q = &w->result->request[f->request];
    struct node *n = &w->node[q->node];
    w->present--;
    w->result->compiles++;
    w->result->sojourn_ms += w->now - f->queued;
    land(w, f, FROM_COMPILE);
    plan(&w->agenda, w->now + w->fleet->write_ms, WRITTEN, q->key);
    n->busy--;
    if (n->first != NONE) {
        int waiting = n->first;
        n->first = w->flight[waiting].behind;
        begin_compile(w, waiting);
    }
}

void fleet_run(const struct fleet *f, struct fleet_result *r) {
    struct world w = {.fleet = f, .result = r};
    size_t requests = (size_t)r->requests;
    w.node = allocate((size_t)f->nodes, sizeof *w.node);
    w.key = allocate(requests, sizeof *w.key);
    w.flight = allocate(requests, sizeof *w.flight);
    w.follower = allocate(requests, sizeof *w.follower);
    for (int i = 0; i < f->nodes; i++)
        w.node[i] = (struct node){0, NONE, NONE};
    for (size_t i = 0; i < requests; i++)
        w.key[i].flights = NONE;
    if (r->requests)
        plan(&w.agenda, r->request[0].at_ms, ARRIVES, 0);
    while (w.agenda.count) {
        struct event e = take(&w.agenda);
        assert(e.at >= w.now);
        r->present_ms += (double)w.present * (e.at - w.now);
        w.now = e.at;
        if (e.what == ARRIVES) {
            if (e.flight + 1 < r->requests)
                plan(&w.agenda, r->request[e.flight + 1].at_ms, ARRIVES, e.flight + 1);
            arrive(&w, e.flight);
        } else if (e.what == LOOKS) {
            look(&w, e.flight);
        } else if (e.what == COMPILED) {
            end_compile(&w, e.flight);
        } else {
            w.key[e.flight].is_shared = 1;
        }
    }
    free(w.agenda.event);
    free(w.node);
    free(w.key);
    free(w.flight);
    free(w.follower);
}
