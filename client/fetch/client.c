/* client.c - a client: one thread that has all requests under way, and what other threads leave for it or take. */
#include "error.h"
#include "fetch.h"

#include <errno.h>
#include <openssl/rand.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

void client_count(sm_client *c, uint64_t *counter, uint64_t n) {
    pthread_mutex_lock(&c->lock);
    *counter += n;
    pthread_mutex_unlock(&c->lock);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

sm_call *call_new(sm_client *client, const sm_request *r, const char *path, sm_error *err) {
    sm_call *c = calloc(1, sizeof *c);
    if (!c) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
        return NULL;
    }
    c->client = client;
    c->policy = r && r->policy ? r->policy : client->options.policy;
    c->begun_us = sm_clock_us();
    c->deadline_us =
        c->begun_us + (uint64_t)(r && r->deadline_ms ? r->deadline_ms : client->options.deadline_ms) * 1000;
    atomic_init(&c->references, 1);
    sm_result result = SM_SUCCESS;
    if (r) {
        c->module = r->module;
        c->module_len = r->module_len;
        result = request_read(r, &c->path, &c->options, err);
        if (result == SM_SUCCESS && c->policy == SM_CACHE_ONLY && !c->options)
            result = fail(err, SM_ERR_INVALID_INPUT, "An option is unknown, and so is the key to look for");
    } else if (!(c->path = strdup(path))) {
        result = fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
    }
    if (result != SM_SUCCESS) {
        sm_call_free(c);
        return NULL;
    }
    return c;
}

void sm_call_free(sm_call *c) {
    if (!c || atomic_fetch_sub(&c->references, 1) != 1)
        return;
    sm_answer_free(c->completion.answer);
    free(c->owned);
    free(c->path);
    free(c->options);
    free(c->packed);
    free(c->text);
    free(c);
}

void sm_call_cancel(sm_call *c) {
    if (!c)
        return;
    pthread_mutex_lock(&c->client->lock);
    int has_ended = c->has_ended;
    if (!has_ended && !atomic_load(&c->cancelled)) {
        atomic_fetch_add(&c->references, 1);
        c->cancelled_next = c->client->cancelled;
        c->client->cancelled = c;
    }
    atomic_store(&c->cancelled, 1);
    pthread_mutex_unlock(&c->client->lock);
    if (!has_ended)
        transport_wake(c->client->transport);
}

