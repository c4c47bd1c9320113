/* What a client may try to take the daemon down or to get by its bounds: each has a typed answer, and the daemon
 * stays small. */
#include "http.h"
#include "processes.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

static struct daemon d;

TestSuite(attacks, .timeout = 600);

/* KiB of the daemon's memory: VmHWM is the most it ever had, VmRSS what it has. */
static long kilobytes(const char *line) {
    long kib = process_kib(d.pid, line);
    cr_assert_gt(kib, 0, "the daemon is gone");
    return kib;
}

/* ---- JSON that becomes much more than it is ----------------------------------------------------------------- */

/* BEGIN, LEN bytes of PIECE, END; compressed. */
static struct bytes bomb(const char *begin, const char *piece, size_t len, const char *end) {
    struct bytes many = repeat(piece, len / strlen(piece)), out = {malloc(1 << 20), 1 << 20};
    z_stream z = {0};
    deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_out = out.data;
    z.avail_out = (uInt)out.len;
    z.next_in = (Bytef *)begin;
    z.avail_in = (uInt)strlen(begin);
    deflate(&z, Z_NO_FLUSH);
    z.next_in = many.data;
    z.avail_in = (uInt)many.len;
    deflate(&z, Z_NO_FLUSH);
    z.next_in = (Bytef *)end;
    z.avail_in = (uInt)strlen(end);
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.len -= z.avail_out;
    deflateEnd(&z);
    bytes_free(many);
    return out;
}

static int holds_nothing(void *arg) {
    (void)arg;
    return metric(&d, "smd_body_bytes") == 0;
}

static const char *const json_routes[] = {"/v1/compile", "/v1/jobs", "/v1/batch", "/v1/artifacts/find-missing"};

static void every_route_refuses(struct bytes body, int http, const char *code) {
    for (size_t i = 0; i < 4; i++) {
        struct answer a =
            ask(&d, (struct ask){.path = json_routes[i],
                                 .body = body.data,
                                 .len = body.len,
                                 .headers = {"Content-Type: application/json", "Content-Encoding: gzip"}});
        assert_problem(&a, http, code);
        answer_free(a);
    }
    bytes_free(body);
}

Test(attacks, json_takes_no_more_memory_than_it_is_allowed) {
    static const char *const flags[] = {"--max-inflation", "100000", NULL};
    size_t most = (size_t)60 << 20;
    d = daemon_start(flags);
    every_route_refuses(bomb("[", "{},", most, "{}]"), 413, "body_too_large");
    every_route_refuses(bomb("[", "[],", most, "[]]"), 413, "body_too_large");
    every_route_refuses(bomb("[", "0,", most, "0]"), 413, "body_too_large");
    every_route_refuses(bomb("{\"keys\":[", "\"\",", most / 4, "\"\"]}"), 413, "body_too_large");
    every_route_refuses(bomb("{\"ir\":", "[", most / 8, "]}"), 400, "invalid_json");
    every_route_refuses(bomb("{\"ir\":", "[", 1000, "]}"), 400, "invalid_json");
    await(holds_nothing, NULL, 20, "the bodies to be given back");
    long peak = kilobytes("VmHWM"), now = kilobytes("VmRSS");
#ifdef __SANITIZE_ADDRESS__ /* it keeps what was freed for a while, and shadows it */
    enum { TIMES = 4 };
#else
    enum { TIMES = 1 };
#endif
    cr_assert_lt(peak, TIMES * (300 << 10), "it took %ld kB", peak);
    cr_assert_lt(now, TIMES * (80 << 10), "it kept %ld kB", now);
    daemon_stop(&d);
}

/* A module of many megabytes is no bomb. */
Test(attacks, json_of_one_large_string_is_read) {
    static const char *const flags[] = {"--max-inflation", "100000", NULL};
    d = daemon_start(flags);
    struct bytes body = bomb("{\"ir\":\"", "; a comment of 7e3 and c0ffee\\n", (size_t)20 << 20, "\"}");
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile",
                                           .body = body.data,
                                           .len = body.len,
                                           .headers = {"Content-Type: application/json", "Content-Encoding: gzip"}});
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    bytes_free(body);
    daemon_stop(&d);
}

/* ---- Bytes that two read differently ------------------------------------------------------------------------- */

