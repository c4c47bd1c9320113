/* Which names a request may have, on each kind of listener. */
#include "origin.h"

#include <criterion/criterion.h>
#include <string.h>

static struct error err;

static sm_status check(enum origin_rule rule, const char *hosts, const char *host, const char *origin) {
    return origin_check(rule, hosts, host, host ? strlen(host) : 0, origin, &err);
}

Test(origin, loopback_has_loopbacks_names) {
    static const char *const good[] = {"localhost", "LocalHost:8199", "127.0.0.1", "127.1.2.3:80",
                                       "[::1]",     "[::1]:8199",     "",          NULL};
    static const char *const bad[] = {"evil.example",
                                      "evil.example:8199",
                                      "localhost.evil.example",
                                      "127.0.0.1.evil.example",
                                      "128.0.0.1",
                                      "[::2]:8199",
                                      "xlocalhost",
                                      "0.0.0.0",
                                      "127.0.0.1]:80",
                                      "[127.0.0.1]",
                                      "[::1"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect_eq(check(ORIGIN_LOOPBACK, "", good[i], NULL), SM_OK, "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_eq(check(ORIGIN_LOOPBACK, "", bad[i], NULL), SM_HOST_REFUSED, "%s", bad[i]);
        cr_expect(strstr(err.text, "setting hosts"), "%s", err.text);
    }
}

Test(origin, the_setting_adds_names) {
    static const char hosts[] = "smd.example, other.example";
    cr_expect_eq(check(ORIGIN_LOOPBACK, hosts, "other.example:8199", NULL), SM_OK);
    cr_expect_eq(check(ORIGIN_LOOPBACK, hosts, "localhost", NULL), SM_OK);
    cr_expect_eq(check(ORIGIN_LOOPBACK, hosts, "example", NULL), SM_HOST_REFUSED);
    cr_expect_eq(check(ORIGIN_HOSTS, hosts, "SMD.example", NULL), SM_OK);
    cr_expect_eq(check(ORIGIN_HOSTS, hosts, "evil.example", NULL), SM_HOST_REFUSED);
    cr_expect_eq(check(ORIGIN_HOSTS, "", "any.example", NULL), SM_OK);
    cr_expect_eq(check(ORIGIN_ANY, "", "any.example", "http://evil.example"), SM_OK);
}

Test(origin, pages_are_the_servers_own) {
    cr_expect_eq(check(ORIGIN_LOOPBACK, "", "localhost:8199", "http://localhost:8199"), SM_OK);
    cr_expect_eq(check(ORIGIN_LOOPBACK, "", "localhost:8199", "http://localhost:3000"), SM_ORIGIN_REFUSED);
    cr_expect_eq(check(ORIGIN_LOOPBACK, "", "localhost:8199", "https://evil.example"), SM_ORIGIN_REFUSED);
    cr_expect_eq(check(ORIGIN_LOOPBACK, "", "localhost:8199", "null"), SM_ORIGIN_REFUSED);
    cr_expect_eq(check(ORIGIN_HOSTS, "", "smd.example", "https://smd.example"), SM_OK);
    cr_expect_eq(check(ORIGIN_HOSTS, "", "smd.example", "https://evil.example"), SM_ORIGIN_REFUSED);
    cr_expect_eq(check(ORIGIN_LOOPBACK, "tools.example", "localhost", "https://tools.example:444"), SM_OK);
}
