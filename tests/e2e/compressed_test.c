/* Answers that are compressed for clients that accept it: the same bytes, whatever they are an answer to. */
#include "http.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define PLAIN_MAX ((size_t)64 << 20)

static struct daemon d;
static struct bytes module; /* its JSON is over 16 KiB, its object too */

static void start_with(const char *const *flags) {
    enum { FUNCTIONS = 200, ROOM = 300 };
    d = daemon_start(flags);
    module.data = malloc(FUNCTIONS * ROOM);
    module.len = (size_t)sprintf((char *)module.data, "declare void @work()\n");
    for (int i = 0; i < FUNCTIONS; i++)
        module.len +=
            (size_t)sprintf((char *)module.data + module.len,
                            "define ptr addrspace(1) @f%d(ptr addrspace(1) %%p) gc \"statepoint-example\" {\n"
                            "  call void @work()\n  ret ptr addrspace(1) %%p\n}\n",
                            i);
}

static void start(void) {
    start_with((const char *const[]){"--cache-memory-mib", "64", NULL});
}

static void stop(void) {
    daemon_stop(&d);
    bytes_free(module);
}

/* The daemon has room for one answer: the next may come while it counts the one before, which its client has read. */
static void start_with_room_for_one(void) {
    start_with(
        (const char *const[]){"--cache-memory-mib", "64", "--max-output-mib", "1", "--answers-mib", "1", NULL});
}

TestSuite(compressed, .init = start, .fini = stop, .timeout = 600);
TestSuite(compressed_little_room, .init = start_with_room_for_one, .fini = stop, .timeout = 600);

static struct answer compile(const char *accept, const char *encoding) {
    return ask(&d, (struct ask){.path = "/v1/compile?safepoints=none&emit=obj,ir",
                                .body = module.data,
                                .len = module.len,
                                .headers = {accept, encoding}});
}

static struct bytes gunzipped(struct bytes in) {
    struct bytes out = {malloc(PLAIN_MAX), PLAIN_MAX};
    z_stream z = {.next_in = in.data, .avail_in = (uInt)in.len, .next_out = out.data, .avail_out = (uInt)out.len};
    cr_assert_eq(inflateInit2(&z, 15 + 16), Z_OK);
    cr_assert_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
    cr_assert_eq(z.avail_in, 0);
    out.len -= z.avail_out;
    inflateEnd(&z);
    return out;
}

static struct bytes unzstd(struct bytes in) {
    struct bytes out = {malloc(PLAIN_MAX), PLAIN_MAX};
    out.len = ZSTD_decompress(out.data, out.len, in.data, in.len);
    cr_assert(!ZSTD_isError(out.len));
    return out;
}

/* The answer's body, *new*, as its Content-Encoding says, which is ENCODING (NULL: none). */
static struct bytes body_of(const struct answer *a, const char *encoding) {
    char *said = answer_header(a, "Content-Encoding");
    cr_assert_eq(a->http, 200, "%s", (char *)a->body.data);
    if (!encoding) {
        cr_assert_null(said);
        struct bytes copy = {malloc(a->body.len + 1), a->body.len};
        memcpy(copy.data, a->body.data, a->body.len);
        return copy;
    }
    cr_assert(said && strcmp(said, encoding) == 0, "%s", said ? said : "(none)");
    free(said);
    return strcmp(encoding, "gzip") == 0 ? gunzipped(a->body) : unzstd(a->body);
}

static void header_is(const struct answer *a, const char *name, const char *start_of_value) {
    char *value = answer_header(a, name);
    cr_assert(value && strncmp(value, start_of_value, strlen(start_of_value)) == 0, "%s: %s", name,
              value ? value : "(none)");
    free(value);
}

/* The answer has the bytes of WANTED, which came as it is, and is smaller. */
static void is_same(const struct answer *a, const char *encoding, struct bytes wanted) {
    struct bytes got = body_of(a, encoding);
    cr_assert_eq(got.len, wanted.len);
    cr_assert_arr_eq(got.data, wanted.data, wanted.len);
    cr_assert_lt(a->body.len, wanted.len);
    header_is(a, "ETag", "W/\"");
    header_is(a, "Vary", "Accept, Accept-Encoding");
    bytes_free(got);
}

static const char *const types[] = {"Accept: application/json", "Accept: application/octet-stream",
                                    "Accept: application/vnd.smd.artifact", "Accept: text/plain"};

