/* compile.c - see compile.h. */
#include "compile.h"

#include "answer.h"
#include "cache.h"
#include "clock.h"
#include "container.h"
#include "context.h"
#include "dispatch.h"
#include "jsonbody.h"
#include "jsontext.h"
#include "problem.h"
#include "tiers.h"
#include "vouch.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Fills the reply with a problem about OPTION (may be NULL), and gives its status. */
static sm_status refuse_compile(struct request *r, sm_status s, const char *detail, const char *option) {
    problem_reply(r, s, detail, (sm_slice){0}, option);
    return s;
}

struct reading {
    struct request *request;
    unsigned long long given; /* a bit for each row of the table */
};

/* The bit of an option's row; 0 if there is no such option. */
static unsigned long long bit_of(const char *name) {
    size_t rows;
    const sm_option_row *table = sm_option_table(&rows);
    for (size_t i = 0; i < rows && i < 64; i++)
        if (strcmp(table[i].name, name) == 0)
            return 1ull << i;
    return 0;
}

/* request_query's callback: sets an option of the job; refuses an unknown, wrong or repeated one. */
static int on_option(void *arg, const char *name, const char *value, size_t len) {
    struct reading *reading = arg;
    struct request *r = reading->request;
    sm_option_error err;
    sm_status s = sm_options_set(&r->job->options, name, value ? value : "", len, &err);
    if (s == SM_OK && reading->given & bit_of(name)) { /* which one is meant? */
        s = SM_INVALID_OPTION;
        snprintf(err.option, sizeof err.option, "%.60s", name);
        snprintf(err.message, sizeof err.message, "The option '%.60s' is given twice%s", name,
                 strcmp(name, "emit") == 0 || strcmp(name, "safepoints") == 0 ? "; its words are separated by commas"
                                                                              : "");
    }
    reading->given |= bit_of(name);
    if (s != SM_OK)
        refuse_compile(r, s, err.message, err.option);
    return (int)s;
}

/* request_query's callback: refuses every parameter. */
static int on_any_parameter(void *arg, const char *name, const char *value, size_t len) {
    char detail[160];
    (void)value;
    (void)len;
    snprintf(detail, sizeof detail, "This route takes no options; '%.60s' is one", name);
    return (int)refuse_compile(arg, SM_UNKNOWN_OPTION, detail, name);
}

/* 1 if the Content-Type header names TYPE, whatever its parameters. */
static int is_type(const char *header, const char *type) {
    size_t n = strlen(type);
    return strncasecmp(header, type, n) == 0 && (header[n] == 0 || header[n] == ';' || header[n] == ' ');
}

static int begins_with(const char *header, const char *beginning) {
    return strncasecmp(header, beginning, strlen(beginning)) == 0;
}

/* Sets c->json by the Content-Type. Raw bodies come as whatever a tool sends by default; a type that says that the
 * body is something else is refused. */
static sm_status read_media_type(struct request *r, struct compile *c) {
    static const char *const raw[] = {"application/octet-stream",     "application/x-www-form-urlencoded",
                                      "application/vnd.llvm.bitcode", "application/llvm-ir",
                                      "application/x-object",         "application/x-elf"};
    static const char *const families[] = {"text/", "application/x-llvm"};
    const char *type = request_header(r, "Content-Type");
    char detail[240];
    if (!type)
        return SM_OK;
    if (r->job->kind == SM_JOB_COMPILE && is_type(type, "application/json")) {
        c->json = 1;
        return SM_OK;
    }
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++)
        if (is_type(type, raw[i]))
            return SM_OK;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (begins_with(type, families[i]))
            return SM_OK;
    if (begins_with(type, "multipart/"))
        return refuse_compile(
            r, SM_UNSUPPORTED_MEDIA_TYPE,
            "A body of several parts is not supported (curl's -F sends one); curl's --data-binary @FILE "
            "sends a file as it is",
            NULL);
    snprintf(detail, sizeof detail, "'%.80s' is not supported; send the bytes as application/octet-stream%s", type,
             r->job->kind == SM_JOB_COMPILE ? ", IR as text/plain, or application/json" : "");
    return refuse_compile(r, SM_UNSUPPORTED_MEDIA_TYPE, detail, NULL);
}

