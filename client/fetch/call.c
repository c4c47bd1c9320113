/* call.c - the course of one call: from server to server, by key first if that pays, and again where that may help.
 *
 * A compile changes nothing on a server, so it is always safe to ask again; the question is whether it helps. It does
 * not if the error is the module's. All of this runs on the client's thread. */
#include "digest.h"
#include "error.h"
#include "fetch.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define ARTIFACT "application/vnd.smd.artifact"

/* What a result says of the server that gave it. */
enum verdict {
    WORKS, /* the answer is final */
    BUSY,  /* it rests; another one may do */
    FAILS, /* likewise; enough of these open its breaker */
    UNFIT, /* likewise, but waiting does not help */
    SELF,  /* the fault is on this side: neither it nor another one was asked */
};

/* What a result says of the server that gave it. */
static enum verdict verdict_of(sm_result r) {
    switch (r) {
    case SM_ERR_OVERLOADED:
        return BUSY;
    case SM_ERR_UNREACHABLE:
    case SM_ERR_TIMEOUT:
    case SM_ERR_DAMAGED:
    case SM_ERR_SERVER:
        return FAILS;
    case SM_ERR_SYSTEM:
        return SELF;
    case SM_ERR_TLS:
    case SM_ERR_UNAUTHORISED:
    case SM_ERR_INCOMPATIBLE:
        return UNFIT;
    default:
        return WORKS;
    }
}

/* The server whose turn it is. */
static struct server *here(sm_call *c) {
    return &c->client->server[c->server];
}

/* Ends the call with its result and, maybe, an answer. */
static void end(sm_call *c, sm_result result, sm_answer *answer) {
    client_ended(c, result, answer);
}

/* Ends the call with its last failure. */
static void end_failed(sm_call *c) {
    end(c, c->error.result, NULL);
}

/* Ends the call as its deadline has passed; an earlier failure, which says more, stays its error. */
static void end_late(sm_call *c) {
    if (c->error.result == SM_SUCCESS) /* else what kept it says more */
        fail(&c->error, SM_ERR_TIMEOUT, "The call's deadline has passed");
    if (c->transfer)
        snprintf(c->error.server, sizeof c->error.server, "%s", here(c)->name);
    end_failed(c);
}

/* ---- Asking ------------------------------------------------------------------------------------------------- */

/* The time that the current server gets: an equal share of what is left, so that one that does not answer leaves
 * time for the others. */
static uint64_t share_ms(const sm_call *c, uint64_t now) {
    uint64_t left = c->deadline_us > now ? (c->deadline_us - now) / 1000 : 0, servers = 1;
    for (size_t i = c->server + 1; i < c->client->servers; i++)
        servers += c->client->server[i].shut_until_us <= now;
    return left / servers;
}

/* Begins a request to the current server; ends the call if there is no memory. */
static void begin_request(sm_call *c, struct http_request q) {
    q.server = here(c);
    q.traceparent = c->traceparent;
    q.timeout_ms = share_ms(c, sm_clock_us());
    c->transfer = transport_begin(c->client->transport, &q, c);
    client_count(c->client, &c->client->counters.requests, 1);
    here(c)->active += c->transfer != NULL;
    if (!c->transfer) {
        breaker_release(here(c));
        fail(&c->error, SM_ERR_NO_MEMORY, "Out of memory: no room for a request");
        end_failed(c);
    }
}

/* Compresses the module, once per call, if it is long enough and the server not on this machine; kept only if it
 * becomes shorter by a tenth. */
static void pack(sm_call *c) {
    enum { FAST = 1 };
    if (c->packed || here(c)->is_near || c->module_len < c->client->options.compress_from)
        return;
    size_t room = ZSTD_compressBound(c->module_len);
    c->packed = malloc(room);
    size_t len = c->packed ? ZSTD_compress(c->packed, room, c->module, c->module_len, FAST) : 0;
    c->packed_len = c->packed && !ZSTD_isError(len) && len < c->module_len - c->module_len / 10 ? len : 0;
}

