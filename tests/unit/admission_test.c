/* admission_test.c - what waits for a second worker: its bounds, its order, and what counts as the same. */
#include "admission.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct settings settings = {.queue_mib = 8}; /* an eighth of it is a MiB */
static struct metrics metrics;
static struct admission a;

static void begin(void) {
    admission_init(&a, &settings, &metrics);
}

TestSuite(admission, .init = begin);

/* *New*: a job of this key. */
static struct job *make_job(int key, size_t input_len) {
    struct job *j = job_new(SM_JOB_COMPILE);
    memcpy(j->key.byte, &key, sizeof key);
    cr_assert(job_set_input(j, source_new(calloc(1, input_len + 1), input_len, &(struct charge){0})));
    return j;
}

/* *New*: a result of these bytes, without an artifact's form; KEPT may be NULL. */
static struct result *make_result(sm_status status, const char *bytes, const char *kept) {
    struct result *r = result_failure(status, "");
    size_t len = strlen(bytes), all = len + (kept ? strlen(kept) : 0);
    unsigned char *memory = malloc(all + 1);
    memcpy(memory, bytes, len);
    memcpy(memory + len, kept ? kept : "", all - len);
    result_give_bytes(r, memory, 0, len, NULL);
    if (kept)
        r->kept = (sm_slice){memory + len, all - len};
    return r;
}

static void add(int key, size_t input_len) {
    struct result *r = make_result(SM_OK, "bytes", NULL);
    admission_add(&a, make_job(key, input_len), r, 1, 1);
    result_unref(r);
}

static long long dropped(void) {
    return metric_get(&metrics, METRIC_ADMISSION_DROPPED);
}

Test(admission, one_of_a_key_waits) {
    add(1, 10);
    add(1, 10);
    admission_begin(&a, admission_next(&a));
    add(1, 10);
    cr_expect_eq(a.waiting + a.running, 1);
    cr_expect_eq(dropped(), 0);
    admission_free(&a);
    cr_expect_eq(dropped(), 1);
    cr_expect_eq(metric_get(&metrics, METRIC_ADMISSION_WAITING), 0);
}

Test(admission, what_is_over_the_bounds_is_not_kept) {
    enum { MIB = 1 << 20, WAITING_MAX = 1024 };
    add(1, MIB / 2);
    add(2, MIB / 2);
    cr_expect_eq(a.waiting, 1, "with the results it is more than a MiB");
    cr_expect_eq(dropped(), 1);
    admission_end(&a, admission_next(&a), METRIC_ADMITTED);
    cr_expect_eq(a.bytes, 0);
    for (int i = 0; i <= WAITING_MAX; i++)
        add(i, 10);
    cr_expect_eq(a.waiting, WAITING_MAX);
    cr_expect_eq(dropped(), 2);
    admission_free(&a);
}

Test(admission, who_gives_way_goes_behind_all) {
    add(1, 10);
    add(2, 10);
    struct confirmation *first = admission_next(&a);
    admission_begin(&a, first);
    cr_expect_neq(admission_next(&a), first);
    admission_put_back(&a, first);
    cr_expect_neq(admission_next(&a), first);
    admission_end(&a, admission_next(&a), METRIC_ADMITTED);
    cr_expect_eq(admission_next(&a), first);
    admission_free(&a);
}

/* Whether FIRST and SECOND, both *taken*, are the same; *IS_SECOND: the second is the one to keep. */
static int agree(struct result *first, struct result *second, int *is_second) {
    struct confirmation c = {.first = first};
    struct result *kept;
    int agrees = admission_agrees(&c, second, &kept);
    *is_second = kept == second;
    result_unref(first);
    result_unref(second);
    return agrees;
}

Test(admission, what_is_the_same) {
    int second;
    cr_expect(agree(make_result(SM_OK, "a", NULL), make_result(SM_OK, "a", NULL), &second));
    cr_expect_not(agree(make_result(SM_OK, "a", NULL), make_result(SM_OK, "b", NULL), &second));
    cr_expect_not(agree(make_result(SM_OK, "a", NULL), make_result(SM_OK, "aa", NULL), &second));
    cr_expect_not(agree(make_result(SM_OK, "a", NULL), make_result(SM_PARSE_ERROR, "a", NULL), &second));
    cr_expect_not(agree(make_result(SM_OK, "a", NULL), result_failure(SM_COMPILER_CRASHED, ""), &second));
    cr_expect_not(agree(make_result(SM_OK, "a", "p"), make_result(SM_OK, "a", "q"), &second));
    cr_expect(agree(make_result(SM_OK, "a", NULL), make_result(SM_OK, "a", "p"), &second) && !second,
              "parts that one worker made are not kept");
    cr_expect(agree(make_result(SM_OK, "a", "p"), make_result(SM_OK, "a", NULL), &second) && second);
    cr_expect(agree(make_result(SM_OK, "a", "p"), make_result(SM_OK, "a", "p"), &second));
    cr_expect(agree(result_failure(SM_CPU_LIMIT, "x"), result_failure(SM_CPU_LIMIT, "y"), &second) && second);
}
