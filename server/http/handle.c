/* handle.c - a request's course from its headers to its reply; see request.h.
 *
 * A rule of libmicrohttpd that shapes this file (0.9.75): it takes an answer at the handler's first call or when the
 * whole body is there, and not in between. So a body that cannot be accepted is read and thrown away; only a client
 * that asks before it sends its body (Expect) is refused at once.
 */
#include "request.h"

#include "clock.h"
#include "conns.h"
#include "container.h"
#include "identify.h"
#include "problem.h"
#include "respond.h"
#include "router.h"

#include <microhttpd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Notes the phase of the request's connection; 0 if it was given up as late. */
static int set_phase(const struct request *r, enum conn_phase phase, size_t size) {
    return conns_phase(r->conns, r->conn, phase, size);
}

/* Finds the request's route; without one, fills the reply and gives the status. */
static sm_status find_route(struct request *r) {
    char detail[300];
    r->route = router_find(r->service, r->method, r->path, r->is_operators);
    if (r->route)
        return SM_OK;
    if (strstr(r->path, "%00")) {
        problem_reply(r, SM_BAD_REQUEST, "The path has a NUL in it", (sm_slice){0}, NULL);
        return SM_BAD_REQUEST;
    }
    const char *allow = router_methods(r->service, r->path, r->is_operators);
    const char *nearest = allow ? NULL : router_nearest(r->service, r->path);
    if (allow)
        snprintf(detail, sizeof detail, "%.20s is not a method of %.200s, which takes %s", r->method, r->path, allow);
    else
        snprintf(detail, sizeof detail, "%.20s %.200s is no route of this server%s%s%s", r->method, r->path,
                 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    sm_status s = allow ? SM_METHOD_NOT_ALLOWED : SM_NOT_FOUND;
    problem_reply(r, s, detail, (sm_slice){0}, NULL);
    if (allow)
        reply_header(&r->reply, "Allow", "%s", allow);
    return s;
}

/* Refuses a body whose announced size is over the limit before it is read. */
static sm_status check_length(struct request *r) {
    const char *length = request_header(r, "Content-Length");
    int limit = r->service->settings->max_body_mib;
    char detail[100];
    if (!length || strtoull(length, NULL, 10) <= (unsigned long long)limit << 20)
        return SM_OK;
    snprintf(detail, sizeof detail, "The body is larger than the limit of %d MiB", limit);
    problem_reply(r, SM_BODY_TOO_LARGE, detail, (sm_slice){0}, NULL);
    return SM_BODY_TOO_LARGE;
}

/* If the gate (gate.h) has refused the bytes of this request, fills the reply with the reason, makes it the
 * connection's last, and gives the status. */
static sm_status find_refusal(struct request *r) {
    if (conns_refusal(r->conn, r->serial, NULL) == SM_OK)
        return SM_OK;
    struct error err = {0};
    sm_status s = conns_refusal(r->conn, r->serial, &err);
    problem_reply(r, s, err.text, (sm_slice){0}, NULL);
    r->is_last = 1;
    return s;
}

/* Refuses a target that should name its host, and does not (RFC 9110, 4.2.1). */
static sm_status refuse_target(struct request *r) {
    problem_reply(r, SM_BAD_REQUEST, "The request's target has no host", (sm_slice){0}, NULL);
    return SM_BAD_REQUEST;
}

/* Refuses what a web page of another host makes a browser send (origin.h). A target that names its host (RFC 9112,
 * 3.2.2) counts instead of Host, and leaves its path. */
static sm_status check_origin(struct request *r, enum origin_rule rule) {
    static const char scheme[] = "http://", safe[] = "https://";
    struct error err = {0};
    const char *host = request_header(r, "Host");
    size_t len = host ? strlen(host) : 0;
    size_t is_safe = strncasecmp(r->path, safe, sizeof safe - 1) == 0;
    if (is_safe || strncasecmp(r->path, scheme, sizeof scheme - 1) == 0) {
        host = r->path + sizeof scheme - 1 + is_safe;
        len = strcspn(host, "/");
        r->path = host[len] ? host + len : "/";
        if (len == 0)
            return refuse_target(r);
    }
    sm_status s = origin_check(rule, r->service->settings->hosts, host, len, request_header(r, "Origin"), &err);
    if (s != SM_OK)
        problem_reply(r, s, err.text, (sm_slice){0}, NULL);
    return s;
}

/* Checks the request's headers, finds its route and begins it; the reply is filled unless SM_OK. */
static sm_status begin_route(struct request *r, enum origin_rule rule) {
    sm_status s = find_refusal(r);
    if (s == SM_OK)
        s = check_origin(r, rule);
    if (s == SM_OK)
        s = find_route(r);
    if (s == SM_OK)
        s = identify_holder(r, conns_peer(r->conn));
    if (s == SM_OK && r->route->has_body)
        s = check_length(r);
    if (s == SM_OK && r->route->has_body) {
        s = body_begin(&r->body, request_header(r, "Content-Encoding"), request_header(r, "Content-Length"),
                       r->service->settings, r->service->metrics, r->service->budget, r->client);
        if (s != SM_OK)
            problem_reply(r, s, r->body.detail, (sm_slice){0}, NULL);
        if (s == SM_UNSUPPORTED_ENCODING)
            reply_header(&r->reply, "Accept-Encoding", "gzip, deflate, zstd");
    }
    if (s == SM_OK && r->route->begin)
        s = r->route->begin(r);
    return s;
}

struct request *request_new(const struct service *service, struct conns *conns, struct conn *conn, void *connection,
                            int socket, const char *method, const char *path, int is_operators, enum origin_rule rule,
                            unsigned long long number) {
    struct request *r = conn && conns_phase(conns, conn, CONN_BODY, 0) ? malloc(sizeof *r) : NULL;
    if (!r)
        return NULL;
    memset(r, 0, offsetof(struct request, reply.header)); /* the rest is written before it is read */
    r->service = service;
    r->smd = service->smd;
    r->conns = conns;
    r->conn = conn;
    r->connection = connection;
    r->socket = socket;
    r->is_operators = is_operators;
    r->method = strcmp(method, "HEAD") == 0 ? "GET" : method; /* libmicrohttpd leaves the body out */
    r->path = path;
    r->began_ns = sm_clock_ns();
    r->waiter.watch_fd = -1;
    sm_buf_init(&r->reply.text, TEXT_MAX);
    r->number = number;
    metric_add(service->metrics, METRIC_REQUESTS_ACTIVE, 1);
    r->serial = conns_request(conn); /* after that: a drain sees it here or there */
    identify_client(r, conns_peer(conn));
    r->error = begin_route(r, rule);
    if (r->error != SM_OK)
        body_free(&r->body);
    return r;
}

/* Gives back what the request holds beside its answer, which its client may take long to read. */
static void give_back(struct request *r) {
    if (r->route && r->route->drop)
        r->route->drop(r);
    r->state = NULL;
    job_free(r->job);
    r->job = NULL;
    body_free(&r->body);
    result_unref(r->reply.result); /* the response keeps it */
    r->reply.result = NULL;
}

void request_free(struct request *r) {
    give_back(r);
    metric_add(r->service->metrics, METRIC_REQUESTS_ACTIVE, -1);
    if (r->is_job)
        holder_end(r->holder);
    holder_unref(r->holder);
    if (r->lent)
        budget_return(r->lent);
    result_drop(r->sent);
    sm_buf_free(&r->reply.text);
    budget_give(&r->own, 0);
    shared_unref(r->reply.shared);
    if (r->reply.stream)
        r->reply.stream->free(r->reply.stream);
    free(r);
}

int request_send(struct request *r) {
    int ok = respond(r) && set_phase(r, CONN_ANSWER, r->size);
    give_back(r);
    return ok;
}

/* 1 from when the connection is suspended until its thread has seen that it no longer is. */
static int is_suspended(const struct request *r) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_SUSPENDED);
    return info && info->suspended;
}

