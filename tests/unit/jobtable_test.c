/* jobtable_test.c - what a waiter is told of the times of its job. */
#include "jobtable.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

static struct settings settings = {.queue_jobs = 16, .client_jobs = 16, .workers = 1};
static struct metrics metrics;

static void on_done(struct waiter *w, struct result *result) {
    (void)w, (void)result;
}

/* A job that arrives at ARRIVED and is given to a worker at STARTED. *W is told of it. */
static void run_job(struct waiter *w, uint64_t arrived, uint64_t started) {
    struct jobtable t = {0};
    struct result *known, *r = result_failure(SM_PARSE_ERROR, "");
    struct job *job = job_new(SM_JOB_COMPILE);
    cr_assert(job_set_input(job, source_new(calloc(1, 4), 3, &(struct charge){0})));
    jobtable_init(&t, &settings, &metrics, NULL, NULL, NULL, -1, 0, 8);
    *w = (struct waiter){.done = on_done, .watch_fd = -1, .deadline_ns = arrived + 1000000000};
    cr_assert_eq(jobtable_submit(&t, job, w, arrived, &known), SM_OK);
    cr_assert_eq(jobtable_next(&t, QUEUE_ALL, started), job);
    cr_assert_null(jobtable_finish(&t, job, r));
    result_unref(r);
    jobtable_free(&t);
}

Test(jobtable, a_waiter_is_told_how_long_its_job_waited) {
    struct waiter w;
    run_job(&w, 1000000, 6000000);
    cr_expect_eq(w.ran_ns, 6000000);
    cr_expect_eq(w.queue_us, 5000);
}

/* The pool reads its clock, and then takes what has come in the meantime. */
Test(jobtable, a_job_does_not_begin_before_it_arrives) {
    struct waiter w;
    run_job(&w, 6000000, 1000000);
    cr_expect_eq(w.ran_ns, 6000000);
    cr_expect_eq(w.queue_us, 0);
}
