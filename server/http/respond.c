/* respond.c - see respond.h. */
#include "respond.h"

#include "clock.h"
#include "identify.h"
#include "jsontext.h"
#include "log.h"
#include "problem.h"
#include "router.h"
#include "slices.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_REPLY 16384 /* up to this size a reply is copied together: one system call sends it */

/* The bytes of all parts of the reply. */
static size_t reply_size(const struct reply *reply) {
    size_t total = 0;
    for (int i = 0; i < reply->parts; i++)
        total += reply->part[i].len;
    return total;
}

#define MEMBER(name) ",\"" name "\":"
#define WORD(name)   MEMBER(name) "\""

/* These three are compiled into what calls them, since the line is a good part of what a hit costs: the names of
 * members are then constants. */
#define INTO_CALLER static inline __attribute__((always_inline))

/* Appends a member whose text needs no escapes to a log line. */
INTO_CALLER void put_word(sm_buf *line, const char *member, const char *word) {
    sm_buf_adds(line, member);
    sm_buf_adds(line, word);
    sm_buf_adds(line, "\"");
}

/* Appends a member with its text escaped to a log line. */
INTO_CALLER void put_text(sm_buf *line, const char *member, const char *text) {
    sm_buf_adds(line, member);
    sm_json_text(line, text, strlen(text));
}

/* Appends a member with a number to a log line. */
INTO_CALLER void put_number(sm_buf *line, const char *member, unsigned long long n) {
    sm_buf_adds(line, member);
    sm_buf_put_decimal(line, n);
}

/* Appends the times of queue, compile and stages to a log line. */
static void put_times(sm_buf *line, const struct request *r, const struct result *result) {
    put_number(line, MEMBER("queue_us"), r->waiter.queue_us);
    put_number(line, MEMBER("compile_us"), result->run_us);
    for (unsigned i = 0; result->run_us && i < SM_STAGES; i++)
        sm_buf_printf(line, MEMBER("%s_us") "%u", sm_stage_name(i), result->timings.stage_us[i]);
}

/* 1 if the request was answered at once, from the cache or by what is always ready: such log lines can be switched
 * off. */
static int is_hit(const struct request *r) {
    int was_kept = r->reply.cache && r->waiter.from != FROM_COMPILED && r->waiter.from != FROM_FLIGHT;
    return r->reply.status == SM_OK && (was_kept || !r->route->has_body);
}

/* 1 if the request waited for a compile, whose times are its result's. */
static int was_compiled(const struct request *r) {
    return r->reply.result && (r->waiter.from == FROM_COMPILED || r->waiter.from == FROM_FLIGHT);
}

/* Logs the request. */
static void log_request(struct request *r, size_t size, uint64_t us) {
    enum { USUAL = 600, LARGEST = 1 << 20 };
    static const struct trace_place nowhere;
    sm_buf line;
    sm_buf_init(&line, LARGEST);
    sm_buf_reserve(&line, USUAL);
    log_begin(&line, LOG_LEVEL_INFO, "request");
    put_word(&line, WORD("id"), identify_request(r));
    put_word(&line, WORD("client"), r->client_name);
    if (r->holder) {
        put_word(&line, WORD("tenant"), holder_row(r->holder)->tenant);
        put_word(&line, WORD("token"), holder_row(r->holder)->name);
    }
    put_text(&line, MEMBER("method"), r->method);
    put_text(&line, MEMBER("path"), r->path ? r->path : "");
    if (memcmp(r->place.trace, nowhere.trace, sizeof nowhere.trace) != 0) {
        char trace[TRACE_TEXT];
        trace_text(&r->place, trace);
        put_word(&line, WORD("trace"), trace);
    }
    put_number(&line, MEMBER("status"), (unsigned)r->reply.http);
    put_word(&line, WORD("code"), sm_status_name(r->reply.status));
    if (r->key_text[0])
        put_word(&line, WORD("key"), r->key_text);
    if (r->reply.cache)
        put_word(&line, WORD("cache"), r->reply.cache);
    put_number(&line, MEMBER("received_bytes"), r->body.received);
    put_number(&line, MEMBER("sent_bytes"), size);
    put_number(&line, MEMBER("us"), us);
    if (was_compiled(r))
        put_times(&line, r, r->reply.result);
    log_end(&line);
}