/* Sets c->answer to the best of OFFERS by the Accept header; none is refused with DETAIL. */
static sm_status read_accept(struct request *r, struct compile *c, const char *const *offers, const char *detail) {
    c->answer = answer_choose(r, offers);
    return c->answer >= 0 ? SM_OK : refuse_compile(r, SM_NOT_ACCEPTABLE, detail, NULL);
}

/* *New*: the request's state, with a job; NULL, with the reply filled, if out of memory. */
static struct compile *new_compile(struct request *r, enum sm_job_kind kind) {
    struct compile *c = calloc(1, sizeof *c);
    r->job = job_new(kind);
    r->state = c;
    if (!c || !r->job)
        refuse_compile(r, SM_NOMEM, NULL, NULL);
    else
        c->request = r;
    return c && r->job ? c : NULL;
}

/* begin() of POST /v1/compile: reads options and media types. */
sm_status compile_begin(struct request *r) {
    struct compile *c = new_compile(r, SM_JOB_COMPILE);
    if (!c)
        return SM_NOMEM;
    sm_status s = (sm_status)request_query(r, on_option, &(struct reading){.request = r});
    if (s == SM_OK)
        s = read_media_type(r, c);
    if (s == SM_OK)
        s = read_accept(r, c, answer_types,
                        "The answer can be application/json, application/octet-stream, multipart/mixed, "
                        "application/vnd.smd.artifact or text/plain");
    return s;
}

/* begin() of POST /v1/stackmap: refuses options, reads media types. */
sm_status stackmap_begin(struct request *r) {
    static const char *const offers[] = {"application/json", "text/plain", NULL};
    struct compile *c = new_compile(r, SM_JOB_STACKMAP);
    if (!c)
        return SM_NOMEM;
    sm_status s = (sm_status)request_query(r, on_any_parameter, r);
    if (s == SM_OK)
        s = read_media_type(r, c);
    if (s == SM_OK)
        s = read_accept(r, c, offers, "The answer can be application/json or text/plain");
    return s;
}

/* The dispatch's callback: the request goes on and renders the answer on the HTTP thread. */
static void on_compile_done(struct waiter *w, struct result *result) {
    struct request *r = container_of(w, struct request, waiter);
    struct compile *c = r->state;
    c->result = result ? result_ref(result) : NULL;
    answer_when_ready(r, c->result, c->answer);
}

/* Refuses a deadline over the operator's bound; an unset one becomes that bound. */
static sm_status check_deadline(struct request *r) {
    char detail[120];
    int max = r->smd->settings.max_deadline_ms, own = r->holder ? holder_row(r->holder)->deadline_ms : 0;
    if (own && own < max)
        max = own;
    if (r->job->options.deadline_ms <= max)
        return SM_OK;
    sm_options defaults;
    sm_options_init(&defaults);
    if (r->job->options.deadline_ms ==
        defaults.deadline_ms) { /* not asked for: the operator's bound is the default then */
        r->job->options.deadline_ms = max;
        return SM_OK;
    }
    snprintf(detail, sizeof detail, "'%d' is not a value of 'deadline_ms'; here it takes an integer from 1 to %d",
             r->job->options.deadline_ms, max);
    return refuse_compile(r, SM_INVALID_OPTION, detail, "deadline_ms");
}

/* Submits the request's job, for which the request itself waits. The reply is filled unless SM_OK. */
static sm_status submit_and_wait(struct request *r) {
    r->waiter.done = on_compile_done;
    r->waiter.client = r->client;
    r->waiter.deadline_ns = job_deadline_ns(r->job);
    r->waiter.watch_fd = r->socket;
    struct job *job = r->job;
    r->job = NULL; /* taken by dispatch */
    const struct compile *c = r->state;
    sm_status s = (c->is_miss ? dispatch_miss : dispatch_submit)(r->smd->dispatch, job, &r->waiter);
    if (s != SM_OK)
        refuse_compile(r, s, NULL, NULL);
    return s;
}

/* 1 if the bytes are bitcode: as such, or in the wrapper that Darwin has around it. */
static int is_bitcode(const unsigned char *bytes, size_t len) {
    static const unsigned char plain[] = {'B', 'C', 0xc0, 0xde}, wrapped[] = {0xde, 0xc0, 0x17, 0x0b};
    return len >= sizeof plain &&
           (memcmp(bytes, plain, sizeof plain) == 0 || memcmp(bytes, wrapped, sizeof wrapped) == 0);
}

