/* Whom a proxy speaks for: the header Forwarded, and the PROXY protocol. */
#include "proxies.h"
#include "proxyline.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <string.h>

static struct proxies trusted;

static void read_settings(void) {
    struct error err = {0};
    cr_assert_eq(proxies_read(&trusted, "10.0.0.0/8,2001:db8:f::/48", "forwarded", &err), SM_OK, "%s", err.text);
}

TestSuite(proxies, .init = read_settings);

static const char *text_of(const struct in6_addr *a) {
    static char text[INET6_ADDRSTRLEN];
    if (IN6_IS_ADDR_V4MAPPED(a))
        inet_ntop(AF_INET, a->s6_addr + 12, text, sizeof text);
    else
        inet_ntop(AF_INET6, a, text, sizeof text);
    return text;
}

/* The client that the list names; "" for none. */
static const char *client_of(const char *list) {
    struct in6_addr a;
    return forwarded_client(&trusted, list, &a) ? text_of(&a) : "";
}

Test(proxies, forwarded) {
    static const char *const rows[][2] = {
        {"for=203.0.113.7", "203.0.113.7"},
        {"For=\"203.0.113.7:4711\";proto=https;by=10.0.0.1", "203.0.113.7"},
        {"for=\"[2001:db8::5]:80\"", "2001:db8::5"},
        {"for=\"[2001:db8::5]:_port\"", "2001:db8::5"},
        {"for=198.51.100.1, for=203.0.113.7", "203.0.113.7"},
        {"for=203.0.113.7, for=10.1.2.3,for=\"[2001:db8:f::1]\"", "203.0.113.7"},
        {"for=10.1.2.3, for=10.4.5.6", "10.1.2.3"},
        {"for=unknown, for=10.1.2.3", "10.1.2.3"},
        {"for=203.0.113.7, for=_hidden, for=10.1.2.3", "10.1.2.3"},
        {"for=203.0.113.7, for=unknown", ""},
        {"for=203.0.113.7, proto=http", ""},
        {"by=203.0.113.7", ""},
        {"host=\"a,for=198.51.100.1\";for=203.0.113.7", "203.0.113.7"},
        {"host=\"a\\\"\";for=\"203.0.113.7\" ; proto=http", "203.0.113.7"},
        {"for=203.0.113.7,", ""},
        {"", ""},
        /* What is not of the grammar names nobody. */
        {"for=\"203.0.113.7", ""},
        {"for=\"203.0.113.7\\", ""},
        {"for=203.0.113.7 for=10.1.2.3", ""},
        {"for=198.51.100.1;for=203.0.113.7", ""},
        {"for = 203.0.113.7", ""},
        {"for=", ""},
        {"=203.0.113.7", ""},
        {"203.0.113.7", ""},
        {"for=[2001:db8::5]", ""}, /* has to be quoted */
        {"for=2001:db8::5", ""},
        {"for=\"2001:db8::5\"", ""},
        {"for=\"[2001:db8::5]x\"", ""},
        {"for=\"[203.0.113.7]\"", ""},
        {"for=\"203.0.113.7:123456\"", ""},
        {"for=\"203.0.113.7:\"", ""},
        {"for=203.0.113.7.", ""},
        {"for=203.0.113.07", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_str_eq(client_of(rows[i][0]), rows[i][1], "%s: %s", rows[i][0], client_of(rows[i][0]));
}

Test(proxies, of_client_from) {
    struct error err = {0};
    struct proxies p;
    cr_assert_eq(proxies_read(&p, "", "PROXY", &err), SM_OK);
    cr_assert_eq(p.by, BY_PROXY_PROTOCOL);
    cr_assert_eq(proxies_read(&p, "", "via", &err), SM_INVALID_OPTION);
    cr_assert(strstr(err.text, "client_from: 'via' is not x-forwarded-for, forwarded or proxy"), "%s", err.text);
}

/* ---- The PROXY protocol ------------------------------------------------------------------------------------------ */

/* Expects so many bytes of the begin, and the client; each shorter text asks for more, or says the same. */
static void begins(const void *bytes, size_t len, long size, const char *client, int port) {
    struct proxyline line;
    cr_expect_eq(proxyline_read(bytes, len, &line), size, "%.*s", (int)len, (const char *)bytes);
    cr_expect_eq(line.has_client, client != NULL);
    if (client && line.has_client) {
        cr_expect_str_eq(text_of(&line.client), client);
        cr_expect_eq(line.port, port);
    }
    for (size_t n = 0; size > 0 && n < len; n++) {
        long less = proxyline_read(bytes, n, &line);
        cr_expect(less == 0 || less == size, "%zu bytes: %ld", n, less);
    }
}

static void line(const char *text, const char *client, int port) {
    const char *end = strstr(text, "\r\n");
    begins(text, strlen(text), end - text + 2, client, port);
}

static void refuses(const char *text) {
    begins(text, strlen(text), -1, NULL, 0);
}

Test(proxies, version_1) {
    line("PROXY TCP4 203.0.113.7 10.0.0.1 4711 8199\r\nGET / HTTP/1.1\r\n", "203.0.113.7", 4711);
    line("PROXY TCP6 2001:db8::5 ::1 65535 0\r\n", "2001:db8::5", 65535);
    line("PROXY UNKNOWN\r\n", NULL, 0);
    line("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\nGET", NULL, 0);
    begins("PROXY TCP4 203.0.113.7", 22, 0, NULL, 0);
    begins("", 0, 0, NULL, 0);
    refuses("GET / HTTP/1.1\r\n");
    refuses("PROXY TCP4 203.0.113.7 10.0.0.1 4711 8199\n");
    refuses("PROXY TCP4 203.0.113.7 10.0.0.1 4711\r\n");
    refuses("PROXY TCP4 203.0.113.7 10.0.0.1 4711 8199 1\r\n");
    refuses("PROXY TCP4 203.0.113.7  10.0.0.1 4711 8199\r\n");
    refuses("PROXY TCP4 203.0.113.7 10.0.0.1 04711 8199\r\n");
    refuses("PROXY TCP4 203.0.113.7 10.0.0.1 4711 65536\r\n");
    refuses("PROXY TCP4 203.0.113.7 10.0.0.1 -1 8199\r\n");
    refuses("PROXY TCP4 ::1 10.0.0.1 4711 8199\r\n");
    refuses("PROXY TCP6 203.0.113.7 10.0.0.1 4711 8199\r\n");
    refuses("PROXY UDP4 203.0.113.7 10.0.0.1 4711 8199\r\n");
    refuses("PROXY UNKNOWNS\r\n");
    refuses("PROXY \r\n");
    char endless[200] = "PROXY UNKNOWN ";
    memset(endless + 14, 'a', sizeof endless - 15);
    begins(endless, PROXYLINE_HEAD - 1, 0, NULL, 0);
    begins(endless, PROXYLINE_HEAD, -1, NULL, 0);
}

#define SIGNATURE "\r\n\r\n\0\r\nQUIT\n"
#define V2(text)  SIGNATURE text, sizeof SIGNATURE text - 1

Test(proxies, version_2) {
    begins(V2("\x21\x11\0\x0c\xcb\0\x71\x07\x0a\0\0\x01\x12\x67\x20\x07GET"), 28, "203.0.113.7", 4711);
    begins(V2("\x21\x11\0\x10\xcb\0\x71\x07\x0a\0\0\x01\x12\x67\x20\x07"), 32, "203.0.113.7", 4711);
    begins(V2("\x21\x21\0\x24\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x05"
              "0123456789abcdef\x12\x67\x20\x07"),
           52, "2001:db8::5", 4711);
    begins(V2("\x20\0\0\0"), 16, NULL, 0);                                               /* the proxy's own */
    begins(V2("\x21\0\0\x05"), 21, NULL, 0);                                             /* unspecified */
    begins(V2("\x21\x31\0\xd8"), 232, NULL, 0);                                          /* a unix socket */
    begins(V2("\x21\x11\0\x0b\xcb\0\x71\x07\x0a\0\0\x01\x12\x67\x20\x07"), -1, NULL, 0); /* too short */
    begins(V2("\x21\x12\0\x0c\xcb\0\x71\x07\x0a\0\0\x01\x12\x67\x20\x07"), -1, NULL, 0); /* UDP */
    begins(V2("\x11\x11\0\x0c\xcb\0\x71\x07\x0a\0\0\x01\x12\x67\x20\x07"), -1, NULL, 0); /* version 1 */
    begins(V2("\x22\x11\0\x0c\xcb\0\x71\x07\x0a\0\0\x01\x12\x67\x20\x07"), -1, NULL, 0); /* no such command */
    begins("\r\n\r\nGET / HTTP/1.1", 18, -1, NULL, 0);
    begins(SIGNATURE, sizeof SIGNATURE - 1, 0, NULL, 0);
}
