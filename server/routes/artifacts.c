/* artifacts.c - see artifacts.h. */
#include "artifacts.h"

#include "answer.h"
#include "cache.h"
#include "compile.h"
#include "container.h"
#include "context.h"
#include "jsonbody.h"
#include "problem.h"

#include <stdlib.h>
#include <string.h>

struct fetch {
    struct cache_read read;
    struct request *request;
    int answer;            /* its kind */
    struct result *result; /* owned reference */
    sm_status refused;     /* not SM_OK: there is no room for it */
    int is_late;           /* boolean: the disk, which may have it, did not answer in time */
};

/* Fills the reply with a problem, and gives its status. */
static sm_status refuse_artifact(struct request *r, sm_status s, const char *detail) {
    problem_reply(r, s, detail, (sm_slice){0}, NULL);
    return s;
}

/* Makes the request's state, and reads the key that follows PREFIX in the path. */
static sm_status begin_fetch(struct request *r, const char *prefix) {
    struct fetch *f = calloc(1, sizeof *f);
    const char *key = r->path + strlen(prefix);
    r->state = f;
    if (!f)
        return refuse_artifact(r, SM_NOMEM, NULL);
    f->request = r;
    if (!sm_key_read(key, strlen(key), &r->key))
        return refuse_artifact(r, SM_ARTIFACT_NOT_FOUND, "A key is 64 hexadecimal digits in lower case");
    sm_key_text(&r->key, r->key_text);
    return SM_OK;
}

/* request_query's callback: records the key under a startup's name. */
static int on_parameter(void *arg, const char *name, const char *value, size_t len) {
    struct request *r = arg;
    if (strcmp(name, "startup") == 0 && value && sm_startup_valid(value, len))
        startups_note(r->smd->startups, request_space(r), value, r->key_text);
    return 0;
}

/* begin() of GET /v1/artifacts/KEY: reads the key and the Accept header. */
sm_status artifacts_begin(struct request *r) {
    sm_status s = begin_fetch(r, "/v1/artifacts/");
    if (s != SM_OK)
        return s;
    const struct sm_key name = r->key;
    if (job_place(request_space(r), &name, &r->key) != SM_OK)
        return refuse_artifact(r, SM_NOMEM, NULL);
    struct fetch *f = r->state;
    f->answer = answer_choose(r, answer_types);
    return f->answer >= 0 ? SM_OK
                          : refuse_artifact(r, SM_NOT_ACCEPTABLE, "The answer can be what POST /v1/compile gives");
}

/* 1 if the header lists "KEY", W/"KEY" or *. */
static int lists_key(const char *header, const char *key) {
    char tag[SM_KEY_TEXT + 2];
    snprintf(tag, sizeof tag, "\"%s\"", key);
    return header && (header[strspn(header, " \t")] == '*' || strstr(header, tag));
}

/* 1 if the client has it. */
static int is_known(struct request *r) {
    return lists_key(request_header(r, "If-None-Match"), r->key_text);
}

/* Fills the reply with the result, or with 304 if the client has it. */
static void reply_found(struct request *r, struct result *result) {
    struct fetch *f = r->state;
    enum from from = r->waiter.from;
    request_query(r, on_parameter, r);
    if (is_known(r)) {
        r->reply.http = 304;
    } else {
        (from == FROM_MEMORY ? answer_cached : answer_kept)(r, result, f->answer);
    }
    compile_headers(r, result);
}

/* The callback of the cache's threads: the request goes on. */
static void on_read(struct cache_read *read, struct result *result) {
    struct fetch *f = container_of(read, struct fetch, read);
    f->result = result ? result_ref(result) : NULL;
    f->refused = read->refused;
    f->is_late = read->is_late;
    f->request->waiter.from = read->from;
    if (read->disk.wants_form || is_known(f->request))
        request_ready(f->request);
    else
        answer_when_ready(f->request, f->result, f->answer);
}

/* Begins to read the key by HOW, cache_read or cache_read_form; the route's answer() goes on. Gives 0. */
static int read_tiers(struct request *r, void (*how)(struct cache *c, struct cache_read *read)) {
    struct fetch *f = r->state;
    f->read.key = r->key;
    f->read.client = r->client;
    f->read.done = on_read;
    request_wait(r);
    how(r->smd->cache, &f->read);
    return 0;
}

/* Answers with a result of memory: at once, or, if that takes long, when the renderer has made the answer. 1: the reply
 * is filled. */
static int answer_found(struct request *r, struct result *result) {
    struct fetch *f = r->state;
    f->result = result;
    r->waiter.from = FROM_MEMORY;
    if (is_known(r) || !answer_is_long(result, f->answer)) {
        reply_found(r, result);
        return 1;
    }
    request_wait(r);
    answer_when_ready(r, result, f->answer);
    return 0;
}

/* finish() of GET /v1/artifacts/KEY: answers from memory, or reads from the other tiers. */
int artifacts_get(struct request *r) {
    struct fetch *f = r->state;
    int kind = request_header(r, "If-None-Match") ? CACHE_NO_KIND : answer_kind(r, f->answer);
    struct found found;
    if (!cache_find(r->smd->cache, &r->key, kind, r->client, &found) && cache_may_read(r->smd->cache, &r->key))
        return read_tiers(r, cache_read);
    if (found.result)
        return answer_found(r, found.result);
    if (found.shared) {
        request_query(r, on_parameter, r);
        answer_shared(r, found.shared);
    } else if (found.refused != SM_OK)
        problem_of_room(r, found.refused);
    else
        refuse_artifact(r, SM_ARTIFACT_NOT_FOUND, "Nothing of this key is kept here");
    return 1;
}

