/* http.h - the server: HTTP by libmicrohttpd, connections in, requests (request.h) to the service's routes, replies
 * out.
 *
 * Nobody outside this room uses libmicrohttpd.
 */
#ifndef SMD_HTTP_H
#define SMD_HTTP_H

#include "error.h"
#include "request.h"

struct http;

/* Listens and serves; SERVICE is borrowed until http_stop. NULL on failure. *new* */
struct http *http_start(const struct service *service, struct error *err);
int http_port(const struct http *h);       /* 0 for a unix socket */
int http_admin_port(const struct http *h); /* likewise of operators' listener; 0 if there is none */

/* No new connections but to operators' listener; waits at most TIMEOUT_S for the requests in progress; 0 when all were
 * answered. */
int http_drain(struct http *h, int timeout_s);

/* Nobody is waited for any more: requests that have not come whole are given up at once, answers that are due now a
 * moment later. */
void http_cut(struct http *h);
void http_stop(struct http *h);

/* 1 if there is TLS; then SIGHUP reads the certificates again, and on failure those that were read stay. */
int http_has_tls(const struct http *h);
sm_status http_reload(struct http *h, struct error *err);

/* Closes connections whose clients have taken too long; main calls it about once a second. */
void http_tick(struct http *h);

#endif
