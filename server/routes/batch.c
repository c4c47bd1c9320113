/* batch.c - see batch.h. The body is a JSON array of the forms that POST /v1/compile takes; the answer {"results":
 * [...]} has for each what compile would have answered. The whole answer has the bound of one, max_output_mib: an item
 * that would pass it fails alone, and can be asked for alone. */
#include "batch.h"

#include "accept.h"
#include "answer.h"
#include "cache.h"
#include "clock.h"
#include "compile.h"
#include "container.h"
#include "context.h"
#include "deflate.h"
#include "dispatch.h"
#include "jsonbody.h"
#include "problem.h"
#include "vouch.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SIGNATURE_MEMBER ",\"signature\":\""

#define BATCH_MAX 1000

/* So many items of a batch are told to the collector of traces, which has room for few batches more. */
enum { TRACED_ITEMS = 100 };

struct item {
    struct waiter waiter;
    struct batch *batch;
    struct result *result; /* owned reference; NULL if the client has hung up */
    uint64_t began_ns;
    char key[SM_KEY_TEXT];
    char startup[SM_STARTUP_TEXT]; /* as which it is recorded; "" for none */
    char option[64];               /* that was wrong; "" for none */
};

struct batch {
    struct task task;
    struct request *request;
    enum coding coding; /* of the answer */
    struct item *item;  /* owned */
    size_t items;
    struct charge charge;  /* what the items take, without their results */
    atomic_size_t pending; /* items without a result, and one while they are being submitted */
    atomic_size_t bytes;   /* of the results so far */
    atomic_int submitted;  /* boolean: all of them are */
    atomic_int gone;       /* boolean: the client is */
};

/* Fills the reply with a problem, and gives its status. */
static sm_status refuse_batch(struct request *r, sm_status s, const char *detail) {
    problem_reply(r, s, detail, (sm_slice){0}, NULL);
    return s;
}

/* begin() of POST /v1/batch: checks the media types. */
sm_status batch_begin(struct request *r) {
    static const char *const offers[] = {"application/json", NULL};
    const char *type = request_header(r, "Content-Type");
    struct batch *b = calloc(1, sizeof *b);
    r->state = b;
    if (!b)
        return refuse_batch(r, SM_NOMEM, NULL);
    b->request = r;
    b->coding = accept_coding(request_header(r, "Accept-Encoding"));
    if (type && strncasecmp(type, "application/json", 16) != 0)
        return refuse_batch(r, SM_UNSUPPORTED_MEDIA_TYPE,
                            "The body has to be application/json: an array of what /v1/compile takes");
    if (accept_choose(request_header(r, "Accept"), offers) < 0)
        return refuse_batch(r, SM_NOT_ACCEPTABLE, "The answer is application/json");
    return SM_OK;
}

static void run_in_renderer(struct task *t);

/* Counts one item as done; the last one sends the batch to the renderer, after which it may be gone. */
static void count_down(struct batch *b) {
    if (atomic_fetch_sub(&b->pending, 1) != 1)
        return;
    b->task = (struct task){.run = run_in_renderer, .client = b->request->client};
    tasks_add(b->request->smd->renderer, &b->task);
}

/* Bytes of the whole answer, at most. */
static size_t most_bytes(const struct batch *b) {
    return (size_t)b->request->smd->settings.max_output_mib << 20;
}

/* *New*: the failure of an item that would make the answer too large; NULL if out of memory. */
static struct result *too_large(const struct batch *b) {
    char detail[160];
    snprintf(detail, sizeof detail,
             "The answers of this batch together would be larger than %d MiB; ask for this one alone",
             b->request->smd->settings.max_output_mib);
    return result_failure(SM_OUTPUT_TOO_LARGE, detail);
}

/* Tells the collector of traces of an item that has ended. */
static void tell_item(const struct item *item, const struct result *result) {
    struct request *r = item->batch->request;
    if (r->is_traced && item - item->batch->item < TRACED_ITEMS)
        request_tell_part(r->service->traces, &r->place, "item", item->began_ns, &item->waiter, result, item->key);
}

/* The dispatch's callback: keeps the item's result, unless the results together are more than an answer may be. */
static void on_item_done(struct waiter *w, struct result *result) {
    struct item *item = container_of(w, struct item, waiter);
    struct batch *b = item->batch;
    size_t bytes = result ? result->bytes.len : 0;
    tell_item(item, result);
    if (atomic_fetch_add(&b->bytes, bytes) + bytes <= most_bytes(b)) {
        item->result = result ? result_ref(result) : NULL;
    } else {
        atomic_fetch_sub(&b->bytes, bytes);
        item->result = too_large(b);
    }
    count_down(b);
}