/* The parser's task: inflates the rest of a piece, and the connection goes on. */
static void inflate_rest(struct task *t) {
    struct request *r = container_of(t, struct request, task);
    body_go_on(&r->body);
    conns_work(r->conn, 0);
    request_ready(r);
}

size_t request_add(struct request *r, const void *bytes, size_t len) {
    if (r->error != SM_OK || !r->route->has_body)
        return len;
    if (is_suspended(r)) /* libmicrohttpd gives all chunks that it has */
        return 0;
    r->error = identify_bytes(r, len);
    if (r->error != SM_OK) {
        body_free(&r->body);
        return len;
    }
    if (body_add(&r->body, bytes, len))
        return len;
    r->task = (struct task){.run = inflate_rest, .client = r->client, .work = len};
    conns_work(r->conn, 1);
    MHD_suspend_connection(r->connection);
    tasks_add(r->service->parser, &r->task);
    return len;
}

/* Goes on when the body is there, or the job that was waited for is done: lets the route answer. 0 if the connection
 * is to be closed. */
int request_go_on(struct request *r) {
    if (atomic_load(&r->suspended)) {
        if (r->is_watched)
            conns_unwatch(r->conns, r->conn);
        if (r->route->answer)
            r->route->answer(r);
        return request_send(r);
    }
    if (r->error == SM_OK)
        r->error = find_refusal(r);
    else
        r->is_last |= conns_refusal(r->conn, r->serial, NULL) != SM_OK;
    if (r->error == SM_OK && r->route->has_body) {
        r->error = body_end(&r->body);
        if (r->error != SM_OK)
            problem_reply(r, r->error, r->body.detail, (sm_slice){0}, NULL);
    }
    if (r->error != SM_OK)
        return request_send(r);
    if (!set_phase(r, CONN_WAIT, 0))
        return 0;
    r->received_ns = sm_clock_ns();
    if (r->route->finish(r))
        return request_send(r);
    return 1;
}
