/* origin.h - whether a request may be one that a web page made the browser of this machine send. */
#ifndef SMD_ORIGIN_H
#define SMD_ORIGIN_H

#include "error.h"

#include <stddef.h>

/* What a listener asks of the names in a request. */
enum origin_rule {
    ORIGIN_ANY,      /* a unix socket, which no page can reach */
    ORIGIN_LOOPBACK, /* Host has to be a name of loopback, or one of the setting `hosts` */
    ORIGIN_HOSTS     /* Host has to be one of `hosts`, if that is set */
};

/* Checks the Host of a request (HOST, LEN bytes; none if 0), and its Origin (may be NULL), which has to be the same
 * host and port or one of HOSTS, names separated by commas. SM_HOST_REFUSED or SM_ORIGIN_REFUSED and ERR otherwise. */
sm_status origin_check(enum origin_rule rule, const char *hosts, const char *host, size_t len, const char *origin,
                       struct error *err);

#endif
