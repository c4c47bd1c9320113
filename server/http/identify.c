/* identify.c - see identify.h. */
#include "identify.h"

#include "problem.h"
#include "proxies.h"
#include "scope.h"
#include "session.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>

enum kind { ADDRESS, TENANT }; /* so that no tenant is equal to an address */

static struct {
    EVP_MAC *mac;
    unsigned char key[16];
} siphash; /* made by identify_start, constant after it */

static struct proxies proxies; /* likewise */

sm_status identify_start(const char *trusted, const char *from, struct error *err) {
    siphash.mac = EVP_MAC_fetch(NULL, "SIPHASH", NULL);
    if (!siphash.mac || getrandom(siphash.key, sizeof siphash.key, 0) != (ssize_t)sizeof siphash.key)
        return error_set(err, SM_IO, "there is no SipHash or no random number");
    return proxies_read(&proxies, trusted, from, err);
}

void identify_end(void) {
    EVP_MAC_free(siphash.mac);
    siphash.mac = NULL;
}

/* SipHash of the bytes under a secret key, so that nobody can find bytes with another client's number and take its
 * share. 0 if out of memory. */
static uint64_t hash(enum kind kind, const void *bytes, size_t len) {
    unsigned char first = (unsigned char)kind, out[8];
    uint64_t number = 0;
    size_t size = sizeof out;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    EVP_MAC_CTX *c = EVP_MAC_CTX_new(siphash.mac);
    if (c && EVP_MAC_init(c, siphash.key, sizeof siphash.key, params) && EVP_MAC_update(c, &first, 1) &&
        EVP_MAC_update(c, bytes, len) && EVP_MAC_final(c, out, &size, sizeof out) && size == sizeof out)
        memcpy(&number, out, sizeof number);
    EVP_MAC_CTX_free(c);
    return number;
}

/* The number of the client of this address, whose text is written to NAME. */
static uint64_t number_of(const struct in6_addr *address, char name[INET6_ADDRSTRLEN]) {
    enum { HOST = 8 }; /* bytes: a host may have a whole /64 */
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        inet_ntop(AF_INET, address->s6_addr + 12, name, INET6_ADDRSTRLEN);
        return hash(ADDRESS, address->s6_addr + 12, sizeof(struct in_addr));
    }
    inet_ntop(AF_INET6, address, name, INET6_ADDRSTRLEN);
    return hash(ADDRESS, address, HOST);
}

/* Reads the address; 0 if it is a unix socket's. */
static int read_address(const struct sockaddr *a, struct in6_addr *address) {
    if (a && a->sa_family == AF_INET)
        *address = address_of_v4(&((const struct sockaddr_in *)a)->sin_addr);
    else if (a && a->sa_family == AF_INET6)
        *address = ((const struct sockaddr_in6 *)a)->sin6_addr;
    else
        return 0;
    return 1;
}

int identify_has_announcements(void) {
    return proxies.by == BY_PROXY_PROTOCOL && (proxies.networks || proxies.unix_sockets);
}

int identify_wants_announcement(const struct sockaddr *a) {
    struct in6_addr address;
    return proxies.by == BY_PROXY_PROTOCOL && proxies_trust(&proxies, read_address(a, &address) ? &address : NULL);
}

struct peer identify_peer(void *connection, int socket, const struct session *session) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct peer peer = identify_address(info ? info->client_addr : NULL);
    const unsigned char *certificate = session ? session_certificate(session) : NULL;
    struct ucred user;
    socklen_t len = sizeof user;
    if (certificate) {
        memcpy(peer.certificate, certificate, sizeof peer.certificate);
        peer.has_certificate = 1;
    }
    if (peer.is_local && getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &user, &len) == 0) {
        peer.user = user.uid;
        peer.has_user = 1;
    }
    return peer;
}

struct peer identify_address(const struct sockaddr *a) {
    struct peer peer = {.name = "local", .is_local = 1};
    struct in6_addr address;
    if (read_address(a, &address)) {
        peer.number = number_of(&address, peer.name);
        peer.is_local = 0;
    }
    peer.is_proxy = proxies.by != BY_PROXY_PROTOCOL && proxies_trust(&proxies, peer.is_local ? NULL : &address);
    return peer;
}

/* libmicrohttpd's callback: adds the value to the list at ARG, as lines of one name make one list. */
static enum MHD_Result on_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value) {
    sm_buf *list = arg;
    (void)kind;
    if (strcasecmp(name, proxies.by == BY_FORWARDED ? "Forwarded" : "X-Forwarded-For") == 0)
        sm_buf_printf(list, "%s%s", list->len ? "," : "", value ? value : "");
    return MHD_YES;
}

/* Takes the client from the header that a trusted proxy has written, if it names one. */
static void take_forwarded(struct request *r) {
    enum { LONGEST = 64 << 10 }; /* more than a header may have */
    struct in6_addr address;
    sm_buf list;
    sm_buf_init(&list, LONGEST);
    MHD_get_connection_values(r->connection, MHD_HEADER_KIND, on_header, &list);
    int (*client)(const struct proxies *, const char *, struct in6_addr *) =
        proxies.by == BY_FORWARDED ? forwarded_client : proxies_client;
    if (list.status == SM_OK && list.len && client(&proxies, sm_buf_cstr(&list), &address)) {
        r->client = number_of(&address, r->forwarded);
        r->client_name = r->forwarded;
    }
    sm_buf_free(&list);
}

