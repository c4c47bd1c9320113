/* What a client may try to take the daemon down or to get by its bounds: each has a typed answer, and the daemon stays small. */
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static struct daemon d;

TestSuite(attacks, .timeout = 300);

/* Kilobytes of the daemon's memory, by a line of /proc/PID/status: VmHWM is the most it ever had, VmRSS what it has. */
static long kilobytes(const char *line) {
    char path[64], text[200];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)d.pid);
    FILE *f = fopen(path, "re");
    cr_assert_not_null(f, "the daemon is gone");
    while (fgets(text, sizeof text, f))
        if (strncmp(text, line, strlen(line)) == 0)
            kb = atol(text + strlen(line) + 1);
    fclose(f);
    return kb;
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
    every_route_refuses(bomb("{\"ir\":", "[", most / 8, "]}"), 413, "body_too_large");
    every_route_refuses(bomb("{\"ir\":", "[", 1000, "]}"), 400, "invalid_json");
    long peak = kilobytes("VmHWM:"), now = kilobytes("VmRSS:");
    cr_assert_lt(peak, 300 << 10, "it took %ld kB", peak);
    cr_assert_lt(now, 80 << 10, "it kept %ld kB", now);
    await(holds_nothing, NULL, 20, "the bodies to be given back");
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
