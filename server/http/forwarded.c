/* forwarded.c - the client by the header Forwarded (RFC 7239): elements separated by commas, each of pairs such as
 * for=192.0.2.1, for="[2001:db8::1]:4711" and proto=https. What is not of its grammar names nobody. */
#include "proxies.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The characters of a token (RFC 9110). */
static const char token[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

struct element {
    int has_node;
    char node[80]; /* what for= says, without quotes */
};

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* Reads a quoted string into TO, cut at its SIZE. Gives what follows; NULL if it does not end. */
static const char *read_quoted(const char *at, char *to, size_t size) {
    size_t n = 0;
    for (at++; *at != '"'; at++) {
        if (*at == '\\')
            at++;
        if (!*at)
            return NULL;
        if (n + 1 < size)
            to[n++] = *at;
    }
    to[n] = 0;
    return at + 1;
}

/* Reads NAME=VALUE into E. Gives what follows; NULL if it is no pair, or a second "for". */
static const char *read_pair(const char *at, struct element *e) {
    char value[sizeof e->node];
    size_t name = strspn(at, token);
    int is_for = name == 3 && strncasecmp(at, "for", 3) == 0;
    if (name == 0 || at[name] != '=' || (is_for && e->has_node))
        return NULL;
    at += name + 1;
    if (*at == '"') {
        at = read_quoted(at, value, sizeof value);
    } else {
        size_t len = strspn(at, token);
        snprintf(value, sizeof value, "%.*s", (int)(len < sizeof value ? len : 0), at);
        at = len ? at + len : NULL;
    }
    if (is_for && at) {
        e->has_node = 1;
        memcpy(e->node, value, sizeof value);
    }
    return at;
}

/* Reads an element up to its comma or the end. NULL if it is none. */
static const char *read_element(const char *at, struct element *e) {
    e->has_node = 0;
    for (;;) {
        at = skip_blanks(at);
        if (*at && !strchr(",;", *at)) {
            at = read_pair(at, e);
            if (!at)
                return NULL;
            at = skip_blanks(at);
        }
        if (*at != ';')
            return *at && *at != ',' ? NULL : at;
        at++;
    }
}

/* 1 if the text is empty, or a port behind its colon: digits, or a word that begins with "_". */
static int is_port(const char *text) {
    size_t digits = *text ? strspn(text + 1, "0123456789") : 0;
    if (!*text)
        return 1;
    return *text == ':' && ((digits > 0 && digits <= 5 && !text[1 + digits]) ||
                            (text[1] == '_' && text[2] && !text[1 + strspn(text + 1, token)]));
}

/* Reads an address: 192.0.2.1, [2001:db8::1], each perhaps with a port. 0 for all else, as "unknown" and "_hidden". */
static int read_node(const char *text, struct in6_addr *a) {
    char address[INET6_ADDRSTRLEN];
    struct in_addr v4;
    int is_v6 = *text == '[';
    size_t len = strcspn(text + is_v6, is_v6 ? "]" : ":");
    const char *rest = text + is_v6 + len;
    if (len >= sizeof address || (is_v6 && *rest != ']') || !is_port(rest + is_v6))
        return 0;
    memcpy(address, text + is_v6, len);
    address[len] = 0;
    if (is_v6)
        return inet_pton(AF_INET6, address, a) == 1;
    if (inet_pton(AF_INET, address, &v4) != 1)
        return 0;
    *a = address_of_v4(&v4);
    return 1;
}

int forwarded_client(const struct proxies *p, const char *list, struct in6_addr *client) {
    struct in6_addr found;
    int has = 0;
    for (const char *at = list;; at++) {
        struct element e;
        struct in6_addr a;
        at = read_element(at, &e);
        if (!at)
            return 0;
        if (!e.has_node || !read_node(e.node, &a)) {
            has = 0; /* nobody vouches for what stands before it */
        } else if (!has || !proxies_trust(p, &a)) {
            found = a;
            has = 1;
        }
        if (!*at)
            break;
    }
    if (has)
        *client = found;
    return has;
}
