/* client.c - a client: its one thread, which makes all requests; the inbox that other threads fill, and the
 * completions that they take. */
#include "base64.h"
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

/* Replaces the module by a form with it and the profile. Such a request has no key that could be computed here, so
 * the call loses its options. */
static sm_result make_form(sm_call *c, const char *profile, sm_error *err) {
    sm_buf form;
    size_t len = 0;
    sm_buf_init(&form, (size_t)-1 / 4);
    sm_buf_puts(&form, "{\"profile\":");
    sm_buf_puts(&form, profile);
    sm_buf_puts(&form, ",\"bitcode\":\"");
    sm_base64_put(&form, c->module, c->module_len);
    sm_buf_puts(&form, "\"}");
    c->owned = form.status == SM_OK ? sm_buf_take(&form, &len) : NULL;
    sm_buf_free(&form);
    if (!c->owned)
        return fail(err, SM_ERR_NO_MEMORY, "There is no memory for a copy of the module");
    c->module = c->owned;
    c->module_len = len;
    c->is_form = 1;
    free(c->options);
    c->options = NULL;
    return SM_SUCCESS;
}

sm_call *call_new(sm_client *client, const sm_request *r, const char *path, sm_error *err) {
    sm_call *c = calloc(1, sizeof *c);
    if (!c) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
        return NULL;
    }
    c->client = client;
    c->policy = r && r->policy ? r->policy : client->options.policy;
    atomic_init(&c->priority, r ? r->priority : 0);
    c->begun_us = sm_clock_us();
    c->deadline_us =
        c->begun_us + (uint64_t)(r && r->deadline_ms ? r->deadline_ms : client->options.deadline_ms) * 1000;
    atomic_init(&c->references, 1);
    sm_result result = SM_SUCCESS;
    if (r && r->traceparent && !(c->traceparent = strdup(r->traceparent))) {
        result = fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a call");
    } else if (r) {
        c->module = r->module;
        c->module_len = r->module_len;
        result = request_read(r, &c->path, &c->options, &c->tiers, err);
        if (result == SM_SUCCESS && r->profile)
            result = make_form(c, r->profile, err);
        if (result == SM_SUCCESS)
            result = tiers_begin(c, err);
        if (result == SM_SUCCESS && client->trusted_count && (!c->options || c->tiers))
            result = fail(err, SM_ERR_INVALID_INPUT,
                          "Only signed answers are wanted (trusted_keys), and a signature is for a key, which this "
                          "library cannot compute for a profile, several levels or an option that it does not know");
        if (result == SM_SUCCESS && c->policy == SM_CACHE_ONLY && !c->options)
            result = fail(err, SM_ERR_INVALID_INPUT, "%s unknown, and so is the key to look for",
                          r->profile ? "What a profile makes is" : "An option is");
        else if (result == SM_SUCCESS && c->policy == SM_CACHE_ONLY && !sm_options_read_cache(c->options))
            result = fail(
                err, SM_ERR_INVALID_INPUT,
                "Only what was compiled before is asked for (SM_CACHE_ONLY), and the option 'cache' excludes it");
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
    free(c->base);
    free(c->traceparent);
    free(c->options);
    free(c->packed);
    free(c->text);
    free(c);
}

/* Has the client's thread look at a call. Requires the lock. */
static void note_call(sm_call *c) {
    if (c->has_ended || c->is_noted)
        return;
    atomic_fetch_add(&c->references, 1);
    c->is_noted = 1;
    c->noted_next = c->client->noted;
    c->client->noted = c;
}

void sm_call_cancel(sm_call *c) {
    if (!c || client_check_process(c->client, NULL) != SM_SUCCESS)
        return;
    pthread_mutex_lock(&c->client->lock);
    int has_ended = c->has_ended;
    note_call(c);
    atomic_store(&c->cancelled, 1);
    pthread_mutex_unlock(&c->client->lock);
    if (!has_ended)
        transport_wake(c->client->transport);
}

