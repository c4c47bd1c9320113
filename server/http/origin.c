/* origin.c - see origin.h.
 *
 * A browser lets a page read what its own host serves. A page whose name resolves to 127.0.0.1 (DNS rebinding) would
 * read smd's answers so, but its Host is that name. A page of another host cannot read answers, but it can post; its
 * Origin is that host.
 */
#include "origin.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct name {
    const char *at;
    size_t len;
};

/* The host of HOST[:PORT] without the port; the brackets of an IPv6 address stay. */
static struct name without_port(struct name n) {
    const char *end = n.len && n.at[0] == '[' ? memchr(n.at, ']', n.len) : NULL;
    const char *colon = end ? end + 1 : memchr(n.at, ':', n.len);
    return (struct name){n.at, colon ? (size_t)(colon - n.at) : n.len};
}

static int equals(struct name a, struct name b) {
    return a.len == b.len && strncasecmp(a.at, b.at, a.len) == 0;
}

/* 1 if only this machine has the name, whatever a name server says. */
static int is_loopback(struct name n) {
    char text[INET6_ADDRSTRLEN + 2];
    struct in_addr v4;
    struct in6_addr v6;
    if (equals(n, (struct name){"localhost", 9}))
        return 1;
    if (n.len < 3 || n.len >= sizeof text)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)n.len, n.at);
    if (inet_pton(AF_INET, text, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
    text[n.len - 1] = 0; /* the bracket */
    return text[0] == '[' && inet_pton(AF_INET6, text + 1, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

/* 1 if the name is one of HOSTS. */
static int is_listed(const char *hosts, struct name n) {
    for (const char *at = hosts; *at; at += at[0] == ',') {
        at += strspn(at, " ");
        size_t len = strcspn(at, ", ");
        if (len && equals(n, (struct name){at, len}))
            return 1;
        at += strcspn(at, ",");
    }
    return 0;
}

static int accepts_host(enum origin_rule rule, const char *hosts, struct name n) {
    if (is_listed(hosts, n))
        return 1;
    return rule == ORIGIN_LOOPBACK ? is_loopback(n) : !hosts[0];
}

/* 1 if ORIGIN is a page of HOST's, or of one of HOSTS. */
static int accepts_origin(const char *hosts, struct name host, const char *origin) {
    const char *scheme_end = strstr(origin, "://");
    if (!scheme_end)
        return 0;
    struct name n = {scheme_end + 3, strlen(scheme_end + 3)};
    return equals(n, host) || is_listed(hosts, without_port(n));
}

sm_status origin_check(enum origin_rule rule, const char *hosts, const char *host, size_t len, const char *origin,
                       struct error *err) {
    struct name n = {host ? host : "", host ? len : 0};
    if (rule == ORIGIN_ANY)
        return SM_OK;
    if (len && !accepts_host(rule, hosts, without_port(n)))
        return error_set(err, SM_HOST_REFUSED,
                         "Host '%.*s' is no name of this server; the setting hosts lists those it has beside "
                         "loopback's",
                         (int)(len < 100 ? len : 100), host);
    if (origin && !accepts_origin(hosts, n, origin))
        return error_set(err, SM_ORIGIN_REFUSED,
                         "A page of another origin, '%.100s', may not ask this server; the setting hosts lists those "
                         "that may",
                         origin);
    return SM_OK;
}
