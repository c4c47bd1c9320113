/* fleetsim.h - a fleet, simulated event by event: nodes with workers and a queue, a cache at each node, one that all share,
 * and claims, so that a key is compiled once. The same seed gives the same fleet, the same requests and the same figures.
 * All times are in milliseconds. A program that runs out of memory ends.
 *
 * A request goes to the node that consistent hashing names for its key. The node answers from its own cache; or it asks the
 * shared tier, joins the request that it has for the same key already, waits for another node that compiles it, or compiles
 * it: first come, first served.
 */
#ifndef BENCH_FLEETSIM_H
#define BENCH_FLEETSIM_H

#include <stdint.h>

struct fleet {
    int nodes, workers; /* workers of each node */
    int points;         /* of each node on the ring */
    double hit_ms;      /* an answer from a node's own cache */
    double
        around_ms;   /* what a request takes beside its compile: on its way, and until the shared tier has answered */
    double write_ms; /* from the end of a compile until the shared tier has it */
    double claim_ms; /* how long a node waits for another that compiles the same */
};

/* What is asked for: a request is, with the probability HIT, for one of the last WINDOW keys, else for a new one. */
struct demand {
    uint64_t seed;
    int requests;
    double rate; /* requests a millisecond */
    double hit;  /* 0 to 1 */
    int window;  /* keys */
    double
        stray; /* 0 to 1: a request that goes to any node, as a load balancer sends one whose node is busy or away */
    const double *service_ms; /* a compile takes one of these; borrowed */
    int services;
};

/* Who answered. */
enum fleet_from { FROM_MEMORY, FROM_FLIGHT, FROM_SHARED, FROM_COMPILE, FLEET_FROM };

struct fleet_request {
    double at_ms, took_ms, service_ms; /* the last: of its key's compile */
    int key, node;
    enum fleet_from from;
};

struct fleet_result {
    struct fleet_request *request; /* in the order of their arrival; of the result */
    int requests, nodes;
    double *share;     /* of the keys, by node; of the result */
    double end_ms;     /* the last answer */
    double busy_ms;    /* of all workers */
    double present_ms; /* integral over time of the compiles that wait or run: by Little's law their sum of times */
    double sojourn_ms; /* sum over compiles, from arrival in the queue to the end */
    double wait_ms;    /* sum over compiles, in the queue */
    long compiles, twice;   /* all; those of a key that was compiled or claimed before */
    long waited;            /* lookups that waited for another node */
    long count[FLEET_FROM]; /* answers */
};

/* The requests alone, with their nodes: what a real fleet can be sent. *New*. */
struct fleet_result fleet_plan(const struct fleet *f, const struct demand *d);

/* Runs the plan through the simulated fleet: fills in the rest. */
void fleet_run(const struct fleet *f, struct fleet_result *r);

void fleet_free(struct fleet_result *r);

#endif