/* Asks the server to compile. */
static void ask_compile(sm_call *c) {
    struct http_request q = {.path = c->path, .accept = ARTIFACT, .body = c->module, .body_len = c->module_len};
    q.type = c->is_form ? "application/json" : NULL;
    q.key = c->key[0] ? c->key : NULL;
    pack(c);
    if (c->packed_len && !here(c)->is_near) {
        q.body = c->packed;
        q.body_len = c->packed_len;
        q.encoding = "zstd";
        client_count(c->client, &c->client->counters.saved_bytes, c->module_len - c->packed_len);
    }
    begin_request(c, q);
}

/* Computes the request's key. Requires the server's key context. 0 if out of memory. */
static int compute_key(sm_call *c) {
    if (!c->has_digest)
        c->has_digest = sm_digest(c->module, c->module_len, c->digest) == SM_OK;
    return c->has_digest && sm_key(here(c)->context, SM_JOB_COMPILE, c->options, c->digest, c->key) == SM_OK;
}

/* Asks the server for the artifact with the request's key. Requires the server's key context. */
static void ask_lookup(sm_call *c) {
    char path[128 + SM_STARTUP_TEXT];
    if (!compute_key(c)) {
        breaker_release(here(c));
        fail(&c->error, SM_ERR_NO_MEMORY, "Out of memory: no room for a key");
        end_failed(c);
        return;
    }
    snprintf(path, sizeof path, "/v1/artifacts/%s%s%s", c->key, c->options->startup[0] ? "?startup=" : "",
             c->options->startup);
    client_count(c->client, &c->client->counters.lookups, 1);
    begin_request(c, (struct http_request){.path = path, .accept = ARTIFACT});
}

/* Asks for a level that the server has promised; the server is to answer within half of its share of time. */
static void ask_job(sm_call *c) {
    enum { LONGEST_S = 30 };
    char path[128];
    uint64_t wait = share_ms(c, sm_clock_us()) / 2000;
    snprintf(path, sizeof path, "%s?wait=%u", c->job, (unsigned)(wait < LONGEST_S ? wait : LONGEST_S));
    begin_request(c, (struct http_request){.path = path, .accept = ARTIFACT});
}

/* What to ask this server first: a lookup by key if the module is long enough for that to pay, else a compile. With
 * cache=bypass and cache=refresh what the server keeps is no answer. */
static enum step first_step(const sm_call *c, const struct server *s) {
    if (!c->module)
        return STEP_GET;
    if (c->job[0])
        return STEP_JOB;
    if (c->client->trusted_count && !s->context[0])
        return STEP_CONTEXT; /* what is signed is the key, too */
    int by_key = c->options && !c->missed && sm_options_read_cache(c->options) &&
                 (c->policy == SM_CACHE_ONLY || c->module_len >= c->client->options.lookup_from);
    return !by_key ? STEP_COMPILE : s->context[0] ? STEP_LOOKUP : STEP_CONTEXT;
}

/* Sends the request of the call's current step. */
static void ask_step(sm_call *c) {
    switch (c->step) {
    case STEP_CONTEXT:
        begin_request(c, (struct http_request){.path = "/v1/capabilities", .accept = "application/json"});
        break;
    case STEP_LOOKUP:
        ask_lookup(c);
        break;
    case STEP_COMPILE:
        ask_compile(c);
        break;
    case STEP_JOB:
        ask_job(c);
        break;
    case STEP_GET:
        begin_request(c, (struct http_request){.path = c->path, .accept = "*/*", .body = c->is_post ? "" : NULL});
        break;
    }
}

/* ---- Pauses ------------------------------------------------------------------------------------------------- */

/* The time at which the first of the servers may be asked again. */
static uint64_t earliest(const sm_client *client) {
    uint64_t at = UINT64_MAX;
    for (size_t i = 0; i < client->servers; i++)
        if (client->server[i].shut_until_us < at)
            at = client->server[i].shut_until_us;
    return at;
}

