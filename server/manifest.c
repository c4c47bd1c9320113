/* manifest.c - see manifest.h. */
#include "manifest.h"

#include "cache.h"
#include "problem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEYS_MAX = 100000 };

static int on_since(void *arg, const char *name, const char *value, size_t len) {
    char *end = NULL;
    uint32_t *since = arg;
    (void)len;
    unsigned long long v = value && *value ? strtoull(value, &end, 10) : 0;
    if (strcmp(name, "since") != 0 || !end || *end || value[0] == '-' || v > UINT32_MAX)
        return 1;
    *since = (uint32_t)v;
    return 0;
}

int manifest_get(struct request *r) {
    uint32_t since = 0;
    if (request_query(r, on_since, &since)) {
        problem_reply(r, SM_INVALID_OPTION, "This route takes 'since', seconds since 1970, alone", (sm_slice){0},
                      "since");
        return 1;
    }
    sm_buf_printf(&r->reply.text, "{\"now\":%lld,\"compiler\":\"%s\",\"keys\":", (long long)time(NULL),
                  r->smd->compiler);
    cache_list(r->smd->cache, since, &r->reply.text, KEYS_MAX);
    sm_buf_puts(&r->reply.text, "}\n");
    reply_text(&r->reply, "application/json");
    return 1;
}

struct wanted {
    struct cache_read read; /* first: a read is its wanted */
    struct request *request;
    struct result *result; /* owned reference: its bytes are the form */
};

static void refuse(struct request *r) {
    problem_reply(r, SM_ARTIFACT_NOT_FOUND, "The module of this key is not kept here", (sm_slice){0}, NULL);
}

sm_status modules_begin(struct request *r) {
    struct wanted *w = calloc(1, sizeof *w);
    const char *key = r->path + strlen("/v1/modules/");
    r->state = w;
    if (!w) {
        problem_reply(r, SM_NOMEM, NULL, (sm_slice){0}, NULL);
        return SM_NOMEM;
    }
    w->request = r;
    if (!sm_key_valid(key, strlen(key))) {
        refuse(r);
        return SM_ARTIFACT_NOT_FOUND;
    }
    memcpy(r->key, key, sizeof r->key);
    return SM_OK;
}

static void on_read(struct cache_read *read, struct result *result) {
    struct wanted *w = (struct wanted *)read;
    w->result = result ? result_ref(result) : NULL;
    request_ready(w->request);
}

int modules_get(struct request *r) {
    struct wanted *w = r->state;
    if (!cache_may_read(r->smd->cache, r->key)) {
        refuse(r);
        return 1;
    }
    memcpy(w->read.disk.key, r->key, sizeof w->read.disk.key);
    w->read.done = on_read;
    request_wait(r);
    cache_read_form(r->smd->cache, &w->read);
    return 0;
}

void modules_answer(struct request *r) {
    struct wanted *w = r->state;
    if (!w->result) {
        refuse(r);
        return;
    }
    r->reply.result = result_ref(w->result);
    r->reply.http = 200;
    r->reply.content_type = "application/json";
    reply_part(&r->reply, w->result->bytes.data, w->result->bytes.len);
}

void modules_drop(struct request *r) {
    struct wanted *w = r->state;
    if (w)
        result_unref(w->result);
    free(w);
}
