/* alive.c - see alive.h. One thread or fifty, each a client of its own, send the same again and again. They yield to all
 * others (nice 10), as clients have machines of their own. */
#include "alive.h"

#include "bench.h"
#include "cached.h"
#include "client.h"
#include "cpu.h"
#include "http.h"
#include "record.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zstd.h>

/* Probes that took less than QUICK_MS are not looked into. */
enum {
    BUSY = 50,
    TURN_MS = 3000,
    PROBES_MAX = 1000,
    COMPILES_MAX = 30,
    HTTP_THREADS = 2,
    QUICK_MS = 5,
    YIELDING = 10,
    CONNECTIONS = 2048,
    ENTRIES = 100000
};

#define TEXT(path) "POST " path " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
#define JSON(path) "POST " path " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
#define GET(path)  "GET " path " HTTP/1.1\r\nHost: localhost\r\n"
#define LISTED     "manifest, 100,000 keys"
enum { MARK = 24 }; /* bytes of the comment that makes a module fresh */

/* What one of them sends, on a connection of its own each time. */
struct load {
    const char *name, *head; /* the request's head without its last lines */
    struct bytes body;
    int times;         /* so many requests one behind the other on a connection */
    int is_fresh;      /* boolean: each body is a module that nobody has sent */
    const char *first; /* the connection's first bytes, for which its client comes as a proxy; NULL: none */
};

static struct {
    const struct daemon *daemon;
    const struct load *load;
    atomic_int stops, number, answers;
    int entries; /* of the cache on disk */
} under;

static struct bytes join(struct bytes all, const void *more, size_t len) {
    all.data = realloc(all.data, all.len + len + 1);
    if (!all.data)
        exit(1);
    memcpy(all.data + all.len, more, len);
    all.len += len;
    all.data[all.len] = 0;
    return all;
}

/* The bytes of a connection, after those that are its own. *new* */
static struct bytes make_requests(const struct load *l) {
    struct bytes all = {0};
    for (int i = 1; i <= l->times; i++) {
        char lines[100];
        snprintf(lines, sizeof lines, "%sContent-Length: %zu\r\n\r\n", i == l->times ? "Connection: close\r\n" : "",
                 l->body.len + (l->is_fresh ? MARK : 0));
        all = join(all, l->head, strlen(l->head));
        all = join(all, lines, strlen(lines));
        if (!l->is_fresh)
            all = join(all, l->body.data, l->body.len);
    }
    return all;
}

/* Sends all of it; 0 if the daemon has closed. */
static int send_all(int fd, const void *bytes, size_t len) {
    ssize_t n = 1;
    for (const char *at = bytes; len && n > 0; at += n, len -= (size_t)n)
        if ((n = send(fd, at, len, MSG_NOSIGNAL)) < 0)
            return 0;
    return 1;
}

static void *keep_busy(void *arg) {
    char from[32], answer[1 << 16], mark[MARK + 1];
    const struct load *l = under.load;
    struct bytes requests = make_requests(l);
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), YIELDING);
    snprintf(from, sizeof from, "127.0.%d.%d", l->first ? 3 : 1, *(int *)arg + 1);
    while (!atomic_load(&under.stops)) {
        int fd = daemon_connect_from(under.daemon, from);
        if (l->first)
            send_all(fd, l->first, strlen(l->first));
        send_all(fd, requests.data, requests.len);
        if (l->is_fresh) {
            snprintf(mark, sizeof mark, "; number %0*d\n", MARK - 10, atomic_fetch_add(&under.number, 1));
            send_all(fd, mark, MARK);
            send_all(fd, l->body.data, l->body.len);
        }
        while (recv(fd, answer, sizeof answer, 0) > 0)
            ;
        atomic_fetch_add(&under.answers, l->times);
        close(fd);
    }
    bytes_free(requests);
    return NULL;
}

/* Milliseconds until another client has an answer of 200. */
static double time_of(const struct daemon *d, const char *path, const char *text) {
    double begun = now_ms();
    struct answer a =
        ask(d, (struct ask){.path = path, .body = text, .len = text ? strlen(text) : 0, .from = "127.0.2.1"});
    double took = now_ms() - begun;
    if (a.http != 200) {
        fprintf(stderr, "another client got %d for %s\n", a.http, path);
        exit(1);
    }
    answer_free(a);
    return took;
}

/* The threads between a probe and its answer; libmicrohttpd gives the connections in turn to the latter. */
struct answering {
    pid_t daemon, accept, http[HTTP_THREADS];
};

static struct answering find_threads(const struct daemon *d) {
    struct answering a = {.daemon = d->pid};
    if (threads_named(d->pid, "smd-accept", &a.accept, 1) == 1 &&
        threads_named(d->pid, "MHD-worker", a.http, HTTP_THREADS) == HTTP_THREADS)
        return a;
    fprintf(stderr, "the daemon's threads are not found\n");
    exit(1);
}

