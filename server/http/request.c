/* request.c - see request.h: what routes ask of a request. */
#include "request.h"

#include "conns.h"
#include "hex.h"
#include "problem.h"

#include <assert.h>
#include <microhttpd.h>
#include <string.h>

void request_watch(struct request *r, void (*gone)(void *arg), void *arg) {
    r->is_watched = 1;
    conns_watch(r->conns, r->conn, gone, arg);
}

int request_is_gone(const struct request *r) {
    return r->conn && conn_has_closed(r->conn);
}

void request_wait(struct request *r) {
    atomic_store(&r->suspended, 1);
    MHD_suspend_connection(r->connection);
}

const struct sm_key *request_space(const struct request *r) {
    static const struct sm_key shared;
    return r->holder ? &holder_row(r->holder)->space : &shared;
}

/* The job's callback. */
static void forget_holder(void *holder) {
    holder_unref(holder);
}

void request_pay(struct holder *h, struct job *job) {
    assert(!job->payer.of);
    if (!h)
        return;
    job->payer = (struct payer){.of = holder_ref(h), .spend = holder_spend, .drop = forget_holder};
    access_name(h, job->payer.name);
}

void request_ready(struct request *r) {
    MHD_resume_connection(r->connection); /* R may be gone after this */
}

const char *request_header(struct request *r, const char *name) {
    return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

struct query {
    struct request *request;
    int (*each)(void *, const char *, const char *, size_t);
    void *arg;
    int result;
};

/* Decodes LEN characters of percent-encoding into OUT, with a terminator. Gives the number of bytes; -1 if the
 * encoding is wrong, or they contain a NUL. */
static long decode(const char *text, size_t len, char *out) {
    long made = 0;
    for (size_t i = 0; i < len; i++) {
        int high = text[i] == '%' && i + 2 < len ? sm_hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? sm_hex_digit(text[i + 2]) : -1;
        if (text[i] == '%' && low < 0)
            return -1;
        out[made] = text[i];
        if (low >= 0) {
            out[made] = (char)(high << 4 | low);
            i += 2;
        }
        if (!out[made++])
            return -1;
    }
    out[made] = 0;
    return made;
}

/* libmicrohttpd's callback for each query parameter: decodes it and gives it to the query's each(); a wrong encoding
 * is refused. */
static enum MHD_Result on_parameter(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_len,
                                    const char *value, size_t value_len) {
    struct query *q = cls;
    char names[CONNECTION_MEMORY], *values = names;
    (void)kind;
    long n = decode(name, name_len, names), v = n;
    if (n >= 0 && value) {
        values = names + n + 1;
        v = decode(value, value_len, values);
    }
    if (v < 0) {
        problem_reply(q->request, SM_BAD_REQUEST, "The query's percent-encoding is wrong, or has a NUL",
                      (sm_slice){0}, NULL);
        q->result = (int)SM_BAD_REQUEST;
        return MHD_NO;
    }
    q->result = q->each(q->arg, names, value ? values : NULL, value ? (size_t)v : 0);
    return q->result ? MHD_NO : MHD_YES;
}

int request_query(struct request *r, int (*each)(void *, const char *, const char *, size_t), void *arg) {
    struct query q = {r, each, arg, 0};
    MHD_get_connection_values_n(r->connection, MHD_GET_ARGUMENT_KIND, on_parameter, &q);
    return q.result;
}

void problem_reply(struct request *r, sm_status status, const char *detail, sm_slice diagnostics,
                   const char *option) {
    struct reply *reply = &r->reply;
    int http = sm_status_http(status);
    sm_buf_clear(&reply->text);
    reply->parts = 0;
    problem_json(&reply->text, status, detail, diagnostics, option, r->key_text);
    sm_buf_puts(&reply->text, "\n");
    reply->http = http;
    reply->status = status;
    reply_text(reply, "application/problem+json");
    if (http == 503 || http == 429)
        reply_header(reply, "Retry-After", "%d",
                     r->retry_after_s ? r->retry_after_s : r->service->retry_after(r->smd));
}

void problem_of_result(struct request *r, const struct result *result) {
    static const char end[] = "[]}\n"; /* of a problem without diagnostics */
    char detail[PROBLEM_DETAIL], option[SM_OPTION_NAME_MAX + 1];
    struct reply *reply = &r->reply;
    sm_slice diagnostics = result->artifact.part[SM_PART_DIAGNOSTICS];
    problem_detail(result, detail, sizeof detail);
    problem_reply(r, result->status, detail, (sm_slice){0}, problem_option(result, option));
    if (!diagnostics.len || reply->text.status != SM_OK)
        return;
    size_t before = reply->text.len - (sizeof end - 1);
    assert(memcmp(reply->text.data + before, end, sizeof end - 1) == 0);
    reply->parts = 0;
    reply_part(reply, reply->text.data, before);
    reply_part(reply, diagnostics.data, diagnostics.len);
    reply_part(reply, reply->text.data + before + 2, reply->text.len - before - 2);
}

sm_status problem_of_room(struct request *r, sm_status s) {
    s = s == SM_TOO_LARGE ? SM_BODY_TOO_LARGE : s;
    problem_reply(r, s, budget_refusal(s), (sm_slice){0}, NULL);
    return s;
}

sm_status request_count_answer(struct request *r, size_t own, struct result *result, size_t shared) {
    assert(!result || !r->is_counted);
    sm_status s = budget_send(r->service->budget, r->client, &r->own, own, result ? &result->lent : NULL, shared);
    if (s != SM_OK)
        return s;
    r->is_counted = 1;
    if (result) {
        r->lent = &result->lent;
        r->sent = result_keep(result);
    }
    return SM_OK;
}
