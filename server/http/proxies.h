/* proxies.h - who asks, if a proxy that is trusted says so: in X-Forwarded-For, in Forwarded (RFC 7239), or by the PROXY
 * protocol (proxyline.h). It is one of them, by the setting client_from: a proxy that writes one of the headers lets the
 * other one through as the client has written it.
 *
 * Each proxy adds the address that it got the request from at the end, so the list is read from there: the first
 * address that is no trusted proxy's is the client's, and what stands before it anybody may have written.
 */
#ifndef SMD_PROXIES_H
#define SMD_PROXIES_H

#include "error.h"

#include <netinet/in.h>

enum { PROXIES_MAX = 64 };

/* Addresses and networks; IPv4 as part of IPv6 (::ffff:0:0/96). */
struct proxies {
    struct network {
        struct in6_addr first;
        unsigned bits;
    } network[PROXIES_MAX];
    size_t networks;
    int unix_sockets; /* boolean: whoever comes by a unix socket */
    enum { BY_X_FORWARDED_FOR, BY_FORWARDED, BY_PROXY_PROTOCOL } by;
};

/* Reads the settings trusted_proxies and client_from. SM_INVALID_OPTION. */
sm_status proxies_read(struct proxies *p, const char *trusted, const char *from, struct error *err);

/* 1 if ADDRESS (NULL: a unix socket) is a trusted proxy's. */
int proxies_trust(const struct proxies *p, const struct in6_addr *address);

/* Sets *CLIENT to the client's address by the list, as X-Forwarded-For has it. 0 if it names none. */
int proxies_client(const struct proxies *p, const char *list, struct in6_addr *client);

/* The same by the list as Forwarded has it; 0, too, if the list is not of its grammar. forwarded.c */
int forwarded_client(const struct proxies *p, const char *list, struct in6_addr *client);

/* An address of four bytes as one of sixteen. */
struct in6_addr address_of_v4(const struct in_addr *v4);

#endif
