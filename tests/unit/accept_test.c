/* The Accept header chooses among what can be given. */
#include "accept.h"

#include <criterion/criterion.h>

static const char *const offers[] = {"application/json", "application/octet-stream", "text/plain", NULL};

static void chooses(const char *header, int wanted) {
    cr_assert_eq(accept_choose(header, offers), wanted, "%s", header ? header : "(none)");
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