sm_status compile_key(const struct request *r, struct job *job, struct error *err) {
    const struct access_row *row = r->holder ? holder_row(r->holder) : NULL;
    int takes_text = r->smd->settings.input_text || (row && row->input_text);
    if (job->kind == SM_JOB_COMPILE && takes_text && is_bitcode(job->input, job->input_len))
        return error_set(err, SM_UNSUPPORTED_MEDIA_TYPE, "%s: send the module as text",
                         r->smd->settings.input_text ? "This server reads no bitcode" : "You may send no bitcode");
    job->space = *request_space(r);
    job->is_alone = row && row->untrusted;
    request_pay(r->holder, job);
    return cache_key(r->smd->cache, job, r->smd->key_context);
}

/* Checks the options of a job that has its input, and gives it its key. The reply is filled unless SM_OK. */
static sm_status set_key(struct request *r) {
    struct compile *c = r->state;
    sm_status s = check_deadline(r);
    if (s == SM_OK && r->job->options.tiers && c->submit != submit_and_wait)
        s = refuse_compile(r, SM_INVALID_OPTION, "'tiers' is for who waits: POST /v1/compile", "tiers");
    if (s == SM_OK && !tiers_take(&r->job->options, &c->later))
        s = refuse_compile(r, SM_INVALID_OPTION,
                           "'opt' and 'tiers' exclude each other: the first of the tiers is the level", "tiers");
    if (s != SM_OK)
        return s;
    struct error err = {0};
    s = compile_key(r, r->job, &err);
    if (s != SM_OK)
        return refuse_compile(r, s, err.text[0] ? err.text : NULL, NULL);
    r->key = r->job->key;
    sm_key_text(&r->job->name, r->key_text);
    memcpy(c->startup, r->job->options.startup, sizeof c->startup);
    return SM_OK;
}

/* Makes the body the job's input. */
static sm_status read_raw(struct request *r) {
    struct charge charge = {0};
    size_t len;
    unsigned char *bytes = body_take(&r->body, &len, &charge);
    if (!job_set_input(r->job, source_new(bytes, len, &charge)))
        return refuse_compile(r, SM_NOMEM, NULL, NULL);
    return set_key(r);
}

/* Writes into TEXT a list with one diagnostic of the error's place; empty if it has none. */
static sm_slice diagnostic_place(const struct error *err, char *text, size_t size) {
    sm_buf message;
    sm_buf_init(&message, 2048);
    sm_json_text(&message, err->text, strlen(err->text));
    int n = err->line ? snprintf(text, size, "[{\"severity\":\"error\",\"line\":%d,\"column\":%d,\"message\":%s}]",
                                 err->line, err->column, sm_buf_cstr(&message))
                      : 0;
    sm_buf_free(&message);
    return (sm_slice){(unsigned char *)text, (size_t)n};
}

/* Reads the JSON form into the job. The reply is filled unless SM_OK. */
static sm_status read_json(struct request *r) {
    struct error err = {0};
    char place[2400];
    struct jsonbody json;
    sm_status s = jsonbody_parse(&json, &r->body, &err);
    if (s == SM_OK)
        s = jsonform_read_value(json.root, r->job, r->smd->budget, r->client, &err);
    jsonbody_free(&json);
    if (s != SM_OK) {
        problem_reply(r, s, err.text, diagnostic_place(&err, place, sizeof place), err.option[0] ? err.option : NULL);
        return s;
    }
    if (r->job->input_len == 0)
        return refuse_compile(r, SM_EMPTY_BODY, "The module is empty", NULL);
    return set_key(r);
}

/* Bytes of a module whose levels begin together, on as many workers as are idle. Those of a smaller one would slow down
 * the first: what lies around a compile is most of it, and takes a processor, too. */
#define TIERS_TOGETHER ((size_t)32 << 10)

