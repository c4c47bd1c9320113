/* startup.c - what a runtime waits for that starts: its functions after one request (sm_prefetch), against the transfer of
 * as many bytes, and against a call for each; on loopback, and by a network of 1 Gb/s, which a relay stands for. */
#include "bench.h"
#include "client.h"
#include "smclient.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A few milliseconds are easily disturbed: each round has the best of TRIES. */
enum { FUNCTIONS = 1000, ROUNDS = 15, TRIES = 5, MODULE_BYTES = 2500 };

static void need(int ok, const char *what) {
    if (ok)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static sm_client *new_client(const char *url) {
    const char *const servers[] = {url, NULL};
    sm_client *c = sm_client_new(
        &(sm_client_options){.size = sizeof(sm_client_options), .servers = servers, .deadline_ms = 300000}, NULL);
    need(c != NULL, "no client");
    return c;
}

/* Compiles function I of the runtime, and loads nothing. */
static void call_one(sm_client *c, struct bytes module, int i, const char *option) {
    const char *const options[] = {option, NULL};
    struct bytes mine = with_comment(module, i);
    sm_answer *answer = NULL;
    sm_result r = sm_compile(
        c, &(sm_request){.size = sizeof(sm_request), .module = mine.data, .module_len = mine.len, .options = options},
        &answer, NULL);
    need(r == SM_SUCCESS, "a function does not compile");
    sm_answer_free(answer);
    bytes_free(mine);
}

static size_t keep(char *data, size_t size, size_t n, void *arg) {
    struct bytes *b = arg;
    unsigned char *more = realloc(b->data, b->len + size * n + 1);
    need(more != NULL, "out of memory");
    memcpy(more + b->len, data, size * n);
    b->data = more;
    b->len += size * n;
    return size * n;
}

/* Posts a module whose artifact is of about so many bytes. Gives the path that it is at, *new*. */
static char *make_large(const struct daemon *d, size_t bytes) {
    size_t words = bytes / 4;
    char *text = malloc(16 * words + 64), *at = text, path[200], key[80];
    need(text != NULL, "out of memory");
    at += sprintf(at, "@t = constant [%zu x i32] [", words);
    for (size_t i = 0; i < words; i++)
        at += sprintf(at, "%si32 %zu", i ? "," : "", i * 2654435761u % 1000003);
    at += sprintf(at, "]\n");
    struct client c = client_open();
    snprintf(path, sizeof path, "%s/v1/compile?opt=0", d->url);
    client_compile(&c, path, (struct bytes){(unsigned char *)text, (size_t)(at - text)});
    client_header(&c, "X-Smd-Key", key, sizeof key);
    client_close(&c);
    free(text);
    snprintf(path, sizeof path, "/v1/artifacts/%s", key);
    return strdup(path);
}

/* The time to have what is at URL, on a connection of its own. */
static double transfer_ms(const char *url, size_t *len) {
    struct bytes b = {NULL, 0};
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/vnd.smd.artifact, */*;q=0.1");
    long http = 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &b);
    double begun = now_ms();
    need(curl_easy_perform(curl) == CURLE_OK, "no transfer");
    double ms = now_ms() - begun;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &http);
    need(http == 200, "no transfer");
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    *len = b.len;
    bytes_free(b);
    return ms;
}

static double best_transfer_ms(const char *url, size_t *len) {
    double best = transfer_ms(url, len);
    for (int i = 1; i < TRIES; i++) {
        double ms = transfer_ms(url, len);
        best = ms < best ? ms : best;
    }
    return best;
}

/* The time to have all, by a client of its own, which the last of them leaves in *C. */
static double best_prefetch_ms(const char *url, sm_client **c, sm_bundle_info *info) {
    double best = 1e9;
    *c = NULL;
    for (int i = 0; i < TRIES; i++) {
        sm_client_free(*c);
        *c = new_client(url);
        double begun = now_ms();
        need(sm_prefetch(*c, "bench", info, NULL) == SM_SUCCESS, "nothing was recorded");
        double ms = now_ms() - begun;
        best = ms < best ? ms : best;
    }
    return best;
}

/* ---- A network ---------------------------------------------------------------------------------------------- */

/* Passes on what the server at SERVER sends, as fast as a link of 1 Gb/s; one connection at a time. */
struct link {
    int listener, port, server;
    pthread_t thread;
    atomic_int stop;
};

enum { NS_PER_BYTE = 8, PIECE = 16 << 10 };

static int open_socket(struct sockaddr_in *a) {
    *a = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

/* Sends all; 0 if the other end has gone. */
static int send_all(int fd, const char *bytes, ssize_t n) {
    for (ssize_t sent = 0, m; sent < n; sent += m)
        if ((m = send(fd, bytes + sent, (size_t)(n - sent), MSG_NOSIGNAL)) <= 0)
            return 0;
    return 1;
}

/* Serves a connection until either end closes it. */
static void pass_on(const struct link *l, int client, int server) {
    char bytes[PIECE];
    struct timespec now;
    int64_t free_ns = 0; /* when the link is */
    for (int goes_on = 1; goes_on && !atomic_load(&l->stop);) {
        struct pollfd p[] = {{.fd = client, .events = POLLIN}, {.fd = server, .events = POLLIN}};
        if (poll(p, 2, 50) <= 0)
            continue;
        if (p[0].revents) {
            ssize_t n = recv(client, bytes, sizeof bytes, 0);
            goes_on = n > 0 && send_all(server, bytes, n);
        }
        if (goes_on && p[1].revents) {
            ssize_t n = recv(server, bytes, sizeof bytes, 0);
            goes_on = n > 0 && send_all(client, bytes, n);
            clock_gettime(CLOCK_MONOTONIC, &now);
            int64_t now_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
            free_ns = (free_ns > now_ns - 1000000 ? free_ns : now_ns) + (n > 0 ? n * NS_PER_BYTE : 0);
            struct timespec until = {.tv_sec = free_ns / 1000000000, .tv_nsec = free_ns % 1000000000};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        }
    }
}

static void *run_link(void *arg) {
    struct link *l = arg;
    while (!atomic_load(&l->stop)) {
        struct pollfd p = {.fd = l->listener, .events = POLLIN};
        struct sockaddr_in a;
        int client = poll(&p, 1, 50) > 0 ? accept(l->listener, NULL, NULL) : -1, server = open_socket(&a);
        a.sin_port = htons((uint16_t)l->server);
        if (client >= 0 && connect(server, (struct sockaddr *)&a, sizeof a) == 0)
            pass_on(l, client, server);
        if (client >= 0)
            close(client);
        close(server);
    }
    return NULL;
}

static void link_begin(struct link *l, int server) {
    struct sockaddr_in a;
    socklen_t len = sizeof a;
    *l = (struct link){.server = server, .listener = open_socket(&a)};
    need(bind(l->listener, (struct sockaddr *)&a, len) == 0 && listen(l->listener, 16) == 0 &&
             getsockname(l->listener, (struct sockaddr *)&a, &len) == 0,
         "no port");
    l->port = ntohs(a.sin_port);
    need(pthread_create(&l->thread, NULL, run_link, l) == 0, "no thread");
}

static void link_end(struct link *l) {
    atomic_store(&l->stop, 1);
    pthread_join(l->thread, NULL);
    close(l->listener);
}

/* ---- The tables --------------------------------------------------------------------------------------------- */

static void put_row(const char *what, double *ms, const double *pure, int n) {
    double ratio[ROUNDS];
    for (int i = 0; i < n; i++)
        ratio[i] = ms[i] / pure[i];
    printf("%-46s %9.2f   %6.2f (%.2f to %.2f)\n", what, quantile(ms, n, 0.5), quantile(ratio, n, 0.5),
           quantile(ratio, n, 0), quantile(ratio, n, 1));
}

/* Measures by the server at URL, which has the large artifact at LARGE. */
static void measure(const char *title, const char *url, const char *large, struct bytes module) {
    double pure[ROUNDS], stream[ROUNDS], fetch[ROUNDS], use[ROUNDS], each[ROUNDS], sorted[ROUNDS];
    sm_bundle_info info = {0};
    sm_client *c;
    char path[160], other[200];
    size_t len, pure_len;
    snprintf(path, sizeof path, "%s/v1/stream?startup=bench", url);
    snprintf(other, sizeof other, "%s%s", url, large);
    transfer_ms(other, &pure_len);
    for (int i = 0; i < ROUNDS; i++) {
        pure[i] = best_transfer_ms(other, &pure_len);
        stream[i] = best_transfer_ms(path, &len);
        fetch[i] = best_prefetch_ms(url, &c, &info);
        double begun = now_ms();
        for (int f = 0; f < FUNCTIONS; f++)
            call_one(c, module, f, NULL);
        use[i] = fetch[i] + now_ms() - begun;
        sm_client_free(c);
        c = new_client(url);
        begun = now_ms();
        for (int f = 0; f < FUNCTIONS; f++)
            call_one(c, module, f, NULL);
        each[i] = now_ms() - begun;
        sm_client_free(c);
    }
    need(info.artifacts == FUNCTIONS && !info.missing, "not all are there");
    memcpy(sorted, pure, sizeof sorted);
    printf("\n%s: %.1f MB in %d artifacts, %.1f MB in one\n\n%-46s %9s   %s\n%-46s %9.2f   %6.2f\n", title,
           (double)info.bytes / 1e6, FUNCTIONS, (double)pure_len / 1e6, "", "ms", "ratio", "the transfer of one",
           quantile(sorted, ROUNDS, 0.5), 1.0);
    put_row("GET /v1/stream", stream, pure, ROUNDS);
    put_row("sm_prefetch", fetch, pure, ROUNDS);
    put_row("sm_prefetch, and each of them used, checked", use, pure, ROUNDS);
    put_row("a call for each, one after the other", each, pure, ROUNDS);
    fflush(stdout);
}

void bench_startup(void) {
    struct daemon d = daemon_start((const char *const[]){"--cache-memory-mib", "1024", "--log-hits", "off", NULL});
    struct bytes module = make_module(MODULE_BYTES);
    struct link network;
    char url[160];
    size_t len;
    sm_client *c = new_client(d.url);
    for (int i = 0; i < FUNCTIONS; i++)
        call_one(c, module, i, "startup=bench");
    sm_client_free(c);
    snprintf(url, sizeof url, "%s/v1/stream?startup=bench", d.url);
    transfer_ms(url, &len);
    char *large = make_large(&d, len);
    printf("Functions that a server has in memory, for a runtime that starts: milliseconds (medians), and ratios to "
           "the\n"
           "transfer of as many bytes, taken round by round (median, least to most)\n");
    measure("Loopback", d.url, large, module);
    link_begin(&network, d.port);
    snprintf(url, sizeof url, "http://127.0.0.1:%d", network.port);
    measure("1 Gb/s", url, large, module);
    link_end(&network);
    free(large);
    bytes_free(module);
    daemon_stop(&d);
}
