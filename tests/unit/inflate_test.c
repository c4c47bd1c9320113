/* Turns of the inflater: a piece that inflates to much does not keep a thread for long. */
#include "body.h"
#include "inflate.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { WHOLE = 16 << 20, BLOCK = 128 << 10, TURN = 128 << 10 };

struct piece {
    unsigned char *bytes;
    size_t len;
};

/* WHOLE zeros, compressed. */
static struct piece compressed(const char *encoding) {
    unsigned char *zeros = calloc(1, WHOLE);
    struct piece p = {malloc(WHOLE), WHOLE};
    if (strcmp(encoding, "zstd") == 0) {
        p.len = ZSTD_compress(p.bytes, WHOLE, zeros, WHOLE, 3);
        cr_assert_not(ZSTD_isError(p.len));
    } else {
        uLongf len = WHOLE;
        cr_assert_eq(compress2(p.bytes, &len, zeros, WHOLE, 9), Z_OK);
        p.len = len;
    }
    free(zeros);
    return p;
}

static sm_status count(void *arg, const void *bytes, size_t len) {
    (void)bytes;
    *(size_t *)arg += len;
    return SM_OK;
}

/* Each call takes as much as one turn is long, and all of them take all. */
static void takes_turns(const char *encoding) {
    struct piece p = compressed(encoding);
    sm_status status;
    struct inflater *i = inflater_new(encoding, WHOLE, NULL, 1, &status);
    cr_assert_not_null(i);
    size_t whole = 0, turns = 0;
    for (size_t at = 0; at < p.len; turns++) {
        size_t made = 0, len = p.len - at;
        cr_assert_eq(inflater_add(i, p.bytes + at, &len, TURN, count, &made), SM_OK);
        cr_assert_leq(len, p.len - at);
        cr_assert_leq(made, TURN + BLOCK + INFLATER_RUN);
        cr_assert(len || made, "a turn that does nothing");
        whole += made;
        at += len;
    }
    cr_assert_eq(whole, WHOLE);
    cr_assert_geq(turns, WHOLE / (TURN + BLOCK + INFLATER_RUN));
    cr_assert(inflater_done(i));
    inflater_free(i);
    free(p.bytes);
}

/* What inflates to much is left to another thread but for its beginning, whatever came before. */
static void is_left_to_another(const char *encoding) {
    static const struct settings s = {.max_body_mib = 64, .max_inflation = 100000};
    static struct metrics m;
    struct piece p = compressed(encoding);
    struct body b;
    cr_assert_eq(body_begin(&b, encoding, NULL, &s, &m, NULL, 1), SM_OK);
    for (size_t at = 0, len; at < p.len; at += len) {
        len = p.len - at < 3000 ? p.len - at : 3000;
        size_t before = b.bytes.len;
        if (!body_add(&b, p.bytes + at, len))
            cr_assert_leq(b.bytes.len - before, BLOCK + INFLATER_RUN);
        else
            cr_assert_lt(before, BLOCK);
        if (b.rest)
            body_go_on(&b);
        cr_assert_null(b.rest);
    }
    cr_assert_eq(body_end(&b), SM_OK);
    cr_assert_eq(b.bytes.len, WHOLE);
    body_free(&b);
    free(p.bytes);
}

Test(inflate, large_bodies_are_left_to_another_thread) {
    is_left_to_another("zstd");
    is_left_to_another("deflate");
}

Test(inflate, zstd_takes_turns) {
    takes_turns("zstd");
}

Test(inflate, zlib_takes_turns) {
    takes_turns("deflate");
}
