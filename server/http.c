/* http.c - HTTP by libmicrohttpd: connections in, struct request to the routes, struct reply out.
 *
 * Rules of libmicrohttpd that shape this file (0.9.75): an answer can be queued at the handler's first call or once
 * the whole body is there, not between, so that a body which cannot be accepted is swallowed, or refused at once
 * where the client asks first (Expect). A daemon must not be stopped while connections are suspended.
 */
#include "http.h"

#include "cache.h"
#include "clock.h"
#include "conns.h"
#include "identify.h"
#include "listen.h"
#include "log.h"
#include "problem.h"
#include "respond.h"
#include "routes.h"

#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes: the headers, and twice the piece in which a body arrives. libmicrohttpd clears half as much again for every
 * request. */
#define MEMORY_PER_CONNECTION 16384

struct http {
    struct smd *smd;
    struct MHD_Daemon *daemon;
    int socket, port;
    int is_shared; /* boolean: the socket was handed over */
    int is_quiet;  /* boolean: nobody is let in any more */
    char unix_path[108];
    struct conns conns;
    atomic_ullong requests; /* counted, for ids */
};

/* Connections */

static struct conn *conn_of(void *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static void set_phase(void *connection, enum conn_phase phase) {
    conns_phase(conn_of(connection), phase);
}

static int socket_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what) {
    struct http *h = cls;
    int opened = what == MHD_CONNECTION_NOTIFY_STARTED;
    metric_add(&h->smd->metrics, METRIC_CONNECTIONS, opened ? 1 : -1);
    if (opened) {
        struct peer peer = identify_peer(connection);
        *context = conns_add(&h->conns, socket_of(connection), &peer);
    } else {
        conns_remove(&h->conns, *context);
    }
}

void http_tick(struct http *h) {
    conns_tick(&h->conns, &h->smd->settings);
}

/* Requests */

