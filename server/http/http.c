/* http.c - see http.h.
 *
 * A rule of libmicrohttpd that shapes this file (0.9.75): a daemon must not be stopped while connections are suspended.
 */
#include "http.h"

#include "acceptor.h"
#include "announcer.h"
#include "clock.h"
#include "conns.h"
#include "greeter.h"
#include "identify.h"
#include "listen.h"
#include "log.h"
#include "process.h"

#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADMIN_CONNECTIONS 64
#define SPARE_CONNECTIONS 16 /* of each thread: those that have ended, and which it has not put away yet */
#define BACKSTOP_S        5 /* so much later than conns.c libmicrohttpd closes what is idle; it says nothing to the client */

/* A listener, and what may come in by it. */
struct door {
    struct http *http;
    struct listener listener;
    struct MHD_Daemon *daemon;   /* NULL: closed */
    struct acceptor *acceptor;   /* lives until the daemon has ended */
    struct announcer *announcer; /* of trusted proxies' connections; NULL: they begin as all others */
    struct greeter *greeter;     /* NULL: connections come in clear */
    int is_operators;            /* boolean: their routes are there */
    int is_bounded;              /* boolean: an address may have so many connections and no more */
    int is_open;                 /* boolean: somebody may come in */
};

struct http {
    const struct service *service;
    struct door clients, operators;
    struct conns conns;
    struct certificates *certificates; /* owned; NULL: TLS is not asked for */
    atomic_ullong requests;            /* counted, for ids */
    atomic_int arriving; /* connections that libmicrohttpd was given and whose thread has not seen them yet */
};

/* Connections */

/* What libmicrohttpd is given as a connection's address, and gives back when the connection begins. */
struct arrival {
    struct sockaddr_storage address; /* first: it is read as an address, too */
    struct session *session;         /* NULL: it is in clear */
};

static struct session *session_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? ((const struct arrival *)(const void *)info->client_addr)->session : NULL;
}

/* What conns_add gave for the connection; NULL if it was refused. */
static struct conn *conn_of(void *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static int socket_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* libmicrohttpd's callback when a connection begins or ends: adds it to the connections or removes it. */
static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what) {
    struct door *door = cls;
    struct http *h = door->http;
    int opened = what == MHD_CONNECTION_NOTIFY_STARTED;
    metric_add(h->service->metrics, METRIC_CONNECTIONS, opened ? 1 : -1);
    if (opened) {
        struct session *session = session_of(connection);
        struct peer peer = identify_peer(connection, socket_of(connection), session);
        *context = conns_add(&h->conns, socket_of(connection), session, &peer, door->is_bounded);
        atomic_fetch_sub(&h->arriving, 1);
    } else {
        conns_remove(&h->conns, *context);
        acceptor_ended(door->acceptor);
    }
}

void http_tick(struct http *h) {
    conns_tick(&h->conns);
}

/* Requests */

/* What the listener asks of a request's names. */
static enum origin_rule rule_of(const struct listener *l) {
    if (l->port == 0)
        return ORIGIN_ANY; /* a unix socket */
    return l->is_local ? ORIGIN_LOOPBACK : ORIGIN_HOSTS;
}

/* libmicrohttpd's callback, for the head, each piece of the body, and the end of a request. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **context) {
    const struct door *door = cls;
    struct http *h = door->http;
    struct request *r = *context;
    (void)version;
    if (!r) {
        unsigned long long number = atomic_fetch_add_explicit(&h->requests, 1, memory_order_relaxed);
        r = *context = request_new(h->service, &h->conns, conn_of(connection), connection, socket_of(connection),
                                   method, url, door->is_operators, rule_of(&door->listener), number);
        if (!r)
            return MHD_NO;
        const char *expect = request_header(r, "Expect");
        return r->error == SM_OK || !expect || request_send(r) ? MHD_YES : MHD_NO;
    }
    if (*size) {
        *size -= request_add(r, data, *size);
        return MHD_YES;
    }
    return request_go_on(r) ? MHD_YES : MHD_NO;
}

/* libmicrohttpd's callback after the answer, or when the connection was lost: frees the request. */
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
    request_free(r);
    *context = NULL;
}

