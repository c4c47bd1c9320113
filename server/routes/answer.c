/* answer.c - see answer.h. */
#include "answer.h"

#include "accept.h"
#include "base64.h"
#include "cache.h"
#include "container.h"
#include "context.h"
#include "deflate.h"
#include "jsontext.h"
#include "problem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_JSON, ANSWER_OBJECT, ANSWER_MULTIPART, ANSWER_ARTIFACT, ANSWER_TEXT, TYPES };

const char *const answer_types[] = {"application/json", "application/octet-stream",
                                    "multipart/mixed",  "application/vnd.smd.artifact",
                                    "text/plain",       NULL};

_Static_assert(sizeof answer_types / sizeof *answer_types == TYPES + 1, "a name each");
_Static_assert(TYPES *CODINGS == SHARED_KINDS, "each kind of answer can be shared");

#define LONG_ANSWER   ((size_t)256 << 10) /* bytes of a result: rendering it takes a millisecond */
#define PACKED_ANSWER ((size_t)16 << 10)  /* bytes of a body: from here on compressing it is worth the time */

/* A kind of answer is a type of these and a coding. */
static int type_of(int kind) {
    return kind % TYPES;
}

static enum coding coding_of(int kind) {
    return (enum coding)(kind / TYPES);
}

int answer_choose(struct request *r, const char *const *offers) {
    int best = accept_choose(request_header(r, "Accept"), offers);
    if (best < 0)
        return -1;
    int type = accept_choose(offers[best], answer_types);
    return type == ANSWER_MULTIPART ? type : type + TYPES * (int)accept_coding(request_header(r, "Accept-Encoding"));
}

/* Appends ,"NAME":JSON as it is, or ABSENT if there is none. */
static void put_raw(sm_buf *out, const char *name, sm_slice json, const char *absent) {
    sm_buf_printf(out, ",\"%s\":", name);
    if (json.len)
        sm_buf_put(out, json.data, json.len);
    else
        sm_buf_puts(out, absent);
}

static const enum sm_part texts[] = {SM_PART_IR, SM_PART_ASM, SM_PART_DISASM, SM_PART_MODERN};
static const enum sm_part lists[] = {SM_PART_REMARKS, SM_PART_STAGES, SM_PART_LINKS, SM_PART_LINES};

/* Appends the JSON answer's first members: all but obj, the last one, and the closing brace. */
static void put_members(sm_buf *out, const char *key, const sm_artifact *a) {
    sm_slice meta = a->part[SM_PART_META];
    sm_buf_printf(out, "{\"key\":\"%s\"", key);
    if (meta.len > 2) { /* the members of the meta object stand at the top level */
        sm_buf_puts(out, ",");
        sm_buf_put(out, meta.data + 1, meta.len - 2);
    }
    put_raw(out, "diagnostics", a->part[SM_PART_DIAGNOSTICS], "[]");
    put_raw(out, "stackmap", a->part[SM_PART_STACKMAP], "null");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (a->part[lists[i]].data)
            put_raw(out, sm_part_name(lists[i]), a->part[lists[i]], "[]");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sm_slice text = a->part[texts[i]];
        if (!text.data)
            continue;
        sm_buf_printf(out, ",\"%s\":", sm_part_name(texts[i]));
        sm_json_text(out, (const char *)text.data, text.len);
    }
}

sm_status answer_json(sm_buf *out, const char *key, const sm_artifact *a, size_t *members) {
    size_t begin = out->len;
    put_members(out, key, a);
    if (members)
        *members = out->len - begin;
    if (a->part[SM_PART_OBJECT].data) {
        sm_buf_puts(out, ",\"obj\":\"");
        sm_base64_put(out, a->part[SM_PART_OBJECT].data, a->part[SM_PART_OBJECT].len);
        sm_buf_puts(out, "\"");
    }
    return sm_buf_puts(out, "}");
}

/* The bytes of ,"NAME":JSON or ,"NAME":ABSENT. */
static size_t raw_length(const char *name, sm_slice json, const char *absent) {
    return strlen(",\"\":") + strlen(name) + (json.len ? json.len : strlen(absent));
}

