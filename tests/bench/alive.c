/* alive.c - see alive.h. Sixteen threads, each a client of its own, send the same again and again. */
#include "alive.h"

#include "bench.h"
#include "cached.h"
#include "client.h"
#include "http.h"
#include "record.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zstd.h>

enum { BUSY = 16, TURN_MS = 3000, PROBES_MAX = 1000, COMPILES_MAX = 30, ENTRIES = 100000 };

#define TEXT(path) "POST " path " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
#define JSON(path) "POST " path " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
#define GET(path)  "GET " path " HTTP/1.1\r\nHost: localhost\r\n"

/* What one of them sends, on a connection of its own each time. */
struct load {
    const char *name, *head; /* the request's head without its last lines */
    struct bytes body;
    int times;    /* so many requests one behind the other on a connection */
    int is_fresh; /* boolean: each body is a module that nobody has sent */
};

static struct {
    const struct daemon *daemon;
    const struct load *load;
    atomic_int stops, number, answers;
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

/* The bytes of a connection. *new* */
static struct bytes make_requests(const struct load *l) {
    struct bytes all = {0}, body = l->body;
    if (l->is_fresh)
        body = with_comment(l->body, atomic_fetch_add(&under.number, 1));
    for (int i = 1; i <= l->times; i++) {
        char lines[100];
        snprintf(lines, sizeof lines, "%sContent-Length: %zu\r\n\r\n", i == l->times ? "Connection: close\r\n" : "",
                 body.len);
        all = join(all, l->head, strlen(l->head));
        all = join(all, lines, strlen(lines));
        all = join(all, body.data, body.len);
    }
    if (l->is_fresh)
        bytes_free(body);
    return all;
}

static void *keep_busy(void *arg) {
    char from[32], answer[1 << 16];
    const struct load *l = under.load;
    struct bytes same = l->is_fresh ? (struct bytes){0} : make_requests(l);
    snprintf(from, sizeof from, "127.0.1.%d", *(int *)arg + 1);
    while (!atomic_load(&under.stops)) {
        struct bytes mine = l->is_fresh ? make_requests(l) : same;
        int fd = daemon_connect_from(under.daemon, from);
        ssize_t n = 1;
        for (size_t at = 0; at < mine.len && n > 0; at += (size_t)n)
            n = send(fd, mine.data + at, mine.len - at, MSG_NOSIGNAL);
        while (recv(fd, answer, sizeof answer, 0) > 0)
            ;
        atomic_fetch_add(&under.answers, l->times);
        close(fd);
        if (l->is_fresh)
            bytes_free(mine);
    }
    bytes_free(same);
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

static void measure(const struct daemon *d, const struct load *l) {
    static double probe[PROBES_MAX], compile[COMPILES_MAX + 1];
    pthread_t busy[BUSY], another;
    int number[BUSY], probes = 0;
    under.daemon = d;
    under.load = l;
    atomic_store(&under.stops, 0);
    atomic_store(&under.answers, 0);
    for (int i = 0; l->head && i < BUSY; i++) {
        number[i] = i;
        pthread_create(&busy[i], NULL, keep_busy, &number[i]);
    }
    pthread_create(&another, NULL, compile_as_another, compile);
    for (double until = now_ms() + TURN_MS; probes < PROBES_MAX && now_ms() < until; usleep(10000))
        probe[probes++] = time_of(d, "/livez", NULL);
    atomic_store(&under.stops, 1);
    for (int i = 0; l->head && i < BUSY; i++)
        pthread_join(busy[i], NULL);
    pthread_join(another, NULL);
    record_text("busy with", l->name);
    record_number("answers/s", atomic_load(&under.answers) * 1e3 / TURN_MS, 0);
    record_number("probes", probes, 0);
    record_number("p50 ms", quantile(probe, probes, 0.5), 1);
    record_number("p99 ms", quantile(probe, probes, 0.99), 1);
    record_number("longest ms", probe[probes - 1], 1);
    record_number("compile p50 ms", quantile(compile, (int)compile[COMPILES_MAX], 0.5), 1);
    record_number("longest ms ", compile[(int)compile[COMPILES_MAX] - 1], 1);
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
    return cached_is_read_in(d, ENTRIES);
}

void bench_alive(const char *only) {
    char folder[] = "/tmp/smd-bench-alive-XXXXXX";
    const char *const flags[] = {"--cache-memory-mib", "256", "--client-jobs", "64", "--cache-dir", folder, NULL};
    cached_folder_make(folder, ENTRIES);
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
        {"nothing", NULL, none, 1, 0},
        {"/livez", GET("/livez"), none, 50, 0},
        {"hits", TEXT("/v1/compile"), tiny, 50, 0},
        {"an artifact of 9 MB", artifact, none, 1, 0},
        {"compiles, small", TEXT("/v1/compile"), tiny, 1, 1},
        {"compiles, 60 KB", TEXT("/v1/compile?deadline_ms=2000"), large, 1, 1},
        {"bodies, 24 MB", TEXT("/v1/compile?deadline_ms=2000"), repeat("; a comment of a module\n", 1 << 20), 1, 1},
        {"forms, 800 KB", JSON("/v1/compile"), make_form((char *)comment.data, 0), 1, 0},
        {"batches of 64", JSON("/v1/batch"), make_form("define void @f() { ret void }", 64), 4, 0},
        {"zstd, cut short", TEXT("/v1/compile") "Content-Encoding: zstd\r\n", make_cut_short(), 1, 0},
        {"metrics", GET("/metrics"), none, 20, 0},
        {"history", GET("/v1/history"), none, 10, 0},
        {"manifest, 100,000 keys", GET("/v1/manifest"), none, 1, 0},
    };
    record_table("alive", "Milliseconds until another client has an answer of /livez, and of a small compile, while "
                          "16 clients keep a route busy");
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (!only || strstr(loads[i].name, only))
            measure(&d, &loads[i]);
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (loads[i].body.data != tiny.data && loads[i].body.data != large.data)
            bytes_free(loads[i].body);
    bytes_free(tiny);
    bytes_free(large);
    bytes_free(comment);
    daemon_stop(&d);
    cached_folder_remove(folder);
}
