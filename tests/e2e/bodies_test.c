/* What goes in: every form and encoding of a body, and the limits on it. */
#include "http.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static struct daemon d;
static struct bytes example;

static void start(void) {
    static const char *const flags[] = {"--max-body-mib", "4", "--max-inflation", "100", NULL};
    d = daemon_start(flags);
    example = read_file(SOURCE_DIR "/docs/examples/list.ll");
}

static void stop(void) {
    daemon_stop(&d);
    bytes_free(example);
}

TestSuite(bodies, .init = start, .fini = stop, .timeout = 600);

static struct answer send_bytes(struct bytes body, const char *header, int chunked, int expect) {
    return ask(&d, (struct ask){.path = "/v1/compile",
                                .body = body.data,
                                .len = body.len,
                                .headers = {header},
                                .chunked = chunked,
                                .expect = expect});
}

/* The same module gives the same object, however it came. */
static void gives_the_example(struct answer a) {
    struct answer plain = send_bytes(example, NULL, 0, 0);
    cr_assert_eq(a.http, 200, "%s", a.body.data ? (char *)a.body.data : "");
    cr_assert_str_eq(member(&a, "obj"), member(&plain, "obj"));
    answer_free(plain);
    answer_free(a);
}

static struct bytes gzipped(struct bytes in, int window) {
    z_stream z = {0};
    struct bytes out = {malloc(in.len + 1000), in.len + 1000};
    deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    z.next_in = in.data;
    z.avail_in = (uInt)in.len;
    z.next_out = out.data;
    z.avail_out = (uInt)out.len;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.len -= z.avail_out;
    deflateEnd(&z);
    return out;
}

static struct bytes zstandard(struct bytes in) {
    struct bytes out = {malloc(ZSTD_compressBound(in.len)), ZSTD_compressBound(in.len)};
    out.len = ZSTD_compress(out.data, out.len, in.data, in.len, 3);
    return out;
}

static struct bytes bitcode(void) {
    int status;
    return run_command("llvm-as-19 -o -", example.data, example.len, &status);
}

static struct bytes json_form(const char *member_name, const char *text) {
    json_t *o = json_pack("{s:s,s:{s:i,s:[s]}}", member_name, text, "options", "opt", 2, "emit", "obj");
    char *dumped = json_dumps(o, 0);
    json_decref(o);
    return (struct bytes){(unsigned char *)dumped, strlen(dumped)};
}

Test(bodies, chunked_expected_and_default_media_type) {
    gives_the_example(send_bytes(example, NULL, 1, 0));
    gives_the_example(send_bytes(example, NULL, 0, 1));
    gives_the_example(send_bytes(example, "Content-Type: application/x-www-form-urlencoded", 0, 0));
    gives_the_example(send_bytes(example, "Content-Type: application/octet-stream", 1, 1));
}

Test(bodies, json_form) {
    struct bytes b = json_form("ir", (char *)example.data);
    gives_the_example(send_bytes(b, "Content-Type: application/json; charset=utf-8", 0, 0));
    bytes_free(b);
}

Test(bodies, bitcode_raw_wrapped_and_in_json) {
    struct bytes bc = bitcode(), wrapped = {calloc(1, bc.len + 24), bc.len + 20};
    uint32_t head[5] = {0x0B17C0DE, 0, 20, (uint32_t)bc.len, 0}; /* magic, version, offset, size, CPU type */
    int status;
    struct answer plain = send_bytes(bc, NULL, 0, 0);
    cr_assert_eq(plain.http, 200, "%s", (char *)plain.body.data);
    memcpy(wrapped.data, head, sizeof head);
    memcpy(wrapped.data + 20, bc.data, bc.len);
    struct answer a = send_bytes(wrapped, NULL, 0, 0);
    cr_assert_str_eq(member(&a, "obj"), member(&plain, "obj"));
    answer_free(a);
    struct bytes text = run_command("base64", bc.data, bc.len, &status),
                 form = json_form("bitcode", (char *)text.data);
    a = send_bytes(form, "Content-Type: application/json", 0, 0);
    cr_assert_str_eq(member(&a, "obj"), member(&plain, "obj"));
    answer_free(a);
    answer_free(plain);
    bytes_free(text);
    bytes_free(form);
    bytes_free(bc);
    bytes_free(wrapped);
}

Test(bodies, compressed) {
    struct bytes gz = gzipped(example, 15 + 16), deflated = gzipped(example, 15), zs = zstandard(example);
    gives_the_example(send_bytes(gz, "Content-Encoding: gzip", 0, 0));
    gives_the_example(send_bytes(gz, "Content-Encoding: GZIP", 1, 0));
    gives_the_example(send_bytes(deflated, "Content-Encoding: deflate", 0, 0));
    gives_the_example(send_bytes(zs, "Content-Encoding: zstd", 0, 0));
    gives_the_example(send_bytes(example, "Content-Encoding: identity", 0, 0));
    gz.len -= 5;
    struct answer a = send_bytes(gz, "Content-Encoding: gzip", 0, 0);
    assert_problem(&a, 400, "invalid_encoding");
    answer_free(a);
    a = send_bytes(example, "Content-Encoding: zstd", 0, 0);
    assert_problem(&a, 400, "invalid_encoding");
    answer_free(a);
    a = send_bytes(example, "Content-Encoding: br", 0, 0);
    assert_problem(&a, 415, "unsupported_encoding");
    answer_free(a);
    bytes_free(gz);
    bytes_free(deflated);
    bytes_free(zs);
}