/* Adds what became of the job that was waited for. */
static void put_job(struct traced *t, const struct waiter *w, const struct result *result) {
    if (w->ran_ns) {
        t->arrived = w->ran_ns - w->queue_us * UINT64_C(1000);
        t->ran = w->ran_ns;
    }
    if (result && (w->from == FROM_COMPILED || w->from == FROM_FLIGHT)) {
        t->run_us = result->run_us;
        t->timings = result->timings;
    }
}

void request_tell_part(struct traces *traces, const struct trace_place *of, const char *part, uint64_t began_ns,
                       const struct waiter *w, const struct result *result, const char *key) {
    sm_status status = result ? result->status : SM_CANCELLED;
    struct traced t = {.place = *of,
                       .part = part,
                       .began = began_ns,
                       .ended = sm_clock_ns(),
                       .code = sm_status_name(status),
                       .cache = status == SM_OK ? from_word(w->from) : NULL};
    memcpy(t.place.parent, of->span, sizeof t.place.parent);
    put_job(&t, w, result);
    snprintf(t.key, sizeof t.key, "%s", key);
    if (trace_begin_span(&t.place))
        traces_add(traces, &t);
}

void request_place(struct request *r) {
    if (!r->is_placed)
        r->is_traced = traces_place(r->service->traces, request_header(r, "traceparent"), &r->place);
    r->is_placed = 1;
}

/* Tells the collector of traces of the request. */
static void trace_request(struct request *r, size_t size, uint64_t ended_ns) {
    struct traced t = {.place = r->place,
                       .began = r->began_ns,
                       .received = r->received_ns,
                       .ended = ended_ns,
                       .http = r->reply.http,
                       .received_bytes = r->body.received,
                       .sent_bytes = size,
                       .route = r->route ? r->route->path : NULL,
                       .code = sm_status_name(r->reply.status),
                       .cache = r->reply.cache};
    put_job(&t, &r->waiter, r->reply.result);
    snprintf(t.id, sizeof t.id, "%s", identify_request(r));
    snprintf(t.method, sizeof t.method, "%s", r->method);
    snprintf(t.client, sizeof t.client, "%s", r->client_name);
    snprintf(t.tenant, sizeof t.tenant, "%s", r->holder ? holder_row(r->holder)->tenant : "");
    snprintf(t.key, sizeof t.key, "%s", r->key_text);
    traces_add(r->service->traces, &t);
}

/* Says what became of the request: in the log, unless it is a hit and the setting log_hits is off, and to the collector
 * of traces. */
static void tell(struct request *r, size_t size, uint64_t ended_ns) {
    int is_logged = r->service->settings->log_hits || !is_hit(r);
    if (!is_logged && !r->service->traces)
        return;
    request_place(r);
    if (is_logged)
        log_request(r, size, (ended_ns - r->began_ns) / 1000);
    if (r->is_traced)
        trace_request(r, size, ended_ns);
}

struct reply_memory {
    sm_buf text;
    struct result *result;
};

/* The response's callback: frees what a large response has taken over. */
static void free_reply_memory(void *arg) {
    struct reply_memory *m = arg;
    size_t len;
    slices_free(sm_buf_take(&m->text, &len));
    result_drop(m->result);
    free(m);
}

/* *New*: a response with a copy of the reply's parts; NULL if out of memory. */
static struct MHD_Response *small_response(const struct reply *reply, size_t size) {
    unsigned char *copy = malloc(size ? size : 1), *at = copy;
    if (!copy)
        return NULL;
    for (int i = 0; i < reply->parts; i++)
        if (reply->part[i].len) {
            memcpy(at, reply->part[i].data, reply->part[i].len);
            at += reply->part[i].len;
        }
    return MHD_create_response_from_buffer(size, copy, MHD_RESPMEM_MUST_FREE);
}

