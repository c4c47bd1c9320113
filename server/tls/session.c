/* session.c - see session.h. */
#include "session.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

/* AES-128 first: it is as safe as this needs, and the fastest. */
#define PRIORITY                                                                                                     \
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-128-GCM:"        \
    "+CHACHA20-POLY1305:+AES-256-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"

enum { HANDSHAKE_MAX = 32 << 10 }; /* bytes of one of the client's messages: a chain of certificates */

struct session {
    gnutls_session_t tls;
    struct credentials *credentials; /* a reference */
    int socket;
    int is_dry;          /* boolean: the socket had no more bytes when it was last asked */
    int has_certificate; /* boolean */
    unsigned char certificate[32];
    pthread_mutex_t sending;
};

static gnutls_priority_t priority; /* set once; NULL if out of memory */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_priority(void) {
    if (gnutls_priority_init(&priority, PRIORITY, NULL) < 0)
        priority = NULL;
}

/* GnuTLS's way to the socket. Not recv(2) and send(2), which are the gate's in this program (gate.h). */
static ssize_t pull(gnutls_transport_ptr_t arg, void *to, size_t size) {
    struct session *s = arg;
    ssize_t n = recvfrom(s->socket, to, size, 0, NULL, NULL);
    s->is_dry = n < 0 && errno == EAGAIN;
    return n;
}

static ssize_t push(gnutls_transport_ptr_t arg, const void *from, size_t len) {
    const struct session *s = arg;
    return sendto(s->socket, from, len, MSG_NOSIGNAL, NULL, 0);
}

/* Has the client asked for its certificate, which has to be for clients and of the authority. */
static void ask_client(struct session *s) {
    static gnutls_typed_vdata_st purpose = {.type = GNUTLS_DT_KEY_PURPOSE_OID,
                                            .data = (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT};
    gnutls_certificate_server_set_request(s->tls, GNUTLS_CERT_REQUIRE);
    gnutls_session_set_verify_cert2(s->tls, &purpose, 1, 0);
}

/* Sets what the session may use. 0 on failure. */
static int set_up(struct session *s) {
    struct credentials *c = s->credentials;
    const gnutls_datum_t http = {(unsigned char *)"http/1.1", 8}, ticket_key = {c->ticket_key, c->ticket_key_len};
    if (!priority || gnutls_priority_set(s->tls, priority) < 0 ||
        gnutls_credentials_set(s->tls, GNUTLS_CRD_CERTIFICATE, c->x509) < 0 ||
        gnutls_alpn_set_protocols(s->tls, &http, 1, GNUTLS_ALPN_MANDATORY) < 0)
        return 0;
    if (c->ticket_key && gnutls_session_ticket_enable_server(s->tls, &ticket_key) < 0)
        return 0;
    gnutls_handshake_set_max_packet_length(s->tls, HANDSHAKE_MAX);
    gnutls_transport_set_ptr(s->tls, s);
    gnutls_transport_set_pull_function(s->tls, pull);
    gnutls_transport_set_push_function(s->tls, push);
    if (c->asks_client)
        ask_client(s);
    return 1;
}

struct session *session_open(struct certificates *c, int socket) {
    struct session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    pthread_once(&once, make_priority);
    pthread_mutex_init(&s->sending, NULL);
    s->socket = socket;
    s->credentials = credentials_now(c);
    if (gnutls_init(&s->tls, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) >= 0 && set_up(s))
        return s;
    session_close(s);
    return NULL;
}

void session_close(struct session *s) {
    if (!s)
        return;
    if (s->tls)
        gnutls_deinit(s->tls);
    credentials_unref(s->credentials);
    pthread_mutex_destroy(&s->sending);
    free(s);
}

/* Notes the client's certificate. */
static void note_certificate(struct session *s) {
    unsigned count = 0;
    size_t size = sizeof s->certificate;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(s->tls, &count);
    s->has_certificate =
        chain && count && gnutls_fingerprint(GNUTLS_DIG_SHA256, &chain[0], s->certificate, &size) == GNUTLS_E_SUCCESS;
}

const unsigned char *session_certificate(const struct session *s) {
    return s->has_certificate ? s->certificate : NULL;
}

enum session_step session_shake(struct session *s, struct error *err) {
    int code = gnutls_handshake(s->tls);
    if (code == GNUTLS_E_SUCCESS) {
        note_certificate(s);
        return SESSION_STANDS;
    }
    if (!gnutls_error_is_fatal(code))
        return gnutls_record_get_direction(s->tls) ? SESSION_WANTS_WRITE : SESSION_WANTS_READ;
    gnutls_alert_send_appropriate(s->tls, code);
    error_set(err, SM_BAD_REQUEST, "%s", gnutls_strerror(code));
    return SESSION_FAILED;
}

/* Receives a record's bytes. GnuTLS says "again" after a message of its own, too, as a change of keys: there may be more
 * then, and nobody would wait for bytes that are there. */
static ssize_t receive_record(struct session *s, void *to, size_t size) {
    enum { MESSAGES = 16 };
    ssize_t n = GNUTLS_E_AGAIN;
    s->is_dry = 0;
    for (int i = 0; i < MESSAGES && n == GNUTLS_E_AGAIN && !s->is_dry; i++)
        n = gnutls_record_recv(s->tls, to, size);
    return n == GNUTLS_E_AGAIN && !s->is_dry ? GNUTLS_E_PULL_ERROR : n;
}

ssize_t session_receive(struct session *s, void *to, size_t size) {
    ssize_t n = receive_record(s, to, size);
    if (n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED) {
        errno = EAGAIN;
        return -1;
    }
    if (n < 0 && n != GNUTLS_E_PREMATURE_TERMINATION) { /* also a new handshake, which nobody needs */
        errno = ECONNRESET;
        return -1;
    }
    return n < 0 ? 0 : n;
}

/* Sends all that the socket takes: whoever waits for it to take more sees only that it has become so. Under the lock. */
static ssize_t send_records(struct session *s, const unsigned char *from, size_t len) {
    size_t sent = 0;
    ssize_t n = 0;
    while (sent < len) {
        n = gnutls_record_send(s->tls, from + sent, len - sent);
        if (n < 0)
            break;
        sent += (size_t)n;
    }
    if (sent || n >= 0)
        return (ssize_t)sent;
    errno = n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED ? EAGAIN : EPIPE;
    return -1;
}

ssize_t session_send(struct session *s, const void *from, size_t len) {
    pthread_mutex_lock(&s->sending);
    ssize_t n = send_records(s, from, len);
    pthread_mutex_unlock(&s->sending);
    return n;
}

void session_end(struct session *s) {
    pthread_mutex_lock(&s->sending);
    gnutls_bye(s->tls, GNUTLS_SHUT_WR);
    pthread_mutex_unlock(&s->sending);
}

int session_has_closed(const struct session *s) {
    enum { HEAD = 5, ALERT = 21, DATA = 23, ALERT_AND_TAG = 19, MOST = 64 };
    unsigned char bytes[MOST];
    struct pollfd p = {.fd = s->socket, .events = POLLRDHUP};
    if (poll(&p, 1, 0) <= 0)
        return 0;
    ssize_t n = recvfrom(s->socket, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT, NULL, NULL);
    if (n < HEAD)
        return n == 0;
    int len = bytes[3] << 8 | bytes[4];
    int is_goodbye = bytes[0] == ALERT || (bytes[0] == DATA && len == ALERT_AND_TAG);
    return is_goodbye && n == HEAD + len;
}
