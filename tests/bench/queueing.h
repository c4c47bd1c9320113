/* queueing.h - how long work waits at a node, by queueing theory. All times are in milliseconds.
 *
 * A node is a queue with several workers: work comes at random (Poisson), and takes what was measured (M/G/k). Its mean wait
 * is that of the queue with exponential times (M/M/k, Erlang's formula C) times half of 1 + the squared coefficient of
 * variation: the formula of Allen and Cunneen (A. O. Allen, Probability, Statistics, and Queueing Theory with Computer
 * Science Applications, Academic Press 1990, chapter 5). Who waits at all waits exponentially, as in M/M/k.
 */
#ifndef BENCH_QUEUEING_H
#define BENCH_QUEUEING_H

/* Times that were measured, sorted, with their mean and their squared coefficient of variation. */
struct service {
    const double *ms; /* borrowed */
    int count;
    double mean, variation;
};
struct service service_of(double *ms, int count); /* sorts MS */

/* The probability that work has to wait: Erlang's formula C for so many workers of whom LOAD are busy in the mean. */
double erlang_c(int workers, double load);

/* A node that gets so much work a millisecond; work that is endless if it is more than the workers can do. */
struct node_model {
    int workers;
    double rate;
    double share; /* of all work of the fleet */
};
double node_wait(const struct node_model *n, const struct service *s);

/* Of all work of these nodes: the mean time until it is done, and the time in which the Q-quantile is done. */
double fleet_mean(const struct node_model *n, int nodes, const struct service *s);
double fleet_quantile(const struct node_model *n, int nodes, const struct service *s, double q);

#endif