/* The daemon's end of the connection FD: the number that it has there. -1 if it is not found. */
static int other_end(const struct daemon *d, int fd) {
    struct sockaddr_in own, peer;
    socklen_t len = sizeof own;
    int daemon = (int)syscall(SYS_pidfd_open, d->pid, 0), there = -1;
    getsockname(fd, (struct sockaddr *)&own, &len);
    for (int i = 0; i < CONNECTIONS && there < 0; i++) {
        int same = (int)syscall(SYS_pidfd_getfd, daemon, i, 0);
        len = sizeof peer;
        if (same >= 0 && getpeername(same, (struct sockaddr *)&peer, &len) == 0 && peer.sin_family == AF_INET &&
            peer.sin_port == own.sin_port)
            there = i;
        if (same >= 0)
            close(same);
    }
    close(daemon);
    return there;
}

/* One answer: how long it took, and how long of it a thread in its way was ready to run and had no core. */
struct probe {
    double took, waited;
};

static double ask_alive(int fd) {
    static const char request[] = GET("/livez") "\r\n", good[] = "HTTP/1.1 200 ";
    char answer[4096];
    send_all(fd, request, sizeof request - 1);
    if (recv(fd, answer, sizeof answer, 0) > (ssize_t)sizeof good && memcmp(answer, good, sizeof good - 1) == 0)
        return now_ms();
    fprintf(stderr, "/livez was not answered\n");
    exit(1);
}

static struct probe probe_once(const struct daemon *d, const struct answering *a) {
    double before[HTTP_THREADS], after[HTTP_THREADS], begun;
    pid_t self = (pid_t)syscall(SYS_gettid);
    for (int i = 0; i < HTTP_THREADS; i++)
        before[i] = waited_ms(a->daemon, a->http[i]);
    double waited = -waited_ms(getpid(), self) - waited_ms(a->daemon, a->accept);
    begun = now_ms();
    int fd = daemon_connect_from(d, "127.0.2.1");
    struct probe p = {.took = ask_alive(fd) - begun};
    waited += waited_ms(getpid(), self) + waited_ms(a->daemon, a->accept);
    for (int i = 0; i < HTTP_THREADS; i++)
        after[i] = waited_ms(a->daemon, a->http[i]) - before[i];
    int there = p.took > QUICK_MS ? other_end(d, fd) : -1;
    p.waited = there >= 0 ? waited + after[there % HTTP_THREADS] : 0;
    close(fd);
    return p;
}

static void *compile_as_another(void *arg) {
    double *ms = arg;
    static int number;
    for (int i = 0; i < COMPILES_MAX && !atomic_load(&under.stops); i++) {
        char text[80];
        snprintf(text, sizeof text, "define i32 @f() {\n  ret i32 %d\n}\n", number++);
        ms[i] = time_of(under.daemon, "/v1/compile", text);
        ms[COMPILES_MAX] = i + 1;
        usleep(50000);
    }
    return NULL;
}

static void measure(const struct daemon *d, const struct load *l, int clients) {
    static double took[PROBES_MAX], rest[PROBES_MAX], compile[COMPILES_MAX + 1];
    struct answering threads = find_threads(d);
    pthread_t busy[BUSY], another;
    int number[BUSY], probes = 0;
    under.daemon = d;
    under.load = l;
    atomic_store(&under.stops, 0);
    atomic_store(&under.answers, 0);
    for (int i = 0; i < clients; i++) {
        number[i] = i;
        pthread_create(&busy[i], NULL, keep_busy, &number[i]);
    }
    pthread_create(&another, NULL, compile_as_another, compile);
    for (double until = now_ms() + TURN_MS; probes < PROBES_MAX && now_ms() < until; usleep(5000)) {
        struct probe p = probe_once(d, &threads);
        took[probes] = p.took;
        rest[probes++] = p.took - p.waited;
    }
    atomic_store(&under.stops, 1);
    for (int i = 0; i < clients; i++)
        pthread_join(busy[i], NULL);
    pthread_join(another, NULL);
    record_text("busy with", l->name);
    record_number("clients", clients, 0);
    record_number("answers/s", atomic_load(&under.answers) * 1e3 / TURN_MS, 0);
    record_number("probes", probes, 0);
    record_number("p50 ms", quantile(took, probes, 0.5), 1);
    record_number("p99 ms", quantile(took, probes, 0.99), 1);
    record_number("longest ms", took[probes - 1], 1);
    record_number("without waits for a core: p99 ms", quantile(rest, probes, 0.99), 1);
    record_number("longest ms ", rest[probes - 1], 1);
    record_number("compile p50 ms", quantile(compile, (int)compile[COMPILES_MAX], 0.5), 1);
    record_number("longest ms  ", compile[(int)compile[COMPILES_MAX] - 1], 1);
    record_row();
}

