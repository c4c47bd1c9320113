/* blocking.c - the calls that wait: each begins a call of the client, and sleeps until that has ended. */
#include "error.h"
#include "fetch.h"

#include <stdlib.h>
#include <string.h>

struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int has_ended; /* boolean */
    sm_result result;
    sm_answer *answer;
    sm_error error;
};

/* The callback of a call that is waited for: hands the result over and wakes the waiter. */
static void wake(void *user, sm_result result, sm_answer *answer, const sm_error *err) {
    struct waiter *w = user;
    pthread_mutex_lock(&w->lock);
    w->result = result;
    w->answer = answer;
    w->error = *err;
    w->has_ended = 1;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
}

/* Begins CALL and waits for its end; gives its result, answer and error. */
static sm_result wait_for(sm_call *call, sm_answer **answer, sm_error *err) {
    struct waiter w = {.has_ended = 0};
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.ended, NULL);
    call->done = wake;
    call->user = &w;
    client_begin(call);
    pthread_mutex_lock(&w.lock);
    while (!w.has_ended)
        pthread_cond_wait(&w.ended, &w.lock);
    pthread_mutex_unlock(&w.lock);
    pthread_cond_destroy(&w.ended);
    pthread_mutex_destroy(&w.lock);
    if (answer)
        *answer = w.answer;
    else
        sm_answer_free(w.answer);
    if (w.result != SM_SUCCESS && err)
        *err = w.error;
    return w.result;
}

/* Fails on the client's own thread and in a forked child, where a call would wait for ever. */
static sm_result check_thread(const sm_client *c, sm_error *err) {
    if (client_check_process(c, err) != SM_SUCCESS)
        return SM_ERR_INVALID_ARGUMENT;
    return client_is_thread(c) ? fail(err, SM_ERR_INVALID_ARGUMENT, "A callback may not wait for its own client")
                               : SM_SUCCESS;
}

sm_result sm_compile(sm_client *c, const sm_request *request, sm_answer **answer, sm_error *err) {
    sm_request r;
    sm_error why = {.result = SM_SUCCESS};
    if (answer)
        *answer = NULL;
    sm_result result = request_check(request, &r, &why);
    if (result == SM_SUCCESS)
        result = check_thread(c, &why);
    sm_call *call = result == SM_SUCCESS ? call_new(c, &r, NULL, &why) : NULL;
    if (call && call->tiers & (call->tiers - 1)) {
        fail(&why, SM_ERR_INVALID_ARGUMENT, "'tiers' gives several answers: sm_submit hands them over");
        sm_call_free(call);
        call = NULL;
    }
    if (!call) {
        if (err)
            *err = why;
        return why.result;
    }
    result = wait_for(call, answer, err);
    sm_call_free(call);
    return result;
}

sm_result sm_compile_once(const char *url, const void *module, size_t module_len, sm_answer **answer, sm_error *err) {
    const char *const servers[] = {url, NULL};
    sm_error why = {.result = SM_SUCCESS};
    if (answer)
        *answer = NULL;
    sm_client *c =
        sm_client_new(&(sm_client_options){.size = sizeof(sm_client_options), .servers = url ? servers : NULL}, &why);
    if (!c) {
        if (err)
            *err = why;
        return why.result;
    }
    sm_result r = sm_compile(c, &(sm_request){.size = sizeof(sm_request), .module = module, .module_len = module_len},
                             answer, err);
    sm_client_free(c);
    return r;
}

/* Asks for the text at the path, by POST or by GET. */
static sm_result get_text(sm_client *c, const char *path, int is_post, char **text, size_t *len, sm_error *err) {
    sm_error why = {.result = SM_SUCCESS};
    *text = NULL;
    if (path[0] != '/')
        return fail(err, SM_ERR_INVALID_ARGUMENT, "'%s' is no path; those begin with /", path);
    sm_result r = check_thread(c, err);
    if (r != SM_SUCCESS)
        return r;
    sm_call *call = call_new(c, NULL, path, &why);
    if (!call) {
        if (err)
            *err = why;
        return why.result;
    }
    call->is_post = is_post;
    r = wait_for(call, NULL, err);
    if (r == SM_SUCCESS) {
        *text = call->text;
        *len = call->text_len;
        call->text = NULL;
    }
    sm_call_free(call);
    return r;
}

sm_result sm_get(sm_client *c, const char *path, char **text, sm_error *err) {
    size_t len;
    return get_text(c, path, 0, text, &len, err);
}

sm_result blocking_get(sm_client *c, const char *path, char **text, size_t *len, sm_error *err) {
    return get_text(c, path, 0, text, len, err);
}

sm_result sm_post(sm_client *c, const char *path, char **text, sm_error *err) {
    size_t len;
    return get_text(c, path, 1, text, &len, err);
}

void sm_text_free(char *text) {
    free(text);
}
