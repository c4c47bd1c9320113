/* identify.c - see identify.h. */
#include "identify.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <string.h>
#include <sys/socket.h>

/* FNV-1a: spreads addresses and tokens over numbers; nothing depends on its being hard to invert. */
static uint64_t hash(const void *bytes, size_t len) {
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

struct peer identify_peer(void *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *a = info ? info->client_addr : NULL;
    struct peer peer = {0, "local"};
    if (a && a->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)a;
        inet_ntop(AF_INET, &in->sin_addr, peer.name, sizeof peer.name);
        peer.number = hash(&in->sin_addr, sizeof in->sin_addr);
    } else if (a && a->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;
        inet_ntop(AF_INET6, &in6->sin6_addr, peer.name, sizeof peer.name);
        peer.number = hash(&in6->sin6_addr, 8); /* a host may have a whole /64 */
    }
    return peer;
}

void identify_client(struct request *r, const struct peer *peer) {
    r->client = peer->number;
    r->client_name = peer->name;
    const char *token = request_header(r, "Authorization");
    if (token)
        r->client = hash(token, strlen(token));
}

/* Writes V in hexadecimal; gives where it ends. */
static char *put_hex(char *to, unsigned long long v) {
    char digits[16];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[v & 15];
    while (v >>= 4);
    while (n)
        *to++ = digits[--n];
    return to;
}

static void make_id(struct request *r) {
    char *at = put_hex(r->id, (unsigned long long)r->smd->pid);
    *at++ = '-';
    *put_hex(at, r->number) = 0;
}

/* Takes the client's id over if it is harmless in headers and logs; makes one otherwise. */
const char *identify_request(struct request *r) {
    if (r->id[0])
        return r->id;
    const char *given = request_header(r, "X-Request-Id");
    size_t len = given ? strspn(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:") : 0;
    if (given && len && len < sizeof r->id && !given[len])
        strcpy(r->id, given);
    else
        make_id(r);
    return r->id;
}

/* The trace-id of a traceparent header (W3C Trace Context, version 00), for the log; "" if there is none. */
void identify_trace(struct request *r) {
    enum { VERSION = 3, TRACE_ID = 32 };
    const char *given = request_header(r, "traceparent");
    if (given && strncmp(given, "00-", VERSION) == 0 && strspn(given + VERSION, "0123456789abcdef") == TRACE_ID &&
        given[VERSION + TRACE_ID] == '-')
        snprintf(r->trace, sizeof r->trace, "%.*s", TRACE_ID, given + VERSION);
}