/* Makes a failure the item's result. */
static void fail_item(struct item *item, sm_status s, const char *detail) {
    item->result = result_failure(s, detail);
    tell_item(item, item->result);
    count_down(item->batch);
}

/* Reads the form into the job and gives it a key; on failure ERR says why, and item->option which option was wrong.
 * */
static sm_status make_job(const struct request *r, const json_t *form, struct item *item, struct job *job,
                          struct error *err) {
    sm_status s = jsonform_read_value(form, job, r->smd->budget, r->client, err);
    snprintf(item->option, sizeof item->option, "%s", err->option);
    if (s == SM_OK && job->options.tiers) {
        snprintf(item->option, sizeof item->option, "tiers");
        s = error_set(err, SM_INVALID_OPTION, "'tiers' is for POST /v1/compile");
    }
    if (s == SM_OK && job->input_len == 0)
        s = error_set(err, SM_EMPTY_BODY, "The module is empty");
    return s == SM_OK ? compile_key(r, job, err) : s;
}

/* Submits a form as the item's job, or makes its failure the item's result. */
static void submit_item(struct request *r, const json_t *form, struct item *item) {
    struct error err = {0};
    struct job *job = job_new(SM_JOB_COMPILE);
    item->began_ns = sm_clock_ns();
    sm_status s = job ? make_job(r, form, item, job, &err) : SM_NOMEM;
    if (s != SM_OK) {
        job_free(job);
        fail_item(item, s, err.text);
        return;
    }
    sm_key_text(&job->name, item->key);
    memcpy(item->startup, job->options.startup, sizeof item->startup);
    item->waiter.done = on_item_done;
    item->waiter.client = r->client;
    item->waiter.deadline_ns = job_deadline_ns(job);
    item->waiter.watch_fd = -1;
    s = dispatch_submit(r->smd->dispatch, job, &item->waiter);
    if (s != SM_OK)
        fail_item(item, s, "");
}

/* Submits all forms of the list. A failure of the list itself fills the reply. */
static sm_status submit_all(struct request *r, const json_t *list) {
    struct batch *b = r->state;
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n == 0 || n > BATCH_MAX)
        return refuse_batch(r, SM_INVALID_JSON,
                            "The body has to be an array of 1 to 1000 forms, as /v1/compile takes them");
    sm_status s =
        budget_take(r->smd->budget, &b->charge, HELD_JSON, r->client, n * (sizeof *b->item + sizeof(struct result)));
    if (s != SM_OK)
        return problem_of_room(r, s);
    b->item = calloc(n, sizeof *b->item);
    if (!b->item)
        return refuse_batch(r, SM_NOMEM, NULL);
    b->items = n;
    atomic_store(&b->pending, n + 1);
    for (size_t i = 0; i < n; i++) {
        b->item[i].batch = b;
        submit_item(r, json_array_get(list, i), &b->item[i]);
    }
    atomic_store(&b->submitted, 1);
    count_down(b);
    return SM_OK;
}

/* Cancels all items that still wait or run, as the client has closed. Nothing is cancelled until all are submitted.
 * */
static void on_gone(void *arg) {
    struct batch *b = arg;
    struct dispatch *dispatch = b->request->smd->dispatch;
    atomic_store(&b->gone, 1);
    for (size_t i = 0; atomic_load(&b->submitted) && i < b->items; i++)
        if (dispatch_cancel(dispatch, &b->item[i].waiter))
            count_down(b);
}

/* Parses the body and submits the batch. On every path the request becomes ready once. */
static void run_batch(struct task *t) {
    struct request *r = container_of(t, struct batch, task)->request;
    struct error err = {0};
    struct jsonbody json;
    if (answer_is_in_vain(r)) {
        request_ready(r);
        return;
    }
    sm_status s = jsonbody_parse(&json, &r->body, &err);
    if (s == SM_OK)
        s = submit_all(r, json.root);
    else
        refuse_batch(r, s, err.text);
    jsonbody_free(&json);
    if (s != SM_OK)
        request_ready(r);
}

/* finish() of POST /v1/batch: the parser reads the body, as even a small one may be hundreds of jobs. */
int batch_finish(struct request *r) {
    struct batch *b = r->state;
    size_t len = r->body.bytes.len;
    if (!len) {
        refuse_batch(r, SM_EMPTY_BODY, "The body has to be an array of what /v1/compile takes");
        return 1;
    }
    b->task = (struct task){.run = run_batch, .client = r->client, .work = len};
    request_place(r); /* the items are its parts */
    request_watch(r, on_gone, b);
    request_wait(r);
    tasks_add(r->smd->parser, &b->task);
    return 0;
}

