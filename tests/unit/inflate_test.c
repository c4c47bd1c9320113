/* Turns of the inflater: a piece that inflates to much does not keep a thread for long. */
#include "inflate.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { WHOLE = 16 << 20, BLOCK = 128 << 10, OUT = 32 << 10 };

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
        cr_assert_eq(inflater_add(i, p.bytes + at, &len, count, &made), SM_OK);
        cr_assert_leq(len, p.len - at);
        cr_assert_leq(made, INFLATER_TURN + BLOCK + OUT);
        cr_assert(len || made, "a turn that does nothing");
        whole += made;
        at += len;
    }
    cr_assert_eq(whole, WHOLE);
    cr_assert_geq(turns, WHOLE / (INFLATER_TURN + BLOCK + OUT));
    cr_assert(inflater_done(i));
    inflater_free(i);
    free(p.bytes);
}

Test(inflate, zstd_takes_turns) {
    takes_turns("zstd");
}

Test(inflate, zlib_takes_turns) {
    takes_turns("deflate");
}