/* The bytes that put_members appends. */
static size_t members_length(const char *key, const sm_artifact *a) {
    sm_slice meta = a->part[SM_PART_META];
    size_t n = strlen("{\"key\":\"\"") + strlen(key) + (meta.len > 2 ? meta.len - 1 : 0);
    n += raw_length("diagnostics", a->part[SM_PART_DIAGNOSTICS], "[]");
    n += raw_length("stackmap", a->part[SM_PART_STACKMAP], "null");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (a->part[lists[i]].data)
            n += raw_length(sm_part_name(lists[i]), a->part[lists[i]], "[]");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sm_slice text = a->part[texts[i]];
        if (text.data)
            n += strlen(",\"\":") + strlen(sm_part_name(texts[i])) +
                 sm_json_text_length((const char *)text.data, text.len);
    }
    return n;
}

size_t answer_json_length(const char *key, const sm_artifact *a, size_t *members) {
    sm_slice object = a->part[SM_PART_OBJECT];
    size_t n = members_length(key, a);
    if (members)
        *members = n;
    return n + (object.data ? strlen(",\"obj\":\"\"") + (object.len + 2) / 3 * 4 : 0) + strlen("}");
}

/* Fills the reply with bytes that are not copied. */
static void reply_slice(struct reply *reply, const char *content_type, sm_slice s) {
    reply_part(reply, s.data, s.len);
    reply->content_type = content_type;
}

/* Fills the reply with two parts (RFC 2046): the JSON without obj, and the object's bytes. The boundary contains the
 * key, which the object cannot know. A shared JSON is used up to its obj. */
static void reply_multipart(struct request *r, struct result *result) {
    static const char json_head[] =
        "Content-Type: application/json\r\nContent-Disposition: inline; name=\"answer\"\r\n\r\n";
    static const char object_head[] =
        "Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n"
        "Content-Disposition: attachment; name=\"obj\"\r\n\r\n";
    const sm_artifact *a = &result->artifact;
    const struct rendered *json = atomic_load_explicit(&result->json, memory_order_acquire);
    struct reply *reply = &r->reply;
    sm_buf *out = &reply->text;
    char boundary[40];
    snprintf(boundary, sizeof boundary, "smd-%.32s", r->key_text);
    sm_buf_printf(out, "--%s\r\n%s", boundary, json_head);
    size_t head = out->len;
    if (!json)
        put_members(out, r->key_text, a);
    sm_buf_puts(out, "}");
    if (a->part[SM_PART_OBJECT].data)
        sm_buf_printf(out, "\r\n--%s\r\n%s", boundary, object_head);
    size_t first = out->len;
    sm_buf_printf(out, "\r\n--%s--\r\n", boundary);
    size_t tail = out->len - first;
    size_t type_at = out->len;
    sm_buf_printf(out, "multipart/mixed; boundary=\"%s\"", boundary);
    sm_buf_cstr(out);
    if (out->status != SM_OK)
        return;
    reply_part(reply, out->data, head);
    if (json)
        reply_part(reply, json->data, json->members);
    reply_part(reply, out->data + head, first - head);
    reply_part(reply, a->part[SM_PART_OBJECT].data, a->part[SM_PART_OBJECT].len);
    reply_part(reply, out->data + first, tail);
    reply->content_type = (const char *)out->data + type_at;
}

/* Fills the reply with the JSON: the shared one if there is one, otherwise its own. */
static void reply_json(struct request *r, struct result *result) {
    struct reply *reply = &r->reply;
    const struct rendered *json = atomic_load_explicit(&result->json, memory_order_acquire);
    if (json) {
        reply_slice(reply, "application/json", (sm_slice){json->data, json->len});
        return;
    }
    answer_json(&reply->text, r->key_text, &result->artifact, NULL);
    sm_buf_puts(&reply->text, "\n");
    reply_text(reply, "application/json");
}

/* Fills the reply with the result, in the media type TYPE (an index into answer_types). */
static void reply_success(struct request *r, struct result *result, int type) {
    struct reply *reply = &r->reply;
    const sm_artifact *a = &result->artifact;
    switch (type) {
    case ANSWER_JSON:
        reply_json(r, result);
        break;
    case ANSWER_OBJECT:
        reply_slice(reply, "application/octet-stream", a->part[SM_PART_OBJECT]);
        break;
    case ANSWER_MULTIPART:
        reply_multipart(r, result);
        break;
    case ANSWER_ARTIFACT:
        reply_slice(reply, "application/vnd.smd.artifact", result->bytes);
        break;
    case ANSWER_TEXT:
        reply_slice(reply, "text/plain; charset=utf-8", a->part[SM_PART_EXPLAIN]);
        break;
    }
}