/* Adds to the success that was appended last what the header X-Smd-Signature of a compile would be. */
static void sign_item(const struct item *item, sm_buf *out) {
    char text[SM_SIGNATURE_TEXT];
    struct sm_key name;
    if (out->status != SM_OK || !sm_key_read(item->key, strlen(item->key), &name) ||
        !vouch_for(item->result, &name, text))
        return;
    out->len -= strlen("}");
    sm_buf_printf(out, SIGNATURE_MEMBER "%s\"}", text);
}

/* Appends what compile would have answered for the item. */
static void put_item(const struct item *item, sm_buf *out) {
    const struct result *result = item->result;
    if (!result)
        problem_json(out, SM_CANCELLED, NULL, (sm_slice){0}, NULL, item->key);
    else if (result->status == SM_OK && answer_json(out, item->key, &result->artifact, NULL) == SM_OK)
        sign_item(item, out);
    else if (item->option[0])
        problem_json(out, result->status, result->detail, (sm_slice){0}, item->option, item->key);
    else
        problem_json_of_result(out, result, item->key);
}

/* The most bytes that put_item appends for the item. */
static size_t item_length(const struct item *item) {
    enum {
        PROBLEM = 2048
    }; /* of all but its sentence, each character of which may take six bytes, and its diagnostics */
    const struct result *result = item->result;
    if (!result)
        return PROBLEM;
    if (result->status == SM_OK)
        return answer_json_length(item->key, &result->artifact, NULL) + sizeof SIGNATURE_MEMBER + SM_SIGNATURE_TEXT;
    sm_slice words = result->artifact.part[SM_PART_DETAIL];
    size_t sentence = result->detail[0] ? strlen(result->detail) : words.len;
    return PROBLEM + 6 * (sentence < PROBLEM_DETAIL ? sentence : PROBLEM_DETAIL) +
           result->artifact.part[SM_PART_DIAGNOSTICS].len;
}

/* The item has failed in place of what it was. */
static void replace(struct item *item, struct result *failure) {
    result_unref(item->result);
    item->result = failure;
}

/* Counts and appends the item's answer, or that it is too large or has no room, and gives its result back. What the
 * budget says, if not even that has room. */
static sm_status add_item(struct request *r, struct item *item, sm_buf *out) {
    const struct batch *b = item->batch;
    size_t length = item_length(item), most = most_bytes(b);
    if (out->len > most || length > most - out->len)
        replace(item, too_large(b));
    length = item_length(item);
    sm_status s = request_count_answer(r, length, NULL, 0);
    if (s != SM_OK) {
        replace(item, result_failure(s, budget_refusal(s)));
        s = request_count_answer(r, item_length(item), NULL, 0);
    }
    if (s == SM_OK && item->result && item->result->status == SM_OK)
        startups_note(r->smd->startups, request_space(r), item->startup, item->key);
    if (s == SM_OK)
        put_item(item, out);
    replace(item, NULL);
    return s;
}

/* Compresses the answer, if the client accepts that and there is room for both. */
static void pack(struct request *r, enum coding coding) {
    reply_header(&r->reply, "Vary", "Accept-Encoding");
    size_t len = r->reply.text.len;
    if (coding == CODING_NONE || len > DEFLATE_MOST || request_count_answer(r, len, NULL, 0) != SM_OK)
        return;
    reply_deflate(&r->reply, coding);
    budget_give(&r->own, r->reply.text.len);
}

/* The renderer's task: makes the answer of all items. */
static void run_in_renderer(struct task *t) {
    struct batch *b = container_of(t, struct batch, task);
    struct request *r = b->request;
    sm_buf *out = &r->reply.text;
    if (answer_is_in_vain(r)) {
        request_ready(r);
        return;
    }
    sm_status s = atomic_load(&b->gone) ? SM_CANCELLED : SM_OK;
    sm_buf_puts(out, "{\"results\":[");
    for (size_t i = 0; i < b->items && s == SM_OK; i++) {
        if (i)
            sm_buf_puts(out, ",");
        s = add_item(r, &b->item[i], out);
    }
    sm_buf_puts(out, "]}\n");
    if (s == SM_OK)
        s = out->status;
    if (s == SM_OK) {
        reply_text(&r->reply, "application/json");
        pack(r, b->coding);
    } else {
        sm_buf_free(out);
        budget_give(&r->own, 0);
        problem_of_room(r, s);
    }
    request_ready(r); /* the batch may be gone after this */
}

void batch_drop(struct request *r) {
    struct batch *b = r->state;
    for (size_t i = 0; b && i < b->items; i++)
        result_unref(b->item[i].result);
    if (b) {
        free(b->item);
        budget_give(&b->charge, 0);
    }
    free(b);
}