/* The server */

/* libmicrohttpd's messages go to the log. */
static void on_library_log(void *cls, const char *fmt, va_list ap) {
    char line[512];
    (void)cls;
    vsnprintf(line, sizeof line, fmt, ap);
    line[strcspn(line, "\n")] = 0;
    log_event(LOG_LEVEL_WARNING, "http", "{s:s}", "detail", line);
}

/* libmicrohttpd's callback for decoding: leaves the text as it is. Paths are matched as they came, and on_parameter
 * decodes queries. */
static size_t keep_encoded(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls;
    (void)connection;
    return strlen(text);
}

/* Hands the connection, and its session (may be NULL), to libmicrohttpd, which closes one that it refuses without
 * calling on_connection. */
static void hand_over(struct door *d, int fd, const struct sockaddr *address, socklen_t len, struct session *s) {
    struct arrival arrival = {.session = s};
    memcpy(&arrival.address, address, len);
    atomic_fetch_add(&d->http->arriving, 1);
    if (MHD_add_connection(d->daemon, fd, (struct sockaddr *)&arrival, sizeof arrival) == MHD_YES)
        return;
    atomic_fetch_sub(&d->http->arriving, 1);
    session_close(s);
    acceptor_ended(d->acceptor);
}

/* The greeter's callback: a connection by TLS stands, and its address counts it in on_connection from now on. */
static void on_greeted(void *arg, int fd, const struct sockaddr *address, socklen_t len, struct session *s) {
    struct door *d = arg;
    struct peer peer = identify_address(address);
    hand_over(d, fd, address, len, s);
    if (d->is_bounded)
        conns_leave(&d->http->conns, &peer);
}

/* The greeter's callback: the connection was closed. */
static void on_lost(void *arg, const struct sockaddr *address, socklen_t len) {
    struct door *d = arg;
    struct peer peer = identify_address(address);
    (void)len;
    if (d->is_bounded)
        conns_leave(&d->http->conns, &peer);
    acceptor_ended(d->acceptor);
}

/* Lets the greeter have a connection, unless its address has too many already. */
static void greet(struct door *d, int fd, const struct sockaddr *address, socklen_t len) {
    struct peer peer = identify_address(address);
    if (!d->is_bounded || conns_enter(&d->http->conns, &peer)) {
        greeter_add(d->greeter, fd, address, len);
        return;
    }
    close(fd);
    acceptor_ended(d->acceptor);
}

/* The announcer's callback: a connection begins, by TLS or in clear. */
static void come_in(void *arg, int fd, const struct sockaddr *address, socklen_t len) {
    struct door *d = arg;
    if (d->greeter)
        greet(d, fd, address, len);
    else
        hand_over(d, fd, address, len, NULL);
}

/* The announcer's callback: it has closed a connection. */
static void on_closed(void *arg) {
    acceptor_ended(((struct door *)arg)->acceptor);
}

/* The acceptor's callback. */
static void let_in(void *arg, int fd, const struct sockaddr *address, socklen_t len) {
    struct door *d = arg;
    if (d->announcer && identify_wants_announcement(address))
        announcer_add(d->announcer, fd, address, len);
    else
        come_in(d, fd, address, len);
}

/* Has connections of the door come by TLS. */
static sm_status guard_door(struct door *d, struct error *err) {
    const struct greeter_ends ends = {on_greeted, on_lost, d};
    d->greeter = greeter_start(d->http->certificates, d->http->service->settings, ends);
    return d->greeter ? SM_OK : error_set(err, SM_NOMEM, "no thread could be started");
}

/* Serves the connections of the door, whose socket listens. The acceptor bounds their number; libmicrohttpd counts
 * later and for each thread, and closes what is over its own bound, which is therefore a little larger. */
