/* Modules that were sent before: found by a hash, proved by their bytes. */
#include "inputs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct inputs all;

static void setup(void) {
    cr_assert(inputs_init(&all));
}

static void teardown(void) {
    inputs_free(&all);
    cr_assert_eq(inputs_bytes(&all), 0);
}

TestSuite(inputs, .init = setup, .fini = teardown);

/* A job that has its digest and its key, which here are made of its text's first letter. */
static struct job *job_of(const char *text) {
    struct job *j = job_new(SM_JOB_COMPILE);
    cr_assert_not_null(j);
    cr_assert(job_set_input(j, source_new((unsigned char *)strdup(text), strlen(text), NULL)));
    memset(j->digest, text[0], sizeof j->digest);
    memset(j->name.byte, text[0] + j->options.opt, sizeof j->name.byte);
    return j;
}

static void keep(struct job *j, const char *context) {
    struct sm_key hash;
    inputs_hash(&all, j->input, j->input_len, &hash);
    struct input *in = input_new(&hash, j);
    cr_assert_not_null(in);
    inputs_add(&all, in, j, context);
}

enum { NOTHING, DIGEST, KEY };

/* What is known of a job as it comes, which the digest and the key that it is then given must be those of. */
static int known(const struct job *j, const char *context) {
    struct sm_key hash, key;
    inputs_hash(&all, j->input, j->input_len, &hash);
    struct input *in = inputs_find(&all, &hash, j->input_len);
    int what = !in || !input_is(in, j->input) ? NOTHING : input_key(in, j, context, &key) ? KEY : DIGEST;
    if (what != NOTHING)
        cr_assert_eq(memcmp(input_digest(in), j->digest, sizeof j->digest), 0);
    if (what == KEY)
        cr_assert(sm_key_equal(&key, &j->name));
    input_unref(in);
    return what;
}

Test(inputs, what_was_sent_is_known_and_nothing_else) {
    struct job *a = job_of("a module"), *b = job_of("b module"), *longer = job_of("a module ");
    keep(a, "context");
    cr_assert_eq(known(a, "context"), KEY);
    cr_assert_eq(known(b, "context"), NOTHING);
    cr_assert_eq(known(longer, "context"), NOTHING);
    job_free(a);
    job_free(b);
    job_free(longer);
}

/* A key is made of more than the module. */
Test(inputs, a_key_is_known_with_the_same_options_kind_and_context_alone) {
    struct job *a = job_of("a module"), *other = job_of("a module"), *foreign = job_of("a module");
    keep(a, "context");
    other->options.opt = SM_OPT_0;
    foreign->kind = SM_JOB_STACKMAP;
    cr_assert_eq(known(other, "context"), DIGEST);
    cr_assert_eq(known(foreign, "context"), DIGEST);
    cr_assert_eq(known(a, "another"), DIGEST);
    memset(other->name.byte, 'x', sizeof other->name.byte);
    keep(other, "context");
    cr_assert_eq(known(other, "context"), KEY);
    cr_assert_eq(known(a, "context"), KEY);
    job_free(a);
    job_free(other);
    job_free(foreign);
}

static void worst_hash(const struct inputs *i, const void *bytes, size_t len, unsigned char out[16]) {
    (void)i;
    (void)bytes;
    (void)len;
    memset(out, 7, 16);
}

/* Every two modules collide: each is told apart by its bytes, and the last one has the place. */
Test(inputs, modules_of_one_hash_are_told_apart) {
    all.hash = worst_hash;
    struct job *a = job_of("a module"), *b = job_of("b module"), *c = job_of("c, a longer module");
    keep(a, "context");
    cr_assert_eq(known(b, "context"), NOTHING);
    keep(b, "context");
    cr_assert_eq(known(b, "context"), KEY);
    cr_assert_eq(known(a, "context"), NOTHING);
    cr_assert_eq(known(c, "context"), NOTHING);
    keep(c, "context");
    keep(a, "context");
    cr_assert_eq(known(a, "context"), KEY);
    cr_assert_eq(known(b, "context"), NOTHING);
    cr_assert_eq(known(c, "context"), NOTHING);
    cr_assert_eq(all.modules.count, 1);
    job_free(a);
    job_free(b);
    job_free(c);
}

/* An input that is being compared when another one takes its place. */
Test(inputs, a_reference_outlives_the_place) {
    struct job *a = job_of("a module");
    struct sm_key hash, key;
    keep(a, "context");
    inputs_hash(&all, a->input, a->input_len, &hash);
    struct input *in = inputs_find(&all, &hash, a->input_len);
    cr_assert_not_null(in);
    inputs_drop_oldest(&all);
    cr_assert(input_is(in, a->input));
    cr_assert_not(input_key(in, a, "context", &key));
    input_unref(in);
    job_free(a);
}

Test(inputs, all_bytes_are_counted) {
    char text[100];
    size_t empty = inputs_bytes(&all), before = empty;
    for (int i = 0; i < 200; i++) {
        snprintf(text, sizeof text, "%c module %d", 'a' + i % 20, i);
        struct job *j = job_of(text);
        j->options.gc_registers = i % 50; /* more sets of options than are remembered */
        keep(j, "context");
        cr_assert_geq(inputs_bytes(&all), before + j->input_len);
        before = inputs_bytes(&all);
        keep(j, "context"); /* again: nothing grows */
        cr_assert_eq(inputs_bytes(&all), before);
        job_free(j);
    }
    cr_assert_geq(before, 200 * 8 + 50 * sizeof(sm_options));
    while (all.modules.oldest)
        inputs_drop_oldest(&all);
    cr_assert_leq(inputs_bytes(&all), INPUT_SETS * (sizeof(sm_options) + 16));
}

/* One of many keys makes room for the next. */
Test(inputs, keys_are_bounded) {
    struct job *j = job_of("a module");
    for (int i = 0; i <= 32; i++) {
        j->options.gc_registers = i;
        memset(j->name.byte, i, sizeof j->name.byte);
        keep(j, "context");
        cr_assert_eq(known(j, "context"), KEY);
    }
    j->options.gc_registers = 0;
    cr_assert_eq(known(j, "context"), DIGEST);
    cr_assert_eq(all.modules.count, 1);
    job_free(j);
}
