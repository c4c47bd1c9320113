/* outcome.c - what a transfer means to the caller: the HTTP answer, or that there is none, as an sm_result. */
#include "artifact.h"
#include "error.h"
#include "fetch.h"

#include <errno.h>
#include <string.h>

/* By the server's own name for it, where the HTTP status does not tell them apart. */
static const struct {
    sm_status status;
    sm_result result;
} by_code[] = {{SM_COMPILER_CRASHED, SM_ERR_COMPILER_CRASHED},
               {SM_COMPILE_TIMEOUT, SM_ERR_COMPILE_LIMIT},
               {SM_OUT_OF_MEMORY, SM_ERR_COMPILE_LIMIT},
               {SM_CPU_LIMIT, SM_ERR_COMPILE_LIMIT},
               {SM_OUTPUT_TOO_LARGE, SM_ERR_COMPILE_LIMIT},
               {SM_OVERLOADED, SM_ERR_OVERLOADED},
               {SM_TOO_MANY_REQUESTS, SM_ERR_OVERLOADED},
               {SM_DRAINING, SM_ERR_OVERLOADED},
               {SM_NO_WORKER, SM_ERR_OVERLOADED},
               {SM_ARTIFACT_NOT_FOUND, SM_ERR_NOT_CACHED},
               {SM_NOT_FOUND, SM_ERR_INCOMPATIBLE},
               {SM_METHOD_NOT_ALLOWED, SM_ERR_INCOMPATIBLE},
               {SM_NOT_ACCEPTABLE, SM_ERR_INCOMPATIBLE},
               {SM_UNSUPPORTED_ENCODING, SM_ERR_INCOMPATIBLE},
               {SM_UNSUPPORTED_MEDIA_TYPE, SM_ERR_INCOMPATIBLE},
               {SM_INCOMPATIBLE, SM_ERR_INCOMPATIBLE},
               {SM_REQUEST_TIMEOUT, SM_ERR_UNREACHABLE}};

/* The client's result for an HTTP status and the server's own status, which is more exact. */
static sm_result result_of(int http, int status) {
    for (size_t i = 0; i < sizeof by_code / sizeof *by_code; i++)
        if ((int)by_code[i].status == status)
            return by_code[i].result;
    if (http == 401 || http == 403 || http == 407)
        return SM_ERR_UNAUTHORISED;
    if (http == 429 || http == 503)
        return SM_ERR_OVERLOADED;
    if (http == 404 || http == 405 || http == 406 || http == 426 || http < 400)
        return SM_ERR_INCOMPATIBLE;
    if (http >= 500)
        return SM_ERR_SERVER;
    return SM_ERR_INVALID_INPUT;
}

/* A member's text; OTHERWISE if it has none. */
static const char *member_text(const json_t *object, const char *name, const char *otherwise) {
    const char *s = json_string_value(json_object_get(object, name));
    return s ? s : otherwise;
}

/* Fills *ERR from the answer's first diagnostic, or with the GENERAL sentence; gives RESULT. */
static sm_result fill_error(sm_error *err, sm_result result, const char *code, const sm_answer *a,
                            const char *general) {
    sm_diagnostic d = {.message = NULL};
    sm_answer_diagnostic(a, 0, &d);
    fail(err, result, "%s", d.message ? d.message : general);
    if (err) {
        snprintf(err->code, sizeof err->code, "%s", code);
        err->line = d.line;
        err->column = d.column;
    }
    return result;
}

json_t *json_of(const void *data, size_t len, int *no_memory) {
    errno = 0; /* jansson itself says that a token is wrong if there is no memory for it */
    json_t *json = json_loadb(data ? data : "", len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    *no_memory = !json && errno == ENOMEM;
    return json;
}

/* The answer as JSON, *new*; NULL if it is none, or longer than smd's problems are: a server that is not smd must not
 * have the client parse for long. */
static json_t *read_problem(const sm_buf *body, int *no_memory) {
    enum { AROUND = 1 << 20 }; /* what is about the diagnostics */
    *no_memory = 0;
    return body->len > SM_DIAGNOSTICS_MAX + AROUND ? NULL : json_of(body->data, body->len, no_memory);
}

/* Reads an error answer, problem+json (RFC 9457), as far as it can be read; gives its result. */
static sm_result problem(const struct transfer *x, sm_answer **answer, sm_error *err) {
    char nothing[80];
    int no_memory;
    json_t *p = read_problem(&x->body, &no_memory);
    if (no_memory)
        return fail(err, SM_ERR_NO_MEMORY, "Out of memory: no room for the answer");
    sm_answer *a = answer_of_problem(p, x->key);
    const char *code = member_text(p, "code", "");
    snprintf(nothing, sizeof nothing, "The server answered with HTTP status %d and nothing more", x->http);
    const char *detail = member_text(p, "detail", member_text(p, "title", nothing));
    sm_result result = fill_error(err, result_of(x->http, sm_status_from_name(code)), code, a, detail);
    if (err)
        err->retry_after_ms = x->retry_after_ms;
    if (answer)
        *answer = a;
    else
        sm_answer_free(a);
    json_decref(p);
    return result;
}

/* Reads an answer with HTTP status 200 as an artifact; one of a compile that failed gives that failure. */
static sm_result artifact(struct transfer *x, sm_answer **answer, sm_error *err) {
    sm_status status = SM_OK;
    sm_answer *a = NULL;
    if (strcmp(x->type, "application/vnd.smd.artifact") != 0)
        return fail(err, SM_ERR_INCOMPATIBLE, "The server answered with '%s', which is no artifact", x->type);
    size_t len;
    unsigned char *body = sm_buf_take(&x->body, &len);
    sm_result r = answer_of_artifact(body, len, x, &a, &status, err);
    if (r == SM_SUCCESS && status != SM_OK) /* a compile that failed */
        r = fill_error(err, result_of(sm_status_http(status), (int)status), sm_status_name(status), a,
                       sm_status_text(status));
    *answer = a;
    return r;
}

/* Fails: the transfer ended without an answer, for the reason that it has noted. */
static sm_result no_answer(const struct transfer *x, sm_error *err) {
    static const sm_result results[] = {
        [ENDED_UNREACHABLE] = SM_ERR_UNREACHABLE, [ENDED_LATE] = SM_ERR_TIMEOUT,        [ENDED_INSECURE] = SM_ERR_TLS,
        [ENDED_TOO_LARGE] = SM_ERR_DAMAGED,       [ENDED_NO_MEMORY] = SM_ERR_NO_MEMORY, [ENDED_SELF] = SM_ERR_SYSTEM};
    if (x->ending == ENDED_TOO_LARGE)
        return fail(err, SM_ERR_DAMAGED, "The answer is longer than the client's answer_max");
    if (x->ending == ENDED_LATE)
        return fail(err, SM_ERR_TIMEOUT, "The server has not answered in time");
    if (x->ending == ENDED_SELF)
        return fail(err, SM_ERR_SYSTEM, "This process has no socket for the call: %s", x->message);
    return fail(err, results[x->ending], "%s", x->message);
}

sm_result outcome_of(struct transfer *x, const char *server, sm_answer **answer, sm_error *err) {
    sm_result r;
    if (answer)
        *answer = NULL;
    if (x->ending != ENDED_ANSWERED)
        r = no_answer(x, err);
    else if (x->http != 200)
        r = problem(x, answer, err);
    else
        r = answer ? artifact(x, answer, err) : SM_SUCCESS;
    if (r != SM_SUCCESS && err) {
        err->http = x->http;
        snprintf(err->server, sizeof err->server, "%s", server);
    }
    return r;
}