/* The pause before the next round, doubled with each: half of it is fixed and up to as much is random, so that
 * clients that failed together do not come back together. */
static uint64_t backoff_us(sm_call *c) {
    const sm_client_options *o = &c->client->options;
    uint64_t *x = &c->client->jitter_state, pause = o->backoff_ms;
    for (unsigned i = 0; i < c->pauses && pause < o->backoff_max_ms; i++)
        pause *= 2;
    pause = (pause < o->backoff_max_ms ? pause : o->backoff_max_ms) * 1000;
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return pause / 2 + *x % (pause / 2 + 1);
}

/* Sets the call's error if it has none: no server was asked, as all are left alone. */
static void note_rest(sm_call *c, uint64_t now) {
    int busy = 0;
    uint64_t at = earliest(c->client), wait_ms = at > now ? (at - now) / 1000 : 0;
    for (size_t i = 0; i < c->client->servers; i++)
        busy |= c->client->server[i].failures < c->client->options.breaker_failures;
    if (c->error.result != SM_SUCCESS)
        return;
    fail(&c->error, busy ? SM_ERR_OVERLOADED : SM_ERR_UNREACHABLE,
         busy ? "The servers are over capacity, and are left alone for %u ms"
              : "The servers have failed lately, and are left alone for %u ms",
         (unsigned)wait_ms);
    c->error.retry_after_ms = wait_ms < UINT32_MAX ? (uint32_t)wait_ms : UINT32_MAX;
}

/* After all servers had their turn: begins another round after a pause, or ends the call. */
static void pause_or_give_up(sm_call *c) {
    uint64_t now = sm_clock_us(), until = now + backoff_us(c), soonest = earliest(c->client);
    note_rest(c, now);
    if (c->missed && c->policy == SM_CACHE_ONLY)
        fail(&c->error, SM_ERR_NOT_CACHED, "No server has compiled this before");
    until = until > soonest ? until : soonest;
    int again = c->policy == SM_REQUIRE_REMOTE && verdict_of(c->error.result) != UNFIT &&
                c->error.result != SM_ERR_NOT_CACHED && c->pauses < c->client->options.retries &&
                until < c->deadline_us;
    if (!again) {
        end_failed(c);
        return;
    }
    c->pauses++;
    c->server = 0;
    c->wake_us = until;
    times_put(c->client, c);
}

/* 1 if all connections to the server are in use, so that the call waits for one. Calls do not wait for a server
 * whose breaker is open or on trial. */
static int is_full(const struct server *s, const sm_call *c, uint64_t now) {
    return now >= s->shut_until_us && !s->is_tried && s->active >= c->client->options.connections;
}

void call_go(sm_call *c) {
    uint64_t now = sm_clock_us();
    sm_answer *kept = c->server || c->pauses ? NULL : bundles_find(c);
    c->wake_us = 0;
    if (kept) {
        client_count(c->client, &c->client->counters.bundle_hits, 1);
        end(c, SM_SUCCESS, kept);
        return;
    }
    while (c->server < c->client->servers && !is_full(here(c), c, now) && !breaker_admits(here(c), now))
        c->server++;
    if (c->server == c->client->servers) {
        pause_or_give_up(c);
        return;
    }
    if (is_full(here(c), c, now)) {
        server_enqueue(here(c), &c->wait, call_priority(c));
        c->wake_us = now + share_ms(c, now) * 1000;
        times_put(c->client, c);
        return;
    }
    if (c->pauses)
        client_count(c->client, &c->client->counters.retries, 1);
    c->step = first_step(c, here(c));
    ask_step(c);
}

