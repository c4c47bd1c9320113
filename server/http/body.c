/* body.c - see body.h. */
#include "body.h"

#include "inflate.h"
#include "slices.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MIB            ((size_t)1 << 20)
#define INFLATION_FREE (MIB) /* bodies up to this size may inflate by any factor */
#define LARGE_PIECE    8192
#define LONG           (MIB / 4)

static void free_bytes(struct body *b) {
    size_t len;
    slices_free(sm_buf_take(&b->bytes, &len));
}

/* Makes S the body's status, if it is the first failure, and frees its bytes. Gives S. */
static sm_status fail(struct body *b, sm_status s, const char *detail) {
    if (b->status == SM_OK) {
        b->status = s;
        snprintf(b->detail, sizeof b->detail, "%s", detail);
        free_bytes(b);
        budget_give(&b->charge, 0);
    }
    return s;
}

/* The failure of a take from the budget. */
static sm_status fail_for_room(struct body *b, sm_status s) {
    return fail(b, s == SM_TOO_LARGE ? SM_BODY_TOO_LARGE : s, budget_refusal(s));
}

sm_status body_begin(struct body *b, const char *encoding, const char *length, const struct settings *s,
                     struct metrics *m, struct budget *budget, uint64_t client) {
    memset(b, 0, sizeof *b);
    sm_buf_init(&b->bytes, (size_t)s->max_body_mib * MIB);
    b->settings = s;
    b->metrics = m;
    b->budget = budget;
    b->client = client;
    if (!encoding || strcasecmp(encoding, "identity") == 0) {
        b->announced = length ? (size_t)strtoull(length, NULL, 10) : 0;
        return SM_OK;
    }
    sm_status status;
    b->inflater = inflater_new(encoding, b->bytes.max, budget, client, &status);
    if (b->inflater)
        return SM_OK;
    char detail[160];
    snprintf(detail, sizeof detail, "'%.40s' is not supported; gzip, deflate, zstd and identity are", encoding);
    return status == SM_UNSUPPORTED_ENCODING ? fail(b, status, detail) : fail_for_room(b, status);
}

/* Makes room for LEN bytes and those that will come: a move of megabytes, page by page, keeps all threads from memory.
 * Of a body that has been long already, the room is for all that was announced: addresses alone, as long as it does not
 * come. */
static void reserve(struct body *b, size_t len) {
    size_t most = b->announced < b->bytes.max ? b->announced : b->bytes.max;
    if (b->bytes.cap == 0 && len >= LARGE_PIECE && 2 * len <= b->bytes.max)
        sm_buf_reserve(&b->bytes, 2 * len);
    else if (b->bytes.len + len > LONG && b->bytes.cap < most && b->bytes.len < most)
        sm_buf_reserve(&b->bytes, most - b->bytes.len);
    if (b->bytes.status == SM_NOMEM) /* it may come nevertheless */
        b->bytes.status = SM_OK;
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
    reserve(b, len);
    sm_status s = budget_take(b->budget, &b->charge, HELD_BODY, b->client, len);
    if (s != SM_OK)
        return fail_for_room(b, s);
    return sm_buf_put(&b->bytes, bytes, len) == SM_OK ? SM_OK : fail(b, SM_NOMEM, "Out of memory");
}

/* Frees the inflater with its window; nothing may be inflated any more. */
static void end_inflater(struct body *b) {
    inflater_free(b->inflater);
    b->inflater = NULL;
}

/* Inflates bytes until MOST have been made; *LEN becomes how many were taken: all, once the body has failed. */
static void inflate_piece(struct body *b, const void *bytes, size_t *len, size_t most) {
    size_t all = *len;
    sm_status s = inflater_add(b->inflater, bytes, len, most, keep_bytes, b);
    if (s == SM_INVALID_ENCODING)
        fail(b, s, "The compressed body is damaged");
    else if (s != SM_OK)
        fail_for_room(b, s);
    if (b->status == SM_OK)
        return;
    *len = all;
    end_inflater(b);
}

/* Keeps bytes for body_go_on. 0 if the body has failed instead. */
static int keep_rest(struct body *b, const void *bytes, size_t len) {
    sm_status s = budget_take(b->budget, &b->charge, HELD_BODY, b->client, len);
    b->rest = s == SM_OK ? malloc(len) : NULL;
    if (b->rest) {
        memcpy(b->rest, bytes, len);
        b->rest_len = len;
        return 1;
    }
    fail_for_room(b, s == SM_OK ? SM_NOMEM : s);
    end_inflater(b);
    return 0;
}

int body_add(struct body *b, const void *bytes, size_t len) {
    size_t taken = len;
    assert(!b->rest);
    b->received += len;
    metric_add(b->metrics, METRIC_RECEIVED_BYTES, (long long)len);
    if (b->status != SM_OK)
        return 1;
    if (!b->inflater)
        keep_bytes(b, bytes, len);
    else if (b->bytes.len >= INFLATER_RUN)
        taken = 0;
    else
        inflate_piece(b, bytes, &taken, 1);
    return taken == len || !keep_rest(b, (const unsigned char *)bytes + taken, len - taken);
}

void body_go_on(struct body *b) {
    unsigned char *rest = b->rest;
    size_t len = b->rest_len;
    inflate_piece(b, rest, &len, SIZE_MAX);
    b->rest = NULL;
    free(rest);
    budget_give(&b->charge, b->bytes.len);
}

sm_status body_end(struct body *b) {
    if (b->status == SM_OK && b->inflater && b->received && !inflater_done(b->inflater))
        fail(b, SM_INVALID_ENCODING, "The compressed body ends too early");
    end_inflater(b);
    return b->status;
}

unsigned char *body_take(struct body *b, size_t *len, struct charge *charge) {
    if (b->budget)
        budget_move(charge, &b->charge, HELD_INPUT);
    return sm_buf_take(&b->bytes, len);
}

void body_free(struct body *b) {
    assert(!b->rest);
    end_inflater(b);
    free_bytes(b);
    budget_give(&b->charge, 0);
}
