/* proxies.c - see proxies.h. */
#include "proxies.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { V4_BITS = 96, ALL_BITS = 128 };

struct in6_addr address_of_v4(const struct in_addr *v4) {
    struct in6_addr a = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    memcpy(a.s6_addr + 12, v4, sizeof *v4);
    return a;
}

/* Reads an address; gives how many of the bits stand before its own, 96 of IPv4. -1 if it is none. */
static int read_address(const char *text, struct in6_addr *a) {
    struct in_addr v4;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        *a = address_of_v4(&v4);
        return V4_BITS;
    }
    return inet_pton(AF_INET6, text, a) == 1 ? 0 : -1;
}

/* Reads ADDRESS or ADDRESS/BITS. 0 if it is neither. */
static int read_network(const char *text, struct network *n) {
    char address[INET6_ADDRSTRLEN], *end = "";
    const char *slash = strchr(text, '/');
    size_t len = strcspn(text, "/");
    snprintf(address, sizeof address, "%.*s", (int)(len < sizeof address ? len : 0), text);
    int before = read_address(address, &n->first);
    long bits = slash ? strtol(slash + 1, &end, 10) : ALL_BITS - before;
    if (before < 0 || bits < 0 || bits > ALL_BITS - before || *end || (slash && (slash[1] < '0' || slash[1] > '9')))
        return 0;
    n->bits = (unsigned)(before + bits);
    return 1;
}

/* Reads the setting client_from. */
static sm_status read_from(struct proxies *p, const char *from, struct error *err) {
    static const char *const words[] = {
        [BY_X_FORWARDED_FOR] = "x-forwarded-for", [BY_FORWARDED] = "forwarded", [BY_PROXY_PROTOCOL] = "proxy"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(from, words[i]) == 0) {
            p->by = i;
            return SM_OK;
        }
    return error_set(err, SM_INVALID_OPTION, "client_from: '%.40s' is not x-forwarded-for, forwarded or proxy", from);
}

sm_status proxies_read(struct proxies *p, const char *text, const char *from, struct error *err) {
    *p = (struct proxies){.networks = 0};
    for (size_t len; *text; text += len + (text[len] == ',')) {
        char one[80];
        len = strcspn(text, ",");
        size_t blanks = strspn(text, " ");
        snprintf(one, sizeof one, "%.*s", (int)(len - (blanks < len ? blanks : len)), text + blanks);
        if (strcmp(one, "unix") == 0)
            p->unix_sockets = 1;
        else if (p->networks == PROXIES_MAX)
            return error_set(err, SM_INVALID_OPTION, "trusted_proxies: there are more than %d", PROXIES_MAX);
        else if (read_network(one, &p->network[p->networks]))
            p->networks++;
        else
            return error_set(err, SM_INVALID_OPTION, "trusted_proxies: '%s' is no address, ADDRESS/BITS or unix",
                             one);
    }
    return read_from(p, from, err);
}

/* 1 if the address is of the network. */
static int is_in(const struct in6_addr *a, const struct network *n) {
    unsigned whole = n->bits / 8, rest = n->bits % 8;
    return memcmp(a->s6_addr, n->first.s6_addr, whole) == 0 &&
           (!rest || (a->s6_addr[whole] ^ n->first.s6_addr[whole]) >> (8 - rest) == 0);
}

int proxies_trust(const struct proxies *p, const struct in6_addr *address) {
    if (!address)
        return p->unix_sockets;
    for (size_t i = 0; i < p->networks; i++)
        if (is_in(address, &p->network[i]))
            return 1;
    return 0;
}

/* Reads an entry of the list: an address, perhaps with a port behind it (1.2.3.4:5, [::1]:5). 0 if it is none. */
static int read_entry(const char *text, size_t len, struct in6_addr *a) {
    char one[80];
    while (len && (*text == ' ' || *text == '\t'))
        text++, len--;
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    int is_bracketed = len && *text == '[';
    snprintf(one, sizeof one, "%.*s", (int)(len < sizeof one ? len : 0) - is_bracketed, text + is_bracketed);
    char *colon = strchr(one, ':');
    if (is_bracketed)
        one[strcspn(one, "]")] = 0;
    else if (colon && !strchr(colon + 1, ':'))
        *colon = 0;
    return read_address(one, a) >= 0;
}

int proxies_client(const struct proxies *p, const char *list, struct in6_addr *client) {
    int result = 0;
    for (size_t end = strlen(list);;) {
        size_t at = end;
        struct in6_addr a;
        while (at && list[at - 1] != ',')
            at--;
        if (!read_entry(list + at, end - at, &a))
            return result; /* what stands before it nobody vouches for */
        *client = a;
        result = 1;
        if (at == 0 || !proxies_trust(p, &a))
            return 1;
        end = at - 1;
    }
}
