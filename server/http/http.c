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
#define MEMORY_PER_CONNECTION 32768 /* the largest head that passes the gate and its fields fit, with the answer's */
#define ADMIN_CONNECTIONS     64
#define BACKSTOP_S            5 /* so much later than conns.c libmicrohttpd closes what is idle; it says nothing to the client */

/* A listener, and what may come in by it. */
struct door {
    struct http *http;
    struct listener listener;
    struct MHD_Daemon *daemon; /* NULL: closed */
    int is_operators;          /* boolean: their routes are there */
    int is_bounded;            /* boolean: an address may have so many connections and no more */
    int is_quiet;              /* boolean: nobody is let in any more */
};

struct http {
    struct smd *smd;
    struct door clients, operators;
    struct conns conns;
    atomic_ullong requests; /* counted, for ids */
};

/* Connections */

static struct conn *conn_of(void *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static int set_phase(const struct request *r, enum conn_phase phase, size_t size) {
    return conns_phase(&r->http->conns, conn_of(r->connection), phase, size);
}

static int socket_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what) {
    const struct door *door = cls;
    struct http *h = door->http;
    int opened = what == MHD_CONNECTION_NOTIFY_STARTED;
    metric_add(&h->smd->metrics, METRIC_CONNECTIONS, opened ? 1 : -1);
    if (opened) {
        struct peer peer = identify_peer(connection);
        *context = conns_add(&h->conns, socket_of(connection), &peer, door->is_bounded);
    } else {
        conns_remove(&h->conns, *context);
    }
}

void http_tick(struct http *h) {
    conns_tick(&h->conns);
}

/* Requests */

