/* http.c - HTTP by libmicrohttpd: connections in, struct request to the routes, struct reply out.
 *
 * Rules of libmicrohttpd that shape this file (0.9.75): an answer can be queued at the handler's first call or once
 * the whole body is there, not between, so that a body which cannot be accepted is swallowed, or refused at once
 * where the client asks first (Expect). A daemon must not be stopped while connections are suspended.
 */
#include "http.h"

#include "cache.h"
#include "conns.h"
#include "listen.h"
#include "log.h"
#include "problem.h"
#include "routes.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SMALL_REPLY           16384 /* up to this size a reply is copied together: one system call sends it */
#define MEMORY_PER_CONNECTION 65536 /* bytes: headers, and the piece in which a body arrives */
#define TEXT_MAX              ((size_t)1 << 31)

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
    if (opened)
        *context = conns_add(&h->conns, socket_of(connection));
    else
        conns_remove(&h->conns, *context);
}

void http_tick(struct http *h) {
    conns_tick(&h->conns, &h->smd->settings);
}

/* Requests */

/* FNV-1a: spreads addresses and tokens over numbers; nothing depends on its being hard to invert. */
static uint64_t hash(const void *bytes, size_t len) {
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static void identify_client(struct request *r) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *a = info ? info->client_addr : NULL;
    snprintf(r->client_name, sizeof r->client_name, "local");
    if (a && a->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)a;
        inet_ntop(AF_INET, &in->sin_addr, r->client_name, sizeof r->client_name);
        r->client = hash(&in->sin_addr, sizeof in->sin_addr);
    } else if (a && a->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;
        inet_ntop(AF_INET6, &in6->sin6_addr, r->client_name, sizeof r->client_name);
        r->client = hash(&in6->sin6_addr, 8); /* a host may have a whole /64 */
    }
    const char *token = request_header(r, "Authorization");
    if (token)
        r->client = hash(token, strlen(token));
}

