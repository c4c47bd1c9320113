/* body.c - see body.h. */
#include "body.h"

#include "inflate.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MIB            ((size_t)1 << 20)
#define INFLATION_FREE (MIB) /* bodies up to this size may inflate by any factor */
#define LARGE_PIECE    8192

/* Subtracts the body's bytes from those that all bodies hold together. */
static void uncount(struct body *b) {
    if (b->metrics)
        metric_add(b->metrics, METRIC_BODY_BYTES, -(long long)b->counted);
    b->counted = 0;
}

/* Makes S the body's status, if it is the first failure, and frees its bytes. Gives S. */
static sm_status fail(struct body *b, sm_status s, const char *detail) {
    if (b->status == SM_OK) {
        b->status = s;
        snprintf(b->detail, sizeof b->detail, "%s", detail);
        sm_buf_free(&b->bytes);
        uncount(b);
    }
    return s;
}

sm_status body_begin(struct body *b, const char *encoding, const struct settings *s, struct metrics *m) {
    memset(b, 0, sizeof *b);
    sm_buf_init(&b->bytes, (size_t)s->max_body_mib * MIB);
    b->settings = s;
    b->metrics = m;
    if (!encoding || strcasecmp(encoding, "identity") == 0)
        return SM_OK;
    sm_status status;
    b->inflater = inflater_new(encoding, &status);
    if (b->inflater)
        return SM_OK;
    char detail[160];
    snprintf(detail, sizeof detail, "'%.40s' is not supported; gzip, deflate, zstd and identity are", encoding);
    return fail(b, status, status == SM_NOMEM ? "Out of memory" : detail);
}

/* Counts the bytes that the body has grown by; SM_OVERLOADED if all bodies together hold more than they may. */
static sm_status count_held(struct body *b) {
    long long grown = (long long)b->bytes.len - (long long)b->counted;
    metric_add(b->metrics, METRIC_BODY_BYTES, grown);
    b->counted = b->bytes.len;
    if (grown > 0 && metric_get(b->metrics, METRIC_BODY_BYTES) > (long long)b->settings->queue_mib * (long long)MIB)
        return fail(b, SM_OVERLOADED, "The server holds as many bytes of requests as it may");
    return SM_OK;
}

/* Appends decoded bytes to the body at ARG; refuses too large a body, or one that inflates too much. */
static sm_status keep_bytes(void *arg, const void *bytes, size_t len) {
    struct body *b = arg;
    char detail[160];
    if (len > b->bytes.max - b->bytes.len) {
        snprintf(detail, sizeof detail, "The body is larger than the limit of %d MiB%s", b->settings->max_body_mib,
                 b->inflater ? " once inflated" : "");
        return fail(b, SM_BODY_TOO_LARGE, detail);
    }
    if (b->inflater && b->bytes.len + len > INFLATION_FREE &&
        b->bytes.len + len > b->received * (uint64_t)b->settings->max_inflation) {
        snprintf(detail, sizeof detail, "The body inflates to more than %d times its size",
                 b->settings->max_inflation);
        return fail(b, SM_BODY_TOO_LARGE, detail);
    }
    if (b->bytes.cap == 0 && len >= LARGE_PIECE && 2 * len <= b->bytes.max)
        sm_buf_reserve(&b->bytes, 2 * len); /* more will come: one move less */
    if (sm_buf_put(&b->bytes, bytes, len) != SM_OK)
        return fail(b, SM_NOMEM, "Out of memory");
    return count_held(b);
}

void body_add(struct body *b, const void *bytes, size_t len) {
    b->received += len;
    metric_add(b->metrics, METRIC_RECEIVED_BYTES, (long long)len);
    if (b->status != SM_OK)
        return;
    sm_status s = b->inflater ? inflater_add(b->inflater, bytes, len, keep_bytes, b) : keep_bytes(b, bytes, len);
    if (s == SM_INVALID_ENCODING)
        fail(b, s, "The compressed body is damaged");
}

sm_status body_end(struct body *b) {
    if (b->status == SM_OK && b->inflater && b->received && !inflater_done(b->inflater))
        fail(b, SM_INVALID_ENCODING, "The compressed body ends too early");
    return b->status;
}

unsigned char *body_take(struct body *b, size_t *len) {
    return sm_buf_take(&b->bytes, len);
}

int body_charge(struct body *b, size_t bytes) {
    long long max = (long long)b->settings->queue_mib * (long long)MIB;
    metric_add(b->metrics, METRIC_BODY_BYTES, (long long)bytes);
    if (metric_get(b->metrics, METRIC_BODY_BYTES) <= max)
        return 1;
    metric_add(b->metrics, METRIC_BODY_BYTES, -(long long)bytes);
    return 0;
}

size_t body_most(const struct body *b) {
    size_t max = (size_t)b->settings->queue_mib * MIB;
    return max > b->counted ? max - b->counted : 0;
}

void body_free(struct body *b) {
    uncount(b);
    inflater_free(b->inflater);
    sm_buf_free(&b->bytes);
    memset(b, 0, sizeof *b);
}