static sm_status open_door(struct door *d, unsigned threads, unsigned connections, int by_tls, struct error *err) {
    const struct settings *s = d->http->service->settings;
    sm_status guarded = by_tls ? guard_door(d, err) : SM_OK;
    if (guarded != SM_OK)
        return guarded;
    d->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, on_request, d, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL, MHD_OPTION_CONNECTION_LIMIT,
        connections + SPARE_CONNECTIONS * threads, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)s->idle_timeout_s + BACKSTOP_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, d, MHD_OPTION_NOTIFY_CONNECTION, on_connection, d,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, threads, MHD_OPTION_END);
    if (!d->daemon)
        return error_set(
            err, SM_IO, "the HTTP server did not start; are %u connections more than the limit of open files allows?",
            connections);
    d->acceptor = acceptor_new(d->listener.fd, connections, let_in, d);
    if (!d->acceptor)
        return error_set(err, SM_NOMEM, "out of memory");
    if (identify_has_announcements())
        d->announcer = announcer_new(connections, 1000 * s->request_timeout_s, come_in, on_closed, d);
    if (identify_has_announcements() && !d->announcer)
        return error_set(err, SM_NOMEM, "no thread could be started");
    d->is_open = acceptor_start(d->acceptor);
    return d->is_open ? SM_OK : error_set(err, SM_NOMEM, "no thread could be started");
}

/* Opens the door for clients, on a socket handed over or by the settings. */
static sm_status open_clients(struct http *h, struct error *err) {
    const struct settings *s = h->service->settings;
    struct door *d = &h->clients;
    *d = (struct door){.http = h, .is_bounded = 1};
    int is_given = listen_take_over(&d->listener);
    sm_status opened = is_given ? SM_OK : listen_open(s->listen, s->port, &d->listener, err);
    if (is_given && !listen_is(&d->listener, s->listen, s->port))
        log_event(LOG_LEVEL_WARNING, "listen_not_used", "{s:s, s:s, s:i}", "detail",
                  "the service manager has handed a socket over, which is on another address than the settings name",
                  "listen", s->listen, "port", s->port);
    int by_tls = h->certificates && d->listener.port;
    if (opened == SM_OK)
        opened = listen_check(&d->listener, s, "listen", by_tls, err);
    if (opened != SM_OK)
        return opened;
    d->is_operators = !s->admin_listen[0] && d->listener.is_local;
    if (!s->admin_listen[0] && !d->is_operators)
        log_event(LOG_LEVEL_WARNING, "operators_routes_closed", "{s:s}", "detail",
                  "/metrics, /v1/manifest and /v1/modules are served nowhere: set admin_listen");
    unsigned connections = (unsigned)(h->conns.room < s->connections ? h->conns.room : s->connections);
    return open_door(d, (unsigned)s->http_threads, connections, by_tls, err);
}

/* Opens the operators' door, if the settings name one: with its own thread and connections, so that probes are
 * answered whatever clients do. */
static sm_status open_operators(struct http *h, struct error *err) {
    const struct settings *s = h->service->settings;
    struct door *d = &h->operators;
    *d = (struct door){.http = h, .listener.fd = -1, .is_operators = 1};
    if (!s->admin_listen[0])
        return SM_OK;
    sm_status opened = listen_open_text(s->admin_listen, &d->listener, err);
    int by_tls = h->certificates && s->admin_tls && d->listener.port;
    if (opened == SM_OK)
        opened = listen_check(&d->listener, s, "admin_listen", by_tls, err);
    return opened == SM_OK ? open_door(d, 1, ADMIN_CONNECTIONS, by_tls, err) : opened;
}

/* Reads the certificates, if TLS is asked for. */
static sm_status read_certificates(struct http *h, struct error *err) {
    const struct settings *s = h->service->settings;
    if (!certificates_wanted(s))
        return SM_OK;
    h->certificates = certificates_new(s, err);
    return h->certificates ? SM_OK : SM_INVALID_OPTION;
}

