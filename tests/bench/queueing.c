/* queueing.c - see queueing.h. */
#include "queueing.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct service service_of(double *ms, int count) {
    struct service s = {ms, count, 0, 0};
    qsort(ms, (size_t)count, sizeof *ms, by_value);
    for (int i = 0; i < count; i++)
        s.mean += ms[i] / count;
    for (int i = 0; i < count; i++)
        s.variation += (ms[i] - s.mean) * (ms[i] - s.mean) / count;
    s.variation /= s.mean * s.mean;
    return s;
}

double erlang_c(int workers, double load) {
    double blocked = 1; /* Erlang's formula B, by its recursion */
    if (load >= workers)
        return 1;
    for (int k = 1; k <= workers; k++)
        blocked = load * blocked / (k + load * blocked);
    return blocked / (1 - load / workers * (1 - blocked));
}

double node_wait(const struct node_model *n, const struct service *s) {
    double load = n->rate * s->mean;
    if (load >= n->workers)
        return INFINITY;
    return erlang_c(n->workers, load) * s->mean / (n->workers - load) * (1 + s->variation) / 2;
}

double fleet_mean(const struct node_model *n, int nodes, const struct service *s) {
    double sum = 0;
    for (int i = 0; i < nodes; i++)
        sum += n[i].share * node_wait(&n[i], s);
    return sum + s->mean;
}

/* The probability that work of a node takes more than MS. */
static double takes_more(const struct node_model *n, const struct service *s, double ms) {
    double waits = erlang_c(n->workers, n->rate * s->mean), wait = node_wait(n, s) / waits, sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += s->ms[i] > ms ? 1 : waits * exp((s->ms[i] - ms) / wait);
    return sum / s->count;
}

double fleet_quantile(const struct node_model *n, int nodes, const struct service *s, double q) {
    double low = 0, high = s->ms[s->count - 1];
    for (int i = 0; i < nodes; i++) {
        double wait = node_wait(&n[i], s);
        if (!isfinite(wait))
            return wait;
        high += n[i].share > 0 ? 100 * wait : 0;
    }
    while (high - low > s->mean / 1e4) {
        double middle = (low + high) / 2, more = 0;
        for (int i = 0; i < nodes; i++)
            more += n[i].share * takes_more(&n[i], s, middle);
        *(more > 1 - q ? &low : &high) = middle;
    }
    return high;
}