void answer_result(struct request *r, struct result *result, int kind) {
    int type = type_of(kind);
    struct reply *reply = &r->reply;
    if (reply->parts)
        return; /* the renderer has made it, or refused it */
    if (!reply->result)
        reply->result = result_ref(result);
    if (result->status != SM_OK) {
        problem_of_result(r, result);
        return;
    }
    if (type == ANSWER_OBJECT && !result->artifact.part[SM_PART_OBJECT].data) {
        problem_reply(r, SM_NOT_ACCEPTABLE, "There is no object file in this answer: 'emit' does not name obj",
                      (sm_slice){0}, "emit");
        return;
    }
    reply->status = result->status;
    reply->http = 200;
    reply_success(r, result, type);
    if (reply->text.status != SM_OK) {
        sm_buf_free(&reply->text);
        problem_reply(r, SM_OUTPUT_TOO_LARGE, "The answer in this media type is too large", (sm_slice){0}, NULL);
    }
}

static int is_json(int type) {
    return type == ANSWER_JSON || type == ANSWER_MULTIPART;
}

/* *New*: the JSON of the result in LEN bytes, with a line's end; NULL if out of memory. */
static struct rendered *make_json(const char *key, const struct result *result, size_t len) {
    sm_buf text;
    size_t members, made;
    struct rendered *json = NULL;
    sm_buf_init(&text, sizeof *json + len);
    sm_buf_reserve(&text, sizeof *json + len);
    sm_buf_extend(&text, sizeof *json);
    answer_json(&text, key, &result->artifact, &members);
    sm_buf_puts(&text, "\n");
    assert(text.status == SM_NOMEM || text.len == sizeof *json + len);
    if (text.status == SM_OK) {
        json = (struct rendered *)sm_buf_take(&text, &made);
        *json = (struct rendered){.len = len, .members = members};
    }
    sm_buf_free(&text);
    return json;
}

/* Renders the JSON, of LEN bytes, that all requests of this result share, if there is room for it beside the result; of
 * two requests at once, one's is kept. */
static void share_json(struct request *r, struct result *result, size_t len) {
    struct rendered *none = NULL, *json;
    if (result_take_room(result, len) != SM_OK)
        return;
    json = make_json(r->key_text, result, len);
    if (json && atomic_compare_exchange_strong(&result->json, &none, json))
        r->reply.rendered = sizeof *json + json->len;
    else
        free(json);
}

/* The most bytes that one answer may take, with what it is made of. */
static size_t most_of_answer(const struct request *r) {
    const struct settings *s = &r->smd->settings;
    return (size_t)(s->answers_mib > s->max_output_mib ? s->answers_mib : s->max_output_mib) << 20;
}

/* Counts an answer that is long before it is made: LEN bytes of JSON, and the result. SM_OUTPUT_TOO_LARGE if the two
 * are more than one answer may take. */
static sm_status count_long(struct request *r, struct result *result, size_t len) {
    size_t all = result_with_parts(result).len + sizeof(struct rendered) + len;
    return all > most_of_answer(r) ? SM_OUTPUT_TOO_LARGE : request_count_answer(r, 0, result, all);
}

/* Fills the reply with the refusal of a long answer. */
static void refuse_long(struct request *r, sm_status s) {
    problem_reply(r, s,
                  s == SM_OUTPUT_TOO_LARGE
                      ? "The answer in this media type is too large; 'Accept: application/vnd.smd.artifact' gets it"
                  : s == SM_OVERLOADED ? "As many bytes of answers are on their way as may be"
                                       : budget_refusal(s),
                  (sm_slice){0}, NULL);
}