struct http *http_start(const struct service *service, struct error *err) {
    struct http *h = calloc(1, sizeof *h);
    if (!h) {
        error_set(err, SM_NOMEM, "out of memory");
        return NULL;
    }
    h->service = service;
    h->clients.listener.fd = h->operators.listener.fd = -1;
    conns_init(&h->conns, service->settings, service->budget, process_room(service->settings->workers));
    if (identify_start(service->settings->trusted_proxies, service->settings->client_from, err) == SM_OK &&
        read_certificates(h, err) == SM_OK && open_operators(h, err) == SM_OK && open_clients(h, err) == SM_OK)
        return h;
    http_stop(h);
    return NULL;
}

int http_has_tls(const struct http *h) {
    return h->certificates != NULL;
}

sm_status http_reload(struct http *h, struct error *err) {
    return certificates_reload(h->certificates, h->service->settings, err);
}

int http_port(const struct http *h) {
    return h->clients.listener.port;
}

int http_admin_port(const struct http *h) {
    return h->operators.listener.port;
}

/* Stops accepting; those that have connected before are still let in. A socket that a service manager holds as well
 * stays open: the next smd takes the connections that wait there. */
static void stop_listening(struct door *d) {
    if (!d->is_open)
        return;
    d->is_open = 0;
    acceptor_stop(d->acceptor, !d->listener.is_shared);
    if (!d->listener.is_shared)
        shutdown(d->listener.fd, SHUT_RDWR);
}

/* 1 if there is a request, or a connection that may have sent one. Where a request comes from is looked at before where
 * it goes, as its thread may move it meanwhile. */
static int has_requests(struct http *h) {
    if (h->clients.greeter && greeter_busy(h->clients.greeter) > 0)
        return 1;
    return atomic_load(&h->arriving) > 0 || conns_unread(&h->conns) > 0 ||
           metric_get(h->service->metrics, METRIC_REQUESTS_ACTIVE) > 0;
}

/* Waits at most TIMEOUT_NS until there has been no request for QUIET_NS, so that a client that was let in last has had
 * time to send one. What it has sent is waited for, however late a busy machine comes to read it. Gives how many
 * requests are left. */
static int await_end(struct http *h, uint64_t timeout_ns) {
    enum { QUIET_NS = 50000000 };
    uint64_t begun = sm_clock_ns(), busy = begun;
    for (;;) {
        uint64_t now = sm_clock_ns();
        if (has_requests(h))
            busy = now;
        if (now >= begun + timeout_ns || now >= busy + QUIET_NS)
            break;
        http_tick(h);
        usleep(2000);
    }
    return (int)metric_get(h->service->metrics, METRIC_REQUESTS_ACTIVE);
}

int http_drain(struct http *h, int timeout_s) {
    stop_listening(&h->clients);
    conns_hasten(&h->conns);
    return await_end(h, (uint64_t)timeout_s * 1000000000u);
}

void http_cut(struct http *h) {
    enum { ANSWERS_NS = 300000000, END_S = 5 };
    stop_listening(&h->clients);
    conns_shut(&h->conns, CONN_BODY);
    if (await_end(h, ANSWERS_NS))
        conns_shut(&h->conns, CONN_LATE);
    await_end(h, (uint64_t)END_S * 1000000000u);
}

/* Closes the door and frees what it has. */
static void close_door(struct door *d) {
    stop_listening(d);
    announcer_free(d->announcer);
    greeter_stop(d->greeter);
    if (d->daemon)
        MHD_stop_daemon(d->daemon);
    acceptor_free(d->acceptor);
    if (d->listener.fd >= 0)
        close(d->listener.fd);
    if (d->listener.unix_path[0])
        unlink(d->listener.unix_path);
}

void http_stop(struct http *h) {
    close_door(&h->clients);
    close_door(&h->operators);
    conns_end(&h->conns);
    certificates_free(h->certificates);
    identify_end();
    free(h);
}
