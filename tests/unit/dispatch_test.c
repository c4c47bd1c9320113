/* dispatch_test.c - the door for jobs: who cancels while a file is read is heard, and the job is not compiled. */
#include "dispatch.h"

#include <criterion/criterion.h>
#include <string.h>

/* A cache and a pool that do what the tests say, in place of the daemon's. */
static struct {
    struct result *memory;  /* what the cache has in memory */
    int on_disk;            /* boolean: a file may be there */
    int earlier_on_disk;    /* boolean: likewise, of the artifact whose parts are wanted */
    struct result *earlier; /* what memory has of that */
    int took;               /* boolean: the job that was submitted has its parts */
    struct cache_read *read;
    struct result *known; /* what the pool remembers */
    sm_status refusal;
    sm_status no_room; /* what the budget says to a hit in memory */
    int submitted, cancelled, looks, remembered, kept, released;
} fake;

int cache_find(struct cache *c, const struct sm_key *key, int kind, uint64_t client, struct found *found) {
    (void)c;
    (void)key;
    (void)client;
    cr_assert_eq(kind, CACHE_NO_KIND);
    fake.looks++;
    *found = (struct found){NULL, fake.memory ? result_ref(fake.memory) : NULL, fake.no_room};
    if (fake.no_room != SM_OK) {
        result_unref(found->result);
        found->result = NULL;
    }
    return fake.memory != NULL;
}

void cache_remember(struct cache *c, const struct job *job) {
    (void)c;
    (void)job;
    fake.remembered++;
}

static int is_earlier(const struct sm_key *key) {
    return key->byte[0] == 0xbb;
}

struct result *cache_find_aside(struct cache *c, const struct sm_key *key) {
    (void)c;
    cr_assert(is_earlier(key));
    return fake.earlier ? result_keep(fake.earlier) : NULL;
}

int cache_may_read(struct cache *c, const struct sm_key *key) {
    (void)c;
    return is_earlier(key) ? fake.earlier_on_disk : fake.on_disk;
}

void cache_read(struct cache *c, struct cache_read *read) {
    (void)c;
    fake.read = read;
}

void cache_keep_shared(struct cache *c, const struct job *job, struct result *result) {
    (void)c;
    (void)job;
    (void)result;
    fake.kept++;
}

void cache_release(struct cache *c, const struct sm_key *key) {
    (void)c;
    (void)key;
    fake.released++;
}

void cache_explain_miss(struct cache *c, const struct job *job, char *text, size_t size) {
    (void)c;
    (void)job;
    snprintf(text, size, "explained");
}

sm_status pool_submit(struct pool *p, struct job *job, struct waiter *w, struct result **known) {
    (void)p;
    (void)w;
    fake.submitted++;
    fake.took = job->earlier != NULL;
    *known = fake.known ? result_ref(fake.known) : NULL;
    job_free(job);
    return fake.refusal;
}

int pool_cancel(struct pool *p, struct waiter *w) {
    (void)p;
    (void)w;
    fake.cancelled++;
    return 1;
}

struct pool_state pool_state(struct pool *p) {
    (void)p;
    return (struct pool_state){.ready = 1};
}

static struct settings settings;
static struct metrics metrics;
static struct budget *budget;
static struct dispatch *d;

/* One who waits, and what it was told. */
static struct {
    struct waiter waiter;
    int told;
    sm_status status;
} one;

static void on_done(struct waiter *w, struct result *result) {
    cr_assert_eq(w, &one.waiter);
    one.told++;
    one.status = result ? result->status : SM_CANCELLED;
}

static void setup(void) {
    settings.queue_mib = 1;
    budget = budget_new(&settings, &metrics);
    d = dispatch_new(&settings, &metrics, budget, NULL, NULL);
    cr_assert_not_null(d);
    one.waiter.done = on_done;
    one.waiter.watch_fd = -1;
}

static void teardown(void) {
    result_unref(fake.memory);
    result_unref(fake.known);
    result_unref(fake.earlier);
    cr_expect_eq(metric_get(&metrics, METRIC_BODY_BYTES), 0);
    dispatch_free(d);
    budget_free(budget);
}

static struct job *new_job(void) {
    struct job *job = job_new(SM_JOB_COMPILE);
    cr_assert_not_null(job);
    memset(job->key.byte, 0xaa, sizeof job->key.byte);
    return job;
}

TestSuite(dispatch, .init = setup, .fini = teardown);

