/* proxyline.h - the PROXY protocol: what a proxy writes before a connection's first byte, versions 1 and 2.
 *
 * https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt; of transports there is TCP.
 */
#ifndef SMD_PROXYLINE_H
#define SMD_PROXYLINE_H

#include <netinet/in.h>
#include <stddef.h>

enum { PROXYLINE_HEAD = 107 }; /* bytes that say all: a line of version 1; of version 2 its head and addresses */

struct proxyline {
    int has_client;         /* boolean: 0 if the proxy speaks for itself, or does not know */
    struct in6_addr client; /* IPv4 as part of IPv6 */
    in_port_t port;         /* in host order */
};

/* Reads what a connection begins with. Gives how many bytes that is, which may be more than LEN: of version 2 the rest
 * says nothing that counts. 0 if LEN bytes do not tell yet; -1 if it is none. */
long proxyline_read(const unsigned char *bytes, size_t len, struct proxyline *out);

#endif
