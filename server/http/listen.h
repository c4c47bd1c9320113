/* listen.h - a listening socket: an address and port, a unix socket, or one that a service manager hands over. */
#ifndef SMD_LISTEN_H
#define SMD_LISTEN_H

#include "error.h"
#include "settings.h"

#include <stddef.h>

struct listener {
    int fd, port;        /* port: 0 for a unix socket */
    int is_shared;       /* boolean: it was handed over */
    int is_local;        /* boolean: nobody but this machine's programs can connect */
    char unix_path[108]; /* for the caller to unlink; "" if there is none */
};

/* Listens on ADDRESS, which is unix:PATH or goes with PORT. On failure errno is EADDRINUSE if somebody else does. */
sm_status listen_open(const char *address, int port, struct listener *l, struct error *err);

/* The same of ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH. */
sm_status listen_open_text(const char *text, struct listener *l, struct error *err);

/* Refuses a listener that other machines reach, unless they come BY_TLS and have to say who they are, or the operator
 * wants it so (insecure). SETTING names it. */
sm_status listen_check(const struct listener *l, const struct settings *s, const char *setting, int by_tls,
                       struct error *err);

/* With LISTEN_PID and LISTEN_FDS in the environment (sd_listen_fds(3)) the first socket handed over; 0 if there is
 * none. */
int listen_take_over(struct listener *l);

/* 1 if the listener is on ADDRESS (likewise) and PORT; 0: any. */
int listen_is(const struct listener *l, const char *address, int port);

#endif