/* Goes on with the next server. */
static void go_elsewhere(sm_call *c) {
    c->server++;
    if (c->server < c->client->servers)
        client_count(c->client, &c->client->counters.failovers, 1);
    call_go(c);
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

/* After a server has failed: notes that at its breaker, and goes on with the next one or ends the call. */
static void move_on(sm_call *c, sm_answer *answer) {
    const sm_client_options *o = &c->client->options;
    uint64_t now = sm_clock_us();
    sm_answer_free(answer);
    if (verdict_of(c->error.result) == SELF) {
        breaker_release(here(c));
        if (now >= c->deadline_us)
            end_late(c);
        else
            pause_or_give_up(c);
        return;
    }
    if (verdict_of(c->error.result) == BUSY) {
        uint32_t rest = c->error.retry_after_ms ? c->error.retry_after_ms : o->backoff_ms;
        breaker_keep_open(here(c), now + (uint64_t)rest * 1000);
    } else if (breaker_failure(here(c), o, now)) {
        client_count(c->client, &c->client->counters.breaker_opened, 1);
    }
    if (now >= c->deadline_us)
        end_late(c);
    else
        go_elsewhere(c);
}

/* Takes the server's key context, which keys are computed with, and looks the key up. A server that does not say it
 * is asked to compile, if the policy allows. */
static void read_context(sm_call *c, const struct transfer *x) {
    int no_memory;
    json_t *about = json_of(x->body.data, x->body.len, &no_memory);
    const char *context = json_string_value(json_object_get(about, "key_context"));
    if (context && sm_key_valid(context, strlen(context))) {
        memcpy(here(c)->context, context, SM_KEY_TEXT);
        c->step = first_step(c, here(c));
    } else if (c->policy != SM_CACHE_ONLY) {
        c->missed = 1;
        c->step = STEP_COMPILE;
    } else {
        if (no_memory)
            fail(&c->error, SM_ERR_NO_MEMORY, "Out of memory: no room for the server's key context");
        else
            fail(&c->error, SM_ERR_INCOMPATIBLE, "The server does not say what its keys are made of");
        json_decref(about);
        move_on(c, NULL);
        return;
    }
    json_decref(about);
    ask_step(c);
}

/* After a lookup that found nothing: compiles, or, if only caches may be asked, tries the next server. */
static void not_there(sm_call *c) {
    c->missed = 1;
    if (c->policy == SM_CACHE_ONLY) {
        c->missed = c->server + 1 == c->client->servers; /* the others may have it */
        go_elsewhere(c);
        return;
    }
    c->step = STEP_COMPILE;
    ask_step(c);
}

/* Forgets the server's key context if its answer's key is not what was computed: the server has changed. */
static void check_context(sm_call *c, const struct transfer *x) {
    if (c->key[0] && x->key[0] && strcmp(c->key, x->key) != 0)
        here(c)->context[0] = 0;
}

/* 1 if the call asked for a job and the job is not done: the call asks again, or for a compile if the server has
 * forgotten it. */
static int wait_for_job(sm_call *c, const struct transfer *x) {
    enum { PAUSE_US = 50000 }; /* beside the server's own wait */
    int waits = x->ending == ENDED_ANSWERED && x->http == 202;
    int is_gone = x->ending == ENDED_ANSWERED && x->http == 404;
    if (c->step != STEP_JOB)
        return 0;
    if (!waits)
        c->job[0] = 0;
    if (!waits && !is_gone)
        return 0;
    breaker_success(here(c));
    c->wake_us = sm_clock_us() + (waits ? PAUSE_US : 0);
    times_put(c->client, c);
    return 1;
}

/* Ends the call with its result, or hands the answer over and goes on with the next level. */
static void hand_over(sm_call *c, sm_result r, sm_answer *answer) {
    if (r != SM_SUCCESS || !answer || !tiers_next(c)) {
        end(c, r, answer);
        return;
    }
    answer_set_more(answer);
    client_handed(c, answer);
    call_go(c);
}

/* Checks that the answer is signed by a key that is trusted, for the very request. */
static sm_result check_signature(sm_call *c, const sm_answer *answer) {
    if (!here(c)->context[0])
        return fail(&c->error, SM_ERR_DAMAGED, "The artifact's key cannot be computed, and so not be checked");
    if (!compute_key(c))
        return fail(&c->error, SM_ERR_NO_MEMORY, "Out of memory: no room for the artifact's key");
    if (answer_is_signed(answer, c->client->trusted, c->client->trusted_count, c->key))
        return SM_SUCCESS;
    return fail(&c->error, SM_ERR_DAMAGED, "The artifact is not signed for this request by a key that is trusted");
}

/* 1 if the server's keys are made otherwise than it said before: the call asks it again, once. */
static int renew_context(sm_call *c, const struct transfer *x) {
    if (c->is_renewed || strcmp(c->key, x->key) == 0)
        return 0;
    breaker_success(here(c));
    here(c)->context[0] = 0;
    c->is_renewed = 1;
    c->error = (sm_error){.result = SM_SUCCESS};
    call_go(c);
    return 1;
}

/* 1 if the answer of a lookup says that the server has no such artifact, or that its disk does not tell. */
static int has_none(const sm_call *c, const struct transfer *x) {
    return c->step == STEP_LOOKUP && x->ending == ENDED_ANSWERED &&
           (x->http == 404 || strcmp(c->error.code, sm_status_name(SM_CACHE_UNAVAILABLE)) == 0);
}

void call_answered(sm_call *c, struct transfer *x) {
    sm_answer *answer = NULL;
    int wants_artifact = c->step == STEP_LOOKUP || c->step == STEP_COMPILE || c->step == STEP_JOB;
    client_count(c->client, &c->client->counters.sent_bytes, x->sent);
    client_count(c->client, &c->client->counters.received_bytes, x->received);
    if (wait_for_job(c, x))
        return;
    tiers_note(c, x);
    sm_result r = outcome_of(x, here(c)->name, wants_artifact ? &answer : NULL, &c->error);
    if (has_none(c, x)) {
        breaker_success(here(c));
        c->error = (sm_error){.result = SM_SUCCESS};
        sm_answer_free(answer);
        not_there(c);
        return;
    }
    if (r == SM_SUCCESS && answer && c->client->trusted_count && (r = check_signature(c, answer)) != SM_SUCCESS) {
        sm_answer_free(answer);
        answer = NULL;
        if (renew_context(c, x))
            return;
    }
    if (verdict_of(r) != WORKS) {
        move_on(c, answer);
        return;
    }
    breaker_success(here(c));
    check_context(c, x);
    if (c->step == STEP_CONTEXT && r == SM_SUCCESS) {
        read_context(c, x);
        return;
    }
    if (c->step == STEP_LOOKUP)
        client_count(c->client, &c->client->counters.lookup_hits, 1);
    if (c->step == STEP_GET && r == SM_SUCCESS) {
        c->text_len = x->body.len;
        c->text = sm_buf_take_text(&x->body);
        r = c->text ? r : fail(&c->error, SM_ERR_NO_MEMORY, "Out of memory: no room for the text");
    }
    hand_over(c, r, answer);
}

/* Goes on with the next server: this one's share of the time has passed before a connection was free. */
static void wait_elsewhere(sm_call *c) {
    server_dequeue(here(c), &c->wait);
    if (c->error.result == SM_SUCCESS)
        fail(&c->error, SM_ERR_TIMEOUT, "All connections to the server were in use");
    go_elsewhere(c);
}

void call_tick(sm_call *c, uint64_t now) {
    if (atomic_load_explicit(&c->cancelled, memory_order_relaxed)) {
        if (c->transfer)
            breaker_release(here(c));
        fail(&c->error, SM_ERR_CANCELLED, "The call was cancelled");
        end_failed(c);
    } else if (now >= c->deadline_us) {
        if (c->transfer && breaker_failure(here(c), &c->client->options, now))
            client_count(c->client, &c->client->counters.breaker_opened, 1);
        end_late(c);
    } else if (c->wake_us && now >= c->wake_us) {
        if (server_has_waiting(here(c), &c->wait))
            wait_elsewhere(c);
        else
            call_go(c);
    }
}
