/* memory_test.c - what clients can make the daemon hold: under the settings of every day, whatever one client or fifty
 * send to all routes at once, it stays within them, and answers others meanwhile. */
#include "authority.h"
#include "http.h"
#include "processes.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <gnutls/gnutls.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { CACHE_MIB = 256, QUEUE_MIB = 512, ANSWERS_MIB = 512, BESIDE_MIB = 128, ATTACKERS = 60, KINDS = 12 };
enum { SILENT_MS = 10000 }; /* whoever answers nothing for so long is taken for dead, on any machine */

static struct daemon d;

/* ---- What they send ------------------------------------------------------------------------------------------- */

static struct bytes comments, bomb, gzip, window, keys, form, operators, *batch;
static char artifact[96];

static struct bytes compressed(struct bytes in, int level, int window_log) {
    struct bytes out = {malloc(ZSTD_compressBound(in.len)), 0};
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0);
    ZSTD_inBuffer from = {in.data, in.len, 0};
    ZSTD_outBuffer to = {out.data, ZSTD_compressBound(in.len), 0};
    cr_assert_eq(ZSTD_compressStream2(c, &to, &from, ZSTD_e_end), 0u);
    ZSTD_freeCCtx(c);
    out.len = to.pos;
    return out;
}

/* By gzip: what inflates to nearly as much as is let through. */
static struct bytes gzipped(struct bytes in) {
    struct bytes out = {malloc(in.len), in.len};
    z_stream z = {.next_in = in.data, .avail_in = (uInt)in.len, .next_out = out.data, .avail_out = (uInt)out.len};
    cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.len -= z.avail_out;
    deflateEnd(&z);
    return out;
}

/* A batch of modules whose objects have megabytes, of the attacker of this number. */
static struct bytes make_batch(int number) {
    enum { ITEMS = 6, SIZE = 4096 };
    struct bytes b = {malloc(SIZE), 0};
    b.len += (size_t)snprintf((char *)b.data, SIZE, "[");
    for (int i = 0; i < ITEMS; i++)
        b.len += (size_t)snprintf((char *)b.data + b.len, SIZE - b.len,
                                  "%s{\"ir\":\"@x%d = constant [3000000 x i8] zeroinitializer\","
                                  "\"options\":{\"name\":\"b%d\",\"opt\":0,\"deadline_ms\":2000}}",
                                  i ? "," : "", number, i);
    b.len += (size_t)snprintf((char *)b.data + b.len, SIZE - b.len, "]");
    return b;
}

static void make_bodies(void) {
    static const char begin[] = "{\"ir\":\"", end[] = "\"}";
    struct bytes zeros = repeat(";;;;;;;;;;;;;;;\n", 48 << 16), random = {malloc(34 << 20), 34 << 20};
    comments = repeat("; a comment of a module\n", 1 << 20);
    unsigned x = 1;
    for (size_t i = 0; i < random.len; i++)
        random.data[i] = i % 512 ? ';' : (unsigned char)((x = x * 1103515245 + 12345) >> 24);
    bomb = compressed(zeros, 1, 25);
    gzip = gzipped(random);
    window = compressed(random, 1, 25);
    window.len -= window.len / 8; /* it never ends */
    keys = repeat("[[],{},", 64 << 10);
    form = repeat("; a comment in a form   ", 200 << 10);
    memcpy(form.data, begin, sizeof begin - 1);
    memcpy(form.data + form.len - (sizeof end - 1), end, sizeof end - 1);
    operators = repeat("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
                       "GET /v1/history HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
                       "GET /v1/manifest HTTP/1.1\r\nHost: localhost\r\n\r\n",
                       40);
    bytes_free(zeros);
    bytes_free(random);
    batch = calloc(ATTACKERS, sizeof *batch);
    for (int i = 0; i < ATTACKERS; i++)
        batch[i] = make_batch(i);
}

static void free_bodies(void) {
    for (int i = 0; i < ATTACKERS; i++)
        bytes_free(batch[i]);
    free(batch);
    bytes_free(comments);
    bytes_free(bomb);
    bytes_free(window);
    bytes_free(keys);
    bytes_free(gzip);
    bytes_free(form);
    bytes_free(operators);
}

/* ---- Who sends it ----------------------------------------------------------------------------------------------- */

struct attacker {
    pthread_t thread;
    int number, client; /* the client's, as which it comes; -1: the one that all are */
    int fd, http;
    gnutls_session_t tls; /* NULL: in clear */
    int is_stuck;         /* boolean: its request never ends */
};