void sm_call_raise(sm_call *c, int32_t priority) {
    if (!c || client_check_process(c->client, NULL) != SM_SUCCESS)
        return;
    pthread_mutex_lock(&c->client->lock);
    int rises = !c->has_ended && atomic_load(&c->priority) < priority;
    if (rises) {
        atomic_store(&c->priority, priority);
        note_call(c);
    }
    pthread_mutex_unlock(&c->client->lock);
    if (rises)
        transport_wake(c->client->transport);
}

/* Queues a call for the client's thread. Requires the lock. */
static void put_inbox(sm_call *call) {
    sm_client *c = call->client;
    atomic_fetch_add(&call->references, 1);
    call->next = NULL;
    *c->inbox_end = call;
    c->inbox_end = &call->next;
    c->counters.calls++;
    c->counters.in_flight++;
}

void client_begin(sm_call *call) {
    sm_client *c = call->client;
    pthread_mutex_lock(&c->lock);
    put_inbox(call);
    pthread_mutex_unlock(&c->lock);
    transport_wake(c->transport);
}

/* ---- The thread --------------------------------------------------------------------------------------------- */

/* Adds a call to those under way, and to the queue of times. */
static void link_running(sm_client *c, sm_call *call) {
    call->prev = NULL;
    call->next = c->running;
    if (c->running)
        c->running->prev = call;
    c->running = call;
    call->is_running = 1;
    times_put(c, call);
}

/* Removes a call from those under way. */
static void unlink_running(sm_client *c, sm_call *call) {
    if (call->prev)
        call->prev->next = call->next;
    else
        c->running = call->next;
    if (call->next)
        call->next->prev = call->prev;
    call->prev = call->next = NULL;
    call->is_running = 0;
}

/* Queues a call for sm_client_next, which takes over one reference. Requires the lock, and that its completion is
 * filled. */
static void queue_completion(sm_client *c, sm_call *call) {
    if (!c->completed)
        eventfd_write(c->event, 1);
    call->next = NULL;
    *c->completed_end = call;
    c->completed_end = &call->next;
}

/* Hands over an answer of a call that goes on. Without a callback it is queued as a call of its own, as
 * sm_client_next takes completions of calls. */
void client_handed(sm_call *call, sm_answer *answer) {
    sm_client *c = call->client;
    sm_error none = {.result = SM_SUCCESS};
    if (call->done) {
        call->done(call->user, SM_SUCCESS, answer, &none);
        return;
    }
    sm_call *shell = calloc(1, sizeof *shell);
    if (!shell) { /* the next level will do */
        sm_answer_free(answer);
        return;
    }
    shell->client = c;
    shell->has_ended = 1;
    atomic_init(&shell->references, 1);
    shell->completion = (sm_completion){call->user, SM_SUCCESS, answer, none};
    pthread_mutex_lock(&c->lock);
    queue_completion(c, shell);
    pthread_mutex_unlock(&c->lock);
}

/* Counts the end of a call. Without a callback the completion is queued, and takes over the client's reference. */
static void note_end(sm_client *c, sm_call *call, sm_result result) {
    uint64_t waited = sm_clock_us() - call->begun_us;
    pthread_mutex_lock(&c->lock);
    call->has_ended = 1;
    c->counters.in_flight--;
    c->counters.result[result]++;
    c->counters.wait_us += waited;
    if (waited > c->counters.wait_max_us)
        c->counters.wait_max_us = waited;
    if (!call->done)
        queue_completion(c, call);
    pthread_mutex_unlock(&c->lock);
}

