/* Jobs and results as bytes: what was written is read, and nothing else. */
#include "jobrecord.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *copy(const sm_buf *b) {
    unsigned char *bytes = malloc(b->len ? b->len : 1);
    memcpy(bytes, b->data, b->len);
    return bytes;
}

static struct job *new_job(const char *module) {
    struct job *job = job_new(SM_JOB_COMPILE);
    struct charge none = {0};
    job_set_input(job, source_new((unsigned char *)strdup(module), strlen(module), &none));
    job->profile = strdup("name=mine\n");
    memset(job->space.byte, 7, SM_KEY_BYTES);
    strcpy(job->payer.name, "ci");
    cr_assert_eq(sm_options_set(&job->options, "opt", "3", 1, NULL), SM_OK);
    cr_assert_eq(sm_options_set(&job->options, "deadline_ms", "1234", 4, NULL), SM_OK);
    return job;
}

/* The job that the record's first LEN bytes are; NULL, and the status. */
static struct job *read_job(const sm_buf *record, size_t len, uint64_t *client, sm_status *status) {
    struct charge none = {0};
    return jobrecord_read_job(copy(record), len, &none, client, status);
}

Test(jobrecord, a_job_is_read_as_it_was_written) {
    sm_buf record;
    uint64_t client = 0;
    sm_status s;
    struct job *job = new_job("define"), *read;
    sm_buf_init(&record, 1 << 20);
    cr_assert_eq(jobrecord_put_job(&record, job, 42), SM_OK);
    read = read_job(&record, record.len, &client, &s);
    cr_assert_not_null(read);
    cr_assert_eq(client, 42);
    cr_assert_eq(memcmp(&read->options, &job->options, sizeof job->options), 0);
    cr_assert_str_eq(read->profile, job->profile);
    cr_assert(sm_key_equal(&read->space, &job->space));
    cr_assert(strcmp(read->payer.name, "ci") == 0 && !read->payer.of);
    cr_assert(read->input_len == 6 && memcmp(read->input, "define", 6) == 0);
    cr_assert_eq(read->is_alone, 0);
    job_free(read);
    record.data[0] = 'U'; /* an untrusted client's: in a process of its own, also on another server */
    read = read_job(&record, record.len, &client, &s);
    cr_assert(read && read->is_alone);
    sm_buf again;
    sm_buf_init(&again, 1 << 20);
    cr_assert_eq(jobrecord_put_job(&again, read, 42), SM_OK);
    cr_assert(again.len == record.len && memcmp(again.data, record.data, again.len) == 0);
    sm_buf_free(&again);
    job_free(read);
    record.data[0] = 'J';
    /* Cut off anywhere before the module's last byte it is another module, or none. */
    for (size_t len = 0; len < record.len; len++) {
        read = read_job(&record, len, &client, &s);
        cr_assert(!read || (len > record.len - 6 && read->input_len == 6 - (record.len - len)), "%zu bytes", len);
        cr_assert(read || s == SM_INCOMPATIBLE || s == SM_NOMEM, "%zu bytes: %d", len, s);
        job_free(read);
    }
    record.data[1]++; /* another version's */
    cr_assert_null(read_job(&record, record.len, &client, &s));
    cr_assert_eq(s, SM_INCOMPATIBLE);
    record.data[1]--;
    record.data[0] = 'R';
    cr_assert_null(read_job(&record, record.len, &client, &s));
    cr_assert_eq(s, SM_INCOMPATIBLE);
    sm_buf_free(&record);
    job_free(job);
}

static struct result *read_result(const sm_buf *record, size_t len, struct sm_key *name, sm_status *status) {
    struct charge none = {0};
    return jobrecord_read_result(copy(record), len, &none, name, status);
}

Test(jobrecord, a_result_is_read_as_it_was_written) {
    sm_buf record, artifact;
    struct sm_key name, read_name;
    sm_status s;
    memset(name.byte, 9, SM_KEY_BYTES);
    /* A failure without an artifact. */
    struct result *failure = result_failure(SM_COMPILE_TIMEOUT, "Too long"), *read;
    failure->run_us = 77;
    sm_buf_init(&record, 1 << 20);
    cr_assert_eq(jobrecord_put_result(&record, &name, failure), SM_OK);
    read = read_result(&record, record.len, &read_name, &s);
    cr_assert(read && read->status == SM_COMPILE_TIMEOUT && read->run_us == 77 && sm_key_equal(&name, &read_name));
    cr_assert_str_eq(read->detail, "Too long");
    result_unref(read);
    for (size_t len = 0; len < record.len; len++)
        cr_assert_null(read_result(&record, len, &read_name, &s), "%zu bytes", len);
    result_unref(failure);
    sm_buf_free(&record);
    /* One with an artifact. */
    sm_artifact a = {.status = SM_OK};
    a.part[SM_PART_OBJECT] = (sm_slice){(const unsigned char *)"object", 6};
    sm_buf_init(&artifact, 1 << 20);
    cr_assert_eq(sm_artifact_write(&artifact, &a), SM_OK);
    struct result *success = result_of_artifact(copy(&artifact), artifact.len, 0, NULL, &s);
    cr_assert_not_null(success);
    cr_assert_eq(jobrecord_put_result(&record, &name, success), SM_OK);
    read = read_result(&record, record.len, &read_name, &s);
    cr_assert(read && read->status == SM_OK && read->bytes.len == artifact.len);
    cr_assert_eq(memcmp(read->artifact.part[SM_PART_OBJECT].data, "object", 6), 0);
    result_unref(read);
    for (size_t len = record.len - artifact.len + 1; len < record.len; len++)
        cr_assert_null(read_result(&record, len, &read_name, &s), "%zu bytes", len);
    result_unref(success);
    sm_buf_free(&record);
    sm_buf_free(&artifact);
}

Test(jobrecord, ids) {
    char one[JOB_ID_TEXT], two[JOB_ID_TEXT];
    cr_assert(job_id_new(one) && job_id_new(two));
    cr_assert(job_id_is(one) && strcmp(one, two) != 0);
    cr_assert_not(job_id_is(""));
    cr_assert_not(job_id_is("../../../../../../../../../../../"));
    one[3] = 'A';
    cr_assert_not(job_id_is(one));
}