/* *New*: a response of the reply's parts without a copy. It takes the rendered text over, and a reference to the
 * result. NULL if out of memory. */
static struct MHD_Response *large_response(struct reply *reply) {
    struct MHD_IoVec iov[REPLY_PARTS];
    unsigned n = 0;
    for (int i = 0; i < reply->parts; i++)
        if (reply->part[i].len)
            iov[n++] = (struct MHD_IoVec){reply->part[i].data, reply->part[i].len};
    struct reply_memory *m = malloc(sizeof *m);
    if (!m)
        return NULL;
    m->text = reply->text;
    m->result = reply->result ? result_keep(reply->result) : NULL; /* what it holds is counted as sent */
    struct MHD_Response *response = MHD_create_response_from_iovec(iov, n, free_reply_memory, m);
    if (response) {
        sm_buf_init(&reply->text, TEXT_MAX);
    } else {
        result_drop(m->result);
        free(m);
    }
    return response;
}

/* A stream on its way. */
struct streaming {
    struct reply_stream *stream; /* owned */
    struct request *request;
};

/* libmicrohttpd's callback for more of a body. */
static ssize_t read_stream(void *arg, uint64_t at, char *out, size_t max) {
    struct streaming *s = arg;
    struct request *r = s->request;
    (void)at;
    long n = s->stream->read(s->stream, r, (unsigned char *)out, max);
    if (n == STREAM_END)
        return MHD_CONTENT_READER_END_OF_STREAM;
    metric_add(r->service->metrics, METRIC_SENT_BYTES, n);
    conns_answer_more(r->conns, r->conn, (size_t)n);
    return n;
}

static void free_stream(void *arg) {
    struct streaming *s = arg;
    s->stream->free(s->stream);
    free(s);
}

/* *New*: a response of the reply's stream, which it takes over; NULL if out of memory. */
static struct MHD_Response *stream_response(struct request *r) {
    enum { BLOCK = 64 << 10 };
    struct streaming *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (struct streaming){.stream = r->reply.stream, .request = r};
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, s, free_stream);
    if (response)
        r->reply.stream = NULL;
    else
        free(s);
    return response;
}

/* Adds the headers that differ for each request, so a shared response cannot have them. */
static void add_own_headers(struct request *r, struct MHD_Response *response) {
    char text[40];
    int busy;
    size_t queued;
    r->service->load(r->smd, &busy, &queued);
    MHD_add_response_header(response, "X-Request-Id", identify_request(r));
    snprintf(text, sizeof text, "%d/%d", busy, r->service->settings->workers);
    MHD_add_response_header(response, "X-Smd-Workers-Busy", text);
    snprintf(text, sizeof text, "%zu", queued);
    MHD_add_response_header(response, "X-Smd-Queue", text);
}

/* *New*: the response to the request, with its headers; NULL if out of memory. */
static struct MHD_Response *make_response(struct request *r, size_t size) {
    struct reply *reply = &r->reply;
    char type[160]; /* it may lie in the text, which moves */
    snprintf(type, sizeof type, "%s", reply->content_type ? reply->content_type : "application/octet-stream");
    struct MHD_Response *response = reply->stream         ? stream_response(r)
                                    : size <= SMALL_REPLY ? small_response(reply, size)
                                                          : large_response(reply);
    if (!response)
        return NULL;
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (reply->coding)
        MHD_add_response_header(response, "Content-Encoding", reply->coding);
    for (int i = 0; i < reply->headers; i++)
        MHD_add_response_header(response, reply->header[i].name, reply->header[i].value);
    if (!reply->is_shareable)
        add_own_headers(r, response);
    if (r->is_last)
        MHD_add_response_header(response, "Connection", "close");
    return response;
}