void client_ended(sm_call *call, sm_result result, sm_answer *answer) {
    sm_client *c = call->client;
    unlink_running(c, call);
    times_remove(c, call);
    if (call->server < c->servers) {
        server_dequeue(&c->server[call->server], &call->wait);
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

/* Takes all new calls and all noted ones; gives the first new one. */
static sm_call *take_inbox(sm_client *c, sm_call **noted, int *stopping) {
    pthread_mutex_lock(&c->lock);
    sm_call *first = c->inbox;
    c->inbox = NULL;
    c->inbox_end = &c->inbox;
    *noted = c->noted;
    c->noted = NULL;
    *stopping = c->stopping;
    pthread_mutex_unlock(&c->lock);
    return first;
}

/* Gives each transfer that has ended to its call. */
static void take_answers(sm_client *c) {
    for (struct transfer *x; (x = transport_next_ended(c->transport)) != NULL;) {
        sm_call *call = x->owner;
        call->transfer = NULL;
        c->server[call->server].active--;
        call_answered(call, x);
        transfer_free(c->transport, x);
    }
}

/* Lets calls that wait for a connection use those that have become free. */
static void fill_connections(sm_client *c) {
    for (struct server *s = c->server; s < c->server + c->servers; s++)
        while (s->waiting && s->active < c->options.connections) {
            sm_call *call = CALL_OF(s->waiting, wait);
            server_dequeue(s, &call->wait);
            call_go(call);
        }
}

/* Begins the calls of the inbox, those with higher priority first. */
static void take_calls(sm_client *c, sm_call *inbox, int stopping) {
    struct heap_node *all = NULL;
    uint64_t turn = 0;
    for (sm_call *call = inbox; call; call = call->next) {
        call->wait.key = (uint64_t)((int64_t)INT32_MAX - atomic_load(&call->priority));
        call->wait.turn = turn++;
        heap_put(&all, &call->wait);
    }
    while (all) {
        sm_call *call = CALL_OF(all, wait);
        heap_remove(&all, &call->wait);
        link_running(c, call);
        if (atomic_load(&call->cancelled))
            call_tick(call, sm_clock_us());
        else if (!stopping)
            call_go(call);
    }
}

/* Handles calls that were cancelled or raised; one that is still in the inbox is handled when it is taken out. */
static void look_at_noted(sm_call *list, uint64_t now) {
    for (sm_call *call = list, *next; call; call = next) {
        sm_client *c = call->client;
        pthread_mutex_lock(&c->lock);
        next = call->noted_next;
        call->is_noted = 0;
        pthread_mutex_unlock(&c->lock);
        if (call->is_running && call->server < c->servers)
            server_reorder(&c->server[call->server], &call->wait, call_priority(call));
        if (call->is_running && atomic_load(&call->cancelled))
            call_tick(call, now);
        sm_call_free(call);
    }
}

/* Does what is due. Gives for how long nothing is to be done, in milliseconds. */
static uint64_t tick(sm_client *c, int stopping) {
    uint64_t now = sm_clock_us();
    for (sm_call *call = stopping ? c->running : NULL, *next; call; call = next) {
        next = call->next;
        atomic_store(&call->cancelled, 1);
        call_tick(call, now);
    }
    for (sm_call *call; (call = times_due(c, now)) != NULL;) {
        times_put(c, call); /* later, unless it is due */
        call_tick(call, now);
    }
    fill_connections(c);
    return !c->times ? UINT64_MAX : c->times->key <= now ? 0 : (c->times->key - now) / 1000 + 1;
}

/* The client's thread: runs until the client is stopped and no call is under way. */
static void *run_client(void *arg) {
    sm_client *c = arg;
    for (int stopping = 0; !stopping || c->running;) {
        sm_call *noted, *inbox = take_inbox(c, &noted, &stopping);
        look_at_noted(noted, sm_clock_us());
        fill_connections(c); /* who waits goes before who comes */
        take_calls(c, inbox, stopping);
        uint64_t idle_ms = tick(c, stopping);
        if (!stopping || c->running)
            transport_wait(c->transport, idle_ms);
        take_answers(c);
    }
    return NULL;
}

/* Starts the client's thread with all signals blocked: the runtime's are not for it. Gives 0 or an errno. */
static int start_thread(sm_client *c) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&c->thread, NULL, run_client, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int client_is_thread(const sm_client *c) {
    return pthread_equal(c->thread, pthread_self());
}

/* ---- The client --------------------------------------------------------------------------------------------- */

sm_result client_check_process(const sm_client *c, sm_error *err) {
    return c->process == getpid() ? SM_SUCCESS
                                  : fail(err, SM_ERR_INVALID_ARGUMENT,
                                         "The client belongs to the process that this one was forked from");
}

/* Frees a client whose thread does not run. */
static void release(sm_client *c) {
    transport_free(c->transport);
    bundles_free(c->bundles);
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
    c->process = getpid();
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
    if (client_check_process(c, NULL) != SM_SUCCESS) {
        /* In a forked child the connections belong to the parent: to close them properly would end them there. */
        close(c->event);
        settings_free(c);
        free(c);
        return;
    }
    pthread_mutex_lock(&c->lock);
    c->stopping = 1;
    pthread_mutex_unlock(&c->lock);
    transport_wake(c->transport);
    pthread_join(c->thread, NULL);
    look_at_noted(c->noted, 0);
    while (sm_client_next(c, &ended))
        sm_answer_free(ended.answer);
    release(c);
}

/* Makes a call with its own copy of the module; NULL, with *ERR filled, if that fails. */
static sm_call *call_with_copy(sm_client *c, const sm_request *request, sm_error *err) {
    sm_request r;
    if (request_check(request, &r, err) != SM_SUCCESS)
        return NULL;
    sm_call *call = call_new(c, &r, NULL, err);
    if (call && call->is_form)
        return call;
    if (call && !(call->owned = malloc(r.module_len ? r.module_len : 1))) {
        fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for a copy of the module");
        sm_call_free(call);
        return NULL;
    }
    if (call && r.module_len)
        memcpy(call->owned, r.module, r.module_len);
    if (call)
        call->module = call->owned;
    return call;
}

/* Request I of an array; the caller may be compiled against another header, with another length of them. */
static const sm_request *request_at(const sm_request *requests, size_t i) {
    return (const sm_request *)((const char *)requests + i * requests->size);
}

/* Makes all calls, or none if one fails. */
static sm_result make_calls(sm_client *c, const sm_request *requests, size_t count, sm_call **call, sm_error *err) {
    sm_error why = {.result = SM_SUCCESS};
    for (size_t i = 0; i < count && why.result == SM_SUCCESS; i++) {
        if (request_at(requests, i)->size != requests->size)
            fail(&why, SM_ERR_INVALID_ARGUMENT, "The requests have different sizes");
        else
            call[i] = call_with_copy(c, request_at(requests, i), &why);
    }
    for (size_t i = 0; i < count && why.result != SM_SUCCESS; i++) {
        sm_call_free(call[i]);
        call[i] = NULL;
    }
    if (err && why.result != SM_SUCCESS)
        *err = why;
    return why.result;
}

sm_result sm_submit_many(sm_client *c, const sm_request *requests, size_t count, sm_done *done, void *const *user,
                         sm_call **out, sm_error *err) {
    sm_result result = client_check_process(c, err);
    if (out)
        memset(out, 0, count * sizeof *out);
    if (result != SM_SUCCESS || !count)
        return result;
    if (!requests)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There are no requests");
    sm_call **call = calloc(count, sizeof *call);
    if (!call)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the calls");
    result = make_calls(c, requests, count, call, err);
    if (result != SM_SUCCESS)
        goto out;
    for (size_t i = 0; i < count; i++) {
        call[i]->done = done;
        call[i]->user = user ? user[i] : NULL;
        if (out)
            out[i] = call[i];
    }
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < count; i++)
        put_inbox(call[i]);
    pthread_mutex_unlock(&c->lock);
    transport_wake(c->transport);
    for (size_t i = 0; i < count && !out; i++)
        sm_call_free(call[i]);
out:
    free(call);
    return result;
}

sm_result sm_submit(sm_client *c, const sm_request *request, sm_done *done, void *user, sm_call **out,
                    sm_error *err) {
    if (!request)
        return fail(err, SM_ERR_INVALID_ARGUMENT, "There is no request");
    return sm_submit_many(c, request, 1, done, &user, out, err);
}

/* ---- What there is to take ---------------------------------------------------------------------------------- */

int sm_client_fd(sm_client *c) {
    return c->event;
}

int sm_client_next(sm_client *c, sm_completion *completion) {
    eventfd_t count;
    if (client_check_process(c, NULL) != SM_SUCCESS)
        return 0;
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
    if (client_check_process(c, NULL) != SM_SUCCESS) {
        memset(out, 0, size);
        return;
    }
    pthread_mutex_lock(&c->lock);
    memcpy(out, &c->counters, size < sizeof c->counters ? size : sizeof c->counters);
    pthread_mutex_unlock(&c->lock);
}