static gnutls_certificate_credentials_t anybody; /* of clients by TLS; NULL: the daemon speaks in clear */

static int connect_unix(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(to.sun_path, d.socket, sizeof to.sun_path);
    cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Begins TLS on a connection. *new* */
static gnutls_session_t greet(int fd) {
    static const gnutls_datum_t http = {(unsigned char *)"http/1.1", 8};
    gnutls_session_t tls;
    int e;
    cr_assert_eq(gnutls_init(&tls, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL), 0);
    gnutls_set_default_priority(tls);
    gnutls_credentials_set(tls, GNUTLS_CRD_CERTIFICATE, anybody);
    gnutls_alpn_set_protocols(tls, &http, 1, 0);
    gnutls_handshake_set_timeout(tls, GNUTLS_INDEFINITE_TIMEOUT);
    gnutls_transport_set_int(tls, fd);
    while ((e = gnutls_handshake(tls)) < 0)
        cr_assert_not(gnutls_error_is_fatal(e), "%s", gnutls_strerror(e));
    return tls;
}

/* Connects as a client of its own, or with others as one (the client is negative). */
static void connect_slow_reader(struct attacker *a) {
    char address[32];
    int small = 4096;
    snprintf(address, sizeof address, "127.0.1.%d", a->client + 1);
    a->fd = d.socket[0] ? connect_unix() : daemon_connect_from(&d, a->client < 0 ? "127.0.0.1" : address);
    setsockopt(a->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small); /* or the kernel would hold much of the answer */
    a->tls = anybody ? greet(a->fd) : NULL;
}

static void disconnect(struct attacker *a) {
    if (a->tls)
        gnutls_deinit(a->tls);
    close(a->fd);
}

static void send_all(struct attacker *a, const void *bytes, size_t len) {
    const char *at = bytes;
    for (ssize_t n = 1; len && n > 0; at += n, len -= (size_t)n)
        if ((n = a->tls ? gnutls_record_send(a->tls, at, len) : send(a->fd, at, len, MSG_NOSIGNAL)) < 0)
            return; /* it has been refused */
}

/* Reads LEN bytes; 0 if there are not so many. */
static int read_all(struct attacker *a, char *to, size_t len) {
    for (ssize_t n; len; to += n, len -= (size_t)n) {
        do
            n = a->tls ? gnutls_record_recv(a->tls, to, len) : recv(a->fd, to, len, 0);
        while (a->tls && n == GNUTLS_E_AGAIN); /* a ticket has come */
        if (n <= 0)
            return 0;
    }
    return 1;
}

/* Sends a request whose header says LENGTH bytes, and BODY. */
static void send_request(struct attacker *a, const char *line, const char *headers, struct bytes body,
                         size_t length) {
    char head[512];
    int n = snprintf(head, sizeof head, "%s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %zu\r\n\r\n", line,
                     headers, length);
    send_all(a, head, (size_t)n);
    send_all(a, body.data, body.len);
}

/* Sends its request, reads the status and not a byte more, and keeps the connection. */
static void *attack(void *arg) {
    static const char json[] = "Content-Type: application/json\r\n", zstd[] = "Content-Encoding: zstd\r\n";
    struct attacker *a = arg;
    char status[14] = "", line[200];
    int what = a->number % KINDS;
    connect_slow_reader(a);
    snprintf(line, sizeof line, "POST /v1/jobs?name=n%d&opt=0&deadline_ms=2000", a->number);
    if (what < 2) {
        send_request(a, line, "", comments, comments.len);
    } else if (what == 2) {
        snprintf(line, sizeof line, "POST /v1/compile?tiers=0,1,2,3&deadline_ms=2000&name=t%d", a->number);
        send_request(a, line, "", comments, comments.len);
    } else if (what == 3) {
        send_request(a, "POST /v1/batch", json, batch[a->number], batch[a->number].len);
    } else if (what == 4) {
        send_request(a, line, zstd, bomb, bomb.len);
    } else if (what == 5) { /* its body never comes whole */
        a->is_stuck = 1;
        send_request(a, line, zstd, window, 2 * window.len);
        return NULL;
    } else if (what == 6) {
        snprintf(line, sizeof line, "GET %s", artifact);
        send_request(a, line, "", (struct bytes){0}, 0);
    } else if (what == 7) {
        send_request(a, "POST /v1/artifacts/find-missing", json, keys, keys.len);
    } else if (what == 8) {
        send_request(a, line, "Content-Encoding: gzip\r\n", gzip, gzip.len);
    } else if (what == 9) {
        send_request(a, line, json, form, form.len);
    } else if (what == 10) {
        send_request(a, "POST /v1/stackmap", "", comments, comments.len);
    } else { /* one after the other, of which the first answer is read */
        send_all(a, operators.data, operators.len);
    }
    a->http = read_all(a, status, 13) ? atoi(status + 9) : 0;
    return NULL;
}

/* ---- Who is not to notice ------------------------------------------------------------------------------------- */

static atomic_int is_over, lives, lives_while_held;
static double longest_ms; /* the watcher's own */

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Asks whether the daemon lives, and what it holds, all the time. */
static void *watch(void *arg) {
    (void)arg;
    while (!atomic_load(&is_over)) {
        double before = milliseconds();
        struct answer a = get(&d, "/livez");
        double took = milliseconds() - before;
        cr_assert_eq(a.http, 200);
        cr_assert_lt(took, SILENT_MS);
        answer_free(a);
        longest_ms = took > longest_ms ? took : longest_ms;
        atomic_fetch_add(&lives, 1);
        if (metric(&d, "smd_body_bytes") > (long)64 << 20)
            atomic_fetch_add(&lives_while_held, 1);
    }
    return NULL;
}

/* Another client's small compile. */
static void compiles_for_another(int number) {
    char text[100];
    snprintf(text, sizeof text, "define i32 @f() {\n  ret i32 %d\n}\n", number);
    struct answer a =
        ask(&d, (struct ask){.path = "/v1/compile", .body = text, .len = strlen(text), .from = "127.0.2.1"});
    cr_assert_eq(a.http, 200, "%d: %s", a.http, (char *)a.body.data);
    answer_free(a);
}

static int holds_much(void *arg) {
    (void)arg;
    return metric(&d, "smd_body_bytes") > (long)64 << 20;
}

static long peak_mib(void) {
    long kib = process_kib(d.pid, "VmHWM");
    cr_assert_gt(kib, 0, "the daemon is gone");
    return kib >> 10;
}

static int holds_nothing(void *arg) {
    (void)arg;
    return metric(&d, "smd_body_bytes") == 0 && metric(&d, "smd_answer_bytes") == 0;
}

static int is_one_of(int http) {
    static const int fine[] = {200, 202, 400, 413, 422, 429, 503, 504};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (http == fine[i])
            return 1;
    return 0;
}

/* The daemon drains, and has no byte left in its account. */
static void daemon_ends_with_nothing(void) {
    kill(d.pid, SIGTERM);
    cr_expect_eq(daemon_wait(&d), 0);
    struct bytes log = daemon_log(&d);
    cr_expect_not_null(strstr((char *)log.data, "\"stopped\""));
    cr_expect_null(strstr((char *)log.data, "bytes_not_given_back"));
    bytes_free(log);
    daemon_stop(&d);
}

/* All attackers at once, as one client or each as one of its own. */
static void withstands(int are_many) {
    static struct attacker all[ATTACKERS];
    pthread_t watcher;
    memset(all, 0, sizeof all);
    longest_ms = 0;
    atomic_store(&is_over, 0);
    atomic_store(&lives, 0);
    atomic_store(&lives_while_held, 0);
    pthread_create(&watcher, NULL, watch, NULL);
    for (int i = 0; i < ATTACKERS; i++) {
        all[i].number = i;
        all[i].client = are_many ? i : -1;
        pthread_create(&all[i].thread, NULL, attack, &all[i]);
    }
    await(holds_much, NULL, 60, "bodies to be held");
    for (int i = 0; i < 5; i++)
        compiles_for_another(i + 100 * are_many);
    for (int i = 0; i < ATTACKERS; i++)
        pthread_join(all[i].thread, NULL);
    compiles_for_another(50 + 100 * are_many);
    atomic_store(&is_over, 1);
    pthread_join(watcher, NULL);
    for (int i = 0; i < ATTACKERS; i++) {
        cr_expect(all[i].is_stuck || is_one_of(all[i].http), "%d: %d", i, all[i].http);
        disconnect(&all[i]);
    }
    printf("[figures] memory, %s: peak %ld MiB; %d answers of /livez, %d of them while much was held, the slowest "
           "after %.1f ms\n",
           are_many ? "fifty clients" : "one client", peak_mib(), atomic_load(&lives), atomic_load(&lives_while_held),
           longest_ms);
    cr_expect_gt(atomic_load(&lives_while_held), 0);
    await(holds_nothing, NULL, 60, "all to be given back");
}

/* The daemon by these flags; clients come by unix socket if SOCKET is one, or else to URL. */
static struct daemon start(const char *const *flags, const char *url, const char *socket_path) {
    struct daemon it = daemon_start(flags);
    snprintf(it.socket, sizeof it.socket, "%s", socket_path);
    if (url)
        snprintf(it.url, sizeof it.url, "%s:%d", url, it.port);
    return it;
}

/* What a daemon that listens as these flags say holds at most. */
static void stays_within(const char *folder, const char *const *listens, const char *url, const char *socket_path) {
    const char *flags[16] = {"--cache-memory-mib", "256", "--cache-dir", folder};
    for (int i = 0; listens[i]; i++)
        flags[4 + i] = listens[i];
    make_bodies();
    d = start(flags, url, socket_path);
    struct answer a = post(&d, "/v1/compile?opt=0", "@x = constant [9000000 x i8] zeroinitializer\n");
    cr_assert_eq(a.http, 200);
    char *key = answer_header(&a, "X-Smd-Key");
    snprintf(artifact, sizeof artifact, "/v1/artifacts/%s", key);
    free(key);
    answer_free(a);
    daemon_stop(&d);
    d = start(flags, url, socket_path); /* now it is on disk alone */
    withstands(0);
    withstands(1);
    cr_assert_leq(peak_mib(), CACHE_MIB + QUEUE_MIB + ANSWERS_MIB + BESIDE_MIB);
    daemon_ends_with_nothing();
    free_bodies();
    shell_in("/", "rm -rf %s", folder);
}

Test(memory, stays_within_the_settings, .timeout = 600) {
    char folder[] = "/tmp/smd-memory-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    stays_within(folder, (const char *const[]){NULL}, NULL, "");
}

Test(memory, stays_within_the_settings_by_unix_socket, .timeout = 600) {
    char folder[] = "/tmp/smd-memory-XXXXXX", listen[80];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(listen, sizeof listen, "unix:%s/socket", folder);
    stays_within(folder, (const char *const[]){"--listen", listen, NULL}, "http://localhost", listen + 5);
}

Test(memory, stays_within_the_settings_by_tls, .timeout = 600) {
    char folder[] = "/tmp/smd-memory-XXXXXX", certificate[80], key[80];
    cr_assert_not_null(mkdtemp(folder));
    authority_new(folder, "ours");
    authority_sign(folder, "ours", "server", "server", 9);
    snprintf(certificate, sizeof certificate, "%s/server.pem", folder);
    snprintf(key, sizeof key, "%s/server.key", folder);
    cr_assert_eq(gnutls_certificate_allocate_credentials(&anybody), 0);
    stays_within(folder, (const char *const[]){"--tls-certificate", certificate, "--tls-key", key, NULL},
                 "https://localhost", "");
    gnutls_certificate_free_credentials(anybody);
    anybody = NULL;
}

static long kib_of_daemon(void) {
    return process_kib(d.pid, "VmRSS");
}

/* Connections that have asked once, and then nothing: the account has more than they take. */
Test(memory, idle_connections_are_in_the_account, .timeout = 120) {
    static const char *const flags[] = {NULL};
    static const char held[] = "smd_held_bytes{what=\"connection\",setting=\"connections\"}";
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
    enum { IDLE = 800 };
    static int fd[IDLE];
    char status[13];
    d = daemon_start(flags);
    long account = metric(&d, held), before = kib_of_daemon();
    cr_assert_gt(account, 0, "the connection that asks");
    for (int i = 0; i < IDLE; i++) {
        fd[i] = daemon_connect_from(&d, "127.0.1.1");
        cr_assert_eq(send(fd[i], request, sizeof request - 1, MSG_NOSIGNAL), (ssize_t)sizeof request - 1);
        cr_assert_eq(recv(fd[i], status, sizeof status, MSG_WAITALL), (ssize_t)sizeof status);
    }
    long held_kib = (metric(&d, held) - account) >> 10, took = kib_of_daemon() - before;
    printf("[figures] memory, %d idle connections: %ld KiB, %ld in the account\n", IDLE, took, held_kib);
    cr_expect_leq(took, held_kib);
    for (int i = 0; i < IDLE; i++)
        close(fd[i]);
    daemon_ends_with_nothing();
}
