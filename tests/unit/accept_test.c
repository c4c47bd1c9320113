/* The Accept header chooses among what can be given. */
#include "accept.h"

#include <criterion/criterion.h>

static const char *const offers[] = {"application/json", "application/octet-stream", "text/plain", NULL};

static void chooses(const char *header, int wanted) {
    cr_assert_eq(accept_choose(header, offers), wanted, "%s", header ? header : "(none)");
}

Test(accept, codings) {
    static const struct {
        const char *header;
        enum coding wanted;
    } row[] = {
        {NULL, CODING_NONE},
        {"", CODING_NONE},
        {"*", CODING_NONE},
        {"identity", CODING_NONE},
        {"br, deflate", CODING_NONE},
        {"gzip", CODING_GZIP},
        {"GZip;q=0.2", CODING_GZIP},
        {"gzip;q=0", CODING_NONE},
        {"gzip;q=0.0, zstd;q=0", CODING_NONE},
        {"gzip, deflate, br, zstd", CODING_ZSTD},
        {"zstd;q=0.5, gzip", CODING_GZIP},
        {"zstd;q=0, gzip;q=0.1", CODING_GZIP},
        {"x-gzip", CODING_NONE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        cr_expect_eq(accept_coding(row[i].header), row[i].wanted, "%s", row[i].header ? row[i].header : "(none)");
    cr_expect(accept_takes("zstd, gzip;q=0.1", CODING_GZIP) && !accept_takes("zstd, gzip;q=0", CODING_GZIP));
}

Test(accept, choices) {
    chooses(NULL, 0);
    chooses("", 0);
    chooses("*/*", 0);
    chooses("application/octet-stream", 1);
    chooses("APPLICATION/Octet-Stream", 1);
    chooses("application/*", 0);
    chooses("text/*", 2);
    chooses("text/plain, application/json", 0);
    chooses("application/json;q=0.5, text/plain", 2);
    chooses("application/json;q=0, */*", 1);
    chooses("text/html, application/xhtml+xml, */*;q=0.8", 0);
    chooses("text/plain;charset=utf-8;q=0.9, application/json;q=0.1", 2);
    chooses("image/png", -1);
    chooses("application/json;q=0", -1);
    chooses("application/jsonx", -1);
    chooses(" , ,text/plain", 2);
}