/* The beginning of a zstd frame with the largest window that is let through. *new* */
static struct bytes make_cut_short(void) {
    struct bytes in = {calloc(1, 1 << 20), 1 << 20}, out = {malloc(2 << 20), 2 << 20};
    for (size_t i = 0; i < in.len; i++)
        in.data[i] = (unsigned char)(i * i >> 7);
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, 25);
    ZSTD_inBuffer from = {in.data, in.len, 0};
    ZSTD_outBuffer to = {out.data, out.len, 0};
    ZSTD_compressStream2(c, &to, &from, ZSTD_e_flush);
    ZSTD_freeCCtx(c);
    bytes_free(in);
    out.len = to.pos;
    return out;
}

/* A form with this module; a batch of so many. *new* */
static struct bytes make_form(const char *ir, int items) {
    struct bytes all = {0};
    all = join(all, items ? "[" : "", items ? 1 : 0);
    for (int i = 0; i < items || i == 0; i++) {
        all = join(all, i ? "," : "", i ? 1 : 0);
        all = join(all, "{\"ir\":\"", 7);
        all = join(all, ir, strlen(ir));
        all = join(all, "\"}", 2);
    }
    return join(all, items ? "]" : "", items ? 1 : 0);
}

static int is_read_in(void *d) {
    return cached_is_read_in(d, under.entries);
}

void bench_alive(const char *only) {
    char folder[] = "/tmp/smd-bench-alive-XXXXXX";
    const char *const flags[] = {
        "--cache-memory-mib", "256",          "--client-jobs", "64",    "--cache-dir", folder,
        "--trusted-proxies",  "127.0.3.0/24", "--client-from", "proxy", NULL};
    under.entries = only && !strstr(LISTED, only) ? 0 : ENTRIES;
    cached_folder_make(folder, under.entries);
    struct daemon d = daemon_start(flags);
    await(is_read_in, &d, 60, "the folder to be read in");
    struct bytes none = {0}, tiny = make_module(0), large = make_module(60000),
                 comment = repeat("; a comment\\n", 64 << 10);
    char artifact[200];
    struct answer a = post(&d, "/v1/compile?opt=0", "@x = constant [9000000 x i8] zeroinitializer\n");
    char *key = answer_header(&a, "X-Smd-Key");
    snprintf(artifact, sizeof artifact, GET("/v1/artifacts/%s"), key);
    free(key);
    answer_free(a);
    const struct load loads[] = {
        {"nothing", NULL, none, 1, 0, NULL},
        {"/livez", GET("/livez"), none, 50, 0, NULL},
        {"hits", TEXT("/v1/compile"), tiny, 50, 0, NULL},
        {"an artifact of 9 MB", artifact, none, 1, 0, NULL},
        {"PROXY lines", GET("/livez"), none, 1, 0, "PROXY TCP4 192.0.2.1 192.0.2.2 1234 80\r\n"},
        {"compiles, small", TEXT("/v1/compile"), tiny, 1, 1, NULL},
        {"compiles, 60 KB", TEXT("/v1/compile?deadline_ms=2000"), large, 1, 1, NULL},
        {"bodies, 24 MB", TEXT("/v1/compile?deadline_ms=2000"), repeat("; a comment of a module\n", 1 << 20), 1, 1,
         NULL},
        {"forms, 800 KB", JSON("/v1/compile"), make_form((char *)comment.data, 0), 1, 0, NULL},
        {"batches of 64", JSON("/v1/batch"), make_form("define void @f() { ret void }", 64), 4, 0, NULL},
        {"zstd, cut short", TEXT("/v1/compile") "Content-Encoding: zstd\r\n", make_cut_short(), 1, 0, NULL},
        {"metrics", GET("/metrics"), none, 20, 0, NULL},
        {"history", GET("/v1/history"), none, 10, 0, NULL},
        {LISTED, GET("/v1/manifest"), none, 1, 0, NULL},
    };
    record_table("alive", "Milliseconds until another client has an answer of /livez, and of a small compile, while "
                          "clients keep a route busy");
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (!only || strstr(loads[i].name, only))
            for (int clients = loads[i].head ? 1 : 0; clients <= BUSY; clients = clients == 1 ? BUSY : BUSY + 1)
                measure(&d, &loads[i], clients);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (loads[i].body.data != tiny.data && loads[i].body.data != large.data)
            bytes_free(loads[i].body);
    bytes_free(tiny);
    bytes_free(large);
    bytes_free(comment);
    daemon_stop(&d);
    cached_folder_remove(folder);
}