/* Fills the reply with why nothing was read; NONE: what to say if it is not there. */
static void refuse_unread(struct request *r, const char *none) {
    const struct fetch *f = r->state;
    if (f->refused != SM_OK)
        problem_of_room(r, f->refused);
    else if (f->is_late)
        refuse_artifact(r, SM_CACHE_UNAVAILABLE, NULL);
    else
        refuse_artifact(r, SM_ARTIFACT_NOT_FOUND, none);
}

/* answer() of GET /v1/artifacts/KEY: what was found. */
void artifacts_answer(struct request *r) {
    struct fetch *f = r->state;
    if (f->result)
        reply_found(r, f->result);
    else
        refuse_unread(r, "Nothing of this key is kept here");
}

void artifacts_drop(struct request *r) {
    struct fetch *f = r->state;
    if (f)
        result_unref(f->result);
    free(f);
}

/* ---- GET /v1/modules/KEY ------------------------------------------------------------------------------------ */

static const char no_module[] = "The module of this key is not kept here";

sm_status modules_begin(struct request *r) {
    return begin_fetch(r, "/v1/modules/");
}

/* finish() of GET /v1/modules/KEY: reads the module from disk. */
int modules_get(struct request *r) {
    if (cache_may_read_form(r->smd->cache, &r->key))
        return read_tiers(r, cache_read_form);
    refuse_artifact(r, SM_ARTIFACT_NOT_FOUND, no_module);
    return 1;
}

/* answer() of GET /v1/modules/KEY: the form that was read. */
void modules_answer(struct request *r) {
    struct fetch *f = r->state;
    if (!f->result) {
        refuse_unread(r, no_module);
        return;
    }
    r->reply.result = result_ref(f->result);
    reply_static(&r->reply, "application/json", (const char *)f->result->bytes.data, f->result->bytes.len);
}

/* ---- POST /v1/artifacts/find-missing ------------------------------------------------------------------------ */

/* Fills the reply with those of KEYS that are not kept; SM_INVALID_JSON if they are no keys. */
static sm_status list_missing(struct request *r, const json_t *keys) {
    enum { MOST = 100000 };
    const char *comma = "";
    size_t i;
    json_t *value;
    sm_buf *out = &r->reply.text;
    if (!json_is_array(keys) || json_array_size(keys) > MOST)
        return refuse_artifact(r, SM_INVALID_JSON,
                               "The body has to be {\"keys\": [\"...\"]}, with 100000 keys at most");
    sm_buf_puts(out, "{\"missing\":[");
    json_array_foreach(keys, i, value) {
        const char *text = json_string_value(value);
        struct sm_key name, key;
        if (!text || !sm_key_read(text, json_string_length(value), &name)) {
            char detail[100];
            snprintf(detail, sizeof detail, "keys[%zu] is no key: 64 hexadecimal digits in lower case", i);
            sm_buf_clear(out);
            return refuse_artifact(r, SM_INVALID_JSON, detail);
        }
        if (job_place(request_space(r), &name, &key) != SM_OK || !cache_has(r->smd->cache, &key)) {
            sm_buf_printf(out, "%s\"%s\"", comma, text);
            comma = ",";
        }
    }
    sm_buf_puts(out, "]}\n");
    reply_text(&r->reply, "application/json");
    return SM_OK;
}

struct missing {
    struct task task;
    struct request *request;
};

/* Parses the body and fills the reply. */
static void answer_missing(struct request *r) {
    struct error err = {0};
    struct jsonbody json;
    size_t len = r->body.bytes.len;
    sm_status s = jsonbody_parse(&json, &r->body, &err);
    if (s == SM_OK && (s = request_count_answer(r, len, NULL, 0)) != SM_OK) /* it is no longer than the body */
        problem_of_room(r, s);
    else if (s == SM_OK)
        list_missing(r, json_object_get(json.root, "keys"));
    else
        refuse_artifact(r, s, err.text);
    jsonbody_free(&json);
}

/* The parser's task: fills the reply, and the request goes on. */
static void run_in_parser(struct task *t) {
    struct request *r = container_of(t, struct missing, task)->request;
    if (!answer_is_in_vain(r))
        answer_missing(r);
    request_ready(r);
}

/* finish() of POST /v1/artifacts/find-missing: answers a small body at once, a larger one in the parser. */
int artifacts_find_missing(struct request *r) {
    if (!r->body.bytes.len) {
        refuse_artifact(r, SM_EMPTY_BODY, "The body has to be {\"keys\": [\"...\"]}");
        return 1;
    }
    if (r->body.bytes.len <= JSON_TINY) {
        answer_missing(r);
        return 1;
    }
    struct missing *m = r->state = calloc(1, sizeof *m);
    if (!m) {
        refuse_artifact(r, SM_NOMEM, NULL);
        return 1;
    }
    m->request = r;
    m->task = (struct task){.run = run_in_parser, .client = r->client, .work = r->body.bytes.len};
    request_wait(r);
    tasks_add(r->smd->parser, &m->task);
    return 0;
}

void artifacts_drop_missing(struct request *r) {
    free(r->state);
}