void client_begin(sm_call *call) {
    sm_client *c = call->client;
    atomic_fetch_add(&call->references, 1);
    pthread_mutex_lock(&c->lock);
    call->next = NULL;
    *c->inbox_end = call;
    c->inbox_end = &call->next;
    c->counters.calls++;
    c->counters.in_flight++;
    pthread_mutex_unlock(&c->lock);
    transport_wake(c->transport);
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

static void link_running(sm_client *c, sm_call *call) {
    call->prev = NULL;
    call->next = c->running;
    if (c->running)
        c->running->prev = call;
    c->running = call;
    times_put(c, call);
}

static void unlink_running(sm_client *c, sm_call *call) {
    if (call->prev)
        call->prev->next = call->next;
    else
        c->running = call->next;
    if (call->next)
        call->next->prev = call->prev;
    call->prev = call->next = NULL;
}

/* Counts it; if nobody is called back, the completion is queued, and has the client's reference. */
static void note_end(sm_client *c, sm_call *call, sm_result result) {
    uint64_t waited = sm_clock_us() - call->begun_us;
    pthread_mutex_lock(&c->lock);
    call->has_ended = 1;
    c->counters.in_flight--;
    c->counters.result[result]++;
    c->counters.wait_us += waited;
    if (waited > c->counters.wait_max_us)
        c->counters.wait_max_us = waited;
    if (!call->done) {
        if (!c->completed)
            eventfd_write(c->event, 1);
        *c->completed_end = call;
        c->completed_end = &call->next;
    }
    pthread_mutex_unlock(&c->lock);
}

void client_ended(sm_call *call, sm_result result, sm_answer *answer) {
    sm_client *c = call->client;
    unlink_running(c, call);
    times_remove(c, call);
    if (call->server < c->servers) {
        server_dequeue(&c->server[call->server], call);
        c->server[call->server].active -= call->transfer != NULL;
    }
    transfer_free(c->transport, call->transfer);
    call->transfer = NULL;
    if (result == SM_SUCCESS)
        call->error = (sm_error){.result = SM_SUCCESS};
    sm_done *done = call->done;
    if (!done)
        call->completion = (sm_completion){call->user, result, answer, call->error};
    note_end(c, call, result);
    if (done) {
        done(call->user, result, answer, &call->error);
        sm_call_free(call);
    }
}

static sm_call *take_inbox(sm_client *c, sm_call **cancelled, int *stopping) {
    pthread_mutex_lock(&c->lock);
    sm_call *first = c->inbox;
    c->inbox = NULL;
    c->inbox_end = &c->inbox;
    *cancelled = c->cancelled;
    c->cancelled = NULL;
    *stopping = c->stopping;
    pthread_mutex_unlock(&c->lock);
    return first;
}

static void take_answers(sm_client *c) {
    for (struct transfer *x; (x = transport_next_ended(c->transport)) != NULL;) {
        sm_call *call = x->owner;
        call->transfer = NULL;
        c->server[call->server].active--;
        call_answered(call, x);
        transfer_free(c->transport, x);
    }
}

/* Calls that wait for a connection get those that have become free. */
static void fill_connections(sm_client *c) {
    for (struct server *s = c->server; s < c->server + c->servers; s++)
        while (s->waiting && s->active < c->options.connections) {
            sm_call *call = s->waiting;
            server_dequeue(s, call);
            call_go(call);
        }
}

static void end_cancelled(sm_call *list, uint64_t now) {
    for (sm_call *call = list, *next; call; call = next) {
        next = call->cancelled_next;
        if (!call->has_ended) /* it is the thread's own, as it was in the inbox before */
            call_tick(call, now);
        sm_call_free(call);
    }
}

/* Does what is due. Gives how long nothing is to be done, in milliseconds. */
static uint64_t tick(sm_client *c, int stopping) {
    uint64_t now = sm_clock_us();
    for (sm_call *call = stopping ? c->running : NULL, *next; call; call = next) {
        next = call->next;
        atomic_store(&call->cancelled, 1);
        call_tick(call, now);
    }
    while (c->soonest && c->soonest->at_us <= now) {
        sm_call *call = c->soonest;
        times_put(c, call); /* later, unless it is due */
        call_tick(call, now);
    }
    fill_connections(c);
    return !c->soonest ? UINT64_MAX : c->soonest->at_us <= now ? 0 : (c->soonest->at_us - now) / 1000 + 1;
}

static void *run(void *arg) {
    sm_client *c = arg;
    for (int stopping = 0; !stopping || c->running;) {
        sm_call *cancelled;
        for (sm_call *call = take_inbox(c, &cancelled, &stopping), *next; call; call = next) {
            next = call->next;
            link_running(c, call);
            if (!stopping && !atomic_load(&call->cancelled))
                call_go(call);
        }
        end_cancelled(cancelled, sm_clock_us());
        uint64_t idle_ms = tick(c, stopping);
        if (!stopping || c->running)
            transport_wait(c->transport, idle_ms);
        take_answers(c);
        fill_connections(c);
    }
    return NULL;
}

/* The runtime's signals are not for this thread. */
static int start_thread(sm_client *c) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&c->thread, NULL, run, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int client_is_thread(const sm_client *c) {
    return pthread_equal(c->thread, pthread_self());
}

/* ---- The client --------------------------------------------------------------------------------------------- */

static void release(sm_client *c) {
    transport_free(c->transport);
    settings_free(c);
    if (c->event >= 0)
        close(c->event);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

sm_client *sm_client_new(const sm_client_options *options, sm_error *err) {
    sm_client *c = calloc(1, sizeof *c);
    if (!c) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a client");
        return NULL;
    }
    pthread_mutex_init(&c->lock, NULL);
    c->inbox_end = &c->inbox;
    c->completed_end = &c->completed;
    c->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sm_result r =
        c->event < 0 ? fail(err, SM_ERR_SYSTEM, "eventfd: %s", strerror(errno)) : settings_take(c, options, err);
    if (RAND_bytes((unsigned char *)&c->jitter_state, sizeof c->jitter_state) != 1 || c->jitter_state == 0)
        c->jitter_state = sm_clock_us() | 1;
    if (r == SM_SUCCESS)
        c->transport = transport_new(&c->options, err);
    int error = c->transport ? start_thread(c) : 0;
    if (error)
        fail(err, SM_ERR_SYSTEM, "There is no thread for a client: %s", strerror(error));
    if (!c->transport || error) {
        release(c);
        return NULL;
    }
    return c;
}

void sm_client_free(sm_client *c) {
    sm_completion ended;
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->stopping = 1;
    pthread_mutex_unlock(&c->lock);
    transport_wake(c->transport);
    pthread_join(c->thread, NULL);
    end_cancelled(c->cancelled, 0);
    while (sm_client_next(c, &ended))
        sm_answer_free(ended.answer);
    release(c);
}

sm_result sm_submit(sm_client *c, const sm_request *request, sm_done *done, void *user, sm_call **out,
                    sm_error *err) {
    sm_request r;
    if (out)
        *out = NULL;
    sm_result result = request_check(request, &r, err);
    if (result != SM_SUCCESS)
        return result;
    sm_error why = {.result = SM_SUCCESS};
    sm_call *call = call_new(c, &r, NULL, &why);
    if (call && !(call->owned = malloc(r.module_len ? r.module_len : 1))) {
        fail(&why, SM_ERR_NO_MEMORY, "Out of memory: no room for a copy of the module");
        sm_call_free(call);
        call = NULL;
    }
    if (!call) {
        if (err)
            *err = why;
        return why.result;
    }
    if (r.module_len)
        memcpy(call->owned, r.module, r.module_len);
    call->module = call->owned;
    call->done = done;
    call->user = user;
    client_begin(call);
    if (out)
        *out = call;
    else
        sm_call_free(call);
    return SM_SUCCESS;
}

/* ---- What there is to take ---------------------------------------------------------------------------------- */

int sm_client_fd(sm_client *c) {
    return c->event;
}

int sm_client_next(sm_client *c, sm_completion *completion) {
    eventfd_t count;
    pthread_mutex_lock(&c->lock);
    sm_call *call = c->completed;
    if (call)
        c->completed = call->next;
    if (call && !c->completed) {
        c->completed_end = &c->completed;
        eventfd_read(c->event, &count);
    }
    pthread_mutex_unlock(&c->lock);
    if (!call)
        return 0;
    *completion = call->completion;
    call->completion.answer = NULL;
    sm_call_free(call);
    return 1;
}

void sm_client_counters(sm_client *c, sm_counters *out, size_t size) {
    pthread_mutex_lock(&c->lock);
    memcpy(out, &c->counters, size < sizeof c->counters ? size : sizeof c->counters);
    pthread_mutex_unlock(&c->lock);
}
