/* identify.h - who asks: client, request id. */
#ifndef SMD_IDENTIFY_H
#define SMD_IDENTIFY_H

#include "conns.h"
#include "request.h"

#include <sys/socket.h>

/* Before all others: makes the key that distinguishes clients, and reads which proxies are TRUSTED, and how they say FROM
 * whom a request is. */
sm_status identify_start(const char *trusted, const char *from, struct error *err);
void identify_end(void);

/* 1 if some connections have to begin with the PROXY protocol; 1 if one from this address has to. */
int identify_has_announcements(void);
int identify_wants_announcement(const struct sockaddr *address);

/* Who has opened a connection (libmicrohttpd's) of the socket, by TLS if SESSION is not NULL; who has connected from
 * ADDRESS. */
struct peer identify_peer(void *connection, int socket, const struct session *session);
struct peer identify_address(const struct sockaddr *address);

/* Sets r->client, by which fair shares are given: from r->holder's tenant, else from the request's token if it has one,
 * else from the peer's address, or from what a trusted proxy says. The address is noted for the log too. */
void identify_client(struct request *r, const struct peer *peer);

/* Checks what the request shows against the token file, if there is one, and sets r->holder. SM_OK if it may ask for
 * the route; otherwise the reply is filled. */
sm_status identify_holder(struct request *r, const struct peer *peer);

/* So many bytes of the request's body have come, which count for its holder's day. SM_OK if the day has room for them;
 * otherwise the reply is filled. */
sm_status identify_bytes(struct request *r, size_t bytes);

/* Its id: the client's, or one made of this process and the request's number. Borrowed from the request. */
const char *identify_request(struct request *r);

#endif
