/* transfer.c - see transfer.h. */
#include "transfer.h"

#include "error.h"
#include "server.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SPARE = 64 }; /* easy handles that are kept for the next transfer */

struct transport {
    const sm_client_options *options;
    const char *token_header; /* owned; NULL if there is no token */
    CURLM *multi;
    CURL *spare[SPARE];
    size_t spares;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_curl(void) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

struct transport *transport_new(const sm_client_options *o, sm_error *err) {
    pthread_once(&once, init_curl);
    struct transport *w = calloc(1, sizeof *w);
    CURLM *multi = w ? curl_multi_init() : NULL;
    char *header = NULL;
    if (multi && o->token && asprintf(&header, "Authorization: Bearer %s", o->token) < 0)
        header = NULL;
    /* without descriptors libcurl makes one that nobody can wake, and says so only then */
    int can_wake = multi && curl_multi_wakeup(multi) == CURLM_OK;
    if (!can_wake || (o->token && !header)) {
        if (multi)
            curl_multi_cleanup(multi);
        free(header);
        free(w);
        fail(err, SM_ERR_NO_MEMORY, "Out of memory or descriptors: no room for a client");
        return NULL;
    }
    w->options = o;
    w->multi = multi;
    w->token_header = header;
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)o->connections);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)o->connections);
    return w;
}

void transport_free(struct transport *w) {
    if (!w)
        return;
    while (w->spares)
        curl_easy_cleanup(w->spare[--w->spares]);
    curl_multi_cleanup(w->multi);
    free((char *)w->token_header);
    free(w);
}

/* ---- The answer as it comes --------------------------------------------------------------------------------- */

/* curl's callback for bytes of the body: appends them; 0, which ends the transfer, if they do not fit. */
static size_t take_body(char *data, size_t size, size_t n, void *arg) {
    struct transfer *x = arg;
    return sm_buf_put(&x->body, data, size * n) == SM_OK ? size * n : 0;
}

/* 1 if the line is the header NAME; then VALUE is its value without blanks around it, cut to fit. */
static int is_header(const char *line, size_t len, const char *name, char *value, size_t room) {
    size_t n = strlen(name);
    if (len <= n || line[n] != ':' || strncasecmp(line, name, n) != 0)
        return 0;
    for (n++; n < len && (line[n] == ' ' || line[n] == '\t'); n++)
        ;
    while (len > n && (line[len - 1] == '\n' || line[len - 1] == '\r' || line[len - 1] == ' '))
        len--;
    size_t copied = len - n < room ? len - n : room - 1;
    memcpy(value, line + n, copied);
    value[copied] = 0;
    return 1;
}

/* curl's callback for each header: keeps those that the client reads. */
static size_t take_header(char *line, size_t size, size_t n, void *arg) {
    struct transfer *x = arg;
    char value[32];
    size_t len = size * n;
    if (is_header(line, len, "Retry-After", value, sizeof value)) {
        unsigned long s = strtoul(value, NULL, 10);
        x->retry_after_ms = s < 86400 ? (uint32_t)s * 1000 : 86400000;
    } else if (is_header(line, len, "X-Smd-Key", x->key, sizeof x->key) ||
               is_header(line, len, "X-Smd-Cache", x->cache, sizeof x->cache) ||
               is_header(line, len, "X-Smd-Signature", x->signature, sizeof x->signature) ||
               is_header(line, len, "X-Smd-Tiers", x->tiers, sizeof x->tiers)) {
        return len;
    } else if (is_header(line, len, "Content-Type", x->type, sizeof x->type)) {
        x->type[strcspn(x->type, "; ")] = 0;
    }
    return len;
}

/* ---- The request ------------------------------------------------------------------------------------------- */

/* Adds a header line to the request. 0 if out of memory. */
static int add_line(struct transfer *x, const char *line) {
    struct curl_slist *longer = curl_slist_append(x->headers, line);
    x->headers = longer ? longer : x->headers;
    return longer != NULL;
}

/* Adds a header to the request. 0 if out of memory. */
static int add_header(struct transfer *x, const char *name, const char *value) {
    char line[256];
    snprintf(line, sizeof line, "%s: %s", name, value);
    return add_line(x, line);
}