Test(dispatch, what_is_in_memory_is_told_at_once) {
    fake.memory = result_failure(SM_OK, "");
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert_eq(one.told, 1);
    cr_assert_eq(one.waiter.from, FROM_MEMORY);
    cr_assert_eq(fake.submitted, 0);
    cr_assert_eq(fake.looks, 1);
    cr_assert_eq(fake.remembered, 1);
}

Test(dispatch, what_is_nowhere_goes_to_the_pool) {
    struct job *job = new_job();
    job->options.explain = 1;
    cr_assert_eq(dispatch_submit(d, job, &one.waiter), SM_OK);
    cr_assert_eq(fake.submitted, 1);
    cr_assert_eq(one.told, 0);
    cr_assert_eq(fake.remembered, 0);
    cr_assert_str_eq(one.waiter.missed, "explained");
}

Test(dispatch, a_file_that_is_gone_means_a_compile) {
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert_eq(fake.submitted, 0);
    fake.read->done(fake.read, NULL);
    cr_assert_eq(fake.submitted, 1);
    cr_assert_eq(one.told, 0);
}

Test(dispatch, a_file_is_told_as_from_disk) {
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    struct result *r = result_failure(SM_OK, "");
    fake.read->from = FROM_DISK;
    fake.read->done(fake.read, r);
    result_unref(r);
    cr_assert_eq(one.told, 1);
    cr_assert_eq(one.waiter.from, FROM_DISK);
    cr_assert(fake.submitted == 0 && fake.kept == 0);
}

Test(dispatch, what_the_shared_tier_had_is_kept_on_disk) {
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    struct result *r = result_failure(SM_OK, "");
    fake.read->from = FROM_SHARED;
    fake.read->done(fake.read, r);
    result_unref(r);
    cr_assert(one.told == 1 && one.waiter.from == FROM_SHARED && fake.kept == 1 && fake.released == 0);
}

/* Others wait for who claims a key: only for one that will be compiled, and no longer than it may be. */
Test(dispatch, a_claim_is_for_what_is_compiled_and_ends_with_it) {
    struct job *job = new_job();
    fake.on_disk = 1;
    job->options.cache = SM_CACHING_ONLY;
    cr_assert_eq(dispatch_submit(d, job, &one.waiter), SM_OK);
    cr_assert_not(fake.read->claims);
    fake.read->done(fake.read, NULL);
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert(fake.read->claims);
    fake.read->done(fake.read, NULL);
    cr_assert(fake.submitted == 1 && fake.released == 0);
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert(dispatch_cancel(d, &one.waiter));
    fake.read->done(fake.read, NULL);
    cr_assert(fake.submitted == 1 && fake.released == 1);
    fake.refusal = SM_OVERLOADED;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    fake.read->done(fake.read, NULL);
    cr_assert(fake.submitted == 2 && fake.released == 2);
}

Test(dispatch, who_cancels_while_a_file_is_read_is_not_compiled) {
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert_eq(dispatch_cancel(d, &one.waiter), 1);
    memset(&one.waiter, 0xee, sizeof one.waiter); /* it is the caller's again */
    fake.read->done(fake.read, NULL);
    cr_assert_eq(fake.submitted, 0);
    cr_assert_eq(fake.cancelled, 0);
    cr_assert_eq(one.told, 0);
}

Test(dispatch, who_cancels_later_cancels_at_the_pool) {
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    fake.read->done(fake.read, NULL);
    cr_assert_eq(dispatch_cancel(d, &one.waiter), 1);
    cr_assert_eq(fake.cancelled, 1);
}

Test(dispatch, a_failure_that_is_remembered_is_told_without_a_worker) {
    fake.known = result_failure(SM_COMPILER_CRASHED, "");
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert_eq(one.told, 1);
    cr_assert_eq(one.status, SM_COMPILER_CRASHED);
}

Test(dispatch, cache_only_asks_for_no_compile) {
    struct job *job = new_job();
    job->options.cache = SM_CACHING_ONLY;
    cr_assert_eq(dispatch_submit(d, job, &one.waiter), SM_OK);
    cr_assert_eq(one.told, 1);
    cr_assert_eq(one.status, SM_ARTIFACT_NOT_FOUND);
    cr_assert_eq(fake.submitted, 0);
}

Test(dispatch, a_refusal_after_the_disk_is_told_and_before_it_returned) {
    fake.refusal = SM_OVERLOADED;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OVERLOADED);
    cr_assert_eq(one.told, 0);
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    fake.read->done(fake.read, NULL);
    cr_assert_eq(one.told, 1);
    cr_assert_eq(one.status, SM_OVERLOADED);
}