static void destroy_response(void *response) {
    MHD_destroy_response(response);
}

/* Keeps the response with the cached result, so that the next request for the same answer gets the same one. OWN: the
 * bytes that it has beside the result. */
static void share(struct request *r, struct MHD_Response *response, size_t size, size_t own) {
    struct shared *s = malloc(sizeof *s);
    if (!s)
        return; /* what was rendered is charged by respond() */
    *s = (struct shared){
        .bytes = size, .signed_by = r->reply.signed_by, .response = response, .free = destroy_response};
    atomic_init(&s->refs, 1);
    r->service->share(r->smd, &r->key, r->reply.rendered, r->reply.kind, s, own);
    r->reply.rendered = 0;
    r->reply.shared = s;
}

/* Counts the memory that the answer holds until its client has read it, unless that was done before it was made; what
 * the budget says. Small answers are not counted: there are at most as many as connections. */
static sm_status count_answer(struct request *r, size_t size) {
    struct reply *reply = &r->reply;
    if (size <= SMALL_REPLY || r->is_counted)
        return SM_OK;
    if (!reply->shared)
        return request_count_answer(r, reply->text.len, reply->result,
                                    reply->result ? result_bytes(reply->result) : 0);
    struct lent *lent = &reply->shared->lent;
    sm_status s = budget_send(r->service->budget, r->client, &r->own, 0, lent, reply->shared->bytes);
    r->lent = s == SM_OK ? lent : NULL;
    return s;
}

/* Replaces the answer by a refusal. */
static void refuse_to_send(struct request *r, sm_status s) {
    struct reply *reply = &r->reply;
    shared_unref(reply->shared);
    result_unref(reply->result);
    sm_buf_free(&reply->text);
    reply->shared = NULL;
    reply->result = NULL;
    reply->cache = reply->coding = NULL;
    reply->headers = reply->is_shareable = 0;
    problem_reply(r, s,
                  s == SM_OVERLOADED ? "As many bytes of answers are on their way as may be" : budget_refusal(s),
                  (sm_slice){0}, NULL);
}

/* Sends the response that was made for the first request for the same answer. */
static int respond_shared(struct request *r) {
    return MHD_queue_response(r->connection, 200, r->reply.shared->response) == MHD_YES;
}

/* Makes a response for this request and sends it; shares it if it is shareable. 0 on failure. */
static int respond_alone(struct request *r, size_t size) {
    struct reply *reply = &r->reply;
    size_t own = size <= SMALL_REPLY ? size : reply->text.len;
    struct MHD_Response *response = make_response(r, size);
    if (!response)
        return 0;
    int queued = MHD_queue_response(r->connection, (unsigned)reply->http, response) == MHD_YES;
    if (reply->is_shareable)
        share(r, response, size, own);
    if (!reply->shared)
        MHD_destroy_response(response);
    return queued;
}

int respond(struct request *r) {
    struct reply *reply = &r->reply;
    size_t size = reply->shared ? reply->shared->bytes : reply_size(reply);
    sm_status counted = count_answer(r, size);
    if (counted != SM_OK) {
        refuse_to_send(r, counted);
        size = reply_size(reply);
    }
    r->size = size;
    uint64_t now = sm_clock_ns(), us = (now - r->began_ns) / 1000;
    metric_answer(r->service->metrics, reply->status);
    metric_observe(r->service->metrics, HISTOGRAM_REQUEST, us);
    metric_observe_route(r->service->metrics, router_row(r->service, r->route),
                         reply->cache ? (int)r->waiter.from : -1, us);
    metric_add(r->service->metrics, METRIC_SENT_BYTES, (long long)size);
    tell(r, size, now);
    int queued = reply->shared ? respond_shared(r) : respond_alone(r, size);
    if (reply->rendered) /* nobody shares it */
        r->service->share(r->smd, &r->key, reply->rendered, 0, NULL, 0);
    return queued;
}