/* Finds the route, or says why there is none. */
static sm_status find_route(struct request *r) {
    char detail[300];
    r->route = route_find(r->method, r->path, r->is_operators);
    if (r->route)
        return SM_OK;
    if (strstr(r->path, "%00")) {
        problem_reply(r, SM_BAD_REQUEST, "The path has a NUL in it", (sm_slice){0}, NULL);
        return SM_BAD_REQUEST;
    }
    const char *allow = route_methods(r->path, r->is_operators);
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

/* The connection's bytes are not read any further than this request, if that is one at all (gate.h). */
static sm_status find_refusal(struct request *r) {
    const char *detail = NULL;
    sm_status s = conns_refusal(conn_of(r->connection), r->serial, &detail);
    if (s == SM_OK)
        return SM_OK;
    problem_reply(r, s, detail, (sm_slice){0}, NULL);
    r->is_last = 1;
    return s;
}

static sm_status begin(struct request *r) {
    sm_status s = find_refusal(r);
    if (s == SM_OK)
        s = find_route(r);
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

static struct request *new_request(const struct door *door, struct MHD_Connection *connection, const char *method,
                                   const char *path) {
    struct http *h = door->http;
    struct conn *c = conn_of(connection);
    struct request *r = c && conns_phase(&h->conns, c, CONN_BODY, 0) ? malloc(sizeof *r) : NULL;
    if (!r)
        return NULL;
    memset(r, 0, offsetof(struct request, reply.header)); /* the rest is written before it is read */
    r->smd = h->smd;
    r->http = h;
    r->connection = connection;
    r->socket = socket_of(connection);
    r->serial = conns_request(c);
    r->is_operators = door->is_operators;
    r->method = strcmp(method, "HEAD") == 0 ? "GET" : method; /* libmicrohttpd leaves the body out */
    r->path = path;
    r->began_ns = clock_ns();
    r->waiter.watch_fd = -1;
    sm_buf_init(&r->reply.text, TEXT_MAX);
    r->number = atomic_fetch_add_explicit(&h->requests, 1, memory_order_relaxed);
    metric_add(&h->smd->metrics, METRIC_REQUESTS_ACTIVE, 1);
    identify_client(r, conns_peer(c));
    r->error = begin(r);
    return r;
}

static void free_request(struct http *h, struct request *r) {
    if (r->route && r->route->drop)
        r->route->drop(r);
    metric_add(&h->smd->metrics, METRIC_REQUESTS_ACTIVE, -1);
    if (r->is_counted)
        sending_end(&h->smd->metrics, r->own, r->lent);
    job_free(r->job);
    body_free(&r->body);
    sm_buf_free(&r->reply.text);
    result_unref(r->reply.result);
    shared_unref(r->reply.shared);
    free(r);
}

static enum MHD_Result send_reply(struct request *r) {
    return respond(r) && set_phase(r, CONN_ANSWER, r->size) ? MHD_YES : MHD_NO;
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
    if (r->error == SM_OK)
        r->error = find_refusal(r);
    else
        r->is_last |= conns_refusal(conn_of(r->connection), r->serial, &(const char *){NULL}) != SM_OK;
    if (r->error == SM_OK && r->route->has_body) {
        r->error = body_end(&r->body);
        if (r->error != SM_OK)
            problem_reply(r, r->error, r->body.detail, (sm_slice){0}, NULL);
    }
    if (r->error != SM_OK)
        return send_reply(r);
    if (!set_phase(r, CONN_WAIT, 0))
        return MHD_NO;
    if (r->route->finish(r))
        return send_reply(r);
    return MHD_YES;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **context) {
    const struct door *door = cls;
    struct http *h = door->http;
    struct request *r = *context;
    (void)version;
    if (!r) {
        r = *context = new_request(door, connection, method, url);
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
    struct http *h = ((const struct door *)cls)->http;
    struct request *r = *context;
    (void)why;
    if (!r)
        return;
    if (r->is_watched)
        conns_unwatch(&h->conns, conn_of(r->connection));
    conns_phase(&h->conns, conn_of(connection), CONN_IDLE, 0);
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
    struct request *request;
    int (*each)(void *, const char *, const char *, size_t);
    void *arg;
    int result;
};

static int hex_digit(int c) {
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Decodes LEN characters of percent-encoding into OUT, with a terminator; gives how many bytes they are, or -1 if they are
 * no such thing or have a NUL among them. */
static long decode(const char *text, size_t len, char *out) {
    long made = 0;
    for (size_t i = 0; i < len; i++) {
        int high = text[i] == '%' && i + 2 < len ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (text[i] == '%' && low < 0)
            return -1;
        out[made] = text[i];
        if (low >= 0) {
            out[made] = (char)(high << 4 | low);
            i += 2;
        }
        if (!out[made++])
            return -1;
    }
    out[made] = 0;
    return made;
}

static enum MHD_Result on_parameter(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_len,
                                    const char *value, size_t value_len) {
    struct query *q = cls;
    char names[MEMORY_PER_CONNECTION], *values = names;
    (void)kind;
    long n = decode(name, name_len, names), v = n;
    if (n >= 0 && value) {
        values = names + n + 1;
        v = decode(value, value_len, values);
    }
    if (v < 0) {
        problem_reply(q->request, SM_BAD_REQUEST, "The query's percent-encoding is wrong, or has a NUL",
                      (sm_slice){0}, NULL);
        q->result = (int)SM_BAD_REQUEST;
        return MHD_NO;
    }
    q->result = q->each(q->arg, names, value ? values : NULL, value ? (size_t)v : 0);
    return q->result ? MHD_NO : MHD_YES;
}

int request_query(struct request *r, int (*each)(void *, const char *, const char *, size_t), void *arg) {
    struct query q = {r, each, arg, 0};
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

/* Nothing is decoded: paths are matched as they came, and on_parameter decodes what stands in queries. */
static size_t keep_encoded(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls;
    (void)connection;
    return strlen(text);
}

/* Serves who comes in by the door, whose socket listens. */
static int open_door(struct door *d, unsigned threads, unsigned connections, char *why, size_t why_size) {
    const struct settings *s = &d->http->smd->settings;
    d->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, d,
        MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL, MHD_OPTION_LISTEN_SOCKET, d->listener.fd,
        MHD_OPTION_THREAD_POOL_SIZE, threads > 1 ? threads : 0, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)s->idle_timeout_s + BACKSTOP_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_PER_CONNECTION, MHD_OPTION_NOTIFY_COMPLETED, on_completed, d, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, d, MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    if (!d->daemon)
        snprintf(why, why_size,
                 "the HTTP server did not start; are %u connections more than the limit of open files allows?",
                 connections);
    return d->daemon != NULL;
}

static int open_clients(struct http *h, char *why, size_t why_size) {
    const struct settings *s = &h->smd->settings;
    struct door *d = &h->clients;
    *d = (struct door){.http = h, .is_bounded = 1};
    if (!listen_take_over(&d->listener) && !listen_open(s->listen, s->port, &d->listener, why, why_size))
        return 0;
    d->is_operators = !s->admin_listen[0] && d->listener.is_local;
    if (!s->admin_listen[0] && !d->is_operators)
        log_event(LOG_LEVEL_WARNING, "operators_routes_closed", "{s:s}", "detail",
                  "/metrics, /v1/manifest and /v1/modules are served nowhere: set admin_listen");
    return open_door(d, (unsigned)s->http_threads, (unsigned)s->connections, why, why_size);
}

/* Its own thread and connections: whatever clients do, probes are answered. */
static int open_operators(struct http *h, char *why, size_t why_size) {
    const struct settings *s = &h->smd->settings;
    struct door *d = &h->operators;
    *d = (struct door){.http = h, .listener.fd = -1, .is_operators = 1};
    return !s->admin_listen[0] || (listen_open_text(s->admin_listen, &d->listener, why, why_size) &&
                                   open_door(d, 1, ADMIN_CONNECTIONS, why, why_size));
}

struct http *http_start(struct smd *smd, char *why, size_t why_size) {
    struct http *h = calloc(1, sizeof *h);
    if (!h) {
        snprintf(why, why_size, "memory ran out");
        return NULL;
    }
    h->smd = smd;
    h->clients.listener.fd = h->operators.listener.fd = -1;
    conns_init(&h->conns, &smd->settings);
    if (!identify_start())
        snprintf(why, why_size, "there is no SipHash or no random number");
    else if (open_operators(h, why, why_size) && open_clients(h, why, why_size))
        return h;
    http_stop(h);
    return NULL;
}

int http_port(const struct http *h) {
    return h->clients.listener.port;
}

int http_admin_port(const struct http *h) {
    return h->operators.listener.port;
}

/* Nobody else is let in. The socket stays open until the daemon is stopped: its threads take it out of their epoll sets
 * when they get to it, and end the process if it is no descriptor then (libmicrohttpd 0.9.75). One that a service manager
 * has as well is left as it is: who waits there comes to the next smd. */
static void stop_listening(struct door *d) {
    struct sockaddr_storage a;
    socklen_t len = sizeof a;
    MHD_quiesce_daemon(d->daemon);
    d->is_quiet = 1;
    if (d->listener.is_shared)
        return;
    for (int fd; (fd = accept4(d->listener.fd, (struct sockaddr *)&a, &len, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;
         len = sizeof a)
        MHD_add_connection(d->daemon, fd, (struct sockaddr *)&a, len); /* they had come before */
    shutdown(d->listener.fd, SHUT_RDWR);
}

/* Waits at most so long for the requests in progress, and then for QUIET_NS in which none came: whoever was let in last
 * has had the time to send one. */
static int await_end(struct http *h, uint64_t timeout_ns) {
    enum { QUIET_NS = 50000000 };
    uint64_t begun = clock_ns(), busy = begun;
    for (;;) {
        uint64_t now = clock_ns();
        if (metric_get(&h->smd->metrics, METRIC_REQUESTS_ACTIVE) > 0)
            busy = now;
        if (now >= begun + timeout_ns || now >= busy + QUIET_NS)
            break;
        http_tick(h);
        usleep(2000);
    }
    return (int)metric_get(&h->smd->metrics, METRIC_REQUESTS_ACTIVE);
}

int http_drain(struct http *h, int timeout_s) {
    stop_listening(&h->clients);
    return await_end(h, (uint64_t)timeout_s * 1000000000u);
}

void http_cut(struct http *h) {
    enum { ANSWERS_NS = 300000000, END_S = 5 };
    if (!h->clients.is_quiet)
        stop_listening(&h->clients);
    conns_shut(&h->conns, CONN_BODY);
    if (await_end(h, ANSWERS_NS))
        conns_shut(&h->conns, CONN_LATE);
    await_end(h, (uint64_t)END_S * 1000000000u);
}

static void close_door(struct door *d) {
    if (d->daemon)
        MHD_stop_daemon(d->daemon);
    if (d->listener.fd >= 0 && (!d->daemon || d->is_quiet)) /* otherwise the library has closed it */
        close(d->listener.fd);
    if (d->listener.unix_path[0])
        unlink(d->listener.unix_path);
}

void http_stop(struct http *h) {
    close_door(&h->clients);
    close_door(&h->operators);
    conns_end(&h->conns);
    identify_end();
    free(h);
}