/* Submits the job, and the other levels as stored jobs: at once, or when the first is answered. */
static sm_status submit_tiers(struct request *r) {
    struct compile *c = r->state;
    struct tiers later;
    tiers_reserve(&later, r, c->later, c->tiers);
    if (r->job->input_len < TIERS_TOGETHER) {
        c->rest = later;
        return c->submit(r);
    }
    sm_status s = c->submit(r); /* now the request may be gone at any time */
    if (s == SM_OK)
        tiers_start(&later);
    else
        tiers_abandon(&later);
    return s;
}

/* Gives the job its input and key, of the body. The reply is filled unless SM_OK. */
static sm_status read_input(struct request *r) {
    const struct compile *c = r->state;
    return c->json ? read_json(r) : read_raw(r);
}

/* The parser's task: reads the body and submits the job; on failure the request goes on to its refusal. */
static void run_in_parser(struct task *t) {
    struct compile *c = container_of(t, struct compile, task);
    if (answer_is_in_vain(c->request) || read_input(c->request) != SM_OK || submit_tiers(c->request) != SM_OK)
        request_ready(c->request);
}

/* Answers with a result of memory: 1 and the reply is filled, or 0 and the connection is suspended until the renderer
 * has made it. The job goes to dispatch only to be verified (dispatch_answered). */
static int answer_with(struct request *r, struct result *result) {
    struct compile *c = r->state;
    struct job *job = r->job;
    int is_long = answer_is_long(result, c->answer);
    r->job = NULL;
    c->result = result;
    r->waiter.from = FROM_MEMORY;
    if (!is_long)
        compile_answer(r);
    else
        request_wait(r);
    dispatch_answered(r->smd->dispatch, job, result);
    if (is_long)
        answer_when_ready(r, result, c->answer);
    return !is_long;
}

enum hit { NO_HIT, HIT_ANSWERED, HIT_AWAITED };

/* Answers a hit in memory, without suspending the connection unless the answer is long. */
static enum hit answer_from_memory(struct request *r) {
    struct compile *c = r->state;
    if (c->submit != submit_and_wait || c->later || !job_takes_kept(r->job))
        return NO_HIT;
    struct found found;
    int kind = r->smd->settings.verify_sample ? CACHE_NO_KIND : answer_kind(r, c->answer);
    if (!cache_find(r->smd->cache, &r->key, kind, r->client, &found)) {
        c->is_miss = 1;
        return NO_HIT;
    }
    if (found.result)
        return answer_with(r, found.result) ? HIT_ANSWERED : HIT_AWAITED;
    if (found.refused != SM_OK) {
        problem_of_room(r, found.refused);
        return HIT_ANSWERED;
    }
    cache_remember(r->smd->cache, r->job);
    startups_note(r->smd->startups, request_space(r), c->startup, r->key_text);
    answer_shared(r, found.shared);
    return HIT_ANSWERED;
}

/* Bytes of a body that an HTTP thread itself hashes: in less than a fifth of a millisecond, as a thousand others may
 * have the same turn. */
#define RAW_TINY ((size_t)64 << 10)

/* Reads the body and submits the job by SUBMIT. 1: the reply is filled; 0: the connection is suspended, and each path
 * from there leads through request_ready() and the route's answer(). */
int compile_submit(struct request *r, sm_status (*submit)(struct request *r)) {
    struct compile *c = r->state;
    c->submit = submit;
    c->task = (struct task){.run = run_in_parser, .client = r->client, .work = r->body.bytes.len};
    if (r->body.bytes.len == 0) {
        refuse_compile(r, SM_EMPTY_BODY,
                       r->job->kind == SM_JOB_COMPILE
                           ? "The body is empty; it has to be LLVM IR, bitcode or the JSON form "
                             "(curl's --data-binary @FILE sends a file)"
                           : "The body is empty; it has to be an object file "
                             "(curl's --data-binary @FILE sends one)",
                       NULL);
        return 1;
    }
    if (r->body.bytes.len > (c->json ? JSON_TINY : RAW_TINY)) {
        request_wait(r);
        tasks_add(r->smd->parser, &c->task);
        return 0;
    }
    if (read_input(r) != SM_OK)
        return 1;
    enum hit hit = answer_from_memory(r);
    if (hit != NO_HIT)
        return hit == HIT_ANSWERED;
    request_wait(r);
    if (submit_tiers(r) != SM_OK)
        request_ready(r);
    return 0;
}

/* finish() of POST /v1/compile. */
int compile_finish(struct request *r) {
    return compile_submit(r, submit_and_wait);
}

