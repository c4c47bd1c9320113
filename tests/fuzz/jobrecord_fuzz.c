/* Jobs and results of the queue that servers share, as they are read when their seal is open: by a server of another
 * version, or with a key that others have. What is read is written again as it was. */
#include "fuzz.h"

#include "jobrecord.h"

#include <string.h>

static unsigned char *copy(const uint8_t *data, size_t size) {
    unsigned char *bytes = malloc(size ? size : 1);
    must(bytes);
    if (size)
        memcpy(bytes, data, size);
    return bytes;
}

static void read_job(const uint8_t *data, size_t size) {
    struct charge none = {0};
    uint64_t client = 0;
    sm_status s;
    sm_buf again;
    struct job *job = jobrecord_read_job(copy(data, size), size, &none, &client, &s);
    must((job != NULL) == (s == SM_OK));
    if (!job)
        return;
    must(job->input_len > 0 && job->input_len < size);
    sm_buf_init(&again, SIZE_MAX / 2);
    must(jobrecord_put_job(&again, job, client) == SM_OK);
    struct charge more = {0};
    uint64_t same = 0;
    size_t len;
    unsigned char *bytes = sm_buf_take(&again, &len);
    struct job *twin = jobrecord_read_job(bytes, len, &more, &same, &s);
    must(twin && same == client && twin->is_alone == job->is_alone && twin->input_len == job->input_len);
    must(memcmp(twin->input, job->input, job->input_len) == 0);
    must(memcmp(&twin->options, &job->options, sizeof job->options) == 0);
    job_free(twin);
    job_free(job);
}

static void read_result(const uint8_t *data, size_t size) {
    struct charge none = {0};
    struct sm_key name;
    sm_status s;
    sm_buf again;
    struct result *r = jobrecord_read_result(copy(data, size), size, &none, &name, &s);
    must((r != NULL) == (s == SM_OK));
    if (!r)
        return;
    must(r->bytes.len < size);
    sm_buf_init(&again, SIZE_MAX / 2);
    must(jobrecord_put_result(&again, &name, r) == SM_OK);
    must(again.len <= size && memcmp(again.data, data, 2 + SM_KEY_BYTES) == 0);
    sm_buf_free(&again);
    result_unref(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_job(data, size);
    read_result(data, size);
    return 0;
}