/* The inflater's own buffer has 32 KiB: what fills it to the last byte is as whole as anything else. */
/* Chunks of LEN bytes of the body, and the end. */
static void send_chunks(int fd, struct bytes body, size_t len) {
    char size[20];
    for (size_t at = 0; at < body.len; at += len) {
        size_t n = body.len - at < len ? body.len - at : len;
        cr_assert_gt(send(fd, size, (size_t)sprintf(size, "%zx\r\n", n), MSG_NOSIGNAL), 0);
        cr_assert_eq(send(fd, body.data + at, n, MSG_NOSIGNAL), (ssize_t)n);
        cr_assert_eq(send(fd, "\r\n", 2, MSG_NOSIGNAL), 2);
    }
    cr_assert_eq(send(fd, "0\r\n\r\n", 5, MSG_NOSIGNAL), 5);
}

/* Many chunks lie in the daemon's hands while another thread inflates the one before, and each is inflated once. */
Test(bodies, compressed_in_chunks_of_any_size) {
    enum { LINES = 50000, LINE = 40 };
    static const char head[] = "POST /v1/compile?opt=0 HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n"
                               "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    struct bytes text = {malloc(LINES * LINE), 0};
    unsigned x = 1;
    for (int i = 0; i < LINES; i++)
        text.len += (size_t)sprintf((char *)text.data + text.len, "; %08x %08x\n", x = x * 1103515245 + 12345, i);
    text.len += (size_t)sprintf((char *)text.data + text.len, "define void @f() {\n  ret void\n}\n");
    struct bytes packed = gzipped(text, 15 + 16);
    cr_assert_gt(packed.len, 300000);
    for (size_t len = 61; len < packed.len; len *= 7) {
        char status[14] = "";
        int fd = daemon_connect(&d);
        cr_assert_eq(send(fd, head, sizeof head - 1, MSG_NOSIGNAL), (ssize_t)sizeof head - 1);
        send_chunks(fd, packed, len);
        cr_assert_eq(recv(fd, status, 13, MSG_WAITALL), 13);
        cr_expect_str_eq(status, "HTTP/1.1 200 ", "chunks of %zu", len);
        close(fd);
    }
    bytes_free(text);
    bytes_free(packed);
}

Test(bodies, inflated_sizes_around_the_buffers) {
    for (size_t n = 1; n <= 4; n++)
        for (int more = -1; more <= 1; more++) {
            struct bytes lines = repeat(";;;;;;;\n", n << 12);
            lines.len += (size_t)more; /* a line's end, or a terminator: neither matters to the parser */
            lines.data[lines.len - 1] = '\n';
            struct bytes zs = zstandard(lines), gz = gzipped(lines, 15 + 16);
            for (int i = 0; i < 4; i++) {
                struct answer a = send_bytes(i & 1 ? zs : gz,
                                             i & 1 ? "Content-Encoding: zstd" : "Content-Encoding: gzip", i >> 1, 0);
                cr_assert_eq(a.http, 200, "%zu bytes: %s", lines.len, (char *)a.body.data);
                answer_free(a);
            }
            bytes_free(zs);
            bytes_free(gz);
            bytes_free(lines);
        }
}

Test(bodies, inflation_is_bounded) {
    struct bytes zeros = repeat(";;;;;;;;;;;;;;;\n", 8 << 16), gz, zs; /* 8 MiB, of a limit of 4 */
    gz = gzipped(zeros, 15 + 16);
    zs = zstandard(zeros);
    struct answer a = send_bytes(gz, "Content-Encoding: gzip", 0, 0);
    assert_problem(&a, 413, "body_too_large");
    answer_free(a);
    a = send_bytes(zs, "Content-Encoding: zstd", 0, 0);
    assert_problem(&a, 413, "body_too_large");
    answer_free(a);
    bytes_free(zeros);
    bytes_free(gz);
    bytes_free(zs);
}

Test(bodies, size_limit) {
    struct bytes fits = repeat(";;;;;;;;;;;;;;;\n", 4 << 16), over = repeat(";;;;;;;;;;;;;;;\n", (4 << 16) + 1);
    struct answer a = send_bytes(fits, NULL, 0, 0);
    cr_assert_eq(a.http, 200, "%s", (char *)a.body.data);
    answer_free(a);
    for (int i = 0; i < 4; i++) { /* announced or not, asked for first or not */
        a = send_bytes(over, NULL, i & 1, i >> 1);
        assert_problem(&a, 413, "body_too_large");
        answer_free(a);
    }
    bytes_free(fits);
    bytes_free(over);
}

Test(bodies, one_connection_serves_many_requests) {
    char command[512];
    int status;
    snprintf(command, sizeof command,
             "cat > /tmp/e2e-%d.ll; for i in 1 2 3 4 5; do echo \"next\"; printf 'url = "
             "\"%s/v1/compile?name=%%s\"\\ndata-binary = \"@/tmp/e2e-%d.ll\"\\n"
             "output = /dev/null\\nwrite-out = \"%%%%{http_code} %%%%{num_connects}\\\\n\"\\n' $i; done | tail -n +2 "
             "| curl -sS -K -; rm -f /tmp/e2e-%d.ll",
             (int)d.pid, d.url, (int)d.pid, (int)d.pid);
    struct bytes out = run_command(command, example.data, example.len, &status);
    cr_assert_str_eq((char *)out.data, "200 1\n200 0\n200 0\n200 0\n200 0\n");
    bytes_free(out);
}