/* Sets an option of curl's, which copies texts. 0 if out of memory. */
#define SET(easy, option, value) (curl_easy_setopt(easy, option, value) == CURLE_OK)

/* Adds the request's headers. 0 if out of memory: a request that lacks a header would say something else. */
static int set_headers(struct transport *w, struct transfer *x, const struct http_request *q) {
    int ok = add_header(x, "Accept", q->accept);
    if (q->body) {
        ok &= add_header(x, "Content-Type", q->type ? q->type : "application/octet-stream");
        ok &= add_header(x, "Expect", ""); /* no round trip before the body */
    }
    if (q->encoding)
        ok &= add_header(x, "Content-Encoding", q->encoding);
    if (q->key)
        ok &= add_header(x, "X-Smd-Key", q->key);
    if (q->traceparent)
        ok &= add_header(x, "traceparent", q->traceparent);
    if (w->token_header)
        ok &= add_line(x, w->token_header);
    return ok && SET(x->easy, CURLOPT_HTTPHEADER, x->headers);
}

/* Sets the certificates for TLS. 0 if out of memory: others would be trusted then. */
static int set_security(const struct transport *w, CURL *e) {
    const sm_client_options *o = w->options;
    int ok = 1;
    if (o->ca_file) {
        ok &= SET(e, CURLOPT_CAINFO, o->ca_file);
        curl_easy_setopt(e, CURLOPT_CAPATH, NULL); /* libcurl's own folder of authorities: they are not in the file */
    }
    if (o->cert_file)
        ok &= SET(e, CURLOPT_SSLCERT, o->cert_file);
    if (o->key_file)
        ok &= SET(e, CURLOPT_SSLKEY, o->key_file);
    return ok;
}