Test(dispatch, who_has_looked_into_memory_is_not_looked_up_again) {
    fake.memory = result_failure(SM_OK, "");
    cr_assert_eq(dispatch_miss(d, new_job(), &one.waiter), SM_OK);
    cr_assert_eq(fake.looks, 0);
    cr_assert_eq(fake.submitted, 1);
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    cr_assert_eq(fake.looks, 1);
}

/* ---- Parts of an earlier artifact -------------------------------------------------------------------------------- */

static struct result *with_parts(void) {
    static unsigned char parts[100000]; /* more than the reserve has for who holds much */
    struct result *r = result_failure(SM_OK, "");
    cr_assert_not_null(r);
    r->kept = (sm_slice){parts, sizeof parts};
    return r;
}

static struct job *incremental_job(void) {
    struct job *job = new_job();
    job->options.split = SM_SPLIT_FUNCTIONS;
    memset(job->options.incremental, 'b', 64);
    return job;
}

Test(dispatch, parts_come_from_memory) {
    fake.earlier = with_parts();
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    cr_assert(fake.submitted == 1 && fake.took);
}

Test(dispatch, parts_come_from_disk_and_are_no_answer) {
    struct result *earlier = with_parts();
    fake.earlier_on_disk = 1;
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    cr_assert(fake.submitted == 0 && fake.read->aside);
    fake.read->done(fake.read, earlier);
    cr_assert(fake.submitted == 1 && fake.took && one.told == 0);
    result_unref(earlier);
}

/* The answer is looked for first, then the parts. */
Test(dispatch, both_are_looked_for_on_disk) {
    struct result *earlier = with_parts();
    fake.on_disk = fake.earlier_on_disk = 1;
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    cr_assert_not(fake.read->aside);
    fake.read->done(fake.read, NULL);
    cr_assert(fake.submitted == 0 && fake.read->aside);
    fake.read->done(fake.read, earlier);
    cr_assert(fake.submitted == 1 && fake.took);
    result_unref(earlier);
}

Test(dispatch, an_answer_on_disk_needs_no_parts) {
    struct result *answer = result_failure(SM_OK, "");
    fake.on_disk = fake.earlier_on_disk = 1;
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    fake.read->from = FROM_DISK;
    fake.read->done(fake.read, answer);
    cr_assert(fake.submitted == 0 && one.told == 1 && one.waiter.from == FROM_DISK);
    result_unref(answer);
}

Test(dispatch, parts_that_are_nowhere_are_not_waited_for) {
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    cr_assert(fake.submitted == 1 && !fake.took);
    fake.earlier_on_disk = 1;
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    fake.read->done(fake.read, NULL);
    cr_assert(fake.submitted == 2 && !fake.took);
}

/* What is held while a job waits is bounded as bodies are. */
Test(dispatch, parts_that_would_be_too_much_are_left) {
    struct charge others = {0};
    fake.earlier = with_parts();
    cr_assert_eq(budget_take(budget, &others, HELD_BODY, one.waiter.client, budget_most(budget, HELD_BODY)), SM_OK);
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    cr_assert(fake.submitted == 1 && !fake.took);
    budget_give(&others, 0);
}

/* A hit in memory, or a file, for which there is no room is refused, and neither compiled nor lost. */
Test(dispatch, what_has_no_room_is_refused) {
    fake.memory = result_failure(SM_OK, "");
    fake.no_room = SM_TOO_MANY_REQUESTS;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_TOO_MANY_REQUESTS);
    cr_assert(fake.submitted == 0 && one.told == 0);
    result_unref(fake.memory);
    fake.memory = NULL;
    fake.on_disk = 1;
    cr_assert_eq(dispatch_submit(d, new_job(), &one.waiter), SM_OK);
    fake.read->refused = SM_OVERLOADED;
    fake.read->done(fake.read, NULL);
    cr_assert(fake.submitted == 0 && one.told == 1 && one.status == SM_OVERLOADED);
}

Test(dispatch, who_leaves_while_parts_are_read_is_heard) {
    struct result *earlier = with_parts();
    fake.earlier_on_disk = 1;
    cr_assert_eq(dispatch_submit(d, incremental_job(), &one.waiter), SM_OK);
    cr_assert(dispatch_cancel(d, &one.waiter));
    fake.read->done(fake.read, earlier);
    cr_assert(fake.submitted == 0 && one.told == 0);
    result_unref(earlier);
}
