/* otlp.c - see otlp.h. */
#include "otlp.h"

#include "jsontext.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Kinds of spans, and the one status that is told (opentelemetry/proto/trace/v1/trace.proto). */
enum { KIND_INTERNAL = 1, KIND_SERVER = 2, STATUS_ERROR = 2 };

/* The spans of one request. Its own has its place's id; the ids of those in it are a random number and what follows it. */
struct spans {
    struct otlp *otlp;
    const struct traced *of;
    uint64_t first, count;
};

static void put_text(sm_buf *out, const char *text) {
    sm_json_text(out, text, strlen(text));
}

/* Appends an attribute; MORE: a comma before it. */
static void put_string(sm_buf *out, const char *name, const char *value, int more) {
    sm_buf_printf(out, "%s{\"key\":\"%s\",\"value\":{\"stringValue\":", more ? "," : "", name);
    put_text(out, value);
    sm_buf_adds(out, "}}");
}

/* Appends an attribute with a number, after others. 64 bits are a text in the JSON of protocol buffers. */
static void put_number(sm_buf *out, const char *name, unsigned long long value) {
    sm_buf_printf(out, ",{\"key\":\"%s\",\"value\":{\"intValue\":\"%llu\"}}", name, value);
}

void otlp_begin(struct otlp *o, sm_buf *out, const char *version, const char *instance) {
    struct timespec now, mono;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_MONOTONIC, &mono);
    int64_t seconds = (int64_t)now.tv_sec - mono.tv_sec, rest = now.tv_nsec - mono.tv_nsec;
    *o = (struct otlp){.out = out, .clock_ns = (uint64_t)(seconds * INT64_C(1000000000) + rest)};
    sm_buf_adds(out, "{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
    put_string(out, "service.name", "smd", 0);
    put_string(out, "service.version", version, 1);
    put_string(out, "service.instance.id", instance, 1);
    sm_buf_adds(out, "]},\"scopeSpans\":[{\"scope\":{\"name\":\"smd\",\"version\":");
    put_text(out, version);
    sm_buf_adds(out, "},\"spans\":[");
}

static uint64_t id_of(const unsigned char bytes[8]) {
    uint64_t id = 0;
    for (size_t i = 0; i < 8; i++)
        id = id << 8 | bytes[i];
    return id;
}

/* Begins a span of this id, from FROM to UNTIL, in PARENT (0: in none), with its kind. The caller appends what else it has,
 * and "}". */
static void begin_span(struct spans *s, uint64_t id, uint64_t parent, int kind, uint64_t from, uint64_t until) {
    sm_buf *out = s->otlp->out;
    char trace[TRACE_TEXT];
    trace_text(&s->of->place, trace);
    sm_buf_printf(out, "%s{\"traceId\":\"%s\",\"spanId\":\"%016llx\"", s->otlp->spans++ ? "," : "", trace,
                  (unsigned long long)id);
    if (parent)
        sm_buf_printf(out, ",\"parentSpanId\":\"%016llx\"", (unsigned long long)parent);
    sm_buf_printf(out, ",\"kind\":%d,\"startTimeUnixNano\":\"%llu\",\"endTimeUnixNano\":\"%llu\"", kind,
                  (unsigned long long)(from + s->otlp->clock_ns), (unsigned long long)(until + s->otlp->clock_ns));
}

/* Appends a span that has a name alone, unless it did not come to that. */
static uint64_t put_span(struct spans *s, const char *name, uint64_t parent, uint64_t from, uint64_t until) {
    if (!from || until < from)
        return 0;
    uint64_t id = s->first + s->count++;
    begin_span(s, id, parent, KIND_INTERNAL, from, until);
    sm_buf_adds(s->otlp->out, ",\"name\":");
    put_text(s->otlp->out, name);
    sm_buf_adds(s->otlp->out, "}");
    return id;
}

/* Appends the attributes of a request alone. */
static void put_exchange(sm_buf *out, const struct traced *t) {
    put_string(out, "http.request.method", t->method, 1);
    if (t->route)
        put_string(out, "http.route", t->route, 1);
    put_number(out, "http.response.status_code", (unsigned)t->http);
    put_number(out, "http.request.body.size", t->received_bytes);
    put_number(out, "http.response.body.size", t->sent_bytes);
    put_string(out, "client.address", t->client, 1);
    put_string(out, "smd.request.id", t->id, 1);
    if (t->tenant[0])
        put_string(out, "smd.tenant", t->tenant, 1);
}

/* Appends the request's own span, or its part's. The names of attributes are those of OpenTelemetry's conventions for
 * HTTP servers where they have one. */
static uint64_t put_request(struct spans *s) {
    const struct traced *t = s->of;
    sm_buf *out = s->otlp->out;
    char name[80];
    uint64_t id = id_of(t->place.span);
    begin_span(s, id, id_of(t->place.parent), t->part ? KIND_INTERNAL : KIND_SERVER, t->began, t->ended);
    if (t->part)
        snprintf(name, sizeof name, "%s", t->part);
    else
        snprintf(name, sizeof name, "%s%s%s", t->method, t->route ? " " : "", t->route ? t->route : "");
    sm_buf_adds(out, ",\"name\":");
    put_text(out, name);
    sm_buf_adds(out, ",\"attributes\":[");
    put_string(out, "smd.code", t->code, 0);
    if (!t->part)
        put_exchange(out, t);
    if (t->key[0])
        put_string(out, "smd.key", t->key, 1);
    if (t->cache)
        put_string(out, "smd.cache", t->cache, 1);
    if (t->timings.peak_rss_kib)
        put_number(out, "smd.worker.peak_rss_kib", t->timings.peak_rss_kib);
    sm_buf_adds(out, "]");
    if (t->http >= 500)
        sm_buf_printf(out, ",\"status\":{\"code\":%d}", STATUS_ERROR);
    sm_buf_adds(out, "}");
    return id;
}

static uint64_t later_of(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Appends the worker's span, and those of its stages in it. Of a compile that began for another who asked before,
 * there is what this request waited for. */
static void put_compile(struct spans *s, uint64_t request) {
    const struct traced *t = s->of;
    uint64_t at = t->ran, until = at + t->run_us * UINT64_C(1000);
    uint64_t compile = put_span(s, "compile", request, later_of(at, t->began), until);
    if (at < t->began)
        return;
    for (unsigned i = 0; compile && i < SM_STAGES; i++) {
        uint64_t end = at + t->timings.stage_us[i] * UINT64_C(1000);
        if (end > at && end <= until)
            put_span(s, sm_stage_name(i), compile, at, end);
        at = end;
    }
}

void otlp_request(struct otlp *o, const struct traced *t) {
    struct spans s = {.otlp = o, .of = t};
    if (getrandom(&s.first, sizeof s.first, 0) != (ssize_t)sizeof s.first)
        return;
    s.first = s.first >> 1 | 1; /* neither 0 nor close to the end */
    uint64_t request = put_request(&s);
    put_span(&s, "receive", request, t->received ? t->began : 0, t->received);
    put_span(&s, "look up", request, t->received, t->arrived ? t->arrived : t->cache ? t->ended : 0);
    put_span(&s, "queue", request, t->ran ? later_of(t->arrived, t->began) : 0, t->ran);
    if (t->ran)
        put_compile(&s, request);
}

void otlp_end(struct otlp *o) {
    sm_buf_adds(o->out, "]}]}]}\n");
}