/* finish() of POST /v1/stackmap. */
int stackmap_finish(struct request *r) {
    return compile_submit(r, submit_and_wait);
}

/* Appends what took so many microseconds, in milliseconds as Server-Timing has it. */
static void put_duration(sm_buf *text, const char *what, uint32_t us) {
    char thousandths[] = {'.', (char)('0' + us / 100 % 10), (char)('0' + us / 10 % 10), (char)('0' + us % 10)};
    sm_buf_puts(text, text->len ? ", " : "");
    sm_buf_puts(text, what);
    sm_buf_adds(text, ";dur=");
    sm_buf_put_decimal(text, us / 1000);
    sm_buf_put(text, thousandths, sizeof thousandths);
}

/* Adds the header Server-Timing. */
static void put_timing(struct request *r, const struct result *result) {
    sm_buf text;
    sm_buf_init(&text, 200);
    put_duration(&text, "queue", r->waiter.queue_us);
    put_duration(&text, "compile", result->run_us);
    for (unsigned i = 0; i < SM_STAGES; i++)
        put_duration(&text, sm_stage_name(i), result->timings.stage_us[i]);
    reply_header(&r->reply, "Server-Timing", "%s", sm_buf_cstr(&text));
    sm_buf_free(&text);
}

/* Adds the header of a compile in parts: how many, and how many were taken over from an earlier one. */
static void put_parts(struct request *r, const struct result *result) {
    const sm_timings *t = &result->timings;
    if (t->parts)
        reply_header(&r->reply, "X-Smd-Parts", "%u; taken=%u%s", t->parts, t->parts_taken,
                     result->lacked_parts ? "; incremental=unknown" : "");
}

void compile_vouch(struct request *r, struct result *result) {
    char text[SM_SIGNATURE_TEXT];
    struct sm_key name;
    if (r->reply.http == 200 && sm_key_read(r->key_text, strlen(r->key_text), &name) &&
        (r->reply.signed_by = vouch_for(result, &name, text)) != 0)
        reply_header(&r->reply, "X-Smd-Signature", "%s", text);
}

/* Adds the headers of key and cache and, of a success, those by which clients may keep it. */
void compile_headers(struct request *r, struct result *result) {
    reply_header(&r->reply, "X-Smd-Key", "%s", r->key_text);
    r->reply.cache = from_word(r->waiter.from);
    reply_header(&r->reply, "X-Smd-Cache", "%s", r->reply.cache);
    if (r->reply.status != SM_OK)
        return;
    compile_vouch(r, result);
    reply_header(&r->reply, "ETag", "%s\"%s\"", r->reply.coding ? "W/" : "", r->key_text);
    reply_header(&r->reply, "Vary", "Accept, Accept-Encoding");
    reply_header(&r->reply, "Cache-Control", "private, max-age=31536000, immutable");
}

/* answer() of both: the result with its headers. */
void compile_answer(struct request *r) {
    struct compile *c = r->state;
    if (!c->result) {
        if (!r->reply.parts) /* otherwise it was refused, and the reply says why */
            refuse_compile(r, SM_CANCELLED, NULL, NULL);
        return;
    }
    if (c->result->status == SM_OK)
        startups_note(r->smd->startups, request_space(r), c->startup, r->key_text);
    if (r->waiter.from == FROM_MEMORY && !c->tiers[0])
        answer_cached(r, c->result, c->answer);
    else if (r->waiter.from != FROM_COMPILED)
        answer_kept(r, c->result, c->answer);
    else
        answer_result(r, c->result, c->answer);
    compile_headers(r, c->result);
    if (c->tiers[0])
        reply_header(&r->reply, "X-Smd-Tiers", "%s", c->tiers);
    tiers_start(&c->rest);
    if (r->waiter.missed[0])
        reply_header(&r->reply, "X-Smd-Miss", "%s", r->waiter.missed);
    if (r->waiter.from == FROM_COMPILED || r->waiter.from == FROM_FLIGHT) {
        put_timing(r, c->result);
        put_parts(r, c->result);
    }
}

void compile_drop(struct request *r) {
    struct compile *c = r->state;
    if (c) {
        result_unref(c->result);
        tiers_abandon(&c->rest);
    }
    free(c);
}