/* Takes the client's request id over if it is harmless in headers and logs; makes one otherwise. */
static void identify_request(struct http *h, struct request *r) {
    const char *given = request_header(r, "X-Request-Id");
    size_t len = given ? strspn(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:") : 0;
    if (given && len && len < sizeof r->id && !given[len])
        strcpy(r->id, given);
    else
        snprintf(r->id, sizeof r->id, "%x-%llx", (unsigned)getpid(),
                 (unsigned long long)atomic_fetch_add(&h->requests, 1));
}

/* The trace-id of a traceparent header (W3C Trace Context, version 00), for the log; "" if there is none. */
static void identify_trace(struct request *r) {
    enum { VERSION = 3, TRACE_ID = 32 };
    const char *given = request_header(r, "traceparent");
    if (given && strncmp(given, "00-", VERSION) == 0 && strspn(given + VERSION, "0123456789abcdef") == TRACE_ID &&
        given[VERSION + TRACE_ID] == '-')
        snprintf(r->trace, sizeof r->trace, "%.*s", TRACE_ID, given + VERSION);
}

/* Finds the route, or says why there is none. */
static sm_status find_route(struct request *r) {
    char detail[300];
    r->route = route_find(r->method, r->path);
    if (r->route)
        return SM_OK;
    const char *allow = route_methods(r->path);
    snprintf(detail, sizeof detail,
             allow ? "%.20s is not a method of %.200s" : "%.20s %.200s is no route of this server", r->method,
             r->path);
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
    r->began_ns = pool_clock_ns();
    r->waiter.watch_fd = -1;
    sm_buf_init(&r->reply.text, TEXT_MAX);
    identify_request(h, r);
    metric_add(&h->smd->metrics, METRIC_REQUESTS_ACTIVE, 1);
    set_phase(connection, CONN_BODY);
    if (strcmp(r->method, "POST") == 0)
        identify_client(r);
    r->error = begin(r);
    return r;
}

static size_t reply_size(const struct reply *reply) {
    size_t total = 0;
    for (int i = 0; i < reply->parts; i++)
        total += reply->part[i].len;
    return total;
}

static void log_request(struct request *r) {
    enum { LINE_MAX_BYTES = 1 << 20 };
    sm_buf line;
    uint64_t us = (pool_clock_ns() - r->began_ns) / 1000;
    const struct result *result = r->reply.result;
    if (r->route && !r->route->has_body && r->reply.status == SM_OK)
        return; /* probes and scrapes */
    if (!r->client_name[0])
        identify_client(r);
    identify_trace(r);
    sm_buf_init(&line, LINE_MAX_BYTES);
    log_begin(&line, LOG_LEVEL_INFO, "request");
    sm_buf_printf(&line, ",\"id\":\"%s\",\"client\":\"%s\",\"method\":", r->id, r->client_name);
    json_text(&line, r->method, strlen(r->method));
    sm_buf_puts(&line, ",\"path\":");
    json_text(&line, r->path ? r->path : "", r->path ? strlen(r->path) : 0);
    if (r->trace[0])
        sm_buf_printf(&line, ",\"trace\":\"%s\"", r->trace);
    sm_buf_printf(
        &line,
        ",\"status\":%d,\"code\":\"%s\",\"key\":\"%s\",\"received_bytes\":%llu,\"sent_bytes\":%zu,\"us\":%llu,"
        "\"queue_us\":%u,\"compile_us\":%u",
        r->reply.http, sm_status_name(r->reply.status), r->key, (unsigned long long)r->body.received,
        reply_size(&r->reply), (unsigned long long)us, r->waiter.queue_us, result ? result->run_us : 0);
    if (result && result->run_us && (r->waiter.from == FROM_COMPILED || r->waiter.from == FROM_FLIGHT))
        for (unsigned i = 0; i < SM_STAGES; i++)
            sm_buf_printf(&line, ",\"%s_us\":%u", sm_stage_name(i), result->timings.stage_us[i]);
    log_end(&line);
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

/* Replies */

struct reply_memory {
    sm_buf text;
    struct result *result;
};

static void free_reply_memory(void *arg) {
    struct reply_memory *m = arg;
    sm_buf_free(&m->text);
    result_unref(m->result);
    free(m);
}

static struct MHD_Response *small_response(const struct reply *reply, size_t size) {
    unsigned char *copy = malloc(size ? size : 1), *at = copy;
    if (!copy)
        return NULL;
    for (int i = 0; i < reply->parts; i++)
        if (reply->part[i].len) {
            memcpy(at, reply->part[i].data, reply->part[i].len);
            at += reply->part[i].len;
        }
    return MHD_create_response_from_buffer(size, copy, MHD_RESPMEM_MUST_FREE);
}

/* The response owns what its parts lie in: the rendered text moves over, the result is referenced once more. */
static struct MHD_Response *large_response(struct reply *reply) {
    struct MHD_IoVec iov[REPLY_PARTS];
    unsigned n = 0;
    for (int i = 0; i < reply->parts; i++)
        if (reply->part[i].len)
            iov[n++] = (struct MHD_IoVec){reply->part[i].data, reply->part[i].len};
    struct reply_memory *m = malloc(sizeof *m);
    if (!m)
        return NULL;
    m->text = reply->text;
    m->result = reply->result ? result_ref(reply->result) : NULL;
    struct MHD_Response *response = MHD_create_response_from_iovec(iov, n, free_reply_memory, m);
    if (response) {
        sm_buf_init(&reply->text, TEXT_MAX);
    } else {
        result_unref(m->result);
        free(m);
    }
    return response;
}

/* Those that are this request's alone. */
static void add_own_headers(struct request *r, struct MHD_Response *response) {
    struct pool_state state = pool_state(r->smd->pool);
    char text[40];
    MHD_add_response_header(response, "X-Request-Id", r->id);
    snprintf(text, sizeof text, "%d/%d", state.busy, r->smd->settings.workers);
    MHD_add_response_header(response, "X-Smd-Workers-Busy", text);
    snprintf(text, sizeof text, "%zu", state.queued);
    MHD_add_response_header(response, "X-Smd-Queue", text);
}

static struct MHD_Response *make_response(struct request *r, size_t size) {
    struct reply *reply = &r->reply;
    char type[160]; /* it may lie in the text, which moves */
    snprintf(type, sizeof type, "%s", reply->content_type ? reply->content_type : "application/octet-stream");
    struct MHD_Response *response = size <= SMALL_REPLY ? small_response(reply, size) : large_response(reply);
    if (!response)
        return NULL;
    MHD_add_response_header(response, "Content-Type", type);
    for (int i = 0; i < reply->headers; i++)
        MHD_add_response_header(response, reply->header[i].name, reply->header[i].value);
    if (!reply->is_shareable)
        add_own_headers(r, response);
    return response;
}

static void destroy_response(void *response) {
    MHD_destroy_response(response);
}

/* The next one who asks for the same gets the same response. */
static void share(struct request *r, struct MHD_Response *response, size_t size) {
    struct shared *s = malloc(sizeof *s);
    if (!s)
        return;
    *s = (struct shared){.bytes = size, .response = response, .free = destroy_response};
    atomic_init(&s->refs, 1);
    cache_share(r->smd->cache, r->key, r->reply.kind, s);
    if (size <= SMALL_REPLY)
        cache_charge(r->smd->cache, r->key, size);
    r->reply.shared = s;
}

static enum MHD_Result send_reply(struct http *h, struct request *r) {
    struct reply *reply = &r->reply;
    size_t size = reply_size(reply);
    set_phase(r->connection, CONN_ANSWER);
    metric_answer(&h->smd->metrics, reply->status);
    metric_observe(&h->smd->metrics, HISTOGRAM_REQUEST, (pool_clock_ns() - r->began_ns) / 1000);
    if (reply->shared) {
        metric_add(&h->smd->metrics, METRIC_SENT_BYTES, (long long)reply->shared->bytes);
        return MHD_queue_response(r->connection, 200, reply->shared->response);
    }
    metric_add(&h->smd->metrics, METRIC_SENT_BYTES, (long long)size);
    log_request(r);
    struct MHD_Response *response = make_response(r, size);
    if (!response)
        return MHD_NO;
    enum MHD_Result queued = MHD_queue_response(r->connection, (unsigned)reply->http, response);
    if (reply->is_shareable)
        share(r, response, size);
    if (!reply->shared)
        MHD_destroy_response(response);
    return queued;
}

/* The body is there, or the job that was waited for is done. */
static enum MHD_Result end_of_body(struct http *h, struct request *r) {
    if (atomic_load(&r->suspended)) {
        if (r->is_watched)
            conns_unwatch(&h->conns, conn_of(r->connection));
        if (r->route->answer)
            r->route->answer(r);
        return send_reply(h, r);
    }
    if (r->error == SM_OK && r->route->has_body) {
        r->error = body_end(&r->body);
        if (r->error != SM_OK)
            problem_reply(r, r->error, r->body.detail, (sm_slice){0}, NULL);
    }
    if (r->error != SM_OK)
        return send_reply(h, r);
    set_phase(r->connection, CONN_ANSWER);
    if (r->route->finish(r))
        return send_reply(h, r);
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
        return r->error != SM_OK && expect ? send_reply(h, r) : MHD_YES;
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

void reply_header(struct reply *reply, const char *name, const char *fmt, ...) {
    if (reply->headers == REPLY_HEADERS)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(reply->header[reply->headers].value, sizeof reply->header[0].value, fmt, ap);
    va_end(ap);
    reply->header[reply->headers++].name = name;
}

void reply_part(struct reply *reply, const void *data, size_t len) {
    if (reply->parts < REPLY_PARTS)
        reply->part[reply->parts++] = (sm_slice){data, len};
}

void reply_static(struct reply *reply, const char *content_type, const char *text, size_t len) {
    reply->http = 200;
    reply->content_type = content_type;
    reply_part(reply, text, len);
}

void reply_text(struct reply *reply, const char *content_type) {
    if (!reply->http)
        reply->http = 200;
    reply->content_type = content_type;
    reply->parts = 0;
    reply_part(reply, reply->text.data, reply->text.len);
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
    uint64_t begun = pool_clock_ns(), busy = begun;
    for (;;) {
        uint64_t now = pool_clock_ns();
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