Test(compressed, every_type_has_the_same_bytes) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct answer plain = compile(types[i], NULL);
        struct bytes wanted = body_of(&plain, NULL);
        header_is(&plain, "ETag", "\"");
        cr_assert_gt(wanted.len, 16384);
        for (int again = 0; again < 3; again++) { /* the second and third time from the cache, as it was sent */
            struct answer gzip = compile(types[i], "Accept-Encoding: gzip, deflate"),
                          zstd = compile(types[i], "Accept-Encoding: gzip, zstd");
            is_same(&gzip, "gzip", wanted);
            is_same(&zstd, "zstd", wanted);
            header_is(&zstd, "X-Smd-Cache", "memory");
            answer_free(gzip);
            answer_free(zstd);
        }
        bytes_free(wanted);
        answer_free(plain);
    }
}

Test(compressed, a_compile_is_answered_so_at_once) {
    struct answer gzip = compile(types[0], "Accept-Encoding: gzip");
    header_is(&gzip, "X-Smd-Cache", "compiled");
    struct answer plain = compile(types[0], NULL);
    struct bytes wanted = body_of(&plain, NULL);
    is_same(&gzip, "gzip", wanted);
    bytes_free(wanted);
    answer_free(plain);
    answer_free(gzip);
}

Test(compressed, short_answers_and_those_of_two_parts_are_as_they_are) {
    struct answer multipart = compile("Accept: multipart/mixed", "Accept-Encoding: zstd"),
                  refused = compile(types[0], "Accept-Encoding: gzip;q=0, *"),
                  small = ask(&d, (struct ask){.path = "/v1/compile",
                                               .body = "define void @f() { ret void }",
                                               .len = 29,
                                               .headers = {"Accept-Encoding: zstd, gzip"}});
    bytes_free(body_of(&multipart, NULL));
    bytes_free(body_of(&refused, NULL));
    bytes_free(body_of(&small, NULL));
    header_is(&small, "Vary", "Accept, Accept-Encoding");
    answer_free(multipart);
    answer_free(refused);
    answer_free(small);
}

/* 1 MiB is there for an answer: this one has room as it is, but not with its compressed form beside it. */
Test(compressed_little_room, an_answer_comes_as_it_is) {
    struct answer a = ask(&d, (struct ask){.path = "/v1/compile?safepoints=none&emit=obj,ir,asm",
                                           .body = module.data,
                                           .len = module.len,
                                           .headers = {"Accept-Encoding: gzip"}});
    struct bytes got = body_of(&a, NULL);
    cr_assert_gt(got.len, 300 << 10);
    bytes_free(got);
    answer_free(a);
}

Test(compressed, artifacts_and_jobs) {
    struct answer plain = compile(types[0], NULL);
    struct bytes wanted = body_of(&plain, NULL);
    char path[200];
    snprintf(path, sizeof path, "/v1/artifacts/%s", member(&plain, "key"));
    struct answer a = ask(&d, (struct ask){.path = path, .headers = {"Accept-Encoding: gzip"}});
    is_same(&a, "gzip", wanted);
    char *tag = answer_header(&a, "ETag"), known[200];
    snprintf(known, sizeof known, "If-None-Match: %s", tag);
    struct answer same = ask(&d, (struct ask){.path = path, .headers = {"Accept-Encoding: gzip", known}});
    cr_assert_eq(same.http, 304);
    struct answer job =
        ask(&d, (struct ask){.path = "/v1/jobs?safepoints=none&emit=obj,ir", .body = module.data, .len = module.len});
    cr_assert_eq(job.http, 202);
    char *place = answer_header(&job, "Location");
    snprintf(path, sizeof path, "%s?wait=30", place);
    struct answer done = ask(&d, (struct ask){.path = path, .headers = {"Accept-Encoding: zstd"}});
    struct bytes got = body_of(&done, "zstd");
    cr_assert(got.len == wanted.len && memcmp(got.data, wanted.data, got.len) == 0);
    bytes_free(got);
    free(place);
    free(tag);
    bytes_free(wanted);
    answer_free(done);
    answer_free(job);
    answer_free(same);
    answer_free(a);
    answer_free(plain);
}

Test(compressed, batches) {
    json_t *form = json_pack("[{s:s%, s:{s:s}}]", "ir", module.data, module.len, "options", "safepoints", "none");
    char *text = json_dumps(form, 0);
    struct ask asked = {
        .path = "/v1/batch", .body = text, .len = strlen(text), .headers = {"Content-Type: application/json", NULL}};
    struct answer plain = ask(&d, asked);
    struct bytes wanted = body_of(&plain, NULL);
    asked.headers[1] = "Accept-Encoding: gzip";
    struct answer a = ask(&d, asked);
    struct bytes got = body_of(&a, "gzip");
    cr_assert(got.len == wanted.len && memcmp(got.data, wanted.data, got.len) == 0);
    cr_assert_lt(a.body.len, wanted.len / 4);
    bytes_free(got);
    bytes_free(wanted);
    answer_free(a);
    answer_free(plain);
    free(text);
    json_decref(form);
}
