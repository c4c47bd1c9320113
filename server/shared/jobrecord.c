/* jobrecord.c - see jobrecord.h. */
#include "jobrecord.h"

#include "hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { VERSION = 2 };

int job_id_new(char id[JOB_ID_TEXT]) {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return 0;
    *sm_hex_put(id, bytes, sizeof bytes) = 0;
    return 1;
}

int job_id_is(const char *text) {
    return strlen(text) == JOB_ID_TEXT - 1 && strspn(text, "0123456789abcdef") == JOB_ID_TEXT - 1;
}

struct sm_key job_id_key(const char *id) {
    struct sm_key key;
    _Static_assert(SM_KEY_BYTES == JOB_ID_TEXT - 1, "an id's digits are a key");
    memcpy(key.byte, id, SM_KEY_BYTES);
    return key;
}

sm_status jobrecord_put_job(sm_buf *out, const struct job *job, uint64_t client) {
    sm_buf text;
    sm_buf_init(&text, SIZE_MAX / 2);
    sm_status s = sm_options_text(&job->options, 0, &text);
    sm_buf_put_u8(out, job->is_alone ? 'U' : 'J');
    sm_buf_put_u8(out, VERSION);
    sm_buf_put(out, job->space.byte, SM_KEY_BYTES);
    sm_buf_put_u64(out, client);
    sm_buf_put_str(out, job->payer.name, strlen(job->payer.name));
    sm_buf_put_str(out, (const char *)text.data, text.len);
    sm_buf_put_str(out, job->profile ? job->profile : "", job->profile ? strlen(job->profile) : 0);
    sm_buf_put(out, job->input, job->input_len);
    sm_buf_free(&text);
    return s == SM_OK ? out->status : s;
}

/* The kind of the record, if it is of this version; 0 otherwise. */
static uint8_t kind_of(sm_cursor *c) {
    uint8_t kind = sm_get_u8(c), version = sm_get_u8(c);
    return version == VERSION ? kind : 0;
}

/* Gives the job the profile of the text, if there is one. 0 if out of memory. */
static int set_profile(struct job *job, const char *text, size_t len) {
    if (!len)
        return 1;
    job->profile = strndup(text, len);
    return job->profile != NULL;
}

/* Reads all but the module into the job; *MODULE is where that begins. */
static sm_status read_head(struct job *job, const unsigned char *record, size_t len, uint64_t *client,
                           size_t *module) {
    sm_cursor c = sm_cursor_of(record, len);
    size_t payer_len = 0, options_len = 0, profile_len = 0;
    uint8_t kind = kind_of(&c);
    if (kind != 'J' && kind != 'U')
        return SM_INCOMPATIBLE;
    job->is_alone = kind == 'U';
    const unsigned char *space = sm_get_bytes(&c, SM_KEY_BYTES);
    *client = sm_get_u64(&c);
    const char *payer = sm_get_str(&c, &payer_len);
    const char *options = sm_get_str(&c, &options_len), *profile = sm_get_str(&c, &profile_len);
    if (c.status != SM_OK || payer_len >= sizeof job->payer.name ||
        sm_options_parse(&job->options, options, options_len, NULL) != SM_OK)
        return SM_INCOMPATIBLE;
    memcpy(job->space.byte, space, SM_KEY_BYTES);
    memcpy(job->payer.name, payer, payer_len);
    *module = c.pos;
    if (!sm_cursor_left(&c))
        return SM_INCOMPATIBLE; /* nobody may ask for an empty module */
    return set_profile(job, profile, profile_len) ? SM_OK : SM_NOMEM;
}

struct job *jobrecord_read_job(unsigned char *record, size_t len, struct charge *charge, uint64_t *client,
                               sm_status *status) {
    size_t module = 0;
    struct job *job = job_new(SM_JOB_COMPILE);
    *status = job ? read_head(job, record, len, client, &module) : SM_NOMEM;
    if (*status != SM_OK) {
        budget_give(charge, 0);
        free(record);
    } else {
        memmove(record, record + module, len - module);
        if (!job_set_input(job, source_new(record, len - module, charge)))
            *status = SM_NOMEM;
    }
    if (*status == SM_OK)
        return job;
    job_free(job);
    return NULL;
}

sm_status jobrecord_put_result(sm_buf *out, const struct sm_key *name, const struct result *result) {
    sm_buf_put_u8(out, 'R');
    sm_buf_put_u8(out, VERSION);
    sm_buf_put(out, name->byte, SM_KEY_BYTES);
    sm_buf_put_u32(out, (uint32_t)result->status);
    sm_buf_put_u32(out, result->run_us);
    sm_buf_put_str(out, result->detail, strlen(result->detail));
    return sm_buf_put(out, result->bytes.data, result->bytes.len);
}

struct result *jobrecord_read_result(unsigned char *record, size_t len, struct charge *charge, struct sm_key *name,
                                     sm_status *status) {
    sm_cursor c = sm_cursor_of(record, len);
    char detail[sizeof((struct result *)0)->detail];
    size_t text_len = 0;
    int is_known = kind_of(&c) == 'R';
    const unsigned char *key = sm_get_bytes(&c, SM_KEY_BYTES);
    uint32_t code = sm_get_u32(&c), run_us = sm_get_u32(&c);
    const char *text = sm_get_str(&c, &text_len);
    struct result *r = NULL;
    *status = is_known && c.status == SM_OK && sm_status_known(code) ? SM_OK : SM_INCOMPATIBLE;
    if (*status == SM_OK) {
        memcpy(name->byte, key, SM_KEY_BYTES);
        snprintf(detail, sizeof detail, "%.*s", (int)text_len, text);
    }
    if (*status == SM_OK && sm_cursor_left(&c)) {
        r = result_of_artifact(record, len, c.pos, charge, status);
    } else {
        if (*status == SM_OK && !(r = result_failure((sm_status)code, detail)))
            *status = SM_NOMEM;
        budget_give(charge, 0);
        free(record);
    }
    if (!r)
        return NULL;
    r->status = (sm_status)code;
    r->run_us = run_us;
    memcpy(r->detail, detail, sizeof detail);
    return r;
}