void answer_kept(struct request *r, struct result *result, int kind) {
    if (!r->reply.parts && is_json(type_of(kind)) && result->status == SM_OK && !atomic_load(&result->json)) {
        size_t len = answer_json_length(r->key_text, &result->artifact, NULL) + strlen("\n");
        sm_status s = len > LONG_ANSWER ? count_long(r, result, len) : SM_OK;
        if (s == SM_OK)
            share_json(r, result, len);
        else
            refuse_long(r, s);
    }
    answer_result(r, result, kind);
}

/* About how many bytes the body has. */
static size_t body_length(const struct result *result, int type) {
    const sm_artifact *a = &result->artifact;
    return type == ANSWER_OBJECT ? a->part[SM_PART_OBJECT].len
           : type == ANSWER_TEXT ? a->part[SM_PART_EXPLAIN].len
                                 : result->bytes.len;
}

int answer_is_long(const struct result *result, int kind) {
    int type = type_of(kind);
    if (result->status != SM_OK)
        return 0;
    if (coding_of(kind))
        return body_length(result, type) > PACKED_ANSWER;
    return is_json(type) && result->bytes.len > LONG_ANSWER && !atomic_load(&result->json);
}

/* Fills the reply with the compressed answer; as it is, if there is no room for both. While it is made it is counted
 * twice, as it is and compressed; then as it is sent. */
static void answer_packed(struct request *r, struct result *result, int kind) {
    int type = type_of(kind);
    size_t len = type == ANSWER_JSON ? answer_json_length(r->key_text, &result->artifact, NULL) + strlen("\n")
                                     : body_length(result, type);
    if (len > DEFLATE_MOST || result_with_parts(result).len + 2 * len > most_of_answer(r)) {
        answer_kept(r, result, type);
        return;
    }
    sm_status s = request_count_answer(r, 2 * len, result, result_bytes(result));
    if (s != SM_OK) {
        refuse_long(r, s);
        return;
    }
    answer_result(r, result, type);
    if (r->reply.status == SM_OK)
        reply_deflate(&r->reply, coding_of(kind));
    budget_give(&r->own, r->reply.text.len);
}

int answer_is_in_vain(struct request *r) {
    int is_over = atomic_load(&r->smd->is_over);
    if (!is_over && !request_is_gone(r))
        return 0;
    problem_reply(r, is_over ? SM_DRAINING : SM_CANCELLED, NULL, (sm_slice){0}, NULL);
    return 1;
}

/* The renderer's task: fills the reply. */
static void run_in_renderer(struct task *t) {
    struct request *r = container_of(t, struct request, task);
    int kind = (int)r->reply.kind;
    if (!answer_is_in_vain(r))
        (coding_of(kind) ? answer_packed : answer_kept)(r, r->reply.result, kind);
    request_ready(r);
}

void answer_when_ready(struct request *r, struct result *result, int kind) {
    if (!result || !answer_is_long(result, kind)) {
        request_ready(r);
        return;
    }
    r->reply.result = result_ref(result);
    r->reply.kind = (unsigned)kind;
    r->task = (struct task){.run = run_in_renderer, .client = r->client, .work = result->bytes.len};
    tasks_add(r->smd->renderer, &r->task);
}

/* The renderer's task: fills the reply by what answer_later was given. */
static void run_writer(struct task *t) {
    struct request *r = container_of(t, struct request, task);
    if (!answer_is_in_vain(r))
        r->write(r);
    request_ready(r);
}

int answer_later(struct request *r, void (*write)(struct request *r)) {
    r->write = write;
    r->task = (struct task){.run = run_writer, .client = r->client};
    request_wait(r);
    tasks_add(r->smd->renderer, &r->task);
    return 0;
}

/* 1 if the answer has to be the request's own: it gave an id, which the answer returns. */
static int wants_own(struct request *r) {
    return request_header(r, "X-Request-Id") != NULL;
}

void answer_cached(struct request *r, struct result *result, int kind) {
    answer_kept(r, result, kind);
    r->reply.is_shareable = r->reply.status == SM_OK && !wants_own(r);
    r->reply.kind = (unsigned)kind;
}

int answer_kind(struct request *r, int kind) {
    return wants_own(r) ? CACHE_NO_KIND : kind;
}

void answer_shared(struct request *r, struct shared *shared) {
    r->reply.shared = shared;
    r->reply.http = 200;
    r->reply.cache = from_word(FROM_MEMORY);
    r->waiter.from = FROM_MEMORY;
}