void identify_client(struct request *r, const struct peer *peer) {
    r->client = peer->number;
    r->client_name = peer->name;
    if (peer->is_proxy)
        take_forwarded(r);
    if (r->holder)
        r->client = hash(TENANT, holder_row(r->holder)->tenant, strlen(holder_row(r->holder)->tenant));
}

/* Fills the reply with a refusal that says how to show who one is (RFC 6750, 3), and gives its status. */
static sm_status refuse_access(struct request *r, sm_status s, const char *detail, const char *challenge) {
    problem_reply(r, s, detail, (sm_slice){0}, NULL);
    if (s == SM_UNAUTHORISED || s == SM_FORBIDDEN)
        reply_header(&r->reply, "WWW-Authenticate", "Bearer realm=\"smd\"%s", challenge);
    return s;
}

/* Refuses what is over a limit of the holder's day, which ends in so many seconds. */
static sm_status refuse_today(struct request *r, int seconds, int most, const char *what) {
    char detail[120];
    snprintf(detail, sizeof detail, "Your token's %d %s of this day are used up; the day ends at midnight, UTC", most,
             what);
    r->retry_after_s = seconds;
    return refuse_access(r, SM_TOO_MANY_REQUESTS, detail, "");
}

sm_status identify_bytes(struct request *r, size_t bytes) {
    int seconds = r->holder ? holder_take_bytes(r->holder, bytes) : 0;
    return seconds ? refuse_today(r, seconds, holder_row(r->holder)->mib_per_day, "MiB of bodies") : SM_OK;
}

/* Checks what the holder may have of its day, for a route that takes a body. */
static sm_status check_day(struct request *r) {
    const struct access_row *row = holder_row(r->holder);
    const char *length = request_header(r, "Content-Length");
    int seconds = holder_await_bytes(r->holder, length ? strtoull(length, NULL, 10) : 1);
    if (seconds)
        return refuse_today(r, seconds, row->mib_per_day, "MiB of bodies");
    seconds = r->route->scopes & SM_SCOPE_COMPILE ? holder_await_cpu(r->holder) : 0;
    return seconds ? refuse_today(r, seconds, row->cpu_s_per_day, "CPU seconds") : SM_OK;
}

/* Checks that the holder may ask for the route, now, with these scopes. */
static sm_status check_holder(struct request *r, unsigned scopes) {
    if (!(scopes & r->route->scopes))
        return refuse_access(r, SM_FORBIDDEN, "What you show does not have the scope that this route needs",
                             ", error=\"insufficient_scope\"");
    if (holder_admit(r->holder) != SM_OK)
        return refuse_access(r, SM_TOO_MANY_REQUESTS, "Your token's requests for this second are used up", "");
    sm_status s = r->route->has_body ? check_day(r) : SM_OK;
    if (s != SM_OK)
        return s;
    if (!r->route->has_body || !(r->route->scopes & SM_SCOPE_COMPILE))
        return SM_OK;
    r->is_job = holder_begin(r->holder) == SM_OK;
    return r->is_job
               ? SM_OK
               : refuse_access(r, SM_TOO_MANY_REQUESTS, "Your token has as many compiles under way as it may", "");
}

/* libmicrohttpd's callback: counts the Authorizations at ARG. */
static enum MHD_Result on_any_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    (void)value;
    *(int *)arg += strcasecmp(name, "Authorization") == 0;
    return MHD_YES;
}

/* 1 if two tokens are shown: a proxy may have looked at the other one (RFC 9110, 5.3). */
static int shows_two(const struct request *r) {
    int count = 0;
    MHD_get_connection_values(r->connection, MHD_HEADER_KIND, on_any_header, &count);
    return count > 1;
}

sm_status identify_holder(struct request *r, const struct peer *peer) {
    struct access *a = r->service->access;
    const struct shown shown = {.authorization = request_header(r, "Authorization"),
                                .certificate = peer->has_certificate ? peer->certificate : NULL,
                                .has_user = peer->has_user,
                                .user = peer->user,
                                .client = r->client};
    char challenge[200] = "";
    struct verdict v;
    if (!a || !r->route->scopes)
        return SM_OK;
    if (shown.authorization && shows_two(r))
        return refuse_access(r, SM_BAD_REQUEST, "There is more than one Authorization", "");
    r->holder = access_find(a, &shown, &v);
    if (v.status == SM_TOO_MANY_REQUESTS)
        r->retry_after_s = 1;
    if (v.status == SM_UNAUTHORISED && shown.authorization)
        snprintf(challenge, sizeof challenge, ", error=\"invalid_token\", error_description=\"%s\"", v.why);
    if (v.status != SM_OK)
        return refuse_access(r, v.status, v.why, challenge);
    identify_client(r, peer);
    return check_holder(r, v.scopes);
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

/* Makes the request's id of the process's id and the request's number. */
static void make_id(struct request *r) {
    char *at = put_hex(r->id, (unsigned long long)r->service->pid);
    *at++ = '-';
    *put_hex(at, r->number) = 0;
}

/* Uses the id that the client sent if it is harmless in headers and logs; makes one otherwise. */
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