static int connect_raw(void) {
    int fd = daemon_connect(&d);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 300}, sizeof(struct timeval));
    return fd;
}

static void send_raw(int fd, const char *bytes, size_t len, size_t piece) {
    for (size_t at = 0; at < len; at += piece)
        if (send(fd, bytes + at, len - at < piece ? len - at : piece, MSG_NOSIGNAL) < 0)
            return; /* it was refused before it was whole */
}

/* All that comes until the daemon closes; terminated. */
static void read_raw(int fd, char *out, size_t size) {
    size_t len = 0;
    for (ssize_t n = 1; n > 0 && len < size - 1; len += n > 0 ? (size_t)n : 0)
        n = recv(fd, out + len, size - 1 - len, 0);
    out[len] = 0;
    close(fd);
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

/* The bytes are answered with this status and code, in JSON, once, and the connection is closed; however they come. */
static void is_refused(const char *bytes, size_t len, int http, const char *code) {
    for (int i = 0; i < 2; i++) {
        char out[16384], status[40], member_text[80];
        int fd = connect_raw();
        snprintf(status, sizeof status, "HTTP/1.1 %d ", http);
        snprintf(member_text, sizeof member_text, "\"code\":\"%s\"", code);
        send_raw(fd, bytes, len, i ? 1 : len);
        read_raw(fd, out, sizeof out);
        cr_assert_eq(strncmp(out, status, strlen(status)), 0, "%.200s\n-> %s", bytes, out);
        cr_assert_not_null(strstr(out, member_text), "%.200s\n-> %s", bytes, out);
        cr_assert_not_null(strstr(out, "application/problem+json"), "%s", out);
        cr_assert_eq(count(out, status), 1, "%.200s\n-> %s", bytes, out);
    }
}

#define HOST   "Host: localhost\r\n"
#define POST   "POST /v1/stackmap HTTP/1.1\r\n" HOST
#define CHUNKS POST "Transfer-Encoding: chunked\r\n\r\n"
#define NEXT   "GET /livez HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n"

Test(attacks, what_two_would_read_differently_is_refused) {
    static const char *const bad[] = {
        POST "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc" NEXT,
        POST "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc" NEXT,
        POST "Content-Length: 3, 3\r\n\r\nabc" NEXT,
        POST "Content-Length: +3\r\n\r\nabc" NEXT,
        POST "Content-Length: 0x3\r\n\r\nabc" NEXT,
        POST "Content-Length:\r\n\r\nabc" NEXT,
        POST "Content-Length : 3\r\n\r\nabc" NEXT,
        POST " Content-Length: 3\r\n\r\nabc" NEXT,
        POST "Content-Length\t: 3\r\n\r\nabc" NEXT,
        POST "X: y\r\n folded: z\r\n\r\n" NEXT,
        POST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" NEXT,
        POST "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" NEXT,
        POST "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" NEXT,
        POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" NEXT,
        POST "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n" NEXT,
        "POST /v1/stackmap HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" NEXT,
        CHUNKS "3\nabc\r\n0\r\n\r\n" NEXT,
        CHUNKS "3\r\nabc\n0\r\n\r\n" NEXT,
        CHUNKS "3\r\nabcd\r\n0\r\n\r\n" NEXT,
        CHUNKS "3\r\nabc\r\n0\r\n\n" NEXT,
        CHUNKS "0\r\nX: y\n\r\n" NEXT,
        CHUNKS "0\r\nno colon\r\n\r\n" NEXT,
        CHUNKS "0\r\nX: y\r\n folded: z\r\n\r\n" NEXT,
        CHUNKS "0\r\nX : y\r\n\r\n" NEXT,
        CHUNKS "0x3\r\nabc\r\n0\r\n\r\n" NEXT,
        CHUNKS "-3\r\nabc\r\n0\r\n\r\n" NEXT,
        CHUNKS "10000000000000003\r\nabc\r\n0\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\n" HOST HOST "\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a:b\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a:65536\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a:1:2\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a%zz\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a%6\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: [::1\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: [::1]a\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: [x]\r\n\r\n" NEXT,
        "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\n" HOST "\r\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a\n\n" NEXT,
        "GET /livez HTTP/1.1\r\nHost: a\rX: y\r\n\r\n" NEXT,
        "GET  /livez HTTP/1.1\r\n" HOST "\r\n" NEXT,
        "GET /li vez HTTP/1.1\r\n" HOST "\r\n" NEXT,
        "GET /livez HTTP/2.0\r\n" HOST "\r\n" NEXT,
        "GET /livez\r\n" HOST "\r\n" NEXT,
        "\x16\x03\x01" NEXT,
    };
    d = daemon_start(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        is_refused(bad[i], strlen(bad[i]), 400, "bad_request");
    static const char nul[] = "GET /livez\0x HTTP/1.1\r\n" HOST "\r\n";
    is_refused(nul, sizeof nul - 1, 400, "bad_request");
    daemon_stop(&d);
}

Test(attacks, what_is_too_large_is_told_so) {
    char bytes[20000];
    d = daemon_start(NULL);
    memset(bytes, 'a', sizeof bytes);
    memcpy(bytes, "GET /", 5);
    is_refused(bytes, sizeof bytes, 431, "header_too_large");
    int n = snprintf(bytes, sizeof bytes, "GET /livez?");
    for (int i = 0; i < 400; i++)
        n += snprintf(bytes + n, sizeof bytes - (size_t)n, "a=1&");
    n += snprintf(bytes + n, sizeof bytes - (size_t)n, " HTTP/1.1\r\n" HOST "\r\n");
    is_refused(bytes, (size_t)n, 431, "header_too_large");
    static const char huge[] = POST "Content-Length: 99999999999999999999999\r\n\r\n";
    is_refused(huge, sizeof huge - 1, 413, "body_too_large");
    daemon_stop(&d);
}

/* As much as the gate lets pass, libmicrohttpd has room for. */
Test(attacks, the_largest_header_is_answered) {
    char bytes[17000], out[4096];
    d = daemon_start(NULL);
    int n = snprintf(bytes, sizeof bytes, "GET /livez?");
    for (int i = 0; i < 62; i++)
        n += snprintf(bytes + n, sizeof bytes - (size_t)n, "abcdefgh=%d&", i);
    n += snprintf(bytes + n, sizeof bytes - (size_t)n, " HTTP/1.1\r\n" HOST "Connection: close\r\nX-Last: ");
    for (int i = 0; i < 63; i++)
        n += snprintf(bytes + n, sizeof bytes - (size_t)n, "y\r\nX-%d: ", i);
    memset(bytes + n, 'z', 16384 - 4 - (size_t)n);
    memcpy(bytes + 16384 - 4, "\r\n\r\n", 4);
    for (size_t piece = 1; piece <= 16384; piece *= 128) {
        int fd = connect_raw();
        send_raw(fd, bytes, 16384, piece);
        read_raw(fd, out, sizeof out);
        cr_assert_eq(strncmp(out, "HTTP/1.1 200 ", 13), 0, "%s", out);
    }
    daemon_stop(&d);
}

Test(attacks, chunk_extensions_trailers_and_pipelines_are_read) {
    static const char bytes[] = "\r\n" POST "Transfer-Encoding: Chunked\r\n\r\n2;a=\"b\"\r\nab\r\n01 ; c\r\nc\r\n"
                                "0\r\nX: y\r\n\r\n" POST "Content-Length: 003\r\n\r\nabc" NEXT;
    char out[16384];
    d = daemon_start(NULL);
    for (size_t piece = 1; piece < sizeof bytes; piece += 7) {
        int fd = connect_raw();
        send_raw(fd, bytes, sizeof bytes - 1, piece);
        read_raw(fd, out, sizeof out);
        cr_assert_eq(count(out, "\"code\":\"invalid_object\""), 2, "%s", out);
        cr_assert_eq(count(out, "{\"status\":\"ok\"}"), 1, "%s", out);
    }
    daemon_stop(&d);
}

/* Chunks of this size, each with 900 bytes of extensions. */
static void chunks_are_answered(int size, const char *status) {
    enum { TIMES = 30, EXTENSION = 900 };
    char *bytes = malloc(TIMES * (EXTENSION + (size_t)size + 40) + 500), out[4096];
    int n = sprintf(bytes, POST "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
    for (int i = 0; i < TIMES; i++)
        n += sprintf(bytes + n, "%x;%0*d\r\n%0*d\r\n", (unsigned)size, EXTENSION, 1, size, 1);
    n += sprintf(bytes + n, "0\r\n\r\n");
    int fd = connect_raw();
    send_raw(fd, bytes, (size_t)n, (size_t)n);
    read_raw(fd, out, sizeof out);
    cr_expect_eq(strncmp(out, status, strlen(status)), 0, "%d: %s", size, out);
    cr_expect_eq(strstr(out, "longer than their data") != NULL, size == 1, "%s", out);
    free(bytes);
}

/* All that is read of them is for nothing: a client is not to keep the thread busy by it. */
Test(attacks, chunk_extensions_have_a_bound) {
    d = daemon_start(NULL);
    chunks_are_answered(1, "HTTP/1.1 400 ");
    chunks_are_answered(900, "HTTP/1.1 422 "); /* as no object */
    daemon_stop(&d);
}

/* ---- What a web page makes a browser send --------------------------------------------------------------------- */

static void begins(const char *bytes, const char *status) {
    char out[4096];
    int fd = connect_raw();
    send_raw(fd, bytes, strlen(bytes), strlen(bytes));
    read_raw(fd, out, sizeof out);
    cr_assert_eq(strncmp(out, status, strlen(status)), 0, "%s\n-> %s", bytes, out);
    cr_assert_not_null(strstr(out, "X-Content-Type-Options: nosniff"), "%s", out);
}

#define END "Connection: close\r\n\r\n"

Test(attacks, pages_of_others_are_refused) {
    d = daemon_start(NULL);
    begins("GET /livez HTTP/1.1\r\nHost: evil.example\r\n" END, "HTTP/1.1 421 ");
    begins("GET http://evil.example/livez HTTP/1.1\r\n" HOST END, "HTTP/1.1 421 ");
    begins("GET http://localhost/livez HTTP/1.1\r\nHost: evil.example\r\n" END, "HTTP/1.1 200 ");
    begins("GET http:///livez HTTP/1.1\r\n" HOST END, "HTTP/1.1 400 ");
    begins("GET /livez HTTP/1.1\r\n" HOST "Origin: http://evil.example\r\n" END, "HTTP/1.1 403 ");
    begins("GET /livez HTTP/1.1\r\n" HOST "Origin: http://localhost\r\n" END, "HTTP/1.1 200 ");
    daemon_stop(&d);
}

/* Each of these is by RFC 9112 what it would be without its spaces, and without its Expect. */
Test(attacks, spaces_behind_values_mean_nothing) {
    static const char *const good[] = {
        POST "Content-Length: 3 \r\n\r\nabc" NEXT,
        POST "Content-Length:3\t \t\r\n\r\nabc" NEXT,
        POST "Transfer-Encoding: chunked \r\n\r\n3\r\nabc\r\n0\r\n\r\n" NEXT,
        POST "Transfer-Encoding:\tchunked\t\r\nContent-Encoding: identity  \r\n\r\n3\r\nabc\r\n0\r\n\r\n" NEXT,
        POST "X:   \r\nContent-Length: 3\r\nAccept: application/json \r\n\r\nabc" NEXT,
        "POST /v1/stackmap HTTP/1.1\r\nHost: [::1]:80 \r\nContent-Length: 3\r\n\r\nabc" NEXT,
        "POST /v1/stackmap HTTP/1.1\r\nHost: a%41:\r\nContent-Length: 3\r\n\r\nabc" NEXT,
        "POST /v1/stackmap HTTP/1.1\r\nHost:\r\nContent-Length: 3\r\n\r\nabc" NEXT,
    };
    char out[16384];
    static const char *const flags[] = {"--hosts", "a%41", NULL};
    d = daemon_start(flags);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (size_t piece = 1; piece < 1000; piece *= 999) {
            int fd = connect_raw();
            send_raw(fd, good[i], strlen(good[i]), piece);
            read_raw(fd, out, sizeof out);
            cr_assert_eq(count(out, "\"code\":\"invalid_object\""), 1, "%s\n-> %s", good[i], out);
            cr_assert_eq(count(out, "{\"status\":\"ok\"}"), 1, "%s\n-> %s", good[i], out);
        }
    daemon_stop(&d);
}

Test(attacks, expect_without_a_body_waits_for_nothing) {
    static const char *const requests[] = {
        "GET /livez HTTP/1.1\r\n" HOST "Expect: 100-continue\r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\n" HOST "Content-Length: 0\r\nExpect: 100-continue \r\n\r\n" NEXT,
        "GET /livez HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n" NEXT,
    };
    char out[16384];
    d = daemon_start(NULL);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        int fd = connect_raw();
        send_raw(fd, requests[i], strlen(requests[i]), strlen(requests[i]));
        read_raw(fd, out, sizeof out);
        cr_assert_eq(count(out, "{\"status\":\"ok\"}"), 2, "%s\n-> %s", requests[i], out);
        cr_assert_eq(count(out, "HTTP/1.1 100"), 0, "%s", out);
    }
    daemon_stop(&d);
}

/* ---- Slow and many ------------------------------------------------------------------------------------------- */

Test(attacks, who_is_late_is_told_so) {
    static const char *const flags[] = {"--idle-timeout-s", "1", NULL};
    static const char *const begun[] = {"GET /livez HTTP/1.1\r\nHo", POST "Content-Length: 3\r\n\r\na",
                                        CHUNKS "3\r\na"};
    d = daemon_start(flags);
    for (int i = 0; i < 3; i++) {
        char out[4096];
        int fd = connect_raw();
        send_raw(fd, begun[i], strlen(begun[i]), 1000);
        read_raw(fd, out, sizeof out);
        cr_assert_eq(strncmp(out, "HTTP/1.1 408 ", 13), 0, "%s", out);
        cr_assert_not_null(strstr(out, "\"code\":\"request_timeout\""), "%s", out);
    }
    daemon_stop(&d);
}

/* Asks whether the daemon lives, and gives the connection. */
static int connect_and_ask(void) {
    static const char request[] = "GET /livez HTTP/1.1\r\n" HOST "\r\n";
    char out[4096];
    int fd = connect_raw();
    send_raw(fd, request, sizeof request - 1, sizeof request);
    cr_assert_gt(recv(fd, out, sizeof out, 0), 0);
    return fd;
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A daemon that was held up for longer than its clients may be idle: they were not. 0 if this machine took longer than
 * that for their connections. */
static int requests_are_answered(int idle_s) {
    enum { MANY = 600 };
    static const char last[] = NEXT;
    int fd[MANY], is_in_time;
    char out[4096], idle[16];
    snprintf(idle, sizeof idle, "%d", idle_s);
    d = daemon_start((const char *const[]){"--idle-timeout-s", idle, "--http-threads", "1", NULL});
    double begun = seconds_now();
    for (int i = 0; i < MANY; i++)
        fd[i] = connect_and_ask();
    kill(d.pid, SIGSTOP);
    is_in_time = seconds_now() - begun < 0.8 * idle_s;
    for (int i = 0; is_in_time && i < MANY; i++)
        send_raw(fd[i], last, sizeof last - 1, sizeof last);
    if (is_in_time)
        usleep((useconds_t)idle_s * 1000000 + 500000); /* what is tested is that time passes */
    kill(d.pid, SIGCONT);
    for (int i = 0; is_in_time && i < MANY; i++) {
        read_raw(fd[i], out, sizeof out);
        cr_assert(strstr(out, "{\"status\":\"ok\"}"), "connection %d: '%s'", i, out);
    }
    for (int i = 0; !is_in_time && i < MANY; i++)
        close(fd[i]);
    daemon_stop(&d);
    return is_in_time;
}

Test(attacks, a_request_that_has_come_is_answered) {
    int idle_s = 2;
    while (!requests_are_answered(idle_s))
        idle_s *= 2;
}

Test(attacks, an_address_has_so_many_connections_and_no_more) {
    enum { MOST = 20, MANY = 40 };
    char admin[120], command[300], out[4096];
    int fd[MANY], status;
    snprintf(admin, sizeof admin, "unix:/tmp/smd-many-%d", (int)getpid());
    d = daemon_start((const char *const[]){"--client-connections", "20", "--admin-listen", admin, NULL});
    for (int i = 0; i < MANY; i++)
        fd[i] = i < MOST ? connect_and_ask() : connect_raw();
    read_raw(fd[MANY - 1], out, sizeof out);
    cr_assert_eq(strncmp(out, "HTTP/1.1 429 ", 13), 0, "%s", out);
    snprintf(command, sizeof command, "curl -fsS --unix-socket %s http://smd/readyz", admin + 5);
    struct bytes ready = run_command(command, "", 0, &status);
    cr_assert_eq(status, 0, "%s", (char *)ready.data);
    bytes_free(ready);
    for (int i = 0; i < MANY - 1; i++)
        close(fd[i]);
    daemon_stop(&d);
}

Test(attacks, a_stuck_body_does_not_hold_the_end_up) {
    struct timespec begun, ended;
    d = daemon_start((const char *const[]){"--drain-timeout-s", "1", "--idle-timeout-s", "3600",
                                           "--request-timeout-s", "3600", NULL});
    int fd = connect_raw();
    static const char begun_post[] = POST "Content-Length: 3\r\n\r\na";
    send_raw(fd, begun_post, sizeof begun_post - 1, sizeof begun_post);
    char byte;
    struct answer a = get(&d, "/livez"); /* what came before it has been read */
    answer_free(a);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    daemon_stop(&d);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    cr_assert_lt(ended.tv_sec - begun.tv_sec, 100);
    while (recv(fd, &byte, 1, 0) == 1) /* an answer that says why, perhaps; then the end */
        ;
    close(fd);
}

/* ---- Paths --------------------------------------------------------------------------------------------------- */

static void answers(const char *path, int http) {
    char bytes[300], out[65536], status[40];
    int fd = connect_raw();
    int n = snprintf(bytes, sizeof bytes, "GET %s HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", path);
    snprintf(status, sizeof status, "HTTP/1.1 %d ", http);
    send_raw(fd, bytes, (size_t)n, sizeof bytes);
    read_raw(fd, out, sizeof out);
    cr_assert_eq(strncmp(out, status, strlen(status)), 0, "%s -> %.300s", path, out);
}

Test(attacks, paths_are_matched_as_they_came) {
    static const char *const none[] = {"/%6civez",      "/v1%2fmanifest", "/v1/%6danifest",
                                       "//v1/manifest", "/./v1/manifest", "/v1/manifest/",
                                       "/V1/manifest",  "/v1/manifest;x", "/metrics%3f"};
    d = daemon_start(NULL);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        answers(none[i], 404);
    answers("/livez%00", 400);
    answers("/livez%00x", 400);
    answers("/v1/manifest", 200);
    answers("/v1/manifest?since=%31", 200);
    daemon_stop(&d);
}

Test(attacks, operators_routes_are_on_their_own_listener) {
    int status;
    char socket_path[100], admin[120], command[300];
    snprintf(socket_path, sizeof socket_path, "/tmp/smd-admin-%d", (int)getpid());
    snprintf(admin, sizeof admin, "unix:%s", socket_path);
    d = daemon_start((const char *const[]){"--admin-listen", admin, NULL});
    answers("/metrics", 404);
    answers("/v1/manifest", 404);
    answers("/v1/modules/0000000000000000000000000000000000000000000000000000000000000000", 404);
    answers("/livez", 200);
    answers("/readyz", 200);
    snprintf(command, sizeof command,
             "for r in metrics v1/manifest livez readyz; do curl -fsS -o /dev/null --unix-socket %s http://smd/$r || "
             "exit 1; done",
             socket_path);
    bytes_free(run_command(command, "", 0, &status));
    cr_assert_eq(status, 0);
    daemon_stop(&d);
    d = daemon_start((const char *const[]){"--listen", "0.0.0.0", "--insecure", NULL});
    answers("/metrics", 404);
    answers("/readyz", 200);
    daemon_stop(&d);
}

/* ---- Answers that nobody reads ------------------------------------------------------------------------------ */

static const char large_module[] =
    "define void @f() {\n  call void asm sideeffect \".zero 12000000\", \"\"()\n  ret void\n}\n";

/* Asks for PATH in this media type as nobody else, and reads the status and nothing else; gives the connection. */
static int begin_to_read_as(const char *type, const char *path, int number, int *http) {
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)d.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char bytes[300], status[14] = "";
    int fd = socket(AF_INET, SOCK_STREAM, 0), small = 4096;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small); /* or the kernel would hold much of it */
    cr_assert_eq(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    int n = snprintf(bytes, sizeof bytes, "GET %s HTTP/1.1\r\n" HOST "Accept: %s\r\nX-Request-Id: mine-%d\r\n\r\n",
                     path, type, number);
    cr_assert_eq(send(fd, bytes, (size_t)n, MSG_NOSIGNAL), n);
    cr_assert_eq(recv(fd, status, 13, MSG_WAITALL), 13);
    *http = atoi(status + 9);
    return fd;
}

static int begin_to_read(const char *path, int number, int *http) {
    return begin_to_read_as("application/json", path, number, http);
}

/* The path of MODULE's job, whose result is there, and of the artifact that it gave; each *new*. */
static char *make(const char *module, const char *query, char **artifact) {
    char path[120];
    snprintf(path, sizeof path, "/v1/jobs%s", query);
    struct answer a = post(&d, path, module);
    cr_assert_eq(a.http, 202, "%s", (char *)a.body.data);
    char *job = answer_header(&a, "Location"), *key = answer_header(&a, "X-Smd-Key");
    answer_free(a);
    snprintf(path, sizeof path, "%s?wait=60", job);
    a = get(&d, path);
    cr_assert_eq(a.http, 200);
    answer_free(a);
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    free(key);
    *artifact = strdup(path);
    return job;
}

static char *make_large(const char *query, char **artifact) {
    return make(large_module, query, artifact);
}

/* A large object, and a large text of it. */
static char *make_large_text(char **artifact) {
    enum { LETTERS = 4000000 };
    struct bytes module = {0};
    char *text = malloc(LETTERS + 1);
    memset(text, 'x', LETTERS);
    text[LETTERS] = 0;
    cr_assert_gt(asprintf((char **)&module.data, "@g = constant [%d x i8] c\"%s\"\n%s", LETTERS, text, large_module),
                 0);
    char *job = make((char *)module.data, "?emit=obj,ir", artifact);
    free(module.data);
    free(text);
    return job;
}

static int nothing_is_on_its_way(void *arg) {
    (void)arg;
    return metric(&d, "smd_answer_bytes") == 0;
}

static int is_answered(void *path) {
    struct answer a = get(&d, path);
    int http = a.http;
    answer_free(a);
    return http == 200;
}

Test(attacks, slow_readers_of_one_answer_share_it) {
    static const char *const types[] = {"application/json", "multipart/mixed", "application/vnd.smd.artifact"};
    enum { MANY = 60 };
    int fd[2 * MANY], http;
    char *path[2];
    d = daemon_start((const char *const[]){"--cache-memory-mib", "256", NULL});
    path[0] = make_large_text(&path[1]);
    long before = kilobytes("VmHWM");
    for (int i = 0; i < 2 * MANY; i++) {
        fd[i] = begin_to_read_as(types[i / 2 % 3], path[i % 2], i, &http);
        cr_assert_eq(http, 200, "%s, %s", path[i % 2], types[i / 2 % 3]);
    }
    long after = kilobytes("VmHWM");
    cr_assert_lt(after - before, 64 << 10, "%ld kB, then %ld kB", before, after);
    for (int i = 0; i < 2 * MANY; i++)
        close(fd[i]);
    await(nothing_is_on_its_way, NULL, 20, "all to be given up");
    free(path[0]);
    free(path[1]);
    daemon_stop(&d);
}

Test(attacks, answers_on_their_way_are_bounded) {
    int first, second, third, http;
    char *one, *two, *unused;
    d = daemon_start((const char *const[]){"--answers-mib", "8", NULL});
    one = make_large("?name=one", &unused);
    free(unused);
    two = make_large("?name=two", &unused);
    free(unused);
    first = begin_to_read(one, 1, &http);
    cr_assert_eq(http, 200, "a single one is never too large");
    second = begin_to_read(two, 2, &http);
    cr_assert_eq(http, 503);
    third = begin_to_read(one, 3, &http);
    cr_assert_eq(http, 200, "it takes nothing more");
    struct answer a = get(&d, two);
    assert_problem(&a, 503, "overloaded");
    char *after = answer_header(&a, "Retry-After");
    cr_assert(after);
    free(after);
    answer_free(a);
    a = post(&d, "/v1/compile", "define void @f() {\n  ret void\n}\n");
    cr_assert_eq(a.http, 200, "small ones always go");
    answer_free(a);
    close(first);
    close(second);
    close(third);
    await(is_answered, two, 20, "an answer after all were given up");
    await(nothing_is_on_its_way, NULL, 20, "it to be done");
    free(one);
    free(two);
    daemon_stop(&d);
}