/* curl's callback that opens a socket; notes why it cannot, as curl would only call the server unreachable. */
static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *address) {
    struct transfer *x = arg;
    (void)purpose;
    int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    x->refused = fd < 0 && errno != EAFNOSUPPORT ? errno : 0;
    return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/* EMFILE if the process can open no more descriptors, else 0. For failures without an error number, as when a name
 * is looked up. */
static int out_of_descriptors(void) {
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    int refused = fd < 0 && errno == EMFILE ? EMFILE : 0;
    if (fd >= 0)
        close(fd);
    return refused;
}

/* Sets all of a transfer's curl options but its URL. 0 if out of memory: it would go elsewhere then, or say something else. */
static int set_request(struct transport *w, struct transfer *x, const struct http_request *q) {
    CURL *e = x->easy;
    int ok = 1;
    ok &= SET(e, CURLOPT_PRIVATE, x);
    ok &= SET(e, CURLOPT_PROTOCOLS_STR, "http,https");
    ok &= SET(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    ok &= SET(e, CURLOPT_USERAGENT, "libsmclient/" SMD_VERSION);
    ok &= SET(e, CURLOPT_NOSIGNAL, 1L);
    ok &= SET(e, CURLOPT_CONNECTTIMEOUT_MS, (long)w->options->connect_ms);
    ok &= SET(e, CURLOPT_TIMEOUT_MS, (long)(q->timeout_ms ? q->timeout_ms : 1));
    ok &= SET(e, CURLOPT_UNIX_SOCKET_PATH, q->server->socket);
    if (q->server->is_near)
        ok &= SET(e, CURLOPT_PROXY, "");
    if (q->body) {
        ok &= SET(e, CURLOPT_POST, 1L);
        ok &= SET(e, CURLOPT_POSTFIELDS, q->body);
        ok &= SET(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body_len);
    }
    ok &= SET(e, CURLOPT_WRITEFUNCTION, take_body);
    ok &= SET(e, CURLOPT_WRITEDATA, x);
    ok &= SET(e, CURLOPT_HEADERFUNCTION, take_header);
    ok &= SET(e, CURLOPT_HEADERDATA, x);
    ok &= SET(e, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    ok &= SET(e, CURLOPT_OPENSOCKETDATA, x);
    return ok && set_security(w, e) && set_headers(w, x, q);
}

struct transfer *transport_begin(struct transport *w, const struct http_request *q, void *owner) {
    char *url = NULL;
    int ok = 0;
    struct transfer *x = calloc(1, sizeof *x);
    CURL *easy = w->spares ? w->spare[--w->spares] : curl_easy_init();
    if (asprintf(&url, "%s%s", q->server->url, q->path) < 0)
        url = NULL;
    if (x && easy && url) {
        x->owner = owner;
        x->easy = easy;
        sm_buf_init(&x->body, w->options->answer_max);
        ok = SET(easy, CURLOPT_URL, url) && set_request(w, x, q) && curl_multi_add_handle(w->multi, easy) == CURLM_OK;
    }
    free(url);
    if (!ok) {
        if (x)
            curl_slist_free_all(x->headers);
        if (easy)
            curl_easy_cleanup(easy);
        free(x);
        return NULL;
    }
    return x;
}

/* ---- Waiting ------------------------------------------------------------------------------------------------ */

void transport_wait(struct transport *w, uint64_t timeout_ms) {
    enum { LONGEST = 60000 };
    int running;
    curl_multi_poll(w->multi, NULL, 0, timeout_ms < LONGEST ? (int)timeout_ms : LONGEST, NULL);
    curl_multi_perform(w->multi, &running);
}

void transport_wake(struct transport *w) {
    curl_multi_wakeup(w->multi);
}

/* Says why there is no answer, by curl's result, or that there is one. */
static enum ending classify_ending(const struct transfer *x, CURLcode code) {
    switch (code) {
    case CURLE_OK:
        return ENDED_ANSWERED;
    case CURLE_OPERATION_TIMEDOUT: {
        curl_off_t began = 0; /* when the request did; on a connection that stood already, too */
        curl_easy_getinfo(x->easy, CURLINFO_PRETRANSFER_TIME_T, &began);
        return began > 0 ? ENDED_LATE : ENDED_UNREACHABLE;
    }
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_CRL_BADFILE:
        return ENDED_INSECURE;
    case CURLE_OUT_OF_MEMORY:
        return ENDED_NO_MEMORY;
    case CURLE_WRITE_ERROR:
        return x->body.status == SM_TOO_LARGE ? ENDED_TOO_LARGE : ENDED_NO_MEMORY;
    default:
        return ENDED_UNREACHABLE;
    }
}

/* Notes how many bytes were sent and received. */
static void note_sizes(struct transfer *x) {
    curl_off_t sent = 0, received = 0;
    curl_easy_getinfo(x->easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    curl_easy_getinfo(x->easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
    x->sent = (uint64_t)sent;
    x->received = (uint64_t)received;
}

struct transfer *transport_next_ended(struct transport *w) {
    int left;
    for (CURLMsg *m; (m = curl_multi_info_read(w->multi, &left)) != NULL;) {
        struct transfer *x = NULL;
        long http = 0;
        if (m->msg != CURLMSG_DONE)
            continue;
        CURLcode code = m->data.result; /* the message goes with the handle */
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&x);
        curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &http);
        x->ending = classify_ending(x, code);
        if (x->ending == ENDED_UNREACHABLE && !x->refused)
            x->refused = out_of_descriptors();
        if (x->ending == ENDED_UNREACHABLE && x->refused)
            x->ending = ENDED_SELF;
        x->http = (int)http;
        note_sizes(x);
        snprintf(x->message, sizeof x->message, "%s",
                 x->ending == ENDED_SELF ? strerror(x->refused) : curl_easy_strerror(code));
        return x;
    }
    return NULL;
}

void transfer_free(struct transport *w, struct transfer *x) {
    if (!x)
        return;
    curl_multi_remove_handle(w->multi, x->easy);
    curl_slist_free_all(x->headers);
    if (w->spares < SPARE) {
        curl_easy_reset(x->easy);
        w->spare[w->spares++] = x->easy;
    } else {
        curl_easy_cleanup(x->easy);
    }
    sm_buf_free(&x->body);
    free(x);
}