/* Finds the route, or says why there is none. */
static sm_status find_route(struct request *r) {
    char detail[300];
    r->route = route_find(r->method, r->path);
    if (r->route)
        return SM_OK;
    const char *allow = route_methods(r->path);
    const char *nearest = allow ? NULL : route_nearest(r->path);
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

/* A body whose announced size is over the limit is refused before it is read. */
static sm_status check_length(struct request *r) {
    const char *length = request_header(r, "Content-Length");
    int limit = r->smd->settings.max_body_mib;
    char detail[100];
    if (!length || strtoull(length, NULL, 10) <= (unsigned long long)limit << 20)
        return SM_OK;
    snprintf(detail, sizeof detail, "The body is larger than the limit of %d MiB", limit);
    problem_reply(r, SM_BODY_TOO_LARGE, detail, (sm_slice){0}, NULL);
    return SM_BODY_TOO_LARGE;
}

static sm_status begin(struct request *r) {
    sm_status s = find_route(r);
    if (s == SM_OK && r->route->has_body)
        s = check_length(r);
    if (s == SM_OK && r->route->has_body) {
        s = body_begin(&r->body, request_header(r, "Content-Encoding"), &r->smd->settings, &r->smd->metrics);
        if (s != SM_OK)
            problem_reply(r, s, r->body.detail, (sm_slice){0}, NULL);
        if (s == SM_UNSUPPORTED_ENCODING)
            reply_header(&r->reply, "Accept-Encoding", "gzip, deflate, zstd");
    }
    if (s == SM_OK && r->route->begin)
        s = r->route->begin(r);
    return s;
}

static struct request *new_request(struct http *h, struct MHD_Connection *connection, const char *method,
                                   const char *path) {
    struct request *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    memset(r, 0, offsetof(struct request, reply.header)); /* the rest is written before it is read */
    r->smd = h->smd;
    r->http = h;
    r->connection = connection;
    r->socket = socket_of(connection);
    r->method = strcmp(method, "HEAD") == 0 ? "GET" : method; /* libmicrohttpd leaves the body out */
    r->path = path;
    r->began_ns = clock_ns();
    r->waiter.watch_fd = -1;
    sm_buf_init(&r->reply.text, TEXT_MAX);
    r->number = atomic_fetch_add_explicit(&h->requests, 1, memory_order_relaxed);
    metric_add(&h->smd->metrics, METRIC_REQUESTS_ACTIVE, 1);
    set_phase(connection, CONN_BODY);
    identify_client(r, conns_peer(conn_of(connection)));
    r->error = begin(r);
    return r;
}

static void free_request(struct http *h, struct request *r) {
    if (r->route && r->route->drop)
        r->route->drop(r);
    metric_add(&h->smd->metrics, METRIC_REQUESTS_ACTIVE, -1);
    job_free(r->job);
    body_free(&r->body);
    sm_buf_free(&r->reply.text);
    result_unref(r->reply.result);
    shared_unref(r->reply.shared);
    free(r);
}

static enum MHD_Result send_reply(struct request *r) {
    set_phase(r->connection, CONN_ANSWER);
    return respond(r) ? MHD_YES : MHD_NO;
}

/* The body is there, or the job that was waited for is done. */
static enum MHD_Result end_of_body(struct http *h, struct request *r) {
    if (atomic_load(&r->suspended)) {
        if (r->is_watched)
            conns_unwatch(&h->conns, conn_of(r->connection));
        if (r->route->answer)
            r->route->answer(r);
        return send_reply(r);
    }
    if (r->error == SM_OK && r->route->has_body) {
        r->error = body_end(&r->body);
        if (r->error != SM_OK)
            problem_reply(r, r->error, r->body.detail, (sm_slice){0}, NULL);
    }
    if (r->error != SM_OK)
        return send_reply(r);
    set_phase(r->connection, CONN_ANSWER);
    if (r->route->finish(r))
        return send_reply(r);
    return MHD_YES;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **context) {
    struct http *h = cls;
    struct request *r = *context;
    (void)version;
    if (!r) {
        r = *context = new_request(h, connection, method, url);
        if (!r)
            return MHD_NO;
        const char *expect = request_header(r, "Expect");
        return r->error != SM_OK && expect ? send_reply(r) : MHD_YES;
    }
    if (*size) {
        if (r->error == SM_OK && r->route->has_body)
            body_add(&r->body, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return end_of_body(h, r);
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode why) {
    struct http *h = cls;
    struct request *r = *context;
    (void)why;
    if (!r)
        return;
    if (r->is_watched)
        conns_unwatch(&h->conns, conn_of(r->connection));
    set_phase(connection, CONN_IDLE);
    free_request(h, r);
    *context = NULL;
}

/* What routes call */

void request_watch(struct request *r, void (*gone)(void *arg), void *arg) {
    r->is_watched = 1;
    conns_watch(&r->http->conns, conn_of(r->connection), gone, arg);
}

void request_wait(struct request *r) {
    atomic_store(&r->suspended, 1);
    MHD_suspend_connection(r->connection);
}

void request_ready(struct request *r) {
    MHD_resume_connection(r->connection); /* R may be gone after this */
}

const char *request_header(struct request *r, const char *name) {
    return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

struct query {
    int (*each)(void *, const char *, const char *, size_t);
    void *arg;
    int result;
};

static enum MHD_Result on_parameter(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_len,
                                    const char *value, size_t value_len) {
    struct query *q = cls;
    (void)kind;
    (void)name_len;
    q->result = q->each(q->arg, name, value, value_len);
    return q->result ? MHD_NO : MHD_YES;
}

int request_query(struct request *r, int (*each)(void *, const char *, const char *, size_t), void *arg) {
    struct query q = {each, arg, 0};
    MHD_get_connection_values_n(r->connection, MHD_GET_ARGUMENT_KIND, on_parameter, &q);
    return q.result;
}

/* The server */

static void on_library_log(void *cls, const char *fmt, va_list ap) {
    char line[512];
    (void)cls;
    vsnprintf(line, sizeof line, fmt, ap);
    line[strcspn(line, "\n")] = 0;
    log_event(LOG_LEVEL_WARNING, "http", "{s:s}", "detail", line);
}

struct http *http_start(struct smd *smd, char *why, size_t why_size) {
    const struct settings *s = &smd->settings;
    struct http *h = calloc(1, sizeof *h);
    if (!h) {
        snprintf(why, why_size, "memory ran out");
        return NULL;
    }
    h->smd = smd;
    conns_init(&h->conns);
    h->socket = listen_open(s, &h->port, &h->is_shared, h->unix_path, sizeof h->unix_path, why, why_size);
    if (h->socket >= 0) {
        h->daemon = MHD_start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request,
            h, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL, MHD_OPTION_LISTEN_SOCKET, h->socket,
            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)(s->http_threads > 1 ? s->http_threads : 0),
            MHD_OPTION_CONNECTION_LIMIT, (unsigned)s->connections, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned)s->idle_timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_PER_CONNECTION,
            MHD_OPTION_NOTIFY_COMPLETED, on_completed, h, MHD_OPTION_NOTIFY_CONNECTION, on_connection, h,
            MHD_OPTION_END);
        if (!h->daemon)
            snprintf(why, why_size,
                     "the HTTP server did not start; are %d connections more than the limit of open files allows?",
                     s->connections);
    }
    if (h->daemon)
        return h;
    http_stop(h);
    return NULL;
}

int http_port(const struct http *h) {
    return h->port;
}

/* Nobody else is let in. The socket stays open until the daemon is stopped: its threads take it out of their epoll sets
 * when they get to it, and end the process if it is no descriptor then (libmicrohttpd 0.9.75). One that a service manager
 * has as well is left as it is: who waits there comes to the next smd. */
static void stop_listening(struct http *h) {
    struct sockaddr_storage a;
    socklen_t len = sizeof a;
    MHD_quiesce_daemon(h->daemon);
    h->is_quiet = 1;
    if (h->is_shared)
        return;
    for (int fd; (fd = accept4(h->socket, (struct sockaddr *)&a, &len, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;
         len = sizeof a)
        MHD_add_connection(h->daemon, fd, (struct sockaddr *)&a, len); /* they had come before */
    shutdown(h->socket, SHUT_RDWR);
}

int http_drain(struct http *h, int timeout_s) {
    enum { QUIET_NS = 50000000 }; /* for so long no request: whoever was let in last has had the time to send one */
    if (!h->is_quiet)
        stop_listening(h);
    uint64_t begun = clock_ns(), busy = begun;
    for (;;) {
        uint64_t now = clock_ns();
        if (metric_get(&h->smd->metrics, METRIC_REQUESTS_ACTIVE) > 0)
            busy = now;
        if (now >= begun + (uint64_t)timeout_s * 1000000000u || now >= busy + QUIET_NS)
            break;
        http_tick(h);
        usleep(2000);
    }
    return (int)metric_get(&h->smd->metrics, METRIC_REQUESTS_ACTIVE);
}

void http_stop(struct http *h) {
    if (h->daemon)
        MHD_stop_daemon(h->daemon);
    if (h->socket >= 0 && (!h->daemon || h->is_quiet)) /* otherwise the library has closed it */
        close(h->socket);
    if (h->unix_path[0])
        unlink(h->unix_path);
    conns_end(&h->conns);
    free(h);
}
